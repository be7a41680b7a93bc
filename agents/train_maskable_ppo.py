"""Train a policy with MaskablePPO on the native Stable-Baselines3 vector environment.

    python -m agents.train_maskable_ppo                             configs/maskable_ppo.yaml
    python -m agents.train_maskable_ppo --env HexDungeon-v0         configs/hexdungeon.yaml
    python -m agents.train_maskable_ppo --config agents/configs/enemy.yaml --out runs/enemy
    python -m agents.train_maskable_ppo --config agents/configs/random.yaml --out runs/random
    python -m agents.train_maskable_ppo --total-steps 200000        any key on the command line
    python -m agents.train_maskable_ppo --resume                    go on from the last checkpoint

Writes model.zip with model.json (what it was trained on), curve.json (the learning curve) and
checkpoints/ under --out. Ctrl-C saves the model as it is.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch as th
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, configure
from stable_baselines3.common.utils import LinearSchedule

from agemonia_env.envs.faces.sb3 import RulesetVecEnv
from agemonia_env.envs.ruleset import DEFAULT as DEFAULT_ENV
from agemonia_env.envs.ruleset import ruleset_of
from agemonia_env.warmup import compile_if_cold

from .columns import Columns, ColumnsBuffer, changing_columns
from .config import Config, ConfigError, add_overrides, check_config, config_of, read_config
from .fastmask import use_fast_masks
from .model_file import ModelError, load_model, read_record, save_model, write_json
from .play import scenarios_of

OUT = Path("runs/maskable_ppo")
# What may differ between a run and its continuation
RESUMABLE = {"total_steps", "checkpoint_steps", "threads", "tensorboard"}


class Report(BaseCallback):
    """Progress bar, learning curve and checkpoints of one run.

    The curve has one entry per rollout: steps so far, share of games won among those that ended
    in it, their number, and samples per second (learning included).
    """

    def __init__(self, config: Config, out: Path, record: dict[str, Any], console: Console) -> None:
        super().__init__()
        self.config, self.out, self.record = config, out, record
        self.curve = read_curve(out)
        self.won = self.ended = 0
        self.progress = Progress(
            TextColumn("[bold]{task.completed:>9,.0f}[/] of {task.total:,.0f} steps"),
            BarColumn(),
            TextColumn("won {task.fields[won]}  {task.fields[speed]:,.0f}/s"),
            TimeRemainingColumn(),
            console=console,
        )

    def _on_training_start(self) -> None:
        self.task = self.progress.add_task(
            "", total=self.config.total_steps, completed=self.num_timesteps, won="  -  ", speed=0.0
        )
        self.progress.start()
        self.curve = [point for point in self.curve if point["steps"] <= self.num_timesteps]
        self.saved_at = self.num_timesteps
        self.clock = time.perf_counter()
        self.clock_steps = self.num_timesteps

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        for env in self.locals["dones"].nonzero()[0]:
            self.ended += 1
            self.won += bool(infos[env]["is_success"])
        return True

    def _on_rollout_start(self) -> None:
        self.note()

    def _on_training_end(self) -> None:
        self.note()

    def note(self) -> None:
        """One rollout and the learning from it are complete: show them, and save if it is time."""
        if self.num_timesteps == self.clock_steps:
            return
        now = time.perf_counter()
        speed = (self.num_timesteps - self.clock_steps) / (now - self.clock)
        share = self.won / self.ended if self.ended else float("nan")
        point = {"steps": self.num_timesteps, "won": share, "games": self.ended, "speed": speed}
        self.curve.append(point)
        self.logger.record("game/won", share)
        self.logger.record("game/samples_per_second", speed)
        shown = f"{share:5.1%}" if self.ended else "  -  "
        self.progress.update(self.task, completed=self.num_timesteps, won=shown, speed=speed)
        self.won = self.ended = 0
        self.clock, self.clock_steps = now, self.num_timesteps
        if self.num_timesteps - self.saved_at >= self.config.checkpoint_steps:
            self.save(self.out / "checkpoints" / f"step_{self.num_timesteps:010d}.zip")
            self.saved_at = self.num_timesteps

    def save(self, path: Path) -> None:
        """Save the model as `path` and the curve so far."""
        save_model(self.model, path, self.record)
        write_json(self.out / "curve.json", self.curve)

    def stop(self) -> None:
        """Leave the terminal as it was."""
        self.progress.stop()


def read_curve(out: Path) -> list[dict[str, float]]:
    """The learning curve that an earlier run left in `out`; empty if there is none."""
    try:
        return list(json.loads((out / "curve.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return []


def make_env(config: Config, seed: int) -> RulesetVecEnv:
    """The vector environment of `config`; game i starts from seed + i."""
    rules = ruleset_of(config.env)
    played = rules.given(**config.env_kwargs())
    env = rules.vec_env_class()(config.n_envs, **played)
    env.seed(seed)
    return env


def logger(config: Config, out: Path) -> Logger:
    """Where numbers go besides the curve: nowhere, or to tensorboard files."""
    if not config.tensorboard:
        return Logger(None, [])
    if find_spec("tensorboard") is None:
        raise ConfigError("tensorboard: true needs the package: pip install tensorboard")
    return configure(str(out / "tensorboard"), ["tensorboard"])


def new_model(config: Config, env: RulesetVecEnv) -> MaskablePPO:
    """An untrained MaskablePPO as `config` says."""
    rate = LinearSchedule(config.learning_rate, config.learning_rate_end, 1.0)
    content = scenarios_of(env.arguments, env.arguments.scenario_seeds())
    columns = changing_columns(env.ruleset, content, seating=env.arguments.seating())
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=rate,
        rollout_buffer_class=ColumnsBuffer,
        rollout_buffer_kwargs={"columns": columns},
        policy_kwargs={
            "net_arch": config.net_arch,
            "features_extractor_class": Columns,
            "features_extractor_kwargs": {"columns": columns},
        },
        device="cpu",
        **config.algorithm_kwargs(),
    )


def last_checkpoint(out: Path) -> Path:
    """The newest checkpoint under `out`, or the model that an interrupted run saved if newer."""
    found = [*out.glob("checkpoints/step_*.zip"), *out.glob("model.zip")]
    found = [path for path in found if not path.name.endswith(".partial.zip")]
    if not found:
        raise ModelError(f"{out}: nothing to resume: no checkpoints/step_*.zip and no model.zip")
    return max(found, key=lambda path: int(read_record(path)["steps"]))


def delete_checkpoints(out: Path) -> None:
    """Clear away what an earlier run left in `out`: --resume must not take that for its own."""
    for path in out.glob("checkpoints/step_*"):
        path.unlink()


def train(config: Config, out: Path, *, resume: Path | None, force: bool, console: Console) -> Path:
    """Train as `config` says, from `resume` if given; returns the path of the saved model."""
    th.set_num_threads(config.threads)
    start = int(read_record(resume)["steps"]) if resume else 0
    env = make_env(config, config.seed + start)  # a resumed run goes on to other games
    fingerprint = env.compiled.fingerprint
    if resume:
        model, _ = load_model(resume, fingerprint, force=force, env=env)
    else:
        model = use_fast_masks(new_model(config, env))
        delete_checkpoints(out)
    model.set_logger(logger(config, out))
    record = {
        "env_id": config.env,
        "fingerprint": fingerprint,
        "seed": config.seed,
        "env_kwargs": config.env_kwargs(),
        "config": config.model_dump(),
        "resumed_from": str(resume) if resume else None,
    }
    report = Report(config, out, record, console)
    path = out / "model.zip"
    try:
        if config.total_steps > start:
            model.learn(config.total_steps - start, callback=report, reset_num_timesteps=not resume)
    except KeyboardInterrupt:
        report.stop()
        console.print(f"Stopped after {model.num_timesteps:,} steps; --resume goes on from here.")
    finally:
        report.stop()
        env.close()
    report.model = model
    report.save(path)
    return path


def resumed_config(path: Path, overrides: dict[str, str]) -> Config:
    """The configuration that the checkpoint `path` was trained with, changed by `overrides`."""
    fixed = sorted(set(overrides) - RESUMABLE)
    if fixed:
        allowed = ", ".join(sorted(RESUMABLE))
        raise ConfigError(f"{', '.join(fixed)}: fixed by {path}; a resumed run may set {allowed}")
    return check_config(read_record(path)["config"], overrides, path)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line; see the head of this file."""
    parser = argparse.ArgumentParser(prog="agemonia train", description="Train a policy.")
    parser.add_argument("--config", type=Path, help="YAML file (that of the environment)")
    parser.add_argument("--out", type=Path, default=OUT, help="folder for results (%(default)s)")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--force", action="store_true", help="accept a model of another ruleset")
    add_overrides(parser)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 = trained, 2 = bad input, told in one line on stderr."""
    options = parse(arguments)
    overrides = {
        key: value for key in Config.model_fields if (value := getattr(options, key)) is not None
    }
    console = Console()
    try:
        if options.resume:
            resume = last_checkpoint(options.out)
            config = resumed_config(resume, overrides)
        else:
            path = options.config or config_of(overrides.get("env", DEFAULT_ENV))
            resume, config = None, read_config(path, overrides)
        compile_if_cold(console.print, config.env)
        path = train(config, options.out, resume=resume, force=options.force, console=console)
    except ValueError as error:  # ConfigError, ModelError, and what the environment refuses
        print(f"agemonia train: {error}", file=sys.stderr)
        return 2
    console.print(f"Saved {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
