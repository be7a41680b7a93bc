"""Whole games of random and greedy play: valid states, correct masks, and every game ends."""

from itertools import product

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.agemonia.content.load import scenarios
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Denial, Ending, Kind
from tests import fuzz
from tests.agemonia.fuzz import draw, failures

PARTIES = list(product(scenarios("core"), (1, 2, 3, 4)))
DECISIONS = 1_000_000 // len(PARTIES) if COMPILED else 20  # at random, for each party
GREEDY_DECISIONS = 4_000 if COMPILED else 8
ENDLESS = 5_000  # decisions that no game reaches
LEGALITY_GAMES = 8 if COMPILED else 1
LEGALITY_STEPS = 400 if COMPILED else 8


@pytest.mark.parametrize(("scenario", "heroes"), PARTIES)
@pytest.mark.parametrize("auto_ties", [0, 1])
def test_random_play_stays_sound_and_ends(table, scenario, heroes, auto_ties):
    played, longest, first = 0, 0, 1_000_000 * auto_ties
    while played < DECISIONS // 2:
        games = table(
            scenario, heroes, range(first, first + 256 if COMPILED else first + 1), auto_ties
        )
        n, broken = games.play(Policy.RANDOM, ENDLESS if COMPILED else DECISIONS // 2)
        guilty = {first + i: bits for i, bits in enumerate(broken.tolist()) if bits}
        assert not guilty, f"broken invariants by seed: {guilty}"
        assert not COMPILED or (games.states["ending"] != Ending.NONE).all()
        longest = max(longest, int(games.states["decisions"].max()))
        played, first = played + n, first + games.n
    assert longest < ENDLESS
    print(f"{scenario}, {heroes} Heroes: {played} decisions, longest game {longest}")


@pytest.mark.parametrize(("scenario", "heroes"), PARTIES)
def test_greedy_play_stays_sound_and_ends(table, scenario, heroes):
    games = table(scenario, heroes, range(40 if COMPILED else 1))
    played, broken = games.play(Policy.GREEDY, ENDLESS if COMPILED else GREEDY_DECISIONS)
    assert not broken.any()
    assert played >= len(games.states)
    if COMPILED:
        assert (games.states["ending"] != Ending.NONE).all()
        won = games.states["won"] == 1
        assert ((games.states["ending"] == Ending.OBJECTIVE) >= won).all()


@pytest.mark.parametrize(("scenario", "heroes"), PARTIES)
def test_masks_match_the_denials(table, scenario, heroes):
    games = table(scenario, heroes, range(LEGALITY_GAMES), auto_ties=0)
    for _ in range(LEGALITY_STEPS):
        masks = games.masks()
        for i in np.flatnonzero(games.states["ending"] == Ending.NONE):
            assert masks[i].any()
            assert (masks[i] == (games.all_denials(i) == Denial.NONE)).all()
            assert_chips_are_conserved(games, i)
        games.step(games.chosen())
        assert not games.status().any()
        if (games.states["ending"] != Ending.NONE).all():
            return


def assert_chips_are_conserved(games, i):
    """R1.3 without the core's own check."""
    ally, sheet = games.states["ally"], games.contents["sheet"]
    for a in np.flatnonzero(ally["kind"][i] == Kind.HERO):
        chips = sum(int(ally[place][i, a]) for place in ("disk", "spent", "wounds"))
        assert chips + ally["lock_chips"][i, a].sum() == sheet["blue"][0, a]


def test_a_finished_game_refuses_everything_and_masks_nothing(table):
    games = table("ford", 1, [3])
    while games.states["ending"][0] == Ending.NONE:
        games.play(Policy.RANDOM, 200)
    assert games.masks().all()
    assert set(games.all_denials().tolist()) == {Denial.SCENARIO_ENDED}
    before = games.states.tobytes()
    assert games.step([0]).tolist() == [Denial.SCENARIO_ENDED]
    assert games.play(Policy.RANDOM, 10)[0] == 0
    assert games.states.tobytes() == before


@pytest.mark.parametrize("scenario", scenarios("core"))
def test_a_refused_action_changes_nothing_and_says_why(table, scenario):
    games = table(scenario, 2, [5], auto_ties=0)
    for _ in range(60 if COMPILED else 4):
        denials = games.all_denials()
        before = games.states.tobytes()
        for action in np.flatnonzero(denials != Denial.NONE):
            assert games.step([action]).tolist() == [denials[action]]
            assert games.states.tobytes() == before
        games.step(games.chosen())


@pytest.mark.parametrize(("scenario", "heroes"), PARTIES)
def test_observations_are_finite_and_scaled(table, scenario, heroes):
    games = table(scenario, heroes, range(32 if COMPILED else 1))
    for _ in range(30 if COMPILED else 3):
        observations = games.observations()
        assert np.isfinite(observations).all()
        assert np.abs(observations).max() <= 10.0
        games.step(games.chosen())


@pytest.mark.parametrize("game", failures(), ids=lambda game: f"{game.scenario}-{game.seeds}")
def test_a_game_that_once_failed(game):
    played, _, wrong = game.play(fuzz.ENDLESS if COMPILED else 30)
    assert (played > 0, wrong) == (True, [])


@pytest.mark.parametrize("seed", range(30 if COMPILED else 4))
def test_positions_drawn_from_everything_stay_sound(seed):
    game = draw(np.random.default_rng(seed), games=64 if COMPILED else 1)
    played, _, wrong = game.play(fuzz.ENDLESS if COMPILED else 20)
    assert (played > 0, wrong) == (True, []), game
