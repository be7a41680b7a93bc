"""Event texts: every row of the event log has its sentence; without a log there is no cost."""

from itertools import pairwise

import numpy as np
import pytest

from agemonia_env.core.event_log import empty_rows
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.terms import (
    Condition,
    Die,
    Ending,
    Event,
    Movement,
    Roll,
    Way,
)
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.view.board_text import write_board
from agemonia_env.rulesets.agemonia.view.event_text import HIDDEN, event_texts
from tests.games import random_steps

NOTHING = (-1, -1, -1, -1)


@pytest.fixture(scope="module")
def env():
    env = AgemoniaEnv("ford", 2, render_mode="ansi")
    env.reset(seed=4)
    return env


def sentences(env, *written):
    """Sentences of rows (event, figure, amount, place, other, choice)."""
    rows = empty_rows()
    for row in written:
        rows[rows[0, 0]] = (*row, *NOTHING[len(row) - 2 :])[:6]
        rows[0, 0] += 1
    return event_texts(rows, env._states[0], env.compiled)


def play(env, decisions, seed=1):
    """Play at random. -> the sentences of every step"""
    env.reset(seed=seed)
    told = [(env.happened(), info) for *_, info in random_steps(env, decisions, seed)]
    return [happened for happened, _ in told], told[-1][1]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ((Event.ROUND, -1, 3), "Round 3 begins"),
        ((Event.STEP, 0, Way.WALK, 1), "Orsa goes to Upper Shallows"),
        ((Event.STEP, 0, Way.PUSHED, 1), "Orsa is pushed into Upper Shallows"),
        ((Event.MOVE, 0, 1, Movement.MANEUVER), "Orsa moves: 1 point"),
        ((Event.DISCARD, N_ALLIES, Condition.HELD), "Reedling 1 is no longer Held"),
        ((Event.CHECK, 0, 5, 4, 1), "Orsa passes the check: 5 of 4"),
        ((Event.TURN, N_ALLIES, 1 + 4 + 8), "Reedling 1 takes its turn (open + horns + snake)"),
        ((Event.PUSH, N_ALLIES, -2, 1), "Reedling 1 is pulled towards Upper Shallows by 2"),
        ((Event.FAILURE, -1, Ending.OUT_OF_TIME), "The scenario is lost: out of time"),
        ((Event.SPEND, 0, 2, -1, 1), "Orsa spends 2 stamina, which turns red"),
    ],
)
def test_a_row_is_a_sentence(env, row, sentence):
    assert sentences(env, row) == [sentence]


def test_dice_of_one_roll_are_one_sentence(env):
    dice = [(Event.DIE, 0, Die.ACTION, -1, face) for face in (1, 8, 9)]
    assert sentences(env, (Event.ROLL, 0, Roll.ATTACK, -1, 2), *dice) == [
        "Orsa rolls 1, 1+, S for the attack"
    ]
    assert sentences(env, (Event.ROLL, 0, Roll.REACTIVE, -1, 2)) == ["Orsa has 2 dice against it"]


@pytest.mark.parametrize("event", sorted(set(Event) - HIDDEN))
def test_every_event_has_a_sentence(env, event):
    amount = Way.WALK if event == Event.STEP else 1
    assert sentences(env, (event, 0, amount, 0, 0, 0)) != []


def test_lost_rows_are_mentioned(env):
    rows = empty_rows()
    rows[0, 1] = 7
    assert event_texts(rows, env._states[0], env.compiled) == ["And 7 more events"]


def test_events_are_reported_only_on_request():
    silent = AgemoniaEnv("ford", 2)
    steps, info = play(silent, 30)
    assert ("events" in info, any(steps)) == (False, False)
    steps, info = play(AgemoniaEnv("ford", 2, log=True), 30)
    assert info["events"].splitlines() == steps[-1]
    assert any("takes its turn" in text for step in steps for text in step)


def test_the_board_shows_what_has_happened(env):
    for _ in range(40):
        env.step(int(env.legal_actions()[0]))
        if len(env.happened()) > 1:
            break
    board = env.render()
    assert all(f"* {text}." in board for text in env.happened())
    assert "* " not in write_board(env._states[0], env.compiled)


def test_a_restored_position_has_no_events(env):
    position = env.get_state()
    env.step(int(env.legal_actions()[0]))
    env.set_state(position)
    assert env.happened() == []


def test_a_log_does_not_change_the_game():
    plain, told_ = AgemoniaEnv("ford", 2), AgemoniaEnv("ford", 2, log=True)
    random = np.random.default_rng(0)
    plain.reset(seed=9)
    told_.reset(seed=9)
    for _ in range(200):
        action = int(random.choice(plain.legal_actions()))
        over = plain.step(action)[2]
        told_.step(action)
        assert plain._states.tobytes() == told_._states.tobytes()
        if over:
            break
    assert api.NO_ROWS.shape[0] == len(plain._rows) == 0


def test_an_enemy_that_reaches_nobody_does_not_attack_in_the_text():
    steps = []
    for seed in range(12):
        env = AgemoniaEnv("ford", 2, ties="auto", log=True)
        env.reset(seed=seed)
        terminated = False
        while not terminated:
            _, _, terminated, _, _ = env.step(env.legal_actions()[0])
            steps.append(env.happened())
    after = [b for events in steps for a, b in pairwise(events) if a.endswith(" attacks")]
    assert after
    assert all("takes its turn" not in event for event in after)
    assert any("finds nobody to attack" in event for events in steps for event in events)
