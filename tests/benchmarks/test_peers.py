"""Peers answer from processes of their own; one that is missing or fails is named."""

import contextlib
import io
import subprocess
import sys

import pytest

from benchmarks import peer_runs, peers, table
from benchmarks.peers import PEERS
from benchmarks.starting import ROOT
from benchmarks.table import Case, Figure, UnavailableError

ANSWERING = "import sys\nfor line in sys.stdin: print(7 * float(line), flush=True)"


def asked(script):
    return peer_runs.Asked([sys.executable, "-c", script])


def test_a_process_answers_as_often_as_it_is_asked():
    with asked(ANSWERING) as process:
        assert process.measure(1.0) == 7.0
        assert process.measure(2.0) == 14.0


def test_one_that_fails_says_why():
    failed = pytest.raises(UnavailableError, match="failed: ValueError: no board")
    with asked("raise ValueError('no board')") as process, failed:
        process.measure(1.0)


def test_one_that_gives_no_answer_is_ended(monkeypatch):
    monkeypatch.setattr(peer_runs, "PATIENCE", 0.1)
    failed = pytest.raises(UnavailableError, match="failed: it ended with status")
    with asked("import time; time.sleep(600)") as process, failed:
        process.measure(0.0)


def test_missing_peers_are_named_and_the_run_continues():
    with contextlib.ExitStack() as running:
        there = peer_runs.peer_cases(sys.executable, {}, running)
        absent = [case for case in there if case.name in PEERS]
        present = Case("present", "steps/s", lambda: lambda seconds: seconds)
        figures = table.run([*absent, present], 2, 0.5, lambda _: None)
    assert {name: figures[name].missing for name in PEERS} == {
        name: f"not installed: {peer.pip}" for name, peer in PEERS.items()
    }
    assert figures["Pgx backgammon, N = 256"].missing == "not installed: pip install pgx"
    assert figures["present"].values == [0.5, 0.5]


def test_ours_come_first():
    with contextlib.ExitStack() as running:
        names = [case.name for case in peer_runs.peer_cases(sys.executable, {}, running)]
    assert names == [*peer_runs.OURS, *PEERS]


def test_columns_say_how_many_times_as_fast_ours_are():
    single, vector = peer_runs.OURS
    figures = {
        single: Figure("steps/s", values=[100.0, 100.0]),
        vector: Figure("steps/s", values=[800.0, 800.0]),
        "it": Figure("steps/s", values=[50.0, 50.0]),
        "none": Figure("steps/s", missing="not installed"),
    }
    found = [
        [column.cell(name, figure) for name, figure in figures.items()]
        for column in peer_runs.beside(figures)
    ]
    assert found == [["", "", "2 ± 0", ""], ["", "", "16 ± 0", ""]]


def test_gymnasium_is_a_peer_that_is_always_there():
    assert "gymnasium" in peer_runs.versions(sys.executable)
    answers = io.StringIO()
    peers.serve(PEERS["Gymnasium CartPole"].make(), io.StringIO("0.0\n0.0\n"), answers)
    assert [float(line) > 0 for line in answers.getvalue().split()] == [True, True]
    with peer_runs.Asked([sys.executable, "-m", "benchmarks.peers", next(iter(PEERS))]) as process:
        assert process.measure(0.0) > 0


def test_peers_load_nothing_of_ours():
    code = "import benchmarks.peers, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"agemonia_env", "numba", "rich", "gymnasium"}
