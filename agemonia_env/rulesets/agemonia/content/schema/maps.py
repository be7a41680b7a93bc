"""Maps: areas, the borders between them, and what lies in them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from .basics import BorderName, Count, Name, Pair, Signed, Strict, keyed, no_nulls


class Story(Strict):
    """A section read when a figure enters; its name alone is enough (Q56)."""

    section: Name
    """A key of the scenario's `stories`."""
    by: Literal["allies", "any"] = "allies"
    """Who sets it off: Allies only, or Enemies as well (Q56)."""


class TeleportToken(Strict):
    """A teleport token (R7.45)."""

    colour: Name = "blue"
    """Any word; tokens of one colour lead to each other (R7.46)."""
    active: bool = True
    """Whether it lies with its active side up; only then can one start from it (R7.46)."""
    range: Count | None = None
    """How far it leads at most; not given: any distance (R7.47)."""


class AreaSheet(Strict):
    """An area of any map."""

    capacity: Count = 9
    """How many figures fit, the white dots; 0: only flying figures cross it (R7.2, R7.3, Q52)."""
    level: Signed = 0
    """Its height, compared with that of the areas beside it (R7.12, R7.35)."""
    trap: bool = False
    """Whether a trap token lies here at the start (R19.7)."""
    story: Annotated[Story, keyed("section")] | None = None
    """A story section that is only read, when a figure enters (Q56)."""
    teleport: TeleportToken | None = None
    """A teleport token that lies here (R7.45)."""
    items: list[Name] = []
    """Items that lie here at the start, at most 8; keys of `items/` (R17.5)."""


class AreaCard(AreaSheet):
    """An area of a rule case's map."""


class BorderCard(Strict):
    """What lies between two areas; in a file the list [x, y], [x, y, kind] or [.., height]."""

    between: Pair
    """Letters of the two areas, which must touch (R7.1)."""
    kind: BorderName = "single"
    """`single`: walk across; `double`: a drop; `barrier`: a wall, no way, no sight (R7.1)."""
    height: bool = False
    """Whether a single line has a height symbol, which blocks sight from below (R7.11, R7.24)."""

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if not 2 <= len(value) <= 4 or (len(value) == 4 and value[3] != "height"):
            raise ValueError("a border is [x, y], [x, y, kind] or [x, y, kind, height]")
        card: dict[str, Any] = {"between": value[:2], "height": len(value) == 4}
        return card | ({"kind": value[2]} if len(value) > 2 else {})


class MapCard(Strict):
    """A map as rule cases give it."""

    areas: Annotated[dict[str, AreaCard], BeforeValidator(no_nulls)] = {"a": AreaCard()}
    borders: list[BorderCard] = []
    ropes: list[Pair] = []
    sight: list[Annotated[list[str], Field(min_length=2)]] | None = None


class DrawnArea(AreaSheet):
    """An area of a drawn map, by its letter."""

    name: Name
    """What people read; no two areas of a map have the same name."""


MAX_ROWS, MAX_COLUMNS = 50, 80  # of a drawn map
MAX_CELLS = 400  # sight is looked for between any two


class DrawnMap(Strict):
    """A map drawn as text.

    Each letter is a square cell of the area with that letter; `.` lies outside the map. The cells
    of an area hang together. Areas whose cells share a side touch, and unless `borders` says more,
    one walks across. Sight is worked out from the drawing along straight lines (R7.24).
    """

    rows: Annotated[
        list[str], BeforeValidator(lambda v: v.split("\n") if isinstance(v, str) else v)
    ]
    """The drawing, line by line; text with line breaks, or a list of texts; up to 400 cells."""
    areas: dict[Annotated[str, Field(min_length=1, max_length=1)], DrawnArea]
    """Each letter of the drawing and its area; 1 to 24 areas."""
    borders: list[BorderCard] = []
    """Borders that are no plain line, each as `[A, B, double]` (R7.1)."""
    ropes: list[Pair] = []
    """Pairs of letters with a fixed rope between them, for borders of kind `double` (R7.17)."""

    @model_validator(mode="after")
    def _has_cells(self) -> DrawnMap:
        rows = [row.rstrip() for row in self.rows if row.strip()]
        columns = max(map(len, rows), default=0)
        if not rows:
            raise ValueError("rows: nothing is drawn")
        if len(rows) > MAX_ROWS or columns > MAX_COLUMNS:
            raise ValueError(
                f"rows: {len(rows):,} rows and {columns:,} columns; at most {MAX_ROWS} and "
                f"{MAX_COLUMNS}"
            )
        cells = sum(len(row) - row.count(".") for row in rows)
        if cells > MAX_CELLS:
            raise ValueError(f"rows: {cells:,} cells; at most {MAX_CELLS}")
        return self
