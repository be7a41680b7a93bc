"""A canvas: Pillow at twice the size, so that scaling down smooths all edges."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

SCALE = 2
Colour = tuple[int, int, int]
Point = tuple[float, float]
Box = tuple[float, float, float, float]

INK: Colour = (38, 34, 30)
PAPER: Colour = (246, 241, 230)
WHITE: Colour = (255, 255, 255)
GOLD: Colour = (240, 176, 32)
WOUND: Colour = (196, 50, 44)
HEALTHY: Colour = (70, 160, 70)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size * SCALE)


def blend(a: Colour, b: Colour, share: float) -> Colour:
    """Colour `a` with `share` (0 to 1) of colour `b` in it."""
    mixed = [round(x + (y - x) * share) for x, y in zip(a, b, strict=True)]
    return mixed[0], mixed[1], mixed[2]


class Canvas:
    """Draws shapes; all lengths are pixels of the finished picture."""

    def __init__(self, width: int, height: int, paper: Colour) -> None:
        self.image = Image.new("RGB", (width * SCALE, height * SCALE), paper)
        self.draw = ImageDraw.Draw(self.image)
        self.texts: list[tuple[str, Box]] = []  # every text drawn, and the box of its ink

    def finish(self) -> NDArray[np.uint8]:
        """The finished picture, uint8 (height, width, 3)."""
        width, height = self.image.size
        small = self.image.resize((width // SCALE, height // SCALE), Image.Resampling.BOX)
        return np.array(small, np.uint8)

    def box(
        self,
        box: Box,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 1,
        radius: float = 0,
    ) -> None:
        """A rectangle, with rounded corners if `radius` > 0."""
        self.draw.rounded_rectangle(
            [round(v * SCALE) for v in box],
            radius * SCALE,
            fill,
            outline,
            max(1, round(width * SCALE)) if outline else 0,
        )

    def oval(
        self, box: Box, fill: Colour | None = None, outline: Colour | None = None, width: float = 1
    ) -> None:
        """An ellipse."""
        scaled = [round(v * SCALE) for v in box]
        line = max(1, round(width * SCALE)) if outline else 0
        self.draw.ellipse(scaled, fill, outline, line)

    def disc(
        self,
        centre: Point,
        radius: float,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 1,
    ) -> None:
        """A circle."""
        x, y = centre
        self.oval((x - radius, y - radius, x + radius, y + radius), fill, outline, width)

    def line(self, points: list[Point], colour: Colour, width: float = 1) -> None:
        """A line through `points`."""
        scaled = [(round(x * SCALE), round(y * SCALE)) for x, y in points]
        self.draw.line(scaled, colour, max(1, round(width * SCALE)), joint="curve")

    def shape(self, points: list[Point], fill: Colour, outline: Colour | None = None) -> None:
        """A filled polygon."""
        scaled = [(round(x * SCALE), round(y * SCALE)) for x, y in points]
        self.draw.polygon(scaled, fill, outline, SCALE if outline else 0)

    def text(
        self,
        at: Point,
        text: str,
        size: int,
        colour: Colour,
        anchor: str = "lm",
        bold: bool = False,
        fit: float | None = None,
    ) -> float:
        """Draw text, cut with dots if wider than `fit`. Returns its width."""
        text = self.fitted(text, size, fit)
        font, stroke = _font(size), 1 if bold else 0
        place = (at[0] * SCALE, at[1] * SCALE)
        self.draw.text(place, text, colour, font, anchor, stroke_width=stroke)
        if text.strip():
            box = self.draw.textbbox(place, text, font, anchor, stroke_width=stroke)
            left, top, right, bottom = (value / SCALE for value in box)
            self.texts.append((text, (left, top, right, bottom)))
        return self.length(text, size)

    def fitted(self, text: str, size: int, fit: float | None) -> str:
        """`text`, cut with dots if wider than `fit`; "" if not even dots fit."""
        if fit is None or self.length(text, size) <= fit:
            return text
        while text and self.length(text.rstrip() + "...", size) > fit:
            text = text[:-1]
        return text.rstrip() + "..." if text else ""

    def length(self, text: str, size: int) -> float:
        """The width of `text`."""
        return self.draw.textlength(text, _font(size)) / SCALE

    def wrap(self, text: str, size: int, width: float) -> list[str]:
        """Break `text` into lines no wider than `width`."""
        lines = [""]
        for part in text.split():
            longer = f"{lines[-1]} {part}".strip()
            if self.length(longer, size) <= width or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(part)
        return lines

    def gauge(self, at: Point, half: float, points: int, full: int) -> None:
        """A bar of `points` out of `full`, `half` pixels to either side."""
        x, y = at
        share = points / full if full > 0 else 0.0
        self.box((x - half, y - 5, x + half, y + 5), (70, 60, 56), None, 1, 3)
        if share > 0:
            inner = x - half + 1 + max(3.0, (2 * half - 2) * share)
            colour = blend(WOUND, HEALTHY, share)
            self.box((x - half + 1, y - 4, inner, y + 4), colour, None, 1, 2)
        both = f"{points}/{full}"
        shown = both if self.length(both, 9) < 2 * half else str(points)
        self.text((x, y), shown, 9, WHITE, "mm")
