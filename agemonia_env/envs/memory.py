"""How many games fit into memory, asked before any of it is taken."""

from __future__ import annotations

import os
from pathlib import Path

GB = 2**30
CGROUP = Path("/sys/fs/cgroup")


def check_memory(games: int, each: int) -> None:
    """Raise ValueError if so many games of so many bytes take more memory than is free."""
    free = free_memory()
    if free is not None and games * each > free:
        needed = f"{games:,} games take {games * each / GB:,.0f} GB"
        told = f"{needed}, and {free / GB:,.1f} GB are free; at most {free // each:,} fit"
        raise ValueError(f"num_envs={games}: {told}")


def free_memory() -> int | None:
    """Bytes that this process may still take; None where the system does not say."""
    found = [limit for limit in (_of_machine(), _of_container()) if limit is not None]
    return min(found) if found else None


def _of_machine() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def _of_container() -> int | None:
    """Of a control group, version 2, if one limits this process."""
    try:
        limit = (CGROUP / "memory.max").read_text(encoding="ascii").strip()
        used = int((CGROUP / "memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return max(0, int(limit) - used) if limit.isdecimal() else None
