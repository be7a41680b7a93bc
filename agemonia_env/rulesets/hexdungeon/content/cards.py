"""Cards of characters, summons and monsters as rows of a CONTENT record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from agemonia_env.core.jit import zeros

from ..core import api, terms
from ..core.layout import (
    ALL_TARGETS,
    CONTENT,
    N_BONUSES,
    N_KINDS,
    N_ROWS,
    N_TEMPLATES,
    TURN,
)
from . import schema
from .load import Pack
from .modifier_cards import STANDARD, write_card
from .party import INSTEAD, Character

Records = np.ndarray[Any, np.dtype[Any]]
OPS = {"affect": "AFFECT", "round": "BONUS", "persistent": "BONUS"}  # else the verb is the name
REACHES = {"push": 1, "pull": 1, "retaliate": 1}  # of verbs that never mean the own hex


class Cards:
    """Writes cards into `content`, CONTENT (1,): first the party, then monster types.

    level: of the scenario; n_types: of monsters, whose kinds come before those of summons.
    templates, summons: those that cards use, by their numbers.
    """

    def __init__(self, pack: Pack, level: int, n_types: int) -> None:
        self.pack, self.level, self.n_types = pack, level, n_types
        self.content = zeros(CONTENT)
        self.record = self.content[0]
        self.n_rows = self.n_bonuses = 0
        self.templates: list[str] = []
        self.summons: list[schema.Summon] = []

    def add_party(self, party: Sequence[Character]) -> None:
        """Modifier deck (G1.1), basic actions (G14.2), characters with their hands, summons."""
        self.record["level"], self.record["n_heroes"] = self.level, len(party)
        self.record["n_deck"] = len(STANDARD)
        for row, text in zip(self.record["deck"], STANDARD, strict=False):
            write_card(row, text)
        self.record["basic_attack"] = self._add_lines([INSTEAD["top"]])
        self.record["basic_move"] = self._add_lines([INSTEAD["bottom"]])
        for slot, character in enumerate(party):
            self._add_hero(slot, character)
        self._add_summons()

    def _add_hero(self, slot: int, character: Character) -> None:
        """A character and its hand."""
        sheet, hero_class = self.record["hero"][slot], character.hero_class
        sheet["hp"], sheet["n_cards"] = hero_class.hit_points, len(hero_class.cards)
        sheet["hero_class"] = self.pack.card.party.index(character.key)
        for i, card in enumerate(hero_class.cards):
            sheet["initiative"][i] = sheet["card"][i]["initiative"] = card.initiative
            for k, side in enumerate(INSTEAD):
                half: schema.Half = getattr(card, side)
                row = sheet["card"][i]["half"][k]
                row["first"] = self._add_lines(half.lines, hero_class)
                row["n_rows"], row["loss"], row["xp"] = len(half.lines), half.loss, half.xp

    def add_type(self, kind: int, monster: schema.Monster) -> None:
        """A monster type: stat cards of this level and the ability deck."""
        record = self.record["kind"][kind]
        ranks = monster.levels[self.level]
        for stats, card in zip(record["stats"], (ranks.normal, ranks.elite), strict=True):
            write_stats(stats, card)
            stats["flying"] |= monster.flying
            stats["immune"] |= effect_bits(monster.immune)
        record["n_cards"] = len(monster.cards)
        for row, deck_card in zip(record["card"], monster.cards, strict=True):
            row["initiative"], row["shuffle"] = deck_card.initiative, deck_card.shuffle
            row["first"] = self._add_lines(deck_card.lines)
            row["n_rows"] = len(deck_card.lines)

    def _add_summons(self) -> None:
        """Summons: stat cards, and the card of all summons (G13.2)."""
        n = self.n_types + len(self.summons)
        if n > N_KINDS:
            raise ValueError(f"heroes: {n} types of monsters and summons; at most {N_KINDS}")
        lines = [schema.MonsterLine(move=0), schema.MonsterLine(attack=0)]
        first = self._add_lines(lines) if self.summons else 0
        for kind, summon in enumerate(self.summons, self.n_types):
            record = self.record["kind"][kind]
            write_stats(record["stats"][0], summon)
            record["n_cards"] = 1
            record["card"][0]["first"], record["card"][0]["n_rows"] = first, len(lines)

    def _add_lines(
        self, lines: Sequence[schema.Line], hero_class: schema.HeroClass | None = None
    ) -> int:
        """Rows for the lines of half a card, or of a monster's card; -> the first."""
        first = self.n_rows
        if first + len(lines) > N_ROWS:
            raise ValueError(f"heroes: more than {N_ROWS} lines on all cards together")
        for line in lines:
            self._write_line(self.record["row"][self.n_rows], line, hero_class)
            self.n_rows += 1
        return first

    def _write_line(self, row: Any, line: schema.Line, hero_class: schema.HeroClass | None) -> None:
        """One line, dtype layout.ROW."""
        verb = line.verb
        value = getattr(line, verb)
        row["op"] = terms.Op[OPS.get(verb, verb.upper())]
        row["template"] = row["bonus"] = row["kind"] = -1
        row["serves"] = terms.Serve[(line.served or "self").upper()]
        row["mode"] = terms.Mode.JUMP if line.jump else terms.Mode.WALK
        row["advantages"], row["pierce"] = line.advantage, line.pierce
        row["extra_targets"], row["targets"] = line.add_target, targets(line.targets)
        row["range"] = line.range or REACHES.get(verb, 0)
        words = [(effect.name, effect.amount) for effect in line.effects]
        if isinstance(value, int):
            row["amount"] = value
        elif isinstance(value, list):
            words = [(word, 0) for word in value]
        elif isinstance(value, schema.Bonus):
            row["bonus"] = self._add_bonus(value, verb == "round")
        elif hero_class is not None:
            row["kind"] = self.n_types + self._summon(hero_class.summons[value])
        for k, (word, amount) in enumerate(words):
            row["effect"][k], row["effect_amount"][k] = terms.Effect[word.upper()], amount
        if line.template is not None:
            row["template"] = self._template(line.template)
        if isinstance(line, schema.HeroLine):
            row["xp"] = line.xp
            row["range"] = line.loot or row["range"]

    def _add_bonus(self, card: schema.Bonus, for_round: bool) -> int:
        """G11 - an active bonus; -> its row."""
        if self.n_bonuses == N_BONUSES:
            raise ValueError(f"heroes: more than {N_BONUSES} active bonuses on all cards")
        row = self.record["bonus"][self.n_bonuses]
        row["round"], row["negate"], row["spaces"] = for_round, card.negate, card.spaces
        row["trigger"] = terms.Trigger[card.trigger.upper()]
        row["only"] = terms.Only[card.only.upper()]
        row["serves"] = terms.Serve[card.to.upper()]
        row["attack"], row["pierce"] = card.attack, card.pierce
        row["advantages"], row["disadvantages"] = card.advantage, card.disadvantage
        row["conditions"] = effect_bits(card.conditions)
        row["shield"], row["retaliate"] = card.shield, card.retaliate
        row["retaliate_range"] = card.range
        row["xp"][: len(card.xp)] = card.xp
        self.n_bonuses += 1
        return self.n_bonuses - 1

    def _summon(self, card: schema.Summon) -> int:
        """Place of a summon among those of the party."""
        if card not in self.summons:
            self.summons.append(card)
        return self.summons.index(card)

    def _template(self, name: str) -> int:
        """Place of a template among those that cards use."""
        if name not in self.templates:
            self.templates.append(name)
        return self.templates.index(name)

    def add_templates(self) -> None:
        """Write the templates that cards use."""
        if len(self.templates) > N_TEMPLATES:
            raise ValueError(f"heroes: {len(self.templates)} templates; at most {N_TEMPLATES}")
        write_templates(self.record["template"], [self.pack.templates[n] for n in self.templates])


def write_templates(rows: Any, templates: Sequence[schema.Template]) -> None:
    """G5 - red hexes of each template and its orientations, into rows of dtype layout.ATTACK."""
    turns = zeros(TURN, max(1, len(templates)))
    for turn, template in zip(turns, templates, strict=False):
        turn["attack"]["grey"] = template.origin == "self"
        turn["attack"]["n_cells"] = len(template.hexes)
        turn["attack"]["cell"][: len(template.hexes)] = template.hexes
    api.settle_templates(turns)
    rows[: len(templates)] = turns["attack"][: len(templates)]


def effect_bits(words: Iterable[str]) -> int:
    """Bits of terms.Effect."""
    return sum(1 << terms.Effect[word.upper()] for word in set(words))


def targets(number: int | str | None) -> int:
    """Targets of a line; 0 = not said."""
    return ALL_TARGETS if number == "all" else int(number or 0)


def write_stats(row: Any, card: schema.Stats) -> None:
    """A stat card, dtype layout.STATS."""
    row["hp"], row["move"], row["attack"] = card.hit_points, card.move, card.attack
    row["range"], row["targets"] = card.range, targets(card.targets)
    row["pierce"], row["advantages"] = card.pierce, card.advantage
    row["conditions"], row["immune"] = effect_bits(card.conditions), effect_bits(card.immune)
    row["shield"], row["retaliate"] = card.shield, card.retaliate
    row["retaliate_range"], row["flying"] = card.retaliate_range, card.flying
