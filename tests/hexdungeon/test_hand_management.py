"""G14.1, G14.3 to G14.5, G11.14: choosing cards, resting, exhaustion."""

import pytest

from agemonia_env.rulesets.hexdungeon.core.terms import (
    Decision,
    Denial,
    Effect,
    Ending,
    Event,
    Place,
    Proc,
)
from tests.hexdungeon.table import RAT, Block, Content, Table

HAND, DISCARD, LOST, ACTIVE = Place.HAND, Place.DISCARD, Place.LOST, Place.ACTIVE


def position(places, hp=6, **active):
    """A character whose cards lie in places; active: card=loss, of a round bonus in play."""
    content = Content()
    content.c["bonus"][0]["round"] = 1
    t = Table(content, begin=False)
    t.hero(0, (0, 0), hp=hp)
    t.s["hero"][0]["place"][: len(places)] = places
    for slot, card in enumerate(k for k, place in enumerate(places) if place == ACTIVE):
        t.s["active"][slot]["owner"], t.s["active"][slot]["card"] = 0, card
        t.s["active"][slot]["bonus"], t.s["active"][slot]["loss"] = 0, active.get("loss", 0)
        t.s["n_active"] += 1
    t.s["actor"] = t.s["turn"] = 0
    return t


def in_game(places, hp=10):
    """A game in which the character has its cards in places when a round begins."""
    content = Content()
    content.spawn(RAT, (9, 0))
    t = Table(content)
    t.s["figure"][0]["hp"] = hp
    t.s["hero"][0]["place"][: len(places)] = places
    t.s["decision"], t.s["depth"] = Decision.NONE, 0
    return t


# ---- choosing ------------------------------------------------------------------------------------
def test_g14_1_two_different_cards_from_hand():
    t = in_game([HAND, HAND, LOST, DISCARD, HAND])
    t.push(Proc.ROUND_START)
    assert t.decision == Decision.LEAD
    assert t.denial(Decision.LEAD, 0) == Denial.NONE
    assert t.denial(Decision.LEAD, 2) == Denial.NOT_IN_HAND
    assert t.denial(Decision.LEAD, 9) == Denial.NO_SUCH_CARD
    t.answer(Block.CARD, 4)
    assert t.decision == Decision.SECOND
    assert t.denial(Decision.SECOND, 4) == Denial.CARD_USED
    assert t.denial(Decision.SECOND, 3) == Denial.NOT_IN_HAND
    assert t.denial(Decision.SECOND, 0) == Denial.NONE
    t.answer(Block.CARD, 0)
    figure = t.figure(0)
    assert (figure["initiative"], figure["second"]) == (50, 10)
    assert t.decision == Decision.TURN


def test_g14_1_one_card_is_too_few_to_lead_and_one_discard_to_rest():
    t = position([HAND, DISCARD, LOST])
    assert t.denial(Decision.LEAD, 0) == Denial.TOO_FEW_CARDS
    assert t.denial(Decision.NONE, 0) == Denial.TOO_FEW_CARDS
    assert position([HAND, DISCARD, DISCARD]).denial(Decision.NONE, 0) == Denial.NONE


def test_g11_12_an_active_card_that_counts_as_discarded_is_one_for_a_rest():
    assert position([ACTIVE, DISCARD]).denial(Decision.NONE, 0) == Denial.NONE
    assert position([ACTIVE, DISCARD], loss=1).denial(Decision.NONE, 0) == Denial.TOO_FEW_CARDS


def test_g11_13_an_active_card_may_be_removed_while_choosing():
    t = in_game([HAND, HAND, HAND, ACTIVE, DISCARD])
    t.s["active"][0]["owner"], t.s["active"][0]["card"], t.s["n_active"] = 0, 3, 1
    t.s["active"][0]["bonus"] = -1
    t.push(Proc.ROUND_START)
    t.answer(Block.ACTIVE, 0)
    assert t.decision == Decision.LEAD
    assert t.cards(0, DISCARD) == [3, 4]


# ---- the long rest -------------------------------------------------------------------------------
def test_g14_4_long_rest_at_99_loses_one_chosen_discard_and_heals_2():
    t = in_game([DISCARD, HAND, DISCARD, DISCARD, LOST], hp=5)
    t.push(Proc.ROUND_START)
    t.answer(Block.REST)
    assert t.figure(0)["initiative"] == 99
    while t.decision == Decision.END_HEX:
        t.answer(Block.HEX, t.s["tie"][0]["end"])
    assert t.decision == Decision.REST_LOSE
    assert t.denial(Decision.REST_LOSE, 1) == Denial.NOT_DISCARDED
    assert t.denial(Decision.REST_LOSE, 9) == Denial.NO_SUCH_CARD
    t.answer(Block.CARD, 2)
    assert t.cards(0, HAND) == [0, 1, 3]
    assert t.cards(0, LOST) == [2, 4]
    assert t.figure(0)["hp"] == 7
    assert t.decision == Decision.LEAD
    assert t.s["round"] == 3


def test_g8_16_a_rest_heals_like_any_heal():
    t = position([DISCARD, DISCARD])
    t.afflict(0, Effect.POISON)
    t.push(Proc.LONG_REST)
    t.answer(Block.CARD, 0)
    assert t.figure(0)["hp"] == 6
    assert not t.figure(0)["condition"][Effect.POISON]


def test_g14_4_without_discards_there_is_no_rest():
    t = position([HAND, LOST])
    t.push(Proc.LONG_REST)
    assert t.decision == Decision.NONE
    assert t.figure(0)["hp"] == 6


@pytest.mark.parametrize(("block", "place"), [(Block.YES, ACTIVE), (Block.NO, HAND)])
def test_g11_14_a_discarded_active_card_may_be_taken_back_or_left(block, place):
    t = position([ACTIVE, DISCARD, DISCARD])
    t.push(Proc.LONG_REST)
    t.answer(Block.CARD, 1)
    assert (t.decision, t.s["subject"]) == (Decision.REST_KEEP, 0)
    assert t.legal() == [(Block.NO, 0), (Block.YES, 0)]
    t.answer(block)
    assert t.cards(0, HAND) == ([0, 2] if place == HAND else [2])
    assert t.s["n_active"] == (place == ACTIVE)
    assert t.decision == Decision.NONE


def test_g11_14_a_lost_active_card_is_not_asked_about():
    t = position([ACTIVE, DISCARD, DISCARD], loss=1)
    t.push(Proc.LONG_REST)
    t.answer(Block.CARD, 1)
    assert t.decision == Decision.NONE
    assert t.cards(0, ACTIVE) == [0]


def test_g11_12_the_card_lost_to_a_rest_may_be_an_active_one():
    t = position([ACTIVE, DISCARD])
    t.push(Proc.LONG_REST)
    assert t.denial(Decision.REST_LOSE, 0) == Denial.NONE
    t.answer(Block.CARD, 0)
    assert t.cards(0, LOST) == [0]
    assert t.cards(0, HAND) == [1]
    assert t.s["n_active"] == 0


# ---- the short rest ------------------------------------------------------------------------------
def test_g14_4_short_rest_loses_a_random_card():
    lost = set()
    for seed in range(20):
        t = position([DISCARD, HAND, DISCARD, DISCARD])
        t.s["chance"] += seed
        t.s["lost_card"] = -1
        t.push(Proc.SHORT_RESTS)
        assert t.decision == Decision.SHORT_REST
        t.answer(Block.YES)
        assert t.decision == Decision.INSTEAD
        drawn = int(t.s["subject"])
        t.answer(Block.NO)
        assert t.cards(0, LOST) == [drawn]
        assert t.figure(0)["hp"] == 6
        assert t.cards(0, HAND) == sorted({0, 1, 2, 3} - {drawn})
        assert not t.cards(0, DISCARD)
        assert t.decision == Decision.NONE
        lost.add(drawn)
    assert lost == {0, 2, 3}


def test_g14_4_short_rest_another_random_card_for_1_damage_once():
    for seed in range(20):
        t = position([DISCARD, DISCARD])
        t.s["chance"] += seed
        t.push(Proc.SHORT_RESTS)
        t.answer(Block.YES)
        drawn = int(t.s["subject"])
        t.answer(Block.YES)
        assert t.cards(0, LOST) == [1 - drawn]
        assert t.figure(0)["hp"] == 5
        assert t.cards(0, HAND) == [drawn]
        assert t.decision == Decision.NONE


def test_g14_4_a_short_rest_may_be_declined_and_needs_two_discards():
    t = position([DISCARD, DISCARD])
    t.push(Proc.SHORT_RESTS)
    t.answer(Block.NO)
    assert t.decision == Decision.NONE
    assert t.cards(0, DISCARD) == [0, 1]
    t = position([HAND, DISCARD])
    t.push(Proc.SHORT_RESTS)
    assert t.decision == Decision.NONE


def test_g14_5_the_damage_of_a_short_rest_can_exhaust():
    t = position([DISCARD, DISCARD], hp=1)
    t.push(Proc.SHORT_RESTS)
    t.answer(Block.YES)
    t.answer(Block.YES)
    assert t.figure(0)["exhausted"]
    assert t.decision == Decision.NONE
    assert not t.cards(0, HAND)


# ---- exhaustion ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("places", "exhausted"),
    [
        ([HAND, HAND], False),
        ([HAND, LOST], True),
        ([HAND, DISCARD], True),
        ([DISCARD, DISCARD], False),
        ([HAND, DISCARD, ACTIVE], False),
    ],
)
def test_g14_5_exhausted_with_fewer_than_two_cards_and_no_rest(places, exhausted):
    t = position(places)
    t.s["plain"] = 0
    t.push(Proc.ROUND_START)
    assert t.figure(0)["exhausted"] == exhausted
    assert (t.figure(0)["at"] == -1) == exhausted


def test_g14_5_the_scenario_is_lost_when_every_character_is_exhausted():
    t = in_game([HAND, LOST, LOST, LOST, LOST])
    t.log()
    t.push(Proc.ROUND_START)
    assert (t.s["ending"], t.s["won"]) == (Ending.EXHAUSTED, 0)
    assert t.events(Event.ENDING) == [(-1, Ending.EXHAUSTED, -1, -1)]
