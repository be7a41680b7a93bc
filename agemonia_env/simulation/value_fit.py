"""Fit what luck is measured with: a value function, and how much of the luck to take out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.policies.network import Layer, Network
from agemonia_env.rulesets.ruleset import Ruleset

from .extras import required
from .games import Records
from .luck import LuckMeter, Terms, Value, luck_of

STREAM = 0xF17  # keeps the choice of positions apart from other uses of a seed
SHARE = 0.04  # of positions that are fitted to; more of one game say little new
HIDDEN = 64  # with 256 the gain was 1.9 instead of 2.4, as only so many games are played
LEAST_SPREAD = 0.05  # of an input, by which it is divided
FEWEST = 2  # positions of games won, and of games lost: one of each is kept to stop by
LEAST_SLOPE = 0.05  # of log-odds: a value function that says nothing
NO_BIAS = np.zeros(0, np.float32)


class NoValue(ValueError):  # noqa: N818 (as Stopped)
    """No value function can be fitted."""


@dataclass
class Sampler:
    """Notes observations of some positions, and whether their games were won; see Meter."""

    rules: Ruleset
    control: int
    seen: list[NDArray[np.float32]] = field(default_factory=list)
    won: list[NDArray[np.bool_]] = field(default_factory=list)
    _games: list[NDArray[np.int64]] = field(default_factory=list)

    def begin(self, seeds: NDArray[np.uint64]) -> None:
        """As Meter.begin."""
        self._random = np.random.Generator(
            np.random.Philox(key=np.array([seeds[0], STREAM], np.uint64))
        )
        self._games = []

    def watch(
        self,
        games: NDArray[np.int64],
        before: Records,
        contents: Records,
        which: NDArray[np.int16],
        actions: NDArray[np.int64],
        after: Records,
    ) -> None:
        """As Meter.watch."""
        noted = np.flatnonzero(self._random.random(len(games)) < SHARE)
        seen = np.empty((len(noted), self.rules.N_OBSERVATION), np.float32)
        self.rules.api.write_observations(before[noted], contents, which[noted], seen)
        self.seen.append(seen)
        self._games.append(games[noted])

    def finish(self, states: Records) -> dict[str, NDArray[Any]]:
        """As Meter.finish."""
        self.won.append((states["won"] != 0)[np.concatenate(self._games)])
        return {}


def fit_value(seen: NDArray[np.float32], won: NDArray[np.bool_]) -> Value:
    """A value function of positions, (n, N_OBSERVATION), and whether their games were won, (n,).

    A network of one hidden layer. Raises NoValue, and MissingExtra without scikit-learn.
    """
    spread = seen.std(axis=0)
    columns = np.flatnonzero(spread > 0).astype(np.int32)
    if min(np.count_nonzero(won), np.count_nonzero(~won)) < FEWEST or not len(columns):
        raise NoValue("greedy play wins all games or none, or nearly so")
    required("sklearn", "balance")
    from sklearn.neural_network import MLPClassifier

    spread, mean = np.maximum(spread[columns], LEAST_SPREAD), seen[:, columns].mean(axis=0)
    model = MLPClassifier(
        (HIDDEN,), activation="tanh", batch_size=512, early_stopping=True, max_iter=12,
        n_iter_no_change=2, alpha=1e-3, random_state=0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it could be fitted longer, which does not pay
        model.fit((seen[:, columns] - mean) / spread, won)
    (first, last), (bias, last_bias) = model.coefs_, model.intercepts_
    weights = (first / spread[:, None]).astype(np.float32)
    trunk = Layer(weights, (bias - mean @ weights).astype(np.float32))
    value = Layer(last.astype(np.float32), last_bias.astype(np.float32))
    none = Layer(np.zeros((HIDDEN, 0), np.float32), NO_BIAS)
    return Value(Network(columns, [trunk], none, value))


@dataclass(frozen=True)
class Seen:
    """Watched games: who won, bool (n,); what luck is measured by; how many decisions in all."""

    won: NDArray[np.bool_]
    terms: Terms
    decisions: int

    @classmethod
    def joined(cls, parts: Sequence[Seen]) -> Seen:
        """Games of several parts, one after the other."""
        begin = np.cumsum([0, *(len(part.won) for part in parts[:-1])])
        terms = [
            part.terms._replace(game=part.terms.game + first)
            for part, first in zip(parts, begin, strict=True)
        ]
        whole = Terms(*map(np.concatenate, zip(*terms, strict=True)))
        won = np.concatenate([part.won for part in parts])
        return cls(won, whole, sum(part.decisions for part in parts))

    def luck(self, value: Value, redraws: int) -> NDArray[np.float64]:
        """The luck in each game, by the first of the redraws, float64 (n,)."""
        fewer = self.terms._replace(redrawn=self.terms.redrawn[:, :redraws])
        return luck_of(fewer, value, len(self.won))


@dataclass
class Watcher(LuckMeter):
    """Keeps what LuckMeter sees, so that luck can be measured by several rules."""

    parts: list[Seen] = field(default_factory=list)

    def finish(self, states: Records) -> dict[str, NDArray[Any]]:
        """As Meter.finish."""
        decisions = int(states["decisions"].sum())
        self.parts.append(Seen(states["won"] != 0, self.terms(), decisions))
        return {}


def calibrated(value: Value, seen: Seen) -> Value:
    """Stretch and shift the log-odds so that they fit what these games' policy won."""
    from sklearn.linear_model import LogisticRegression

    odds, won = seen.terms.after, seen.won[seen.terms.game]
    going = np.isfinite(odds)
    if len(set(won[going].tolist())) < 2:
        return value
    model = LogisticRegression().fit(odds[going, None], won[going])
    slope, shift = float(model.coef_[0, 0]), float(model.intercept_[0])
    return replace(value, slope=max(slope, LEAST_SLOPE), shift=shift)


def weigh(results: NDArray[Any], luck: NDArray[Any]) -> tuple[float, float]:
    """The weight of luck that leaves the least variance, 0 to 1, and how much smaller it is."""
    spread = luck.var()
    if not spread or not results.var():
        return 0.0, 1.0
    weight = float(np.clip(((results - results.mean()) * luck).mean() / spread, 0, 1))
    return weight, float(results.var() / (results - weight * luck).var())
