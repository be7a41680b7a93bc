"""Reads files of torch.save without running their code, and checks them before use."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import torch as th
from torch import nn

from agemonia_env.policies.archives import members, open_archive
from agemonia_env.policies.model_record import ModelError

MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # of Adam, for each parameter


def parse_torch(data: bytes, path: Path, message: str) -> Any:
    """Read the bytes of `torch.save`: only tensors, numbers and texts (weights_only).

    Raises ModelError with this message for anything else.
    """
    with open_archive(data, path, message) as archive:
        members(archive, path, lambda name: True)  # its size is checked
        return th.load(io.BytesIO(data), weights_only=True, map_location="cpu")


def take_weights(module: nn.Module, saved: Any, path: Path) -> None:
    """Load saved weights into a module. Raises ModelError if shapes or types differ.

    Integers, such as the columns of the observation, must equal the module's own.
    """
    own = module.state_dict()
    if not isinstance(saved, dict) or set(saved) != set(own):
        raise ModelError(f"{path}: its weights do not fit the network in its record")
    for name, tensor in own.items():
        wanted = f"{tensor.dtype}".removeprefix("torch."), tuple(tensor.shape)
        if not _is_like(saved[name], tensor):
            raise ModelError(f"{path}: {name}: must be {wanted[0]} {wanted[1]}, and finite")
        if not tensor.is_floating_point() and not th.equal(saved[name], tensor.cpu()):
            raise ModelError(f"{path}: {name}: differs from its record")
    module.load_state_dict(saved)


def take_optimiser(optimiser: th.optim.Adam, saved: Any, path: Path) -> None:
    """Load saved moments into an optimiser, keeping its settings. Raises ModelError."""
    own = optimiser.state_dict()
    parameters = [one for group in optimiser.param_groups for one in group["params"]]
    state = saved.get("state") if isinstance(saved, dict) else None
    if not isinstance(state, dict) or list(state) not in ([], list(range(len(parameters)))):
        raise ModelError(f"{path}: its optimiser does not fit the network")
    for number, moments in state.items():
        if not isinstance(moments, dict) or set(moments) != set(MOMENTS):
            raise ModelError(f"{path}: its optimiser is not Adam")
        step, mean, squares = (moments[name] for name in MOMENTS)
        own_one = parameters[number]
        fits = _is_like(step, th.tensor(0.0)) and _is_like(mean, own_one)
        if not fits or not _is_like(squares, own_one) or step < 0 or (squares < 0).any():
            raise ModelError(f"{path}: its optimiser does not fit parameter {number}")
    optimiser.load_state_dict({"state": state, "param_groups": own["param_groups"]})


def _is_like(saved: Any, own: th.Tensor) -> bool:
    """Whether a saved value is a finite tensor of the same kind and shape."""
    return (
        isinstance(saved, th.Tensor)
        and saved.layout == th.strided
        and saved.device.type == "cpu"
        and saved.dtype == own.dtype
        and saved.shape == own.shape
        and bool(th.isfinite(saved).all())
    )
