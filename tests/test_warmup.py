"""Caches of other sources: those of another checkout stay, old ones go."""

import os
import time

from agemonia_env import warmup


def test_only_caches_that_nobody_has_written_to_for_weeks_are_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup, "CACHE_ROOT", tmp_path)
    for name, days in (("young", 1), ("old", warmup.KEPT + 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "entry.nbi").write_bytes(b"12345")
        then = time.time() - days * 86_400
        os.utime(tmp_path / name, (then, then))
    assert warmup.delete_old_caches() == 5
    assert [path.name for path in tmp_path.iterdir()] == ["young"]


def test_without_a_cache_there_is_nothing_to_delete(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup, "CACHE_ROOT", tmp_path / "none")
    assert warmup.delete_old_caches() == 0
