"""Say in words what a change is about: `Mud Slinger, action open: attack value +1`.

Before the colon stands what is changed, after it the number. A card, an action, an item goes by its
name: `Orsa, action "Sweeping Oar": cost = 0`. What has no name keeps its key, or its number in a
list and what it is about: `legend a (Kiln Rat)`. For people only; patches.py has the paths that can
be read again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from agemonia_env.display.messages import counted, cut
from agemonia_env.files.documents import Place

from .patches import ABSENT, Cards, Change, Shortcuts, find, is_number, plain, value_at

MOST_NAMED = 4  # changes that a name lists
Numbered = Mapping[tuple[type[BaseModel], str], tuple[str, int]]


@dataclass(frozen=True)
class Words:
    """Puts places of a pack in words.

    numbered: what the entries of a list are, by model and key: words with a number in them, and
    the number of the first entry, such as ("level {}", 0).
    """

    cards: Cards
    shortcuts: Shortcuts
    numbered: Numbered

    @cached_property
    def names(self) -> dict[Place, str]:
        """The name of each card, with its kind where several share it; else its place."""
        own = {place: _name(card) for place, card in self.cards.items()}
        shared = Counter(own.values())
        return {
            place: " ".join(map(str, place))
            if name is None
            else name
            if shared[name] == 1
            else f"{name} ({_singular(str(place[0]))} {place[-1]})"
            for place, name in own.items()
        }

    def of_paths(self, paths: Iterable[str]) -> dict[str, str]:
        """Words for each path to a number; the path itself where two would read the same."""
        found = {path: self.place(_full(self.find(f"{path} = 0"))) for path in paths}
        shared = Counter(found.values())
        return {path: text if shared[text] == 1 else path for path, text in found.items()}

    def find(self, text: str) -> Change:
        """The change of a text. Raises ValueError."""
        return find(self.cards, text, self.shortcuts)

    def changes(self, texts: Iterable[str]) -> str:
        """Changes in words, at most MOST_NAMED of them."""
        told = [self.change(self.find(text)) for text in texts]
        more = len(told) - MOST_NAMED
        rest = [f"and {counted(more, 'more change')}"] if more > 0 else []
        return "; ".join([*told[:MOST_NAMED], *rest])

    def change(self, change: Change) -> str:
        """A change in words."""
        where = self.place(_full(change))
        if change.op != "=" and is_number(change.old):
            return f"{where} {change.value if change.op == '+' else -change.value:+}"
        if change.op == "=" and is_number(change.old) and is_number(change.value):
            return f"{where} {change.old} → {change.value}"
        return f"{where} {change.op} {self._value(change.value)}"

    def _value(self, value: Any) -> str:
        """What is set, added or removed: a card by its name."""
        if isinstance(value, str):
            return self._meant(value) or value
        return cut(json.dumps(value, ensure_ascii=False))

    def _meant(self, key: object) -> str | None:
        """The name of the only card with this key."""
        meant = [name for place, name in self.names.items() if place[-1] == key]
        return meant[0] if len(meant) == 1 else None

    def place(self, place: Place) -> str:
        """A place in words: names on the way, a colon, and the rest."""
        n = next(n for n in range(1, len(place) + 1) if place[:n] in self.cards)
        groups, words = [self.names[place[:n]]], list[str]()
        value: Any = self.cards[place[:n]]
        around: tuple[Any, Any] = (None, None)  # what a list lies in, and its key
        for i, step in enumerate(place[n:], start=n):
            whole, value = value, _child(value, step)
            if isinstance(whole, list):
                words = self._entered(words, whole, step, around, place[i + 1 : i + 2])
                closed = bool(_name(value) or self.numbered.get(_key(around)))
            elif isinstance(whole, dict) or (words and _holds_alike(whole)):
                unnamed, closed = f"{_plain_word(step)}{self._about(value)}", True
                words = _entry(words, value, unnamed)
            else:
                around = whole, step
                if step != self.shortcuts.get(type(whole)) or isinstance(value, list):
                    words.append(_plain_word(step))
                continue
            if words and i < len(place) - 1 and (closed or words[-1].endswith(")")):
                groups.append(" ".join(words))
                words = []
        if not words and len(groups) > 1:  # nothing but a key that is left out came after
            words = [groups.pop()]
        return ", ".join(groups) + (f": {' '.join(words)}" if words else "")

    def _entered(
        self, words: list[str], whole: list[Any], k: Any, around: tuple[Any, Any], after: Place
    ) -> list[str]:
        """The words so far, which end with those of a list, and an entry of it."""
        names = [_name(part) for part in whole]
        if names[k] is not None and names.count(names[k]) == 1:
            return _entry(words, whole[k], "")
        if numbered := self.numbered.get(_key(around)):
            return [*words[:-1], numbered[0].format(k + numbered[1])]
        if after and [i for i, part in enumerate(whole) if after[0] in _set(part)] == [k]:
            return words[:-1]  # the only one with the next key: needs no list
        return [*words, f"[{k}]{self._about(whole[k])}"]

    def _about(self, value: Any) -> str:
        """The card that an entry is about, in brackets."""
        told = (self._meant(part) for part in _set(value).values() if isinstance(part, str))
        found = next((name for name in told if name), None)
        return f" ({found})" if found else ""


def _key(around: tuple[Any, Any]) -> tuple[type, str]:
    """What a list is called where it says what its entries are."""
    return type(around[0]), str(around[1])


def _entry(words: list[str], value: Any, unnamed: str) -> list[str]:
    """The words so far and an entry: the singular of the last word, then its name, or `unnamed`."""
    name = _name(value)
    called = unnamed if name is None else f'"{name}"'
    return [*words[:-1], *map(_singular, words[-1:]), called]


def _holds_alike(whole: Any) -> bool:
    """Whether a model is but a set of parts of one kind, as the actions of an enemy are."""
    parts = [getattr(whole, name) for name in getattr(type(whole), "model_fields", ())]
    return len(parts) > 1 and isinstance(parts[0], BaseModel) and len({*map(type, parts)}) == 1


def _full(change: Change) -> Place:
    """The place of a change from the pack on."""
    return (*change.card, *change.place)


def _child(value: Any, step: int | str) -> Any:
    """What a step leads to; ABSENT where a new key is set."""
    missing = isinstance(value, dict) and step not in value
    return ABSENT if missing or value is ABSENT else value_at(value, (step,))


def _name(value: Any) -> str | None:
    """The name of a card or of an entry."""
    name = getattr(value, "name", None)
    return name if isinstance(value, BaseModel) and isinstance(name, str) else None


def _set(value: Any) -> dict[str, Any]:
    """What a model's file sets, by key."""
    return plain(value) if isinstance(value, BaseModel) else {}


def _plain_word(key: object) -> str:
    return str(key).replace("_", " ")


def _singular(word: str) -> str:
    """`action` of `actions`, `enemy` of `enemies`, `class` of `classes`."""
    for end, one in (("ies", "y"), ("sses", "ss"), ("ss", "ss"), ("s", "")):
        if word.endswith(end):
            return word.removesuffix(end) + one
    return word
