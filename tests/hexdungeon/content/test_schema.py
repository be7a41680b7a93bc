"""The schema of files, and its alternative spellings."""

import pytest
from pydantic import ValidationError

from agemonia_env.packs.folders import describe
from agemonia_env.rulesets.hexdungeon.content import schema
from agemonia_env.rulesets.hexdungeon.content.words import half_text, line_text
from agemonia_env.rulesets.hexdungeon.core.layout import MAX_LINE_EFFECTS


def refused(model, value):
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return describe(model, caught.value)


def test_a_half_is_a_list_of_lines_with_loss_and_experience_among_them():
    half = schema.Half.model_validate([{"attack": 3}, "loss", {"move": 2}, {"xp": 2}])
    assert [line.verb for line in half.lines] == ["attack", "move"]
    assert half.loss
    assert half.xp == 2
    assert half_text(half) == "Attack 3; Move 2; 2 xp; loss"


def test_effects_of_an_attack_are_words_or_have_an_amount():
    line = schema.HeroLine.model_validate({"attack": 2, "effects": ["poison", {"push": 1}]})
    assert [(effect.name, effect.amount) for effect in line.effects] == [("poison", 0), ("push", 1)]
    one = schema.HeroLine.model_validate({"attack": 2, "effects": "stun"})
    assert [effect.name for effect in one.effects] == ["stun"]
    (found,) = refused(schema.HeroLine, {"attack": 2, "effects": ["push"]})
    assert found == ("effects[0]: push and pull have an amount, {push: 1}; other effects have none")


@pytest.mark.parametrize(
    ("line", "served"),
    [
        ({"heal": 2}, "self"),
        ({"heal": 2, "range": 3}, "ally"),
        ({"heal": 2, "range": 3, "to": "allies"}, "allies"),
        ({"affect": "bless"}, "self"),
        ({"affect": ["curse"], "range": 1, "to": "enemies"}, "enemies"),
        ({"suffer": 1, "range": 2}, "enemies"),
        ({"push": 1}, "enemy"),
        ({"attack": 1}, None),
    ],
)
def test_targets_of_a_line(line, served):
    assert schema.HeroLine.model_validate(line).served == served


def lasting(**bonus):
    return {"persistent": bonus}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({}, "does exactly one of: move, attack, heal,"),
        ({"attack": 2, "move": 2}, "does exactly one of:"),
        ({"attack": 2, "jump": True}, "jump does not go with attack; allowed: range, targets"),
        ({"infuse": "fire", "range": 1}, "range does not go with infuse; allowed: xp"),
        ({"attack": 2, "template": "arc", "targets": 2}, "targets does not go with a template"),
        ({"attack": 2, "add_target": 1}, "add_target goes with a template"),
        ({"heal": 2, "to": "ally"}, "to: ally needs a range"),
        ({"heal": 2, "to": "self", "range": 2}, "to: self has no range"),
        ({"suffer": 2, "range": 2, "to": "ally"}, "to: ally not with suffer; allowed: enemies"),
        (lasting(), "does nothing"),
        (lasting(attack=1, spaces=2), "spaces and trigger go together"),
        (lasting(attack=1, trigger="attacks"), "spaces and trigger go together"),
        (lasting(attack=1, spaces=2, trigger="attacks", xp=[1]), "xp: 1 numbers for 2 spaces"),
        (lasting(negate=True, spaces=2, trigger="attacked"), "negate and trigger: damage go"),
        (lasting(shield=1, range=2), "range goes with retaliate"),
    ],
)
def test_lines_that_make_no_sense(line, message):
    (found,) = refused(schema.HeroLine, line)
    assert found.startswith(f"{'persistent' if 'persistent' in line else 'file'}: {message}")


@pytest.mark.parametrize(("verb", "word"), [("affect", "bless"), ("infuse", "fire")])
def test_a_line_has_room_for_so_many_words(verb, word):
    assert schema.HeroLine.model_validate({verb: [word] * MAX_LINE_EFFECTS}).verb == verb
    (found,) = refused(schema.HeroLine, {verb: [word] * (MAX_LINE_EFFECTS + 1)})
    assert found.startswith(f"{verb}: ")


def test_effects_of_characters_or_monsters_only():
    assert "shield: unknown key" in refused(schema.HeroLine, {"shield": 1})[0]
    assert "loot: unknown key" in refused(schema.MonsterLine, {"loot": 1})[0]
    assert schema.MonsterLine.model_validate({"move": -1}).verb == "move"
    assert line_text(schema.MonsterLine.model_validate({"attack": 0})) == "Attack +0"


def test_half_a_card_puts_one_thing_into_play():
    lines = [{"round": {"shield": 1}}, {"persistent": {"attack": 1}}]
    (found,) = refused(schema.Half, lines)
    assert "a half has one of round, persistent, summon at most" in found


def test_other_things_that_make_no_sense():
    own = {"origin": "self", "hexes": [[0, 0]]}
    assert refused(schema.Template, own) == ["file: hexes: [0, 0] is the own hex"]
    twice = {"origin": "free", "hexes": [[1, 0], [1, 0]]}
    assert refused(schema.Template, twice) == ["file: hexes: one is given twice"]
    assert "is a monster or a trap" in refused(schema.Symbol, {})[0]
    assert "monster and heroes go together" in refused(schema.Symbol, {"monster": "rat"})[0]
    assert "damage" in refused(schema.Trap, {"damage": "much"})[0]


def test_cards_of_a_class_have_distinct_names(files):
    poker = files["classes/poker.yaml"]
    poker["cards"][4]["name"] = "Poke 3"
    assert refused(schema.HeroClass, poker) == ["file: cards: two cards are called Poke 3"]
