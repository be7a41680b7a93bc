"""The schema of the steps of a rule case: a table of all verbs with their parameters.

Parameters marked as arguments are those of the core's verb of the same name, in the same order.
"""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, model_validator

from agemonia_env.rulesets import case_schema
from agemonia_env.rulesets.case_schema import Argument, Part, choice_of, one_of, verb

from ..core.terms import Draw, Source
from .pieces import Active, Change, Condition, Element, Retaliate
from .schema import Area, Hex, Small

Mode = Literal["walk", "jump", "fly"]
Path = list[Hex]
Count = Annotated[int, Field(ge=1, le=99)]
Value = Annotated[int, Field(ge=-99, le=99)]
Distance = Annotated[int, Field(ge=0, le=256)]


class Push(Part):
    """An effect that pushes."""

    push: Count


class Pull(Part):
    """An effect that pulls."""

    pull: Count


Printed = Condition | Element | Literal["curse"] | Push | Pull


class Lose(Part):
    """Cards lost in place of damage (G7.13): one of the hand, or two discards."""

    hand: list[str] = []
    discard: list[str] = []

    @property
    def cards(self) -> list[str]:
        """All of them."""
        return [*self.hand, *self.discard]


class Changes(Part):
    """What changes an attack, or one of its targets."""

    bonus: Change = 0
    double: Annotated[int, Field(ge=0, le=8)] = 0
    pierce: Small = 0
    advantage: Small = 0
    disadvantage: Small = 0


class Aid(Changes):
    """Values that count for a single target of an attack."""

    shield: Small = 0
    skip: list[Printed | str] = []
    push: list[Path | None] = []
    pull: list[Path | None] = []
    lose: Lose | None = None
    retaliate_lose: Lose | None = None


class Attack(Changes):
    """An attack ability."""

    by: str
    value: Value
    targets: list[str]
    range: Distance = 0
    target_count: Count | Literal["all"] = 1
    area: Area | None = None
    hexes: list[Hex] | None = None
    add_target: Small = 0
    effects: list[Printed] = []
    per_target: dict[str, Aid] = {}

    @model_validator(mode="after")
    def check_area(self) -> Attack:
        """A template and its placement go together."""
        if (self.area is None) != (self.hexes is None):
            raise ValueError("area and hexes: a template needs its placement, and no other attack")
        if self.area is not None and self.area.origin == "free" and self.range == 0:
            raise ValueError("range: at least 1 for an area whose origin is free")
        return self


# ---- verbs --------------------------------------------------------------------------------------
FIGURE = Annotated[str, Argument(lambda table, name: table.slot(name))]
DECK = Annotated[str, Argument(lambda table, name: table.deck(name))]
HEX = Annotated[Hex, Argument(lambda table, place: table.hex(place))]
SMALL = Annotated[Small, Argument()]
MODE = Annotated[
    Literal["normal", "advantage", "disadvantage"], Argument(lambda _, word: Draw[word.upper()])
]
SOURCE = Annotated[
    Literal["trap", "hazard", "wound", "retaliate", "suffer", "attack"],
    Argument(lambda _, word: Source[word.upper()]),
]
NUMBER = (Small | None, None)
NAME = (str | None, None)
MOVES = (Mode | None, None)
LOSE = (Lose | None, None)
BY = verb(by=str)
OF_CARD = verb(BY, card=str)
FORCE = verb(BY, target=str, amount=Small, path=(Path, []))
SUPPLIED = verb(one_of("to", "deck"), to=NAME, deck=NAME, position=NUMBER)

VERBS: dict[str, type[BaseModel]] = {
    "attack": Attack,
    "draw": verb(
        deck=DECK, mode=(MODE, "normal"), value=(Annotated[Value, Argument()], 0), times=(Count, 1)
    ),
    "bless": SUPPLIED,
    "curse": SUPPLIED,
    "damage": verb(to=FIGURE, amount=SMALL, source=SOURCE, lose=LOSE, pierce=(SMALL, 0)),
    "heal": verb(BY, to=str, amount=Small, range=(Distance, 0)),
    "condition": verb(to=str, gain=list[Condition]),
    "bonus": verb(  # G8.4
        one_of("shield", "retaliate"),
        to=str,
        shield=NUMBER,
        retaliate=(Small | Retaliate | None, None),
    ),
    "start_turn": verb(by=FIGURE, lose=LOSE),
    "end_turn": verb(by=FIGURE),
    "start_round": verb(),
    "end_round": verb(),
    "select": verb(
        one_of("cards", "rest"),
        by=str,
        cards=(list[str] | None, None),
        rest=(Literal["long"] | None, None),
    ),
    "play_card": verb(
        OF_CARD,
        active=(Active | None, None),
        **dict.fromkeys(("loss", "basic", "unused"), (bool, False)),
    ),
    "remove_card": OF_CARD,
    "recover": OF_CARD,
    "rest": verb(BY, kind=Literal["long", "short"], lose=str, instead=NAME, keep=(list[str], [])),
    "move": verb(BY, points=Small, mode=MOVES, path=Path, lose=(list[Lose | None], [])),
    "push": FORCE,
    "pull": FORCE,
    "lose_flight": verb(by=FIGURE, to=(Hex | None, None)),
    "place_obstacle": verb(at=HEX),
}
Step = choice_of(case_schema.Step, VERBS)
