"""Traces: whole games as cases, which the runner replays without a difference."""

import pytest
import yaml
from typer.testing import CliRunner

from agemonia_env.cli.main import app
from agemonia_env.core.jit import COMPILED
from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.agemonia.cases.parameters import VERBS
from agemonia_env.rulesets.agemonia.cases.record import play
from agemonia_env.rulesets.agemonia.cases.trace import Composer, text_of, trace
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Decision
from agemonia_env.rulesets.case_files import run_files
from tests.agemonia.traces import kept

# scenario, Heroes, level, seed, policy
GAMES = [
    ("ford", 2, None, 3, Policy.RANDOM),
    ("toll", 2, 3, 4, Policy.RANDOM),
    ("weir", 3, 4, 5, Policy.RANDOM),
    ("bell", 3, 3, 5, Policy.GREEDY),
]


HARD = kept() if COMPILED else kept()[:3]  # the shortest come first
# Games kept in which a lock is ended in answer to such a question
ENDED_LOCKS = [(-3, Decision.FLIP_LOCK), (-2, Decision.STAND_IN), (-1, Decision.REROLL)]
if not COMPILED:
    del ENDED_LOCKS[1:]  # the shortest


@pytest.fixture(scope="module")
def traces():
    """The traces of all games."""
    found = {}
    for scenario, heroes, level, seed, policy in GAMES:
        compiled = compile_scenario("core", scenario, heroes, level=level)
        found[scenario] = compiled, trace(compiled, seed, policy)
    return found


@pytest.mark.parametrize("scenario", [game[0] for game in GAMES])
def test_a_game_is_cases_from_end_to_end(traces, scenario):
    _, written = traces[scenario]
    assert len(written.cases) > 5
    assert written.left_out == []
    ids = [case["id"] for case in written.cases]
    assert sorted(set(ids)) == sorted(ids)
    assert ids[0].endswith("round-1-selection")
    assert written.ended in ("objective", "all exhausted", "out of time", "event", "escort lost")


@pytest.mark.parametrize("scenario", ["ford", "toll"])
def test_the_file_is_replayed_without_difference(traces, scenario, tmp_path, capsys):
    compiled, written = traces[scenario]
    write_whole(tmp_path / "game.yaml", text_of(written, compiled, "a game"))
    assert run_files([tmp_path / "game.yaml"]) == 0
    assert f"{len(written.cases)} passed, 0 failed" in capsys.readouterr().out


@pytest.mark.parametrize(("place", "decision"), ENDED_LOCKS)
def test_a_game_kept_ends_a_lock_in_answer_to_another_question(place, decision):
    """R14.4 [P3] - the trace ends such a lock before the verb in which it ends."""
    game = kept()[place]
    compiled = game.compiled()
    steps = play(compiled, game.seed, game.player(compiled))
    assert any(step.ends_lock and step.decision == decision for step in steps)


@pytest.mark.parametrize("game", HARD, ids=lambda game: f"{game.scenario}-{game.seed}")
def test_hard_segments_are_traced_and_replayed(game, tmp_path, capsys):
    compiled = game.compiled()
    written = game.trace(compiled)
    assert written.left_out == []
    write_whole(tmp_path / "game.yaml", text_of(written, compiled, "a game"))
    assert run_files([tmp_path / "game.yaml"]) == 0, capsys.readouterr().out


def test_cases_say_everything_of_every_figure(traces):
    for _, written in traces.values():
        for case in written.cases:
            named = set(case["expect"]) - {"areas", "fate", "initiative", "events", "ended"}
            assert set(case["figures"]) <= named
            assert set(case["expect"]["areas"]) == set(case["map"]["areas"])


def test_all_kinds_of_verbs_occur(traces):
    verbs = {verb for _, written in traces.values() for verb in written.verbs()}
    assert verbs <= set(VERBS)
    assert verbs >= {
        *("choose", "reveal", "initiative", "fate", "next_round", "start_turn", "end_turn"),
        *("move", "recover", "rethink", "attack", "enemy_turn", "spawn", "take", "drop"),
        *("active_check", "heal", "timer"),
    }


def test_a_difference_is_found(traces, monkeypatch):
    """A case that differs from the game is not written: its segments are left out."""
    compiled, written = traces["ford"]
    dice = Composer._dice
    monkeypatch.setattr(Composer, "_dice", lambda self: {**dice(self), "action": [0] * 9})
    spoilt = trace(compiled, 3, Policy.RANDOM)
    assert len(spoilt.left_out) > len(written.left_out)
    assert any("dice" in segment.why or "scripted" in segment.why for segment in spoilt.left_out)


def test_the_command_writes_and_replays(tmp_path):
    out = tmp_path / "game.yaml"
    words = ["trace", "--out", str(out), "--seed", "2", "--policy", "random"]
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, " 0 failed" in result.stdout) == (0, True)
    assert all(case["expect"] for case in yaml.safe_load(out.read_text()))
    wrong = CliRunner().invoke(app, ["trace", "--out", str(out), "--policy", "clever"])
    assert wrong.exit_code == 2
