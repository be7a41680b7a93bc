"""What the page is made of: settings, models and rows of a YAML file, checked as a whole."""

from __future__ import annotations

import re
import shlex
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from agemonia_env.packs.folders import STRICT, ContentError, describe, listed, read_yaml
from agemonia_env.rulesets.doors import DEFAULT as DEFAULT_ENV

CARD = Path(__file__).resolve().parents[1] / "configs" / "results.yaml"
TEST, TRAIN = "test", "train"  # scenario seeds: who is tested on the one was trained on the other
HEROES, ENEMIES = "heroes", "enemies"  # the two kinds of tables
FREE = "free"  # enemy_will of Enemies that a policy moves
CARDS = "cards"  # who moves Enemies that no policy moves
BASE = re.compile(r"--from \{(\w+)\}")  # in a command that trains: the model it begins with

Positive = Annotated[int, Field(gt=0)]
Seeds = Annotated[list[int], Field(min_length=1)]
Setting = dict[str, Any]  # what is played, as agemonia_env.simulate takes it


class ModelCard(BaseModel):
    """Models of one kind: one for every setting and seed.

    train: the command of one of them, in which {play} stands for the options that name the setting,
    {seed} and {out} for themselves, and {NAME} for the file of the model NAME of the same setting
    and seed. resume: the command that goes on from a checkpoint. file: below the folder {out};
    enemy_file: that of the Enemies where one command trains both sides, and `file` the Heroes'.
    trained_on: the setting of the only one of a seed, which plays in all; settings: those that
    there is one for, if not for all. weights: the seed of those that are published, if any are.
    """

    model_config = STRICT

    train: str
    resume: str | None = None
    file: str = "model.npz"
    enemy_file: str | None = None
    trained_on: str | None = None
    settings: list[str] | None = None
    seeds: Seeds | None = None
    weights: int | None = None


class RowCard(BaseModel):
    """A row of a table: who plays the Heroes, and who the Enemies where they have a free will."""

    model_config = STRICT

    name: str
    policy: str
    enemies: str | None = None
    games: Positive | None = None
    settings: list[str] | None = None


Rows = Annotated[list[RowCard], BeforeValidator(listed)]


class Card(BaseModel):
    """The whole file; the comments are in agents/configs/results.yaml."""

    model_config = STRICT

    games: Positive
    seed: Annotated[int, Field(ge=0)]
    seeds: Seeds
    settings: Annotated[dict[str, Setting], Field(min_length=1)]
    models: dict[str, ModelCard] = {}
    heroes: Rows
    enemies: Rows = []

    @model_validator(mode="after")
    def _names_what_there_is(self) -> Card:
        for key, model in self.models.items():
            settings = [*(model.settings or ()), *filter(None, [model.trained_on])]
            self._check(f"models.{key}", [model.train, model.resume or ""], settings)
        for table, row in self.rows():
            texts = [row.policy, row.enemies or ""]
            self._check(f"{table}.{row.name}", texts, row.settings or ())
        return self

    def _check(self, where: str, texts: list[str], settings: Any) -> None:
        allowed = {"play", "seed", "out"} if where.startswith("models.") else set[str]()
        for name in {name for text in texts for name in fields(text)} - allowed:
            if name not in self.models:
                raise ValueError(f"{where}: {{{name}}} is no model; there are {told(self.models)}")
        for name in settings:
            if name not in self.settings:
                raise ValueError(f"{where}: no setting {name!r}; there are {told(self.settings)}")

    def rows(self) -> Iterator[tuple[str, RowCard]]:
        """Every row with its table, in the order of the page."""
        yield from ((HEROES, row) for row in self.heroes)
        yield from ((ENEMIES, row) for row in self.enemies)


def told(names: Mapping[str, Any]) -> str:
    """Names in a message."""
    return ", ".join(names) or "none"


def fields(text: str) -> list[str]:
    """Names in braces, as str.format has them. ValueError if the braces do not match."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def read_card(path: Path) -> Card:
    """The card of a file. Raises ContentError with all that is wrong with it."""
    try:
        return Card.model_validate(read_yaml(path))
    except ValidationError as error:
        raise ContentError([f"{path}: {text}" for text in describe(Card, error)]) from None
    except ValueError as error:
        raise ContentError([f"{path}: {error}"]) from None


# ---- models -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Model:
    """One model: the kind it is of, the setting that it is trained on, and its seed."""

    name: str
    setting: str
    seed: int

    def __str__(self) -> str:
        """As --only and folders have it."""
        return f"{self.name}/{self.setting}/{self.seed}"


@dataclass(frozen=True)
class Cell:
    """One number of the page: a row in a setting, with the models of one seed if it has any."""

    table: str
    row: RowCard
    setting: str
    seed: int | None

    def __str__(self) -> str:
        """As --only has it."""
        end = "" if self.seed is None else f"/{self.seed}"
        return f"{self.table}/{self.setting}/{self.row.name}{end}"


@dataclass(frozen=True)
class Work:
    """A card and the folder that models and games are kept in."""

    card: Card
    out: Path

    # ---- what there is to do --------------------------------------------------------------------
    def models(self) -> list[Model]:
        """Every model of the card; those that a model begins with, or plays against, before it."""
        found: list[Model] = []
        for name, kind in self.card.models.items():
            settings = [kind.trained_on] if kind.trained_on else self.settings(name)
            found += [Model(name, one, seed) for one in settings for seed in self.seeds(name)]
        return found

    def cells(self) -> Iterator[Cell]:
        """Every number of the page; rows whose models are not for a setting are left out there."""
        for table, row in self.card.rows():
            names = self._kinds(row)
            for setting in row.settings or self.card.settings:
                if any(setting not in self.settings(name) for name in names):
                    continue
                seeds = self.seeds(names[0]) if names else [None]
                yield from (Cell(table, row, setting, seed) for seed in seeds)

    def settings(self, name: str) -> list[str]:
        """Those that a kind of model plays in."""
        return self.card.models[name].settings or list(self.card.settings)

    def seeds(self, name: str) -> Sequence[int]:
        """Those that a kind of model is trained with."""
        return self.card.models[name].seeds or self.card.seeds

    def _kinds(self, row: RowCard) -> list[str]:
        return list(dict.fromkeys([*fields(row.policy), *fields(row.enemies or "")]))

    # ---- where it lies --------------------------------------------------------------------------
    def folder(self, model: Model) -> Path:
        """Where a model is trained."""
        return self.out / "models" / str(model)

    def file(self, model: Model) -> Path:
        """The model itself."""
        return self.folder(model) / self.card.models[model.name].file

    def enemy_file(self, model: Model) -> Path:
        """That which moves Enemies."""
        kind = self.card.models[model.name]
        return self.folder(model) / (kind.enemy_file or kind.file)

    def of(self, name: str, setting: str, seed: int) -> Model:
        """The model of a kind for a setting and a seed; its only seed where it has no such one."""
        seeds = self.seeds(name)
        own = self.card.models[name].trained_on or setting
        return Model(name, own, seed if seed in seeds else seeds[0])

    def begins_with(self, model: Model) -> Model | None:
        """The model whose training a model's own goes on from, if there is one."""
        base = BASE.search(self.card.models[model.name].train)
        return self.of(base[1], model.setting, model.seed) if base else None

    def models_of(self, cell: Cell) -> list[Model]:
        """The models that play in a cell: that of the Heroes before that of the Enemies."""
        if cell.seed is None:
            return []
        return [self.of(name, cell.setting, cell.seed) for name in self._kinds(cell.row)]

    # ---- in words -------------------------------------------------------------------------------
    def command(self, model: Model, text: str) -> list[str]:
        """The words of a command of a model's card."""
        play = options(self.card.settings[model.setting])
        values = {"play": play, "seed": model.seed, "out": shlex.quote(str(self.folder(model)))}
        others = (name for name in fields(text) if name in self.card.models)
        files = {name: self.file(self.of(name, model.setting, model.seed)) for name in others}
        return shlex.split(text.format(**values, **files))

    def players(self, cell: Cell) -> tuple[str, str | None]:
        """Policies of a cell as agemonia_env.simulate takes them: of Heroes, of Enemies."""
        models, enemies = self.models_of(cell), cell.row.enemies
        heroes = {model.name: self.file(model) for model in models}
        rivals = {model.name: self.enemy_file(model) for model in models}
        return cell.row.policy.format(**heroes), enemies and enemies.format(**rivals)


def options(setting: Setting) -> str:
    """A setting as the command line of a trainer has it: what is tested on, trained on instead."""
    words = []
    for key, value in setting.items():
        if key == "env" and value == DEFAULT_ENV:
            continue
        shown = TRAIN if value == TEST else value
        text = yaml.safe_dump(shown, default_flow_style=True).removesuffix("\n...\n").strip()
        words += ["--" + key.replace("_", "-"), shlex.quote(text)]
    return " ".join(words)
