"""The stack of pending work, and questions to players.

A rule that needs an answer puts itself back on the agenda and asks; `flow` stops, and calls it
again once `answer` is set. A rule that causes something which may ask in turn puts its own
continuation on the agenda first and the cause above it: what is on top happens next.
"""

from ..kernel.jit import kernel
from .layout import N_ALLIES, N_LOG
from .terms import ENEMY_CHOICES, Decision, Event, Side


@kernel
def push(s, proc):
    """Do `proc` next."""
    s.agenda[s.depth] = proc
    s.depth += 1


@kernel
def ask(s, proc, decision, ally, subject):
    """Ask `decision` of the player of `ally` about `subject`; `proc` receives the answer."""
    push(s, proc)
    s.decision = decision
    s.asked = ally
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
def side_of(s):
    """terms.Side that the decision now asked belongs to, where somebody plays the Enemies."""
    theirs = s.decision in ENEMY_CHOICES or (s.decision == Decision.TRAP_AREA and s.asked < 0)
    return Side.ENEMIES.value if theirs else Side.HEROES.value


@kernel
def credit(s, a, points):
    """Count damage that ally a has done to the other side; -1 = nobody's."""
    if a >= 0:
        s.dealt[a] += points


@kernel
def credit_enemy(s, e, points):
    """Count damage that enemy e does to the other side."""
    s.dealt[N_ALLIES + s.enemy[e].type] += points


@kernel
def log(s, event, figure, amount, area):
    """Note that `event` happened, if a log is kept; what it does not have is -1."""
    if s.logging:
        write_row(s, event, figure, amount, area, -1, -1)


@kernel
def log_more(s, event, figure, amount, area, die):
    """As `log`, with the fifth number of events that have one."""
    if s.logging:
        write_row(s, event, figure, amount, area, die, -1)


@kernel
def log_die(s, ally, die, face):
    """Note a face rolled, if a log is kept."""
    if s.logging:
        write_row(s, Event.DIE, ally, die, -1, face, -1)


@kernel
def log_choice(s, action):
    """Note the answer to the question now asked, if a log is kept."""
    if s.logging:
        write_row(s, Event.CHOICE, s.asked, s.decision, -1, -1, action)


@kernel
def write_row(s, event, figure, amount, area, die, choice):
    """Append a row to those that wait for `flush`; one that has no place is counted as lost."""
    if s.n_log < N_LOG:
        row = s.log[s.n_log]
        row.event = event
        row.figure = figure
        row.amount = amount
        row.area = area
        row.die = die
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
            to[3] = row.area
            to[4] = row.die
            to[5] = row.choice
            rows[0, 0] += 1
        else:
            rows[0, 1] += 1
        row.event = 0
        row.figure = 0
        row.amount = 0
        row.area = 0
        row.die = 0
        row.choice = 0
    s.n_log = 0
