"""Every generator of hostile input: a function that turns a `random.Random` into an `Attack`.

Add a generator here and `python -m tests.hostile` and the test run it. The share says how often it
is drawn: 1 for what answers in milliseconds, less for what takes seconds.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from random import Random

from .runner import Attack

Generator = Callable[[Random], Attack]

KINDS: dict[str, tuple[str, float]] = {  # kind: ("module:function", share)
    "pack_core": ("tests.hostile.packs:core", 1.0),
    "pack_hex": ("tests.hostile.packs:hexes", 0.7),
    "change": ("tests.hostile.texts:change", 1.0),
    "study_file": ("tests.hostile.texts:study", 0.4),
    "case": ("tests.hostile.texts:case", 1.0),
    "board": ("tests.hostile.texts:board", 0.7),
    "odds": ("tests.hostile.texts:odds", 0.7),
    "command_line": ("tests.hostile.texts:command_line", 1.0),
    "network": ("tests.hostile.models:network", 1.0),
    "model_beside": ("tests.hostile.models:beside", 0.3),
    "configuration": ("tests.hostile.models:configuration", 1.0),
    "review": ("tests.hostile.games:review", 0.4),
    "row": ("tests.hostile.games:row", 0.3),
    "begun_simulation": ("tests.hostile.stored:begun_simulation", 0.05),
    "finished_simulation": ("tests.hostile.stored:finished_simulation", 0.05),
    "study": ("tests.hostile.stored:study", 0.1),
    "league": ("tests.hostile.stored:league", 0.05),
}


def generator(kind: str) -> Generator:
    """The generator of a kind."""
    module, _, name = KINDS[kind][0].partition(":")
    found: Generator = getattr(importlib.import_module(module), name)
    return found


def attack(kind: str, seed: int, number: int) -> Attack:
    """Attack `number` of a kind: the same for the same seed, whatever else is run."""
    return generator(kind)(Random(f"{kind} {seed} {number}"))
