"""What commands print: tables, status lines, and errors in plain words."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from agemonia_env.files.stopping import STATUS, as_command
from agemonia_env.simulation import MissingExtra

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

WIDTH = 140  # of tables outside a terminal
LONGEST = 200  # characters of a name in a message


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn bad input into one line and status 2, Ctrl-C and SIGTERM into status 130.

    A closed pipe is left to click: status 1 without a word.
    """
    try:
        with as_command():
            yield
    except BrokenPipeError:  # nobody reads on, as in `agemonia info | head -1`; click ends quietly
        raise
    except (ValueError, OSError, MissingExtra) as error:
        fail(line_of(error))
    except KeyboardInterrupt as stopped:
        typer.echo(f"agemonia: {str(stopped) or 'stopped; nothing is kept'}", err=True)
        raise typer.Exit(STATUS) from None


def line_of(error: Exception) -> str:
    """An error as one line; an unusable file is named first."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{str(error.filename)[:LONGEST]}: {error.strerror}"
    return str(error)


def fail(message: str) -> None:
    """Print one line on stderr and exit with status 2."""
    typer.echo(f"agemonia: {message}", err=True)
    raise typer.Exit(2)


def print_status(line: str) -> None:
    """Print a progress line on stderr."""
    typer.echo(line, err=True)


def print_table(table: RenderableType) -> None:
    """Print a table, as wide as the terminal if there is one."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def progress_on(console: Console, what: str) -> Progress:
    """A progress bar that says what is being done; nothing outside a terminal."""
    from rich import progress as bars

    columns = bars.TextColumn(what), bars.BarColumn(), bars.MofNCompleteColumn()
    silent = not console.is_terminal
    return bars.Progress(
        *columns, bars.TimeRemainingColumn(), console=console, transient=True, disable=silent
    )
