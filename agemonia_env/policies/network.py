"""A trained network in one file, played with numpy alone: without torch, and without pickle."""

from __future__ import annotations

import io
import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.files.documents import in_bytes
from agemonia_env.files.writing import write_whole

from .archives import read_arrays
from .model_record import MOST_BYTES, MOST_UNITS, ModelError, parse_record

SUFFIX = ".npz"
COLUMNS, TRUNK, POLICY, VALUE, RECORD = "columns", "trunk", "policy", "value", "record"
SCORER, GROUP, SLOTS = "scorer", "group", "slots"
WEIGHTS, BIAS = "weights", "bias"
USED = re.compile(  # arrays
    r"columns|record|((trunk|scorer|group)\.\d{1,3}|policy|value)\.(weights|bias)"
    r"|group\.\d{1,3}\.slots"
)
FORMS = {  # type and dimensions of an array, by the last part of its name
    COLUMNS: (np.int32, 1),
    RECORD: (np.str_, 0),
    WEIGHTS: (np.float32, 2),
    BIAS: (np.float32, 1),
    SLOTS: (np.integer, 0),
}

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
class Group:
    """A layer that reads each of several figures, followed by ReLU; the sum is passed on.

    So figures weigh the same in any slot (deep sets: M. Zaheer et al., 2017, arXiv:1703.06114).
    """

    slots: int
    layer: Layer

    @property
    def size(self) -> int:
        """Columns that it reads."""
        return self.slots * len(self.layer.weights)

    def __call__(self, rows: Floats) -> Floats:
        """Rows (n, size), slot after slot -> (n, outputs)."""
        hidden = self.layer(rows.reshape(len(rows), self.slots, -1))
        total: Floats = np.maximum(hidden, 0).sum(axis=1)
        return total


@dataclass(frozen=True)
class Network:
    """Policy and value heads on one trunk, which reads some columns of the observation.

    columns: int32 (k,), of the observation; trunk: layers, each followed by tanh; policy: the
    layer that outputs logits; value: the layer that outputs the expected return; record: what it
    was trained on (env_id, fingerprint, env_kwargs, config, steps, minutes, versions, commit),
    JSON-able.

    scorer: layers that turn the features of one legal action into its logit, with ReLU between
    them; the policy layer's output for the position is added to that of the first. The value layer
    then reads the trunk's last row and after it the mean of the scorer's last hidden rows. Empty:
    the policy layer outputs the logits of all actions.

    groups: read the last columns, one group after the other; what they pass on comes after the
    other columns in the trunk's first layer.
    """

    columns: NDArray[np.int32]
    trunk: Sequence[Layer]
    policy: Layer
    value: Layer
    record: Mapping[str, Any] = field(default_factory=dict)
    scorer: Sequence[Layer] = ()
    groups: Sequence[Group] = ()

    @property
    def n_own(self) -> int:
        """Columns that the trunk reads itself; those of the groups follow."""
        return len(self.columns) - sum(group.size for group in self.groups)

    def read(self, observations: Floats) -> Floats:
        """The trunk's last rows for observations, float32 (n, N_OBSERVATION)."""
        rows, at = observations[:, self.columns], self.n_own
        parts = [rows[:, :at]]
        for group in self.groups:
            parts.append(group(rows[:, at : at + group.size]))
            at += group.size
        rows = np.concatenate(parts, axis=1)
        for layer in self.trunk:
            rows = np.tanh(layer(rows))
        return rows

    def evaluate(
        self, observations: Floats, masks: Masks, features: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Logits of all actions, float32 (n, N_ACTIONS), and values (n,).

        observations: float32 (n, N_OBSERVATION); masks: (n, N_ACTIONS); features: of the legal
        actions, in the order of masks.nonzero(), if there is a scorer. Logits of illegal actions
        are any numbers.
        """
        rows = self.read(observations)
        outputs = self.policy(rows)
        if not self.scorer:
            return outputs, self.value(rows)[:, 0]
        if features is None:
            raise ValueError("features: this network scores actions by their features")
        first, *others, last = self.scorer
        games, actions = masks.nonzero()
        hidden = np.maximum(first(features) + outputs[games], 0)
        for layer in others:
            hidden = np.maximum(layer(hidden), 0)
        logits = np.zeros(masks.shape, np.float32)
        logits[games, actions] = last(hidden)[:, 0]
        counts = np.count_nonzero(masks, axis=1)
        pooled = np.add.reduceat(hidden, counts.cumsum() - counts) / counts[:, None]
        return logits, self.value(np.concatenate([rows, pooled], axis=1, dtype=np.float32))[:, 0]

    def logits(self, observations: Floats, masks: Masks, features: Floats | None = None) -> Floats:
        """The logits of `evaluate`."""
        return self.evaluate(observations, masks, features)[0]

    # ---- on disk ----------------------------------------------------------------------------
    def save(self, path: str | Path) -> None:
        """Write the file atomically. Raises OSError that names it."""
        arrays: dict[str, NDArray[Any]] = {COLUMNS: self.columns}
        for name, layer, *_ in self._shapes():
            arrays |= {f"{name}.{WEIGHTS}": layer.weights, f"{name}.{BIAS}": layer.bias}
        arrays |= {f"{GROUP}.{k}.{SLOTS}": np.array(g.slots) for k, g in enumerate(self.groups)}
        arrays[RECORD] = np.array(json.dumps(dict(self.record)))
        content = io.BytesIO()
        np.savez(content, **arrays)  # type: ignore[arg-type]
        write_whole(Path(path), content.getvalue())

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read a file that `save` wrote. Raises ModelError with the first problem found."""
        path = Path(path)
        arrays = read_arrays(path, lambda name: USED.fullmatch(name) is not None)
        for name, array in arrays.items():
            _check_form(path, name, array)

        def layers(part: str) -> list[Layer]:
            count = len({name.split(".")[1] for name in arrays if name.startswith(f"{part}.")})
            return [_layer(arrays, f"{part}.{i}") for i in range(count)]

        try:
            network = cls(
                arrays[COLUMNS],
                layers(TRUNK),
                _layer(arrays, POLICY),
                _layer(arrays, VALUE),
                parse_record(str(arrays[RECORD])),
                layers(SCORER),
                [
                    Group(int(arrays[f"{GROUP}.{k}.{SLOTS}"]), layer)
                    for k, layer in enumerate(layers(GROUP))
                ],
            )
        except KeyError as missing:
            raise ModelError(f"{path}: not a network: the array {missing} is missing") from None
        except ValueError as error:
            raise ModelError(f"{path}: {error}") from None
        network._check(path)
        return network

    def _check(self, path: Path) -> None:
        """Check that every layer is finite and has the shapes that its input requires."""
        for k, group in enumerate(self.groups):
            if not 1 <= group.slots <= MOST_UNITS // group.layer.bias.size:
                raise ModelError(
                    f"{path}: {GROUP}.{k}.{SLOTS}: must be 1 or more, and at most {MOST_UNITS:,} "
                    f"with the outputs of all slots, not {group.slots}"
                )
        if self.n_own < 0:
            read, there = len(self.columns) - self.n_own, len(self.columns)
            raise ModelError(f"{path}: groups: read {read} columns, but there are {there}")
        if len(self.scorer) == 1:
            raise ModelError(f"{path}: scorer: must have two layers or more")
        for name, layer, inputs, outputs in self._shapes():
            for part, wanted in ((layer.weights, (inputs, outputs)), (layer.bias, (outputs,))):
                if part.shape != wanted:
                    raise ModelError(f"{path}: {name}: must be float32 {wanted}, not {_form(part)}")
                if not np.isfinite(part).all():
                    raise ModelError(f"{path}: {name}: has values that are not finite")

    def _shapes(self) -> Iterator[tuple[str, Layer, int, int]]:
        """Every layer with its name and the inputs and outputs that it must have."""
        width = self.n_own
        for k, group in enumerate(self.groups):
            yield f"{GROUP}.{k}", group.layer, len(group.layer.weights), group.layer.bias.size
            width += group.layer.bias.size
        for k, layer in enumerate(self.trunk):
            yield f"{TRUNK}.{k}", layer, width, layer.bias.size
            width = layer.bias.size
        yield POLICY, self.policy, width, self.policy.bias.size
        trunk = width
        width = len(self.scorer[0].weights) if self.scorer else 0  # features of an action
        for k, layer in enumerate(self.scorer):
            is_last = k == len(self.scorer) - 1
            outputs = 1 if is_last else layer.bias.size
            yield f"{SCORER}.{k}", layer, width, self.policy.bias.size if k == 0 else outputs
            width = layer.bias.size
        pooled = len(self.scorer[-1].weights) if self.scorer else 0
        yield VALUE, self.value, trunk + pooled, 1


def _check_form(path: Path, name: str, array: NDArray[Any]) -> None:
    """Check type, dimensions and sizes of an array, which bounds the memory that play takes."""
    dtype, dimensions = FORMS[name.rpartition(".")[2]]
    if not (np.issubdtype(array.dtype, dtype) and array.dtype.isnative):
        raise ModelError(f"{path}: {name}: must be {dtype.__name__}, not {_form(array)}")
    if array.ndim != dimensions or not all(1 <= size <= MOST_UNITS for size in array.shape):
        wanted = f"{dimensions} dimensions" + f", each 1 to {MOST_UNITS:,}" * (dimensions > 0)
        raise ModelError(f"{path}: {name}: must have {wanted}, not {_form(array)}")
    if array.dtype.itemsize > 4 * MOST_BYTES:  # of text, four bytes a character
        raise ModelError(f"{path}: {name}: is larger than {in_bytes(MOST_BYTES)}")


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
