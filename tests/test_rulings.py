"""docs/rulings.md lists every ruling of the rulebook and its place in the code."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def generator():
    spec = importlib.util.spec_from_file_location("rulings", ROOT / "docs" / "rulings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(module):
    """{id: (question, ruling, files)} of the page."""
    found = {}
    for line in module.PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| Q"):
            name, question, ruling, where = (part.strip() for part in line.split(" | "))
            found[name.removeprefix("| ")] = (question, ruling, re.findall(r"`([^`]+)`", where))
    return found


def test_every_ruling_of_the_rulebook_is_there_word_for_word():
    module = generator()
    page = rows(module)
    assert [name for name, _, _ in module.rulings()] == [f"Q{n}" for n in range(1, 67)]
    for name, question, ruling in module.rulings():
        assert page[name][:2] == (question, ruling)


def test_the_files_it_names_name_the_ruling():
    where = generator().places()
    for name, (_, _, files) in rows(generator()).items():
        assert set(files) <= set(where.get(name, [])), f"{name}: run python docs/rulings.py"


def test_every_reading_of_hexdungeon_has_its_place():
    module = generator()
    where = module.places()
    page = module.PAGE.read_text(encoding="utf-8")
    for name, question, reading in module.HEXDUNGEON:
        assert f"| {name} | {question} | {reading} |" in page
        assert where[name]
