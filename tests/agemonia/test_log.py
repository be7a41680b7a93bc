"""The event log: it says what happens, and nothing of the game depends on it."""

from itertools import pairwise

import pytest

from agemonia_env.core.event_log import empty_rows
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES, N_LOG
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Event
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.agemonia.game_steps import play
from tests.agemonia.rules.table import Table
from tests.games import Games

GAMES = [("ford", 2, 1), ("snares", 2, 5), ("weir", 3, 2)]


def states_of(scenario, heroes, seed, n):
    """Bytes of the state after every step of a random game with a log of n rows."""
    games = Games(AGEMONIA, scenario, heroes, [seed], auto_ties=0, rows=empty_rows(n))
    yield games.states.tobytes()
    while games.running[0]:
        games.rows = empty_rows(n)
        games.step(games.chosen())
        yield games.states.tobytes()


@pytest.mark.parametrize(("scenario", "heroes", "seed"), GAMES)
@pytest.mark.parametrize("n", [2, 1024])
def test_the_state_does_not_depend_on_the_log(scenario, heroes, seed, n):
    silent, logged = (states_of(scenario, heroes, seed, rows) for rows in (0, n))
    assert all(one == other for one, other in zip(silent, logged, strict=True))


def test_single_tasks_add_up_to_the_game():
    compiled = compile_scenario("core", "ford", 2)
    steps = [*play(compiled, 5, Policy.RANDOM)]
    games = Games(AGEMONIA, "ford", 2, [5], auto_ties=0)
    games.play(Policy.RANDOM, 5000)
    assert games.states.tobytes() == steps[-1].after.tobytes()
    assert all(one.after.tobytes() == other.before.tobytes() for one, other in pairwise(steps))
    assert max(len(step.rows) for step in steps) < N_LOG


def test_a_verb_without_effect_is_still_logged():
    table = Table()
    hero = table.hero(disk=5)
    table.perform(Verb.DAMAGE, hero, 2)
    assert table.log(Event.DAMAGE) == [(Event.DAMAGE, hero.slot, 2, -1)]
    assert int(table.states["n_log"][0]) == 0


def test_conditions_gained_and_lost():
    table = Table()
    beast = table.enemy()
    for condition in (Condition.BLEEDING, Condition.SLOWED, Condition.STUNNED):
        table.perform(Verb.GAIN, beast, condition)
    figure = N_ALLIES + beast.slot
    assert table.log(Event.GAIN)[-1] == (Event.GAIN, figure, Condition.STUNNED, -1)
    assert table.log(Event.DISCARD) == [(Event.DISCARD, figure, Condition.BLEEDING, -1)]


def test_rows_without_room_are_counted():
    small, large = (
        Games(AGEMONIA, "ford", 2, [1], auto_ties=0, rows=empty_rows(n)).rows for n in (2, 64)
    )
    assert (small[0, 0], small[0, 1]) == (2, large[0, 0] - 2)
    assert (small[1] == large[1]).all()


def test_an_answer_is_logged_with_its_question():
    games = Games(AGEMONIA, "ford", 2, [1], auto_ties=0)
    asked, decision = int(games.states["asked"][0]), int(games.states["decision"][0])
    games.rows, actions = empty_rows(64), games.chosen()
    games.step(actions)
    rows = games.rows
    assert decision == Decision.SELECT_ACTION
    assert rows[1].tolist() == [Event.CHOICE, asked, decision, -1, -1, actions[0]]
    assert rows[2, :2].tolist() == [Event.SELECT, asked]
