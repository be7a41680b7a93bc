"""Lines of text made to fit a width."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 80  # columns of a text board where nobody says otherwise
HANG = 4  # more columns of indentation below the beginning of a line
NARROWEST = 20  # columns


def folded(lines: Sequence[str], width: int = WIDTH, hang: int = HANG) -> list[str]:
    """Break lines longer than `width` between words; what follows is indented by `hang` more."""
    from textwrap import wrap

    width = max(width, NARROWEST)
    found: list[str] = []
    for line in lines:
        if len(line) <= width:
            found.append(line)
            continue
        indent = min(len(line) - len(line.lstrip()) + hang, width // 2)
        found += wrap(line, width, subsequent_indent=" " * indent, break_on_hyphens=False)
    return found


def fold(text: str, width: int = WIDTH, hang: int = HANG) -> str:
    """Break the lines of a text likewise."""
    return "\n".join(folded(text.split("\n"), width, hang))


def plural(n: int, thing: str) -> str:
    """Return a number of things: "1 round", "2 rounds"."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"
