"""Random boards, for hypothesis."""

from hypothesis import strategies as st

from agemonia_env.hexdungeon.cases.schema import Board

KINDS = ("wall", "obstacle", "trap", "hazard", "difficult")


@st.composite
def boards(draw, kinds=KINDS, most=9, sizes=((1, 9), (1, 9))):
    """Boards of all shapes, with a few hexes of each kind and a few wall lines."""
    width, height = (draw(st.integers(*size)) for size in sizes)
    hexes = st.sampled_from(Board(id="size", width=width, height=height).hexes())
    terrain = {kind: draw(st.lists(hexes, max_size=most, unique=True)) for kind in kinds}
    lines = draw(st.lists(st.tuples(hexes, st.integers(0, 5)), max_size=most))
    return Board(id="random", width=width, height=height, terrain=terrain, thin_walls=lines)
