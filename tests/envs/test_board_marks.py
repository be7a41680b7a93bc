"""What pages rest on: things marked in the picture, their pages, and its parts."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from tests.games import random_steps

DECISIONS = 60
ENVS = [(AgemoniaEnv, "snares", 4), (HexDungeonEnv, "warm-cellar", 2)]


def positions(env_class, scenario, heroes):
    """The positions of a game of random play."""
    env = env_class(scenario=scenario, heroes=heroes)
    env.reset(seed=3)
    for *_, info in random_steps(env, DECISIONS, seed=3):
        yield env, info["action_mask"]


def inside(inner, outer):
    return all(np.array(inner[:2]) >= outer[:2]) and all(np.array(inner[2:]) <= outer[2:])


@pytest.mark.parametrize("game", ENVS)
def test_legal_actions_name_things_that_are_marked(game):
    named = set()
    for env, mask in positions(*game):
        rules, state = env.ruleset, env.states[0]
        marked = dict(rules.draw_board(state, env.compiled).marks)
        things = {
            rules.action_target(state, env.compiled, action)
            for action in np.flatnonzero(mask).tolist()
        } - {""}
        assert things <= set(marked)
        named |= {thing.partition(":")[0] for thing in things}
    assert named


@pytest.mark.parametrize("game", ENVS)
def test_everything_marked_has_a_page_and_lies_in_a_part(game):
    for env, _ in positions(*game):
        rules, state = env.ruleset, env.states[0]
        for thing, box in rules.draw_board(state, env.compiled).marks:
            assert rules.thing_page(state, env.compiled, thing).strip(), thing
            part = "question" if thing.startswith(("orientation", "template")) else "map"
            assert inside(box, rules.BOARD_PARTS[part]), thing


@pytest.mark.parametrize("game", ENVS)
def test_the_question_has_its_consequences(game):
    env, _ = next(positions(*game))
    assert env.ruleset.question_help(env.states[0]) in env.ruleset.action_page(
        env.states[0], env.compiled, 0
    )


def test_orientations_of_a_template_can_be_pointed_at():
    kinds = set()
    for seed in range(12):
        env = HexDungeonEnv(heroes=["cinderhand"])
        env.reset(seed=seed)
        for _ in random_steps(env, DECISIONS, seed):
            canvas = env.ruleset.draw_board(env.states[0], env.compiled)
            kinds |= {thing.partition(":")[0] for thing, _ in canvas.marks}
    assert {"orientation", "template"} <= kinds
