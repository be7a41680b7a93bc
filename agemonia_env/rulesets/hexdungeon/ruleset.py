"""HexDungeon as a Ruleset object."""

from agemonia_env.rulesets.ruleset import Ruleset, action_blocks, parts_of

from .core.actions import N_WORDS, SIZES, Block
from .core.terms import Broken, Half

HEXDUNGEON = Ruleset(
    **parts_of(__package__),
    DERIVED=(),
    BLOCKS=action_blocks(Block, SIZES, {Block.HALF: Half}),
    N_WORDS=N_WORDS,
    ENEMY_POLICIES={},
    broken_invariants=lambda bits: [one.name.lower() for one in Broken if bits >> one & 1],
    side_asked=lambda decision, asked: "hero",  # the players decide ties, too
)
