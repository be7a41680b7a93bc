"""The README stays short, its examples run, and its numbers are those that commands print."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
POLICIES = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
WORDS_MAX = 1300
SCRIPTED = ("random", "greedy")


def test_the_example_plays_the_same_game_every_time_in_nine_lines(capsys):
    (block,) = re.findall(r"^```python\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    assert len(block.replace("\n\n", "\n").splitlines()) == 9
    printed = []
    for _ in range(2):
        exec(compile(block, "README.md", "exec"), {})
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != ""


def test_it_is_short_and_nothing_is_left_to_fill_in():
    assert len(README.split()) <= WORDS_MAX
    assert "<!--" not in README


def test_scripted_play_wins_what_the_pages_say(tmp_path):
    """The rows of the table at the end of `make train` that do not depend on torch."""
    evaluate = pytest.importorskip(
        "agents.evaluate", reason="evaluation needs the extra train, which make test installs"
    )
    evaluate.main(["--games", "2000", "--out", str(tmp_path)])
    text = (tmp_path / "evaluation.json").read_text(encoding="utf-8")
    rows = {row["policy"]: row for row in json.loads(text)["rows"]}
    assert tuple(rows) == SCRIPTED
    for name, row in rows.items():
        cells = (
            *(name, f"{row['won']:.1%}", f"{100 * row['low']:.1f} - {row['high']:.1%}"),
            *(f"{row['rounds']:.1f}", f"{row['exhausted']:.2f}"),
            *(f"{row['damage_dealt']:.1f}", f"{row['damage_taken']:.1f}"),
        )
        assert f"| {' | '.join(cells)} |" in POLICIES
    greedy = f"{100 * rows['greedy']['won']:.1f} %"
    assert f"random play wins {100 * rows['random']['won']:.1f} %, scripted play {greedy}" in README
    frameworks = (ROOT / "docs" / "frameworks.md").read_text(encoding="utf-8")
    assert f"greedy play {greedy}" in frameworks
