"""Who answers which questions: run a game to the next one that is asked outside the core."""

from .env_slots import Control
from .event_log import log_choice
from .jit import kernel
from .legal_sets import first


def control_kernels(core):
    """The kernels `settle` and `take` of a ruleset; core: entries.Core."""
    flow, masks, policies, sides = core.flow, core.masks, core.policies, core.sides
    decode_block, decode_index = core.actions.decode_block, core.actions.decode_index
    WORD_START, YES = core.actions.WORD_START, getattr(core.actions.Block, "YES", -1)
    CHOICE, TIES, NO_QUESTION = core.terms.Event.CHOICE, core.terms.TIES, core.terms.Decision.NONE

    @kernel
    def settle(s, c, control, scratch, legal, rows):
        """Run on to a choice that is asked outside; forced answers are given at once.

        Leaves the legal answers in `legal` (masks.write_legal). -> how many; 0 = the game has ended
        """
        while True:
            flow.run_until_decision(s, c, scratch, rows)
            n = masks.write_legal(s, c, legal)
            if n == 0:
                return n
            if n > 1 and control & (Control.HEROES_PLAYED << sides.side_of(s)):
                take(s, policies.choose(s, c, control // Control.POLICY, scratch, legal, n))
            elif n == 1 or (control & Control.AUTO_TIES and is_tie(s, control)):
                take(s, first(legal, WORD_START))
            else:
                return n

    @kernel
    def is_tie(s, control):
        """Whether the question is a tie that the players choose, not a choice of one of them."""
        if sides.side_of(s) > 0:
            return control & Control.ENEMIES_ASKED == 0
        return s.decision in TIES

    @kernel
    def take(s, action):
        """Give a legal action as the answer to the question now asked."""
        log_choice(s, CHOICE, action)
        s.block = decode_block(action)
        s.answer = 1 if s.block == YES else decode_index(action)
        s.decision = NO_QUESTION
        s.decisions += 1

    return settle, take
