"""The same rows from a Ray cluster, of which a worker dies on the way."""

import os
import signal
import time

import pytest

import agemonia_env
from agemonia_env.simulation.parts import Parts

cluster = pytest.importorskip(
    "agemonia_env.simulation.cluster",
    reason="Ray is not installed: it has no build for this Python or system",
    exc_type=ImportError,
)
ray = cluster.ray

RUN = {"scenario": ["ford", "toll"], "games": 1600, "seed": 9, "chunk": 50}
STORE = 80 * 2**20  # bytes; the least that Ray accepts is a little below


@pytest.fixture(scope="module")
def two_workers():
    """A local cluster -> process ids of its two workers, which stand ready."""
    ray.init(
        address="local",
        num_cpus=2,
        object_store_memory=STORE,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
    )
    try:
        yield worker_ids()
    finally:
        ray.shutdown()


def worker_ids():
    """Process ids of two workers that have loaded the rules."""

    @ray.remote(num_cpus=1)
    def meet(folder):
        """Wait for the other one, so that there are two."""
        import agemonia_env

        agemonia_env.simulate(games=1)
        (folder / str(os.getpid())).touch()
        while len(list(folder.iterdir())) < 2:
            time.sleep(0.01)
        return os.getpid()

    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        return ray.get([meet.remote(Path(folder)) for _ in range(2)])


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_that_is_killed_costs_no_game(two_workers, tmp_path, monkeypatch):
    victim, other = two_workers
    assert victim != other
    killed_at = []
    write = Parts.write

    def write_and_kill(parts, chunk, frame):
        write(parts, chunk, frame)
        if not killed_at:
            killed_at.append(len(parts.missing()))
            os.kill(victim, signal.SIGKILL)

    monkeypatch.setattr(Parts, "write", write_and_kill)
    out = tmp_path / "games.parquet"
    rows = agemonia_env.simulate(**RUN, out=out, ray="local")
    assert killed_at[0] > 4  # more chunks than were in hand: it died with work to do
    assert not is_running(victim)
    monkeypatch.undo()
    here = tmp_path / "here.parquet"
    assert agemonia_env.simulate(**RUN, out=here, threads=2).equals(rows)
    assert out.read_bytes() == here.read_bytes()
