"""Policies by name, as the command line and files say them."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from agemonia_env.display.messages import shown
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.identity import IDENTITY, identity_of, layouts_apart, rules_apart
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset

from .learned import Learned
from .network import Network, check_ruleset
from .planner import MOST_SIMULATIONS, SIMULATIONS, Planner
from .policy import Scripted
from .record import ModelError
from .trainers import file_of, trainer

PLANNER = "planner"
LIKELIEST = "likeliest:"
FORCE = "force:"  # before a model's file: play it though it was made for other rules
PREFIXES = (LIKELIEST, FORCE)
NUMPY_MODEL = ".npz"
# Models that only their trainer can play: the module of agents/ whose `policy` opens them
TRAINERS = {".zip": "model_file", ".pt": "attention_file"}
# The modules of agents/ that decide what such a model plays
PLAYED_BY = {
    ".zip": ("model_file", "torch_file", "columns", "fastmask"),
    ".pt": ("attention_file", "torch_file", "attention"),
}
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
    to meet; None asks nothing. force: only warn of another one, and of a model made for rules that
    play differently; "force:" before the file says so, too. Raises ValueError naming what is wrong
    and what is allowed.
    """
    scripted = ruleset.ENEMY_POLICIES if side == "enemy" else ruleset.POLICIES
    check_policy(name, scripted)
    if name in scripted:
        return Scripted(ruleset, name, int(scripted[name]))
    path, prefixes = model_file(name), without_prefixes(name)[1]
    if path is None:
        return Planner(ruleset, simulations(name))
    likeliest, force = LIKELIEST in prefixes, force or FORCE in prefixes
    if path.suffix == NUMPY_MODEL:
        network = load_network(path, ruleset, fingerprint, force=force)
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
    allowed = (*scripted, PLANNER, f"{PLANNER}:200")
    meant = did_you_mean(name, allowed) if isinstance(name, str) else ""
    told = ", ".join(map(repr, allowed))
    raise ValueError(f"{what}={shown(name)}: must be one of {told}, or {KINDS}{meant}")


def model_file(name: str) -> Path | None:
    """The file of a policy that is a model, else None."""
    path = Path(without_prefixes(name)[0])
    return path if path.suffix in (NUMPY_MODEL, *TRAINERS) else None


def code_of(path: Path) -> list[Path]:
    """The files of the trainer whose code plays a model; none for one that numpy plays."""
    return [file_of(module) for module in PLAYED_BY.get(path.suffix, ())]


def without_prefixes(name: str) -> tuple[str, set[str]]:
    """The name of a policy without PREFIXES, and those that it had."""
    found: set[str] = set()
    while prefix := next((one for one in PREFIXES if name.startswith(one)), None):
        name = name.removeprefix(prefix)
        found.add(prefix)
    return name, found


def load_network(
    path: Path,
    ruleset: Ruleset,
    fingerprint: str | None,
    *,
    force: bool = False,
    insist: str = "",
) -> Network:
    """The network of a file for a ruleset; see policy_of and check_model. Raises ModelError."""
    network = Network.load(path)
    check_model(network.record, ruleset, path, force=force, insist=insist)
    check_size(network, ruleset, path)
    if fingerprint is not None:
        check_ruleset(network.record, fingerprint, path=path, force=force)
    return network


def check_model(
    record: Mapping[str, Any],
    ruleset: Ruleset,
    path: Path,
    *,
    force: bool,
    wide: bool = False,
    insist: str = "",
) -> None:
    """Refuse a model of another environment, or made for other layouts or rules than these.

    force: of other rules, or of a model that does not say for which it was made, only warn. wide:
    whether the model sees the numbers of the scenario, too. insist: what to do to load it all the
    same, if that is not naming the policy otherwise.
    """
    env_id = record.get("env_id")
    if env_id != ruleset.env_id:
        raise ModelError(f"{path}: a model of {env_id}; here {ruleset.env_id} is played")
    old, here = record.get(IDENTITY), identity_of(ruleset.env_id)
    layouts = layouts_apart(old, here, wide=wide)
    if layouts:
        raise ModelError(f"{path}: cannot be played here: {' and '.join(layouts)}; train it again")
    apart = rules_apart(old, here)
    if apart is None:
        return
    message = f"{path}: {apart}"
    if not force:
        insist = insist or f"name it {FORCE}{path} (evaluate, watch: --force)"
        raise ModelError(f"{message}. Train it again, or {insist} to load it all the same")
    warnings.warn(message, stacklevel=3)


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
    digits = number.isascii() and number.isdigit() and len(number) <= len(str(MOST_SIMULATIONS))
    if not digits or not 1 <= int(number) <= MOST_SIMULATIONS:
        raise ValueError(
            f"{what}={shown(name)}: simulations must be a whole number, 1 to {MOST_SIMULATIONS:,}"
        )
    return int(number)
