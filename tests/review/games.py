"""Games that are played and recorded at once."""

from agemonia_env.envs import env_class
from agemonia_env.policies import policy_of
from agemonia_env.review.play import record
from agemonia_env.review.recording import Recording


def recorded(env_id, policy=None, steps=None, seed=1, **choices):
    """Recording of a game from its beginning, of so many steps of a policy, if one is named."""
    env = env_class(env_id)(**choices)
    env.reset(seed=seed)
    recording = Recording(env, seed)
    if policy is not None:
        record(recording, policy_of(env.ruleset, policy), steps)
    return recording
