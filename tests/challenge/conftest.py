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

FIRST_OPTION = "return decision.options[0].action"
OBJECT = """
class Mine:
    name = "my object"
    wants = {wants!r}

    def begin(self, start):
        self.start = start

    def act(self, decision):
        {body}
"""


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
def python(tmp_path):
    """A function that makes an entry: an object whose `act` is a line of Python."""

    def make(body=FIRST_OPTION, wants=()):
        path = tmp_path / "mine.py"
        path.write_text(OBJECT.format(body=body, wants=wants))
        return Entry("object", f"{path}:Mine")

    return make


@pytest.fixture
def challenge(tmp_path):
    """A function that makes a challenge of four short games."""

    def make(entry, **choices):
        return Challenge(entry, tmp_path / "row.json", "small", **choices)

    return make


@pytest.fixture(scope="module")
def row_text(tmp_path_factory):
    """A row of four short games, as it is written."""
    folder = tmp_path_factory.mktemp("row")
    (folder / "mine.py").write_text(OBJECT.format(body=FIRST_OPTION, wants=()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(settings.SETS, "small", SMALL)
        entry = Entry("object", f"{folder / 'mine.py'}:Mine")
        Challenge(entry, folder / "row.json", "small").play()
    return (folder / "row.json").read_text()
