"""R19.12, R19.13: objectives, the last round, and scenario events, in whole small scenarios."""

import pytest

from agemonia_env.agemonia.actions import Block, Turn
from agemonia_env.agemonia.layout import FOCUS
from agemonia_env.agemonia.terms import Decision, Denial, Ending, Objective, Op, When
from agemonia_env.agemonia.verbs import Verb
from tests.agemonia.rules.table import Table

IDLE = {eye: {} for eye in ("staring", "open", "closed")}


def idle_scenario(heroes=1, hounds=1, areas="a-b-c"):
    """Heroes in the first area, hounds that never stir in the last one."""
    table = Table(areas, areas={areas[-1]: {"capacity": 20}})
    for _ in range(heroes):
        table.hero()
    table.kind("hound", actions=IDLE, health=4, supply=16)
    for _ in range(hounds):
        table.enemy(areas[-1], kind="hound")
    return table


def play_rounds(table, n):
    """n rounds in which nobody does anything."""
    for _ in range(n):
        now = table.round
        while table.ending == Ending.NONE and table.round == now:
            decision, _ = table.asks
            if decision == Decision.SELECT_ACTION:
                table.step(Block.TOKEN, FOCUS)
            elif decision == Decision.TURN:
                table.step(Block.TURN, Turn.END_TURN)
            else:
                table.step(*table.legal()[0])


def end_of(table):
    return Ending(table.ending), bool(table.won)


def standing(table):
    return int(sum(e["type"] >= 0 and e["area"] >= 0 for e in table.states["enemy"][0]))


# ---- objectives -----------------------------------------------------------------------------
def test_r19_12_defeat_all():
    table = idle_scenario(hounds=2)
    table.builder.set_objective(Objective.DEFEAT_ALL)
    table.begin()
    play_rounds(table, 1)
    table.step(Block.TOKEN, FOCUS)
    for enemy in range(2):
        assert table.ending == Ending.NONE
        table.perform(Verb.DEFEAT, enemy)
    assert end_of(table) == (Ending.OBJECTIVE, True)
    assert table.step(Block.TURN, Turn.END_TURN) == Denial.SCENARIO_ENDED


def test_r19_12_defeat_all_waits_for_reinforcements_that_are_due():
    table = idle_scenario()
    table.builder.set_objective(Objective.DEFEAT_ALL)
    table.event(When.ROUND, (Op.REINFORCE, 1, 0, 2), number=2)
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.perform(Verb.DEFEAT, 0)
    assert table.ending == Ending.NONE
    play_rounds(table, 2)
    assert (table.ending, standing(table), table.round) == (Ending.NONE, 1, 3)
    table.step(Block.TOKEN, FOCUS)
    enemies = table.states["enemy"][0]
    table.perform(Verb.DEFEAT, next(e for e in range(2) if enemies[e]["area"] >= 0))
    assert end_of(table) == (Ending.OBJECTIVE, True)


def test_r19_12_defeat_type_counts_figures_of_that_type_only():
    table = idle_scenario(hounds=3)
    other = table.enemy("c", actions=IDLE)
    table.builder.set_objective(Objective.DEFEAT_TYPE, subject=0, number=2)
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.perform(Verb.DEFEAT, other.slot)
    table.perform(Verb.DEFEAT, 0)
    assert table.ending == Ending.NONE
    table.perform(Verb.DEFEAT, 1)
    assert end_of(table) == (Ending.OBJECTIVE, True)


def test_r19_12_hold_until_the_end_of_the_round():
    table = idle_scenario()
    table.builder.set_objective(Objective.HOLD, number=3)
    table.content["last_round"] = 3  # the objective is looked at first
    table.begin()
    play_rounds(table, 2)
    assert (table.ending, table.round) == (Ending.NONE, 3)
    play_rounds(table, 1)
    assert end_of(table) == (Ending.OBJECTIVE, True)


def test_r19_12_reach_needs_every_standing_hero_in_a_goal():
    table = idle_scenario(heroes=3, areas="a-b-c-d")
    table.builder.set_objective(Objective.REACH, goal=1 << 1 | 1 << 2)
    table.begin()
    for _ in range(3):
        table.step(Block.TOKEN, FOCUS)
    table.states["ally"]["exhausted"][0, 2] = 1  # who lies there does not count
    table.perform(Verb.RECOUNT)
    for hero, way in ((0, [1]), (1, [1, 2])):
        assert table.ending == Ending.NONE
        if table.asks[0] == Decision.NEXT_ALLY:
            table.step(Block.ALLY, hero)
        table.step(Block.TURN, Turn.MOVE_FREE)
        for area in way:
            table.step(Block.AREA, area)
        if hero == 0:
            table.step(Block.DONE)
            table.step(Block.TURN, Turn.END_TURN)
    assert end_of(table) == (Ending.OBJECTIVE, True)


def test_r19_13_failure_after_the_last_round():
    table = idle_scenario()
    table.content["last_round"] = 2
    table.begin()
    play_rounds(table, 1)
    assert table.ending == Ending.NONE
    play_rounds(table, 1)
    assert end_of(table) == (Ending.OUT_OF_TIME, False)
    assert table.round == 2


def test_r19_13_all_heroes_exhausted_ends_a_game_in_the_middle_of_a_turn():
    table = Table("a-b")
    table.hero("a", blue=1, might=0)
    attack = {"type": "magic", "value": 9, "range": 3}
    actions = {eye: {"attack": attack} for eye in IDLE}
    for _ in range(3):
        table.enemy("b", kind="hound", actions=actions)
    table.card("eR-O, eB-O, eG-O, hR, hB, hG")
    table.begin()
    table.step(Block.TOKEN, 1)
    assert end_of(table) == (Ending.ALL_EXHAUSTED, False)
    acted = [int(e["acted"]) for e in table.states["enemy"][0][:3]]
    assert acted == [1, 1, 0]  # a wound, then the end: the third one need not act


# ---- events ---------------------------------------------------------------------------------
@pytest.mark.parametrize(("op", "arrive"), [(Op.REINFORCE, 2), (Op.REINFORCE_PER_HERO, 6)])
def test_r19_2_reinforcements_arrive_at_the_end_of_the_round(op, arrive):
    table = idle_scenario(heroes=3)
    table.event(When.ROUND, (op, 2, 0, 2), number=2)
    table.begin()
    play_rounds(table, 1)
    assert standing(table) == 1
    play_rounds(table, 1)
    assert standing(table) == 1 + arrive
    assert table.states["enemy"]["spawned"].sum() == 0  # from now on they act (R10.44)


def test_an_event_may_lay_a_trap():
    table = idle_scenario()
    table.event(When.ROUND, (Op.TRAP, 1, -1, 1), number=1)
    table.begin()
    assert table.trap[1] == 0
    play_rounds(table, 1)
    assert table.trap[1] == 1


@pytest.mark.parametrize(
    ("op", "end"), [(Op.FAIL, (Ending.EVENT, False)), (Op.SUCCEED, (Ending.OBJECTIVE, True))]
)
def test_an_event_may_end_the_scenario(op, end):
    table = idle_scenario()
    table.event(When.ROUND, (op, 1, -1, -1), (Op.TRAP, 1, -1, 1), number=1)
    table.begin()
    play_rounds(table, 1)
    assert end_of(table) == end
    assert table.trap[1] == 0  # nothing more happens


def test_an_event_of_a_defeat_comes_with_that_number_of_figures():
    table = idle_scenario(hounds=4)
    boar = table.kind("boar", actions=IDLE)
    table.event(When.DEFEAT, (Op.REINFORCE, 1, boar, 1), number=2, subject=0)
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.perform(Verb.DEFEAT, 0)
    play_rounds(table, 1)
    assert standing(table) == 3
    table.step(Block.TOKEN, FOCUS)
    table.perform(Verb.DEFEAT, 1)
    play_rounds(table, 1)
    assert standing(table) == 2 + 1
    play_rounds(table, 1)
    assert standing(table) == 3  # once only


def test_r19_1_and_r19_2_the_timer_starts_with_its_round_and_goes_off_once():
    table = idle_scenario()
    for _ in range(9):
        table.builder.add_fate(1)
    table.builder.set_timer(2, 3, False)
    table.event(When.TIMER, (Op.REINFORCE, 1, 0, 1))
    table.begin()
    seen = []
    for _ in range(8):
        play_rounds(table, 1)
        seen.append((table.n_timer, standing(table)))
    # from round 2 on the pile grows; at 3 the event comes, and the timer stops (R19.4)
    assert seen == [(0, 1), (1, 1), (2, 1), (0, 2), (0, 2), (0, 2), (0, 2), (0, 2)]


def test_r19_3_a_timer_that_repeats_keeps_its_newest_card():
    table = idle_scenario()
    for _ in range(12):
        table.builder.add_fate(1)
    table.builder.set_timer(1, 3, True)
    table.event(When.TIMER, (Op.REINFORCE, 1, 0, 1))
    table.begin()
    seen = []
    for _ in range(7):
        play_rounds(table, 1)
        seen.append((table.n_timer, standing(table)))
    # the newest card counts for the new run, so 2 more cards set it off again
    assert seen == [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (2, 3), (1, 4)]


def test_the_card_that_sets_the_timer_off_is_due_in_the_same_round():
    table = idle_scenario()
    for _ in range(3):
        table.builder.add_fate(3)
    table.builder.set_timer(1, 3, False)
    table.event(When.TIMER, (Op.FAIL, 1, -1, -1))
    table.begin()
    play_rounds(table, 1)
    assert end_of(table) == (Ending.EVENT, False)
