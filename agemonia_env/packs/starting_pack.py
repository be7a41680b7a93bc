"""`agemonia content new`: a small working pack to start from."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.doors import DEFAULT, Doors, doors_of

HEADERS = {  # the comment at the top of each file, by folder
    "scenarios": "A scenario: its map, the figures on it, how it is won.",
    "enemies": "An enemy. Scenarios place it by the name of this file.",
    "items": "Items. Heroes and scenarios refer to them by key.",
    "heroes": "A hero. Scenarios refer to it by the name of this file.",
    "allies": "A non-hero ally.",
    "figures": "A token or a pet.",
    "decks": "A deck of cards.",
    "classes": "A class: a character and its hand of cards.",
    "monsters": "A monster type: its stat cards and ability cards.",
    "templates": "Area templates of attacks.",
}


def write_pack(folder: Path, env: str = DEFAULT) -> int:
    """Write a starting pack for an environment into a new folder -> number of files.

    Raises ValueError if the folder exists, or for an unknown environment.
    """
    if folder.exists():
        raise ValueError(f"{folder}: already exists; choose a new folder")
    files = dict(_files(folder.resolve().name, doors_of(env)))
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for name, text in files.items():
        write_whole(partial / name, text)
    partial.rename(folder)
    return len(files)


def _files(name: str, doors: Doors) -> Iterator[tuple[str, str]]:
    """The files of the starting pack: name and text."""
    pack, scenario = doors.starter
    home, enemies = doors.packs / pack, doors.open("starter_enemies")(pack, scenario)
    kept = {"scenarios": {scenario}, "gauntlets": set(), "enemies": enemies, "monsters": enemies}
    for path in sorted(home.rglob("*.yaml")):
        place = path.relative_to(home)
        text = path.read_text(encoding="utf-8")
        if place.name == "pack.yaml":
            yield str(place), _pack_text(name, scenario, text)
        elif path.stem in kept.get(place.parts[0], {path.stem}):
            header = HEADERS[place.parts[0].removesuffix(".yaml")]
            yield place.as_posix(), f"# {header} {doors.keys} lists every key.\n{text}"


def _pack_text(name: str, scenario: str, text: str) -> str:
    """pack.yaml with another name and a single scenario; the rest is unchanged."""
    name = json.dumps(name[:40], ensure_ascii=False)  # a JSON string is valid YAML
    text = re.sub(r"^name: .*$", lambda _: f"name: {name}", text, flags=re.MULTILINE)
    text = re.sub(r"^version: .*$", 'version: "0.1"', text, flags=re.MULTILINE)
    text = re.sub(r"^text: .*$(\n +.*$)*", "text: My own pack.", text, flags=re.MULTILINE)
    return re.sub(r"^scenarios:.*$(\n +.*$)*", f"scenarios: [{scenario}]", text, flags=re.MULTILINE)
