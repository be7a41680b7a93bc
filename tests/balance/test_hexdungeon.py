"""The studies for HexDungeon."""

import json
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

from agemonia_env import balance
from agemonia_env.balance.analysis_study import AnalysisConfig, make_analysis_study
from agemonia_env.balance.parameters import paths_of
from agemonia_env.balance.study_config import StudyConfig, make_config, plans_of
from agemonia_env.balance.usage import watch_game
from agemonia_env.cli.main import app
from agemonia_env.core.event_log import read_rows
from agemonia_env.rulesets.hexdungeon.content.pack_tools import USAGE_TOOLS
from agemonia_env.rulesets.hexdungeon.content.party import INSTEAD
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from agemonia_env.rulesets.hexdungeon.core.terms import Event, Half
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from agemonia_env.rulesets.pack_tools import pack_tools_of
from agemonia_env.simulation.plan import compile_planned

HEX = "HexDungeon-v0"
HEALTH = "monsters.kiln-rat.levels[1].normal.hit_points"


@pytest.fixture(scope="module")
def tools():
    return pack_tools_of(HEX)


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


def test_variants_are_ranked():
    found = balance.rank(values={HEALTH: [1, 20]}, env=HEX, games=100)
    won = [row["won"] for row in found.rows if not row["dropped"]]
    assert won == sorted(won, reverse=True)


def test_show_lists_changes():
    done = CliRunner().invoke(app, ["balance", "show", "--env", HEX, f"{HEALTH} +1"])
    assert done.exit_code == 0, done.output
    assert f"hex-core; {HEALTH} +1" in done.stdout.replace("\n", "")


# ---- what is used, and what it is worth ---------------------------------------------------------
THORNARM = ["thornarm", "bellkeeper"]


@pytest.fixture(scope="module")
def played():
    """A small analysis."""
    return balance.analyse(env=HEX, scenario="lower-stair", heroes=THORNARM, games=200, seed=3)


def test_every_half_of_every_card_is_left_out(played):
    (study,) = (result.study for result in played.conditions)
    parts = [str(part) for part in study.parts]
    assert len(parts) == len(set(parts)) == 2 * (10 + 11)
    assert study.required == {}
    assert {"Thornarm: Rip (top)", "Bellkeeper: Second Verse (bottom)"} <= set(parts)
    assert all(plan.kinds[0].ruleset != study.plan.kinds[0].ruleset for plan in study.without)
    assert len({plan.kinds[0].ruleset for plan in study.without}) == len(parts)


def test_a_half_is_worth_what_the_change_of_the_pack_says(played):
    """Left out, or replaced in the pack by what the rules offer: the same games are won."""
    path, basic = "classes.thornarm.cards.Bramble Swing.top", "[{attack: 2}]"
    compared = balance.compare(
        env=HEX, scenario="lower-stair", heroes=THORNARM, games=200, seed=3, b=f"{path} = {basic}"
    )
    won = next(row for row in compared.rows if row["metric"] == "won")
    row = next(row for row in played.rows if row["name"] == "Bramble Swing (top)")
    assert row["worth"] == pytest.approx(-won["difference"])
    assert row["worth"] != 0


def test_uses_are_the_halves_that_the_env_logs(played):
    (result,) = played.conditions
    (kind,) = result.study.plan.kinds
    content, counted, logged = compile_planned(kind, None).content, Counter(), Counter()
    arguments, action = kind.arguments(), np.zeros(1, np.int64)
    env = HexDungeonEnv(
        **{name: getattr(arguments, name) for name in HEXDUNGEON.parameters}, log=True
    )
    for seed in map(int, result.study.plan.seeds(range(6))):
        _, uses = watch_game(kind, "greedy", seed)
        counted.update(who for _, who, _ in uses)
        env.reset(options={"core_seed": seed})
        ended = False
        while not ended:
            games = env.states, content, np.zeros(1, np.int16)
            HEXDUNGEON.api.choose_actions(*games, Policy.GREEDY, action)
            _, _, ended, _, _ = env.step(int(action[0]))
            plays = (row for row in read_rows(env._rows) if row.event == Event.PLAY)
            printed = (row for row in plays if row.other % len(Half) < len(INSTEAD))
            logged.update(env.compiled.names.heroes[row.figure] for row in printed)
    assert counted == logged
    assert counted.total() > 50


def test_a_half_that_is_never_played_is_worth_nothing(played):
    idle = [row for row in played.rows if row["kind"] == "action" and row["uses"] == 0]
    assert all(abs(row["worth"]) < 0.05 for row in idle)


def test_items_are_none_and_no_item_is_usable(played):
    assert {row["kind"] for row in played.rows} == {"action", "hero", "pair"}
    assert USAGE_TOOLS.usable_items(None) == set()


def test_what_a_party_lacks_already_is_no_part_of_it():
    lacking = [{"hero": "thornarm", "without": ["Rip (top)"]}, "bellkeeper"]
    config = make_config(AnalysisConfig, {"env": HEX, "heroes": lacking, "games": 100})
    parts = [str(part) for part in make_analysis_study(config).conditions[0].parts]
    assert "Thornarm: Rip (top)" not in parts
    assert "Thornarm: Rip (bottom)" in parts


def test_parts_and_pairs_can_be_skipped():
    given = {"env": HEX, "heroes": THORNARM, "games": 100}
    (study,) = make_analysis_study(make_config(AnalysisConfig, given | {"parts": False})).conditions
    assert (study.parts, len(study.pairs), len(study.plans())) == ((), 15, 16)
    (study,) = make_analysis_study(make_config(AnalysisConfig, given | {"pairs": False})).conditions
    assert (len(study.parts), study.pairs) == (42, ())


def test_cards_that_a_change_adds_can_be_left_out_too():
    card = "{name: New, initiative: 50, top: [{attack: 4}], bottom: [{move: 4}]}"
    pack = f"hex-core; classes.thornarm.cards + {card}"
    config = make_config(
        AnalysisConfig, {"env": HEX, "heroes": ["thornarm"], "pack": pack, "games": 100}
    )
    (study,) = make_analysis_study(config).conditions
    assert study.required == {}
    assert {"Thornarm: New (top)", "Thornarm: New (bottom)"} <= set(map(str, study.parts))


def test_the_analysis_is_written(tmp_path):
    file, out = tmp_path / "this.yaml", tmp_path / "out"
    file.write_text(f"env: {HEX}\nheroes: [[fenrunner]]\ngames: 100\nwatched: 100\n")
    done = CliRunner().invoke(app, ["balance", "analyse", str(file), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "Fenrunner: Reed Arrow (top)" in done.stdout
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Fenrunner: Reed Arrow (top)" in page
    assert "Without it the half is Attack 2 (top) or Move 2 (bottom)" in page
    assert "Weapons" not in page
