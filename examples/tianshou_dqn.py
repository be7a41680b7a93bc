"""DQN of Tianshou with action masks.

    python -m pip install 'agemonia-env[tianshou]'
    python examples/tianshou_dqn.py --batches 200

Tianshou reads observation and mask from a dict, as "obs" and "mask": exploration and targets of the
network then keep to legal actions. It stacks what infos say into arrays, so they stay out.
"""

import argparse

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode

N_ENVS = 4


class ForTianshou(gymnasium.Wrapper):
    """Observation and mask under the keys that Tianshou reads."""

    def __init__(self, env):
        super().__init__(env)
        n = env.action_space.n
        mask = spaces.Box(0, 1, (n,), np.bool_)
        self.observation_space = spaces.Dict({"obs": env.observation_space, "mask": mask})

    def reset(self, **choices):
        """Like the env's own."""
        observation, info = self.env.reset(**choices)
        return self.joined(observation, info), {}

    def step(self, action):
        """Like the env's own."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self.joined(observation, info), reward, terminated, truncated, {}

    def joined(self, observation, info):
        """The dict that Tianshou reads."""
        return {"obs": observation, "mask": info["action_mask"].astype(np.bool_)}


def make():
    """The starter scenario for Tianshou."""
    env = gymnasium.make(
        "agemonia_env:Agemonia-v0",
        scenario="ford",
        heroes=2,
        ties="auto",
        reward="shaped",
        observation="fitted",  # only the numbers that can change in this scenario
    )
    return ForTianshou(env)


def learner(env, exploration):
    """DQN with two hidden layers."""
    seen, n_actions = env.observation_space["obs"].shape, env.action_space.n
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=seen, action_shape=n_actions, hidden_sizes=[64, 64]),
        action_space=env.action_space,
        observation_space=env.observation_space,
        eps_training=exploration,
    )
    return DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.99,
        n_step_return_horizon=3,
        target_update_freq=200,
    )


def learn(batches, frames, exploration):
    """Train, and print the mean return of the games that ended in each batch."""
    torch.manual_seed(1)
    algorithm = learner(make(), exploration)
    buffer = VectorReplayBuffer(20_000, N_ENVS)
    envs = DummyVectorEnv([make] * N_ENVS)
    envs.seed(1)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    for batch in range(batches):
        with policy_within_training_step(algorithm.policy):
            games = collector.collect(n_step=frames)
            with torch_train_mode(algorithm):
                for _ in range(frames // 16):
                    algorithm.update(buffer=buffer, sample_size=64)
        played, _ = buffer.sample(256)
        assert np.take_along_axis(played.obs.mask, played.act[:, None], 1).all(), "illegal action"
        mean = f"{games.returns.mean():+.3f}" if len(games.returns) else "no game ended"
        print(f"{batch + 1:>4}  {frames:>6,} steps  {mean}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--frames", type=int, default=1024, help="decisions per batch")
    parser.add_argument("--exploration", type=float, default=0.1, help="share of random actions")
    options = parser.parse_args()
    learn(options.batches, options.frames, options.exploration)
