"""A picture as a list of shapes: pixels.py and svg.py draw it.

Lengths are pixels of the finished picture. Widths of texts come from a table, so that a picture is
laid out alike wherever it is drawn, without a font at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Colour = tuple[int, int, int]
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Anchor = Literal["lm", "mm", "rm"]  # left, middle or right of the text; the middle of its height

INK: Colour = (38, 34, 30)
PAPER: Colour = (246, 241, 230)
WHITE: Colour = (255, 255, 255)
FAINT: Colour = (110, 101, 90)
GOLD: Colour = (240, 176, 32)
WOUND: Colour = (196, 50, 44)
HEALTHY: Colour = (44, 128, 56)

# Widths of the characters 32 to 126 of Aileron Regular, the font that comes with Pillow, in
# thousandths of the size
TABLE = """
    216 242 339 580 580 740 654 176 315 315 560 580 220 274 220 303 580 580 580 580 580 580
    580 580 580 580 220 220 580 580 580 499 852 639 627 699 709 587 567 710 730 264 544 609
    575 866 718 737 598 733 619 585 612 682 622 952 625 581 591 307 303 295 580 500 300 531
    611 529 615 549 290 615 593 238 233 522 247 855 593 586 611 615 330 459 313 592 514 785
    482 513 462 303 250 303 580
"""
WIDTHS = tuple(int(width) for width in TABLE.split())
OTHER = 600  # of any other character
HINTED = 1.02  # pixels of a small font are up to 2 % wider than its outlines


@dataclass(frozen=True)
class Rectangle:
    """A rectangle, with rounded corners if `radius` > 0."""

    box: Box
    fill: Colour | None
    outline: Colour | None
    width: float
    radius: float


@dataclass(frozen=True)
class Oval:
    """An ellipse."""

    box: Box
    fill: Colour | None
    outline: Colour | None
    width: float


@dataclass(frozen=True)
class Line:
    """A line through several points."""

    points: tuple[Point, ...]
    colour: Colour
    width: float


@dataclass(frozen=True)
class Polygon:
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: Colour
    outline: Colour | None


@dataclass(frozen=True)
class Text:
    """A line of text."""

    at: Point
    text: str
    size: int
    colour: Colour
    anchor: Anchor
    bold: bool


Shape = Rectangle | Oval | Line | Polygon | Text


def blend(a: Colour, b: Colour, share: float) -> Colour:
    """Colour `a` with `share` (0 to 1) of colour `b` in it."""
    mixed = [round(x + (y - x) * share) for x, y in zip(a, b, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def contrast(a: Colour, b: Colour) -> float:
    """The contrast ratio of two colours by WCAG 2, from 1 (equal) to 21 (black on white)."""
    darker, lighter = sorted((_luminance(a), _luminance(b)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    """The relative luminance of a colour in sRGB, 0 to 1."""
    shares = [part / 255 for part in colour]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(fill: Colour) -> Colour:
    """White or INK, whichever is easier to read on a colour."""
    return WHITE if contrast(WHITE, fill) >= contrast(INK, fill) else INK


def width_of(text: str, size: int) -> float:
    """The width of a text."""
    units = sum(WIDTHS[ord(c) - 32] if " " <= c <= "~" else OTHER for c in text)
    return units * size * HINTED / 1000


class Canvas:
    """Collects shapes, in the order in which they lie on each other."""

    def __init__(self, width: int, height: int, paper: Colour) -> None:
        self.width, self.height, self.paper = width, height, paper
        self.shapes: list[Shape] = []
        self.marks: list[tuple[str, Box]] = []

    def mark(self, thing: str, box: Box) -> None:
        """Say that a thing, such as "area:3", lies in this box; of several, the last is on top."""
        self.marks.append((thing, box))

    def box(
        self,
        box: Box,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 1,
        radius: float = 0,
    ) -> None:
        """A rectangle, with rounded corners if `radius` > 0."""
        self.shapes.append(Rectangle(box, fill, outline, width, radius))

    def oval(
        self, box: Box, fill: Colour | None = None, outline: Colour | None = None, width: float = 1
    ) -> None:
        """An ellipse."""
        self.shapes.append(Oval(box, fill, outline, width))

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
        self.shapes.append(Line(tuple(points), colour, width))

    def shape(self, points: list[Point], fill: Colour, outline: Colour | None = None) -> None:
        """A filled polygon."""
        self.shapes.append(Polygon(tuple(points), fill, outline))

    def text(
        self,
        at: Point,
        text: str,
        size: int,
        colour: Colour,
        anchor: Anchor = "lm",
        bold: bool = False,
        fit: float | None = None,
        smallest: int | None = None,
    ) -> float:
        """Write text, cut with dots if wider than `fit`. Returns its width.

        smallest: before it is cut, the text shrinks to this size.
        """
        size = self.shrunk(text, size, smallest or size, fit)
        text = self.fitted(text, size, fit)
        if text.strip():
            self.shapes.append(Text(at, text, size, colour, anchor, bold))
        return self.length(text, size)

    def fitted(self, text: str, size: int, fit: float | None) -> str:
        """`text`, cut with dots if wider than `fit`; "" if not even dots fit."""
        if fit is None or self.length(text, size) <= fit:
            return text
        while text and self.length(text.rstrip() + "...", size) > fit:
            text = text[:-1]
        return text.rstrip() + "..." if text else ""

    def shrunk(self, text: str, size: int, smallest: int, fit: float | None) -> int:
        """The largest size from `size` down to `smallest` at which `text` fits, or `smallest`."""
        if fit is None:
            return size
        sizes = range(size, smallest - 1, -1)
        return next((s for s in sizes if self.length(text, s) <= fit), smallest)

    def length(self, text: str, size: int) -> float:
        """The width of `text`."""
        return width_of(text, size)

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

    def bullets(self, box: Box, texts: Sequence[str], step: float, most: int) -> None:
        """Texts in columns, `most` at most, `step` pixels a line; the last counts what is left."""
        left, top, right, bottom = box
        rows = int((bottom - top) // step)
        columns = max(1, min(most, -(-len(texts) // rows)))
        if len(texts) > rows * columns:
            shown = rows * columns - 1
            texts = [*texts[:shown], f"and {len(texts) - shown} more"]
        width = (right - left) / columns
        size = min((self.shrunk(text, 12, 10, width - 16) for text in texts), default=12)
        for k, text in enumerate(texts):
            x, y = left + width * (k // rows), top + 8 + step * (k % rows)
            self.disc((x + 3, y), 2, GOLD)
            self.text((x + 10, y), text, size, INK, fit=width - 16)

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
