"""A small pack of HexDungeon, to break in one place at a time."""

import copy
from pathlib import Path

import pytest
import yaml

STATS = {"hit_points": 4, "move": 2, "attack": 1}
MAP = """\
0 1 2 3 4
  .   .
.   .   a
  #   +
#   #   #
  @   ^
@   @   @
"""
CARD = {"name": "Poke", "initiative": 30, "top": [{"attack": 2}], "bottom": [{"move": 3}]}
FILES = {
    "pack.yaml": {
        "name": "Small",
        "version": "1",
        "text": "-",
        "party": ["poker"],
        "scenarios": ["hut"],
    },
    "templates.yaml": {
        "templates": {
            "arc": {"origin": "self", "hexes": [[1, 0], [0, 1]]},
            "pair": {"origin": "free", "hexes": [[0, 0], [1, 0]]},
        }
    },
    "classes/poker.yaml": {
        "name": "Poker",
        "text": "-",
        "hit_points": 8,
        "summons": {"cat": {"name": "Cat", **STATS}},
        "cards": [{**CARD, "name": f"Poke {n}"} for n in range(9)],
    },
    "monsters/rat.yaml": {
        "name": "Rat",
        "text": "-",
        "levels": [{"normal": STATS, "elite": {**STATS, "shield": 1}}] * 4,
        "cards": [
            {"name": f"Bite {n}", "initiative": 10 + n, "lines": [{"move": 0}, {"attack": 0}]}
            for n in range(8)
        ],
    },
    "scenarios/hut.yaml": {
        "name": "Hut",
        "text": "-",
        "map": MAP,
        "legend": {"a": {"monster": "rat", "heroes": ["normal", "normal", "elite", "elite"]}},
        "goal": {"kind": "defeat"},
        "last_round": 9,
    },
}


@pytest.fixture
def files():
    """The files, to be changed before they are written."""
    return copy.deepcopy(FILES)


@pytest.fixture
def build(files, tmp_path):
    """Writes the files to a folder."""

    def write() -> Path:
        for name, value in files.items():
            path = tmp_path / "small" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(yaml.safe_dump(value), encoding="utf-8")
        return tmp_path / "small"

    return write
