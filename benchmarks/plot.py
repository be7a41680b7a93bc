"""Plots steps per second against games side by side, for each number of threads."""

from __future__ import annotations

from pathlib import Path

from agemonia_env.display.plotting import pyplot
from agemonia_env.files.writing import write_figure

from .cases import vector_name
from .table import Figures


def draw(figures: Figures, machine: str, path: Path) -> None:
    """Draw the sweep as a PNG file; bands reach from the minimum to the maximum."""
    measured = [
        f for name, f in figures.items() if f.values and name == vector_name(f.n, f.threads)
    ]
    if not measured:
        raise SystemExit(f"{path}: nothing to plot without the cases 'vector: N = ...'")
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for threads in sorted({f.threads for f in measured}):
        points = sorted((f for f in measured if f.threads == threads), key=lambda f: f.n)
        sizes = [f.n for f in points]
        label = f"{threads} thread" + "s" * (threads > 1)
        axes.plot(sizes, [f.median for f in points], marker="o", label=label)
        least, most = [min(f.values) for f in points], [max(f.values) for f in points]
        axes.fill_between(sizes, least, most, alpha=0.15)
    sizes = sorted({f.n for f in measured})
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [f"{n:,}" for n in sizes])
    axes.xaxis.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlabel("games side by side (lines: medians; bands: minimum to maximum)")
    axes.set_ylabel("steps/s with observation and mask")
    axes.set_title(f"All scenarios, four heroes; {machine}", loc="left", fontsize=10)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    write_figure(path, figure, dpi=150)
    plt.close(figure)
