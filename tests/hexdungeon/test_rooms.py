"""G12.9: doors and the monsters behind them."""

import pytest

from agemonia_env.rulesets.hexdungeon.core.layout import FIRST_MONSTER
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Decision,
    Effect,
    Event,
    Half,
    Place,
    Terrain,
)
from tests.hexdungeon.table import GUARD, RAT, Block, Content, Table

DOOR = (2, -1)
M = FIRST_MONSTER


def behind_a_door(*spawns, **stats):
    """A character three steps from a door, with monsters behind it."""
    content = Content(doors=[DOOR], wall=[(2, r) for r in (0, 1, 2, 3, 4, 5)])
    content.door(DOOR, 1)
    content.stats(RAT, **{"hp": 6, **stats})
    for kind, at in spawns:
        content.spawn(kind, at, room=1)
    return content


def play_to_the_door(content, acted=0):
    """The character goes to the door with initiative 10 and stops there."""
    table = Table(content)
    table.log()
    table.select(0, 1)
    assert table.decision == Decision.TURN
    table.s["acted"] |= acted
    table.answer(Block.HALF, 4 + Half.BASIC_MOVE)
    table.answer(Block.DIRECTION, 0)
    table.answer(Block.DIRECTION, 5)
    return table


def test_a_scenario_begins_with_its_characters_and_the_first_room():
    content = Content(heroes=2)
    content.stats(GUARD, elite=(1,), hp=9, shield=1, retaliate=2, retaliate_range=3)
    content.stats(GUARD, elite=(1,), flying=1, immune=1 << Effect.STUN)
    content.spawn(RAT, (5, 0))
    content.spawn(GUARD, (7, 0), elite=1)
    content.spawn(RAT, (9, 0), room=1)
    t = Table(content)
    assert [t.at(f) for f in (0, 1, M, M + 1)] == [(0, 0), (0, 1), (5, 0), (7, 0)]
    assert t.s["left"] == 1
    assert t.monster(2)["at"] == -1
    guard = t.monster(1)
    assert (guard["hp"], guard["max_hp"], guard["elite"], guard["standee"]) == (9, 9, 1, 1)
    assert (guard["shield"], guard["flying"], guard["retaliate"].tolist()[3]) == (1, 1, 2)
    assert guard["immune"] == 1 << Effect.STUN
    assert t.cards(1, Place.HAND) == [0, 1, 2, 3, 4]
    for d in range(3):
        assert sorted(t.s["deck"][d]["pile"][:20]) == list(range(20))
    assert t.s["deck"][3]["n_pile"] == 0
    assert t.s["deck"][0]["pile"].tolist() != t.s["deck"][1]["pile"].tolist()


def test_g12_8_a_monster_whose_hex_is_taken_comes_on_the_nearest_empty_one():
    content = Content(trap=[(6, 0), (5, 1), (4, 1), (4, 0), (5, -1)])
    for _ in range(2):
        content.spawn(RAT, (5, 0))
    t = Table(content)
    assert t.at(M) == (5, 0)
    assert t.at(M + 1) == (6, -1)


def test_g12_9_an_open_door_is_a_plain_hex_and_its_room_is_revealed():
    t = play_to_the_door(behind_a_door((GUARD, (8, -2)), (RAT, (7, -2))))
    number = t.case.number(DOOR)
    board = t.s["board"]
    assert not int(board["terrain"][Terrain.DOOR][number >> 6]) >> (number & 63) & 1
    assert int(board["floor"][number >> 6]) >> (number & 63) & 1
    assert board["n_walls"] == 6
    assert t.at(0) == DOOR
    assert t.s["rooms"] == 0b11
    assert t.s["left"] == 0
    assert t.events(Event.DOOR) == [(0, -1, number, -1)]
    assert [t.at(M), t.at(M + 1)] == [(8, -2), (7, -2)]
    assert t.s["type"]["card"].tolist()[:2] == [0, 0]


@pytest.mark.parametrize("initiative", [50, 5])
def test_g12_9_revealed_monsters_act_in_the_round_under_way(initiative):
    content = behind_a_door((RAT, (6, -2)))
    content.monster_card(RAT, initiative)
    t = play_to_the_door(content, acted=1 << M)  # as the figure that had the slot before
    assert t.monster(0)["initiative"] == initiative
    assert not t.s["acted"] >> M & 1
    t.answer(Block.DONE)
    turns = [figure for figure, *_ in t.events(Event.TURN)]
    assert turns[:2] == [0, M]
