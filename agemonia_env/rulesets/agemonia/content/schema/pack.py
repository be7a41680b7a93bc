"""pack.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from .basics import AbilityName, ColourName, ConditionName, Count, Name, Positive, Strict, Text


def ends(die: list[int | str]) -> list[int | str]:
    """The faces of a die. Raises ValueError if each roll of it asks for another."""
    if set(die) == {"X"}:
        raise ValueError("every face is X, so a roll would never end; give it another face")
    return die


class Rulings(Strict):
    """Numbers of the rules themselves; the defaults are those of the rulebook."""

    action_die: Annotated[
        list[Literal[0, 1, 2, "X", "S"]],
        Field(min_length=6, max_length=6),
        AfterValidator(ends),
    ] = [
        *(1, 1, 2),
        *("X", "S", "S"),
    ]
    """Faces of the Action die: successes, X one success and another die, S stamina (R3.1, Q2)."""
    reaction_die: Annotated[list[Literal[0, 1, 2, "H"]], Field(min_length=6, max_length=6)] = [
        *(0, 0, 1),
        *(1, 2, "H"),
    ]
    """Faces of the Reaction die: successes, H hourglass (R3.6, Q2)."""
    disarm: Positive = 6
    """Agility needed to disarm a trap (R19.7)."""
    climb: Positive = 4
    """Agility needed to climb a fixed rope (R7.17)."""
    rope: Positive = 5
    """Agility needed to fix a rope from below (R7.17)."""
    fall_value: Count = 4
    """The hit that an Ally takes who falls (R7.15)."""
    fall_damage_enemy: Count = 2
    """Damage to an Enemy that falls (R7.15)."""
    fall_ability: AbilityName = "agility"
    """The ability that checks against a fall (Q5)."""
    fall_condition: ConditionName = "slowed"
    """What whoever falls gains (Q5, Q43)."""
    dominated_damage: Count = 2
    """What a Dominated figure does to the one beside it (R12.10, Q22)."""
    dominated_range: Count = 2
    """How far away that one is at most (R12.10)."""
    bad_rest: Count = 2
    """Stamina lost at set-up where a scenario says `bad_rest` (R4.11)."""
    focus_colour: ColourName = "green"
    """Initiative colour of the printed Focus action (Q30)."""
    extra_maneuver_colour: ColourName = "red"
    """Initiative colour of the printed Extra Maneuver action (Q30)."""


class PackCard(Strict):
    """pack.yaml: what the pack is called, and the numbers of the rules."""

    name: Name
    """What people read."""
    version: Name
    """Any word, in quotation marks where it looks like a number: `"1.0"`."""
    text: Text = "-"
    """What people read about it."""
    rulings: Rulings = Rulings()
    """Numbers of the rules that are other than in the rulebook."""
