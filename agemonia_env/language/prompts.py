"""Rules, position, question and options as texts for a language model."""

from __future__ import annotations

from agemonia_env.challenge.decision import Decision, Start

from .answers import HOW

ROLES = {
    "hero": "You play all the heroes, who win or lose together.",
    "enemy": "You play the enemies: you win if the heroes lose.",
    "both": "You play both sides: the heroes, and the enemies, who win if the heroes lose.",
}
MOST_REFUSED = 20  # illegal answers listed


def system_prompt(start: Start) -> str:
    """What stays the same in a game: the rules in short, the goal, and how to answer."""
    parts = (start.rules, f"# This game\n\n{start.goal}", f"# You\n\n{ROLES[start.side]} {HOW}")
    return "\n\n".join(part.strip() for part in parts if part.strip())


def question_prompt(decision: Decision) -> str:
    """Position, question, options by number, and why other answers are not possible."""
    parts = [
        "\n".join(("Since your last decision:", *(f"* {event}" for event in decision.events)))
        if decision.events
        else "",
        decision.position,
        f"{decision.question} {decision.about}".strip(),
        "Options:\n" + "\n".join(option_lines(decision)),
        refused_text(decision),
        HOW,
    ]
    return "\n\n".join(part for part in parts if part)


def option_lines(decision: Decision) -> list[str]:
    """The options, a line each: `[26] choose Hook and Hold - Red. Melee attack, 2 dice.`"""
    return [
        f"[{one.action}] {one.words}" + (f" - {one.help}" if one.help else "")
        for one in decision.options
    ]


def refused_text(decision: Decision) -> str:
    """Answers that are not possible now, with the reason; "" if there are none."""
    if not decision.why_not:
        return ""
    lines = [f"- {one.words}: {one.why}" for one in decision.why_not[:MOST_REFUSED]]
    return "\n".join(("Not possible now:", *lines))


def refusal_prompt(decision: Decision, again: str) -> str:
    """What follows an answer to the same question that was refused; again: why."""
    legal = ", ".join(str(one.action) for one in decision.options)
    return f"Your answer was refused: {again}\nOptions: {legal}. {HOW}"
