"""What the editor page asks of Python: cards, schemas, mistakes, and files to save."""

import base64
import io
import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agemonia_env.cli.main import app
from agemonia_env.rulesets.doors import RULESETS

FORD = json.dumps({"scenario": "ford"})


@pytest.fixture
def editing(load_script):
    """The module, by its path: beside it lies a stand-in for NumPy."""
    return load_script("web/python/editing.py")


@pytest.fixture(autouse=True)
def packs(editing, tmp_path, monkeypatch):
    """Where packs are unpacked."""
    monkeypatch.setattr(editing, "PACKS", tmp_path / "packs")


def edit_of(editing, *changes, new=(), env="Agemonia-v0", pack="core"):
    """An edit as JSON: changes of cards as lines; new: (place, place of the card to copy)."""
    edit = json.dumps({"env": env, "pack": pack, "cards": {}})
    patch = json.dumps({"changes": list(changes)})
    given = json.loads(editing.read_patch(edit, patch)) if changes else json.loads(edit)
    cards = json.loads(editing.open_pack(edit))["cards"]
    for place, other in new:
        given["cards"][place] = cards[other]["value"] | {"name": place}
    return json.dumps(given)


def checked(argument):
    """What `agemonia content check` says of a pack: status and output."""
    done = CliRunner().invoke(app, ["content", "check", argument])
    return done.exit_code, done.output


@pytest.mark.parametrize("env", RULESETS)
def test_every_field_has_a_text_and_every_card_a_schema(editing, env):
    schemas = json.loads(editing.schemas(env))
    pack = "core" if env == "Agemonia-v0" else "hex-core"
    cards = json.loads(editing.open_pack(json.dumps({"env": env, "pack": pack, "cards": {}})))
    for card, about in cards["cards"].items():
        schema = schemas.get(card) or schemas[about["folder"]]
        assert set(about["value"]) <= set(schema["properties"]), card
    for schema in schemas.values():
        for part in (schema, *schema.get("$defs", {}).values()):
            for name, field in part["properties"].items():
                assert field["description"].endswith("."), name


def test_fields_say_what_they_name(editing):
    schemas = json.loads(editing.schemas("Agemonia-v0"))
    placement = schemas["scenarios"]["$defs"]["Placement"]["properties"]
    assert placement["type"]["names"] == "enemies"
    assert placement["area"]["names"] == "areas"
    assert schemas["heroes"]["properties"]["items"]["names"] == "items"
    assert schemas["scenarios"]["$defs"]["Consequence"]["oneKey"]


def test_mistakes_of_compiling_name_the_scenario(editing):
    edit = edit_of(editing, 'scenarios.ford.map.areas.Z = {"name": "Nook"}')
    (mistake,) = json.loads(editing.mistakes(edit, FORD))
    assert mistake["card"] == "scenarios/ford"
    assert "Z is not drawn" in mistake["text"]


ISLE = (
    'scenarios.ford.map.rows[4] = "EEEFF.MMGHHH"',
    'scenarios.ford.map.areas.M = {"name": "Isle"}',
    "scenarios.ford.difficulty.normal.health = 1",
)
NEW = (("enemies/reedling-2", "enemies/reedling"), ("items/yarrow-2", "items/yarrow"))


@pytest.mark.parametrize(("changes", "new"), [(ISLE, ()), ((), NEW)])
def test_what_is_saved_passes_content_check(editing, tmp_path, monkeypatch, changes, new):
    monkeypatch.chdir(tmp_path)
    edit = edit_of(editing, *changes, new=new)
    assert json.loads(editing.mistakes(edit, FORD)) == []
    saved = json.loads(editing.export(edit))
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(saved["zip"])))
    archive.extractall(tmp_path)
    assert checked("./core") == (0, "./core: no mistakes\n")
    if new:
        assert saved["patch"] is None
    else:
        Path("mine.yaml").write_text(saved["patch"])
        assert checked("core; mine.yaml")[0] == 0
        again = editing.read_patch(edit_of(editing), saved["patch"])
        assert json.loads(again)["cards"] == json.loads(edit)["cards"]


def test_a_saved_pack_is_opened_again(editing):
    edit = edit_of(editing, "enemies.reedling.card.shield = 2")
    saved = json.loads(editing.export(edit))
    again = editing.read_archive(base64.b64decode(saved["zip"]))
    assert json.loads(again)["env"] == "Agemonia-v0"
    cards = json.loads(editing.open_pack(again))["cards"]
    assert cards["enemies/reedling"]["value"]["card"]["shield"] == 2
    played = [json.loads(editing.contents(one, FORD)) for one in (edit, again)]
    assert played[0] == played[1]


def test_an_archive_without_a_pack_is_refused(editing):
    with pytest.raises(ValueError, match="zip"):
        editing.read_archive(b"nothing")
    empty = base64.b64decode(editing.archive("x", {"notes.yaml": "a: 1"}))
    with pytest.raises(ValueError, match=r"pack\.yaml"):
        editing.read_archive(empty)


def test_a_game_of_the_edited_pack_opens_with_changes_or_files(editing):
    setting = json.loads(editing.setting(edit_of(editing, "scenarios.ford.last_round = 9")))
    assert setting == {"pack": "core; scenarios.ford.last_round = 9"}
    edit = edit_of(editing, new=[("enemies/reedling-2", "enemies/reedling")])
    setting = json.loads(editing.setting(edit))
    assert list(setting["files"]) == ["enemies/reedling-2.yaml"]
    place = json.loads(editing.unpacked("Agemonia-v0", "core", json.dumps(setting["files"])))
    assert checked(place)[0] == 0
