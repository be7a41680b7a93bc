"""Other libraries: the protocol of their processes, and the sizes that it tells."""

import io
import json

import numpy as np
import pytest

from benchmarks import peers
from benchmarks.cases import FITTED, FITTED_INT8, FULL, MADE, cases, vector_name
from benchmarks.peer_runs import OURS
from benchmarks.play import Play, episodes

KB = 1024


def games(n=8, each=64 * KB):
    """n games of `each` bytes, written by every step."""
    memory = np.empty(n * each, np.uint8)

    def work(_):
        memory[:] = 1
        return n

    return Play(work, games=n, numbers=7)


@pytest.mark.skipif(not peers.MEMORY.exists(), reason="the system does not tell")
def test_bytes_of_a_game_are_what_it_takes():
    each = 8192 * KB  # larger blocks than an allocator keeps for later
    sizes = peers.sizes_of(games(), lambda: games(each=each))
    assert sizes["numbers"] == 7
    assert 0.8 < sizes["bytes"] / each < 1.3


def test_answers_are_json_in_the_order_of_the_questions(monkeypatch):
    monkeypatch.setattr(peers, "GROWN", 0)
    answers = io.StringIO()
    peers.serve(games, io.StringIO(f"0.001\n{peers.SIZES}\n0.001\n"), answers)
    first, sizes, second = map(json.loads, answers.getvalue().splitlines())
    assert min(first, second) > 0
    assert sizes["numbers"] == 7


def test_numbers_of_an_env_are_its_observation_and_mask():
    class Env:
        class action_space:  # noqa: N801 - as in Gymnasium
            n = 3

        def reset(self, *, seed):
            return np.zeros((2, 2)), {"mask": np.ones(3)}

    assert episodes(Env()).numbers == 4
    assert episodes(Env(), lambda info: info["mask"]).numbers == 7


def test_cases_of_ours_can_be_made_by_name():
    there = {case.name: case for case in cases(FULL)}
    assert set(OURS) == {MADE, vector_name(1024), FITTED, FITTED_INT8}
    for name in OURS:
        assert peers.case_of_ours(name)
        assert there[name].unit == "steps/s"
