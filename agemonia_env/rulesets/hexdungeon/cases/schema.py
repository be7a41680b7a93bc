"""The schema of a case file; anything else is a mistake, reported with its place."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError, model_validator

from agemonia_env.display.messages import in_line, not_allowed
from agemonia_env.files.documents import DocumentError, read_json
from agemonia_env.rulesets.case_schema import Part

from ..core.hexset import MAX_HEXES
from ..core.layout import MAX_CARDS, MAX_CELLS, MAX_ENEMIES, MAX_HEIGHT, MAX_LINES

Hex = tuple[int, int]
Kind = Literal["wall", "obstacle", "trap", "hazard", "difficult"]
Small = Annotated[int, Field(ge=0, le=99)]
Step = Annotated[int, Field(ge=-20, le=20)]
Data = dict[str, Any]


class Grid(Part):
    """A rectangle of hexes in axial coordinates [q, r]; directions are 0 to 5."""

    width: int = Field(ge=1)
    height: int = Field(ge=1, le=MAX_HEIGHT)
    thin_walls: list[tuple[Hex, Annotated[int, Field(ge=0, le=5)]]] = Field(
        default=[], max_length=MAX_LINES
    )

    @property
    def stride(self) -> int:
        """See hexset.py."""
        return self.height + 1

    def number(self, place: Hex) -> int:
        """The core's number of a hex of the board."""
        return place[0] * self.stride + place[1]

    def place(self, number: int) -> Hex:
        """The hex with a number of the core; its row is 0 to height - 1."""
        q = 2 * number // (2 * self.stride - 1)
        return q, number - q * self.stride

    def has(self, place: Hex) -> bool:
        """Whether a hex is on the board."""
        q, r = place
        return 0 <= q < self.width and 0 <= r + q // 2 < self.height

    def hexes(self) -> list[Hex]:
        """Every hex of the board."""
        rows = range(self.height)
        return [(q, row - q // 2) for q in range(self.width) for row in rows]

    @model_validator(mode="after")
    def check_grid(self) -> Grid:
        """The board fits into the core, and every hex is on it."""
        most = self.number((self.width - 1, self.height - 1 - (self.width - 1) // 2)) + 1
        if most > MAX_HEXES:
            raise ValueError(
                f"a board of {self.width} x {self.height} is too large: width * (height + 1/2) "
                f"may be {MAX_HEXES} at most"
            )
        self.check_hexes("thin_walls", [place for place, _ in self.thin_walls])
        return self

    def check_hexes(self, name: str, hexes: Iterable[Hex]) -> None:
        """Raises ValueError for a hex that is not on the board."""
        for place in hexes:
            if not self.has(place):
                raise ValueError(f"{name}: {self.off_board(place)}")

    def off_board(self, place: Hex) -> str:
        """What is wrong with a hex that is not on the board."""
        q, r = place
        rows = f"{-(q // 2)} to {self.height - 1 - q // 2}" if 0 <= q < self.width else ""
        allowed = f"r of column {q}: {rows}" if rows else f"columns: 0 to {self.width - 1}"
        return f"hex [{q}, {r}] is not on the board ({allowed})"


class Board(Grid):
    """The board of a case of kind A or B."""

    id: str
    rules: Literal["gloomhaven"] = "gloomhaven"
    terrain: dict[Kind, list[Hex]] = {}

    @model_validator(mode="after")
    def check_terrain(self) -> Board:
        """Every hex is on the board."""
        for kind, hexes in self.terrain.items():
            self.check_hexes(f"terrain.{kind}", hexes)
        return self


class Enemy(Part):
    """A possible target."""

    at: Hex
    initiative: Annotated[int, Field(ge=0, le=9999)]


class Area(Part):
    """A template; its offsets count from the own hex or from its first hex."""

    origin: Literal["self", "free"]
    hexes: list[tuple[Step, Step]] = Field(min_length=1, max_length=MAX_CELLS)

    @model_validator(mode="after")
    def check_area(self) -> Area:
        """No red hex twice."""
        if len(set(self.hexes)) < len(self.hexes):
            raise ValueError("a hex is given twice")
        return self


class Attack(Part):
    """An attack ability; range 0 = melee."""

    range: Annotated[int, Field(ge=0, le=MAX_HEXES)]
    targets: Annotated[int, Field(ge=1, le=99)] | Literal["all"] | None
    area: Area | None
    extra_targets: Small | None

    @model_validator(mode="after")
    def check_attack(self) -> Attack:
        """A template has no number of targets, and without one nothing is added to it."""
        if self.area is None and self.targets is None:
            raise ValueError("targets: a number or all; null stands beside an area only")
        if self.area is None and self.extra_targets:
            raise ValueError("extra_targets: 0 without an area; give targets instead")
        if self.area is not None and self.targets is not None:
            raise ValueError("targets: null beside an area; give extra_targets instead")
        if self.area is not None and self.area.origin == "free" and self.range == 0:
            raise ValueError("range: at least 1 for an area whose origin is free")
        return self


class Action(Part):
    """What is on the monster's card; attack null = no attack."""

    move: Small
    mode: Literal["walk", "jump", "fly"]
    muddled: bool
    attack: Attack | None


class Option(BaseModel):
    """One allowed outcome; other keys are information."""

    end: Hex
    attacks: list[Hex]

    @property
    def outcome(self) -> tuple[Hex, frozenset[Hex]]:
        """What is compared."""
        return self.end, frozenset(self.attacks)


class Expected(Part):
    """All allowed outcomes."""

    options: list[Option]


class MonsterTurn(Board):
    """Kind A."""

    actor: Hex
    allies: list[Hex] = []
    enemies: list[Enemy] = Field(max_length=MAX_ENEMIES)
    action: Action
    expected: Expected | None = None
    note: str = ""

    @model_validator(mode="after")
    def check_figures(self) -> MonsterTurn:
        """Every figure stands on the floor of the board, on a hex of its own."""
        figures = {
            "actor": [self.actor],
            "allies": self.allies,
            "enemies": [enemy.at for enemy in self.enemies],
        }
        walls = set(self.terrain.get("wall", []))
        taken: dict[Hex, str] = {}
        for name, hexes in figures.items():
            self.check_hexes(name, hexes)
            for place in hexes:
                if place in walls:
                    raise ValueError(f"{name}: hex {list(place)} is a wall")
                if place in taken:
                    raise ValueError(f"{name}: hex {list(place)} is taken ({taken[place]})")
                taken[place] = name
        return self


class Sight(Board):
    """Kind B."""

    blocked: list[tuple[Hex, Hex]]
    pairs: int


class Modifiers(Part):
    """Kind D."""

    id: str
    deck: list[str] = Field(min_length=1, max_length=MAX_CARDS)
    value: Small
    mode: Literal["normal", "advantage", "disadvantage"]
    distribution: dict[str, str]
    mean: str


Case = MonsterTurn | Sight | Modifiers
KINDS: dict[str, type[Case]] = {
    "hex-monster-turns/1": MonsterTurn,
    "hex-los/1": Sight,
    "hex-modifier-deck/1": Modifiers,
}
MAX_BYTES = 16 * 2**20  # of a file, unpacked


def read(path: Path) -> Data:
    """The JSON of a file, perhaps .gz. Raises ValueError for a mistake in it."""
    try:
        value = read_json(path, MAX_BYTES)
    except DocumentError as error:
        line = "" if error.line is None else f"{error.line}:"
        raise ValueError(f"{path}:{line} {error.reason}") from None
    if not isinstance(value, dict) or not isinstance(value.get("cases"), list):
        raise ValueError(f"{path}: must be a mapping with a list of cases")
    given = value.get("format")
    if not isinstance(given, str) or given not in KINDS:
        raise ValueError(f"{path}: format: {not_allowed(given, KINDS)}")
    return value


def load(path: Path) -> tuple[list[Case], list[str]]:
    """The valid cases of a file, and the mistakes in the others, one line each."""
    try:
        data = read(path)
    except ValueError as error:
        return [], [str(error)]
    cases: list[Case] = []
    problems: list[str] = []
    for n, given in enumerate(data["cases"], start=1):
        name = in_line(given.get("id", "without id")) if isinstance(given, dict) else "no mapping"
        try:
            cases.append(KINDS[data["format"]].model_validate_json(json.dumps(given)))
        except ValidationError as error:
            problems += [f"{path}: case {n} ({name}): {reason}" for reason in mistakes_of(error)]
    return cases, problems


def mistakes_of(error: ValidationError) -> Iterator[str]:
    """Each mistake of a case, after its place."""
    for part in error.errors():
        place = "".join(f"{in_line(step)}: " for step in part["loc"])
        yield f"{place}{part['msg'].removeprefix('Value error, ')}"
