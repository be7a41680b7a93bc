"""Read packs: YAML files into schema models, reporting all mistakes at once.

A mistake reads `file: key: what is wrong; allowed values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from agemonia_env.files.documents import Place
from agemonia_env.packs import folders, patches
from agemonia_env.packs.folders import ContentError, Reader
from agemonia_env.rulesets.doors import RULESETS

from . import schema
from .pack import Pack
from .references import enemies_met, mistakes

ENV = "Agemonia-v0"
FOLDER = RULESETS[ENV].packs
FOLDERS = ("heroes", "enemies", "scenarios", "items", "figures", "allies", "gauntlets")
SINGLE: dict[Place, str] = {  # files that a pack has one of, and where Pack has them
    ("pack",): "card",
    ("decks", "initiative"): "initiative",
    ("decks", "fate"): "fate",
    ("decks", "injury"): "injuries",
    ("decks", "trap"): "traps",
}
SHORTCUTS: patches.Shortcuts = {  # parts of a change's path that may be left out
    schema.Enemy: "card",
    schema.Health: "base",
    schema.InitiativeDeck: "cards",
    schema.FateDeck: "values",
    schema.InjuryDeck: "cards",
    schema.TrapDeck: "cards",
}


class _Reader(Reader):
    """Reads the files of one pack."""

    def items(self) -> tuple[dict[str, schema.ItemCard], dict[str, str]]:
        """The item cards of all files of items/, and the file of each."""
        found: dict[str, schema.ItemCard] = {}
        sources: dict[str, str] = {}
        for stem, cards in self.files("items", schema.ItemCards).items():
            file = f"items/{stem}.yaml"
            for name, card in cards.items.items():
                if name in found:
                    self.errors.append(f"{file}: items.{name}: is also in {sources[name]}")
                found[name], sources[name] = card, file
        return found, sources


def _read(folder: Path) -> Pack:
    reader = _Reader(folder)
    card = reader.file("pack.yaml", schema.PackCard)
    initiative = reader.file("decks/initiative.yaml", schema.InitiativeDeck)
    fate = reader.file("decks/fate.yaml", schema.FateDeck)
    injuries = reader.file("decks/injury.yaml", schema.InjuryDeck)
    traps = reader.file("decks/trap.yaml", schema.TrapDeck)
    heroes = reader.files("heroes", schema.Hero, needed=True)
    enemies = reader.files("enemies", schema.Enemy, needed=True)
    scenarios = reader.files("scenarios", schema.Scenario, needed=True)
    items, sources = reader.items()
    figures = reader.files("figures", schema.FigureCard)
    allies = reader.files("allies", schema.AllyCard)
    gauntlets = reader.files("gauntlets", schema.Gauntlet)
    if not (card and initiative and fate and injuries and traps) or reader.errors:
        raise ContentError(reader.errors)
    pack = Pack(
        name=folder.name,
        folder=folder,
        card=card,
        initiative=initiative,
        fate=fate,
        injuries=injuries,
        traps=traps,
        heroes=heroes,
        enemies=enemies,
        scenarios=scenarios,
        items=items,
        figures=figures,
        allies=allies,
        gauntlets=gauntlets,
        sources=sources,
    )
    errors = mistakes(pack)
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
    """A pack by name or folder, perhaps with changes: `core; enemies.wisp.shield +1; softer.yaml`.

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
        if place in SINGLE:
            values[SINGLE[place]] = card
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
    """The cards of a pack by folder and name, or key of an item."""
    cards: dict[Place, BaseModel] = {place: getattr(pack, name) for place, name in SINGLE.items()}
    for folder in FOLDERS:
        cards |= {(folder, name): card for name, card in getattr(pack, folder).items()}
    return cards


def scenarios(pack: str | Path | Pack = "core") -> list[str]:
    """Names of the scenarios of a pack."""
    return sorted((pack if isinstance(pack, Pack) else load_pack(pack)).scenarios)


def starter_enemies(pack: str, scenario: str) -> list[str]:
    """Enemies that a pack of this one scenario needs."""
    whole = load_pack(pack)
    return enemies_met(whole, whole.scenarios[scenario])
