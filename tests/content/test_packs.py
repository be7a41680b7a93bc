"""Packs: the one that ships, and every mistake of one that is broken."""

import shutil

import numpy as np
import pytest

from agemonia_env import content
from agemonia_env.agemonia import layout, terms
from agemonia_env.content.load import FOLDER, load_pack

CORE = load_pack("core")
PARTIES = [(name, n) for name in sorted(CORE.scenarios) for n in range(1, 5)]


@pytest.fixture
def copy(tmp_path):
    """A pack of one's own."""
    return shutil.copytree(FOLDER / "core", tmp_path / "own")


def edit(folder, file, old, new):
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_packs_that_ship_have_no_mistake():
    assert content.packs() == ["core"]
    assert content.check("core") == []
    assert content.scenarios("core") == ["beacon", "ford", "watchtower"]


@pytest.mark.parametrize(("name", "n"), PARTIES)
def test_every_scenario_compiles_for_one_to_four_heroes(name, n):
    compiled = content.compile_scenario("core", name, n)
    assert compiled.content.shape == (1,)
    assert compiled.content.dtype == layout.CONTENT
    record = compiled.content[0]
    assert (record["n_heroes"], record["n_allies"]) == (n, n)
    areas = int(record["n_areas"])
    assert (record["range"][:areas, :areas] >= 0).all(), "every area can be reached"
    assert len(compiled.names.areas) == areas == len(compiled.drawing.cells)
    used = np.zeros(areas, int)
    for k in range(record["n_setup"]):
        used[record["setup_area"][k]] += record["type"][record["setup_type"][k]]["size"]
    np.add.at(used, record["start"][:n], 1)
    assert (used <= record["capacity"][:areas]).all()
    assert record["n_setup"] <= layout.N_ENEMIES


@pytest.mark.parametrize(("name", "n"), PARTIES)
def test_names_fit_the_record(name, n):
    compiled = content.compile_scenario("core", name, n)
    record, names = compiled.content[0], compiled.names
    assert len(names.types) == record["n_types"]
    for slot, tokens in enumerate(names.tokens):
        assert len(tokens) == record["sheet"][slot]["n_tokens"]
        assert tokens[:2] == ("Focus", "Extra Maneuver")
        for token in tokens:
            assert names.texts[f"action/{names.allies[slot]}/{token}"]
    for area, section in enumerate(record["story"][: record["n_areas"]]):
        assert section == -1 or names.texts[f"story/{names.stories[section]}"], area
    assert names.area(names.areas[-1]) == len(names.areas) - 1
    with pytest.raises(ValueError, match="unknown area 'Nowhere'; allowed: "):
        names.area("Nowhere")


def test_more_heroes_meet_more_enemies():
    for name in CORE.scenarios:
        counts = [content.compile_scenario("core", name, n).content[0]["n_setup"] for n in (1, 4)]
        assert counts[0] < counts[1]


def test_heroes_are_those_of_a1_to_a3():
    assert len(CORE.heroes) == 4
    assert len({hero.taunt for hero in CORE.heroes.values()}) == 4
    for hero in CORE.heroes.values():
        assert 7 <= hero.blue <= 10
        assert hero.might + hero.agility + hero.will == 6
        assert len(hero.actions) == 3


def test_enemies_are_those_of_a2():
    cards = [enemy.card for enemy in CORE.enemies.values()]
    assert len(cards) == 6
    strikes = [
        [a.attack for a in (c.actions.staring, c.actions.open, c.actions.closed)] for c in cards
    ]
    aimed = [any(s and s.type != "melee" for s in three) for three in strikes]
    assert sum(aimed) >= 2
    assert any(card.size == "large" for card in cards)
    assert any(card.snake and card.snake.spawn for card in cards)


def test_the_initiative_deck_has_the_totals_of_a1():
    record = content.compile_scenario("core", "ford", 1).content[0]
    assert record["n_cards"] == 18
    cards = record["card"][:18]
    assert cards["shuffle"].sum() == 2
    eyes = {"RED": (10, 4, 4), "BLUE": (4, 11, 3), "GREEN": (3, 5, 10)}
    for colour, expected in eyes.items():
        mine = (cards["enemy"] == 1) & (cards["colour"] == terms.Colour[colour])
        assert mine.sum() == 18
        assert tuple(int((cards["eye"][mine] == eye).sum()) for eye in terms.Eye) == expected
        horns, snake = cards["horns"][mine], cards["snake"][mine]
        both = int((horns & snake).sum())
        assert (int(horns.sum()) - both, int(snake.sum()) - both, both) == (4, 2, 1)
        bonus = cards["bonus"][(cards["enemy"] == 0) & (cards["colour"] == terms.Colour[colour])]
        assert bonus.sum() == 4


def test_the_fate_deck_is_that_of_q28():
    record = content.compile_scenario("core", "ford", 1).content[0]
    assert sorted(record["fate"][: record["n_fate"]]) == [0, 1, 1, 1, 2, 2, 2, 2, 3, 3]


def test_the_watchtower_uses_every_kind_of_border():
    record = content.compile_scenario("core", "watchtower", 1).content[0]
    n = record["n_areas"]
    kinds = set(record["border"][:n, :n].ravel().tolist())
    assert kinds == {kind.value for kind in terms.Border}
    assert not record["sees"][:n, :n].all()


def test_heroes_by_name_in_that_order():
    names = content.compile_scenario("core", "ford", ["sorrel", "ivo"]).names
    assert names.allies == ("Sorrel", "Ivo")


def test_r4_2_who_does_not_fit_the_start_area_stands_next_to_it(copy):
    edit(
        copy, "scenarios/ford.yaml", "{name: Landing, capacity: 4}", "{name: Landing, capacity: 2}"
    )
    record = content.compile_scenario(copy, "ford", 4).content[0]
    start = record["start"][:4].tolist()
    assert start[:2] == [4, 4]
    assert all(record["border"][4, area] == terms.Border.SINGLE for area in start[2:])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("core", "fjord", 1), "unknown scenario 'fjord' of pack core; allowed: beacon, ford"),
        (("core", "ford", 5), "allowed: 1 to 4"),
        (("core", "ford", 0), "allowed: 1 to 4"),
        (("core", "ford", ["bob"]), "unknown Hero 'bob'; allowed: ivo, orsa"),
        (("core", "ford", ["ivo", "ivo"]), "different names"),
        (("nowhere", "ford", 1), "unknown pack 'nowhere'.*core"),
    ],
)
def test_unknown_things_name_what_there_is(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        content.compile_scenario(*arguments)


def test_the_fingerprint_is_stable_and_follows_numbers_and_names_not_texts(copy):
    def mark():
        return content.compile_scenario(copy, "ford", 2).fingerprint

    first = mark()
    assert len(first) == 16
    assert int(first, 16) >= 0
    assert mark() == first
    assert content.compile_scenario(copy, "ford", 3).fingerprint != first
    edit(copy, "heroes/orsa.yaml", "Thirty years", "Forty years")
    assert mark() == first
    edit(copy, "heroes/orsa.yaml", "taunt: 5", "taunt: 4")
    second = mark()
    assert second != first
    edit(copy, "scenarios/ford.yaml", "Willow Bank", "Alder Bank")
    assert mark() not in (first, second)


def test_every_mistake_of_a_pack_at_once(copy):
    edit(copy, "heroes/orsa.yaml", "blue: 9", "blue: nine\nblew: 9")
    edit(copy, "enemies/wisp.yaml", "colour: green", "colour: grey")
    edit(copy, "decks/fate.yaml", "values:", "values: []\nvalues:")
    edit(copy, "decks/initiative.yaml", "eB-O, hR, eR-O-h", "eB-Q, hR, eR-O-h")
    (copy / "decks" / "trap.yaml").unlink()
    found = content.check(copy)
    text = "\n".join(found)
    assert "heroes/orsa.yaml: blue: must be a valid integer; it is 'nine'" in found
    assert "heroes/orsa.yaml: blew: unknown key; allowed: might" in text
    assert "enemies/wisp.yaml: card.colour: 'grey' is not allowed; allowed: 'red'" in text
    assert "decks/fate.yaml: file: " in text
    assert "key 'values' is given twice" in text
    assert "decks/initiative.yaml: cards[0].bars[0]: 'eB-Q' is not a bar" in text
    assert "decks/trap.yaml: file: cannot be read: No such file" in text


def test_mistakes_between_files(copy):
    edit(copy, "heroes/orsa.yaml", "taunt: 5", "taunt: 1")
    edit(copy, "heroes/ivo.yaml", "dice: 2, range: [0, 3]", "dice: 2")
    edit(copy, "scenarios/ford.yaml", "{type: slinger, area: G}", "{type: singer, area: G}")
    edit(copy, "scenarios/beacon.yaml", "start: E", "start: Q")
    edit(copy, "enemies/nestkeeper.yaml", "type: reedling", "type: reedlong")
    text = "\n".join(content.check(copy))
    assert "heroes/orsa.yaml: taunt: 1 is also that of ivo" in text
    assert "heroes/ivo.yaml: actions[0].effects[0].attack.range: is missing" in text
    assert "scenarios/ford.yaml: setup[2].type: unknown Enemy 'singer'; allowed: nestkeeper" in text
    assert "scenarios/beacon.yaml: start: unknown area 'Q'; allowed: A, B, C" in text


def test_names_within_a_scenario(copy):
    file = "scenarios/beacon.yaml"
    edit(copy, file, "heroes: [orsa, ivo,", "heroes: [orsa, orsa, bob,")
    edit(
        copy, file, "objective: {kind: hold, number: 8}", "objective: {kind: reach, areas: [E, Z]}"
    )
    edit(copy, file, "- trap: D", "- trap: X")
    edit(copy, file, "setup:", "health: {wasp: {base: 1}}\nstories: {old: A tale.}\nsetup:")
    assert content.check(copy) == [
        f"{file}: objective.areas[1]: unknown area 'Z'; allowed: A, B, C, D, E, F, G, H, I",
        f"{file}: events[1].effects[1].trap: unknown area 'X'; allowed: A, B, C, D, E, F, G, H, I",
        f"{file}: heroes[1]: orsa is named twice",
        f"{file}: heroes[2]: unknown Hero 'bob'; allowed: ivo, orsa, sorrel, tamsin",
        f"{file}: health.wasp: unknown Enemy of this scenario 'wasp'; allowed: reedling, "
        "nestkeeper, thornhound, slinger, wisp, toadback",
        f"{file}: stories.old: stands in no area; allowed: none",
    ]


def test_what_does_not_fit_names_the_party_it_does_not_fit(copy):
    edit(copy, "scenarios/ford.yaml", "Mill Path, capacity: 3", "Mill Path, capacity: 0")
    found = content.check(copy)
    assert len(found) == 3
    start = "scenarios/ford.yaml: setup["
    assert all(text.startswith(start) and "D holds 0 figures, with" in text for text in found)


def test_what_the_rules_do_not_play_yet_is_not_accepted_in_silence(copy):
    edit(copy, "heroes/orsa.yaml", "dice: 2, condition: slowed", "dice: 2, push: 1")
    edit(copy, "enemies/wisp.yaml", "snake: {range: 1}", "snake: {pull: 1}")
    assert content.check(copy) == [
        "heroes/orsa.yaml: actions[0].effects[0].attack.push: is not played yet; leave it out",
        "enemies/wisp.yaml: card.snake.pull: is not played yet; leave it out",
    ]


def test_a_pack_does_not_accept_what_only_cases_know(copy):
    edit(copy, "scenarios/ford.yaml", "name: Gravel Bar,", "name: Gravel Bar, items: [rope],")
    edit(copy, "enemies/wisp.yaml", "  colour: green", "  colour: green\n  type: wisp")
    text = "\n".join(content.check(copy))
    assert "map.areas.G.items: unknown key; allowed: capacity, level, trap, story, name" in text
    assert "enemies/wisp.yaml: card.type: unknown key; allowed: colour, health" in text


def test_a_spawned_type_must_exist(copy):
    edit(copy, "enemies/nestkeeper.yaml", "type: reedling", "type: reedlong")
    (text,) = content.check(copy)
    start = "enemies/nestkeeper.yaml: card.snake.spawn.type: unknown Enemy 'reedlong'; allowed: "
    assert text.startswith(start)


def test_a_file_that_is_no_yaml_and_a_folder_that_is_no_pack(copy, tmp_path):
    (copy / "pack.yaml").write_text("name: [")
    (found,) = content.check(copy)
    assert found.startswith("pack.yaml: file: line ")
    (found,) = content.check(tmp_path)
    assert "no such folder with a pack.yaml" in found


def test_an_edited_pack_is_read_again(copy):
    assert content.load_pack(copy) is content.load_pack(copy)
    before = content.load_pack(copy).heroes["orsa"].blue
    edit(copy, "heroes/orsa.yaml", "blue: 9", "blue: 10")
    assert (before, content.load_pack(copy).heroes["orsa"].blue) == (9, 10)
