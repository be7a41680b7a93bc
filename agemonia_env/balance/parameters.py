"""The whole numbers of a pack: where they stand, and by which path a change names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from agemonia_env.files.documents import Place
from agemonia_env.packs import patches
from agemonia_env.packs.folders import ContentError, Mistakes
from agemonia_env.packs.patches import Cards, Change, is_number, path_text, read_path
from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.load import (
    SHORTCUTS,
    cards_of,
    load_pack,
    patched,
    variant,
)
from agemonia_env.rulesets.agemonia.content.pack import Pack
from agemonia_env.rulesets.agemonia.content.party import choose_party
from agemonia_env.simulation.plan import RANDOM, Plan

# What these leave to a default is a power that they do not have (a push of 0), or of no use to them
POWERS = (
    schema.Attack,
    schema.Strike,
    schema.Horns,
    schema.Passive,
    schema.Riposte,
    schema.Levels,
    schema.TypeLevels,
    schema.ItemRider,
    schema.Skill,
    schema.Goal,
)


def numbers(pack: str, of: Sequence[str]) -> dict[str, int]:
    """Whole numbers of the files of a pack under these paths -> path: value.

    What a file leaves to a default is among them, but not for POWERS, where only a path to the
    number itself finds it. Raises ContentError naming paths that lead nowhere, or to no number.
    """
    cards = cards_of(load_pack(pack))
    found: dict[str, int] = {}
    errors = []
    for text in of:
        try:
            found |= dict(_below(cards, _place(cards, text))) or {text: value_of(pack, text)}
        except ValueError as error:
            errors.append(f"{text}: {error}")
    if errors:
        raise ContentError(errors)
    return found


def value_of(pack: str, path: str) -> int:
    """The whole number at a path, set or left to its default. Raises ValueError."""
    change = patches.find(cards_of(load_pack(pack)), f"{path} = 0", SHORTCUTS)
    if not is_whole(change.old):
        raise ValueError("no whole number stands there")
    return int(change.old)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number."""
    return is_number(value) and isinstance(value, int)


def with_values(pack: str, values: dict[str, int]) -> str:
    """The pack with these numbers; paths are those of the pack as its changes have made it.

    The pack itself where they are the old ones. A change of the pack about a number, or about what
    it stands in, gives way to one that sets the whole of that.
    """
    changed = {path: to for path, to in values.items() if to != value_of(pack, path)}
    name, parts = patches.split(pack)
    new, before = patched(load_pack(name), parts)
    cards, whole = cards_of(new), dict[Place, Any]()
    for path, to in changed.items():
        place = _where(patches.find(cards, f"{path} = {to}", SHORTCUTS))
        around = [at for at in map(_where, before) if place[: len(at)] == at]
        top = min(around, key=len, default=place)
        if top == place:
            whole[top] = to
        else:
            model, (*inside, key) = _at(cards, top), place[len(top) :]
            values = whole.setdefault(top, patches.plain(model))
            patches.container(values, model, tuple(inside))[key] = to
    kept = [str(one) for one in before if not any(_where(one)[: len(at)] == at for at in whole)]
    return variant(
        name, *kept, *(patches.change_text(at, "=", value) for at, value in whole.items())
    )


def _where(change: Change) -> Place:
    """What a change is about."""
    return (*change.card, *change.place)


def _at(cards: Cards, place: Place) -> Any:
    """What stands at a place of a pack."""
    card = next(card for card in cards if place[: len(card)] == card)
    return patches.value_at(cards[card], place[len(card) :])


def wrong_ranges(
    key: str, pack: str, ranges: Mapping[str, Sequence[int]], check: Callable[[str], object]
) -> list[str]:
    """What is wrong with ranges of numbers, path: (from, to), their ends tried alone; a line each.

    key: of the ranges in a file. check: of a pack with one of the ends; raises ValueError.
    """
    wrong, cards = Mistakes(), cards_of(load_pack(pack))
    known: dict[Place, str] = {}
    for path, (low, high) in ranges.items():
        with wrong.gathered(f"{key}.{path}: "):
            if low >= high:
                raise ValueError(f"[{low}, {high}]; the first must be the smaller one")
            value_of(pack, path)
            other = known.setdefault(_where(patches.find(cards, f"{path} = 0", SHORTCUTS)), path)
            if other != path:
                raise ValueError(f"is the same number as {other}; name it once")
            for end in (low, high):
                check(with_values(pack, {path: end}))
    return wrong.errors


# ---- those that a scenario is made of -------------------------------------------------------
def parts_of(plans: Sequence[Plan]) -> list[str]:
    """Paths of the scenarios that are played, of their Enemies and of the Heroes in them.

    Raises ContentError for scenarios that are drawn from a seed: they stand in no file.
    """
    found: list[str] = []
    for plan in plans:
        (kind,) = plan.kinds
        if kind.scenario == RANDOM:
            raise ContentError(["of: say which numbers; scenarios drawn from a seed have no file"])
        pack = load_pack(kind.pack)
        card = pack.scenarios[kind.scenario]
        chosen = kind.arguments().heroes
        heroes = choose_party(pack, card, chosen, kind.level or card.level)
        found.append(path_text(("scenarios", kind.scenario)))
        found += [path_text(("enemies", name)) for name in _enemies(pack, card)]
        found += [path_text(("heroes", hero.key)) for hero in heroes]
    return list(dict.fromkeys(found))


def _enemies(pack: Pack, card: BaseModel) -> list[str]:
    """Enemies that a scenario names anywhere, in the order of the pack."""
    named = set(_words(patches.plain(card)))
    return [name for name in pack.enemies if name in named]


def _words(value: object) -> Iterator[str]:
    """Every text in plain values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _words(part)


# ---- walking --------------------------------------------------------------------------------
def _place(cards: Cards, text: str) -> Place:
    """The place that a path names: a folder, a file, or something in one."""
    steps = tuple(read_path(text))
    if any(card[: len(steps)] == steps for card in cards):
        return steps
    change = patches.find(cards, f"{text} = {{}}", SHORTCUTS)
    return change.card + change.place


def _below(cards: Cards, place: Place) -> Iterator[tuple[str, int]]:
    """Numbers at a place or below it, by the shortest path that leads there."""
    for card, model in cards.items():
        for at, short, value in _leaves(model, card, card):
            if at[: len(place)] == place:
                yield (path_text(short) if _leads(cards, short, at) else path_text(at)), value


def _leaves(value: object, place: Place, short: Place) -> Iterator[tuple[Place, Place, int]]:
    """Whole numbers of a file: where they stand, and a path with what may be left out."""
    if isinstance(value, BaseModel):
        skipped = SHORTCUTS.get(type(value))
        for name, field in type(value).model_fields.items():
            key, part = field.alias or name, getattr(value, name)
            counts = is_whole(part) and not isinstance(value, POWERS)
            if counts or name in value.model_fields_set:
                own = short if key == skipped else (*short, key)
                yield from _leaves(part, (*place, key), own)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(part, (*place, key), (*short, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from _leaves(part, (*place, i), (*short, *_told(part, i)))
    elif is_whole(value):
        yield place, short, int(value)  # type: ignore[call-overload]


def _told(part: object, i: int) -> Place:
    """A part of a list in a path: its name, nothing if its only key finds it, or its position."""
    name = getattr(part, "name", None)
    if isinstance(name, str):
        return (name,)
    if isinstance(part, BaseModel) and len(part.model_fields_set) == 1:
        return ()
    return (i,)


def _leads(cards: Cards, short: Place, place: Place) -> bool:
    """Whether a path, which may fit several places, leads to this one."""
    try:
        change = patches.find(cards, f"{path_text(short)} = 0", SHORTCUTS)
    except ValueError:
        return False
    return change.card + change.place == place
