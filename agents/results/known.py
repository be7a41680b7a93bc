"""What is known of a cell or a model: what is here, and else what the page already says of it."""

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
from .training import WHAT, has_same_content, is_trained, told

Fact = dict[str, Any]


@dataclass(frozen=True)
class Known:
    """Facts of cells and models.

    published: docs/results.json, whose numbers stand for what has not been played or trained here
    as long as command and models are the same and the rules play alike; {} if only what is here
    counts.
    """

    work: Work
    published: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def models(self) -> dict[str, Fact]:
        """How each model that there is was trained, and which it is, under its name."""
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
        """How often a cell is won; None if that is not known."""
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
        """Whether the models of a published cell are still those, none of them trained anew."""
        now, then = self.models, self.published["models"]
        return all(
            name in now and now[name]["sha256"] == then[name]["sha256"] for name in fact["models"]
        )


def training_of(work: Work, model: Model) -> str:
    """The one command that trains a model."""
    return shlex.join(work.command(model, work.config.models[model.name].train))


def model_fact(work: Work, model: Model) -> Fact:
    """What is known of a model that is here."""
    record, path, known = read_record(work.file(model)), work.file(model), told(work, model)
    base, config, played = work.begins_with(model), record.get("config", {}), record["env_kwargs"]
    # What a record says is of one side, and of the training alone
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
        RULES: rules_hash(identity_of(record["env_id"])),  # it plays by these, or it is not trained
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest()[:16],
        "command": training_of(work, model),
    }


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


def identity(work: Work, cell: Cell) -> Fact:
    """Which cell of its row it is, and which games are played."""
    return {
        "seed": cell.seed,
        "models": [str(model) for model in work.models_of(cell)],
        "ruleset": ruleset_of(work, cell),
        "command": command(work, cell, *work.players(cell)),
    }


def cell_fact(work: Work, cell: Cell) -> Fact | None:
    """How often a cell is won whose games are here; None if they are not."""
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
    """The one command that plays the games of a cell."""
    words = ["agemonia", "simulate"]
    for key, value in work.config.settings[cell.setting].items():
        between = "," if key == "heroes" else "-"  # of the names of a party, of a range of seeds
        text = between.join(map(str, value)) if isinstance(value, list) else str(value)
        words += ["--" + key.replace("_", "-"), text]
    if enemies is not None:
        words += ["--enemy-will", FREE, "--enemy-policy", enemies]
    games = cell.row.games or work.config.games
    return shlex.join(
        [*words, "--policy", policy, "-n", str(games), "--seed", str(work.config.seed)]
    )
