"""Load compiled rules onto a GPU and launch their kernels, by the CUDA driver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch as th
from cuda.bindings import driver


class GpuError(RuntimeError):
    """The CUDA driver refused; the message has its reason."""


def check(answer: tuple[Any, ...]) -> Any:
    """What a call of the driver returned besides its status. Raises GpuError if it failed."""
    status, *values = answer
    if status != driver.CUresult.CUDA_SUCCESS:
        _, text = driver.cuGetErrorString(status)
        raise GpuError(f"CUDA: {text.decode() if text else status}")
    return values[0] if len(values) == 1 else values


class Launch:
    """A kernel with its arguments; calling it starts it on the current stream of torch.

    The tensors must keep their places. order: int64 (k,), the slots to play, sorted as threads
    should play them; none: the first n.
    """

    def __init__(
        self,
        kernel: Any,
        arguments: Sequence[th.Tensor | int],
        n: int,
        *,
        order: th.Tensor | None = None,
        threads: int,
        width: int,
    ) -> None:
        numbers = [n, 0 if order is None else order.data_ptr()]
        for one in arguments:
            numbers += [one] if isinstance(one, int) else [one.data_ptr(), len(one)]
        self.kernel, self.keep = kernel, (arguments, order)
        self.numbers = np.array(numbers, np.uint64)
        self.places = self.numbers.ctypes.data + 8 * np.arange(len(numbers), dtype=np.uint64)
        self.blocks, self.width = -(-min(n, threads) // width), width

    def __call__(self) -> None:
        """Start it."""
        stream = th.cuda.current_stream().cuda_stream
        grid = self.blocks, 1, 1, self.width, 1, 1
        check(driver.cuLaunchKernel(self.kernel, *grid, 0, stream, self.places.ctypes.data, 0))


class Code:
    """Compiled rules on a card."""

    def __init__(self, image: bytes, device: th.device) -> None:
        """Load PTX or machine code. Raises GpuError if the driver refuses it."""
        th.cuda.set_device(device)
        th.zeros(1, device=device)  # torch's context becomes the current one
        self.module = check(driver.cuModuleLoadData(image + b"\0"))

    def kernel(self, name: str) -> Any:
        """A kernel by its name."""
        return check(driver.cuModuleGetFunction(self.module, name.encode()))
