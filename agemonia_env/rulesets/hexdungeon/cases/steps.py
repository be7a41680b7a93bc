"""The schema of the steps of a rule case: every verb with its parameters."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, model_validator

from .pieces import Active, Change, Condition, Element, Retaliate
from .schema import Area, Hex, Part, Small

Mode = Literal["walk", "jump", "fly"]
Path = list[Hex]
Count = Annotated[int, Field(ge=1, le=99)]


class By(Part):
    """Something that a figure does."""

    by: str


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


class Aid(Part):
    """Values that count for a single target of an attack."""

    bonus: Change = 0
    double: Annotated[int, Field(ge=0, le=8)] = 0
    pierce: Small = 0
    advantage: Small = 0
    disadvantage: Small = 0
    shield: Small = 0
    skip: list[Printed | str] = []
    push: list[Path | None] = []
    pull: list[Path | None] = []
    lose: Lose | None = None
    retaliate_lose: Lose | None = None


class Attack(By):
    """An attack ability."""

    value: Annotated[int, Field(ge=-99, le=99)]
    targets: list[str]
    range: Annotated[int, Field(ge=0, le=256)] = 0
    target_count: Count | Literal["all"] = 1
    area: Area | None = None
    hexes: list[Hex] | None = None
    add_target: Small = 0
    bonus: Change = 0
    double: Annotated[int, Field(ge=0, le=8)] = 0
    pierce: Small = 0
    advantage: Small = 0
    disadvantage: Small = 0
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


class Draw(Part):
    """Cards of a modifier deck drawn as for an attack."""

    deck: str
    mode: Literal["normal", "advantage", "disadvantage"] = "normal"
    value: Annotated[int, Field(ge=-99, le=99)] = 0
    times: Count = 1


class Supplied(Part):
    """A bless or curse for a deck."""

    to: str | None = None
    deck: str | None = None
    position: Small | None = None

    @model_validator(mode="after")
    def check_deck(self) -> Supplied:
        """One deck is named."""
        if (self.to is None) == (self.deck is None):
            raise ValueError("one of to (a figure) and deck is needed")
        return self


class Damage(Part):
    """One source of damage."""

    to: str
    amount: Small
    source: Literal["trap", "hazard", "wound", "retaliate", "suffer", "attack"]
    lose: Lose | None = None
    pierce: Small = 0


class Heal(By):
    """A heal; without range of the figure itself."""

    to: str
    amount: Small
    range: Annotated[int, Field(ge=0, le=256)] = 0


class Gain(Part):
    """Conditions gained."""

    to: str
    gain: list[Condition]


class RoundBonus(Part):
    """Shield or Retaliate until the end of the round (G8.4)."""

    to: str
    shield: Small | None = None
    retaliate: Small | Retaliate | None = None

    @model_validator(mode="after")
    def check_bonus(self) -> RoundBonus:
        """One of both."""
        if (self.shield is None) == (self.retaliate is None):
            raise ValueError("one of shield and retaliate is needed")
        return self


class StartTurn(By):
    """A figure's turn begins."""

    lose: Lose | None = None


class EndTurn(By):
    """A figure's turn ends."""


class Nothing(Part):
    """No parameters."""


class Select(By):
    """Cards chosen for a round, or a long rest."""

    cards: list[str] | None = None
    rest: Literal["long"] | None = None

    @model_validator(mode="after")
    def check_choice(self) -> Select:
        """One of both."""
        if (self.cards is None) == (self.rest is None):
            raise ValueError("one of cards and rest is needed")
        return self


class PlayCard(By):
    """A card of the hand is used."""

    card: str
    loss: bool = False
    active: Active | None = None
    basic: bool = False
    unused: bool = False


class OfCard(By):
    """A card that moves to another place."""

    card: str


class Rest(By):
    """A long or short rest."""

    kind: Literal["long", "short"]
    lose: str
    instead: str | None = None
    keep: list[str] = []


class Move(By):
    """A move ability."""

    points: Small
    mode: Mode | None = None
    path: Path
    lose: list[Lose | None] = []


class Force(By):
    """A push or pull without an attack."""

    target: str
    amount: Small
    path: Path = []


class LoseFlight(By):
    """A figure loses flight."""

    to: Hex | None = None


class PlaceObstacle(Part):
    """An obstacle is placed."""

    at: Hex


class Step(Part):
    """One verb, and whether the rules forbid it."""

    attack: Attack | None = None
    draw: Draw | None = None
    bless: Supplied | None = None
    curse: Supplied | None = None
    damage: Damage | None = None
    heal: Heal | None = None
    condition: Gain | None = None
    bonus: RoundBonus | None = None
    start_turn: StartTurn | None = None
    end_turn: EndTurn | None = None
    start_round: Nothing | None = None
    end_round: Nothing | None = None
    select: Select | None = None
    play_card: PlayCard | None = None
    remove_card: OfCard | None = None
    recover: OfCard | None = None
    rest: Rest | None = None
    move: Move | None = None
    push: Force | None = None
    pull: Force | None = None
    lose_flight: LoseFlight | None = None
    place_obstacle: PlaceObstacle | None = None
    refused: bool = False

    @property
    def verb(self) -> str:
        """The name of its verb."""
        return next(name for name in Step.model_fields if name in self.named)

    @property
    def given(self) -> BaseModel:
        """The parameters of its verb."""
        return getattr(self, self.verb) or Nothing()

    @property
    def named(self) -> set[str]:
        """The verbs that it names."""
        return self.model_fields_set - {"refused"}

    @model_validator(mode="after")
    def check_verb(self) -> Step:
        """One verb, with its parameters."""
        if len(self.named) != 1:
            raise ValueError(f"a step names exactly one verb, not {len(self.named)}")
        if getattr(self, self.verb) is None and self.verb not in ("start_round", "end_round"):
            raise ValueError(f"{self.verb}: needs its parameters")
        return self
