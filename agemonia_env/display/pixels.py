"""Pictures as pixels: Pillow at twice the size, so that scaling down smooths all edges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from .canvas import Box, Canvas, Line, Oval, Point, Polygon, Shape, Text

SCALE = 2
BOLD = 0.5  # pixels of stroke around a letter, at that scale


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size * SCALE)


def pixels_of(canvas: Canvas) -> NDArray[np.uint8]:
    """The picture, uint8 (height, width, 3)."""
    large = Image.new("RGB", (canvas.width * SCALE, canvas.height * SCALE), canvas.paper)
    draw = ImageDraw.Draw(large)
    for shape in canvas.shapes:
        _draw(draw, shape)
    small = large.resize((canvas.width, canvas.height), Image.Resampling.BOX)
    return np.array(small, np.uint8)


def written_on(canvas: Canvas) -> list[tuple[str, Box]]:
    """Every text of a picture, and the box of its ink."""
    draw, found = ImageDraw.Draw(Image.new("L", (1, 1))), []
    for shape in canvas.shapes:
        if isinstance(shape, Text):
            box = draw.textbbox(
                _scaled([shape.at])[0],
                shape.text,
                _font(shape.size),
                shape.anchor,
                stroke_width=BOLD * shape.bold,
            )
            left, top, right, bottom = (value / SCALE for value in box)
            found.append((shape.text, (left, top, right, bottom)))
    return found


def _draw(draw: ImageDraw.ImageDraw, shape: Shape) -> None:
    if isinstance(shape, Text):
        place, font = _scaled([shape.at])[0], _font(shape.size)
        stroke = BOLD * shape.bold
        draw.text(place, shape.text, shape.colour, font, shape.anchor, stroke_width=stroke)
    elif isinstance(shape, Line):
        draw.line(_rounded(shape.points), shape.colour, _line(shape.width), joint="curve")
    elif isinstance(shape, Polygon):
        outline = SCALE if shape.outline else 0
        draw.polygon(_rounded(shape.points), shape.fill, shape.outline, outline)
    else:
        box = [round(v * SCALE) for v in shape.box]
        width = _line(shape.width) if shape.outline else 0
        if isinstance(shape, Oval):
            draw.ellipse(box, shape.fill, shape.outline, width)
        else:
            radius = shape.radius * SCALE
            draw.rounded_rectangle(box, radius, shape.fill, shape.outline, width)


def _line(width: float) -> int:
    return max(1, round(width * SCALE))


def _scaled(points: Sequence[Point]) -> list[Point]:
    return [(x * SCALE, y * SCALE) for x, y in points]


def _rounded(points: Sequence[Point]) -> list[Point]:
    return [(round(x), round(y)) for x, y in _scaled(points)]
