"""R5.18, R5.19 and R19.1 to R19.6: Fate cards and timers."""

import pytest

from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import Event, Stream
from tests.agemonia.rules.table import Table


def piles(deck=(), discard=(), timer=(), target=0):
    """A table with these Fate cards, the top of a pile first."""
    table = Table()
    for name, values in (("fate", deck), ("fate_discard", discard), ("timer", timer)):
        table.states[f"n_{name}"] = len(values)
        table.states[name][0, : len(values)] = values
    table.states["timer_target"] = target
    return table


def pile(table, name):
    return table.states[name][0, : table.states[f"n_{name}"][0]].tolist()


@pytest.mark.parametrize(
    ("rule", "before", "card", "after"),
    [
        ("R5.18", {"deck": [3, 1, 2], "discard": [0]}, 3, ([1, 2], [0, 3], [])),
        ("R19.1", {"deck": [2, 1], "discard": [3], "target": 9}, 2, ([1], [3], [2])),
        ("R19.5", {"discard": [1], "timer": [3, 3], "target": 9}, 1, ([], [], [3, 3, 1])),
        ("R19.5 none to draw", {"timer": [1, 1], "target": 9}, -1, ([], [], [1, 1])),
    ],
)
def test_where_the_top_card_goes(rule, before, card, after):
    table = piles(**before)
    table.perform(Verb.FATE)
    found = tuple(pile(table, name) for name in ("fate", "fate_discard", "timer"))
    assert (table.fate_card, found, table.result) == (card, after, 0)


def test_r5_19_an_empty_deck_is_the_shuffled_discard():
    table = piles(discard=[0, 1, 2])
    table.load(Stream.FATE, [2, 0, 1])  # the order after the shuffle
    table.perform(Verb.FATE)
    assert (table.reshuffled, table.fate_card) == (1, 2)
    assert (pile(table, "fate"), pile(table, "fate_discard")) == ([0, 1], [2])


def test_r19_2_the_sum_sets_the_event_off():
    table = piles(deck=[1, 1], timer=[3, 3], target=8)
    table.perform(Verb.FATE)
    assert (table.result, table.log(Event.TIMER)) == (0, [])
    table.perform(Verb.FATE)
    assert (table.result, len(table.log(Event.TIMER))) == (1, 1)


def test_r19_3_a_reset_keeps_the_newest_card():
    table = piles(timer=[3, 2, 1], target=6)
    table.perform(Verb.TIMER, 1, 0)
    assert (pile(table, "timer"), pile(table, "fate_discard"), table.timer_target) == (
        [1],
        [3, 2],
        6,
    )


def test_r19_4_a_stop_discards_the_pile():
    table = piles(timer=[3, 2], target=6, deck=[1])
    table.perform(Verb.TIMER, 2, 0)
    assert (pile(table, "timer"), table.timer_target) == ([], 0)
    table.perform(Verb.FATE)
    assert pile(table, "fate_discard") == [3, 2, 1]
