"""One game as environments of PettingZoo: one agent per hero, and one for the enemy side.

Importing this module registers every ruleset with PettingZoo, as "aec" and as "parallel"
environment. It needs the extra `marl`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pettingzoo
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from agemonia_env.display.messages import shown
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.envs import env_class
from agemonia_env.rulesets.arguments import (
    CORE_SEED,
    OBSERVATION_BOUND,
    check_options,
    whole_number,
)
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import Ruleset

from .agents import ENEMY_AGENT, N_TOLD, agents_asked, told
from .guard import NotBegunError, OneThread
from .single import RulesetEnv

Seen = dict[str, NDArray[Any]]  # "observation" and "action_mask"

RENDER_MODES = ["human", "ansi", "rgb_array"]
ENEMY = "enemy_0"


class Table:
    """A game, and the agents that sit around it; both environments are views of one."""

    def __init__(
        self, rules: Ruleset, *what: Any, render_mode: str | None = None, **choices: Any
    ) -> None:
        """Set it up. Raises ValueError naming the wrong argument."""
        self.render_mode = render_mode
        drawn = "ansi" if render_mode == "human" else render_mode
        self.game: RulesetEnv = env_class(rules.env_id)(*what, render_mode=drawn, **choices)
        _check_control(self.game)
        self.heroes = int(self.game.compiled.content["n_heroes"][0])
        self.seats = {f"hero_{h}": h for h in range(self.heroes)}
        if self.game.arguments.side == "both":
            self.seats[ENEMY] = ENEMY_AGENT
        self.asked: str | None = None
        self.pass_action = rules.N_ACTIONS
        self.metadata = {
            "name": rules.env_id.lower().replace("-", "_"),
            "render_modes": RENDER_MODES,
            "render_fps": self.game.metadata["render_fps"],
            "is_parallelizable": False,  # turns come in no fixed order, as the wrapper needs them
        }

    @property
    def rules(self) -> Ruleset:
        """Those of the game; not kept here, as a ruleset cannot be copied."""
        return self.game.ruleset

    def spaces(self) -> tuple[dict[str, spaces.Dict], dict[str, spaces.Discrete]]:
        """Observation and action space of each agent."""
        n = self.rules.N_ACTIONS + 1
        length = (self.rules.N_OBSERVATION + N_TOLD,)
        seen = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(
                        -OBSERVATION_BOUND, OBSERVATION_BOUND, length, np.float32
                    ),
                    "action_mask": spaces.Box(0, 1, (n,), np.int8),
                }
            )
            for agent in self.seats
        }
        return seen, {agent: spaces.Discrete(n) for agent in self.seats}

    # ---- play -------------------------------------------------------------------------------
    def begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """The next game."""
        told = dict(check_options(options, CORE_SEED, warns=False))  # PettingZoo's test has others
        self._observation, self._info = self.game.reset(seed=seed, options=told)
        self._terminated = False
        self._refused: set[str] = set()  # whose action was none for them to take
        self._answered: str | None = None
        self._denial: str | None = None  # of that answer
        self.asked = self._next()

    def play(self, actions: dict[str, Any]) -> tuple[float, bool, bool]:
        """All act -> reward of the Heroes, terminated, truncated. Others may be left out.

        Whoever is asked cannot pass, others can do nothing else. Raises ValueError if an action is
        outside the action space, or illegal with `illegal="raise"`.
        """
        if self.asked is None:
            raise NotBegunError("no game is going on; begin one with reset()")
        self._check_agents(actions)
        wrong = {agent for agent, action in actions.items() if self._is_misplaced(agent, action)}
        answer = actions[self.asked]
        if self.asked in wrong:  # what the game itself refuses; there always is such an action
            answer = self._info["action_mask"].argmin()
        self._observation, reward, self._terminated, truncated, self._info = self.game.step(answer)
        self._refused = wrong
        self._denial = self._info.pop("denial", None)
        self._answered = self.asked
        self.asked = None if self._terminated or truncated else self._next()
        return reward, self._terminated, truncated

    def _check_agents(self, actions: Any) -> None:
        """Whoever is asked acts, and nobody who does not sit at the table."""
        if not isinstance(actions, Mapping):
            example = f"must be a mapping such as {{{self.asked!r}: 0}}"
            raise ValueError(f"actions={shown(actions)}: {example}")
        for agent in actions:
            if agent not in self.seats:
                there = (
                    did_you_mean(str(agent), self.seats) or f"; there are {', '.join(self.seats)}"
                )
                raise ValueError(f"actions: {shown(agent)}: no such agent{there}")
        if self.asked not in actions:
            raise ValueError(f"actions: {self.asked} is asked, and does not act")

    def _is_misplaced(self, agent: str, action: Any) -> bool:
        """Whether one who is asked passes, or another one does not."""
        number = whole_number(action)
        if number is None or not 0 <= number <= self.pass_action:
            allowed = f"must be a whole number, 0 to {self.pass_action}"
            raise ValueError(f"action={shown(action)} of {agent}: {allowed}")
        asked, passes = agent == self.asked, number == self.pass_action
        if asked == passes and self.game.arguments.illegal == "raise":
            what = "asked, and cannot pass" if asked else "not asked, and can only pass"
            raise ValueError(f"action {number} of {agent} is illegal: it is {what}")
        return asked == passes

    def _next(self) -> str:
        """The agent that answers what is asked now."""
        enemy = ENEMY in self.seats
        seat = agents_asked(self.rules, self.game.states, self.heroes, enemy=enemy)[0]
        return ENEMY if seat == ENEMY_AGENT else f"hero_{seat}"

    # ---- what an agent is told --------------------------------------------------------------
    def observe(self, agent: str) -> Seen:
        """Its observation and mask, in memory of their own.

        Raises ValueError for an agent that does not sit here, ResetNeeded before `reset`.
        """
        self.check_begun()
        if agent not in self.seats:
            raise ValueError(f"agent={shown(agent)}: must be one of {', '.join(self.seats)}")
        asked = np.array([agent == self.asked])
        own = told(np.array([self.seats[agent]]), asked)[0]
        return {
            "observation": np.concatenate((self._observation, own)),
            "action_mask": self._mask(agent),
        }

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """The mask of the game for whoever is asked; for all others to pass is all there is."""
        mask = np.zeros(self.rules.N_ACTIONS + 1, np.int8)
        if agent == self.asked:
            mask[: self.pass_action] = self._info["action_mask"]
        else:
            mask[self.pass_action] = 1
        return mask

    def inform(self, agent: str) -> dict[str, Any]:
        """What the game's own info tells, as far as it concerns this agent."""
        denial = self._denial if agent == self._answered else None
        if agent in self._refused:
            denial = self.rules.DENIALS[self.rules.NOT_ASKED]
        info = self._info | {
            "action_mask": self._mask(agent),
            "asked": agent == self.asked,
            "illegal_action": denial is not None,
        }
        if denial is not None:
            info["denial"] = denial
        if agent == ENEMY and "is_success" in info:
            info["is_success"] = self._terminated and not info["is_success"]
        return info

    def check_begun(self) -> None:
        """Raise ResetNeeded before the first game."""
        if not hasattr(self, "_observation"):
            raise NotBegunError("no game has begun; begin one with reset()")

    def rewards(self, reward: float) -> dict[str, float]:
        """The Heroes share theirs, the enemy side has the opposite."""
        return {agent: -reward if agent == ENEMY else reward for agent in self.seats}

    def state(self) -> NDArray[np.float32]:
        """What lies on the table, float32 (N_OBSERVATION,)."""
        self.check_begun()
        return self._observation.copy()

    def render(self) -> Any:
        """The board as `render_mode` asks for it; "human" prints it."""
        board = self.game.render()
        if self.render_mode != "human":
            return board
        print(board)
        return None


def _check_control(game: RulesetEnv) -> None:
    """Refuse what has no meaning for several agents."""
    if game.arguments.side == "enemy":
        one = "one agent: that is the Gymnasium environment"
        raise ValueError(f"side='enemy': must be 'hero' or 'both', as the enemy side is {one}")
    if game.arguments.illegal == "terminate":
        wrapper = "pettingzoo.utils.wrappers.TerminateIllegalWrapper"
        raise ValueError(f"illegal='terminate': must be 'noop' or 'raise'; there is {wrapper}")


class AgentsEnv:
    """What both environments have; a subclass says by which ruleset they play."""

    ruleset: ClassVar[Ruleset]

    def __init__(self, *what: Any, render_mode: str | None = None, **choices: Any) -> None:
        """Read and compile the scenario. Raises ValueError naming the wrong argument.

        what, choices: arguments of the single environment.
        """
        self.table = Table(self.ruleset, *what, render_mode=render_mode, **choices)
        self.metadata, self.render_mode = self.table.metadata, render_mode
        self.one_thread = OneThread()
        self.possible_agents = list(self.table.seats)
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = self.table.spaces()
        self.state_space = self.table.game.observation_space

    def observation_space(self, agent: str) -> spaces.Dict:
        """Of an agent; they are all alike."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Of an agent; the last action is to pass."""
        return self.action_spaces[agent]

    def state(self) -> NDArray[np.float32]:
        """What lies on the table, float32, in `state_space`."""
        return self.table.state()

    def render(self) -> Any:
        """The board: printed for `human`, text for `ansi`, uint8 pixels for `rgb_array`."""
        return self.table.render()

    def close(self) -> None:
        """Close the game."""
        self.table.game.close()


class RulesetAECEnv(AgentsEnv, AECEnv[str, Seen, Any]):
    """Agents act one after another, as they are asked."""

    def __init__(self, *what: Any, render_mode: str | None = None, **choices: Any) -> None:
        """As AgentsEnv.__init__; nobody is asked before `reset`."""
        super().__init__(*what, render_mode=render_mode, **choices)
        self.agent_selection = self.possible_agents[0]
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set the scenario up; seed and options as those of the single environment."""
        with self.one_thread:
            self.table.begin(seed, options)
            self.agents = self.possible_agents[:]
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self._tell(0.0, False, False)

    def step(self, action: Any) -> None:
        """The agent selected acts; None if it is done.

        Raises ValueError if `action` is outside the action space, or illegal with
        `illegal="raise"`, or if all agents are done; InUseError while another thread uses the
        environment.
        """
        with self.one_thread:
            agent = self.agent_selection
            if self.terminations.get(agent) or self.truncations.get(agent):
                self._was_dead_step(action)
                return
            outcome = self.table.play({agent: action})
            self._cumulative_rewards[agent] = 0.0
            self._tell(*outcome)
            self._accumulate_rewards()

    def _tell(self, reward: float, terminated: bool, truncated: bool) -> None:
        """What the step just made brings to each agent, and who is next."""
        self.rewards = self.table.rewards(reward)
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {agent: self.table.inform(agent) for agent in self.agents}
        if self.table.asked is not None:
            self.agent_selection = self.table.asked

    def observe(self, agent: str) -> Seen:
        """What an agent sees now: float32 (n,) and int8 (actions,)."""
        return self.table.observe(agent)


class RulesetParallelEnv(AgentsEnv, ParallelEnv[str, Seen, Any]):
    """All agents act at once; whoever is not asked passes."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Set the scenario up -> (observations, infos), by agent."""
        with self.one_thread:
            self.table.begin(seed, options)
            self.agents = self.possible_agents[:]
            return self._views()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Seen],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """All agents act -> observations, rewards, terminations, truncations, infos, by agent.

        Those who are not asked may be left out. Raises ValueError if whoever is asked is, or if an
        action is outside the action space, or illegal with `illegal="raise"`; InUseError while
        another thread uses the environment.
        """
        with self.one_thread:
            reward, terminated, truncated = self.table.play(actions)
            seen, infos = self._views()
            ends = dict.fromkeys(self.agents, terminated), dict.fromkeys(self.agents, truncated)
            if terminated or truncated:
                self.agents = []
            return seen, self.table.rewards(reward), *ends, infos

    def _views(self) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        table = self.table
        seen = {agent: table.observe(agent) for agent in self.agents}
        return seen, {agent: table.inform(agent) for agent in self.agents}


for env_id, doors in RULESETS.items():
    if env_id not in pettingzoo.aec_registry:
        pettingzoo.register("aec", env_id, doors.place("aec"))
        pettingzoo.register("parallel", env_id, doors.place("parallel"))
