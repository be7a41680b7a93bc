"""Which rules the numbers of the page were measured with: `rules` of docs/results.json.

Every cell, model and published file names them by a mark; the table has how these rules play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agemonia_env.rulesets.doors import DEFAULT as DEFAULT_ENV
from agemonia_env.rulesets.identity import BEHAVIOUR, identity_of, rules_difference, rules_hash
from agemonia_env.rulesets.ruleset import ruleset_of

from .page_config import Setting

Rules = dict[str, Any]
RULES = "rules"  # its key, in the whole file and in every fact


def env_of(setting: Setting) -> str:
    """The environment of a setting."""
    return str(setting.get("env", DEFAULT_ENV))


def rules_here(env: str) -> dict[str, Rules]:
    """The entry of the rules as they are here, under their mark."""
    identity = identity_of(env)
    told = {"env_id": env, "version": ruleset_of(env).version, BEHAVIOUR: identity[BEHAVIOUR]}
    return {rules_hash(identity): told}


def is_as_here(fact: Mapping[str, Any], published: Mapping[str, Any], env: str) -> bool:
    """Whether the rules that a published fact names play as those here."""
    return rules_difference(published.get(RULES, {}).get(fact.get(RULES)), identity_of(env)) is None
