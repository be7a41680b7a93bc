"""Edited cards become patches or files that load as the same cards."""

import json
import shutil

import pytest

from agemonia_env.files.documents import parse_yaml
from agemonia_env.packs.edited import (
    EditedPack,
    InexpressibleError,
    Mistake,
    patch_text,
    read_patch_text,
    values_of_patch,
    write_files,
    yaml_text,
)
from agemonia_env.packs.folders import ContentError
from agemonia_env.packs.patches import plain
from agemonia_env.rulesets.pack_tools import pack_tools_of

ENVS = {"Agemonia-v0": "core", "HexDungeon-v0": "hex-core"}
FORD, REEDLING = ("scenarios", "ford"), ("enemies", "reedling")


def form_of(env="Agemonia-v0"):
    return pack_tools_of(env).format


def edited(*cards, env="Agemonia-v0"):
    """The pack with cards changed: place, function that changes the values."""
    old = form_of(env).cards(form_of(env).load(ENVS[env]))
    values = {}
    for place, change in cards:
        values[place] = json.loads(json.dumps(plain(old[place])))
        change(values[place])
    return EditedPack(form_of(env), ENVS[env], values)


def loaded(pack, folder):
    """The edited cards, by the way that the environment takes: changes, or a folder."""
    text = pack.text(folder / "mine")
    cards = pack.form.cards(pack.form.load(text))
    return {place: plain(cards[place]) for place in pack.values}, text


def deeper(value):
    """Every mapping and list in plain values, outermost first."""
    yield value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from deeper(part)


def move_numbers(value):
    """Every whole number of a card one lower, none below 1, and fractions halved."""
    for part in deeper(value):
        for key, number in list(part.items() if isinstance(part, dict) else enumerate(part)):
            if isinstance(number, int) and not isinstance(number, bool) and number > 1:
                part[key] = number - 1
            elif isinstance(number, float):
                part[key] = number / 2


@pytest.mark.parametrize("env", ENVS)
def test_changes_say_what_numbers_became(env):
    old = form_of(env).cards(form_of(env).load(ENVS[env]))
    moved = 0
    for place in old:
        pack = edited((place, move_numbers), env=env)
        if pack.mistakes():  # numbers that depend on each other
            continue
        values = values_of_patch(pack.form, pack.base, pack.lines())
        moved += len(values)
        assert values.get(place, plain(old[place])) == pack.values[place], place
    assert moved >= 20


def put(*steps):
    """A function that follows all but the last two steps into values, and sets the last."""

    def change(value):
        *path, key, wanted = steps
        for step in path:
            value = value[step]
        value[key] = wanted

    return change


CASES = {
    "a number": ((REEDLING, put("card", "health", "per_hero", 4)), 1),
    "a number that the file leaves out": ((REEDLING, put("card", "shield", 2)), 1),
    "a part that the file leaves out": ((REEDLING, put("card", "defeat", {"leave": "yarrow"})), 1),
    "a part taken out": ((REEDLING, put("card", "snake", None)), 1),
    "a key taken out": ((REEDLING, lambda v: v["card"].pop("supply")), 1),
    "an entry of a list": ((FORD, put("setup", 2, "type", "wisp")), 1),
    "entries added": ((FORD, lambda v: v["setup"].extend([{"type": "wisp", "area": "A"}] * 2)), 2),
    "entries taken out": ((FORD, lambda v: v.update(setup=v["setup"][2:])), 2),
    "another list": ((FORD, lambda v: v["heroes"].reverse()), 8),
    "a shorter list of others": ((FORD, put("heroes", ["ketch", "orsa"])), 1),
    "a row of the map": ((FORD, put("map", "rows", 0, "AAABBBCCCDD.")), 1),
    "a new area": (
        (
            FORD,
            lambda v: v["map"].update(
                rows=["AAABBBCCCDDZ", *v["map"]["rows"][1:]],
                areas=v["map"]["areas"] | {"Z": {"name": "A Hole; with a Stone"}},
                borders=[{"between": ["D", "Z"], "kind": "double"}],
            ),
        ),
        3,
    ),
    "an item": ((("items", "yarrow"), put("name", "Yellow Yarrow")), 1),
    "a card of a deck": ((("decks", "fate"), lambda v: v["values"].pop()), 1),
    "true is not 1": ((REEDLING, put("card", "fly", True)), 1),
}


def whole(pack, place, values):
    """A card with its defaults."""
    return pack.model(place).model_validate(values).model_dump()


@pytest.mark.parametrize("name", CASES)
def test_a_patch_loads_as_the_edited_card(name, tmp_path):
    card, lines = CASES[name]
    pack, (place, _) = edited(card), card
    assert pack.mistakes() == []
    assert len(pack.lines()) == lines
    found = values_of_patch(pack.form, pack.base, pack.lines())[place]
    assert whole(pack, place, found) == whole(pack, place, pack.values[place])
    text = patch_text("mine", pack.lines())
    assert read_patch_text(text).changes == pack.lines()
    assert "; " in loaded(pack, tmp_path)[1]


@pytest.mark.parametrize("name", CASES)
def test_files_load_as_the_edited_card(name, tmp_path):
    pack = edited(CASES[name][0])
    write_files(tmp_path / "mine", pack.files())
    cards = pack.form.cards(pack.form.read(tmp_path / "mine"))
    assert {place: plain(cards[place]) for place in pack.values} == pack.values
    rest = {place: card for place, card in pack.old.items() if place not in pack.values}
    assert {place: cards[place] for place in rest} == rest


def test_what_did_not_change_gives_no_line():
    assert edited((FORD, lambda v: None)).lines() == []


def test_what_no_change_can_say_becomes_a_folder(tmp_path):
    pack = edited()
    new = plain(pack.old[REEDLING]) | {"name": "Reed King"}
    pack = EditedPack(pack.form, "core", {("enemies", "reedking"): new})
    with pytest.raises(InexpressibleError):
        pack.lines()
    cards, text = loaded(pack, tmp_path)
    assert text == str(tmp_path / "mine")
    assert cards == pack.values


def test_a_new_item_gets_a_file(tmp_path):
    pack = edited()
    new = plain(pack.old["items", "yarrow"]) | {"name": "Blue Yarrow"}
    pack = EditedPack(pack.form, "core", {("items", "blue-yarrow"): new})
    assert pack.mistakes() == []
    assert loaded(pack, tmp_path)[0] == pack.values


@pytest.mark.parametrize(
    ("card", "mistake"),
    [
        ((REEDLING, put("card", "shield", 100)), Mistake(REEDLING, ("card", "shield"), "must be")),
        (
            (FORD, put("setup", 1, "area", "Q")),
            Mistake(FORD, ("setup", 1, "area"), "unknown area 'Q'"),
        ),
        (
            (REEDLING, put("name", "Mud Slinger")),
            Mistake(("enemies", "slinger"), ("name",), "Mud Slinger is also that of enemies/"),
        ),
        (
            (("items", "yarrow"), put("name", "Pitch Arrow")),
            Mistake(("items", "yarrow"), ("name",), "Pitch Arrow is also that of"),
        ),
        ((FORD, put("nonsense", 1)), Mistake(FORD, ("nonsense",), "unknown key")),
    ],
)
def test_mistakes_name_the_field(card, mistake):
    (found,) = edited(card).mistakes()
    assert (found.card, found.place) == (mistake.card, mistake.place)
    assert found.text.startswith(mistake.text)


def test_a_line_that_names_no_file_is_kept_whole():
    assert edited().placed("level=9: must be 1 to 5").text == "level=9: must be 1 to 5"


def test_notes_in_texts_do_not_come_back():
    pack = edited()
    changes = ["heroes.orsa.actions.Sweeping Oar.cost = 0"]
    values = values_of_patch(pack.form, "core", changes)["heroes", "orsa"]
    assert "[changed" not in json.dumps(values)


def test_a_bad_patch_is_said():
    with pytest.raises(ContentError, match="changes"):
        read_patch_text("name: x")
    with pytest.raises(ValueError, match="YAML"):
        read_patch_text("a: [")


@pytest.mark.parametrize(
    "text", ["1e3", "yes", "on", "0x1F", "1_000", "- a\n- b", "a\n\n b\n", "~", "ä: #"]
)
def test_yaml_keeps_texts(text):
    assert parse_yaml(yaml_text({"name": text, "all": [text]})).value == {
        "name": text,
        "all": [text],
    }


def test_the_pack_that_was_edited_stays(tmp_path):
    folder = tmp_path / "own"
    shutil.copytree(form_of().home / "core", folder)
    before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
    pack = EditedPack(form_of(), str(folder), edited((REEDLING, put("card", "shield", 3))).values)
    pack.files()
    assert pack.text(tmp_path / "mine").startswith(str(folder))
    assert before == {path: path.read_bytes() for path in folder.rglob("*.yaml")}


@pytest.mark.parametrize(
    "name", ["../up.yaml", "/etc/pack.yaml", "a/../../b.yaml", "os.py", "c:d.yaml"]
)
def test_files_of_a_pack_lie_below_its_folder(name, tmp_path):
    with pytest.raises(ValueError, match="must name a YAML file of the pack"):
        write_files(tmp_path / "mine", {name: "a: 1"})
    assert not [*tmp_path.rglob("*")]
