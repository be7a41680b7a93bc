"""The observation of Agemonia as named arrays, with the values of its scenario.

The flat observation has the height of an area and the figures in it, but not what is beyond its
borders; and it has the type of an Enemy as the number that the scenario gives it. In one scenario
that is enough, since neither changes. A policy for many scenarios needs the map, the cards and the
objective: they are open on the table, and taken from the content.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.obs_encoding import F32, INT8_MAX, scaled, scales_of, with_scalar_type
from agemonia_env.rulesets.obs_arrays import Structure, blocks_of, flag

from ..core.layout import N_AREAS, N_ITEM_KINDS, N_TYPES
from ..core.obs_spec import CHIPS, HEALTH, OBS, POINTS, SMALL
from ..core.terms import Objective

STRIKE_CARD = np.dtype(
    [  # an Enemy's attack under one Eye; all 0 = none
        ("strikes", F32),  # 0/1: there is one
        ("value", scaled(POINTS)),  # / POINTS; -1 = it causes no damage
        ("range", scaled(SMALL)),  # / SMALL; -1 = none
        ("area", scaled(SMALL)),  # of an area attack / SMALL; -1 = it is none
        ("targets", scaled(SMALL)),  # / SMALL
        ("melee", F32),  # 0/1
        ("ranged", F32),  # 0/1
        ("magic", F32),  # 0/1
    ]
)

CARD = np.dtype(
    [  # an Enemy card (R1.7); all 0 = the scenario has no such type
        ("exists", F32),  # 0/1
        ("health", scaled(HEALTH)),  # that a figure starts with / HEALTH
        ("shield", scaled(SMALL)),  # / SMALL
        ("provoke", scaled(SMALL)),  # value / SMALL
        ("provoke_range", scaled(SMALL)),  # / SMALL
        ("provoke_loss", F32),  # 0/1
        ("elite", F32),  # 0/1
        ("fly", F32),  # 0/1
        ("mirror", F32),  # 0/1
        ("revenge", F32),  # 0/1
        ("size", scaled(SMALL)),  # capacity used / SMALL
        ("colour", F32, (3,)),  # one-hot
        ("move", scaled(SMALL), (3,)),  # per Eye / SMALL
        ("strike", STRIKE_CARD, (3,)),  # per Eye
    ]
)

TASK = np.dtype(
    [  # how the scenario is won (R19.12)
        ("objective", F32, (len(Objective),)),  # one-hot
        ("number", scaled(CHIPS)),  # figures, items, traps, steps, or a round / CHIPS
        ("type", F32, (N_TYPES,)),  # one-hot: the Enemies to defeat
        ("item", scaled(N_ITEM_KINDS)),  # to collect, (number + 1) / N_ITEM_KINDS
    ]
)

SCENARIO = np.dtype(
    [  # what is open on the table and constant for the whole game
        ("task", TASK),  # the objective
        ("card", CARD, (N_TYPES,)),  # Enemy cards, by type
        ("border", scaled(SMALL), (N_AREAS, N_AREAS)),  # terms.Border from row to column / SMALL
        ("range", scaled(CHIPS), (N_AREAS, N_AREAS)),  # R7.22, / CHIPS; below 0 = no path
        ("sees", F32, (N_AREAS, N_AREAS)),  # 0/1 (R7.24)
    ]
)

SCALES = np.array(scales_of(SCENARIO), F32)
SCENARIO = with_scalar_type(SCENARIO, F32)  # without the metadata, which makes np.save complain
SCENARIO_INT8 = with_scalar_type(SCENARIO, np.int8)


def scenario_int8(contents: NDArray[Any]) -> NDArray[np.int8]:
    """The scenario values of CONTENT records (k,), int8 (k, n_scenario)."""
    out = np.zeros(len(contents), SCENARIO_INT8)
    for name in ("border", "range"):
        out[name] = contents[name]
    out["sees"] = contents["seen"][..., np.newaxis] >> np.arange(N_AREAS) & 1
    _write_task(contents, out["task"])
    _write_cards(contents, out["card"])
    return out.view(np.int8).reshape(len(contents), -1)


def _write_task(contents: NDArray[Any], task: NDArray[Any]) -> None:
    """The objective."""
    kind, subject = contents["objective"], contents["objective_subject"]
    task["objective"] = _one_hot(kind, len(Objective))
    task["number"] = contents["objective_number"]
    defeats = kind == Objective.DEFEAT_TYPE
    task["type"] = _one_hot(np.where(defeats, subject, -1), N_TYPES)
    task["item"] = np.where(kind == Objective.COLLECT, subject + 1, 0)


def _write_cards(contents: NDArray[Any], cards: NDArray[Any]) -> None:
    """Every Enemy card, with its attacks."""
    types = contents["type"]
    exists = np.arange(N_TYPES) < contents["n_types"][:, None]
    cards["exists"] = 1
    health = types["base"] + types["per_hero"] * contents["n_heroes"][:, None]
    cards["health"] = np.minimum(INT8_MAX, health)
    for name in ("shield", "provoke", "provoke_range", "provoke_loss", "elite", "fly"):
        cards[name] = types[name]
    for name in ("mirror", "revenge", "size", "move"):
        cards[name] = types[name]
    cards["colour"] = _one_hot(types["colour"], 3)
    rows = types["strike"]
    strikes = contents["strike"][np.arange(len(contents))[:, None, None], rows]
    shown = cards["strike"]
    shown["strikes"] = 1
    for name in ("value", "range", "area", "targets"):
        shown[name] = strikes[name]
    for number, name in enumerate(("melee", "ranged", "magic")):
        shown[name] = strikes["type"] == number
    shown[rows < 0] = 0
    cards[~exists] = 0


def _one_hot(numbers: NDArray[Any], n: int) -> NDArray[np.bool_]:
    """Numbers of any shape -> bool (*shape, n); all False for negative ones."""
    found: NDArray[np.bool_] = np.asarray(numbers)[..., None] == np.arange(n)
    return found


# ally_now and enemy_now have the rows of ally and enemy
PRESENT = {
    name: flag("exists" if name == "area" else "present", OBS[name].base)
    for name in ("ally", "enemy", "area", "figure")
}

STRUCTURE = Structure(
    observation=blocks_of(OBS, present=PRESENT),
    scenario=blocks_of(SCENARIO, present={"card": flag("exists", SCENARIO["card"].base)}),
    scenario_int8=scenario_int8,
    scenario_scales=SCALES,
    figures=(("ally_now", "ally"), ("enemy_now", "enemy")),
)
