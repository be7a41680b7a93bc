"""What the generator can be told: see core/generator/ for what each knob does."""

from __future__ import annotations

from agemonia_env.rulesets.knobs import Knob, KnobTable

from ..core.generator.shapes import Knob as At
from ..core.layout import N_ROOMS, N_TYPES

GOALS = {"defeat": 3, "survive": 1, "reach": 2, "loot": 2}  # in the order of terms.Goal

KNOBS = KnobTable(
    knobs=(
        Knob("rooms", "as many as there is space for", At.ROOMS, 1, N_ROOMS, (2, 4)),
        Knob("sides", "of each room, in hexes", At.SIDES, 3, 7, (4, 6)),
        Knob("kinds", "of monsters, as many as fit beside the party", At.KINDS, 1, N_TYPES, (2, 4)),
        Knob("loot", "tokens on the map", At.LOOT, 0, 8, (1, 3)),
        Knob("strength", "of all monsters together, in percent", At.STRENGTH, 25, 400, 100),
        Knob("elites", "monsters that are elite, in percent", At.ELITES, 0, 100, 30),
        Knob("walls", "hexes of rooms that are walls, in percent", At.WALLS, 0, 25, 2),
        Knob("obstacles", "hexes with one, in percent", At.OBSTACLES, 0, 25, 6),
        Knob("hazards", "hexes of hazardous terrain, in percent", At.HAZARDS, 0, 25, 3),
        Knob("difficult", "hexes of difficult terrain, in percent", At.DIFFICULT, 0, 25, 6),
        Knob("traps", "hexes with one, in percent", At.TRAPS, 0, 25, 3),
        Knob("goals", "how often, by kind", At.GOALS, 0, 100, GOALS),
    ),
    presets={
        "varied": {
            **{"rooms": [1, 7], "sides": [3, 7], "kinds": [1, 6], "loot": [0, 6]},
            "goals": dict.fromkeys(GOALS, 1),
        }
    },
)
