"""The schema of content files, and messages about mistakes."""

import pytest
from pydantic import ValidationError

from agemonia_env.packs.folders import describe
from agemonia_env.rulesets.agemonia.content import schema


def mistakes(model, value):
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return describe(model, caught.value)


def test_all_mistakes_at_once_each_with_key_and_allowed_values():
    found = mistakes(
        schema.EnemyCard,
        {
            "colour": "pink",
            "health": {"base": "five"},
            "actions": {"open": {"move": 1, "atack": {}, "attack": {"type": "bite", "value": -1}}},
            "snake": {"heal": "ful"},
        },
    )
    text = "\n".join(found)
    assert "colour: 'pink' is not allowed; allowed: 'red', 'blue' or 'green'" in found
    assert "health.base: must be a valid integer; it is 'five'" in found
    assert (
        "actions.open.atack: unknown key; did you mean 'attack'? Allowed: move, attack, horns"
        in found
    )
    assert "actions.open.attack.type: 'bite' is not allowed; allowed: 'melee', 'ranged'" in text
    assert "actions.open.attack.value: must be greater than or equal to 0" in text
    assert "snake.heal.amount: must be a valid integer or 'full'; it is 'ful'" in found
    assert len(found) >= 6


@pytest.mark.parametrize(
    ("red", "message"),
    [
        ("x", "red: must be a valid integer or a valid list; it is 'x'"),
        (0, "red: must be greater than or equal to 1; it is 0"),
        ([1, 2], "red: must have at least 5 entries, not 2"),
        ([1, 2, 3, 4, "x"], "red[4]: must be a valid integer; it is 'x'"),
    ],
)
def test_one_mistake_where_there_are_several_ways_to_be_right(red, message):
    (found,) = [text for text in mistakes(schema.Hero, {"red": red}) if text.startswith("red")]
    assert found == message


def test_a_key_may_have_the_name_of_a_type():
    stories = mistakes(schema.Scenario, {"stories": {"str": 5, "int": 6}})
    assert "stories.str: must be a valid string; it is 5" in stories
    assert "stories.int: must be a valid string; it is 6" in stories


def test_unknown_keys_name_those_of_the_place_they_stand_in():
    found = mistakes(schema.HeroSheet, {"mite": 3, "move": {"fre": 2}})
    assert any(text.startswith("mite: unknown key; did you mean 'might'") for text in found)
    assert "move.fre: unknown key; did you mean 'free'? Allowed: free, paid, cost" in found
    found = mistakes(schema.ActionCard, {"name": "x", "effects": [{"attack": {"dize": 1}}]})
    assert found[0].startswith("effects[0].attack.dize: unknown key; did you mean 'dice'? ")


def test_an_effect_names_exactly_one_thing():
    for value in ({}, {"move": 1, "evade": 1}):
        (text,) = mistakes(schema.Effect, value)
        assert "exactly one key; allowed: attack, heal, restore" in text


@pytest.mark.parametrize(
    ("text", "bar"),
    [
        ("hR", {"enemy": False, "colour": "red"}),
        ("hB+", {"enemy": False, "colour": "blue", "bonus": True}),
        ("eG-C", {"enemy": True, "colour": "green", "eye": "closed"}),
        ("eR-S-h", {"enemy": True, "colour": "red", "eye": "staring", "horns": True}),
        ("eB-O-s", {"enemy": True, "colour": "blue", "eye": "open", "snake": True}),
        *(
            (
                f"eG-C-{both}",
                {"enemy": True, "colour": "green", "eye": "closed", "horns": True, "snake": True},
            )
            for both in ("sh", "hs")
        ),
    ],
)
def test_bars_in_the_notation_of_the_rulebook(text, bar):
    assert schema.Bar.model_validate(text) == schema.Bar(**bar)


@pytest.mark.parametrize("text", ["", "hX", "eR", "eR-Z", "hR-s", "eR-S-ss", "eR-S+", "R"])
def test_invalid_bars_are_refused(text):
    (found,) = mistakes(schema.Bar, text)
    assert "a bar is such as hR" in found


def test_initiative_cards():
    bars = "hR+, hB+, hG+, eR-S, eB-O, eG-C"
    for text in (f"* {bars}", f"{bars} *", f"{bars}*"):
        assert schema.InitiativeCard.model_validate(text).shuffle
    assert not schema.InitiativeCard.model_validate(bars).shuffle
    assert len(schema.InitiativeCard.model_validate(bars.split(", ")).bars) == 6
    assert "stands once" in mistakes(schema.InitiativeCard, "hR, hR, hG, eR-S, eB-O, eG-C")[0]
    assert mistakes(schema.InitiativeCard, "hR, hG")


def test_short_forms():
    card = schema.EnemyCard.model_validate({"health": 4, "actions": {"closed": {"move": 1}}})
    assert (card.health.base, card.health.per_hero) == (4, 0)
    (dead,) = mistakes(schema.EnemyCard, {"health": 0})
    assert dead == "health: base or per_hero must be at least 1"
    assert card.actions.closed.attack is None
    assert card.actions.open == schema.PLAIN
    strike = schema.Strike.model_validate({"condition": "held"})
    assert strike.condition == ["held"]
    area = schema.AreaCard.model_validate({"story": "bridge"})
    assert area.story == schema.Story(section="bridge", by="allies")
    assert schema.MapCard.model_validate({"areas": {"a": None}}).areas["a"].capacity == 9
    border = schema.BorderCard.model_validate(["a", "b", "single", "height"])
    assert border.height
    assert mistakes(schema.BorderCard, ["a", "b", "single", "tall"])


def test_defaults_of_a_hero_are_those_of_q3():
    sheet = schema.HeroSheet()
    assert (sheet.move.free, sheet.move.paid, sheet.move.cost) == (2, 3, 1)
    assert (sheet.recover.stamina, sheet.recover.damage) == (3, 2)
    assert (sheet.blue, sheet.red, sheet.taunt) == (8, None, 1)


def test_objectives_and_events_say_what_they_need():
    assert mistakes(schema.Goal, {"kind": "hold"}) == ["file: objective hold needs number"]
    event = {"when": "defeat", "number": 1, "effects": [{"fail": True}]}
    assert mistakes(schema.EventCard, event) == ["file: an event when: defeat needs type"]


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ({"trigger": "sight", "repeats": True}, "a section on sight is read once"),
        ({"trigger": "entry", "maneuver": True}, "a section on entry costs no maneuver"),
        ({"failed": [{"harm": 1}]}, "failed without a check never happens"),
    ],
)
def test_a_story_section_has_only_the_keys_its_trigger_allows(section, text):
    found = mistakes(schema.Section, {"text": "-", "area": "A", **section})
    assert any(text in mistake for mistake in found)
