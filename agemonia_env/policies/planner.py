"""The planner: Monte Carlo tree search in the compiled core, greedy or with a network."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros
from agemonia_env.core.mcts import (
    EDGE,
    FLIGHT,
    LANDED,
    LIMIT,
    NODE,
    NONE,
    NOT_READY,
    ROOT,
    TURN,
    lag_of,
)
from agemonia_env.core.scoring import WIDEST
from agemonia_env.core.thread_pool import shared_pool
from agemonia_env.rulesets.arguments import MAX_THREADS, positive
from agemonia_env.rulesets.policy import Records
from agemonia_env.rulesets.ruleset import Ruleset

from .model_record import ModelError
from .network import Layer, Network
from .scripted import check_games

SIMULATIONS = 1000
MOST_SIMULATIONS = 1_000_000  # per decision: 100 MB and several minutes
TRUST = 0.3

Packed = tuple[int, float, float, NDArray[np.int64], NDArray[np.float32]]  # see core/scoring.py
NO_NETWORK: Packed = (0, 0.0, 0.0, np.zeros(0, np.int64), np.zeros(0, np.float32))


@dataclass(frozen=True)
class Searched:
    """What a search found in n games.

    visits: simulations that began with each action; 0 for all where only one is legal.
    wins: sum of their results, each the Heroes' chance, 0 to 1.
    """

    actions: NDArray[np.int64]  # (n,)
    visits: NDArray[np.int32]  # (n, N_ACTIONS)
    wins: NDArray[np.float32]  # (n, N_ACTIONS)


@dataclass(frozen=True)
class Planner:
    """Runs up to `simulations` per decision that offers a choice, for either side.

    A simulation copies the game, redraws everything hidden (dice, and the order of face-down
    cards, so it cannot peek), follows the tree to an untried action, and plays greedily to the end
    (see core/mcts.py). The search stops early once the remaining simulations cannot change the
    choice. threads: that search for one decision, of use from 256 simulations; the choice is the
    same with any number. done: simulations run so far, int64 (1,).

    network: one that scores actions by their features. Where the side that it was trained for
    decides, its probabilities are the priors. trust: share of its value in what a simulation finds,
    0 to 1; the rest is how greedy play goes on to the end, which with 1 is left out.
    """

    ruleset: Ruleset
    simulations: int = SIMULATIONS
    threads: int = 1
    network: Network | None = None
    file: str = ""  # of the network
    trust: float = TRUST
    batch: int = 1  # a game takes seconds: report progress after each
    done: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64), compare=False)

    def __post_init__(self) -> None:
        """Raise ValueError unless all numbers are in range."""
        positive("simulations", self.simulations, MOST_SIMULATIONS)
        positive("threads", self.threads, MAX_THREADS)
        if not 0 <= self.trust <= 1:
            raise ValueError(f"trust={self.trust}: must be from 0 to 1")
        try:
            assert self.packed
        except ModelError as error:
            raise ModelError(f"{self.file}: {error}") from None

    @property
    def name(self) -> str:
        """The planner with its budget, such as planner:200 or planner:50:model.npz."""
        return f"planner:{self.simulations}" + (f":{self.file}" if self.file else "")

    @cached_property
    def packed(self) -> Packed:
        """The network as `api.plan` takes it."""
        return NO_NETWORK if self.network is None else pack(self.network, self.ruleset, self.trust)

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        return self.search(states, contents, which).actions

    def search(self, states: Records, contents: Records, which: NDArray[np.int16]) -> Searched:
        """As `choose`, with how often each action was tried."""
        rules, n, lag = self.ruleset, len(states), lag_of(self.simulations)
        threads = min(self.threads, lag)  # more would only wait
        check_games(rules, states, contents, which)
        actions, visits = np.zeros(n, np.int64), np.zeros((n, rules.N_ACTIONS), np.int32)
        wins = np.zeros(visits.shape, np.float32)
        copies = zeros(rules.STATE, threads + 1)
        size = rules.STATE.itemsize
        raw, raw_copies = (records.view(np.uint8).reshape(-1, size) for records in (states, copies))
        nodes, edges = zeros(NODE, self.simulations + 1), zeros(EDGE, self.simulations)
        flights, counts = zeros(FLIGHT, lag), np.zeros(LANDED + lag, np.int64)
        pool = shared_pool(threads - 1)
        for i in range(n):
            counts[:], counts[TURN] = 0, NOT_READY
            games = states, raw, contents, which, i, copies, raw_copies
            search = partial(
                rules.api.plan, *games, nodes, edges, flights, counts, self.packed, actions
            )
            self.done[0] += pool.run(search)
            edge = int(nodes["edge"][ROOT]) if counts[LIMIT] else NONE
            while edge != NONE:
                action = edges["action"][edge]
                visits[i, action], wins[i, action] = edges["visits"][edge], edges["total"][edge]
                edge = int(edges["sibling"][edge])
        return Searched(actions, visits, wins)


def pack(network: Network, ruleset: Ruleset, trust: float) -> Packed:
    """A network for the compiled core: side, weight of the potential, trust, sizes and weights.

    Raises ModelError if it does not score actions by their features, or has too wide a layer.
    """
    if not network.trunk or not network.scorer:
        raise ModelError("a planner needs a network that scores actions by their features")
    scales, at, groups = ruleset.SCALES[network.columns], network.n_own, []
    trunk = [_for_integers(network.trunk[0], scales[:at]), *network.trunk[1:]]
    scorer = [_for_integers(network.scorer[0], ruleset.ACTION_SCALES), *network.scorer[1:]]
    for group in network.groups:
        groups.append(_for_integers(group.layer, scales[at : at + len(group.layer.weights)]))
        at += group.size
    layers = [*groups, *trunk, network.policy, *scorer, network.value]
    if max(layer.bias.size for layer in layers) > WIDEST:
        raise ModelError(f"a planner needs a network with layers of at most {WIDEST}")
    counts = len(scales), len(ruleset.ACTION_SCALES), len(trunk), len(scorer), len(groups)
    widths = [layer.bias.size for layer in (*trunk, *scorer)]
    for group in network.groups:
        widths += [group.slots, *group.layer.weights.shape]
    sizes = np.array([*counts, *network.columns, *widths], np.int64)
    parts = [part.ravel() for layer in layers for part in (layer.weights, layer.bias)]
    config = network.record.get("config", {})
    side = -1 if config.get("side") == "enemy" else 1
    weight = float(config.get("reward", "sparse") == "shaped")
    return side, weight, float(trust), sizes, np.concatenate(parts, dtype=np.float32)


def _for_integers(layer: Layer, scales: NDArray[np.float32]) -> Layer:
    """The layer, for first inputs that are the core's integers: values times these scales."""
    factors = np.ones((len(layer.weights), 1), np.float32)
    factors[: len(scales), 0] = 1 / scales
    return Layer(layer.weights * factors, layer.bias)
