"""A whole league: ratings in the expected order, stored and reported."""

import json
import sys

import pytest
from typer.testing import CliRunner

from agemonia_env import league
from agemonia_env.cli.main import app
from agemonia_env.league import run
from agemonia_env.league.matches import Player, Role
from agemonia_env.league.report import JSON, PICTURE
from agemonia_env.simulation import result_cache

POLICIES = ("random", "greedy")
SCENARIOS = ("ford", "weir")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    out = tmp_path_factory.mktemp("league")
    found = league.play(
        POLICIES, SCENARIOS, 2, 300, enemy_policy="random", orders=3, out=out, seed=1
    )
    return out, found


def rating(report, role, name):
    return report.ratings[Player(role, name)]


def test_greedy_is_above_random_and_sure_of_it(report):
    _, found = report
    greedy, random = (rating(found, Role.POLICY, name) for name in ("greedy", "random"))
    assert greedy.interval[0] > random.interval[1]
    assert [one.player.name for one in found.ranked(Role.POLICY)] == ["greedy", "random"]


def test_the_scenario_that_is_lost_more_often_is_the_harder_one(report):
    _, found = report
    won = {row["scenario"]: row["won"] for row in found.rows() if row["policy"] == "greedy"}
    hardest = found.ranked(Role.SCENARIO)[0].player.name
    assert won[hardest] == min(won.values())


def test_enemies_that_choose_at_random_are_no_harder_than_their_cards(report):
    _, found = report
    assert rating(found, Role.ENEMIES, "random").interval[0] < 0


def test_a_second_run_plays_nothing_and_reports_the_same(report, monkeypatch):
    out, found = report
    monkeypatch.setattr(result_cache, "rows_of", lambda *_: pytest.fail("played again"))
    again = league.play(
        POLICIES, SCENARIOS, 2, 300, enemy_policy="random", orders=3, out=out, seed=1, threads=2
    )
    assert again.record() == found.record() == json.loads((out / JSON).read_text())
    assert (out / PICTURE).read_bytes().startswith(b"\x89PNG")


def test_only_the_new_policy_plays(report, monkeypatch):
    out, _ = report
    played, real = [], result_cache.rows_of

    def counted(plan, *more):
        played.append((plan.policy, plan.kinds[0].scenario))
        return real(plan, *more)

    monkeypatch.setattr(result_cache, "rows_of", counted)
    games = {"": 300, "planner:2": 1}
    found = league.play((*POLICIES, "planner:2"), SCENARIOS, 2, games, orders=3, out=out, seed=1)
    assert played == [("planner:2", "ford"), ("planner:2", "weir")]
    assert rating(found, Role.POLICY, "planner:2").games == 2


def test_games_in_memory_are_the_same(report):
    _, found = report
    alone = league.play("greedy", "ford", 2, 300, orders=1, seed=1)
    (row,) = alone.rows()
    same = next(row for row in found.rows() if row["policy"] == "greedy")
    assert (row["wins"], row["games"]) == (same["wins"], same["games"])


def invoke(*words):
    return CliRunner().invoke(app, ["league", *map(str, words)])


def test_the_command_prints_and_writes(tmp_path):
    words = ["--policy", "greedy", "--policy", "random", "--scenario", "ford", "--orders", 2]
    words += ["-n", 60, "-n", "random=30", "--enemy-policy", "greedy", "--out", tmp_path / "out"]
    done = invoke(*words)
    assert done.exit_code == 0, done.output
    for text in ("policy     greedy", "scenario   ford", "by ratings", "60 of 60 games"):
        assert text in done.output
    assert "greedy against ford, played by greedy" in done.stderr
    record = json.loads((tmp_path / "out" / JSON).read_text())
    assert {row["games"] for row in record["matches"]} == {30, 60}


def test_the_command_refuses():
    assert "must be NUMBER or POLICY=NUMBER" in (done := invoke("-n", "many")).stderr
    assert done.exit_code == 2
    assert "policy='greed'" in invoke("--policy", "greed", "--quiet").stderr
    assert "orders=0" in invoke("--orders", 0, "--quiet").stderr


def test_a_missing_package_is_named_before_anything_compiles(monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setattr("agemonia_env.league.matches.make_matches", None)
    done = invoke("--scenario", "ford")
    assert done.exit_code == 2
    assert "openskill is not installed: pip install 'agemonia-env[league]'" in done.output


def test_ctrl_c_is_one_line(monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "in_memory", stopped)
    assert invoke("--scenario", "ford", "--quiet").exit_code == 130
