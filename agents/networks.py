"""The networks that PPO and imitation train, in torch.

`ActorCritic` has an output for each action; `ActionScorer` scores actions from their features, so
it plays any scenario. Both read the core's int8 and become a `Network`, played without torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from agemonia_env.policies.network import Group, Layer, Network
from agemonia_env.rulesets.ruleset import Ruleset

GROUP_WIDTH = 64  # units that read a figure; alike in wider networks, so that these can begin so


@dataclass(frozen=True)
class Inputs:
    """What a network reads.

    columns: of the observation, int32 (k,). groups: slots of figures and numbers of each, (slots,
    numbers), whose columns come last, group by group and slot after slot.
    """

    columns: NDArray[np.int32]
    groups: Sequence[tuple[int, int]] = ()

    @property
    def n_own(self) -> int:
        """Columns that are not of a group."""
        return len(self.columns) - sum(slots * numbers for slots, numbers in self.groups)


def in_groups(rules: Ruleset, columns: NDArray[np.integer[Any]]) -> Inputs:
    """These columns, with those of the figures as groups.

    What is a column of one slot is read in every slot.
    """
    structure, every = rules.structure, np.arange(rules.N_OBSERVATION)
    is_read, groups = np.isin(every, columns), []
    is_own = is_read.copy()
    for names in structure.figures:
        slots = np.hstack([structure.block[name].view(every[None])[0] for name in names])
        groups.append(slots[:, is_read[slots].any(axis=0)])
        is_own[slots] = False
    order = np.concatenate([np.flatnonzero(is_own), *(slots.ravel() for slots in groups)])
    return Inputs(order.astype(np.int32), [slots.shape for slots in groups])


class PolicyNetwork(nn.Module):
    """Policy and value on one trunk of tanh layers.

    One layer reads each figure of a group, and the sum of its outputs is passed on.

    scales: float value of a column = int8 / scale; n_outputs: of the policy's layer; n_pooled:
    numbers that the value reads beside the trunk's.
    """

    groups: Any  # a list of nn.Linear
    trunk: Any  # likewise  # a list of nn.Linear
    scorer: Any  # likewise, empty without one
    factors: th.Tensor
    trunk_factors: th.Tensor  # of its own columns, then of the sums

    def __init__(
        self,
        inputs: Inputs,
        scales: NDArray[Any],
        net_arch: list[int],
        n_outputs: int,
        dtype: th.dtype,
        n_pooled: int = 0,
    ) -> None:
        super().__init__()
        self.inputs, self.columns, self.dtype = inputs, inputs.columns, dtype
        factors = th.as_tensor(1.0 / scales[inputs.columns], dtype=th.float32)
        self.register_buffer("factors", factors)
        summed = th.ones(len(inputs.groups) * GROUP_WIDTH)
        self.register_buffer("trunk_factors", th.cat([factors[: inputs.n_own], summed]))
        self.groups = nn.ModuleList(nn.Linear(numbers, GROUP_WIDTH) for _, numbers in inputs.groups)
        for layer, (slots, _) in zip(self.groups, inputs.groups, strict=True):
            nn.init.orthogonal_(layer.weight, (2 / slots) ** 0.5)
            nn.init.zeros_(layer.bias)
        sizes = [len(self.trunk_factors), *net_arch]
        self.trunk = nn.ModuleList(map(nn.Linear, sizes, sizes[1:]))
        self.scorer = nn.ModuleList()
        self.policy = nn.Linear(sizes[-1], n_outputs)
        self.value = nn.Linear(sizes[-1] + n_pooled, 1)
        for layer in self.trunk:
            nn.init.orthogonal_(layer.weight, 2**0.5)
        nn.init.orthogonal_(self.policy.weight, 0.01)
        nn.init.orthogonal_(self.value.weight, 1.0)
        for layer in (*self.trunk, self.policy, self.value):
            nn.init.zeros_(layer.bias)

    def read(self, codes: th.Tensor) -> th.Tensor:
        """Quantized columns, int8 (n, k) -> the trunk's last rows."""
        at = self.inputs.n_own
        parts = [codes[:, :at].to(self.dtype)]
        for layer, (slots, numbers) in zip(self.groups, self.inputs.groups, strict=True):
            figures = codes[:, at : at + slots * numbers].view(-1, slots, numbers).to(self.dtype)
            weight = layer.weight * self.factors[at : at + numbers]
            parts.append(th.relu(self._product(figures, weight, layer.bias)).sum(dim=1))
            at += slots * numbers
        first, *others = self.trunk
        joined, weight = th.cat(parts, dim=1), first.weight * self.trunk_factors
        rows = th.tanh(self._product(joined, weight, first.bias))
        for layer in others:
            rows = th.tanh(self._product(rows, layer.weight, layer.bias))
        return rows

    def _product(self, rows: th.Tensor, weight: th.Tensor, bias: th.Tensor) -> th.Tensor:
        return functional.linear(rows, weight.to(self.dtype), bias.to(self.dtype))

    def _head(self, rows: th.Tensor, layer: nn.Linear) -> th.Tensor:
        return self._product(rows, layer.weight, layer.bias).float()

    def network(self, record: dict[str, Any]) -> Network:
        """A copy of the weights as a Network, which needs no torch."""
        trunk, scorer = ([_copied(layer) for layer in part] for part in (self.trunk, self.scorer))
        heads = _copied(self.policy), _copied(self.value)
        groups = [
            Group(slots, _copied(layer))
            for layer, (slots, _) in zip(self.groups, self.inputs.groups, strict=True)
        ]
        return Network(self.columns, trunk, *heads, record, scorer, groups)

    @th.no_grad()
    def take(self, network: Network) -> None:
        """Copy the weights of a network with the same columns and as many layers.

        Its layers may be narrower: the units beyond them begin without effect on what follows
        (Net2Net: T. Chen et al., 2016, arXiv:1511.05641).
        """
        mine = (*self.groups, *self.trunk, *self.scorer, self.policy)
        groups = (group.layer for group in network.groups)
        others = (*groups, *network.trunk, *network.scorer, network.policy)
        for layer, other in zip(mine, others, strict=True):
            _take(layer.weight, layer.bias, other)
        width, its_width = self.trunk[-1].out_features, network.trunk[-1].bias.size
        weight, bias, value = self.value.weight, self.value.bias, network.value
        _take(weight[:, :width], bias, Layer(value.weights[:its_width], value.bias))
        _take(weight[:, width:], bias, Layer(value.weights[its_width:], value.bias))


class ActorCritic(PolicyNetwork):
    """Has an output for each action, and one for the value."""

    def forward(self, codes: th.Tensor) -> th.Tensor:
        """Quantized columns, int8 (n, k) -> logits and value, float32 (n, n_actions + 1)."""
        rows = self.read(codes)
        return th.cat([self._head(rows, self.policy), self._head(rows, self.value)], dim=1)


class ActionScorer(PolicyNetwork):
    """Scores each legal action by its features and the trunk's view of the position.

    The same weights score every action in every question, so what is learned about an action in
    one scenario holds in others. The value reads the mean of the scorer's last hidden rows over the
    legal actions (deep sets: M. Zaheer et al., 2017, arXiv:1703.06114), beside the trunk's.
    """

    def __init__(
        self,
        inputs: Inputs,
        rules: Ruleset,
        net_arch: list[int],
        dtype: th.dtype,
        greedy_prior: float,
    ) -> None:
        """net_arch: layers of the trunk, and of the scorer; greedy_prior: see start_as_greedy."""
        super().__init__(inputs, rules.SCALES, net_arch, net_arch[0], dtype, net_arch[-1])
        self.n_actions = rules.N_ACTIONS
        features = th.as_tensor(1.0 / rules.ACTION_SCALES, dtype=th.float32)
        self.register_buffer("feature_factors", features)
        sizes = [rules.N_ACTION_FEATURES, *net_arch, 1]
        self.scorer = nn.ModuleList(map(nn.Linear, sizes, sizes[1:]))
        nn.init.orthogonal_(self.policy.weight, 1.0)
        nn.init.orthogonal_(self.scorer[-1].weight, 0.01)  # all actions start equally likely
        nn.init.zeros_(self.value.weight[:, -net_arch[-1] :])
        self.start_as_greedy(position_of(rules.ACTION, "greedy_choice"), greedy_prior)

    @th.no_grad()
    def start_as_greedy(self, feature: int, logit: float) -> None:
        """Pass a feature through the first unit of each layer to the logit, multiplied by `logit`.

        Training then improves on greedy play, whose choice the feature is (residual policy
        learning: T. Silver et al., 2018, arXiv:1812.06298).
        """
        for layer in (self.policy, *self.scorer[:-1]):
            layer.weight[0] = 0
        self.scorer[0].weight[0, feature] = 1
        for layer in self.scorer[1:-1]:
            layer.weight[0, 0] = 1
        self.scorer[-1].weight[0, 0] = logit

    def forward(
        self, codes: th.Tensor, features: th.Tensor, games: th.Tensor, actions: th.Tensor
    ) -> th.Tensor:
        """Logits of legal actions and values, float32 (n, n_actions + 1).

        codes: quantized columns, int8 (n, k). features: of the legal actions, quantized, int8
        (m, N_ACTION_FEATURES): row i belongs to action actions[i] of game games[i].
        """
        read = self.read(codes)
        first, *others, last = self.scorer
        weight = first.weight * self.feature_factors
        rows = self._product(features.to(self.dtype), weight, first.bias)
        position = self._product(read, self.policy.weight, self.policy.bias)
        rows = th.relu(rows + position.index_select(0, games))
        for layer in others:
            rows = th.relu(self._product(rows, layer.weight, layer.bias))
        logits = read.new_zeros(len(codes), self.n_actions, dtype=th.float32)
        logits = logits.index_put((games, actions), self._head(rows, last)[:, 0])
        counts = logits.new_zeros(len(codes), 1).index_add(0, games, logits.new_ones(len(games), 1))
        sums = logits.new_zeros(len(codes), rows.shape[1]).index_add(0, games, rows.float())
        pooled = (sums / counts).to(self.dtype)
        value = self._head(th.cat([read, pooled], dim=1), self.value)
        return th.cat([logits, value], dim=1)


def position_of(features: np.dtype[Any], name: str) -> int:
    """Where a field of action features is in the row of float32."""
    fields: Mapping[str, Any] = features.fields or {}
    return int(fields[name][1]) // np.dtype(np.float32).itemsize


def _take(weight: th.Tensor, bias: th.Tensor, other: Layer) -> None:
    """Copy a layer into one that may have more inputs, without effect, and more outputs."""
    inputs, outputs = other.weights.shape
    weight[:outputs] = 0
    weight[:outputs, :inputs] = th.from_numpy(other.weights.T.copy())
    bias[:outputs] = th.from_numpy(other.bias)


def _copied(layer: nn.Linear) -> Layer:
    """Its weights, transposed for products with rows."""
    weight, bias = (part.detach().cpu().numpy() for part in (layer.weight, layer.bias))
    return Layer(weight.T.copy(), bias.copy())
