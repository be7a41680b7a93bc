"""The goal of a scenario: how to win and lose, the progress, and why it ended."""

from __future__ import annotations

import numpy as np

from agemonia_env.display.messages import counted

from ..content.compile import Compiled
from ..core.layout import FIRST_MONSTER, N_FIGURES
from ..core.terms import Ending, Goal
from .labels import ENDINGS, figure_name, hero_name
from .table import goal_text, is_present

MAX_NAMED = 12


def goal_page(state: np.void, compiled: Compiled) -> str:
    """The scenario's text, how to win and lose, and the progress."""
    content, names = compiled.content[0], compiled.names
    losses = ["all characters are exhausted (no hit points, or too few cards left to play)"]
    if content["goal"] != Goal.SURVIVE:
        losses.append(f"round {int(content['last_round'])} ends without the goal")
    lines = [names.scenario, names.texts.get("scenario", "")]
    lines += [f"To win: {goal_text(state, compiled)} {progress_text(state, compiled)}".rstrip()]
    lines += [f"Lost when: {', or '.join(losses)}."]
    return "\n".join(line for line in lines if line)


def progress_text(state: np.void, compiled: Compiled) -> str:
    """How far the goal is, in a sentence."""
    match Goal(int(compiled.content[0]["goal"])):
        case Goal.DEFEAT:
            left = [
                figure_name(state, compiled, f)
                for f in range(FIRST_MONSTER, N_FIGURES)
                if is_present(state, f)
            ]
            more = " and others" * (len(left) > MAX_NAMED)
            return f"On the board: {', '.join(left[:MAX_NAMED]) or 'none'}{more}."
        case Goal.SURVIVE:
            return f"This is round {int(state['round'])}."
        case _:
            return ""


def ending_text(state: np.void, compiled: Compiled) -> str:
    """How the scenario ended and why: the goal, and how the characters stand."""
    ending = Ending(int(state["ending"]))
    if ending == Ending.NONE:
        return f"The scenario goes on: {goal_page(state, compiled)}"
    outcome = "won" if state["won"] else "lost"
    rounds = counted(int(state["round"]), "round")
    after = f"{rounds} and {counted(int(state['decisions']), 'decision')}"
    lines = [f"The scenario is {outcome} after {after}: {ENDINGS[ending]}."]
    lines.append(f"Goal: {goal_text(state, compiled)} {progress_text(state, compiled)}".rstrip())
    for hero in range(len(compiled.names.heroes)):
        figure = state["figure"][hero]
        stands = f"{int(figure['hp'])}/{int(figure['max_hp'])} hit points"
        if not is_present(state, hero):
            why = "too few cards left to play" if figure["hp"] > 0 else "no hit points left"
            stands = f"exhausted ({why})"
        lines.append(f"  {hero_name(compiled, hero)}: {stands}, {int(figure['xp'])} experience.")
    dealt, taken = int(state["damage_dealt"]), int(state["damage_taken"])
    lines.append(f"  Damage dealt: {dealt}; suffered: {taken}.")
    return "\n".join(lines)
