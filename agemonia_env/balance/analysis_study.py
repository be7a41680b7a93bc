"""What an analysis plays: every condition, and again without each part and with other heroes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any

from pydantic import Field

from agemonia_env.packs.folders import Mistakes
from agemonia_env.rulesets.arguments import RANDOM
from agemonia_env.rulesets.pack_tools import Part, usage_tools_of
from agemonia_env.simulation.plan import Plan

from .game_cache import n_games
from .study_config import FEWEST_GAMES, Study, StudyConfig, plans_of
from .usage import watched_plan

GAMES = 2_000  # default, per condition and variant
FEWEST_HEROES = 3  # to choose pairs from


class AnalysisConfig(StudyConfig):
    """A file for `agemonia balance analyse`; keys as in balance.analyse."""

    watched: Annotated[int, Field(ge=FEWEST_GAMES)] = 200
    parts: bool = True
    pairs: bool = True
    false_discoveries: Annotated[float, Field(gt=0, lt=1)] = 0.05
    dominating: Annotated[float, Field(gt=0, le=100)] = 10.0
    negligible: Annotated[float, Field(gt=0, le=100)] = 1.0

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Refuse a ruleset without an analysis."""
        with wrong.gathered():
            usage_tools_of(self.env)


@dataclass(frozen=True)
class ConditionStudy:
    """The plans of one condition: the full party, without each part, and pairs of heroes.

    without: plans without each of `parts`; pairs: keys of two heroes; paired: their plans.
    required: parts that cannot be left out, and why.
    """

    plan: Plan
    parts: tuple[Part, ...]
    without: tuple[Plan, ...]
    required: dict[str, str]
    pairs: tuple[tuple[str, str], ...]
    paired: tuple[Plan, ...]

    def plans(self) -> list[Plan]:
        """All plans: the full party, those without a part, those of pairs."""
        return [self.plan, *self.without, *self.paired]


@dataclass(frozen=True)
class AnalysisStudy(Study):
    """An analysis to run."""

    name = "analysis"

    config: AnalysisConfig
    conditions: tuple[ConditionStudy, ...]

    def n_games(self) -> int:
        """The number of games to play."""
        return n_games([*self.played(), *self.watched()])

    def played(self) -> list[Plan]:
        """The plans to play, condition by condition."""
        return [plan for study in self.conditions for plan in study.plans()]

    def watched(self) -> list[Plan]:
        """The plans in which uses are counted."""
        return [watched_plan(study.plan, self.config.watched) for study in self.conditions]


def make_analysis_study(config: AnalysisConfig) -> AnalysisStudy:
    """Build the analysis of a config."""
    base = tuple(plans_of(config, config.pack, config.games or GAMES))
    return AnalysisStudy(config, base, tuple(_condition_study(config, plan) for plan in base))


def _condition_study(config: AnalysisConfig, plan: Plan) -> ConditionStudy:
    """Build the plans of one condition."""
    (kind,) = plan.kinds
    if kind.scenario == RANDOM:
        return ConditionStudy(plan, (), (), {}, (), ())
    tools, heroes = usage_tools_of(kind.env), kind.arguments().heroes
    size = heroes if isinstance(heroes, int) else len(heroes)
    parts, without, required = [], [], {}
    left_out = tools.parts(kind.pack, kind.scenario, heroes, kind.level) if config.parts else ()
    for part, party in left_out:
        try:
            without.append(_with_party(config, plan, party))
            parts.append(part)
        except ValueError as error:
            required[str(part)] = str(error).split("\n")[0]
    pairs: list[tuple[str, str]] = []
    paired: list[Plan] = []
    recommended = tools.recommended(kind.pack, kind.scenario)
    if config.pairs and size == 2 and len(recommended) >= FEWEST_HEROES:
        pairs = list(combinations(recommended, 2))
        paired = [_with_party(config, plan, list(pair)) for pair in pairs]
    return ConditionStudy(plan, tuple(parts), tuple(without), required, tuple(pairs), tuple(paired))


def _with_party(config: AnalysisConfig, plan: Plan, party: list[Any]) -> Plan:
    """The plan with other heroes."""
    (kind,) = plan.kinds
    own: dict[str, Any] = {"scenario": kind.scenario, "heroes": [party], "policy": [plan.policy]}
    own |= {"level": kind.level, "difficulty": kind.difficulty}
    (found,) = plans_of(config.model_copy(update=own), config.pack, plan.games)
    return found
