"""The slots of core/env_slots.py, compiled for this ruleset."""

from agemonia_env.core.env_slots import slot_kernels

from . import control, masks, observe
from .heuristics import potential
from .rules import setup

play_slots, *_ = slot_kernels(masks, observe, control, setup, potential)
