"""Maps drawn as text: places, rooms, doors, and drawings that are no map."""

import pytest

from agemonia_env.rulesets.hexdungeon.content import schema
from agemonia_env.rulesets.hexdungeon.content.board import read_map, step

ROOMS = """\
0 1 2 3 4
  @   .
@   +   .
  @   #
@   #   #
  .   .
.   +   .
"""


@pytest.fixture
def plan_of(files):
    """Reads a map as that of the small scenario, with other keys changed."""

    def read(drawing, **keys):
        card = {**files["scenarios/hut.yaml"], "map": drawing, "legend": {}, **keys}
        return read_map(schema.Scenario.model_validate(card))

    return read


def problems(plan_of, drawing, **keys):
    with pytest.raises(ValueError, match=r"\w") as caught:
        plan_of(drawing, **keys)
    return str(caught.value).split("\n")


def test_places_of_a_drawing(plan_of, files):
    plan = plan_of(files["scenarios/hut.yaml"]["map"].replace("a", "."))
    assert (plan.width, plan.height) == (5, 3)
    assert plan.places("@") == [(1, 0), (0, 0), (2, 0), (4, 0)]
    assert plan.places("+") == [(3, 1)]
    assert plan.places("^") == [(3, 0)]
    # numbers as in HEX-CASES: column * (height + 1) + r, odd columns half a hex higher
    assert plan.number((4, 2)) == 4 * 4 + 2 - 2
    assert [step((1, 1), d) for d in range(6)] == [(2, 2), (1, 2), (0, 2), (0, 1), (1, 0), (2, 1)]


def test_undrawn_cells_are_walls(plan_of):
    plan = plan_of("0 1 2\n  @\n@   @\n  @\n.\n")
    assert plan.places("#") == [(2, 0)]


def test_rooms_are_behind_doors(plan_of):
    plan = plan_of(ROOMS)
    assert plan.doors == {(2, 2): 1, (2, 0): 2}
    assert plan.rooms == (
        {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)},
        {(3, 2), (4, 2)},
        {(3, 0), (4, 0)},
    )


def test_wall_lines_close_a_room(plan_of):
    drawing = "0 1 2\n  @   \n@   @\n  @\n.   .\n"
    assert (2, 0) in plan_of(drawing).rooms[0]
    line = {"column": 2, "row": 0, "edges": [1, 2, 3]}
    (found,) = problems(plan_of, drawing, wall_lines=[line])
    assert found == "map: nobody can walk from the start to column 2, row 0"
    assert problems(plan_of, drawing, wall_lines=[{**line, "column": 3}]) == [
        "wall_lines[0]: column 3, row 0 is not on the map; columns 0 to 2, rows 0 to 1"
    ]


def test_doors_that_separate_nothing_and_rooms_that_rejoin(plan_of):
    assert problems(plan_of, ROOMS.replace("@   #   #", "@   .   #")) == [
        "map: the door at column 2, row 0 joins 1 rooms; a door joins two"
    ]
    (found,) = problems(plan_of, ROOMS.replace("@   #   #", "@   #   +"))
    assert found == (
        "map: the door at column 4, row 1 opens a room that a door of another room opens, too; "
        "rooms behind doors branch, but do not meet again"
    )


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("  .   .\n.   .\n", "map: the first line is '  .   .'; it counts the columns"),
        ("0 1 3\n  .\n.   .\n", "map: the first line is '0 1 3'; it counts the columns"),
        ("0 1 2\n  .\n", "map: 1 lines below the ruler; each row takes two"),
        ("0 1 2\n", "map: 0 lines below the ruler"),
        ("0 1 2\n  .\n  .\n", "map: line 3: '.' is not below one of the even columns"),
        ("0 1 2\n .\n.   .\n", "map: line 2: '.' is not below one of the odd columns"),
        ("0 1 2\n  .\n.   .   .\n", "map: line 3: '.' is not below one of the even columns"),
        ("0 1 2\n  @\n@   ?\n", "map: '?' is not known; allowed: # + % ~ : . ^ @ > $"),
        ("0 1 2\n  @\n@   @\n", "map: 3 hexes @ to start from; there are 4"),
        ("0 1 2\n  @\n@   @\n  @\n>   .\n", "goal: defeat has no use for hexes >"),
    ],
)
def test_drawings_that_are_not_maps_are_refused(plan_of, drawing, message):
    assert problems(plan_of, drawing)[0].startswith(message)


def test_a_board_that_is_too_large(plan_of):
    ruler = " ".join(str(q % 10) for q in range(16))
    (found,) = problems(plan_of, ruler + "\n" + "\n".join(["  @", "@"] * 16))
    assert found == "map: 16 columns and 16 rows are too large; columns * (rows + 1) may be 256"


def test_goals_that_the_map_does_not_allow(plan_of):
    four = "0 1 2\n  @\n@   @\n  @\n>   $\n"
    assert "map: 1 hexes > to reach" in problems(plan_of, four, goal={"kind": "reach"})[0]
    tokens = {"kind": "loot", "number": 2}
    assert problems(plan_of, four.replace(">", "."), goal=tokens) == [
        "goal.number: 2 tokens; 1 $ on the map"
    ]
    rounds = {"kind": "survive", "number": 10}
    assert problems(plan_of, four.replace(">", "."), goal=rounds) == [
        "goal.number: 10 rounds; the last one is 9"
    ]


def test_letters_of_the_legend(plan_of):
    drawing = "0 1 2\n  @\n@   @\n  @\na   a\n"
    rat = {"monster": "rat", "heroes": ["normal"] * 4}
    assert problems(plan_of, drawing, legend={"a": rat, "b": rat}) == [
        "legend.b: is not drawn",
        "map: a is a monster and drawn 2 times",
    ]
    trap = {"a": {"trap": {"conditions": ["wound"]}}}
    assert plan_of(drawing, legend=trap).places("a") == [(0, 0), (2, 0)]
