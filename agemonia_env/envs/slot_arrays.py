"""The arrays of env slots: the named arguments of the core, for one game or many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agemonia_env.core.env_slots import EPISODE, SLOT, Autoreset, Illegal
from agemonia_env.core.fitted import WHOLE
from agemonia_env.core.jit import zeros
from agemonia_env.core.work_stealing import SINGLE_SLOT
from agemonia_env.rulesets.arguments import ILLEGAL, OBSERVATION_BOUND, Arguments
from agemonia_env.rulesets.fits import Fit
from agemonia_env.rulesets.ruleset import Ruleset

FLOAT32, INT8 = np.dtype(np.float32), np.dtype(np.int8)  # observation dtypes
SIDES = ("hero", "enemy")  # as the core numbers them


class SlotArrays(NamedTuple):
    """The arguments of `api.play_slots` (see there), in order, for n slots."""

    states: NDArray[Any]  # STATE (n,)
    raw: NDArray[np.uint8]  # their bytes, (n, STATE.itemsize)
    contents: NDArray[Any]  # CONTENT (k,)
    slots: NDArray[Any]  # SLOT (n,)
    commands: NDArray[np.uint8]  # Command (n,)
    actions: NDArray[np.int64]  # (n,)
    episode: NDArray[Any]  # EPISODE (1,)
    rows: NDArray[np.int16]  # event log of slot 0; empty = off
    blocks: NDArray[np.int64]  # slots by thread: core/work_stealing.py
    thread: int
    drawing: NDArray[Any]  # what scenarios are drawn from
    masks: NDArray[np.uint8]  # (n, N_ACTIONS)
    legal: NDArray[np.int64]  # (n, N_WORDS)
    cached: NDArray[np.int16]  # (n, N_CACHED)
    obs_int8: NDArray[np.int8]  # quantized observations, (n + finals, N_OBS_INT8)
    observations: NDArray[np.float32]  # (n + finals, N_OBSERVATION); empty = use obs_int8
    columns: NDArray[np.uint16]  # fit of the observations, see core/fitted.py; empty = full
    ranges: NDArray[np.int16]


def new_arrays(
    ruleset: Ruleset,
    n: int,
    contents: NDArray[Any],
    episode: NDArray[Any],
    rows: NDArray[np.int16],
    *,
    dtype: np.dtype[Any] = FLOAT32,
    finals: int = 0,
    fit: Fit | None = None,
    out: Mapping[str, Any] | None = None,
) -> SlotArrays:
    """Arrays of n slots in which no game has begun.

    dtype: FLOAT32 or INT8 observations; finals: extra rows for the last observations of games that
    have ended; out: some of the arrays, which the caller has allocated.
    """
    if fit is not None and fit.is_full:
        fit = None
    states, rows_seen = zeros(ruleset.STATE, n), n + finals
    n_float32 = rows_seen * (dtype == FLOAT32)
    n_int8 = rows_seen - n_float32 if fit else rows_seen  # full float32 rows are compared as int8
    width, width_int8 = width_of(ruleset, fit), len(fit.columns) if fit else ruleset.N_OBS_INT8
    columns, ranges = fit.for_core() if fit else WHOLE
    arrays = SlotArrays(
        states=states,
        raw=states.view(np.uint8).reshape(n, ruleset.STATE.itemsize),
        contents=contents,
        slots=zeros(SLOT, n),
        commands=np.zeros(n, np.uint8),
        actions=np.zeros(n, np.int64),
        episode=episode,
        rows=rows,
        blocks=SINGLE_SLOT,
        thread=0,
        drawing=ruleset.api.CORE.generator.NO_DRAWING,
        masks=np.zeros((n, ruleset.N_ACTIONS), np.uint8),
        legal=np.zeros((n, ruleset.N_WORDS), np.int64),
        cached=np.zeros((n, ruleset.N_CACHED), np.int16),
        obs_int8=np.zeros((n_int8, width_int8), INT8),
        observations=np.zeros((n_float32, width), FLOAT32),
        columns=columns,
        ranges=ranges,
    )
    return arrays._replace(**(out or {}))


def width_of(ruleset: Ruleset, fit: Fit | None) -> int:
    """Numbers of an observation."""
    return ruleset.N_OBSERVATION if fit is None else len(fit.columns)


def observation_space(width: int, dtype: np.dtype[Any] = FLOAT32) -> spaces.Box[Any]:
    """The space of an observation."""
    low, high = (-128, 127) if dtype == INT8 else (-OBSERVATION_BOUND, OBSERVATION_BOUND)
    return spaces.Box(low, high, (width,), dtype.type)


def new_episode(arguments: Arguments, autoreset: Autoreset, *, opposed: bool) -> NDArray[Any]:
    """Settings shared by all slots, EPISODE (1,); opposed: an external opponent plays."""
    episode = zeros(EPISODE)
    record = episode[0]
    record["gamma"] = arguments.gamma
    record["control"] = arguments.control()
    record["max_decisions"] = arguments.max_decisions
    record["won"], record["lost"], record["weight"] = 1.0, -1.0, 1.0
    record["autoreset"] = autoreset
    record["illegal"] = Illegal(ILLEGAL.index(arguments.illegal))
    record["sign"] = arguments.sign
    record["opponent"] = 1 - SIDES.index(arguments.side) if opposed else -1
    record["shaped"] = arguments.reward == "shaped"
    return episode
