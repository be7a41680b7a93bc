"""Values and names for error messages: shortened, on one line, with what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import Any

from .suggestions import did_you_mean, nearest

MOST_SHOWN = 200  # characters of a value
MOST_LISTED = 1500  # characters of a list of names
FEW, ALIKE = 10, 0.4  # names that are listed instead, and how alike they must be
MOST_MISTAKES = 100  # that are described; the others are counted
UNSHOWN = " more mistakes are not shown"
_counting = ContextVar("counting", default=False)  # a message is wanted for its number alone


def cut(text: str, most: int = MOST_SHOWN) -> str:
    """Shorten a text of more than `most` characters by omitting its middle."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


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
    return (
        f"{name}={shown(given)}: must be one of {listing(given, names)}{_suggestion(given, names)}"
    )


def choices(given: object, allowed: Iterable[str], listed: str = "") -> str:
    """The end of a message: the name that may be meant, then all names, which may be many.

    listed: the names as text, if commas do not do.
    """
    if _counting.get():
        return ""
    names = list(allowed)
    near = _suggestion(given, names)
    text = listed or listing(given, names) or "none"
    return f"{f'{near} Allowed' if near else '; allowed'}: {text}"


def listing(given: object, names: list[str]) -> str:
    """Names in a message: all of them, or of very many a few that are like the given one."""
    if sum(map(len, names)) <= MOST_LISTED:
        return ", ".join(names)
    few = nearest(str(given)[:MOST_SHOWN], names, FEW, ALIKE) or names[:FEW]
    return f"{', '.join(map(in_line, few))} and {len(names) - len(few):,} more"


def first_of(mistakes: Iterable[str]) -> list[str]:
    """The first MOST_MISTAKES of these messages, and how many more there are.

    The others are made without the names that are allowed, which are what takes time.
    """
    messages = iter(mistakes)
    first = list(islice(messages, MOST_MISTAKES))
    last, more = "", 0
    with _counted():
        for more, last in enumerate(messages, start=1):  # noqa: B007 - the last values are used
            pass
    if more > 1:
        last = f"{more:,}{UNSHOWN}"
    return [*first, last] if more else first


def number_of(mistakes: list[str]) -> int:
    """How many mistakes `first_of` was given."""
    more = mistakes[-1].removesuffix(UNSHOWN) if mistakes else ""
    is_more = bool(mistakes) and more != mistakes[-1]
    return len(mistakes) - 1 + int(more.replace(",", "")) if is_more else len(mistakes)


@contextmanager
def _counted() -> Iterator[None]:
    token = _counting.set(True)
    try:
        yield
    finally:
        _counting.reset(token)


def _suggestion(given: object, names: list[str]) -> str:
    return did_you_mean(given, names) if isinstance(given, str) else ""


def counted(number: int, noun: str) -> str:
    """A number and its noun: `1 mistake`, `2 mistakes`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
