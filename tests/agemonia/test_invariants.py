"""Every bit of `status` is raised by a state that is broken in that way, and by that alone."""

import pytest

from agemonia_env.rulesets.agemonia.core.layout import N_TASKS
from agemonia_env.rulesets.agemonia.core.terms import Broken, Condition, Decision


def bits(*conditions):
    return sum(1 << condition for condition in conditions)


def put(path, value):
    """A change of states[0] at a path such as "ally.disk"."""

    def change(states):
        record = states
        *folders, name = path.split(".")
        for folder in folders:
            record = record[folder]
        record[name][(0,) * record[name].ndim] = value(record[name]) if callable(value) else value

    change.__name__ = f"{path}={'...' if callable(value) else value}"
    return change


def more(by):
    return lambda field: field[(0,) * field.ndim] + by


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
    (Broken.CHIPS, put("ally.disk", more(-1))),
    (Broken.CHIPS, put("ally.wounds", more(1))),
    (Broken.CHIPS, put("ally.spent", -1)),
    (Broken.CAPACITY, put("used", more(1))),
    (Broken.CAPACITY, put("allies_in", more(1))),
    (Broken.CAPACITY, put("enemies_in", more(1))),
    (Broken.PLACE, move_off_the_map),
    (Broken.PLACE, move_enemy_off_the_map),
    (Broken.CONDITIONS, put("ally.conditions", THREE)),
    (Broken.CONDITIONS, put("ally.conditions", 1)),
    (Broken.CONDITIONS, put("enemy.conditions", THREE)),
    (Broken.CONDITIONS, put("enemy.conditions", bits(Condition.INVISIBLE))),
    (Broken.DECKS, double_a_card),
    (Broken.DECKS, lose_a_card),
    (Broken.DECKS, exchange_a_fate_card),
    (Broken.DECKS, lose_a_fate_card),
    (Broken.HEALTH, put("enemy.health", more(50))),
    (Broken.HEALTH, stand_defeated),
    (Broken.HEALTH, put("ally.health", 1)),
    (Broken.WOUNDED_DISK, wound_with_full_disk),
    (Broken.TASKS, put("depth", 0)),
    (Broken.TASKS, put("depth", N_TASKS + 1)),
    (Broken.TASKS, put("decision", Decision.NONE)),
    (Broken.LOCKS, lock_too_few),
    (Broken.LOCKS, lock_on_nothing),
    (Broken.GEMS, put("ally.inspiration", 6)),
    (Broken.GEMS, put("ally.achievement", 16)),
    (Broken.GEMS, put("ally.evade", -1)),
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
