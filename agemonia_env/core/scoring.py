"""The forward pass of a network that scores actions, for searches in the compiled core.

A network is two arrays (policies/planner.py packs them). sizes, int64: see the places below.
weights, float32: the layers one after the other, each as its weights (inputs, outputs) and its
bias, in the order groups, trunk, policy, scorer, value. Those that read the core's integers are
divided by the scales.

Most inputs are zero, and so is what ReLU passes on: products skip them, 3 times as fast as dense.
"""

from typing import Any, NamedTuple

import numpy as np

from .jit import COMPILED, allocating, kernel, with_fields

# Places in `sizes`: columns read of an observation, features of an action, layers of the trunk and
# of the scorer, groups; then the columns, then the widths of the trunk's layers and of the
# scorer's, then slots, numbers of a slot and outputs of each group
N_COLUMNS, N_FEATURES, N_TRUNK, N_SCORER, N_GROUPS, COLUMNS = range(6)
WIDEST = 512  # a layer's outputs
# Share of the priors spread evenly: a trained network is too sure of itself for a search to find
# what it has missed. planner:50 with 0, 0.25 and 0.5 won 82, 85 and 87 % of 256 procedural games
EVEN = 0.5
F0 = np.float32(0)

# Scratch of a forward pass
SCRATCH = np.dtype(
    [
        ("rows", np.float32, (3, WIDEST)),
        ("position", np.float32, (WIDEST,)),  # what the policy's layer says of it
        ("value", np.float32, (2 * WIDEST,)),  # what the value's layer reads
    ],
    align=True,
)
if not COMPILED:
    SCRATCH = with_fields(SCRATCH)


class Scorer(NamedTuple):
    """A network for one side of a search, and what a forward pass writes."""

    side: Any  # 1: it plays the Heroes, -1: their enemies, 0: there is none
    weight: Any  # of the potential in the rewards that its values are sums of
    trust: Any  # weight of its value, beside that of playing on greedily: 0 to 1
    sizes: Any
    weights: Any
    scratch: Any  # SCRATCH (1,)
    mask: Any  # uint8 (N_ACTIONS,)
    codes: Any  # int8 (1, N_OBS_INT8)
    observations: Any  # float32 (0, N_OBSERVATION): only the codes are written
    features: Any  # int8 (n_actions, N_ACTION_FEATURES)
    rows: Any  # the same memory, as the ruleset's write_features takes it
    logits: Any  # float32 (n_actions,)
    shares: Any  # float64 (n_actions,): probabilities of the legal actions


@allocating
def scorer_of(network, n_actions, n_codes, n_observations, features, rows):
    """The Scorer of a network: side, weight, trust, sizes and weights.

    n_codes, n_observations: lengths of an observation as int8 and as float32.
    """
    return Scorer(
        network[0],
        network[1],
        network[2],
        network[3],
        network[4],
        np.empty(1, SCRATCH),
        np.zeros(n_actions, np.uint8),
        np.zeros((1, n_codes), np.int8),
        np.zeros((0, n_observations), np.float32),
        features,
        rows,
        np.empty(n_actions, np.float32),
        np.empty(n_actions, np.float64),
    )


@kernel
def add_row(weights, first, x, out, n):
    """Add x times a row of weights, which begins at `first`, to the first n of out."""
    row = weights[first : first + n]
    for j in range(n):
        out[j] += x * row[j]


@kernel
def start_from_bias(weights, at, inputs, out, n):
    """Set out to the bias of the layer at `at`, which has n outputs."""
    bias = weights[at + inputs * n : at + inputs * n + n]
    for j in range(n):
        out[j] = bias[j]


@kernel
def apply_layer(weights, at, values, inputs, out, n):
    """Write the outputs of the layer at `at` for the inputs `values` -> where the next begins."""
    start_from_bias(weights, at, inputs, out, n)
    for i in range(inputs):
        if values[i] != F0:
            add_row(weights, at + i * n, values[i], out, n)
    return at + (inputs + 1) * n


@kernel
def add_codes(sizes, column, weights, at, codes, inputs, out, n):
    """Add to out the rows of the layer at `at` for the columns from place `column` of sizes on."""
    for i in range(inputs):
        code = codes[sizes[column + i]]
        if code != 0:
            add_row(weights, at + i * n, np.float32(code), out, n)


@kernel
def read_group(sizes, column, weights, at, codes, slots, numbers, n, hidden, total):
    """Write the sum over the slots of a group of its layer's outputs, after ReLU."""
    total[:n] = F0
    for slot in range(slots):
        start_from_bias(weights, at, numbers, hidden, n)
        add_codes(sizes, column + slot * numbers, weights, at, codes, numbers, hidden, n)
        for j in range(n):
            total[j] += max(F0, hidden[j])


@kernel
def group_of(sizes, groups, g):
    """Slots, numbers of a slot and outputs of group g."""
    place = groups + 3 * g
    return sizes[place], sizes[place + 1], sizes[place + 2]


@kernel
def read_first(sizes, weights, codes, scratch):
    """Run the groups and the trunk's first layer -> where the second begins, its inputs."""
    widths = COLUMNS + sizes[N_COLUMNS]
    groups = widths + sizes[N_TRUNK] + sizes[N_SCORER]
    n, n_own, at, inputs = sizes[widths], sizes[N_COLUMNS], 0, 0
    for g in range(sizes[N_GROUPS]):
        slots, numbers, outputs = group_of(sizes, groups, g)
        n_own -= slots * numbers
        at += (numbers + 1) * outputs
        inputs += outputs
    inputs += n_own
    start_from_bias(weights, at, inputs, scratch.rows[0], n)
    add_codes(sizes, COLUMNS, weights, at, codes, n_own, scratch.rows[0], n)
    column, row, group = COLUMNS + n_own, at + n_own * n, 0
    for g in range(sizes[N_GROUPS]):
        slots, numbers, outputs = group_of(sizes, groups, g)
        hidden, total = scratch.rows[1], scratch.rows[2]
        read_group(sizes, column, weights, group, codes, slots, numbers, outputs, hidden, total)
        for j in range(outputs):
            if total[j] != F0:
                add_row(weights, row + j * n, total[j], scratch.rows[0], n)
        column += slots * numbers
        row += outputs * n
        group += (numbers + 1) * outputs
    return at + (inputs + 1) * n, n


@kernel
def read_position(sizes, weights, codes, scratch):
    """Run the trunk and the policy's layer on an observation, int8 -> where the scorer begins."""
    n_trunk, widths = sizes[N_TRUNK], COLUMNS + sizes[N_COLUMNS]
    at, n = read_first(sizes, weights, codes, scratch)
    now, other = 0, 1
    squash(scratch.rows[now], n)
    for layer in range(1, n_trunk):
        inputs, n = n, sizes[widths + layer]
        at = apply_layer(weights, at, scratch.rows[now], inputs, scratch.rows[other], n)
        now, other = other, now
        squash(scratch.rows[now], n)
    for j in range(n):
        scratch.value[j] = scratch.rows[now, j]
    return apply_layer(weights, at, scratch.rows[now], n, scratch.position, sizes[widths + n_trunk])


@kernel
def squash(values, n):
    """Apply tanh to the first n values."""
    for j in range(n):
        values[j] = np.tanh(values[j])


@kernel
def score(net, n_actions):
    """Write the logits of n_actions legal actions from net.codes and net.features -> the value."""
    sizes, weights, scratch = net.sizes, net.weights, net.scratch[0]
    at = scorer = read_position(sizes, weights, net.codes[0], scratch)
    widths = COLUMNS + sizes[N_COLUMNS] + sizes[N_TRUNK]
    trunk, pooled = sizes[widths - 1], sizes[widths + sizes[N_SCORER] - 2]
    for j in range(pooled):
        scratch.value[trunk + j] = F0
    for k in range(n_actions):
        at = score_action(sizes, weights, scorer, net.features[k], scratch, net.logits, k)
        for j in range(pooled):
            scratch.value[trunk + j] += scratch.rows[2, j]
    for j in range(pooled):
        scratch.value[trunk + j] /= np.float32(n_actions)
    apply_layer(weights, at, scratch.value, trunk + pooled, scratch.rows[0], 1)
    return scratch.rows[0, 0]


@kernel
def chance_of_winning(net, value, potential):
    """The Heroes' chance, from a value of the network's side and the Heroes' potential."""
    return max(0.0, min(1.0, 0.5 + 0.5 * (net.side * value + net.weight * potential)))


@kernel
def score_action(sizes, weights, at, features, scratch, logits, k):
    """Write logit k; its last hidden layer stays in scratch.rows[2] -> where the value begins."""
    widths = COLUMNS + sizes[N_COLUMNS] + sizes[N_TRUNK]
    inputs, n = sizes[N_FEATURES], sizes[widths]
    now, other = 0, 1
    start_from_bias(weights, at, inputs, scratch.rows[now], n)
    for i in range(inputs):
        code = features[i]
        if code != 0:
            add_row(weights, at + i * n, np.float32(code), scratch.rows[now], n)
    for j in range(n):
        scratch.rows[now, j] = max(F0, scratch.rows[now, j] + scratch.position[j])
    at += (inputs + 1) * n
    for layer in range(1, sizes[N_SCORER] - 1):
        inputs, n = n, sizes[widths + layer]
        at = apply_layer(weights, at, scratch.rows[now], inputs, scratch.rows[other], n)
        now, other = other, now
        for j in range(n):
            scratch.rows[now, j] = max(F0, scratch.rows[now, j])
    for j in range(n):
        scratch.rows[2, j] = scratch.rows[now, j]
    at = apply_layer(weights, at, scratch.rows[2], n, scratch.rows[other], 1)
    logits[k] = scratch.rows[other, 0]
    return at


@kernel
def write_shares(net, n):
    """Turn n logits into priors, net.shares: their probabilities, EVEN of them spread evenly."""
    top, total = net.logits[0], 0.0
    for k in range(1, n):
        top = max(top, net.logits[k])
    for k in range(n):
        net.shares[k] = np.exp(net.logits[k] - top)
        total += net.shares[k]
    for k in range(n):
        net.shares[k] = EVEN / n + (1.0 - EVEN) * net.shares[k] / total
