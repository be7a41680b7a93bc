"""The networks that PPO and imitation train, in torch.

`ActorCritic` has an output for each action; `ActionScorer` scores actions from their features, so
it plays any scenario. Both read the core's int8 and become a `Network`, played without torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from agemonia_env.policies.network import Layer, Network
from agemonia_env.rulesets.ruleset import Ruleset


class PolicyNetwork(nn.Module):
    """Policy and value on one trunk of tanh layers.

    columns: of the observation, int32 (k,); scales: float value of a column = int8 / scale;
    n_outputs: besides the value.
    """

    trunk: Any  # a list of nn.Linear
    scorer: Any  # likewise, empty without one
    factors: th.Tensor

    def __init__(
        self,
        columns: NDArray[np.int32],
        scales: NDArray[Any],
        net_arch: list[int],
        n_outputs: int,
        dtype: th.dtype,
    ) -> None:
        super().__init__()
        self.columns, self.dtype = columns, dtype
        self.register_buffer("factors", th.as_tensor(1.0 / scales[columns], dtype=th.float32))
        sizes = [len(columns), *net_arch]
        self.trunk = nn.ModuleList(map(nn.Linear, sizes, sizes[1:]))
        self.scorer = nn.ModuleList()
        self.head = nn.Linear(sizes[-1], n_outputs + 1)  # logits, and the value last
        for layer in self.trunk:
            nn.init.orthogonal_(layer.weight, 2**0.5)
        nn.init.orthogonal_(self.head.weight[:-1], 0.01)
        nn.init.orthogonal_(self.head.weight[-1:], 1.0)
        for layer in (*self.trunk, self.head):
            nn.init.zeros_(layer.bias)

    def read(self, codes: th.Tensor) -> th.Tensor:
        """Quantized columns, int8 (n, k) -> outputs of the head, the value last."""
        rows = codes.to(self.dtype)
        first, *others = self.trunk
        rows = th.tanh(self._product(rows, first.weight * self.factors, first.bias))
        for layer in others:
            rows = th.tanh(self._product(rows, layer.weight, layer.bias))
        return self._product(rows, self.head.weight, self.head.bias).float()

    def _product(self, rows: th.Tensor, weight: th.Tensor, bias: th.Tensor) -> th.Tensor:
        return functional.linear(rows, weight.to(self.dtype), bias.to(self.dtype))

    def network(self, record: dict[str, Any]) -> Network:
        """A copy of the weights as a Network, which needs no torch."""
        trunk = [_copied(layer.weight, layer.bias) for layer in self.trunk]
        policy = _copied(self.head.weight[:-1], self.head.bias[:-1])
        value = _copied(self.head.weight[-1:], self.head.bias[-1:])
        scorer = [_copied(layer.weight, layer.bias) for layer in self.scorer]
        return Network(self.columns, trunk, policy, value, record, scorer)

    def take(self, network: Network) -> None:
        """Copy the weights of a network with the same columns and layers."""
        heads = (network.policy, network.value)
        weights = np.concatenate([head.weights for head in heads], axis=1)
        last = Layer(weights, np.concatenate([head.bias for head in heads]))
        with th.no_grad():
            layers = (*self.trunk, *self.scorer, self.head), (*network.trunk, *network.scorer, last)
            for mine, other in zip(*layers, strict=True):
                mine.weight.copy_(th.from_numpy(other.weights.T.copy()))
                mine.bias.copy_(th.from_numpy(other.bias))


class ActorCritic(PolicyNetwork):
    """Has an output for each action, and one for the value."""

    def forward(self, codes: th.Tensor) -> th.Tensor:
        """Quantized columns, int8 (n, k) -> logits and value, float32 (n, n_actions + 1)."""
        return self.read(codes)


class ActionScorer(PolicyNetwork):
    """Scores each legal action by its features and the trunk's view of the position.

    The same weights score every action in every question, so what is learned about an action in
    one scenario holds in others.
    """

    def __init__(
        self,
        columns: NDArray[np.int32],
        rules: Ruleset,
        net_arch: list[int],
        dtype: th.dtype,
        greedy_prior: float,
    ) -> None:
        """net_arch: layers of the trunk, and of the scorer; greedy_prior: see start_as_greedy."""
        super().__init__(columns, rules.SCALES, net_arch, net_arch[0], dtype)
        self.n_actions = rules.N_ACTIONS
        features = th.as_tensor(1.0 / rules.ACTION_SCALES, dtype=th.float32)
        self.register_buffer("feature_factors", features)
        sizes = [rules.N_ACTION_FEATURES, *net_arch, 1]
        self.scorer = nn.ModuleList(map(nn.Linear, sizes, sizes[1:]))
        nn.init.orthogonal_(self.head.weight[:-1], 1.0)
        nn.init.orthogonal_(self.scorer[-1].weight, 0.01)  # all actions start equally likely
        self.start_as_greedy(position_of(rules.ACTION, "greedy_choice"), greedy_prior)

    @th.no_grad()
    def start_as_greedy(self, feature: int, logit: float) -> None:
        """Pass a feature through the first unit of each layer to the logit, multiplied by `logit`.

        Training then improves on greedy play, whose choice the feature is (residual policy
        learning: T. Silver et al., 2018, arXiv:1812.06298).
        """
        for layer in (self.head, *self.scorer[:-1]):
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
        first, *others = self.scorer
        weight = first.weight * self.feature_factors
        rows = self._product(features.to(self.dtype), weight, first.bias)
        rows = rows + read[:, :-1].to(self.dtype).index_select(0, games)
        for layer in others:
            rows = self._product(th.relu(rows), layer.weight, layer.bias)
        logits = th.zeros(len(codes), self.n_actions)
        logits = logits.index_put((games, actions), rows[:, 0].float())
        return th.cat([logits, read[:, -1:]], dim=1)


def position_of(features: np.dtype[Any], name: str) -> int:
    """Where a field of action features is in the row of float32."""
    fields: Mapping[str, Any] = features.fields or {}
    return int(fields[name][1]) // np.dtype(np.float32).itemsize


def _copied(weight: th.Tensor, bias: th.Tensor) -> Layer:
    """The weights as a Layer, transposed for products with rows."""
    return Layer(weight.detach().numpy().T.copy(), bias.detach().numpy().copy())
