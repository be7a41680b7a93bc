"""A ruleset as an object: all that faces, simulation, trainers and benchmarks ask of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.pages import Page

from .arguments import Arguments
from .doors import doors_of
from .obs_arrays import Structure
from .state_ranges import layout_of


@dataclass(frozen=True, eq=False)
class Ruleset:
    """One ruleset. What is written in capitals has the name that it has in its own modules.

    The functions take one state record and the compiled scenario it is of. States begin with what
    is read of every game: ending (0 = going on), won, decision, asked, round, n_exhausted,
    damage_dealt, damage_taken, decisions, logging, chance.
    """

    name: str
    env_id: str
    version: str  # of its rules: changes when the same content plays differently
    # The core
    api: Any  # its entries: see rulesets/agemonia/core/api.py
    STATE: np.dtype[Any]
    CONTENT: np.dtype[Any]
    DERIVED: Sequence[str]  # fields of CONTENT that follow from the others
    BLOCKS: Sequence[tuple[str, int, Sequence[str]]]  # of actions: name, size, names of choices
    OBS: np.dtype[Any]  # an observation by its names, float32
    N_ACTIONS: int
    N_OBSERVATION: int
    N_CODES: int  # observations as whole numbers, filled up to a length that is quick to write
    N_WORDS: int  # in which `play_slots` keeps the legal answers, as bits
    N_SEEN: int  # numbers from which `play_slots` knows what has changed since the last step
    SCALES: NDArray[Any]  # whole numbers of an observation are so many times its floats
    structure: Structure  # the same observations as named arrays
    POLICIES: Mapping[str, int]  # compiled ones, by name: of the Heroes
    RIVALS: Mapping[str, int]  # and of whoever plays the other side for itself
    # What is played
    check_arguments: Callable[..., Arguments]  # every argument has a default
    load_pack: Callable[[str], Any]  # .name, .folder and .scenarios, a mapping by name
    trials: Callable[[Any], Iterable[Mapping[str, Any]]]  # games of a pack that show the rules
    # What states may hold, for whoever brings one: see rulesets/state_ranges.py
    ranges: Callable[[np.void], Mapping[str, Any]]  # of a scenario
    agreement: Callable[[NDArray[Any]], Any]  # between the fields, of a scenario
    broken: Callable[[int], Sequence[str]]  # names of the invariants in an `api.status`
    # In words, by number
    DECISIONS: Sequence[str]
    ENDINGS: Sequence[str]
    DENIALS: Sequence[str]
    DENIAL_TEXTS: Sequence[str]  # as sentences
    SCENARIO_ENDED: int  # denial of whatever is done after the end
    NOT_ASKED: int  # denial of what does not answer the question
    side_asked: Callable[[int, int], str]  # (decision, asked) -> "hero" or "enemy"
    action_text: Callable[[np.void, Any, int], str]
    question_text: Callable[[np.void, Any], str]
    # The event log, int16 (m, columns): a buffer for one step, emptied, and told in sentences
    fresh_rows: Callable[[], NDArray[np.int16]]
    clear_rows: Callable[[NDArray[np.int16]], None]
    story: Callable[[NDArray[np.int16], np.void, Any], list[str]]
    # Help: a line beside an option, all about it, what the question is about, things by name
    action_help: Callable[[np.void, Any, int], str]
    action_page: Callable[[np.void, Any, int], str]
    pages: Callable[[np.void, Any], Sequence[Page]]
    goal_page: Callable[[np.void, Any], str]  # how it is won and lost, and how far it is
    verdict: Callable[[np.void, Any], str]  # why it was won or lost
    # Pictures; all take the sentences of what has just happened, too
    write_board: Callable[..., str]
    write_brief: Callable[..., str]  # without what a player has just seen
    draw_board: Callable[..., NDArray[np.uint8]]
    # What became of games, for the rows of `simulate` (simulation/result_schema.py)
    COLUMNS: Sequence[tuple[str, str, str]]  # that others do not have: name, type, meaning
    outcome: Callable[[NDArray[Any], Any], Mapping[str, NDArray[Any]]]  # of n games, by column
    exhausted: Callable[[NDArray[Any]], NDArray[np.bool_]]  # of n games, by Hero: (n, most Heroes)
    figures: Callable[[Any], Mapping[str, list[str]]]  # names of figures, the same in every game

    def __reduce__(self) -> tuple[Callable[[str], Ruleset], tuple[str]]:
        """A copy of whatever names a ruleset names the same one."""
        return ruleset_of, (self.env_id,)

    def play_slots(self, *arguments: Any) -> None:
        """api.play_slots; from the second call on this name is its compiled version itself.

        The types of the arguments are the same in every environment and batch, and not looked at:
        finding the version takes 6 ms, and letting numba search for it at every call 1.4 us.
        """
        from agemonia_env.core.jit import direct  # the command line knows rulesets without numba

        play = self.api.play_slots
        play(*arguments)
        self.__dict__["play_slots"] = direct(play, *arguments)

    def given(self, **choices: Any) -> dict[str, Any]:
        """Arguments without those that are None. ValueError for what is none of this ruleset's."""
        chosen = {name: value for name, value in choices.items() if value is not None}
        for name in chosen:
            if name not in self.parameters:
                allowed = ", ".join(self.parameters)
                raise ValueError(f"{name}: {self.env_id} has no such argument, but {allowed}")
        return chosen

    @cached_property
    def layout(self) -> bytes:
        """What the bytes of a state begin to mean something else with: see ranges.layout_of."""
        return layout_of(self.env_id, self.STATE)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the arguments."""
        return tuple(signature(self.check_arguments).parameters)

    def episode_statistics(self, state: np.void) -> dict[str, Any]:
        """What an episode amounted to.

        win (bool), ending (name), rounds, exhausted_heroes, damage_dealt (to Enemies),
        damage_taken (by Heroes, lost stamina included), decisions (forced ones counted).
        """
        return {
            "win": bool(state["won"]),
            "ending": self.ENDINGS[int(state["ending"])],
            "rounds": int(state["round"]),
            "exhausted_heroes": int(state["n_exhausted"]),
            "damage_dealt": int(state["damage_dealt"]),
            "damage_taken": int(state["damage_taken"]),
            "decisions": int(state["decisions"]),
        }


def action_blocks(
    blocks: type[IntEnum], sizes: Sequence[int], choices: Mapping[Any, type[IntEnum]]
) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """The layout of actions: for each block its name, its size and, if its indices are words of
    the rules, these words with their numbers.
    """
    return tuple(
        (block.name, size, tuple(f"{word.name}={word.value}" for word in choices.get(block, ())))
        for block, size in zip(blocks, sizes, strict=True)
    )


def ruleset_of(env_id: str) -> Ruleset:
    """The ruleset of an environment, such as Agemonia-v0. ValueError says which there are."""
    ruleset: Ruleset = doors_of(env_id).open("ruleset")
    return ruleset
