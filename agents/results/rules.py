"""The rules that the numbers were measured with: `rules` of docs/results.json.

Every cell, model and published file names its rules by their hash; the table maps it to details.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agemonia_env.rulesets.doors import DEFAULT as DEFAULT_ENV
from agemonia_env.rulesets.identity import BEHAVIOUR, identity_of, rules_difference, rules_hash
from agemonia_env.rulesets.ruleset import ruleset_of

from .page_config import Setting

Rules = dict[str, Any]
RULES = "rules"  # key of the table, and of the hash in every fact


def env_of(setting: Setting) -> str:
    """The environment of a setting."""
    return str(setting.get("env", DEFAULT_ENV))


def rules_here(env: str) -> dict[str, Rules]:
    """The entry of the current rules, by their hash."""
    identity = identity_of(env)
    entry = {"env_id": env, "version": ruleset_of(env).version, BEHAVIOUR: identity[BEHAVIOUR]}
    return {rules_hash(identity): entry}


def is_as_here(fact: Mapping[str, Any], published: Mapping[str, Any], env: str) -> bool:
    """Whether the rules of a published fact play like the current ones."""
    return rules_difference(published.get(RULES, {}).get(fact.get(RULES)), identity_of(env)) is None
