"""Parses option values of the command line."""

from __future__ import annotations

from typing import Any


def party(words: str) -> int | list[str]:
    """Parse heroes: a number, or names with commas. Raises ValueError."""
    if words.isascii() and words.isdigit() and len(words) < 10:
        return int(words)
    names = [name.strip() for name in words.split(",")]
    if not all(names):
        raise ValueError(
            f"--heroes {words[:200]!r}: must be a number, or names with commas, such as orsa,ketch"
        )
    return names


def seeds_of(words: str | None) -> int | str | list[int] | None:
    """Parse scenario seeds: a seed, FIRST-LAST, or a name such as train."""
    return None if words is None else _numbers(words)


def generator_of(words: list[str] | None) -> str | dict[str, Any] | None:
    """Parse settings of a generator: a name, or NAME=NUMBER, NAME=LOW-HIGH or NAME=WORD,WORD."""
    if not words:
        return None
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    settings: dict[str, Any] = {}
    for text in words:
        name, sign, value = text.partition("=")
        if not sign:
            raise ValueError(f"--generator {text[:200]!r}: must be NAME=VALUE, such as traps=50")
        number = _numbers(value)
        settings[name] = value.split(",") if isinstance(number, str) else number
    return settings


def _numbers(words: str) -> int | str | list[int]:
    """A number, FIRST-LAST as a list, or other words as they are."""
    ends = words.split("-")
    if not all(end.isascii() and end.isdigit() for end in ends):
        return words
    return int(words) if len(ends) == 1 else [int(end) for end in ends]
