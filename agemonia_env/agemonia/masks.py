"""Which actions answer the question now asked: one denial for each, and the mask made of them."""

from ..kernel.jit import kernel
from .actions import N_ACTIONS, SIZES, STARTS, Block, decode_block
from .rules import (
    action,
    attack,
    checks,
    enemies,
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
    strike,
    turn,
)
from .terms import Decision, Denial, Ending, Proc


@kernel
def denial(s, c, a):
    """Why action a in [0, N_ACTIONS) does not answer the question asked -> Denial; NONE = legal."""
    block = decode_block(a)
    return denial_of(s, c, block, a - STARTS[block])


@kernel
def denial_of(s, c, block, k):
    """Why index k of a block does not answer the question now asked -> Denial."""
    if s.ending != Ending.NONE:
        return Denial.SCENARIO_ENDED
    if not takes(s, block):
        return Denial.NOT_ASKED
    if block == Block.AREA or block == Block.CLIMB or block == Block.PORTAL:
        return area_denial(s, c, block, k)
    if block == Block.ENEMY:
        return enemy_denial(s, c, k)
    if block == Block.ALLY:
        return ally_denial(s, c, k)
    if s.decision == Decision.STEP and (block == Block.TURN or block == Block.LOCK):
        return turn.aside_denial(s, c, block, k)
    match block:
        case Block.TURN:
            return turn.turn_denial(s, c, k)
        case Block.TOKEN:
            return token_denial(s, c, k)
        case Block.LOCK:
            if s.decision == Decision.FLIP_LOCK:
                return stamina.flip_denial(s, s.flip_ally, k)
            return lock.unlock_denial(s, s.asked, k)
        case Block.AMOUNT:
            return checks.amount_denial(s, k)
        case Block.TYPE:
            return enemies.option_denial(s, k)
        case Block.ATTACK_TYPE:
            return attack.type_denial(s, c, s.attack.ally, s.attack.row, k)
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
def takes(s, block):
    """Whether actions of the block can answer the question at all."""
    match s.decision:
        case Decision.SELECT_ACTION:
            return block == Block.TOKEN
        case Decision.TURN:
            return block in (Block.TURN, Block.LOCK, Block.TOKEN)
        case Decision.STEP:
            if block == Block.TURN or block == Block.LOCK:
                return True
            return block in (Block.AREA, Block.CLIMB, Block.PORTAL, Block.DONE, Block.YES)
        case Decision.EVADE | Decision.PAY | Decision.SHARE | Decision.AMOUNT:
            return block == Block.AMOUNT
        case Decision.DISARM | Decision.INSPIRATION | Decision.BLESSED | Decision.ACHIEVEMENT:
            return block == Block.YES or block == Block.NO
        case Decision.SPRING | Decision.REROLL:
            return block == Block.YES or block == Block.NO
        case Decision.TARGET | Decision.TOKEN_HARM:
            return block == Block.ENEMY or block == Block.DONE
        case Decision.LINE | Decision.JUMP | Decision.TELEPORT | Decision.TOKEN_STEP:
            return block == Block.AREA or block == Block.DONE
        case Decision.STAND_IN | Decision.AFTER_ALLY | Decision.TACTICS:
            return block == Block.ALLY or block == Block.NO
        case Decision.NEXT_ALLY:
            return block == Block.ALLY or block == Block.NO
        case Decision.ENEMY_TARGET | Decision.STRIKE_ORDER:
            return block == Block.ALLY
        case Decision.DOMINATED_ALLY | Decision.RECIPIENT:
            return block == Block.ALLY
        case Decision.CENTRE | Decision.ENEMY_DESTINATION | Decision.ENEMY_STOP:
            return block == Block.AREA
        case Decision.SPAWN_AREA | Decision.TRAP_AREA | Decision.PUSH_TO:
            return block == Block.AREA
        case Decision.SUMMON_AREA | Decision.ROPE:
            return block == Block.AREA
        case Decision.AFFLICTED | Decision.DOMINATED_ENEMY | Decision.VICTIM:
            return block == Block.ENEMY
        case Decision.SLOT:
            return block == Block.TOKEN
        case Decision.SPECIAL:
            return block == Block.SPECIAL
        case Decision.STORY:
            return block == Block.STORY
        case Decision.BOOST | Decision.RIDER | Decision.WEAPON | Decision.OPENING:
            return block == Block.ITEM or block == Block.DONE
        case Decision.USE | Decision.DROP | Decision.GIVE | Decision.WEAR:
            return block == Block.ITEM
        case Decision.TAKE:
            return block == Block.GROUND
        case Decision.GIVE_TO:
            return block == Block.ALLY
        case Decision.FLIP_LOCK:
            return block == Block.LOCK
        case Decision.NEXT_TYPE:
            return block == Block.TYPE
        case Decision.ATTACK_TYPE:
            return block == Block.ATTACK_TYPE
        case Decision.ABILITY | Decision.ABILITY_BONUS:
            return block == Block.ABILITY
        case Decision.DISCARD:
            return block == Block.CONDITION
        case _:
            return False


@kernel
def area_denial(s, c, block, k):
    """Areas: steps, climbs, centres, lines, and ties between areas."""
    if k >= c.n_areas:
        return Denial.NOT_ADJACENT
    if block == Block.CLIMB:
        return movement.climb_denial(s, c, k)
    if block == Block.PORTAL:
        return jump.token_denial(s, c, k)
    match s.decision:
        case Decision.STEP:
            return movement.step_denial(s, c, k)
        case Decision.CENTRE:
            return attack.centre_choice_denial(s, c, k)
        case Decision.LINE:
            return attack.line_denial(s, c, k)
        case Decision.JUMP:
            return jump.jump_denial(s, c, s.move.ally, k, s.move.reach)
        case Decision.TELEPORT:
            return jump.ally_teleport_denial(s, c, s.move.ally, k, s.move.reach)
        case Decision.SUMMON_AREA:
            return figures.place_here_denial(s, c, k)
        case Decision.TOKEN_STEP:
            return figures.step_denial(s, c, k)
        case _:
            return enemies.option_denial(s, k)


@kernel
def enemy_denial(s, c, k):
    """Enemies: targets, who is afflicted, and ties between Enemies."""
    match s.decision:
        case Decision.TARGET:
            return attack.choice_denial(s, c, k)
        case Decision.AFFLICTED | Decision.VICTIM:
            return action.afflicted_denial(s, c, k)
        case Decision.TOKEN_HARM:
            return figures.harm_denial(s, k)
        case _:
            return enemies.option_denial(s, k)


@kernel
def ally_denial(s, c, k):
    """Allies: who stands in, who is helped, and ties between Allies."""
    match s.decision:
        case Decision.STAND_IN:
            if s.agenda[s.depth - 1] == Proc.DOMINATED_STAND_IN:
                return turn.dominated_stand_in_denial(s, k)
            return strike.stand_in_denial(s, s.subject, k)
        case Decision.RECIPIENT:
            return action.recipient_denial(s, c, k)
        case Decision.GIVE_TO:
            return items.give_denial(s, c, s.asked, s.subject, k)
        case Decision.TACTICS:
            return initiative.colour_denial(s, c, s.asked, k)
        case _:
            return enemies.option_denial(s, k)


@kernel
def item_denial(s, c, k):
    """Items carried: what serves a check or attack, and choices of the own turn."""
    match s.decision:
        case Decision.BOOST:
            return checks.boost_denial(s, c, k)
        case Decision.RIDER:
            return attack.rider_denial(s, c, k)
        case Decision.WEAPON:
            return attack.weapon_denial(s, c, k)
        case _:
            return items.item_denial(s, c, s.asked, s.decision, k)


@kernel
def done_denial(s, c):
    """DONE: stop moving, no further target, end of the line."""
    match s.decision:
        case Decision.STEP:
            return movement.stop_denial(s, c)
        case Decision.LINE:
            return attack.line_done_denial(s)
        case Decision.TARGET:
            return attack.done_denial(s)
        case Decision.WEAPON:
            return attack.weapon_denial(s, c, gear.NATURAL)
        case _:
            return Denial.NONE  # jumps, teleports, tokens and items are offers


@kernel
def token_denial(s, c, k):
    """Action tokens: the round's choice, what fills a slot, what is performed in the own turn."""
    match s.decision:
        case Decision.SELECT_ACTION:
            return initiative.select_denial(s, c, s.asked, k)
        case Decision.SLOT:
            return setup.slot_denial(s, c, s.asked, k)
        case _:
            return turn.token_denial(s, c, s.asked, k)


@kernel
def write_mask(s, c, mask):
    """Write the mask of one state, uint8 (N_ACTIONS,): 1 = legal; all ones at a finished state.

    -> number of legal actions
    """
    if s.ending != Ending.NONE:
        mask[:] = 1
        return N_ACTIONS
    mask[:] = 0
    legal = 0
    for block in range(len(SIZES)):
        if takes(s, block):
            for k in range(SIZES[block]):
                if denial_of(s, c, block, k) == Denial.NONE:
                    mask[STARTS[block] + k] = 1
                    legal += 1
    return legal
