"""Which values bring the win rate to where it should be? Found by Optuna, confirmed on new seeds.

Every trial plays the same seeds, so trials differ by their numbers and not by luck. The best of
them are played again with more games, for among many noisy trials the one that looks best has also
been lucky; the winner is then played with seeds that nothing was chosen by, and that is what the
report says of it.
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

from agemonia_env.packs.folders import STRICT, ContentError, Mistakes, listed
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.arguments import CORE_SEEDS
from agemonia_env.simulation import required
from agemonia_env.simulation.interval import wilson
from agemonia_env.simulation.plan import Plan

from .one_at_a_time import Range
from .page import Page, Section
from .parameters import value_of, with_values, wrong_ranges
from .plots import aims
from .runs import Runs
from .study_config import SettingCard, marks_of, plans_of, setting, setting_text, study_record
from .study_result import Findings, text_table

TRIALS, GAMES, CONFIRMED = 60, 1_000, 10_000
ASKED = 20  # times as many as trials Optuna is asked for values, for many of its answers are alike
FINALISTS = 5  # trials that are played again
LONGER = 4  # times as many games
FRESH = 1  # added to the seed for the confirmation: other games altogether
WIDEST = 0.05  # interval, from end to end, by which a target can be called met
YES, UNSURE, NO = "yes", "not sure", "no"
NEAR = 0.01  # of the win rate: trials nearer to the targets than this are told apart by their size


def _is_won(value: Any) -> bool:
    """Whether a target is a percentage, or two, without the games it is for."""
    parts = value if isinstance(value, list) else [value]
    return all(isinstance(part, int | float) for part in parts)


class TargetCard(BaseModel):
    """Where a win rate should be, in percent: one number, or a range; in the settings it names."""

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


class SearchCard(SettingCard):
    """A file for `agemonia balance search`; what balance.search takes by the same names."""

    values: Annotated[dict[str, Range], Field(min_length=1)]
    targets: Annotated[
        list[TargetCard],
        BeforeValidator(lambda v: [{"won": v}] if _is_won(v) else listed(v)),
        Field(min_length=1),
    ]
    trials: Annotated[int, Field(ge=1)] = TRIALS
    confirm: Annotated[int, Field(ge=100)] = CONFIRMED

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Gather what is wrong with values, targets, and the seed of the confirmation."""
        most = CORE_SEEDS - 1 - FRESH
        if most < self.seed < CORE_SEEDS:
            wrong.errors.append(f"seed={self.seed}: at most {most}; confirmed with seed + {FRESH}")
        wrong.errors += wrong_ranges("values", self.pack, self.values, load_pack)
        for target in self.targets:
            if not 0 <= target.won[0] <= target.won[1] <= 100:
                told = f"targets: won: {target.won}; two percentages, the smaller one first"
                wrong.errors.append(told)
            if base and not any(_is_for(target, plan) for plan in base):
                named = target.model_dump(exclude_none=True, exclude={"won"})
                wrong.errors.append(f"targets: {named}: no such game is played")


@dataclass(frozen=True)
class Search:
    """What is looked for. base: the pack as it is; aims: low and high of each setting, or None."""

    card: SearchCard
    base: tuple[Plan, ...]
    aims: tuple[tuple[float, float] | None, ...]

    def n_games(self) -> int:
        """About how many games it takes."""
        n, own = len(self.base), self.base[0].games
        again = (FINALISTS + 1) * LONGER * own
        trials = min(self.card.trials, n_points(self.card))
        return n * (own * (trials + 1) + again + 2 * self.card.confirm)

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able, with versions; nothing of the machine."""
        return study_record("search", self.card, self.base)


def make_search(card: SearchCard) -> Search:
    """The search of a card."""
    required("optuna", "balance")
    base = plans_of(card, card.pack, card.games or GAMES)
    return Search(card, tuple(base), tuple(_aim(card, plan) for plan in base))


def _is_for(target: TargetCard, plan: Plan) -> bool:
    """Whether a target speaks of these games."""
    (kind,) = plan.kinds
    return (
        target.scenario in (None, kind.scenario)
        and target.heroes in (None, *heroes_of(plan))
        and target.difficulty in (None, kind.difficulty)
        and target.policy in (None, plan.policy)
    )


def heroes_of(plan: Plan) -> tuple[int | list[str], ...]:
    """How a target may name those who play: how many, or who if that is said."""
    heroes = plan.kinds[0].arguments().heroes
    return (heroes,) if isinstance(heroes, int) else (len(heroes), list(heroes))


def _aim(card: SearchCard, plan: Plan) -> tuple[float, float] | None:
    """The last target that speaks of these games, as shares."""
    own = [target for target in card.targets if _is_for(target, plan)]
    return (own[-1].won[0] / 100, own[-1].won[1] / 100) if own else None


# ---- looking ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Trial:
    """Values that were tried. wins and games: in each setting; allowed: by the pack, or why not."""

    values: dict[str, int]
    wins: tuple[int, ...] = ()
    games: int = 0
    refused: str = ""

    def won(self) -> list[float]:
        """Shares of games won."""
        return [wins / self.games for wins in self.wins]


def miss(search: Search, trial: Trial) -> float:
    """How far a trial is from the targets: the root of the mean square over the settings.

    Shares of games won; what luck alone is expected to add to the square is taken off again.
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


def change(search: Search, trial: Trial) -> float:
    """How far the values are from those of the pack: the mean share of their ranges."""
    card = search.card
    moved = [
        abs(trial.values[path] - value_of(card.pack, path)) / (high - low)
        for path, (low, high) in card.values.items()
    ]
    return float(np.mean(moved))


def look(search: Search, runs: Runs) -> Found:
    """Try values, play the best again, confirm the winner. ContentError if none can be played."""
    card, games = search.card, search.base[0].games
    order = partial(rank, search)
    tried = tuple(try_values(search, runs))
    sound = [trial for trial in tried if not trial.refused]
    if not sound:
        raise ContentError(
            [f"values: the pack refuses all {len(tried)} trials: {tried[0].refused}"]
        )
    best = sorted(sound, key=order)[:FINALISTS]
    again = [play_trial(search, runs, one.values, LONGER * games, card.seed) for one in best]
    again.sort(key=order)
    fresh = card.seed + FRESH
    before = play_trial(search, runs, {}, card.confirm, fresh)
    after = play_trial(search, runs, again[0].values, card.confirm, fresh)
    return Found(search, tried, tuple(again), before, after)


def try_values(search: Search, runs: Runs) -> Iterator[Trial]:
    """Trials of different values, first those of the pack: all there are, or what Optuna asks for.

    It asks for the same again and again once it has come near, so there may be fewer than `trials`.
    """
    card, games = search.card, search.base[0].games
    now = tuple(value_of(card.pack, path) for path in card.values)

    def play(point: tuple[int, ...]) -> Trial:
        values = dict(zip(card.values, point, strict=True))
        return play_trial(search, runs, values, games, card.seed)

    if n_points(card) <= card.trials:
        yield from map(play, sorted(product(*ranges_of(card)), key=lambda point: point != now))
        return
    study, tried = begin_study(card, now), dict[tuple[int, ...], Trial]()
    for _ in range(ASKED * card.trials):
        asked = study.ask()
        point = tuple(asked.suggest_int(path, *ends) for path, ends in card.values.items())
        if point not in tried:
            tried[point] = play(point)
            yield tried[point]
        study.tell(asked, miss(search, tried[point]))
        if len(tried) == card.trials:
            return


def begin_study(card: SearchCard, now: tuple[int, ...]) -> Any:
    """Optuna's study of these values; it asks for those of the pack first, if they may be taken."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    begun = max(5, card.trials // 4)
    sampler = optuna.samplers.TPESampler(seed=card.small_seed, n_startup_trials=begun)
    study = optuna.create_study(sampler=sampler)
    if all(value in span for value, span in zip(now, ranges_of(card), strict=True)):
        study.enqueue_trial(dict(zip(card.values, now, strict=True)))
    return study


def ranges_of(card: SearchCard) -> list[range]:
    """What each value may be."""
    return [range(low, high + 1) for low, high in card.values.values()]


def n_points(card: SearchCard) -> int:
    """How many different trials there can be."""
    return prod(map(len, ranges_of(card)))


def rank(search: Search, trial: Trial) -> tuple[int, float, tuple[int, ...]]:
    """What the best trial has least of: a miss, in steps of NEAR, and then a change."""
    steps = round(miss(search, trial) / NEAR)
    return steps, change(search, trial), tuple(trial.values.values())


def play_trial(search: Search, runs: Runs, values: dict[str, int], games: int, seed: int) -> Trial:
    """Play values in all settings; what the pack does not allow is not played."""
    try:
        pack = with_values(search.card.pack, values) if values else search.card.pack
        plans = [replace(plan, seed=seed) for plan in plans_of(search.card, pack, games)]
    except ValueError as error:
        return Trial(values, refused=str(error).split("\n")[0])
    frames = runs.play(plans)
    return Trial(values, tuple(int(frame["won"].sum()) for frame in frames), games)


# ---- what was found ---------------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class Found(Findings):
    """What came out of a search.

    tried: every trial; again: the best of them with more games, the winner first; before, after:
    the pack as it is and the winner, on seeds that nothing was chosen by.
    """

    search: Search
    tried: tuple[Trial, ...]
    again: tuple[Trial, ...]
    before: Trial
    after: Trial

    @property
    def changes(self) -> list[str]:
        """The winner as changes of the pack."""
        pack = self.search.card.pack
        values = self.after.values.items()
        return [f"{path} = {to}" for path, to in values if to != value_of(pack, path)]

    @cached_property
    def pack(self) -> str:
        """The pack with the winner's values, as everything takes it."""
        return with_values(self.search.card.pack, self.after.values)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each setting: the win rate before and after, with intervals, and whether it is there.

        `met`: see `met`; None without a target.
        """
        rows = []
        for i, (plan, aim) in enumerate(zip(self.search.base, self.search.aims, strict=True)):
            games = self.after.games
            low, high = wilson(self.after.wins[i], games)
            rows.append(
                {
                    **setting(plan),
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
        """All of it, JSON-able."""
        return {
            **self.search.record(),
            "trials_made": [self._told_of(trial) for trial in self.tried],
            "finalists": [self._told_of(trial) for trial in self.again],
            "changes": self.changes,
            "pack_found": self.pack,
            "results": self.rows,
        }

    def _told_of(self, t: Trial) -> dict[str, Any]:
        told = {"values": t.values, "won": t.won(), "games": t.games, "refused": t.refused}
        return {**told, "miss": miss(self.search, t)}

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Trials and finalists: their values, by their paths, and what they won in each setting."""
        return {
            "trials": [self._row(trial) for trial in self.tried],
            "finalists": [self._row(trial) for trial in self.again],
        }

    def _row(self, t: Trial) -> dict[str, Any]:
        names = [f"won: {setting_text(plan)}" for plan in self.search.base]
        won = dict.fromkeys(names) | dict(zip(names, t.won(), strict=not t.refused))
        rest = {"miss": miss(self.search, t), "games": t.games, "refused": t.refused}
        return {**t.values, **won, **rest}

    # ---- to be read -------------------------------------------------------------------------
    def _lines(self) -> list[list[str]]:
        return [line(row, plan) for row, plan in zip(self.rows, self.search.base, strict=True)]

    @property
    def headline(self) -> str:
        """What was found, in a sentence."""
        aimed = [row["met"] for row in self.rows if row["met"] is not None]
        some, whole = len(aimed) > 1, all(one == YES for one in aimed)
        told = f"{aimed.count(YES)} of {len(aimed)} targets are met" if some else (
            "The target is met" if whole else "The target is not met")  # fmt: skip
        if UNSURE in aimed:
            unsure = f"of {aimed.count(UNSURE)} that" if some else "that"
            told = f"{told if some else 'The target may be met'}; {unsure} is not sure, "
            told += f"as {self.after.games:,} games (`confirm`) are too few"
        if not self.changes:
            return f"Nothing better than the pack as it is was found. {told}."
        between = " with" if whole else "; nearest is"
        return f"{told}{between} {'; '.join(self.changes)}."

    def _aims(self) -> list[tuple[float, float] | None]:
        """The targets in percent."""
        return [aim and (100 * aim[0], 100 * aim[1]) for aim in self.search.aims]

    def _shown(self, trial: Trial) -> list[str]:
        """What a trial won, and how far from the targets that is."""
        if trial.refused:
            return [trial.refused, *[""] * len(self.search.base)]
        won = [f"{100 * share:.1f}" for share in trial.won()]
        return [*won, f"{100 * miss(self.search, trial):.2f}"]

    def page(self) -> Page:
        """All of it for the browser."""
        card = self.search.card
        names = [setting_text(plan) for plan in self.search.base]
        spans = [tuple(100 * row[key] for key in ("after", "low", "high")) for row in self.rows]
        heads = (*(f"won, %: {name}" for name in names), "miss, points", *card.values)
        tried = self._listed(sorted(self.tried, key=partial(rank, self.search)))
        longer = f"{LONGER} times as many games as a trial; the first one is what was found."
        found = Section(
            "What was found, on fresh seeds",
            "Games that nothing was chosen by.",
            aims(names, [100 * row["before"] for row in self.rows], spans, self._aims()),
            HEADS,
            self._lines(),
        )
        scenarios = dict.fromkeys(plan.kinds[0].scenario for plan in self.search.base)
        return Page(
            title=f"Values for {', '.join(scenarios)}",
            text=card.text,
            lead=[self.headline],
            marks=marks_of(card, self.search.base) | {"pack found": self.pack},
            libraries=("optuna",),
            sections=[
                found,
                Section("The best, played again", longer, "", heads, self._listed(self.again)),
                Section("All that was tried, the best first", "", "", heads, tried),
            ],
        )

    def _listed(self, trials: Sequence[Trial]) -> list[list[str]]:
        return [[*self._shown(trial), *map(str, trial.values.values())] for trial in trials]

    def __rich__(self) -> Group:
        """All of it for the terminal."""
        table = text_table("", HEADS, self._lines())
        return Group(table, Text(self.headline), Text(f"pack: {self.pack}"))


HEADS = ("game", "target", "before", "after", "95 % interval", "met")


def line(row: dict[str, Any], plan: Plan) -> list[str]:
    """A row of the table."""
    ends = row["target_low"], row["target_high"]
    aim = "-" if None in ends else " to ".join(f"{100 * end:g}" for end in dict.fromkeys(ends))
    won = [f"{100 * row[key]:.1f}" for key in ("before", "after")]
    interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
    return [setting_text(plan), aim, *won, interval, row["met"] or "-"]


def met(low: float, high: float, aim: tuple[float, float]) -> str:
    """Whether a target is met: the interval of the win rate touches it, and is narrow enough."""
    if low > aim[1] or high < aim[0]:
        return NO
    return YES if high - low <= WIDEST else UNSURE
