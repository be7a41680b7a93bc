"""The stack of pending tasks, and the questions they put to players.

A rule that needs an answer pushes itself back on the stack and asks; `flow` stops, and calls it
again once `answer` is set. A rule that causes something with questions of its own pushes its
continuation first and the cause above it: the top of the stack happens next.

State fields used: tasks and depth; decision, asked, subject, answer and block. The `terms` of the
ruleset say what their numbers mean.
"""

from .jit import kernel


# ---- pending tasks ------------------------------------------------------------------------------
@kernel
def push(s, proc):
    """Do `proc` next."""
    s.tasks[s.depth] = proc
    s.depth += 1


@kernel
def pending_tasks(s):
    """The tasks on the stack as bits of terms.Proc; for rulesets with at most 63 kinds."""
    bits = 0
    for k in range(s.depth):
        bits |= 1 << int(s.tasks[k])
    return bits


# ---- questions ----------------------------------------------------------------------------------
@kernel
def ask(s, proc, decision, asked, subject):
    """Ask `decision` of a figure's player (-1 = of all players) about `subject`.

    `proc` receives the answer.
    """
    push(s, proc)
    s.decision = decision
    s.asked = asked
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
