"""Games of many plans, each played once: again only if rules, content, model or seeds are others.

A chunk of games is known by a hash of all that it depends on. In a folder each has a file of its
own under that name, so whatever stopped a study, what was played is there when it is taken up. The
name has a hash of the content, too: what is cut short, altered or renamed is played again.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property, partial
from pathlib import Path
from typing import BinaryIO

import polars as pl

from agemonia_env.files.sealing import seal
from agemonia_env.files.writing import delete_file, write_whole
from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.simulation.jobs import Tell
from agemonia_env.simulation.plan import Plan, key_of
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.workers import Workers

from .study_result import parquet
from .usage import watch_chunk

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
PLAYED, WATCHED = "games", "uses"  # folders of the chunks


def play_rows(plan: Plan, chunk: int, tell: Tell) -> pl.DataFrame:
    """A row for each game of a chunk, with the columns COLUMNS."""
    return play_chunk(plan, chunk, tell).select(COLUMNS)


SORTS: dict[str, Callable[[Plan, int, Tell], pl.DataFrame]] = {
    PLAYED: play_rows,
    WATCHED: watch_chunk,
}
Key = tuple[str, str, int, int]  # PLAYED or WATCHED, mark of a plan, number of a chunk, its games


def ignore(games: int, wins: int) -> None:
    """Nobody wants to hear of it."""


class Runs:
    """Plays plans, and remembers their games.

    tell: is told of games and wins as they are played, those found in the folder included.
    finished: is told of all games and wins of a plan, once they have been played.
    """

    def __init__(
        self, workers: Workers, tell: Tell, folder: Path | None = None, finished: Tell = ignore
    ) -> None:
        self.workers, self.tell, self.folder, self.finished = workers, tell, folder, finished
        self._frames: dict[Key, pl.DataFrame] = {}

    def play(self, plans: Sequence[Plan]) -> list[pl.DataFrame]:
        """A row for each game of each plan, with the columns COLUMNS, in the order of the games."""
        return self._played(PLAYED, plans)

    def watch(self, plans: Sequence[Plan]) -> list[pl.DataFrame]:
        """The same with what was used in each game: see usage.watch_chunk."""
        return self._played(WATCHED, plans)

    def _played(self, sort: str, plans: Sequence[Plan]) -> list[pl.DataFrame]:
        keys = [list(keys_of(sort, plan)) for plan in plans]
        wanted = dict(self._missing(plans, keys))
        missing = Counter(key[:2] for key in wanted)
        jobs, order = range(len(wanted)), list(wanted)
        play = partial(play_one, sort, tuple(wanted.values()))
        with closing(self.workers.run(play, jobs, self.tell, DEFAULT)) as played:
            for job, frame in played:
                key = order[job]
                self._keep(key, frame)
                missing[key[:2]] -= 1
                if not missing[key[:2]]:
                    self._finish(next(own for own in keys if own[0][:2] == key[:2]))
        return [pl.concat([self._frames[key] for key in own]) for own in keys]

    def _finish(self, keys: Sequence[Key]) -> None:
        """Tell of a plan whose chunks are all there."""
        won = pl.concat([self._frames[key]["won"] for key in keys])
        self.finished(len(won), int(won.sum()))

    def _missing(
        self, plans: Sequence[Plan], keys: Sequence[Sequence[Key]]
    ) -> Iterator[tuple[Key, tuple[Plan, int]]]:
        """Chunks that have to be played; those of the folder are read."""
        for plan, own in zip(plans, keys, strict=True):
            for key in own:
                if key not in self._frames and not self._read(key):
                    yield key, (plan, key[2])

    def _read(self, key: Key) -> bool:
        """Whether a chunk lies in the folder; one that is not sound is deleted."""
        path = self._kept.get(_stem(key))
        if path is None:
            return False
        if not _is_sound(path, key):
            delete_file(path)
            return False
        frame = pl.read_parquet(path, glob=False, hive_partitioning=False)
        self._frames[key] = frame
        self.tell(len(frame), int(frame["won"].sum()))
        return True

    @cached_property
    def _kept(self) -> dict[str, Path]:
        """Files of the folder when the study began, by their names without the last hash."""
        if self.folder is None:
            return {}
        paths = [path for sort in SORTS for path in (self.folder / sort).glob("*-*.parquet")]
        return {f"{path.parent.name}/{path.name.rpartition('-')[0]}": path for path in paths}

    def _keep(self, key: Key, frame: pl.DataFrame) -> None:
        """Remember a chunk; it is on the disk when this returns."""
        self._frames[key] = frame
        if self.folder is None:
            return
        content = parquet(frame)
        write_whole(self.folder / key[0] / _name(key, io.BytesIO(content)), content)


def _stem(key: Key) -> str:
    """Folder and name of a chunk, without the hash of its content."""
    sort, mark, chunk, games = key
    return f"{sort}/{mark}-{chunk:05}-{games}"


def _is_sound(path: Path, key: Key) -> bool:
    """Whether a file is what it was when it got its name."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return path.name == _name(key, file)


def _name(key: Key, content: BinaryIO) -> str:
    """The name of the file of a chunk with this content."""
    stem = _stem(key)
    return f"{Path(stem).name}-{seal(stem.encode(), content)}.parquet"


def n_games(plans: Iterable[Plan]) -> int:
    """How many games there are to be played; equal ones are played once."""
    return sum(mark.games for mark in {mark_of(plan): plan for plan in plans}.values())


def play_one(sort: str, jobs: Sequence[tuple[Plan, int]], job: int, tell: Tell) -> pl.DataFrame:
    """The games of one chunk of one plan, with the columns of their sort."""
    return SORTS[sort](*jobs[job], tell)


def keys_of(sort: str, plan: Plan) -> Iterator[Key]:
    """What the chunks of a plan are known by."""
    mark = mark_of(plan)
    return ((sort, mark, chunk, len(plan.numbers(chunk))) for chunk in range(plan.n_chunks()))


def mark_of(plan: Plan) -> str:
    """A hash of all that the games of a plan depend on, but for how many they are.

    The pack is not part of it: what of a pack is played is in the fingerprint of the ruleset, so
    two variants that differ in nothing that these games meet share their games.
    """
    record = plan.record()
    del record["games"]
    for kind in record["kinds"]:
        del kind["pack"]
    return hashlib.sha256(key_of(record)).hexdigest()[:DIGITS]
