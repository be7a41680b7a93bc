"""What the generator draws from: cards of a pack, compiled one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from agemonia_env.core.jit import zeros
from agemonia_env.core.records import joined
from agemonia_env.display.messages import in_line

from ..core.generator.shapes import COLUMNS, DRAWING, LIBRARY, N_OF_PACK, ROWS
from . import schema
from .builder import Builder
from .compile import WILLS, Compiler
from .difficulty import LEVELS, changed_enemy, toughened
from .drawing import ways
from .pack import Pack
from .party import Grown, HeroChoice, choose_party
from .words import SIZES

Records = npt.NDArray[Any]


def library_of(
    pack: Pack, heroes: int | Sequence[HeroChoice], level: int, difficulty: str, enemy_will: str
) -> tuple[Records, Records]:
    """LIBRARY (1,), and CONTENT (n,), rows of its parts.

    Raises ValueError for packs beyond what the kernels hold.
    """
    kinds: tuple[Iterable[Any], ...] = (pack.heroes, pack.enemies, pack.items, pack.figures)
    if any(len(list(kind)) > N_OF_PACK for kind in (*kinds, pack.allies)):
        raise ValueError(
            f"pack {pack.name}: scenarios are drawn from packs of at most {N_OF_PACK} heroes, "
            "enemies, items, figures or allies"
        )
    (change,) = (change for name, change in LEVELS.items() if name == difficulty)
    return _Writer(pack, heroes, level, change, WILLS.index(enemy_will)).write()


class _Writer:
    """Writes one library. Heroes, Enemies, items and Allies of a pack count in order of keys."""

    def __init__(
        self,
        pack: Pack,
        heroes: int | Sequence[HeroChoice],
        level: int,
        change: schema.Difficulty,
        will: int,
    ) -> None:
        self.pack, self.level, self.change, self.will = pack, level, change, will
        self.given = not isinstance(heroes, int)
        self.n = heroes if isinstance(heroes, int) else len(heroes)
        order = sorted(pack.heroes)
        card = schema.Scenario.model_construct(
            name="", text="", heroes=order, level=level, stories={}, allies=[], apart={}, start="A"
        )
        everybody = order if isinstance(heroes, int) else heroes
        self.party = [choose_party(pack, card, [one], level)[0] for one in everybody]
        self.card = card
        self.enemies, self.items = sorted(pack.enemies), sorted(pack.items)
        self.figures, self.allies = sorted(pack.figures), sorted(pack.allies)
        self.library = zeros(LIBRARY)
        self.record: Any = self.library[0]

    def write(self) -> tuple[Records, Records]:
        """The library and the rows of its parts."""
        parts = [self._hero(grown) for grown in self.party]
        record = self.record
        record["first_enemy"] = len(parts)
        parts += [self._enemy(k, name) for k, name in enumerate(self.enemies)]
        record["first_item"] = len(parts)
        parts += [self._item(key) for key in self.items]
        record["first_ally"] = len(parts)
        parts += [self._ally(key) for key in self.allies]
        for k, builder in enumerate(parts):
            self._count(record["part"][k], builder)
        record["summons"] = -1
        for k, named in enumerate(self._summoned()):
            if len(named) > 1:
                raise ValueError(f"one card summons one Ally at most, not {' and '.join(named)}")
            record["summons"][k] = [*(self.allies.index(name) for name in named), -1][0]
        self._describe()
        self._add_decks()
        return self.library, joined([one.content for one in parts])

    def _compiler(self, party: Sequence[Grown] = ()) -> Compiler:
        """A compiler of single cards, whose first row of effects is left out."""
        compiler = Compiler(self.pack, self.card, list(party), self.change)
        compiler.builder.add_rows([(0, 0, 0, -1)])
        return compiler

    def _hero(self, grown: Grown) -> Builder:
        compiler = self._compiler([grown])
        for key in grown.items:
            compiler.builder.add_item(key)
        slot = compiler.builder.add_ally(grown.hero.name, grown.hero, 0)
        for key in compiler.summoned():
            compiler.add_companion(schema.Companion(ally=key, joins=True))
        compiler.fill_sheet(slot, grown)
        compiler.add_actions(slot, grown)
        return compiler.builder

    def _enemy(self, k: int, name: str) -> Builder:
        builder = self._compiler().builder
        card = self.pack.enemies[name].card
        builder.add_enemy_type(name, changed_enemy(card, self.change))
        tough = card.model_copy(update={"health": toughened(self.pack, name, self.level)})
        health = changed_enemy(tough, self.change).health
        self.record["tough_base"][k] = health.base
        self.record["tough_per_hero"][k] = health.per_hero
        return builder

    def _item(self, key: str) -> Builder:
        compiler = self._compiler()
        builder, card = compiler.builder, self.pack.items[key]
        for effect in card.effects:
            if effect.summon_ally:
                compiler.add_companion(schema.Companion(ally=effect.summon_ally.ally, joins=True))
        builder.add_item_card(key, card)
        return builder

    def _ally(self, key: str) -> Builder:
        compiler = self._compiler()
        compiler.add_companion(schema.Companion(ally=key, joins=True))
        for action in self.pack.allies[key].actions:
            compiler.builder.add_action(0, action)
        return compiler.builder

    def _count(self, record: Any, builder: Builder) -> None:
        """Write into a PART what a builder has counted and named."""
        for table in ("token", "attack", "strike", "effect", "passive"):
            record[f"n_{table}s"] = builder.counts.get(table, 0)
        named: dict[str, tuple[Sequence[str | None], list[str]]] = {
            "type": (builder.types, self.enemies),
            "item": (builder.items(), self.items),
            "figure": (builder.figures(), self.figures),
            "ally": (builder.ally_keys(), self.allies),
        }
        for kind, (names, known) in named.items():
            record["n_allies" if kind == "ally" else f"n_{kind}s"] = len(names)
            numbers = [-1 if name is None else known.index(name) for name in names]
            record[kind][: len(names)] = numbers

    def _summoned(self) -> list[list[str]]:
        """The Allies that effects of each part bring, if it is a Hero or an item."""
        found = [self._compiler([one]).summoned() for one in self.party]
        found += [[] for _ in self.enemies]
        for key in self.items:
            effects = self.pack.items[key].effects
            found.append(list(dict.fromkeys(e.summon_ally.ally for e in effects if e.summon_ally)))
        return found

    def _describe(self) -> None:
        """What the choice among cards depends on."""
        record, pack = self.record, self.pack
        record["level"], record["n_party"], record["fixed"] = self.level, self.n, self.given
        record["n_heroes"], record["n_enemies"] = len(pack.heroes), len(self.enemies)
        record["n_items"], record["n_allies"] = len(self.items), len(self.allies)
        heroes = [pack.heroes[key].agility for key in sorted(pack.heroes)]
        record["agility"][: len(heroes)] = heroes
        for k, name in enumerate(self.enemies):
            card = pack.enemies[name].card
            record["cost"][k] = cost(card, self.n)
            record["size"][k] = SIZES[card.size]
            record["is_boss"][k] = _has_tag(card, "boss")
            record["is_elite"][k] = _has_tag(card, "elite")
            record["moves"][k] = any(one.move for one in _actions(card))
        if all(record["is_boss"][: len(self.enemies)]):
            needed = "scenarios are drawn from enemies without the tag boss"
            raise ValueError(f"pack {in_line(pack.name)}: {needed}, and there are none")
        for k, key in enumerate(self.items):
            record["is_light"][k] = pack.items[key].weight == 0
            record["is_useful"][k] = _lies_on_maps(pack.items[key])
        for k, key in enumerate(self.figures):
            builder = Builder(pack.card.rulings)
            builder.add_figure(key, pack.figures[key])
            record["figure"][k] = builder.record["figure"][0]
        record["rounds"] = self.change.rounds

    def _add_decks(self) -> None:
        """Decks and rulings; all the rest is absent."""
        compiler = Compiler(self.pack, self.card, [], self.change)
        compiler.add_decks()
        compiler.builder.record["enemy_will"] = self.will
        compiler.builder.finish()
        self.record["content"] = compiler.builder.record


@cache
def all_ways() -> npt.NDArray[np.int8]:
    """The ways of every grid of blocks, as DRAWING has them."""
    table = np.full(DRAWING["ways"].shape, -1, np.int8)
    grids = ((rows, columns) for columns in COLUMNS for rows in ROWS)
    for grid, shape in zip(table, grids, strict=True):
        own = ways(*shape)
        grid[: len(own), : own.shape[1]] = own
    return table


def drawing_of(
    pack: Pack, heroes: int | Sequence[HeroChoice], level: int, difficulty: str, enemy_will: str
) -> tuple[Records, Records]:
    """What the kernels draw from, DRAWING (1,) and CONTENT (n,), the rows of its parts.

    Raises ValueError for packs beyond what the kernels hold.
    """
    library, parts = library_of(pack, heroes, level, difficulty, enemy_will)
    drawing = zeros(DRAWING, 1)
    drawing["ways"] = all_ways()
    drawing["library"] = library
    return drawing, parts


# ---- what the choice among cards depends on -----------------------------------------------------
def cost(card: schema.EnemySheet, heroes: int) -> float:
    """Strength of one Enemy: its health against a number of heroes, and its abilities."""
    health = card.health.base + card.health.per_hero * heroes
    attacks = [action.attack for action in _actions(card)]
    values = [attack.value or 1 for attack in attacks if attack is not None]
    return health * (1 + 0.35 * card.shield) + sum(values) / 1.5


def _actions(card: schema.EnemySheet) -> Sequence[schema.EnemyAction]:
    return card.actions.staring, card.actions.open, card.actions.closed


def _has_tag(card: schema.EnemySheet, name: str) -> bool:
    """Whether an Enemy has a tag, in small letters."""
    return name in {tag.lower() for tag in card.tags}


def _lies_on_maps(card: schema.ItemCard) -> bool:
    """Whether an item is useful to whoever finds it."""
    return bool(card.effects) and not card.own
