"""Display of reports: one line in a console, tables in a notebook."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from .messages import cut

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 140  # characters of a table in a notebook
PAGE = '<pre style="line-height: 1.2; white-space: pre; overflow-x: auto">{code}</pre>'


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
