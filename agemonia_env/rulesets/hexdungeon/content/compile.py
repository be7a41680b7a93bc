"""Compile a scenario of a pack and its characters into a CONTENT record, names, a fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from agemonia_env.core.jit import zeros
from agemonia_env.display.messages import in_line, shown, unknown
from agemonia_env.packs.patches import split
from agemonia_env.rulesets.arguments import RANDOM

from ..core import api, terms
from ..core.layout import BOARD, N_HEROES
from . import schema
from .board import EXIT, LOOT, START, TERRAIN, TRAP, DrawnBoard, Place, fill, read_map
from .cards import Cards, effect_bits
from .load import FORMAT, Pack, load_pack, monsters_of, types_of
from .party import Character, HeroChoice, choose_party
from .words import half_text, lines_text

Content = np.ndarray[Any, np.dtype[Any]]
RULES_VERSION = "hexdungeon 1"  # increases whenever the same content plays differently
TRAP_DAMAGE = 2  # G12.4: and the scenario level


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

    content: shape (1,), dtype layout.CONTENT. drawing: the map, for pictures. fingerprint: 16 hex
    digits of a hash over content, names and rules version.
    """

    content: Content
    names: Names
    drawing: DrawnBoard
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
        problem = unknown("scenario", scenario, (*pack.card.scenarios, RANDOM))
        raise ValueError(f"pack {in_line(pack.name)}: {problem}")
    if level not in schema.LEVELS:
        raise ValueError(f"level: {shown(level)}; allowed: {', '.join(map(str, schema.LEVELS))}")
    party = choose_party(pack, heroes)
    try:
        return compile_card(pack, pack.scenarios[scenario], party, level)
    except ValueError as error:
        raise ValueError(f"scenarios/{scenario}.yaml: {error}") from None


def compile_card(
    pack: Pack, card: schema.Scenario, party: Sequence[Character], level: int
) -> Compiled:
    """Compile a scenario that need not be one of the pack: see compile_scenario."""
    return _Compiler(pack, card, party, level).compile()


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
        self, pack: Pack, card: schema.Scenario, party: Sequence[Character], level: int
    ) -> None:
        self.pack, self.card, self.level, self.party = pack, card, level, party
        self.classes = [character.hero_class for character in party]
        self.types = types_of(card)
        self.monsters = [pack.monsters[name] for name in self.types]
        self.plan = read_map(card)
        self.cards = Cards(pack, level, len(self.types))
        self.content, self.record = self.cards.content, self.cards.record

    def compile(self) -> Compiled:
        """Compile everything; core/generator/parts.py links cards in the same order."""
        self._add_board()
        self._add_traps()
        self._add_spawns()
        self.cards.add_party(self.party)
        for slot in range(len(self.party)):
            start = self.plan.places(START)[slot]
            self.record["hero"][slot]["start"] = self.plan.number(start)
        for kind, monster in enumerate(self.monsters):
            self.cards.add_type(kind, monster)
        self.cards.add_templates()
        self._add_goal()
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
            classes=tuple(character.key for character in self.party),
            cards=tuple(tuple(card.name for card in c.cards) for c in classes),
            halves=tuple(
                tuple((half_text(card.top), half_text(card.bottom)) for card in c.cards)
                for c in classes
            ),
            kinds=(*(m.name for m in monsters), *(summon.name for summon in self.cards.summons)),
            monster_cards=tuple(tuple(card.name for card in m.cards) for m in monsters),
            monster_lines=tuple(tuple(lines_text(c.lines) for c in m.cards) for m in monsters),
            templates=tuple(self.cards.templates),
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

    def _add_goal(self) -> None:
        """Goal and last round."""
        record, goal = self.record, self.card.goal
        record["goal"], record["goal_amount"] = terms.Goal[goal.kind.upper()], goal.number
        record["last_round"], record["n_types"] = self.card.last_round, len(self.types)


def fingerprint(content: Content, names: Names) -> str:
    """16 hex digits that change with any number, name or rule, but not with texts."""
    pack, _ = split(names.pack)  # its changes show in the numbers
    plain = asdict(replace(names, texts={}, pack=pack))
    digest = hashlib.sha256(RULES_VERSION.encode())
    digest.update(json.dumps(plain, sort_keys=True).encode())
    digest.update(content.tobytes())
    return digest.hexdigest()[:16]
