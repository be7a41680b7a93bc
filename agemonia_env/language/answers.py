r"""The action that a text names: [26], \boxed{26}, or nothing but 26."""

from __future__ import annotations

import re
from typing import Any

from agemonia_env.display.messages import shown

NAMED = re.compile(r"\\boxed\{\s*(\d{1,6})\s*\}|\[\s*(\d{1,6})\s*\]")
ALONE = re.compile(r"\d{1,6}")
HOW = "End your answer with the number of one option in square brackets, such as [NUMBER]."


def answer_in(text: Any) -> int | None:
    """The last number in brackets, as [26] or boxed; or the text, if it is a number.

    None: there is none, or the answer is no text at all.
    """
    if not isinstance(text, str):
        return None
    found = NAMED.findall(text)
    if found:
        return int(found[-1][0] or found[-1][1])
    word = text.strip().removesuffix(".").rstrip()
    return int(word) if ALONE.fullmatch(word) else None


def no_answer(text: Any) -> str:
    """Why a text that names no action is refused."""
    return f"{shown(text)}: names no option"
