"""Reading packs: every mistake at once, each with its file, its key and what is allowed."""

import pytest

from agemonia_env.rulesets.hexdungeon import content
from agemonia_env.rulesets.hexdungeon.content.load import load_pack
from agemonia_env.rulesets.hexdungeon.core import layout


def test_the_small_pack_has_no_mistake(build):
    folder = build()
    assert content.check(folder) == []
    assert content.scenarios(folder) == ["hut"]


def test_every_mistake_of_the_files_at_once(files, build):
    files["classes/poker.yaml"] |= {"hit_points": "nine", "hitpoints": 9}
    cards = files["classes/poker.yaml"]["cards"]
    cards[0] = {**cards[0], "top": [{"atack": 2}]}
    cards[1] = {**cards[1], "top": [{"attack": 2, "effects": ["sleep"]}]}
    cards[2] = {**cards[2], "bottom": [{"move": 2, "range": 3}]}
    files["monsters/rat.yaml"]["immune"] = ["fire"]
    del files["monsters/rat.yaml"]["cards"][7]
    files["scenarios/hut.yaml"]["goal"] = {"kind": "survive"}
    del files["templates.yaml"]
    found = content.check(build())
    text = "\n".join(found)
    poker, hut = "classes/poker.yaml: ", "scenarios/hut.yaml: "
    assert f"{poker}hit_points: must be a valid integer; it is 'nine'" in found
    assert f"{poker}hitpoints: unknown key; did you mean 'hit_points'? Allowed: " in text
    assert f"{poker}cards[0].top.lines[0].atack: unknown key; did you mean 'attack'" in text
    assert f"{poker}cards[1].top.lines[0].effects[0].name: 'sleep' is not allowed; allowed" in text
    assert (
        f"{poker}cards[2].bottom.lines[0]: range does not go with move; allowed: jump, xp" in found
    )
    assert "monsters/rat.yaml: immune[0]: 'fire' is not allowed; allowed: 'poison'" in text
    assert "monsters/rat.yaml: cards: must have at least 8 entries, not " in text
    assert f"{hut}goal: number goes with survive (rounds) and loot (tokens), and only there" in text
    assert "templates.yaml: file: cannot be read: No such file" in text


def test_every_mistake_between_the_files_at_once(files, build):
    files["pack.yaml"] |= {"party": ["poker", "joker"], "scenarios": ["hut", "hut"]}
    cards = files["classes/poker.yaml"]["cards"]
    cards[0] = {**cards[0], "top": [{"attack": 2, "template": "ark"}]}
    cards[1] = {**cards[1], "top": [{"attack": 2, "template": "arc", "range": 2}]}
    cards[2] = {**cards[2], "top": [{"attack": 2, "template": "pair"}]}
    cards[3] = {**cards[3], "bottom": [{"summon": "dog"}]}
    files["monsters/rat.yaml"]["cards"][5]["lines"] = [{"attack": 0, "template": "x"}]
    files["scenarios/hut.yaml"]["legend"]["a"]["monster"] = "cat"
    files["scenarios/hut.yaml"]["legend"]["b"] = {"trap": {"damage": "level"}}
    found = content.check(build())
    assert found == [
        "pack.yaml: party[1]: unknown class 'joker'; did you mean 'poker'? Allowed: poker",
        "pack.yaml: scenarios: hut is given twice",
        "classes/poker.yaml: cards[0].top.lines[0].template: unknown template 'ark'; "
        "did you mean 'arc'? Allowed: arc, pair",
        "classes/poker.yaml: cards[1].top.lines[0].template: arc has the own hex: it is melee, "
        "without a range (G5.1)",
        "classes/poker.yaml: cards[2].top.lines[0].template: pair has no own hex: it needs a "
        "range (G5.1)",
        "classes/poker.yaml: cards[3].bottom.lines[0].summon: unknown summon 'dog'; allowed: cat",
        "monsters/rat.yaml: cards[5].lines[0].template: unknown template 'x'; allowed: arc, pair",
        "scenarios/hut.yaml: legend.b: is not drawn",
        "scenarios/hut.yaml: legend.a.monster: unknown monster 'cat'; "
        "did you mean 'rat'? Allowed: rat",
    ]


@pytest.mark.parametrize("heroes", range(1, 5))
def test_a_scenario_has_monsters_for_every_number_of_characters(files, build, heroes):
    ranks = ["normal"] * 4
    ranks[heroes - 1] = "none"
    files["scenarios/hut.yaml"]["legend"]["a"]["heroes"] = ranks
    (found,) = content.check(build())
    assert found == (
        f"scenarios/hut.yaml: legend: 0 monsters with {heroes} characters; "
        f"from 1 to {layout.N_MONSTERS}"
    )


def test_classes_and_scenarios_that_the_pack_does_not_name(files, build):
    files["classes/dealer.yaml"] = {**files["classes/poker.yaml"], "name": "Dealer"}
    assert content.check(build()) == ["pack.yaml: party: dealer is missing"]


def test_an_edited_pack_is_read_again(files, build):
    assert load_pack(build()).classes["poker"].hit_points == 8
    files["classes/poker.yaml"]["hit_points"] = 10
    assert load_pack(build()).classes["poker"].hit_points == 10


def test_an_unknown_pack():
    with pytest.raises(ValueError, match=r"unknown pack 'gex-core'.*not one of: hex-core"):
        load_pack("gex-core")
