"""What chance may make of an action: its outcomes up to the next decision, with probabilities.

Draws of the core can be forced (core/rng.py, `force`). An action is played once with the first
result of every draw, which shows how many results each has; then with the other results, which may
lead to further draws; and so on, likely ways first. Ways that end in positions with the same
observation, options and end are one outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.event_log import clear_rows, empty_rows
from agemonia_env.core.rng import BASES, MOST_DRAWS, N_DRAWS, TOTAL, WEIGHT
from agemonia_env.rulesets.arguments import Compiled
from agemonia_env.rulesets.ruleset import Ruleset

from .copies import copies, redraw
from .positions import Trailer, write

Records = NDArray[Any]
BATCH = 256  # copies of a game played at a time, 4 MB with their observations
NEGLIGIBLE = Fraction(1, 10**9)  # probability at which counting ends
TOLERANCE = Fraction(1, 10**4)  # that counting may leave out


@dataclass(frozen=True)
class Outcome:
    """One way an action may turn out.

    probability: exact, or the share of the samples. events: what happens, in sentences; where
    several ways lead to the same, that of the first one found. ended, won: whether the scenario is
    over, and won. position: for `set_state`; what is hidden, and all further chance, is drawn anew.
    """

    probability: Fraction
    events: tuple[str, ...]
    ended: bool
    won: bool
    position: bytes = field(repr=False)


@dataclass(frozen=True)
class ChanceOutcomes(Sequence[Outcome]):
    """The outcomes of an action, likeliest first.

    exact: the probabilities were counted; else they are shares of samples. unresolved: the
    probability of what counting left out, 0 unless dice may be rolled again and again. ways: in
    which chance went until they were found.
    """

    outcomes: tuple[Outcome, ...]
    exact: bool
    unresolved: Fraction
    ways: int

    def __len__(self) -> int:
        return len(self.outcomes)

    def __getitem__(self, k: Any) -> Any:
        return self.outcomes[k]


class Attempt(NamedTuple):
    """A position, STATE (1,), and an action. control: who is asked, bits of `Control`.

    trailer: of the position after the action.
    """

    rules: Ruleset
    compiled: Compiled
    state: Records
    control: int
    action: int
    trailer: Trailer

    def copies(self, n: int) -> Records:
        """The position n times, STATE (n,)."""
        return copies(self.state, n)

    def play(self, states: Records, rows: NDArray[np.int16]) -> None:
        """Take the action in every state, up to the next decision; rows: log of the first."""
        n = len(states)
        self.rules.api.step(
            *(states, self.compiled.content, np.zeros(n, np.int16)),
            *(np.full(n, self.action), self.control, rows, np.zeros(n, np.int16)),
        )

    def force(self, states: Records, scripts: Sequence[int], /) -> None:
        """Force the chance of every state."""
        which = np.zeros(len(states), np.int16)
        self.rules.api.force_chance(
            states, self.compiled.content, which, np.array(scripts, np.uint64)
        )

    def redraw(self, states: Records, seeds: Sequence[int], /) -> None:
        """Draw everything hidden anew."""
        redraw(self.rules, states, self.compiled.content, seeds)

    def looks(self, states: Records) -> Iterator[bytes]:
        """What tells positions apart: all that anybody sees of them."""
        n, rules = len(states), self.rules
        which = np.zeros(n, np.int16)
        seen = np.zeros((n, rules.N_OBSERVATION), np.float32)
        masks = np.zeros((n, rules.N_ACTIONS), np.uint8)
        rules.api.write_observations(states, self.compiled.content, which, seen)
        rules.api.write_masks(states, self.compiled.content, which, masks)
        asked = np.stack([states[name] for name in ("decision", "asked", "ending", "won")], axis=1)
        for i in range(n):
            yield seen[i].tobytes() + masks[i].tobytes() + asked[i].tobytes()


class Way(NamedTuple):
    """Results of draws, the first draw's first; bases: how many results each draw has."""

    digits: tuple[int, ...] = ()
    bases: tuple[int, ...] = ()

    @property
    def script(self) -> int:
        """As the core reads it."""
        script = 0
        for digit, base in zip(reversed(self.digits), reversed(self.bases), strict=True):
            script = script * base + digit
        return script

    def continued(self, counters: NDArray[np.uint64]) -> Way:
        """Go on with the first result of every further draw, read off forced counters."""
        n = min(int(counters[N_DRAWS]), int(MOST_DRAWS))
        known = counters[BASES : BASES + 2].astype("<u8").tobytes()[:n].rstrip(b"\0")
        return Way((*self.digits, *[0] * (len(known) - len(self.digits))), tuple(known))

    def others(self, known: int, share: float) -> Iterator[tuple[float, Way]]:
        """Ways that differ from this one first in a draw after the `known` first ones.

        share: probability of this way -> about how likely each is, negative for a heap; the way.
        """
        for k in reversed(range(known, len(self.bases))):
            for digit in range(1, self.bases[k]):
                yield -share, Way((*self.digits[:k], digit), self.bases[: k + 1])
            share *= self.bases[k]


Shares = dict[bytes, tuple[int, Fraction]]  # look of an outcome -> the first way to it, its share


def chance_outcomes(game: Attempt, *, limit: int, samples: int, seed: int) -> ChanceOutcomes:
    """The outcomes of a legal action: counted if `limit` ways of chance suffice, else sampled.

    seed: fixes the samples, and the further chance of the outcomes.
    """
    ways, shares = count_ways(game, limit)
    unresolved = 1 - sum(share for _, share in shares.values())
    exact, begin = unresolved <= TOLERANCE, game.force
    if not exact:
        ways, begin, unresolved = samples, game.redraw, Fraction(0)
        shares = sample(game, samples, seed)
    found = sorted(shares.values(), key=lambda way_share: -way_share[1])
    fresh = np.random.SeedSequence([seed, 1]).generate_state(len(found), np.uint64).tolist()
    rows, outcomes = empty_rows(), []
    for (way, share), own in zip(found, fresh, strict=True):
        state = game.copies(1)
        begin(state, [way])
        clear_rows(rows)
        game.play(state, rows)
        events = tuple(game.rules.event_texts(rows, state[0], game.compiled))
        game.redraw(state, [own])
        position = write(game.rules, state, game.trailer)
        ended, won = (bool(state[name][0]) for name in ("ending", "won"))
        outcomes.append(Outcome(share, events, ended, won, position))
    return ChanceOutcomes(tuple(outcomes), exact, Fraction(unresolved), ways)


def count_ways(game: Attempt, limit: int) -> tuple[int, Shares]:
    """Play at most `limit` ways that chance may go, likely ones first -> how many, the outcomes.

    Ways with more draws than a script has room for are left out.
    """
    shares: Shares = {}
    todo, n, rest = [(-1.0, Way())], 0, Fraction(1)
    while todo and n < limit and rest > NEGLIGIBLE:
        tried = [heappop(todo)[1] for _ in range(min(BATCH, len(todo), limit - n))]
        n += len(tried)
        states = game.copies(len(tried))
        game.force(states, [way.script for way in tried])
        game.play(states, game.rules.api.NO_ROWS)
        for way, counters, look in zip(tried, states["chance"], game.looks(states), strict=True):
            whole = way.continued(counters)
            share = Fraction(int(counters[WEIGHT]), int(counters[TOTAL]))
            for other in whole.others(len(way.digits), float(share)):
                heappush(todo, other)
            if counters[N_DRAWS] <= MOST_DRAWS:
                add(shares, look, way.script, share)
                rest -= share
    return n, shares


def sample(game: Attempt, samples: int, seed: int) -> Shares:
    """Play the action `samples` times, everything hidden drawn anew."""
    shares: Shares = {}
    seeds = np.random.SeedSequence([seed, 0]).generate_state(samples, np.uint64).tolist()
    for first in range(0, samples, BATCH):
        some = seeds[first : first + BATCH]
        states = game.copies(len(some))
        game.redraw(states, some)
        game.play(states, game.rules.api.NO_ROWS)
        for one, look in zip(some, game.looks(states), strict=True):
            add(shares, look, one, Fraction(1, samples))
    return shares


def add(shares: Shares, look: bytes, way: int, share: Fraction) -> None:
    """Count a way."""
    first, before = shares.get(look, (way, Fraction(0)))
    shares[look] = first, before + share
