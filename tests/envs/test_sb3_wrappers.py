"""The native VecEnv inside Stable-Baselines3: wrappers, callbacks, files."""

import csv

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback, CheckpointCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    VecCheckNan,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)

from agemonia_env.rulesets.agemonia.envs.sb3 import AgemoniaVecEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv

N = 3
SHORT = {"ties": "auto", "max_decisions": 25}  # most episodes are truncated, some end before
SIZES = {"n_steps": 32, "batch_size": 48, "n_epochs": 2, "device": "cpu"}
AT_THE_END = {
    *("terminal_observation", "TimeLimit.truncated", "is_success", "episode_statistics"),
    "episode",
}


@pytest.fixture(autouse=True)
def one_thread():
    """Two torch threads busy-wait for each other while another process needs the core."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def native(seed=5, n=N, **arguments):
    return AgemoniaVecEnv(n, seed=seed, **(SHORT | arguments))


def dummy(n=N):
    return DummyVecEnv([lambda: Monitor(AgemoniaEnv(**SHORT))] * n)


def bare(vec):
    return vec


def normalised(vec):
    return VecNormalize(VecMonitor(vec), gamma=0.9, clip_obs=4.0)


def stacked(vec):
    return VecFrameStack(VecCheckNan(vec, raise_exception=True), 2)


def new_model(vec, seed=3, **choices):
    return MaskablePPO("MlpPolicy", vec, seed=seed, **(SIZES | choices))


def weights(model):
    return torch.cat([parameter.detach().flatten() for parameter in model.policy.parameters()])


def some_actions(vec, random):
    return np.array([random.choice(np.flatnonzero(mask)) for mask in get_action_masks(vec)])


def play(vec, steps):
    """Random legal play -> what each step returned."""
    random = np.random.default_rng(0)
    return [vec.step(some_actions(vec, random)) for _ in range(steps)]


class Watch(BaseCallback):
    """Records the observations of a rollout; the policy does not change meanwhile."""

    def __init__(self):
        super().__init__()
        self.rewards, self.successes, self.truncations = [], [], 0

    def _on_step(self):
        rewards = self.locals["rewards"].copy()
        for i in np.flatnonzero(self.locals["dones"]):
            info = self.locals["infos"][i]
            self.successes.append(info["is_success"])
            if info["TimeLimit.truncated"]:
                self.truncations += 1
                last = torch.as_tensor(info["terminal_observation"][None])
                with torch.no_grad():
                    rewards[i] += self.model.gamma * self.model.policy.predict_values(last).item()
        self.rewards.append(rewards)
        return True


# ---- learning ---------------------------------------------------------------------------------
@pytest.mark.parametrize("wrap", [bare, VecMonitor, normalised, stacked])
def test_a_model_learns_the_same_as_from_single_envs_in_a_dummy_vec_env(wrap):
    ours, theirs = (new_model(wrap(vec)).learn(192) for vec in (native(), dummy()))
    assert torch.equal(weights(ours), weights(theirs))
    for name in ("observations", "actions", "rewards", "action_masks", "episode_starts"):
        mine, other = (getattr(model.rollout_buffer, name) for model in (ours, theirs))
        assert np.array_equal(mine, other), name
    assert ours.ep_success_buffer == theirs.ep_success_buffer
    episodes = [[(one["r"], one["l"]) for one in m.ep_info_buffer] for m in (ours, theirs)]
    assert episodes[0] == episodes[1]
    assert len(episodes[0]) > N  # without a wrapper, too: SB3 logs ep_rew_mean


def test_the_seed_of_a_model_is_that_of_its_games():
    buffers = [
        new_model(VecMonitor(native(seed=None)), seed=seed).learn(96).rollout_buffer
        for seed in (7, 7, 8)
    ]
    first, again, other = ([buffer.observations, buffer.actions] for buffer in buffers)
    assert all(map(np.array_equal, first, again))
    assert not any(map(np.array_equal, first, other))


def test_truncated_episodes_are_bootstrapped_and_successes_kept():
    watch = Watch()
    model = new_model(native(), n_steps=60, batch_size=60, n_epochs=1)
    model.collect_rollouts(*_begun(model, watch), n_rollout_steps=60)
    assert 0 < watch.truncations <= len(watch.successes)
    assert np.allclose(model.rollout_buffer.rewards, watch.rewards, atol=1e-6)
    assert list(model.ep_success_buffer) == watch.successes


def _begun(model, callback):
    _, callback = model._setup_learn(1, callback)
    return model.env, callback, model.rollout_buffer


def test_no_wrapper_is_added():
    vec = native()
    assert new_model(vec).get_env() is vec


# ---- results of a step --------------------------------------------------------------------------
def test_infos_are_empty_but_at_the_end():
    vec = native(max_decisions=60)
    vec.reset()
    truncated = []
    for _, _, dones, infos in play(vec, 400):
        for done, info in zip(dones, infos, strict=True):
            assert set(info) == (AT_THE_END if done else set())
        for i in np.flatnonzero(dones):
            last, ending = (
                infos[i]["terminal_observation"],
                infos[i]["episode_statistics"]["ending"],
            )
            assert vec.observation_space.contains(last)
            truncated.append(infos[i]["TimeLimit.truncated"])
            assert truncated[-1] == (ending == "none")
    assert set(truncated) == {True, False}


@pytest.mark.parametrize("wrap", [VecMonitor, normalised, stacked])
def test_masks_are_found_through_wrappers(wrap):
    vec = native()
    wrapped = wrap(vec)
    wrapped.reset()
    assert is_masking_supported(wrapped)
    assert np.array_equal(get_action_masks(wrapped), vec.action_masks())
    assert np.array_equal(wrapped.env_method("action_masks", indices=2), vec.action_masks()[[2]])
    with pytest.raises(TypeError):
        wrapped.env_method("action_masks", "of whom?")


# ---- VecMonitor -------------------------------------------------------------------------------
def test_vec_monitor_counts_what_the_games_count(tmp_path):
    vec = native(side="enemy", enemy_will="card")
    monitor = VecMonitor(vec, str(tmp_path / "games"), info_keywords=("is_success",))
    monitor.reset()
    random = np.random.default_rng(0)
    ended = []
    for _ in range(400):
        lengths = vec.batch.slots["steps"] + 1
        _, _, dones, infos = monitor.step(some_actions(monitor, random))
        assert np.array_equal(monitor.episode_lengths, vec.batch.slots["steps"])
        for i in np.flatnonzero(dones):
            ended.append(infos[i])
            decided = 1 if infos[i]["is_success"] else -1
            assert infos[i]["episode"]["r"] == (0 if infos[i]["TimeLimit.truncated"] else decided)
            assert infos[i]["episode"]["l"] == lengths[i]
    monitor.close()
    assert {info["is_success"] for info in ended} == {True, False}
    with open(tmp_path / "games.monitor.csv", encoding="utf-8") as file:
        next(file)  # when it began
        written = [(row["r"], row["l"], row["is_success"]) for row in csv.DictReader(file)]
    rows = [(info["episode"]["r"], info["episode"]["l"], info["is_success"]) for info in ended]
    assert written == [tuple(map(str, row)) for row in rows]


# ---- VecNormalize -----------------------------------------------------------------------------
def test_vec_normalize_normalises_last_observations_too():
    plain, vec = native(), normalised(native())
    raw = [plain.reset()]
    vec.reset()
    random = np.random.default_rng(0)
    ends = 0
    for _ in range(80):
        actions = some_actions(vec, random)
        observations, _, _, infos = plain.step(actions)
        seen, _, dones, vec_infos = vec.step(actions)
        raw.append(observations)
        assert np.array_equal(vec.get_original_obs(), observations)
        assert np.array_equal(seen, vec.normalize_obs(observations))
        for i in np.flatnonzero(dones):
            ends += 1
            last = infos[i]["terminal_observation"]
            assert np.array_equal(vec_infos[i]["terminal_observation"], vec.normalize_obs(last))
    assert ends >= N
    assert np.allclose(vec.obs_rms.mean, np.mean(raw, axis=(0, 1)), atol=1e-4)
    assert np.allclose(vec.obs_rms.var, np.var(raw, axis=(0, 1)), atol=1e-3)


def test_vec_normalize_and_its_model_come_back_from_files(tmp_path):
    model = new_model(normalised(native()))
    saving = CheckpointCallback(32, str(tmp_path), save_vecnormalize=True)
    model.learn(96, callback=saving).save(tmp_path / "model")
    kept = model.get_vec_normalize_env()
    file = tmp_path / "rl_model_vecnormalize_96_steps.pkl"
    loaded = VecNormalize.load(str(file), VecMonitor(native(seed=9)))
    again = MaskablePPO.load(tmp_path / "model", env=loaded, device="cpu")
    assert np.array_equal(loaded.obs_rms.mean, kept.obs_rms.mean)
    assert np.array_equal(loaded.obs_rms.var, kept.obs_rms.var)
    assert (loaded.ret_rms.var, loaded.ret_rms.count) == (kept.ret_rms.var, kept.ret_rms.count)
    kept.training = loaded.training = False
    kept.seed(9)
    loaded.seed(9)
    seen, same = kept.reset(), loaded.reset()
    for _ in range(30):
        assert np.array_equal(seen, same)
        masks = get_action_masks(kept)
        actions, _ = model.predict(seen, action_masks=masks, deterministic=True)
        repeated, _ = again.predict(same, action_masks=masks, deterministic=True)
        assert np.array_equal(actions, repeated)
        (seen, rewards, *_), (same, paid, *_) = kept.step(actions), loaded.step(actions)
        assert np.array_equal(rewards, paid)


# ---- MaskableEvalCallback ---------------------------------------------------------------------
def test_the_eval_callback_masks_and_keeps_the_best_model_and_its_successes(tmp_path):
    choices = {"side": "enemy", "enemy_will": "card", "max_decisions": 5000, "illegal": "raise"}
    model = new_model(VecMonitor(native()))
    watched = MaskableEvalCallback(
        VecMonitor(native(seed=20, **choices)),
        n_eval_episodes=12,
        eval_freq=32,
        log_path=str(tmp_path),
        best_model_save_path=str(tmp_path),
        verbose=0,
    )
    model.learn(96, callback=watched)
    written = np.load(tmp_path / "evaluations.npz")
    assert written["timesteps"].tolist() == [96]
    (rewards,), (lengths,), (successes,) = (
        written[key].tolist() for key in ("results", "ep_lengths", "successes")
    )
    assert [reward > 0 for reward in rewards] == successes
    assert set(successes) == {True, False}
    assert watched.best_mean_reward == pytest.approx(np.mean(rewards))
    best = MaskablePPO.load(tmp_path / "best_model.zip", device="cpu")
    games = VecMonitor(native(seed=20, **choices))
    assert evaluate_policy(best, games, 12, return_episode_rewards=True) == (rewards, lengths)
    with pytest.raises(ValueError, match="is illegal"):
        evaluate_policy(best, games, 12, use_masking=False)


def test_the_eval_callback_takes_over_the_normalisation():
    evaluated = normalised(native(seed=20))
    evaluated.training = evaluated.norm_reward = False
    model = new_model(normalised(native()))
    model.learn(96, callback=MaskableEvalCallback(evaluated, eval_freq=32, verbose=0))
    trained = model.get_vec_normalize_env()
    assert trained.obs_rms.count > N
    assert evaluated.obs_rms.count == trained.obs_rms.count
    assert np.array_equal(evaluated.obs_rms.mean, trained.obs_rms.mean)


# ---- files ------------------------------------------------------------------------------------
def test_a_saved_model_continues_in_another_env(tmp_path):
    model = new_model(native()).learn(96)
    model.save(tmp_path / "model")
    vec = native(seed=30)
    asked = {"observation": vec.reset(), "action_masks": vec.action_masks(), "deterministic": True}
    learned = []
    for _ in range(2):
        loaded = MaskablePPO.load(tmp_path / "model", env=native(), device="cpu")
        assert np.array_equal(loaded.predict(**asked)[0], model.predict(**asked)[0])
        loaded.set_env(native(seed=40))
        loaded.learn(96, reset_num_timesteps=False)
        assert loaded.num_timesteps == 192
        learned.append(weights(loaded))
    assert torch.equal(*learned)
    assert not torch.equal(learned[0], weights(model))


def test_a_loaded_model_takes_another_number_of_games_than_set_env(tmp_path):
    new_model(native()).save(tmp_path / "model")
    model = MaskablePPO.load(tmp_path / "model", env=native(n=5), device="cpu")
    assert model.learn(160).num_timesteps == 160
    with pytest.raises(AssertionError, match="number of environments"):
        model.set_env(native())
