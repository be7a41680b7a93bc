"""What the balance lab needs from a ruleset: packs as cards and changes, and what parties use.

The door `pack_tools` opens a `PackTools`, the door `analyse` a `UsageTools`. A pack is given as
text, such as `core; enemies.wisp.shield +1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from pydantic import BaseModel

from agemonia_env.core.event_log import LogRow
from agemonia_env.files.documents import Place
from agemonia_env.packs.fingerprints import TEXTS, cards_fingerprint
from agemonia_env.packs.loading import PackFormat
from agemonia_env.packs.patch_words import Numbered, Words
from agemonia_env.packs.patches import SEPARATOR, Cards, Change, split

from .doors import doors_of


class PackTools(Protocol):
    """Reads, changes and hashes the packs of a ruleset; each ruleset has a subclass.

    version: of the rules. format: of its packs. optional: models in which only the
    numbers set in a file are parameters; a default means that the thing lacks the power. unplayed:
    fields that no rule reads. names: fields that only name things. metrics: further statistics of
    games by name: the list column of the results to sum, and the label. numbered: see
    patch_words.Words.
    """

    version: str
    format: PackFormat[Any]
    optional: tuple[type[BaseModel], ...] = ()
    unplayed: frozenset[str] = TEXTS
    names: frozenset[str] = frozenset()
    metrics: Mapping[str, tuple[str, str]] = MappingProxyType({})
    numbered: Numbered = MappingProxyType({})

    def patched(self, pack: str, parts: Sequence[str]) -> tuple[Cards, list[Change]]:
        """The cards of a pack with further changes, and these changes.

        parts: changes, and files of them. Raises ContentError with every mistake.
        """
        new, changes = self.format.patched(self.format.load(pack), parts)
        return self.format.cards(new), changes

    def scenario_files(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterable[Place]:
        """Files that a game uses: its scenario, enemies and heroes; by default all of the pack.

        heroes, level: as the environment takes them.
        """
        return self.cards(pack)

    def cards(self, pack: str) -> Cards:
        """The cards of a pack with its changes. Raises ContentError."""
        return self.patched(pack, ())[0]

    def variant(self, pack: str, *parts: str) -> str:
        """The text of a pack with more changes; files of changes are written out.

        Paths refer to the pack without any change.
        """
        name, own = split(pack)
        _, changes = self.patched(name, [*own, *parts])
        return f"{SEPARATOR} ".join([name, *map(str, changes)])

    def words(self, pack: str) -> Words:
        """Puts paths and changes of a pack in words; paths are those after its own changes."""
        return Words(self.cards(pack), self.format.shortcuts, self.numbered)

    def changes_in_words(self, pack: str) -> str:
        """The changes that the text of a pack ends with, in words; empty without any."""
        name, changes = split(pack)
        return self.words(name).changes(changes) if changes else ""

    def fingerprint(self, cards: Cards, *, names: bool = True) -> str:
        """16 hex digits that change with any number or rule of a pack, not with texts.

        names: whether they change with names, too; without, packs with equal digits play alike.
        """
        left_out = self.unplayed if names else self.unplayed | self.names
        return cards_fingerprint(self.version, cards, left_out)


Use = tuple[str, str, str]  # kind of a Part, hero, name


@dataclass(frozen=True)
class Part:
    """Something that a hero has. kind: `action` or `item`."""

    kind: str
    hero: str
    name: str

    def __str__(self) -> str:
        """Its label in pictures."""
        return f"{self.hero}: {self.name}"


class UsageTools(Protocol):
    """What heroes have and use: needed to say what each part of a party is worth.

    note: what readers of a report must know of uses, and of playing without a part.
    """

    note: str

    def parts(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterable[tuple[Part, list[Any]]]:
        """Every part of a party, with the party that goes without it."""

    def recommended(self, pack: str, scenario: str) -> Sequence[str]:
        """Keys of the heroes that a scenario is meant for."""

    def usable_items(self, compiled: Any) -> set[str]:
        """Names of a scenario's items whose use is a decision; the others work by themselves."""

    def use_of(self, compiled: Any, row: LogRow) -> Use | None:
        """The part whose use a row of the event log records; None if it records none."""


def pack_tools_of(env: str) -> PackTools:
    """The pack tools for an environment. ValueError lists the known environments."""
    tools: PackTools = doors_of(env).open("pack_tools")
    return tools


def usage_tools_of(env: str) -> UsageTools:
    """The usage tools for an environment. ValueError says why there are none."""
    tools: UsageTools = doors_of(env).open("analyse")
    return tools
