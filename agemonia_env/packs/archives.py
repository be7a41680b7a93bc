"""Packs in zip archives, as the editor of the pages saves them."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from agemonia_env.files.documents import decoded, in_bytes, read_bytes
from agemonia_env.files.writing import write_whole

ARCHIVE = ".zip"
HOME = "pack.yaml"  # the file beside or below which all others lie
MOST_FILES = 1000
MOST_BYTES = 2**24  # of an archive, and of the files in it
DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error)


def files_in_archive(data: bytes) -> dict[str, str]:
    """The YAML files of a pack in an archive, by their names below that of pack.yaml.

    Raises ValueError for no or a damaged archive, one without a pack, and one beyond the limits.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as source:
            entries = {e.filename: e for e in source.infolist() if is_yaml(e.filename)}
            if len(entries) > MOST_FILES:
                raise ValueError(f"the archive has {len(entries):,} files; at most {MOST_FILES:,}")
            if sum(entry.file_size for entry in entries.values()) > MOST_BYTES:
                raise ValueError(f"the archive holds more than {in_bytes(MOST_BYTES)}")
            homes = [name for name in entries if PurePosixPath(name).name == HOME]
            if not homes:
                raise ValueError(f"the archive has no {HOME}")
            home = PurePosixPath(min(homes, key=len)).parent
            return {
                PurePosixPath(name).relative_to(home).as_posix(): decoded(source.read(entry))
                for name, entry in entries.items()
                if PurePosixPath(name).is_relative_to(home)
            }
    except DAMAGED:
        raise ValueError("this is no zip archive, or it is damaged") from None


def is_yaml(name: str) -> bool:
    """Whether an entry may be a file of a pack; no name leads out of the archive's folder."""
    path = PurePosixPath(name)
    safe = not path.is_absolute() and ".." not in path.parts and not set(name) & {"\\", ":"}
    return safe and path.suffix.lower() in (".yaml", ".yml")


@contextmanager
def unpacked(pack: str) -> Iterator[str]:
    """The name or folder of a pack; of an archive, a folder with its files for a while.

    Raises ValueError that names the archive.
    """
    path = Path(pack)
    if path.suffix.lower() != ARCHIVE or not path.is_file():
        yield pack
        return
    try:
        files = files_in_archive(read_bytes(path, MOST_BYTES))
    except ValueError as error:
        raise ValueError(f"{pack}: {error}") from None
    with TemporaryDirectory() as home:
        folder = Path(home) / (path.stem or "pack")
        for name, text in files.items():
            write_whole(folder / name, text)
        yield str(folder)
