"""Agemonia as a Ruleset object."""

from agemonia_env.rulesets.ruleset import Ruleset, action_blocks, parts_of

from .arguments import OPPONENTS, side_asked
from .core.actions import N_BLOCKS, SIZES, Block, Turn
from .core.layout import DERIVED
from .core.terms import Ability, AttackType, Broken, Condition, Special

# Blocks of actions whose indices are words of the rules
CHOICES = {
    Block.TURN: Turn,
    Block.ABILITY: Ability,
    Block.ATTACK_TYPE: AttackType,
    Block.CONDITION: Condition,
    Block.SPECIAL: Special,
}

AGEMONIA = Ruleset(
    **parts_of(__package__),
    DERIVED=DERIVED,
    BLOCKS=action_blocks(Block, SIZES, CHOICES),
    N_WORDS=N_BLOCKS,
    ENEMY_POLICIES=OPPONENTS,
    broken_invariants=lambda bits: [one.name.lower() for one in Broken if bits & one],
    side_asked=side_asked,
)
