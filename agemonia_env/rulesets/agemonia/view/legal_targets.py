"""Legal targets: areas and figures that the answers to the current question name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agemonia_env.rulesets.masks import legal_actions

from ..content.compile import Compiled
from ..core import api
from ..core.actions import SIZES, STARTS, Block
from ..core.terms import Decision

AREAS = (Block.AREA, Block.CLIMB, Block.PORTAL)  # blocks that name an area
THINGS = {**dict.fromkeys(AREAS, "area"), Block.ALLY: "ally", Block.ENEMY: "enemy"}


@dataclass(frozen=True)
class Offer:
    """The legal actions, and what they name: areas by number, figures by slot."""

    actions: tuple[int, ...] = ()
    areas: frozenset[int] = frozenset()
    allies: frozenset[int] = frozenset()
    enemies: frozenset[int] = frozenset()


def offer_of(state: np.void, compiled: Compiled) -> Offer:
    """The legal targets in a position; none once the scenario has ended."""
    if state["ending"] or int(state["decision"]) == Decision.NONE:
        return Offer()
    actions, named = legal_actions(api, state, compiled.content)
    areas = frozenset(area for block in AREAS for area in named[block])
    return Offer(actions, areas, frozenset(named[Block.ALLY]), frozenset(named[Block.ENEMY]))


def action_target(state: np.void, compiled: Compiled, action: int) -> str:
    """What an action names on the board, as the picture marks it: "area:3"; "" = nothing."""
    for block, thing in THINGS.items():
        if 0 <= action - STARTS[block] < SIZES[block]:
            return f"{thing}:{action - STARTS[block]}"
    return ""
