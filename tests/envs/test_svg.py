"""Boards as SVG say and show what their pictures do."""

from xml.etree import ElementTree

import pytest

from agemonia_env.display.canvas import INK, PAPER, WHITE, Canvas, Text, width_of
from agemonia_env.display.pixels import pixels_of, written_on
from agemonia_env.display.svg import svg_of
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv

SVG = "{http://www.w3.org/2000/svg}"
ENVS = [AgemoniaEnv, HexDungeonEnv]


def board_of(env_class, mode):
    env = env_class(render_mode=mode)
    env.reset(seed=1)
    return env, env.render()


@pytest.mark.parametrize("env_class", ENVS)
def test_a_document_holds_every_shape_and_text_of_the_board(env_class):
    env, text = board_of(env_class, "svg")
    board = env.ruleset.draw_board(env.states[0], env.compiled, env.happened())
    root = ElementTree.fromstring(text)
    assert (root.get("width"), root.get("height")) == (str(board.width), str(board.height))
    assert len(root) == 1 + len(board.shapes)  # the paper lies below all
    written = [shape.text for shape in board.shapes if isinstance(shape, Text)]
    assert [element.text for element in root.iter(f"{SVG}text")] == written
    assert written


@pytest.mark.parametrize("env_class", ENVS)
def test_pixels_are_those_of_the_same_shapes(env_class):
    env, pixels = board_of(env_class, "rgb_array")
    board = env.ruleset.draw_board(env.states[0], env.compiled, env.happened())
    assert (pixels == pixels_of(board)).all()


def test_signs_that_mean_something_to_xml_are_escaped():
    canvas = Canvas(100, 20, PAPER)
    canvas.text((4, 10), '<b> & "c"', 12, INK)
    root = ElementTree.fromstring(svg_of(canvas, title="a & <b>"))
    assert [element.text for element in root.iter(f"{SVG}text")] == ['<b> & "c"']
    assert root.get("aria-label") == "a & <b>"


def test_outlines_lie_inside_their_boxes_as_in_pixels():
    canvas = Canvas(40, 40, WHITE)
    canvas.box((4, 4, 36, 36), None, INK, 4)
    canvas.oval((0, 0, 40, 40), INK)
    rectangle, oval = list(ElementTree.fromstring(svg_of(canvas)))[1:]
    assert [rectangle.get(k) for k in ("x", "y", "width", "height")] == ["6", "6", "28", "28"]
    assert [oval.get(k) for k in ("cx", "cy", "rx", "ry")] == ["20", "20", "20", "20"]


@pytest.mark.parametrize("size", [9, 12, 20])
def test_the_table_of_widths_is_that_of_the_font(size):
    canvas = Canvas(400, 40, WHITE)
    text = "Mire Witch (elite) 12/20: restores 3, Wet Ford"
    canvas.text((4, 20), text, size, INK)
    ((_, (left, _, right, _)),) = written_on(canvas)
    assert right - left == pytest.approx(width_of(text, size), rel=0.04)
