"""Values of cards, attacks and places for the characters, in points of damage."""

import numpy as np

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import COMPILED, kernel, with_fields

from .. import hexset
from ..layout import FIRST_MONSTER, MAX_HEXES, N_FIGURES, N_HAND, N_HEROES
from ..rules import travel
from ..rules.board import neighbours
from ..rules.distance import within
from ..rules.figures import has, hexes_of_others, is_present
from ..rules.hand import counts_as_lost
from ..rules.movement import negative_hexes
from ..rules.sight import sees
from ..terms import Effect, Goal, Mode, Op, Serve, Terrain

KILL = 3.0  # value of defeating a monster, beside the damage
LOSS = 3.0  # cost of losing a card
EFFECT = 0.7  # value of a condition on one enemy
STEP = 0.1  # value of a movement point that leads to no attack
FAR = 99  # the range where there is no way
NEAR = 4  # hexes: enemies this near may attack soon
N_STEPS = 16  # values after fewer steps are kept for the question

RECORD = np.dtype(
    [  # what the scores of one question share
        ("away", np.int64, (N_FIGURES,)),  # range to each monster (write_ranges)
        ("field", np.int64, (MAX_HEXES,)),  # steps to where a move should lead (write_field)
        ("known", np.int32, (2, N_HAND)),  # by half and card: bits of the steps valued in `half`
        ("half", np.float64, (2, N_HAND, N_STEPS)),  # value of the half after so many steps
        ("known_basic", np.int32),  # the same of the basic attack
        ("basic", np.float64, (N_STEPS,)),
        ("pair", np.float64, (N_HAND,)),  # LEAD: value of the best turn with each card
    ],
    align=True,
)
WORK = RECORD if COMPILED else with_fields(RECORD)


# ---- where the enemies are ----------------------------------------------------------------------
@kernel
def write_ranges(s, h, away):
    """G3.1 - range from character h to each monster it sees on the board, int64 (N_FIGURES,)."""
    away[:] = FAR
    monsters, hexes = 0, hexset.EMPTY
    for e in range(FIRST_MONSTER, N_FIGURES):
        if is_present(s, e) and not has(s, e, Effect.INVISIBLE):
            monsters |= 1 << e
            hexes = hexset.union(hexes, hexset.only(int(s.figure[e].at)))
    reached = hexset.only(int(s.figure[h].at))
    floor = hexset.of(s.board.floor)
    for n in range(1, FAR):
        further = hexset.common(neighbours(s.board, reached), floor)
        further = hexset.without(further, reached)
        if monsters == 0 or hexset.is_empty(further):
            return
        reached = hexset.union(reached, further)
        if hexset.is_empty(hexset.common(further, hexes)):
            continue
        rest = monsters
        while rest != 0:
            e = lowest(rest)
            rest &= rest - 1
            if hexset.has(further, int(s.figure[e].at)):
                away[e] = n
                monsters ^= 1 << e


@kernel
def n_within(away, reach):
    """How many enemies are within this range."""
    n = 0
    for e in range(FIRST_MONSTER, N_FIGURES):
        n += away[e] <= reach
    return n


# ---- attacks ------------------------------------------------------------------------------------
@kernel
def gain_on(s, e, value, pierce):
    """Value of an attack with this value on figure e."""
    figure = s.figure[e]
    shield = max(0, int(figure.shield) + int(figure.round_shield) - pierce)
    dealt = value + has(s, e, Effect.POISON) - shield
    if dealt <= 0:
        return 0.05
    if dealt >= figure.hp:
        return figure.hp + KILL
    return dealt + KILL * (dealt / figure.hp) ** 2


@kernel
def attack_gain(s, c, h, row, steps, away):
    """Value of an attack line after as many steps as lead to a target."""
    line = c.row[row]
    if has(s, h, Effect.DISARM):
        return 0.0
    reach = max(1, int(line.range)) + steps
    targets = max(1, int(line.targets))
    if line.template >= 0:
        targets = int(c.template[line.template].n_cells)
    best, total, n = 0.0, 0.0, 0
    for e in range(FIRST_MONSTER, N_FIGURES):
        if away[e] <= reach:
            gain = gain_on(s, e, int(line.amount), int(line.pierce)) + EFFECT * n_effects(line)
            total += gain
            best = max(best, gain)
            n += 1
    if n < 2 or targets < 2:
        return best
    return best + 0.7 * (min(n, targets) - 1) * (total - best) / (n - 1)


@kernel
def n_effects(line):
    """How many effects a line has."""
    n = 0
    for k in range(len(line.effect)):
        n += line.effect[k] != Effect.NONE
    return n


# ---- lines and halves ---------------------------------------------------------------------------
@kernel
def row_gain(s, c, h, row, steps, away):
    """Value of a line to character h after `steps` steps."""
    line = c.row[row]
    amount, reach = int(line.amount), max(1, int(line.range)) + steps
    match line.op:
        case Op.ATTACK:
            return attack_gain(s, c, h, row, steps, away)
        case Op.HEAL:
            return 0.8 * heal_gain(s, h, line.serves, amount)
        case Op.SHIELD:
            return 0.6 * amount * min(3, n_within(away, NEAR))
        case Op.RETALIATE:
            return 0.5 * amount * min(3, n_within(away, 2))
        case Op.SUFFER:
            return 1.0 * amount * n_within(away, reach)
        case Op.AFFECT:
            if line.serves == Serve.ENEMY:
                return EFFECT * n_effects(line) * min(1, n_within(away, reach))
            if line.serves == Serve.ENEMIES:
                return EFFECT * n_effects(line) * n_within(away, reach)
            return 0.8 * n_effects(line) if n_within(away, 2 * NEAR) else 0.0
        case Op.LOOT:
            wanted = 4.0 if c.goal == Goal.LOOT else 0.5
            here = within(s.board, hexset.only(int(s.figure[h].at)), amount)
            return wanted * hexset.size(hexset.common(here, hexset.of(s.loot)))
        case Op.SUMMON:
            return 4.0
        case Op.RECOVER:
            return 2.0 if has_lost(s, c, h) else 0.0
        case Op.BONUS:
            return bonus_gain(c, line.bonus) if n_within(away, 2 * NEAR) else 0.5
        case Op.PUSH | Op.PULL:
            return 0.3 if n_within(away, reach) else 0.0
        case _:
            return 0.0


@kernel
def heal_gain(s, h, serves, amount):
    """Hit points that a heal brings back."""
    best, total = 0.0, 0.0
    for f in range(N_HEROES):
        if not is_present(s, f) or (serves == Serve.SELF and f != h):
            continue
        gain = min(amount, s.figure[f].max_hp - s.figure[f].hp)
        if has(s, f, Effect.POISON):
            gain = 1
        gain += has(s, f, Effect.WOUND)
        best = max(best, 1.0 * gain)
        total += gain
    return total if serves == Serve.ALLIES or serves == Serve.PARTY else best


@kernel
def has_lost(s, c, h):
    """Whether a character has lost a card."""
    for card in range(c.hero[h].n_cards):
        if counts_as_lost(s, h, card):
            return True
    return False


@kernel
def bonus_gain(c, k):
    """Value of an active bonus."""
    bonus = c.bonus[k]
    each = bonus.attack + 1.5 * bonus.shield + bonus.retaliate + bonus.advantages
    each += 3.0 * (bonus.negate != 0) + 0.5 * bonus.pierce + EFFECT * (bonus.conditions != 0)
    times = 1.5 if bonus.round else min(4.0, 1.0 * bonus.spaces) if bonus.spaces else 4.0
    return each * times


@kernel
def steps_of(c, half):
    """Movement points of a half."""
    steps = 0
    for row in range(half.first, half.first + half.n_rows):
        if c.row[row].op == Op.MOVE:
            steps += c.row[row].amount
    return steps


@kernel
def half_gain(s, c, h, half, steps, away):
    """Value of a printed half to character h, after `steps` steps by the other half."""
    if has(s, h, Effect.IMMOBILIZE):
        steps = 0
    gain = -LOSS if half.loss else 0.0
    for row in range(half.first, half.first + half.n_rows):
        if c.row[row].op == Op.MOVE:
            points = 0 if has(s, h, Effect.IMMOBILIZE) else int(c.row[row].amount)
            steps += points
            gain += STEP * points
        else:
            gain += row_gain(s, c, h, row, steps, away)
    return gain


@kernel
def known_half(s, c, h, card, which, steps, work):
    """`half_gain` of the top, 0, or bottom, 1, of a card; each found once for a question."""
    half = c.hero[h].card[card].half[which]
    if steps >= N_STEPS:
        return half_gain(s, c, h, half, steps, work.away)
    if not (work.known[which, card] >> steps) & 1:
        work.known[which, card] |= 1 << steps
        work.half[which, card, steps] = half_gain(s, c, h, half, steps, work.away)
    return work.half[which, card, steps]


@kernel
def known_basic(s, c, h, steps, work):
    """`attack_gain` of the basic attack; found once for a question."""
    if steps >= N_STEPS:
        return attack_gain(s, c, h, int(c.basic_attack), steps, work.away)
    if not (work.known_basic >> steps) & 1:
        work.known_basic |= 1 << steps
        work.basic[steps] = attack_gain(s, c, h, int(c.basic_attack), steps, work.away)
    return work.basic[steps]


@kernel
def card_value(c, h, card):
    """Value of having an ability card."""
    total = 0.0
    for k in range(2):
        half = c.hero[h].card[card].half[k]
        for row in range(half.first, half.first + half.n_rows):
            total += 1.0 + 0.5 * c.row[row].amount
        total -= 0.5 * half.loss
    return total


# ---- places -------------------------------------------------------------------------------------
@kernel
def best_target(s, away, value):
    """The monster that is best attacked next, near or easily beaten; -1 = none is on the board."""
    best, best_gain = -1, -1.0 * FAR
    for e in range(FIRST_MONSTER, N_FIGURES):
        if away[e] < FAR:
            gain = gain_on(s, e, value, 0) - 1.0 * away[e]
            if gain > best_gain:
                best, best_gain = e, gain
    return best


@kernel
def stands_to_attack(s, h, e, reach):
    """Hexes from which character h may attack a monster, those beside it the last choice."""
    near = within(s.board, hexset.only(int(s.figure[e].at)), reach)
    near = hexset.without(near, hexes_of_others(s, h))
    near = hexset.without(near, hexset.of(s.board.terrain[Terrain.OBSTACLE]))
    near = hexset.without(near, negative_hexes(s.board))
    if reach > 1:
        close = within(s.board, hexset.only(int(s.figure[e].at)), 1)
        apart = hexset.without(near, close)
        near = near if hexset.is_empty(apart) else apart
    seen, rest = hexset.EMPTY, near
    while not hexset.is_empty(rest):
        at = hexset.lowest(rest)
        rest = hexset.without(rest, hexset.only(at))
        if sees(s.board, at, int(s.figure[e].at)):
            seen = hexset.union(seen, hexset.only(at))
    return seen


@kernel
def destinations(s, c, h, e, reach):
    """Hexes to which character h should go: to attack, to loot, to open a door, to leave."""
    if c.goal == Goal.LOOT and not hexset.is_empty(hexset.of(s.loot)):
        return hexset.of(s.loot)
    if e >= 0:
        return stands_to_attack(s, h, e, reach)
    doors = hexset.of(s.board.terrain[Terrain.DOOR])
    if c.goal != Goal.REACH and not hexset.is_empty(doors):
        return doors
    if c.goal == Goal.REACH:
        return hexset.without(hexset.of(c.exit), hexes_of_others(s, h))
    return hexset.of(s.loot)


@kernel
def write_field(s, h, goals, careful, field):
    """Steps from every hex to the nearest of some, int64 (MAX_HEXES,), for character h's move.

    careful: around negative hexes. Ends where h stands. -> whether it came there
    """
    field[:] = FAR
    mode = int(s.move.mode)
    enter = travel.passable(s, h, mode)
    if careful and mode == Mode.WALK:
        enter = hexset.without(enter, negative_hexes(s.board))
    here = hexset.only(int(s.figure[h].at))
    enter = hexset.union(enter, here)
    reached, new = goals, goals
    n = 0
    while not hexset.is_empty(new):
        rest = new
        while not hexset.is_empty(rest):
            at = hexset.lowest(rest)
            rest = hexset.without(rest, hexset.only(at))
            field[at] = n
        if hexset.has(new, int(s.figure[h].at)):
            return True
        n += 1
        new = hexset.common(neighbours(s.board, new), enter)
        new = hexset.without(new, reached)
        reached = hexset.union(reached, new)
    return False


@kernel
def best_reach(s, c, h, away):
    """Range and value of the attack that character h moves for -> (range, value).

    The next one on the half in play, else the best of the other card of the turn.
    """
    hero = s.hero[h]
    if s.half >= 0 and s.half & 3 < 2:
        half = c.hero[h].card[s.card].half[s.half & 3]
        for row in range(half.first + s.line, half.first + half.n_rows):
            if c.row[row].op == Op.ATTACK:
                return max(1, int(c.row[row].range)), int(c.row[row].amount)
    reach, value, best = 1, 2, attack_gain(s, c, h, int(c.basic_attack), FAR - 9, away)
    for k in range(2):
        if (int(hero.used) >> (4 * k)) & 15:
            continue
        card = hero.second if k else hero.lead
        if card < 0:
            continue
        half = c.hero[h].card[card].half[0]
        for row in range(half.first, half.first + half.n_rows):
            if c.row[row].op == Op.ATTACK:
                gain = attack_gain(s, c, h, row, FAR - 9 - int(c.row[row].range), away)
                if gain > best:
                    reach, value, best = max(1, int(c.row[row].range)), int(c.row[row].amount), gain
    return reach, value


@kernel
def find_way(s, c, h, away, field):
    """Write the way to where character h should go (write_field)."""
    reach, value = best_reach(s, c, h, away)
    e = best_target(s, away, value)
    goals = destinations(s, c, h, e, reach)
    if hexset.is_empty(goals) and e >= 0:
        goals = hexset.without(hexset.of(s.board.floor), hexes_of_others(s, h))
        goals = hexset.common(goals, within(s.board, hexset.only(int(s.figure[e].at)), reach + 2))
    if not write_field(s, h, goals, True, field):
        write_field(s, h, goals, False, field)
