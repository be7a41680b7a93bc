"""Sections 7.7 to 7.9: which jumps and teleports a game offers; cases test the verbs."""

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial, Event, Way
from tests.agemonia.rules.table import Table

LEAP = {"name": "leap", "effects": [{"jump": {"range": 2}}]}
BLINK = {"name": "blink", "effects": [{"teleport": {"range": 2}}]}


def in_turn(table, hero, action):
    """The Hero has chosen its action and is asked what to do first."""
    table.action(hero, **action)
    hero.record["token"] = 2
    table.perform(Verb.START_TURN, hero, 0, 0)


def test_r7_30_an_action_offers_the_areas_of_a_jump():
    table = Table("a-b-c-d")
    hero = table.hero()
    in_turn(table, hero, LEAP)
    table.answer(Block.TURN, Turn.ACT)
    assert (table.decision, table.legal(Block.AREA)) == (Decision.JUMP, [1, 2])
    table.answer(Block.AREA, 2)
    assert (hero.area, table.actions) == (2, 0)
    assert table.log(Event.STEP)[-1] == (Event.STEP, hero.slot, Way.JUMP, 2)


def test_r7_30_a_jump_may_be_declined():
    table = Table("a-b")
    hero = table.hero()
    in_turn(table, hero, LEAP)
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.DONE)
    assert (hero.area, table.decision) == (0, Decision.TURN)


def test_r7_37_held_heroes_cannot_perform_a_jump():
    table = Table("a-b")
    hero = table.hero(conditions=[Condition.HELD])
    in_turn(table, hero, LEAP)
    assert table.denials(Block.TURN)[Turn.ACT] == Denial.OUT_OF_RANGE


def test_r7_37_injuries_shorten_a_jump():
    table = Table("a-b-c")
    hero = table.hero()
    card = schema.InjuryCard(name="limp", move=1)
    hero.record["injury"][table.builder.add_injury(card)] = 1
    assert table.perform(Verb.JUMP, hero, 2, 2) == Denial.OUT_OF_RANGE
    assert table.perform(Verb.JUMP, hero, 1, 2) == Denial.NONE


def test_r7_43_held_heroes_teleport():
    table = Table("a-b-c")
    hero = table.hero(conditions=[Condition.HELD])
    in_turn(table, hero, BLINK)
    table.answer(Block.TURN, Turn.ACT)
    assert (table.decision, table.legal(Block.AREA)) == (Decision.TELEPORT, [1, 2])
    table.answer(Block.AREA, 2)
    assert hero.area == 2


def test_r7_46_a_teleport_token_is_a_step_of_a_move():
    token = {"teleport": {"colour": "blue"}}
    table = Table("a-b-c", areas={"a": token, "c": token})
    hero = table.hero()
    table.enemy("b")
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.step(Block.TURN, Turn.MOVE_FREE)
    assert table.legal(Block.PORTAL) == [2]
    table.step(Block.PORTAL, 2)
    assert (hero.area, table.states["move"]["points"][0]) == (2, 1)


def test_r7_46_an_inactive_token_leads_nowhere():
    blue = {"colour": "blue", "active": False}
    table = Table("a-b", areas={"a": {"teleport": blue}, "b": {"teleport": {"colour": "blue"}}})
    hero = table.hero()
    table.perform(Verb.WALK, hero, 1)
    assert table.denials(Block.PORTAL)[1] == Denial.NO_TELEPORT_TOKEN


def test_r7_42_a_teleporter_in_a_full_area_is_put_back():
    table = Table("a-b", areas={"b": {"capacity": 1}})
    hero, beast = table.hero(), table.enemy("b")
    in_turn(table, hero, BLINK)
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.AREA, 1)
    assert (hero.area, beast.area) == (1, 1)
    table.answer(Block.TURN, Turn.END_TURN)
    assert hero.area == 0
