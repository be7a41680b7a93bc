"""The examples of docs/frameworks.md and of examples/ run as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "frameworks.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)
RLLIB_PYTHON = "AGEMONIA_RLLIB_PYTHON"
MEAN = r"[+-]\d\.\d{3}"


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_snippet_runs(number):
    for package in ("pettingzoo", "pyspiel", "torchrl"):
        if f"import {package}" in BLOCKS[number] or f"from {package}" in BLOCKS[number]:
            pytest.importorskip(package, reason=f"this snippet needs {package}")
    exec(compile(BLOCKS[number], f"docs/frameworks.md, example {number + 1}", "exec"), {})


def test_the_page_has_snippets_and_names_existing_things():
    assert len(BLOCKS) == 5
    links = re.findall(r"\]\(([^)#]+)", PAGE)
    assert links
    assert not [name for name in links if not (ROOT / "docs" / name).exists()]


def printed_by(python, *words):
    """What an example prints."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [python, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def batches_of(python, *words):
    """Lines that an example prints of its batches: number, steps, mean return."""
    printed = printed_by(python, *words)
    return re.findall(r"^ +(\d+) +([\d,]+) steps  (.+)$", printed, flags=re.MULTILINE)


def needs(package, example, extra):
    """Skip the test of an example where its package is missing."""
    reason = f"examples/{example} is untested: make interop installs the extra {extra}"
    pytest.importorskip(package, reason=reason)


@pytest.mark.parametrize(
    ("package", "example"), [("torchrl", "torchrl_ppo.py"), ("tianshou", "tianshou_dqn.py")]
)
def test_an_example_learns_by_legal_actions(package, example):
    needs(package, example, package)
    batches = batches_of(sys.executable, f"examples/{example}", "--batches", "2", "--frames", "160")
    assert [batch[:2] for batch in batches] == [("1", "160"), ("2", "160")]
    assert all(re.fullmatch(rf"{MEAN}|no game ended", mean) for *_, mean in batches)


def test_openspiel_searches_both_rulesets():
    needs("pyspiel", "openspiel_mcts.py", "openspiel")
    for game in ("agemonia_v0(heroes=1,ties=auto,side=both)", "hexdungeon_v0(heroes=1)"):
        words = ["--game", game, "--simulations", "3", "--decisions", "4"]
        printed = printed_by(sys.executable, "examples/openspiel_mcts.py", *words)
        assert len(re.findall(r"^player \d   \d+: \w", printed, re.MULTILINE)) == 4
        assert re.search(r"^game 1: player 0 [+-]\d", printed, re.MULTILINE)


def test_rllib_learns_with_masks():
    python = os.environ.get(RLLIB_PYTHON)
    if not python:
        pytest.skip(
            "examples/rllib_ppo.py is untested: it says how to install RLlib; "
            f"then set {RLLIB_PYTHON} to that Python"
        )
    iterations = batches_of(python, "examples/rllib_ppo.py", "--iterations", "2", "--steps", "512")
    assert [number for number, *_ in iterations] == ["1", "2"]
    assert all(int(steps.replace(",", "")) >= 512 for _, steps, _ in iterations)
    assert all(re.fullmatch(MEAN, mean) for *_, mean in iterations)


def test_maskable_ppo_scores_actions_by_their_features():
    printed = printed_by(
        sys.executable, "examples/maskable_features.py", "--steps", "1024", "--n-envs", "16"
    )
    assert re.search(r"1,024 steps  won +[\d.]+% of \d+ games", printed)


def test_ppo_on_the_vector_environment_runs_and_sees_games_end():
    printed = printed_by(
        sys.executable, "examples/ppo_vector.py", "--steps", "16384", "--n-envs", "128"
    )
    rows = re.findall(r"^ *([\d,]+) decisions .* % of (\d+) games won$", printed, re.MULTILINE)
    assert [steps for steps, _ in rows] == ["8,192", "16,384"]
    assert all(int(games) > 0 for _, games in rows)
