"""R18.1, R18.6 to R18.8, R7.45: companions, summoned allies, pets and portals."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Decision, Denial, Event, Eye
from tests.agemonia.rules.table import IDLE, Table


def summoner(*effects, path="a-b-c", **figure):
    """A Hero whose tokens 2, 3, ... have one effect each; `figure`: keys of schema.FigureCard."""
    table = Table(path)
    hero = table.hero(blue=8)
    table.enemy(path[-1], actions=IDLE, health=9)
    card = schema.FigureCard(name="wisp", text="-", **figure)
    table.builder.add_figure("wisp", card)
    for effect in effects:
        table.action(hero, colour="red", effects=[effect])
    table.card("hR, hB, hG, eR-O, eB-O, eG-O")
    return table


def act(table, token):
    """The Hero chooses a token of its own and performs it first thing in its turn."""
    table.step(Block.TOKEN, token)
    table.step(Block.TURN, Turn.ACT)


def wisp(table):
    record = table.states["figure"][0, 0]
    return int(record["owner"]), int(record["area"])


def test_r18_7_a_token_is_summoned_within_range_and_sight():
    table = summoner({"summon": {"figure": "wisp", "range": 1}}).begin()
    act(table, 2)
    assert (table.decision, table.legal(Block.AREA)) == (Decision.SUMMON_AREA, [0, 1])
    table.step(Block.AREA, 1)
    assert wisp(table) == (0, 1)
    assert table.used[1] == 0  # no capacity


def test_r18_7_it_is_commanded_from_the_next_round_on():
    summon = {"summon": {"figure": "wisp", "range": 1}}
    command = {"command": {"figure": "wisp", "move": 1}}
    table = summoner(summon, command, harm=2).begin()
    act(table, 2)
    table.step(Block.AREA, 1)
    assert table.states["figure"]["spawned"][0, 0] == 1
    table.step(Block.TURN, Turn.END_TURN)
    assert table.states["figure"]["spawned"][0, 0] == 0
    act(table, 3)
    assert (table.decision, table.legal(Block.AREA)) == (Decision.TOKEN_STEP, [0, 2])
    table.step(Block.AREA, 2)
    assert (table.decision, table.legal()) == (
        Decision.TOKEN_HARM,
        [(Block.DONE, 0), (Block.ENEMY, 0)],
    )
    table.step(Block.ENEMY, 0)
    assert table.states["enemy"]["health"][0, 0] == 7


def test_r18_7_without_a_token_there_is_nothing_to_command():
    table = summoner({"command": {"figure": "wisp", "move": 1}}).begin()
    table.step(Block.TOKEN, 2)
    assert table.denials(Block.TURN)[Turn.ACT] == Denial.OUT_OF_ACTION


def test_r7_45_a_portal_of_an_item_is_purple_and_active():
    table = summoner({"portal": {"range": 1, "reach": 3}}).begin()
    act(table, 2)
    table.step(Block.AREA, 1)
    assert (table.token_colour[1], table.token_active[1], table.token_range[1]) == (1, 1, 3)


# ---- pets ---------------------------------------------------------------------------------------
def keeper(**figure):
    """A Hero with a pet in use; its card has these keys."""
    table = Table("a-b-c")
    hero = table.hero(blue=8)
    table.enemy("c", actions=IDLE, health=9)
    card = schema.FigureCard(name="heron", text="-", pet=True, move=2, **figure)
    table.builder.add_figure("heron", card)
    item = schema.ItemCard(name="perch", text="-", wear="pet", pet="heron")
    row = table.builder.add_item_card("perch", item)
    hero.record["item"][0], hero.record["active"] = row, 1
    return table, hero


def test_r18_8_a_pet_moves_once_in_each_own_turn_also_in_its_first():
    table, hero = keeper()
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.denials(Block.TURN)[Turn.MOVE_PET] == Denial.OUT_OF_ACTION
    table.answer(Block.TURN, Turn.PLACE_PET)
    assert wisp(table) == (0, 0)
    table.answer(Block.TURN, Turn.MOVE_PET)
    table.answer(Block.AREA, 1)
    table.answer(Block.AREA, 2)
    assert (wisp(table), table.decision) == ((0, 2), Decision.TURN)
    assert table.denials(Block.TURN)[Turn.MOVE_PET] == Denial.TURN_TAKEN
    assert table.denials(Block.TURN)[Turn.RECALL_PET] == Denial.OUT_OF_RANGE


def test_r18_8_it_is_taken_back_in_the_area_of_its_hero():
    table, hero = keeper()
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.answer(Block.TURN, Turn.PLACE_PET)
    table.answer(Block.TURN, Turn.MOVE_PET)
    table.answer(Block.DONE)
    table.answer(Block.TURN, Turn.RECALL_PET)
    assert wisp(table) == (-1, -1)


@pytest.mark.parametrize(("health", "left"), [(3, (0, 1, 0)), (2, (-1, 0, 1))])
def test_r18_8_pets_harm_enemies_that_leave_their_area(health, left):
    table, _hero = keeper(harm_leaving=2)
    for field, value in (("owner", 0), ("area", 2)):
        table.states["figure"][field][0, 0] = value
    beast = table.enemy("c", health=health)
    table.perform(Verb.ENEMY_TURN, beast.slot, 1, 0, 0)
    assert (beast.area, beast.health, sum(table.defeated)) == left


@pytest.mark.parametrize(("verb", "values"), [(Verb.PUSH, (2, 1, -1, 0, 1)), (Verb.TELEPORT, ())])
def test_p23_a_figure_pushed_or_teleported_out_is_not_harmed(verb, values):
    table, _hero = keeper(harm_leaving=2)
    table.states["figure"]["owner"][0, 0], table.states["figure"]["area"][0, 0] = 0, 2
    beast = table.enemy("c", health=3)
    arguments = (*values, beast) if values else (beast, 1, 1)
    table.perform(verb, *arguments)
    assert (beast.area, beast.health) == (1, 3)


def test_r18_8_a_pet_may_be_in_a_full_area_and_is_not_a_figure_there():
    table, hero = keeper()
    table.content["capacity"][1] = 1
    table.hero("b")
    table.perform(Verb.START_TURN, hero, 0, 0)
    for choice in (Turn.PLACE_PET, Turn.MOVE_PET):
        table.answer(Block.TURN, choice)
    table.answer(Block.AREA, 1)
    table.answer(Block.DONE)
    assert (wisp(table), table.used[1], table.allies_in[1]) == ((0, 1), 1, 1)
    assert table.denials(Block.TURN)[Turn.PLACE_PET] == Denial.ALREADY_CHOSEN  # one at a time


# ---- Non-Hero Allies ----------------------------------------------------------------------------
def companions(**more):
    """A Hero and a Non-Hero Ally with an action and, as a maneuver, a cleansing."""
    table = Table("a-b")
    table.hero(blue=8)
    ally = table.companion(colour="blue", **more)
    table.enemy("b", actions=IDLE, health=9)
    attack = {"attack": {"type": "ranged", "range": [0, 2], "value": 3}}
    table.action(ally, effects=[attack])
    table.action(ally, maneuver=True, effects=[{"discard_one": {"range": 1}}])
    table.card("hR, hG, hB, eR-O, eB-O, eG-O")
    return table


def test_r18_1_it_has_one_action_and_one_maneuver_of_its_card():
    table = companions().begin()
    table.step(Block.TOKEN, FOCUS)
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.active_ally, table.legal(Block.TOKEN)) == (1, [0, 1])
    assert table.legal(Block.TURN) == [Turn.MOVE_FREE, Turn.RECOVER_DAMAGE, Turn.END_TURN]
    table.step(Block.TOKEN, 0)
    table.step(Block.ENEMY, 0)
    assert table.states["enemy"]["health"][0, 0] == 6  # fixed damage (R9.9)
    assert (table.actions, table.maneuvers, table.legal(Block.TOKEN)) == (0, 1, [1])
    table.step(Block.TOKEN, 1)
    assert table.maneuvers == 0


def test_r18_5_one_that_is_never_hindered():
    table = companions(never_hindered=True)
    table.enemy("a", actions=IDLE)
    table.enemy("a", actions=IDLE)
    table.begin()
    assert [table.query(0, a)[0] for a in (0, 1)] == [1, 0]


def test_r18_6_a_summoned_ally_appears_and_acts_from_the_next_round_on():
    table = Table("a-b")
    hero = table.hero(blue=8)
    card = schema.CompanionSheet(colour="blue", health=4)
    slot = table.builder.add_ally("Bargee", card, -1, key="bargee")
    table.enemy("b", actions=IDLE)
    table.content["sheet"]["waiting"][slot] = 1
    effect = {"summon_ally": {"ally": "bargee", "range": 1}}
    table.action(hero, colour="red", effects=[effect])
    table.begin()
    assert table.states["ally"]["area"][0, 1] == -1
    act(table, 2)
    table.step(Block.AREA, 0)
    record = table.states["ally"][0, 1]
    assert (record["area"], record["health"], record["acted"]) == (0, 4, 1)
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.round, table.decision) == (2, Decision.SELECT_ACTION)
    table.step(Block.TOKEN, FOCUS)
    assert table.decision == Decision.TURN  # the Hero, or the Bargee: by their bars


# ---- R18.5: abilities of Non-Hero Allies ----------------------------------------------------
def test_r18_5_undying_damage_leaves_it_1_health():
    table = Table()
    ghost = table.companion(health=4, undying=True)
    table.perform(Verb.DAMAGE, ghost, 9)
    assert (ghost.health, ghost.exhausted) == (1, 0)
    table.clear_log()
    table.perform(Verb.DAMAGE, ghost, 1)
    assert (ghost.health, table.log(Event.DAMAGE)) == (1, [(Event.DAMAGE, ghost.slot, 0, -1)])


def test_r11_9_revenge_counts_what_the_undying_really_took():
    table = Table()
    ghost = table.companion(health=4, undying=True)
    table.states["ally"]["revenge"][0, 0] = 1
    beast = table.enemy(health=9, actions={"open": {"attack": {"value": 7}}})
    table.perform(Verb.ENEMY_TURN, beast.slot, Eye.OPEN, 0, 0)
    assert (ghost.health, beast.health) == (1, 6)


@pytest.mark.parametrize(("health", "left"), [(5, 7), (4, 6)])
def test_r18_5_one_that_is_low_deals_more(health, left):
    table, beast = biter(fury=1)
    table.states["ally"]["health"][0, 0] = health
    table.answer(Block.TOKEN, 0)
    table.answer(Block.ENEMY, 0)
    assert beast.health == left


def test_r18_5_a_maneuver_for_more_damage():
    table, beast = biter()
    table.answer(Block.TOKEN, 1)
    table.answer(Block.TOKEN, 0)
    table.answer(Block.ENEMY, 0)
    assert beast.health == 6


def biter(**sheet):
    """A Non-Hero Ally of 8 health in its turn: it bites for 2, or bites harder by a maneuver."""
    table = Table()
    ox = table.companion(health=8, **sheet)
    table.action(ox, "bite", effects=[{"attack": {"value": 2}}])
    harder = {"attack_dice": {"type": "melee", "amount": 1}}
    table.action(ox, "horns", maneuver=True, effects=[harder])
    beast = table.enemy(health=9)
    table.perform(Verb.START_TURN, ox, 0, 0)
    return table, beast


@pytest.mark.parametrize(
    ("at", "worth", "left"), [("a", 0, 7), ("b", 0, 7), ("c", 0, 9), ("a", 1, 9)]
)
def test_r18_5_and_r3_7_an_h_face_that_does_not_shield_strikes_back_nearby(at, worth, left):
    table = Table("a-b-c")
    table.companion(health=9, might=2, h_riposte=1, h_worth={"might": worth})
    bow = {"type": "ranged", "value": 3, "range": 2}
    beast = table.enemy(at, health=9, actions={"open": {"move": 0, "attack": bow}})
    table.reaction_dice("H", "H")
    table.perform(Verb.ENEMY_TURN, beast.slot, Eye.OPEN, 0, 0)
    assert beast.health == left
