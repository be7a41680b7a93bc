"""Section 5: selection, the Initiative card, and the order of turns."""

import random

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Query, Verb
from agemonia_env.rulesets.agemonia.core.layout import EXTRA_MANEUVER, FOCUS
from agemonia_env.rulesets.agemonia.core.terms import (
    Colour,
    Decision,
    Denial,
    Kind,
    Objective,
    Special,
)
from tests.agemonia.rules.table import IDLE, Table


def end_turn(table):
    assert table.asks[0] == Decision.TURN
    assert table.step(Block.TURN, Turn.END_TURN) == Denial.NONE


# ---- selection ------------------------------------------------------------------------------
def test_r5_2_each_hero_is_asked_in_turn_for_one_of_its_own_tokens():
    table = Table("a-b")
    table.hero(actions=[{"colour": "blue"}])
    friend = table.companion()
    other = table.hero()
    table.enemy("b")
    table.begin()
    assert table.asks == (Decision.SELECT_ACTION, 0)
    assert table.legal() == [(Block.TOKEN, 0), (Block.TOKEN, 1), (Block.TOKEN, 2)]
    assert table.step(Block.TOKEN, 3) == Denial.NO_SUCH_ACTION
    assert table.step(Block.TOKEN, 2) == Denial.NONE
    assert table.asks == (Decision.SELECT_ACTION, other.slot)  # a Non-Hero Ally chooses nothing
    assert table.legal() == [(Block.TOKEN, FOCUS), (Block.TOKEN, EXTRA_MANEUVER)]
    assert table.states["ally"][0, 0]["colour"] == Colour.BLUE
    assert friend.token == -1


def test_r5_3_choosing_pays_nothing():
    table = Table("a-b")
    hero = table.hero(blue=4, actions=[{"cost": 3, "gem": 1, "effects": [{"evade": 1}]}])
    table.enemy("b")
    table.begin()
    table.step(Block.TOKEN, 2)
    assert (hero.token, hero.disk, hero.spent) == (2, 4, 0)


def test_r5_5_an_exhausted_hero_selects_nothing():
    table = Table("a-b")
    fallen, other = table.hero(), table.hero()
    table.enemy("b")
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.step(Block.TOKEN, FOCUS)
    assert table.asks[0] == Decision.NEXT_ALLY
    table.perform(Verb.DAMAGE, fallen, 9)  # all chips red, then wounded
    table.perform(Verb.DAMAGE, fallen, 9)
    assert fallen.exhausted
    table.states["decision"][0] = 0
    table.perform(Verb.RECOUNT)
    while table.round == 1:
        end_turn(table)
    assert table.asks == (Decision.SELECT_ACTION, other.slot)
    assert table.perform(Verb.CHOOSE, fallen, FOCUS) == Denial.OUT_OF_ACTION


# ---- the card -------------------------------------------------------------------------------
@pytest.mark.parametrize("marked", [(4, 9), ()], ids=["with Shuffle", "a deck that runs out"])
def test_r5_7_and_r5_12_all_cards_come_back_only_after_a_shuffle_card(marked):
    table = Table("a-b")
    table.hero()
    table.enemy("b", actions=IDLE)
    for k in range(18):
        table.card("hR, hB, hG, eR-O, eB-O, eG-O" + (" *" if k in marked else ""))
    table.builder.set_objective(Objective.HOLD, number=99)
    table.begin(seed=7)
    deck, previous, shuffles = set(range(18)), None, 0
    for _ in range(45):
        table.step(Block.TOKEN, FOCUS)
        if previous in marked or not deck:
            deck = set(range(18))
            shuffles += 1
        assert table.drawn in deck, "a card came twice between two shuffles"
        deck -= {table.drawn}
        assert set(table.initiative[: table.n_initiative]) == deck
        assert table.n_initiative + table.n_initiative_discard == 18
        previous = table.drawn
        end_turn(table)
    assert shuffles >= 2


# ---- the order of turns ---------------------------------------------------------------------
def groups_of(table):
    """The order of a round, read from its card: sets of figures that act one after another."""
    card, content = table.content["card"][table.drawn], table.content
    allies = [a for a in table.states["ally"][0] if a["kind"] != Kind.NOBODY]
    special = {a: int(ally["special"]) for a, ally in enumerate(allies)}
    last = {a for a in special if special[a] & Special.LAST}
    first = {a for a in special if special[a] & Special.FIRST} - last
    groups = [{("ally", a) for a in first}]
    for bar in range(6):
        colour = card["colour"][bar]
        if card["enemy"][bar]:
            types = [k for k in range(content["n_types"]) if content["type"]["colour"][k] == colour]
            groups.append({("enemy", k) for k in types})
        else:
            same = {a for a, ally in enumerate(allies) if ally["colour"] == colour}
            groups.append({("ally", a) for a in same - first - last})
    return [*groups, {("ally", a) for a in last}]


def play_round(table, choice):
    """Play a round with random choices -> figures in the order in which they act."""
    order = []
    now = table.round
    while table.round == now:
        decision, asked = table.asks
        if decision == Decision.TURN:
            order.append(("ally", asked))
            table.step(Block.TURN, Turn.END_TURN)
        elif decision == Decision.INSPIRATION:  # its target is asked: so the Enemy's turn is seen
            order.append(("enemy", table.active_enemy))
            table.step(Block.NO)
        elif decision == Decision.STAND_IN:
            table.step(Block.NO)
        else:
            assert decision in (Decision.NEXT_ALLY, Decision.NEXT_TYPE)
            table.step(*choice(table.legal()))
    return order


def crowd(table):
    """Three Heroes with actions of every colour and special, six Enemies of four types."""
    tokens = [{"colour": colour} for colour in ("red", "blue", "green")]
    tokens += [{"special": ["first"]}, {"special": ["last"]}, {"special": ["first", "last"]}]
    for taunt in (9, 1, 1):
        table.hero(blue=99, taunt=taunt, inspiration=5, actions=tokens, might=0)
    table.companion(colour="blue", health=90)
    for name, colour in (("hound", "red"), ("boar", "red"), ("wisp", "blue"), ("toad", "green")):
        attack = {"value": 0, "type": "magic", "range": 0}
        action = {"move": 0, "attack": attack}
        actions = dict.fromkeys(("staring", "open", "closed"), action)
        table.kind(name, colour=colour, health=99, actions=actions)
    for name in ("hound", "boar", "hound", "wisp", "toad", "hound"):
        table.enemy(kind=name)


def test_r5_14_to_r5_17_order_of_turns_is_that_of_the_card():
    table = Table(areas={"a": {"capacity": 99}})
    crowd(table)
    for bars in (
        "eB-O, hR, eR-O, hB, hG, eG-O",
        "hR, eR-S, hG, eG-C, hB, eB-O",
        "hG, eG-C, hB, eB-C, eR-C, hR",
        "eR-S, eB-O, eG-C, hR, hB, hG",
    ):
        table.card(bars + " *")
    table.builder.set_objective(Objective.HOLD, number=99)
    table.begin()
    table.states["ally"]["inspiration"][0, :3] = 5
    dice = random.Random(3)
    for _ in range(25):
        while table.asks[0] == Decision.SELECT_ACTION:
            table.step(Block.TOKEN, dice.choice(table.legal(Block.TOKEN)))
        groups = groups_of(table)
        order = play_round(table, dice.choice)
        kinds = table.states["enemy"]["type"][0]
        acted = [figure if figure[0] == "ally" else ("enemy", kinds[figure[1]]) for figure in order]
        for group in groups:
            size = sum(1 if side == "ally" else int((kinds == k).sum()) for side, k in group)
            assert set(acted[:size]) == group
            types = [k for side, k in acted[:size] if side == "enemy"]
            runs = [k for n, k in enumerate(types) if n == 0 or types[n - 1] != k]
            assert len(runs) == len(set(runs)), "a type is finished before the next one goes"
            acted = acted[size:]
        assert acted == [], "somebody acted twice"
        for kind in set(kinds[:6]):
            acting = [e for side, e in order if side == "enemy" and kinds[e] == kind]
            assert acting == sorted(acting)  # R5.15: by figure number


def test_r5_14_allies_of_one_bar_act_in_the_order_the_players_choose():
    table = Table("a-b")
    heroes = [table.hero(), table.hero(), table.hero(actions=[{"colour": "red"}])]
    table.enemy("b")
    table.begin()
    for token in (FOCUS, FOCUS, 2):
        table.step(Block.TOKEN, token)
    assert table.asks == (Decision.TURN, heroes[2].slot)  # alone on its bar: nobody is asked
    end_turn(table)
    assert table.asks == (Decision.NEXT_ALLY, -1)
    assert table.legal() == [(Block.ALLY, 0), (Block.ALLY, 1)]
    assert table.denial(Block.ALLY, 2) == Denial.NOT_TIED_BEST
    table.step(Block.ALLY, 1)
    assert table.asks == (Decision.TURN, 1)


def test_r5_15_the_players_choose_among_types_of_one_colour():
    table = Table("a-b-c-d")
    table.hero("a")
    for kind in ("hound", "boar"):
        table.enemy("d", kind=kind)
    table.card("eR-O, eB-O, eG-O, hR, hB, hG")
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    assert table.asks == (Decision.NEXT_TYPE, -1)
    assert table.legal() == [(Block.TYPE, 0), (Block.TYPE, 1)]
    assert table.denial(Block.TYPE, 2) == Denial.NOT_TIED_BEST
    table.step(Block.TYPE, 1)
    assert table.asks == (Decision.TURN, 0)


def test_r5_15_figures_of_a_type_go_by_number_not_by_slot():
    table = Table("a-b")
    table.hero("a")
    table.card("eR-O, eB-O, eG-O, hR, hB, hG")
    high = table.enemy("b", kind="hound", number=4)
    low = table.enemy("b", kind="hound", number=2)
    table.states["card"], table.states["bar"] = 0, 1
    assert table.query(Query.NEXT_FIGURE)[:2].tolist() == [1, low.__index__()]
    table.perform(Verb.MARK_ACTED, low)
    assert table.query(Query.NEXT_FIGURE)[:2].tolist() == [1, high.__index__()]


# ---- the bonus maneuver ---------------------------------------------------------------------
def maneuvers(token, **more):
    """Maneuvers in the turn of a Hero that chose this token, under hR+, hB, hG+."""
    special = {"colour": "green", "special": ["first"]}
    table = Table("a-b")
    table.hero(actions=[{"colour": "green"}, {"colour": "blue"}, special], **more)
    table.enemy("b")
    table.card("hR+, hB, hG+, eR-O, eB-O, eG-O")
    table.begin()
    table.step(Block.TOKEN, token)
    assert table.asks == (Decision.TURN, 0)
    return table.maneuvers


def test_r5_10_a_bar_with_the_symbol_gives_a_bonus_maneuver():
    assert maneuvers(2) == 2
    assert maneuvers(3) == 1


def test_r6_3_bonus_and_extra_maneuver_stack():
    assert maneuvers(EXTRA_MANEUVER) == 3


def test_r15_2_no_bonus_maneuver_with_a_special_initiative():
    assert maneuvers(4) == 1


def test_r5_10_a_non_hero_ally_of_the_colour_gets_the_bonus():
    table = Table()
    friend, other = table.companion(colour="blue"), table.companion(colour="red")
    table.card("hR, hB+, hG, eR-O, eB-O, eG-O")
    table.states["card"] = 0
    assert [table.query(Query.BAR, ally)[3] for ally in (friend, other)] == [1, 0]


def test_r5_9_and_r5_11_all_enemies_of_a_colour_read_the_same_bar():
    table = Table()
    hound, boar, wisp = table.enemy(), table.enemy(), table.enemy(colour="blue")
    table.card("hR, eB-C-s, hB, eR-S-h, hG, eG-O")
    table.states["card"] = 0
    bars = [table.query(Query.BAR, enemy)[:3].tolist() for enemy in (hound, boar, wisp)]
    assert bars == [[0, 1, 0], [0, 1, 0], [2, 0, 1]]


def test_q40_the_bonus_is_part_of_a_turn_and_the_exhausted_take_none():
    table = Table()
    hero, fallen = (table.hero(actions=[{"colour": "red"}], token=2) for _ in range(2))
    fallen.record["exhausted"] = 1
    table.card("hR+, hB, hG, eR-O, eB-O, eG-O")
    table.states["card"] = 0
    assert table.perform(Verb.START_TURN, fallen, 1, 0) == Denial.OUT_OF_ACTION
    assert table.maneuvers == 0
    assert table.perform(Verb.START_TURN, hero, 1, 0) == Denial.NONE
    assert table.maneuvers == 2
