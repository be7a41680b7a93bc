"""The flat action space: named blocks; the only file that adds or subtracts block starts."""

from enum import IntEnum

import numpy as np

from agemonia_env.core.jit import kernel

from .hexset import MAX_HEXES
from .layout import MAX_CELLS, N_ACTIVE, N_FIGURES, N_HAND
from .terms import Half


class Block(IntEnum):
    """What an action names. Blocks follow each other in this order."""

    NO = 0
    YES = 1
    DONE = 2
    REST = 3  # a long rest
    CARD = 4  # an ability card of the character that is asked, by its place on the sheet
    HALF = 5  # 4 * card of the turn + terms.Half
    FIGURE = 6
    DIRECTION = 7
    ORIENTATION = 8  # of the template
    CELL = 9  # a red hex of it
    HEX = 10
    ACTIVE = 11  # a card in an active area, to be moved to its pile (G11.13)


SIZES = (1, 1, 1, 1, N_HAND, 8, N_FIGURES, 6, 12, MAX_CELLS, MAX_HEXES, N_ACTIVE)
CHOICES = {Block.HALF: Half}  # blocks whose indices are words of the rules
STARTS = tuple(sum(SIZES[:block]) for block in range(len(SIZES)))
N_ACTIONS = sum(SIZES)
N_BLOCKS = len(SIZES)
# Sets of actions are kept in words of 32 bits, each for actions of one block
WORD = 32
_WORDS = [(block, first) for block in range(N_BLOCKS) for first in range(0, SIZES[block], WORD)]
N_WORDS = len(_WORDS)
WORD_START = np.array([STARTS[block] + first for block, first in _WORDS], np.int16)  # its action 0
FIRST_WORD = np.searchsorted([block for block, _ in _WORDS], range(N_BLOCKS + 1))  # of each block
_BLOCK = np.repeat(np.arange(N_BLOCKS, dtype=np.int16), SIZES)  # of each action
_INDEX = np.concatenate([np.arange(size, dtype=np.int16) for size in SIZES])


def action_of(block: int, index: int) -> int:
    """The action that names `index` of `block`."""
    return STARTS[block] + index


@kernel
def decode_block(action):
    """The block of an action in [0, N_ACTIONS)."""
    return int(_BLOCK[action])


@kernel
def decode_index(action):
    """What the action names within its block."""
    return int(_INDEX[action])
