"""Count what occurs in games, played one decision at a time, from their event logs."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.event_log import Row, clear_rows, empty_rows, read_rows
from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.coverage import Entry, GameSetup, words

from ..content.compile import Compiled
from ..content.modifier_cards import STANDARD
from ..content.party import INSTEAD, half_name
from ..core import api, terms
from ..core.actions import STARTS, Block
from ..core.layout import ALL_TARGETS, FIRST_MONSTER, N_HEROES, STATE
from ..core.policies import Policy
from ..core.terms import Effect, Event, Half
from . import names

DECISIONS_MAX = 20_000  # decisions; longer games are cut off
ROWS = 8192  # of the event log between two decisions
FIRST_ELEMENT = names.ELEMENTS[0]

Records = NDArray[Any]


def count(setup: GameSetup, compiled: Compiled, seeds: range, policy: str) -> Counter[Entry]:
    """What occurs in games of a setup with these seeds; policy: `random` or `greedy`."""
    found: Counter[Entry] = Counter({("scenario", setup.scenario): len(seeds)})
    reader = _Reader(setup.scenario, compiled)
    for seed in seeds:
        for rows, states in play_game(compiled, seed, Policy[policy.upper()]):
            for row in rows:
                found.update(reader.entries(row, states))
    return found


def play_game(compiled: Compiled, seed: int, policy: Policy) -> Iterator[tuple[list[Row], Records]]:
    """Play a game; yield the events after each decision, and the state, STATE (1,), behind them.

    Raises RuntimeError if events are lost for lack of room.
    """
    states, which, rows = zeros(STATE), np.zeros(1, np.int16), empty_rows(ROWS)
    actions, denials = np.zeros(1, np.int64), np.zeros(1, np.int16)
    given, select = np.array([seed], np.uint64), np.ones(1, np.uint8)
    api.reset(states, compiled.content, which, given, select, 0, rows)
    for _ in range(DECISIONS_MAX):
        if rows[0, 1]:
            text = f"{compiled.names.scenario}: {rows[0, 1]} rows of the event log were lost"
            raise RuntimeError(text)
        yield read_rows(rows), states
        if states["ending"][0]:
            return
        clear_rows(rows)
        api.choose_actions(states, compiled.content, which, int(policy), actions)
        api.step(states, compiled.content, which, actions, 0, rows, denials)


def _added(line: Any) -> Iterator[str]:
    """Those of names.ADDED that a line has, dtype layout.ROW."""
    targets = int(line["targets"])
    has = [line["advantages"], line["pierce"], 1 < targets < ALL_TARGETS, targets == ALL_TARGETS]
    has += [line["extra_targets"], line["mode"] == terms.Mode.JUMP]
    return itertools.compress(names.ADDED, has)


class _Reader:
    """Turns the events of games of one scenario into entries of the report."""

    def __init__(self, scenario: str, compiled: Compiled) -> None:
        self.scenario, self.names = scenario, compiled.names
        self.content: Any = compiled.content[0]
        self.types = int(self.content["n_types"])
        self.turned: dict[int, int] = {}  # the card of each monster type this round

    def entries(self, row: Row, states: Records) -> Iterator[Entry]:
        """What a row says; states: after the decision that caused it."""
        event = Event(row.event)
        yield "event of the log", words(event)
        if event in (Event.CHOICE, Event.ENDING, Event.REST, Event.DOOR):
            yield from self._of_game(event, row)
        elif event in (Event.PLAY, Event.LOST, Event.BONUS):
            yield from self._of_cards(event, row)
        elif event in (Event.CARD, Event.BLESS, Event.ELEMENT):
            yield from self._of_decks(event, row)
        elif event == Event.MONSTER_CARD:
            self.turned[row.amount] = row.other
            card = self.names.monster_cards[row.amount][row.other]
            yield "monster card", f"{self.names.kinds[row.amount]}: {card}"
        elif row.figure >= 0:
            yield from self._of_figure(event, row, states)

    # ---- games ------------------------------------------------------------------------------
    def _of_game(self, event: Event, row: Row) -> Iterator[Entry]:
        """Answers, rests, doors and the end."""
        if event == Event.CHOICE:
            yield "decision", words(terms.Decision(row.amount))
            yield "kind of answer", words(max(b for b in Block if STARTS[b] <= row.choice))
        elif event == Event.REST:
            yield "rest", names.RESTS[row.amount]
        elif event == Event.DOOR:
            doors = self.content["door"][: int(self.content["n_doors"])].tolist()
            yield "door", names.door_name(self.scenario, doors.index(row.place))
        else:
            won = row.amount == terms.Ending.GOAL
            goal = words(terms.Goal(int(self.content["goal"])))
            yield "ending", words(terms.Ending(row.amount))
            yield "goal", f"{goal}, {names.OUTCOMES[not won]}"

    # ---- cards ------------------------------------------------------------------------------
    def _of_cards(self, event: Event, row: Row) -> Iterator[Entry]:
        """Cards of characters."""
        who, card = self.names.heroes[row.figure], self.names.cards[row.figure][row.amount]
        if event == Event.LOST:
            yield "card lost", f"{who}: {card}"
        elif event == Event.BONUS:
            yield "active card", f"{who}: {card}, {names.PLAYED[row.other < 0]}"
        elif (kind := row.other % len(Half)) >= len(INSTEAD):
            yield "basic action", f"{who}: {names.BASICS[kind - len(INSTEAD)]}"
        else:
            yield "action", f"{who}: {half_name(card, list(INSTEAD)[kind])}"
            half = self.content["hero"][row.figure]["card"][row.amount]["half"][kind]
            yield from self._lines(int(half["first"]), int(half["n_rows"]))

    def _lines(self, first: int, n: int) -> Iterator[Entry]:
        """The lines of a half that is played, or of the card of a monster that takes its turn."""
        for line in self.content["row"][first : first + n]:
            op = terms.Op(int(line["op"]))
            yield "line", words(op)
            yield "line for", words(terms.Serve(int(line["serves"])))
            yield from (("line with", added) for added in _added(line))
            if op != terms.Op.INFUSE and op != terms.Op.AFFECT:
                yield from (("line with", words(Effect(e))) for e in line["effect"].tolist() if e)
            if line["template"] >= 0:
                yield "line with", f"template {self.names.templates[int(line['template'])]}"
            if line["bonus"] >= 0:
                bonus = self.content["bonus"][int(line["bonus"])]
                yield "active bonus", f"trigger {words(terms.Trigger(int(bonus['trigger'])))}"
                yield "active bonus", f"attacks {words(terms.Only(int(bonus['only'])))}"

    def _of_decks(self, event: Event, row: Row) -> Iterator[Entry]:
        """Modifier decks, by `figure`, and elements."""
        if event == Event.CARD:
            standard = row.amount < len(STANDARD)
            yield "modifier card", STANDARD[row.amount] if standard else names.SUPPLIED
        elif event == Event.BLESS:
            whose = names.SIDES[0] if row.figure else names.SIDES[-1]
            yield "deck gains", f"{words(Effect(row.amount))}, {whose}"
        else:
            yield "element", words(Effect(FIRST_ELEMENT + row.amount))

    # ---- figures ----------------------------------------------------------------------------
    def _of_figure(self, event: Event, row: Row, states: Records) -> Iterator[Entry]:
        """What figures do, and what is done to them."""
        side = names.SIDES[(row.figure >= N_HEROES) + (row.figure >= FIRST_MONSTER)]
        if event == Event.CONDITION:
            yield "condition", f"{words(Effect(row.amount))}, gained by {side}"
        elif event == Event.DAMAGE:
            yield "damage", f"{words(terms.Source(row.place))}, suffered by {side}"
        elif event == Event.NEGATED:
            yield "damage negated", f"by {names.NEGATED[row.other - 1]}"
        elif event == Event.TRAP:
            yield "trap", f"sprung by {side}"
        elif event == Event.ATTACK:
            yield "draw", f"{words(terms.Draw(row.amount))}, by {side}"
        does = {Event.SPAWN: "comes", Event.ATTACK: "attacks", Event.DEATH: "dies"}.get(event)
        if row.figure < N_HEROES or (does is None and event != Event.TURN):
            return
        figure = states["figure"][0, row.figure]
        kind = int(figure["kind"])
        if does is None:
            card = self.content["kind"][kind]["card"][self.turned.get(kind, 0)]
            yield from self._lines(int(card["first"]), int(card["n_rows"]))
        elif kind < self.types:
            yield "monster", f"{names.rank_name(self.names.kinds[kind], figure['elite'])}, {does}"
        else:
            yield "summon", f"{self.names.kinds[kind]}, {does}"
