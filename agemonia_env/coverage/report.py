"""Play the games, count how often everything occurred, and list what never did."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as RichTable

from agemonia_env.files.writing import check_out_file, write_json
from agemonia_env.rulesets.coverage import CoverageTools, Entry, coverage_tools_of
from agemonia_env.rulesets.ruleset import ruleset_of

from .functions import Sample, rule_functions
from .games import Played, any_games, choose_games, play_setup

FUNCTION = "rule function"
MIN_SAMPLE, GAMES_PER_SAMPLE = 20, 2000
MAX_SAMPLES = 5  # of other games each, while a rule function has not been seen


def excuse(entry: Entry, excused: Mapping[Entry, str]) -> str:
    """Why an entry may stay at zero; empty if it should not.

    excused: reasons by family and beginning of the name.
    """
    family, name = entry
    return next(
        (text for (f, n), text in excused.items() if f == family and name.startswith(n)), ""
    )


@dataclass(frozen=True)
class Report:
    """How often each entry occurred; possible entries that did not occur have 0.

    sample: games played again for the rule functions. reasons: see `excuse`.
    """

    pack: str
    games: int
    sample: int
    seconds: float
    counts: dict[Entry, int]
    reasons: Mapping[Entry, str]

    def families(self) -> dict[str, dict[str, int]]:
        """Family -> name -> count, in the order of the entries."""
        found: dict[str, dict[str, int]] = {}
        for (family, name), n in self.counts.items():
            found.setdefault(family, {})[name] = n
        return found

    def zero(self) -> list[Entry]:
        """Entries that stayed at zero and should not have."""
        return [entry for entry in self._missing() if not excuse(entry, self.reasons)]

    def excused(self) -> dict[Entry, str]:
        """Entries that may stay at zero and did, with the reason."""
        found = {entry: excuse(entry, self.reasons) for entry in self._missing()}
        return {entry: reason for entry, reason in found.items() if reason}

    def _missing(self) -> list[Entry]:
        """Entries that stayed at zero."""
        return [entry for entry, n in self.counts.items() if not n]

    def write(self, path: Path) -> None:
        """The report as JSON."""
        zero: dict[str, list[str]] = {}
        for family, name in self.zero():
            zero.setdefault(family, []).append(name)
        excused = [
            {"family": family, "name": name, "reason": reason}
            for (family, name), reason in self.excused().items()
        ]
        text = {
            "pack": self.pack,
            "games": self.games,
            "sample": self.sample,
            "seconds": round(self.seconds, 1),
            "counts": self.families(),
            "zero": zero,
            "excused": excused,
        }
        write_json(path, text, indent=1)


# ---- playing ------------------------------------------------------------------------------------
def sample_size(games: int) -> int:
    """How many games are played as plain Python for the rule functions."""
    return max(MIN_SAMPLE, games // GAMES_PER_SAMPLE)


def cover(
    env: str,
    pack_name: str,
    games: int,
    seed: int,
    sample: int | None,
    progress: Progress | None = None,
) -> Report:
    """Play `games` games, and `sample` once more as plain Python. Progress is shown if wanted.

    sample: how many; None: `sample_size(games)`, and as many other games again, up to
        `MAX_SAMPLES` times, while there is a rule function that was never called.
    """
    size, samples = (sample_size(games), MAX_SAMPLES) if sample is None else (sample, 1)
    tools, pack = coverage_tools_of(env), ruleset_of(env).load_pack(pack_name)
    counts: dict[Entry, int] = dict.fromkeys(tools.entries(pack), 0)
    counts |= {(FUNCTION, str(function)): 0 for function in rule_functions(env)}
    start = time.perf_counter()
    played = []
    for setup, found in _played(tools, pack, games, seed, _advance(progress, "games", games)):
        played.append((setup, found))
        for entry, n in found.items():
            counts[entry] = counts.get(entry, 0) + n
    played.sort(key=lambda pair: pair[0].number)
    chosen = choose_games(tools, pack, played, seed, size)
    total = 0
    for k in range(samples):
        on_game = _advance(progress, "games as plain Python, some seconds each", len(chosen))
        processes = Sample(env, pack_name, games, seed, chosen)
        try:
            for name, n in processes.calls(on_game).items():
                counts[FUNCTION, name] += n
        finally:
            processes.stop()
        total += len(chosen)
        if not _uncalled(counts, tools.excused):
            break
        chosen = any_games(played, seed, size, k + 1)
    return Report(pack_name, games, total, time.perf_counter() - start, counts, tools.excused)


def _uncalled(counts: Mapping[Entry, int], excused: Mapping[Entry, str]) -> bool:
    """Whether a rule function that should have been called was not."""
    own = [entry for entry, n in counts.items() if entry[0] == FUNCTION and not n]
    return not all(excuse(entry, excused) for entry in own)


def _played(
    tools: CoverageTools, pack: Any, games: int, seed: int, on_game: Callable[[int], None]
) -> Iterator[Played]:
    """One setup after another with its counts, played by as many threads as there are cores."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        setups = tools.setups(pack, games, seed)
        jobs = {threads.submit(play_setup, tools, pack, setup): setup for setup in setups}
        try:
            for done in as_completed(jobs):
                yield jobs[done], done.result()
                on_game(len(jobs[done].seeds))
        finally:
            threads.shutdown(cancel_futures=True)


def _advance(progress: Progress | None, name: str, total: int) -> Callable[[int], None]:
    """A function that advances a progress bar."""
    if progress is None:
        return lambda n: None
    task = progress.add_task(name, total=total)
    return lambda n: progress.advance(task, n)


# ---- showing ------------------------------------------------------------------------------------
def show(report: Report, console: Console, *, brief: bool = False) -> None:
    """Print every entry with its count, the coverage of each family, and what is missing."""
    families = report.families()
    if not brief:
        table = RichTable("family", "name", title="How often", title_justify="left")
        table.add_column("count", justify="right")
        for family, counts in families.items():
            for name, n in counts.items():
                table.add_row(family, name, f"{n:,}")
        console.print(table)
    table = RichTable("family", title="Coverage", title_justify="left")
    for heading in ("names", "occurred", "rarest"):
        table.add_column(heading, justify="right")
    for family, counts in families.items():
        occurred = [n for n in counts.values() if n]
        rarest = f"{min(occurred):,}" if occurred else "-"
        table.add_row(family, str(len(counts)), str(len(occurred)), rarest)
    console.print(table)
    console.print(
        f"{report.games:,} games, {report.sample:,} of them for the rule functions, "
        f"{report.seconds:.0f} s"
    )
    for (family, name), reason in report.excused().items():
        console.print(
            f"may stay at zero: {family}: {name} ({reason})", markup=False, soft_wrap=True
        )
    zero = report.zero()
    for family, name in zero:
        console.print(f"stayed at zero: {family}: {name}", markup=False, soft_wrap=True)
    if not zero:
        console.print("nothing stayed at zero")


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
        report.write(out)
        console.print(f"Written: {out}", markup=False, soft_wrap=True)
