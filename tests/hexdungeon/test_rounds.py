"""G14: the round, the turns of characters, and how a scenario ends."""

import numpy as np
import pytest

from agemonia_env.rulesets.hexdungeon.core.layout import FIRST_MONSTER, FIRST_SUMMON
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Decision,
    Denial,
    Effect,
    Element,
    Ending,
    Event,
    Goal,
    Half,
    Op,
    Place,
    Proc,
    Side,
)
from tests.hexdungeon.table import RAT, Block, Content, Table

HAND, DISCARD, LOST, ACTIVE = Place.HAND, Place.DISCARD, Place.LOST, Place.ACTIVE
M = FIRST_MONSTER
SECOND = 4  # halves of the second card come after those of the first


def choosing(content=None, at=(9, 0), **fields):
    """A game with a rat that does nothing, as it begins."""
    content = content or Content()
    content.monster_card(RAT, 99)
    content.spawn(RAT, at)
    for name, value in fields.items():
        content.c[name] = value
    t = Table(content)
    t.in_decks(*["+0"] * 20)
    t.log()
    return t


def begun(content=None, at=(9, 0), **fields):
    """The same of one character, who has chosen cards 0 and 1."""
    t = choosing(content, at, **fields)
    t.select(0, 1)
    return t


def rest_of_round(t):
    """Nothing more is done in this round."""
    t.answer(Block.DONE)
    while t.decision == Decision.SHORT_REST:
        t.answer(Block.NO)


# ---- a character's turn --------------------------------------------------------------------------
def test_g14_2_top_of_one_card_and_bottom_of_the_other():
    t = begun()
    assert all(t.denial(Decision.TURN, half) == Denial.NONE for half in range(8))
    t.answer(Block.HALF, SECOND + Half.BOTTOM)
    t.answer(Block.DONE)
    denials = [t.denial(Decision.TURN, half) for half in range(8)]
    assert [denials[half] for half in (Half.TOP, Half.BASIC_ATTACK)] == [Denial.NONE] * 2
    assert [denials[half] for half in (Half.BOTTOM, Half.BASIC_MOVE)] == [Denial.HALF_USED] * 2
    assert denials[SECOND:] == [Denial.CARD_USED] * 4


def test_g14_2_basic_actions_are_attack_2_and_move_2():
    t = begun(at=(3, -1))
    t.answer(Block.HALF, Half.BASIC_MOVE)
    t.answer(Block.DIRECTION, 0)
    t.answer(Block.DIRECTION, 0)
    assert t.at(0) == (2, 0)
    assert t.decision == Decision.TURN
    t.answer(Block.HALF, SECOND + Half.BASIC_ATTACK)
    t.answer(Block.FIGURE, M)
    assert t.monster(0)["hp"] == 2


def test_g14_2_the_lines_of_a_half_one_after_another():
    content = Content()
    shield, heal = (Op.SHIELD, {"amount": 1}), (Op.HEAL, {"amount": 3})
    content.half(0, 0, 0, shield, heal, xp=2)
    t = begun(content)
    t.figure(0)["hp"] = 5
    t.answer(Block.HALF, Half.TOP)
    figure = t.figure(0)
    assert (figure["round_shield"], figure["hp"], figure["xp"]) == (1, 8, 2)
    assert t.decision == Decision.TURN


@pytest.mark.parametrize(
    ("half", "place"), [(Half.TOP, LOST), (Half.BASIC_ATTACK, DISCARD), (None, DISCARD)]
)
def test_g14_3_the_loss_symbol_counts_only_if_the_printed_action_was_used(half, place):
    content = Content()
    content.half(0, 0, 0, (Op.SHIELD, {"amount": 1}), loss=1)
    t = begun(content)
    if half is not None:
        t.answer(Block.HALF, half)
    rest_of_round(t)
    assert 0 in t.cards(0, place)
    assert 1 in t.cards(0, DISCARD)


def test_g14_3_a_card_with_a_bonus_goes_to_the_active_area():
    content = Content()
    content.c["bonus"][0]["round"] = 1
    content.half(0, 0, 0, (Op.BONUS, {"bonus": 0}))
    t = begun(content)
    t.answer(Block.HALF, Half.TOP)
    assert t.cards(0, ACTIVE) == [0]
    assert t.s["n_active"] == 1


def test_g11_13_an_active_card_may_be_removed_in_the_turn():
    content = Content()
    content.half(0, 0, 0, (Op.BONUS, {"bonus": 0}))
    t = begun(content)
    t.answer(Block.HALF, Half.TOP)
    t.answer(Block.ACTIVE, 0)
    assert t.decision == Decision.TURN
    assert t.cards(0, LOST) == [0]


def test_g10_6_a_stunned_character_discards_its_cards():
    t = choosing()
    t.afflict(0, Effect.STUN)
    t.select(0, 1)
    assert t.decision == Decision.SHORT_REST
    assert t.cards(0, DISCARD) == [0, 1]
    assert not t.figure(0)["condition"][Effect.STUN]


def test_g10_9_a_stun_within_the_turn_voids_the_rest_of_it():
    content = Content(trap=[(1, 0)])
    t = begun(content)
    trap = t.s["trap"][0]
    trap["at"], trap["conditions"] = t.case.number((1, 0)), 1 << Effect.STUN
    t.answer(Block.HALF, Half.BOTTOM)
    t.answer(Block.DIRECTION, 0)
    assert t.decision == Decision.SHORT_REST
    assert t.figure(0)["condition"][Effect.STUN] == 1


def test_g10_3_a_wound_comes_first_in_the_turn():
    t = choosing(Content(heroes=2))
    t.afflict(0, Effect.WOUND)
    t.select(0, 1)
    t.select(0, 1)
    assert t.decision == Decision.LOSE
    t.answer(Block.NO)
    assert t.figure(0)["hp"] == 9
    assert t.decision == Decision.TURN


def test_g10_3_a_wound_may_end_the_turn_before_it_begins():
    t = choosing(Content(heroes=2))
    t.afflict(0, Effect.WOUND)
    t.figure(0)["hp"] = 1
    t.select(0, 1)
    t.select(0, 1)
    t.answer(Block.NO)
    assert t.figure(0)["exhausted"]
    assert (t.decision, t.s["asked"]) == (Decision.TURN, 1)


def test_g7_13_the_cards_of_the_turn_are_not_in_hand():
    t = choosing()
    t.s["hero"][0]["place"][2:] = LOST
    t.s["hero"][0]["place"][2] = HAND
    t.afflict(0, Effect.WOUND)
    t.select(0, 1)
    t.answer(Block.CARD, 2)
    assert t.cards(0, LOST) == [2, *range(3, 16)]
    assert t.figure(0)["hp"] == 10


def test_g12_13_a_character_takes_the_loot_on_its_hex_when_its_turn_ends():
    t = begun()
    t.tokens((0, 0), (1, 0))
    rest_of_round(t)
    assert t.figure(0)["loot"] == t.s["n_loot"] == 1
    assert [hex for _, _, hex, _ in t.events(Event.LOOT)] == [t.case.number((0, 0))]


def test_g12_13_monsters_and_summons_take_no_loot():
    t = Table(Content(), begin=False)
    t.rat(0, (3, 0))
    t.summon(0, (4, 0), owner=0)
    t.tokens((3, 0), (4, 0))
    for f in (M, FIRST_SUMMON):
        t.s["turn"] = f
        t.push(Proc.TURN_END)
    assert t.s["n_loot"] == 0


# ---- the round -----------------------------------------------------------------------------------
def test_g13_1_types_in_play_turn_a_card_that_gives_their_initiative():
    content = Content()
    content.spawn(RAT, (9, 0))
    content.monster_card(RAT, 37)
    t = Table(content)
    t.log()
    t.select(0, 1)
    assert t.s["type"]["card"].tolist()[:2] == [0, -1]
    assert t.monster(0)["initiative"] == 37
    assert t.events(Event.MONSTER_CARD) == [(-1, RAT, -1, 0)]


@pytest.mark.parametrize("shuffle", [0, 1])
def test_g14_6_monster_cards_are_shuffled_by_their_symbol(shuffle):
    content = Content()
    content.c["kind"][RAT]["card"][1]["shuffle"] = 0
    t = begun(content)
    content.c["kind"][RAT]["n_cards"] = 2
    kind = t.s["type"][RAT]
    kind["shuffle"] = shuffle
    rest_of_round(t)
    assert (kind["card"], kind["shuffle"]) == (-1, 0)
    assert (kind["n_pile"], kind["n_discards"]) == ((1, 0) if shuffle else (0, 1))
    t.select(2, 3)
    assert kind["card"] == 0  # an empty pile is refilled


def test_g14_6_the_end_of_a_round():
    t = begun()
    t.s["element"][:3] = Element.STRONG, Element.WANING, Element.INERT
    for deck in t.s["deck"][:2]:
        deck["n_pile"], deck["n_discards"] = 18, 2
        deck["discards"][:2] = 0, 1
    t.s["deck"][1]["shuffle"] = 1
    t.figure(0)["round_shield"], t.figure(0)["shield"] = 2, 1
    t.figure(0)["round_retaliate"][1], t.figure(0)["retaliate"][1] = 2, 1
    t.monster(0)["fresh"] = 1
    rest_of_round(t)
    assert t.s["element"].tolist()[:3] == [Element.WANING, Element.INERT, Element.INERT]
    assert t.s["deck"]["n_pile"].tolist()[:2] == [18, 20]
    figure = t.figure(0)
    assert (figure["round_shield"], figure["shield"]) == (0, 1)
    assert (figure["round_retaliate"][1], figure["retaliate"][1]) == (0, 1)
    assert t.s["acted"] == 0
    assert not np.any(t.s["figure"]["fresh"])
    assert (t.s["round"], t.s["turn"]) == (2, -1)
    assert t.decision == Decision.LEAD


def test_g11_11_round_bonuses_leave_at_the_end_of_the_round():
    content = Content()
    for k, rounds in enumerate((1, 0)):
        content.c["bonus"][k]["round"] = rounds
    content.half(0, 0, 0, (Op.BONUS, {"bonus": 0}))
    content.half(0, 1, 1, (Op.BONUS, {"bonus": 1}))
    t = begun(content)
    t.answer(Block.HALF, Half.TOP)
    t.answer(Block.HALF, SECOND + Half.BOTTOM)
    assert t.cards(0, DISCARD) == [0]
    assert t.cards(0, ACTIVE) == [1]


def test_g13_2_a_summon_acts_from_the_round_after_it_came():
    content = Content()
    content.half(0, 0, 0, (Op.SUMMON, {"kind": 2}))
    t = begun(content)
    t.answer(Block.HALF, Half.TOP)
    t.answer(Block.DIRECTION, 0)
    assert t.figure(FIRST_SUMMON)["side"] == Side.SUMMON
    rest_of_round(t)
    assert FIRST_SUMMON not in [f for f, *_ in t.events(Event.TURN)]
    t.select(2, 3)
    while t.decision == Decision.END_HEX:
        t.answer(Block.HEX, int(t.s["tie"][0]["end"]))
    turns = [f for f, *_ in t.events(Event.TURN)]
    assert turns[-2:] == [FIRST_SUMMON, 0]


# ---- endings -------------------------------------------------------------------------------------
def test_the_last_monster_beaten_wins():
    t = begun(at=(1, 0))
    t.monster(0)["hp"] = 3
    t.answer(Block.HALF, Half.TOP)
    t.answer(Block.FIGURE, M)
    assert (t.s["ending"], t.s["won"]) == (Ending.GOAL, 1)


def test_monsters_behind_a_door_are_still_to_be_beaten():
    content = Content()
    content.spawn(RAT, (8, 0), room=1)
    t = begun(content, at=(1, 0))
    t.monster(0)["hp"] = 3
    t.answer(Block.HALF, Half.TOP)
    t.answer(Block.FIGURE, M)
    assert t.s["ending"] == Ending.NONE


def test_rounds_survived_win_and_the_last_round_loses():
    t = begun(goal=Goal.SURVIVE, goal_amount=2)
    rest_of_round(t)
    assert t.s["ending"] == Ending.NONE
    t.select(2, 3)
    rest_of_round(t)
    assert (t.s["ending"], t.s["won"]) == (Ending.GOAL, 1)
    t = begun(last_round=1)
    rest_of_round(t)
    assert (t.s["ending"], t.s["won"]) == (Ending.ROUNDS, 0)


def test_an_exit_reached_wins_at_the_end_of_the_round():
    content = Content()
    number = content.case.number((1, 0))
    content.c["exit"][number >> 6] = 1 << (number & 63)
    t = begun(content, goal=Goal.REACH)
    t.answer(Block.HALF, Half.BOTTOM)
    t.answer(Block.DIRECTION, 0)
    assert t.s["ending"] == Ending.NONE
    t.answer(Block.DONE)
    rest_of_round(t)
    assert (t.s["ending"], t.s["won"]) == (Ending.GOAL, 1)


def test_loot_tokens_win():
    t = begun(goal=Goal.LOOT, goal_amount=1)
    t.tokens((0, 0))
    t.answer(Block.DONE)
    assert (t.s["ending"], t.s["won"]) == (Ending.GOAL, 1)
