"""The balance laboratory: what does a changed number do, and how sure is that?

    experiment.py  what is compared: two variants of a pack, in which games
    tally.py       sums over pairs of games, and what they say
    interval.py    how sure a difference is
    log.py         blocks of pairs on disk, so that a run can be taken up again
    run.py         all of it played
    report.py      what came out: table, JSON, Parquet
    cli.py         the command line `agemonia balance`

Importing this package loads none of it; it needs the extra `simulation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from ..simulation import required

if TYPE_CHECKING:
    from ..content.party import HeroChoice
    from .report import Report

Arm = str | Sequence[str] | Mapping[str, Any]


class Choices(TypedDict, total=False):
    """Arguments of `compare` that hardly need to be said, as `agemonia_env.simulate` has them."""

    pack: str | Path
    level: int | Sequence[int | None] | None
    difficulty: str | Sequence[str] | None
    scenario_seed: int | str | Sequence[int] | None
    enemy_will: str | None
    enemy_policy: str | None
    ties: str
    max_decisions: int


def compare(
    a: Arm = (),
    b: Arm = (),
    scenario: str | Sequence[str] = "ford",
    heroes: int | Sequence[int] | Sequence[HeroChoice] | Sequence[Sequence[HeroChoice]] = 2,
    policy: str | Sequence[str] = "greedy",
    games: int | None = None,
    *,
    width: float | None = None,
    seed: int = 0,
    threads: int = 1,
    out: str | Path | None = None,
    force: bool = False,
    progress: bool = False,
    **choices: Unpack[Choices],
) -> Report:
    """Play two variants of a pack with the same seeds, and say how they differ.

    a, b: the changes of each variant (patching.py): one, several, files of them, or a mapping with
    `changes` and a `name`; none is the pack as it is. What is told is always b - a. scenario,
    heroes, policy, level, difficulty: one or several; every combination is a setting of its own.

    games: of each variant in each setting, 2,000 if nothing is said. width: instead, play on until
    the 95 % interval of the win rate's difference is so many percentage points wide, from end to
    end, in each setting by itself; `games` is then the most, a million if nothing is said.

    threads: do not change a single digit. out: a folder that holds what has been played, to be
    taken up again by the same call, and report.json and report.parquet in the end. force: begin
    anew all the same. progress: tell on stderr how far it is.

    Raises ValueError with everything that is wrong with the arguments before a game is played,
    and MissingExtra, an ImportError, where an optional package is missing.
    """
    required("polars", "simulation")
    from .experiment import make_experiment
    from .run import compare_to

    given = {
        "a": a,
        "b": b,
        "scenario": scenario,
        "heroes": heroes,
        "policy": policy,
        "games": games,
        "width": width,
        "seed": seed,
        **choices,
    }
    experiment = make_experiment(given)
    return compare_to(experiment, threads, out, force=force, progress=progress)


def variant(pack: str | Path = "core", *changes: str) -> str:
    """A pack with changes, as a text that everything takes as `pack`, is JSON-able and pickles.

    changes: or names of files of them. Raises ValueError with everything that is wrong with them.
    """
    from ..content.load import variant as variant_of

    return variant_of(pack, *changes)
