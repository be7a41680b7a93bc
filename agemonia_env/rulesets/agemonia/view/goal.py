"""The goal of a scenario: how to win and lose, the progress, and why it ended."""

from __future__ import annotations

import numpy as np

from agemonia_env.display.messages import counted

from ..content.compile import Compiled
from ..core.layout import N_ALLIES, N_ENEMIES
from ..core.terms import Ending, Kind, Objective
from .labels import ENDINGS, ally_name, area_name, enemy_name, objective_text, type_name

MAX_NAMED = 12


def goal_page(state: np.void, compiled: Compiled) -> str:
    """The scenario's text, how to win and lose, and the progress."""
    content, names = compiled.content[0], compiled.names
    losses = ["all Heroes are exhausted"]
    if content["objective"] == Objective.ESCORT:
        losses.append(f"{ally_name(compiled, int(content['objective_subject']))} is exhausted")
    if content["last_round"] and content["objective"] != Objective.HOLD:
        losses.append(f"round {int(content['last_round'])} ends without the objective")
    lines = [names.scenario, names.texts.get("scenario", "")]
    lines += [
        f"To win: {objective_text(compiled)} {progress_text(state, compiled, named=True)}".rstrip()
    ]
    lines += [f"Lost when: {', or '.join(losses)}."]
    if state["timer_target"] > 0:
        lines.append("A timer adds up Fate cards; at its target something happens (R19.1).")
    return "\n".join(line for line in lines if line)


def progress_text(state: np.void, compiled: Compiled, named: bool = False) -> str:
    """The progress of the objective, in a sentence; `named`: list the standing Enemies."""
    content = compiled.content[0]
    number, subject = int(content["objective_number"]), int(content["objective_subject"])
    match Objective(int(content["objective"])):
        case Objective.DEFEAT_ALL:
            return _standing_text(state, compiled, named)
        case Objective.DEFEAT_TYPE:
            return f"{int(state['defeated'][subject])} of {number} are defeated."
        case Objective.HOLD:
            return f"This is round {int(state['round'])}."
        case Objective.REACH:
            away = [
                ally_name(compiled, a) for a in _heroes(state) if not _at_goal(state, a, content)
            ]
            return f"Not there yet: {', '.join(away)}." if away else "All are there."
        case Objective.COLLECT:
            return f"{_carried(state, subject)} of {number} are carried."
        case Objective.ESCORT:
            area = int(state["ally"][subject]["area"])
            where = f"in {area_name(compiled, area)}" if area >= 0 else "not on the map"
            return f"{ally_name(compiled, subject)} is {where}."
        case Objective.DISARM:
            return f"{int(state['disarmed'])} of {number} are disarmed."
        case Objective.ADVANCE:
            return f"{int(state['progress'])} of {number} are taken."


def _standing_text(state: np.void, compiled: Compiled, named: bool) -> str:
    """How many Enemies stand, or which."""
    standing = [
        enemy_name(state, compiled, e)
        for e in range(N_ENEMIES)
        if state["enemy"][e]["type"] >= 0 and state["enemy"][e]["area"] >= 0
    ]
    n = len(standing)
    text = "No Enemy stands now" if not n else f"{n} {'stands' if n == 1 else 'stand'}"
    if not (named and standing):
        return f"{text}."
    more = " and others" * (n > MAX_NAMED)
    return f"{text}: {', '.join(standing[:MAX_NAMED])}{more}."


def _heroes(state: np.void) -> list[int]:
    """Slots of the Heroes that are not exhausted."""
    return [
        a
        for a in range(N_ALLIES)
        if state["ally"][a]["kind"] == Kind.HERO and not state["ally"][a]["exhausted"]
    ]


def _at_goal(state: np.void, ally: int, content: np.void) -> bool:
    area = int(state["ally"][ally]["area"])
    return area >= 0 and bool(int(content["goal"]) >> area & 1)


def _carried(state: np.void, item: int) -> int:
    """How many of an item the standing Heroes carry."""
    return sum(int((state["ally"][a]["item"] == item).sum()) for a in _heroes(state))


def ending_text(state: np.void, compiled: Compiled) -> str:
    """How the scenario ended and why: the objective, and what each side did."""
    ending = Ending(int(state["ending"]))
    if ending == Ending.NONE:
        return f"The scenario goes on: {goal_page(state, compiled)}"
    result = "won" if state["won"] else "lost"
    rounds = counted(int(state["round"]), "round")
    after = f"{rounds} and {counted(int(state['decisions']), 'decision')}"
    lines = [f"The scenario is {result} after {after}: {ENDINGS[ending]}."]
    progress = progress_text(state, compiled, named=True)
    lines.append(f"Objective: {objective_text(compiled)} {progress}")
    for a in range(N_ALLIES):
        if state["ally"][a]["kind"] != Kind.NOBODY:
            lines.append(_part_text(state, compiled, a))
    lines += _harm_lines(state, compiled)
    return "\n".join(lines)


def _part_text(state: np.void, compiled: Compiled, ally: int) -> str:
    """What an Ally dealt and suffered."""
    figure = state["ally"][ally]
    flags = [flag for flag in ("wounded", "exhausted") if figure[flag]]
    ended = f", {' and '.join(flags)}" if flags else ""
    dealt, taken = int(state["dealt"][ally]), int(state["taken"][ally])
    return f"  {ally_name(compiled, ally)}: dealt {dealt} damage, suffered {taken}{ended}."


def _harm_lines(state: np.void, compiled: Compiled) -> list[str]:
    """Which Enemies did the harm, the worst first."""
    dealt = [
        (int(state["dealt"][N_ALLIES + kind]), type_name(compiled, kind))
        for kind in range(int(compiled.content[0]["n_types"]))
    ]
    texts = [f"{name} {n}" for n, name in sorted(dealt, reverse=True) if n]
    return [f"  Damage by Enemies: {', '.join(texts)}."] if texts else []
