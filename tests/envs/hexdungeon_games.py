"""Random games of HexDungeon for tests of its words and pictures."""

import numpy as np

from agemonia_env.core.event_log import clear_rows, empty_rows
from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.hexdungeon.content.compile import compile_scenario
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.layout import STATE
from agemonia_env.rulesets.hexdungeon.view.event_text import event_texts
from agemonia_env.rulesets.hexdungeon.view.legal_targets import offer_of

CLASSES = ("wallwright", "cinderhand", "bellkeeper", "fenrunner", "thornarm", "burrowcaller")


class Game:
    """One game with its log; every decision with a choice is asked."""

    def __init__(self, scenario, heroes, seed=0):
        self.compiled = compile_scenario("hex-core", scenario, heroes)
        self.states, self.which = zeros(STATE), np.zeros(1, np.int16)
        self.rows, self.denials = empty_rows(), np.zeros(1, np.int16)
        self.random = np.random.default_rng(seed)
        seeds, select = np.array([seed], np.uint64), np.ones(1, np.uint8)
        api.reset(self.states, self.compiled.content, self.which, seeds, select, 0, self.rows)

    @property
    def state(self):
        return self.states[0]

    def happened(self):
        return event_texts(self.rows, self.state, self.compiled)

    def legal(self):
        return list(offer_of(self.state, self.compiled).actions)

    def step(self, action):
        clear_rows(self.rows)
        actions = np.array([action])
        which, rows = self.which, self.rows
        api.step(self.states, self.compiled.content, which, actions, 0, rows, self.denials)
        assert self.denials[0] == 0

    def play(self, steps):
        """Random steps -> the positions before each, as long as the game goes on."""
        for _ in range(steps):
            if self.state["ending"]:
                return
            yield self.state
            self.step(int(self.random.choice(self.legal())))


def party(seed):
    """Four classes, so that all of them come up."""
    return [CLASSES[(seed + k) % len(CLASSES)] for k in (0, 1, 3, 4)]
