"""The builder: rows of a CONTENT record, and its defaults."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.builder import Builder, merged
from agemonia_env.rulesets.agemonia.core import layout, terms
from agemonia_env.rulesets.agemonia.core.terms import AttackType, Op
from tests.observed import field_of


def bits(*conditions):
    return sum(1 << condition for condition in conditions)


@pytest.fixture
def builder():
    builder = Builder()
    builder.add_map(schema.MapCard.model_validate({"areas": {"a": {}, "b": {}}}))
    return builder


def test_absent_indices_are_minus_one(builder):
    paths = "start setup_type objective_subject token_colour token_range item_at "
    paths += "sheet.token sheet.skills sheet.item type.strike type.leave attack.range_min "
    paths += "strike.value strike.range strike.area passive.riposte_range "
    paths += "item.weapon item.range_min item.passive item.pet"
    record = builder.finish()
    assert all((field_of(record, path) == -1).all() for path in paths.split())


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
    assert (sheet["hands"], sheet["carry"], sheet["skills"]) == (2, 5, -1)


def test_actions_added_one_by_one_lie_in_slots(builder):
    slot = builder.add_ally("hero", schema.HeroSheet())
    for name, more in (("a", {}), ("b", {"maneuver": True, "once": True}), ("c", {})):
        builder.add_action(slot, schema.ActionCard(name=name, **more))
    builder.add_action(slot, schema.ActionCard(name="d"), slotted=False)
    sheet = builder.record["sheet"][slot]
    assert (sheet["slot"], sheet["slots"]) == (0b011111, 2)
    tokens = builder.record["token"][sheet["token"][2:6]]
    assert tokens["maneuver"].tolist() == tokens["once"].tolist() == [0, 1, 0, 0]


def test_a_companion(builder):
    card = {"health": 4, "colour": "blue", "move": 3, "h_worth": {"will": 1}, "reroll_h": "might"}
    card |= {"never_hindered": True, "undying": True, "fury": 2, "h_riposte": 1}
    slot = builder.add_ally("brun", schema.CompanionSheet.model_validate(card), key="brun")
    assert builder.ally_slot("brun") == slot
    with pytest.raises(ValueError, match="no Non-Hero Ally 'bran'; there are: brun"):
        builder.ally_slot("bran")
    sheet = builder.finish()[0]["sheet"][slot]
    assert (sheet["h_worth"].tolist(), sheet["reroll_h"]) == ([0, 0, 1], 1 << 0)
    assert sheet[["never_hindered", "undying", "fury", "h_riposte"]].tolist() == (1, 1, 2, 1)
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
    builder.add_ally("golem", schema.CompanionSheet(), key="golem")
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
                {"inspire": 2},
                {"maneuver": 1},
                {"jump": {"range": 2}},
                {"teleport": {"range": 3}},
                {"push": {"amount": 2}},
                {"pull": {"amount": 1, "range": 2}},
                {"drain": {"amount": 3}},
                {"damage": {"amount": 1, "range": 1}},
                {"defeat": {"range": 1}},
                {"delay": {"range": 3}},
                {"summon": {"figure": "sprout", "range": 1}},
                {"command": {"figure": "owl", "move": 3}},
                {"summon_ally": {"ally": "golem", "range": 1}},
                {"portal": {"range": 1}},
                {"portal": {"range": 2, "reach": 4}},
                {"unwound": {}},
                {"revive": {"range": 1}},
                {"discard_all": {"range": 2}},
                {"set_trap": {"range": 1}},
                {"attack_dice": {"type": "ranged", "amount": 2}},
                {"ability": {"ability": "will", "amount": 1}},
                {"ability": {"ability": "all", "amount": 1}},
                {"ability": {"ability": "any", "amount": 2}},
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
        (Op.INSPIRE, 2, 0, -1),
        (Op.MANEUVER, 1, 0, -1),
        (Op.JUMP, 1, 2, -1),
        (Op.TELEPORT, 1, 3, -1),
        (Op.PUSH, 2, 1, -1),
        (Op.PULL, 1, 2, -1),
        (Op.DRAIN, 3, 0, -1),
        (Op.DAMAGE, 1, 1, -1),
        (Op.DEFEAT, 1, 1, -1),
        (Op.DELAY, 1, 3, -1),
        (Op.SUMMON, 1, 1, 0),
        (Op.COMMAND, 3, 0, 1),
        (Op.SUMMON_ALLY, 1, 1, 1),
        (Op.PORTAL, 1, 1, -1),
        (Op.PORTAL, 1, 2, 4),
        (Op.UNWOUND, 1, 0, -1),
        (Op.REVIVE, 1, 1, -1),
        (Op.DISCARD_ALL, 1, 2, -1),
        (Op.SET_TRAP, 1, 1, -1),
        (Op.ATTACK_DICE, 2, 0, AttackType.RANGED),
        (Op.ABILITY, 1, 0, terms.Ability.WILL),
        (Op.ABILITY, 1, 0, -1),
        (Op.ABILITY, 2, 0, 3),
    ]
    covered = {effect for row in card.effects for effect in row.model_fields_set}
    assert covered == set(schema.Effect.model_fields)
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
                    "horns": {
                        "value": 1,
                        "condition": ["bleeding", "slowed"],
                        "self": 2,
                        "teleport": 3,
                        "snake": True,
                    },
                },
            },
            "snake": {
                "attack": {"value": 2},
                "fly": True,
                "heal": "full",
                "spawn": {"type": "cub"},
            },
            "defeat": {
                "leave": "crystal",
                "burst": {"damage": 2, "range": 1, "condition": "slowed"},
                "spawn": {"type": "cub", "amount": 2},
                "set_trap": {"range": 0},
            },
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
        (Op.ENEMY_TELEPORT, 1, 3, -1),
        (Op.ADD_VALUE, 1, 0, -1),
        (Op.ENEMY_SELF, 2, 0, -1),
        (Op.SNAKE, 1, 0, -1),
        (Op.ADD_CONDITION, 1, 0, terms.Condition.BLEEDING),
        (Op.ADD_CONDITION, 1, 0, terms.Condition.SLOWED),
    ]
    first, n = row["snake_first"], row["snake_n"]
    snake = [tuple(int(x) for x in record["effect"][k])[:4] for k in range(first, first + n)]
    assert [op for op, *_ in snake] == [Op.STRIKE, Op.FLY, Op.ENEMY_HEAL, Op.SPAWN]
    assert snake[2][1] == -1
    assert snake[3][3] == builder.type_index("cub")
    assert builder.names().items == ("crystal",)
    first, n = row["defeat_first"], row["defeat_n"]
    box = [tuple(int(x) for x in record["effect"][k])[:4] for k in range(first, first + n)]
    assert box == [
        (Op.BURST, 2, 1, terms.Condition.SLOWED),
        (Op.SPAWN, 2, 0, builder.type_index("cub")),
        (Op.SET_TRAP, 1, 0, -1),
    ]


def test_a_type_that_is_only_named_is_refused(builder):
    card = schema.EnemyCard.model_validate({"snake": {"spawn": {"type": "cub"}}})
    builder.add_enemy_type("mother", card)
    builder.figure_index("owl")
    with pytest.raises(ValueError, match="no card for cub, owl"):
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
    for i in range(layout.N_FIGURES):
        builder.figure_index(f"f{i}")
    with pytest.raises(ValueError, match="at most 6 tokens and pets; f6"):
        builder.figure_index("f6")
    for i in range(layout.N_ITEM_KINDS):
        builder.add_item(f"i{i}")
    with pytest.raises(ValueError, match="at most 40 different items; i40"):
        builder.add_item("i40")
    for i in range(layout.N_STORIES):
        builder.add_story(f"s{i}")
    with pytest.raises(ValueError, match="at most 12 story sections; s12"):
        builder.add_story("s12")


def test_a_plain_token_weighs_nothing(builder):
    item = builder.record["item"][builder.add_item("crystal")]
    assert item["weapon"] == item["passive"] == item["pet"] == -1
    others = [name for name in item.dtype.names if not (item[name] == -1).all()]
    assert not any(item[name].any() for name in others)


def test_r20_3_skills_work_as_one_passive_and_on_the_sheet(builder):
    slot = builder.add_ally("hero", schema.HeroSheet())
    skills = [
        {"passive": {"evade": 1}, "carry": 2, "recover": {"stamina": 1}},
        {"rerolls": 1, "ignore_aim": ["melee", "magic"], "disarm": True},
        {"rerolls": 2, "ignore_aim": "melee", "two_weapons": True, "tactics": True},
        {"maneuver": [{"move": 1}], "once": True, "recover": {"damage": 2}},
    ]
    named = [{"name": f"s{i}", "text": "-"} | skill for i, skill in enumerate(skills)]
    builder.add_skills(slot, [schema.Skill.model_validate(skill) for skill in named])
    sheet = builder.record["sheet"][slot]
    assert (sheet["rerolls"], sheet["carry"]) == (3, 7)
    assert (sheet["recover_stamina"], sheet["recover_damage"]) == (4, 4)
    assert sheet["ignore_aim"] == bits(AttackType.MELEE, AttackType.MAGIC)
    assert [sheet[flag] for flag in ("two_weapons", "tactics", "disarm")] == [1, 1, 1]
    assert builder.names().tokens[slot][2:] == ("s3",)
    token = builder.record["token"][sheet["token"][2]]
    assert (token["maneuver"], token["once"], sheet["slots"]) == (1, 1, 0)
    assert int(sheet["slot"]) >> 2 & 1
    passive = builder.record["passive"][sheet["skills"]]
    assert (passive["need"], passive["evade"]) == (0, 1)
    assert builder.names().passives[sheet["skills"]] == "Skills"


def test_merged_passives_add_up_but_an_h_face_serves_once():
    cards = [
        {"reactive": {"might": 1}, "h_worth": {"will": 1}, "fly": True, "reroll_h": "might"},
        {"reactive": {"might": 2, "will": 1}, "h_worth": {"will": 1, "might": 1}, "evade": 1},
        {"dice": {"magic": 1}, "move": 1, "riposte": {"amount": 2, "range": 1}, "evade": 1},
    ]
    one = merged([schema.Passive.model_validate(card) for card in cards])
    assert one.need == 0
    assert one.reactive == schema.Levels(might=3, will=1)
    assert one.h_worth == schema.Levels(might=1, will=1)
    assert (one.evade, one.move, one.dice.magic) == (2, 1, 1)
    assert (one.fly, one.mirror, one.reroll_h) == (True, False, ["might"])
    assert one.riposte == schema.Riposte(amount=2, range=1)


def test_rulings_reach_the_record():
    rulings = schema.Rulings(disarm=7, fall_ability="might", action_die=[0, 1, 2, "X", "S", 1])
    record = Builder(rulings).record
    assert record["disarm_number"] == 7
    assert record["fall_ability"] == terms.Ability.MIGHT
    assert list(record["action_die"]) == [0, 1, 2, layout.FACE_EXTRA, layout.FACE_SYMBOL, 1]
    plain = Builder().record
    assert list(plain["reaction_die"]) == [0, 0, 1, 1, 2, layout.FACE_SYMBOL]
    assert (plain["climb_number"], plain["rope_number"], plain["fall_value"]) == (4, 5, 4)


def test_a_die_of_extra_dice_alone_is_refused():
    with pytest.raises(ValueError, match="every face is X, so a roll would never end"):
        schema.Rulings(action_die=["X"] * 6)


def test_ropes_are_bits_both_ways():
    builder = Builder()
    areas = {"a": {}, "b": {"level": 1}, "c": {}}
    card = {"areas": areas, "borders": [["a", "b", "double"]], "ropes": [["b", "a"]]}
    builder.add_map(schema.MapCard.model_validate(card))
    assert list(builder.record["rope"][:3]) == [0b010, 0b001, 0]


def test_teleport_tokens_and_items_of_a_map():
    areas = {
        "a": {"teleport": {"range": 2}, "items": ["rope", "rope", "axe"]},
        "b": {"teleport": {"colour": "purple", "active": False}},
        "c": {"teleport": {"colour": "grey"}},
    }
    builder = Builder()
    builder.add_map(schema.MapCard.model_validate({"areas": areas}))
    record = builder.record
    assert record["token_colour"][:4].tolist() == [0, 1, 2, -1]
    assert record["token_active"][:3].tolist() == [1, 0, 1]
    assert record["token_range"][:3].tolist() == [2, -1, -1]
    assert record["item_at"][0, :4].tolist() == [0, 0, 1, -1]
    assert builder.names().portals == ("blue", "purple", "grey")
    assert builder.names().items == ("rope", "axe")
    crowd = {"a": {"items": ["x"] * (layout.N_GROUND + 1)}}
    with pytest.raises(ValueError, match="a: at most 8 items in one area"):
        Builder().add_map(schema.MapCard.model_validate({"areas": crowd}))


def test_r19_11_story_sections():
    builder = Builder()
    builder.add_map(schema.MapCard.model_validate({"areas": {"a": {"story": "old"}, "b": {}}}))
    card = {"text": "-", "area": "b", "check": {"ability": ["might", "will"], "number": 4}}
    rows = [(Op.ADVANCE, 2, 0, -1, -1), (Op.CURE, 1, 0, -1, -1)]
    section = schema.Section.model_validate(card)
    entry = builder.add_section("door", section, 1, rows, [(Op.TRAP, 1, 0, -1, 1)])
    card |= {"trigger": "choice", "range": 2, "maneuver": True, "repeats": True}
    choice = builder.add_section("lever", schema.Section.model_validate(card), 1, [], [])
    record = builder.record
    assert (record["n_stories"], builder.names().stories) == (3, ("old", "door", "lever"))
    assert record["story"][:2].tolist() == [0, entry]
    on_entry, door, lever = record["section"][:3]
    assert (on_entry["n"], on_entry["repeats"], on_entry["area"]) == (0, 1, -1)
    assert (door["area"], door["trigger"], door["range"]) == (1, terms.Trigger.ENTRY, -1)
    assert (door["number"], door["abilities"], door["repeats"]) == (4, 0b101, 0)
    effects = record["effect"]
    assert effects[door["first"] : door["first"] + door["n"]]["op"].tolist() == [
        Op.ADVANCE,
        Op.CURE,
    ]
    assert (door["fail_n"], effects[door["fail_first"]]["op"]) == (1, Op.TRAP)
    assert choice == 2
    assert (lever["trigger"], lever["range"]) == (terms.Trigger.CHOICE, 2)
    assert (lever["maneuver"], lever["repeats"], lever["n"]) == (1, 1, 0)


def test_the_same_cards_give_the_same_bytes():
    first, second = (Builder().finish() for _ in range(2))
    assert np.array_equal(first.view(np.uint8), second.view(np.uint8))
