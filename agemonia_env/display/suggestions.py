"""Suggestions for a misspelt word."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable

CLOSE = 0.6  # similarity ratio of difflib
MOST_COMPARED = 500  # names; of more, those before and after the word in alphabetical order
LONGEST = 100  # characters of a word that are compared


def closest(word: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed word closest to `word`, ignoring case, or None if none is close."""
    return next(iter(nearest(word, allowed, 1, CLOSE)), None)


def nearest(word: str, allowed: Iterable[str], most: int, ratio: float) -> list[str]:
    """The allowed words closest to `word`, the closest first.

    most: how many at most. ratio: difflib's, that they must have at least.
    """
    from difflib import get_close_matches

    word, by_lower = word[:LONGEST].lower(), {name.lower(): name for name in allowed}
    names = list(by_lower)
    if len(names) > MOST_COMPARED:
        names.sort()
        first = max(0, bisect(names, word) - MOST_COMPARED // 2)
        names = names[first : first + MOST_COMPARED]
    return [by_lower[name] for name in get_close_matches(word, names, most, ratio)]


def did_you_mean(word: str, allowed: Iterable[str]) -> str:
    """Return `; did you mean 'NAME'?` for the end of a message, or "" if no name is close."""
    name = closest(word, allowed)
    return "" if name is None else f"; did you mean {name!r}?"
