"""Perft: how many sequences of decisions start at toy positions, depth by depth.

Run as `python tests/agemonia/perft.py --write` to count again. Any change of legality shows in
perft.txt; a depth-1 count is explained there and can be counted by hand. Dice are those of seed 0.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, not installed

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.builder import Builder
from agemonia_env.rulesets.agemonia.core import api, layout, terms
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS, STARTS, Block, Turn

FILE = Path(__file__).with_name("perft.txt")
DEPTHS = 4
HERO = {"blue": 4, "might": 1, "move": {"free": 1, "paid": 2, "cost": 1}, "weapons": []}
CARD = {"bars": ["hR", "hB", "hG", "eR-O", "eB-O", "eG-O"]}


def begun(areas, borders, low=""):
    """A builder with a map, all of it high but the areas in `low`, and one Initiative card."""
    builder = Builder()
    levels = {name: int(name not in low) for name in areas}
    spaces = {name: {"capacity": 2, "level": level} for name, level in levels.items()}
    card = {"areas": spaces, "borders": borders}
    builder.add_map(schema.MapCard.model_validate(card))
    builder.add_card(schema.InitiativeCard.model_validate(CARD))
    builder.add_fate(1)
    builder.set_objective(terms.Objective.HOLD, number=99)
    return builder


def walk():
    """Three areas in a row and a Hero alone at one end; its turn begins."""
    builder = begun("abc", [["a", "b", "single"], ["b", "c", "single"]])
    builder.add_ally("hero", schema.HeroSheet.model_validate(HERO), 0)
    return start(builder, [STARTS[Block.TOKEN] + layout.EXTRA_MANEUVER])


def duel():
    """Two Enemies that only stand there, beside a Hero with an attack; its turn begins."""
    builder = begun("ab", [["a", "b", "single"]])
    hero = HERO | {"weapons": [{"name": "club", "type": "melee"}]}
    slot = builder.add_ally("hero", schema.HeroSheet.model_validate(hero), 0)
    attack = {"attack": {"type": "melee", "dice": 1}}
    action = schema.ActionCard.model_validate({"name": "Strike", "effects": [attack]})
    token = builder.add_action(slot, action)
    sheet = {"health": 9, "provoke": 1}
    kind = builder.add_enemy_type("post", schema.EnemySheet.model_validate(sheet))
    builder.add_setup(kind, 0)
    builder.add_setup(kind, 1)
    return start(builder, [STARTS[Block.TOKEN] + token])


def climb():
    """A Hero on a cliff: a height edge to fall down, a barrier, a walk; it is moving."""
    borders = [["a", "b", "double"], ["a", "c", "barrier"], ["a", "d", "single"]]
    builder = begun("abcd", borders, low="b")
    builder.add_ally("hero", schema.HeroSheet.model_validate(HERO), 0)
    focus = STARTS[Block.TOKEN] + layout.FOCUS
    return start(builder, [focus, STARTS[Block.TURN] + Turn.MOVE_PAID])


POSITIONS = {"walk": walk, "duel": duel, "climb": climb}


def start(builder, actions):
    """(contents, states of one game) after the actions that lead to the position."""
    contents = builder.finish()
    states, which = zeros(layout.STATE), np.zeros(1, np.int16)
    select = np.ones(1, np.uint8)
    api.reset(states, contents, which, np.zeros(1, np.uint64), select, 0, api.NO_ROWS)
    for action in actions:
        step(states, contents, np.array([action], np.int64))
    return contents, states


def step(states, contents, actions):
    denials = np.zeros(len(states), np.int16)
    which = np.zeros(len(states), np.int16)
    api.step(states, contents, which, actions, 0, api.NO_ROWS, denials)
    if denials.any():
        raise ValueError(f"refused: {denials}")


def grown(states, contents):
    """The position after each legal decision in each of the states."""
    masks = np.zeros((len(states), N_ACTIONS), np.uint8)
    api.write_masks(states, contents, np.zeros(len(states), np.int16), masks)
    masks[states["ending"] != terms.Ending.NONE] = 0
    games, actions = np.nonzero(masks)
    after = states[games].copy()
    step(after, contents, actions.astype(np.int64))
    return after


def counts(name):
    """Sequences of 1 .. DEPTHS decisions."""
    contents, states = POSITIONS[name]()
    found = []
    for _ in range(DEPTHS):
        states = grown(states, contents)
        found.append(len(states))
    return found


def line(name):
    return " ".join([name, *map(str, counts(name))])


def read():
    """Position -> its line in perft.txt."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return {text.split()[0]: text for text in lines if not text.startswith("#")}


if __name__ == "__main__":
    if "--write" not in sys.argv:
        sys.exit(__doc__)
    head = [text for text in FILE.read_text(encoding="utf-8").splitlines() if text[:1] == "#"]
    FILE.write_text("\n".join([*head, *map(line, POSITIONS)]) + "\n", encoding="utf-8")
