"""In a process forked after polars had begun its threads, it would wait for ever."""

import multiprocessing
import sys

import gymnasium
import polars as pl
import pytest

import agemonia_env
from agemonia_env import balance, league

CHANGE = "enemies.reedling.health.per_hero +1"


def simulate():
    return len(agemonia_env.simulate("ford", heroes=2, games=20, seed=1))


def forecast():
    env = gymnasium.make("agemonia_env:Agemonia-v0")
    return agemonia_env.forecast(env, "greedy", 20, threads=2).rows[0].games


def rate():
    return len(league.play(["random"], "ford", games={"": 4}, orders=1).matches)


def compare():
    return balance.compare(b=CHANGE, scenario="ford", games=100).plans


def elsewhere(work, method="fork"):
    """What a function returns in another process, or the error that it raises."""
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.apply_async(work).get(timeout=60)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore")  # of Python and polars, about forks
@pytest.mark.parametrize("work", [simulate, rate, compare])
def test_a_fork_after_polars_has_threads_is_refused(work):
    pl.DataFrame({"a": [1, 2]}).lazy().group_by("a").len().collect()
    with pytest.raises(RuntimeError, match="forked after polars"):
        elsewhere(work)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore")
def test_a_fork_plays_on_without_polars():
    assert simulate() == 20
    assert elsewhere(forecast) == 20


def test_another_method_plays():
    assert simulate() == elsewhere(simulate, "spawn") == 20
