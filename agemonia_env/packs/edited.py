"""Packs whose cards were edited as values: their mistakes, the changes as a patch, their files.

An editor holds each edited card as plain values, as a file would give them. Here they become the
changes of patches.py, which name a variant, or whole files where no change can say it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from agemonia_env.display.messages import shown
from agemonia_env.files.documents import Place, parse_yaml
from agemonia_env.files.writing import write_whole

from . import patches
from .archives import is_yaml
from .folders import ContentError, reasons, yaml_files
from .loading import PackFiles, PackFormat
from .patches import change_text, plain

P = TypeVar("P", bound=PackFiles)
MISTAKE = re.compile(r"(\w[\w/ -]*)\.yaml: (.*)", re.DOTALL)  # file: the rest
KEY = re.compile(r"[\w-]+(?:\[\d+\])*(?:\.[\w -]+(?:\[\d+\])*)*")  # of a file, in a mistake
NOTE = " [changed: "  # patches.py appends it to texts with numbers


class InexpressibleError(ValueError):
    """A difference that no change can say."""


@dataclass(frozen=True)
class Mistake:
    """Something wrong: in which card (None = no card), at which place of it, and what."""

    card: Place | None
    place: Place
    text: str


@dataclass(frozen=True)
class EditedPack(Generic[P]):
    """A pack with edited cards: plain values by the place of the card.

    base: the name or path of the pack, without changes.
    """

    form: PackFormat[P]
    base: str
    values: Mapping[Place, Any]

    @cached_property
    def pack(self) -> P:
        """The pack before it was edited. Raises ValueError, ContentError."""
        return self.form.load(self.base)

    @cached_property
    def old(self) -> dict[Place, BaseModel]:
        """Its cards."""
        return self.form.cards(self.pack)

    # ---- mistakes -------------------------------------------------------------------------------
    def mistakes(self) -> list[Mistake]:
        """What is wrong with the edited cards, or else between the cards of the pack."""
        new, found = self._validated()
        if found:
            return found
        sources = {"sources": self._sources()} if "sources" in vars(self.pack) else {}
        pack = self.form.with_cards(self.pack, new, **sources)
        return [self.placed(text) for text in self.form.mistakes(pack)]

    def _validated(self) -> tuple[dict[Place, BaseModel], list[Mistake]]:
        """The edited cards as models, and what is wrong within each."""
        new: dict[Place, BaseModel] = {}
        found: list[Mistake] = []
        for card, value in self.values.items():
            model = self.model(card)
            try:
                new[card] = model.model_validate(value)
            except ValidationError as error:
                found += [Mistake(card, place, text) for place, text in reasons(model, error)]
        return new, found

    def model(self, card: Place) -> type[BaseModel]:
        """The model of a card."""
        if card in self.old:
            return type(self.old[card])
        kind = str(card[0])
        siblings = [one for place, one in self.old.items() if place[0] == kind and len(place) == 2]
        return type(siblings[0]) if siblings else self.form.folders[kind]

    def placed(self, text: str) -> Mistake:
        """Read `file: key: what is wrong`."""
        match = MISTAKE.fullmatch(text)
        if match is None:
            return Mistake(None, (), text)
        card, rest = tuple(match[1].split("/")), match[2]
        place: Place = ()
        while (found := KEY.match(rest)) and rest[found.end() :].startswith(": "):
            place += tuple(patches.read_path(found[0]))
            rest = rest[found.end() + 2 :]
        if card[0] in self.form.collections:  # the file's name matters to nobody
            card, place = (card[0], str(place[1])) if len(place) > 1 else card[:1], place[2:]
        return Mistake(card, place, rest)

    # ---- the changes ----------------------------------------------------------------------------
    def lines(self) -> list[str]:
        """The changes as a patch has them. Raises InexpressibleError."""
        found: list[str] = []
        for place, value in self.values.items():
            if place not in self.old:
                raise InexpressibleError(f"{'/'.join(map(str, place))} is a new card")
            found += lines_between(place, self.old[place], value)
        for line in found:
            if len(line) > patches.LONGEST or patches.SEPARATOR in line:
                raise InexpressibleError(f"{line[:60]} ... is too much for a change")
        if len(found) > patches.MOST_CHANGES:
            raise InexpressibleError(f"{len(found):,} changes")
        return found

    def text(self, folder: Path) -> str:
        """What names this pack to the environment: its base with changes, or a folder with it.

        folder: where the pack's folder is written if there must be one; the cards are valid.
        """
        try:
            return f"{patches.SEPARATOR} ".join([self.base, *self.lines()])
        except InexpressibleError:
            write_files(folder, self.files())
            return str(folder)

    # ---- files ----------------------------------------------------------------------------------
    def files(self) -> dict[str, str]:
        """All files of the edited pack, name and text; only those of edited cards are new."""
        home = self.pack.folder
        found = {
            path.relative_to(home).as_posix(): path.read_text(encoding="utf-8")
            for path in yaml_files(home)
        }
        whole = {place: plain(card) for place, card in self.old.items()} | dict(self.values)
        sources = self._sources()
        for place in self.values:
            kind = str(place[0])
            if kind not in self.form.collections:
                found["/".join(map(str, place)) + ".yaml"] = yaml_text(whole[place])
                continue
            file = sources[str(place[1])]
            cards = {key: whole[kind, key] for key, source in sources.items() if source == file}
            found[file] = yaml_text({kind: cards})
        return found

    def _sources(self) -> dict[str, str]:
        """The file of each card of a collection; a new card lies in a file of its own."""
        known = dict(getattr(self.pack, "sources", {}))
        for place in self.values:
            if place[0] in self.form.collections:
                known.setdefault(str(place[1]), f"{place[0]}/{place[1]}.yaml")
        return known


# ---- differences --------------------------------------------------------------------------------
def lines_between(place: Place, old: Any, new: Any) -> Iterator[str]:
    """The changes that turn a value into another one.

    place: of the value in the pack; old: a model, or a part of one; new: plain values.
    """
    if _same(plain(old), new):
        return
    if isinstance(old, BaseModel) and isinstance(new, dict):
        yield from _lines_of_model(place, old, new)
    elif isinstance(old, dict) and isinstance(new, dict):
        yield from _lines_of_mapping(place, old, new)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _lines_of_list(place, old, new)
    else:
        yield change_text(place, "=", new)


def _lines_of_model(place: Place, old: BaseModel, new: dict[str, Any]) -> Iterator[str]:
    """Keys set in either; one that is set no more gets its default."""
    written = plain(old)
    for name, field in type(old).model_fields.items():
        key = field.alias or name
        if key in new and key in written:
            yield from lines_between((*place, key), getattr(old, name), new[key])
        elif key in new:
            yield change_text((*place, key), "=", new[key])
        elif key in written:
            default = plain(field.get_default(call_default_factory=True))
            if not _same(written[key], default):
                yield change_text((*place, key), "=", default)


def _lines_of_mapping(place: Place, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Keys of a mapping that anybody may add and take out."""
    for key in [key for key in old if key not in new]:
        yield change_text(place, "-", key)
    for key, value in new.items():
        if key in old:
            yield from lines_between((*place, key), old[key], value)
        else:
            yield change_text((*place, key), "=", value)


def _lines_of_list(place: Place, old: list[Any], new: list[Any]) -> Iterator[str]:
    """Entries that changed, or were added at the end, or were taken out; else the whole list."""
    written = plain(old)
    if len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from lines_between((*place, i), one, other)
    elif _same(written, new[: len(old)]):
        yield from (change_text(place, "+", value) for value in new[len(old) :])
    else:
        gone = _taken_out(written, new)
        if gone is None:
            yield change_text(place, "=", new)
        else:
            yield from (change_text(place, "-", value) for value in gone)


def _taken_out(old: list[Any], new: list[Any]) -> list[Any] | None:
    """What the new list lacks if it lacks entries and nothing else; None otherwise.

    A change takes out the first entry that is equal, so one with an equal before it is no such.
    """
    gone: list[Any] = []
    at = 0
    for i, value in enumerate(old):
        if at < len(new) and _same(value, new[at]):
            at += 1
        elif any(_same(value, other) for other in old[:i]):
            return None
        else:
            gone.append(value)
    return gone if at == len(new) else None


def _same(one: Any, other: Any) -> bool:
    """Whether plain values are the same; `true` is not 1, and the order of keys does not count."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# ---- reading and writing ------------------------------------------------------------------------
def values_of_patch(form: PackFormat[Any], base: str, changes: list[str]) -> dict[Place, Any]:
    """The plain values of the cards that changes of a pack change. Raises ContentError."""
    pack = form.load(base)
    new, found = form.patched(pack, changes)
    old, cards = form.cards(pack), form.cards(new)
    changed = dict.fromkeys(change.card for change in found)
    return {card: _unnoted(plain(cards[card]), plain(old[card])) for card in changed}


def _unnoted(value: Any, old: Any) -> Any:
    """Values without the notes that a patch leaves in texts."""
    if isinstance(value, dict):
        before = old if isinstance(old, dict) else {}
        return {key: _unnoted(part, before.get(key)) for key, part in value.items()}
    if isinstance(value, list):
        alike = isinstance(old, list) and len(old) == len(value)
        return [_unnoted(part, old[i] if alike else None) for i, part in enumerate(value)]
    if isinstance(value, str) and NOTE in value:
        text = value[: value.rindex(NOTE)]
        return old if isinstance(old, str) and old.startswith(text) else text
    return value


def read_patch_text(text: str) -> patches.PatchFile:
    """A file of changes from its text. Raises ContentError."""
    try:
        return patches.PatchFile.model_validate(parse_yaml(text).value)
    except ValidationError as error:
        found = [
            f"{'.'.join(map(str, p)) or 'file'}: {t}" for p, t in reasons(patches.PatchFile, error)
        ]
        raise ContentError(found) from None


def patch_text(name: str, changes: list[str]) -> str:
    """The text of a file of changes."""
    return yaml_text({"name": name, "changes": changes})


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write YAML files below a folder. Raises ValueError for any other name."""
    for name, text in files.items():
        if not is_yaml(name):
            raise ValueError(f"{shown(name)}: must name a YAML file of the pack")
        write_whole(folder / name, text)


class _Dumper(yaml.SafeDumper):
    """Writes texts with line breaks as blocks, and small values on one line."""


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _write_text)


def yaml_text(value: Any) -> str:
    """A value as YAML that `parse_yaml` reads as the same value."""
    text = yaml.dump(
        value,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=100,
        default_flow_style=None,
    )
    if _same(parse_yaml(text).value, value):
        return str(text)
    return json.dumps(value, indent=2)  # a text that looks like a number to one of both
