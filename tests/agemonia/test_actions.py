"""The flat action space: blocks tile it, and encoding is undone by decoding."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from agemonia_env.core.jit import entry
from agemonia_env.rulesets.agemonia.core import layout
from agemonia_env.rulesets.agemonia.core.actions import (
    N_ACTIONS,
    N_BLOCKS,
    SIZES,
    STARTS,
    Block,
    Turn,
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
    assert len(expected) == N_ACTIONS


def test_blocks_are_as_large_as_what_they_name():
    sizes = dict(zip(Block, SIZES, strict=True))
    assert sizes[Block.TURN] == len(Turn)
    assert sizes[Block.TOKEN] == layout.N_TOKENS
    assert sizes[Block.AREA] == sizes[Block.CLIMB] == layout.N_AREAS
    assert sizes[Block.ENEMY] == layout.N_ENEMIES
    assert sizes[Block.ALLY] == layout.N_ALLIES
    assert sizes[Block.AMOUNT] == layout.AMOUNT_MAX + 1
    assert sizes[Block.LOCK] == layout.N_LOCKS
    assert sizes[Block.TYPE] == layout.N_TYPES


def test_every_action_survives_the_round_trip():
    for action, (block, index) in enumerate(zip(*decoded(), strict=True)):
        assert encoded(block, index) == action


@settings(derandomize=True, database=None, deadline=None, max_examples=60)
@given(data=st.data())
def test_every_name_survives_the_round_trip(data):
    block = data.draw(st.sampled_from(list(Block)))
    index = data.draw(st.integers(0, SIZES[block] - 1))
    action = encoded(int(block), index)
    blocks, indices = decoded()
    assert (blocks[action], indices[action]) == (block, index)
