"""What the editor page asks of Python: cards with their schemas, mistakes, changes and packs.

An edit is {env, pack, files, cards} as JSON: the pack that was opened, the files that replace or
join its own, and the plain value of every edited card by its place, `enemies/reedling`.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, get_args

from pydantic import BaseModel

from agemonia_env.packs.archives import files_in_archive
from agemonia_env.packs.edited import (
    EditedPack,
    InexpressibleError,
    Mistake,
    patch_text,
    read_patch_text,
    values_of_patch,
    write_files,
)
from agemonia_env.packs.field_texts import texts_of
from agemonia_env.packs.folders import ContentError, yaml_files
from agemonia_env.packs.loading import PackFormat
from agemonia_env.packs.patches import plain
from agemonia_env.rulesets.agemonia.content.schema import basics
from agemonia_env.rulesets.arguments import Arguments, Compiled
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.pack_tools import pack_tools_of
from agemonia_env.rulesets.ruleset import ruleset_of

PACKS = Path("/packs")  # where packs that do not come with the package lie
NAMED = re.compile(r"(?:file|files|key|keys) of `(\w+)/`")  # in the text of a field
LETTER = re.compile(r"\bletters?\b")  # likewise: of a map's area


# ---- packs --------------------------------------------------------------------------------------
def form_of(env: str) -> PackFormat[Any]:
    """The format of the packs of an environment."""
    return pack_tools_of(env).format


def unpack(env: str, pack: str, files: Mapping[str, str]) -> str:
    """Where a pack lies in which these files replace others -> its name or path."""
    if not files:
        return pack
    mark = hashlib.sha256(json.dumps([env, pack, files], sort_keys=True).encode()).hexdigest()[:8]
    folder = PACKS / mark / PurePosixPath(pack or "pack").name
    if not folder.exists():
        if pack:
            write_files(folder, files_in(form_of(env).load(pack).folder))
        write_files(folder, files)
    return str(folder)


def files_in(folder: Path) -> dict[str, str]:
    """The files of a pack's folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in yaml_files(folder)
    }


def unpacked(env: str, pack: str, files: str) -> str:
    """See unpack; files, and the answer, as JSON."""
    return json.dumps(unpack(env, pack, json.loads(files)))


def edited(edit: str) -> EditedPack[Any]:
    """The pack of an edit."""
    given = json.loads(edit)
    base = unpack(given["env"], given["pack"], given.get("files") or {})
    values = {tuple(key.split("/", 1)): value for key, value in given["cards"].items()}
    return EditedPack(form_of(given["env"]), base, values)


def name_of(edit: str) -> str:
    """What names the edited pack to the environment, as JSON."""
    mark = hashlib.sha256(edit.encode()).hexdigest()[:8]
    pack = edited(edit)
    return json.dumps(pack.text(PACKS / mark / pack.pack.folder.name))


# ---- cards --------------------------------------------------------------------------------------
def open_pack(edit: str) -> str:
    """The pack before it was edited, as JSON: each card's folder, key, title and value."""
    pack = edited(edit)
    cards = {
        "/".join(map(str, place)): {
            "folder": str(place[0]),
            "key": str(place[-1]),
            "title": getattr(card, "name", None) or str(place[-1]),
            "value": plain(card),
        }
        for place, card in pack.old.items()
    }
    names = {"name": pack.pack.name, "title": pack.pack.card.name}
    return json.dumps({**names, "cards": cards})


def schemas(env: str) -> str:
    """The JSON schema of each kind of card by its folder, or place of a single file, as JSON."""
    return json.dumps(schemas_of(env))


@cache
def schemas_of(env: str) -> dict[str, Any]:
    """See schemas; collections have the schema of a single card."""
    form = form_of(env)
    found = {"/".join(map(str, place)): schema_of(one) for place, (_, one) in form.files.items()}
    for kind, model in form.folders.items():
        own = (
            get_args(model.model_fields[kind].annotation)[1] if kind in form.collections else model
        )
        found[kind] = schema_of(own)
    return found


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model, with the text of each field, and what it names."""
    schema = model.model_json_schema()
    models = {one.__name__: one for one in models_in(model)}
    for name, part in [(model.__name__, schema), *schema.get("$defs", {}).items()]:
        own = models[name]
        if issubclass(own, basics.OneKey):
            part["oneKey"] = True
        for field, about in own.model_fields.items():
            text = texts_of(own).get(field, "")
            described = part["properties"][about.alias or field]
            described |= {"description": text} | names_in(text)
    return schema


def names_in(text: str) -> dict[str, str]:
    """What the value of a field names, by the text of the field: cards of a folder, or areas."""
    if found := NAMED.search(text):
        return {"names": found[1]}
    return {"names": "areas"} if LETTER.search(text) else {}


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Every model in an annotation, those in its fields included."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        for field in annotation.model_fields.values():
            yield from models_in(field.annotation)
    for part in get_args(annotation):
        yield from models_in(part)


# ---- checking -----------------------------------------------------------------------------------
def mistakes(edit: str, given: str) -> str:
    """What is wrong with an edited pack, as JSON: card, place and text of each mistake.

    given: arguments as JSON; the scenario that they name is compiled, too.
    """
    pack = edited(edit)
    found = pack.mistakes()
    if not found:
        try:
            game_of(edit, given)
        except ContentError as error:
            found = [pack.placed(text) for text in error.errors]
        except ValueError as error:
            found = [pack.placed(text) for text in str(error).split("\n")]
    return json.dumps([told(mistake) for mistake in found])


def told(mistake: Mistake) -> dict[str, Any]:
    """A mistake as JSON."""
    card = None if mistake.card is None else "/".join(map(str, mistake.card))
    return {"card": card, "place": list(mistake.place), "text": mistake.text}


def game_of(edit: str, given: str) -> tuple[Arguments, Compiled]:
    """Arguments of the environment with the edited pack, and the scenario that they compile to."""
    return compiled(json.loads(edit)["env"], json.loads(name_of(edit)), given)


@lru_cache(8)
def compiled(env: str, pack: str, given: str) -> tuple[Arguments, Compiled]:
    """See game_of; a pack's name or folder changes with everything in it."""
    arguments = ruleset_of(env).check_arguments(**json.loads(given), pack=pack)
    return arguments, arguments.compile()


def contents(edit: str, given: str) -> str:
    """What it takes to play a scenario of an edited pack, as JSON; given: arguments as JSON."""
    arguments, scenario = game_of(edit, given)
    return json.dumps(
        {
            "content": base64.b64encode(scenario.content.tobytes()).decode(),
            "control": arguments.control(),
            "limit": arguments.max_decisions,
        }
    )


def lines(edit: str) -> str:
    """The changes as lines of a patch, as JSON; null if only files can say them."""
    try:
        return json.dumps(edited(edit).lines())
    except InexpressibleError:
        return "null"


def setting(edit: str) -> str:
    """How a game of the edited pack is opened, as JSON: its pack, and files to put in its place."""
    given, pack = json.loads(edit), edited(edit)
    files = dict(given.get("files") or {})
    if not files:
        name = json.loads(name_of(edit))
        if not Path(name).is_absolute():
            return json.dumps({"pack": name})
    new, before = pack.files(), files_in(pack.pack.folder)
    files |= {name: text for name, text in new.items() if before.get(name) != text}
    return json.dumps({"pack": given["pack"], "files": files})


# ---- export and import --------------------------------------------------------------------------
def export(edit: str) -> str:
    """The changes as lines and as a file, None where only files say it; and the pack's archive."""
    pack = edited(edit)
    changes = json.loads(lines(edit))
    patch = patch_text("Edited in the browser", changes) if changes else None
    name = pack.pack.folder.name
    return json.dumps({"name": name, "patch": patch, "zip": archive(name, pack.files())})


def archive(name: str, files: Mapping[str, str]) -> str:
    """A zip archive of a pack's folder, in base64."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for file, text in files.items():
            target.writestr(zipfile.ZipInfo(f"{name}/{file}"), text, zipfile.ZIP_DEFLATED)
    return base64.b64encode(packed.getvalue()).decode()


def read_patch(edit: str, text: str) -> str:
    """The edit of a file of changes, as JSON; edit: the pack to change. Raises ValueError."""
    given = json.loads(edit)
    pack = edited(edit)
    values = values_of_patch(pack.form, pack.base, read_patch_text(text).changes)
    return json.dumps(given | {"cards": {"/".join(map(str, k)): v for k, v in values.items()}})


def read_archive(data: Any) -> str:
    """The edit of a pack in a zip archive, as JSON, with nothing edited yet. Raises ValueError.

    data: its bytes.
    """
    files = files_in_archive(bytes(data))
    return json.dumps({"env": env_of(files), "pack": "", "files": files, "cards": {}})


def env_of(files: Mapping[str, str]) -> str:
    """The environment whose packs have such files."""
    folders = {name.split("/")[0] for name in files}
    return max(RULESETS, key=lambda env: len(folders & set(form_of(env).folders)))


def prepare() -> None:
    """Do once what a page would have to wait for; the texts of fields need the sources."""
    for env in RULESETS:
        schemas_of(env)
