"""Lanes of a batch by the rules (see kernel/lanes.py)."""

from ..kernel.lanes import lane_kernels
from . import masks, observe, seating, worth
from .rules import setup

play_lanes = lane_kernels(masks, observe, seating, setup, worth)
