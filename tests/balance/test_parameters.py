"""Numbers of a pack: every path leads to its number again."""

from functools import partial

import pytest

from agemonia_env.balance import parameters
from agemonia_env.balance.study_config import StudyConfig, make_config, plans_of
from agemonia_env.packs.folders import ContentError
from agemonia_env.rulesets.pack_tools import pack_tools_of

AGEMONIA = pack_tools_of("Agemonia-v0")
numbers = partial(parameters.numbers, AGEMONIA)
paths_of = partial(parameters.paths_of, AGEMONIA)
value_of = partial(parameters.value_of, AGEMONIA)
with_values = partial(parameters.with_values, AGEMONIA)

FOLDERS = ["heroes", "enemies", "scenarios", "decks", "items", "allies", "figures", "pack"]


HEX_FOLDERS = ["classes", "monsters", "scenarios", "templates"]


@pytest.mark.parametrize(
    ("env", "pack", "folders"),
    [("Agemonia-v0", "core", FOLDERS), ("HexDungeon-v0", "hex-core", HEX_FOLDERS)],
)
def test_every_path_leads_to_its_number(env, pack, folders):
    tools = pack_tools_of(env)
    found = parameters.numbers(tools, pack, folders)
    assert len(found) > 1000
    for path, value in list(found.items())[::13]:
        assert parameters.value_of(tools, pack, path) == value


def test_paths_are_as_short_as_a_person_writes_them():
    found = numbers("core", ["enemies.reedling", "heroes.orsa.actions"])
    assert found["enemies.reedling.health.per_hero"] == 2
    assert found["heroes.orsa.actions.Sweeping Oar.effects.attack.dice"] == 3
    assert not any("[" in path or ".card." in path for path in found)


def test_a_path_may_name_a_number_a_mapping_a_list_a_file_or_a_folder():
    one = numbers("core", ["heroes.orsa.move.free"])
    assert one == {"heroes.orsa.move.free": 2}
    assert one.items() < numbers("core", ["heroes.orsa.move"]).items()
    assert one.items() < numbers("core", ["heroes.orsa"]).items()
    assert one.items() < numbers("core", ["heroes"]).items()
    assert list(numbers("core", ["decks.fate"]).values()) == [
        0,
        1,
        1,
        1,
        2,
        2,
        2,
        2,
        3,
        3,
    ]


def test_a_path_may_name_a_number_that_is_left_to_its_default():
    assert numbers("core", ["enemies.slinger.shield"]) == {"enemies.slinger.shield": 0}
    assert numbers("core", ["enemies.slinger.card.shield"]) == {"enemies.slinger.shield": 0}
    push = "enemies.slinger.actions.open.attack.push"
    assert numbers("core", [push]) == {push: 0}


def test_numbers_left_to_a_default_count_but_for_powers_that_a_thing_does_not_have():
    found = numbers("core", ["enemies.reedling", "heroes.orsa", "scenarios.ford"])
    assert found["enemies.reedling.shield"] == 0
    assert found["heroes.orsa.actions.Hook and Hold.cost"] == 0
    assert found["scenarios.ford.setup[0].amount"] == 1
    powers = (".push", ".pull", ".self", ".story_token")
    assert not any(path.startswith("enemies") and path.endswith(powers) for path in found)
    assert len(found) < 300


def test_all_mistakes_are_reported():
    with pytest.raises(ContentError) as caught:
        numbers("core", ["enemies.nobody", "heroes.orsa.name", "heroes.orsa.move.up"])
    assert [text.partition(":")[0] for text in caught.value.errors] == [
        "enemies.nobody",
        "heroes.orsa.name",
        "heroes.orsa.move.up",
    ]


def test_values_put_into_a_pack():
    assert with_values("core", {"heroes.orsa.blue": 9}) == "core"  # as it is
    pack = with_values("core", {"heroes.orsa.blue": 9, "enemies.reedling.shield": 1})
    assert pack == "core; enemies.reedling.card.shield = 1"
    assert value_of(pack, "enemies.reedling.shield") == 1
    with pytest.raises(ValueError, match="not a whole number"):
        value_of("core", "heroes.orsa.name")


def test_numbers_of_a_changed_pack_are_set():
    changed = "core; heroes.orsa.blue = 7; heroes.orsa.might -1"
    assert with_values(changed, {"heroes.orsa.blue": 7}) == AGEMONIA.variant(changed)  # as it is
    pack = with_values(changed, {"heroes.orsa.blue": 8})
    assert (
        value_of(pack, "heroes.orsa.blue"),
        value_of(pack, "heroes.orsa.might"),
    ) == (8, 2)
    pack = with_values(changed, {"heroes.orsa.might": 1, "heroes.orsa.blue": 9})
    assert (
        value_of(pack, "heroes.orsa.blue"),
        value_of(pack, "heroes.orsa.might"),
    ) == (9, 1)


def test_the_parts_of_a_scenario_are_its_own_its_enemies_and_its_heroes():
    card = make_config(StudyConfig, {"heroes": ["ketch", "ivo"]})
    found = paths_of(plans_of(card, "core", 100))
    assert found[0] == "scenarios.ford"
    assert found[-2:] == ["heroes.ketch", "heroes.ivo"]
    assert "enemies.reedling" in found
    assert "enemies.eelmother" not in found


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ("decks.fate - 1", "decks.fate[3]"),  # the places after it are others now
        ("scenarios.ford.setup - {type: reedling, area: B}", "scenarios.ford.setup[2].amount"),
        ("scenarios.ford.setup + {type: wisp, area: B}", "scenarios.ford.setup[17].amount"),
        ("heroes.orsa.move = {paid: 4}", "heroes.orsa.move.paid"),
        ("enemies.reedling.health.per_hero -1", "enemies.reedling.health.per_hero"),
        ("enemies.reedling.health.base +1", "enemies.reedling.health.per_hero"),
    ],
)
def test_numbers_are_those_of_the_pack_as_its_changes_have_made_it(changes, path):
    pack = f"core; {changes}; heroes.tamsin.blue +1"
    before = numbers(pack, FOLDERS)
    old = value_of(pack, path)
    new = with_values(pack, {path: old + 1, "heroes.ivo.blue": 9})
    assert value_of(new, path) == old + 1
    after = numbers(new, FOLDERS)
    assert {p for p in before if before[p] != after[p]} <= {path, "heroes.ivo.blue"}
    assert len(before) == len(after)
