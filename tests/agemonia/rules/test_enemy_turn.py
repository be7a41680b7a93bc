"""R10.4 to R10.19: an Enemy's turn: snake, move, attack, horns."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import (
    Condition,
    Decision,
    Denial,
    Event,
    Eye,
    Op,
    Way,
    When,
    Will,
)
from tests.agemonia.rules.table import Table

EYES = ("staring", "open", "closed")
BITE = {"type": "melee", "value": 3}
BOW = {"type": "ranged", "value": 3, "range": 2}


def world(areas="a-b-c-d-e", more=None, borders=(), heroes=("a",), **hero):
    """Heroes without reactive dice. -> (table, heroes)"""
    table = Table(areas, areas=more, borders=borders)
    return table, [table.hero(at, **({"blue": 20, "might": 0} | hero)) for at in heroes]


def card(move=2, attack=BITE, horns=None, **more):
    """An Enemy card that does the same under every eye."""
    action = {"move": move, "attack": attack, "horns": horns}
    return {"actions": dict.fromkeys(EYES, action), "health": 5} | more


def turn(table, enemy, horns=0, snake=0):
    return table.perform(Verb.ENEMY_TURN, enemy.slot, Eye.OPEN, horns, snake)


# ---- moving ---------------------------------------------------------------------------------
def test_r10_12_in_position_it_does_not_move():
    table, (hero,) = world()
    beast = table.enemy("a", **card())
    turn(table, beast)
    assert (beast.area, hero.wounds, beast.acted) == (0, 3, 1)


@pytest.mark.parametrize(("start", "end", "wounds"), [("c", 0, 3), ("d", 1, 0)])
def test_r10_13_and_r10_14_it_goes_as_near_as_its_points_allow(start, end, wounds):
    table, (hero,) = world()
    beast = table.enemy(start, **card())
    turn(table, beast)
    assert (beast.area, hero.wounds) == (end, wounds)


def test_r10_13_a_shooter_stops_at_the_first_area_in_range():
    table, (hero,) = world()
    beast = table.enemy("e", **card(attack=BOW))
    turn(table, beast)
    assert (beast.area, hero.wounds) == (2, 3)


def test_r10_4_the_eye_names_the_action():
    table, (hero,) = world()
    actions = {eye: {"attack": {"type": "melee", "value": n}} for n, eye in enumerate(EYES, 1)}
    beast = table.enemy("a", actions=actions)
    table.perform(Verb.ENEMY_TURN, beast.slot, Eye.CLOSED, 0, 0)
    assert hero.wounds == 3


def test_r10_13_of_equally_near_places_the_higher_taunt_counts():
    table, (low, _) = world("a-b-c", heroes=("a", "c"))
    table.content["sheet"]["taunt"][1] = 5
    beast = table.enemy("b", **card())
    turn(table, beast)
    assert (beast.area, low.wounds) == (2, 0)


def test_r10_13_the_players_choose_among_equal_places():
    table, heroes = world("a-b-c", heroes=("a", "c"))
    beast = table.enemy("b", **card())
    turn(table, beast)
    assert table.asks == (Decision.ENEMY_DESTINATION, -1)
    assert table.legal() == [(Block.AREA, 0), (Block.AREA, 2)]
    assert table.denial(Block.AREA, 1) == Denial.NOT_TIED_BEST
    table.answer(Block.AREA, 2)
    assert (beast.area, [hero.wounds for hero in heroes]) == (2, [0, 3])


def diamond(**more):
    """a-b-d and a-c-d, then d-e."""
    borders = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e")]
    return world("a", more={name: {} for name in "abcde"} | more, borders=borders, heroes=("e",))


def test_q49_the_players_choose_where_a_move_that_falls_short_ends():
    table, _ = diamond()
    beast = table.enemy("a", **card(move=1))
    turn(table, beast)
    assert table.asks == (Decision.ENEMY_STOP, -1)
    assert table.legal() == [(Block.AREA, 1), (Block.AREA, 2)]
    assert table.denial(Block.AREA, 3) == Denial.NOT_TIED_BEST
    table.answer(Block.AREA, 2)
    assert beast.area == 2


def test_r10_17_an_area_full_with_allies_is_gone_round():
    table, _ = diamond(b={"capacity": 1})
    table.companion("b", taunt=0)
    beast = table.enemy("a", **card(move=3, attack=BITE | {"range": 0}))
    turn(table, beast)
    assert beast.area == 4
    assert table.states["turn"]["path"][0, :3].tolist() == [2, 3, 4]  # by c, though b comes first


@pytest.mark.parametrize(("size", "end"), [("normal", 0), ("large", 2)])
def test_r10_17_a_large_enemy_needs_room_for_its_size(size, end):
    table, _ = world("a-b-c", more={"b": {"capacity": 1}})
    beast = table.enemy("c", **card(size=size))
    turn(table, beast)
    assert beast.area == end


@pytest.mark.parametrize(("fly", "end"), [(True, 0), (False, 1)])
def test_r7_14_only_flyers_cross_double_lines(fly, end):
    more = {"a": {"level": 1}}
    table, _ = world("a-b", more=more, borders=[("a", "b", "double")])
    beast = table.enemy("b", **card(fly=fly))
    turn(table, beast)
    assert beast.area == end


# ---- conditions -----------------------------------------------------------------------------
def test_r10_10_stunned_misses_the_turn():
    table, (hero,) = world()
    beast = table.enemy("a", **card(), conditions=[Condition.STUNNED])
    turn(table, beast)
    assert (hero.wounds, beast.conditions, beast.acted) == (0, 0, 1)


def test_r10_9_bleeding_hurts_and_goes_if_it_stays():
    table, (hero,) = world()
    beast = table.enemy("a", **card(), conditions=[Condition.BLEEDING])
    turn(table, beast)
    assert (beast.health, beast.conditions, hero.wounds) == (4, 0, 3)


def test_r12_3_bleeding_stays_on_an_enemy_that_moves():
    table, _ = world()
    beast = table.enemy("b", **card(), conditions=[Condition.BLEEDING])
    turn(table, beast)
    assert (beast.health, beast.holds(Condition.BLEEDING)) == (4, True)


def test_r10_9_bleeding_may_end_it_before_it_acts():
    table, (hero,) = world()
    beast = table.enemy("a", **card(), left=1, conditions=[Condition.BLEEDING])
    turn(table, beast)
    assert (beast.area, hero.wounds, table.defeated[0]) == (-1, 0, 1)


@pytest.mark.parametrize(("start", "end", "held"), [("b", 1, False), ("a", 0, True)])
def test_r10_19b_held_takes_the_move_not_the_attack(start, end, held):
    table, _ = world()
    beast = table.enemy(start, **card(), conditions=[Condition.HELD])
    turn(table, beast)
    assert (beast.area, beast.holds(Condition.HELD)) == (end, held)


def test_r12_4_slowed_takes_a_point():
    table, _ = world()
    beast = table.enemy("c", **card(), conditions=[Condition.SLOWED])
    turn(table, beast)
    assert (beast.area, beast.conditions) == (1, 0)


def test_r10_25_with_only_invisible_allies_it_does_nothing():
    table, _ = world(heroes=("a",), conditions=[Condition.INVISIBLE])
    beast = table.enemy("d", **card())
    turn(table, beast)
    assert beast.area == 3


# ---- horns and snake ------------------------------------------------------------------------
@pytest.mark.parametrize(("horns", "wounds"), [(0, 3), (1, 5)])
def test_r10_7_horns_count_only_if_the_bar_shows_them(horns, wounds):
    table, (hero,) = world()
    beast = table.enemy("a", **card(horns={"value": 2}))
    turn(table, beast, horns=horns)
    assert hero.wounds == wounds


def test_r10_37_horns_add_movement_and_conditions():
    table, (hero,) = world()
    beast = table.enemy("d", **card(horns={"move": 1, "condition": "slowed"}))
    turn(table, beast, horns=1)
    assert (beast.area, hero.holds(Condition.SLOWED)) == (0, True)


def test_r10_6_a_snake_attack_comes_before_the_move():
    table, (hero,) = world()
    beast = table.enemy("c", **card(snake={"attack": {"type": "magic", "value": 1, "range": 2}}))
    turn(table, beast, snake=1)
    assert (beast.area, hero.wounds) == (0, 1 + 3)


@pytest.mark.parametrize(("amount", "health"), [(1, 3), ("full", 5)])
def test_r10_37_a_snake_heals(amount, health):
    table, _ = world()
    beast = table.enemy("a", **card(snake={"heal": amount}), left=2)
    turn(table, beast, snake=1)
    assert beast.health == health


def test_r10_47_horns_spawn_beside_it_after_the_action():
    table, (hero,) = world()
    table.kind("pup", **card())
    beast = table.enemy("b", **card(horns={"spawn": {"type": "pup", "amount": 2}}))
    turn(table, beast, horns=1)
    assert [int(e["area"]) for e in table.states["enemy"][0] if e["spawned"]] == [0, 0]
    assert (beast.area, hero.wounds) == (0, 3)


# ---- traps of Enemies -----------------------------------------------------------------------
TRAPPER = {"set_trap": {"range": 2}}


def test_r10_38_a_trap_is_set_as_near_to_an_ally_as_possible():
    table, _ = world()  # the Hero is in a, the Enemy in d: b is as near as range 2 allows
    turn(table, table.enemy("d", **card(move=0, attack=None, snake=TRAPPER)), snake=1)
    assert table.trap[:4] == [0, 1, 0, 0]


def test_r10_38_not_at_another_height_and_not_twice_in_one_area():
    table = Table("a-b-c-d", areas={"a": {"level": 1}, "b": {"level": 1}})
    table.hero("a")
    beast = table.enemy("d", **card(move=0, attack=None, horns={"set_trap": {"range": 3}}))
    turn(table, beast, horns=1)
    assert table.trap[:4] == [0, 0, 1, 0]
    table.perform(Verb.NEXT_ROUND)
    turn(table, beast, horns=1)
    assert table.trap[:4] == [0, 0, 1, 1]


def test_r10_38_of_equally_near_areas_the_players_choose():
    table = Table("a-b-c")
    table.hero("a")
    table.hero("c")
    turn(table, table.enemy("b", **card(move=0, attack=None, snake=TRAPPER)), snake=1)
    assert table.asks == (Decision.TRAP_AREA, -1)
    assert table.legal() == [(Block.AREA, 0), (Block.AREA, 2)]
    table.answer(Block.AREA, 2)
    assert table.trap[:3] == [0, 0, 1]


# ---- teleport, and the snake that horns bring -----------------------------------------------
@pytest.mark.parametrize("sign", ["horns", "snake"])
def test_p40_it_teleports_to_where_it_can_attack(sign):
    table, (hero,) = world()
    beast = table.enemy("d", **card(move=1, **{sign: {"teleport": 3}}))
    turn(table, beast, **{sign: 1})
    assert (beast.area, hero.wounds) == (0, 3)


def test_p40_teleport_is_not_a_move():
    table, _ = world()
    conditions = [Condition.HELD, Condition.BLEEDING]
    beast = table.enemy("d", **card(move=0, snake={"teleport": 3}), conditions=conditions)
    turn(table, beast, snake=1)
    assert (beast.area, beast.holds(Condition.HELD), beast.holds(Condition.BLEEDING)) == (0, 1, 0)


def test_p40_an_enemy_in_position_does_not_teleport():
    table, (_, low) = world("a-b-c", heroes=("a", "c"))
    table.content["sheet"]["taunt"][1] = 5
    beast = table.enemy("a", **card(snake={"teleport": 2}))
    turn(table, beast, snake=1)
    assert (beast.area, low.wounds) == (0, 0)


@pytest.mark.parametrize(("taunt", "ends"), [(5, [2]), (0, [0, 2])])
def test_p40_the_highest_taunt_then_the_players_choose(taunt, ends):
    table, heroes = world("a-b-c-d", heroes=("a", "c"))
    table.content["sheet"]["taunt"][:2] = 0, taunt
    beast = table.enemy("b", **card(move=0, attack=BITE, snake={"teleport": 2}))
    turn(table, beast, snake=1)
    if len(ends) > 1:
        assert table.asks == (Decision.ENEMY_DESTINATION, -1)
        assert table.legal() == [(Block.AREA, area) for area in ends]
        assert table.denial(Block.AREA, 3) == Denial.NOT_TIED_BEST
        table.answer(Block.AREA, 2)
    assert (beast.area, [hero.wounds for hero in heroes]) == (2, [0, 3])


def test_p40_without_an_attack_it_teleports_nearer():
    table, (hero,) = world()
    beast = table.enemy("e", **card(snake={"teleport": 2}))
    turn(table, beast, snake=1)
    assert (beast.area, hero.wounds) == (2, 0)


def test_p40_where_nothing_is_nearer_it_walks():
    more = {"b": {"capacity": 2}}
    table, (hero,) = world("a-b-c", more=more)
    blockers = [table.enemy("b", **card()) for _ in range(2)]
    beast = table.enemy("c", **card(move=3, attack=BITE | {"range": 0}, snake={"teleport": 1}))
    turn(table, beast, snake=1)
    assert (beast.area, hero.wounds, [one.area for one in blockers]) == (0, 3, [1, 1])


def test_r7_42_it_does_not_teleport_into_a_full_area():
    table, _ = world("a-b-c-d", more={"a": {"capacity": 1}})
    beast = table.enemy("d", **card(move=0, snake={"teleport": 3}))
    turn(table, beast, snake=1)
    assert beast.area == 1  # from where it strikes into the full area


@pytest.mark.parametrize("snake", [0, 1])
def test_p41_horns_bring_the_snake_once(snake):
    table, _ = world()
    beast = table.enemy("a", **card(horns={"snake": True}, snake={"heal": 1}), left=1)
    turn(table, beast, horns=1, snake=snake)
    assert beast.health == 2


# ---- tokens on the Story card, and abilities with a name ------------------------------------
def test_r10_37_an_event_is_due_once_its_tokens_are_on_the_story_card():
    table, _ = world()
    beast = table.enemy("a", **card(attack=None, horns={"story_token": 2}))
    table.event(When.TOKENS, (Op.FAIL, 1, -1, -1), number=3)
    seen = []
    for _ in range(3):
        turn(table, beast, horns=1)
        seen.append((table.story_tokens, table.event_due))
        table.states["event_due"] = 0
        table.perform(Verb.NEXT_ROUND)
    assert seen == [(2, 0), (4, 1), (6, 0)]


def test_r10_7_an_enemy_that_falls_in_its_own_turn_puts_no_token():
    table, _ = world()
    beast = table.enemy("a", **card(attack=None, horns={"self": 5, "story_token": 1}), left=1)
    turn(table, beast, horns=1)
    assert (beast.area, table.story_tokens) == (-1, 0)


@pytest.mark.parametrize("sign", ["horns", "snake"])
def test_r10_37_an_ability_is_performed_by_its_name(sign):
    table, (hero,) = world()
    extra = {sign: {"perform": "howl", "value": 1}, "abilities": {"howl": {"move": 1, "value": 1}}}
    beast = table.enemy("d", **card(**extra))
    turn(table, beast, **{sign: 1})
    assert (beast.area, hero.wounds) == (0, 5)


# ---- free will ------------------------------------------------------------------------------
def free_world(*places, **more):
    table, heroes = world(*places, **more)
    table.content["enemy_will"] = Will.FREE
    return table, heroes


def test_free_will_offers_every_area_in_reach_and_its_own():
    table, (hero,) = free_world()
    beast = table.enemy("c", **card())
    turn(table, beast)
    assert table.asks == (Decision.ENEMY_DESTINATION, -1)
    assert table.legal() == [(Block.AREA, area) for area in range(5)]
    table.answer(Block.AREA, 4)
    assert (beast.area, hero.wounds) == (4, 0)


def test_free_will_does_not_go_beyond_points_or_into_full_areas():
    table, _ = free_world(more={"b": {"capacity": 1}})
    table.companion("b", taunt=0)
    beast = table.enemy("c", **card())
    turn(table, beast)
    assert table.legal() == [(Block.AREA, area) for area in (2, 3, 4)]
    assert table.denial(Block.AREA, 1) == Denial.NOT_TIED_BEST


def test_free_will_stays_if_no_way_leads_to_the_area_offered():
    """Only bytes from outside can offer it; finding the way must still end."""
    table, _ = free_world("a-b", more={"c": {}})
    beast = table.enemy("a", **card())
    turn(table, beast)
    table.states["options"] |= 1 << 2
    table.answer(Block.AREA, 2)
    assert beast.area == 0


def test_free_will_may_leave_a_good_place_and_keep_it():
    for end, wounds in ((0, 3), (1, 0)):
        table, (hero,) = free_world()
        beast = table.enemy("a", **card(move=1))
        turn(table, beast)
        table.answer(Block.AREA, end)
        assert (beast.area, hero.wounds) == (end, wounds)


def test_free_will_chooses_any_legal_target():
    table, heroes = free_world("a-b-c", heroes=("a", "c"))
    table.content["sheet"]["taunt"][1] = 5
    beast = table.enemy("b", **card(move=0, attack=BOW))
    turn(table, beast)
    assert table.asks == (Decision.ENEMY_TARGET, -1)
    assert table.legal() == [(Block.ALLY, 0), (Block.ALLY, 1)]
    table.answer(Block.ALLY, 0)
    assert [hero.wounds for hero in heroes] == [3, 0]


@pytest.mark.parametrize(("start", "held"), [("a", True), ("c", False)])
def test_free_will_does_not_free_from_held(start, held):
    table, _ = free_world()
    beast = table.enemy(start, **card(), conditions=[Condition.HELD])
    turn(table, beast)
    assert table.asks[0] == Decision.NONE
    assert (beast.area, beast.holds(Condition.HELD)) == (table.area(start), held)


@pytest.mark.parametrize(("end", "slowed"), [(0, True), (1, False)])
def test_free_will_slowed_takes_a_point_of_a_move(end, slowed):
    table, _ = free_world()
    beast = table.enemy("a", **card(), conditions=[Condition.SLOWED])
    turn(table, beast)
    assert table.legal() == [(Block.AREA, 0), (Block.AREA, 1)]
    table.answer(Block.AREA, end)
    assert (beast.area, beast.holds(Condition.SLOWED)) == (end, slowed)


def test_free_will_a_teleport_adds_to_the_areas_in_reach():
    table, _ = free_world("a-b-c-d-e")
    beast = table.enemy("e", **card(move=1, snake={"teleport": 3}))
    turn(table, beast, snake=1)
    assert table.legal() == [(Block.AREA, area) for area in (1, 2, 3, 4)]
    table.answer(Block.AREA, 1)
    assert (beast.area, table.log(Event.STEP)) == (
        1,
        [(Event.STEP, beast.__index__(), Way.TELEPORT, 1)],
    )


def test_q37_an_enemy_that_can_attack_stays():
    table = Table("a-b")
    near, far = table.hero("a", blue=9, might=0, taunt=1), table.hero("b", blue=9, taunt=5)
    beast = table.enemy("a", **card())
    turn(table, beast)
    assert (beast.area, near.wounds, far.wounds) == (0, 3, 0)


# ---- rulings --------------------------------------------------------------------------------
@pytest.mark.parametrize(("spawned", "end"), [(1, 1), (0, 0)])
def test_r10_11_an_enemy_without_a_turn_is_not_put_back(spawned, end):
    table, _ = world("a-b", more={"b": {"capacity": 1}})
    beasts = [table.enemy("b", **card(move=0, attack=None)) for _ in range(2)]
    beasts[1].record["retreat"], beasts[1].record["spawned"] = 0, spawned
    turn(table, beasts[1])
    assert (beasts[0].area, beasts[1].area) == (1, end)


@pytest.mark.parametrize(("capacity", "end"), [(1, 3), (2, 2)])
def test_p49_an_area_too_small_for_it_is_no_way(capacity, end):
    """It cannot attack from anywhere: it would only come nearer (R10.19)."""
    areas = {"a": {"capacity": 1}, "b": {"capacity": capacity}}
    table, _ = world("a-b-c-d", more=areas)
    table.enemy("b", **card(move=0, attack=None))
    beast = table.enemy("d", **card(move=1, attack=None), size="large")
    turn(table, beast)
    assert beast.area == end


def test_p51_the_condition_that_horns_add_comes_before_the_or_else():
    or_else = {"ability": "will", "number": 9, "damage": 1, "condition": "held"}
    table, _ = world(will=0)
    attack = BITE | {"or_else": or_else}
    beast = table.enemy("a", **card(attack=attack, horns={"condition": "slowed"}))
    turn(table, beast, horns=1)
    events = [(row[0], row[2]) for row in table.log(Event.GAIN, Event.DAMAGE)]
    slowed, held = (Event.GAIN, Condition.SLOWED), (Event.GAIN, Condition.HELD)
    assert events == [(Event.DAMAGE, 3), slowed, (Event.DAMAGE, 1), held]


@pytest.mark.parametrize(("more", "hit"), [(1, 2), (3, 3)])
def test_p52_of_two_numbers_of_targets_the_larger_counts(more, hit):
    table, heroes = world(heroes=("a", "a", "a"))
    for taunt, hero in enumerate(heroes):
        table.content["sheet"][hero.slot]["taunt"] = taunt
    beast = table.enemy("a", **card(attack=BITE | {"target": 2}, horns={"target": more}))
    turn(table, beast, horns=1)
    while table.asks[0] != Decision.NONE:  # who stands in, who is first
        table.answer(*table.legal()[0])
    assert sum(hero.wounds > 0 for hero in heroes) == hit


def test_p52_areas_of_push_add_up():
    table, (hero,) = world()
    beast = table.enemy("a", **card(attack=BITE | {"push": 1}, horns={"push": 2}))
    turn(table, beast, horns=1)
    assert hero.area == 3
