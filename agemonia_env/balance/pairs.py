"""Play the pairs of a comparison in blocks, each kept on disk as soon as it is played.

plan.json describes the experiment; blocks.jsonl has a line per block, flushed as it is written. A
line ends in a hash of plan and numbers: a truncated, altered or foreign line is ignored and its
block played again. Repeated lines count once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from agemonia_env.files.writing import flush, write_whole
from agemonia_env.rulesets.identity import key_of
from agemonia_env.simulation.jobs import OnPlayed
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.progress import Progress
from agemonia_env.simulation.workers import Workers

from .accumulator import SUMS, Accumulator, accumulate, empty
from .comparison import points
from .experiment import Experiment
from .study_dir import open_folder
from .study_result import REPORTS

BLOCKS = "blocks.jsonl"
DIGITS = 16  # of the hash of a line
LONGEST = 10_000  # bytes of a line, more than ten times what a block needs
Block = tuple[int, int]  # condition, block in it


def play_block(experiment: Experiment, block: Block, on_played: OnPlayed) -> Accumulator:
    """Play a block of pairs: the same seeds in both variants."""
    condition, chunk = block
    a, b = (play_chunk(plan, chunk, on_played) for plan in experiment.conditions[condition].plans)
    return accumulate(a, b, experiment.metrics)


class Pairs:
    """The pairs of an experiment: each condition ends after its last block or at a narrow interval.

    A condition adds its blocks in order, whenever they arrive, so that results and stopping points
    do not depend on threads or timing.
    """

    def __init__(self, experiment: Experiment, folder: Path | None, *, force: bool) -> None:
        """Start, or resume in a folder. Raises ValueError if that is another study's."""
        self.experiment, n = experiment, len(experiment.conditions)
        self.sums, self.over, self._next = [empty(experiment.metrics)] * n, [False] * n, [0] * n
        self._waiting: dict[Block, Accumulator] = {}
        self._path, self._played = None if folder is None else folder / BLOCKS, set[Block]()
        if folder is None:
            return
        record = self.experiment.record()
        open_folder(folder, record, force=force, files=(BLOCKS, *REPORTS))
        self._plan = key_of(record)
        kept = dict(self._intact(folder / BLOCKS))
        write_whole(folder / BLOCKS, b"".join(self._line(*one) for one in kept.items()))
        for block, sums in kept.items():
            self._add(block, sums)
        self._played = set(kept)

    def play(self, workers: Workers, console: Console | None) -> tuple[Accumulator, ...]:
        """Play the blocks that are missing; return the sums of each condition."""
        play, env = partial(play_block, self.experiment), self.experiment.env
        with (
            PairProgress(self, console) as progress,
            closing(workers.run(play, self._wanted(), progress.add, env)) as blocks,
        ):
            for block, sums in blocks:
                self._write(block, sums)
                self._add(block, sums)
                if all(self.over):
                    break
        return tuple(self.sums)

    def _wanted(self) -> Iterator[Block]:
        """Missing blocks of conditions that have not ended yet."""
        blocks = [condition.plans[0].n_chunks() for condition in self.experiment.conditions]
        for block in range(max(blocks)):
            for condition, over in enumerate(self.over):
                key = condition, block
                if not over and block < blocks[condition] and key not in self._played:
                    yield key

    def _add(self, block: Block, sums: Accumulator) -> None:
        """Add a block after those before it have been added."""
        condition, _ = block
        self._waiting[block] = sums
        while not self.over[condition] and (condition, self._next[condition]) in self._waiting:
            self.sums[condition] += self._waiting.pop((condition, self._next[condition]))
            self._next[condition] += 1
            self.over[condition] = self._is_over(condition)

    def _is_over(self, condition: int) -> bool:
        """Whether a condition has all its blocks or a narrow interval."""
        if self._next[condition] == self.experiment.conditions[condition].plans[0].n_chunks():
            return True
        width = self.experiment.width
        if width is None:
            return False
        low, high = self.interval(condition)
        return 100 * (high - low) <= width

    def interval(self, condition: int) -> tuple[float, float]:
        """The anytime-valid interval of the win rate difference."""
        alike = self.experiment.conditions[condition].alike
        difference = self.sums[condition].difference("won", alike=alike)
        return self.experiment.interval(difference, any_time=True)

    # ---- on disk ----------------------------------------------------------------------------
    def _intact(self, path: Path) -> Iterator[tuple[Block, Accumulator]]:
        """Blocks of the intact lines."""
        if not path.is_file():
            return
        with path.open("rb") as file:
            for text in iter(lambda: file.readline(LONGEST), b""):
                try:
                    *numbers, digest = json.loads(text)
                    if digest != self._digest(numbers):
                        continue
                    condition, block, pairs, *sums = numbers
                    table = np.array(sums, np.int64).reshape(-1, SUMS)
                    by_metric = dict(zip(self.experiment.metrics, table, strict=True))
                    if pairs == len(self.experiment.conditions[condition].plans[0].numbers(block)):
                        yield (condition, block), Accumulator(pairs, by_metric)
                except (ValueError, TypeError, IndexError, OverflowError, RecursionError):
                    continue

    def _write(self, block: Block, sums: Accumulator) -> None:
        """Append a block; it is on disk when this returns. Raises OSError naming the file."""
        path = self._path
        if path is None:
            return
        try:
            with path.open("ab") as file:
                file.write(self._line(block, sums))
            flush(path)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None

    def _line(self, block: Block, sums: Accumulator) -> bytes:
        """A block as a JSON line: condition, block, pairs, sums, hash."""
        numbers: list[Any] = [*block, sums.pairs, *np.concatenate([*sums.sums.values()]).tolist()]
        return json.dumps([*numbers, self._digest(numbers)]).encode() + b"\n"

    def _digest(self, numbers: list[Any]) -> str:
        return hashlib.sha256(self._plan + json.dumps(numbers).encode()).hexdigest()[:DIGITS]


class PairProgress(Progress):
    """Shows pairs of games played, and the interval of the least certain condition."""

    def __init__(self, pairs: Pairs, console: Console | None) -> None:
        experiment = pairs.experiment
        super().__init__(2 * experiment.games * len(experiment.conditions), console)
        self._pairs = pairs
        self.resume(2 * sum(sums.pairs for sums in pairs.sums), 0)

    def rates(self) -> str:
        """Games per second, conditions done, and the widest interval of a win rate's change."""
        run = self._pairs
        intervals = {k: run.interval(k) for k, sums in enumerate(run.sums) if sums.pairs}
        if not intervals:
            return self.speed()
        widest = max(intervals, key=lambda k: intervals[k][1] - intervals[k][0])
        done = f"{sum(run.over)} of {len(run.over)} conditions done"
        condition = run.experiment.conditions[widest]
        kind = "valid at any time" + "; the final one is narrower" * (run.experiment.width is None)
        interval = f"B - A {points(*intervals[widest])} points (95 %, {kind})"
        return f"{self.speed()}, {done}; {condition}: {interval}"
