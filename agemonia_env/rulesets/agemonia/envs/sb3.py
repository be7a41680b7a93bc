"""A batch of games as one native `VecEnv` of Stable-Baselines3: one compiled call for all."""

from agemonia_env.envs.sb3 import RulesetVecEnv

from ..ruleset import AGEMONIA


class AgemoniaVecEnv(RulesetVecEnv):
    """`num_envs` games of one scenario, reset as soon as they end.

    Arguments are those of `AgemoniaEnv`, `threads` and `mix` of `AgemoniaVectorEnv`, and `seed`:
    env i then plays as a single environment reset with `seed + i`. `env_method("action_masks")` is
    bool (num_envs, N_ACTIONS). At the end of an episode its info has `terminal_observation`,
    `TimeLimit.truncated`, `is_success`, `episode_statistics` and, as from SB3's `Monitor`,
    `episode`: `r` (return), `l` (steps) and `t` (seconds since the env was made).

    With `scenario="random"` each game has its own scenario; its seed is `scenario_seed` in
    `reset_infos` and in the info at the end. Drawing one takes 26 us. `compiled` is then the
    scenario of seed 0, whatever is played.
    """

    ruleset = AGEMONIA
