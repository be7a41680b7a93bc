"""G13 Monster turn: the edge cases of the rulebook, and symmetries."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.hexdungeon.cases.position import Solver
from agemonia_env.rulesets.hexdungeon.cases.schema import MonsterTurn, load
from tests.hexdungeon.boards import turns
from tests.hexdungeon.hexes import Twin
from tests.hexdungeon.monster_twin import MonsterTwin

CASES = Path(__file__).parents[1] / "cases" / "hexdungeon"
MELEE = {"range": 0, "targets": 1, "area": None, "extra_targets": 0}


def recorded(n):
    """The first n random boards."""
    cases, problems = load(CASES / "monster-turns-random.json.gz")
    assert not problems
    return [case for case in cases[:n] if isinstance(case, MonsterTurn)]


def turn(actor, enemies, move=3, attack=(), *, card=True, mode="walk", muddled=False, **terrain):
    """A monster at `actor`; enemies: (q, r, initiative). attack: what differs from plain melee.

    terrain: wall=..., trap=..., and allies and wall lines as allies=..., lines=...
    """
    return MonsterTurn(
        id="test",
        width=16,
        height=7,
        allies=terrain.pop("allies", []),
        thin_walls=terrain.pop("lines", []),
        terrain=terrain,
        actor=actor,
        enemies=[{"at": (q, r), "initiative": n} for q, r, n in enemies],
        action={
            "move": move,
            "mode": mode,
            "muddled": muddled,
            "attack": {**MELEE, **dict(attack)} if card else None,
        },
    )


def outcomes(*arguments, **options):
    """{(end, attacked hexes)} of a turn."""
    found = Solver([turn(*arguments, **options)]).outcomes(0)
    assert len(found) == len(set(found))
    return {(end, tuple(sorted(attacks))) for end, attacks in found}


def hits(attacked, *ends):
    return {(end, tuple(sorted(attacked))) for end in ends}


# ---- edge cases 61 to 68 of the rulebook --------------------------------------------------------
def test_g13_13_e61_a_ranged_monster_steps_back():
    enemies, attack = [(4, 1, 20)], {"range": 3}
    back = hits([(4, 1)], (3, 0), (4, -1), (5, -1))
    assert outcomes((4, 0), enemies, 2, attack) == back
    stays = hits([(4, 1)], (4, 0))
    assert outcomes((4, 0), enemies, 2, attack, muddled=True) == stays
    assert outcomes((4, 0), enemies, 0, attack) == stays


def test_g13_7_e62_initiative_breaks_the_tie():
    assert outcomes((4, 0), [(4, 1, 30), (5, 0, 5)]) == hits([(5, 0)], (4, 0))


def test_g13_7_e63_nearness_comes_before_initiative():
    found = outcomes((4, 0), [(4, 1, 30), (6, 0, 5)], 3, {"range": 3})
    assert {attacked for _, attacked in found} == {((4, 1),)}
    assert (4, 0) not in {end for end, _ in found}


def test_g13_9_e64_as_many_targets_as_possible():
    found = outcomes((4, 0), [(4, 2, 10), (6, 0, 20)], 3, {"targets": 2})
    assert found == hits([(4, 2), (6, 0)], (5, 1))


def test_g13_14_e65_traps_turn_the_focus_elsewhere():
    enemies = [(4, 2, 10), (8, -2, 20)]
    found = outcomes((4, 0), enemies, trap=[(4, 1), (3, 2), (5, 1)])
    assert found == hits([(8, -2)], (7, -2), (7, -1))


def test_g13_8_g13_17_e66_nobody_to_focus_on():
    around = [(8, 0), (7, 1), (6, 1), (6, 0), (7, -1), (8, -1)]
    assert outcomes((4, 0), [(7, 0, 10)], allies=around) == {((4, 0), ())}


def test_g13_8_e67_no_enemy_to_be_seen():
    assert outcomes((4, 0), []) == {((4, 0), ())}


def test_g13_4_e68_without_an_attack_it_walks_up():
    found = outcomes((2, 2), [(8, -1, 50)], 3, card=False)
    assert found == {((5, r), ()) for r in (-1, 0, 1, 2)}
    assert outcomes((2, 2), [(2, 3, 50)], 3, card=False) == {((2, 2), ())}


# ---- templates ----------------------------------------------------------------------------------
LINE = {"origin": "free", "hexes": [(0, 0), (1, 0), (2, 0)]}
CLUSTER = {"origin": "free", "hexes": [(0, 0), (1, 0), (0, 1)]}


def ranged_area(area, n):
    return {"range": n, "targets": None, "area": area}


@pytest.mark.parametrize(("at", "hit"), [((8, 0), True), ((9, 0), False)])
def test_g5_12_e23_a_cluster_reaches_one_hex_further(at, hit):
    found = outcomes((4, 0), [(*at, 50)], 0, ranged_area(CLUSTER, 3))
    assert found == {((4, 0), (at,) if hit else ())}


def test_g5_4_e24_a_line_reaches_two_hexes_further():
    assert outcomes((4, 0), [(8, 0, 50)], 0, ranged_area(LINE, 2)) == hits([(8, 0)], (4, 0))


def test_g5_5_a_wall_hex_may_anchor_a_template():
    """Of the line that covers the enemy only the wall hex is at range 1."""
    attack, enemies, wall = ranged_area(LINE, 1), [(3, 1, 50)], [(5, 1)]
    assert outcomes((6, 0), enemies, 0, attack, wall=wall) == hits([(3, 1)], (6, 0))
    parted = [((6, 0), 2)]  # range 1 no more, as nothing crosses a wall line
    assert outcomes((6, 0), enemies, 0, attack, wall=wall, lines=parted) == {((6, 0), ())}


def test_g6_6_targets_added_to_a_melee_template_are_adjacent():
    area = {"origin": "self", "hexes": [(1, 0), (2, 0)]}
    attack = {"targets": None, "area": area, "extra_targets": 1}
    enemies = [(5, 0, 1), (6, 0, 2), (4, 1, 3), (4, 2, 4)]
    assert outcomes((4, 0), enemies, 0, attack) == {
        ((4, 0), ((4, 1), (5, 0), (6, 0))),
    }


MIDDLE = (8, -1)


def ring(radius):
    """Hexes at this range of the middle of the board."""
    ranges = Twin(turn(MIDDLE, [])).ranges(MIDDLE)
    return [place for place, n in ranges.items() if n == radius]


def test_as_many_enemies_as_there_may_be():
    places = [*ring(3), *ring(2), *ring(4)][:32]
    found = outcomes(MIDDLE, [(*place, 50) for place in places], 0, {"range": 20})
    assert found == {(MIDDLE, (place,)) for place in ring(2)}


@pytest.mark.skipif(not COMPILED, reason="takes minutes as plain Python; the compiled run tests it")
def test_too_many_ties_to_list_are_reported():
    enemies = [(*place, 50) for place in ring(3)]
    with pytest.raises(ValueError, match="more ties"):
        outcomes(MIDDLE, enemies, 0, {"range": 3, "targets": 6})


# ---- word for word ------------------------------------------------------------------------------
@settings(deadline=None, max_examples=250)
@given(turns())
def test_g13_outcomes_are_the_twins(case):
    assert set(Solver([case]).outcomes(0)) == MonsterTwin(case).outcomes()


@pytest.mark.parametrize("case", [case for case in recorded(400) if len(case.enemies) == 4][:5])
def test_the_twin_knows_the_recorded_answers(case):
    assert MonsterTwin(case).outcomes() == {option.outcome for option in case.expected.options}


# ---- symmetries ---------------------------------------------------------------------------------
def half_turned(case):
    """The same position, the board turned by 180 degrees (its width is even)."""

    def turned(place):
        q, row = place[0], place[1] + place[0] // 2
        return case.width - 1 - q, case.height - 1 - row - (case.width - 1 - q) // 2

    moved = {
        "terrain": {kind: [*map(turned, hexes)] for kind, hexes in case.terrain.items()},
        "thin_walls": [(turned(place), (side + 3) % 6) for place, side in case.thin_walls],
        "actor": turned(case.actor),
        "allies": [*map(turned, case.allies)],
        "enemies": [{**enemy.model_dump(), "at": turned(enemy.at)} for enemy in case.enemies],
        "expected": {
            "options": [
                {"end": turned(option.end), "attacks": [*map(turned, option.attacks)]}
                for option in case.expected.options
            ]
        },
    }
    return MonsterTurn.model_validate({**case.model_dump(), **moved})


def backwards(case):
    """The same position, its enemies listed the other way round."""
    return case.model_copy(update={"enemies": case.enemies[::-1]})


@pytest.mark.parametrize("changed", [half_turned, backwards])
def test_equivalent_positions_have_equivalent_outcomes(changed):
    cases = [changed(case) for case in recorded(200)]
    solver = Solver(cases)
    for i, case in enumerate(cases):
        expected = {option.outcome for option in case.expected.options}
        assert set(solver.outcomes(i)) == expected, case.id


def test_solving_changes_nothing_but_the_plan():
    solver = Solver(recorded(20))
    before = solver.boards.tobytes(), solver.turns.tobytes()
    first = [solver.outcomes(i) for i in range(20)]
    assert [solver.outcomes(i) for i in range(20)] == first
    assert (solver.boards.tobytes(), solver.turns.tobytes()) == before


def test_the_recorded_files_are_whole():
    random = json.loads(gzip.decompress((CASES / "monster-turns-random.json.gz").read_bytes()))
    published = json.loads((CASES / "monster-turns.json").read_text())
    assert (len(random["cases"]), len(published["cases"])) == (400, 55)
