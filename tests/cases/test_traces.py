"""Whole games as cases (tests/agemonia/traces), which the runner passes."""

import re

import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.case_files import run_files
from tests.agemonia.traces.__main__ import main

GAMES = (
    "ford --heroes 1",
    "ford --heroes orsa,tamsin --policy random --seed 2 --level 3 --difficulty hard",
    "snares --heroes 1 --policy random --seed 3 --level 5",
)
VERBS = ("choose", "reveal", "initiative", "start_turn", "move", "enemy_turn", "fate", "next_round")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Games as files, each written once: the path, what was printed, and the exit status."""
    found = {}

    def write(game, capsys):
        if game not in found:
            path = tmp_path_factory.mktemp("traces") / "game.yaml"
            status = main([*game.split(), "--out", str(path)])
            found[game] = path, capsys.readouterr().out, status
        return found[game]

    return write


@pytest.mark.parametrize("game", GAMES if COMPILED else GAMES[:1])
def test_a_whole_game_passes_as_cases(game, written, capsys):
    path, said, status = written(game, capsys)
    text = path.read_text()
    ids = re.findall(r"^- id: (.*)$", text, re.MULTILINE)
    assert (status, said) == (0, f"{len(ids)} passed, 0 failed\n")
    assert ids[0] == "001-round-1-selection"
    assert sorted(set(ids)) == ids
    assert "without a case" not in text
    assert all(f"\n  - {verb}:" in text for verb in VERBS)


def test_a_changed_expectation_is_noticed(written, tmp_path, capsys):
    path, said, _ = written(GAMES[0], capsys)
    changed = tmp_path / "changed.yaml"
    changed.write_text(path.read_text().replace("ended: null", "ended: failure", 1))
    assert run_files([changed]) == 1
    passed = int(said.split()[0])
    said = capsys.readouterr().out
    assert "FAILED 001-round-1-selection " in said
    assert "ended: expected failure, found null" in said
    assert f"{passed - 1} passed, 1 failed" in said
