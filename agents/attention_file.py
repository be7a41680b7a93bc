"""Attention policies on disk, and as players of games.

A model is a .pt file of weights, which torch reads without running code of it, with a JSON record
of what it was trained on beside it (agents/model_file.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from agemonia_env.envs.ruleset import Ruleset
from agemonia_env.policies.learned import Learned
from agemonia_env.policies.named import check_model
from agemonia_env.policies.network import ModelError, check_ruleset
from agemonia_env.simulation.games import Records

from .attention import AttentionPolicy
from .model_file import read_record

SUFFIX = ".pt"
NETWORK, OPTIMISER, SETTINGS = "network", "optimiser", "settings"  # parts of a file


def read_parts(path: Path) -> dict[str, Any]:
    """The parts of a file, by name. Raises ModelError with the one thing that is wrong."""
    if not path.is_file():
        raise ModelError(f"{path}: no such model")
    try:
        parts = th.load(path, weights_only=True, map_location="cpu")
        return {name: parts[name] for name in (NETWORK, OPTIMISER, SETTINGS)}
    except Exception as error:  # torch and pickle each have their own
        told = type(error).__name__
        raise ModelError(f"{path}: cannot be read as an attention policy ({told})") from None


def read_network(path: Path) -> AttentionPolicy:
    """The network of a model. Raises ModelError with the one thing that is wrong."""
    parts = read_parts(path)
    network = AttentionPolicy(**parts[SETTINGS])
    network.load_state_dict(parts[NETWORK])
    return network.eval()


@dataclass(frozen=True)
class TokenPolicy(Learned):
    """Sees the scenario's numbers behind the observation."""

    batch: int = 256  # wide enough for matrix products

    def seen(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.float32]:
        """As Learned.seen, float32 (n, width of the structure)."""
        scenario = self.ruleset.structure.scenario_rows(contents)[which]
        observations = super().seen(states, contents, which)
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
    """The model `path` as a player. Raises ModelError with the one thing that is wrong.

    fingerprint: of the ruleset that it is about to meet; None asks nothing. force: only warn of
    another one.
    """
    network, record = read_network(path), read_record(path)
    check_model(record, ruleset, path)
    if fingerprint is not None:
        check_ruleset(record, fingerprint, path=path, force=force)

    def logits(rows: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
        with th.no_grad():
            found: NDArray[np.float32] = network(th.from_numpy(rows))[0].numpy()
        return found

    return TokenPolicy(ruleset, name, logits, record, likeliest)
