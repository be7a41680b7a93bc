"""How much of a game's result was luck.

At every decision chance takes its course up to the next one. The luck in it is the value of the
position that followed, minus the mean value of several positions that could have followed: the same
action in copies of the game with everything hidden drawn anew. The sum over a game has mean zero
whatever the value function is, as long as it was fixed before the game, so that the result minus
the luck has the mean of the result; the better the value function, the smaller the variance
(AIVAT: Burch, Schmid, Moravcik, Morrill, Bowling, AAAI 2018, arXiv:1612.06915). What policies draw
by themselves counts as theirs, not as chance.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.rng import TOTAL
from agemonia_env.envs.copies import copies
from agemonia_env.policies.network import Network
from agemonia_env.rulesets.ruleset import Ruleset

from .games import Records

STREAM = 0x10CC  # keeps redraws apart from other uses of a game's seed
LUCK = "luck"  # column of results
UNIT = 1 << 16  # of luck in whole numbers, so that sums do not depend on their order

Which = NDArray[np.int16]


@dataclass(frozen=True)
class Value:
    """The Heroes' chance to win a position: a network's log-odds, stretched and shifted.

    network: its value head gives the log-odds for observations. slope, shift: of the log-odds, for
    a policy that plays otherwise than the one the network was fitted to; slope > 0.
    """

    network: Network
    slope: float = 1.0
    shift: float = 0.0

    def odds(self, rules: Ruleset, states: Records, contents: Records, which: Which) -> Any:
        """The network's log-odds, float64 (n,); infinite where the game is over."""
        seen = np.empty((len(states), rules.N_OBSERVATION), np.float32)
        rules.api.write_observations(states, contents, which, seen)
        network = self.network
        odds = network.value(network.read(seen))[:, 0].astype(np.float64)
        over = np.where(states["won"] != 0, np.inf, -np.inf)
        return np.where(states["ending"] != 0, over, odds)

    def chances(self, odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Chances to win, of log-odds of the network."""
        with np.errstate(over="ignore"):
            chances: NDArray[np.float64] = 1 / (1 + np.exp(-(self.slope * odds + self.shift)))
        return chances

    @property
    def fingerprint(self) -> str:
        """16 hex digits that change with any number in it."""
        net = self.network
        layers = [part for layer in (*net.trunk, net.value) for part in (layer.weights, layer.bias)]
        text = np.array([self.slope, self.shift]).tobytes()
        text += b"".join(part.tobytes() for part in (net.columns, *layers))
        return hashlib.sha256(text).hexdigest()[:16]


@dataclass(frozen=True)
class Luck:
    """How to measure luck: by which value, how many redraws at each decision."""

    value: Value
    redraws: int


class Terms(NamedTuple):
    """Log-odds at the decisions where chance had a say: what followed, and what could have.

    game: int64 (m,), which game; after: float64 (m,); redrawn: float64 (m, redraws).
    """

    game: NDArray[np.int64]
    after: NDArray[np.float64]
    redrawn: NDArray[np.float64]


def luck_of(terms: Terms, value: Value, games: int) -> NDArray[np.float64]:
    """The luck in each of `games` games, in games won, float64 (games,)."""
    apart = value.chances(terms.after) - value.chances(terms.redrawn).mean(axis=1)
    total = np.zeros(games)
    np.add.at(total, terms.game, apart)
    return total


@dataclass
class LuckMeter:
    """Measures the luck in games; see Meter. control: who is asked, bits of Control."""

    luck: Luck
    rules: Ruleset
    control: int
    _seeds: list[np.random.Philox] = field(default_factory=list)
    _terms: list[Terms] = field(default_factory=list)

    def begin(self, seeds: NDArray[np.uint64]) -> None:
        """As Meter.begin; each seed fixes the redraws of its game."""
        keys = (np.array([seed, STREAM], np.uint64) for seed in seeds)
        self._seeds, self._terms = [np.random.Philox(key=key) for key in keys], []

    def terms(self) -> Terms:
        """What was seen in the batch; games are numbered within it."""
        if not self._terms:
            return Terms(np.zeros(0, np.int64), np.zeros(0), np.zeros((0, self.luck.redraws)))
        return Terms(*map(np.concatenate, zip(*self._terms, strict=True)))

    def finish(self, states: Records) -> dict[str, NDArray[Any]]:
        """As Meter.finish: LUCK, in games won times UNIT, int64 (n,)."""
        luck = luck_of(self.terms(), self.luck.value, len(states))
        return {LUCK: np.rint(luck * UNIT).astype(np.int64)}

    def watch(
        self,
        games: NDArray[np.int64],
        before: Records,
        contents: Records,
        which: Which,
        actions: NDArray[np.int64],
        after: Records,
    ) -> None:
        """As Meter.watch."""
        drew = np.flatnonzero(self._draws(before, contents, which, actions))
        if not len(drew):
            return
        n, redraws = len(drew), self.luck.redraws
        redrawn, whose = copies(before[drew], redraws), np.tile(which[drew], redraws)
        seeds = np.stack([self._seeds[game].random_raw(redraws) for game in games[drew]], axis=1)
        for i, seed in enumerate(seeds.ravel()):
            self.rules.api.set_chance(redrawn, contents, whose, i, seed)
        self._step(redrawn, contents, whose, np.tile(actions[drew], redraws))
        odds = self.luck.value.odds
        self._terms.append(
            Terms(
                games[drew],
                odds(self.rules, copies(after[drew]), contents, which[drew]),
                odds(self.rules, redrawn, contents, whose).reshape(redraws, n).T,
            )
        )

    def _draws(
        self, before: Records, contents: Records, which: Which, actions: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Whether chance has a say in what follows, bool (n,).

        Forced chance counts the ways that it may go; the first draw comes at the same point
        however chance goes.
        """
        forced = copies(before)
        self.rules.api.force_chance(forced, contents, which, np.zeros(len(before), np.uint64))
        self._step(forced, contents, which, actions)
        drawn: NDArray[np.bool_] = forced["chance"][:, TOTAL] > 1
        return drawn

    def _step(
        self, states: Records, contents: Records, which: Which, actions: NDArray[np.int64]
    ) -> None:
        api, denials = self.rules.api, np.zeros(len(states), np.int16)
        api.step(states, contents, which, actions, self.control, api.NO_ROWS, denials)
