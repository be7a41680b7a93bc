"""Arrays of a file that anybody may have written: sizes are checked before anything is unpacked."""

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

from .record import ModelError

# Of a model file, and of what is unpacked from it: 64 million float32, a hundred times the largest
# network that is trained here. Reading one takes up to four times this memory.
MOST_BYTES = 2**28
MOST_MEMBERS = 1000
MEMBER = b"PK\1\2"  # begins the entry of each member in the directory of a zip file
MAGIC = b"\x93NUMPY\1\0"
HEADER = re.compile(  # as numpy writes it for an array without fields
    rb"\{'descr': '([<>|][bifuU]\d{1,8})', 'fortran_order': (True|False), "
    rb"'shape': \((\d{0,18}(?:, \d{1,18})*),?\), \} *\n"
)


def read_model(path: Path) -> bytes:
    """The bytes of a model file. Raises ModelError for what is no regular file, or too large."""
    try:
        return read_bytes(path, MOST_BYTES)
    except DocumentError as error:
        missing = not (path.exists() or path.is_symlink())
        raise ModelError(f"{path}: {'no such model' if missing else error}") from None


@contextmanager
def unzipped(data: bytes, path: Path, told: str) -> Iterator[zipfile.ZipFile]:
    """The zip file of these bytes. ModelError, saying `told`, for whatever goes wrong with it.

    Broken files make zipfile and zlib raise a dozen kinds of errors, not all of them documented.
    """
    try:
        if data.count(MEMBER) > MOST_MEMBERS:
            raise ModelError(f"{path}: holds more than {MOST_MEMBERS} files")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except ModelError:
        raise
    except Exception:
        raise ModelError(f"{path}: {told}") from None


def members(
    archive: zipfile.ZipFile, path: Path, is_wanted: Callable[[str], bool]
) -> dict[str, zipfile.ZipInfo]:
    """The wanted members by name. ModelError if they are too large together."""
    found = {info.filename: info for info in archive.infolist() if is_wanted(info.filename)}
    if sum(info.file_size for info in found.values()) > MOST_BYTES:
        raise ModelError(f"{path}: holds more than {in_bytes(MOST_BYTES)} when unpacked")
    return found


def read_arrays(path: Path, is_wanted: Callable[[str], bool]) -> dict[str, NDArray[Any]]:
    """The wanted arrays of an .npz file by name; nothing else of it is unpacked, or run as code.

    Raises ModelError with the one thing that is wrong.
    """
    data = read_model(path)
    with unzipped(data, path, "damaged, or no .npz file of arrays") as archive:
        found = members(archive, path, lambda name: is_wanted(name.removesuffix(".npy")))
        return {name.removesuffix(".npy"): _array(archive, info) for name, info in found.items()}


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    """One array. Raises ValueError for all but plain numbers or text of the size declared."""
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
        values = np.frombuffer(bytearray(file.read()), dtype)  # checks the checksum, too
    return values.reshape(shape, order="F" if header[2] == b"True" else "C")
