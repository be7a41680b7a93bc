"""Effect rows: what actions, items, Enemy cards, events and sections do, as (op, amount, range, a).

A row that names an area has it as a fifth number. terms.Op says what the numbers of each op mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..core.terms import Op
from . import schema
from .words import ability, attack_type, condition, or_none

Row = tuple[int, ...]


class Rows(Protocol):
    """Rows that effect rows refer to (see Builder): each method adds or finds one."""

    def add_attack(self, card: schema.Attack) -> int: ...  # noqa: D102
    def add_passive(self, name: str, card: schema.Passive) -> int: ...  # noqa: D102
    def add_strike(self, card: schema.Strike) -> int: ...  # noqa: D102
    def add_item(self, key: str) -> int: ...  # noqa: D102
    def figure_index(self, key: str) -> int: ...  # noqa: D102
    def ally_slot(self, key: str) -> int: ...  # noqa: D102
    def type_index(self, name: str) -> int: ...  # noqa: D102


ADDITIONS = {
    "move": Op.ADD_MOVE,
    "value": Op.ADD_VALUE,
    "range": Op.ADD_RANGE,
    "area": Op.ADD_AREA,
    "drain": Op.ADD_DRAIN,
    "push": Op.ADD_PUSH,
    "pull": Op.ADD_PULL,
    "target": Op.ADD_TARGET,
    "fly": Op.FLY,
    "self_damage": Op.ENEMY_SELF,
    "snake": Op.SNAKE,
    "story_token": Op.STORY_TOKEN,
}
NUMBERS = {
    "start_timer": Op.START_TIMER,
    "stop_timer": Op.STOP_TIMER,
    "advance": Op.ADVANCE,
    "give_gem": Op.GIVE_GEM,
    "harm": Op.HARM,
    "cure": Op.CURE,
    "fail": Op.FAIL,
    "succeed": Op.SUCCEED,
}
EVERY, PICKED = -1, 3  # abilities of Op.ABILITY beside a single one


# ---- actions and items ----------------------------------------------------------------------
def effect_row(builder: Rows, effect: schema.Effect, name: str) -> Row:
    """The row of an effect; `name` is given to the passive row that a lock needs.

    A key of schema.Effect is the name of its op. What the key holds decides the other numbers.
    """
    (key,) = effect.model_fields_set
    op, part = Op[key.upper()], getattr(effect, key)
    match part:
        case int():
            return op, part, 0, -1
        case schema.Reach():
            return op, 1, part.range, -1
        case schema.Help():
            return op, part.amount, part.range, -1
        case schema.Shove():
            own = 1 if op == Op.PUSH else part.amount  # R7.50
            return op, part.amount, own if part.range is None else part.range, -1
        case schema.Give() | schema.Afflict():
            return op, 0, part.range, condition(part.condition)
        case schema.Attack():
            return op, 0, 0, builder.add_attack(part)
        case schema.Passive():
            return op, 0, 0, builder.add_passive(name or part.name, part)
        case schema.AttackDice():
            return op, part.amount, 0, attack_type(part.type)
        case schema.AbilityBonus():
            return (
                op,
                part.amount,
                0,
                {"all": EVERY, "any": PICKED}.get(part.ability) or ability(part.ability),
            )
    return _summoning_row(builder, op, part)


def _summoning_row(builder: Rows, op: Op, part: Any) -> Row:
    """The row of an effect that puts something on the map, or moves it (R18.6, R18.7)."""
    match part:
        case schema.Summon():
            return op, 1, part.range, builder.figure_index(part.figure)
        case schema.Command():
            return op, part.move, 0, builder.figure_index(part.figure)
        case schema.SummonAlly():
            return op, 1, part.range, builder.ally_slot(part.ally)
        case schema.Portal():
            return op, 1, part.range, or_none(part.reach)
    raise AssertionError(f"no row for {op.name}")


# ---- Enemies --------------------------------------------------------------------------------
def addition_rows(builder: Rows, card: schema.Horns | schema.Snake) -> list[Row]:
    """R10.37 - what horns or snake add to an Enemy's action."""
    rows: list[Row] = []
    attack = card.attack if isinstance(card, schema.Snake) else None
    if attack is not None:
        rows.append((Op.STRIKE, 1, 0, builder.add_strike(attack)))
    if card.teleport:
        rows.append((Op.ENEMY_TELEPORT, 1, card.teleport, -1))
    rows += [(op, int(getattr(card, k)), 0, -1) for k, op in ADDITIONS.items() if getattr(card, k)]
    rows += [(Op.ADD_CONDITION, 1, 0, condition(name)) for name in card.condition]
    if card.heal is not None:
        rows.append((Op.ENEMY_HEAL, -1 if card.heal.amount == "full" else card.heal.amount, 0, -1))
    return rows + _arrivals(builder, card)


def defeat_rows(builder: Rows, card: schema.Defeat) -> list[Row]:
    """R10.40 - what the defeat box of an Enemy card does, besides what it leaves."""
    rows: list[Row] = []
    if card.burst is not None:
        burst = card.burst
        gained = -1 if burst.condition is None else condition(burst.condition)
        rows.append((Op.BURST, burst.damage, burst.range, gained))
    return rows + _arrivals(builder, card)


def _arrivals(builder: Rows, card: schema.Horns | schema.Defeat) -> list[Row]:
    """R10.47, R10.38 - figures and traps that an Enemy places."""
    rows: list[Row] = []
    if card.spawn is not None:
        rows.append((Op.SPAWN, card.spawn.amount, 0, builder.type_index(card.spawn.type)))
    if card.set_trap is not None:
        rows.append((Op.SET_TRAP, 1, card.set_trap.range, -1))
    return rows


# ---- events and story sections --------------------------------------------------------------
def consequence_row(builder: Rows, effect: schema.Consequence, area: Callable[[str], int]) -> Row:
    """The row of what an event or section does; `area` gives the index of an area's letter."""
    for key, op in NUMBERS.items():
        if (amount := getattr(effect, key)) is not None:
            return op, int(amount), 0, -1, -1
    if effect.reinforce is not None:
        new = effect.reinforce
        op = Op.REINFORCE_PER_HERO if new.per_hero else Op.REINFORCE
        return op, new.amount, 0, builder.type_index(new.type), area(new.area)
    if effect.trap is not None:
        return Op.TRAP, 1, 0, -1, area(effect.trap)
    if effect.item is not None:
        return Op.ITEM, 1, 0, builder.add_item(effect.item.item), area(effect.item.area)
    if effect.activate is not None:
        return Op.ACTIVATE, int(effect.activate.active), 0, -1, area(effect.activate.area)
    if effect.affect is not None:
        return Op.AFFECT, 1, 0, condition(effect.affect), -1
    if effect.join is not None:
        return Op.JOIN, 1, 0, builder.ally_slot(effect.join.ally), area(effect.join.area)
    assert effect.fortify is not None
    return Op.FORTIFY, effect.fortify.amount, 0, builder.type_index(effect.fortify.type), -1
