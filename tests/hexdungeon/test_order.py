"""G13.1, G13.2: the order of turns."""

from agemonia_env.rulesets.hexdungeon.core.layout import FIRST_MONSTER, FIRST_SUMMON
from agemonia_env.rulesets.hexdungeon.core.terms import Decision, Denial, Proc
from tests.hexdungeon.table import GUARD, RAT, Content, Table, next_figure

M, S = FIRST_MONSTER, FIRST_SUMMON


def position():
    return Table(Content(heroes=2), begin=False)


def order(table):
    """Slots in order of turns; of types that tie the first one."""
    slots = []
    while (f := int(next_figure(table.states))) >= 0:
        table.s["acted"] |= 1 << f
        table.s["turn"] = f
        slots.append(f)
    return slots


def test_g13_1_lowest_initiative_players_first_second_cards_decide():
    t = position()
    t.hero(0, (0, 0), initiative=30, second=60)
    t.hero(1, (0, 1), initiative=30, second=40)
    t.rat(0, (5, 0), initiative=30)
    t.rat(1, (6, 0), initiative=12, kind=GUARD)
    assert order(t) == [M + 1, 1, 0, M]


def test_g13_1_elites_first_then_standees_ascending():
    t = position()
    for k, (elite, standee) in enumerate([(0, 4), (1, 3), (0, 2), (1, 9)]):
        t.rat(k, (4 + k, 0), initiative=30, elite=elite, standee=standee)
    assert order(t) == [M + 1, M + 3, M + 2, M]


def test_g13_2_summons_right_before_their_owner_in_order_of_summoning():
    t = position()
    t.hero(0, (0, 0), initiative=40, second=50)
    t.hero(1, (0, 1), initiative=40, second=20)
    t.summon(0, (1, 0), owner=0, order=2)
    t.summon(1, (2, 0), owner=0, order=1)
    t.summon(2, (3, 0), owner=1, order=3)
    t.rat(0, (5, 0), initiative=40)
    assert order(t) == [S + 2, 1, S + 1, S, 0, M]


def test_g13_2_a_summon_does_not_act_in_the_round_it_came():
    t = position()
    t.hero(0, (0, 0), initiative=40)
    t.summon(0, (1, 0), owner=0, order=1, fresh=1)
    assert order(t) == [0]


def test_g14_1_a_long_rest_is_last():
    t = position()
    t.hero(0, (0, 0), initiative=99, second=99)
    t.rat(0, (5, 0), initiative=98)
    assert order(t) == [M, 0]


def test_g13_1_players_choose_among_tied_types_and_a_type_finishes_first():
    t = position()
    for k, kind in enumerate([RAT, GUARD, RAT, GUARD]):
        t.rat(k, (4 + k, 0), initiative=30, kind=kind, standee=k)
    t.s["type"]["card"] = -1  # no cards: their turns are empty
    t.push(Proc.NEXT_TURN)
    assert t.decision == Decision.NEXT_TYPE
    assert t.denial(Decision.NEXT_TYPE, M + 1) == Denial.NONE
    assert t.denial(Decision.NEXT_TYPE, M + 3) == Denial.NOT_AMONG_THEM
    assert t.denial(Decision.NEXT_TYPE, 0) == Denial.NOT_AMONG_THEM
    t.s["depth"] = 0  # the order alone
    t.s["acted"] |= 1 << (M + 1)
    t.s["turn"] = M + 1
    assert order(t) == [M + 3, M, M + 2]
