"""What `agemonia coverage` counts in Agemonia, and what may stay at zero."""

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

from .content.compile import PRINTED_TEXTS, Compiled
from .core import terms
from .core.actions import STARTS, Block, Turn
from .core.layout import N_ALLIES, N_ENEMIES
from .core.terms import Event, Eye, Objective, Op, Rider, Wear

SIDES = ALLIES, ENEMIES = ("Allies", "Enemies")
ATTACK = Fields(
    (
        *("pierce", "conditions", "push", "pull", "double", "drain"),
        *("non_elite", "ignore_aim", "effect_only"),
    ),
    {"shape": terms.Shape},
)
STRIKE = Fields(("conditions", "push", "pull", "loss", "drain", "or_else"), {})
HORNS, SNAKE = 4, 8  # bits of Event.ENEMY_ACTS beside the eye
ENEMIES_CANNOT = "R12.0a: Enemies cannot have it"
ONLY_CASES = "only cases try actions that are denied"


def counted(scenario: str, compiled: Compiled) -> Iterator[Counted]:
    """As CoverageTools.counted."""
    content, names = compiled.content[0], compiled.names
    yield from of_rules(content)
    yield Counted("injury card", Event.INJURY, "amount", dict(enumerate(names.injuries)))
    yield Counted("trap card", Event.TRAP_CARD, "amount", dict(enumerate(names.traps)))
    yield from of_allies(compiled)
    yield from of_items(compiled)
    yield from of_enemies(compiled)
    yield from of_scenario(scenario, compiled)


def of_rules(content: Any) -> Iterator[Counted]:
    """Conditions, endings, attacks, choices and effects."""
    conditions = {(side, c): f"{side}: {words(c)}" for side in SIDES for c in terms.Condition}
    yield Counted("condition", Event.GAIN, "side amount", conditions)
    goals = [Objective(content["objective"]), *Objective]
    for event, outcome in ((Event.SUCCESS, "won"), (Event.FAILURE, "lost")):
        yield Counted("ending", event, "amount", numbered(terms.Ending))
        own, *every = (f"{words(goal)}, {outcome}" for goal in goals)
        yield Counted("objective", event, "event", {int(event): own, NEVER: every})
    for family, event, fields, rows in (
        ("attack", Event.ATTACK, ATTACK, content["attack"]),
        ("attack of an Enemy", Event.STRIKE, STRIKE, content["strike"]),
    ):
        names = {k: fields.of(row) for k, row in enumerate(rows)}
        yield Counted(family, event, "amount", {NEVER: fields.every(), **names})
    turn = {STARTS[Block.TURN] + turn: words(turn) for turn in Turn}
    yield Counted("choice in a turn", Event.CHOICE, "choice", turn)
    ops = dict(enumerate(ops_of(content)))
    yield Counted("effect", Event.CONSEQUENCE, "amount", {NEVER: numbered(Op).values(), **ops})
    yield Counted("effect", Event.EFFECT, "amount other", {(k, 1): op for k, op in ops.items()})


def of_allies(compiled: Compiled) -> Iterator[Counted]:
    """Actions performed, except those printed on every sheet."""
    names, sheets = compiled.names, compiled.content[0]["sheet"]
    performed = {
        (a, row): f"{ally}: {token}"
        for a, (ally, tokens) in enumerate(zip(names.allies, names.tokens, strict=True))
        for token, row in zip(tokens, sheets[a]["token"].tolist(), strict=False)
        if token not in PRINTED_TEXTS
    }
    yield Counted("action performed", Event.ACT, "figure amount", performed)


def of_items(compiled: Compiled) -> Iterator[Counted]:
    """What is done with items that can serve for it."""
    item: Any = compiled.content[0]["item"]
    for family, event, can in (
        ("item picked up", Event.TAKE, item["own"] == 0),
        ("item dropped", Event.DROP, item["own"] == 0),
        ("item given", Event.GIVE, item["own"] == 0),
        ("item used", Event.USE, (item["n"] > 0) | (item["special"] > 0)),
        ("item boosting a check", Event.BOOST, ((item["boost"] + item["boost_active"]) > 0).any(1)),
        ("item serving an attack", Event.RIDE, item["rider"] != Rider.NONE),
        ("item put to use", Event.WEAR, item["wear"] != Wear.NONE),
    ):
        names = {k: name for k, name in enumerate(compiled.names.items) if can[k]}
        done = {(k, other): name for k, name in names.items() for other in (-1, 1)}
        yield Counted(family, event, "amount other", done)  # 0: put away


def of_enemies(compiled: Compiled) -> Iterator[Counted]:
    """What each type does: eyes with attack and horns, snake, Provoke and defeat box."""
    content: Any = compiled.content[0]
    every_op = ops_of(content)
    for t, name in enumerate(compiled.names.types):
        card = content["type"][t]
        leaves, boxed = card["leave"] >= 0, card["defeat_n"] > 0  # an item, or effects
        box, its_box = (Event.DEFEAT if leaves else Event.CONSEQUENCE), f"{name}: defeat box"
        yield Counted("Enemy", box, "kind", {t: its_box} if leaves or boxed else {})
        provoke = {t: f"{name}: provoke"} if card["provoke"] else {}
        yield Counted("Enemy", Event.PROVOKE, "kind", provoke)
        for eye in Eye:
            its = f"{words(eye)} eye"
            strike = {(t, int(card["strike"][eye])): f"{name}: attack of the {its}"}
            yield Counted(
                "Enemy", Event.STRIKE, "kind amount", strike if card["strike"][eye] >= 0 else {}
            )
            for what, sign, first, n in (
                (its, 0, 0, 0),
                (f"horns of the {its}", HORNS, card["horns_first"][eye], card["horns_n"][eye]),
                ("snake", SNAKE, card["snake_first"], card["snake_n"]),
            ):
                shown = [(t, k) for k in range(eye, 2 * SNAKE, HORNS) if k & sign == sign]
                acts = dict.fromkeys(shown, f"{name}: {what}") if n or not sign else {}
                ops = dict.fromkeys(shown, sum(every_op[first : first + n], ()))
                yield Counted("Enemy", Event.ENEMY_ACTS, "kind amount", acts)
                yield Counted("effect", Event.ENEMY_ACTS, "kind amount", ops)


def ops_of(content: Any) -> list[tuple[str, ...]]:
    """What each effect row does; nothing where there is no row."""
    return [tuple(numbered([Op(op)]).values()) for op in content["effect"]["op"]]


def of_scenario(scenario: str, compiled: Compiled) -> Iterator[Counted]:
    """Scenario events, story sections, and what they do."""
    content: Any = compiled.content[0]
    events = {k: f"{scenario}: event {k + 1}" for k in range(content["n_events"])}
    stories = {k: f"{scenario}: {name}" for k, name in enumerate(compiled.names.stories)}
    yield Counted("scenario event", Event.SCENARIO, "amount", events)
    yield Counted("story section", Event.STORY, "amount", stories)
    rows: dict[Any, str] = {}
    for names, records, kind, text in (
        (events, content["event"], "", ""),
        (stories, content["section"], "", ""),
        (stories, content["section"], "fail_", ", failed"),
    ):
        for k, cause in names.items():
            for row in range(records[k][f"{kind}n"]):
                place = int(records[k][f"{kind}first"]) + row
                rows[place] = f"{cause}{text}, effect {row + 1}"
    yield Counted("consequence", Event.CONSEQUENCE, "amount", rows)


def figure(row: LogRow, state: Any) -> tuple[str, int]:
    """As CoverageTools.figure; what provokes is the Enemy in `amount`."""
    slot = N_ALLIES + row.amount if row.event == Event.PROVOKE else row.figure
    if N_ALLIES <= slot < N_ALLIES + N_ENEMIES:
        return ENEMIES, int(state["enemy"][slot - N_ALLIES]["type"])
    return (ALLIES if 0 <= slot < N_ALLIES else ""), -1


COVERAGE_TOOLS = CoverageTools(
    rule=re.compile(r"\b(?:R\d+\.\d+[a-z]?(?: to R\d+\.\d+[a-z]?)?|Q\d+)\b"),
    figure=figure,
    counted=counted,
    excused={
        ("condition", "Enemies: invisible"): ENEMIES_CANNOT,
        ("condition", "Enemies: blessed"): ENEMIES_CANNOT,
        ("condition", "Enemies: cursed"): ENEMIES_CANNOT,
        (RULE_FUNCTION, "commands.py"): "single rules, for cases; no part of a game",
        (RULE_FUNCTION, "invariants.py"): "used by tests only",
        (RULE_FUNCTION, "rules/enemy_turn.py attack_denial"): ONLY_CASES,
        (RULE_FUNCTION, "rules/items.py item_lying_denial"): ONLY_CASES,
        (RULE_FUNCTION, "rules/pushing.py reach_denial"): ONLY_CASES,
        (RULE_FUNCTION, "rules/stamina.py mixed_denial"): ONLY_CASES,
        (RULE_FUNCTION, "rules/turn.py start_denial"): ONLY_CASES,
    },
)
