"""The command `review`: writes review files, and plays on from them."""

from __future__ import annotations

import shlex
from pathlib import Path

from rich.console import Console

from agemonia_env.display.messages import counted
from agemonia_env.envs import env_class
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.files.stopping import Interrupted, stop_message
from agemonia_env.policies import given_policy, policy_of
from agemonia_env.review.analysis import Effort
from agemonia_env.review.page import Made, command_line
from agemonia_env.review.play import Reviewed
from agemonia_env.rulesets.recorded_game import check_step, load_game, read_game
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.warmup import compile_if_cold

from . import terminal
from .output import print_status, progress_on


def review_game(
    env: RulesetEnv, policy: str, seed: int, out: Path, effort: Effort, force: bool
) -> None:
    """Play and analyse the game of a seed, and write its page.

    After Ctrl-C writes what there is, and raises Interrupted.
    """
    rules, console = env.ruleset, Console(stderr=True)
    fingerprint, threads = env.compiled.fingerprint, effort.threads
    policy = given_policy(policy)
    chosen = policy_of(rules, policy, fingerprint=fingerprint, force=force, threads=threads)
    compile_if_cold(print_status, rules.env_id)
    reviewed = Reviewed.begin(env, seed, Made(chosen.name, command_line()), effort)
    try:
        reviewed.play(chosen)
        with progress_on(console, "Analysing") as progress:
            task = progress.add_task("", total=reviewed.recording.steps + 1)
            reviewed.analyse(lambda done, total: progress.update(task, completed=done, total=total))
    except KeyboardInterrupt:
        reviewed.write(out)
        raise Interrupted(f"stopped; {out} has {_contents(reviewed)}") from None
    reviewed.write(out)
    size = f"{out.stat().st_size / 1000:,.0f} kB"
    console.print(f"Written: {out} ({_contents(reviewed)}, {size})", highlight=False)


def _contents(reviewed: Reviewed) -> str:
    """What a page has in it: `133 decisions, 40 positions analysed`."""
    steps, judged = reviewed.recording.steps, len(reviewed.judged)
    return f"{counted(steps, 'decision')}, {counted(judged, 'position')} analysed"


def play_on(path: Path, step: int | None) -> None:
    """Play on from a step of a review file, in the terminal."""
    env_id = load_game(path).env_id
    game = read_game(path, ruleset_of(env_id))
    at = check_step(game, step)
    compile_if_cold(print_status, env_id)
    env = env_class(env_id).from_review(path, at, render_mode="ansi")
    again = shlex.join(["agemonia", "review", "--fork", str(path), "--step", str(at)])
    text = f"{path}, step {at} of {game.steps}."
    begins = terminal.Start(0, again, text, env.get_state())
    with stop_message(f"{again} starts there again"):
        terminal.play(env, terminal.console(), begins, terminal.prompt())
