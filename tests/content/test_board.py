"""The tables of a map, each against a slow twin that tries everything, on random small maps."""

import random
from itertools import pairwise, product

import pytest

from agemonia_env.rulesets.agemonia.content import board as boards
from agemonia_env.rulesets.agemonia.content.board import Board
from agemonia_env.rulesets.agemonia.content.builder import Builder
from agemonia_env.rulesets.agemonia.content.schema import MapCard
from agemonia_env.rulesets.agemonia.core.layout import (
    LINE_BITS,
    LINE_MAX,
    N_AREAS,
    N_CROSSINGS,
    N_LINES,
)
from agemonia_env.rulesets.agemonia.core.terms import Border

SEEDS = range(60)
KEPT: list = []


def random_card(seed: int) -> MapCard:
    """Up to six areas on three levels, about half of the pairs touching, any kind of border."""
    chance = random.Random(seed)
    names = "abcdef"[: chance.randint(1, 6)]
    levels = {name: chance.randint(0, 2) for name in names}
    borders = []
    for x, y in product(names, names):
        if x < y and chance.random() < 0.5:
            kinds = [["single"], ["barrier"]]
            if levels[x] != levels[y]:
                kinds += [["double"], ["single", "height"], ["double"]]
            borders.append([x, y, *chance.choice([["single"], *kinds])])
    card = {"areas": {n: {"level": levels[n]} for n in names}, "borders": borders}
    if chance.random() < 0.5:
        paths = [list(path) for path in walks(MapCard.model_validate(card))]
        card["sight"] = chance.sample(paths, min(len(paths), 4))
    return MapCard.model_validate(card)


def border_of(card: MapCard, x: str, y: str):
    """The border card between two areas, or None."""
    return next((b for b in card.borders if {x, y} == set(b.between)), None)


def walks(card: MapCard, longest: int = 6) -> list[tuple[str, ...]]:
    """Every walk over borders of any kind without coming back to an area."""
    found = [(name,) for name in card.areas]
    for walk in found:
        for y in card.areas:
            if len(walk) < longest and y not in walk and border_of(card, walk[-1], y):
                found.append((*walk, y))
    return [walk for walk in found if len(walk) > 1]


def open_walks(card: MapCard) -> list[tuple[str, ...]]:
    """Those that meet no barrier; kept for the map that was asked about last."""
    if KEPT and KEPT[0] is card:
        return KEPT[1]
    KEPT[:] = (
        card,
        [
            walk
            for walk in walks(card)
            if all(border_of(card, x, y).kind != "barrier" for x, y in pairwise(walk))
        ],
    )
    return KEPT[1]


def slow_range(card: MapCard, x: str, y: str) -> int:
    """R7.22 by trying every walk."""
    if x == y:
        return 0
    found = [len(w) - 1 for w in open_walks(card) if (w[0], w[-1]) == (x, y)]
    return min(found, default=-1)


def slow_melee(card: MapCard, x: str, y: str) -> int:
    """Q42 by trying every walk."""
    if x == y:
        return 0
    level = card.areas[x].level
    found = [
        len(w) - 1
        for w in open_walks(card)
        if (w[0], w[-1]) == (x, y)
        and all(card.areas[name].level == level for name in w)
        and all(border_of(card, a, b).kind == "single" for a, b in pairwise(w))
    ]
    return min(found, default=-1)


def slow_lines(card: MapCard) -> set[tuple[str, ...]]:
    """Clear lines in both directions, straight from the words of the case format and R7.24."""
    if card.sight is None:
        lines = [w for w in open_walks(card) if len(w) - 1 == slow_range(card, w[0], w[-1])]
    else:
        lines = [tuple(line) for line in card.sight]
        lines += [tuple(b.between) for b in card.borders if b.kind != "barrier"]
    clear = set()
    for line in lines:
        for way in (line, line[::-1]):
            good = True
            for x, y in pairwise(way):
                border = border_of(card, x, y)
                higher = x if card.areas[x].level > card.areas[y].level else y
                symbol = border.kind == "double" or border.height
                good &= border.kind != "barrier"
                good &= not symbol or higher in (way[0], way[-1])
            if good:
                clear.add(way)
    return clear


def crossed(first, table, i, j):
    """The sets of areas, as bits, that lines between two areas cross."""
    pair = boards.pair_of(i, j)
    return table[first[pair] : first[pair + 1]]


def listed(record, row):
    """The areas of a listed line after its first."""
    line = [int(record["line"][row]) >> LINE_BITS * k & 31 for k in range(LINE_MAX)]
    return [area - 1 for area in line if area]


def compiled(card: MapCard):
    builder = Builder()
    builder.add_map(card)
    return builder.record


@pytest.mark.parametrize("seed", SEEDS)
def test_r7_22_range_and_q42_melee(seed):
    card = random_card(seed)
    record = compiled(card)
    for (i, x), (j, y) in product(enumerate(card.areas), repeat=2):
        assert record["range"][i, j] == slow_range(card, x, y), (x, y)
        assert record["melee"][i, j] == slow_melee(card, x, y), (x, y)


@pytest.mark.parametrize("seed", SEEDS)
def test_r7_1_borders_seen_from_either_side(seed):
    card = random_card(seed)
    record = compiled(card)
    for (i, x), (j, y) in product(enumerate(card.areas), repeat=2):
        border = border_of(card, x, y) if x != y else None
        down = card.areas[x].level > card.areas[y].level
        expected = {
            None: Border.NONE,
            "single": Border.SINGLE,
            "barrier": Border.BARRIER,
            "double": Border.DOUBLE_DOWN if down else Border.DOUBLE_UP,
        }[border.kind if border else None]
        assert record["border"][i, j] == expected
        for field, kind in (
            ("single", Border.SINGLE),
            ("down", Border.DOUBLE_DOWN),
            ("up", Border.DOUBLE_UP),
        ):
            assert bool(record[field][i] >> j & 1) == (expected == kind)


@pytest.mark.parametrize("seed", SEEDS)
def test_r7_5_areas_with_dots_for_a_size(seed):
    card = random_card(seed)
    record = compiled(card)
    for size, bits in enumerate(record["fits"].tolist()):
        fitting = {i for i, area in enumerate(card.areas.values()) if area.capacity >= size}
        assert {i for i in range(31) if bits >> i & 1} == fitting


@pytest.mark.parametrize("seed", SEEDS)
def test_r7_24_sight(seed):
    card = random_card(seed)
    record = compiled(card)
    seen = {(line[0], line[-1]) for line in slow_lines(card)}
    for (i, x), (j, y) in product(enumerate(card.areas), repeat=2):
        assert bool(record["seen"][i] >> j & 1) == (x == y or (x, y) in seen), (x, y)


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_sets_of_areas_within_some_steps(seed):
    record = compiled(random_card(seed))
    for n, x, y in product(range(N_AREAS + 1), range(N_AREAS), range(N_AREAS)):
        away, steps = record["range"][y, x], record["melee"][y, x]
        assert record["within"][n, x] >> y & 1 == (0 <= away < n)
        assert record["melee_within"][n, x] >> y & 1 == (0 <= steps < n)
        assert record["not_above"][x] >> y & 1 == (record["level"][y] <= record["level"][x])


@pytest.mark.parametrize("seed", SEEDS)
def test_r7_29_and_q9_sets_of_crossed_areas(seed):
    card = random_card(seed)
    record = compiled(card)
    lines = slow_lines(card)
    for (i, x), (j, y) in product(enumerate(card.areas), repeat=2):
        sets = {frozenset(w[1:-1]) for w in lines if (w[0], w[-1]) == (x, y)}
        sets = {frozenset()} if x == y else sets
        least = {s for s in sets if not any(other < s for other in sets)}
        found = [
            frozenset(name for k, name in enumerate(card.areas) if int(bits) >> k & 1)
            for bits in crossed(record["crossing_first"], record["crossing"], i, j)
        ]
        assert set(found) == least
        assert len(found) == len(least)


@pytest.mark.parametrize("seed", SEEDS)
def test_r9_27_and_q10_listed_lines(seed):
    card = random_card(seed)
    record = compiled(card)
    names = list(card.areas)
    cut = {line[: LINE_MAX + 1] for line in slow_lines(card)}
    maximal = {x for x in cut if not any(y != x and y[: len(x)] == x for y in cut)}
    found = set()
    for i, name in enumerate(names):
        for row in range(record["line_first"][i], record["line_first"][i + 1]):
            found.add((name, *(names[k] for k in listed(record, row))))
    assert found == maximal
    assert record["line_first"][len(names)] == len(maximal)


def test_unused_area_slots_are_empty():
    record = compiled(random_card(3))
    n = record["n_areas"]
    assert (record["range"][n:] == -1).all()
    assert (record["melee"][:, n:] == -1).all()
    assert not record["seen"][n:].any()
    assert (record["story"] == -1).all()


def test_a_line_beyond_the_first_ten_areas_is_cut():
    chain = "abcdefghij"
    card = MapCard.model_validate(
        {"areas": {x: {} for x in chain}, "borders": [list(pair) for pair in pairwise(chain)]}
    )
    record = compiled(card)
    assert len(listed(record, record["line_first"][0])) == LINE_MAX
    assert record["seen"][0] >> 9 & 1


def test_an_area_that_a_line_comes_back_to_is_listed_once():
    assert boards.maximal_lines([(0, 1, 2, 1, 3), (0, 1), (0, 2, 0, 4)]) == [
        (0, 1, 2, 3),
        (0, 2, 4),
    ]


def test_limits_are_named():
    names = [f"x{i}" for i in range(25)]
    with pytest.raises(ValueError, match="1 to 24 areas, not 25"):
        compiled(MapCard.model_validate({"areas": {name: {} for name in names}}))
    middle = [f"m{i}" for i in range(N_AREAS - 2)]
    fan = {"areas": {x: {} for x in ["a", "b", *middle]}}
    fan["borders"] = [[x, m] for m in middle for x in "ab"]
    with pytest.raises(ValueError, match=f"different sight lines; at most {N_CROSSINGS}"):
        compiled(MapCard.model_validate(fan))


def test_a_drawing_keeps_the_smallest_sets_where_a_list_must_fit():
    lines = tuple((0, m, 1) for m in range(2, 2 + boards.DRAWN_CROSSINGS + 1))
    areas = tuple(boards.Area(str(i)) for i in range(boards.DRAWN_CROSSINGS + 3))
    edges = {tuple(sorted((x, m))): boards.Edge() for _, m, _ in lines for x in (0, 1)}
    drawn = Board(areas, edges, lines, exact=False)
    first, table = boards.crossing_tables(drawn, boards.clear_lines(drawn))
    kept = crossed(first, table, 0, 1).tolist()
    assert kept == [1 << m for m in range(2, 2 + boards.DRAWN_CROSSINGS)]


def test_too_many_lines_are_refused():
    lines = [(0, *rest) for rest in product(range(1, 6), repeat=LINE_MAX) if len({*rest}) == 5]
    lines += [(k, *line[1:]) for k in range(6, 20) for line in lines]
    assert len(lines) > N_LINES
    with pytest.raises(ValueError, match=f"at most {N_LINES}"):
        boards.line_tables(lines, 20)


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ({"areas": {"a": {}, "b": {}}, "borders": [["a", "b", "double"]]}, "same level"),
        ({"areas": {"a": {}}, "borders": [["a", "z"]]}, "no area 'z'; areas: a"),
        ({"areas": {"a": {}, "b": {}}, "sight": [["a", "b"]]}, "must share a border"),
        ({"areas": {"a": {}}, "borders": [["a", "a"]]}, "border with itself"),
    ],
)
def test_maps_that_cannot_be(card, reason):
    with pytest.raises(ValueError, match=reason):
        compiled(MapCard.model_validate(card))
