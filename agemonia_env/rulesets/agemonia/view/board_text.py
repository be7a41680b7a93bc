"""The board as text, for terminals: the same facts as the picture; and the goal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agemonia_env.display.lines import WIDTH, asked, folded
from agemonia_env.display.messages import counted

from ..content.compile import Compiled
from ..core.layout import N_ALLIES
from ..core.terms import Ending, Kind, Objective, Phase
from .labels import (
    ENDINGS,
    PHASES,
    allies_in,
    ally_name,
    ally_slots,
    area_name,
    condition_names,
    enemies_in,
    enemy_name,
    enemy_slots,
    hero_numbers,
    initiative_bars,
    item_name,
    objective_text,
    question_text,
    round_text,
    token_name,
    type_name,
    ways_out,
)


def write_board(
    state: np.void, compiled: Compiled, events: Sequence[str] = (), width: int = WIDTH
) -> str:
    """The board of one state record: lines of text, the last one is the question.

    events: sentences about what happened since the last decision. width: columns of a line.
    """
    lines = [
        *_title_lines(state, compiled),
        "",
        *_initiative_lines(state, compiled),
        "Map",
    ]
    for area in range(int(compiled.content[0]["n_areas"])):
        lines += _area_lines(state, compiled, area)
    lines += ["", "Heroes"]
    for slot in ally_slots(state):
        lines += _ally_lines(state, compiled, slot)
    lines += asked(question_text(state, compiled), bool(state["ending"]), events)
    return "\n".join(folded(lines, width))


def write_brief(
    state: np.void, compiled: Compiled, events: Sequence[str] = (), width: int = WIDTH
) -> str:
    """The board without its map: what has changed, and the question."""
    lines = [*_title_lines(state, compiled), *_order_lines(state, compiled)]
    if state["asked"] in ally_slots(state):
        lines += _ally_lines(state, compiled, int(state["asked"]))
    lines += asked(question_text(state, compiled), bool(state["ending"]), events)
    return "\n".join(folded(lines, width))


def _title_lines(state: np.void, compiled: Compiled) -> list[str]:
    """Scenario, round and phase; what is to be done, and how far it is."""
    phase = PHASES[Phase(int(state["phase"]))]
    return [
        f"{compiled.names.scenario}   {round_text(state, compiled)}   {phase}",
        f"{objective_text(compiled)} {progress_text(state, compiled)}",
    ]


def _initiative_lines(state: np.void, compiled: Compiled) -> list[str]:
    """The bars of this round's card, an arrow at the current one."""
    bars = initiative_bars(state, compiled)
    if not bars:
        return []
    rows = [
        f" {'>' if bar.current else ' '} {'[]' if bar.enemy else '()'} {bar.label:<24}"
        f" {', '.join(bar.figures) or '-'}"
        for bar in bars
    ]
    return ["Initiative", *rows, ""]


def _order_lines(state: np.void, compiled: Compiled) -> list[str]:
    """The bars of this round's card on which somebody acts, in a line; > before the current one."""
    bars = [bar for bar in initiative_bars(state, compiled) if bar.figures]
    texts = [f"{'>' * bar.current}{bar.label} ({', '.join(bar.figures)})" for bar in bars]
    return [f"Initiative: {'; '.join(texts)}"] if texts else []


def _area_lines(state: np.void, compiled: Compiled, area: int) -> list[str]:
    """An area: height, room, traps, ways out; then who is in it."""
    content = compiled.content[0]
    used, capacity = int(state["used"][area]), int(content["capacity"][area])
    extras = [f"height {int(content['level'][area])}"] if content["level"][area] else []
    extras += ["trap"] * bool(state["trap"][area])
    extras += ["goal"] * bool(int(content["goal"]) >> area & 1)
    extras += [item_name(compiled, int(i)) for i in state["item"][area] if i >= 0]
    note = f" ({', '.join(extras)})" if extras else ""
    ways, names = ways_out(compiled, area) or "no way out", compiled.names
    lines = [f"  {names.areas[area]} {used}/{capacity}{note} - {ways}"]
    for slot in allies_in(state, area):
        lying = " (exhausted)" if state["ally"][slot]["exhausted"] else ""
        lines.append(f"      () {names.allies[slot]}{lying}")
    there = enemies_in(state, area)
    return [*lines, *(f"      [] {_enemy_text(state, compiled, slot)}" for slot in there)]


def _enemy_text(state: np.void, compiled: Compiled, slot: int) -> str:
    """An Enemy: name, health, and what matters for fighting it."""
    figure = state["enemy"][slot]
    kind = compiled.content[0]["type"][int(figure["type"])]
    parts = [
        enemy_name(state, compiled, slot),
        f"health {int(figure['health'])}/{int(figure['full'])}",
    ]
    for name in ("shield", "provoke"):
        if kind[name]:
            parts.append(f"{name} {int(kind[name])}")
    parts += condition_names(int(figure["conditions"]))
    return ", ".join(parts)


def _ally_lines(state: np.void, compiled: Compiled, slot: int) -> list[str]:
    """An Ally: who, where, its action; its numbers; its conditions."""
    figure = state["ally"][slot]
    numbers = hero_numbers(state, compiled, slot)
    area, token = int(figure["area"]), int(figure["token"])
    where = f"in {compiled.names.areas[area]}" if area >= 0 else "off the map"
    chosen = f", chose {token_name(compiled, slot, token)}" if token >= 0 else ""
    mark = ">" if state["asked"] == slot and not state["ending"] else " "
    flags = [*numbers.flags, *condition_names(int(figure["conditions"]))]
    note = f"   [{', '.join(flags)}]" if flags else ""
    return [
        f" {mark} {compiled.names.allies[slot]} {where}{chosen}{note}",
        f"      {numbers.chips}   {numbers.board}",
    ]


# ---- the goal: how to win and lose, the progress, and why the scenario ended ---------------------
MAX_NAMED = 12  # figures that are listed


def goal_page(state: np.void, compiled: Compiled) -> str:
    """The scenario's text, how to win and lose, and the progress."""
    content, names = compiled.content[0], compiled.names
    losses = ["all Heroes are exhausted"]
    if content["objective"] == Objective.ESCORT:
        losses.append(f"{ally_name(compiled, int(content['objective_subject']))} is exhausted")
    if content["last_round"] and content["objective"] != Objective.HOLD:
        losses.append(f"round {int(content['last_round'])} ends without the objective")
    lines = [names.scenario, names.texts.get("scenario", "")]
    lines += [
        f"To win: {objective_text(compiled)} {progress_text(state, compiled, named=True)}".rstrip()
    ]
    lines += [f"Lost when: {', or '.join(losses)}."]
    if state["timer_target"] > 0:
        lines.append("A timer adds up Fate cards; at its target something happens (R19.1).")
    return "\n".join(line for line in lines if line)


def progress_text(state: np.void, compiled: Compiled, named: bool = False) -> str:
    """The progress of the objective, in a sentence; `named`: list the standing Enemies."""
    content = compiled.content[0]
    number, subject = int(content["objective_number"]), int(content["objective_subject"])
    match Objective(int(content["objective"])):
        case Objective.DEFEAT_ALL:
            return _standing_text(state, compiled, named)
        case Objective.DEFEAT_TYPE:
            return f"{int(state['defeated'][subject])} of {number} are defeated."
        case Objective.HOLD:
            return f"This is round {int(state['round'])}."
        case Objective.REACH:
            areas = {a: int(state["ally"][a]["area"]) for a in _heroes(state)}
            away = [
                ally_name(compiled, a)
                for a, area in areas.items()
                if area < 0 or not int(content["goal"]) >> area & 1
            ]
            return f"Not there yet: {', '.join(away)}." if away else "All are there."
        case Objective.COLLECT:
            carried = sum(int((state["ally"][a]["item"] == subject).sum()) for a in _heroes(state))
            return f"{carried} of {number} are carried."
        case Objective.ESCORT:
            area = int(state["ally"][subject]["area"])
            where = f"in {area_name(compiled, area)}" if area >= 0 else "not on the map"
            return f"{ally_name(compiled, subject)} is {where}."
        case Objective.DISARM:
            return f"{int(state['disarmed'])} of {number} are disarmed."
        case Objective.ADVANCE:
            return f"{int(state['progress'])} of {number} are taken."


def _standing_text(state: np.void, compiled: Compiled, named: bool) -> str:
    """How many Enemies stand, or which."""
    standing = [enemy_name(state, compiled, e) for e in enemy_slots(state)]
    n = len(standing)
    text = "No Enemy stands now" if not n else f"{n} {'stands' if n == 1 else 'stand'}"
    if not (named and standing):
        return f"{text}."
    more = " and others" * (n > MAX_NAMED)
    return f"{text}: {', '.join(standing[:MAX_NAMED])}{more}."


def _heroes(state: np.void) -> list[int]:
    """Slots of the Heroes that are not exhausted."""
    allies = enumerate(state["ally"])
    return [a for a, f in allies if f["kind"] == Kind.HERO and not f["exhausted"]]


def ending_text(state: np.void, compiled: Compiled) -> str:
    """How the scenario ended and why: the objective, and what each side did."""
    ending = Ending(int(state["ending"]))
    if ending == Ending.NONE:
        return f"The scenario goes on: {goal_page(state, compiled)}"
    result = "won" if state["won"] else "lost"
    rounds = counted(int(state["round"]), "round")
    after = f"{rounds} and {counted(int(state['decisions']), 'decision')}"
    lines = [f"The scenario is {result} after {after}: {ENDINGS[ending]}."]
    progress = progress_text(state, compiled, named=True)
    lines.append(f"Objective: {objective_text(compiled)} {progress}")
    lines += [_part_text(state, compiled, a) for a in ally_slots(state)]
    lines += _harm_lines(state, compiled)
    return "\n".join(lines)


def _part_text(state: np.void, compiled: Compiled, ally: int) -> str:
    """What an Ally dealt and suffered."""
    figure = state["ally"][ally]
    flags = [flag for flag in ("wounded", "exhausted") if figure[flag]]
    ended = f", {' and '.join(flags)}" if flags else ""
    dealt, taken = int(state["dealt"][ally]), int(state["taken"][ally])
    return f"  {ally_name(compiled, ally)}: dealt {dealt} damage, suffered {taken}{ended}."


def _harm_lines(state: np.void, compiled: Compiled) -> list[str]:
    """Which Enemies did the harm, the worst first."""
    dealt = [
        (int(state["dealt"][N_ALLIES + kind]), type_name(compiled, kind))
        for kind in range(int(compiled.content[0]["n_types"]))
    ]
    texts = [f"{name} {n}" for n, name in sorted(dealt, reverse=True) if n]
    return [f"  Damage by Enemies: {', '.join(texts)}."] if texts else []
