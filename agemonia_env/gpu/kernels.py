"""The functions of a ruleset that a GPU runs, and their arguments: what ptx.py compiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agemonia_env.core import pcg64
from agemonia_env.core.env_slots import EPISODE, SLOT
from agemonia_env.core.event_log import N_COLUMNS
from agemonia_env.rulesets.ruleset import Ruleset


@dataclass(frozen=True)
class Array:
    """An array argument: its dtype, and the lengths of its dimensions after the first."""

    dtype: Any
    row: tuple[int, ...] = ()


Tree = Array | None | tuple["Tree", ...]  # None: a whole number


def parameters(rules: Ruleset) -> dict[str, dict[str, Tree]]:
    """The arguments of core.gpu_slots.gpu_entries after (i, t), by function and name."""
    raw, words = rules.STATE.itemsize, rules.N_WORDS
    states, contents = Array(rules.STATE), Array(rules.CONTENT)
    rows, legal = Array(np.int16, (N_COLUMNS,)), Array(np.int64, (words,))
    scratch: Tree = Array(rules.api.CORE.SCRATCH)
    games: Tree = (
        *(states, Array(np.uint8, (raw,)), contents, Array(SLOT), Array(np.int64)),
        *(Array(EPISODE), Array(np.uint64, (pcg64.N_WORDS,)), Array(np.float64)),
    )
    outputs: Tree = (
        *(Array(np.uint8, (rules.N_ACTIONS,)), legal, Array(np.int16, (rules.N_CACHED,))),
        *(Array(np.int8, (rules.N_OBS_INT8,)), Array(np.float32, (rules.N_OBSERVATION,))),
        *(Array(np.uint16), Array(np.int16, (2,))),
    )
    played: dict[str, Tree] = {"outputs": outputs, "rows": rows, "scratch": scratch}
    played["obs_scratch"] = Array(np.int8, (1, rules.N_OBS_INT8))
    return {
        "play": {"games": games, "commands": Array(np.uint8), **played},
        "write": {
            **{"games": games, "commands": Array(np.uint8), "outputs": outputs},
            "obs_scratch": played["obs_scratch"],
        },
        "play_on": {"games": games, "policy": None, "steps": None, **played},
        "choose": {"games": games, "policy": None, "outputs": outputs, "scratch": scratch},
        "rollout": {
            **{"states": states, "contents": contents, "which": Array(np.int16)},
            **{"policy": None, "control": None, "limit": None, "totals": Array(np.int64)},
            **{"legal": legal, "rows": rows, "scratch": scratch},
        },
    }


def leaves(tree: Tree | Sequence[Tree]) -> Iterator[Array | None]:
    """Arrays and whole numbers of an argument, in order."""
    if isinstance(tree, Array) or tree is None:
        yield tree
    else:
        for part in tree:
            yield from leaves(part)


def kernel_name(function: str) -> str:
    """The kernel around a function."""
    return f"agemonia_{function}"
