"""Random streams: their places at the start of rounds and turns, and shuffled decks."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import N_STREAMS, Ending, Stream
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.agemonia.game_steps import play
from tests.agemonia.rules.table import Table
from tests.games import Games

CARD = "hR, eR-S-h, hG, eG-C-h, hB, eB-O-h"
GAMES = 4000 if COMPILED else 40
needs_many_games = pytest.mark.skipif(
    not COMPILED, reason="statistics need 4,000 games, which only the compiled run plays"
)


def decks(change, seeds=GAMES):
    """Faces of the Initiative deck at set-up from the top, uint64 (seeds, cards), and all faces."""
    games = Games(AGEMONIA, "ford", 2, range(seeds), pack=f"core{change}")
    n = int(games.contents["n_cards"][0])
    faces = games.contents["card"]["face"][0, :n]
    return faces[games.states["initiative"][:, :n]], faces


def test_a_card_less_leaves_the_order_of_the_others():
    whole, faces = decks("")
    less, left = decks(f"; decks.initiative - {CARD}")
    gone = np.setdiff1d(faces, left)
    assert (len(gone), len(np.unique(faces))) == (1, 18)
    np.testing.assert_array_equal(whole[whole != gone].reshape(less.shape), less)


@needs_many_games
def test_every_card_is_as_often_at_every_place():
    whole, faces = decks("")
    for face in faces:
        counts = (whole == face).sum(axis=0)
        assert ((counts - GAMES / 18) ** 2 / (GAMES / 18)).sum() < 50  # 17 degrees, p = 4e-5


@needs_many_games
def test_copies_of_a_card_lie_anywhere():
    whole, faces = decks(f"; decks.initiative + {CARD}")
    first, copy = faces[1], faces[18]
    assert len(np.unique(faces)) == 19
    apart = np.abs((whole == first).argmax(axis=1) - (whole == copy).argmax(axis=1))
    assert abs((apart == 1).mean() - 2 / 19) < 0.02  # four standard errors


def test_the_order_of_a_discard_does_not_matter_to_its_shuffle():
    orders = []
    for discard in ([0, 1, 1, 2, 3], [3, 1, 2, 1, 0]):
        table = Table()
        table.states["n_fate_discard"] = len(discard)
        table.states["fate_discard"][0, : len(discard)] = discard
        table.states["chance"] = np.arange(N_STREAMS)
        table.perform(Verb.FATE)
        orders.append([table.fate_card, *table.states["fate"][0, :4].tolist()])
    assert orders[0] == orders[1]


@pytest.mark.parametrize("scenario", ["ford", "beacon"])
def test_streams_at_a_rounds_start_do_not_depend_on_earlier_draws(table, scenario):
    streams = []
    for policy in (Policy.GREEDY, Policy.RANDOM):
        games = table(scenario, 2, [3])
        while games.states["round"][0] < 3:
            assert games.states["ending"][0] == Ending.NONE
            games.step(games.chosen(policy))
        streams.append(games.states["chance"][0, : Stream.POLICY].tolist())
    assert streams[0] == streams[1]


@pytest.mark.parametrize("scenario", ["beacon", "bell", "tithe", "watchtower"])
def test_no_stream_position_comes_twice(scenario):
    """Two turns of a figure in one round would begin at the same place and see the same dice."""
    compiled = compile_scenario("core", scenario, 4)
    for seed in range(10 if COMPILED else 1):
        places = [0]
        rounds = 0
        for step in play(compiled, seed, Policy.RANDOM):
            place = int(step.after["chance"][0, Stream.TRAP])
            rounds = int(step.after["round"][0])
            if place != places[-1]:
                places.append(place)
        assert len(set(places)) == len(places)
        assert len(places) > 4 * rounds  # they start at least at every turn of a Hero
