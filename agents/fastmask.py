"""A masked categorical distribution that costs one log_softmax.

sb3-contrib's own normalises the logits twice, replaces masked ones by torch.where over the whole
array, validates its arguments and samples through torch.multinomial. This one adds a penalty to
masked logits, normalises once on demand, and samples by inverting the cumulative distribution.
Parameters and results are the same (tests/agents/test_fastmask.py); it is only faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

PENALTY = 1e8
# Smallest log probability: torch's exp takes 14 times as long when it underflows
FLOOR = -80.0


class FastMaskableDistribution(MaskableCategoricalDistribution):
    """Categorical over `action_dim` actions with masks, float32 logits (n, action_dim)."""

    logits: th.Tensor
    log_probs: th.Tensor | None

    def proba_distribution(self, action_logits: th.Tensor) -> FastMaskableDistribution:
        """Take unnormalised log probabilities (n, action_dim); earlier masks are dropped."""
        self.logits = action_logits.view(-1, self.action_dim)
        self.log_probs = None
        return self

    def apply_masking(self, masks: th.Tensor | np.ndarray[Any, Any] | None) -> None:
        """Rule out actions whose mask (n, action_dim; bool, or 0 and 1) is zero."""
        if masks is None:
            return
        allowed = th.as_tensor(masks, device=self.logits.device).reshape(self.logits.shape)
        self.logits = self.logits + (allowed.to(self.logits.dtype) - 1.0) * PENALTY
        self.log_probs = None

    def _log_probs(self) -> th.Tensor:
        if self.log_probs is None:
            self.log_probs = th.log_softmax(self.logits, dim=1).clamp(min=FLOOR)
        return self.log_probs

    def log_prob(self, actions: th.Tensor) -> th.Tensor:
        """Log probability, (n,), of actions (n,)."""
        return self._log_probs().gather(1, actions.long().view(-1, 1)).squeeze(1)

    def entropy(self) -> th.Tensor:
        """Entropy in nats, (n,); masked actions add less than float32 resolves."""
        log_probs = self._log_probs()
        return -(log_probs.exp() * log_probs).sum(dim=1)

    def sample(self) -> th.Tensor:
        """One action per row, int64 (n,): the first whose cumulative probability reaches u."""
        cumulative = self._log_probs().exp().cumsum(dim=1)
        # u is in (0, 1]: at least 2**-24, far above the total probability of masked actions
        u = 1.0 - th.rand(len(cumulative), 1, device=cumulative.device)
        return th.searchsorted(cumulative, u * cumulative[:, -1:]).squeeze(1)

    def mode(self) -> th.Tensor:
        """The most likely action per row, int64 (n,)."""
        return self.logits.argmax(dim=1)


def use_fast_masks(model: MaskablePPO) -> MaskablePPO:
    """Make `model` use FastMaskableDistribution; sb3-contrib can still read its file.

    The distribution holds no parameters and is not saved, so call this again after loading.
    """
    model.policy.action_dist = FastMaskableDistribution(int(model.action_space.n))
    return model
