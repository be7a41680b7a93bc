"""The potential of shaped rewards, from what a ruleset knows about a position.

Rewards gain gamma * potential(after) - potential(before). Over a game these terms add up to a
constant, so the best policy stays the best (Ng, Harada, Russell, ICML 1999).
"""

from .jit import kernel

HEALTH, OBJECTIVE, FIGHT = 0.5, 0.4, 0.1  # weights; their sum is 1
ON_THE_WAY = 0.5  # share of the next part of an objective for being where it is achieved


@kernel
def weighted(health, progress, beaten):
    """The potential, in [-1, 1]; 0 for a party in full health that has achieved nothing.

    health: share of the party's health left; progress: share of the objective achieved; beaten:
    share of the enemies' health lost. The last two are -1 or more: reinforcements lower them.
    """
    return HEALTH * (health - 1.0) + OBJECTIVE * progress + FIGHT * beaten


@kernel
def nearness(steps, far):
    """1 at the goal, and less by the same amount for every step; 0 from `far` steps on."""
    return max(0.0, 1.0 - steps / far)


@kernel
def share(done, near, number):
    """Share of an objective of `number` parts, `done` of them achieved; near: to the next part."""
    return min(1.0, (done + ON_THE_WAY * near) / max(1, number))


@kernel
def rounds_held(s, number):
    """Share of the rounds to be held that are over."""
    return share(max(0, s.round - 1), 0.0, number)
