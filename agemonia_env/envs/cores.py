"""How many cores there are to play on."""

from __future__ import annotations

import os


def available_cores() -> int:
    """The cores that this process may use, which `taskset` or a container can limit.

    More threads than these wait for each other within a step, which makes it several times as slow.
    """
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
