"""Lock files, so that only one run at a time writes to a file or folder.

The lock is the operating system's and ends with the process. A killed run leaves its lock file
behind but not the lock: the next run takes it over.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from glob import escape
from pathlib import Path

from .stopping import Interrupted
from .writing import PARTIAL, check_out_folder, delete_unfinished

LOCK = ".lock"
# Errors of file systems without locks, such as some network drives
NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
BYTE = 1 << 20  # the byte that Windows locks: beyond the text, which other processes read

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


class BusyError(ValueError):
    """Another run is writing to the same place; the message names it."""


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Keep other runs from writing the file `path` and the files named after it.

    Deletes half-written files of a killed run. Raises BusyError at once if another run holds the
    lock; OSError if nothing can be written.
    """
    with _locked(path.with_name(path.name + LOCK), path):
        delete_unfinished(path.parent.glob(f"{escape(path.name)}.*{PARTIAL}"))
        yield


@contextmanager
def locked_folder(path: Path) -> Iterator[None]:
    """Keep other runs from writing to the folder `path`; raises the same errors as `locked_file`.

    Creates the folder, and deletes it if it is empty at the end.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        with _locked(path / LOCK, path):
            delete_unfinished(path.rglob(f"*{PARTIAL}"))
            yield
    finally:
        with suppress(OSError):  # up to the first that is not empty
            for folder in missing:
                folder.rmdir()


@contextmanager
def resumable(path: Path | None) -> Iterator[None]:
    """Keep other runs from writing to a folder, if there is one; on Ctrl-C say what it has.

    Raises ValueError if the folder cannot be created, BusyError as `locked_folder`.
    """
    if path is not None:
        check_out_folder(path)
    try:
        with nullcontext() if path is None else locked_folder(path):
            yield
    except KeyboardInterrupt as stopped:
        saved = "no game has been played yet"
        if path is None:
            saved = "nothing is saved without a folder (--out)"
        elif path.exists():
            saved = f"played games are saved in {path}; the same command resumes"
        raise Interrupted(str(stopped) or saved) from None


@contextmanager
def _locked(lock: Path, what: Path) -> Iterator[None]:
    """Hold the lock file of `what`."""
    descriptor = _opened(lock, what)
    try:
        owner = json.dumps({"pid": os.getpid(), "host": socket.gethostname()})
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        with suppress(OSError):  # writing the results will report a full disk
            os.write(descriptor, owner.encode())
        yield
    finally:
        if sys.platform != "win32":
            lock.unlink(missing_ok=True)  # while held, so that no other lock is deleted
        os.close(descriptor)
        if sys.platform == "win32":
            with suppress(OSError):  # opened by another run
                lock.unlink()


def _opened(lock: Path, what: Path) -> int:
    """Open and lock the lock file -> descriptor. Raises BusyError."""
    while True:
        lock.parent.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        except FileNotFoundError:  # an ending run has deleted the folder
            continue
        try:
            _take(descriptor)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                os.close(descriptor)
                message = f"{what}: another run{_holder(lock)} is writing here"
                raise BusyError(f"{message}; wait for it to end, or use another name") from None
            warnings.warn(
                f"{what}: this file system has no locks; make sure that no other run writes here",
                stacklevel=2,
            )
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        os.close(descriptor)  # its owner has just deleted it


def _holder(lock: Path) -> str:
    """The owner of a lock, in parentheses; empty if the file does not say."""
    try:
        owner = json.loads(lock.read_bytes()[:1000])
        return f" (process {int(owner['pid'])} on {str(owner['host'])[:100]})"
    except (OSError, ValueError, TypeError, KeyError):
        return ""
