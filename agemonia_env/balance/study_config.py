"""In which games something is studied: the keys that every file of the laboratory shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    ValidationInfo,
)

from agemonia_env import __version__
from agemonia_env.display.messages import shown
from agemonia_env.packs.folders import STRICT, ContentError, Mistakes, describe, listed, read_yaml
from agemonia_env.packs.patches import HERE, SEPARATOR, is_file, split
from agemonia_env.rulesets.agemonia.content.compile import RULES_VERSION
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.rulesets.identity import IDENTITY, identity_of
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.simulation.plan import Plan, check_policies, make_plan, player
from agemonia_env.simulation.progress import in_words

FEWEST_GAMES = 100  # the intervals are those of large numbers
BLOCK = 500  # games that are played at a time
SLOW_BLOCK = 10  # the same of a policy that takes seconds for a game
DECISIVE = {"pack", "scenario", "enemy_will"}  # keys that say what games there may be
OWN_DECISIVE = {"pack", "method"}  # the same of keys that other files do not have
COUNTING = (
    "balance/accumulator.py",
    "balance/usage.py",
)  # files that say what is counted of a game
SHARED = ("seed", "level", "difficulty", "enemy_will", "enemy_policy", "ties", "max_decisions")


def _beside(text: str, info: ValidationInfo) -> str:
    """A change, or a file of changes, which is named relative to the file that names it."""
    return str((info.context or HERE) / text) if is_file(text) else text


def _pack_beside(text: str, info: ValidationInfo) -> str:
    """A pack and its changes, those in files named as by `_beside`."""
    name, parts = split(text)
    return f"{SEPARATOR} ".join([name, *(_beside(part, info) for part in parts)])


ChangeText = Annotated[str, AfterValidator(_beside)]
PackText = Annotated[str, AfterValidator(_pack_beside)]


class SettingCard(BaseModel):
    """What is played; the names are those of `agemonia_env.simulate`."""

    model_config = STRICT

    text: str = ""
    pack: PackText = "core"
    scenario: str | list[str] = "ford"
    heroes: Any = 2
    policy: Annotated[list[str], BeforeValidator(listed), Field(min_length=1)] = ["greedy"]
    level: Any = None
    difficulty: Any = None
    enemy_will: str | None = None
    enemy_policy: str | None = None
    ties: str = "auto"
    max_decisions: int = 5000
    scenario_seed: Any = None
    games: Annotated[int, Field(ge=FEWEST_GAMES)] | None = None
    seed: int = 0

    @property
    def small_seed(self) -> int:
        """The seed for packages that take none of more than 32 bits."""
        return self.seed % 2**32

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Gather what is wrong with keys that other files do not have, if there are any.

        The pack is sound. base: plans of it, none if anything else is wrong.
        """


Card = TypeVar("Card", bound=SettingCard)


# ---- files ----------------------------------------------------------------------------------
def read_card(model: type[Card], path: Path, **overriding: Any) -> Card:
    """The card of a file. Raises ContentError with all that is wrong with it.

    overriding: values in place of those of the file, where they are not None.
    """
    try:
        given = read_yaml(path)
        if not isinstance(given, dict):
            raise ValueError(f"holds no keys; allowed: {', '.join(model.model_fields)}")
    except ValueError as error:
        raise ContentError([f"{path}: file: {error}"]) from None
    given |= {key: value for key, value in overriding.items() if value is not None}
    with in_file(path):
        return make_card(model, given, path.parent)


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Put the name of a file before every mistake that is found meanwhile."""
    try:
        yield
    except ContentError as error:
        raise ContentError([f"{path}: {text}" for text in error.errors]) from None


def make_card(model: type[Card], given: Mapping[str, Any], folder: Path = HERE) -> Card:
    """The card of arguments from Python. Raises ContentError with all that is wrong with them.

    folder: that the names of files of changes are relative to.
    """
    values, wrong = as_in_a_file(given), Mistakes()
    try:
        card = model.model_validate(values, context=folder)
    except ValidationError as error:
        wrong.errors += describe(model, error)
        keys = {entry["loc"][0] for entry in error.errors()}
        rest = {key: value for key, value in values.items() if key not in keys}
        _check(_rest_of(model, rest, folder), wrong, keys)
        raise wrong.error() from None
    _check(card, wrong, set())
    wrong.tell()
    return card


def _rest_of(model: type[Card], values: Mapping[str, Any], folder: Path) -> SettingCard:
    """A card of those values that are of a right type, so that they can be looked at, too."""
    try:
        return model.model_validate(values, context=folder)
    except ValidationError:  # a key that must be there is not
        shared = {key: value for key, value in values.items() if key in SettingCard.model_fields}
        return SettingCard.model_validate(shared, context=folder)


def _check(card: SettingCard, wrong: Mistakes, lost: Set[int | str]) -> None:
    """Gather everything that is wrong with what a card says; lost: keys that it should have had."""
    base: list[Plan] = []
    if not lost & DECISIVE:
        with wrong.gathered():
            base = plans_of(card, card.pack, FEWEST_GAMES)
    wrong.errors += unknown_policies(card)
    if not lost & OWN_DECISIVE:
        with wrong.gathered():
            load_pack(card.pack)
            card.check_own([] if wrong.errors else base, wrong)


def as_in_a_file(value: Any) -> Any:
    """A value as YAML would give it: lists and dicts, and the name of a folder as text."""
    if isinstance(value, Mapping):
        return {key: as_in_a_file(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_in_a_file(part) for part in value]
    return str(value) if isinstance(value, Path) else value


# ---- games ----------------------------------------------------------------------------------
def plans_of(card: SettingCard, pack: str, games: int) -> list[Plan]:
    """Plans of a variant of the pack: one for every kind of game and every policy.

    Raises ContentError with all that is wrong.
    """
    plan = make_plan(
        card.scenario,
        card.heroes,
        "greedy",
        games,
        pack=pack,
        scenario_seed=card.scenario_seed,
        **{name: getattr(card, name) for name in SHARED},
    )
    return [
        replace(plan, kinds=(kind,), policy=name, chunk=min(block_of(name), games))
        for kind in plan.kinds
        for name in card.policy
    ]


def block_of(policy: str) -> int:
    """How many games of a policy are played at a time."""
    return BLOCK if player(DEFAULT, policy).batch > 1 else SLOW_BLOCK


def unknown_policies(card: SettingCard) -> list[str]:
    """What is wrong with the policies, a line each."""
    errors = []
    for policy in card.policy:
        try:
            check_policies(ruleset_of(DEFAULT), policy, None, None)
        except ValueError as error:
            errors.append(str(error))
    if len(set(card.policy)) < len(card.policy):
        errors.append(f"policy={shown(card.policy)}: each at most once")
    return errors


def made_with() -> dict[str, Any]:
    """Versions and identity of what plays and counts, JSON-able."""
    identity = identity_of(DEFAULT, *COUNTING)
    return {"agemonia_env": __version__, "rules": RULES_VERSION, IDENTITY: identity}


def study_record(study: str, card: SettingCard, base: Sequence[Plan]) -> dict[str, Any]:
    """What is studied, JSON-able, with versions; base: plans of the pack as it is."""
    return {
        **made_with(),
        "study": study,
        **card.model_dump(),
        "pack": load_pack(card.pack).name,
        "games": base[0].games,
        "rulesets": [plan.kinds[0].ruleset for plan in base],
        "models": models_of(base),
    }


def marks_of(card: SettingCard, base: Sequence[Plan]) -> dict[str, str]:
    """What a page says of the games of a study: pack, fingerprints, models, seed."""
    marks = {"pack": card.pack, "rulesets": ", ".join(plan.kinds[0].ruleset for plan in base)}
    models = {f"model {name}": mark for name, mark in models_of(base).items()}
    return marks | models | {"seed": str(card.seed)}


def models_of(plans: Sequence[Plan]) -> dict[str, str]:
    """What changes with the file of each model that plays, under its name."""
    return {name: mark for plan in plans for name, mark in plan.models().items()}


def setting(plan: Plan) -> dict[str, Any]:
    """What tells a plan of one kind of game from others, JSON-able."""
    (kind,) = plan.kinds
    return {
        "scenario": kind.scenario,
        "party": kind.party,
        "level": kind.level,
        "difficulty": kind.difficulty,
        "policy": plan.policy,
    }


def setting_text(plan: Plan) -> str:
    """The same in words: `ford, 2 Heroes, greedy`."""
    return f"{game_text(setting(plan))}, {plan.policy}"


def game_text(told: Mapping[str, Any]) -> str:
    """What is played of a `setting`, in words: `ford, 2 Heroes`."""
    heroes = in_words(told["party"])
    counted = f"{heroes} Hero" if heroes == "1" else f"{heroes} Heroes"
    words = [told["scenario"], counted if heroes.isdigit() else heroes]
    words += [f"level {told['level']}"] if told["level"] not in (None, 1) else []
    words += [told["difficulty"]] if told["difficulty"] not in (None, "normal") else []
    return ", ".join(words)
