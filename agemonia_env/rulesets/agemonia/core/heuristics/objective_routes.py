"""Heuristics for the objective: where it sends an Ally, and the value of a story section.

Values are in points of damage dealt, prevented or healed, as in `policies`.
"""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES, N_GROUND
from ..rules import ending, entry, lock, placing, story, teleport
from ..terms import Ability, Condition, Denial, Kind, Objective, Op
from .attack_value import die_mean

FAR = 20  # steps, where no way leads to the objective
CLIMB = 3  # movement points of a climb by rope, with its failures; see write_distances
STEP = 10.0  # value of a step towards the objective
ENOUGH = 2.0  # sections of at least this value come before the fight


@kernel
def places(s, c, a):
    """The areas to which the objective sends ally a, as bits; 0 = none."""
    hero = s.ally[a].kind == Kind.HERO
    match c.objective:
        case Objective.REACH:
            return int(c.goal)
        case Objective.ESCORT:
            if a == c.objective_subject:
                return int(c.goal)
            there = int(s.ally[c.objective_subject].area)
            return 1 << there if there >= 0 else 0
        case Objective.COLLECT:
            if c.goal != 0 and ending.carried(s, a, c.objective_subject) > 0:
                return int(c.goal)
            return lying(s, c, c.objective_subject) if hero else 0
        case Objective.DISARM:
            return trapped(s, c) if disarms(s, c, a) else 0
        case Objective.ADVANCE:
            return advancing(s, c) if hero else 0
        case _:
            return 0


@kernel
def lying(s, c, item):
    """Bits of the areas where an item of a kind lies."""
    bits = 0
    for area in range(c.n_areas):
        found = 0
        for k in range(N_GROUND):  # without a jump: eight items are compared at once
            found |= int(s.item[area, k] == item)
        bits |= found << area
    return bits


@kernel
def trapped(s, c):
    """Bits of the areas with a trap token."""
    bits = 0
    for area in range(c.n_areas):
        bits |= int(s.trap[area]) << area
    return bits


@kernel
def disarms(s, c, a):
    """Whether the objective asks for traps and ally a is as good at them as any Hero standing."""
    if c.objective != Objective.DISARM or s.ally[a].kind != Kind.HERO:
        return False
    for b in range(N_ALLIES):
        if s.ally[b].kind == Kind.HERO and placing.ally_stands(s, b):
            if deftness(c, b) > deftness(c, a):
                return False
    return True


@kernel
def deftness(c, a):
    """Expected successes of ally a on a trap, roughly (R19.7)."""
    return c.sheet[a].ability[Ability.AGILITY] + entry.KEYWORD_BONUS * c.sheet[a].disarm


@kernel
def advancing(s, c):
    """Bits of the story points whose section still takes a step towards the objective."""
    bits = 0
    for k in range(c.n_stories):
        if not story.is_open(s, c, k):
            continue
        section = c.section[k]
        for row in range(section.first, section.first + section.n):
            if c.effect[row].op == Op.ADVANCE:
                bits |= 1 << int(section.area)
    return bits


@kernel
def write_distances(s, c, a, distances):
    """Steps from every area to the nearest goal of ally a, int64 (N_AREAS,); 0 without a goal.

    On foot, falling, flying, by fixed rope or teleport token; figures do not block.
    """
    goals = places(s, c, a)
    distances[:] = FAR if goals != 0 else 0
    fly = lock.flies(s, c, a)
    reached, now, in_one, in_two = 0, goals, 0, 0  # a climb waits until its steps have passed
    for steps in range(FAR):
        now &= ~reached
        reached |= now
        rest = now
        while rest != 0:
            distances[lowest(rest)] = steps
            rest &= rest - 1
        now, in_one, in_two = one_step_back(s, c, now, in_one, in_two, fly)
        if now | in_one | in_two == 0:
            return


@kernel
def steps_between(s, c, areas, goals, fly):
    """Fewest steps from one of these areas to a goal, both as bits; FAR without a way."""
    if areas == 0:
        return FAR
    reached, now, in_one, in_two = 0, goals, 0, 0
    for steps in range(FAR):
        now &= ~reached
        reached |= now
        if now & areas != 0:
            return steps
        now, in_one, in_two = one_step_back(s, c, now, in_one, in_two, fly)
        if now | in_one | in_two == 0:
            return FAR
    return FAR


@kernel
def one_step_back(s, c, now, in_one, in_two, fly):
    """Areas one step farther from the goals than `now`, and those a climb adds later, as bits."""
    may_enter = -1 if fly else int(c.fits[1])
    stepped, climbed = leading_to(s, c, now & may_enter, fly)
    return in_one | stepped, in_two, climbed


@kernel
def leading_to(s, c, areas, fly):
    """Areas from which a step leads into these areas, as bits -> (by one step, by CLIMB steps)."""
    stepped, climbed, rest = 0, 0, areas
    while rest != 0:
        y = lowest(rest)
        rest &= rest - 1
        stepped |= int(c.single[y]) | int(c.up[y]) | (int(c.down[y]) if fly else 0)
        climbed |= int(s.rope[y])  # fixed ropes lead both ways
        if s.token_colour[y] >= 0:
            for x in range(c.n_areas):
                stepped |= int(teleport.leads_to(s, c, x, y)) << x
    return stepped, climbed


@kernel
def story_gain(s, c, a, k):
    """Value of section k for ally a."""
    section = c.section[k]
    gain = rows_gain(s, c, a, section.first, section.n)
    if section.number == 0:
        return gain
    best = 0
    for ability in range(3):
        if (section.abilities >> ability) & 1:
            best = max(best, int(c.sheet[a].ability[ability]))
    chance = min(0.9, 0.5 * best * die_mean(c) / section.number)
    return chance * gain + (1.0 - chance) * rows_gain(s, c, a, section.fail_first, section.fail_n)


@kernel
def rows_gain(s, c, a, first, n):
    """Value of effect rows of a section that ally a sets off."""
    gain = 0.0
    for k in range(first, first + n):
        row = c.effect[k]
        match row.op:
            case Op.ADVANCE:
                gain += STEP * row.amount if c.objective == Objective.ADVANCE else 0.0
            case Op.CURE:
                gain += min(1.0 * row.amount, 1.0 * s.ally[a].wounds)
            case Op.AFFECT:
                gain += 1.0 if row.a <= Condition.BLESSED else -1.5
            case Op.STOP_TIMER:
                gain += 2.0 if s.timer_target > 0 else 0.0
            case Op.ITEM:
                wanted = c.objective == Objective.COLLECT and row.a == c.objective_subject
                gain += 3.0 if wanted else 1.0
            case Op.GIVE_GEM | Op.JOIN:
                gain += 1.0
            case Op.SUCCEED:
                gain += STEP
            case Op.HARM:
                gain -= row.amount
            case Op.FAIL:
                gain -= STEP
            case Op.REINFORCE | Op.REINFORCE_PER_HERO | Op.FORTIFY | Op.START_TIMER:
                gain -= 1.5
            case _:
                pass
    return gain


@kernel
def best_story(s, c, a):
    """The best section for ally a to use now; -1 = none is worth it."""
    best, most = -1, 0.5
    for k in range(c.n_stories):
        if story.section_denial(s, c, a, k) == Denial.NONE:
            gain = story_gain(s, c, a, k)
            if gain > most:
                best, most = k, gain
    return best
