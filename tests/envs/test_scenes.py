"""Pictures can be read: contrast, sizes, and nothing covered, in crowded random positions.

Text boards fit 80 columns.
"""

from dataclasses import replace

import numpy as np
import pytest

from agemonia_env.display.canvas import (
    FAINT,
    GOLD,
    HEALTHY,
    INK,
    PAPER,
    WHITE,
    WOUND,
    Oval,
    blend,
    contrast,
    ink_on,
)
from agemonia_env.rulesets.agemonia import content
from agemonia_env.rulesets.agemonia.core.layout import N_ENEMIES
from agemonia_env.rulesets.agemonia.core.terms import Condition, Eye, Kind
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.view import map as area_map
from agemonia_env.rulesets.agemonia.view import render as area_render
from agemonia_env.rulesets.agemonia.view.labels import initiative_bars
from agemonia_env.rulesets.hexdungeon import content as hex_content
from agemonia_env.rulesets.hexdungeon.core.layout import (
    FIRST_SUMMON,
    N_CONDITIONS,
    N_FIGURES,
    N_HEROES,
)
from agemonia_env.rulesets.hexdungeon.core.terms import Place, Side
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.rulesets.hexdungeon.view import map as hex_map
from agemonia_env.rulesets.hexdungeon.view import render as hex_render
from agemonia_env.rulesets.hexdungeon.view.hexes import members
from tests.envs.scenes import box_of, collisions, grounds, of_colour, outside, overlap, texts_of
from tests.games import random_steps

READABLE, VISIBLE = 4.5, 3.0  # WCAG 2 AA: contrast of text, and of signs
SMALLEST = 7  # pixels of a letter
DOT = 6.4  # pixels across a capacity dot
STEPS, EVERY = 120, 24  # of a game; decisions between two pictures
LONG = [
    f"Something happens here that takes a long sentence to tell, the {k}th time" for k in "1234"
]
GROUNDS = [
    area_map.WATER,
    *(area_map.ground_colour(level, tone) for level in range(-1, 4) for tone in range(4)),
]
LIT = [blend(ground, GOLD, 0.5) for ground in GROUNDS]
CARDS = [area_render.CARD, hex_render.CARD, PAPER]
WRITTEN = {
    "area names": [(ink, g) for ink in (INK, area_map.HEIGHT) for g in (*GROUNDS, *LIT)],
    "notes": [(ink, card) for ink in (INK, FAINT, WOUND) for card in CARDS],
    "chips": [(area_map.STAMINA, card) for card in CARDS],
    "bars": [(ink, blend(area_render.CARD, GOLD, 0.35)) for ink in (INK, FAINT)],
    "health": [(WHITE, blend(WOUND, HEALTHY, k / 20)) for k in range(21)],
    "allies": [(WHITE, hero) for hero in (*area_map.HEROES, FAINT)],
    "exhausted": [(WHITE, blend(hero, area_map.DOWN, 0.7)) for hero in area_map.HEROES],
    "sides": [(WHITE, side) for side in area_map.SIDES],
    "enemies": [(WHITE, area_map.token_colour(side)) for side in range(3)],
    "badges": [(WHITE, area_map.HELPS), (WHITE, area_map.HARMS)],
    "traps": [(INK, area_map.WARNING), (INK, hex_map.WARNING)],
    "characters": [(WHITE, hero) for hero in (*hex_map.HEROES, FAINT)],
    "summons": [(ink_on(c), c) for c in map(hex_map.summon_colour, range(4))],
    "monsters": [(WHITE, kind) for kind in hex_map.TYPES],
    "marks": [(ink_on(colour), colour) for _, colour in hex_map.MARKS.values()],
    "shields": [(WHITE, hex_map.SHIELD), (WHITE, hex_map.RED), (hex_map.LABEL, hex_map.GROUND)],
    "cards": [(ink, face) for face, ink in hex_render.FACES.values()],
    "elements": [(INK, colour) for colour in hex_render.COLOURS.values()],
}
FLOORS = [hex_map.FLOOR, hex_map.MARSH, hex_map.LAVA, blend(hex_map.FLOOR, GOLD, 0.5)]
SIGNS = {
    "edges of rings and signs": [(INK, ground) for ground in (*GROUNDS, *LIT, *FLOORS)],
    "rings": [(ring, INK) for ring in (GOLD, WHITE, hex_map.FRIEND, hex_map.RED)],
    "capacity dots": [(INK, WHITE)],
    "stamina chips": [(chip, area_render.CARD) for chip in (area_map.STAMINA, WOUND)],
    "barriers": [(area_map.ROCK, ground) for ground in GROUNDS],
}
CASES = [
    *((AgemoniaEnv, name, 1 + k % 3) for k, name in enumerate(content.scenarios("core"))),
    *((AgemoniaEnv, name, 4) for name in content.scenarios("core")),
    *((AgemoniaEnv, "random", heroes) for heroes in (1, 4)),
    *((HexDungeonEnv, name, 1 + k % 3) for k, name in enumerate(hex_content.scenarios())),
    *((HexDungeonEnv, name, 4) for name in hex_content.scenarios()),
]


def drawn(env, states):
    return env.ruleset.draw_board(states[0], env.compiled, env.happened() + LONG)


def check(canvas):
    """What holds for every picture."""
    assert not collisions(canvas)
    assert not outside(canvas)
    weak = [
        (text.text, text.colour, ground)
        for text, colours in grounds(canvas)
        for ground in colours
        if contrast(text.colour, ground) < READABLE
    ]
    assert not weak
    assert min(text.size for text in texts_of(canvas)) >= SMALLEST


def gather(state, compiled, random):
    """Fill one area with figures up to its capacity, each with two conditions."""
    record = compiled.content[0]
    area = int(random.choice(np.flatnonzero(record["capacity"][: int(record["n_areas"])])))
    room = int(record["capacity"][area])
    slots = [("ally", a) for a, ally in enumerate(state["ally"]) if ally["kind"] != Kind.NOBODY]
    slots += [("enemy", e) for e in range(N_ENEMIES) if state["enemy"][e]["type"] >= 0]
    state["used"][area] = room
    for kind, slot in random.permutation(np.array(slots, object)):
        figure = state[kind][slot]
        held = random.choice(len(Condition), 2, replace=False)
        figure["conditions"] = sum(1 << int(condition) for condition in held)
        size = 1 if kind == "ally" else int(record["type"]["size"][int(figure["type"])])
        if size <= room:
            figure["area"], room = area, room - size
        elif figure["area"] == area:
            figure["area"] = -1


def afflict(state, random):
    """Give every figure some of the conditions, and a shield."""
    held = random.random((len(state["figure"]), N_CONDITIONS - 1)) < random.random()
    state["figure"]["condition"][:, 1:N_CONDITIONS] = held
    state["figure"]["round_shield"] = random.integers(0, 4)


def crowd(state, compiled):
    """As full a board as possible: every slot taken, all conditions, cards in use."""
    taken = set(state["figure"]["at"].tolist())
    free = [h for h in members(state["board"]["floor"]) if h not in taken]
    for f in range(N_FIGURES):
        figure = state["figure"][f]
        if figure["side"] == Side.NONE:
            figure["side"] = Side.MONSTER if f >= FIRST_SUMMON + 8 else Side.SUMMON
            figure["kind"] = f % int(compiled.content[0]["n_types"])
            figure["at"], figure["owner"] = free.pop(), f % N_HEROES
            figure["hp"], figure["max_hp"], figure["standee"], figure["elite"] = 11, 22, f, f % 2
        figure["condition"][1:N_CONDITIONS] = 1
        figure["shield"], figure["xp"], figure["loot"] = 3, 12, 3
    state["element"][:] = 0, 1, 2, 0, 1, 2
    for hero in range(N_HEROES):
        for card, place in ((0, Place.LOST), (1, Place.DISCARD), (2, Place.ACTIVE)):
            state["hero"][hero]["place"][card] = place
        active = state["active"][hero]
        active["owner"], active["card"], active["bonus"], active["token"] = hero, 2, 0, 1
    state["n_active"] = N_HEROES


@pytest.mark.parametrize("pairs", WRITTEN.values(), ids=WRITTEN)
def test_letters_stand_out_from_their_ground(pairs):
    assert not [pair for pair in pairs if contrast(*pair) < READABLE]


@pytest.mark.parametrize("pairs", SIGNS.values(), ids=SIGNS)
def test_signs_stand_out_from_their_ground(pairs):
    assert not [pair for pair in pairs if contrast(*pair) < VISIBLE]


def test_contrast_is_that_of_the_guidelines():
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), WHITE) == pytest.approx(4.48, abs=0.01)
    assert contrast(GOLD, GOLD) == 1


@pytest.mark.parametrize(("env_class", "scenario", "heroes"), CASES)
def test_pictures_of_crowds_can_be_read(env_class, scenario, heroes):
    drawn_from = {"scenario_seed": 15} if scenario == "random" else {}
    env = env_class(scenario, heroes, ties="auto", **drawn_from)
    random = np.random.default_rng(heroes)
    env.reset(seed=heroes)
    for step, _ in enumerate(random_steps(env, STEPS, heroes)):
        if step % EVERY == 0:
            check(drawn(env, env.states))
            states = env.states.copy()
            if env_class is AgemoniaEnv:
                gather(states[0], env.compiled, random)
                canvas = drawn(env, states)
                check_tokens(canvas)
            else:
                afflict(states[0], random)
                canvas = drawn(env, states)
            check(canvas)
    check(drawn(env, env.states))


def test_a_picture_with_every_slot_taken_can_be_read():
    env = HexDungeonEnv("mother-furnace", 4)
    env.reset(seed=0)
    states = env.states.copy()
    crowd(states[0], env.compiled)
    canvas = drawn(env, states)
    assert not collisions(canvas)
    assert not outside(canvas)


def check_tokens(canvas):
    """Badges cover neither dots nor names, and letters stay within their tokens."""
    badges = [box_of(s) for s in of_colour(canvas, area_map.HELPS, area_map.HARMS)]
    dots = [
        box_of(s)
        for s in of_colour(canvas, INK, WHITE)
        if isinstance(s, Oval) and s.box[2] - s.box[0] == pytest.approx(DOT)
    ]
    assert badges
    assert dots
    assert not [(badge, dot) for badge in badges for dot in dots if overlap(badge, dot)]
    squares = of_colour(canvas, *(area_map.token_colour(side) for side in range(3)))
    for square in squares:
        left, _, right, _ = square.box
        middle = [t for t in texts_of(canvas) if within(box_of(t), square.box) and t.bold]
        assert len(middle) == 1
        assert right - left > 2 * area_map.SMALLEST * area_map.HALVES[0] - 0.01


def within(inner, outer):
    """Whether the middle of a box lies in another, and its width, too."""
    y = (inner[1] + inner[3]) / 2
    return outer[0] <= inner[0] and inner[2] <= outer[2] and outer[1] <= y <= outer[3]


def test_all_names_on_a_crowded_initiative_bar_are_written():
    env = AgemoniaEnv("weir", 4)
    env.reset(seed=1)
    states = env.states.copy()
    states["card"], states["phase"] = 0, 2
    record = env.compiled.content[0]
    colours, card = record["type"]["colour"].copy(), record["card"][0].copy()
    record["type"]["colour"] = 0  # every Enemy type on the red bar
    record["card"][0]["eye"] = Eye.STARING
    for sign in ("horns", "snake", "bonus"):
        record["card"][0][sign] = 1
    try:
        names = max((bar.figures for bar in initiative_bars(states[0], env.compiled)), key=len)
        canvas = drawn(env, states)
    finally:
        record["type"]["colour"], record["card"][0] = colours, card
    check(canvas)
    assert len(names) > 5
    written = " ".join(text.text for text in texts_of(canvas))
    assert ", ".join(names) in written
    assert "Red: staring + horns + snake" in written


@pytest.mark.parametrize(("env_class", "scenario", "heroes"), CASES)
def test_text_boards_fit_80_columns(env_class, scenario, heroes):
    drawn_from = {"scenario_seed": 15} if scenario == "random" else {}
    env = env_class(scenario, heroes, ties="auto", render_mode="ansi", **drawn_from)
    env.reset(seed=3)
    for step, _ in enumerate(random_steps(env, 60)):
        if step % 6 == 0:
            assert not [line for line in env.render().split("\n") if len(line) > 80]


@pytest.mark.parametrize(
    ("env_class", "scenario"), [(AgemoniaEnv, "bell"), (HexDungeonEnv, "mother-furnace")]
)
def test_names_of_any_length_are_fitted(env_class, scenario):
    env = env_class(scenario, 4, ties="auto")
    env.reset(seed=1)
    names = env.compiled.names
    fields = {"scenario", "areas", "allies", "types", "tokens", "items", "heroes", "kinds", "cards"}
    long = {name: longer(getattr(names, name)) for name in fields if hasattr(names, name)}
    compiled = replace(env.compiled, names=replace(names, **long))
    for step, _ in enumerate(random_steps(env, 90, seed=1)):
        if step % 30 == 0:
            check(env.ruleset.draw_board(env.states[0], compiled, env.happened()))


def longer(names):
    """Names that are too long for any place."""
    if isinstance(names, str):
        return f"{names} of the Very Long Winded Northern Marches"
    return type(names)(longer(name) for name in names)
