"""The observation as named arrays: a row for each figure, each area, each pair of areas.

They are views: the numbers are those of the flat observation, where `Structure` finds them by the
fields of its dtype. What the table shows and no game changes (the map, the cards of the Enemies)
is not in the flat observation; it comes from the content, as blocks of their own behind it. Such
a longer row, the observation and then the numbers of its scenario, is called wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = Any  # an array of NumPy, or a tensor of torch: both know slices, reshape and swapaxes
Present = Callable[[Numbers], Numbers]  # rows (n, rows, columns) -> bool (n, rows): is there one?

GLOBALS = "globals"


@dataclass(frozen=True)
class Block:
    """Numbers of a row that belong together: an array, as it is seen in the flat one.

    columns: where the fields of a row are; by_column: whether the numbers lie column by column.
    """

    name: str
    start: int  # first number
    shape: tuple[int, ...]  # (columns,) or (rows, columns)
    columns: Mapping[str, slice] = field(default_factory=dict)
    by_column: bool = False
    present: Present | None = None

    @property
    def stop(self) -> int:
        """First number behind it."""
        return self.start + int(np.prod(self.shape))

    @property
    def mask(self) -> str:
        """Name of the array that says which rows there are, if any."""
        return self.name + "_mask"

    def view(self, numbers: Numbers) -> Numbers:
        """Its part of flat rows (n, any number), as (n, *shape); nothing is copied."""
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
    """The blocks of a dtype of float32: one for each field of records, and one for all the rest.

    joined: name -> fields beside each other with a number for each row, which become the columns
    of one block; present: name -> its mask. ValueError if the rest is not in one piece.
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
            found[GLOBALS] = _longer(found.get(GLOBALS), name, place, kind.itemsize // 4)
    return tuple(sorted(found.values(), key=lambda block: block.start))


def _columns(record: np.dtype[Any]) -> Iterator[tuple[str, slice]]:
    """Where each field of a record of float32 is."""
    for name in record.names or ():
        kind, offset = record.fields[name][:2]  # type: ignore[index]
        yield name, slice(offset // 4, (offset + kind.itemsize) // 4)


def _longer(block: Block | None, name: str, start: int, size: int) -> Block:
    """The globals, with one field more."""
    if block is None:
        return Block(GLOBALS, start, (size,), {name: slice(0, size)})
    if block.stop != start:
        raise ValueError(f"{name}: there are records between it and the other globals")
    before = block.shape[0]
    columns = {**block.columns, name: slice(before, before + size)}
    return Block(GLOBALS, block.start, (before + size,), columns)


@dataclass(frozen=True)
class Structure:
    """How the observations of a ruleset are seen as named arrays.

    observation: blocks of the flat row; scenario: those of the numbers that the scenario adds;
    scenario_codes: CONTENT records (k,) -> these as whole numbers, int8 (k, n_scenario), which
    are so many times, scenario_scales, what is seen of them.
    """

    observation: tuple[Block, ...]
    scenario: tuple[Block, ...]
    scenario_codes: Callable[[NDArray[Any]], NDArray[np.int8]]
    scenario_scales: NDArray[np.float32]

    @cached_property
    def n_observation(self) -> int:
        """Numbers of the flat observation."""
        return max(block.stop for block in self.observation)

    @cached_property
    def n_scenario(self) -> int:
        """Numbers that the scenario adds."""
        return max(block.stop for block in self.scenario)

    @property
    def width(self) -> int:
        """Numbers of a wide row."""
        return self.n_observation + self.n_scenario

    @cached_property
    def block(self) -> Mapping[str, Block]:
        """Every block by its name."""
        return {block.name: block for block in (*self.observation, *self.scenario)}

    def scenario_rows(self, contents: NDArray[Any]) -> NDArray[np.float32]:
        """What CONTENT records (k,) add to an observation, float32 (k, n_scenario)."""
        return np.divide(self.scenario_codes(contents), self.scenario_scales, dtype=np.float32)

    def __call__(self, rows: Numbers, scenario: Numbers = None) -> dict[str, Numbers]:
        """Named arrays of observations (n, n_observation), with those of their scenario.

        rows: of NumPy or torch, wide ones (n, width) or followed by `scenario` (n, n_scenario);
        of observations alone there are no arrays of the scenario. All arrays are views
        (n, *shape), but the masks: bool (n, rows), named with "_mask" behind, where there need
        not be all rows of a block. ValueError for another shape.
        """
        if scenario is None and rows.ndim == 2 and rows.shape[1] == self.width:
            rows, scenario = rows[:, : self.n_observation], rows[:, self.n_observation :]
        if rows.ndim != 2 or rows.shape[1] != self.n_observation:
            allowed = f"(n, {self.n_observation}) or (n, {self.width})"
            raise ValueError(f"observations of shape {tuple(rows.shape)}: must be {allowed}")
        arrays = seen(rows, self.observation)
        return arrays if scenario is None else arrays | seen(scenario, self.scenario)


def seen(rows: Numbers, blocks: tuple[Block, ...]) -> dict[str, Numbers]:
    """The arrays of some blocks, and their masks."""
    arrays = {}
    for block in blocks:
        array = arrays[block.name] = block.view(rows)
        if block.present is not None:
            arrays[block.mask] = block.present(array)
    return arrays


def flag(name: str, record: np.dtype[Any]) -> Present:
    """Which rows there are: those whose field `name` is not 0."""
    column = record.fields[name][1] // 4  # type: ignore[index]

    def present(rows: Numbers) -> Numbers:
        return rows[:, :, column] != 0

    return present
