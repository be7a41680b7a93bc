"""HexDungeon as an object."""

from ...hexdungeon import api
from ...hexdungeon.actions import N_ACTIONS, N_WORDS, SIZES, Block
from ...hexdungeon.content import load_pack
from ...hexdungeon.content.compile import RULES_VERSION
from ...hexdungeon.layout import CONTENT, STATE
from ...hexdungeon.observe import N_SEEN
from ...hexdungeon.policies import Policy
from ...hexdungeon.sheet import N_CODES, N_OBSERVATION, OBS, SCALES
from ...hexdungeon.terms import Broken, Denial, Half
from ...kernel.agenda import clear_rows
from ..rows import fresh_rows
from ..ruleset import Ruleset, action_blocks
from .arguments import check_arguments
from .goal import goal_page, verdict
from .help import action_help
from .look import action_page, pages
from .outcome import COLUMNS, exhausted, figures, outcome
from .ranges import Agreement, ranges
from .render import draw_board
from .story import story
from .structure import STRUCTURE
from .text import write_board, write_brief
from .trials import trials
from .wording import (
    DECISION_NAMES,
    DENIAL_NAMES,
    DENIALS,
    ENDING_NAMES,
    action_text,
    question_text,
    side_asked,
)

HEXDUNGEON = Ruleset(
    name="hexdungeon",
    env_id="HexDungeon-v0",
    version=RULES_VERSION,
    vec_env="agemonia_env.envs.hexdungeon.sb3:HexDungeonVecEnv",
    api=api,
    STATE=STATE,
    CONTENT=CONTENT,
    DERIVED=(),
    BLOCKS=action_blocks(Block, SIZES, {Block.HALF: Half}),
    OBS=OBS,
    N_ACTIONS=N_ACTIONS,
    N_OBSERVATION=N_OBSERVATION,
    N_CODES=N_CODES,
    N_WORDS=N_WORDS,
    N_SEEN=N_SEEN,
    SCALES=SCALES,
    structure=STRUCTURE,
    POLICIES={"greedy": Policy.GREEDY, "random": Policy.RANDOM},
    RIVALS={},
    check_arguments=check_arguments,
    load_pack=load_pack,
    trials=trials,
    ranges=ranges,
    agreement=Agreement,
    broken=lambda bits: [one.name.lower() for one in Broken if bits >> one & 1],
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
