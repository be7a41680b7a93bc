"""The coverage report: what the event log says is counted, and everything possible is listed."""

import json
import os
from collections import Counter

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from agemonia_env.cli import main
from agemonia_env.core.event_log import LogRow
from agemonia_env.core.jit import zeros
from agemonia_env.coverage import functions, games, report
from agemonia_env.coverage.games import SetupGame, Table
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.terms import Decision, Event
from agemonia_env.rulesets.coverage import RULE_FUNCTION, coverage_tools_of
from agemonia_env.rulesets.pack_tools import usage_tools_of
from agemonia_env.rulesets.ruleset import ruleset_of

AGEMONIA, HEX = ENVS = ("Agemonia-v0", "HexDungeon-v0")
SETUPS = {
    AGEMONIA: {"scenario": "ford", "heroes": 3},
    HEX: {"scenario": "counting-vault", "heroes": 3},
}
PACKS = {AGEMONIA: "core", HEX: "hex-core"}
GAME = SetupGame(0, 7, "greedy")


@pytest.fixture(scope="module", params=ENVS)
def env(request):
    return request.param


@pytest.fixture(scope="module")
def table(env):
    return Table(env, SETUPS[env])


@pytest.fixture(scope="module")
def counts(table):
    return Counter(table.play(GAME))


@pytest.fixture(scope="module")
def small(env):
    """A report of a few games."""
    return report.cover(env, PACKS[env], 14, 2, 1)


def names(counts, family):
    return {name: n for (own, name), n in counts.items() if own == family}


def total(counts, family):
    return sum(names(counts, family).values())


# ---- counting -----------------------------------------------------------------------------------
def test_the_game_counted_is_the_one_that_is_played(env, table, counts):
    rules, which = ruleset_of(env), np.zeros(1, np.int16)
    states, seeds, select = zeros(rules.STATE), np.array([7], np.uint64), np.ones(1, np.uint8)
    given = table.compiled.content, which
    rules.api.reset(states, *given, seeds, select, table.control, rules.api.NO_ROWS)
    policy, unchecked = int(rules.POLICIES["greedy"]), np.zeros(0, np.int64)
    rules.api.rollout(states, *given, policy, table.control, games.DECISIONS_MAX, unchecked)
    (end,) = states
    assert total(counts, "decision") == total(counts, "kind of answer") == end["decisions"]
    assert counts["event of the log", "round"] == end["round"]
    assert counts["event of the log", "exhausted"] >= end["n_exhausted"]
    assert names(counts, "ending") == {rules.ENDINGS[end["ending"]].replace("_", " "): 1}
    (goal,) = names(counts, "objective" if env == AGEMONIA else "goal")
    assert goal.endswith("won" if end["won"] else "lost")


def test_all_that_is_met_is_possible(table, counts):
    assert set(counts) <= set(table.possible())


def test_names_add_up_to_their_events(env, counts):
    families = {
        AGEMONIA: {"injury card": "injury", "story section": "story", "item picked up": "take"},
        HEX: {
            **{"action": "play", "modifier card": "card", "monster card": "monster card"},
            **{"draw": "attack", "damage": "damage", "condition": "condition", "trap": "trap"},
        },
    }
    for family, event in families[env].items():
        assert total(counts, family) == counts["event of the log", event], family


def test_actions_and_items_are_counted_as_the_balance_laboratory_does(env, table, counts):
    use_of = usage_tools_of(env).use_of
    used = Counter(use_of(table.compiled, row) for row, _ in table._rows(GAME))
    own = Counter()
    for (kind, who, name), n in ((use, n) for use, n in used.items() if use):
        own[f"{who}: {name}" if kind == "action" else name] += n
    families = ("action", "action performed", "item used")
    families += ("item boosting a check", "item serving an attack")
    met = sum((Counter(names(counts, family)) for family in families), Counter())
    basics = {name for name in met if name.endswith((": Attack 2", ": Move 2"))}
    assert own == {name: n for name, n in met.items() if name not in basics}
    assert bool(basics) == (env == HEX)


@pytest.fixture
def told(monkeypatch):
    """What counts as met if a game of Agemonia has these rows."""
    table = Table(AGEMONIA, SETUPS[AGEMONIA])

    def count(*rows, types=()):
        state = zeros(ruleset_of(AGEMONIA).STATE)[0]
        state["enemy"]["type"][: len(types)] = types
        monkeypatch.setattr(table, "_rows", lambda game: [(LogRow(*row), state) for row in rows])
        return table.play(GAME)

    return table, count


def test_figures_are_counted_by_side_and_type(told):
    table, count = told
    held = 6
    found = count((Event.GAIN, 0, held, -1, -1, -1), (Event.GAIN, N_ALLIES, held, -1, -1, -1))
    assert names(found, "condition") == {"Allies: held": 1, "Enemies: held": 1}
    provoking = int(np.flatnonzero(table.compiled.content[0]["type"]["provoke"])[0])
    found = count((Event.PROVOKE, 0, 2, -1, -1, -1), types=(0, 0, provoking))
    name = table.compiled.names.types[provoking]
    assert names(found, "Enemy") == {f"{name}: provoke": 1}


def test_what_is_skipped_or_put_away_is_not_counted(told):
    table, count = told
    effect = int(np.flatnonzero(table.compiled.content[0]["effect"]["op"])[0])
    worn = int(np.flatnonzero(table.compiled.content[0]["item"]["wear"])[0])
    for event, amount, family in (
        (Event.EFFECT, effect, "effect"),
        (Event.WEAR, worn, "item put to use"),
    ):
        assert total(count((event, 0, amount, -1, 0, -1)), family) == 0
        assert total(count((event, 0, amount, -1, 1, -1)), family) == 1


def test_signs_of_a_turn_are_eye_horns_and_snake(told):
    table, count = told
    card = table.compiled.content[0]["type"]
    (t, *_), (eye, *_) = np.nonzero((card["horns_n"] > 0) & (card["snake_n"] > 0)[:, None])
    row = (Event.ENEMY_ACTS, N_ALLIES, eye + 4 + 8, -1, -1, -1)
    done = {name.rpartition(": ")[2] for name in names(count(row, types=(t,)), "Enemy")}
    its = ("staring eye", "open eye", "closed eye")[eye]
    assert done == {its, f"horns of the {its}", "snake"}


def test_lost_events_are_an_error(table, monkeypatch):
    monkeypatch.setattr(games, "ROWS", 3)
    with pytest.raises(RuntimeError, match="rows of the event log were lost"):
        table.play(GAME)


def test_a_game_that_is_too_long_is_aborted(table, monkeypatch):
    monkeypatch.setattr(games, "DECISIONS_MAX", 2)
    assert total(table.play(GAME), "ending") == 0


# ---- which games --------------------------------------------------------------------------------
def test_setups_are_of_every_scenario_party_and_level(env):
    setups = games.draw_setups(env, PACKS[env], 0)
    pack = ruleset_of(env).load_pack(PACKS[env])
    assert {s["scenario"] for s in setups} >= set(pack.scenarios)
    assert {len(s["heroes"]) for s in setups} == {1, 2, 3, 4}
    assert setups != games.draw_setups(env, PACKS[env], 1)
    if env == HEX:
        assert len({(s["scenario"], len(s["heroes"]), s["level"]) for s in setups}) > 100
        return
    party = [hero for s in setups for hero in s["heroes"]]
    assert {hero["level"] for hero in party} == {1, 2, 3, 4, 5}
    assert {hero.get("class") for hero in party} - {None} == {
        kind.name for hero in pack.heroes.values() for kind in hero.classes
    }
    skills = {s.name for h in pack.heroes.values() for k in h.classes for s in k.skills}
    assert {skill for hero in party for skill in hero.get("skills", [])} == skills
    assert {item for hero in party for item in hero["items"]} == set(pack.items)


def test_games_are_spread_over_setups_seeds_and_policies():
    drawn = list(games.spread(5, 23, 100))
    assert [len(own) for own in drawn] == [5, 5, 5, 4, 4]
    assert sorted(game.seed for own in drawn for game in own) == list(range(100, 123))
    assert {game.policy for game in drawn[0]} == set(games.POLICIES)
    assert {own[0].policy for own in games.spread(5, 2, 0)} == set(games.POLICIES)


def test_a_party_that_does_not_fit_gives_way_to_one_that_does():
    heavy = {"hero": "orsa", "items": list(ruleset_of(AGEMONIA).load_pack("core").items)}
    table = Table(AGEMONIA, {"scenario": "ford", "heroes": [heavy]})
    assert table.play(GAME)["scenario", "ford"] == 1


# ---- the report ---------------------------------------------------------------------------------
def test_everything_is_in_the_report_even_what_did_not_happen(env, small):
    found = small.counts
    assert set(found[RULE_FUNCTION]) == set(functions.rule_functions(env).values())
    assert 0 in found[RULE_FUNCTION].values()
    assert sum(found["scenario"].values()) == sum(found["ending"].values()) == small.games == 14
    if env == AGEMONIA:
        assert set(found["decision"]) == {d.name.lower().replace("_", " ") for d in Decision if d}
        starts = ("flow.py run_round_start (R5.1)", "rules/setup.py set_up (R4.1 to R4.11)")
    else:
        starts = ("rules/rounds.py run_round_start (G14.1, G14.5)",)
    assert all(found[RULE_FUNCTION][start] for start in starts)


def test_rule_functions_are_those_whose_docstrings_name_rules():
    found = functions.rule_functions(AGEMONIA).values()
    assert any(text.startswith("rules/stamina.py damage (R2.4, R2.5") for text in found)
    assert not any(text.startswith("sides.py credit") for text in found)


def test_every_excuse_is_about_something(env, small):
    for family, start in coverage_tools_of(env).excused:
        assert any(name.startswith(start) for name in small.counts[family]), (family, start)


def test_zeros_are_listed_and_excuses_are_given():
    counts = {("decision", "turn"): 3, ("effect", "heal"): 0, (RULE_FUNCTION, "commands.py x"): 0}
    made = report.report_of("core", 3, 1, 0.5, counts, AGEMONIA)
    assert made.zero == {"effect": ["heal"]}
    console = Console(record=True, width=100)
    report.show(made, console)
    text = console.export_text()
    assert "stayed at zero: effect: heal" in text
    assert "may stay at zero: rule function: commands.py x (single rules, for cases" in text
    assert "nothing stayed at zero" not in text
    full = report.report_of("core", 3, 1, 0.5, {("effect", "heal"): 2}, AGEMONIA)
    report.show(full, console, brief=True)
    assert "nothing stayed at zero" in console.export_text()


def test_the_sample_grows_while_a_rule_function_was_never_called(monkeypatch):
    monkeypatch.setattr(report, "MIN_SAMPLE", 1)
    monkeypatch.setattr(report, "MAX_SAMPLES", 3)
    monkeypatch.setattr(report, "count_calls", lambda *given: Counter())
    assert report.cover(HEX, "hex-core", 4, 1, None).sample == 3
    monkeypatch.setattr(report, "excuse", lambda env, entry: "may stay at zero")
    assert report.cover(HEX, "hex-core", 4, 1, None).sample == 1


def test_a_sample_that_fails_says_why():
    with pytest.raises(RuntimeError, match="unknown pack"):
        functions.count_calls(AGEMONIA, {"scenario": "ford", "pack": "nowhere"}, GAME)


def test_the_command_finds_the_ruleset_and_a_pack_where_it_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main.app, ["content", "new", "mine", "--env", HEX]).exit_code == 0
    words = ["coverage", "--env", HEX, "-n", "2", "--sample", "1", "--out", "found.json"]
    done = CliRunner().invoke(main.app, [*words, "--pack", f".{os.sep}mine"])
    assert done.exit_code == 0, done.output
    assert "How often" in done.output
    assert "stayed at zero: action:" in done.output
    written = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert (written["games"], written["sample"]) == (2, 1)
    assert written["counts"]["scenario"] == {"warm-cellar": 2}
    assert sum(written["counts"][RULE_FUNCTION].values()) > 0
    bad = CliRunner().invoke(main.app, ["coverage", "-n", "2", "--pack", "nowhere"])
    assert (bad.exit_code, bad.output.count("\n")) == (2, 1)
