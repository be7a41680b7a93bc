"""Changes to packs: what they change, what they leave alone, and errors."""

import hashlib
import itertools
import json
import pickle
import re

import gymnasium
import pytest

import agemonia_env
from agemonia_env.balance import variant
from agemonia_env.packs.folders import ContentError
from agemonia_env.packs.patches import plain
from agemonia_env.rulesets.agemonia.content.compile import check, compile_scenario
from agemonia_env.rulesets.agemonia.content.load import FORMAT, load_pack
from agemonia_env.rulesets.agemonia.content.pack_tools import PACK_TOOLS
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv

CARD = "hR, eR-S-h, hG, eG-C-h, hB, eB-O-h"
NOTE = re.compile(r" \[changed: .*?\](?=\")")  # of a text that states numbers
HEALTH = "enemies.reedling.health.per_hero +1"


def pack_fingerprint(pack, *, names=True):
    return PACK_TOOLS.fingerprint(FORMAT.cards(pack), names=names)


@pytest.fixture(scope="module")
def core():
    return load_pack("core")


def errors_of(pack, *parts):
    with pytest.raises(ContentError) as found:
        FORMAT.patched(pack, parts)
    return found.value.errors


# ---- what a change does ---------------------------------------------------------------------
OAR = ("actions", 1)
REEDLING, ORSA, FORD = ("enemies", "reedling"), ("heroes", "orsa"), ("scenarios", "ford")


@pytest.mark.parametrize(
    ("change", "card", "place", "new"),
    [
        ("enemies.reedling.card.health.per_hero +1", REEDLING, ("card", "health", "per_hero"), 3),
        ("enemies.reedling.health +2", REEDLING, ("card", "health", "base"), 2),
        ("heroes.orsa.actions.Sweeping Oar.cost = 0", ORSA, (*OAR, "cost"), 0),
        ('heroes.orsa.actions."Sweeping Oar".cost=0', ORSA, (*OAR, "cost"), 0),
        ("heroes.orsa.actions[1].cost + 2", ORSA, (*OAR, "cost"), 3),
        (
            "heroes.orsa.actions.Sweeping Oar.effects.attack.dice +2",
            ORSA,
            (*OAR, "effects", 0, "attack", "dice"),
            5,
        ),
        ("heroes.orsa.classes.Chainhand.name = Chain", ORSA, ("classes", 0, "name"), "Chain"),
        ("scenarios.ford.difficulty.hard.health = 4", FORD, ("difficulty", "hard", "health"), 4),
        ("scenarios.ford.setup[0].amount +1", FORD, ("setup", 0, "amount"), 2),
        ("decks.fate.values[0] = 4", ("decks", "fate"), ("values", 0), 4),
        ("decks.injury.Cracked Rib.move +1", ("decks", "injury"), ("cards", 0, "move"), 1),
    ],
)
def test_a_change_changes_its_value_and_nothing_else(core, change, card, place, new):
    changed, _ = FORMAT.patched(core, [change])
    before, after = FORMAT.cards(core), FORMAT.cards(changed)
    expected = before[card].model_dump(by_alias=True)
    container = expected
    for key in place[:-1]:
        container = container[key]
    assert container[place[-1]] != new
    container[place[-1]] = new
    found = after[card].model_dump(by_alias=True)
    assert json.loads(NOTE.sub("", json.dumps(found))) == json.loads(json.dumps(expected))
    assert [name for name in before if before[name] != after[name]] == [card]


def test_defaults_beside_a_changed_value_stay(build):
    """An action that a card leaves to the schema is a whole one, with an attack."""
    pack = load_pack(build())
    changed, _ = FORMAT.patched(pack, ["enemies.rat.actions.staring.move +1"])
    old, new = (p.enemies["rat"].card.actions.staring for p in (pack, changed))
    assert (new.move, new.attack) == (old.move + 1, old.attack)
    assert new.attack is not None


def test_lists_lose_and_gain(core):
    before = core.initiative.cards
    changed, _ = FORMAT.patched(
        core,
        [
            f"decks.initiative - {CARD}",
            "decks.fate - 3",
            "decks.fate - 3",
            "decks.fate + 9",
            "heroes.orsa.items - oilskin",
            "decks.trap - Bog Gas",
            "scenarios.ford.difficulty - easy",
            "scenarios.ford.difficulty - normal",
            "scenarios.ford.difficulty - hard",
            "scenarios.ford.difficulty - brutal",
        ],
    )
    assert changed.initiative.cards == [before[0], *before[2:]]
    assert changed.fate.values == [0, 1, 1, 1, 2, 2, 2, 2, 9]
    assert changed.heroes["orsa"].items == ["boat-hook", "plank-shield", "grapnel"]
    assert "Bog Gas" not in [card.name for card in changed.traps.cards]
    assert changed.scenarios["ford"].difficulty == {}


def test_positions_are_those_of_the_unchanged_pack(core):
    changes = ["decks.fate.values[1] = 7", "decks.fate - 0", "decks.fate.values[9] = 5"]
    for order in itertools.permutations(changes):
        assert FORMAT.patched(core, order)[0].fate.values == [7, 1, 1, 2, 2, 2, 2, 3, 5]


def test_a_text_with_numbers_lists_the_changes_beside_it(core):
    oar, item = "heroes.orsa.actions.Sweeping Oar", "items.yarrow"
    changed, _ = FORMAT.patched(
        core, [f"{oar}.cost = 0", f"{oar}.effects.attack.dice +1", f"{item}.weight +1"]
    )
    text = changed.heroes["orsa"].actions[1].text
    assert text.startswith("Cost 1. ")
    assert text.endswith(" [changed: cost = 0, effects[0].attack.dice + 1]")
    assert changed.items["yarrow"].text.endswith(" [changed: weight + 1]")
    own, _ = FORMAT.patched(core, [f'{oar}.text = "Free."', "heroes.orsa.taunt +0"])
    assert own.heroes["orsa"].actions[1].text == "Free."


@pytest.mark.parametrize("change", ["decks.fate - true", "decks.fate - 1.0", "decks.fate - '1'"])
def test_text_that_looks_like_a_number_removes_none(core, change):
    (error,) = errors_of(core, change)
    assert "there is no" in error


def test_a_key_that_is_not_there_finds_its_like(core):
    (error,) = errors_of(core, "enemies.reedling.health.per_heroes +1")
    assert error.endswith("did you mean 'per_hero'? Allowed: base, per_hero")
    (error,) = errors_of(core, "enemys.reedling.shield +1")
    assert "'enemys' in the pack; did you mean 'enemies'? Allowed: " in error


def test_changes_beyond_all_measure_are_refused_at_once(core):
    (error,) = errors_of(core, "x" + " " * 100_000)
    assert error.endswith("has 100,001 characters; at most 2,000")
    (error,) = errors_of(core, *["decks.fate + 1"] * 1001)
    assert error == "1,001 changes; at most 1,000"


def test_a_new_key_of_a_mapping(core):
    changed, _ = FORMAT.patched(core, ["scenarios.ford.health.reedling = {base: 7}"])
    assert changed.scenarios["ford"].health["reedling"].base == 7


@pytest.mark.parametrize("place", FORMAT.cards(load_pack("core")), ids=".".join)
def test_a_card_survives_being_taken_apart(core, place):
    card = FORMAT.cards(core)[place]
    assert type(card).model_validate(plain(card)) == card


def test_the_pack_on_the_disk_and_in_memory_stays(core):
    def digest():
        files = sorted((FORMAT.home / "core").rglob("*.yaml"))
        return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()

    old, before = digest(), repr(core)
    FORMAT.patched(core, [HEALTH, "decks.fate - 3", "heroes.orsa.items + yarrow"])
    assert digest() == old
    assert repr(core) == before
    assert load_pack("core") is load_pack("core")


# ---- composition and fingerprints -----------------------------------------------------------
def test_the_order_of_changes_does_not_matter(core):
    changes = [HEALTH, HEALTH, "enemies.reedling.health +1", "heroes.orsa.blue -1"]
    packs = [FORMAT.patched(core, order)[0] for order in itertools.permutations(changes)]
    assert {pack_fingerprint(pack) for pack in packs} == {pack_fingerprint(packs[0])}
    assert packs[0].enemies["reedling"].card.health.per_hero == 4
    first, _ = FORMAT.patched(core, changes[:2])
    assert pack_fingerprint(FORMAT.patched(first, changes[2:])[0]) == pack_fingerprint(packs[0])


@pytest.mark.parametrize(
    ("change", "same_fingerprint", "same_numbers"),
    [
        ("enemies.reedling.health.per_hero = 2", True, True),
        ("enemies.reedling.flavour = There are many of them.", True, True),
        ("enemies.reedling.name = Reed Imp", False, True),
        ("heroes.orsa.actions.Sweeping Oar.name = Wide Sweep", False, True),
        (HEALTH, False, False),
        ("decks.initiative - " + CARD, False, False),
    ],
)
def test_fingerprints(core, change, same_fingerprint, same_numbers):
    changed, _ = FORMAT.patched(core, [change])
    assert (pack_fingerprint(changed) == pack_fingerprint(core)) == same_fingerprint
    same = pack_fingerprint(changed, names=False) == pack_fingerprint(core, names=False)
    assert same == same_numbers
    old, new = (compile_scenario(pack, "ford") for pack in (core, changed))
    assert (old.fingerprint == new.fingerprint) == same_fingerprint
    assert (old.content.tobytes() == new.content.tobytes()) == same_numbers


# ---- as text, everywhere --------------------------------------------------------------------
def test_a_variant_is_a_text_that_is_read_again(core):
    text = variant(
        "core", HEALTH, "enemies.wisp.name = 'Wisp; \"Cold\"'", f"decks.initiative - {CARD}"
    )
    assert variant(text) == text
    assert json.loads(json.dumps(text)) == pickle.loads(pickle.dumps(text)) == text
    again = load_pack(text)
    assert again.name == text
    assert again.enemies["wisp"].name == 'Wisp; "Cold"'
    assert len(again.initiative.cards) == 17
    assert again.enemies["reedling"].card.health.per_hero == 3
    assert load_pack("core;") is core


def test_environments_and_simulations_take_a_variant():
    pack = variant("core", HEALTH)
    env = gymnasium.make("agemonia_env:Agemonia-v0", pack=pack)
    _, info = env.reset(seed=1)
    row = agemonia_env.simulate(games=1, pack=pack).row(0, named=True)
    assert row["pack"] == pack
    assert row["ruleset"] == info["ruleset"] == AgemoniaEnv(pack=row["pack"]).compiled.fingerprint
    assert row["ruleset"] != AgemoniaEnv().compiled.fingerprint


def test_scenarios_drawn_from_a_seed_know_the_changes():
    drawn = {"scenario": "random", "scenario_seed": [1, 5], "games": 5, "heroes": ["orsa", "ivo"]}
    plain_rows = agemonia_env.simulate(**drawn)
    rows = agemonia_env.simulate(**drawn, pack=variant("core", "heroes.orsa.blue +3"))
    assert (rows["scenario_seed"] == plain_rows["scenario_seed"]).all()
    assert (rows["ruleset"] != plain_rows["ruleset"]).all()


def test_a_private_pack_can_be_changed_and_checked(build):
    folder = build()
    assert load_pack(variant(folder, "heroes.anna.blue +1")).name.startswith("small; ")
    assert check(f"{folder}; heroes.anna.blue +1") == []
    (mistake,) = check(f"{folder}; heroes.anna.bleu +1")
    assert mistake.startswith("heroes.anna.bleu +1: there is no 'bleu' in heroes.anna")


def test_files_of_changes(tmp_path, core):
    (tmp_path / "softer.yaml").write_text(
        "name: softer\nchanges:\n- enemies.wisp.shield = 0\n- heroes.orsa.blue +1\n"
    )
    changed, found = FORMAT.patched(core, ["softer.yaml", HEALTH], tmp_path)
    assert len(found) == 3
    assert changed.heroes["orsa"].blue == 10
    assert load_pack(f"core; {tmp_path / 'softer.yaml'}").heroes["orsa"].blue == 10
    (tmp_path / "odd.yaml").write_text("changes: [3]\nnames: odd\n")
    errors = errors_of(core, str(tmp_path / "odd.yaml"), "none.yaml", "heroes.orsa.bleu +1")
    text = "\n".join(errors)
    assert "odd.yaml: changes[0]: must be a valid string; it is 3" in text
    assert "odd.yaml: names: unknown key; did you mean 'name'? Allowed: name, text, changes" in text
    assert "none.yaml: file: cannot be read" in text
    assert "there is no 'bleu'" in text


# ---- what is refused ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("enemies.reedlng.shield +1", "there is no 'reedlng' in enemies; did you mean 'reed"),
        ("heroes.orsa.actions.Oar.cost +1", "allowed: Hook and Hold, Sweeping Oar, "),
        ("decks.fate.values[10] = 1", "there is no [10] in decks.fate.values; allowed: 0, 1, "),
        ("decks.fate - 8", "there is no 8 in decks.fate.values; allowed: 0, 1, 1, "),
        ("enemies +1", "enemies is a folder"),
        (
            "enemies.reedling = {}",
            "is a whole file or item; name one of its values: name, flavour, ",
        ),
        ("enemies.reedling +1", "is not a number; it has: colour, "),
        (
            "enemies.reedling.name +1",
            "the old value is 'Reedling', which is not a number; set it with =",
        ),
        ("scenarios.ford.timer +1", "the old value is not set"),
        ("heroes.orsa.blue +x", "'x' is not a number"),
        ("heroes.orsa.blue = many", "must be a valid integer; it is 'many'"),
        ("heroes.orsa.blue +91", "must be less than or equal to 99; it is 100"),
        ("heroes.orsa.blue -9", "must be greater than or equal to 1; it is 0"),
        ("heroes.orsa.move = {fre: 1}", "move.fre: unknown key; did you mean 'free'"),
        ("decks.initiative[0].bars[0] = hX", "'hX' is not a bar"),
        ("enemies.reedling.colour = grey", "'grey' is not allowed; did you mean 'green'"),
        ("enemies.reedling.shield", "is not a change; a change is such as"),
        ("enemies..shield +1", "'enemies..shield' is not a path"),
        ("enemies.reedling.shield = [", "is not YAML"),
    ],
)
def test_one_clear_error(core, change, reason):
    (error,) = errors_of(core, change)
    assert error.startswith(f"{change}: ")
    assert reason in error


def test_every_error_at_once(core):
    wrong = ["heroes.orsa.bleu +1", "heroes.orsa.blue = many", "heroes.ivo.might = 1000", "what"]
    errors = errors_of(core, HEALTH, *wrong)
    assert [error.partition(": ")[0] for error in errors] == [
        wrong[0],
        wrong[3],
        wrong[1],
        wrong[2],
    ]


def test_unknown_names_are_reported_with_wrong_types(core):
    crowd = "scenarios.ford.setup + {type: reedlin, area: Q}"
    errors = errors_of(core, crowd, "enemies.reedling.shield = yes, many")
    assert [error.partition(": ")[0] for error in errors] == [
        "enemies.reedling.shield = yes, many",
        "scenarios/ford.yaml",
        "scenarios/ford.yaml",
    ]


def test_a_whole_file_is_refused_beside_a_change_of_it(core):
    (error,) = errors_of(core, "enemies.reedling = {}", "enemies.reedling.shield +1")
    assert error.startswith("enemies.reedling = {}: is a whole file")


def test_two_changes_that_only_together_go_too_far(core):
    (error,) = errors_of(core, "heroes.orsa.blue +50", "heroes.orsa.blue + 49")
    assert error.startswith("heroes.orsa.blue +50 and heroes.orsa.blue + 49: must be less than")


def test_a_name_that_is_in_no_other_file(core):
    (error,) = errors_of(core, "heroes.orsa.items + spoon")
    assert re.match(r"heroes/orsa.yaml: items\[4\]: unknown item 'spoon'; allowed: ", error)


@pytest.mark.parametrize(
    "changes",
    [
        ("heroes.orsa.might = 1", "heroes.orsa.might = 2"),
        ("heroes.orsa.might = 1", "heroes.orsa.might +1"),
        ("heroes.orsa.move = {free: 1}", "heroes.orsa.move.paid +1"),
        ("enemies.reedling.health = 4", "enemies.reedling.card.health.base +1"),
        ("decks.fate.values = [1, 2]", "decks.fate - 3"),
        ("decks.injury - Cracked Rib", "decks.injury.Cracked Rib.move +1"),
    ],
)
def test_changes_that_contradict_each_other(core, changes):
    for one, other in (changes, changes[::-1]):
        assert f"{other}: contradicts `{one}`" in errors_of(core, one, other)


@pytest.mark.parametrize(
    "changes",
    [
        ("heroes.orsa.might = 1", "heroes.orsa.might = 1"),
        ("heroes.orsa.might +1", "heroes.orsa.might -1"),
        ("heroes.orsa.might = 1", "heroes.ivo.might = 2"),
        ("decks.injury - Cracked Rib", "decks.injury.Turned Ankle.move +1"),
        ("decks.fate + 3", "decks.fate - 3"),
    ],
)
def test_changes_that_go_together(core, changes):
    one, other = (FORMAT.patched(core, order)[0] for order in (changes, changes[::-1]))
    assert pack_fingerprint(one) == pack_fingerprint(other)
