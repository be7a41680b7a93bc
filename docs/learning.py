"""Draw docs/learning.png: how learning on action features goes, from the curves of runs.

python docs/learning.py --single runs/ford runs/bell --generalist runs/first runs/second

--single: runs in one scenario each; --generalist: runs that continue one another.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.display.plotting import pyplot  # noqa: E402
from agemonia_env.files.writing import write_figure  # noqa: E402

PICTURE = ROOT / "docs" / "learning.png"
POINTS = 60  # of a curve, each from several neighbouring rollouts
GREEDY, SEARCH = 59.5, 95.8  # percent won in procedural scenarios, docs/results.md


def curve(runs: list[Path]) -> tuple[list[float], list[float]]:
    """Decisions in millions and percent won, of runs one after the other."""
    points: list[dict[str, Any]] = []
    before = 0
    for run in runs:
        rollouts = json.loads((run / "curve.json").read_text(encoding="utf-8"))
        points += [one | {"steps": one["steps"] + before} for one in rollouts]
        before = points[-1]["steps"]
    size = -(-len(points) // POINTS)
    steps, won = [], []
    for first in range(0, len(points), size):
        part = points[first : first + size]
        games = sum(one["games"] for one in part)
        if games:
            steps.append(part[-1]["steps"] / 1e6)
            won.append(100 * sum(one["won"] * one["games"] for one in part) / games)
    return steps, won


def draw(single: list[Path], generalist: list[Path]) -> None:
    """Draw both panels and write the picture."""
    plt = pyplot()
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for run in single:
        record = json.loads((run / "evaluation.json").read_text(encoding="utf-8"))
        left.plot(*curve([run]), label=record["scenario"])
    left.set(title="One scenario, default configuration", ylabel="training games won, %")
    left.legend(frameon=False, loc="lower right")
    right.plot(*curve(generalist), color="C0")
    edge = right.get_yaxis_transform()
    for height, label in ((GREEDY, "greedy"), (SEARCH, "planner, 1,000 simulations")):
        right.axhline(height, color="grey", linestyle="--", linewidth=1)
        right.text(1, height - 4, label, color="dimgrey", ha="right", transform=edge)
    right.set(title="Procedural scenarios, one to four heroes")
    for panel in (left, right):
        panel.set(xlabel="million decisions", ylim=(0, 103))
        panel.spines[["top", "right"]].set_visible(False)
    write_figure(PICTURE, figure, dpi=110)


def main() -> int:
    """Run the command line; see the module docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("--single", "--generalist"):
        parser.add_argument(name, nargs="+", type=Path, required=True)
    options = parser.parse_args()
    draw(options.single, options.generalist)
    return 0


if __name__ == "__main__":
    sys.exit(main())
