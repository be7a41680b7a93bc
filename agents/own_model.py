"""Saves a MaskablePPO model that was not trained by a trainer of this package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper, VecNormalize

from agemonia_env.display.messages import shown
from agemonia_env.policies.model_record import check_record
from agemonia_env.policies.saving import inner_env
from agemonia_env.rulesets.ruleset import ruleset_of

from .model_file import architecture_of, columns_of, save_model
from .tensor_file import SUFFIX


def save(model: Any, env: Any, path: Path, record: dict[str, Any]) -> None:
    """As agemonia_env.policies.save_model; record: of its environment."""
    if path.suffix != SUFFIX:
        raise ValueError(f"{path}: must end with {SUFFIX}")
    if not isinstance(model, MaskablePPO):
        raise ValueError(f"model={shown(model)}: must be a MaskablePPO of sb3_contrib")
    if is_normalised(env) or is_normalised(model.get_env()):
        raise ValueError("VecNormalize: changes what the model reads; train it without")
    if architecture_of(model.policy) is None:
        raise ValueError("model: its network must be MlpPolicy's, with tanh or ReLU")
    rules, reads = ruleset_of(record["env_id"]), columns_of(inner_env(env))
    n = len(reads["columns"] or range(rules.N_OBSERVATION))
    sizes = model.observation_space.shape, getattr(model.action_space, "n", None)
    if sizes != ((n,), rules.N_ACTIONS):
        wanted = f"observations ({n},) and {rules.N_ACTIONS} actions"
        raise ValueError(f"model: reads {sizes[0]} and has {sizes[1]} actions, not {wanted}")
    facts = {"algorithm": "maskable_ppo", "seed": model.seed or 0, **record}
    save_model(model, path, check_record(facts), reads)


def is_normalised(env: VecEnv | None) -> bool:
    """Whether a wrapper scales the observations."""
    while isinstance(env, VecEnvWrapper):
        if isinstance(env, VecNormalize) and env.norm_obs:
            return True
        env = env.venv
    return False
