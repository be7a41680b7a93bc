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
from agemonia_env.policies.learned import drawn
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
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        raise ModelError(f"{path}: cannot be read as an attention policy: {first_line}") from None


def read_network(path: Path) -> AttentionPolicy:
    """The network of a model. Raises ModelError with the one thing that is wrong."""
    parts = read_parts(path)
    network = AttentionPolicy(**parts[SETTINGS])
    network.load_state_dict(parts[NETWORK])
    return network.eval()


@dataclass(frozen=True)
class TokenPolicy:
    """Plays the actions of an attention policy: drawn by probability, or the likeliest."""

    ruleset: Ruleset
    name: str
    network: AttentionPolicy
    likeliest: bool = False
    batch: int = 256  # wide enough for matrix products

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        rules, n = self.ruleset, len(states)
        observations = np.empty((n, rules.N_OBSERVATION), np.float32)
        masks = np.empty((n, rules.N_ACTIONS), np.uint8)
        rules.api.write_observations(states, contents, which, observations)
        rules.api.write_masks(states, contents, which, masks)
        scenario = rules.structure.scenario_rows(contents)[which]
        rows = th.from_numpy(np.concatenate([observations, scenario], axis=1))
        with th.no_grad():
            logits = self.network(rows)[0].numpy()
        logits[masks == 0] = -np.inf
        if self.likeliest:
            return np.asarray(logits.argmax(axis=1), np.int64)
        luck = np.empty(n, np.float64)
        rules.api.draw_luck(states, luck)
        return drawn(logits, luck)


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
    if record.get("env_id") != ruleset.env_id:
        raise ModelError(
            f"{path}: a model of {record.get('env_id')}; here {ruleset.env_id} is played"
        )
    if fingerprint is not None:
        check_ruleset(record, fingerprint, path=path, force=force)
    return TokenPolicy(ruleset, name, network, likeliest)
