"""R17.5, R6.11, R15.9, R3.7, R3.8, R3.12, R7.17: using, moving and giving items."""

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import N_GROUND
from agemonia_env.rulesets.agemonia.core.terms import (
    AttackType,
    Condition,
    Decision,
    Denial,
    Event,
    Special,
)
from tests.agemonia.rules.equipment import (
    AGILITY,
    COAT,
    CUT,
    MIGHT,
    SWORD,
    WILL,
    carried,
    choose,
    in_use,
    lying,
    shielded,
    struck,
    turn,
)
from tests.agemonia.rules.table import Table


# ---- R17.5: dropping, picking up, giving ----------------------------------------------------
def test_r17_5_items_are_taken_dropped_and_given_once_a_turn():
    table, hero, begin = turn()
    friend = table.hero("a")
    table.carry(hero, "herb")
    table.carry(hero, "key")
    table.lay("a", "coin")
    begin()
    choose(table, Turn.TAKE_ITEM, 0)
    choose(table, Turn.DROP_ITEM, 0)
    choose(table, Turn.TAKE_ITEM, 0)
    table.answer(Block.TURN, Turn.GIVE_ITEM)
    assert table.denials(Block.ITEM)[:4] == [
        Denial.HANDLED,
        Denial.NONE,
        Denial.HANDLED,
        Denial.NO_SUCH_ITEM,
    ]
    table.answer(Block.ITEM, 1)
    assert table.asks == (Decision.GIVE_TO, hero.slot)
    assert table.legal() == [(Block.ALLY, friend.slot)]
    table.answer(Block.ALLY, friend)
    assert (carried(table, hero), carried(table, friend)) == (["herb", "coin"], ["key"])
    assert table.denial(Block.TURN, Turn.DROP_ITEM) == Denial.HANDLED
    assert (table.actions, table.maneuvers) == (1, 1)


def test_r17_5_own_items_stay_with_their_hero():
    table, hero, _ = turn()
    friend = table.hero("a")
    fallen = table.hero("a", exhausted=1)
    table.carry(hero, "oath", own=True)
    table.carry(fallen, "oath")
    assert table.perform(Verb.DROP, hero, 0) == Denial.NOT_TO_GIVE
    assert table.perform(Verb.GIVE, hero, friend, 0) == Denial.NOT_TO_GIVE
    assert table.perform(Verb.TAKE, friend, 0) == Denial.NO_SUCH_ITEM


def test_r13_8_what_the_exhausted_carry_can_be_picked_up():
    table, hero, begin = turn()
    fallen = table.hero("a", exhausted=1)
    elsewhere = table.hero("b", exhausted=1)
    table.carry(fallen, "oath", own=True)
    table.carry(fallen, "coat", used=True, **COAT)
    table.carry(fallen, "herb")
    table.carry(elsewhere, "key")
    table.lay("a", "coin")
    begin()
    table.answer(Block.TURN, Turn.TAKE_ITEM)
    assert table.legal(Block.GROUND) == [0, 1, 2]
    table.answer(Block.GROUND, 1)
    choose(table, Turn.TAKE_ITEM, 1)
    assert carried(table, hero) == ["coat", "herb"]
    assert (carried(table, fallen), in_use(fallen)) == (["oath"], [])


def test_r17_5_an_item_dropped_is_no_longer_in_use():
    table, hero, _ = turn()
    place = table.carry(hero, "sword", used=True, **SWORD)
    assert table.perform(Verb.DROP, hero, 0) == Denial.NONE
    assert (in_use(hero), hero.armed[AttackType.MELEE], hero.item[place]) == ([], 0, -1)
    assert (lying(table), table.log(Event.DROP)) == (["sword"], [(Event.DROP, hero.slot, 0, 0)])


def test_r17_5_no_more_items_in_an_area_than_it_holds():
    table, hero, _ = turn()
    for k in range(N_GROUND):
        table.lay("a", f"stone {k}")
    table.carry(hero, "herb")
    assert table.perform(Verb.DROP, hero, N_GROUND) == Denial.TOO_MUCH
    assert table.perform(Verb.TAKE, hero, 3) == Denial.NONE
    assert table.perform(Verb.DROP, hero, N_GROUND) == Denial.NONE


def test_r17_5_hindered_heroes_drop_but_neither_take_nor_give():
    table, hero, begin = turn()
    friend = table.hero("a")
    table.carry(hero, "herb")
    table.lay("a", "coin")
    for _ in range(2):
        table.enemy("a")
    begin()
    assert table.denial(Block.TURN, Turn.TAKE_ITEM) == Denial.HINDERED
    assert table.denial(Block.TURN, Turn.GIVE_ITEM) == Denial.HINDERED
    assert table.denial(Block.TURN, Turn.DROP_ITEM) == Denial.NONE
    assert carried(table, friend) == []


# ---- R3.12, R3.7, R3.8: items on checks, dice rolled again ----------------------------------
def test_r3_12_several_different_items_add_to_a_check_before_the_roll():
    table, hero, _ = turn(might=1)
    shield = table.carry(
        hero, "plank", used=True, wear="hand", hands=1, boost={"might": 3, "agility": 3}
    )
    charm = table.carry(hero, "charm", boost={"might": 1})
    twin = table.carry(hero, "charm")
    away = table.carry(hero, "spare", wear="hand", hands=1, boost={"might": 3})
    table.reaction_dice(0)
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 9)
    assert (table.asks, table.unrolled) == ((Decision.BOOST, hero.slot), 1)
    assert table.denial(Block.ITEM, away) == Denial.NO_USE  # R17.1: it is not active
    table.answer(Block.ITEM, charm)
    assert table.denial(Block.ITEM, twin) == Denial.ALREADY_CHOSEN
    table.answer(Block.ITEM, shield)
    assert int(table.states["check"]["remaining"][0]) == 5
    assert carried(table, hero) == ["charm", "spare"]


def test_r17_6_an_armour_rune_serves_armour_with_a_slot_that_protects():
    table, hero, begin = turn(disk=4, spent=4, might=0)
    rune = table.carry(hero, "rune", kept=True, armour_rune=True, boost={"might": 2})
    mail = table.carry(hero, "mail", wear="armour", rune_slot=True, passive={"need": 2})
    table.carry(hero, "coat", used=True, **COAT)
    assert shielded(table, hero) == 1  # the coat has no slot: nothing is asked
    begin()
    choose(table, Turn.WEAR_ITEM, mail)
    table.answer(Block.TURN, Turn.END_TURN)
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 9)
    assert table.legal(Block.ITEM) == [rune]
    table.answer(Block.DONE)
    table.perform(Verb.DAMAGE, hero, 7)  # two on the disk, four spent, one of the lock
    assert (in_use(hero), shielded(table, hero)) == ([mail], 0)


def test_r3_12_items_for_active_checks_and_those_kept():
    table, hero, _ = turn(agility=1)
    place = table.carry(hero, "lens", kept=True, boost_active={"agility": 2})
    table.dice(1)
    table.perform(Verb.ACTIVE_CHECK, hero, AGILITY, 3)
    table.answer(Block.ITEM, place)
    assert (table.states["check"]["success"][0], hero.worn_out) == (1, 1 << place)
    table.dice(1)
    table.perform(Verb.ACTIVE_CHECK, hero, AGILITY, 3)
    assert (table.states["check"]["success"][0], table.unrolled) == (0, 0)


def test_r3_12_items_may_be_kept_for_another_check():
    table, hero, _ = turn(might=1)
    table.carry(hero, "charm", boost={"might": 1})
    table.reaction_dice(1)
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 3)
    table.answer(Block.DONE)
    assert (int(table.states["check"]["remaining"][0]), carried(table, hero)) == (2, ["charm"])


def test_r3_8_h_faces_are_rolled_again_and_r3_7_serve_nothing_more():
    table, hero, _ = turn(will=2, conditions=[Condition.BLESSED])
    hood = {"wear": "helmet", "passive": {"need": 0, "reroll_h": "will", "h_worth": {"will": 2}}}
    table.carry(hero, "hood", used=True, **hood)
    table.reaction_dice("H", "H", "H", 1, "H")
    table.perform(Verb.REACTIVE_CHECK, hero, WILL, 9)
    assert table.asks == (Decision.REROLL, hero.slot)
    table.answer(Block.YES)  # H and 1: the H was used, and R9.12: Blessed comes after
    assert table.asks == (Decision.BLESSED, hero.slot)
    table.answer(Block.YES)
    assert (int(table.states["check"]["remaining"][0]), table.unrolled) == (9 - 1 - 2, 0)


def test_r3_8_h_faces_may_be_kept_and_other_abilities_have_no_such_skill():
    table, hero, _ = turn(will=1, might=1)
    table.content["sheet"]["reroll_h"][hero.slot] = 1 << WILL
    table.content["sheet"]["h_worth"][hero.slot] = 1
    table.reaction_dice("H", "H")
    table.perform(Verb.REACTIVE_CHECK, hero, WILL, 9)
    table.answer(Block.NO)
    assert int(table.states["check"]["remaining"][0]) == 8
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 9)
    assert int(table.states["check"]["remaining"][0]) == 8


def test_r3_8_a_whole_roll_is_made_again_and_replaces_the_first():
    table, hero, begin = turn(weapons=None, rerolls=2)
    rat = struck(table, begin, "S", "X", 0, 2)
    assert table.asks == (Decision.REROLL, hero.slot)
    table.answer(Block.YES)  # 1, and an extra die that shows 0
    table.answer(Block.YES)
    assert (rat.health, hero.rerolls, hero.disk, table.unrolled) == (7, 0, 8, 0)


def test_r3_8_a_roll_made_again_offers_its_h_faces_again():
    table, hero, _ = turn(will=1, rerolls=1)
    table.content["sheet"]["reroll_h"][hero.slot] = 1 << WILL
    table.reaction_dice("H", 0, "H", 2)
    table.perform(Verb.REACTIVE_CHECK, hero, WILL, 9)
    for _ in range(3):
        assert table.answer(Block.YES) == Denial.NONE
    assert (int(table.states["check"]["remaining"][0]), table.asks[0]) == (7, Decision.NONE)


# ---- R6.11: use -----------------------------------------------------------------------------
def test_r6_11_an_item_is_used_at_any_time_of_the_own_turn_and_discarded():
    table, hero, begin = turn(disk=2, wounds=6)
    place = table.carry(hero, "balm", effects=[{"heal": {"amount": 3}}])
    begin()
    choose(table, Turn.USE_ITEM, place)
    table.answer(Block.ALLY, hero)
    assert (hero.disk, hero.wounds, carried(table, hero)) == (5, 3, [])
    assert (table.actions, table.maneuvers, table.asks[0]) == (1, 1, Decision.TURN)


def test_r6_4_some_items_cost_a_maneuver():
    table, hero, begin = turn()
    table.carry(hero, "scroll", maneuver=True, effects=[{"evade": 2}])
    begin()
    choose(table, Turn.USE_ITEM, 0)
    assert (table.maneuvers, hero.evade) == (0, 2)
    table.carry(hero, "scroll")
    assert table.denial(Block.TURN, Turn.USE_ITEM) == Denial.NO_MANEUVER_LEFT


def test_r6_3_an_item_gives_a_maneuver_once_a_scenario():
    table, hero, begin = turn()
    place = table.carry(hero, "jewel", kept=True, effects=[{"maneuver": 1}])
    begin()
    choose(table, Turn.USE_ITEM, place)
    assert (table.maneuvers, carried(table, hero)) == (2, ["jewel"])
    assert table.denial(Block.TURN, Turn.USE_ITEM) == Denial.USED_UP


def test_r6_11_what_is_used_up_stays_where_it_is():
    table, hero, begin = turn()
    table.carry(hero, "jewel", kept=True, effects=[{"maneuver": 1}])
    begin()
    choose(table, Turn.USE_ITEM, 0)
    assert table.denial(Block.TURN, Turn.DROP_ITEM) == Denial.USED_UP


def test_r9_1_an_item_may_grant_an_attack_that_is_not_an_action():
    table, hero, begin = turn(weapons=None, conditions=[Condition.CURSED])
    bomb = {"attack": {"type": "ranged", "dice": 1, "range": [0, 2]}}
    table.carry(hero, "bomb", effects=[bomb])
    rat = table.enemy("b", health=9)
    table.dice(2)
    begin()
    choose(table, Turn.USE_ITEM, 0)
    table.answer(Block.ENEMY, rat)
    assert (rat.health, table.actions, hero.holds(Condition.CURSED)) == (7, 1, True)


def test_r6_11_an_item_that_can_do_nothing_is_not_used():
    table, hero, begin = turn()
    table.carry(hero, "ring")
    begin()
    assert table.denial(Block.TURN, Turn.USE_ITEM) == Denial.NO_USE
    table.carry(hero, "leash", effects=[{"damage": {"amount": 1, "range": 0}}])
    assert table.denial(Block.TURN, Turn.USE_ITEM) == Denial.NO_TARGET


# ---- R15.9: openings ------------------------------------------------------------------------
def opening(**more):
    """A game with two Heroes; the first has a rune for the start of phase 3."""
    table = Table("a-b")
    hero, friend = table.hero(blue=8), table.hero(blue=8)
    table.carry(hero, "rune", opening={"special": "first", "cost": 3}, **more)
    table.enemy("b")
    table.begin()
    table.step(Block.TOKEN, 0)
    table.step(Block.TOKEN, 0)
    return table, hero, friend


def test_r15_9_a_special_initiative_at_the_start_of_phase_3():
    table, hero, friend = opening()
    assert table.asks == (Decision.OPENING, hero.slot)
    table.step(Block.ITEM, 0)
    assert (hero.special, hero.uses, hero.disk) == (Special.FIRST, Special.FIRST, 5)
    assert (carried(table, hero), table.active_ally, table.bar) == ([], hero.slot, 0)
    assert friend.special == 0


def test_r15_9_it_may_be_kept():
    table, hero, _ = opening(kept=True)
    table.step(Block.DONE)
    assert (hero.special, hero.disk, carried(table, hero)) == (0, 8, ["rune"])
    assert table.asks == (Decision.NEXT_ALLY, -1)


def test_r15_9_it_is_not_offered_if_useless_or_too_expensive():
    table = Table("a-b")
    first = {"name": "first", "special": "first", "effects": [{"evade": 1}]}
    hero, poor = table.hero(blue=8, actions=[first]), table.hero(blue=8)
    for ally in (hero, poor):
        table.carry(ally, "rune", opening={"special": "first", "cost": 3})
    table.content["sheet"]["wounds"][poor.slot] = 6
    table.enemy("b")
    table.begin()
    table.step(Block.TOKEN, 2)
    table.step(Block.TOKEN, 0)
    assert (table.asks, table.active_ally) == ((Decision.TURN, hero.slot), hero.slot)


# ---- R7.17, R19.7: ropes and traps ----------------------------------------------------------
def test_r7_17_a_rope_is_fixed_and_taken_back_in_the_own_turn():
    table = Table("a-b", areas={"a": {"level": 1}}, borders=[["a", "b", "double"]])
    hero = table.hero("a", blue=8, actions=[CUT], token=2)
    table.carry(hero, "rope", rope=True)
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.denial(Block.TURN, Turn.TAKE_ROPE) == Denial.NO_ROPE
    table.answer(Block.TURN, Turn.FIX_ROPE)
    assert (table.asks, table.legal()) == ((Decision.ROPE, hero.slot), [(Block.AREA, 1)])
    table.answer(Block.AREA, 1)
    assert (table.maneuvers, table.rope[0], carried(table, hero)) == (0, 1 << 1, [])
    assert table.denial(Block.TURN, Turn.FIX_ROPE) == Denial.NO_MANEUVER_LEFT
    table.answer(Block.TURN, Turn.TAKE_ROPE)
    table.answer(Block.AREA, 1)
    assert (table.rope[0], table.rope[1], carried(table, hero)) == (0, 0, ["rope"])


def test_r18_8_a_pet_is_called_back_before_it_is_put_away():
    table, hero, begin = turn("a-b")
    owl = {"name": "Owl", "text": "-", "pet": True, "fly": True, "move": 2}
    table.builder.add_figure("owl", schema.FigureCard.model_validate(owl))
    place = table.carry(hero, "owl", used=True, wear="pet", pet="owl")
    begin()
    table.answer(Block.TURN, Turn.PLACE_PET)
    table.answer(Block.TURN, Turn.MOVE_PET)
    table.answer(Block.AREA, 1)
    table.answer(Block.DONE)
    assert table.denial(Block.TURN, Turn.WEAR_ITEM) == Denial.OUT_OF_RANGE
    table.states["figure"]["area"][0, 0] = 0
    choose(table, Turn.WEAR_ITEM, place)
    assert (in_use(hero), table.states["figure"]["area"][0, 0]) == ([], -1)
