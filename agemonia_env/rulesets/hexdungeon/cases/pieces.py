"""The pieces of a rule case: its board, figures and modifier decks."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from agemonia_env.rulesets.case_schema import Part

from ..core.layout import MAX_HEIGHT, MAX_REACH, N_SPACES
from ..core.terms import Effect
from .schema import Grid, Hex, Small

Condition = Literal[
    "poison", "wound", "immobilize", "disarm", "stun", "muddle", "invisible", "strengthen"
]
Element = Literal["fire", "ice", "air", "earth", "light", "dark"]
SceneKind = Literal["wall", "door", "obstacle", "trap", "hazard", "difficult", "loot"]
Reach = Annotated[int, Field(ge=1, le=MAX_REACH)]
Change = Annotated[int, Field(ge=-99, le=99)]
Life = Annotated[int, Field(ge=0, le=9999)]

CONDITIONS = tuple(effect.name.lower() for effect in Effect if 0 < effect <= Effect.STRENGTHEN)
ELEMENTS = tuple(effect.name.lower() for effect in Effect if Effect.FIRE <= effect <= Effect.DARK)


# ---- board --------------------------------------------------------------------------------------
class Trap(Part):
    """A trap other than a plain damage trap."""

    at: Hex
    damage: Small = 0
    conditions: list[Condition] = []


class Terrain(Part):
    """Hexes of each kind; `door` = closed doors."""

    wall: list[Hex] = []
    door: list[Hex] = []
    obstacle: list[Hex] = []
    trap: list[Hex | Trap] = []
    hazard: list[Hex] = []
    difficult: list[Hex] = []
    loot: list[Hex] = []

    def hexes(self) -> dict[SceneKind, list[Hex]]:
        """Hexes of each kind, traps without their text."""
        return {
            kind: [part.at if isinstance(part, Trap) else part for part in getattr(self, kind)]
            for kind in get_args(SceneKind)
        }


class Scene(Grid):
    """The board, and the scenario level."""

    width: int = Field(default=16, ge=1)
    height: int = Field(default=7, ge=1, le=MAX_HEIGHT)
    level: Annotated[int, Field(ge=0, le=20)] = 1
    terrain: Terrain = Terrain()

    @model_validator(mode="after")
    def check_terrain(self) -> Scene:
        """Every hex is on the board."""
        for kind, hexes in self.terrain.hexes().items():
            self.check_hexes(f"terrain.{kind}", hexes)
        return self


# ---- figures ------------------------------------------------------------------------------------
class Retaliate(Part):
    """Retaliate with a range."""

    value: Small
    range: Reach = 1


class BonusEffect(Part):
    """What an active bonus does: four fields for attacks made, then those for attacks suffered."""

    attack: Change = 0
    advantage: Small = 0
    disadvantage: Small = 0
    pierce: Small = 0
    conditions: list[Condition] = []
    shield: Small = 0
    retaliate: Small = 0
    range: Reach = 1
    negate: bool = False


class Active(Part):
    """An active bonus (G11)."""

    kind: Literal["persistent", "round"] = "persistent"
    spaces: Annotated[int, Field(ge=0, le=N_SPACES)] = 0
    trigger: Literal["none", "attacks", "attacked", "attack_action", "damage"] = "none"
    effect: BonusEffect = BonusEffect()
    served: list[str] | None = Field(None, alias="for")
    only: Literal["both", "melee", "ranged"] = "both"
    xp: list[Small] = Field([], max_length=N_SPACES)
    summon: str | None = None

    @model_validator(mode="after")
    def check_spaces(self) -> Active:
        """Spaces need something that moves the token, and experience needs spaces."""
        if self.spaces and self.trigger == "none":
            raise ValueError("spaces: they need a trigger")
        if len(self.xp) > self.spaces:
            raise ValueError("xp: more entries than spaces")
        return self


class ActiveCard(Active):
    """A card that lies in the active area from the beginning."""

    card: str
    loss: bool = False
    token: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def check_token(self) -> ActiveCard:
        """The token lies on a space."""
        if self.token is not None and self.token > self.spaces:
            raise ValueError(f"token: {self.token}, but there are {self.spaces} spaces")
        return self


class Figure(Part):
    """A character, summon or monster."""

    side: Literal["hero", "summon", "monster"]
    at: Hex | None = None
    hp: Life = 10
    max_hp: Life | None = None
    shield: list[Small] = []
    retaliate: list[Small | Retaliate] = []
    conditions: list[Condition] = []
    immune: list[Condition] = []
    fly: bool = False
    owner: str | None = None
    hand: list[str] = []
    discard: list[str] = []
    lost: list[str] = []
    active: list[ActiveCard] = []
    initiative: Annotated[int, Field(ge=0, le=99)] = 50
    second: Annotated[int, Field(ge=0, le=99)] = 99
    type: str | None = None
    elite: bool = False
    standee: Annotated[int, Field(ge=0, le=99)] | None = None
    order: Annotated[int, Field(ge=0, le=99)] | None = None
    fresh: bool = False
    xp: Small = 0

    @property
    def cards(self) -> list[str]:
        """Its ability cards, wherever they lie."""
        return [*self.hand, *self.discard, *self.lost, *(entry.card for entry in self.active)]

    @model_validator(mode="after")
    def check_figure(self) -> Figure:
        """Only characters have cards, only summons an owner; a card lies in one place."""
        if self.cards and self.side != "hero":
            raise ValueError("only a figure of side hero has cards")
        if self.owner is not None and self.side != "summon":
            raise ValueError("owner: only a figure of side summon has one")
        if len(set(self.cards)) < len(self.cards):
            raise ValueError("a card is given twice")
        if self.max_hp is not None and self.max_hp < self.hp:
            raise ValueError(f"hp: {self.hp}, but max_hp is {self.max_hp}")
        return self


# ---- decks --------------------------------------------------------------------------------------
class Piles(Part):
    """A modifier deck of two piles; the draw pile's top card comes first."""

    draw: list[str] = []
    discard: list[str] = []
    shuffle: bool = False


class Supply(Part):
    """Blesses and curses that are in no deck (G1.12)."""

    bless: Small | None = None
    curse_monster: Small | None = None
    curse_hero: Small | None = None


Deck = list[str] | Literal["standard"] | Piles | Supply
