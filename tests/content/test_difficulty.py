"""Difficulty levels: the same scenario with other numbers."""

import pytest

from agemonia_env.rulesets.agemonia import content
from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.difficulty import (
    changed_ends,
    changed_enemy,
    difficulty_of,
)
from agemonia_env.rulesets.agemonia.core import layout, terms


@pytest.fixture
def made(build):
    """A function: the scenario keep at a difficulty level."""
    folder = build()
    return lambda word: content.compile_scenario(folder, "keep", 2, difficulty=word)


def queen(record):
    """Health, shield and values of the Queen's attacks: staring, open, snake."""
    kind = record["type"][0]
    strikes = [record["strike"][kind["strike"][eye]]["value"] for eye in (0, 1)]
    snake = record["strike"][record["effect"][kind["snake_first"]]["a"]]["value"]
    return (int(kind["base"]), int(kind["per_hero"]), int(kind["shield"])), (*strikes, snake)


def test_normal_changes_nothing(made):
    record = made("normal").content[0]
    assert queen(record) == ((4, 2, 0), (3, 4, 1))
    assert (record["last_round"], record["timer_target"], record["n_setup"]) == (8, 6, 1)
    assert not record["sheet"]["achievement"].any()


def test_easy_keeps_the_required_minimum(made):
    record = made("easy").content[0]
    assert queen(record) == ((0, 1, 0), (0, 1, 0))
    rat = made("easy").names.type("Rat")
    assert record["type"][rat]["base"] == 1
    assert record["sheet"]["achievement"].tolist() == [2, 2] + [0] * (layout.N_ALLIES - 2)


def test_hard_adds_to_every_enemy_and_takes_rounds(made):
    record = made("hard").content[0]
    assert queen(record) == ((6, 2, 1), (4, 5, 2))
    assert (record["last_round"], record["timer_target"]) == (6, 7)


def test_brutal_places_more_enemies_and_the_sixth_gem_is_another(made, build):
    compiled = made("brutal")
    record = compiled.content[0]
    assert record["n_setup"] == 2
    assert compiled.names.types[record["setup_type"][1]] == "Rat"
    assert record["sheet"]["inspiration"][:2].tolist() == [5, 5]
    party = [{"hero": "anna", "inspiration": 2, "achievement": 15}, {"hero": "bert", "level": 4}]
    compiled = content.compile_scenario(build(), "keep", party, difficulty="brutal")
    sheets = compiled.content[0]["sheet"]
    assert sheets["inspiration"][:2].tolist() == [5, 5]
    assert sheets["achievement"][:2].tolist() == [15, 1]  # R16.1: the sixth becomes one of these


def test_a_scenario_without_difficulties_is_normal(build):
    folder = build()
    assert content.compile_scenario(folder, "yard", 1, difficulty="normal").fingerprint
    with pytest.raises(ValueError, match="unknown difficulty 'hard'; allowed: normal"):
        content.compile_scenario(folder, "yard", 1, difficulty="hard")
    with pytest.raises(ValueError, match="'mad'; allowed: easy, normal, hard, brutal"):
        content.compile_scenario(folder, "keep", 1, difficulty="mad")


def test_attacks_without_a_value_stay_without(build):
    card = schema.EnemySheet.model_validate(
        {"actions": {"open": {"attack": {"condition": "held"}}, "closed": {"move": 1}}}
    )
    harder = changed_enemy(card, schema.Difficulty(target=0.5, value=2))
    assert harder.actions.open.attack.value is None
    assert harder.actions.closed.attack is None
    assert harder.actions.staring.attack.value == 5
    assert card.actions.staring.attack.value == 3


def test_ends_that_a_scenario_does_not_have_stay_away(files):
    yard = schema.Scenario.model_validate(files["scenarios/yard.yaml"])
    change = schema.Difficulty(target=0.5, rounds=-9, timer=-9)
    assert changed_ends(yard, change) == {"last_round": 0, "timer": 0}
    keep = schema.Scenario.model_validate(files["scenarios/keep.yaml"])
    assert changed_ends(keep, change) == {"last_round": 1, "timer": 1}
    assert difficulty_of(keep, "hard").health == 2
    assert terms.Objective.ESCORT.name.lower() == keep.objective.kind
