"""Names for display."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum


def named(names: Sequence[str], index: int, otherwise: str = "something") -> str:
    """The name at an index; `otherwise` if there is none."""
    return names[index] if 0 <= index < len(names) else otherwise


def word(member: IntEnum) -> str:
    """An enum member as a word: Condition.HELD is "Held"."""
    return member.name.replace("_", " ").capitalize()


def initials(name: str) -> str:
    """Two letters: the first of two words, or the first two of one; ? for a blank name."""
    every = name.replace("-", " ").split() or [name.strip() or "?"]
    words = [part for part in every if part.lower() != "the"] or every
    return (words[0][0] + words[-1][0] if len(words) > 1 else words[0][:2]).title()
