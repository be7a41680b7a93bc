"""Values and names in messages: cut, on one line, with what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .suggestions import did_you_mean

MOST_SHOWN = 200  # characters of a value


def cut(text: str) -> str:
    """A text with its middle left out if it is long."""
    half = MOST_SHOWN // 2
    return text if len(text) <= MOST_SHOWN else f"{text[:half]} ... {text[-half:]}"


def shown(value: Any) -> str:
    """A value as Python writes it, on one line, cut; its type if it cannot be written."""
    if isinstance(value, str):
        value = cut(value)  # a long text is not written out first
    try:
        return cut(" ".join(repr(value).splitlines()))
    except Exception:  # such as an int of 5,000 digits
        return f"<{type(value).__name__}>"


def in_line(text: object) -> str:
    """A key or name as it is, cut; as Python writes it if that cannot be printed on one line."""
    word = str(text)
    return cut(word) if word.isprintable() else shown(word)


def not_allowed(given: object, allowed: Iterable[str]) -> str:
    """`'rat' is not allowed; allowed: bat, cat; did you mean 'bat'?`."""
    names = list(allowed)
    near = did_you_mean(given, names) if isinstance(given, str) else ""
    return f"{shown(given)} is not allowed; allowed: {', '.join(names) or 'nothing'}{near}"


def unknown(what: str, name: object, allowed: Iterable[str]) -> str:
    """`unknown enemy 'rta'; allowed: bat, rat; did you mean 'rat'?`."""
    names = list(allowed)
    near = did_you_mean(name, names) if isinstance(name, str) else ""
    return f"unknown {what} {shown(name)}; allowed: {', '.join(names) or 'none'}{near}"


def one_of(name: str, given: object, allowed: Iterable[str]) -> str:
    """`env='Hex': must be one of Agemonia-v0, HexDungeon-v0; did you mean ...?`."""
    names = list(allowed)
    near = did_you_mean(given, names) if isinstance(given, str) else ""
    return f"{name}={shown(given)}: must be one of {', '.join(names) or 'none'}{near}"


def counted(number: int, noun: str) -> str:
    """A number and its noun: `1 mistake`, `2 mistakes`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
