"""A published model is accepted for new rules only if it wins as often."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from agemonia_env.policies.network import Network
from agemonia_env.rulesets.identity import identity_of, rules_hash
from agents import restamp
from agents.restamp import DATA, is_as_published, main

ROOT = Path(__file__).resolve().parents[2]
NAME = "ppo-ford.npz"
ENV = "Agemonia-v0"
GAMES = 60


def other_rules(identity):
    """An identity of rules that play differently in one scenario."""
    ford = identity["behaviour"]["ford"] | {"games": "0123456789abcdef"}
    return {**identity, "sources": "before", "behaviour": {**identity["behaviour"], "ford": ford}}


@pytest.fixture
def published(tmp_path):
    """A folder with a page, and with a model that was made for other rules."""
    facts = json.loads((ROOT / "docs" / DATA).read_text(encoding="utf-8"))
    entry = facts["weights"][NAME] | {"games": GAMES}
    (tmp_path / DATA).write_text(json.dumps(facts | {"weights": {NAME: entry}}))
    network = Network.load(ROOT / "agents" / "weights" / NAME)
    record = {**network.record, "identity": other_rules(identity_of(ENV)), "stamps": []}
    replace(network, record=record).save(tmp_path / NAME)
    return tmp_path


def stamp(folder):
    return main(["--docs", str(folder), str(folder / NAME)])


def change(folder, **values):
    facts = json.loads((folder / DATA).read_text())
    facts["weights"][NAME] |= values
    (folder / DATA).write_text(json.dumps(facts))


def test_a_model_that_wins_as_often_is_stamped(published, capsys):
    before = Network.load(published / NAME)
    assert stamp(published) == 0
    printed = capsys.readouterr().out
    assert "play differently in 1 of 13 scenarios: ford; playing 60 games" in printed
    assert "stamped" in printed
    after, here = Network.load(published / NAME), rules_hash(identity_of(ENV))
    assert after.record["identity"] == identity_of(ENV)
    assert (after.policy.weights == before.policy.weights).all()
    (entry,) = after.record["stamps"]
    assert entry["from"] == rules_hash(before.record["identity"])
    assert (entry["to"], entry["games"]) == (here, GAMES)
    fact = json.loads((published / DATA).read_text())["weights"][NAME]
    assert (fact["rules"], fact["games"], fact["wins"]) == (here, GAMES, entry["wins"])
    assert f"| `{here}` |" in (published / "results.md").read_text()


def test_it_is_stamped_once(published, monkeypatch, capsys):
    assert stamp(published) == 0
    monkeypatch.setattr(restamp, "played_again", lambda *_, **__: pytest.fail("played again"))
    before = (published / NAME).read_bytes()
    assert stamp(published) == 0
    assert "matches the current rules" in capsys.readouterr().out
    assert (published / NAME).read_bytes() == before


def test_a_model_that_wins_more_or_less_often_is_left_alone(published, capsys):
    change(published, won=0.5, low=0.45, high=0.55)
    before = (published / NAME).read_bytes()
    assert stamp(published) == 1
    assert "not stamped; train it again with python -m agents.results" in capsys.readouterr().out
    assert (published / NAME).read_bytes() == before
    fact = json.loads((published / DATA).read_text())["weights"][NAME]
    assert (fact["won"], fact["games"]) == (0.5, GAMES)


def test_a_model_of_another_layout_cannot_be_stamped(published, capsys):
    network = Network.load(published / NAME)
    other = {**network.record["identity"], "observation": "0123456789abcdef"}
    replace(network, record={**network.record, "identity": other}).save(published / NAME)
    assert stamp(published) == 2
    assert "observations have another layout" in capsys.readouterr().err


def test_unpublished_models_are_refused(published, capsys):
    shutil.copy(published / NAME, published / "mine.npz")
    assert main(["--docs", str(published), str(published / "mine.npz")]) == 2
    assert f"not a published model; there are {NAME}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("new", "old", "meet"),
    [((0.4, 0.5), (0.5, 0.6), True), ((0.4, 0.5), (0.51, 0.6), False), ((0, 1), (0.3, 0.4), True)],
)
def test_intervals_meet_or_do_not(new, old, meet):
    results = [dict(zip(("low", "high"), interval, strict=True)) for interval in (new, old)]
    assert is_as_published(*results) == meet
    assert is_as_published(*reversed(results)) == meet
