"""MaskablePPO of sb3-contrib that scores each legal action by what it is and does.

    python examples/maskable_features.py                200,000 steps of the starter scenario
    python examples/maskable_features.py --plain        the same without action features
    python examples/maskable_features.py --scenario bell --steps 500000

The features of all actions are part of the observation, zero for illegal ones; one small network
scores every action. Prints the share of games won in each rollout.
"""

import argparse

import numpy as np
import torch as th
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnvWrapper
from torch import nn

from agemonia_env.envs import vec_env_class
from agemonia_env.rulesets.action_features import dense


class FeaturesInObservation(VecEnvWrapper):
    """Appends the features of all actions to the observation, both as the core's int8."""

    def __init__(self, venv):
        super().__init__(venv)
        rules = self.rules = venv.ruleset
        self.scales = rules.SCALES[venv.fit.columns]
        size = len(self.scales) + rules.N_ACTIONS * rules.N_ACTION_FEATURES
        self.observation_space = spaces.Box(-128, 127, (size,), np.int8)

    def reset(self):
        """Reset all games -> observations, int8."""
        return self.joined(self.venv.reset())

    def step_wait(self):
        """Finish the step -> (observations, rewards, dones, infos)."""
        observations, rewards, dones, infos = self.venv.step_wait()
        joined = self.joined(observations)
        for i in np.flatnonzero(dones):  # read only for the value of a game cut short
            last = np.zeros_like(joined[i])
            last[: len(self.scales)] = self.quantized(infos[i]["terminal_observation"])
            infos[i]["terminal_observation"] = last
        return joined, rewards, dones, infos

    def joined(self, observations):
        """Observations and dense features, int8."""
        rows, masks = self.venv.action_features(), self.venv.action_masks()
        quantized = np.rint(rows * self.rules.ACTION_SCALES).astype(np.int8)
        features = dense(masks, quantized).reshape(len(masks), -1)
        return np.concatenate([self.quantized(observations), features], axis=1)

    def quantized(self, observations):
        """Observations as the core's int8."""
        return np.rint(observations * self.scales).astype(np.int8)


class Scores(BaseFeaturesExtractor):
    """A score for every action, then a summary of the position."""

    def __init__(self, space, rules, scales, prior, width=128):
        """scales: of the observation."""
        super().__init__(space, rules.N_ACTIONS + width)
        self.rules = rules
        self.register_buffer("scales", th.as_tensor(scales, dtype=th.float32))
        self.register_buffer("row_scales", th.as_tensor(rules.ACTION_SCALES, dtype=th.float32))
        self.trunk = nn.Sequential(nn.Linear(len(scales), width), nn.Tanh())
        self.position = nn.Linear(width, width)
        self.row = nn.Linear(rules.N_ACTION_FEATURES, width)
        self.greedy = rules.ACTION.fields["greedy_choice"][1] // 4  # of float32 fields
        self.prior = nn.Parameter(th.tensor(prior))
        self.score = nn.Sequential(
            nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )

    def forward(self, codes):
        """Int8 of the observation space -> scores and summary."""
        seen, rows = codes.tensor_split([len(self.scales)], dim=1)
        summary = self.trunk(seen / self.scales)
        rows = rows.unflatten(1, (self.rules.N_ACTIONS, -1))
        games, actions = rows.any(dim=2).nonzero(as_tuple=True)  # the legal ones
        rows = rows[games, actions] / self.row_scales
        hidden = self.row(rows) + self.position(summary)[games]
        logits = self.score(hidden)[:, 0] + self.prior * rows[:, self.greedy]
        scores = th.zeros(len(codes), self.rules.N_ACTIONS, device=codes.device)
        scores = scores.index_put((games, actions), logits)
        return th.cat([scores, summary], dim=1)


class Columns(nn.Module):
    """Some columns of the extractor's output."""

    def __init__(self, columns):
        super().__init__()
        self.columns = columns

    def forward(self, latent):
        """Select the columns."""
        return latent[:, self.columns]


class ScoringPolicy(MaskableActorCriticPolicy):
    """The extractor's scores are the logits; the value is read from its summary."""

    def _build(self, lr_schedule):
        super()._build(lr_schedule)
        n = int(self.action_space.n)
        self.action_net = Columns(slice(n))
        self.value_net = nn.Sequential(Columns(slice(n, None)), nn.Linear(self.features_dim - n, 1))
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )


class Progress(BaseCallback):
    """Prints the share of games won in each rollout."""

    def __init__(self):
        super().__init__()
        self.won = []

    def _on_step(self):
        ended = np.flatnonzero(self.locals["dones"])
        self.won += [self.locals["infos"][i]["is_success"] for i in ended]
        return True

    def _on_rollout_end(self):
        share = f"{np.mean(self.won):6.1%}" if self.won else "   -  "
        print(f"{self.num_timesteps:>9,} steps  won {share} of {len(self.won)} games", flush=True)
        self.won.clear()


def main(arguments=None):
    """Train, and print the share of games won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="ford")
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--n-envs", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prior", type=float, default=4.0, help="first logit of greedy's choice")
    parser.add_argument("--plain", action="store_true", help="without action features")
    options = parser.parse_args(arguments)
    th.set_num_threads(1)
    played = {"scenario": options.scenario, "heroes": 2, "ties": "auto", "reward": "shaped"}
    played["observation"] = "fitted"  # only the numbers that can change in the scenario
    env = vec_env_class("Agemonia-v0")(
        options.n_envs, seed=options.seed, action_features=not options.plain, **played
    )
    policy, kwargs = "MlpPolicy", {"net_arch": [128, 128]}
    if not options.plain:
        env = FeaturesInObservation(env)
        policy = ScoringPolicy
        kwargs = {
            "net_arch": [],
            "features_extractor_class": Scores,
            "features_extractor_kwargs": {
                "rules": env.rules,
                "scales": env.scales,
                "prior": options.prior,
            },
        }
    model = MaskablePPO(
        policy,
        env,
        policy_kwargs=kwargs,
        n_steps=64,
        batch_size=256,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=0.999,
        seed=options.seed,
        device="auto",
    )
    model.learn(options.steps, callback=Progress())
    env.close()


if __name__ == "__main__":
    main()
