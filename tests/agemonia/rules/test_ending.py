"""R19.12, R19.13: objectives, the last round, and scenario events, in whole small scenarios."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Decision, Denial, Ending, Objective, Op, When
from tests.agemonia.rules.table import IDLE, Table


def idle_scenario(heroes=1, hounds=1, areas="a-b-c"):
    """Heroes in the first area, hounds that never move in the last one."""
    table = Table(areas, areas={areas[-1]: {"capacity": 20}})
    for _ in range(heroes):
        table.hero()
    table.kind("hound", actions=IDLE, health=4, supply=16)
    for _ in range(hounds):
        table.enemy(areas[-1], kind="hound")
    return table


def play_rounds(table, n):
    """n rounds in which nobody acts."""
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


def standing_slot(table):
    """The first slot with a standing Enemy."""
    return next(k for k, e in enumerate(table.states["enemy"][0]) if e["area"] >= 0)


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
    table.perform(Verb.DEFEAT, standing_slot(table))
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
    table.content["last_round"] = 3  # the objective is checked first
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
    table.states["ally"]["exhausted"][0, 2] = 1  # exhausted Heroes do not count
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


@pytest.mark.parametrize(("when", "number", "subject"), [(When.DEFEAT, 1, 0), (When.TIMER, 0, -1)])
def test_r19_12_defeat_all_waits_for_events_that_are_sure_to_come(when, number, subject):
    table = idle_scenario()
    table.builder.set_objective(Objective.DEFEAT_ALL)
    table.builder.add_fate(2)
    table.builder.set_timer(1, 2, False)
    table.event(when, (Op.REINFORCE, 1, 0, 2), number=number, subject=subject)
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.perform(Verb.DEFEAT, 0)
    play_rounds(table, 1)
    assert (table.ending, standing(table)) == (Ending.NONE, 1)
    table.step(Block.TOKEN, FOCUS)
    table.perform(Verb.DEFEAT, standing_slot(table))
    assert end_of(table) == (Ending.OBJECTIVE, True)


def test_r19_12_defeat_all_does_not_wait_for_a_timer_that_never_ends():
    table = idle_scenario()
    table.builder.set_objective(Objective.DEFEAT_ALL)
    table.builder.add_fate(1)
    table.builder.set_timer(1, 9, True)
    table.event(When.TIMER, (Op.REINFORCE, 1, 0, 2))
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.perform(Verb.DEFEAT, 0)
    assert end_of(table) == (Ending.OBJECTIVE, True)


def test_r19_12_defeat_all_counts_what_a_defeat_box_brings():
    table = Table("a-b")
    table.hero("a")
    table.kind("leech", actions=IDLE)
    table.enemy("b", kind="sac", actions=IDLE, defeat={"spawn": {"type": "leech"}})
    table.builder.set_objective(Objective.DEFEAT_ALL)
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.perform(Verb.DEFEAT, 0)
    assert (table.ending, standing(table)) == (Ending.NONE, 1)


def test_r19_12_collect_counts_what_standing_heroes_carry():
    table = idle_scenario(heroes=3, areas="a-b-c-d")
    coin, cup = table.builder.add_item("coin"), table.builder.add_item("cup")
    for slot, items in enumerate([(coin, cup), (cup, coin), (coin,)]):
        table.content["sheet"]["item"][slot, : len(items)] = items
    table.builder.set_objective(Objective.COLLECT, subject=coin, number=3)
    table.begin()
    carry(table, [(coin, cup), (cup, coin), (coin,)])
    table.states["ally"]["exhausted"][0, 2] = 1
    table.perform(Verb.RECOUNT)
    for _ in range(2):
        table.step(Block.TOKEN, FOCUS)
    table.step(*table.legal()[0])
    assert table.ending == Ending.NONE
    table.states["ally"]["item"][0, 1, 5] = coin
    table.step(Block.TURN, Turn.RECOVER_STAMINA)
    assert end_of(table) == (Ending.OBJECTIVE, True)


def carry(table, items):
    """Replace the Heroes' items by these."""
    table.states["ally"]["item"][0] = -1
    for slot, row in enumerate(items):
        table.states["ally"]["item"][0, slot, : len(row)] = row


def test_r19_12_collect_may_ask_to_bring_the_items_to_a_goal():
    table = idle_scenario(areas="a-b-c")
    coin = table.builder.add_item("coin")
    table.builder.set_objective(Objective.COLLECT, subject=coin, number=1, goal=1 << 1)
    table.begin()
    carry(table, [(coin,)])
    table.step(Block.TOKEN, FOCUS)
    table.step(Block.TURN, Turn.RETHINK_RESTORE)
    assert table.ending == Ending.NONE
    table.step(Block.TURN, Turn.MOVE_FREE)
    table.step(Block.AREA, 1)
    table.step(Block.DONE)
    assert end_of(table) == (Ending.OBJECTIVE, True)


def escort_scenario():
    """A Hero and a Non-Hero Ally in a, to be brought to c."""
    table = Table("a-b-c")
    hero, guide = table.hero(), table.companion(health=3, move=2, colour="red")
    table.enemy("c", actions=IDLE)
    table.builder.set_objective(Objective.ESCORT, subject=guide.slot, goal=1 << 2)
    return table.begin(), hero, guide


def test_r19_12_an_escort_is_over_when_the_ally_has_arrived():
    table, hero, guide = escort_scenario()
    table.step(Block.TOKEN, FOCUS)
    assert table.asks == (Decision.TURN, guide.slot)
    table.step(Block.TURN, Turn.END_TURN)
    assert table.asks == (Decision.TURN, hero.slot)
    for _ in range(2):
        assert table.ending == Ending.NONE
        table.step(Block.TURN, Turn.MOVE_FREE)
        table.step(Block.AREA, 1)
        table.step(Block.AREA, 2)
        if table.round == 1:
            assert table.ending == Ending.NONE  # a Hero there is not enough
            table.step(Block.TURN, Turn.END_TURN)
            table.step(Block.TOKEN, FOCUS)
    assert end_of(table) == (Ending.OBJECTIVE, True)


def test_r19_12_an_escort_is_lost_at_once_with_the_ally():
    table, _, guide = escort_scenario()
    table.perform(Verb.DAMAGE, guide, 2)
    assert table.ending == Ending.NONE
    table.perform(Verb.DAMAGE, guide, 1)
    assert end_of(table) == (Ending.ESCORT_LOST, False)


def test_r19_12_disarm_counts_successful_checks_of_heroes():
    table = idle_scenario(areas="a-b-c")
    table.builder.set_objective(Objective.DISARM, number=1)
    table.builder.add_trap(schema.TrapCard(name="bells"))
    table.content["sheet"]["ability"][0, 1] = 3
    table.begin()
    for faces, area, disarmed in [((1, 1, 1, 1), 1, 0), ((2, 2, 2, 2), 0, 1)]:
        table.states["trap"][0, area] = 1
        table.step(Block.TOKEN, FOCUS)
        table.step(Block.TURN, Turn.MOVE_FREE)
        table.step(Block.AREA, area)
        table.dice(*faces)
        table.step(Block.YES)
        assert (table.trap[area], table.disarmed) == (0, disarmed)
        while table.asks[0] in (Decision.STEP, Decision.TURN):
            done = (Block.DONE, 0) in table.legal()
            table.step(*((Block.DONE, 0) if done else (Block.TURN, Turn.END_TURN)))
    assert end_of(table) == (Ending.OBJECTIVE, True)


def test_r19_12_advance_ends_with_the_section_that_takes_the_last_step():
    table = idle_scenario()
    table.builder.set_objective(Objective.ADVANCE, number=3)
    table.section("b", (Op.ADVANCE, 2, -1, -1))
    table.section("a", (Op.ADVANCE, 1, -1, -1), (Op.GIVE_GEM, 1, -1, -1), trigger="choice")
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.step(Block.TURN, Turn.READ_STORY)
    assert (table.ending, table.progress) == (Ending.NONE, 1)
    table.step(Block.TURN, Turn.MOVE_FREE)
    table.step(Block.AREA, 1)
    assert end_of(table) == (Ending.OBJECTIVE, True)
    assert table.asks[0] == Decision.NONE


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


def timed(start, target, repeats, rounds):
    """Cards under the timer and Enemies after each round; it brings one whenever it goes off."""
    table = idle_scenario()
    for _ in range(12):
        table.builder.add_fate(1)
    table.builder.set_timer(start, target, repeats)
    table.event(When.TIMER, (Op.REINFORCE, 1, 0, 1))
    table.begin()
    seen = []
    for _ in range(rounds):
        play_rounds(table, 1)
        seen.append((table.n_timer, standing(table)))
    return seen


@pytest.mark.parametrize(
    ("start", "repeats", "seen"),
    [
        # R19.4: from round 2 on the pile grows; at 3 the event comes, and the timer stops
        (2, False, [(0, 1), (1, 1), (2, 1), (0, 2), (0, 2), (0, 2), (0, 2), (0, 2)]),
        # R19.3: the newest card counts for the new run, so 2 more cards set it off again
        (1, True, [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (2, 3), (1, 4)]),
    ],
)
def test_r19_1_and_r19_2_the_timer_starts_with_its_round(start, repeats, seen):
    assert timed(start, 3, repeats, rounds=len(seen)) == seen


def test_the_card_that_sets_the_timer_off_is_due_in_the_same_round():
    table = idle_scenario()
    for _ in range(3):
        table.builder.add_fate(3)
    table.builder.set_timer(1, 3, False)
    table.event(When.TIMER, (Op.FAIL, 1, -1, -1))
    table.begin()
    play_rounds(table, 1)
    assert end_of(table) == (Ending.EVENT, False)
