"""All cases, one line each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from agemonia_env.agemonia.policies import Policy

from . import hexes, starting, stepping, training
from .play import Play
from .stepping import ALL, STARTER, Vector
from .table import Case

STEPS, DECISIONS, GAMES = "steps/s", "decisions/s", "games/s"
SAMPLES, SHARE = "samples/s", "% of the time"
MADE = "single: gymnasium.make, with checks"
COLD = "start: cold compile"


@dataclass(frozen=True)
class Scale:
    """How large everything is; the tests take less.

    sizes: games side by side; some: where only one size is measured; played: games of a rollout,
    `limit` decisions each at most; rows: games of a simulation; pool, span: see stepping.fleet;
    begin: see stepping.sb3_play; training: overrides of the configuration trained with.
    """

    sizes: tuple[int, ...] = (1, 64, 1024, 8192)
    some: int = 1024
    played: int = 96
    rows: int = 2000
    limit: int = 20_000
    pool: int = 252
    span: int = 600
    begin: int = 200
    training: training.Overrides = ()

    def fleet(self, n: int, *what: Any, **choices: Any) -> Vector:
        """Games at all stages, n of them; the arguments are those of stepping.fleet."""
        return stepping.fleet(n, *what, **choices, pool=self.pool, span=self.span)


FULL = Scale()


def cases(scale: Scale) -> list[Case]:
    """All cases, in the order of the table."""
    played = (singles(), vectors(scale), rollouts(scale), parts(scale))
    groups = (*played, starts(), memory(scale), trainings(scale), hexdungeon())
    return [case for group in groups for case in group]


def rate(name: str, unit: str, make: Callable[[], Play], n: int = 1, threads: int = 1) -> Case:
    """A case that counts work per second."""
    return Case(name, unit, lambda: make().per_second, n, threads)


def fixed(name: str, unit: str, measure: Callable[[], float], *, once: bool = False) -> Case:
    """A case that takes as long as it takes."""
    return Case(name, unit, lambda: lambda _: measure(), once=once)


def singles() -> list[Case]:
    """One environment with the starter scenario, and what Gymnasium's own wrappers cost."""
    play, idle, idle_play = stepping.single_play, stepping.idle, stepping.idle_play
    unchecked = partial(idle, disable_env_checker=True)
    return [
        rate("single: AgemoniaEnv", STEPS, lambda: play(stepping.alone())),
        rate(MADE, STEPS, lambda: play(stepping.made())),
        rate("single: an idle env", STEPS, lambda: idle_play(idle().unwrapped)),
        rate("single: ... in OrderEnforcing", STEPS, lambda: idle_play(unchecked())),
        rate("single: ... with checks, too", STEPS, lambda: idle_play(idle())),
    ]


def vectors(scale: Scale) -> list[Case]:
    """Games side by side, all scenarios with four Heroes where the name says nothing else."""
    n, fleet, play = scale.some, scale.fleet, stepping.vector_play
    sweep = [(size, threads) for threads in (1, 2) for size in scale.sizes if size >= threads]
    return [
        *(swept(scale, size, threads) for size, threads in sweep),
        *(swept(scale, n, threads, "int8") for threads in (1, 2)),
        rate("vector: starter scenario", STEPS, lambda: play(fleet(n, STARTER, 2)), n),
        rate("vector: ... SB3 VecEnv", STEPS, lambda: stepping.sb3_play(n, scale.begin), n),
    ]


def swept(scale: Scale, n: int, threads: int, dtype: str = "float32") -> Case:
    """A point of the plot."""

    def make() -> Play:
        return stepping.vector_play(scale.fleet(n, threads=threads, dtype=dtype))

    return rate(vector_name(n, threads, dtype), STEPS, make, n, threads)


def vector_name(n: int, threads: int = 1, dtype: str = "float32") -> str:
    """The case of n games on so many threads."""
    observations = f", {dtype}" if dtype != "float32" else ""
    return f"vector: N = {n:,}{observations}" + (f", {threads} threads" if threads > 1 else "")


def rollouts(scale: Scale) -> list[Case]:
    """Whole games inside the compiled loop, without observations."""
    play = partial(stepping.rollouts, n=scale.played, limit=scale.limit)
    random, greedy = Policy.RANDOM, Policy.GREEDY
    return [
        rate("rollout: random", DECISIONS, lambda: play(ALL, 4, random)),
        rate("rollout: random, starter scenario", DECISIONS, lambda: play(STARTER, 2, random)),
        rate("rollout: greedy, starter scenario", DECISIONS, lambda: play(STARTER, 2, greedy)),
        rate("rollout: ... games", GAMES, lambda: play(STARTER, 2, greedy, count_games=True)),
        rate("simulation: ... rows", GAMES, lambda: stepping.rows_of_games(scale.rows)),
    ]


def parts(scale: Scale) -> list[Case]:
    """What a step consists of, and copies."""
    n, fleet = scale.some, scale.fleet
    return [
        rate("part: observation", "observations/s", lambda: stepping.observations(fleet(n)), n),
        rate("part: mask", "masks/s", lambda: stepping.masks(fleet(n)), n),
        rate("part: copy of a state", "copies/s", lambda: stepping.copies(fleet(n)), n),
        rate("part: AgemoniaEnv.clone", "copies/s", stepping.clones),
        rate("part: get_state and set_state", "copies/s", stepping.returns),
    ]


def starts() -> list[Case]:
    """What comes before the first step."""
    imported = starting.import_seconds
    return [
        fixed("start: import agemonia_env", "s", lambda: imported("agemonia_env")),
        fixed("start: import AgemoniaEnv", "s", lambda: imported("agemonia_env.envs.single")),
        fixed("start: import to first step", "s", starting.first_step_seconds),
        fixed("start: ... with cold compile", "s", starting.cold_step_seconds, once=True),
        fixed(COLD, "s", starting.cold_compile_seconds, once=True),
    ]


def memory(scale: Scale) -> list[Case]:
    """What one game more takes."""
    kept, n = starting.kept_bytes, scale.sizes[-1]
    whole = partial(Vector, n, dtype="int8")
    return [
        fixed("memory: a game of a vector", "bytes", lambda: kept(lambda: Vector(n)) / n),
        fixed("memory: ... int8", "bytes", lambda: kept(whole) / n),
        fixed("memory: AgemoniaEnv", "bytes", lambda: kept(stepping.alone)),
    ]


def trainings(scale: Scale) -> list[Case]:
    """MaskablePPO on the VecEnv: as sb3-contrib has it, and as the trainer has it."""
    return [
        *trained("MaskablePPO", partial(training.contributed, scale.training)),
        *trained("agents", partial(training.ours, scale.training)),
    ]


def trained(name: str, make: Callable[[], training.Training]) -> list[Case]:
    """Speed, and where the time goes."""

    def share(part: str) -> Case:
        return Case(f"training: {name}, {part}", SHARE, lambda: make().share(part), long=True)

    speed = Case(f"training: {name}", SAMPLES, lambda: make().per_second(), long=True)
    return [speed, *(share(part) for part in training.PARTS)]


def hexdungeon() -> list[Case]:
    """The other ruleset; every answer is checked."""
    published, random = hexes.PUBLISHED, hexes.RANDOM
    return [
        rate("hex: monster turns", "turns/s", lambda: hexes.monster_turns(published, random)),
        rate("hex: ... random boards", "turns/s", lambda: hexes.monster_turns(random)),
        rate("hex: lines of sight", "pairs/s", hexes.lines_of_sight),
    ]
