"""The studies for HexDungeon, and the one that is refused."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from agemonia_env import balance
from agemonia_env.balance.closeness import HALF, play_odds
from agemonia_env.balance.parameters import numbers, paths_of, value_of
from agemonia_env.balance.study_config import StudyConfig, make_config, plans_of
from agemonia_env.cli.main import app
from agemonia_env.rulesets.pack_tools import pack_tools_of
from agemonia_env.simulation.play import play_chunk

HEX = "HexDungeon-v0"
HEALTH = "monsters.kiln-rat.levels[1].normal.hit_points"


@pytest.fixture(scope="module")
def tools():
    return pack_tools_of(HEX)


def test_every_path_leads_to_its_number(tools):
    found = numbers(tools, "hex-core", ["classes", "monsters", "scenarios", "templates"])
    assert len(found) > 1000
    assert {
        path: value_of(tools, "hex-core", path) for path in [*found][::20]
    }.items() <= found.items()


def test_a_scenario_is_made_of_its_monsters_and_classes(tools):
    config = make_config(StudyConfig, {"env": HEX, "heroes": ["thornarm", "fenrunner"]})
    found = paths_of(tools, plans_of(config, "hex-core", 100))
    assert found[0] == "scenarios.warm-cellar"
    assert "monsters.kiln-rat" in found
    assert found[-2:] == ["classes.thornarm", "classes.fenrunner"]


def test_fingerprints_change_with_numbers_and_not_with_texts(tools):
    marks = {
        change: tools.fingerprint(tools.patched("hex-core", [change])[0])
        for change in (f"{HEALTH} +1", "monsters.kiln-rat.text = Small.")
    }
    base = tools.fingerprint(tools.cards("hex-core"))
    assert [mark == base for mark in marks.values()] == [False, True]


def test_one_number_is_compared(tmp_path):
    file, out = tmp_path / "this.yaml", tmp_path / "out"
    file.write_text(f"env: {HEX}\nb: {HEALTH} +3\ngames: 100\n")
    done = CliRunner().invoke(app, ["balance", "compare", str(file), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "warm-cellar, 2 heroes, greedy: 100 pairs" in done.stdout
    record = json.loads((out / "report.json").read_bytes())
    assert record["env"] == HEX
    by_metric = {row["metric"]: row for row in record["results"]}
    assert by_metric["damage_dealt"]["b"] > by_metric["damage_dealt"]["a"]
    assert by_metric["hp_left"]["a"] > 0
    assert (
        balance.compare(env=HEX, b="monsters.kiln-rat.text = Small.", games=100).rows[0]["high"]
        == 0
    )


def test_one_number_is_moved():
    moved = balance.sensitivity(HEALTH, env=HEX, games=100)
    assert [row["path"] for row in moved.rows] == [HEALTH, HEALTH]


def test_targets_beyond_the_mean_are_searched_for():
    found = balance.search(
        {HEALTH: [1, 9]},
        [{"won": 60}, {"exhausted": {"at_most": 50}}],
        env=HEX,
        trials=2,
        games=100,
        confirm=100,
    )
    rows = {row["measure"]: row for row in found.rows}
    assert len(rows) == 2
    assert rows["hero most often exhausted"]["who"]
    assert found.front


def test_win_rates_by_round_are_those_of_playing_on():
    config = make_config(StudyConfig, {"env": HEX})
    (plan,) = plans_of(config, "hex-core", 100)
    games = play_odds(replace(plan, games=4, chunk=4), 0, lambda games, wins: None)
    assert len(games) == 4
    played = play_chunk(replace(plan, games=4, chunk=4), 0, lambda games, wins: None)
    assert games["won"].to_list() == played["won"].to_list()
    for one, rounds in zip(games["first"], played["rounds"], strict=True):
        assert len(one) in (rounds, rounds - 1)  # the last may go by without a decision
    assert all(0 <= wins <= HALF for one in games["first"] for wins in one)


def test_variants_are_ranked():
    found = balance.rank(values={HEALTH: [1, 20]}, env=HEX, games=100)
    won = [row["won"] for row in found.rows if not row["dropped"]]
    assert won == sorted(won, reverse=True)


def test_show_lists_changes():
    done = CliRunner().invoke(app, ["balance", "show", "--env", HEX, f"{HEALTH} +1"])
    assert done.exit_code == 0, done.output
    assert f"hex-core; {HEALTH} +1" in done.stdout.replace("\n", "")


def test_an_analysis_is_refused_with_the_reason():
    with pytest.raises(
        ValueError, match="HexDungeon-v0: there is no analysis: a class always plays"
    ):
        balance.analyse(env=HEX, games=100)
