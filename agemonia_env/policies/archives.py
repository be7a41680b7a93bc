"""Arrays from an untrusted file: sizes are checked before anything is unpacked."""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.files.documents import DocumentError, in_bytes, read_bytes

from .model_record import ModelError

# Limit for a model file and for its unpacked contents: 32 million float32, fifty times the largest
# network trained here. Reading one takes up to twice this memory.
MOST_BYTES = 2**27
BLOCK = 2**20  # bytes unpacked at a time
MOST_MEMBERS = 1000
MEMBER = b"PK\1\2"  # starts each entry in the directory of a zip file
MAGIC = b"\x93NUMPY\1\0"
HEADER = re.compile(  # as numpy writes it for an array without fields
    rb"\{'descr': '([<>|][bifuU]\d{1,8})', 'fortran_order': (True|False), "
    rb"'shape': \((\d{0,18}(?:, \d{1,18})*),?\), \} *\n"
)


def read_model(path: Path) -> bytes:
    """Read a model file. Raises ModelError if it is not a regular file, or too large."""
    try:
        return read_bytes(path, MOST_BYTES)
    except DocumentError as error:
        missing = not (path.exists() or path.is_symlink())
        raise ModelError(f"{path}: {'no such model' if missing else error}") from None


@contextmanager
def open_archive(data: bytes, path: Path, message: str) -> Iterator[zipfile.ZipFile]:
    """Open these bytes as a zip file. Raises ModelError with `message` if anything goes wrong.

    Damaged files make zipfile and zlib raise a dozen kinds of errors, not all documented.
    """
    try:
        if data.count(MEMBER) > MOST_MEMBERS:
            raise ModelError(f"{path}: holds more than {MOST_MEMBERS} files")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except ModelError:
        raise
    except Exception:
        raise ModelError(f"{path}: {message}") from None


def members(
    archive: zipfile.ZipFile, path: Path, is_wanted: Callable[[str], bool]
) -> dict[str, zipfile.ZipInfo]:
    """The wanted members by name. Raises ModelError if together they are too large."""
    found = {info.filename: info for info in archive.infolist() if is_wanted(info.filename)}
    if sum(info.file_size for info in found.values()) > MOST_BYTES:
        raise ModelError(f"{path}: holds more than {in_bytes(MOST_BYTES)} when unpacked")
    return found


def read_arrays(path: Path, is_wanted: Callable[[str], bool]) -> dict[str, NDArray[Any]]:
    """The wanted arrays of an .npz file by name; nothing else is unpacked, and no code is run.

    Raises ModelError with the first problem found.
    """
    data = read_model(path)
    with open_archive(data, path, "damaged, or not an .npz file of arrays") as archive:
        found = members(archive, path, lambda name: is_wanted(name.removesuffix(".npy")))
        return {name.removesuffix(".npy"): _array(archive, info) for name, info in found.items()}


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    """Read one array. Raises ValueError unless it is numbers or text of the declared size."""
    with archive.open(info) as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise ValueError
        length = int.from_bytes(file.read(2), "little")
        header = HEADER.fullmatch(file.read(length))
        if header is None:
            raise ValueError
        dtype = np.dtype(header[1].decode())
        shape = tuple(map(int, header[3].split(b", "))) if header[3] else ()
        size = math.prod(shape) * dtype.itemsize
        if size != info.file_size - len(MAGIC) - 2 - length:
            raise ValueError
        values = np.empty(math.prod(shape), dtype)
        left = values.view(np.uint8)
        while block := file.read(BLOCK):  # which verifies the checksum at the end
            left[: len(block)] = np.frombuffer(block, np.uint8)
            left = left[len(block) :]
        if left.size:
            raise ValueError
    return values.reshape(shape, order="F" if header[2] == b"True" else "C")
