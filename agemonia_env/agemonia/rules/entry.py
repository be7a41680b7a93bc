"""R7.53, R19.7 to R19.11: what entering an area triggers, and traps."""

from ...kernel.jit import kernel
from .. import chance
from ..agenda import answered, ask, log, push, take_answer
from ..layout import N_ALLIES, N_ENEMIES
from ..terms import Ability, Decision, Event, Kind, Proc
from . import checks, condition, enemies, lock, placing, stamina

KEYWORD_BONUS = 2  # R19.7


@kernel
def begin_ally(s, a):
    """Q54 - ally a has entered its area: story point, then trap."""
    s.entry.ally = a
    s.entry.enemy = -1
    s.entry.area = s.ally[a].area
    push(s, Proc.ENTER_TRAP)
    push(s, Proc.ENTER_STORY)


@kernel
def begin_on_trap(s, a):
    """Q38 - ally a starts its turn on a trap token: as if entering, but for the story point."""
    s.entry.ally = a
    s.entry.enemy = -1
    s.entry.area = s.ally[a].area
    push(s, Proc.ENTER_TRAP)


@kernel
def begin_enemy(s, e):
    """Q54, Q56 - enemy e has entered its area: story point if open to any, then trap."""
    s.entry.ally = -1
    s.entry.enemy = e
    s.entry.area = s.enemy[e].area
    push(s, Proc.ENTER_TRAP)
    push(s, Proc.ENTER_STORY)


@kernel
def is_entrant_there(s):
    """Whether whoever enters still stands in the area (a fall may have taken it off the map)."""
    entry = s.entry
    if entry.ally >= 0:
        return placing.ally_stands(s, entry.ally) and s.ally[entry.ally].area == entry.area
    return placing.enemy_stands(s, entry.enemy) and s.enemy[entry.enemy].area == entry.area


@kernel
def run_story(s, c):
    """R7.53 [Q56] - a story point is set off by Allies, by Enemies only if the section says so."""
    area = s.entry.area
    if c.story[area] >= 0 and is_entrant_there(s):
        if s.entry.ally >= 0 or c.story_by_any[area]:
            log(s, Event.STORY, area)


@kernel
def run_trap(s, c):
    """R19.7, R7.20 - a trap token: a Hero may try to disarm it, a flyer does not set it off."""
    entry = s.entry
    if not s.trap[entry.area] or not is_entrant_there(s):
        return
    if entry.ally < 0:
        if not s.enemy[entry.enemy].fly and not s.turn.fly:
            begin_trigger(s)
        return
    a = entry.ally
    if answered(s):
        if take_answer(s):
            push(s, Proc.TRAP_DISARMED)
            s.check.modifier = KEYWORD_BONUS * entry.keyword
            checks.begin_active_check(s, c, a, Ability.AGILITY, c.disarm_number)
        else:
            begin_trigger(s)
    elif not lock.flies(s, c, a):
        if s.ally[a].kind == Kind.HERO:
            ask(s, Proc.ENTER_TRAP, Decision.DISARM, a, entry.area)
        else:
            begin_trigger(s)


@kernel
def run_disarmed(s, c):
    """R19.7 - success discards the token, failure triggers the trap."""
    if s.check.success:
        s.trap[s.entry.area] = 0
    else:
        begin_trigger(s)


@kernel
def begin_trigger(s):
    """R19.7 - the token is discarded and the trap goes off."""
    s.trap[s.entry.area] = 0
    log(s, Event.TRAP, s.entry.area)
    push(s, Proc.TRAP_TRIGGER)


@kernel
def run_trigger(s, c):
    """R19.8 - the top Trap card is resolved in the area."""
    s.entry.card = chance.draw_trap(s, c)
    s.entry.next = 0
    if s.entry.card >= 0:
        push(s, Proc.TRAP_VICTIM)


@kernel
def run_victim(s, c):
    """R19.8 [Q45] - every standing figure in the area is hit, Allies first, in order of slots."""
    entry = s.entry
    card = c.trap[entry.card]
    while entry.next < N_ALLIES + N_ENEMIES:
        figure = int(entry.next)
        entry.next += 1
        if figure >= N_ALLIES:
            e = figure - N_ALLIES
            if placing.enemy_stands(s, e) and s.enemy[e].area == entry.area:
                enemies.damage(s, c, e, card.damage)
                condition.gain_enemy_all(s, e, card.conditions)
        elif placing.ally_stands(s, figure) and s.ally[figure].area == entry.area:
            push(s, Proc.TRAP_VICTIM)
            if card.number > 0:
                push(s, Proc.TRAP_CHECK)
                checks.begin_active_check(s, c, figure, card.ability, card.number)
            else:
                hit_ally(s, c, figure)
            return


@kernel
def run_trap_check(s, c):
    """R19.8 - some Trap cards act only on a failed check."""
    if not s.check.success:
        hit_ally(s, c, s.check.ally)


@kernel
def hit_ally(s, c, a):
    """Q45 - damage as printed, then the condition."""
    push(s, Proc.TRAP_CONDITION)
    stamina.damage(s, c, a, c.trap[s.entry.card].damage)


@kernel
def run_trap_condition(s, c):
    """Q45 - the condition of the Trap card, for the Ally dealt with last."""
    condition.gain_ally_all(s, c, s.entry.next - 1, c.trap[s.entry.card].conditions)
