"""Read packs of HexDungeon, reporting all mistakes of all files at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from agemonia_env.display.messages import unknown
from agemonia_env.files.documents import Place
from agemonia_env.packs import folders, patches
from agemonia_env.packs.folders import ContentError, Reader
from agemonia_env.rulesets.doors import RULESETS

from ..core.layout import N_HEROES, N_MONSTERS, N_TYPES
from . import schema
from .board import read_map

SHORTCUTS: patches.Shortcuts = {  # parts of a change's path that may be left out
    schema.Templates: "templates",
    schema.Half: "lines",
}
ENV = "HexDungeon-v0"
FOLDER = RULESETS[ENV].packs


FOLDERS = ("classes", "monsters", "scenarios")


@dataclass(frozen=True)
class Pack:
    """The files of a pack, by their names.

    name: of its folder, and its changes if there are any: `hex-core; monsters.NAME.flying = true`.
    """

    name: str
    folder: Path
    card: schema.PackCard
    templates: dict[str, schema.Template]
    classes: dict[str, schema.HeroClass]
    monsters: dict[str, schema.Monster]
    scenarios: dict[str, schema.Scenario]


def _read(folder: Path) -> Pack:
    reader = Reader(folder)
    card = reader.file("pack.yaml", schema.PackCard)
    templates = reader.file("templates.yaml", schema.Templates)
    classes = reader.files("classes", schema.HeroClass, needed=True)
    monsters = reader.files("monsters", schema.Monster, needed=True)
    scenarios = reader.files("scenarios", schema.Scenario, needed=True)
    if not (card and templates) or reader.errors:
        raise ContentError(reader.errors)
    pack = Pack(folder.name, folder, card, templates.templates, classes, monsters, scenarios)
    errors = list(mistakes(pack))
    if errors:
        raise ContentError(errors)
    return pack


@lru_cache(maxsize=16)
def _read_once(folder: Path, changed: tuple[tuple[str, int], ...]) -> Pack:
    """`changed`: the times of all files, so that an edited pack is read again."""
    del changed
    return _read(folder)


def packs() -> list[str]:
    """Names of the packs that come with the package."""
    return folders.packs_in(FOLDER)


def load_pack(name_or_path: str | Path) -> Pack:
    """A pack by name or folder, perhaps with changes: `hex-core; scenarios.NAME.last_round +1`.

    Raises ValueError, or ContentError with every mistake. patching.py says what a change is.
    """
    name, parts = patches.split(str(name_or_path))
    folder = folders.pack_folder(ENV, name)
    pack = _read_once(folder, folders.times(folder))
    return patched(pack, parts)[0] if parts else pack


def patched(
    pack: Pack, parts: Sequence[str], folder: Path = patches.HERE
) -> tuple[Pack, list[patches.Change]]:
    """A pack with changes, and what they are. Raises ContentError with every mistake.

    parts: changes, and files of changes, with paths relative to `folder`.
    """
    new, found, errors = patches.patched(cards_of(pack), parts, SHORTCUTS, folder)
    values: dict[str, Any] = {}
    for place, card in new.items():
        if place == ("pack",):
            values["card"] = card
        elif isinstance(card, schema.Templates):
            values["templates"] = card.templates
        else:
            kind, key = map(str, place)
            values[kind] = values.get(kind, getattr(pack, kind)) | {key: card}
    name = f"{patches.SEPARATOR} ".join([pack.name, *map(str, found)])
    changed = replace(pack, name=name, **values)
    errors += mistakes(changed)
    if errors:
        raise ContentError(errors)
    return changed, found


def cards_of(pack: Pack) -> dict[Place, BaseModel]:
    """The cards of a pack by folder and name."""
    templates = schema.Templates(templates=pack.templates)
    cards: dict[Place, BaseModel] = {("pack",): pack.card, ("templates",): templates}
    for folder in FOLDERS:
        cards |= {(folder, name): card for name, card in getattr(pack, folder).items()}
    return cards


def scenarios(pack: str | Path | Pack = "hex-core") -> list[str]:
    """Names of the scenarios of a pack, the easiest first."""
    return list((pack if isinstance(pack, Pack) else load_pack(pack)).card.scenarios)


# ---- mistakes between files -----------------------------------------------------------------
def mistakes(pack: Pack) -> Iterator[str]:
    """Every mistake, as `file: key: what is wrong; allowed values`."""
    for key, what, names, there in (
        ("party", "class", pack.card.party, pack.classes),
        ("scenarios", "scenario", pack.card.scenarios, pack.scenarios),
    ):
        for i, name in enumerate(names):
            yield from _unknown(f"pack.yaml: {key}[{i}]", what, name, there)
        for name in sorted({*there} - {*names}):
            yield f"pack.yaml: {key}: {name} is missing"
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"pack.yaml: {key}: {name} is given twice"
    for name, card in pack.classes.items():
        yield from (f"classes/{name}.yaml: {text}" for text in _class_mistakes(pack, card))
    for name, monster in pack.monsters.items():
        for i, deck_card in enumerate(monster.cards):
            for text in _line_mistakes(pack, deck_card.lines):
                yield f"monsters/{name}.yaml: cards[{i}].{text}"
    for name, scenario in pack.scenarios.items():
        yield from (f"scenarios/{name}.yaml: {text}" for text in _scenario_mistakes(pack, scenario))


def _unknown(key: str, what: str, name: str, allowed: Collection[str]) -> Iterator[str]:
    if name not in allowed:
        yield f"{key}: {unknown(what, name, allowed)}"


def _class_mistakes(pack: Pack, card: schema.HeroClass) -> Iterator[str]:
    """Unknown templates and summons."""
    for i, ability_card in enumerate(card.cards):
        for side in ("top", "bottom"):
            half: schema.Half = getattr(ability_card, side)
            yield from (f"cards[{i}].{side}.{text}" for text in _line_mistakes(pack, half.lines))
            for k, line in enumerate(half.lines):
                if line.summon is not None:
                    key = f"cards[{i}].{side}.lines[{k}].summon"
                    yield from _unknown(key, "summon", line.summon, card.summons)


def _line_mistakes(pack: Pack, lines: Collection[schema.Line]) -> Iterator[str]:
    """Unknown templates, and templates that do not fit their range."""
    for i, line in enumerate(lines):
        if line.template is None:
            continue
        key = f"lines[{i}].template"
        yield from _unknown(key, "template", line.template, pack.templates)
        template = pack.templates.get(line.template)
        if template is None:
            continue
        if template.origin == "self" and line.range:
            yield f"{key}: {line.template} has the own hex: it is melee, without a range (G5.1)"
        if template.origin == "free" and not line.range and isinstance(line, schema.HeroLine):
            yield f"{key}: {line.template} has no own hex: it needs a range (G5.1)"


def _scenario_mistakes(pack: Pack, card: schema.Scenario) -> Iterator[str]:
    """Mistakes in the map, unknown monsters, and too many monsters."""
    try:
        read_map(card)
    except ValueError as error:
        yield from str(error).split("\n")
    for letter, symbol in card.legend.items():
        if symbol.monster is not None:
            key = f"legend.{letter}.monster"
            yield from _unknown(key, "monster", symbol.monster, pack.monsters)
    if len(types_of(card)) > N_TYPES:
        yield f"legend: {len(types_of(card))} types of monsters; at most {N_TYPES}"
    for n in range(1, N_HEROES + 1):
        coming = sum(rank != "none" for _, _, rank in monsters_of(card, n))
        if not 0 < coming <= N_MONSTERS:
            yield f"legend: {coming} monsters with {n} characters; from 1 to {N_MONSTERS}"


def types_of(card: schema.Scenario) -> list[str]:
    """Monster types of a scenario, in the order of its legend."""
    return list(dict.fromkeys(s.monster for s in card.legend.values() if s.monster is not None))


def monsters_of(card: schema.Scenario, n: int) -> Iterator[tuple[str, str, schema.RankName]]:
    """Letter, type and rank of each monster of the legend, for n characters."""
    for letter, symbol in card.legend.items():
        if symbol.monster is not None and symbol.heroes is not None:
            yield letter, symbol.monster, symbol.heroes[n - 1]


def starter_enemies(pack: str, scenario: str) -> list[str]:
    """Monsters that a pack of this one scenario needs."""
    legend = load_pack(pack).scenarios[scenario].legend.values()
    return [symbol.monster for symbol in legend if symbol.monster]
