"""Parties of classes by name, or with halves of cards left out."""

import pytest

from agemonia_env.envs import env_class
from agemonia_env.rulesets.hexdungeon import content
from agemonia_env.rulesets.hexdungeon.arguments import check_arguments
from agemonia_env.rulesets.hexdungeon.content.party import half_name
from agemonia_env.rulesets.hexdungeon.core.terms import Op


def compiled(*lacking):
    """Thornarm in the Warm Cellar, without these halves."""
    heroes = [{"hero": "thornarm", "without": [half_name(*half) for half in lacking]}]
    return content.compile_scenario("hex-core", "warm-cellar", heroes)


def lines(found, card, half):
    """(op, amount) of each line of a half."""
    row = found.content[0]["hero"][0]["card"][card]["half"][half]
    rows = found.content[0]["row"][row["first"] : row["first"] + row["n_rows"]]
    return [(Op(line["op"]), int(line["amount"])) for line in rows]


def test_g14_2_a_half_left_out_is_attack_2_or_move_2():
    lacking = compiled(("Fell the Tree", "top"), ("Thornskin", "bottom"))
    assert lines(lacking, 9, 0) == [(Op.ATTACK, 2)]
    assert lines(lacking, 7, 1) == [(Op.MOVE, 2)]
    halves = lacking.names.halves[0]
    assert (halves[9], halves[7][1]) == (("Attack 2", "Move 2; Push 2"), "Move 2")
    felled = lacking.content[0]["hero"][0]["card"][9]
    assert (felled["initiative"], felled["half"][0]["loss"], felled["half"][0]["xp"]) == (95, 0, 0)


def test_everything_else_stays():
    whole, lacking = compiled(), compiled(("Fell the Tree", "top"))
    sheets = [found.content[0]["hero"][0] for found in (whole, lacking)]
    assert len({int(sheet["n_cards"]) for sheet in sheets}) == 1
    assert (sheets[0]["initiative"] == sheets[1]["initiative"]).all()
    assert all(lines(whole, k, 0) == lines(lacking, k, 0) for k in range(9))
    assert whole.names.cards == lacking.names.cards
    assert whole.fingerprint != lacking.fingerprint
    plain = content.compile_scenario("hex-core", "warm-cellar", ["thornarm"])
    assert plain.fingerprint == whole.fingerprint


def test_the_environments_take_such_a_party():
    heroes = [{"hero": "thornarm", "without": ["Rip (top)"]}, "bellkeeper"]
    env = env_class("HexDungeon-v0")(heroes=heroes)
    assert env.compiled.names.halves[0][1][0] == "Attack 2"
    assert env.compiled.names.classes == ("thornarm", "bellkeeper")


@pytest.mark.parametrize(
    ("heroes", "error"),
    [
        ([{"hero": "thornarm", "lacks": []}], "lacks: unknown key"),
        ([{"without": []}], "hero: is missing"),
        ([{"hero": "thornarm"}, "thornarm"], "a class can be in the party only once"),
        ([3], "or a list of class names and mappings such as {'hero': 'thornarm'}"),
    ],
)
def test_arguments_say_what_is_wrong_with_a_party(heroes, error):
    with pytest.raises(ValueError, match="heroes") as raised:
        check_arguments(heroes=heroes)
    assert error in str(raised.value)


def test_a_half_that_is_not_there_is_refused():
    meant = r"without: unknown half 'Rip \(left\)'; did you mean 'Rip \("
    with pytest.raises(ValueError, match=meant):
        compiled(("Rip", "left"))
