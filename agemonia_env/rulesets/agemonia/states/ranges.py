"""The range of every field of a state of Agemonia, and the consistency between fields.

Beside the layout (layout.py), but not in the core: a bound that changes compiles nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.state_ranges import ANY, FLAG, Bounds, bits, count, each, index
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
ALLY, ENEMY = index(N_ALLIES), index(N_ENEMIES)


def ranges(c: np.void) -> Bounds:
    """The bounds of every field of STATE, for a compiled scenario."""
    return {
        "chance": ANY,
        "decision": (0, max(Decision)),
        "subject": (-1, N_EFFECTS),
        "limit": count(AMOUNT_MAX),
        "options": bits(N_AREAS),
        "answer": (-1, -1),
        "block": (0, max(Block)),
        "ending": (0, max(terms.Ending)),
        "round": count(c["last_round"]) if c["last_round"] > 0 else LARGE,
        "phase": (0, max(terms.Phase)),
        "bar": count(DELAYED_BAR + 1),
        "active_enemy": index(N_ENEMIES),
        "chosen_type": index(c["n_types"]),
        "depth": count(MAX_TASKS),
        "tasks": (0, max(Proc)),
        "ally": _ally(c),
        "enemy": _enemy(c),
        "figure": _figure(c),
        "enemies_in": count(N_ENEMIES),
        "rope": bits(c["n_areas"]),
        "token_colour": index(len(terms.Colour)),
        "token_range": REACH,
        "item": index(c["n_items"]),
        "event_due": bits(c["n_events"]),
        "event": index(c["n_events"]),
        "box_due": bits(N_ENEMIES),
        "burst": bits(N_ALLIES),
        "burst_row": index(N_EFFECTS),
        "walker": index(N_FIGURES),
        "n_loaded": count(N_LOADED),
        "decisions": count(2**31 - 2**24),
        **each(index(c["n_allies"]), "asked active_ally last_ally"),
        **each(FLAG, "won recovering rethinking trap token_active reshuffled"),
        **each(SMALL, "actions maneuvers used walk_points flip_chips flip_excess"),
        **each(index(N_ALLIES), "recover_ally flip_ally"),
        **each(
            LARGE,
            "result progress story_tokens disarmed defeated timer_target damage_dealt damage_taken "
            "dealt taken n_exhausted",
        ),
        **each(count(N_ALLIES), "allies_in each"),
        **each(bits(c["n_stories"]), "read used_now"),
        **each(count(N_EFFECTS), "event_row box_row"),
        **each((0, 0), "n_log logging log"),  # rows are flushed before a question is asked
        "loaded": {"stream": (0, max(terms.Stream)), "owner": index(N_ALLIES), "value": SMALL},
        **_decks(c),
        **_hero_tasks(c),
        **_enemy_tasks(c),
        **_event_tasks(c),
    }


def _decks(c: np.void) -> Bounds:
    """Initiative and Fate cards."""
    fate = (0, max(0, int(c["fate"].max())))
    return {
        "fate_card": (-1, fate[1]),
        **each(index(c["n_cards"]), "card initiative initiative_discard"),
        **each(count(c["n_cards"]), "n_initiative n_initiative_discard"),
        **each(fate, "fate fate_discard timer"),
        **each(count(c["n_fate"]), "n_fate n_fate_discard n_timer"),
    }


def _figure(c: np.void) -> Bounds:
    """A summoned token or pet."""
    owner, area = index(c["n_allies"]), index(c["n_areas"])
    return {"owner": owner, "area": area, "spawned": FLAG, "acted": count(2)}


def _ally(c: np.void) -> Bounds:
    """An ally slot, with the board that the scenario gives it."""
    sheet = c["sheet"]
    there = np.arange(N_ALLIES) < c["n_allies"]
    tokens = sheet["n_tokens"].astype(np.int64)
    area = index(c["n_areas"])
    return {
        "kind": (0, np.where(there, sheet["kind"], 0)),
        "health": (0, np.maximum(0, sheet["health"])),
        "provoked": bits(N_ENEMIES),
        "lock_passive": index(N_PASSIVES),
        "item": index(c["n_items"]),
        "injury": count(c["n_injuries"]),
        "token": (-1, np.maximum(0, tokens - 1)),
        "colour": (0, max(terms.Colour)),
        "special": (0, sum(terms.Special)),
        "uses": (0, max(terms.Special)),
        "open_slots": (0, sheet["slots"]),
        "missed": count(3),
        "inspiration": count(INSPIRATION_LIMIT),
        "achievement": count(ACHIEVEMENT_LIMIT),
        "riposte_range": REACH,
        "riposte_type": index(len(terms.AttackType)),
        "riposte_when": (0, max(terms.RiposteWhen)),
        **each(area, "area retreat"),
        **each(
            SMALL,
            "order lock_chips ability rerolls evade evaded riposte reactive_bonus reactive_h",
        ),
        **each((0, sheet["blue"]), "disk spent wounds"),
        **each(CONDITIONS, "conditions lapsing"),
        **each((0, (1 << tokens) - 1), "slot once"),
        **each(bits(N_CARRIED), "active handled worn_out"),
        **each(DICE, "attack_dice reactive_dice"),
        **each(
            FLAG,
            "wounded exhausted revived acted flipped focus_rolled waits changed fly mirror revenge "
            "armed",
        ),
    }


def _enemy(c: np.void) -> Bounds:
    """An Enemy slot."""
    area = index(c["n_areas"])
    return {
        "conditions": CONDITIONS,
        "type": index(c["n_types"]),
        "fallen": count(N_ENEMIES),
        **each(LARGE, "health full"),
        **each(SMALL, "number order"),
        **each(area, "area retreat"),
        **each(FLAG, "acted spawned last fly mirror revenge"),
    }


def _hero_tasks(c: np.void) -> Bounds:
    """Records of tasks in a Hero's turn."""
    area = index(c["n_areas"])
    return {
        "roll": {
            "ally": ALLY,
            "die": (0, max(terms.Die)),
            "use": (0, max(terms.Roll)),
            "successes": CHANGED,
            "outside": FLAG,
            **each(DICE, "dice symbols spoiled asked"),
        },
        "check": {
            "ally": ALLY,
            "ability": (0, max(terms.Ability)),
            "offered": bits(len(terms.Ability)),
            "boosted": bits(N_CARRIED),
            "success": FLAG,
            **each(CHANGED, "number modifier dice h_worth total remaining"),
        },
        "move": {
            "ally": ALLY,
            "kind": (0, max(terms.Movement)),
            "to": area,
            "provoker": count(N_ENEMIES),
            "item": index(c["n_items"]),
            "way": (0, max(terms.Way)),
            **each(SMALL, "points reach"),
            **each(FLAG, "going_on gem_used stopped fall"),
        },
        "act": {
            "token": index(len(c["token"])),
            "amount": SMALL,
            "item": index(c["n_items"]),
            **each(ALLY, "ally recipient"),
            **each(count(N_EFFECTS - 1), "row opening"),
            **each(FLAG, "cursed was_cursed"),
        },
        "attack": {
            "ally": ALLY,
            "row": index(N_ATTACKS),
            "type": index(len(terms.AttackType)),
            "centre": area,
            "n_targets": count(N_ENEMIES),
            "target": count(N_ENEMIES - 1),
            "next": index(N_ENEMIES + 1),
            "line": count(max(0, c["n_areas"] - 1)),
            "n_line": count(LINE_MAX),
            "weapon": index(N_CARRIED),
            "conditions": CONDITIONS,
            "ridden": bits(len(terms.Rider)),
            **each(CHANGED, "total left dice bonus"),
            **each(SMALL, "share damage dealt before pierce"),
            **each(LARGE, "overkill healed"),
        },
    }


def _enemy_tasks(c: np.void) -> Bounds:
    """Records of tasks in an Enemy's turn."""
    area = index(c["n_areas"])
    return {
        "strike": {
            "enemy": ENEMY,
            "row": index(N_STRIKES),
            "type": (0, max(terms.AttackType)),
            "conditions": CONDITIONS,
            "target": count(N_ALLIES - 1),
            "ally": ALLY,
            "done": bits(N_ALLIES),
            "symbols": DICE,
            "passive": index(N_PASSIVES),
            "centre": area,
            "shoved": count(2),
            **each(CHANGED, "value hit_value remaining"),
            **each(REACH, "range area distance"),
            **each(SMALL, "limit push pull caused taken"),
            **each(FLAG, "loss drain given"),
            **each(count(N_ALLIES), "n_targets next"),
        },
        "turn": {
            "enemy": ENEMY,
            "eye": (0, max(terms.Eye)),
            **each(area, "destination path"),
            **each(SMALL, "points n_walked"),
            **each(count(N_AREAS), "n_path next"),
            **each(FLAG, "horns snake acted moved fly"),
        },
    }


def _event_tasks(c: np.void) -> Bounds:
    """Records of tasks in anybody's turn: entering, pushes, sections and spawns."""
    area = index(c["n_areas"])
    return {
        "entry": {
            "area": area,
            "enemy": ENEMY,
            "card": index(c["n_traps"]),
            "victim": index(FIGURES),
            "places": bits(c["n_areas"]),
            "victims": bits(FIGURES),
            **each(ALLY, "ally setter"),
            **each(FLAG, "keyword hovering"),
        },
        "push": {
            "source": area,
            "asked": ALLY,
            "figure": index(FIGURES),
            "n": count(N_ENEMIES),
            "named": count(FIGURES - 1),
            "done": bits(FIGURES),
            **each(SMALL, "distance left moved"),
            **each(FLAG, "pulls rides"),
        },
        "reading": {
            "section": index(c["n_stories"]),
            "ally": ALLY,
            "row": index(N_EFFECTS),
            "end": count(N_EFFECTS),
        },
        "spawn": {
            "type": index(c["n_types"]),
            "area": area,
            "left": SMALL,
            "slot": ENEMY,
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
