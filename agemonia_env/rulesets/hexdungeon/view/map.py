"""The board as a picture: hexes, what lies on them, and the figures that stand on them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from agemonia_env.display.canvas import (
    FAINT,
    GOLD,
    INK,
    WHITE,
    Box,
    Canvas,
    Colour,
    Point,
    blend,
    ink_on,
)

from ..content.compile import Compiled
from ..core.layout import FIRST_MONSTER, FIRST_SUMMON, N_FIGURES
from ..core.rules.board import CORNER_X, CORNER_Y
from ..core.terms import Effect, Terrain
from .hexes import centre_of, members, place_of
from .legal_targets import Offer
from .table import conditions_of, figure_label, is_present, unseen_hexes

GROUND: Colour = (52, 49, 54)
WALL: Colour = (82, 77, 82)
FLOOR: Colour = (208, 199, 181)
UNSEEN: Colour = (98, 93, 94)
DOOR: Colour = (138, 90, 48)
LAVA: Colour = (214, 112, 62)
MARSH: Colour = (150, 174, 150)
EXIT: Colour = (96, 168, 104)
ROCK: Colour = (122, 118, 114)
REACH: Colour = (96, 146, 204)
RED: Colour = (214, 52, 46)
FRIEND: Colour = (60, 190, 90)
LABEL: Colour = (158, 152, 156)
SHIELD: Colour = (60, 110, 180)
WARNING: Colour = (236, 120, 30)
MOST_MARKS = 5  # conditions shown over a figure
LARGEST = 46.0  # pixels of an edge
SIDE_BY_SIDE = 0.78  # edges between figures that share a hex
RIM = 17.0  # for the numbers of columns and rows
HEROES: tuple[Colour, ...] = ((38, 108, 168), (168, 62, 118), (44, 128, 84), (166, 96, 18))
TYPES: tuple[Colour, ...] = (
    (124, 58, 50),
    (74, 78, 116),
    (88, 96, 52),
    (110, 66, 112),
    (50, 98, 104),
    (134, 92, 46),
    (98, 72, 66),
    (64, 64, 70),
)
# Conditions as a letter on a colour
MARKS: dict[Effect, tuple[str, Colour]] = {
    Effect.POISON: ("P", (66, 126, 52)),
    Effect.WOUND: ("W", (190, 50, 44)),
    Effect.IMMOBILIZE: ("I", (136, 92, 44)),
    Effect.DISARM: ("D", (112, 112, 116)),
    Effect.STUN: ("S", (44, 64, 128)),
    Effect.MUDDLE: ("M", (118, 70, 136)),
    Effect.INVISIBLE: ("V", (46, 44, 52)),
    Effect.STRENGTHEN: ("+", (206, 140, 20)),
}


@dataclass(frozen=True)
class Frame:
    """Where the board lies in the picture: (left, bottom) of its hexes, `size` pixels an edge."""

    left: float
    bottom: float
    size: float

    def at(self, x: float, y: float) -> Point:
        """A point of the board, in the units of BOARD: a hex is 4 wide and 2 high (G4.7)."""
        return self.left + self.size * x / 2, self.bottom - self.size * y * math.sqrt(3) / 2

    def corners(self, centre: Point, share: float = 1.0) -> list[Point]:
        """The corners of a hex, or of one shrunk to a share of it."""
        x, y = centre
        edge = self.size * share
        return [
            (x + edge * cx / 2, y - edge * cy * math.sqrt(3) / 2)
            for cx, cy in zip(CORNER_X, CORNER_Y, strict=True)
        ]


def fit_board(board: np.void, box: Box) -> Frame:
    """Fit the board into `box`, centred, with a rim for its numbers."""
    left, top, right, bottom = box[0] + RIM, box[1] + RIM, box[2] - 6, box[3] - 6
    width, height = 1.5 * int(board["width"]) + 0.5, math.sqrt(3) * (int(board["height"]) + 0.5)
    size = min((right - left) / width, (bottom - top) / height, LARGEST)
    return Frame(
        left + (right - left - width * size) / 2, bottom - (bottom - top - height * size) / 2, size
    )


def draw_map(canvas: Canvas, box: Box, state: np.void, compiled: Compiled, offer: Offer) -> None:
    """Everything on the board, and what is offered of it."""
    canvas.box(box, GROUND, None, 1, 8)
    board = state["board"]
    frame = fit_board(board, box)
    hexes = members(board["hexes"])
    centres = {h: frame.at(*centre_of(board, h)) for h in hexes}
    _draw_numbers(canvas, frame, board, centres)
    _draw_hexes(canvas, frame, state, compiled, offer, centres)
    unseen = unseen_hexes(state, compiled)
    for direction, words in enumerate(board["lined"]):
        for h in set(members(words)) - unseen:
            corners = frame.corners(centres[h])
            _draw_wall_line(canvas, frame, corners[direction], corners[(direction + 1) % 6])
    standing = [f for f in range(N_FIGURES) if is_present(state, f)]
    for f in standing:
        h = int(state["figure"][f]["at"])
        beside = [g for g in standing if int(state["figure"][g]["at"]) == h]
        x, y = centres[h]
        _draw_figure_rings(canvas, frame, (x, y), state, offer, f)
        share = 1.0 / len(beside) ** 0.7  # a figure on its way may be where another one stands
        left = x + frame.size * (beside.index(f) - (len(beside) - 1) / 2) * SIDE_BY_SIDE
        _draw_figure(canvas, (left, y), frame.size * share, state, compiled, f)
        half = frame.size * share * 0.7
        canvas.mark(f"figure:{f}", (left - half, y - half, left + half, y + half))


def _draw_numbers(canvas: Canvas, frame: Frame, board: np.void, centres: dict[int, Point]) -> None:
    """Columns above, rows on the left."""
    size = max(8, min(11, round(frame.size * 0.36)))
    height = frame.size * math.sqrt(3) / 2
    for h, (x, y) in centres.items():
        column, row = place_of(board, h)
        if row == board["height"] - 1:
            canvas.text((x, y - height - 8), str(column), size, LABEL, "mm")
        if column == 0:
            canvas.text((x - frame.size - 3, y), str(row), size, LABEL, "rm")


# ---- hexes ----------------------------------------------------------------------------------
def _draw_hexes(
    canvas: Canvas,
    frame: Frame,
    state: np.void,
    compiled: Compiled,
    offer: Offer,
    centres: dict[int, Point],
) -> None:
    """Ground and what lies on it, hex by hex."""
    terrain = {kind: set(members(state["board"]["terrain"][kind])) for kind in Terrain}
    content = compiled.content[0]
    exits, loot = set(members(content["exit"])), set(members(state["loot"]))
    opened = set(content["door"][: int(content["n_doors"])].tolist()) - terrain[Terrain.DOOR]
    unseen = unseen_hexes(state, compiled)
    taken = {int(figure["at"]) for figure in state["figure"]}
    for h, centre in centres.items():
        (x, y), across = centre, frame.size * 0.75
        canvas.mark(f"hex:{h}", (x - across, y - across, x + across, y + across))
        kinds = [kind for kind in Terrain if h in terrain[kind]]
        if h in unseen and Terrain.DOOR not in kinds:
            known = Terrain.WALL not in kinds
            _draw_ground(canvas, frame, centre, UNSEEN if known else WALL, edge=0.12)
            continue
        ground = _tinted(_ground_colour(h, kinds, h in exits), h, offer)
        _draw_ground(canvas, frame, centre, ground, edge=0.3 if Terrain.WALL in kinds else 0.16)
        if h in offer.red:
            _draw_hatch(canvas, frame, centre, ground)
        for kind in kinds:
            _draw_terrain(canvas, frame, centre, kind, ground)
        if h in exits:
            _draw_exit(canvas, frame, centre)
        if h in opened:
            outline = frame.corners(centre, 0.86)
            canvas.line([*outline, outline[0]], DOOR, max(2.0, frame.size * 0.09))
        if h in loot:
            _draw_loot(canvas, frame, centre, h in taken)
        if h in offer.hexes:
            _draw_ring(canvas, frame, centre, GOLD)


def _ground_colour(h: int, kinds: list[Terrain], is_exit: bool) -> Colour:
    """By what the hex is, stone by stone a little different."""
    for kind, colour in (
        (Terrain.WALL, WALL),
        (Terrain.DOOR, DOOR),
        (Terrain.HAZARD, LAVA),
        (Terrain.DIFFICULT, MARSH),
    ):
        if kind in kinds:
            return colour
    stone = blend(FLOOR, INK, (h * 7919 % 5) / 90)
    return blend(stone, EXIT, 0.4) if is_exit else stone


def _tinted(ground: Colour, h: int, offer: Offer) -> Colour:
    """With the colour of what may happen there."""
    if h in offer.red:
        return blend(ground, RED, 0.5)
    if h in offer.hexes:
        return blend(ground, GOLD, 0.5)
    return blend(ground, REACH, 0.3) if h in offer.near else ground


def _draw_ground(canvas: Canvas, frame: Frame, centre: Point, colour: Colour, edge: float) -> None:
    canvas.shape(frame.corners(centre, 0.985), blend(colour, INK, edge))
    canvas.shape(frame.corners(centre, 0.93), colour)


def _draw_hatch(canvas: Canvas, frame: Frame, centre: Point, ground: Colour) -> None:
    """Slanting lines over a hex that an area attack covers."""
    (x, y), r = centre, frame.size
    for across in (-0.6, -0.2, 0.2, 0.6):
        tall = 0.62 - abs(across) * 0.4
        start = x + r * (across - tall / 2), y + r * tall
        canvas.line(
            [start, (x + r * (across + tall / 2), y - r * tall)],
            blend(ground, INK, 0.45),
            max(1.0, r * 0.05),
        )


def _draw_terrain(
    canvas: Canvas, frame: Frame, centre: Point, kind: Terrain, ground: Colour
) -> None:
    """The sign of a kind of terrain."""
    (x, y), r = centre, frame.size
    dark = blend(ground, INK, 0.3)
    match kind:
        case Terrain.WALL:
            canvas.shape(frame.corners((x, y - r * 0.06), 0.72), blend(ground, WHITE, 0.08))
        case Terrain.DOOR:
            for k in (-0.45, -0.15, 0.15, 0.45):
                tall = r * (0.78 - 0.35 * abs(k))
                canvas.line([(x + k * r, y - tall), (x + k * r, y + tall)], dark, 1.5)
            canvas.box((x - r * 0.72, y - r * 0.1, x + r * 0.72, y + r * 0.1), (84, 80, 82))
            canvas.disc((x + r * 0.4, y), r * 0.12, GOLD, INK, 1)
        case Terrain.OBSTACLE:
            for dx, dy, size in ((-0.3, 0.2, 0.34), (0.32, 0.22, 0.3), (0.02, -0.16, 0.42)):
                stone = x + dx * r, y + dy * r
                canvas.disc(stone, size * r, ROCK, blend(ROCK, INK, 0.5), 1.2)
                lit = stone[0] - size * r * 0.25, stone[1] - size * r * 0.3
                canvas.disc(lit, size * r * 0.35, blend(ROCK, WHITE, 0.25))
        case Terrain.TRAP:
            tips = [(x, y - r * 0.62), (x + r * 0.58, y + r * 0.42), (x - r * 0.58, y + r * 0.42)]
            canvas.shape(tips, WARNING, INK)
            canvas.text((x, y + r * 0.1), "!", max(8, round(r * 0.5)), INK, "mm", bold=True)
        case Terrain.HAZARD | Terrain.DIFFICULT:
            light = blend(ground, WHITE if kind == Terrain.DIFFICULT else GOLD, 0.45)
            for k, colour in ((-0.38, dark), (0.0, light), (0.38, dark)):
                half = 0.62 - abs(k) * 0.4
                wave = [
                    (x + r * (half * t / 4), y + r * (k + 0.08 * (-1) ** t)) for t in range(-4, 5)
                ]
                canvas.line(wave, colour, max(1.5, r * 0.06))


def _draw_exit(canvas: Canvas, frame: Frame, centre: Point) -> None:
    """Two chevrons."""
    (x, y), r = centre, frame.size
    for dx in (-0.28, 0.1):
        points = [(x + r * (dx + sx), y + r * sy) for sx, sy in ((0, -0.3), (0.22, 0), (0, 0.3))]
        canvas.line(points, blend(EXIT, INK, 0.35), max(2.0, r * 0.1))


def _draw_loot(canvas: Canvas, frame: Frame, centre: Point, taken: bool) -> None:
    """A coin; beside the figure that stands on the hex."""
    (x, y), r = centre, frame.size
    coin, half = ((x - r * 0.62, y + r * 0.3), r * 0.18) if taken else (centre, r * 0.3)
    canvas.disc(coin, half, GOLD, blend(GOLD, INK, 0.6), 1.2)
    canvas.disc(coin, half * 0.6, blend(GOLD, WHITE, 0.35), blend(GOLD, INK, 0.3), 1)


def draw_legend(canvas: Canvas, at: Point) -> None:
    """A line that says what the colours of hexes and figures mean."""
    x, y = at
    signs = (
        ("acts", None, WHITE),
        ("may be chosen", blend(FLOOR, GOLD, 0.5), GOLD),
        ("foe to choose", None, RED),
        ("friend to choose", None, FRIEND),
        ("in range", blend(FLOOR, REACH, 0.3), None),
        ("area attack", blend(FLOOR, RED, 0.5), None),
    )
    frame = Frame(x, y, 8.0)
    for text, fill, ring in signs:
        canvas.shape(frame.corners((x, y)), INK)
        canvas.shape(frame.corners((x, y), 0.9), fill or FLOOR)
        if ring:
            outline = frame.corners((x, y), 0.7)
            canvas.line([*outline, outline[0], outline[1]], ring, 2)
        if text == "area attack":
            _draw_hatch(canvas, frame, (x, y), fill or FLOOR)
        x += 13 + canvas.text((x + 13, y), text, 11, FAINT) + 24
    canvas.box((x - 6, y - 6, x + 6, y + 6), TYPES[0], GOLD, 2, 2)
    _draw_corner(canvas, (x + 5, y - 5), 5)
    canvas.text((x + 13, y), "elite", 11, FAINT)


def _draw_ring(canvas: Canvas, frame: Frame, centre: Point, colour: Colour) -> None:
    """A line around a hex that is offered, with a dark edge that shows on any ground."""
    outline, width = frame.corners(centre, 0.9), max(2.0, frame.size * 0.09)
    canvas.line([*outline, outline[0], outline[1]], INK, width + 2)
    canvas.line([*outline, outline[0], outline[1]], colour, width)


def _draw_wall_line(canvas: Canvas, frame: Frame, start: Point, end: Point) -> None:
    """A wall between two hexes."""
    width = max(3.0, frame.size * 0.16)
    for point in (start, end):
        canvas.disc(point, width / 2, INK)
    canvas.line([start, end], INK, width)


# ---- figures --------------------------------------------------------------------------------
def figure_colour(state: np.void, f: int) -> Colour:
    """A character's, its summons' a lighter one; a monster's by its type."""
    figure = state["figure"][f]
    if f >= FIRST_MONSTER:
        return TYPES[int(figure["kind"]) % len(TYPES)]
    if f >= FIRST_SUMMON:
        return summon_colour(max(0, int(figure["owner"])) % len(HEROES))
    return HEROES[f % len(HEROES)]


def summon_colour(hero: int) -> Colour:
    """The colour of a character, lighter."""
    return blend(HEROES[hero], WHITE, 0.35)


def _draw_figure_rings(
    canvas: Canvas, frame: Frame, centre: Point, state: np.void, offer: Offer, f: int
) -> None:
    """Around the hex of a figure: whose turn it is, who may be named, who is aimed at."""
    if int(state["turn"]) == f:
        _draw_ring(canvas, frame, centre, WHITE)
    if f in offer.figures:
        _draw_ring(canvas, frame, centre, RED if f >= FIRST_MONSTER else FRIEND)
    if int(state["strike"]["aimed"]) == f and (offer.orientations or offer.cells):
        _draw_ring(canvas, frame, centre, RED)


def _draw_figure(
    canvas: Canvas, at: Point, r: float, state: np.void, compiled: Compiled, f: int
) -> None:
    """A token, round for the party and square for monsters, with hit points and conditions."""
    figure = state["figure"][f]
    x, y = at
    middle = x, y - r * 0.06
    half = r * (0.44 if FIRST_SUMMON <= f < FIRST_MONSTER else 0.52)
    colour = figure_colour(state, f)
    _draw_token(canvas, middle, half, colour, f, bool(figure["elite"]))
    label = figure_label(state, compiled, f)
    size = canvas.shrunk(label, max(8, round(half * 0.95)), 7, 2 * half - 5)
    canvas.text(middle, label, size, ink_on(colour), "mm", bold=size > 18)
    canvas.gauge((x, y + r * 0.62), r * 0.5, int(figure["hp"]), int(figure["max_hp"]))
    shield = int(figure["shield"]) + int(figure["round_shield"])
    if shield:
        _draw_shield(canvas, (x + r * 0.62, y + r * 0.26), r * 0.2, shield)
    _draw_marks(canvas, (x, y - r * 0.62), r * 0.19, conditions_of(figure))


def _draw_token(
    canvas: Canvas, at: Point, half: float, colour: Colour, f: int, elite: bool
) -> None:
    """The shape of a figure; elite monsters have a gold ring and corner."""
    x, y = at
    ring, width = (GOLD, max(2.5, half * 0.16)) if elite else (WHITE, max(1.2, half * 0.07))
    shade = blend(GROUND, INK, 0.4)
    if f < FIRST_MONSTER:
        canvas.disc((x + 1, y + 2), half + 1, shade)
        canvas.disc(at, half, colour, ring, width)
        return
    canvas.box((x - half + 2, y - half + 3, x + half + 2, y + half + 2), shade, None, 1, half / 4)
    canvas.box((x - half, y - half, x + half, y + half), colour, ring, width, half / 4)
    if elite:
        _draw_corner(canvas, (x + half - width / 2, y - half + width / 2), half * 0.5)


def _draw_corner(canvas: Canvas, at: Point, edge: float) -> None:
    """The gold corner of elite monsters."""
    x, y = at
    canvas.shape([(x - edge, y), (x, y), (x, y + edge)], GOLD)


def _draw_shield(canvas: Canvas, at: Point, half: float, value: int) -> None:
    """Shield of the figure itself."""
    x, y = at
    half = max(half, 5.0)
    points = [(-1, -1), (1, -1), (1, 0.3), (0, 1.2), (-1, 0.3)]
    canvas.shape([(x + half * a, y + half * b) for a, b in points], SHIELD, WHITE)
    canvas.text((x, y - half * 0.1), str(value), max(7, round(half * 1.3)), WHITE, "mm", bold=True)


def _draw_marks(canvas: Canvas, at: Point, half: float, held: list[Effect]) -> None:
    """Conditions in a row, closer where there are several; the last counts what has no room."""
    half = max(half, 4.5)
    marks = [MARKS[condition] for condition in held]
    if len(marks) > MOST_MARKS:
        marks[MOST_MARKS - 1 :] = [(f"+{len(marks) - MOST_MARKS + 1}", INK)]
    step = min(half * 2.1, half * 7 / max(1, len(marks) - 1))
    x = at[0] - step * (len(marks) - 1) / 2
    for letter, colour in marks:
        canvas.disc((x, at[1]), half, colour, WHITE, 0.8)
        size = canvas.shrunk(letter, max(7, round(half * 1.25)), 7, 2 * half - 1)
        canvas.text((x, at[1]), letter, size, ink_on(colour), "mm", bold=True)
        x += step


# ---- templates ------------------------------------------------------------------------------
def draw_template(
    canvas: Canvas, box: Box, template: np.void, orientation: int, numbers: bool
) -> None:
    """A template in a box, its red hexes counted if `numbers`; the grey hex is the figure's."""
    cells, grey = template["orientation"][orientation], bool(template["grey"])
    shown = [*([[0, 0]] if grey else []), *cells[: int(template["n_cells"])].tolist()]
    centres = [(1.5 * q, -math.sqrt(3) * (r + q / 2)) for q, r in shown]
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    width, height = max(xs) - min(xs) + 2, max(ys) - min(ys) + math.sqrt(3)
    left, top, right, bottom = box
    edge = min((right - left) / width, (bottom - top) / height, 15.0)
    frame = Frame(0, 0, edge)
    dx = (left + right) / 2 - edge * (max(xs) + min(xs)) / 2
    dy = (top + bottom) / 2 - edge * (max(ys) + min(ys)) / 2
    for k, (x, y) in enumerate(centres):
        own = grey and k == 0
        centre = dx + edge * x, dy + edge * y
        canvas.shape(frame.corners(centre, 0.95), (150, 146, 142) if own else RED, INK)
        if numbers and not own and edge > 6:
            number = str(k + 1 - grey)
            canvas.text(centre, number, max(7, round(edge * 0.8)), WHITE, "mm", bold=True)
