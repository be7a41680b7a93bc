"""G11.13 [H16, H21]: when an active card moves to its pile; before damage or a rest it need not."""

from itertools import chain, combinations

import numpy as np
import pytest

from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.actions import Block
from agemonia_env.rulesets.hexdungeon.core.commands import N_ARGUMENTS, Verb
from agemonia_env.rulesets.hexdungeon.core.layout import FIRST_SUMMON
from agemonia_env.rulesets.hexdungeon.core.terms import Decision, Denial, Place, Source, Trigger
from tests.hexdungeon.table import NO_ROWS, Content, Table

HAND, DISCARD, LOST, ACTIVE = Place.HAND, Place.DISCARD, Place.LOST, Place.ACTIVE
SHIELD, NEGATION = 0, 1  # bonuses, and the cards that bring them
PLACES = [  # of the other cards
    (),
    (HAND,),
    (DISCARD, DISCARD),
    (HAND, DISCARD),
    (HAND, DISCARD, DISCARD),
]


def position(others, token=1, hp=6):
    """A character with a Shield for the round and a negation in play, and other cards."""
    content = Content()
    shield, negation = content.c["bonus"][SHIELD], content.c["bonus"][NEGATION]
    shield["round"], shield["shield"] = 1, 2
    negation["trigger"], negation["negate"], negation["spaces"] = Trigger.DAMAGE, 1, 2
    t = Table(content, begin=False)
    t.hero(0, (0, 0), hp=hp)
    t.s["hero"][0]["place"][: 2 + len(others)] = [ACTIVE, ACTIVE, *others]
    for card, loss in ((SHIELD, 0), (NEGATION, 1)):
        active = t.s["active"][card]
        active["owner"], active["card"], active["bonus"], active["loss"] = 0, card, card, loss
        active["served"] = 1
    t.s["active"][NEGATION]["token"] = token
    t.s["n_active"] = 2
    t.s["actor"] = t.s["turn"] = 0
    return t


def perform(t, verb, *values):
    x = np.full(N_ARGUMENTS, -1, np.int32)
    x[: len(values)] = values
    return Denial(int(api.perform(t.states, t.content.records, int(verb), x, NO_ROWS)))


def ends(t):
    """Every state to which answers lead, without those that move active cards."""
    if t.decision == Decision.NONE:
        yield t.states.copy()
        return
    before = t.states.copy()
    for block, k in t.legal():
        if block == Block.ACTIVE:
            continue
        t.answer(block, k)
        yield from ends(t)
        t.states[:] = before


def outcomes(others, early, verb, *values, token=1):
    """Outcomes of a verb if these cards are moved to their piles before it."""
    t = position(others, token)
    for card in early:
        assert perform(t, Verb.REMOVE, 0, card) == Denial.NONE
    assert perform(t, verb, *values) in (Denial.NONE, Denial.TOO_FEW_CARDS, Denial.NOT_DISCARDED)
    for state in ends(t):
        t.states[:] = state
        place = t.s["hero"][0]["place"]
        active = {
            int(a["card"]): (int(a["token"]), int(a["loss"]))
            for a in t.s["active"][: int(t.s["n_active"])]
        }
        lost = set(np.flatnonzero(place == LOST).tolist())
        lost |= {card for card, (_, loss) in active.items() if loss}  # G11.12
        hand = set(np.flatnonzero(place == HAND).tolist())
        yield (
            int(t.figure(0)["hp"]),
            hand,
            lost,
            {card: token for card, (token, _) in active.items()},
        )


def is_no_worse(a, b):
    """Whether outcome a has all that b has: hit points, cards, and bonuses in play."""
    hp, hand, lost, active = a
    other_hp, other_hand, other_lost, others = b
    uses = all(card in active and active[card] <= token for card, token in others.items())
    return hp >= other_hp and hand >= other_hand and lost <= other_lost and uses


def early():
    """Cards that may be moved before."""
    return chain.from_iterable(combinations((SHIELD, NEGATION), n) for n in (1, 2))


@pytest.mark.parametrize("others", PLACES)
@pytest.mark.parametrize("source", [Source.ATTACK, Source.TRAP])
def test_h21_before_damage_nothing_is_gained(others, source):
    for amount in range(1, 8):
        for token in (1, 2):
            hit = (Verb.DAMAGE, 0, amount, source, 0)
            kept = [*outcomes(others, (), *hit, token=token)]
            for cards in early():
                for outcome in outcomes(others, cards, *hit, token=token):
                    assert any(is_no_worse(k, outcome) for k in kept), (amount, cards)


@pytest.mark.parametrize("others", PLACES)
@pytest.mark.parametrize("long", [0, 1])
def test_h21_before_a_rest_nothing_is_gained(others, long):
    for card in range(2 + len(others)):
        rest = (Verb.REST, 0, long, card)
        kept = [*outcomes(others, (), *rest)]
        for cards in early():
            for outcome in outcomes(others, cards, *rest):
                assert any(is_no_worse(k, outcome) for k in kept), (card, cards)


def test_g11_13_without_its_shield_the_character_suffers_more():
    """The comparison detects the value of a card."""
    hit = (Verb.DAMAGE, 0, 4, Source.ATTACK, 0)
    (kept,) = outcomes((), (NEGATION,), *hit)
    (gone,) = outcomes((), (SHIELD, NEGATION), *hit)
    assert (kept[0], gone[0]) == (4, 2)
    assert is_no_worse(kept, gone)
    assert not is_no_worse(gone, kept)


@pytest.mark.parametrize("summon", [True, False])
def test_h16_in_the_turn_of_another_a_summon_makes_way(summon):
    t = position(())
    t.hero(1, (2, 0))
    t.summon(0, (1, 0), owner=0)
    t.s["active"]["summon"] = -1
    if summon:
        t.s["active"][SHIELD]["summon"] = FIRST_SUMMON
    t.s["decision"], t.s["asked"], t.s["actor"] = Decision.TURN, 1, 1
    assert [(Block.ACTIVE, k) in t.legal() for k in range(2)] == [summon, False]
