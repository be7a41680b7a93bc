"""Compile a scenario of a pack and its heroes into a CONTENT record, names and a fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from agemonia_env.display.messages import in_line, not_allowed, unknown
from agemonia_env.packs.folders import ContentError
from agemonia_env.packs.patches import split
from agemonia_env.rulesets.arguments import RANDOM

from ..core import layout, terms
from . import schema
from .board import Edge
from .builder import Builder, Content
from .difficulty import changed_ends, changed_enemy, difficulty_of
from .drawing import Drawing, read_map
from .effect_rows import consequence_row
from .events import Course, event_mistakes
from .goals import Goals, having
from .load import FORMAT, load_pack
from .names import Names
from .pack import Pack
from .party import ACHIEVEMENT_MAX, INSPIRATION_MAX, Grown, HeroChoice, choose_party
from .references import consequences
from .ways import way_problems
from .words import SIZES, condition_bits

RULES_VERSION = "agemonia 2"  # increases whenever the same content plays differently
LEVELS = (1, 2, 3, 4, 5)
WILLS = tuple(will.name.lower() for will in terms.Will)
SAID = np.dtype(  # what fingerprints are made of
    [
        (name, layout.CONTENT[name])
        for name in layout.CONTENT.names or ()
        if name not in layout.DERIVED
    ],
    align=True,
)
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
    pack: str | Path | Pack,
    scenario: str,
    heroes: int | Sequence[HeroChoice] = 2,
    *,
    level: int | None = None,
    difficulty: str = "normal",
    enemy_will: str = "card",
) -> Compiled:
    """Compile a scenario for a party.

    heroes: a number of its recommended heroes, or heroes by name, or mappings with the keys of
    party.Member. level: of the Heroes, 1 to 5; None is the level the scenario is made for.
    difficulty: easy, normal, hard or brutal. enemy_will: `card`, or `free` for Enemies whose
    destinations and targets are free among the legal ones.

    Raises ValueError for unknown names and values that do not fit, and ContentError, a ValueError,
    for a pack with mistakes.
    """
    pack = pack if isinstance(pack, Pack) else load_pack(pack)
    if scenario not in pack.scenarios:
        known = (*sorted(pack.scenarios), RANDOM)
        raise ValueError(f"pack {in_line(pack.name)}: {unknown('scenario', scenario, known)}")
    if level is not None and level not in LEVELS:
        raise ValueError(f"level: {level}; allowed: 1 to 5, or None for that of the scenario")
    if enemy_will not in WILLS:
        raise ValueError(f"enemy_will: {not_allowed(enemy_will, WILLS)}")
    card = pack.scenarios[scenario]
    try:
        return compile_card(pack, card, heroes, level or card.level, difficulty, enemy_will)
    except ContentError:
        raise
    except ValueError as error:
        lines = [f"scenarios/{scenario}.yaml: {line}" for line in str(error).split("\n")]
        raise ValueError("\n".join(lines)) from None


def compile_card(
    pack: Pack,
    card: schema.Scenario,
    heroes: int | Sequence[HeroChoice],
    level: int,
    difficulty: str,
    enemy_will: str,
) -> Compiled:
    """Compile a scenario that need not be one of the pack: see compile_scenario."""
    party = choose_party(pack, card, heroes, level)
    compiler = Compiler(pack, card, party, difficulty_of(card, difficulty))
    compiler.builder.record["enemy_will"] = WILLS.index(enemy_will)
    return compiler.compile()


def check(path: str | Path) -> list[str]:
    """Every mistake of a pack, as text; an empty list if there is none.

    Each scenario is compiled for every number of Heroes and every difficulty at its own level, and
    each Hero alone in either class at level 5. A mistake at some difficulties only names them.
    """
    if mistakes := FORMAT.check(path):
        return mistakes
    pack = load_pack(path)
    if mistakes := list(event_mistakes(pack)):
        return mistakes
    found: dict[tuple[str, str], dict[str, None]] = {}  # difficulties by file and mistake
    tried: dict[str, set[str]] = {}
    for file, name, heroes, level, difficulty in _trials(pack):
        tried.setdefault(file, set()).add(difficulty)
        try:
            compile_scenario(pack, name, heroes, level=level, difficulty=difficulty)
        except ValueError as error:
            own = f"scenarios/{name}.yaml"
            for line in str(error).split("\n"):
                found.setdefault((file, line.removeprefix(own)), {})[difficulty] = None
    return [
        file + text + ("" if tried[file] == set(levels) else f" (at {' and '.join(levels)})")
        for (file, text), levels in found.items()
    ]


Trial = tuple[str, str, int | list[HeroChoice], int | None, str]


def _trials(pack: Pack) -> Iterator[Trial]:
    """What `check` compiles: file at fault, scenario, Heroes, level, difficulty."""
    for name, card in pack.scenarios.items():
        for heroes in range(1, min(layout.N_HEROES_MAX, len(card.heroes)) + 1):
            for difficulty in card.difficulty or ("normal",):
                yield f"scenarios/{name}.yaml", name, heroes, None, difficulty
    somewhere = next(iter(pack.scenarios))
    for key, hero in pack.heroes.items():
        for kind in hero.classes:
            grown: list[HeroChoice] = [{"hero": key, "class": kind.name}]
            yield f"heroes/{key}.yaml", somewhere, grown, LEVELS[-1], "normal"


class Compiler:
    """Compiles one scenario."""

    def __init__(
        self, pack: Pack, card: schema.Scenario, party: list[Grown], change: schema.Difficulty
    ) -> None:
        self.pack, self.card, self.party, self.change = pack, card, party, change
        self.course = Course(pack, card, len(party), change)
        self.builder = Builder(pack.card.rulings)
        self.texts: dict[str, str] = {"scenario": card.text}

    def compile(self) -> Compiled:
        """Compile everything, in the order of setting up a table."""
        board, drawing = read_map(self.card.map)
        self.board, self.letters = board, drawing.letters
        self._check_ways()
        self.builder.add_map(board)
        self.texts |= {f"story/{section}": text for section, text in self.card.stories.items()}
        self._add_enemies()
        self._name_items()
        self._add_allies()
        self.add_decks()
        self._add_sections()
        self._add_ends()
        self._add_item_cards()
        self._check_goal()
        content = self.builder.finish()
        built = self.builder.names()
        types = tuple(self.pack.enemies[name].name for name in built.types)
        title = self.card.name
        names = replace(built, types=types, pack=self.pack.name, scenario=title, texts=self.texts)
        return Compiled(content, names, drawing, fingerprint(content, names))

    def _check_ways(self) -> None:
        """Raises ValueError for needed areas that nobody can reach or stand in."""
        problems = way_problems(self.card, self.board, self.letters)
        if problems:
            raise ValueError("\n".join(problems))

    def _check_goal(self) -> None:
        """Raises ValueError for an objective that can never be met, or is met at once."""
        goals = Goals(self.course, self.party, self.builder, self.letters)
        problems = list(goals.problems())
        if problems:
            raise ValueError("\n".join(problems))

    def _area(self, letter: str) -> int:
        return self.letters.index(letter)

    # ---- Enemies ----------------------------------------------------------------------------
    def _add_enemies(self) -> None:
        """Enemy cards of all types that can appear, and those placed at set-up."""
        board = self.board
        self.used = [0] * len(board.areas)
        placed = 0
        for _, placement in self._placements():
            self.builder.type_index(placement.type)
        for key, placement in self._placed():
            kind = self.builder.type_index(placement.type)
            area = self._area(placement.area)
            placed += placement.amount
            size = SIZES[self.pack.enemies[placement.type].card.size]
            self.used[area] += size * placement.amount
            for _ in range(placement.amount):
                self.builder.add_setup(kind, area)
            if self.used[area] > board.areas[area].capacity:
                raise ValueError(
                    f"{key}: {placement.area} holds {board.areas[area].capacity} figures, "
                    f"{having(len(self.party))} {self.used[area]} are placed there"
                )
        if placed > layout.N_ENEMIES:
            raise ValueError(f"setup: {placed} Enemies; at most {layout.N_ENEMIES}")
        for _, consequence in consequences(self.card):
            if consequence.reinforce:
                self.builder.type_index(consequence.reinforce.type)
        self._add_types()

    def _placements(self) -> Iterator[tuple[str, schema.Placement]]:
        """Figures placed at set-up, with their keys; those of the difficulty level last."""
        for i, placement in enumerate(self.card.setup):
            yield f"setup[{i}]", placement
        for i, placement in enumerate(self.change.setup):
            yield f"difficulty setup[{i}]", placement

    def _placed(self) -> Iterator[tuple[str, schema.Placement]]:
        """Those of them that this party meets."""
        n = len(self.party)
        for key, placement in self._placements():
            if placement.min_heroes <= n <= placement.max_heroes:
                yield key, placement

    def _add_types(self) -> None:
        """Cards of the types named so far, and of those that they spawn in turn."""
        for name in self.builder.types:  # which grows
            enemy = self.pack.enemies[name]
            health = self.card.health.get(name, enemy.card.health)
            card = enemy.card.model_copy(update={"health": health})
            self.builder.add_enemy_type(name, changed_enemy(card, self.change))
            self.texts[f"enemy/{enemy.name}"] = enemy.flavour

    # ---- Allies -----------------------------------------------------------------------------
    def _name_items(self) -> None:
        """Items that Heroes carry, that events and sections give, or that are to be collected."""
        for hero in self.party:
            for key in hero.items:
                self.builder.add_item(key)
        for _, consequence in consequences(self.card):
            if consequence.item:
                self.builder.add_item(consequence.item.item)
        if self.card.objective.item is not None:
            self.builder.add_item(self.card.objective.item)

    def _add_allies(self) -> None:
        """Heroes, Non-Hero Allies of the scenario, and the one that the party may summon."""
        slots = []
        for grown in self.party:
            area = self._start_area(self._area(self.card.apart.get(grown.key, self.card.start)))
            slots.append(self.builder.add_ally(grown.hero.name, grown.hero, area))
        for companion in self.card.allies:
            self.add_companion(companion)
        for key in self.summoned():
            self.add_companion(schema.Companion(ally=key, joins=True))
        for slot, grown in zip(slots, self.party, strict=True):
            self.fill_sheet(slot, grown)
            self.add_actions(slot, grown)
        for key in self._companions():
            card = self.pack.allies[key]
            for action in card.actions:
                self.builder.add_action(self.builder.ally_slot(key), action)
                self.texts[f"action/{card.name}/{action.name}"] = action.text

    def _companions(self) -> list[str]:
        """Keys of the Non-Hero Allies in their order."""
        return [companion.ally for companion in self.card.allies] + self.summoned()

    def summoned(self) -> list[str]:
        """R18.6 - the Ally that effects of the party summon, unless the scenario has it anyway."""
        lists = [action.effects for grown in self.party for action in grown.actions]
        lists += [skill.maneuver for grown in self.party for skill in grown.skills]
        lists += [self.pack.items[key].effects for key in self.builder.items()]
        named = [e.summon_ally.ally for effects in lists for e in effects if e.summon_ally]
        there = {companion.ally for companion in self.card.allies}
        keys = [key for key in dict.fromkeys(named) if key not in there]
        if len(keys) > 1:
            raise ValueError(f"heroes: a party summons one Ally at most, not {' and '.join(keys)}")
        return keys

    def add_companion(self, companion: schema.Companion) -> None:
        """R18.1 - a Non-Hero Ally, in its area, beside the Heroes, or waiting off the map."""
        card = self.pack.allies[companion.ally]
        area = -1
        if not companion.joins:
            start = self._area(companion.area or self.card.start)
            area = self._start_area(start, SIZES[card.size])
        slot = self.builder.add_ally(card.name, card, area, companion.ally)
        self.builder.record["sheet"][slot]["waiting"] = companion.joins
        self.texts[f"ally/{card.name}"] = card.flavour

    def _start_area(self, start: int, size: int = 1) -> int:
        """R4.2 - the start area, or an area next to it that has room."""
        board = self.board
        near = board.open_neighbours(start)
        walkable = [y for y in near if board.edge(start, y) != Edge("double", True)]
        for area in (start, *walkable, *near):
            if self.used[area] + size <= board.areas[area].capacity:
                self.used[area] += size
                return area
        raise ValueError("start: no room for the party there and next to it")

    def fill_sheet(self, slot: int, grown: Grown) -> None:
        """What a Hero of this level carries and holds at set-up."""
        sheet = self.builder.record["sheet"][slot]
        sheet["hands"] = grown.hero.hands
        sheet["item"][: len(grown.items)] = [self.builder.add_item(key) for key in grown.items]
        sheet["active"] = grown.active
        sheet["wounds"] = grown.wounds
        sheet["spent"] = grown.spent
        sheet["injury"] = sum(1 << index for index in grown.injuries)
        sheet["conditions"] = condition_bits(grown.conditions)
        inspiration = grown.inspiration + self.change.inspiration
        surplus = max(0, inspiration - INSPIRATION_MAX)  # R16.1
        sheet["inspiration"] = inspiration - surplus
        achievement = grown.achievement + self.change.gems + surplus
        sheet["achievement"] = min(ACHIEVEMENT_MAX, achievement)

    def add_actions(self, slot: int, grown: Grown) -> None:
        """R4.3, R4.5, R20.3 - action tokens and skills, and what people read about the Hero."""
        hero, builder, texts = grown.hero, self.builder, self.texts
        texts[f"hero/{hero.name}"] = f"{hero.title}. {hero.flavour}"
        texts |= {f"action/{hero.name}/{token}": text for token, text in PRINTED_TEXTS.items()}
        for action in grown.actions:
            builder.add_action(slot, action, slotted=action.maneuver or grown.level == 1)
            texts[f"action/{hero.name}/{action.name}"] = action.text
        builder.add_skills(slot, grown.skills)
        builder.record["sheet"][slot]["slots"] = grown.slots
        builder.record["sheet"][slot]["open_slots"] = grown.open_slots
        if grown.kind is not None:
            texts[f"class/{hero.name}"] = f"{grown.kind.name}. {grown.kind.text}"
        for skill in grown.skills:
            texts[f"skill/{hero.name}/{skill.name}"] = skill.text
            if skill.maneuver:
                texts[f"action/{hero.name}/{skill.name}"] = skill.text

    # ---- the rest ---------------------------------------------------------------------------
    def add_decks(self) -> None:
        """Initiative, Fate, Injury and Trap cards."""
        self.builder.copy_decks(self.pack.decks)
        for kind, deck in (("injury", self.pack.injuries), ("trap", self.pack.traps)):
            self.texts |= {f"{kind}/{card.name}": card.text for card in deck.cards}

    def _add_sections(self) -> None:
        """R19.11 - story sections with effects."""
        for name, section in self.card.sections.items():
            done, failed = (
                [consequence_row(self.builder, effect, self._area) for effect in effects]
                for effects in (section.effects, section.failed)
            )
            self.builder.add_section(name, section, self._area(section.area), done, failed)
            self.texts[f"section/{name}"] = section.text

    def _add_ends(self) -> None:
        """Objective, last round, timer and events."""
        card, builder = self.card, self.builder
        goal = card.objective
        bits = sum(1 << self._area(letter) for letter in set(goal.areas))
        kind = terms.Objective[goal.kind.upper()]
        builder.set_objective(kind, self._goal_subject(goal), goal.number, bits)
        ends = changed_ends(card, self.change)
        builder.record["last_round"] = ends["last_round"]
        builder.record["bad_rest"] = self.pack.card.rulings.bad_rest if card.bad_rest else 0
        if card.timer is not None:
            most = self.course.timer_most(card.timer)
            if self.course.has_timer and ends["timer"] > most:
                raise ValueError(
                    f"timer.target: {ends['timer']} can never be reached; the Fate cards of its "
                    f"rounds are at most {most} together"
                )
            builder.set_timer(card.timer.round, ends["timer"], card.timer.repeats)
        for event in card.events:
            subject = -1
            if event.type is not None:
                subject = builder.type_index(event.type)
            elif event.section is not None:
                subject = builder.names().story(event.section)
            rows = [consequence_row(builder, effect, self._area) for effect in event.effects]
            builder.add_event(
                terms.When[event.when.upper()], event.number, subject, rows, event.text
            )

    def _goal_subject(self, goal: schema.Goal) -> int:
        """The subject of an objective: an Enemy type, an item, or the slot of an Ally."""
        if goal.kind == "defeat_type" and goal.type is not None:
            return self.builder.type_index(goal.type)
        if goal.kind == "collect" and goal.item is not None:
            return self.builder.add_item(goal.item)
        if goal.kind == "escort" and goal.ally is not None:
            return self.builder.ally_slot(goal.ally)
        return -1

    def _add_item_cards(self) -> None:
        """Cards of the items that can occur, and of all tokens and pets."""
        for key in self.builder.items():
            card = self.pack.items[key]
            self.builder.add_item_card(key, card)
            self.texts[f"item/{card.name}"] = card.text
        for key in self.builder.figures():
            figure = self.pack.figures[key]
            self.builder.add_figure(key, figure)
            self.texts[f"figure/{figure.name}"] = figure.text


def fingerprint(content: Content, names: Names) -> str:
    """16 hex digits that change with any number, name or rule, but not with texts."""
    pack, _ = split(names.pack)  # its changes show in the numbers
    plain = vars(names) | {"texts": {}, "events": (), "pack": pack}
    said = np.zeros(1, SAID)
    for name in SAID.names or ():
        said[name] = content[name]
    told = RULES_VERSION.encode() + json.dumps(plain, sort_keys=True).encode() + said.tobytes()
    return hashlib.sha256(told).hexdigest()[:16]


__all__ = ["Builder", "Compiled", "check", "compile_scenario", "fingerprint"]
