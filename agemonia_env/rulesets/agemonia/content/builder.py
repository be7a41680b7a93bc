"""Build one CONTENT record from schema models: `Builder` adds cards and returns their rows.

Absent values are -1 in an index field and 0 in a count, also in unused rows.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from agemonia_env.core.jit import zeros
from agemonia_env.display.messages import shown

from ..core import layout, terms
from . import board as boards
from . import schema
from .effect_rows import Row, addition_rows, defeat_rows, effect_row
from .names import Names
from .words import (
    DEFAULT_BANDS,
    FACES,
    SIZES,
    ability,
    ability_bits,
    attack_type,
    attack_type_bits,
    colour,
    condition,
    condition_bits,
    levels,
    or_none,
    rider_bits,
    special_bits,
    trait_bits,
    type_levels,
)

Content = npt.NDArray[np.void]

HANDS = 2  # R17.1
ENCUMBRANCE = 5  # R17.3
PORTALS = ("blue", "purple")  # colours of teleport tokens that the rules name (R7.45)


class Builder:
    """Fills one CONTENT record. Methods return row indices and raise ValueError beyond limits.

    Two things must come first: `add_map` before anything that stands on areas, and Allies before
    anything that names them. Enemy types and figures may be named before they are added; an item
    that is only named is a plain token.
    """

    def __init__(self, rulings: schema.Rulings | None = None) -> None:
        empty = nothing()
        self.content: Content = empty.view(np.uint8).copy().view(empty.dtype)
        self.record: Any = self.content[0]
        self.counts: dict[str, int] = {}
        self._areas: list[str] = []
        self._portals: list[str] = list(PORTALS)
        self._allies: list[str] = []
        self._slots: dict[str, int] = {}
        self._tokens: list[list[str]] = []
        self._types: list[str] = []
        self._filled: set[int] = set()
        self._passives: list[str] = []
        self._items: list[str] = []
        self._item_names: dict[str, str] = {}
        self._figures: list[str] = []
        self._figure_names: dict[str, str] = {}
        self._stories: list[str] = []
        self._faces: Counter[str] = Counter()  # of Initiative cards
        self._injuries: list[str] = []
        self._traps: list[str] = []
        self._events: list[str] = []
        self.rulings = rulings or schema.Rulings()
        self._set_rulings()

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
        """The first of `n` new rows of a table of `size` rows."""
        first = self.counts.get(table, 0)
        if first + n > size:
            raise ValueError(f"too many rows of {table}: {first + n}, at most {size}")
        self.counts[table] = first + n
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
            if area.teleport:
                record["token_colour"][i] = self._intern(self._portals, area.teleport.colour)
                record["token_active"][i] = area.teleport.active
                record["token_range"][i] = or_none(area.teleport.range)
            if len(area.items) > layout.N_GROUND:
                raise ValueError(f"{area.name}: at most {layout.N_GROUND} items in one area")
            record["item_at"][i, : len(area.items)] = [self.add_item(name) for name in area.items]
        for x, y in board.ropes:
            record["rope"][x] |= 1 << y
            record["rope"][y] |= 1 << x
        lines = boards.clear_lines(board)
        borders = boards.border_table(board)
        record["border"][...] = borders
        record["single"][...] = boards.bits_of(borders == terms.Border.SINGLE)
        record["down"][...] = boards.bits_of(borders == terms.Border.DOUBLE_DOWN)
        record["up"][...] = boards.bits_of(borders == terms.Border.DOUBLE_UP)
        sizes = np.arange(layout.N_SIZES)[:, np.newaxis]
        record["fits"][...] = boards.bits_of(
            (record["capacity"] >= sizes) & (np.arange(layout.N_AREAS) < n)
        )
        record["range"][...] = boards.range_table(board)
        record["melee"][...] = boards.melee_table(board)
        record["seen"][...] = boards.seen_areas(lines, n)
        levels = record["level"]
        record["not_above"][...] = boards.bits_of(levels <= levels[:, np.newaxis])
        record["within"][...] = boards.within_table(record["range"])
        record["melee_within"][...] = boards.within_table(record["melee"])
        record["crossing_first"][...], record["crossing"][...] = boards.crossing_tables(
            board, lines
        )
        record["line_first"][...], record["line"][...] = boards.line_tables(lines, n)
        return board

    def add_story(self, name: str) -> int:
        """Index of a section without effects; the same for the same name."""
        index = self._intern(self._stories, name)
        if index >= layout.N_STORIES:
            raise ValueError(f"at most {layout.N_STORIES} story sections; {name} is one more")
        self.record["section"][index]["repeats"] = 1
        self.record["n_stories"] = len(self._stories)
        return index

    def add_section(
        self, name: str, card: schema.Section, area: int, rows: Sequence[Row], failed: Sequence[Row]
    ) -> int:
        """R19.11 - index of a story section; `rows` are what it does, `failed` after a failure."""
        index = self.add_story(name)
        section = self.record["section"][index]
        section["area"] = area
        section["trigger"] = terms.Trigger[card.trigger.upper()]
        section["range"] = or_none(card.range)
        section["repeats"] = card.repeats
        section["maneuver"] = card.maneuver
        if card.check is not None:
            section["number"] = card.check.number
            section["abilities"] = ability_bits(card.check.ability)
        section["first"], section["n"] = self.add_rows(rows)
        section["fail_first"], section["fail_n"] = self.add_rows(failed)
        if card.trigger == "entry":
            self.record["story"][area] = index
        elif card.trigger == "choice":
            self.record["by_choice"] |= 1 << index
        return index

    @staticmethod
    def _intern(names: list[str], name: str) -> int:
        if name not in names:
            names.append(name)
        return names.index(name)

    # ---- items and figures ------------------------------------------------------------------
    def add_item(self, key: str) -> int:
        """Index of an item, the same for the same key; without a card it is a plain token."""
        index = self._intern(self._items, key)
        if index >= layout.N_ITEM_KINDS:
            raise ValueError(f"at most {layout.N_ITEM_KINDS} different items; {key} is one more")
        self.record["n_items"] = len(self._items)
        self.record["traits"][index + 1] |= trait_bits([terms.Trait.ITEM])
        return index

    def add_item_card(self, key: str, card: schema.ItemCard) -> int:
        """Index of an item with its card (section 17)."""
        index = self.add_item(key)
        self._item_names[key] = card.name
        item = self.record["item"][index]
        item["wear"] = terms.Wear[card.wear.upper()]
        for field in ("hands", "weight", "carry", "maneuver", "kept", "own", "rope"):
            item[field] = getattr(card, field)
        item["armour_rune"], item["rune_slot"] = card.armour_rune, card.rune_slot
        if card.weapon is not None:
            item["weapon"] = attack_type(card.weapon.type)
            item["bonus"] = card.weapon.bonus
            item["takes"] = rider_bits(card.weapon.takes)
            band = card.weapon.range or DEFAULT_BANDS[card.weapon.type]
            item["range_min"], item["range_max"] = band
        if card.rider is not None:
            item["rider"] = terms.Rider[card.rider.kind.upper()]
            for field in ("dice", "bonus", "pierce"):
                item[f"rider_{field}"] = getattr(card.rider, field)
            item["rider_conditions"] = condition_bits(card.rider.condition)
        item["boost"][...] = levels(card.boost)
        item["boost_active"][...] = levels(card.boost_active)
        if card.opening is not None:
            item["special"] = special_bits([card.opening.special])
            item["special_cost"] = card.opening.cost
        if card.passive is not None:
            item["passive"] = self.add_passive(card.name, card.passive)
        if card.pet is not None:
            item["pet"] = self.figure_index(card.pet)
        item["first"], item["n"] = self.add_effects(card.effects, card.name)
        known = {
            terms.Trait.ITEM: True,
            terms.Trait.OWN: card.own,
            terms.Trait.WORN: item["wear"] != terms.Wear.NONE,
            terms.Trait.USED: item["n"] > 0,
            terms.Trait.RARE: card.rope or card.pet is not None or card.opening is not None,
        }
        self.record["traits"][index + 1] = trait_bits(trait for trait in known if known[trait])
        return index

    @property
    def types(self) -> list[str]:
        """Names of the Enemy types named so far, by index."""
        return self._types

    def ally_keys(self) -> list[str | None]:
        """Keys of the Allies so far, by slot; None for a Hero."""
        keys = {slot: key for key, slot in self._slots.items()}
        return [keys.get(slot) for slot in range(len(self._allies))]

    def items(self) -> list[str]:
        """Keys of the items named so far, by index."""
        return list(self._items)

    def figure_index(self, key: str) -> int:
        """Row of a summoned token or pet, added or to be added."""
        index = self._intern(self._figures, key)
        if index >= layout.N_FIGURES:
            raise ValueError(f"at most {layout.N_FIGURES} tokens and pets; {key} is one more")
        self.record["n_figures"] = len(self._figures)
        return index

    def add_figure(self, key: str, card: schema.FigureCard) -> int:
        """Row of a summoned token or pet with its card (R18.7, R18.8)."""
        index = self.figure_index(key)
        self._figure_names[key] = card.name
        figure = self.record["figure"][index]
        for field in ("pet", "fly", "move", "harm", "harm_leaving"):
            figure[field] = getattr(card, field)
        return index

    def figures(self) -> list[str]:
        """Keys of the tokens and pets named so far, by row."""
        return list(self._figures)

    # ---- Allies -----------------------------------------------------------------------------
    def add_ally(
        self,
        name: str,
        sheet: schema.HeroSheet | schema.CompanionSheet,
        start: int = 0,
        key: str | None = None,
    ) -> int:
        """Slot of a Hero or Non-Hero Ally that starts in area `start` (-1 = off the map).

        A Hero gets the printed Focus and Extra Maneuver tokens (R5.2). Effects that bring a
        Non-Hero Ally onto the map name it by `key`.
        """
        slot = self._row("ally", layout.N_ALLIES)
        self._allies.append(name)
        if key is not None:
            self._slots[key] = slot
        self._tokens.append([])
        self.record["n_allies"] = slot + 1
        self.record["start"][slot] = start
        board = self.record["sheet"][slot]
        board["ability"][...] = levels(sheet)
        board["taunt"] = sheet.taunt
        board["evade"] = sheet.evade
        board["fly"] = sheet.fly
        if isinstance(sheet, schema.HeroSheet):
            self._add_hero(slot, sheet)
        else:
            self._add_companion(slot, sheet)
        return slot

    def ally_slot(self, key: str) -> int:
        """Slot of a Non-Hero Ally that effects name."""
        if key not in self._slots:
            raise ValueError(f"no Non-Hero Ally {shown(key)}; there are: {', '.join(self._slots)}")
        return self._slots[key]

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
        board["hands"] = HANDS
        board["carry"] = ENCUMBRANCE
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
        board["h_worth"][...] = levels(sheet.h_worth)
        board["reroll_h"] = ability_bits(sheet.reroll_h)
        for field in ("never_hindered", "undying", "fury", "h_riposte"):
            board[field] = getattr(sheet, field)
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

    def add_action(self, ally: int, card: schema.ActionCard, *, slotted: bool = True) -> int:
        """Token slot of an action of the Ally in slot `ally`; its row is sheet.token[slot].

        slotted: it lies in a slot from the start; otherwise the slots are filled at set-up (R4.3).
        """
        board = self.record["sheet"][ally]
        slot = int(board["n_tokens"])
        if slot >= layout.N_TOKENS:
            raise ValueError(f"{self._allies[ally]}: at most {layout.N_TOKENS} action tokens")
        row = self._row("token", layout.N_ALLIES * layout.N_TOKENS)
        board["token"][slot] = row
        board["n_tokens"] = slot + 1
        board["slot"] |= slotted << slot
        board["by_turn"] |= (card.maneuver or board["kind"] != terms.Kind.HERO) << slot
        printed = board["kind"] != terms.Kind.HERO or slot <= layout.EXTRA_MANEUVER
        board["slots"] += slotted and not card.maneuver and not printed
        self._tokens[ally].append(card.name)
        token = self.record["token"][row]
        token["colour"] = colour(card.colour)
        token["special"] = special_bits(card.special)
        for field in ("cost", "gem", "maneuver", "once"):
            token[field] = getattr(card, field)
        token["first"], token["n"] = self.add_effects(card.effects, card.name)
        return slot

    def add_skills(self, ally: int, skills: Sequence[schema.Skill]) -> None:
        """R20.3 - class skills of a Hero: one passive row, its sheet, and maneuvers as tokens."""
        board = self.record["sheet"][ally]
        passives = [skill.passive for skill in skills if skill.passive is not None]
        if passives:
            board["skills"] = self.add_passive("Skills", merged(passives))
        for skill in skills:
            board["rerolls"] += skill.rerolls
            board["ignore_aim"] |= attack_type_bits(skill.ignore_aim)
            for field in ("two_weapons", "tactics", "disarm"):
                board[field] |= getattr(skill, field)
            board["carry"] += skill.carry
            board["recover_stamina"] += skill.recover.stamina
            board["recover_damage"] += skill.recover.damage
            if skill.maneuver:
                card = schema.ActionCard(
                    name=skill.name, maneuver=True, once=skill.once, effects=skill.maneuver
                )
                self.add_action(ally, card)

    def add_effects(self, effects: Sequence[schema.Effect], name: str = "") -> tuple[int, int]:
        """Effect rows (first, n) of what an action does; `name` is given to its passive rows."""
        return self.add_rows([effect_row(self, effect, name) for effect in effects])

    def add_rows(self, rows: Sequence[Row]) -> tuple[int, int]:
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
        attack["types"] = attack_type_bits(card.type)
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
        """Passive row of a passive action, an item in use, or skills."""
        row = self._row("passive", layout.N_PASSIVES)
        self._passives.append(name)
        passive = self.record["passive"][row]
        passive["need"] = card.need
        passive["reactive"][...] = levels(card.reactive)
        passive["h_worth"][...] = levels(card.h_worth)
        passive["reroll_h"] = ability_bits(card.reroll_h)
        passive["dice"][...] = type_levels(card.dice)
        for field in ("evade", "move", "mirror", "revenge", "fly", "ends"):
            passive[field] = getattr(card, field)
        riposte = card.riposte
        passive["riposte"] = riposte.amount
        passive["riposte_range"] = or_none(riposte.range)
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
        self.record["types_by_colour"][kind["colour"]] |= 1 << index
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
            first, n = self.add_additions(card.additions(action.horns))
            kind["horns_first"][eye], kind["horns_n"][eye] = first, n
        kind["snake_first"], kind["snake_n"] = self.add_additions(card.additions(card.snake))
        self._write_attacks(index)
        if card.defeat is not None:
            if card.defeat.leave is not None:
                kind["leave"] = self.add_item(card.defeat.leave)
            kind["defeat_first"], kind["defeat_n"] = self.add_rows(defeat_rows(self, card.defeat))
        return index

    def _write_attacks(self, index: int) -> None:
        """What attacks of an Enemy type cause under each Eye, and how far it moves for them."""
        kind = self.record["type"][index]
        value, reach = self.record["attack_value"][index], self.record["attack_reach"][index]
        reach[:3] = -1
        for eye in terms.Eye:
            if kind["strike"][eye] >= 0:
                strike = self.record["strike"][kind["strike"][eye]]
                value[eye] = max(0, strike["value"])
                reach[eye] = int(kind["move"][eye]) + max(0, int(strike["range"]))
        value[3], reach[3] = value[:3].max(), max(0, reach[:3].max())

    def add_strike(self, card: schema.Strike) -> int:
        """Strike row of an Enemy's attack."""
        row = self._row("strike", layout.N_STRIKES)
        strike = self.record["strike"][row]
        strike["type"] = attack_type(card.type)
        strike["value"] = or_none(card.value)
        strike["ability"] = ability(card.ability)
        strike["range"] = or_none(card.range)
        strike["area"] = or_none(card.area)
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

    def add_additions(self, parts: Sequence[schema.Horns]) -> tuple[int, int]:
        """Effect rows (first, n) of what horns or snake add to an Enemy's action (R10.37)."""
        rows = [row for part in parts for row in addition_rows(self, part)]
        return self.add_rows(rows) if rows else (0, 0)

    def add_setup(self, type_: int, area: int) -> None:
        """Place one Enemy at set-up."""
        row = self._row("setup", layout.N_SETUP)
        self.record["setup_type"][row] = type_
        self.record["setup_area"][row] = area
        self.record["n_setup"] = row + 1

    # ---- decks ------------------------------------------------------------------------------
    def copy_decks(self, other: Builder) -> None:
        """Take the decks of another builder instead of one's own."""
        for deck, number in DECKS.items():
            self.record[deck], self.record[number] = other.record[deck], other.record[number]
            self.counts[deck] = other.counts.get(deck, 0)
        self._faces = other._faces.copy()
        self._injuries, self._traps = [*other._injuries], [*other._traps]

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
        shown = card.model_dump_json()
        face = f"{shown} {self._faces[shown]}".encode()
        self._faces[shown] += 1
        entry["face"] = int.from_bytes(hashlib.blake2b(face, digest_size=8).digest(), "little")
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
        injury["dice"][...] = levels(card.dice)
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
        rows: Sequence[Row],
        text: str = "",
    ) -> int:
        """Index of a scenario event; `rows` are (op, amount, range, a, b)."""
        row = self._row("event", layout.N_EVENTS)
        self._events.append(text)
        self.record["n_events"] = row + 1
        first, n = self.add_rows(rows)
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

        Raises ValueError for Enemy types, tokens and pets that were named but never added.
        """
        missing = [n for i, n in enumerate(self._types) if i not in self._filled]
        missing += [key for key in self._figures if key not in self._figure_names]
        if missing:
            raise ValueError(f"no card for {', '.join(missing)}")
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
            items=tuple(self._item_names.get(key, key) for key in self._items),
            figures=tuple(self._figure_names.get(key, key) for key in self._figures),
            portals=tuple(self._portals),
            stories=tuple(self._stories),
            injuries=tuple(self._injuries),
            traps=tuple(self._traps),
            events=tuple(self._events),
        )


@cache
def nothing() -> Content:
    """A record to which nothing is added: index fields are -1. Not to be changed."""
    content = zeros(layout.CONTENT)
    record = content[0]
    for name in ABSENT:
        record[name][...] = -1
    for table, fields in ABSENT_IN.items():
        for field in fields:
            record[table][field][...] = -1
    record["objective_subject"] = -1
    return content


def merged(passives: Sequence[schema.Passive]) -> schema.Passive:
    """Combine several passives that work without stamina.

    Amounts add up, but an H face serves one effect only (R3.7), and of Ripostes the strongest hits.
    """

    def each(field: str) -> list[Any]:
        return [getattr(passive, field) for passive in passives]

    def added(field: str) -> dict[str, int]:
        cards = [card.model_dump() for card in each(field)]
        return {name: sum(card[name] for card in cards) for name in cards[0]}

    worth = [card.model_dump() for card in each("h_worth")]
    return schema.Passive(
        need=0,
        reactive=schema.Levels(**added("reactive")),
        h_worth=schema.Levels(**{name: max(card[name] for card in worth) for name in worth[0]}),
        reroll_h=sorted({name for names in each("reroll_h") for name in names}),
        evade=sum(each("evade")),
        move=sum(each("move")),
        dice=schema.TypeLevels(**added("dice")),
        mirror=any(each("mirror")),
        revenge=any(each("revenge")),
        fly=any(each("fly")),
        riposte=max(each("riposte"), key=lambda riposte: riposte.amount),
    )


DECKS = {"card": "n_cards", "fate": "n_fate", "injury": "n_injuries", "trap": "n_traps"}
ABSENT = (
    *("range", "melee", "story", "token_colour", "token_range", "item_at"),
    *("start", "setup_type", "setup_area"),
)
ABSENT_IN: Mapping[str, Sequence[str]] = {
    "sheet": ("token", "weapon_min", "weapon_max", "skills", "item"),
    "attack": ("range_min", "range_max"),
    "strike": ("value", "range", "area"),
    "effect": ("a", "b"),
    "passive": ("riposte_range", "riposte_type"),
    "item": ("weapon", "range_min", "range_max", "passive", "pet"),
    "section": ("area", "range"),
    "type": ("strike", "leave"),
    "event": ("subject",),
}
