"""Tables of all keys of content files, from the pydantic models of a schema.

The text below a field is its description; type, range and default come from the model itself.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from agemonia_env.packs.field_texts import texts_of
from agemonia_env.packs.folders import listed

Model = type[BaseModel]
NAME = 40  # most characters of what is called a name; anything longer is a text
FEW = 2  # keys that are rather described twice than looked up elsewhere
LEGEND = """\
- **Values.** `0-99` is a whole number in that range, a name 1 to 40 characters on one line, a text
  up to 600. "One or more of" takes one value as well as a list.
- **Defaults** stand behind a semicolon. A key without one may be missing: it is then empty,
  `false`, or has the defaults of its own section.
"""


@dataclass(frozen=True)
class Key:
    """One key of a mapping, in words."""

    name: str
    kind: str  # allowed values, with their range
    default: str
    text: str


@dataclass(frozen=True)
class Kind:
    """A kind of file: its path, the model of its content, and a file of a pack as an example."""

    title: str
    place: str
    model: Model
    example: str = ""  # relative to docs/


# ---- descriptions -------------------------------------------------------------------------------
def keys_of(model: Model) -> Iterator[Key]:
    """Describe every key of a model. Raises ValueError if a description or range is missing."""
    for name, field in model.model_fields.items():
        text = texts_of(model).get(name, "")
        if not text.endswith("."):
            raise ValueError(f"{model.__name__}.{name}: no sentence below it")
        kind = kind_text(annotation_of(field))
        if re.search(r"\bnumber\b", kind):
            raise ValueError(f"{model.__name__}.{name}: no range")
        yield Key(field.alias or name, kind, default_text(field), text.replace("|", "\\|"))


def annotation_of(field: FieldInfo) -> Any:
    """The type of a field, with its limits."""
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


# ---- types --------------------------------------------------------------------------------------
def kind_text(kind: Any, limits: Sequence[Any] = ()) -> str:
    """A type in words: `0-99`, a whole number. LEGEND explains the shortest ones."""
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
    least, most = _limits(limits)
    if kind in (int, float) and least is not None:
        return f"{least} to {most}" if least < 0 else f"{least}-{most}"
    if kind is str and most is not None:
        return {1: "character", NAME: "name"}.get(most, "text")
    return {bool: "true/false", int: "number", float: "number", str: "string"}[kind]


def _list_text(item: Any, limits: Sequence[Any]) -> str:
    least, most = _limits(limits)
    inner = kind_text(item)
    if least == most and most is not None:
        return f"{most} of {inner}"
    if any(getattr(limit, "func", None) is listed for limit in limits):
        return f"one or {f'up to {most}' if most is not None else 'more'} of {inner}"
    bounds = f"{least or 0}-{most}" if most is not None else "1 or more" if least else "list"
    return f"{bounds} of {inner}"


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
    """The default of a key, as the table shows it: "" = nothing, false, or the model's own."""
    if field.is_required():
        return "**required**"
    value = field.default
    if isinstance(value, BaseModel):
        value = value.model_dump(exclude_defaults=True, by_alias=True)
    return f"`{_yaml(value)}`" if value or (value == 0 and value is not False) else ""


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


def key_list(model: Model, described: Sequence[Model] = ()) -> str:
    """One line per key; keys that an earlier section describes alike are only named."""
    keys = list(keys_of(model))
    shared: list[Key] = []
    for other in described:
        known = set(keys_of(other))
        alike = [key for key in keys if key in known]
        if len(alike) > max(len(shared), FEW):
            shared, place = alike, other
    text = ""
    if shared:
        names = ", ".join(f"`{key.name}`" for key in shared)
        keys = [key for key in keys if key not in shared]
        text = f"As in [{title_of(place)}](#{anchor_of(place)}): {names}.\n" + "\n" * bool(keys)
    return text + "".join(map(key_line, keys))


def key_line(key: Key) -> str:
    """The line of a key: its value, its default, its meaning."""
    value = f"{key.kind}; {key.default}" if key.default else key.kind
    return f"- `{key.name}` ({value}): {key.text}\n"


def deed_list(model: Model) -> str:
    """One line per key of a mapping with exactly one key: its value, its target, what it does."""
    lines = []
    for key in keys_of(model):
        whom, colon, what = key.text.partition(": ")
        if not colon:
            raise ValueError(f"{model.__name__}.{key.name}: must start with its target and a colon")
        lines.append(f"- `{key.name}` ({_with_keys(model, key)}): **{whom}**: {what}\n")
    return "".join(lines)


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


def sections(kinds: Sequence[Kind], table: Callable[[Model, Sequence[Model]], str]) -> str:
    """A section per kind of file, and per mapping in it, each once."""
    parts: list[Model] = []  # described below the kinds, in order
    return "\n".join("\n".join(_section(kind, kinds, table, parts)) for kind in kinds)


def _section(
    kind: Kind,
    kinds: Sequence[Kind],
    table: Callable[[Model, Sequence[Model]], str],
    parts: list[Model],
) -> Iterator[str]:
    example = f" ([an example]({kind.example}))" if kind.example else ""
    about = summary_of(kind.model)
    yield f"## {kind.title}\n\n`{kind.place}`{example}\n\n{about}\n\n{table(kind.model, parts)}"
    waiting = list(parts_of(kind.model))
    while waiting:
        model = waiting.pop(0)
        if model not in parts and all(model is not other.model for other in kinds):
            yield f"### {title_of(model)}\n\n{summary_of(model)}\n\n{table(model, parts)}"
            parts.append(model)
            waiting = [*parts_of(model), *waiting]


def files_list(kinds: Sequence[Kind]) -> str:
    """Every kind of file with a link to its section."""
    rows = []
    for kind in kinds:
        anchor = re.sub(r"[^a-z0-9 -]", "", kind.title.lower()).replace(" ", "-")
        rows.append(f"- `{kind.place}`: [{kind.title}](#{anchor})\n")
    return "".join(rows)
