"""The compiled forward pass computes what the network computes."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from agemonia_env.core import scoring
from agemonia_env.core.jit import entry
from agemonia_env.policies.model_record import ModelError
from agemonia_env.policies.network import Group, Layer, Network
from agemonia_env.policies.planner import pack
from agemonia_env.rulesets.ruleset import ruleset_of

RULES = ruleset_of("Agemonia-v0")
ACTIONS = 5
SHAPED = {"config": {"reward": "shaped", "side": "hero"}}
SPARSE = {"config": {"reward": "sparse", "side": "enemy"}}


def network(trunk, scorer, record=SHAPED, groups=()):
    """A random network with layers of these widths; groups: slots, numbers and outputs of each."""
    random = np.random.default_rng(len(trunk) + 10 * len(scorer))
    alike = np.flatnonzero(RULES.SCALES == 4)  # slots of a group have the same scales
    columns = np.sort(random.choice(alike, 40, replace=False)).astype(np.int32)

    def layers(widths):
        return [
            Layer(*(random.normal(size=size).astype(np.float32) / n**0.5 for size in ((n, m), m)))
            for n, m in itertools.pairwise(widths)
        ]

    (policy,), (value,) = layers([trunk[-1], scorer[0]]), layers([trunk[-1] + scorer[-1], 1])
    first = [RULES.N_ACTION_FEATURES, *scorer, 1]
    read = [Group(slots, *layers([numbers, outputs])) for slots, numbers, outputs in groups]
    inputs = 40 + sum(outputs - slots * numbers for slots, numbers, outputs in groups)
    return Network(columns, layers([inputs, *trunk]), policy, value, record, layers(first), read)


@entry
def write_scores(network, codes, features, logits, shares):
    """Score the actions and write their probabilities -> value, chance of winning."""
    net = scoring.scorer_of(network, len(features), codes.shape[1], 1, features, features)
    net.codes[:] = codes
    value = scoring.score(net, len(features))
    logits[:] = net.logits
    scoring.write_shares(net, len(features))
    shares[:] = net.shares
    return value, scoring.chance_of_winning(net, value, 0.25)


@pytest.mark.parametrize(
    ("trunk", "scorer", "groups"),
    [
        ([8], [6], []),
        ([16, 8], [12, 10], [(3, 7, 5)]),
        ([8, 8, 4], [9, 9, 9], [(4, 5, 8), (2, 10, 3)]),
    ],
)
def test_it_computes_what_the_network_does(trunk, scorer, groups):
    random, net = np.random.default_rng(0), network(trunk, scorer, groups=groups)
    codes = random.integers(-20, 20, (1, RULES.N_OBS_INT8)).astype(np.int8)
    codes[:, ::3] = 0
    features = random.integers(-20, 20, (ACTIONS, RULES.N_ACTION_FEATURES)).astype(np.int8)
    features[:, 1::2] = 0
    logits, shares = np.zeros(ACTIONS, np.float32), np.zeros(ACTIONS)
    value, chance = write_scores(pack(net, RULES, 1.0), codes, features, logits, shares)
    masks = np.ones((1, ACTIONS), np.bool_)
    seen = (codes[:, : RULES.N_OBSERVATION] / RULES.SCALES).astype(np.float32)
    known = net.evaluate(seen, masks, (features / RULES.ACTION_SCALES).astype(np.float32))
    assert logits == pytest.approx(known[0][0], abs=1e-4)
    assert value == pytest.approx(known[1][0], abs=1e-4)
    weights = np.exp(known[0][0] - known[0].max())
    even, sure = scoring.EVEN / ACTIONS, 1 - scoring.EVEN
    assert shares == pytest.approx(even + sure * weights / weights.sum(), abs=1e-4)
    assert chance == pytest.approx(np.clip(0.5 + 0.5 * (value + 0.25), 0, 1), abs=1e-4)


def test_a_network_is_packed_with_its_side_and_rewards():
    assert pack(network([8], [6]), RULES, 0.5)[:3] == (1, 1.0, 0.5)
    assert pack(network([8], [6], SPARSE), RULES, 0.5)[:3] == (-1, 0.0, 0.5)


def test_what_cannot_be_searched_with_is_refused():
    with pytest.raises(ModelError, match="scores actions by their features"):
        pack(replace(network([8], [6]), scorer=()), RULES, 1.0)
    with pytest.raises(ModelError, match="layers of at most 512"):
        pack(network([8], [513]), RULES, 1.0)
