"""A training run of any algorithm: command line, progress, learning curve and checkpoints.

A trainer defines its files and one function; everything else is here.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, count
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from agemonia_env.cli.output import line_of
from agemonia_env.display.messages import shown
from agemonia_env.envs.batch import mix_entries
from agemonia_env.files.documents import DocumentError, read_text
from agemonia_env.files.locking import locked_folder
from agemonia_env.files.stopping import (
    STATUS,
    Interrupted,
    as_command,
    stop_message,
    uninterrupted,
)
from agemonia_env.files.writing import check_out_folder, write_json
from agemonia_env.policies import OwnPolicy, Policy, check_policy, given_policy, policy_of
from agemonia_env.policies.model_record import ModelError
from agemonia_env.rulesets.doors import DEFAULT as DEFAULT_ENV
from agemonia_env.rulesets.identity import IDENTITY, identity_of
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of
from agemonia_env.warmup import PARTS, compile_if_cold

from .config import Config, ConfigError, check_config, config_of, read_config
from .memory import check_memory
from .model_file import read_record
from .options import TRAIN, UNUSED, check_algorithm, overrides_of, parser_of
from .reviews import leave_reviews

OVERRIDE_HINT = "use --force"  # how to accept a model made for other rules
MOST_CURVE = 2**26  # bytes of a learning curve; a thousand rollouts take 200 KB
CHECKPOINT = re.compile(r"step_\d{10,}(\.[a-z]+)+")  # a file of one; nothing else is deleted
EARLIER = "earlier"  # folder for the model that a new run finds in --out; then earlier-2, ...
PAUSE = 30.0  # seconds between lines without a terminal
# What may differ between a run and its continuation
RESUMABLE = {"total_steps", "checkpoint_steps", "device", "threads", "half_batches", "tensorboard"}


class Report:
    """Progress, learning curve and checkpoints of one run.

    The curve has one entry per rollout: steps so far, share of games won among those that ended
    in it, their number, and samples per second (learning included).
    """

    def __init__(
        self, config: Config, out: Path, console: Console, suffix: str, save: Callable[[Path], None]
    ) -> None:
        """save: writes the model to the path given; suffix: of that path."""
        self.config, self.out, self.suffix, self.save_model = config, out, suffix, save
        self.curve = read_curve(out)
        self.won = self.ended = 0
        self.console = console
        self.progress = Progress(
            TextColumn("[bold]{task.completed:>9,.0f}[/] of {task.total:,.0f} steps"),
            BarColumn(),
            TextColumn("won {task.fields[won]}  {task.fields[speed]:,.0f}/s"),
            TimeRemainingColumn(),
            console=console,
        )

    def start(self, steps: int) -> None:
        """Start, or resume after `steps`."""
        total = self.config.total_steps
        self.task = self.progress.add_task("", total=total, completed=steps, won="  -  ", speed=0.0)
        self.progress.start()
        self.curve = [point for point in self.curve if point["steps"] <= steps]
        self.clock = self.printed_at = time.perf_counter()
        self.clock_steps = self.saved_at = steps

    def count(self, won: int, ended: int) -> None:
        """Count games that have ended, and how many of them were won."""
        self.won += won
        self.ended += ended

    def note(self, steps: int, statistics: Mapping[str, float] | None = None) -> dict[str, float]:
        """Record a finished rollout and its update: show progress, and save if it is time.

        statistics: further values for the point of the curve.
        """
        now = time.perf_counter()
        speed = (steps - self.clock_steps) / (now - self.clock)
        share = self.won / self.ended if self.ended else float("nan")
        point = {"steps": steps, "won": share, "games": self.ended, "speed": speed}
        point |= statistics or {}
        self.curve.append(point)
        shown = f"{share:5.1%}" if self.ended else "  -  "
        self.progress.update(self.task, completed=steps, won=shown, speed=speed)
        if not self.console.is_terminal and now - self.printed_at >= PAUSE:
            self.printed_at = now
            self.print_line(steps, shown.strip(), speed)
        self.won = self.ended = 0
        self.clock, self.clock_steps = now, steps
        if steps - self.saved_at >= self.config.checkpoint_steps:
            self.save(self.out / "checkpoints" / f"step_{steps:010d}{self.suffix}")
            self.saved_at = steps
        return point

    def print_line(self, steps: int, won: str, speed: float) -> None:
        """Print progress as a line, for output that is no terminal: a bar would show nothing."""
        total = self.config.total_steps
        minutes = max(0, total - steps) / speed / 60
        line = f"{steps:,} of {total:,} steps, won {won}, {speed:,.0f}/s, {minutes:.1f} min left"
        self.console.print(line, soft_wrap=True, highlight=False)

    def save(self, path: Path) -> None:
        """Save the model as `path` and the curve so far."""
        with uninterrupted():
            self.save_model(path)
            write_json(self.out / "curve.json", self.curve)

    def stopped(self, path: Path, steps: int) -> Interrupted:
        """Save the model of a stopped run -> the exception to raise."""
        self.stop()
        self.save(path)
        return Interrupted(f"stopped after {steps:,} steps; {path} is saved, --resume continues")

    def stop(self) -> None:
        """Stop the progress display."""
        self.progress.stop()


def tensorboard_folder(config: Config, out: Path) -> Path | None:
    """The folder of event files, if requested. ConfigError without tensorboard."""
    if not config.tensorboard:
        return None
    if find_spec("tensorboard") is None:
        raise ConfigError("tensorboard: true needs the package: pip install tensorboard")
    return out / "tensorboard"


def read_curve(out: Path) -> list[dict[str, float]]:
    """The learning curve that an earlier run left in `out`; empty if there is none.

    Raises ModelError if it is damaged.
    """
    path = out / "curve.json"
    if not path.exists():
        return []
    try:
        points = json.loads(read_text(path, MOST_CURVE))  # NaN: no game ended in that rollout
    except DocumentError as error:
        raise ModelError(f"{path}: {error}") from None
    except (ValueError, RecursionError):
        points = None
    if not isinstance(points, list) or not all(map(_is_point, points)):
        raise ModelError(f"{path}: not a learning curve; move it away to continue without it")
    return points


def _is_point(point: Any) -> bool:
    """Whether a value is a point of a curve: with steps, or generation in self-play."""
    if not isinstance(point, dict):
        return False
    return any(type(point.get(key)) is int for key in ("steps", "generation"))


# ---- resuming -----------------------------------------------------------------------------------
def last_checkpoint(out: Path, suffix: str) -> Path:
    """The newest checkpoint under `out`, or the model of an interrupted run if newer."""
    found = [*out.glob(f"checkpoints/step_*{suffix}"), *out.glob(f"model{suffix}")]
    if not found:
        raise ModelError(
            f"{out}: nothing to resume: no checkpoints/step_*{suffix} and no model{suffix}"
        )
    return max(found, key=lambda path: int(record_value(path, "steps")))


def record_value(path: Path, key: str) -> Any:
    """A key of a model's record. ModelError if it is missing."""
    record = read_record(path)
    if key not in record:
        raise ModelError(f"{path}: cannot be resumed: its record has no {key!r}")
    return record[key]


def clear_away(job: Job) -> None:
    """Delete the checkpoints of an earlier run in `job.out`, and move its model to a folder there.

    Otherwise --resume would use them. The folder is new, and named on the console.
    """
    for path in job.out.glob("checkpoints/step_*"):
        if CHECKPOINT.fullmatch(path.name):
            path.unlink()
    left = [*job.out.glob("model.*"), *job.out.glob("curve.json")]
    if left:
        names = chain([EARLIER], (f"{EARLIER}-{k}" for k in count(2)))
        folder = next(job.out / name for name in names if not (job.out / name).exists())
        folder.mkdir()
        for path in left:
            path.replace(folder / path.name)
        job.console.print(f"The model that was there is now in {folder}", soft_wrap=True)


def resumed_config(
    path: Path, source: Path | None, overrides: dict[str, str], unused: Collection[str]
) -> Config:
    """The configuration that a run continues with after the checkpoint `path`.

    It is that of the checkpoint, or of the file `source` if the command line names one, changed by
    `overrides`. unused: keys that the algorithm does not read. Raises ConfigError if any other key
    differs from the checkpoint, unless it is RESUMABLE.
    """
    begun = check_config(record_value(path, "config"), {}, path)
    given = read_config(source, {}).model_dump() if source else begun.model_dump()
    config = check_config(given, overrides, source or path)
    old, new = begun.model_dump(), config.model_dump()
    free = {*RESUMABLE, *unused}
    fixed = sorted(key for key in new if key not in free and new[key] != old[key])
    if fixed:
        changes = ", ".join(f"{key}: {shown(old[key])}, now {shown(new[key])}" for key in fixed)
        allowed = ", ".join(sorted(RESUMABLE))
        raise ConfigError(f"{path}: trained with {changes}; a resumed run may set {allowed}")
    return config


# ---- the command line ---------------------------------------------------------------------------
@dataclass(frozen=True)
class Job:
    """A training job.

    algorithm: its name; resume: the checkpoint to continue from; warm: the model to start from,
    or that a resumed run started from; force: accept either even if made for another ruleset.
    """

    algorithm: str
    config: Config
    out: Path
    console: Console
    resume: Path | None = None
    warm: Path | None = None
    force: bool = False


@dataclass(frozen=True)
class Trainer:
    """An algorithm: its configuration file and the suffix of its models; run: Job -> the model."""

    name: str
    default: Path
    suffix: str
    out: Path
    run: Callable[[Job], Path]
    warm: str = ""  # help of --from, if a run can start from a trained model
    models: str = ""  # folder of its models, below --out

    def parse(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """Parse the command line."""
        about = {"prog": "agemonia train", "description": f"Train a policy with {self.name}."}
        parser = parser_of(self.name, self.out, self.default, self.warm, **about)
        options: argparse.Namespace = parser.parse_args(arguments)
        return options

    def job(self, options: argparse.Namespace, console: Console) -> Job:
        """The job that the command line describes."""
        overrides = overrides_of(options)
        opponent = given_policy(overrides.get("opponent", ""))
        if opponent:  # of a class of one's own, with the hash of its file
            overrides["opponent"] = str(opponent)
        if self.name in TRAIN:
            check_algorithm(options.algorithm, self.name)
        if options.resume:
            resume = last_checkpoint(options.out / self.models, self.suffix)
            record = read_record(resume)
            algorithm = record.get("algorithm", self.name)
            if algorithm != self.name:
                raise ModelError(f"{resume}: a run of {algorithm}, which {self.name} cannot resume")
            config = resumed_config(resume, options.config, overrides, UNUSED[self.name])
            total = config.total_steps
            if record.get("steps", 0) >= total:
                console.print(f"All {total:,} steps are done; --total-steps asks for more")
        else:
            path = options.config or config_of(overrides.get("env", DEFAULT_ENV), self.default)
            resume, config = None, read_config(path, overrides)
        if isinstance(opponent, OwnPolicy):
            config = config.model_copy(update={"opponent": opponent})
        more = resume, options.warm, options.force
        return Job(self.name, config, options.out, console, *more)

    def main(self, arguments: Sequence[str] | None = None) -> int:
        """Run the command line -> its exit status, see `status_of`."""
        console = Console()

        def work() -> None:
            options = self.parse(arguments)
            check_out_folder(options.out)
            with locked_folder(options.out):
                job = self.job(options, console)
                check_job(job)
                compile_if_cold(console.print, job.config.env, *PARTS)
                path = self.run(job)
                with stop_message(f"{path} is saved, without its last review files"):
                    for review in reviews_of(job.config, path, options.reviews):
                        console.print(f"Written: {review}", soft_wrap=True)
            console.print(f"Saved {path}")

        return status_of("agemonia train", work, "stopped before anything was learned")


def status_of(name: str, work: Callable[[], object], stopped: str) -> int:
    """Do the work of a command: 0 = done, 2 = bad input (one line on stderr), 130 = stopped.

    stopped: what to say after Ctrl-C, unless the work says it.
    """
    try:
        with as_command():
            work()
    except (ValueError, OSError, MemoryError) as error:  # refused by configuration or machine
        print(f"{name}: {line_of(error) or 'not enough memory'}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as why:
        print(f"{name}: {str(why) or stopped}", file=sys.stderr)
        return STATUS
    return 0


def check_job(job: Job) -> None:
    """Raise ValueError for anything invalid, before anything is compiled or written.

    The teacher must exist even if the algorithm does not use it.
    """
    config, rules = job.config, ruleset_of(job.config.env)
    check_memory(config, rules)
    arguments = rules.check_arguments(**rules.chosen_arguments(**config.env_kwargs()))
    mix_entries(rules, arguments, config.mix)
    teacher_of(config, rules)


def reviews_of(config: Config, model: Path, games: int) -> list[Path]:
    """Review files of games of a model that was just trained, in the scenario of the run."""
    if not games:
        return []
    rules = ruleset_of(config.env)
    played = rules.check_arguments(**rules.chosen_arguments(**config.env_kwargs()))
    policy = policy_of(rules, str(model), side=config.side or "hero")
    return leave_reviews(rules, played, policy, range(games), model.parent)


def teacher_of(config: Config, rules: Ruleset) -> Policy:
    """The teacher in the configuration, for the side that learns."""
    side = config.side or "hero"
    scripted = rules.ENEMY_POLICIES if side == "enemy" else rules.POLICIES
    check_policy(config.teacher, scripted, what="teacher")
    return policy_of(rules, config.teacher, side=side)


def record_of(job: Job, fingerprint: str) -> dict[str, Any]:
    """The record stored with every model of a run."""
    config, begun = job.config, job.resume or job.warm
    return {
        "algorithm": job.algorithm,
        "env_id": config.env,
        "fingerprint": fingerprint,
        IDENTITY: identity_of(config.env),
        "seed": config.seed,
        "env_kwargs": config.env_kwargs(),
        "config": config.model_dump(),
        "resumed_from": str(begun) if begun else None,
    }
