"""Who answers which questions: run a game to the next one that is asked outside the core.

All characters are of one side; the monsters follow their cards. The bits of Control that concern
the enemy side have no effect.
"""

from agemonia_env.core.env_slots import Control
from agemonia_env.core.event_log import log_choice
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import first

from . import flow, masks, policies
from .actions import WORD_START, Block, decode_block, decode_index
from .terms import TIES, Decision, Event


@kernel
def settle(s, c, control, plan, work, legal, rows):
    """Run on to a choice that is asked outside; forced answers are given at once.

    plan: layout.PLAN, work: hero_value.WORK, both scratch. Leaves the legal answers in `legal`
    (masks.write_legal). -> how many; 0 = the game has ended
    """
    while True:
        flow.run_until_decision(s, c, plan, rows)
        n = masks.write_legal(s, c, legal)
        if n == 0:
            return n
        if n > 1 and control & Control.HEROES_PLAYED:
            take(s, policies.choose(s, c, control // Control.POLICY, work, legal, n))
        elif n == 1 or (control & Control.AUTO_TIES and s.decision in TIES):
            take(s, first(legal, WORD_START))
        else:
            return n


@kernel
def side_of(s):
    """Whose question it is: always the characters'."""
    return 0


@kernel
def take(s, action):
    """Give a legal action as the answer to the question now asked."""
    log_choice(s, Event.CHOICE, action)
    s.block = decode_block(action)
    s.answer = 1 if s.block == Block.YES else decode_index(action)
    s.decision = Decision.NONE
    s.decisions += 1
