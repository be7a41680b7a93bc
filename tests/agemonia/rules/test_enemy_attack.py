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


def test_r10_31_a_loss_spends_chips_first():
    table, (hero,), beast = world({"blue": 2}, loss=True)
    strike(table, beast)
    assert (hero.disk, hero.spent, hero.wounds) == (0, 1, 1)


def test_r10_33_an_attack_without_value_only_gives_its_condition():
    table, (hero,), beast = world(value=None, condition="held")
    strike(table, beast)
    assert (hero.wounds, hero.holds(Condition.HELD)) == (0, True)


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


def test_r10_37_drain_heals_what_it_caused():
    table, _, beast = world(drain=True)
    beast.record["health"] = 4
    strike(table, beast)
    assert beast.health == 7


def test_r12_5_weakened_takes_two_and_goes():
    table, (hero,), beast = world()
    beast.record["conditions"] = 1 << Condition.WEAKENED
    strike(table, beast)
    assert (hero.wounds, beast.conditions) == (1, 0)


def test_r12_8_a_confused_enemy_misses_its_attack():
    table, (hero,), beast = world()
    beast.record["conditions"] = 1 << Condition.CONFUSED
    strike(table, beast)
    assert (hero.wounds, beast.conditions) == (0, 0)


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
def test_r11_1_mirror_of_a_passive():
    table, (hero,), beast = world({"locks": [{"need": 1, "mirror": True}]}, condition="held")
    strike(table, beast)
    assert (hero.wounds, hero.conditions, beast.health) == (0, 0, 6)


def test_r11_4_mirror_does_not_touch_attacks_without_value():
    table, (hero,), beast = world({"mirror": 1}, value=None, condition="held")
    strike(table, beast)
    assert (hero.holds(Condition.HELD), beast.health) == (True, 9)


def test_r11_5_revenge_gives_back_what_was_taken():
    table, _, beast = world({"might": 1, "revenge": 1})
    table.reaction_dice(1)
    strike(table, beast)
    assert beast.health == 7
    assert (table.dealt[0], table.dealt[N_ALLIES]) == (2, 2)


@pytest.mark.parametrize(
    ("riposte", "health"),
    [
        ({"amount": 2}, 7),
        ({"amount": 2, "type": "ranged"}, 9),
        ({"amount": 2, "when": "damaged"}, 7),
        ({"amount": 2, "when": "undamaged"}, 9),
        ({"amount": 2, "range": 0}, 7),
    ],
)
def test_r11_10_riposte_in_its_circumstances(riposte, health):
    table, _, beast = world({"locks": [{"need": 1, "riposte": riposte}]})
    strike(table, beast)
    assert beast.health == health


def test_r11_10_riposte_has_its_range():
    riposte = {"amount": 2, "range": 1}
    table, _, beast = world(
        {"at": "c", "locks": [{"need": 1, "riposte": riposte}]}, type="ranged", range=3
    )
    strike(table, beast)
    assert beast.health == 9


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


def test_q35_the_bearer_of_mirror_rolls_no_check():
    table, (hero,), beast = world({"mirror": 1, "might": 2})
    strike(table, beast)
    assert (hero.wounds, beast.health, table.log(Event.DIE)) == (0, 6, [])


def test_r10_5_the_parts_of_an_attack_are_done_in_their_order():
    table, _, beast = world({}, condition="slowed", push=1)
    strike(table, beast)
    order = [row[0] for row in table.log(Event.DAMAGE, Event.GAIN, Event.STEP)]
    assert order == [Event.DAMAGE, Event.GAIN, Event.STEP]
