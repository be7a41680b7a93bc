"""Section 15 and R5.6 in the course of a game."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Colour, Decision, Denial, Special
from tests.agemonia.rules.table import IDLE, Table

CARD = "hR, eR-O, hB+, eB-O, hG, eG-O"


def game(*specials, colour="red"):
    """A Hero with these special initiatives, a second one of `colour`, a quiet Enemy."""
    table = Table("a-b-c-d")
    table.hero(blue=8)
    table.hero(blue=8)
    table.enemy("d", actions=IDLE)
    for slot, special in enumerate((specials, ())):
        figure = type("", (), {"slot": slot, "__index__": lambda self: self.slot})()
        effects = [{"move": 1}]
        hue = "green" if slot == 0 else colour
        table.action(figure, colour=hue, special=list(special), effects=effects)
    table.card(CARD)
    return table


def select(table, first=2, second=2):
    table.step(Block.TOKEN, first)
    table.step(Block.TOKEN, second)


def test_r15_2_first_goes_before_all_bars():
    table = game("first").begin()
    select(table)
    assert (table.active_ally, table.maneuvers) == (0, 1)


def test_r15_3_last_goes_after_all_bars():
    table = game("last").begin()
    select(table)
    assert table.active_ally == 1
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.active_ally, table.states["enemy"]["acted"][0, 0]) == (0, 1)


def test_r15_4_after_an_ally_is_offered_when_its_turn_ends():
    table = game("after").begin()
    select(table)
    assert table.active_ally == 1
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.decision, table.legal()) == (
        Decision.AFTER_ALLY,
        [(Block.NO, 0), (Block.ALLY, 0)],
    )
    table.step(Block.ALLY, 0)
    assert (table.active_ally, table.states["enemy"]["acted"][0, 0]) == (0, 0)
    table.step(Block.TURN, Turn.END_TURN)
    assert table.round == 2  # R5.16: its colour bar brings no second turn


def test_r15_4_a_hero_may_wait_for_an_ally_that_acts_later():
    table = game("after", colour="green")
    table.content["token"]["colour"][table.content["sheet"]["token"][0, 2]] = Colour.RED
    table.begin()
    select(table)
    assert (table.decision, table.legal()) == (Decision.NEXT_ALLY, [(Block.NO, 0), (Block.ALLY, 0)])
    table.step(Block.NO)
    assert (table.active_ally, table.states["enemy"]["acted"][0, 0]) == (1, 1)
    table.step(Block.TURN, Turn.END_TURN)
    table.step(Block.ALLY, 0)
    assert table.active_ally == 0
    table.step(Block.TURN, Turn.END_TURN)
    assert table.round == 2


def test_r15_4_a_hero_that_waited_in_vain_acts_after_all_bars():
    table = game("after", colour="green")
    table.content["token"]["colour"][table.content["sheet"]["token"][0, 2]] = Colour.RED
    table.begin()
    select(table)
    table.step(Block.NO)
    table.step(Block.TURN, Turn.END_TURN)
    table.step(Block.NO)
    assert (table.active_ally, table.round) == (0, 1)


def test_q27_unused_it_acts_on_the_bar_of_its_colour():
    table = game("after").begin()
    select(table)
    table.step(Block.TURN, Turn.END_TURN)
    table.step(Block.NO)
    assert (table.active_ally, table.states["enemy"]["acted"][0, 0]) == (0, 1)
    assert table.maneuvers == 1  # Q63: no bonus maneuver, used or not


@pytest.mark.parametrize(("index", "first"), [(0, 0), (2, 1)])
def test_r15_7_the_owner_chooses_between_first_and_after(index, first):
    table = game("first", "after").begin()
    select(table)
    assert (table.decision, table.legal(Block.SPECIAL)) == (Decision.SPECIAL, [0, 2])
    table.step(Block.SPECIAL, index)
    assert (table.states["ally"]["uses"][0, 0], table.active_ally) == (1 << index, first)


def test_r15_3_last_leaves_no_choice():
    table = game("first", "after", "last").begin()
    select(table)
    assert table.states["ally"]["uses"][0, 0] == Special.LAST
    assert table.active_ally == 1


def test_r5_10_without_a_special_initiative_the_bonus_counts():
    table = game(colour="blue").begin()
    select(table, second=2)
    assert (table.active_ally, table.maneuvers) == (1, 2)


# ---- the initiative-changing skill ------------------------------------------------------------
def test_r5_6_tactics_takes_the_colour_of_an_ally_for_1_stamina():
    table = game(colour="red")
    table.content["sheet"]["tactics"][0] = 1
    table.begin()
    table.step(Block.TOKEN, 2)
    table.step(Block.TOKEN, 2)
    assert (table.decision, table.asked) == (Decision.TACTICS, 0)
    assert table.legal() == [(Block.NO, 0), (Block.ALLY, 1)]
    table.step(Block.ALLY, 1)
    hero = table.states["ally"][0, 0]
    assert (hero["colour"], hero["disk"], hero["spent"]) == (Colour.RED, 7, 1)
    assert table.decision == Decision.NEXT_ALLY  # both are red now


def test_r5_6_it_is_not_offered_to_those_without_stamina_or_skill():
    table = game()
    table.content["sheet"]["tactics"][0] = 1
    table.content["sheet"]["wounds"][0] = 8
    table.begin()
    select(table)
    assert table.decision == Decision.TURN


def test_r5_6_the_colour_lasts_for_the_round():
    table = game(colour="red")
    table.content["sheet"]["tactics"][0] = 1
    table.begin()
    select(table)
    table.step(Block.ALLY, 1)
    while table.round == 1:
        ends = table.decision == Decision.TURN
        table.step(*((Block.TURN, Turn.END_TURN) if ends else table.legal()[0]))
    table.step(Block.TOKEN, FOCUS)
    assert table.states["ally"]["colour"][0, 0] == Colour.GREEN


def test_r15_10_an_enemy_with_last_acts_after_everybody():
    table = game("last").begin()
    table.states["enemy"]["last"][0, 0] = 1
    select(table)
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.active_ally, table.states["enemy"]["acted"][0, 0]) == (0, 0)
    table.step(Block.TURN, Turn.END_TURN)
    assert table.round == 2


def test_r15_10_figures_in_range_and_sight_that_have_not_acted_are_made_last():
    wall = [("a", "b", "double"), ("b", "c", "double")]
    table = Table("a-b-c-d-e-f-g", areas={"b": {"level": 1}}, borders=wall)
    lull = {"name": "lull", "effects": [{"delay": {"range": 3}}]}
    hero = table.hero("c", blue=8, actions=[lull, lull], token=2)
    unseen, acted, fresh, far = (table.enemy(at, actions=IDLE) for at in "addg")
    acted.record["acted"] = 1
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.answer(Block.TURN, Turn.ACT)
    assert table.denials(Block.ENEMY)[:4] == [
        Denial.NO_SIGHT,
        Denial.TURN_TAKEN,
        Denial.NONE,
        Denial.OUT_OF_RANGE,
    ]
    table.answer(Block.ENEMY, fresh)
    assert [beast.last for beast in (unseen, acted, fresh, far)] == [0, 0, 1, 0]
    table.answer(Block.TURN, Turn.END_TURN)
    hero.record["acted"] = 0
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NO_TARGET  # nobody is left to be made last
    table.perform(Verb.NEXT_ROUND)
    assert fresh.last == 0
