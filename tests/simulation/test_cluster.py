"""A Ray cluster gives the same rows, even if a worker dies."""

import os
import signal
import time
from functools import partial

import pytest

import agemonia_env
from agemonia_env import balance
from agemonia_env.balance import study_result
from agemonia_env.simulation import jobs, play
from agemonia_env.simulation.checkpoints import CheckpointStore
from agemonia_env.simulation.plan import make_plan

cluster = pytest.importorskip(
    "agemonia_env.simulation.cluster",
    reason="simulation on a cluster is untested without Ray (extra cluster), which make test "
    "installs where a build exists",
    exc_type=ImportError,
)
ray = cluster.ray

RUN = {"scenario": ["ford", "toll"], "games": 1600, "seed": 9, "chunk": 50}
STORE = 80 * 2**20  # bytes of the object store; Ray accepts no less than 75


def test_a_local_cluster_is_started_and_stopped():
    assert agemonia_env.simulate(games=40, ray="local").equals(agemonia_env.simulate(games=40))
    assert not ray.is_initialized()


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:1", "ray://127.0.0.1:1"])
def test_an_unreachable_cluster_is_an_error(address):
    with pytest.raises(OSError, match=f"--ray {address}: cannot connect"):
        agemonia_env.simulate(games=1, ray=address)


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory):
    """A local cluster -> process ids of its two workers, both ready."""
    ray.init(
        address="local",
        num_cpus=2,
        object_store_memory=STORE,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
    )
    folder = tmp_path_factory.mktemp("workers")

    @ray.remote(num_cpus=1)
    def meet():
        """Load the rules, and wait for the other one, so that there are two."""
        play.play_chunk(make_plan("ford", 2, "greedy", 1), 0, lambda games, wins: None)
        (folder / str(os.getpid())).touch()
        while len(list(folder.iterdir())) < 2:
            time.sleep(0.01)
        return os.getpid()

    try:
        yield ray.get([meet.remote(), meet.remote()])
    finally:
        ray.shutdown()


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL; tested on Linux and macOS")
def test_a_worker_that_is_killed_costs_no_game(two_workers, tmp_path, monkeypatch):
    victim, other = two_workers
    assert victim != other
    left = []
    write = CheckpointStore.write

    def write_and_kill(parts, chunk, frame):
        write(parts, chunk, frame)
        if not left:
            left.append(len(parts.missing()))
            os.kill(victim, signal.SIGKILL)

    monkeypatch.setattr(CheckpointStore, "write", write_and_kill)
    out = tmp_path / "games.parquet"
    rows = agemonia_env.simulate(**RUN, out=out, ray="local")
    assert left[0] > 2 * jobs.AHEAD  # it died with jobs still to do
    assert not is_running(victim)
    monkeypatch.undo()
    here = tmp_path / "here.parquet"
    assert agemonia_env.simulate(**RUN, out=here, threads=2).equals(rows)
    assert out.read_bytes() == here.read_bytes()


def test_a_worker_with_other_rules_is_refused(two_workers):
    plan = make_plan("ford", 2, "greedy", 1)
    play_it = partial(play.play_chunk, plan)
    future = cluster.do_remotely.remote(play_it, 0, plan.env, "0123456789abcdef")
    with pytest.raises(ValueError, match="rules or compiler differ from those here"):
        cluster.fetch(future)


def test_studies_of_balance_are_the_same_on_a_cluster(two_workers, tmp_path):
    given = {"of": "enemies.slinger.actions.open.attack.value", "games": 200}
    balance.sensitivity(**given, ray="local", out=tmp_path / "there" / "numbers")
    balance.sensitivity(**given, threads=2, out=tmp_path / "here" / "numbers")
    used = {"heroes": ["orsa"], "games": 100, "watched": 100}
    balance.analyse(**used, ray="local", out=tmp_path / "there" / "used")
    balance.analyse(**used, threads=2, out=tmp_path / "here" / "used")
    there, here = (
        {path.relative_to(tmp_path / side): path.read_bytes()
         for path in (tmp_path / side).glob("*/*") if path.name in study_result.REPORTS}
        for side in ("there", "here")
    )  # fmt: skip
    assert len(there) == 3 + 3 + 3  # of each study, and tables of what is used
    assert there == here
    change = "enemies.reedling.health.per_hero +1"
    on_cluster = balance.compare(b=change, games=600, ray="local")
    assert on_cluster.record() == balance.compare(b=change, games=600).record()
