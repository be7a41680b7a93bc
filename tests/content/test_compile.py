"""From a scenario of a pack to one record: the small pack, in which everything occurs."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia import content
from agemonia_env.rulesets.agemonia.core import layout, terms
from agemonia_env.rulesets.agemonia.core.terms import Op


@pytest.fixture
def keep(build):
    return content.compile_scenario(build(), "keep", 2)


def rows(record, first, n):
    """Effect rows as (op, amount, range, a, b)."""
    return [tuple(int(x) for x in record["effect"][k]) for k in range(first, first + n)]


def test_allies_stand_behind_the_heroes_and_some_of_them_wait(keep):
    record, names = keep.content[0], keep.names
    assert names.allies == ("Anna", "Bert", "Guide", "Stray", "Golem")
    assert (record["n_heroes"], record["n_allies"]) == (2, 5)
    sheets = record["sheet"][:5]
    kinds = [terms.Kind.HERO] * 2 + [terms.Kind.COMPANION] * 3
    assert sheets["kind"].tolist() == kinds
    assert sheets["waiting"].tolist() == [0, 0, 0, 1, 1]
    assert record["start"][:5].tolist() == [0, 0, 1, -1, -1]
    assert (sheets["size"][4], sheets["never_hindered"][4]) == (2, 1)
    assert names.tokens[4] == ("Slam", "Stomp")
    assert sheets["slot"][4] == 0b11
    assert names.texts["action/Golem/Slam"] == "-"
    assert names.texts["ally/Golem"] == "Of clay."
    stomp = record["token"][sheets["token"][4][1]]
    assert stomp["maneuver"]


def test_r18_6_effects_name_the_slot_of_the_ally_that_they_summon(keep):
    record, names = keep.content[0], keep.names
    drum = record["item"][names.item("Drum")]
    assert rows(record, drum["first"], drum["n"]) == [(Op.SUMMON_ALLY, 1, 0, 4, -1)]
    call = record["token"][record["sheet"]["token"][0][names.tokens[0].index("Call")]]
    row = rows(record, call["first"], call["n"])
    assert row == [(Op.SUMMON, 1, 1, names.figures.index("Sprout"), -1)]


def test_r18_6_a_party_summons_one_ally_at_most(files, build):
    files["heroes/anna.yaml"]["actions"][0]["effects"] = [{"summon_ally": {"ally": "guide"}}]
    folder = build()
    with pytest.raises(ValueError, match="summons one Ally at most, not guide and golem"):
        content.compile_scenario(folder, "yard", 2)
    names = content.compile_scenario(folder, "yard", ["anna"]).names
    assert names.allies == ("Anna", "Guide")
    # where the scenario has that Ally anyway, effects name the same slot
    names = content.compile_scenario(folder, "keep", ["anna"]).names
    assert names.allies == ("Anna", "Guide", "Stray")


def test_summary_bits_match_the_cards(keep):
    record, n = keep.content[0], int(keep.content[0]["n_items"])
    item, section = record["item"][:n], record["section"][: record["n_stories"]]
    said = {
        terms.Trait.ITEM: np.ones(n, np.bool_),
        terms.Trait.OWN: item["own"] != 0,
        terms.Trait.WORN: item["wear"] != terms.Wear.NONE,
        terms.Trait.USED: item["n"] > 0,
        terms.Trait.RARE: (item["rope"] != 0) | (item["pet"] >= 0) | (item["special"] != 0),
    }
    assert record["traits"][0] == 0
    for trait in terms.Trait:
        bits = record["traits"][1 : n + 1] >> trait * layout.N_CARRIED & 1
        assert bits.any()
        assert bits.tolist() == said[trait].tolist(), trait.name
    by_choice = np.flatnonzero(section["trigger"] == terms.Trigger.CHOICE)
    assert record["by_choice"] == sum(1 << k for k in by_choice) > 0
    colours = record["type"]["colour"][: record["n_types"]]
    for colour in terms.Colour:
        types = np.flatnonzero(colours == colour)
        assert record["types_by_colour"][colour] == sum(1 << k for k in types)
    assert sum(record["types_by_colour"]) == (1 << len(colours)) - 1


def test_attacks_of_types_are_those_of_their_cards(keep):
    record, attacks = keep.content[0], 0
    for index in range(int(record["n_types"])):
        kind, value, reach = (record[k][index] for k in ("type", "attack_value", "attack_reach"))
        for eye in terms.Eye:
            if kind["strike"][eye] < 0:
                assert (value[eye], reach[eye]) == (0, -1)
                continue
            attacks += 1
            strike = record["strike"][kind["strike"][eye]]
            assert value[eye] == max(0, strike["value"])
            assert reach[eye] == kind["move"][eye] + max(0, strike["range"])
        assert (value[3], reach[3]) == (value[:3].max(), max(0, reach[:3].max()))
    assert attacks > 2


def test_only_items_that_can_occur_are_compiled(keep, build):
    names = keep.names
    expected = {"Plank", "Venom", "Coin", "Sword", "Mail", "Bag", "Spear", "Drum", "Owl Perch"}
    assert set(names.items) == expected
    assert keep.content[0]["n_items"] == len(expected)
    assert names.figures == ("Sprout", "Owl")
    hall = keep.content[0]["item_at"][names.area("Hall")]
    assert hall[:3].tolist() == [names.item("Plank"), names.item("Venom"), -1]
    owl = keep.content[0]["item"][names.item("Owl Perch")]
    assert owl["pet"] == names.figures.index("Owl")
    assert (owl["wear"], keep.content[0]["figure"][owl["pet"]]["pet"]) == (terms.Wear.PET, 1)
    assert names.texts["figure/Owl"] == "Flies."
    yard = content.compile_scenario(build(), "yard", ["anna"]).names
    assert set(yard.items) == {"Sword", "Mail", "Plank", "Bag", "Coin"}  # a Rat leaves the Coin


def test_types_that_a_defeat_box_spawns_come_along(keep):
    record, names = keep.content[0], keep.names
    assert names.types == ("Queen", "Rat", "Drone")
    queen, rat = record["type"][0], record["type"][1]
    assert rat["leave"] == names.item("Coin")
    assert rat["defeat_n"] == 0
    assert rows(record, queen["defeat_first"], queen["defeat_n"]) == [
        (Op.BURST, 2, 1, terms.Condition.SLOWED, -1),
        (Op.SPAWN, 2, 0, names.type("Drone"), -1),
        (Op.SET_TRAP, 1, 0, -1, -1),
    ]
    horns = rows(record, queen["horns_first"][1], queen["horns_n"][1])
    assert [row[0] for row in horns] == [Op.ENEMY_TELEPORT, Op.ADD_PULL, Op.SNAKE]


def test_r19_11_sections_and_what_they_do(keep):
    record, names = keep.content[0], keep.names
    assert names.stories == ("echo", "lever", "door")
    assert names.texts["section/lever"] == "A lever."
    assert names.texts["story/echo"] == "It answers."
    hall, tower = names.area("Hall"), names.area("Tower")
    assert record["story"][[hall, tower]].tolist() == [0, 2]
    lever = record["section"][1]
    assert (lever["trigger"], lever["maneuver"]) == (terms.Trigger.CHOICE, 1)
    assert rows(record, lever["first"], lever["n"]) == [
        (Op.ACTIVATE, 1, 0, -1, tower),
        (Op.ITEM, 1, 0, names.item("Coin"), tower),
        (Op.JOIN, 1, 0, names.allies.index("Stray"), hall),
        (Op.CURE, 2, 0, -1, -1),
    ]
    assert rows(record, lever["fail_first"], lever["fail_n"]) == [
        (Op.HARM, 1, 0, -1, -1),
        (Op.AFFECT, 1, 0, terms.Condition.SLOWED, -1),
        (Op.TRAP, 1, 0, -1, hall),
    ]
    door = record["section"][2]
    assert [row[:2] for row in rows(record, door["first"], door["n"])] == [
        (Op.TRAP, 1),
        (Op.GIVE_GEM, 1),
    ]


def test_events_by_section_and_by_type(keep):
    record, names = keep.content[0], keep.names
    story, defeat = record["event"][:2]
    assert (story["when"], story["subject"]) == (terms.When.STORY, names.story("door"))
    assert rows(record, story["first"], story["n"]) == [
        (Op.FORTIFY, 2, 0, names.type("Queen"), -1),
        (Op.REINFORCE_PER_HERO, 1, 0, names.type("Rat"), names.area("Bridge")),
        (Op.START_TIMER, 4, 0, -1, -1),
        (Op.STOP_TIMER, 1, 0, -1, -1),
    ]
    assert (defeat["when"], defeat["subject"]) == (terms.When.DEFEAT, names.type("Queen"))


@pytest.mark.parametrize(
    ("goal", "subject"),
    [
        ({"kind": "escort", "ally": "guide", "areas": ["C"]}, ("ally", "Guide")),
        ({"kind": "collect", "item": "coin", "number": 2}, ("item", "Coin")),
        ({"kind": "defeat_type", "type": "drone", "number": 2}, ("type", "Drone")),
        ({"kind": "disarm", "number": 1}, None),
        ({"kind": "advance", "number": 1}, None),
    ],
)
def test_r19_12_objectives_name_what_they_are_about(files, build, goal, subject):
    keep = files["scenarios/keep.yaml"]
    keep["objective"] = goal
    if goal["kind"] == "advance":
        keep["sections"]["door"]["effects"] = [{"advance": 1}]
    compiled = content.compile_scenario(build(), "keep", 1)
    record = compiled.content[0]
    assert record["objective"] == terms.Objective[goal["kind"].upper()]
    assert record["objective_number"] == goal.get("number", 0)
    expected = -1 if subject is None else getattr(compiled.names, subject[0])(subject[1])
    assert record["objective_subject"] == expected
    assert record["goal"] == sum(1 << "ABC".index(letter) for letter in goal.get("areas", []))


def test_teleport_tokens_of_a_drawn_map(keep):
    record = keep.content[0]
    assert record["token_colour"][:3].tolist() == [0, -1, 0]
    assert record["token_active"][:3].tolist() == [1, 0, 0]
    assert record["token_range"][:3].tolist() == [3, -1, -1]


def test_decisions_of_the_enemies(build):
    folder = build()
    marks = set()
    for number, will in enumerate(("card", "free")):
        compiled = content.compile_scenario(folder, "yard", 1, enemy_will=will)
        assert compiled.content[0]["enemy_will"] == terms.Will(number)
        marks.add(compiled.fingerprint)
    assert len(marks) == 2
    with pytest.raises(ValueError, match="enemy_will: 'good' is not allowed; allowed: card, free"):
        content.compile_scenario(folder, "yard", 1, enemy_will="good")
    with pytest.raises(ValueError, match="level: 0; allowed: 1 to 5"):
        content.compile_scenario(folder, "yard", 1, level=0)


def test_r4_2_heroes_that_do_not_fit_the_start_area_start_next_to_it(files, build):
    files["scenarios/yard.yaml"]["map"]["areas"]["A"]["capacity"] = 1
    record = content.compile_scenario(build(), "yard", 2).content[0]
    assert record["start"][:2].tolist() == [0, 1]
    files["scenarios/yard.yaml"]["map"]["areas"]["B"]["capacity"] = 1
    with pytest.raises(ValueError, match="no room for the party"):
        content.compile_scenario(build(), "yard", 2)


def test_r4_2_a_scenario_may_tell_a_hero_to_start_elsewhere(files, build):
    files["scenarios/yard.yaml"]["apart"] = {"anna": "B"}
    record = content.compile_scenario(build(), "yard", 2).content[0]
    assert record["start"][:2].tolist() == [1, 0]


def test_a_large_ally_needs_more_room_at_the_start(files, build):
    keep = files["scenarios/keep.yaml"]
    keep["allies"][0] = {"ally": "golem"}
    keep["objective"] = {"kind": "defeat_all"}
    keep["map"]["areas"]["A"]["capacity"] = 3
    record = content.compile_scenario(build(), "keep", 2).content[0]
    assert record["start"][:3].tolist() == [0, 0, 1]


def test_a_party_that_does_not_fit_is_named_with_the_difficulty(files, build):
    files["scenarios/keep.yaml"]["map"]["areas"]["C"]["capacity"] = 1
    found = content.check(build())
    assert found == [
        f"scenarios/keep.yaml: difficulty setup[0]: C holds 1 figures, with {party} 2 are placed "
        "there (at brutal)"
        for party in ("1 Hero", "2 Heroes")
    ]


def test_check_tries_every_hero_in_both_classes(files, build):
    skills = files["heroes/bert.yaml"]["classes"][1]["skills"]
    for skill in skills:
        skill["maneuver"] = [{"move": 1}]
    extra = [{"name": f"More {i}", "effects": []} for i in range(3)]
    files["heroes/bert.yaml"]["actions"] += extra
    (text,) = content.check(build())
    assert text == f"heroes/bert.yaml: Bert: at most {layout.N_TOKENS} action tokens"


def test_unknown_names_list_the_known_ones(build):
    folder = build()
    with pytest.raises(ValueError, match="pack small: unknown scenario 'attic'; allowed: keep"):
        content.compile_scenario(folder, "attic", 1)
    with pytest.raises(ValueError, match=r"unknown pack 'nowhere'.*core"):
        content.compile_scenario("nowhere", "yard", 1)


def test_the_fingerprint_of_a_scenario_of_the_pack():
    """Saved policies and positions name it: it changes if the same seeds no longer play alike."""
    assert content.compile_scenario("core", "ford", 2).fingerprint == "a84fc3dd83f721fc"


def test_the_fingerprint_covers_declared_and_not_derived_fields(keep):
    for field in layout.CONTENT.names:
        other = keep.content.copy()
        other[field].view(np.uint8).flat[0] ^= 1
        mark = content.compile.fingerprint(other, keep.names)
        assert (mark == keep.fingerprint) == (field in layout.DERIVED), field


def test_the_fingerprint_is_stable_and_follows_numbers_and_names_not_texts(files, build):
    def mark(**keys):
        return content.compile_scenario(build(), "yard", 2, **keys).fingerprint

    first = mark()
    assert len(first) == 16
    assert int(first, 16) >= 0
    assert mark() == mark(level=1) == first
    assert mark(level=2) != first
    files["heroes/anna.yaml"]["flavour"] = "Of another pack."
    assert mark() == first
    files["heroes/anna.yaml"]["taunt"] = 2
    second = mark()
    files["scenarios/yard.yaml"]["map"]["areas"]["A"]["name"] = "Barn"
    assert len({first, second, mark()}) == 3


def test_r10_3_a_scenario_changes_the_health_of_its_enemies(files, build):
    scenario = files["scenarios/keep.yaml"]
    kind = scenario["setup"][0]["type"]
    scenario["health"] = {kind: {"base": 3, "per_hero": 2}}
    compiled = content.compile_scenario(build(), "keep", 2)
    card = compiled.content[0]["type"][compiled.content[0]["setup_type"][0]]
    assert (card["base"], card["per_hero"]) == (3, 2)
