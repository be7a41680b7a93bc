"""Policies by name, as given on the command line and in files."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from agemonia_env.display.messages import shown
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.rulesets.identity import (
    ALWAYS_READ,
    FEATURES,
    IDENTITY,
    identity_of,
    layout_differences,
    rules_difference,
)
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

from .learned import LearnedPolicy
from .model_record import ModelError
from .network import Network, check_ruleset
from .own import PACKAGED, CheckedPolicy, OwnPolicy, as_own, is_place
from .planner import MOST_SIMULATIONS, SIMULATIONS, Planner
from .scripted import ScriptedPolicy
from .trainers import file_of, import_trainer

PLANNER = "planner"
LIKELIEST = "likeliest:"
FORCE = "force:"  # before a model's file: play it even if it was made for other rules
PREFIXES = (LIKELIEST, FORCE)
NUMPY_MODEL = ".npz"
# Networks that come with the package, by name, such as "generalist"
SHIPPED = {path.stem: path for path in sorted((Path(__file__).parent / "weights").glob("*.npz"))}
# Models that need their trainer: the module of agents/ whose `policy` loads them
TRAINERS = {".safetensors": "model_file"}
# The modules of agents/ that determine what such a model plays
PLAYED_BY = {".safetensors": ("model_file", "tensor_file", "fastmask")}
PICKLES = ".zip"  # a model of Stable-Baselines3
CODE = "code comes from an option of a command or as an object alone, not as a name in a file"
# How a model of Stable-Baselines3 becomes one, in Python (docs/policies.md#own-weights)
UNOPENED = (
    "holds pickles, which can run code and are never opened; if you trust it, convert it in Python "
    "(docs/policies.md): save_model(MaskablePPO.load({file!r}), env, {data!r})"
)
KINDS = "a model's file (.npz, .safetensors), prefixed by 'likeliest:' to take its likeliest action"


def policy_of(
    ruleset: Ruleset,
    name: str | Policy,
    *,
    side: str = "hero",
    fingerprint: str | None = None,
    force: bool = False,
    threads: int = 1,
) -> Policy:
    """The policy with a name: "random", "greedy", "planner", "planner:200", or a model's file.

    A network in SHIPPED is named like a file: "generalist". "planner:50:generalist" is the planner
    with it. An object of one's own becomes a policy whose answers are checked; the text
    "my_file.py:Mine" is refused, see own.given_policy.

    side: the side it plays. fingerprint: of the scenario to be played, which a model's must match;
    None skips the check. force: only warn about another fingerprint, or a model made for other
    rules; the prefix "force:" does the same. threads: of a planner; they do not change what it
    chooses. Raises ValueError naming what is wrong and what is allowed.
    """
    if isinstance(name, (*PACKAGED, CheckedPolicy)):
        return name
    name = as_own(name)
    if isinstance(name, OwnPolicy):
        return CheckedPolicy(ruleset, name)
    scripted = ruleset.ENEMY_POLICIES if side == "enemy" else ruleset.POLICIES
    check_policy(name, scripted)
    assert isinstance(name, str)  # check_policy has seen to it
    if name in scripted:
        return ScriptedPolicy(ruleset, name, int(scripted[name]))
    budget, model = planner_parts(name) if is_planner(name) else (0, name)
    path, prefixes = model_file(name), split_prefixes(model)[1]
    likeliest, force = LIKELIEST in prefixes, force or FORCE in prefixes
    if budget:
        net = load_network(path, ruleset, fingerprint, force=force) if path else None
        return Planner(ruleset, budget, threads, net, model)
    assert path is not None  # check_policy has seen to it
    if path.suffix == NUMPY_MODEL:
        network = load_network(path, ruleset, fingerprint, force=force)
        return network_policy(ruleset, name, network, likeliest=likeliest)
    policy: Policy = import_trainer(TRAINERS[path.suffix]).policy(
        ruleset, path, name=name, likeliest=likeliest, fingerprint=fingerprint, force=force
    )
    return policy


def load_policy(env: str, name: str) -> Policy:
    """Load a policy by name. Raises ValueError for an unknown name."""
    if isinstance(name, OwnPolicy):  # another one may have the same name
        return policy_of(ruleset_of(env), name)
    return _load_named(env, name)


@lru_cache(16)
def _load_named(env: str, name: str) -> Policy:
    """Load a policy of the package or a model, once."""
    return policy_of(ruleset_of(env), name)


def forget_policies() -> None:
    """Load policies again when they are asked for: a model may have been trained since."""
    _load_named.cache_clear()


def network_policy(
    ruleset: Ruleset, name: str, network: Network, *, likeliest: bool = False
) -> LearnedPolicy:
    """A network as a policy."""
    reads_features = len(network.scorer) > 0
    record = dict(network.record)
    return LearnedPolicy(
        ruleset, name, network.logits, record, likeliest, reads_features=reads_features
    )


def check_policy(name: Any, scripted: Collection[str], *, what: str = "policy") -> None:
    """Raise ValueError if no policy has that name; a model's file need not exist.

    scripted: names of the compiled core's policies; what: the argument that names the policy.
    """
    if isinstance(name, OwnPolicy):
        return
    if isinstance(name, str):
        if is_planner(name):
            planner_parts(name, what)
            return
        if name in scripted or model_file(name) is not None:
            return
        if (file := Path(split_prefixes(name)[0])).suffix == PICKLES:
            names = {"file": str(file), "data": str(file.with_suffix(next(iter(TRAINERS))))}
            raise ModelError(f"{what}={shown(name)}: {UNOPENED.format(**names)}")
        if is_place(name):
            raise ValueError(f"{what}={shown(name)}: {CODE}")
    allowed = (*scripted, PLANNER, f"{PLANNER}:200", *SHIPPED)
    meant = did_you_mean(name, allowed) if isinstance(name, str) else ""
    listed = ", ".join(map(repr, allowed))
    raise ValueError(f"{what}={shown(name)}: must be one of {listed}, or {KINDS}{meant}")


def model_file(name: str) -> Path | None:
    """The file of a model, shipped or given, or of a planner's network; None for other policies."""
    file = planner_parts(name)[1] if is_planner(name) else name
    file = split_prefixes(file)[0]
    path = SHIPPED.get(file) or Path(file)
    return path if path.suffix in (NUMPY_MODEL, *TRAINERS) else None


def code_of(path: Path) -> list[Path]:
    """The trainer's source files that play a model; none if NumPy plays it."""
    return [file_of(module) for module in PLAYED_BY.get(path.suffix, ())]


def split_prefixes(name: str) -> tuple[str, set[str]]:
    """A policy's name without its PREFIXES, and the prefixes it had."""
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
    override_hint: str = "",
) -> Network:
    """Load a network for a ruleset; see policy_of and check_model. Raises ModelError.

    A network that scores actions by their features may play scenarios that it was not trained on.
    """
    network = Network.load(path)
    reads = (*ALWAYS_READ, FEATURES) if network.scorer else ALWAYS_READ
    more: dict[str, Any] = {"override_hint": override_hint, "reads": reads}
    check_model(network.record, ruleset, path, force=force, **more)
    check_size(network, ruleset, path)
    if fingerprint is not None and not network.scorer:
        check_ruleset(network.record, fingerprint, path=path, force=force)
    return network


def check_model(
    record: Mapping[str, Any],
    ruleset: Ruleset,
    path: Path,
    *,
    force: bool,
    reads: Collection[str] = ALWAYS_READ,
    override_hint: str = "",
) -> None:
    """Refuse a model made for another environment, other layouts or other rules.

    force: only warn about other or unknown rules. reads: the layouts that must be the same.
    override_hint: how to load it anyway, if not by the prefix of its name.
    """
    env_id = record.get("env_id")
    if env_id != ruleset.env_id:
        raise ModelError(f"{path}: a model for {env_id}, not for {ruleset.env_id}")
    old, here = record.get(IDENTITY), identity_of(ruleset.env_id)
    layouts = layout_differences(old, here, reads)
    if layouts:
        raise ModelError(f"{path}: cannot be played here: {' and '.join(layouts)}; train it again")
    difference = rules_difference(old, here)
    if difference is None:
        return
    message = f"{path}: {difference}"
    if not force:
        hint = override_hint or f"name it {FORCE}{path} (evaluate, watch: --force)"
        raise ModelError(f"{message}. Train it again, or {hint} to load it anyway")
    warnings.warn(message, stacklevel=3)


def check_size(network: Network, ruleset: Ruleset, path: Path) -> None:
    """Refuse a network whose inputs or outputs do not fit the ruleset."""
    columns, n_features = network.columns, ruleset.N_ACTION_FEATURES
    if columns.size and not 0 <= columns.min() <= columns.max() < ruleset.N_OBSERVATION:
        raise ModelError(f"{path}: columns: must be from 0 to {ruleset.N_OBSERVATION - 1}")
    if network.scorer:
        if (read := len(network.scorer[0].weights)) != n_features:
            raise ModelError(f"{path}: {read} action features; {ruleset.env_id} has {n_features}")
    elif (actions := network.policy.bias.size) != ruleset.N_ACTIONS:
        raise ModelError(f"{path}: {actions} actions; {ruleset.env_id} has {ruleset.N_ACTIONS}")


def is_planner(name: str | None) -> bool:
    """Whether a name stands for the planner, with or without a budget."""
    return name is not None and name.partition(":")[0] == PLANNER


def planner_parts(name: str, what: str = "policy") -> tuple[int, str]:
    """The simulations of "planner:200:model.npz", with a default, and its network or ""."""
    _, colon, rest = name.partition(":")
    if not colon:
        return SIMULATIONS, ""
    number, more, file = rest.partition(":")
    digits = number.isascii() and number.isdigit() and len(number) <= len(str(MOST_SIMULATIONS))
    if not digits or not 1 <= int(number) <= MOST_SIMULATIONS:
        raise ValueError(
            f"{what}={shown(name)}: simulations must be a whole number, 1 to {MOST_SIMULATIONS:,}"
        )
    base, prefixes = split_prefixes(file)
    is_network = not is_planner(base) and (model_file(base) or Path()).suffix == NUMPY_MODEL
    if more and (not is_network or LIKELIEST in prefixes):
        raise ValueError(
            f"{what}={shown(name)}: a planner's network must be a {NUMPY_MODEL} file or one of "
            f"{', '.join(SHIPPED)}, without {LIKELIEST!r}"
        )
    return int(number), file
