"""The observation as named arrays: a row for each figure, each area, each pair of areas.

They are views of the flat observation, located by the fields of its dtype. What is open on the
table and constant in a game (the map, the cards of the Enemies) is not in the flat observation; it
comes from the content, as further blocks. A wide row is the flat observation followed by these
scenario values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = Any  # an array of NumPy, or a tensor of torch: both know slices, reshape and swapaxes
Present = Callable[[Numbers], Numbers]  # (n, rows, columns) -> bool (n, rows): is the row used?

GLOBALS = "globals"


@dataclass(frozen=True)
class Block:
    """An array within a flat row.

    columns: the slice of each field in a row; by_column: whether values are stored by column.
    """

    name: str
    start: int  # first value
    shape: tuple[int, ...]  # (columns,) or (rows, columns)
    columns: Mapping[str, slice] = field(default_factory=dict)
    by_column: bool = False
    present: Present | None = None

    @property
    def stop(self) -> int:
        """The first value after it."""
        return self.start + int(np.prod(self.shape))

    @property
    def mask(self) -> str:
        """Name of the array that says which rows are used, if there is one."""
        return self.name + "_mask"

    def view(self, numbers: Numbers) -> Numbers:
        """Its part of flat rows (n, any number), as a view (n, *shape)."""
        part = numbers[:, self.start : self.stop]
        if self.by_column:
            return part.reshape(len(part), *self.shape[::-1]).swapaxes(1, 2)
        return part.reshape(len(part), *self.shape)


def blocks_of(
    dtype: np.dtype[Any],
    *,
    joined: Mapping[str, tuple[str, ...]] | None = None,
    present: Mapping[str, Present] | None = None,
) -> tuple[Block, ...]:
    """The blocks of a dtype of float32: one per field of records, and one for all scalars.

    joined: name -> adjacent fields with one value per row, which become the columns of one block;
    present: name -> its mask. Raises ValueError if the scalars are not contiguous.
    """
    joined, present = joined or {}, present or {}
    of_field = {one: name for name, fields in joined.items() for one in fields}
    found: dict[str, Block] = {}
    for name in dtype.names or ():
        kind, offset = dtype.fields[name][:2]  # type: ignore[index]
        place = offset // 4
        if kind.base.names is not None:
            columns = dict(_columns(kind.base))
            shape = (*kind.shape, kind.base.itemsize // 4)
            found[name] = Block(name, place, shape, columns, present=present.get(name))
        elif len(kind.shape) == 2:
            found[name] = Block(name, place, kind.shape)
        elif name in of_field:
            table = of_field[name]
            names = joined[table]
            if name == names[0]:
                columns = {one: slice(k, k + 1) for k, one in enumerate(names)}
                shape = (*kind.shape, len(names))
                found[table] = Block(table, place, shape, columns, True, present.get(table))
        else:
            found[GLOBALS] = _with_field(found.get(GLOBALS), name, place, kind.itemsize // 4)
    return tuple(sorted(found.values(), key=lambda block: block.start))


def _columns(record: np.dtype[Any]) -> Iterator[tuple[str, slice]]:
    """The slice of each field in a record of float32."""
    for name in record.names or ():
        kind, offset = record.fields[name][:2]  # type: ignore[index]
        yield name, slice(offset // 4, (offset + kind.itemsize) // 4)


def _with_field(block: Block | None, name: str, start: int, size: int) -> Block:
    """The globals block, with another field appended."""
    if block is None:
        return Block(GLOBALS, start, (size,), {name: slice(0, size)})
    if block.stop != start:
        raise ValueError(f"{name}: there are records between it and the other globals")
    before = block.shape[0]
    columns = {**block.columns, name: slice(before, before + size)}
    return Block(GLOBALS, block.start, (before + size,), columns)


@dataclass(frozen=True)
class Structure:
    """Maps the observations of a ruleset to named arrays.

    observation: blocks of the flat row; scenario: blocks of the scenario values; scenario_int8:
    CONTENT records (k,) -> scenario values as int8 (k, n_scenario), still to be divided by
    scenario_scales; figures: blocks of the observation that have a row for each of some figures.
    """

    observation: tuple[Block, ...]
    scenario: tuple[Block, ...]
    scenario_int8: Callable[[NDArray[Any]], NDArray[np.int8]]
    scenario_scales: NDArray[np.float32]
    figures: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def n_observation(self) -> int:
        """Length of the flat observation."""
        return max(block.stop for block in self.observation)

    @cached_property
    def n_scenario(self) -> int:
        """Number of scenario values."""
        return max((block.stop for block in self.scenario), default=0)

    @property
    def width(self) -> int:
        """Length of a wide row."""
        return self.n_observation + self.n_scenario

    @cached_property
    def block(self) -> Mapping[str, Block]:
        """Every block by its name."""
        return {block.name: block for block in (*self.observation, *self.scenario)}

    def scenario_rows(self, contents: NDArray[Any]) -> NDArray[np.float32]:
        """The scenario values of CONTENT records (k,), float32 (k, n_scenario)."""
        return np.divide(self.scenario_int8(contents), self.scenario_scales, dtype=np.float32)

    def __call__(self, rows: Numbers, scenario: Numbers = None) -> dict[str, Numbers]:
        """The named arrays of observations (n, n_observation) and of their scenarios.

        rows: NumPy or torch, wide rows (n, width), or flat ones with `scenario` (n, n_scenario);
        without `scenario` its arrays are left out. All arrays are views (n, *shape), except the
        masks: bool (n, rows), named "<block>_mask", for blocks with unused rows. Raises
        ValueError for another shape.
        """
        if scenario is None and rows.ndim == 2 and rows.shape[1] == self.width:
            rows, scenario = rows[:, : self.n_observation], rows[:, self.n_observation :]
        if rows.ndim != 2 or rows.shape[1] != self.n_observation:
            allowed = f"(n, {self.n_observation}) or (n, {self.width})"
            raise ValueError(f"observations of shape {tuple(rows.shape)}: must be {allowed}")
        arrays = arrays_of(rows, self.observation)
        return arrays if scenario is None else arrays | arrays_of(scenario, self.scenario)


def arrays_of(rows: Numbers, blocks: tuple[Block, ...]) -> dict[str, Numbers]:
    """The arrays of some blocks, and their masks."""
    arrays = {}
    for block in blocks:
        array = arrays[block.name] = block.view(rows)
        if block.present is not None:
            arrays[block.mask] = block.present(array)
    return arrays


@dataclass(frozen=True)
class IsSet:
    """A mask of the rows whose number in a column is not 0; unlike a closure it can be pickled."""

    column: int

    def __call__(self, rows: Numbers) -> Numbers:
        """Which rows are used, bool (n, rows)."""
        return rows[:, :, self.column] != 0


def flag(name: str, record: np.dtype[Any]) -> Present:
    """A mask of the rows whose field `name` is not 0."""
    return IsSet(record.fields[name][1] // 4)  # type: ignore[index]
