"""The matches of a league, and errors in its arguments."""

import re

import pytest

from agemonia_env.league.matches import make_matches


def test_every_policy_meets_every_scenario_with_cards_and_with_enemy_policies():
    matches = make_matches(
        ["random", "greedy"], ["ford", "toll"], 2, 7, enemy_policy="random", seed=3
    )
    assert [str(match) for match in matches] == [
        f"{policy} against {scenario}{by}"
        for policy in ("random", "greedy")
        for by in ("", ", played by random")
        for scenario in ("ford", "toll")
    ]
    for match in matches:
        (kind,) = match.plan.kinds
        assert (match.plan.games, match.plan.seed, match.plan.policy) == (7, 3, match.policy.name)
        assert kind.scenario == match.scenario.name
        assert kind.enemy_policy == (match.enemies.name if match.enemies else None)
        assert kind.enemy_will == ("free" if match.enemies else "card")


def test_scenarios_are_named_by_their_differences():
    options = {"difficulty": ["normal", "hard"], "level": [1, 2]}
    matches = make_matches("greedy", "ford", [2, ["orsa", "ketch"]], 1, **options)
    assert [match.scenario.name for match in matches][:3] == [
        "ford, 2 heroes, level 1, normal",
        "ford, 2 heroes, level 1, hard",
        "ford, 2 heroes, level 2, normal",
    ]
    assert matches[-1].scenario.name == "ford, orsa, ketch, level 2, hard"
    assert len({match.scenario for match in matches}) == 8


def test_a_match_has_as_few_games_as_its_slowest_player_has_time_for():
    games = {"": 100, "planner:9": 4, "greedy": 50}
    matches = make_matches(
        ["random", "greedy", "planner:9"], "ford", 2, games, enemy_policy=["greedy", "planner:9"]
    )
    found = {str(match): match.plan.games for match in matches}
    assert found["random against ford"] == 100
    assert found["random against ford, played by greedy"] == 50
    assert found["greedy against ford, played by planner:9"] == 4
    assert found["planner:9 against ford"] == 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policy": ["greedy", "greedy"]}, "each at most once"),
        ({"policy": "greed"}, "policy='greed': must be one of"),
        ({"enemy_policy": "greed"}, "policy='greed': must be one of"),
        ({"scenario": "fort"}, "scenario='fort'"),
        ({"games": 0}, "games=0: must be a whole number, at least 1"),
        ({"games": {"": 5, "planner:9": 1}}, "games of 'planner:9': no such policy"),
        (
            {"games": {"greedy": 5}, "policy": ["greedy", "random"]},
            "add a number for all others",
        ),
        ({"games": {"": 5, "greedy": 0}}, "games of greedy=0"),
    ],
)
def test_refused(changes, message):
    given = {"policy": "greedy", "scenario": "ford", "heroes": 2, "games": 5} | changes
    with pytest.raises(ValueError, match=re.escape(message)):
        make_matches(**given)
