"""Statistics of games of Agemonia, figure by figure: columns of the rows of `simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..content.compile import Compiled
from ..core.layout import N_ALLIES, N_HEROES_MAX

Records = NDArray[Any]
Values = Mapping[str, NDArray[Any]]  # by column, (n,) or (n, figures)

# name, type (see simulation/result_schema.py), meaning
RESULT_COLUMNS = (
    ("progress", "small", "steps towards the objective"),
    ("heroes", "texts", "names of the Heroes"),
    ("hero_dealt", "numbers", "damage dealt to Enemies, by Hero"),
    ("hero_taken", "numbers", "damage taken, lost stamina included, by Hero"),
    ("hero_disk", "numbers", "chips left on the disk, by Hero"),
    ("hero_spent", "numbers", "chips spent, by Hero"),
    ("hero_locked", "numbers", "chips locked, by Hero"),
    ("hero_wounds", "numbers", "chips turned red, by Hero"),
    ("hero_exhausted", "flags", "out of action at the end, by Hero"),
    ("companions", "texts", "names of the Non-Hero Allies, those not summoned yet included"),
    ("companion_dealt", "numbers", "damage dealt to Enemies, by Non-Hero Ally"),
    ("companion_taken", "numbers", "damage taken, by Non-Hero Ally"),
    ("companion_health", "numbers", "health left, by Non-Hero Ally"),
    ("enemies", "texts", "names of the Enemy types that can appear"),
    ("enemy_dealt", "numbers", "damage dealt to Allies, by Enemy type"),
    ("enemy_taken", "numbers", "damage taken, by Enemy type"),
    ("enemy_defeated", "numbers", "figures defeated, by Enemy type"),
    ("enemy_left", "numbers", "figures left on the map, by Enemy type"),
    ("enemy_health", "numbers", "health left to those, by Enemy type"),
)


def statistics(states: Records, most: Mapping[str, int]) -> Values:
    """Statistics of n games, by column; most: figures by the column that names them."""
    return {
        "progress": states["progress"].copy(),
        **_of_allies(states, most["heroes"], most["heroes"] + most["companions"]),
        **_of_enemies(states, most["enemies"]),
    }


def exhausted_heroes(states: Records) -> NDArray[np.bool_]:
    """Which Heroes are out of action now in n games, (n, N_HEROES_MAX)."""
    flags: NDArray[np.bool_] = states["ally"]["exhausted"][:, :N_HEROES_MAX] != 0
    return flags


def figure_names(compiled: Compiled) -> Mapping[str, list[str]]:
    """Names of the figures in the other columns, the same in every game of a scenario."""
    names, heroes = compiled.names, int(compiled.content["n_heroes"][0])
    return {
        "heroes": list(names.allies[:heroes]),
        "companions": list(names.allies[heroes:]),
        "enemies": list(names.types),
    }


def _of_allies(states: Records, heroes: int, allies: int) -> Values:
    """Heroes have the first slots, Non-Hero Allies those after them."""
    ally, dealt, taken = states["ally"], states["dealt"], states["taken"]
    party, others = slice(heroes), slice(heroes, allies)
    return {
        "hero_dealt": dealt[:, party].copy(),
        "hero_taken": taken[:, party].copy(),
        "hero_disk": ally["disk"][:, party].copy(),
        "hero_spent": ally["spent"][:, party].copy(),
        "hero_locked": ally["lock_chips"][:, party].sum(axis=2, dtype=np.int16),
        "hero_wounds": ally["wounds"][:, party].copy(),
        "hero_exhausted": exhausted_heroes(states)[:, party],
        "companion_dealt": dealt[:, others].copy(),
        "companion_taken": taken[:, others].copy(),
        "companion_health": ally["health"][:, others].copy(),
    }


def _of_enemies(states: Records, types: int) -> Values:
    """Enemies have slots of their own; the columns are by type."""
    health, kinds = states["enemy"]["health"], states["enemy"]["type"]
    here = (kinds[:, None, :] == np.arange(types)[:, None]) & (health[:, None, :] > 0)
    sides = slice(N_ALLIES, N_ALLIES + types)
    return {
        "enemy_dealt": states["dealt"][:, sides].copy(),
        "enemy_taken": states["taken"][:, sides].copy(),
        "enemy_defeated": states["defeated"][:, :types].copy(),
        "enemy_left": here.sum(axis=2, dtype=np.int16),
        "enemy_health": (here * health[:, None, :]).sum(axis=2, dtype=np.int16),
    }
