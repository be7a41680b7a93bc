"""One game as a PettingZoo environment: one agent per hero, plus one for the enemy side.

Importing this module registers every ruleset with PettingZoo, both as "aec" and as "parallel".
It needs the extra `marl`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agemonia_env.core.env_slots import LEGAL
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

from .agents import ENEMY_AGENT, N_AGENT_COLUMNS, acting_agents, agent_columns
from .extras import missing
from .guard import NotBegunError, OneThread
from .single import RulesetEnv
from .slot_arrays import width_of

try:
    import pettingzoo
    from pettingzoo import AECEnv, ParallelEnv
except ModuleNotFoundError as error:
    raise missing(error, "marl") from None

Observation = dict[str, NDArray[Any]]  # "observation" and "action_mask"

RENDER_MODES = ["human", "ansi", "rgb_array", "svg"]
ENEMY = "enemy_0"


def _check_control(env: RulesetEnv) -> None:
    """Refuse arguments that have no meaning for several agents."""
    if env.arguments.side == "enemy":
        hint = "for the enemy side alone use the Gymnasium environment"
        raise ValueError(f"side='enemy': must be 'hero' or 'both'; {hint}")
    if env.arguments.illegal == "terminate":
        wrapper = "pettingzoo.utils.wrappers.TerminateIllegalWrapper"
        raise ValueError(f"illegal='terminate': must be 'noop' or 'raise'; see {wrapper}")


class AgentsEnv:
    """A game and its agents, the common part of both environments; a subclass sets the ruleset."""

    ruleset: ClassVar[Ruleset]

    def __init__(self, *args: Any, render_mode: str | None = None, **choices: Any) -> None:
        """Read and compile the scenario. Raises ValueError naming the wrong argument.

        args, choices: arguments of `RulesetEnv`.
        """
        env_mode = "ansi" if render_mode == "human" else render_mode
        env_id, self.render_mode = self.ruleset.env_id, render_mode
        self.game: RulesetEnv = env_class(env_id)(*args, render_mode=env_mode, **choices)
        _check_control(self.game)
        self.n_heroes = int(self.game.compiled.content["n_heroes"][0])
        self.agent_index = {f"hero_{h}": h for h in range(self.n_heroes)}
        if self.game.arguments.side == "both":
            self.agent_index[ENEMY] = ENEMY_AGENT
        self.asked: str | None = None
        self.pass_action = self.ruleset.N_ACTIONS
        self.metadata = {
            "name": env_id.lower().replace("-", "_"),
            "render_modes": RENDER_MODES,
            "render_fps": self.game.metadata["render_fps"],
            "is_parallelizable": False,  # PettingZoo's wrapper needs a fixed order of turns
        }
        self.one_thread = OneThread()
        self.possible_agents = list(self.agent_index)
        self.agents: list[str] = []
        n, self.state_space = self.pass_action + 1, self.game.observation_space
        length = (width_of(self.ruleset, self.game.fit) + N_AGENT_COLUMNS,)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(
                        -OBSERVATION_BOUND, OBSERVATION_BOUND, length, np.float32
                    ),
                    "action_mask": spaces.Box(0, 1, (n,), np.int8),
                }
            )
            for agent in self.agent_index
        }
        self.action_spaces = {agent: spaces.Discrete(n) for agent in self.agent_index}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The observation space of an agent; all agents have the same."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The action space of an agent; the last action is PASS."""
        return self.action_spaces[agent]

    # ---- play -------------------------------------------------------------------------------
    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """Start the next game."""
        known = dict(check_options(options, CORE_SEED, warns=False))  # PettingZoo's test has others
        self._observation, self._info = self.game.reset(seed=seed, options=known)
        self._terminated = False
        self._refused: set[str] = set()  # agents that acted out of turn
        self._answered: str | None = None
        self.asked, self.agents = self._next(), self.possible_agents[:]

    def _take(self, actions: dict[str, Any]) -> tuple[float, bool, bool]:
        """Take the agents' actions -> reward of the heroes, terminated, truncated.

        The agent that is asked cannot pass; the others can only pass, or be left out. Raises
        ValueError if an action is outside the action space, or illegal with `illegal="raise"`.
        """
        if self.asked is None:
            raise NotBegunError("no game is running; call reset() first")
        self._check_agents(actions)
        wrong = {agent for agent, action in actions.items() if self._is_out_of_turn(agent, action)}
        answer = actions[self.asked]
        if self.asked in wrong:  # some action is always illegal: the game refuses it
            answer = self._info["action_mask"].argmin()
        self._observation, reward, self._terminated, truncated, self._info = self.game.step(answer)
        self._refused = wrong
        self._answered = self.asked
        self.asked = None if self._terminated or truncated else self._next()
        return reward, self._terminated, truncated

    def _check_agents(self, actions: Any) -> None:
        """Raise ValueError unless the asked agent acts, and all agents exist."""
        if not isinstance(actions, Mapping):
            example = f"must be a mapping such as {{{self.asked!r}: 0}}"
            raise ValueError(f"actions={shown(actions)}: {example}")
        for agent in actions:
            if agent not in self.agent_index:
                names = ", ".join(self.agent_index)
                hint = did_you_mean(str(agent), self.agent_index) or f"; there are {names}"
                raise ValueError(f"actions: {shown(agent)}: no such agent{hint}")
        if self.asked not in actions:
            raise ValueError(f"actions: the action of {self.asked} is missing")

    def _is_out_of_turn(self, agent: str, action: Any) -> bool:
        """Whether an agent that is asked passes, or one that is not asked acts."""
        number = whole_number(action)
        if number is None or not 0 <= number <= self.pass_action:
            allowed = f"must be a whole number, 0 to {self.pass_action}"
            raise ValueError(f"action={shown(action)} of {agent}: {allowed}")
        asked, passes = agent == self.asked, number == self.pass_action
        if asked == passes and self.game.arguments.illegal == "raise":
            what = "asked and cannot pass" if asked else "not asked and can only pass"
            raise ValueError(f"action {number} of {agent} is illegal: it is {what}")
        return asked == passes

    def _next(self) -> str:
        """The agent that acts next."""
        enemy = ENEMY in self.agent_index
        agent = acting_agents(self.ruleset, self.game.states, self.n_heroes, enemy=enemy)[0]
        return ENEMY if agent == ENEMY_AGENT else f"hero_{agent}"

    # ---- what an agent observes --------------------------------------------------------------
    def observe(self, agent: str) -> Observation:
        """A copy of the agent's observation and mask.

        Raises ValueError for an unknown agent, ResetNeeded before `reset`.
        """
        self._check_agent(agent)
        asked = np.array([agent == self.asked])
        own = agent_columns(np.array([self.agent_index[agent]]), asked)[0]
        return {
            "observation": np.concatenate((self._observation, own)),
            "action_mask": self._mask(agent),
        }

    def _check_agent(self, agent: Any) -> None:
        """Raise ValueError for an unknown agent, ResetNeeded before the first game."""
        self._check_begun()
        if agent not in self.agent_index:
            raise ValueError(f"agent={shown(agent)}: must be one of {', '.join(self.agent_index)}")

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """The game's mask for the agent that is asked; only PASS for all others."""
        mask = np.zeros(self.ruleset.N_ACTIONS + 1, np.int8)
        if agent == self.asked:
            mask[: self.pass_action] = self._info["action_mask"]
        else:
            mask[self.pass_action] = 1
        return mask

    def _info_of(self, agent: str) -> dict[str, Any]:
        """What concerns this agent, besides its observation.

        TorchRL makes tensors of all entries, and refuses a mask that is in the observation, too.
        """
        won = self._info["is_success"]
        info = {
            "asked": agent == self.asked,
            "illegal_action": self.denial(agent) != self.ruleset.DENIALS[LEGAL],
            "is_success": self._terminated and not won if agent == ENEMY else won,
        }
        if "scenario_seed" in self._info:
            info["scenario_seed"] = self._info["scenario_seed"]
        if "action_features" in self._info:
            info["action_features"] = self._features(agent)
        return info

    def _features(self, agent: str) -> NDArray[np.float32]:
        """The features of the actions that the agent may take; passing has none."""
        n = self.ruleset.N_ACTION_FEATURES
        if agent == self.asked:
            return np.concatenate((self._info["action_features"], np.zeros((1, n), np.float32)))
        return np.zeros((self.ruleset.N_ACTIONS + 1, n), np.float32)

    def denial(self, agent: str) -> str:
        """Name of the reason why the agent's last action was refused; "none" if it was not.

        Raises ValueError for an unknown agent, gymnasium.error.ResetNeeded before `reset`.
        """
        self._check_agent(agent)
        if agent in self._refused:
            return self.ruleset.DENIALS[self.ruleset.NOT_ASKED]
        return str(self._info["denial"]) if agent == self._answered else self.ruleset.DENIALS[LEGAL]

    def game_info(self) -> dict[str, Any]:
        """The info of `RulesetEnv`, with texts and statistics, which `infos` leave out.

        `decision`, `side`, `ruleset`, `episode_statistics` and so on, about the game as a whole;
        a copy. Raises gymnasium.error.ResetNeeded before `reset`.
        """
        self._check_begun()
        return copy.deepcopy(self._info)

    def _check_begun(self) -> None:
        """Raise ResetNeeded before the first game."""
        if not hasattr(self, "_observation"):
            raise NotBegunError("no game has begun; call reset() first")

    def _rewards_of(self, reward: float) -> dict[str, float]:
        """The heroes share the reward; the enemy side gets its negative."""
        return {agent: -reward if agent == ENEMY else reward for agent in self.agent_index}

    def state(self) -> NDArray[np.float32]:
        """The game's observation, float32, in `state_space`."""
        self._check_begun()
        return self._observation.copy()

    def render(self) -> Any:
        """The board: printed for `human`, else text, pixels or a document."""
        board = self.game.render()
        if self.render_mode != "human":
            return board
        print(board)
        return None

    def close(self) -> None:
        """Close the game."""
        self.game.close()


class RulesetAECEnv(AgentsEnv, AECEnv[str, Observation, Any]):
    """`pettingzoo.make("aec", "Agemonia-v0")`: agents act one after another, as they are asked.

    ## Agents
    `hero_0` to `hero_3`, as many as there are Heroes, in the order of the party; with
    `side="both"` the enemy side is `enemy_0`, whose Enemies have free will unless
    `enemy_will="card"` is given (Monsters of HexDungeon make no decisions). The game is that of
    `RulesetEnv`: the same seed and the same actions give the same states. The selected agent is the
    one that the rules ask:

    - a Hero for itself, for its tokens and for its pets;
    - `enemy_0`, if present, for decisions that the Enemies' cards leave open, or their free will;
    - the first Hero that is not exhausted for all Non-Hero Allies and for everything that the
      rules leave to the players together: who acts next, whom a Dominated Ally strikes and,
      without `enemy_0`, the ties of the Enemies (with `ties="auto"` these are not asked).

    All agents stay until the scenario ends, and end together. A Hero that is exhausted may stand up
    again; until then it is not asked.

    ## Action Space
    `Discrete(N_ACTIONS + 1)`: the actions of `RulesetEnv`, and PASS as the last one. Agents that
    are not asked can only pass; the agent that is asked cannot.

    ## Observation Space
    `{"observation": Box(-100, 100, (N_OBSERVATION + 6,), float32), "action_mask": Box(0, 1,
    (N_ACTIONS + 1,), int8)}`, the same for all agents: the observation of `RulesetEnv`, which
    includes the question; then the agent asked, one-hot (`hero_0` to `hero_3`, `enemy_0`), and
    whether it is this agent. One network can serve all agents, and unless
    `observation="fitted"` makes it narrower, parties of any size. `state()`
    is the observation without these six values.

    ## Rewards
    All Heroes get the reward of `RulesetEnv`, `enemy_0` its negative.

    ## Information
    For each agent, all of it numbers: `asked` (bool), `illegal_action` (bool, about the agent's own
    last action), `is_success` (bool, of its side), `scenario_seed` and `action_features` as
    `RulesetEnv` has them. `denial(agent)` names the reason for an illegal action; `game_info()` is
    the whole information of `RulesetEnv`, texts and statistics included.

    ## Arguments
    Those of `RulesetEnv`, except: `side` is `"hero"` (the opponent decides for Enemies of
    free will) or `"both"`, `illegal` is `"noop"` or `"raise"`, and `render_mode="human"` prints the
    board.
    """

    def __init__(self, *args: Any, render_mode: str | None = None, **choices: Any) -> None:
        """Like AgentsEnv; no agent is asked before `reset`."""
        super().__init__(*args, render_mode=render_mode, **choices)
        self.agent_selection = self.possible_agents[0]
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set the scenario up; seed and options as those of `RulesetEnv`."""
        with self.one_thread():
            self._begin(seed, options)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self._publish(0.0, False, False)

    def step(self, action: Any) -> None:
        """Take the action of the selected agent; None if it is done.

        Raises ValueError if `action` is outside the action space, or illegal with
        `illegal="raise"`, or if all agents are done; InUseError while another thread uses the
        environment.
        """
        with self.one_thread():
            agent = self.agent_selection
            if self.terminations.get(agent) or self.truncations.get(agent):
                self._was_dead_step(action)
                return
            result = self._take({agent: action})
            self._cumulative_rewards[agent] = 0.0
            self._publish(*result)
            self._accumulate_rewards()

    def _publish(self, reward: float, terminated: bool, truncated: bool) -> None:
        """Set every agent's rewards, ends and info, and select the next agent."""
        self.rewards = self._rewards_of(reward)
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {agent: self._info_of(agent) for agent in self.agents}
        if self.asked is not None:
            self.agent_selection = self.asked


class RulesetParallelEnv(AgentsEnv, ParallelEnv[str, Observation, Any]):
    """`pettingzoo.make("parallel", "Agemonia-v0")`: all agents act at once.

    As `RulesetAECEnv`, but every agent acts in every step: the agent asked answers, all others
    pass. Any other action of theirs has no effect and is reported as `illegal_action`.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Set the scenario up -> (observations, infos), by agent."""
        with self.one_thread():
            self._begin(seed, options)
            return self._views()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take all actions -> observations, rewards, terminations, truncations, infos, by agent.

        Agents that are not asked may be left out. Raises ValueError if the action of the asked
        agent is missing, or any action is outside the action space, or illegal with
        `illegal="raise"`; InUseError while another thread uses the environment.
        """
        with self.one_thread():
            reward, terminated, truncated = self._take(actions)
            seen, infos = self._views()
            ends = dict.fromkeys(self.agents, terminated), dict.fromkeys(self.agents, truncated)
            if terminated or truncated:
                self.agents = []
            return seen, self._rewards_of(reward), *ends, infos

    def _views(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        seen = {agent: self.observe(agent) for agent in self.agents}
        return seen, {agent: self._info_of(agent) for agent in self.agents}


for env_id, doors in RULESETS.items():
    if env_id not in pettingzoo.aec_registry:
        pettingzoo.register("aec", env_id, doors.place("aec"))
        pettingzoo.register("parallel", env_id, doors.place("parallel"))
