"""Which actions answer the question now asked: one denial for each, and the mask made of them."""

import numpy as np

from agemonia_env.core.bitset import lowest, size
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import mark_word

from . import effects, hexset
from .actions import FIRST_WORD, SIZES, WORD, WORD_START, Block, decode_block, decode_index
from .rules import (
    attack,
    bonus,
    force,
    hand,
    hand_management,
    harm,
    monster_actions,
    order,
    rounds,
    terrain,
    travel,
)
from .terms import N_DECISIONS, Decision, Denial, Ending

D = Decision
# Blocks, and the questions that they answer
ANSWERS: tuple[tuple[tuple[Block, ...], tuple[Decision, ...]], ...] = (
    ((Block.CARD, Block.REST, Block.ACTIVE), (D.LEAD,)),
    ((Block.CARD,), (D.SECOND, D.LOSE_SECOND, D.REST_LOSE)),
    ((Block.HALF, Block.DONE, Block.ACTIVE), (D.TURN,)),
    ((Block.DIRECTION, Block.DONE), (D.STEP,)),
    ((Block.FIGURE, Block.DONE), (D.TARGET, D.AIM)),
    ((Block.ORIENTATION,), (D.ORIENTATION,)),
    ((Block.CELL,), (D.CELL,)),
    ((Block.YES, Block.NO), (D.EFFECT, D.REST_KEEP, D.SHORT_REST, D.INSTEAD)),
    ((Block.DIRECTION, Block.NO), (D.FORCE, D.SUMMON)),
    ((Block.CARD, Block.NO, Block.ACTIVE), (D.LOSE,)),
    ((Block.CARD, Block.NO), (D.RECOVER,)),
    ((Block.FIGURE, Block.NO), (D.RECIPIENT,)),
    ((Block.FIGURE,), (D.FOCUS, D.MONSTER_CHOICE, D.NEXT_TYPE)),
    ((Block.HEX,), (D.END_HEX, D.LANDING)),
)
ANSWERING = np.zeros(N_DECISIONS, np.int32)  # bits of the blocks that answer each question
for _blocks, _decisions in ANSWERS:
    ANSWERING[list(_decisions)] = sum(1 << block for block in _blocks)


@kernel
def denial(s, c, a):
    """Why action a in [0, N_ACTIONS) does not answer the question asked -> Denial; NONE = legal."""
    if s.ending != Ending.NONE:
        return Denial.SCENARIO_ENDED
    block = decode_block(a)
    if (int(ANSWERING[s.decision]) >> block) & 1 == 0:
        return Denial.NOT_ASKED
    return denial_of(s, c, block, decode_index(a))


@kernel
def denial_of(s, c, block, k):
    """Why index k of a block that answers the question now asked does not answer it -> Denial."""
    match block:
        case Block.CARD:
            return card_denial(s, c, k)
        case Block.FIGURE:
            return figure_denial(s, c, k)
        case Block.DIRECTION:
            return direction_denial(s, k)
        case Block.HEX:
            if s.decision == Decision.LANDING:
                return terrain.landing_denial(s, k)
            return monster_actions.end_hex_denial(s, k)
        case Block.HALF:
            return rounds.turn_denial(s, k)
        case Block.ACTIVE:
            return bonus.remove_denial(s, k)
        case Block.ORIENTATION:
            return attack.orientation_denial(s, c, s.strike.aimed, k)
        case Block.CELL:
            return attack.cell_denial(s, c, k)
        case Block.REST:
            return hand_management.rest_denial(s, s.asked)
        case Block.DONE:
            return done_denial(s)
        case Block.NO:
            return force.no_denial(s) if s.decision == Decision.FORCE else Denial.NONE
        case _:
            return Denial.NONE


@kernel
def card_denial(s, c, k):
    """Ability cards: of a round, of a rest, in place of damage, recovered."""
    match s.decision:
        case Decision.LOSE | Decision.LOSE_SECOND:
            return harm.lose_denial(s, k)
        case Decision.REST_LOSE:
            return hand_management.lose_denial(s, s.asked, k)
        case Decision.RECOVER:
            return effects.recover_denial(s, k)
        case Decision.SECOND:
            return hand_management.second_denial(s, s.asked, k)
        case _:
            return hand_management.lead_denial(s, s.asked, k)


@kernel
def figure_denial(s, c, k):
    """Figures: targets, whom a line is for, ties between figures."""
    match s.decision:
        case Decision.TARGET:
            return attack.target_denial(s, k)
        case Decision.AIM:
            return attack.aim_denial(s, c, k)
        case Decision.RECIPIENT:
            return effects.recipient_denial(s, c, k)
        case Decision.MONSTER_CHOICE:
            return effects.tie_denial(s, c, k)
        case Decision.NEXT_TYPE:
            return order.next_type_denial(s, k)
        case _:
            return monster_actions.focus_denial(s, k)


@kernel
def direction_denial(s, k):
    """Directions: of a move, of a push or pull, of a summon."""
    match s.decision:
        case Decision.STEP:
            return travel.step_denial(s, k)
        case Decision.FORCE:
            return force.step_denial(s, k)
        case _:
            return effects.summon_denial(s, k)


@kernel
def done_denial(s):
    """DONE: the turn, the move, the attack ability ends."""
    match s.decision:
        case Decision.STEP:
            return travel.end_denial(s)
        case Decision.TARGET:
            return attack.no_more_denial(s)
        case _:
            return Denial.NONE


# ---- the legal answers ---------------------------------------------------------------------------
@kernel
def legal_at_once(s, block):
    """The legal indices of a block, as bits, if they can be found all at once; else -1.

    Nine of ten questions of a game are of this kind. The result agrees with the denials.
    """
    match block:
        case Block.CARD:
            return cards_at_once(s)
        case Block.HALF:
            return rounds.halves_left(s)
        case Block.ACTIVE:
            return bonus.removable(s)
        case Block.DIRECTION:
            return travel.open_ways(s) if s.decision == Decision.STEP else -1
        case Block.DONE:
            return int(done_denial(s) == Denial.NONE)
        case Block.NO:
            return -1 if s.decision == Decision.FORCE else 1
        case Block.YES:
            return 1
        case _:
            return -1


@kernel
def cards_at_once(s):
    """The same for cards; cards to be recovered are checked one by one."""
    match s.decision:
        case Decision.LEAD:
            return hand_management.leads(s, s.asked)
        case Decision.SECOND:
            return hand.in_hand(s, s.asked)
        case Decision.LOSE | Decision.LOSE_SECOND:
            return harm.losable(s)
        case Decision.REST_LOSE:
            return hand.discards(s, s.asked)
        case _:
            return -1


@kernel
def candidates(s, block):
    """Candidate indices of a block, as bits: cheap to find; all others are illegal."""
    if block == Block.CARD:
        return hand.owned(s, s.asked)
    if block == Block.FIGURE:
        aims = s.decision == Decision.TARGET
        return attack.candidate_targets(s) if aims else int(s.present)
    return (1 << SIZES[block]) - 1


@kernel
def legal_one_by_one(s, c, block):
    """The legal indices of a block, as bits: the candidates without a denial."""
    indices = candidates(s, block)
    rest = indices
    while rest != 0:
        k = lowest(rest)
        rest &= rest - 1
        if denial_of(s, c, block, k) != Denial.NONE:
            indices ^= 1 << k
    return indices


@kernel
def write_legal(s, c, legal):
    """Write the legal answers, int64 (N_WORDS,): their bits, actions.WORD of them in a word.

    -> how many there are; none at a finished state
    """
    legal[:] = 0
    if s.ending != Ending.NONE:
        return 0
    n = 0
    blocks = int(ANSWERING[s.decision])
    while blocks != 0:
        block = lowest(blocks)
        blocks &= blocks - 1
        if block == Block.HEX:
            n += write_hexes(s, c, legal)
            continue
        indices = legal_at_once(s, block)
        if indices < 0:
            indices = legal_one_by_one(s, c, block)
        legal[FIRST_WORD[block]] = indices
        n += size(indices)
    return n


@kernel
def write_hexes(s, c, legal):
    """The same for hexes; only candidates are checked."""
    hexes = hexset.EMPTY
    if s.decision == Decision.LANDING:
        hexes = terrain.landing_hexes(s, s.actor)
    else:
        for k in range(s.n_ties):
            hexes = hexset.union(hexes, hexset.only(int(s.tie[k].end)))
    n = 0
    while not hexset.is_empty(hexes):
        h = hexset.lowest(hexes)
        hexes = hexset.without(hexes, hexset.only(h))
        if denial_of(s, c, Block.HEX, h) == Denial.NONE:
            legal[FIRST_WORD[Block.HEX] + h // WORD] |= 1 << (h % WORD)
            n += 1
    return n


@kernel
def is_among(action, legal):
    """Whether an action in [0, N_ACTIONS) is one of the legal answers."""
    k = decode_index(action)
    return (legal[FIRST_WORD[decode_block(action)] + k // WORD] >> (k % WORD)) & 1 != 0


@kernel
def write_mask(s, legal, mask):
    """Write the mask, uint8 (N_ACTIONS,): 1 = legal; all ones at a finished state."""
    mask[:] = s.ending != Ending.NONE
    blocks = int(ANSWERING[s.decision])  # all others are empty
    while blocks != 0:
        block = lowest(blocks)
        blocks &= blocks - 1
        for word in range(FIRST_WORD[block], FIRST_WORD[block + 1]):
            mark_word(int(legal[word]), int(WORD_START[word]), mask)
