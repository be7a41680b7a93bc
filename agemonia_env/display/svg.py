"""Pictures as SVG: text of a document that any browser draws, at any size."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from .canvas import (
    Box,
    Canvas,
    Colour,
    Line,
    Oval,
    Point,
    Polygon,
    Rectangle,
    Shape,
    Text,
    width_of,
)

FONT = "Aileron, 'Helvetica Neue', Helvetica, Arial, sans-serif"
ANCHORS = {"l": "start", "m": "middle", "r": "end"}


def svg_of(canvas: Canvas, title: str = "", marks: bool = False) -> str:
    """The picture as an SVG document; title: for those who cannot see it.

    marks: lay invisible boxes over marked things, with their names as `data-thing`, for pointers.
    """
    size = f'width="{canvas.width}" height="{canvas.height}"'
    view = f'viewBox="0 0 {canvas.width} {canvas.height}"'
    label = f' role="img" aria-label={quoteattr(title)}' if title else ""
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}{label} '
    paper = Rectangle((0, 0, canvas.width, canvas.height), canvas.paper, None, 0, 0)
    style = f'font-family="{FONT}" style="white-space: pre"'
    shapes = map(_element, [paper, *canvas.shapes])
    things = map(_thing, canvas.marks) if marks else ()
    return "\n".join([f"{start}{style}>", *shapes, *things, "</svg>\n"])


def _thing(mark: tuple[str, Box]) -> str:
    name, (left, top, right, bottom) = mark
    place = f'x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" height="{_n(bottom - top)}"'
    return f'<rect data-thing={quoteattr(name)} {place} fill="transparent"/>'


def _element(shape: Shape) -> str:
    if isinstance(shape, Text):
        return _text(shape)
    if isinstance(shape, Line):
        colours = f'fill="none"{_stroke(shape.colour, shape.width)}'
        return f'<polyline points="{_points(shape.points)}" {colours} stroke-linejoin="round"/>'
    if isinstance(shape, Polygon):
        colours = f"{_fill(shape.fill)}{_stroke(shape.outline, 1)}"
        return f'<polygon points="{_points(shape.points)}"{colours}/>'
    if isinstance(shape, Oval):
        return _oval(shape)
    left, top, right, bottom = _inside(shape.box, shape.outline, shape.width)
    place = f'x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" height="{_n(bottom - top)}"'
    corners = f' rx="{_n(shape.radius)}"' if shape.radius else ""
    if not (shape.outline or shape.radius):  # so that no seam shows between two that touch
        corners = ' shape-rendering="crispEdges"'
    return f"<rect {place}{corners}{_fill(shape.fill)}{_stroke(shape.outline, shape.width)}/>"


def _oval(shape: Oval) -> str:
    left, top, right, bottom = _inside(shape.box, shape.outline, shape.width)
    centre = f'cx="{_n((left + right) / 2)}" cy="{_n((top + bottom) / 2)}"'
    radii = f'rx="{_n((right - left) / 2)}" ry="{_n((bottom - top) / 2)}"'
    colours = f"{_fill(shape.fill)}{_stroke(shape.outline, shape.width)}"
    return f"<ellipse {centre} {radii}{colours}/>"


def _text(shape: Text) -> str:
    """A text as wide as the table says, whatever the font."""
    x, y = shape.at
    place = f'x="{_n(x)}" y="{_n(y)}" dominant-baseline="central"'
    anchor = f'text-anchor="{ANCHORS[shape.anchor[0]]}"'
    width = f'textLength="{_n(width_of(shape.text, shape.size))}" lengthAdjust="spacingAndGlyphs"'
    weight = ' font-weight="bold"' if shape.bold else ""
    look = f'font-size="{shape.size}"{weight}{_fill(shape.colour)} {width}'
    return f"<text {place} {anchor} {look}>{escape(shape.text)}</text>"


def _inside(box: Box, outline: Colour | None, width: float) -> Box:
    """The box in whose middle SVG draws an outline that lies inside `box`, as Pillow's does."""
    half = width / 2 if outline else 0.0
    left, top, right, bottom = box
    return left + half, top + half, right - half, bottom - half


def _fill(colour: Colour | None) -> str:
    return f' fill="{_hex(colour)}"' if colour else ' fill="none"'


def _stroke(colour: Colour | None, width: float) -> str:
    return f' stroke="{_hex(colour)}" stroke-width="{_n(width)}"' if colour else ""


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(value: float) -> str:
    """A number with up to two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
