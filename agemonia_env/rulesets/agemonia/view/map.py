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
from ..core.layout import N_ALLIES, N_ENEMIES
from ..core.terms import Border, Condition, Kind
from .labels import BADGES, enemy_name
from .legal_targets import Offer

STAMINA: Colour = (52, 120, 196)
ROCK: Colour = (58, 52, 48)
LABEL = 110  # pixels that a name should have
SHADOW: Colour = (112, 118, 92)
EDGE: Colour = (120, 96, 70)
ROPE: Colour = (140, 92, 40)
HEIGHT: Colour = (120, 84, 44)
WATER: Colour = (138, 176, 190)
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
class Plan:
    """Where a map lies in the picture: areas by cell, cells of `size` pixels from (left, top).

    rooms: of each area the rectangle for its figures; labels: where its name begins, and how much
    room it has to the right.
    """

    cells: NDArray[np.int16]
    left: float
    top: float
    size: float
    rooms: tuple[Box, ...]
    labels: tuple[tuple[float, float, float], ...]

    def corner(self, row: float, column: float) -> Point:
        """The upper left corner of a cell."""
        return self.left + column * self.size, self.top + row * self.size


@lru_cache(maxsize=32)
def plan_map(drawing: Drawing, box: Box) -> Plan:
    """Fit the map into `box`, centred."""
    cells = np.full((drawing.height, drawing.width), -1, np.int16)
    for area, corners in enumerate(drawing.cells):
        for x, y in corners:
            cells[y, x] = area
    left, top, right, bottom = box
    size = min((right - left) / drawing.width, (bottom - top) / drawing.height)
    left += (right - left - drawing.width * size) / 2
    top += (bottom - top - drawing.height * size) / 2
    rooms, labels = [], []
    for area in range(len(drawing.cells)):
        row, column, height, width = largest_rectangle(cells == area)
        corner = left + column * size, top + row * size
        rooms.append((*corner, corner[0] + width * size, corner[1] + height * size))
        row, column, run = _label_row(cells == area, math.ceil(LABEL / size))
        labels.append((left + column * size, top + row * size, run * size))
    return Plan(cells, left, top, size, tuple(rooms), tuple(labels))


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
    canvas: Canvas, plan: Plan, state: np.void, compiled: Compiled, offer: Offer
) -> None:
    """Areas shaded by height, gold if an answer names them, and what lies between them."""
    content = compiled.content[0]
    n_areas = int(content["n_areas"])
    tones = _tones(content, n_areas)
    for (row, column), area in np.ndenumerate(plan.cells):
        if area >= 0:
            x, y = plan.corner(row, column)
            dry = bool(content["capacity"][area])
            level = int(content["level"][area])
            shade = ground_colour(level, tones[area]) if dry else WATER
            if area in offer.areas:
                shade = blend(shade, GOLD, 0.5)
            canvas.box((x, y, x + plan.size, y + plan.size), shade)
            canvas.mark(f"area:{area}", (x, y, x + plan.size, y + plan.size))
            draw = _draw_growth if dry else _draw_waves
            draw(canvas, plan, row, column, shade)
    # The thick lines last, so that thin ones do not end on top of them.
    for segment in sorted(compiled.drawing.segments, key=lambda s: s.kind != "single"):
        _draw_segment(canvas, plan, content, segment)
    for a, b in combinations(range(n_areas), 2):
        if int(state["rope"][a]) >> b & 1:
            _draw_rope(canvas, plan.rooms[a], plan.rooms[b])


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


def _draw_growth(canvas: Canvas, plan: Plan, row: int, column: int, shade: Colour) -> None:
    """Tufts of grass, the same at every drawing."""
    scatter = (row * 7919 + column * 104729 + 17) % 65536
    for _ in range(2):
        scatter = (scatter * 25173 + 13849) % 65536
        x, y = plan.corner(row + scatter % 241 / 260 + 0.03, column + scatter // 241 / 300 + 0.04)
        dark = blend(shade, INK, 0.16)
        canvas.line([(x - 3, y - 3), (x, y), (x + 1, y - 5)], dark, 0.8)
        canvas.line([(x, y), (x + 4, y - 3)], dark, 0.8)


def _draw_waves(canvas: Canvas, plan: Plan, row: int, column: int, shade: Colour) -> None:
    """Where nobody can stand is water: two waves."""
    light = blend(shade, WHITE, 0.35)
    for across, down in ((0.2, 0.35), (0.55, 0.7)):
        x, y = plan.corner(row + down, column + across)
        wave = [(x, y), (x + 4, y - 2), (x + 8, y), (x + 12, y - 2), (x + 16, y)]
        canvas.line(wave, light, 1.2)


def _draw_segment(canvas: Canvas, plan: Plan, content: np.void, segment: Segment) -> None:
    """One side of a cell: a thin line, a double one with ticks downhill, or a thick barrier."""
    start = plan.corner(segment.y0, segment.x0)
    end = plan.corner(segment.y1, segment.x1)
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
    canvas: Canvas, plan: Plan, state: np.void, compiled: Compiled, offer: Offer
) -> None:
    """Names, capacity, traps, items and figures of every area."""
    for area in range(int(compiled.content[0]["n_areas"])):
        _draw_label(canvas, plan.labels[area], area, state, compiled)
        figures = _figures_in(state, area)
        places, radius = _places(plan.rooms[area], len(figures))
        for (kind, slot), place in zip(figures, places, strict=True):
            x, y = place
            canvas.mark(f"{kind}:{slot}", (x - radius, y - radius, x + radius, y + radius))
            if kind == "ally":
                ring = GOLD if slot in offer.allies else _acting(state, "active_ally", slot)
                draw_ally(canvas, place, radius, state, compiled, slot, ring)
            else:
                ring = GOLD if slot in offer.enemies else _acting(state, "active_enemy", slot)
                draw_enemy(canvas, place, radius, state, compiled, slot, ring)


def _acting(state: np.void, field: str, slot: int) -> Colour | None:
    """The ring around the figure whose turn it is; those that an answer names have a gold one."""
    asked = field == "active_ally" and int(state["asked"]) == slot
    return WHITE if asked or int(state[field]) == slot else None


def _draw_label(
    canvas: Canvas, label: tuple[float, float, float], area: int, state: np.void, compiled: Compiled
) -> None:
    """Name and height above, a dot for each figure that fits, filled where one stands."""
    content = compiled.content[0]
    left, top, width = label
    top += 3  # below the ticks of a height edge
    right = left + width
    level, capacity = int(content["level"][area]), int(content["capacity"][area])
    used = int(state["used"][area])
    if int(content["goal"]) >> area & 1:
        _draw_goal(canvas, (left + 9, top + 12))
        left += 16
    name = compiled.names.areas[area]
    mark = f"h{level}" if level else ""
    room_left = right - left - 12 - (20 if mark else 0)
    end = left + 6 + canvas.text((left + 6, top + 12), name, 12, INK, fit=room_left)
    if mark:
        canvas.text((end + 5, top + 12), mark, 11, HEIGHT, bold=True)
    x = left + 10
    for dot in range(min(capacity, 12)):
        taken = dot < used
        canvas.disc((x, top + 25), 3.2, INK if taken else WHITE, INK, 1)
        x += 9
    if state["trap"][area]:
        _draw_trap(canvas, (x + 7, top + 25))
        x += 18
    for _ in range(int((state["item"][area] >= 0).sum())):
        _draw_item(canvas, (x + 4, top + 25))
        x += 12


def _draw_trap(canvas: Canvas, at: Point, size: float = 1.0) -> None:
    x, y = at
    corners = [(x, y - 7 * size), (x + 8 * size, y + 6 * size), (x - 8 * size, y + 6 * size)]
    canvas.shape(corners, (236, 120, 30), INK)
    canvas.text((x, y + 1), "!", round(10 * size), WHITE, "mm", bold=True)


def _draw_item(canvas: Canvas, at: Point) -> None:
    x, y = at
    canvas.shape([(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)], GOLD, INK)


def _draw_goal(canvas: Canvas, at: Point) -> None:
    x, y = at
    canvas.line([(x, y - 7), (x, y + 7)], INK, 1.5)
    canvas.shape([(x, y - 7), (x + 11, y - 3), (x, y + 1)], GOLD, INK)


def draw_legend(canvas: Canvas, at: Point) -> None:
    """A line that says what the signs on the map mean."""
    x, y = at
    token = (88, 110, 130)
    for sign in ("acts", "may be chosen", "elite", "item", "trap", "goal", "rope", "h1"):
        if sign in ("acts", "may be chosen"):
            canvas.disc((x, y), 7, WHITE if sign == "acts" else GOLD, INK, 1)
            canvas.disc((x, y), 4.5, token)
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


def _figures_in(state: np.void, area: int) -> list[tuple[str, int]]:
    """The figures of an area: Allies by slot, then Enemies by slot."""
    allies = [
        ("ally", slot)
        for slot in range(N_ALLIES)
        if state["ally"][slot]["kind"] != Kind.NOBODY and state["ally"][slot]["area"] == area
    ]
    enemies = [
        ("enemy", slot)
        for slot in range(N_ENEMIES)
        if state["enemy"][slot]["type"] >= 0 and state["enemy"][slot]["area"] == area
    ]
    return allies + enemies


def _places(room: Box, n: int) -> tuple[list[Point], float]:
    """Where n figures stand in a room below its label, in rows, and how large they are."""
    if n == 0:
        return [], 0.0
    left, top, right, bottom = room[0] + 4, room[1] + 34, room[2] - 4, room[3] - 3
    width, height = right - left, max(bottom - top, 20.0)

    def radius_for(rows: int) -> float:
        columns = math.ceil(n / rows)
        return min(width / columns / 2.5, height / rows / 3.1, 27.0)

    rows = max(range(1, n + 1), key=radius_for)
    radius, columns = max(radius_for(rows), 7.0), math.ceil(n / rows)
    places = []
    for k in range(n):
        row, column = divmod(k, columns)
        in_row = min(columns, n - row * columns)
        x = left + width * (column + 0.5) / in_row
        y = top + height * (row + 0.5) / rows - radius * 0.1
        places.append((x, y))
    return places, radius


# ---- figures --------------------------------------------------------------------------------
def draw_ally(
    canvas: Canvas,
    at: Point,
    radius: float,
    state: np.void,
    compiled: Compiled,
    slot: int,
    ring: Colour | None,
) -> None:
    """A round token: who it is, its chips or health, its conditions; lying when exhausted."""
    figure = state["ally"][slot]
    colour = HEROES[slot]
    x, y = at
    name = compiled.names.allies[slot]
    if figure["exhausted"]:
        flat = (x - radius, y - radius * 0.1, x + radius, y + radius * 0.8)
        canvas.oval(flat, blend(colour, (150, 150, 150), 0.7), INK, 1)
        canvas.text((x, y + radius * 0.35), initials(name), round(radius * 0.65), WHITE, "mm")
        return
    if ring:
        canvas.disc(at, radius + 4, ring, INK, 1)
    canvas.oval((x - radius, y - radius + 4, x + radius, y + radius + 4), SHADOW)
    canvas.disc(at, radius, colour, WHITE, 2)
    place, label = (x, y - radius * 0.08), initials(name)
    canvas.text(place, label, _letters(canvas, label, radius), WHITE, "mm", bold=True)
    if figure["wounded"]:
        canvas.oval(
            (x + radius * 0.5, y - radius, x + radius * 1.1, y - radius * 0.4), WOUND, WHITE
        )
    below = y + radius + 4
    if figure["kind"] == Kind.HERO:
        draw_chips(canvas, (x, below), figure, max(2.0, radius * 0.14), radius * 2.1)
    else:
        health = int(figure["health"])
        full = int(compiled.content[0]["sheet"][slot]["health"])
        canvas.gauge((x, below), radius, health, full)
    _draw_badges(canvas, (x, y - radius - 1), int(figure["conditions"]), radius)


def _letters(canvas: Canvas, label: str, half: float) -> int:
    """The size of letters with which a label fits a token."""
    wanted = max(6, round(half * 0.8))
    return next((s for s in range(wanted, 6, -1) if canvas.length(label, s) < 2 * half - 3), 6)


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


def draw_enemy(
    canvas: Canvas,
    at: Point,
    radius: float,
    state: np.void,
    compiled: Compiled,
    slot: int,
    ring: Colour | None,
) -> None:
    """A square token: type and number, health, conditions; larger for large and huge ones.

    An elite one has a gold corner.
    """
    figure = state["enemy"][slot]
    kind = compiled.content[0]["type"][int(figure["type"])]
    half = radius * (0.82, 1.0, 1.15)[max(0, min(2, int(kind["size"]) - 1))]
    x, y = at
    colour = blend(SIDES[int(kind["colour"])], INK, 0.25)
    if ring:
        canvas.box((x - half - 4, y - half - 4, x + half + 4, y + half + 4), ring, INK, 1, 6)
    canvas.box((x - half + 1, y - half + 3, x + half + 3, y + half + 4), SHADOW, None, 1, 4)
    canvas.box((x - half, y - half, x + half, y + half), colour, WHITE, 2, 4)
    if kind["elite"]:
        corner, edge = (x + half - 1, y - half + 1), half * 0.7
        canvas.shape(
            [(corner[0] - edge, corner[1]), corner, (corner[0], corner[1] + edge)], GOLD, WHITE
        )
    short = initials(enemy_name(state, compiled, slot).rsplit(" ", 1)[0])
    label = f"{short}{int(figure['number'])}"
    place = x, y - half * 0.05
    canvas.text(place, label, _letters(canvas, label, half), WHITE, "mm", bold=True)
    canvas.gauge((x, y + half + 5), half, int(figure["health"]), int(figure["full"]))
    _draw_badges(canvas, (x, y - half - 1), int(figure["conditions"]), radius)


def _draw_badges(canvas: Canvas, at: Point, bits: int, radius: float) -> None:
    """A small label for each condition, at most two, over a figure and no wider than its place."""
    held = [condition for condition in Condition if bits >> condition & 1]
    half = min(12.0, 1.15 * radius / max(1, len(held)))
    tall = min(6.0, 0.45 * radius)
    x = at[0] - (half + 1) * (len(held) - 1)
    for condition in held:
        good = condition in (Condition.INVISIBLE, Condition.BLESSED)
        fill = (54, 134, 92) if good else (120, 40, 110)
        middle = at[1] - 1
        canvas.box((x - half, middle - tall, x + half, middle + tall), fill, WHITE, 1, 4)
        badge = BADGES[condition]
        sizes = [(badge, 9), (badge, 7), (badge[0], 9)]
        text, size = next((t for t in sizes if canvas.length(*t) < 2 * half - 1), (badge[0], 7))
        canvas.text((x, middle), text, size, WHITE, "mm")
        x += 2 * (half + 1)
