"""A rollout and a PPO step of TorchRL with action masks.

    python -m pip install --editable . torchrl     # in a clone of the repository
    python examples/torchrl_ppo.py --batches 20

TorchRL reads the mask from a dict observation as well: `ActionMask` for random actions,
`MaskedCategorical` for a policy.
"""

import argparse

import gymnasium
import numpy as np
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import ActionMask, GymWrapper, RewardSum, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from agemonia_env.envs.wrappers import MaskInObservation


def make():
    """The starter scenario for TorchRL; `action_mask` is bool."""
    env = gymnasium.make(
        "agemonia_env:Agemonia-v0",
        scenario="ford",
        heroes=2,
        ties="auto",
        reward="shaped",
        observation="fitted",  # only the numbers that can change in this scenario
    )
    masked = MaskInObservation(env, mask_dtype=np.bool_)
    wrapped = GymWrapper(masked, categorical_action_encoding=True)
    return TransformedEnv(wrapped, ActionMask()).append_transform(RewardSum())


def networks(env):
    """An actor over legal actions, and a critic."""
    seen, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    head = nn.Sequential(nn.Linear(seen, 64), nn.Tanh(), nn.Linear(64, actions))
    actor = ProbabilisticActor(
        TensorDictModule(head, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    value = nn.Sequential(nn.Linear(seen, 64), nn.Tanh(), nn.Linear(64, 1))
    return actor, ValueOperator(value, in_keys=["observation"])


def learn(batches, frames):
    """Train, and print the mean return of the games that ended in each batch."""
    env = make()
    actor, critic = networks(env)
    advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    loss_of = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimiser = torch.optim.Adam(loss_of.parameters(), 1e-3)
    for batch in range(batches):
        with torch.no_grad():
            data = env.rollout(frames, actor, break_when_any_done=False)
        legal = data["action_mask"].gather(-1, data["action"].unsqueeze(-1))
        assert legal.all(), "the actor chose an illegal action"
        for _ in range(4):
            advantage(data)
            losses = loss_of(data)
            total = sum(losses[name] for name in ("loss_objective", "loss_critic", "loss_entropy"))
            optimiser.zero_grad()
            total.backward()
            optimiser.step()
        ended = data["next", "episode_reward"][data["next", "done"]]
        mean = f"{ended.mean():+.3f}" if len(ended) else "no game ended"
        print(f"{batch + 1:>4}  {frames:>6,} steps  {mean}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--frames", type=int, default=1024, help="decisions per batch")
    options = parser.parse_args()
    learn(options.batches, options.frames)
