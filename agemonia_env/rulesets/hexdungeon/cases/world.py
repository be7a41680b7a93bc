"""Compile the position of a rule case into records of the core, with its names."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from agemonia_env.core.event_log import empty_rows
from agemonia_env.core.jit import zeros
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.case_runner import CaseError, RefusalError

from ..content.board import fill
from ..content.modifier_cards import STANDARD, SUPPLIED, write_card
from ..core import api
from ..core.layout import (
    ALL_TARGETS,
    BOARD,
    CONTENT,
    FIRST_MONSTER,
    FIRST_SUMMON,
    MAX_CARDS,
    MAX_LINE_EFFECTS,
    N_ACTIVE,
    N_BONUSES,
    N_HAND,
    N_HEROES,
    N_KINDS,
    N_MONSTERS,
    N_SUMMONS,
    N_TRAPS,
    N_TYPES,
    PLAN,
    STATE,
    SUPPLY,
)
from ..core.terms import Effect, Only, Phase, Place, Side, Trigger, Worth
from .case import MONSTER, RuleCase
from .pieces import CONDITIONS, Active, BonusEffect, Figure, Piles, Retaliate, Supply, Trap
from .position import fill_board, fill_template
from .schema import Area, Hex

SIDES = {
    "hero": (0, N_HEROES),
    "summon": (FIRST_SUMMON, N_SUMMONS),
    "monster": (FIRST_MONSTER, N_MONSTERS),
}
SUMMON_KIND = N_KINDS - 1  # that of all summons: numbers stand in the case


class Table:
    """The records of a case, and the indices of its names."""

    def __init__(self, case: RuleCase) -> None:
        self.case = case
        self.grid = case.board
        self.states, self.contents = zeros(STATE), zeros(CONTENT)
        self.log = empty_rows()
        self.plans = zeros(PLAN)
        self.slots: dict[str, int] = {}
        for side, (first, most) in SIDES.items():
            names = case.of_side(side)
            if len(names) > most:
                raise CaseError(f"{len(names)} figures of side {side}; {most} are allowed")
            self.slots |= {name: first + k for k, name in enumerate(names)}
        self.names = {slot: name for name, slot in self.slots.items()}
        self.cards = {name: case.figures[name].cards for name in case.of_side("hero")}
        self.decks = self._number_decks()
        self.texts: dict[int, list[str]] = {}  # of the cards of each deck, by their places
        self._clear()
        self._lay_board()
        self._lay_decks()
        for name, figure in case.figures.items():
            self._lay_figure(name, figure)
        api.find_figures(self.states)
        self._lay_active_cards()

    # ---- names --------------------------------------------------------------------------------
    @property
    def state(self) -> Any:
        """The only state."""
        return self.states[0]

    def slot(self, name: str) -> int:
        """The slot of a figure."""
        if name not in self.slots:
            raise CaseError(f"no figure is called {shown(name)}; there are {', '.join(self.slots)}")
        return self.slots[name]

    def hero(self, name: str) -> int:
        """The slot of a character."""
        if self.slot(name) >= N_HEROES:
            raise RefusalError(f"{name} is no character")
        return self.slots[name]

    def card(self, name: str, card: str) -> int:
        """The place on its sheet of a character's card."""
        if card not in self.cards.get(name, []):
            raise RefusalError(f"{name} has no card {shown(card)}")
        return self.cards[name].index(card)

    def deck(self, name: str) -> int:
        """The number of a modifier deck."""
        if name not in self.decks:
            raise CaseError(f"no deck is called {shown(name)}; there are {', '.join(self.decks)}")
        return self.decks[name]

    def hex(self, place: Hex) -> int:
        """The number of a hex; -1 = outside the board."""
        return self.grid.number(place) if self.grid.has(place) else -1

    def place(self, number: int) -> Hex | None:
        """The hex of a number; None = none."""
        return self.grid.place(number) if number >= 0 else None

    def places(self, words: Any) -> list[Hex]:
        """The hexes of a set, see hexset.py."""
        return [
            place
            for place in self.grid.hexes()
            if int(words[self.grid.number(place) >> 6]) >> (self.grid.number(place) & 63) & 1
        ]

    def bits(self, names: list[str]) -> int:
        """Figures as bits of their slots."""
        return sum({1 << self.slot(name) for name in names})

    def card_text(self, deck: int, place: int) -> str:
        """A modifier card as a case writes it."""
        card = self.state["deck"][deck]["card"][place]
        if card["supplied"]:
            return "bless" if card["worth"] == Worth.DOUBLE else "curse"
        return self.texts[deck][place]

    def _number_decks(self) -> dict[str, int]:
        """Decks of characters without a figure take the free slots."""
        names = self.case.of_side("hero")
        names += [
            name
            for name, deck in self.case.decks.items()
            if name not in [*names, MONSTER] and not isinstance(deck, Supply)
        ]
        for name in names[len(self.cards) :]:
            if name in self.case.figures:
                raise CaseError(f"decks: {shown(name)} is no character")
        if len(names) > N_HEROES:
            raise CaseError(f"{len(names)} characters with decks; {N_HEROES} are allowed")
        return {MONSTER: 0} | {name: 1 + k for k, name in enumerate(names)}

    # ---- set-up --------------------------------------------------------------------------------
    def _clear(self) -> None:
        """Set the fields whose absent value is not 0."""
        state, content = self.states, self.contents
        api.clear(state)
        for name in ("template", "bonus", "kind"):
            content["row"][name] = -1
        state["plain"] = 1
        state["round"] = 1
        state["phase"] = Phase.TURNS
        content["n_heroes"] = len(self.cards)
        content["level"] = self.grid.level
        content["door"] = content["trap"]["at"] = -1
        content["kind"]["stats"]["targets"] = 1

    def _lay_board(self) -> None:
        """Terrain, doors, traps and loot."""
        boards = zeros(BOARD)
        hexes = {**self.grid.terrain.hexes()}
        fill(self.state["loot"], map(self.grid.number, hexes.pop("loot")))
        fill_board(boards[0], self.grid, hexes)
        api.settle(boards)
        self.states["board"][0] = self.contents["board"][0] = boards[0]
        if len(self.grid.terrain.trap) > N_TRAPS:
            raise CaseError(f"{len(self.grid.terrain.trap)} traps; {N_TRAPS} are allowed")
        plain = 2 + self.grid.level
        for record, given in zip(self.state["trap"], self.grid.terrain.trap, strict=False):
            trap = given if isinstance(given, Trap) else Trap(at=given, damage=plain)
            record["at"] = self.grid.number(trap.at)
            record["damage"] = trap.damage
            record["conditions"] = bits_of(trap.conditions)
        self.states["n_traps"] = len(self.grid.terrain.trap)

    def _lay_decks(self) -> None:
        """Modifier decks, and the supplies without the cards in them."""
        held = {deck: Counter[str]() for deck in self.decks.values()}
        for name, deck in self.decks.items():
            given = self.case.decks.get(name, [])
            piles = Piles()
            if isinstance(given, Piles):
                piles = given
            elif not isinstance(given, Supply):
                piles = Piles(draw=list(STANDARD) if given == "standard" else list(given))
            held[deck] = Counter([*piles.draw, *piles.discard])
            self._lay_deck(deck, piles)
        supply, monsters = self.case.supply, held.pop(0)
        heroes = sum(held.values(), Counter[str]())
        left = {
            "bless": SUPPLY - heroes["bless"] - monsters["bless"],
            "curse_monster": SUPPLY - monsters["curse"],
            "curse_hero": SUPPLY - heroes["curse"],
        }
        for name, default in left.items():
            given_supply = getattr(supply, name)
            self.states[name] = max(0, default) if given_supply is None else given_supply

    def _lay_deck(self, deck: int, piles: Piles) -> None:
        """The cards of a deck, own ones before blesses and curses, and its two piles."""
        record = self.state["deck"][deck]
        given = [*piles.draw, *piles.discard]
        if len(given) > MAX_CARDS:
            raise CaseError(f"a deck of {len(given)} cards; {MAX_CARDS} are allowed")
        order = sorted(range(len(given)), key=lambda k: given[k] in SUPPLIED)
        self.texts[deck] = [given[k] for k in order]
        for place, text in enumerate(self.texts[deck]):
            try:
                write_card(record["card"][place], text)
            except ValueError as error:
                raise CaseError(str(error)) from None
        places = [order.index(k) for k in range(len(given))]
        n = len(piles.draw)
        record["n_own"] = sum(text not in SUPPLIED for text in given)
        record["n_pile"], record["n_discards"] = n, len(piles.discard)
        record["pile"][:n] = places[:n][::-1]
        record["discards"][: len(piles.discard)] = places[n:]
        record["shuffle"] = piles.shuffle

    def _lay_figure(self, name: str, figure: Figure) -> None:
        """One figure, its conditions as if gained outside its own turn, and its cards."""
        record = self.state["figure"][self.slots[name]]
        record["side"] = Side[figure.side.upper()]
        record["at"] = -1 if figure.at is None else self.grid.number(figure.at)
        record["max_hp"] = figure.hp if figure.max_hp is None else figure.max_hp
        record["shield"] = sum(figure.shield)
        for given in figure.retaliate:
            retaliate = given if isinstance(given, Retaliate) else Retaliate(value=given)
            record["retaliate"][retaliate.range] += retaliate.value
        for condition in figure.conditions:
            record["condition"][Effect[condition.upper()]] = 1
        record["immune"] = bits_of(figure.immune)
        record["flying"] = figure.fly
        record["owner"] = -1 if figure.owner is None else self.slots[figure.owner]
        for key in ("hp", "initiative", "second", "elite", "fresh", "xp"):
            record[key] = getattr(figure, key)
        self._lay_rank(name, figure, record)
        if figure.side == "hero":
            self._lay_cards(name, figure)

    def _lay_rank(self, name: str, figure: Figure, record: Any) -> None:
        """Tie-breaks of the order of turns; by default the order of the case."""
        listed = self.case.of_side(figure.side).index(name)
        if figure.side == "monster":
            monsters = self.case.of_side("monster")
            types = list(dict.fromkeys(self.case.figures[k].type for k in monsters))
            if len(types) > N_TYPES:
                raise CaseError(f"{len(types)} monster types; {N_TYPES} are allowed")
            self.contents["n_types"] = len(types)
            record["kind"] = types.index(figure.type)
            record["standee"] = listed + 1 if figure.standee is None else figure.standee
        elif figure.side == "summon":
            record["kind"] = SUMMON_KIND
            record["order"] = listed if figure.order is None else figure.order

    def _lay_cards(self, name: str, figure: Figure) -> None:
        """The ability cards of a character."""
        if len(figure.cards) > N_HAND:
            raise CaseError(f"{name} has {len(figure.cards)} cards; {N_HAND} are allowed")
        places = [
            *[Place.HAND] * len(figure.hand),
            *[Place.DISCARD] * len(figure.discard),
            *[Place.LOST] * len(figure.lost),
            *[Place.ACTIVE] * len(figure.active),
        ]
        self.state["hero"][self.slots[name]]["place"][: len(places)] = places
        self.contents["hero"]["n_cards"][0, self.slots[name]] = len(places)

    def _lay_active_cards(self) -> None:
        """The cards in the active areas, in order of the case."""
        entries = [(name, card) for name in self.cards for card in self.case.figures[name].active]
        if len(entries) > N_ACTIVE:
            raise CaseError(f"{len(entries)} active cards; {N_ACTIVE} are allowed")
        for k, (name, given) in enumerate(entries):
            record = self.state["active"][k]
            self.states["n_active"] = k + 1
            record["owner"] = self.slots[name]
            record["card"] = self.card(name, given.card)
            record["bonus"] = self.add_bonus(given)
            record["token"] = given.token or int(given.spaces > 0)
            record["loss"] = given.loss or given.kind == "persistent"  # G11.7
            record["served"] = self.bits([name] if given.served is None else given.served)
            record["summon"] = -1 if given.summon is None else self.slot(given.summon)

    # ---- content --------------------------------------------------------------------------------
    def add_bonus(self, given: Active) -> int:
        """Write an active bonus into a row of the content that no card in play uses."""
        active = self.state["active"][: int(self.state["n_active"])]["bonus"]
        row = next((k for k in range(N_BONUSES) if k not in active), -1)
        if row < 0:
            raise CaseError(f"more than {N_BONUSES} active bonuses")
        self.contents["bonus"][0, row] = np.zeros((), self.contents["bonus"].dtype)
        bonus = self.contents["bonus"][0, row]
        bonus["round"] = given.kind == "round"
        bonus["trigger"] = Trigger[given.trigger.upper()]
        bonus["only"] = Only[given.only.upper()]
        bonus["spaces"] = given.spaces
        bonus["xp"][: len(given.xp)] = given.xp
        fill_effect(bonus, given.effect)
        return row

    def write_row(self, effects: list[tuple[Effect, int]] | None = None, **fields: int) -> int:
        """Write the line that a step performs -> its row in the content."""
        row = self.contents["row"]
        row[0, 0] = np.zeros((), row.dtype)
        for name in ("template", "bonus", "kind"):
            row[name][0, 0] = -1
        for name, value in fields.items():
            row[name][0, 0] = value
        given = effects or []
        if len(given) > MAX_LINE_EFFECTS:
            raise CaseError(f"{len(given)} effects; {MAX_LINE_EFFECTS} are allowed")
        for k, (effect, amount) in enumerate(given):
            row["effect"][0, 0, k], row["effect_amount"][0, 0, k] = effect, amount
        return 0

    def write_template(self, area: Area) -> int:
        """Write the only template of the content -> its place there."""
        fill_template(self.contents["template"][0, 0], area)
        return 0


def fill_effect(bonus: Any, effect: BonusEffect) -> None:
    """Write what an active bonus does into a record, dtype layout.BONUS."""
    bonus["attack"] = effect.attack
    bonus["advantages"], bonus["disadvantages"] = effect.advantage, effect.disadvantage
    bonus["pierce"] = effect.pierce
    bonus["conditions"] = bits_of(effect.conditions)
    bonus["shield"] = effect.shield
    bonus["retaliate"], bonus["retaliate_range"] = effect.retaliate, effect.range
    bonus["negate"] = effect.negate


def bits_of(conditions: list[Any]) -> int:
    """Conditions as bits of terms.Effect."""
    return sum({1 << Effect[name.upper()] for name in conditions})


def conditions_of(record: Any) -> list[str]:
    """The conditions that a figure has."""
    return [name for name in CONDITIONS if record["condition"][Effect[name.upper()]]]


def target_count(targets: int | str) -> int:
    """A number of targets as the core counts it."""
    return ALL_TARGETS if targets == "all" else int(targets)
