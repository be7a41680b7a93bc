"""Tables of all keys of content files, from the pydantic models of a schema.

The text below a field is its description; type, range and default come from the model itself.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from agemonia_env.packs.field_texts import texts_of
from agemonia_env.packs.folders import listed

Model = type[BaseModel]


@dataclass(frozen=True)
class Key:
    """One key of a mapping, in words."""

    name: str
    kind: str  # allowed values, with their range
    default: str
    text: str


@dataclass(frozen=True)
class Kind:
    """A kind of file: its path, the model of its content, and an example from a pack."""

    title: str
    place: str
    model: Model
    example: str = ""


# ---- descriptions -------------------------------------------------------------------------------
def keys_of(model: Model) -> Iterator[Key]:
    """Describe every key of a model. Raises ValueError if a description or range is missing."""
    for name, field in model.model_fields.items():
        text = texts_of(model).get(name, "")
        if not text.endswith("."):
            raise ValueError(f"{model.__name__}.{name}: no sentence below it")
        kind = kind_text(annotation_of(field))
        if re.search(r"number(?! \()", kind):
            raise ValueError(f"{model.__name__}.{name}: no range")
        yield Key(field.alias or name, kind, default_text(field), text.replace("|", "\\|"))


def annotation_of(field: FieldInfo) -> Any:
    """The type of a field, with its limits."""
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


# ---- types --------------------------------------------------------------------------------------
def kind_text(kind: Any, limits: Sequence[Any] = ()) -> str:
    """A type in words: `whole number (0 to 99)`."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return kind_text(args[0], [*limits, *args[1:]])
    if origin in (Union, types.UnionType):
        parts = [part for part in args if part is not type(None)]
        return " or ".join(kind_text(part, limits) for part in parts)
    if origin is Literal:
        return ", ".join(f"`{_yaml(value)}`" for value in args)
    if origin is list:
        return _list_text(args[0], limits)
    if origin is tuple:
        return "list"
    if origin is dict:
        return f"mapping of {kind_text(args[0])} to {kind_text(args[1])}"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return f"[{title_of(kind)}](#{anchor_of(kind)})"
    word = {bool: "`true`, `false`", int: "whole number", float: "number", str: "text"}[kind]
    least, most = _limits(limits)
    if kind in (int, float) and least is not None:
        return f"{word} ({least} to {most})"
    if kind is str and most is not None:
        return "one character" if most == 1 else f"{word} ({least} to {most} characters)"
    return word


def _list_text(item: Any, limits: Sequence[Any]) -> str:
    least, most = _limits(limits)
    inner = kind_text(item)
    if least == most and most is not None:
        return f"list of {most}: {inner}"
    if any(getattr(limit, "func", None) is listed for limit in limits):
        upto = f" of at most {most}" if most is not None else ""
        return f"one, or a list{upto}, of {inner}"
    bounds = f" of {least or 0} to {most}" if most is not None else " of 1 or more" if least else ""
    return f"list{bounds}: {inner}"


def _limits(limits: Sequence[Any]) -> tuple[Any, Any]:
    """Lower and upper limit of a value or its length; None for no limit."""
    least = most = None
    for limit in limits:
        for one in getattr(limit, "metadata", None) or [limit]:
            match one:
                case annotated_types.Ge(ge=value) | annotated_types.MinLen(min_length=value):
                    least = value
                case annotated_types.Le(le=value) | annotated_types.MaxLen(max_length=value):
                    most = value
    return least, most


def default_text(field: FieldInfo) -> str:
    """The default of a key, as the table shows it."""
    if field.is_required():
        return "**required**"
    value = field.default
    if value is None:
        return "none"
    if isinstance(value, BaseModel):
        value = value.model_dump(exclude_defaults=True, by_alias=True)
        if not value:
            return "its defaults"
    return f"`{_yaml(value)}`"


def _yaml(value: Any) -> str:
    """A value as YAML, on one line."""
    text = yaml.safe_dump(value, default_flow_style=True, width=1000, sort_keys=False).strip()
    return text.removesuffix("\n...").strip("'")


# ---- pages --------------------------------------------------------------------------------------
def title_of(model: Model) -> str:
    """The heading of a model: `EnemyAction` is "Enemy action"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", model.__name__).capitalize()


def anchor_of(model: Model) -> str:
    """The anchor of a model's section."""
    return title_of(model).lower().replace(" ", "-")


def summary_of(model: Model) -> str:
    """The docstring by paragraphs, without the file name, which the page already shows."""
    text = inspect.cleandoc(model.__doc__ or "")
    text = re.sub(r"^(?:A file of \w+/|[\w/]+\.yaml): ", "", text)
    text = re.sub(r" \(terms\.\w+\)", "", text)  # where the code has it
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    return "\n\n".join([paragraphs[0][:1].upper() + paragraphs[0][1:], *paragraphs[1:]])


def key_table(model: Model) -> str:
    """One row per key."""
    rows = "\n".join(
        f"| `{key.name}` | {key.kind} | {key.default} | {key.text} |" for key in keys_of(model)
    )
    return f"| key | value | default | meaning |\n|---|---|---|---|\n{rows}\n"


def deed_table(model: Model) -> str:
    """A row per key of a mapping with exactly one key: its target, and what it does."""
    rows = []
    for key in keys_of(model):
        whom, colon, what = key.text.partition(": ")
        if not colon:
            raise ValueError(f"{model.__name__}.{key.name}: must start with its target and a colon")
        rows.append(f"| `{key.name}` | {_with_keys(model, key)} | {whom} | {what} |")
    return "| key | value | who | what |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"


def _with_keys(model: Model, key: Key) -> str:
    """The value of a key; a mapping with few keys as `{amount, range}`."""
    (part,) = list(_models_in(model.model_fields[key.name].annotation)) or [None]
    if part is None or len(part.model_fields) > 4:
        return key.kind
    return f"[{{{', '.join(part.model_fields)}}}](#{anchor_of(part)})"


def parts_of(model: Model) -> Iterator[Model]:
    """Models of the values of a model's keys, in order."""
    for field in model.model_fields.values():
        yield from _models_in(field.annotation)


def _models_in(kind: Any) -> Iterator[Model]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for part in get_args(kind):
        if not isinstance(part, str | int):
            yield from _models_in(part)


def sections(kinds: Sequence[Kind], table: Callable[[Model], str]) -> str:
    """A section per kind of file, and per mapping in it, each once."""
    described: set[Model] = {kind.model for kind in kinds}
    return "\n".join("\n".join(_section(kind, table, described)) for kind in kinds)


def _section(kind: Kind, table: Callable[[Model], str], described: set[Model]) -> Iterator[str]:
    yield f"## {kind.title}\n\n`{kind.place}`\n\n{summary_of(kind.model)}\n\n{table(kind.model)}"
    if kind.example:
        yield f"```yaml\n{kind.example.strip()}\n```\n"
    waiting = list(parts_of(kind.model))
    while waiting:
        model = waiting.pop(0)
        if model not in described:
            described.add(model)
            yield f"### {title_of(model)}\n\n{summary_of(model)}\n\n{table(model)}"
            waiting = [*parts_of(model), *waiting]


def files_table(kinds: Sequence[Kind]) -> str:
    """Every kind of file with a link to its section."""
    rows = []
    for kind in kinds:
        anchor = re.sub(r"[^a-z0-9 -]", "", kind.title.lower()).replace(" ", "-")
        first = summary_of(kind.model).split("\n")[0]
        rows.append(f"| `{kind.place}` | [{kind.title}](#{anchor}) | {first} |")
    return "| file | section | what it holds |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def read(path: Path) -> str:
    """An example from a pack."""
    return path.read_text(encoding="utf-8")
