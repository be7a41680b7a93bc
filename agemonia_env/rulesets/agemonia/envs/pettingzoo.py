"""Agemonia for PettingZoo: each Hero an agent, and the enemy side. It needs the extra `marl`."""

from agemonia_env.envs.pettingzoo import RulesetAECEnv, RulesetParallelEnv

from ..ruleset import AGEMONIA


class AgemoniaAECEnv(RulesetAECEnv):
    """`pettingzoo.make("aec", "Agemonia-v0")`: agents act one after another, as they are asked.

    ## Agents
    `hero_0` to `hero_3`, as many as there are Heroes, in the order of the party; with
    `side="both"` the enemy side is `enemy_0`, whose Enemies have free will unless
    `enemy_will="card"` is given. The
    game is that of `AgemoniaEnv`: the same seed and the same actions give the same states. The
    selected agent is the one that the rules ask:

    - a Hero for itself, for its tokens and for its pets;
    - `enemy_0`, if present, for decisions that the Enemies' cards leave open, or their free will;
    - the first Hero that is not exhausted for all Non-Hero Allies and for everything that the
      rules leave to the players together: who acts next, whom a Dominated Ally strikes and,
      without `enemy_0`, the ties of the Enemies (with `ties="auto"` these are not asked).

    All agents stay until the scenario ends, and end together. A Hero that is exhausted may stand up
    again; until then it is not asked.

    ## Action Space
    `Discrete(N_ACTIONS + 1)`: the actions of `AgemoniaEnv`, and PASS as the last one. Agents that
    are not asked can only pass; the agent that is asked cannot.

    ## Observation Space
    `{"observation": Box(-100, 100, (N_OBSERVATION + 6,), float32), "action_mask": Box(0, 1,
    (N_ACTIONS + 1,), int8)}`, the same for all agents: the observation of `AgemoniaEnv`, which
    includes the question; then the agent asked, one-hot (`hero_0` to `hero_3`, `enemy_0`), and
    whether it is this agent. One network can serve all agents, for any size of the party. `state()`
    is the observation without these six values.

    ## Rewards
    All Heroes get the reward of `AgemoniaEnv`, `enemy_0` its negative.

    ## Information
    For each agent, all of it numbers: `asked` (bool), `illegal_action` (bool, about the agent's own
    last action), `is_success` (bool, of its side), `scenario_seed` and `action_features` as
    `AgemoniaEnv` has them. `denial(agent)` names the reason for an illegal action; `game_info()` is
    the whole information of `AgemoniaEnv`, texts and statistics included.

    ## Arguments
    Those of `AgemoniaEnv`, except: `side` is `"hero"` (the opponent decides for Enemies of
    free will) or `"both"`, `illegal` is `"noop"` or `"raise"`, and `render_mode="human"` prints the
    board.

    ## Version History
    - v0: first version.
    """

    ruleset = AGEMONIA


class AgemoniaParallelEnv(RulesetParallelEnv):
    """`pettingzoo.make("parallel", "Agemonia-v0")`: all agents act at once.

    As `AgemoniaAECEnv`, but every agent acts in every step: the agent asked answers, all others
    pass. Any other action of theirs has no effect and is reported as `illegal_action`.
    """

    ruleset = AGEMONIA
