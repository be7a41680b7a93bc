"""Effects of scenario events and story sections, op by op (terms.Op 60 to 75)."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS, N_GROUND
from agemonia_env.rulesets.agemonia.core.terms import Condition, Ending, Op, When
from tests.agemonia.rules.table import IDLE, Figure, Table


def set_off(table, hero, *rows):
    """The Hero walks into area b, whose section has these rows (op, amount, a, b)."""
    table.section("b", *rows)
    table.perform(Verb.WALK, hero, 1)
    table.answer(Block.AREA, 1)


def round_over(table, *rows):
    """One round of a game at whose end an event has these rows."""
    table.event(When.ROUND, *rows, number=1)
    table.begin()
    while table.round == 1 and table.ending == Ending.NONE:
        block, index = table.legal()[0]
        if (Block.TURN, Turn.END_TURN) in table.legal():
            block, index = Block.TURN, Turn.END_TURN
        elif (Block.TOKEN, FOCUS) in table.legal():
            block, index = Block.TOKEN, FOCUS
        table.step(block, index)


def pair(**sheet):
    """A table with two Heroes in a, before area b."""
    table = Table("a-b-c", areas={"a": {"capacity": 3}})
    return table, table.hero("a", **sheet), table.hero("a", **sheet)


@pytest.mark.parametrize(("op", "n"), [(Op.REINFORCE, 1), (Op.REINFORCE_PER_HERO, 2)])
def test_reinforcements_of_a_section_arrive_at_once_and_wait_a_round(op, n):
    table, hero, _ = pair()
    row = table.kind("hound", supply=4)
    set_off(table, hero, (op, 1, row, 2))
    arrived = [e for e in table.states["enemy"][0] if e["spawned"]]
    assert len(arrived) == n
    assert table.enemies_in[2] >= 1


@pytest.mark.parametrize(
    ("op", "end", "won"), [(Op.FAIL, Ending.EVENT, 0), (Op.SUCCEED, Ending.OBJECTIVE, 1)]
)
def test_a_section_may_end_the_scenario_and_nothing_follows(op, end, won):
    table, hero, _ = pair()
    set_off(table, hero, (op, 1, -1, -1), (Op.ADVANCE, 1, -1, -1))
    assert (table.ending, table.won, table.progress) == (end, won, 0)


def test_traps_items_and_teleport_tokens_of_the_map():
    table, hero, _ = pair()
    bell = table.builder.add_item("bell")
    table.states["token_colour"][0, 2] = 0
    rows = [(Op.TRAP, 1, -1, 2), (Op.ITEM, 1, bell, 2), (Op.ACTIVATE, 1, -1, 2)]
    set_off(table, hero, *rows)
    assert (table.trap[2], table.token_active[2]) == (1, 1)
    assert table.item[2] == [bell] + [-1] * (N_GROUND - 1)
    table.section("c", (Op.ACTIVATE, 0, -1, 2))
    table.perform(Verb.WALK, hero, 1)
    table.states["trap"][0, 2] = 0
    table.answer(Block.AREA, 2)
    assert table.token_active[2] == 0


def test_r19_1_and_r19_4_sections_start_and_stop_timers():
    table, hero, _ = pair()
    for value in (1, 2):
        table.builder.add_fate(value)
    set_off(table, hero, (Op.START_TIMER, 7, -1, -1))
    table.states["fate"][0, :2], table.states["n_fate"] = (1, 2), 2
    table.perform(Verb.FATE)
    assert (table.timer_target, table.n_timer) == (7, 1)
    table.section("c", (Op.STOP_TIMER, 1, -1, -1))
    table.perform(Verb.WALK, hero, 1)
    table.answer(Block.AREA, 2)
    assert (table.timer_target, table.n_timer, table.n_fate_discard) == (0, 0, 1)


def test_r16_4_gems_go_to_every_standing_hero():
    table, hero, other = pair()
    down = table.hero("c", exhausted=1)
    guide = table.companion("a")
    set_off(table, hero, (Op.GIVE_GEM, 2, -1, -1))
    assert [ally.achievement for ally in (hero, other, down, guide)] == [2, 2, 0, 0]


def test_r2_13_a_section_affects_the_ally_that_set_it_off():
    shell = {"name": "shell", "need": 0, "reactive": {"might": 9, "agility": 9, "will": 9}}
    table, hero, other = pair(disk=6, spent=1, wounds=2, locks=[shell])
    rows = [(Op.HARM, 3, -1, -1), (Op.CURE, 1, -1, -1), (Op.AFFECT, 1, Condition.SLOWED, -1)]
    set_off(table, hero, *rows)
    assert (hero.disk, hero.wounds, hero.holds(Condition.SLOWED)) == (4, 4, True)
    assert (other.disk, other.wounds, other.conditions) == (6, 2, 0)


def test_r18_2_a_non_hero_ally_loses_health():
    table = Table("a-b")
    guide = table.companion("a", health=5)
    set_off(table, guide, (Op.HARM, 3, -1, -1), (Op.CURE, 1, -1, -1))
    assert guide.health == 3


def test_an_event_has_nobody_to_name_and_meets_every_standing_hero():
    table, hero, other = pair(blue=8)
    table.companion("c", health=5)
    guide = Figure(table, "ally", 2)
    table.enemy("b", actions=IDLE)
    rows = [(Op.HARM, 2, -1, -1), (Op.AFFECT, 1, Condition.BLESSED, -1), (Op.CURE, 1, -1, -1)]
    round_over(table, *rows)
    for ally in (hero, other):
        assert (ally.wounds, ally.holds(Condition.BLESSED)) == (1, True)
    assert (guide.health, guide.conditions) == (5, 0)


def test_r18_1_an_ally_joins_next_to_a_full_area_and_acts_from_the_next_round_on():
    table = Table("a-b-c", areas={"c": {"capacity": 1}})
    table.hero("a")
    guide = table.companion("c", health=4)
    table.content["sheet"]["waiting"][guide.slot] = 1
    table.enemy("c", actions=IDLE)
    round_over(table, (Op.JOIN, 1, guide.slot, 2), (Op.JOIN, 1, guide.slot, 0))
    assert (guide.area, guide.health, guide.acted) == (1, 4, 0)


def test_r13_8_an_exhausted_ally_does_not_join_again():
    table, hero, _ = pair()
    guide = table.companion("c", health=4)
    table.perform(Verb.DAMAGE, guide, 9)
    set_off(table, hero, (Op.JOIN, 1, guide.slot, 2))
    assert (guide.area, guide.exhausted) == (-1, 1)


def test_r2_8_every_standing_enemy_of_a_type_is_healed():
    table, hero, _ = pair()
    hounds = [table.enemy("c", kind="hound", health=9, left=left) for left in (4, 8)]
    boar = table.enemy("c", kind="boar", health=9, left=4)
    set_off(table, hero, (Op.FORTIFY, 3, 0, -1))
    assert [enemy.health for enemy in (*hounds, boar)] == [7, 9, 4]


def test_r12_19_discarding_all_takes_the_good_conditions_too():
    table = Table()
    held = [Condition.BLESSED, Condition.SLOWED]
    hero = table.hero(conditions=held, token=2, actions=[{"effects": [{"discard_all": {}}]}])
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.step(Block.TURN, Turn.ACT)
    assert hero.conditions == 0
