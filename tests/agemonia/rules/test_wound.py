"""Section 13: wounded, exhausted, and the Injury cards."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import N_INJURIES
from agemonia_env.rulesets.agemonia.core.terms import N_STREAMS, Condition, Denial, Ending, Event
from tests.agemonia.rules.table import Table


def injure(table, hero, **card):
    """Give the Hero one Injury card with this effect."""
    row = table.builder.add_injury(schema.InjuryCard.model_validate({"name": "injury", **card}))
    hero.record["injury"][row] = 1


def test_r13_4_a_wound_turns_the_disk_and_ignores_the_rest():
    table = Table()
    hero = table.hero(blue=7, red=3)
    table.perform(Verb.DAMAGE, hero, 20)
    assert (hero.wounded, hero.exhausted) == (1, 0)  # R13.12
    assert (hero.disk, hero.spent, hero.wounds) == (3, 0, 4)
    assert (sum(hero.injury), table.log(Event.INJURY)) == (1, [(Event.INJURY, hero.slot, 0, -1)])


def test_r13_7_the_disk_is_turned_back_and_the_injury_stays():
    table = Table()
    hero = table.hero(disk=2, wounds=5, red=3, wounded=1)
    hero.record["injury"][0] = 1
    table.perform(Verb.REMOVE_WOUNDED, hero)
    assert (hero.wounded, hero.disk, hero.wounds, hero.injury[0]) == (0, 2, 5, 1)


def test_r13_8_a_wounded_hero_that_cannot_take_more_is_exhausted():
    table = Table()
    other = table.hero(blue=3)
    hero = table.hero(disk=1, wounds=2, wounded=1, red=2, conditions=[Condition.BLEEDING])
    table.perform(Verb.DAMAGE, hero, 2)
    assert (hero.exhausted, hero.conditions, table.n_exhausted) == (1, 0, 1)
    assert (table.used[0], table.allies_in[0]) == (1, 1)
    assert hero.area == 0
    assert other.exhausted == 0


def test_r13_8_nothing_affects_an_exhausted_figure():
    table = Table()
    table.hero()
    hero = table.hero(disk=0, wounds=4, exhausted=1, wounded=1)
    for verb in (Verb.DAMAGE, Verb.HEAL, Verb.RESTORE, Verb.LOSE):
        table.perform(verb, hero, 2)
    table.perform(Verb.GAIN, hero, Condition.BLEEDING)
    table.perform(Verb.REMOVE_WOUNDED, hero)
    assert (hero.disk, hero.wounds, hero.wounded, hero.conditions) == (0, 4, 1, 0)
    assert table.perform(Verb.SPEND, hero, 0) == Denial.OUT_OF_ACTION
    assert table.perform(Verb.START_TURN, hero, 0, 0) == Denial.OUT_OF_ACTION


def test_r13_9_a_revived_hero_has_all_chips_and_no_turn_this_round():
    table = Table()
    table.hero()
    hero = table.hero(disk=0, wounds=4, exhausted=1, wounded=1)
    table.perform(Verb.REMOVE_EXHAUSTED, hero)
    assert (hero.exhausted, hero.wounded, hero.disk, hero.wounds) == (0, 0, 4, 0)
    assert table.allies_in[0] == 2
    assert table.perform(Verb.START_TURN, hero, 0, 0) == Denial.TURN_TAKEN
    table.perform(Verb.NEXT_ROUND)
    assert table.perform(Verb.START_TURN, hero, 0, 0) == Denial.NONE


def test_r19_13_all_heroes_exhausted_is_the_end():
    table = Table()
    heroes = [table.hero(disk=1, wounds=1, wounded=1, red=1) for _ in range(2)]
    table.companion()
    for hero in heroes:
        assert table.ending == Ending.NONE
        table.perform(Verb.DAMAGE, hero, 2)
    assert (table.ending, table.won) == (Ending.ALL_EXHAUSTED, 0)
    assert table.perform(Verb.HEAL, heroes[0], 1) == Denial.SCENARIO_ENDED


# ---- Injury cards ---------------------------------------------------------------------------
def test_r13_14_a_card_is_drawn_among_those_that_nobody_holds():
    drawn = []
    for seed in range(12):
        table = Table()
        holder, hero = table.hero(), table.hero(blue=1)
        for k in range(4):
            table.builder.add_injury(schema.InjuryCard(name=f"injury {k}"))
        holder.record["injury"][[0, 2]] = 1
        table.states["chance"][0, :] = np.arange(N_STREAMS) + 1000 * seed
        table.perform(Verb.DAMAGE, hero, 2)
        drawn.append(hero.injury.index(1))
    assert set(drawn) == {1, 3}


def test_r13_14_with_every_card_taken_one_is_held_twice():
    table = Table()
    holder, hero = table.hero(), table.hero(blue=1)
    table.builder.add_injury(schema.InjuryCard(name="only"))
    holder.record["injury"][0] = 1
    table.perform(Verb.DAMAGE, hero, 2)
    assert hero.injury == [1] + [0] * (N_INJURIES - 1)


@pytest.mark.parametrize(
    ("might", "ability", "rolled"),
    [(3, 0, 1), (3, 1, 3), (1, 0, 0)],
    ids=["R13.14", "R13.14 another ability", "R3.20 no fewer than none"],
)
def test_r13_14_fewer_dice_on_checks_with_the_ability(might, ability, rolled):
    table = Table()
    hero = table.hero(might=might, agility=3)
    injure(table, hero, dice={"might": 2})
    table.dice(*[1] * rolled)
    table.perform(Verb.ACTIVE_CHECK, hero, ability, 5)
    assert table.states["check"]["total"][0] == rolled
    table.reaction_dice(*[1] * rolled)
    table.perform(Verb.REACTIVE_CHECK, hero, ability, 5)
    assert table.states["check"]["remaining"][0] == 5 - rolled


@pytest.mark.parametrize("verb", [Verb.MOVE, Verb.RETHINK])  # the latter is no move maneuver
def test_r13_14_fewer_movement_points(verb):
    table = Table("a-b-c-d")
    hero = table.hero(move={"free": 2, "paid": 3, "cost": 1})
    injure(table, hero, move=1, recover=1)
    table.perform(verb, hero, 0)
    assert table.states["move"]["points"][0] == 1


def test_r13_14_recovers_fewer():
    table = Table()
    hero = table.hero(disk=0, spent=4, wounds=4, recover={"stamina": 3, "damage": 2})
    injure(table, hero, recover=1)
    table.perform(Verb.RECOVER, hero, 0)
    assert (hero.disk, hero.spent) == (2, 2)
    table.perform(Verb.RECOVER, hero, 1)
    assert (hero.disk, hero.wounds) == (3, 3)
