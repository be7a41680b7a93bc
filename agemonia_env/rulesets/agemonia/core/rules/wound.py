"""Section 13: wounded, exhausted, injured."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from .. import chance
from ..layout import N_INJURIES, N_LOCKS
from ..terms import Event, Kind
from . import ending, gear, placing


@kernel
def become_wounded(s, c, a):
    """R13.4, R13.12 - disk to its red side, that many chips back on it, an Injury card."""
    ally = s.ally[a]
    ally.wounded = 1
    chips = min(int(c.sheet[a].red), int(ally.wounds))
    ally.disk = chips
    ally.wounds -= chips
    card = chance.draw_injury(s, c)
    ally.injury[card] += 1
    log(s, Event.INJURY, a, card, -1)


@kernel
def become_exhausted(s, c, a):
    """R13.8, R13.11, R2.12 - the figure lies down (a Non-Hero Ally leaves the map)."""
    ally = s.ally[a]
    placing.lift_ally(s, c, a)
    ally.exhausted = 1
    ally.conditions = 0
    ally.lapsing = 0
    ally.missed = 0
    for slot in range(N_LOCKS):
        ally.lock_passive[slot] = -1
    log(s, Event.EXHAUSTED, a, -1, -1)
    if ally.kind == Kind.COMPANION:
        ally.area = -1
        ending.end_if_escort_lost(s, c, a)
        return
    s.n_exhausted += 1
    ending.end_if_all_exhausted(s)


@kernel
def remove_wounded(s, a):
    """R13.7, R13.8 - the disk is turned blue, its chips stay on it; Injury cards stay."""
    if not s.ally[a].exhausted and s.ally[a].wounded:
        s.ally[a].wounded = 0
        log(s, Event.UNWOUND, a, -1, -1)


@kernel
def remove_exhausted(s, c, a):
    """R13.9, R13.10 [Q23] - the Hero stands up where it lies, all chips blue on the disk.

    What needs no stamina works again; locks have ended (R13.11).
    """
    ally = s.ally[a]
    if ally.kind != Kind.HERO or not ally.exhausted:
        return
    ally.exhausted = 0
    ally.wounded = 0
    ally.revived = 1
    ally.disk = c.sheet[a].blue
    ally.spent = 0
    ally.wounds = 0
    log(s, Event.REVIVE, a, -1, -1)
    gear.resume(s, c, a, False)
    placing.put_ally(s, c, a, ally.area)


@kernel
def injury_dice(s, c, a, ability):
    """R13.14 [Q24] - dice fewer on checks with an ability, by Injury cards."""
    dice = 0
    for card in range(N_INJURIES):
        dice += s.ally[a].injury[card] * c.injury[card].dice[ability]
    return dice


@kernel
def injury_move(s, c, a):
    """R13.14 [Q24] - movement points fewer on move maneuvers, by Injury cards."""
    points = 0
    for card in range(N_INJURIES):
        points += s.ally[a].injury[card] * c.injury[card].move
    return points


@kernel
def injury_recover(s, c, a):
    """R13.14 [Q24] - recovered fewer on recover maneuvers, by Injury cards."""
    amount = 0
    for card in range(N_INJURIES):
        amount += s.ally[a].injury[card] * c.injury[card].recover
    return amount
