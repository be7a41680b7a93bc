"""G5 Templates and their orientations."""

import pytest

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.hexdungeon.cases.position import fill_attack
from agemonia_env.rulesets.hexdungeon.cases.schema import Attack
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.layout import TURN

RING = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def orientations(origin, hexes):
    """Every orientation that the core finds, as a set of hexes."""
    area = {"origin": origin, "hexes": hexes}
    given = {"range": 3, "targets": None, "area": area, "extra_targets": 0}
    turns = zeros(TURN)
    fill_attack(turns[0]["attack"], Attack.model_validate(given, strict=False))
    api.settle_templates(turns)
    attack = turns[0]["attack"]
    cells = attack["orientation"][: attack["n_orientations"], : len(hexes)].tolist()
    return [frozenset(map(tuple, cell)) for cell in cells]


@pytest.mark.parametrize(
    ("hexes", "n"),
    [
        ([(1, 0)], 6),
        ([(1, 0), (2, 0), (3, 0)], 6),
        ([(1, 0), (0, 1)], 6),
        ([(1, 0), (0, 1), (-1, 1)], 6),
        ([(1, 0), (2, 0), (1, 1)], 12),
        (RING, 1),
    ],
)
def test_g5_3_orientations_around_a_grey_hex(hexes, n):
    found = orientations("self", hexes)
    assert len(found) == len(set(found)) == n
    assert frozenset(hexes) in found


@pytest.mark.parametrize(
    ("hexes", "n"),
    [
        ([(0, 0)], 1),
        ([(0, 0), (1, 0)], 3),
        ([(0, 0), (1, 0), (0, 1)], 2),
        ([(0, 0), (1, 0), (1, 1)], 6),
        ([(0, 0), *RING], 1),
        ([(0, 0), (1, 0), (2, 0), (2, 1)], 12),
    ],
)
def test_g5_3_orientations_without_one_up_to_shifting(hexes, n):
    found = orientations("free", hexes)
    assert len(found) == len(set(found)) == n
    assert all(min(cells) == (0, 0) for cells in found)


def test_g5_2_g5_3_all_are_rotations_or_mirror_images():
    hook = [(1, 0), (2, 0), (1, 1)]
    expected = set()
    for cells in (hook, [(r, q) for q, r in hook]):
        for _ in range(6):
            cells = [(-r, q + r) for q, r in cells]
            expected.add(frozenset(cells))
    assert set(orientations("self", hook)) == expected
