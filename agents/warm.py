"""Calls the compiled functions of the trainers, to compile them ahead of time."""

import numpy as np

from .train_imitation import imitation_gradient
from .train_ppo import F32, Rollout, draw_actions, estimate, loss_gradient


def call_entries() -> None:
    """Call each with arrays of one decision and the dtypes of training."""
    room = Rollout.allocate(1, 1, 1, 1)
    outputs, part, sums = np.zeros((1, 2), F32), np.zeros(1, np.int64), np.zeros(4)
    masks = np.ones((1, 1), np.int8)
    draw_actions(outputs, masks, np.zeros(1, F32), room.actions[0], room.log_probs[0])
    estimate(room.rewards, room.values, room.ends, F32(0.9), F32(0.9), room.advantages)
    drawn = room.actions.ravel(), room.log_probs.ravel(), room.advantages.ravel()
    returns, gradient = np.zeros(1, F32), np.zeros_like(outputs)
    loss_gradient(outputs, part, masks, *drawn, returns, np.zeros(3, F32), gradient, sums)
    targets = np.ones((1, 1), F32)
    imitation_gradient(outputs, part, masks, targets, returns, np.ones(1, F32), gradient, sums)
