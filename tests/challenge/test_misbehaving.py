"""Entries that misbehave lose by clear rules; nothing hangs, and no process is left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agemonia_env.challenge import messages
from agemonia_env.challenge.entries import Entry
from agemonia_env.challenge.messages import Command, EntryError, Forfeit

READY = """
import json, subprocess, sys, time
sys.stdin.readline()
print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
"""
CHILD = f"subprocess.Popen([{sys.executable!r}, '-S', '-c', 'import time; time.sleep(60)'])\n"
ROOT = Path(__file__).resolve().parents[2]
LONG = 50  # seconds: less than a child lives

needs_groups = pytest.mark.skipif(
    not hasattr(os, "killpg"), reason="this system does not tell what a process has started"
)


@pytest.fixture
def command(tmp_path):
    """A function that starts a Python program as a command; it is killed after the test."""
    started = []

    def start(text):
        path = tmp_path / "entry.py"
        path.write_text(text)
        started.append(Command(f'"{sys.executable}" -S "{path.as_posix()}"'))
        return started[-1]

    yield start
    for one in started:
        one.kill()


# ---- commands -----------------------------------------------------------------------------------
def test_an_answer_nested_too_deep_is_no_answer(command):
    entry = command(READY + "sys.stdin.readline(); print('[' * 60_000, flush=True)")
    entry.greet()
    assert entry.ask({"type": "decision"}, LONG) == "[" * 60_000


def test_a_line_without_an_end_is_a_crash(command):
    entry = command(READY + "sys.stdin.readline(); print('1' * 70_000, flush=True)")
    entry.greet()
    with pytest.raises(Forfeit, match="crash"):
        entry.ask({"type": "decision"}, LONG)


def test_a_first_line_that_is_too_long_is_said_to_be(command):
    entry = command("print('x' * 70_000, flush=True)")
    with pytest.raises(EntryError, match="but it is longer than 65,536 bytes"):
        entry.greet()


def test_an_entry_that_does_not_read_loses_in_time(command, monkeypatch):
    monkeypatch.setattr(messages, "START_S", LONG)
    entry = command(READY + "time.sleep(60)")
    entry.greet()
    monkeypatch.setattr(messages, "START_S", 0.5)
    with pytest.raises(Forfeit, match="time"):
        entry.tell({"type": "game", "rules": "x" * 2**20})


@needs_groups
def test_what_an_entry_leaves_running_does_not_keep_the_challenge_waiting(command, monkeypatch):
    monkeypatch.setattr(messages, "START_S", 10)
    began = time.monotonic()
    with pytest.raises(EntryError, match="took more than 10 s"):
        command("import subprocess\n" + CHILD).greet()
    assert time.monotonic() - began < LONG


APART = CHILD.replace("])", "], start_new_session=True)")
APART = f"child = {APART}"


@needs_groups
@pytest.mark.parametrize("message", [{"type": "decision"}, {"type": "decision", "x": "x" * 2**20}])
def test_a_child_in_another_session_does_not_keep_the_challenge_waiting(command, message):
    entry = command(READY + APART + "print(child.pid, flush=True); time.sleep(60)")
    entry.greet()
    child = int(entry.ask({"type": "decision"}, LONG))
    try:
        began = time.monotonic()
        with pytest.raises(Forfeit, match="time"):
            entry.ask(message, 0.5)
        entry.close()
        assert time.monotonic() - began < 10
    finally:
        os.kill(child, signal.SIGKILL)


@needs_groups
def test_sigterm_ends_a_challenge_whose_entry_has_left_a_child(tmp_path):
    (tmp_path / "entry.py").write_text(
        READY + APART + "print(child.pid, file=sys.stderr)\nsys.stderr.close(); time.sleep(60)"
    )
    words = ["challenge", "--command", f'"{sys.executable}" -S entry.py', "--set", "trial"]
    process = subprocess.Popen(
        [sys.executable, "-m", "agemonia_env", *words, "--out", "row.json"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    child = int(process.stderr.readline())
    try:
        process.send_signal(signal.SIGTERM)
        status = process.wait(20)
    finally:
        process.kill()
        os.kill(child, signal.SIGKILL)  # it holds standard error open
    said = process.stderr.read()
    assert (status, b"stopped" in said) == (130, True), said


@needs_groups
def test_what_an_entry_has_started_ends_with_it(command):
    entry = command(READY + CHILD)
    entry.greet()
    began = time.monotonic()
    entry.close()
    assert entry.process.stdout.read() == b""  # at the end of all that could write
    assert time.monotonic() - began < LONG


def test_ctrl_c_while_an_entry_starts_ends_it(script, challenge, monkeypatch):
    started = []

    def stopped(self):
        started.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Command, "greet", stopped)
    with pytest.raises(KeyboardInterrupt, match="stopped; no game is over yet"):
        challenge(script()).play()
    assert started[0].process.poll() is not None


# ---- objects ------------------------------------------------------------------------------------
def test_an_object_that_exits_loses_the_game(python, challenge):
    row = challenge(python("raise SystemExit")).play()
    assert [game.forfeit for one in row.settings for game in one.games] == ["crash"] * 4


def test_an_object_that_fails_to_close_has_played(python, challenge, capfd):
    body = "return decision.options[0].action\n\n    def close(self):\n        raise OSError('no')"
    assert challenge(python(body)).play().missing() == 0
    assert "OSError: no" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("class Mine:\n    act, wants = print, 5", "wants=5: must be a list of words, numbers"),
        ("class Mine:\n    act, name = print, 'x' * 61", "must be a text of at most 60 printable"),
    ],
)
def test_an_object_that_cannot_play_is_named(tmp_path, text, message):
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(EntryError, match=message):
        Entry("object", f"{path}:Mine").player()
