"""Estimates how many games fit into memory, before any is allocated."""

from __future__ import annotations

import os
import sys
from typing import Any

from agemonia_env.rulesets.ruleset import Ruleset

from .config import Config, ConfigError

COLUMNS_KEPT = 5  # at least one in this many columns of an observation is stored
NUMBERS_KEPT = 40  # bytes per decision: action, probability, value, reward, advantage


def check_memory(config: Config, rules: Ruleset) -> None:
    """Raise ConfigError if the games cannot fit; it says how many would.

    The estimate is low, so anything that fits passes. Somewhat too many games end in a MemoryError,
    which the trainers report.
    """
    available = memory()
    needed = bytes_of(config, rules)
    fits = available // needed
    if config.n_envs > fits:
        gigabytes = config.n_envs * needed / 2**30
        raise ConfigError(
            f"n_envs: {config.n_envs:,} games of {config.n_steps:,} steps take "
            f"{gigabytes:,.0f} GiB or more, of {available / 2**30:,.0f} GiB here: "
            f"at most {fits:,} fit; fewer n_steps take less"
        )


def bytes_of(config: Config, rules: Ruleset) -> int:
    """Minimum bytes per game: its states and observation, and its part of a rollout."""
    decision = rules.N_ACTIONS + rules.N_OBSERVATION // COLUMNS_KEPT + NUMBERS_KEPT
    return 2 * rules.STATE.itemsize + rules.N_OBSERVATION + config.n_steps * decision


def memory() -> int:
    """Bytes that this process may use: the machine's memory, or a lower limit."""
    limits: list[int] = []
    try:
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        limits.append(_address_space())
    except (AttributeError, ImportError, OSError, ValueError):
        pass  # not available on every system
    return min((limit for limit in limits if limit > 0), default=sys.maxsize)


def _address_space() -> int:
    """The limit of `ulimit -v`; -1 if there is none."""
    import resource

    soft: Any = resource.getrlimit(resource.RLIMIT_AS)[0]
    return -1 if soft == resource.RLIM_INFINITY else int(soft)
