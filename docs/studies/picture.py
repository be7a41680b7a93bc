"""Draw docs/studies/HERO.png: what heroes are worth before and after the repair of one of them.

python docs/studies/picture.py HERO BEFORE AFTER    BEFORE, AFTER: folders that
                                                    `agemonia balance analyse --out` wrote
"""

import json
import sys
from pathlib import Path
from statistics import mean

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

BEFORE, AFTER, OTHERS = "#b8b8b8", "#2166ac", "#555555"


def worths(folder):
    """Worth in points of the win rate: hero -> scenario -> points."""
    rows = json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))["results"]
    found = {}
    for row in rows:
        if row["kind"] == "hero":
            found.setdefault(row["hero"], {})[row["scenario"]] = 100 * row["worth"]
    return found


def draw(place, names, before, after, title):
    """Draw a line per name, top to bottom, from before to after."""
    for y, (one, other) in enumerate(zip(before, after, strict=True)):
        place.plot((one, other), (y, y), color=BEFORE, zorder=1)
        place.annotate(f"{other:+.0f}", (other, y), (0, 6), textcoords="offset points", ha="center")
        place.scatter((one,), (y,), color=BEFORE, label="before" if y == 0 else None)
        place.scatter((other,), (y,), color=AFTER, zorder=2, label="after" if y == 0 else None)
    place.axvline(0, color=OTHERS, linewidth=0.8)
    place.set_yticks(range(len(names)), names)
    place.margins(y=0.08)
    place.invert_yaxis()
    place.set_title(title)
    place.set_xlabel("points of the win rate")
    place.spines[["top", "right"]].set_visible(False)


def main(hero, before_folder, after_folder):
    """Draw both panels."""
    before, after = worths(before_folder), worths(after_folder)
    _, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    heroes = sorted(before, key=lambda name: mean(before[name].values()))
    means = [[mean(found[name].values()) for name in heroes] for found in (before, after)]
    names = [name.title() for name in heroes]
    draw(left, names, *means, "Worth of a hero, mean of all scenarios")
    scenarios = sorted(before[hero], key=before[hero].get)
    own = [[found[hero][scenario] for scenario in scenarios] for found in (before, after)]
    draw(right, scenarios, *own, f"Worth of {hero.title()}, scenario by scenario")
    left.legend(frameon=False, loc="upper right")
    plt.savefig(Path(__file__).with_name(f"{hero}.png"), dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
