"""The configuration of the page: settings, models and rows of a YAML file, validated."""

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

PAGE_CONFIG = Path(__file__).resolve().parents[1] / "configs" / "results.yaml"
TEST, TRAIN = "test", "train"  # scenario seeds: models tested on one are trained on the other
HEROES, ENEMIES = "heroes", "enemies"  # the two kinds of tables
FREE = "free"  # enemy_will of enemies moved by a policy
CARDS = "cards"  # in place of a policy for enemies driven by their cards
BASE = re.compile(r"--from \{(\w+)\}")  # in a training command: the model it starts from

Positive = Annotated[int, Field(gt=0)]
Seeds = Annotated[list[int], Field(min_length=1)]
Setting = dict[str, Any]  # what is played, as agemonia_env.simulate takes it


class ModelConfig(BaseModel):
    """Models of one kind: one for every setting and seed.

    train: the command, with {play} for the options of the setting, {seed} and {out} for seed and
    folder, and {NAME} for the file of the model NAME of the same setting and seed. resume: the
    command that continues from a checkpoint. file: of the model, below {out}; enemy_file: the model
    of the enemies if the command trains both sides. trained_on: the one setting to train on, if the
    model then plays in all; settings: to train on, by default all. weights: the seed whose models
    are published, if any; published: the settings of which, by default all.
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
    published: list[str] | None = None


class RowConfig(BaseModel):
    """A row of a table: the policy of the heroes, and that of enemies with free will."""

    model_config = STRICT

    name: str
    policy: str
    enemies: str | None = None
    games: Positive | None = None
    settings: list[str] | None = None


Rows = Annotated[list[RowConfig], BeforeValidator(listed)]


class PageConfig(BaseModel):
    """The whole file; agents/configs/results.yaml has comments."""

    model_config = STRICT

    games: Positive
    seed: Annotated[int, Field(ge=0)]
    seeds: Seeds
    settings: Annotated[dict[str, Setting], Field(min_length=1)]
    models: dict[str, ModelConfig] = {}
    heroes: Rows
    enemies: Rows = []

    @model_validator(mode="after")
    def _names_what_there_is(self) -> PageConfig:
        for key, model in self.models.items():
            settings = [*(model.settings or ()), *(model.published or ())]
            settings += filter(None, [model.trained_on])
            self._check(f"models.{key}", [model.train, model.resume or ""], settings)
        for table, row in self.rows():
            texts = [row.policy, row.enemies or ""]
            self._check(f"{table}.{row.name}", texts, row.settings or ())
        return self

    def _check(self, where: str, texts: list[str], settings: Any) -> None:
        allowed = {"play", "seed", "out"} if where.startswith("models.") else set[str]()
        for name in {name for text in texts for name in fields(text)} - allowed:
            if name not in self.models:
                allowed_names = listed_names(self.models)
                raise ValueError(f"{where}: {{{name}}} is not a model; allowed: {allowed_names}")
        for name in settings:
            if name not in self.settings:
                allowed_names = listed_names(self.settings)
                raise ValueError(f"{where}: {name!r} is not a setting; allowed: {allowed_names}")

    def rows(self) -> Iterator[tuple[str, RowConfig]]:
        """Every row with its table, in the order of the page."""
        yield from ((HEROES, row) for row in self.heroes)
        yield from ((ENEMIES, row) for row in self.enemies)


def listed_names(names: Mapping[str, Any]) -> str:
    """Names for a message."""
    return ", ".join(names) or "none"


def fields(text: str) -> list[str]:
    """Names in braces, as in str.format. ValueError for unmatched braces."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def read_page_config(path: Path) -> PageConfig:
    """Read a configuration. Raises ContentError with all its mistakes."""
    try:
        return PageConfig.model_validate(read_yaml(path))
    except ValidationError as error:
        raise ContentError([f"{path}: {text}" for text in describe(PageConfig, error)]) from None
    except ValueError as error:
        raise ContentError([f"{path}: {error}"]) from None


# ---- models -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Model:
    """One model: its kind, the setting it is trained on, and its seed."""

    name: str
    setting: str
    seed: int

    def __str__(self) -> str:
        """The name used by --only and for folders."""
        return f"{self.name}/{self.setting}/{self.seed}"


@dataclass(frozen=True)
class Cell:
    """One number of the page: a row in a setting, for one seed if models play."""

    table: str
    row: RowConfig
    setting: str
    seed: int | None

    def __str__(self) -> str:
        """The name used by --only."""
        end = "" if self.seed is None else f"/{self.seed}"
        return f"{self.table}/{self.setting}/{self.row.name}{end}"


@dataclass(frozen=True)
class Work:
    """A page configuration, and the folder of its models and games."""

    config: PageConfig
    out: Path

    # ---- models and cells --------------------------------------------------------------------
    def models(self) -> list[Model]:
        """Every model, after the models that it starts from or plays against."""
        found: list[Model] = []
        for name, kind in self.config.models.items():
            settings = [kind.trained_on] if kind.trained_on else self.settings(name)
            found += [Model(name, one, seed) for one in settings for seed in self.seeds(name)]
        return found

    def cells(self) -> Iterator[Cell]:
        """Every cell of the page; a row without models for a setting is left out there."""
        for table, row in self.config.rows():
            names = self._kinds(row)
            for setting in row.settings or self.config.settings:
                if any(setting not in self.settings(name) for name in names):
                    continue
                seeds = self.seeds(names[0]) if names else [None]
                yield from (Cell(table, row, setting, seed) for seed in seeds)

    def settings(self, name: str) -> list[str]:
        """The settings that a kind of model plays in."""
        return self.config.models[name].settings or list(self.config.settings)

    def seeds(self, name: str) -> Sequence[int]:
        """The training seeds of a kind of model."""
        return self.config.models[name].seeds or self.config.seeds

    def _kinds(self, row: RowConfig) -> list[str]:
        return list(dict.fromkeys([*fields(row.policy), *fields(row.enemies or "")]))

    # ---- paths --------------------------------------------------------------------------
    def folder(self, model: Model) -> Path:
        """Where a model is trained."""
        return self.out / "models" / str(model)

    def file(self, model: Model) -> Path:
        """The model's file."""
        return self.folder(model) / self.config.models[model.name].file

    def enemy_file(self, model: Model) -> Path:
        """The file of the model that moves the enemies."""
        kind = self.config.models[model.name]
        return self.folder(model) / (kind.enemy_file or kind.file)

    def of(self, name: str, setting: str, seed: int) -> Model:
        """The model of a kind for a setting and a seed, or for its only seed."""
        seeds = self.seeds(name)
        own = self.config.models[name].trained_on or setting
        return Model(name, own, seed if seed in seeds else seeds[0])

    def begins_with(self, model: Model) -> Model | None:
        """The model that a model's training starts from, if any."""
        base = BASE.search(self.config.models[model.name].train)
        return self.of(base[1], model.setting, model.seed) if base else None

    def models_of(self, cell: Cell) -> list[Model]:
        """The models that play in a cell: the heroes' before the enemies'."""
        if cell.seed is None:
            return []
        return [self.of(name, cell.setting, cell.seed) for name in self._kinds(cell.row)]

    # ---- commands -------------------------------------------------------------------------------
    def command(self, model: Model, text: str) -> list[str]:
        """A training command of a model, as a list of words."""
        play = options(self.config.settings[model.setting])
        values = {"play": play, "seed": model.seed, "out": shlex.quote(str(self.folder(model)))}
        others = (name for name in fields(text) if name in self.config.models)
        files = {name: self.file(self.of(name, model.setting, model.seed)) for name in others}
        return shlex.split(text.format(**values, **files))

    def players(self, cell: Cell) -> tuple[str, str | None]:
        """The policies of a cell, for agemonia_env.simulate: heroes', enemies'."""
        models, enemies = self.models_of(cell), cell.row.enemies
        heroes = {model.name: self.file(model) for model in models}
        rivals = {model.name: self.enemy_file(model) for model in models}
        return cell.row.policy.format(**heroes), enemies and enemies.format(**rivals)


def options(setting: Setting) -> str:
    """A setting as options of a trainer, with training seeds in place of test seeds."""
    words = []
    for key, value in setting.items():
        if key == "env" and value == DEFAULT_ENV:
            continue
        shown = TRAIN if value == TEST else value
        text = yaml.safe_dump(shown, default_flow_style=True).removesuffix("\n...\n").strip()
        words += ["--" + key.replace("_", "-"), shlex.quote(text)]
    return " ".join(words)
