"""The training configuration: what the YAML file may say, and the same on the command line.

Every key is declared here once: type, range, a sentence for --help.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from agemonia_env.cli.choices import party, seeds_of
from agemonia_env.display.messages import in_line, not_allowed, shown
from agemonia_env.files.documents import DocumentError, Place, parse_yaml
from agemonia_env.packs.folders import read_yaml, reasons
from agemonia_env.rulesets.doors import DEFAULT as DEFAULT_ENV
from agemonia_env.rulesets.doors import RULESETS

CONFIGS = Path(__file__).resolve().parent / "configs"
DEFAULT = CONFIGS / "maskable_ppo.yaml"
LEAN = CONFIGS / "ppo.yaml"
OF_ENV = {"HexDungeon-v0": CONFIGS / "hexdungeon.yaml"}  # an environment that learns otherwise

# What to play, of all the arguments of an environment; without one its own default holds.
PLAYED = (
    *("pack", "scenario", "scenario_seed", "heroes", "level", "difficulty"),
    *("side", "opponent", "enemy_will"),
)
MIX = "mix"
MOST_STEPS = 10**12
MOST_KINDS = 256  # of games in a mix
MOST_TOLD = 8  # mistakes in one message


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names file, key and what is allowed."""


Units = Annotated[int, Field(strict=True, ge=1, le=2**14)]


class Checked(BaseModel):
    """Numbers are numbers, not texts or true; 1e6 is a whole one. No key is unknown."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _is_number(cls, value: Any, info: ValidationInfo) -> Any:
        is_word = isinstance(value, bool | str)
        if is_word and cls.model_fields[str(info.field_name)].annotation in (int, float):
            raise ValueError(f"must be a number; it is {shown(value)}")
        return value


class Tokens(Checked):
    """Sizes of the network of agents/attention.py: numbers of a token, layers, heads of each."""

    size: int = Field(default=64, ge=1, le=1024)
    layers: int = Field(default=2, ge=1, le=32)
    heads: int = Field(default=4, ge=1, le=64)

    @model_validator(mode="after")
    def _heads_share_a_token(self) -> Self:
        if self.size % self.heads:
            raise ValueError(f"size {self.size} must be a multiple of heads {self.heads}")
        return self


class Config(Checked):
    """One training run; every key is an option of the command line, too."""

    # What to play: keywords of the environment
    env: str = Field(DEFAULT_ENV, description="The environment.")
    pack: str | None = Field(None, description="Content pack, by name or folder.")
    scenario: str | None = Field(None, description="Scenario of the pack, or random.")
    scenario_seed: int | str | tuple[int, int] | None = Field(
        None, description="What random scenarios are drawn from: train, a seed, or FIRST-LAST."
    )
    heroes: int | list[str | dict[str, Any]] | None = Field(
        None, description="How many heroes, or their names with commas."
    )
    level: int | None = Field(None, description="Level of the heroes, or of a HexDungeon scenario.")
    difficulty: str | None = Field(None, description="easy, normal, hard or brutal.")
    mix: list[dict[str, Any]] | None = Field(
        None,
        max_length=MOST_KINDS,
        description="Kinds of games, of which each game is one: [{scenario: ford}, "
        "{scenario: beacon, weight: 2}].",
    )
    ties: Literal["auto", "ask"] = Field(description="Whether ties settle themselves.")
    side: Literal["hero", "enemy"] | None = Field(None, description="The side that learns.")
    opponent: str | None = Field(
        None, description="Policy of the other side, where it has anything to decide."
    )
    enemy_will: Literal["card", "free"] | None = Field(
        None, description="Whether enemies follow their cards or choose destinations and targets."
    )
    reward: Literal["sparse", "shaped"] = Field(
        description="sparse: 1 won, -1 lost; shaped: with a potential that keeps the best policy."
    )

    # How much
    total_steps: int = Field(ge=1, le=MOST_STEPS, description="Decisions in all games together.")
    n_envs: int = Field(ge=1, le=10**9, description="Games side by side.")
    checkpoint_steps: int = Field(ge=1, le=MOST_STEPS, description="Decisions between checkpoints.")
    seed: int = Field(ge=0, lt=2**32, description="Fixes games and networks.")

    # Proximal policy optimisation
    n_steps: int = Field(ge=1, le=10**6, description="Decisions of a game in a rollout.")
    batch_size: int = Field(ge=2, le=10**7, description="Decisions in a minibatch.")
    n_epochs: int = Field(ge=1, le=1000, description="Passes over a rollout.")
    learning_rate: float = Field(gt=0, le=1, description="Step size of Adam at the start.")
    learning_rate_end: float = Field(
        ge=0, le=1, description="Step size at the end; in between it changes linearly."
    )
    gamma: float = Field(ge=0, le=1, description="Discount of a decision.")
    gae_lambda: float = Field(ge=0, le=1, description="Lambda of generalised advantage estimation.")
    clip_range: float = Field(
        gt=0, le=1, description="How far the probability ratio may move in a rollout."
    )
    ent_coef: float = Field(ge=0, le=10, description="Weight of the entropy bonus.")
    vf_coef: float = Field(ge=0, le=100, description="Weight of the value loss.")
    max_grad_norm: float = Field(
        gt=0, le=1000, description="Longest gradient; above, it is scaled."
    )

    # The network
    net_arch: list[Units] = Field(
        max_length=16, description="Units of the hidden layers; of policy and value each."
    )
    tokens: Tokens = Field(
        Tokens(), description="Size of a token, layers of attention, and heads of each."
    )

    # Imitation
    teacher: str = Field("greedy", description="Policy to imitate, such as planner:20.")
    own_share: float = Field(
        0.25, ge=0, le=1, description="Share of games in which the learner's decisions are played."
    )
    imitation_steps: int = Field(
        0, ge=0, le=MOST_STEPS, description="Decisions of each side to imitate first; 0 for none."
    )

    # The machine
    threads: int = Field(
        ge=1, le=256, description="Threads of torch; more than one loses where cores are shared."
    )
    bfloat16: bool = Field(True, description="Multiply matrices in half the digits.")
    tensorboard: bool = Field(description="Write event files to OUT/tensorboard.")

    @field_validator("env")
    @classmethod
    def _env_exists(cls, name: str) -> str:
        if name not in RULESETS:
            raise ValueError(not_allowed(name, RULESETS))
        return name

    @field_validator("heroes", mode="before")
    @classmethod
    def _names_with_commas(cls, value: Any) -> Any:
        return party(value) if isinstance(value, str) else value

    @field_validator("scenario_seed", mode="before")
    @classmethod
    def _first_to_last(cls, value: Any) -> Any:
        return seeds_of(value) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _a_rollout_has_several(self) -> Self:
        if self.n_envs * self.n_steps < 2:
            raise ValueError("n_envs times n_steps must be at least 2: one decision has no spread")
        return self

    def env_kwargs(self) -> dict[str, Any]:
        """Keywords of the environment."""
        found = {name: getattr(self, name) for name in (*PLAYED, "ties", "reward", "gamma")}
        return {name: value for name, value in found.items() if value is not None}

    def algorithm_kwargs(self) -> dict[str, Any]:
        """Keywords of MaskablePPO that are taken as they stand here."""
        names = ("n_steps", "batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range")
        more = ("ent_coef", "vf_coef", "max_grad_norm", "seed")
        return {name: getattr(self, name) for name in (*names, *more)}


def option(key: str) -> str:
    """The option of a key: `--total-steps`."""
    return "--" + key.replace("_", "-")


def config_of(env: str, default: Path = DEFAULT) -> Path:
    """The file for an environment where none is named; default: that of the first environment."""
    return OF_ENV.get(env, default)


def read_config(path: Path, overrides: Mapping[str, str]) -> Config:
    """The configuration in `path` with `overrides` ({key: YAML text}) put on top."""
    try:
        content = read_yaml(path)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: not a mapping of keys to values")
    return check_config(content, overrides, path)


def check_config(content: dict[str, Any], overrides: Mapping[str, str], source: Path) -> Config:
    """`content` with `overrides` on top, checked; every error at once.

    Each names what is to be mended: the option, or `source` and the key. Where another environment
    goes on top, what `content` says about the play does not hold for it.
    """
    values = {key: _typed(key, text) for key, text in overrides.items()}
    if values.get("env", content.get("env")) != content.get("env"):
        content = {key: value for key, value in content.items() if key not in (*PLAYED, MIX)}
    try:
        return Config.model_validate(content | values)
    except ValidationError as error:
        found = reasons(Config, error)
        told = [f"{_blamed(place, overrides, source)}: {reason}" for place, reason in found]
        more = [f"{len(told) - MOST_TOLD} more mistakes"] if len(told) > MOST_TOLD else []
        raise ConfigError("; ".join([*told[:MOST_TOLD], *more])) from None


def _typed(key: str, text: str) -> Any:
    """The value of an option. Raises ConfigError that names it."""
    try:
        return parse_yaml(text).value
    except DocumentError as error:
        raise ConfigError(f"{option(key)} {shown(text)}: {error.reason}") from None


def _blamed(place: Place, overrides: Mapping[str, str], source: Path) -> str:
    """Where a mistake was made: an option, or a key of the file."""
    key = ".".join(map(in_line, place))
    if place and place[0] in overrides:
        return option(str(place[0])) if len(place) == 1 else f"{option(str(place[0]))}: {key}"
    return f"{source}: {key}" if key else str(source)
