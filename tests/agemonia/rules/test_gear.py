"""R17.1 to R17.4, R17.6, R17.7, R17.9, R9.2 to R9.22: items in hand, worn, on weapons."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import AttackType, Condition, Decision, Denial
from tests.agemonia.rules.equipment import (
    AXE,
    BOW,
    COAT,
    DAGGER,
    PLATE,
    SPEAR,
    SWORD,
    VENOM,
    WAND,
    carried,
    choose,
    in_use,
    shielded,
    strike,
    struck,
    turn,
)


# ---- R17.1, R17.2: in hand ------------------------------------------------------------------
def test_r17_1_a_weapon_that_is_not_active_serves_nothing():
    table, hero, begin = turn()
    place = table.carry(hero, "sword", **SWORD)
    table.enemy("a")
    begin()
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NO_WEAPON
    choose(table, Turn.WEAR_ITEM, place)
    assert (hero.armed, table.denial(Block.TURN, Turn.ACT)) == ([1, 0, 0], Denial.NONE)
    choose(table, Turn.WEAR_ITEM, place)  # put away again
    assert (hero.armed, in_use(hero)) == ([0, 0, 0], [])


def test_r17_1_two_hands_hold_two_one_handed_or_one_two_handed():
    table, hero, begin = turn()
    table.carry(hero, "sword", used=True, **SWORD)
    table.carry(hero, "dagger", used=True, **DAGGER)
    axe, third = table.carry(hero, "axe", **AXE), table.carry(hero, "wand", **WAND)
    begin()
    choose(table, Turn.WEAR_ITEM, third)  # the item in the lowest place is put away
    assert in_use(hero) == [1, 3]
    choose(table, Turn.WEAR_ITEM, axe)
    assert (in_use(hero), table.maneuvers) == ([2], 0)


def test_r17_1_a_hero_with_four_arms_holds_double():
    table, hero, begin = turn()
    table.content["sheet"]["hands"][hero.slot] = 4
    places = [table.carry(hero, f"axe {k}", used=k < 1, **AXE) for k in range(3)]
    begin()
    choose(table, Turn.WEAR_ITEM, places[1])
    assert in_use(hero) == [0, 1]
    choose(table, Turn.WEAR_ITEM, places[2])
    assert in_use(hero) == [1, 2]


def test_r17_1_more_hands_than_the_hero_has():
    table, hero, begin = turn()
    table.content["sheet"]["hands"][hero.slot] = 1
    place = table.carry(hero, "axe", **AXE)
    begin()
    assert table.denial(Block.TURN, Turn.WEAR_ITEM) == Denial.HANDS_FULL
    assert hero.item[place] == 0


def test_r17_2_the_first_change_is_free_each_further_one_a_maneuver():
    table, hero, begin = turn()
    sword, axe = table.carry(hero, "sword", **SWORD), table.carry(hero, "axe", **AXE)
    begin()
    choose(table, Turn.WEAR_ITEM, sword)
    assert (table.maneuvers, hero.changed) == (1, 1)
    choose(table, Turn.WEAR_ITEM, axe)
    assert (table.maneuvers, in_use(hero)) == (0, [axe])
    choose(table, Turn.WEAR_ITEM, axe)  # putting away is not a change
    assert table.denial(Block.TURN, Turn.WEAR_ITEM) == Denial.NO_MANEUVER_LEFT
    table.answer(Block.TURN, Turn.END_TURN)
    table.perform(Verb.NEXT_ROUND)
    begin()
    assert (hero.changed, table.denial(Block.TURN, Turn.WEAR_ITEM)) == (0, Denial.NONE)


# ---- R17.3: encumbrance ---------------------------------------------------------------------
def test_r17_3_unused_items_weigh_at_most_five():
    table, hero, begin = turn()
    table.carry(hero, "anvil", weight=4)
    table.carry(hero, "axe", used=True, weight=3, **AXE)
    table.lay("a", "coin", weight=1)
    table.lay("a", "stone", weight=2)
    begin()
    table.answer(Block.TURN, Turn.TAKE_ITEM)
    assert table.denials(Block.GROUND)[:2] == [Denial.NONE, Denial.TOO_HEAVY]
    table.answer(Block.GROUND, 0)
    assert table.denial(Block.TURN, Turn.TAKE_ITEM) == Denial.TOO_HEAVY
    assert table.denial(Block.TURN, Turn.WEAR_ITEM) == Denial.TOO_HEAVY  # the axe put away


def test_r17_3_a_backpack_in_use_adds_to_it():
    table, hero, begin = turn()
    pack = table.carry(hero, "pack", used=True, wear="backpack", carry=3)
    table.carry(hero, "anvil", weight=4)
    table.lay("a", "stone", weight=3)
    begin()
    choose(table, Turn.TAKE_ITEM, 0)
    table.answer(Block.TURN, Turn.DROP_ITEM)
    assert table.denial(Block.ITEM, pack) == Denial.TOO_HEAVY
    table.answer(Block.ITEM, 1)
    assert table.denial(Block.TURN, Turn.WEAR_ITEM) == Denial.NONE  # the rest can do without


def test_r17_3_a_swap_counts_the_final_load():
    table, hero, begin = turn()
    table.carry(hero, "axe", used=True, weight=5, **AXE)
    maul = table.carry(hero, "maul", weight=5, **AXE)
    begin()
    assert table.answer(Block.TURN, Turn.WEAR_ITEM) == Denial.NONE
    assert table.denials(Block.ITEM)[:2] == [Denial.TOO_HEAVY, Denial.NONE]
    table.answer(Block.ITEM, maul)
    assert in_use(hero) == [maul]


def test_r17_3_gifts_count_for_the_receiver():
    table, hero, _ = turn()
    strong = table.hero("a")
    table.carry(hero, "stone", weight=2)
    table.carry(strong, "anvil", weight=4)
    assert table.perform(Verb.GIVE, hero, strong, 0) == Denial.TOO_HEAVY
    table.content["sheet"]["carry"][strong.slot] = 6
    assert table.perform(Verb.GIVE, hero, strong, 0) == Denial.NONE


# ---- R17.4, R14: worn, and locked on --------------------------------------------------------
def test_r17_4_one_armour_at_a_time_and_always_a_maneuver():
    table, hero, begin = turn(disk=6, spent=2)
    table.carry(hero, "coat", used=True, **COAT)
    plate = table.carry(hero, "plate", **PLATE)
    table.carry(hero, "hood", used=True, wear="helmet")
    begin()
    choose(table, Turn.WEAR_ITEM, plate)
    assert (in_use(hero), table.maneuvers, hero.changed) == ([1, 2], 0, 0)
    assert (hero.disk, sum(hero.lock_chips), shielded(table, hero)) == (4, 2, 2)


@pytest.mark.parametrize("wear", ["helmet", "armour", "backpack", "pet"])
def test_r17_4_a_spare_of_each_kind_takes_the_place_of_the_other_for_a_maneuver(wear):
    table, hero, begin = turn()
    if wear == "pet":
        table.builder.add_figure("owl", schema.FigureCard(name="owl", text="-", pet=True, move=2))
    more = {"pet": "owl"} if wear == "pet" else {}
    for k in range(2):
        table.carry(hero, f"{wear} {k}", used=k == 0, wear=wear, **more)
    table.carry(hero, "sword", used=True, **SWORD)
    begin()
    choose(table, Turn.WEAR_ITEM, 1)
    assert (in_use(hero), table.maneuvers, hero.changed) == ([1, 2], 0, 0)
    choose(table, Turn.WEAR_ITEM, 1)  # put away for nothing
    assert table.answer(Block.TURN, Turn.WEAR_ITEM) == Denial.NONE  # the sword
    assert table.denials(Block.ITEM)[:2] == [Denial.NO_MANEUVER_LEFT] * 2


def test_r14_2_gear_that_needs_more_stamina_than_there_is():
    table, hero, begin = turn(disk=1, spent=7)
    table.carry(hero, "plate", **PLATE)
    begin()
    assert table.denial(Block.TURN, Turn.WEAR_ITEM) == Denial.NOT_ENOUGH_STAMINA


def test_r14_10_heavy_armour_protects_only_while_locked_and_is_locked_again():
    table, hero, begin = turn(disk=2, spent=6)
    plate = table.carry(hero, "plate", **PLATE)
    begin()
    choose(table, Turn.WEAR_ITEM, plate)
    table.answer(Block.TURN, Turn.END_TURN)
    table.perform(Verb.DAMAGE, hero, 7)  # six spent chips and one of the lock
    assert (in_use(hero), hero.spent, shielded(table, hero)) == ([plate], 1, 0)
    table.perform(Verb.NEXT_ROUND)
    table.perform(Verb.HEAL, hero, 3)
    begin()
    choose(table, Turn.WEAR_ITEM, plate)
    assert (in_use(hero), hero.disk, table.maneuvers, shielded(table, hero)) == ([plate], 1, 0, 2)


def test_r14_4_chips_on_gear_are_spent_when_it_is_put_away():
    table, hero, begin = turn(disk=3, spent=5)
    plate = table.carry(hero, "plate", **PLATE)
    begin()
    choose(table, Turn.WEAR_ITEM, plate)
    choose(table, Turn.WEAR_ITEM, plate)
    assert (hero.disk, hero.spent, sum(hero.lock_chips), in_use(hero)) == (1, 7, 0, [])
    assert table.legal(Block.LOCK) == []


def test_r14_4_gear_without_stamina_is_not_a_lock():
    table, hero, begin = turn()
    table.carry(hero, "coat", used=True, **COAT)
    begin()
    assert (table.legal(Block.LOCK), shielded(table, hero)) == ([], 1)


def test_two_of_a_kind_work_once_and_until_both_are_put_away():
    table, hero, begin = turn()
    shield = {"wear": "hand", "hands": 1, "passive": {"need": 0, "reactive": {"might": 1}}}
    first, second = (table.carry(hero, "shield", used=k == 0, **shield) for k in range(2))
    begin()
    choose(table, Turn.WEAR_ITEM, second)
    assert shielded(table, hero) == 1
    table.answer(Block.TURN, Turn.WEAR_ITEM)
    table.answer(Block.ITEM, first)
    assert shielded(table, hero) == 1
    table.answer(Block.TURN, Turn.WEAR_ITEM)
    table.answer(Block.ITEM, second)
    assert shielded(table, hero) == 0


def test_r4_8_gear_in_use_is_locked_at_set_up_if_the_disk_allows():
    table, hero, _ = turn(blue=8)
    poor = table.hero(blue=8, wounds=7)
    for ally in (hero, poor):
        table.carry(ally, "plate", used=True, **PLATE)
        table.carry(ally, "sword", used=True, **SWORD)
    table.content["sheet"]["wounds"][poor.slot] = 7
    table.begin()
    assert [(a.disk, sum(a.lock_chips)) for a in (hero, poor)] == [(6, 2), (1, 0)]
    assert [in_use(a) for a in (hero, poor)] == [[0, 1], [0, 1]]
    assert [a.armed[AttackType.MELEE] for a in (hero, poor)] == [1, 1]


def test_r13_11_locks_end_with_exhaustion_and_plain_gear_comes_back():
    table, hero, _ = turn(disk=2, red=4, wounded=1, wounds=6)
    table.hero("b")
    table.carry(hero, "coat", used=True, **COAT)
    table.carry(hero, "ferry door", used=True, wear="hand", hands=1, passive={"need": 1})
    table.perform(Verb.DAMAGE, hero, 9)
    assert (hero.exhausted, hero.lock_passive[0]) == (1, -1)
    table.perform(Verb.REMOVE_EXHAUSTED, hero)
    assert (hero.disk, shielded(table, hero), in_use(hero)) == (8, 1, [0, 1])
    assert hero.lock_passive.count(-1) == len(hero.lock_passive) - 1


def test_r6_5_gear_adds_movement_points():
    table, hero, begin = turn("a-b-c-d")
    table.carry(hero, "boots", used=True, wear="helmet", passive={"need": 0, "move": 1})
    begin()
    table.answer(Block.TURN, Turn.MOVE_FREE)
    assert table.states["move"]["points"][0] == 3


# ---- R9.2, R9.13 to R9.18, R17.7, R17.9: weapons --------------------------------------------
def test_r17_7_the_weapon_adds_its_modifier():
    table, hero, begin = turn()
    table.carry(hero, "axe", used=True, **AXE)
    rat = struck(table, begin, 1)
    assert (rat.health, table.unrolled) == (6, 0)


def test_r9_2_of_several_weapons_one_is_named_and_its_band_counts():
    table, hero, begin = turn()
    table.content["sheet"]["hands"][hero.slot] = 4
    spear = table.carry(hero, "spear", used=True, **SPEAR)
    sword = table.carry(hero, "sword", used=True, **SWORD)
    again = table.carry(hero, "sword", used=True)
    near, far = table.enemy("a", health=5), table.enemy("b", health=5)
    table.dice(1)
    begin()
    table.answer(Block.TURN, Turn.ACT)
    assert table.asks == (Decision.WEAPON, hero.slot)
    assert table.legal() == [(Block.ITEM, spear), (Block.ITEM, sword)]
    assert table.denial(Block.DONE) == Denial.NO_WEAPON
    assert table.denial(Block.ITEM, again) == Denial.ALREADY_CHOSEN
    table.answer(Block.ITEM, sword)
    assert table.legal(Block.ENEMY) == [near.slot]
    table.answer(Block.ENEMY, near)
    assert (near.health, far.health) == (3, 5)


def test_r9_14_a_weapon_without_a_target_is_not_asked_for():
    table, hero, begin = turn()
    table.content["sheet"]["hands"][hero.slot] = 4
    table.carry(hero, "spear", used=True, **SPEAR)
    table.carry(hero, "sword", used=True, **SWORD)
    rat = table.enemy("b", health=5)
    table.dice(1)
    begin()
    table.answer(Block.TURN, Turn.ACT)
    assert table.asks == (Decision.TARGET, hero.slot)
    table.answer(Block.ENEMY, rat)
    assert rat.health == 4


def test_r9_2_a_natural_weapon_is_one_of_them():
    claws = [{"type": "melee", "bonus": 3}]
    table, hero, begin = turn(weapons=claws)
    table.carry(hero, "sword", used=True, **SWORD)
    rat = table.enemy("a", health=9)
    table.dice(1)
    begin()
    table.answer(Block.TURN, Turn.ACT)
    assert table.legal() == [(Block.DONE, 0), (Block.ITEM, 0)]
    table.answer(Block.DONE)
    table.answer(Block.ENEMY, rat)
    assert rat.health == 5


def test_r9_17_a_bow_reaches_its_band_only():
    table, hero, begin = turn(
        "a-b", actions=[{"name": "shot", "effects": [{"attack": {"type": "ranged", "dice": 1}}]}]
    )
    table.carry(hero, "bow", used=True, **BOW)
    near, far = table.enemy("a"), table.enemy("b")
    begin()
    table.answer(Block.TURN, Turn.ACT)
    assert table.legal(Block.ENEMY) == [far.slot]
    assert table.denial(Block.ENEMY, near) == Denial.OUT_OF_RANGE


@pytest.mark.parametrize(("skill", "health"), [(0, 7), (1, 6)])
def test_r17_9_two_one_handed_weapons_add_both_modifiers(skill, health):
    table, hero, begin = turn()
    table.content["sheet"]["two_weapons"][hero.slot] = skill
    sword = table.carry(hero, "sword", used=True, **SWORD)
    table.carry(hero, "sabre", used=True, **SWORD)
    table.carry(hero, "maul", **AXE)
    rat = table.enemy("a", health=9)
    table.dice(1)
    begin()
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.ITEM, sword)
    table.answer(Block.ENEMY, rat)
    assert rat.health == health


def test_r9_18_the_best_magic_weapon_adds_its_modifier_by_itself():
    bolt = {"name": "bolt", "effects": [{"attack": {"type": "magic", "dice": 1, "range": [0, 2]}}]}
    table, hero, begin = turn(actions=[bolt])
    table.carry(hero, "broken wand", used=True, **{**WAND, "weapon": {"type": "magic"}})
    table.carry(hero, "wand", used=True, **WAND)
    rat = struck(table, begin, 1, at="b")
    assert rat.health == 7


def test_r9_22_a_skill_ignores_obstructed_aim():
    shot = {"name": "shot", "effects": [{"attack": {"type": "ranged", "dice": 1}}]}
    for bits, health in ((0, 9), (1 << AttackType.RANGED, 8), (1 << AttackType.MAGIC, 9)):
        table, hero, begin = turn(actions=[shot], weapons=None)
        table.content["sheet"]["ignore_aim"][hero.slot] = bits
        rat = table.enemy("b", health=9)
        table.enemy("b")
        table.dice(1)
        strike(table, begin, rat)
        assert rat.health == health


def test_r9_3_gear_adds_dice_to_attacks_of_its_type():
    table, hero, begin = turn(weapons=None)
    table.carry(hero, "gloves", used=True, wear="helmet", passive={"need": 0, "dice": {"melee": 1}})
    hero.record["attack_dice"][AttackType.RANGED] = 1
    rat = struck(table, begin, 1, 1)
    assert (rat.health, table.unrolled) == (7, 0)


# ---- R17.6: poison, arrows, runes -----------------------------------------------------------
def test_r17_6_poison_is_named_before_the_roll_and_discarded():
    table, hero, begin = turn()
    table.carry(hero, "dagger", used=True, **DAGGER)
    venom = table.carry(hero, "venom", **VENOM)
    more = table.carry(hero, "venom")
    rat = struck(table, begin, 1)
    assert (table.asks, table.unrolled) == ((Decision.RIDER, hero.slot), 1)
    assert table.legal() == [(Block.DONE, 0), (Block.ITEM, venom), (Block.ITEM, more)]
    table.answer(Block.ITEM, venom)  # one poison on each attack: nothing more is asked
    assert (rat.health, rat.holds(Condition.WEAKENED)) == (6, True)
    assert carried(table, hero) == ["dagger", "venom"]


def test_r17_6_a_weapon_takes_only_what_it_shows():
    table, hero, begin = turn()
    table.carry(hero, "dagger", used=True, **DAGGER)
    arrow = table.carry(hero, "arrow", rider={"kind": "arrow", "dice": 1})
    rune = table.carry(hero, "rune", kept=True, rider={"kind": "rune", "dice": 1, "pierce": 1})
    rat = struck(table, begin, 1, 2, shield=1)
    assert table.denial(Block.ITEM, arrow) == Denial.NO_WEAPON
    table.answer(Block.ITEM, rune)
    assert (rat.health, table.unrolled, hero.worn_out) == (6, 0, 1 << rune)
    table.answer(Block.TURN, Turn.END_TURN)
    table.perform(Verb.NEXT_ROUND)
    hero.record["token"] = 2
    table.dice(1)
    strike(table, begin, rat)
    assert (rat.health, table.unrolled) == (6, 0)  # the rune works once a scenario


def test_r17_6_an_arrow_is_one_of_a_bow_that_allows_it_and_goes_before_the_roll():
    shot = {"name": "shot", "effects": [{"attack": {"type": "ranged", "dice": 1}}]}
    table, hero, begin = turn(actions=[shot])
    table.carry(hero, "bow", used=True, **BOW)
    arrow = table.carry(hero, "arrow", rider={"kind": "arrow", "dice": 1, "pierce": 1})
    again, venom = table.carry(hero, "arrow"), table.carry(hero, "venom", **VENOM)
    rat = struck(table, begin, 1, 2, at="b", shield=1)
    assert (table.asks, table.unrolled) == ((Decision.RIDER, hero.slot), 2)
    assert table.legal() == [(Block.DONE, 0), (Block.ITEM, arrow), (Block.ITEM, again)]
    assert table.denial(Block.ITEM, venom) == Denial.NO_WEAPON
    table.answer(Block.ITEM, arrow)
    assert (rat.health, table.unrolled, carried(table, hero)) == (6, 0, ["bow", "arrow", "venom"])


def test_r17_6_natural_weapons_take_nothing():
    table, hero, begin = turn(weapons=None)
    table.carry(hero, "venom", **VENOM)
    rat = struck(table, begin, 1)
    assert (rat.health, carried(table, hero)) == (8, ["venom"])
