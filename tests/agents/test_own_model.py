"""Models that others trained: saved in one call, and played by every command."""

import json

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecNormalize
from typer.testing import CliRunner

import agemonia_env
from agemonia_env.cli.main import app
from agemonia_env.policies import policy_of, record_of, save_model
from agemonia_env.policies.network import Layer, Network
from agemonia_env.rulesets.agemonia.envs.sb3 import AgemoniaVecEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv

MODEL = "model.safetensors"


def vec_env(**more):
    return AgemoniaVecEnv(2, scenario="ford", heroes=2, ties="auto", **more)


def trained(env, policy="MlpPolicy", **more):
    return MaskablePPO(policy, env, n_steps=4, batch_size=8, n_epochs=1, device="cpu", **more)


@pytest.fixture
def here(tmp_path, monkeypatch):
    torch.set_num_threads(1)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("activation", [torch.nn.Tanh, torch.nn.ReLU])
def test_a_saved_model_plays_as_it_did(here, activation):
    env = vec_env()
    model = trained(env, policy_kwargs={"activation_fn": activation, "net_arch": [16, 8]})
    model.learn(16)
    save_model(model, env, MODEL)
    single = AgemoniaEnv(scenario="ford", heroes=2, ties="auto")
    played = policy_of(
        single.ruleset, f"likeliest:{MODEL}", fingerprint=single.compiled.fingerprint
    )
    observation, info = single.reset(seed=3)
    for _ in range(30):
        action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
        assert single.choose(played) == action
        observation, _, over, _, info = single.step(int(action))
        if over:
            break


def test_commands_open_it(here):
    env = vec_env(reward="shaped")
    save_model(trained(env), env, MODEL)
    for words in (
        ["evaluate", "--games", "4", "--model", MODEL],
        ["simulate", "-n", "8", "--policy", MODEL],
    ):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, result.output
    record = json.loads((here / "model.json").read_text())
    assert record["env_kwargs"]["scenario"] == "ford"


def test_the_record_has_the_fingerprints_of_a_mix_and_no_object(here):
    env = vec_env(mix=[{"scenario": "ford"}, {"scenario": "weir"}])
    assert len(record_of(env)["fingerprints"]) == 2
    single = gymnasium.make("agemonia_env:Agemonia-v0", opponent=policy_of(env.ruleset, "greedy"))
    assert "opponent" not in record_of(single)["env_kwargs"]


def test_what_cannot_be_played_as_it_was_trained_is_refused(here):
    env = vec_env()
    with pytest.raises(ValueError, match=r"model.zip: must end with .safetensors"):
        save_model(trained(env), env, "model.zip")
    with pytest.raises(ValueError, match="must be a MaskablePPO"):
        save_model(object(), env, MODEL)
    with pytest.raises(ValueError, match="must be an environment of agemonia_env"):
        save_model(trained(env), gymnasium.make("CartPole-v1"), MODEL)
    with pytest.raises(ValueError, match="VecNormalize"):
        save_model(trained(env), VecNormalize(env), MODEL)
    with pytest.raises(ValueError, match="its network must be MlpPolicy's"):
        save_model(trained(env, policy_kwargs={"activation_fn": torch.nn.ELU}), env, MODEL)
    other = gymnasium.make("agemonia_env:HexDungeon-v0")
    with pytest.raises(ValueError, match=r"model: reads \(\d+,\) and has \d+ actions, not"):
        save_model(trained(env), other, MODEL)
    assert list(here.iterdir()) == []


def test_a_zip_gets_the_line_that_converts_it(here):
    env = vec_env()
    model = trained(env)
    model.save("model.zip")
    result = CliRunner().invoke(app, ["simulate", "--policy", "model.zip"])
    assert result.exit_code == 2
    line = result.output[result.output.index("save_model(") :].strip()
    exec(line, {"save_model": save_model, "MaskablePPO": MaskablePPO, "env": env})
    assert agemonia_env.simulate("ford", 2, MODEL, 4)["policy"][0] == MODEL


def test_a_tensor_with_a_shape_is_no_action_as_an_array_is_none():
    env = AgemoniaEnv(illegal="noop")
    env.reset(seed=1)
    action = int(env.legal_actions()[0])
    for refused in (np.array([action]), torch.tensor([action]), torch.tensor(True), np.True_):
        with pytest.raises(ValueError, match="action"):
            env.step(refused)
    env.step(torch.tensor(action))
    env.step(np.array(int(env.legal_actions()[0])))


def test_own_weights_become_a_network(here):
    env = AgemoniaEnv(scenario="ford", heroes=2, ties="auto")
    rules, random = env.ruleset, np.random.default_rng(1)
    weights = [
        random.normal(size=size).astype(np.float32)
        for size in ((8, 16), (16, rules.N_ACTIONS), (16, 1))
    ]
    trunk, policy, value = (Layer(one, np.zeros(one.shape[1], np.float32)) for one in weights)
    Network(np.arange(8, dtype=np.int32), [trunk], policy, value, record_of(env)).save("own.npz")
    assert len(agemonia_env.simulate("ford", 2, "own.npz", 4)) == 4
