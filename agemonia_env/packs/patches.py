"""Patches: changes to single values of a pack, made in memory; its files stay as they are.

    enemies.reedling.health.per_hero +1          add to a number
    heroes.orsa.actions.Sweeping Oar.cost = 0    set anything
    decks.fate - 3                               remove from a list, or add with +
    decks.initiative[2].bars[0] = hR+

A change is a path, one of = + -, and a value in YAML. A path consists of folder, file and keys.
[0] is the first entry of a list; a name selects the entry with that name; `"quoted.names"` may
contain dots. Paths refer to the unchanged pack, so the order of changes does not matter, and
contradictory changes are refused.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from agemonia_env.display.messages import choices, cut, in_line, listing, shown
from agemonia_env.files.documents import Place, parse_yaml

from .folders import STRICT, ContentError, describe, listed, read_yaml, reasons

SEPARATOR = ";"  # between a pack and its changes, in one string
SUFFIXES = (".yaml", ".yml")
HERE = Path()
LONGEST = 2000  # characters of a change
LONGEST_TEXT = 600  # characters of a card's text
MOST_CHANGES = 1000  # all pairs are compared
CHANGE = re.compile(r'((?:"[^"]*"|[^"=])*?)(?:\s*(=)|\s+([+-]))\s*(\S.*)', re.DOTALL)
STEP = r'(?:"[^"]*"|[^.\[\]"]+)'
PATH = re.compile(rf"{STEP}(?:\.{STEP}|\[\d+\])*")
PLAIN_STEP = re.compile(r"[^.\[\]\"=]*[^.\[\]\"=\s]")
HELP = "a change is such as `enemies.NAME.card.shield +1`: a path, one of = + -, a value"
ABSENT = object()  # old value of a new key

Cards = Mapping[Place, BaseModel]  # the files of a pack by their place in paths
Shortcuts = Mapping[type[BaseModel], str]  # the key of each model that a path may omit


@dataclass(frozen=True)
class Change:
    """One change, resolved in a pack.

    card: place of the file; place: within it; op: = + or -; old: value before; value: what is set,
    added or removed; taken: index or key of what is removed.
    """

    text: str
    card: Place
    place: Place
    op: str
    old: Any
    value: Any
    taken: int | str | None = None

    def __str__(self) -> str:
        """The change in full, the same for every way of writing it."""
        place = self.card + self.place
        if self.op != "=" and is_number(self.old):
            amount = self.value if self.op == "+" else -self.value
            return f"{path_text(place)} {amount:+}"
        return change_text(place, self.op, self.value)


class PatchFile(BaseModel):
    """A file of changes."""

    model_config = STRICT

    name: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    text: str = ""
    changes: Annotated[list[str], BeforeValidator(listed)]


# ---- text ----------------------------------------------------------------------------------
def split(text: str) -> tuple[str, list[str]]:
    """Split `core; enemies.rat.card.shield +1; softer.yaml` into the pack and its changes."""
    name, *parts = (part.strip() for part in text.split(SEPARATOR))
    return name, [part for part in parts if part]


def read_patch(path: Path) -> PatchFile:
    """Read a file of changes. Raises ContentError with all its mistakes."""
    try:
        return PatchFile.model_validate(read_yaml(path))
    except ValidationError as error:
        raise ContentError([f"{path}: {text}" for text in describe(PatchFile, error)]) from None
    except ValueError as error:
        raise ContentError([f"{path}: file: {error}"]) from None


def expand_files(parts: Sequence[str], folder: Path) -> tuple[list[str], list[str]]:
    """Replace files among the parts by their changes -> (changes, errors)."""
    changes: list[str] = []
    errors: list[str] = []
    for part in parts:
        try:
            changes += read_patch(folder / part).changes if is_file(part) else [part]
        except ContentError as error:
            errors += error.errors
    return changes, errors


def is_file(part: str) -> bool:
    """Whether a part names a file of changes."""
    return part.endswith(SUFFIXES) and CHANGE.fullmatch(part) is None


def path_text(place: Place) -> str:
    """The path of a place, as `read_path` reads it."""
    steps = (
        f"[{step}]"
        if isinstance(step, int)
        else f".{step}"
        if PLAIN_STEP.fullmatch(step)
        else f'."{step}"'
        for step in place
    )
    return "".join(steps).lstrip(".")


def change_text(place: Place, op: str, value: Any) -> str:
    """Write a change of the value at a place."""
    written = json.dumps(value).replace(SEPARATOR, f"\\u{ord(SEPARATOR):04x}")
    return f"{path_text(place)} {op} {written}"


def read_path(text: str) -> list[int | str]:
    """Parse a path into its steps. Raises ValueError."""
    if not PATH.fullmatch(text):
        raise ValueError(f"{shown(text)} is not a path; {HELP}")
    steps = re.findall(rf"\[(\d+)\]|({STEP})", text)
    return [int(index) if index else name.strip('"') for index, name in steps]


def is_number(value: Any) -> bool:
    """Whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


# ---- resolving --------------------------------------------------------------------------------
def find(cards: Cards, text: str, shortcuts: Shortcuts) -> Change:
    """Resolve the text of a change. Raises ValueError that lists what exists."""
    if len(text) > LONGEST:
        raise ValueError(f"has {len(text):,} characters; at most {LONGEST:,}")
    match = CHANGE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"is not a change; {HELP}")
    steps, op, value = read_path(match[1].strip()), match[2] or match[3], parse_yaml(match[4]).value
    card = _card(cards, steps)
    place, old = _descend(cards[card], steps[len(card) :], shortcuts, card, new=op == "=")
    while type(old) in shortcuts and not (op == "=" and isinstance(value, dict)):
        key = shortcuts[type(old)]
        place, old = (*place, key), _child(old, key)
    if op == "=" and not place:
        raise ValueError(
            f"is a whole file or item; name one of its values: {listing('', _keys(old))}"
        )
    if op != "=" and not (isinstance(old, list) or (op == "-" and isinstance(old, dict))):
        _check_sum(old, value)
    return Change(text.strip(), card, place, op, old, value)


def _card(cards: Cards, steps: Sequence[int | str]) -> Place:
    """The file at the start of a path."""
    for n in range(1, len(steps) + 1):
        begun = tuple(steps[:n])
        if begun in cards:
            return begun
        if not any(card[:n] == begun for card in cards):
            there = dict.fromkeys(str(card[n - 1]) for card in cards if card[: n - 1] == begun[:-1])
            raise ValueError(_unknown(begun[:-1], steps[n - 1], there))
    raise ValueError(f"{path_text(tuple(steps))} is a folder; name a file and a value in it")


def _unknown(place: Place, step: int | str, there: Mapping[str, Any] | Sequence[str]) -> str:
    name = f"[{step}]" if isinstance(step, int) else shown(step)
    where = path_text(place) or "the pack"
    return f"there is no {name} in {where}{choices(step, there)}"


def _descend(
    value: Any, steps: Sequence[int | str], shortcuts: Shortcuts, card: Place, *, new: bool
) -> tuple[Place, Any]:
    """Follow steps into a card -> the full place, and the value there.

    new: the last step may be a new key of a mapping.
    """
    place: Place = ()
    for i, step in enumerate(steps):
        whole, passed = value, list(_keys(value))
        while type(value) in shortcuts and step not in _keys(value):
            place, value = (*place, shortcuts[type(value)]), _child(value, shortcuts[type(value)])
            passed += _there(value)
        found = _steps_to(value, step, card + place)
        if found is None:
            if not (new and isinstance(value, dict) and i == len(steps) - 1):
                there = passed if type(whole) in shortcuts else _there(value)
                passed_by = card + tuple(steps[:i])
                raise ValueError(_unknown(passed_by, step, list(dict.fromkeys(there))))
            return (*place, step), ABSENT
        for key in found:
            place, value = (*place, key), _child(value, key)
    return place, value


def _steps_to(value: Any, step: int | str, place: Place) -> Place | None:
    """The keys that a step stands for: itself, or an index and perhaps a key; None = no match."""
    if not isinstance(value, list):
        return (step,) if step in _keys(value) else None
    if isinstance(step, int):
        return (step,) if step < len(value) else None
    found: list[Place] = []
    found += [(i,) for i, part in enumerate(value) if getattr(part, "name", None) == step]
    if not found:
        found = [(i, step) for i, part in enumerate(value) if step in _keys_set(part)]
    if len(found) > 1:
        allowed = ", ".join(f"[{at[0]}]" for at in found)
        twins = f"{len(found)} {shown(step)} in {path_text(place)}"
        raise ValueError(f"there are {twins}; name {allowed}")
    return found[0] if found else None


def _keys(value: Any) -> list[str]:
    """The keys of a model or mapping."""
    if isinstance(value, BaseModel):
        return [field.alias or name for name, field in type(value).model_fields.items()]
    return list(value) if isinstance(value, dict) else []


def _keys_set(value: Any) -> list[str]:
    """The keys of a model that its file sets."""
    return [key for key in _keys(value) if key in value.model_fields_set]


def _there(value: Any) -> list[str]:
    """The allowed steps from here."""
    if not isinstance(value, list):
        return _keys(value)
    names = [part.name for part in value if isinstance(getattr(part, "name", None), str)]
    plain_parts = [str(part) for part in value if not isinstance(part, BaseModel)]
    return [*names, *plain_parts, f"[0] to [{len(value) - 1}]"] if value else []


def _child(value: Any, key: int | str) -> Any:
    """The value of a key."""
    if not isinstance(value, BaseModel):
        return value[key]
    fields = type(value).model_fields
    return getattr(value, next(name for name, f in fields.items() if key in (f.alias or name,)))


def value_at(card: BaseModel, place: Place) -> Any:
    """The value at a place of a card."""
    value: Any = card
    for key in place:
        value = _child(value, key)
    return value


def _check_sum(old: Any, value: Any) -> None:
    """Raise ValueError if the value cannot be added to the old one."""
    if isinstance(old, BaseModel):
        raise ValueError(f"is not a number; it has: {listing('', _keys(old))}")
    if not is_number(old):
        what = "not set" if old is None else f"{shown(plain(old))}, which is not a number"
        raise ValueError(f"the old value is {what}; set it with =")
    if not is_number(value):
        raise ValueError(f"{shown(value)} is not a number")


# ---- contradictions -------------------------------------------------------------------------
def contradictions(changes: Sequence[Change]) -> list[tuple[Change, Change]]:
    """Pairs of contradictory changes, the earlier one second."""
    return [
        (one, other)
        for i, one in enumerate(changes)
        for other in changes[:i]
        if _contradict(one, other) or _contradict(other, one)
    ]


def _contradict(one: Change, other: Change) -> bool:
    """Whether the first replaces or removes what the second changes."""
    if one.card != other.card:
        return False
    reach = one.place if one.taken is None else (*one.place, one.taken)
    if other.place[: len(reach)] != reach:
        return False
    if one.op == "=":
        return other.place != reach or other.op != "=" or not same(other.value, one.value)
    return one.taken is not None


# ---- applying -------------------------------------------------------------------------------
def patched(
    cards: Cards, parts: Sequence[str], shortcuts: Shortcuts, folder: Path = HERE
) -> tuple[dict[Place, BaseModel], list[Change], list[str]]:
    """The changed cards, the changes, and the errors; cards with errors are left out.

    parts: changes and files of changes, relative to `folder`.
    """
    texts, errors = expand_files(parts, folder)
    if len(texts) > MOST_CHANGES:
        return {}, [], [*errors, f"{len(texts):,} changes; at most {MOST_CHANGES:,}"]
    found: list[Change] = []
    for text in texts:
        try:
            found.append(_with_taken(cards, find(cards, text, shortcuts), found))
        except ValueError as error:
            errors.append(f"{in_line(text.strip())}: {error}")
    clashes = contradictions(found)
    errors += [f"{one.text}: contradicts `{other.text}`" for one, other in clashes]
    clear = [change for change in found if all(change is not one for one, _ in clashes)]
    new: dict[Place, BaseModel] = {}
    for card in dict.fromkeys(change.card for change in clear):
        own = [change for change in clear if change.card == card]
        try:
            new[card] = _apply(cards[card], own)
        except ValidationError as error:
            errors += _blamed(type(cards[card]), error, own)
    return new, found, errors


def _with_taken(cards: Cards, change: Change, before: Sequence[Change]) -> Change:
    """The change with `taken` filled in. Raises ValueError if there is nothing to remove."""
    if change.op != "-" or not isinstance(change.old, list | dict):
        return change
    gone = [c.taken for c in before if (c.card, c.place) == (change.card, change.place)]
    for key in range(len(change.old)) if isinstance(change.old, list) else change.old:
        if key not in gone and _is_meant(change, key):
            return replace(change, taken=key)
    raise ValueError(
        f"there is no {shown(plain(change.value))} {'left ' if gone else ''}in "
        f"{path_text(change.card + change.place)}; allowed: {', '.join(_there(change.old))}"
    )


def _is_meant(change: Change, key: int | str) -> bool:
    """Whether a change removes the entry with this key: by key, name or value."""
    if isinstance(change.old, dict):
        return same(change.value, key)
    part = change.old[key]
    if not isinstance(part, BaseModel):
        return same(part, change.value)
    if getattr(part, "name", None) == change.value:
        return True
    try:
        return type(part).model_validate(change.value) == part
    except ValidationError:
        return False


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal and of the same type: `true` is not 1, and 1.0 is not 1."""
    return type(one) is type(other) and bool(one == other)


def _apply(card: BaseModel, changes: Sequence[Change]) -> BaseModel:
    """Apply changes to a card. Raises ValidationError."""
    values = plain(card)
    sums: Counter[Place] = Counter()
    for change in changes:
        if change.op == "=":
            container(values, card, change.place[:-1])[change.place[-1]] = change.value
        elif is_number(change.old):
            sums[change.place] += change.value if change.op == "+" else -change.value
            container(values, card, change.place[:-1])[change.place[-1]] = (
                change.old + sums[change.place]
            )
    _note_in_texts(values, card, changes)
    taken: dict[Place, list[Any]] = defaultdict(list)
    for change in changes:
        if change.taken is not None:
            taken[change.place].append(change.taken)
    for place, keys in taken.items():
        for key in sorted(keys, reverse=True):  # from the last: indices are those of the old list
            del container(values, card, place)[key]
    for change in changes:
        if change.op == "+" and isinstance(change.old, list):
            container(values, card, change.place).append(change.value)
    return type(card).model_validate(values)


def _note_in_texts(values: Any, card: BaseModel, changes: Sequence[Change]) -> None:
    """Append the changes to each card text with numbers, which may be out of date."""
    notes: dict[Place, list[str]] = defaultdict(list)
    for change in changes:
        place = _described(card, change.place)
        if place is not None:
            notes[place].append(change_text(change.place[len(place) :], change.op, change.value))
    for place, texts in notes.items():
        owner = container(values, card, place)
        note = f" [changed: {cut(', '.join(texts))}]"
        owner["text"] = owner["text"][: LONGEST_TEXT - len(note)] + note


def _described(card: BaseModel, place: Place) -> Place | None:
    """The closest enclosing part that has a text; None if that text has no numbers."""
    for n in range(len(place) - 1, -1, -1):
        part = value_at(card, place[:n])
        if isinstance(part, BaseModel) and "text" in part.model_fields_set:
            numbers = any(map(str.isdigit, part.text)) and place[n:] != ("text",)  # type: ignore[attr-defined]
            return place[:n] if numbers else None
    return None


def container(values: Any, model: Any, place: Place) -> Any:
    """The mapping or list at a place of the plain values; defaults are filled in."""
    for key in place:
        model = _child(model, key)
        if isinstance(values, dict) and key not in values:
            values[key] = plain(model)
        values = values[key]
    return values


def plain(value: Any) -> Any:
    """A value as written in a file, without defaults."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_unset=True)
    if isinstance(value, list):
        return [plain(part) for part in value]
    return {key: plain(part) for key, part in value.items()} if isinstance(value, dict) else value


def _blamed(
    model: type[BaseModel], error: ValidationError, changes: Sequence[Change]
) -> Iterator[str]:
    """Each mistake in a changed card, with the changes that caused it."""
    for place, reason in reasons(model, error):
        near = [
            change
            for change in changes
            if place[: len(change.place)] == change.place or change.place[: len(place)] == place
        ]
        texts = " and ".join(in_line(change.text) for change in near or changes)
        inner = path_text(place) if any(change.place != place for change in near) else ""
        yield f"{texts}: {inner + ': ' if inner else ''}{reason}"
