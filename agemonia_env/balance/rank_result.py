"""A ranking played, and its result: who is best, who was dropped when, and what it saved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from rich.console import Group
from rich.text import Text

from agemonia_env.display.messages import counted
from agemonia_env.display.reports import text_table

from .game_cache import GameCache
from .page import Page, Section
from .plots import race as race_picture
from .racing import Race, Standing
from .study_config import condition_text
from .study_result import StudyResult
from .variants import AS_IT_IS, RankStudy, Variant, names_in_words

SHOWN = 40  # variants in the picture, rows on the terminal


def play_rank_study(study: RankStudy, cache: GameCache) -> RankResult:
    """Rank variants: all play the same seeds until they are surely not the best, see racing.py."""
    race = Race(study.rule, study.games, study.config.within / 100)
    while not race.over:
        games = race.wanted()
        own = [study.variants[v].plans for v in race.alive]
        frames = cache.play([replace(plan, games=games) for plans in own for plan in plans])
        won = np.array([frame["won"].to_numpy() for frame in frames], np.float64)
        # What each variant made of each seed: its mean over the conditions
        race.look(won.reshape(len(own), len(study.base), games).mean(axis=1))
    return RankResult(study, race)


@dataclass(frozen=True, repr=False)
class RankResult(StudyResult):
    """The result of a ranking."""

    study: RankStudy
    race: Race

    @cached_property
    def standings(self) -> list[tuple[Variant, Standing]]:
        """Variants and what is known of them, best first."""
        found = self.race.standings()
        return [(self.study.variants[v], one) for v, one in found.items()]

    @cached_property
    def labels(self) -> dict[str, str]:
        """Names of variants that are changes, in words."""
        return names_in_words(self.study.config)

    def _label(self, name: str) -> str:
        """The name of a variant for readers."""
        return self.labels.get(name, name)

    @property
    def left(self) -> int:
        """How many were never dropped."""
        return len(self.race.alive)

    @property
    def played(self) -> int:
        """Games of all variants and conditions."""
        return len(self.study.base) * sum(one.games for _, one in self.standings)

    @property
    def equal(self) -> int:
        """Games if every variant had played as many as the best one."""
        return len(self.study.base) * len(self.standings) * self.race.games

    @property
    def pack(self) -> str:
        """The text of the pack that leads."""
        return self.standings[0][0].pack

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Every variant, best first.

        games: per condition. won, low, high: mean win rate over the conditions. dropped: whether it
        is surely worse; than: the rank of one that shows it. alike: others with its games.
        """
        ranks = {v: k for k, v in enumerate(self.race.standings(), start=1)}
        return [
            {
                "rank": k,
                "variant": variant.name,
                "games": one.games,
                "won": one.won,
                "low": one.low,
                "high": one.high,
                "dropped": one.by is not None,
                "than": None if one.by is None else ranks[one.by],
                "alike": list(variant.twins),
                "pack": variant.pack,
            }
            for k, (variant, one) in enumerate(self.standings, start=1)
        ]

    def record(self) -> dict[str, Any]:
        """The result, JSON-able."""
        return {
            **self.study.record(),
            "refused": self.study.refused,
            "played": self.played,
            "equal_allocation": self.equal,
            "short_of_best_at_most": self.race.short,
            "looks": self.tables()["looks"],
            "results": self.rows,
        }

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every look: games of each variant, how many were left, who led."""
        names = [variant.name for variant in self.study.variants]
        return {
            "looks": [
                {"games": games, "left": left, "leader": names[leader]}
                for games, left, leader in self.race.looks
            ]
        }

    # ---- for readers -------------------------------------------------------------------------
    @property
    def goal(self) -> str:
        """What is best, in words."""
        goal = self.study.config.goal
        return f"{goal} win rate" if isinstance(goal, str) else f"nearest to {goal:g} %"

    @property
    def _games(self) -> str:
        """What was played, in words."""
        return " and ".join(map(condition_text, self.study.base))

    @property
    def headline(self) -> str:
        """Who is best, in a sentence."""
        return " ".join(self._lead()[:2])

    def _lead(self) -> list[str]:
        """What was found and what it cost, a sentence each."""
        (first, one), n = self.standings[0], len(self.standings)
        won = f"{100 * one.won:.1f} % won, {100 * one.low:.1f} to {100 * one.high:.1f}"
        lines = [f"{self.goal.capitalize()}: {self._label(first.name)} ({won})."]
        short = 100 * self.race.short
        if self.left == 1:
            others = "The other is" if n == 2 else f"All {n - 1} others are"
            lines.append(f"{others} surely worse.")
        elif self.race.over and self.race.short <= self.race.within:
            others = f"{counted(self.left - 1, 'other')} may be as good; none is better by more "
            lines.append(f"{others}than {short:.1f} points. {surely_worse(n - self.left)}")
        else:
            lines.append(f"{self.race.games:,} games are too few to tell {self.left} apart: one of "
                         f"them may be better by up to {short:.1f} points. "
                         f"{surely_worse(n - self.left)}")  # fmt: skip
        lines += self._as_it_is()
        saved = 1 - self.played / self.equal
        lines.append(f"{self.played:,} games; as many for every variant would have been "
                     f"{self.equal:,} ({100 * saved:.0f} % saved).")  # fmt: skip
        return lines

    def _as_it_is(self) -> list[str]:
        """Where the pack as it is stands, unless it leads."""
        row = next(row for row in self.rows if row["variant"] == AS_IT_IS)
        if row["rank"] == 1:
            return []
        how = "is surely worse" if row["dropped"] else "may be as good"
        return [f"The pack as it is, number {row['rank']}, {how}."]

    def page(self) -> Page:
        """The result for the browser."""
        study, goal = self.study, self.study.config.goal
        names = [self._label(variant.name) for variant, _ in self.standings[:SHOWN]]
        spans = [(100 * one.won, 100 * one.low, 100 * one.high) for _, one in self.standings]
        target = None if isinstance(goal, str) else goal
        text = (
            f"{self._games}. Bold rows, blue in the picture: not surely worse than the best. In "
            "95 % of rankings the best variant is among them. A row that was dropped stopped "
            "playing, so its interval is wider."
        )
        refused = [[self._label(name), why] for name, why in study.refused.items()]
        sections = [
            Section(
                f"{len(names)} of {len(spans)} variants, best first" if len(names) < len(spans)
                else "Variants, best first",
                text,
                race_picture(names, spans[:SHOWN], self.left, target),
                HEADS,
                [line(row, self._label(row["variant"])) for row in self.rows],
                frozenset(range(self.left)),
            ),
        ]  # fmt: skip
        if refused:
            sections.append(Section("Not allowed by the pack", "", "", ("variant", "why"), refused))
        return Page(
            title=f"{len(spans)} variants: {self.goal}",
            text=study.config.text,
            lead=self._lead(),
            provenance=study.provenance() | {"pack that leads": self.pack},
            sections=sections,
        )

    def __rich__(self) -> Group:
        """The result for the terminal."""
        rows = [line(row, self._label(row["variant"])) for row in self.rows[:SHOWN]]
        parts: list[Any] = [text_table(self._games, HEADS, rows, range(self.left))]
        if len(self.rows) > SHOWN:
            parts.append(Text(f"and {len(self.rows) - SHOWN} more\n"))
        return Group(*parts, Text("\n".join([*self._lead(), f"pack: {self.pack}"])))


def surely_worse(number: int) -> str:
    """How many variants were dropped, as a sentence."""
    return f"{number or 'None'} {'are' if number > 1 else 'is'} surely worse."


HEADS = ("variant", "won, %", "95 % interval", "games", "surely worse than")


def line(row: dict[str, Any], label: str) -> list[str]:
    """A row of the table as text. label: of the variant."""
    alike = f" (and {counted(len(row['alike']), 'other')} with the same games)" * bool(row["alike"])
    return [
        f"{row['rank']}. {label}{alike}",
        f"{100 * row['won']:.1f}",
        f"{100 * row['low']:.1f} to {100 * row['high']:.1f}",
        f"{row['games']:,}",
        "-" if row["than"] is None else f"number {row['than']}",
    ]
