"""Trials of a search: values played under all conditions, and how far each is from the targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Annotated, Any

import numpy as np
import polars as pl
from pydantic import BeforeValidator, Field

from agemonia_env.packs.folders import Mistakes, listed
from agemonia_env.rulesets.arguments import CORE_SEEDS
from agemonia_env.simulation.plan import Plan, compile_planned
from agemonia_env.simulation.progress import in_words

from .game_cache import GameCache
from .measures import Estimate, Games, Measure
from .one_at_a_time import Range
from .parameters import value_of, with_values, wrong_ranges
from .study_config import Study, StudyConfig, plans_of
from .targets import Aim, TargetConfig, check_targets

TRIALS, GAMES, CONFIRMED = 60, 1_000, 10_000
FINALISTS = 5  # trials played again
LONGER = 4  # times as many games for finalists
FRESH = 1  # added to the seed for the confirmation
REFUSED = 100  # steps of `near` by which trials that the pack does not allow miss


def _is_won(value: Any) -> bool:
    """Whether a target is one or two percentages without a condition."""
    parts = value if isinstance(value, list) else [value]
    return all(isinstance(part, int | float) for part in parts)


class SearchConfig(StudyConfig):
    """A file for `agemonia balance search`; keys as in balance.search."""

    values: Annotated[dict[str, Range], Field(min_length=1)]
    targets: Annotated[
        list[TargetConfig],
        BeforeValidator(lambda v: [{"won": v}] if _is_won(v) else listed(v)),
        Field(min_length=1),
    ]
    trials: Annotated[int, Field(ge=1)] = TRIALS
    confirm: Annotated[int, Field(ge=100)] = CONFIRMED

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Gather mistakes in values, targets, and the seed of the confirmation."""
        most = CORE_SEEDS - 1 - FRESH
        if most < self.seed < CORE_SEEDS:
            wrong.errors.append(
                f"seed={self.seed}: at most {most}, as the confirmation uses seed + {FRESH}"
            )
        wrong.errors += wrong_ranges("values", self.tools, self.pack, self.values, self.tools.cards)
        check_targets(self.targets, base, wrong)


@dataclass(frozen=True)
class SearchStudy(Study):
    """A search to run. aims: its targets, in order."""

    name = "search"

    config: SearchConfig
    aims: tuple[Aim, ...]

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """What the targets are about, each once, in the order of the file."""
        return tuple(dict.fromkeys(target.measured()[0] for target in self.config.targets))

    def n_games(self) -> int:
        """As Study.n_games."""
        n, own = len(self.base), self.games
        again = (FINALISTS + 1) * LONGER * own
        trials = min(self.config.trials, n_points(self.config))
        confirmed = 2 if len(self.measures) == 1 else 1 + FINALISTS
        return n * (own * (trials + 1) + again + confirmed * self.config.confirm)


def ranges_of(config: SearchConfig) -> list[range]:
    """The range of each value."""
    return [range(low, high + 1) for low, high in config.values.values()]


def n_points(config: SearchConfig) -> int:
    """The number of distinct trials."""
    return prod(map(len, ranges_of(config)))


# ---- playing ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Trial:
    """Values tried. refused: why the pack does not allow them.

    wins: per condition, of `games`; found: of each target.
    """

    values: dict[str, int]
    wins: tuple[int, ...] = ()
    games: int = 0
    refused: str = ""
    found: tuple[Estimate, ...] = ()

    def won(self) -> list[float]:
        """Win rates per condition."""
        return [wins / self.games for wins in self.wins]


def play_trial(
    search: SearchStudy, cache: GameCache, values: dict[str, int], games: int, seed: int
) -> Trial:
    """Play values under all conditions, unless the pack does not allow them."""
    try:
        config = search.config
        pack = with_values(config.tools, config.pack, values) if values else config.pack
        plans = [replace(plan, seed=seed) for plan in plans_of(config, pack, games)]
    except ValueError as error:
        return Trial(values, refused=str(error).split("\n")[0])
    frames = cache.play(plans)
    played = [
        Games(_party(plan), _names(plan, frame), frame)
        for plan, frame in zip(plans, frames, strict=True)
    ]
    wins = tuple(int(frame["won"].sum()) for frame in frames)
    found = (
        aim.measure.estimate([played[i] for i in aim.conditions], aim.target) for aim in search.aims
    )
    return Trial(values, wins, games, found=tuple(found))


def _party(plan: Plan) -> str:
    """The heroes of a plan in words."""
    heroes = in_words(plan.kinds[0].party)
    return f"{heroes} heroes" if heroes.isdigit() else heroes


def _names(plan: Plan, frame: pl.DataFrame) -> list[str]:
    """The names of the heroes; their places where each game draws its scenario."""
    (kind,) = plan.kinds
    if kind.scenario_seed is not None:
        most = int(frame["hero_exhausted"].list.len().max() or 0)  # type: ignore[arg-type]
        return [f"hero {k + 1}" for k in range(most)]
    return list(kind.rules().figure_names(compile_planned(kind, None)).get("heroes", ()))


# ---- ranking ----------------------------------------------------------------------------------
def misses(search: SearchStudy, trial: Trial) -> tuple[float, ...]:
    """How far the trial is from the targets of each measure: the root mean square distance.

    The part of each square that is expected from sampling noise is subtracted.
    """
    if trial.refused:
        return tuple(REFUSED * measure.near for measure in search.measures)
    squares: dict[Measure, list[float]] = {measure: [] for measure in search.measures}
    for aim, found in zip(search.aims, trial.found, strict=True):
        squares[aim.measure].append(found.missed)
    return tuple(float(np.sqrt(np.mean(own))) for own in squares.values())


def steps_off(search: SearchStudy, trial: Trial) -> tuple[int, ...]:
    """The same in whole steps of `near`: what is less apart is alike."""
    both = zip(misses(search, trial), search.measures, strict=True)
    return tuple(round(miss / measure.near) for miss, measure in both)


def miss(search: SearchStudy, trial: Trial) -> float:
    """The root mean square of `misses` in steps of `near`; of one measure its miss in its unit."""
    own = misses(search, trial)
    if len(own) == 1:
        return own[0]
    steps = [one / measure.near for one, measure in zip(own, search.measures, strict=True)]
    return float(np.sqrt(np.mean(np.square(steps))))


def change(search: SearchStudy, trial: Trial) -> float:
    """The mean distance of the values to the pack's, as a share of their ranges."""
    config = search.config
    moved = [
        abs(trial.values[path] - value_of(config.tools, config.pack, path)) / (high - low)
        for path, (low, high) in config.values.items()
    ]
    return float(np.mean(moved))


def rank(search: SearchStudy, trial: Trial) -> tuple[int, float, tuple[int, ...]]:
    """Sort key, best first: miss in steps of `near`, then change."""
    near = search.measures[0].near if len(search.measures) == 1 else 1.0
    steps = round(miss(search, trial) / near)
    return steps, change(search, trial), tuple(trial.values.values())
