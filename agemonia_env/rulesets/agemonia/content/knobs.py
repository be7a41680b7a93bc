"""What the generator can be told: see core/generator/plan.py for what each knob does."""

from __future__ import annotations

from agemonia_env.rulesets.knobs import Knob, KnobTable

from ..core.generator.shapes import COLUMNS, ROWS
from ..core.generator.shapes import Knob as At
from . import schema

EVERY_OBJECTIVE = dict.fromkeys(schema.OBJECTIVES, 1)
OBJECTIVES = dict.fromkeys(schema.OBJECTIVES, 0) | {
    **{"defeat_all": 3, "defeat_type": 2, "hold": 1, "reach": 2, "collect": 1}
}

KNOBS = KnobTable(
    knobs=(
        Knob("columns", "blocks of the map across", At.COLUMNS, COLUMNS[0], COLUMNS[-1], (4, 6)),
        Knob("rows", "and down", At.ROWS, ROWS[0], ROWS[-1], (3, 4)),
        Knob("types", "kinds of Enemies", At.TYPES, 1, 4, (2, 4)),
        Knob("strength", "of all Enemies together, in percent", At.STRENGTH, 25, 400, 100),
        Knob("enemies", "placed at set-up, at most", At.ENEMIES, 1, 14, 14),
        Knob("hill", "how often there is one, in percent", At.HILL, 0, 100, 70),
        Knob("ridge", "of its edge that is a double line, in percent", At.RIDGE, 0, 100, 50),
        Knob("walls", "of borders, in percent", At.WALLS, 0, 100, 12),
        Knob("narrow", "areas of capacity 1, in percent", At.NARROW, 0, 100, 10),
        Knob("traps", "areas with one, in percent", At.TRAPS, 0, 100, 12),
        Knob("portals", "how often there are two teleport tokens", At.PORTALS, 0, 100, 35),
        Knob("finds", "items on the map, at most", At.FINDS, 0, 4, 2),
        Knob("any_heroes", "1: a number of Heroes are any, not the first", At.ANY_HEROES, 0, 1, 0),
        Knob("objectives", "how often, by kind", At.OBJECTIVES, 0, 100, OBJECTIVES),
    ),
    presets={"varied": {"any_heroes": 1, "objectives": EVERY_OBJECTIVE}},
)
