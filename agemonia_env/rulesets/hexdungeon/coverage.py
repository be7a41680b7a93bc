"""What `agemonia coverage` counts in HexDungeon, and what may stay at zero."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agemonia_env.core.event_log import LogRow
from agemonia_env.rulesets.coverage import (
    NEVER,
    RULE_FUNCTION,
    Counted,
    CoverageTools,
    Fields,
    numbered,
    words,
)

from .content.compile import Compiled
from .content.modifier_cards import STANDARD
from .content.party import INSTEAD, half_name
from .content.words import line_text
from .core import terms
from .core.layout import FIRST_MONSTER, MAX_CARDS, N_CONDITIONS, N_HEROES
from .core.terms import Effect, Event, Half, Op

RANKS = ("normal", "elite")
SIDES = CHARACTERS, SUMMONS, MONSTERS = ("characters", "summons", "monsters")
CONDITIONS = [Effect(k) for k in range(Effect.POISON, N_CONDITIONS)]
ELEMENTS = [Effect(k) for k in range(Effect.FIRE, Effect.DARK + 1)]
BASICS = tuple(line_text(line) for line in INSTEAD.values())  # Attack 2, Move 2
LINE = Fields(
    ("advantages", "pierce", "targets", "extra_targets"),
    {"op": Op, "serves": terms.Serve, "mode": terms.Mode},
)
BONUS = Fields(("negate", "shield", "retaliate"), {"trigger": terms.Trigger, "only": terms.Only})
DOES = {Event.SPAWN: "comes", Event.ATTACK: "attacks", Event.DEATH: "dies"}

FOR_CASES = "single rules, for cases; no part of a game"
COMPILED = "called when a scenario is compiled"
FLIGHT = "no card takes flight away; only cases do (G12.8)"
GIVEN = "only cards that say so give it to another figure"
AVOIDED = "monsters and summons go round traps while any way is left (G13.14)"


def counted(scenario: str, compiled: Compiled) -> Iterator[Counted]:
    """As CoverageTools.counted."""
    yield from of_rules(compiled.content[0])
    doors = compiled.content[0]["door"].tolist()[: len(compiled.drawing.doors)]
    names = {place: f"{scenario}: door {k}" for k, place in enumerate(doors, 1)}
    yield Counted("door", Event.DOOR, "place", names)
    yield from of_cards(compiled)
    yield from of_figures(compiled)


def of_rules(content: Any) -> Iterator[Counted]:
    """What the rules name."""
    won, lost = (f"{words(terms.Goal(content['goal']))}, {outcome}" for outcome in ("won", "lost"))
    goal = {ending: won if ending == terms.Ending.GOAL else lost for ending in terms.Ending}
    yield Counted("ending", Event.ENDING, "amount", numbered(terms.Ending))
    yield Counted("goal", Event.ENDING, "amount", goal)
    for family, event, column, members in (
        ("condition", Event.CONDITION, "amount", CONDITIONS),
        ("damage", Event.DAMAGE, "place", terms.Source),
        ("draw", Event.ATTACK, "amount", terms.Draw),
    ):
        by_side = {(side, m): f"{side}: {words(m)}" for side in SIDES for m in members}
        yield Counted(family, event, f"side {column}", by_side)
    yield Counted("trap", Event.TRAP, "side", {side: side for side in SIDES})
    decks = {
        (deck, card): f"{CHARACTERS if deck else MONSTERS}: {words(card)}"
        for deck in range(N_HEROES + 1)
        for card in (Effect.BLESS, Effect.CURSE)
    }
    yield Counted("deck gains", Event.BLESS, "figure amount", decks)
    cards = dict.fromkeys(range(MAX_CARDS), "bless or curse") | dict(enumerate(STANDARD))
    yield Counted("modifier card", Event.CARD, "amount", cards)
    yield Counted("element", Event.ELEMENT, "amount", dict(enumerate(map(words, ELEMENTS))))
    means = {1: "by an active card", 2: "by losing cards"}
    yield Counted("damage negated", Event.NEGATED, "other", means)
    yield Counted("rest", Event.REST, "amount", {0: "short", 1: "long"})


def of_cards(compiled: Compiled) -> Iterator[Counted]:
    """Cards of characters and monsters, and what their lines do."""
    content, names = compiled.content[0], compiled.names
    halves: dict[Any, str] = {}
    lines: dict[Any, list[str]] = {NEVER: [*LINE.every(), *BONUS.every()]}
    for h, (who, cards) in enumerate(zip(names.heroes, names.cards, strict=True)):
        for k, card in enumerate(cards):
            for half, side in enumerate(INSTEAD):
                done = lines_of(compiled, content["hero"][h]["card"][k]["half"][half])
                for first in (half, half + len(Half)):  # of the lead, of the second card
                    lines[h, k, first] = done
                    halves[h, k, first] = f"{who}: {half_name(card, side)}"
                    halves[h, k, first + len(INSTEAD)] = f"{who}: {BASICS[half]}"
    yield Counted("action", Event.PLAY, "figure amount other", halves)
    yield Counted("line", Event.PLAY, "figure amount other", lines)
    for kind, own in enumerate(names.monster_cards):
        turned = {(kind, k): f"{names.kinds[kind]}: {card}" for k, card in enumerate(own)}
        records = content["kind"][kind]["card"]
        lines = {(kind, k): lines_of(compiled, records[k]) for k in range(len(own))}
        yield Counted("monster card", Event.MONSTER_CARD, "amount other", turned)
        yield Counted("line", Event.MONSTER_CARD, "amount other", lines)


def of_figures(compiled: Compiled) -> Iterator[Counted]:
    """Monsters and summons."""
    content, names = compiled.content[0], compiled.names
    spawns = content["spawn"][: content["n_spawns"]][["kind", "elite"]].tolist()
    kinds = {2 * k + elite: f"{names.kinds[k]}, {RANKS[elite]}" for k, elite in spawns}
    kinds |= {2 * k: name for k, name in enumerate(names.kinds) if k >= len(names.monster_cards)}
    for event, does in DOES.items():
        yield Counted("figure", event, "kind", {k: f"{name}, {does}" for k, name in kinds.items()})


def lines_of(compiled: Compiled, card: Any) -> list[str]:
    """What the lines of half a card, or of a monster's card, do."""
    content: Any = compiled.content[0]
    found = []
    for line in content["row"][card["first"] :][: card["n_rows"]]:
        found += LINE.of(line)
        found += [f"with {words(Effect(effect))}" for effect in line["effect"] if effect]
        if line["template"] >= 0:
            found.append(f"template {compiled.names.templates[line['template']]}")
        if line["bonus"] >= 0:
            found += BONUS.of(content["bonus"][line["bonus"]])
    return found


def figure(row: LogRow, state: Any) -> tuple[str, int]:
    """As CoverageTools.figure; kind: of the content, twice, and 1 more for an elite."""
    if row.figure < N_HEROES:
        return (CHARACTERS if row.figure >= 0 else ""), -1
    slot = state["figure"][row.figure]
    side = MONSTERS if row.figure >= FIRST_MONSTER else SUMMONS
    return side, 2 * int(slot["kind"]) + int(slot["elite"])


COVERAGE_TOOLS = CoverageTools(
    rule=re.compile(r"\b(?:G\d+\.\d+(?: to G\d+\.\d+)?|H\d+)\b"),
    figure=figure,
    counted=counted,
    excused={
        ("condition", "summons: invisible"): GIVEN,
        ("damage", "summons: trap"): AVOIDED,
        ("trap", "summons"): AVOIDED,
        ("decision", "landing"): FLIGHT,
        ("line", "mode fly"): "lines say walk or jump; figures fly by themselves (G12.7)",
        ("decision", "rest keep"): "no card counts as discarded while its owner rests (G11.11)",
        (RULE_FUNCTION, "api.py"): FOR_CASES,
        (RULE_FUNCTION, "commands.py"): FOR_CASES,
        (RULE_FUNCTION, "invariants.py"): "used by tests only",
        (RULE_FUNCTION, "flow.py run_landing"): FLIGHT,
        (RULE_FUNCTION, "rules/area.py settle_template"): COMPILED,
        (RULE_FUNCTION, "rules/attack.py suffer_attack"): FOR_CASES,
        (RULE_FUNCTION, "rules/board.py link_hexes"): COMPILED,
        (RULE_FUNCTION, "rules/board.py list_lines"): COMPILED,
        (RULE_FUNCTION, "rules/bonus.py standing_shield"): "for features of actions, and cases",
        (RULE_FUNCTION, "rules/force.py is_any_blocked"): FOR_CASES,
        (RULE_FUNCTION, "rules/monster.py write_outcomes"): FOR_CASES,
        (RULE_FUNCTION, "rules/places.py"): "nobody stands in a room before its door is opened",
        (RULE_FUNCTION, "rules/terrain.py landing_"): FLIGHT,
        (RULE_FUNCTION, "rules/terrain.py lose_flight"): FLIGHT,
        (RULE_FUNCTION, "rules/terrain.py obstacle_denial"): FOR_CASES,
        (RULE_FUNCTION, "rules/terrain.py run_hazard"): "a map draws one kind of terrain on a hex",
        (RULE_FUNCTION, "rules/terrain.py trap_damage"): FLIGHT,
    },
)
