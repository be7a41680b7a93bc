"""Scenarios drawn from a seed in the environments: reproducible, with positions and copies."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from agemonia_env.envs import batch, scenario_cache
from agemonia_env.envs.replay import replay
from agemonia_env.review.recording import Recording
from agemonia_env.rulesets.agemonia.arguments import check_arguments
from agemonia_env.rulesets.agemonia.content.knobs import KNOBS
from agemonia_env.rulesets.agemonia.content.schema.scenarios import OBJECTIVES
from agemonia_env.rulesets.agemonia.envs.sb3 import AgemoniaVecEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.arguments import LAST_SEED, SEED_RANGES
from agemonia_env.rulesets.hexdungeon.content.knobs import KNOBS as HEX_KNOBS
from tests.games import Games, random_steps

ROOT = Path(__file__).resolve().parents[2]
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
        (None, SEED_RANGES["train"]),
        ("train", SEED_RANGES["train"]),
        ("test", SEED_RANGES["test"]),
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
    return check_arguments("random", heroes).compile(seed)


def test_the_draw_leaves_the_dice_alone():
    free, fixed = random_env(FEW, seed=3), random_env(10, seed=3)
    assert free._core_seed == fixed._core_seed
    free.reset()
    fixed.reset()
    assert free._core_seed == fixed._core_seed


def cards(n, **chosen):
    """Drawn scenarios as files of a pack."""
    generator = check_arguments("random", **chosen).make_generator()
    return [generator.card(generator.draw(seed).plan[0], seed) for seed in range(n)]


def test_varied_draws_every_objective_and_any_heroes():
    varied = cards(80, generator="varied")
    assert {one.objective.kind for one in varied} == set(OBJECTIVES)
    assert len({tuple(one.heroes[:2]) for one in varied}) > 20
    plain = cards(40)
    assert len({tuple(one.heroes) for one in plain}) == 1
    assert not {one.objective.kind for one in plain} & {"escort", "disarm", "advance"}


def test_knobs_say_what_is_drawn():
    settings = {"columns": 3, "rows": [2, 2], "traps": 100, "hill": 0, "objectives": ["hold"]}
    for card in cards(10, generator=settings):
        assert card.objective.kind == "hold"
        assert len(card.map.rows[0]) <= 9
        assert len(card.map.rows) <= 4
        assert not any(area.level for area in card.map.areas.values())
        assert sum(area.trap for area in card.map.areas.values()) == len(card.map.areas) - 2


def test_varied_scenarios_can_be_won():
    """By greedy play, whatever the objective, with one hero to four."""
    won = dict.fromkeys(OBJECTIVES, 0)
    for heroes in (1, 2, 3, 4):
        for seed, card in enumerate(cards(40, heroes=heroes, generator="varied")):
            games = Games(
                AGEMONIA, "random", heroes, range(4), scenario_seed=seed, generator="varied"
            )
            games.play(AGEMONIA.POLICIES["greedy"], 5000)
            assert not games.running.any()
            won[card.objective.kind] += int(games.states["won"].sum())
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
        ({"scenario_seed": "exam"}, "scenario_seed='exam'.*'train', 'test'"),
        ({"scenario_seed": -1}, "scenario_seed=-1"),
        ({"scenario_seed": LAST_SEED + 1}, "scenario_seed="),
        ({"scenario_seed": [5, 4]}, r"scenario_seed=\[5, 4\]"),
        ({"scenario_seed": [0, 1.5]}, "scenario_seed="),
        ({"scenario": "ford", "generator": "varied"}, "generator='varied': only scenario='random'"),
        ({"generator": "wild"}, "generator='wild': must be 'varied', or a mapping with columns"),
        ({"generator": {"colums": 3}}, "generator: 'colums': no such knob; did you mean 'columns'"),
        ({"generator": {"traps": 101}}, "generator: traps=101: must be a whole number, 0 to 100"),
        ({"generator": {"rows": [4, 3]}}, r"generator: rows=\[4, 3\]: .*2 to 4"),
        ({"generator": {"rows": [1]}}, r"generator: rows=\[1\]: .*2 to 4"),
        ({"generator": {"objectives": "win"}}, "generator: objectives=.*defeat_all"),
        ({"generator": {"objectives": {"hold": 0}}}, "objectives=.*one of them above 0"),
        ({"generator": {"objectives": 3}}, "objectives=3: must be names"),
    ],
)
def test_wrong_arguments_get_one_clear_error(arguments, words):
    with pytest.raises(ValueError, match=words):
        AgemoniaEnv(**{"scenario": "random"} | arguments)


# ---- one's own choice of each game ----------------------------------------------------------
SMALL = {"columns": 3, "rows": 2}


def test_a_game_plays_the_scenario_chosen_for_it():
    env = random_env()
    expected = AgemoniaEnv("random", scenario_seed=77, generator=SMALL)
    expected.reset(options={"core_seed": 5})
    env.reset(options={"core_seed": 5, "scenario_seed": 77, "generator": SMALL})
    assert env.get_state() == expected.get_state()
    assert play(env, 30) == play(expected, 30)
    position = env.get_state()
    assert env.reset()[1]["scenario_seed"] in range(FEW[0], FEW[1] + 1)
    env.set_state(position)
    assert env.compiled.fingerprint == expected.compiled.fingerprint
    assert env.clone(reseed=False).get_state() == position


def test_a_recorded_game_plays_the_chosen_scenario_again():
    env = random_env()
    env.reset(options={"core_seed": 5, "scenario_seed": 77, "generator": SMALL})
    game = Recording(env).game()
    assert game.arguments["generator"] == {"columns": [3, 3], "rows": [2, 2]}
    again = replay(AgemoniaEnv(**game.arguments), game)
    assert again.states.tobytes() == env.states.tobytes()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_batch_plays_the_scenarios_chosen_for_its_games(mode):
    env = AgemoniaVectorEnv(3, "random", autoreset_mode=mode, ties="auto", max_decisions=3)
    options = {"scenario_seed": [7, 8, 9], "generator": [None, SMALL, "varied"]}
    _, infos = env.reset(seed=0, options=options)
    assert infos["scenario_seed"].tolist() == [7, 8, 9]
    for i, settings in enumerate(options["generator"]):
        alone = check_arguments("random", generator=settings).compile(7 + i)
        assert env.batch.compiled(i).fingerprint == alone.fingerprint
    env.choose_scenarios([0, 2], scenario_seed=[55, 66], generator=SMALL)
    for _ in range(4):
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    assert infos["scenario_seed"][[0, 2]].tolist() == [55, 66]
    small = check_arguments("random", generator=SMALL)
    assert env.batch.compiled(2).fingerprint == small.compile(66).fingerprint
    assert env.get_attr("states")[2].tobytes() == env.batch.states[2:].tobytes()
    for _ in range(4):
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    assert not {55, 66} & set(infos["scenario_seed"].tolist())


@pytest.mark.parametrize(
    ("scenario", "options", "words"),
    [
        ("ford", {"scenario_seed": 3}, "scenario_seed: only scenario='random' is drawn"),
        ("ford", {"generator": SMALL}, "generator: only scenario='random' is drawn"),
        ("random", {"scenario_seed": -1}, "scenario_seed=-1: must be a whole number, 0 to"),
        ("random", {"generator": {"traps": -1}}, "generator: traps=-1"),
    ],
)
def test_wrong_choices_are_said(scenario, options, words):
    for env in (AgemoniaEnv(scenario), AgemoniaVectorEnv(2, scenario)):
        with pytest.raises(ValueError, match=words):
            env.reset(options=options)


def test_wrong_choices_of_batches_are_said():
    env = AgemoniaVectorEnv(3, "random")
    with pytest.raises(ValueError, match="scenario_seed: must be one, or 3 of them, not 2"):
        env.reset(options={"scenario_seed": [1, 2]})
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"which=.*numbers of envs, below 3"):
        env.choose_scenarios([3], scenario_seed=1)
    one = AgemoniaVectorEnv(2, "random", scenario_seed=7)
    with pytest.raises(ValueError, match="plays one scenario, so none can be chosen"):
        one.reset(options={"scenario_seed": 8})


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
    assert cache._kept
    assert not pickle.loads(pickle.dumps(cache))._kept


def test_the_latest_scenarios_are_kept(monkeypatch):
    monkeypatch.setattr(scenario_cache, "KEPT", 2)
    keeper = scenario_cache.ScenarioCache(check_arguments("random"))
    first, second = keeper.acquire(1), keeper.acquire(2)
    assert keeper.acquire(1) is first
    keeper.acquire(3)
    assert keeper.acquire(1) is first
    assert keeper.acquire(2) is not second


@pytest.mark.parametrize("table", [KNOBS, HEX_KNOBS], ids=["agemonia", "hexdungeon"])
def test_the_page_lists_every_knob_with_its_range_and_default(table):
    page = (ROOT / "docs/drawn-scenarios.md").read_text(encoding="utf-8")
    for knob in table.knobs:
        allowed, default = f"{knob.least} to {knob.most}", knob.default
        if isinstance(default, tuple):
            allowed, default = f"range in {allowed}", f"{default[0]} to {default[1]}"
        elif isinstance(default, dict):
            allowed = "names, or a weight of each, 0 to 100"
            default = ", ".join(f"{name} {weight}" for name, weight in default.items() if weight)
        assert f"| `{knob.name}` | {allowed} | {default} | {knob.meaning}" in page
