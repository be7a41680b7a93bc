"""Saves models of one's own as files that every command plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agemonia_env.display.messages import shown
from agemonia_env.rulesets.arguments import Arguments
from agemonia_env.rulesets.identity import IDENTITY, identity_of

from .trainers import import_trainer


def record_of(env: Any, **facts: Any) -> dict[str, Any]:
    """The record of a model trained in an environment, for `Network.record`.

    env: an environment of the package, single or vector, with any wrappers around it. facts: more
    keys, JSON-able, such as steps=200_000. Raises ValueError for another environment.
    """
    inner = inner_env(env)
    rules, arguments = inner.ruleset, inner.arguments
    mix = getattr(getattr(inner, "batch", None), "mix", ())
    mixed = [share.arguments for share in mix] or [arguments]
    chosen = {name: getattr(arguments, name) for name in rules.parameters}
    if not isinstance(chosen.get("opponent", ""), str):
        del chosen["opponent"]  # an object: a record holds no code
    return {
        "env_id": rules.env_id,
        "fingerprint": arguments.reference().fingerprint,
        "fingerprints": sorted({one.reference().fingerprint for one in mixed}),
        IDENTITY: identity_of(rules.env_id),
        "env_kwargs": chosen,
        **facts,
    }


def save_model(model: Any, env: Any, path: str | Path) -> None:
    """Save a MaskablePPO model as data: weights as safetensors, and beside them a JSON record.

    model: of sb3_contrib, with MlpPolicy on the flat observation. env: what it was trained in; see
    `record_of`. path: NAME.safetensors; NAME.json is written, too. Every command plays the file.
    Raises ValueError for another model, and for an environment that it was not trained in.
    """
    import_trainer("own_model").save(model, env, Path(path), record_of(env))


def inner_env(env: Any) -> Any:
    """The environment of the package that this one is, or wraps. Raises ValueError without one."""
    inner = getattr(env, "unwrapped", env)
    inner = getattr(inner, "envs", [inner])[0]  # a vector env of single ones has several
    inner = getattr(inner, "unwrapped", inner)
    if not isinstance(getattr(inner, "arguments", None), Arguments):
        raise ValueError(
            f"env={shown(env)}: must be an environment of agemonia_env, such as Agemonia-v0"
        )
    return inner
