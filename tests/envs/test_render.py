"""Pictures and text boards: every fact that the rules need, in every position."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from agemonia_env.display.canvas import PAPER, Canvas, Text
from agemonia_env.display.pixels import pixels_of
from agemonia_env.rulesets.agemonia.content import scenarios
from agemonia_env.rulesets.agemonia.core.terms import Condition, Kind
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.view.board_text import write_board
from agemonia_env.rulesets.agemonia.view.labels import enemy_types
from agemonia_env.rulesets.agemonia.view.legal_targets import offer_of
from agemonia_env.rulesets.agemonia.view.map import (
    WATER,
    draw_areas,
    draw_ground,
    fit_map,
    largest_rectangle,
)
from agemonia_env.rulesets.agemonia.view.render import HEIGHT, MAP, WIDTH, draw_board
from tests.games import random_steps


@pytest.mark.parametrize("scenario", scenarios("core"))
@pytest.mark.parametrize("heroes", [1, 4])
def test_a_picture_of_every_scenario_that_changes_with_the_state(scenario, heroes):
    env = AgemoniaEnv(scenario, heroes=heroes, render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.shape == (HEIGHT, WIDTH, 3)
    assert first.dtype == np.uint8
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 50
    assert first.flags.writeable
    assert np.array_equal(first, env.render())
    list(random_steps(env, 40))
    assert (env.render() != first).any()
    list(random_steps(env, 5000))
    ended = env.render()
    assert ended.shape == first.shape
    assert Image.fromarray(ended).size == (WIDTH, HEIGHT)


def test_a_text_board_names_everybody_and_the_question():
    env = AgemoniaEnv(heroes=3, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    names = env.compiled.names
    for name in (*names.areas, *names.allies[:3], names.scenario):
        assert name in text
    assert text.endswith(env.question())
    list(random_steps(env, 60))
    assert env.render() != text


def test_the_enemy_cards_count_those_on_the_map():
    env = AgemoniaEnv(heroes=2)
    env.reset(seed=1)
    state = env._states[0]
    before = {card.name.split(" ", 1)[1]: card.name for card in enemy_types(state, env.compiled)}
    slot = int(np.flatnonzero(state["enemy"]["type"] == state["enemy"][0]["type"])[0])
    state["enemy"][slot]["area"] = -1
    after = {card.name.split(" ", 1)[1]: card.name for card in enemy_types(state, env.compiled)}
    assert before != after


def test_crowds_conditions_the_wounded_and_the_exhausted_are_drawn():
    env = AgemoniaEnv(heroes=4)
    env.reset(seed=1)
    state = env._states[0]
    plain = pixels_of(draw_board(state, env.compiled))
    area = int(state["ally"][0]["area"])
    for slot in range(4):
        state["ally"][slot]["area"] = area
        state["ally"][slot]["conditions"] = 1 << Condition.HELD | 1 << Condition.BLESSED
    state["ally"][1]["wounded"] = state["ally"][2]["exhausted"] = 1
    state["ally"][3]["kind"] = Kind.COMPANION
    state["trap"][area] = 1
    state["item"][area][0] = 0
    for figure in state["enemy"]:
        figure["area"] = area
    crowd = pixels_of(draw_board(state, env.compiled))
    assert (crowd != plain).any()
    text = write_board(state, env.compiled)
    for word in ("Held", "Blessed", "wounded", "exhausted", "trap"):
        assert word in text


def test_the_largest_rectangle_of_an_area():
    rows = ["##..", "####", "####", "...#"]
    inside = np.array([[cell == "#" for cell in row] for row in rows])
    assert largest_rectangle(inside) == (1, 0, 2, 4)
    assert largest_rectangle(np.eye(3, dtype=np.bool_)) == (0, 0, 1, 1)


def test_answers_are_listed_and_what_they_name_is_lit():
    env = AgemoniaEnv("weir", heroes=3, ties="auto")
    env.reset(seed=3)
    random, lit = np.random.default_rng(0), set()
    for _ in range(300):
        state = env.states[0]
        offer = offer_of(state, env.compiled)
        assert list(offer.actions) == env.legal_actions().tolist()
        board = draw_board(state, env.compiled)
        written = {shape.text for shape in board.shapes if isinstance(shape, Text)}
        texts = [env.action_meaning(action) for action in offer.actions]
        shown = [text for text in texts if any(text.startswith(w.rstrip(".")) for w in written)]
        assert len(shown) == len(texts) or f"and {len(texts) - len(shown)} more" in written
        for names in ("areas", "allies", "enemies"):
            if getattr(offer, names):
                lit.add(names)
                plain = replace(offer, **{names: frozenset()})
                assert drawn_map(state, env.compiled, offer) != drawn_map(
                    state, env.compiled, plain
                )
        _, _, terminated, truncated, _ = env.step(int(random.choice(env.legal_actions())))
        if terminated or truncated:
            env.reset(seed=4)
    assert lit == {"areas", "allies", "enemies"}


def drawn_map(state, compiled, offer):
    canvas = Canvas(WIDTH, HEIGHT, PAPER)
    plan = fit_map(compiled.drawing, MAP)
    draw_ground(canvas, plan, state, compiled, offer)
    draw_areas(canvas, plan, state, compiled, offer)
    return canvas.shapes


def test_where_nobody_can_stand_is_water():
    env = AgemoniaEnv("weir", heroes=1)
    env.reset(seed=1)
    content = env.compiled.content[0]
    n = int(content["n_areas"])
    assert (content["capacity"][:n] == 0).any()
    fills = {s.fill for s in draw_board(env.states[0], env.compiled).shapes if hasattr(s, "fill")}
    assert WATER in fills
