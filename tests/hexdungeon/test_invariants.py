"""Every bit of `status` is raised by a state that is broken in that way, and by that alone."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.layout import FIRST_MONSTER, FIRST_SUMMON
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Broken,
    Decision,
    Effect,
    Place,
    Side,
    Terrain,
)
from tests.hexdungeon.games import Games
from tests.observed import put

SCENARIOS = [
    *("bell-loft", "counting-vault", "drying-floor", "lower-stair"),
    *("mother-furnace", "slag-market", "under-the-weir", "warm-cellar"),
]
GAMES = 40 if COMPILED else 1
LIMIT = 100_000 if COMPILED else 60
PARTIES = [1, 2, 3, 4] if COMPILED else [2]
MONSTER, OTHER = FIRST_MONSTER, FIRST_MONSTER + 1


def share_a_hex(states):
    states["figure"]["at"][0, MONSTER] = states["figure"]["at"][0, OTHER]
    api.find_figures(states)


def stand_on_a_wall(states):
    at = int(states["figure"]["at"][0, MONSTER])
    states["board"]["floor"][0, at // 64] &= ~np.uint64(1 << at % 64)


def stand_on_an_obstacle(states):
    at = int(states["figure"]["at"][0, MONSTER])
    states["board"]["terrain"][0, Terrain.OBSTACLE, at // 64] |= np.uint64(1 << at % 64)


def double_a_modifier(states):
    states["deck"]["pile"][0, 1, 0] = states["deck"]["pile"][0, 1, 1]


def lose_a_modifier(states):
    states["deck"]["n_pile"][0, 0] -= 1


def double_a_monster_card(states):
    states["type"]["pile"][0, 0, 0] = states["type"]["pile"][0, 0, 1]


def turn_what_is_face_down(states):
    states["type"]["card"][0, 0] = states["type"]["pile"][0, 0, 0]


def keep_no_summon(states):
    """A card in the active area whose summon is not on the board."""
    active = states["active"][0, 0]
    states["n_active"][0] = 1
    active["owner"], active["card"], active["bonus"] = 0, 3, -1
    active["summon"] = FIRST_SUMMON
    states["hero"]["place"][0, 0, 3] = Place.ACTIVE
    states["figure"]["side"][0, FIRST_SUMMON] = Side.SUMMON


CASES = [
    (Broken.CARDS, put("hero.place", Place.NONE, 0, 2)),
    (Broken.CARDS, put("hero.place", Place.HAND, 3, 2)),
    (Broken.ACTIVE, put("hero.place", Place.ACTIVE, 0, 2)),
    (Broken.ACTIVE, put("active.owner", 0, 0)),
    (Broken.ACTIVE, keep_no_summon),
    (Broken.DECKS, double_a_modifier),
    (Broken.DECKS, lose_a_modifier),
    (Broken.SUPPLY, put("bless", 9)),
    (Broken.SUPPLY, put("curse_monster", 11)),
    (Broken.SUPPLY, put("curse_hero", 0)),
    (Broken.SHARED_HEX, share_a_hex),
    (Broken.OFF_FLOOR, stand_on_a_wall),
    (Broken.OBSTACLE, stand_on_an_obstacle),
    (Broken.HIT_POINTS, put("figure.hp", 99, MONSTER)),
    (Broken.HIT_POINTS, put("figure.hp", -1, MONSTER)),
    (Broken.HIT_POINTS, put("figure.hp", 0, MONSTER)),
    (Broken.CONDITIONS, put("figure.condition", 2, MONSTER, Effect.POISON)),
    (Broken.CONDITIONS, put("figure.condition", 3, MONSTER, Effect.STUN)),
    (Broken.CONDITIONS, put("figure.condition", 1, MONSTER, Effect.NONE)),
    (Broken.MONSTER_CARDS, double_a_monster_card),
    (Broken.MONSTER_CARDS, turn_what_is_face_down),
    (Broken.PLACES, put("present", 1)),
    (Broken.PLACES, put("party", 0, 0)),
    (Broken.PLACES, put("monsters", 1, 3)),
    (Broken.EMPTY_MASK, put("decision", Decision.REST_LOSE)),
    (Broken.EMPTY_MASK, put("decision", Decision.NONE)),
]


def test_every_invariant_can_be_broken():
    assert {bit for bit, _ in CASES} == set(Broken)


@pytest.mark.parametrize(("bit", "change"), CASES, ids=lambda x: getattr(x, "__name__", str(x)))
def test_a_broken_state_raises_its_bit_alone(bit, change):
    games = Games("counting-vault", 2, [1])
    assert games.status()[0] == 0
    change(games.states)
    assert games.status()[0] == bit


@pytest.mark.parametrize("heroes", PARTIES)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_games_stay_sound_and_end(scenario, heroes):
    for policy in (Policy.RANDOM, Policy.GREEDY):
        games = Games(scenario, heroes, range(GAMES), auto_ties=0)
        played, broken = games.play(policy, LIMIT)
        assert played > 0
        assert not broken.any()
        assert not (COMPILED and games.running.any())
        assert (games.states["round"] <= games.contents["last_round"][0]).all()
