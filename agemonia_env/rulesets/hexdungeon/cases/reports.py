"""The fields that a rule case may assert, read from the records of the core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from agemonia_env.core.event_log import LogRow
from agemonia_env.core.jit import zeros

from ..content import modifier_cards
from ..core.layout import CARD, N_HEROES
from ..core.terms import Draw, Effect, Element, Event, Place, Source, Terrain
from .pieces import ELEMENTS
from .world import Table, conditions_of

Report = dict[str, Any]
CARDS = ("cards", "drawn", "applied")  # lists of them
AS_SETS = ("conditions", "hand", "discard", "lost")


def agree(key: str, expected: Any, found: Any) -> bool:
    """Whether a value found is the expected one; some lists are sets, cards go by what they do."""
    if expected is None or found is None:
        return expected is found
    if key in AS_SETS:
        return {*expected} == {*found}
    if key in CARDS:
        return list(map(card_key, expected)) == list(map(card_key, found))
    if key == "effects":
        return Counter(map(effect_key, expected)) == Counter(found)
    return bool(expected == found)


def effect_key(effect: str | dict[str, int]) -> str:
    """An effect as it stands on a card: {push: 1} is "push 1"."""
    if isinstance(effect, str):
        return effect
    return " ".join(f"{name} {amount}" for name, amount in effect.items())


def card_key(text: str) -> tuple[Any, ...]:
    """A key that is equal for two texts of the same card."""
    record = zeros(CARD)[0]
    modifier_cards.write_card(record, text)
    effects = zip(record["effect"].tolist(), record["amount"].tolist(), strict=True)
    value = int(record["worth"]), int(record["number"]), bool(record["rolling"])
    return (*value, bool(record["supplied"]), *sorted(effects))


# ---- figures ------------------------------------------------------------------------------------
def figure(table: Table, name: str) -> Report:
    """All assertable fields of a figure."""
    slot = table.slot(name)
    record = table.state["figure"][slot]
    found: Report = {key: int(record[key]) for key in ("hp", "max_hp", "xp", "loot")}
    found["at"] = table.place(int(record["at"]))
    found["dead"], found["exhausted"] = bool(record["dead"]), bool(record["exhausted"])
    found["conditions"] = conditions_of(record)
    names = table.cards.get(name, [])
    places = table.state["hero"][slot]["place"].tolist() if slot < N_HEROES else []
    for key in ("hand", "discard", "lost"):
        wanted = Place[key.upper()]
        found[key] = [card for card, place in zip(names, places, strict=False) if place == wanted]
    found["active"] = {
        names[int(entry["card"])]: int(entry["token"])
        for entry in table.state["active"][: int(table.state["n_active"])]
        if entry["owner"] == slot
    }
    return found


# ---- modifier decks -----------------------------------------------------------------------------
def deck(table: Table, name: str) -> Report:
    """The piles of a modifier deck."""
    number = table.deck(name)
    record = table.state["deck"][number]
    pile = record["pile"][: int(record["n_pile"])].tolist()[::-1]
    discards = record["discards"][: int(record["n_discards"])].tolist()
    return {
        "draw": [table.card_text(number, place) for place in pile],
        "discard": [table.card_text(number, place) for place in discards],
        "size": len(pile) + len(discards),
        "shuffle": bool(record["shuffle"]),
    }


def unlike_deck(found: Report, expected: Any) -> Iterator[tuple[str, Any, Any]]:
    """(field, expected, found) of each difference in a deck."""
    for key in expected.model_fields_set:
        wanted = getattr(expected, key)
        there = found["draw" if key == "draw_bag" else key]
        if isinstance(wanted, list):
            keys, have = list(map(card_key, wanted)), list(map(card_key, there))
            if keys != have and (key == "draw" or Counter(keys) != Counter(have)):
                yield key, wanted, there
        elif wanted != (len(there) if isinstance(there, list) else there):
            yield key, wanted, len(there) if isinstance(there, list) else there


# ---- what was drawn and attacked ----------------------------------------------------------------
def drawn(table: Table, rows: list[LogRow]) -> Report:
    """The cards of a draw, and the attack value after them."""
    found = _cards(table, [row for row in rows if row.event == Event.CARD])
    values = [row.amount for row in rows if row.event == Event.STRIKE]
    effects: list[str] = []
    for event, number, place, _, applies, _ in rows:
        if event == Event.CARD and applies:
            effects += effects_of(table.state["deck"][number]["card"][place])
    return {
        "cards": found["drawn"],
        "applied": found["applied"],
        "value": values[-1],
        "effects": effects,
    }


def effects_of(card: Any) -> Iterator[str]:
    """The effects of a modifier card as its text has them."""
    for effect, amount in zip(card["effect"].tolist(), card["amount"].tolist(), strict=True):
        if effect:
            name = Effect(effect).name.lower()
            yield f"{name} {amount}" if amount else name


def _cards(table: Table, rows: list[LogRow]) -> Report:
    """Cards drawn and applied, in the order drawn."""
    texts = [(table.card_text(row.figure, row.amount), row.other) for row in rows]
    return {
        "drawn": [text for text, _ in texts],
        "applied": [text for text, applies in texts if applies],
    }


def attacks(table: Table, rows: list[LogRow]) -> list[Report]:
    """The attacks of an ability, in order."""
    starts = [k for k, row in enumerate(rows) if row.event == Event.ATTACK]
    return [
        attack(table, rows[k:end]) for k, end in zip(starts, [*starts[1:], len(rows)], strict=True)
    ]


def attack(table: Table, rows: list[LogRow]) -> Report:
    """One attack, from the rows of the event log that it wrote."""
    _, by, mode, _, target, _ = rows[0]
    cards_drawn = [row for row in rows if row.event == Event.CARD]
    strike = next(row for row in rows if row.event == Event.STRIKE)

    def suffered(who: int, source: Source) -> int:
        harms = [row for row in rows if row.event == Event.DAMAGE and row.figure == who]
        return sum(row.amount for row in harms if row.place == source)

    return {
        "target": table.names[target],
        "mode": Draw(mode).name.lower(),
        **_cards(table, cards_drawn),
        "value": strike.amount,
        "damage": strike.place,
        "suffered": suffered(target, Source.ATTACK),
        "retaliated": suffered(by, Source.RETALIATE),
    }


# ---- the rest -----------------------------------------------------------------------------------
def elements(table: Table) -> dict[str, str]:
    """Elements that are not inert."""
    strengths = [Element(int(strength)) for strength in table.state["element"]]
    found = zip(ELEMENTS, strengths, strict=True)
    return {name: strength.name.lower() for name, strength in found if strength}


def board(table: Table, kind: str) -> list[Any]:
    """The hexes of a kind of terrain now."""
    if kind == "loot":
        return table.places(table.state["loot"])
    return table.places(table.state["board"]["terrain"][Terrain[kind.upper()]])
