"""Section 4 and R10.1: setting up a scenario, on small tables and in the scenarios of the pack."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial
from tests.agemonia.rules.table import IDLE, Table


def standing(table):
    """(type, number, area, full) of every Enemy on the map."""
    enemies = table.states["enemy"][0]
    return [
        tuple(int(enemy[field]) for field in ("type", "number", "area", "full"))
        for enemy in enemies
        if enemy["type"] >= 0
    ]


def test_r4_2_heroes_without_room_start_in_the_nearest_area_with_room():
    table = Table("c-b-a", areas={"a": {"capacity": 1}, "b": {"capacity": 2}})
    heroes = [table.hero("a") for _ in range(4)]
    table.enemy("c")
    table.begin()
    assert [table.areas[hero.area] for hero in heroes] == ["a", "b", "b", "c"]
    assert [table.used[table.area(name)] for name in "abc"] == [1, 2, 2]


def test_r4_1_enemies_stand_where_the_scenario_places_them():
    table = Table("a-b-c", areas={"b": {"capacity": 2}})
    table.hero("a")
    table.kind("large one", size="large")
    table.enemy("c", kind="large one")
    for _ in range(3):
        table.enemy("b", kind="small one")
    table.begin()
    # numbers count up within a type; the third small one finds b full, and a is as near as c
    assert [enemy[:3] for enemy in standing(table)] == [(0, 1, 2), (1, 1, 1), (1, 2, 1), (1, 3, 0)]
    assert (table.active_ally, table.active_enemy) == (-1, -1)  # it is nobody's turn


@pytest.mark.parametrize("heroes", [1, 2, 3, 4])
def test_r10_1_health_is_base_plus_an_amount_per_hero(heroes):
    table = Table()
    for _ in range(heroes):
        table.hero()
    table.companion()  # no Hero: it does not count
    beast = table.enemy(health={"base": 2, "per_hero": 3})
    table.begin()
    assert (beast.full, beast.health) == (2 + 3 * heroes, 2 + 3 * heroes)


@pytest.mark.parametrize("scenario", ["ford", "watchtower", "beacon"])
@pytest.mark.parametrize("heroes", [1, 2, 3, 4])
def test_r4_1_the_whole_set_up_stands_on_the_map(table, scenario, heroes):
    game = table(scenario, heroes, [5])
    content = game.contents[0]
    numbers, expected = {}, []
    for kind, area in zip(content["setup_type"], content["setup_area"], strict=True):
        if kind >= 0:
            numbers[kind] = numbers.get(kind, 0) + 1
            card = content["type"][kind]
            full = int(card["base"]) + int(card["per_hero"]) * heroes
            expected.append((int(kind), numbers[kind], int(area), full))
    assert standing(game) == expected
    allies = game.states["ally"][0]
    assert sum(ally["kind"] > 0 for ally in allies) == heroes
    assert {int(ally["area"]) for ally in allies[:heroes]} == {int(content["start"][0])}


def test_r4_10_decks_are_complete_and_shuffled(table):
    game = table("ford", 2, range(12))
    content = game.contents[0]
    initiative = game.states["initiative"][:, : content["n_cards"]]
    fate = game.states["fate"][:, : content["n_fate"]]
    for cards, values in zip(initiative, fate, strict=True):
        assert sorted(cards) == list(range(18))
        assert sorted(values) == sorted(content["fate"][: content["n_fate"]])
    assert len(np.unique(initiative, axis=0)) == 12
    assert len(np.unique(fate, axis=0)) > 8
    assert len({int(cards[0]) for cards in initiative}) > 4  # the top card differs, too


def test_r4_11_a_bad_rest_costs_heroes_stamina():
    table = Table()
    hero, friend = table.hero(blue=8), table.companion(health=6)
    table.enemy()
    table.content["bad_rest"] = 2
    table.begin()
    assert (hero.disk, hero.spent, hero.wounds, friend.health) == (6, 2, 0, 6)


def test_r4_9_trap_tokens_and_ropes_lie_on_the_map():
    table = Table("a-b-c", areas={"b": {"trap": True}})
    table.hero("a")
    table.enemy("c")
    table.content["rope"][0] = 1 << 2
    table.begin()
    assert table.trap[:3] == [0, 1, 0]
    assert table.rope[:3] == [4, 0, 0]


# ---- growth and what is carried in ------------------------------------------------------------
def growing(slots, open_slots=0, tokens=4):
    """A Hero with so many tokens of its own, and a quiet Enemy."""
    table = Table("a-b-c")
    hero = table.hero(blue=8)
    for _ in range(tokens):
        table.action(hero, effects=[{"move": 1}])
    table.enemy("c", actions=IDLE)
    table.content["sheet"]["slots"][0] = slots
    table.content["sheet"]["open_slots"][0] = open_slots
    table.content["sheet"]["slot"][0] = 0b11
    return table


def test_r4_3_each_slot_is_filled_by_a_token_of_the_players_choice():
    table = growing(slots=3).begin()
    assert (table.decision, table.legal(Block.TOKEN)) == (Decision.SLOT, [2, 3, 4, 5])
    table.step(Block.TOKEN, 4)
    assert (table.decision, table.legal(Block.TOKEN)) == (Decision.SLOT, [2, 3, 5])
    table.step(Block.TOKEN, 2)
    table.step(Block.TOKEN, 5)
    assert (table.decision, table.legal(Block.TOKEN)) == (Decision.SELECT_ACTION, [0, 1, 2, 4, 5])
    assert table.denials(Block.TOKEN)[3] == Denial.NOT_IN_SLOT


def test_r4_3_without_a_choice_every_token_is_in():
    table = growing(slots=4).begin()
    assert (table.decision, table.legal(Block.TOKEN)) == (Decision.SELECT_ACTION, list(range(6)))


def test_r4_4_an_open_slot_takes_a_token_when_it_is_chosen_and_keeps_it():
    table = growing(slots=2, open_slots=1).begin()
    table.step(Block.TOKEN, 2)
    table.step(Block.TOKEN, 3)
    assert table.legal(Block.TOKEN) == list(range(6))
    table.step(Block.TOKEN, 5)
    hero = table.states["ally"][0, 0]
    assert (hero["open_slots"], hero["slot"] >> 5 & 1) == (0, 1)
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.round, table.legal(Block.TOKEN)) == (2, [0, 1, 2, 3, 5])


def test_r4_7_damage_gems_injuries_and_conditions_are_carried_in():
    table = Table("a-b")
    table.hero(blue=8)
    table.enemy("b")
    sheet = table.content["sheet"]
    sheet["wounds"][0], sheet["inspiration"][0], sheet["achievement"][0] = 3, 2, 4
    row = table.builder.add_injury(schema.InjuryCard(name="limp", move=1))
    sheet["injury"][0], sheet["conditions"][0] = 1 << row, 1 << Condition.BLEEDING
    table.begin()
    hero = table.states["ally"][0, 0]
    assert (hero["disk"], hero["wounds"], hero["injury"][row]) == (5, 3, 1)
    assert (hero["inspiration"], hero["achievement"]) == (2, 4)
    assert hero["conditions"] == 1 << Condition.BLEEDING


def test_r4_7_stamina_lost_before_is_spent_beside_a_bad_rest():
    table = Table("a-b")
    heroes = [table.hero(blue=8) for _ in range(3)]
    table.enemy("b")
    sheet = table.content["sheet"]
    sheet["spent"][:3], sheet["wounds"][:3], table.content["bad_rest"] = (3, 3, 0), (0, 4, 0), 2
    table.begin()
    # 5 lost with 4 chips on the disk: the last one turns a spent chip red (R2.2)
    assert [(a.disk, a.spent, a.wounds) for a in heroes] == [(3, 5, 0), (0, 3, 5), (6, 2, 0)]


def test_r20_3_skills_work_from_the_start_without_stamina():
    table = Table("a-b")
    table.hero(blue=8)
    table.enemy("b")
    skills = schema.Passive(name="skills", need=0, evade=2)
    table.content["sheet"]["skills"][0] = table.builder.add_passive("skills", skills)
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    hero = table.states["ally"][0, 0]
    assert (hero["evade"], hero["disk"]) == (2, 8)
    assert table.legal(Block.LOCK) == []  # nothing to end
