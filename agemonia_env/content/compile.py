"""From a scenario of a pack and its Heroes to one CONTENT record, its names and its fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ..agemonia import layout, terms
from ..agemonia.terms import Op
from . import schema
from .board import Board, Edge
from .builder import SIZES, Builder, Content
from .drawing import Drawing, read_map
from .load import ContentError, Pack, load_pack
from .names import Names

RULES_VERSION = "agemonia 1"  # goes up whenever the same content plays differently
PRINTED_TEXTS = {
    "Focus": "Every check this round rolls one more die.",
    "Extra Maneuver": "One more maneuver this turn.",
}


@dataclass(frozen=True)
class Compiled:
    """A scenario ready to play.

    content: shape (1,), dtype layout.CONTENT. fingerprint: 16 hex digits of a hash over content,
    names and rules version.
    """

    content: Content
    names: Names
    drawing: Drawing
    fingerprint: str


def compile_scenario(
    pack: str | Path | Pack, scenario: str, heroes: int | Sequence[str] = 2
) -> Compiled:
    """Compile a scenario for a party: so many of its recommended Heroes, or Heroes by name.

    Raises ValueError for unknown names and for what does not fit, and ContentError, a ValueError,
    for a pack with mistakes.
    """
    pack = pack if isinstance(pack, Pack) else load_pack(pack)
    if scenario not in pack.scenarios:
        allowed = ", ".join(sorted(pack.scenarios))
        raise ValueError(f"unknown scenario {scenario!r} of pack {pack.name}; allowed: {allowed}")
    card = pack.scenarios[scenario]
    try:
        party = _party(pack, card, heroes)
        return _Compiler(pack, scenario, card, party).compile()
    except ContentError:
        raise
    except ValueError as error:
        lines = [f"scenarios/{scenario}.yaml: {line}" for line in str(error).split("\n")]
        raise ValueError("\n".join(lines)) from None


def _party(pack: Pack, card: schema.Scenario, heroes: int | Sequence[str]) -> list[str]:
    """Names of the Heroes that play."""
    if isinstance(heroes, int):
        most = min(layout.N_HEROES_MAX, len(card.heroes))
        if not 1 <= heroes <= most:
            raise ValueError(f"heroes: {heroes} of them; allowed: 1 to {most}")
        party = card.heroes[:heroes]
    else:
        party = list(heroes)
        if not 1 <= len(party) <= layout.N_HEROES_MAX or len(set(party)) < len(party):
            raise ValueError(f"heroes: {party}; allowed: 1 to 4 different names")
    for name in party:
        if name not in pack.heroes:
            raise ValueError(f"heroes: unknown Hero {name!r}; allowed: {', '.join(pack.heroes)}")
    return party


def check(path: str | Path) -> list[str]:
    """Every mistake of a pack, in words; an empty list if there is none."""
    try:
        pack = load_pack(path)
    except ContentError as error:
        return error.errors
    except ValueError as error:
        return [str(error)]
    errors: list[str] = []
    for name, card in pack.scenarios.items():
        for heroes in range(1, min(layout.N_HEROES_MAX, len(card.heroes)) + 1):
            try:
                compile_scenario(pack, name, heroes)
            except ValueError as error:
                errors += str(error).split("\n")
    return list(dict.fromkeys(errors))


class _Compiler:
    """Compiles one scenario."""

    def __init__(self, pack: Pack, name: str, card: schema.Scenario, party: list[str]) -> None:
        self.pack, self.name, self.card, self.party = pack, name, card, party
        self.builder = Builder(pack.card.rulings)
        self.texts: dict[str, str] = {"scenario": card.text}

    def compile(self) -> Compiled:
        """Everything, in the order in which a table is laid."""
        board, drawing = read_map(self.card.map)
        self.letters = drawing.letters
        self.builder.add_map(board)
        self.texts |= {f"story/{section}": text for section, text in self.card.stories.items()}
        self._add_enemies(board)
        self._add_heroes(board)
        self._add_decks()
        self._add_ends()
        content = self.builder.finish()
        title = self.card.name
        built = self.builder.names()
        types = tuple(self.pack.enemies[name].name for name in built.types)
        names = replace(built, types=types, pack=self.pack.name, scenario=title, texts=self.texts)
        return Compiled(content, names, drawing, fingerprint(content, names))

    def _add_enemies(self, board: Board) -> None:
        """Enemy cards of all types that can appear, and those placed at set-up."""
        self.used = [0] * len(board.areas)
        placed = 0
        for i, placement in enumerate(self.card.setup):
            key = f"setup[{i}]"
            kind = self.builder.type_index(placement.type)
            area = self.letters.index(placement.area)
            if not placement.min_heroes <= len(self.party) <= placement.max_heroes:
                continue
            placed += placement.amount
            size = SIZES[self.pack.enemies[placement.type].card.size]
            self.used[area] += size * placement.amount
            for _ in range(placement.amount):
                self.builder.add_setup(kind, area)
            if self.used[area] > board.areas[area].capacity:
                raise ValueError(
                    f"{key}: {placement.area} holds {board.areas[area].capacity} figures, "
                    f"with {len(self.party)} Heroes {self.used[area]} are placed there"
                )
        if placed > layout.N_ENEMIES:
            raise ValueError(f"setup: {placed} Enemies; at most {layout.N_ENEMIES}")
        for event in self.card.events:
            for consequence in event.effects:
                if consequence.reinforce:
                    self.builder.type_index(consequence.reinforce.type)
        self._add_types()

    def _add_types(self) -> None:
        """Cards of the types named so far, and of those that these spawn in turn."""
        done = 0
        while done < len(self.builder.names().types):
            name = self.builder.names().types[done]
            done += 1
            enemy = self.pack.enemies[name]
            health = self.card.health.get(name, enemy.card.health)
            self.builder.add_enemy_type(name, enemy.card.model_copy(update={"health": health}))
            self.texts[f"enemy/{enemy.name}"] = enemy.flavour

    def _add_heroes(self, board: Board) -> None:
        start = self.letters.index(self.card.start)
        for name in self.party:
            hero = self.pack.heroes[name]
            slot = self.builder.add_ally(hero.name, hero, self._start_area(board, start))
            self.texts[f"hero/{hero.name}"] = f"{hero.title}. {hero.flavour}"
            for token, text in PRINTED_TEXTS.items():
                self.texts[f"action/{hero.name}/{token}"] = text
            for action in hero.actions:
                self.builder.add_action(slot, action)
                self.texts[f"action/{hero.name}/{action.name}"] = action.text

    def _start_area(self, board: Board, start: int) -> int:
        """R4.2 - the start area, or an area next to it that has room."""
        near = board.open_neighbours(start)
        walkable = [y for y in near if board.edge(start, y) != Edge("double", True)]
        for area in (start, *walkable, *near):
            if self.used[area] < board.areas[area].capacity:
                self.used[area] += 1
                return area
        raise ValueError("start: no room for the party there and next to it")

    def _add_decks(self) -> None:
        pack, builder = self.pack, self.builder
        for card in pack.initiative.cards:
            builder.add_card(card)
        for value in pack.fate.values:
            builder.add_fate(value)
        for injury in pack.injuries.cards:
            builder.add_injury(injury)
            self.texts[f"injury/{injury.name}"] = injury.text
        for trap in pack.traps.cards:
            builder.add_trap(trap)
            self.texts[f"trap/{trap.name}"] = trap.text

    def _add_ends(self) -> None:
        """Objective, last round, timer and events."""
        card, builder = self.card, self.builder
        goal = card.objective
        subject = builder.type_index(goal.type) if goal.type else -1
        bits = sum(1 << self.letters.index(letter) for letter in set(goal.areas))
        builder.set_objective(terms.Objective[goal.kind.upper()], subject, goal.number, bits)
        builder.record["last_round"] = card.last_round
        builder.record["bad_rest"] = self.pack.card.rulings.bad_rest if card.bad_rest else 0
        if card.timer is not None:
            builder.set_timer(card.timer.round, card.timer.target, card.timer.repeats)
        for event in card.events:
            subject = builder.type_index(event.type) if event.type else -1
            rows = [self._consequence(effect) for effect in event.effects]
            builder.add_event(
                terms.When[event.when.upper()], event.number, subject, rows, event.text
            )

    def _consequence(self, effect: schema.Consequence) -> tuple[int, int, int, int, int]:
        """(op, amount, range, a, b) of what an event does."""
        if effect.reinforce is not None:
            new = effect.reinforce
            op = Op.REINFORCE_PER_HERO if new.per_hero else Op.REINFORCE
            kind, area = self.builder.type_index(new.type), self.letters.index(new.area)
            return op, new.amount, 0, kind, area
        if effect.trap is not None:
            return Op.TRAP, 1, 0, -1, self.letters.index(effect.trap)
        return Op.FAIL if effect.fail else Op.SUCCEED, 1, 0, -1, -1


def fingerprint(content: Content, names: Names) -> str:
    """16 hex digits that change with any number, name or rule, but not with texts."""
    plain = asdict(replace(names, texts={}, events=()))
    digest = hashlib.sha256(RULES_VERSION.encode())
    digest.update(json.dumps(plain, sort_keys=True).encode())
    digest.update(content.tobytes())
    return digest.hexdigest()[:16]


__all__ = ["Builder", "Compiled", "check", "compile_scenario", "fingerprint"]
