r"""Train a network to imitate a teacher: a start for PPO where it finds no win by itself.

    python -m agents.train_imitation --env HexDungeon-v0 --scenario warm-cellar
    python -m agents.train_ppo --env HexDungeon-v0 --scenario warm-cellar \
        --from runs/imitation/model.npz

Minimises the cross entropy with the teacher's decisions, and learns the value as PPO does, with the
network, games and file format of agents/train_ppo.py. In a share of the games the learner's own
decisions are played, while the teacher's are still the targets (DAgger: S. Ross et al., 2011,
arXiv:1011.0686), so it also sees positions that only its own mistakes lead to.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import entry
from agemonia_env.envs.vector import RulesetVectorEnv
from agemonia_env.policies import Policy
from agemonia_env.policies.network import SUFFIX, Network
from agemonia_env.rulesets.policy import Records

from .config import LEAN, Config
from .run import Trainer, teacher_of
from .train_ppo import F32, PPO, Floats, Part, run

OUT = Path("runs/imitation")


@entry
def imitation_gradient(  # type: ignore[no-untyped-def]
    outputs, part, masks, targets, returns, vf_coef, gradient, sums
):
    """Write the gradient of the loss with respect to the outputs, float32 (n, n_actions + 1).

    Row i of the outputs belongs to sample part[i] of the arrays that follow; targets: shares of the
    legal actions. The loss is the mean of the cross entropy with them + vf_coef, float32 (1,), *
    (squared error of the value). sums, float64 (3,): adds the statistics that Imitation.statistics
    names, summed over samples.
    """
    n_actions, share = masks.shape[1], F32(1.0) / F32(len(outputs))
    for i in range(len(outputs)):
        k = part[i]
        likeliest, best, top, total = -1, -1, F32(-np.inf), F32(0.0)
        for a in range(n_actions):
            if masks[k, a]:
                if outputs[i, a] > top:
                    likeliest, top = a, outputs[i, a]
                if best < 0 or targets[k, a] > targets[k, best]:
                    best = a
        for a in range(n_actions):
            gradient[i, a] = np.exp(outputs[i, a] - top) if masks[k, a] else F32(0.0)
            total += gradient[i, a]
        log_total = top + np.log(total)
        for a in range(n_actions):
            gradient[i, a] *= share / total
            if targets[k, a] > F32(0.0):
                gradient[i, a] -= share * targets[k, a]
                sums[0] += targets[k, a] * (log_total - outputs[i, a])
        error = outputs[i, n_actions] - returns[k]
        gradient[i, n_actions] = share * vf_coef[0] * F32(2.0) * error

        sums[1] += likeliest == best
        sums[2] += error * error


class Imitation(PPO):
    """Learns the decisions that the teacher would take in the games played."""

    gradient = staticmethod(imitation_gradient)
    statistics = ("cross_entropy", "agreement", "value_error")

    def __init__(
        self,
        config: Config,
        env: RulesetVectorEnv,
        seed: int,
        begin: Network | None = None,
        second: RulesetVectorEnv | None = None,
        teacher: Policy | None = None,
    ) -> None:
        """teacher: None for the one in the configuration."""
        self.teacher = teacher or teacher_of(config, env.ruleset)
        super().__init__(config, env, seed, begin, second)
        self.targets = np.zeros(self.rollout.masks.shape, F32)
        self.follows = np.arange(config.n_envs) >= config.own_share * config.n_envs

    def act(self, part: Part, t: int, outputs: Floats, uniforms: Floats) -> None:
        """Play the teacher's actions, in some games the learner's own; record the teacher's."""
        super().act(part, t, outputs, uniforms)
        games = part.games
        taught = self.teach(part, t, outputs)
        follows = self.follows[games]
        self.rollout.actions[t, games][follows] = taught[follows]

    def teach(self, part: Part, t: int, outputs: Floats) -> NDArray[np.int64]:
        """Write the targets of step t -> the actions that the teacher would take."""
        taught = self.teacher.choose(*self.positions(part))
        targets = self.targets[t, part.games]
        targets[:] = 0
        targets[np.arange(len(taught)), taught] = 1
        return taught

    @staticmethod
    def positions(part: Part) -> tuple[Records, Records, NDArray[np.int16]]:
        """The games now, as policies read them."""
        batch = part.env.batch
        return batch.states, batch.contents.rows, np.ascontiguousarray(batch.slots["which"])

    def gradient_inputs(self) -> tuple[NDArray[Any], ...]:
        """As in PPO, with the targets in place of what was drawn."""
        masks, *_, returns, _ = super().gradient_inputs()
        targets = self.targets.reshape(masks.shape)
        return masks, targets, returns, np.array([self.config.vf_coef], F32)


main = Trainer(
    "imitation",
    LEAN,
    SUFFIX,
    OUT,
    partial(run, kind=Imitation),
    warm="Network to start from, an .npz file.",
).main

if __name__ == "__main__":
    sys.exit(main())
