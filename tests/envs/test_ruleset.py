"""A third ruleset is a folder, here examples/skirmish: everything else takes it as it is."""

import pickle
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import registry
from gymnasium.utils.env_checker import check_env
from typer.testing import CliRunner

import agemonia_env
from agemonia_env import balance
from agemonia_env.cli import main
from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import env_class, vec_env_class, vector_env_class
from agemonia_env.envs.wrappers import StructuredObservation
from agemonia_env.gpu.kernels import parameters
from agemonia_env.rulesets.case_files import run_files
from agemonia_env.rulesets.doors import RULESETS, add_ruleset
from agemonia_env.rulesets.ruleset import ruleset_of
from examples import skirmish
from examples.skirmish import DOORS
from examples.skirmish.ruleset import FORMAT, RULESET
from tests.games import random_steps

NEEDS = "needs the extra {}, which make test installs"
FOLDER = Path(skirmish.__file__).parent
ARENA = FOLDER / "packs" / "arena"


@pytest.fixture(autouse=True)
def skirmish_id(monkeypatch):
    """The id of the third ruleset, known to Gymnasium and to the package."""
    for known in (RULESETS, registry):
        monkeypatch.setitem(known, RULESET.env_id, None)  # so that it is forgotten after the test
        del known[RULESET.env_id]
    add_ruleset("examples.skirmish")
    return RULESET.env_id


def played(env, seed=4):
    """Observations and rewards of a game of random legal actions, and its last info."""
    observation, _ = env.reset(seed=seed)
    steps = [*random_steps(env, seed=seed)]
    return [observation.tobytes(), *((s[0].tobytes(), s[1]) for s in steps)], steps[-1][4]


def test_it_is_small_and_imports_no_other_ruleset():
    sources = [path.read_text() for path in FOLDER.glob("*.py")]
    assert sum(len(text.splitlines()) for text in sources) <= 600
    assert not any(f"rulesets.{name}" in text for text in sources for name in RULESETS)
    assert not any(word in text for text in sources for word in ("rulesets.agemonia", "hexdungeon"))


def test_missing_parts_are_reported(skirmish_id):
    assert ruleset_of(skirmish_id) is RULESET
    with pytest.raises(ValueError, match="HexDungeon-v0, Skirmish-v0"):
        ruleset_of("Chess-v0")
    assert RULESET.chosen_arguments(scenario="gate", level=None) == {"scenario": "gate"}
    with pytest.raises(ValueError, match="level: Skirmish-v0 has no such argument, but scenario"):
        RULESET.chosen_arguments(level=2)
    with pytest.raises(ValueError, match=r"heroes=5: must be 1 to 4, or a list"):
        RULESET.check_arguments(heroes=5)
    with pytest.raises(AttributeError, match="has no attribute 'SkirmishQueueEnv'"):
        skirmish.SkirmishQueueEnv  # noqa: B018 (it raises)


def test_a_game(skirmish_id):
    env = gymnasium.make(skirmish_id)
    assert type(env.unwrapped) is env_class(skirmish_id) is skirmish.SkirmishEnv
    check_env(env.unwrapped, skip_render_check=True)
    steps, info = played(env.unwrapped)
    again = pickle.loads(pickle.dumps(skirmish.SkirmishEnv()))
    assert played(again)[0] == steps
    assert info["episode_statistics"]["ending"] in ("foes_fell", "heroes_fell", "time")
    structured = StructuredObservation(skirmish.SkirmishEnv())
    observation, _ = structured.reset(seed=1)
    assert observation["fighter"].shape == (10, 11)


def test_every_refusal_has_its_reason(skirmish_id):
    env = gymnasium.make(skirmish_id, render_mode="ansi").unwrapped
    _, info = env.reset(seed=0)
    random = np.random.default_rng(0)
    reasons = set()
    while not env.states["ending"][0]:
        for action, legal in enumerate(info["action_mask"]):
            assert (env.explain(action) == "legal") == bool(legal)
            reasons.add(env.explain(action))
        _, _, _, _, info = env.step(int(random.choice(np.flatnonzero(info["action_mask"]))))
    assert {"Wall.", "Taken.", "Done.", "Fallen.", "Friend.", "Too far."} <= reasons
    assert "The yard, round" in env.render()


def test_side_by_side(skirmish_id):
    mix = [{"scenario": "gate"}, {"scenario": "yard", "heroes": 3}]
    vec = gymnasium.make_vec(skirmish_id, 3, mix=mix)
    assert type(vec) is vector_env_class(skirmish_id)
    vec.reset(seed=0)
    for _ in range(50):
        vec.step(vec.action_masks().argmax(axis=1))
    alike = vector_env_class(skirmish_id)(2)
    observations, _ = alike.reset(seed=7)
    one, _ = skirmish.SkirmishEnv().reset(seed=8)
    assert np.array_equal(observations[1], one)
    with pytest.raises(ValueError, match="'level': must be one of scenario, heroes, pack"):
        vector_env_class(skirmish_id)(1, mix=[{"level": 2}])


def test_stable_baselines3(skirmish_id):
    pytest.importorskip("stable_baselines3", reason=NEEDS.format("train"))
    sb3 = vec_env_class(skirmish_id)(3, seed=0)
    sb3.reset()
    for _ in range(50):
        sb3.step(sb3.action_masks().argmax(axis=1))


def test_two_sides_as_agents():
    pytest.importorskip("pettingzoo", reason=NEEDS.format("marl"))
    env = skirmish.SkirmishAECEnv(side="both")
    env.reset(seed=3)
    asked = set()
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        asked.add(agent)
        env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
    assert asked == {"hero_0", "hero_1", "enemy_0"}


@pytest.mark.parametrize("side", ["hero", "enemy"])
def test_the_other_side_is_played(skirmish_id, side):
    env = skirmish.SkirmishEnv(side=side)
    _, info = env.reset(seed=1)
    assert info["side"] == side
    random, _ = played(env)
    against = skirmish.SkirmishEnv(side=side, opponent="random")
    assert played(against)[0] != random


def test_its_games_are_rows(skirmish_id):
    pytest.importorskip("polars", reason=NEEDS.format("simulation"))
    games = {"env": skirmish_id, "games": 200, "seed": 1}
    rows = agemonia_env.simulate(policy="greedy", **games)
    weak = agemonia_env.simulate(**games, policy="random")
    assert rows["won"].mean() > 0.05 > weak["won"].mean()
    assert "hero_dealt" not in rows.columns
    with pytest.raises(ValueError, match="difficulty: Skirmish-v0 has no such argument"):
        agemonia_env.simulate(env=skirmish_id, games=6, difficulty="hard")


def test_no_invariant_breaks_and_no_game_is_endless(skirmish_id):
    pytest.importorskip("polars", reason=NEEDS.format("simulation"))
    for scenario in FORMAT.load("arena").scenarios:
        rows = agemonia_env.simulate(scenario, 4, env=skirmish_id, games=50, policy="random")
        assert rows["rounds"].max() <= FORMAT.load("arena").scenarios[scenario].last_round + 1


def test_the_balance_lab_studies_its_packs(skirmish_id):
    pytest.importorskip("polars", reason=NEEDS.format("balance"))
    path, games = "fighters.scout.health", {"heroes": 3, "games": 100}
    compared = balance.compare(env=skirmish_id, b=f"{path} +4", **games)
    assert compared.rows[0]["a"] > compared.rows[0]["b"]
    assert compared.record()["rules"] == RULESET.version
    moved = balance.sensitivity(path, env=skirmish_id, **games)
    assert {row["new"] for row in moved.rows} == {2, 4}
    with pytest.raises(ValueError, match="env Skirmish-v0: there is no analysis"):
        balance.analyse(env=skirmish_id, games=100)


@pytest.mark.skipif(not COMPILED, reason="it plays many games to their end")
def test_it_is_planned_by_the_search_of_the_core(skirmish_id):
    pytest.importorskip("polars", reason=NEEDS.format("simulation"))
    games = {"env": skirmish_id, "games": 50, "seed": 1}
    planned = agemonia_env.simulate(**games, policy="planner:40")
    greedy = agemonia_env.simulate(**games, policy="greedy")
    assert planned["won"].mean() > greedy["won"].mean() + 0.2


def test_its_rule_cases(skirmish_id, tmp_path, capsys):
    assert run_files([FOLDER / "strikes.skirmish.yaml"]) == 0
    assert capsys.readouterr().out == "4 passed, 0 failed\n"
    wrong = tmp_path / "wrong.skirmish.yaml"
    wrong.write_text(
        "- {id: a, do: [{walk: up}]}\n"
        "- {id: b, put: {hp: 3}}\n"
        "- {id: c, do: [{guard: }], expect: {done: 0}}\n"
    )
    assert run_files([wrong]) == 1
    said = capsys.readouterr().out
    assert "up: must be one of north, east, south, west" in said
    assert "put: there is no field hp" in said
    assert "expect.done: expected 0, found 1" in said


def test_mistakes_of_a_pack_are_named(tmp_path):
    assert DOORS.open("check_pack")(ARENA) == []
    for path in ARENA.rglob("*.yaml"):
        copy = tmp_path / path.relative_to(ARENA)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(
            path.read_text().replace("scout", "scoutt").replace("health: 8", "health: 0")
        )
    (tmp_path / "fighters" / "scout.yaml").rename(tmp_path / "fighters" / "scout2.yaml")
    found = DOORS.open("check_pack")(tmp_path)
    assert "fighters/swordsman.yaml: health: must be greater than or equal to 1; it is 0" in found


def test_the_command_line_takes_its_id(skirmish_id):
    watched = CliRunner().invoke(main.app, ["watch", "--env", skirmish_id, "--seed", "3"])
    assert watched.exit_code == 0
    assert "Swordsman" in watched.output
    for words, said in (
        (["watch", "--env", skirmish_id, "--level", "2"], "no such argument"),
        (["coverage", "--env", skirmish_id], "there is no coverage"),
        (["watch", "--env", "Chess-v0"], "HexDungeon-v0, Skirmish-v0"),
    ):
        refused = CliRunner().invoke(main.app, words)
        assert (refused.exit_code, said in refused.output) == (2, True), refused.output


def test_it_is_learned_and_evaluated(skirmish_id, tmp_path):
    pytest.importorskip("torch", reason=NEEDS.format("train"))
    from agents import evaluate, train_ppo

    where = ["--env", skirmish_id, "--scenario", "yard", "--pack", "arena"]
    short = ["--total-steps", "64", "--n-envs", "4", "--n-steps", "8", "--batch-size", "16"]
    assert train_ppo.main([*where, *short, "--out", str(tmp_path)]) == 0
    model = ["--model", str(tmp_path / "model.npz"), "--games", "20", "--out", str(tmp_path)]
    assert evaluate.main(model) == 0
    assert evaluate.main(["--env", "Chess-v0", "--out", str(tmp_path)]) == 2


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_changed_rules_are_compiled_anew(tmp_path):
    """Its entries are kept by the content of its folder."""
    said = subprocess.run(
        [sys.executable, "-c", "from agemonia_env.core.jit import sources_beside as s;"
         "import examples.skirmish.rules; print(s('examples.skirmish.rules'))"],
        capture_output=True, text=True, check=True, cwd=FOLDER.parents[1],
    )  # fmt: skip
    copy = tmp_path / "examples" / "skirmish"
    copy.mkdir(parents=True)
    for path in FOLDER.glob("*.py"):
        (copy / path.name).write_text(
            path.read_text().replace("DIE, GUARD = 6, 1", "DIE, GUARD = 6, 2")
        )
    from agemonia_env.core import jit

    module = type(sys)("elsewhere")
    module.__file__ = str(copy / "rules.py")
    sys.modules["elsewhere"] = module
    try:
        assert jit.sources_beside("elsewhere") not in ("", said.stdout.strip())
    finally:
        del sys.modules["elsewhere"]


def test_a_gpu_knows_its_arguments():
    assert set(parameters(RULESET)) == {"play", "write", "play_on", "choose", "rollout"}
