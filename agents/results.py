"""Train and play what docs/results.md shows; accept published models for changed rules.

    python -m agents.results                         train, play and write
    python -m agents.results train --only '^ppo/'    missing models: KIND/SETTING/SEED
    python -m agents.results play --only '^heroes/'  missing games: TABLE/SETTING/ROW, and /SEED
    python -m agents.results write                   docs/results.json, and the page's tables
    python -m agents.results restamp [FILE ...]      published models, all of them without a FILE

agents/configs/results.yaml says what to train and play. Models and games are under --out; what is
there is made again only if rules, model or row changed. Numbers not played here are those published
so far, if rules, command and models are the same.

`restamp` is for models made for rules that play differently, which are refused. It plays their
published games again. If the 95 % intervals of the new and the published win rate overlap, the
model's record gets the current identity and the new measurement, and so do results.json and the
page. Otherwise it must be trained again, as after a changed layout of observations or actions.

Status 0: done; 1: a restamped model wins more or less often; 2: bad input or a failed command.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shlex
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

from rich.console import Console

import agemonia_env
from agemonia_env.cli.output import line_of
from agemonia_env.files.locking import locked_folder
from agemonia_env.files.stopping import STATUS, as_command
from agemonia_env.files.writing import check_out_folder, write_json, write_whole
from agemonia_env.packs.folders import read_yaml
from agemonia_env.policies import FORCE
from agemonia_env.policies.network import Network
from agemonia_env.rulesets.doors import DEFAULT as DEFAULT_ENV
from agemonia_env.rulesets.identity import IDENTITY, identity_of, rules_difference, rules_hash
from agemonia_env.simulation.interval import wilson
from agemonia_env.simulation.plan import make_plan
from agemonia_env.simulation.result_cache import CachedSimulation
from agemonia_env.warmup import compile_if_cold

from .config import CONFIGS
from .model_file import made_by, read_record, versions

CONFIG, OUT = CONFIGS / "results.yaml", Path("runs/results")
DOCS, WEIGHTS = Path("docs"), Path("agents/weights")
DATA, PAGE = "results.json", "results.md"  # in DOCS
DONE, LOG = "training.json", "training.log"  # in the folder of a model
TRAIN, PLAY, WRITE, RESTAMP = VERBS = ("train", "play", "write", "restamp")
TABLES = ("heroes", "enemies")
RULES = "rules"  # key of the hash of the rules, in every fact
STAMPS = "stamps"  # key of a record: its re-stampings, the newest last
THREADS = 2
TAIL = 12  # lines of a failed command that are shown
TABLE = re.compile(r"(<!--table ([\w-]+)-->).*?(<!--/table-->)", re.DOTALL)

Fact = dict[str, Any]


# ---- what there is to do ------------------------------------------------------------------------
class Cell(NamedTuple):
    """One number: a row of a table in a setting, for one seed if models play."""

    table: str
    setting: str
    row: Fact
    seed: int | None

    def __str__(self) -> str:
        """The name used by --only."""
        names = self.table, self.setting, self.row["name"], self.seed
        return "/".join(str(name) for name in names if name is not None)


@dataclass(frozen=True)
class Work:
    """What results.yaml says, and the folder of models and games. Models are KIND/SETTING/SEED."""

    config: Fact
    out: Path

    def models(self) -> list[str]:
        """Every model, after the models that it starts from or plays against."""
        return [
            f"{kind}/{setting}/{seed}"
            for kind, one in self.config.get("models", {}).items()
            for setting in one["settings"]
            for seed in one["seeds"]
        ]

    def cells(self) -> list[Cell]:
        """Every cell, in the order of the tables."""
        return [
            Cell(table, setting, row, seed)
            for table in TABLES
            for row in self.config.get(table, ())
            for setting in row.get("settings", self.config["settings"])
            for seed in row.get("seeds", [None])
        ]

    def folder(self, model: str) -> Path:
        """Where a model is trained."""
        return self.out / "models" / model

    def file(self, model: str) -> Path:
        """The model's file."""
        kind: Fact = self.config["models"][model.split("/")[0]]
        return self.folder(model) / str(kind.get("file", "model.npz"))

    def setting(self, name: str) -> Fact:
        """What is played in a setting, as arguments of agemonia_env.simulate."""
        return dict(self.config["settings"][name])

    def command(self, model: str) -> list[str]:
        """The command that trains a model."""
        kind, setting, seed = model.split("/")
        play = options(self.setting(setting)).replace("-seed test", "-seed train")
        text, out = self.config["models"][kind]["train"], shlex.quote(str(self.out / "models"))
        return shlex.split(text.format(play=play, out=out, setting=setting, seed=seed))

    def played(self, cell: Cell) -> Fact:
        """The arguments of agemonia_env.simulate; all policies play the same seeds."""
        row, more = cell.row, {"out": self.out / "models", **cell._asdict()}
        players = {"policy": row["policy"].format(**more)}
        if "enemies" in row:
            players |= {"enemy_will": "free", "enemy_policy": row["enemies"].format(**more)}
        games = row.get("games", self.config["games"])
        return self.setting(cell.setting) | players | {"games": games, "seed": self.config["seed"]}

    def models_of(self, cell: Cell) -> list[str]:
        """The models that play in a cell."""
        played = options(self.played(cell))
        return [model for model in self.models() if f"{self.folder(model)}/" in played]


def options(arguments: Fact) -> str:
    """Arguments as options of a command."""
    return " ".join(f"--{key.replace('_', '-')} {value}" for key, value in arguments.items())


def rules_of(setting: Fact) -> str:
    """The hash of the current rules of a setting: how all its scenarios play."""
    return rules_hash(identity_of(setting.get("env", DEFAULT_ENV)))


# ---- training -----------------------------------------------------------------------------------
def train(work: Work, models: Sequence[str], console: Console) -> None:
    """Train missing models, one after the other: one may start from another."""
    for model in models:
        if not is_trained(work, model):
            console.print(f"training {model}")
            run_trainer(work, model)


def read_json(path: Path) -> Fact:
    """A file of JSON; empty if there is none."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def is_trained(work: Work, model: str) -> bool:
    """Whether a model has all its steps. ValueError if another command or other rules made it."""
    file, known = work.file(model), read_json(work.folder(model) / DONE)
    record = read_record(file) if file.is_file() and known else {}
    if record.get("steps", 0) < record.get("config", {}).get("total_steps", 1):
        return False
    made = rules_hash(record.get(IDENTITY)), known["command"]
    if made != (rules_of(work.setting(model.split("/")[1])), work.command(model)):
        told = f"trained with other rules, or by another command ({made[0]}, {shlex.join(made[1])})"
        raise ValueError(f"{work.folder(model)}: {told}; delete the folder")
    return True


def run_trainer(work: Work, model: str) -> None:
    """Train a model, from its last checkpoint if there is one. ValueError if the command fails."""
    folder, file, command = work.folder(model), work.file(model), work.command(model)
    begun = file.is_file() or any(file.parent.glob("checkpoints/step_*"))
    minutes = read_json(folder / DONE).get("minutes", 0.0) if begun else 0.0
    words, start = [*command, *["--resume"] * begun], time.monotonic()
    words[0] = sys.executable if words[0] == "python" else words[0]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOG).open("wb") as log:
        trainer = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            trainer.wait()
        finally:
            trainer.terminate()  # if this process is stopped: the trainer saves its model
            trainer.wait()
            minutes += (time.monotonic() - start) / 60
            write_json(folder / DONE, {"command": command, "minutes": minutes})
    if trainer.returncode or not is_trained(work, model):
        lines = (folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
        end = "\n".join(lines[-TAIL:])
        raise ValueError(f"{model}: status {trainer.returncode}: {shlex.join(words)}\n{end}")


# ---- playing ------------------------------------------------------------------------------------
def play(work: Work, cells: Sequence[Cell], console: Console) -> None:
    """Play missing games, but for cells whose models are not trained yet."""
    for cell in cells:
        if not is_ready(work, cell):
            console.print(f"{cell}: no model yet; `{TRAIN}` makes it")
        elif not (games := games_of(work, cell)).is_played():
            compile_if_cold(console.print, games.plan.env)
            console.print(f"playing {cell}")
            games.play(THREADS, console)


def is_ready(work: Work, cell: Cell) -> bool:
    """Whether the models of a cell are trained."""
    return all(is_trained(work, model) for model in work.models_of(cell))


def games_of(work: Work, cell: Cell) -> CachedSimulation:
    """The stored games of a cell."""
    played = work.played(cell)
    first = [played.pop(key, None) for key in ("scenario", "heroes", "policy", "games")]
    return CachedSimulation(make_plan(*first, **played), work.out / "games", str(cell))


# ---- facts --------------------------------------------------------------------------------------
def facts_of(work: Work, published: Fact) -> tuple[Fact, list[str]]:
    """The data of the page, and the cells that are left out because they are unknown.

    published: the data so far, {} for none.
    """
    known = {model: model_fact(work, model, published) for model in work.models()}
    models = {model: fact for model, fact in known.items() if fact}
    old = {cell["cell"]: cell for row in published.get("rows", ()) for cell in row["cells"]}
    rows: dict[str, Fact] = {}
    unknown = []
    for cell in work.cells():
        fact = cell_fact(work, cell, models, old.get(str(cell), {}))
        if fact is None:
            unknown.append(str(cell))
            continue
        row = {"table": cell.table, "setting": cell.setting, "name": cell.row["name"], "cells": []}
        rows.setdefault(str(cell._replace(seed=None)), row)["cells"].append(fact)
    for row in rows.values():
        row |= rate(*(sum(cell[key] for cell in row["cells"]) for key in ("wins", "games")))
        row["won"] = mean(cell["won"] for cell in row["cells"])  # every seed counts alike
    facts = {"versions": versions(), "rows": [*rows.values()], "models": models}
    return facts | {"weights": weights_of(work, rows.values())}, unknown


def rate(wins: int, games: int) -> Fact:
    """A win rate with its 95 % interval."""
    low, high = wilson(wins, games)
    return {"games": games, "wins": wins, "won": wins / games, "low": low, "high": high}


def model_fact(work: Work, model: str, published: Fact) -> Fact | None:
    """How a model was trained, here or as published; None if unknown."""
    file, command = work.file(model), shlex.join(work.command(model))
    if not is_trained(work, model):
        fact: Fact = published.get("models", {}).get(model, {})
        return fact if fact.get("command") == command else None
    record, minutes = read_record(file), read_json(work.folder(model) / DONE)["minutes"]
    return {
        "steps": record["steps"] + record["config"].get("imitation_steps", 0),
        "minutes": round(minutes, 2),
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest()[:16],
        "command": command,
    }


def cell_fact(work: Work, cell: Cell, models: Fact, published: Fact) -> Fact | None:
    """How often a cell is won, here or as published; None if unknown."""
    played, own = work.played(cell), work.models_of(cell)
    games = played.pop("games")
    same = {
        "cell": str(cell),
        "models": {model: models.get(model, {}).get("sha256") for model in own},
        "command": f"agemonia simulate {options(played)} -n {games}",
        RULES: rules_of(work.setting(cell.setting)),
    }
    rows = games_of(work, cell).rows() if is_ready(work, cell) else None
    if rows is None:
        return published if same.items() <= published.items() else None
    return same | rate(int(rows["won"].sum()), games)


def weights_of(work: Work, rows: Iterable[Fact]) -> dict[str, Fact]:
    """The models in WEIGHTS: file name -> the model, where it plays alone, and its win rate."""
    return {
        name: {"model": model, "row": row["name"], "setting": work.setting(row["setting"])}
        | {key: cell[key] for key in (RULES, *rate(0, 1))}
        for name, model in work.config.get("published", {}).items()
        for row in rows
        for cell in row["cells"]
        if row["table"] == TABLES[0] and [*cell["models"]] == [model]
    }


# ---- the page -----------------------------------------------------------------------------------
def write(work: Work, console: Console) -> None:
    """Write the data, the page's tables and the published weights; unknown cells are left out."""
    facts, unknown = facts_of(work, read_json(DOCS / DATA))
    if not facts["rows"]:
        raise ValueError("nothing is known with these rules; train and play first")
    if unknown:
        console.print(f"not played yet, and left out: {', '.join(unknown)}")
    for name, entry in facts["weights"].items():
        if (file := work.file(entry["model"])).is_file():
            write_whole(WEIGHTS / name, file.read_bytes())
    write_page(facts)
    console.print(f"Written: {DOCS / PAGE}; python docs/report.py draws its picture")


def write_page(facts: Fact) -> None:
    """Write results.json, and the tables of the page."""
    text = filled((DOCS / PAGE).read_text(encoding="utf-8"), facts)
    write_json(DOCS / DATA, facts, indent=1)
    write_whole(DOCS / PAGE, text)


def filled(page: str, facts: Fact) -> str:
    """The page with the tables of these facts."""
    tables = {table: rates(facts, table) for table in TABLES}
    tables |= {"models": trained(facts), "weights": weights(facts)}
    return TABLE.sub(lambda found: f"{found[1]}\n\n{tables[found[2]]}\n\n{found[3]}", page)


def grid(heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    rows = [heads, ["---"] * len(heads), *lines]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def percent(fact: Fact) -> str:
    """A win rate with its interval."""
    won, low, high = (100 * fact[key] for key in ("won", "low", "high"))
    return f"{won:.1f} ({low:.1f} to {high:.1f})"


def rates(facts: Fact, table: str) -> str:
    """The heroes' win rate in every row and setting of a table."""
    rows: dict[str, Fact] = {}
    for row in (one for one in facts["rows"] if one["table"] == table):
        rows.setdefault(row["name"], {})[row["setting"]] = row
    settings = list(dict.fromkeys(setting for row in rows.values() for setting in row))
    lines = []
    for name, row in rows.items():
        marks = {cell[RULES] for one in row.values() for cell in one["cells"]}
        about = f"{max(one['games'] for one in row.values()):,}", ", ".join(sorted(marks))
        won = (percent(row[setting]) if setting in row else "-" for setting in settings)
        lines.append([name, *about, *won])
    return grid(["policy", "games", "rules", *settings], lines)


def trained(facts: Fact) -> str:
    """Cost and command of each kind of model."""
    kinds: dict[str, list[Fact]] = {}
    for name, model in facts["models"].items():
        kinds.setdefault(name.split("/")[0], []).append(model)
    lines = []
    for kind, models in kinds.items():
        first, minutes = models[0], median(one["minutes"] for one in models)
        cost = len(models), f"{first['steps']:,}", f"{minutes:.1f}"
        lines.append([f"`{kind}`", *cost, f"`{first['command']}`"])
    return grid(["kind", "models", "samples", "minutes", "command of the first"], lines)


def weights(facts: Fact) -> str:
    """The published models and their win rates."""
    entries = facts["weights"].items()
    lines = ([f"`{name}`", one["row"], percent(one), f"`{one[RULES]}`"] for name, one in entries)
    return grid(["file", "row", "won", "rules"], lines)


# ---- changed rules ------------------------------------------------------------------------------
def played_again(path: Path, entry: Fact, games: int, seed: int, *, force: bool) -> Fact:
    """The win rate of a published model in its setting, under the current rules.

    entry: of `weights` in results.json; force: even if the model was made for other rules.
    """
    policy = f"{FORCE if force else ''}{path}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it was made for other rules
        rows = agemonia_env.simulate(games=games, seed=seed, policy=policy, **entry["setting"])
    return rate(int(rows["won"].sum()), games)


def is_as_published(new: Fact, entry: Fact) -> bool:
    """Whether the intervals of two win rates overlap."""
    return bool(new["low"] <= entry["high"] and entry["low"] <= new["high"])


def restamp(path: Path, facts: Fact, seed: int, console: Console) -> bool:
    """Stamp one model and update the page; False if its win rate differs."""
    if path.name not in facts["weights"]:
        known = ", ".join(facts["weights"])
        raise ValueError(f"{path}: not a published model; there are {known}")
    network, entry = Network.load(path), facts["weights"][path.name]
    old, here = network.record.get(IDENTITY), identity_of(network.record["env_id"])
    changed = rules_difference(old, here)
    if changed is None:
        console.print(f"{path.name}: matches the current rules")
        return True
    console.print(f"{path.name}: {changed}; playing {entry['games']:,} games ...")
    new = played_again(path, entry, entry["games"], seed, force=True)
    wins = f"{path.name}: wins {percent(new)} %"
    if not is_as_published(new, entry):
        console.print(f"{wins}, published {percent(entry)} %: not stamped; train it again")
        return False
    stamp = {"from": rules_hash(old), "to": rules_hash(here), **new, **made_by()}
    stamps = [*network.record.get(STAMPS, ()), stamp]
    replace(network, record={**network.record, IDENTITY: here, STAMPS: stamps}).save(path)
    entry |= new | {RULES: rules_hash(here)}
    write_page(facts)
    console.print(f"{wins}: stamped")
    return True


# ---- the command line ---------------------------------------------------------------------------
def run(options: argparse.Namespace, console: Console) -> int:
    """Do what the command line says -> its status."""
    work = Work(read_yaml(options.config), options.out)
    if options.verb == RESTAMP:
        facts, seed = read_json(DOCS / DATA), work.config["seed"]
        files = options.files or [WEIGHTS / name for name in facts["weights"]]
        stamped = [restamp(path, facts, seed, console) for path in files]
        return 0 if all(stamped) else 1
    models = [model for model in work.models() if re.search(options.only, model)]
    cells = [cell for cell in work.cells() if re.search(options.only, str(cell))]
    if not models and not cells:
        raise ValueError(f"--only {options.only}: matches no model and no cell of the page")
    check_out_folder(options.out)
    with as_command(), locked_folder(options.out):
        if options.verb in (TRAIN, None):
            train(work, models, console)
        if options.verb in (PLAY, None):
            play(work, cells, console)
        if options.verb in (WRITE, None):
            write(work, console)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see the module docstring."""
    about: Fact = {"prog": "python -m agents.results", "description": __doc__}
    parser = argparse.ArgumentParser(**about, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("verb", nargs="?", choices=VERBS, help="(default: train, play and write)")
    add("files", nargs="*", type=Path, metavar="FILE", help="models to restamp")
    add("--config", type=Path, default=CONFIG, help="YAML file (%(default)s)")
    add("--out", type=Path, default=OUT, help="folder of models and games (%(default)s)")
    add("--only", default="", metavar="REGEX", help="train or play only these")
    try:
        return run(parser.parse_args(arguments), Console(soft_wrap=True, highlight=False))
    except (ValueError, OSError, re.error) as error:
        print(f"agents.results: {line_of(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stopped:
        print(f"agents.results: stopped; the same command resumes ({stopped})", file=sys.stderr)
        return STATUS


if __name__ == "__main__":
    sys.exit(main())
