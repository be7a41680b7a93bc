"""Games of many plans, each played once: again only if rules, content, model or seeds are others.

A chunk of games is known by a hash of all that it depends on. In a folder each has a file of its
own under that name, so whatever stopped a study, what was played is there when it is taken up.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import polars as pl

from ..envs.ruleset import DEFAULT
from ..simulation.parts import core_of, write_whole
from ..simulation.plan import Plan
from ..simulation.play import Tell, Workers, play_chunk

COLUMNS = (
    "won",
    "ending",
    "rounds",
    "exhausted",
    "damage_dealt",
    "damage_taken",
    "hero_disk",
)
DIGITS = 24  # of the hash in a file's name
GAMES = "games"  # folder of the chunks
Key = tuple[str, int, int]  # mark of a plan, number of a chunk, its games


class Runs:
    """Plays plans, and remembers their games.

    tell: is told of games and wins as they are played, those found in the folder included.
    """

    def __init__(self, workers: Workers, tell: Tell, folder: Path | None = None) -> None:
        self.workers, self.tell = workers, tell
        self.folder = None if folder is None else folder / GAMES
        self._frames: dict[Key, pl.DataFrame] = {}

    def play(self, plans: Sequence[Plan]) -> list[pl.DataFrame]:
        """A row for each game of each plan, with the columns COLUMNS, in the order of the games."""
        marks = [mark_of(plan) for plan in plans]
        wanted = dict(self._missing(plans, marks))
        play = partial(play_one, tuple(wanted.values()))
        jobs = range(len(wanted))
        keys = list(wanted)
        with closing(self.workers.run(play, jobs, self.tell, DEFAULT)) as played:
            for job, frame in played:
                self._keep(keys[job], frame)
        return [
            pl.concat([self._frames[key] for key in keys_of(plan, mark)])
            for plan, mark in zip(plans, marks, strict=True)
        ]

    def _missing(
        self, plans: Sequence[Plan], marks: Sequence[str]
    ) -> Iterator[tuple[Key, tuple[Plan, int]]]:
        """Chunks that have to be played; those of the folder are read."""
        for plan, mark in zip(plans, marks, strict=True):
            for key in keys_of(plan, mark):
                if key not in self._frames and not self._read(key):
                    yield key, (plan, key[1])

    def _path(self, folder: Path, key: Key) -> Path:
        return folder / f"{key[0]}-{key[1]:05}-{key[2]}.parquet"

    def _read(self, key: Key) -> bool:
        """Whether a chunk lies in the folder; what cannot be read does not."""
        if self.folder is None or not self._path(self.folder, key).is_file():
            return False
        try:
            frame = pl.read_parquet(self._path(self.folder, key))
        except (OSError, pl.exceptions.PolarsError):
            return False
        if tuple(frame.columns) != COLUMNS:
            return False
        self._frames[key] = frame
        self.tell(len(frame), int(frame["won"].sum()))
        return True

    def _keep(self, key: Key, frame: pl.DataFrame) -> None:
        """Remember a chunk; it is on the disk when this returns."""
        self._frames[key] = frame
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        write_whole(self._path(self.folder, key), buffer.getvalue())


def play_one(jobs: Sequence[tuple[Plan, int]], job: int, tell: Tell) -> pl.DataFrame:
    """The games of one chunk of one plan, with the columns COLUMNS."""
    return play_chunk(*jobs[job], tell).select(COLUMNS)


def keys_of(plan: Plan, mark: str) -> Iterator[Key]:
    """What the chunks of a plan are known by."""
    return ((mark, chunk, len(plan.numbers(chunk))) for chunk in range(plan.n_chunks()))


def mark_of(plan: Plan) -> str:
    """A hash of all that the games of a plan depend on, but for how many they are.

    The pack is not part of it: what of a pack is played is in the fingerprint of the ruleset, so
    two variants that differ in nothing that these games meet share their games.
    """
    record = {"core": core_of(plan.env), **plan.record()}
    del record["games"]
    for kind in record["kinds"]:
        del kind["pack"]
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:DIGITS]
