"""The one place that turns the effect rows of content into rule calls."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, push, take_answer

from .layout import N_ALLIES, N_ENEMIES
from .rules import (
    action,
    ally_attack,
    burst,
    checks,
    condition,
    ending,
    enemy_pool,
    entry,
    fate,
    figures,
    jump,
    lock,
    placing,
    setup,
    stamina,
    story,
)
from .terms import Denial, Ending, Event, Kind, Op, Proc, Way


@kernel
def run_action(s, c):
    """The next effect row of the action or item; one that is not to be had is skipped."""
    doing = s.act
    if doing.row >= action.end_row(s, c) or s.ally[doing.ally].exhausted:
        return
    row = c.effect[doing.row]
    k = int(doing.row)
    doing.row += 1
    denial = action.effect_denial(s, c, doing.ally, k, 0)
    log(s, Event.EFFECT, doing.ally, k, -1, 1 if denial == Denial.NONE else 0)
    push(s, Proc.ACTION_NEXT)
    if denial != Denial.NONE:
        return
    match row.op:
        case Op.ATTACK:
            ally_attack.begin(s, doing.ally, row.a)
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
        case Op.JUMP:
            jump.offer(s, doing.ally, row.range, Way.JUMP)
        case Op.TELEPORT:
            jump.offer(s, doing.ally, row.range, Way.TELEPORT)
        case Op.PUSH | Op.PULL | Op.DRAIN | Op.DAMAGE | Op.DEFEAT | Op.DELAY:
            push(s, Proc.EFFECT_VICTIM)
        case Op.MANEUVER:
            s.maneuvers += row.amount
        case Op.ATTACK_DICE:
            s.ally[doing.ally].attack_dice[row.a] += row.amount
        case Op.ABILITY:
            action.begin_ability(s, c)
        case Op.INSPIRE:
            for _ in range(row.amount):
                checks.gain_inspiration(s, doing.ally)
        case Op.SUMMON | Op.SUMMON_ALLY | Op.PORTAL:
            push(s, Proc.EFFECT_PLACE)
        case Op.COMMAND:
            figures.begin_command(s, row.a, row.amount)
        case _:
            push(s, Proc.EFFECT_RECIPIENT)


@kernel
def run_event(s, c):
    """The next row of the scenario events that are due; lowest event first [P7, P14]."""
    while s.event >= 0 or s.event_due != 0:
        if s.event < 0:
            s.event = lowest(int(s.event_due))
            s.event_row = 0
            log(s, Event.SCENARIO, -1, s.event, -1)
        event = c.event[s.event]
        if s.event_row >= event.n:
            s.event_due &= ~(1 << int(s.event))
            s.event = -1
            continue
        k = int(event.first + s.event_row)
        s.event_row += 1
        push(s, Proc.EVENT_NEXT)
        run_consequence(s, c, k, -1)
        return


@kernel
def run_section(s, c):
    """R19.11 - the next row of the section being read; after the last one, what has come due."""
    reading = s.reading
    if answered(s):
        story.use(s, c, int(s.asked), take_answer(s))
    elif reading.section < 0:
        story.begin_due(s, c)
    elif reading.row < reading.end:
        k = int(reading.row)
        reading.row += 1
        push(s, Proc.STORY_NEXT)
        run_consequence(s, c, k, int(reading.ally))
    elif not ending.end_if_objective_met(s, c):
        reading.section = -1
        push(s, Proc.STORY_NEXT)


@kernel
def run_box(s, c):
    """R10.40, R10.41 - the next row of the defeat boxes that are due; lowest slot first."""
    while s.box_due != 0:
        e = lowest(int(s.box_due))
        enemy = s.enemy[e]
        kind = c.type[enemy.type]
        if s.box_row >= kind.defeat_n:
            s.box_due &= ~(1 << e)
            s.box_row = 0
            continue
        k = int(kind.defeat_first + s.box_row)
        row = c.effect[k]
        s.box_row += 1
        log(s, Event.CONSEQUENCE, N_ALLIES + e, k, -1)
        push(s, Proc.DEFEAT_BOX)
        match row.op:
            case Op.SPAWN:
                enemy_pool.begin_spawn(s, row.a, enemy.retreat, row.amount)
            case Op.BURST:
                burst.begin(s, k, burst.reached(s, c, enemy.retreat, row.range))
            case _:  # SET_TRAP
                places = entry.trap_places(s, c, enemy.retreat, row.range)
                entry.begin_set(s, -1, entry.nearest_to_ally(s, c, places))
        return


@kernel
def run_consequence(s, c, k, a):
    """Effect row k of a scenario event (a = -1), or of a section that ally a set off."""
    row = c.effect[k]
    log(s, Event.CONSEQUENCE, a, k, -1)
    match row.op:
        case Op.REINFORCE:
            enemy_pool.begin_spawn(s, row.a, row.b, row.amount)
        case Op.REINFORCE_PER_HERO:
            enemy_pool.begin_spawn(s, row.a, row.b, row.amount * c.n_heroes)
        case Op.FAIL:
            ending.end(s, Ending.EVENT)
        case Op.SUCCEED:
            ending.end(s, Ending.OBJECTIVE)
        case Op.TRAP:
            entry.lay(s, -1, row.b)
        case Op.ITEM:
            enemy_pool.leave_item(s, row.b, row.a)
        case Op.ACTIVATE:
            s.token_active[row.b] = row.amount
        case Op.START_TIMER:
            fate.start_timer(s, row.amount)
        case Op.STOP_TIMER:
            fate.stop_timer(s)
        case Op.ADVANCE:
            s.progress += row.amount
        case Op.JOIN:
            join(s, c, row.a, row.b)
        case Op.FORTIFY:
            for e in range(N_ENEMIES):
                if s.enemy[e].type == row.a:
                    enemy_pool.heal(s, e, row.amount)
        case _:
            touch_allies(s, c, k, a)


@kernel
def join(s, c, a, area):
    """R18.1 - a Non-Hero Ally appears in an area or next to it, unless it has been on the map."""
    if s.ally[a].area < 0 and not s.ally[a].exhausted:
        figures.join(s, c, a, setup.nearest_room(s, c, area, c.sheet[a].size))


@kernel
def touch_allies(s, c, k, a):
    """What effect row k does to ally a, or to every Hero if nobody set it off (-1).

    Gems are for all Heroes. Who does not stand is spared.
    """
    row = c.effect[k]
    hit = 0
    for b in range(N_ALLIES):
        named = b == a if a >= 0 and row.op != Op.GIVE_GEM else s.ally[b].kind == Kind.HERO
        if not (named and placing.ally_stands(s, b)):
            continue
        match row.op:
            case Op.GIVE_GEM:
                for _ in range(row.amount):
                    checks.gain_achievement(s, b)
            case Op.CURE:
                stamina.heal(s, c, b, row.amount)
            case Op.AFFECT:
                condition.gain_ally(s, c, b, row.a)
            case _:  # HARM
                hit |= 1 << b
    burst.begin(s, k, hit)
