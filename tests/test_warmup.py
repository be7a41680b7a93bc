"""After a warm-up nothing compiles; old caches are deleted, those of other checkouts stay."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agemonia_env import warmup
from agemonia_env.core.jit import COMPILED

ROOT = Path(__file__).resolve().parents[1]


def test_only_caches_that_nobody_has_written_to_for_weeks_are_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup, "CACHE_ROOT", tmp_path)
    for name, days in (("young", 1), ("old", warmup.KEPT_DAYS + 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "entry.nbi").write_bytes(b"12345")
        then = time.time() - days * 86_400
        os.utime(tmp_path / name, (then, then))
    assert warmup.delete_old_caches() == 5
    assert [path.name for path in tmp_path.iterdir()] == ["young"]


def test_without_a_cache_there_is_nothing_to_delete(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup, "CACHE_ROOT", tmp_path / "none")
    assert warmup.delete_old_caches() == 0


@pytest.mark.skipif(not COMPILED, reason="plain Python compiles nothing")
def test_warm_is_warm_no_command_compiles_anything_after_a_warmup():
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "warm_commands.py"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr[-2000:]


def test_uncached_code_is_not_called_ready(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup, "COMPILED", True)
    monkeypatch.setattr(warmup, "cache_folder", lambda module: tmp_path)
    monkeypatch.setattr(warmup, "PARTS", {"play": lambda rules: True})
    for lost, ready in ((["no space"], False), ([], True)):
        monkeypatch.setattr(warmup, "NOT_KEPT", lost)
        warmup.warm_up()
        assert warmup.is_ready() == ready
