"""Who answers which questions: run a game to the next one that is asked outside the core."""

from agemonia_env.core.env_slots import Control
from agemonia_env.core.event_log import log_choice
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import first

from . import flow, masks, policies
from .actions import WORD_START, Block, decode_block, decode_index
from .sides import side_of
from .terms import TIES, Decision, Event, Side


@kernel
def settle(s, c, control, work, legal, rows):
    """Run on to a choice that is asked outside; forced answers are given at once.

    work: attack_value.WORK, scratch. Leaves the legal answers in `legal` (masks.write_legal).
    -> how many; 0 = the game has ended
    """
    while True:
        flow.run_until_decision(s, c, rows)
        n = masks.write_legal(s, c, legal)
        if n == 0:
            return n
        if n > 1 and control & (Control.HEROES_PLAYED << side_of(s)):
            take(s, policies.choose(s, c, control // Control.POLICY, work, legal, n))
        elif n == 1 or (control & Control.AUTO_TIES and is_tie(s, control)):
            take(s, first(legal, WORD_START))
        else:
            return n


@kernel
def is_tie(s, control):
    """Whether the question is a tie that the players choose, not a choice of one of them."""
    if side_of(s) == Side.ENEMIES:
        return control & Control.ENEMIES_ASKED == 0
    return s.decision in TIES


@kernel
def take(s, action):
    """Give a legal action as the answer to the question now asked."""
    log_choice(s, Event.CHOICE, action)
    s.block = decode_block(action)
    s.answer = 1 if s.block == Block.YES else decode_index(action)
    s.decision = Decision.NONE
    s.decisions += 1
