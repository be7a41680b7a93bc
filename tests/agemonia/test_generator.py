"""Scenarios drawn by kernels are those that Python draws and compiles, byte for byte."""

import random

import numpy as np
import pytest

from agemonia_env.core import env_slots, mersenne
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.rulesets.agemonia.content import compile_scenario
from agemonia_env.rulesets.agemonia.content.library import drawing_of, library_of
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.content.procedural import TEST_SEEDS, VARIED_SEEDS
from agemonia_env.rulesets.agemonia.core import api, layout
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv

DRAWS = pytest.mark.skipif(not COMPILED, reason="a minute for each party as plain Python")
PARTIES = {
    "one": (1, 1, "normal", "card"),
    "two": (2, 1, "brutal", "card"),
    "three": (3, 3, "easy", "free"),
    "four": (4, 5, "hard", "card"),
    "chosen": (["wenna", {"hero": "ivo", "level": 4, "wounds": 1}], 2, "normal", "card"),
}


def drawn(party, seeds):
    """Scenarios drawn by the kernel, CONTENT (n,)."""
    n = len(seeds)
    drawing, parts = drawing_of([library_of(load_pack("core"), *party)], 1, n)
    contents = zeros(layout.CONTENT, n + len(parts))
    contents[n:] = parts
    assert api.draw_scenarios(contents, np.arange(n, dtype=np.int16), np.array(seeds), drawing) == n
    return contents[:n]


def compiled(party, seed):
    """The scenario drawn and compiled in Python, CONTENT (1,)."""
    heroes, level, difficulty, will = party
    return compile_scenario(
        "core", "random", heroes, level=level, difficulty=difficulty, enemy_will=will,
        scenario_seed=seed,
    ).content  # fmt: skip


def check(party, seeds):
    """Both are the same, field by field."""
    for content, seed in zip(drawn(party, seeds), seeds, strict=True):
        expected = compiled(party, seed)[0]
        differing = [
            name
            for name in layout.CONTENT.names
            if np.asarray(content[name]).tobytes() != np.asarray(expected[name]).tobytes()
        ]
        assert not differing, (seed, differing)


@DRAWS
@pytest.mark.parametrize("party", PARTIES.values(), ids=PARTIES)
def test_a_drawn_scenario_is_the_compiled_one(party):
    check(party, [*range(30), *VARIED_SEEDS[:30], *TEST_SEEDS[:30], 2**32 + 7, 2**62])


@DRAWS
@pytest.mark.check
@pytest.mark.parametrize("party", PARTIES.values(), ids=PARTIES)
def test_two_thousand_drawn_scenarios_are_the_compiled_ones(party):
    check(party, [*range(1000), *VARIED_SEEDS[:1000]])


@DRAWS
def test_games_on_drawn_scenarios_are_those_of_the_single_environment():
    chosen = {"heroes": 2, "scenario_seed": "train", "ties": "auto"}
    many = AgemoniaVectorEnv(3, "random", threads=2, **chosen)
    seen, infos = many.reset(seed=4)
    chance, games = np.random.default_rng(0), 0
    singles = [AgemoniaEnv("random", **chosen) for _ in range(3)]
    alone = [env.reset(seed=4 + i) for i, env in enumerate(singles)]
    ended = np.zeros(3, np.bool_)
    for _ in range(400):
        for i, (observation, info) in enumerate(alone):
            assert seen[i].tobytes() == observation.tobytes()
            assert infos["scenario_seed"][i] == info["scenario_seed"]
        actions = [int(chance.choice(np.flatnonzero(mask))) for mask in infos["action_mask"]]
        for i, env in enumerate(singles):
            alone[i] = env.reset() if ended[i] else env.step(actions[i])[::4]
        seen, _, terminated, truncated, infos = many.step(actions)
        ended = terminated | truncated
        games += ended.sum()
    assert games > 5


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
