"""The parameters of a pack: its whole numbers and the paths by which changes name them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from agemonia_env.files.documents import Place
from agemonia_env.packs import patches
from agemonia_env.packs.folders import ContentError, Mistakes
from agemonia_env.packs.patches import Cards, Change, is_number, path_text, read_path
from agemonia_env.rulesets.arguments import RANDOM
from agemonia_env.rulesets.pack_tools import PackTools
from agemonia_env.simulation.plan import Plan


def numbers(tools: PackTools, pack: str, of: Sequence[str]) -> dict[str, int]:
    """Find the whole numbers of a pack under these paths: path -> value.

    Defaults count, too, except in models of `tools.optional`, where only the full path finds them.
    Raises ContentError naming paths that lead nowhere or to no number.
    """
    walk = _Walk(tools, tools.cards(pack))
    found: dict[str, int] = {}
    errors = []
    for text in of:
        try:
            found |= dict(walk.below(walk.place(text))) or {text: value_of(tools, pack, text)}
        except ValueError as error:
            errors.append(f"{text}: {error}")
    if errors:
        raise ContentError(errors)
    return found


def value_of(tools: PackTools, pack: str, path: str) -> int:
    """The whole number at a path, set or default. Raises ValueError."""
    change = patches.find(tools.cards(pack), f"{path} = 0", tools.format.shortcuts)
    if not is_whole(change.old):
        raise ValueError("is not a whole number")
    return int(change.old)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number."""
    return is_number(value) and isinstance(value, int)


def with_values(tools: PackTools, pack: str, values: dict[str, int]) -> str:
    """Return the pack with these numbers set; paths are those of the pack after its own changes.

    A change of the pack to one of these numbers, or to something around it, is replaced by one that
    sets the whole. Unchanged numbers leave the pack as it is.
    """
    changed = {path: to for path, to in values.items() if to != value_of(tools, pack, path)}
    name, parts = patches.split(pack)
    cards, before = tools.patched(name, parts)
    whole: dict[Place, Any] = {}
    for path, to in changed.items():
        place = _where(patches.find(cards, f"{path} = {to}", tools.format.shortcuts))
        around = [at for at in map(_where, before) if place[: len(at)] == at]
        top = min(around, key=len, default=place)
        if top == place:
            whole[top] = to
        else:
            model, (*inside, key) = _at(cards, top), place[len(top) :]
            values = whole.setdefault(top, patches.plain(model))
            patches.container(values, model, tuple(inside))[key] = to
    rest = [str(one) for one in before if not any(_where(one)[: len(at)] == at for at in whole)]
    return tools.variant(
        name, *rest, *(patches.change_text(at, "=", value) for at, value in whole.items())
    )


def _where(change: Change) -> Place:
    """The full place of a change."""
    return (*change.card, *change.place)


def _at(cards: Cards, place: Place) -> Any:
    """The value at a place of a pack."""
    card = next(card for card in cards if place[: len(card)] == card)
    return patches.value_at(cards[card], place[len(card) :])


def wrong_ranges(
    key: str,
    tools: PackTools,
    pack: str,
    ranges: Mapping[str, Sequence[int]],
    check: Callable[[str], object],
) -> list[str]:
    """Mistakes in ranges, path: (from, to), a line each; each end is tried by itself.

    key: of the ranges in a file. check: called with the pack at one end; raises ValueError.
    """
    wrong, cards = Mistakes(), tools.cards(pack)
    known: dict[Place, str] = {}
    for path, (low, high) in ranges.items():
        with wrong.gathered(f"{key}.{path}: "):
            if low >= high:
                raise ValueError(f"[{low}, {high}]; the first must be the smaller one")
            value_of(tools, pack, path)
            place = _where(patches.find(cards, f"{path} = 0", tools.format.shortcuts))
            other = known.setdefault(place, path)
            if other != path:
                raise ValueError(f"is the same number as {other}; name it once")
            for end in (low, high):
                check(with_values(tools, pack, {path: end}))
    return wrong.errors


# ---- the files of a scenario ----------------------------------------------------------------
def paths_of(tools: PackTools, plans: Sequence[Plan]) -> list[str]:
    """Paths of the files that the games of these plans use.

    Raises ContentError for scenarios drawn from a seed, which have no file.
    """
    found: list[str] = []
    for plan in plans:
        (kind,) = plan.kinds
        if kind.scenario == RANDOM:
            raise ContentError(["of: say which numbers; scenarios drawn from a seed have no file"])
        heroes = kind.arguments().heroes
        files = tools.scenario_files(kind.pack, kind.scenario, heroes, kind.level)
        found += map(path_text, files)
    return list(dict.fromkeys(found))


# ---- walking --------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Walk:
    """Finds numbers in the cards of a pack."""

    tools: PackTools
    cards: Cards

    def place(self, text: str) -> Place:
        """The place that a path names: a folder, a file, or a value in a file."""
        steps = tuple(read_path(text))
        if any(card[: len(steps)] == steps for card in self.cards):
            return steps
        return self._find(text, "{}")

    def below(self, place: Place) -> Iterator[tuple[str, int]]:
        """Numbers at or below a place, by their shortest paths."""
        for card, model in self.cards.items():
            for at, short, value in self._leaves(model, card, card):
                if at[: len(place)] == place:
                    yield path_text(short if self._leads(short, at) else at), value

    def _leaves(
        self, value: object, place: Place, short: Place
    ) -> Iterator[tuple[Place, Place, int]]:
        """Whole numbers of a file: place, the place by shortcuts, value."""
        if isinstance(value, BaseModel):
            skipped = self.tools.format.shortcuts.get(type(value))
            for name, field in type(value).model_fields.items():
                key, part = field.alias or name, getattr(value, name)
                counts = is_whole(part) and not isinstance(value, self.tools.optional)
                if counts or name in value.model_fields_set:
                    own = short if key == skipped else (*short, key)
                    yield from self._leaves(part, (*place, key), own)
        elif isinstance(value, dict):
            for key, part in value.items():
                yield from self._leaves(part, (*place, key), (*short, key))
        elif isinstance(value, list):
            for i, part in enumerate(value):
                yield from self._leaves(part, (*place, i), (*short, *_step_to(part, i)))
        elif is_whole(value):
            yield place, short, int(value)  # type: ignore[call-overload]

    def _leads(self, short: Place, place: Place) -> bool:
        """Whether a path, which may be ambiguous, leads to this place."""
        try:
            return self._find(path_text(short), "0") == place
        except ValueError:
            return False

    def _find(self, path: str, value: str) -> Place:
        return _where(patches.find(self.cards, f"{path} = {value}", self.tools.format.shortcuts))


def _step_to(part: object, i: int) -> Place:
    """The step to a list item: its name, none if its only key finds it, or its position."""
    name = getattr(part, "name", None)
    if isinstance(name, str):
        return (name,)
    if isinstance(part, BaseModel) and len(part.model_fields_set) == 1:
        return ()
    return (i,)
