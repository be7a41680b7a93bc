"""Legal answers in words of bits against a list of actions."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from agemonia_env.core import legal_sets
from agemonia_env.core.jit import entry

STARTS = np.array([0, 1, 5, 37, 69], np.int16)  # words of 1, 4, 32, 32 and 3 actions
SIZES = (1, 4, 32, 32, 3)
N_ACTIONS = sum(SIZES)


@entry
def write_facts(words, n, listed, mask):
    listed[n] = legal_sets.first(words, STARTS)
    for k in range(n):
        listed[k] = legal_sets.nth(words, STARTS, k)
    for word in range(len(words)):
        legal_sets.mark_word(int(words[word]), int(STARTS[word]), mask)


@settings(deadline=None)  # the first call compiles
@given(st.sets(st.integers(0, N_ACTIONS - 1), min_size=1))
def test_words_stand_for_their_actions(actions):
    words, mask = np.zeros(len(STARTS), np.int64), np.zeros(N_ACTIONS, np.uint8)
    for action in actions:
        word = int(np.searchsorted(STARTS, action, "right")) - 1
        words[word] |= 1 << (action - int(STARTS[word]))
    listed = np.zeros(len(actions) + 1, np.int64)
    write_facts(words, len(actions), listed, mask)
    assert listed.tolist() == [*sorted(actions), min(actions)]
    assert np.flatnonzero(mask).tolist() == sorted(actions)
