"""Games of one scenario side by side, of any ruleset, played through the entries of its core."""

import functools

import numpy as np

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.core.jit import zeros


@functools.cache
def content_of(rules, scenario, heroes, **more):
    """Compiled, CONTENT (1,)."""
    return rules.check_arguments(scenario=scenario, heroes=heroes, **more).reference().content


class Games:
    """n games of one scenario, each begun from its seed. rules: a Ruleset; more: arguments."""

    def __init__(self, rules, scenario, heroes, seeds, auto_ties=1, **more):
        self.rules, self.api = rules, rules.api
        self.contents = content_of(rules, scenario, heroes, **more)
        self.n = len(seeds)
        self.auto_ties = auto_ties
        self.states = zeros(rules.STATE, self.n)
        self.which = np.zeros(self.n, np.int16)
        self.denials = np.zeros(self.n, np.int16)
        seeds, select = np.array(seeds, np.uint64), np.ones(self.n, np.uint8)
        self.api.reset(*self.records, seeds, select, auto_ties, self.api.NO_ROWS)

    @property
    def records(self):
        """What most entries begin with."""
        return self.states, self.contents, self.which

    @property
    def running(self):
        return self.states["ending"] == GOING_ON

    def masks(self):
        masks = np.zeros((self.n, self.rules.N_ACTIONS), np.uint8)
        self.api.write_masks(*self.records, masks)
        return masks

    def all_denials(self, i=0):
        denials = np.zeros(self.rules.N_ACTIONS, np.int16)
        self.api.write_denials(*self.records, i, denials)
        return denials

    def observations(self):
        observations = np.zeros((self.n, self.rules.N_OBSERVATION), np.float32)
        self.api.write_observations(*self.records, observations)
        return observations

    def features(self, masks):
        """Of the actions in the masks, int8 (m, N_ACTION_FEATURES)."""
        counts = np.count_nonzero(masks, axis=1)
        rows = np.full((counts.sum(), self.rules.N_ACTION_FEATURES), -1, np.int8)
        self.api.write_action_features(*self.records, masks, counts.cumsum() - counts, rows)
        return rows

    def chosen(self, policy=None):
        """An action for each game; without a policy at random."""
        policy = self.rules.POLICIES["random"] if policy is None else policy
        actions = np.zeros(self.n, np.int64)
        self.api.choose_actions(*self.records, int(policy), actions)
        return actions

    def step(self, actions):
        actions, ties = np.array(actions, np.int64), self.auto_ties
        self.api.step(*self.records, actions, ties, self.api.NO_ROWS, self.denials)
        return self.denials.copy()

    def play(self, policy, limit):
        """Play on inside the compiled loop -> (decisions, bits of broken invariants per game)."""
        broken = np.zeros(self.n, np.int64)
        played = self.api.rollout(*self.records, int(policy), self.auto_ties, limit, broken)
        return int(played), broken

    def status(self):
        broken = np.zeros(self.n, np.int64)
        self.api.status(*self.records, broken)
        return broken
