"""Arguments of the environments: checked once, JSON-able, and compiled."""

import json

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.arguments import check_arguments
from agemonia_env.rulesets.agemonia.content import compile_scenario
from agemonia_env.rulesets.agemonia.content.load import load_pack


def test_the_defaults_are_those_of_the_compiler():
    assert check_arguments().compile().fingerprint == compile_scenario("core", "ford").fingerprint


def test_level_and_what_the_enemies_may_choose_reach_the_content():
    record = check_arguments(level=np.int64(5), enemy_will="free").compile().content[0]
    blue = [hero.blue for hero in load_pack("core").heroes.values()]
    assert record["sheet"]["blue"][0] - 4 in blue
    assert record["enemy_will"] == 1


def test_difficulty_reaches_the_content():
    name = next(name for name, card in load_pack("core").scenarios.items() if card.difficulty)
    marks = {
        check_arguments(scenario=name, difficulty=word).compile().fingerprint
        for word in ("easy", "normal", "brutal")
    }
    assert len(marks) == 3


def test_heroes_as_mappings_survive_json():
    choice = {"hero": "orsa", "level": 3, "wounds": 1, "conditions": ["blessed"]}
    checked = check_arguments(heroes=json.loads(json.dumps(["ivo", choice])))
    assert checked.heroes == ("ivo", choice)
    sheets = checked.compile().content[0]["sheet"]
    assert sheets["wounds"][:2].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"level": 6}, "level=6: must be 1 to 5, or None"),
        ({"level": True}, "level=True"),
        ({"level": "3"}, "level='3'"),
        ({"difficulty": "mad"}, "difficulty='mad': must be one of 'easy', 'normal', 'hard'"),
        ({"enemy_will": "evil"}, "enemy_will='evil': must be one of 'card', 'free'"),
        ({"heroes": [3]}, "must be a number, or a list of Hero names and mappings"),
        ({"heroes": [{"level": 2}]}, "hero: is missing"),
        ({"heroes": [{"hero": "orsa", "levle": 2}]}, "levle: unknown key; did you mean 'level'"),
        ({"heroes": [{"hero": "orsa", "level": 9, "wounds": -1}]}, "level: must be .*; wounds: "),
        ({"heroes": ["orsa", {"hero": "orsa"}]}, "a Hero can be in the party only once"),
    ],
)
def test_wrong_arguments_get_one_clear_error(keys, words):
    with pytest.raises(ValueError, match=words) as caught:
        check_arguments(**keys)
    assert "\n" not in str(caught.value)


def test_a_mapping_that_does_not_fit_the_pack_says_where():
    with pytest.raises(ValueError, match=r"heroes\[0\].class: unknown class 'Cook'; allowed: "):
        check_arguments(heroes=[{"hero": "orsa", "level": 2, "class": "Cook"}]).compile()
