"""PPO on the vector environment in one file, with only NumPy and torch.

    python -m pip install --editable . torch     # in a clone of the repository
    python examples/ppo_vector.py

In the style of CleanRL, to copy and change; docs/vector-env.md explains the environment. On the
starter scenario random play wins no game and scripted play seven of ten. This agent wins none in
the first half million decisions, 81 % of its games after a million and 89 % after 1.2 million
(seed 1, two minutes of processor time).
"""

import argparse
import time

import gymnasium
import numpy as np
import torch
from torch import nn

N_STEPS, EPOCHS, BATCH = 64, 4, 4096
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 0.999, 0.95, 0.2, 0.01, 0.5


def make(n_envs, seed):
    """The environment, its first observations and infos."""
    envs = gymnasium.make_vec(
        "agemonia_env:Agemonia-v0",
        num_envs=n_envs,
        scenario="ford",
        heroes=2,
        ties="auto",  # settle ties automatically: fewer decisions to learn
        reward="shaped",
        gamma=GAMMA,  # of the shaping: must equal the learner's
        autoreset_mode="SameStep",  # every step is a decision; the next game begins within it
        dtype="int8",  # quantized observations: a shorter step, and a quarter of the bytes
        observation="fitted",  # only the numbers that can change in this scenario: 896 of 3,034
    )
    return envs, *envs.reset(seed=seed)


class Agent(nn.Module):
    """Policy and value with a shared trunk."""

    def __init__(self, factors, n_actions):
        """factors: float32 (numbers,), from quantized observations to floats."""
        super().__init__()
        self.register_buffer("factors", torch.from_numpy(factors))
        layers = nn.Linear(len(factors), 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()
        self.trunk, self.logits, self.value = (
            nn.Sequential(*layers),
            nn.Linear(128, n_actions),
            nn.Linear(128, 1),
        )

    def forward(self, seen, masks):
        """The distribution over legal actions and the value, for each row."""
        hidden = self.trunk(seen * self.factors)
        logits = self.logits(hidden).masked_fill(masks == 0, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(hidden).squeeze(-1)


def rollout(envs, agent, observations, masks):
    """Play N_STEPS decisions in every game -> arrays (N_STEPS, n), last observations, wins."""
    kept = {name: [] for name in ("seen", "masks", "actions", "logs", "values", "rewards", "ends")}
    won = []
    for _ in range(N_STEPS):
        seen, legal = torch.from_numpy(observations), torch.from_numpy(masks)
        with torch.no_grad():
            choice, values = agent(seen, legal)
            actions = choice.sample()
        observations, rewards, terminated, truncated, infos = envs.step(actions.numpy())
        masks, ends = infos["action_mask"], terminated | truncated
        if ends.any():  # truncated games (5,000 decisions) count as lost
            won += infos["final_info"]["is_success"][ends].tolist()
        row = seen, legal, actions, choice.log_prob(actions), values, rewards, ends
        for name, value in zip(kept, row, strict=True):
            kept[name].append(torch.as_tensor(value))
    stacked = {name: torch.stack(rows) for name, rows in kept.items()}
    return stacked, observations, masks, won


def advantages_of(kept, last_values):
    """Generalised advantage estimation (arXiv:1506.02438), (N_STEPS, n)."""
    goes_on, rewards = 1.0 - kept["ends"].float(), kept["rewards"].float()
    advantages, ahead, following = torch.zeros_like(rewards), 0.0, last_values
    for t in reversed(range(N_STEPS)):
        delta = rewards[t] + GAMMA * following * goes_on[t] - kept["values"][t]
        advantages[t] = ahead = delta + GAMMA * LAMBDA * goes_on[t] * ahead
        following = kept["values"][t]
    return advantages


def improve(agent, optimiser, kept, advantages):
    """The PPO update (arXiv:1707.06347)."""
    flat = {name: rows.flatten(0, 1) for name, rows in kept.items()}
    advantages, returns = advantages.flatten(), (advantages + kept["values"]).flatten()
    for _ in range(EPOCHS):
        for part in torch.randperm(len(advantages)).split(BATCH):
            choice, values = agent(flat["seen"][part], flat["masks"][part])
            ratio = (choice.log_prob(flat["actions"][part]) - flat["logs"][part]).exp()
            gain = advantages[part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            error = (values - returns[part]).square().mean()
            loss = VALUE * error - policy - ENTROPY * choice.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def main():
    """Train, and print the share of games won."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=1_200_000, help="total decisions")
    parser.add_argument("--n-envs", type=int, default=512, help="games side by side")
    parser.add_argument("--seed", type=int, default=1, help="seed of games and network")
    parser.add_argument("--threads", type=int, default=1, help="threads of torch")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)  # more threads slow each other down here
    torch.manual_seed(options.seed)

    envs, observations, infos = make(options.n_envs, options.seed)
    masks = infos["action_mask"]
    factors = 1 / envs.unwrapped.ruleset.SCALES[envs.unwrapped.fit.columns]
    agent = Agent(factors, envs.single_action_space.n)
    optimiser = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)
    updates, start = max(1, options.steps // (N_STEPS * options.n_envs)), time.perf_counter()
    for update in range(1, updates + 1):
        optimiser.param_groups[0]["lr"] = 1e-3 * (1 - 0.9 * (update - 1) / updates)
        kept, observations, masks, won = rollout(envs, agent, observations, masks)
        with torch.no_grad():
            _, last_values = agent(torch.from_numpy(observations), torch.from_numpy(masks))
        improve(agent, optimiser, kept, advantages_of(kept, last_values))
        steps, seconds = update * N_STEPS * options.n_envs, time.perf_counter() - start
        share = f"{100 * np.mean(won):5.1f} % of {len(won)} games won" if won else "no game ended"
        print(f"{steps:>9,} decisions  {steps / seconds:>6,.0f}/s  {share}", flush=True)
    envs.close()


if __name__ == "__main__":
    main()
