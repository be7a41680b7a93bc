"""The observation of HexDungeon as named arrays, with the values of its scenario.

The flat observation numbers the hexes column by column, with a stride that depends on the height
of the board: the same number is a different place on another board. The scenario values therefore
give the place of each hex; neighbours follow from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.obs_encoding import F32, scaled, scales_of, with_scalar_type
from agemonia_env.rulesets.obs_arrays import Numbers, Structure, blocks_of, flag

from ..core.hexset import MAX_HEXES
from ..core.obs_spec import AWAY, OBS, Ground
from ..view.hexes import members, place_of

PLACE = np.dtype(
    [  # where a hex is; all 0 = not on the board
        ("on_board", F32),  # 0/1
        ("column", scaled(AWAY)),  # as the maps of packs count
        ("row", scaled(AWAY)),  # likewise; odd columns lie half a hex lower
        ("told_row", scaled(AWAY)),  # the row in the body of a figure there
    ]
)

SCENARIO = np.dtype(
    [  # what is open on the table and constant for the whole game
        ("place", PLACE, (MAX_HEXES,)),  # hexes by their numbers
    ]
)

SCALES = np.array(scales_of(SCENARIO), F32)
SCENARIO = with_scalar_type(SCENARIO, F32)  # without the metadata, which makes np.save complain
SCENARIO_INT8 = with_scalar_type(SCENARIO, np.int8)


def scenario_int8(contents: NDArray[Any]) -> NDArray[np.int8]:
    """The scenario values of CONTENT records (k,), int8 (k, n_scenario)."""
    out = np.zeros(len(contents), SCENARIO_INT8)
    for content, row in zip(contents, out, strict=True):
        board = content["board"]
        for h in members(board["hexes"]):
            row["place"][h] = 1, *place_of(board, h), h % int(board["stride"])
    return out.view(np.int8).reshape(len(contents), -1)


def is_open(hexes: Numbers) -> Numbers:
    """The hexes of the block, rows (n, MAX_HEXES, columns), that are neither wall nor outside."""
    return hexes[:, :, 0] < Ground.WALL / AWAY


STRUCTURE = Structure(
    observation=blocks_of(
        OBS,
        joined={"hex": ("ground", "mark"), "trap": ("trap", "trap_conditions")},
        present={
            "hex": is_open,
            "active": flag("owner", OBS["active"].base),
            "hand": flag("hero_class", OBS["hand"].base),
            "body": flag("max_hp", OBS["body"].base),
        },
    ),
    scenario=blocks_of(SCENARIO),
    scenario_int8=scenario_int8,
    scenario_scales=SCALES,
    figures=(("part", "body"),),
)
