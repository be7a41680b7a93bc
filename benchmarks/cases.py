"""Defines all cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from agemonia_env.envs import env_class
from agemonia_env.rulesets.arguments import RANDOM, SCENARIO_SEED
from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of
from agents.config import FLAT, LEAN

from . import hexes, starting, stepping, training
from .play import Play
from .stepping import Vector, everything, starter
from .table import Case

STEPS, DECISIONS, GAMES = "steps/s", "decisions/s", "games/s"
SEARCHED = "simulations/s"
SAMPLES, SHARE, TIMES = "samples/s", "% of the time", "times"
FEW = 50  # simulations a decision
WIDTHS = (64, 256)  # layer widths at which the trainers are compared
MADE = "single: gymnasium.make, with checks"
FITTED = "vector: starter scenario, fitted"
FITTED_INT8 = f"{FITTED}, int8"
COLD = "start: cold compile"


@dataclass(frozen=True)
class Scale:
    """The sizes of all cases; tests use smaller ones.

    sizes: games side by side; some: the size where only one is measured; played: games of a
    rollout, of at most `limit` decisions; rows: games of a simulation; searched: simulations per
    decision; pool, span: see stepping.fleet; begin: see stepping.sb3_play; training: overrides of
    the training configuration; env: id of the environment.
    """

    sizes: tuple[int, ...] = (1, 64, 1024, 8192)
    some: int = 1024
    played: int = 96
    rows: int = 2000
    searched: int = 1000
    limit: int = 20_000
    pool: int = 252
    span: int = 600
    begin: int = 200
    training: training.Overrides = ()
    env: str = DEFAULT

    @property
    def rules(self) -> Ruleset:
        """The ruleset played."""
        return ruleset_of(self.env)

    def fleet(self, n: int, *what: Any, **choices: Any) -> Vector:
        """Make n games at all stages; arguments as in stepping.fleet."""
        return stepping.fleet(self.rules, n, *what, **choices, pool=self.pool, span=self.span)


FULL = Scale()


def cases(scale: Scale) -> list[Case]:
    """All cases, in the order of the table."""
    played = (singles(scale), vectors(scale), rollouts(scale), parts(scale))
    groups = (*played, drawn(scale), starts(scale), memory(scale), trainings(scale), hexdungeon())
    return [case for group in groups for case in group]


def rate(name: str, unit: str, make: Callable[[], Play], n: int = 1, threads: int = 1) -> Case:
    """A case that measures work per second."""
    return Case(name, unit, lambda: make().per_second, n, threads, play=make)


def fixed(name: str, unit: str, measure: Callable[[], float], *, once: bool = False) -> Case:
    """A case that is measured once per call, however long it takes."""
    return Case(name, unit, lambda: lambda _: measure(), once=once)


def singles(scale: Scale) -> list[Case]:
    """One environment with the starter scenario, and the cost of Gymnasium's wrappers."""
    play, idle, idle_play = stepping.single_play, stepping.idle, stepping.idle_play
    rules = scale.rules
    unchecked = partial(idle, disable_env_checker=True)
    return [
        rate(f"single: {class_name(rules)}", STEPS, lambda: play(stepping.alone(rules))),
        rate(MADE, STEPS, lambda: play(stepping.made(rules))),
        rate("single: an idle env", STEPS, lambda: idle_play(idle().unwrapped)),
        rate("single: ... in OrderEnforcing", STEPS, lambda: idle_play(unchecked())),
        rate("single: ... with checks, too", STEPS, lambda: idle_play(idle())),
    ]


def class_name(rules: Ruleset) -> str:
    """The class name of the single environment."""
    return env_class(rules.env_id).__name__


def vectors(scale: Scale) -> list[Case]:
    """Games side by side: all scenarios with four heroes, unless the name says otherwise."""
    rules, n, fleet, play = scale.rules, scale.some, scale.fleet, stepping.vector_play
    quantized = dict.fromkeys((n, scale.sizes[-1]))
    sweep = [(size, threads) for threads in (1, 2) for size in scale.sizes if size >= threads]
    return [
        *(swept(scale, size, threads) for size, threads in sweep),
        *(swept(scale, size, threads, "int8") for size in quantized for threads in (1, 2)),
        rate(f"{vector_name(n, 2, 'int8')}, half batches", STEPS, lambda: in_halves(scale), n, 2),
        rate(f"{vector_name(n, 1, 'int8')}, action features", STEPS, lambda: described(scale), n),
        rate("vector: starter scenario", STEPS, lambda: play(fleet(n, starter(rules), 2)), n),
        rate(FITTED, STEPS, lambda: fitted(scale, "float32"), n),
        rate(FITTED_INT8, STEPS, lambda: fitted(scale, "int8"), n),
        rate("vector: ... SB3 VecEnv", STEPS, lambda: stepping.sb3_play(rules, n, scale.begin), n),
    ]


def in_halves(scale: Scale) -> Play:
    """Two half batches in turn."""
    halves = [scale.fleet(scale.some // 2, threads=2, dtype="int8") for _ in range(2)]
    return stepping.half_batches(halves)


def described(scale: Scale) -> Play:
    """Games with features of the legal actions."""
    return stepping.vector_play(scale.fleet(scale.some, dtype="int8", features=True))


def fitted(scale: Scale, dtype: str) -> Play:
    """Games of the starter scenario with two heroes, with the columns that differ there."""
    played = scale.fleet(scale.some, starter(scale.rules), 2, dtype=dtype, observation="fitted")
    return stepping.vector_play(played)


def swept(scale: Scale, n: int, threads: int, dtype: str = "float32") -> Case:
    """A point of the plot."""

    def make() -> Play:
        return stepping.vector_play(scale.fleet(n, threads=threads, dtype=dtype))

    return rate(vector_name(n, threads, dtype), STEPS, make, n, threads)


def vector_name(n: int, threads: int = 1, dtype: str = "float32") -> str:
    """The name of the case with n games and this many threads."""
    observations = f", {dtype}" if dtype != "float32" else ""
    return f"vector: N = {n:,}{observations}" + (f", {threads} threads" if threads > 1 else "")


def rollouts(scale: Scale) -> list[Case]:
    """Whole games inside the compiled loop, without observations."""
    rules = scale.rules
    play = partial(stepping.rollouts, rules, n=scale.played, limit=scale.limit)
    search = partial(stepping.searches, rules)
    whole, first, random, greedy = everything(rules), starter(rules), "random", "greedy"
    games = partial(play, policy=greedy, count_games=True)
    others = [name for name in whole if name not in first][:2]
    return [
        rate("rollout: random", DECISIONS, lambda: play(whole, 4, random)),
        rate("rollout: random, starter scenario", DECISIONS, lambda: play(first, 2, random)),
        rate("rollout: greedy, starter scenario", DECISIONS, lambda: play(first, 2, greedy)),
        rate("rollout: ... games", GAMES, lambda: games(first, 2)),
        rate("rollout: ... of all scenarios", GAMES, lambda: games(whole, 4)),
        *(
            searched(scale, *scenario, threads)
            for scenario in (("starter scenario", first[0]), *zip(others, others, strict=True))
            for threads in (1, 2)
        ),
        rate(
            f"planner: {FEW} a decision", DECISIONS, lambda: search(FEW, first[0], decisions=True)
        ),
        rate("simulation: ... rows", GAMES, lambda: stepping.rows_of_games(rules, scale.rows)),
    ]


def searched(scale: Scale, name: str, scenario: str, threads: int) -> Case:
    """The planner's simulations at the first decision of a scenario."""
    make = partial(stepping.searches, scale.rules, scale.searched, scenario, threads)
    beside = f", {threads} threads" if threads > 1 else ""
    return rate(f"planner: {name}{beside}", SEARCHED, make, threads=threads)


def parts(scale: Scale) -> list[Case]:
    """The parts of a step, and copies."""
    rules, n, fleet = scale.rules, scale.some, scale.fleet
    return [
        rate("part: observation", "observations/s", lambda: stepping.observations(fleet(n)), n),
        rate("part: mask", "masks/s", lambda: stepping.masks(fleet(n)), n),
        rate("part: copy of a state", "copies/s", lambda: stepping.copies(fleet(n)), n),
        rate(f"part: {class_name(rules)}.clone", "copies/s", lambda: stepping.clones(rules)),
        rate("part: get_state and set_state", "copies/s", lambda: stepping.returns(rules)),
    ]


def drawn(scale: Scale) -> list[Case]:
    """A new scenario for every game, beside the starter scenario."""
    rules, n, rows = scale.rules, scale.some, partial(stepping.rows_of_games, scale.rules)
    if SCENARIO_SEED not in rules.parameters:
        return []
    games = {RANDOM: "new scenarios", starter(rules)[0]: "starter scenario"}

    def steps(scenario: str, words: str) -> Case:
        make = partial(stepping.under_way, rules, n, scenario, scale.span)
        return rate(f"drawn: {words}, int8", STEPS, lambda: stepping.vector_play(make()), n)

    return [
        rate("drawn: scenarios", "scenarios/s", lambda: stepping.scenarios(rules)),
        *(steps(*game) for game in games.items()),
        rate("drawn: simulation rows", GAMES, lambda: rows(scale.rows, RANDOM)),
    ]


def starts(scale: Scale) -> list[Case]:
    """The time before the first step."""
    env, made, imported = scale.env, env_class(scale.rules.env_id), starting.import_seconds
    cold_step = partial(starting.cold_step_seconds, env)
    return [
        fixed("start: import agemonia_env", "s", lambda: imported("agemonia_env")),
        fixed(f"start: import {made.__name__}", "s", lambda: imported(made.__module__)),
        fixed("start: import to first step", "s", partial(starting.first_step_seconds, env)),
        fixed("start: ... with cold compile", "s", cold_step, once=True),
        fixed(COLD, "s", partial(starting.cold_compile_seconds, env), once=True),
    ]


def memory(scale: Scale) -> list[Case]:
    """The memory per game."""
    rules, kept, n = scale.rules, starting.kept_bytes, scale.sizes[-1]
    floats, whole = partial(Vector, rules, n), partial(Vector, rules, n, dtype="int8")
    alone = partial(stepping.alone, rules)
    return [
        fixed("memory: a game of a vector", "bytes", lambda: kept(floats) / n),
        fixed("memory: ... int8", "bytes", lambda: kept(whole) / n),
        fixed(f"memory: {class_name(rules)}", "bytes", lambda: kept(alone)),
    ]


def trainings(scale: Scale) -> list[Case]:
    """MaskablePPO of sb3-contrib, the same with our changes, and our own PPO."""
    overrides = (("env", scale.env), *scale.training)
    return [
        *trained("MaskablePPO", partial(training.contributed, overrides)),
        *trained("agents", partial(training.ours, overrides)),
        *trained("PPO", partial(training.lean, overrides)),
        *trained("PPO on action features", partial(training.lean, overrides, LEAN)),
        *(case for width in WIDTHS for case in side_by_side(width, overrides)),
    ]


def trained(name: str, make: Callable[[], training.Training]) -> list[Case]:
    """Speed, and the share of time of each part."""

    def share(part: str) -> Case:
        return Case(f"training: {name}, {part}", SHARE, lambda: make().share(part), long=True)

    speed = Case(f"training: {name}", SAMPLES, lambda: make().per_second(), long=True)
    return [speed, *(share(part) for part in training.PARTS)]


def side_by_side(width: int, overrides: training.Overrides) -> list[Case]:
    """The two trainers with the same configuration and layers, and their ratio."""
    configured = (*overrides, ("net_arch", f"[{width}, {width}]"))
    quick = partial(training.lean, configured, FLAT)
    slow = partial(training.ours, configured, FLAT)
    name = f"training: {width} x {width}"
    return [
        Case(f"{name}, MaskablePPO", SAMPLES, lambda: slow().per_second(), long=True),
        Case(f"{name}, PPO", SAMPLES, lambda: quick().per_second(), long=True),
        Case(f"{name}, PPO to MaskablePPO", TIMES, lambda: quick().times(slow()), long=True),
    ]


def hexdungeon() -> list[Case]:
    """HexDungeon; every answer is checked."""
    published, random = hexes.PUBLISHED, hexes.RANDOM
    return [
        rate("hex: monster turns", "turns/s", lambda: hexes.monster_turns(published, random)),
        rate("hex: ... random boards", "turns/s", lambda: hexes.monster_turns(random)),
        rate("hex: lines of sight", "pairs/s", hexes.lines_of_sight),
    ]
