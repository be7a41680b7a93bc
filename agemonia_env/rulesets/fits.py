"""Fitted observations: the columns that can differ between positions of the games of an env.

Which these are a ruleset says from content (`Fitting`), never from samples. What is left out has
the same value in every position, so a fitted row says as much as a full one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.fitted import PARTS
from agemonia_env.core.jit import zeros

from .arguments import Arguments, Compiled

Ruleset = Any  # ruleset.py imports this module


@dataclass(frozen=True)
class Fitting:
    """What a ruleset says of its observation.

    varying: arguments -> bool (N_OBSERVATION,), which columns can vary within their games, or
    between the scenarios drawn in them. blocks: -> int (N_OBSERVATION,), the bit of the core's
    `changed_blocks` that says whether a column may have changed; the highest + 1 for those written
    at every step.
    """

    varying: Callable[[Arguments], NDArray[np.bool_]]
    blocks: Callable[[], NDArray[np.integer[Any]]]


@dataclass(frozen=True, eq=False)
class Fit:
    """Which columns of the full observation a fitted one has.

    columns: int64 (k,), ascending; constants: int8 (N_OBSERVATION,), what the others always are,
    times their scale.
    """

    ruleset: Ruleset
    columns: NDArray[np.int64]
    constants: NDArray[np.int8]

    @property
    def is_full(self) -> bool:
        """Whether it has all columns; the core then writes full observations."""
        return len(self.columns) == len(self.constants)

    @property
    def names(self) -> list[str]:
        """The columns, such as "ally[0].health"."""
        every = column_names(self.ruleset.OBS)
        return [every[k] for k in self.columns]

    def full(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Full observations (n, N_OBSERVATION) of fitted ones, float32 or int8 (n, k)."""
        every = np.empty((len(rows), len(self.constants)), rows.dtype)
        every[:] = self.values(rows.dtype)
        every[:, self.columns] = rows
        return every

    def values(self, dtype: Any) -> NDArray[Any]:
        """The constants, (N_OBSERVATION,), as observations of this type have them."""
        if dtype == np.int8:
            return self.constants
        factors = np.float32(1) / self.ruleset.SCALES  # as the core has them: no other rounding
        scaled: NDArray[np.float32] = self.constants * factors
        return scaled

    def structure(self, rows: NDArray[Any]) -> dict[str, Any]:
        """The named arrays of fitted rows (n, k): `Ruleset.structure` of the full ones."""
        arrays: dict[str, Any] = self.ruleset.structure(self.full(rows))
        return arrays

    def for_core(self) -> tuple[NDArray[np.uint16], NDArray[np.int16]]:
        """The arguments `columns` and `ranges` of the core: see core/fitted.py."""
        every = self.ruleset.fitting.blocks()
        blocks = every[self.columns]
        ranges = np.zeros((int(every.max()) + 1, PARTS, 2), np.int16)
        firsts = np.flatnonzero(np.diff(blocks, prepend=-1))
        taken = [0] * len(ranges)
        for first, end in zip(firsts, [*firsts[1:], len(blocks)], strict=True):
            block = blocks[first]
            ranges[block, taken[block]] = first, end
            taken[block] += 1
        return self.columns.astype(np.uint16), ranges.reshape(-1, 2)


class Reader:
    """Reads some columns of the full observation from fitted or full rows."""

    def __init__(
        self, ruleset: Ruleset, fit: Fit | None, columns: NDArray[np.integer[Any]], dtype: Any
    ) -> None:
        """fit: of the rows, None = full; dtype: of the rows, float32 or int8."""
        place = np.arange(ruleset.N_OBSERVATION)
        self._left_out = np.zeros(0, np.intp)  # places among `columns`
        self._constants = np.zeros(0, dtype)
        if fit is not None:
            place[:] = -1
            place[fit.columns] = np.arange(len(fit.columns))
            self._left_out = np.flatnonzero(place[columns] < 0)
            self._constants = fit.values(dtype)[columns[self._left_out]]
        self._places = place[columns]

    def __call__(self, rows: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The columns of rows (n, any number), (n, k); out: where to write them."""
        taken = np.take(rows, self._places, axis=1, out=out, mode="clip")
        if len(self._left_out):
            taken[:, self._left_out] = self._constants
        return taken


def fit_of(ruleset: Ruleset, played: Sequence[Arguments]) -> Fit | None:
    """The fit of what an env plays; None if its observations are full, as the first says."""
    if played[0].observation == "full":
        return None
    varies = np.zeros(ruleset.N_OBSERVATION, np.bool_)
    constants = None
    for arguments in played:
        varies |= ruleset.fitting.varying(arguments)
        seen = first_observation(ruleset, arguments.reference())
        constants = seen if constants is None else constants
        varies |= seen != constants
    assert constants is not None
    return Fit(ruleset, np.flatnonzero(varies), constants)


def first_observation(ruleset: Ruleset, compiled: Compiled) -> NDArray[np.int8]:
    """The observation at the first question of a game, int8 (N_OBSERVATION,)."""
    states, which, api = zeros(ruleset.STATE, 1), np.zeros(1, np.int16), ruleset.api
    seeds, select = np.zeros(1, np.uint64), np.ones(1, np.uint8)
    api.reset(states, compiled.content, which, seeds, select, 0, api.NO_ROWS)
    seen = np.zeros((1, ruleset.N_OBSERVATION), np.float32)
    api.write_observations(states, compiled.content, which, seen)
    codes: NDArray[np.int8] = np.rint(seen[0] * ruleset.SCALES).astype(np.int8)
    return codes


def column_names(record: np.dtype[Any], name: str = "") -> list[str]:
    """The name of each number of a dtype, such as "bar[0].colour[2]"."""
    return list(_names(record, name))


def _names(record: np.dtype[Any], name: str) -> Iterator[str]:
    if record.subdtype is not None:
        item, shape = record.subdtype
        for index in np.ndindex(*shape):
            yield from _names(item, name + "".join(f"[{k}]" for k in index))
    elif record.names is not None:
        for field in record.names:
            yield from _names(record[field], f"{name}.{field}" if name else field)
    else:
        yield name
