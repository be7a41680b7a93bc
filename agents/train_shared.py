"""Train one network for all heroes, each a PettingZoo agent, with MaskablePPO.

    python -m agents.train_shared                               configs/shared.yaml
    python -m agents.train_shared --heroes 3 --total-steps 200000    any key as an option
    python -m agents.train_shared --env HexDungeon-v0

The heroes share parameters and reward. The hero that has to decide observes the game and its own
index; the decisions of a game, by whichever hero, are one trajectory. Training runs on
`SharedAgents`, which plays many games of the PettingZoo environment in one compiled call;
evaluation runs in the PettingZoo environment itself, next to random and greedy play of the same
games. It needs the extras `train` and `marl`.

Writes model.safetensors with model.json (what it was trained on), curve.json, evaluation.json and
checkpoints/ under --out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnvWrapper

import agemonia_env.envs.pettingzoo  # noqa: F401 - makes its environments known to pettingzoo
from agemonia_env.envs import vec_env_class
from agemonia_env.envs.agents import N_AGENT_COLUMNS, acting_agents, agent_columns
from agemonia_env.envs.sb3 import RulesetVecEnv
from agemonia_env.files.locking import locked_folder
from agemonia_env.files.stopping import stop_message
from agemonia_env.files.writing import check_out_folder, write_json
from agemonia_env.rulesets.arguments import OBSERVATION_BOUND
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.identity import IDENTITY, identity_of
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.warmup import compile_if_cold

from .config import CONFIGS, Config, ConfigError, read_config
from .evaluate import MOST_GAMES, PolicyRow, summarise, table, verdict
from .memory import check_memory
from .model_file import columns_of, save_model
from .options import number, overrides_of, parser_of
from .play import FIRST_SEED, Outcomes
from .run import status_of
from .tensor_file import SUFFIX
from .train_maskable_ppo import new_model

CONFIG = CONFIGS / "shared.yaml"
OUT = Path("runs/shared")
SIDE_BY_SIDE = 64  # PettingZoo environments during evaluation, with one network call for all
STATISTICS = ("win", "rounds", "exhausted_heroes", "damage_dealt", "damage_taken", "decisions")

# (running environments) -> an action for the selected agent of each
Chooser = Callable[[list[Any]], Sequence[Any]]


# ---- learning -------------------------------------------------------------------------------
class SharedAgents(VecEnvWrapper):
    """Games side by side, as the selected agents observe them.

    Row i equals `observe(agent_selection)` of a PettingZoo environment in the same position,
    observation and mask; at the end, `terminal_observation` is that of the agent that acted last.
    """

    venv: RulesetVecEnv

    def __init__(self, venv: RulesetVecEnv) -> None:
        shape = (venv.observation_space.shape[0] + N_AGENT_COLUMNS,)
        seen = spaces.Box(-OBSERVATION_BOUND, OBSERVATION_BOUND, shape, np.float32)
        super().__init__(venv, seen, spaces.Discrete(venv.ruleset.N_ACTIONS + 1))
        self.heroes = int(venv.compiled.content["n_heroes"][0])
        self.acting = np.zeros(venv.num_envs, np.int64)

    def reset(self) -> NDArray[np.float32]:
        """Reset all games -> observations, float32 (num_envs, n)."""
        return self._with_agents(self.venv.reset())

    def step_wait(self) -> Any:
        """Play the actions -> (observations, rewards, dones, infos)."""
        acted = agent_columns(self.acting, np.zeros(self.num_envs, np.bool_))
        observations, rewards, dones, infos = self.venv.step_wait()
        for i in np.flatnonzero(dones):
            final = infos[i]["terminal_observation"]
            infos[i]["terminal_observation"] = np.concatenate((final, acted[i]))
        return self._with_agents(observations), rewards, dones, infos

    def _with_agents(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """The observations with the columns of the acting agents."""
        states = self.venv.batch.states
        self.acting = acting_agents(self.venv.ruleset, states, self.heroes, enemy=False)
        columns = agent_columns(self.acting, np.ones(self.num_envs, np.bool_))
        return np.hstack((observations, columns))

    def env_method(self, method_name: str, *arguments: Any, **keywords: Any) -> Any:
        """Action masks, with a last column for PASS, which the acting agent cannot take."""
        masks = np.asarray(self.venv.env_method(method_name, *arguments, **keywords))
        return np.hstack((masks, np.zeros((len(masks), 1), np.bool_)))


class Curve(BaseCallback):
    """A line and a point of the curve per rollout: steps, share of games won, games ended."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self.console, self.points = console, list[dict[str, float]]()
        self.won: list[bool] = []

    def _on_step(self) -> bool:
        ended = np.flatnonzero(self.locals["dones"])
        self.won += [bool(self.locals["infos"][i]["is_success"]) for i in ended]
        return True

    def _on_rollout_end(self) -> None:
        share = float(np.mean(self.won)) if self.won else float("nan")
        point = {"steps": self.num_timesteps, "won": share, "games": len(self.won)}
        self.points.append(point)
        self.console.print(f"{self.num_timesteps:>10,} steps  won {share:6.1%}")
        self.won.clear()


class Checkpoints(BaseCallback):
    """Saves the model under checkpoints/ now and then."""

    def __init__(
        self, every: int, out: Path, record: dict[str, Any], reads: dict[str, Any]
    ) -> None:
        """every: calls of the environment between two files; record, reads: see save_model."""
        super().__init__()
        self.every, self.folder, self.facts = every, out / "checkpoints", (record, reads)

    def _on_step(self) -> bool:
        if self.n_calls % self.every == 0:
            path = self.folder / f"step_{self.num_timesteps:010d}{SUFFIX}"
            save_model(self.model, path, *self.facts)
        return True


def learn(config: Config, out: Path, console: Console) -> MaskablePPO:
    """Train with `config`; save model, record and curve under `out`."""
    rules = ruleset_of(config.env)
    played = rules.chosen_arguments(**config.env_kwargs(), observation="fitted")
    env = SharedAgents(vec_env_class(rules.env_id)(config.n_envs, seed=config.seed, **played))
    record = {
        "env_id": config.env,
        "fingerprint": env.venv.compiled.fingerprint,
        IDENTITY: identity_of(config.env),
        "seed": config.seed,
        "env_kwargs": config.env_kwargs(),
        "config": config.model_dump(),
        "pettingzoo": True,  # uses its observations and actions
    }
    model, curve = new_model(config, env), Curve(console)
    model.tensorboard_log = str(out / "tensorboard") if config.tensorboard else None
    reads = columns_of(env.venv)
    n, every = reads["n_observation"], max(config.checkpoint_steps // config.n_envs, 1)
    reads["n_observation"] = n + N_AGENT_COLUMNS
    if reads["columns"] is not None:
        reads["columns"] += range(n, n + N_AGENT_COLUMNS)
    keep = Checkpoints(every, out, record, reads)
    try:
        model.learn(config.total_steps, callback=[curve, keep])
    finally:
        env.close()
    save_model(model, out / f"model{SUFFIX}", record, reads)
    write_json(out / "curve.json", curve.points)
    return model


# ---- evaluation -----------------------------------------------------------------------------
def play(make: Callable[[], Any], seeds: Sequence[int], choose: Chooser) -> Outcomes:
    """Play the game of each core seed in an AEC environment; `choose` acts for all agents.

    Raises ValueError as `make` does.
    """
    envs = [make() for _ in range(min(SIDE_BY_SIDE, len(seeds)))]
    ended: list[dict[str, Any]] = []
    for first in range(0, len(seeds), len(envs)):
        games = list(zip(envs, seeds[first : first + len(envs)], strict=False))
        for env, seed in games:
            env.reset(options={"core_seed": int(seed)})
        running = [env for env, _ in games]
        while running:
            for env, action in zip(running, choose(running), strict=True):
                env.step(action)
            running = [env for env in running if env.asked is not None]
        ended += [env.game_info()["episode_statistics"] for env, _ in games]
    return Outcomes(*(np.array([game[name] for game in ended]) for name in STATISTICS))


def learned(model: MaskablePPO) -> Chooser:
    """Draws from the model's probabilities, given the agent's own observation."""

    def choose(envs: list[Any]) -> Sequence[Any]:
        seen = [env.observe(env.agent_selection) for env in envs]
        observations, masks = (
            np.stack([one[key] for one in seen]) for key in ("observation", "action_mask")
        )
        actions, _ = model.predict(observations, action_masks=masks)
        answers: list[int] = actions.tolist()
        return answers

    return choose


def scripted(policy: int) -> Chooser:
    """Takes the action of a compiled policy, given by its number."""

    def answer(env: Any) -> int:
        game, action = env.game, np.zeros(1, np.int64)
        content, which = game.compiled.content, np.zeros(1, np.int16)
        game.ruleset.api.choose_actions(game.states, content, which, policy, action)
        return int(action[0])

    return lambda envs: [answer(env) for env in envs]


def judge(
    config: Config, make: Callable[[], Any], model: MaskablePPO, games: int
) -> list[PolicyRow]:
    """Rows for random, greedy and trained play of the same games."""
    seeds = range(FIRST_SEED, FIRST_SEED + games)
    policies = ruleset_of(config.env).POLICIES
    choosers = {name: scripted(int(policies[name])) for name in ("random", "greedy")}
    rows = []
    for name, choose in (choosers | {"trained": learned(model)}).items():
        start = time.perf_counter()
        rows.append(summarise(name, play(make, seeds, choose), time.perf_counter() - start))
    return rows


# ---- the command line -----------------------------------------------------------------------
def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; see the module docstring."""
    about = {"prog": "train_shared", "description": "Train one network for all heroes."}
    parser = parser_of("shared", OUT, CONFIG, **about)
    games = number(1, MOST_GAMES)
    parser.add_argument(
        "--games", type=games, default=1000, help="Games to evaluate (%(default)s)."
    )
    options: argparse.Namespace = parser.parse_args(arguments)
    return options


def run(options: argparse.Namespace, console: Console) -> list[PolicyRow]:
    """Train, evaluate, and write the results under `options.out`."""
    config = read_config(options.config or CONFIG, overrides_of(options))
    if config.env not in RULESETS:
        raise ConfigError(f"env: {config.env!r}: must be one of {', '.join(RULESETS)}")
    check_memory(config, ruleset_of(config.env))
    compile_if_cold(console.print, config.env)
    rules = ruleset_of(config.env)
    played = rules.chosen_arguments(**config.env_kwargs(), observation="fitted")

    def make() -> Any:
        return pettingzoo.make("aec", config.env, **played)

    agents = make().possible_agents  # raises for invalid arguments before any training
    th.set_num_threads(config.threads)
    model = learn(config, options.out, console)
    rows = judge(config, make, model, options.games)
    write_json(options.out / "evaluation.json", [asdict(row) for row in rows])
    title = f"{', '.join(agents)}: {options.games:,} games in PettingZoo's AEC environment"
    console.print(table(rows, title))
    console.print(verdict(rows))
    console.print(f"Written: {options.out / f'model{SUFFIX}'}, {options.out / 'evaluation.json'}")
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line -> its exit status, see run.status_of."""

    def work() -> None:
        options = parse(arguments)
        check_out_folder(options.out)
        with (
            stop_message(f"{options.out} has the last checkpoint"),
            locked_folder(options.out),
        ):
            run(options, Console())

    return status_of("train_shared", work, "stopped")


if __name__ == "__main__":
    sys.exit(main())
