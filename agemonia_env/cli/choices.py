"""Parses option values of the command line."""

from __future__ import annotations


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
    if words is None:
        return None
    ends = words.split("-")
    if not all(end.isascii() and end.isdigit() for end in ends):
        return words
    return int(words) if len(ends) == 1 else [int(end) for end in ends]
