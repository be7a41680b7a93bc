"""What tests of the core share: a table of games, played through the entries of the core."""

import functools
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from agemonia_env.agemonia import api
from agemonia_env.agemonia.actions import N_ACTIONS
from agemonia_env.agemonia.layout import STATE
from agemonia_env.agemonia.policies import Policy
from agemonia_env.agemonia.sheet import N_OBSERVATION
from agemonia_env.content.compile import compile_scenario
from agemonia_env.kernel.jit import zeros

ROOT = Path(__file__).resolve().parents[1]


@functools.cache
def content_of(scenario, heroes):
    return compile_scenario("core", scenario, heroes).content


class Table:
    """n games of one scenario, each begun from its seed."""

    def __init__(self, scenario, heroes, seeds, auto_ties=1):
        self.contents = content_of(scenario, heroes)
        self.n = len(seeds)
        self.auto_ties = auto_ties
        self.states = zeros(STATE, self.n)
        self.which = np.zeros(self.n, np.int16)
        self.denials = np.zeros(self.n, np.int16)
        seeds, select = np.array(seeds, np.uint64), np.ones(self.n, np.uint8)
        api.reset(self.states, self.contents, self.which, seeds, select, auto_ties, api.NO_ROWS)

    def masks(self):
        masks = np.zeros((self.n, N_ACTIONS), np.uint8)
        api.write_masks(self.states, self.contents, self.which, masks)
        return masks

    def all_denials(self, i=0):
        denials = np.zeros(N_ACTIONS, np.int16)
        api.write_denials(self.states, self.contents, self.which, i, denials)
        return denials

    def observations(self):
        observations = np.zeros((self.n, N_OBSERVATION), np.float32)
        api.write_observations(self.states, self.contents, self.which, observations)
        return observations

    def chosen(self, policy=Policy.RANDOM):
        actions = np.zeros(self.n, np.int64)
        api.choose_actions(self.states, self.contents, self.which, int(policy), actions)
        return actions

    def step(self, actions):
        actions = np.array(actions, np.int64)
        ties = self.auto_ties
        api.step(self.states, self.contents, self.which, actions, ties, api.NO_ROWS, self.denials)
        return self.denials.copy()

    def play(self, policy, limit):
        """Play on inside the compiled loop -> (decisions, bits of broken invariants per game)."""
        broken = np.zeros(self.n, np.int64)
        played = api.rollout(
            self.states, self.contents, self.which, int(policy), self.auto_ties, limit, broken
        )
        return int(played), broken

    def status(self):
        broken = np.zeros(self.n, np.int64)
        api.status(self.states, self.contents, self.which, broken)
        return broken


@pytest.fixture(scope="session")
def table():
    return Table


@pytest.fixture(scope="session")
def load_script():
    """A function that imports a script of the repository by its path."""

    @functools.cache
    def load(path):
        name = "script_" + path.replace("/", "_").removesuffix(".py").replace("-", "_")
        spec = importlib.util.spec_from_file_location(name, ROOT / path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    return load
