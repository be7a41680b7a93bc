"""The matches of a league, checked before a game is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from agemonia_env.display.messages import shown
from agemonia_env.policies import Policy, as_own
from agemonia_env.rulesets.arguments import check_number
from agemonia_env.simulation.plan import FREE, Kind, Plan, make_plan, several
from agemonia_env.simulation.progress import in_words

OTHERS = ""  # key of a mapping of games: all policies that it does not name


class Role(StrEnum):
    """The role of a player of the league."""

    POLICY = "policy"  # of the heroes
    SCENARIO = "scenario"  # whose cards move the enemies
    ENEMIES = "enemies"  # a policy that plays the enemies


@dataclass(frozen=True, order=True)
class Player:
    """A policy or scenario with a rating."""

    role: Role
    name: str


@dataclass(frozen=True)
class Match:
    """A pairing: a policy against a scenario, whose enemies a policy may play.

    plan: its games.
    """

    policy: Player
    scenario: Player
    enemies: Player | None
    plan: Plan

    def __str__(self) -> str:
        """In words: `greedy against ford, played by random`."""
        by = "" if self.enemies is None else f", played by {self.enemies.name}"
        return f"{self.policy.name} against {self.scenario.name}{by}"

    def defenders(self) -> list[Player]:
        """The players that win if the heroes lose."""
        return [self.scenario] if self.enemies is None else [self.scenario, self.enemies]


def make_matches(
    policy: str | Policy | Sequence[str | Policy],
    scenario: str | Sequence[str],
    heroes: Any,
    games: int | Mapping[str, int],
    *,
    enemy_policy: str | Policy | Sequence[str | Policy] = (),
    seed: int = 0,
    **choices: Any,
) -> list[Match]:
    """Match every policy with every scenario, moved by its cards and by every enemy policy.

    Raises ValueError naming a mistake.
    """
    policies, enemy_policies = distinct("policy", policy), distinct("enemy_policy", enemy_policy)
    check_games(games, [*policies, *enemy_policies])
    matches = []
    for name in policies:
        for enemies in (None, *enemy_policies):
            count = games_of(games, name, enemies)
            free: dict[str, Any] = (
                {} if enemies is None else {"enemy_will": FREE, "enemy_policy": enemies}
            )
            plan = make_plan(scenario, heroes, name, count, seed=seed, **choices, **free)
            matches += [
                Match(
                    Player(Role.POLICY, name),
                    Player(Role.SCENARIO, label),
                    None if enemies is None else Player(Role.ENEMIES, enemies),
                    replace(plan, kinds=(kind,)),
                )
                for kind, label in labelled(plan.kinds)
            ]
    return matches


def distinct(name: str, given: Any) -> list[str]:
    """One or several policies as a list of names; ValueError for a repeated one."""
    names = [as_own(policy) for policy in several(given)] if given else []
    if len(set(names)) < len(names):
        raise ValueError(f"{name}={shown(names)}: each at most once")
    return names


def check_games(games: int | Mapping[str, int], players: Sequence[str]) -> None:
    """ValueError for an invalid number of games, or one for an unknown policy."""
    for name, count in games.items() if isinstance(games, Mapping) else [(OTHERS, games)]:
        check_number(f"games of {name}" if name else "games", count, 1)
        if name not in (OTHERS, *players):
            raise ValueError(f"games of {shown(name)}: no such policy; {', '.join(players)} play")


def games_of(games: int | Mapping[str, int], *players: str | None) -> int:
    """The number of games of a match: the smallest of its players' numbers."""
    if not isinstance(games, Mapping):
        return games
    own = [games[name] for name in players if name is not None and name in games]
    if own:
        return min(own)
    if OTHERS not in games:
        raise ValueError(f"games={shown(games)}: add a number for all others, {OTHERS!r}: N")
    return games[OTHERS]


def labelled(kinds: Sequence[Kind]) -> Iterator[tuple[Kind, str]]:
    """Each kind of game with a distinct name: its scenario, and what differs from the others."""
    several_parties = len({kind.party for kind in kinds}) > 1
    several_words = len({kind.difficulty for kind in kinds}) > 1
    levels: dict[str, set[int | None]] = {}
    for kind in kinds:
        levels.setdefault(kind.scenario, set()).add(kind.level)
    for kind in kinds:
        words = [kind.scenario]
        if several_parties:
            heroes = in_words(kind.party)
            words.append(f"{heroes} heroes" if heroes.isdigit() else heroes)
        if len(levels[kind.scenario]) > 1:
            words.append(f"level {kind.level}")
        if several_words:
            words.append(str(kind.difficulty))
        yield kind, ", ".join(words)
