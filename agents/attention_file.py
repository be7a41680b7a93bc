"""Loads attention policies and plays them.

A model is a .pt file of weights, read without running its code (agents/torch_file.py), with a JSON
record of what it was trained on beside it (agents/model_file.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from pydantic import ValidationError

from agemonia_env.policies.archives import read_model
from agemonia_env.policies.learned import LearnedPolicy
from agemonia_env.policies.model_record import ModelError
from agemonia_env.policies.named import check_model
from agemonia_env.policies.network import check_ruleset
from agemonia_env.rulesets.identity import ALWAYS_READ, SCENARIO
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import Records

from .attention import AttentionPolicy
from .config import Tokens
from .model_file import read_record
from .torch_file import parse_torch, take_weights

SUFFIX = ".pt"
READS = (*ALWAYS_READ, SCENARIO)
NETWORK, OPTIMISER, SETTINGS = "network", "optimiser", "settings"  # parts of a file
NO_MODEL = "damaged, or not an attention policy"


def read_parts(path: Path) -> dict[str, Any]:
    """The parts of a model file, by name. Raises ModelError, saying what is wrong."""
    parts = parse_torch(read_model(path), path, NO_MODEL)
    if not isinstance(parts, dict) or not {NETWORK, OPTIMISER, SETTINGS} <= set(parts):
        raise ModelError(f"{path}: {NO_MODEL}")
    return parts


def read_network(path: Path) -> AttentionPolicy:
    """The network of a model. Raises ModelError, saying what is wrong."""
    parts = read_parts(path)
    try:
        settings = Tokens.model_validate(parts[SETTINGS], strict=True)
        network = AttentionPolicy(**settings.model_dump())
    except (ValidationError, ValueError):
        raise ModelError(f"{path}: {SETTINGS}: do not describe an attention policy") from None
    take_weights(network, parts[NETWORK], path)
    return network.eval()


@dataclass(frozen=True)
class TokenPolicy(LearnedPolicy):
    """A policy that reads the scenario arrays as well as the observation."""

    batch: int = 256  # wide enough for matrix products

    def observe(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.float32]:
        """Observation and scenario as one row, float32 (n, STRUCTURE.width)."""
        scenario = self.ruleset.structure.scenario_rows(contents)[which]
        observations = super().observe(states, contents, which)
        return np.concatenate([observations, scenario], axis=1)


def policy(
    ruleset: Ruleset,
    path: Path,
    *,
    name: str,
    likeliest: bool = False,
    fingerprint: str | None = None,
    force: bool = False,
) -> TokenPolicy:
    """The model `path` as a policy. Raises ModelError, saying what is wrong.

    fingerprint: of the ruleset that it will play; None to skip the check. force: only warn if it
    was made for another one.
    """
    if not path.exists():
        raise ModelError(f"{path}: no such model")
    record = read_record(path)
    check_model(record, ruleset, path, force=force, reads=READS)
    network = read_network(path)
    if fingerprint is not None:
        check_ruleset(record, fingerprint, path=path, force=force)

    def logits(rows: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
        with th.no_grad():
            found: NDArray[np.float32] = network(th.from_numpy(rows))[0].numpy()
        return found

    return TokenPolicy(ruleset, name, logits, record, likeliest)
