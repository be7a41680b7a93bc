"""The yardstick does the same work for ever, and each case has the one that fits."""

import hashlib
import inspect

import numpy as np

from benchmarks import yardstick

SOURCES = {
    "walk-1": "94626bfee2700aab180d575a908df0a3b6b1f92b7ca987d3955df26255cc0143"
}  # name -> SHA-256 of the source of `walk`


def walked(moves):
    fields, worths = np.zeros(1024, np.int16), np.zeros(256, np.int64)
    return yardstick.walk(fields, worths, yardstick.SEED, moves), fields


def test_the_yardstick_is_the_one_of_its_name():
    source = inspect.getsource(getattr(yardstick.walk, "py_func", yardstick.walk))
    digest = hashlib.sha256(source.encode()).hexdigest()
    assert SOURCES[yardstick.NAME] == digest, "the yardstick must not change: undo, or a new NAME"
    assert yardstick.MOVES == 200_000


def test_the_walk_ends_where_it_always_did():
    assert walked(yardstick.MOVES)[0] == yardstick.SCORE
    assert walked(2000)[0] == 229_364
