"""A trained network in one file, played with numpy alone: without torch, and without pickle."""

from __future__ import annotations

import io
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.files.writing import write_whole

from .archives import read_arrays
from .model_record import ModelError, parse_record

SUFFIX = ".npz"
COLUMNS, TRUNK, POLICY, VALUE, RECORD = "columns", "trunk", "policy", "value", "record"
WEIGHTS, BIAS = "weights", "bias"
USED = re.compile(r"columns|record|(trunk\.\d{1,3}|policy|value)\.(weights|bias)")  # arrays

Floats = NDArray[np.float32]
Masks = NDArray[np.uint8] | NDArray[np.bool_]


@dataclass(frozen=True)
class Layer:
    """An affine map of rows, x @ weights + bias.

    weights: float32 (inputs, outputs); bias: float32 (outputs,).
    """

    weights: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        """Rows (n, inputs) -> (n, outputs)."""
        return rows @ self.weights + self.bias


@dataclass(frozen=True)
class Network:
    """Policy and value heads on one trunk, which reads some columns of the observation.

    columns: int32 (k,), of the observation; trunk: layers, each followed by tanh; policy: the
    layer that outputs logits; value: the layer that outputs the expected return; record: what it
    was trained on (env_id, fingerprint, env_kwargs, config, steps, minutes, versions, commit),
    JSON-able.
    """

    columns: NDArray[np.int32]
    trunk: Sequence[Layer]
    policy: Layer
    value: Layer
    record: Mapping[str, Any] = field(default_factory=dict)

    def forward(self, observations: Floats) -> tuple[Floats, Floats]:
        """Observations, float32 (n, N_OBSERVATION) -> logits (n, N_ACTIONS), values (n,)."""
        rows = observations[:, self.columns]
        for layer in self.trunk:
            rows = np.tanh(layer(rows))
        return self.policy(rows), self.value(rows)[:, 0]

    def logits(self, observations: Floats, masks: Masks) -> Floats:
        """Logits of all actions, float32 (n, N_ACTIONS); the masks are ignored."""
        return self.forward(observations)[0]

    # ---- on disk ----------------------------------------------------------------------------
    def save(self, path: Path) -> None:
        """Write the file atomically. Raises OSError that names it."""
        arrays: dict[str, NDArray[Any]] = {COLUMNS: self.columns}
        for name, layer in self._layers():
            arrays |= {f"{name}.{WEIGHTS}": layer.weights, f"{name}.{BIAS}": layer.bias}
        arrays[RECORD] = np.array(json.dumps(dict(self.record)))
        content = io.BytesIO()
        np.savez(content, **arrays)  # type: ignore[arg-type]
        write_whole(path, content.getvalue())

    def _layers(self) -> list[tuple[str, Layer]]:
        trunk = [(f"{TRUNK}.{i}", layer) for i, layer in enumerate(self.trunk)]
        return [*trunk, (POLICY, self.policy), (VALUE, self.value)]

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read a file that `save` wrote. Raises ModelError with the first problem found."""
        path = Path(path)
        arrays = read_arrays(path, lambda name: USED.fullmatch(name) is not None)
        layers = len({name.split(".")[1] for name in arrays if name.startswith(f"{TRUNK}.")})
        try:
            network = cls(
                arrays[COLUMNS],
                [_layer(arrays, f"{TRUNK}.{i}") for i in range(layers)],
                _layer(arrays, POLICY),
                _layer(arrays, VALUE),
                parse_record(str(arrays[RECORD])),
            )
        except KeyError as missing:
            raise ModelError(f"{path}: not a network: the array {missing} is missing") from None
        except ValueError as error:
            raise ModelError(f"{path}: {error}") from None
        network._check(path)
        return network

    def _check(self, path: Path) -> None:
        """Check that every array is finite and has the type and shape that its input requires."""
        if self.columns.dtype != np.int32 or self.columns.ndim != 1:
            raise ModelError(f"{path}: columns: must be int32 (k,), not {_form(self.columns)}")
        width = trunk_width = len(self.columns)
        for name, layer in self._layers():
            inputs = width if name.startswith(TRUNK) else trunk_width
            outputs = 1 if name == VALUE else layer.bias.size
            for part, wanted in ((layer.weights, (inputs, outputs)), (layer.bias, (outputs,))):
                if part.dtype != np.float32 or part.shape != wanted:
                    raise ModelError(f"{path}: {name}: must be float32 {wanted}, not {_form(part)}")
                if not np.isfinite(part).all():
                    raise ModelError(f"{path}: {name}: has values that are not finite")
            if name.startswith(TRUNK):
                width = trunk_width = outputs


def _layer(arrays: Mapping[str, NDArray[Any]], name: str) -> Layer:
    return Layer(arrays[f"{name}.{WEIGHTS}"], arrays[f"{name}.{BIAS}"])


def _form(array: NDArray[Any]) -> str:
    return f"{array.dtype} {array.shape}"


def check_ruleset(
    record: Mapping[str, Any], fingerprint: str, *, path: Path, force: bool = False
) -> None:
    """Refuse a model trained on another scenario than `fingerprint`; with `force` only warn.

    A model trained on a mix of scenarios records the `fingerprints` of all of them.
    """
    if fingerprint in (record["fingerprint"], *record.get("fingerprints", ())):
        return
    played = record.get("env_kwargs", {})
    message = (
        f"{path}: trained on another ruleset (scenario {played.get('scenario')}, Heroes "
        f"{played.get('heroes')}, fingerprint {record['fingerprint']}; here {fingerprint})"
    )
    if not force:
        raise ModelError(message + ". Use --force to load it anyway, or train it again")
    warnings.warn(message, stacklevel=3)
