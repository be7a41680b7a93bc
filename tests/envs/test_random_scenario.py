"""Scenarios drawn from a seed in the environments: reproducible, with positions and copies."""

import copy
import pickle

import numpy as np
import pytest

from agemonia_env.envs import batch, scenario_cache
from agemonia_env.rulesets.agemonia.arguments import LAST_SEED
from agemonia_env.rulesets.agemonia.content import compile_scenario
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.content.procedural import (
    TEST_SEEDS,
    TRAIN_SEEDS,
    VARIED_SEEDS,
    draw_scenario,
)
from agemonia_env.rulesets.agemonia.content.schema.scenarios import OBJECTIVES
from agemonia_env.rulesets.agemonia.envs.sb3 import AgemoniaVecEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games, random_steps

FEW = [10, 13]


def random_env(scenario_seed=FEW, seed=5, **arguments):
    env = AgemoniaEnv("random", scenario_seed=scenario_seed, **arguments)
    env.reset(seed=seed)
    return env


def drawn(env, games, seed=None):
    """Scenario seeds of games in a row."""
    seeds = [env.reset(seed=seed)[1]["scenario_seed"]]
    return seeds + [env.reset()[1]["scenario_seed"] for _ in range(games - 1)]


def play(env, limit, seed=0):
    """Random legal play -> observations and infos."""
    return [
        (observation.tobytes(), reward, info["action_mask"].tobytes())
        for observation, reward, *_, info in random_steps(env, limit, seed)
    ]


@pytest.mark.parametrize(
    ("scenario_seed", "allowed"),
    [
        (None, TRAIN_SEEDS),
        ("train", TRAIN_SEEDS),
        ("varied", VARIED_SEEDS),
        ("test", TEST_SEEDS),
        (FEW, range(10, 14)),
    ],
)
def test_each_game_draws_from_the_range_and_the_same_again(scenario_seed, allowed):
    env = AgemoniaEnv("random", scenario_seed=scenario_seed)
    seeds = drawn(env, 6, seed=1)
    assert set(seeds) <= set(allowed)
    assert len(set(seeds)) > 1
    assert drawn(AgemoniaEnv("random", scenario_seed=scenario_seed), 6, seed=1) == seeds


def test_all_of_a_short_range_come_up():
    env = AgemoniaEnv("random", scenario_seed=FEW)
    assert set(drawn(env, 40, seed=0)) == {10, 11, 12, 13}


def test_a_number_fixes_the_scenario_but_not_the_dice():
    env = AgemoniaEnv("random", heroes=3, scenario_seed=np.int64(12))
    assert env.compiled.fingerprint == random_scenario(12, 3).fingerprint
    first, info = env.reset(seed=1)
    again, other = env.reset(seed=2)
    assert info["scenario_seed"] == other["scenario_seed"] == 12
    assert info["ruleset"] == other["ruleset"] == env.compiled.fingerprint
    assert play(env, 60) != (env.reset(seed=1), play(env, 60))[1]
    assert first.shape == again.shape


def random_scenario(seed, heroes=2):
    return compile_scenario("core", "random", heroes, scenario_seed=seed)


def test_the_draw_leaves_the_dice_alone():
    free, fixed = random_env(FEW, seed=3), random_env(10, seed=3)
    assert free._core_seed == fixed._core_seed
    free.reset()
    fixed.reset()
    assert free._core_seed == fixed._core_seed


def test_varied_seeds_draw_every_objective_and_any_heroes():
    pack = load_pack("core")
    varied = [draw_scenario(pack, seed, 2) for seed in VARIED_SEEDS[:80]]
    assert {one.objective.kind for one in varied} == set(OBJECTIVES)
    assert len({tuple(one.heroes[:2]) for one in varied}) > 20
    plain = [draw_scenario(pack, seed, 2) for seed in TEST_SEEDS[:40]]
    assert {tuple(one.heroes) for one in plain} == {tuple(sorted(pack.heroes))}
    assert not {one.objective.kind for one in plain} & {"escort", "disarm", "advance"}


def test_varied_scenarios_can_be_won():
    """By greedy play, whatever the objective, with one hero to four."""
    won = dict.fromkeys(OBJECTIVES, 0)
    for seed in VARIED_SEEDS[:160]:
        heroes = 1 + seed % 4
        games = Games(AGEMONIA, "random", heroes, range(4), scenario_seed=seed)
        games.play(AGEMONIA.POLICIES["greedy"], 5000)
        assert not games.running.any()
        kind = draw_scenario(load_pack("core"), seed, heroes).objective.kind
        won[kind] += int(games.states["won"].sum())
    assert all(won.values()), won


def test_the_game_plays_the_scenario_of_the_seed():
    env = random_env()
    for _ in range(4):
        _, info = env.reset()
        assert info["ruleset"] == random_scenario(info["scenario_seed"]).fingerprint
    *_, info = env.step(env.legal_actions()[0])
    assert info["scenario_seed"] == env._scenario_seed


def test_each_game_is_drawn_on_its_own_map():
    env = random_env(render_mode="ansi")
    boards = {}
    for _ in range(12):
        _, info = env.reset()
        board = env.render()
        assert env.compiled.names.scenario in board
        assert env.compiled.names.areas[0] in board
        boards.setdefault(info["scenario_seed"], board)
    assert len(set(boards.values())) == len(boards) > 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"scenario": "ford", "scenario_seed": 3}, "scenario_seed=3.*random"),
        ({"scenario_seed": "exam"}, "scenario_seed='exam'.*'train', 'varied', 'test'"),
        ({"scenario_seed": -1}, "scenario_seed=-1"),
        ({"scenario_seed": LAST_SEED + 1}, "scenario_seed="),
        ({"scenario_seed": [5, 4]}, r"scenario_seed=\[5, 4\]"),
        ({"scenario_seed": [0, 1.5]}, "scenario_seed="),
    ],
)
def test_wrong_scenario_seeds_get_one_clear_error(arguments, words):
    with pytest.raises(ValueError, match=words):
        AgemoniaEnv(**{"scenario": "random"} | arguments)


# ---- batches --------------------------------------------------------------------------------
def test_pictures_of_a_batch_show_each_its_own_map():
    vec = AgemoniaVecEnv(3, "random", scenario_seed=FEW, seed=1, render_mode="rgb_array")
    vec.reset()
    played = [info["scenario_seed"] for info in vec.reset_infos]
    assert [vec.batch.compiled(i).names.scenario for i in range(3)] == [
        random_scenario(seed).names.scenario for seed in played
    ]
    assert all(picture.ndim == 3 for picture in vec.get_images())


def test_a_batch_too_large_for_scenarios_of_their_own(monkeypatch):
    monkeypatch.setattr(batch, "MAX_ROWS", 4)
    with pytest.raises(ValueError, match="at most 4 different scenarios at a time"):
        AgemoniaVecEnv(6, "random", seed=0)


# ---- positions and copies -------------------------------------------------------------------
def test_a_position_brings_its_scenario_back():
    env = random_env()
    play(env, 10)
    position, board, where = env.get_state(), env.compiled.names, env._scenario_seed
    ahead = play(env, 30, seed=1)
    while env.reset()[1]["scenario_seed"] == where:
        pass
    other = AgemoniaEnv("random", scenario_seed="test")
    for target in (env, other):
        target.set_state(position)
        assert target.get_state() == position
        assert target.compiled.names == board
        assert play(target, 30, seed=1) == ahead


def test_a_position_of_something_else_is_refused_and_changes_nothing():
    env = random_env()
    before = env.get_state()
    ford = AgemoniaEnv("ford")
    ford.reset(seed=0)
    wrong = [
        ford.get_state(),
        random_env(heroes=3).get_state(),
        random_env(difficulty="hard").get_state(),
        before[:-1] + b"?",
    ]
    for position in wrong:
        with pytest.raises(ValueError, match="position"):
            env.set_state(position)
        assert env.get_state() == before
    with pytest.raises(ValueError, match="position"):
        ford.set_state(before)


def test_clones_stay_in_the_scenario_until_their_next_game():
    env = random_env()
    play(env, 10)
    for clone in (env.clone(), env.clone(reseed=False), env.clone(reseed=3)):
        assert clone._scenario_seed == env._scenario_seed
        assert clone.compiled is env.compiled
    assert play(env.clone(reseed=False), 30) == play(env, 30)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_draw_the_same_scenarios_afterwards(copied):
    env = random_env()
    twin = copied(env)
    assert twin.get_state() == env.get_state()
    assert drawn(twin, 5) == drawn(env, 5)


def test_a_pickled_cache_is_empty():
    cache = random_env()._scenarios
    assert cache._compiled
    assert not pickle.loads(pickle.dumps(cache))._compiled


@pytest.mark.parametrize(("few", "made_again"), [(1, [2]), (9, [])])
def test_all_of_few_scenarios_stand_ready_and_the_last_of_many(monkeypatch, few, made_again):
    monkeypatch.setattr(scenario_cache, "ALL", few)
    monkeypatch.setattr(scenario_cache, "LATEST", 2)
    made = []
    keeper = random_env()._scenarios
    keeper = scenario_cache.ScenarioCache(keeper.arguments)
    monkeypatch.setattr(
        type(keeper.arguments), "compile", lambda _, seed: made.append(seed) or f"scenario {seed}"
    )
    for seed in (1, 2, 1, 3, 1, 2):
        assert keeper.acquire(seed) == f"scenario {seed}"
    assert made == [1, 2, 3, *made_again]
