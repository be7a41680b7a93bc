"""A cache of games: each chunk of a plan is played once for given rules, content, model and seeds.

A chunk is named by a hash of everything it depends on. With a folder, each chunk is a file of that
name, so an interrupted study resumes. The name also has a hash of the file's content: a truncated,
altered or renamed file is played again.
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
from agemonia_env.rulesets.identity import key_of
from agemonia_env.rulesets.pack_tools import pack_tools_of
from agemonia_env.simulation.jobs import OnPlayed
from agemonia_env.simulation.plan import Plan
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.result_file import one_line, scanned
from agemonia_env.simulation.workers import Workers

from .study_result import parquet
from .usage import watch_chunk

COLUMNS = ("won", "ending", "rounds", "exhausted", "damage_dealt", "damage_taken")
OF_HEROES = "^hero_exhausted$"  # a column of rulesets that have Heroes
DIGITS = 24  # of the hash in a file's name
PLAYED, WATCHED = "games", "uses"  # folders of the chunks


def play_rows(plan: Plan, chunk: int, on_played: OnPlayed) -> pl.DataFrame:
    """Play a chunk; one row per game with COLUMNS and the columns of the ruleset's metrics."""
    own = (column for column, _ in pack_tools_of(plan.env).metrics.values())
    return play_chunk(plan, chunk, on_played).select(*COLUMNS, *own, OF_HEROES)


PLAYERS: dict[str, Callable[[Plan, int, OnPlayed], pl.DataFrame]] = {
    PLAYED: play_rows,
    WATCHED: watch_chunk,
}
Key = tuple[str, str, int, int]  # one of PLAYERS, plan_hash, chunk, its number of games


def ignore(games: int, wins: int) -> None:
    """Do nothing."""


class GameCache:
    """Plays plans and keeps their games.

    on_played: called with games and wins as they are played or read from the folder. on_finished:
    called with all games and wins of a plan once they have been played.
    """

    def __init__(
        self,
        workers: Workers,
        on_played: OnPlayed,
        folder: Path | None = None,
        on_finished: OnPlayed = ignore,
    ) -> None:
        self.workers, self.folder = workers, folder
        self.on_played, self.on_finished = on_played, on_finished
        self._frames: dict[Key, pl.DataFrame] = {}

    def play(self, plans: Sequence[Plan]) -> list[pl.DataFrame]:
        """One row per game for each plan, see `play_rows`."""
        return self._played(PLAYED, plans)

    def watch(self, plans: Sequence[Plan]) -> list[pl.DataFrame]:
        """One row per game for each plan with what was used, see usage.watch_chunk."""
        return self._played(WATCHED, plans)

    def _played(self, folder_name: str, plans: Sequence[Plan]) -> list[pl.DataFrame]:
        keys = [list(keys_of(folder_name, plan)) for plan in plans]
        wanted = dict(self._missing(plans, keys))
        missing = Counter(key[:2] for key in wanted)
        jobs, order = range(len(wanted)), list(wanted)
        play = partial(play_one, folder_name, tuple(wanted.values()))
        with closing(self.workers.run(play, jobs, self.on_played, plans[0].env)) as played:
            for job, frame in played:
                key = order[job]
                self._store(key, frame)
                missing[key[:2]] -= 1
                if not missing[key[:2]]:
                    self._finish(next(own for own in keys if own[0][:2] == key[:2]))
        return [pl.concat([self._frames[key] for key in own]) for own in keys]

    def _finish(self, keys: Sequence[Key]) -> None:
        """Report a plan whose chunks have all been played."""
        won = pl.concat([self._frames[key]["won"] for key in keys])
        self.on_finished(len(won), int(won.sum()))

    def _missing(
        self, plans: Sequence[Plan], keys: Sequence[Sequence[Key]]
    ) -> Iterator[tuple[Key, tuple[Plan, int]]]:
        """Chunks to play; those in the folder are read."""
        for plan, own in zip(plans, keys, strict=True):
            for key in own:
                if key not in self._frames and not self._read(key):
                    yield key, (plan, key[2])

    def _read(self, key: Key) -> bool:
        """Read a chunk from the folder if it is there; delete a damaged file."""
        path = self._files.get(_stem(key))
        if path is None:
            return False
        if not _is_intact(path, key):
            delete_file(path)
            return False
        with one_line(path):
            frame = scanned(path).collect()
            won = int(frame["won"].sum())
        self._frames[key] = frame
        self.on_played(len(frame), won)
        return True

    @cached_property
    def _files(self) -> dict[str, Path]:
        """Files in the folder at the start, by folder and name without the content hash."""
        if self.folder is None:
            return {}
        paths = [path for name in PLAYERS for path in (self.folder / name).glob("*-*.parquet")]
        return {f"{path.parent.name}/{path.name.rpartition('-')[0]}": path for path in paths}

    def _store(self, key: Key, frame: pl.DataFrame) -> None:
        """Store a chunk; it is on disk when this returns."""
        self._frames[key] = frame
        if self.folder is None:
            return
        content = parquet(frame)
        write_whole(self.folder / key[0] / _name(key, io.BytesIO(content)), content)


def _stem(key: Key) -> str:
    """Folder and name of a chunk without the content hash."""
    folder_name, digest, chunk, games = key
    return f"{folder_name}/{digest}-{chunk:05}-{games}"


def _is_intact(path: Path, key: Key) -> bool:
    """Whether a file has the content that its name claims."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return path.name == _name(key, file)


def _name(key: Key, content: BinaryIO) -> str:
    """The name of the file of a chunk with this content."""
    stem = _stem(key)
    return f"{Path(stem).name}-{seal(stem.encode(), content)}.parquet"


def n_games(plans: Iterable[Plan]) -> int:
    """The number of games to play; equal ones count once."""
    return sum(plan.games for plan in {plan_hash(plan): plan for plan in plans}.values())


def play_one(
    folder_name: str, jobs: Sequence[tuple[Plan, int]], job: int, on_played: OnPlayed
) -> pl.DataFrame:
    """Play one chunk of one plan."""
    return PLAYERS[folder_name](*jobs[job], on_played)


def keys_of(folder_name: str, plan: Plan) -> Iterator[Key]:
    """The keys of the chunks of a plan."""
    digest = plan_hash(plan)
    return (
        (folder_name, digest, chunk, len(plan.numbers(chunk))) for chunk in range(plan.n_chunks())
    )


def plan_hash(plan: Plan) -> str:
    """Hash everything that the games of a plan depend on, except their number.

    The pack is left out: the fingerprint of the compiled content covers what is played, so variants
    that differ in nothing these games meet share their games.
    """
    record = plan.record()
    del record["games"]
    for kind in record["kinds"]:
        del kind["pack"]
    return hashlib.sha256(key_of(record)).hexdigest()[:DIGITS]
