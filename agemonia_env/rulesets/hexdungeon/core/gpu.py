"""What a GPU runs of this ruleset; see core/gpu_slots.py."""

from agemonia_env.core.gpu_slots import gpu_entries
from agemonia_env.core.jit import kernel

from . import control, masks, observe, policies
from .heuristics import potential
from .heuristics.hero_value import WORK
from .layout import PLAN
from .rules import setup

SCRATCH = (PLAN, WORK)  # records of every thread


@kernel
def settle(s, c, bits, scratch, t, legal, rows):
    """control.settle with the scratch records of thread t."""
    return control.settle(s, c, bits, scratch[0][t], scratch[1][t], legal, rows)


@kernel
def choose(s, c, policy, scratch, t, legal, n):
    """policies.choose with the scratch record of thread t."""
    return policies.choose(s, c, policy, scratch[1][t], legal, n)


ENTRIES = gpu_entries(masks, observe, control, setup, potential, settle, choose)
