"""The yardstick does the same work for ever, and each case has the one that fits."""

import hashlib
import inspect

import numpy as np
import pytest

from benchmarks import yardstick
from benchmarks.play import processor, wall
from benchmarks.table import Case, Figure

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


def test_the_walk_goes_on_through_all_kinds_of_fields():
    _, fields = walked(yardstick.MOVES)
    assert 0.1 < (fields < 0).mean() < 0.9
    assert 0.1 < (fields & 3 == 0).mean() < 0.9


def test_each_case_has_the_yardstick_of_its_threads_and_clock(monkeypatch):
    asked = []

    class Walks:
        per_second = "a measure"

    monkeypatch.setattr(yardstick, "walks", lambda *what: asked.append(what) or Walks)
    for unit, threads in (("steps/s", 1), ("steps/s", 2), ("s", 1)):
        assert yardstick.beside(Case("", unit, list, threads=threads)) == "a measure"
    assert asked == [(1, processor), (2, wall), (1, wall)]
    for unit in ("bytes", "times", "% of the time"):
        assert yardstick.beside(Case("", unit, list)) is None


@pytest.mark.parametrize("threads", [1, 2])
def test_moves_of_all_threads_count(threads):
    assert yardstick.walks(threads, wall).work(None) == threads * yardstick.MOVES


def test_facts_name_the_yardstick_and_its_rates():
    figures = {
        "a": Figure("steps/s", values=[1.0, 1.0], yardsticks=[1e6, 3e6]),
        "b": Figure("steps/s", threads=2, values=[1.0], yardsticks=[5e6]),
        "c": Figure("bytes", values=[1.0]),
    }
    assert yardstick.facts(figures) == {
        "name": yardstick.NAME,
        "moves/s": "2,000,000",
        "moves/s on 2 threads": "5,000,000",
    }
