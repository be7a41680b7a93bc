"""The folder of a study, from which the same command resumes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from agemonia_env.files.locking import LOCK
from agemonia_env.files.writing import check_regular, write_json
from agemonia_env.simulation.checkpoints import check_plan

MANIFEST = "plan.json"
GAMES = "*-*.parquet"  # files of games, by the hash of their plan and their number


def open_folder(
    folder: Path, record: Mapping[str, Any], *, force: bool, files: Sequence[str]
) -> None:
    """Start or resume a study.

    record: the study, JSON-able, with the identity of the rules. force: delete `files` of an older
    study, of a folder its games. Raises ValueError if the folder holds a different study.
    """
    manifest = folder / MANIFEST
    for path in (folder / name for name in files):
        if path.suffix:  # refused now, not after hours of play
            check_regular(path)
    if folder.exists() and not manifest.is_file():
        if not folder.is_dir() or any(path.name != LOCK for path in folder.iterdir()):
            raise ValueError(f"{folder}: holds files of something else; use another --out")
    elif manifest.is_file() and force:
        for path in (folder / name for name in (*files, MANIFEST)):
            for file in path.glob(GAMES) if path.is_dir() else (path,):
                file.unlink(missing_ok=True)
            with suppress(OSError):  # what else lies in a folder of games stays
                path.rmdir()
    elif manifest.is_file():
        check_plan(manifest, record, "a different study")
    if not manifest.is_file():
        write_json(manifest, record, indent=1)
