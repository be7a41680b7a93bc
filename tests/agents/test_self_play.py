"""Self-play: the pool, a run of two generations, and resuming a killed run."""

import functools
import json

import numpy as np
import pytest

from agemonia_env.policies.network import Layer, Network
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agents.config import read_config
from agents.self_play import CONFIG, Arena, Pool, main
from tests.agents import short_runs

SIDES = ("hero", "enemy")
N_ACTIONS = AGEMONIA.N_ACTIONS
SMALL = short_runs.SMALL | {"imitation_steps": "0", "total_steps": "128", "checkpoint_steps": "64"}
arguments = functools.partial(short_runs.arguments, small=SMALL)


@pytest.fixture(autouse=True, scope="module")
def few_comparisons():
    """Sides are compared in few games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.self_play.GAMES", 6)
        yield


def network(action):
    """A network that prefers one action to all others."""
    columns = np.zeros(1, np.int32)
    likes = np.zeros(N_ACTIONS, np.float32)
    likes[action] = 50
    policy = Layer(np.zeros((1, N_ACTIONS), np.float32), likes)
    return Network(
        columns, [], policy, Layer(np.zeros((1, 1), np.float32), np.zeros(1, np.float32))
    )


# ---- the pool -----------------------------------------------------------------------------------
def test_most_rollouts_meet_the_newest_and_the_rest_any_past_one():
    pool = Pool(AGEMONIA, 1)
    for action in range(4):
        pool.add(network(action))
    met = []
    for _ in range(4000):
        pool.draw()
        met.append(pool.members.index(pool.current))
    shares = np.bincount(met, minlength=5) / len(met)
    assert shares == pytest.approx([0.05, 0.05, 0.05, 0.05, 0.8], abs=0.02)


def test_a_pool_begins_with_random_play_and_always_meets_the_only_one():
    pool = Pool(AGEMONIA, 1, latest=0.0)
    pool.draw()
    assert pool.current.name == "random"


def test_opponents_of_the_pool_choose():
    """Of the first question of a scenario, an action of each: that of the network drawn."""
    from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv

    env = AgemoniaEnv()
    env.reset(seed=1)
    first, *_, last = env.legal_actions()
    pool = Pool(AGEMONIA, 1, latest=1.0)
    for action in (first, last):
        pool.add(network(action))
        pool.draw()
        assert env.choose(pool) == action


def test_the_sides_are_compared_on_the_same_games():
    arena = Arena(read_config(CONFIG, {}))
    heroes, enemies = Pool(AGEMONIA, 1, latest=1.0), Pool(AGEMONIA, 1, latest=1.0)
    heroes.add(network(0))
    enemies.add(network(0))
    rates = arena.compare(heroes, enemies)
    assert rates == arena.compare(heroes, enemies)
    assert rates["hero"]["latest"] + rates["enemy"]["latest"] == pytest.approx(1)
    assert all(0 <= rate <= 1 for side in SIDES for rate in rates[side].values())
    assert rates["hero"].keys() == rates["enemy"].keys() == {"latest", "pool", "greedy", "random"}


# ---- runs ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    assert main(arguments(out)) == 0
    return out


def pool_of(out, side):
    return sorted(path.name for path in (out / side / "checkpoints").glob("*.npz"))


def test_both_sides_have_a_model_a_pool_and_a_curve(trained):
    for side in SIDES:
        record = Network.load(trained / side / "model.npz").record
        assert record["env_kwargs"]["side"] == side
        assert record["env_kwargs"]["enemy_will"] == "free"
        assert pool_of(trained, side) == ["step_0000000064.npz", "step_0000000128.npz"]
        learning = json.loads((trained / side / "curve.json").read_text())
        assert [point["steps"] for point in learning] == [64, 128]
    curve = json.loads((trained / "curve.json").read_text())
    assert [point["generation"] for point in curve] == [1, 2]
    assert [(point["hero_steps"], point["enemy_steps"]) for point in curve] == [
        (64, 64),
        (128, 128),
    ]
    folder = trained / "hero/checkpoints"
    one, two = (Network.load(folder / name) for name in pool_of(trained, "hero"))
    assert not np.array_equal(one.policy.weights, two.policy.weights)


def test_a_run_can_start_from_the_models_of_another(trained, tmp_path):
    assert main(arguments(tmp_path, "--from", str(trained), total_steps=64)) == 0
    for side in SIDES:
        names = pool_of(tmp_path, side)
        assert names == ["step_0000000000.npz", "step_0000000064.npz"]
        before = Network.load(trained / side / "model.npz")
        first, last = (Network.load(tmp_path / side / "checkpoints" / name) for name in names)
        assert np.array_equal(first.policy.weights, before.policy.weights)
        assert not np.array_equal(first.policy.weights, last.policy.weights)
    assert main(["--out", str(tmp_path), "--resume", "--total-steps", "128"]) == 0
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [point["generation"] for point in curve] == [1, 2]


def test_both_sides_can_start_by_imitating_a_teacher(tmp_path, monkeypatch):
    options = arguments(tmp_path, imitation_steps=128, total_steps=64)
    assert main(options) == 0
    for side in SIDES:
        copied = Network.load(tmp_path / side / "imitation/model.npz")
        assert copied.record["steps"] == 128
        assert copied.record["env_kwargs"]["side"] == side
        names = pool_of(tmp_path, side)
        assert names == ["step_0000000000.npz", "step_0000000064.npz"]
        first = Network.load(tmp_path / side / "checkpoints" / names[0])
        assert np.array_equal(first.policy.weights, copied.policy.weights)
    monkeypatch.setattr("agents.self_play.Imitation", None)  # a resumed run does not imitate again
    assert main(["--out", str(tmp_path), "--resume", "--total-steps", "128"]) == 0
    assert len(pool_of(tmp_path, "hero")) == 3


def test_a_run_stopped_during_imitation_has_not_started(tmp_path, monkeypatch, capsys):
    def stopped(self, report):
        raise KeyboardInterrupt

    monkeypatch.setattr("agents.self_play.Imitation.iterate", stopped)
    assert main(arguments(tmp_path, imitation_steps=128)) == 130
    assert "stopped while the hero side imitated greedy play" in capsys.readouterr().err
    assert not list(tmp_path.glob("*/checkpoints/*"))


def test_a_folder_without_models_is_refused(tmp_path, capsys):
    assert main(arguments(tmp_path / "out", "--from", str(tmp_path))) == 2
    assert "hero/model.npz: no such model" in capsys.readouterr().err


def test_a_killed_run_resumes_where_it_stopped(tmp_path):
    assert main(arguments(tmp_path, total_steps=64)) == 0
    first = (tmp_path / "hero/checkpoints/step_0000000064.npz").read_bytes()
    (tmp_path / "curve.json").unlink()  # it died after the Heroes' part of the generation
    for path in (tmp_path / "enemy/checkpoints").iterdir():
        path.unlink()
    assert main(["--out", str(tmp_path), "--resume", "--total-steps", "128"]) == 0
    assert (tmp_path / "hero/checkpoints/step_0000000064.npz").read_bytes() == first
    for side in SIDES:
        assert len(pool_of(tmp_path, side)) == 2
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [point["generation"] for point in curve] == [1, 2]


def test_a_run_stopped_during_evaluation_misses_no_generation(tmp_path):
    assert main(arguments(tmp_path, total_steps=128)) == 0
    path = tmp_path / "curve.json"
    curve = json.loads(path.read_text())
    path.write_text(json.dumps(curve[:1]))
    assert main(["--out", str(tmp_path), "--resume", "--total-steps", "192"]) == 0
    again = json.loads(path.read_text())
    assert [point["generation"] for point in again] == [1, 2, 3]
    assert again[1] == curve[1]


def test_the_models_can_be_opponents_by_name(trained):
    from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv

    env = AgemoniaEnv(enemy_will="free", opponent=str(trained / "enemy/model.npz"))
    _, info = env.reset(seed=1)
    for _ in range(30):
        *_, info = env.step(info["action_mask"].argmax())
        assert info["side"] == "hero"


def test_nothing_to_resume_is_one_line(tmp_path, capsys):
    assert main(["--out", str(tmp_path), "--resume"]) == 2
    assert "nothing to resume" in capsys.readouterr().err


def test_a_ruleset_with_one_side_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("agents.run.compile_if_cold", lambda *args: None)  # nothing is played
    assert main(arguments(tmp_path, env="HexDungeon-v0")) == 2
    assert "side='both': must be one of 'hero'" in capsys.readouterr().err
