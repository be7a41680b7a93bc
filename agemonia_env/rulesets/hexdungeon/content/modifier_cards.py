"""Modifier cards as text, and decks of them as records of the core.

A card is written `[rolling] [VALUE] [EFFECT [amount]] ...`, VALUE one of +n, -n, x2 and null (+0 if
absent), or the single word bless or curse: "+1", "-2 stun", "rolling +1 push 1", "x2".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from agemonia_env.core.jit import zeros
from agemonia_env.display.messages import shown

from ..core.layout import DECK, MAX_CARDS, MAX_EFFECTS
from ..core.terms import Effect, Worth

# G1.1
STANDARD = (*["+0"] * 6, *["+1"] * 5, *["-1"] * 5, "+2", "-2", "x2", "null")
SUPPLIED = {"bless": "x2", "curse": "null"}  # G1.9
LARGEST = 99  # number or amount of a card
NOT_ON_CARDS = (Effect.NONE, Effect.BLESS)

Records = np.ndarray[Any, np.dtype[Any]]


def deck_of(cards: Sequence[str]) -> Records:
    """A deck whose draw pile is these cards, top card first; shape (1,), dtype layout.DECK.

    Raises ValueError if one of them is no card, or if there are too many.
    """
    if len(cards) > MAX_CARDS:
        raise ValueError(f"a deck of {len(cards)} cards; at most {MAX_CARDS} are allowed")
    decks = zeros(DECK)
    for place, text in enumerate(cards):
        write_card(decks[0]["card"][place], text)
    decks["n_pile"] = decks["n_own"] = len(cards)
    decks["pile"][0, : len(cards)] = np.arange(len(cards))[::-1]
    return decks


def write_card(record: Any, text: str) -> None:
    """Write the card that `text` describes into a record, dtype layout.CARD."""
    words = SUPPLIED.get(text, text).split()
    record["supplied"] = text in SUPPLIED
    record["rolling"] = words[:1] == ["rolling"]
    if words[:1] == ["rolling"]:
        del words[0]
    if words and words[0] in ("x2", "null"):
        record["worth"] = Worth.DOUBLE if words.pop(0) == "x2" else Worth.NULL
    elif words and re.fullmatch(r"[+-][0-9]{1,2}", words[0]):
        record["number"] = int(words.pop(0))
    elif not words:
        raise ValueError(
            f"{shown(text)} is no card; it needs a value (+1, -1, x2, null) or an effect"
        )
    effects = read_effects(text, words)
    for k, (effect, amount) in enumerate(effects):
        record["effect"][k], record["amount"][k] = effect, amount


def read_effects(text: str, words: list[str]) -> list[tuple[Effect, int]]:
    """The effects at the end of a card's text, each with its amount; 0 where it has none."""
    known = {effect.name.lower(): effect for effect in Effect if effect not in NOT_ON_CARDS}
    effects: list[tuple[Effect, int]] = []
    while words:
        word = words.pop(0)
        if word not in known:
            raise ValueError(
                f"{shown(text)} is no card; {shown(word)} is none of {', '.join(known)}"
            )
        amount = 0
        if known[word] >= Effect.PUSH:
            if not (words and words[0].isdecimal() and 0 < int(words[0]) <= LARGEST):
                raise ValueError(
                    f"{shown(text)} is no card; {word} needs an amount, 1 to {LARGEST}"
                )
            amount = int(words.pop(0))
        effects.append((known[word], amount))
    if len(effects) > MAX_EFFECTS:
        raise ValueError(
            f"{shown(text)} has {len(effects)} effects; at most {MAX_EFFECTS} are allowed"
        )
    return effects
