"""Play the games, count how often everything occurred, and list what never did."""

from __future__ import annotations

import itertools
import os
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as RichTable

from agemonia_env.files.writing import check_out_file, write_json
from agemonia_env.rulesets.coverage import RULE_FUNCTION, Entry, coverage_tools_of
from agemonia_env.rulesets.ruleset import ruleset_of

from .functions import count_calls, rule_functions
from .games import SetupGame, Table, draw_setups, spread

MIN_SAMPLE, GAMES_PER_SAMPLE = 20, 2000
MAX_SAMPLES = 5  # of other games each, while a rule function has not been seen

Names = dict[str, list[str]]  # by family


@dataclass(frozen=True)
class Report:
    """How often each entry occurred, by family and name; `zero` and `excused` never did.

    sample: games played again for the rule functions. excused: may stay at zero, with the reason.
    """

    pack: str
    games: int
    sample: int
    seconds: float
    counts: dict[str, dict[str, int]]
    zero: Names
    excused: list[dict[str, str]]


def report_of(
    pack: str, games: int, sample: int, seconds: float, counts: Mapping[Entry, int], env: str
) -> Report:
    """A report of counts; possible entries that did not occur have 0."""
    families: dict[str, dict[str, int]] = {}
    zero: Names = {}
    excused = []
    for (family, name), n in sorted(counts.items()):
        families.setdefault(family, {})[name] = n
        if not n and (reason := excuse(env, (family, name))):
            excused.append({"family": family, "name": name, "reason": reason})
        elif not n:
            zero.setdefault(family, []).append(name)
    return Report(pack, games, sample, round(seconds, 1), families, zero, excused)


def excuse(env: str, entry: Entry) -> str:
    """Why an entry may stay at zero; empty if it should not."""
    reasons = coverage_tools_of(env).excused.items()
    own = (
        why for (family, start), why in reasons if entry[0] == family and entry[1].startswith(start)
    )
    return next(own, "")


# ---- playing ------------------------------------------------------------------------------------
def cover(
    env: str, pack: str, games: int, seed: int, sample: int | None, progress: Progress | None = None
) -> Report:
    """Play `games` games, and `sample` once more as plain Python. Progress is shown if wanted.

    sample: how many; None: one of GAMES_PER_SAMPLE, at least MIN_SAMPLE, and as many other games
        again, up to MAX_SAMPLES times, while there is a rule function that was never called.
    """
    progress = progress or Progress(disable=True)
    start, setups = time.perf_counter(), draw_setups(env, pack, seed)
    counts: Counter[Entry] = Counter()
    first: dict[Entry, SetupGame] = {}  # the first game in which each was met
    task = progress.add_task("games", total=games)
    for own in spread(len(setups), games, seed):
        table = Table(env, setups[own[0].setup])
        counts.update(dict.fromkeys(table.possible(), 0))
        for game in own:
            found = table.play(game)
            counts.update(found)
            first = dict.fromkeys(found, game) | first
            progress.advance(task)
    functions = [(RULE_FUNCTION, text) for text in rule_functions(env).values()]
    counts.update(dict.fromkeys(functions, 0))
    rarest = sorted(first, key=lambda entry: (counts[entry], entry))
    chosen, sampled = iter(dict.fromkeys(first[entry] for entry in rarest)), 0
    size = max(MIN_SAMPLE, games // GAMES_PER_SAMPLE) if sample is None else sample
    task = progress.add_task("games as plain Python, some seconds each", total=size)
    for _ in range(MAX_SAMPLES if sample is None else 1):
        some = list(itertools.islice(chosen, size))
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            for calls in threads.map(lambda game: count_calls(env, setups[game.setup], game), some):
                counts.update({(RULE_FUNCTION, name): n for name, n in calls.items()})
                sampled += 1
                progress.update(task, completed=sampled, total=max(size, sampled))
        if all(counts[entry] or excuse(env, entry) for entry in functions):
            break
    return report_of(pack, games, sampled, time.perf_counter() - start, counts, env)


# ---- showing ------------------------------------------------------------------------------------
def show(report: Report, console: Console, *, brief: bool = False) -> None:
    """Print every entry with its count, the coverage of each family, and what is missing."""
    if not brief:
        table = RichTable("family", "name", title="How often", title_justify="left")
        table.add_column("count", justify="right")
        for family, counts in report.counts.items():
            for name, n in counts.items():
                table.add_row(family, name, f"{n:,}")
        console.print(table)
    table = RichTable("family", title="Coverage", title_justify="left")
    for heading in ("names", "occurred", "rarest"):
        table.add_column(heading, justify="right")
    for family, counts in report.counts.items():
        occurred = [n for n in counts.values() if n]
        rarest = f"{min(occurred):,}" if occurred else "-"
        table.add_row(family, str(len(counts)), str(len(occurred)), rarest)
    console.print(table)
    lines = [
        f"{report.games:,} games, {report.sample:,} of them for the rule functions, "
        f"{report.seconds:.0f} s"
    ]
    lines += ["may stay at zero: {family}: {name} ({reason})".format(**e) for e in report.excused]
    zero = [f"stayed at zero: {family}: {n}" for family, own in report.zero.items() for n in own]
    for line in [*lines, *(zero or ["nothing stayed at zero"])]:
        console.print(line, markup=False, soft_wrap=True)


def run(
    env: str,
    pack: str | None,
    games: int,
    seed: int,
    sample: int | None,
    out: Path | None,
    brief: bool,
) -> None:
    """The command `agemonia coverage`; pack: None = the environment's default."""
    console, rules = Console(), ruleset_of(env)
    coverage_tools_of(env)  # report that there are none, and mistakes, before showing progress
    name = str(rules.check_arguments().pack if pack is None else pack)
    rules.load_pack(name)
    if out is not None:
        check_out_file(out, ".json")
    with Progress(console=Console(stderr=True)) as progress:
        report = cover(env, name, games, seed, sample, progress)
    show(report, console, brief=brief)
    if out is not None:
        write_json(out, asdict(report), indent=1)
        console.print(f"Written: {out}", markup=False, soft_wrap=True)
