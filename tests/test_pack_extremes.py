"""Packs whose numbers are at the ends of their ranges play without a number leaving its own."""

import random
from contextlib import suppress

import numpy as np
import pytest

from agemonia_env.balance.parameters import numbers
from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.packs.folders import ContentError
from agemonia_env.packs.patches import path_text
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of

VARIANTS = 150 if COMPILED else 3
CHANGED = 12  # numbers of a pack
ENDS = (-9, 0, 1, 9, 12, 20, 64, 99, 127, 999)  # of ranges; what a key does not allow is refused
GAMES, STEPS, LOOKS = 24, 40, 12
COUNTS = ("damage_dealt", "damage_taken", "round", "n_exhausted", "decisions")
SIGNED = ("force_left", "push_left", "timer_missing", "rounds_left", "check_modifier")


class Extremes:
    """Variants of a ruleset's own pack."""

    def __init__(self, env_id):
        self.rules = ruleset_of(env_id)
        self.tools = RULESETS[env_id].open("pack_tools")
        self.pack = self.rules.check_arguments().pack
        cards = self.tools.cards(self.pack)
        self.scenarios = list(self.rules.load_pack(self.pack).scenarios)
        self.paths = []
        for card in cards:
            with suppress(ContentError):  # a file without numbers
                self.paths += numbers(self.tools, self.pack, [path_text(card)])

    def variant(self, draw):
        """A pack with some numbers at the ends of their ranges, as text."""
        pack = self.pack
        for path in draw.sample(self.paths, CHANGED):
            with suppress(ValueError):  # outside of the range, or others depend on it
                pack = self.tools.variant(pack, f"{path} = {draw.choice(ENDS)}")
        return pack


def played(rules, content, look):
    """Play random games of a scenario, with looks at the states in between."""
    states, which = zeros(rules.STATE, GAMES), np.zeros(GAMES, np.int16)
    seeds, select = np.arange(GAMES, dtype=np.uint64), np.ones(GAMES, np.uint8)
    rules.api.reset(states, content, which, seeds, select, 1, rules.api.NO_ROWS)
    broken = np.zeros(GAMES, np.int64)
    for _ in range(LOOKS):
        if not (states["ending"] == GOING_ON).any():
            break
        rules.api.rollout(states, content, which, 0, 1, STEPS, broken)
        look(states, which)
    return rules.broken_invariants(int(np.bitwise_or.reduce(broken)))


def least(rules, states, content, which):
    """The least value of each column of the observation that may not be below 0."""
    seen = np.zeros((len(states), rules.N_OBSERVATION), np.float32)
    rules.api.write_observations(states, content, which, seen)
    named = seen.view(rules.OBS)
    for name in set(SIGNED) & set(rules.OBS.names):
        named[name] = 0
    return seen.min(axis=0)


@pytest.mark.parametrize("env_id", RULESETS)
def test_numbers_stay_in_their_range(env_id):
    extremes = Extremes(env_id)
    rules, draw = extremes.rules, random.Random(env_id)
    usual = np.zeros(rules.N_OBSERVATION, np.float32)
    for scenario in extremes.scenarios:
        content = rules.check_arguments(scenario=scenario).compile().content

        def note(states, which, content=content):
            np.minimum(usual, least(rules, states, content, which), out=usual)

        assert not played(rules, content, note)
    compiled = 0
    for _ in range(VARIANTS):
        pack, scenario = extremes.variant(draw), draw.choice(extremes.scenarios)
        try:
            content = rules.check_arguments(scenario=scenario, pack=pack).compile().content
        except ValueError:
            continue  # refused, with its reason
        compiled += 1

        def look(states, which, content=content, pack=pack, scenario=scenario):
            for name in COUNTS:
                assert states[name].min() >= 0, (name, scenario, pack)
            wrong = (least(rules, states, content, which) < 0) & (usual >= 0)
            assert not wrong.any(), (np.flatnonzero(wrong), scenario, pack)

        broken = played(rules, content, look)
        assert not broken, (broken, scenario, pack)
    assert compiled > VARIANTS // 2
