"""Lanes of a batch by the rules (see core/env_slots.py)."""

from agemonia_env.core.env_slots import lane_kernels

from . import control, masks, observe
from .heuristics import hero_value
from .rules import setup

play_lanes = lane_kernels(masks, observe, control, setup, hero_value)
