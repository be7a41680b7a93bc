"""Reads folders of YAML files into models, and reports all mistakes at once.

A mistake reads `file: key: what is wrong; allowed values`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from agemonia_env.display.messages import choices, first_of, in_line, shown
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.files.documents import DocumentError, Place, parse_yaml, read_text
from agemonia_env.rulesets.doors import RULESETS

Model = TypeVar("Model", bound=BaseModel)
YAML = ".yaml"  # at the end of the names of a pack's files


class ContentError(ValueError):
    """A pack that cannot be used; `errors`: its first mistakes, and how many more there are."""

    def __init__(self, errors: Iterable[str]) -> None:
        self.errors = first_of(errors)
        super().__init__("\n".join(self.errors))


class Mistakes:
    """Collects errors, to report all of them at once."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    @contextmanager
    def gathered(self, where: str = "") -> Iterator[None]:
        """Collect a ValueError of the block and go on; `where` is prepended to each line."""
        try:
            yield
        except ValueError as error:
            self.errors += [f"{where}{text}" for text in str(error).split("\n")]

    def error(self) -> ContentError:
        """All collected errors, without duplicates."""
        return ContentError(list(dict.fromkeys(self.errors)))

    def tell(self) -> None:
        """Raise ContentError if there are errors."""
        if self.errors:
            raise self.error()


# ---- models ---------------------------------------------------------------------------------
# No unknown keys, no silent conversion, immutable
STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class Strict(BaseModel):
    """No unknown keys, no silent conversion of values, never changed after reading."""

    model_config = STRICT


def on_one_line(name: str) -> str:
    """Return a name that prints on one line. Raises ValueError otherwise."""
    if not name.isprintable():
        raise ValueError(f"must print on one line: {shown(name)}")
    return name


def printable(text: str) -> str:
    """Return a text that can be printed, on several lines. Raises ValueError otherwise."""
    if not text.replace("\n", "").isprintable():
        raise ValueError(f"has unprintable characters: {shown(text)}")
    return text


def path_text(value: Any) -> Any:
    """A path as text; anything else as it is."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def listed(value: Any) -> Any:
    """Turn a single value into a list; None into an empty one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def repeated(names: Iterable[str]) -> list[str]:
    """The names that occur more than once, sorted."""
    return sorted(name for name, times in Counter(names).items() if times > 1)


# ---- YAML -----------------------------------------------------------------------------------
def read_yaml(path: Path) -> Any:
    """Read a YAML file. Raises ValueError, without the file's name."""
    value = parse_yaml(read_text(path)).value
    if value is None:
        raise DocumentError(None, "is empty")
    return value


# ---- describing mistakes ----------------------------------------------------------------------
BRANCHES = ("constrained-", "list[", "function-")  # prefixes of pydantic's names of union branches
MOST_DESCRIBED = 50  # mistakes of one file
SCALARS = ("str", "int", "float", "bool")  # union branches that may also be keys
QUOTED = re.compile("'([^']*)'")
LENGTHS = {  # error types of pydantic about lengths, reworded
    "too_short": ("min_length", "at least {} entries"),
    "too_long": ("max_length", "at most {} entries"),
    "string_too_short": ("min_length", "at least {} characters"),
    "string_too_long": ("max_length", "at most {} characters"),
}


def describe(model: type[BaseModel], error: ValidationError) -> list[str]:
    """Each mistake as `key: what is wrong; allowed values`."""
    return [f"{_key(place)}: {reason}" for place, reason in reasons(model, error)]


def reasons(model: type[BaseModel], error: ValidationError) -> list[tuple[Place, str]]:
    """Each mistake once: its place, and what is wrong there, with the allowed values.

    At most the first MOST_DESCRIBED.
    """
    by_place: dict[Place, list[dict[str, Any]]] = {}
    everything = error.errors(include_url=False)
    for entry in everything[:MOST_DESCRIBED]:
        by_place.setdefault(_place(model, entry["loc"]), []).append(dict(entry))
    around = {place[:n] for place in by_place for n in range(len(place))}
    mistakes = []
    for place, entries in by_place.items():
        near = [entry for entry in entries if not _is_of_another_kind(entry)]
        if near or place not in around:
            mistakes.append((place, _reason(model, place, near or entries)))
    if len(everything) > MOST_DESCRIBED:
        mistakes.append(((), f"{len(everything) - MOST_DESCRIBED:,} more mistakes are not shown"))
    return mistakes


def _is_of_another_kind(entry: dict[str, Any]) -> bool:
    """Whether the value's type is wrong altogether.

    If there are other errors at the same place, they are of the union branch that was meant.
    """
    return str(entry["type"]).endswith("_type") or entry["type"] == "literal_error"


def _place(model: type[BaseModel], steps: Place) -> Place:
    """The steps that are keys of the file: pydantic also names union branches."""
    place: Place = ()
    for step in steps:
        if not _is_branch(step) and not (step in SCALARS and _is_union(_type_at(model, place))):
            place = (*place, step)
    return place


def _is_branch(step: int | str) -> bool:
    """Whether a step can only be a union branch."""
    return isinstance(step, str) and (
        "literal[" in step or step.startswith(BRANCHES) or step == "[key]"
    )


def _key(place: Place) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{in_line(step)}" for step in place)
    return text.lstrip(".") or "file"


def _reason(model: type[BaseModel], place: Place, entries: list[dict[str, Any]]) -> str:
    """What is wrong at a place; type errors of several union branches become one reason."""
    value = entries[0]["input"]
    if all(map(_is_of_another_kind, entries)):
        wanted = " or ".join(dict.fromkeys(map(_wanted, entries)))
        if all(entry["type"] == "literal_error" for entry in entries):
            return f"{shown(value)} is not allowed{choices(value, QUOTED.findall(wanted), wanted)}"
        return f"must be {wanted}{_shown(value, place)}"
    return " or ".join(dict.fromkeys(_describe(model, place, entry) for entry in entries))


def _wanted(entry: dict[str, Any]) -> str:
    """What the value should be: `a valid integer`."""
    if entry["type"] == "literal_error":
        return str(entry["ctx"]["expected"])
    wanted = str(entry["msg"]).removeprefix("Input should be ")
    wanted = wanted.partition(" or instance of ")[0].replace("dictionary", "mapping")
    return wanted.replace("a valid boolean", "true or false")


def _shown(value: Any, place: Place) -> str:
    """The wrong value, for the end of a message; never a whole file, which may be private."""
    hidden = not place or isinstance(value, dict | list | BaseModel)
    return "" if hidden else f"; it is {shown(value)}"


def _describe(model: type[BaseModel], place: Place, entry: dict[str, Any]) -> str:
    value, kind = entry["input"], entry["type"]
    if kind == "extra_forbidden":
        owner = _model_at(model, place[:-1])
        keys = [] if owner is None else [f.alias or n for n, f in owner.model_fields.items()]
        return f"unknown key{choices(str(place[-1]), keys)}"
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(entry["ctx"]["error"])
    if kind in LENGTHS:
        limit, text = LENGTHS[kind]
        allowed = entry["ctx"][limit]
        if allowed == 1 and limit == "min_length":
            return "must not be empty"
        return f"must have {text.format(allowed)}, not {len(value)}"
    return str(entry["msg"]).replace("Input should be", "must be") + _shown(value, place)


def _model_at(model: type[BaseModel], place: Place) -> type[BaseModel] | None:
    """The model at a place of a file."""
    found = _bare(_type_at(model, place))
    return found if isinstance(found, type) and issubclass(found, BaseModel) else None


def _type_at(model: type[BaseModel], place: Place) -> Any:
    """The annotation at a place of a file; None if unknown."""
    current: Any = model
    for step in place:
        current = _bare(current)
        if isinstance(current, type) and issubclass(current, BaseModel):
            fields = {f.alias or n: f.annotation for n, f in current.model_fields.items()}
            current = fields.get(str(step))
        else:
            current = next(reversed(get_args(current)), None)
    return current


def _is_union(annotation: Any) -> bool:
    """Whether an annotation allows several types, not counting None."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else ()
    return len([part for part in parts if part is not type(None)]) > 1


def _bare(annotation: Any) -> Any:
    """An annotation without Annotated and `| None`."""
    while get_origin(annotation) in (Annotated, Union, UnionType):
        arguments = [part for part in get_args(annotation) if part is not type(None)]
        annotation = arguments[0]
    return annotation


# ---- folders --------------------------------------------------------------------------------
def _leads_into(path: Path, folder: Path) -> bool:
    """Whether a link points into a folder; a link to itself does not."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # RuntimeError until Python 3.12
        return False


class Reader:
    """Reads the files of one folder and collects mistakes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.errors: list[str] = []
        self.read: set[str] = set()  # names of files

    def file(self, name: str, model: type[Model]) -> Model | None:
        """Read one file; None after recording what is wrong with it."""
        self.read.add(name)
        try:
            return model.model_validate(read_yaml(self._own(name)))
        except ValidationError as error:
            self.errors += [f"{name}: {text}" for text in describe(model, error)]
        except ValueError as error:
            self.errors.append(f"{name}: file: {error}")
        return None

    def _own(self, name: str) -> Path:
        """The path of a file. Raises ValueError if it links out of the folder."""
        path = self.folder / name
        if path.is_symlink() and not _leads_into(path, self.folder):
            raise ValueError("links out of this folder; put a copy of the file here")
        return path

    def files(self, name: str, model: type[Model], *, needed: bool = False) -> dict[str, Model]:
        """Read every YAML file of a subfolder, by name; `needed`: there must be one."""
        found: dict[str, Model] = {}
        paths = sorted((self.folder / name).glob("*.yaml"))
        if needed and not paths:
            self.errors.append(f"{name}: folder: has no .yaml file")
        for path in paths:
            card = self.file(f"{name}/{path.name}", model)
            if card is not None:
                found[path.stem] = card
        return found

    def collection(
        self, name: str, model: type[BaseModel]
    ) -> tuple[dict[str, BaseModel], dict[str, str]]:
        """The cards of all files of a subfolder, and the file of each.

        The cards of a file are in its field `name`; no two files have the same one.
        """
        found: dict[str, BaseModel] = {}
        sources: dict[str, str] = {}
        for stem, cards in self.files(name, model).items():
            file = f"{name}/{stem}.yaml"
            for key, card in getattr(cards, name).items():
                if key in found:
                    self.errors.append(f"{file}: {name}.{key}: is also in {sources[key]}")
                found[key], sources[key] = card, file
        return found, sources

    def refuse_others(self, allowed: Sequence[str]) -> None:
        """Record every YAML file of the folder that was not read; allowed: what belongs there."""
        for path in yaml_files(self.folder):
            name = path.relative_to(self.folder).as_posix()
            if path.suffix != YAML:
                self.errors.append(
                    f"{in_line(name)}: file: is not read; its name must end in {YAML}"
                )
            elif name not in self.read:
                self.errors.append(f"{in_line(name)}: file: is not read{choices(name, allowed)}")


# ---- packs ----------------------------------------------------------------------------------
def yaml_files(folder: Path) -> list[Path]:
    """Every file below a folder whose name is that of a YAML file, hidden ones left out."""
    return sorted(map(Path, _yaml_names(folder)))


def _yaml_names(folder: Path) -> Iterator[str]:
    """Their paths as text: listing and dating the 66 of a pack takes 0.2 ms, with Path 0.9."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*folders, *files):
            if name.lower().endswith((YAML, ".yml")) and not name.startswith("."):
                yield os.path.join(place, name)


def packs_in(folder: Path) -> list[str]:
    """The names of the packs in a folder."""
    return sorted(path.parent.name for path in folder.glob("*/pack.yaml"))


def pack_folder(env: str, name_or_path: str | Path) -> Path:
    """The folder of a pack, given as a shipped pack's name or a path.

    Raises ValueError that lists the shipped packs, or says which environment the pack is for.
    """
    home = RULESETS[env].packs
    names = packs_in(home)
    if str(name_or_path) in names:
        return home / str(name_or_path)
    of = env_of(name_or_path)
    if of is not None and of != env:
        raise ValueError(f"pack {shown(str(name_or_path))} is for {of} (--env {of}), not {env}")
    folder = Path(name_or_path)
    if folder.suffix.lower() == ".zip" and _exists(folder):
        raise ValueError(
            f"pack {shown(str(name_or_path))} is an archive; unpack it, and name the folder"
        )
    if not _exists(folder / "pack.yaml"):  # of any kind: reading it reports what is wrong
        every = [name for doors in RULESETS.values() for name in packs_in(doors.packs)]
        raise ValueError(
            f"unknown pack {shown(str(name_or_path))}: no such folder with a pack.yaml, "
            f"and not one of: {', '.join(names)}{did_you_mean(str(name_or_path), every)}"
        )
    return folder.resolve()


def env_of(name_or_path: str | Path) -> str | None:
    """The environment of a pack, judged by its name or files; None if unclear."""
    for env, doors in RULESETS.items():
        if str(name_or_path) in packs_in(doors.packs):
            return env
    folder = Path(name_or_path)
    found = {
        env: sum(_exists(folder / name) for name in doors.pack_files)
        for env, doors in RULESETS.items()
    }
    best = max(found, key=lambda env: found[env])
    return best if list(found.values()).count(found[best]) == 1 else None


def _exists(path: Path) -> bool:
    """Whether something has this name, even a broken link."""
    try:
        return path.exists() or path.is_symlink()
    except (OSError, ValueError):  # not a valid file name
        return False


def times(folder: Path) -> tuple[tuple[str, int], ...]:
    """Every YAML file below a folder with its modification time, to detect edits."""
    return tuple((path, _changed(path)) for path in sorted(_yaml_names(folder)))


def _changed(path: str) -> int:
    """The modification time in ns; 0 if unavailable (reading the file will say why)."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
