"""Games of one scenario side by side, of any ruleset, and random play of environments."""

import functools
import multiprocessing

import numpy as np

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.core.jit import zeros


@functools.cache
def content_of(rules, scenario, heroes, **more):
    """Compiled, CONTENT (1,)."""
    return rules.check_arguments(scenario=scenario, heroes=heroes, **more).reference().content


def random_steps(env, limit=10_000, seed=0):
    """What each step of random legal play returns, as it is made, to the end of the episode."""
    random = np.random.default_rng(seed)
    for _ in range(limit):
        returned = env.step(int(random.choice(env.legal_actions())))
        yield returned
        if returned[2] or returned[3]:
            return


def mostly_legal(random, masks, step):
    """Legal actions, now and then one of any kind."""
    actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks])
    if step % 30 == 29:
        actions[step % len(actions)] = random.integers(masks.shape[1])
    return actions


def same(one, other):
    """Whether two nests of arrays and values are equal, types included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray) and one.dtype != object:
        alike = (one.dtype, one.shape) == (other.dtype, other.shape)
        return alike and one.tobytes() == other.tobytes()
    if isinstance(one, list | tuple | np.ndarray):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def answer_of_a_fork(work, env):
    """What a forked process sends that calls work(env, pipe)."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=work, args=(env, there), daemon=True)
    child.start()
    there.close()
    try:
        assert here.poll(20), "the child hangs"
        return here.recv()
    finally:
        child.kill()
        child.join()


class Games:
    """n games of one scenario, each begun from its seed. rules: a Ruleset; more: arguments.

    rows: of the event log; they are not cleared.
    """

    def __init__(self, rules, scenario, heroes, seeds, auto_ties=1, rows=None, **more):
        self.rules, self.api = rules, rules.api
        self.rows = self.api.NO_ROWS if rows is None else rows
        self.contents = content_of(rules, scenario, heroes, **more)
        self.n = len(seeds)
        self.auto_ties = auto_ties
        self.states = zeros(rules.STATE, self.n)
        self.which = np.zeros(self.n, np.int16)
        self.denials = np.zeros(self.n, np.int16)
        seeds, select = np.array(seeds, np.uint64), np.ones(self.n, np.uint8)
        self.api.reset(*self.records, seeds, select, auto_ties, self.rows)

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
        self.api.step(*self.records, actions, ties, self.rows, self.denials)
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
