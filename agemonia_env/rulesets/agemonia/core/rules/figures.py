"""R18.6 to R18.8, R7.45: what Allies put on the map: summoned tokens and Allies, pets, portals.

A token or pet is known by its figure row; it uses no capacity, is no target and sets off nothing.
"""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer, take_if

from ..actions import Block
from ..layout import N_ALLIES, N_ENEMIES, N_FIGURES
from ..sides import credit
from ..terms import Border, Decision, Denial, Event, Op, Proc, Wear
from . import enemy_pool, placing

PURPLE = 1  # colour of teleport tokens that items place (R7.45)
MOVED, PLACED_AGAIN = 1, 2  # what a pet has done in its owner's turn


@kernel
def code(k):
    """A token or pet among all figures, as the event log names it."""
    return N_ALLIES + N_ENEMIES + k


# ---- appearing ----------------------------------------------------------------------------------
@kernel
def place_denial(s, c, a, k, area):
    """R18.7, R18.6, R7.45 - may effect row k of ally a put its figure or token into `area`?"""
    row = c.effect[k]
    here = s.ally[a].area
    if area >= c.n_areas or not 0 <= c.range[here, area] <= row.range:
        return Denial.OUT_OF_RANGE
    if not placing.sees(c, here, area):
        return Denial.NO_SIGHT
    if c.capacity[area] == 0:
        return Denial.NO_CAPACITY
    if row.op == Op.PORTAL:
        return Denial.NONE if s.token_colour[area] < 0 else Denial.ALREADY_CHOSEN
    if row.op == Op.SUMMON_ALLY:
        if s.ally[row.a].exhausted or is_any_summoned(s, c):
            return Denial.ALREADY_CHOSEN
        fits = placing.has_room(s, c, area, c.sheet[row.a].size)
        return Denial.NONE if fits else Denial.AREA_FULL
    return Denial.NONE


@kernel
def is_any_summoned(s, c):
    """R18.6 - whether a summoned Ally is on the map: there is at most one."""
    for k in range(len(c.effect)):
        if c.effect[k].op == Op.SUMMON_ALLY and s.ally[c.effect[k].a].area >= 0:
            return True
    return False


@kernel
def any_place_denial(s, c, a, k):
    """May effect row k of ally a put its figure or token anywhere?"""
    denial = Denial.OUT_OF_RANGE
    for area in range(c.n_areas):
        denial = place_denial(s, c, a, k, area)
        if denial == Denial.NONE:
            return denial
    return denial


@kernel
def place_here_denial(s, c, area):
    """May the effect row being done put its figure or token into `area`?"""
    return place_denial(s, c, s.act.ally, s.act.row - 1, area)


@kernel
def run_place(s, c):
    """R18.6, R18.7, R7.45 - the player names the area."""
    if answered(s):
        appear(s, c, take_answer(s))
    else:
        ask(s, Proc.EFFECT_PLACE, Decision.SUMMON_AREA, s.act.ally, -1)


@kernel
def appear(s, c, area):
    """The token, summoned Ally or teleport token of the effect row being done is there."""
    row = c.effect[s.act.row - 1]
    if row.op == Op.SUMMON:
        summon(s, row.a, s.act.ally, area)
    elif row.op == Op.SUMMON_ALLY:
        join(s, c, row.a, area)
    else:
        log(s, Event.PORTAL, s.act.ally, -1, area)
        s.token_colour[area] = PURPLE
        s.token_active[area] = 1
        s.token_range[area] = row.a


@kernel
def summon(s, k, owner, area):
    """R18.7 - token k of ally `owner` stands in `area`; this round it does nothing."""
    figure = s.figure[k]
    figure.owner = owner
    figure.area = area
    figure.spawned = 1
    figure.acted = 0
    log(s, Event.SUMMON, code(k), -1, area)


@kernel
def join(s, c, a, area):
    """R18.6 [P25] - the Ally of slot a appears, with full health; it acts from the next round on.

    It may come upon a story section (R18.3).
    """
    ally = s.ally[a]
    ally.health = c.sheet[a].health
    ally.acted = s.round > 0
    placing.put_ally(s, c, a, area)
    log(s, Event.SUMMON, a, -1, area)
    push(s, Proc.STORY_NEXT)


# ---- moving and harming -------------------------------------------------------------------------
@kernel
def walk_denial(s, k):
    """R18.7 - may token or pet k move? A token not in the round in which it was summoned."""
    if s.figure[k].area < 0:
        return Denial.OUT_OF_ACTION
    return Denial.JUST_ARRIVED if s.figure[k].spawned else Denial.NONE


@kernel
def begin_walk(s, k, points):
    """R18.7, R18.8 - token or pet k moves, area by area."""
    s.walker = k
    s.walk_points = points
    push(s, Proc.TOKEN_WALK)


@kernel
def step_denial(s, c, to):
    """R18.8, R7.10, R7.12 - may the token or pet that moves go into area `to`, full or not?"""
    figure = s.figure[s.walker]
    if s.walk_points <= 0:
        return Denial.NO_POINTS
    border = c.border[figure.area, to]
    if to >= c.n_areas or border == Border.NONE:
        return Denial.NOT_ADJACENT
    if border == Border.BARRIER:
        return Denial.BARRIER
    if border != Border.SINGLE and not c.figure[s.walker].fly:
        return Denial.HEIGHT
    return Denial.NONE if c.capacity[to] > 0 else Denial.NO_CAPACITY


@kernel
def run_walk(s, c):
    """R18.7, R18.8 - one area after another, as the owner says."""
    figure = s.figure[s.walker]
    if answered(s):
        to = take_if(s, Block.AREA)
        if to < 0:
            return
        s.walk_points -= 1
        figure.area = to
        log(s, Event.STEP, code(s.walker), -1, to)
    for to in range(c.n_areas):
        if step_denial(s, c, to) == Denial.NONE:
            ask(s, Proc.TOKEN_WALK, Decision.TOKEN_STEP, figure.owner, s.walker)
            return


@kernel
def command_denial(s, a, k):
    """R18.7 - may ally a command token k: its own, on the map, not summoned this round?"""
    if s.figure[k].owner != a:
        return Denial.OUT_OF_ACTION
    return walk_denial(s, k)


@kernel
def begin_command(s, k, points):
    """R18.7 - the token moves, then harms an Enemy beside it."""
    push(s, Proc.TOKEN_HARM)
    begin_walk(s, k, points)


@kernel
def harm_denial(s, e):
    """May the commanded token harm enemy e: in its area?"""
    if not placing.enemy_stands(s, e):
        return Denial.NO_TARGET
    same = s.enemy[e].area == s.figure[s.walker].area
    return Denial.NONE if same else Denial.OUT_OF_RANGE


@kernel
def run_harm(s, c):
    """R18.7, R2.13 - damage as printed, no attack."""
    if answered(s):
        e = take_if(s, Block.ENEMY)
        if e >= 0:
            taken = enemy_pool.damage(s, c, e, c.figure[s.walker].harm)
            credit(s, s.figure[s.walker].owner, taken)
        return
    for e in range(N_ENEMIES):
        if c.figure[s.walker].harm > 0 and harm_denial(s, e) == Denial.NONE:
            ask(s, Proc.TOKEN_HARM, Decision.TOKEN_HARM, s.figure[s.walker].owner, s.walker)
            return


@kernel
def harm_leaving(s, c, e):
    """R18.8 [P23] - pets in the area that enemy e walks out of harm it."""
    for k in range(N_FIGURES):
        if s.figure[k].area >= 0 and s.figure[k].area == s.enemy[e].area:
            credit(s, s.figure[k].owner, enemy_pool.damage(s, c, e, c.figure[k].harm_leaving))


# ---- pets ---------------------------------------------------------------------------------------
@kernel
def pet_of(s, c, a):
    """R17.4, R18.8 - the figure row of the pet that Hero a has in use; -1 = none."""
    active = int(s.ally[a].active)
    while active != 0:
        item = s.ally[a].item[lowest(active)]
        active &= active - 1
        if item >= 0 and c.item[item].wear == Wear.PET:
            return int(c.item[item].pet)
    return -1


@kernel
def place_pet_denial(s, c, a):
    """R18.8 - may Hero a place its pet in its area?"""
    k = pet_of(s, c, a)
    if k < 0:
        return Denial.NO_SUCH_ITEM
    return Denial.NONE if s.figure[k].area < 0 else Denial.ALREADY_CHOSEN


@kernel
def place_pet(s, c, a):
    """R18.8 - the pet stands in the Hero's area; it moves in this turn if it has not yet."""
    k = pet_of(s, c, a)
    moved = s.figure[k].acted
    summon(s, k, a, s.ally[a].area)
    s.figure[k].spawned = 0
    if moved:
        s.figure[k].acted = PLACED_AGAIN


@kernel
def move_pet_denial(s, c, a):
    """R18.8 - may the pet of Hero a make its one move of this turn?"""
    k = pet_of(s, c, a)
    if k < 0 or s.figure[k].area < 0 or s.figure[k].owner != a:
        return Denial.OUT_OF_ACTION
    return Denial.TURN_TAKEN if s.figure[k].acted else Denial.NONE


@kernel
def move_pet(s, c, a):
    """R18.8 - one move of the pet in its owner's turn."""
    k = pet_of(s, c, a)
    s.figure[k].acted = MOVED
    begin_walk(s, k, c.figure[k].move)


@kernel
def recall_pet_denial(s, c, a):
    """R18.8 [P22] - may Hero a take its pet back? It is in the Hero's area, and has moved.

    Placing and taking back by turns would change nothing for ever, so it follows the move, once.
    """
    k = pet_of(s, c, a)
    if k < 0 or s.figure[k].area < 0 or s.figure[k].owner != a:
        return Denial.OUT_OF_ACTION
    if s.figure[k].acted != MOVED:
        return Denial.JUST_ARRIVED
    return Denial.NONE if s.figure[k].area == s.ally[a].area else Denial.OUT_OF_RANGE


@kernel
def recall_pet(s, c, a):
    """R18.8 - the pet leaves the map."""
    k = pet_of(s, c, a)
    log(s, Event.RECALL, code(k), -1, -1)
    s.figure[k].area = -1
    s.figure[k].owner = -1


@kernel
def begin_owner_turn(s, a):
    """R18.8 - at the start of its owner's turn a pet has not moved, nor one that was taken back."""
    for k in range(N_FIGURES):
        if s.figure[k].owner == a or s.figure[k].owner < 0:
            s.figure[k].acted = 0
