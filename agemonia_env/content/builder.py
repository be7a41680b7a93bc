"""From schema models to one CONTENT record: `Builder` adds things row by row and returns the rows.

Everything that is absent is -1 in an index field and 0 in a count, also in rows never used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..agemonia import layout, terms
from ..agemonia.terms import Op
from ..kernel.jit import zeros
from . import board as boards
from . import schema
from .names import Names

Content = npt.NDArray[np.void]

DEFAULT_BANDS = {"melee": (-1, -1), "ranged": (1, 3), "magic": (0, 3)}
SIZES = {"normal": 1, "large": 2, "huge": 3}
FACES = {0: 0, 1: 1, 2: 2, "X": layout.FACE_EXTRA, "S": layout.FACE_SYMBOL, "H": layout.FACE_SYMBOL}


def ability(name: str) -> int:
    """terms.Ability of a name."""
    return terms.Ability[name.upper()].value


def ability_bits(names: Sequence[str]) -> int:
    """Bits 1 << terms.Ability of the abilities offered (R3.10)."""
    return sum(1 << ability(name) for name in set(names))


def colour(name: str) -> int:
    """terms.Colour of a name."""
    return terms.Colour[name.upper()].value


def condition(name: str) -> int:
    """terms.Condition of a name."""
    return terms.Condition[name.upper()].value


def condition_bits(names: Iterable[str]) -> int:
    """Bits `1 << Condition` of names."""
    return sum(1 << condition(name) for name in set(names))


def special_bits(names: Iterable[str]) -> int:
    """terms.Special bits of names."""
    return sum(terms.Special[name.upper()].value for name in set(names))


def attack_type(name: str) -> int:
    """terms.AttackType of a name."""
    return terms.AttackType[name.upper()].value


def _or_none(value: int | None) -> int:
    """-1 for what is not said."""
    return -1 if value is None else value


def _levels(levels: schema.Levels | schema.Abilities) -> list[int]:
    return [levels.might, levels.agility, levels.will]


class Builder:
    """Fills one CONTENT record. Methods return row indices and raise ValueError beyond limits.

    Order is free but for two things: `add_map` comes before what stands on areas, and a Hero's
    passive actions come along with its actions. An Enemy type may be named before it is added.
    """

    def __init__(self, rulings: schema.Rulings | None = None) -> None:
        self.content: Content = zeros(layout.CONTENT)
        self.record: Any = self.content[0]
        self._counts: dict[str, int] = {}
        self._areas: list[str] = []
        self._allies: list[str] = []
        self._tokens: list[list[str]] = []
        self._types: list[str] = []
        self._filled: set[int] = set()
        self._passives: list[str] = []
        self._items: list[str] = []
        self._stories: list[str] = []
        self._injuries: list[str] = []
        self._traps: list[str] = []
        self._events: list[str] = []
        self._clear_indices()
        self.rulings = rulings or schema.Rulings()
        self._set_rulings()

    def _clear_indices(self) -> None:
        """-1 wherever a field names something that is not there yet."""
        record = self.record
        for name in ("range", "melee", "line", "story", "start", "setup_type", "setup_area"):
            record[name][...] = -1
        record["sheet"]["token"][...] = -1
        record["sheet"]["weapon_min"][...] = -1
        record["sheet"]["weapon_max"][...] = -1
        for field in ("range_min", "range_max"):
            record["attack"][field][...] = -1
        for field in ("value", "range", "area"):
            record["strike"][field][...] = -1
        for field in ("a", "b"):
            record["effect"][field][...] = -1
        for field in ("riposte_range", "riposte_type"):
            record["passive"][field][...] = -1
        for field in ("strike", "leave"):
            record["type"][field][...] = -1
        record["event"]["subject"][...] = -1
        record["objective_subject"] = -1

    def _set_rulings(self) -> None:
        record, rulings = self.record, self.rulings
        record["action_die"][...] = [FACES[face] for face in rulings.action_die]
        record["reaction_die"][...] = [FACES[face] for face in rulings.reaction_die]
        record["disarm_number"] = rulings.disarm
        record["climb_number"] = rulings.climb
        record["rope_number"] = rulings.rope
        record["fall_value"] = rulings.fall_value
        record["fall_damage_enemy"] = rulings.fall_damage_enemy
        record["fall_ability"] = ability(rulings.fall_ability)
        record["fall_condition"] = condition(rulings.fall_condition)
        record["dominated_damage"] = rulings.dominated_damage
        record["dominated_range"] = rulings.dominated_range

    def _row(self, table: str, size: int, n: int = 1) -> int:
        """First of `n` fresh rows of a table of `size` rows."""
        first = self._counts.get(table, 0)
        if first + n > size:
            raise ValueError(f"too many rows of {table}: {first + n}, at most {size}")
        self._counts[table] = first + n
        return first

    # ---- the map ----------------------------------------------------------------------------
    def add_map(self, source: schema.MapCard | boards.Board) -> boards.Board:
        """Areas, borders, stories, traps, ropes, and every table derived from them."""
        board = boards.board_of(source) if isinstance(source, schema.MapCard) else source
        record, n = self.record, len(board.areas)
        self._areas = [area.name for area in board.areas]
        record["n_areas"] = n
        for i, area in enumerate(board.areas):
            record["capacity"][i] = area.capacity
            record["level"][i] = area.level
            record["trap_at"][i] = area.trap
            if area.story:
                record["story"][i] = self.add_story(area.story.section)
                record["story_by_any"][i] = area.story.by == "any"
        for x, y in board.ropes:
            record["rope"][x] |= 1 << y
            record["rope"][y] |= 1 << x
        lines = boards.clear_lines(board)
        record["border"][...] = boards.border_table(board)
        record["range"][...] = boards.range_table(board)
        record["melee"][...] = boards.melee_table(board)
        record["sees"][...] = boards.sight_table(lines, n)
        record["n_crossings"][...], record["crossing"][...] = boards.crossing_tables(board, lines)
        first, length, table = boards.line_tables(lines, n)
        record["line_first"][...] = first
        record["line_length"][...] = length
        record["line"][...] = table
        return board

    def add_story(self, section: str) -> int:
        """Index of a story section, the same for the same name."""
        return self._intern(self._stories, section)

    def add_item(self, name: str) -> int:
        """Index of an item, the same for the same name."""
        return self._intern(self._items, name)

    @staticmethod
    def _intern(names: list[str], name: str) -> int:
        if name not in names:
            names.append(name)
        return names.index(name)

    # ---- Allies -----------------------------------------------------------------------------
    def add_ally(
        self, name: str, sheet: schema.HeroSheet | schema.CompanionSheet, start: int = 0
    ) -> int:
        """Slot of a Hero or Non-Hero Ally that starts in area `start` (-1 = off the map).

        A Hero gets the printed Focus and Extra Maneuver tokens (R5.2).
        """
        slot = self._row("ally", layout.N_ALLIES)
        self._allies.append(name)
        self._tokens.append([])
        self.record["n_allies"] = slot + 1
        self.record["start"][slot] = start
        board = self.record["sheet"][slot]
        board["ability"][...] = _levels(sheet)
        board["taunt"] = sheet.taunt
        board["evade"] = sheet.evade
        board["fly"] = sheet.fly
        board["h_worth"] = sheet.h_worth
        if isinstance(sheet, schema.HeroSheet):
            self._add_hero(slot, sheet)
        else:
            self._add_companion(slot, sheet)
        return slot

    def _add_hero(self, slot: int, sheet: schema.HeroSheet) -> None:
        board = self.record["sheet"][slot]
        self.record["n_heroes"] += 1
        if self.record["n_heroes"] > layout.N_HEROES_MAX:
            raise ValueError(f"at most {layout.N_HEROES_MAX} Heroes")
        board["kind"] = terms.Kind.HERO
        board["size"] = 1
        board["blue"] = sheet.blue
        board["red"] = (sheet.blue + 1) // 2 if sheet.red is None else sheet.red
        board["move_free"] = sheet.move.free
        board["move_paid"] = sheet.move.paid
        board["move_cost"] = sheet.move.cost
        board["recover_stamina"] = sheet.recover.stamina
        board["recover_damage"] = sheet.recover.damage
        board["colour"] = colour("green")
        plain = [schema.Weapon(type=kind) for kind in ("melee", "ranged", "magic")]
        self._arm(slot, plain if sheet.weapons is None else sheet.weapons)
        rulings = self.rulings
        self.add_action(slot, schema.ActionCard(name="Focus", colour=rulings.focus_colour))
        self.add_action(
            slot, schema.ActionCard(name="Extra Maneuver", colour=rulings.extra_maneuver_colour)
        )

    def _add_companion(self, slot: int, sheet: schema.CompanionSheet) -> None:
        board = self.record["sheet"][slot]
        board["kind"] = terms.Kind.COMPANION
        board["health"] = sheet.health
        board["move_free"] = sheet.move
        board["move_paid"] = sheet.move
        board["recover_damage"] = sheet.recover
        board["colour"] = colour(sheet.colour)
        board["size"] = SIZES[sheet.size]
        plain = [schema.Weapon(type=kind) for kind in ("melee", "ranged", "magic")]
        self._arm(slot, plain)  # R9.16: it needs no weapon

    def _arm(self, slot: int, weapons: Sequence[schema.Weapon]) -> None:
        board = self.record["sheet"][slot]
        for weapon in weapons:
            kind = attack_type(weapon.type)
            if board["armed"][kind]:
                raise ValueError(f"two active {weapon.type} weapons: {weapon.name}")
            band = weapon.range or DEFAULT_BANDS[weapon.type]
            board["armed"][kind] = 1
            board["weapon_bonus"][kind] = weapon.bonus
            board["weapon_min"][kind], board["weapon_max"][kind] = band

    def add_action(self, ally: int, card: schema.ActionCard) -> int:
        """Token slot of an action of the Ally in slot `ally`; its row is sheet.token[slot]."""
        board = self.record["sheet"][ally]
        slot = int(board["n_tokens"])
        if slot >= layout.N_TOKENS:
            raise ValueError(f"{self._allies[ally]}: at most {layout.N_TOKENS} action tokens")
        row = self._row("token", layout.N_ALLIES * layout.N_TOKENS)
        board["token"][slot] = row
        board["n_tokens"] = slot + 1
        self._tokens[ally].append(card.name)
        token = self.record["token"][row]
        token["colour"] = colour(card.colour)
        token["cost"] = card.cost
        token["gem"] = card.gem
        token["special"] = special_bits(card.special)
        token["first"], token["n"] = self.add_effects(card.effects, card.name)
        return slot

    def add_effects(self, effects: Sequence[schema.Effect], name: str = "") -> tuple[int, int]:
        """Effect rows (first, n) of what an action does; `name` is given to its passive rows."""
        rows: list[tuple[int, int, int, int]] = []
        for effect in effects:
            rows.append(self._effect(effect, name))
        return self._effect_rows(rows)

    def _effect(self, effect: schema.Effect, name: str) -> tuple[int, int, int, int]:
        """(op, amount, range, a) of an effect."""
        for key, op in HELPS.items():
            help_ = getattr(effect, key)
            if help_ is not None:
                return op, help_.amount, help_.range, -1
        for key, op in AMOUNTS.items():
            amount = getattr(effect, key)
            if amount is not None:
                return op, amount, 0, -1
        if effect.attack is not None:
            return Op.ATTACK, 0, 0, self.add_attack(effect.attack)
        if effect.gain is not None:
            return Op.GAIN, 0, effect.gain.range, condition(effect.gain.condition)
        if effect.afflict is not None:
            return Op.AFFLICT, 0, effect.afflict.range, condition(effect.afflict.condition)
        if effect.set_trap is not None:
            return Op.SET_TRAP, 1, effect.set_trap.range, -1
        if effect.lock is not None:
            return Op.LOCK, 0, 0, self.add_passive(name or effect.lock.name, effect.lock)
        assert effect.discard_one is not None
        return Op.DISCARD_ONE, 1, effect.discard_one.range, -1

    def _effect_rows(self, rows: Sequence[tuple[int, ...]]) -> tuple[int, int]:
        """Write (op, amount, range, a[, b]) rows; (first, n)."""
        first = self._row("effect", layout.N_EFFECTS, len(rows))
        for row, values in enumerate(rows, first):
            op, amount, reach, a, *b = values
            self.record["effect"][row] = (int(op), amount, reach, a, b[0] if b else -1)
        return first, len(rows)

    def add_attack(self, card: schema.Attack) -> int:
        """Attack row of an Ally's attack."""
        row = self._row("attack", layout.N_ATTACKS)
        attack = self.record["attack"][row]
        attack["types"] = sum(1 << attack_type(name) for name in set(card.type))
        attack["shape"] = terms.Shape[card.shape.upper()]
        attack["has_centre"] = card.shape == "area" and card.range is not None
        if card.range is not None:
            attack["range_min"], attack["range_max"] = card.range
        attack["conditions"] = condition_bits(card.condition)
        for field in ("dice", "bonus", "value", "targets", "radius", "length", "pierce", "push"):
            attack[field] = getattr(card, field)
        for field in ("pull", "double", "drain", "non_elite", "ignore_aim", "effect_only"):
            attack[field] = getattr(card, field)
        return row

    def add_passive(self, name: str, card: schema.Passive) -> int:
        """Passive row of a passive action or locked item."""
        row = self._row("passive", layout.N_PASSIVES)
        self._passives.append(name)
        passive = self.record["passive"][row]
        passive["need"] = card.need
        passive["reactive"][...] = _levels(card.reactive)
        passive["h_worth"][...] = _levels(card.h_worth)
        for field in ("evade", "mirror", "revenge", "fly"):
            passive[field] = getattr(card, field)
        riposte = card.riposte
        passive["riposte"] = riposte.amount
        passive["riposte_range"] = _or_none(riposte.range)
        passive["riposte_type"] = -1 if riposte.type is None else attack_type(riposte.type)
        passive["riposte_when"] = terms.RiposteWhen[riposte.when.upper()]
        return row

    # ---- Enemies ----------------------------------------------------------------------------
    def type_index(self, name: str) -> int:
        """Index of an Enemy type, added or to be added."""
        if name not in self._types:
            if len(self._types) == layout.N_TYPES:
                raise ValueError(f"at most {layout.N_TYPES} Enemy types; {name} is one more")
            self._types.append(name)
        return self._types.index(name)

    def add_enemy_type(self, name: str, card: schema.EnemySheet) -> int:
        """Index of an Enemy type with its card."""
        index = self.type_index(name)
        if index in self._filled:
            raise ValueError(f"Enemy type {name} is there already")
        self._filled.add(index)
        self.record["n_types"] = len(self._types)
        kind = self.record["type"][index]
        kind["figures"] = index
        kind["colour"] = colour(card.colour)
        kind["base"] = card.health.base
        kind["per_hero"] = card.health.per_hero
        for field in ("shield", "provoke", "provoke_range", "provoke_loss", "supply"):
            kind[field] = getattr(card, field)
        for field in ("fly", "mirror", "revenge"):
            kind[field] = getattr(card, field)
        kind["elite"] = "elite" in {tag.lower() for tag in card.tags}
        kind["size"] = SIZES[card.size]
        for eye in terms.Eye:
            action: schema.EnemyAction = getattr(card.actions, eye.name.lower())
            kind["move"][eye] = action.move
            kind["strike"][eye] = -1 if action.attack is None else self.add_strike(action.attack)
            first, n = self.add_additions(action.horns)
            kind["horns_first"][eye], kind["horns_n"][eye] = first, n
        kind["snake_first"], kind["snake_n"] = self.add_additions(card.snake)
        leave = card.defeat.leave if card.defeat else None
        kind["leave"] = -1 if leave is None else self.add_item(leave)
        return index

    def add_strike(self, card: schema.Strike) -> int:
        """Strike row of an Enemy's attack."""
        row = self._row("strike", layout.N_STRIKES)
        strike = self.record["strike"][row]
        strike["type"] = attack_type(card.type)
        strike["value"] = _or_none(card.value)
        strike["ability"] = ability(card.ability)
        strike["range"] = _or_none(card.range)
        strike["area"] = _or_none(card.area)
        strike["targets"] = card.target
        strike["conditions"] = condition_bits(card.condition)
        for field in ("push", "pull", "loss", "drain"):
            strike[field] = getattr(card, field)
        if card.or_else is not None:
            strike["or_else"] = 1
            strike["or_else_abilities"] = ability_bits(card.or_else.ability)
            strike["or_else_number"] = card.or_else.number
            strike["or_else_conditions"] = condition_bits(card.or_else.condition)
            strike["or_else_damage"] = card.or_else.damage
        return row

    def add_additions(self, card: schema.Horns | schema.Snake | None) -> tuple[int, int]:
        """Effect rows (first, n) of what horns or snake add to an Enemy's action (R10.37)."""
        if card is None:
            return 0, 0
        rows: list[tuple[int, int, int, int]] = []
        attack = card.attack if isinstance(card, schema.Snake) else None
        if attack is not None:
            rows.append((Op.STRIKE, 1, 0, self.add_strike(attack)))
        rows += [
            (op, int(getattr(card, k)), 0, -1) for k, op in ADDITIONS.items() if getattr(card, k)
        ]
        rows += [(Op.ADD_CONDITION, 1, 0, condition(name)) for name in card.condition]
        if card.heal is not None:
            rows.append(
                (Op.ENEMY_HEAL, -1 if card.heal.amount == "full" else card.heal.amount, 0, -1)
            )
        if card.spawn is not None:
            rows.append((Op.SPAWN, card.spawn.amount, 0, self.type_index(card.spawn.type)))
        if card.set_trap is not None:
            rows.append((Op.SET_TRAP, 1, card.set_trap.range, -1))
        return self._effect_rows(rows)

    def add_setup(self, type_: int, area: int) -> None:
        """Place one Enemy at set-up."""
        row = self._row("setup", layout.N_SETUP)
        self.record["setup_type"][row] = type_
        self.record["setup_area"][row] = area
        self.record["n_setup"] = row + 1

    # ---- decks ------------------------------------------------------------------------------
    def add_card(self, card: schema.InitiativeCard) -> int:
        """Index of an Initiative card."""
        row = self._row("card", layout.N_CARDS)
        self.record["n_cards"] = row + 1
        entry = self.record["card"][row]
        entry["shuffle"] = card.shuffle
        for i, bar in enumerate(card.bars):
            entry["enemy"][i] = bar.enemy
            entry["colour"][i] = colour(bar.colour)
            entry["bonus"][i] = bar.bonus
            entry["eye"][i] = terms.Eye[bar.eye.upper()]
            entry["horns"][i] = bar.horns
            entry["snake"][i] = bar.snake
        return row

    def add_fate(self, value: int) -> int:
        """Index of a Fate card."""
        row = self._row("fate", layout.N_FATE)
        self.record["n_fate"] = row + 1
        self.record["fate"][row] = value
        return row

    def add_injury(self, card: schema.InjuryCard) -> int:
        """Index of an Injury card."""
        row = self._row("injury", layout.N_INJURIES)
        self._injuries.append(card.name)
        self.record["n_injuries"] = row + 1
        injury = self.record["injury"][row]
        injury["dice"][...] = _levels(card.dice)
        injury["move"] = card.move
        injury["recover"] = card.recover
        return row

    def add_trap(self, card: schema.TrapCard) -> int:
        """Index of a Trap card."""
        row = self._row("trap", layout.N_TRAPS)
        self._traps.append(card.name)
        self.record["n_traps"] = row + 1
        trap = self.record["trap"][row]
        trap["damage"] = card.damage
        trap["conditions"] = condition_bits(card.condition)
        if card.check is not None:
            trap["number"] = card.check.number
            trap["abilities"] = ability_bits(card.check.ability)
        return row

    # ---- the scenario -----------------------------------------------------------------------
    def add_event(
        self,
        when: terms.When,
        number: int,
        subject: int,
        rows: Sequence[tuple[int, int, int, int, int]],
        text: str = "",
    ) -> int:
        """Index of a scenario event; `rows` are (op, amount, range, a, b)."""
        row = self._row("event", layout.N_EVENTS)
        self._events.append(text)
        self.record["n_events"] = row + 1
        first, n = self._effect_rows(rows)
        self.record["event"][row] = (int(when), number, subject, first, n)
        return row

    def set_objective(
        self, objective: terms.Objective, subject: int = -1, number: int = 0, goal: int = 0
    ) -> None:
        """R19.12 - how the scenario is won; `goal` are area bits."""
        self.record["objective"] = objective
        self.record["objective_subject"] = subject
        self.record["objective_number"] = number
        self.record["goal"] = goal

    def set_timer(self, round_: int, target: int, repeats: bool) -> None:
        """R19.1 - the timer starts with the Fate card of round `round_`."""
        self.record["timer_round"] = round_
        self.record["timer_target"] = target
        self.record["timer_repeats"] = repeats

    # ---- the end ----------------------------------------------------------------------------
    def finish(self) -> Content:
        """The record, shape (1,). An Injury or Trap deck without cards gets one without effect.

        Raises ValueError for an Enemy type that was named but never added.
        """
        missing = [n for i, n in enumerate(self._types) if i not in self._filled]
        if missing:
            raise ValueError(f"no Enemy card for {', '.join(missing)}")
        if not self._injuries:
            self.add_injury(schema.InjuryCard(name="injury"))
        if not self._traps:
            self.add_trap(schema.TrapCard(name="trap"))
        return self.content

    def names(self) -> Names:
        """Names of everything added so far, by index."""
        return Names(
            areas=tuple(self._areas),
            allies=tuple(self._allies),
            types=tuple(self._types),
            tokens=tuple(tuple(tokens) for tokens in self._tokens),
            passives=tuple(self._passives),
            items=tuple(self._items),
            stories=tuple(self._stories),
            injuries=tuple(self._injuries),
            traps=tuple(self._traps),
            events=tuple(self._events),
        )


HELPS = {
    "heal": Op.HEAL,
    "restore": Op.RESTORE,
    "mixed": Op.MIXED,
    "roll_heal": Op.ROLL_HEAL,
    "roll_restore": Op.ROLL_RESTORE,
}
AMOUNTS = {"move": Op.MOVE, "evade": Op.EVADE, "gem": Op.GEM}
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
}
