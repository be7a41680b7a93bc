"""The examples of the README run as they stand, and what it names exists."""

import json
import re
from pathlib import Path

import pytest

from agents import evaluate

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SELF_PLAY = (ROOT / "docs/self-play.md").read_text(encoding="utf-8")


def examples(text):
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


BLOCKS = examples(README)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_example_runs(number):
    exec(compile(BLOCKS[number], f"README.md, example {number + 1}", "exec"), {})


def test_the_example_of_opponents_runs():
    (block,) = examples(SELF_PLAY)
    exec(compile(block, "docs/self-play.md", "exec"), {})


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=str
)
def test_who_trains_gives_torch_one_thread(page):
    """By default it takes every core; where they are shared that is many times slower."""
    for block in examples(page.read_text(encoding="utf-8")):
        assert ".learn(" not in block or "torch.set_num_threads(1)" in block


def test_the_table_says_what_the_command_prints(tmp_path):
    assert evaluate.main(["--games", "2000", "--out", str(tmp_path)]) == 0
    (row,) = (
        one
        for one in json.loads((tmp_path / "evaluation.json").read_text())["rows"]
        if one["policy"] == "greedy"
    )
    won, low, high = (f"{100 * row[key]:.1f}" for key in ("won", "low", "high"))
    told = f"{won} % | {low} to {high} % | {row['rounds']:.1f} | {row['exhausted']:.2f}"
    assert f"| greedy (scripted) | {told} |" in README
    assert f"scripted play {won} % " in (ROOT / "docs/frameworks.md").read_text(encoding="utf-8")


def test_there_are_examples():
    assert len(BLOCKS) >= 4


def test_every_link_and_every_file_of_the_reading_order_exists():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    files = re.findall(r"^\d\. `([^`]+)`", README, flags=re.MULTILINE)
    assert len(files) == 7
    missing = [name for name in (*links, *files) if not (ROOT / name).exists()]
    assert not missing


def test_no_marker_is_left_unfilled():
    assert "<!--" not in README
