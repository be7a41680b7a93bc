"""What the generator of a party draws from: see core/generator/shapes.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agemonia_env.core.jit import zeros

from ..core.generator.shapes import DRAWING, N_OF_PACK
from . import schema
from .cards import Cards, Records, write_templates
from .load import Pack
from .party import Character

COST_LEVEL = 1  # whose stat cards say how strong a monster is, so that levels differ in strength
LARGEST_COST = 2**15 - 1


def drawing_of(pack: Pack, party: Sequence[Character], level: int) -> tuple[Records, Records]:
    """What the kernels draw from: DRAWING (1,), and the party, CONTENT (1,).

    Raises ValueError for packs beyond what the kernels hold.
    """
    cards = Cards(pack, level, 0)
    cards.add_party(party)
    cards.content["trap"]["at"] = -1
    drawing = zeros(DRAWING, 1)
    library = drawing[0]["library"]
    library["level"], library["n_summons"] = level, len(cards.summons)
    library["n_rows"], library["n_templates"] = cards.n_rows, len(cards.templates)
    monsters = sorted(pack.monsters)
    if len(monsters) > N_OF_PACK:
        raise ValueError(
            f"{len(monsters)} monsters in the pack; scenarios are drawn of {N_OF_PACK}"
        )
    library["n_monsters"] = len(monsters)
    known = list(cards.templates)
    for part, name in zip(library["monster"], monsters, strict=False):
        own = Cards(pack, level, 1)
        own.add_type(0, pack.monsters[name])
        known += [template for template in own.templates if template not in known]
        _write_part(part, own, known)
        ranks = pack.monsters[name].levels[COST_LEVEL]
        part["cost"] = [min(LARGEST_COST, cost(card)) for card in (ranks.normal, ranks.elite)]
    if len(known) > N_OF_PACK:
        raise ValueError(f"{len(known)} templates in the pack; at most {N_OF_PACK} are drawn of")
    library["number"] = -1
    library["number"][: len(cards.templates)] = range(len(cards.templates))
    cards.add_templates()
    write_templates(library["template"], [pack.templates[name] for name in known])
    return drawing, cards.content


def _write_part(part: Any, own: Cards, known: Sequence[str]) -> None:
    """One monster, dtype shapes.PART; known: the templates of the library so far."""
    part["kind"], part["n_rows"] = own.record["kind"][0], own.n_rows
    rows = part["row"][: own.n_rows]
    rows[:] = own.record["row"][: own.n_rows]
    numbers = [known.index(name) for name in own.templates]
    part["n_templates"], part["template"][: len(numbers)] = len(numbers), numbers
    for row in rows:
        if row["template"] >= 0:
            row["template"] = numbers[row["template"]]


def cost(card: schema.Stats) -> int:
    """How strong a figure is: fitted to greedy play, where it explains nearly all of who wins."""
    health = card.hit_points * (3 + card.shield)
    targets = 3 if card.targets == "all" else card.targets
    blows = 4.5 * card.attack * targets + 2 * card.attack * bool(card.range)
    others = 7 * card.retaliate + 3 * len(card.conditions)
    return max(1, round(health + blows + others - 6))
