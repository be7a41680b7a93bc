"""Optional packages and the extras that install them."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

POLARS = "polars"
PACKAGES = {  # of each extra, by the names under which they are imported
    "simulation": (POLARS,),
    "league": (POLARS, "openskill", "matplotlib"),
    "balance": (POLARS, "jinja2", "matplotlib", "optuna", "SALib", "scipy"),
    "cluster": ("ray",),
}
WORKER = re.compile(r"polars-\d+\n")  # the name of a thread of its pool, on Linux


class MissingExtra(ImportError):  # noqa: N818 (the name says what is wrong)
    """An optional package is not installed; the message names the extra."""


def required(extra: str) -> None:
    """Raise MissingExtra if a package of an extra is not installed; imports none of them.

    Raises RuntimeError for polars in a process that was forked while polars had threads: they are
    missing there, and it would wait for them for ever.
    """
    for package in PACKAGES[extra]:
        if find_spec(package) is None:
            command = f"pip install 'agemonia-env[{extra}]'"
            raise MissingExtra(f"{package} is not installed: {command}")
    if POLARS in PACKAGES[extra]:
        fork.check()


class Fork:
    """Whether this process was forked while polars had threads."""

    def __init__(self) -> None:
        self.used = self.had_threads = self.is_broken = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._look, after_in_child=self._note)

    def _look(self) -> None:
        names = []
        for path in Path("/proc/self/task").glob("*/comm"):
            with suppress(OSError):  # a thread has ended
                names.append(path.read_text())
        self.had_threads = any(map(WORKER.fullmatch, names)) if names else self.used

    def _note(self) -> None:
        self.is_broken |= self.had_threads

    def check(self) -> None:
        """Polars is about to be used. Raises RuntimeError if it cannot be."""
        self.used = True
        if self.is_broken:
            raise RuntimeError(
                "this process was forked after polars had started threads, without which it waits "
                'for ever; start processes by multiprocessing.get_context("spawn") or "forkserver"'
            )


fork = Fork()
