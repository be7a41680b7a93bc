"""What the stack of pending work may hold, and which question the work on top of it asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np


class Question(NamedTuple):
    """What holds when a decision is asked."""

    work: tuple[int, ...]  # pieces of work, one of which waits for the answer
    asked: str  # "one": a player for a figure of its own; "all" players together; "any"
    subject: str = "none"  # what it is about, a name in `subjects`


class Work(NamedTuple):
    """What a ruleset says of its pending work."""

    questions: Mapping[int, Question]  # by decision
    first: tuple[int, ...]  # at the bottom of the stack: after these the game goes on
    above: Mapping[int, tuple[int, ...]]  # what may lie right above each piece of work


def wrong_question(s: np.void, work: Work, subjects: Mapping[str, tuple[int, int]]) -> str | None:
    """What does not fit in the question asked in a state that goes on; None if all does.

    The question must be one that the work on top of the stack asks, of those it may ask, about
    something there is; and every piece of work must be one that the work below leads to.
    """
    decision, depth, asked = (int(s[name]) for name in ("decision", "depth", "asked"))
    question = work.questions.get(decision)
    if question is None:
        return f"decision={decision}: must be a question while the scenario goes on"
    wrong = _wrong_stack(s["agenda"][:depth].tolist(), work, question, decision)
    if wrong:
        return wrong
    if (question.asked == "all" and asked >= 0) or (question.asked == "one" and asked < 0):
        who = "-1" if question.asked == "all" else "at least 0"
        return f"asked={asked}: must be {who} with decision={decision}"
    least, most = subjects[question.subject]
    if not least <= s["subject"] <= most:
        return f"subject={s['subject']}: must be from {least} to {most} with decision={decision}"
    return None


def _wrong_stack(stack: list[int], work: Work, question: Question, decision: int) -> str | None:
    if not stack:
        return "depth=0: must be at least 1 while the scenario goes on"
    if stack[0] not in work.first:
        return f"agenda[0]={stack[0]}: must be {_either(work.first)}"
    for k, (below, here) in enumerate(pairwise(stack)):
        allowed = work.above.get(below, ())
        if here not in allowed:
            return f"agenda[{k + 1}]={here}: must be {_either(allowed)} above {below}"
    if stack[-1] not in question.work:
        place = f"agenda[{len(stack) - 1}]={stack[-1]}"
        return f"{place}: must be {_either(question.work)}, which asks decision={decision}"
    return None


def _either(numbers: Collection[int]) -> str:
    return " or ".join(str(int(number)) for number in numbers) or "nothing"
