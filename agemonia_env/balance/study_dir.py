"""A folder that one study is kept in, so that the same command takes it up again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any

from agemonia_env.files.locking import LOCK
from agemonia_env.files.writing import check_regular, write_json
from agemonia_env.simulation.checkpoints import read_plan, told
from agemonia_env.simulation.plan import differences

MANIFEST = "plan.json"
ANEW = "choose another folder, or begin anew with --force (force=True)"


def open_folder(
    folder: Path, record: Mapping[str, Any], *, force: bool, files: Sequence[str]
) -> None:
    """Begin a study, or take up what was begun.

    record: what is studied, JSON-able, with the identity of the rules. force: delete what was
    begun: `files`, which may be folders. Raises ValueError if another study lies there.
    """
    manifest = folder / MANIFEST
    for path in (folder / name for name in files):
        if path.suffix:  # what cannot be replaced in the end is told before a game is played
            check_regular(path)
    if folder.exists() and not manifest.is_file():
        if not folder.is_dir() or any(path.name != LOCK for path in folder.iterdir()):
            raise ValueError(f"{folder}: there lies something else; choose another folder")
    elif manifest.is_file() and force:
        for path in (folder / name for name in (*files, MANIFEST)):
            rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    elif manifest.is_file():
        _check(folder, manifest, record)
    if not manifest.is_file():
        write_json(manifest, record, indent=1)


def _check(folder: Path, manifest: Path, record: Mapping[str, Any]) -> None:
    """ValueError if the folder is of another study."""
    old = read_plan(manifest)
    unlike = list(differences(old, json.loads(json.dumps(record))))
    if unlike:
        what = told(iter(unlike))
        raise ValueError(f"{folder}: there lies another one ({what}); {ANEW}")
