"""Pictures as SVG: the same numbers give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.plotting import NAMES

INK, SOFT, LINE = "#1d2733", "#5c6b7a", "#d9e0e7"
UP, DOWN, UNSURE = "#2f6f9f", "#b4541a", "#a9b4bf"
LONGEST = 44  # characters of a line of a name
Span = tuple[float, float, float]  # middle, low, high


class Picture:
    """A figure being drawn, and its SVG."""

    def __init__(self, figure: Any, axes: Any) -> None:
        self.figure, self.axes = figure, axes
        self.svg = ""


@contextmanager
def picture(width: float, height: float, panels: int = 1) -> Iterator[Picture]:
    """Draw a picture of this size in inches; `svg` is set when the block ends."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    style: Any = {
        **NAMES,
        "svg.hashsalt": "agemonia_env",
        "font.size": 9,
        "axes.edgecolor": LINE,
        "axes.labelcolor": SOFT,
        "xtick.color": SOFT,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        drawn = Picture(figure, figure.subplots(1, panels))
        yield drawn
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None}, transparent=True)
    text = buffer.getvalue()
    drawn.svg = text[text.index("<svg") :]


def colour(low: float, high: float) -> str:
    """The colour of a difference: grey if its interval contains zero."""
    return UP if low > 0 else DOWN if high < 0 else UNSURE


def intervals(names: Sequence[str], spans: Sequence[Span], label: str) -> str:
    """A horizontal interval with its middle for each name."""
    with picture(9, 0.9 + 0.3 * len(names)) as drawn:
        axes = drawn.axes
        axes.axvline(0, color=SOFT, lw=0.8)
        for y, (middle, low, high) in enumerate(spans):
            axes.plot([low, high], [y, y], color=colour(low, high), lw=3, solid_capstyle="butt")
            axes.plot(middle, y, "o", color=colour(low, high), ms=6)
        _names(axes, names)
        axes.set_xlabel(label)
    return drawn.svg


def aims(
    names: Sequence[str],
    before: Sequence[float],
    after: Sequence[Span],
    wanted: Sequence[tuple[float, float] | None],
    label: str,
    most: float,
) -> str:
    """Before, after with its interval, and target for each name, on an axis from 0 to `most`.

    An infinite end of a target is that of the axis.
    """
    lines = sum(name.count("\n") for name in names)
    with picture(9, 1.2 + 0.45 * len(names) + 0.1 * lines) as drawn:
        axes = drawn.axes
        for y, (old, (middle, low, high), aim) in enumerate(
            zip(before, after, wanted, strict=True)
        ):
            if aim is not None:
                start, end = max(aim[0], 0.0), min(aim[1], most)
                margin = 0.003 * most
                axes.barh(y, end - start + 2 * margin, left=start - margin, height=0.7,
                          color="#cfe3cf", label="target")  # fmt: skip
            axes.plot([low, high], [y, y], color=UP, lw=3, solid_capstyle="butt")
            axes.plot(old, y, "o", color=UNSURE, ms=7, label="before")
            axes.plot(middle, y, "o", color=UP, ms=7, label="after")
        _names(axes, names)
        axes.set_xlim(0, most)
        axes.set_xlabel(label)
        handles, labels = axes.get_legend_handles_labels()
        shown = dict(zip(labels, handles, strict=True))
        axes.legend(shown.values(), shown.keys(), frameon=False, fontsize=8, ncols=3,
                    loc="lower right", bbox_to_anchor=(1, 1))  # fmt: skip
    return drawn.svg


def race(names: Sequence[str], spans: Sequence[Span], left: int, target: float | None) -> str:
    """The win rate of each variant in percent; the first `left` in colour; a line at a target."""
    with picture(9, 0.9 + 0.3 * len(names)) as drawn:
        axes = drawn.axes
        if target is not None:
            axes.axvline(target, color=DOWN, lw=1)
        for y, (middle, low, high) in enumerate(spans):
            shade = UP if y < left else UNSURE
            axes.plot([low, high], [y, y], color=shade, lw=3, solid_capstyle="butt")
            axes.plot(middle, y, "o", color=shade, ms=6)
        _names(axes, names)
        axes.set_xlabel("games won, %, 95 % interval")
    return drawn.svg


def trade_off(
    points: NDArray[np.float64],
    front: NDArray[np.float64],
    labels: tuple[str, str],
    *,
    line: bool,
    legend: bool,
) -> str:
    """Two misses of all points (n, 2) and of the front, whose first one is ringed.

    Small, so that three lie side by side, and one below the other on a phone. line: join the front.
    """
    with picture(3.2, 3.4) as drawn:
        axes, shown = drawn.axes, front[np.lexsort((front[:, 1], front[:, 0]))]
        axes.plot(*points.T, "o", color=UNSURE, ms=4, label="tried")
        axes.plot(*shown.T, "o-" if line else "o", color=UP, ms=6, lw=1, label="front")
        axes.plot(*front[0], "o", ms=12, mfc="none", mec=DOWN, mew=1.6, label="compromise")
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.set_xlim(left=-0.03 * axes.get_xlim()[1])
        axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])
        axes.grid(True, color=LINE, lw=0.6)
        axes.set_axisbelow(True)
        if legend:
            axes.legend(frameon=False, fontsize=8)
    return drawn.svg


def tornado(names: Sequence[str], pairs: Sequence[tuple[Span, ...]], label: str) -> str:
    """Bars on both sides of zero for each name, with intervals."""
    with picture(9, 0.9 + 0.34 * len(names)) as drawn:
        axes = drawn.axes
        axes.axvline(0, color=SOFT, lw=0.8)
        for y, spans in enumerate(pairs):
            for k, (middle, low, high) in enumerate(spans):
                at = y + (k - (len(spans) - 1) / 2) * 0.36
                axes.barh(at, middle, height=0.32, color=colour(low, high))
                axes.plot([low, high], [at, at], color=INK, lw=0.9)
        _names(axes, names)
        drawn.figure.supxlabel(label, color=SOFT, fontsize=9)  # long names leave little axis
    return drawn.svg


def on_two_lines(name: str) -> str:
    """A long name on two lines, cut at their end; one that has lines of its own stays."""
    if "\n" in name or len(name) <= LONGEST:
        return name
    return "\n".join(wrap(name, LONGEST, max_lines=2, placeholder=" …"))


def _names(axes: Any, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [on_two_lines(name) for name in names])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.xaxis.grid(True, color=LINE, lw=0.6)
    axes.set_axisbelow(True)


def heat_map(names: Sequence[str], values: NDArray[np.float64], texts: Sequence[Sequence[str]],
             label: str, *, around_zero: bool) -> str:  # fmt: skip
    """A square matrix as colours, NaN left out; around_zero: zero is white."""
    size = 2.2 + 0.72 * len(names)
    most = float(np.nanmax(np.abs(values))) or 1.0
    ends = (-most, most) if around_zero else (float(np.nanmin(values)), float(np.nanmax(values)))
    with picture(size + 0.8, size * 0.8) as drawn:
        axes = drawn.axes
        shown = axes.imshow(values, cmap="RdBu" if around_zero else "YlGnBu", vmin=ends[0],
                            vmax=ends[1], aspect="auto")  # fmt: skip
        axes.set_xticks(range(len(names)), names, rotation=35, ha="right", color=INK)
        axes.set_yticks(range(len(names)), names)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        middle, reach = sum(ends) / 2, (ends[1] - ends[0]) / 2 or 1.0
        for (y, x), value in np.ndenumerate(values):
            if not np.isnan(value):
                deep = (abs if around_zero else float)(value - middle) > 0.6 * reach
                axes.text(x, y, texts[y][x], ha="center", va="center", fontsize=8,
                          color="white" if deep else INK)  # fmt: skip
        drawn.figure.colorbar(shown, ax=axes, label=label, shrink=0.8)
    return drawn.svg


def steps(curves: dict[str, tuple[Sequence[float], Sequence[float]]], x: str, y: str) -> str:
    """A step curve for each name."""
    with picture(9, 3.4) as drawn:
        axes = drawn.axes
        for k, (name, (at, share)) in enumerate(curves.items()):
            axes.step(at, share, where="post", lw=1.8, color=f"C{k}", label=name)
        axes.set_ylim(0, 101)
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.yaxis.grid(True, color=LINE, lw=0.6)
        if len(curves) > 1:
            axes.legend(frameon=False, fontsize=8)
    return drawn.svg


def stacked(at: Sequence[int], counts: Mapping[str, Sequence[float]], x: str, y: str) -> str:
    """Stacked bars, a colour for each name."""
    colours = (UP, DOWN, "#d9a441", "#7a5c99", "#5d8a5a", UNSURE)
    with picture(9, 3.4) as drawn:
        axes, below = drawn.axes, np.zeros(len(at))
        for k, (name, heights) in enumerate(counts.items()):
            axes.bar(at, heights, bottom=below, width=0.85, color=colours[k % len(colours)],
                     label=name)  # fmt: skip
            below += np.asarray(heights)
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.yaxis.grid(True, color=LINE, lw=0.6)
        axes.set_axisbelow(True)
        axes.legend(frameon=False, fontsize=8)
    return drawn.svg


def scatter(
    names: Sequence[str], x: Sequence[float], y: Sequence[float], labels: tuple[str, str]
) -> str:
    """A labelled point for each name."""
    with picture(7.5, 4.6) as drawn:
        axes = drawn.axes
        axes.plot(x, y, "o", color=UP, ms=6)
        middle = (min(x) + max(x)) / 2
        for name, at_x, at_y in zip(names, x, y, strict=True):
            far = at_x > middle
            axes.annotate(name, (at_x, at_y), xytext=(-6 if far else 6, 4), fontsize=7,
                          textcoords="offset points", ha="right" if far else "left")  # fmt: skip
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.grid(True, color=LINE, lw=0.6)
        axes.set_axisbelow(True)
    return drawn.svg
