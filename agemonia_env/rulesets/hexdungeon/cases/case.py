"""Rule cases: pieces on the board, steps, and expectations."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agemonia_env.display.messages import shown
from agemonia_env.rulesets import case_schema
from agemonia_env.rulesets.case_files import Place
from agemonia_env.rulesets.case_schema import Part, choice_of, verb

from .pieces import Condition, Deck, Element, Figure, Scene, SceneKind, Supply
from .schema import Area, Hex, Small
from .steps import BY, MOVES, Step

Spot = Hex | str  # a hex, or the name of the figure on it
MONSTER, SUPPLY = "monster", "supply"  # names of decks that are no characters


# ---- questions ----------------------------------------------------------------------------------
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


FORCED = verb(BY, target=str)
QUESTIONS: dict[str, Any] = {
    **dict.fromkeys(("range", "adjacent", "los"), tuple[Spot, Spot]),
    "orientations": Area,
    "hits": verb(BY, hexes=list[Hex], area=Area, range=(Small, 0)),
    "attackable": verb(BY, range=(Small, 0), area=(Area | None, None)),
    "reachable": verb(BY, move=Small, mode=MOVES),
    "cost": verb(BY, to=Hex, mode=MOVES),
    "push_steps": FORCED,
    "pull_steps": FORCED,
    "shield": str,
    "heal_targets": verb(BY, range=(Small, 0)),
    "turn_order": verb(),
    "monster_turn": verb(BY, move=(Small, 0), mode=MOVES, attack=(MonsterAttack | None, None)),
}


class Asked(case_schema.Choice):
    """One question, and its answer or a part of it."""

    wrong: ClassVar[str] = "an entry asks exactly one question"
    answer: Any = Field(None, alias="is")
    has: list[Any] | None = None
    lacks: list[Any] | None = None
    count: int | None = None

    @model_validator(mode="after")
    def check_answer(self) -> Asked:
        """There is something to compare the answer with."""
        if not self.model_fields_set & {"answer", "has", "lacks", "count"}:
            raise ValueError("one of is, has, lacks and count is needed")
        return self


Question = choice_of(Asked, QUESTIONS)


# ---- expectations -------------------------------------------------------------------------------
def asserted(**types: Any) -> type[BaseModel]:
    """Expectations about some of these fields."""
    return verb(**{name: (kind | None, None) for name, kind in types.items()})


CARDS = list[str]
FIGURE = asserted(
    **dict.fromkeys(("hp", "max_hp", "xp", "loot"), int),
    **dict.fromkeys(("dead", "exhausted"), bool),
    **dict.fromkeys(("hand", "discard", "lost"), CARDS),
    at=Hex,
    conditions=list[Condition],
    active=dict[str, int],
)
DECK = asserted(draw=int | CARDS, draw_bag=CARDS, discard=int | CARDS, size=int, shuffle=bool)
ATTACK = asserted(
    target=str,
    mode=Literal["normal", "advantage", "disadvantage"],
    **dict.fromkeys(("drawn", "applied"), CARDS),
    **dict.fromkeys(("value", "damage", "suffered", "retaliated"), int),
)
DRAWN = asserted(cards=CARDS, applied=CARDS, value=int, effects=list[str | dict[str, int]])


class Expectation(BaseModel):
    """Expectations: the names below; every other name is a figure's."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    __pydantic_extra__: dict[str, FIGURE] = {}  # type: ignore[valid-type]

    decks: dict[str, DECK | Supply] | None = None  # type: ignore[valid-type]
    attacks: list[ATTACK] | None = None  # type: ignore[valid-type]
    drawn: DRAWN | None = None  # type: ignore[valid-type]
    elements: dict[Element, Literal["strong", "waning"]] | None = None
    board: dict[SceneKind, list[Hex]] | None = None
    ask: list[Question] | None = None  # type: ignore[valid-type]

    @property
    def figures(self) -> dict[str, Any]:
        """The expectations about each figure."""
        return self.__pydantic_extra__


RESERVED = tuple(Expectation.model_fields)


# ---- the case -----------------------------------------------------------------------------------
class RuleCase(case_schema.Case):
    """Kind C."""

    mistakes_fail = True
    covers: Any = None
    board: Scene = Scene()
    figures: dict[str, Figure] = {}
    decks: dict[str, Deck] = {}
    do: list[Step] = []  # type: ignore[valid-type]
    expect: Expectation | None = None
    expect_any: list[Expectation] = []
    refused: list[Step] = []  # type: ignore[valid-type]

    @property
    def supply(self) -> Supply:
        """The supplies as far as they are given."""
        given = self.decks.get(SUPPLY)
        return given if isinstance(given, Supply) else Supply()

    def of_side(self, side: str) -> list[str]:
        """Names of the figures of a side, in order."""
        return [name for name, figure in self.figures.items() if figure.side == side]

    def mistakes(self) -> Iterator[tuple[Place, str]]:
        """Figures have names of their own, stand on hexes of their own, and know their owners."""
        taken: dict[Hex, str] = {}
        for name, figure in self.figures.items():
            here = ("figures", name)
            if name in RESERVED:
                yield here, f"{shown(name)} is a reserved name"
            if figure.owner is not None and figure.owner not in self.of_side("hero"):
                yield here, f"owner {shown(figure.owner)} is no character"
            if figure.at is not None and not self.board.has(figure.at):
                yield here, self.board.off_board(figure.at)
            elif figure.at is not None and taken.setdefault(figure.at, name) != name:
                yield here, f"hex {list(figure.at)} is taken ({taken[figure.at]})"
        for name, deck in self.decks.items():
            if isinstance(deck, Supply) != (name == SUPPLY):
                yield ("decks", name), f"supplies stand under {SUPPLY!r}"
        for name in [name for part in self.expected() for one in part for name in one.figures]:
            if name not in self.figures:
                yield ("expect",), f"no figure is called {shown(name)}"


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
