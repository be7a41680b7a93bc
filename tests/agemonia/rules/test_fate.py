"""R5.18, R5.19 and R19.1 to R19.6: Fate cards and timers."""

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


def test_r5_18_the_top_card_is_discarded():
    table = piles(deck=[3, 1, 2], discard=[0])
    table.perform(Verb.FATE)
    assert (table.fate_card, pile(table, "fate"), pile(table, "fate_discard")) == (
        3,
        [1, 2],
        [0, 3],
    )


def test_r5_19_an_empty_deck_is_the_shuffled_discard():
    table = piles(discard=[0, 1, 2])
    table.load(Stream.FATE, [2, 0, 1])  # the order after the shuffle
    table.perform(Verb.FATE)
    assert (table.reshuffled, table.fate_card) == (1, 2)
    assert (pile(table, "fate"), pile(table, "fate_discard")) == ([0, 1], [2])


def test_r19_1_a_timer_takes_the_cards():
    table = piles(deck=[2, 1], discard=[3], target=9)
    table.perform(Verb.FATE)
    assert (pile(table, "timer"), pile(table, "fate_discard")) == ([2], [3])


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


def test_r19_5_the_timer_pile_stays_out_of_the_shuffle():
    table = piles(discard=[1], timer=[3, 3], target=9)
    table.perform(Verb.FATE)
    assert (pile(table, "timer"), pile(table, "fate")) == ([3, 3, 1], [])


def test_r19_5_with_every_card_in_the_timer_there_is_none_to_draw():
    table = piles(timer=[1, 1], target=9)
    table.perform(Verb.FATE)
    assert (table.fate_card, table.result, pile(table, "timer")) == (-1, 0, [1, 1])
