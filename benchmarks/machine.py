"""Describes the machine, and pins the process to one core."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import agemonia_env


def cpu_name() -> str:
    """The name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def describe() -> dict[str, str]:
    """Machine and versions, as text."""
    return {
        "cpu": cpu_name(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "agemonia_env": agemonia_env.__version__,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "numpy", "gymnasium")},
    }


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Pin this process and its children to one core, if the system can."""
    if not hasattr(os, "sched_setaffinity"):  # macOS, Windows
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
