"""R19.11, R6.14 [Q56]: story points, and the sections that are read there.

A section waits for an Ally to enter its area, to come into its range with sight, or for a Hero to
use it. What it does is played row by row by `effects.run_section`; `s.reading` holds the one being
read. Those that come due meanwhile are found when it is over.
"""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import ask, push

from ..layout import N_ALLIES
from ..terms import Decision, Denial, Event, Kind, Proc, Trigger, When
from . import checks, entry, movement, placing


@kernel
def run_entered(s, c):
    """R6.14, R7.53 [Q56] - Allies set off a story point, Enemies only if the section says so."""
    if not entry.is_entrant_there(s):
        return
    area, a = s.entry.area, s.entry.ally
    if a >= 0:
        push(s, Proc.STORY_NEXT)
    k = c.story[area]
    if k < 0 or not is_open(s, c, k):
        return
    if a >= 0:
        begin(s, c, k, a, area)
    elif c.story_by_any[area]:
        begin(s, c, k, N_ALLIES + s.entry.enemy, area)


@kernel
def is_open(s, c, k):
    """Whether section k may be read: not yet, or as often as it comes up."""
    return c.section[k].repeats or (s.read >> k) & 1 == 0


@kernel
def reach_denial(s, c, a, k):
    """R19.11 - is ally a within range of the story point of section k, with sight?"""
    section = c.section[k]
    here = s.ally[a].area
    distance = c.range[here, section.area]
    if section.range >= 0 and not 0 <= distance <= section.range:
        return Denial.OUT_OF_RANGE
    return Denial.NONE if placing.sees(c, here, section.area) else Denial.NO_SIGHT


@kernel
def begin_due(s, c):
    """R19.11, R18.3 - the first section on sight that an Ally has come upon, once, is read."""
    for k in range(c.n_stories):
        if c.section[k].trigger != Trigger.SIGHT or (s.read >> k) & 1:
            continue
        for a in range(N_ALLIES):
            if placing.ally_stands(s, a) and reach_denial(s, c, a, k) == Denial.NONE:
                begin(s, c, k, a, c.section[k].area)
                return


@kernel
def section_denial(s, c, a, k):
    """R19.11, R18.3, R6.4 [P12] - may ally a use section k now, in its turn? Once a turn."""
    if k >= c.n_stories or c.section[k].trigger != Trigger.CHOICE:
        return Denial.NO_SUCH_ACTION
    if s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if not is_open(s, c, k) or (s.used_now >> k) & 1:
        return Denial.READ_ALREADY
    if c.section[k].maneuver:
        denial = movement.maneuver_denial(s, a)
        if denial != Denial.NONE:
            return denial
    return reach_denial(s, c, a, k)


@kernel
def candidates(s, c):
    """R19.11 [P12] - candidate sections to use now, as bits."""
    return int(c.by_choice) & ~int(s.used_now)


@kernel
def use_denial(s, c, a):
    """R19.11 - may ally a use any section now? Otherwise why not the last that it could."""
    denial = Denial.NO_SUCH_ACTION
    sections = int(c.by_choice)
    while sections != 0:
        k = lowest(sections)
        sections &= sections - 1
        this = section_denial(s, c, a, k)
        if this == Denial.NONE:
            return this
        if this != Denial.NO_SUCH_ACTION:
            denial = this
    return denial


@kernel
def offer(s, a):
    """R19.11 - Hero a uses a section: which? Needs use_denial NONE."""
    ask(s, Proc.STORY_NEXT, Decision.STORY, a, -1)


@kernel
def use(s, c, a, k):
    """R19.11, R6.4 - Hero a uses section k. Needs section_denial NONE."""
    if c.section[k].maneuver:
        movement.use_maneuver(s, a)
    s.used_now |= 1 << int(k)
    begin(s, c, k, a, c.section[k].area)


@kernel
def begin(s, c, k, figure, area):
    """R19.11 - a figure sets off section k; an Ally makes the check first that it may name."""
    section = c.section[k]
    reading = s.reading
    reading.section = k
    reading.ally = figure if figure < N_ALLIES else -1
    log(s, Event.STORY, figure, k, area)
    push(s, Proc.STORY_NEXT)
    if section.number > 0 and figure < N_ALLIES:
        push(s, Proc.STORY_CHECK)
        checks.begin_offered_check(s, c, figure, section.abilities, section.number)
    else:
        work(s, c, section.first, section.n)


@kernel
def run_check(s, c):
    """R19.11 - what follows the check; a section that is used stays open after a failure [P13]."""
    section = c.section[s.reading.section]
    if s.check.success:
        work(s, c, section.first, section.n)
    elif section.trigger == Trigger.CHOICE:
        s.reading.row = section.fail_first
        s.reading.end = section.fail_first + section.fail_n
    else:
        work(s, c, section.fail_first, section.fail_n)


@kernel
def work(s, c, first, n):
    """The section being read counts as read; its effect rows and events are due."""
    k = int(s.reading.section)
    s.reading.row = first
    s.reading.end = first + n
    s.read |= 1 << k
    for j in range(c.n_events):
        if c.event[j].when == When.STORY and c.event[j].subject == k:
            s.event_due |= 1 << j
