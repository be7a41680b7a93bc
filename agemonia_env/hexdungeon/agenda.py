"""The stack of pending work, questions to players, and the log of what happens.

A rule that needs an answer puts itself back on the agenda and asks; `flow` stops, and calls it
again once `answer` is set. A rule that causes something which may ask in turn puts its own
continuation on the agenda first and the cause above it: what is on top happens next.
"""

from ..kernel.jit import kernel
from .layout import N_LOG
from .terms import Event


@kernel
def push(s, proc):
    """Do `proc` next."""
    s.agenda[s.depth] = proc
    s.depth += 1


@kernel
def under_way(s):
    """Bits of terms.Proc: all that is on the agenda."""
    bits = 0
    for k in range(s.depth):
        bits |= 1 << int(s.agenda[k])
    return bits


@kernel
def ask(s, proc, decision, hero, subject):
    """Ask `decision` of a character's player (-1 = all players) about `subject`.

    `proc` receives the answer.
    """
    push(s, proc)
    s.decision = decision
    s.asked = hero
    s.subject = subject
    s.answer = -1


@kernel
def answered(s):
    """Whether the procedure now running was called to receive an answer."""
    return s.answer >= 0


@kernel
def take_answer(s):
    """The index named by the answer; the question is settled."""
    answer = int(s.answer)
    s.answer = -1
    return answer


@kernel
def take_if(s, block):
    """The index named by the answer if it is of this block; -1 = the offer is declined."""
    answer = take_answer(s)
    return answer if s.block == block else -1


@kernel
def log(s, event, figure, amount, place, other):
    """Note that `event` happened, if a log is kept; what it does not have is -1."""
    if s.logging:
        write_row(s, event, figure, amount, place, other, -1)


@kernel
def log_choice(s, action):
    """Note the answer to the question now asked, if a log is kept."""
    if s.logging:
        write_row(s, Event.CHOICE, s.asked, s.decision, -1, -1, action)


@kernel
def write_row(s, event, figure, amount, place, other, choice):
    """Append a row to those that wait for `flush`; one that has no place is counted as lost."""
    if s.n_log < N_LOG:
        row = s.log[s.n_log]
        row.event = event
        row.figure = figure
        row.amount = amount
        row.place = place
        row.other = other
        row.choice = choice
    s.n_log += 1


@kernel
def flush(s, rows):
    """Move what waits into the buffer, int16 (n, N_COLUMNS); the state keeps nothing of it.

    rows[0] is its head: rows used, this one included, and rows lost for want of room.
    """
    for k in range(s.n_log):
        if k >= N_LOG:
            rows[0, 1] += 1
            continue
        row = s.log[k]
        if rows[0, 0] < len(rows):
            to = rows[rows[0, 0]]
            to[0] = row.event
            to[1] = row.figure
            to[2] = row.amount
            to[3] = row.place
            to[4] = row.other
            to[5] = row.choice
            rows[0, 0] += 1
        else:
            rows[0, 1] += 1
        row.event = 0
        row.figure = 0
        row.amount = 0
        row.place = 0
        row.other = 0
        row.choice = 0
    s.n_log = 0
