"""Random boards, for hypothesis."""

from hypothesis import assume
from hypothesis import strategies as st

from agemonia_env.rulesets.hexdungeon.cases.schema import Board, MonsterTurn

KINDS = ("wall", "obstacle", "trap", "hazard", "difficult")


@st.composite
def boards(draw, kinds=KINDS, most=9, sizes=((1, 9), (1, 9))):
    """Boards of all shapes, with a few hexes of each kind and a few wall lines."""
    width, height = (draw(st.integers(*size)) for size in sizes)
    hexes = st.sampled_from(Board(id="size", width=width, height=height).hexes())
    terrain = {kind: draw(st.lists(hexes, max_size=most, unique=True)) for kind in kinds}
    lines = draw(st.lists(st.tuples(hexes, st.integers(0, 5)), max_size=most))
    return Board(id="random", width=width, height=height, terrain=terrain, thin_walls=lines)


FREE = ([(0, 0), (1, 0)], [(0, 0), (1, 0), (0, 1)], [(0, 0), (1, 0), (1, 1)], [(0, 0), (2, 0)])
GREY = ([(1, 0), (0, 1)], [(1, 0), (2, 0)], [(1, 0), (2, 0), (1, 1)], [(2, 0)])


@st.composite
def attacks(draw):
    """Attacks of all kinds; None = no attack on the card."""
    kind = draw(st.sampled_from(["none", "melee", "ranged", "free", "self"]))
    if kind == "none":
        return None
    reach = draw(st.integers(1, 5)) if kind in ("ranged", "free") else 0
    if kind in ("melee", "ranged"):
        targets = draw(st.sampled_from([1, 2, 3, "all"]))
        return {"range": reach, "targets": targets, "area": None, "extra_targets": 0}
    area = {"origin": kind, "hexes": draw(st.sampled_from(FREE if kind == "free" else GREY))}
    further = draw(st.integers(0, 2))
    return {"range": reach, "targets": None, "area": area, "extra_targets": further}


@st.composite
def turns(draw, sizes=((2, 9), (2, 7))):
    """A monster, enemies and allies on a random board."""
    case = draw(boards(most=6, sizes=sizes))
    walls = case.terrain["wall"]
    floor = [place for place in case.hexes() if place not in walls]
    assume(floor)
    actor, *others = draw(st.permutations(floor))
    n_enemies, n_allies = draw(st.integers(0, 5)), draw(st.integers(0, 3))
    initiatives = draw(st.lists(st.sampled_from([10, 20]), min_size=5, max_size=5))
    action = {
        "move": draw(st.integers(0, 6)),
        "mode": draw(st.sampled_from(["walk", "jump", "fly"])),
        "muddled": draw(st.booleans()),
        "attack": draw(attacks()),
    }
    return MonsterTurn.model_validate(
        {
            **case.model_dump(),
            "actor": actor,
            "enemies": [
                {"at": place, "initiative": initiative}
                for place, initiative in zip(others[:n_enemies], initiatives, strict=False)
            ],
            "allies": others[n_enemies : n_enemies + n_allies],
            "action": action,
        }
    )
