"""Agemonia as an object."""

from agemonia_env.core.task_stack import clear_rows
from agemonia_env.rulesets.event_log import fresh_rows
from agemonia_env.rulesets.ruleset import Ruleset, action_blocks

from .arguments import OPPONENTS, check_arguments, side_asked
from .content.compile import RULES_VERSION
from .content.load import load_pack
from .core import api
from .core.actions import N_ACTIONS, N_BLOCKS, SIZES, Block, Turn
from .core.layout import CONTENT, DERIVED, STATE
from .core.obs_spec import N_CODES, N_OBSERVATION, OBS, SCALES
from .core.observe import N_SEEN
from .core.policies import Policy
from .core.terms import Ability, AttackType, Broken, Condition, Denial, Special
from .states.behaviour_games import trials
from .states.obs_arrays import STRUCTURE
from .states.ranges import Agreement, ranges
from .states.statistics import COLUMNS, exhausted, figures, outcome
from .view.board_text import write_board, write_brief
from .view.event_text import story
from .view.goal import goal_page, verdict
from .view.help import action_help
from .view.labels import (
    DECISION_NAMES,
    DENIAL_NAMES,
    DENIALS,
    ENDING_NAMES,
    action_text,
    question_text,
)
from .view.look import action_page, pages
from .view.render import draw_board

# Blocks of actions whose indices are words of the rules
CHOICES = {
    Block.TURN: Turn,
    Block.ABILITY: Ability,
    Block.ATTACK_TYPE: AttackType,
    Block.CONDITION: Condition,
    Block.SPECIAL: Special,
}

AGEMONIA = Ruleset(
    name="agemonia",
    env_id="Agemonia-v0",
    version=RULES_VERSION,
    api=api,
    STATE=STATE,
    CONTENT=CONTENT,
    DERIVED=DERIVED,
    BLOCKS=action_blocks(Block, SIZES, CHOICES),
    OBS=OBS,
    N_ACTIONS=N_ACTIONS,
    N_OBSERVATION=N_OBSERVATION,
    N_CODES=N_CODES,
    N_WORDS=N_BLOCKS,
    N_SEEN=N_SEEN,
    SCALES=SCALES,
    structure=STRUCTURE,
    POLICIES={"greedy": Policy.GREEDY, "random": Policy.RANDOM},
    RIVALS=OPPONENTS,
    check_arguments=check_arguments,
    load_pack=load_pack,
    trials=trials,
    ranges=ranges,
    agreement=Agreement,
    broken=lambda bits: [one.name.lower() for one in Broken if bits & one],
    DECISIONS=DECISION_NAMES,
    ENDINGS=ENDING_NAMES,
    DENIALS=DENIAL_NAMES,
    DENIAL_TEXTS=tuple(DENIALS[denial] for denial in Denial),
    SCENARIO_ENDED=int(Denial.SCENARIO_ENDED),
    NOT_ASKED=int(Denial.NOT_ASKED),
    side_asked=side_asked,
    action_text=action_text,
    question_text=question_text,
    fresh_rows=fresh_rows,
    clear_rows=clear_rows,
    story=story,
    action_help=action_help,
    action_page=action_page,
    pages=pages,
    goal_page=goal_page,
    verdict=verdict,
    write_board=write_board,
    write_brief=write_brief,
    draw_board=draw_board,
    COLUMNS=COLUMNS,
    outcome=outcome,
    exhausted=exhausted,
    figures=figures,
)
