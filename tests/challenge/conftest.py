"""Entries and rows for the tests of the challenge."""

import sys

import pytest

from agemonia_env.challenge import settings
from agemonia_env.challenge.entries import Entry
from agemonia_env.challenge.play import Challenge
from agemonia_env.challenge.settings import AGEMONIA, GameSet, Setting

# Games that end after a few decisions
TINY = {"scenario": "ford", "heroes": ["orsa"], "max_decisions": 4}
SMALL = GameSet(
    (Setting("one", AGEMONIA, TINY), Setting("two", AGEMONIA, {**TINY, "heroes": 2})), 2
)

SCRIPT = """
import json, sys, time
decisions = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        ready = {{"type": "ready", "protocol": 1, "name": "script", "wants": []}}
        print(json.dumps(ready), flush=True)
    elif message["type"] == "decision":
        decisions += 1
        first = message["options"][0]["action"]
        {answer}
"""
FIRST = 'print(json.dumps({"action": first}), flush=True)'


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """A set of four short games."""
    monkeypatch.setitem(settings.SETS, "small", SMALL)


@pytest.fixture
def script(tmp_path):
    """A function that makes an entry: a command that answers decisions by a line of Python."""

    def make(answer=FIRST, text=SCRIPT):
        path = tmp_path / "entry.py"
        path.write_text(text.format(answer=answer))
        return Entry("command", f'"{sys.executable}" -S "{path.as_posix()}"')

    return make


@pytest.fixture
def challenge(tmp_path):
    """A function that makes a challenge of four short games."""

    def make(entry, **choices):
        return Challenge(entry, tmp_path / "row.json", "small", **choices)

    return make
