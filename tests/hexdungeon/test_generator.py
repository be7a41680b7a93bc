"""Scenarios drawn by kernels are those compiled from the files that they make, byte for byte."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.core.env_slots import N_KNOBS
from agemonia_env.rulesets.arguments import SEED_RANGES
from agemonia_env.rulesets.hexdungeon import DOORS
from agemonia_env.rulesets.hexdungeon.arguments import check_arguments
from agemonia_env.rulesets.hexdungeon.content.knobs import GOALS, KNOBS
from agemonia_env.rulesets.hexdungeon.content.load import mistakes
from agemonia_env.rulesets.hexdungeon.core import api, hexset, layout
from agemonia_env.rulesets.hexdungeon.core.generator.shapes import Cell, Knob
from agemonia_env.rulesets.hexdungeon.core.terms import Goal
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests.games import random_steps


DRAWS = pytest.mark.skipif(not COMPILED, reason="takes long as plain Python")
PARTIES = {
    "one": {"heroes": 1, "level": 0},
    "two": {"heroes": 2},
    "three": {"heroes": 3, "level": 3},
    "four": {"heroes": 4, "level": 2},
    "summoners": {"heroes": ["burrowcaller", "thornarm", {"hero": "bellkeeper", "without": []}]},
}
ENDS = {  # every knob at both ends
    f"{knob.name}-{end}": {knob.name: getattr(knob, end)}
    for knob in KNOBS.knobs
    if knob.name != "goals"
    for end in ("least", "most")
} | {f"goals-{name}": {"goals": name} for name in GOALS}
LEAST = {"rooms": 1, "sides": 3, "kinds": 1, "strength": 25, "loot": 0}
MOST = {
    **{"rooms": 9, "sides": 7, "kinds": 8, "loot": 8, "strength": 400, "elites": 100},
    **dict.fromkeys(("walls", "obstacles", "hazards", "difficult", "traps"), 25),
}
CORNERS = {
    f"{size}-{name}": settings | {"goals": name}
    for size, settings in (("least", LEAST), ("most", MOST), ("small", MOST | {"sides": 3}))
    for name in GOALS
}


def check(seeds, **chosen):
    """The record of each seed is that of its file, which has no mistakes."""
    generator = check_arguments("random", **chosen).make_generator()
    for seed in seeds:
        drawn = generator.draw(seed)
        expected = generator.look(drawn.plan, seed)
        differing = [
            name
            for name in layout.CONTENT.names
            if np.asarray(drawn.content[name]).tobytes()
            != np.asarray(expected.content[name]).tobytes()
        ]
        assert not differing, (seed, differing)
        assert drawn.content.tobytes() == expected.content.tobytes()
        assert drawn.figures.kinds == expected.names.kinds[: len(drawn.figures.kinds)]
        pack = generator.pack
        card = generator.card(drawn.plan, seed)
        assert not list(_mistakes(pack, card)), seed


def _mistakes(pack, card):
    from agemonia_env.rulesets.hexdungeon.content.load import _scenario_mistakes

    return _scenario_mistakes(pack, card)
