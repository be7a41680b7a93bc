"""Section 2: stamina, loss, damage and healing of Allies; R2.14: three verbs, three functions."""

from agemonia_env.core.counting import added
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import ask, take_answer

from ..layout import N_LOCKS
from ..terms import Decision, Denial, Event, Kind, Proc
from . import lock, placing, wound


@kernel
def spend_denial(s, a, n):
    """R2.1 - may ally a spend n stamina?"""
    if s.ally[a].exhausted:
        return Denial.OUT_OF_ACTION
    if s.ally[a].kind != Kind.HERO:
        return Denial.NONE if n == 0 else Denial.NOT_A_HERO
    return Denial.NONE if s.ally[a].disk >= n else Denial.NOT_ENOUGH_STAMINA


@kernel
def spend(s, a, n):
    """R2.1 - n chips from the disk to the spent pool. Needs spend_denial NONE."""
    s.ally[a].disk -= n
    s.ally[a].spent += n
    if n > 0:
        log(s, Event.SPEND, a, n, -1, 0)


@kernel
def spend_cursed(s, a, n):
    """R12.7 - n chips from the disk to the wound pool."""
    s.ally[a].disk -= n
    s.ally[a].wounds += n
    if n > 0:
        log(s, Event.SPEND, a, n, -1, 1)


@kernel
def lose(s, c, a, n):
    """R2.2, R2.3, R14.11 - stamina loss; what the disk lacks becomes damage."""
    if not placing.ally_stands(s, a):
        return
    if s.ally[a].kind == Kind.HERO:
        chips = min(n, int(s.ally[a].disk))
        s.ally[a].disk -= chips
        s.ally[a].spent += chips
        s.damage_taken = added(s.damage_taken, chips)
        s.taken[a] = added(s.taken[a], chips)
        n -= chips
        if chips > 0:
            log(s, Event.LOSE, a, chips, -1)
    damage(s, c, a, n)


@kernel
def damage(s, c, a, n):
    """R2.4, R2.5, R18.5 [P45] - damage: disk, spent pool, locked chips, then wounded or exhausted.

    Nothing is asked before it: a lock ended first spares nothing [P47].

    One hit at a time [Q26]: if the owner must choose among locks (R14.7) the rest waits on the
    stack, so a caller may continue only with tasks below it.
    """
    if n <= 0 or not placing.ally_stands(s, a):
        return
    ally = s.ally[a]
    if c.sheet[a].undying:
        n = min(n, ally.health - 1)
    log(s, Event.DAMAGE, a, n, -1)
    s.taken[a] = added(s.taken[a], n)
    if ally.kind == Kind.COMPANION:
        ally.health = max(0, ally.health - n)
        if ally.health == 0:
            wound.become_exhausted(s, c, a)
        return
    s.damage_taken = added(s.damage_taken, n)
    chips = min(n, int(ally.disk))
    ally.disk -= chips
    ally.wounds += chips
    n -= chips
    chips = min(n, int(ally.spent))
    ally.spent -= chips
    ally.wounds += chips
    n -= chips
    if n > 0:
        flip_locked(s, c, a, n)


@kernel
def flip_locked(s, c, a, n):
    """R14.7 - n damage meets the locked chips; the owner chooses if there is a choice."""
    chips = min(n, lock.locked_chips(s, a))
    s.flip_ally = a
    s.flip_chips = chips
    s.flip_excess = n - chips
    flip_rest(s, c)


@kernel
def flip_denial(s, a, slot):
    """R14.7 - may a chip be flipped from this lock?"""
    return Denial.NONE if s.ally[a].lock_chips[slot] > 0 else Denial.NOT_RUNNING


@kernel
def keep_denial(s):
    """R14.4 - may the locks all be left as they are? Not while chips must flip (R14.7)."""
    return Denial.NONE if s.flip_chips == 0 else Denial.NO_USE


@kernel
def run_flip_lock(s, c):
    """R14.7 - the owner has named the lock for the next chip."""
    flip(s, s.flip_ally, take_answer(s))
    flip_rest(s, c)


@kernel
def flip_rest(s, c):
    """R14.7 to R14.9 - flip locked chips one by one, then dissolve locks, then wound or exhaust."""
    a = s.flip_ally
    while s.flip_chips > 0:
        slot = only_choice(s, a)
        if slot < 0:
            ask(s, Proc.FLIP_LOCK, Decision.FLIP_LOCK, a, -1)
            return
        flip(s, a, slot)
    lock.dissolve(s, c, a)
    if s.flip_excess > 0:
        if s.ally[a].wounded:
            wound.become_exhausted(s, c, a)
        else:
            wound.become_wounded(s, c, a)


@kernel
def flip(s, a, slot):
    """R14.7 - one locked chip turns red."""
    s.ally[a].lock_chips[slot] -= 1
    s.ally[a].wounds += 1
    s.flip_chips -= 1


@kernel
def only_choice(s, a):
    """The lock to flip from if there is no choice: the only one, or all must flip; else -1."""
    last, filled, chips = -1, 0, 0
    for slot in range(N_LOCKS):
        if s.ally[a].lock_chips[slot] > 0:
            last = slot
            filled += 1
            chips += s.ally[a].lock_chips[slot]
    return last if filled == 1 or chips == s.flip_chips else -1


@kernel
def disk_room(s, c, a):
    """R2.10, R13.5 [Q1] - chips that still fit on the disk."""
    ally = s.ally[a]
    side = c.sheet[a].red if ally.wounded else c.sheet[a].blue
    return max(0, side - ally.disk)


@kernel
def gains_by_ending(s, c, a, n, wounds):
    """R14.4, R14.6 [P46] - would more of n chips come onto the disk of ally a for a lock less?

    `wounds`: red chips that the effect would heal instead, which is always better.
    """
    if lock.running(s, a) == 0:
        return False
    return min(n, disk_room(s, c, a)) > s.ally[a].spent + wounds


@kernel
def ask_end_lock(s, c, a, n, proc):
    """R14.4 [P46] - ally a may end a lock before n chips come onto its disk; `proc` goes on."""
    ask(s, proc, Decision.FLIP_LOCK, a, -1)
    s.limit = min(n, disk_room(s, c, a))
    s.flip_ally = a
    s.flip_excess = 0


@kernel
def restore(s, c, a, n):
    """R2.6, R14.6 [Q25] - up to n chips from the spent pool to the disk. -> chips restored."""
    ally = s.ally[a]
    if ally.kind != Kind.HERO or ally.exhausted:
        return 0
    chips = min(min(n, int(ally.spent)), disk_room(s, c, a))
    ally.spent -= chips
    ally.disk += chips
    if chips > 0:
        log(s, Event.RESTORE, a, chips, -1)
    return chips


@kernel
def heal(s, c, a, n):
    """R2.7, R2.8 - up to n damage healed, onto the disk. -> damage healed."""
    ally = s.ally[a]
    if ally.kind == Kind.NOBODY or ally.exhausted:
        return 0
    if ally.kind == Kind.COMPANION:
        chips = max(0, min(n, c.sheet[a].health - ally.health))
        ally.health += chips
    else:
        chips = min(min(n, int(ally.wounds)), disk_room(s, c, a))
        ally.wounds -= chips
        ally.disk += chips
    if chips > 0:
        log(s, Event.HEAL, a, chips, -1)
    return chips


@kernel
def mixed_denial(amount, restored, healed):
    """R2.9 - may `amount` be split into so much restoring and healing?"""
    if restored < 0 or healed < 0 or restored + healed > amount:
        return Denial.TOO_MUCH
    return Denial.NONE
