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


FULL = {"b": {"capacity": 1}, "c": {"capacity": 1}}
HIGH_AND_FULL = {"capacity": 1, "level": 1}
HILL = [("a", "b", "double"), ("b", "c", "double")]


@pytest.mark.parametrize(
    ("rule", "map_", "kind", "band", "reached"),
    [
        ("R9.13 next to it", ("a-b-c", FULL | {"b": {"capacity": 2}}), "MELEE", {}, "a"),
        ("R9.13 a full area", ("a-b-c", FULL), "MELEE", {}, "ab"),
        ("R9.13 double line", ("a-b", {"b": HIGH_AND_FULL}, HILL[:1]), "MELEE", {}, "a"),
        ("R9.14", (), "MELEE", {"range": [0, 1]}, "ab"),
        ("R9.14", (), "MELEE", {"range": [1, 2]}, "bc"),
        ("R9.17", (), "RANGED", {}, "bcd"),
        ("R9.18", (), "MAGIC", {}, "abcd"),
        ("R9.17 a band of its own", (), "RANGED", {"range": [2, 4]}, "cde"),
        ("R7.24 height between hides", ("a-b-c", {"b": {"level": 1}}, HILL), "MAGIC", {}, "ab"),
    ],
)
def test_who_can_be_attacked(rule, map_, kind, band, reached):
    table, hero = lined(*map_)
    assert targets(table, hero, AttackType[kind], **band) == reached


# ---- obstructed aim -------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rule", "others", "obstructed"),
    [
        ("R9.20", {}, 0),
        ("R9.20 beside the attacker", {"enemy": "a"}, 1),
        ("R9.20", {"companion": "a"}, 0),
        ("R9.20 beside the target", {"companion": "c"}, 1),
        ("R9.20", {"enemy": "c"}, 1),
        ("R9.20 on the way", {"companion": "b"}, 1),
        ("R9.20 on the way", {"enemy": "b"}, 1),
        ("R9.20", {"enemy": "d"}, 0),
        ("R10.29", {"companion": "c"}, 1),
        ("R10.29", {"enemy": "c"}, 0),
        ("R10.29", {"enemy": "a"}, 1),
    ],
)
def test_what_obstructs_the_aim_of_an_ally_and_of_an_enemy(rule, others, obstructed):
    table = Table("a-b-c-d")
    pair = table.hero("a"), table.enemy("c")
    for figure, area in others.items():
        getattr(table, figure)(area)
    attacker, target = pair if rule.startswith("R9") else reversed(pair)
    assert table.query(Query.AIM, attacker, target)[0] == obstructed


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
