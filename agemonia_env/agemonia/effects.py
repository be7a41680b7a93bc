"""The one place that turns the effect rows of content into rule calls."""

from ..kernel.jit import kernel
from .agenda import push
from .rules import action, attack, checks, ending, enemies, entry, lock
from .terms import Denial, Ending, Op, Proc


@kernel
def run_action(s, c):
    """The next effect row of the action being performed; a row that is not to be had is skipped."""
    doing = s.act
    token = c.token[doing.token]
    if doing.row >= token.first + token.n or s.ally[doing.ally].exhausted:
        return
    row = c.effect[doing.row]
    k = int(doing.row)
    doing.row += 1
    push(s, Proc.ACTION_NEXT)
    if action.effect_denial(s, c, doing.ally, k, 0) != Denial.NONE:
        return
    match row.op:
        case Op.ATTACK:
            attack.begin(s, doing.ally, row.a)
        case Op.LOCK:
            lock.lock(s, c, doing.ally, row.a)
        case Op.MOVE:
            action.grant_move(s, c, row.amount)
        case Op.EVADE:
            s.ally[doing.ally].evade += row.amount
        case Op.GEM:
            for _ in range(row.amount):
                checks.gain_achievement(s, doing.ally)
        case Op.SET_TRAP:
            here = s.ally[doing.ally].area
            entry.begin_set(s, doing.ally, entry.trap_places(s, c, here, row.range))
        case Op.AFFLICT:
            push(s, Proc.EFFECT_AFFLICTED)
        case _:
            push(s, Proc.EFFECT_RECIPIENT)


@kernel
def run_event(s, c):
    """The next row of the scenario events that are due; lowest event first [P7]."""
    while s.event_due != 0:
        k = enemies.lowest(int(s.event_due))
        event = c.event[k]
        if s.event_row >= event.n:
            s.event_due &= ~(1 << k)
            s.event_row = 0
            continue
        row = c.effect[event.first + s.event_row]
        s.event_row += 1
        push(s, Proc.EVENT_NEXT)
        match row.op:
            case Op.REINFORCE:
                enemies.begin_spawn(s, row.a, row.b, row.amount)
            case Op.REINFORCE_PER_HERO:
                enemies.begin_spawn(s, row.a, row.b, row.amount * c.n_heroes)
            case Op.FAIL:
                ending.end(s, Ending.EVENT)
            case Op.SUCCEED:
                ending.end(s, Ending.OBJECTIVE)
            case Op.TRAP:
                s.trap[row.b] = 1
            case _:
                pass
        return
