"""From files to the record: parties, levels, numbers, names, fingerprints."""

import pytest

from agemonia_env.rulesets.hexdungeon import content
from agemonia_env.rulesets.hexdungeon.core.layout import ALL_TARGETS
from agemonia_env.rulesets.hexdungeon.core.terms import Effect, Op, Serve, Trigger


def record_of(folder, **arguments):
    return content.compile_scenario(folder, "hut", 1, **arguments).content[0]


def first_line(files, build, line):
    """The row of a line at the top of the first card."""
    files["classes/poker.yaml"]["cards"][0] |= {"top": [line]}
    record = record_of(build())
    half = record["hero"][0]["card"][0]["half"][0]
    assert half["n_rows"] == 1
    return record["row"][half["first"]], record


def test_parties():
    def classes(heroes):
        return content.compile_scenario("hex-core", "warm-cellar", heroes).names.classes

    party = content.load_pack("hex-core").card.party
    assert classes(3) == tuple(party[:3])
    assert classes(["thornarm", "wallwright"]) == ("thornarm", "wallwright")
    assert classes("fenrunner") == ("fenrunner",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"scenario": "hat"},
            r"unknown scenario 'hat'; did you mean 'hut'\? Allowed: hut",
        ),
        ({"heroes": 0}, "heroes: 0; allowed: 1 to 1, or names of classes"),
        ({"heroes": 2}, "heroes: 2; allowed: 1 to 1, or names of classes"),
        ({"heroes": ["joker"]}, "heroes: unknown class 'joker'; did you mean 'poker'"),
        ({"heroes": ["poker", "poker"]}, "heroes: poker, poker; allowed: 1 to 4 different"),
        ({"heroes": []}, "heroes: ; allowed: 1 to 4 different classes"),
        ({"level": 4}, "level: 4; allowed: 0, 1, 2, 3"),
    ],
)
def test_arguments_that_are_not_allowed(build, arguments, message):
    with pytest.raises(ValueError, match=message):
        content.compile_scenario(build(), **{"scenario": "hut", "heroes": 1, **arguments})


def test_the_level_chooses_stat_cards_and_trap_damage(files, build):
    levels = files["monsters/rat.yaml"]["levels"]
    for level, ranks in enumerate(levels):
        levels[level] = {k: {**stats, "hit_points": 5 + level} for k, stats in ranks.items()}
    folder = build()
    for level in range(4):
        record = record_of(folder, level=level)
        assert record["kind"][0]["stats"]["hp"].tolist() == [5 + level] * 2
        assert record["kind"][0]["stats"]["shield"].tolist() == [0, 1]
        assert record["trap"][0]["damage"] == 2 + level
    assert record["trap"]["at"].tolist() == [3 * 4 - 1, *[-1] * 23]


def test_traps_of_the_legend(files, build):
    hut = files["scenarios/hut.yaml"]
    hut["map"] = hut["map"].replace("^", "t")
    hut["legend"]["t"] = {"trap": {"damage": 1, "conditions": ["stun"]}}
    trap = record_of(build())["trap"][0]
    assert (trap["damage"], trap["conditions"]) == (1, 1 << Effect.STUN)


def test_an_attack(files, build):
    line = {"attack": 3, "range": 2, "targets": "all", "pierce": 1, "advantage": True, "xp": 1}
    row, _ = first_line(files, build, {**line, "effects": ["wound", {"pull": 2}]})
    assert (row["op"], row["amount"], row["range"], row["xp"]) == (Op.ATTACK, 3, 2, 1)
    assert (row["targets"], row["pierce"], row["advantages"]) == (ALL_TARGETS, 1, 1)
    assert row["effect"].tolist() == [Effect.WOUND, Effect.PULL, 0, 0, 0, 0, 0, 0]
    assert row["effect_amount"].tolist() == [0, 2, 0, 0, 0, 0, 0, 0]
    assert (row["template"], row["bonus"], row["kind"]) == (-1, -1, -1)


def test_a_template(files, build):
    row, record = first_line(files, build, {"attack": 2, "template": "arc", "add_target": 1})
    template = record["template"][row["template"]]
    assert (template["grey"], template["n_cells"], template["n_orientations"]) == (1, 2, 6)
    assert template["cell"][:2].tolist() == [[1, 0], [0, 1]]
    assert row["extra_targets"] == 1


def test_a_summon(files, build):
    row, record = first_line(files, build, {"summon": "cat"})
    assert (row["op"], row["kind"]) == (Op.SUMMON, 1)
    assert record["n_types"] == 1
    assert record["kind"][1]["stats"][0]["hp"] == 4


def test_an_active_bonus(files, build):
    bonus = {"attack": 2, "spaces": 2, "trigger": "attacks", "to": "party", "xp": [0, 1]}
    row, record = first_line(files, build, {"persistent": bonus})
    found = record["bonus"][row["bonus"]]
    assert row["op"] == Op.BONUS
    assert (found["round"], found["spaces"], found["attack"]) == (0, 2, 2)
    assert (found["trigger"], found["serves"]) == (Trigger.ATTACKS, Serve.PARTY)
    assert found["xp"][:3].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("line", "op", "reach", "serves"),
    [
        ({"push": 2}, Op.PUSH, 1, Serve.ENEMY),
        ({"pull": 2, "range": 3}, Op.PULL, 3, Serve.ENEMY),
        ({"loot": 2}, Op.LOOT, 2, Serve.SELF),
        ({"heal": 2, "range": 3}, Op.HEAL, 3, Serve.ALLY),
        ({"suffer": 1, "range": 2}, Op.SUFFER, 2, Serve.ENEMIES),
        ({"affect": "bless", "range": 2, "to": "party"}, Op.AFFECT, 2, Serve.PARTY),
        ({"infuse": "ice"}, Op.INFUSE, 0, Serve.SELF),
    ],
)
def test_other_lines(files, build, line, op, reach, serves):
    row, _ = first_line(files, build, line)
    assert (row["op"], row["range"], row["serves"]) == (op, reach, serves)


def test_basic_halves_and_the_modifier_deck(build):
    record = record_of(build())
    attack, move = record["row"][record["basic_attack"]], record["row"][record["basic_move"]]
    assert (attack["op"], attack["amount"], attack["range"]) == (Op.ATTACK, 2, 0)
    assert (move["op"], move["amount"]) == (Op.MOVE, 2)
    assert record["n_deck"] == 20
    assert record["deck"]["number"][:20].sum() == 0


def test_names_and_words(files, build):
    files["classes/poker.yaml"]["cards"][0]["top"] = [{"summon": "cat"}, "loss"]
    names = content.compile_scenario(build(), "hut", 1).names
    assert (names.pack, names.scenario, names.heroes) == ("small", "Hut", ("Poker",))
    assert names.kinds == ("Rat", "Cat")
    assert names.cards[0][:2] == ("Poke 0", "Poke 1")
    assert names.halves[0][:2] == (("Summon cat; loss", "Move 3"), ("Attack 2", "Move 3"))
    assert names.monster_cards[0][7] == "Bite 7"
    assert names.monster_lines[0][7] == "Move +0; Attack +0"
    assert names.texts["monster/Rat"] == "-"


def test_the_fingerprint_changes_with_numbers_and_names_but_not_with_texts(files, build):
    marks = [content.compile_scenario(build(), "hut", 1).fingerprint]
    files["classes/poker.yaml"]["text"] = "Pokes."
    assert content.compile_scenario(build(), "hut", 1).fingerprint == marks[0]
    assert content.compile_scenario(build(), "hut", 1, level=2).fingerprint != marks[0]
    files["classes/poker.yaml"]["cards"][0]["name"] = "Prod"
    marks.append(content.compile_scenario(build(), "hut", 1).fingerprint)
    files["classes/poker.yaml"]["hit_points"] = 9
    marks.append(content.compile_scenario(build(), "hut", 1).fingerprint)
    assert len(set(marks)) == 3
