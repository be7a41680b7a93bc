"""Loads the policy of a model that needs torch, whichever trainer saved it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agemonia_env.policies.learned import LearnedPolicy
from agemonia_env.policies.model_record import ModelError, record_beside
from agemonia_env.rulesets.ruleset import Ruleset

from . import attention_file, model_file


def policy(ruleset: Ruleset, path: Path, **how: Any) -> LearnedPolicy:
    """The model `path` as a policy; see agemonia_env.policies.policy_of. Raises ModelError."""
    if not path.exists():
        raise ModelError(f"{path}: no such model")
    is_attention = record_beside(path).get("algorithm") == attention_file.ALGORITHM
    load = attention_file.policy if is_attention else model_file.policy
    found: LearnedPolicy = load(ruleset, path, **how)
    return found
