"""Policies that run inside the compiled loop: an action for the question now asked.

The greedy policy gives every legal action a score of its own decision and takes the best. Scores
are in points of damage: dealt, prevented or healed. heuristics/
values cards and places.
"""

from enum import IntEnum

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import first, nth
from agemonia_env.core.rng import draw_below

from . import hexset
from .actions import N_WORDS, WORD_START, Block, decode_block, decode_index
from .heuristics import hero_value
from .layout import FIRST_MONSTER
from .rules import attack, hand
from .rules.board import neighbour
from .rules.figures import has
from .rules.movement import negative_hexes
from .terms import Decision, Effect, Half, Op, Place, Serve, Side, Stream


class Policy(IntEnum):
    """Compiled policies, weakest first."""

    RANDOM = 0  # any legal action, uniformly
    FIRST = 1  # the legal action with the lowest number
    GREEDY = 2  # the action with the highest score


NEVER = -1000.0
BASIC = 2  # points of the basic attack and the basic move
CARD = 4.5  # value of a card in hand, against damage


@kernel
def choose(s, c, policy, scratch, legal, n):
    """The action of a policy, given the n > 0 legal answers (masks.write_legal).

    Draws from the state's POLICY stream only.
    """
    if policy == Policy.RANDOM:
        return nth(legal, WORD_START, draw_below(s.chance, Stream.POLICY, n))
    if policy == Policy.GREEDY:
        return greedy(s, c, scratch.work, legal)
    return first(legal, WORD_START)


@kernel
def greedy(s, c, work, legal):
    """The legal action with the highest score; the lowest one breaks ties."""
    prepare(s, c, work)
    best, best_score = 0, NEVER - 1.0
    for word in range(N_WORDS):
        indices = int(legal[word])
        while indices != 0:
            action = WORD_START[word] + lowest(indices)
            indices &= indices - 1
            block, k = decode_block(action), decode_index(action)
            score = score_action(s, c, block, k, work)
            if score > best_score:
                best, best_score = action, score
    return best


@kernel
def prepare(s, c, work):
    """Find once what the scores of all answers share."""
    h = int(s.asked)
    match s.decision:
        case Decision.LEAD | Decision.SECOND | Decision.TURN | Decision.STEP | Decision.SHORT_REST:
            hero_value.write_ranges(s, h, work.away)
        case _:
            return
    if s.decision == Decision.STEP:
        hero_value.find_way(s, c, h, work.away, work.field)
        return
    work.known[:] = 0
    work.known_basic = 0
    if s.decision == Decision.LEAD:
        write_pairs(s, c, h, work)


@kernel
def write_pairs(s, c, h, work):
    """LEAD: the value of the best turn with each card in hand, together with another one."""
    work.pair[:] = NEVER
    for a in range(c.hero[h].n_cards):
        for b in range(a):
            if hand.is_in_hand(s, h, a) and hand.is_in_hand(s, h, b):
                gain = pair_gain(s, c, h, a, b, work)
                work.pair[a] = max(work.pair[a], gain)
                work.pair[b] = max(work.pair[b], gain)


@kernel
def score_action(s, c, block, k, work):
    """Value of an answer for the characters."""
    match s.decision:
        case Decision.LEAD:
            return lead_score(s, c, block, k, work)
        case Decision.SECOND:
            return pair_gain(s, c, int(s.asked), int(s.hero[s.asked].lead), k, work)
        case Decision.TURN:
            return turn_score(s, c, block, k, work)
        case Decision.STEP:
            return step_score(s, block, k, work.field)
        case Decision.TARGET | Decision.AIM:
            return target_score(s, c, block, k)
        case Decision.ORIENTATION:
            return orientation_score(s, c, k)
        case Decision.CELL:
            return cover_score(s, c, int(s.strike.orientation), k)
        case Decision.FORCE:
            return force_score(s, block, k)
        case Decision.LOSE | Decision.LOSE_SECOND:
            return lose_score(s, c, block, k)
        case Decision.RECIPIENT:
            return recipient_score(s, c, block, k)
        case Decision.REST_LOSE:
            return -hero_value.card_value(c, s.asked, k)
        case Decision.RECOVER:
            return hero_value.card_value(c, s.asked, k) if block == Block.CARD else 0.0
        case Decision.SUMMON:
            return 1.0 if block == Block.DIRECTION else 0.0
        case Decision.SHORT_REST:
            return short_rest_score(s, block, work.away)
        case Decision.INSTEAD:
            return 1.0 if block == Block.NO else 0.0
        case Decision.FOCUS:
            return 1.0 * s.figure[k].hp
        case _:
            return 1.0 if block == Block.YES else 0.0


# ---- cards --------------------------------------------------------------------------------------
@kernel
def lead_score(s, c, block, k, work):
    """LEAD: the best pair that a card makes, the lower initiative first; rest when it is quiet."""
    h = int(s.asked)
    if block == Block.ACTIVE:
        return NEVER
    if block == Block.REST:
        figure = s.figure[h]
        hurt = 2 * figure.hp < figure.max_hp
        quiet = hurt and hero_value.n_within(work.away, hero_value.NEAR) == 0
        return 8.0 if quiet else -5.0
    return work.pair[k] - 0.01 * c.hero[h].card[k].initiative


@kernel
def pair_gain(s, c, h, a, b, work):
    """Value of a turn with two cards: the top of one and the bottom of the other."""
    return max(top_and_bottom(s, c, h, a, b, work), top_and_bottom(s, c, h, b, a, work))


@kernel
def top_and_bottom(s, c, h, top, bottom, work):
    """Value of a top, or Attack 2, together with a bottom, or Move 2."""
    steps = hero_value.steps_of(c, c.hero[h].card[bottom].half[1])
    ahead = hero_value.steps_of(c, c.hero[h].card[top].half[0])
    printed = max(
        hero_value.known_half(s, c, h, top, 0, steps, work),
        hero_value.known_basic(s, c, h, steps, work),
    ) + hero_value.known_half(s, c, h, bottom, 1, ahead, work)
    basic = max(
        hero_value.known_half(s, c, h, top, 0, BASIC, work),
        hero_value.known_basic(s, c, h, BASIC, work),
    )
    return max(printed, basic + hero_value.STEP * BASIC)


@kernel
def turn_score(s, c, block, k, work):
    """TURN: a half for what it brings now, and for what it leaves to the other one."""
    if block == Block.ACTIVE:
        return NEVER
    if block == Block.DONE:
        return 0.05
    h = int(s.asked)
    hero = s.hero[h]
    card, other = (hero.second, hero.lead) if k >> 2 else (hero.lead, hero.second)
    kind = k & 3
    gain, steps = kind_gain(s, c, h, int(card), kind, 0, work)
    if hero.used != 0:
        return gain
    later = 0.0
    for rest in range(4):
        if (rest & 1) != (kind & 1):
            more, _ = kind_gain(s, c, h, int(other), rest, steps, work)
            later = max(later, more)
    return gain + later + (0.3 if gain > 1.0 else 0.0)  # what can be had now comes first


@kernel
def kind_gain(s, c, h, card, kind, steps, work):
    """Value of one of the four ways to use a card -> (gain, movement points)."""
    if kind == Half.BASIC_ATTACK:
        return hero_value.known_basic(s, c, h, steps, work), 0
    if kind == Half.BASIC_MOVE:
        return hero_value.STEP * BASIC, BASIC
    ahead = hero_value.steps_of(c, c.hero[h].card[card].half[kind])
    return hero_value.known_half(s, c, h, card, kind, steps, work), ahead


@kernel
def lose_score(s, c, block, k):
    """LOSE, LOSE_SECOND: a card, the least one, if the damage is worth it."""
    h = int(s.harm.to)
    if block == Block.ACTIVE:
        return NEVER
    if block == Block.NO:
        hp, amount = s.figure[h].hp, s.harm.amount
        return -100.0 if amount >= hp else -1.0 * amount * (1.0 + amount / hp)
    cost = 0.1 * hero_value.card_value(c, h, k)
    if s.decision == Decision.LOSE and s.hero[h].place[k] == Place.HAND:
        return -CARD - cost - (2.0 if hand.n_in_hand(s, h) <= 2 else 0.0)
    return -CARD - 1.0 - cost


@kernel
def short_rest_score(s, block, away):
    """SHORT_REST: when the hand is empty, unless a long one is better."""
    h = int(s.asked)
    figure = s.figure[h]
    quiet = 2 * figure.hp < figure.max_hp and hero_value.n_within(away, hero_value.NEAR) == 0
    rests = hand.n_in_hand(s, h) < 2 and not quiet
    return 1.0 if rests == (block == Block.YES) else 0.0


# ---- on the board -------------------------------------------------------------------------------
@kernel
def step_score(s, block, k, field):
    """STEP: on along the way, around traps; stop where it ends."""
    here = int(s.figure[s.move.by].at)
    if block == Block.DONE:
        return 0.01 - field[here]
    there = neighbour(s.board, here, k)
    negative = hexset.has(negative_hexes(s.board), there)
    return -1.0 * field[there] - (0.5 if negative else 0.0)


@kernel
def target_score(s, c, block, e):
    """TARGET, AIM: the enemy on whom the attack is best spent."""
    if block == Block.DONE:
        return 0.0
    strike = s.strike
    gain = hero_value.gain_on(s, e, strike.value + strike.bonus, int(strike.pierce))
    return 0.1 + gain - 0.3 * s.figure[e].retaliate[1]


@kernel
def orientation_score(s, c, orientation):
    """ORIENTATION: the best placement in it."""
    best = NEVER
    for cell in range(c.template[s.strike.template].n_cells):
        if attack.is_placement(s, c, int(s.strike.aimed), orientation, cell):
            best = max(best, cover_score(s, c, orientation, cell))
    return best


@kernel
def cover_score(s, c, orientation, cell):
    """CELL: the enemies covered."""
    covered = attack.covered_by(s, c, int(s.strike.aimed), orientation, cell)
    total = 0.0
    while covered != 0:
        total += target_score(s, c, Block.FIGURE, lowest(covered))
        covered &= covered - 1
    return total


@kernel
def force_score(s, block, k):
    """FORCE: monsters away, or into traps; characters around them."""
    if block == Block.NO:
        return 0.0
    target = int(s.force.target)
    there = neighbour(s.board, int(s.figure[target].at), k)
    hurts = there >= 0 and hexset.has(negative_hexes(s.board), there)
    if target < FIRST_MONSTER:
        return -2.0 if hurts else 0.1
    return 2.0 if hurts else (-0.1 if s.force.pull else 0.1)


@kernel
def recipient_score(s, c, block, f):
    """RECIPIENT: who needs it most; of enemies the strongest."""
    if block == Block.NO:
        return 0.05
    line = c.row[s.row]
    figure = s.figure[f]
    if line.op == Op.HEAL:
        poisoned = has(s, f, Effect.POISON)
        gain = 1 if poisoned else min(line.amount, figure.max_hp - figure.hp)
        return 1.0 * gain + has(s, f, Effect.WOUND) + (0.1 if figure.side == Side.HERO else 0.0)
    if line.serves == Serve.ENEMY:
        return 1.0 + 0.1 * figure.hp
    return 1.0 + 0.1 * figure.hp if figure.side == Side.HERO else 0.5
