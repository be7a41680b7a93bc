"""Models of MaskablePPO on disk: tensors, and beside them a JSON record of what it was trained on.

Stable-Baselines3 stores Python objects as pickles, and a pickle can run any code. Nothing here
unpickles: the policy is built from the record, which describes the network, and weights and the
optimiser's moments are a file of tensors (tensor_file.py).

Both files are written together, so a crash leaves the old ones. A model with the suffix .npz is a
Network, which contains its record.
"""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor
from torch import nn

from agemonia_env import __version__
from agemonia_env.files.stopping import uninterrupted
from agemonia_env.files.writing import write_json, write_whole
from agemonia_env.policies.learned import LearnedPolicy
from agemonia_env.policies.model_record import ModelError, record_beside
from agemonia_env.policies.named import check_model
from agemonia_env.policies.network import SUFFIX, Network, check_ruleset
from agemonia_env.policies.trainers import INSTALLED
from agemonia_env.rulesets.arguments import OBSERVATION_BOUND
from agemonia_env.rulesets.ruleset import Ruleset

from .fastmask import FastMaskableDistribution
from .tensor_file import OPTIMISER, POLICY, packed, part, read_tensors, take_optimiser, take_weights

PACKAGES = (
    "agemonia-env",
    "gymnasium",
    "numba",
    "numpy",
    "sb3-contrib",
    "safetensors",
    "stable-baselines3",
    "torch",
)

ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that shape a result; absent ones are left out."""
    found = {"agemonia_env": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def git_commit() -> str | None:
    """The commit of this file's checkout, with "+" appended if files were changed.

    None for an installed package, which may lie in a repository of its user. The repository is
    only read: git could leave a lock behind when a trainer is stopped.
    """
    if __package__ == INSTALLED:
        return None
    commit, changes = git("rev-parse", "HEAD"), git("status", "--porcelain", "-uno")
    if not commit or changes is None:
        return None
    return commit + ("+" if changes else "")


def git(*words: str) -> str | None:
    """The output of a git command in this file's folder; None if it fails."""
    command = ["git", "--no-optional-locks", "-C", str(Path(__file__).resolve().parent), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def made_by() -> dict[str, Any]:
    """Versions and commit, for a model's record."""
    return {"versions": versions(), "commit": git_commit()}


def columns_of(env: Any) -> dict[str, Any]:
    """What the record of a model says of the observations that it reads, those of an env."""
    rules, fit = env.ruleset, env.fit
    columns = None if fit is None else fit.columns.tolist()
    return {"n_observation": rules.N_OBSERVATION, "columns": columns}


def save_model(
    model: MaskablePPO, path: Path, record: dict[str, Any], reads: dict[str, Any] | None = None
) -> None:
    """Save `model` as `path` (.safetensors), and beside it `record` with the run's facts.

    reads: columns_of its env, None if it reads whole observations.
    """
    size = int(model.observation_space.shape[0])
    reads = reads or {"n_observation": size, "columns": None}
    network = architecture_of(model.policy)
    facts = {
        **record,
        "steps": int(model.num_timesteps),
        "n_observation": reads["n_observation"],
        "n_actions": int(model.action_space.n),
        "network": network and network | {"columns": reads["columns"]},
        **made_by(),
    }
    content = packed(model.policy, model.policy.optimizer)
    with uninterrupted():
        write_json(path.with_suffix(".json"), facts)
        write_whole(path, content)


def architecture_of(policy: Any) -> dict[str, Any] | None:
    """How to build the network of a policy again: model_record.Architecture, but for `columns`.

    None for a policy that needs its own code, such as another features extractor: it can be saved,
    but only its author can load it.
    """
    activation = {made: name for name, made in ACTIVATIONS.items()}.get(policy.activation_fn)
    known = policy.features_extractor_class is FlattenExtractor
    if not known or activation is None or not policy.share_features_extractor:
        return None
    sizes = policy.net_arch
    if not isinstance(sizes, dict):
        sizes = {"pi": sizes, "vf": sizes}
    return {
        "policy": list(sizes.get("pi", [])),
        "value": list(sizes.get("vf", [])),
        "activation": activation,
    }


def read_record(path: Path) -> dict[str, Any]:
    """The record of the model `path`: inside a Network, otherwise the JSON file beside it."""
    return dict(Network.load(path).record) if path.suffix == SUFFIX else record_beside(path)


def check_sizes(record: dict[str, Any], ruleset: Ruleset, path: Path) -> None:
    """Raise ModelError if observation or action sizes differ from the ruleset's."""
    sizes = record.get("n_observation"), record.get("n_actions")
    if sizes != (ruleset.N_OBSERVATION, ruleset.N_ACTIONS):
        raise ModelError(f"{path}: made for other sizes of observations and actions")


def built_policy(record: dict[str, Any], path: Path, size: int) -> Any:
    """The policy that a record describes, a MaskableActorCriticPolicy, untrained.

    size: bytes of the weights that it shall get. Raises ModelError if the record describes no
    network, or one that needs more.
    """
    network, beside = record.get("network"), path.with_suffix(".json")
    if network is None or not {"n_observation", "n_actions"} <= set(record):
        raise ModelError(f"{beside}: describes no network, which only its author can load")
    columns, n_actions = network["columns"], record["n_actions"]
    n_inputs = record["n_observation"] if columns is None else len(columns)
    hidden = {"pi": network["policy"], "vf": network["value"]}
    heads = zip(hidden.values(), (n_actions, 1), strict=True)
    layers = [
        pair for sizes, n in heads for pair in zip([n_inputs, *sizes], [*sizes, n], strict=True)
    ]
    if 4 * sum((n + 1) * m for n, m in layers) > size:
        raise ModelError(f"{path}: its weights do not fit the network in its record")
    made = MaskableActorCriticPolicy(
        spaces.Box(-OBSERVATION_BOUND, OBSERVATION_BOUND, (n_inputs,), np.float32),
        spaces.Discrete(n_actions),
        lambda _: 0.0,
        net_arch=hidden,
        activation_fn=ACTIVATIONS[network["activation"]],
        ortho_init=False,
    )
    made.action_dist = FastMaskableDistribution(n_actions)
    made.set_training_mode(False)
    return made


def load_policy(path: Path, record: dict[str, Any]) -> Any:
    """The policy of the model `path`, which acts as the trained one did.

    Raises ModelError, saying what is wrong.
    """
    weights = part(read_tensors(path), POLICY)
    made = built_policy(record, path, sum(one.nbytes for one in weights.values()))
    take_weights(made, weights, path)
    return made


def restore(model: MaskablePPO, path: Path, record: dict[str, Any]) -> None:
    """Restore weights, optimiser and step count of `path` in a new model. Raises ModelError."""
    tensors = read_tensors(path)
    take_weights(model.policy, part(tensors, POLICY), path)
    take_optimiser(model.policy.optimizer, part(tensors, OPTIMISER), path)
    model.num_timesteps = int(record["steps"])


def policy(
    ruleset: Ruleset,
    path: Path,
    *,
    name: str,
    likeliest: bool,
    fingerprint: str | None,
    force: bool,
) -> LearnedPolicy:
    """The MaskablePPO model `path` as a policy; see agemonia_env.policies.policy_of."""
    if not path.exists():
        raise ModelError(f"{path}: no such model")
    record = read_record(path)
    check_model(record, ruleset, path, force=force)
    check_sizes(record, ruleset, path)
    if fingerprint is not None:
        check_ruleset(record, fingerprint, path=path, force=force)
    model = load_policy(path, record)
    columns = record["network"]["columns"]
    one_at_a_time = Lock()  # every call refills the model's one distribution

    def logits(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
        if columns is not None:
            observations = observations[:, columns]
        with one_at_a_time, th.no_grad():
            found = model.get_distribution(th.from_numpy(observations), masks)
            return np.asarray(found.logits.numpy())

    return LearnedPolicy(ruleset, name, logits, record, likeliest)
