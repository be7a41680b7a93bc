"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agemonia_env.rulesets.doors import RULESETS

SCENARIO = typer.Option(help="A scenario of the pack, or random.")
HEROES = typer.Option(help="Number of heroes, 1 to 4, or their names, such as orsa,tamsin.")
PACK = typer.Option(
    help="Content pack: a name or folder, and changes if any: 'core; CHANGE; CHANGE'."
)
DIFFICULTY = typer.Option(help="easy, normal, hard or brutal.")
POLICY = (
    "random, greedy, planner:SIMULATIONS, generalist, a model file (likeliest:FILE takes its "
    "likeliest action), or a class of your own, my_file.py:Mine."
)

Env = Annotated[str, typer.Option(help=f"Environment: {', '.join(RULESETS)}.")]
Scenario = Annotated[str, SCENARIO]
Heroes = Annotated[str, HEROES]
Pack = Annotated[str, PACK]
Difficulty = Annotated[str, DIFFICULTY]
# Without a value the environment chosen by --env applies its own default
AnyScenario = Annotated[str | None, SCENARIO]
AnyHeroes = Annotated[str | None, HEROES]
AnyPack = Annotated[str | None, PACK]
AnyDifficulty = Annotated[str | None, DIFFICULTY]
Gauntlet = Annotated[
    str | None,
    typer.Option(help="A gauntlet, several scenarios in a row, instead of one scenario."),
]
Level = Annotated[
    int | None, typer.Option(help="Level of the heroes, 1 to 5 (default: the scenario's).")
]
Seed = Annotated[int | None, typer.Option(help="Seed of all randomness (default: drawn).")]
Force = Annotated[bool, typer.Option("--force", help="Accept a model made for another ruleset.")]

# ---- many games ---------------------------------------------------------------------------------
Scenarios = Annotated[
    list[str] | None, typer.Option(help="A scenario of the pack, random, or all; repeatable.")
]
Parties = Annotated[
    list[str] | None,
    typer.Option(help="Number of heroes, or their names, such as orsa,ketch; repeatable."),
]
Difficulties = Annotated[
    list[str] | None, typer.Option(help="easy, normal, hard or brutal; repeatable.")
]
Levels = Annotated[
    list[int] | None,
    typer.Option(help="Level of the heroes, 1 to 5 (default: the scenario's); repeatable."),
]
ScenarioSeed = Annotated[
    str | None,
    typer.Option(help="Of scenario random: a seed, FIRST-LAST, train (default) or test."),
]
Generator = Annotated[
    list[str] | None,
    typer.Option(
        help="Of scenario random: varied, or a knob, such as traps=50, rows=2-3 or "
        "objectives=hold,reach; repeatable."
    ),
]
HeroPolicy = Annotated[str, typer.Option(help=f"Policy of the heroes: {POLICY}")]
EnemyWill = Annotated[
    str | None,
    typer.Option(help="What moves the enemies: card, their cards (default), or free, a policy."),
]
EnemyPolicy = Annotated[
    str | None,
    typer.Option(help=f"Policy of free enemies (default: greedy): {POLICY}"),
]
Ties = Annotated[
    str, typer.Option(help="Ties that players settle: auto, or ask, the policy decides.")
]
MaxDecisions = Annotated[
    int | None, typer.Option(help="Stop a game after this many decisions (5000).")
]
FixedSeed = Annotated[int, typer.Option(help="Seed of all randomness.")]
Threads = Annotated[int, typer.Option(help="Number of threads; it does not change the results.")]
Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on this Ray cluster; local starts one here."),
]
GamesFile = Annotated[
    Path | None,
    typer.Option(help="Parquet file with one row per game; the same command resumes it."),
]
Chunk = Annotated[int | None, typer.Option(help="Games to play and write at a time.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")]
