"""Same seed and actions: the same bytes, in any batch, process or mode; chance has its streams."""

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.core.records import joined
from agemonia_env.rulesets.agemonia.content.load import scenarios
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.layout import STATE
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Decision, Ending, Stream
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv

SCRIPT = "tests/agemonia/trajectories.py"
ROOT = Path(__file__).resolve().parents[2]
STEPS = 60 if COMPILED else 12
BATCH = 64 if COMPILED else 6


def record_bytes(states, i):
    return states[i : i + 1].tobytes()


def printed(**environment):
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", SCRIPT],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.skipif(not COMPILED, reason="plain Python is compared with compiled code below")
def test_two_processes_agree(load_script):
    assert printed(PYTHONHASHSEED="1") == load_script(SCRIPT).lines()


@pytest.mark.skipif(not COMPILED, reason="the compiled run starts plain Python for it")
def test_compiled_code_and_plain_python_agree(load_script):
    """States, masks and observations byte for byte."""
    assert printed(NUMBA_DISABLE_JIT="1") == load_script(SCRIPT).lines()


@pytest.mark.parametrize("scenario", scenarios("core"))
def test_a_game_is_the_same_alone_in_a_batch_and_in_any_order(table, scenario):
    seeds = list(range(50, 50 + BATCH))
    order = np.random.default_rng(0).permutation(BATCH)
    batch = table(scenario, 2, seeds)
    shuffled = table(scenario, 2, [seeds[k] for k in order])
    for _ in range(STEPS):
        actions = batch.chosen()
        assert (shuffled.chosen() == actions[order]).all()
        batch.step(actions)
        shuffled.step(actions[order])
    for place, k in enumerate(order):
        assert record_bytes(shuffled.states, place) == record_bytes(batch.states, k)
    for k in (0, BATCH // 2, BATCH - 1):
        alone = table(scenario, 2, [seeds[k]])
        for _ in range(STEPS):
            alone.step(alone.chosen())
        assert record_bytes(alone.states, 0) == record_bytes(batch.states, k)


def test_parties_mix_in_one_batch(table):
    """Env i plays contents[which[i]]: the other scenarios of the batch change nothing."""
    parties = [("ford", 1), ("beacon", 3), ("watchtower", 2)]
    alone = [table(scenario, heroes, [9]) for scenario, heroes in parties]
    mixed = table("ford", 1, [9, 9, 9])
    mixed.contents = joined([one.contents for one in alone])
    mixed.which[:] = 0, 1, 2
    mixed.states = zeros(STATE, 3)
    seeds, select = np.full(3, 9, np.uint64), np.ones(3, np.uint8)
    api.reset(mixed.states, mixed.contents, mixed.which, seeds, select, 1, api.NO_ROWS)
    for _ in range(STEPS):
        mixed.step(mixed.chosen())
        for one in alone:
            one.step(one.chosen())
    for i, one in enumerate(alone):
        assert record_bytes(mixed.states, i) == record_bytes(one.states, 0)


def test_the_single_environment_plays_the_same_game(table):
    env = AgemoniaEnv("beacon", 2, ties="auto", illegal="raise")
    env.reset(seed=4)
    game = table("beacon", 2, [env._core_seed])
    for _ in range(STEPS):
        assert env.get_state()[: STATE.itemsize] == game.states.tobytes()
        if game.states["ending"][0] != Ending.NONE:
            break
        action = game.chosen()
        game.states["chance"][0, Stream.POLICY] -= drawn(game, env)
        env.step(int(action[0]))
        game.step(action)


def drawn(game, env):
    """How far the POLICY stream has moved beyond the environment's."""
    own = np.frombuffer(env.get_state()[: STATE.itemsize], STATE)["chance"][0, Stream.POLICY]
    return game.states["chance"][0, Stream.POLICY] - own


@pytest.mark.parametrize("scenario", scenarios("core"))
def test_a_saved_game_continues_identically(table, scenario):
    games = table(scenario, 3, [1, 2])
    games.play(Policy.RANDOM, STEPS // 2)
    file = io.BytesIO()
    np.save(file, np.frombuffer(games.states.tobytes(), np.uint8))
    file.seek(0)
    restored = table(scenario, 3, [7, 8])
    restored.states.view(np.uint8)[:] = np.load(file)
    for game in (games, restored):
        game.play(Policy.GREEDY, STEPS // 2)
    assert restored.states.tobytes() == games.states.tobytes()


def test_seeds_make_games_differ(table):
    games = table("ford", 2, range(20))
    decks = {games.states["initiative"][i].tobytes() for i in range(20)}
    assert len(decks) == 20


def test_entries_are_compiled_for_one_kind_of_arguments(table):
    """A second kind would cost every user a second compile."""
    games = table("ford", 1, [1])
    games.step(games.masks().argmax(1))
    games.observations()
    games.play(Policy.RANDOM, 5)
    env = AgemoniaEnv("ford", 1)
    env.reset(seed=1)
    env.step(int(env.legal_actions()[0]))
    env.explain(0)
    names = ("reset", "step", "play_slots", "write_masks", "write_observations", "rollout")
    kinds = {name: getattr(getattr(api, name), "signatures", [()]) for name in names}
    assert {name for name, found in kinds.items() if len(found) != 1} == set()


# ---- streams ------------------------------------------------------------------------------------
def test_the_policy_stream_does_not_shift_dice(table):
    games = table("ford", 2, [3, 3])
    games.states["chance"][1, Stream.POLICY] += np.uint64(12345)
    for _ in range(STEPS):
        games.step(np.repeat(games.chosen(Policy.GREEDY)[:1], 2))
    games.states["chance"][:, Stream.POLICY] = 0
    assert record_bytes(games.states, 0) == record_bytes(games.states, 1)


def drawn_in_turns(games, policy):
    """Streams that the games draw from in a step in which no round and no turn begins.

    Where one begins, all streams go elsewhere, that of the traps, which `ford` has not, too.
    """
    before = games.states["chance"].copy()
    games.play(policy, 1)
    after = games.states["chance"]
    on = before[:, Stream.TRAP] == after[:, Stream.TRAP]
    return set(np.flatnonzero((before != after)[on].any(axis=0)).tolist())


def test_each_purpose_draws_from_its_own_stream(table):
    games = table("ford", 2, range(4))
    greedy = set().union(*(drawn_in_turns(games, Policy.GREEDY) for _ in range(40)))
    dice = {Stream.ACTION_DICE, Stream.REACTION_DICE}
    assert {Stream.ACTION_DICE} <= greedy <= dice  # the greedy policy itself draws nothing
    games = table("ford", 2, range(4))
    chance = set().union(*(drawn_in_turns(games, Policy.RANDOM) for _ in range(40)))
    assert {Stream.POLICY} <= chance <= dice | {Stream.INJURY, Stream.POLICY}
    same = table("ford", 2, range(4)).states["chance"] == games.states["chance"]
    assert same.all(axis=0).tolist() == [stream == Stream.GAME for stream in Stream]


def test_fresh_streams_change_later_draws(table):
    games = table("ford", 2, [3, 3])
    api.set_chance(games.states, games.contents, games.which, 1, np.uint64(99))
    assert (games.states["chance"][0] != games.states["chance"][1]).all()
    for name in STATE.names:
        one, other = games.states[name]
        if name in ("initiative", "fate"):  # face-down cards are shuffled
            assert sorted(one.tolist()) == sorted(other.tolist())
        elif name != "chance":
            assert one.tobytes() == other.tobytes(), name


# ---- loaded dice --------------------------------------------------------------------------------
def load(states, stream, owner, faces):
    for face in faces:
        n = int(states["n_loaded"][0])
        states["loaded"][0, n] = (stream, owner, face)
        states["n_loaded"][0] = n + 1


def test_loaded_dice_are_used_before_chance_and_used_up(table):
    games = table("ford", 1, [0])
    load(games.states, Stream.ACTION_DICE, -1, [1] * 12)
    for _ in range(400):
        if games.states["n_loaded"][0] < 10:
            break
        assert Stream.ACTION_DICE not in drawn_in_turns(games, Policy.GREEDY)
    assert games.states["n_loaded"][0] < 10


def test_dice_of_another_are_left_alone(table):
    games = table("ford", 1, [0])
    load(games.states, Stream.ACTION_DICE, 5, [1] * 3)
    for _ in range(400):
        if Stream.ACTION_DICE in drawn_in_turns(games, Policy.GREEDY):
            break
    else:
        pytest.fail("nobody rolled a die")
    assert games.states["n_loaded"][0] == 3


def test_a_loaded_fate_deck_is_dealt_in_its_order(table):
    """R5.19 - an empty Fate deck is shuffled again, here in the order loaded."""
    games = table("ford", 1, [0])
    values = np.sort(games.states["fate"][0, : int(games.states["n_fate"][0])])[::-1]
    games.states["n_fate_discard"][0] = len(values)
    games.states["fate_discard"][0, : len(values)] = values
    games.states["n_fate"][0] = 0
    load(games.states, Stream.FATE, -1, values.tolist())
    for _ in range(400):
        if games.states["n_fate"][0] > 0 or games.states["ending"][0] != Ending.NONE:
            break
        games.step(games.chosen(Policy.GREEDY))
    assert games.states["fate_card"][0] == values[0]
    left = games.states["fate"][0, : int(games.states["n_fate"][0])]
    assert left.tolist() == values[1:].tolist()
    assert games.states["decision"][0] != Decision.NONE
