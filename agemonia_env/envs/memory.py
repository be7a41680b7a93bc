"""Checks that games fit into memory before any of it is allocated."""

from __future__ import annotations

import os
from pathlib import Path

GB = 2**30
CGROUP = Path("/sys/fs/cgroup")


def check_memory(games: int, bytes_per_game: int) -> None:
    """Raise ValueError if the games need more memory than is free."""
    free, needed = free_memory(), games * bytes_per_game
    if free is not None and needed > free:
        raise ValueError(
            f"num_envs={games}: {games:,} games take {needed / GB:,.0f} GB, and "
            f"{free / GB:,.1f} GB are free; at most {free // bytes_per_game:,} fit"
        )


def free_memory() -> int | None:
    """Bytes that this process can still allocate; None if the system does not say."""
    limits = [limit for limit in (_of_machine(), _of_container()) if limit is not None]
    return min(limits, default=None)


def _of_machine() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def _of_container() -> int | None:
    """The limit of a control group (version 2), if there is one."""
    try:
        limit = (CGROUP / "memory.max").read_text(encoding="ascii").strip()
        used = int((CGROUP / "memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return max(0, int(limit) - used) if limit.isdecimal() else None
