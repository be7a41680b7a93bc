"""`agemonia content new`: a small pack that works, for its owner to change."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.doors import DEFAULT, Doors, doors_of

HEADS = {  # what stands above each file of a folder
    "scenarios": "A scenario: its map, who is on it, how it is won.",
    "enemies": "An Enemy. Scenarios place it by the name of this file.",
    "items": "Items. Heroes and scenarios name them by their keys.",
    "heroes": "A Hero. Scenarios name it by the name of this file.",
    "allies": "A Non-Hero Ally.",
    "figures": "A token or a pet.",
    "decks": "A deck of cards.",
    "classes": "A class: a character and its hand of cards.",
    "monsters": "A monster type: its stat cards and ability cards.",
    "templates": "Areas of attacks.",
}


def write_pack(folder: Path, env: str = DEFAULT) -> int:
    """Write a starting pack for an environment into a new folder -> how many files.

    Raises ValueError if the folder exists already, or there is no such environment.
    """
    if folder.exists():
        raise ValueError(f"{folder}: already exists; choose a folder that does not")
    files = dict(_files(folder.resolve().name, doors_of(env)))
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for name, text in files.items():
        path = partial / name
        write_whole(path, text)
    partial.rename(folder)
    return len(files)


def _files(name: str, doors: Doors) -> Iterator[tuple[str, str]]:
    """Each file of the starting pack and its text."""
    pack, scenario = doors.starter
    home, enemies = doors.packs / pack, doors.open("starter_enemies")(pack, scenario)
    kept = {"scenarios": {scenario}, "gauntlets": set(), "enemies": enemies, "monsters": enemies}
    for path in sorted(home.rglob("*.yaml")):
        place = path.relative_to(home)
        text = path.read_text(encoding="utf-8")
        if place.name == "pack.yaml":
            yield str(place), _pack_text(name, scenario, text)
        elif path.stem in kept.get(place.parts[0], {path.stem}):
            head = HEADS[place.parts[0].removesuffix(".yaml")]
            yield place.as_posix(), f"# {head} {doors.keys} lists every key.\n{text}"


def _pack_text(name: str, scenario: str, text: str) -> str:
    """pack.yaml under another name, with one scenario; what else it says stays."""
    name = json.dumps(name[:40], ensure_ascii=False)  # a string of JSON is one of YAML
    text = re.sub(r"^name: .*$", lambda _: f"name: {name}", text, flags=re.MULTILINE)
    text = re.sub(r"^version: .*$", 'version: "0.1"', text, flags=re.MULTILINE)
    text = re.sub(r"^text: .*$(\n +.*$)*", "text: My own pack.", text, flags=re.MULTILINE)
    return re.sub(r"^scenarios:.*$(\n +.*$)*", f"scenarios: [{scenario}]", text, flags=re.MULTILINE)
