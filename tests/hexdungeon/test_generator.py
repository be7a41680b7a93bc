"""Scenarios drawn by kernels are those compiled from the files that they make, byte for byte."""

import shutil

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.arguments import SEED_RANGES
from agemonia_env.rulesets.generators import written
from agemonia_env.rulesets.hexdungeon import HexDungeonVectorEnv
from agemonia_env.rulesets.hexdungeon.arguments import check_arguments
from agemonia_env.rulesets.hexdungeon.content.compile import check as check_pack
from agemonia_env.rulesets.hexdungeon.content.knobs import GOALS, KNOBS
from agemonia_env.rulesets.hexdungeon.content.load import load_pack
from agemonia_env.rulesets.hexdungeon.core import layout
from agemonia_env.rulesets.hexdungeon.core.generator import rooms
from agemonia_env.rulesets.hexdungeon.core.generator.shapes import N_CELLS, PADDED, Cell
from agemonia_env.rulesets.hexdungeon.core.terms import Goal
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from agemonia_env.simulation import simulate
from tests.drawn import check_beside_single_envs, check_files, knob_ends

DRAWS = pytest.mark.skipif(not COMPILED, reason="takes minutes as plain Python")
PARTIES = {
    "one": {"heroes": 1, "level": 0},
    "two": {"heroes": 2},
    "three": {"heroes": 3, "level": 3},
    "four": {"heroes": 4, "level": 2},
    "chosen": {"heroes": ["burrowcaller", {"hero": "thornarm", "without": ["Rip (top)"]}]},
}
ENDS = knob_ends(KNOBS)
LEAST, MOST = (
    {knob.name: getattr(knob, end) for knob in KNOBS.knobs if knob.name != "goals"}
    for end in ("least", "most")
)
CORNERS = {  # all of them at once
    f"{size}-{goal}": settings | {"goals": goal}
    for size, settings in {
        "least": LEAST,
        "most": MOST,
        "small": MOST | {"sides": 3},
        "lone": MOST | {"sides": 3, "rooms": 1},
        "bare": LEAST | {"rooms": 9, "sides": 7},
    }.items()
    for goal in GOALS
}


def generator_of(**chosen):
    return check_arguments("random", **chosen).make_generator()


def check(seeds, **chosen):
    """The records of these seeds are those of their files."""
    check_files(HEXDUNGEON, generator_of(**chosen), seeds)


@pytest.mark.parametrize("chosen", PARTIES.values(), ids=PARTIES)
def test_a_drawn_scenario_is_the_one_compiled_from_its_file(chosen):
    check([*range(60 if COMPILED else 3), SEED_RANGES["test"][0], 2**32 + 7, 2**62], **chosen)


@DRAWS
@pytest.mark.parametrize("settings", (ENDS | CORNERS).values(), ids=ENDS | CORNERS)
def test_every_knob_draws_scenarios_at_both_ends(settings):
    check(range(8), heroes=4, generator=settings)


@DRAWS
@pytest.mark.check
@pytest.mark.parametrize("chosen", PARTIES.values(), ids=PARTIES)
def test_ten_thousand_drawn_scenarios_are_those_of_their_files(chosen):
    check(range(1000, 3000), **chosen)


# ---- what holds of every one ----------------------------------------------------------------
ODD = (np.arange(N_CELLS) // PADDED - 1) % 2 == 1


def grown(cells):
    """Cells of sets, bool (n, N_CELLS), and all cells beside them."""
    found = cells.copy()
    for odd in (False, True):
        own = cells & (odd == ODD)
        for step in rooms.STEP[int(odd)]:
            found |= np.roll(own, step, axis=1)
    return found


def check_plans(contents, plans, heroes):
    """What every scenario keeps to: contents (n,) and their plans."""
    cell, goal = plans["cell"], plans["goal"]
    start, monsters = cell == Cell.START, cell == Cell.MONSTER
    walkable = ~np.isin(cell, (Cell.OUTSIDE, Cell.WALL, Cell.OBSTACLE))
    reached, before = start, None
    while before is None or (reached != before).any():
        reached, before = grown(reached) & walkable, reached
    assert (reached == walkable).all()
    assert (start.sum(axis=1) == layout.N_HEROES).all()
    assert not (grown(start) & monsters).any()
    assert (monsters.sum(axis=1) == plans["n_monsters"]).all()
    coming = plans["rank"][:, :, heroes - 1] > 0
    coming &= np.arange(layout.N_MONSTERS) < plans["n_monsters"][:, None]
    assert (coming.sum(axis=1) == contents["n_spawns"]).all()
    assert (contents["n_spawns"] > 0).all()
    assert (contents["n_rooms"] == contents["n_doors"] + 1).all()
    assert (contents["n_doors"] == np.where(goal == Goal.SURVIVE, 0, plans["n_rooms"] - 1)).all()
    assert ((cell == Cell.TRAP).sum(axis=1) == contents["n_traps"]).all()
    exits, tokens = ((cell == one).sum(axis=1) for one in (Cell.EXIT, Cell.LOOT))
    assert (exits[goal == Goal.REACH] >= layout.N_HEROES).all()
    assert not exits[goal != Goal.REACH].any()
    amount = plans["goal_amount"]
    assert (amount[goal == Goal.LOOT] > 0).all()
    assert (amount <= tokens)[goal == Goal.LOOT].all()
    assert (amount == plans["last_round"])[goal == Goal.SURVIVE].all()
    return set(goal.tolist())


def test_scenarios_keep_their_promises():
    generator, n = generator_of(heroes=2), 200 if COMPILED else 5
    contents, plans = generator.draw_all(range(n))
    check_plans(contents[:n], plans, 2)
    assert len(np.unique(plans["cell"], axis=0)) == n


@DRAWS
@pytest.mark.check
@pytest.mark.parametrize("heroes", [1, 2, 3, 4])
def test_a_hundred_thousand_scenarios_can_be_won(heroes):
    goals = set()
    for k, settings in enumerate([None] * 6 + list((ENDS | CORNERS).values())):
        generator = generator_of(heroes=heroes, generator=settings)
        n = 2000 if settings is None else 320
        contents, plans = generator.draw_all(range(2000 * k, 2000 * k + n))
        goals |= check_plans(contents[:n], plans, heroes)
    assert goals == set(Goal)


def test_map_and_monsters_are_the_same_for_every_party_and_level():
    one, other = (generator_of(heroes=n, level=n - 1).draw_all(range(5)) for n in (1, 4))
    assert one.plans.tobytes() == other.plans.tobytes()
    assert generator_of().draw(4).plan.tobytes() == one.plans[4:].tobytes()


# ---- games --------------------------------------------------------------------------------------
@DRAWS
def test_a_scenario_as_a_file_of_a_pack_is_the_drawn_one(tmp_path):
    pack = tmp_path / "own"
    shutil.copytree(load_pack("hex-core").folder, pack)
    arguments = check_arguments("random", scenario_seed=7, generator={"goals": "reach"})
    (pack / "scenarios/mine.yaml").write_text(written(arguments, 7))
    card = pack / "pack.yaml"
    card.write_text(card.read_text() + "  - mine\n")
    assert not check_pack(pack)
    mine = check_arguments("mine", pack=pack).compile()
    assert mine.content.tobytes() == arguments.compile(7).content.tobytes()


@DRAWS
@pytest.mark.parametrize("threads", [1, 2])
def test_games_on_drawn_scenarios_are_those_of_the_single_environment(threads):
    chosen = {"heroes": 2, "scenario_seed": "train", "ties": "auto"}
    many = HexDungeonVectorEnv(3, "random", threads=threads, **chosen)
    check_beside_single_envs(many, [HexDungeonEnv("random", **chosen) for _ in range(3)], 300)


@DRAWS
@pytest.mark.parametrize("heroes", [1, 2, 3, 4])
def test_greedy_play_wins_about_three_games_of_five(heroes):
    played = simulate(
        "random", heroes, games=600, policy="greedy", env="HexDungeon-v0", scenario_seed="train"
    )
    assert 0.5 < played["won"].mean() < 0.7


@DRAWS
def test_pictures_and_words_are_those_of_the_scenario():
    env = HexDungeonEnv("random", render_mode="ansi", scenario_seed=[3, 9])
    env.reset(seed=1)
    assert env.compiled.names.scenario in env.render()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"scenario": "warm-cellar", "scenario_seed": 3}, "scenario_seed=3.*random"),
        ({"scenario": "warm-cellar", "generator": {"traps": 3}}, "generator=.*only scenario="),
        ({"scenario_seed": "exam"}, "scenario_seed='exam'.*'train', 'test'"),
        ({"generator": {"sides": [2, 5]}}, r"generator: sides=\[2, 5\]: .*3 to 7"),
        ({"generator": {"goals": "win"}}, "generator: goals=.*defeat, survive, reach, loot"),
        ({"generator": {"room": 3}}, "generator: 'room': no such knob; did you mean 'rooms'"),
    ],
)
def test_wrong_arguments_get_one_clear_error(arguments, words):
    with pytest.raises(ValueError, match=words):
        check_arguments(**{"scenario": "random"} | arguments)
