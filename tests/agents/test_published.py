"""The models of the repository win as often as docs/results.md says."""

import json
from pathlib import Path

import pytest

from tests.agents.published import wins_as_published

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["weights"]
GAMES = 400


def test_every_file_is_on_the_page_and_all_of_them_are_small():
    files = sorted((ROOT / "agents" / "weights").iterdir())
    assert [path.name for path in files] == sorted(WEIGHTS)
    assert sum(path.stat().st_size for path in files) < 5_000_000


@pytest.mark.parametrize("name", WEIGHTS)
def test_a_published_model_wins_as_published(name):
    assert wins_as_published(WEIGHTS[name], GAMES, ROOT / "agents" / "weights" / name)
