"""What every study comes to: rows, a record, and the files they are written to."""

from __future__ import annotations

import io
from abc import abstractmethod
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from agemonia_env.display.messages import counted
from agemonia_env.display.reports import Readable
from agemonia_env.files.writing import write_json, write_whole

if TYPE_CHECKING:
    from rich.console import Group, JustifyMethod

    from .page import Page

JSON, PARQUET, HTML = "report.json", "report.parquet", "report.html"
# Besides the rows
TABLES = ("disagreements", "trials", "finalists", "uses", "endings", "lengths")
REPORTS = (JSON, PARQUET, HTML, *(f"{name}.parquet" for name in TABLES))


def text_table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    sure: Collection[int] = (),
) -> Table:
    """A table for the terminal: names on the left, numbers on the right, rows in `sure` bold."""
    name = Text(title) if title else None  # brackets in a name are no markup
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=name, title_justify="left")
    for k, heading in enumerate(heads):
        justify: JustifyMethod = "right" if k else "left"
        table.add_column(heading, justify=justify, no_wrap=bool(k), overflow="fold")
    for k, row in enumerate(rows):
        table.add_row(*map(Text, row), style="bold" if k in sure else "")
    return table


def and_more(settings: int) -> str:
    """How many settings a sentence leaves out."""
    return f" And {counted(settings, 'more setting')}." if settings else ""


class Findings(Readable):
    """What came out of a study; nothing of it depends on the machine or the time.

    Printed it is its most important sentence; a notebook shows its tables.
    """

    @property
    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """What was found, a row for each number that was asked for."""

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """All of it, JSON-able: what was studied, and `results`."""

    @abstractmethod
    def page(self) -> Page:
        """All of it for the browser."""

    @abstractmethod
    def __rich__(self) -> Group:
        """All of it for the terminal."""

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """What else of the record is a table, by its name among TABLES."""
        return {}

    def frame(self) -> pl.DataFrame:
        """The rows as a table."""
        return pl.DataFrame(self.rows, infer_schema_length=None)

    def html(self, command: str = "") -> str:
        """The page, in one file that needs no other; command: that made it."""
        from .page import rendered

        return rendered(self.page(), self.record(), command)

    def write(self, folder: Path, command: str = "") -> None:
        """Write REPORTS, but for tables that are empty; command: that made them."""
        write_json(folder / JSON, self.record(), indent=1)
        write_whole(folder / PARQUET, parquet(self.frame()))
        for name, rows in self.tables().items():
            if rows:
                frame = pl.DataFrame(rows, infer_schema_length=None)
                write_whole(folder / f"{name}.parquet", parquet(frame))
        write_whole(folder / HTML, self.html(command))


def parquet(frame: pl.DataFrame) -> bytes:
    """A table as a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()
