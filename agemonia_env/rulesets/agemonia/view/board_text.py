"""The board as text, for terminals: the same facts as the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agemonia_env.display.lines import WIDTH, folded

from ..content.compile import Compiled
from ..core.layout import N_ALLIES, N_ENEMIES
from ..core.terms import Border, Ending, Kind, Phase
from .goal import progress_text
from .labels import (
    PHASES,
    condition_names,
    enemy_name,
    hero_numbers,
    initiative_bars,
    item_name,
    objective_text,
    question_text,
    round_text,
    token_name,
)

MARKS = {Border.SINGLE: "", Border.DOUBLE_DOWN: " (down)", Border.DOUBLE_UP: " (up)"}


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
    for slot in range(N_ALLIES):
        if state["ally"][slot]["kind"] != Kind.NOBODY:
            lines += _ally_lines(state, compiled, slot)
    return "\n".join(folded([*lines, *_question_lines(state, compiled, events)], width))


def write_brief(
    state: np.void, compiled: Compiled, events: Sequence[str] = (), width: int = WIDTH
) -> str:
    """The board without its map: what has changed, and the question."""
    lines = [*_title_lines(state, compiled), *_order_lines(state, compiled)]
    asked = int(state["asked"])
    if asked >= 0 and state["ally"][asked]["kind"] != Kind.NOBODY:
        lines += _ally_lines(state, compiled, asked)
    return "\n".join(folded([*lines, *_question_lines(state, compiled, events)], width))


def _title_lines(state: np.void, compiled: Compiled) -> list[str]:
    """Scenario, round and phase; what is to be done, and how far it is."""
    phase = PHASES[Phase(int(state["phase"]))]
    return [
        f"{compiled.names.scenario}   {round_text(state, compiled)}   {phase}",
        f"{objective_text(compiled)} {progress_text(state, compiled)}",
    ]


def _question_lines(state: np.void, compiled: Compiled, events: Sequence[str]) -> list[str]:
    """The last events, and the question."""
    lines = ["", *(f"* {event}." for event in events)] if events else []
    mark = "==" if int(state["ending"]) != Ending.NONE else ">>"
    return [*lines, "", f"{mark} {question_text(state, compiled)}"]


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
    names = compiled.names.areas
    ways = [
        names[other] + MARKS[Border(int(kind))]
        for other, kind in enumerate(content["border"][area][: len(names)])
        if kind in MARKS
    ]
    extras = [f"height {int(content['level'][area])}"] if content["level"][area] else []
    extras += ["trap"] * bool(state["trap"][area])
    extras += ["goal"] * bool(int(content["goal"]) >> area & 1)
    extras += [item_name(compiled, int(i)) for i in state["item"][area] if i >= 0]
    note = f" ({', '.join(extras)})" if extras else ""
    lines = [f"  {names[area]} {used}/{capacity}{note} - {', '.join(ways) or 'no way out'}"]
    for slot in range(N_ALLIES):
        figure = state["ally"][slot]
        if figure["kind"] != Kind.NOBODY and figure["area"] == area:
            lying = " (exhausted)" if figure["exhausted"] else ""
            lines.append(f"      () {compiled.names.allies[slot]}{lying}")
    for slot in range(N_ENEMIES):
        figure = state["enemy"][slot]
        if figure["type"] >= 0 and figure["area"] == area:
            lines.append(f"      [] {_enemy_text(state, compiled, slot)}")
    return lines


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
    asked = int(state["asked"]) == slot and int(state["ending"]) == Ending.NONE
    mark = ">" if asked else " "
    flags = [*numbers.flags, *condition_names(int(figure["conditions"]))]
    note = f"   [{', '.join(flags)}]" if flags else ""
    return [
        f" {mark} {compiled.names.allies[slot]} {where}{chosen}{note}",
        f"      {numbers.chips}   {numbers.board}",
    ]
