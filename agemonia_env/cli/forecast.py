"""The command `forecast`: how games end from a position, or round after round of a game."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from agemonia_env.envs.replay import replay
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.files.stopping import Interrupted
from agemonia_env.forecasting.course import (
    Stop,
    course_of,
    naming,
    recorded,
    rounds_of,
    step_of_round,
)
from agemonia_env.forecasting.play import Effort, Forecaster
from agemonia_env.forecasting.start import start_of
from agemonia_env.warmup import compile_if_cold

from .output import print_status, print_table, progress_on

CHOICES = ("scenario", "heroes", "pack", "level", "difficulty", "env")
RECORDED = ("step", "round", "every_round")


def stops_of(
    where: Mapping[str, Any], given: Collection[str], make: Callable[[], RulesetEnv]
) -> list[Stop]:
    """Where games are played on from. Raises ValueError for options that do not fit together.

    where: the review file, None for the start of a scenario, and the options RECORDED. given: names
    of the options that were given. make: makes the environment of the CHOICES.
    """
    file: Path | None = where["file"]
    others = ", which says what is played"
    why = "only with a review file" if file is None else f"not with {file}{others}"
    for name in RECORDED if file is None else CHOICES:
        if name in given:
            raise ValueError(f"--{name.replace('_', '-')}: {why}")
    if file is None:
        env = make()
        compile_if_cold(print_status, env.ruleset.env_id)
        return [Stop(0, 0, start_of(env))]
    if sum(name in given for name in RECORDED) > 1:
        raise ValueError("--step, --round, --every-round: only one of them")
    env, game = recorded(file)
    compile_if_cold(print_status, env.ruleset.env_id)
    with naming(file):
        if where["every_round"]:
            return rounds_of(env, game)
        number, step = where["round"], where["step"]
        step = step if number is None else step_of_round(env, game, number)
        return [Stop(0, 0, start_of(replay(env, game, step)))]


def show(
    stops: list[Stop], policy: list[str], effort: Effort, *, as_course: bool, as_json: bool
) -> None:
    """Play the games and print the forecast, or with `as_course` that of every stop.

    After Ctrl-C prints the forecast from the games played so far, and raises Interrupted.
    """
    parts = [Forecaster(stop.start, policy, effort) for stop in stops]

    def print_result() -> None:
        found = course_of(stops, parts) if as_course else parts[0].result()
        if as_json:
            typer.echo(json.dumps(found.record(), indent=2))
        else:
            print_table(found)

    try:
        with progress_on(Console(stderr=True), "Playing") as progress:
            n_plays = sum(part.n_plays for part in parts)
            task = progress.add_task("", total=None if effort.width else effort.most * n_plays)
            for part in parts:
                part.play(lambda games: progress.advance(task, games))
    except KeyboardInterrupt:
        if not parts[0].has_played:
            raise Interrupted("stopped before the first games had ended") from None
        print_result()
        raise Interrupted("stopped; the result is that of the games played so far") from None
    print_result()
