"""Behaviour of the rules: measured by playing, the same on every machine, and pinned."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets import behaviour, identity
from agemonia_env.rulesets.behaviour import behaviour_of, legal_choices
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.identity import (
    BEHAVIOUR,
    PLAYED_BY,
    identity_of,
    pinned,
    rules_difference,
)
from agemonia_env.rulesets.ruleset import ruleset_of
from tests.identity.pins import here

ROOT = Path(__file__).resolve().parents[2]
# Questions that random play does not reach; all others occur in the games
NEVER = {
    "Agemonia-v0": {
        "dominated_enemy",
        "dominated_ally",
        "spring",
        "token_harm",
        "story",
    },
    "HexDungeon-v0": {"rest_keep", "landing"},
}
PLAYED = {"ford": {"content": "1" * 16, "games": "2" * 16}}
needs_compiling = pytest.mark.skipif(
    not COMPILED,
    reason="playing all scenarios takes minutes as plain Python; "
    "test_plain_python_gives_the_same_hashes plays a few games of one",
)


@needs_compiling
@pytest.mark.parametrize("env", RULESETS)
def test_the_rules_play_as_they_did(env):
    """If this fails, see tests/identity/pins.py."""
    played = here()[env]
    apart = rules_difference(pinned()[env], identity_of(env) | played)
    assert apart is None, apart
    assert pinned()[env][BEHAVIOUR] == played[BEHAVIOUR]


@pytest.mark.parametrize("same", [True, False])
def test_games_are_played_unless_the_sources_are_those_of_the_pins(monkeypatch, tmp_path, same):
    rules = ruleset_of("Agemonia-v0")
    pin = {PLAYED_BY: identity.played_by(rules) if same else "other", BEHAVIOUR: PLAYED}
    monkeypatch.setattr(identity, "pinned", lambda: {rules.env_id: pin})
    monkeypatch.setattr(identity, "behaviour_file", lambda rules: tmp_path / "kept.json")
    monkeypatch.setattr(identity, "behaviour_of", lambda rules: {"played": PLAYED["ford"]})
    assert identity.cached_behaviour(rules) == (PLAYED if same else {"played": PLAYED["ford"]})


@needs_compiling
@pytest.mark.parametrize("env", RULESETS)
def test_every_scenario_is_played_and_nearly_every_question_is_asked(env, monkeypatch):
    rules, asked = ruleset_of(env), Counter()
    real = behaviour.player_views

    def seen(rules, states, *more):
        asked.update(states["decision"].tolist())
        return real(rules, states, *more)

    monkeypatch.setattr(behaviour, "player_views", seen)
    found = behaviour_of(rules)
    assert set(found) >= set(rules.load_pack(rules.check_arguments().pack).scenarios)
    never = {name for number, name in enumerate(rules.DECISIONS) if not asked[number]}
    assert never - {"none"} <= NEVER[env]


def few(rules, scenario, games):
    trials = rules.behaviour_games(rules.load_pack(rules.check_arguments().pack))
    return [trial for trial in trials if trial["scenario"] == scenario][:games]


PLAIN = """
import json, sys
from agemonia_env.rulesets.behaviour import behaviour_of
from agemonia_env.rulesets.ruleset import ruleset_of
from tests.identity.test_behaviour import few
rules = ruleset_of(sys.argv[1])
print(json.dumps(behaviour_of(rules, few(rules, sys.argv[2], 3))))
"""


@pytest.mark.parametrize(
    ("env", "scenario"), [("Agemonia-v0", "ford"), ("HexDungeon-v0", "bell-loft")]
)
def test_plain_python_gives_the_same_hashes(env, scenario):
    rules = ruleset_of(env)
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, env, scenario],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == behaviour_of(rules, few(rules, scenario, 3))


def test_games_of_a_scenario_do_not_depend_on_others():
    rules = ruleset_of("Agemonia-v0")
    ford, toll = (few(rules, name, 3) for name in ("ford", "toll"))
    together, alone = behaviour_of(rules, [*toll, *ford]), behaviour_of(rules, ford)
    assert together["ford"] == alone["ford"]
    assert together["ford"] != together["toll"]


def test_names_are_not_rules_and_numbers_are_content():
    rules = ruleset_of("Agemonia-v0")
    (trial,) = few(rules, "ford", 1)
    before = behaviour_of(rules, [trial])["ford"]
    other = trial | {"pack": 'core; scenarios.ford.name = "Ford of Names"'}
    assert behaviour_of(rules, [other])["ford"] == before
    other = trial | {"pack": "core; enemies.reedling.card.health.base +1"}
    changed = behaviour_of(rules, [other])["ford"]
    assert changed["content"] != before["content"]


def test_answers_are_drawn_evenly_from_the_legal_ones():
    masks = np.zeros((6000, 9), np.bool_)
    masks[:, [1, 4, 8]] = True
    bits = np.random.Philox(key=7).random_raw(6000)
    found = Counter(legal_choices(masks, bits).tolist())
    assert set(found) == {1, 4, 8}
    assert min(found.values()) > 1800
