"""Scenarios and gauntlets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, model_validator

from .basics import (
    Check,
    ConditionName,
    Count,
    DifficultyName,
    HeroCount,
    HeroLevel,
    Name,
    OneKey,
    Positive,
    Signed,
    Strict,
    Text,
)
from .enemies import Health
from .maps import DrawnMap


class Placement(Strict):
    """Enemies placed at set-up if the party is large enough."""

    type: Name
    """A file of `enemies/`."""
    area: Name
    """A letter of the map."""
    amount: Positive = 1
    """How many figures; at most 16 Enemies are placed in all."""
    min_heroes: HeroCount = 1
    """The smallest party that meets them."""
    max_heroes: HeroCount = 4
    """The largest party that meets them."""

    @model_validator(mode="after")
    def _meets_somebody(self) -> Placement:
        if self.min_heroes > self.max_heroes:
            raise ValueError(
                f"min_heroes: {self.min_heroes} is more than max_heroes, {self.max_heroes}: no "
                "party meets them"
            )
        return self


def _fit(card: Strict, what: str, needs: Sequence[str], may: Sequence[str] = ()) -> None:
    """Check the optional keys of a card of some kind. Raises ValueError naming the wrong ones."""
    if missing := [key for key in needs if not getattr(card, key)]:
        raise ValueError(f"{what} needs {' and '.join(missing)}")
    optional = ("type", "item", "ally", "section", "number", "areas")
    others = set(optional) - {*needs, *may}
    if unread := [key for key in optional if key in others and getattr(card, key, None)]:
        allowed = " and ".join((*needs, *may)) or "none"
        raise ValueError(f"{what} does not read {' and '.join(unread)}; allowed: {allowed}")


class Goal(Strict):
    """The objective: how the scenario is won (R19.12)."""

    kind: Literal[
        "defeat_all", "defeat_type", "hold", "reach", "collect", "escort", "disarm", "advance"
    ]
    """See the table below."""
    type: Name | None = None
    """The Enemy type of `defeat_type`; a file of `enemies/`."""
    item: Name | None = None
    """The item of `collect`; a key of `items/`."""
    ally: Name | None = None
    """The Ally of `escort`; one of the scenario's `allies`."""
    number: Count = 0
    """How many figures, rounds, items, traps or steps."""
    areas: list[Name] = []
    """Goal areas, by their letters."""

    @model_validator(mode="after")
    def _complete(self) -> Goal:
        kind = OBJECTIVES[self.kind]
        _fit(self, f"objective {self.kind}", kind.needs, kind.may)
        return self


class Timer(Strict):
    """The Fate cards of the rounds are added up; at a sum, events `when: timer` happen (R19.1)."""

    round: Positive = 1
    """The round whose Fate card is the first (R19.1)."""
    target: Positive
    """The sum (R19.2)."""
    repeats: bool = False
    """Whether it then starts again, with the newest card left (R19.3)."""


class Reinforce(Strict):
    """Enemies that arrive."""

    type: Name
    """A file of `enemies/`."""
    area: Name
    """A letter of the map; if it is full, the nearest area with room (R10.46)."""
    amount: Positive = 1
    """How many figures."""
    per_hero: bool = False
    """Whether that is for each Hero of the party."""


class Placed(Strict):
    """An item that comes to lie in an area."""

    item: Name
    """A key of `items/`."""
    area: Name
    """A letter of the map."""


class Turned(Strict):
    """A teleport token turned over (R7.45)."""

    area: Name
    """The letter of its area."""
    active: bool = True
    """Which side lies up."""


class Joins(Strict):
    """A Non-Hero Ally that appears."""

    ally: Name
    """One of the scenario's `allies` with `joins: true`."""
    area: Name
    """A letter of the map."""


class Fortify(Strict):
    """Enemies that heal."""

    type: Name
    """A type of this scenario."""
    amount: Positive
    """Health that each regains (R2.8)."""


class Consequence(OneKey):
    """What an event or a story section does: a mapping with exactly one of these keys."""

    reinforce: Reinforce | None = None
    """Enemies: arrive on the map (R10.44)."""
    trap: Name | None = None
    """Area: gets a trap token; its letter (R19.7)."""
    item: Placed | None = None
    """Area: an item comes to lie in it (R17.5)."""
    activate: Turned | None = None
    """Area: its teleport token is turned over (R7.45)."""
    start_timer: Positive | None = None
    """Scenario: the timer starts, with this sum (R19.1)."""
    stop_timer: Literal[True] | None = None
    """Scenario: the timer stops (R19.4)."""
    advance: Positive | None = None
    """Scenario: so many steps towards an objective of the kind `advance`."""
    give_gem: Positive | None = None
    """Heroes: every standing one gains so many Achievement gems (R16.4)."""
    harm: Positive | None = None
    """Reader: the Ally that set the section off suffers so much damage (R2.13)."""
    cure: Positive | None = None
    """Reader: the Ally that set the section off heals so much (R2.7)."""
    affect: ConditionName | None = None
    """Reader: the Ally that set the section off gains a condition (R12.0)."""
    join: Joins | None = None
    """Area: a Non-Hero Ally appears in it (R18.1)."""
    fortify: Fortify | None = None
    """Enemies: all standing ones of a type heal (R2.8)."""
    fail: Literal[True] | None = None
    """Scenario: is lost (R19.12)."""
    succeed: Literal[True] | None = None
    """Scenario: is won (R19.12)."""


class Section(Strict):
    """A story section with effects, at its story point (R19.11)."""

    text: Text
    """What people read."""
    area: Name
    """The letter of its area."""
    trigger: Literal["entry", "sight", "choice"] = "entry"
    """`entry`: an Ally enters the area; `sight`: an Ally is within range with sight, and must;
    `choice`: a Hero within range with sight may, in its turn (R19.11)."""
    range: Count | None = None
    """How far away, for `sight` and `choice`; not given: any distance (R19.11)."""
    repeats: bool = False
    """Whether it can be read again; not with `sight`."""
    maneuver: bool = False
    """Whether reading it costs a maneuver; only with `choice` (R6.4)."""
    check: Check | None = None
    """A check that decides between `effects` and `failed` (R3.14)."""
    effects: list[Consequence] = []
    """What it does, after a check only if that succeeds."""
    failed: list[Consequence] = []
    """What a failed check does."""

    @model_validator(mode="after")
    def _fits_trigger(self) -> Section:
        if self.trigger == "sight" and self.repeats:
            raise ValueError("a section on sight is read once: repeats is for entry and choice")
        if self.trigger != "choice" and self.maneuver:
            raise ValueError(f"a section on {self.trigger} costs no maneuver; choice may")
        if self.failed and self.check is None:
            raise ValueError("failed without a check never happens")
        if self.trigger == "entry" and self.range is not None:
            raise ValueError("a section on entry has no range; sight and choice may")
        return self


WHEN = {
    "round": ("number",),
    "timer": (),
    "defeat": ("type", "number"),
    "story": ("section",),
    "tokens": ("number",),
}


class EventCard(Strict):
    """A scenario event: it happens once, or with a repeated timer each time."""

    when: Literal["round", "timer", "defeat", "story", "tokens"]
    """`round`: at the end of round `number`; `timer`: the timer's sum is reached; `defeat`:
    `number` figures of `type` are defeated; `story`: `section` is read; `tokens`: Enemies have put
    `number` tokens on the Story card."""
    text: Text = "-"
    """What people read when it happens."""
    number: Count = 0
    """The round, or how many; for `round`, `defeat` and `tokens`."""
    type: Name | None = None
    """The Enemy type of `defeat`; one of this scenario."""
    section: Name | None = None
    """The section of `story`; a key of `sections` or `stories`."""
    effects: Annotated[list[Consequence], Field(min_length=1)]
    """What it does, in order; not `harm`, `cure` or `affect`, which need a reader."""

    @model_validator(mode="after")
    def _complete(self) -> EventCard:
        _fit(self, f"an event when: {self.when}", WHEN[self.when])
        return self


class Companion(Strict):
    """A Non-Hero Ally of the scenario (R18.1)."""

    ally: Name
    """A file of `allies/`."""
    area: Name | None = None
    """The letter of the area where it starts; not given: with the Heroes. Not with `joins`."""
    joins: bool = False
    """Whether it waits off the map until a `join` brings it."""

    @model_validator(mode="after")
    def _stands_somewhere(self) -> Companion:
        if self.joins and self.area is not None:
            raise ValueError("area: the effect `join` says where an Ally that joins appears")
        return self


class Difficulty(Strict):
    """What a difficulty level changes; its numbers are added to those of the scenario."""

    target: Annotated[float, Field(ge=0.0, le=1.0)]
    """The share of games that a sensible party should win; nothing in play depends on it."""
    health: Signed = 0
    """Added to the health of every Enemy."""
    per_hero: Annotated[int, Field(ge=-5, le=5)] = 0
    """Added to every Enemy's health for each Hero."""
    value: Annotated[int, Field(ge=-3, le=3)] = 0
    """Added to every attack of an Enemy that has a value."""
    shield: Annotated[int, Field(ge=-1, le=1)] = 0
    """Added to the shield of every Enemy."""
    rounds: Signed = 0
    """Added to the last round."""
    timer: Signed = 0
    """Added to the sum of the timer."""
    gems: Count = 0
    """Achievement gems more for every Hero (R16.4)."""
    inspiration: Count = 0
    """Inspiration gems more for every Hero (R16.1)."""
    setup: list[Placement] = []
    """More Enemies."""


DIFFICULTIES: tuple[DifficultyName, ...] = ("easy", "normal", "hard", "brutal")


class Scenario(Strict):
    """A file of scenarios/: a map, who is on it, and how it is won.

    Commands name it by its file, `--scenario ford`.
    """

    name: Name
    """What people read."""
    text: Text
    """What people read when it begins."""
    map: DrawnMap
    """The map (section 7)."""
    start: Name
    """The letter of the area in which the Heroes start (R4.2)."""
    apart: dict[Name, Name] = {}
    """Heroes that start elsewhere, each with the letter of an area (R4.2)."""
    heroes: Annotated[list[Name], Field(min_length=1)]
    """Who plays where only a number is said, in this order; files of `heroes/`. The list also
    limits that number: with two names `--heroes 3` is refused."""
    setup: Annotated[list[Placement], Field(min_length=1)]
    """Enemies on the map at the start (R4.1)."""
    objective: Goal
    """How it is won (R19.12)."""
    last_round: Count = 0
    """The scenario is lost at the end of this round; 0: there is no limit."""
    timer: Timer | None = None
    """A timer that runs from the start (R19.1)."""
    events: list[EventCard] = []
    """What happens on the way; at most 16."""
    health: dict[str, Health] = {}
    """Enemy types with other health than on their cards, by file (R10.3)."""
    bad_rest: bool = False
    """Whether every Hero starts with stamina lost, as the pack's `rulings` say (R4.11)."""
    stories: dict[str, Text] = {}
    """Texts of sections that are only read, by the names that areas give in `story`."""
    sections: dict[str, Section] = {}
    """Story sections with effects, by any name; with `stories` at most 12 (R19.11)."""
    allies: list[Companion] = []
    """Non-Hero Allies that take part (R18.1)."""
    difficulty: dict[DifficultyName, Difficulty] = {}
    """All four levels, or none; then only `normal` can be played."""
    level: HeroLevel = 1
    """The level of Heroes for which it is made (R20.1)."""


class Stage(Strict):
    """One scenario of a gauntlet."""

    scenario: Name
    """A file of `scenarios/`."""
    level: HeroLevel = 1
    """Level of the Heroes (R20.1)."""
    rest: bool = False
    """Whether the party is healed before it (R19.12)."""


class Gauntlet(Strict):
    """A file of gauntlets/: scenarios that one party plays one after another (R4.7)."""

    name: Name
    """What people read."""
    text: Text
    """What people read when it begins."""
    stages: Annotated[list[Stage], Field(min_length=1, max_length=12)]
    """The scenarios, in order."""


class Objective(Strict):
    """A kind of objective: what it needs, and what it means."""

    needs: tuple[str, ...]
    may: tuple[str, ...] = ()
    wins: str


OBJECTIVES: dict[str, Objective] = {
    "defeat_all": Objective(
        needs=(), wins="No Enemy stands, and no event is due that brings more."
    ),
    "defeat_type": Objective(
        needs=("type", "number"), wins="`number` figures of `type` are defeated."
    ),
    "hold": Objective(needs=("number",), wins="A Hero stands at the end of round `number`."),
    "reach": Objective(needs=("areas",), wins="Every standing Hero is in one of `areas`."),
    "collect": Objective(
        needs=("item", "number"),
        may=("areas",),
        wins="Standing Heroes carry `number` of `item`, in `areas` if there are any.",
    ),
    "escort": Objective(
        needs=("ally", "areas"), wins="`ally` stands in one of `areas`; lost if it is exhausted."
    ),
    "disarm": Objective(needs=("number",), wins="`number` traps are disarmed."),
    "advance": Objective(
        needs=("number",), wins="`number` steps are made, by `advance` of events and sections."
    ),
}
