"""Chunks on disk: killed runs resume, damaged chunks are found, foreign files are refused."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import agemonia_env
from agemonia_env.simulation import play, run
from agemonia_env.simulation.checkpoints import MANIFEST, MARK, CheckpointStore
from agemonia_env.simulation.plan import make_plan

ROOT = Path(__file__).resolve().parents[2]
RUN = {"scenario": ["ford", "toll"], "games": 1000, "seed": 9, "chunk": 50}
COMMAND = [
    *(sys.executable, "-m", "agemonia_env", "simulate", "--scenario", "ford", "--scenario", "toll"),
    *("-n", "1000", "--seed", "9", "--chunk", "50"),
]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A file that one thread has written without a break."""
    out = tmp_path_factory.mktemp("undisturbed") / "games.parquet"
    agemonia_env.simulate(**RUN, out=out)
    return out


@pytest.fixture
def begun(tmp_path):
    """An unfinished simulation: 6 of its 20 chunks exist."""
    parts = CheckpointStore(plan(), tmp_path / "games.parquet")
    parts.open()
    for chunk in (0, 1, 2, 7, 8, 19):
        parts.write(chunk, play.play_chunk(parts.plan, chunk, lambda games, wins: None))
    return parts


def plan(**other):
    arguments = {"scenario": ["ford", "toll"], "heroes": 2, "policy": "greedy", "games": 1000}
    return make_plan(**(arguments | {"seed": 9, "chunk": 50} | other))


def chunks_in(folder):
    return sorted(path for path in folder.iterdir() if path.suffix == ".parquet")


def kill_after(chunks, out):
    """Run the command and kill it once this many chunks exist."""
    folder = out.with_name(out.name + ".parts")
    command = [*COMMAND, "--threads", "2", "--quiet", "--out", str(out)]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        while not (folder.is_dir() and len(chunks_in(folder)) >= chunks):
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.005)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == -signal.SIGKILL
    return len(chunks_in(folder))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL; tested on Linux and macOS")
def test_a_run_killed_twice_resumes_to_the_same_bytes(tmp_path, undisturbed):
    out = tmp_path / "games.parquet"
    first = kill_after(2, out)
    second = kill_after(first + 2, out)
    assert first < second < 20
    rest = [*COMMAND, "--threads", "2", "--out", str(out)]
    done = subprocess.run(rest, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "1,000 of 1,000 games" in done.stderr
    assert out.read_bytes() == undisturbed.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize("threads", [2, 3])
def test_the_bytes_do_not_depend_on_threads(tmp_path, undisturbed, threads):
    out = tmp_path / "games.parquet"
    agemonia_env.simulate(**RUN, out=out, threads=threads)
    assert out.read_bytes() == undisturbed.read_bytes()


@pytest.mark.parametrize("threads", ["1", "7"])
def test_the_bytes_do_not_depend_on_the_threads_of_polars(tmp_path, undisturbed, threads):
    out = tmp_path / "games.parquet"
    environment = os.environ | {"POLARS_MAX_THREADS": threads}
    command = [*COMMAND, "--quiet", "--out", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, env=environment)
    assert out.read_bytes() == undisturbed.read_bytes()


def test_the_file_holds_the_rows_and_what_was_played(undisturbed):
    assert pl.read_parquet(undisturbed).equals(agemonia_env.simulate(**RUN, threads=2))
    record = json.loads(pl.read_parquet_metadata(undisturbed)[MARK])
    assert record == plan().record()


def test_only_what_is_missing_is_played(begun, undisturbed, monkeypatch):
    played = []
    whole = play.play_chunk

    def watched(plan, chunk, tell):
        played.append(chunk)
        return whole(plan, chunk, tell)

    monkeypatch.setattr(run, "play_chunk", watched)
    agemonia_env.simulate(**RUN, out=begun.out)
    assert sorted(played) == [3, 4, 5, 6, *range(9, 19)]
    assert begun.out.read_bytes() == undisturbed.read_bytes()


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-100])


def altered(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def another_chunk(path):
    """A sound chunk under the number of another one."""
    path.with_name("00000003" + path.name[8:]).write_bytes(path.read_bytes())


def half_written(path):
    path.rename(path.with_name(path.name + ".1234.partial"))


@pytest.mark.parametrize("break_", [cut_short, altered, another_chunk, half_written])
def test_a_damaged_chunk_is_played_again(begun, undisturbed, break_):
    break_(chunks_in(begun.folder)[1])
    again = CheckpointStore(plan(), begun.out)
    again.open()
    sound = [int(path.name[:8]) for path in chunks_in(begun.folder)]
    assert sound == [chunk for chunk in range(20) if chunk not in again.missing()]
    assert 3 not in sound
    assert len(sound) == (6 if break_ is another_chunk else 5)
    agemonia_env.simulate(**RUN, out=begun.out)
    assert begun.out.read_bytes() == undisturbed.read_bytes()


def test_a_chunk_of_another_run_is_foreign(begun, tmp_path):
    other = CheckpointStore(plan(seed=10), tmp_path / "other.parquet")
    other.open()
    other.write(3, play.play_chunk(other.plan, 3, lambda games, wins: None))
    (path,) = chunks_in(other.folder)
    path.rename(begun.folder / path.name)
    begun.open()
    assert 3 in begun.missing()
    assert not (begun.folder / path.name).exists()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"games": 1001}, "games: 1000, now 1001"),
        ({"seed": 10}, "seed: 9, now 10"),
        ({"policy": "random"}, 'policy: "greedy", now "random"'),
        ({"difficulty": "hard"}, 'kinds[0].difficulty: "normal", now "hard"'),
        ({"scenario": "ford"}, "kinds: 2 of them, now 1"),
    ],
)
def test_another_plan_is_refused(begun, undisturbed, other, message):
    before = {path: path.stat().st_mtime_ns for path in begun.folder.iterdir()}
    for out in (begun.out, undisturbed):
        with pytest.raises(ValueError, match=re.escape(message)):
            agemonia_env.simulate(**(RUN | other), out=out)
    assert {path: path.stat().st_mtime_ns for path in begun.folder.iterdir()} == before


def test_force_starts_over(begun, undisturbed):
    out = begun.out
    agemonia_env.simulate(**(RUN | {"seed": 10}), out=out, force=True)
    assert out.read_bytes() != undisturbed.read_bytes()
    agemonia_env.simulate(**RUN, out=out, force=True)
    assert out.read_bytes() == undisturbed.read_bytes()


def test_a_finished_simulation_is_not_played_again(undisturbed, monkeypatch):
    monkeypatch.setattr(run, "play", None)
    assert len(agemonia_env.simulate(**RUN, out=undisturbed)) == 1000


def test_a_run_killed_before_its_chunks_are_deleted_is_complete(begun, undisturbed):
    begun.out.write_bytes(undisturbed.read_bytes())
    assert len(agemonia_env.simulate(**RUN, out=begun.out)) == 1000
    assert not begun.folder.exists()


def test_files_of_the_user_among_the_chunks_are_kept(begun, undisturbed):
    notes, table = begun.folder / "notes.txt", begun.folder / "mine.parquet"
    notes.write_text("notes")
    table.write_text("mine")
    agemonia_env.simulate(**RUN, out=begun.out)
    assert begun.out.read_bytes() == undisturbed.read_bytes()
    assert sorted(begun.folder.iterdir()) == [table, notes]


def test_foreign_files_are_left_alone(tmp_path):
    out = tmp_path / "games.parquet"
    out.write_text("notes")
    with pytest.raises(ValueError, match="no simulation"):
        agemonia_env.simulate(**RUN, out=out)
    assert out.read_text() == "notes"
    folder = tmp_path / "other.parquet.parts"
    folder.mkdir()
    (folder / "notes.txt").write_text("notes")
    for force in (False, True):
        with pytest.raises(ValueError, match="not a folder of a simulation"):
            agemonia_env.simulate(**RUN, out=tmp_path / "other.parquet", force=force)
    assert (folder / "notes.txt").read_text() == "notes"
    with pytest.raises(ValueError, match="is a folder"):
        agemonia_env.simulate(**RUN, out=folder)


def test_a_run_killed_before_its_manifest_starts_over(tmp_path, undisturbed):
    out = tmp_path / "games.parquet"
    folder = tmp_path / "games.parquet.parts"
    folder.mkdir()
    (folder / f"{MANIFEST}.1234.partial").write_text("{")
    agemonia_env.simulate(**RUN, out=out)
    assert out.read_bytes() == undisturbed.read_bytes()


def test_an_unreadable_manifest_is_refused(begun):
    (begun.folder / MANIFEST).write_text('{"games"')
    with pytest.raises(ValueError, match="cannot be read"):
        agemonia_env.simulate(**RUN, out=begun.out)


def test_played_games_survive_an_interrupt(tmp_path, undisturbed, monkeypatch):
    out = tmp_path / "games.parquet"
    write = CheckpointStore.write

    def write_three(parts, chunk, frame):
        if len(parts.missing()) == 17:
            raise KeyboardInterrupt
        write(parts, chunk, frame)

    monkeypatch.setattr(CheckpointStore, "write", write_three)
    with pytest.raises(run.Interrupted, match=r"150 of 1,000 games are saved in .*parts"):
        agemonia_env.simulate(**RUN, out=out, threads=2)
    monkeypatch.undo()
    agemonia_env.simulate(**RUN, out=out)
    assert out.read_bytes() == undisturbed.read_bytes()


def test_names_with_special_characters(tmp_path, undisturbed):
    folder = tmp_path / "seed=9" / "[a*]"
    folder.mkdir(parents=True)
    out = folder / "games.parquet"
    assert agemonia_env.simulate(**RUN, out=out).equals(pl.read_parquet(undisturbed))
    assert out.read_bytes() == undisturbed.read_bytes()


def test_on_a_full_disk_the_file_is_named_and_the_chunks_stay(tmp_path, undisturbed):
    out = tmp_path / "games.parquet"
    largest = undisturbed.stat().st_size - 1000  # room for every chunk, not for all of them
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({largest}, {largest}))\n"
        "from agemonia_env.cli.main import app; app(sys.argv[1:])"
    )
    full = [sys.executable, "-c", code, *COMMAND[3:], "--quiet", "--out", str(out)]
    done = subprocess.run(full, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, f"agemonia: {out}: File too large\n")
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet.parts"]
    assert len(chunks_in(tmp_path / "games.parquet.parts")) == 20
    subprocess.run([*COMMAND, "--quiet", "--out", str(out)], cwd=ROOT, check=True)
    assert out.read_bytes() == undisturbed.read_bytes()
