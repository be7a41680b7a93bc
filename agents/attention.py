"""An attention network over tokens for allies, enemies and areas.

No weight belongs to a particular area or enemy, so what it learns about one applies to all, even
on new maps. An area's token includes the figures standing in it; areas attend to each other, biased
by their relation (border, range, sight); figures then read the token of their area. An action that
names an area, an enemy or an ally is scored by that token, every other one by the pooled tokens.

After C. Ying et al., "Do Transformers Really Perform Badly for Graph Representation?" (2021,
arXiv:2106.05234): attention with a learned bias for each relation of two nodes.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch as th
from torch import nn
from torch.nn import functional

from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS, SIZES, Block
from agemonia_env.rulesets.agemonia.core.layout import N_AREAS, N_TYPES
from agemonia_env.rulesets.agemonia.core.obs_spec import CHIPS, SMALL
from agemonia_env.rulesets.agemonia.core.terms import Border
from agemonia_env.rulesets.agemonia.states.obs_arrays import STRUCTURE

# Blocks of actions that name a token -> kind of token; in the order of the queries
POINTERS = {
    Block.AREA: "area",
    Block.CLIMB: "area",
    Block.PORTAL: "area",
    Block.ENEMY: "enemy",
    Block.ALLY: "ally",
}
FAR = 7  # all ranges from here on are one relation; range -1, no path, is another
N_RELATIONS = len(Border) * 2 * (FAR + 2)
NEVER = -1e4  # added to the attention scores of absent areas

Arrays = Mapping[str, th.Tensor]
Columns = Mapping[str, Mapping[str, slice]]
AT: Columns = {name: block.columns for name, block in STRUCTURE.block.items()}


class AttentionPolicy(nn.Module):
    """Policy and value of Agemonia over tokens.

    size: width of a token; layers: of attention between areas; heads: per layer.
    """

    def __init__(self, size: int = 64, layers: int = 2, heads: int = 4) -> None:
        """Raises ValueError if the heads cannot share a token evenly."""
        super().__init__()
        if size % heads:
            raise ValueError(f"size={size}: must be a multiple of heads={heads}")
        self.settings = {"size": size, "layers": layers, "heads": heads}
        self.world = nn.Linear(_width("globals") + _width("bar") + _width("task"), size)
        self.ally = nn.Linear(_before("ally", "provoked") + _width("ally_now"), size)
        self.slot = nn.Parameter(0.1 * th.randn(STRUCTURE.block["ally"].shape[0], size))
        self.enemy = nn.Linear(
            _before("enemy", "type") + _width("enemy_now") + _width("card"), size
        )
        self.area = nn.Linear(_width("area"), size)
        self.relation = nn.Embedding(N_RELATIONS, layers * heads)
        nn.init.zeros_(self.relation.weight)
        self.layers = nn.ModuleList(Layer(size, heads) for _ in range(layers))
        self.stand = nn.ModuleDict({kind: Reading(size) for kind in ("ally", "enemy")})
        self.table = nn.Sequential(nn.Linear(5 * size, 2 * size), nn.ReLU())
        self.queries = nn.Linear(2 * size, len(POINTERS) * size)
        self.others = nn.Linear(2 * size, N_ACTIONS - sum(SIZES[block] for block in POINTERS))
        self.value = nn.Linear(2 * size, 1)
        for head in (self.queries, self.others):  # all actions start equally likely
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)

    def forward(self, rows: th.Tensor) -> tuple[th.Tensor, th.Tensor]:
        """Wide rows, float32 (n, STRUCTURE.width) -> logits (n, N_ACTIONS), values (n,)."""
        arrays = used(STRUCTURE(rows))
        world = self.world(_joined(arrays["globals"], arrays["bar"].flatten(1), arrays["task"]))
        tokens = self.figures(arrays)
        tokens["area"] = self.areas(arrays, tokens, world)
        places = {kind: _areas(kind, arrays) for kind in self.stand}
        for kind, reading in self.stand.items():
            tokens[kind] = reading(tokens[kind], places[kind] @ tokens["area"])
        asked = arrays["ally_now"][..., AT["ally_now"]["asked"]]
        pools = [_mean(tokens[kind], arrays[kind + "_mask"]) for kind in ("area", "ally", "enemy")]
        table = self.table(_joined(world, (asked * tokens["ally"]).sum(1), *pools))
        return self.logits(table, tokens), self.value(table)[:, 0]

    def figures(self, arrays: Arrays) -> dict[str, th.Tensor]:
        """Tokens of allies and enemies, before they read their areas."""
        allies = arrays["ally"][..., : AT["ally"]["provoked"].start]
        ally = self.ally(_joined(allies, arrays["ally_now"])) + self.slot[: allies.shape[1]]
        kinds = _one_hot(arrays["enemy"][..., AT["enemy"]["type"]], N_TYPES, N_TYPES)
        cards = kinds @ arrays["card"]
        enemies = arrays["enemy"][..., : AT["enemy"]["type"].start]
        enemy = self.enemy(_joined(enemies, arrays["enemy_now"], cards))
        return {
            "ally": ally * arrays["ally_mask"][..., None],
            "enemy": enemy * arrays["enemy_mask"][..., None],
        }

    def areas(self, arrays: Arrays, figures: Arrays, world: th.Tensor) -> th.Tensor:
        """Tokens of the areas, after attending to each other."""
        areas: th.Tensor = self.area(arrays["area"]) + world[:, None]
        for kind, tokens in figures.items():
            areas = areas + _areas(kind, arrays).mT @ tokens
        bias = self.relation(relations(arrays)).permute(3, 0, 1, 2)  # (layers * heads, n, to, from)
        bias = bias + NEVER * ~arrays["area_mask"][:, None]
        heads = self.settings["heads"]
        for k, layer in enumerate(self.layers):
            areas = layer(areas, bias[k * heads : (k + 1) * heads].transpose(0, 1))
        return areas

    def logits(self, table: th.Tensor, tokens: Arrays) -> th.Tensor:
        """The logit of every action, in the order of the blocks."""
        queries = dict(zip(POINTERS, self.queries(table).chunk(len(POINTERS), dim=1), strict=True))
        sizes = [size for block, size in enumerate(SIZES) if block not in POINTERS]
        others = iter(self.others(table).split(sizes, dim=1))
        scores = []
        for block, size in enumerate(SIZES):
            if block not in POINTERS:
                scores.append(next(others))
                continue
            pointed = (tokens[POINTERS[Block(block)]] @ queries[Block(block)][..., None])[..., 0]
            scores.append(functional.pad(pointed, (0, size - pointed.shape[1])))
        return th.cat(scores, dim=1)


class Layer(nn.Module):
    """One transformer layer: attention between areas, then a feed-forward network."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before = nn.LayerNorm(size)
        self.qkv = nn.Linear(size, 3 * size)
        self.projection = nn.Linear(size, size)
        self.between = nn.LayerNorm(size)
        self.feed_forward = nn.Sequential(
            nn.Linear(size, 2 * size), nn.ReLU(), nn.Linear(2 * size, size)
        )

    def forward(self, areas: th.Tensor, bias: th.Tensor) -> th.Tensor:
        """Tokens (n, areas, size), bias of each pair (n, heads, areas, areas) -> tokens."""
        n, m, size = areas.shape
        qkv = self.qkv(self.before(areas)).view(n, m, 3, self.heads, size // self.heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        scores = th.softmax(query @ key.mT * (size // self.heads) ** -0.5 + bias, dim=-1)
        areas = areas + self.projection((scores @ value).transpose(1, 2).reshape(n, m, size))
        updated: th.Tensor = areas + self.feed_forward(self.between(areas))
        return updated


class Reading(nn.Module):
    """Updates the tokens of figures from those of their areas."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.own, self.read = nn.Linear(size, size), nn.Linear(size, size)
        self.update = nn.Linear(size, size)

    def forward(self, figures: th.Tensor, areas: th.Tensor) -> th.Tensor:
        """Tokens of figures and of the area of each, both (n, figures, size) -> figures."""
        hidden = th.relu(self.own(figures) + self.read(areas))
        updated: th.Tensor = figures + self.update(hidden)
        return updated


# ---- arrays -------------------------------------------------------------------------------------
def used(arrays: dict[str, th.Tensor]) -> dict[str, th.Tensor]:
    """The arrays without trailing rows that no game of the batch uses, such as absent areas.

    In random scenarios with two heroes this makes the forward pass 1.5 times as fast.
    """
    kept = dict(arrays)
    for kind, others in (("area", ()), ("ally", ("ally_now",)), ("enemy", ("enemy_now",))):
        there = arrays[kind + "_mask"].any(dim=0).nonzero()
        rows = int(there[-1]) + 1 if len(there) else 1
        for name in (kind, kind + "_mask", *others):
            kept[name] = arrays[name][:, :rows]
        if kind == "area":
            for name in ("border", "range", "sees"):
                kept[name] = arrays[name][:, :rows, :rows]
    return kept


def relations(arrays: Arrays) -> th.Tensor:
    """Border, sight and range of every two areas as one number, int64 (n, areas, areas)."""
    border = (arrays["border"] * SMALL).round().long()
    steps = (arrays["range"] * CHIPS).round().long().clamp(-1, FAR) + 1
    return (steps * 2 + arrays["sees"].long()) * len(Border) + border


def _areas(kind: str, arrays: Arrays) -> th.Tensor:
    """In which area each figure of a kind stands, one-hot (n, figures, areas)."""
    return _one_hot(arrays[kind][..., AT[kind]["area"]], N_AREAS, arrays["area"].shape[1])


def _one_hot(values: th.Tensor, scale: int, n: int) -> th.Tensor:
    """Observed numbers, (number + 1) / scale in the last axis of length 1 -> (..., n)."""
    numbers = (values * scale).round()
    return (numbers == th.arange(1, n + 1, device=values.device)).to(values.dtype)


def _width(name: str) -> int:
    """Columns of a block's row; of the bars, all rows together."""
    shape = STRUCTURE.block[name].shape
    return shape[0] * shape[1] if name == "bar" else shape[-1]


def _before(name: str, field: str) -> int:
    """Columns of a block's row before a field."""
    start: int = AT[name][field].start
    return start


def _joined(*parts: th.Tensor) -> th.Tensor:
    return th.cat(parts, dim=-1)


def _mean(tokens: th.Tensor, mask: th.Tensor) -> th.Tensor:
    """The mean token (n, size) of those that exist."""
    there = mask[..., None].to(tokens.dtype)
    return (tokens * there).sum(1) / there.sum(1).clamp(min=1)
