"""HexDungeon in pictures: everything is drawn, nothing is cut off, no texts overlap."""

from itertools import combinations

import numpy as np
import pytest

from agemonia_env.core.jit import zeros
from agemonia_env.display.canvas import PAPER, Canvas
from agemonia_env.display.pixels import pixels_of
from agemonia_env.rulesets.hexdungeon.content import scenarios
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.layout import (
    BOARD,
    FIRST_SUMMON,
    N_CONDITIONS,
    N_FIGURES,
    N_HEROES,
)
from agemonia_env.rulesets.hexdungeon.core.rules.board import STEP_Q, STEP_R
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Decision,
    Effect,
    Ending,
    Place,
    Side,
    Terrain,
)
from agemonia_env.rulesets.hexdungeon.view.hexes import (
    DIRECTIONS,
    centre_of,
    hex_name,
    hex_of,
    members,
    next_hex,
    place_of,
)
from agemonia_env.rulesets.hexdungeon.view.legal_targets import offer_of
from agemonia_env.rulesets.hexdungeon.view.map import fit_board
from agemonia_env.rulesets.hexdungeon.view.render import (
    BELOW,
    HEIGHT,
    MAP,
    PANEL,
    WIDTH,
    draw_board,
)
from tests.envs.hexdungeon_games import Game, party
from tests.envs.scenes import box_of

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


@pytest.fixture
def texts(monkeypatch):
    """Where every text of the pictures drawn from now on lies: (text, box) in their pixels."""
    written = []
    draw = Canvas.text

    def text(self, *arguments, **options):
        drawn = len(self.shapes)
        width = draw(self, *arguments, **options)
        written.extend((shape.text, box_of(shape)) for shape in self.shapes[drawn:])
        return width

    monkeypatch.setattr(Canvas, "text", text)
    return written


def crowd(game):
    """As full a board as possible: every slot taken, conditions, cards in use."""
    state = game.state
    taken = set(state["figure"]["at"].tolist())
    free = [h for h in members(state["board"]["floor"]) if h not in taken]
    for f in range(N_FIGURES):
        figure = state["figure"][f]
        if figure["side"] == Side.NONE:
            figure["side"] = Side.MONSTER if f >= FIRST_SUMMON + 8 else Side.SUMMON
            figure["kind"] = f % int(game.compiled.content[0]["n_types"])
            figure["at"], figure["owner"] = free.pop(), f % N_HEROES
            figure["hp"], figure["max_hp"], figure["standee"], figure["elite"] = 11, 22, f, f % 2
        figure["condition"][1:N_CONDITIONS] = 1
        figure["shield"] = 3
        figure["xp"], figure["loot"] = 12, 3
    state["element"][:] = 0, 1, 2, 0, 1, 2
    for hero in range(N_HEROES):
        for card, place in ((0, Place.LOST), (1, Place.DISCARD), (2, Place.ACTIVE)):
            state["hero"][hero]["place"][card] = place
        active = state["active"][hero]
        active["owner"], active["card"], active["bonus"], active["token"] = hero, 2, 0, 1
    state["n_active"] = N_HEROES
    return game


@pytest.mark.parametrize("scenario", scenarios())
@pytest.mark.parametrize("heroes", [1, 4])
def test_a_picture_of_every_scenario_that_changes_with_the_state(scenario, heroes):
    game = Game(scenario, heroes)
    first = picture(game)
    assert first.shape == (HEIGHT, WIDTH, 3)
    assert first.dtype == np.uint8
    assert first.flags.writeable
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 100
    assert np.array_equal(first, picture(game))
    assert (margins(first) == PAPER).all()
    for _ in game.play(25):
        pass
    assert (picture(game) != first).any()


def test_every_decision_has_a_picture_within_its_margins(texts):
    seen = set()
    for seed in range(10):
        game = Game(scenarios()[seed % len(scenarios())], party(seed), seed)
        for state in game.play(150):
            if int(state["decision"]) not in seen:
                seen.add(int(state["decision"]))
                texts.clear()
                pixels = picture(game, game.happened())
                assert (margins(pixels) == PAPER).all()
                assert not overlapping(texts)
    assert len(seen) > 14


def overlapping(written):
    """Pairs of texts beside and below the board that overlap."""
    outside = [(text, box) for text, box in written if box[0] > MAP[2] or box[1] > MAP[3]]
    return [
        (one, two)
        for (one, a), (two, b) in combinations(outside, 2)
        if min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5
    ]


def test_a_crowded_board_is_neither_cut_off_nor_overlapping(texts):
    game = crowd(Game(LARGEST, 4))
    long = [f"{'Something that takes very long to tell ' * 4}{k}" for k in range(9)]
    pixels = picture(game, long)
    assert (margins(pixels) == PAPER).all()
    assert not overlapping(texts)
    for text, (left, top, right, bottom) in texts:
        assert 0 <= left < right <= WIDTH, text
        assert 0 <= top < bottom <= HEIGHT, text


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


def test_an_elite_monster_is_seen_to_be_one():
    game = Game("warm-cellar", 4)
    plain = picture(game)
    monsters = game.state["figure"]["elite"][N_HEROES + 8 :]
    monsters ^= 1
    assert (picture(game) != plain).any()


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
