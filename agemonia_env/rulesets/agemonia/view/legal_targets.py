"""Legal targets: areas and figures that the answers to the current question name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.masks import legal_in

from ..content.compile import Compiled
from ..core import api
from ..core.actions import N_ACTIONS, SIZES, STARTS, Block
from ..core.layout import STATE
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
    legal = legal_in(api, STATE, N_ACTIONS, state, compiled.content)
    return Offer(
        actions=tuple(np.flatnonzero(legal).tolist()),
        areas=frozenset().union(*(_named(legal, block) for block in AREAS)),
        allies=frozenset(_named(legal, Block.ALLY)),
        enemies=frozenset(_named(legal, Block.ENEMY)),
    )


def _named(legal: NDArray[np.bool_], block: Block) -> list[int]:
    """The targets that the legal actions of a block name."""
    part = legal[STARTS[block] : STARTS[block] + SIZES[block]]
    named: list[int] = np.flatnonzero(part).tolist()
    return named


def action_target(state: np.void, compiled: Compiled, action: int) -> str:
    """What an action names on the board, as the picture marks it: "area:3"; "" = nothing."""
    for block, thing in THINGS.items():
        if 0 <= action - STARTS[block] < SIZES[block]:
            return f"{thing}:{action - STARTS[block]}"
    return ""
