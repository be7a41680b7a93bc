"""The generator of the seeds of games is NumPy's default one."""

import numpy as np
import pytest

from agemonia_env.core.jit import entry
from agemonia_env.core.pcg64 import generators, next_64


@entry
def write_words(generator, out):
    for k in range(len(out)):
        out[k] = next_64(generator)


@pytest.mark.parametrize("seed", [0, 1, 2**40 + 7, 2**63 - 1])
def test_words_are_those_of_numpy(seed):
    words = np.zeros(1000, np.uint64)
    write_words(generators([seed])[0], words)
    assert words.tolist() == np.random.PCG64(seed).random_raw(1000).tolist()
