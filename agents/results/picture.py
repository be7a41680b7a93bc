"""The pictures of the page: win rates, and learning curves."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.plotting import pyplot
from agemonia_env.files.writing import write_figure

from .known import Fact
from .page import BOTH, CURVES, LATER, RIVALS, WON
from .page_config import HEROES, Model, Work

COLUMNS = 4  # of panels
LETTER = 0.08  # inches of a letter of the legend
NAME_WIDTH = 24  # characters per line of a row's name
POINTS = 60  # of a curve, each from several neighbouring rollouts
APART = 6  # percentage points between two labels
WIDE, TALL = 3.6, 3.0  # inches of a panel
AROUND = 0.85  # inches above and below the bars of a panel
BAR, LINE = 0.14, 0.12  # inches of a row without its name, and of each line of its name
GREY = "#9aa5b1"
CURVE = "curve.json"  # in the folder of a model
# Self-play: (side, opponent) -> label, colour
MEETINGS = {
    ("hero", "latest"): ("heroes against the enemies trained with them", "C0"),
    ("hero", "greedy"): ("heroes against greedy enemies", "C2"),
    ("enemy", "greedy"): ("enemies against greedy heroes", "C3"),
}


def draw(work: Work, facts: Fact, folder: Path) -> list[str]:
    """Draw all pictures that have data -> their names."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    if any(row["table"] == HEROES for row in facts["rows"]):
        panels(facts, list(facts["settings"]), rates, folder / WON, rates_height)
        drawn.append(WON)
    models = [model for model in work.models() if str(model) in facts["models"]]
    both = [model for model in models if work.config.models[model.name].enemy_file]
    for name, own, curves in (
        (CURVES, of_side(facts, models, "hero", both), CurvesOf),
        (RIVALS, of_side(facts, models, "enemy", both), CurvesOfEnemies),
        (BOTH, both, CurvesOfBoth),
    ):
        drawn += draw_curves(facts, curves(work, own), folder / name) if own else []
    return drawn


def draw_curves(facts: Fact, curves: CurvesOf, path: Path) -> list[str]:
    """Draw curves -> names of the existing pictures.

    If some models were trained on another machine, the existing picture with their curves stays
    unchanged; curves on this machine go into a second picture.
    """
    here, later = curves.here(), path.with_stem(f"{path.stem}-{LATER}")
    partly = path.is_file() and len(here) < len(curves.models)
    if not partly:
        later.unlink(missing_ok=True)
    if here:
        settings = list(dict.fromkeys(model.setting for model in here))
        panels(facts, settings, curves, later if partly else path)
    return [one.name for one in (path, later) if one.is_file()]


def of_side(facts: Fact, models: Sequence[Model], side: str, but: Sequence[Model]) -> list[Model]:
    """Models of a side, except those in `but`."""
    return [m for m in models if facts["models"][str(m)]["side"] == side and m not in but]


def panels(
    facts: Fact,
    settings: Sequence[str],
    one: Callable[[Fact, str, Any], None],
    path: Path,
    tall: Callable[[Fact, str], float] | None = None,
) -> None:
    """A panel for each setting, drawn by `one`, in one picture.

    tall: inches that a panel of bars needs; panels beside each other get bars of one thickness.
    """
    plt = pyplot()
    width = min(COLUMNS, len(settings))
    starts = range(0, len(settings), width)
    heights = [
        max(tall(facts, name) if tall else TALL for name in settings[k : k + width]) for k in starts
    ]
    figure, axes = plt.subplots(
        len(heights),
        width,
        figsize=(WIDE * width, sum(heights)),
        layout="constrained",
        squeeze=False,
        gridspec_kw={"height_ratios": heights},
    )
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    for place, setting in zip(axes.flat, settings, strict=False):
        one(facts, setting, place)
        place.set_title(setting, loc="left", fontsize=10)
        place.spines[["top", "right"]].set_visible(False)
    for place in axes.flat[len(settings) :]:
        place.set_axis_off()
    for row in axes if tall else ():
        lowest = max(place.get_ylim()[0] for place in row if place.axison)
        for place in row:
            place.set_ylim(bottom=lowest)
    legend(figure, axes)
    write_figure(path, figure, dpi=110)
    plt.close(figure)


def legend(figure: Any, axes: Any) -> None:
    """One legend for all panels."""
    named: dict[str, Any] = {}
    for place in axes.flat:
        for handle, name in zip(*place.get_legend_handles_labels(), strict=True):
            named.setdefault(name, handle)
    if named:
        names = list(named)
        wide = LETTER * (8 + max(map(len, names)))  # with the line beside it
        columns = min(5, max(1, int(figure.get_figwidth() / wide)))
        figure.legend(
            list(named.values()), names, loc="outside lower center", ncols=columns, frameon=False
        )


# ---- win rates ----------------------------------------------------------------------------------
def rates(facts: Fact, setting: str, place: Any) -> None:
    """The win rates of a setting, with intervals; a dot for each seed."""
    rows = rated(facts, setting)
    for y, row in enumerate(rows):
        won, low, high = (100 * row[key] for key in ("won", "low", "high"))
        trained = any(cell["models"] for cell in row["cells"])
        colour = "#e07b39" if trained else "#4c78a8"
        place.barh(y, won, height=0.6, color=colour)
        if trained:
            dots = [100 * cell["won"] for cell in row["cells"]]
            place.plot(dots, [y] * len(dots), "o", color="#222222", markersize=3)
        else:
            errors = [[max(0.0, won - low)], [max(0.0, high - won)]]
            place.errorbar(won, y, xerr=errors, fmt="none", ecolor="#222222", capsize=3)
        place.text(104, y, f"{won:.0f}", fontsize=7, va="center", color="#444444")
    names = [row_name(row) for row in rows]
    place.set_yticks(range(len(rows)), names, fontsize=7, linespacing=1.0)
    place.set_ylim(len(rows) - 0.5, -0.5)
    place.set_xlim(0, 100)
    place.tick_params("x", labelsize=8)
    place.set_xlabel("games won (%)", fontsize=8)


def rates_height(facts: Fact, setting: str) -> float:
    """Inches that the win rates of a setting need."""
    lines = [row_name(row).count("\n") + 1 for row in rated(facts, setting)]
    return AROUND + len(lines) * (BAR + LINE * max(lines, default=1))


def rated(facts: Fact, setting: str) -> list[Fact]:
    """The rows of a setting in the heroes' table."""
    return [r for r in facts["rows"] if r["table"] == HEROES and r["setting"] == setting]


def row_name(row: Fact) -> str:
    """The name of a row, in short lines."""
    return fill(row["name"], NAME_WIDTH)


# ---- learning curves ----------------------------------------------------------------------------
class CurvesOf:
    """Draws the learning curves of hero models in one setting."""

    def __init__(self, work: Work, models: Sequence[Model]) -> None:
        self.work, self.models = work, models
        names = list(dict.fromkeys(model.name for model in models))
        self.colours = {name: f"C{k % 10}" for k, name in enumerate(names)}

    def path(self, model: Model) -> Path:
        """The file of a model's curve."""
        return self.work.folder(model) / CURVE

    def here(self) -> list[Model]:
        """The models whose curves are on this machine."""
        return [model for model in self.models if self.path(model).is_file()]

    def __call__(self, facts: Fact, setting: str, place: Any) -> None:
        """A line for each seed, and a level line for each policy that does not learn."""
        self.lines(setting, place)
        self.beside(facts, setting, place)
        place.set_ylim(0, 100)
        place.set_xlabel("decisions (millions)", fontsize=8)
        place.set_ylabel("games won (%)", fontsize=8)

    def lines(self, setting: str, place: Any) -> None:
        """A line for each seed."""
        for model in self.here():
            if model.setting == setting:
                steps, won = curve(self.path(model))
                colour = self.colours[model.name]
                place.plot(steps / 1e6, 100 * won, color=colour, lw=1.2, label=model.name)

    def beside(self, facts: Fact, setting: str, place: Any) -> None:
        """Add policies to compare with."""
        untrained(facts, setting, place)


class CurvesOfEnemies(CurvesOf):
    """Curves of enemy models, with nothing to compare with."""

    def beside(self, facts: Fact, setting: str, place: Any) -> None:
        """Nothing."""


class CurvesOfBoth(CurvesOfEnemies):
    """Curves of self-play: a point per generation."""

    def lines(self, setting: str, place: Any) -> None:
        """For each seed, the wins of each side against the other and against greedy play."""
        for model in self.here():
            if model.setting != setting:
                continue
            points = json.loads(self.path(model).read_text(encoding="utf-8"))
            steps = [point["hero_steps"] / 1e6 for point in points]
            for (side, rival), (text, colour) in MEETINGS.items():
                won = [100 * point[side][rival] for point in points]
                place.plot(steps, won, color=colour, lw=1.2, label=text)


def untrained(facts: Fact, setting: str, place: Any) -> None:
    """A level line for each policy that does not learn, with labels that do not overlap."""
    rows = [
        row for row in rated(facts, setting) if not any(cell["models"] for cell in row["cells"])
    ]
    highest = np.inf
    for row in sorted(rows, key=lambda row: -row["won"]):
        won = 100 * row["won"]
        highest = min(won, highest - APART)
        place.axhline(won, color=GREY, lw=0.8, ls=":")
        at = ("axes fraction", "data")
        place.annotate(row["name"], (1.0, highest), xycoords=at, fontsize=6, va="center")


def curve(path: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Steps and share of games won, both (n,), n at most POINTS; empty without a curve."""
    points = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    known = [point for point in points if point.get("games")]
    if not known:
        return np.empty(0), np.empty(0)
    steps = np.array([point["steps"] for point in known], float)
    games = np.array([point["games"] for point in known], float)
    wins = games * np.array([point["won"] for point in known], float)
    parts = np.array_split(np.arange(len(known)), min(POINTS, len(known)))
    share = [wins[part].sum() / games[part].sum() for part in parts]
    return np.array([steps[part].mean() for part in parts]), np.array(share)
