"""Play the games, count how often everything occurred, and list what never did."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as RichTable

from agemonia_env.files.writing import check_out_file, write_json

from ..content.load import load_pack
from ..content.pack import Pack
from ..core.policies import Policy
from .counting import find_game, play_table
from .functions import Game, Sample, rule_functions
from .names import Entry, all_entries
from .tables import GameSetup, draw_tables

Played = tuple[GameSetup, Counter[Entry]]
FUNCTION = "rule function"
MIN_SAMPLE, GAMES_PER_SAMPLE = 20, 2000
MAX_SAMPLES = 5  # of other games each, while a rule function has not been seen

ENEMIES_CANNOT = "R12.0a: Enemies cannot have it"
ONLY_CASES = "only cases try actions that are denied"
# What may stay at zero, and why: (family, beginning of the name) -> reason.
EXCUSED: dict[Entry, str] = {
    ("condition", "invisible, gained by Enemies"): ENEMIES_CANNOT,
    ("condition", "blessed, gained by Enemies"): ENEMIES_CANNOT,
    ("condition", "cursed, gained by Enemies"): ENEMIES_CANNOT,
    (FUNCTION, "commands.py"): "single rules, for cases; no part of a game",
    (FUNCTION, "invariants.py"): "used by tests only",
    (FUNCTION, "rules/enemy_turn.py attack_denial"): ONLY_CASES,
    (FUNCTION, "rules/items.py item_lying_denial"): ONLY_CASES,
    (FUNCTION, "rules/pushing.py reach_denial"): ONLY_CASES,
    (FUNCTION, "rules/stamina.py mixed_denial"): ONLY_CASES,
    (FUNCTION, "rules/turn.py start_denial"): ONLY_CASES,
}


def excuse(entry: Entry) -> str:
    """Why an entry may stay at zero; empty if it should not."""
    family, name = entry
    return next(
        (text for (f, n), text in EXCUSED.items() if f == family and name.startswith(n)), ""
    )


@dataclass(frozen=True)
class Report:
    """How often each entry occurred; possible entries that did not occur have 0."""

    pack: str
    games: int
    sample: int  # of them played for the rule functions
    seconds: float
    counts: dict[Entry, int]

    def families(self) -> dict[str, dict[str, int]]:
        """Family -> name -> count, in the order of the entries."""
        found: dict[str, dict[str, int]] = {}
        for (family, name), n in self.counts.items():
            found.setdefault(family, {})[name] = n
        return found

    def zero(self) -> list[Entry]:
        """Entries that stayed at zero and should not have."""
        return [entry for entry, n in self.counts.items() if not n and not excuse(entry)]

    def excused(self) -> dict[Entry, str]:
        """Entries that may stay at zero and did, with the reason."""
        return {entry: excuse(entry) for entry, n in self.counts.items() if not n and excuse(entry)}

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
    pack_name: str, games: int, seed: int, sample: int | None, progress: Progress | None = None
) -> Report:
    """Play `games` games, and `sample` once more as plain Python. Progress is shown if wanted.

    sample: how many; None: `sample_size(games)`, and as many other games again, up to
        `MAX_SAMPLES` times, while there is a rule function that was never called.
    """
    size, samples = (sample_size(games), MAX_SAMPLES) if sample is None else (sample, 1)
    pack = load_pack(pack_name)
    counts: dict[Entry, int] = dict.fromkeys(all_entries(pack), 0)
    counts |= {(FUNCTION, str(function)): 0 for function in rule_functions()}
    start = time.perf_counter()
    played = []
    for table, found in _played(pack, games, seed, _advance(progress, "games", games)):
        played.append((table, found))
        for entry, n in found.items():
            counts[entry] = counts.get(entry, 0) + n
    played.sort(key=lambda pair: pair[0].number)
    chosen = choose_games(pack, played, seed, size)
    total = 0
    for k in range(samples):
        on_game = _advance(progress, "games as plain Python, some seconds each", len(chosen))
        processes = Sample(pack_name, games, seed, chosen)
        try:
            for name, n in processes.calls(on_game).items():
                counts[FUNCTION, name] += n
        finally:
            processes.stop()
        total += len(chosen)
        if all(n or excuse(entry) for entry, n in counts.items() if entry[0] == FUNCTION):
            break
        chosen = any_games(played, seed, size, k + 1)
    return Report(pack_name, games, total, time.perf_counter() - start, counts)


def choose_games(pack: Pack, played: list[Played], seed: int, size: int) -> list[Game]:
    """The games of the sample: a greedy one of every scenario, rare entries, then any.

    seed: that of the tables, which are all in `played`, in their order.
    """
    total: Counter[Entry] = Counter()
    for _, found in played:
        total.update(found)
    largest = {t.scenario: t for t, _ in sorted(played, key=lambda pair: pair[0].heroes)}
    games = [Game(t.number - seed, t.seeds[0], Policy.GREEDY) for t in largest.values()][:size]
    seen: set[Entry] = set()
    for entry in sorted(total, key=lambda entry: (total[entry], entry)):
        if len(games) < size and entry not in seen:
            table = max(played, key=lambda pair: pair[1][entry] / len(pair[0].seeds))[0]
            policy, core_seed, found = find_game(pack, table, entry)
            games.append(Game(table.number - seed, core_seed, policy))
            seen |= set(found)
    return games + any_games(played, seed, size - len(games), 0)


def any_games(played: list[Played], seed: int, size: int, nth: int) -> list[Game]:
    """Games spread evenly over the tables: the nth of each, by each policy in turn."""
    tables = [played[(k * len(played) + nth) // size % len(played)][0] for k in range(size)]
    return [
        Game(t.number - seed, t.seeds[nth % len(t.seeds)], (k + nth) % 2)
        for k, t in enumerate(tables)
    ]


def _played(pack: Pack, games: int, seed: int, on_game: Callable[[int], None]) -> Iterator[Played]:
    """One table after another with its counts, played by as many threads as there are cores."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        tables = {threads.submit(play_table, pack, t): t for t in draw_tables(pack, games, seed)}
        try:
            for done in as_completed(tables):
                yield tables[done], done.result()
                on_game(len(tables[done].seeds))
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
    pack: str, games: int, seed: int, sample: int | None, out: Path | None, brief: bool
) -> None:
    """The command `agemonia coverage`."""
    console = Console()
    load_pack(pack)  # report mistakes before showing progress
    if out is not None:
        check_out_file(out, ".json")
    with Progress(console=Console(stderr=True)) as progress:
        report = cover(pack, games, seed, sample, progress)
    show(report, console, brief=brief)
    if out is not None:
        report.write(out)
        console.print(f"Written: {out}", markup=False, soft_wrap=True)
