"""The training configuration: what the YAML file may say, and the same on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agemonia_env.envs.ruleset import DEFAULT as DEFAULT_ENV

CONFIGS = Path(__file__).resolve().parent / "configs"
DEFAULT = CONFIGS / "maskable_ppo.yaml"
LEAN = CONFIGS / "ppo.yaml"
OF_ENV = {"HexDungeon-v0": CONFIGS / "hexdungeon.yaml"}  # an environment that learns otherwise

Positive = Annotated[int, Field(gt=0)]
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
# What to play, of all the arguments of an environment; without one its own default holds.
PLAYED = (
    *("pack", "scenario", "scenario_seed", "heroes", "level", "difficulty"),
    *("side", "opponent", "enemy_will"),
)
MIX = "mix"


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names file, key and what is allowed."""


class Tokens(BaseModel):
    """Sizes of the network of agents/attention.py: numbers of a token, layers, heads of each."""

    model_config = ConfigDict(extra="forbid")

    size: Positive = 64
    layers: Positive = 2
    heads: Positive = 4


class Config(BaseModel):
    """One training run; the comments are in configs/ppo.yaml."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    env: str = DEFAULT_ENV
    pack: str | None = None
    scenario: str | None = None
    scenario_seed: int | Literal["train", "test"] | tuple[int, int] | None = None
    heroes: int | list[str] | None = None
    level: int | None = None
    difficulty: str | None = None
    mix: list[dict[str, Any]] | None = None
    ties: Literal["auto", "ask"]
    side: Literal["hero", "enemy"] | None = None
    opponent: str | None = None
    enemy_will: Literal["card", "free"] | None = None
    reward: Literal["sparse", "shaped"]
    total_steps: Positive
    n_envs: Positive
    checkpoint_steps: Positive
    seed: Annotated[int, Field(ge=0, lt=2**32)]
    n_steps: Positive
    batch_size: Positive
    n_epochs: Positive
    learning_rate: Annotated[float, Field(gt=0.0)]
    learning_rate_end: Annotated[float, Field(ge=0.0)]
    gamma: Fraction
    gae_lambda: Fraction
    clip_range: Fraction
    ent_coef: Annotated[float, Field(ge=0.0)]
    vf_coef: Annotated[float, Field(ge=0.0)]
    max_grad_norm: Annotated[float, Field(gt=0.0)]
    net_arch: list[Positive]
    tokens: Tokens = Tokens()
    bfloat16: bool = True
    teacher: str = "greedy"
    own_share: Fraction = 0.25
    imitation_steps: Annotated[int, Field(ge=0)] = 0
    threads: Positive
    tensorboard: bool

    def env_kwargs(self) -> dict[str, Any]:
        """Keywords of the environment."""
        found = {name: getattr(self, name) for name in (*PLAYED, "ties", "reward", "gamma")}
        return {name: value for name, value in found.items() if value is not None}

    def algorithm_kwargs(self) -> dict[str, Any]:
        """Keywords of MaskablePPO that are taken as they stand here."""
        names = ("n_steps", "batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range")
        more = ("ent_coef", "vf_coef", "max_grad_norm", "seed")
        return {name: getattr(self, name) for name in (*names, *more)}


def add_overrides(parser: argparse.ArgumentParser) -> None:
    """One option per key of Config, its value written as in the YAML file."""
    group = parser.add_argument_group("overrides of the configuration file")
    for name in Config.model_fields:
        group.add_argument("--" + name.replace("_", "-"), dest=name, metavar="VALUE")


def config_of(env: str, default: Path = DEFAULT) -> Path:
    """The file for an environment where none is named; default: that of the first environment."""
    return OF_ENV.get(env, default)


def read_config(path: Path, overrides: dict[str, str]) -> Config:
    """The configuration in `path` with `overrides` ({key: YAML text}) put on top."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: not a mapping of keys to values")
    return check_config(content, overrides, path)


def check_config(content: dict[str, Any], overrides: dict[str, str], source: Path) -> Config:
    """`content` with `overrides` on top, checked; every error at once, naming `source` and keys.

    Where another environment goes on top, what `content` says about the play does not hold for it.
    """
    try:
        values = {key: yaml.safe_load(text) for key, text in overrides.items()}
        if values.get("env", content.get("env")) != content.get("env"):
            content = {key: value for key, value in content.items() if key not in (*PLAYED, MIX)}
        return Config.model_validate(content | values)
    except yaml.YAMLError as error:
        raise ConfigError(f"command line: not YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        found = "; ".join(
            f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()
        )
        raise ConfigError(f"{source}: {found}") from None
