"""A position to play on from, and copies of it with everything hidden drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.display.messages import counted, shown
from agemonia_env.envs.copies import copies, redraw
from agemonia_env.envs.guard import NotBegunError
from agemonia_env.envs.opponent import external_opponent
from agemonia_env.envs.replay import check_one_scenario
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.policies import Policy, policy_of
from agemonia_env.rulesets.arguments import Arguments, Compiled
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import Records, play_to_end, start_games


@dataclass(frozen=True, eq=False)
class Start:
    """Where games begin.

    state: the position, STATE (1,); None for the start of the scenario, set up anew in every game.
    control: bits of Control. enemies: the policy of the enemy side, None if the core plays it or it
    has nothing to decide.
    """

    rules: Ruleset
    compiled: Compiled
    arguments: Arguments
    state: Records | None
    control: int
    enemies: Policy | None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state is not None and bool(self.state["ending"][0] != GOING_ON)

    @property
    def round(self) -> int:
        """The round of the position; 0 before the scenario is set up."""
        return 0 if self.state is None else int(self.state["round"][0])

    @property
    def decisions(self) -> int:
        """Decisions made so far, forced ones included."""
        return 0 if self.state is None else int(self.state["decisions"][0])

    @property
    def party(self) -> str:
        """The scenario and the party in words: `The Ford, 2 heroes`."""
        heroes = self.arguments.heroes
        n = heroes if isinstance(heroes, int) else len(heroes)
        return f"{self.compiled.names.scenario}, {'1 hero' if n == 1 else f'{n} heroes'}"

    def __str__(self) -> str:
        """In words: `The Ford, 2 heroes, round 3, after 40 decisions`."""
        if self.state is None:
            return f"{self.party}, from the start"
        made = counted(self.decisions, "decision")
        return f"{self.party}, {'ended in ' * self.over}round {self.round}, after {made}"

    def games(self, seeds: NDArray[np.uint64]) -> Records:
        """A game for each seed, STATE (n,), at the position with everything hidden drawn anew."""
        content = self.compiled.content
        if self.state is None:
            which = np.zeros(len(seeds), np.int16)
            return start_games(self.rules, content, which, seeds, control=self.control)
        states = copies(self.state, len(seeds))
        redraw(self.rules, states, content, seeds)
        return states

    def play(self, states: Records, policy: Policy) -> None:
        """Play these games to their end; one that takes too long is aborted."""
        games = states, self.compiled.content, np.zeros(len(states), np.int16)
        agents, most = (policy, self.enemies), self.arguments.max_decisions
        play_to_end(self.rules, games, agents, self.control, most)

    def policies(self, given: Any) -> list[Policy]:
        """Policies of the heroes: one or several, names or objects. Raises ValueError."""
        several = isinstance(given, Sequence) and not isinstance(given, str)
        known = self.compiled.fingerprint
        found = [
            policy_of(self.rules, policy, fingerprint=known)
            for policy in (given if several else [given])
        ]
        names = [policy.name for policy in found]
        if not names or len({*names}) < len(names):
            raise ValueError(f"policy={shown(names)}: must be one or several, each at most once")
        return found


def start_of(env: Any, position: bytes | None = None) -> Start:
    """Where a forecast from an environment begins: see `agemonia_env.forecast`."""
    game = getattr(env, "unwrapped", env)
    if not isinstance(game, RulesetEnv):
        raise ValueError(f"env={shown(env)}: must be a single environment, such as AgemoniaEnv")
    check_one_scenario(game, "forecast")
    rules, arguments = game.ruleset, game.arguments
    if position is not None:
        game = type(game)(**{name: getattr(arguments, name) for name in rules.parameters})
        game.set_state(position)
    state = _state_of(game)
    seeds = arguments.scenario_seeds()
    if state is None and seeds is not None and len(seeds) > 1:
        wrong = f"scenario={shown(arguments.scenario)}: another one is drawn for each game"
        raise ValueError(f"{wrong}; call reset() to begin one of them, or use `simulate`")
    return Start(rules, game.compiled, arguments, state, *_enemy_side(rules, arguments))


def _state_of(env: RulesetEnv) -> Records | None:
    """A copy of the position; None before `reset`."""
    try:
        env.get_state()
    except NotBegunError:
        return None
    return copies(env.states)


def _enemy_side(rules: Ruleset, arguments: Arguments) -> tuple[int, Policy | None]:
    """Who answers which questions, bits of Control, and the policy of the enemy side."""
    if arguments.side == "hero":
        return arguments.control(), external_opponent(rules, arguments)
    both = replace(arguments, side="both", opponent=None)
    return both.control(), policy_of(rules, "greedy", side="enemy")
