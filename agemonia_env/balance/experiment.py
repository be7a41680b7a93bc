"""What is compared: two variants of a pack, checked as a whole before a game is played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from agemonia_env.packs.folders import STRICT, Mistakes, listed
from agemonia_env.packs.patches import SEPARATOR, is_file, read_patch
from agemonia_env.rulesets.agemonia.content.compile import pack_fingerprint
from agemonia_env.rulesets.agemonia.content.load import load_pack, variant
from agemonia_env.simulation.plan import Kind, Plan, scene

from .accumulator import Difference
from .interval import any_look, one_look
from .study_config import (
    FEWEST_GAMES,
    ChangeText,
    SettingCard,
    made_with,
    models_of,
    plans_of,
    setting,
    setting_text,
)

GAMES = 2_000  # of a variant in a setting, if nothing is said
MOST_GAMES = 1_000_000  # the same where the width of the interval decides


class ArmCard(BaseModel):
    """A variant: changes, or files of them, and what the report calls it."""

    model_config = STRICT

    name: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    changes: Annotated[list[ChangeText], BeforeValidator(listed)] = []


Arm = Annotated[
    ArmCard, BeforeValidator(lambda v: v if isinstance(v, dict) else {"changes": listed(v)})
]


class ExperimentCard(SettingCard):
    """A file for `agemonia balance compare`; what balance.compare takes by the same names."""

    a: Arm = ArmCard()
    b: Arm = ArmCard()
    width: Annotated[float, Field(gt=0, le=100)] | None = None

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Gather what is wrong with the variants."""
        for key, arm in (("a", self.a), ("b", self.b)):
            with wrong.gathered(f"{key}: "):
                pack = variant(self.pack, *arm.changes)
                if base:
                    plans_of(self, pack, FEWEST_GAMES)


@dataclass(frozen=True)
class Variant:
    """One side of a comparison. pack: as everything takes it."""

    name: str
    pack: str

    @property
    def changes(self) -> str:
        """What it changes, in the words of the pack's author or written out."""
        return self.pack.partition(f"{SEPARATOR} ")[2] or "nothing"

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
        return setting_text(self.plans[0])

    @property
    def kind(self) -> Kind:
        """What a plays; b plays the same in its variant."""
        return self.plans[0].kinds[0]

    def setting(self) -> dict[str, Any]:
        """What tells it from other cells, JSON-able."""
        return setting(self.plans[0])


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
    def models(self) -> dict[str, str]:
        """What changes with the file of each model that plays, under its name."""
        return models_of([cell.plans[0] for cell in self.cells])

    @property
    def tightest(self) -> float:
        """Where the interval for any look is narrowest: about where it may be expected to stop."""
        if self.width is None:
            return self.games
        return min(self.games, (self.width / 200) ** -2)  # if differences have a variance of 0.1

    def interval(self, found: Difference, *, any_time: bool = False) -> tuple[float, float]:
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
            **made_with(),
            "text": self.text,
            "a": self.a.record(),
            "b": self.b.record(),
            "seed": plan.seed,
            "games": self.games,
            "width": self.width,
            "models": self.models,
            "cells": [
                {
                    **cell.setting(),
                    **kind,
                    "block": cell.plans[0].chunk,
                    "ruleset_a": cell.plans[0].kinds[0].ruleset,
                    "ruleset_b": cell.plans[1].kinds[0].ruleset,
                    "alike": cell.alike,
                }
                for cell, kind in zip(self.cells, kinds, strict=True)
            ],
        }
        return dict(json.loads(json.dumps(record)))


def experiment_of(card: ExperimentCard) -> Experiment:
    """The experiment of a card."""
    games = card.games or (GAMES if card.width is None else MOST_GAMES)
    packs = [variant(card.pack, *arm.changes) for arm in (card.a, card.b)]
    a, b = (
        Variant(_name(arm, pack), pack) for arm, pack in zip((card.a, card.b), packs, strict=True)
    )
    plans = [plans_of(card, pack, games) for pack in packs]
    cells = tuple(
        Cell((one, other), _is_alike(one.kinds[0], other.kinds[0], a.numbers == b.numbers))
        for one, other in zip(*plans, strict=True)
    )
    return Experiment(a, b, cells, card.width, card.text)


def _name(arm: ArmCard, pack: str) -> str:
    """What a variant is called: what it says, what its only file says, or its changes."""
    if arm.name is None and len(arm.changes) == 1 and is_file(arm.changes[0]):
        name = read_patch(Path(arm.changes[0])).name
    else:
        name = arm.name
    return name or pack.partition(f"{SEPARATOR} ")[2] or "as it is"


def _is_alike(a: Kind, b: Kind, same_pack: bool) -> bool:
    """Whether games of both kinds cannot but be the same, move for move."""
    if a.scenario_seed is not None or same_pack:
        return same_pack
    one, other = scene(a, None), scene(b, None)
    return one.content.tobytes() == other.content.tobytes()
