"""Rows are those of single games, on any thread and in any order."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
import pytest

import agemonia_env
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.simulation import jobs, play
from agemonia_env.simulation.plan import make_plan
from agemonia_env.simulation.result_schema import columns_of, schema_of

MIX = {
    "scenario": ["ford", "weir", "toll"],
    "heroes": [2, ["wenna", "orsa", "ketch"]],
    "difficulty": ["easy", "brutal"],
    "games": 60,
    "seed": 3,
}


@pytest.fixture(scope="module")
def mixed():
    return agemonia_env.simulate(**MIX)


def replay(row):
    """The game of a row, played by a single environment with the policy's choices."""
    env = AgemoniaEnv(
        row["scenario"],
        json.loads(row["party"]),
        pack=row["pack"],
        level=row["level"],
        difficulty=row["difficulty"],
        enemy_will=row["enemy_will"],
        ties=row["ties"],
        opponent=row["enemy_policy"] or "greedy",
        scenario_seed=row["scenario_seed"],
    )
    _, info = env.reset(options={"core_seed": row["seed"]})
    assert info["ruleset"] == row["ruleset"]
    policy, over = int(Policy[row["policy"].upper()]), bool(env._states["ending"][0])
    actions = np.zeros(1, np.int64)
    while not over:
        api.choose_actions(env._states, env.compiled.content, env._which, policy, actions)
        _, _, over, truncated, info = env.step(actions[0])
        assert not truncated
    return env, info["episode_statistics"]


@pytest.mark.parametrize(
    "choices",
    [
        {"heroes": 3},
        {"policy": "random", "ties": "ask"},
        {"scenario": "ferry", "heroes": 4, "level": 3, "difficulty": "easy"},
        {"enemy_will": "free", "enemy_policy": "random"},
        {"enemy_will": "free"},
        {"scenario": "random", "scenario_seed": [5, 7], "heroes": ["orsa", "ivo"]},
    ],
)
def test_a_row_names_all_that_it_takes_to_play_its_game_again(choices):
    for row in agemonia_env.simulate(games=3, seed=4, **choices).iter_rows(named=True):
        env, statistics = replay(row)
        assert statistics == {
            "win": row["won"],
            "ending": row["ending"],
            "rounds": row["rounds"],
            "exhausted_heroes": row["exhausted"],
            "damage_dealt": row["damage_dealt"],
            "damage_taken": row["damage_taken"],
            "decisions": row["decisions"],
        }
        state, names = env._states[0], env.compiled.names
        n = len(row["heroes"])
        assert row["heroes"] + row["companions"] == list(names.allies)
        assert row["enemies"] == list(names.types)
        for column, field in (("disk", "disk"), ("spent", "spent"), ("wounds", "wounds")):
            assert row[f"hero_{column}"] == state["ally"][field][:n].tolist()
        assert row["companion_health"] == state["ally"]["health"][n : len(names.allies)].tolist()
        assert row["enemy_defeated"] == state["defeated"][: len(names.types)].tolist()
        for kind in range(len(names.types)):
            left = [e for e in state["enemy"] if e["type"] == kind and e["health"] > 0]
            assert row["enemy_left"][kind] == len(left)
            assert row["enemy_health"][kind] == sum(int(e["health"]) for e in left)


def test_figures_add_up_to_the_whole(mixed):
    sums = mixed.select(
        pl.col("hero_taken").list.sum().alias("taken"),
        pl.col("hero_dealt").list.len().alias("heroes"),
        (pl.col("hero_exhausted").list.sum()).alias("out"),
    )
    assert sums["taken"].to_list() == mixed["damage_taken"].to_list()
    assert sums["heroes"].to_list() == mixed["heroes"].list.len().to_list()
    assert (sums["out"] <= mixed["exhausted"]).all()
    chips = mixed.select(
        sum(pl.col(f"hero_{where}").list.get(0) for where in ("disk", "spent", "locked", "wounds"))
    ).to_series()
    # The first Hero of a party has as many chips in every game of one level
    kinds = mixed.with_columns(chips=chips).group_by("party", "level").agg(pl.col("chips").unique())
    assert kinds["chips"].list.len().to_list() == [1] * 6


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("chunk", [1, 7, 60])
def test_rows_do_not_depend_on_threads_and_chunks(mixed, threads, chunk):
    assert agemonia_env.simulate(**MIX, threads=threads, chunk=chunk).equals(mixed)


def test_rows_do_not_depend_on_the_order_of_chunks(mixed):
    plan = make_plan(
        MIX["scenario"], MIX["heroes"], "greedy", 60, seed=3, chunk=9, difficulty=MIX["difficulty"]
    )
    order = [3, 6, 0, 5, 1, 4, 2]
    frames = {k: play.play_chunk(plan, k, lambda games, wins: None) for k in order}
    assert pl.concat([frames[k] for k in sorted(frames)]).equals(mixed)


def test_games_of_scenarios_drawn_from_a_seed_are_those_of_their_own_seed():
    rows = agemonia_env.simulate("random", games=12, scenario_seed=[0, 3], seed=2, threads=2)
    drawn = rows["scenario_seed"].to_list()
    assert set(drawn) <= {0, 1, 2, 3}
    assert len(set(drawn)) > 1
    assert rows["ruleset"].n_unique() == len(set(drawn))


def test_kinds_take_turns(mixed):
    played = mixed.select("scenario", "party", "difficulty")
    assert played.head(12).equals(played.slice(12, 12))
    assert played.unique().height == 12


def test_a_game_that_is_too_long_is_aborted():
    rows = agemonia_env.simulate(games=5, max_decisions=10)
    assert rows["ending"].to_list() == ["none"] * 5
    assert not rows["won"].any()


def test_rows_have_the_columns_that_are_declared(mixed):
    assert dict(mixed.schema) == schema_of("Agemonia-v0")
    columns = columns_of("Agemonia-v0")
    assert len(mixed.schema) == len(columns)
    for column in columns:
        assert column.meaning
        assert column.meaning == column.meaning.strip()


def test_every_game_is_reported_once():
    plan = make_plan(["ford", "toll"], 2, "greedy", 40, chunk=11)
    reports = []
    played = jobs.run_on_threads(
        partial(play.play_chunk, plan), range(4), 2, lambda *counts: reports.append(counts)
    )
    won = sum(int(frame["won"].sum()) for _, frame in played)
    assert [sum(counts) for counts in zip(*reports, strict=True)] == [40, won]


def test_closing_stops_the_threads_within_their_chunks(monkeypatch):
    slow = replace(policy_of(ruleset_of("Agemonia-v0"), "greedy"), batch=1)
    monkeypatch.setattr(play, "load_policy", lambda env, name: slow)
    plan = make_plan("ford", 2, "greedy", 4000, chunk=1000)
    counts = []
    played = jobs.run_on_threads(
        partial(play.play_chunk, plan), [0, 1, 2, 3], 2, lambda games, wins: counts.append(games)
    )
    next(played)
    played.close()
    assert 1000 <= sum(counts) < 4000


def test_an_error_in_a_thread_is_raised():
    plan = make_plan("ford", 2, "greedy", 10)

    def fail(games, wins):
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        list(jobs.run_on_threads(partial(play.play_chunk, plan), [0], 2, fail))


def test_at_most_this_many_jobs_run_at_once():
    going, most = set(), []

    def begin(chunk):
        going.add(chunk)
        most.append(len(going))
        return chunk

    def first(futures):
        assert set(futures) == going
        going.discard(max(going))
        return max(futures)

    assert sorted(jobs.as_finished(range(9), begin, first, 4)) == [(k, k) for k in range(9)]
    assert max(most) == 4
