"""The training configuration, from a YAML file and the command line.

Every key is declared here once: type, range, and a sentence for --help.
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
from agemonia_env.display.messages import choices, in_line, not_allowed, shown
from agemonia_env.files.documents import DocumentError, Place, parse_yaml
from agemonia_env.packs.folders import read_yaml, reasons
from agemonia_env.policies.planner import TRUST
from agemonia_env.rulesets.doors import DEFAULT as DEFAULT_ENV
from agemonia_env.rulesets.doors import RULESETS

CONFIGS = Path(__file__).resolve().parent / "configs"
DEFAULT = CONFIGS / "maskable_ppo.yaml"
LEAN = CONFIGS / "ppo.yaml"
FLAT = CONFIGS / "flat.yaml"
OF_ENV = {"HexDungeon-v0": CONFIGS / "hexdungeon.yaml"}  # environments with their own defaults

# Arguments of the environment that say what is played; without one, its own default applies.
PLAYED = (
    *("pack", "scenario", "scenario_seed", "generator", "heroes", "level", "difficulty"),
    *("side", "opponent", "enemy_will"),
)
MIX = "mix"
POLICY = "random, greedy, planner:20, generalist, a model file, likeliest:FILE"
MOST_STEPS = 10**12
MOST_KINDS = 256  # kinds of games in a mix
MOST_TOLD = 8  # mistakes in one message


class ConfigError(ValueError):
    """An unusable configuration; the message names file, key and allowed values."""


Units = Annotated[int, Field(strict=True, ge=1, le=2**14)]


class Config(BaseModel):
    """One training run; every key is also a command-line option.

    Unknown keys are refused, and texts or booleans for numbers; 1e6 is a whole number.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    # What to play: arguments of the environment
    env: str = Field(DEFAULT_ENV, description="The environment.")
    pack: str | None = Field(None, description="Content pack, by name or folder.")
    scenario: str | None = Field(None, description="Scenario of the pack, or random.")
    scenario_seed: int | str | tuple[int, int] | None = Field(
        None, description="Scenario seeds: a number, FIRST-LAST, train or test."
    )
    generator: str | dict[str, Any] | None = Field(
        None, description="Of scenario random: varied, or settings of its knobs."
    )
    heroes: int | list[str | dict[str, Any]] | None = Field(
        None, description="Number of heroes, or their names, separated by commas."
    )
    level: int | None = Field(None, description="Level of the heroes, or of a HexDungeon scenario.")
    difficulty: str | None = Field(None, description="easy, normal, hard or brutal.")
    mix: list[dict[str, Any]] | None = Field(
        None,
        max_length=MOST_KINDS,
        description="Kinds of games, one of which is drawn for each game: [{scenario: ford}, "
        "{scenario: beacon, weight: 2}].",
    )
    ties: Literal["auto", "ask"] = Field(
        description="auto: settle ties automatically; ask: they are decisions."
    )
    side: Literal["hero", "enemy"] | None = Field(None, description="The side that learns.")
    opponent: str | None = Field(
        None,
        description=f"Policy of the other side, if it decides anything: {POLICY}; on a command "
        "line my_file.py:Mine, too.",
    )
    enemy_will: Literal["card", "free"] | None = Field(
        None,
        description="card: enemies follow their cards; free: a policy chooses where and whom.",
    )
    reward: Literal["sparse", "shaped"] = Field(
        description="sparse: +1 won, -1 lost; shaped: plus a potential that keeps the best policy."
    )

    # How much
    total_steps: int = Field(ge=1, le=MOST_STEPS, description="Decisions, in all games together.")
    n_envs: int = Field(ge=1, le=10**9, description="Games side by side.")
    checkpoint_steps: int = Field(ge=1, le=MOST_STEPS, description="Decisions between checkpoints.")
    seed: int = Field(ge=0, lt=2**32, description="Seed of games and networks.")

    # Proximal policy optimisation
    n_steps: int = Field(ge=1, le=10**6, description="Decisions per game in a rollout.")
    batch_size: int = Field(ge=2, le=10**7, description="Decisions in a minibatch.")
    n_epochs: int = Field(ge=1, le=1000, description="Passes over each rollout.")
    learning_rate: float = Field(gt=0, le=1, description="Step size of Adam at the start.")
    learning_rate_end: float = Field(
        ge=0, le=1, description="Step size at the end; it changes linearly."
    )
    gamma: float = Field(ge=0, le=1, description="Discount per decision.")
    gae_lambda: float = Field(ge=0, le=1, description="Lambda of generalised advantage estimation.")
    clip_range: float = Field(gt=0, le=1, description="Clipping range of the probability ratio.")
    ent_coef: float = Field(ge=0, le=10, description="Weight of the entropy bonus.")
    vf_coef: float = Field(ge=0, le=100, description="Weight of the value loss.")
    max_grad_norm: float = Field(
        gt=0, le=1000, description="Gradients with a larger norm are scaled down."
    )

    # The network
    net_arch: list[Units] = Field(
        max_length=16,
        description="Units of the hidden layers; a network to start from may be narrower.",
    )
    action_features: bool = Field(
        False,
        description="Score each legal action by what it is and does; the network plays any "
        "scenario.",
    )
    greedy_prior: float = Field(
        4.0,
        ge=0,
        le=100,
        description="With action_features: the logit of greedy play's choice at the start; 0: all "
        "actions start equally likely.",
    )

    # Imitation
    teacher: str = Field("greedy", description=f"Policy to imitate: {POLICY}.")
    own_share: float = Field(
        0.25, ge=0, le=1, description="Share of games that the learner plays itself."
    )
    trust: float = Field(
        TRUST, ge=0, le=1, description="Weight of the network's value in what a search finds."
    )
    imitation_steps: int = Field(
        0, ge=0, le=MOST_STEPS, description="Decisions of each side to imitate first; 0: none."
    )

    # The machine
    device: str = Field(
        "auto", description="Of torch: auto (cuda where there is one, else cpu), cpu, cuda, cuda:1."
    )
    threads: int = Field(
        ge=1, le=256, description="Threads of torch; more than one is slower if cores are shared."
    )
    half_batches: bool = Field(
        False,
        description="Play two halves of the games in turn: threads play one while the network "
        "reads the other.",
    )
    bfloat16: bool | Literal["auto"] = Field(
        "auto",
        description="Multiply matrices as bfloat16; auto: if the device has instructions for it.",
    )
    tensorboard: bool = Field(description="Write event files to OUT/tensorboard.")

    @field_validator("*", mode="before")
    @classmethod
    def _is_number(cls, value: Any, info: ValidationInfo) -> Any:
        is_word = isinstance(value, bool | str)
        if is_word and cls.model_fields[str(info.field_name)].annotation in (int, float):
            raise ValueError(f"must be a number; it is {shown(value)}")
        return value

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

    @model_validator(mode="after")
    def _games_can_be_halved(self) -> Self:
        if self.half_batches and self.n_envs % 2:
            raise ValueError(f"n_envs {self.n_envs} must be even if half_batches is set")
        return self

    def env_kwargs(self) -> dict[str, Any]:
        """Keyword arguments of the environment."""
        found = {name: getattr(self, name) for name in (*PLAYED, "ties", "reward", "gamma")}
        return {name: value for name, value in found.items() if value is not None}

    def algorithm_kwargs(self) -> dict[str, Any]:
        """Keyword arguments of MaskablePPO that have the same names here."""
        names = ("n_steps", "batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range")
        more = ("ent_coef", "vf_coef", "max_grad_norm", "seed")
        return {name: getattr(self, name) for name in (*names, *more)}


def option(key: str) -> str:
    """The command-line option of a key: `--total-steps`."""
    return "--" + key.replace("_", "-")


def config_of(env: str, default: Path = DEFAULT) -> Path:
    """The configuration file of an environment; default: for those without their own."""
    return OF_ENV.get(env, default)


def named_config(word: str) -> Path:
    """A configuration file, or the name of one that comes with the trainers: generalist."""
    path, own = Path(word), CONFIGS / f"{word}.yaml"
    return own if not path.exists() and path.name == word and own.is_file() else path


def config_names() -> list[str]:
    """The names that `named_config` knows."""
    return [path.stem for path in sorted(CONFIGS.glob("*.yaml")) if _is_config(path)]


def _is_config(path: Path) -> bool:
    """Whether a file configures a training run; others list experiments."""
    try:
        return bool(read_config(path, {}))
    except ConfigError:
        return False


def read_config(path: Path, overrides: Mapping[str, str]) -> Config:
    """The configuration in `path`, changed by `overrides` ({key: YAML text})."""
    try:
        content = read_yaml(path)
    except ValueError as error:
        others = "" if path.exists() else choices(path, config_names())
        raise ConfigError(f"{path}: {error}{others}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: not a mapping of keys to values")
    return check_config(content, overrides, path)


def check_config(content: dict[str, Any], overrides: Mapping[str, str], source: Path) -> Config:
    """Check `content`, changed by `overrides`; reports all mistakes at once.

    Each message names the option, or `source` and the key. If `overrides` change the environment,
    what `content` says about the scenario is dropped.
    """
    values = {key: _typed(key, text) for key, text in overrides.items()}
    if values.get("env", content.get("env")) != content.get("env"):
        content = {key: value for key, value in content.items() if key not in (*PLAYED, MIX)}
    try:
        return Config.model_validate(content | values)
    except ValidationError as error:
        found = reasons(Config, error)
        lines = [f"{_blamed(place, overrides, source)}: {reason}" for place, reason in found]
        more = [f"{len(lines) - MOST_TOLD} more mistakes"] if len(lines) > MOST_TOLD else []
        raise ConfigError("; ".join([*lines[:MOST_TOLD], *more])) from None


def _typed(key: str, text: str) -> Any:
    """The value of an option. Raises ConfigError that names it."""
    try:
        return parse_yaml(text).value
    except DocumentError as error:
        raise ConfigError(f"{option(key)} {shown(text)}: {error.reason}") from None


def _blamed(place: Place, overrides: Mapping[str, str], source: Path) -> str:
    """Where a mistake is: an option, or a key of the file."""
    key = ".".join(map(in_line, place))
    if place and place[0] in overrides:
        return option(str(place[0])) if len(place) == 1 else f"{option(str(place[0]))}: {key}"
    return f"{source}: {key}" if key else str(source)
