"""The command `challenge`: plays an entry, and verifies rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agemonia_env.challenge.entries import COMMAND, OBJECT, POLICY, Entry
from agemonia_env.challenge.play import Challenge
from agemonia_env.challenge.row import Result, Row, read_row
from agemonia_env.challenge.settings import SALT, Report, Setting
from agemonia_env.challenge.verify import check_row
from agemonia_env.display.messages import counted
from agemonia_env.display.reports import text_table
from agemonia_env.policies import given_policy
from agemonia_env.warmup import compile_if_cold

from .output import print_status, print_table, progress_on


def entry_of(command: str | None, python: str | None, policy: str | None) -> Entry:
    """The entry that an option gives. Raises ValueError unless it is exactly one."""
    given = {COMMAND: command, OBJECT: python, POLICY: policy and given_policy(policy)}
    entries = [Entry(kind, text) for kind, text in given.items() if text is not None]
    if len(entries) != 1:
        options = ", ".join(f"--{kind}" for kind in given)
        raise ValueError(f"give exactly one of {options}, or --verify FILE")
    return entries[0]


def play(challenge: Challenge) -> None:
    """Play a challenge with a progress bar, and print the row."""
    policies = [challenge.entry.text] if challenge.entry.kind == POLICY else []
    compile_for(challenge.settings, *policies)
    with counting("Playing", challenge.total) as report:
        row = challenge.play(report)
    print_table(table(row))
    print_forfeits(row)
    print_status(f"Written: {challenge.out} ({summary(row)})")
    print_status(f"Verify it: agemonia challenge --verify {challenge.out}")


def verify(path: Path) -> None:
    """Check a row, print its results and say that it is right."""
    row = read_row(path)
    compile_for(row.known_settings())
    with counting("Verifying", games_of(row)) as report:
        check_row(path, row, report)
    print_table(table(row))
    print_forfeits(row)
    print_status(f"{path}: verified ({summary(row)}); times are as its author measured them")
    if row.salt != SALT:
        print_status(f"Its games are not those of the leaderboard: its salt is {row.salt!r}.")


def compile_for(settings: Sequence[Setting], *policies: str) -> None:
    """Compile what settings and policies need, unless it was compiled before."""
    for env_id in dict.fromkeys(setting.env_id for setting in settings):
        compile_if_cold(print_status, env_id)


@contextmanager
def counting(what: str, total: int) -> Iterator[Report]:
    """A progress bar on a terminal; the function sets how much is done, in any thread."""
    with progress_on(Console(stderr=True), what) as progress:
        task = progress.add_task("", total=total)
        yield lambda done: progress.update(task, completed=done)


MOST_TOLD = 5  # forfeited games
HEADS = (
    *("setting", "games", "won", "95 % interval"),
    *("ms/decision", "longest", "refused", "forfeits"),
)


def table(row: Row) -> Table:
    """The results of a row, a line for each setting."""
    rows = [[setting.name, *cells(setting.result)] for setting in row.settings]
    return text_table(f"{row.entry.name}: {row.set}", HEADS, rows)


def cells(result: Result) -> list[str]:
    """The numbers of a result."""
    interval = f"{100 * result.low:.1f} to {100 * result.high:.1f}"
    return [
        *(f"{result.games}", f"{100 * result.rate:.1f} %", interval, f"{result.ms:.1f}"),
        *(f"{result.most_ms}", f"{result.refused}", f"{result.forfeits}"),
    ]


def print_forfeits(row: Row) -> None:
    """Say why games were forfeited, of the first MOST_TOLD."""
    lost = [(one.name, game) for one in row.settings for game in one.games if game.forfeit]
    for name, game in lost[:MOST_TOLD]:
        why = f": {game.why}" if game.why else ""
        print_status(f"Forfeited ({game.forfeit}): {name}, game {game.game}{why}")
    if len(lost) > MOST_TOLD:
        print_status(f"... and {counted(len(lost) - MOST_TOLD, 'more game')}")


def summary(row: Row) -> str:
    """`standard, 440 games, hash 0123456789ab`."""
    return f"{row.set}, {counted(games_of(row), 'game')}, hash {row.hash[:12]}"


def games_of(row: Row) -> int:
    """How many games a row has."""
    return sum(len(setting.games) for setting in row.settings)
