"""R7.53, R19.7 to R19.11: what entering an area triggers, and traps."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import (
    Ability,
    Condition,
    Decision,
    Denial,
    Event,
    Stream,
)
from tests.agemonia.rules.table import Table


def trapped(figure="hero", card=None, areas=None, **more):
    """A figure beside a trap token in b, with one Trap card. -> (table, figure)"""
    table = Table("a-b", areas={"b": {"trap": True}} | (areas or {}))
    table.states["trap"][0, 1] = 1
    table.builder.add_trap(schema.TrapCard.model_validate(card or {"damage": 2}))
    return table, getattr(table, figure)("a", **more)


def walk(table, figure):
    table.perform(Verb.WALK, figure, 1)
    table.answer(Block.AREA, 1)


def events(table):
    kinds = [event for event in Event if event < Event.ROUND]
    return [row[0] for row in table.log(*kinds)]


# ---- disarming ------------------------------------------------------------------------------
def test_r19_7_declining_sets_the_trap_off():
    table, hero = trapped(blue=6)
    walk(table, hero)
    assert table.asks == (Decision.DISARM, hero.slot)
    assert table.legal() == [(Block.NO, 0), (Block.YES, 0)]
    table.answer(Block.NO)
    assert (table.trap[1], hero.wounds, events(table)) == (0, 2, [Event.TRAP])


@pytest.mark.parametrize(
    ("agility", "keyword", "faces", "wounds"),
    [(3, 0, (2, 2, 2), 0), (3, 0, (2, 2, 1), 2), (2, 1, (2, 2), 0)],
    ids=["disarmed", "failed", "a keyword adds two"],
)
def test_r19_7_a_check_disarms_the_trap_or_sets_it_off(agility, keyword, faces, wounds):
    table, hero = trapped(agility=agility)
    table.content["sheet"]["disarm"][hero.slot] = keyword
    table.dice(*faces)
    walk(table, hero)
    table.answer(Block.YES)
    assert (table.trap[1], hero.wounds, events(table)) == (0, wounds, [Event.TRAP][: wounds // 2])


def test_r19_7_a_non_hero_ally_sets_it_off():
    table, friend = trapped("companion", health=6)
    walk(table, friend)
    assert (table.trap[1], friend.health) == (0, 4)


@pytest.mark.parametrize("figure", ["hero", "companion"])
def test_r7_20_a_flyer_may_let_it_be(figure):
    table, flyer = trapped(figure, fly=True)
    walk(table, flyer)
    assert table.asks == (Decision.SPRING, flyer.slot)
    table.answer(Block.NO)
    assert (table.trap[1], flyer.area, table.asks[0]) == (1, 1, Decision.NONE)


@pytest.mark.parametrize(("figure", "asked"), [("hero", Decision.DISARM), ("companion", 0)])
def test_r7_20_a_flyer_that_meddles_is_as_any_other(figure, asked):
    table, flyer = trapped(figure, fly=True)
    walk(table, flyer)
    table.answer(Block.YES)
    assert (table.asks[0], table.trap[1]) == (asked, int(figure == "hero"))


@pytest.mark.parametrize(("fly", "left"), [(False, 0), (True, 1)])
def test_r19_7_an_enemy_without_fly_sets_it_off(fly, left):
    table, _ = trapped()
    table.states["ally"]["area"][0, 0] = 1
    beast = table.enemy("a", fly=fly, health=5)
    table.reaction_dice(2, 2)
    table.perform(Verb.ENEMY_TURN, beast.slot, 1, 0, 0)
    assert (beast.area, table.trap[1], beast.health) == (1, left, 5 if fly else 3)


# ---- Trap cards -----------------------------------------------------------------------------
def test_r19_8_everybody_in_the_area_is_hit_without_shield():
    table, hero = trapped(card={"damage": 2, "condition": "held"}, blue=6)
    friend, beast, away = table.companion("b"), table.enemy("b", shield=3), table.hero("a", blue=6)
    walk(table, hero)
    table.answer(Block.NO)
    assert [hero.wounds, 6 - friend.health, 5 - beast.health, away.wounds] == [2, 2, 2, 0]
    assert [f.holds(Condition.HELD) for f in (hero, friend, beast, away)] == [1, 1, 1, 0]


def test_r19_8_a_card_with_a_check_spares_allies_that_pass():
    card = {"damage": 2, "condition": "held", "check": {"ability": "will", "number": 2}}
    table, hero = trapped(card=card, blue=6, will=1)
    other, beast = table.hero("b", blue=6, will=1), table.enemy("b")
    table.load(Stream.ACTION_DICE, [2], hero.slot)
    table.load(Stream.ACTION_DICE, [1], other.slot)
    walk(table, hero)
    table.answer(Block.NO)
    # with 1 Enemy and 2 Allies nobody is Hindered: 2 passes, 1 fails; an Enemy makes no check
    assert [hero.wounds, other.wounds, 5 - beast.health] == [0, 2, 2]
    assert [f.holds(Condition.HELD) for f in (hero, other, beast)] == [0, 1, 1]


def test_r3_10_the_player_picks_among_the_abilities_of_a_check():
    card = {"damage": 2, "check": {"ability": ["might", "will"], "number": 4}}
    table, hero = trapped(card=card, blue=6, might=1, will=2)
    walk(table, hero)
    table.answer(Block.NO)
    assert table.asks == (Decision.ABILITY, hero.slot)
    assert table.legal() == [(Block.ABILITY, Ability.MIGHT), (Block.ABILITY, Ability.WILL)]
    assert table.denial(Block.ABILITY, Ability.AGILITY) == Denial.NO_SUCH_ACTION
    table.dice(2, 2)
    table.answer(Block.ABILITY, Ability.WILL)
    assert hero.wounds == 0


def test_r19_8_the_card_is_drawn_from_all():
    table, hero = trapped(card={"damage": 1}, blue=9)
    table.builder.add_trap(schema.TrapCard(damage=4))
    table.load(Stream.TRAP, [1])
    walk(table, hero)
    table.answer(Block.NO)
    assert hero.wounds == 4


def test_q45_figures_are_hit_in_the_order_of_figures():
    table, hero = trapped(card={"damage": 5}, blue=4)
    other = table.hero("b", blue=4)
    hero.record["order"], other.record["order"] = 5, 1
    walk(table, hero)
    table.answer(Block.NO)
    assert events(table) == [Event.TRAP, Event.INJURY, Event.INJURY]
    assert [row[1] for row in table.log(Event.INJURY)] == [other.slot, hero.slot]


# ---- story points ---------------------------------------------------------------------------
def test_q54_the_story_point_comes_before_the_trap():
    table, hero = trapped(areas={"b": {"trap": True, "story": "gate"}})
    walk(table, hero)
    table.answer(Block.NO)
    assert events(table) == [Event.STORY, Event.TRAP]


@pytest.mark.parametrize(("by", "read"), [("allies", []), ("any", [Event.STORY])])
def test_q56_enemies_set_a_story_off_only_where_it_says_so(by, read):
    table = Table("a-b", areas={"b": {"story": {"section": "gate", "by": by}}})
    table.hero("b", might=1)
    beast = table.enemy("a")
    table.reaction_dice(2)
    table.perform(Verb.ENEMY_TURN, beast.slot, 1, 0, 0)
    assert events(table) == read
