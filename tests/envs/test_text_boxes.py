"""Texts of pictures do not overlap, and text boards fit 80 columns, in all scenarios."""

from itertools import combinations

import numpy as np
import pytest

from agemonia_env.display.pixels import written_on
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.agemonia import content
from agemonia_env.rulesets.agemonia.core.terms import Condition, Eye
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.hexdungeon import content as hex_content
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv

SLACK = 0.6  # pixels of ink that touch without anybody seeing it
LONG = [
    f"Something happens here that takes a long sentence to tell, the {k}th time" for k in "1234"
]
CASES = [
    *((AgemoniaEnv, name, heroes) for name in content.scenarios("core") for heroes in (1, 2, 4)),
    *((HexDungeonEnv, name, heroes) for name in hex_content.scenarios() for heroes in (1, 4)),
]


def drawn(env, events=()):
    """Draw a board -> everything that is written on it, with its box."""
    return written_on(env.ruleset.draw_board(env.states[0], env.compiled, events))


def collisions(texts):
    """Pairs of texts that overlap."""
    return [
        (one, two)
        for (one, a), (two, b) in combinations(texts, 2)
        if min(a[2], b[2]) - max(a[0], b[0]) > SLACK and min(a[3], b[3]) - max(a[1], b[1]) > SLACK
    ]


def outside(texts, shape):
    """Texts that the edge of the picture cuts."""
    height, width, _ = shape
    return [t for t, (x0, y0, x1, y1) in texts if x0 < 0 or y0 < 0 or x1 > width or y1 > height]


@pytest.mark.parametrize(("env_class", "scenario", "heroes"), CASES)
def test_no_two_texts_lie_on_each_other(env_class, scenario, heroes):
    env = env_class(scenario, heroes, ties="auto", render_mode="rgb_array")
    greedy, random = policy_of(env.ruleset, "greedy"), np.random.default_rng(0)
    env.reset(seed=3)
    shape = env.render().shape
    for step in range(150):
        if step % 10 == 0:
            texts = drawn(env, env.happened() + LONG)
            assert texts
            assert not collisions(texts), step
            assert not outside(texts, shape), step
        played = random.choice(env.legal_actions()) if step % 3 else env.choose(greedy)
        _, _, terminated, truncated, _ = env.step(int(played))
        if terminated or truncated:
            break
    assert not collisions(drawn(env, LONG))


def test_long_labels_of_the_initiative_panel_leave_room_for_the_names():
    env = AgemoniaEnv("ford", 4, render_mode="rgb_array")
    env.reset(seed=1)
    state, record = env.states[0], env.compiled.content[0]
    state["card"], state["phase"] = 0, 2
    card = record["card"][0].copy()
    record["card"][0]["eye"] = Eye.STARING
    record["card"][0]["horns"] = record["card"][0]["snake"] = 1
    record["card"][0]["bonus"] = 1
    record["type"]["colour"] = 0  # all Enemy types on one bar
    state["ally"]["colour"] = 0
    try:
        texts = drawn(env)
    finally:
        record["card"][0] = card
    assert not collisions(texts)
    assert any(text == "Red: staring + horns + snake" for text, _ in texts)


def test_crowds_with_conditions_do_not_hide_each_others_texts():
    env = AgemoniaEnv("broodholm", 4, level=5, render_mode="rgb_array")
    env.reset(seed=1)
    state = env.states[0]
    state["ally"]["conditions"] = 1 << Condition.HELD | 1 << Condition.BLESSED
    state["ally"]["wounded"] = 1
    texts = drawn(env, LONG)
    assert not collisions(texts)


@pytest.mark.parametrize(("env_class", "scenario", "heroes"), CASES)
def test_text_boards_fit_80_columns(env_class, scenario, heroes):
    env = env_class(scenario, heroes, ties="auto", render_mode="ansi")
    random = np.random.default_rng(0)
    env.reset(seed=3)
    for step in range(60):
        if step % 6 == 0:
            wide = [line for line in env.render().split("\n") if len(line) > 80]
            assert not wide
        _, _, terminated, _, _ = env.step(int(random.choice(env.legal_actions())))
        if terminated:
            break
