"""What is known of every cell, row and model of the page, JSON-able: docs/results.json."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from agemonia_env.policies.network import SUFFIX
from agemonia_env.simulation.interval import wilson

from ..model_file import read_record, versions
from .card import CARDS, FREE, Cell, Model, Work
from .playing import played
from .training import is_trained, told

MOST_BYTES = 5_000_000  # of all published weights together
Fact = dict[str, Any]


def facts_of(work: Work, weights: Path) -> Fact:
    """Everything that the page says; weights: the folder of published models."""
    cells = list(work.cells())
    models = [model for model in work.models() if is_trained(work, model)]
    known = {str(model): model_fact(work, model) for model in models}
    machines = sorted({f"{fact['cpu']}, {fact['cores']} cores" for fact in known.values()})
    return {
        "versions": versions(),
        "machines": machines,
        "settings": work.card.settings,
        "rows": rows_of(work, cells),
        "models": known,
        "weights": weights_of(work, cells, weights),
    }


# ---- models -------------------------------------------------------------------------------------
def model_fact(work: Work, model: Model) -> Fact:
    """How a model was trained, and which it is."""
    record, path, known = read_record(work.file(model)), work.file(model), told(work, model)
    base = work.begins_with(model)
    return {
        "name": model.name,
        "setting": model.setting,
        "seed": model.seed,
        "side": (record.get("env_kwargs") or {}).get("side", "hero"),
        "begins_with": base and str(base),
        "steps": record.get("steps"),
        "minutes": round(float(record.get("minutes") or known["minutes"]), 2),
        "cpu": known["cpu"],
        "cores": known["cores"],
        "fingerprint": record["fingerprint"],
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest()[:16],
        "command": shlex.join(known["command"]),
    }


# ---- rows ---------------------------------------------------------------------------------------
def rows_of(work: Work, cells: Sequence[Cell]) -> list[Fact]:
    """A row for each setting, with the cell of every seed; those not played yet are left out."""
    rows: dict[tuple[str, str, str], Fact] = {}
    for cell in cells:
        fact = cell_fact(work, cell)
        if fact is None:
            continue
        key = (cell.table, cell.setting, cell.row.name)
        row = rows.setdefault(key, {**row_fact(cell), "cells": []})
        row["cells"].append(fact)
    for row in rows.values():
        found = row["cells"]
        row["games"] = sum(cell["games"] for cell in found)
        row["won"] = mean(cell["won"] for cell in found)
        row["low"], row["high"] = wilson(sum(cell["wins"] for cell in found), row["games"])
    return list(rows.values())


def row_fact(cell: Cell) -> Fact:
    """Which row a cell is of."""
    row = cell.row
    return {
        "table": cell.table,
        "setting": cell.setting,
        "name": row.name,
        "policy": row.policy,
        "enemies": row.enemies or CARDS,
    }


def cell_fact(work: Work, cell: Cell) -> Fact | None:
    """How often a cell is won; None if its games have not been played."""
    games = played(work, cell)
    if games is None:
        return None
    wins = int(games["won"].sum())
    low, high = wilson(wins, len(games))
    return {
        "seed": cell.seed,
        "games": len(games),
        "wins": wins,
        "won": wins / len(games),
        "low": low,
        "high": high,
        "rounds": round(float(games["rounds"].mean() or 0), 2),  # type: ignore[arg-type]
        "models": [str(model) for model in work.models_of(cell)],
        "command": command(work, cell, *work.players(cell)),
    }


def command(work: Work, cell: Cell, policy: str, enemies: str | None) -> str:
    """The one command that plays the games of a cell."""
    words = ["agemonia", "simulate"]
    for key, value in work.card.settings[cell.setting].items():
        between = "," if key == "heroes" else "-"  # of the names of a party, of a range of seeds
        text = between.join(map(str, value)) if isinstance(value, list) else str(value)
        words += ["--" + key.replace("_", "-"), text]
    if enemies is not None:
        words += ["--enemy-will", FREE, "--enemy-policy", enemies]
    games = cell.row.games or work.card.games
    return shlex.join([*words, "--policy", policy, "-n", str(games), "--seed", str(work.card.seed)])


# ---- weights ------------------------------------------------------------------------------------
def weights_of(work: Work, cells: Sequence[Cell], folder: Path) -> dict[str, Fact]:
    """Models that are published: the name of the file -> a cell that it alone plays, and its rate.

    folder: that the files go to.
    """
    found: dict[str, Fact] = {}
    for cell in cells:
        models = work.models_of(cell)
        if len(models) != 1 or not is_published(work, models[0]):
            continue
        fact, name = cell_fact(work, cell), weights_name(models[0])
        if fact is None or name in found:
            continue
        own = {models[0].name: (folder / name).as_posix()}
        enemies = cell.row.enemies
        found[name] = {
            "model": str(models[0]),
            "row": cell.row.name,
            "setting": work.card.settings[cell.setting],
            "policy": cell.row.policy.format(**own),
            "enemies": enemies and enemies.format(**own),
            **{key: fact[key] for key in ("games", "wins", "won", "low", "high")},
        }
    return found


def is_published(work: Work, model: Model) -> bool:
    """Whether a model goes to agents/weights: one seed of its kind, if it is of plain arrays."""
    kind = work.card.models[model.name]
    return kind.weights == model.seed and work.file(model).suffix == SUFFIX


def weights_name(model: Model) -> str:
    """The name of the published file."""
    return f"{model.name}-{model.setting}{SUFFIX}"


def publish(work: Work, weights: dict[str, Fact], folder: Path) -> None:
    """Copy the published models. ValueError if they are too large together."""
    chosen = {
        work.file(model): folder / weights_name(model)
        for model in work.models()
        if is_published(work, model) and weights_name(model) in weights
    }
    size = sum(path.stat().st_size for path in chosen)
    if size > MOST_BYTES:
        raise ValueError(f"{folder}: {size:,} bytes of weights; at most {MOST_BYTES:,}")
    for path, to in chosen.items():
        folder.mkdir(parents=True, exist_ok=True)
        partial = to.with_name(to.name + ".partial")
        shutil.copyfile(path, partial)
        partial.replace(to)
