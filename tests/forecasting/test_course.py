"""Forecasts round after round of a recorded game, and the command line."""

import json

import pytest
from typer.testing import CliRunner

from agemonia_env.cli import main
from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import env_class
from agemonia_env.forecasting import forecast, forecast_rounds
from agemonia_env.forecasting.course import bar, sparkline
from agemonia_env.forecasting.play import BLOCK, Forecaster
from agemonia_env.policies import policy_of
from agemonia_env.review.analysis import Effort
from agemonia_env.review.page import Made
from agemonia_env.review.play import Reviewed

ENVS = ["Agemonia-v0", "HexDungeon-v0"]
N = 20 if COMPILED else 1


def run(*words):
    return CliRunner().invoke(main.app, ["forecast", *map(str, words)])


@pytest.fixture(scope="module", params=ENVS)
def game(request, tmp_path_factory):
    """A recorded game of greedy play: its file, and steps at which rounds begin."""
    env = env_class(request.param)(ties="auto")
    reviewed = Reviewed.begin(env, 5, Made("greedy"), Effort(0, 0))
    reviewed.play(policy_of(env.ruleset, "greedy"))
    path = tmp_path_factory.mktemp("games") / "game.html"
    reviewed.write(path)
    first = {}
    for step, decision in enumerate(reviewed.recording.decisions):
        first.setdefault(decision.round, step)
    return path, request.param, first, reviewed.recording


def test_a_game_is_forecast_where_rounds_begin_and_at_its_end(game):
    path, env_id, first, recording = game
    course = forecast_rounds(path, "random", N)
    assert course.steps == (*first.values(), recording.steps)
    assert [one.start.round for one in course.forecasts[:-1]] == list(first)
    assert course.chances()["random"][-1] == float(recording.won)
    k = len(first) // 2
    env = env_class(env_id).from_review(path, course.steps[k])
    assert forecast(env, "random", N).rows == course.forecasts[k].rows
    assert len(course.record()["steps"]) == len(course.steps)
    assert "end" in course._repr_html_()


def test_the_command_finds_steps_and_rounds(game):
    path, _, first, recording = game
    number = max(first)
    options = "-n", N, "--policy", "random", "--json"
    by_round = json.loads(run(path, "--round", number, *options).output)
    by_step = json.loads(run(path, "--step", first[number], *options).output)
    assert by_round == by_step
    assert by_step["round"] == number
    assert json.loads(run(path, *options).output)["rows"][0]["won"] == float(recording.won)
    whole = json.loads(run(path, "--every-round", *options).output)
    assert whole["steps"][len(first) - 1] == {"step": first[number], **by_step}


@pytest.mark.parametrize("env_id", ENVS)
def test_the_command_takes_scenarios_but_no_saved_positions(env_id, tmp_path):
    words = "-n", N, "--policy", "random"
    result = run("--env", env_id, *words)
    assert result.exit_code == 0, result.output
    assert "from the start" in result.output
    env = env_class(env_id)()
    env.reset(seed=2)
    path = tmp_path / "saved.bin"
    path.write_bytes(env.get_state())
    wrong = run(path, *words)
    assert wrong.exit_code == 2
    assert f"{path}: line 1: is not UTF-8 text" in wrong.output


@pytest.mark.parametrize("step", [0, 20])
def test_a_step_of_a_review_is_forecast_as_the_position_was(game, step):
    path, env_id, _, recording = game
    env = env_class(env_id)(ties="auto")
    env.reset(seed=5)
    for decision in recording.decisions[:step]:
        env.step(decision.action)
    found = json.loads(run(path, "--step", step, "-n", N, "--json").output)
    assert found == json.loads(json.dumps(forecast(env, games=N).record()))


def test_options_that_do_not_fit_are_refused(game, tmp_path):
    path, *_ = game
    page = tmp_path / "page.html"
    page.write_text("<p>nothing</p>")
    for words, message in (
        ((path, "--scenario", "ford"), "--scenario: not with"),
        ((path, "--step", 1, "--round", 1), "only one of them"),
        ((path, "--step", 9999), f"{path}: step 9999: the game has steps 0 to"),
        ((path, "--round", 99), f"{path}: round 99: the game has rounds 1 to"),
        (("--every-round",), "--every-round: only with a review file"),
        (("--round", 2), "--round: only with a review file"),
        ((tmp_path / "none.html",), "none.html: "),
        ((page,), "page.html: has no record in it"),
        (("--policy", "gready"), "policy='gready'"),
        (("--scenario", "frod"), "frod"),
        (("--width", 0), "width=0.0"),
        (("-n", 0), "games=0"),
        (("--scenario", "random"), "another one is drawn for each game"),
    ):
        result = run(*words)
        assert result.exit_code == 2, words
        assert message in result.output
        assert result.output.count("\n") == 1


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
def test_what_is_known_is_printed_after_ctrl_c(monkeypatch):
    play = Forecaster._play_block
    blocks = []

    def stop_later(self, policy, block):
        blocks.append(block)
        if block.start >= 2 * BLOCK:
            raise KeyboardInterrupt
        return play(self, policy, block)

    monkeypatch.setattr(Forecaster, "_play_block", stop_later)
    result = run("-n", 5000, "--json")
    assert result.exit_code == 130
    assert "stopped; the result is that of the games played so far" in result.output
    found = json.loads(result.output[: result.output.rindex("}") + 1])
    assert found["rows"][0]["games"] in (BLOCK, 2 * BLOCK)
    assert len(blocks) < 20


def test_pictures_of_shares():
    assert sparkline([0, 0.49, 0.5, 1]) == "▁▄▅█"
    assert bar(0) == " " * 20
    assert bar(1) == "█" * 20
    assert bar(0.52) == "█" * 10 + "▌" + " " * 9
