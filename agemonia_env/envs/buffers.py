"""Memory of one's own for what a vector env writes: NumPy, torch (pinned, too), or any DLPack."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.messages import shown

OBSERVATIONS, MASKS = KEYS = "observations", "action_mask"
TAKEN = {"bool": "uint8", "int8": "uint8"}  # masks of these types are written as bytes


def own_buffers(
    out: Mapping[str, Any] | None,
    observations: tuple[int, int],
    dtype: np.dtype[Any],
    masks: tuple[int, int],
) -> dict[str, NDArray[Any]]:
    """The buffers of the argument `out`, zeroed, by the fields of SlotArrays that they are.

    `out` maps KEYS to arrays of these shapes and type. ValueError says what is wrong with one.
    """
    if out is None:
        return {}
    if not isinstance(out, Mapping) or not set(out) <= set(KEYS):
        raise ValueError(f"out={shown(out)}: must map {OBSERVATIONS!r} or {MASKS!r} to arrays")
    found = {}
    for name, buffer in out.items():
        array, shape, type_of = _array_of(name, buffer), observations, dtype
        field = "observations" if dtype == np.float32 else "obs_int8"
        if name == MASKS:
            array = array.view(TAKEN.get(array.dtype.name, array.dtype))
            field, shape, type_of = "masks", masks, np.dtype(np.uint8)
        if array.shape != shape or array.dtype != type_of:
            wanted = f"{'bool' if name == MASKS else dtype.name} {shape}"
            raise ValueError(f"out: {name}: must be {wanted}, not {array.dtype} {array.shape}")
        if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
            raise ValueError(f"out: {name}: must be contiguous, aligned and not read-only")
        found[field] = array
    for array in found.values():
        array.fill(0)  # the core writes only what changes
    return found


def _array_of(name: str, buffer: Any) -> NDArray[Any]:
    """An array that shares the memory of a buffer."""
    if isinstance(buffer, np.ndarray):
        return np.asarray(buffer)  # of a subclass, such as memmap, too
    torch = sys.modules.get("torch")
    try:
        if torch is not None and isinstance(buffer, torch.Tensor):
            return np.asarray(buffer.numpy())  # by DLPack of older versions it is read-only
        return np.from_dlpack(buffer)
    except (AttributeError, TypeError, BufferError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"out: {name}: {shown(buffer)} is no array in memory: {reason}") from None
