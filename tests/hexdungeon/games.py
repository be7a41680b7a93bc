"""Games of HexDungeon's own pack, side by side and as slots that restart."""

import functools

import numpy as np

from agemonia_env.core.env_slots import EPISODE, SLOT, Autoreset, Command
from agemonia_env.core.fitted import WHOLE
from agemonia_env.core.jit import zeros
from agemonia_env.core.work_stealing import split_into_blocks
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.actions import N_ACTIONS, N_WORDS
from agemonia_env.rulesets.hexdungeon.core.layout import CONTENT, STATE
from agemonia_env.rulesets.hexdungeon.core.obs_spec import N_OBS_INT8, N_OBSERVATION
from agemonia_env.rulesets.hexdungeon.core.observe import N_CACHED
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests import games

Games = functools.partial(games.Games, HEXDUNGEON)


class Slots:
    """Games as slots that restart, with the arrays a learner reads."""

    def __init__(self, scenarios, heroes, n, kind, autoreset=Autoreset.SAME_STEP):
        """kind: "int8", "float32" or "both": the observations written."""
        self.contents = zeros(CONTENT, len(scenarios))
        for k, name in enumerate(scenarios):
            self.contents[k] = games.content_of(HEXDUNGEON, name, heroes)[0]
        self.n, self.seed = n, 0
        self.states, self.slots = zeros(STATE, n), zeros(SLOT, n)
        self.raw = self.states.view(np.uint8).reshape(n, -1)
        self.episode = zeros(EPISODE)
        self.episode["control"], self.episode["max_decisions"] = 1, 10_000
        self.episode["autoreset"], self.episode["sign"] = autoreset, 1
        self.episode["opponent"] = -1
        self.blocks = split_into_blocks(n, 1)
        self.mask_rows = np.zeros((n, N_ACTIONS), np.uint8)
        self.legal = np.zeros((n, N_WORDS), np.int64)
        self.cached = np.zeros((n, N_CACHED), np.int16)
        n_int8, n_float32 = n * (kind != "float32"), n * (kind != "int8")
        obs_int8 = np.zeros((2 * n_int8, N_OBS_INT8), np.int8)  # last ones in the second half
        observations = np.zeros((2 * n_float32, N_OBSERVATION), np.float32)
        self.observed = obs_int8, observations
        self.obs_int8, self.observations = obs_int8[:n_int8], observations[:n_float32]
        self.step(np.zeros(n, np.int64), Command.BEGIN)

    def step(self, actions, commands=Command.PLAY):
        """A step of every slot; finished ones restart."""
        commands = np.full(self.n, commands, np.uint8)
        self.slots["next_seed"] = np.arange(self.seed, self.seed + self.n)
        self.slots["next_which"] = np.arange(self.n) % len(self.contents)
        self.seed += self.n
        api.play_slots(
            *(self.states, self.raw, self.contents, self.slots, commands, actions, self.episode),
            *(api.NO_ROWS, self.blocks, 0, api.CORE.generator.NO_DRAWING),
            *(self.mask_rows, self.legal, self.cached, *self.observed, *WHOLE),
        )

    @property
    def which(self):
        return np.ascontiguousarray(self.slots["which"])

    def chosen(self, policy=Policy.RANDOM):
        actions = np.zeros(self.n, np.int64)
        api.choose_actions(self.states, self.contents, self.which, int(policy), actions)
        return actions

    def rewritten(self):
        observations = np.zeros((self.n, N_OBSERVATION), np.float32)
        api.write_observations(self.states, self.contents, self.which, observations)
        return observations
