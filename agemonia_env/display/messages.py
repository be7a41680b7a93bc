"""Values and names for error messages: shortened, on one line, with what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .suggestions import did_you_mean

MOST_SHOWN = 200  # characters of a value


def cut(text: str) -> str:
    """Shorten a long text by omitting its middle."""
    half = MOST_SHOWN // 2
    return text if len(text) <= MOST_SHOWN else f"{text[:half]} ... {text[-half:]}"


def shown(value: Any) -> str:
    """The repr of a value, shortened, on one line; its type if repr fails."""
    if isinstance(value, str):
        value = cut(value)  # before repr, which would copy all of it
    try:
        return cut(" ".join(repr(value).splitlines()))
    except Exception:  # such as an int of 5,000 digits
        return f"<{type(value).__name__}>"


def in_line(text: object) -> str:
    """A key or name, shortened; its repr if it does not print on one line."""
    word = str(text)
    return cut(word) if word.isprintable() else shown(word)


def not_allowed(given: object, allowed: Iterable[str]) -> str:
    """`'rta' is not allowed; did you mean 'rat'? Allowed: bat, rat`."""
    return f"{shown(given)} is not allowed{choices(given, allowed)}"


def unknown(what: str, name: object, allowed: Iterable[str]) -> str:
    """`unknown enemy 'rta'; did you mean 'rat'? Allowed: bat, rat`."""
    return f"unknown {what} {shown(name)}{choices(name, allowed)}"


def one_of(name: str, given: object, allowed: Iterable[str]) -> str:
    """`env='Hex': must be one of Agemonia-v0, HexDungeon-v0; did you mean ...?`."""
    names = list(allowed)
    return f"{name}={shown(given)}: must be one of {', '.join(names)}{_suggestion(given, names)}"


def choices(given: object, allowed: Iterable[str], listed: str = "") -> str:
    """The end of a message: the name that may be meant, then all names, which may be many.

    listed: the names as text, if commas do not do.
    """
    names = list(allowed)
    near = _suggestion(given, names)
    return f"{f'{near} Allowed' if near else '; allowed'}: {listed or ', '.join(names) or 'none'}"


def _suggestion(given: object, names: list[str]) -> str:
    return did_you_mean(given, names) if isinstance(given, str) else ""


def counted(number: int, noun: str) -> str:
    """A number and its noun: `1 mistake`, `2 mistakes`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
