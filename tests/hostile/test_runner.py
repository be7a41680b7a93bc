"""The runner notices every kind of faulty answer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile import kinds, runner
from tests.hostile.runner import Attack, faults


def crash(arguments):
    os.abort()


def work(arguments):
    while True:
        pass


def wait(arguments):
    with open("pipe") as file:
        file.read()


def grow(arguments):
    kept = []
    while True:
        kept.append(b"x" * 2**24)  # written, so that it is really taken


def fail(arguments):
    raise KeyError("name")


def refuse(arguments):
    """Write files, leave files and print as the arguments say, then refuse."""
    for name in arguments[1:]:
        Path(name).write_text("written")
    sys.stderr.write(arguments[0])
    return 2


def found(function, *arguments, **more):
    attack = Attack(arguments, entry=f"{__name__}:{function.__name__}", **more)
    ((_, _, answer),) = runner.answers([attack])
    return list(faults(attack, answer))


@pytest.fixture(autouse=True)
def limits(monkeypatch):
    monkeypatch.setattr(runner, "MOST_WALL", 10.0)
    monkeypatch.setattr(runner, "MOST_MEMORY", 2**28)


def test_a_careful_refusal_has_no_fault():
    assert found(refuse, "a.yaml: key: must be 1 to 4, not 5\n") == []


@pytest.mark.parametrize(
    ("function", "arguments", "fault"),
    [
        (crash, (), "crashed: SIGABRT"),
        (grow, (), "MiB"),
        (fail, (), "exit status 1"),
        (fail, (), "a traceback"),
        (refuse, ("",), "without a message"),
        (refuse, ("x" * 3000,), "a message of 3,000 characters"),
        (refuse, ("line\n" * 300,), "a refusal of 300 lines"),
        (refuse, ("\x1b[31mred",), "control characters"),
        (refuse, ("no", "out.json"), "refused, but written: out.json"),
        (refuse, ("no", "out.json.partial"), "half-written files left"),
        (refuse, (runner.FOREIGN,), "foreign file"),
    ],
)
def test_every_fault_is_noticed(function, arguments, fault):
    assert any(fault in text for text in found(function, *arguments))


def test_endless_work_is_noticed(monkeypatch):
    monkeypatch.setattr(runner, "MOST_CPU", 0.5)
    assert any("s of work" in text for text in found(work))


def test_waiting_for_a_pipe_is_noticed():
    assert any("more than 10 s" in text for text in found(wait, files={"pipe": runner.pipe}))


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_an_attack_is_the_same_for_the_same_seed(kind):
    first, again = (kinds.attack(kind, 3, 1) for _ in "ab")
    assert first.arguments == again.arguments
    assert first.files.keys() == again.files.keys()


def test_no_answer_to_hostile_input_has_a_fault():
    """A share of every kind, in a process that forks before anything starts threads."""
    command = [sys.executable, "-m", "tests.hostile", "-n", "75", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


UNDAMAGED = """
from tests.hostile import runner, texts
runner.warm()
for _, attack, answer in runner.answers(texts.undamaged()):
    assert answer.status == 0, (attack.arguments, answer.err)
"""


def test_undamaged_inputs_are_accepted():
    done = subprocess.run(
        [sys.executable, "-c", UNDAMAGED], capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stderr[-3000:]
