"""Compile a case into one CONTENT and one STATE record, with the names of their indices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from agemonia_env.core.event_log import empty_rows
from agemonia_env.core.jit import zeros
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.case_runner import CaseError, RefusalError

from ..content import schema as cards
from ..content.builder import Builder
from ..content.names import Names
from ..content.words import FACES, attack_type, colour, condition_bits, special_bits
from ..core import layout, terms
from .case import Case
from .schema import Ally, Enemy, Figure, Hero, LockState, Pet, RiposteState, Token, listed

Records = npt.NDArray[np.void]

PRINTED = {"focus": layout.FOCUS, "extra-maneuver": layout.EXTRA_MANEUVER}
"""Action tokens that every Hero board shows (R5.2)."""

NOBODY: tuple[str, ...] = ("asked", "subject", "answer", "card", "active_ally", "active_enemy")


MAX_ROWS = 4096  # of the event log of one verb
HOOK_AND_ROPE = "rope"  # the item of R7.17
TOKEN_MOVE = 9  # areas: the verb limits how far a token or pet walks


@dataclass
class World:
    """The records of one case. Rows of content that a step needs are found by the step's index."""

    case: Case
    states: Records
    contents: Records
    names: Names
    allies: dict[str, int] = field(default_factory=dict)
    enemies: dict[str, int] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)  # tokens and pets: name -> figure row
    gone: set[str] = field(default_factory=set)  # Enemies whose slot another one took
    waiting: set[str] = field(default_factory=set)  # names that a later step brings in
    tokens: list[dict[str, int]] = field(default_factory=list)  # per ally: action -> token slot
    passives: dict[tuple[str, str], int] = field(default_factory=dict)  # (Hero, name) -> row
    kinds: dict[str, str] = field(default_factory=dict)  # type label -> type name of the case
    sheets: dict[str, cards.EnemyCard] = field(default_factory=dict)  # type label -> Enemy card
    events: list[str] = field(default_factory=list)  # what happened so far, in words
    rows: dict[int, int] = field(default_factory=dict)  # step -> attack token, strike, card, type
    log: npt.NDArray[np.int16] = field(
        default_factory=lambda: empty_rows(MAX_ROWS)
    )  # what the last verb did

    @property
    def state(self) -> Any:
        """The STATE record, to be read."""
        return self.states[0]

    def area(self, name: str) -> int:
        """Index of an area."""
        try:
            return self.names.area(name)
        except ValueError as error:
            raise CaseError(str(error)) from None

    def item(self, name: str) -> int:
        """Index of an item; -1 if nobody ever has it."""
        return self.names.items.index(name) if name in self.names.items else -1

    def initiative_cards(self) -> list[str]:
        """Names of the Initiative cards, by index."""
        decks = self.case.decks.initiative
        return decks.deck + decks.discard

    def ally(self, name: str) -> int:
        """Slot of an Ally. Raises RefusalError for another name."""
        if name in self.allies:
            return self.allies[name]
        self.figure(name)
        raise RefusalError(f"{name} is no Ally")

    def enemy(self, name: str) -> int:
        """Slot of an Enemy. Raises RefusalError for another name, or an Enemy not in play."""
        if name in self.enemies and name not in self.gone:
            return self.enemies[name]
        self.figure(name)
        raise RefusalError(f"{name} is no Enemy on the map")

    def figure(self, name: str) -> int:
        """Code of a figure: an ally slot, N_ALLIES + an enemy slot, or above both a token.

        An Enemy not in play has the code after all these.
        """
        if name in self.allies:
            return self.allies[name]
        if name in self.gone or (name in self.waiting and name not in self.enemies):
            return layout.N_ALLIES + layout.N_ENEMIES + layout.N_FIGURES
        if name in self.enemies:
            return layout.N_ALLIES + self.enemies[name]
        if name in self.figures:
            return layout.N_ALLIES + layout.N_ENEMIES + self.figures[name]
        raise CaseError(f"no figure is called {shown(name)}")

    def area_of(self, name: str) -> int:
        """Index of the area in which a figure stands. Raises RefusalError if it is in none."""
        kinds = (("ally", self.allies), ("enemy", self.enemies), ("figure", self.figures))
        self.figure(name)
        for kind, slots in kinds:
            area = int(self.state[kind]["area"][slots[name]]) if name in slots else -1
            if area >= 0 and name not in self.gone:
                return area
        raise RefusalError(f"{name} is off the map")

    def place_of(self, name: str) -> int:
        """Index of an area, or of the area in which the figure of this name stands."""
        return self.area(name) if name in self.names.areas else self.area_of(name)

    def figure_name(self, code: int) -> str:
        """Name of the figure with this code."""
        if code < layout.N_ALLIES:
            return self.ally_name(code)
        return self.enemy_name(code - layout.N_ALLIES)

    def ally_name(self, slot: int) -> str:
        """Name of the Ally in a slot."""
        return next((name for name, a in self.allies.items() if a == slot), f"ally {slot}")

    def enemy_name(self, slot: int) -> str:
        """Name of the Enemy in a slot, the present one."""
        for name, e in self.enemies.items():
            if e == slot and name not in self.gone:
                return name
        return f"enemy {slot}"

    def kind_name(self, index: int) -> str:
        """Type name, as the case gives it, of an Enemy type of content."""
        return self.kinds[self.names.types[index]]

    def label(self, card: cards.EnemyCard) -> str | None:
        """Label of the Enemy type with this card, the supply aside; None if there is none yet."""
        for label, sheet in self.sheets.items():
            if sheet == card.model_copy(update={"supply": sheet.supply}):
                return label
        return None

    def enter(self, name: str, slot: int) -> None:
        """A new Enemy called `name` stands in `slot`."""
        self.gone |= {n for n, e in self.enemies.items() if e == slot}
        self.gone.discard(name)
        self.enemies[name] = slot

    def load(self, stream: terms.Stream, values: Iterable[int], owner: int = -1) -> None:
        """Load scripted faces or cards after those already loaded."""
        state = self.state
        for value in values:
            n = int(state["n_loaded"])
            if n == layout.N_LOADED:
                raise CaseError(f"more than {layout.N_LOADED} scripted faces and cards")
            self.states["loaded"][0, n] = (stream, owner, value)
            self.states["n_loaded"][0] = n + 1

    def unload(self, *streams: terms.Stream) -> None:
        """Unload what is loaded for some streams and was not used."""
        kept = [entry for entry in self.loaded() if entry[0] not in streams]
        self.states["n_loaded"] = 0
        for stream, owner, value in kept:
            self.load(stream, [value], owner)

    def loaded(self) -> list[tuple[terms.Stream, int, int]]:
        """What is still loaded: stream, ally slot or -1, value."""
        entries = self.states["loaded"][0, : int(self.state["n_loaded"])]
        return [
            (terms.Stream(int(entry["stream"])), int(entry["owner"]), int(entry["value"]))
            for entry in entries
        ]


def build(case: Case) -> World:
    """The world of a case before its first step. Raises CaseError if the core lacks room."""
    try:
        return _build(case)
    except ValueError as error:
        raise CaseError(f"the case does not fit the core: {error}") from None


def _build(case: Case) -> World:
    builder = Builder()
    board = builder.add_map(case.map)
    world = World(case, zeros(layout.STATE), builder.content, builder.names())
    places = {area.name: i for i, area in enumerate(board.areas)}
    for name, figure in case.figures.items():
        area = places[figure.area] if figure.area else 0
        if isinstance(figure, Hero | Ally):
            sheet = figure.hero if isinstance(figure, Hero) else figure.ally
            own = sheet.model_copy(update={"evade": figure.evade or sheet.evade})  # R8.9
            world.allies[name] = builder.add_ally(name, own, area)
            world.tokens.append(dict(PRINTED) if isinstance(figure, Hero) else {})
            if isinstance(figure, Hero) and figure.chosen is not None:
                _add_token(world, builder, name, figure.chosen)
            _add_passives(world, builder, name, figure)
        elif isinstance(figure, Enemy):
            _add_type(world, builder, figure.enemy)
            world.enemies[name] = len(world.enemies)
            if len(world.enemies) > layout.N_ENEMIES:
                raise ValueError(f"at most {layout.N_ENEMIES} Enemies")
        else:
            _add_figure(world, builder, name)
    _add_decks(builder, case)
    for index, step in enumerate(case.do):
        _add_step(world, builder, index, step)
    for figure in case.figures.values():
        for item in figure.items if isinstance(figure, Hero) else ():
            builder.add_item(item)
    if HOOK_AND_ROPE in builder.items():
        rope = cards.ItemCard(name=HOOK_AND_ROPE, text="-", weight=0, rope=True)
        builder.add_item_card(HOOK_AND_ROPE, rope)
    # a case has no objective: one that is never met
    builder.set_objective(terms.Objective.HOLD, number=np.iinfo(np.int16).max)
    world.contents = builder.finish()
    world.names = builder.names()
    _place(world)
    return world


# ---- content ------------------------------------------------------------------------------------
def _add_figure(world: World, builder: Builder, name: str) -> None:
    """A row for a token or pet, one that a later step summons included."""
    if name not in world.figures:
        figure = world.case.figures.get(name)
        pet, fly = isinstance(figure, Pet), figure is not None and figure.fly
        card = cards.FigureCard(name=name, text="-", pet=pet, fly=fly, move=TOKEN_MOVE)
        world.figures[name] = builder.add_figure(name, card)


def _add_passives(world: World, builder: Builder, name: str, figure: Hero | Ally) -> None:
    """Passive rows of what a Hero's stamina lies on."""
    for lock, state in figure.locks.items() if isinstance(figure, Hero) else ():
        state = LockState(chips=state) if isinstance(state, int) else state
        need = state.chips if state.need is None else state.need
        card = cards.Passive(name=lock, need=need, reactive=state.reactive)
        world.passives[name, lock] = builder.add_passive(lock, card)


def _add_type(world: World, builder: Builder, card: cards.EnemyCard) -> int:
    """Enemy type of a card; figures with equal cards share it. `supply` is set where it matters."""
    known = world.label(card)
    if known is not None:
        return builder.type_index(known)
    same = sum(name == card.type for name in world.kinds.values())
    label = f"{card.type}/{same + 1}" if same else card.type
    first = next((known for known, name in world.kinds.items() if name == card.type), label)
    world.kinds[label] = card.type
    world.sheets[label] = card
    index = builder.add_enemy_type(label, card)
    builder.record["type"]["figures"][index] = builder.type_index(first)  # cards of one name
    return index


def _add_step(world: World, builder: Builder, index: int, step: Any) -> None:
    """Add the rows of content that a step needs."""
    given, rows = step.given, world.rows
    match step.verb:
        case "attack" if given.who in world.allies:
            slot = world.allies[given.who]
            token = builder.add_action(slot, _action_of(given, f"attack {index + 1}"))
            rows[index] = int(builder.record["sheet"]["token"][slot, token])
        case "query" if given.targets is not None:
            kind, band = given.targets.type, given.targets.range
            rows[index] = builder.add_attack(cards.Attack(type=[kind], range=_band(kind, band)))
        case "query" if given.enemy_targets is not None:
            rows[index] = builder.add_strike(_strike_of(given.enemy_targets))
        case "enemy_attack":
            rows[index] = builder.add_strike(_strike_of(given))
        case "spawn":
            rows[index] = _add_type(world, builder, given.card)
            world.waiting.add(given.name)
        case "summon":
            _add_figure(world, builder, given.name)
        case "initiative":
            rows[index] = builder.add_card(cards.InitiativeCard(bars=given.card))
        case "take_rope":
            builder.add_item(HOOK_AND_ROPE)
        case "choose" if given.who in world.allies:
            _add_token(world, builder, given.who, given.action)
        case "lock" if (given.who, given.name) not in world.passives:
            card = cards.Passive(name=given.name, need=given.amount, reactive=given.reactive)
            world.passives[given.who, given.name] = builder.add_passive(given.name, card)


def _strike_of(given: Any) -> cards.Strike:
    """The strike in the parameters of a verb or query."""
    return cards.Strike.model_validate(
        {key: getattr(given, key) for key in cards.Strike.model_fields}
    )


def _add_token(world: World, builder: Builder, hero: str, action: str) -> None:
    """An action that a Hero chooses, unless it is printed or there already."""
    slot = world.allies[hero]
    if action not in world.tokens[slot]:
        card = cards.ActionCard(name=action)
        world.tokens[slot][action] = builder.add_action(slot, card)


def used_special(special: int) -> int:
    """The special initiative used if nothing else is said: Last, else First, else After-an-Ally."""
    order = (terms.Special.LAST, terms.Special.FIRST, terms.Special.AFTER)
    return next((int(one) for one in order if special & one), 0)


def _band(kind: str, band: list[int] | None) -> list[int] | None:
    """The range of an attack: as given; by default [1, 3] ranged, [0, 3] magic, none for melee."""
    return band if band is not None else {"ranged": [1, 3], "magic": [0, 3]}.get(kind)


def _action_of(given: Any, name: str) -> cards.ActionCard:
    """The action of an `attack` verb: its costs, and the attack as its one effect."""
    band = given.range
    if given.shape != "area":  # an area attack is centred elsewhere only if it shows a range
        band = _band(given.type, band)
    printed = cards.Attack.model_fields.keys() - {"type", "range", "targets"}
    attack = cards.Attack.model_validate(
        {
            "type": [given.type],
            "range": band,
            "targets": layout.N_ENEMIES if given.shape != "single" else 1,
            **{key: getattr(given, key) for key in printed},
        }
    )
    effects = [cards.Effect(attack=attack)]
    return cards.ActionCard(name=name, cost=given.cost, gem=given.gem, effects=effects)


def _add_decks(builder: Builder, case: Case) -> None:
    """Cards of the decks; of the Trap deck only the first, which is always the top card."""
    for card in case.decks.trap[:1]:
        builder.add_trap(card)
    bars = [f"{side}{letter}{eye}" for letter in "RBG" for side, eye in (("h", ""), ("e", "-O"))]
    for name in case.decks.initiative.deck + case.decks.initiative.discard:
        face = {"bars": bars, "shuffle": name.endswith("*")}
        builder.add_card(cards.InitiativeCard.model_validate(face))
    fate = case.decks.fate
    for value in fate.deck + fate.discard + fate.timer:
        builder.add_fate(value)


# ---- state --------------------------------------------------------------------------------------
def _place(world: World) -> None:
    """Figures, decks and dice of the case into the STATE record."""
    case, state = world.case, world.state
    state["chance"][...] = range(1, terms.N_STREAMS + 1)
    for name in NOBODY:
        state[name] = -1
    state["last_ally"] = state["chosen_type"] = state["recover_ally"] = -1
    state["item"][...] = -1
    state["ally"]["area"][...] = state["ally"]["retreat"][...] = -1
    state["ally"]["lock_passive"][...] = state["ally"]["token"][...] = -1
    state["ally"]["item"][...] = -1
    state["ally"]["riposte_range"][...] = state["ally"]["riposte_type"][...] = -1
    state["enemy"]["type"][...] = state["enemy"]["area"][...] = -1
    state["enemy"]["retreat"][...] = -1
    state["figure"]["owner"][...] = state["figure"]["area"][...] = -1
    for field_name in ("token_colour", "token_active", "token_range"):
        state[field_name][...] = world.contents[0][field_name]
    state["round"] = 1
    state["phase"] = terms.Phase.TURNS
    state["rope"][...] = world.contents[0]["rope"]
    for index, area in enumerate(case.map.areas.values()):
        state["trap"][index] = area.trap
        _put_items(world, state["item"][index], area.items)
    numbers = _numbers(case)
    for name, figure in case.figures.items():
        if isinstance(figure, Hero | Ally):
            _place_ally(world, name, figure)
        elif isinstance(figure, Enemy):
            _place_enemy(world, name, figure, numbers[name])
        else:
            record = state["figure"][world.figures[name]]
            record["owner"] = 0
            record["area"] = world.names.area(figure.area) if figure.area else 0
            record["acted"] = figure.acted
            record["spawned"] = isinstance(figure, Token) and figure.spawned
    _place_decks(world)
    _load_dice(world)


def _put_items(world: World, slots: npt.NDArray[np.int16], items: list[str]) -> None:
    """Items by index into free slots."""
    if len(items) > len(slots):
        raise ValueError(f"at most {len(slots)} items in one place")
    slots[: len(items)] = [world.names.item(item) for item in items]


def _place_figure(world: World, record: Any, figure: Figure) -> None:
    """Fields common to all figures."""
    area = world.names.area(figure.area) if figure.area else 0
    record["area"] = record["retreat"] = area
    figures = world.case.figures.values()
    record["order"] = next(i for i, other in enumerate(figures) if other is figure)
    record["conditions"] = condition_bits(figure.conditions)
    for flag in ("fly", "mirror", "revenge", "acted"):
        record[flag] = getattr(figure, flag)


def _place_ally(world: World, name: str, figure: Hero | Ally) -> None:
    """A Hero or Non-Hero Ally."""
    slot = world.allies[name]
    record = world.state["ally"][slot]
    _place_figure(world, record, figure)
    sheet = world.contents[0]["sheet"][slot]
    record["kind"] = sheet["kind"]
    record["armed"][...] = sheet["armed"]
    record["evade"] = figure.evade
    record["exhausted"] = figure.exhausted
    record["special"] = special_bits(listed(figure.special))
    record["uses"] = used_special(int(record["special"]))
    record["slot"] = (1 << layout.N_TOKENS) - 1
    if figure.riposte is not None:
        _place_riposte(record, figure.riposte)
    if isinstance(figure, Ally):
        record["health"] = figure.ally.health if figure.health is None else figure.health
        record["colour"] = colour(figure.ally.colour)
        if figure.exhausted:
            record["health"] = 0
            record["area"] = -1
        return
    record["disk"], record["spent"], record["wounds"] = figure.chips()
    record["colour"] = colour(figure.colour)
    for flag in ("wounded", "revived", "focus_rolled", "inspiration", "achievement"):
        record[flag] = getattr(figure, flag)
    record["injury"][0] = figure.injuries
    _put_items(world, record["item"], figure.items)
    if figure.chosen is not None:
        record["token"] = world.tokens[slot].get(figure.chosen, -1)
    if len(figure.locks) > layout.N_LOCKS:
        raise ValueError(f"at most {layout.N_LOCKS} locks of one Hero")
    for k, (lock, chips) in enumerate(figure.locks.items()):
        record["lock_passive"][k] = world.passives[name, lock]
        record["lock_chips"][k] = chips if isinstance(chips, int) else chips.chips


def _place_riposte(record: Any, riposte: RiposteState) -> None:
    """R11.10: what the bearer strikes back with, and when."""
    record["riposte"] = riposte.amount
    record["riposte_range"] = -1 if riposte.range is None else riposte.range
    record["riposte_type"] = -1 if riposte.type is None else attack_type(riposte.type)
    record["riposte_when"] = terms.RiposteWhen[(riposte.when or "always").upper()]


def _numbers(case: Case) -> dict[str, int]:
    """Figure numbers: as given, else the lowest free one of the type."""
    enemies = {name: f for name, f in case.figures.items() if isinstance(f, Enemy)}
    taken = {(f.enemy.type, f.number) for f in enemies.values()}
    numbers: dict[str, int] = {}
    for name, figure in enemies.items():
        number = figure.number or 1
        while figure.number is None and (figure.enemy.type, number) in taken:
            number += 1
        taken.add((figure.enemy.type, number))
        numbers[name] = number
    return numbers


def _place_enemy(world: World, name: str, figure: Enemy, number: int) -> None:
    """An Enemy."""
    record = world.state["enemy"][world.enemies[name]]
    _place_figure(world, record, figure)
    card = figure.enemy
    record["type"] = world.names.type(world.label(card) or card.type)
    record["number"] = number
    heroes = sum(isinstance(f, Hero) for f in world.case.figures.values())
    record["full"] = card.health.base + card.health.per_hero * heroes
    record["health"] = record["full"] if figure.health is None else figure.health
    record["spawned"] = figure.spawned
    record["last"] = "last" in listed(figure.special)
    for flag in ("fly", "mirror", "revenge"):
        record[flag] = getattr(figure, flag) or getattr(card, flag)


def _place_decks(world: World) -> None:
    """Piles of cards: the top first; the last discard of the initiative is the previous card."""
    state, decks = world.state, world.case.decks
    n = len(decks.initiative.deck)
    m = len(decks.initiative.discard)
    state["n_initiative"] = n
    state["initiative"][:n] = range(n)
    state["n_initiative_discard"] = m
    state["initiative_discard"][:m] = range(n, n + m)
    if m:
        state["card"] = n + m - 1
    for pile, values in (
        ("fate", decks.fate.deck),
        ("fate_discard", decks.fate.discard),
        ("timer", decks.fate.timer),
    ):
        state[f"n_{pile}"] = len(values)
        state[pile][: len(values)] = values
    state["timer_target"] = decks.fate.target or 0


def _load_dice(world: World) -> None:
    """Scripted faces, of everybody or of each figure."""
    dice = world.case.dice
    streams = (
        (terms.Stream.ACTION_DICE, dice.action),
        (terms.Stream.REACTION_DICE, dice.reaction),
    )
    for stream, faces in streams:
        if isinstance(faces, dict):
            for name, own in faces.items():
                world.load(stream, [FACES[face] for face in own], world.ally(name))
        else:
            world.load(stream, [FACES[face] for face in faces])


def condition_name(number: int) -> str:
    """Name of a condition by its number."""
    return terms.Condition(number).name.lower()
