"""The map as a picture: areas, borders, and the figures that stand in them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.canvas import (
    FAINT,
    GOLD,
    INK,
    WHITE,
    WOUND,
    Box,
    Canvas,
    Colour,
    Point,
    blend,
)
from agemonia_env.display.names import initials

from ..content.compile import Compiled
from ..content.drawing import Drawing, Segment
from ..core.terms import Border, Condition, Kind
from ..core.terms import Colour as Side
from .labels import BADGES, allies_in, enemies_in, enemy_name
from .legal_targets import Offer

STAMINA: Colour = (44, 108, 184)
ROCK: Colour = (58, 52, 48)
LABEL = 110  # pixels that a name should have
STRETCH = 2.0  # at most, of a cell's longer side by its shorter one
SHADOW: Colour = (112, 118, 92)
EDGE: Colour = (120, 96, 70)
ROPE: Colour = (140, 92, 40)
HEIGHT: Colour = (62, 38, 14)  # of the letters; ticks are EDGE
WATER: Colour = (138, 176, 190)
WARNING: Colour = (236, 120, 30)
HELPS: Colour = (44, 122, 80)  # conditions
HARMS: Colour = (120, 40, 110)
DOWN: Colour = (110, 110, 110)  # mixed into the colour of the exhausted
LARGEST, SMALLEST = 27.0, 12.0  # radius of a token: its letters stay readable
APART = 1.15  # radii from the middle of a token to half way to the next
HALVES = (0.88, 1.0, 1.15)  # half a square token in radii: normal, large, huge
ABOVE, BELOW = 5.0, 10.0  # pixels over a token for its ring, and under it for its health
BADGE = 6.0  # half the height of a condition's badge
DOT, SIGN, TRAP = 9.0, 12.0, 19.0  # widths of a capacity dot, an item and a trap
MOST_DOTS = 12
# By seat, none of them a colour of the Initiative cards
HEROES: tuple[Colour, ...] = (
    (118, 72, 150),
    (178, 98, 18),
    (184, 66, 122),
    (112, 74, 48),
    (84, 94, 108),
    (118, 112, 40),
)
SIDES: tuple[Colour, ...] = ((178, 46, 40), (42, 84, 168), (44, 128, 62))  # by terms.Colour
# Ground by height, low to high: moss, meadow, sand, stone, snow.
GROUND: tuple[Colour, ...] = (
    (150, 178, 164),
    (178, 200, 148),
    (222, 206, 152),
    (212, 186, 158),
    (226, 222, 218),
)


@dataclass(frozen=True)
class Frame:
    """Where a map lies in the picture: areas by cell, cells `wide` x `high` from (left, top).

    rooms: of each area the rectangle for its figures; labels: where its name begins, and how much
    room it has to the right.
    """

    cells: NDArray[np.int16]
    left: float
    top: float
    wide: float
    high: float
    rooms: tuple[Box, ...]
    labels: tuple[tuple[float, float, float], ...]

    def corner(self, row: float, column: float) -> Point:
        """The upper left corner of a cell."""
        return self.left + column * self.wide, self.top + row * self.high


@lru_cache(maxsize=32)
def fit_map(drawing: Drawing, box: Box) -> Frame:
    """Fit the map into `box`, centred, its cells stretched a little to fill it."""
    cells = np.full((drawing.height, drawing.width), -1, np.int16)
    for area, corners in enumerate(drawing.cells):
        for x, y in corners:
            cells[y, x] = area
    left, top, right, bottom = box
    wide, high = (right - left) / drawing.width, (bottom - top) / drawing.height
    wide, high = min(wide, STRETCH * high), min(high, STRETCH * wide)
    left += (right - left - drawing.width * wide) / 2
    top += (bottom - top - drawing.height * high) / 2
    rooms, labels = [], []
    for area in range(len(drawing.cells)):
        row, column, height, width = largest_rectangle(cells == area)
        corner = left + column * wide, top + row * high
        rooms.append((*corner, corner[0] + width * wide, corner[1] + height * high))
        row, column, run = _label_row(cells == area, math.ceil(LABEL / wide))
        labels.append((left + column * wide, top + row * high, run * wide))
    return Frame(cells, left, top, wide, high, tuple(rooms), tuple(labels))


def _label_row(inside: NDArray[np.bool_], enough: int) -> tuple[int, int, int]:
    """Row, column and width of the highest run of cells that is wide enough, or else the widest."""
    best = (0, 0, 0)
    for row, line in enumerate(inside):
        edges = np.flatnonzero(np.diff(line.astype(np.int8), prepend=0, append=0))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if min(end - start, enough) > min(best[2], enough):
                best = row, int(start), int(end - start)
    return best


def largest_rectangle(inside: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Row, column, height and width of the largest rectangle of True cells, bool (rows, columns).

    Of equal ones the upper left; squarer ones count more than slim ones, figures being round.
    """
    best, found = 0.0, (0, 0, 1, 1)
    rows, columns = inside.shape
    for top in range(rows):
        open_columns = np.ones(columns, np.bool_)
        for bottom in range(top, rows):
            open_columns &= inside[bottom]
            height = bottom - top + 1
            edges = np.flatnonzero(np.diff(open_columns.astype(np.int8), prepend=0, append=0))
            for start, end in zip(edges[::2], edges[1::2], strict=True):
                width = int(end - start)
                worth = height * width * min(height, width) ** 0.5
                if worth > best:
                    best, found = worth, (top, int(start), height, width)
    return found


# ---- ground ---------------------------------------------------------------------------------
def draw_ground(
    canvas: Canvas, frame: Frame, state: np.void, compiled: Compiled, offer: Offer
) -> None:
    """Areas shaded by height, gold if an answer names them, and what lies between them."""
    content = compiled.content[0]
    n_areas = int(content["n_areas"])
    shades = _shades(content, offer)
    for (row, column), area in np.ndenumerate(frame.cells):
        if area >= 0:
            x, y = frame.corner(row, column)
            cell = x, y, x + frame.wide, y + frame.high
            canvas.box(cell, shades[area])
            canvas.mark(f"area:{area}", cell)
            draw = _draw_growth if content["capacity"][area] else _draw_waves
            draw(canvas, frame, row, column, shades[area])
    # The thick lines last, so that thin ones do not end on top of them.
    for segment in sorted(compiled.drawing.segments, key=lambda s: s.kind != "single"):
        _draw_segment(canvas, frame, content, segment)
    for a, b in combinations(range(n_areas), 2):
        if int(state["rope"][a]) >> b & 1:
            _draw_rope(canvas, frame.rooms[a], frame.rooms[b])


def _shades(content: np.void, offer: Offer) -> list[Colour]:
    """The colour of every area: by height, water where nobody can stand, gold if it is named."""
    shades = []
    for area, tone in enumerate(_tones(content, int(content["n_areas"]))):
        dry, level = bool(content["capacity"][area]), int(content["level"][area])
        shade = ground_colour(level, tone) if dry else WATER
        shades.append(blend(shade, GOLD, 0.5) if area in offer.areas else shade)
    return shades


def _tones(content: np.void, n_areas: int) -> list[int]:
    """A tone for each area, 0 to 3, so that areas that touch differ where this is possible."""
    tones: list[int] = []
    for area in range(n_areas):
        taken = {tones[b] for b in range(area) if content["border"][area, b] != Border.NONE}
        tones.append(next((tone for tone in range(4) if tone not in taken), area % 4))
    return tones


def ground_colour(level: int, tone: int) -> Colour:
    """By height, with a little more light or shade by tone."""
    base = GROUND[max(0, min(len(GROUND) - 1, level + 1))]
    return blend(base, *((WHITE, 0.0), (INK, 0.07), (WHITE, 0.16), (INK, 0.03))[tone])


def _draw_growth(canvas: Canvas, frame: Frame, row: int, column: int, shade: Colour) -> None:
    """Tufts of grass, the same at every drawing."""
    scatter = (row * 7919 + column * 104729 + 17) % 65536
    for _ in range(2):
        scatter = (scatter * 25173 + 13849) % 65536
        x, y = frame.corner(row + scatter % 241 / 260 + 0.03, column + scatter // 241 / 300 + 0.04)
        dark = blend(shade, INK, 0.16)
        canvas.line([(x - 3, y - 3), (x, y), (x + 1, y - 5)], dark, 0.8)
        canvas.line([(x, y), (x + 4, y - 3)], dark, 0.8)


def _draw_waves(canvas: Canvas, frame: Frame, row: int, column: int, shade: Colour) -> None:
    """Where nobody can stand is water: two waves."""
    light = blend(shade, WHITE, 0.35)
    for across, down in ((0.2, 0.35), (0.55, 0.7)):
        x, y = frame.corner(row + down, column + across)
        wave = [(x, y), (x + 4, y - 2), (x + 8, y), (x + 12, y - 2), (x + 16, y)]
        canvas.line(wave, light, 1.2)


def _draw_segment(canvas: Canvas, frame: Frame, content: np.void, segment: Segment) -> None:
    """One side of a cell: a thin line, a double one with ticks downhill, or a thick barrier."""
    start = frame.corner(segment.y0, segment.x0)
    end = frame.corner(segment.y1, segment.x1)
    border = content["border"][segment.a, segment.b] if segment.b >= 0 else Border.BARRIER
    if border == Border.BARRIER:
        canvas.line([start, end], ROCK, 5)
        for point in (start, end):
            canvas.disc(point, 2.0, ROCK)
        return
    double = border in (Border.DOUBLE_DOWN, Border.DOUBLE_UP)
    if segment.height:
        downhill = content["level"][segment.a] > content["level"][segment.b]
        _draw_ticks(canvas, start, end, 1.0 if downhill else -1.0, double)
    canvas.line([start, end], EDGE if double else WHITE, 6 if double else 2)
    if double:
        across = _across(start, end)
        for offset in (-1.75, 1.75):
            shifted = [(x + across[0] * offset, y + across[1] * offset) for x, y in (start, end)]
            canvas.line(shifted, WHITE, 1.5)


def _across(start: Point, end: Point) -> Point:
    """The direction across a side of a cell: downwards or to the right, from a to b."""
    return (0.0, 1.0) if start[1] == end[1] else (1.0, 0.0)


def _draw_ticks(canvas: Canvas, start: Point, end: Point, sign: float, double: bool) -> None:
    """Ticks to the lower side of an edge: to b for sign 1, to a for -1; few on single lines."""
    across = _across(start, end)
    long = abs(end[0] - start[0]) + abs(end[1] - start[1])
    count = max(1, round(long / 7)) if double else 1
    for n in range(count):
        share = (n + 0.5) / count
        x = start[0] + (end[0] - start[0]) * share
        y = start[1] + (end[1] - start[1]) * share
        tip = x + across[0] * sign * 8, y + across[1] * sign * 8
        canvas.line([(x, y), tip], EDGE, 1.5)


def _draw_rope(canvas: Canvas, a: Box, b: Box) -> None:
    """A fixed rope between the middles of two areas."""
    start, end = _middle(a), _middle(b)
    for n in range(0, 20, 2):
        dash = [
            (start[0] + (end[0] - start[0]) * k / 20, start[1] + (end[1] - start[1]) * k / 20)
            for k in (n, n + 1)
        ]
        canvas.line(dash, ROPE, 2.5)


def _middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


# ---- what stands in an area -----------------------------------------------------------------
def draw_areas(
    canvas: Canvas, frame: Frame, state: np.void, compiled: Compiled, offer: Offer
) -> None:
    """Names, capacity, traps, items and figures of every area."""
    for area, shade in enumerate(_shades(compiled.content[0], offer)):
        lit = area in offer.areas
        label = _draw_label(canvas, frame.labels[area], area, state, compiled, shade, lit)
        figures = [("ally", slot) for slot in allies_in(state, area)]
        figures += [("enemy", slot) for slot in enemies_in(state, area)]
        room = _beside(frame.rooms[area], label)
        largest = max([1.0, *(_half_of(state, compiled, *figure) for figure in figures)])
        held = any(state[kind][slot]["conditions"] for kind, slot in figures)
        badges = 2 * BADGE - 4 - ABOVE if held else 0.0
        places, radius = _places(room, len(figures), largest, badges)
        for (kind, slot), (x, y) in zip(figures, places, strict=True):
            canvas.mark(f"{kind}:{slot}", (x - radius, y - radius, x + radius, y + radius))
            half, is_ally = radius * _half_of(state, compiled, kind, slot), kind == "ally"
            if is_ally and state["ally"][slot]["exhausted"]:
                _draw_exhausted(canvas, (x, y), radius, HEROES[slot], compiled.names.allies[slot])
                continue
            if slot in (offer.allies if is_ally else offer.enemies):
                _draw_ring(canvas, (x, y), half + 4, GOLD, is_ally)
            elif slot in (state[f"active_{kind}"], state["asked"] if is_ally else -1):
                _draw_ring(canvas, (x, y), half + 4, WHITE, is_ally)
            draw = _draw_ally if is_ally else _draw_enemy
            draw(canvas, (x, y), half, state, compiled, slot)
            conditions = int(state[kind][slot]["conditions"])
            _draw_badges(canvas, (x, y - half - 1), conditions, radius)


def _draw_label(
    canvas: Canvas,
    label: tuple[float, float, float],
    area: int,
    state: np.void,
    compiled: Compiled,
    shade: Colour,
    lit: bool,
) -> Box:
    """Name and height, a dot for each figure that fits, traps and items -> the box they take.

    The signs stand behind the name if there is room, otherwise below it. Ropes and grass under the
    name are covered by the area's `shade`.
    """
    content = compiled.content[0]
    left, top, width = label
    x, y, right = left + 6, top + 15, left + width - 9  # within the ticks of height edges
    name = compiled.names.areas[area]
    mark = f"h{int(content['level'][area])}" if content["level"][area] else ""
    under = canvas.length(f"{name} {mark}", 12) + 8
    canvas.box((x - 1, y - 7, min(right, x + under), y + 7), shade)
    if lit:
        draw_lit(canvas, (x + 5, y))
        x += 15
    if int(content["goal"]) >> area & 1:
        _draw_goal(canvas, (x + 3, y))
        x += 16
    room = right - x - (canvas.length(mark, 11) + 5 if mark else 0)
    x += canvas.text((x, y), name, 12, INK, fit=room, smallest=10)
    if mark:
        x += 5 + canvas.text((x + 5, y), mark, 11, HEIGHT, bold=True)
    signs = _signs_width(state, content, area)
    beside = x + 10 + signs <= right
    _draw_signs(canvas, (right - signs, y) if beside else (left + 6, y + 13), area, state, content)
    return left, top, left + width, y + (8 if beside or not signs else 19)


def _signs_width(state: np.void, content: np.void, area: int) -> float:
    """How wide the capacity dots, the trap and the items of an area are."""
    dots = min(int(content["capacity"][area]), MOST_DOTS)
    items = int((state["item"][area] >= 0).sum())
    return dots * DOT + (TRAP if state["trap"][area] else 0) + items * SIGN


def _draw_signs(canvas: Canvas, at: Point, area: int, state: np.void, content: np.void) -> None:
    """Capacity dots, filled where a figure stands, the trap and the items, from `at` on."""
    x, y = at
    for dot in range(min(int(content["capacity"][area]), MOST_DOTS)):
        canvas.disc((x + DOT / 2, y), 3.2, INK if dot < int(state["used"][area]) else WHITE, INK, 1)
        x += DOT
    if state["trap"][area]:
        _draw_trap(canvas, (x + TRAP / 2, y))
        x += TRAP
    for _ in range(int((state["item"][area] >= 0).sum())):
        _draw_item(canvas, (x + SIGN / 2, y))
        x += SIGN


def _beside(room: Box, label: Box) -> Box:
    """The part of a room that the label leaves free: below it, or above if that is larger."""
    left, top, right, bottom = room
    if label[0] >= right or label[2] <= left or label[1] >= bottom or label[3] <= top:
        return room
    if label[1] - top > bottom - label[3]:
        return left, top, right, label[1]
    return left, label[3], right, bottom


def draw_lit(canvas: Canvas, at: Point) -> None:
    """The sign of what may be chosen: a ring with a point in it."""
    canvas.disc(at, 5, GOLD, INK, 1)
    canvas.disc(at, 1.8, INK)


def _draw_trap(canvas: Canvas, at: Point, size: float = 1.0) -> None:
    x, y = at
    corners = [(x, y - 7 * size), (x + 8 * size, y + 6 * size), (x - 8 * size, y + 6 * size)]
    canvas.shape(corners, WARNING, INK)
    canvas.text((x, y + 1), "!", round(10 * size), INK, "mm", bold=True)


def _draw_item(canvas: Canvas, at: Point) -> None:
    x, y = at
    canvas.shape([(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)], GOLD, INK)


def _draw_goal(canvas: Canvas, at: Point) -> None:
    x, y = at
    canvas.line([(x, y - 7), (x, y + 7)], INK, 1.5)
    canvas.shape([(x, y - 7), (x + 11, y - 3), (x, y + 1)], GOLD, INK)


def draw_side(canvas: Canvas, at: Point, half: float, side: int, is_round: bool) -> None:
    """The sign of a colour, with its letter: round for Heroes, square for Enemies."""
    x, y = at
    if is_round:
        canvas.disc(at, half, SIDES[side], INK, 1)
    else:
        canvas.box((x - half, y - half, x + half, y + half), SIDES[side], INK, 1, 1)
    canvas.text(at, Side(side).name[0], round(1.4 * half), WHITE, "mm")


def draw_legend(canvas: Canvas, at: Point) -> None:
    """A line that says what the signs on the map mean."""
    x, y = at
    token = (88, 110, 130)
    for sign in ("acts", "may be chosen", "elite", "item", "trap", "goal", "rope", "h1"):
        if sign in ("acts", "may be chosen"):
            _draw_ring(canvas, (x, y), 7, WHITE if sign == "acts" else GOLD, True)
            canvas.disc((x, y), 4.5, token)
            if sign == "may be chosen":
                x += 16
                draw_lit(canvas, (x, y))
        elif sign == "elite":
            canvas.box((x - 6, y - 6, x + 6, y + 6), token, None, 1, 2)
            canvas.shape([(x - 1, y - 6), (x + 6, y - 6), (x + 6, y + 1)], GOLD)
        elif sign == "item":
            _draw_item(canvas, (x, y))
        elif sign == "trap":
            _draw_trap(canvas, (x, y), 0.9)
        elif sign == "goal":
            _draw_goal(canvas, (x - 4, y))
        elif sign == "rope":
            for start in (-8, -2, 4):
                canvas.line([(x + start, y), (x + start + 4, y)], ROPE, 2.5)
        else:
            canvas.text((x, y), sign, 11, HEIGHT, "mm", bold=True)
            sign = "height"
        x += 12 + canvas.text((x + 12, y), sign, 11, FAINT) + 22


def token_colour(side: int) -> Colour:
    """The colour of an Enemy's token, by terms.Colour."""
    return blend(SIDES[side], INK, 0.25)


def _half_of(state: np.void, compiled: Compiled, kind: str, slot: int) -> float:
    """Half the width of a token, in radii: that of an Enemy depends on its size."""
    if kind == "ally":
        return 1.0
    size = int(compiled.content[0]["type"][int(state["enemy"][slot]["type"])]["size"])
    return HALVES[max(0, min(2, size - 1))]


def _places(room: Box, n: int, half: float, badges: float) -> tuple[list[Point], float]:
    """Where n figures stand in a room, in rows, and the radius of their tokens.

    half: of the largest token, in radii; badges: pixels that they need. Where even the smallest
    tokens have no room they overlap.
    """
    if n == 0:
        return [], 0.0
    left, top, right, bottom = room[0] + 4, room[1], room[2] - 4, room[3] - 3
    over, width, height = ABOVE + badges, right - left, bottom - top

    def radius_for(rows: int) -> float:
        across = width / math.ceil(n / rows) / 2 / max(half + 0.05, APART)
        down = (height / rows - over - BELOW) / 2 / half
        return min(across, down, LARGEST)

    rows = max(range(1, n + 1), key=radius_for)
    radius, columns = max(radius_for(rows), SMALLEST), math.ceil(n / rows)
    places = []
    for k in range(n):
        row, column = divmod(k, columns)
        in_row = min(columns, n - row * columns)
        x = left + width * (column + 0.5) / in_row
        y = top + height * (row + 0.5) / rows + (over - BELOW) / 2
        places.append((x, y))
    return places, radius


# ---- figures --------------------------------------------------------------------------------
def _draw_exhausted(canvas: Canvas, at: Point, radius: float, colour: Colour, name: str) -> None:
    """An Ally that is exhausted lies."""
    x, y = at
    flat = (x - radius, y - radius * 0.1, x + radius, y + radius * 0.8)
    canvas.oval(flat, blend(colour, DOWN, 0.7), INK, 1)
    canvas.text((x, y + radius * 0.35), initials(name), round(radius * 0.65), WHITE, "mm")


def _draw_ally(
    canvas: Canvas, at: Point, radius: float, state: np.void, compiled: Compiled, slot: int
) -> None:
    """A round token: who it is, its chips or health."""
    figure, (x, y) = state["ally"][slot], at
    canvas.oval((x - radius, y - radius + 4, x + radius, y + radius + 4), SHADOW)
    canvas.disc(at, radius, HEROES[slot], WHITE, 2)
    _draw_letters(canvas, (x, y - radius * 0.08), initials(compiled.names.allies[slot]), radius)
    if figure["wounded"]:
        canvas.oval(
            (x + radius * 0.5, y - radius, x + radius * 1.1, y - radius * 0.4), WOUND, WHITE
        )
    below = x, y + radius + 4
    if figure["kind"] == Kind.HERO:
        draw_chips(canvas, below, figure, max(2.0, radius * 0.14), radius * 2.1)
    else:
        full = int(compiled.content[0]["sheet"][slot]["health"])
        canvas.gauge(below, radius, int(figure["health"]), full)


def _draw_enemy(
    canvas: Canvas, at: Point, half: float, state: np.void, compiled: Compiled, slot: int
) -> None:
    """A square token: type and number, health; an elite one has a gold corner."""
    figure, (x, y) = state["enemy"][slot], at
    kind = compiled.content[0]["type"][int(figure["type"])]
    canvas.box((x - half + 1, y - half + 3, x + half + 3, y + half + 4), SHADOW, None, 1, 4)
    colour = token_colour(int(kind["colour"]))
    canvas.box((x - half, y - half, x + half, y + half), colour, WHITE, 2, 4)
    if kind["elite"]:
        corner, edge = (x + half - 1, y - half + 1), half * 0.7
        canvas.shape(
            [(corner[0] - edge, corner[1]), corner, (corner[0], corner[1] + edge)], GOLD, WHITE
        )
    short = initials(enemy_name(state, compiled, slot).rsplit(" ", 1)[0])
    _draw_letters(canvas, (x, y - half * 0.05), f"{short}{int(figure['number'])}", half)
    canvas.gauge((x, y + half + 5), half, int(figure["health"]), int(figure["full"]))


def _draw_letters(canvas: Canvas, at: Point, label: str, half: float) -> None:
    """A label in letters that fit a token."""
    size = canvas.shrunk(label, round(half * 0.8), 6, 2 * half - 3)
    canvas.text(at, label, size, WHITE, "mm", bold=True)


def _draw_ring(canvas: Canvas, at: Point, half: float, colour: Colour, is_round: bool) -> None:
    """A ring around a token; one that may be chosen (gold) has a notch on every side."""
    x, y = at
    if is_round:
        canvas.disc(at, half, colour, INK, 1)
    else:
        canvas.box((x - half, y - half, x + half, y + half), colour, INK, 1, 6)
    if colour == GOLD:
        for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            start = x + dx * (half - 4), y + dy * (half - 4)
            canvas.line([start, (x + dx * half, y + dy * half)], INK, 2)


def draw_chips(
    canvas: Canvas, at: Point, figure: np.void, radius: float, width: float, centred: bool = True
) -> None:
    """Stamina chips: on the disk (blue), spent (hollow), locked (gold), wounds (red)."""
    locked = int(figure["lock_chips"].sum())
    chips: list[tuple[Colour, Colour]] = [(STAMINA, WHITE)] * int(figure["disk"])
    chips += [(WHITE, STAMINA)] * int(figure["spent"])
    chips += [(GOLD, INK)] * locked
    chips += [(WOUND, WHITE)] * int(figure["wounds"])
    step = min(radius * 2.3, width / max(1, len(chips)))
    x = at[0] - step * (len(chips) - 1) / 2 if centred else at[0]
    for fill, ring in chips:
        canvas.disc((x, at[1]), radius, fill, ring, 0.8 if ring == WHITE else 1)
        x += step


def _draw_badges(canvas: Canvas, at: Point, bits: int, radius: float) -> None:
    """A small label for each condition, at most two, over a figure and no wider than its place."""
    held = [condition for condition in Condition if bits >> condition & 1]
    half = min(12.0, APART * radius / max(1, len(held)) - 0.5)
    x, y = at[0] - (half + 0.5) * (len(held) - 1), at[1] - 1
    for condition in held:
        good = condition in (Condition.INVISIBLE, Condition.BLESSED)
        box = x - half, y - BADGE, x + half, y + BADGE
        canvas.box(box, HELPS if good else HARMS, WHITE, 1, 4)
        badge = BADGES[condition]
        short = badge[0] + badge[-1]
        tried = [(badge, 9), (badge, 8), (short, 9), (short, 8), (short, 7)]
        text, size = next((t for t in tried if canvas.length(*t) < 2 * half - 1), (badge[0], 7))
        canvas.text((x, y), text, size, WHITE, "mm")
        x += 2 * half + 1
