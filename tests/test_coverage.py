"""The coverage report: every place of the pack is played, and events are counted."""

import json
from collections import Counter
from random import Random

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from agemonia_env.balance.study_config import StudyConfig, make_config, plans_of
from agemonia_env.balance.usage import counted, watch_chunk, watched_plan
from agemonia_env.cli import main
from agemonia_env.core.jit import zeros
from agemonia_env.coverage import functions, report
from agemonia_env.coverage.games import Game
from agemonia_env.rulesets.agemonia.content.compile import RANDOM, compile_scenario
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.core import api, terms
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES, STATE
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Event
from agemonia_env.rulesets.agemonia.coverage import counting, tables
from agemonia_env.rulesets.agemonia.coverage.names import all_entries
from agemonia_env.rulesets.coverage import coverage_tools_of
from agemonia_env.simulation.plan import compile_planned

CORE = load_pack("core")
AGEMONIA = "Agemonia-v0"
EXCUSED = coverage_tools_of(AGEMONIA).excused
SEEDS = range(7, 13)


@pytest.fixture(scope="module")
def ford():
    return compile_scenario(CORE, "ford", 2)


@pytest.fixture(scope="module")
def counts(ford):
    """(events, choices) of a few greedy games, and the same games played by `rollout`."""
    events, choices = counting.play_games(ford, SEEDS, Policy.GREEDY)
    states, which = zeros(STATE, len(SEEDS)), np.zeros(len(SEEDS), np.int16)
    seeds, select = np.array(SEEDS, np.uint64), np.ones(len(SEEDS), np.uint8)
    api.reset(states, ford.content, which, seeds, select, 0, api.NO_ROWS)
    nothing = np.zeros(0, np.int64)
    api.rollout(states, ford.content, which, int(Policy.GREEDY), 0, 20_000, nothing)
    return events, choices, states


# ---- counting -----------------------------------------------------------------------------------
def test_the_games_counted_are_those_that_are_played(counts):
    events, choices, states = counts
    assert choices.sum() == states["decisions"].sum()
    assert events[Event.ROUND].sum() == states["round"].sum()
    assert events[Event.EXHAUSTED, :N_ALLIES].sum() == states["n_exhausted"].sum()
    endings = events[Event.SUCCESS].sum(axis=0) + events[Event.FAILURE].sum(axis=0)
    assert Counter(np.flatnonzero(endings).tolist()) == Counter(set(states["ending"].tolist()))
    assert endings.sum() == len(SEEDS)


def test_counts_are_kept_apart_by_figure_and_amount(ford, counts):
    events = counts[0]
    heroes, kinds = len(ford.names.allies), len(ford.names.types)
    turns = events[Event.TURN].sum(axis=1)
    assert turns[:heroes].all()
    assert turns[N_ALLIES : N_ALLIES + kinds].any()
    assert not turns[heroes:N_ALLIES].any()
    assert not turns[N_ALLIES + kinds :].any()
    for a, tokens in enumerate(ford.names.tokens):
        assert not events[Event.SELECT, a, len(tokens) :].any()


def test_counts_are_added_to_earlier_ones(ford):
    once = counting.play_games(ford, range(3, 4), Policy.RANDOM)
    events, choices = (part * 2 for part in once)
    states, which = zeros(STATE, 1), np.zeros(1, np.int16)
    given = (int(Policy.RANDOM), 0, 20_000, events, choices)
    assert api.count_events(states, ford.content, which, np.array([3], np.uint64), *given) == 0
    assert (events == once[0] * 3).all()
    assert (choices == once[1] * 3).all()


def test_a_game_that_is_too_long_is_aborted(ford):
    events = np.zeros((counting.N_EVENTS, api.N_WHO, api.N_AMOUNTS), np.int64)
    choices = np.zeros((terms.N_DECISIONS, N_ACTIONS), np.int64)
    states, which = zeros(STATE, 1), np.zeros(1, np.int16)
    given = (int(Policy.RANDOM), 0, 1, events, choices)
    api.count_events(states, ford.content, which, np.array([3], np.uint64), *given)
    assert states["ending"][0] == terms.Ending.NONE
    assert events[Event.ROUND].sum() == 1


# ---- which games --------------------------------------------------------------------------------
def test_many_games_are_of_every_scenario_party_level_and_difficulty():
    drawn = tables.draw_setups(CORE, 10_000, 0)
    assert sum(len(table.seeds) for table in drawn) == 10_000
    seeds = [seed for table in drawn for seed in table.seeds]
    assert len(set(seeds)) == len(seeds)
    places = {(table.scenario, table.heroes, table.level, table.difficulty) for table in drawn}
    assert {scenario for scenario, *_ in places} == {*CORE.scenarios, RANDOM}
    assert {heroes for _, heroes, *_ in places} == {1, 2, 3, 4}
    for scenario in (*CORE.scenarios, RANDOM):
        graded = 4 if tables.is_graded(CORE, scenario) else 1
        assert sum(place[0] == scenario for place in places) == 4 * 5 * graded
    assert {table.enemy_will for table in drawn} == {"card", "free"}


def test_few_games_are_of_different_setups():
    drawn = tables.draw_setups(CORE, 30, 4)
    assert [len(table.seeds) for table in drawn] == [1] * 30
    assert (
        len({(table.scenario, table.heroes, table.level, table.difficulty) for table in drawn})
        == 30
    )
    assert drawn != tables.draw_setups(CORE, 30, 5)


def test_parties_differ_in_heroes_classes_skills_and_items():
    random = Random(1)
    party = [m for _ in range(150) for m in tables.draw_party(CORE, random, 4, 3)]
    assert {member["hero"] for member in party} == set(CORE.heroes)
    kinds = {kind.name for hero in CORE.heroes.values() for kind in hero.classes}
    assert {member["class"] for member in party} == kinds
    skills = {s.name for h in CORE.heroes.values() for k in h.classes for s in k.skills}
    assert {skill for member in party for skill in member["skills"]} == skills
    carried = {item for member in party for item in member.get("items", [])}
    carried |= {item for hero in CORE.heroes.values() for item in hero.items}
    assert carried == set(CORE.items)


# ---- the report ---------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def small():
    """A report of a few games."""
    return report.cover(AGEMONIA, "core", 6, 1, 1)


def test_counted_places_have_names_of_the_pack(small):
    known = {
        *all_entries(CORE),
        *((report.FUNCTION, str(f)) for f in functions.rule_functions(AGEMONIA)),
    }
    assert set(small.counts) == known
    assert small.families()["scenario"].keys() == {*CORE.scenarios, RANDOM}
    assert sum(small.families()["scenario"].values()) == 6
    assert sum(small.families()["ending"].values()) == 6
    assert sum(small.families()["objective"].values()) == 6


def test_rule_functions_are_counted_in_a_sample_of_plain_games(small):
    called = small.families()[report.FUNCTION]
    assert called["flow.py run_round_start (R5.1)"] >= 1
    assert called["rules/setup.py set_up (R4.1 to R4.11)"] == 1
    assert 0 in called.values()


def test_rule_functions_are_those_whose_docstrings_name_rules():
    found = {(f.file, f.name): f.rules for f in functions.rule_functions(AGEMONIA)}
    assert found["rules/stamina.py", "damage"][:2] == ("R2.4", "R2.5")
    assert ("sides.py", "credit") not in found


def test_zeros_are_listed_and_excuses_are_given():
    reasons = {("decision", "na"): "nobody asks"}
    counts = {("decision", "turn"): 3, ("decision", "name"): 0, ("effect", "heal"): 0}
    made = report.Report("core", 3, 1, 0.5, counts, reasons)
    assert made.zero() == [("effect", "heal")]
    assert made.excused() == {("decision", "name"): "nobody asks"}
    console = Console(record=True, width=100)
    report.show(made, console)
    text = console.export_text()
    assert "stayed at zero: effect: heal" in text
    assert "may stay at zero: decision: name (nobody asks)" in text
    assert "nothing stayed at zero" not in text


def test_a_report_without_gaps_says_so():
    console = Console(record=True, width=100)
    report.show(report.Report("core", 3, 1, 0.5, {("effect", "heal"): 2}, {}), console, brief=True)
    assert "nothing stayed at zero" in console.export_text()


def test_every_excuse_is_about_something(small):
    for family, name in EXCUSED:
        assert any(f == family and n.startswith(name) for f, n in small.counts), (family, name)


def test_the_sample_grows_with_the_games():
    assert report.sample_size(100) == 20
    assert report.sample_size(200_000) == 100


def test_the_sample_grows_while_a_rule_function_was_never_called(monkeypatch):
    monkeypatch.setattr(report, "MIN_SAMPLE", 1)
    monkeypatch.setattr(report, "MAX_SAMPLES", 3)
    assert report.cover(AGEMONIA, "core", 2, 1, None).sample == 3
    monkeypatch.setattr(report, "excuse", lambda entry, reasons: "may stay at zero")
    assert report.cover(AGEMONIA, "core", 2, 1, None).sample == 1


def test_a_sample_that_fails_says_why():
    with pytest.raises(RuntimeError, match="unknown pack"):
        functions.Sample(AGEMONIA, "nowhere", 1, 0, [Game(0, 0, "random")]).calls(lambda n: None)


def test_the_command_writes_a_table_and_a_file(tmp_path):
    out = tmp_path / "coverage.json"
    words = ["coverage", "-n", "2", "--sample", "1", "--out", str(out)]
    done = CliRunner().invoke(main.app, words)
    assert done.exit_code == 0, done.output
    assert "How often" in done.output
    assert "stayed at zero:" in done.output
    written = json.loads(out.read_text(encoding="utf-8"))
    assert (written["games"], written["sample"]) == (2, 1)
    assert sum(written["counts"]["scenario"].values()) == 2
    assert written["zero"]["effect"]
    bad = CliRunner().invoke(main.app, ["coverage", "-n", "2", "--pack", "nowhere"])
    assert (bad.exit_code, bad.output.count("\n")) == (2, 1)


def test_uses_are_those_that_the_compiled_core_counts():
    (plan,) = plans_of(make_config(StudyConfig, {"heroes": 3, "seed": 4}), "core", 100)
    own = counted(watch_chunk(watched_plan(plan, 6), 0, lambda games, wins: None))
    compiled = compile_planned(plan.kinds[0], None)
    events, _ = counting.play_games(compiled, plan.seeds(range(6)), Policy.GREEDY)
    core = Counter()
    for ally, who in enumerate(compiled.names.allies):
        rows = compiled.content[0]["sheet"][ally]["token"].tolist()
        for token, name in enumerate(compiled.names.tokens[ally]):
            core["action", who, name] += int(events[Event.ACT, ally, rows[token]])
        for item, name in enumerate(compiled.names.items):
            for event in (Event.USE, Event.BOOST, Event.RIDE):
                core["item", who, name] += int(events[event, ally, item])
    assert own == +core
    assert {kind for kind, _, _ in own} == {"action", "item"}
