"""A played condition of an analysis: what its parts and heroes are worth, and how games end.

The worth of a part is the win rate lost when the same seeds are played without it, not how often it
occurs in won games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.rulesets.pack_tools import Part, Use, usage_tools_of
from agemonia_env.simulation.interval import Z, one_look
from agemonia_env.simulation.plan import compile_planned

from .accumulator import Difference, accumulate
from .analysis_study import AnalysisConfig, ConditionStudy
from .one_at_a_time import discovery_rates, one_sided, two_sided
from .study_config import condition

IDLE = 0.01  # uses per game below which a part counts as unused
UNUSED, RARE = "never used", "hardly used"
JUDGED = {  # flags that say what a part is worth, and what they mean
    "dominating": "surely worth more than {dominating:g} points",
    "harmful": "surely better left out",
    "dominated": "surely worth less than {negligible:g} points",
}
WON = {"won": pl.col("won")}
Weights = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class ConditionResult:
    """A played condition: the games of each plan, and the uses of parts."""

    config: AnalysisConfig
    study: ConditionStudy
    games: list[pl.DataFrame]
    used: Counter[Use]

    @property
    def base(self) -> pl.DataFrame:
        """The games of the full party."""
        return self.games[0]

    @property
    def won(self) -> float:
        """The win rate of the full party."""
        return float(self.base["won"].mean() or 0)  # type: ignore[arg-type]

    @property
    def watched(self) -> int:
        """The number of games in which uses were counted."""
        return min(self.config.watched, self.study.plan.games)

    @cached_property
    def worth(self) -> list[dict[str, Any]]:
        """Every action and item with its uses per game and worth, best first.

        uses: None for items that work by themselves, such as weapons. worth: win rate with it minus
        win rate without it. flag: see `flag_of`.
        """
        without = self.games[1 : 1 + len(self.study.without)]
        found = [accumulate(self.base, other, WON).difference("won") for other in without]
        if not found:
            return []
        rates = discovery_rates([two_sided(f.difference, f.variance / f.pairs) for f in found])
        sure = sure_flags(self.config, found, rates)
        rows = [self._row(*one) for one in zip(self.study.parts, found, rates, sure, strict=True)]
        return sorted(rows, key=lambda row: -row["worth"])

    @cached_property
    def usable(self) -> set[str]:
        """Names of items whose use is a decision, and so can be counted."""
        (kind,) = self.study.plan.kinds
        return usage_tools_of(kind.env).usable_items(compile_planned(kind, None))

    def _row(self, part: Part, found: Difference, q: float, sure: set[str]) -> dict[str, Any]:
        half = one_look(found.pairs, found.variance)
        used = self.used[part.kind, part.hero, part.name]
        counts = part.kind == "action" or part.name in self.usable
        row = {
            **condition(self.study.plan),
            "kind": part.kind,
            "hero": part.hero,
            "name": part.name,
            "uses": used / self.watched if counts else None,
            "worth": 0.0 - found.difference,  # and not -0.0
            "low": -found.difference - half,
            "high": -found.difference + half,
            "q": q,
        }
        return row | {"flag": flag_of(self.config, row["uses"], sure, found.a)}

    # ---- pairs ------------------------------------------------------------------------------
    @cached_property
    def heroes(self) -> list[str]:
        """Keys of the heroes in the pairs."""
        return list(dict.fromkeys(key for pair in self.study.pairs for key in pair))

    @cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """Every pair: win rate, and synergy beyond the contributions of its two heroes.

        A contribution is what a hero adds to any partner, by least squares over all pairs.
        """
        return self._contrasts(synergies, self.study.pairs)

    @cached_property
    def contributions(self) -> list[dict[str, Any]]:
        """Every hero: win rate of pairs with it above that of the mean pair."""
        alone = [(key, "") for key in self.heroes]
        return self._contrasts(contributions, alone)

    def _members(self) -> NDArray[np.float64]:
        """Which heroes are in each pair, float64 (pairs, heroes), 0 or 1."""
        return np.array([[key in pair for key in self.heroes] for pair in self.study.pairs], float)

    def _contrasts(
        self, weights: Weights, names: Sequence[tuple[str, str]]
    ) -> list[dict[str, Any]]:
        """Weighted sums of the pairs' win rates, paired by seed."""
        if not names:
            return []
        games = self.games[1 + len(self.study.without) :]
        won = np.array([frame["won"].to_numpy() for frame in games], float)
        parts, n = weights(self._members()), won.shape[1]
        values = parts @ won  # of each seed
        variance = values.var(1) + (parts**2).sum(1) / n  # one extra game: see Difference
        middle, half = values.mean(1), Z * np.sqrt(variance / n)
        here, shares = condition(self.study.plan), won.mean(1)
        return [
            {**here, "kind": "pair" if other else "hero", "hero": hero, "name": other}
            | {"won": float(shares[k]) if other else None, "worth": float(middle[k])}
            | {"low": float(middle[k] - half[k]), "high": float(middle[k] + half[k])}
            for k, (hero, other) in enumerate(names)
        ]

    # ---- how games end ----------------------------------------------------------------------
    @cached_property
    def endings(self) -> dict[str, list[int]]:
        """The number of games per ending and round, from round 1."""
        last = int(self.base["rounds"].max() or 0)  # type: ignore[arg-type]
        counts = self.base.group_by("ending", "rounds").len()
        found: dict[str, list[int]] = {}
        for ending in self.base["ending"].value_counts(sort=True)["ending"]:
            own = counts.filter(pl.col("ending") == ending)
            by_round = dict(zip(own["rounds"], own["len"], strict=True))
            found[str(ending)] = [by_round.get(r, 0) for r in range(1, last + 1)]
        return found

    @cached_property
    def lengths(self) -> dict[str, float]:
        """Rounds per game: mean, standard deviation and quantiles."""
        rounds = self.base["rounds"]
        found = {"mean": rounds.mean(), "deviation": rounds.std()}
        found |= {f"{q:.0%}": rounds.quantile(q) for q in (0.05, 0.25, 0.5, 0.75, 0.95)}
        return {name: float(value) for name, value in found.items()}  # type: ignore[arg-type]


def synergies(members: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the pairs' win rates, (pairs, pairs), that give each pair's synergy."""
    return np.eye(len(members)) - members @ np.linalg.pinv(members)


def contributions(members: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the pairs' win rates, (heroes, pairs), that give each hero's contribution."""
    alone = np.linalg.pinv(members)
    return np.asarray(alone - alone.mean(0), np.float64)


def sure_flags(
    config: AnalysisConfig, found: Sequence[Difference], rates: Sequence[float]
) -> list[set[str]]:
    """The flags of JUDGED that are sure of each part, whatever its use.

    found: without the part less with it. rates: adjusted p values that it is worth nothing. Of all
    parts given a flag, at most a share `false_discoveries` has it by chance.
    """
    more, less = config.dominating / 100, config.negligible / 100
    pairs = [(one, one.variance / one.pairs) for one in found]
    adjusted = {
        "dominating": discovery_rates([one_sided(-f.difference - more, v) for f, v in pairs]),
        "harmful": [q if f.difference > 0 else 1.0 for f, q in zip(found, rates, strict=True)],
        "dominated": discovery_rates([one_sided(less + f.difference, v) for f, v in pairs]),
    }
    return [
        {flag for flag, q in adjusted.items() if q[k] <= config.false_discoveries}
        for k in range(len(found))
    ]


def flag_of(config: AnalysisConfig, uses: float | None, sure: Collection[str], won: float) -> str:
    """Flag what a designer should look at.

    won: win rate of the full party. UNUSED: in all games that were watched; RARE: used less than
    IDLE times per game. Nothing else is said of these, nor of anything if `has_room` is False.
    sure: as from `sure_flags`, of which the first in JUDGED is given.
    """
    if uses is not None and uses < IDLE:
        return RARE if uses else UNUSED
    if not has_room(config, won):
        return ""
    return next((flag for flag in JUDGED if flag in sure), "")


def has_room(config: AnalysisConfig, won: float) -> bool:
    """Whether worth can be measured: neither nearly all games are won nor nearly all lost."""
    return config.negligible < 100 * won < 100 - config.negligible
