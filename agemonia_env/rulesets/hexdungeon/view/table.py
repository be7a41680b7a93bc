"""What lies on the table beside the board, for the text board and the picture alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agemonia_env.display.names import initials, named, word

from ..content.compile import Compiled
from ..core.layout import FIRST_MONSTER, FIRST_SUMMON, N_FIGURES, N_HEROES
from ..core.terms import Effect, Element, Goal, Phase, Place, Side, Worth
from .hexes import Record, hex_of
from .labels import CONDITIONS, ELEMENTS, card_name, figure_name, kind_name


@dataclass(frozen=True)
class Turn:
    """Who acts at an initiative: a character with its summons, or a type of monsters."""

    initiative: int  # 0 = not known yet
    name: str
    hero: int  # slot; -1 = monsters
    kind: int  # of the monsters; -1 = a character
    current: bool
    done: bool


@dataclass(frozen=True)
class ActiveCard:
    """A card in an active area."""

    card: int
    name: str
    token: int  # space of the token, from 1 on; 0 = without one
    spaces: int


@dataclass(frozen=True)
class Hand:
    """The ability cards of a character by where they lie; those chosen are not in hand."""

    piles: dict[str, tuple[int, ...]]  # chosen (lead first), hand, discards, lost
    active: tuple[ActiveCard, ...]
    resting: bool


@dataclass(frozen=True)
class MonsterType:
    """A type with figures on the board."""

    kind: int
    name: str
    numbers: str  # of its stat cards, normal and elite where both stand
    card: str  # the card of this round; "" = none
    lines: str


def is_present(state: np.void, f: int) -> bool:
    """Whether a slot holds a figure that stands on the board."""
    figure = state["figure"][f]
    return bool(figure["side"] != Side.NONE and figure["at"] >= 0)


def unseen_hexes(state: np.void, compiled: Compiled) -> set[int]:
    """Hexes of the rooms that are not open yet."""
    opened = int(state["rooms"])
    rooms = [room for k, room in enumerate(compiled.drawing.rooms) if not opened >> k & 1]
    seen = {p for k, room in enumerate(compiled.drawing.rooms) if opened >> k & 1 for p in room}
    return {hex_of(state["board"], place) for room in rooms for place in room - seen}


def figure_label(state: np.void, compiled: Compiled, f: int) -> str:
    """Two letters, and the number of a monster: "Kr2"."""
    figure = state["figure"][f]
    if f < N_HEROES:
        return initials(compiled.names.heroes[f])
    number = str(int(figure["standee"])) if f >= FIRST_MONSTER else ""
    return initials(kind_name(compiled, int(figure["kind"]))) + number


def conditions_of(figure: Record) -> list[Effect]:
    """The conditions of a figure, by number."""
    return [c for c in CONDITIONS if figure["condition"][c]]


def strong_elements(state: np.void) -> list[tuple[Effect, Element]]:
    """The elements that are not inert."""
    held = zip(ELEMENTS, state["element"].tolist(), strict=True)
    return [(element, Element(strength)) for element, strength in held if strength]


def round_text(state: np.void, compiled: Compiled) -> str:
    """The round, and after which one the scenario is lost."""
    last = int(compiled.content[0]["last_round"])
    return f"Round {int(state['round'])}" + (f" of {last}" if last else "")


def goal_text(state: np.void, compiled: Compiled) -> str:
    """How the scenario is won, and how far it is."""
    content = compiled.content[0]
    n = int(content["goal_amount"])
    match Goal(int(content["goal"])):
        case Goal.DEFEAT:
            closed = int(content["n_rooms"]) - int(state["rooms"]).bit_count()
            return "Defeat all monsters." + f" Closed rooms: {closed}." * (closed > 0)
        case Goal.SURVIVE:
            return f"Survive {n} rounds."
        case Goal.REACH:
            return "At the end of a round all characters stand on the exit."
        case Goal.LOOT:
            return f"Take {n} loot tokens; {int(state['n_loot'])} taken."


def turns(state: np.void, compiled: Compiled) -> list[Turn]:
    """Who acts in this round, in order of initiative once it is known."""
    known, turn = Phase(int(state["phase"])) == Phase.TURNS, int(state["turn"])
    groups = [([h, *summons(state, h)], h, -1) for h in range(N_HEROES) if is_present(state, h)]
    groups += [(standing(state, kind), -1, kind) for kind in standing_types(state)]
    found = []
    for slots, hero, kind in groups:
        name = kind_name(compiled, kind) + (f" x{len(slots)}" if len(slots) > 1 else "")
        if hero >= 0:
            name = " + ".join(figure_name(state, compiled, f) for f in slots)
        initiative = int(state["figure"][slots[0]]["initiative"]) if known else 0
        own = slots[:1] if hero >= 0 else slots  # summons act before their owner
        done = all(int(state["acted"]) >> f & 1 for f in own) and turn not in own
        found.append(Turn(initiative, name, hero, kind, turn in slots, done))
    return sorted(found, key=lambda entry: entry.initiative)


def summons(state: np.void, hero: int) -> list[int]:
    """Slots of the summons of a character."""
    own = state["figure"]["owner"] == hero
    return [f for f in range(FIRST_SUMMON, FIRST_MONSTER) if own[f] and is_present(state, f)]


def monsters(state: np.void) -> list[int]:
    """Slots of the monsters on the board."""
    return [f for f in range(FIRST_MONSTER, N_FIGURES) if is_present(state, f)]


def standing(state: np.void, kind: int) -> list[int]:
    """Slots of the monsters of a type on the board."""
    return [f for f in monsters(state) if state["figure"][f]["kind"] == kind]


def standing_types(state: np.void) -> list[int]:
    """The types of which a monster stands on the board."""
    return sorted({int(state["figure"][f]["kind"]) for f in monsters(state)})


def hand_of(state: np.void, compiled: Compiled, hero: int) -> Hand:
    """Where the ability cards of a character lie."""
    piles = state["hero"][hero]
    chosen = tuple(int(piles[key]) for key in ("lead", "second") if piles[key] >= 0)

    def lying(place: Place) -> tuple[int, ...]:
        initiative = compiled.content[0]["hero"][hero]["card"]["initiative"]
        cards = [k for k, at in enumerate(piles["place"]) if at == place and k not in chosen]
        return tuple(sorted(cards, key=lambda card: int(initiative[card])))

    found = {"chosen": chosen, "hand": lying(Place.HAND)}
    found |= {"discards": lying(Place.DISCARD), "lost": lying(Place.LOST)}
    return Hand(found, tuple(_active(state, compiled, hero)), bool(piles["resting"]))


def _active(state: np.void, compiled: Compiled, hero: int) -> list[ActiveCard]:
    """The cards in the active area of a character."""
    found = []
    for slot in state["active"][: int(state["n_active"])]:
        if slot["owner"] == hero:
            card, bonus = int(slot["card"]), int(slot["bonus"])
            spaces = int(compiled.content[0]["bonus"][bonus]["spaces"]) if bonus >= 0 else 0
            name = card_name(compiled, hero, card)
            found.append(ActiveCard(card, name, int(slot["token"]), spaces))
    return found


def active_text(card: ActiveCard) -> str:
    """An active card with the space of its token: "Keystone 1/2"."""
    return f"{card.name} {card.token}/{card.spaces}" if card.spaces else card.name


def deck_text(deck: Record, brief: bool = False) -> str:
    """A modifier deck: draw pile and discards, blesses and curses in the pile."""
    left, gone = int(deck["n_pile"]), int(deck["n_discards"])
    text = f"{left} / {gone}" if brief else f"{left} to draw, {gone} discarded"
    pile = [deck["card"][k] for k in deck["pile"][: int(deck["n_pile"])]]
    for name, worth in (("bless", Worth.DOUBLE), ("curse", Worth.NULL)):
        n = sum(bool(card["supplied"]) and card["worth"] == worth for card in pile)
        text += f", {n} {name}" if n else ""
    return text


def guard_text(state: np.void, f: int) -> str:
    """Shield and Retaliate of a figure, cards in active areas left aside; "" for none."""
    figure = state["figure"][f]
    shield = int(figure["shield"]) + int(figure["round_shield"])
    retaliate = int(figure["retaliate"].sum()) + int(figure["round_retaliate"].sum())
    parts = [f"shield {shield}"] * bool(shield) + [f"retaliate {retaliate}"] * bool(retaliate)
    return ", ".join(parts)


def monster_types(state: np.void, compiled: Compiled) -> list[MonsterType]:
    """The types with figures on the board, with their stat cards and the card of this round."""
    found = []
    for kind in standing_types(state):
        elites = {int(state["figure"][f]["elite"]) for f in standing(state, kind)}
        stats = [compiled.content[0]["kind"][kind]["stats"][elite] for elite in sorted(elites)]
        card = int(state["type"][kind]["card"])
        name, lines = (
            named(texts[kind], card, "")
            for texts in (compiled.names.monster_cards, compiled.names.monster_lines)
        )
        found.append(MonsterType(kind, kind_name(compiled, kind), _numbers(stats), name, lines))
    return found


def _numbers(stats: list[Record]) -> str:
    """Stat cards in one line: "move 2, attack 1/2" where normal and elite ones differ."""
    parts = []
    for key in ("move", "attack", "range", "shield", "retaliate"):
        values = list(dict.fromkeys(int(card[key]) for card in stats))
        if any(values) or key in ("move", "attack"):
            parts.append(f"{key} {'/'.join(map(str, values))}")
    parts += ["flying"] * bool(stats[0]["flying"])
    held = int(stats[-1]["conditions"])
    return ", ".join([*parts, *(word(c).lower() for c in CONDITIONS if held >> c & 1)])
