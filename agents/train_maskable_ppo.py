"""Train a policy with MaskablePPO on the native Stable-Baselines3 vector environment.

    python -m agents.train_maskable_ppo                             configs/maskable_ppo.yaml
    python -m agents.train_maskable_ppo --env HexDungeon-v0         configs/hexdungeon.yaml
    python -m agents.train_maskable_ppo --config agents/configs/enemy.yaml --out runs/enemy
    python -m agents.train_maskable_ppo --config agents/configs/random.yaml --out runs/random
    python -m agents.train_maskable_ppo --total-steps 200000        any key as an option
    python -m agents.train_maskable_ppo --resume                    resume the last checkpoint

Writes model.safetensors with model.json (what it was trained on), curve.json (the learning curve)
and checkpoints/ under --out. Ctrl-C saves the current model.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch as th
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, configure
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import VecEnv

from agemonia_env.envs import vec_env_class
from agemonia_env.envs.sb3 import RulesetVecEnv
from agemonia_env.policies.model_record import ModelError
from agemonia_env.policies.named import check_model
from agemonia_env.policies.network import check_ruleset
from agemonia_env.rulesets.ruleset import ruleset_of

from .config import DEFAULT, Config
from .device import device_of
from .fastmask import use_fast_masks
from .model_file import check_sizes, columns_of, read_record, restore, save_model
from .run import OVERRIDE_HINT, Job, Report, Trainer, clear_away, record_of, tensorboard_folder
from .tensor_file import SUFFIX

OUT = Path("runs/maskable_ppo")


class Reporting(BaseCallback):
    """Passes the model's progress to a Report."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report

    def _on_training_start(self) -> None:
        self.report.start(self.num_timesteps)

    def _on_step(self) -> bool:
        ended = self.locals["dones"].nonzero()[0]
        won = sum(bool(self.locals["infos"][env]["is_success"]) for env in ended)
        self.report.count(won, len(ended))
        return True

    def _on_rollout_start(self) -> None:
        self.note()

    def _on_training_end(self) -> None:
        self.note()

    def note(self) -> None:
        """One rollout and the learning from it are complete."""
        if self.num_timesteps == self.report.clock_steps:
            return
        point = self.report.note(self.num_timesteps)
        self.logger.record("game/won", point["won"])
        self.logger.record("game/samples_per_second", point["speed"])


def make_env(config: Config, seed: int) -> RulesetVecEnv:
    """The vector environment of `config`; game i starts from seed + i."""
    rules = ruleset_of(config.env)
    played = rules.chosen_arguments(**config.env_kwargs(), observation="fitted")
    env = vec_env_class(rules.env_id)(config.n_envs, mix=config.mix, **played)
    env.seed(seed)
    return env


def logger(config: Config, out: Path) -> Logger:
    """The logger: to tensorboard files if enabled, else nowhere."""
    folder = tensorboard_folder(config, out)
    return configure(str(folder), ["tensorboard"]) if folder else Logger(None, [])


def new_model(config: Config, env: VecEnv) -> MaskablePPO:
    """An untrained MaskablePPO for `config`."""
    rate = LinearSchedule(config.learning_rate, config.learning_rate_end, 1.0)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=rate,
        policy_kwargs={"net_arch": config.net_arch},
        device=device_of(config),
        **config.algorithm_kwargs(),
    )
    return use_fast_masks(model)


def run(job: Job) -> Path:
    """Run the job; returns the path of the saved model."""
    config, out, resume = job.config, job.out, job.resume
    th.set_num_threads(config.threads)
    begun: dict[str, Any] = read_record(resume) if resume else {"steps": 0}
    start = int(begun["steps"])
    env = make_env(config, config.seed + start)  # a resumed run plays other games
    fingerprint, reads = env.compiled.fingerprint, columns_of(env)
    if resume:
        check_model(begun, env.ruleset, resume, force=job.force, override_hint=OVERRIDE_HINT)
        check_ruleset(begun, fingerprint, path=resume, force=job.force)
        check_sizes(begun, env.ruleset, resume)
        if (begun.get("network") or {}).get("columns") != reads["columns"]:
            raise ModelError(
                f"{resume}: reads other columns of the observation than these games have now; "
                "train it again without --resume"
            )
        model = new_model(config, env)
        restore(model, resume, begun)
    else:
        model = new_model(config, env)
        clear_away(job)
    model.set_logger(logger(config, out))
    record = record_of(job, fingerprint)

    def save(path: Path) -> None:
        save_model(model, path, record, reads)

    report = Report(config, out, job.console, SUFFIX, save)
    path = out / f"model{SUFFIX}"
    try:
        if config.total_steps > start:
            left = config.total_steps - start
            model.learn(left, callback=Reporting(report), reset_num_timesteps=not resume)
    except KeyboardInterrupt:
        raise report.stopped(path, model.num_timesteps) from None
    finally:
        report.stop()
        env.close()
    report.save(path)
    return path


main = Trainer("maskable_ppo", DEFAULT, SUFFIX, OUT, run).main

if __name__ == "__main__":
    sys.exit(main())
