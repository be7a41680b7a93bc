"""One run at a time writes to a place: a lock of the system, which ends with its process.

A killed run leaves its lock file behind, but not the lock: the next run takes it over.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from .writing import PARTIAL, delete_unfinished

LOCK = ".lock"
# What file systems without locks answer, such as some network drives
NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
BYTE = 1 << 20  # that Windows locks; beyond the text, which others read

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        """Lock an open file, or raise OSError at once."""
        os.lseek(descriptor, BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        """Lock an open file, or raise OSError at once."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Busy(ValueError):  # noqa: N818 (what it is, not that it is an error)
    """Another run is writing to the same place; the message says which."""


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Keep other runs from writing the file `path`, and what lies beside it under its name.

    What a killed run left half written is deleted. Raises Busy at once if another run writes there;
    OSError if nothing can be written.
    """
    with _locked(path.with_name(path.name + LOCK), path):
        delete_unfinished(path.parent.glob(f"{escape(path.name)}.*{PARTIAL}"))
        yield


@contextmanager
def locked_folder(path: Path) -> Iterator[None]:
    """Keep other runs from writing to the folder `path`; raises what `locked_file` does.

    The folder is made, and deleted if it is empty in the end.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        with _locked(path / LOCK, path):
            delete_unfinished(path.rglob(f"*{PARTIAL}"))
            yield
    finally:
        with suppress(OSError):  # up to the first that holds something
            for folder in missing:
                folder.rmdir()


@contextmanager
def _locked(lock: Path, what: Path) -> Iterator[None]:
    """Hold the lock file `lock`, which stands for `what`."""
    descriptor = _opened(lock, what)
    try:
        told = json.dumps({"pid": os.getpid(), "host": socket.gethostname()})
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        with suppress(OSError):  # a full disk is for the results to complain about
            os.write(descriptor, told.encode())
        yield
    finally:
        if sys.platform != "win32":
            lock.unlink(missing_ok=True)  # while it is held, so that nobody else's is deleted
        os.close(descriptor)
        if sys.platform == "win32":
            with suppress(OSError):  # another run has opened it
                lock.unlink()


def _opened(lock: Path, what: Path) -> int:
    """A descriptor of the lock file, locked. Raises Busy."""
    while True:
        lock.parent.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        except FileNotFoundError:  # a run that ends has deleted the folder
            continue
        try:
            _take(descriptor)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                os.close(descriptor)
                raise Busy(f"{what}: another run is writing this{_holder(lock)}; "
                           "wait for it to end, or choose another name") from None  # fmt: skip
            warnings.warn(
                f"{what}: this file system has no locks; see to it that no other run writes there",
                stacklevel=2,
            )
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        os.close(descriptor)  # the run that held it has just deleted it


def _holder(lock: Path) -> str:
    """Who holds a lock, in brackets; nothing if the file does not say."""
    try:
        told = json.loads(lock.read_bytes()[:1000])
        return f" (process {int(told['pid'])} on {str(told['host'])[:100]})"
    except (OSError, ValueError, TypeError, KeyError):
        return ""
