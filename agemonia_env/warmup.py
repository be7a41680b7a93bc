"""Compile the core ahead of time, and manage the cache folders."""

from __future__ import annotations

import gc
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from agemonia_env.core import env_slots
from agemonia_env.core.env_slots import Autoreset
from agemonia_env.core.jit import (
    CACHE_ROOT,
    COMPILED,
    NOT_KEPT,
    cache_folder,
    compile_typed,
    compiling_reported_to,
    is_present,
)
from agemonia_env.envs.batch import Batch, MixEntry
from agemonia_env.rulesets.doors import DEFAULT, RULESETS
from agemonia_env.rulesets.identity import identity_of
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

KEPT_DAYS = 14
COLD = "Compiling the rules for this machine. This happens once and takes 1 to 2 minutes ..."

Report = Callable[[str], None]


# ---- when a command starts ------------------------------------------------------------------
def compile_if_cold(report: Report, env: str = DEFAULT, *parts: str) -> None:
    """Compile these parts for an environment ("play" if none), unless they are cached on disk.

    Calls `report(line)` with progress. Raises ValueError for an unknown environment.
    """
    if is_ready(env, *parts):
        return
    report(COLD)
    seconds = sum(warm_up(env, part, report) for part in parts or ("play",))
    ending = "" if NOT_KEPT else "; later runs start at once"
    report(f"Compiled in {seconds:.0f} s{ending}.")


def warm_up(env: str = DEFAULT, part: str = "play", report: Report | None = None) -> float:
    """Compile (or load) every entry point of one of PARTS -> seconds it took.

    Calls `report(line)` with the name and time of what is compiled.
    """

    def report_entry(name: str, seconds: float | None) -> None:
        if report is not None and seconds is not None:
            report(f"  {name:<44} {seconds:6.1f} s")

    start = time.perf_counter()
    gc.disable()  # collecting rescans millions of live objects: 79 s without this, 65 with it
    try:
        with compiling_reported_to(report_entry):
            is_whole = PARTS[part](ruleset_of(env))
    finally:
        gc.enable()
    if is_whole and COMPILED and not NOT_KEPT:
        with suppress(OSError):
            ready_mark(env, part).touch()
    return time.perf_counter() - start


def warm_up_all(report: Report, envs: Iterable[str] = RULESETS) -> float:
    """Compile (or load) every entry point that any command uses -> seconds."""
    return sum(warm_up(env, part, report) for env in envs for part in PARTS)


def _call_play(rules: Ruleset) -> bool:
    """Every entry of the ruleset, and of the vector environment."""
    for module in (env_slots.__name__, rules.api.__name__):
        compile_typed(module)
    batch = Batch(rules, 1, [MixEntry(rules.check_arguments())], Autoreset.SAME_STEP)
    batch.reset(np.ones(1, np.bool_), [0])
    batch.step(batch.masks.argmax(axis=1))
    if COMPILED:  # as plain Python the games take minutes
        identity_of(rules.env_id)
    return True


def _call_training(rules: Ruleset) -> bool:
    """The entry points of the trainers -> whether these are installed."""
    from agemonia_env.policies.trainers import import_trainer

    try:
        entries = import_trainer("warm")
    except ValueError:  # not installed
        return False
    entries.call_entries()
    return True


PARTS: dict[str, Callable[[Ruleset], bool]] = {"play": _call_play, "training": _call_training}


# ---- the cache ------------------------------------------------------------------------------
def is_ready(env: str = DEFAULT, *parts: str) -> bool:
    """Whether these parts ("play" if none) are compiled and cached for these sources."""
    return not COMPILED or all(ready_mark(env, part).is_file() for part in parts or ("play",))


def ready_mark(env: str = DEFAULT, part: str = "play") -> Path:
    """The file that marks a part as compiled, in the folder of the sources' content."""
    return cache_folder(ruleset_of(env).api.__name__) / f"ready-{part}"


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
