"""The range of every field of a state of HexDungeon, and the consistency between fields.

Beside the layout (layout.py), but not in the core: a bound that changes compiles
nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.state_ranges import ANY, FLAG, Bounds, bits, count, each, fields, index
from agemonia_env.rulesets.tasks import wrong_question

from ..core import api, terms
from ..core.actions import Block
from ..core.hexset import MAX_HEXES
from ..core.layout import (
    BOARD,
    DECK,
    FIRST_MONSTER,
    FIRST_SUMMON,
    HANDS,
    MAX_CARDS,
    MAX_TIES,
    N_ACTIVE,
    N_BONUSES,
    N_FIGURES,
    N_HAND,
    N_HEROES,
    N_KINDS,
    N_MONSTER_CARDS,
    N_ROWS,
    N_TEMPLATES,
    STATE,
    SUPPLY,
)
from ..core.rules.attack import OF_MODIFIERS
from ..core.terms import Decision, Effect, Proc
from .tasks import SUBJECTS, TASK_RULES

SMALL = count(127)  # amounts
LARGE = count(30_000)  # sums over a whole game, with a margin before they overflow
CHANGED = (-99, 999)  # amounts with modifiers, which may be negative
EFFECTS = bits(Effect.STRENGTHEN + 1)
MAX_TASKS = 24  # tasks pending; no game has more than 8, and each task adds only a few
FIGURE, HEX, CARD = index(N_FIGURES), index(MAX_HEXES), index(N_HAND)
SOME = bits(N_FIGURES)  # a set of figures
SLOTS = np.arange(N_FIGURES)
SUMMONED = (SLOTS >= FIRST_SUMMON) & (SLOTS < FIRST_MONSTER)


def ranges(c: np.void) -> Bounds:
    """The bounds of every field of STATE, for a compiled scenario."""
    return {
        "decision": (0, max(Decision)),
        "block": (0, max(Block)),
        "ending": (0, max(terms.Ending)),
        "phase": (0, max(terms.Phase)),
        "asked": index(c["n_heroes"]),
        "subject": (-1, MAX_HEXES),
        "answer": (-1, -1),
        "depth": count(MAX_TASKS),
        "tasks": (0, max(Proc)),
        "round": count(c["last_round"]),
        "half": index(8),
        "line": SMALL,
        "row": index(N_ROWS),
        "rooms": bits(c["n_rooms"]),
        "left": count(c["n_spawns"]),
        "n_active": count(N_ACTIVE),
        "n_ties": count(MAX_TIES),
        "n_traps": (int(c["n_traps"]),) * 2,
        "decisions": count(2**31 - 2**24),
        "element": (0, max(terms.Element)),
        "touched": bits(HANDS + N_HEROES),
        "shared": HEX,
        "figure": _figure(c),
        "aid": each((0, 0), "bonus doublings pierce advantages disadvantages shield"),
        "deck": _deck(c),
        "board": _board(c["board"]),
        **each(FLAG, "won loss used_line"),
        **each((0, 0), "logging plain n_log log"),  # rows are flushed before a question is asked
        **each(FIGURE, "turn actor focus sprung"),
        **each(SOME, "acted wanted affected present"),
        **each(count(N_HEROES), "each n_exhausted"),
        **each(CARD, "card lost_card"),
        **each(LARGE, "n_summoned n_loot damage_dealt damage_taken"),
        **each(count(SUPPLY), "bless curse_monster curse_hero"),
        **each(ANY, "chance party monsters loot"),
        "trap": {"at": HEX, "damage": SMALL, "conditions": EFFECTS},
        "tie": {"attacked": SOME, "focus": FIGURE, "end": count(MAX_HEXES - 1)},
        **_cards(c),
        **_going_on(),
    }


def _cards(c: np.void) -> Bounds:
    """Ability cards of characters and monsters."""
    return {
        "hero": {
            "place": (0, max(terms.Place)),
            "resting": FLAG,
            "used": bits(8),
            **each(CARD, "lead second"),
        },
        "active": {
            "owner": index(c["n_heroes"]),
            "card": CARD,
            "bonus": index(N_BONUSES),
            "token": SMALL,
            "loss": FLAG,
            "served": SOME,
            "summon": FIGURE,
        },
        "type": {
            "card": index(N_MONSTER_CARDS),
            "shuffle": FLAG,
            "standees": LARGE,
            **each(count(N_MONSTER_CARDS), "n_pile n_discards"),
            **each(count(N_MONSTER_CARDS - 1), "pile discards"),
        },
    }


def _figure(c: np.void) -> Bounds:
    """A slot of a figure, whose kind of figure the slot says."""
    kinds = np.where(SUMMONED, N_KINDS, c["n_types"])
    sides = np.where(SUMMONED, terms.Side.SUMMON, terms.Side.MONSTER)
    heroes = SLOTS < N_HEROES
    return {
        "at": HEX,
        "side": (0, np.where(heroes, (c["n_heroes"] > SLOTS) * terms.Side.HERO, sides)),
        "condition": count(2),
        "immune": EFFECTS,
        "kind": (-1, np.where(heroes, -1, kinds - 1)),
        "standee": (-1, LARGE[1]),
        "owner": (-1, np.where(SUMMONED, c["n_heroes"] - 1, -1)),
        **each(LARGE, "hp max_hp order xp"),
        **each(FLAG, "flying elite fresh dead exhausted"),
        **each(SMALL, "loot shield round_shield retaliate round_retaliate"),
        **each(count(999), "initiative second"),
    }


def _going_on() -> Bounds:
    """The records of what is going on."""
    return {
        "move": {
            "by": FIGURE,
            "points": SMALL,
            "mode": (0, max(terms.Mode)),
            "entered": LARGE,
        },
        "strike": {
            "template": index(N_TEMPLATES),
            "orientation": index(12),
            "doublings": count(8),
            "effect": (0, max(Effect)),
            "mode": (0, max(terms.Draw)),
            "cursor": count(OF_MODIFIERS + 4 * MAX_CARDS - 1),
            **each(FIGURE, "by aimed target"),
            **each(CHANGED, "value bonus"),
            **each(
                SMALL,
                "range left added made pierce advantages disadvantages effect_amount guard riposte",
            ),
            **each(FLAG, "all grey placed on_added monster dead_card negated"),
            **each(SOME, "waiting covered done"),
            **each(EFFECTS, "action_conditions conditions"),
            **each(LARGE, "drawn_value damage"),
        },
        "force": {
            "left": SMALL,
            **each(FIGURE, "by target"),
            **each(FLAG, "pull begun"),
        },
        "harm": {
            "amount": LARGE,
            "source": (0, max(terms.Source)),
            "stage": FLAG,
            "first": CARD,
            **each(FIGURE, "to by"),
        },
    }


def _deck(c: np.void) -> Bounds:
    """A modifier deck."""
    own = np.where(np.arange(N_HEROES + 1) <= c["n_heroes"], c["n_deck"], 0)
    return {
        "n_own": (own, own),
        **each(count(MAX_CARDS), "n_pile n_discards n_drawn"),
        **each(FLAG, "shuffle applied"),
        **each(count(MAX_CARDS - 1), "pile discards drawn"),
        "card": {
            "number": CHANGED,
            "worth": (0, max(terms.Worth)),
            "effect": (0, max(Effect)),
            "amount": SMALL,
            **each(FLAG, "rolling supplied"),
        },
    }


def _board(board: np.void) -> Bounds:
    """The board: all but its size follows from the terrain."""
    fixed = ("width", "height", "stride", "share", "n_lines", "line")
    return {
        "n_walls": count(MAX_HEXES),
        **each(CHANGED, "wall_x wall_y"),
        **each(ANY, "terrain lined linked hexes floor"),
        **{name: (board[name], board[name]) for name in fixed},
    }


# ---- consistency ---------------------------------------------------------------------------------
DECKS_AT = next(at for name, _, at in fields(STATE) if name.startswith("deck"))
CARDS_AT = next(at for name, _, at in fields(DECK) if name.startswith("card"))
BOARDS_CACHED = 256  # settled boards of a scenario, by open doors


class Consistency:
    """Checks that the fields of a state agree, in one scenario."""

    def __init__(self, content: NDArray[Any]) -> None:
        """content: CONTENT (1,)."""
        c = content[0]
        self.board, self.loot = _padded(content["board"]), c["loot"].copy()
        self.n_decks, self.n_cards = int(c["n_heroes"]) + 1, int(c["n_deck"])
        self.cards = _padded(c["deck"][: self.n_cards]).view(np.uint8)
        self._settled: dict[bytes, tuple[NDArray[np.uint8], NDArray[np.uint8]]] = {}

    def contradiction(self, states: NDArray[Any]) -> str | None:
        """A contradiction in states[0], whose fields are all in range; None if there is none."""
        s = states[0]
        if s["won"] != (s["ending"] == terms.Ending.GOAL):
            return f"won={s['won']}: must be 1 with ending=1, and 0 with others"
        wrong = self._wrong_terrain(s) or self._wrong_decks(states) or _wrong_figures(s)
        if wrong or s["ending"] != terms.Ending.NONE:
            return wrong
        return wrong_question(s, TASK_RULES, SUBJECTS) or _wrong_harm(s)

    def _wrong_terrain(self, s: np.void) -> str | None:
        """The board must be the scenario's, except for opened doors and sprung traps.

        Tables derived from the terrain are cached by terrain.
        """
        if (s["loot"] & ~self.loot).any():
            return "loot: must be where the scenario has loot"
        terrain = s["board"]["terrain"]
        before = self.board[0]["terrain"]
        gone = before & ~terrain
        gone[[terms.Terrain.DOOR, terms.Terrain.TRAP]] = 0
        if gone.any() or (terrain & ~before).any():
            return "board.terrain: must be the scenario's, but for opened doors and sprung traps"
        key = terrain.tobytes()
        if key not in self._settled:
            if len(self._settled) == BOARDS_CACHED:
                self._settled.clear()
            self._settled[key] = self._settle(terrain)
        expected, counts = self._settled[key]
        if ((np.frombuffer(s["board"], np.uint8) ^ expected) & counts).any():
            return "board: its walls and links must follow from its terrain"
        return None

    def _settle(self, terrain: NDArray[np.uint64]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The bytes of a board with this terrain, and 255 for each byte that counts."""
        board, counts = _padded(self.board), np.zeros(1, BOARD)
        board["terrain"] = terrain
        api.settle(board)
        counts.view(np.uint8)[:] = 255
        n = int(board["n_walls"][0])
        counts["wall_x"][0, n:] = counts["wall_y"][0, n:] = 0  # of doors that are open
        return board.view(np.uint8), counts.view(np.uint8)

    def _wrong_decks(self, states: NDArray[Any]) -> str | None:
        """A modifier deck must have the scenario's cards, then blesses and curses."""
        decks = states["deck"][0, : self.n_decks]
        raw = states.view(np.uint8)[DECKS_AT:].reshape(-1)[: self.n_decks * DECK.itemsize]
        cards = raw.reshape(self.n_decks, DECK.itemsize)[:, CARDS_AT : CARDS_AT + len(self.cards)]
        if (cards != self.cards).any():
            d = int((cards != self.cards).any(axis=1).argmax())
            return f"deck[{d}].card: must be the cards of the scenario"
        if (decks["n_pile"] + decks["n_discards"] > MAX_CARDS).any():
            return f"deck: n_pile and n_discards must be {MAX_CARDS} at most together"
        return None


def _wrong_figures(s: np.void) -> str | None:
    """A slot must hold a figure of its kind, and a figure on the board must have a type."""
    figures = s["figure"]
    sides = np.where(SLOTS < N_HEROES, terms.Side.HERO, terms.Side.MONSTER)
    sides[SUMMONED] = terms.Side.SUMMON
    wrong = (figures["side"] != terms.Side.NONE) & (figures["side"] != sides)
    wrong |= (figures["side"] == terms.Side.NONE) & (figures["at"] >= 0)
    if wrong.any():
        f = int(wrong.argmax())
        return f"figure[{f}].side={figures['side'][f]}: must be {sides[f]} of a figure on the board"
    wrong = (figures["at"] >= 0) & (SLOTS >= N_HEROES) & (figures["kind"] < 0)
    if wrong.any():
        return f"figure[{int(wrong.argmax())}].kind=-1: only characters have none"
    wrong = (figures["at"] >= 0) & SUMMONED & (figures["owner"] < 0)
    if wrong.any():
        return f"figure[{int(wrong.argmax())}].owner=-1: a summon has a summoner"
    return None


def _wrong_harm(s: np.void) -> str | None:
    """The character that suffers damage must be the one asked to lose cards for it."""
    if s["decision"] in (Decision.LOSE, Decision.LOSE_SECOND) and s["harm"]["to"] != s["asked"]:
        return f"harm.to={s['harm']['to']}: must be asked={s['asked']}"
    return None


def _padded(records: NDArray[Any]) -> NDArray[Any]:
    """A copy with zeros between the fields, as states have them."""
    copy = np.zeros(len(records), records.dtype)
    copy[:] = records
    return copy
