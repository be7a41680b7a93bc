"""The state of a party from one stage of a gauntlet to the next."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.content.journey import at_level, gather, go_on
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.content.schema import Stage
from agemonia_env.rulesets.agemonia.core.layout import STATE
from agemonia_env.rulesets.agemonia.core.terms import Condition

YARD, KEEP = Stage(scenario="yard"), Stage(scenario="keep", level=3)
ANNA, BERT = {"hero": "anna"}, {"hero": "bert"}


@pytest.fixture
def pack(build):
    return load_pack(build())


def after(pack, change, stage=KEEP, before=YARD, party=(ANNA, BERT)):
    """The party after a stage whose last state `change` wrote; Heroes have 8 chips at level 1."""
    heroes = at_level(pack, party, before.level)
    compiled = compile_scenario(pack, before.scenario, heroes, level=before.level)
    states = np.zeros(1, STATE)
    states["ally"]["item"] = -1
    change(states[0]["ally"], compiled.names)
    return go_on(pack, party, states[0], compiled.names, before, stage)


def hurt(allies, names):
    """Anna: 3 chips red, Bleeding, Slowed until the end of the turn. Bert: an Injury card."""
    allies["wounds"][0] = 3
    allies["conditions"][0] = 1 << Condition.BLEEDING | 1 << Condition.SLOWED
    allies["lapsing"][0] = 1 << Condition.SLOWED
    allies["injury"][1, names.injuries.index("Cracked Rib")] = 1


def test_r19_12_without_a_rest_damage_and_conditions_stay(pack):
    anna, bert = after(pack, hurt)
    assert (anna["wounds"], anna["conditions"], anna["injuries"]) == (3, ["bleeding"], [])
    assert (bert["wounds"], bert["conditions"], bert["injuries"]) == (0, [], ["Cracked Rib"])


def test_r4_7_stamina_lost_before_a_stage_is_back_for_the_next(pack):
    party = (ANNA | {"spent": 2}, BERT)
    heroes = after(pack, lambda allies, names: None, party=party)
    assert [hero["spent"] for hero in heroes] == [0, 0]


def test_r19_12_a_rest_heals_but_injury_cards_stay(pack):
    anna, bert = after(pack, hurt, Stage(scenario="keep", level=3, rest=True))
    assert (anna["wounds"], anna["conditions"]) == (0, [])
    assert bert["injuries"] == ["Cracked Rib"]


@pytest.mark.parametrize(
    ("exhausted", "wounds", "left"), [(0, 8, 4), (0, 5, 4), (0, 4, 4), (1, 0, 4)]
)
def test_r13_8_nobody_starts_below_the_red_side_of_the_disk(pack, exhausted, wounds, left):
    def change(allies, names):
        allies["wounds"][1], allies["exhausted"][1] = wounds, exhausted

    assert after(pack, change, Stage(scenario="yard"))[1]["wounds"] == left


def test_r20_2_the_red_side_is_that_of_the_next_level(pack):
    def change(allies, names):
        allies["exhausted"] = 1

    # level 5: 12 chips; Anna's red sides are given, Bert's is half of them
    anna, bert = after(pack, change, Stage(scenario="keep", level=5))
    assert (anna["wounds"], bert["wounds"]) == (12 - 5, 12 - 6)


def test_r4_6_items_stay_in_use_as_far_as_they_were(pack):
    def change(allies, names):
        allies["item"][0, :3] = [names.item(name) for name in ("Mail", "Sword", "Bag")]
        allies["active"][0] = 0b110
        allies["item"][1, 4] = names.item("Spear")

    anna, bert = after(pack, change)
    assert anna["items"] == ["sword", "bag", "mail"]
    assert bert["items"] == ["spear"]


def test_items_collected_for_a_stage_stay_there(build, files):
    files["scenarios/yard.yaml"]["objective"] = {"kind": "collect", "item": "plank", "number": 1}
    files["scenarios/yard.yaml"]["map"]["areas"]["B"]["items"] = ["plank", "venom"]
    files["heroes/anna.yaml"]["items"].remove("plank")
    pack = load_pack(build())

    def change(allies, names):
        allies["item"][0, :2] = names.item("Plank"), names.item("Venom")

    assert after(pack, change)[0]["items"] == ["venom"]
    assert after(pack, change, YARD, KEEP)[0]["items"] == ["venom"]
    assert after(pack, change, KEEP, KEEP)[0]["items"] == ["plank", "venom"]


def test_r17_3_items_that_are_too_heavy_are_left_behind(build, files):
    files["items/gear.yaml"]["items"]["mail"]["weight"] = 4
    pack = load_pack(build())

    def change(allies, names):  # a second mail is not worn; the bag carries 4
        places = [names.item(name) for name in ("Bag", "Mail", "Mail", "Mail", "Mail")]
        allies["item"][0, :5] = places
        allies["active"][0] = 0b11

    assert after(pack, change)[0]["items"] == ["bag", "mail", "mail", "mail"]


@pytest.mark.parametrize(
    ("levels", "inspiration", "achievement"),
    [((1, 3), 5, 14), ((3, 4), 5, 15), ((1, 5), 5, 15), ((4, 5), 5, 14)],
)
def test_r16_1_gems_stay_and_level_4_brings_one(pack, levels, inspiration, achievement):
    def change(allies, names):
        allies["inspiration"], allies["achievement"] = 5, 14

    stages = [Stage(scenario="keep", level=level) for level in levels]
    anna, _ = after(pack, change, stages[1], stages[0])
    assert (anna["inspiration"], anna["achievement"]) == (inspiration, achievement)


def test_r20_4_the_gem_of_level_4_counts_once(pack):
    steps = [Stage(scenario="keep", level=level) for level in (3, 4, 5)]
    assert after(pack, lambda *_: None, steps[1], steps[0])[0]["inspiration"] == 1
    assert after(pack, lambda *_: None, steps[2], steps[1])[0]["inspiration"] == 0


# ---- levels ---------------------------------------------------------------------------------
def test_r20_3_class_and_skills_are_learned_with_the_levels(pack):
    party = [{"hero": "anna", "class": "Mage", "skills": ["Mage skill 4"]}, BERT]
    assert at_level(pack, party, 1) == [ANNA, BERT]
    anna, bert = at_level(pack, party, 3)
    assert anna["skills"] == ["Mage skill 4", "Mage skill 1"]
    assert bert == {"hero": "bert", "class": "Guard", "skills": ["Guard skill 1", "Guard skill 2"]}
    assert len(at_level(pack, party, 5)[0]["skills"]) == 4


def test_the_party_of_a_number_is_the_recommended_one(pack):
    assert gather(pack, pack.gauntlets["climb"], 2) == [ANNA, BERT]
    assert gather(pack, pack.gauntlets["climb"], ["bert"]) == [BERT]


@pytest.mark.parametrize(
    ("heroes", "words"),
    [
        (3, "heroes: 3"),
        (["nobody"], "nobody"),
        ([{"hero": "anna", "level": 2}], r"heroes\[0\].level: the stages"),
        ([{"hero": "anna", "class": "Cook"}], "unknown class 'Cook'.*Guard, Mage"),
        ([{"hero": "anna", "skills": ["Juggling"]}], "unknown skill 'Juggling'"),
    ],
)
def test_a_party_that_does_not_fit_is_refused_before_the_first_stage(pack, heroes, words):
    with pytest.raises(ValueError, match=words):
        gather(pack, pack.gauntlets["climb"], heroes)
