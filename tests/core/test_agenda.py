"""Work is done from the top, answers are taken once, and what is logged is kept or counted."""

import numpy as np

from agemonia_env.core import task_stack
from agemonia_env.core.jit import entry, zeros

ROOM = 3  # rows that wait in the state
STATE = np.dtype(
    [
        ("agenda", np.uint8, (8,)),
        ("depth", np.int16),
        ("decision", np.uint8),
        ("block", np.uint8),
        ("asked", np.int16),
        ("subject", np.int16),
        ("answer", np.int16),
        ("logging", np.uint8),
        ("n_log", np.int16),
        ("log", np.int16, (ROOM, task_stack.N_COLUMNS)),
    ],
    align=True,
)


@entry
def ask_above(states, out):
    """Work, and a question above it; out: bits of what is under way."""
    s = states[0]
    task_stack.push(s, 5)
    task_stack.ask(s, 2, 7, -1, 4)
    out[0] = task_stack.under_way(s)
    out[1] = task_stack.answered(s)


@entry
def take(states, block, out):
    """Answer 6 of block 1 is taken as one of `block`."""
    s = states[0]
    s.block, s.answer = 1, 6
    out[0] = task_stack.answered(s)
    out[1] = task_stack.take_if(s, block)
    out[2] = task_stack.answered(s)


@entry
def note(states, n, rows):
    """n events and a choice are logged, and written to the buffer."""
    s = states[0]
    for k in range(n):
        task_stack.log(s, 10 + k, k, 2, 3)
    task_stack.log(s, 20, -1, 2, 3, 4)
    task_stack.log_choice(s, 30, 99)
    task_stack.flush(s, rows)


def test_a_question_lies_above_the_work_that_waits_for_it():
    states, out = zeros(STATE), np.zeros(2, np.int64)
    ask_above(states, out)
    assert states["agenda"][0, :2].tolist() == [5, 2]
    asked = [states[name][0] for name in ("depth", "decision", "asked", "subject", "answer")]
    assert asked == [2, 7, -1, 4, -1]
    assert out.tolist() == [1 << 5 | 1 << 2, 0]


def test_an_answer_is_taken_once_and_declined_in_another_block():
    for block, taken in ((1, 6), (2, -1)):
        out = np.zeros(3, np.int64)
        take(zeros(STATE), block, out)
        assert out.tolist() == [1, taken, 0]


def test_rows_are_written_in_order_and_leave_nothing_in_the_state():
    states, rows = zeros(STATE), task_stack.empty_rows(8)
    states["logging"], states["asked"], states["decision"] = 1, 2, 7
    before = states.tobytes()
    note(states, 1, rows)
    told = task_stack.written(rows)
    assert told == [(10, 0, 2, 3, -1, -1), (20, -1, 2, 3, 4, -1), (30, 2, 7, -1, -1, 99)]
    assert (told[1].other, told[2].choice, rows[0, 1]) == (4, 99, 0)
    assert states.tobytes() == before
    task_stack.clear_rows(rows)
    assert task_stack.written(rows) == []


def test_rows_without_room_in_state_or_buffer_are_counted():
    for n_rows, kept, lost in ((8, ROOM, 2), (3, 2, 3)):
        states, rows = zeros(STATE), task_stack.empty_rows(n_rows)
        states["logging"] = 1
        note(states, 3, rows)
        assert [row.event for row in task_stack.written(rows)] == [10, 11, 12][:kept]
        assert rows[0, :2].tolist() == [1 + kept, lost]


def test_nothing_is_kept_without_a_log():
    states, rows = zeros(STATE), task_stack.empty_rows(0)
    note(states, 2, rows)
    assert states.tobytes() == zeros(STATE).tobytes()
    assert task_stack.written(rows) == []
