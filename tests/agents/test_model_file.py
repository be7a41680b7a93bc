"""Models on disk: their records, and one clear error for each kind of mistake."""

import base64
import io
import json
import os
import pickle
import subprocess
import zipfile

import gymnasium
import numpy as np
import pytest
import torch as th
from gymnasium import spaces
from safetensors.torch import save
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import FlattenExtractor
from typer.testing import CliRunner

from agemonia_env.cli.main import app
from agemonia_env.files.writing import write_json
from agemonia_env.policies import policy_of
from agemonia_env.policies.model_record import ModelError
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from agemonia_env.rulesets.identity import identity_of
from agents import evaluate, model_file
from agents.fastmask import FastMaskableDistribution, use_fast_masks
from agents.model_file import load_policy, read_record, restore, save_model
from agents.tensor_file import read_tensors
from agents.train_maskable_ppo import main as train_maskable_ppo

RECORD = {
    "env_id": "Agemonia-v0",
    "fingerprint": "abc",
    "identity": identity_of("Agemonia-v0"),
    "seed": 3,
    "env_kwargs": {"scenario": "ford", "heroes": 2},
}


class Toy(gymnasium.Env):
    """Two actions, of which the first is right."""

    observation_space = spaces.Box(-1, 1, (2,), np.float32)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.zeros(2, np.float32), {}

    def step(self, action):
        return np.zeros(2, np.float32), float(action == 0), True, False, {}

    def action_masks(self):
        return np.ones(2, np.bool_)


class Wide(Toy):
    """The same with as many observations and actions as Agemonia has."""

    observation_space = spaces.Box(-1, 1, (AGEMONIA.N_OBSERVATION,), np.float32)
    action_space = spaces.Discrete(AGEMONIA.N_ACTIONS)


def model_of(env, **changes):
    made = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, device="cpu", seed=4, **changes)
    return use_fast_masks(made)


def load(path):
    return load_policy(path, read_record(path))


@pytest.fixture
def saved(tmp_path):
    model = model_of(Toy())
    path = tmp_path / "model.safetensors"
    save_model(model, path, RECORD)
    return path


def test_the_record_names_ruleset_seed_versions_and_sizes(saved):
    record = json.loads(saved.with_suffix(".json").read_text())
    assert record["fingerprint"] == "abc"
    assert record["env_id"] == "Agemonia-v0"
    assert (record["seed"], record["steps"]) == (3, 0)
    assert (record["n_observation"], record["n_actions"]) == (2, 2)
    assert {"python", "torch", "sb3-contrib", "numpy"} <= set(record["versions"])
    assert "commit" in record


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"policy_kwargs": {"net_arch": []}},
        {"policy_kwargs": {"net_arch": {"pi": [8], "vf": [4, 4]}, "activation_fn": th.nn.ReLU}},
    ],
    ids=["default", "no layers", "two networks"],
)
def test_a_policy_is_built_that_acts_as_the_one_that_was_saved(tmp_path, changes):
    path, random = tmp_path / "model.safetensors", np.random.default_rng(1)
    model = model_of(Wide(), **changes)
    save_model(model, path, RECORD)
    theirs, ours = model.policy, load(path)
    assert isinstance(ours.action_dist, FastMaskableDistribution)
    n = 500
    seen = th.as_tensor(random.normal(size=(n, AGEMONIA.N_OBSERVATION)), dtype=th.float32)
    masks = random.random((n, AGEMONIA.N_ACTIONS)) < 0.2
    masks[np.arange(n), random.integers(AGEMONIA.N_ACTIONS, size=n)] = True
    with th.no_grad():
        assert th.equal(ours.predict_values(seen), theirs.predict_values(seen))
        chosen = [
            one._predict(seen, deterministic=True, action_masks=masks) for one in (ours, theirs)
        ]
        assert th.equal(*chosen)
        mine, other = (one.get_distribution(seen, masks) for one in (ours, theirs))
        assert th.equal(mine.logits, other.logits)


def test_a_run_resumes_with_weights_moments_and_steps(tmp_path):
    path = tmp_path / "model.safetensors"
    first, second = model_of(Toy()).learn(16), model_of(Toy())
    save_model(first, path, RECORD)
    restore(second, path, read_record(path))
    assert second.num_timesteps == 16
    for mine, other in zip(second.policy.parameters(), first.policy.parameters(), strict=True):
        assert th.equal(mine, other)
    moments = second.policy.optimizer.state_dict()["state"]
    assert moments
    for number, other in first.policy.optimizer.state_dict()["state"].items():
        assert all(th.equal(moments[number][name], other[name]) for name in other)


def test_a_policy_that_only_its_own_code_could_build_is_refused(tmp_path):
    class Own(FlattenExtractor):
        pass

    made = {"policy_kwargs": {"features_extractor_class": Own}}
    save_model(model_of(Wide(), **made), tmp_path / "model.safetensors", RECORD)
    with pytest.raises(ModelError, match=r"model\.json: describes no network"):
        load(tmp_path / "model.safetensors")


# ---- code in a file -----------------------------------------------------------------------------
def test_another_ruleset_is_refused_and_with_force_only_warned_about(tmp_path):
    path = tmp_path / "model.safetensors"
    save_model(model_of(Wide()), path, RECORD)
    with pytest.raises(
        ModelError, match=r"another ruleset \(.*fingerprint abc; here xyz\).*--force"
    ):
        policy_of(AGEMONIA, str(path), fingerprint="xyz")
    with pytest.warns(UserWarning, match="another ruleset"):
        policy_of(AGEMONIA, str(path), fingerprint="xyz", force=True)


def test_a_model_of_another_environment_or_of_other_sizes_is_refused(saved):
    with pytest.raises(
        ModelError, match=r"tensors: a model for Agemonia-v0, not for HexDungeon-v0"
    ):
        policy_of(HEXDUNGEON, str(saved))
    with pytest.raises(ModelError, match=r"model\.safetensors: made for other sizes of"):
        policy_of(AGEMONIA, str(saved), fingerprint="abc")


@pytest.mark.parametrize("kept", [0, 7, 10, 1000, -200, -1])
def test_a_truncated_model_is_one_clear_error(saved, kept):
    saved.write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(ModelError, match=r"model\.safetensors: damaged, [^\n]+$"):
        load(saved)


@pytest.mark.parametrize(
    "header",
    [
        b"{",
        b"[]",
        b'{"policy.a": {"dtype": "F32", "shape": [2000000000], "data_offsets": [0, 8000000000]}}',
        b'{"policy.a": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 4]}}',
        b'{"policy.a": {"dtype": "object", "shape": [], "data_offsets": [0, 4]}}',
        b" " * 2**20 + b"{}",
    ],
)
def test_a_header_that_asks_for_more_than_the_file_holds_is_refused(saved, header):
    saved.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with pytest.raises(ModelError, match=r"model\.safetensors: damaged, [^\n]+$"):
        load(saved)


def test_a_record_of_a_network_that_the_file_does_not_hold_takes_no_memory(saved, monkeypatch):
    beside = saved.with_suffix(".json")
    record = json.loads(beside.read_text())
    record["network"] |= {"policy": [2**14] * 16, "value": [2**14] * 16}
    beside.write_text(json.dumps(record))
    monkeypatch.setattr(
        model_file, "MaskableActorCriticPolicy", lambda *_, **__: pytest.fail("built")
    )
    with pytest.raises(ModelError, match="its weights do not fit the network in its record"):
        load(saved)


class Harmful:
    """Unpickling it creates a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def asking(words):
    """A file of torch.save that its safe loader takes for sound (weights_only)."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("archive/data.pkl", words)
        file.writestr("archive/version", "3\n")
        file.writestr("archive/byteorder", "little")
    return data.getvalue()


SHARED = b"".join(b"h" + bytes([i]) + b"\x86q" + bytes([i + 1]) for i in range(60))
GREEDY = {
    "3 GB": asking(b"\x80\x02cbuiltins\nbytearray\n\x8a\x05\x00\x5e\xd0\xb2\x00\x85R."),
    "a hash that never ends": asking(b"\x80\x02})q\x00" + SHARED + b"K\x00s."),
}


@pytest.mark.parametrize("suffix", [".safetensors", ".zip"])
@pytest.mark.parametrize("what", GREEDY)
def test_a_pickle_is_not_even_opened(tmp_path, what, suffix):
    path = tmp_path / f"model{suffix}"
    path.write_bytes(GREEDY[what])
    sizes = {"n_observation": AGEMONIA.N_OBSERVATION, "n_actions": AGEMONIA.N_ACTIONS}
    network = {"policy": [], "value": [], "activation": "tanh", "columns": None}
    write_json(path.with_suffix(".json"), RECORD | sizes | {"network": network})
    message = "damaged, or not" if suffix == ".safetensors" else "pickles, which can run code"
    with pytest.raises(ModelError, match=message):
        policy_of(AGEMONIA, str(path))


def harmful(path, record, mark):
    """Write a model that runs code wherever any part of it is unpickled."""
    part, pickled = io.BytesIO(), pickle.dumps(Harmful(mark))
    th.save({"weights": Harmful(mark)}, part)
    write_json(path.with_suffix(".json"), record)
    if path.suffix == ".npz":
        arrays = {name: np.array([Harmful(mark)], object) for name in ("record", "columns")}
        np.savez(path, **arrays)
    elif path.suffix == ".safetensors":
        path.write_bytes(part.getvalue())
    else:
        policy_class = {":type:": "x", ":serialized:": base64.b64encode(pickled).decode()}
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("data", json.dumps({"policy_class": policy_class}))
            for name in ("policy.pth", "policy.optimizer.pth", "pytorch_variables.pth"):
                archive.writestr(name, part.getvalue())


PLACES = {
    "evaluate": lambda path: evaluate.main(["--model", str(path), "--games", "2"]),
    "simulate": lambda path: app_status("simulate", "-n", "2", "--policy", str(path)),
    "watch": lambda path: app_status("watch", "--policy", str(path)),
    "league": lambda path: app_status("league", "--policy", str(path), "--policy", "random"),
    "compare": lambda path: app_status("balance", "compare", str(path.with_name("study.yaml"))),
    "resume": lambda path: train_maskable_ppo(["--resume", "--out", str(path.parent)]),
}


def app_status(*words):
    return CliRunner().invoke(app, list(words)).exit_code


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("suffix", [".zip", ".safetensors", ".npz"])
def test_no_code_of_a_model_is_run(saved, tmp_path, place, suffix, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path, mark = tmp_path / f"model{suffix}", tmp_path / "harmed"
    sizes = {"n_observation": AGEMONIA.N_OBSERVATION, "n_actions": AGEMONIA.N_ACTIONS}
    network = {"policy": [4], "value": [4], "activation": "tanh", "columns": None}
    harmful(path, RECORD | sizes | {"steps": 1, "network": network}, mark)
    (tmp_path / "study.yaml").write_text(f"b: heroes.orsa.blue +1\npolicy: {path}\ngames: 100\n")
    assert PLACES[place](path) == 2
    assert not mark.exists()


def test_a_missing_model_or_record_is_named(saved, tmp_path):
    with pytest.raises(ModelError, match=r"none\.safetensors: no such model"):
        policy_of(AGEMONIA, str(tmp_path / "none.safetensors"))
    saved.with_suffix(".json").unlink()
    with pytest.raises(ModelError, match=r"model\.json: missing"):
        policy_of(AGEMONIA, str(saved))


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_an_invalid_record_is_named(saved, text):
    saved.with_suffix(".json").write_text(text)
    with pytest.raises(ModelError, match=r"model\.json: not a"):
        load(saved)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda all_: all_ | {"more": th.zeros(1)}, "do not fit the network"),
        (lambda all_: {}, "do not fit the network"),
        (
            lambda all_: all_ | {"action_net.bias": th.zeros(3)},
            r"action_net\.bias: must be float32",
        ),
        (lambda all_: all_ | {"action_net.bias": th.zeros(2).double()}, r"float32 \(2,\)"),
        (lambda all_: all_ | {"action_net.bias": th.zeros(2).half()}, "do not fit the network"),
        (lambda all_: all_ | {"action_net.bias": th.full((2,), th.nan)}, "not finite"),
    ],
)
def test_weights_that_do_not_fit_are_named(saved, change, message):
    weights = change(dict(load(saved).state_dict()))
    saved.write_bytes(save({f"policy.{name}": one.clone() for name, one in weights.items()}))
    with pytest.raises(ModelError, match=message):
        load(saved)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda all_: {k: one for k, one in all_.items() if k != "optimiser.0.step"}, "fit the"),
        (lambda all_: all_ | {"optimiser.0.exp_avg": th.zeros(1)}, "parameter 0"),
        (lambda all_: all_ | {"optimiser.0.step": th.tensor(-1.0)}, "parameter 0"),
        (lambda all_: all_ | {"optimiser.99.step": th.tensor(1.0)}, "fit the"),
    ],
)
def test_moments_that_do_not_fit_are_named(tmp_path, change, message):
    path, model = tmp_path / "model.safetensors", model_of(Toy()).learn(16)
    save_model(model, path, RECORD)
    path.write_bytes(save(change(read_tensors(path))))
    with pytest.raises(ModelError, match=message):
        restore(model_of(Toy()), path, read_record(path))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"network": 5}, "network"),
        (
            {"network": {"policy": [10**9], "value": [], "activation": "tanh", "columns": None}},
            "16384",
        ),
        ({"network": {"policy": [], "value": [], "activation": "exec", "columns": None}}, "tanh"),
        ({"network": {"policy": [], "value": [], "activation": "tanh", "columns": [7]}}, "columns"),
        ({"n_actions": 2.5}, "n_actions"),
        ({"fingerprints": 5}, "fingerprints"),
        ({"env_kwargs": 5}, "env_kwargs"),
        ({"steps": -1}, "steps"),
        ({"config": []}, "config"),
    ],
)
def test_problems_of_a_record_are_named(saved, change, message):
    beside = saved.with_suffix(".json")
    beside.write_text(json.dumps(json.loads(beside.read_text()) | change))
    with pytest.raises(ModelError, match=rf"model\.json: not a model record: [^\n]*{message}"):
        load(saved)


def test_the_commit_is_found_without_touching_the_repository(tmp_path, monkeypatch):
    def git(*words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", tmp_path, *identity, *words], check=True, capture_output=True)

    git("init")
    (tmp_path / "file").write_text("text")
    git("add", "file")
    git("commit", "-m", "first")
    os.utime(tmp_path / "file", (0, 0))  # the same, but git has to refresh its index
    index = (tmp_path / ".git" / "index").read_bytes()
    monkeypatch.setattr(model_file, "__file__", str(tmp_path / "model_file.py"))
    assert len(model_file.git_commit()) == 40
    assert (tmp_path / ".git" / "index").read_bytes() == index
