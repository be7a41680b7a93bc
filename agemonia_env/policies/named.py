"""Policies by name, as the command line and files say them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from ..envs.ruleset import Ruleset
from .learned import Learned
from .network import ModelError, Network, check_ruleset
from .planner import SIMULATIONS, Planner
from .policy import Policy, Scripted
from .trainers import trainer

PLANNER = "planner"
LIKELIEST = "likeliest:"
NUMPY_MODEL = ".npz"
# Models that only their trainer can play: the module of agents/ whose `policy` opens them
TRAINERS = {".zip": "model_file", ".pt": "attention_file"}
KINDS = "a model's file (.npz, .zip, .pt), with 'likeliest:' before it if it shall not draw"


def policy_of(
    ruleset: Ruleset,
    name: str,
    *,
    side: str = "hero",
    fingerprint: str | None = None,
    force: bool = False,
) -> Policy:
    """The policy of a name: "random", "greedy", "planner", "planner:200", or a model's file.

    side: whose it is; greedy is so for its own. fingerprint: of the ruleset that a model is about
    to meet; None asks nothing. force: only warn of another one. Raises ValueError naming what is
    wrong and what is allowed.
    """
    scripted = ruleset.RIVALS if side == "enemy" else ruleset.POLICIES
    check_policy(name, scripted)
    if name in scripted:
        return Scripted(ruleset, name, int(scripted[name]))
    path, likeliest = model_file(name), name.startswith(LIKELIEST)
    if path is None:
        return Planner(ruleset, simulations(name))
    if path.suffix == NUMPY_MODEL:
        network = Network.load(path)
        check_model(network.record, ruleset, path)
        check_size(network, ruleset, path)
        if fingerprint is not None:
            check_ruleset(network.record, fingerprint, path=path, force=force)
        return Learned(ruleset, name, network.logits, dict(network.record), likeliest)
    made: Policy = trainer(TRAINERS[path.suffix]).policy(
        ruleset, path, name=name, likeliest=likeliest, fingerprint=fingerprint, force=force
    )
    return made


def check_policy(name: Any, scripted: Collection[str], *, what: str = "policy") -> None:
    """ValueError if no policy has that name; whether a model's file is there is not looked at.

    scripted: those of the compiled core; what: the argument that names it.
    """
    if isinstance(name, str):
        if is_planner(name):
            simulations(name, what)
            return
        if name in scripted or model_file(name) is not None:
            return
    allowed = ", ".join(map(repr, (*scripted, PLANNER, f"{PLANNER}:200")))
    raise ValueError(f"{what}={name!r}: must be one of {allowed}, or {KINDS}")


def model_file(name: str) -> Path | None:
    """The file of a policy that is a model, else None."""
    path = Path(name.removeprefix(LIKELIEST))
    return path if path.suffix in (NUMPY_MODEL, *TRAINERS) else None


def check_model(record: Mapping[str, Any], ruleset: Ruleset, path: Path) -> None:
    """Refuse a model of another environment."""
    env_id = record.get("env_id")
    if env_id != ruleset.env_id:
        raise ModelError(f"{path}: a model of {env_id}; here {ruleset.env_id} is played")


def check_size(network: Network, ruleset: Ruleset, path: Path) -> None:
    """Refuse a network for other observations, or other actions, than those of the ruleset."""
    columns, actions = network.columns, network.policy.bias.size
    if columns.size and not 0 <= columns.min() <= columns.max() < ruleset.N_OBSERVATION:
        raise ModelError(f"{path}: columns: must be from 0 to {ruleset.N_OBSERVATION - 1}")
    if actions != ruleset.N_ACTIONS:
        raise ModelError(f"{path}: {actions} actions; {ruleset.env_id} has {ruleset.N_ACTIONS}")


def is_planner(name: str | None) -> bool:
    """Whether a name is the planner's, with or without a budget."""
    return name is not None and name.partition(":")[0] == PLANNER


def simulations(name: str, what: str = "policy") -> int:
    """The budget of "planner:200"; that of the planner's own where none is said."""
    _, colon, number = name.partition(":")
    if not colon:
        return SIMULATIONS
    if not number.isdecimal() or int(number) < 1:
        raise ValueError(f"{what}={name!r}: simulations must be a whole number, at least 1")
    return int(number)
