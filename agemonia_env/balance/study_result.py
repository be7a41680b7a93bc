"""The result of a study: rows, a record, and the files they are written to."""

from __future__ import annotations

import io
from abc import abstractmethod
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from agemonia_env.display.messages import counted
from agemonia_env.display.reports import Readable
from agemonia_env.files.writing import write_json, write_whole

if TYPE_CHECKING:
    from rich.console import Group

    from .page import Page

JSON, PARQUET, HTML = "report.json", "report.parquet", "report.html"
# Files besides that of the rows
TABLES = ("disagreements", "trials", "finalists", "front", "uses", "endings", "lengths", "looks")
REPORTS = (JSON, PARQUET, HTML, *(f"{name}.parquet" for name in TABLES))


def and_more(conditions: int) -> str:
    """A sentence saying how many more conditions there are."""
    return f" And {counted(conditions, 'more condition')}." if conditions else ""


class StudyResult(Readable):
    """The result of a study, independent of machine and time.

    Printing it shows the headline; a notebook shows its tables.
    """

    @property
    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """The main table."""

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """The study and its `results`, JSON-able."""

    @abstractmethod
    def page(self) -> Page:
        """The result for the browser."""

    @abstractmethod
    def __rich__(self) -> Group:
        """The result for the terminal."""

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Further tables, by name among TABLES."""
        return {}

    def _repr_html_(self) -> str:
        """The main results, the first picture and the tables, for a notebook."""
        page = self.page()
        lead = "".join(f"<li>{escape(line)}</li>" for line in page.lead)
        picture = next((one.picture for one in page.sections if one.picture), "")
        shown = f'<div style="overflow-x: auto">{picture}</div>' if picture else ""
        return (f"<p><b>{escape(page.title)}</b></p><ul>{lead}</ul>{shown}"
                f"{super()._repr_html_()}")  # fmt: skip

    def frame(self) -> pl.DataFrame:
        """The rows as a data frame."""
        return pl.DataFrame(self.rows, infer_schema_length=None)

    def html(self, command: str = "") -> str:
        """The page as one HTML file; command: the command line it quotes."""
        from .page import rendered

        return rendered(self.page(), self.record(), command)

    def write(self, folder: Path, command: str = "") -> None:
        """Write REPORTS except empty tables; command: the command line they quote."""
        write_json(folder / JSON, self.record(), indent=1)
        write_whole(folder / PARQUET, parquet(self.frame()))
        for name, rows in self.tables().items():
            if rows:
                frame = pl.DataFrame(rows, infer_schema_length=None)
                write_whole(folder / f"{name}.parquet", parquet(frame))
        write_whole(folder / HTML, self.html(command))


def parquet(frame: pl.DataFrame) -> bytes:
    """A data frame as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()
