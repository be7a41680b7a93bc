"""How a report shows itself: a line in a console, its tables in a notebook."""

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
    """A report; a dataclass of it needs `repr=False`."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """What matters most, in a sentence."""

    @abstractmethod
    def __rich__(self) -> RenderableType:
        """All of it for the terminal."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {cut(self.headline)}>"

    def _repr_html_(self) -> str:
        """The tables, for a notebook; what comes from packs is escaped."""
        from rich.console import Console

        console = Console(file=io.StringIO(), width=WIDTH, record=True, force_jupyter=False)
        console.print(self)
        return console.export_html(inline_styles=True, code_format=PAGE)
