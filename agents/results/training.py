"""Trains missing models, each by the command of its kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console

from agemonia_env.files.writing import write_json
from agemonia_env.rulesets.identity import (
    ALWAYS_READ,
    IDENTITY,
    identity_of,
    layout_differences,
    rules_difference,
)
from agemonia_env.rulesets.ruleset import ruleset_of
from benchmarks.machine import cpu_name

from ..model_file import read_record
from .page_config import Model, Work

DONE, LOG = "training.json", "training.log"
# Arguments of an environment that determine its fingerprint
WHAT = ("pack", "scenario", "scenario_seed", "heroes", "level", "difficulty", "enemy_will")
COMMANDS: set[subprocess.Popen[bytes]] = set()  # running now
TAIL = 12  # lines of a failed command that are shown


class TrainingError(ValueError):
    """A failed command, or a model made by another command."""


def train(work: Work, models: Sequence[Model], jobs: int, console: Console) -> None:
    """Train missing models, `jobs` at a time; kind by kind, as one may start from another."""
    missing = [model for model in models if not is_trained(work, model)]
    console.print(f"{len(models) - len(missing)} of {len(models)} models are trained")
    number = {model: k for k, model in enumerate(missing, start=1)}

    def one(model: Model) -> None:
        console.print(f"training {number[model]} of {len(missing)}: {model}")
        minutes = run(work, model)
        console.print(f"trained {model} in {minutes:.1f} minutes")

    for _, kind in groupby(missing, key=lambda model: model.name):
        with ThreadPoolExecutor(jobs) as pool:
            futures = [pool.submit(one, model) for model in kind]
            try:
                for future in futures:
                    future.result()
            except KeyboardInterrupt:
                for command in tuple(COMMANDS):
                    command.terminate()  # the trainer saves its model
                raise
            finally:
                pool.shutdown(cancel_futures=True)


def stored_facts(work: Work, model: Model) -> dict[str, Any]:
    """The stored facts of a training: command, minutes, whether it is complete."""
    path = work.folder(model) / DONE
    if not path.is_file():
        return {}
    return dict(json.loads(path.read_text(encoding="utf-8")))


def is_trained(work: Work, model: Model) -> bool:
    """Whether a model is complete. TrainingError if another command or other rules made it."""
    known = stored_facts(work, model)
    if not known.get("complete") or not work.file(model).is_file():
        return False
    command = work.command(model, work.config.models[model.name].train)
    if known["command"] != command:
        raise TrainingError(
            f"{work.folder(model)}: was trained by another command ({' '.join(known['command'])}); "
            "delete the folder, or restore the command"
        )
    record = read_record(work.file(model))
    old, here = record.get(IDENTITY), identity_of(record["env_id"])
    difference = "; ".join(layout_differences(old, here, ALWAYS_READ)) or rules_difference(
        old, here
    )
    if difference is None and not has_same_content(record):
        difference = "the scenario differs"
    if difference is not None:
        raise TrainingError(
            f"{work.folder(model)}: was trained with other rules ({difference}); delete the folder"
        )
    return True


def has_same_content(record: Mapping[str, Any]) -> bool:
    """Whether the scenario that a model was trained on is still the same."""
    rules = ruleset_of(record["env_id"])
    trained = {key: value for key, value in record["env_kwargs"].items() if key in WHAT}
    reference = rules.check_arguments(**rules.chosen_arguments(**trained)).reference()
    return bool(reference.fingerprint == record["fingerprint"])


def run(work: Work, model: Model) -> float:
    """Run the command of a model -> minutes of all its runs; TrainingError if it fails."""
    kind, folder, known = (
        work.config.models[model.name],
        work.folder(model),
        stored_facts(work, model),
    )
    command = work.command(model, kind.train)
    begun = work.file(model).is_file() or any(folder.glob("checkpoints/*"))
    resumed = kind.resume is not None and begun and known.get("command") == command
    words = work.command(model, kind.resume) if resumed and kind.resume else command
    folder.mkdir(parents=True, exist_ok=True)
    facts: dict[str, Any] = {"command": command, "cpu": cpu_name(), "cores": os.cpu_count()}
    facts["minutes"] = known.get("minutes", 0.0) if resumed else 0.0
    start, status = time.monotonic(), None
    try:
        status = started(words, folder / LOG)
    finally:
        facts["minutes"] += (time.monotonic() - start) / 60
        complete = status == 0 and is_whole(work.file(model))
        write_json(folder / DONE, facts | {"complete": complete})
    if not complete:
        lines = (folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
        end = "\n".join(lines[-TAIL:])
        raise TrainingError(f"{model}: status {status}: {' '.join(words)}\n{end}")
    return float(facts["minutes"])


def started(words: Sequence[str], log: Path) -> int:
    """Run a command with its output in `log` -> exit status; `python` is this interpreter."""
    python = sys.executable if words[0] == "python" else words[0]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [python, *words[1:]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as command,
    ):
        COMMANDS.add(command)
        try:
            return command.wait()
        finally:
            COMMANDS.discard(command)


def is_whole(path: Path) -> bool:
    """Whether a model has all its steps; a stopped trainer saves an incomplete one."""
    if not path.is_file():
        return False
    record = read_record(path)
    return int(record.get("steps", 0)) >= int(record.get("config", {}).get("total_steps", 0))
