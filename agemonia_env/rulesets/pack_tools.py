"""What the balance lab asks of a ruleset: its packs as cards and changes, and what parties use.

`PackTools` stands behind the door `pack_tools`, `UsageTools` behind `analyse`. A pack is always its
text, such as `core; enemies.wisp.shield +1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel

from agemonia_env.core.event_log import Row
from agemonia_env.files.documents import Place
from agemonia_env.packs.fingerprints import TEXTS, cards_fingerprint
from agemonia_env.packs.patches import SEPARATOR, Cards, Change, Shortcuts, split

from .doors import doors_of


class PackTools(Protocol):
    """The packs of a ruleset; a ruleset inherits it and gives what it leaves open.

    version: of the rules. shortcuts: keys that a path may leave out. optional: models of which only
    the numbers that a file gives are parameters: what they leave to a default is a power that the
    thing does not have. unplayed: fields that no rule reads. names: further ones, if renaming a
    thing is no change of the rules. metrics: statistics of games besides the shared ones, each a
    list column of the results, summed, and its label.
    """

    version: str
    shortcuts: Shortcuts
    optional: tuple[type[BaseModel], ...] = ()
    unplayed: frozenset[str] = TEXTS
    names: frozenset[str] = frozenset()
    metrics: Mapping[str, tuple[str, str]]

    def patched(self, pack: str, parts: Sequence[str]) -> tuple[Cards, list[Change]]:
        """The cards of a pack with further changes, and these changes.

        parts: changes, and files of them. Raises ContentError with every mistake.
        """

    def scenario_files(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterable[Place]:
        """Files that a game is made of: its scenario, enemies and heroes.

        heroes, level: as the environment takes them.
        """

    def cards(self, pack: str) -> Cards:
        """The cards of a pack with its changes. Raises ContentError."""
        return self.patched(pack, ())[0]

    def variant(self, pack: str, *parts: str) -> str:
        """The text of a pack with more changes, those of files written out.

        All paths are those of the pack without any change.
        """
        name, own = split(pack)
        _, changes = self.patched(name, [*own, *parts])
        return f"{SEPARATOR} ".join([name, *map(str, changes)])

    def fingerprint(self, cards: Cards, *, names: bool = True) -> str:
        """16 hex digits that change with any number or rule of a pack, not with texts.

        names: whether they change with names, too; if not, packs with the same ones play alike.
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
        """As pictures call it."""
        return f"{self.hero}: {self.name}"


class UsageTools(Protocol):
    """What heroes have and use: needed to say what each part of a party is worth."""

    def parts(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterable[tuple[Part, list[Any]]]:
        """Every part of a party, with the party that goes without it."""

    def recommended(self, pack: str, scenario: str) -> Sequence[str]:
        """Heroes that a scenario is meant for, by their keys."""

    def usable_items(self, compiled: Any) -> set[str]:
        """Names of the items of a scenario that a decision uses; the others work by themselves."""

    def use_of(self, compiled: Any, row: Row) -> Use | None:
        """The part that a row of the event log says a hero has used; None if it says no such."""


def pack_tools_of(env: str) -> PackTools:
    """The tools of the ruleset of an environment. ValueError says which there are."""
    tools: PackTools = doors_of(env).open("pack_tools")
    return tools


def usage_tools_of(env: str) -> UsageTools:
    """The same for usage. ValueError says why a ruleset has none."""
    tools: UsageTools = doors_of(env).open("analyse")
    return tools
