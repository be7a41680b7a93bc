"""Statistics of games of HexDungeon, figure by figure: columns of the rows of `simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..content import Compiled
from ..core.layout import FIRST_MONSTER, N_HEROES
from ..core.terms import Place

Records = NDArray[Any]
Values = Mapping[str, NDArray[Any]]  # by column, (n,) or (n, figures)

# name, type (see simulation/result_schema.py), meaning
RESULT_COLUMNS = (
    ("loot", "small", "loot tokens taken"),
    ("behind_doors", "small", "monsters never met"),
    ("heroes", "texts", "names of the characters"),
    ("hero_hp", "numbers", "hit points left, by character"),
    ("hero_xp", "numbers", "experience, by character"),
    ("hero_loot", "numbers", "loot tokens, by character"),
    ("hero_lost", "numbers", "cards lost, active ones that count as lost included, by character"),
    ("hero_exhausted", "flags", "exhausted at the end, by character"),
    ("monsters", "texts", "names of the monster types of the scenario"),
    ("monster_left", "numbers", "figures left on the board, by monster type"),
    ("monster_hp", "numbers", "hit points left to those, by monster type"),
)


def statistics(states: Records, most: Mapping[str, int]) -> Values:
    """Statistics of n games, by column; most: figures by the column that names them."""
    party = slice(most["heroes"])
    figure, types = states["figure"], most["monsters"]
    hp, kinds = figure["hp"][:, FIRST_MONSTER:], figure["kind"][:, FIRST_MONSTER:]
    here = (kinds[:, None, :] == np.arange(types)[:, None]) & (hp[:, None, :] > 0)
    return {
        "loot": states["n_loot"].copy(),
        "behind_doors": states["left"].copy(),
        "hero_hp": figure["hp"][:, party].copy(),
        "hero_xp": figure["xp"][:, party].copy(),
        "hero_loot": figure["loot"][:, party].copy(),
        "hero_lost": _lost(states)[:, party],
        "hero_exhausted": exhausted_heroes(states)[:, party],
        "monster_left": here.sum(axis=2, dtype=np.int16),
        "monster_hp": (here * hp[:, None, :]).sum(axis=2, dtype=np.int16),
    }


def _lost(states: Records) -> NDArray[np.int16]:
    """Lost cards of every character (G11.12), (n, characters)."""
    lost: NDArray[np.int16] = (states["hero"]["place"] == Place.LOST).sum(axis=2, dtype=np.int16)
    active = states["active"]
    for slot in range(active.shape[1]):
        counted = (active["owner"][:, slot] >= 0) & (active["loss"][:, slot] != 0)
        games = np.flatnonzero(counted)
        lost[games, active["owner"][games, slot]] += 1
    return lost


def exhausted_heroes(states: Records) -> NDArray[np.bool_]:
    """Which characters are exhausted in n games, (n, N_HEROES)."""
    flags: NDArray[np.bool_] = states["figure"]["exhausted"][:, :N_HEROES] != 0
    return flags


def figure_names(compiled: Compiled) -> Mapping[str, list[str]]:
    """Names of the figures in the other columns, the same in every game of a scenario."""
    types = int(compiled.content["n_types"][0])
    return {
        "heroes": list(compiled.names.heroes),
        "monsters": list(compiled.names.kinds[:types]),
    }
