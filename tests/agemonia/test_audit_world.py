"""Events in the middle of others: the interrupted ones continue, and nothing is lost."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import N_ENEMIES
from agemonia_env.rulesets.agemonia.core.terms import (
    Condition,
    Decision,
    Ending,
    Event,
    Eye,
    Objective,
    Op,
    Will,
)
from tests.agemonia.rules.table import BITE, Table, card

ROOM = {"capacity": 9}
IDLE = card(0, None)


def enemy_turn(table, enemy, horns=0, snake=0):
    return table.perform(Verb.ENEMY_TURN, enemy.slot, Eye.OPEN, horns, snake)


def set_trap(table, at, **sheet):
    """A trap token, and the only Trap card."""
    table.states["trap"][0, table.area(at)] = 1
    table.builder.add_trap(schema.TrapCard.model_validate(sheet))


def own_turn(table, hero):
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.asks == (Decision.TURN, hero.slot)


def happened(table, *events):
    return [row[0] for row in table.log(*events)]


# ---- traps ------------------------------------------------------------------------------------
@pytest.mark.parametrize("slots", [N_ENEMIES, 3])
def test_q45_a_trap_spares_figures_that_it_spawns(slots):
    table = Table("a-b", areas={"b": ROOM})
    set_trap(table, "b", damage=1)
    hero = table.hero("a", blue=9)
    gone = table.enemy("a", kind="rat", **IDLE)
    spawn = {"spawn": {"type": "rat"}}
    table.enemy("b", **IDLE | {"health": 1, "defeat": spawn})
    table.enemy("b", kind="rat")
    gone.record["area"], gone.record["health"] = -1, 0
    table.states["enemy"]["type"][0, slots:] = 0  # used up, so that the first slot is taken again
    table.perform(Verb.WALK, hero, 1)
    table.answer(Block.AREA, 1)
    table.answer(Block.NO)
    standing = table.states["enemy"][0][table.states["enemy"]["area"][0] >= 0]
    assert sorted(standing["health"].tolist()) == [4, 5]


def test_q47_death_in_a_trap_during_a_push_counts_at_the_end_of_the_attack():
    table = Table("a-b", areas={"b": ROOM})
    set_trap(table, "b", damage=3)
    attack = {"attack": {"type": "melee", "dice": 1, "push": 1}}
    hero = table.hero("a", blue=9, actions=[{"effects": [attack]}])
    burst = {"burst": {"damage": 1, "range": 1}}
    beast = table.enemy("a", **IDLE | {"health": 4, "revenge": True, "defeat": burst})
    other = table.enemy("b", **IDLE | {"health": 3})
    table.dice(2)
    table.perform(Verb.ATTACK, hero, int(table.content["sheet"]["token"][hero.slot, 2]), 0)
    assert (beast.area, other.area) == (0, 1)
    table.answer(Block.ENEMY, beast)
    assert (beast.area, other.area) == (-1, -1)
    order = happened(table, Event.TRAP_CARD, Event.DAMAGE, Event.DEFEAT)
    assert order == [
        Event.DAMAGE,
        Event.TRAP_CARD,
        Event.DAMAGE,
        Event.DAMAGE,
        Event.DAMAGE,  # Revenge
        Event.DEFEAT,
        Event.DEFEAT,
        Event.DAMAGE,  # the box
    ]
    assert hero.wounds == 3


# ---- an Enemy's turn --------------------------------------------------------------------------
@pytest.mark.parametrize("will", [Will.CARD, Will.FREE])
def test_r10_19b_held_takes_the_whole_move_so_slowed_stays(will):
    table = Table("a-b-c")
    table.content["enemy_will"] = will
    table.hero("a", might=0)
    beast = table.enemy("c", conditions=[Condition.HELD, Condition.SLOWED], **card())
    enemy_turn(table, beast)
    assert beast.area == 2
    assert (beast.holds(Condition.HELD), beast.holds(Condition.SLOWED)) == (False, True)


def test_r10_17_an_area_that_fills_up_with_allies_while_an_enemy_walks_blocks_its_way():
    table = Table("a-b-c-d", areas={"b": {"capacity": 1}})
    hero, guide = table.hero("a", might=0), table.companion("b", health=4, might=0)
    guide.record["area"] = -1
    beast = table.enemy("d", **card(move=3, attack=BITE | {"range": 0}))
    table.section("c", (Op.JOIN, 1, guide.slot, 1))
    table.content["story_by_any"][2] = 1
    enemy_turn(table, beast)
    assert (beast.area, guide.area, hero.wounds) == (2, 1, 0)


def test_r10_16_a_move_cannot_end_in_an_area_that_filled_up_meanwhile():
    table = Table("a-b-c-d", areas={"a": {"capacity": 2}})
    hero = table.hero("a", blue=9, might=0)
    rat = table.kind("rat", **IDLE)
    beast = table.enemy("d", **card(move=3, attack=BITE | {"range": 0}))
    table.section("c", (Op.REINFORCE, 1, rat, 0))
    table.content["story_by_any"][2] = 1
    enemy_turn(table, beast)
    assert (beast.area, hero.wounds, table.used[:3]) == (1, 0, [2, 1, 0])


def test_r10_44_a_figure_spawned_at_set_up_acts_in_round_1():
    table = Table("a-b")
    hero = table.hero("a", might=0, blue=20)
    table.section("b", (Op.REINFORCE, 1, table.kind("rat", **card()), 1), trigger="sight")
    table.begin()
    while table.round == 1:
        turn = table.asks[0] == Decision.TURN
        table.step(*(Block.TURN, Turn.END_TURN) if turn else table.legal()[0])
    assert hero.wounds > 0


# ---- an attack of an Enemy --------------------------------------------------------------------
def test_checks_in_the_push_of_an_attack_leave_the_attack_as_it_was():
    """Fall, section and trap ask for checks; Drain and Riposte follow (R10.39, R11.13)."""
    table = Table("a-b", areas={"a": {"level": 1}}, borders=[("a", "b", "double")])
    set_trap(table, "b", damage=1, check={"ability": "will", "number": 9})
    riposte = {"amount": 1, "when": "damaged"}
    hero = table.hero(
        "a", blue=20, might=1, agility=1, will=1, locks=[{"need": 1, "riposte": riposte}]
    )
    hurt = (Op.HARM, 2, -1, -1)
    table.section("b", failed=[hurt], check={"ability": "will", "number": 9})
    beast = table.enemy("a", left=3, **card(attack=BITE | {"push": 1, "drain": True}))
    table.reaction_dice(1, 1)  # the attack: 2 get through; the fall: 3
    table.dice(0, 0, 0)
    enemy_turn(table, beast)
    assert (hero.area, table.asks[0]) == (1, Decision.DISARM)
    table.answer(Block.YES)
    assert hero.wounds == 2 + 3 + 2 + 1
    assert beast.health == 3 + 2 - 1


def test_a_trap_in_the_push_of_an_attack_may_take_its_next_target():
    table = Table("a-b", areas={"b": ROOM})
    set_trap(table, "b", damage=9)
    first = table.hero("a", blue=20, might=0, taunt=2)
    second = table.companion("b", health=3, might=0)
    attack = {"type": "ranged", "value": 2, "range": 1, "target": 2, "push": 1}
    beast = table.enemy("a", **card(attack=attack))
    enemy_turn(table, beast)
    while table.asks[0] != Decision.NONE:
        choice = Block.ALLY if table.asks[0] == Decision.STRIKE_ORDER else Block.NO
        table.answer(choice, first)
    assert (first.area, first.wounds, second.exhausted) == (1, 1 + 9, 1)
    assert happened(table, Event.TARGET) == [Event.TARGET]


def test_the_escort_lost_in_the_middle_of_an_attack_ends_everything():
    table = Table("a")
    hero, pilot = table.hero("a", blue=9, might=0), table.companion("a", health=1, might=0)
    table.content["objective"], table.content["objective_subject"] = Objective.ESCORT, pilot.slot
    attack = {"type": "magic", "value": 2, "area": 0, "drain": True}
    table.enemy("a", **card(attack=attack, horns={"self": 5}))
    enemy_turn(table, table.enemy("a", **card(attack=attack, horns={"self": 5})), horns=1)
    table.answer(Block.ALLY, pilot)
    assert (table.ending, table.depth, table.asks[0]) == (Ending.ESCORT_LOST, 0, Decision.NONE)
    assert hero.wounds == 0


# ---- an Ally's turn ---------------------------------------------------------------------------
def test_a_move_goes_on_after_section_trap_and_fall_with_the_points_left():
    areas = {"a": {"level": 1}}
    table = Table("a-b-c-d", areas=areas, borders=[("a", "b", "double")])
    set_trap(table, "b", condition="stunned")
    hero = table.hero("a", blue=20, agility=0, will=0, move={"free": 3})
    table.section("b", failed=[(Op.HARM, 1, -1, -1)], check={"ability": "will", "number": 9})
    own_turn(table, hero)
    table.perform(Verb.MOVE, hero, 0)
    table.answer(Block.AREA, 1)
    assert table.asks[0] == Decision.DISARM
    table.answer(Block.NO)
    # Slowed by the fall; Stunned has taken the action (Q57), and the move begun is finished
    assert (table.asks[0], table.states["move"]["points"][0]) == (Decision.STEP, 2)
    assert (table.actions, hero.holds(Condition.SLOWED)) == (0, True)
    table.answer(Block.AREA, 2)
    table.answer(Block.AREA, 3)
    assert (hero.area, table.asks[0]) == (3, Decision.TURN)


def test_a_hero_exhausted_by_a_defeat_box_makes_no_further_attack():
    table = Table("a")
    attack = {"attack": {"type": "melee", "dice": 1}}
    hero = table.hero("a", disk=1, wounds=2, wounded=1, actions=[{"effects": [attack, attack]}])
    table.hero("a", blue=5)
    burst = {"burst": {"damage": 4, "range": 0}}
    first = table.enemy("a", **IDLE | {"health": 1, "defeat": burst})
    second = table.enemy("a", **IDLE)
    own_turn(table, hero)
    hero.record["token"] = 2
    table.dice(1)
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.ENEMY, first)
    assert (hero.exhausted, second.health, table.active_ally) == (1, 5, -1)
    assert happened(table, Event.ATTACK) == [Event.ATTACK]


def test_the_last_hero_exhausted_by_a_defeat_box_ends_in_failure():
    table = Table("a")
    attack = {"attack": {"type": "melee", "dice": 1}}
    hero = table.hero("a", disk=1, wounds=2, wounded=1, actions=[{"effects": [attack]}])
    burst = {"burst": {"damage": 4, "range": 0, "condition": "slowed"}}
    beast = table.enemy("a", **IDLE | {"health": 1, "defeat": burst})
    own_turn(table, hero)
    hero.record["token"] = 2
    table.dice(1)
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.ENEMY, beast)
    assert (table.ending, table.depth) == (Ending.ALL_EXHAUSTED, 0)


def test_q23_a_hero_that_stands_up_in_a_full_area_stays_until_its_own_next_turn_ends():
    table = Table("a-b", areas={"b": {"capacity": 1}})
    lying, other = table.hero("b", blue=5), table.hero("b", blue=5)
    lying.record["exhausted"], lying.record["retreat"] = 1, 0
    lying.record["disk"], lying.record["wounds"] = 0, 5
    table.perform(Verb.REMOVE_EXHAUSTED, lying)
    assert (lying.area, table.used[1]) == (1, 2)
    table.perform(Verb.NEXT_ROUND)
    own_turn(table, lying)
    table.answer(Block.TURN, Turn.END_TURN)
    assert (lying.area, other.area, table.used[:2]) == (0, 1, [1, 1])


def test_r7_42_ending_a_turn_in_a_full_area_after_a_teleport_puts_back():
    table = Table("a-b", areas={"b": {"capacity": 1}})
    hero = table.hero("a", blue=5, actions=[{"effects": [{"teleport": {"range": 1}}]}])
    beast = table.enemy("b", **IDLE)
    own_turn(table, hero)
    hero.record["token"] = 2
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.AREA, 1)
    assert (hero.area, table.used[1]) == (1, 2)
    table.answer(Block.TURN, Turn.END_TURN)
    assert (hero.area, beast.area, table.used[:2]) == (0, 1, [1, 1])


@pytest.mark.parametrize(("disk", "end"), [(1, 1), (0, 0)])
def test_r14_8_a_hero_that_loses_flight_to_provoke_does_not_cross_a_double_line(disk, end):
    table = Table("a-b-c", areas={"b": {"level": 1}}, borders=[("a", "b", "double")])
    hero = table.hero("a", disk=disk, locks=[{"need": 1, "fly": True}])
    table.enemy("a", **IDLE | {"provoke": 1})
    table.perform(Verb.WALK, hero, 1)
    table.answer(Block.AREA, 1)
    assert (hero.area, hero.wounds, table.asks[0]) == (end, 1, Decision.NONE)


def test_r7_8_a_figure_stuck_in_a_full_area_is_put_back():
    table = Table("a-b-c", areas={"b": {"capacity": 1}, "c": {"capacity": 1}})
    hero = table.hero("a", blue=9, move={"free": 2})
    table.hero("b")
    table.section("b", (Op.REINFORCE, 1, table.kind("rat", **IDLE), 2))
    own_turn(table, hero)
    table.perform(Verb.MOVE, hero, 0)
    table.answer(Block.AREA, 1)
    assert table.legal() == [(Block.DONE, 0), (Block.AREA, 0)]  # Q46: it has its action left
    table.answer(Block.DONE)
    table.answer(Block.TURN, Turn.END_TURN)
    assert (hero.area, table.used[:3]) == (0, [1, 1, 1])


@pytest.mark.parametrize(("end", "held"), [(0, True), (3, False)])
def test_p40_a_free_teleport_keeps_held_and_staying_loses_it(end, held):
    table = Table("a-b-c-d")
    table.content["enemy_will"] = Will.FREE
    table.hero("a", might=0)
    conditions = [Condition.HELD, Condition.SLOWED]
    beast = table.enemy("d", conditions=conditions, **card(snake={"teleport": 3}))
    enemy_turn(table, beast, snake=1)
    assert table.legal() == [(Block.AREA, area) for area in range(4)]
    table.answer(Block.AREA, end)
    assert (beast.area, beast.holds(Condition.HELD)) == (end, held)
    assert beast.holds(Condition.SLOWED)
