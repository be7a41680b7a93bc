"""Observations as named arrays: the numbers of the flat one, and the scenario's own."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from agemonia_env.envs.wrappers import (
    ScenarioInObservation,
    StructuredObservation,
    StructuredVectorObservation,
)
from agemonia_env.rulesets.agemonia.core import obs_spec as agemonia_sheet
from agemonia_env.rulesets.agemonia.core.layout import N_AREAS
from agemonia_env.rulesets.agemonia.core.terms import Border, Objective
from agemonia_env.rulesets.agemonia.states.obs_arrays import CARD, STRIKE_CARD
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.hexdungeon.core import obs_spec
from agemonia_env.rulesets.hexdungeon.view.hexes import hex_of, members
from agemonia_env.rulesets.obs_arrays import blocks_of
from agemonia_env.rulesets.ruleset import ruleset_of
from tests.games import random_steps

OBS = {"Agemonia-v0": agemonia_sheet.OBS, "HexDungeon-v0": obs_spec.OBS}


def played(env_id, decisions=40, **arguments):
    """Observations (n, N_OBSERVATION) of a random game, and its content."""
    env = gymnasium.make(env_id, ties="auto", **arguments).unwrapped
    seen = [env.reset(seed=3)[0]]
    seen += [observation for observation, *_ in random_steps(env, decisions, seed=3)]
    return np.array(seen), env.compiled.content


@pytest.mark.parametrize("env_id", RULESETS)
def test_every_number_of_the_flat_observation_is_in_one_block(env_id):
    structure = ruleset_of(env_id).structure
    counted = np.zeros((1, structure.n_observation), np.int64)
    for block in structure.observation:
        block.view(counted)[:] += 1  # a view: what is added arrives in the flat row
    assert (counted == 1).all()
    assert structure.n_observation == ruleset_of(env_id).N_OBSERVATION


@pytest.mark.parametrize("env_id", RULESETS)
def test_arrays_are_views_that_agree_with_the_fields_of_the_dtype(env_id):
    observations, _ = played(env_id)
    structure, records = ruleset_of(env_id).structure, observations.view(OBS[env_id])[:, 0]
    arrays = structure(observations)
    for block in structure.observation:
        assert np.shares_memory(arrays[block.name], observations)
        for field, columns in block.columns.items():
            shown = arrays[block.name][..., columns]
            by_rows = block.name in records.dtype.names and not block.by_column
            record = records[block.name] if by_rows else records
            assert np.array_equal(shown.reshape(record[field].shape), record[field]), field
    assert {name for name in arrays if name.endswith("_mask")} == {
        block.mask for block in structure.observation if block.present
    }


def test_masks_say_which_rows_there_are():
    observations, content = played("Agemonia-v0", scenario="ford", heroes=2)
    arrays = ruleset_of("Agemonia-v0").structure(observations)
    assert (arrays["ally_mask"].sum(axis=1) == 2).all()
    assert (arrays["area_mask"].sum(axis=1) == content[0]["n_areas"]).all()
    standing = arrays["enemy_mask"].sum(axis=1)
    assert standing[0] > 0
    assert np.array_equal(arrays["enemy"][..., 0] == 1, arrays["enemy_mask"])
    observations, content = played("HexDungeon-v0", heroes=2)
    arrays = ruleset_of("HexDungeon-v0").structure(observations)
    hexes = members(content[0]["board"]["hexes"])
    assert set(np.flatnonzero(arrays["hex_mask"][0])) <= set(hexes)
    assert (arrays["hand_mask"].sum(axis=1) == 2).all()


def test_the_scenario_of_agemonia_is_the_map_the_cards_and_the_objective():
    _, content = played("Agemonia-v0", scenario="toll", heroes=4)
    structure, record = ruleset_of("Agemonia-v0").structure, content[0]
    arrays = {
        block.name: block.view(structure.scenario_rows(content))[0] for block in structure.scenario
    }
    assert np.array_equal(arrays["border"] * agemonia_sheet.SMALL, record["border"])
    assert (record["border"] == Border.DOUBLE_UP).any()
    assert np.allclose(arrays["range"] * agemonia_sheet.CHIPS, record["range"])
    assert np.array_equal(arrays["sees"] @ (1 << np.arange(N_AREAS)), record["seen"])
    task = structure.block["task"].columns
    assert Objective(int(arrays["task"][task["objective"]].argmax())) == record["objective"]
    card = structure.block["card"].columns
    assert card.keys() == set(CARD.names)
    for number in range(int(record["n_types"])):
        kind, shown = record["type"][number], arrays["card"][number]
        health = kind["base"] + 4 * kind["per_hero"]
        assert shown[card["health"]] * agemonia_sheet.HEALTH == pytest.approx(health)
        strikes = shown[card["strike"]].reshape(3, len(STRIKE_CARD.names))
        for eye, row in enumerate(kind["strike"]):
            assert strikes[eye, 0] == (row >= 0)
            value = record["strike"][row]["value"] if row >= 0 else 0
            assert strikes[eye, 1] * agemonia_sheet.POINTS == pytest.approx(value)
    assert not arrays["card"][int(record["n_types"]) :].any()


def test_the_scenario_of_hexdungeon_says_where_hexes_are_and_bodies_stand_on_them():
    observations, content = played("HexDungeon-v0", heroes=2)
    structure, board = ruleset_of("HexDungeon-v0").structure, content[0]["board"]
    arrays = structure(
        observations, np.repeat(structure.scenario_rows(content), len(observations), 0)
    )
    on_board, column, row, r = arrays["place"][0].T * np.array([[1.0], *[[obs_spec.AWAY]] * 3])
    hexes = members(board["hexes"])
    assert np.array_equal(np.flatnonzero(on_board), hexes)
    assert [hex_of(board, (int(column[h]), int(row[h]))) for h in hexes] == hexes
    body = structure.block["body"].columns
    places = {(column[h], r[h]) for h in hexes}
    assert len(places) == len(hexes)
    bodies = arrays["body"][0][arrays["body_mask"][0]] * obs_spec.AWAY
    assert {(b[body["column"]][0], b[body["row"]][0]) for b in bodies} <= places


def test_wide_rows_carry_their_scenario():
    observations, content = played("Agemonia-v0", scenario="random", scenario_seed=5)
    structure = ruleset_of("Agemonia-v0").structure
    scenario = np.repeat(structure.scenario_rows(content), len(observations), axis=0)
    wide = np.concatenate([observations, scenario], axis=1)
    apart, together = structure(observations, scenario), structure(wide)
    assert list(apart) == list(together)
    for name, array in apart.items():
        assert np.array_equal(array, together[name]), name
    with pytest.raises(ValueError, match=rf"\(3, 7\): must be .* or \(n, {structure.width}\)"):
        structure(np.zeros((3, 7), np.float32))


def test_tensors_of_torch_are_seen_the_same_way():
    torch = pytest.importorskip(
        "torch", reason="views of tensors need the extra train, which make test installs"
    )
    observations, _ = played("HexDungeon-v0")
    structure = ruleset_of("HexDungeon-v0").structure
    tensors = structure(torch.from_numpy(observations))
    for name, array in structure(observations).items():
        assert np.array_equal(array, tensors[name].numpy()), name
    assert tensors["hex"].data_ptr() == tensors["part"].data_ptr() + 4 * tensors["part"][0].numel()


def test_globals_in_two_pieces_are_refused():
    record = np.dtype([("x", np.float32)])
    split = np.dtype([("a", np.float32), ("rows", record, (2,)), ("b", np.float32)])
    with pytest.raises(ValueError, match="b: there are records between"):
        blocks_of(split)


# ---- wrappers -----------------------------------------------------------------------------------
@pytest.mark.parametrize("env_id", RULESETS)
@pytest.mark.usefixtures("strict")
def test_the_wrapped_env_passes_the_checker(env_id):
    env = StructuredObservation(gymnasium.make(env_id).unwrapped)
    warnings.filterwarnings("ignore", ".*is different from the unwrapped version")  # it is
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_vector_env_shows_what_the_single_ones_do(mode):
    what = {"scenario": "random", "scenario_seed": [0, 9], "ties": "auto", "max_decisions": 30}
    envs = StructuredVectorObservation(
        gymnasium.make_vec("Agemonia-v0", num_envs=3, autoreset_mode=mode, **what)
    )
    singles = [StructuredObservation(gymnasium.make("Agemonia-v0", **what)) for _ in range(3)]
    arrays, infos = envs.reset(seed=5)
    theirs = [env.reset(seed=5 + i)[0] for i, env in enumerate(singles)]
    random, ended = np.random.default_rng(0), np.zeros(3, bool)
    for _ in range(100):
        assert all(envs.single_observation_space.contains(one) for one in theirs)
        assert arrays.keys() == envs.observation_space.keys()
        for i, one in enumerate(theirs):
            assert all(np.array_equal(arrays[name][i], one[name]) for name in one)
        masks = infos["action_mask"]
        actions = (random.random(masks.shape) * masks).argmax(axis=1)
        arrays, _, _, _, infos = envs.step(actions)
        for i, env in enumerate(singles):
            if mode == "NextStep" and ended[i]:
                theirs[i], ended[i] = env.reset()[0], False
                continue
            theirs[i], _, terminated, truncated, _ = env.step(actions[i])
            ended[i] = terminated or truncated
            if mode == "SameStep" and ended[i]:
                final = infos["final_obs"][i]
                assert all(np.array_equal(final[name], theirs[i][name]) for name in final)
                theirs[i] = env.reset()[0]
    envs.close()


def test_other_environments_are_refused():
    with pytest.raises(ValueError, match="must be an environment of this package"):
        StructuredObservation(gymnasium.make("CartPole-v1"))
    with pytest.raises(ValueError, match="dtype='float32'"):
        StructuredVectorObservation(gymnasium.make_vec("Agemonia-v0", num_envs=2, dtype="int8"))


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_wide_rows_of_a_vector_env_are_those_of_its_scenarios(dtype):
    what = {"scenario": "random", "scenario_seed": [0, 9], "ties": "auto", "max_decisions": 20}
    what |= {"num_envs": 2, "autoreset_mode": "SameStep"}
    envs = ScenarioInObservation(gymnasium.make_vec("Agemonia-v0", dtype=dtype, **what))
    plain = gymnasium.make_vec("Agemonia-v0", **what)
    structure, scales = envs.structure, agemonia_sheet.SCALES
    scales = np.concatenate([scales, structure.scenario_scales]) if dtype == "int8" else 1
    rows, infos = envs.reset(seed=1)
    plain.reset(seed=1)
    for _ in range(45):
        batch = plain.unwrapped.batch
        contents = batch.contents.rows[batch.slots["which"]]
        expected = np.concatenate([batch.observations, structure.scenario_rows(contents)], axis=1)
        assert envs.observation_space.contains(rows)
        assert np.allclose(rows / scales, expected, atol=1e-6)
        actions = infos["action_mask"].argmax(axis=1)
        before = expected
        rows, *_, infos = envs.step(actions)
        plain.step(actions)
        for i in np.flatnonzero(infos.get("_final_obs", [])):
            last = (infos["final_obs"][i] / scales)[structure.n_observation :]
            assert np.allclose(last, before[i, structure.n_observation :], atol=1e-6)
