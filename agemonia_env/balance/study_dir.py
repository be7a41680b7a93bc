"""The folder of a study, from which the same command resumes it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from agemonia_env.files.locking import LOCK
from agemonia_env.files.writing import check_regular, write_json
from agemonia_env.simulation.checkpoints import START_OVER, first_few, read_plan
from agemonia_env.simulation.plan import differences

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
            _delete(path)
    elif manifest.is_file():
        _check(folder, manifest, record)
    if not manifest.is_file():
        write_json(manifest, record, indent=1)


def _delete(path: Path) -> None:
    """Delete a file of a study, or a folder of games; what else lies in that stays."""
    if not path.is_dir():
        path.unlink(missing_ok=True)
        return
    for games in path.glob(GAMES):
        games.unlink()
    with suppress(OSError):
        path.rmdir()


def _check(folder: Path, manifest: Path, record: Mapping[str, Any]) -> None:
    """ValueError if the folder holds a different study."""
    old = read_plan(manifest)
    unlike = list(differences(old, json.loads(json.dumps(record))))
    if unlike:
        what = first_few(iter(unlike))
        raise ValueError(f"{folder}: holds a different study ({what}); {START_OVER}")
