"""Checks the task stack of a state: what may lie on it, and which question its top may ask."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np


class Question(NamedTuple):
    """What must hold while a decision is asked."""

    tasks: tuple[int, ...]  # one of them is on top of the stack, waiting for the answer
    asked: str  # "one": a player for a figure of its own; "all" players together; "any"
    subject: str = "none"  # the kind of its subject, a name in `subjects`


class TaskRules(NamedTuple):
    """What a ruleset allows on its task stack."""

    questions: Mapping[int, Question]  # by decision
    first: tuple[int, ...]  # allowed at the bottom of the stack
    above: Mapping[int, tuple[int, ...]]  # allowed right above each task


def wrong_question(
    s: np.void, rules: TaskRules, subjects: Mapping[str, tuple[int, int]]
) -> str | None:
    """What is wrong with the question asked in a state that goes on; None if nothing is.

    The task on top of the stack must ask this question, of a player it may ask, about a subject
    that exists; and every task must be one that the task below it leads to.
    """
    decision, depth, asked = (int(s[name]) for name in ("decision", "depth", "asked"))
    question = rules.questions.get(decision)
    if question is None:
        return f"decision={decision}: must be a question while the scenario goes on"
    wrong = _wrong_stack(s["tasks"][:depth].tolist(), rules, question, decision)
    if wrong:
        return wrong
    if (question.asked == "all" and asked >= 0) or (question.asked == "one" and asked < 0):
        who = "-1" if question.asked == "all" else "at least 0"
        return f"asked={asked}: must be {who} with decision={decision}"
    least, most = subjects[question.subject]
    if not least <= s["subject"] <= most:
        return f"subject={s['subject']}: must be from {least} to {most} with decision={decision}"
    return None


def _wrong_stack(
    stack: list[int], rules: TaskRules, question: Question, decision: int
) -> str | None:
    if not stack:
        return "depth=0: must be at least 1 while the scenario goes on"
    if stack[0] not in rules.first:
        return f"tasks[0]={stack[0]}: must be {_either(rules.first)}"
    for k, (below, here) in enumerate(pairwise(stack)):
        allowed = rules.above.get(below, ())
        if here not in allowed:
            return f"tasks[{k + 1}]={here}: must be {_either(allowed)} above {below}"
    if stack[-1] not in question.tasks:
        place = f"tasks[{len(stack) - 1}]={stack[-1]}"
        return f"{place}: must be {_either(question.tasks)}, which asks decision={decision}"
    return None


def _either(numbers: Collection[int]) -> str:
    return " or ".join(str(int(number)) for number in numbers) or "nothing"
