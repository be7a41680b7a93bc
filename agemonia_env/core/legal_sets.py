"""Legal answers to a question as bits, one word for each run of consecutive actions.

legal: integers (n,); starts: int16 (n,), the action of the lowest bit of each word.
"""

from .bitset import lowest, member, size
from .jit import kernel


@kernel
def first(legal, starts):
    """The lowest legal action; there must be one."""
    word = 0
    while legal[word] == 0:
        word += 1
    return int(starts[word]) + lowest(int(legal[word]))


@kernel
def nth(legal, starts, n):
    """The n-th legal action, counted from 0; there must be more than n."""
    word = 0
    while n >= size(int(legal[word])):
        n -= size(int(legal[word]))
        word += 1
    return int(starts[word]) + member(int(legal[word]), n)


@kernel
def mark_word(bits, start, mask):
    """Set mask[action] = 1 for every legal action of a word."""
    while bits != 0:
        mask[start + lowest(bits)] = 1
        bits &= bits - 1


@kernel
def write_actions(legal, starts, actions):
    """Write the legal actions, ascending -> how many."""
    n = 0
    for word in range(len(legal)):
        bits = int(legal[word])
        while bits != 0:
            actions[n] = int(starts[word]) + lowest(bits)
            bits &= bits - 1
            n += 1
    return n
