"""HexDungeon in pictures: everything is drawn, and what is offered is shown."""

import numpy as np
import pytest

from agemonia_env.core.jit import zeros
from agemonia_env.display.canvas import PAPER
from agemonia_env.display.pixels import pixels_of
from agemonia_env.rulesets.hexdungeon.content import scenarios
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.layout import (
    BOARD,
    FIRST_MONSTER,
)
from agemonia_env.rulesets.hexdungeon.core.rules.board import STEP_Q, STEP_R
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Decision,
    Effect,
    Ending,
    Place,
    Terrain,
)
from agemonia_env.rulesets.hexdungeon.view.hexes import (
    DIRECTIONS,
    centre_of,
    hex_name,
    hex_of,
    next_hex,
    place_of,
)
from agemonia_env.rulesets.hexdungeon.view.legal_targets import offer_of
from agemonia_env.rulesets.hexdungeon.view.map import fit_board
from agemonia_env.rulesets.hexdungeon.view.render import (
    BELOW,
    MAP,
    PANEL,
    draw_board,
)
from tests.envs.hexdungeon_games import Game, party

LARGEST = "mother-furnace"


def picture(game, events=()):
    return pixels_of(draw_board(game.state, game.compiled, events))


def margins(pixels):
    """The pixels around and between the parts of the picture, (n, 3)."""
    left, top, right, bottom = (int(v) for v in MAP)
    below, panel = int(BELOW[1]), int(PANEL[0])
    parts = (
        pixels[: top - 2],
        pixels[int(PANEL[3]) + 2 :],
        pixels[:, : left - 2],
        pixels[:, int(PANEL[2]) + 2 :],
        pixels[bottom + 2 : below - 2, left:right],
        pixels[top:, right + 3 : panel - 2],
    )
    return np.concatenate([part.reshape(-1, 3) for part in parts])


def test_every_decision_has_a_picture_within_its_margins():
    seen = set()
    for seed in range(10):
        game = Game(scenarios()[seed % len(scenarios())], party(seed), seed)
        for state in game.play(150):
            if int(state["decision"]) not in seen:
                seen.add(int(state["decision"]))
                assert (margins(picture(game, game.happened())) == PAPER).all()
    assert len(seen) > 14


def test_everything_on_the_board_is_drawn():
    game = Game(LARGEST, 4)
    plain = picture(game)

    def changed(change):
        saved = game.states.copy()
        change(game.state)
        other = picture(game)
        game.states[:] = saved
        return bool((other != plain).any())

    for condition in range(Effect.POISON, Effect.STRENGTHEN + 1):
        assert changed(lambda s, c=condition: s["figure"]["condition"].__setitem__((0, c), 1))
    for key, value in (("hp", 1), ("shield", 1), ("xp", 5), ("loot", 2), ("at", -1)):
        assert changed(lambda s, k=key, v=value: s["figure"][k].__setitem__(0, v)), key
    other_rank = 1 - game.state["figure"]["elite"][FIRST_MONSTER]
    assert changed(lambda s: s["figure"]["elite"].__setitem__(FIRST_MONSTER, other_rank))
    for place in (Place.DISCARD, Place.LOST):
        assert changed(lambda s, p=place: s["hero"]["place"].__setitem__((0, 0), p))
    for key, value in (("lead", 1), ("second", 1), ("resting", 1)):
        assert changed(lambda s, k=key, v=value: s["hero"][k].__setitem__(0, v)), key
    for strength in (1, 2):
        assert changed(lambda s, n=strength: s["element"].__setitem__(0, n))
    assert changed(lambda s: s["deck"]["n_pile"].__setitem__(0, 3))
    assert changed(lambda s: s["loot"].__setitem__(slice(None), ~s["loot"]))
    assert changed(lambda s: s.__setitem__("rooms", 0xFF))
    assert changed(lambda s: s.__setitem__("round", 2))
    assert changed(lambda s: s.__setitem__("turn", 0))
    for ending in (Ending.GOAL, Ending.ROUNDS):
        assert changed(lambda s, e=ending: s.__setitem__("ending", e))
    for kind in Terrain:
        words = game.state["board"]["terrain"][kind]
        assert changed(
            lambda s, k=kind: s["board"]["terrain"][k].__setitem__(slice(None), 0)
        ) == any(words.tolist())


# ---- what is offered ------------------------------------------------------------------------
def until(decision, wanted=lambda state: True):
    """A game at random up to a decision."""
    for seed in range(60):
        game = Game(scenarios()[seed % len(scenarios())], party(seed), seed)
        for state in game.play(150):
            if state["decision"] == decision and wanted(state):
                return game
    raise AssertionError(f"no random game comes to {decision!r}")


def test_steps_are_offered_beside_the_figure_that_moves():
    game = until(Decision.STEP)
    state, offer = game.state, offer_of(game.state, game.compiled)
    at = int(state["figure"][int(state["move"]["by"])]["at"])
    assert offer.hexes <= {next_hex(state["board"], at, k) for k in range(len(DIRECTIONS))}
    assert offer.hexes
    assert not offer.red | offer.near


def test_the_range_of_an_attack_is_shown_with_its_targets():
    game = until(Decision.TARGET, lambda state: state["strike"]["template"] < 0)
    state, offer = game.state, offer_of(game.state, game.compiled)
    by = int(state["figure"][int(state["strike"]["by"])]["at"])
    places = {int(state["figure"][f]["at"]) for f in offer.figures}
    assert places <= offer.near
    assert places
    assert by not in offer.near
    assert not offer.red


@pytest.mark.parametrize("decision", [Decision.ORIENTATION, Decision.CELL])
def test_the_hexes_of_a_template_are_shown_over_the_enemy_aimed_at(decision):
    game = until(decision, lambda state: state["strike"]["grey"] or decision == Decision.CELL)
    state, offer = game.state, offer_of(game.state, game.compiled)
    aimed = int(state["figure"][int(state["strike"]["aimed"])]["at"])
    assert aimed in offer.red
    assert offer.orientations if decision == Decision.ORIENTATION else offer.cells


def test_nothing_is_offered_after_the_end():
    game = Game("warm-cellar", 1)
    game.state["ending"] = Ending.ROUNDS
    offer = offer_of(game.state, game.compiled)
    assert offer.actions == ()
    assert not offer.hexes | offer.figures


# ---- hexes ----------------------------------------------------------------------------------
def test_hexes_are_named_by_column_and_row():
    boards = zeros(BOARD)
    boards["width"], boards["height"] = 7, 5
    api.settle(boards)
    board = boards[0]
    for column in range(7):
        for row in range(5):
            h = hex_of(board, (column, row))
            assert place_of(board, h) == (column, row)
            assert hex_name(board, h) == f"{column},{row}"
    assert hex_of(board, (7, 0)) == hex_of(board, (0, -1)) == -1
    middle = hex_of(board, (3, 2))
    plan = fit_board(board, (0, 0, 500, 500))
    x, y = plan.at(*centre_of(board, middle))
    for direction, name in enumerate(DIRECTIONS):
        beside = next_hex(board, middle, direction)
        assert place_of(board, beside)[0] == place_of(board, middle)[0] + STEP_Q[direction]
        assert abs(STEP_R[direction]) <= 1
        over = plan.at(*centre_of(board, beside))
        assert ("up" in name) == (over[1] < y)  # pictures count downwards
        assert ("right" in name) == (over[0] > x + 1)
        assert ("left" in name) == (over[0] < x - 1)
