"""Search for values that bring the win rate to a target, by Optuna; confirm them on fresh seeds.

Every trial plays the same seeds, so trials differ by their numbers and not by randomness. The best
trials are played again with more games, because the best of many noisy trials is partly luck.
The winner is then played on fresh seeds, and the report shows those games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from math import prod
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, BeforeValidator, Field
from rich.console import Group
from rich.text import Text

from agemonia_env.display.reports import text_table
from agemonia_env.packs.folders import STRICT, ContentError, Mistakes, listed
from agemonia_env.rulesets.arguments import CORE_SEEDS
from agemonia_env.simulation import required
from agemonia_env.simulation.interval import wilson
from agemonia_env.simulation.plan import Plan

from .game_cache import GameCache
from .one_at_a_time import Range
from .page import Page, Section
from .parameters import value_of, with_values, wrong_ranges
from .plots import aims
from .study_config import (
    StudyConfig,
    condition,
    condition_text,
    plans_of,
    provenance_of,
    study_record,
)
from .study_result import StudyResult

TRIALS, GAMES, CONFIRMED = 60, 1_000, 10_000
ASKED = 20  # Optuna suggestions per trial, as many of them repeat
FINALISTS = 5  # trials played again
LONGER = 4  # times as many games for finalists
FRESH = 1  # added to the seed for the confirmation
WIDEST = 0.05  # interval, end to end, with which a target counts as met
YES, UNSURE, NO = "yes", "not sure", "no"
NEAR = 0.01  # win rate; trials that miss by less are ranked by the size of their changes


def _is_won(value: Any) -> bool:
    """Whether a target is one or two percentages without a condition."""
    parts = value if isinstance(value, list) else [value]
    return all(isinstance(part, int | float) for part in parts)


class TargetConfig(BaseModel):
    """A target win rate in percent, a number or a range, for the conditions it names."""

    model_config = STRICT

    won: Annotated[
        list[float],
        BeforeValidator(lambda v: v if isinstance(v, list) else [v, v]),
        Field(min_length=2, max_length=2),
    ]
    scenario: str | None = None
    heroes: int | list[Any] | None = None
    difficulty: str | None = None
    policy: str | None = None


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
        for target in self.targets:
            if not 0 <= target.won[0] <= target.won[1] <= 100:
                wrong.errors.append(
                    f"targets: won: {target.won}: must be percentages, the smaller first"
                )
            if base and not any(_is_for(target, plan) for plan in base):
                named = target.model_dump(exclude_none=True, exclude={"won"})
                wrong.errors.append(f"targets: {named}: no game of this study matches")


@dataclass(frozen=True)
class SearchStudy:
    """A search to run. base: plans of the unchanged pack; aims: (low, high) per condition."""

    config: SearchConfig
    base: tuple[Plan, ...]
    aims: tuple[tuple[float, float] | None, ...]

    def n_games(self) -> int:
        """The approximate number of games to play."""
        n, own = len(self.base), self.base[0].games
        again = (FINALISTS + 1) * LONGER * own
        trials = min(self.config.trials, n_points(self.config))
        return n * (own * (trials + 1) + again + 2 * self.config.confirm)

    def record(self) -> dict[str, Any]:
        """The study, JSON-able, with versions; nothing that depends on the machine."""
        return study_record("search", self.config, self.base)


def make_search_study(config: SearchConfig) -> SearchStudy:
    """Build the search of a config."""
    required("optuna", "balance")
    base = plans_of(config, config.pack, config.games or GAMES)
    return SearchStudy(config, tuple(base), tuple(_aim(config, plan) for plan in base))


def _is_for(target: TargetConfig, plan: Plan) -> bool:
    """Whether a target applies to these games."""
    (kind,) = plan.kinds
    return (
        target.scenario in (None, kind.scenario)
        and target.heroes in (None, *heroes_of(plan))
        and target.difficulty in (None, kind.difficulty)
        and target.policy in (None, plan.policy)
    )


def heroes_of(plan: Plan) -> tuple[int | list[str], ...]:
    """The ways a target may name the heroes: their number, or who they are."""
    heroes = plan.kinds[0].arguments().heroes
    return (heroes,) if isinstance(heroes, int) else (len(heroes), list(heroes))


def _aim(config: SearchConfig, plan: Plan) -> tuple[float, float] | None:
    """The last target that applies to these games, as shares."""
    own = [target for target in config.targets if _is_for(target, plan)]
    return (own[-1].won[0] / 100, own[-1].won[1] / 100) if own else None


# ---- searching --------------------------------------------------------------------------------
@dataclass(frozen=True)
class Trial:
    """Values tried. wins: per condition, of `games`; refused: why the pack does not allow them."""

    values: dict[str, int]
    wins: tuple[int, ...] = ()
    games: int = 0
    refused: str = ""

    def won(self) -> list[float]:
        """Win rates per condition."""
        return [wins / self.games for wins in self.wins]


def miss(search: SearchStudy, trial: Trial) -> float:
    """The root mean square distance of the win rates to the targets.

    The part of each square that is expected from sampling noise is subtracted.
    """
    if trial.refused:
        return 1.0
    squares = []
    for won, aim in zip(trial.won(), search.aims, strict=True):
        if aim is not None:
            apart = max(aim[0] - won, won - aim[1], 0.0)
            noise = won * (1 - won) / trial.games if apart else 0.0
            squares.append(max(apart * apart - noise, 0.0))
    return float(np.sqrt(np.mean(squares)))


def change(search: SearchStudy, trial: Trial) -> float:
    """The mean distance of the values to the pack's, as a share of their ranges."""
    config = search.config
    moved = [
        abs(trial.values[path] - value_of(config.tools, config.pack, path)) / (high - low)
        for path, (low, high) in config.values.items()
    ]
    return float(np.mean(moved))


def play_search_study(search: SearchStudy, cache: GameCache) -> SearchResult:
    """Run trials, replay the best, confirm the winner. ContentError if no trial is valid."""
    config, games = search.config, search.base[0].games
    order = partial(rank, search)
    tried = tuple(try_values(search, cache))
    sound = [trial for trial in tried if not trial.refused]
    if not sound:
        raise ContentError([f"values: all {len(tried)} trials are invalid: {tried[0].refused}"])
    best = sorted(sound, key=order)[:FINALISTS]
    again = [play_trial(search, cache, one.values, LONGER * games, config.seed) for one in best]
    again.sort(key=order)
    fresh = config.seed + FRESH
    before = play_trial(search, cache, {}, config.confirm, fresh)
    after = play_trial(search, cache, again[0].values, config.confirm, fresh)
    return SearchResult(search, tried, tuple(again), before, after)


def try_values(search: SearchStudy, cache: GameCache) -> Iterator[Trial]:
    """Play distinct trials, the pack's own values first: all points, or those Optuna suggests.

    Optuna repeats itself near the optimum, so there may be fewer than `trials`.
    """
    config, games = search.config, search.base[0].games
    now = tuple(value_of(config.tools, config.pack, path) for path in config.values)

    def play(point: tuple[int, ...]) -> Trial:
        values = dict(zip(config.values, point, strict=True))
        return play_trial(search, cache, values, games, config.seed)

    if n_points(config) <= config.trials:
        yield from map(play, sorted(product(*ranges_of(config)), key=lambda point: point != now))
        return
    study, tried = begin_study(config, now), dict[tuple[int, ...], Trial]()
    for _ in range(ASKED * config.trials):
        asked = study.ask()
        point = tuple(asked.suggest_int(path, *ends) for path, ends in config.values.items())
        if point not in tried:
            tried[point] = play(point)
            yield tried[point]
        study.tell(asked, miss(search, tried[point]))
        if len(tried) == config.trials:
            return


def begin_study(config: SearchConfig, now: tuple[int, ...]) -> Any:
    """Create the Optuna study; it suggests the pack's own values first if they are in range."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    begun = max(5, config.trials // 4)
    sampler = optuna.samplers.TPESampler(seed=config.small_seed, n_startup_trials=begun)
    study = optuna.create_study(sampler=sampler)
    if all(value in span for value, span in zip(now, ranges_of(config), strict=True)):
        study.enqueue_trial(dict(zip(config.values, now, strict=True)))
    return study


def ranges_of(config: SearchConfig) -> list[range]:
    """The range of each value."""
    return [range(low, high + 1) for low, high in config.values.values()]


def n_points(config: SearchConfig) -> int:
    """The number of distinct trials."""
    return prod(map(len, ranges_of(config)))


def rank(search: SearchStudy, trial: Trial) -> tuple[int, float, tuple[int, ...]]:
    """Sort key, best first: miss in steps of NEAR, then change."""
    steps = round(miss(search, trial) / NEAR)
    return steps, change(search, trial), tuple(trial.values.values())


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
    return Trial(values, tuple(int(frame["won"].sum()) for frame in frames), games)


# ---- the result -------------------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class SearchResult(StudyResult):
    """The result of a search.

    tried: all trials; again: the finalists with more games, winner first; before, after: the
    unchanged pack and the winner on fresh seeds.
    """

    search: SearchStudy
    tried: tuple[Trial, ...]
    again: tuple[Trial, ...]
    before: Trial
    after: Trial

    @property
    def changes(self) -> list[str]:
        """The winner as changes of the pack."""
        config, values = self.search.config, self.after.values.items()
        return [
            f"{path} = {to}"
            for path, to in values
            if to != value_of(config.tools, config.pack, path)
        ]

    @cached_property
    def pack(self) -> str:
        """The text of the pack with the winner's values."""
        config = self.search.config
        return with_values(config.tools, config.pack, self.after.values)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The win rates before and after per condition, with interval and target.

        met: see the function; None without a target.
        """
        rows = []
        for i, (plan, aim) in enumerate(zip(self.search.base, self.search.aims, strict=True)):
            games = self.after.games
            low, high = wilson(self.after.wins[i], games)
            rows.append(
                {
                    **condition(plan),
                    "games": games,
                    "before": self.before.won()[i],
                    "after": self.after.won()[i],
                    "low": low,
                    "high": high,
                    "target_low": None if aim is None else aim[0],
                    "target_high": None if aim is None else aim[1],
                    "met": None if aim is None else met(low, high, aim),
                }
            )
        return rows

    def record(self) -> dict[str, Any]:
        """The result, JSON-able."""
        return {
            **self.search.record(),
            "trials_made": [self._trial_record(trial) for trial in self.tried],
            "finalists": [self._trial_record(trial) for trial in self.again],
            "changes": self.changes,
            "pack_found": self.pack,
            "results": self.rows,
        }

    def _trial_record(self, t: Trial) -> dict[str, Any]:
        return {
            "values": t.values,
            "won": t.won(),
            "games": t.games,
            "refused": t.refused,
            "miss": miss(self.search, t),
        }

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Trials and finalists: values by path, and win rates per condition."""
        return {
            "trials": [self._row(trial) for trial in self.tried],
            "finalists": [self._row(trial) for trial in self.again],
        }

    def _row(self, t: Trial) -> dict[str, Any]:
        names = [f"won: {condition_text(plan)}" for plan in self.search.base]
        won = dict.fromkeys(names) | dict(zip(names, t.won(), strict=not t.refused))
        rest = {"miss": miss(self.search, t), "games": t.games, "refused": t.refused}
        return {**t.values, **won, **rest}

    # ---- for readers -------------------------------------------------------------------------
    def _lines(self) -> list[list[str]]:
        return [line(row, plan) for row, plan in zip(self.rows, self.search.base, strict=True)]

    @property
    def headline(self) -> str:
        """What was found, in a sentence."""
        aimed = [row["met"] for row in self.rows if row["met"] is not None]
        some, whole = len(aimed) > 1, all(one == YES for one in aimed)
        text = f"{aimed.count(YES)} of {len(aimed)} targets are met" if some else (
            "The target is met" if whole else "The target is not met")  # fmt: skip
        if UNSURE in aimed:
            unsure = f"of {aimed.count(UNSURE)} that" if some else "that"
            text = f"{text if some else 'The target may be met'}; {unsure} is not sure, "
            text += f"as {self.after.games:,} games (`confirm`) are too few"
        text += "".join(f"; {missed}" for missed in self._missed())
        if not self.changes:
            next_best = self._next_best() if NO in aimed else ""
            return f"No values beat the unchanged pack. {text}.{next_best}"
        between = " with" if whole else "; nearest is"
        return f"{text}{between} {'; '.join(self.changes)}."

    def _missed(self) -> Iterator[str]:
        """How far off each target that is not met is."""
        for row, plan in zip(self.rows, self.search.base, strict=True):
            if row["met"] == NO:
                below = row["target_low"] - row["after"]
                off = f"{100 * below:.1f} points below"
                if below < 0:
                    off = f"{100 * (row['after'] - row['target_high']):.1f} points above"
                yield f"{condition_text(plan)} is {off} {aim_text(row)} %"

    def _next_best(self) -> str:
        """What comes next to the unchanged pack, as a sentence; empty if nothing else was tried."""
        others = [trial for trial in self.again if trial.values != self.after.values]
        if not others:
            return ""
        values = "; ".join(f"{path} = {to}" for path, to in others[0].values.items())
        off = f"{100 * miss(self.search, others[0]):.1f} points"
        return f" Next comes {values}, {off} off the targets."

    def _aims(self) -> list[tuple[float, float] | None]:
        """The targets in percent."""
        return [aim and (100 * aim[0], 100 * aim[1]) for aim in self.search.aims]

    def _shown(self, trial: Trial) -> list[str]:
        """Win rates and miss of a trial as text."""
        if trial.refused:
            return [trial.refused, *[""] * len(self.search.base)]
        won = [f"{100 * share:.1f}" for share in trial.won()]
        return [*won, f"{100 * miss(self.search, trial):.2f}"]

    def page(self) -> Page:
        """The result for the browser."""
        config = self.search.config
        names = [condition_text(plan) for plan in self.search.base]
        spans = [tuple(100 * row[key] for key in ("after", "low", "high")) for row in self.rows]
        heads = (*(f"won, %: {name}" for name in names), "miss, points", *config.values)
        tried = self._listed(sorted(self.tried, key=partial(rank, self.search)))
        longer = f"{LONGER} times as many games as a trial; the first row is the winner."
        found = Section(
            "The values found, on fresh seeds",
            "None of these games was used to choose the values.",
            aims(names, [100 * row["before"] for row in self.rows], spans, self._aims()),
            HEADS,
            self._lines(),
        )
        scenarios = dict.fromkeys(plan.kinds[0].scenario for plan in self.search.base)
        return Page(
            title=f"Values for {', '.join(scenarios)}",
            text=config.text,
            lead=[self.headline],
            provenance=provenance_of(config, self.search.base) | {"pack found": self.pack},
            libraries=("optuna",),
            sections=[
                found,
                Section("The finalists", longer, "", heads, self._listed(self.again)),
                Section("All trials, best first", "", "", heads, tried),
            ],
        )

    def _listed(self, trials: Sequence[Trial]) -> list[list[str]]:
        return [[*self._shown(trial), *map(str, trial.values.values())] for trial in trials]

    def __rich__(self) -> Group:
        """The result for the terminal."""
        table = text_table("", HEADS, self._lines())
        return Group(table, Text(self.headline), Text(f"pack: {self.pack}"))


HEADS = ("game", "target", "before", "after", "95 % interval", "met")


def line(row: dict[str, Any], plan: Plan) -> list[str]:
    """A row of the table as text."""
    won = [f"{100 * row[key]:.1f}" for key in ("before", "after")]
    interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
    return [condition_text(plan), aim_text(row), *won, interval, row["met"] or "-"]


def aim_text(row: dict[str, Any]) -> str:
    """The target of a row in percent, as text."""
    ends = row["target_low"], row["target_high"]
    return "-" if None in ends else " to ".join(f"{100 * end:g}" for end in dict.fromkeys(ends))


def met(low: float, high: float, aim: tuple[float, float]) -> str:
    """Whether a target is met: the interval of the win rate overlaps it and is narrow enough."""
    if low > aim[1] or high < aim[0]:
        return NO
    return YES if high - low <= WIDEST else UNSURE
