"""R4, R17, R20 - Heroes at their level, with class, skills, items and carried-over state."""

import pytest

from agemonia_env.rulesets.agemonia import content
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.content.party import Member, in_use
from agemonia_env.rulesets.agemonia.core import terms


def bits(*numbers):
    return sum(1 << number for number in numbers)


@pytest.fixture
def board(build):
    """A function: the sheet of one Hero of the small pack, and the compiled scenario."""
    folder = build()

    def compiled(level=None, **keys):
        made = content.compile_scenario(folder, "yard", [{"hero": "anna"} | keys], level=level)
        return made.content[0]["sheet"][0], made

    return compiled


@pytest.mark.parametrize(
    ("level", "blue", "red", "slots", "open_slots", "own", "gems"),
    [
        (1, 8, 3, 3, 0, 3, 0),
        (2, 9, 4, 4, 0, 5, 0),
        (3, 10, 4, 4, 1, 7, 0),
        (4, 11, 5, 5, 1, 9, 1),
        (5, 12, 5, 5, 2, 11, 1),
    ],
)
def test_r4_5_and_r20_1_to_r20_4_growth(board, level, blue, red, slots, open_slots, own, gems):
    sheet, made = board(level=level)
    assert (sheet["blue"], sheet["red"], sheet["inspiration"]) == (blue, red, gems)
    assert (sheet["slots"], sheet["open_slots"]) == (slots, open_slots)
    names = made.names.tokens[0]
    ordinary = [name for name in names[2:] if "skill" not in name]
    assert len(ordinary) == own
    if level > 1:
        assert ordinary[3:5] == ["Common 2", "Guard 2"]
        assert made.names.texts["class/Anna"] == "Guard. A Guard."
    else:
        assert "class/Anna" not in made.names.texts


def test_r13_5_red_side_by_number_or_by_half(files, build):
    for red, sides in ((None, (4, 6)), (3, (3, 5)), ([1, 1, 1, 1, 2], (1, 2))):
        files["heroes/anna.yaml"]["red"] = red
        folder = build()
        for level, side in zip((1, 5), sides, strict=True):
            made = content.compile_scenario(folder, "yard", ["anna"], level=level)
            assert made.content[0]["sheet"][0]["red"] == side, red


def test_r4_3_slots_are_full_at_level_1_and_to_be_filled_later(board):
    sheet, _ = board(level=1)
    assert sheet["slot"] == 0b11111
    sheet, made = board(level=3)
    names = made.names.tokens[0]
    maneuver = names.index("Guard skill 2")
    assert sheet["slot"] == bits(0, 1, maneuver)
    token = made.content[0]["token"][sheet["token"][maneuver]]
    assert (token["maneuver"], token["once"]) == (1, 1)


def test_a_hero_can_be_without_an_action(board):
    own = board()[1].names.tokens[0][2:]
    sheet, made = board(without=[own[1]])
    assert made.names.tokens[0][2:] == (own[0], own[2])
    assert (sheet["slots"], sheet["slot"]) == (2, 0b1111)
    sheet, made = board(level=3, without=["Common 2"])
    assert "Common 2" not in made.names.tokens[0]
    assert sheet["slots"] == 4  # there are others to fill them


def test_r20_3_class_and_skills_are_chosen(board):
    skills = ["Mage skill 3", "Mage skill 5"]
    sheet, made = board(level=3, **{"class": "Mage", "skills": skills})
    assert "Mage 2" in made.names.tokens[0]
    assert not any("Guard" in name for name in made.names.tokens[0])
    assert (sheet["rerolls"], sheet["ignore_aim"]) == (2, bits(terms.AttackType.RANGED))
    assert (sheet["two_weapons"], sheet["tactics"], sheet["disarm"]) == (1, 1, 1)
    assert (sheet["carry"], sheet["recover_stamina"], sheet["recover_damage"]) == (7, 4, 2)
    assert sheet["skills"] == -1
    assert made.names.texts["skill/Anna/Mage skill 3"] == "-"
    first, made = board(level=5)
    passive = made.content[0]["passive"][first["skills"]]
    assert passive["reactive"].tolist() == [3, 0, 0]
    assert (passive["need"], passive["fly"], passive["move"]) == (0, 1, 1)


def test_a_heros_own_level_overrides_that_of_the_party(build):
    party = [{"hero": "anna", "level": 5}, "bert"]
    sheets = content.compile_scenario(build(), "yard", party, level=2).content[0]["sheet"]
    assert sheets["blue"][:2].tolist() == [12, 9]
    assert content.compile_scenario(build(), "keep", 2).content[0]["sheet"]["blue"][0] == 10


def test_r4_6_items_are_taken_along_and_put_to_use(board):
    sheet, made = board()
    names = [made.names.items[i] for i in sheet["item"] if i >= 0]
    assert names == ["Sword", "Mail", "Plank", "Bag"]
    assert sheet["active"] == bits(0, 1, 3)
    assert made.names.texts["item/Sword"] == "-"
    sheet, made = board(items=["coin", "coin"])
    assert sheet["item"][:3].tolist() == [made.names.item("Coin")] * 2 + [-1]
    assert sheet["active"] == 0


def test_r17_1_r17_4_what_is_in_use_at_set_up(build):
    items = load_pack(build()).items
    for keys, hands, active in (
        (["sword", "sword", "sword"], 2, bits(0, 1)),
        (["sword", "spear", "sword"], 2, bits(0, 2)),
        (["sword", "spear", "sword"], 4, bits(0, 1, 2)),
        (["spear", "sword"], 2, bits(0)),
        (["plank", "mail", "mail", "hood", "bag", "owl"], 2, bits(1, 3, 4, 5)),
    ):
        assert in_use([items[key] for key in keys], hands) == active, keys
    assert in_use([], 2) == 0


def test_r17_1_the_four_armed_hero(build):
    sheets = content.compile_scenario(build(), "yard", 2).content[0]["sheet"]
    assert sheets["hands"][:2].tolist() == [2, 4]


def test_r4_7_what_is_brought_along(board):
    sheet, _ = board(
        wounds=3,
        spent=2,
        injuries=["Cracked Rib"],
        conditions=["blessed", "cursed"],
        inspiration=2,
        achievement=7,
    )
    assert (sheet["wounds"], sheet["spent"], sheet["injury"]) == (3, 2, 0b10)
    assert sheet["conditions"] == bits(terms.Condition.BLESSED, terms.Condition.CURSED)
    assert (sheet["inspiration"], sheet["achievement"]) == (2, 7)
    assert board(level=5, inspiration=0)[0]["inspiration"] == 0


@pytest.mark.parametrize(
    ("keys", "mistake"),
    [
        ({"achievement": 16}, r"heroes\[0\].achievement: must be less than or equal to 15"),
        ({"levle": 2}, r"heroes\[0\].levle: unknown key; did you mean 'level'"),
        ({"class": "Guard"}, r"heroes\[0\].class: a Hero of level 1 has none"),
        ({"level": 2, "class": "Cook"}, r"heroes\[0\].class: unknown class 'Cook'; allowed: Guard"),
        ({"without": ["Hit", "Leap", "Call"]}, "at least one action must be left"),
        ({"without": ["Juggling"]}, r"heroes\[0\].without: unknown action 'Juggling'; allowed: "),
        ({"skills": ["Guard skill 1"]}, r"heroes\[0\].skills: unknown skill .*; allowed: none"),
        (
            {"level": 3, "skills": ["Guard skill 1"]},
            r"heroes\[0\].skills: 1 of them; at level 3 a Hero has 2 different ones",
        ),
        ({"items": ["axe"]}, r"heroes\[0\].items: unknown item 'axe'; allowed: sword"),
        ({"items": ["coin"] * 13}, r"heroes\[0\].items: 13 of them; at most 12"),
        (
            {"items": ["spear", "spear", "mail", "mail"]},
            r"heroes\[0\].items: those not in use weigh 6; at most 5 \(R17.3\)",
        ),
        ({"wounds": 6, "spent": 3}, r"heroes\[0\].spent: 3; allowed: 0 to 2"),
        ({"injuries": ["Toe"]}, r"heroes\[0\].injuries: unknown card 'Toe'; allowed: Torn Hand"),
        ({"injuries": ["Torn Hand"] * 2}, "each card at most once"),
        ({"conditions": ["held", "held"]}, r"heroes\[0\].conditions: .*at most 2 different"),
        ({"inspiration": 6}, r"heroes\[0\].inspiration: must be less than or equal to 5"),
    ],
)
def test_invalid_heroes_are_refused(board, keys, mistake):
    with pytest.raises(ValueError, match=mistake):
        board(**keys)


def test_r17_3_a_backpack_in_use_carries_more(board):
    sheet, _ = board(items=["spear", "spear", "mail", "mail", "bag"])
    assert sheet["active"] == bits(0, 2, 4)


def test_r1_1_a_party_is_one_to_four_different_heroes(build):
    folder = build()
    for party, mistake in (
        ([], "1 to 4 different names"),
        (["anna", {"hero": "anna", "level": 2}], "1 to 4 different names"),
        (["carl"], "unknown Hero 'carl'; allowed: anna, bert"),
        ([{"hero": "anna", "level": 6}], r"heroes\[0\].level: must be less than or equal to 5"),
        (3, "heroes: 3 of them; allowed: 1 to 2"),
    ):
        with pytest.raises(ValueError, match=mistake):
            content.compile_scenario(folder, "yard", party)


def test_r13_15_wounded_and_exhausted_are_not_brought_along_but_injuries_are():
    fields = Member.model_fields
    assert "injuries" in fields
    assert not {"wounded", "exhausted"} & set(fields)
