"""What is compared: two variants of a pack, checked as a whole before a game is played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from .. import __version__
from ..content.compile import RULES_VERSION, pack_fingerprint
from ..content.load import load_pack, variant
from ..envs.ruleset import DEFAULT, ruleset_of
from ..patching import HERE, SEPARATOR, is_file, read_patch
from ..reading import STRICT, ContentError, describe, listed, read_yaml
from ..simulation.plan import Kind, Plan, check_policies, make_plan, scene
from ..simulation.progress import in_words
from .interval import any_look, one_look
from .tally import Found

GAMES = 2_000  # of a variant in a setting, if nothing is said
MOST_GAMES = 1_000_000  # the same where the width of the interval decides
FEWEST_GAMES = 100  # the intervals are those of large numbers
BLOCK = 500  # pairs that are played, and looked at, at a time


class ArmCard(BaseModel):
    """A variant: changes, or files of them, and what the report calls it."""

    model_config = STRICT

    name: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    changes: Annotated[list[str], BeforeValidator(listed)] = []


Arm = Annotated[
    ArmCard, BeforeValidator(lambda v: v if isinstance(v, dict) else {"changes": listed(v)})
]


class ExperimentCard(BaseModel):
    """A file for `agemonia balance compare`; what balance.compare takes by the same names."""

    model_config = STRICT

    text: str = ""
    pack: str = "core"
    a: Arm = ArmCard()
    b: Arm = ArmCard()
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
    width: Annotated[float, Field(gt=0, le=100)] | None = None
    seed: int = 0


@dataclass(frozen=True)
class Variant:
    """One side of a comparison. pack: as everything takes it."""

    name: str
    pack: str

    @cached_property
    def fingerprint(self) -> str:
        """Changes with any number, rule or name of the pack."""
        return pack_fingerprint(load_pack(self.pack))

    @cached_property
    def numbers(self) -> str:
        """Changes with any number or rule of the pack."""
        return pack_fingerprint(load_pack(self.pack), names=False)

    def record(self) -> dict[str, str]:
        """All of it, JSON-able."""
        pack = load_pack(self.pack).name
        marks = {"fingerprint": self.fingerprint, "numbers": self.numbers}
        return {"name": self.name, "pack": pack, **marks}


@dataclass(frozen=True)
class Cell:
    """One policy in one setting. plans: of a and b, with the same seeds; alike: same numbers."""

    plans: tuple[Plan, Plan]
    alike: bool

    def __str__(self) -> str:
        """It in words: `ford, 2 Heroes, greedy`."""
        kind = self.kind
        heroes = in_words(kind.party)
        words = [kind.scenario, f"{heroes} Heroes" if heroes.isdigit() else heroes]
        words += [kind.difficulty] if kind.difficulty not in (None, "normal") else []
        return ", ".join([*words, self.plans[0].policy])

    @property
    def kind(self) -> Kind:
        """What a plays; b plays the same in its variant."""
        return self.plans[0].kinds[0]

    def setting(self) -> dict[str, Any]:
        """What tells it from other cells, JSON-able."""
        kind = self.kind
        return {
            "scenario": kind.scenario,
            "party": kind.party,
            "level": kind.level,
            "difficulty": kind.difficulty,
            "policy": self.plans[0].policy,
        }


@dataclass(frozen=True)
class Experiment:
    """Two variants in a number of cells; width: as balance.compare has it, or None."""

    a: Variant
    b: Variant
    cells: tuple[Cell, ...]
    width: float | None
    text: str = ""

    @property
    def games(self) -> int:
        """The most pairs of games of a cell."""
        return self.cells[0].plans[0].games

    @property
    def tightest(self) -> float:
        """Where the interval for any look is narrowest: about where it may be expected to stop."""
        if self.width is None:
            return self.games
        return min(self.games, (self.width / 200) ** -2)  # if differences have a variance of 0.1

    def interval(self, found: Found, *, any_time: bool = False) -> tuple[float, float]:
        """The 95 % interval of a difference.

        any_time: it is looked at before the end; where the width says when to stop, it always is.
        """
        if any_time or self.width is not None:
            half = any_look(found.pairs, found.variance, self.tightest)
        else:
            half = one_look(found.pairs, found.variance)
        return found.difference - half, found.difference + half

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able, with versions; nothing of the machine."""
        plan = self.cells[0].plans[0]
        shared = ("enemy_will", "enemy_policy", "ties", "max_decisions", "scenario_seed")
        kinds = [{key: asdict(cell.kind)[key] for key in shared} for cell in self.cells]
        record = {
            "agemonia_env": __version__,
            "rules": RULES_VERSION,
            "text": self.text,
            "a": self.a.record(),
            "b": self.b.record(),
            "seed": plan.seed,
            "games": self.games,
            "block": plan.chunk,
            "width": self.width,
            "cells": [
                {
                    **cell.setting(),
                    **kind,
                    "ruleset_a": cell.plans[0].kinds[0].ruleset,
                    "ruleset_b": cell.plans[1].kinds[0].ruleset,
                    "alike": cell.alike,
                }
                for cell, kind in zip(self.cells, kinds, strict=True)
            ],
        }
        return dict(json.loads(json.dumps(record)))


def read_experiment(path: Path, **overriding: Any) -> Experiment:
    """The experiment of a file. Raises ContentError with all that is wrong with it.

    overriding: values in place of those of the file, where they are not None.
    """
    try:
        given = read_yaml(path)
        if not isinstance(given, dict):
            raise ValueError(f"holds no keys; allowed: {', '.join(ExperimentCard.model_fields)}")
    except ValueError as error:
        raise ContentError([f"{path}: file: {error}"]) from None
    given |= {key: value for key, value in overriding.items() if value is not None}
    try:
        return make_experiment(given, path.parent)
    except ContentError as error:
        raise ContentError([f"{path}: {text}" for text in error.errors]) from None


def make_experiment(given: Mapping[str, Any], folder: Path = HERE) -> Experiment:
    """The experiment of these arguments (see `compare`). Raises ContentError with all mistakes.

    folder: that the names of files of changes are relative to.
    """
    try:
        card = ExperimentCard.model_validate(_as_in_a_file(given))
    except ValidationError as error:
        raise ContentError(describe(ExperimentCard, error)) from None
    errors: list[str] = []
    packs: list[str] = []
    for key, arm in (("a", card.a), ("b", card.b)):
        try:
            packs.append(variant(card.pack, *arm.changes, folder=folder))
        except ContentError as error:
            errors += [f"{key}: {text}" for text in error.errors]
        except ValueError as error:
            errors.append(str(error))
    plans: list[Plan] = []
    for pack in packs or [card.pack]:
        try:
            plans.append(_plan(card, pack))
        except ValueError as error:
            errors += str(error).split("\n")
    errors += _unknown_policies(card)
    if errors:
        raise ContentError(list(dict.fromkeys(errors)))
    a, b = (
        Variant(_name(arm, pack, folder), pack)
        for arm, pack in zip((card.a, card.b), packs, strict=True)
    )
    cells = tuple(
        Cell((one, other), _is_alike(one.kinds[0], other.kinds[0], a.numbers == b.numbers))
        for one, other in zip(*(_cells(plan, card) for plan in plans), strict=True)
    )
    return Experiment(a, b, cells, card.width, card.text)


def _as_in_a_file(value: Any) -> Any:
    """A value as YAML would give it: lists and dicts, and the name of a folder as text."""
    if isinstance(value, Mapping):
        return {key: _as_in_a_file(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_as_in_a_file(part) for part in value]
    return str(value) if isinstance(value, Path) else value


def _name(arm: ArmCard, pack: str, folder: Path) -> str:
    """What a variant is called: what it says, what its only file says, or its changes."""
    if arm.name is None and len(arm.changes) == 1 and is_file(arm.changes[0]):
        name = read_patch(folder / arm.changes[0]).name
    else:
        name = arm.name
    return name or pack.partition(f"{SEPARATOR} ")[2] or "as it is"


def _plan(card: ExperimentCard, pack: str) -> Plan:
    """Every kind of game of a variant. Raises ValueError naming what is wrong."""
    games = card.games or (GAMES if card.width is None else MOST_GAMES)
    shared = ("seed", "level", "difficulty", "enemy_will", "enemy_policy", "ties", "max_decisions")
    return make_plan(
        card.scenario,
        card.heroes,
        "greedy",
        games,
        pack=pack,
        chunk=min(BLOCK, games),
        scenario_seed=card.scenario_seed,
        **{name: getattr(card, name) for name in shared},
    )


def _unknown_policies(card: ExperimentCard) -> list[str]:
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


def _cells(plan: Plan, card: ExperimentCard) -> list[Plan]:
    """A plan for each kind of game and each policy."""
    return [replace(plan, kinds=(kind,), policy=p) for kind in plan.kinds for p in card.policy]


def _is_alike(a: Kind, b: Kind, same_pack: bool) -> bool:
    """Whether games of both kinds cannot but be the same, move for move."""
    if a.scenario_seed is not None or same_pack:
        return same_pack
    one, other = scene(a, None), scene(b, None)
    return one.content.tobytes() == other.content.tobytes()
