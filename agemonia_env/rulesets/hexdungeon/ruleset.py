"""HexDungeon as a Ruleset object."""

from agemonia_env.rulesets.ruleset import Ruleset

from .arguments import check_arguments
from .content import load_pack
from .content.compile import RULES_VERSION
from .core import api
from .core.terms import Denial
from .states.behaviour_games import behaviour_games
from .states.fit import FITTING
from .states.obs_arrays import STRUCTURE
from .states.statistics import RESULT_COLUMNS, exhausted_heroes, figure_names, statistics
from .view.board_text import ending_text, goal_page, write_board, write_brief
from .view.event_text import event_texts
from .view.help import action_help, help_pages, named_page, question_help, thing_page
from .view.labels import DENIALS, action_text, question_text
from .view.legal_targets import action_target
from .view.render import PARTS, draw_board

HEXDUNGEON = Ruleset(
    env_id="HexDungeon-v0",
    version=RULES_VERSION,
    api=api,
    structure=STRUCTURE,
    fitting=FITTING,
    check_arguments=check_arguments,
    load_pack=load_pack,
    behaviour_games=behaviour_games,
    DENIAL_TEXTS=tuple(DENIALS[denial] for denial in Denial),
    action_text=action_text,
    action_target=action_target,
    question_text=question_text,
    event_texts=event_texts,
    action_help=action_help,
    question_help=question_help,
    help_pages=help_pages,
    named_page=named_page,
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
