"""Games of HexDungeon's own pack, side by side and as slots that begin anew."""

import functools

import numpy as np

from agemonia_env.core.env_slots import EPISODE, SLOT, Autoreset, Command
from agemonia_env.core.jit import zeros
from agemonia_env.core.work_stealing import cut
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.actions import N_ACTIONS, N_WORDS
from agemonia_env.rulesets.hexdungeon.core.layout import CONTENT, STATE
from agemonia_env.rulesets.hexdungeon.core.obs_spec import N_CODES, N_OBSERVATION
from agemonia_env.rulesets.hexdungeon.core.observe import N_SEEN
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests import games

Games = functools.partial(games.Games, HEXDUNGEON)


class Slots:
    """Games as slots that begin anew, with what a learner reads of them."""

    def __init__(self, scenarios, heroes, n, kind, autoreset=Autoreset.SAME_STEP):
        """kind: "codes", "floats" or "both", the observations kept up to date."""
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
        self.blocks = cut(n, 1)
        self.mask_rows = np.zeros((n, N_ACTIONS), np.uint8)
        self.legal = np.zeros((n, N_WORDS), np.int64)
        self.seen = np.zeros((n, N_SEEN), np.int16)
        n_codes, n_floats = n * (kind != "floats"), n * (kind != "codes")
        codes = np.zeros((2 * n_codes, N_CODES), np.int8)  # the last ones are in the second half
        observations = np.zeros((2 * n_floats, N_OBSERVATION), np.float32)
        self.sheets = codes, observations
        self.codes, self.observations = codes[:n_codes], observations[:n_floats]
        self.step(np.zeros(n, np.int64), Command.BEGIN)

    def step(self, actions, commands=Command.PLAY):
        """A step of every slot; of those that have ended others begin."""
        commands = np.full(self.n, commands, np.uint8)
        self.slots["next_seed"] = np.arange(self.seed, self.seed + self.n)
        self.slots["next_which"] = np.arange(self.n) % len(self.contents)
        self.seed += self.n
        api.play_slots(
            *(self.states, self.raw, self.contents, self.slots, commands, actions, self.episode),
            *(api.NO_ROWS, self.blocks, 0, self.mask_rows, self.legal, self.seen, *self.sheets),
        )

    @property
    def which(self):
        return np.ascontiguousarray(self.slots["which"])

    def chosen(self, policy=Policy.RANDOM):
        actions = np.zeros(self.n, np.int64)
        api.choose_actions(self.states, self.contents, self.which, int(policy), actions)
        return actions

    def written_anew(self):
        observations = np.zeros((self.n, N_OBSERVATION), np.float32)
        api.write_observations(self.states, self.contents, self.which, observations)
        return observations
