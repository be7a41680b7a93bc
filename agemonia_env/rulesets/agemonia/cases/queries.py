"""The `query` and `initiative` verbs: what the core says about a position."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agemonia_env.rulesets.case_files import Plain
from agemonia_env.rulesets.case_runner import RefusalError, first_arguments

from ..core import api, layout
from ..core.commands import N_ANSWERS, N_ARGUMENTS, Query, Verb
from ..core.terms import AttackType, Eye, Special
from .world import World


def perform(world: World, verb: Verb, *values: int) -> None:
    """Perform a verb that is no rule of the game."""
    args = first_arguments(values, N_ARGUMENTS)
    api.perform(world.states, world.contents, int(verb), args, api.NO_ROWS)


def ask(world: World, query: Query, *values: int) -> npt.NDArray[np.int16]:
    """The core's answer to a query, int16 (N_ANSWERS,). Raises RefusalError if it is denied."""
    out = np.zeros(N_ANSWERS, np.int16)
    args = first_arguments(values, N_ARGUMENTS)
    api.query(world.states, world.contents, int(query), args, out)
    return out


def capacity(world: World, area: int) -> dict[str, Plain]:
    """R7.3, R7.4 of an area."""
    used, maximum, full = ask(world, Query.CAPACITY, area)[:3].tolist()
    return {"used": used, "maximum": maximum, "full": bool(full)}


def answer(world: World, index: int, asked: Any) -> dict[str, Plain]:
    """The result of a `query` step."""
    given = asked.given
    match asked.verb:
        case "hindered":
            return {"hindered": bool(ask(world, Query.HINDERED, world.ally(given))[0])}
        case "range":
            distance = int(ask(world, Query.RANGE, *map(world.place_of, given))[0])
            return {"range": distance if distance >= 0 else None}
        case "sees":
            return {"sees": bool(ask(world, Query.SEES, *map(world.place_of, given))[0])}
        case "capacity":
            return capacity(world, world.area(given))
        case "aim":
            return _aim(world, world.figure(given.who), world.figure(given.target))
        case "targets":
            return _targets(world, index, given)
    return _enemy_targets(world, index, given)


def _aim(world: World, *codes: int) -> dict[str, Plain]:
    """Whether the aim between an Ally and an Enemy is obstructed."""
    n, m = layout.N_ALLIES, layout.N_ALLIES + layout.N_ENEMIES
    if not min(codes) < n <= max(codes) < m:
        raise RefusalError("aim is between an Ally and an Enemy")
    return {"obstructed": bool(ask(world, Query.AIM, *codes)[0])}


def _targets(world: World, index: int, given: Any) -> dict[str, Plain]:
    """Enemies that an Ally may attack."""
    slot, kind = world.ally(given.who), AttackType[given.type.upper()]
    out = ask(world, Query.TARGETS, slot, world.rows[index], kind)
    return {"targets": [*sorted(n for n, e in _standing(world).items() if out[e])]}


def _standing(world: World) -> dict[str, int]:
    """Enemies that are not gone, by name."""
    return {name: e for name, e in world.enemies.items() if name not in world.gone}


def _enemy_targets(world: World, index: int, given: Any) -> dict[str, Plain]:
    """Allies that an Enemy may attack, and the equally best ones."""
    out = ask(world, Query.ENEMY_TARGETS, world.enemy(given.who), world.rows[index])
    return {
        "targets": [*sorted(name for name, a in world.allies.items() if out[a])],
        "chosen": [*sorted(name for name, a in world.allies.items() if out[16 + a])],
    }


# ---- the order of turns -------------------------------------------------------------------------
def initiative(world: World, index: int, given: Any) -> dict[str, Plain]:
    """Order of all turns of a round with this card, played out on a copy of the state."""
    kept, world.states = world.states, world.states.copy()
    try:
        world.states["card"] = world.rows[index]
        world.states["bar"] = 0
        for name, special in (dict.fromkeys(given.after, "after") | given.uses).items():
            _use_special(world, name, special, name in given.after)
        order = _order(world, given)
        return _signs(world, order)
    finally:
        world.states = kept


def _order(world: World, given: Any) -> list[str]:
    """Figures one after another, as the players order those that are equal."""
    order: list[str] = []
    for _ in range(layout.N_ALLIES + layout.N_ENEMIES):
        out = ask(world, Query.NEXT_FIGURE)
        codes = out[1 : 1 + int(out[0])].tolist()
        if not codes:
            break
        _act(world, given, _first(world, given, codes), order)
    late = [
        name
        for name, other in given.after.items()
        if other not in order or other not in world.allies
    ]
    if late:
        raise RefusalError(f"nobody acts after whom {', '.join(late)} could follow")
    return order


def _act(world: World, given: Any, code: int, order: list[str]) -> None:
    """The figure takes its turn; the one to follow it by After-an-Ally comes next (R15.4)."""
    name = world.figure_name(code)
    order.append(name)
    perform(world, Verb.MARK_ACTED, code)
    followers = [hero for hero, other in given.after.items() if other == name]
    out = ask(world, Query.AFTER)
    for hero in sorted(followers, key=lambda hero: _place(hero, given.allies)):
        if not out[world.ally(hero)]:
            raise RefusalError(f"{hero} cannot act right after {name}")
        _act(world, given, world.ally(hero), order)


def _use_special(world: World, name: str, special: str, waits: bool) -> None:
    """R15.7 - which of its special initiatives a Hero uses."""
    slot = world.ally(name)
    number = Special[special.upper()]
    if not int(world.state["ally"][slot]["special"]) & number:
        raise RefusalError(f"{name} has no special initiative {special}")
    if int(world.state["ally"][slot]["special"]) & Special.LAST and number != Special.LAST:
        raise RefusalError(f"{name} has Last, which steps {special}")
    perform(world, Verb.USE_SPECIAL, slot, number, int(waits))


def _first(world: World, given: Any, codes: list[int]) -> int:
    """Who of several figures is next: by the players' order, else as listed in the case.

    A figure that is to follow another Ally lets it go first (R15.4).
    """

    def rank(code: int) -> tuple[int, int, int, int]:
        if code < layout.N_ALLIES:
            name = world.ally_name(code)
            return int(name in given.after), _place(name, given.allies), code, 0
        enemy = world.state["enemy"][code - layout.N_ALLIES]
        name = world.kind_name(int(enemy["type"]))
        first = [*dict.fromkeys(world.kinds.values())].index(name)
        return 0, _place(name, given.types), first, int(enemy["number"])

    return min(codes, key=rank)


def _place(name: str, wishes: list[str]) -> int:
    """Position of a name in an order; last if it is not in it."""
    return wishes.index(name) if name in wishes else len(wishes)


def _signs(world: World, order: list[str]) -> dict[str, Plain]:
    """The order, and what the bars show for those in it: bonus maneuvers and eyes."""
    bonus: list[str] = []
    eyes: dict[str, Plain] = {}
    for name in order:
        code = world.figure(name)
        eye, horns, snake, more = ask(world, Query.BAR, code)[:4].tolist()
        if code >= layout.N_ALLIES:
            shown = [Eye(eye).name.lower(), *["horns"] * bool(horns), *["snake"] * bool(snake)]
            eyes[name] = "+".join(shown)
        elif more:
            bonus.append(name)
    return {"order": [*order], "bonus": [*sorted(bonus)], "eyes": eyes}
