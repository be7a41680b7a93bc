"""Write docs/balance.md and docs/balance.png: how often random and greedy play win.

python docs/balance.py [--games N]
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.policies import policy_of  # noqa: E402
from agemonia_env.rulesets.agemonia.arguments import AgemoniaArguments  # noqa: E402
from agemonia_env.rulesets.agemonia.content.compile import RULES_VERSION  # noqa: E402
from agemonia_env.rulesets.agemonia.content.difficulty import LEVELS  # noqa: E402
from agemonia_env.rulesets.agemonia.content.knobs import KNOBS  # noqa: E402
from agemonia_env.rulesets.agemonia.content.load import load_pack  # noqa: E402
from agemonia_env.rulesets.agemonia.content.pack import Pack  # noqa: E402
from agemonia_env.rulesets.agemonia.content.schema import DIFFICULTIES, Difficulty, DifficultyName  # noqa: E402
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA  # noqa: E402
from agemonia_env.rulesets.arguments import RANDOM, SEED_RANGES  # noqa: E402
from agemonia_env.warmup import compile_if_cold  # noqa: E402
from agents.evaluate import PolicyRow, evaluate  # noqa: E402
from agents.model_file import versions  # noqa: E402
from agents.play import scenarios_of  # noqa: E402

PAGE = ROOT / "docs" / "balance.md"
PICTURE = ROOT / "docs" / "balance.png"
PACK = "core"
PARTIES = (1, 2, 3, 4)
DRAWN_LEVELS = (1, 5)  # of the heroes in scenarios drawn from a seed
GAMES = 80  # per policy and number of the page
THREADS = 2
POLICIES = ("greedy", "random")
BELOW, ABOVE = 0.35, 0.1  # expected range of greedy play around the target of a sensible party
PACKAGES = ("agemonia_env", "python", "numpy", "numba")


DRAWN: dict[str, dict[str, Any]] = {
    "train": {"scenario_seed": "train"},
    "varied": {"scenario_seed": "train", "generator": KNOBS.check("varied")},
    "test": {"scenario_seed": "test"},
}


@dataclass(frozen=True)
class Place:
    """What two numbers of the page are about. drawn: a key of DRAWN, or ""."""

    scenario: str
    heroes: int
    difficulty: str
    level: int | None = None
    drawn: str = ""

    def arguments(self) -> AgemoniaArguments:
        """Arguments for the content compiler; those that only environments use are arbitrary."""
        return AgemoniaArguments(
            scenario=self.scenario,
            heroes=self.heroes,
            pack=PACK,
            level=self.level,
            difficulty=self.difficulty,
            enemy_will="card",
            ties="auto",
            illegal="raise",
            reward="sparse",
            gamma=1.0,
            max_decisions=1,
            **DRAWN.get(self.drawn, {}),
        )


Result = dict[str, PolicyRow]  # by policy


def places(pack: Pack) -> list[Place]:
    """Everything on the page, in order."""
    written = itertools.product(pack.scenarios, DIFFICULTIES, PARTIES)
    drawn = itertools.product(DRAWN, DRAWN_LEVELS, DIFFICULTIES, PARTIES)
    return [
        *(Place(name, heroes, word) for name, word, heroes in written),
        *(Place(RANDOM, heroes, word, level, kind) for kind, level, word, heroes in drawn),
    ]


def play(place: Place, games: int) -> Result:
    """Play both policies on the same games; each procedural scenario about once."""
    arguments, policies = place.arguments(), {name: policy_of(AGEMONIA, name) for name in POLICIES}
    seeds = arguments.scenario_seeds()
    scenarios = scenarios_of(arguments, None if seeds is None else seeds[:games])
    rows = evaluate(AGEMONIA, scenarios, games, policies)
    return {row.policy: row for row in rows}


def play_all(pack: Pack, games: int) -> dict[Place, Result]:
    """Play everything, two at a time: the compiled loop releases the GIL."""
    todo = places(pack)
    with ThreadPoolExecutor(THREADS) as threads:
        done = threads.map(lambda place: play(place, games), todo)
        return dict(zip(todo, done, strict=True))


# ---- the page -----------------------------------------------------------------------------------
def shown(row: PolicyRow) -> str:
    """Win rate and interval in percent."""
    return f"{100 * row.won:.0f} ({100 * row.low:.0f}-{100 * row.high:.0f})"


def table(results: dict[Place, Result], levels: dict[DifficultyName, Difficulty]) -> str:
    """The table of one scenario: greedy play, a row per difficulty, a column per party."""
    lines = [
        "| difficulty | aim | 1 hero | 2 heroes | 3 heroes | 4 heroes |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for word in DIFFICULTIES:
        rates = [shown(row["greedy"]) for place, row in results.items() if place.difficulty == word]
        aim = f"{100 * levels[word].target:.0f}"
        lines.append(f"| {word} | {aim} | {' | '.join(rates)} |")
    most = max(row["random"].won for row in results.values())
    return "\n".join([*lines, "", f"Random play wins at most {100 * most:.0f} %."])


def content_hash(pack: Pack) -> str:
    """A hash of all compiled scenarios: the same hash means the same games."""
    prints = [place.arguments().compile().fingerprint for place in places(pack)]
    return hashlib.sha256(" ".join(prints).encode()).hexdigest()[:16]


def page(pack: Pack, results: dict[Place, Result], games: int) -> str:
    """The whole page."""
    found = versions()
    made_by = ", ".join(f"{name} {found[name]}" for name in PACKAGES if name in found)
    parts = [
        "# Balance\n\nHow often scripted play wins Agemonia's [scenarios](scenarios.md), in "
        f"percent, with the 95 % Wilson interval. {games} games for each number, both policies on "
        "the same seeds. The tables are of greedy play, which takes the action with the best "
        "immediate score, without planning; random play takes any legal one. The aim is how often "
        "a party that plays sensibly should win, so greedy play should be somewhat below it: from "
        f"{100 * BELOW:.0f} points below to {100 * ABOVE:.0f} above, the shaded band of the "
        "picture. The last six tables are of [drawn scenarios](drawn-scenarios.md): `varied` has "
        "every kind of objective and any heroes.\n\n"
        "![Win rate of greedy play by scenario, difficulty and party](balance.png)\n\n"
        f"Generated by `python docs/balance.py --games {games}` with {made_by}, rules "
        f'"{RULES_VERSION}"; hash of all compiled scenarios `{content_hash(pack)}`.'
    ]
    for name, card in pack.scenarios.items():
        own = {place: row for place, row in results.items() if place.scenario == name}
        levels = {word: card.difficulty[word] for word in DIFFICULTIES}
        parts.append(f"## {name}\n\n{card.name}, level {card.level}.\n\n{table(own, levels)}")
    for kind, level in itertools.product(DRAWN, DRAWN_LEVELS):
        own = {p: row for p, row in results.items() if (p.drawn, p.level) == (kind, level)}
        first = SEED_RANGES[DRAWN[kind]["scenario_seed"]][0]
        text = f"Drawn from the seeds from {first:,} on, heroes of level {level}."
        drawn = {word: LEVELS[word] for word in DIFFICULTIES}
        parts.append(f"## {RANDOM}, {kind}, level {level}\n\n{text}\n\n{table(own, drawn)}")
    return "\n\n".join(parts) + "\n"


# ---- the picture --------------------------------------------------------------------------------
def draw(pack: Pack, results: dict[Place, Result], games: int, path: Path) -> None:
    """One small plot per scenario of the pack, with a line per party."""
    import matplotlib as mpl

    mpl.use("Agg")  # no display
    from matplotlib import pyplot as plt

    rows = -(-len(pack.scenarios) // 4)
    figure, grid = plt.subplots(
        rows, 4, figsize=(11, 2.5 * rows + 0.6), sharex=True, sharey=True, layout="constrained"
    )
    colours = ("#9ecae1", "#4292c6", "#08519c", "#08234a")  # darker: more heroes
    steps = range(len(DIFFICULTIES))
    for axes, (name, card) in zip(grid.flat, pack.scenarios.items(), strict=False):
        aims = [100 * card.difficulty[word].target for word in DIFFICULTIES]
        low = [max(0, aim - 100 * BELOW) for aim in aims]
        high = [min(100, aim + 100 * ABOVE) for aim in aims]
        axes.fill_between(steps, low, high, color="#e9e4d8", linewidth=0, label="aim")
        for heroes, colour in zip(PARTIES, colours, strict=True):
            won = [100 * results[Place(name, heroes, word)]["greedy"].won for word in DIFFICULTIES]
            label = f"{heroes} hero{'es' if heroes > 1 else ''}"
            axes.plot(steps, won, color=colour, marker="o", markersize=4, label=label)
        axes.set_title(name, loc="left", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylim(-3, 103)
        axes.set_xticks(steps, DIFFICULTIES, fontsize=8)
        axes.set_yticks((0, 25, 50, 75, 100))
    for axes in grid.flat[len(pack.scenarios) :]:
        axes.set_visible(False)
    figure.supylabel(f"won by greedy play (%), {games} games each", fontsize=10)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=5, frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main() -> None:
    """Play, and write page and picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="games per number (%(default)s)")
    games = parser.parse_args().games
    if games < 1:
        parser.error("--games must be at least 1")
    compile_if_cold(print)
    pack = load_pack(PACK)
    results = play_all(pack, games)
    unfinished = PICTURE.with_name(PICTURE.stem + ".partial.png")
    draw(pack, results, games, unfinished)
    text = page(pack, results, games)
    os.replace(unfinished, PICTURE)
    PAGE.write_text(text, encoding="utf-8")
    print(f"Written: {PAGE.relative_to(ROOT)}, {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
