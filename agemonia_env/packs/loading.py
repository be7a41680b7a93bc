"""Loads the packs of a ruleset: files into one object, perhaps with changes.

All mistakes are reported at once, as `file: key: what is wrong; allowed values`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from agemonia_env.display.messages import first_of
from agemonia_env.files.documents import Place
from agemonia_env.rulesets.doors import RULESETS

from . import folders, patches


@dataclass(frozen=True)
class PackFiles:
    """A pack in memory; a ruleset adds a field for each of its files and folders.

    name: of its folder, and its changes if there are any: `core; enemies.wisp.card.shield +1`.
    """

    name: str
    folder: Path


P = TypeVar("P", bound=PackFiles)


@dataclass(frozen=True, eq=False)
class PackFormat(Generic[P]):
    """The files that the packs of a ruleset have, and how they are read.

    files: single files, such as decks/fate, by their steps: a field of the pack and a model.
    folders: fields of the pack, and the model of every file in the folder of this name.
    collections: those of which a file holds several cards, in a field of the folder's name; the
    pack's `sources` has the file of each card. mistakes: those between files.
    """

    env: str
    pack: type[P]
    files: Mapping[Place, tuple[str, type[BaseModel]]]
    folders: Mapping[str, type[BaseModel]]
    needed: Sequence[str]  # folders that must have a file
    mistakes: Callable[[P], Iterable[str]]
    collections: Sequence[str] = ()
    shortcuts: patches.Shortcuts = field(default_factory=dict)  # may be left out of a change's path

    @property
    def home(self) -> Path:
        """The folder of the packs that come with the package."""
        return RULESETS[self.env].packs

    def load(self, name_or_path: str | Path) -> P:
        """A pack by name or folder, perhaps with changes: `core; enemies.wisp.shield +1`.

        Raises ValueError, or ContentError with every mistake. patches.py says what a change is.
        """
        name, parts = patches.split(str(name_or_path))
        folder = folders.pack_folder(self.env, name)
        pack: P = _read_once(self, folder, folders.times(folder))
        return self.patched(pack, parts)[0] if parts else pack

    def check(self, name_or_path: str | Path) -> list[str]:
        """Every mistake of the files of a pack; an empty list if there is none."""
        try:
            self.load(name_or_path)
        except folders.ContentError as error:
            return error.errors
        except ValueError as error:
            return [str(error)]
        return []

    def read(self, folder: Path) -> P:
        """The pack in a folder. Raises ContentError with every mistake."""
        reader = folders.Reader(folder)
        values: dict[str, Any] = {
            name: reader.file("/".join(map(str, place)) + ".yaml", model)
            for place, (name, model) in self.files.items()
        }
        for kind, model in self.folders.items():
            if kind in self.collections:
                values[kind], values["sources"] = reader.collection(kind, model)
            else:
                values[kind] = reader.files(kind, model, needed=kind in self.needed)
        reader.refuse_others(self._places())
        if reader.errors:
            raise folders.ContentError(reader.errors)
        return self._checked(self.pack(name=folder.name, folder=folder, **values))

    def _places(self) -> list[str]:
        """The files of a pack, and those of its folders."""
        single = ["/".join(map(str, place)) for place in self.files]
        return [f"{place}.yaml" for place in [*single, *(f"{kind}/*" for kind in self.folders)]]

    def patched(
        self, pack: P, parts: Sequence[str], folder: Path = patches.HERE
    ) -> tuple[P, list[patches.Change]]:
        """A pack with changes, and what they are. Raises ContentError with every mistake.

        parts: changes, and files of changes, with paths relative to `folder`.
        """
        new, found, errors = patches.patched(self.cards(pack), parts, self.shortcuts, folder)
        name = f"{patches.SEPARATOR} ".join([pack.name, *map(str, found)])
        return self._checked(self.with_cards(pack, new, name=name), errors), found

    def with_cards(self, pack: P, cards: Mapping[Place, BaseModel], **values: Any) -> P:
        """A pack in which these cards replace or join its own; values: of its other fields."""
        for place, card in cards.items():
            if place in self.files:
                values[self.files[place][0]] = card
            else:
                kind, key = map(str, place)
                values[kind] = values.get(kind, getattr(pack, kind)) | {key: card}
        return replace(pack, **values)

    def _checked(self, pack: P, errors: Sequence[str] = ()) -> P:
        """The pack. Raises ContentError for errors found before, and mistakes between files."""
        errors = first_of(chain(errors, self.mistakes(pack)))
        if errors:
            raise folders.ContentError(errors)
        return pack

    def cards(self, pack: P) -> dict[Place, BaseModel]:
        """The cards of a pack by folder and name, or key within a collection."""
        cards = {place: getattr(pack, name) for place, (name, _) in self.files.items()}
        for kind in self.folders:
            cards |= {(kind, name): card for name, card in getattr(pack, kind).items()}
        return cards


@lru_cache(maxsize=32)
def _read_once(form: PackFormat[P], folder: Path, changed: tuple[tuple[str, int], ...]) -> P:
    """`changed`: the times of all files, so that an edited pack is read again."""
    del changed
    return form.read(folder)
