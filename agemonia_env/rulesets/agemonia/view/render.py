"""The table as a picture: the map, who acts when, every Hero's board, what is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agemonia_env.display.canvas import (
    FAINT,
    GOLD,
    INK,
    PAPER,
    WHITE,
    WOUND,
    Box,
    Canvas,
    Colour,
    blend,
)
from agemonia_env.display.names import initials

from ..content.compile import Compiled
from ..core.terms import Ending, Kind, Phase
from .labels import (
    PHASES,
    InitiativeBar,
    action_text,
    ally_slots,
    carried_names,
    condition_names,
    enemy_types,
    hero_numbers,
    initiative_bars,
    objective_text,
    question_text,
    round_text,
    token_name,
)
from .legal_targets import offer_of
from .map import (
    HEROES,
    STAMINA,
    draw_areas,
    draw_chips,
    draw_ground,
    draw_legend,
    draw_side,
    fit_map,
)

WIDTH, HEIGHT = 1000, 760
MAP: Box = (12, 12, 668, 552)
BELOW: Box = (12, 562, 668, 748)
PANEL: Box = (680, 12, 988, 748)
PARTS = {"map": MAP, "question": BELOW, "panel": PANEL}
CARD: Colour = (255, 253, 247)
WON: Colour = (46, 130, 74)
ASKED = 250.0  # width of the question, beside what may be answered
LINE, ANSWER = 15, 17  # pixels from one line to the next
BAR, MORE = 21.0, 13.0  # height of an Initiative bar, and of each further line of its figures
FURTHER = 5  # such lines at most, so that the Heroes' boards have room
ROW, LISTED = 19, 3  # height of an Enemy type, and rows for them at least, if there are so many
LEGEND = 24  # height of the line that explains the signs
GAP = 10.0  # pixels at least between two texts in a line


def draw_board(state: np.void, compiled: Compiled, events: Sequence[str] = ()) -> Canvas:
    """The picture of one state record, 1000 x 760.

    events: sentences about what happened since the last decision; the last ones are shown.
    """
    canvas = Canvas(WIDTH, HEIGHT, PAPER)
    frame, offer = fit_map(compiled.drawing, MAP), offer_of(state, compiled)
    draw_ground(canvas, frame, state, compiled, offer)
    draw_areas(canvas, frame, state, compiled, offer)
    _draw_question(canvas, state, compiled, events)
    answers = [action_text(state, compiled, action) for action in offer.actions]
    beside = BELOW[0] + ASKED + 30, BELOW[1] + 8, BELOW[2] - 8, BELOW[3] - LEGEND
    canvas.bullets(beside, answers, ANSWER, 2)
    draw_legend(canvas, (BELOW[0] + 18, BELOW[3] - 13))
    top = _draw_title(canvas, state, compiled)
    top = _draw_initiative(canvas, top, state, compiled)
    top = _draw_heroes(canvas, top, state, compiled)
    _draw_types(canvas, top, state, compiled)
    return canvas


def _draw_question(
    canvas: Canvas, state: np.void, compiled: Compiled, events: Sequence[str]
) -> None:
    """The question, or how the scenario ended, and the last events."""
    left, top, right, bottom = BELOW
    ended = int(state["ending"]) != Ending.NONE
    width = right - left - 30 if ended else ASKED
    mark = GOLD if not ended else WON if state["won"] else WOUND
    canvas.box(BELOW, CARD, blend(PAPER, INK, 0.2), 1, 6)
    canvas.box((left, top, left + 6, bottom), mark, None, 1, 3)
    y = top + 20
    for line in canvas.wrap(question_text(state, compiled), 16, width)[:3]:
        canvas.text((left + 18, y), line, 16, INK, fit=width)
        y += 20
    rows = int((bottom - LEGEND - y + 4) // LINE)
    lines = [line for event in events for line in canvas.wrap(f"{event}.", 12, width)]
    for line in lines[-rows:]:
        canvas.text((left + 18, y), line, 12, FAINT, fit=width)
        y += LINE


def _draw_title(canvas: Canvas, state: np.void, compiled: Compiled) -> float:
    """Scenario, objective, round and phase -> where the next part begins."""
    left, top, right, _ = PANEL
    width = right - left
    canvas.text((left, top + 11), compiled.names.scenario, 20, INK, bold=True, fit=width)
    y = top + 33
    for line in canvas.wrap(objective_text(compiled), 12, width)[:2]:
        canvas.text((left, y), line, 12, FAINT)
        y += 15
    canvas.text((left, y + 8), round_text(state, compiled), 13, INK, bold=True)
    phase = PHASES[Phase(int(state["phase"]))]
    canvas.text((right, y + 8), phase, 13, FAINT, "rm")
    return y + 24


def _draw_initiative(canvas: Canvas, top: float, state: np.void, compiled: Compiled) -> float:
    """The six bars of this round's card, the current one marked -> where the next part begins."""
    left, _, right, _ = PANEL
    bars = initiative_bars(state, compiled)
    lines: list[list[str]] = []
    for bar in bars:
        left_over = FURTHER - sum(len(further) - 1 for further in lines)
        lines.append(_figure_lines(canvas, bar, left_over))
    heights = [BAR + MORE * (len(further) - 1) for further in lines] or [6 * BAR]
    bottom = top + sum(heights) + 10
    canvas.box((left, top, right, bottom), CARD, blend(PAPER, INK, 0.2), 1, 6)
    if not bars:
        note = "The Initiative card is not revealed yet."
        canvas.text(((left + right) / 2, (top + bottom) / 2), note, 13, FAINT, "mm")
    y = top + 5
    for bar, written, height in zip(bars, lines, heights, strict=False):
        _draw_bar(canvas, (left + 5, y, right - 5, y + height - 1), bar, written)
        y += height
    return bottom + 10


def _figure_lines(canvas: Canvas, bar: InitiativeBar, most: int) -> list[str]:
    """Who acts on a bar: a text beside its label or, after "", up to `most` lines below it."""
    text, width = ", ".join(bar.figures) or "-", PANEL[2] - PANEL[0] - 41
    if not most or canvas.length(text, 11) <= width - canvas.length(bar.label, 12) - GAP:
        return [text]
    lines = canvas.wrap(text, 11, width)
    last = [" ".join(lines[most - 1 :])] if len(lines) >= most else []
    return ["", *lines[: most - 1], *last]


def _draw_bar(canvas: Canvas, box: Box, bar: InitiativeBar, lines: Sequence[str]) -> None:
    """One bar: a round symbol for Heroes, a square one for Enemies, and who acts there."""
    left, top, right, _ = box
    y = top + (BAR - 1) / 2
    if bar.current:
        canvas.box(box, blend(CARD, GOLD, 0.35), GOLD, 1.5, 4)
    draw_side(canvas, (left + 12, y), 6.5, bar.colour, not bar.enemy)
    width = canvas.text((left + 26, y), bar.label, 12, INK)
    room, shown = right - left - 31 - width - GAP, INK if bar.figures else FAINT
    canvas.text((right - 5, y), lines[0], 12, shown, "rm", fit=room, smallest=11)
    for line in lines[1:]:
        y += MORE
        canvas.text((left + 26, y), line, 11, INK, fit=right - left - 31)


def _draw_types(canvas: Canvas, top: float, state: np.void, compiled: Compiled) -> None:
    """The Enemy cards in play; where a column has no room for all, names alone in two."""
    left, _, right, bottom = PANEL
    rows = max(0, int((bottom - top - 8) // ROW))
    types = enemy_types(state, compiled)
    if not types or not rows:
        return
    columns = 1 if len(types) <= rows else 2
    room = rows * columns
    shown = types if len(types) <= room else types[: room - 1]
    rows = min(rows, -(-len(types) // columns))
    canvas.box((left, top, right, top + 8 + ROW * rows), CARD, blend(PAPER, INK, 0.2), 1, 6)
    width = (right - left) / columns
    fit = 180 if columns == 1 else width - 40
    places = [(left + width * (k // rows), top + 13.5 + ROW * (k % rows)) for k in range(room)]
    for kind, (x, y) in zip(shown, places, strict=False):
        draw_side(canvas, (x + 17, y), 6.5, kind.colour, False)
        used = canvas.text((x + 31, y), kind.name, 12, INK, fit=fit, smallest=10)
        if columns == 1:
            left_over = width - 40 - used - GAP
            canvas.text((right - 9, y), kind.numbers, 12, FAINT, "rm", fit=left_over, smallest=10)
    if len(shown) < len(types):
        x, y = places[-1]
        canvas.text((x + 31, y), f"and {len(types) - len(shown)} more", 12, FAINT)


def _draw_heroes(canvas: Canvas, top: float, state: np.void, compiled: Compiled) -> float:
    """The board of every Ally, as many as there is room for -> where the next part begins."""
    slots = ally_slots(state)
    types = len(enemy_types(state, compiled))
    listed = min(types, max(LISTED, -(-types // 2)))
    bottom = PANEL[3] - (ROW * listed + 18 if listed else 0)
    height = min(100.0, (bottom - top + 6) / max(1, len(slots)))
    for slot in slots:
        _draw_hero(canvas, (PANEL[0], top, PANEL[2], top + height - 6), state, compiled, slot)
        top += height
    return top + 4


def _draw_hero(canvas: Canvas, box: Box, state: np.void, compiled: Compiled, slot: int) -> None:
    """Name, chosen action, chips, numbers and conditions of one Ally."""
    left, top, right, bottom = box
    figure = state["ally"][slot]
    asked = int(state["asked"]) == slot and int(state["ending"]) == Ending.NONE
    out = bool(figure["exhausted"])
    edge = GOLD if asked else blend(PAPER, INK, 0.2)
    canvas.box(box, CARD, edge, 2 if asked else 1, 6)
    step = (bottom - top) / 4
    rows = [top + step * (k + 0.5) for k in range(4)]
    canvas.disc((left + 15, rows[0] + 3), 10, FAINT if out else HEROES[slot], WHITE, 1)
    name = compiled.names.allies[slot]
    canvas.text((left + 15, rows[0] + 3), initials(name), 10, WHITE, "mm")
    canvas.text((left + 31, rows[0] + 2), name, 14, INK, bold=True, fit=120, smallest=11)
    token = int(figure["token"])
    chosen = token_name(compiled, slot, token) if token >= 0 else "no action chosen"
    _draw_choice(canvas, right - 9, rows[0] + 2, chosen, int(figure["colour"]), token >= 0)
    numbers = hero_numbers(state, compiled, slot)
    if figure["kind"] == Kind.HERO:
        used = canvas.text((right - 9, rows[1] + 3), numbers.chips, 12, STAMINA, "rm")
        room = right - left - 31 - used - GAP
        draw_chips(canvas, (left + 12, rows[1] + 3), figure, 5, room, centred=False)
    else:
        canvas.text((left + 9, rows[1] + 3), numbers.chips, 12, STAMINA)
    canvas.text((left + 9, rows[2] + 1), numbers.board, 12, FAINT, fit=right - left - 18)
    states = [*numbers.flags, *condition_names(int(figure["conditions"]))]
    colour = WOUND if numbers.flags else INK
    y, text = rows[3] - 1, ", ".join(states)
    used = canvas.text((left + 9, y), text, 12, colour, fit=170, smallest=10)
    carried = ", ".join(carried_names(state, compiled, slot))
    room = right - left - 18 - (used + GAP if text else 0)
    canvas.text((right - 9, y), carried, 12, INK, "rm", fit=room, smallest=10)


def _draw_choice(
    canvas: Canvas, right: float, y: float, chosen: str, colour: int, known: bool
) -> None:
    """The chosen action with the sign of its colour, ending at `right`."""
    width = canvas.text((right, y), chosen, 12, INK if known else FAINT, "rm", fit=125, smallest=10)
    if known:
        draw_side(canvas, (right - width - 12, y), 6.5, colour, True)
