"""Display of reports: one line in a console, tables in a notebook."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from .messages import cut

if TYPE_CHECKING:
    from rich.console import JustifyMethod, RenderableType
    from rich.table import Table

WIDTH = 140  # characters of a table in a notebook
PAGE = '<pre style="line-height: 1.2; white-space: pre; overflow-x: auto">{code}</pre>'


def text_table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    sure: Collection[int] = (),
    *,
    names: int = 1,
) -> Table:
    """A table for the terminal: the first `names` columns left, numbers right; `sure` rows bold."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    name = Text(title) if title else None  # brackets in a name are no markup
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=name, title_justify="left")
    for k, heading in enumerate(heads):
        justify: JustifyMethod = "left" if k < names else "right"
        table.add_column(heading, justify=justify, no_wrap=k >= names, overflow="fold")
    for k, row in enumerate(rows):
        table.add_row(*map(Text, row), style="bold" if k in sure else "")
    return table


class Readable(ABC):
    """Base class of reports; dataclasses of it need `repr=False`."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """The main result, in one sentence."""

    @abstractmethod
    def __rich__(self) -> RenderableType:
        """The full report for the terminal."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {cut(self.headline)}>"

    def _repr_html_(self) -> str:
        """The tables for a notebook; text from packs is escaped."""
        from rich.console import Console

        console = Console(file=io.StringIO(), width=WIDTH, record=True, force_jupyter=False)
        console.print(self)
        return console.export_html(inline_styles=True, code_format=PAGE)
