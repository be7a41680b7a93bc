"""Turn documents into cases, checking everything before anything is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agemonia_env.display.messages import in_line, shown, unknown
from agemonia_env.rulesets.case_files import Document, FileError, Place, Plain

from .parameters import VERBS, Common, Query, Spawn, Summon
from .schema import FIGURES, RESERVED, Decks, Dice, Figure, Map

M = TypeVar("M", bound=BaseModel)
CASE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
CASE_KEYS = (
    *("id", "rules", "note", "map", "figures", "dice", "decks", "do"),
    *("expect", "expect_any"),
)


@dataclass(frozen=True)
class Step:
    """One verb, its expected report, and whether the rules must refuse it."""

    verb: str
    given: Common
    result: dict[str, Plain] | None
    refused: bool
    line: int


@dataclass(frozen=True)
class Case:
    """A valid case. One of the mappings in `expect` must hold; an empty list demands nothing."""

    id: str
    rules: list[str]
    file: str
    line: int
    map: Map
    figures: dict[str, Figure]
    dice: Dice
    decks: Decks
    steps: list[Step]
    expect: list[dict[str, Plain]]


@dataclass
class Reader:
    """Reads one document; mistakes are collected in `problems`."""

    document: Document
    problems: list[FileError] = field(default_factory=list)

    def complain(self, place: Place, reason: str) -> None:
        """Record a mistake at `place`."""
        self.problems.append(self.document.problem(place, reason))

    def model(self, model: type[M], value: Plain, place: Place) -> M | None:
        """`value` as a `model`; None, with its mistakes recorded, if it does not fit."""
        try:
            return model.model_validate(value)
        except ValidationError as error:
            for e in error.errors():
                where = ".".join(in_line(part) for part in e["loc"] if isinstance(part, str | int))
                known = tuple(part for part in e["loc"] if isinstance(part, str | int))
                reason = e["msg"].removeprefix("Value error, ")
                if e["type"] == "extra_forbidden":
                    reason = f"unknown key; allowed: {_keys_at(model, e['loc'])}"
                self.complain((*place, *known), f"{where}: {reason}" if where else reason)
            return None

    def mapping(self, value: Plain, place: Place, what: str) -> dict[str, Plain]:
        """`value` if it is a mapping; otherwise a recorded mistake and {}."""
        if isinstance(value, dict):
            return value
        self.complain(place, f"{what} must be a mapping")
        return {}

    def sequence(self, value: Plain, place: Place, what: str) -> list[Plain]:
        """`value` if it is a list; otherwise a recorded mistake and []."""
        if isinstance(value, list):
            return value
        self.complain(place, f"{what} must be a list")
        return []


def _keys_at(model: type[BaseModel], loc: tuple[int | str, ...]) -> str:
    """Keys that the mapping around an unknown key may have, for one level; or a short hint."""
    if len(loc) == 1:
        return ", ".join(f.alias or name for name, f in model.model_fields.items())
    return "see the keys of this part in the format"


def load(document: Document) -> tuple[list[Case], list[FileError]]:
    """The valid cases of a document, and all mistakes in the others."""
    reader = Reader(document)
    cases: list[Case] = []
    ids: set[str] = set()
    for i, value in enumerate(reader.sequence(document.value, (), "a case file")):
        before = len(reader.problems)
        case = _case(reader, value, (i,))
        if case.id in ids:
            reader.complain((i, "id"), f"case {shown(case.id)} is given twice")
        ids.add(case.id)
        if len(reader.problems) == before:
            cases.append(case)
    return cases, reader.problems


def _case(reader: Reader, value: Plain, place: Place) -> Case:
    """One case; valid only if it added no problems."""
    raw = reader.mapping(value, place, "a case")
    for key in raw:
        if key not in CASE_KEYS:
            reader.complain((*place, key), unknown("key", key, CASE_KEYS))
    name = raw.get("id")
    if not isinstance(name, str) or not CASE_ID.match(name):
        reader.complain((*place, "id"), "a case needs an id in kebab-case")
    rules = reader.sequence(raw.get("rules", []), (*place, "rules"), "rules")
    figures = {
        key: figure
        for key, figure in _figures(reader, raw.get("figures", {}), (*place, "figures"))
        if figure is not None
    }
    case_map = reader.model(Map, raw.get("map", {}), (*place, "map")) or Map()
    dice = reader.model(Dice, raw.get("dice", {}), (*place, "dice"))
    decks = reader.model(Decks, raw.get("decks", {}), (*place, "decks"))
    steps = reader.sequence(raw.get("do", []), (*place, "do"), "do")
    case = Case(
        id=str(name),
        rules=[str(rule) for rule in rules],
        file=reader.document.file,
        line=reader.document.lines.get(place, 1),
        map=case_map,
        figures=figures,
        dice=dice or Dice(),
        decks=decks or Decks(),
        steps=[
            step
            for i, part in enumerate(steps)
            if (step := _step(reader, part, (*place, "do", i))) is not None
        ],
        expect=_expectations(reader, raw, place),
    )
    _check_names(reader, case, place)
    return case


def _figures(reader: Reader, value: Plain, place: Place) -> Iterator[tuple[str, Figure | None]]:
    """Each figure by its name, as the model of its kind."""
    for name, part in reader.mapping(value, place, "figures").items():
        here = (*place, name)
        if name in RESERVED:
            reader.complain(here, f"a figure may not be called {shown(name)}")
        raw = reader.mapping(part, here, f"figure {shown(name)}")
        kinds = [kind for kind in FIGURES if kind in raw]
        if len(kinds) == 1:
            yield name, reader.model(FIGURES[kinds[0]], raw, here)
        elif isinstance(part, dict):
            reader.complain(here, f"figure {shown(name)} needs one of {', '.join(FIGURES)}")


def _step(reader: Reader, value: Plain, place: Place) -> Step | None:
    """One step: its verb and the keys `result` and `refused`."""
    raw = reader.mapping(value, place, "a step")
    verbs = [key for key in raw if key not in ("result", "refused")]
    if len(verbs) != 1:
        reader.complain(place, f"a step names exactly one verb, not {len(verbs)}")
        return None
    verb = verbs[0]
    if verb not in VERBS:
        reader.complain((*place, verb), unknown("verb", verb, VERBS))
        return None
    refused = raw.get("refused", False)
    if not isinstance(refused, bool):
        reader.complain((*place, "refused"), "refused must be true or false")
    result = raw.get("result")
    if result is not None:
        result = reader.mapping(result, (*place, "result"), "result")
    given = reader.model(VERBS[verb], raw[verb], (*place, verb))
    if given is None:
        return None
    if isinstance(given, Query) and len(given.model_fields_set - set(Common.model_fields)) != 1:
        reader.complain((*place, verb), "a query names exactly one thing")
        return None
    line = reader.document.lines.get(place, 1)
    return Step(verb, given, result, bool(refused), line)


def _expectations(reader: Reader, raw: dict[str, Plain], place: Place) -> list[dict[str, Plain]]:
    """The alternatives, one of which must hold at the end."""
    if "expect" in raw and "expect_any" in raw:
        reader.complain((*place, "expect_any"), "a case has expect or expect_any, not both")
    if "expect" in raw:
        return [reader.mapping(raw["expect"], (*place, "expect"), "expect")]
    if "expect_any" not in raw:
        return []
    here = (*place, "expect_any")
    parts = reader.sequence(raw["expect_any"], here, "expect_any")
    return [reader.mapping(part, (*here, i), "expect_any") for i, part in enumerate(parts)]


def _check_names(reader: Reader, case: Case, place: Place) -> None:
    """Check that all areas and figures named exist."""
    for name in case.map.areas:
        if name in RESERVED:
            reader.complain(
                (*place, "map", "areas", name), f"an area may not be called {shown(name)}"
            )
    known = set(case.figures)
    for step in case.steps:
        if isinstance(step.given, Spawn | Summon):
            known.add(step.given.name)
    for name, figure in case.figures.items():
        if figure.area is not None and figure.area not in case.map.areas:
            reader.complain(
                (*place, "figures", name, "area"),
                f"area {shown(figure.area)} is not among {', '.join(case.map.areas)}",
            )
    for i, step in enumerate(case.steps):
        for key in ("who", "target"):
            who = getattr(step.given, key, None)
            if isinstance(who, str) and who not in known:
                reader.complain(
                    (*place, "do", i, step.verb, key),
                    f"{key}: {unknown('figure', who, sorted(known))}",
                )
    for dice in (case.dice.action, case.dice.reaction):
        for name in dice if isinstance(dice, dict) else ():
            if name not in known:
                reader.complain((*place, "dice"), f"dice of {shown(name)}, which is no figure")
    keys = [key for part in case.expect for key in part]
    for key in keys:
        if key not in known and key not in RESERVED:
            allowed = ", ".join([*sorted(known), *RESERVED])
            reader.complain((*place, "expect"), f"expect: {shown(key)} is not among {allowed}")


def as_plain(value: Any) -> Any:
    """Names and numbers of NumPy as plain Python values."""
    if isinstance(value, dict):
        return {str(key): as_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(part) for part in value]
    if value is None or isinstance(value, bool | str):
        return value
    return int(value)
