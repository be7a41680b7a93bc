"""The schema of rule cases of any ruleset: tables of verbs, steps, cases and their mistakes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, create_model, model_validator
from pydantic_core import ErrorDetails

from agemonia_env.display.messages import choices, in_line, shown

from .case_files import Document, FileError, Place


class Part(BaseModel):
    """A mapping with the keys below and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# ---- verbs --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Argument:
    """Marks a parameter that the core's verb takes; `number` turns a value into a number."""

    number: Callable[[Any, Any], int] = lambda table, value: int(value)


def verb(*bases: type[BaseModel], **fields: Any) -> type[BaseModel]:
    """The parameters of a verb: those of `bases`, and fields given as type or (type, default)."""
    own: dict[str, Any] = {
        name: given if isinstance(given, tuple) else (given, ...) for name, given in fields.items()
    }
    return create_model("Verb", __base__=bases or (Part,), **own)


def arguments_of(table: Any, given: BaseModel) -> tuple[int, ...]:
    """Arguments of the core's verb: the marked parameters in their order."""
    return tuple(
        int(mark.number(table, getattr(given, name)))
        for name, field in type(given).model_fields.items()
        for mark in field.metadata
        if isinstance(mark, Argument)
    )


def one_of(first: str, second: str) -> type[Part]:
    """A base of parameters of which exactly one is given."""

    class OneOf(Part):
        @model_validator(mode="after")
        def _one(self) -> OneOf:
            if (getattr(self, first) is None) == (getattr(self, second) is None):
                raise ValueError(f"one of {first} and {second} is needed")
            return self

    return OneOf


class Choice(Part):
    """One entry of a table, such as a verb, with its parameters. Other fields stand beside it."""

    table: ClassVar[dict[str, Any]] = {}  # name -> type of its parameters
    wrong: ClassVar[str] = "a step names exactly one verb"

    @property
    def verb(self) -> str:
        """The name of the entry."""
        return next(name for name in self.table if name in self.model_fields_set)

    @property
    def given(self) -> Any:
        """Its parameters."""
        given = getattr(self, self.verb)
        return self.table[self.verb]() if given is None else given

    @model_validator(mode="after")
    def _one_entry(self) -> Choice:
        """One entry is named, with its parameters unless it has none."""
        named = [name for name in self.table if name in self.model_fields_set]
        if len(named) != 1:
            raise ValueError(f"{self.wrong}, not {len(named)}")
        kind = self.table[self.verb]
        if getattr(self, self.verb) is None and getattr(kind, "model_fields", True):
            raise ValueError(f"{self.verb}: needs its parameters")
        return self


class Step(Choice):
    """A verb, and whether the rules must refuse it."""

    refused: bool = False


E = TypeVar("E", bound=Choice)


def choice_of(base: type[E], table: dict[str, Any]) -> type[E]:
    """A choice among the entries of a table."""
    fields: dict[str, Any] = {name: (kind | None, None) for name, kind in table.items()}
    model = create_model(base.__name__, __base__=base, **fields)
    model.table = table
    return model


# ---- cases --------------------------------------------------------------------------------------
class Case(Part):
    """What the cases of every ruleset have."""

    mistakes_fail: ClassVar[bool] = False  # a mistake fails its case; otherwise it is of the file
    id: str
    rules: list[str] = []
    note: Any = None
    do: list[Any] = []
    expect: Any = None
    expect_any: list[Any] = []

    def expected(self) -> Iterator[list[Any]]:
        """Lists of expectations; of each list one must hold."""
        if self.expect is not None:
            yield [self.expect]
        if self.expect_any:
            yield self.expect_any

    def mistakes(self) -> Iterator[tuple[Place, str]]:
        """Names that do not fit together, each with its place in the case."""
        yield from ()


C = TypeVar("C", bound=Case)


def read_cases(document: Document, kind: type[C]) -> Iterator[tuple[str, C | list[FileError]]]:
    """The title of each case of a document, and the case, or its mistakes."""
    if not isinstance(document.value, list):
        yield "no case", [document.problem((), "a case file must be a list")]
        return
    seen: set[Any] = set()
    for k, value in enumerate(document.value):
        given = value if isinstance(value, dict) else {}
        name, rules = given.get("id", "without id"), given.get("rules", [])
        named = ", ".join(map(str, rules)) if isinstance(rules, list) else ""
        title = f"{name} [{named}] {document.file}:{document.lines.get((k,), 1)}"
        wrong: list[tuple[Place, str]] = []
        try:
            case = kind.model_validate_json(json.dumps(value))
            wrong += case.mistakes()
        except ValidationError as error:
            wrong += dict.fromkeys(_mistake(kind, value, part) for part in error.errors())
        if str(name) in seen and "id" in given:
            wrong.append((("id",), f"case {shown(name)} is given twice"))
        seen.add(str(name))
        yield title, [_problem(document, (k,), *part) for part in wrong] or case


def load(document: Document, kind: type[C]) -> tuple[list[C], list[FileError]]:
    """The valid cases of a document, and all mistakes in the others."""
    found = [case for _, case in read_cases(document, kind)]
    cases = [case for case in found if not isinstance(case, list)]
    return cases, [problem for part in found if isinstance(part, list) for problem in part]


def _problem(document: Document, case: Place, place: Place, reason: str) -> FileError:
    """A mistake at a place in a case."""
    where = ".".join(map(in_line, place))
    return document.problem((*case, *place), f"{where}: {reason}" if where else reason)


def _mistake(kind: type[BaseModel], value: Any, error: ErrorDetails) -> tuple[Place, str]:
    """The place of a mistake in a case, and its reason; names of types in a union are left out."""
    loc = error["loc"]
    place: list[int | str] = []
    for key in loc:
        inside = value if isinstance(value, dict) else ()
        if key in (range(len(value)) if isinstance(value, list) else inside):
            value = value[key]
            place.append(key)
    if error["type"] == "extra_forbidden":
        keys = _keys_at(kind, loc[:-1])
        other = loc[-1] in keys  # it is a key of another model in a union
        return tuple(place), f"unknown key{'' if other else choices(loc[-1], keys)}"
    if error["type"] == "missing":
        place.append(loc[-1])
    return tuple(place), error["msg"].removeprefix("Value error, ")


def _keys_at(kind: type[BaseModel], place: Place) -> list[str]:
    """Keys that the mapping at a place may have."""
    kinds = [kind]
    for key in place:
        fields = [one.model_fields[key] for one in kinds if key in one.model_fields]
        kinds = [one for field in fields for one in _models_in(field.annotation)] or kinds
    return [field.alias or name for one in kinds for name, field in one.model_fields.items()]


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models in a type, such as a list or a union of them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
