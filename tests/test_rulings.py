"""docs/rulings.md lists our own readings and their places in the code."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def generator():
    spec = importlib.util.spec_from_file_location("rulings", ROOT / "docs" / "rulings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date():
    module = generator()
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run: python docs/rulings.py"


def test_every_reading_has_its_place():
    module = generator()
    where = module.places()
    for name, _, _ in module.OWN + module.HEXDUNGEON:
        assert where[name], name
