"""The known facts about a cell or model: from this machine, otherwise from the published page."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agemonia_env.rulesets.identity import identity_of, rules_hash
from agemonia_env.simulation.interval import wilson

from ..model_file import read_record
from .page_config import CARDS, FREE, Cell, Model, Work
from .playing import played, ruleset_of
from .rules import RULES, env_of, is_as_here, rules_here
from .training import WHAT, has_same_content, is_trained, stored_facts

Fact = dict[str, Any]


@dataclass(frozen=True)
class Known:
    """Facts of cells and models.

    published: docs/results.json. Its numbers are used for what was not played or trained here, if
    command and models are the same and the rules play alike; {} to use nothing of it.
    """

    work: Work
    published: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def models(self) -> dict[str, Fact]:
        """How each known model was trained, by its name."""
        found = {str(model): self._model(model) for model in self.work.models()}
        return {name: fact for name, fact in found.items() if fact is not None}

    def _model(self, model: Model) -> Fact | None:
        if is_trained(self.work, model):
            return model_fact(self.work, model)
        fact: Fact | None = self.published.get("models", {}).get(str(model))
        if fact is None or fact["command"] != training_of(self.work, model):
            return None
        same = is_as_here(fact, self.published, fact["env_id"])
        return fact if same and has_same_content(fact) else None

    def cell(self, cell: Cell) -> Fact | None:
        """How often a cell is won; None if unknown."""
        fact = cell_fact(self.work, cell)
        if fact is not None:
            return fact
        row, which = row_fact(cell), identity(self.work, cell)
        for other in self.published.get("rows", ()):
            if row.items() <= other.items():
                same = [one for one in other["cells"] if which.items() <= one.items()]
                env = env_of(self.work.config.settings[cell.setting])
                same = [one for one in same if is_as_here(one, self.published, env)]
                return next(filter(self._by_these_models, same), None)
        return None

    def _by_these_models(self, fact: Fact) -> bool:
        """Whether the models of a published cell are still the same files."""
        now, then = self.models, self.published["models"]
        return all(
            name in now and now[name]["sha256"] == then[name]["sha256"] for name in fact["models"]
        )


def training_of(work: Work, model: Model) -> str:
    """The command that trains a model."""
    return shlex.join(work.command(model, work.config.models[model.name].train))


def model_fact(work: Work, model: Model) -> Fact:
    """The facts about a model trained here."""
    record, path, known = read_record(work.file(model)), work.file(model), stored_facts(work, model)
    base, config, played = work.begins_with(model), record.get("config", {}), record["env_kwargs"]
    # The record covers one side and only this training
    own = None if work.config.models[model.name].enemy_file else record.get("minutes")
    return {
        "name": model.name,
        "setting": model.setting,
        "seed": model.seed,
        "side": played.get("side", "hero"),
        "begins_with": base and str(base),
        "steps": record["steps"] + config.get("imitation_steps", 0),
        "minutes": round(float(own or known["minutes"]), 2),
        "cpu": known["cpu"],
        "cores": known["cores"],
        "env_id": record["env_id"],
        "env_kwargs": {key: played[key] for key in WHAT if key in played},
        "fingerprint": record["fingerprint"],
        RULES: rules_hash(identity_of(record["env_id"])),  # otherwise is_trained is false
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest()[:16],
        "command": training_of(work, model),
    }


def row_fact(cell: Cell) -> Fact:
    """What identifies the row of a cell."""
    row = cell.row
    return {
        "table": cell.table,
        "setting": cell.setting,
        "name": row.name,
        "policy": row.policy,
        "enemies": row.enemies or CARDS,
    }


def identity(work: Work, cell: Cell) -> Fact:
    """What identifies a cell within its row, and its games."""
    return {
        "seed": cell.seed,
        "models": [str(model) for model in work.models_of(cell)],
        "ruleset": ruleset_of(work, cell),
        "command": command(work, cell, *work.players(cell)),
    }


def cell_fact(work: Work, cell: Cell) -> Fact | None:
    """How often a cell is won, from games on this machine; None without them."""
    games = played(work, cell)
    if games is None:
        return None
    wins = int(games["won"].sum())
    low, high = wilson(wins, len(games))
    (rules,) = rules_here(env_of(work.config.settings[cell.setting]))
    return {
        **identity(work, cell),
        RULES: rules,
        "games": len(games),
        "wins": wins,
        "won": wins / len(games),
        "low": low,
        "high": high,
        "rounds": round(float(games["rounds"].mean() or 0), 2),  # type: ignore[arg-type]
    }


def command(work: Work, cell: Cell, policy: str, enemies: str | None) -> str:
    """The command that plays the games of a cell."""
    words = ["agemonia", "simulate"]
    for key, value in work.config.settings[cell.setting].items():
        between = (
            "," if key == "heroes" else "-"
        )  # between names of a party, ends of a range of seeds
        text = between.join(map(str, value)) if isinstance(value, list) else str(value)
        words += ["--" + key.replace("_", "-"), text]
    if enemies is not None:
        words += ["--enemy-will", FREE, "--enemy-policy", enemies]
    games = cell.row.games or work.config.games
    return shlex.join(
        [*words, "--policy", policy, "-n", str(games), "--seed", str(work.config.seed)]
    )
