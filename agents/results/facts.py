"""The data of the page, docs/results.json, and the published weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from agemonia_env.files.writing import write_whole
from agemonia_env.policies.network import SUFFIX
from agemonia_env.simulation.interval import wilson

from ..model_file import versions
from .known import Fact, Known, row_fact
from .page_config import Cell, Model, Work
from .rules import RULES, env_of, rules_here

MEASURED = ("games", "wins", "won", "low", "high")  # by a cell, and by published weights
MOST_BYTES = 5_000_000  # of all published weights together


def facts_of(known: Known, weights: Path) -> Fact:
    """The data of the page, JSON-able; weights: the folder of published models."""
    work, models = known.work, known.models
    cells = list(work.cells())
    rows, weights_here = rows_of(known, cells), weights_of(known, cells, weights)
    machines = sorted({f"{fact['cpu']}, {fact['cores']} cores" for fact in models.values()})
    return {
        "versions": versions(),
        "machines": machines,
        "settings": work.config.settings,
        RULES: rules_in(known, rows, weights_here),
        "rows": rows,
        "models": models,
        "weights": weights_here,
    }


def rules_in(known: Known, rows: Sequence[Fact], weights: dict[str, Fact]) -> dict[str, Fact]:
    """The rules that rows, models and weights were made with, by hash."""
    found: dict[str, Fact] = dict(known.published.get(RULES, {}))
    for setting in known.work.config.settings.values():
        found |= rules_here(env_of(setting))
    cells = (cell for row in rows for cell in row["cells"])
    used = {fact[RULES] for fact in (*cells, *known.models.values(), *weights.values())}
    return {mark: found[mark] for mark in sorted(used)}


def rows_of(known: Known, cells: Sequence[Cell]) -> list[Fact]:
    """A row per setting, with the cell of every seed; unknown cells are left out."""
    rows: dict[tuple[str, str, str], Fact] = {}
    for cell in cells:
        fact = known.cell(cell)
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


# ---- weights ------------------------------------------------------------------------------------
def weights_of(known: Known, cells: Sequence[Cell], folder: Path) -> dict[str, Fact]:
    """Published models: file name -> a cell that only this model plays, with its win rate.

    folder: where the files go.
    """
    work = known.work
    found: dict[str, Fact] = {}
    for cell in cells:
        models = work.models_of(cell)
        if len(models) != 1 or not is_published(work, models[0]):
            continue
        fact, name = known.cell(cell), weights_name(models[0])
        if fact is None or name in found:
            continue
        own = {models[0].name: (folder / name).as_posix()}
        enemies = cell.row.enemies
        found[name] = {
            "model": str(models[0]),
            "row": cell.row.name,
            "setting": work.config.settings[cell.setting],
            "policy": cell.row.policy.format(**own),
            "enemies": enemies and enemies.format(**own),
            **{key: fact[key] for key in (RULES, *MEASURED)},
        }
    return found


def is_published(work: Work, model: Model) -> bool:
    """Whether a model goes to agents/weights: the chosen seed of its kind, as plain arrays."""
    kind = work.config.models[model.name]
    if kind.published is not None and model.setting not in kind.published:
        return False
    return kind.weights == model.seed and work.file(model).suffix == SUFFIX


def weights_name(model: Model) -> str:
    """The name of the published file."""
    return f"{model.name}-{model.setting}{SUFFIX}"


def publish(work: Work, weights: dict[str, Fact], folder: Path) -> None:
    """Copy published models trained here. Raises ValueError if all together are too large."""
    files = {
        folder / weights_name(model): work.file(model)
        for model in work.models()
        if is_published(work, model) and weights_name(model) in weights
    }
    new = {to: path for to, path in files.items() if path.is_file()}
    size = sum(new.get(to, to).stat().st_size for to in files)
    if size > MOST_BYTES:
        raise ValueError(f"{folder}: {size:,} bytes of weights; at most {MOST_BYTES:,}")
    for to, path in new.items():
        write_whole(to, path.read_bytes())
