"""The observation: one writer per block of obs_spec.OBS, one line per field.

The writers write integers into an OBS_INT8 record; `observe` scales them to float32. The
observation has everything that is open on the table, and never the order of the draw piles, the
monsters behind closed doors or the random streams.
"""

import numpy as np

from agemonia_env.core.bitset import equal_bytes, lowest
from agemonia_env.core.jit import COMPILED, kernel, with_fields
from agemonia_env.core.obs_encoding import (
    clipped,
    refresh,
    update_row,
    write_flags,
    write_scaled,
)
from agemonia_env.core.task_stack import pending_tasks

from . import hexset
from .layout import (
    ACTIVES,
    FIGURES,
    GROUND,
    HANDS,
    HERO,
    N_ACTIVE,
    N_FIGURES,
    N_HEROES,
    N_TYPES,
    PILES,
    STATE,
    TYPES,
)
from .obs_spec import (
    ACTIVE_CARD,
    BODY,
    HAND,
    KIND_IN_PLAY,
    N_CONDITIONS,
    N_HEAD,
    N_OBSERVATION,
    OBS_INT8,
    PILE,
    REACHES,
    SCALES,
    Ground,
    Mark,
)
from .rules.board import column_of, remainder
from .rules.figures import deck_of, is_present
from .terms import Decision, Effect, Goal, Place, Proc, Side, Terrain, Worth

# One dtype object at module level: an equal, separate one costs 1.1 us a call.
RECORD = OBS_INT8 if COMPILED else with_fields(OBS_INT8)
FACTORS = (np.float32(1) / SCALES).astype(np.float32)

# The cards of a draw pile are counted in the bits of one number, SORT_BITS for each sort, in the
# order of obs_spec.PILE: where, by worth, whether it was supplied, and number + 2, as one index
SORT_BITS, SORT_MASK = 7, 127
SORTS = np.zeros((len(Worth), 2, 5), np.int16)
SORTS[Worth.PLUS] = range(5)
SORTS[Worth.DOUBLE] = [[5], [7]]
SORTS[Worth.NULL] = [[6], [8]]
SORTS = SORT_BITS * SORTS.ravel()

# Decisions whose subject is a figure
ABOUT_FIGURE = (
    *(Decision.STEP, Decision.TARGET, Decision.AIM, Decision.ORIENTATION, Decision.CELL),
    *(Decision.FORCE, Decision.RECIPIENT, Decision.SUMMON, Decision.FOCUS, Decision.END_HEX),
    *(Decision.MONSTER_CHOICE, Decision.LANDING),
)
# Bits of terms.Proc: an attack ability goes on
STRIKING = 1 << Proc.ATTACK_AIM | 1 << Proc.ATTACK_NEXT | 1 << Proc.ATTACK_EFFECTS
BITS_OF = (  # of obs_spec.Ground
    (Terrain.DIFFICULT, Ground.DIFFICULT),
    (Terrain.HAZARD, Ground.HAZARD),
    (Terrain.TRAP, Ground.TRAP),
    (Terrain.OBSTACLE, Ground.OBSTACLE),
    (Terrain.DOOR, Ground.DOOR),
    (Terrain.WALL, Ground.WALL),
)

# ---- what has changed ---------------------------------------------------------------------------
# Bits of `changed_blocks`: those of layout.STATE.touched
ALL_CHANGED = (1 << (HANDS + N_HEROES)) - 1
RARE = (1 << HANDS) - (1 << N_FIGURES)  # neither figures nor hands

# Where the records of characters lie in a state and how long one is, in words
HEROES_AT, HERO_LONG = STATE.fields["hero"][1] // 8, HERO.itemsize // 8
CACHED_OPTIONS = N_HEROES * HERO_LONG  # after them: whether options of a tie were marked
N_CACHED = 4 * (CACHED_OPTIONS + 1)  # in int16

# Where the blocks lie in a row of obs_int8, and how long an element of them is
ACTIVE_AT, ACTIVE_SIZE = OBS_INT8.fields["active"][1], ACTIVE_CARD.itemsize // 4
TYPE_AT, TYPE_SIZE = OBS_INT8.fields["type"][1], KIND_IN_PLAY.itemsize // 4
PILE_AT, PILE_SIZE = OBS_INT8.fields["pile"][1], PILE.itemsize // 4
HAND_AT, HAND_SIZE = OBS_INT8.fields["hand"][1], HAND.itemsize // 4
BODY_AT, BODY_SIZE = OBS_INT8.fields["body"][1], BODY.itemsize // 4


@kernel
def changed_blocks(s, c, raw, cached, all_new):
    """The observation blocks that may have changed since the last call, as bits.

    raw: the bytes of the state; cached: int16 (N_CACHED,), refreshed; all_new: the cache is stale.
    Rules mark rarely written records as touched; the cards of characters are compared.
    """
    now, old = raw.view(np.uint64), cached.view(np.uint64)
    bits = int(s.touched)
    s.touched = 0
    for h in range(N_HEROES):
        differs = refresh(now, HEROES_AT + h * HERO_LONG, old, h * HERO_LONG, HERO_LONG)
        bits |= differs << (HANDS + h)
    options = s.decision == Decision.END_HEX
    if options or old[CACHED_OPTIONS] != 0:
        bits |= 1 << GROUND
    old[CACHED_OPTIONS] = options
    return ALL_CHANGED if all_new else bits


@kernel
def observe(s, c, i, changed, obs_int8, observations, scratch):
    """Write observation i as int8 or as float32; whichever array has no rows is skipped.

    obs_int8: (n, N_OBS_INT8); observations: float32 (n, N_OBSERVATION). With rows in both, obs_int8
    caches the integers, and only changed values are written as float32. changed: bits of
    `changed_blocks`; scratch: a row of obs_int8.
    """
    row = obs_int8[i] if len(observations) == 0 else scratch
    record = row[:N_OBSERVATION].view(RECORD)
    row[:N_HEAD] = 0
    write_head(s, c, record[0])
    if changed != 0:
        write_blocks(s, c, i, changed, row, record[0], observations)
    if len(observations) == 0:
        return
    if len(obs_int8) == 0:
        write_scaled(row, observations[i], FACTORS, 0, N_HEAD)
    else:
        update_row(row, obs_int8[i], observations[i], FACTORS, N_HEAD)


@kernel
def write_blocks(s, c, i, changed, row, o, observations):
    """Write the blocks that have changed, and their float32 values.

    Nine of ten are figures and hands; loops of their own save 120 instructions.
    """
    left = changed & FIGURES
    while left != 0:
        f = lowest(left)
        left &= left - 1
        clear(row, BODY_AT + BODY_SIZE * f, BODY_SIZE)
        write_body(s, c, f, o.body[f])
    left = changed >> HANDS
    while left != 0:
        h = lowest(left)
        left &= left - 1
        clear(row, HAND_AT + HAND_SIZE * h, HAND_SIZE)
        write_hand(s, c, h, o.hand[h])
    left = changed & RARE
    while left != 0:
        k = lowest(left)
        left &= left - 1
        clear(row, *block_of(k))
        write_rare(s, c, k, o)
    while changed != 0 and len(observations) > 0:
        write_scaled(row, observations[i], FACTORS, *block_of(lowest(changed)))
        changed &= changed - 1


@kernel
def clear(row, first, n):
    """Zero n integers from the first on."""
    row[first : first + n] = 0


@kernel
def block_of(k):
    """Where the block of a bit of `changed_blocks` lies in a row of obs_int8 -> (first, length)."""
    if k < ACTIVES:
        return BODY_AT + BODY_SIZE * k, BODY_SIZE
    if k == ACTIVES:
        return ACTIVE_AT, ACTIVE_SIZE * N_ACTIVE
    if k == TYPES:
        return TYPE_AT, TYPE_SIZE * N_TYPES
    if k < GROUND:
        return PILE_AT + PILE_SIZE * (k - PILES), PILE_SIZE
    if k == GROUND:
        return N_HEAD, ACTIVE_AT - N_HEAD
    return HAND_AT + HAND_SIZE * (k - HANDS), HAND_SIZE


@kernel
def write_rare(s, c, k, o):
    """Write the block of a bit of RARE into o, an OBS_INT8 record in which it is zero."""
    if k == ACTIVES:
        for slot in range(s.n_active):
            write_active(s, slot, o.active[slot])
    elif k == TYPES:
        for t in range(c.n_types):
            write_type(s, c, t, o.type[t])
    elif k < GROUND:
        write_pile(s.deck[k - PILES], o.pile[k - PILES])
    else:
        write_ground(s, o)
        write_marks(s, c, o)


@kernel
def write_head(s, c, o):
    """Write the head, which changes at every step, into o, an OBS_INT8 record zeroed there."""
    tasks = pending_tasks(s)
    write_question(s, c, o)
    write_line(s, c, o)
    if (tasks >> Proc.MOVE_STEP) & 1:
        o.move_points = s.move.points
        o.move_mode[s.move.mode] = 1
    if (tasks >> Proc.FORCE_STEP) & 1:
        o.force_left = -s.force.left if s.force.pull else s.force.left
        o.force_begun = s.force.begun
        o.part[s.force.target].target = 1
    if (tasks >> Proc.HARM) & 1:
        o.harm = clipped(s.harm.amount)
        o.harm_source[s.harm.source] = 1
        o.harm_first = s.harm.first + 1
    if tasks & STRIKING:
        write_strike(s, o)
        write_effects(s, o)
    write_parts(s, tasks, o)


@kernel
def write_question(s, c, o):
    """Who is asked what, in which round and phase."""
    if s.decision != Decision.NONE:
        o.decision[s.decision] = 1
        if s.asked >= 0:
            o.asked[s.asked] = 1
        o.about = clipped(s.subject + 1)
    o.phase[s.phase] = 1
    o.round = clipped(s.round)
    if c.last_round > 0:
        o.rounds_left = clipped(c.last_round - s.round)
    o.goal[c.goal] = 1
    so_far = s.round if c.goal == Goal.SURVIVE else s.n_loot
    counted = c.goal == Goal.SURVIVE or c.goal == Goal.LOOT
    o.goal_left = clipped(c.goal_amount - so_far) if counted else 0
    write_flags(int(s.rooms), o.room)
    for k in range(len(s.element)):
        o.element[k] = s.element[k]
    o.bless = s.bless
    o.curse_monster = s.curse_monster
    o.curse_hero = s.curse_hero


@kernel
def write_line(s, c, o):
    """The half of a card, or the monster's card, that is being performed, and its line."""
    if s.half >= 0:
        o.half[s.half] = 1
    if s.row >= 0:
        o.line = s.line
        o.op[c.row[s.row].op] = 1
        o.row[0] = s.row // 16
        o.row[1] = s.row % 16
        o.amount = c.row[s.row].amount
    o.used_line = s.used_line
    o.lost_card = s.lost_card + 1


@kernel
def write_strike(s, o):
    """The attack ability in progress."""
    strike = s.strike
    o.strike_value = clipped(strike.value)
    o.strike_range = strike.range
    o.strike_left = strike.left
    o.strike_added = strike.added
    o.strike_pierce = strike.pierce
    o.strike_bonus = strike.bonus
    o.strike_doublings = strike.doublings
    o.strike_odds = strike.advantages - strike.disadvantages
    o.strike_template = strike.template + 1
    o.strike_orientation = strike.orientation + 1
    o.strike_placed = strike.placed
    o.strike_on_added = strike.on_added
    for k in range(len(strike.effect)):
        if strike.effect[k] != Effect.NONE:
            o.strike_effect[strike.effect[k]] = max(1, strike.effect_amount[k])
    write_flags(int(strike.conditions) >> 1, o.strike_condition)
    if strike.target >= 0:
        o.strike_null = strike.dead_card
        o.strike_drawn = clipped(strike.drawn_value)
        o.strike_damage = clipped(strike.damage)
        o.strike_cursor = clipped(strike.cursor)
        o.part[strike.target].target = 1


@kernel
def write_effects(s, o):
    """The effects of the modifier cards that apply to the present attack."""
    if s.strike.target < 0:
        return
    deck = s.deck[deck_of(s, s.strike.by)]
    for k in range(deck.n_drawn):
        if not deck.applied[k]:
            continue
        card = deck.card[deck.drawn[k]]
        for i in range(len(card.effect)):
            if card.effect[i] != Effect.NONE:
                o.strike_drawn_effect[card.effect[i]] += max(1, card.amount[i])


@kernel
def write_parts(s, tasks, o):
    """The roles of the figures in the current task."""
    if s.turn >= 0:
        o.part[s.turn].turn = 1
    if s.decision in ABOUT_FIGURE and s.subject >= 0:
        o.part[s.subject].subject = 1
    waiting, done = int(s.affected), 0
    if tasks & STRIKING:
        waiting |= int(s.strike.waiting)
        done = int(s.strike.done)
    while waiting != 0:
        o.part[lowest(waiting)].waiting = 1
        waiting &= waiting - 1
    while done != 0:
        o.part[lowest(done)].done = 1
        done &= done - 1
    if s.decision == Decision.FOCUS:
        for k in range(s.n_ties):
            if s.tie[k].focus >= 0:
                o.part[s.tie[k].focus].option = 1
            write_options(int(s.tie[k].attacked), o)


@kernel
def write_options(figures, o):
    """Mark the figures of a set as options of the players."""
    while figures != 0:
        o.part[lowest(figures)].option = 1
        figures &= figures - 1


# ---- the blocks that rarely change --------------------------------------------------------------
@kernel
def write_body(s, c, f, o):
    """One figure, by its record, the content and STATE.acted; all zero if it is off the board."""
    if not is_present(s, f):
        return
    figure = s.figure[f]
    o.kind = figure.kind + 1
    o.elite = figure.elite
    o.flying = figure.flying
    o.fresh = figure.fresh
    o.acted = (s.acted >> f) & 1
    o.hp = clipped(figure.hp)
    o.max_hp = clipped(figure.max_hp)
    o.column = column_of(s.board, int(figure.at))
    o.row = remainder(s.board, int(figure.at))
    o.initiative = clipped(figure.initiative)
    o.standee = clipped(figure.standee)
    if figure.kind >= 0:
        stats = c.kind[figure.kind].stats[figure.elite]
        o.move = stats.move
        o.attack = stats.attack
        o.range = stats.range
    o.shield = figure.shield
    o.round_shield = clipped(figure.round_shield)
    for k in range(N_CONDITIONS):
        o.condition[k] = figure.condition[k + 1]
    amount, passing = 0, 0
    for reach in range(len(figure.retaliate) - 1, 0, -1):
        amount += int(figure.retaliate[reach]) + int(figure.round_retaliate[reach])
        passing += int(figure.round_retaliate[reach])
        if reach <= REACHES:
            o.retaliate[reach - 1] = clipped(amount)
    o.round_retaliate = clipped(passing)


@kernel
def write_hand(s, c, h, o):
    """A character's cards and tokens; all zero if the slot is empty."""
    figure, hero = s.figure[h], s.hero[h]
    if figure.side == Side.NONE:
        return
    o.hero_class = c.hero[h].hero_class + 1
    o.exhausted = figure.exhausted
    o.xp = clipped(figure.xp)
    o.loot = clipped(figure.loot)
    o.second_initiative = clipped(figure.second)
    o.lead = hero.lead + 1
    o.second = hero.second + 1
    o.resting = hero.resting
    write_flags(int(hero.used), o.used)
    places = hero.place.view(np.uint64)
    for k in range(len(o.place)):
        flags = o.place[k].view(np.uint64)
        for word in range(len(places)):
            flags[word] = equal_bytes(places[word], Place.HAND + k)


@kernel
def write_active(s, slot, o):
    """A card in an active area."""
    active = s.active[slot]
    o.owner = active.owner + 1
    o.card = active.card + 1
    o.bonus = active.bonus + 1
    o.token = active.token
    o.loss = active.loss
    o.summon = active.summon + 1


@kernel
def write_type(s, c, t, o):
    """The ability cards of a monster type."""
    pile = s.type[t]
    if pile.card >= 0:
        o.card = pile.card + 1
        o.initiative = clipped(c.kind[t].card[pile.card].initiative)
    o.shuffle = pile.shuffle
    for k in range(pile.n_pile):
        o.to_come[pile.pile[k]] = 1


@kernel
def write_pile(deck, o):
    """The cards left in a modifier deck, which players could count."""
    counts = 0  # by sort; branches would mispredict 2.5 times a step
    for k in range(deck.n_pile):
        card = deck.card[deck.pile[k]]
        number = min(2, max(-2, int(card.number)))
        sort = 10 * int(card.worth) + 5 * int(card.supplied) + number + 2
        counts += 1 << int(SORTS[sort])
        o.rolling += card.rolling != 0
        o.effects += card.effect[0] != Effect.NONE
    o.minus_two = counts & SORT_MASK
    o.minus_one = (counts >> 1 * SORT_BITS) & SORT_MASK
    o.zero = (counts >> 2 * SORT_BITS) & SORT_MASK
    o.plus_one = (counts >> 3 * SORT_BITS) & SORT_MASK
    o.plus_two = (counts >> 4 * SORT_BITS) & SORT_MASK
    o.double = (counts >> 5 * SORT_BITS) & SORT_MASK
    o.null = (counts >> 6 * SORT_BITS) & SORT_MASK
    o.bless = (counts >> 7 * SORT_BITS) & SORT_MASK
    o.curse = (counts >> 8 * SORT_BITS) & SORT_MASK
    o.discards = deck.n_discards
    o.shuffle = deck.shuffle


@kernel
def write_ground(s, o):
    """What every hex is."""
    hexes = hexset.of(s.board.hexes)
    for h in range(len(o.ground)):
        o.ground[h] = 0 if hexset.has(hexes, h) else Ground.WALL
    for terrain, bit in BITS_OF:
        rest = hexset.of(s.board.terrain[terrain])
        while not hexset.is_empty(rest):
            h = hexset.lowest(rest)
            rest = hexset.without(rest, hexset.only(h))
            o.ground[h] += bit
    for k in range(len(s.trap)):
        if s.trap[k].at >= 0:
            o.trap[k] = clipped(s.trap[k].damage)
            o.trap_conditions[k] = clipped(int(s.trap[k].conditions) >> 1)


@kernel
def write_marks(s, c, o):
    """Wall lines, exits, loot, and where a tie may end."""
    for direction in range(3):
        add_mark(o, hexset.of(s.board.lined[direction]), Mark.LINED << direction)
    add_mark(o, hexset.of(c.exit), Mark.EXIT)
    add_mark(o, hexset.of(s.loot), Mark.LOOT)
    if s.decision == Decision.END_HEX:
        options = hexset.EMPTY
        for k in range(s.n_ties):
            options = hexset.union(options, hexset.only(int(s.tie[k].end)))
        add_mark(o, options, Mark.OPTION)


@kernel
def add_mark(o, hexes, bit):
    """Set a bit of the mark of every hex of a set."""
    while not hexset.is_empty(hexes):
        h = hexset.lowest(hexes)
        hexes = hexset.without(hexes, hexset.only(h))
        o.mark[h] += bit
