"""Write the figures of docs/report.md, and the numbers and tables that measured files give it.

    python docs/report.py            write them
    python docs/report.py --check    only say which are out of date; exit status 1 if any

In the page, `<!--=name-->7<!--/-->` holds a number, and the lines between `<!--table name-->` and
`<!--/table-->` a table. Both are written here, and so are docs/report/*.svg. What the figures show
comes from files: measurements in docs/report/*.json, each of which says under "run" how to repeat
it, docs/results.json, and tables of other pages.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.display.plotting import pyplot  # noqa: E402
from agemonia_env.files.writing import write_whole  # noqa: E402
from benchmarks.cases import FITTED, FITTED_INT8, MADE, vector_name  # noqa: E402
from benchmarks.peer_runs import OURS  # noqa: E402

DOCS = ROOT / "docs"
PAGE = DOCS / "report.md"
FOLDER = DOCS / "report"
BLUE, ORANGE, GREEN, RED, GREY = "#2166ac", "#d9822b", "#1b7f5c", "#b2182b", "#777777"
SAND, SKY, MINT = "#f3efe6", "#dbe8f5", "#e4f1ea"
RULES_TEXT = "a function per numbered rule;\na task stack runs them\nuntil somebody must choose"
RULESETS = {"Agemonia-v0": BLUE, "HexDungeon-v0": ORANGE}
SPEEDS = {"Agemonia-v0": "speed.json", "HexDungeon-v0": "speed-hexdungeon.json"}
SLUGS = {  # peers as the page names them
    "Gymnasium CartPole": "cartpole",
    "Gymnasium CartPoleVectorEnv, N = 1,024": "cartpole-vector",
    "minispire": "minispire",
    "fastcatan, N = 1,024": "fastcatan",
    "Catanatron": "catanatron",
    "PettingZoo connect four": "pettingzoo",
    "OpenSpiel backgammon": "openspiel",
    "Pgx backgammon, N = 256": "pgx",
    "EnvPool Backgammon, N = 1,024": "envpool",
}
OUR_WORDS = {  # our cases as readers know them, and the column that compares with them
    MADE: ("Agemonia, one game", "one game"),
    vector_name(1024): ("Agemonia, N = 1,024", "1,024 games"),
    FITTED: ("Agemonia, fitted, N = 1,024", ""),
    FITTED_INT8: ("Agemonia, fitted int8, N = 1,024", "1,024 fitted int8"),
}
COMPARED = {MADE: "one", vector_name(1024): "many", FITTED_INT8: "fitted"}
QUANTIZED = (1024, 8192)  # sizes measured with int8 observations
STEADY = 0.3  # half the distance from the slowest round to the fastest, as a share of the median
STYLE: dict[str, Any] = {
    "svg.hashsalt": "agemonia_env",  # or ids would be random
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}
NUMBER = re.compile(r"(<!--=([\w.-]+)-->).*?(<!--/-->)")
TABLE = re.compile(r"(<!--table ([\w-]+)-->).*?(<!--/table-->)", re.DOTALL)
Record = dict[str, Any]


# ---- data ---------------------------------------------------------------------------------------
@cache
def measured(name: str) -> Record:
    """A measured file of docs/report/."""
    found: Record = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


@cache
def results() -> dict[str, dict[str, Record]]:
    """Rows of the results page about heroes: policy -> setting -> row."""
    rows = json.loads((DOCS / "results.json").read_text(encoding="utf-8"))["rows"]
    found: dict[str, dict[str, Record]] = {}
    for row in rows:
        if row["table"] == "heroes":
            found.setdefault(row["name"], {})[row["setting"]] = row
    return found


def page_table(page: str, *first: str) -> list[list[str]]:
    """Rows of the table of a page whose heading begins with these cells. LookupError if none."""
    lines = (DOCS / page).read_text(encoding="utf-8").split("\n")
    for at, line in enumerate(lines):
        if line.startswith("|") and tuple(cells(line)[: len(first)]) == first:
            rest = lines[at + 2 :]
            end = next(k for k, row in enumerate([*rest, ""]) if not row.startswith("|"))
            return [cells(row) for row in rest[:end]]
    raise LookupError(f"{page}: has no table that begins with {' | '.join(first)}")


def cells(line: str) -> list[str]:
    """The cells of a line of a table, without emphasis."""
    return [cell.strip().strip("*`") for cell in line.strip("|").split("|")]


def numbers(cell: str) -> list[float]:
    """All numbers of a cell, as "41.4 (39.2 to 43.5)"."""
    return [float(found) for found in re.findall(r"[+-]?\d+(?:\.\d+)?", cell.replace(",", ""))]


def is_steady(case: Record) -> bool:
    """Whether the rounds of a case agree well enough for a number."""
    return bool(case["values"]) and case["half_spread"] <= STEADY


def rate(case: Record) -> str:
    """The median of a case, with two significant digits; - if its rounds disagree."""
    return rounded(median(case["values"])) if is_steady(case) else "-"


def rounded(value: float) -> str:
    """Two significant digits, no exponent."""
    return f"{float(f'{value:.2g}'):,.10g}"


def ratio(ours: Record | None, peer: Record | None) -> str:
    """How many times as many steps ours makes; - if one was not measured."""
    if not (ours and peer and ours["values"] and peer["values"]):
        return "-"
    return rounded(median(ours["values"]) / median(peer["values"]))


def size(case: Record | None, what: str) -> str:
    """A size of a case, with two significant digits if it was measured; - if not."""
    found = (case or {}).get("sizes", {}).get(what)
    return "-" if found is None else rounded(found) if what == "bytes" else f"{found:,}"


def quantile(counts: Mapping[str, int], share: float) -> int:
    """The least number that this share of what was counted does not exceed."""
    before, total = 0, sum(counts.values())
    for number, count in counts.items():
        before += count
        if before >= share * total:
            return int(number)
    raise ValueError("nothing was counted")


def legal_actions(env: str, policy: str) -> dict[str, int]:
    """How often there was each number of legal actions, in all scenarios together."""
    found: dict[int, int] = {}
    for scenario in measured("decisions.json")["rulesets"][env][policy].values():
        for number, count in scenario["legal"].items():
            found[int(number)] = found.get(int(number), 0) + count
    return {str(number): found[number] for number in sorted(found)}


# ---- numbers and tables of the page -------------------------------------------------------------
def values() -> dict[str, str]:
    """The numbers of the page by name."""
    steady = ("steady", f"{100 * STEADY:.0f}")
    return dict([steady, *decision_values(), *speed_values(), *peer_values()])


def decision_values() -> Iterator[tuple[str, str]]:
    """Lengths of games and legal actions."""
    about = measured("decisions.json")
    yield "decisions.games", f"{about['run']['games']:,}"
    yield "decisions.command", f"`{about['run']['command']}`"
    for env, name in (("Agemonia-v0", "agemonia"), ("HexDungeon-v0", "hexdungeon")):
        means = {
            scenario: row["mean"] for scenario, row in about["rulesets"][env]["greedy"].items()
        }
        for word, scenario in (
            ("shortest", min(means, key=lambda key: means[key])),
            ("longest", max(means, key=lambda key: means[key])),
        ):
            yield f"{name}.{word}", f"{means[scenario]:.0f}"
            yield f"{name}.{word}.name", f"`{scenario}`"
        counts = legal_actions(env, "greedy")
        mean = sum(int(n) * count for n, count in counts.items()) / sum(counts.values())
        yield f"{name}.legal.mean", f"{mean:.1f}"
        yield f"{name}.legal.median", str(quantile(counts, 0.5))
        yield f"{name}.legal.most", str(quantile(counts, 0.95))
        yield f"{name}.legal.highest", str(max(map(int, counts)))


def speed_values() -> Iterator[tuple[str, str]]:
    """Conditions and commands of the speed of our environments."""
    for env, file in SPEEDS.items():
        name, about = env.removesuffix("-v0").lower(), measured(file)
        yield f"{name}.speed.command", f"`{about['run']['command']}`"
        yield f"{name}.speed.conditions", conditions(about)


def peer_values() -> Iterator[tuple[str, str]]:
    """Conditions of the comparison."""
    about = measured("peers.json")
    yield "peers.command", f"`{about['run']['command']}`"
    versions = ", ".join(f"{package} {version}" for package, version in about["peers"].items())
    yield "peers.conditions", f"{conditions(about)}; {versions}"
    cases = about["cases"]
    for name, slug in SLUGS.items():
        for ours, word in COMPARED.items():
            yield f"peers.{slug}.{word}", ratio(cases.get(ours), cases.get(name))
        yield f"peers.{slug}.numbers", size(cases.get(name), "numbers")
    for ours, word in COMPARED.items():
        yield f"peers.{word}.numbers", size(cases.get(ours), "numbers")


def conditions(about: Record) -> str:
    """Machine, versions, date and length of a run of the benchmarks."""
    machine, run = about["machine"], about["run"]
    made_by = f"Python {machine['python']}, numba {machine['numba']}, numpy {machine['numpy']}"
    short = "a short run, whose ratios say more than its digits: " if run["seconds"] < 1 else ""
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {made_by}; {short}medians of "
        f"{run['repeats']} rounds of {run['seconds']:g} s, {run['date']}"
    )


def tables() -> dict[str, str]:
    """The tables of the page by name."""
    return {"speed": speed_table(), "peers": peer_table(), "baselines": baseline_table()}


def speed_table() -> str:
    """Rates of both rulesets."""
    rows = {
        "one game, `gymnasium.make`": MADE,
        "vector, 1,024 games": vector_name(1024),
        "the same, int8 observations": vector_name(1024, 1, "int8"),
        "the same, two threads": vector_name(1024, 2, "int8"),
        "random play inside the compiled loop": "rollout: random",
    }
    lines = ["| what | unit | Agemonia | HexDungeon |", "|---|---|---:|---:|"]
    for words, case in rows.items():
        found = [measured(file)["cases"][case] for file in SPEEDS.values()]
        lines.append(f"| {words} | {found[0]['unit']} | {' | '.join(map(rate, found))} |")
    return "\n".join(lines)


def peer_table() -> str:
    """Rates and sizes of the libraries, and how many times as many steps ours make."""
    cases = measured("peers.json")["cases"]
    compared = " | ".join(OUR_WORDS[ours][1] for ours in COMPARED)
    lines = [f"| library and game | steps/s | ± | numbers | bytes | {compared} |"]
    lines.append(f"|---|{'---:|' * (4 + len(COMPARED))}")
    for name, case in cases.items():
        if not case["values"]:
            lines.append(f"| {name} | {case['missing']} {'| ' * (3 + len(COMPARED))}|")
            continue
        spread = f"{100 * case['half_spread']:.0f} %"
        sizes = [size(case, "numbers"), size(case, "bytes")]
        times = [
            "" if name in OURS else f"{ratio(cases.get(ours), case)} x".replace("- x", "-")
            for ours in COMPARED
        ]
        words = f"**{our_words(name)}**" if name in OURS else name
        lines.append(f"| {' | '.join([words, rate(case), spread, *sizes, *times])} |")
    return "\n".join(lines)


def our_words(name: str) -> str:
    """A case of ours as readers know it; other names unchanged."""
    return OUR_WORDS[name][0] if name in OUR_WORDS else name


def baseline_table() -> str:
    """Percent won by each policy: how many settings, and the lowest, median and highest."""
    lines = ["| policy | settings | lowest | median | highest | procedural |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for policy, rows in results().items():
        written = sorted(100 * row["won"] for name, row in rows.items() if name != "procedural")
        drawn = f"{100 * rows['procedural']['won']:.1f}" if "procedural" in rows else "-"
        shown = (written[0], median(written), written[-1])
        numbers = " | ".join(f"{x:.1f}" for x in shown)
        lines.append(f"| {policy} | {len(written)} | {numbers} | {drawn} |")
    return "\n".join(lines)


def written(text: str) -> str:
    """The page with its numbers and tables. Raises KeyError for a name that is not known."""
    known, blocks = values(), tables()
    text = NUMBER.sub(lambda found: found[1] + known[found[2]] + found[3], text)
    return TABLE.sub(lambda found: f"{found[1]}\n\n{blocks[found[2]]}\n\n{found[3]}", text)


# ---- figures ------------------------------------------------------------------------------------
@contextmanager
def drawing(width: float, height: float, *panels: float) -> Iterator[tuple[Any, Any]]:
    """A figure of this size in inches and its axes; panels: their relative widths."""
    plt = pyplot()
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            *(1, max(1, len(panels))),
            figsize=(width, height),
            layout="constrained",
            width_ratios=panels or None,
        )
        yield figure, axes
        plt.close(figure)


def svg(figure: Any) -> str:
    """A figure as SVG; the same figure gives the same text."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None}, facecolor="white")
    return re.sub(r"[ \t]+$", "", buffer.getvalue(), flags=re.MULTILINE)


def draw_decisions() -> str:
    """Decisions of greedy games by scenario, and how often there are how many legal actions."""
    with drawing(9, 3.8, 3, 2) as (figure, (left, right)):
        names: list[str] = []
        for env, colour in RULESETS.items():
            rows = measured("decisions.json")["rulesets"][env]["greedy"]
            for scenario in sorted(rows, key=lambda key: rows[key]["mean"]):
                q = rows[scenario]["decisions"]
                y = len(names)
                left.plot((q[0], q[4]), (y, y), color=colour, lw=1)
                left.plot((q[1], q[3]), (y, y), color=colour, lw=4, solid_capstyle="butt")
                left.plot(q[2], y, "o", color="white", mec=colour, ms=5)
                names.append(scenario)
            for policy, line in (("greedy", "-"), ("random", ":")):
                counts = legal_actions(env, policy)
                total, up_to, shares = sum(counts.values()), 0, []
                for count in counts.values():
                    up_to += count
                    shares.append(100 * up_to / total)
                label = f"{env.removesuffix('-v0')}, {policy} play"
                right.step(
                    [*map(int, counts)], shares, line, where="post", color=colour, label=label
                )
        left.set_yticks(range(len(names)), names)
        left.invert_yaxis()
        left.set(xlabel="decisions in a game", title="Length of greedy games, two heroes")
        right.set_xscale("log", base=2)
        right.set_xticks(ticks := (2, 4, 8, 16), [str(n) for n in ticks])
        right.set(xlabel="legal actions", ylabel="decisions with at most so many, %")
        right.set_title("Choice")
        right.legend(loc="lower right")
        return svg(figure)


def draw_design() -> str:
    """What the parts of the package are, and what flows between them."""
    sizes = measured(SPEEDS["Agemonia-v0"])["sizes"]
    state = f"{sizes['state, bytes']:,} bytes"
    seen = f"{sizes['observation, numbers']:,} numbers"
    boxes = (  # x, y, width, height, colour, heading, text
        (
            0,
            64,
            20,
            28,
            SAND,
            "packs",
            "YAML: heroes, enemies,\nitems, decks, maps;\npatches by path",
        ),
        (
            0,
            26,
            20,
            26,
            SAND,
            "content compiler",
            "one CONTENT record\nper scenario, with\nderived tables",
        ),
        (33, 64, 30, 28, SKY, "rules", RULES_TEXT),
        (
            33,
            26,
            30,
            26,
            SKY,
            "STATE record",
            f"{state} per game:\nfigures, decks, random\nstreams, pending work",
        ),
        (
            33,
            2,
            30,
            17,
            SKY,
            "env slot",
            f"mask {sizes['actions']}, observation {seen},\nreward, end, next game",
        ),
        (75, 2, 25, 17, MINT, "environments", "Gymnasium, vector, SB3,\nPettingZoo"),
        (75, 26, 25, 26, MINT, "policies", "scripted play, planner,\nnetworks, your own"),
        (
            75,
            64,
            25,
            28,
            MINT,
            "many games",
            "simulation, leagues,\nforecasts, reviews,\nbalance studies",
        ),
    )
    arrows = (  # from, to, words and where they are
        ((10, 64), (10, 52.5), "", (0, 0)),
        ((20, 39), (32.5, 39), "read", (21, 41)),
        ((43, 64), (43, 52.5), "change", (44, 57)),
        ((52, 52), (52, 63.5), "ask", (53, 57)),
        ((48, 26), (48, 19.5), "", (0, 0)),
        ((63, 13), (74.5, 13), "see", (64, 14.5)),
        ((74.5, 7), (63.5, 7), "act", (64.5, 2)),
        ((87.5, 19.5), (87.5, 25.5), "", (0, 0)),
        ((74.5, 39), (63.5, 39), "choose", (63.7, 41)),
        ((63, 78), (74.5, 78), "games", (64, 80)),
    )
    with drawing(9, 3.6) as (figure, axes):
        axes.set(xlim=(-1, 101), ylim=(0, 100))
        axes.axis("off")
        axes.add_patch(
            pyplot().Rectangle((26.5, 0), 43, 99.5, fill=False, ec=BLUE, ls="--", lw=0.8)
        )
        axes.text(48, 94, "compiled core", ha="center", color=BLUE)
        for x, y, width, height, colour, heading, text in boxes:
            axes.add_patch(pyplot().Rectangle((x, y), width, height, fc=colour, ec=GREY, lw=0.8))
            axes.text(x + width / 2, y + height - 2, heading, ha="center", va="top", weight="bold")
            middle = x + width / 2, y + (height - 6) / 2
            axes.text(*middle, text, ha="center", va="center", fontsize=8)
        for start, end, words, place in arrows:
            axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": GREY})
            axes.text(*place, words, fontsize=8)
        return svg(figure)


def draw_speed() -> str:
    """Steps per second by number of games and threads."""
    with drawing(9, 2.9, 1, 1) as (figure, panels):
        for axes, (env, file) in zip(panels, SPEEDS.items(), strict=True):
            cases = measured(file)["cases"]
            for threads, colour in ((1, BLUE), (2, ORANGE)):
                found = [cases.get(vector_name(n, threads)) for n in (1, 64, 1024, 8192)]
                points = [case for case in found if case and is_steady(case)]
                sizes = [case["n"] for case in points]
                words = "1 thread" if threads == 1 else f"{threads} threads"
                middle = [median(case["values"]) / 1000 for case in points]
                axes.plot(sizes, middle, "o-", color=colour, ms=4, label=f"{words}, float32")
                low = [min(case["values"]) / 1000 for case in points]
                high = [max(case["values"]) / 1000 for case in points]
                axes.fill_between(sizes, low, high, color=colour, alpha=0.15, lw=0)
                found = [cases.get(vector_name(n, threads, "int8")) for n in QUANTIZED]
                points = [case for case in found if case and is_steady(case)]
                middle = [median(case["values"]) / 1000 for case in points]
                sizes = [case["n"] for case in points]
                axes.plot(sizes, middle, "s--", color=colour, ms=4, label=f"{words}, int8")
            axes.set_xscale("log", base=2)
            axes.set_xticks(ticks := (1, 64, 1024, 8192), [f"{n:,}" for n in ticks])
            axes.xaxis.minorticks_off()
            axes.set_ylim(bottom=0)
            axes.grid(alpha=0.3)
            axes.set(xlabel="games side by side", title=env.removesuffix("-v0"))
        panels[0].set_ylabel("thousand steps/s")
        panels[0].legend(loc="upper left", fontsize=8)
        return svg(figure)


def draw_peers() -> str:
    """Steps per second of the libraries, on one core in one run."""
    cases = {name: case for name, case in measured("peers.json")["cases"].items() if case["values"]}
    names = sorted(cases, key=lambda name: median(cases[name]["values"]))
    with drawing(9, 0.9 + 0.2 * len(names)) as (figure, axes):
        for y, name in enumerate(names):
            values = cases[name]["values"]
            middle = median(values)
            axes.barh(y, middle, color=BLUE if name in OURS else "#b8b8b8", height=0.65)
            axes.plot((min(values), max(values)), (y, y), color="black", lw=1)
            axes.text(max(values) * 1.15, y, rounded(middle), va="center", fontsize=8)
        axes.set_yticks(range(len(names)), [our_words(name) for name in names])
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.set_xlim(right=4 * max(median(case["values"]) for case in cases.values()))
        axes.set_xlabel("steps/s on one core (log scale)")
        return svg(figure)


def draw_baselines() -> str:
    """Percent won by policy and setting, with intervals."""
    marks = {
        "random": (GREY, "x"),
        "greedy": (GREY, "o"),
        "MaskablePPO": (ORANGE, "v"),
        "PPO, an output for each action": (ORANGE, "^"),
        "PPO on action features": (BLUE, "o"),
        "generalist": (GREEN, "D"),
        "planner, 50 simulations": (RED, "s"),
        "planner, 1,000 simulations": (RED, "*"),
    }
    settings = list(results()["greedy"])
    with drawing(9, 4) as (figure, axes):
        for k, (policy, (colour, mark)) in enumerate(marks.items()):
            rows = results()[policy]
            for y, setting in enumerate(settings):
                if setting in rows:
                    row, at = rows[setting], y + 0.08 * (k - len(marks) / 2)
                    span = (100 * row["low"], 100 * row["high"])
                    axes.plot(span, (at, at), color=colour, lw=1)
                    label = policy if setting == "ford" or policy not in axes_labels(axes) else None
                    axes.plot(100 * row["won"], at, mark, color=colour, ms=5, label=label)
        axes.set_yticks(range(len(settings)), settings)
        axes.invert_yaxis()
        axes.grid(axis="y", alpha=0.2)
        axes.set(xlabel="won, % (lines: 95 % intervals)", xlim=(-2, 102))
        figure.legend(loc="outside right upper", fontsize=8)
        return svg(figure)


def axes_labels(axes: Any) -> list[str]:
    """Labels that are already in the legend."""
    found: list[str] = axes.get_legend_handles_labels()[1]
    return found


def draw_generalisation() -> str:
    """Greedy play and one network in scenarios that the network has not seen."""
    pairs = {row[0]: numbers(row[-1]) for row in page_table("learning.md", "scenario", "1 hero")}
    with drawing(9, 3.3) as (figure, axes):
        names = sorted(pairs, key=lambda name: pairs[name][1] - pairs[name][0])
        for y, name in enumerate(names):
            greedy, network = pairs[name]
            axes.plot((greedy, network), (y, y), color="#b8b8b8", zorder=1)
            axes.plot(greedy, y, "o", color=GREY, label=None if y else "greedy play")
            axes.plot(network, y, "D", color=GREEN, label=None if y else "one network")
        axes.set_yticks(range(len(names)), names)
        axes.set(xlabel="won, %, mean of one to four heroes", xlim=(40, 100))
        axes.legend(loc="lower right")
        return svg(figure)


def draw_calibration() -> str:
    """Coverage of the intervals of studies, and errors of forecasts by what they state."""
    coverage = page_table("balance-lab.md", "rule", "small effect")
    forecasts = page_table("forecast.md", "stated", "Agemonia: positions")
    with drawing(9, 3.1, 1, 1) as (figure, (left, right)):
        for y, (_, *effects) in enumerate(coverage):
            for cell, colour, shift, words in zip(
                effects,
                (BLUE, ORANGE),
                (-0.12, 0.12),
                ("small effect", "large effect"),
                strict=True,
            ):
                middle, low, high = numbers(cell)
                left.plot((low, high), (y + shift, y + shift), color=colour)
                left.plot(middle, y + shift, "o", color=colour, label=None if y else words)
        left.axvline(95, color=GREY, ls="--", lw=1)
        left.set_yticks(range(len(coverage)), [row[0].replace(", ", ",\n") for row in coverage])
        left.invert_yaxis()
        left.set(xlabel="intervals that contain the truth, %", xlim=(92, 100.3))
        left.set_title("Studies: promised 95 %")
        left.legend(loc="lower left")
        middles = [sum(numbers(row[0])) / 2 for row in forecasts]
        for column, colour, words in ((4, BLUE, "Agemonia"), (9, ORANGE, "HexDungeon")):
            errors = [numbers(row[column])[0] for row in forecasts]
            right.plot(middles, errors, "o-", color=colour, label=words)
        right.axhline(0, color=GREY, ls="--", lw=1)
        right.set(xlabel="stated win probability, %", ylabel="stated - played again, points")
        right.set_title("Forecasts from 64 games")
        right.set_ylim(-5, 5)
        right.legend()
        return svg(figure)


FIGURES: dict[str, Callable[[], str]] = {
    "decisions": draw_decisions,
    "design": draw_design,
    "speed": draw_speed,
    "peers": draw_peers,
    "baselines": draw_baselines,
    "generalisation": draw_generalisation,
    "calibration": draw_calibration,
}


def files() -> dict[Path, str]:
    """Everything that this script writes."""
    found = {FOLDER / f"{name}.svg": draw() for name, draw in FIGURES.items()}
    return {PAGE: written(PAGE.read_text(encoding="utf-8")), **found}


def main() -> int:
    """Run the command line; see the module docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    old = 0
    for path, text in files().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        old += 1
        if not check:
            write_whole(path, text)
        print(f"{'Out of date' if check else 'Written'}: {path.relative_to(ROOT)}")
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
