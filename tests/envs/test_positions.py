"""Positions as bytes: those of the same layout and scenario are restored, damaged ones refused."""

import copy
import pickle

import numpy as np
import pytest

from agemonia_env.envs import positions
from agemonia_env.rulesets.agemonia.envs.gauntlet import AgemoniaGauntletEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.rulesets.state_layout import fields, layout_hash
from tests.games import random_steps

MAKERS = [AgemoniaEnv, HexDungeonEnv]


@pytest.fixture(params=[*MAKERS, AgemoniaGauntletEnv], ids=lambda make: make.__name__)
def env(request):
    env = request.param()
    env.reset(seed=3)
    list(random_steps(env, 12))
    return env


def refused(env, position, message):
    """Check that the position is refused with this message, and the game goes on as it was."""
    before = env.get_state()
    with pytest.raises(ValueError, match=message):
        env.set_state(position)
    assert env.get_state() == before


def test_a_changed_byte_is_noticed_wherever_it_is(env):
    position = env.get_state()
    trailer = len(position) - positions.TRAILER.size - positions.CHECKSUM.size
    for at in (*range(0, trailer, 97), *range(trailer, len(position))):
        damaged = bytearray(position)
        damaged[at] ^= 1
        magic = trailer <= at < trailer + len(positions.MAGIC)
        refused(env, bytes(damaged), "not a position" if magic else "its checksum is wrong")


def test_truncated_and_foreign_bytes_are_refused(env):
    position = env.get_state()
    for wrong in (position[:-1], position[: len(position) // 2], b"", b"x" * 5000, None, "text"):
        refused(env, wrong, r"not a position: must be bytes from get_state\(\)")
    refused(env, position[1:], "its checksum is wrong")


def test_another_layout_is_refused(env, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setitem(env.ruleset.__dict__, "state_layout", b"x" * 8)
        older, copied = env.get_state(), pickle.dumps(env)
    refused(env, older, "another version of")
    with pytest.raises(ValueError, match="another version of"):
        pickle.loads(copied)


def test_other_environments_and_scenarios_are_refused_by_name(env):
    for make in {*MAKERS, AgemoniaGauntletEnv} - {type(env)}:
        other = make()
        other.reset(seed=1)
        same = other.ruleset is env.ruleset
        refused(env, other.get_state(), "other rules" if same else "of another environment")
    larger = type(env)(heroes=3)
    larger.reset(seed=1)
    refused(env, larger.get_state(), "other [Hh]eroes")


def test_pickles_and_copies_are_checked_as_positions_are(env):
    damaged = env.__getstate__()
    damaged["_position"] = b"x" + damaged["_position"][1:]
    with pytest.raises(ValueError, match="its checksum is wrong"):
        type(env).__new__(type(env)).__setstate__(damaged)
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone(reseed=False)):
        assert again.get_state() == env.get_state()
    fresh = pickle.loads(pickle.dumps(type(env)()))
    fresh.reset(seed=3)
    fresh.set_state(env.get_state())
    assert fresh.get_state() == env.get_state()


def test_layouts_differ_if_two_fields_are_swapped():
    state = ruleset_of("Agemonia-v0").STATE
    names = list(state.names)
    names[3], names[4] = names[4], names[3]
    swapped = np.dtype(
        {
            "names": names,
            "formats": [state[name] for name in state.names],
            "offsets": [state.fields[name][1] for name in state.names],
            "itemsize": state.itemsize,
        }
    )
    assert layout_hash("Agemonia-v0", swapped) != layout_hash("Agemonia-v0", state)
    scalars = [name for name, _, _ in fields(state)]
    assert len(scalars) == len(set(scalars))
