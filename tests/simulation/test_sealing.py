"""A finished file contains a checksum that detects any change."""

import random

import polars as pl
import pytest

from agemonia_env.files import sealing
from agemonia_env.files.sealing import KEY, OPEN, is_sealed, seal_file


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.parquet"
    frame = pl.DataFrame({"a": range(500), "b": [OPEN] * 500})  # a value that looks like a seal
    frame.write_parquet(path, metadata={KEY: OPEN}, compression="uncompressed")
    return path


def test_a_sealed_file_is_read_as_before(path):
    before = pl.read_parquet(path)
    assert not is_sealed(path)
    seal_file(path)
    assert is_sealed(path)
    assert pl.read_parquet(path).equals(before)
    assert pl.read_parquet_metadata(path)[KEY] != OPEN


@pytest.mark.parametrize("block", [1, 37, 2**20])
def test_any_change_is_found(path, block, monkeypatch):
    seal_file(path)
    sound = path.read_bytes()
    monkeypatch.setattr(sealing, "BLOCK", max(block, len(sound) // 50 if block == 1 else block))
    assert is_sealed(path)
    chance = random.Random(1)
    for k in range(300):
        i = chance.randrange(len(sound))
        content = bytearray(sound)
        if k % 3 == 0:
            content[i] ^= 1 << chance.randrange(8)
        elif k % 3 == 1:
            del content[i:]
        else:
            content[i:i] = b"PAR1"
        path.write_bytes(content)
        assert not is_sealed(path)
    path.write_bytes(sound)
    assert is_sealed(path)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"\xff\xff\xff\xffPAR1" * 3, b"x" * 100])
def test_other_files_are_not_sealed(tmp_path, content):
    (tmp_path / "a").write_bytes(content)
    assert not is_sealed(tmp_path / "a")
    assert not is_sealed(tmp_path)
    assert not is_sealed(tmp_path / "missing")
