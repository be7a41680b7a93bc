"""Gauntlets: stages in a row, the state of the party, rewards, positions and copies."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from typer.testing import CliRunner

from agemonia_env.cli.main import app
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.terms import Ending
from agemonia_env.rulesets.agemonia.envs.gauntlet import AgemoniaGauntletEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from tests.content.small import small_pack, write_pack
from tests.games import random_steps

ID = "AgemoniaGauntlet-v0"
HOLD = {"kind": "hold", "number": 1}
PLAIN = {"timer": None, "sections": {}, "events": [], "allies": [], "difficulty": {}}


@pytest.fixture
def pack(tmp_path):
    """The small pack with a gauntlet of three stages of one round each, the last one at a rest."""
    files = small_pack()
    files["scenarios/yard.yaml"]["objective"] = HOLD
    files["scenarios/keep.yaml"] |= PLAIN | {"objective": HOLD}
    stages = [("yard", 1, False), ("yard", 4, False), ("keep", 5, True)]
    files["gauntlets/climb.yaml"]["stages"] = [
        {"scenario": name, "level": level, "rest": rest} for name, level, rest in stages
    ]
    return str(write_pack(tmp_path / "small", files))


@pytest.fixture
def lost(tmp_path):
    """The same, but nobody wins the second stage: its only round is too short for the queen."""
    files = small_pack()
    files["scenarios/yard.yaml"]["objective"] = HOLD
    files["scenarios/keep.yaml"] |= PLAIN | {"last_round": 1, "objective": {"kind": "defeat_all"}}
    return str(write_pack(tmp_path / "small", files))


def climb(pack, seed=5, **arguments):
    env = AgemoniaGauntletEnv("climb", pack=pack, **arguments)
    env.reset(seed=seed)
    return env


def play(env, limit=2000, seed=0, until=lambda info: False):
    """Random legal play to the end, or until an info is such -> what each step returned."""
    seen = []
    for returned in random_steps(env, limit, seed):
        seen.append(returned)
        if until(returned[4]):
            break
    return seen


def to_stage(env, stage):
    """Play on to the first decision of a stage -> the result of the last step."""
    return play(env, until=lambda info: info["stage"] == stage)[-1]


def plain(steps):
    """What steps returned as values that can be compared."""
    return [
        (step[0].tobytes(), *step[1:4], step[4]["action_mask"].tobytes(), step[4]["stage"])
        for step in steps
    ]


# ---- conventions ----------------------------------------------------------------------------
@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("arguments", [{}, {"gauntlet": "no-bed", "heroes": 3, "reward": "shaped"}])
def test_gymnasium_checker_passes_with_warnings_as_errors(arguments):
    check_env(gymnasium.make(ID, **arguments).unwrapped)


def test_spec_survives_json():
    env = gymnasium.make(ID, gauntlet="deep-water", heroes=["wenna", {"hero": "ivo"}])
    spec = gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json())
    made = gymnasium.make(spec).unwrapped
    assert made.gauntlet.name == "Deep Water"
    assert made.compiled.names.allies[:2] == ("Wenna", "Ivo")


def test_every_gauntlet_of_the_pack_begins():
    for name, gauntlet in load_pack("core").gauntlets.items():
        env = AgemoniaGauntletEnv(name, heroes=4)
        _, info = env.reset(seed=0)
        assert (info["stage"], info["stages"]) == (1, len(gauntlet.stages))
        assert env.observation_space == AgemoniaEnv().observation_space
        assert env.action_space == AgemoniaEnv().action_space


def test_the_first_stage_is_the_game_of_the_single_environment():
    env, alone = AgemoniaGauntletEnv(), AgemoniaEnv("ford", level=1)
    assert np.array_equal(env.reset(seed=4)[0], alone.reset(seed=4)[0])
    assert env._states.tobytes() == alone._states.tobytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"gauntlet": "nowhere"}, "gauntlet='nowhere'.*first-watch"),
        ({"gauntlet": 3}, "gauntlet=3"),
        ({"heroes": [{"hero": "orsa", "level": 2}]}, "the stages of a gauntlet say it"),
        ({"heroes": [{"hero": "orsa", "class": "Cook"}]}, "unknown class 'Cook'"),
    ],
)
def test_wrong_arguments_get_one_clear_error(arguments, words):
    with pytest.raises(ValueError, match=words):
        AgemoniaGauntletEnv(**arguments)


# ---- stages ---------------------------------------------------------------------------------
def test_stages_follow_one_another_and_each_is_worth_its_share(pack):
    env = climb(pack)
    seen = play(env)
    rewards = [step[1] for step in seen if step[1]]
    assert rewards == pytest.approx([1 / 3] * 3)
    assert [step[4]["stage"] for step in seen if step[1]] == [2, 3, 3]
    endings = [step[4]["stage_statistics"]["ending"] for step in seen]
    assert [bool(step[1]) for step in seen] == [ending != "none" for ending in endings]
    assert all(step[4]["stages"] == 3 for step in seen)
    assert [step[2] for step in seen] == [False] * (len(seen) - 1) + [True]
    info = seen[-1][4]
    assert info["is_success"]
    statistics = info["episode_statistics"]
    parts = [step[4]["stage_statistics"] for step in seen if step[1]]
    assert (statistics["win"], statistics["stages_won"], statistics["rounds"]) == (True, 3, 3)
    for key in ("damage_dealt", "damage_taken", "decisions", "exhausted_heroes"):
        assert statistics[key] == sum(part[key] for part in parts)
    again = env.step(0)
    assert again[1:3] == (0.0, True)


def test_a_lost_stage_ends_the_episode(lost):
    seen = play(climb(lost))
    assert [step[1] for step in seen if step[1]] == [0.5]
    info = seen[-1][4]
    assert (info["stage"], info["is_success"]) == (2, False)
    assert info["stage_statistics"]["ending"] == info["episode_statistics"]["ending"]
    assert info["episode_statistics"]["win"] is False
    assert info["episode_statistics"]["stages_won"] == 1
    assert info["episode_statistics"]["rounds"] == 2


def test_shaping_adds_up_to_the_difference_of_potentials(pack):
    env = climb(pack, reward="shaped", gamma=1.0)
    first = float(env._slots["potential"][0])
    rewards = [step[1] for step in play(env)]
    assert first != 0.0
    assert any(0 < abs(reward) < 0.3 for reward in rewards)
    assert sum(rewards) == pytest.approx(1.0 - first, abs=1e-5)


def test_an_illegal_action_forfeits_the_remaining_stages(pack):
    env = climb(pack, illegal="terminate")
    to_stage(env, 2)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert info["episode_statistics"]["stages_won"] == 1
    assert not info["is_success"]


def test_the_limit_counts_the_steps_of_all_stages(pack):
    steps = len(play(climb(pack), until=lambda info: info["stage"] == 2))
    for limit in (steps, steps + 1):
        seen = play(climb(pack, max_decisions=limit))
        assert len(seen) == limit
        _, _, terminated, truncated, info = seen[-1]
        assert (terminated, truncated, info["stage"]) == (False, True, 2)
        assert info["episode_statistics"]["stages_won"] == 1
        assert not info["is_success"]


def test_a_stage_that_is_over_before_anybody_is_asked_counts(pack, monkeypatch):
    env = climb(pack, reward="shaped")
    set_up = AgemoniaGauntletEnv._set_up

    def decided(self, compiled, core_seed):
        set_up(self, compiled, core_seed)
        self._states["ending"], self._states["won"] = Ending.OBJECTIVE, 1

    monkeypatch.setattr(AgemoniaGauntletEnv, "_set_up", decided)
    _, reward, terminated, _, info = play(env)[-1]
    assert terminated
    assert reward == pytest.approx(1.0, abs=0.4)
    assert (info["is_success"], info["stage"]) == (True, 3)
    assert info["episode_statistics"]["stages_won"] == 3


# ---- the party ------------------------------------------------------------------------------
def test_levels_grow_and_wounds_stay_until_the_rest(pack):
    env = climb(pack)
    env._states["ally"]["injury"][0, 0, 0] = 1
    before = play(env, until=lambda info: info["stage_statistics"]["win"])
    assert before[-1][4]["stage"] == 2
    position = copy.deepcopy(env._party)
    sheets = env.compiled.content["sheet"][0]
    assert sheets["blue"][:2].tolist() == [8 + 3, 8 + 3]
    assert [traveller["wounds"] for traveller in position] == sheets["wounds"][:2].tolist()
    assert env._states["ally"]["injury"][0, 0, 0] == 1
    assert env._states["ally"]["inspiration"][0, :2].tolist() == [1, 1]
    env._states["ally"]["wounds"][0, 0] += 1
    env._states["ally"]["disk"][0, 0] -= 1
    to_stage(env, 3)
    assert env._states["ally"]["wounds"][0, :2].tolist() == [0, 0]
    allies = env._states["ally"][0, :2]
    locked = allies["lock_chips"].sum(axis=1)  # on gear picked up on the way (R4.8)
    assert (allies["disk"] + locked).tolist() == [8 + 4, 8 + 4]
    assert env._states["ally"]["injury"][0, 0, 0] == 1
    assert env.reset(seed=5)[1]["stage"] == 1
    assert env.compiled.content["sheet"][0]["blue"][0] == 8
    assert not env._states["ally"]["injury"].any()


def test_the_state_of_the_party_at_the_end_of_a_stage_is_how_the_next_one_begins(pack):
    env = climb(pack)
    held = env.compiled.names.injuries.index("Torn Hand")
    env._states["ally"]["injury"][0, 1, held] = 1
    env._states["ally"]["achievement"][0, 0] = 6
    env._states["ally"]["wounds"][0, 1] += 4
    env._states["ally"]["disk"][0, 1] -= 4
    last = to_stage(env, 2)
    ally = env._states["ally"][0]
    assert ally["injury"][1, held] == 1
    assert ally["achievement"][0] >= 6
    assert ally["wounds"][1] >= 2  # a recover maneuver or two may have come between
    assert last[4]["stage_statistics"]["win"]
    assert api_status(env) == 0


def api_status(env):
    broken = np.zeros(1, np.int64)
    api.status(env._states, env.compiled.content, env._which, broken)
    return broken[0]


def test_classes_that_heroes_name_count_from_level_2_on(pack):
    env = climb(
        pack, heroes=[{"hero": "anna", "class": "Mage", "skills": ["Mage skill 3"]}, "bert"]
    )
    assert not any(key.startswith("class/") for key in env.compiled.names.texts)
    to_stage(env, 2)
    texts = env.compiled.names.texts
    assert texts["class/Anna"].startswith("Mage")
    assert texts["class/Bert"].startswith("Guard")
    assert "skill/Anna/Mage skill 3" in texts


# ---- the same again -------------------------------------------------------------------------
def test_same_seed_same_gauntlet(pack):
    one, two = climb(pack, seed=3), climb(pack, seed=3)
    seen = plain(play(one))
    assert plain(play(two)) == seen
    assert one.get_state() == two.get_state()
    one.reset(seed=3)
    assert plain(play(one)) == seen


def test_later_stages_have_dice_of_their_own(pack):
    env = climb(pack)
    first = env._states["chance"].tobytes()
    to_stage(env, 2)
    assert env._states["chance"].tobytes() != first


def test_events_include_the_end_of_a_stage_and_the_start_of_the_next(pack):
    env = climb(pack, log=True)
    won = to_stage(env, 2)[4]
    assert won["events"].splitlines() == env.happened()
    assert env.happened()[: len(env._closing)] == env._closing
    assert env._closing
    env.step(int(env.legal_actions()[0]))
    assert not env._closing


def test_pictures_follow_the_stages(pack):
    env = climb(pack, render_mode="ansi")
    assert "The Yard" in env.render()
    to_stage(env, 3)
    assert "The Keep" in env.render()


# ---- positions and copies -------------------------------------------------------------------
def test_positions_of_other_stages_come_back(pack):
    env = climb(pack)
    positions = [env.get_state()]
    for stage in (2, 3):
        to_stage(env, stage)
        positions.append(env.get_state())
    futures = []
    for position in positions:
        env.set_state(position)
        assert env.get_state() == position
        futures.append(plain(play(env)))
    other = climb(pack, seed=77)
    for position, future in zip(positions, futures, strict=True):
        other.set_state(position)
        assert plain(play(other)) == future
    assert futures[0][-len(futures[2]) :] != futures[0]


def test_a_foreign_position_is_refused_and_changes_nothing(pack):
    env = climb(pack)
    play(env, 5)
    before = env.get_state()
    names = env.compiled.names
    outcome = env.chance_outcomes(int(env.legal_actions()[0]), limit=1, samples=1)[0].position
    for position in (b"", None, before[:-1], climb(pack, heroes=1).get_state(), outcome):
        with pytest.raises(ValueError, match="position"):
            env.set_state(position)
        assert env.get_state() == before
        assert env.compiled.names == names


def test_clones_go_on_by_themselves(pack):
    env = climb(pack)
    to_stage(env, 2)
    position = env.get_state()
    same, other = env.clone(reseed=False), env.clone()
    ahead = plain(play(same))
    assert plain(play(other)) != ahead
    assert env.get_state() == position
    assert plain(play(env)) == ahead


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_as_the_original_also_after_reset(pack, copied):
    env = climb(pack)
    to_stage(env, 2)
    twin = copied(env)
    assert twin.get_state() == env.get_state()
    assert plain(play(twin)) == plain(play(env))
    assert np.array_equal(twin.reset()[0], env.reset()[0])
    assert twin.get_state() == env.get_state()


# ---- the terminal ---------------------------------------------------------------------------
def test_watching_sums_every_stage_up(pack):
    options = ["--gauntlet", "climb", "--pack", pack, "--policy", "random", "--seed", "5"]
    shown = CliRunner().invoke(app, ["watch", *options])
    assert shown.exit_code == 0, shown.output
    lines = [line for line in shown.output.splitlines() if line.startswith("Stage ")]
    assert [line.split(" after ")[0] for line in lines] == [
        f"Stage {stage} of 3 is won" for stage in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--gauntlet", "nowhere"], "gauntlet='nowhere'"),
        (["--gauntlet", "no-bed", "--level", "3"], "--level: not with --gauntlet"),
        (["--gauntlet", "no-bed", "--gif", "x.gif"], "--gif: not with --gauntlet"),
    ],
)
def test_wrong_options_end_in_one_line(arguments, words):
    shown = CliRunner().invoke(app, ["watch", *arguments])
    assert shown.exit_code == 2
    assert words in shown.output
