"""Whole turns against the rulebook: effects that single verbs do not show."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial, Kind, Special
from tests.agemonia.rules.table import IDLE, Table

MIGHT, AGILITY, WILL = range(3)
DODGE = {"name": "dodge", "effects": [{"evade": 1}]}


def turn(table, hero):
    """The own turn of an Ally has begun."""
    assert table.perform(Verb.START_TURN, hero, 0, 0) == Denial.NONE
    assert table.decision == Decision.TURN


def striker(table, at="a", **attack):
    """An Enemy with one attack, and a function that makes it."""
    action = {"attack": {"type": "melee", "value": 3} | attack}
    beast = table.enemy(at, actions=dict.fromkeys(IDLE, action), health=20)

    def strike():
        row = int(table.content["type"]["strike"][beast.type, 0])
        assert table.perform(Verb.ENEMY_ATTACK, beast.slot, row, 0) == Denial.NONE

    return beast, strike


# ---- R18.8: pets ----------------------------------------------------------------------------
def keeper():
    """A Hero in its turn with a pet in use, which is off the map."""
    table = Table("a-b-c")
    hero = table.hero(blue=8)
    card = schema.FigureCard(name="heron", text="-", pet=True, move=2)
    table.builder.add_figure("heron", card)
    table.carry(hero, "perch", used=True, wear="pet", pet="heron")
    turn(table, hero)
    return table, hero


def pet(table):
    record = table.states["figure"][0, 0]
    return int(record["owner"]), int(record["area"])


def test_r18_8_a_pet_taken_back_and_placed_again_has_moved():
    table, _ = keeper()
    for choice in (Turn.PLACE_PET, Turn.MOVE_PET):
        assert table.answer(Block.TURN, choice) == Denial.NONE
    table.answer(Block.DONE)
    assert table.answer(Block.TURN, Turn.RECALL_PET) == Denial.NONE
    if table.denial(Block.TURN, Turn.PLACE_PET) == Denial.NONE:
        table.answer(Block.TURN, Turn.PLACE_PET)
    assert table.denial(Block.TURN, Turn.MOVE_PET) != Denial.NONE


def test_r18_8_placing_and_taking_back_does_not_go_on_for_ever():
    table, _ = keeper()
    for _ in range(20):
        for choice in (Turn.PLACE_PET, Turn.MOVE_PET, Turn.RECALL_PET):
            if table.denial(Block.TURN, choice) == Denial.NONE:
                table.answer(Block.TURN, choice)
                if table.decision == Decision.TOKEN_STEP:
                    table.answer(Block.DONE)
                break
        else:
            return
    raise AssertionError("a choice without cost can be made again and again")


def test_r18_8_a_pet_taken_back_moves_in_the_next_turn():
    table, hero = keeper()
    for choice in (Turn.PLACE_PET, Turn.MOVE_PET):
        table.answer(Block.TURN, choice)
    table.answer(Block.DONE)
    table.answer(Block.TURN, Turn.RECALL_PET)
    table.answer(Block.TURN, Turn.END_TURN)
    hero.record["acted"] = 0
    turn(table, hero)
    assert table.answer(Block.TURN, Turn.PLACE_PET) == Denial.NONE
    assert (pet(table), table.denial(Block.TURN, Turn.MOVE_PET)) == ((0, 0), Denial.NONE)


# ---- R8.9, R14.3: Evade of a lock -----------------------------------------------------------
def test_r14_3_evade_of_a_lock_serves_the_turn_in_which_it_is_locked():
    table = Table("a-b")
    lock = {"name": "veil", "effects": [{"lock": {"need": 1, "evade": 2}}]}
    hero = table.hero("a", blue=8, actions=[lock], token=2)
    table.enemy("a", provoke=2, actions=IDLE)
    turn(table, hero)
    assert table.answer(Block.TURN, Turn.ACT) == Denial.NONE
    assert hero.evade == 2


def test_r14_3_evade_of_a_lock_goes_with_it():
    table = Table("a-b")
    hero = table.hero("a", blue=8, evade=1, locks=[{"need": 1, "evade": 2}])
    turn(table, hero)
    assert hero.evade == 3
    table.answer(Block.LOCK, 0)
    assert hero.evade == 1


# ---- R11: what the bearer had as the attack was made ----------------------------------------
RIPOSTE = {"riposte": {"amount": 2}}


@pytest.mark.parametrize(
    ("chips", "gear"),
    [({"spent": 2, "wounds": 3}, True), ({"locks": [{"need": 2} | RIPOSTE], "wounds": 4}, False)],
    ids=["of gear", "of a lock that the attack breaks"],
)
def test_r11_13_riposte_still_happens_if_the_attack_exhausts_its_bearer(chips, gear):
    table = Table()
    table.hero("a", blue=8)  # somebody is still standing
    hero = table.hero("a", disk=0, wounded=1, might=0, taunt=9, **chips)
    if gear:
        table.carry(hero, "lid", used=True, wear="hand", hands=1, passive={"need": 0} | RIPOSTE)
    beast, strike = striker(table)
    strike()
    table.answer(Block.NO)
    assert (hero.exhausted, beast.health) == (1, 18)


def test_q44_revenge_of_a_lock_counts_its_own_chips():
    table = Table()
    hero = table.hero("a", disk=0, locks=[{"need": 2, "revenge": True}], might=0)
    beast, strike = striker(table)
    strike()
    assert (hero.wounded, beast.health) == (1, 17)


def test_r11_1_mirror_of_a_lock_that_a_later_part_of_the_attack_breaks():
    table = Table("a-b", areas={"b": {"level": -1}}, borders=[("a", "b", "double")])
    hero = table.hero(
        "a", disk=0, locks=[{"need": 2, "mirror": True}], might=0, agility=0, wounds=4
    )
    beast, strike = striker(table, push=1)
    strike()
    assert (hero.area, beast.health) == (1, 17)


# ---- R7.50 ----------------------------------------------------------------------------------
def test_r7_50_a_pull_without_a_range_has_its_own():
    table = Table("a-b-c")
    pull = {"name": "reel", "effects": [{"pull": {"amount": 2}}]}
    hero = table.hero("a", blue=8, actions=[pull], token=2)
    beast = table.enemy("c", actions=IDLE)
    turn(table, hero)
    assert table.answer(Block.TURN, Turn.ACT) == Denial.NONE
    table.answer(Block.ENEMY, beast)
    assert beast.area == 0


# ---- R3.8 -----------------------------------------------------------------------------------
def test_r3_8_a_helping_roll_is_one_of_the_rolls_of_its_hero():
    table = Table()
    hero = table.hero("a", disk=4, wounds=4, rerolls=1)
    table.dice(1, 1, 2, 2)
    table.perform(Verb.ROLL, hero, 2, 1, hero.slot)
    assert table.decision == Decision.REROLL
    table.answer(Block.YES)
    assert hero.disk == 8


# ---- R4.11 ----------------------------------------------------------------------------------
def test_r4_11_a_bad_rest_asks_nothing_before_the_scenario():
    table = Table("a", bad_rest=2)
    hero = table.hero("a", blue=6)
    table.content["bad_rest"] = 2
    table.content["sheet"]["wounds"][0] = 3
    for name, need in (("plate", 2), ("door", 1)):
        wear = "armour" if need == 2 else "hand"
        table.carry(
            hero,
            name,
            used=True,
            wear=wear,
            hands=int(need == 1),
            passive={"need": need, "reactive": {"might": 1}},
        )
    table.enemy("a", actions=IDLE)
    table.begin()
    assert table.decision == Decision.SELECT_ACTION


# ---- R18.8, R18.6: owners of pets and summoned allies -------------------------------------------
def test_r18_8_a_hero_does_not_move_the_pet_of_another():
    table = Table("a-b")
    keepers = [table.hero("a", blue=8), table.hero("a", blue=8)]
    table.builder.add_figure("heron", schema.FigureCard(name="heron", text="-", pet=True, move=2))
    for hero in keepers:
        table.carry(hero, "perch", used=True, wear="pet", pet="heron")
    turn(table, keepers[0])
    table.answer(Block.TURN, Turn.PLACE_PET)
    table.answer(Block.TURN, Turn.END_TURN)
    turn(table, keepers[1])
    denials = table.denials(Block.TURN)
    assert denials[Turn.PLACE_PET] == Denial.ALREADY_CHOSEN
    assert denials[Turn.MOVE_PET] == denials[Turn.RECALL_PET] == Denial.OUT_OF_ACTION


def test_r18_6_there_is_one_summoned_ally_at_most():
    table = Table("a-b")
    hero = table.hero("a", blue=8, token=2)
    for key in ("bargee", "miller"):
        slot = table.builder.add_ally(key, schema.CompanionSheet(), -1, key=key)
        table.content["sheet"]["waiting"][slot] = 1
        table.states["ally"]["kind"][0, slot] = Kind.COMPANION
        table.states["ally"]["area"][0, slot] = -1
        table.action(hero, effects=[{"summon_ally": {"ally": key, "range": 1}}])
    turn(table, hero)
    assert table.answer(Block.TURN, Turn.ACT) == Denial.NONE
    table.answer(Block.AREA, 1)
    table.answer(Block.TURN, Turn.END_TURN)
    hero.record["acted"], hero.record["token"] = 0, 3
    turn(table, hero)
    assert table.denial(Block.TURN, Turn.ACT) == Denial.ALREADY_CHOSEN


# ---- R3.7: one die, one effect --------------------------------------------------------------
def test_r3_7_gear_and_skill_do_not_both_use_one_h_face():
    table = Table()
    lock = {"need": 1, "h_worth": {"might": 1}}
    hero = table.hero("a", blue=8, might=2, locks=[lock])
    table.carry(
        hero, "coat", used=True, wear="armour", passive={"need": 0, "h_worth": {"might": 1}}
    )
    table.reaction_dice("H", "H")
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 9)
    assert int(table.states["check"]["remaining"][0]) == 7


# ---- R17.3: weight --------------------------------------------------------------------------
def test_r17_3_an_encumbered_hero_may_put_items_to_use():
    table = Table()
    hero = table.hero("a", blue=8)
    for k in range(2):
        table.carry(hero, f"axe {k}", wear="hand", hands=1, weight=4)
    stone = table.carry(hero, "stone", weight=1)
    table.lay("a", "feather", weight=1)
    turn(table, hero)
    assert table.denial(Block.TURN, Turn.TAKE_ITEM) == Denial.TOO_HEAVY
    assert table.answer(Block.TURN, Turn.WEAR_ITEM) == Denial.NONE
    assert table.answer(Block.ITEM, 0) == Denial.NONE
    assert table.denial(Block.TURN, Turn.TAKE_ITEM) == Denial.TOO_HEAVY
    assert table.answer(Block.TURN, Turn.DROP_ITEM) == Denial.NONE
    assert table.answer(Block.ITEM, stone) == Denial.NONE


def test_r17_3_a_backpack_is_not_put_away_under_its_load():
    table = Table()
    hero = table.hero("a", blue=8)
    frame = table.carry(hero, "frame", used=True, wear="backpack", carry=4, weight=1)
    table.carry(hero, "stone", weight=5)
    turn(table, hero)
    assert table.denial(Block.TURN, Turn.WEAR_ITEM) == Denial.TOO_HEAVY
    table.answer(Block.TURN, Turn.DROP_ITEM)
    assert table.denial(Block.ITEM, frame) == Denial.NONE  # without it 5 are carried


# ---- actions that end their actor -----------------------------------------------------------
def test_r13_8_the_rest_of_an_action_falls_away_with_its_actor():
    table = Table("a-b", areas={"b": {"level": -1}}, borders=[("a", "b", "double")])
    table.hero("a", blue=8)
    leap = {"name": "leap", "effects": [{"jump": {"range": 1}}, {"attack": {"dice": 2}}]}
    hero = table.hero("a", disk=1, wounds=3, wounded=1, agility=0, actions=[leap], token=2)
    beast = table.enemy("b", actions=IDLE, health=9)
    turn(table, hero)
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.AREA, 1)
    assert (hero.exhausted, beast.health, table.active_ally) == (1, 9, -1)


def test_r11_15_revenge_that_exhausts_the_attacker_ends_its_action():
    table = Table()
    table.hero("a", blue=8)
    twice = {"name": "twice", "effects": [{"attack": {"dice": 1}}, {"attack": {"dice": 1}}]}
    hero = table.hero("a", disk=1, wounds=3, wounded=1, actions=[twice], token=2)
    beast = table.enemy("a", actions=IDLE, health=9, revenge=True)
    turn(table, hero)
    table.dice(2)
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.ENEMY, beast)
    assert (hero.exhausted, beast.health, table.active_ally) == (1, 7, -1)


def test_r6_11_an_item_that_exhausts_its_user_is_used_up():
    table = Table("a-b")
    table.hero("a", blue=8)
    hero = table.hero("a", disk=1, wounds=3, wounded=1)
    tonic = table.carry(hero, "tonic", effects=[{"move": 2}])
    table.enemy("a", actions=IDLE, provoke=2)
    turn(table, hero)
    table.answer(Block.TURN, Turn.USE_ITEM)
    table.answer(Block.ITEM, tonic)
    table.answer(Block.AREA, 1)
    assert (hero.exhausted, hero.area, hero.item[tonic], table.active_ally) == (1, 0, -1, -1)


# ---- conditions in a turn -------------------------------------------------------------------
def test_r12_7_cursed_waits_for_an_attack_action_and_takes_all_its_stamina():
    table = Table()
    cut = {"name": "cut", "cost": 1, "effects": [{"attack": {"dice": 1}}, {"attack": {"dice": 1}}]}
    hero = table.hero("a", blue=9, actions=[cut], token=2, conditions=[Condition.CURSED])
    blast = {"type": "magic", "dice": 1, "shape": "area"}
    box = table.carry(hero, "box", effects=[{"attack": blast}])
    beast = table.enemy("a", actions=IDLE, health=20)
    turn(table, hero)
    table.dice("S")
    table.answer(Block.TURN, Turn.USE_ITEM)
    table.answer(Block.ITEM, box)
    table.answer(Block.AMOUNT, 2)
    assert (hero.spent, hero.wounds, hero.holds(Condition.CURSED)) == (2, 0, True)
    table.dice("S", "S")
    table.answer(Block.TURN, Turn.ACT)
    for _ in range(2):
        table.answer(Block.ENEMY, beast)
        table.answer(Block.AMOUNT, 2)
    assert (hero.spent, hero.wounds, hero.holds(Condition.CURSED)) == (2, 5, False)


def test_r12_6_held_forbids_a_jump_that_is_done_as_a_maneuver():
    table = Table("a-b")
    vault = {"name": "vault", "maneuver": True, "effects": [{"jump": {"range": 1}}]}
    hero = table.hero("a", blue=8, actions=[vault], conditions=[Condition.HELD])
    turn(table, hero)
    assert table.denial(Block.TOKEN, 2) != Denial.NONE
    table.answer(Block.TURN, Turn.DISCARD_HELD)
    assert (table.denial(Block.TOKEN, 2), table.maneuvers) == (Denial.NO_MANEUVER_LEFT, 0)


def test_r12_8_confused_takes_the_action_and_leaves_what_is_done_as_a_maneuver():
    table = Table()
    brace = {"name": "brace", "maneuver": True, "effects": [{"evade": 1}]}
    conditions = [Condition.CONFUSED]
    hero = table.hero("a", blue=8, actions=[DODGE, brace], token=2, conditions=conditions)
    turn(table, hero)
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NO_ACTION_LEFT
    assert table.denial(Block.TURN, Turn.RETHINK_MOVE) == Denial.NO_ACTION_LEFT
    assert table.answer(Block.TOKEN, 3) == Denial.NONE
    table.answer(Block.TURN, Turn.END_TURN)
    assert (hero.evade, hero.conditions) == (1, 0)


def test_r12_12_a_stunned_companion_with_the_bonus_maneuver_does_one():
    table = Table()
    ally = table.companion("a", conditions=[Condition.STUNNED])
    table.action(ally, effects=[{"attack": {"value": 2}}])
    table.enemy("a", actions=IDLE)
    table.perform(Verb.START_TURN, ally, 1, 0)
    assert (table.actions, table.maneuvers) == (0, 1)
    assert table.denial(Block.TURN, Turn.RECOVER_STAMINA) == Denial.NOT_A_HERO
    assert table.denial(Block.TURN, Turn.RETHINK_RESTORE) == Denial.NOT_A_HERO
    table.answer(Block.TURN, Turn.END_TURN)
    assert ally.conditions == 0


def test_r12_3_bleeding_exhausts_a_dominated_companion_before_it_strikes():
    table = Table()
    hero = table.hero("a", blue=8)
    ally = table.companion("a", health=1, conditions=[Condition.BLEEDING, Condition.DOMINATED])
    table.perform(Verb.START_TURN, ally, 0, 0)
    assert (ally.exhausted, ally.area, hero.wounds, table.active_ally) == (1, -1, 0, -1)


def test_r3_5_and_r16_companions_pay_nothing_on_checks():
    table = Table()
    ally = table.companion("a", might=2)
    table.dice("S", "X", 0)
    table.perform(Verb.ACTIVE_CHECK, ally, MIGHT, 1)
    check = table.states["check"][0]
    assert (table.decision, int(check["total"]), bool(check["success"])) == (0, 1, True)


# ---- gems, Rethink, Focus -------------------------------------------------------------------
def test_r16_3_without_its_gem_an_action_gives_way_to_rethink():
    table = Table()
    hero = table.hero("a", disk=4, spent=4, actions=[DODGE | {"gem": 1}], token=2)
    turn(table, hero)
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NO_GEM
    table.answer(Block.TURN, Turn.RETHINK_RESTORE)
    assert (hero.disk, table.actions) == (5, 0)


def test_r3_24_one_achievement_gem_serves_rethink_as_well():
    table = Table("a-b-c")
    hero = table.hero("a", blue=8, achievement=2, token=0)
    turn(table, hero)
    table.answer(Block.TURN, Turn.RETHINK_MOVE)
    table.answer(Block.AREA, 1)
    assert table.answer(Block.YES) == Denial.NONE
    assert table.denial(Block.YES) != Denial.NONE
    table.answer(Block.AREA, 2)
    assert (hero.area, hero.achievement) == (2, 1)


def test_r3_23_an_action_that_costs_a_gem_leaves_the_others_for_its_roll():
    table = Table()
    cut = {"name": "cut", "gem": 1, "effects": [{"attack": {"dice": 1}}]}
    hero = table.hero("a", blue=8, inspiration=1, actions=[cut], token=2)
    beast = table.enemy("a", actions=IDLE, health=9)
    turn(table, hero)
    table.dice(1)
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.ENEMY, beast)
    assert (table.decision, hero.inspiration, beast.health) == (Decision.TURN, 0, 8)


# ---- gear -----------------------------------------------------------------------------------
def test_r17_1_a_two_handed_weapon_frees_the_chips_of_the_shield_that_gives_way():
    table = Table()
    hero = table.hero("a", blue=8)
    shield = {"wear": "hand", "hands": 1, "passive": {"need": 1, "reactive": {"agility": 1}}}
    place = table.carry(hero, "shield", **shield)
    axe = table.carry(hero, "axe", wear="hand", hands=2, weapon={"type": "melee"})
    turn(table, hero)
    for k in (place, axe):
        table.answer(Block.TURN, Turn.WEAR_ITEM)
        table.answer(Block.ITEM, k)
    assert (hero.disk, hero.spent, hero.active, table.maneuvers) == (7, 1, 1 << axe, 0)


def test_r14_10_and_r13_9_heavy_gear_in_use_waits_for_its_chips_after_revival():
    table = Table()
    table.hero("a", blue=8)
    hero = table.hero("a", disk=0, wounds=6, wounded=1)
    plate = {"wear": "armour", "passive": {"need": 2, "reactive": {"might": 2}}}
    place = table.carry(hero, "plate", used=True, **plate)
    table.perform(Verb.DAMAGE, hero, 1)
    assert hero.exhausted == 1
    table.perform(Verb.REMOVE_EXHAUSTED, hero)
    assert (hero.disk, hero.active, max(hero.lock_passive)) == (6, 1 << place, -1)
    hero.record["revived"] = 0
    turn(table, hero)
    table.answer(Block.TURN, Turn.WEAR_ITEM)
    table.answer(Block.ITEM, place)
    assert (hero.disk, max(hero.lock_chips), table.maneuvers) == (4, 2, 0)


def test_r15_9_an_opening_beside_after_an_ally_leaves_the_choice():
    table = Table()
    after = DODGE | {"special": "after", "colour": "green"}
    hero = table.hero("a", blue=8, actions=[after])
    table.hero("a", blue=8)
    table.carry(hero, "rune", opening={"special": "first"})
    table.enemy("a", actions=IDLE, health=9)
    table.begin()
    table.step(Block.TOKEN, 2)
    table.step(Block.TOKEN, 0)
    assert table.asks == (Decision.OPENING, hero.slot)
    table.step(Block.ITEM, 0)
    assert table.asks == (Decision.SPECIAL, hero.slot)
    assert table.legal(Block.SPECIAL) == [0, 2]
    table.step(Block.SPECIAL, 0)
    record = table.states["ally"][0, 0]
    assert (table.active_ally, record["uses"], record["item"][0]) == (0, Special.FIRST, -1)


def test_r5_6_tactics_takes_the_colour_of_a_companion():
    table = Table()
    hero = table.hero("a", blue=8, actions=[DODGE | {"colour": "red"}])
    table.companion("a", colour="green")
    table.content["sheet"]["tactics"][hero.slot] = 1
    table.enemy("a", actions=IDLE, health=9)
    table.begin()
    table.step(Block.TOKEN, 2)
    assert (table.asks, table.legal(Block.ALLY)) == ((Decision.TACTICS, 0), [1])
    table.step(Block.ALLY, 1)
    record = table.states["ally"][0, 0]
    assert (record["colour"], record["disk"], record["spent"]) == (2, 7, 1)
    assert (table.decision, table.legal(Block.ALLY)) == (Decision.NEXT_ALLY, [0, 1])
