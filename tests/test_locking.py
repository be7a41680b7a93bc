"""Two runs at once: the second is refused at once; a killed one blocks nobody."""

import errno
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from agemonia_env.files import locking
from agemonia_env.files.locking import LOCK, BusyError, locked_file, locked_folder

ROOT = Path(__file__).resolve().parents[1]
HOLD = """
import sys
from pathlib import Path
from agemonia_env.files.locking import locked_folder
with locked_folder(Path(sys.argv[1])):
    (Path(sys.argv[1]) / "half.json.1-0123456789ab.partial").touch()
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """A process that holds the folder `out`."""
    command = [sys.executable, "-c", HOLD, tmp_path / "out"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=ROOT, text=True, **pipes)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_another_process_gets_the_owner_of_the_lock(tmp_path, holder):
    message = rf"out: another run \(process {holder.pid} on"
    with pytest.raises(BusyError, match=message), locked_folder(tmp_path / "out"):
        pass
    holder.communicate()  # it ends in order
    assert not (tmp_path / "out" / LOCK).exists()
    with locked_folder(tmp_path / "out"):
        pass


def test_a_killed_run_blocks_nobody(tmp_path, holder):
    holder.kill()
    holder.wait()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        LOCK,
        "half.json.1-0123456789ab.partial",
    ]
    with locked_folder(tmp_path / "out"):
        assert [path.name for path in (tmp_path / "out").iterdir()] == [LOCK]
        owner = json.loads((tmp_path / "out" / LOCK).read_text())
        assert owner["pid"] == os.getpid()


def test_the_same_process_cannot_lock_twice(tmp_path):
    out = tmp_path / "games.parquet"
    with locked_file(out):
        with pytest.raises(BusyError), locked_file(tmp_path / "." / "games.parquet"):
            pass
        with locked_file(tmp_path / "other.parquet"):
            pass
    with locked_file(out):
        pass
    assert not list(tmp_path.iterdir())


def test_only_one_of_many_gets_the_lock(tmp_path):
    inside, most, held, lock = 0, 0, 0, threading.Lock()

    def run():
        nonlocal inside, most, held
        for _ in range(200):
            try:
                with locked_folder(tmp_path / "new" / "out"):
                    with lock:
                        inside += 1
                        held += 1
                        most = max(most, inside)
                    with lock:
                        inside -= 1
            except BusyError:
                continue

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert held  # how often depends on the machine


def test_a_folder_that_stays_empty_is_not_left_behind(tmp_path):
    with pytest.raises(KeyError), locked_folder(tmp_path / "a" / "b"):
        raise KeyError
    assert not list(tmp_path.iterdir())
    with locked_folder(tmp_path / "a" / "b"):
        (tmp_path / "a" / "b" / "kept").touch()
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["kept"]


def test_a_file_system_without_locks_warns(tmp_path, monkeypatch):
    def refuse(descriptor):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(locking, "_take", refuse)
    with pytest.warns(UserWarning, match="has no locks"), locked_folder(tmp_path):
        pass


@pytest.mark.parametrize("content", [b"", b"[", b"[]", b'{"pid": "x"}', b"\xff" * 5000])
def test_a_lock_without_an_owner_still_locks(tmp_path, content):
    with locked_folder(tmp_path):
        (tmp_path / LOCK).write_bytes(content)
        message = "another run is writing here; wait"
        with pytest.raises(BusyError, match=message), locked_folder(tmp_path):
            pass
