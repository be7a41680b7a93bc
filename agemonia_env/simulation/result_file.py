"""Reads files of results, which may be damaged or foreign."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from .result_schema import schema_of

# A panic of polars is no Exception
DAMAGE = (pl.exceptions.PolarsError, pl.exceptions.PanicException)


@contextmanager
def one_line(path: Path | None) -> Iterator[None]:
    """Turn whatever polars says of damaged results into a ValueError of one line."""
    try:
        yield
    except DAMAGE:
        name = "the file of games" if path is None else path
        remedy = "delete it, or play its games again with --force (force=True)"
        raise ValueError(f"{name}: is damaged or not a result of this program; {remedy}") from None


def scanned(paths: Path | list[Path]) -> pl.LazyFrame:
    """The rows of files; a name is never a pattern."""
    return pl.scan_parquet(paths, glob=False, hive_partitioning=False)


def has_form(path: Path, env: str, games: int) -> bool:
    """Whether a file has the columns of results, and a row for each of so many games.

    Only its footer is read: the values may still be damaged.
    """
    try:
        rows = scanned(path).select(pl.len()).collect().item()
        return bool(pl.read_parquet_schema(path) == schema_of(env) and rows == games)
    except DAMAGE:
        return False
