"""A ruleset as an object: all that envs, simulation, trainers and benchmarks need from one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.canvas import Box, Canvas
from agemonia_env.display.pages import Page

from .arguments import Arguments
from .doors import doors_of
from .obs_arrays import Structure
from .state_layout import layout_hash

# The fields of every STATE that `Ruleset.episode_statistics` reads
OUTCOME = ["won", "ending", "round", "n_exhausted", "damage_dealt", "damage_taken", "decisions"]


@dataclass(frozen=True, eq=False)
class Ruleset:
    """One ruleset. Names in capitals are those of its own modules.

    The functions take one state record and its compiled scenario. Every STATE has the fields
    ending (0 = going on), won, decision, asked, round, n_exhausted, damage_dealt, damage_taken,
    decisions, logging, chance.
    """

    name: str
    env_id: str
    version: str  # of the rules; changes when the same content plays differently
    # The core
    api: Any  # its entry points, see rulesets/agemonia/core/api.py
    STATE: np.dtype[Any]
    CONTENT: np.dtype[Any]
    DERIVED: Sequence[str]  # fields of CONTENT computed from the others
    BLOCKS: Sequence[tuple[str, int, Sequence[str]]]  # action blocks: name, size, choices by name
    OBS: np.dtype[Any]  # an observation as float32 fields
    N_ACTIONS: int
    N_OBSERVATION: int
    N_OBS_INT8: int  # length of an int8 observation, padded to whole words
    N_WORDS: int  # words of the bit set of legal answers
    N_CACHED: int  # int16 of the copy by which `play_slots` detects changes
    SCALES: NDArray[Any]  # float32 observation = int8 observation / SCALES
    NUMBERED: NDArray[np.bool_]  # columns of the observation that mean other things elsewhere
    ACTION: np.dtype[Any]  # the features of an action as float32 fields
    ACTION_SCALES: NDArray[Any]  # float32 features = int8 features / ACTION_SCALES
    N_ACTION_FEATURES: int
    structure: Structure  # the same observations as named arrays
    POLICIES: Mapping[str, int]  # compiled policies of the heroes, by name
    ENEMY_POLICIES: Mapping[str, int]  # compiled policies that play the enemy side for itself
    POLICY_STREAM: int  # the random counter that policies draw from
    # What is played
    check_arguments: Callable[..., Arguments]  # every argument has a default
    load_pack: Callable[[str], Any]  # .name, .folder and .scenarios, a mapping by name
    # Arguments of games of a pack that exercise the rules: see rulesets/behaviour.py
    behaviour_games: Callable[[Any], Iterable[Mapping[str, Any]]]
    broken_invariants: Callable[[int], Sequence[str]]  # names of the bits of an `api.status`
    # Labels, by number
    DECISIONS: Sequence[str]
    ENDINGS: Sequence[str]
    DENIALS: Sequence[str]
    DENIAL_TEXTS: Sequence[str]  # as sentences
    SCENARIO_ENDED: int  # denial of any action after the end
    NOT_ASKED: int  # denial of an action that does not answer the question
    side_asked: Callable[[int, int], str]  # (decision, asked) -> "hero" or "enemy"
    action_text: Callable[[np.void, Any, int], str]
    action_target: Callable[[np.void, Any, int], str]  # a thing that `draw_board` marks, or ""
    question_text: Callable[[np.void, Any], str]
    event_texts: Callable[[NDArray[np.int16], np.void, Any], list[str]]  # see core/event_log.py
    # Help
    action_help: Callable[[np.void, Any, int], str]  # one line
    question_help: Callable[[np.void], str]  # what the answer means for the game; "" if it is plain
    action_page: Callable[[np.void, Any, int], str]  # everything about an action
    help_pages: Callable[[np.void, Any], Sequence[Page]]  # about cards, figures and other things
    thing_page: Callable[[np.void, Any, str], str]  # about a thing that `draw_board` marks
    goal_page: Callable[[np.void, Any], str]  # how to win and lose, and the progress so far
    ending_text: Callable[[np.void, Any], str]  # why the scenario was won or lost
    # The board; these also take the event texts of the last step
    write_board: Callable[..., str]
    write_brief: Callable[..., str]  # only what has changed for a player
    draw_board: Callable[..., Canvas]
    BOARD_PARTS: Mapping[str, Box]  # where the picture has the map, the question and the panel
    # Game statistics, for the rows of `simulate` (simulation/result_schema.py)
    RESULT_COLUMNS: Sequence[tuple[str, str, str]]  # its own columns: name, type, meaning
    statistics: Callable[[NDArray[Any], Any], Mapping[str, NDArray[Any]]]  # of n games, by column
    exhausted_heroes: Callable[[NDArray[Any]], NDArray[np.bool_]]  # of n games, (n, most heroes)
    figure_names: Callable[[Any], Mapping[str, list[str]]]  # by column; the same in every game

    def __reduce__(self) -> tuple[Callable[[str], Ruleset], tuple[str]]:
        """Pickle a ruleset by name, so that copies refer to the same object."""
        return ruleset_of, (self.env_id,)

    def play_slots(self, *arguments: Any) -> None:
        """Call api.play_slots; the first call replaces this method by its compiled version.

        Argument types are the same in every environment and batch, so they are not checked again:
        finding the version takes 6 ms, and numba's dispatch 1.4 us at every call.
        """
        from agemonia_env.core.jit import direct  # imported late: the CLI starts without numba

        play = self.api.play_slots
        play(*arguments)
        self.__dict__["play_slots"] = direct(play, *arguments)

    def chosen_arguments(self, **choices: Any) -> dict[str, Any]:
        """The arguments that are not None. Raises ValueError for one that the ruleset lacks."""
        chosen = {name: value for name, value in choices.items() if value is not None}
        for name in chosen:
            if name not in self.parameters:
                allowed = ", ".join(self.parameters)
                raise ValueError(f"{name}: {self.env_id} has no such argument, but {allowed}")
        return chosen

    @cached_property
    def state_layout(self) -> bytes:
        """Identifies the layout of state bytes: see state_layout.layout_hash."""
        return layout_hash(self.env_id, self.STATE)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the arguments."""
        return tuple(signature(self.check_arguments).parameters)

    def episode_statistics(self, outcome: Sequence[int]) -> dict[str, Any]:
        """Statistics of an episode so far; outcome: the fields `OUTCOME` of its state.

        win (bool), ending (name), rounds, exhausted_heroes, damage_dealt (to Enemies),
        damage_taken (by Heroes, lost stamina included), decisions (including forced ones).
        """
        won, ending, rounds, exhausted, dealt, taken, decisions = outcome
        return {
            "win": won != 0,
            "ending": self.ENDINGS[ending],
            "rounds": rounds,
            "exhausted_heroes": exhausted,
            "damage_dealt": dealt,
            "damage_taken": taken,
            "decisions": decisions,
        }


def action_blocks(
    blocks: type[IntEnum], sizes: Sequence[int], choices: Mapping[Any, type[IntEnum]]
) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """The action blocks: name, size and, if the indices are words of the rules, these words."""
    return tuple(
        (block.name, size, tuple(f"{word.name}={word.value}" for word in choices.get(block, ())))
        for block, size in zip(blocks, sizes, strict=True)
    )


def ruleset_of(env_id: str) -> Ruleset:
    """The ruleset of an environment, such as Agemonia-v0. ValueError lists the known ones."""
    ruleset: Ruleset = doors_of(env_id).open("ruleset")
    return ruleset
