"""A rule case: its position, its steps, and what must hold afterwards."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import AfterValidator, model_validator

from agemonia_env.display.messages import shown, unknown
from agemonia_env.rulesets import case_schema
from agemonia_env.rulesets.case_files import Place

from .parameters import VERBS
from .schema import RESERVED, Decks, Dice, Figures, Map

CASE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
Expectation = dict[str, Any]


def in_kebab_case(name: str) -> str:
    """`name`, if it is of words with hyphens."""
    if not CASE_ID.match(name):
        raise ValueError("a case needs an id in kebab-case")
    return name


class Reported(case_schema.Step):
    """A step; what its verb must report."""

    result: dict[str, Any] | None = None


Step = case_schema.choice_of(Reported, VERBS)


class Case(case_schema.Case):
    """A case. One of the mappings in `expect_any` must hold; an empty list demands nothing."""

    id: Annotated[str, AfterValidator(in_kebab_case)]
    map: Map = Map()
    figures: Figures = {}
    dice: Dice = Dice()
    decks: Decks = Decks()
    do: list[Step] = []  # type: ignore[valid-type]
    expect: Expectation | None = None
    expect_any: list[Expectation] = []

    @model_validator(mode="after")
    def _either(self) -> Case:
        if {"expect", "expect_any"} <= self.model_fields_set:
            raise ValueError("a case has expect or expect_any, not both")
        return self

    def mistakes(self) -> Iterator[tuple[Place, str]]:
        """All areas and figures named exist, and none has a reserved name."""
        steps: list[Any] = self.do
        areas = ", ".join(self.map.areas)
        known = {*self.figures} | {s.given.name for s in steps if s.verb in ("spawn", "summon")}
        for name in self.map.areas.keys() & RESERVED:
            yield ("map", "areas", name), f"an area may not be called {shown(name)}"
        for name, figure in self.figures.items():
            if name in RESERVED:
                yield ("figures", name), f"a figure may not be called {shown(name)}"
            if figure.area is not None and figure.area not in self.map.areas:
                where = ("figures", name, "area")
                yield where, f"area {shown(figure.area)} is not among {areas}"
        for k, step in enumerate(steps):
            for key in ("who", "target"):
                who = getattr(step.given, key, None)
                if isinstance(who, str) and who not in known:
                    yield ("do", k, step.verb, key), unknown("figure", who, sorted(known))
        for pile in (self.dice.action, self.dice.reaction):
            for name in (pile.keys() if isinstance(pile, dict) else set()) - known:
                yield ("dice",), f"dice of {shown(name)}, which is no figure"
        for name in [name for part in self.expected() for one in part for name in one]:
            if name not in known and name not in RESERVED:
                allowed = ", ".join([*sorted(known), *RESERVED])
                yield ("expect",), f"{shown(name)} is not among {allowed}"
