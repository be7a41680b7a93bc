"""Advice for players who do not use the mask: nothing else would tell them of it."""

from __future__ import annotations

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

FEWEST = 20  # actions of an episode that says something
_given = False  # in this process


def advise(illegal: int, steps: int) -> None:
    """Warn, once in a process, if most of the actions of an episode were illegal."""
    global _given
    if _given or steps < FEWEST or 2 * illegal <= steps:
        return
    _given = True
    logger.warn(
        f"{illegal:,} of the {steps:,} actions of an episode were illegal. The mask says which are "
        'legal: info["action_mask"], or action_masks() of the environment, which MaskablePPO of '
        "sb3-contrib reads; the wrapper MaskInObservation puts it into the observation"
    )


class IllegalActions:
    """Counts the illegal actions of n games, to give that advice when an episode is over."""

    def __init__(self, n: int) -> None:
        self._illegal = np.zeros(n, np.int64)
        self._begun = np.zeros(n, np.int64)  # step after which the episode began
        self._step = 0
        self._any = False  # whether there was one

    def count(
        self, n_illegal: int, illegal: NDArray[np.bool_], over: list[int], began: list[int]
    ) -> None:
        """Note a step of all games; over, began: indices of episodes that it ended or began."""
        self._step += 1
        changed = over + began
        if n_illegal or self._any:
            self._any = True
            self._illegal += illegal
            for i in changed:
                advise(int(self._illegal[i]), self._step - int(self._begun[i]))
            self._illegal[changed] = 0
        self._begun[changed] = self._step
