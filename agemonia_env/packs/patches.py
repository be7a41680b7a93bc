"""Patches: a few values of a pack changed in memory, while its files stay as they are.

    enemies.reedling.health.per_hero +1          add to a number
    heroes.orsa.actions.Sweeping Oar.cost = 0    set anything
    decks.fate - 3                               take one away from a list, or + add one
    decks.initiative[2].bars[0] = hR+

A change is a path, one of = + -, and a value in YAML. A path says where a value stands: folder,
file, keys. [0] is the first of a list, a name is that which has it; what is named `"as.here"` may
have dots. All paths are those of the unchanged pack, so changes do not depend on their order, and
changes that contradict one another are refused.
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

from agemonia_env.display.messages import cut, in_line, shown
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.files.documents import Place, parse_yaml

from .folders import STRICT, ContentError, describe, listed, read_yaml, reasons

SEPARATOR = ";"  # between a pack and its changes, where all of it is one text
SUFFIXES = (".yaml", ".yml")
HERE = Path()
LONGEST = 2000  # characters of a change
LONGEST_TEXT = 600  # characters of a text of a card
MOST_CHANGES = 1000  # each is compared with each
CHANGE = re.compile(r'((?:"[^"]*"|[^"=])*?)(?:\s*(=)|\s+([+-]))\s*(\S.*)', re.DOTALL)
STEP = r'(?:"[^"]*"|[^.\[\]"]+)'
PATH = re.compile(rf"{STEP}(?:\.{STEP}|\[\d+\])*")
PLAIN_STEP = re.compile(r"[^.\[\]\"=]*[^.\[\]\"=\s]")
HELP = "a change is such as `enemies.NAME.card.shield +1`: a path, one of = + -, a value"
ABSENT = object()  # the old value of a key that was not there

Cards = Mapping[Place, BaseModel]  # the files of a pack, by where a path finds them
Shortcuts = Mapping[type[BaseModel], str]  # the key of a model that a path may leave out


@dataclass(frozen=True)
class Change:
    """One change, found in a pack.

    card: of the file; place: in it; op: = + or -; old: what stands there; value: what is set,
    added, put into a list or taken from it; taken: where that stands.
    """

    text: str
    card: Place
    place: Place
    op: str
    old: Any
    value: Any
    taken: int | str | None = None

    def __str__(self) -> str:
        """The change as it is written if nothing is left out: the same for all who mean it."""
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


# ---- words ----------------------------------------------------------------------------------
def split(text: str) -> tuple[str, list[str]]:
    """A pack and its changes: `core; enemies.rat.card.shield +1; softer.yaml`."""
    name, *parts = (part.strip() for part in text.split(SEPARATOR))
    return name, [part for part in parts if part]


def read_patch(path: Path) -> PatchFile:
    """A file of changes. Raises ContentError with all that is wrong with it."""
    try:
        return PatchFile.model_validate(read_yaml(path))
    except ValidationError as error:
        raise ContentError([f"{path}: {text}" for text in describe(PatchFile, error)]) from None
    except ValueError as error:
        raise ContentError([f"{path}: file: {error}"]) from None


def written_out(parts: Sequence[str], folder: Path) -> tuple[list[str], list[str]]:
    """Changes, those of files among the parts in their place, and what is wrong with files."""
    found: list[str] = []
    errors: list[str] = []
    for part in parts:
        try:
            found += read_patch(folder / part).changes if is_file(part) else [part]
        except ContentError as error:
            errors += error.errors
    return found, errors


def is_file(part: str) -> bool:
    """Whether a part is the name of a file of changes, not a change."""
    return part.endswith(SUFFIXES) and CHANGE.fullmatch(part) is None


def path_text(place: Place) -> str:
    """A place as a path that is read as this place again."""
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
    """A change of what stands at a place as it is written."""
    written = json.dumps(value).replace(SEPARATOR, f"\\u{ord(SEPARATOR):04x}")
    return f"{path_text(place)} {op} {written}"


def read_path(text: str) -> list[int | str]:
    """The steps of a path. Raises ValueError."""
    if not PATH.fullmatch(text):
        raise ValueError(f"{shown(text)} is no path; {HELP}")
    steps = re.findall(rf"\[(\d+)\]|({STEP})", text)
    return [int(index) if index else name.strip('"') for index, name in steps]


def is_number(value: Any) -> bool:
    """Whether something can be added to it."""
    return isinstance(value, int | float) and not isinstance(value, bool)


# ---- finding --------------------------------------------------------------------------------
def find(cards: Cards, text: str, shortcuts: Shortcuts) -> Change:
    """The change that a text describes. Raises ValueError that says what there is."""
    if len(text) > LONGEST:
        raise ValueError(f"has {len(text):,} characters; at most {LONGEST:,}")
    match = CHANGE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"is no change; {HELP}")
    steps, op, value = read_path(match[1].strip()), match[2] or match[3], parse_yaml(match[4]).value
    card = _card(cards, steps)
    place, old = _descend(cards[card], steps[len(card) :], shortcuts, card, new=op == "=")
    while type(old) in shortcuts and not (op == "=" and isinstance(value, dict)):
        key = shortcuts[type(old)]
        place, old = (*place, key), _child(old, key)
    if op == "=" and not place:
        raise ValueError(f"is a whole file or item; name a value in it: {', '.join(_keys(old))}")
    if op != "=" and not (isinstance(old, list) or (op == "-" and isinstance(old, dict))):
        _check_sum(old, value)
    return Change(text.strip(), card, place, op, old, value)


def _card(cards: Cards, steps: Sequence[int | str]) -> Place:
    """The file that a path begins with."""
    for n in range(1, len(steps) + 1):
        begun = tuple(steps[:n])
        if begun in cards:
            return begun
        if not any(card[:n] == begun for card in cards):
            there = dict.fromkeys(str(card[n - 1]) for card in cards if card[: n - 1] == begun[:-1])
            raise ValueError(_unknown(begun[:-1], steps[n - 1], there))
    raise ValueError(f"{path_text(tuple(steps))} is a folder; name a file of it, and a value there")


def _unknown(place: Place, step: int | str, there: Mapping[str, Any] | Sequence[str]) -> str:
    name = f"[{step}]" if isinstance(step, int) else shown(step)
    where = path_text(place) or "the pack"
    near = did_you_mean(step, there) if isinstance(step, str) else ""
    return f"there is no {name} in {where}; there is: {', '.join(there) or 'nothing'}{near}"


def _descend(
    value: Any, steps: Sequence[int | str], shortcuts: Shortcuts, card: Place, *, new: bool
) -> tuple[Place, Any]:
    """Follow steps into a card -> the place with nothing left out, and what stands there.

    new: the last step may be a key of a mapping that is not there yet.
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
    """Where a step leads: itself, or a position and perhaps a key; None if it leads nowhere."""
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
    """The keys of a model that a file gives it."""
    return [key for key in _keys(value) if key in value.model_fields_set]


def _there(value: Any) -> list[str]:
    """What a step can lead to from here."""
    if not isinstance(value, list):
        return _keys(value)
    names = [part.name for part in value if isinstance(getattr(part, "name", None), str)]
    plain_parts = [str(part) for part in value if not isinstance(part, BaseModel)]
    return [*names, *plain_parts, f"[0] to [{len(value) - 1}]"] if value else []


def _child(value: Any, key: int | str) -> Any:
    """What stands under a key."""
    if not isinstance(value, BaseModel):
        return value[key]
    fields = type(value).model_fields
    return getattr(value, next(name for name, f in fields.items() if key in (f.alias or name,)))


def value_at(card: BaseModel, place: Place) -> Any:
    """What stands at a place of a card."""
    value: Any = card
    for key in place:
        value = _child(value, key)
    return value


def _check_sum(old: Any, value: Any) -> None:
    """ValueError if the value cannot be added to the old one."""
    if isinstance(old, BaseModel):
        raise ValueError(f"is no number but has: {', '.join(_keys(old))}")
    if not is_number(old):
        what = "not set" if old is None else f"{shown(plain(old))}, no number"
        raise ValueError(f"the old value is {what}; set it with =")
    if not is_number(value):
        raise ValueError(f"{shown(value)} is no number to be added")


# ---- contradictions -------------------------------------------------------------------------
def contradictions(changes: Sequence[Change]) -> list[tuple[Change, Change]]:
    """Pairs of changes of which only one can be meant, the earlier one last."""
    return [
        (one, other)
        for i, one in enumerate(changes)
        for other in changes[:i]
        if _contradict(one, other) or _contradict(other, one)
    ]


def _contradict(one: Change, other: Change) -> bool:
    """Whether the first leaves nothing, or something else, for the second to change."""
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
    """The cards that are changed, the changes, and what is wrong: those cards are left out.

    parts: changes, and files of them, whose names are relative to `folder`.
    """
    texts, errors = written_out(parts, folder)
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
    """The change, and where what it takes away stands. Raises ValueError if it is not there."""
    if change.op != "-" or not isinstance(change.old, list | dict):
        return change
    gone = [c.taken for c in before if (c.card, c.place) == (change.card, change.place)]
    for key in range(len(change.old)) if isinstance(change.old, list) else change.old:
        if key not in gone and _is_meant(change, key):
            return replace(change, taken=key)
    raise ValueError(
        f"there is no {shown(plain(change.value))} {'left ' if gone else ''}in "
        f"{path_text(change.card + change.place)}; there is: {', '.join(_there(change.old))}"
    )


def _is_meant(change: Change, key: int | str) -> bool:
    """Whether a change takes away what stands under this key: by its key, name or value."""
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
    """Whether two values are equal, and of one kind: `true` is not 1, and 1.0 is not 1."""
    return type(one) is type(other) and bool(one == other)


def _apply(card: BaseModel, changes: Sequence[Change]) -> BaseModel:
    """A card with its changes. Raises ValidationError."""
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
        for key in sorted(keys, reverse=True):  # the last first: positions are the old ones
            del container(values, card, place)[key]
    for change in changes:
        if change.op == "+" and isinstance(change.old, list):
            container(values, card, change.place).append(change.value)
    return type(card).model_validate(values)


def _note_in_texts(values: Any, card: BaseModel, changes: Sequence[Change]) -> None:
    """Say in each text with numbers what was changed beside it: they may be the old ones."""
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
    """The closest part around a place with a text of its own; None if that has no numbers."""
    for n in range(len(place) - 1, -1, -1):
        part = value_at(card, place[:n])
        if isinstance(part, BaseModel) and "text" in part.model_fields_set:
            numbers = any(map(str.isdigit, part.text)) and place[n:] != ("text",)  # type: ignore[attr-defined]
            return place[:n] if numbers else None
    return None


def container(values: Any, model: Any, place: Place) -> Any:
    """The mapping or list at a place of the plain values; what was left to a default is put in."""
    for key in place:
        model = _child(model, key)
        if isinstance(values, dict) and key not in values:
            values[key] = plain(model)
        values = values[key]
    return values


def plain(value: Any) -> Any:
    """A value as a file gives it: what is left to a default is left out."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_unset=True)
    if isinstance(value, list):
        return [plain(part) for part in value]
    return {key: plain(part) for key, part in value.items()} if isinstance(value, dict) else value


def _blamed(
    model: type[BaseModel], error: ValidationError, changes: Sequence[Change]
) -> Iterator[str]:
    """Each mistake of a changed card, with the changes that brought it about."""
    for place, reason in reasons(model, error):
        near = [
            change
            for change in changes
            if place[: len(change.place)] == change.place or change.place[: len(place)] == place
        ]
        texts = " and ".join(in_line(change.text) for change in near or changes)
        inner = path_text(place) if any(change.place != place for change in near) else ""
        yield f"{texts}: {inner + ': ' if inner else ''}{reason}"
