"""Every bit of `status` is raised by a state that is broken in that way, and by that alone."""

import pytest

from agemonia_env.rulesets.agemonia.core.layout import N_TASKS
from agemonia_env.rulesets.agemonia.core.terms import Broken, Condition, Decision
from tests.observed import add, put


def bits(*conditions):
    return sum(1 << condition for condition in conditions)


def wound_with_full_disk(states):
    states["ally"]["wounded"][0, 0] = 1


def move_off_the_map(states):
    area = states["ally"]["area"][0, 0]
    for cache in ("used", "allies_in"):
        states[cache][0, area] -= 1
    states["ally"]["area"][0, 0] = 23  # no map of the pack has so many areas
    for cache in ("used", "allies_in"):
        states[cache][0, 23] += 1


def move_enemy_off_the_map(states):
    area = states["enemy"]["area"][0, 0]
    for cache in ("used", "enemies_in"):
        states[cache][0, area] -= 1
        states[cache][0, 23] += 1
    states["enemy"]["area"][0, 0] = 23


def double_a_card(states):
    states["initiative"][0, 0] = states["initiative"][0, 1]


def lose_a_card(states):
    states["n_initiative"][0] -= 1


def exchange_a_fate_card(states):
    deck = states["fate"][0, : int(states["n_fate"][0])]
    deck[list(deck).index(0)] = 1


def lose_a_fate_card(states):
    states["n_fate"][0] -= 1


def lock_too_few(states):
    states["ally"]["lock_passive"][0, 0, 0] = 0
    states["ally"]["lock_chips"][0, 0, 0] = 0


def lock_on_nothing(states):
    states["ally"]["lock_chips"][0, 0, 2] = 1
    states["ally"]["disk"][0, 0] -= 1


def use_nothing(states):
    free = states["ally"]["item"][0, 0].tolist().index(-1)
    states["ally"]["active"][0, 0] |= 1 << free


def hold_too_much(states):
    hero = states["ally"][0, 0]
    hands = next(k for k in range(len(hero["item"])) if hero["active"] >> k & 1)
    for place in range(len(hero["item"])):
        hero["item"][place] = hero["item"][hands]
        hero["active"] |= 1 << place


def stand_defeated(states):
    states["enemy"]["health"][0, 0] = 0


THREE = bits(Condition.SLOWED, Condition.HELD, Condition.STUNNED)
BROKEN = [
    (Broken.CHIPS, add("ally.disk", -1, 0)),
    (Broken.CHIPS, add("ally.wounds", 1, 0)),
    (Broken.CHIPS, put("ally.spent", -1, 0)),
    (Broken.CAPACITY, add("used", 1, 0)),
    (Broken.CAPACITY, add("allies_in", 1, 0)),
    (Broken.CAPACITY, add("enemies_in", 1, 0)),
    (Broken.PLACE, move_off_the_map),
    (Broken.PLACE, move_enemy_off_the_map),
    (Broken.CONDITIONS, put("ally.conditions", THREE, 0)),
    (Broken.CONDITIONS, put("ally.conditions", 1, 0)),
    (Broken.CONDITIONS, put("enemy.conditions", THREE, 0)),
    (Broken.CONDITIONS, put("enemy.conditions", bits(Condition.INVISIBLE), 0)),
    (Broken.DECKS, double_a_card),
    (Broken.DECKS, lose_a_card),
    (Broken.DECKS, exchange_a_fate_card),
    (Broken.DECKS, lose_a_fate_card),
    (Broken.HEALTH, add("enemy.health", 50, 0)),
    (Broken.HEALTH, stand_defeated),
    (Broken.HEALTH, put("ally.health", 1, 0)),
    (Broken.WOUNDED_DISK, wound_with_full_disk),
    (Broken.TASKS, put("depth", 0)),
    (Broken.TASKS, put("depth", N_TASKS + 1)),
    (Broken.TASKS, put("decision", Decision.NONE)),
    (Broken.LOCKS, lock_too_few),
    (Broken.LOCKS, lock_on_nothing),
    (Broken.GEMS, put("ally.inspiration", 6, 0)),
    (Broken.GEMS, put("ally.achievement", 16, 0)),
    (Broken.GEMS, put("ally.evade", -1, 0)),
    (Broken.ITEMS, use_nothing),
    (Broken.ITEMS, hold_too_much),
    (Broken.COUNTS, put("actions", -1)),
    (Broken.COUNTS, put("maneuvers", -1)),
    (Broken.COUNTS, put("move.points", -1)),
]


@pytest.mark.parametrize(("bit", "corrupt"), BROKEN)
def test_a_broken_state_raises_its_bit(table, bit, corrupt):
    game = table("ford", 2, [11])
    assert game.status().tolist() == [0]
    corrupt(game.states)
    assert Broken(game.status().item()) == bit


def test_every_bit_is_tried():
    assert {bit for bit, _ in BROKEN} == set(Broken)


def test_each_game_of_a_batch_has_its_own_status(table):
    games = table("ford", 2, [1, 2, 3])
    games.states["actions"][1] = -1
    games.states["used"][2, 5] = 9
    assert games.status().tolist() == [0, Broken.COUNTS, Broken.CAPACITY]
