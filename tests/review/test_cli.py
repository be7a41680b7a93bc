"""`agemonia review` writes a game, plays on from it, and keeps what there is after Ctrl-C."""

import sys
from importlib.machinery import ModuleSpec

import pytest
from typer.testing import CliRunner

from agemonia_env.cli import main, review
from agemonia_env.files.embedded import extract
from agemonia_env.review.page import command_line
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv

QUICK = "--simulations", "4", "--rollouts", "4"


def run(*words, typed=None):
    return CliRunner().invoke(main.app, ["review", *map(str, words)], input=typed)


def test_a_game_is_played_analysed_and_written(tmp_path):
    path = tmp_path / "ford.html"
    result = run("--policy", "likeliest:generalist", "--seed", 7, "--out", path, *QUICK)
    assert result.exit_code == 0, result.output
    record = extract(path)
    n = len(record["steps"])
    assert f"{n} decisions, {n + 1} positions analysed" in " ".join(result.output.split())
    assert record["over"]
    assert len(record["judged"]) == n + 1
    assert {"visits", "values", "wins", "win", "best"} <= set(record["judged"][0])
    assert record["totals"]["luck"]
    assert record["steps"][0]["probabilities"]
    assert record["made"]["command"] == command_line()


@pytest.mark.parametrize(
    ("module", "command"),
    [
        (None, "agemonia"),
        ("agemonia_env.__main__", "python -m agemonia_env"),
        ("agents.train_ppo", "python -m agents.train_ppo"),
    ],
)
def test_the_command_can_be_typed_again(monkeypatch, module, command):
    spec = module and ModuleSpec(module, None)
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", spec, raising=False)
    monkeypatch.setattr(sys, "argv", ["/some/where", "review", "--out", "my game.html"])
    assert command_line() == f"{command} review --out 'my game.html'"


def test_hexdungeon_is_written_and_played_on_without_naming_it_again(tmp_path):
    path = tmp_path / "cellar.html"
    words = "--env", "HexDungeon-v0", "--simulations", 0, "--rollouts", 2, "--seed", 3
    assert run(*words, "--out", path).exit_code == 0
    assert "visits" not in extract(path)["judged"][0]
    env = HexDungeonEnv.from_review(path, 12)
    result = run("--fork", path, "--step", 12, typed="quit\n")
    assert result.exit_code == 0, result.output
    assert f"{path}, step 12 of" in result.output
    assert env.question() in result.output


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "game.html"
    words = "--scenario", "ford", "--seed", 7, "--simulations", 0, "--rollouts", 0
    assert run(*words, "--out", path).exit_code == 0
    return path


def test_the_game_goes_on_from_a_step_in_the_terminal(path):
    env = AgemoniaEnv.from_review(path, 5)
    action = int(env.legal_actions()[0])
    meaning = env.action_meaning(action)
    typed = f"{action}\nundo\nagain\n{action}\nquit\n"
    result = run("--fork", path, "--step", 5, typed=typed)
    assert result.exit_code == 0, result.output
    assert result.output.count(meaning) >= 3
    assert result.output.count("step 5 of") == 2  # at the start, and `again`
    env.step(action)
    assert env.question() in result.output


def test_after_the_end_there_is_nothing_to_play_but_undo_is_explained(path):
    result = run("--fork", path, typed="0\nquit\n")
    assert result.exit_code == 0
    assert "The game is over" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--step", 3], "--step: only with --fork"),
        (["--fork", "{path}", "--step", 10**6], "step 1000000: the game has steps 0 to"),
        (["--fork", "{path}", "--policy", "greedy"], "--policy: not with --fork"),
        (["--fork", "{path}", "--out", "x.html"], "--out: not with --fork"),
        (["--fork", "{path}", "--threads", "1"], "--threads: not with --fork"),
        (["--fork", "none.html"], "none.html: cannot be read: No such file"),
        (["--out", "game.txt"], "--out game.txt: the file name must end in .html"),
        (["--policy", "gredy"], "did you mean 'greedy'"),
    ],
)
def test_wrong_options_are_one_line(path, words, message):
    result = run(*(str(word).format(path=path) for word in words))
    assert result.exit_code == 2
    assert message in result.output
    assert result.output.count("\n") == 1


def test_ctrl_c_in_the_analysis_keeps_the_game_and_what_was_analysed(tmp_path, monkeypatch):
    analyse = review.Reviewed.analyse

    def report(done, total):
        if done == 9:
            raise KeyboardInterrupt

    monkeypatch.setattr(review.Reviewed, "analyse", lambda reviewed, _: analyse(reviewed, report))
    path = tmp_path / "game.html"
    result = run("--seed", 7, "--out", path, *QUICK)
    assert result.exit_code == 130
    record = extract(path)
    assert len(record["judged"]) == 9
    assert record["over"]
    assert f"{len(record['steps'])} decisions, 9 positions analysed" in result.output
    assert record["totals"]["end"] == record["judged"][8]["win"]


def test_ctrl_c_in_the_game_keeps_what_was_played(tmp_path, monkeypatch):
    choose, calls = AgemoniaEnv.choose, []

    def stopped(env, policy):
        calls.append(env)
        if len(calls) > 10:
            raise KeyboardInterrupt
        return choose(env, policy)

    monkeypatch.setattr(AgemoniaEnv, "choose", stopped)
    path = tmp_path / "game.html"
    result = run("--seed", 7, "--out", path, *QUICK)
    assert result.exit_code == 130
    assert "10 decisions, 0 positions analysed" in result.output
    record = extract(path)
    assert not record["over"]
    assert record["result"] == "The game was stopped after 10 decisions."
    assert AgemoniaEnv.from_review(path).get_state() == calls[-1].get_state()
    assert [file.name for file in tmp_path.iterdir()] == ["game.html"]
