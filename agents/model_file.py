"""Models on disk: a Stable-Baselines3 zip, and beside it a JSON record of what it was trained on.

Both files are written at once, so that a crash leaves the old ones.
A model with the suffix .npz is a Network, which has its record in it.
"""

from __future__ import annotations

import io
import json
import platform
import subprocess
import zipfile
import zlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from agemonia_env import __version__
from agemonia_env.envs.ruleset import Ruleset
from agemonia_env.policies.learned import Learned
from agemonia_env.policies.named import check_model
from agemonia_env.policies.network import SUFFIX, ModelError, Network, check_ruleset
from agemonia_env.stopping import unbroken
from agemonia_env.writing import write_json, write_whole

from .fastmask import use_fast_masks

PACKAGES = (
    "agemonia-env",
    "gymnasium",
    "numba",
    "numpy",
    "sb3-contrib",
    "stable-baselines3",
    "torch",
)

PARTS = {"data", "policy.pth"}  # of a Stable-Baselines3 zip


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
    """The commit of the checkout that this file lies in, "+" appended if it was changed."""
    folder = Path(__file__).resolve().parent
    try:
        run = ["git", "-C", str(folder), "describe", "--always", "--abbrev=40", "--dirty=+"]
        done = subprocess.run(run, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def made_by() -> dict[str, Any]:
    """Versions and commit, for a model's record."""
    return {"versions": versions(), "commit": git_commit()}


def save_model(model: MaskablePPO, path: Path, record: dict[str, Any]) -> None:
    """Save `model` as `path` (.zip) with `record` and the run's facts as JSON beside it."""
    facts = {
        **record,
        "steps": int(model.num_timesteps),
        "n_observation": int(model.observation_space.shape[0]),
        "n_actions": int(model.action_space.n),
        **made_by(),
    }
    content = io.BytesIO()
    model.save(content)
    with unbroken():
        write_json(path.with_suffix(".json"), facts)
        write_whole(path, content.getvalue())


def read_record(path: Path) -> dict[str, Any]:
    """The record of the model `path`: beside it as JSON, or in it if it is a Network."""
    if path.suffix == SUFFIX:
        return dict(Network.load(path).record)
    record_path = path.with_suffix(".json")
    try:
        record = json.loads(record_path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        other = path.with_suffix(SUFFIX)
        told = f"; {other} is a model" if other.is_file() else ""
        raise ModelError(
            f"{record_path}: missing; a model needs its record beside it{told}"
        ) from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{record_path}: not a readable record ({error})") from None
    if not isinstance(record, dict) or "fingerprint" not in record:
        raise ModelError(f"{record_path}: not a model's record: it names no ruleset fingerprint")
    return record


def is_whole(path: Path) -> bool:
    """Whether `path` is a complete zip file whose parts match their checksums.

    The names are looked at, too: parts of a model are zip files themselves, and a truncated model
    can end in a complete one.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return set(archive.namelist()) >= PARTS and archive.testzip() is None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
        return False


def load_model(
    path: Path, fingerprint: str | None, *, force: bool = False, env: Any = None
) -> tuple[MaskablePPO, dict[str, Any]]:
    """Load the model `path` and its record; raises ModelError with the one thing that is wrong.

    `fingerprint` is that of the ruleset the model is about to meet (None: it is not asked), `env` a
    VecEnv to go on training in (None: only play).
    """
    if not path.is_file():
        raise ModelError(f"{path}: no such model")
    record = read_record(path)
    if fingerprint is not None:
        check_ruleset(record, fingerprint, path=path, force=force)
    if not is_whole(path):
        raise ModelError(f"{path}: truncated or damaged; delete it and use an earlier one")
    try:
        model = MaskablePPO.load(path, env=env, device="cpu")
    except Exception as error:  # torch and pickle each have their own for what they cannot read
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        raise ModelError(f"{path}: cannot be loaded: {first_line}") from error
    return use_fast_masks(model), record


def policy(
    ruleset: Ruleset,
    path: Path,
    *,
    name: str,
    likeliest: bool,
    fingerprint: str | None,
    force: bool,
) -> Learned:
    """The model `path`, MaskablePPO, as a policy; see agemonia_env.policies.policy_of."""
    model, record = load_model(path, None)
    check_model(record, ruleset, path)
    sizes = model.observation_space.shape, int(model.action_space.n)
    if sizes != ((ruleset.N_OBSERVATION,), ruleset.N_ACTIONS):
        raise ModelError(f"{path}: made for observations and actions of other sizes")
    if fingerprint is not None:
        check_ruleset(record, fingerprint, path=path, force=force)
    one_at_a_time = Lock()  # the model has one distribution, which every call fills anew

    def logits(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
        with one_at_a_time, th.no_grad():
            found = model.policy.get_distribution(th.from_numpy(observations), masks)
            return np.asarray(found.logits.numpy())

    return Learned(ruleset, name, logits, record, likeliest)
