"""R9.13 to R9.24: reach, range, sight and obstructed aim."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Query, Verb
from agemonia_env.rulesets.agemonia.core.terms import AttackType
from tests.agemonia.rules.table import Table


def targets(table, hero, attack_type, **attack):
    """Names of the areas whose Enemy may be attacked."""
    card = schema.Attack.model_validate({"type": attack_type.name.lower(), **attack})
    row = table.builder.add_attack(card)
    legal = table.query(Query.TARGETS, hero, row, attack_type)
    enemies = table.states["enemy"][0]
    return "".join(table.areas[enemies[e]["area"]] for e in range(len(enemies)) if legal[e])


def lined(areas="a-b-c-d-e", more=None, borders=()):
    """A Hero in the first area and an Enemy in every area."""
    table = Table(areas, areas=more, borders=borders)
    hero = table.hero()
    for name in table.areas:
        table.enemy(name)
    return table, hero


@pytest.mark.parametrize(("capacity", "reached"), [(2, "a"), (1, "ab")])
def test_r9_13_melee_reaches_an_adjacent_area_only_if_it_is_full(capacity, reached):
    table, hero = lined("a-b-c", more={"b": {"capacity": capacity}, "c": {"capacity": 1}})
    assert targets(table, hero, AttackType.MELEE) == reached


def test_r9_13_melee_does_not_reach_over_a_double_line():
    more = {"b": {"capacity": 1, "level": 1}}
    table, hero = lined("a-b", more=more, borders=[("a", "b", "double")])
    assert targets(table, hero, AttackType.MELEE) == "a"


@pytest.mark.parametrize(("band", "reached"), [([0, 1], "ab"), ([1, 2], "bc")])
def test_r9_14_melee_with_a_range(band, reached):
    table, hero = lined()
    assert targets(table, hero, AttackType.MELEE, range=band) == reached


def test_r9_17_and_r9_18_bands_of_plain_weapons():
    table, hero = lined()
    assert targets(table, hero, AttackType.RANGED) == "bcd"
    assert targets(table, hero, AttackType.MAGIC) == "abcd"


def test_r9_17_an_attack_has_its_own_band():
    table, hero = lined()
    assert targets(table, hero, AttackType.RANGED, range=[2, 4]) == "cde"


def test_r7_24_height_between_hides():
    more = {"b": {"level": 1}}
    table, hero = lined("a-b-c", more=more, borders=[("a", "b", "double"), ("b", "c", "double")])
    assert targets(table, hero, AttackType.MAGIC) == "ab"


# ---- obstructed aim -------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("others", "obstructed"),
    [
        ({}, 0),
        ({"enemy": "a"}, 1),  # beside the attacker
        ({"companion": "a"}, 0),
        ({"companion": "c"}, 1),  # beside the target
        ({"enemy": "c"}, 1),
        ({"companion": "b"}, 1),  # on the way
        ({"enemy": "b"}, 1),
        ({"enemy": "d"}, 0),
    ],
)
def test_r9_20_what_obstructs_the_aim_of_an_ally(others, obstructed):
    table = Table("a-b-c-d")
    hero, target = table.hero("a"), table.enemy("c")
    for figure, area in others.items():
        getattr(table, figure)(area)
    assert table.query(Query.AIM, hero, target)[0] == obstructed


@pytest.mark.parametrize(
    ("others", "obstructed"), [({"companion": "c"}, 1), ({"enemy": "c"}, 0), ({"enemy": "a"}, 1)]
)
def test_r10_29_what_obstructs_the_aim_of_an_enemy(others, obstructed):
    table = Table("a-b-c-d")
    hero, beast = table.hero("a"), table.enemy("c")
    for figure, area in others.items():
        getattr(table, figure)(area)
    assert table.query(Query.AIM, beast, hero)[0] == obstructed


def test_r9_24_figures_obstruct_only_on_every_line():
    borders = [("a", "b"), ("b", "d"), ("a", "c"), ("c", "d")]
    for blocked, obstructed in (("b", 0), ("c", 0), ("bc", 1)):
        table = Table("a", areas={name: {} for name in "abcd"}, borders=borders)
        hero, target = table.hero("a"), table.enemy("d")
        for area in blocked:
            table.companion(area)
        assert table.query(Query.AIM, hero, target)[0] == obstructed


def test_r7_27_figures_never_block_sight():
    table = Table("a-b-c")
    hero = table.hero("a")
    table.enemy("b")
    table.companion("b")
    table.enemy("c")
    table.finish()
    assert table.content["seen"][hero.area] >> 2 & 1
    weapon = {"attack": {"type": "ranged", "dice": 1, "range": [1, 3]}}
    token = table.action(hero, effects=[weapon])
    row = int(table.content["sheet"]["token"][hero.slot, token])
    table.perform(Verb.ATTACK, hero, row, 0)
    assert table.legal(Block.ENEMY) == [0, 1]
