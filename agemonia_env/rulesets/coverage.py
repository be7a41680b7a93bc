"""What `agemonia coverage` needs from a ruleset: which games to play, and what happens in them.

The door `coverage` opens a `CoverageTools`.
"""

from __future__ import annotations

import itertools
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeVar

from .doors import doors_of

Entry = tuple[str, str]  # family, name
Place = TypeVar("Place")
POLICIES = ("random", "greedy")  # half of the games each
SETUPS = 1200
"""Most parties; further games are more games of each of them."""


def words(member: Enum) -> str:
    """A term as people write it."""
    return member.name.lower().replace("_", " ")


@dataclass(frozen=True)
class GameSetup(ABC):
    """A scenario with a party, and the seeds of its games; each ruleset has a subclass."""

    number: int
    scenario: str
    heroes: int
    level: int
    seeds: range

    def shares(self) -> list[tuple[str, range]]:
        """Half of the seeds for each of POLICIES; a policy without seeds is left out."""
        half = (len(self.seeds) + self.number % 2) // 2
        shares = zip(POLICIES, (self.seeds[:half], self.seeds[half:]), strict=True)
        return [(policy, seeds) for policy, seeds in shares if seeds]

    @abstractmethod
    def compile(self, pack: Any) -> Any:
        """The content, for a party drawn from the setup's number. Raises ValueError if none fits.

        pack: as Ruleset.load_pack returns it.
        """


class CoverageTools(Protocol):
    """What can happen in a ruleset, and what does.

    rule: matches the id of a rule, or a range of ids. excused: what may stay at zero, and why, by
    family and beginning of the name.
    """

    rule: re.Pattern[str]
    excused: Mapping[Entry, str]

    def entries(self, pack: Any) -> Iterable[Entry]:
        """Everything in a pack and in the rules that should occur, except rule functions."""

    def setups(self, pack: Any, games: int, seed: int) -> Sequence[GameSetup]:
        """Setups with `games` games in all, numbered from `seed` on, as different as possible."""

    def count(self, setup: GameSetup, compiled: Any, seeds: range, policy: str) -> Counter[Entry]:
        """How often each entry occurs in games with these seeds; policy: one of POLICIES."""


def coverage_tools_of(env: str) -> CoverageTools:
    """The coverage tools for an environment. ValueError says why there are none."""
    tools: CoverageTools = doors_of(env).open("coverage")
    return tools


def spread(places: Sequence[Place], games: int, seed: int) -> Iterator[tuple[int, Place, range]]:
    """Spread games over places, in turn: the number of each setup, its place and its seeds."""
    n, first = min(games, SETUPS), seed
    for k, place in enumerate(itertools.islice(itertools.cycle(places), n)):
        share = games // n + (k < games % n)
        yield seed + k, place, range(first, first + share)
        first += share
