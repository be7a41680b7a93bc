"""One game as a Gymnasium environment."""

from __future__ import annotations

from threading import Lock
from typing import Any, ClassVar, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON, Autoreset, Command
from agemonia_env.core.event_log import clear_rows, empty_rows
from agemonia_env.display.messages import shown
from agemonia_env.display.pages import find_page
from agemonia_env.rulesets.arguments import (
    CORE_SEED,
    OBSERVATION_BOUND,
    Compiled,
    check_choices,
    check_core_seed,
    check_flags,
    check_options,
    check_reseed,
    check_seed,
    check_words,
    draw_core_seed,
    whole_number,
)
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset

from .guard import InUseError, NotBegunError
from .opponent import answer, check_answers, opponent_of
from .positions import NOT_DRAWN, Position, Trailer, checker, read, states_in, write
from .preview import foreseen
from .scenario_cache import ScenarioCache
from .slot_arrays import new_arrays, new_episode


class RulesetEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One game as a Gymnasium environment; a subclass says of which ruleset, and what it takes."""

    ruleset: ClassVar[Ruleset]

    # Gymnasium declares it for instances and reads it from the class.
    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self, *what: Any, log: bool = False, render_mode: str | None = None, **choices: Any
    ) -> None:
        """Read and compile the scenario. Raises ValueError naming the wrong argument.

        what, choices: arguments of the ruleset's `check_arguments`.
        """
        check_words(render_mode=(render_mode, (None, *self.metadata["render_modes"])))
        check_flags(log=log)
        check_choices(choices, type(self), self.ruleset.parameters)
        self.arguments = self.ruleset.check_arguments(*what, **choices)
        self.render_mode = render_mode
        self._log = bool(log)
        self._scenarios = ScenarioCache(self.arguments)
        self._scenario_seed = self._scenarios.first()
        self.compiled: Compiled = self._scenarios.take(self._scenario_seed)
        self._opponent = opponent_of(self.ruleset, self.arguments)
        self.action_space = spaces.Discrete(self.ruleset.N_ACTIONS)
        shape = (self.ruleset.N_OBSERVATION,)
        self.observation_space = spaces.Box(
            -OBSERVATION_BOUND, OBSERVATION_BOUND, shape, np.float32
        )
        self._begun = False
        self._core_seed = 0
        self._clones = 0
        self._allot()

    def _allot(self) -> None:
        """Create the arrays that the core works on; what every step reads gets its own view."""
        rules = self.ruleset
        self._lock = Lock()
        self._which = np.zeros(1, np.int16)
        self._rows = empty_rows() if self._log or self.render_mode else rules.api.NO_ROWS
        self._arrays = arrays = new_arrays(
            rules, 1, self.compiled.content, self._new_episode(), self._rows
        )
        self._states, self._raw, self._slots = arrays.states, arrays.raw, arrays.slots
        self._actions, self._commands = arrays.actions, arrays.commands
        self._decision = np.asarray(self._states["decision"])
        self._asked = np.asarray(self._states["asked"])
        self._reward = np.asarray(self._slots["reward"])
        self._terminated = np.asarray(self._slots["terminated"])
        self._truncated = np.asarray(self._slots["truncated"])
        self._denial = np.asarray(self._slots["denial"])
        self._mask_now: NDArray[np.int8] = arrays.masks[0].view(np.int8)
        self._observation_now: NDArray[np.float32] = arrays.observations[0]

    def _new_episode(self) -> NDArray[Any]:
        """What the core judges steps by, EPISODE (1,)."""
        opposed = self._opponent is not None
        return new_episode(self.arguments, Autoreset.DISABLED, opposed=opposed)

    # ---- Gymnasium --------------------------------------------------------------------------
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Set the scenario up -> (observation, info).

        options: {"core_seed": n} begins the very game of that number, 0 to 2**63 - 1, as the rows
        of `simulate` name it. Raises ValueError for a wrong seed or option, InUseError while
        another thread uses the environment.
        """
        first, told = check_seed(seed), check_options(options, CORE_SEED).get(CORE_SEED)
        known = None if told is None else check_core_seed(told)
        if not self._lock.acquire(blocking=False):
            raise InUseError
        try:
            super().reset(seed=first)
            self._begin(draw_core_seed(self.np_random) if known is None else known)
            return self._observe(), self._inform()
        finally:
            self._lock.release()

    def _begin(self, core_seed: int) -> None:
        """Start the game that `core_seed` fixes."""
        self._begun = True
        self._core_seed = core_seed
        self._clones = 0
        self._scenario_seed = self._scenarios.draw(core_seed)
        self._set_up(self._scenarios.take(self._scenario_seed), core_seed)

    def _set_up(self, compiled: Compiled, core_seed: int) -> None:
        """Set a scenario up, with the chance that `core_seed` fixes."""
        self._play_from_now(compiled)
        self._clear_rows()
        self._slots["next_seed"] = core_seed
        self._call(Command.BEGIN)
        self._let_opponent_answer()

    def _play_from_now(self, compiled: Compiled) -> None:
        """The scenario of the game, from now on."""
        self.compiled = compiled
        self._arrays = self._arrays._replace(contents=compiled.content)

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Answer what is asked -> (observation, reward, terminated, truncated, info).

        Raises ValueError if `action` is outside the action space, or illegal with
        `illegal="raise"`, gymnasium.error.ResetNeeded before `reset`, and InUseError while another
        thread uses the environment.
        """
        number = self._check_action(action)
        if not self._lock.acquire(blocking=False):
            raise InUseError
        try:
            self._clear_rows()
            if self._terminated.item(0):
                self._reward[0], self._denial[0] = 0.0, self.ruleset.SCENARIO_ENDED
            else:
                self._actions[0] = number
                self._call(Command.PLAY)
                if self._opponent is not None:
                    self._let_opponent_answer()
            denial = self._denial.item(0)
            if denial and self.arguments.illegal == "raise":
                self._refuse(denial, number)
            terminated, truncated = self._terminated.item(0) != 0, self._truncated.item(0) != 0
            info = self._inform()
            if denial:
                info["illegal_action"] = True
                info["denial"] = self.ruleset.DENIALS[denial]
            if terminated or truncated:
                info |= self._conclude()
            return self._observe(), self._reward.item(0), terminated, truncated, info
        finally:
            self._lock.release()

    def _call(self, command: Command) -> None:
        """One call of the core, which plays on to the next question and judges the step."""
        self._commands[0] = command
        self.ruleset.play_slots(*self._arrays)

    def _clear_rows(self) -> None:
        """Empty the event log, if one is kept; the check saves 0.7 us."""
        if len(self._rows):
            clear_rows(self._rows)

    def _let_opponent_answer(self) -> None:
        """Have an opponent outside the core answer all that it is asked."""
        if self._opponent is None:
            return
        while answer(self.ruleset, self._opponent, self._arrays):
            self._call(Command.PLAY)
            check_answers(self.ruleset, self._opponent, self._arrays)

    def _look(self, *, steps: int, disqualified: bool) -> None:
        """Find out how the position stands that has been put there, after so many steps."""
        slot = self._slots[0]
        ended = self._states["ending"][0] != GOING_ON
        slot["steps"] = steps
        slot["over"] = slot["terminated"] = disqualified or (ended and steps > 0)
        self._call(Command.LOOK)

    def render(self) -> Any:
        """The board: text for `ansi`, uint8 (height, width, 3) for `rgb_array`.

        Without `render_mode` None, and a warning.
        """
        self._check_begun()
        if self.render_mode == "ansi":
            return self.ruleset.write_board(self._states[0], self.compiled, self.happened())
        if self.render_mode == "rgb_array":
            return self.ruleset.draw_board(self._states[0], self.compiled, self.happened())
        gymnasium.logger.warn(
            "render() without a render_mode shows nothing; make the environment with one, such as "
            f'gymnasium.make("agemonia_env:{self.ruleset.env_id}", render_mode="ansi")'
        )
        return None

    def happened(self) -> list[str]:
        """What the last step brought, one sentence each; nothing without `log` or `render_mode`."""
        return self.ruleset.event_texts(self._rows, self._states[0], self.compiled)

    def keep_log(self) -> None:
        """Keep what happens from now on for `happened`, as `log=True` does."""
        if not len(self._rows):
            self._log = True
            self.__setstate__(self.__getstate__())
        self._clear_rows()

    @property
    def states(self) -> NDArray[Any]:
        """The position itself, STATE (1,): to be read, and overwritten by the next step."""
        return self._states

    # ---- legality in words ------------------------------------------------------------------
    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (N_ACTIONS,); all of them when the scenario has ended."""
        self._check_begun()
        return self._mask().view(np.bool_)

    def legal_actions(self) -> NDArray[np.int64]:
        """The legal actions, ascending, int64."""
        return np.flatnonzero(self.action_masks())

    def action_meaning(self, action: int) -> str:
        """What `action` means now, such as "attack Bog rat 2". ValueError outside the space."""
        return self.ruleset.action_text(self._states[0], self.compiled, self._check_action(action))

    def question(self) -> str:
        """What is asked now, as a sentence."""
        self._check_begun()
        return self.ruleset.question_text(self._states[0], self.compiled)

    def explain(self, action: int) -> str:
        """Why `action` is illegal now, as a sentence, or "legal". ValueError outside the space."""
        rules = self.ruleset
        denials = np.zeros(rules.N_ACTIONS, np.int16)
        checked = self._check_action(action)
        rules.api.write_denials(self._states, self.compiled.content, self._which, 0, denials)
        return rules.DENIAL_TEXTS[int(denials[checked])]

    def describe(self, action: int) -> str:
        """All about `action` now: name, card, rule, what follows. ValueError outside the space."""
        number = self._check_action(action)
        page = self.ruleset.action_page(self._states[0], self.compiled, number)
        reason = self.explain(number)
        if reason != self.ruleset.DENIAL_TEXTS[0]:
            return f"{page}\nIllegal now: {reason}"
        return f"{page}\n{foreseen(self, number)}"

    def look(self, name: str) -> str:
        """The page about a thing on the table, by its name. ValueError, in a line, if unknown."""
        self._check_begun()
        return find_page(self.ruleset.help_pages(self._states[0], self.compiled), name)

    # ---- planning ---------------------------------------------------------------------------
    def choose(self, policy: Policy) -> int:
        """The action that a policy takes here; luck for it comes from this game's own stream."""
        self._check_begun()
        if not callable(getattr(policy, "choose", None)):
            told = "must have choose(states, contents, which), as agemonia_env.policies.Policy"
            raise ValueError(f"policy={shown(policy)}: {told}")
        if not self._lock.acquire(blocking=False):
            raise InUseError
        try:
            return self._choose(policy)
        finally:
            self._lock.release()

    def _choose(self, policy: Policy) -> int:
        return int(policy.choose(self._states, self.compiled.content, self._which)[0])

    def get_state(self) -> bytes:
        """The whole position, its luck included: the bytes of the state record and a trailer.

        The trailer says of which environment, version and scenario it is (envs/positions.py).
        """
        self._check_begun()
        drawn = NOT_DRAWN if self._scenario_seed is None else self._scenario_seed
        slot = self._slots[0]
        disqualified = bool(slot["terminated"]) and self._states["ending"][0] == GOING_ON
        trailer = Trailer(self._core_seed, int(slot["steps"]), disqualified, drawn)
        if not self._lock.acquire(blocking=False):
            raise InUseError
        try:
            return write(self.ruleset, self._states, self.compiled.fingerprint, trailer)
        finally:
            self._lock.release()

    def set_state(self, position: bytes) -> None:
        """Go to a position of `get_state`, of any environment with the same scenario and Heroes.

        Raises ValueError, and changes nothing, if it is not one: every field is checked, unless
        `get_state` gave this very object in this process.
        """
        trailer, fingerprint = read(self.ruleset, position)
        drawn = trailer.scenario_seed
        compiled, scenario_seed = self.compiled, self._scenario_seed
        if scenario_seed is None and drawn != NOT_DRAWN:
            raise ValueError("the position is of a scenario drawn from a seed, or damaged")
        if scenario_seed is not None and drawn not in (NOT_DRAWN, scenario_seed):
            compiled, scenario_seed = self._scenarios.take(drawn), drawn
        if fingerprint != compiled.fingerprint[:16]:
            raise ValueError("the position is of another scenario, other Heroes or other rules")
        if not isinstance(position, Position):
            checker(self.ruleset, compiled).check(states_in(self.ruleset, position))
        if not self._lock.acquire(blocking=False):
            raise InUseError
        try:
            self._scenario_seed, self._core_seed = scenario_seed, trailer.core_seed
            self._play_from_now(compiled)
            self._raw[0] = np.frombuffer(position, np.uint8, self.ruleset.STATE.itemsize)
            self._begun = True
            self._clear_rows()
            self._look(steps=trailer.steps, disqualified=trailer.disqualified)
        finally:
            self._lock.release()

    def clone(self, reseed: bool | int = True) -> Self:
        """An independent environment at the same position.

        reseed: True gives it chance of its own, another one with each clone, and shuffles what
        is left in the decks, so that a planner cannot see what is coming; a whole number does so
        from that seed; False keeps this game's own luck. The game cloned is not touched.
        """
        self._check_begun()
        seed = check_reseed(reseed)
        copy = type(self).__new__(type(self))
        if not self._lock.acquire(blocking=False):
            raise InUseError
        try:
            copy._restore(self.__getstate__() | {"_np_random": None, "_np_random_seed": None})
        finally:
            self._lock.release()
        if reseed is False:
            return copy
        if reseed is True:
            self._clones += 1
            source = np.random.SeedSequence([self._core_seed, self._clones])
        else:
            source = np.random.SeedSequence(seed)
        copy._core_seed = int(source.generate_state(1, np.uint64)[0])
        copy._clones = 0
        content, fresh = copy.compiled.content, np.uint64(copy._core_seed)
        self.ruleset.api.set_chance(copy._states, content, copy._which, 0, fresh)
        return copy

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs: all but the arrays of the core, and the position."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ARRAYS}
        slot = self._slots[0]
        disqualified = bool(slot["terminated"]) and self._states["ending"][0] == GOING_ON
        stands = {"steps": int(slot["steps"]), "disqualified": disqualified}
        return kept | {"_position": self._states.tobytes(), "_stands": stands}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """As `_restore`, of a copy that may come from a file: ValueError if it is damaged."""
        compiled, size = kept["compiled"], len(kept["_position"])
        if compiled.content.dtype != self.ruleset.CONTENT or size != self.ruleset.STATE.itemsize:
            raise ValueError(f"the copy was made by another version of {self.ruleset.env_id}")
        if kept["_begun"]:
            checker(self.ruleset, compiled).check(states_in(self.ruleset, kept["_position"]))
        self._restore(kept)

    def _restore(self, kept: dict[str, Any]) -> None:
        """Build the arrays anew: a copied view would no longer look at the copied state."""
        position, stands = kept.pop("_position"), kept.pop("_stands")
        self.__dict__.update(kept)
        self._allot()
        self._raw[0] = np.frombuffer(position, np.uint8)
        if self._begun:
            self._look(**stands)

    # ---- inside -----------------------------------------------------------------------------
    def _check_begun(self) -> None:
        if not self._begun:
            raise NotBegunError("no game has begun; begin one with reset()")

    def _check_action(self, action: Any) -> int:
        """`action` as int in [0, N_ACTIONS), of a game that has begun."""
        if not self._begun:
            self._check_begun()
        number, n = whole_number(action), self.ruleset.N_ACTIONS
        if number is None or not 0 <= number < n:
            raise ValueError(f"action={shown(action)}: must be a whole number, 0 to {n - 1}")
        return number

    def _refuse(self, denial: int, action: int) -> None:
        """An illegal action, with `illegal="raise"`."""
        text = self.ruleset.action_text(self._states[0], self.compiled, action)
        reason = self.ruleset.DENIAL_TEXTS[denial]
        raise ValueError(f"action {action} ({text}) is illegal: {reason}")

    def _observe(self) -> NDArray[np.float32]:
        """The observation in memory of its own, float32 (N_OBSERVATION,)."""
        return self._observation_now.copy()

    def _mask(self) -> NDArray[np.int8]:
        """The mask in memory of its own, int8 (N_ACTIONS,)."""
        return self._mask_now.copy()

    def _inform(self) -> dict[str, Any]:
        decision = self._decision.item(0)
        info: dict[str, Any] = {
            "action_mask": self._mask(),
            "decision": self.ruleset.DECISIONS[decision],
            "side": self.ruleset.side_asked(decision, self._asked.item(0)),
            "illegal_action": False,
            "ruleset": self.compiled.fingerprint,
        }
        if self._scenario_seed is not None:
            info["scenario_seed"] = self._scenario_seed
        if self._log:
            info["events"] = self.happened()
        return info

    def _conclude(self) -> dict[str, Any]:
        """What `info` tells beside that when the episode has ended."""
        return {
            "is_success": bool(self._slots["success"][0]),
            "episode_statistics": self.ruleset.episode_statistics(self._states[0]),
        }


ARRAYS = frozenset(
    {
        *("_lock", "_which", "_rows", "_arrays", "_states", "_raw", "_slots"),
        *("_actions", "_commands", "_decision", "_asked", "_reward", "_terminated"),
        *("_truncated", "_denial", "_mask_now", "_observation_now"),
    }
)
