"""Games on a GPU: the arrays of env slots as torch tensors, and the kernels that play them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from agemonia_env.core.env_slots import SLOT, Autoreset, Command
from agemonia_env.core.event_log import N_COLUMNS
from agemonia_env.core.gpu_slots import UNDRAWN
from agemonia_env.core.pcg64 import generators
from agemonia_env.rulesets.ruleset import Ruleset

from .driver import Code, Launch
from .kernels import kernel_name

NUMBERS = {
    "bool": th.bool, "uint8": th.uint8, "int8": th.int8, "int16": th.int16, "int32": th.int32,
    "float32": th.float32, "float64": th.float64, "uint64": th.int64,
}  # fmt: skip
WIDTH = 64  # threads of a block
THREADS = 256  # of each multiprocessor that play at the same time: each has scratch memory


def on_card(records: NDArray[Any], device: th.device) -> th.Tensor:
    """Records as their bytes on the card, uint8 (n, itemsize)."""
    rows = records.view(np.uint8).reshape(len(records), -1)
    return th.from_numpy(rows).to(device)


class Games:
    """n games of a ruleset on a card, each in an env slot of its own.

    states, slots: the bytes of the records, uint8 (n, itemsize); masks: uint8 (n, N_ACTIONS);
    obs_int8: int8 (n + finals, N_OBS_INT8), observations: float32 (n + finals, N_OBSERVATION), one
    of which is empty. actions: int64 (n,), commands: uint8 (n,), of the next step.
    """

    def __init__(
        self,
        rules: Ruleset,
        code: Code,
        contents: NDArray[Any],
        episode: NDArray[Any],
        bounds: NDArray[np.float64],
        n: int,
        *,
        dtype: th.dtype = th.int8,
        device: th.device,
        width: int = WIDTH,
        threads: int = THREADS,
    ) -> None:
        self.rules, self.code, self.n, self.width, self.device = rules, code, n, width, device
        units = th.cuda.get_device_properties(device).multi_processor_count
        self.threads = min(-(-n // width) * width, units * threads)
        finals = n if int(episode["autoreset"][0]) == Autoreset.SAME_STEP else 0
        f32 = (n + finals) * (dtype == th.float32)

        def zeros(*shape: int, dtype: th.dtype = th.uint8) -> th.Tensor:
            return th.zeros(shape, dtype=dtype, device=device)

        self.states, self.slots = zeros(n, rules.STATE.itemsize), zeros(n, SLOT.itemsize)
        self.commands, self.actions = zeros(n), zeros(n, dtype=th.int64)
        self.generators = zeros(n, 4, dtype=th.int64)
        self.contents, self.episode = on_card(contents, device), on_card(episode, device)
        self.bounds = th.from_numpy(bounds).to(device)
        self.masks = zeros(n, rules.N_ACTIONS)
        self.legal = zeros(n, rules.N_WORDS, dtype=th.int64)
        self.cached = zeros(n, rules.N_CACHED, dtype=th.int16)
        self.obs_int8 = zeros(n if f32 else n + finals, rules.N_OBS_INT8, dtype=th.int8)
        self.observations = zeros(f32, rules.N_OBSERVATION, dtype=th.float32)
        self.whole = zeros(0, dtype=th.int16), zeros(0, 2, dtype=th.int16)
        self.rows = zeros(0, N_COLUMNS, dtype=th.int16)
        self.scratch = zeros(self.threads, np.dtype(rules.api.CORE.SCRATCH).itemsize)
        self.obs_scratch = zeros(self.threads, 1, rules.N_OBS_INT8, dtype=th.int8)
        self.play = self.launch("play", *self.games, self.commands, *self.played)
        self.write = self.launch(
            "write", *self.games, self.commands, *self.outputs, self.obs_scratch
        )

    @property
    def games(self) -> tuple[th.Tensor, ...]:
        """The first arguments of the functions of core/gpu_slots.py."""
        slots = self.slots, self.actions, self.episode, self.generators, self.bounds
        return self.states, self.states, self.contents, *slots

    @property
    def outputs(self) -> tuple[th.Tensor, ...]:
        """What a step writes: full observations, as core/fitted.py calls them WHOLE."""
        observed = self.obs_int8, self.observations, *self.whole
        return self.masks, self.legal, self.cached, *observed

    @property
    def played(self) -> tuple[th.Tensor, ...]:
        """The last arguments of a function that plays steps."""
        return *self.outputs, self.rows, self.scratch, self.obs_scratch

    def step(self) -> None:
        """Play a step in every slot, as its command and action say."""
        self.play()
        self.write()

    def launch(self, name: str, *arguments: th.Tensor | int, **how: Any) -> Launch:
        """A kernel with these arguments, ready to start; how: see Launch."""
        kernel = self.code.kernel(kernel_name(name))
        chosen = {"threads": self.threads, "width": self.width} | how
        return Launch(kernel, arguments, self.n, **chosen)

    def begin(self, seeds: Sequence[int]) -> None:
        """Begin a game in every slot, the same as a vector environment with these seeds."""
        new: NDArray[np.uint64] = generators(seeds)  # type: ignore[no-untyped-call]
        self.generators.copy_(th.from_numpy(new.view(np.int64)))
        self.of_slot("next_which").fill_(UNDRAWN)
        self.commands.fill_(Command.BEGIN)
        self.step()
        self.commands.fill_(Command.PLAY)

    def of_slot(self, name: str) -> th.Tensor:
        """A field of the slots (n,), which shares their memory."""
        return field(self.slots, SLOT, name)

    def of_state(self, name: str) -> th.Tensor:
        """A field of the states (n,), which shares their memory."""
        return field(self.states, self.rules.STATE, name)


def field(rows: th.Tensor, record: np.dtype[Any], name: str) -> th.Tensor:
    """A number of every record, given their bytes: (n,), of the same memory."""
    fields: Any = record.fields
    dtype, offset = fields[name][:2]
    return rows.view(NUMBERS[dtype.name])[:, offset // dtype.itemsize]
