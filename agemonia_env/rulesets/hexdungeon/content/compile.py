"""Compile a scenario of a pack and its characters into a CONTENT record, names, a fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from agemonia_env.core.jit import zeros
from agemonia_env.display.messages import in_line, shown, unknown
from agemonia_env.packs.patches import split

from ..core import api, terms
from ..core.layout import (
    ALL_TARGETS,
    BOARD,
    CONTENT,
    N_BONUSES,
    N_HEROES,
    N_KINDS,
    N_ROWS,
    N_TEMPLATES,
    TURN,
)
from . import schema
from .board import EXIT, LOOT, START, TERRAIN, TRAP, DrawnBoard, Place, fill, read_map
from .load import FORMAT, Pack, load_pack, monsters_of, types_of
from .modifier_cards import STANDARD, write_card
from .party import INSTEAD, Character, HeroChoice, choose_party
from .words import half_text, lines_text

Content = np.ndarray[Any, np.dtype[Any]]
RULES_VERSION = "hexdungeon 1"  # increases whenever the same content plays differently
TRAP_DAMAGE = 2  # G12.4: and the scenario level
OPS = {"affect": "AFFECT", "round": "BONUS", "persistent": "BONUS"}  # else the verb is the name


@dataclass(frozen=True)
class Names:
    """What people read, each tuple indexed as the field of CONTENT that it names."""

    pack: str
    scenario: str
    heroes: tuple[str, ...]  # by slot
    classes: tuple[str, ...]  # their files
    cards: tuple[tuple[str, ...], ...]  # hero, card
    halves: tuple[tuple[tuple[str, str], ...], ...]  # hero, card: top and bottom in words
    kinds: tuple[str, ...]  # monster types, then summons
    monster_cards: tuple[tuple[str, ...], ...]  # type, card
    monster_lines: tuple[tuple[str, ...], ...]  # type, card: its lines in words
    templates: tuple[str, ...]
    texts: dict[str, str] = field(default_factory=dict)  # scenario, hero/NAME, monster/NAME


@dataclass(frozen=True)
class Compiled:
    """A scenario ready to play.

    content: shape (1,), dtype layout.CONTENT. plan: the map, for pictures. fingerprint: 16 hex
    digits of a hash over content, names and rules version.
    """

    content: Content
    names: Names
    plan: DrawnBoard
    fingerprint: str


def compile_scenario(
    pack: str | Path | Pack,
    scenario: str,
    heroes: int | Sequence[HeroChoice] = 2,
    *,
    level: int = 1,
) -> Compiled:
    """Compile a scenario for a party.

    heroes: a number of classes of the pack's party, or up to four classes, each by name or as a
    mapping with the keys of party.Member. level: of
    the scenario, 0 to 3. Raises ValueError for unknown names and values that do not fit, and
    ContentError, a ValueError, for a pack with mistakes.
    """
    pack = pack if isinstance(pack, Pack) else load_pack(pack)
    if scenario not in pack.scenarios:
        problem = unknown("scenario", scenario, pack.card.scenarios)
        raise ValueError(f"pack {in_line(pack.name)}: {problem}")
    if level not in schema.LEVELS:
        raise ValueError(f"level: {shown(level)}; allowed: {', '.join(map(str, schema.LEVELS))}")
    party = choose_party(pack, heroes)
    try:
        return _Compiler(pack, pack.scenarios[scenario], party, level).compile()
    except ValueError as error:
        raise ValueError(f"scenarios/{scenario}.yaml: {error}") from None


def check(path: str | Path) -> list[str]:
    """Every mistake of a pack, as text; an empty list if there is none.

    Each scenario is compiled for every number of characters, and for each class alone.
    """
    if mistakes := FORMAT.check(path):
        return mistakes
    pack = load_pack(path)
    numbers: list[int] = list(range(1, min(N_HEROES, len(pack.card.party)) + 1))
    trials: list[tuple[str, int | list[str]]] = [
        (name, n) for name in pack.scenarios for n in numbers
    ]
    trials += [(pack.card.scenarios[0], [name]) for name in pack.classes]
    errors = []
    for name, heroes in trials:
        try:
            compile_scenario(pack, name, heroes)
        except ValueError as error:
            errors.append(str(error))
    return list(dict.fromkeys(errors))


class _Compiler:
    """Compiles one scenario."""

    def __init__(
        self, pack: Pack, card: schema.Scenario, party: list[Character], level: int
    ) -> None:
        self.pack, self.card, self.level = pack, card, level
        self.party = [character.key for character in party]
        self.classes = [character.hero_class for character in party]
        self.types = types_of(card)
        self.monsters = [pack.monsters[name] for name in self.types]
        self.plan = read_map(card)
        self.content = zeros(CONTENT)
        self.record = self.content[0]
        self.n_rows = self.n_bonuses = 0
        self.templates: list[str] = []
        self.summons: list[schema.Summon] = []

    def compile(self) -> Compiled:
        """Compile everything, in the order of setting up a table."""
        self._add_board()
        self._add_traps()
        self._add_spawns()
        self._add_basic()
        for slot, hero_class in enumerate(self.classes):
            self._add_hero(slot, hero_class)
        for kind, monster in enumerate(self.monsters):
            self._add_type(kind, monster)
        self._add_summons()
        self._add_templates()
        self._add_ends()
        names = self._names()
        return Compiled(self.content, names, self.plan, fingerprint(self.content, names))

    def _names(self) -> Names:
        """What people read."""
        classes, monsters = self.classes, self.monsters
        texts = {"scenario": self.card.text}
        texts |= {f"hero/{hero_class.name}": hero_class.text for hero_class in classes}
        texts |= {f"monster/{monster.name}": monster.text for monster in monsters}
        return Names(
            pack=self.pack.name,
            scenario=self.card.name,
            heroes=tuple(hero_class.name for hero_class in classes),
            classes=tuple(self.party),
            cards=tuple(tuple(card.name for card in c.cards) for c in classes),
            halves=tuple(
                tuple((half_text(card.top), half_text(card.bottom)) for card in c.cards)
                for c in classes
            ),
            kinds=(*(m.name for m in monsters), *(summon.name for summon in self.summons)),
            monster_cards=tuple(tuple(card.name for card in m.cards) for m in monsters),
            monster_lines=tuple(tuple(lines_text(c.lines) for c in m.cards) for m in monsters),
            templates=tuple(self.templates),
            texts=texts,
        )

    # ---- the board --------------------------------------------------------------------------
    def _add_board(self) -> None:
        """Terrain, doors, loot and exits."""
        record, plan = self.record, self.plan
        boards = zeros(BOARD)
        board = boards[0]
        board["width"], board["height"] = plan.width, plan.height
        for symbol, kind in TERRAIN.items():
            fill(board["terrain"][kind], map(plan.number, plan.places(symbol)))
        fill(board["terrain"][terms.Terrain.TRAP], (plan.number(p) for p, _ in self._traps()))
        for place, direction in plan.lines:
            fill(board["lined"][direction], [plan.number(place)])
        api.settle(boards)
        record["board"] = board
        fill(record["exit"], map(plan.number, plan.places(EXIT)))
        fill(record["loot"], map(plan.number, plan.places(LOOT)))
        record["n_rooms"], record["n_doors"] = len(plan.rooms), len(plan.doors)
        for i, (place, room) in enumerate(plan.doors.items()):
            record["door"][i], record["door_room"][i] = plan.number(place), room

    def _traps(self) -> list[tuple[Place, schema.Trap]]:
        """G12.4 - damage traps, and those of the legend."""
        traps = [(place, schema.Trap(damage="level")) for place in self.plan.places(TRAP)]
        for letter, symbol in self.card.legend.items():
            if symbol.trap is not None:
                traps += [(place, symbol.trap) for place in self.plan.places(letter)]
        return traps

    def _add_traps(self) -> None:
        """What each trap does."""
        traps = self._traps()
        self.record["n_traps"] = len(traps)
        self.record["trap"]["at"] = -1
        for row, (place, trap) in zip(self.record["trap"], traps, strict=False):
            damage = TRAP_DAMAGE + self.level if trap.damage == "level" else trap.damage
            row["at"], row["damage"] = self.plan.number(place), damage
            row["conditions"] = effect_bits(trap.conditions)

    def _add_spawns(self) -> None:
        """Monsters that come with this number of characters, room by room."""
        spawns = []
        for letter, monster, rank in monsters_of(self.card, len(self.classes)):
            (place,) = self.plan.places(letter)
            room = next(k for k, hexes in enumerate(self.plan.rooms) if place in hexes)
            if rank != "none":
                spawns.append((room, self.types.index(monster), rank == "elite", place))
        self.record["n_spawns"] = len(spawns)
        for row, (room, kind, elite, place) in zip(
            self.record["spawn"], sorted(spawns, key=lambda spawn: spawn[0]), strict=False
        ):
            row["kind"], row["elite"], row["room"] = kind, elite, room
            row["at"] = self.plan.number(place)

    # ---- cards ------------------------------------------------------------------------------
    def _add_basic(self) -> None:
        """G14.2 - what any half may be used as instead."""
        self.record["basic_attack"] = self._add_lines([INSTEAD["top"]])
        self.record["basic_move"] = self._add_lines([INSTEAD["bottom"]])

    def _add_hero(self, slot: int, hero_class: schema.HeroClass) -> None:
        """A character and its hand."""
        sheet = self.record["hero"][slot]
        sheet["hp"], sheet["n_cards"] = hero_class.hit_points, len(hero_class.cards)
        sheet["start"] = self.plan.number(self.plan.places(START)[slot])
        sheet["hero_class"] = self.pack.card.party.index(self.party[slot])
        for i, card in enumerate(hero_class.cards):
            sheet["initiative"][i] = sheet["card"][i]["initiative"] = card.initiative
            for k, side in enumerate(INSTEAD):
                half: schema.Half = getattr(card, side)
                row = sheet["card"][i]["half"][k]
                row["first"] = self._add_lines(half.lines, hero_class)
                row["n_rows"], row["loss"], row["xp"] = len(half.lines), half.loss, half.xp

    def _add_type(self, kind: int, monster: schema.Monster) -> None:
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
        """Summons, after the monster types: stat cards, and the card of all summons (G13.2)."""
        n = len(self.types) + len(self.summons)
        if n > N_KINDS:
            raise ValueError(f"heroes: {n} types of monsters and summons; at most {N_KINDS}")
        lines = [schema.MonsterLine(move=0), schema.MonsterLine(attack=0)]
        first = self._add_lines(lines) if self.summons else 0
        for kind, summon in enumerate(self.summons, len(self.types)):
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
            row["kind"] = len(self.types) + self._summon(hero_class.summons[value])
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

    def _add_templates(self) -> None:
        """G5 - red hexes of each template and its orientations."""
        if len(self.templates) > N_TEMPLATES:
            raise ValueError(f"heroes: {len(self.templates)} templates; at most {N_TEMPLATES}")
        turns = zeros(TURN, max(1, len(self.templates)))
        for turn, name in zip(turns, self.templates, strict=False):
            template = self.pack.templates[name]
            turn["attack"]["grey"] = template.origin == "self"
            turn["attack"]["n_cells"] = len(template.hexes)
            turn["attack"]["cell"][: len(template.hexes)] = template.hexes
        api.settle_templates(turns)
        self.record["template"][: len(self.templates)] = turns["attack"][: len(self.templates)]

    def _add_ends(self) -> None:
        """Level, goal, last round and the standard modifier deck."""
        record, goal = self.record, self.card.goal
        record["level"], record["last_round"] = self.level, self.card.last_round
        record["goal"], record["goal_amount"] = terms.Goal[goal.kind.upper()], goal.number
        record["n_heroes"], record["n_types"] = len(self.classes), len(self.types)
        record["n_deck"] = len(STANDARD)
        for row, text in zip(record["deck"], STANDARD, strict=False):
            write_card(row, text)


REACHES = {"push": 1, "pull": 1, "retaliate": 1}  # of verbs that never mean the own hex


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


def fingerprint(content: Content, names: Names) -> str:
    """16 hex digits that change with any number, name or rule, but not with texts."""
    pack, _ = split(names.pack)  # its changes show in the numbers
    plain = asdict(replace(names, texts={}, pack=pack))
    digest = hashlib.sha256(RULES_VERSION.encode())
    digest.update(json.dumps(plain, sort_keys=True).encode())
    digest.update(content.tobytes())
    return digest.hexdigest()[:16]
