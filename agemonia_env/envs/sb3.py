"""A batch of games as one native `VecEnv` of Stable-Baselines3: one compiled call for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices

from ..agemonia import api
from ..agemonia.actions import N_ACTIONS
from ..agemonia.layout import CONTENT, N_OBSERVATION, STATE
from ..agemonia.terms import Denial, Ending
from ..content.compile import Compiled
from ..content.party import HeroChoice
from ..kernel.jit import zeros
from .arguments import (
    OBSERVATION_BOUND,
    ScenarioChoices,
    check_arguments,
    check_seed,
    draw_core_seed,
    episode_statistics,
    whole_number,
)
from .render import draw_board
from .shelf import Shelf
from .wording import DENIAL_NAMES, DENIALS, action_text

RENDER_MODES = (None, "rgb_array")
MOST_DRAWN = 2**15  # envs with a scenario of their own, by number in an int16


class AgemoniaVecEnv(VecEnv):
    """`num_envs` games of one scenario, reset as soon as they end.

    Arguments are those of `AgemoniaEnv`, and `seed`: env i then plays as a single environment
    reset with `seed + i`. What the policies need beside observations: `env_method("action_masks")`
    is bool (num_envs, N_ACTIONS); at the end of an episode its info has `terminal_observation`,
    `TimeLimit.truncated`, `is_success` and `episode_statistics`.

    With `scenario="random"` each game has a scenario of its own, and its seed stands as
    `scenario_seed` in `reset_infos` and in the info of the end. Drawing and compiling one takes
    20 to 60 ms, unless it is among the last 64; a range no longer than that soon costs nothing.
    `compiled` is then the scenario of seed 0, whatever is played.
    """

    def __init__(
        self,
        num_envs: int,
        scenario: str = "ford",
        heroes: int | Sequence[HeroChoice] = 2,
        *,
        seed: int | None = None,
        render_mode: str | None = None,
        **choices: Unpack[ScenarioChoices],
    ) -> None:
        """Compile the scenario. Raises ValueError naming the wrong argument."""
        number = whole_number(num_envs)
        if number is None or number < 1:
            raise ValueError(f"num_envs={num_envs!r}: must be a whole number, at least 1")
        if render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r}: must be None or 'rgb_array'")
        self.arguments = check_arguments(scenario, heroes, **choices)
        self.render_mode = render_mode
        self._shelf = Shelf(self.arguments)
        if self._shelf.varies and number > MOST_DRAWN:
            raise ValueError(f"num_envs={number}: at most {MOST_DRAWN} with scenarios of their own")
        self.compiled = self.arguments.reference()
        self._allot(number)
        observations = spaces.Box(
            -OBSERVATION_BOUND, OBSERVATION_BOUND, (N_OBSERVATION,), np.float32
        )
        super().__init__(number, observations, spaces.Discrete(N_ACTIONS))
        self.seed(check_seed(seed))

    def _allot(self, n: int) -> None:
        """Lay out the arrays of n games."""
        self._states = zeros(STATE, n)
        self._bytes = self._states.view(np.uint8).reshape(n, STATE.itemsize)
        self._lay_out(n)
        self._actions = np.zeros(n, np.int64)
        self._denials = np.zeros(n, np.int16)
        self._core_seeds = np.zeros(n, np.uint64)
        self._steps = np.zeros(n, np.int64)
        self._potentials = np.zeros(n, np.float32)
        self._randoms: list[np.random.Generator | None] = [None] * n
        self._seating = self.arguments.seating()
        self._sign = np.float32(-1 if self.arguments.side == "enemy" else 1)
        self._shaped = self.arguments.reward == "shaped"
        self._ending = np.asarray(self._states["ending"])
        self._won = np.asarray(self._states["won"])

    def _lay_out(self, n: int) -> None:
        """The scenarios: one for all, or a place for that of each env."""
        self._played: list[Compiled] = [self.compiled] * n
        self._which = np.zeros(n, np.int16)
        self._contents = self.compiled.content
        if self._shelf.varies:
            self._which[:] = np.arange(n)
            self._contents = zeros(CONTENT, n)

    # ---- VecEnv -----------------------------------------------------------------------------
    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds of the next `reset`: env i gets seed + i; None goes on with the present chance."""
        first = check_seed(seed)
        self._seeds = [None if first is None else first + i for i in range(self.num_envs)]
        return self._seeds

    def reset(self) -> NDArray[np.float32]:
        """Begin all games anew -> observations, float32 (num_envs, N_OBSERVATION)."""
        for i, seed in enumerate(self._seeds):
            if seed is not None or self._randoms[i] is None:
                self._randoms[i] = seeding.np_random(seed)[0]
        self._reset_seeds()
        self._reset_options()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._begin(np.ones(self.num_envs, np.bool_))
        return self._observe()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions, (num_envs,) whole numbers in [0, N_ACTIONS); ValueError otherwise."""
        taken = np.asarray(actions)
        if taken.shape != (self.num_envs,) or taken.dtype.kind not in "iu":
            raise ValueError(f"actions: must be {self.num_envs} whole numbers, not {actions!r}")
        if taken.min() < 0 or taken.max() >= N_ACTIONS:
            raise ValueError(f"actions: must be from 0 to {N_ACTIONS - 1}")
        self._actions[:] = taken

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions -> (observations, rewards, dones, infos); ended games begin anew."""
        contents, which = self._contents, self._which
        unasked = self._ending != Ending.NONE  # over at `reset`: any action ends the episode
        api.step(
            self._states, contents, which, self._actions, self._seating, api.NO_ROWS, self._denials
        )
        self._denials[unasked] = 0
        self._steps += 1
        refused = self._denials != 0
        disqualified = self._refuse(refused)
        terminated = (self._ending != Ending.NONE) | disqualified
        truncated = ~terminated & (self._steps >= self.arguments.max_decisions)
        success = self._is_success(disqualified)
        rewards = self._reward(terminated, success)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(refused):
            infos[i]["illegal_action"] = True
            infos[i]["denial"] = DENIAL_NAMES[int(self._denials[i])]
        dones = terminated | truncated
        if dones.any():
            final = self._observe(dones)
            for k, i in enumerate(np.flatnonzero(dones)):
                infos[i]["terminal_observation"] = final[k].copy()
                infos[i]["TimeLimit.truncated"] = bool(truncated[i])
                infos[i]["is_success"] = bool(success[i])
                infos[i]["episode_statistics"] = episode_statistics(self._states[i])
                infos[i] |= self.reset_infos[i]
            self._begin(dones)
        return self._observe(), rewards, dones, infos

    def close(self) -> None:
        """Nothing to close."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute, the same for every env. Raises AttributeError if there is none."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether `get_attr` knows it."""
        return hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: all envs share one description."""
        raise AttributeError(f"{attr_name} cannot be set: all games share one description")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> Any:
        """`action_masks` of all envs, bool (num_envs, N_ACTIONS), or of those named, a list."""
        if method_name != "action_masks":
            raise AttributeError(f"no method {method_name!r}; there is action_masks")
        masks = self.action_masks()
        return masks if indices is None else [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        """False for each: the games are not environments of their own."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """A picture of each game, uint8 (height, width, 3), if `render_mode` asks for it."""
        if self.render_mode is None:
            return [None] * self.num_envs
        return [draw_board(self._states[i], self._played[i]) for i in range(self.num_envs)]

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (num_envs, N_ACTIONS), in memory of its own."""
        masks = np.empty((self.num_envs, N_ACTIONS), np.uint8)
        api.write_masks(self._states, self._contents, self._which, masks)
        return masks.view(np.bool_)

    # ---- inside -----------------------------------------------------------------------------
    def _begin(self, select: NDArray[np.bool_]) -> None:
        """Start the next game of every selected env."""
        for i in np.flatnonzero(select):
            random = self._randoms[i]
            if random is None:
                raise RuntimeError("call reset() before step()")
            self._core_seeds[i] = draw_core_seed(random)
            self._take_scenario(i)
        self._bytes[select] = 0
        api.reset(
            self._states,
            self._contents,
            self._which,
            self._core_seeds,
            select.view(np.uint8),
            self._seating,
            api.NO_ROWS,
        )
        self._steps[select] = 0
        if self._shaped:
            self._potentials[select] = self._read_potentials()[select]

    def _take_scenario(self, i: np.intp) -> None:
        """The scenario of the game that env i begins."""
        scenario_seed = self._shelf.draw(int(self._core_seeds[i]))
        if scenario_seed is None:
            return
        self.reset_infos[i] = {"scenario_seed": scenario_seed}
        if self._shelf.varies:
            self._played[i] = self._shelf.take(scenario_seed)
            self._contents[i : i + 1].view(np.uint8)[:] = self._played[i].content.view(np.uint8)

    def _refuse(self, refused: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which games an illegal action ends; ValueError if `illegal` says so."""
        if self.arguments.illegal == "raise" and refused.any():
            i = int(np.flatnonzero(refused)[0])
            action, denial = int(self._actions[i]), Denial(int(self._denials[i]))
            text = action_text(self._states[i], self._played[i], action)
            raise ValueError(f"env {i}: action {action} ({text}) is illegal: {DENIALS[denial]}")
        if self.arguments.illegal == "terminate":
            return refused
        return np.zeros(self.num_envs, np.bool_)

    def _reward(
        self, terminated: NDArray[np.bool_], success: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Rewards of the step just made, float32 (num_envs,)."""
        rewards = np.where(terminated, np.where(success, 1.0, -1.0), 0.0).astype(np.float32)
        if self._shaped:
            before = self._potentials
            self._potentials = np.where(terminated, np.float32(0), self._read_potentials())
            gained = np.float32(self.arguments.gamma) * self._potentials - before
            rewards += self._sign * gained
        return rewards

    def _is_success(self, disqualified: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which scenarios have ended as the side played wants it."""
        ended = (self._ending != Ending.NONE) & ~disqualified
        success: NDArray[np.bool_] = ended & ((self._won != 0) == (self._sign > 0))
        return success

    def _read_potentials(self) -> NDArray[np.float32]:
        potentials = np.zeros(self.num_envs, np.float32)
        api.write_potentials(self._states, self._contents, self._which, potentials)
        return potentials

    def _observe(self, select: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """Observations of all games or of those selected, float32 (n, N_OBSERVATION)."""
        states, which = self._states, self._which
        if select is not None:
            states = self._bytes[select].view(self._states.dtype).reshape(-1)
            which = which[select]
        observations = np.empty((len(states), N_OBSERVATION), np.float32)
        api.write_observations(states, self._contents, which, observations)
        return observations
