"""G14: where every ability card lies, after every decision of whole games."""

import numpy as np
import pytest

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.rulesets.hexdungeon.content.compile import compile_scenario
from agemonia_env.rulesets.hexdungeon.content.load import load_pack
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.actions import STARTS, Block
from agemonia_env.rulesets.hexdungeon.core.layout import N_HAND, N_HEROES, STATE
from agemonia_env.rulesets.hexdungeon.core.terms import Decision, Place
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv

SCENARIOS = sorted(load_pack("hex-core").scenarios)
CLASSES = sorted(load_pack("hex-core").classes)
GAMES = 10_000 // len(SCENARIOS) if COMPILED else 4
DECISIONS = 4000 if COMPILED else 60
CARD = STARTS[Block.CARD]
# How many cards may leave the hand of who answers: the second one may be the only one left
LEAVE = np.zeros(len(Decision), np.int64)
LEAVE[[Decision.LEAD, Decision.SECOND, Decision.LOSE]] = 2, 1, 1


def hands(states):
    """Which cards are in hand, bool (n, N_HEROES, N_HAND): not those chosen for the round."""
    heroes, cards = states["hero"], np.arange(N_HAND)
    chosen = cards == heroes["lead"][..., None]
    chosen |= cards == heroes["second"][..., None]
    return (heroes["place"] == Place.HAND) & ~chosen


def is_card(actions):
    """Whether each action names a card."""
    return (actions >= CARD) & (actions < CARD + N_HAND)


def marked(which, heroes, actions):
    """The cards that actions name, bool (n, N_HEROES, N_HAND); which: bool (n,)."""
    marks = np.zeros((len(which), N_HEROES, N_HAND), np.bool_)
    games = np.flatnonzero(which)
    marks[games, heroes[games], actions[games] - CARD] = True
    return marks


@pytest.mark.parametrize("k", range(len(SCENARIOS)), ids=SCENARIOS)
def test_cards_leave_the_hand_only_if_they_are_chosen_or_lost(k):
    heroes = [CLASSES[(k + j) % len(CLASSES)] for j in range(4)]
    content = compile_scenario("hex-core", SCENARIOS[k], heroes).content
    states, which = zeros(STATE, GAMES), np.zeros(GAMES, np.int16)
    seeds, every = np.arange(GAMES, dtype=np.uint64), np.ones(GAMES, np.uint8)
    api.reset(states, content, which, seeds, every, 0, api.NO_ROWS)
    total = (states["hero"]["place"] != Place.NONE).sum(axis=(1, 2))
    broken = np.zeros(GAMES, np.int64)
    for _ in range(DECISIONS):
        going_on = states["ending"] == GOING_ON
        if not going_on.any():
            break
        states, which, total = states[going_on], which[going_on], total[going_on]
        actions, denials = np.zeros(len(states), np.int64), np.zeros(len(states), np.int16)
        api.choose_actions(states, content, which, 0, actions)
        decision, asked = states["decision"].copy(), states["asked"].copy()
        before = hands(states)
        api.step(states, content, which, actions, 0, api.NO_ROWS, denials)
        assert not denials.any()
        after, place = hands(states), states["hero"]["place"]
        named = is_card(actions)
        left = (before & ~after & (place != Place.NONE)).sum(axis=2)
        may = np.zeros_like(left)
        may[np.arange(len(states)), asked] = LEAVE[decision] * named
        assert (left <= may).all()
        taken = marked(named & (decision == Decision.RECOVER), asked, actions)
        assert (after | ~taken).all()  # in the hand at once
        assert ((place != Place.NONE).sum(axis=(1, 2)) == total).all()
        broken = broken[: len(states)] * 0
        api.status(states, content, which, broken)
        assert not broken.any()


def test_a_lost_card_taken_back_in_its_own_turn_stays_in_the_hand():
    env = HexDungeonEnv(scenario="warm-cellar", heroes=["burrowcaller"])
    env.reset(seed=1)
    wanted = ["Pack Signal", "Hibernate", "top of Pack Signal", "bottom of Hibernate"]
    for words in (*wanted, "take back Pack Signal"):
        pick = answer(env, words)
        while pick is None:
            env.step(pass_on(env))
            pick = answer(env, words)
        env.step(pick)
    names = env.compiled.names.cards[0]
    card = [getattr(name, "name", name) for name in names].index("Pack Signal")
    assert hands(env.states)[0, 0, card]
    while env.question().startswith("Burrowcaller: what next"):
        env.step(pass_on(env))
    assert hands(env.states)[0, 0, card]


def answer(env, words):
    """The legal action with these words in its text; None if there is none."""
    legal = map(int, env.legal_actions())
    return next((a for a in legal if words in env.action_meaning(a)), None)


def pass_on(env):
    """An answer that does as little as possible."""
    legal = [int(a) for a in env.legal_actions()]
    words = ("done", "stop moving", "no", "suffer")
    return next((a for a in legal if env.action_meaning(a) in words), legal[-1])
