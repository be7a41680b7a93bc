"""One game as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON, LEGAL, Autoreset, Command
from agemonia_env.core.event_log import clear_rows, empty_rows
from agemonia_env.display.messages import shown
from agemonia_env.display.pages import find_page
from agemonia_env.display.pixels import pixels_of
from agemonia_env.display.svg import svg_of
from agemonia_env.rulesets.action_features import dense, features_of
from agemonia_env.rulesets.arguments import (
    CORE_SEED,
    Compiled,
    check_choices,
    check_core_seed,
    check_flags,
    check_number,
    check_options,
    check_reseed,
    check_seed,
    check_words,
    draw_core_seed,
    whole_number,
)
from agemonia_env.rulesets.fits import Fit, fit_of
from agemonia_env.rulesets.knobs import Knobs
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import OUTCOME, Ruleset

from .chance_outcomes import Attempt, ChanceOutcomes, chance_outcomes
from .guard import NotBegunError, OneThread
from .mask_advice import advise
from .opponent import external_opponent, play_opponent
from .positions import NOT_DRAWN, Trailer, knobs_of, read, write
from .preview import preview
from .scenario_cache import CHOSEN, DRAWN_BY_SEED, Choice, ScenarioCache, check_choice
from .slot_arrays import new_arrays, new_episode, observation_space, width_of

HEAD = ["decision", "asked", *OUTCOME]  # fields of the state that infos have, read in one go
PLAY = Command.PLAY  # looking an enum member up takes 0.1 us


class RulesetEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One game as a Gymnasium environment; a subclass sets the ruleset and its arguments."""

    ruleset: ClassVar[Ruleset]

    # Gymnasium declares it for instances and reads it from the class.
    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "svg"], "render_fps": 4}  # noqa: RUF012

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
        self._knobs: Knobs | None = None  # of this game, if it has its own
        self.compiled: Compiled = self._scenarios.acquire(self._scenario_seed)
        self._opponent = external_opponent(self.ruleset, self.arguments)
        self.action_space = spaces.Discrete(self.ruleset.N_ACTIONS)
        self._begun = False
        self._core_seed = 0
        self._clones = 0
        self._n_illegal = 0  # illegal actions of the episode
        self.take_fit(self._new_fit())

    def take_fit(self, fit: Fit | None) -> None:
        """Observe the columns of a fit from now on, None = all; for an env that has not begun."""
        self.fit = fit
        self.observation_space = observation_space(width_of(self.ruleset, fit))
        self._allocate()

    def _allocate(self) -> None:
        """Create the arrays that the core works on, with a view for each value that steps read."""
        rules = self.ruleset
        self._guard = OneThread()
        self._which = np.zeros(1, np.int16)
        self._rows = empty_rows() if self._log or self.render_mode else rules.api.NO_ROWS
        self._arrays = arrays = new_arrays(
            *(rules, 1, self.compiled.content, self._new_episode(), self._rows), fit=self.fit
        )
        self._states, self._raw, self._slots = arrays.states, arrays.raw, arrays.slots
        self._actions, self._commands = arrays.actions, arrays.commands
        self._head = self._states[HEAD]
        self._reward = np.asarray(self._slots["reward"])
        self._terminated = self._slots["terminated"].view(np.bool_)
        self._truncated = self._slots["truncated"].view(np.bool_)
        self._denial = np.asarray(self._slots["denial"])
        self._success = self._slots["success"].view(np.bool_)
        self._mask_now: NDArray[np.int8] = arrays.masks[0].view(np.int8)
        self._observation_now: NDArray[np.float32] = arrays.observations[0]

    def _new_fit(self) -> Fit | None:
        """The columns of the observations, as the argument `observation` says."""
        return fit_of(self.ruleset, [self.arguments])

    def _new_episode(self) -> NDArray[Any]:
        """The settings by which the core judges steps, EPISODE (1,)."""
        opposed = self._opponent is not None
        return new_episode(self.arguments, Autoreset.DISABLED, opposed=opposed)

    # ---- Gymnasium --------------------------------------------------------------------------
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Set the scenario up -> (observation, info).

        options: {"core_seed": n} starts the game with that seed, 0 to 2**63 - 1, as listed in the
        rows of `simulate`; with drawn scenarios "scenario_seed" and "generator" choose that of this
        game. Raises ValueError for a wrong seed or option, InUseError while another thread uses the
        environment.
        """
        given = check_options(options, CORE_SEED, *CHOSEN)
        first, core_seed = check_seed(seed), given.get(CORE_SEED)
        if core_seed is not None:
            core_seed = check_core_seed(core_seed)
        choice = check_choice(self._scenarios, given)
        with self._guard():
            super().reset(seed=first)
            self._begin(draw_core_seed(self.np_random) if core_seed is None else core_seed, choice)
            return self._observe(), self._info()

    def _begin(self, core_seed: int, choice: Choice = DRAWN_BY_SEED) -> None:
        """Start the game of this core seed, in the scenario of one's choice."""
        self._give_advice()
        self._begun = True
        self._core_seed = core_seed
        self._clones = 0
        drawn = self._scenarios.draw(core_seed) if choice.seed is None else choice.seed
        self._scenario_seed, self._knobs = drawn, choice.knobs
        self._set_up(self._scenarios.acquire(drawn, choice.knobs), core_seed)

    def _set_up(self, compiled: Compiled, core_seed: int) -> None:
        """Set up a scenario with the randomness of this core seed."""
        self._use(compiled)
        self._clear_log()
        self._slots["next_seed"] = core_seed
        self._call(Command.BEGIN)
        self._play_opponent()

    def _use(self, compiled: Compiled) -> None:
        """Make this the scenario of the game."""
        self.compiled = compiled
        self._arrays = self._arrays._replace(contents=compiled.content)

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Take an action -> (observation, reward, terminated, truncated, info).

        Raises ValueError if `action` is outside the action space, or illegal with
        `illegal="raise"`, gymnasium.error.ResetNeeded before `reset`, and InUseError while another
        thread uses the environment.
        """
        number = self._check_action(action)
        with self._guard():
            self._clear_log()
            if self._terminated.item(0):
                self._reward[0], self._denial[0] = 0.0, self.ruleset.SCENARIO_ENDED
            else:
                self._actions[0] = number
                self._call()
                if self._opponent is not None:
                    self._play_opponent()
            denial = self._denial.item(0)
            if denial and self.arguments.illegal == "raise":
                self._raise_illegal(denial, number)
            terminated, truncated = self._terminated.item(0), self._truncated.item(0)
            if denial:
                self._n_illegal += 1
            if terminated or truncated:
                self._give_advice()
            return self._observe(), self._reward.item(0), terminated, truncated, self._info()

    def _give_advice(self) -> None:
        """Name the mask if most actions of the episode, which is over, were illegal."""
        advise(self._n_illegal, self._slots["steps"].item(0))
        self._n_illegal = 0

    def _call(self, command: Command = PLAY) -> None:
        """One call of the core, which plays to the next question and judges the step."""
        if command is PLAY:  # it stays there between calls
            self.ruleset.play_slots(*self._arrays)
            return
        self._commands[0] = command
        try:
            self.ruleset.play_slots(*self._arrays)
        finally:
            self._commands[0] = PLAY

    def _clear_log(self) -> None:
        """Empty the event log; skipped if there is none, which saves 0.7 us."""
        if len(self._rows):
            clear_rows(self._rows)

    def _play_opponent(self) -> None:
        """Let an external opponent act until it is our turn."""
        if self._opponent is not None:
            play_opponent(self.ruleset, self._opponent, self._arrays, self._call)

    def _observe_position(self, *, steps: int, disqualified: bool) -> None:
        """Write mask and observation of a position put into the state; steps: made so far."""
        slot = self._slots[0]
        ended = self._states["ending"][0] != GOING_ON
        slot["steps"] = steps
        slot["over"] = slot["terminated"] = disqualified or (ended and steps > 0)
        self._call(Command.LOOK)

    def render(self) -> Any:
        """The board: text for `ansi`, uint8 (height, width, 3) for `rgb_array`, or an SVG document.

        Warns and returns None without a `render_mode`.
        """
        self._check_begun()
        if self.render_mode == "ansi":
            return self.ruleset.write_board(self._states[0], self.compiled, self.happened())
        if self.render_mode in ("rgb_array", "svg"):
            board = self.ruleset.draw_board(self._states[0], self.compiled, self.happened())
            return pixels_of(board) if self.render_mode == "rgb_array" else svg_of(board)
        gymnasium.logger.warn(
            "render() needs a render_mode: make the environment with one, such as "
            f'gymnasium.make("agemonia_env:{self.ruleset.env_id}", render_mode="ansi")'
        )
        return None

    def happened(self) -> list[str]:
        """The events of the last step as sentences; empty without `log` or `render_mode`."""
        return self.ruleset.event_texts(self._rows, self._states[0], self.compiled)

    def keep_log(self) -> None:
        """Start the event log for `happened`, as `log=True` does."""
        if not len(self._rows):
            self._log = True
            self.__setstate__(self.__getstate__())
        self._clear_log()

    def game_arguments(self) -> dict[str, Any]:
        """Arguments of an env in which the core seed of this game gives this game."""
        own = {name: getattr(self.arguments, name) for name in self.ruleset.parameters}
        game = self._core_seed, self._scenario_seed, self._knobs
        return own | self._scenarios.chosen(*game)

    @property
    def states(self) -> NDArray[Any]:
        """The position itself, STATE (1,): read-only, and overwritten by the next step."""
        return self._states

    # ---- actions in words ------------------------------------------------------------------
    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (N_ACTIONS,); all are once the scenario has ended."""
        self._check_begun()
        return self._mask().view(np.bool_)

    def legal_actions(self) -> NDArray[np.int64]:
        """The legal actions, ascending, int64."""
        return np.flatnonzero(self.action_masks())

    def action_features(self) -> NDArray[np.float32]:
        """What each of `legal_actions` is and does, float32 (n, N_ACTION_FEATURES).

        Needs no argument of the environment; `Ruleset.ACTION` names the features.
        """
        self._check_begun()
        arrays = self._arrays
        return features_of(self.ruleset, self._states, arrays.contents, self._which, arrays.masks)

    def action_meaning(self, action: int) -> str:
        """What `action` means now, such as "attack Bog rat 2". ValueError outside the space."""
        return self.ruleset.action_text(self._states[0], self.compiled, self._check_action(action))

    def question(self) -> str:
        """The current question, as a sentence."""
        self._check_begun()
        return self.ruleset.question_text(self._states[0], self.compiled)

    def explain(self, action: int) -> str:
        """Why `action` is illegal now, as a sentence, or "legal". ValueError outside the space."""
        checked = self._check_action(action)
        return self.ruleset.DENIAL_TEXTS[self._denials()[checked]]

    def refused_answers(self) -> dict[int, str]:
        """Illegal actions that would answer the question, each with the reason, as a sentence.

        Of actions with the same words and reason, such as empty slots, only the first.
        """
        self._check_begun()
        rules = self.ruleset
        skipped = {rules.DENIAL_TEXTS[k] for k in (0, rules.NOT_ASKED, rules.SCENARIO_ENDED)}
        reasons = [rules.DENIAL_TEXTS[denial] for denial in self._denials()]
        first: dict[tuple[str, str], int] = {}
        for action, reason in enumerate(reasons):
            if reason not in skipped:
                first.setdefault((self.action_meaning(action), reason), action)
        return {action: reason for (_, reason), action in first.items()}

    def _denials(self) -> list[int]:
        """The denial of every action, by number."""
        denials = np.zeros(self.ruleset.N_ACTIONS, np.int16)
        api, content = self.ruleset.api, self.compiled.content
        api.write_denials(self._states, content, self._which, 0, denials)
        return [int(denial) for denial in denials]

    def describe(self, action: int) -> str:
        """A page about `action`: name, card, rule, outcome. ValueError outside the space."""
        number = self._check_action(action)
        page = self.ruleset.action_page(self._states[0], self.compiled, number)
        reason = self.explain(number)
        if reason != self.ruleset.DENIAL_TEXTS[0]:
            return f"{page}\nIllegal now: {reason}"
        return f"{page}\n{preview(self, number)}"

    def look(self, name: str) -> str:
        """The page about a thing in the game, by name. ValueError on one line if unknown."""
        self._check_begun()
        return find_page(self.ruleset.help_pages(self._states[0], self.compiled), name)

    # ---- planning ---------------------------------------------------------------------------
    def choose(self, policy: Policy) -> int:
        """The action that a policy takes here; it draws from the game's own random stream."""
        self._check_begun()
        if not callable(getattr(policy, "choose", None)):
            wanted = "must have choose(states, contents, which), as agemonia_env.policies.Policy"
            raise ValueError(f"policy={shown(policy)}: {wanted}")
        with self._guard():
            return int(policy.choose(self._states, self.compiled.content, self._which)[0])

    def get_state(self) -> bytes:
        """The whole position, randomness included: the bytes of the state record and a trailer.

        The trailer has environment, layout, scenario and a checksum (envs/positions.py).
        """
        self._check_begun()
        with self._guard():
            return self._saved()

    def _saved(self) -> bytes:
        """The position as bytes, also before `reset`."""
        return write(self.ruleset, self._states, self._trailer())

    def _trailer(self) -> Trailer:
        """What identifies the game besides the state."""
        slot = self._slots[0]
        drawn = NOT_DRAWN if self._scenario_seed is None else self._scenario_seed
        return Trailer(
            self.compiled.fingerprint,
            self._core_seed,
            steps=int(slot["steps"]),
            disqualified=bool(slot["terminated"]) and self._states["ending"][0] == GOING_ON,
            scenario_seed=drawn,
            knobs=self._scenarios.knobs(self._knobs),
        )

    def set_state(self, position: bytes) -> None:
        """Restore a position of `get_state`; scenario and heroes must be the same.

        Trusted as a pickle is: set no bytes of others; `from_review` plays their games again.
        Raises ValueError, and changes nothing, if the bytes are damaged or of another version,
        environment or scenario.
        """
        trailer, _ = read(self.ruleset, position)
        drawn = trailer.scenario_seed
        compiled, scenario_seed, knobs = self.compiled, self._scenario_seed, self._knobs
        if scenario_seed is None and drawn != NOT_DRAWN:
            raise ValueError("the position is of a scenario drawn by seed, or damaged")
        if scenario_seed is not None and drawn != NOT_DRAWN:
            scenario_seed, knobs = drawn, knobs_of(trailer)
            compiled = self._scenarios.acquire(drawn, knobs)
        if trailer.fingerprint != compiled.fingerprint[:16]:
            raise ValueError("the position is of another scenario, other heroes or other rules")
        with self._guard():
            self._scenario_seed, self._knobs = scenario_seed, knobs
            self._go_to(position, trailer, compiled)

    def _go_to(self, position: bytes, trailer: Trailer, compiled: Compiled) -> None:
        """Go to a position of this scenario."""
        self._core_seed, self._begun = trailer.core_seed, True
        self._use(compiled)
        self._raw[0] = np.frombuffer(position, np.uint8, self.ruleset.STATE.itemsize)
        self._clear_log()
        self._observe_position(steps=trailer.steps, disqualified=trailer.disqualified)

    @classmethod
    def from_review(
        cls,
        path: str | Path,
        step: int | None = None,
        *,
        log: bool = False,
        render_mode: str | None = None,
    ) -> Self:
        """The game of a review file (`agemonia review`, `RecordGames`) at a step, to be played on.

        step: as the page counts, 0 before the first decision; None is the last. Needs no `reset`.
        Raises ValueError if the file is damaged or is no review of this environment, if rules or
        scenario have changed since, or if there is no such step.
        """
        from agemonia_env.rulesets.recorded_game import ReviewError, read_game

        from .replay import replay

        game = read_game(path, cls.ruleset)
        try:
            return replay(cls(**game.arguments, log=log, render_mode=render_mode), game, step)
        except ValueError as error:
            raise ReviewError(f"{path}: {error}") from None

    def set_streams(self, counters: Mapping[int, int]) -> None:
        """Set random counters by number, as a recorded game has them. IndexError outside."""
        with self._guard():
            for number, counter in counters.items():
                self._states["chance"][0, number] = counter

    def chance_outcomes(
        self, action: int, *, limit: int = 4096, samples: int = 2000, seed: int = 0
    ) -> ChanceOutcomes:
        """What an action may lead to, up to the next decision of either side, likeliest first.

        Each outcome has its probability, a Fraction, the position, and what happened in words.
        `exact` says whether these are all outcomes. They are if chance can go at most `limit` ways;
        else `samples` games are tried, each with its own dice and decks. Opponents that the core
        plays count as chance, others have not answered yet. seed: fixes what is sampled, and the
        further chance of the positions. Raises ValueError for an illegal action.
        """
        self._check_begun()
        limit, samples = check_number("limit", limit, 1), check_number("samples", samples, 1)
        seed = check_number("seed", seed, 0)
        with self._guard():
            game = self._game_after(action)
            return chance_outcomes(game, limit=limit, samples=samples, seed=seed)

    def _game_after(self, action: int) -> Attempt:
        """What `chance_outcomes` plays. Raises ValueError for an illegal action."""
        number = self._check_action(action)
        reason = self.explain(number)
        if reason != self.ruleset.DENIAL_TEXTS[0]:
            raise ValueError(f"action {number} is illegal now: {reason}")
        after = self._trailer()._replace(steps=int(self._slots["steps"][0]) + 1)
        arguments = self.arguments
        return Attempt(
            *(self.ruleset, self.compiled, self._states, arguments.control(), number, after)
        )

    def clone(self, reseed: bool | int = True) -> Self:
        """An independent environment at the same position.

        reseed: True gives each clone its own randomness and shuffles what is left in the decks, so
        that a planner cannot see what is coming; a whole number does so from that seed; False
        copies this game's randomness. This game is not changed.
        """
        self._check_begun()
        seed = check_reseed(reseed)
        copy = type(self).__new__(type(self))
        with self._guard():
            copy.__setstate__(self.__getstate__() | {"_np_random": None, "_np_random_seed": None})
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
        """Everything except the core's arrays, and the position as bytes."""
        fields = {name: value for name, value in self.__dict__.items() if name not in ARRAYS}
        return fields | {"_position": self._saved()}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        """Rebuild the arrays: copied views would not share memory with the copied state.

        Raises ValueError for the pickle of another version.
        """
        position = fields.pop("_position")
        trailer, _ = read(self.ruleset, position)
        if fields["compiled"].content.dtype != self.ruleset.CONTENT:
            raise ValueError(f"the pickle was made by another version of {self.ruleset.env_id}")
        self.__dict__.update(fields)
        self._allocate()
        if self._begun:
            self._go_to(position, trailer, self.compiled)

    # ---- inside -----------------------------------------------------------------------------
    def _check_begun(self) -> None:
        if not self._begun:
            raise NotBegunError("no game has begun; call reset() first")

    def _check_action(self, action: Any) -> int:
        """`action` as an int in [0, N_ACTIONS); also checks that a game has begun."""
        if not self._begun:
            self._check_begun()
        number, n = whole_number(action), self.ruleset.N_ACTIONS
        if number is None or not 0 <= number < n:
            raise ValueError(f"action={shown(action)}: must be a whole number, 0 to {n - 1}")
        return number

    def _raise_illegal(self, denial: int, action: int) -> None:
        """Raise ValueError for an illegal action."""
        text = self.ruleset.action_text(self._states[0], self.compiled, action)
        reason = self.ruleset.DENIAL_TEXTS[denial]
        raise ValueError(f"action {action} ({text}) is illegal: {reason}")

    def _observe(self) -> NDArray[np.float32]:
        """A copy of the observation, float32, of all columns or those of the fit."""
        return self._observation_now.copy()

    def _mask(self) -> NDArray[np.int8]:
        """A copy of the mask, int8 (N_ACTIONS,)."""
        return self._mask_now.copy()

    def _info(self) -> dict[str, Any]:
        """The same entries after every reset and step, each of one type and shape."""
        rules, denial = self.ruleset, self._denial.item(0)
        head = self._head.item(0)
        info: dict[str, Any] = {
            "action_mask": self._mask(),
            "decision": rules.DECISIONS[head[0]],
            "side": rules.side_asked(head[0], head[1]),
            "illegal_action": denial != LEGAL,
            "denial": rules.DENIALS[denial],
            "ruleset": self.compiled.fingerprint,
            "is_success": self._success.item(0),
            "episode_statistics": rules.episode_statistics(head[2:]),
        }
        if self._scenario_seed is not None:
            info["scenario_seed"] = self._scenario_seed
        if self.arguments.action_features:
            info["action_features"] = dense(info["action_mask"], self.action_features())
        if self._log:
            info["events"] = "\n".join(self.happened())
        return info


ARRAYS = frozenset(
    {
        *("_guard", "_which", "_rows", "_arrays", "_states", "_raw", "_slots"),
        *("_actions", "_commands", "_head", "_reward", "_terminated"),
        *("_truncated", "_denial", "_success", "_mask_now", "_observation_now"),
    }
)
