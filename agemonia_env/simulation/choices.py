"""The optional arguments of `simulate` and their types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from agemonia_env.rulesets.policy import Policy


class GameChoices(TypedDict, total=False):
    """Which games are played: optional arguments of `simulate`, leagues and studies."""

    env: str
    pack: str | Path | None
    level: int | Sequence[int | None] | None
    difficulty: str | Sequence[str] | None
    scenario_seed: int | str | Sequence[int] | None
    generator: str | Mapping[str, Any] | None
    ties: str
    max_decisions: int | None


class SimulationChoices(GameChoices, total=False):
    """Optional arguments of `simulate`; plan.make_plan has the defaults."""

    enemy_will: str | None
    enemy_policy: str | Policy | None
    chunk: int | None
