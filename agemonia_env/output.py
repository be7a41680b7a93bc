"""What commands print: tables, and bad input in plain words."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from .simulation import MissingExtra

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 140  # of a table that no terminal shows


@contextmanager
def plain_errors() -> Iterator[None]:
    """Bad input ends in one clear line and exit status 2, not in a traceback."""
    try:
        yield
    except (ValueError, OSError, MissingExtra) as error:
        if isinstance(error, OSError) and error.filename is not None:
            fail(f"{error.filename}: {error.strerror}")
        fail(str(error))


def fail(message: str) -> None:
    """Print one line on stderr and end with status 2."""
    typer.echo(f"agemonia: {message}", err=True)
    raise typer.Exit(2)


def print_table(table: RenderableType) -> None:
    """Print it as wide as the terminal is, if it is one."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)
