"""In which games something is studied: the keys that every file of the laboratory shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from .. import __version__
from ..content.compile import RULES_VERSION
from ..content.load import load_pack
from ..envs.ruleset import DEFAULT, ruleset_of
from ..reading import STRICT, ContentError, describe, listed, read_yaml
from ..simulation.plan import Plan, check_policies, make_plan, player
from ..simulation.progress import in_words

FEWEST_GAMES = 100  # the intervals are those of large numbers
BLOCK = 500  # games that are played at a time
SLOW_BLOCK = 10  # the same of a policy that takes seconds for a game
SHARED = ("seed", "level", "difficulty", "enemy_will", "enemy_policy", "ties", "max_decisions")


class SettingCard(BaseModel):
    """What is played; the names are those of `agemonia_env.simulate`."""

    model_config = STRICT

    text: str = ""
    pack: str = "core"
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
        return make_card(model, given)


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Put the name of a file before every mistake that is found meanwhile."""
    try:
        yield
    except ContentError as error:
        raise ContentError([f"{path}: {text}" for text in error.errors]) from None


def make_card(model: type[Card], given: Mapping[str, Any]) -> Card:
    """The card of arguments from Python. Raises ContentError with all that is wrong with them."""
    try:
        return model.model_validate(as_in_a_file(given))
    except ValidationError as error:
        raise ContentError(describe(model, error)) from None


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

    Raises ValueError naming what is wrong.
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
        errors.append(f"policy={card.policy!r}: each at most once")
    return errors


def checked_plans(card: SettingCard, games: int) -> list[Plan]:
    """Plans of the pack as it is. Raises ContentError with all that is wrong."""
    errors = unknown_policies(card)
    try:
        found = plans_of(card, card.pack, games)
    except ValueError as error:
        errors = [*str(error).split("\n"), *errors]
    if errors:
        raise ContentError(list(dict.fromkeys(errors)))
    return found


def study_record(study: str, card: SettingCard, base: Sequence[Plan]) -> dict[str, Any]:
    """What is studied, JSON-able, with versions; base: plans of the pack as it is."""
    return {
        "agemonia_env": __version__,
        "rules": RULES_VERSION,
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
    words = [told["scenario"], f"{heroes} Heroes" if heroes.isdigit() else heroes]
    words += [f"level {told['level']}"] if told["level"] not in (None, 1) else []
    words += [told["difficulty"]] if told["difficulty"] not in (None, "normal") else []
    return ", ".join(words)
