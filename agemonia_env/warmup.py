"""Compile the core ahead of time, and manage the cache folders."""

from __future__ import annotations

import gc
import hashlib
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from agemonia_env.core.env_slots import Autoreset
from agemonia_env.core.jit import (
    CACHE_ROOT,
    COMPILED,
    NOT_KEPT,
    cache_folder,
    compiling_reported_to,
    is_present,
    zeros,
)
from agemonia_env.envs.batch import Batch, MixEntry
from agemonia_env.policies.named import PLANNER, is_planner
from agemonia_env.policies.planner import Planner
from agemonia_env.rulesets.doors import DEFAULT, RULESETS
from agemonia_env.rulesets.identity import identity_of
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of
from agemonia_env.simulation.games import start_games

KEPT_DAYS = 14
COLD = "Compiling the rules for this machine. This happens once and takes 1 to 2 minutes ..."

Report = Callable[[str], None]


# ---- when a command starts ------------------------------------------------------------------
def compile_if_cold(report: Report, env: str = DEFAULT, *policies: str | None) -> None:
    """Compile what an environment needs, unless it is cached on disk.

    policies: names of the policies; the planner is compiled only if it is among them. Calls
    `report(line)` with progress. Raises ValueError for an unknown environment.
    """
    if not is_ready(env):
        report(COLD)
        seconds = warm_up(env, report=report)
        ending = "" if NOT_KEPT else "; later runs start at once"
        report(f"Compiled in {seconds:.0f} s{ending}.")
    if any(map(is_planner, policies)) and not is_ready(env, PLANNER):
        report("Compiling the planner. This happens once and takes about a minute ...")
        warm_up(env, PLANNER, report)


def warm_up(env: str = DEFAULT, part: str = "play", report: Report | None = None) -> float:
    """Compile (or load) every entry point of one of PARTS -> seconds it took.

    Calls `report(line)` with the name and time of each entry compiled.
    """

    def report_entry(name: str, seconds: float | None) -> None:
        if report is not None and seconds is not None:
            report(f"  {name:<36} {seconds:6.1f} s")

    start = time.perf_counter()
    gc.disable()  # collecting rescans millions of live objects: 79 s without this, 65 with it
    try:
        with compiling_reported_to(report_entry):
            PARTS[part](ruleset_of(env))
            if COMPILED and part == "play":  # as plain Python the games take minutes
                identity_of(env)
    finally:
        gc.enable()
    if COMPILED:
        _note_ready(ready_mark(env, part))
    return time.perf_counter() - start


def _note_ready(mark: Path) -> None:
    """Write a ready mark, unless something compiled could not be cached."""
    if not NOT_KEPT:
        with suppress(OSError):
            mark.touch()


def warm_up_all(report: Report, envs: Iterable[str] = RULESETS) -> float:
    """Compile (or load) every entry point that any command uses -> seconds."""
    return sum(warm_up(env, part, report) for env in envs for part in PARTS)


# ---- the parts: each calls its entry points with minimal work ----------------------------------
def _call_play(rules: Ruleset) -> None:
    """Entry points of play, training and simulation."""
    api, arguments = rules.api, rules.check_arguments()
    content = arguments.compile().content
    states, which = zeros(rules.STATE, 2), np.zeros(2, np.int16)
    seeds, select = np.arange(2, dtype=np.uint64), np.ones(2, np.uint8)
    api.reset(states, content, which, seeds, select, 1, api.NO_ROWS)
    actions = np.zeros(2, np.int64)
    policy = rules.POLICIES["random"]
    api.choose_actions(states, content, which, int(policy), actions)
    api.step(states, content, which, actions, 1, api.NO_ROWS, np.zeros(2, np.int16))
    api.write_masks(states, content, which, np.zeros((2, rules.N_ACTIONS), np.uint8))
    observations = np.zeros((2, rules.N_OBSERVATION), np.float32)
    api.write_observations(states, content, which, observations)
    api.write_denials(states, content, which, 0, np.zeros(rules.N_ACTIONS, np.int16))
    api.status(states, content, which, np.zeros(2, np.int64))
    api.rollout(states, content, which, int(policy), 1, 10, np.zeros(0, np.int64))
    api.set_chance(states, content, which, 0, np.uint64(0))
    api.write_sides(states, np.zeros(2, np.uint8))
    api.draw_random(states, np.zeros(2, np.float64))
    batch = Batch(rules, 2, [MixEntry(arguments)], Autoreset.SAME_STEP)
    batch.reset(np.ones(2, np.bool_), [0, 1])
    batch.step(batch.masks.argmax(axis=1))


def _call_planner(rules: Ruleset) -> None:
    """Plan one decision."""
    arguments = rules.check_arguments(ties="auto")
    content, which = arguments.compile().content, np.zeros(1, np.int16)
    seeds, control = np.zeros(1, np.uint64), arguments.control()
    states = start_games(rules, content, which, seeds, control=control)
    Planner(rules, 1).choose(states, content, which)


def _call_tools(rules: Ruleset) -> None:
    """Entry points of rule cases, traces, coverage and the ruleset's tools."""
    RULESETS[rules.env_id].open("call_tools")()


def _call_training(rules: Ruleset) -> None:
    """Features of actions, and the entry points of the trainers, if they are installed."""
    from agemonia_env.policies.trainers import import_trainer

    batch = Batch(rules, 1, [MixEntry(rules.check_arguments())], Autoreset.SAME_STEP)
    batch.reset(np.ones(1, np.bool_), [0])
    batch.action_features()
    try:
        entries = import_trainer("warm")
    except ValueError:  # not installed
        return
    entries.call_entries()


PARTS: dict[str, Callable[[Ruleset], None]] = {
    "play": _call_play,
    PLANNER: _call_planner,
    "tools": _call_tools,
    "training": _call_training,
}


# ---- the cache ------------------------------------------------------------------------------
def is_ready(env: str = DEFAULT, *parts: str) -> bool:
    """Whether these parts ("play" if none) are compiled and cached for this checkout."""
    return not COMPILED or all(ready_mark(env, part).is_file() for part in parts or ("play",))


def ready_mark(env: str = DEFAULT, part: str = "play") -> Path:
    """The file that marks a part as compiled, by checkout: numba caches by source path and time."""
    api = ruleset_of(env).api
    source = Path(api.__file__)
    place = f"{part} {source} {source.stat().st_mtime_ns}"
    return cache_folder(api.__name__) / f"ready-{hashlib.sha256(place.encode()).hexdigest()[:16]}"


def old_caches() -> list[Path]:
    """Cache folders of other sources or versions, unchanged for KEPT_DAYS.

    Another checkout may still use a newer one.
    """
    if not CACHE_ROOT.is_dir():
        return []
    since = time.time() - KEPT_DAYS * 86_400
    others = [path for path in CACHE_ROOT.iterdir() if path.is_dir() and not is_present(path)]
    return [path for path in others if path.stat().st_mtime < since]


def delete_old_caches() -> int:
    """Delete the old caches -> bytes freed."""
    freed = 0
    for folder in old_caches():
        freed += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        shutil.rmtree(folder, ignore_errors=True)
    return freed


def cache_state(env: str = DEFAULT) -> str:
    """One phrase: whether the compiled core is cached, and where."""
    if not COMPILED:
        return "not used: the rules run as plain Python (NUMBA_DISABLE_JIT is set)"
    missing = [part for part in PARTS if not is_ready(env, part)]
    state = "warm" if not missing else "cold" if "play" in missing else "warm for play"
    return f"{state}, {ready_mark(env).parent}"
