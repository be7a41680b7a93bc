"""Train a policy with proximal policy optimisation, masked, in one file, on the vector env.

    python -m agents.train_ppo                                   configs/ppo.yaml
    python -m agents.train_ppo --env HexDungeon-v0               configs/hexdungeon.yaml
    python -m agents.train_ppo --config agents/configs/generalist.yaml
    python -m agents.train_ppo --config agents/configs/enemy.yaml --out runs/enemy
    python -m agents.train_ppo --mix '[{scenario: ford}, {scenario: beacon, weight: 2}]'
    python -m agents.train_ppo --total-steps 200000              any key as an option
    python -m agents.train_ppo --resume                          continue from the last checkpoint
    python -m agents.train_ppo --from model.npz                  start from a trained network

Writes model.npz (a Network, read without torch), model.optimiser.safetensors (for --resume),
curve.json and checkpoints/ under --out. Ctrl-C saves the current model.

With `action_features` the network scores each legal action from its features, begins as greedy
play and plays any scenario (agents/networks.py); without, it has an output for each action.

The algorithm is PPO (J. Schulman et al., 2017, arXiv:1707.06347) with the details that S. Huang et
al. found to matter ("The 37 Implementation Details of PPO", 2022). Policy and value share a trunk.
Why it is fast:

- Observations are fitted (rulesets/fits.py), and the buffer holds them as the core's int8.
- Where the processor can, matrices are multiplied as bfloat16, which represents every int8 exactly;
  weights stay float32.
- One compiled function computes the gradient of the loss from the network's outputs: masked
  log-softmax, ratio, clipping, entropy and value, over the legal actions only.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch as th
from numpy.typing import NDArray
from torch import nn

from agemonia_env.core.jit import entry, kernel
from agemonia_env.envs import vector_env_class
from agemonia_env.envs.vector import RulesetVectorEnv
from agemonia_env.files.stopping import uninterrupted
from agemonia_env.files.writing import write_whole
from agemonia_env.policies.model_record import ModelError
from agemonia_env.policies.named import load_network
from agemonia_env.policies.network import SUFFIX, Network
from agemonia_env.rulesets.arguments import Arguments
from agemonia_env.rulesets.fits import Reader
from agemonia_env.rulesets.ruleset import ruleset_of

from . import tensor_file
from .config import LEAN, Config, ConfigError
from .device import device_of
from .model_file import made_by
from .networks import ActionScorer, ActorCritic, Inputs, PolicyNetwork, in_groups
from .run import OVERRIDE_HINT, Job, Report, Trainer, clear_away, record_of, tensorboard_folder

OUT = Path("runs/ppo")
OPTIMISER = ".optimiser.safetensors"  # suffix of the file beside a model with Adam's moments
F32 = np.float32
Floats = NDArray[np.float32]


# ---- compiled functions, over legal actions only ----------------------------------------------
@entry
def draw_actions(outputs, masks, uniforms, actions, log_probs):  # type: ignore[no-untyped-def]
    """Sample a legal action and its log probability for every row, from the logits.

    outputs: float32 (n, n_actions + 1); masks: (n, n_actions); uniforms: float32 (n,) from [0, 1).
    Writes actions, int64 (n,), and log_probs, float32 (n,).
    """
    for i in range(len(outputs)):
        top = F32(-np.inf)
        for a in range(masks.shape[1]):
            if masks[i, a]:
                top = max(top, outputs[i, a])
        total = F32(0.0)
        for a in range(masks.shape[1]):
            if masks[i, a]:
                total += np.exp(outputs[i, a] - top)
        left = uniforms[i] * total
        for a in range(masks.shape[1]):
            if masks[i, a]:
                actions[i] = a  # rounding may leave a rest: then the last legal one
                left -= np.exp(outputs[i, a] - top)
                if left < 0.0:
                    break
        log_probs[i] = outputs[i, actions[i]] - top - np.log(total)


@kernel
def normal(values, part):  # type: ignore[no-untyped-def]
    """Mean and (positive) standard deviation of values[part]."""
    total, squares = 0.0, 0.0
    for k in part:
        total += values[k]
        squares += values[k] * values[k]
    mean = total / len(part)
    variance = max(squares / len(part) - mean * mean, 0.0)
    return F32(mean), F32(np.sqrt(variance) + 1e-8)


@entry
def loss_gradient(  # type: ignore[no-untyped-def]
    outputs, part, masks, actions, log_probs, advantages, returns, weights, gradient, sums
):
    """Write the gradient of the loss with respect to the outputs, float32 (n, n_actions + 1).

    Row i of the outputs belongs to sample part[i] of the arrays that follow. The loss is the mean
    of -(clipped surrogate of normalised advantages) + vf_coef * (squared error of the value)
    - ent_coef * entropy; weights: clip_range, ent_coef, vf_coef, float32. sums, float64 (4,): adds
    the statistics that PPO.statistics names, summed over the samples.
    """
    clip_range, ent_coef, vf_coef = weights[0], weights[1], weights[2]
    n, n_actions = len(outputs), masks.shape[1]
    mean, deviation = normal(advantages, part)
    share = F32(1.0) / F32(n)
    legal = np.empty(n_actions, np.int64)
    chance = np.empty(n_actions, np.float32)
    for i in range(n):
        k = part[i]
        count, top = 0, F32(-np.inf)
        for a in range(n_actions):
            gradient[i, a] = 0.0
            if masks[k, a]:
                legal[count] = a
                count += 1
                top = max(top, outputs[i, a])
        total = F32(0.0)
        for j in range(count):
            chance[j] = np.exp(outputs[i, legal[j]] - top)
            total += chance[j]
        base = top + np.log(total)
        entropy = F32(0.0)
        for j in range(count):
            chance[j] /= total
            entropy -= chance[j] * (outputs[i, legal[j]] - base)

        change = outputs[i, actions[k]] - base - log_probs[k]
        ratio, advantage = np.exp(change), (advantages[k] - mean) / deviation
        clipped = (advantage > 0.0 and ratio > F32(1.0) + clip_range) or (
            advantage < 0.0 and ratio < F32(1.0) - clip_range
        )
        pull = F32(0.0) if clipped else -advantage * ratio
        for j in range(count):
            a = legal[j]
            surprise = outputs[i, a] - base + entropy
            gradient[i, a] = share * chance[j] * (ent_coef * surprise - pull)
        gradient[i, actions[k]] += share * pull
        error = outputs[i, n_actions] - returns[k]
        gradient[i, n_actions] = share * vf_coef * F32(2.0) * error

        sums[0] += clipped
        sums[1] += entropy
        sums[2] += ratio - F32(1.0) - change
        sums[3] += error * error


@entry
def estimate(rewards, values, ends, gamma, gae_lambda, advantages):  # type: ignore[no-untyped-def]
    """Generalised advantage estimation (arXiv:1506.02438).

    rewards, ends, advantages: (n_steps, n_envs); values: (n_steps + 1, n_envs).
    """
    for env in range(rewards.shape[1]):
        ahead = F32(0.0)
        for t in range(len(rewards) - 1, -1, -1):
            goes_on = F32(1.0) - ends[t, env]
            delta = rewards[t, env] + gamma * goes_on * values[t + 1, env] - values[t, env]
            ahead = delta + gamma * gae_lambda * goes_on * ahead
            advantages[t, env] = ahead


# ---- the rollout --------------------------------------------------------------------------------
@dataclass(frozen=True)
class Rollout:
    """n_steps decisions in each of n_envs games: arrays (n_steps, n_envs), int8 and float32.

    The last reward of a truncated game includes the discounted value of the position before it.
    """

    codes: NDArray[np.int8]  # (n_steps, n_envs, k)
    masks: NDArray[np.int8]  # (n_steps, n_envs, n_actions)
    actions: NDArray[np.int64]
    log_probs: Floats
    values: Floats  # (n_steps + 1, n_envs)
    rewards: Floats
    ends: Floats  # 1 where the game ended with this decision
    advantages: Floats

    @classmethod
    def allocate(cls, n_steps: int, n_envs: int, k: int, n_actions: int) -> Rollout:
        """Allocate a rollout; the learner reuses it."""
        size = n_steps, n_envs
        codes, masks = np.empty((*size, k), np.int8), np.empty((*size, n_actions), np.int8)
        actions, values = np.empty(size, np.int64), np.empty((n_steps + 1, n_envs), F32)
        return cls(codes, masks, actions, np.empty(size, F32), values, *np.empty((3, *size), F32))


class PackedRows:
    """Features of the legal actions of a rollout, int8; those of a decision are adjacent.

    Positions have 4 to 5 legal actions on average, of hundreds.
    """

    def __init__(self, n_steps: int, n_envs: int, n_features: int) -> None:
        self.firsts = np.zeros((n_steps, n_envs), np.int64)
        self.counts = np.zeros_like(self.firsts)
        self.rows = np.empty((8 * n_steps * n_envs, n_features), np.int8)  # grows if it must
        self.used = 0

    def clear(self) -> None:
        """Forget all rows."""
        self.used = 0

    def add(self, t: int, games: slice, masks: NDArray[np.int8], rows: NDArray[np.int8]) -> None:
        """Append the rows of the legal actions at step t."""
        counts = np.count_nonzero(masks, axis=1)
        self.counts[t, games] = counts
        self.firsts[t, games] = self.used + counts.cumsum() - counts
        last = self.used + len(rows)
        if last > len(self.rows):
            longer = np.empty((2 * last, self.rows.shape[1]), np.int8)
            longer[: self.used] = self.rows[: self.used]
            self.rows = longer
        self.rows[self.used : last] = rows
        self.used = last

    def take(self, part: NDArray[np.int64]) -> NDArray[np.int8]:
        """The rows of these samples, in order."""
        firsts, counts = self.firsts.ravel()[part], self.counts.ravel()[part]
        shifts = np.repeat(firsts - (counts.cumsum() - counts), counts)
        rows = (shifts + np.arange(len(shifts))).astype(np.intp)
        return np.take(self.rows, rows, axis=0)


@dataclass
class Part:
    """Games that are stepped together: all, or half of them."""

    env: RulesetVectorEnv
    games: slice  # in the rollout
    observations: NDArray[np.int8]
    infos: Mapping[str, Any]


class Counter(Protocol):
    """Counts games, as a Report does."""

    def count(self, won: int, ended: int) -> None:
        """Count games that have ended, and how many of them were won."""


# ---- the algorithm ------------------------------------------------------------------------------
class PPO:
    """One learner: network, games, optimiser and random generator. `iterate` plays and learns."""

    gradient = staticmethod(loss_gradient)  # of the loss with respect to the outputs
    # Means over the samples of a rollout
    statistics: Sequence[str] = ("clipped", "entropy", "divergence", "value_error")

    def __init__(
        self,
        config: Config,
        env: RulesetVectorEnv,
        seed: int,
        begin: Network | None = None,
        second: RulesetVectorEnv | None = None,
    ) -> None:
        """seed: of game 0 and of all other randomness; begin: the network to start from.

        second: the other half of the games, stepped in turn with `env`.
        """
        self.config, self.env, self.steps, self.minutes = config, env, 0, 0.0
        th.manual_seed(seed)
        self.device = device_of(config)
        self.network = self.build_network(begin).to(self.device)
        self.optimiser = th.optim.Adam(self.network.parameters(), eps=1e-5, fused=True)
        self.random = np.random.default_rng(seed)
        size = config.n_steps, config.n_envs
        rules = env.ruleset
        self.read = Reader(rules, env.fit, self.network.columns, np.int8)
        self.rollout = Rollout.allocate(*size, len(self.network.columns), rules.N_ACTIONS)
        self.features: PackedRows | None = None
        if isinstance(self.network, ActionScorer):
            self.features = PackedRows(*size, rules.N_ACTION_FEATURES)
        self.parts: list[Part] = []
        first = 0
        for one in (env,) if second is None else (env, second):
            observations, infos = one.reset(seed=seed + first)
            games = slice(first, first + one.num_envs)
            self.parts.append(Part(one, games, observations, self.described(one, infos)))
            first += one.num_envs

    def build_network(self, begin: Network | None) -> PolicyNetwork:
        """Build the network: untrained, or a copy of `begin`."""
        rules, scores = self.env.ruleset, self.config.action_features
        if begin and scores != bool(begin.scorer):
            raise ConfigError(f"action_features: must be {not scores} for the model to start from")
        inputs, layers = self.shape_of(begin)
        dtype = dtype_of_products(self.config)
        network: PolicyNetwork
        if scores:
            network = ActionScorer(inputs, rules, layers, dtype, self.config.greedy_prior)
        else:
            network = ActorCritic(inputs, rules.SCALES, layers, rules.N_ACTIONS, dtype)
        if begin:
            network.take(begin)
        return network

    def shape_of(self, begin: Network | None) -> tuple[Inputs, list[int]]:
        """Inputs and layers of the network: of `begin`, or for the games and the configuration.

        A network to start from may grow: net_arch counts where it is wider.
        """
        layers = self.config.net_arch
        if begin:
            widths = [len(layer.bias) for layer in begin.trunk]
            grows = len(layers) == len(widths) and all(np.greater_equal(layers, widths))
            groups = [(group.slots, len(group.layer.weights)) for group in begin.groups]
            return Inputs(begin.columns, groups), layers if grows else widths
        if not layers:
            raise ConfigError("net_arch: must not be empty; a layer of 64 is [64]")
        rules, fit = self.env.ruleset, self.env.fit
        columns = np.arange(rules.N_OBSERVATION) if fit is None else fit.columns
        if self.config.action_features and plays_several_scenarios(played_in(self.env)):
            return in_groups(rules, columns[~rules.NUMBERED[columns]]), layers
        return Inputs(columns.astype(np.int32)), layers

    def iterate(self, counter: Counter) -> dict[str, float]:
        """Play one rollout and learn from it -> statistics for the curve."""
        begun = time.perf_counter()
        self.play(counter)
        statistics = self.learn()
        self.steps += self.rollout.rewards.size
        self.minutes += (time.perf_counter() - begun) / 60
        return statistics

    def play(self, counter: Counter) -> None:
        """Fill the rollout. Of two parts, threads play one while the network reads the other."""
        if self.features:
            self.features.clear()
        rollout, uniforms = self.rollout, self.random.random(self.rollout.rewards.shape, F32)
        steps, in_turn, threads = len(rollout.rewards), len(self.parts) > 1, th.get_num_threads()
        if in_turn:
            th.set_num_threads(1)  # the cores are busy with games
        try:
            for t in range(steps):
                for part in self.parts:
                    if t:
                        self.receive(part, t - 1, counter)
                    self.decide(part, t, uniforms[t, part.games])
                    if in_turn:
                        part.env.step_async(rollout.actions[t, part.games])
            for part in self.parts:
                self.receive(part, steps - 1, counter)
                outputs = self.outputs(part, self.read(part.observations))
                rollout.values[-1, part.games] = outputs[:, -1]
        finally:
            if in_turn:
                th.set_num_threads(threads)

    def decide(self, part: Part, t: int, uniforms: Floats) -> None:
        """Fill step t of the rollout up to the actions."""
        rollout, codes = self.rollout, self.rollout.codes[t, part.games]
        self.read(part.observations, codes)
        rollout.masks[t, part.games] = masks = part.infos["action_mask"]
        if self.features:
            self.features.add(t, part.games, masks, part.infos["action_features"])
        outputs = self.outputs(part, codes)
        rollout.values[t, part.games] = outputs[:, -1]
        self.act(part, t, outputs, uniforms)

    def act(self, part: Part, t: int, outputs: Floats, uniforms: Floats) -> None:
        """Choose the actions of step t."""
        rollout, games = self.rollout, part.games
        chosen = rollout.actions[t, games], rollout.log_probs[t, games]
        draw_actions(outputs, rollout.masks[t, games], uniforms, *chosen)

    def receive(self, part: Part, t: int, counter: Counter) -> None:
        """Fill in the results of step t: of the pending one, if parts are stepped in turn."""
        rollout, env = self.rollout, part.env
        in_turn, actions = len(self.parts) > 1, rollout.actions[t, part.games]
        returned = env.step_wait() if in_turn else env.step(actions)
        seen, rewards, terminated, truncated, infos = returned
        part.observations, part.infos = seen, self.described(env, infos)
        rollout.rewards[t, part.games] = rewards
        rollout.ends[t, part.games] = ended = terminated | truncated
        if ended.any():
            won = infos["final_info"]["is_success"][ended]
            counter.count(int(won.sum()), len(won))
        if truncated.any():  # the game goes on: bootstrap, from the last value known
            values = rollout.values[t, part.games][truncated]
            rollout.rewards[t, part.games][truncated] += F32(self.config.gamma) * values

    def described(self, env: RulesetVectorEnv, infos: dict[str, Any]) -> Mapping[str, Any]:
        """The infos, with the features of the legal actions if the network reads them."""
        if not self.config.action_features:
            return infos
        return infos | {"action_features": env.action_features()}

    @th.no_grad()
    def outputs(self, part: Part, codes: NDArray[np.int8]) -> Floats:
        """Logits and value of each game now, float32 (n, n_actions + 1)."""
        inputs: list[NDArray[Any]] = [codes]
        if self.features:
            inputs += [part.infos["action_features"], *part.infos["action_mask"].nonzero()]
        outputs: Floats = self.network(*map(self.tensor, inputs)).cpu().numpy()
        return outputs

    def tensor(self, array: NDArray[Any]) -> th.Tensor:
        """The array on the device; on the CPU it is the same memory."""
        return th.from_numpy(array).to(self.device)

    def learn(self) -> dict[str, float]:
        """Train on the rollout -> means of `statistics`."""
        config, rollout, advantages = self.config, self.rollout, self.rollout.advantages
        discounts = F32(config.gamma), F32(config.gae_lambda)
        estimate(rollout.rewards, rollout.values, rollout.ends, *discounts, advantages)
        samples = advantages.size
        inputs, sums = self.gradient_inputs(), np.zeros(len(self.statistics))
        self.set_rate()
        for part in self.minibatches(samples):
            outputs = self.network(*map(self.tensor, self.samples(part)))
            gradient = np.empty(outputs.shape, F32)
            self.gradient(outputs.detach().cpu().numpy(), part, *inputs, gradient, sums)
            self.optimiser.zero_grad()
            outputs.backward(self.tensor(gradient))
            nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
            self.optimiser.step()
        means = sums / (samples * config.n_epochs)
        return dict(zip(self.statistics, means.tolist(), strict=True))

    def samples(self, part: NDArray[np.int64]) -> list[NDArray[Any]]:
        """The network's inputs for a minibatch, given as sample indices."""
        codes, masks = (
            array.reshape(-1, array.shape[2]) for array in (self.rollout.codes, self.rollout.masks)
        )
        # 12 times as fast as torch's gather of int8 (0.1 us a sample)
        inputs: list[NDArray[Any]] = [np.take(codes, part, axis=0)]
        if self.features:
            inputs += [self.features.take(part), *np.take(masks, part, axis=0).nonzero()]
        return inputs

    def gradient_inputs(self) -> tuple[NDArray[Any], ...]:
        """The inputs of `gradient` besides the outputs: arrays with one row per sample."""
        rollout, config = self.rollout, self.config
        masks = rollout.masks.reshape(-1, rollout.masks.shape[2])
        drawn = rollout.actions.ravel(), rollout.log_probs.ravel(), rollout.advantages.ravel()
        returns = (rollout.advantages + rollout.values[:-1]).ravel()
        weights = np.array([config.clip_range, config.ent_coef, config.vf_coef], F32)
        return masks, *drawn, returns, weights

    def minibatches(self, samples: int) -> Iterator[NDArray[np.int64]]:
        """Minibatches of all epochs: sample indices, each once per epoch."""
        for _ in range(self.config.n_epochs):
            order = self.random.permutation(samples)
            for first in range(0, samples, self.config.batch_size):
                yield order[first : first + self.config.batch_size]

    def set_rate(self) -> None:
        """Set the learning rate, which decays linearly."""
        config = self.config
        done = min(1.0, self.steps / config.total_steps)
        rate = config.learning_rate + done * (config.learning_rate_end - config.learning_rate)
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    # ---- on disk ----------------------------------------------------------------------------
    def save(self, path: Path, record: dict[str, Any]) -> None:
        """Write the network to `path`, and the optimiser beside it, for --resume."""
        content = tensor_file.packed(None, self.optimiser)
        facts = {"steps": self.steps, "minutes": round(self.minutes, 3), **made_by()}
        network = self.network.network(record | facts)
        with uninterrupted():
            write_whole(path.with_suffix(OPTIMISER), content)
            network.save(path)

    def restore(self, path: Path, record: Mapping[str, Any]) -> None:
        """Restore optimiser and counters saved with `path`."""
        beside = path.with_suffix(OPTIMISER)
        try:
            saved = tensor_file.part(tensor_file.read_tensors(beside), tensor_file.OPTIMISER)
            tensor_file.take_optimiser(self.optimiser, saved, beside)
        except ModelError as error:
            raise ModelError(f"{error}; --from {path} starts without it") from None
        self.steps, self.minutes = int(record["steps"]), float(record["minutes"])


def dtype_of_products(config: Config) -> th.dtype:
    """The type in which matrices are multiplied.

    Without instructions for bfloat16 (AVX-512 BF16) training takes six times as long in it as in
    float32: 2,000 samples/s instead of 11,700.
    """
    chosen = config.bfloat16
    if chosen == "auto" and device_of(config).type == "cuda":
        chosen = th.cuda.is_bf16_supported()
    elif chosen == "auto":
        chosen = getattr(th.cpu, "_is_avx512_bf16_supported", lambda: False)()
    return th.bfloat16 if chosen else th.float32


def make_env(config: Config, **more: Any) -> RulesetVectorEnv:
    """All games of `config` in one vector environment; a step overwrites the arrays of the last.

    more: arguments that a file cannot express, such as a learning opponent.
    """
    rules = ruleset_of(config.env)
    fixed: dict[str, Any] = {
        "mix": config.mix,
        "dtype": "int8",
        "observation": "fitted",
        "copy": False,
        "threads": config.threads,
    }
    played = rules.chosen_arguments(**config.env_kwargs() | more)
    return vector_env_class(rules.env_id)(
        config.n_envs, autoreset_mode="SameStep", **fixed, **played
    )


def make_envs(config: Config) -> list[RulesetVectorEnv]:
    """The vector environment of `config`, or with `half_batches` two of half the size."""
    n = 1 + config.half_batches
    part = config.model_copy(update={"n_envs": config.n_envs // n})
    return [make_env(part) for _ in range(n)]


def played_in(env: RulesetVectorEnv) -> list[Arguments]:
    """The arguments of the games of an environment: its mix, or its one scenario."""
    return [share.arguments for share in env.batch.mix]


def plays_several_scenarios(played: Sequence[Arguments]) -> bool:
    """Whether areas, items and cards are numbered differently in different games."""
    is_procedural = any(len(one.scenario_seeds() or ()) > 1 for one in played)
    return is_procedural or len({one.scenario for one in played}) > 1


def start_learner(
    learner: type[PPO],
    job: Job,
    env: RulesetVectorEnv,
    fingerprint: str,
    second: RulesetVectorEnv | None = None,
) -> PPO:
    """The learner of a job: new, warm-started or resumed. second: see PPO."""
    path = job.resume or job.warm
    if path is None:
        clear_away(job)
        return learner(job.config, env, job.config.seed, second=second)
    network = load_network(
        path, env.ruleset, fingerprint, force=job.force, override_hint=OVERRIDE_HINT
    )
    if job.resume is None:
        clear_away(job)
        return learner(job.config, env, job.config.seed, network, second)
    seed = job.config.seed + int(network.record["steps"])  # a resumed run plays other games
    resumed = learner(job.config, env, seed, network, second)
    resumed.restore(path, network.record)
    return resumed


def run(job: Job, kind: type[PPO] = PPO) -> Path:
    """Run the job with a learner of this kind; returns the path of the saved model."""
    th.set_num_threads(job.config.threads)
    config, out = job.config, job.out
    env, *others = make_envs(config)
    fingerprints = [one.reference().fingerprint for one in played_in(env)]
    learner = start_learner(kind, job, env, fingerprints[0], *others)
    record = record_of(job, fingerprints[0])
    record["fingerprints"] = fingerprints
    board = scalars(config, out)
    report = Report(config, out, job.console, SUFFIX, lambda path: learner.save(path, record))
    report.start(learner.steps)
    path = out / f"model{SUFFIX}"
    try:
        while learner.steps < config.total_steps:
            statistics = learner.iterate(report)
            board(learner.steps, report.note(learner.steps, statistics))
    except KeyboardInterrupt:
        raise report.stopped(path, learner.steps) from None
    finally:
        report.stop()
        for part in learner.parts:
            part.env.close()
    report.save(path)
    return path


def scalars(config: Config, out: Path) -> Callable[[int, Mapping[str, float]], None]:
    """A function that sends points of the curve to tensorboard, if enabled."""
    folder = tensorboard_folder(config, out)
    if folder is None:
        return lambda steps, point: None
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(str(folder))

    def write(steps: int, point: Mapping[str, float]) -> None:
        for name, value in point.items():
            writer.add_scalar(name, value, steps)
        writer.flush()

    return write


main = Trainer("ppo", LEAN, SUFFIX, OUT, run, warm="Network to start from, an .npz file.").main

if __name__ == "__main__":
    sys.exit(main())
