"""The fast masked categorical against sb3-contrib's own."""

import numpy as np
import torch as th
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

from agents.fastmask import FastMaskableDistribution

N, ACTIONS = 64, 37


def logits_and_masks(seed=0):
    generator = th.Generator().manual_seed(seed)
    logits = 5 * th.randn(N, ACTIONS, generator=generator)
    masks = th.rand(N, ACTIONS, generator=generator) < 0.3
    masks[th.arange(N), th.arange(N) % ACTIONS] = True
    masks[0] = False
    masks[0, 5] = True  # a forced action
    return logits, masks


def both(logits, masks):
    pair = []
    for kind in (MaskableCategoricalDistribution, FastMaskableDistribution):
        distribution = kind(ACTIONS)
        distribution.proba_distribution(logits)
        distribution.apply_masking(masks)
        pair.append(distribution)
    return pair


def test_same_log_probabilities_entropy_and_mode():
    logits, masks = logits_and_masks()
    slow, fast = both(logits, masks)
    actions = masks.float().argmax(dim=1)
    th.testing.assert_close(fast.log_prob(actions), slow.log_prob(actions), rtol=1e-5, atol=1e-5)
    th.testing.assert_close(fast.entropy(), slow.entropy(), rtol=1e-5, atol=1e-5)
    assert th.equal(fast.mode(), slow.mode())


def test_same_gradients():
    logits, masks = logits_and_masks()
    actions = masks.float().argmax(dim=1)
    gradients = []
    for which in (0, 1):
        leaf = logits.clone().requires_grad_(True)
        distribution = both(leaf, masks)[which]
        (distribution.log_prob(actions).mean() - 0.1 * distribution.entropy().mean()).backward()
        gradients.append(leaf.grad)
    th.testing.assert_close(gradients[0], gradients[1], rtol=1e-4, atol=1e-6)


def test_samples_are_legal_and_follow_the_probabilities():
    logits, masks = logits_and_masks(1)
    fast = FastMaskableDistribution(ACTIONS)
    fast.proba_distribution(logits[3:4].repeat(20_000, 1))
    fast.apply_masking(masks[3:4].repeat(20_000, 1))
    th.manual_seed(0)
    actions = fast.sample()
    assert masks[3][actions].all()
    share = th.bincount(actions, minlength=ACTIONS) / len(actions)
    expected = th.softmax(th.where(masks[3], logits[3], -1e8), dim=0)
    assert (share - expected).abs().max() < 0.02


def test_a_masked_action_is_never_drawn(monkeypatch):
    logits, masks = logits_and_masks()
    fast = both(logits, masks)[1]
    for draw in (0.0, 1 - 2**-24):  # the ends of what th.rand can give
        monkeypatch.setattr(th, "rand", lambda *size, draw=draw, **_: th.full(size, draw))
        assert masks[th.arange(N), fast.sample()].all()


def test_masks_may_be_numpy_bools_as_the_vector_env_gives_them():
    logits, masks = logits_and_masks()
    fast = FastMaskableDistribution(ACTIONS)
    fast.proba_distribution(logits)
    fast.apply_masking(np.asarray(masks))
    assert masks[th.arange(N), fast.mode()].all()
    fast.proba_distribution(logits)
    fast.apply_masking(None)
    assert th.equal(fast.mode(), logits.argmax(dim=1))
