"""R10.20 to R10.39 and section 11: an Enemy's attack, Ally by Ally."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Query, Verb
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.terms import Ability, Condition, Decision, Denial, Event
from tests.agemonia.rules.table import Table


def world(*heroes, areas="a-b-c", **attack):
    """Heroes by their keywords (no reactive dice), and one Enemy in a with this attack."""
    table = Table(areas)
    plain = {"blue": 20, "might": 0}
    allies = [table.hero(**(plain | hero)) for hero in heroes or ({},)]
    action = {"attack": {"type": "melee", "value": 3} | attack}
    actions = dict.fromkeys(("staring", "open", "closed"), action)
    return table, allies, table.enemy("a", actions=actions, health=9)


def strike(table, beast, *targets):
    row = int(table.content["type"]["strike"][beast.type, 0])
    return table.perform(Verb.ENEMY_ATTACK, beast.slot, row, len(targets), *targets)


def wounds(allies):
    return [ally.wounds for ally in allies]


# ---- its targets --------------------------------------------------------------------------------
def test_r10_20_melee_takes_the_highest_taunt():
    table, heroes, beast = world({"taunt": 1}, {"taunt": 5})
    strike(table, beast)
    table.answer(Block.NO)  # nobody stands in
    assert wounds(heroes) == [0, 3]


def test_r10_23_ranged_takes_the_nearest():
    table, heroes, beast = world({"at": "b"}, {"at": "c", "taunt": 5}, type="ranged", range=2)
    strike(table, beast)
    assert wounds(heroes) == [3, 0]


def test_r10_24_the_players_choose_among_equals():
    table, heroes, beast = world({}, {}, {"at": "b"})
    strike(table, beast)
    assert table.asks == (Decision.ENEMY_TARGET, -1)
    assert table.legal() == [(Block.ALLY, 0), (Block.ALLY, 1)]
    assert table.denial(Block.ALLY, 2) == Denial.NOT_TIED_BEST
    table.answer(Block.ALLY, 1)
    table.answer(Block.NO)
    assert wounds(heroes) == [0, 3, 0]


def test_r10_25_invisible_allies_are_not_targets():
    table, heroes, beast = world(
        {"at": "c", "conditions": [Condition.INVISIBLE]}, type="magic", range=3
    )
    assert table.query(Query.ENEMY_TARGETS, beast.slot, 0)[0] == 0
    strike(table, beast)
    assert wounds(heroes) == [0]


def test_r10_26_another_hero_of_the_area_may_take_the_hit():
    table, heroes, beast = world({"taunt": 5}, {}, {"at": "b"})
    table.companion("a")
    strike(table, beast)
    assert table.asks == (Decision.STAND_IN, 0)
    assert table.legal() == [(Block.NO, 0), (Block.ALLY, 1)]
    assert table.denial(Block.ALLY, 0) == Denial.ALREADY_CHOSEN
    assert table.denial(Block.ALLY, 2) == Denial.OUT_OF_RANGE
    assert table.denial(Block.ALLY, 3) == Denial.NOT_A_HERO
    table.answer(Block.ALLY, 1)
    assert wounds(heroes) == [0, 3, 0]


def test_r10_27_several_targets_and_their_order():
    table, heroes, beast = world({"taunt": 3}, {"taunt": 2}, {"taunt": 1}, target=2)
    strike(table, beast)
    assert table.asks == (Decision.STAND_IN, 0)
    table.answer(Block.NO)
    table.answer(Block.NO)
    assert table.asks == (Decision.STRIKE_ORDER, -1)
    assert table.legal() == [(Block.ALLY, 0), (Block.ALLY, 1)]
    assert table.denial(Block.ALLY, 2) == Denial.NOT_TIED_BEST
    table.answer(Block.ALLY, 1)
    assert wounds(heroes) == [3, 3, 0]


def test_r10_28_an_area_attack_hits_everybody_there():
    table, heroes, beast = world({}, {"at": "b"}, {"at": "c"}, type="magic", area=1)
    strike(table, beast)
    table.answer(Block.ALLY, 0)
    assert wounds(heroes) == [3, 3, 0]


# ---- what it does ---------------------------------------------------------------------------
HOLD, HELD = {"value": None, "condition": "held"}, 1 << Condition.HELD
WEAKENED, CONFUSED = ({"conditions": 1 << one} for one in (Condition.WEAKENED, Condition.CONFUSED))
FAR, UNHURT = {"type": "ranged", "range": 3}, {"wounds": 0}


def lock(**passive):
    return {"locks": [{"need": 1, **passive}]}


def riposte(**more):
    return lock(riposte={"amount": 2, **more})


MIRROR = lock(mirror=True)


@pytest.mark.parametrize(
    ("rule", "hero", "attack", "enemy", "expected"),
    [
        ("R10.31", {"blue": 2}, {"loss": True}, {}, {"disk": 0, "spent": 1, "wounds": 1}),
        ("R10.33", {}, HOLD, {}, {"wounds": 0, "gained": HELD}),
        ("R10.37 drain", {}, {"drain": True}, {"health": 4}, {"health": 7}),
        ("R12.5 takes two", {}, {}, WEAKENED, {"wounds": 1, "conditions": 0}),
        ("R12.8 misses", {}, {}, CONFUSED, {"wounds": 0, "conditions": 0}),
        ("R11.1", MIRROR, {"condition": "held"}, {}, {"gained": 0, "health": 6} | UNHURT),
        ("R11.4 without value", {"mirror": 1}, HOLD, {}, {"gained": HELD, "health": 9}),
        ("Q35 no check", {"mirror": 1, "might": 2}, {}, {}, {"health": 6, "dice": []} | UNHURT),
        ("R11.10", riposte(), {}, {}, {"health": 7}),
        ("R11.10 other type", riposte(type="ranged"), {}, {}, {"health": 9}),
        ("R11.10 damaged", riposte(when="damaged"), {}, {}, {"health": 7}),
        ("R11.10 undamaged", riposte(when="undamaged"), {}, {}, {"health": 9}),
        ("R11.10 in its range", riposte(range=0), {}, {}, {"health": 7}),
        ("R11.10 out of it", {"at": "c"} | riposte(range=1), FAR, {}, {"health": 9}),
    ],
)
def test_what_an_attack_does(rule, hero, attack, enemy, expected):
    table, (target,), beast = world(hero, **attack)
    for name, value in enemy.items():
        beast.record[name] = value
    strike(table, beast)
    seen = {name: getattr(target, name) for name in ("disk", "spent", "wounds")}
    seen |= {"gained": target.conditions, "health": beast.health, "conditions": beast.conditions}
    seen |= {"dice": table.log(Event.DIE)}
    assert seen == seen | expected


def test_r10_30_the_check_prevents_damage_and_riders():
    for face, left, held in ((2, 1, True), (1, 2, True)):
        table, (hero,), beast = world({"might": 1}, condition="held")
        table.reaction_dice(face)
        strike(table, beast)
        assert (hero.wounds, hero.holds(Condition.HELD)) == (left, held)
    table, (hero,), beast = world({"might": 2}, condition="held")
    table.reaction_dice(2, 1)
    strike(table, beast)
    assert (hero.wounds, hero.holds(Condition.HELD)) == (0, False)


def test_r10_29_obstructed_aim_takes_one():
    table, heroes, beast = world({"at": "b"}, {"at": "b"}, type="ranged", range=2)
    strike(table, beast, 0)
    table.answer(Block.NO)
    assert wounds(heroes) == [2, 0]


@pytest.mark.parametrize(("face", "damage", "slowed"), [(2, 0, False), (1, 2, True)])
def test_r10_34_or_else(face, damage, slowed):
    or_else = {"ability": "will", "number": 1, "damage": 2, "condition": "slowed"}
    table, (hero,), beast = world({"will": 1}, value=None, or_else=or_else)
    table.dice(face)  # Hindered: 1 less
    strike(table, beast)
    assert (hero.wounds, hero.holds(Condition.SLOWED)) == (damage, slowed)


def test_r3_10_an_or_else_may_offer_several_abilities():
    or_else = {"ability": ["agility", "will"], "number": 1, "damage": 2}
    table, (hero,), beast = world({"will": 1, "agility": 0}, value=None, or_else=or_else)
    strike(table, beast)
    assert table.asks == (Decision.ABILITY, hero.slot)
    table.dice(2)
    table.answer(Block.ABILITY, Ability.WILL)
    assert hero.wounds == 0


def test_r12_10_a_dominated_enemy_strikes_another_enemy():
    table, (hero,), beast = world()
    near = [table.enemy("b", health=9, shield=3) for _ in range(2)]
    far = table.enemy("c", health=9)
    beast.record["conditions"] = 1 << Condition.DOMINATED
    strike(table, beast)
    assert table.asks == (Decision.DOMINATED_ENEMY, -1)
    assert table.legal(Block.ENEMY) == [enemy.slot for enemy in near]
    assert table.denial(Block.ENEMY, far) == Denial.NOT_TIED_BEST
    table.answer(Block.ENEMY, near[1])
    assert (near[0].health, near[1].health, hero.wounds, beast.conditions) == (9, 7, 0, 0)


def test_r12_10_a_dominated_ally_strikes_the_closest_ally_at_the_start_of_its_turn():
    table, heroes, _ = world({"conditions": [Condition.DOMINATED]}, {"at": "b"}, {"at": "b"})
    table.perform(Verb.START_TURN, heroes[0], 0, 0)
    assert table.asks == (Decision.DOMINATED_ALLY, -1)
    assert table.legal() == [(Block.ALLY, 1), (Block.ALLY, 2)]
    assert table.denial(Block.ALLY, 0) == Denial.NOT_TIED_BEST
    table.answer(Block.ALLY, 1)
    assert table.asks == (Decision.STAND_IN, 1)
    table.answer(Block.ALLY, 2)
    assert (wounds(heroes), table.actions) == ([0, 0, 2], 0)


# ---- Mirror, Revenge, Riposte ---------------------------------------------------------------


def test_r11_5_revenge_gives_back_what_was_taken():
    table, _, beast = world({"might": 1, "revenge": 1})
    table.reaction_dice(1)
    strike(table, beast)
    assert beast.health == 7
    assert (table.dealt[0], table.dealt[N_ALLIES]) == (2, 2)


@pytest.mark.parametrize(
    ("passive", "value", "ends"),
    [
        ({"mirror": True}, 3, True),
        ({"mirror": True}, None, False),  # nothing to turn back
        ({"revenge": True}, 3, True),
        ({"riposte": {"amount": 1, "type": "ranged"}}, 3, False),
        ({"riposte": {"amount": 1}}, 3, True),
    ],
)
def test_r14_12_a_passive_with_an_end_of_its_own_ends_once_it_has_worked(passive, value, ends):
    lock = {"need": 2, "ends": True, **passive}
    table, (hero,), beast = world({"might": 0, "locks": [lock]}, value=value, condition="held")
    strike(table, beast)
    assert hero.lock_passive[0] == (-1 if ends else 0)
    assert hero.lock_chips[0] == (0 if ends else 2)


def test_r10_5_the_parts_of_an_attack_are_done_in_their_order():
    table, _, beast = world({}, condition="slowed", push=1)
    strike(table, beast)
    order = [row[0] for row in table.log(Event.DAMAGE, Event.GAIN, Event.STEP)]
    assert order == [Event.DAMAGE, Event.GAIN, Event.STEP]
