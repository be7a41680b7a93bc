r"""The action that a text names: [26], \boxed{26}, or nothing but 26."""

from __future__ import annotations

import re

NAMED = re.compile(r"\\boxed\{\s*(\d{1,6})\s*\}|\[\s*(\d{1,6})\s*\]")
ALONE = re.compile(r"\s*(\d{1,6})\s*\.?\s*")
HOW = "End your answer with the number of one option in square brackets, such as [26]."


def answer_in(text: str) -> int | None:
    """The last number in brackets, as [26] or boxed; or the text, if it is a number. None: none."""
    found = NAMED.findall(text)
    if found:
        return int(found[-1][0] or found[-1][1])
    alone = ALONE.fullmatch(text)
    return int(alone[1]) if alone else None
