"""Scenarios drawn by kernels are those compiled from the files that they make, byte for byte."""

import random
import shutil

import numpy as np
import pytest

from agemonia_env.core import env_slots, mersenne
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.rulesets.agemonia.arguments import check_arguments
from agemonia_env.rulesets.agemonia.content.knobs import KNOBS
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.core import layout
from agemonia_env.rulesets.agemonia.core.generator.plan import Line
from agemonia_env.rulesets.agemonia.core.terms import Objective
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.arguments import SEED_RANGES
from agemonia_env.rulesets.generators import written
from agemonia_env.simulation import simulate
from tests.drawn import check_beside_single_envs, check_files, knob_ends

DRAWS = pytest.mark.skipif(not COMPILED, reason="a minute for each party as plain Python")
PARTIES = {
    "one": {"heroes": 1},
    "two": {"heroes": 2, "difficulty": "brutal", "generator": "varied"},
    "three": {"heroes": 3, "level": 3, "difficulty": "easy", "enemy_will": "free"},
    "four": {"heroes": 4, "level": 5, "difficulty": "hard", "generator": "varied"},
    "chosen": {"heroes": ["wenna", {"hero": "ivo", "level": 4, "wounds": 1}], "level": 2},
}
COUNTED = [Objective.COLLECT, Objective.DISARM, Objective.ADVANCE, Objective.HOLD]
ENDS = knob_ends(KNOBS)


def check(seeds, **chosen):
    """The records of these seeds are those of their files."""
    check_files(AGEMONIA, check_arguments("random", **chosen).make_generator(), seeds)


@DRAWS
@pytest.mark.parametrize("chosen", PARTIES.values(), ids=PARTIES)
def test_a_drawn_scenario_is_the_one_compiled_from_its_file(chosen):
    check([*range(40), *SEED_RANGES["test"][:20], 2**32 + 7, 2**62], **chosen)


@DRAWS
@pytest.mark.parametrize("settings", ENDS.values(), ids=ENDS)
def test_every_knob_draws_scenarios_at_both_ends(settings):
    check(range(12), heroes=4, generator=settings)


@DRAWS
@pytest.mark.check
@pytest.mark.parametrize("chosen", PARTIES.values(), ids=PARTIES)
def test_two_thousand_drawn_scenarios_are_those_of_their_files(chosen):
    check(range(2000), **chosen)


def walks(plans):
    """Which areas can be walked to from the start, bool (n, N_AREAS)."""
    border = plans["border"]
    ways = (border == Line.SINGLE) | (border == Line.HEIGHT)
    ways |= ways.transpose(0, 2, 1)
    there = plans["start"][:, None] == np.arange(layout.N_AREAS)
    for _ in range(layout.N_AREAS):
        there |= (there[:, :, None] & ways).any(axis=1)
    return there


@DRAWS
@pytest.mark.check
@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard", "brutal"])
@pytest.mark.parametrize("heroes", [1, 2, 3, 4])
def test_a_hundred_thousand_scenarios_can_be_won(heroes, difficulty):
    kinds = set()
    for k, settings in enumerate(["varied", *ENDS.values()]):
        chosen = {"heroes": heroes, "difficulty": difficulty, "level": 1 + k % 5}
        generator = check_arguments("random", generator=settings, **chosen).make_generator()
        n = 2000 if k == 0 else 150
        contents, plans = generator.draw_all(range(1000 * k, 1000 * k + n))
        contents, rows = contents[:n], np.arange(n)
        areas = np.arange(layout.N_AREAS) < plans["n_areas"][:, None]
        assert (walks(plans) == areas).all()
        assert (plans["goal"] != plans["start"]).all()
        placed = np.arange(layout.N_SETUP) < contents["n_setup"][:, None]
        area = contents["setup_area"]
        assert areas[np.nonzero(placed)[0], area[placed]].all()
        assert (area[placed] != np.repeat(plans["start"], placed.sum(axis=1))).all()
        start = contents["start"][:, :heroes]
        assert areas[rows[:, None], start].all()
        assert (plans["capacity"][rows, plans["goal"]] >= heroes).all()
        assert (contents["last_round"] > 1).all()
        kind, number = plans["objective"], plans["number"]
        assert (number[np.isin(kind, COUNTED)] > 0).all()
        assert (contents["n_setup"] > 0).all()
        kinds |= set(kind.tolist())
    assert kinds == set(Objective)


@DRAWS
@pytest.mark.parametrize("chosen", PARTIES.values(), ids=PARTIES)
def test_a_scenario_as_a_file_of_a_pack_is_the_drawn_one(chosen, tmp_path):
    chosen = {"heroes": 2} | chosen
    shutil.copytree(load_pack("core").folder, tmp_path / "own")
    for seed in (3, 2**40):
        arguments = check_arguments("random", scenario_seed=seed, **chosen)
        (tmp_path / "own/scenarios/mine.yaml").write_text(written(arguments, seed))
        played = {name: value for name, value in chosen.items() if name != "generator"}
        mine = check_arguments("mine", pack=tmp_path / "own", **played).compile()
        assert mine.content.tobytes() == arguments.compile(seed).content.tobytes()


@DRAWS
def test_games_on_drawn_scenarios_are_those_of_the_single_environment():
    chosen = {"heroes": 2, "scenario_seed": "train", "ties": "auto"}
    many = AgemoniaVectorEnv(3, "random", threads=2, **chosen)
    check_beside_single_envs(many, [AgemoniaEnv("random", **chosen) for _ in range(3)], 400)


@DRAWS
def test_simulations_draw_alike_in_any_number_of_threads():
    chosen = {"scenario": "random", "games": 600, "chunk": 50, "generator": "varied"}
    one, three = (simulate(threads=n, **chosen) for n in (1, 3))
    assert one.equals(three)
    assert one["ruleset"].n_unique() > 500
    assert one["enemies"].list.len().n_unique() > 2
    assert (one["enemy_dealt"].list.len() == one["enemies"].list.len()).all()


@DRAWS
@pytest.mark.parametrize("field", ["n_attacks", "is_boss"])
def test_what_the_core_cannot_hold_is_said(field):
    env = AgemoniaVectorEnv(2, "random", scenario_seed="train")
    library = env.batch.contents.drawing["library"]
    if field == "is_boss":  # of every enemy: there are none to draw from
        library[field] = 1
    else:
        library["part"][field] = layout.N_ATTACKS + 1
    with pytest.raises(ValueError, match=r"scenario_seed=\d+: .*too many cards, or too few"):
        env.reset(seed=1)


@pytest.mark.skipif(COMPILED, reason="kernels are called from compiled code alone")
@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 2**62])
def test_the_twister_is_that_of_python(seed):
    twister, expected = zeros(mersenne.TWISTER)[0], random.Random(seed)
    mersenne.seed_twister(twister, seed)
    for _ in range(3):
        assert mersenne.uniform(twister) == expected.random()
        mersenne.skip(twister, 500)
        [expected.random() for _ in range(500)]


def test_scenario_seeds_are_drawn_as_numpy_draws_them():
    source = random.Random(1)
    for n in (1, 2, 3, 1000, 100_000, 2**31 + 5, 2**32):
        for seed in (0, 1, source.randrange(2**32), source.randrange(2**63)):
            expected = np.random.default_rng([int(env_slots.DRAW), seed]).integers(n)
            assert env_slots.drawn_seed(seed, n) == expected
