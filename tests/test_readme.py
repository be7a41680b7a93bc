"""The examples of the README run as they stand, and what it names exists."""

import re
from pathlib import Path

import pytest

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
