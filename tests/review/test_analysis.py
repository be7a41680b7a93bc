"""What decisions were worth: sums that must hold, and decisions whose worth is known."""

import numpy as np
import pytest

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.policies import policy_of
from agemonia_env.review.analysis import Analyst, Effort, probabilities_of, totals
from agemonia_env.review.rollouts import NOTHING, Rollouts
from agemonia_env.simulation.games import play_batches
from tests.review.games import recorded

EFFORT = Effort(simulations=16, rollouts=40)


def judged_game(env_id, policy, steps=None, *, seed=7, effort=EFFORT, **choices):
    recording = recorded(env_id, policy, steps, seed, **choices)
    return recording, list(Analyst(recording, effort).judgements())


@pytest.fixture(scope="module", params=["Agemonia-v0", "HexDungeon-v0"])
def random_game(request):
    """A game of random play: decisions on either side of greedy play's."""
    return judged_game(request.param, "random", seed=4, effort=Effort(0, 40))


@pytest.fixture(scope="module")
def greedy_game():
    return judged_game("Agemonia-v0", "greedy", scenario="ford")


def test_play_and_luck_sum_up_to_the_result(random_game):
    recording, judged = random_game
    sums = totals(recording, judged)
    change = sums["hero_play"][0] + sums["enemy_play"][0] + sums["luck"][0]
    assert sums["start"][0] + change == pytest.approx(sums["end"][0], abs=0.01)
    assert sums["end"] == [float(recording.won)] * 3


def test_random_decisions_are_worse_than_greedy_ones(random_game):
    play, half = totals(*random_game)["hero_play"]
    assert play < -half


def test_greedy_decisions_are_worth_what_greedy_play_would_make_of_them(greedy_game):
    recording, judged = greedy_game
    assert totals(recording, judged)["hero_play"] == [0, 0]
    assert all(one.play == [0, 0] for one in judged if one.play)


def test_the_planner_s_own_choice_costs_nothing(greedy_game):
    recording, judged = greedy_game
    same = [
        one
        for one, decision in zip(judged, recording.decisions, strict=False)
        if one.cost and decision.options[one.best] == decision.action
    ]
    assert same
    assert all(one.cost == [0, 0] for one in same)


def test_every_option_has_its_numbers(greedy_game):
    recording, judged = greedy_game
    assert len(judged) == recording.steps + 1
    for one, decision in zip(judged, recording.decisions, strict=False):
        n = len(decision.options)
        assert 0 <= one.win[1] <= one.win[0] <= one.win[2] <= 1
        if n > 1:
            assert [len(one.wins), len(one.visits), len(one.values)] == [n, n, n]
            assert 0 < sum(one.visits) <= EFFORT.simulations
            assert one.visits[one.best] == max(one.visits)
        for visits, value in zip(one.visits, one.values, strict=True):
            assert (value is None) == (visits == 0)


def test_numbers_depend_on_the_game_alone(greedy_game):
    recording, judged = greedy_game
    again = Analyst(recording, EFFORT)
    assert [again.judge(k) for k in (0, 9)] == [judged[0], judged[9]]


def test_analysis_leaves_the_game_alone(greedy_game):
    recording, _ = greedy_game
    before = [state.tobytes() for state in recording.states]
    Analyst(recording, EFFORT).judge(3)
    assert [state.tobytes() for state in recording.states] == before


def test_costs_of_the_enemy_side_have_its_sign():
    recording, judged = judged_game(
        "Agemonia-v0", "random", 60, side="both", effort=Effort(0, 60), seed=5
    )
    sides = {"hero": 1, "enemy": -1}
    seen = set()
    for one, decision in zip(judged, recording.decisions, strict=False):
        if one.cost and abs(one.wins[one.best] - one.wins[_chosen(decision)]) > 0.3:
            gap = one.wins[one.best] - one.wins[_chosen(decision)]
            assert np.sign(one.cost[0]) == sides[decision.side] * np.sign(gap)
            seen.add(decision.side)
    assert "enemy" in {decision.side for decision in recording.decisions}
    assert seen


def _chosen(decision):
    return decision.options.index(decision.action)


def test_a_game_cut_short_has_no_totals_until_every_position_is_judged():
    recording, judged = judged_game("Agemonia-v0", "greedy", 20, effort=Effort(0, 20))
    assert recording.states[-1]["ending"][0] == GOING_ON
    assert 0 < judged[-1].win[0] < 1
    assert totals(recording, judged)["end"] == judged[-1].win
    assert totals(recording, judged[:10])["end"] == judged[9].win
    assert totals(recording, judged[:1]) == {}
    none = list(Analyst(recording, Effort(8, 0)).judgements())
    assert none[0].visits
    assert totals(recording, none) == {}


# ---- rollouts -----------------------------------------------------------------------------------
def test_options_are_compared_on_the_same_draws():
    recording = recorded("Agemonia-v0", seed=7, scenario="ford")
    env = recording.env
    rollouts = Rollouts(env.ruleset, env.compiled.content, env.arguments.control(), 5000, 50)
    greedy = env.choose(policy_of(env.ruleset, "greedy"))
    won = rollouts.wins(recording.states[0], [NOTHING, greedy, greedy], [1, 2])
    assert (won[0] == won[1]).all()
    assert (won[1] == won[2]).all()
    assert 0 < won[0].mean() < 1
    other = rollouts.wins(recording.states[0], [greedy], [1, 3])
    assert (other[0] != won[0]).any()


@pytest.mark.parametrize("env_id", ["Agemonia-v0", "HexDungeon-v0"])
def test_the_win_rate_at_the_start_is_that_of_other_games(env_id):
    """Redrawn games know nothing of the game's own dice and cards: luck is 0 on average."""
    recording = recorded(env_id, seed=7, ties="auto")
    env = recording.env
    control, n = env.arguments.control(), 600
    rollouts = Rollouts(env.ruleset, env.compiled.content, control, 5000, n)
    won = rollouts.wins(recording.states[0], [NOTHING], [7])[0].mean()
    which, seeds = np.zeros(n, np.int16), np.arange(n, dtype=np.uint64)
    games = env.ruleset, env.compiled.content, which, seeds, policy_of(env.ruleset, "greedy")
    (states, *more) = play_batches(*games, control=control, max_decisions=5000)
    rate = np.concatenate([part["won"] for part in (states, *more)]).mean()
    assert abs(won - rate) < 4 * np.sqrt(2 * rate * (1 - rate) / n)
    assert 0 < rate < 1


# ---- probabilities ------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["generalist", "likeliest:generalist", "random"])
def test_probabilities_are_those_of_the_policy(name):
    recording = recorded("Agemonia-v0", name, 30, seed=7, scenario="ford")
    for decision in recording.decisions:
        assert set(decision.probabilities) == set(decision.options)
        assert sum(decision.probabilities.values()) == pytest.approx(1)
        if name.startswith("likeliest"):
            most = max(decision.probabilities.values())
            assert decision.probabilities[decision.action] == most
    assert probabilities_of(policy_of(recording.env.ruleset, "greedy")) is None
