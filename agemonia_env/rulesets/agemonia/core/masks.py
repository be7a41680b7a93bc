"""Which actions answer the question now asked: one denial for each, and the mask made of them."""

import numpy as np

from agemonia_env.core.bitset import lowest, size
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import mark_word

from .actions import SIZES, WORD_START, Block, Turn, decode_block, decode_index
from .rules import (
    action,
    ally_attack,
    checks,
    enemy_attack,
    enemy_pool,
    figures,
    gear,
    initiative,
    items,
    jump,
    lock,
    movement,
    setup,
    stamina,
    story,
    teleport,
    turn,
)
from .terms import N_DECISIONS, Condition, Decision, Denial, Ending, Proc

D = Decision
MENUS = (D.USE, D.DROP, D.GIVE, D.WEAR)  # about the items that the Hero asked carries
# Blocks, and the questions that they answer
ANSWERS: tuple[tuple[tuple[Block, ...], tuple[Decision, ...]], ...] = (
    ((Block.TOKEN,), (D.SELECT_ACTION, D.SLOT)),
    ((Block.TURN, Block.LOCK, Block.TOKEN), (D.TURN,)),
    (
        (
            *(Block.AREA, Block.CLIMB, Block.PORTAL, Block.DONE, Block.YES),
            *(Block.TURN, Block.LOCK),
        ),
        (D.STEP,),
    ),
    ((Block.AMOUNT,), (D.EVADE, D.PAY, D.SHARE, D.AMOUNT)),
    ((Block.YES, Block.NO), (D.DISARM,)),
    (
        (Block.YES, Block.NO, Block.LOCK),
        (D.INSPIRATION, D.BLESSED, D.ACHIEVEMENT, D.SPRING, D.REROLL),
    ),
    ((Block.ENEMY, Block.DONE), (D.TARGET, D.TOKEN_HARM)),
    ((Block.ENEMY,), (D.AFFLICTED, D.DOMINATED_ENEMY, D.VICTIM)),
    ((Block.ALLY, Block.NO, Block.LOCK), (D.STAND_IN,)),
    ((Block.ALLY, Block.NO), (D.AFTER_ALLY, D.TACTICS, D.NEXT_ALLY)),
    (
        (Block.ALLY,),
        (D.ENEMY_TARGET, D.STRIKE_ORDER, D.DOMINATED_ALLY, D.RECIPIENT, D.GIVE_TO),
    ),
    ((Block.AREA, Block.DONE), (D.LINE, D.JUMP, D.TELEPORT, D.TOKEN_STEP)),
    (
        (Block.AREA,),
        (
            *(D.CENTRE, D.ENEMY_DESTINATION, D.ENEMY_STOP, D.SPAWN_AREA, D.TRAP_AREA),
            *(D.PUSH_TO, D.SUMMON_AREA, D.ROPE),
        ),
    ),
    ((Block.ITEM, Block.DONE, Block.LOCK), (D.BOOST,)),
    ((Block.ITEM, Block.DONE), (D.RIDER, D.WEAPON, D.OPENING)),
    ((Block.ITEM,), MENUS),
    ((Block.GROUND,), (D.TAKE,)),
    ((Block.SPECIAL,), (D.SPECIAL,)),
    ((Block.STORY,), (D.STORY,)),
    ((Block.LOCK, Block.DONE), (D.FLIP_LOCK,)),
    ((Block.TYPE,), (D.NEXT_TYPE,)),
    ((Block.ATTACK_TYPE,), (D.ATTACK_TYPE,)),
    ((Block.ABILITY,), (D.ABILITY, D.ABILITY_BONUS)),
    ((Block.CONDITION,), (D.DISCARD,)),
)
ANSWERING = np.zeros(N_DECISIONS, np.int32)  # bits of the blocks that answer each question
for _blocks, _decisions in ANSWERS:
    ANSWERING[list(_decisions)] = sum(1 << block for block in _blocks)
ALL = np.array([(1 << size) - 1 for size in SIZES], np.int32)  # bits of the indices, by Block
RETHINKS = 1 << Turn.RETHINK_MOVE | 1 << Turn.RETHINK_RESTORE  # bits of Turn
MANEUVERS = sum(
    1 << turn
    for turn in (
        *(Turn.MOVE_FREE, Turn.MOVE_PAID, Turn.RECOVER_STAMINA, Turn.RECOVER_DAMAGE),
        *(Turn.DISCARD_BLEEDING, Turn.DISCARD_HELD, Turn.FIX_ROPE),
    )
)
DISCARDING = 1 << Turn.DISCARD_BLEEDING | 1 << Turn.DISCARD_HELD
READING = 1 << Turn.READ_STORY
ACTIONS_AND_MANEUVERS = (1 << Turn.USE_ITEM) - 1  # bits of Turn
BLEEDING_OR_HELD = 1 << Condition.BLEEDING | 1 << Condition.HELD


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
    if block == Block.AREA or block == Block.CLIMB or block == Block.PORTAL:
        return area_denial(s, c, block, k)
    if block == Block.ENEMY:
        return enemy_denial(s, c, k)
    if block == Block.ALLY:
        return ally_denial(s, c, k)
    match block:
        case Block.TURN:
            if s.decision == Decision.STEP:
                return turn.aside_denial(s, c, k)
            return turn.turn_denial(s, c, k)
        case Block.TOKEN:
            return token_denial(s, c, k)
        case Block.LOCK:
            if s.decision == Decision.FLIP_LOCK:
                return stamina.flip_denial(s, s.flip_ally, k)
            return lock.aside_denial(s, k)
        case Block.AMOUNT:
            return checks.amount_denial(s, k)
        case Block.TYPE:
            return enemy_pool.option_denial(s, k)
        case Block.ATTACK_TYPE:
            return ally_attack.type_denial(s, c, s.attack.ally, s.attack.row, k)
        case Block.ABILITY:
            raises = s.decision == Decision.ABILITY_BONUS
            return Denial.NONE if raises else checks.offer_denial(s, k)
        case Block.ITEM:
            return item_denial(s, c, k)
        case Block.GROUND:
            return items.take_denial(s, c, s.asked, k)
        case Block.SPECIAL:
            return initiative.special_denial(s, k)
        case Block.STORY:
            return story.section_denial(s, c, s.asked, k)
        case Block.CONDITION:
            return action.cure_denial(s, k) if k > 0 else Denial.NOTHING_TO_DISCARD
        case Block.DONE:
            return done_denial(s, c)
        case Block.NO:
            if s.decision == Decision.NEXT_ALLY and not initiative.may_wait(s, c):
                return Denial.NO_SUCH_ACTION
            return Denial.NONE
        case Block.YES:
            if s.decision == Decision.STEP:
                return movement.gem_denial(s)
            return Denial.NONE
        case _:
            return Denial.NONE


@kernel
def area_denial(s, c, block, k):
    """Areas: steps, climbs, centres, lines, and ties between areas."""
    if k >= c.n_areas:
        return Denial.NOT_ADJACENT
    if block == Block.CLIMB:
        return movement.climb_denial(s, c, k)
    if block == Block.PORTAL:
        return movement.token_denial(s, c, k)
    match s.decision:
        case Decision.STEP:
            return movement.step_denial(s, c, k)
        case Decision.CENTRE:
            return ally_attack.centre_choice_denial(s, c, k)
        case Decision.LINE:
            return ally_attack.line_denial(s, c, k)
        case Decision.JUMP:
            return jump.jump_denial(s, c, s.move.ally, k, s.move.reach)
        case Decision.TELEPORT:
            return teleport.ally_teleport_denial(s, c, s.move.ally, k, s.move.reach)
        case Decision.SUMMON_AREA:
            return figures.place_here_denial(s, c, k)
        case Decision.TOKEN_STEP:
            return figures.step_denial(s, c, k)
        case _:
            return enemy_pool.option_denial(s, k)


@kernel
def enemy_denial(s, c, k):
    """Enemies: targets, who is afflicted, and ties between Enemies."""
    match s.decision:
        case Decision.TARGET:
            return ally_attack.choice_denial(s, c, k)
        case Decision.AFFLICTED | Decision.VICTIM:
            return action.afflicted_denial(s, c, k)
        case Decision.TOKEN_HARM:
            return figures.harm_denial(s, k)
        case _:
            return enemy_pool.option_denial(s, k)


@kernel
def ally_denial(s, c, k):
    """Allies: who stands in, who is helped, and ties between Allies."""
    match s.decision:
        case Decision.STAND_IN:
            if s.tasks[s.depth - 1] == Proc.DOMINATED_STAND_IN:
                return turn.dominated_stand_in_denial(s, k)
            if s.tasks[s.depth - 1] == Proc.STRIKE_LINE_UP:  # about locks alone
                return Denial.NOT_ASKED
            return enemy_attack.stand_in_denial(s, s.subject, k)
        case Decision.RECIPIENT:
            return action.recipient_denial(s, c, k)
        case Decision.GIVE_TO:
            return items.give_denial(s, c, s.asked, s.subject, k)
        case Decision.TACTICS:
            return initiative.colour_denial(s, c, s.asked, k)
        case _:
            return enemy_pool.option_denial(s, k)


@kernel
def item_denial(s, c, k):
    """Items carried: for a check or an attack, and choices of the own turn."""
    match s.decision:
        case Decision.BOOST:
            return checks.boost_denial(s, c, k)
        case Decision.RIDER:
            return ally_attack.rider_denial(s, c, k)
        case Decision.WEAPON:
            return ally_attack.weapon_denial(s, c, k)
        case _:
            return items.item_denial(s, c, s.asked, s.decision, k)


@kernel
def done_denial(s, c):
    """DONE: stop moving, no further target, end of the line."""
    match s.decision:
        case Decision.STEP:
            return movement.stop_denial(s, c)
        case Decision.LINE:
            return ally_attack.line_done_denial(s)
        case Decision.TARGET:
            return ally_attack.done_denial(s)
        case Decision.WEAPON:
            return ally_attack.weapon_denial(s, c, gear.NATURAL)
        case Decision.FLIP_LOCK:
            return stamina.keep_denial(s)
        case _:
            return Denial.NONE  # jumps, teleports, tokens and items are offers


@kernel
def token_denial(s, c, k):
    """Action tokens: chosen for the round, put into a slot, performed in the own turn."""
    match s.decision:
        case Decision.SELECT_ACTION:
            return initiative.select_denial(s, c, s.asked, k)
        case Decision.SLOT:
            return setup.slot_denial(s, c, s.asked, k)
        case _:
            return turn.token_denial(s, c, s.asked, k)


# ---- the legal answers ---------------------------------------------------------------------------
@kernel
def candidates(s, c, block):
    """Candidate indices of a block, as bits: cheap to find; all others are illegal."""
    match block:
        case Block.AREA:
            return candidate_areas(s, c)
        case Block.CLIMB:
            return int(s.rope[s.ally[s.move.ally].area])
        case Block.PORTAL:
            return teleport.led_to(s, c, s.ally[s.move.ally].area)
        case Block.TOKEN:
            sheet = c.sheet[s.asked]
            return int(sheet.by_turn) if s.decision == D.TURN else (1 << int(sheet.n_tokens)) - 1
        case Block.TYPE:
            return int(s.options)
        case Block.TURN:
            return candidate_turns(s, c)
        case Block.LOCK:
            return lock.running(s, s.flip_ally if s.decision == D.FLIP_LOCK else s.asked)
        case Block.STORY:
            return story.candidates(s, c)
        case Block.ITEM:
            if s.decision not in MENUS:
                return int(ALL[block])
            return items.candidate_places(s, s.asked, s.decision, gear.traits(s, c, s.asked))
        case _:
            return int(ALL[block])


@kernel
def candidate_turns(s, c):
    """Candidates among terms of Turn, as bits."""
    a = s.asked
    if s.decision == D.STEP and not movement.in_turn(s, a):
        return 0
    bits = items.candidate_choices(s, c, a)
    bits |= READING if story.candidates(s, c) != 0 else 0
    if s.decision == D.STEP:
        return bits
    bits |= ACTIONS_AND_MANEUVERS
    bits &= ~RETHINKS if s.actions <= 0 else -1
    bits &= ~DISCARDING if int(s.ally[a].conditions) & BLEEDING_OR_HELD == 0 else -1
    return bits & ~MANEUVERS if s.maneuvers <= 0 else bits


@kernel
def candidate_areas(s, c):
    """Candidate areas, as bits."""
    match s.decision:
        case Decision.STEP:
            a = s.move.ally
            return movement.ways(c, s.ally[a].area, lock.flies(s, c, a))
        case Decision.CENTRE | Decision.LINE | Decision.JUMP | Decision.TELEPORT:
            return (1 << int(c.n_areas)) - 1
        case Decision.SUMMON_AREA | Decision.TOKEN_STEP:
            return (1 << int(c.n_areas)) - 1
        case _:
            return int(s.options)


@kernel
def write_legal(s, c, legal):
    """Write the legal answers, int64 (N_BLOCKS,): for each block the bits of its legal indices.

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
        indices = candidates(s, c, block)
        # Half of all answers: they skip `denial_of`
        menu = block == Block.TURN and s.decision == Decision.TURN
        rest = indices
        while rest != 0:
            k = lowest(rest)
            rest &= rest - 1
            reason = turn.turn_denial(s, c, k) if menu else denial_of(s, c, block, k)
            if reason != Denial.NONE:
                indices ^= 1 << k
        legal[block] = indices
        n += size(indices)
    return n


@kernel
def is_among(action, legal):
    """Whether an action in [0, N_ACTIONS) is one of the legal answers."""
    return (legal[decode_block(action)] >> decode_index(action)) & 1 != 0


@kernel
def write_mask(s, legal, mask):
    """Write the mask, uint8 (N_ACTIONS,): 1 = legal; all ones at a finished state."""
    mask[:] = s.ending != Ending.NONE
    blocks = int(ANSWERING[s.decision])  # all others are empty
    while blocks != 0:
        block = lowest(blocks)
        blocks &= blocks - 1
        mark_word(int(legal[block]), int(WORD_START[block]), mask)
