"""Files of named tensors, in the format safetensors: numbers and their shapes, and nothing else.

torch's own files are pickles. Even its safe loader (weights_only) lets a file of 400 bytes allocate
gigabytes or hash a tuple for ever, so they are not read at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import safetensors.torch
import torch as th
from torch import nn

from agemonia_env.policies.archives import read_model
from agemonia_env.policies.model_record import ModelError

SUFFIX = ".safetensors"
POLICY, OPTIMISER = "policy.", "optimiser."  # start the names of tensors
MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # of Adam, for each parameter
MOST_HEADER = 2**20  # bytes: names, types and shapes; those of the largest network take 30 KB
NOT_ONE = "damaged, or not a file of tensors (safetensors)"


def packed(module: nn.Module | None, optimiser: th.optim.Optimizer) -> bytes:
    """The weights of a module, if given, and the moments of its optimiser, as a file."""
    tensors = {} if module is None else named(POLICY, module.state_dict())
    for number, moments in optimiser.state_dict()["state"].items():
        tensors |= named(f"{OPTIMISER}{number}.", moments)
    return safetensors.torch.save({name: one.cpu().clone() for name, one in tensors.items()})


def named(prefix: str, tensors: Mapping[str, th.Tensor]) -> dict[str, th.Tensor]:
    """Tensors with a prefix to their names, contiguous."""
    return {prefix + name: one.detach().contiguous() for name, one in tensors.items()}


def part(tensors: Mapping[str, th.Tensor], prefix: str) -> dict[str, th.Tensor]:
    """The tensors whose names start with a prefix, without it."""
    return {name.removeprefix(prefix): tensors[name] for name in tensors if name.startswith(prefix)}


def read_tensors(path: Path) -> dict[str, th.Tensor]:
    """The tensors of a file by name. Raises ModelError, saying what is wrong.

    They take twice the memory of the file: its header says which bytes belong to which tensor, and
    every byte belongs to one.
    """
    data = read_model(path)
    if len(data) < 8 or int.from_bytes(data[:8], "little") > MOST_HEADER:
        raise ModelError(f"{path}: {NOT_ONE}")
    try:
        return safetensors.torch.load(data)
    except Exception:  # of several kinds, for a type that torch lacks as well
        raise ModelError(f"{path}: {NOT_ONE}") from None


def check_shapes(module: nn.Module, saved: Mapping[str, th.Tensor], path: Path) -> None:
    """Raise ModelError unless the tensors have the names, types and shapes of a module's own."""
    own = module.state_dict()
    if set(saved) != set(own):
        raise ModelError(f"{path}: its weights do not fit the network in its record")
    for name, tensor in own.items():
        if saved[name].dtype != tensor.dtype or saved[name].shape != tensor.shape:
            wanted = f"{tensor.dtype}".removeprefix("torch."), tuple(tensor.shape)
            raise ModelError(f"{path}: {name}: must be {wanted[0]} {wanted[1]}")


def take_weights(module: nn.Module, saved: Mapping[str, th.Tensor], path: Path) -> None:
    """Load saved weights into a module. Raises ModelError if they do not fit or are not finite.

    Integers, such as the columns of the observation, must equal the module's own.
    """
    check_shapes(module, saved, path)
    for name, tensor in module.state_dict().items():
        if not th.isfinite(saved[name]).all():
            raise ModelError(f"{path}: {name}: has values that are not finite")
        if not tensor.is_floating_point() and not th.equal(saved[name], tensor.cpu()):
            raise ModelError(f"{path}: {name}: differs from its record")
    module.load_state_dict(saved)


def take_optimiser(optimiser: th.optim.Adam, saved: Mapping[str, th.Tensor], path: Path) -> None:
    """Load saved moments into an optimiser, keeping its settings. Raises ModelError."""
    own = optimiser.state_dict()
    parameters = [one for group in optimiser.param_groups for one in group["params"]]
    names = {f"{k}.{moment}" for k in range(len(parameters)) for moment in MOMENTS}
    if set(saved) not in (set(), names):
        raise ModelError(f"{path}: its optimiser does not fit the network")
    state: dict[int, dict[str, Any]] = {}
    for number, parameter in enumerate(parameters if saved else ()):
        moments = {moment: saved[f"{number}.{moment}"] for moment in MOMENTS}
        step, mean, squares = moments.values()
        fits = _is_like(step, th.tensor(0.0)) and _is_like(mean, parameter)
        if not fits or not _is_like(squares, parameter) or step < 0 or (squares < 0).any():
            raise ModelError(f"{path}: its optimiser does not fit parameter {number}")
        state[number] = moments
    optimiser.load_state_dict({"state": state, "param_groups": own["param_groups"]})


def _is_like(saved: th.Tensor, own: th.Tensor) -> bool:
    """Whether a saved tensor is finite and has the type and shape of another one."""
    same = saved.dtype == own.dtype and saved.shape == own.shape
    return same and bool(th.isfinite(saved).all())
