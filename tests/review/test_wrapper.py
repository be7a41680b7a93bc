"""`RecordGames` writes a file for each episode that it is asked for."""

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import TimeLimit

from agemonia_env.envs.wrappers import MaskInObservation
from agemonia_env.files.embedded import extract
from agemonia_env.review import RecordGames
from agemonia_env.rulesets.agemonia.envs.gauntlet import AgemoniaGauntletEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv


def play(env, steps=10**6, seed=None):
    env.reset(seed=seed)
    random = np.random.default_rng(3)
    for _ in range(steps):
        result = env.step(random.choice(env.unwrapped.legal_actions()))
        if result[2] or result[3]:
            break


def names(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("make", [AgemoniaEnv, HexDungeonEnv])
def test_every_episode_leaves_a_file_that_plays_on(tmp_path, make):
    env = RecordGames(make(), tmp_path)
    play(env, seed=np.int64(1))
    play(env, 8)
    position = env.unwrapped.get_state()
    env.close()
    assert names(tmp_path) == ["game-episode-0.html", "game-episode-1.html"]
    first, second = (extract(tmp_path / name) for name in names(tmp_path))
    assert first["over"]
    assert not second["over"]
    assert first["made"]["seed"] == 1
    assert second["made"]["seed"] is None
    assert first["judged"] == []
    assert make.from_review(tmp_path / "game-episode-1.html").get_state() == position


def test_gymnasium_makes_and_wraps_it(tmp_path):
    env = gymnasium.make("agemonia_env:Agemonia-v0", reward="shaped")
    env = RecordGames(TimeLimit(MaskInObservation(env), 6), tmp_path, name_prefix="try")
    play(env)
    assert names(tmp_path) == ["try-episode-0.html"]
    assert AgemoniaEnv.from_review(tmp_path / "try-episode-0.html").states["decision"][0]
    assert env.spec is not None


def test_every_trigger_and_keep_choose_episodes(tmp_path):
    for name, choices, expected in (
        ("every", {"every": 2}, [0, 2, 4]),
        ("trigger", {"episode_trigger": lambda episode: episode in (1, 2)}, [1, 2]),
        ("keep", {"keep": 2}, [3, 4]),
    ):
        env = RecordGames(AgemoniaEnv(), tmp_path / name, **choices)
        for _ in range(5):
            play(env, 2)
        env.close()
        assert names(tmp_path / name) == [f"game-episode-{k}.html" for k in expected]


def test_an_episode_without_a_step_leaves_no_file(tmp_path):
    env = RecordGames(AgemoniaEnv(), tmp_path)
    env.reset()
    env.reset()
    env.close()
    assert names(tmp_path) == []


def test_probabilities_given_are_in_the_file(tmp_path):
    env = RecordGames(AgemoniaEnv(), tmp_path, policy="mine", rollouts=4)
    env.reset(seed=1)
    legal = env.unwrapped.legal_actions()
    shares = np.zeros(env.action_space.n)
    shares[legal] = 1 / len(legal)
    env.note_probabilities(shares)
    env.step(legal[0])
    env.note_probabilities({int(env.unwrapped.legal_actions()[0]): 1.0})
    env.step(env.unwrapped.legal_actions()[0])
    env.step(env.unwrapped.legal_actions()[0])
    for wrong, message in (
        ([1.0], "one for each of"),
        (shares * np.nan, "is nan, not 0 to 1"),
        (np.log(shares + 0.1), "is -2.3"),
        ({5: 2.0}, "that of action 5 is 2.0"),
    ):
        with pytest.raises(ValueError, match=message):
            env.note_probabilities(wrong)
    env.close()
    record = extract(tmp_path / "game-episode-0.html")
    first, second, third = (step["probabilities"] for step in record["steps"])
    assert first == pytest.approx([1 / len(legal)] * len(legal), abs=1e-3)
    assert second[0] == 1.0
    assert third is None
    assert record["made"]["policy"] == "mine"
    assert len(record["judged"]) == 4


def test_refused_steps_are_not_recorded(tmp_path):
    env = RecordGames(AgemoniaEnv(illegal="raise"), tmp_path)
    env.reset(seed=1)
    inner = env.unwrapped
    inner.choose(_random(inner))  # draws, though the step is refused
    illegal = int(np.flatnonzero(~inner.action_masks())[0])
    for wrong in (illegal, 10**6, "x"):
        with pytest.raises(ValueError, match="action"):
            env.step(wrong)
    env.step(inner.legal_actions()[0])
    env.close()
    assert AgemoniaEnv.from_review(tmp_path / "game-episode-0.html").get_state() == (
        inner.get_state()
    )


def _random(env):
    from agemonia_env.policies import policy_of

    return policy_of(env.ruleset, "random")


def test_a_game_that_is_set_back_ends_the_file_there(tmp_path):
    env = RecordGames(AgemoniaEnv(), tmp_path)
    env.reset(seed=1)
    start = env.unwrapped.get_state()
    env.step(env.unwrapped.legal_actions()[0])
    env.unwrapped.set_state(start)
    with pytest.warns(UserWarning, match="was changed between two steps; the file ends there"):
        env.step(env.unwrapped.legal_actions()[0])
    env.step(env.unwrapped.legal_actions()[0])
    env.close()
    assert len(extract(tmp_path / "game-episode-0.html")["steps"]) == 1


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"every": 0}, "every=0"),
        ({"keep": 0}, "keep=0"),
        ({"simulations": -1}, "simulations=-1"),
        ({"rollouts": "x"}, "rollouts='x'"),
        ({"policy": None}, "policy=None: must be a text"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, choices, message):
    with pytest.raises(ValueError, match=message):
        RecordGames(AgemoniaEnv(), tmp_path, **choices)


def test_envs_that_cannot_be_recorded_are_refused(tmp_path):
    with pytest.raises(ValueError, match="an environment of this package"):
        RecordGames(gymnasium.make("CartPole-v1"), tmp_path)
    with pytest.raises(ValueError, match="cannot be recorded"):
        RecordGames(AgemoniaGauntletEnv(), tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="must be a folder"):
        RecordGames(AgemoniaEnv(), tmp_path / "file")
