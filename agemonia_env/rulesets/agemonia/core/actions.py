"""The flat action space: named blocks; the only file that adds or subtracts block starts."""

from enum import IntEnum

import numpy as np

from agemonia_env.core.jit import kernel

from .layout import (
    AMOUNT_MAX,
    N_ALLIES,
    N_AREAS,
    N_CARRIED,
    N_ENEMIES,
    N_GROUND,
    N_LOCKS,
    N_STORIES,
    N_TOKENS,
    N_TYPES,
)
from .terms import Ability, AttackType, Condition, Special


class Turn(IntEnum):
    """What an Ally may do next in its own turn (R6.1 to R6.8)."""

    ACT = 0  # perform the chosen action
    RETHINK_MOVE = 1
    RETHINK_RESTORE = 2
    MOVE_FREE = 3
    MOVE_PAID = 4
    RECOVER_STAMINA = 5
    RECOVER_DAMAGE = 6
    DISCARD_BLEEDING = 7
    DISCARD_HELD = 8
    END_TURN = 9
    USE_ITEM = 10  # R6.11
    DROP_ITEM = 11  # R17.5
    TAKE_ITEM = 12  # R17.5
    GIVE_ITEM = 13  # R17.5
    WEAR_ITEM = 14  # R17.2, R17.4: put an item to use or away
    FIX_ROPE = 15  # R7.17
    TAKE_ROPE = 16  # R7.17
    PLACE_PET = 17  # R18.8
    MOVE_PET = 18  # R18.8
    RECALL_PET = 19  # R18.8
    READ_STORY = 20  # R19.11


N_TURN = len(Turn)


class Block(IntEnum):
    """What an action names. Blocks follow each other in this order."""

    NO = 0
    YES = 1
    DONE = 2
    TURN = 3  # Turn
    TOKEN = 4  # action tokens of the Hero that is asked
    AREA = 5
    CLIMB = 6  # an area reached over a fixed rope (R7.17)
    ENEMY = 7
    ALLY = 8
    AMOUNT = 9  # 0 .. AMOUNT_MAX
    LOCK = 10
    TYPE = 11  # Enemy types
    ABILITY = 12
    ATTACK_TYPE = 13
    CONDITION = 14  # by number, 1 to 10 (0 is never legal)
    PORTAL = 15  # an area reached by teleport token (R7.46)
    ITEM = 16  # an item carried by the Ally that is asked, by its place
    GROUND = 17  # an item lying in its area, by its place
    STORY = 18  # a story section
    SPECIAL = 19  # First, Last, After


SIZES = (
    1,
    1,
    1,
    N_TURN,
    N_TOKENS,
    N_AREAS,
    N_AREAS,
    N_ENEMIES,
    N_ALLIES,
    AMOUNT_MAX + 1,
    N_LOCKS,
    N_TYPES,
    3,
    3,
    11,
    N_AREAS,
    N_CARRIED,
    N_GROUND,
    N_STORIES,
    3,
)
# Blocks whose indices are words of the rules
CHOICES = {
    Block.TURN: Turn,
    Block.ABILITY: Ability,
    Block.ATTACK_TYPE: AttackType,
    Block.CONDITION: Condition,
    Block.SPECIAL: Special,
}
STARTS = tuple(sum(SIZES[:block]) for block in range(len(SIZES)))
N_ACTIONS = sum(SIZES)
N_BLOCKS = N_WORDS = len(SIZES)
WORD_START = np.array(STARTS, np.int16)  # sets of actions are words of bits, one for each block
_BLOCK = np.repeat(np.arange(N_BLOCKS, dtype=np.int16), SIZES)  # of each action
_INDEX = np.concatenate([np.arange(size, dtype=np.int16) for size in SIZES])


@kernel
def encode(block, index):
    """The action that names `index` of `block`."""
    return int(WORD_START[block]) + index


def action_of(block: int, index: int) -> int:
    """`encode` for Python, which cannot call kernels."""
    return STARTS[block] + index


@kernel
def decode_block(action):
    """The block of an action in [0, N_ACTIONS)."""
    return int(_BLOCK[action])


@kernel
def decode_index(action):
    """What the action names within its block."""
    return int(_INDEX[action])
