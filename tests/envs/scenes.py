"""Geometry of a picture's shapes: where texts lie, what lies under them, what overlaps."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from agemonia_env.display.canvas import Canvas, Oval, Polygon, Rectangle, Text, width_of

TALL = 0.36  # half the height of a text, in sizes
SHARES = (0.02, 0.25, 0.5, 0.75, 0.98)  # of a text's width, where its ground is looked at
SLACK = 0.6  # pixels that touch without anybody seeing it


def box_of(shape):
    """The box around a shape: left, top, right, bottom."""
    if isinstance(shape, Text):
        width, (x, y) = width_of(shape.text, shape.size), shape.at
        left = x - {"l": 0.0, "m": width / 2, "r": width}[shape.anchor[0]]
        return left, y - TALL * shape.size, left + width, y + TALL * shape.size
    if isinstance(shape, Polygon):
        xs, ys = zip(*shape.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)
    return shape.box


def texts_of(canvas):
    return [shape for shape in canvas.shapes if isinstance(shape, Text)]


def overlap(a, b, slack=SLACK):
    """Whether two boxes overlap by more than `slack` in both directions."""
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return across > slack and down > slack


def collisions(canvas):
    """Pairs of texts that overlap."""
    boxes = [(shape.text, box_of(shape)) for shape in texts_of(canvas)]
    return [(one, two) for (one, a), (two, b) in combinations(boxes, 2) if overlap(a, b)]


def outside(canvas):
    """Texts that the edge of the picture cuts."""
    found = [(shape.text, box_of(shape)) for shape in texts_of(canvas)]
    width, height = canvas.width, canvas.height
    return [t for t, (x0, y0, x1, y1) in found if x0 < 0 or y0 < 0 or x1 > width or y1 > height]


def covers(shape, point):
    """Whether a point that lies in the box of a filled shape lies in the shape."""
    x, y = point
    if isinstance(shape, Oval):
        left, top, right, bottom = shape.box
        dx, dy = (2 * x - left - right) / (right - left), (2 * y - top - bottom) / (bottom - top)
        return dx * dx + dy * dy <= 1
    if isinstance(shape, Polygon):
        sides = zip(shape.points, (*shape.points[1:], shape.points[0]), strict=True)
        crossed = [
            (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0)
            for (x0, y0), (x1, y1) in sides
        ]
        return sum(crossed) % 2 == 1
    return True


def grounds(canvas):
    """Every text with the colours that lie under it."""
    filled = [
        (k, shape)
        for k, shape in enumerate(canvas.shapes)
        if isinstance(shape, Rectangle | Oval | Polygon) and shape.fill
    ]
    order = np.array([k for k, _ in filled])
    boxes = np.array([box_of(shape) for _, shape in filled])
    found = []
    for k, text in enumerate(canvas.shapes):
        if not isinstance(text, Text):
            continue
        left, _, right, _ = box_of(text)
        colours = set()
        for share in SHARES:
            x, y = left + (right - left) * share, text.at[1]
            inside = (boxes[:, 0] <= x) & (boxes[:, 1] <= y) & (boxes[:, 2] >= x)
            below = np.flatnonzero(inside & (boxes[:, 3] >= y) & (order < k))[::-1]
            shapes = (filled[j][1] for j in below)
            colours.add(next((s.fill for s in shapes if covers(s, (x, y))), canvas.paper))
        found.append((text, colours))
    return found


def of_colour(canvas: Canvas, *fills):
    """The shapes with one of these fills."""
    return [shape for shape in canvas.shapes if getattr(shape, "fill", None) in fills]
