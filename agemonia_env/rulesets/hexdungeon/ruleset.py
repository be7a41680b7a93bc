"""HexDungeon as a Ruleset object."""

from agemonia_env.rulesets.ruleset import Ruleset, action_blocks

from .arguments import check_arguments
from .content import load_pack
from .content.compile import RULES_VERSION
from .core import api
from .core.action_spec import ACTION, ACTION_SCALES, N_ACTION_FEATURES
from .core.actions import N_ACTIONS, N_WORDS, SIZES, Block
from .core.layout import CONTENT, STATE
from .core.obs_spec import N_OBS_INT8, N_OBSERVATION, NUMBERED, OBS, SCALES
from .core.observe import N_CACHED
from .core.policies import Policy
from .core.terms import Broken, Denial, Half, Stream
from .states.behaviour_games import behaviour_games
from .states.obs_arrays import STRUCTURE
from .states.statistics import RESULT_COLUMNS, exhausted_heroes, figure_names, statistics
from .view.board_text import write_board, write_brief
from .view.event_text import event_texts
from .view.goal import ending_text, goal_page
from .view.help import action_help, question_help
from .view.labels import (
    DECISION_NAMES,
    DENIAL_NAMES,
    DENIALS,
    ENDING_NAMES,
    action_text,
    question_text,
    side_asked,
)
from .view.legal_targets import action_target
from .view.look import action_page, help_pages, thing_page
from .view.render import PARTS, draw_board

HEXDUNGEON = Ruleset(
    name="hexdungeon",
    env_id="HexDungeon-v0",
    version=RULES_VERSION,
    api=api,
    STATE=STATE,
    CONTENT=CONTENT,
    DERIVED=(),
    BLOCKS=action_blocks(Block, SIZES, {Block.HALF: Half}),
    OBS=OBS,
    N_ACTIONS=N_ACTIONS,
    N_OBSERVATION=N_OBSERVATION,
    N_OBS_INT8=N_OBS_INT8,
    N_WORDS=N_WORDS,
    N_CACHED=N_CACHED,
    SCALES=SCALES,
    NUMBERED=NUMBERED,
    ACTION=ACTION,
    ACTION_SCALES=ACTION_SCALES,
    N_ACTION_FEATURES=N_ACTION_FEATURES,
    structure=STRUCTURE,
    POLICIES={"greedy": Policy.GREEDY, "random": Policy.RANDOM},
    ENEMY_POLICIES={},
    POLICY_STREAM=int(Stream.POLICY),
    check_arguments=check_arguments,
    load_pack=load_pack,
    behaviour_games=behaviour_games,
    broken_invariants=lambda bits: [one.name.lower() for one in Broken if bits >> one & 1],
    DECISIONS=DECISION_NAMES,
    ENDINGS=ENDING_NAMES,
    DENIALS=DENIAL_NAMES,
    DENIAL_TEXTS=tuple(DENIALS[denial] for denial in Denial),
    SCENARIO_ENDED=int(Denial.SCENARIO_ENDED),
    NOT_ASKED=int(Denial.NOT_ASKED),
    side_asked=side_asked,
    action_text=action_text,
    action_target=action_target,
    question_text=question_text,
    event_texts=event_texts,
    action_help=action_help,
    question_help=question_help,
    action_page=action_page,
    help_pages=help_pages,
    thing_page=thing_page,
    goal_page=goal_page,
    ending_text=ending_text,
    write_board=write_board,
    write_brief=write_brief,
    draw_board=draw_board,
    BOARD_PARTS=PARTS,
    RESULT_COLUMNS=RESULT_COLUMNS,
    statistics=statistics,
    exhausted_heroes=exhausted_heroes,
    figure_names=figure_names,
)
