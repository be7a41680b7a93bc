"""Random boards, for hypothesis."""

from hypothesis import assume
from hypothesis import strategies as st

from agemonia_env.hexdungeon.cases.schema import Board, MonsterTurn

KINDS = ("wall", "obstacle", "trap", "hazard", "difficult")


@st.composite
def boards(draw, kinds=KINDS, most=9, sizes=((1, 9), (1, 9))):
    """Boards of all shapes, with a few hexes of each kind and a few wall lines."""
    width, height = (draw(st.integers(*size)) for size in sizes)
    hexes = st.sampled_from(Board(id="size", width=width, height=height).hexes())
    terrain = {kind: draw(st.lists(hexes, max_size=most, unique=True)) for kind in kinds}
    lines = draw(st.lists(st.tuples(hexes, st.integers(0, 5)), max_size=most))
    return Board(id="random", width=width, height=height, terrain=terrain, thin_walls=lines)


@st.composite
def turns(draw, sizes=((2, 9), (2, 9))):
    """A monster and one or more enemies and allies on a random board, with a melee attack."""
    case = draw(boards(most=6, sizes=sizes))
    walls = case.terrain["wall"]
    floor = [place for place in case.hexes() if place not in walls]
    assume(floor)
    places = draw(st.permutations(floor))
    n_enemies, n_allies = draw(st.integers(0, 4)), draw(st.integers(0, 3))
    actor, *others = places
    action = {
        "move": draw(st.integers(0, 6)),
        "mode": draw(st.sampled_from(["walk", "jump", "fly"])),
        "muddled": False,
        "attack": {"range": 0, "targets": 1, "area": None, "extra_targets": 0},
    }
    return MonsterTurn.model_validate(
        {
            **case.model_dump(),
            "actor": actor,
            "enemies": [{"at": place, "initiative": 50} for place in others[:n_enemies]],
            "allies": others[n_enemies : n_enemies + n_allies],
            "action": action,
        }
    )
