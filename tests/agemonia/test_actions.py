"""The flat action space: blocks tile it, and encoding is undone by decoding."""

import numpy as np

from agemonia_env.core.jit import entry
from agemonia_env.rulesets.agemonia.core.actions import (
    N_ACTIONS,
    N_BLOCKS,
    SIZES,
    STARTS,
    Block,
    decode_block,
    decode_index,
    encode,
)


@entry
def write_decoded(blocks, indices):
    for action in range(len(blocks)):
        blocks[action] = decode_block(action)
        indices[action] = decode_index(action)


@entry
def encoded(block, index):
    return encode(block, index)


def decoded():
    blocks, indices = np.zeros(N_ACTIONS, np.int64), np.zeros(N_ACTIONS, np.int64)
    write_decoded(blocks, indices)
    return blocks, indices


def test_blocks_tile_the_space():
    assert len(SIZES) == len(STARTS) == len(Block) == N_BLOCKS
    assert list(Block) == list(range(N_BLOCKS))
    expected = [(block, index) for block in Block for index in range(SIZES[block])]
    assert list(zip(*(part.tolist() for part in decoded()), strict=True)) == expected
    assert [encoded(*one) for one in expected] == list(range(N_ACTIONS))
