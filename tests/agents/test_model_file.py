"""Models on disk: what is kept beside them, and one clear error for each way they can be wrong."""

import json
import zipfile

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from sb3_contrib import MaskablePPO

from agemonia_env.envs.agemonia.ruleset import AGEMONIA
from agemonia_env.envs.hexdungeon.ruleset import HEXDUNGEON
from agemonia_env.policies import policy_of
from agents.fastmask import FastMaskableDistribution, use_fast_masks
from agents.model_file import ModelError, load_model, save_model

RECORD = {
    "env_id": "Agemonia-v0",
    "fingerprint": "abc",
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


@pytest.fixture
def saved(tmp_path):
    model = use_fast_masks(MaskablePPO("MlpPolicy", Toy(), n_steps=8, batch_size=8, device="cpu"))
    path = tmp_path / "model.zip"
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


def test_nothing_half_written_is_left(saved):
    assert sorted(path.name for path in saved.parent.iterdir()) == ["model.json", "model.zip"]


def test_a_model_comes_back_with_fast_masks(saved):
    model, record = load_model(saved, "abc")
    assert isinstance(model.policy.action_dist, FastMaskableDistribution)
    assert record["env_kwargs"] == RECORD["env_kwargs"]
    actions, _ = model.predict(np.zeros((5, 2), np.float32), action_masks=np.eye(2)[[1] * 5] > 0)
    assert (actions == 1).all()


def test_sb3_contrib_alone_can_read_the_file(saved):
    assert MaskablePPO.load(saved, device="cpu").num_timesteps == 0


def test_another_ruleset_is_refused_and_with_force_only_warned_about(saved):
    with pytest.raises(
        ModelError, match=r"another ruleset \(.*fingerprint abc; here xyz\).*--force"
    ):
        load_model(saved, "xyz")
    with pytest.warns(UserWarning, match="another ruleset"):
        load_model(saved, "xyz", force=True)


def test_a_model_of_another_environment_or_of_other_sizes_is_refused(saved):
    with pytest.raises(ModelError, match=r"model.zip: a model of Agemonia-v0; here HexDungeon-v0"):
        policy_of(HEXDUNGEON, str(saved))
    with pytest.raises(ModelError, match=r"model.zip: made for observations and actions of other"):
        policy_of(AGEMONIA, str(saved), fingerprint="abc")


@pytest.mark.parametrize("kept", [0, 10, 1000, -200, -10])
def test_a_truncated_model_is_one_clear_error(saved, kept):
    saved.write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(ModelError, match=r"model\.zip: truncated or damaged; [^\n]+$"):
        load_model(saved, "abc")


def test_a_damaged_model_is_one_clear_error(saved):
    content = bytearray(saved.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 400] = bytes(400)
    saved.write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.zip: truncated or damaged"):
        load_model(saved, "abc")


def test_a_whole_file_that_is_no_model_is_one_clear_error(saved):
    with zipfile.ZipFile(saved, "w") as archive:
        archive.writestr("data", "{}")
        archive.writestr("policy.pth", "")
    with pytest.raises(ModelError, match=r"model\.zip: cannot be loaded: [^\n]+$"):
        load_model(saved, "abc")


def test_a_missing_model_or_record_is_named(saved, tmp_path):
    with pytest.raises(ModelError, match=r"none\.zip: no such model"):
        load_model(tmp_path / "none.zip", "abc")
    saved.with_suffix(".json").unlink()
    with pytest.raises(ModelError, match=r"model\.json: missing"):
        load_model(saved, "abc")


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_a_record_that_is_none_is_named(saved, text):
    saved.with_suffix(".json").write_text(text)
    with pytest.raises(ModelError, match=r"model\.json: not a"):
        load_model(saved, "abc")
