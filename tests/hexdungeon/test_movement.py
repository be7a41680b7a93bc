"""G12 Movement and terrain, G13.5."""

import numpy as np
import pytest
from hypothesis import given, settings

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.hexdungeon.cases.position import boards_of, turns_of
from agemonia_env.rulesets.hexdungeon.cases.schema import MonsterTurn
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.layout import PLAN
from tests.hexdungeon.boards import turns
from tests.hexdungeon.hexes import ways


def core_ways(case):
    """(negative hexes, points) to every hex on which the monster may end, from the core.

    Enemies bar the way as ever, but are not seen: where the monster finds a focus within its move,
    it looks no farther.
    """
    plans = zeros(PLAN)
    positions = turns_of([case.model_copy(update={"enemies": []})])
    for enemy in case.enemies:
        number = case.number(enemy.at)
        positions[0]["unseen"][number >> 6] |= np.uint64(1 << (number & 63))
    api.plan_turn(boards_of([case]), positions, 0, plans)
    found = {}
    for layer in plans[0]["layer"][: int(plans[0]["n_layers"])]:
        for place in case.hexes():
            number = case.number(place)
            if int(layer["hexes"][number >> 6]) >> (number & 63) & 1:
                assert place not in found
                found[place] = int(layer["negative"]), int(layer["cost"])
    return found


@settings(deadline=None, max_examples=150)
@given(turns())
def test_g13_5_ways_are_the_twins(case):
    assert core_ways(case) == ways(case, case.actor)


def monster(actor, mode, enemies=(), allies=(), **terrain):
    """A monster on the board of the rule cases."""
    attack = {"range": 0, "targets": 1, "area": None, "extra_targets": 0}
    return MonsterTurn(
        id="test",
        width=16,
        height=7,
        terrain=terrain,
        actor=actor,
        allies=list(allies),
        enemies=[{"at": place, "initiative": 50} for place in enemies],
        action={"move": 3, "mode": mode, "muddled": False, "attack": attack},
    )


@pytest.mark.parametrize(("mode", "to", "cost"), [("walk", (6, 2), 4), ("jump", (6, 2), 3)])
def test_g12_3_g12_6_difficult_terrain(mode, to, cost):
    ways = core_ways(monster((6, -1), mode, difficult=[(6, 1), (5, 1), (7, 0)]))
    assert ways[to] == (0, cost)


@pytest.mark.parametrize(("mode", "cost"), [("walk", 3), ("jump", 3), ("fly", 2)])
def test_g12_6_a_jump_onto_difficult_terrain(mode, cost):
    assert core_ways(monster((6, -1), mode, difficult=[(6, 1)]))[6, 1] == (0, cost)


@pytest.mark.parametrize(
    ("mode", "obstacle", "trap"), [("walk", False, 1), ("jump", False, 1), ("fly", True, 0)]
)
def test_g12_2_g12_6_g12_7_where_a_move_may_end(mode, obstacle, trap):
    ways = core_ways(monster((6, 0), mode, [(6, 1)], [(5, 1)], obstacle=[(7, 0)], trap=[(6, -1)]))
    assert not {(6, 1), (5, 1)} & set(ways)
    assert ((7, 0) in ways) == obstacle
    assert ways[6, -1] == (trap, 1)


def test_g12_2_allies_are_passed_and_enemies_are_not():
    ring = [(7, 0), (6, 1), (5, 1), (5, 0), (6, -1), (7, -1)]
    assert (6, 2) in core_ways(monster((6, 0), "walk", allies=ring))
    assert core_ways(monster((6, 0), "walk", enemies=ring)) == {(6, 0): (0, 0)}
    assert core_ways(monster((6, 0), "jump", enemies=ring))[6, 2] == (0, 2)


def test_g10_8_invisible_enemies_are_obstacles_to_walkers():
    case = monster((0, 0), "walk")
    plans, positions = zeros(PLAN), turns_of([case])
    positions[0]["unseen"][0] = np.uint64(1 << case.number((0, 1)) | 1 << case.number((1, 0)))
    api.plan_turn(boards_of([case]), positions, 0, plans)
    assert int(plans[0]["n_layers"]) == 1
