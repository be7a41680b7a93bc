"""Whole games as cases (tests/agemonia/traces), which the runner passes."""

import re

import pytest

from agemonia_env.core.jit import COMPILED
from tests.agemonia.traces.__main__ import main

GAMES = (
    "ford --heroes 1",
    "ford --heroes orsa,tamsin --policy random --seed 2 --level 3 --difficulty hard",
    "snares --heroes 1 --policy random --seed 3 --level 5",
)
VERBS = ("choose", "reveal", "initiative", "start_turn", "move", "enemy_turn", "fate", "next_round")


@pytest.mark.parametrize("game", GAMES if COMPILED else GAMES[:1])
def test_a_whole_game_passes_as_cases(game, tmp_path, capsys):
    path = tmp_path / "game.yaml"
    status, said = main([*game.split(), "--out", str(path)]), capsys.readouterr().out
    text = path.read_text()
    ids = re.findall(r"^- id: (.*)$", text, re.MULTILINE)
    assert (status, said) == (0, f"{len(ids)} passed, 0 failed\n")
    assert ids[0] == "001-round-1-selection"
    assert sorted(set(ids)) == ids
    assert "without a case" not in text
    assert all(f"\n  - {verb}:" in text for verb in VERBS)
