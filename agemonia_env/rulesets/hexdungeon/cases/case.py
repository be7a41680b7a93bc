"""Rule cases: pieces on the board, steps, and expectations."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agemonia_env.display.messages import in_line, shown

from .pieces import Condition, Deck, Element, Figure, Scene, SceneKind, Supply
from .schema import Area, Hex, Part, Small
from .steps import By, Mode, Nothing, Step

Spot = Hex | str  # a hex, or the name of the figure on it
Place = tuple[str | int, ...]
MONSTER, SUPPLY = "monster", "supply"  # names of decks that are no characters


# ---- questions ----------------------------------------------------------------------------------
class Hits(By):
    """A placement of a template."""

    hexes: list[Hex]
    area: Area
    range: Small = 0


class Attackable(By):
    """An attack."""

    range: Small = 0
    area: Area | None = None


class Reachable(By):
    """A move."""

    move: Small
    mode: Mode | None = None


class Cost(By):
    """A move to a hex."""

    to: Hex
    mode: Mode | None = None


class Forced(By):
    """A push or pull."""

    target: str


class Healer(By):
    """A monster's heal."""

    range: Small = 0


class MonsterAttack(Part):
    """The attack on a monster's card."""

    range: Small = 0
    targets: Annotated[int, Field(ge=1, le=99)] | Literal["all"] | None = None
    area: Area | None = None
    extra_targets: Small = 0

    @model_validator(mode="after")
    def check_attack(self) -> MonsterAttack:
        """A template has no number of targets, and without one nothing is added to it."""
        if self.area is not None and self.targets is not None:
            raise ValueError("targets: none beside an area; give extra_targets instead")
        if self.area is None and self.extra_targets:
            raise ValueError("extra_targets: none without an area; give targets instead")
        return self


class MonsterTurn(By):
    """A monster's turn with these lines on its card."""

    move: Small = 0
    mode: Mode | None = None
    attack: MonsterAttack | None = None


class Question(Part):
    """One question, and its answer or a part of it."""

    range: tuple[Spot, Spot] | None = None
    adjacent: tuple[Spot, Spot] | None = None
    los: tuple[Spot, Spot] | None = None
    orientations: Area | None = None
    hits: Hits | None = None
    attackable: Attackable | None = None
    reachable: Reachable | None = None
    cost: Cost | None = None
    push_steps: Forced | None = None
    pull_steps: Forced | None = None
    shield: str | None = None
    heal_targets: Healer | None = None
    turn_order: Nothing | None = None
    monster_turn: MonsterTurn | None = None
    answer: Any = Field(None, alias="is")
    has: list[Any] | None = None
    lacks: list[Any] | None = None
    count: int | None = None

    @property
    def name(self) -> str:
        """What is asked."""
        return next(name for name in Question.model_fields if name in self.model_fields_set)

    @property
    def given(self) -> Any:
        """Its parameters."""
        return getattr(self, self.name)

    @model_validator(mode="after")
    def check_question(self) -> Question:
        """One question, and something to compare the answer with."""
        answers = {"answer", "has", "lacks", "count"}
        asked = self.model_fields_set - answers
        if len(asked) != 1:
            raise ValueError(f"an entry asks exactly one question, not {len(asked)}")
        if self.given is None and self.name != "turn_order":
            raise ValueError(f"{self.name}: needs its parameters")
        if not self.model_fields_set & answers:
            raise ValueError("one of is, has, lacks and count is needed")
        return self


# ---- expectations -------------------------------------------------------------------------------
class FigureState(Part):
    """Expectations about a figure."""

    hp: int | None = None
    max_hp: int | None = None
    at: Hex | None = None
    dead: bool | None = None
    exhausted: bool | None = None
    xp: int | None = None
    loot: int | None = None
    conditions: list[Condition] | None = None
    hand: list[str] | None = None
    discard: list[str] | None = None
    lost: list[str] | None = None
    active: dict[str, int] | None = None


class DeckState(Part):
    """Expectations about a modifier deck."""

    draw: int | list[str] | None = None
    draw_bag: list[str] | None = None
    discard: int | list[str] | None = None
    size: int | None = None
    shuffle: bool | None = None


class AttackState(Part):
    """Expectations about an attack."""

    target: str | None = None
    mode: Literal["normal", "advantage", "disadvantage"] | None = None
    drawn: list[str] | None = None
    applied: list[str] | None = None
    value: int | None = None
    damage: int | None = None
    suffered: int | None = None
    retaliated: int | None = None


class DrawState(Part):
    """Expectations about drawn cards."""

    cards: list[str] | None = None
    applied: list[str] | None = None
    value: int | None = None
    effects: list[str | dict[str, int]] | None = None


class Expectation(BaseModel):
    """Expectations: the names below; every other name is a figure's."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    __pydantic_extra__: dict[str, FigureState] = {}

    decks: dict[str, DeckState | Supply] | None = None
    attacks: list[AttackState] | None = None
    drawn: DrawState | None = None
    elements: dict[Element, Literal["strong", "waning"]] | None = None
    board: dict[SceneKind, list[Hex]] | None = None
    ask: list[Question] | None = None

    @property
    def figures(self) -> dict[str, FigureState]:
        """The expectations about each figure."""
        return self.__pydantic_extra__


RESERVED = tuple(Expectation.model_fields)


# ---- the case -----------------------------------------------------------------------------------
class RuleCase(Part):
    """Kind C."""

    id: str
    rules: list[str] = []
    covers: Any = None
    note: Any = None
    board: Scene = Scene()
    figures: dict[str, Figure] = {}
    decks: dict[str, Deck] = {}
    do: list[Step] = []
    expect: Expectation | None = None
    expect_any: list[Expectation] = []
    refused: list[Step] = []

    @property
    def supply(self) -> Supply:
        """The supplies as far as they are given."""
        given = self.decks.get(SUPPLY)
        return given if isinstance(given, Supply) else Supply()

    def of_side(self, side: str) -> list[str]:
        """Names of the figures of a side, in order."""
        return [name for name, figure in self.figures.items() if figure.side == side]

    @model_validator(mode="after")
    def check_names(self) -> RuleCase:
        """Figures have names of their own, stand on hexes of their own, and know their owners."""
        taken: dict[Hex, str] = {}
        for name, figure in self.figures.items():
            if name in RESERVED:
                raise ValueError(f"figures: {shown(name)} is a reserved name")
            if figure.owner is not None and figure.owner not in self.of_side("hero"):
                raise ValueError(f"figures: {name}: owner {shown(figure.owner)} is no character")
            if figure.at is not None:
                self.board.check_hexes(f"figures: {name}", [figure.at])
                if figure.at in taken:
                    raise ValueError(
                        f"figures: {name}: hex {list(figure.at)} is taken ({taken[figure.at]})"
                    )
                taken[figure.at] = name
        for name, deck in self.decks.items():
            if isinstance(deck, Supply) != (name == SUPPLY):
                raise ValueError(f"decks: {name}: supplies stand under {SUPPLY!r}")
        for expectation in [*([self.expect] if self.expect else []), *self.expect_any]:
            for name in expectation.figures:
                if name not in self.figures:
                    raise ValueError(f"expect: no figure is called {shown(name)}")
        return self


def is_rule_cases(value: Any) -> bool:
    """Whether the value of a YAML file holds rule cases of this ruleset, not of another."""
    return isinstance(value, list) and any(map(is_rule_case, value))


def is_rule_case(value: Any) -> bool:
    """Whether a mapping names rules G..., or has a board or figures with sides."""
    if not isinstance(value, dict):
        return False
    rules, figures = value.get("rules"), value.get("figures")
    return (
        bool({"board", "refused"} & value.keys())
        or (isinstance(rules, list) and any(str(rule).startswith("G") for rule in rules))
        or (
            isinstance(figures, dict)
            and any(isinstance(part, dict) and "side" in part for part in figures.values())
        )
    )


def read_case(
    value: Any, place: Place, mistake: Callable[[Place, str], str]
) -> RuleCase | list[str]:
    """The mapping at a place of a file as a case, or its mistakes as `mistake` formats them."""
    try:
        return RuleCase.model_validate_json(json.dumps(value))
    except ValidationError as error:
        return list(problems(error, place, mistake))


def problems(
    error: ValidationError, place: Place, mistake: Callable[[Place, str], str]
) -> Iterator[str]:
    """The mistakes in a case, one line each."""
    for part in error.errors():
        reason = part["msg"].removeprefix("Value error, ")
        if part["type"] == "extra_forbidden":
            reason = "unknown key"
        where = ".".join(map(in_line, part["loc"]))
        yield mistake((*place, *part["loc"]), f"{where}: {reason}" if where else reason)
