"""Who plays against what, checked as a whole before a game is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from agemonia_env.display.messages import shown
from agemonia_env.simulation.plan import FREE, Kind, Plan, make_plan, number, several
from agemonia_env.simulation.progress import in_words

OTHERS = ""  # in a mapping of games: of policies that it does not name


class Role(StrEnum):
    """What a player of the league is."""

    POLICY = "policy"  # of the Heroes
    SCENARIO = "scenario"  # with Enemies that their cards move
    ENEMIES = "enemies"  # a policy that moves them instead


@dataclass(frozen=True, order=True)
class Player:
    """Somebody, or something, that has a rating."""

    role: Role
    name: str


@dataclass(frozen=True)
class Match:
    """One pairing: a policy against a scenario, which a policy of the Enemies may stand by.

    plan: its games.
    """

    policy: Player
    scenario: Player
    enemies: Player | None
    plan: Plan

    def __str__(self) -> str:
        """It in words: `greedy against ford, played by random`."""
        by = "" if self.enemies is None else f", played by {self.enemies.name}"
        return f"{self.policy.name} against {self.scenario.name}{by}"

    def in_full(self) -> str:
        """The same with all that a league of other parties may have otherwise."""
        kind = self.plan.kinds[0]
        return f"{self}, {kind.party}, {kind.level}, {kind.difficulty}"

    def defenders(self) -> list[Player]:
        """Those who win where the Heroes lose."""
        return [self.scenario] if self.enemies is None else [self.scenario, self.enemies]


def make_matches(
    policy: str | Sequence[str],
    scenario: str | Sequence[str],
    heroes: Any,
    games: int | Mapping[str, int],
    *,
    enemy_policy: str | Sequence[str] = (),
    seed: int = 0,
    **choices: Any,
) -> list[Match]:
    """Every policy in every scenario, moved by its cards and by every policy of the Enemies.

    Raises ValueError naming what is wrong.
    """
    policies, rivals = distinct("policy", policy), distinct("enemy_policy", enemy_policy)
    check_games(games, [*policies, *rivals])
    matches = []
    for name in policies:
        for rival in (None, *rivals):
            count = games_of(games, name, rival)
            free: dict[str, Any] = (
                {} if rival is None else {"enemy_will": FREE, "enemy_policy": rival}
            )
            plan = make_plan(scenario, heroes, name, count, seed=seed, **choices, **free)
            matches += [
                Match(
                    Player(Role.POLICY, name),
                    Player(Role.SCENARIO, label),
                    None if rival is None else Player(Role.ENEMIES, rival),
                    replace(plan, kinds=(kind,)),
                )
                for kind, label in labelled(plan.kinds)
            ]
    return matches


def distinct(name: str, given: str | Sequence[str]) -> list[str]:
    """One name or several, each once."""
    names = several(given) if given else []
    if len(set(names)) < len(names):
        raise ValueError(f"{name}={shown(names)}: each at most once")
    return names


def check_games(games: int | Mapping[str, int], players: Sequence[str]) -> None:
    """ValueError if a number of games is none, or is of nobody."""
    for name, count in games.items() if isinstance(games, Mapping) else [(OTHERS, games)]:
        number(f"games of {name}" if name else "games", count, 1)
        if name not in (OTHERS, *players):
            raise ValueError(
                f"games of {shown(name)}: nobody has this name; {', '.join(players)} play"
            )


def games_of(games: int | Mapping[str, int], *players: str | None) -> int:
    """How many games a match has: as few as one of its players has time for."""
    if not isinstance(games, Mapping):
        return games
    own = [games[name] for name in players if name is not None and name in games]
    if own:
        return min(own)
    if OTHERS not in games:
        raise ValueError(f"games={shown(games)}: a number for all others is missing")
    return games[OTHERS]


def labelled(kinds: Sequence[Kind]) -> Iterator[tuple[Kind, str]]:
    """Each kind of game with its name: that of the scenario, and what tells it from the others."""
    several_parties = len({kind.party for kind in kinds}) > 1
    several_words = len({kind.difficulty for kind in kinds}) > 1
    levels: dict[str, set[int | None]] = {}
    for kind in kinds:
        levels.setdefault(kind.scenario, set()).add(kind.level)
    for kind in kinds:
        words = [kind.scenario]
        if several_parties:
            heroes = in_words(kind.party)
            words.append(f"{heroes} Heroes" if heroes.isdigit() else heroes)
        if len(levels[kind.scenario]) > 1:
            words.append(f"level {kind.level}")
        if several_words:
            words.append(str(kind.difficulty))
        yield kind, ", ".join(words)
