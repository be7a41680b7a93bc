"""A league as a picture: ratings on one scale, and expected against real win rates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agemonia_env.display.plotting import pyplot
from agemonia_env.files.writing import write_figure

from .matches import Role
from .rating import BETA, chance
from .report import Report

COLOURS = {Role.POLICY: "#e07b39", Role.SCENARIO: "#4c78a8", Role.ENEMIES: "#b0413e"}
LABELS = {
    Role.POLICY: "policies: strength",
    Role.SCENARIO: "scenarios: difficulty",
    Role.ENEMIES: "enemies: what they add",
}


def draw(report: Report, path: Path) -> None:
    """Write the picture as a PNG file."""
    plt = pyplot()
    rows = len(report.ratings)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(10.5, max(4.2, 0.26 * rows + 1.4)), layout="constrained", width_ratios=[3, 2]
    )
    scale(report, left)
    fit(report, right)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    write_figure(path, figure, dpi=130)
    plt.close(figure)


def scale(report: Report, axes: Any) -> None:
    """Every player with its interval, highest on top, enemy policies below."""
    ratings = [*report.ranked(Role.POLICY, Role.SCENARIO), *report.ranked(Role.ENEMIES)]
    for role in Role:
        places = [y for y, rating in enumerate(ratings) if rating.player.role is role]
        if not places:
            continue
        mus = [ratings[y].mu for y in places]
        halves = [ratings[y].interval[1] - ratings[y].mu for y in places]
        style = {"color": COLOURS[role], "label": LABELS[role], "capsize": 3, "markersize": 5}
        axes.errorbar(mus, places, xerr=halves, fmt="o", **style)
    axes.set_yticks(range(len(ratings)), [rating.player.name for rating in ratings], fontsize=8)
    axes.invert_yaxis()
    axes.grid(axis="x", color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    share = round(100 * chance(BETA))
    axes.set_xlabel(f"rating, with 95 % interval; a lead of {BETA:.1f} wins {share} % of games")
    axes.legend(fontsize=8, frameon=False)


def fit(report: Report, axes: Any) -> None:
    """Real win rates of all matches against expected ones."""
    axes.plot([0, 100], [0, 100], color="#999999", lw=0.8)
    for row in report.rows():
        role = Role.SCENARIO if row["enemies"] is None else Role.ENEMIES
        won, low, high = (100 * row[key] for key in ("won", "low", "high"))
        errors = [[max(0.0, won - low)], [max(0.0, high - won)]]
        axes.errorbar(
            100 * row["expected"], won, yerr=errors, fmt=".", color=COLOURS[role], elinewidth=0.7
        )
    axes.set_xlabel("expected win rate of the heroes (%)")
    axes.set_ylabel("real win rate (%)")
