"""`gymnasium.make_vec("agemonia_env:Agemonia-v0", num_envs=n)`: n games in one compiled call."""

from agemonia_env.envs.vector import RulesetVectorEnv

from ..ruleset import AGEMONIA


class AgemoniaVectorEnv(RulesetVectorEnv):
    """Many games of Agemonia side by side; spaces, rewards and arguments are `AgemoniaEnv`'s.

    Env i plays as a single environment reset with `seed + i`, at any number of envs and threads.

    | argument | default | meaning |
    |---|---|---|
    | `num_envs` | `1` | how many games |
    | `autoreset_mode` | `"NextStep"` | or `"SameStep"`, `"Disabled"`, or an `AutoresetMode` |
    | `threads` | `1` | how many play the games, at most one on each core that this process may |
    | | | use; results do not depend on it |
    | `mix` | `None` | a list of mappings, one of which is drawn for each game: `scenario`, |
    | | | `heroes`, `level`, `difficulty`, `pack`, `scenario_seed`, `generator`, `weight` |
    | `dtype` | `"float32"` | `"int8"`: quantized observations, a quarter of the memory; |
    | | | divided by `obs_spec.SCALES` they are the float32 ones |
    | `copy` | `True` | `False` returns the arrays that the next step overwrites |
    | `out` | `None` | `{"observations": a, "action_mask": b}`, or one of them: arrays of your own |
    | | | (NumPy, torch, DLPack), which steps write and return without a copy; with `SameStep` |
    | | | `2 * num_envs` rows of observations, the later ones for final observations |

    Information: `action_mask` (int8 (num_envs, N_ACTIONS)), `illegal_action` (bool),
    `action_features` ((num_envs, N_ACTIONS, N_ACTION_FEATURES) in `dtype`, on request; the method
    of this name gives the rows of legal actions alone); `is_success` and `episode_statistics` where
    an episode has ended, with `SameStep` also `final_obs` and `final_info`; `scenario_seed` of
    drawn scenarios (-1 for others). The mask `_key` says of which envs the entry `key` is, as
    in Gymnasium. `reset(options={"reset_mask": mask})` resets only the games of the mask, bool
    (num_envs,); the options `scenario_seed` and `generator` choose drawn scenarios for its games,
    `choose_scenarios` for the next ones. `call(name, ...)` asks the single env of each game.
    """

    ruleset = AGEMONIA
