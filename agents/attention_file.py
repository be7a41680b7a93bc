"""Loads attention policies and plays them.

A model is a file of tensors (tensor_file.py), with a JSON record of what it was trained on beside
it; its configuration describes the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray

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
from .tensor_file import POLICY, check_shapes, part, read_tensors, take_weights

ALGORITHM = "attention"  # in a model's record
READS = (*ALWAYS_READ, SCENARIO)


def read_network(path: Path, record: Mapping[str, Any]) -> AttentionPolicy:
    """The network of a model. Raises ModelError, saying what is wrong."""
    weights = part(read_tensors(path), POLICY)
    try:
        settings = Tokens.model_validate(record["config"].get("tokens"), strict=True).model_dump()
        with th.device("meta"):
            planned = AttentionPolicy(**settings)
    except (KeyError, ValueError):
        beside = path.with_suffix(".json")
        raise ModelError(f"{beside}: config.tokens: describe no attention policy") from None
    check_shapes(planned, weights, path)  # before it takes memory
    network = AttentionPolicy(**settings)
    take_weights(network, weights, path)
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
    record = read_record(path)
    check_model(record, ruleset, path, force=force, reads=READS)
    network = read_network(path, record)
    if fingerprint is not None:
        check_ruleset(record, fingerprint, path=path, force=force)

    def logits(rows: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
        with th.no_grad():
            found: NDArray[np.float32] = network(th.from_numpy(rows))[0].numpy()
        return found

    return TokenPolicy(ruleset, name, logits, record, likeliest)
