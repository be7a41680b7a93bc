"""The stand-in for NumPy does what NumPy does, where pages use it."""

import importlib.util
import sys
from pathlib import Path

import numpy
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "web/python/numpy"

CASES = {
    "records": """
kind = np.dtype([("a", np.int8), ("b", np.int16, (2,)), ("c", np.float32)], align=True)
outer = np.dtype([("n", np.uint64), ("one", kind), ("many", kind, (3,))], align=True)
found = np.zeros(2, outer)
found[1]["n"] = 2**64 - 1
found["many"][0, 1]["b"] = (3, -4)
found["one"]["a"][:] = [5, -6]
found["many"]["c"] = found["many"]["c"] + 1.5
answer = found.tobytes(), outer.itemsize, outer.alignment, [outer.fields[n][1] for n in outer.names]
""",
    "flags": "answer = (np.arange(6).reshape(2, 3) > 2) & np.array([True, False, True])",
    "columns": "answer = np.arange(3)[:, np.newaxis] <= np.arange(4)",
    "set flags": "answer = np.zeros(4, np.int16); answer[np.array([1, 0, 1, 0]) > 0] = 7",
    "set rows": "answer = np.zeros((3, 2), np.int8); answer[[2, 0]] = [[1, 2], [3, 4]]",
    "backwards": "answer = np.arange(12).reshape(3, 4)[::-1, ..., 1:].T.copy()",
    "wrapping": "answer = np.array([250, 5], np.uint8) + np.array([10, 1], np.uint8)",
    "concatenate": "answer = np.concatenate([np.ones((1, 2)), np.zeros((2, 2))])",
    "diff": "answer = np.diff(np.array([1, 0, 1], np.int8), prepend=0, append=0)",
    "repeat": "answer = np.repeat(np.arange(3), np.array([2, 0, 1]))",
    "searchsorted": "answer = np.searchsorted(np.array([1, 4, 4, 9]), [4, 0, 10])",
    "product": "answer = np.array([[1, 2], [3, 4]]) @ np.array([5, 6])",
    "bytes": "answer = np.frombuffer(bytes(range(8)), np.int16, 2, 2)",
    "other view": "answer = np.arange(2, dtype=np.int64).view(np.uint8)",
    "sums": "v = np.arange(5); answer = [int(v.sum()), int(v.max(initial=9)), int(v[1:].min())]",
}


@pytest.fixture(scope="module")
def stand_in():
    """The stand-in, by another name than NumPy's."""
    spec = importlib.util.spec_from_file_location(
        "stand_in", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    module = sys.modules["stand_in"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    for name in [name for name in sys.modules if name.partition(".")[0] == "stand_in"]:
        del sys.modules[name]


def answer_of(np, lines):
    """What the lines answer; of an array, its shape, numbers and bytes."""
    names = {"np": np}
    exec(lines, names)
    answer = names["answer"]
    if isinstance(answer, np.ndarray):
        return answer.shape, answer.tolist(), answer.tobytes()
    return answer


@pytest.mark.parametrize("name", CASES)
def test_the_same_answers(stand_in, name):
    assert answer_of(stand_in, CASES[name]) == answer_of(numpy, CASES[name])


def test_nothing_is_written_past_the_end(stand_in):
    with pytest.raises(IndexError, match="index 3 is out of bounds for size 3"):
        stand_in.zeros(3)[3] = 1
    with pytest.raises(IndexError, match="index -4 is out of bounds for size 3"):
        stand_in.zeros(3)[-4]
