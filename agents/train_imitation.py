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

from .config import LEAN, Config
from .run import Trainer, teacher_of
from .train_ppo import F32, PPO, Floats, Part, run

OUT = Path("runs/imitation")


@entry
def imitation_gradient(  # type: ignore[no-untyped-def]
    outputs, part, masks, actions, returns, vf_coef, gradient, sums
):
    """Write the gradient of the loss with respect to the outputs, float32 (n, n_actions + 1).

    Row i of the outputs belongs to sample part[i] of the arrays that follow. The loss is the mean
    of the cross entropy with the actions + vf_coef, float32 (1,), * (squared error of the value).
    sums, float64 (3,): adds the statistics that Imitation.statistics names, summed over samples.
    """
    n_actions, share = masks.shape[1], F32(1.0) / F32(len(outputs))
    for i in range(len(outputs)):
        k = part[i]
        likeliest, top, total = -1, F32(-np.inf), F32(0.0)
        for a in range(n_actions):
            if masks[k, a] and outputs[i, a] > top:
                likeliest, top = a, outputs[i, a]
        for a in range(n_actions):
            gradient[i, a] = np.exp(outputs[i, a] - top) if masks[k, a] else F32(0.0)
            total += gradient[i, a]
        for a in range(n_actions):
            gradient[i, a] *= share / total
        taught = actions[k]
        gradient[i, taught] -= share
        error = outputs[i, n_actions] - returns[k]
        gradient[i, n_actions] = share * vf_coef[0] * F32(2.0) * error

        sums[0] += top + np.log(total) - outputs[i, taught]
        sums[1] += likeliest == taught
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
        self.taught = np.zeros_like(self.rollout.actions)
        self.follows = np.arange(config.n_envs) >= config.own_share * config.n_envs

    def act(self, part: Part, t: int, outputs: Floats, uniforms: Floats) -> None:
        """Play the teacher's actions, in some games the learner's own; record the teacher's."""
        super().act(part, t, outputs, uniforms)
        batch, games = part.env.batch, part.games
        which = np.ascontiguousarray(batch.slots["which"])
        self.taught[t, games] = taught = self.teacher.choose(
            batch.states, batch.contents.rows, which
        )
        follows = self.follows[games]
        self.rollout.actions[t, games][follows] = taught[follows]

    def gradient_inputs(self) -> tuple[NDArray[Any], ...]:
        """As in PPO, with the teacher's actions as targets."""
        masks, *_, returns, _ = super().gradient_inputs()
        return masks, self.taught.ravel(), returns, np.array([self.config.vf_coef], F32)


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
