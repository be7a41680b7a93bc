"""Tasks run from the top, answers are taken once, and log rows are kept or counted."""

import numpy as np

from agemonia_env.core import event_log, task_stack
from agemonia_env.core.jit import entry, zeros

ROOM = 3  # rows that wait in the state
STATE = np.dtype(
    [
        ("tasks", np.uint8, (8,)),
        ("depth", np.int16),
        ("decision", np.uint8),
        ("block", np.uint8),
        ("asked", np.int16),
        ("subject", np.int16),
        ("answer", np.int16),
        ("logging", np.uint8),
        ("n_log", np.int16),
        ("log", np.int16, (ROOM, event_log.N_COLUMNS)),
    ],
    align=True,
)


@entry
def ask_above(states, out):
    """A task, and a question above it; out: bits of the pending tasks."""
    s = states[0]
    task_stack.push(s, 5)
    task_stack.ask(s, 2, 7, -1, 4)
    out[0] = task_stack.pending_tasks(s)
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
def write_log(states, n, rows):
    """Log n events and a choice, and flush them to the buffer."""
    s = states[0]
    for k in range(n):
        event_log.log(s, 10 + k, k, 2, 3)
    event_log.log(s, 20, -1, 2, 3, 4)
    event_log.log_choice(s, 30, 99)
    event_log.flush(s, rows)


def test_a_question_is_above_the_task_that_waits_for_it():
    states, out = zeros(STATE), np.zeros(2, np.int64)
    ask_above(states, out)
    assert states["tasks"][0, :2].tolist() == [5, 2]
    asked = [states[name][0] for name in ("depth", "decision", "asked", "subject", "answer")]
    assert asked == [2, 7, -1, 4, -1]
    assert out.tolist() == [1 << 5 | 1 << 2, 0]


def test_an_answer_is_taken_once_and_declined_in_another_block():
    for block, taken in ((1, 6), (2, -1)):
        out = np.zeros(3, np.int64)
        take(zeros(STATE), block, out)
        assert out.tolist() == [1, taken, 0]


def test_rows_are_written_in_order_and_leave_nothing_in_the_state():
    states, rows = zeros(STATE), event_log.empty_rows(8)
    states["logging"], states["asked"], states["decision"] = 1, 2, 7
    before = states.tobytes()
    write_log(states, 1, rows)
    rows_read = event_log.read_rows(rows)
    assert rows_read == [(10, 0, 2, 3, -1, -1), (20, -1, 2, 3, 4, -1), (30, 2, 7, -1, -1, 99)]
    assert (rows_read[1].other, rows_read[2].choice, rows[0, 1]) == (4, 99, 0)
    assert states.tobytes() == before
    event_log.clear_rows(rows)
    assert event_log.read_rows(rows) == []


def test_rows_without_room_in_state_or_buffer_are_counted():
    for n_rows, kept, lost in ((8, ROOM, 2), (3, 2, 3)):
        states, rows = zeros(STATE), event_log.empty_rows(n_rows)
        states["logging"] = 1
        write_log(states, 3, rows)
        assert [row.event for row in event_log.read_rows(rows)] == [10, 11, 12][:kept]
        assert rows[0, :2].tolist() == [1 + kept, lost]


def test_nothing_is_logged_without_a_buffer():
    states, rows = zeros(STATE), event_log.empty_rows(0)
    write_log(states, 2, rows)
    assert states.tobytes() == zeros(STATE).tobytes()
    assert event_log.read_rows(rows) == []
