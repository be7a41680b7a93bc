"""Coverage of HexDungeon: every place of the pack is played, and events are counted."""

import json
import os
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

from agemonia_env.cli import main
from agemonia_env.core.jit import zeros
from agemonia_env.coverage import functions, report
from agemonia_env.coverage.games import find_game
from agemonia_env.rulesets.hexdungeon.content import load_pack
from agemonia_env.rulesets.hexdungeon.content.pack_tools import USAGE_TOOLS
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.layout import STATE
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from agemonia_env.rulesets.hexdungeon.core.terms import Event
from agemonia_env.rulesets.hexdungeon.coverage import counting
from agemonia_env.rulesets.hexdungeon.coverage.names import all_entries
from agemonia_env.rulesets.hexdungeon.coverage.tables import HexDungeonSetup, draw_setups
from agemonia_env.rulesets.hexdungeon.coverage.tools import COVERAGE_TOOLS

HEX = "HexDungeon-v0"
PACK = load_pack("hex-core")
SETUP = HexDungeonSetup(3, "counting-vault", 3, 1, range(7, 11))


@pytest.fixture(scope="module")
def compiled():
    return SETUP.compile(PACK)


@pytest.fixture(scope="module")
def counts(compiled):
    return COVERAGE_TOOLS.count(SETUP, compiled, SETUP.seeds, "greedy")


@pytest.fixture(scope="module")
def ended(compiled):
    """The same games, played by `rollout`."""
    states, which = zeros(STATE, len(SETUP.seeds)), np.zeros(len(SETUP.seeds), np.int16)
    seeds, select = np.array(SETUP.seeds, np.uint64), np.ones(len(SETUP.seeds), np.uint8)
    api.reset(states, compiled.content, which, seeds, select, 0, api.NO_ROWS)
    limit, unchecked = counting.DECISIONS_MAX, np.zeros(0, np.int64)
    api.rollout(states, compiled.content, which, int(Policy.GREEDY), 0, limit, unchecked)
    return states


# ---- counting -----------------------------------------------------------------------------------
def total(counts, *families):
    return sum(n for (family, _), n in counts.items() if family in families)


def test_the_games_counted_are_those_that_are_played(counts, ended):
    assert total(counts, "decision") == total(counts, "kind of answer") == ended["decisions"].sum()
    assert counts["event of the log", "round"] == ended["round"].sum()
    assert counts["event of the log", "exhausted"] == ended["n_exhausted"].sum()
    assert total(counts, "ending") == total(counts, "goal") == len(SETUP.seeds)
    won = sum(n for (family, name), n in counts.items() if family == "goal" and "won" in name)
    assert won == counts["ending", "goal"] == ended["won"].sum()
    assert counts["scenario", "counting-vault"] == len(SETUP.seeds)


def test_cards_and_figures_are_those_of_the_game(compiled, counts):
    assert total(counts, "action", "basic action") == counts["event of the log", "play"]
    assert total(counts, "modifier card") == counts["event of the log", "card"]
    assert total(counts, "monster card") == counts["event of the log", "monster card"]
    assert total(counts, "draw") == counts["event of the log", "attack"]
    heroes = compiled.names.heroes
    actions = [name for (family, name) in counts if family == "action"]
    assert {name.partition(":")[0] for name in actions} == set(heroes)
    comes = Counter()
    for (family, name), n in counts.items():
        if family == "monster":
            comes[name.rpartition(", ")[2]] += n
    assert comes["comes"] >= comes["dies"] > 0


def test_every_entry_that_occurs_has_a_name_in_the_pack(counts):
    assert set(counts) <= set(all_entries(PACK))


def test_a_printed_action_is_counted_as_it_is_used(compiled):
    """By the balance laboratory, too; Attack 2 and Move 2 are apart from it."""
    own, basic = Counter(), 0
    for rows, _ in counting.play_game(compiled, 7, Policy.RANDOM):
        for row in rows:
            use = USAGE_TOOLS.use_of(compiled, row)
            own.update([f"{use[1]}: {use[2]}"] if use else [])
            basic += row.event == Event.PLAY and use is None
    found = COVERAGE_TOOLS.count(SETUP, compiled, range(7, 8), "random")
    assert own == {name: n for (family, name), n in found.items() if family == "action"}
    assert basic == total(found, "basic action") > 0


def test_lost_events_are_an_error(compiled, monkeypatch):
    monkeypatch.setattr(counting, "ROWS", 3)
    with pytest.raises(RuntimeError, match="rows of the event log were lost"):
        COVERAGE_TOOLS.count(SETUP, compiled, range(7, 8), "random")


def test_a_game_that_is_too_long_is_aborted(compiled, monkeypatch):
    monkeypatch.setattr(counting, "DECISIONS_MAX", 2)
    found = COVERAGE_TOOLS.count(SETUP, compiled, range(7, 8), "random")
    assert total(found, "ending") == 0


def test_a_game_with_a_rare_entry_is_found(compiled, counts):
    entry = min((n, entry) for entry, n in counts.items())[1]
    policy, seed, found = find_game(COVERAGE_TOOLS, PACK, SETUP, entry)
    assert seed in SETUP.seeds
    assert found == COVERAGE_TOOLS.count(SETUP, compiled, range(seed, seed + 1), policy)
    assert found[entry]
    with pytest.raises(ValueError, match="not in HexDungeonSetup"):
        find_game(COVERAGE_TOOLS, PACK, SETUP, ("scenario", "bell-loft"))


# ---- which games --------------------------------------------------------------------------------
def test_many_games_are_of_every_scenario_party_size_and_level():
    drawn = draw_setups(PACK, 10_000, 0)
    seeds = [seed for setup in drawn for seed in setup.seeds]
    assert len(set(seeds)) == len(seeds) == 10_000
    places = {(setup.scenario, setup.heroes, setup.level) for setup in drawn}
    assert len(places) == 8 * 4 * 4
    parties = {setup.compile(PACK).names.classes for setup in drawn[:128]}
    assert {name for party in parties for name in party} == set(PACK.classes)
    assert {len(party) for party in parties} == {1, 2, 3, 4}


def test_few_games_are_of_different_setups():
    drawn = draw_setups(PACK, 30, 4)
    assert [len(setup.seeds) for setup in drawn] == [1] * 30
    assert len({(setup.scenario, setup.heroes, setup.level) for setup in drawn}) == 30
    assert drawn != draw_setups(PACK, 30, 5)
    assert [policy for setup in drawn[:2] for policy, _ in setup.shares()] == ["greedy", "random"]


# ---- the report ---------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def small():
    """A report of a few games."""
    return report.cover(HEX, "hex-core", 6, 1, 1)


def test_everything_is_in_the_report_even_what_did_not_happen(small):
    found = functions.rule_functions(HEX)
    known = {*all_entries(PACK), *((report.FUNCTION, str(function)) for function in found)}
    assert set(small.counts) == known
    assert sum(small.families()["scenario"].values()) == 6
    assert sum(small.families()["ending"].values()) == 6


def test_rule_functions_are_counted_in_a_sample_of_plain_games(small):
    called = small.families()[report.FUNCTION]
    assert called["rules/rounds.py run_round_start (G14.1, G14.5)"] >= 1
    assert 0 in called.values()


def test_every_excuse_is_about_something(small):
    for family, name in COVERAGE_TOOLS.excused:
        assert any(f == family and n.startswith(name) for f, n in small.counts), (family, name)


def test_the_command_finds_the_ruleset_and_a_pack_where_it_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main.app, ["content", "new", "mine", "--env", HEX]).exit_code == 0
    words = ["coverage", "--env", HEX, "-n", "2", "--sample", "1", "--out", "found.json"]
    done = CliRunner().invoke(main.app, [*words, "--pack", f".{os.sep}mine", "--brief"])
    assert done.exit_code == 0, done.output
    written = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert written["counts"]["scenario"] == {"warm-cellar": 2}
    assert sum(written["counts"][report.FUNCTION].values()) > 0
    assert "stayed at zero: action:" in done.output
