"""The stack of pending work, and questions to players.

A rule that needs an answer puts itself back on the agenda and asks; `flow` stops, and calls it
again once `answer` is set. A rule that causes something which may ask in turn puts its own
continuation on the agenda first and the cause above it: what is on top happens next.
"""

from ..kernel.jit import kernel
from .layout import N_LOG


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
def log(s, event, subject):
    """Note that `event` happened; past N_LOG events of one step the later ones are dropped."""
    if s.n_log < N_LOG:
        s.log_event[s.n_log] = event
        s.log_subject[s.n_log] = subject
        s.n_log += 1
