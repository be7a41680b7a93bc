"""Evaluation of the enemy side: against which heroes, and with its cards alone."""

import numpy as np
import pytest

from agemonia_env.policies import ScriptedPolicy, policy_of
from agemonia_env.rulesets.agemonia.arguments import OPPONENTS, check_arguments
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agents.evaluate import compare, main, toll
from agents.play import play_games

GAMES, SEED = 30, 5
FREE = {"side": "enemy", "enemy_will": "free"}


@pytest.fixture(scope="module")
def policies():
    return {name: policy_of(AGEMONIA, name, side="enemy") for name in ("random", "greedy")}


@pytest.fixture(scope="module")
def rows(policies):
    return compare(AGEMONIA, check_arguments(**FREE), None, GAMES, policies, SEED)


def test_the_cards_come_first_and_are_a_game_of_greedy_heroes(rows):
    assert [row.policy for row in rows] == ["cards", "random", "greedy"]
    content = check_arguments().compile().content
    seeds = np.arange(SEED, SEED + GAMES, dtype=np.uint64)
    outcomes = play_games(AGEMONIA, content, seeds, policy_of(AGEMONIA, "greedy"), control=0)
    assert rows[0].won == pytest.approx(1 - outcomes.won.mean())
    assert rows[0].decisions == outcomes.decisions.mean()


def test_heroes_from_outside_the_core_make_the_same_rows(rows, policies):
    heroes = ScriptedPolicy(AGEMONIA, "outside", int(OPPONENTS["greedy"]))
    played = check_arguments(opponent=heroes, **FREE)
    others = compare(AGEMONIA, played, None, GAMES, policies, SEED)
    for one, other in zip(rows[1:], others[1:], strict=True):
        assert (one.won, one.decisions, one.rounds) == (other.won, other.decisions, other.rounds)


def test_heroes_are_evaluated_against_the_opponent(policies):
    options = {"enemy_will": "free", "side": "hero"}
    hero = {"greedy": policy_of(AGEMONIA, "greedy")}
    within = compare(AGEMONIA, check_arguments(**options), None, GAMES, hero, SEED)
    enemies = ScriptedPolicy(AGEMONIA, "outside", int(OPPONENTS["greedy"]))
    played = check_arguments(opponent=enemies, **options)
    (without,) = compare(AGEMONIA, played, None, GAMES, hero, SEED)
    assert (within[0].won, within[0].decisions) == (without.won, without.decisions)


def test_an_opponent_that_would_never_be_asked_is_refused(tmp_path, capsys):
    words = ["--opponent", "random", "--games", "4", "--out", str(tmp_path)]
    assert main(words) == 2
    assert "--opponent: cards move the enemies; --enemy-will free" in capsys.readouterr().err
    assert main([*words, "--enemy-will", "free"]) == 0


def test_the_toll_is_printed_in_points(rows):
    points = 100 * (rows[0].won - rows[-1].won)  # negative where the heroes win less
    assert f"{points:+.1f} points for the heroes" in toll(rows)
    assert f"{1 - rows[-1].won:.1%} against greedy enemies" in toll(rows)
