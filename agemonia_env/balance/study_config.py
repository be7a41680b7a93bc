"""The keys that all studies share: which games are played, with which policies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from agemonia_env import __version__
from agemonia_env.display.messages import shown
from agemonia_env.packs.folders import STRICT, ContentError, Mistakes, describe, listed, read_yaml
from agemonia_env.packs.patches import HERE, SEPARATOR, is_file, split
from agemonia_env.policies import OwnPolicy, as_own, load_policy
from agemonia_env.rulesets.doors import DEFAULT, RULESETS, doors_of
from agemonia_env.rulesets.identity import IDENTITY, identity_of
from agemonia_env.rulesets.pack_tools import PackTools, pack_tools_of
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.simulation.plan import Plan, check_policies, make_plan
from agemonia_env.simulation.progress import in_words

FEWEST_GAMES = 100  # the intervals assume large numbers
BLOCK = 500  # games played at a time
SLOW_BLOCK = 10  # of a policy that takes seconds per game
DECISIVE = {"env", "pack", "scenario", "enemy_will"}  # keys on which the other shared keys depend
OWN_DECISIVE = {"env", "pack", "method"}  # keys on which the keys of one study depend
COUNTING = "balance/accumulator.py", "balance/usage.py"  # sources of results, besides the rules
OF_ENV = ("pack", "scenario", "heroes", "max_decisions")  # keys with a default of the environment
SHARED = (
    "env",
    "seed",
    "level",
    "difficulty",
    "enemy_will",
    "enemy_policy",
    "ties",
    "max_decisions",
)


def _beside(text: str, info: ValidationInfo) -> str:
    """A change, or a file of changes relative to the study's file."""
    return str((info.context or HERE) / text) if is_file(text) else text


def _pack_beside(text: str, info: ValidationInfo) -> str:
    """A pack and its changes, files as in `_beside`."""
    name, parts = split(text)
    return f"{SEPARATOR} ".join([name, *(_beside(part, info) for part in parts)])


def _kept(name: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """A policy's name; one that holds a policy keeps it."""
    return name if isinstance(name, OwnPolicy) else check(name)


PolicyName = Annotated[str, WrapValidator(_kept)]
ChangeText = Annotated[str, AfterValidator(_beside)]
PackText = Annotated[str, AfterValidator(_pack_beside)]


class StudyConfig(BaseModel):
    """The games to play; keys as in `agemonia_env.simulate`."""

    model_config = STRICT

    text: str = ""
    env: Annotated[str, AfterValidator(lambda env: doors_of(env).env_id)] = DEFAULT
    pack: PackText
    scenario: str | list[str]
    heroes: Any
    policy: Annotated[list[PolicyName], BeforeValidator(listed), Field(min_length=1)] = ["greedy"]
    level: Any = None
    difficulty: Any = None
    enemy_will: str | None = None
    enemy_policy: PolicyName | None = None
    ties: str = "auto"
    max_decisions: int
    scenario_seed: Any = None
    games: Annotated[int, Field(ge=FEWEST_GAMES)] | None = None
    seed: int = 0

    @property
    def tools(self) -> PackTools:
        """Reads and changes packs of the environment."""
        return pack_tools_of(self.env)

    @property
    def small_seed(self) -> int:
        """The seed cut to the 32 bits that some packages accept."""
        return self.seed % 2**32

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Gather mistakes in the keys of this study alone.

        The pack is valid. base: its plans, empty if another key is wrong.
        """


Config = TypeVar("Config", bound=StudyConfig)


# ---- files ----------------------------------------------------------------------------------
def read_config(model: type[Config], path: Path, **overriding: Any) -> Config:
    """Read a study from a file. Raises ContentError with every mistake.

    overriding: values that replace those of the file unless they are None.
    """
    try:
        given = read_yaml(path)
        if not isinstance(given, dict):
            raise ValueError(f"holds no keys; allowed: {', '.join(model.model_fields)}")
    except ValueError as error:
        raise ContentError([f"{path}: file: {error}"]) from None
    given |= {key: value for key, value in overriding.items() if value is not None}
    with in_file(path):
        return make_config(model, given, path.parent)


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Prefix every mistake with the name of the file."""
    try:
        yield
    except ContentError as error:
        raise ContentError([f"{path}: {text}" for text in error.errors]) from None


def make_config(model: type[Config], given: Mapping[str, Any], folder: Path = HERE) -> Config:
    """Check the arguments of a study. Raises ContentError with every mistake.

    folder: that files of changes are relative to.
    """
    defaults, wrong = defaults_of(given.get("env")), Mistakes()
    values = defaults | as_in_a_file(given)
    try:
        config = model.model_validate(values, context=folder)
    except ValidationError as error:
        wrong.errors += describe(model, error)
        keys = {entry["loc"][0] for entry in error.errors()}
        rest = defaults | {key: value for key, value in values.items() if key not in keys}
        _check(_rest_of(model, rest, folder), wrong, keys)
        raise wrong.error() from None
    _check(config, wrong, set())
    wrong.tell()
    return config


def defaults_of(env: Any) -> dict[str, Any]:
    """Defaults of the keys OF_ENV; those of DEFAULT for an unknown environment."""
    known = isinstance(env, str) and env in RULESETS
    arguments = ruleset_of(env if known else DEFAULT).check_arguments()
    return {key: getattr(arguments, key) for key in OF_ENV}


def _rest_of(model: type[Config], values: Mapping[str, Any], folder: Path) -> StudyConfig:
    """A config of the values whose types are right, so that they can be checked, too."""
    try:
        return model.model_validate(values, context=folder)
    except ValidationError:  # a key that must be there is not
        shared = {key: value for key, value in values.items() if key in StudyConfig.model_fields}
        return StudyConfig.model_validate(shared, context=folder)


def _check(config: StudyConfig, wrong: Mistakes, lost: Set[int | str]) -> None:
    """Gather every mistake in a config; lost: keys whose values have a wrong type."""
    base: list[Plan] = []
    if not lost & DECISIVE:
        with wrong.gathered():
            base = plans_of(config, config.pack, FEWEST_GAMES)
    wrong.errors += unknown_policies(config)
    if not lost & OWN_DECISIVE:
        with wrong.gathered():
            config.tools.cards(config.pack)
            config.check_own([] if wrong.errors else base, wrong)


def as_in_a_file(value: Any) -> Any:
    """Convert a value to what YAML would give: lists, dicts, paths as text, policies as names."""
    if isinstance(value, Mapping):
        return {key: as_in_a_file(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_in_a_file(part) for part in value]
    return str(value) if isinstance(value, Path) else as_own(value)


# ---- games ----------------------------------------------------------------------------------
def plans_of(config: StudyConfig, pack: str, games: int) -> list[Plan]:
    """Plans of a variant of the pack: one for every kind of game and policy.

    Raises ContentError with every mistake.
    """
    plan = make_plan(
        config.scenario,
        config.heroes,
        "greedy",
        games,
        pack=pack,
        scenario_seed=config.scenario_seed,
        **{name: getattr(config, name) for name in SHARED},
    )
    loaded = {name: load_policy(config.env, name) for name in config.policy}
    blocks = {name: BLOCK if one.batch > 1 else SLOW_BLOCK for name, one in loaded.items()}
    return [
        replace(plan, kinds=(kind,), policy=name, chunk=min(block, games))
        for kind in plan.kinds
        for name, block in blocks.items()
    ]


def unknown_policies(config: StudyConfig) -> list[str]:
    """Mistakes in the policies, a line each."""
    errors = []
    for policy in config.policy:
        try:
            check_policies(ruleset_of(config.env), policy, None, None)
        except ValueError as error:
            errors.append(str(error))
    if len(set(config.policy)) < len(config.policy):
        errors.append(f"policy={shown(config.policy)}: each at most once")
    return errors


def made_with(env: str) -> dict[str, Any]:
    """Versions and identity of rules and sources, JSON-able."""
    rules, identity = ruleset_of(env).version, identity_of(env, *COUNTING)
    return {"agemonia_env": __version__, "rules": rules, IDENTITY: identity}


@dataclass(frozen=True)
class Study(ABC):
    """A checked study, ready to play. base: plans of the unchanged pack, one per condition."""

    name: ClassVar[str]

    config: StudyConfig
    base: tuple[Plan, ...]

    @property
    def games(self) -> int:
        """The most games of a variant per condition."""
        return self.base[0].games

    @abstractmethod
    def n_games(self) -> int:
        """The approximate number of games to play."""

    def record(self) -> dict[str, Any]:
        """What is studied, JSON-able, with versions; nothing that depends on the machine."""
        return {
            **made_with(self.config.env),
            "study": self.name,
            **self.config.model_dump(),
            "pack": pack_name(self.config.env, self.config.pack),
            "games": self.games,
            "rulesets": [plan.kinds[0].ruleset for plan in self.base],
            "models": models_of(self.base),
        }

    def provenance(self) -> dict[str, str]:
        """Pack, fingerprints, models and seed, as a page lists them."""
        rulesets = ", ".join(plan.kinds[0].ruleset for plan in self.base)
        models = {f"model {name}": mark for name, mark in models_of(self.base).items()}
        given = {"pack": self.config.pack, "rulesets": rulesets}
        return given | models | {"seed": str(self.config.seed)}


def pack_name(env: str, pack: str) -> str:
    """A pack's name and changes, without its path."""
    return str(ruleset_of(env).load_pack(pack).name)


def models_of(plans: Sequence[Plan]) -> dict[str, str]:
    """A hash of the file of each model that plays, by name."""
    return {name: mark for plan in plans for name, mark in plan.models().items()}


def condition(plan: Plan) -> dict[str, Any]:
    """Scenario, party, level, difficulty and policy of a plan with one kind of game, JSON-able."""
    (kind,) = plan.kinds
    return {
        "scenario": kind.scenario,
        "party": kind.party,
        "level": kind.level,
        "difficulty": kind.difficulty,
        "policy": plan.policy,
    }


def condition_text(plan: Plan) -> str:
    """The condition in words: `ford, 2 heroes, greedy`."""
    return f"{game_text(condition(plan))}, {plan.policy}"


def game_text(condition: Mapping[str, Any]) -> str:
    """A condition in words without its policy: `ford, 2 heroes`."""
    heroes = in_words(condition["party"])
    counted = f"{heroes} hero" if heroes == "1" else f"{heroes} heroes"
    words = [condition["scenario"], counted if heroes.isdigit() else heroes]
    words += [f"level {condition['level']}"] if condition["level"] not in (None, 1) else []
    words += [condition["difficulty"]] if condition["difficulty"] not in (None, "normal") else []
    return ", ".join(words)
