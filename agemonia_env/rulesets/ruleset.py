"""A ruleset as an object: all that envs, simulation, trainers and benchmarks need from one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.canvas import Box, Canvas
from agemonia_env.display.pages import Page

from . import plain
from .arguments import Arguments
from .doors import doors_of
from .fits import Fitting
from .obs_arrays import Structure
from .state_layout import layout_hash

# The fields of every STATE that `Ruleset.episode_statistics` reads
OUTCOME = ["won", "ending", "round", "n_exhausted", "damage_dealt", "damage_taken", "decisions"]


# Names that a ruleset's core has, by the module
OF_CORE = {
    "obs_spec": ("OBS", "SCALES", "NUMBERED", "N_OBSERVATION", "N_OBS_INT8"),
    "action_spec": ("ACTION", "ACTION_SCALES", "N_ACTION_FEATURES"),
    "actions": ("N_ACTIONS", "N_WORDS"),
    "observe": ("N_CACHED",),
}
PLAIN: Any = None  # the default: the function of this name in plain.py


@dataclass(frozen=True, eq=False, kw_only=True)
class Ruleset:
    """One ruleset: what it must give, and below what it may.

    The functions take one state record and its compiled scenario. api: the entry points, and CORE,
    an entries.Core, whose modules have the rules; core/defaults.py makes one of a single module,
    and says what that must have. examples/skirmish is a whole ruleset.
    """

    env_id: str
    version: str  # of the rules; changes when the same content plays differently
    api: Any
    check_arguments: Callable[..., Arguments]  # every argument has a default
    load_pack: Callable[[str], Any]  # .name, .folder and .scenarios, a mapping by name

    # ---- what a ruleset may leave out -----------------------------------------------------------
    DERIVED: Sequence[str] = ()  # fields of CONTENT computed from the others
    structure: Structure = PLAIN  # observations as named arrays
    fitting: Fitting = PLAIN  # which columns fitted observations have
    ENEMY_POLICIES: Mapping[str, int] = field(default_factory=dict)  # that play the enemy side
    # Arguments of games of a pack that exercise the rules: see rulesets/behaviour.py
    behaviour_games: Callable[..., Iterable[Mapping[str, Any]]] = PLAIN
    side_asked: Callable[[int, int], str] = PLAIN  # (decision, asked) -> "hero" or "enemy"
    DENIAL_TEXTS: Sequence[str] = PLAIN  # as sentences
    action_text: Callable[[np.void, Any, int], str] = PLAIN
    action_target: Callable[[np.void, Any, int], str] = PLAIN  # a thing that is drawn, or ""
    question_text: Callable[[np.void, Any], str] = PLAIN
    # See core/event_log.py
    event_texts: Callable[[NDArray[np.int16], np.void, Any], list[str]] = PLAIN
    # Help
    action_help: Callable[[np.void, Any, int], str] = PLAIN  # one line
    question_help: Callable[[np.void], str] = PLAIN  # what the answer means; "" if it is plain
    action_page: Callable[[np.void, Any, int], str] = PLAIN  # everything about an action
    help_pages: Callable[[np.void, Any], Sequence[Page]] = PLAIN  # about cards and figures
    named_page: Callable[[np.void, Any, int], str] = PLAIN  # about what an action names, or ""
    thing_page: Callable[[np.void, Any, str], str] = PLAIN  # about a thing that is drawn
    goal_page: Callable[[np.void, Any], str] = PLAIN  # how to win and lose, and the progress
    ending_text: Callable[[np.void, Any], str] = PLAIN  # why the scenario was won or lost
    # The board; these also take the event texts of the last step
    write_board: Callable[..., str] = PLAIN
    write_brief: Callable[..., str] = PLAIN  # only what has changed for a player
    draw_board: Callable[..., Canvas] = PLAIN
    # Where the picture has the map, the question and the panel
    BOARD_PARTS: Mapping[str, Box] = field(default_factory=dict)
    # Game statistics, for the rows of `simulate` (simulation/result_schema.py)
    # Its own: name, type, meaning; lists by figure follow the texts that name those figures
    RESULT_COLUMNS: Sequence[tuple[str, str, str]] = ()
    # (states, most figures by the column that names them) -> by column
    statistics: Callable[[NDArray[Any], Mapping[str, int]], Mapping[str, NDArray[Any]]] = PLAIN
    exhausted_heroes: Callable[[NDArray[Any]], NDArray[np.bool_]] = PLAIN  # (n, most heroes)
    figure_names: Callable[[Any], Mapping[str, list[str]]] = PLAIN  # by column

    # ---- what follows from the core -------------------------------------------------------------
    name: str = field(init=False)
    STATE: np.dtype[Any] = field(init=False)
    CONTENT: np.dtype[Any] = field(init=False)
    OBS: np.dtype[Any] = field(init=False)  # an observation as float32 fields
    SCALES: NDArray[Any] = field(init=False)  # float32 observation = int8 observation / SCALES
    NUMBERED: NDArray[np.bool_] = field(init=False)  # columns that mean other things elsewhere
    N_OBSERVATION: int = field(init=False)
    N_OBS_INT8: int = field(init=False)  # length of an int8 observation, padded to whole words
    ACTION: np.dtype[Any] = field(init=False)  # the features of an action as float32 fields
    ACTION_SCALES: NDArray[Any] = field(init=False)  # float32 features = int8 / ACTION_SCALES
    N_ACTION_FEATURES: int = field(init=False)
    N_ACTIONS: int = field(init=False)
    N_WORDS: int = field(init=False)  # words of the bit set of legal answers
    N_CACHED: int = field(init=False)  # int16 of the copy by which `play_slots` detects changes
    # Action blocks: name, size, and choices by name if the indices are words of the rules
    BLOCKS: Sequence[tuple[str, int, Sequence[str]]] = field(init=False)
    POLICIES: Mapping[str, int] = field(init=False)  # compiled policies of the heroes, by name
    POLICY_STREAM: int = field(init=False)  # the random counter that policies draw from
    DECISIONS: Sequence[str] = field(init=False)  # names by number
    ENDINGS: Sequence[str] = field(init=False)
    DENIALS: Sequence[str] = field(init=False)
    SCENARIO_ENDED: int = field(init=False)  # denial of any action after the end
    NOT_ASKED: int = field(init=False)  # denial of an action that does not answer the question

    def __post_init__(self) -> None:
        """Set what follows from the core, and the defaults."""
        core = self.api.CORE
        known: dict[str, Any] = {"name": self.env_id.partition("-")[0].lower()}
        known |= {"CONTENT": core.CONTENT, "STATE": core.STATE}
        for module, names in OF_CORE.items():
            known |= {name: getattr(getattr(core, module), name) for name in names}
        terms = core.terms
        for name, of in ("DECISIONS", terms.Decision), ("ENDINGS", terms.Ending):
            known[name] = tuple(one.name.lower() for one in of)
        known["DENIALS"] = tuple(one.name.lower() for one in terms.Denial)
        for denial in (terms.Denial.SCENARIO_ENDED, terms.Denial.NOT_ASKED):
            known[denial.name] = int(denial)
        known["POLICY_STREAM"] = int(terms.Stream.POLICY)
        policy = core.policies.Policy
        known["POLICIES"] = {"greedy": policy.GREEDY, "random": policy.RANDOM}
        actions = core.actions
        known["BLOCKS"] = action_blocks(actions.Block, actions.SIZES, actions.CHOICES)
        for name, value in known.items():
            object.__setattr__(self, name, value)
        plain.complete(self)

    def broken_invariants(self, bits: int) -> Sequence[str]:
        """Names of the bits of an `api.status`."""
        return [one.name.lower() for one in self.api.CORE.terms.Broken if bits & one]

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
