"""Areas of a scenario that nobody can reach: apart from the rest, behind barriers, or full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from . import schema
from .board import Board, Edge
from .references import named_areas

ANYWHERE = ("trap", "item", "activate")  # suffixes of keys whose areas nobody needs to reach


def way_problems(card: schema.Scenario, board: Board, letters: tuple[str, ...]) -> list[str]:
    """Mistakes that make a scenario unplayable, as `key: what is wrong`.

    letters: of the areas, by index.
    """
    return [*_cut_off(card, board, letters), *_without_room(card)]


def _cut_off(card: schema.Scenario, board: Board, letters: tuple[str, ...]) -> Iterator[str]:
    """Needed areas that no hero can reach (R7.1, R7.30 to R7.45)."""
    starts = {card.start, *card.apart.values()}
    reached = _reached(board, {letters.index(letter) for letter in starts})
    touched = _reached(without_barriers(board), {letters.index(letter) for letter in starts})
    where = f"from {' and '.join(sorted(starts))}, where the Heroes start"
    for key, letter in _needed(card):
        area = letters.index(letter)
        if area not in touched:
            yield (
                f"{key}: no areas that touch lead {where}, to {letter}; draw {letter} beside one "
                "of theirs or add teleport tokens"
            )
        elif area not in reached:
            yield (
                f"{key}: barriers cut {letter} off {where}; leave out a barrier or add teleport "
                "tokens"
            )


def without_barriers(board: Board) -> Board:
    """The board with a plain line in the place of every barrier, without lines of sight."""
    edges = {pair: Edge() if e.kind == "barrier" else e for pair, e in board.edges.items()}
    return replace(board, edges=edges, lines=())


def _needed(card: schema.Scenario) -> Iterator[tuple[str, str]]:
    """Areas that heroes must be able to reach, each with its key."""
    for key, letter in named_areas(card):
        if not any(f".{word}" in key for word in ANYWHERE):
            yield key, letter
    for letter, area in card.map.areas.items():
        if card.objective.item is not None and card.objective.item in area.items:
            yield f"map.areas.{letter}.items", letter


def _reached(board: Board, starts: set[int]) -> set[int]:
    """Areas reachable from these, over borders and between tokens of one colour."""
    tokens: dict[str, set[int]] = {}
    for i, area in enumerate(board.areas):
        if area.teleport is not None:
            tokens.setdefault(area.teleport.colour, set()).add(i)
    reached, waiting = set(starts), list(starts)
    while waiting:
        here = waiting.pop()
        token = board.areas[here].teleport
        beyond = set(board.open_neighbours(here)) | (tokens[token.colour] if token else set())
        waiting += beyond - reached
        reached |= beyond
    return reached


def _without_room(card: schema.Scenario) -> Iterator[str]:
    """Areas without room where somebody must stand (R7.2) (spawned Enemies do not, R10.46)."""
    places = [("start", card.start)]
    places += [(f"apart.{name}", letter) for name, letter in card.apart.items()]
    places += [(f"objective.areas[{i}]", name) for i, name in enumerate(card.objective.areas)]
    places += [(f"allies[{i}].area", ally.area) for i, ally in enumerate(card.allies) if ally.area]
    for key, letter in places:
        if not card.map.areas[letter].capacity:
            yield f"{key}: nobody may stand in {letter}; its capacity must be at least 1"
