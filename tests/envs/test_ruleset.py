"""A third ruleset is a folder: played, simulated, planned and learned by the same code."""

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import registry
from typer.testing import CliRunner

import agemonia_env
from agemonia_env import balance
from agemonia_env.cli import main
from agemonia_env.envs import env_class, vec_env_class, vector_env_class
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.case_files import run_files
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of
from tests.twin import DOORS
from tests.twin.envs import TwinEnv, TwinVectorEnv
from tests.twin.ruleset import TWIN
from tests.twin.sb3 import TwinVecEnv

NEEDS = "needs the extra {}, which make test installs"


@pytest.fixture
def twin(monkeypatch):
    """The id of the third ruleset, known to Gymnasium and to the package."""
    monkeypatch.setitem(RULESETS, TWIN.env_id, DOORS)
    monkeypatch.setitem(registry, TWIN.env_id, None)
    del registry[TWIN.env_id]
    DOORS.register()
    return TWIN.env_id


def played(env, seed=4):
    """Observations and rewards of a game of random legal actions, and its last info."""
    random, steps = np.random.default_rng(seed), []
    observation, info = env.reset(seed=seed)
    over = False
    while not over:
        steps.append(observation.tobytes())
        action = random.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        steps.append(reward)
        over = terminated or truncated
    return steps, info


def test_missing_parts_are_reported(twin):
    assert ruleset_of(twin) is TWIN
    with pytest.raises(ValueError, match="HexDungeon-v0, Twin-v0"):
        ruleset_of("Chess-v0")
    assert TWIN.chosen_arguments(scenario="ford", level=None) == {"scenario": "ford"}
    with pytest.raises(ValueError, match="level: Twin-v0 has no such argument, but scenario, her"):
        TWIN.chosen_arguments(level=2)


def test_the_same_rules_give_the_same_game_in_other_words(twin):
    env = gymnasium.make(twin).unwrapped
    assert type(env) is env_class(TWIN.env_id) is TwinEnv
    theirs, info = played(env)
    ours, other = played(AgemoniaEnv("tithe", 1, ties="auto", max_decisions=700))
    assert theirs == ours
    assert info["decision"] == f"twin {other['decision']}"
    ending = other["episode_statistics"]["ending"]
    assert info["episode_statistics"] == other["episode_statistics"] | {"ending": f"twin {ending}"}
    assert env.action_meaning(3) == "twin 3"
    assert env.explain(0).startswith("Twin: ")


def test_an_illegal_action_is_refused_in_its_words():
    env = TwinEnv(illegal="raise")
    _, info = env.reset(seed=0)
    action = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match=f"action {action} \\(twin {action}\\) is illegal: Twin: "):
        env.step(action)
    env = TwinEnv()
    env.reset(seed=0)
    info = env.step(action)[-1]
    assert info["denial"].startswith("twin ")


def test_side_by_side(twin):
    vec = gymnasium.make_vec(twin, 3, mix=[{"scenario": "ford"}, {"scenario": "weir", "heroes": 2}])
    assert type(vec) is vector_env_class(TWIN.env_id) is TwinVectorEnv
    sb3 = TwinVecEnv(3, seed=0)
    assert type(sb3) is vec_env_class(TWIN.env_id)
    vec.reset(seed=0)
    sb3.reset()
    for _ in range(50):
        vec.step(vec.action_masks().argmax(axis=1))
        sb3.step(sb3.action_masks().argmax(axis=1))
    with pytest.raises(ValueError, match="'level': must be one of scenario, heroes, pack, weight"):
        TwinVectorEnv(1, mix=[{"level": 2}])


def test_its_games_are_rows_with_its_columns(twin):
    pytest.importorskip("polars", reason=NEEDS.format("simulation"))
    rows = agemonia_env.simulate(env=twin, games=6, seed=1)
    own = agemonia_env.simulate("tithe", 1, games=6, seed=1, max_decisions=700)
    alike = ["game", "seed", "scenario", "party", "won", "rounds", "decisions", "damage_dealt"]
    assert rows.select(alike).equals(own.select(alike))
    assert rows["twins"].to_list() == [["Ann", "Bea"]] * 6
    assert rows["difficulty"].to_list() == rows["level"].to_list() == [None] * 6
    assert "hero_dealt" not in rows.columns
    with pytest.raises(ValueError, match="difficulty: Twin-v0 has no such argument"):
        agemonia_env.simulate(env=twin, games=6, difficulty="hard")
    with pytest.raises(ValueError, match="scenario='random'"):
        agemonia_env.simulate("random", env=twin, games=6)


def test_the_balance_lab_studies_its_packs(twin):
    pytest.importorskip("polars", reason=NEEDS.format("simulation"))
    path, games = "enemies.reedling.health.per_hero", {"scenario": "ford", "games": 100}
    compared = balance.compare(env=twin, b=f"{path} +2", **games)
    assert [row["metric"] for row in compared.rows] == [
        *("won", "rounds", "exhausted", "damage_dealt", "damage_taken")
    ]
    assert compared.rows[0]["a"] > compared.rows[0]["b"]
    assert compared.record()["rules"] == TWIN.version
    assert balance.compare(env=twin, games=100).rows[0]["scenario"] == "tithe"  # its own default
    moved = balance.sensitivity(path, env=twin, **games)
    assert {row["new"] for row in moved.rows} == {1, 3}
    with pytest.raises(ValueError, match="env Twin-v0: there is no analysis: that of its sister"):
        balance.analyse(env=twin, games=100)
    with pytest.raises(ValueError, match="env: env='Chess-v0': must be one of Agemonia-v0"):
        balance.compare(env="Chess-v0", games=100)


def test_it_is_planned_by_the_search_of_the_core(twin):
    pytest.importorskip("polars", reason=NEEDS.format("simulation"))
    planned = agemonia_env.simulate(env=twin, policy=(name := "planner:5"), games=2, seed=1)
    assert policy_of(TWIN, name).name == name
    own = agemonia_env.simulate("tithe", 1, name, games=2, seed=1, max_decisions=700)
    assert planned["decisions"].to_list() == own["decisions"].to_list()


def test_its_case_files_are_recognised_by_name(twin, tmp_path, capsys):
    path = tmp_path / "one.twin.yaml"
    path.write_text("- id: here\n  figures: {hero: {hero: {}}}\n  do: []\n")
    assert run_files([path]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_the_command_line_takes_its_id(twin):
    watched = CliRunner().invoke(main.app, ["watch", "--env", twin, "--seed", "3"])
    assert watched.exit_code == 0
    assert "twin " in watched.output
    refused = CliRunner().invoke(main.app, ["watch", "--env", twin, "--level", "2"])
    assert refused.exit_code == 2
    assert "no such argument" in refused.output
    refused = CliRunner().invoke(main.app, ["coverage", "--env", twin])
    assert refused.exit_code == 2
    assert "there is no coverage: that of its sister serves" in refused.output
    refused = CliRunner().invoke(main.app, ["watch", "--env", "Chess-v0"])
    assert refused.exit_code == 2
    assert "HexDungeon-v0, Twin-v0" in refused.output


def test_it_is_learned_and_evaluated(twin, tmp_path):
    pytest.importorskip("sb3_contrib", reason=NEEDS.format("train"))
    from agents import evaluate, train_maskable_ppo

    short = ["--total-steps", "64", "--n-envs", "4", "--n-steps", "8", "--batch-size", "16"]
    out = ["--out", str(tmp_path)]
    assert train_maskable_ppo.main(["--env", twin, "--scenario", "ford", *short, *out]) == 0
    model = tmp_path / "model.safetensors"
    assert evaluate.main(["--model", str(model), "--games", "20", *out]) == 0
    assert train_maskable_ppo.main(["--env", twin, "--difficulty", "hard", *short, *out]) == 2
    assert evaluate.main(["--env", "Chess-v0", *out]) == 2
