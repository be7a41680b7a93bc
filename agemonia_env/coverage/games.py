"""Which games are played to count what happens, and which of them again as plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agemonia_env.rulesets.coverage import POLICIES, CoverageTools, Entry, GameSetup

Played = tuple[GameSetup, Counter[Entry]]


@dataclass(frozen=True)
class Game:
    """A game of the sample: the place of its setup in `CoverageTools.setups`, seed and policy."""

    setup: int
    seed: int
    policy: str


def play_setup(tools: CoverageTools, pack: Any, setup: GameSetup) -> Counter[Entry]:
    """Play the games of a setup, half of them randomly and half greedily -> what occurred."""
    compiled = setup.compile(pack)
    found: Counter[Entry] = Counter()
    for policy, seeds in setup.shares():
        found.update(tools.count(setup, compiled, seeds, policy))
    return found


def find_game(
    tools: CoverageTools, pack: Any, setup: GameSetup, entry: Entry
) -> tuple[str, int, Counter[Entry]]:
    """A game of the setup in which the entry occurs, and all that occurs in it.

    -> (policy, seed, entries). Raises ValueError if it occurs in none.
    """
    compiled = setup.compile(pack)
    for policy, seeds in setup.shares():
        found = tools.count(setup, compiled, seeds, policy)
        while entry in found and len(seeds) > 1:
            half = seeds[: len(seeds) // 2]
            found = tools.count(setup, compiled, half, policy)
            if entry in found:
                seeds = half
            else:
                seeds = seeds[len(seeds) // 2 :]
                found = tools.count(setup, compiled, seeds, policy)
        if entry in found:
            return policy, seeds[0], found
    raise ValueError(f"{entry}: not in {setup}")


def choose_games(
    tools: CoverageTools, pack: Any, played: Sequence[Played], seed: int, size: int
) -> list[Game]:
    """The games of the sample: a greedy one of every scenario, rare entries, then any.

    seed: that of the setups, which are all in `played`, in their order.
    """
    total: Counter[Entry] = Counter()
    for _, found in played:
        total.update(found)
    largest = {s.scenario: s for s, _ in sorted(played, key=lambda pair: pair[0].heroes)}
    games = [Game(s.number - seed, s.seeds[0], "greedy") for s in largest.values()][:size]
    seen: set[Entry] = set()
    for entry in sorted(total, key=lambda entry: (total[entry], entry)):
        if len(games) < size and entry not in seen:
            setup = max(played, key=lambda pair: pair[1][entry] / len(pair[0].seeds))[0]
            policy, core_seed, found = find_game(tools, pack, setup, entry)
            games.append(Game(setup.number - seed, core_seed, policy))
            seen |= set(found)
    return games + any_games(played, seed, size - len(games), 0)


def any_games(played: Sequence[Played], seed: int, size: int, nth: int) -> list[Game]:
    """Games spread evenly over the setups: the nth of each, by each policy in turn."""
    setups = [played[(k * len(played) + nth) // size % len(played)][0] for k in range(size)]
    return [
        Game(s.number - seed, s.seeds[nth % len(s.seeds)], POLICIES[(k + nth) % len(POLICIES)])
        for k, s in enumerate(setups)
    ]
