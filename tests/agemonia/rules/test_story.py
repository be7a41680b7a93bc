"""R19.11, R6.14, R18.3 [Q56, P12, P13]: story points and sections, and their effects."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial, Event, Op, When
from tests.agemonia.rules.table import IDLE, Table

ADVANCE = (Op.ADVANCE, 1, -1, -1)
HURT = (Op.HARM, 1, -1, -1)


def walk(table, ally, *areas):
    """The Ally walks this way and stops."""
    table.perform(Verb.WALK, ally, len(areas))
    for area in areas:
        table.answer(Block.AREA, table.area(area))


def read(table):
    """(figure, section, area) of the sections read by the last verb."""
    return [row[1:] for row in table.log(Event.STORY)]


def own_turn(table, hero):
    """The Hero is at its turn."""
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.asks == (Decision.TURN, hero.slot)


# ---- on entry -------------------------------------------------------------------------------
def test_r6_14_a_section_is_read_once_by_the_first_to_enter():
    table = Table("a-b-c")
    hero, other = table.hero("a"), table.companion("a")
    k = table.section("b", ADVANCE)
    walk(table, hero, "b", "a")
    assert (read(table), table.read) == ([(hero.slot, k, 1)], 1 << k)
    walk(table, other, "b")
    assert (read(table), table.progress) == ([], 1)


def test_q56_a_section_that_repeats_is_read_at_every_entry():
    table = Table("a-b")
    hero = table.hero("a")
    table.section("b", ADVANCE, repeats=True)
    walk(table, hero, "b", "a", "b")
    assert table.progress == 2


def test_r7_53_a_pushed_figure_sets_the_section_off_before_the_trap():
    table = Table("a-b-c")
    table.states["trap"][0, 2] = 1
    hero = table.hero("b", disk=6)
    table.section("c", HURT)
    table.perform(Verb.PUSH, 0, 1, -1, 0, 1, hero)
    assert table.asks == (Decision.DISARM, hero.slot)
    assert hero.wounds == 1


def test_q56_enemies_set_off_only_what_is_open_to_any():
    table = Table("a-b", areas={"b": {"capacity": 3}})
    beast = table.enemy("a")
    hero = table.hero("b", disk=6)
    table.section("b", HURT, ADVANCE, check={"ability": "might", "number": 9})
    table.perform(Verb.PUSH, 0, 1, -1, 0, 1, beast)
    assert (read(table), table.progress) == ([], 0)
    table.content["story_by_any"][1] = 1
    table.perform(Verb.PUSH, 1, 1, -1, 0, 1, beast)
    assert beast.area == 0
    table.perform(Verb.PUSH, 0, 1, -1, 0, 1, beast)
    # it makes no check, and the section affects every Hero
    assert ([row[0] for row in read(table)], table.progress, hero.wounds) == ([int(beast)], 1, 1)


def test_nobody_appears_in_a_section_by_joining_the_table_there():
    table = Table("a-b")
    hero, guide = table.hero("a"), table.companion("b", health=4)
    guide.record["area"] = -1
    table.section("b", ADVANCE)
    table.section("a", (Op.JOIN, 1, guide.slot, 1), repeats=True)
    walk(table, hero, "b", "a")
    assert (guide.area, table.progress) == (1, 1)


# ---- on sight -------------------------------------------------------------------------------
def test_r19_11_a_section_on_sight_is_read_as_soon_as_an_ally_is_in_range():
    table = Table("a-b-c-d")
    hero = table.hero("a")
    k = table.section("d", ADVANCE, trigger="sight", range=1)
    walk(table, hero, "b")
    assert read(table) == []
    walk(table, hero, "c", "d", "c")
    assert (read(table), table.progress) == ([(hero.slot, k, 3)], 1)


def test_r19_11_sight_is_needed_and_without_a_range_nothing_else():
    table = Table("a-b-c-d", borders=[("b", "c", "barrier"), ("a", "d", "barrier")])
    hero = table.hero("a")
    table.section("b", ADVANCE, trigger="sight", range=0)
    table.section("d", ADVANCE, ADVANCE, trigger="sight")
    walk(table, hero, "b")
    assert (table.progress, table.read) == (1, 1)
    scout = table.companion("c")
    table.perform(Verb.RECOUNT)
    table.perform(Verb.WALK, scout, 1)
    table.answer(Block.AREA, 3)
    assert (table.progress, table.read) == (3, 3)  # R18.3


def test_several_sections_that_come_due_at_once_are_all_read():
    table = Table("a-b-c")
    hero = table.hero("a", disk=8)
    entered = table.section("b", HURT, HURT)
    seen = [table.section("c", HURT, trigger="sight", range=1) for _ in range(2)]
    walk(table, hero, "b")
    assert [row[1] for row in read(table)] == [entered, *seen]
    assert hero.wounds == 4


def test_r19_11_what_is_in_sight_from_the_start_is_read_before_the_first_round():
    table = Table("a-b")
    table.hero("a")
    table.enemy("b", actions=IDLE)
    table.section("b", ADVANCE, trigger="sight")
    table.section("a", ADVANCE)  # nobody has entered
    table.begin()
    assert (table.progress, table.read, table.round) == (1, 1, 1)


def test_r18_3_an_ally_that_joins_may_come_upon_a_section():
    table = Table("a-b-c", borders=[("b", "c", "barrier")])
    hero, guide = table.hero("a"), table.companion("c", health=4)
    guide.record["area"] = -1
    hidden = table.section("c", ADVANCE, trigger="sight", range=0)
    table.section("b", (Op.JOIN, 1, guide.slot, 2), HURT)
    walk(table, hero, "b")
    assert (hero.wounds, table.progress) == (1, 1)
    assert read(table)[-1] == (guide.slot, hidden, 2)


# ---- by choice ------------------------------------------------------------------------------
def test_r19_11_a_hero_uses_a_section_within_its_range_in_its_turn():
    table = Table("a-b-c")
    hero = table.hero("a")
    far = table.section("c", ADVANCE, trigger="choice", range=1)
    own_turn(table, hero)
    assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.OUT_OF_RANGE
    near = table.section("b", ADVANCE, trigger="choice", range=1)
    table.answer(Block.TURN, Turn.READ_STORY)
    assert table.asks == (Decision.STORY, hero.slot)
    assert table.legal() == [(Block.STORY, near)]
    assert table.denial(Block.STORY, far) == Denial.OUT_OF_RANGE
    table.answer(Block.STORY, near)
    assert (table.progress, table.read, table.maneuvers) == (1, 1 << near, 1)
    assert table.asks == (Decision.TURN, hero.slot)
    assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.READ_ALREADY


def test_r19_11_no_use_without_sight():
    table = Table("a-b", borders=[("a", "b", "barrier")])
    hero = table.hero("a")
    table.section("b", ADVANCE, trigger="choice")
    own_turn(table, hero)
    assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.NO_SIGHT


def test_without_sections_to_choose_there_is_nothing_to_use():
    table = Table("a-b")
    hero = table.hero("a")
    table.section("b", ADVANCE)
    own_turn(table, hero)
    assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.NO_SUCH_ACTION


def test_r18_3_non_hero_allies_do_not_use_sections():
    table = Table()
    guide = table.companion()
    table.section("a", ADVANCE, trigger="choice", range=0)
    own_turn(table, guide)
    assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.NOT_A_HERO


def test_r6_4_a_section_may_cost_a_maneuver():
    table = Table()
    hero = table.hero()
    for _ in range(2):
        table.section("a", ADVANCE, trigger="choice", range=0, maneuver=True)
    own_turn(table, hero)
    table.answer(Block.TURN, Turn.READ_STORY)
    table.answer(Block.STORY, 1)
    assert (table.progress, table.maneuvers) == (1, 0)
    assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.READ_ALREADY
    table.states["read"] = 0
    table.states["used_now"] = 0
    assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.NO_MANEUVER_LEFT


def test_p12_a_section_that_repeats_is_used_once_a_turn():
    table = Table()
    hero = table.hero()
    table.section("a", ADVANCE, trigger="choice", range=0, repeats=True)
    for turn in range(2):
        own_turn(table, hero)
        table.answer(Block.TURN, Turn.READ_STORY)
        table.answer(Block.STORY, 0)
        assert table.progress == turn + 1
        assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.READ_ALREADY
        table.answer(Block.TURN, Turn.END_TURN)
        table.perform(Verb.NEXT_ROUND)


# ---- checks ---------------------------------------------------------------------------------
@pytest.mark.parametrize(("face", "progress", "wounds"), [(2, 1, 0), (0, 0, 1)])
def test_r19_11_a_section_may_ask_for_a_check_first(face, progress, wounds):
    table = Table("a-b")
    hero = table.hero("a", disk=6, might=1)
    k = table.section("b", ADVANCE, failed=[HURT], check={"ability": "might", "number": 2})
    table.dice(face or 1)
    walk(table, hero, "b")
    assert (table.progress, hero.wounds) == (progress, wounds)
    assert table.read == 1 << k  # on entry it is read either way


def test_r3_10_the_player_picks_among_the_abilities_of_the_check():
    table = Table("a-b")
    hero = table.hero("a", might=1, will=2)
    abilities = ["might", "will"]
    table.section("b", ADVANCE, check={"ability": abilities, "number": 4})
    table.dice(2, 2)
    walk(table, hero, "b")
    assert table.asks == (Decision.ABILITY, hero.slot)
    table.answer(Block.ABILITY, 2)
    assert table.progress == 1


def test_p13_a_section_that_is_used_may_be_tried_again_after_a_failure():
    table = Table()
    hero = table.hero(disk=8, might=1)
    check = {"ability": "might", "number": 2}
    table.section("a", ADVANCE, failed=[HURT], trigger="choice", range=0, check=check)
    table.event(When.STORY, ADVANCE, subject=0)
    for face, progress, wounds in [(1, 0, 1), (2, 1, 1)]:
        own_turn(table, hero)
        table.dice(face)
        table.answer(Block.TURN, Turn.READ_STORY)
        table.answer(Block.STORY, 0)
        assert (table.progress, hero.wounds) == (progress, wounds)
        assert (table.read, table.event_due) == (progress, progress)
        assert table.denial(Block.TURN, Turn.READ_STORY) == Denial.READ_ALREADY
        table.answer(Block.TURN, Turn.END_TURN)
        table.perform(Verb.NEXT_ROUND)


def test_a_section_waits_for_the_locks_of_those_it_harms():
    table = Table("a-b")
    locks = [{"name": name, "need": 1} for name in ("shell", "roots")]
    hero = table.hero("a", disk=1, locks=locks)
    table.section("b", (Op.HARM, 2, -1, -1), (Op.AFFECT, 1, Condition.HELD, -1), ADVANCE)
    walk(table, hero, "b")
    assert table.asks == (Decision.FLIP_LOCK, hero.slot)
    assert table.progress == 0
    table.answer(Block.LOCK, 1)
    assert (hero.lock_chips[:2], hero.wounds) == ([1, 0], 2)
    assert (table.progress, hero.holds(Condition.HELD)) == (1, True)


# ---- events ---------------------------------------------------------------------------------
def test_p14_the_event_of_a_section_comes_at_the_end_of_the_round():
    table = Table("a-b")
    table.hero("a")
    table.enemy("b", kind="hound", actions=IDLE)
    table.section("b", trigger="sight")
    later = table.section("b", ADVANCE, trigger="choice", range=1)
    table.event(When.STORY, (Op.ADVANCE, 5, -1, -1), subject=later)
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.step(Block.TURN, Turn.READ_STORY)  # the only section: it is taken by itself
    assert (table.progress, table.event_due) == (1, 1)
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.progress, table.event_due, table.round) == (6, 0, 2)


def test_p7_an_event_that_comes_due_meanwhile_waits_for_the_one_played_out():
    table = Table("a-b-c", borders=[("b", "c", "barrier")])
    table.hero("a")
    guide = table.companion("c", health=4)
    table.content["sheet"]["waiting"][guide.slot] = 1
    table.enemy("b", actions=IDLE)
    section = table.section("c", trigger="sight", range=0)
    table.event(When.STORY, (Op.ADVANCE, 10, -1, -1), subject=section)
    table.event(When.ROUND, (Op.JOIN, 1, guide.slot, 2), ADVANCE, ADVANCE, number=1)
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.round, table.progress, guide.area) == (2, 12, 2)
