"""Reading packs: YAML files into schema models, with every mistake at once.

A mistake reads `file: key: what is wrong; allowed values`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .. import reading
from ..reading import ContentError, Reader
from . import schema
from .references import mistakes

FOLDER = Path(__file__).resolve().parent / "packs"


@dataclass(frozen=True)
class Pack:
    """The files of a pack: items by their keys, all other cards by the names of their files."""

    name: str
    folder: Path
    card: schema.PackCard
    initiative: schema.InitiativeDeck
    fate: schema.FateDeck
    injuries: schema.InjuryDeck
    traps: schema.TrapDeck
    heroes: dict[str, schema.Hero]
    enemies: dict[str, schema.Enemy]
    scenarios: dict[str, schema.Scenario]
    items: dict[str, schema.ItemCard]
    figures: dict[str, schema.FigureCard]
    allies: dict[str, schema.AllyCard]
    gauntlets: dict[str, schema.Gauntlet]
    sources: dict[str, str]  # the file of each item


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
    """`changed` holds the times of all files, so that an edited pack is read again."""
    del changed
    return _read(folder)


def packs() -> list[str]:
    """Names of the packs that come with the package."""
    return reading.packs_in(FOLDER)


def load_pack(name_or_path: str | Path) -> Pack:
    """A pack by name or folder. Raises ValueError, or ContentError with every mistake."""
    folder = reading.pack_folder(FOLDER, name_or_path)
    return _read_once(folder, reading.times(folder))


def scenarios(pack: str | Path | Pack = "core") -> list[str]:
    """Names of the scenarios of a pack."""
    return sorted((pack if isinstance(pack, Pack) else load_pack(pack)).scenarios)
