"""R5.1, R5.20: the round as a whole, and who answers which question."""

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Decision, Denial, Phase
from tests.agemonia.rules.table import Table


def two_heroes():
    table = Table("a-b-c")
    heroes = [table.hero(), table.hero()]
    table.enemy("c", actions={eye: {} for eye in ("staring", "open", "closed")})
    return table.begin(), heroes


def test_r5_1_phases_follow_each_other():
    table, _ = two_heroes()
    assert (table.round, table.phase) == (1, Phase.SELECT)
    table.step(Block.TOKEN, FOCUS)
    assert (table.phase, table.states["card"][0]) == (Phase.SELECT, -1)
    table.step(Block.TOKEN, FOCUS)
    assert (table.phase, table.states["card"][0]) == (Phase.TURNS, 0)
    table.step(Block.ALLY, 0)
    table.step(Block.TURN, Turn.END_TURN)
    assert table.asks == (Decision.TURN, 1)
    table.step(Block.TURN, Turn.END_TURN)
    assert (table.round, table.phase, table.fate_card) == (2, Phase.SELECT, 0)


def test_r5_20_what_lasts_until_the_end_of_the_round_ends():
    table = Table()
    hero, beast = table.hero(acted=1, token=0, special=1, focus_rolled=1, flipped=1), table.enemy()
    hero.record["reactive_bonus"] = hero.record["reactive_dice"] = hero.record["reactive_h"] = 1
    beast.record["acted"] = beast.record["spawned"] = 1
    table.perform(Verb.NEXT_ROUND)
    fields = ("acted", "special", "focus_rolled", "flipped")
    assert [getattr(hero, field) for field in fields] == [0, 0, 0, 0]
    assert [hero.token, hero.reactive_bonus, hero.reactive_dice, hero.reactive_h] == [-1, 0, 0, 0]
    assert (beast.acted, beast.spawned) == (0, 0)


def test_r5_4_a_refused_action_changes_nothing():
    table, _ = two_heroes()
    before = table.states.tobytes()
    for k in range(2, 16):
        assert table.step(Block.TOKEN, k) == Denial.NO_SUCH_ACTION
    assert table.step(Block.TURN, Turn.END_TURN) == Denial.NOT_ASKED
    assert table.states.tobytes() == before


def attacker():
    """A Hero that has chosen an attack with one possible target, in its own turn."""
    table = Table("a-b")
    table.hero(actions=[{"effects": [{"attack": {"dice": 2}}]}])
    table.enemy("a", health=9)
    table.dice(1, 1)
    table.begin()
    table.step(Block.TOKEN, 2)
    return table


def test_a_step_plays_forced_decisions():
    table = attacker()
    table.step(Block.TURN, Turn.ACT)
    assert (table.asks[0], table.damage_dealt) == (Decision.TURN, 2)


def test_an_answer_stops_at_forced_decisions():
    table = attacker()
    table.answer(Block.TURN, Turn.ACT)
    assert (table.asks[0], table.legal()) == (Decision.TARGET, [(Block.ENEMY, 0)])
    table.answer(Block.ENEMY, 0)
    assert (table.asks[0], table.damage_dealt) == (Decision.TURN, 2)


def test_the_reset_of_one_game_leaves_the_scenario_as_it_was():
    table, _ = two_heroes()
    first = table.states.tobytes()
    table.step(Block.TOKEN, FOCUS)
    table.begin()
    assert table.states.tobytes() == first
