"""The optional arguments of `simulate` and their types."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict


class Choices(TypedDict, total=False):
    """Optional arguments of `simulate`; plan.make_plan has the defaults."""

    env: str
    pack: str | Path | None
    level: int | Sequence[int | None] | None
    difficulty: str | Sequence[str] | None
    scenario_seed: int | str | Sequence[int] | None
    enemy_will: str | None
    enemy_policy: str | None
    ties: str
    max_decisions: int | None
    chunk: int | None
