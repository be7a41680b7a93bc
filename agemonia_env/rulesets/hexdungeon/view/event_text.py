"""The event log as sentences. Names are read from the state after the events."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agemonia_env.core.event_log import LogRow, Rows, sentences
from agemonia_env.display.names import named, word

from ..content.compile import Compiled
from ..core.terms import Draw, Effect, Ending, Event, Half, Source
from .hexes import hex_name
from .labels import (
    BASICS,
    ELEMENTS,
    ENDINGS,
    SIDES,
    card_name,
    figure_name,
    half_words,
    hero_name,
    kind_name,
    modifier_text,
)

# {who} is the figure, {other} the other one, {place} the hex, {n} the amount, {card} that card of
# the figure, {effect} that effect.
SENTENCES: dict[Event, str] = {
    Event.ROUND: "round {n} begins",
    Event.INITIATIVE: "{who} acts at {n}",
    Event.TURN: "{who} takes its turn",
    Event.MOVE: "{who} moves to {place}",
    Event.FORCED: "{who} is moved to {place}",
    Event.STRIKE: "the attack value is {n}, the damage {damage}",
    Event.DAMAGE: "{who} suffers {n} damage{source}",
    Event.DEATH: "{who} dies",
    Event.CONDITION: "{who} gains {effect}",
    Event.CURED: "{who} loses {effect}",
    Event.HEAL: "{who} heals {n}",
    Event.SHIELD: "{who} has Shield {n} for the round",
    Event.RETALIATE: "{who} has Retaliate {n} for the round",
    Event.BLESS: "{deck} gains {effect}",
    Event.TRAP: "{who} springs the trap on {place}",
    Event.DOOR: "{who} opens the door on {place}",
    Event.SPAWN: "{who} appears on {place}",
    Event.LOOT: "{who} takes the loot on {place}",
    Event.LOST: "{who} loses {card}",
    Event.EXHAUSTED: "{who} is exhausted",
    Event.XP: "{who} gains {n} experience",
}
HIDDEN = frozenset({Event.NONE, Event.CHOICE})  # said by other rows, or by the player
SOURCES: dict[Source, str] = {
    Source.ATTACK: "",
    Source.TRAP: " from the trap",
    Source.HAZARD: " from hazardous terrain",
    Source.WOUND: " from its wound",
    Source.RETALIATE: " in return",
    Source.SUFFER: "",
}
DRAWS: dict[Draw, str] = {
    Draw.NORMAL: "",
    Draw.ADVANTAGE: " with advantage",
    Draw.DISADVANTAGE: " with disadvantage",
}
NEGATED = {1: "an active card keeps all damage off {who}", 2: "{who} loses cards, not hit points"}
RESTS = ("short", "long")


def event_texts(rows: Rows, state: np.void, compiled: Compiled) -> list[str]:
    """Describe the events, one sentence each; the last one counts rows that were lost."""
    return sentences(rows, lambda found: _texts(found, state, compiled))


def _texts(rows: list[LogRow], state: np.void, compiled: Compiled) -> Iterator[str]:
    """One sentence for each row; an attack and its cards together, and the hexes of a move."""
    k = 0
    while k < len(rows):
        row, first = rows[k], k
        event = Event(row.event)
        k += 1
        if event in (Event.ATTACK, Event.CARD):
            while k < len(rows) and rows[k].event == Event.CARD:
                k += 1
            cards = rows[first + (event == Event.ATTACK) : k]
            attack = _attack_text(row, state, compiled) if event == Event.ATTACK else "drawn: "
            yield attack + ", ".join(_drawn(card, state) for card in cards)
        elif event == Event.MOVE:
            while k < len(rows) and rows[k][:2] == row[:2]:
                k += 1
            places = [hex_name(state["board"], moved[3]) for moved in rows[first:k]]
            yield f"{figure_name(state, compiled, row.figure)} moves to {' - '.join(places)}"
        elif event not in HIDDEN:
            yield _text(row, state, compiled)


def _attack_text(row: LogRow, state: np.void, compiled: Compiled) -> str:
    """An attack; its modifier cards follow."""
    _, figure, mode, value, other, _ = row
    who, whom = (figure_name(state, compiled, f) for f in (figure, other))
    return f"{who} attacks {whom} for {value}{DRAWS[Draw(max(0, mode))]}: "


def _drawn(row: LogRow, state: np.void) -> str:
    """A modifier card that was drawn; in brackets if it has no effect."""
    _, deck, card, _, applied, _ = row
    text = modifier_text(state["deck"][max(0, deck)]["card"][max(0, card)])
    return text if applied else f"[{text}]"


def _text(row: LogRow, state: np.void, compiled: Compiled) -> str:
    """The sentence of one row."""
    event, figure, amount, place, other, _ = row
    kind = Event(event)
    who = figure_name(state, compiled, figure)
    if kind not in SENTENCES:
        return _special_text(row, who, compiled)
    effects = (Event.CONDITION, Event.CURED, Event.BLESS)
    return SENTENCES[kind].format(
        who=who,
        n=amount,
        place=hex_name(state["board"], place),
        damage=place,
        source=_source(place, state, compiled, other) if kind == Event.DAMAGE else "",
        effect=word(Effect(amount)) if kind in effects else "",
        card=card_name(compiled, figure, amount),
        deck="the monsters' deck"
        if figure <= 0
        else f"the deck of {hero_name(compiled, figure - 1)}",
    )


def _source(source: int, state: np.void, compiled: Compiled, by: int) -> str:
    """Where damage comes from, if its sentence does not say so."""
    text = SOURCES[Source(max(0, source))]
    return f"{text} from {figure_name(state, compiled, by)}" if by >= 0 else text


def _special_text(row: LogRow, who: str, compiled: Compiled) -> str:
    """The sentence of a row whose amount is not a plain number."""
    event, figure, amount, _, other, _ = row
    match Event(event):
        case Event.NEGATED:
            return NEGATED[max(1, other)].format(who=who)
        case Event.PLAY:
            return f"{who} plays {_play(compiled, figure, amount, other)}"
        case Event.REST:
            return f"{who} takes a {named(RESTS, amount, 'long')} rest"
        case Event.BONUS:
            card = card_name(compiled, figure, amount)
            if other > 0:
                return f"the token of {card} is on space {other}"
            return f"{card} comes into play" if other == 0 else f"{card} leaves play"
        case Event.MONSTER_CARD:
            kind = kind_name(compiled, amount)
            cards, lines = compiled.names.monster_cards, compiled.names.monster_lines
            if not 0 <= amount < len(cards):
                return f"{kind} turns a card"
            return f"{kind}: {named(cards[amount], other)} ({named(lines[amount], other)})"
        case Event.ELEMENT:
            return f"{word(ELEMENTS[max(0, amount)])} is strong"
        case Event.ENDING:
            ending = Ending(max(0, amount))
            won = "won" if ending == Ending.GOAL else "lost"
            return f"the scenario is {won}: {ENDINGS[ending]}"
        case _:
            return ""


def _play(compiled: Compiled, hero: int, card: int, index: int) -> str:
    """A half of a card, or a basic action in its place."""
    half = Half(max(0, index) % len(Half))
    name = card_name(compiled, hero, card)
    if half in BASICS:
        return f"{BASICS[half][0]} with {name}"
    return f"the {SIDES[half]} of {name}: {half_words(compiled, hero, card, half)}"
