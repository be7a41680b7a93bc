"""The range of every field of a state of Agemonia, and the consistency between fields.

Beside the layout (layout.py), but not in the core: a bound that changes compiles nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.state_ranges import ANY, FLAG, Bounds, bits, count, index
from agemonia_env.rulesets.tasks import wrong_question

from ..core import terms
from ..core.actions import Block
from ..core.layout import (
    AMOUNT_MAX,
    LINE_MAX,
    N_ALLIES,
    N_AREAS,
    N_ATTACKS,
    N_CARRIED,
    N_EFFECTS,
    N_ENEMIES,
    N_FIGURES,
    N_LOADED,
    N_PASSIVES,
    N_STRIKES,
)
from ..core.rules.checks import ACHIEVEMENT_LIMIT, INSPIRATION_LIMIT
from ..core.rules.initiative import DELAYED_BAR
from ..core.terms import Decision, Proc
from .tasks import TASK_RULES, subjects

SMALL = count(127)  # amounts of any field type
LARGE = count(30_000)  # sums over a whole game, with a margin before they overflow
DICE = count(99)  # dice, and other repetitions
REACH = (-1, 127)  # a range in areas; -1 = any, or none
CHANGED = (-99, 999)  # amounts with modifiers, which may be negative
CONDITIONS = (0, sum(1 << condition for condition in terms.Condition))
MAX_TASKS = 32  # tasks pending; no game has more than 20, and each task adds only a few
FIGURES = N_ALLIES + N_ENEMIES


def ranges(c: np.void) -> Bounds:
    """The bounds of every field of STATE, for a compiled scenario."""
    area, areas = index(c["n_areas"]), bits(c["n_areas"])
    kind, item = index(c["n_types"]), index(c["n_items"])
    fate = (0, max(0, int(c["fate"].max())))
    card = index(c["n_cards"])
    return {
        "chance": ANY,
        "decision": (0, max(Decision)),
        "asked": index(c["n_allies"]),
        "subject": (-1, N_EFFECTS),
        "limit": count(AMOUNT_MAX),
        "options": bits(N_AREAS),
        "answer": (-1, -1),
        "block": (0, max(Block)),
        "ending": (0, max(terms.Ending)),
        "won": FLAG,
        "round": count(c["last_round"]) if c["last_round"] > 0 else LARGE,
        "phase": (0, max(terms.Phase)),
        "bar": count(DELAYED_BAR + 1),
        "card": card,
        "active_ally": index(c["n_allies"]),
        "active_enemy": index(N_ENEMIES),
        "last_ally": index(c["n_allies"]),
        "chosen_type": kind,
        "actions": SMALL,
        "maneuvers": SMALL,
        "recovering": FLAG,
        "recover_ally": index(N_ALLIES),
        "rethinking": FLAG,
        "result": LARGE,
        "progress": LARGE,
        "story_tokens": LARGE,
        "depth": count(MAX_TASKS),
        "tasks": (0, max(Proc)),
        "ally": _ally(c),
        "enemy": _enemy(c),
        "figure": {
            "owner": index(c["n_allies"]),
            "area": area,
            "spawned": FLAG,
            "acted": count(2),
        },
        "used": SMALL,
        "allies_in": count(N_ALLIES),
        "enemies_in": count(N_ENEMIES),
        "trap": FLAG,
        "rope": areas,
        "token_colour": index(len(terms.Colour)),
        "token_active": FLAG,
        "token_range": REACH,
        "item": item,
        "read": bits(c["n_stories"]),
        "used_now": bits(c["n_stories"]),
        "disarmed": LARGE,
        "defeated": LARGE,
        "n_initiative": count(c["n_cards"]),
        "initiative": card,
        "n_initiative_discard": count(c["n_cards"]),
        "initiative_discard": card,
        "n_fate": count(c["n_fate"]),
        "fate": fate,
        "n_fate_discard": count(c["n_fate"]),
        "fate_discard": fate,
        "n_timer": count(c["n_fate"]),
        "timer": fate,
        "timer_target": LARGE,
        "each": count(N_ALLIES),
        "fate_card": (-1, fate[1]),
        "reshuffled": FLAG,
        "event_due": bits(c["n_events"]),
        "event": index(c["n_events"]),
        "event_row": count(N_EFFECTS),
        "box_due": bits(N_ENEMIES),
        "box_row": count(N_EFFECTS),
        "burst": bits(N_ALLIES),
        "burst_row": index(N_EFFECTS),
        **_in_progress(c),
        "walker": index(N_FIGURES),
        "walk_points": SMALL,
        "flip_ally": index(N_ALLIES),
        "flip_chips": SMALL,
        "flip_excess": SMALL,
        "n_loaded": count(N_LOADED),
        "loaded": {
            "stream": (0, max(terms.Stream)),
            "owner": index(N_ALLIES),
            "value": SMALL,
        },
        "n_log": (0, 0),  # rows are flushed before a question is asked
        "logging": (0, 0),
        "log": (0, 0),
        "decisions": count(2**31 - 2**24),
        "damage_dealt": LARGE,
        "damage_taken": LARGE,
        "dealt": LARGE,
        "taken": LARGE,
        "n_exhausted": LARGE,
    }


def _ally(c: np.void) -> Bounds:
    """An ally slot, with the board that the scenario gives it."""
    sheet = c["sheet"]
    there = np.arange(N_ALLIES) < c["n_allies"]
    tokens = sheet["n_tokens"].astype(np.int64)
    area = index(c["n_areas"])
    return {
        "kind": (0, np.where(there, sheet["kind"], 0)),
        "area": area,
        "retreat": area,
        "order": SMALL,
        "disk": (0, sheet["blue"]),
        "spent": (0, sheet["blue"]),
        "wounds": (0, sheet["blue"]),
        "health": (0, np.maximum(0, sheet["health"])),
        "conditions": CONDITIONS,
        "lapsing": CONDITIONS,
        "provoked": bits(N_ENEMIES),
        "slot": (0, (1 << tokens) - 1),
        "once": (0, (1 << tokens) - 1),
        "active": bits(N_CARRIED),
        "handled": bits(N_CARRIED),
        "worn_out": bits(N_CARRIED),
        "lock_passive": index(N_PASSIVES),
        "lock_chips": SMALL,
        "item": index(c["n_items"]),
        "injury": count(c["n_injuries"]),
        "ability": SMALL,
        "attack_dice": DICE,
        "token": (-1, np.maximum(0, tokens - 1)),
        "colour": (0, max(terms.Colour)),
        "special": (0, sum(terms.Special)),
        "uses": (0, max(terms.Special)),
        "open_slots": (0, sheet["slots"]),
        "missed": count(3),
        "inspiration": count(INSPIRATION_LIMIT),
        "achievement": count(ACHIEVEMENT_LIMIT),
        "rerolls": SMALL,
        "evade": SMALL,
        "evaded": SMALL,
        "riposte": SMALL,
        "riposte_range": REACH,
        "riposte_type": index(len(terms.AttackType)),
        "riposte_when": (0, max(terms.RiposteWhen)),
        "reactive_bonus": SMALL,
        "reactive_dice": DICE,
        "reactive_h": SMALL,
        "wounded": FLAG,
        "exhausted": FLAG,
        "revived": FLAG,
        "acted": FLAG,
        "flipped": FLAG,
        "focus_rolled": FLAG,
        "waits": FLAG,
        "changed": FLAG,
        "fly": FLAG,
        "mirror": FLAG,
        "revenge": FLAG,
        "armed": FLAG,
    }


def _enemy(c: np.void) -> Bounds:
    """An Enemy slot."""
    area = index(c["n_areas"])
    return {
        "health": LARGE,
        "full": LARGE,
        "conditions": CONDITIONS,
        "type": index(c["n_types"]),
        "number": SMALL,
        "order": SMALL,
        "area": area,
        "retreat": area,
        "acted": FLAG,
        "spawned": FLAG,
        "last": FLAG,
        "fly": FLAG,
        "mirror": FLAG,
        "revenge": FLAG,
        "fallen": count(N_ENEMIES),
    }


def _in_progress(c: np.void) -> Bounds:
    """The records of tasks in progress."""
    ally, enemy = index(N_ALLIES), index(N_ENEMIES)
    area, areas = index(c["n_areas"]), bits(c["n_areas"])
    ability, attack_type = (0, max(terms.Ability)), (0, max(terms.AttackType))
    row = index(N_EFFECTS)
    return {
        "roll": {
            "ally": ally,
            "die": (0, max(terms.Die)),
            "use": (0, max(terms.Roll)),
            "dice": DICE,
            "successes": CHANGED,
            "symbols": DICE,
            "spoiled": DICE,
            "asked": DICE,
            "outside": FLAG,
        },
        "check": {
            "ally": ally,
            "ability": ability,
            "offered": bits(len(terms.Ability)),
            "number": CHANGED,
            "modifier": CHANGED,
            "dice": CHANGED,
            "h_worth": CHANGED,
            "boosted": bits(N_CARRIED),
            "total": CHANGED,
            "remaining": CHANGED,
            "success": FLAG,
        },
        "move": {
            "ally": ally,
            "kind": (0, max(terms.Movement)),
            "points": SMALL,
            "to": area,
            "provoker": count(N_ENEMIES),
            "item": index(c["n_items"]),
            "way": (0, max(terms.Way)),
            "reach": SMALL,
            "going_on": FLAG,
            "gem_used": FLAG,
            "stopped": FLAG,
            "fall": FLAG,
        },
        "act": {
            "ally": ally,
            "token": index(len(c["token"])),
            "row": count(N_EFFECTS - 1),
            "opening": count(N_EFFECTS - 1),
            "recipient": ally,
            "amount": SMALL,
            "item": index(c["n_items"]),
            "cursed": FLAG,
            "was_cursed": FLAG,
        },
        "attack": {
            "ally": ally,
            "row": index(N_ATTACKS),
            "type": index(len(terms.AttackType)),
            "centre": area,
            "n_targets": count(N_ENEMIES),
            "target": count(N_ENEMIES - 1),
            "next": index(N_ENEMIES + 1),
            "line": count(max(0, c["n_areas"] - 1)),
            "n_line": count(LINE_MAX),
            "total": CHANGED,
            "left": CHANGED,
            "share": SMALL,
            "damage": SMALL,
            "dealt": SMALL,
            "before": SMALL,
            "weapon": index(N_CARRIED),
            "dice": CHANGED,
            "bonus": CHANGED,
            "pierce": SMALL,
            "conditions": CONDITIONS,
            "ridden": bits(len(terms.Rider)),
            "overkill": LARGE,
            "healed": LARGE,
        },
        "strike": {
            "enemy": enemy,
            "row": index(N_STRIKES),
            "type": attack_type,
            "value": CHANGED,
            "range": REACH,
            "area": REACH,
            "limit": SMALL,
            "conditions": CONDITIONS,
            "push": SMALL,
            "pull": SMALL,
            "loss": FLAG,
            "drain": FLAG,
            "given": FLAG,
            "n_targets": count(N_ALLIES),
            "target": count(N_ALLIES - 1),
            "next": count(N_ALLIES),
            "ally": ally,
            "done": bits(N_ALLIES),
            "hit_value": CHANGED,
            "remaining": CHANGED,
            "caused": SMALL,
            "taken": SMALL,
            "symbols": DICE,
            "distance": REACH,
            "passive": index(N_PASSIVES),
            "centre": area,
            "shoved": count(2),
        },
        "turn": {
            "enemy": enemy,
            "eye": (0, max(terms.Eye)),
            "destination": area,
            "points": SMALL,
            "n_path": count(N_AREAS),
            "path": area,
            "next": count(N_AREAS),
            "n_walked": SMALL,
            "horns": FLAG,
            "snake": FLAG,
            "acted": FLAG,
            "moved": FLAG,
            "fly": FLAG,
        },
        "entry": {
            "area": area,
            "ally": ally,
            "enemy": enemy,
            "card": index(c["n_traps"]),
            "victim": index(FIGURES),
            "keyword": FLAG,
            "hovering": FLAG,
            "setter": ally,
            "places": areas,
            "victims": bits(FIGURES),
        },
        "push": {
            "source": area,
            "asked": ally,
            "distance": SMALL,
            "left": SMALL,
            "figure": index(FIGURES),
            "pulls": FLAG,
            "rides": FLAG,
            "n": count(N_ENEMIES),
            "named": count(FIGURES - 1),
            "done": bits(FIGURES),
            "moved": SMALL,
        },
        "reading": {
            "section": index(c["n_stories"]),
            "ally": ally,
            "row": row,
            "end": count(N_EFFECTS),
        },
        "spawn": {
            "type": index(c["n_types"]),
            "area": area,
            "left": SMALL,
            "slot": enemy,
        },
    }


# ---- consistency ---------------------------------------------------------------------------------
class Consistency:
    """Checks that the fields of a state agree, in one scenario."""

    def __init__(self, content: NDArray[Any]) -> None:
        """content: CONTENT (1,)."""
        self.subjects = subjects(content[0])

    def contradiction(self, states: NDArray[Any]) -> str | None:
        """A contradiction in states[0], whose fields are all in range; None if there is none."""
        s = states[0]
        if s["won"] != (s["ending"] == terms.Ending.OBJECTIVE):
            return f"won={s['won']}: must be 1 with ending=1, and 0 with others"
        wrong = _wrong_figures(s)
        if wrong or s["ending"] != terms.Ending.NONE:
            return wrong
        asked = int(s["asked"])
        if asked >= 0 and s["ally"]["kind"][asked] == terms.Kind.NOBODY:
            return f"asked={asked}: nobody is in this ally slot"
        return wrong_question(s, TASK_RULES, self.subjects)


def _wrong_figures(s: np.void) -> str | None:
    """Every figure with a position must have an occupied slot."""
    allies, enemies = s["ally"], s["enemy"]
    nobody = (allies["kind"] == terms.Kind.NOBODY) & (allies["area"] >= 0)
    if nobody.any():
        a = int(nobody.argmax())
        return f"ally[{a}].area={allies['area'][a]}: nobody is in this ally slot"
    empty = (enemies["type"] < 0) & ((enemies["area"] >= 0) | (enemies["health"] > 0))
    if empty.any():
        e = int(empty.argmax())
        return f"enemy[{e}].type=-1: the slot has an area or health, and is not empty"
    return None
