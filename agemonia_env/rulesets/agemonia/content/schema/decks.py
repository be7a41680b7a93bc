"""The four decks of a pack."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import Field, model_validator

from agemonia_env.display.messages import shown

from .basics import Check, ColourName, Conditions, Count, EyeName, Levels, Name, Strict, Text

BAR = re.compile(
    r"(?:h(?P<hero>[RBG])(?P<bonus>\+?)|e(?P<enemy>[RBG])-(?P<eye>[SOC])(?:-(?P<s>[sh]+))?)"
)
COLOUR_LETTERS: dict[str, ColourName] = {"R": "red", "B": "blue", "G": "green"}
EYE_LETTERS: dict[str, EyeName] = {"S": "staring", "O": "open", "C": "closed"}
BAR_HELP = "a bar is such as hR, hR+ (bonus maneuver), eG-C, eG-C-h, eG-C-s or eG-C-sh"


class Bar(Strict):
    """A bar of an Initiative card, written as a word.

    `hR`, `hB`, `hG`: Heroes of a colour, with `+` a bonus maneuver (R5.10). `eR-S`: Enemies of a
    colour and their eye, S staring, O open, C closed; with `-h` horns, `-s` the snake, `-sh` both
    (R5.9).
    """

    enemy: bool
    """Whether Enemies act, not Heroes (R5.8)."""
    colour: ColourName
    """Of those who act (R5.8)."""
    bonus: bool = False
    """Whether Heroes have a bonus maneuver (R5.10)."""
    eye: EyeName = "open"
    """Which action Enemies use (R5.9)."""
    horns: bool = False
    """Whether Enemies use their horns (R10.7)."""
    snake: bool = False
    """Whether Enemies use their snake (R10.6)."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        match = BAR.fullmatch(value.strip())
        if match is None or len(set(match["s"] or "")) != len(match["s"] or ""):
            raise ValueError(f"{shown(value)} is not a bar; {BAR_HELP}")
        if match["hero"]:
            colour = COLOUR_LETTERS[match["hero"]]
            return {"enemy": False, "colour": colour, "bonus": bool(match["bonus"])}
        suffix = match["s"] or ""
        return {
            "enemy": True,
            "colour": COLOUR_LETTERS[match["enemy"]],
            "eye": EYE_LETTERS[match["eye"]],
            "horns": "h" in suffix,
            "snake": "s" in suffix,
        }


class InitiativeCard(Strict):
    """Six bars, in a file text with commas or a list: `* hR, hB+, hG, eR-S, eB-O-h, eG-C` (R5.8).

    `*` at either end is the Shuffle symbol. Each of hR hB hG eR eB eG stands once on a card.
    """

    bars: Annotated[list[Bar], Field(min_length=6, max_length=6)]
    """The bars, top to bottom (R5.8)."""
    shuffle: bool = False
    """Whether the deck is shuffled before the next card (R5.7)."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        if isinstance(value, list):
            return {"bars": value}
        if not isinstance(value, str):
            return value
        return {"bars": value.strip(" *").split(","), "shuffle": "*" in value}

    @model_validator(mode="after")
    def _each_once(self) -> InitiativeCard:
        if len({(bar.enemy, bar.colour) for bar in self.bars}) != 6:
            raise ValueError("each of hR hB hG eR eB eG stands once on a card")
        return self


class InitiativeDeck(Strict):
    """decks/initiative.yaml: who acts when, and how Enemies act (R5.12)."""

    cards: Annotated[list[InitiativeCard], Field(min_length=1, max_length=20)]
    """The cards (R5.12)."""


class FateDeck(Strict):
    """decks/fate.yaml: numbers that timers add up (R19.6, Q28)."""

    values: Annotated[list[Count], Field(min_length=1, max_length=20)]
    """The number on each card (R19.2)."""


class InjuryCard(Strict):
    """An Injury card, drawn by a Hero that becomes wounded (R13.14, Q24)."""

    name: Name
    """What people read."""
    text: Text = "-"
    """What the card says."""
    dice: Levels = Levels()
    """Dice taken from every check of each ability."""
    move: Count = 0
    """Movement points taken from every move maneuver."""
    recover: Count = 0
    """Taken from every recover maneuver."""


class InjuryDeck(Strict):
    """decks/injury.yaml: what Heroes draw that become wounded (R13.14)."""

    cards: Annotated[list[InjuryCard], Field(min_length=1, max_length=12)]
    """The cards (R13.14)."""


class TrapCard(Strict):
    """A Trap card; it hits everybody who stands in the area (R19.8, Q24, Q45)."""

    name: Name = "trap"
    """What people read."""
    text: Text = "-"
    """What the card says."""
    damage: Count = 0
    """Damage to each figure."""
    condition: Conditions = []
    """What each figure gains."""
    check: Check | None = None
    """A check by which an Ally avoids it (R19.8)."""


class TrapDeck(Strict):
    """decks/trap.yaml: what a trap does that goes off (R19.8)."""

    cards: Annotated[list[TrapCard], Field(min_length=1, max_length=12)]
    """The cards (R19.8)."""
