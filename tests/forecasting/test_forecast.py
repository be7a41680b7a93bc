"""Forecasts: what is stated is what games played on really do, and nothing hidden is known."""

import io
import math

import gymnasium
import numpy as np
import pytest
from rich.console import Console

import agemonia_env
from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import env_class
from agemonia_env.forecasting.outcomes import AMOUNTS, Ends, Spread, row_of
from agemonia_env.forecasting.play import BLOCK, Effort, Forecaster
from agemonia_env.forecasting.result import chance
from agemonia_env.forecasting.start import start_of
from agemonia_env.policies import as_own, policy_of
from agemonia_env.simulation.interval import at_any_time, wilson

ENVS = ["Agemonia-v0", "HexDungeon-v0"]
N = 300 if COMPILED else 2  # more than a block


def begun(env_id, steps=0, seed=1, **choices):
    """An environment after so many greedy decisions."""
    env = env_class(env_id)(**{"ties": "auto", **choices})
    env.reset(seed=seed)
    policy = policy_of(env.ruleset, "greedy")
    for _ in range(steps):
        *_, terminated, _, _ = env.step(env.choose(policy))
        if terminated:
            break
    return env


def ended(env_id, *, won):
    """An environment whose game was won, or lost."""
    for seed in range(50):
        env = begun(env_id, 10_000, seed)
        if bool(env.states["won"][0]) == won:
            return env
    raise AssertionError(won)


@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.parametrize("env_id", ENVS)
@pytest.mark.parametrize("won", [True, False])
def test_a_game_that_has_ended_is_certain(env_id, won):
    found = agemonia_env.forecast(ended(env_id, won=won), ["greedy", "random"])
    for row in found.rows:
        assert (row.won, row.low, row.high, row.games) == (won, won, won, 0)
        assert all(getattr(row, name) == (0,) * 6 for name in AMOUNTS)
        assert chance(row) == ("100.0 %" if won else "0.0 %")
    assert "ended in round" in found.headline


@pytest.mark.parametrize("env_id", ENVS)
def test_threads_never_change_a_digit(env_id):
    env = begun(env_id, 5)
    before = env.get_state()
    one, two = (agemonia_env.forecast(env, ["greedy", "random"], N, seed=3, threads=n)
                for n in (1, 2))  # fmt: skip
    assert one.record() == two.record()
    assert env.get_state() == before
    other = agemonia_env.forecast(env, ["greedy", "random"], N, seed=4)
    assert other.record() != one.record()


@pytest.mark.skipif(not COMPILED, reason="thousands of games")
@pytest.mark.parametrize("env_id", ENVS)
def test_the_start_of_a_scenario_agrees_with_simulate(env_id):
    env, n = env_class(env_id)(ties="auto"), 4000
    row = agemonia_env.forecast(env, games=n, threads=2).rows[0]
    played = {"scenario": env.arguments.scenario, "heroes": env.arguments.heroes}
    games = agemonia_env.simulate(games=n, env=env_id, seed=5, threads=2, **played)
    share = games["won"].mean()
    assert abs(row.won - share) < 4 * math.sqrt(2 * share * (1 - share) / n)
    for name in AMOUNTS:
        spread, there = getattr(row, name), games[name]
        assert abs(spread.mean - there.mean()) < 4 * there.std() * math.sqrt(2 / n)
        assert abs(spread.q50 - there.median()) <= 1 + 0.03 * there.median()
    late = games.filter(games["rounds"] <= 8)
    line = next(line for line in row.by_round if line.round == 8)
    assert abs(line.over - len(late) / n) < 0.04
    assert abs(line.won - late["won"].sum() / n) < 0.04


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@pytest.mark.parametrize("env_id", ENVS)
def test_a_forecast_is_what_clones_do(env_id):
    env, n = begun(env_id, 30), 300
    row = agemonia_env.forecast(env, games=3000, threads=2).rows[0]
    policy, wins = policy_of(env.ruleset, "greedy"), 0
    now, left = env.states["decisions"][0], []
    for k in range(n):
        copy, over = env.clone(reseed=k), False
        while not over:
            *_, over, _, _ = copy.step(copy.choose(policy))
        wins += int(copy.states["won"][0])
        left.append(copy.states["decisions"][0] - now)
    assert abs(row.won - wins / n) < 4 * math.sqrt(0.25 / n)
    assert abs(row.decisions.mean - np.mean(left)) < 4 * np.std(left) / math.sqrt(n)


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@pytest.mark.parametrize("env_id", ENVS)
def test_what_is_hidden_does_not_change_a_forecast(env_id):
    env = begun(env_id, 20)
    other = env.clone(reseed=9)
    assert other.get_state() != env.get_state()
    assert agemonia_env.forecast(other).rows == agemonia_env.forecast(env).rows


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
def test_rounds_lead_to_the_win_probability():
    row = agemonia_env.forecast(begun("Agemonia-v0", 20), games=500).rows[0]
    over, won = ([getattr(line, name) for line in row.by_round] for name in ("over", "won"))
    assert over == sorted(over)
    assert won == sorted(won)
    assert (over[-1], won[-1]) == (1 - row.aborted / row.games, row.won)
    assert [line.round for line in row.by_round] == list(
        range(row.by_round[0].round, row.by_round[-1].round + 1)
    )
    assert all(line.low <= line.won <= line.high for line in row.by_round)


@pytest.mark.skipif(not COMPILED, reason="thousands of games")
def test_width_plays_until_the_interval_is_narrow():
    env = begun("Agemonia-v0")
    one, two = (agemonia_env.forecast(env, width=8, threads=n) for n in (1, 2))
    row = one.rows[0]
    assert one.record() == two.record()
    assert row.high - row.low <= 0.08
    assert row.games % BLOCK == 0
    wins = round(row.won * row.games)
    assert (row.low, row.high) == at_any_time(wins, row.games)
    fewer = agemonia_env.forecast(env, games=row.games - BLOCK, width=8).rows[0]
    assert fewer.games == row.games - BLOCK
    assert fewer.high - fewer.low > 0.08


@pytest.mark.skipif(not COMPILED, reason="thousands of games")
def test_stopped_games_leave_a_valid_result():
    def stop(games):
        raise KeyboardInterrupt

    forecaster = Forecaster(start_of(begun("Agemonia-v0")), ["greedy", "random"], Effort(2000))
    assert not forecaster.has_played
    with pytest.raises(ValueError, match="no games"):
        forecaster.result()
    with pytest.raises(KeyboardInterrupt):
        forecaster.play(stop)
    (row,) = forecaster.result().rows
    assert row.games == BLOCK
    assert (row.low, row.high) == at_any_time(round(row.won * BLOCK), BLOCK)
    whole = Forecaster(forecaster.start, "greedy", Effort(BLOCK))
    whole.play()
    assert whole.result().rows[0].won == row.won
    assert (whole.result().rows[0].low,) == (wilson(round(row.won * BLOCK), BLOCK)[0],)


def test_enemies_that_decide_are_played_by_somebody():
    for choices in (
        {"enemy_will": "free", "opponent": "greedy"},
        {"enemy_will": "free", "opponent": "generalist"},
        {"enemy_will": "free", "side": "enemy"},
        {"enemy_will": "free", "side": "both"},
    ):
        env = env_class("Agemonia-v0")("ford", **choices)
        env.reset(seed=1)
        (row,) = agemonia_env.forecast(env, games=2).rows
        assert row.aborted == 0
        assert row.decisions.mean > 0


def test_own_policies_and_wrapped_environments():
    class First:
        name, batch = "first", 16

        def __init__(self, ruleset):
            self.ruleset = ruleset

        def choose(self, states, contents, which):
            masks = np.zeros((len(states), self.ruleset.N_ACTIONS), np.uint8)
            self.ruleset.api.write_masks(states, contents, which, masks)
            return masks.argmax(axis=1)

    env = gymnasium.make("agemonia_env:HexDungeon-v0", ties="auto")
    env.reset(seed=1)
    first = First(env.unwrapped.ruleset)
    found = agemonia_env.forecast(env, ["random", first], 2)
    assert [row.policy for row in found.rows] == ["random", as_own(first)]
    assert found.row(as_own(first)).games == 2


@pytest.mark.parametrize("env_id", ENVS)
def test_positions_are_taken_and_those_of_other_games_refused(env_id):
    env, other = begun(env_id, 8), next(one for one in ENVS if one != env_id)
    fresh = env_class(env_id)(ties="auto")
    here = agemonia_env.forecast(fresh, "random", 2, position=bytes(env.get_state()))
    assert here.rows == agemonia_env.forecast(env, "random", 2).rows
    assert here.start.decisions == env.states["decisions"][0]
    with pytest.raises(ValueError, match="another environment"):
        agemonia_env.forecast(fresh, position=begun(other).get_state())
    with pytest.raises(ValueError, match="another scenario, other heroes or other rules"):
        agemonia_env.forecast(fresh, position=begun(env_id, heroes=1).get_state())
    with pytest.raises(ValueError, match="not a position"):
        agemonia_env.forecast(fresh, position=b"nothing")


def test_mistakes_are_named():
    env = begun("Agemonia-v0")
    for wrong in ({"games": 0}, {"width": 0}, {"width": "4"}, {"seed": -1}, {"threads": 0}):
        (name,) = wrong
        with pytest.raises(ValueError, match=f"^{name}="):
            agemonia_env.forecast(env, **wrong)
    for policy in ("gready", [], ["greedy", "greedy"]):
        with pytest.raises(ValueError, match=r"^policy="):
            agemonia_env.forecast(env, policy)
    with pytest.raises(ValueError, match=r"^env="):
        agemonia_env.forecast("ford")
    with pytest.raises(ValueError, match=r"Gauntlet.* cannot be forecast"):
        agemonia_env.forecast(gymnasium.make("agemonia_env:AgemoniaGauntlet-v0"))
    drawn = env_class("Agemonia-v0")("random")
    with pytest.raises(ValueError, match=r"^scenario='random': .* reset\(\)"):
        agemonia_env.forecast(drawn)
    drawn.reset(seed=1)
    assert agemonia_env.forecast(drawn, "random", 2).rows[0].games == 2


def test_amounts_and_rounds_of_four_games():
    ends = Ends(
        won=np.array([True, False, True, False]),
        over=np.array([True, True, True, False]),
        last_round=np.array([3, 5, 5, 9]),
        amounts=np.array([[1, 3, 3, 7], [10, 20, 30, 40], [0, 0, 0, 8], [1, 1, 1, 1]]),
    )
    row = row_of("greedy", ends, wilson)
    assert (row.games, row.aborted, row.won) == (4, 1, 0.5)
    assert row.decisions == Spread(25.0, 10, 10, 20, 30, 40)
    assert row.damage_dealt == Spread(2.0, 0, 0, 0, 0, 8)
    assert [(line.round, line.over, line.won) for line in row.by_round] == [
        (3, 0.25, 0.25),
        (4, 0.25, 0.25),
        (5, 0.75, 0.5),
    ]


def test_tables_show_every_policy():
    found = agemonia_env.forecast(begun("HexDungeon-v0"), ["greedy", "random"], 2)
    console = Console(width=140, record=True, file=io.StringIO())
    console.print(found)
    text = console.export_text()
    for words in ("The Warm Cellar", "greedy", "random", "by the end of round", "damage taken"):
        assert words in text
    assert "damage dealt" in found._repr_html_()
    assert repr(found).startswith("<Forecast: The Warm Cellar, 2 heroes, round 1, ")
