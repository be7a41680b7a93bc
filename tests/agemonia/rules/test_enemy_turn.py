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
from tests.agemonia.rules.table import BITE, EYES, Table, card

BOW = {"type": "ranged", "value": 3, "range": 2}


def world(areas="a-b-c-d-e", more=None, borders=(), heroes=("a",), **hero):
    """Heroes without reactive dice. -> (table, heroes)"""
    table = Table(areas, areas=more, borders=borders)
    return table, [table.hero(at, **({"blue": 20, "might": 0} | hero)) for at in heroes]


def turn(table, enemy, horns=0, snake=0):
    return table.perform(Verb.ENEMY_TURN, enemy.slot, Eye.OPEN, horns, snake)


STUNNED, BLEEDING, HELD, SLOWED = (
    {"conditions": [one]}
    for one in (Condition.STUNNED, Condition.BLEEDING, Condition.HELD, Condition.SLOWED)
)
LASH, LEAP = {"move": 1, "condition": "slowed"}, {"teleport": 3}
SPIT = {"attack": {"type": "magic", "value": 1, "range": 2}}
FALL = {"attack": None, "horns": {"self": 5, "story_token": 1}}
BOUND = {"move": 0, "snake": LEAP, "conditions": [Condition.HELD, Condition.BLEEDING]}
DOUBLE = {"horns": {"snake": True}, "snake": {"heal": 1}, "left": 1}
PUSH = {"attack": BITE | {"push": 1}, "horns": {"push": 2}}
GONE = {"area": -1, "defeated": 1}


def bit(more):
    return 1 << more["conditions"][0]


def named(sign):
    """A card whose sign performs an ability by its name."""
    ability = {"perform": "howl", "value": 1}
    return {sign: ability, "abilities": {"howl": {"move": 1, "value": 1}}}


@pytest.mark.parametrize(
    ("rule", "at", "more", "signs", "expected"),
    [
        ("R10.12 in position it stays", "a", {}, "", {"area": 0, "wounds": 3, "acted": 1}),
        ("R10.13 it goes to where it can attack", "c", {}, "", {"area": 0, "wounds": 3}),
        ("R10.14 it goes as near as it can", "d", {}, "", {"area": 1, "wounds": 0}),
        ("R10.13 first area in range", "e", {"attack": BOW}, "", {"area": 2, "wounds": 3}),
        ("R10.10 misses it", "a", STUNNED, "", {"wounds": 0, "conditions": 0, "acted": 1}),
        ("R10.9 if it stays", "a", BLEEDING, "", {"health": 4, "conditions": 0, "wounds": 3}),
        ("R12.3 if it moves", "b", BLEEDING, "", {"health": 4, "conditions": bit(BLEEDING)}),
        ("R10.9 may end it", "a", BLEEDING | {"left": 1}, "", GONE | {"wounds": 0}),
        ("R10.19b takes the move", "b", HELD, "", {"area": 1, "conditions": 0, "wounds": 0}),
        ("R10.19b not the attack", "a", HELD, "", {"area": 0, "conditions": bit(HELD)}),
        ("R12.4 slowed takes a point", "c", SLOWED, "", {"area": 1, "conditions": 0}),
        ("R10.7 horns are not shown", "a", {"horns": {"value": 2}}, "", {"wounds": 3}),
        ("R10.7 horns are shown", "a", {"horns": {"value": 2}}, "horns", {"wounds": 5}),
        ("R10.37 horns", "d", {"horns": LASH}, "horns", {"area": 0, "gained": bit(SLOWED)}),
        ("R10.6 before the move", "c", {"snake": SPIT}, "snake", {"area": 0, "wounds": 1 + 3}),
        ("R10.37 heals", "a", {"snake": {"heal": 1}, "left": 2}, "snake", {"health": 3}),
        ("R10.37 heals", "a", {"snake": {"heal": "full"}, "left": 2}, "snake", {"health": 5}),
        ("R10.37 by name", "d", named("horns"), "horns", {"area": 0, "wounds": 5}),
        ("R10.37 by name", "d", named("snake"), "snake", {"area": 0, "wounds": 5}),
        ("R10.7 falls, no token", "a", FALL | {"left": 1}, "horns", {"area": -1, "tokens": 0}),
        ("P40 to attack", "d", {"move": 1, "horns": LEAP}, "horns", {"area": 0, "wounds": 3}),
        ("P40 to attack", "d", {"move": 1, "snake": LEAP}, "snake", {"area": 0, "wounds": 3}),
        ("P40 is not a move", "d", BOUND, "snake", {"area": 0, "conditions": bit(HELD)}),
        ("P40 nearer", "e", {"snake": {"teleport": 2}}, "snake", {"area": 2, "wounds": 0}),
        ("P41 horns bring the snake", "a", DOUBLE, "horns", {"health": 2}),
        ("P41 horns bring it once", "a", DOUBLE, "horns snake", {"health": 2}),
        ("P52 areas of push add up", "a", PUSH, "horns", {"hero": 3}),
    ],
)
def test_an_enemy_with_a_hero_in_a(rule, at, more, signs, expected):
    table, (hero,) = world()
    beast = table.enemy(at, **card(**more))
    turn(table, beast, **dict.fromkeys(signs.split(), 1))
    seen = {name: getattr(beast, name) for name in ("area", "health", "conditions", "acted")}
    seen |= {"hero": hero.area, "wounds": hero.wounds, "gained": hero.conditions}
    seen |= {"defeated": table.defeated[0], "tokens": table.story_tokens}
    assert seen == seen | expected


# ---- moving ---------------------------------------------------------------------------------


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


def test_r10_25_with_only_invisible_allies_it_does_nothing():
    table, _ = world(heroes=("a",), conditions=[Condition.INVISIBLE])
    beast = table.enemy("d", **card())
    turn(table, beast)
    assert beast.area == 3


# ---- horns and snake ------------------------------------------------------------------------


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
