"""Wraps lines of text to a width."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 80  # default columns of a text board
HANG = 4  # extra indentation of continuation lines
NARROWEST = 20  # columns


def folded(lines: Sequence[str], width: int = WIDTH, hang: int = HANG) -> list[str]:
    """Break lines longer than `width` between words, indenting the rest by `hang` more."""
    from textwrap import wrap

    width = max(width, NARROWEST)
    wrapped: list[str] = []
    for line in lines:
        if len(line) <= width:
            wrapped.append(line)
            continue
        indent = min(len(line) - len(line.lstrip()) + hang, width // 2)
        wrapped += wrap(line, width, subsequent_indent=" " * indent, break_on_hyphens=False)
    return wrapped


def asked(question: str, ended: bool, events: Sequence[str]) -> list[str]:
    """The end of a text board: the last events, and the question or how the game ended."""
    lines = ["", *(f"* {event}." for event in events)] if events else []
    return [*lines, "", f"{'==' if ended else '>>'} {question}"]


def fold(text: str, width: int = WIDTH, hang: int = HANG) -> str:
    """Wrap the lines of a text in the same way."""
    return "\n".join(folded(text.split("\n"), width, hang))
