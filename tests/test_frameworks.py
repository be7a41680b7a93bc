"""The examples of docs/frameworks.md and of examples/ run as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "frameworks.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)
RLLIB_PYTHON = "AGEMONIA_RLLIB_PYTHON"
BENCHMARL_PYTHON = "AGEMONIA_BENCHMARL_PYTHON"
ENVS = ["Agemonia-v0", "HexDungeon-v0"]
MEAN = r"[+-]\d\.\d{3}"


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_snippet_runs(number):
    for package in ("pettingzoo", "pyspiel", "torchrl"):
        if f"import {package}" in BLOCKS[number] or f"from {package}" in BLOCKS[number]:
            pytest.importorskip(package, reason=f"this snippet needs {package}")
    exec(compile(BLOCKS[number], f"docs/frameworks.md, example {number + 1}", "exec"), {})


def test_the_page_has_snippets():
    assert len(BLOCKS) == 6


def printed_by(python, *words):
    """What an example prints."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [python, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def batches_of(python, *words):
    """Lines that an example prints of its batches: number, steps, mean return."""
    printed = printed_by(python, *words)
    return re.findall(r"^ +(\d+) +([\d,]+) steps  (.+)$", printed, flags=re.MULTILINE)


def needs(package, example, extra):
    """Skip the test of an example where its package is missing."""
    reason = f"examples/{example} is untested: make interop installs the extra {extra}"
    pytest.importorskip(package, reason=reason)


@pytest.mark.parametrize(
    ("package", "example"), [("torchrl", "torchrl_ppo.py"), ("tianshou", "tianshou_dqn.py")]
)
def test_an_example_learns_by_legal_actions(package, example):
    needs(package, example, package)
    batches = batches_of(sys.executable, f"examples/{example}", "--batches", "2", "--frames", "160")
    assert [batch[:2] for batch in batches] == [("1", "160"), ("2", "160")]
    assert all(re.fullmatch(rf"{MEAN}|no game ended", mean) for *_, mean in batches)


# ---- TorchRL ------------------------------------------------------------------------------------
@pytest.fixture
def check():
    """Rolls out and checks an environment of TorchRL."""
    utils = pytest.importorskip("torchrl.envs.utils", reason="make interop installs TorchRL")

    def rolled_out(env, steps=30):
        utils.check_env_specs(env)
        games = env.rollout(steps, break_when_any_done=False)
        assert games.batch_size[-1] == steps
        return games

    return rolled_out


@pytest.mark.parametrize("env_id", ENVS)
@pytest.mark.parametrize("features", [False, True])
def test_torchrl_makes_an_environment_by_its_name(env_id, features, check):
    from torchrl.envs import GymEnv

    chosen = {"action_features": True} if features else {}
    check(GymEnv(f"agemonia_env:{env_id}", max_decisions=12, **chosen))


@pytest.mark.parametrize("env_id", ENVS)
@pytest.mark.parametrize("mode", ["Disabled", "SameStep"])
def test_torchrl_wraps_a_vector_env(env_id, mode, check):
    import gymnasium
    from torchrl.envs import GymWrapper

    envs = gymnasium.make_vec(f"agemonia_env:{env_id}", 3, max_decisions=7, autoreset_mode=mode)
    assert check(GymWrapper(envs)).batch_size == (3, 30)


@pytest.mark.parametrize("env_id", ENVS)
@pytest.mark.parametrize("api", ["aec", "parallel"])
@pytest.mark.parametrize("chosen", [{}, {"side": "both"}, {"action_features": True}])
def test_torchrl_wraps_the_pettingzoo_envs(env_id, api, chosen, check):
    if (env_id, "side") == ("HexDungeon-v0", *chosen):
        pytest.skip("monsters make no decisions")
    import pettingzoo
    from torchrl.envs import PettingZooWrapper

    import agemonia_env.envs.pettingzoo  # noqa: F401 - registers the environments

    made = pettingzoo.make(api, env_id, max_decisions=12, **chosen)
    env = PettingZooWrapper(made, use_mask=True, return_state=True)
    games = check(env)
    for group in env.group_map:
        masks, actions = games[group, "action_mask"], games[group, "action"]
        assert masks.gather(-1, actions.unsqueeze(-1)).all()


BENCHMARL = """
import sys
import pettingzoo
from benchmarl.algorithms import MappoConfig
from benchmarl.environments.pettingzoo.common import PettingZooClass
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig
from torchrl.envs import PettingZooWrapper
import agemonia_env.envs.pettingzoo

class Heroes(PettingZooClass):
    def get_env_fun(self, num_envs, continuous_actions, seed, device):
        choices = self.config
        make = lambda: pettingzoo.make("parallel", "Agemonia-v0", **choices)
        return lambda: PettingZooWrapper(
            make(), seed=seed, device=device, return_state=True, categorical_actions=True
        )
    def supports_continuous_actions(self):
        return False
    def supports_discrete_actions(self):
        return True
    def has_state(self):
        return True
    def has_render(self, env):
        return False
    def max_steps(self, env):
        return self.config["max_decisions"]

config = ExperimentConfig.get_from_yaml()
config.max_n_iters, config.evaluation, config.loggers, config.create_json = 2, False, [], False
config.on_policy_collected_frames_per_batch, config.on_policy_n_envs_per_worker = 60, 1
config.on_policy_minibatch_size, config.on_policy_n_minibatch_iters = 60, 1
config.save_folder = sys.argv[1]
experiment = Experiment(
    task=Heroes("HEROES", {"ties": "auto", "max_decisions": 30}),
    algorithm_config=MappoConfig.get_from_yaml(),
    model_config=MlpConfig.get_from_yaml(),
    critic_model_config=MlpConfig.get_from_yaml(),
    seed=0,
    config=config,
)
experiment.run()
print("frames:", experiment.total_frames)
"""


def test_benchmarl_learns_with_all_heroes(tmp_path):
    python = os.environ.get(BENCHMARL_PYTHON)
    if not python:
        pytest.skip(f"BenchMARL is untested: set {BENCHMARL_PYTHON} to a Python that has it")
    assert "frames: 120" in printed_by(python, "-c", BENCHMARL, str(tmp_path))


# ---- others -------------------------------------------------------------------------------------
@pytest.mark.parametrize("env_id", [*ENVS, "AgemoniaGauntlet-v0"])
@pytest.mark.parametrize("chosen", [{}, {"log": True, "action_features": True}])
def test_minari_records_infos(env_id, chosen, tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    minari = pytest.importorskip("minari", reason="make interop installs Minari")
    import gymnasium
    import numpy as np

    env = gymnasium.make(f"agemonia_env:{env_id}", max_decisions=20, **chosen)
    env = minari.DataCollector(env, record_infos=True, data_format="hdf5")
    random = np.random.default_rng(0)
    for seed in range(2):
        (_, info), over = env.reset(seed=seed), False
        while not over:
            action = random.choice(np.flatnonzero(info["action_mask"]))
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
    games = list(env.create_dataset("heroes/random-v0", eval_env=None).iterate_episodes())
    assert [len(game.infos["action_mask"]) for game in games] == [21, 21]
    assert all(game.infos["episode_statistics"]["decisions"][-1] >= 20 for game in games)


def test_openspiel_searches_both_rulesets():
    needs("pyspiel", "openspiel_mcts.py", "openspiel")
    for game in ("agemonia_v0(heroes=1,ties=auto,side=both)", "hexdungeon_v0(heroes=1)"):
        words = ["--game", game, "--simulations", "3", "--decisions", "4"]
        printed = printed_by(sys.executable, "examples/openspiel_mcts.py", *words)
        assert len(re.findall(r"^player \d   \d+: \w", printed, re.MULTILINE)) == 4
        assert re.search(r"^game 1: player 0 [+-]\d", printed, re.MULTILINE)


def test_rllib_learns_with_masks():
    python = os.environ.get(RLLIB_PYTHON)
    if not python:
        pytest.skip(
            "examples/rllib_ppo.py is untested: it says how to install RLlib; "
            f"then set {RLLIB_PYTHON} to that Python"
        )
    iterations = batches_of(python, "examples/rllib_ppo.py", "--iterations", "2", "--steps", "512")
    assert [number for number, *_ in iterations] == ["1", "2"]
    assert all(int(steps.replace(",", "")) >= 512 for _, steps, _ in iterations)
    assert all(re.fullmatch(MEAN, mean) for *_, mean in iterations)


def test_maskable_ppo_scores_actions_by_their_features():
    printed = printed_by(
        sys.executable, "examples/maskable_features.py", "--steps", "1024", "--n-envs", "16"
    )
    assert re.search(r"1,024 steps  won +[\d.]+% of \d+ games", printed)


def test_ppo_on_the_vector_environment_runs_and_sees_games_end():
    printed = printed_by(
        sys.executable, "examples/ppo_vector.py", "--steps", "16384", "--n-envs", "128"
    )
    rows = re.findall(r"^ *([\d,]+) decisions .* % of (\d+) games won$", printed, re.MULTILINE)
    assert [steps for steps, _ in rows] == ["8,192", "16,384"]
    assert all(int(games) > 0 for _, games in rows)
