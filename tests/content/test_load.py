"""Reading packs: folders, files, and every mistake at once."""

import pytest

from agemonia_env.rulesets.agemonia import content
from agemonia_env.rulesets.agemonia.content.load import load_pack


def test_folders_of_a_pack(build):
    pack = load_pack(build())
    assert list(pack.heroes) == ["anna", "bert"]
    assert list(pack.allies) == ["golem", "guide", "stray"]
    assert pack.figures["owl"].pet
    assert pack.items["sword"].weapon.bonus == 1
    assert pack.sources["sword"] == "items/gear.yaml"
    assert [stage.level for stage in pack.gauntlets["climb"].stages] == [1, 3]
    assert content.scenarios(pack) == ["keep", "yard"]


def test_folders_that_a_pack_can_do_without(files, build):
    plain = [n for n in files if n.split("/")[0] in ("items", "figures", "allies", "gauntlets")]
    for name in [*plain, "scenarios/keep.yaml", "enemies/queen.yaml", "heroes/bert.yaml"]:
        del files[name]
    files["heroes/anna.yaml"]["items"] = []
    files["heroes/anna.yaml"]["actions"].pop()
    files["enemies/rat.yaml"]["card"].pop("defeat")
    files["scenarios/yard.yaml"]["heroes"] = ["anna"]
    assert content.check(build()) == []


def test_items_of_several_files_are_one_list(files, build):
    files["items/more.yaml"] = {"items": {"rag": {"name": "Rag", "text": "-"}}}
    pack = load_pack(build())
    assert pack.sources["rag"] == "items/more.yaml"
    assert {"rag", "sword"} <= set(pack.items)
    files["items/more.yaml"]["items"]["sword"] = {"name": "Sabre", "text": "-"}
    assert content.check(build()) == ["items/more.yaml: items.sword: is also in items/gear.yaml"]


def test_every_mistake_of_a_pack_at_once(files, build):
    files["heroes/anna.yaml"] |= {"blue": "nine", "blew": 9, "red": ["x"] * 5}
    files["enemies/queen.yaml"]["card"]["colour"] = "grey"
    files["decks/initiative.yaml"]["cards"][0] = "eB-Q, hR, eR-S, hB, hG, eG-C-h"
    files["items/gear.yaml"]["items"]["sword"]["wear"] = "foot"
    files["figures/owl.yaml"]["moves"] = 2
    files["scenarios/keep.yaml"]["sections"]["lever"]["effects"].append({"harm": 1, "trap": "A"})
    files["gauntlets/climb.yaml"]["stages"] = []
    del files["decks/trap.yaml"]
    folder = build()
    (folder / "decks" / "fate.yaml").write_text("values: [1]\nvalues: [2]\n")
    found = content.check(folder)
    text = "\n".join(found)
    assert "heroes/anna.yaml: blue: must be a valid integer; it is 'nine'" in found
    assert "heroes/anna.yaml: blew: unknown key; did you mean 'blue'? Allowed: might" in text
    assert "heroes/anna.yaml: red[4]: must be a valid integer; it is 'x'" in found
    assert "enemies/queen.yaml: card.colour: 'grey' is not allowed; did you mean 'green'? " in text
    assert "decks/fate.yaml: file: " in text
    assert "key 'values' is given twice" in text
    assert "decks/initiative.yaml: cards[0].bars[0]: 'eB-Q' is not a bar" in text
    assert "decks/trap.yaml: file: cannot be read: No such file" in text
    assert "items/gear.yaml: items.sword.wear: 'foot' is not allowed; allowed: 'none'" in text
    assert "figures/owl.yaml: moves: unknown key; did you mean 'move'? Allowed: name" in text
    assert "scenarios/keep.yaml: sections.lever.effects[4]: exactly one key; allowed: " in text
    assert "gauntlets/climb.yaml: stages: must not be empty" in text


def test_a_pack_does_not_accept_keys_of_cases(files, build):
    files["enemies/rat.yaml"]["card"]["type"] = "rat"
    (text,) = content.check(build())
    assert text.startswith("enemies/rat.yaml: card.type: unknown key; allowed: colour, health")


def test_invalid_yaml_and_a_folder_without_pack_are_refused(build, tmp_path):
    folder = build()
    (folder / "pack.yaml").write_text("name: [")
    (found,) = content.check(folder)
    assert found.startswith("pack.yaml: file: line ")
    (found,) = content.check(tmp_path)
    assert "no such folder with a pack.yaml" in found


def test_an_edited_pack_is_read_again(files, build):
    first = load_pack(build())
    assert load_pack(first.folder) is first
    files["heroes/anna.yaml"]["blue"] = 11
    assert (first.heroes["anna"].blue, load_pack(build()).heroes["anna"].blue) == (8, 11)


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("enemies/lantern.yml", "its name must end in .yaml"),
        ("decks/fate.YAML", "its name must end in .yaml"),
        ("enemies/caves/lantern.yaml", "did you mean 'enemies/*.yaml'?"),
        ("enemy/lantern.yaml", "did you mean 'enemies/*.yaml'?"),
        ("lantern.yaml", "llowed: pack.yaml, decks/initiative.yaml"),
        ("decks/fates.yaml", "did you mean 'decks/fate.yaml'?"),
    ],
)
def test_a_file_that_nobody_reads_is_no_part_of_a_pack(build, name, mistake):
    path = build() / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("name: Lantern")
    (found,) = content.check(build())
    assert found.startswith(f"{name}: file: is not read; ")
    assert mistake in found


def test_other_files_may_lie_in_a_packs_folder(build):
    folder = build()
    for name in ("README.md", "map.png", ".pre-commit-config.yaml", ".github/ci.yml"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("-")
    assert content.check(folder) == []


def test_a_file_that_is_renamed_to_be_read_is_read_at_once(build):
    folder = build()
    rat = folder / "enemies/rat.yaml"
    rat.rename(rat.with_suffix(".yml"))
    assert len(content.check(folder)) > 0
    rat.with_suffix(".yml").rename(rat)
    assert content.check(folder) == []
