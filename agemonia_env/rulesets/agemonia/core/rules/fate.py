"""R5.18, R5.19, R19.1 to R19.6: Fate cards and timers."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from .. import chance
from ..terms import Event


@kernel
def reveal(s, c):
    """R5.18, R5.19, R19.1, R19.2, R19.5 - the top Fate card. -> is the timer's event due?"""
    s.reshuffled = 0
    s.fate_card = -1
    if s.n_fate == 0:
        refill(s)
    if s.n_fate == 0:
        return False  # every card lies in the Timer pile
    card = chance.take_top(s, s.fate, s.n_fate)
    s.n_fate -= 1
    s.fate_card = card
    log(s, Event.FATE, -1, card, -1)
    if s.timer_target <= 0:
        s.fate_discard[s.n_fate_discard] = card
        s.n_fate_discard += 1
        return False
    s.timer[s.n_timer] = card
    s.n_timer += 1
    if timer_sum(s) < s.timer_target:
        return False
    log(s, Event.TIMER, -1, -1, -1)
    return True


@kernel
def refill(s):
    """R5.19, R19.5 - an empty Fate deck is the shuffled discard; the Timer pile stays out."""
    n = s.n_fate_discard
    if n == 0:
        return
    for k in range(n):
        s.fate[k] = s.fate_discard[k]
    s.n_fate = n
    s.n_fate_discard = 0
    s.reshuffled = 1
    chance.shuffle_fate(s)


@kernel
def timer_sum(s):
    """R19.2 - sum of the values in the Timer pile."""
    total = 0
    for k in range(s.n_timer):
        total += s.timer[k]
    return total


@kernel
def start_timer(s, target):
    """R19.1 - from now on Fate cards go to the Timer pile."""
    s.timer_target = target


@kernel
def reset_timer(s):
    """R19.3 - keep only the newest card of the Timer pile; its value counts."""
    if s.n_timer == 0:
        return
    for k in range(s.n_timer - 1):
        s.fate_discard[s.n_fate_discard] = s.timer[k]
        s.n_fate_discard += 1
    s.timer[0] = s.timer[s.n_timer - 1]
    s.n_timer = 1


@kernel
def stop_timer(s):
    """R19.4 - discard the whole pile; later cards go to the discard."""
    for k in range(s.n_timer):
        s.fate_discard[s.n_fate_discard] = s.timer[k]
        s.n_fate_discard += 1
    s.n_timer = 0
    s.timer_target = 0
