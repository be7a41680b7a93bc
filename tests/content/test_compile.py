"""The builder: rows of a CONTENT record, and what stands where nothing was said."""

import numpy as np
import pytest

from agemonia_env.agemonia import layout, terms
from agemonia_env.agemonia.terms import AttackType, Op
from agemonia_env.content import schema
from agemonia_env.content.builder import Builder


def bits(*conditions):
    return sum(1 << condition for condition in conditions)


@pytest.fixture
def builder():
    builder = Builder()
    builder.add_map(schema.MapCard.model_validate({"areas": {"a": {}, "b": {}}}))
    return builder


def test_what_is_absent_is_minus_one(builder):
    record = builder.finish()[0]
    assert (record["start"] == -1).all()
    assert (record["sheet"]["token"] == -1).all()
    assert (record["type"]["strike"] == -1).all()
    assert (record["type"]["leave"] == -1).all()
    for field in ("value", "range", "area"):
        assert (record["strike"][field] == -1).all()
    assert (record["attack"]["range_min"] == -1).all()
    assert (record["passive"]["riposte_range"] == -1).all()
    assert (record["line"] == -1).all()
    assert (record["setup_type"] == -1).all()
    assert record["objective_subject"] == -1


def test_empty_injury_and_trap_decks_get_a_card_without_effect(builder):
    record = builder.finish()[0]
    assert (record["n_injuries"], record["n_traps"]) == (1, 1)
    assert not record["injury"][0]["dice"].any()
    assert record["trap"][0]["damage"] == 0


def test_a_hero_of_a_case_has_the_printed_tokens_and_plain_weapons(builder):
    slot = builder.add_ally("hero", schema.HeroSheet(blue=7), start=1)
    record = builder.finish()[0]
    sheet = record["sheet"][slot]
    assert (sheet["kind"], sheet["blue"], sheet["red"]) == (terms.Kind.HERO, 7, 4)
    assert builder.names().tokens == (("Focus", "Extra Maneuver"),)
    focus = record["token"][sheet["token"][layout.FOCUS]]
    extra = record["token"][sheet["token"][layout.EXTRA_MANEUVER]]
    assert (focus["colour"], extra["colour"]) == (terms.Colour.GREEN, terms.Colour.RED)
    assert list(sheet["armed"]) == [1, 1, 1]
    assert list(sheet["weapon_min"]) == [-1, 1, 0]
    assert list(sheet["weapon_max"]) == [-1, 3, 3]
    assert record["start"][slot] == 1


def test_a_companion(builder):
    slot = builder.add_ally("brun", schema.CompanionSheet(health=4, colour="blue", move=3))
    sheet = builder.finish()[0]["sheet"][slot]
    assert (sheet["kind"], sheet["health"]) == (terms.Kind.COMPANION, 4)
    assert (sheet["move_free"], sheet["recover_damage"]) == (3, 2)
    assert sheet["colour"] == terms.Colour.BLUE
    assert sheet["n_tokens"] == 0
    assert builder.record["n_heroes"] == 0


def test_weapons_of_a_pack(builder):
    weapons = [
        schema.Weapon(name="bow", type="ranged", bonus=1, range=[2, 4]),
        schema.Weapon(name="hook", type="melee"),
    ]
    slot = builder.add_ally("hero", schema.HeroSheet(weapons=weapons))
    sheet = builder.record["sheet"][slot]
    assert list(sheet["armed"]) == [1, 1, 0]
    assert (sheet["weapon_min"][AttackType.RANGED], sheet["weapon_max"][1]) == (2, 4)
    assert (sheet["weapon_min"][AttackType.MELEE], sheet["weapon_bonus"][1]) == (-1, 1)
    with pytest.raises(ValueError, match="two active melee weapons"):
        builder.add_ally("other", schema.HeroSheet(weapons=[weapons[1], weapons[1]]))


def test_every_effect_of_an_action_is_a_row(builder):
    slot = builder.add_ally("hero", schema.HeroSheet())
    card = schema.ActionCard.model_validate(
        {
            "name": "all",
            "colour": "blue",
            "cost": 2,
            "gem": 1,
            "special": "last",
            "effects": [
                {"attack": {"type": ["melee", "ranged"], "condition": ["held", "slowed"]}},
                {"heal": {"amount": 2, "range": 1}},
                {"restore": {"amount": 3}},
                {"mixed": {"amount": 4, "range": 2}},
                {"roll_heal": {"amount": 3, "range": 3}},
                {"roll_restore": {"amount": 2}},
                {"gain": {"condition": "blessed", "range": 1}},
                {"afflict": {"condition": "stunned", "range": 2}},
                {"move": 2},
                {"evade": 1},
                {"lock": {"need": 2, "riposte": {"amount": 1, "type": "melee"}}},
                {"discard_one": {"range": 1}},
                {"gem": 1},
            ],
        }
    )
    assert builder.add_action(slot, card) == 2
    token = builder.record["token"][builder.record["sheet"][slot]["token"][2]]
    assert (token["cost"], token["gem"], token["special"]) == (2, 1, terms.Special.LAST)
    rows = builder.record["effect"][token["first"] : token["first"] + token["n"]]
    assert [tuple(int(x) for x in row)[:4] for row in rows] == [
        (Op.ATTACK, 0, 0, 0),
        (Op.HEAL, 2, 1, -1),
        (Op.RESTORE, 3, 0, -1),
        (Op.MIXED, 4, 2, -1),
        (Op.ROLL_HEAL, 3, 3, -1),
        (Op.ROLL_RESTORE, 2, 0, -1),
        (Op.GAIN, 0, 1, terms.Condition.BLESSED),
        (Op.AFFLICT, 0, 2, terms.Condition.STUNNED),
        (Op.MOVE, 2, 0, -1),
        (Op.EVADE, 1, 0, -1),
        (Op.LOCK, 0, 0, 0),
        (Op.DISCARD_ONE, 1, 1, -1),
        (Op.GEM, 1, 0, -1),
    ]
    attack = builder.record["attack"][0]
    assert attack["types"] == 0b011
    assert attack["conditions"] == bits(terms.Condition.HELD, terms.Condition.SLOWED)
    passive = builder.record["passive"][0]
    assert (passive["need"], passive["riposte"], passive["riposte_range"]) == (2, 1, -1)
    assert passive["riposte_type"] == AttackType.MELEE
    assert builder.names().passives == ("all",)


def test_an_area_attack_with_a_range_has_a_centre_to_choose(builder):
    area = {"type": "magic", "shape": "area", "radius": 1}
    for extra, centre in (({}, 0), ({"range": [0, 2]}, 1)):
        row = builder.add_attack(schema.Attack.model_validate(area | extra))
        assert builder.record["attack"][row]["has_centre"] == centre


def test_an_enemy_card(builder):
    card = schema.EnemyCard.model_validate(
        {
            "colour": "blue",
            "health": {"base": 5, "per_hero": 3},
            "shield": 1,
            "provoke": 2,
            "provoke_range": 1,
            "provoke_loss": True,
            "size": "large",
            "tags": ["Elite"],
            "actions": {
                "staring": {
                    "move": 1,
                    "attack": {"type": "magic", "range": 2, "condition": "held"},
                },
                "open": {
                    "attack": {
                        "value": 4,
                        "area": 1,
                        "or_else": {"ability": "will", "number": 5, "condition": "held"},
                    },
                    "horns": {"value": 1, "condition": ["bleeding", "slowed"], "self": 2},
                },
            },
            "snake": {
                "attack": {"value": 2},
                "fly": True,
                "heal": "full",
                "spawn": {"type": "cub"},
            },
            "defeat": {"leave": "crystal"},
        }
    )
    kind = builder.add_enemy_type("mother", card)
    builder.add_enemy_type("cub", schema.EnemyCard())
    record = builder.finish()[0]
    row = record["type"][kind]
    assert (row["size"], row["elite"], row["provoke_loss"], row["leave"]) == (2, 1, 1, 0)
    staring, opened, closed = (record["strike"][k] for k in row["strike"])
    assert (staring["value"], staring["range"], staring["area"]) == (-1, 2, -1)
    assert (opened["area"], opened["or_else"], opened["or_else_number"]) == (1, 1, 5)
    assert (closed["value"], list(row["move"])) == (3, [1, 0, 2])
    first, n = row["horns_first"][terms.Eye.OPEN], row["horns_n"][terms.Eye.OPEN]
    horns = [tuple(int(x) for x in record["effect"][k])[:4] for k in range(first, first + n)]
    assert horns == [
        (Op.ADD_VALUE, 1, 0, -1),
        (Op.ENEMY_SELF, 2, 0, -1),
        (Op.ADD_CONDITION, 1, 0, terms.Condition.BLEEDING),
        (Op.ADD_CONDITION, 1, 0, terms.Condition.SLOWED),
    ]
    first, n = row["snake_first"], row["snake_n"]
    snake = [tuple(int(x) for x in record["effect"][k])[:4] for k in range(first, first + n)]
    assert [op for op, *_ in snake] == [Op.STRIKE, Op.FLY, Op.ENEMY_HEAL, Op.SPAWN]
    assert snake[2][1] == -1
    assert snake[3][3] == builder.type_index("cub")
    assert builder.names().items == ("crystal",)


def test_a_type_that_is_only_named_is_refused(builder):
    card = schema.EnemyCard.model_validate({"snake": {"spawn": {"type": "cub"}}})
    builder.add_enemy_type("mother", card)
    with pytest.raises(ValueError, match="no Enemy card for cub"):
        builder.finish()


def test_limits_of_the_layout_are_named(builder):
    for i in range(layout.N_TYPES):
        builder.add_enemy_type(f"t{i}", schema.EnemyCard(actions=schema.EnemyActions()))
    with pytest.raises(ValueError, match="at most 8 Enemy types"):
        builder.type_index("t8")
    for i in range(4):
        builder.add_ally(f"h{i}", schema.HeroSheet())
    with pytest.raises(ValueError, match="at most 4 Heroes"):
        builder.add_ally("h4", schema.HeroSheet())
    for value in range(layout.N_FATE):
        builder.add_fate(value)
    with pytest.raises(ValueError, match=f"at most {layout.N_FATE}"):
        builder.add_fate(0)


def test_rulings_reach_the_record():
    rulings = schema.Rulings(disarm=7, fall_ability="might", action_die=[0, 1, 2, "X", "S", 1])
    record = Builder(rulings).record
    assert record["disarm_number"] == 7
    assert record["fall_ability"] == terms.Ability.MIGHT
    assert list(record["action_die"]) == [0, 1, 2, layout.FACE_EXTRA, layout.FACE_SYMBOL, 1]
    plain = Builder().record
    assert list(plain["reaction_die"]) == [0, 0, 1, 1, 2, layout.FACE_SYMBOL]
    assert (plain["climb_number"], plain["rope_number"], plain["fall_value"]) == (4, 5, 4)


def test_ropes_are_bits_both_ways():
    builder = Builder()
    areas = {"a": {}, "b": {"level": 1}, "c": {}}
    card = {"areas": areas, "borders": [["a", "b", "double"]], "ropes": [["b", "a"]]}
    builder.add_map(schema.MapCard.model_validate(card))
    assert list(builder.record["rope"][:3]) == [0b010, 0b001, 0]


def test_stories_of_a_map():
    builder = Builder()
    areas = {"a": {"story": "gate"}, "b": {"story": {"section": "gate", "by": "any"}}, "c": {}}
    builder.add_map(schema.MapCard.model_validate({"areas": areas}))
    assert list(builder.record["story"][:3]) == [0, 0, -1]
    assert list(builder.record["story_by_any"][:3]) == [0, 1, 0]
    assert builder.names().story("gate") == 0


def test_the_same_cards_give_the_same_bytes():
    first, second = (Builder().finish() for _ in range(2))
    assert np.array_equal(first.view(np.uint8), second.view(np.uint8))
