"""Crafted reviews and rows are refused with care, or played; more: `python -m tests.hostile`."""

import subprocess
import sys

UNDAMAGED = """
from tests.hostile import games, runner
runner.warm()
for _, attack, answer in runner.answers(games.undamaged()):
    assert answer.status == 0, (attack.arguments, answer.err)
"""


def run(*words):
    """Run Python in a process of its own, which forks before anything starts threads."""
    command = [sys.executable, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_undamaged_games_are_accepted():
    run("-c", UNDAMAGED)


def test_no_answer_to_a_crafted_game_has_a_fault():
    kinds = "--kind", "review", "--kind", "row"
    run("-m", "tests.hostile", "-n", "60", "--seed", "7", *kinds)
