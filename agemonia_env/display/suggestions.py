"""Suggestions for a misspelt word."""

from __future__ import annotations

from collections.abc import Iterable

CLOSE = 0.6  # similarity ratio of difflib


def closest(word: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed word closest to `word`, ignoring case, or None if none is close."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in allowed}
    found = get_close_matches(word[:100].lower(), by_lower, 1, CLOSE)
    return by_lower[found[0]] if found else None


def did_you_mean(word: str, allowed: Iterable[str]) -> str:
    """Return `; did you mean 'NAME'?` for the end of a message, or "" if no name is close."""
    name = closest(word, allowed)
    return "" if name is None else f"; did you mean {name!r}?"
