"""Turn the counts of `api.count_events` for one table into entries of the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.coverage import Entry, GameSetup, words

from ..content.compile import RANDOM, Compiled
from ..core import api, terms
from ..core.actions import N_ACTIONS, STARTS, Block, Turn
from ..core.layout import N_ALLIES, STATE
from ..core.policies import Policy
from ..core.terms import Event
from . import names

DECISIONS_MAX = 20_000  # decisions; longer games are cut off
N_EVENTS = max(Event) + 1
EYES = tuple(eye.name.lower() for eye in terms.Eye)
HORNS, SNAKE = 4, 8  # bits of Event.ENEMY_ACTS beside the eye
HANDLED = {
    Event.TAKE: "item picked up",
    Event.DROP: "item dropped",
    Event.GIVE: "item given",
    Event.USE: "item used",
    Event.BOOST: "item boosting a check",
    Event.RIDE: "item serving an attack",
    Event.WEAR: "item put to use",
}

Counted = Iterator[tuple[Entry, int]]
Counts = NDArray[np.int64]


def count(setup: GameSetup, compiled: Compiled, seeds: range, policy: str) -> Counter[Entry]:
    """What occurs in games of a setup with these seeds; policy: `random` or `greedy`."""
    events, choices = play_games(compiled, seeds, Policy[policy.upper()])
    return _Reader(setup, compiled, len(seeds), events, choices).added()


def play_games(compiled: Compiled, seeds: range, policy: Policy) -> tuple[Counts, Counts]:
    """Play a game from every seed -> (events, choices) as `api.count_events` counts them."""
    events = np.zeros((N_EVENTS, api.N_WHO, api.N_AMOUNTS), np.int64)
    choices = np.zeros((terms.N_DECISIONS, N_ACTIONS), np.int64)
    n = len(seeds)
    states, which, cores = zeros(STATE, n), np.zeros(n, np.int16), np.array(seeds, np.uint64)
    given = (int(policy), 0, DECISIONS_MAX, events, choices)
    lost = api.count_events(states, compiled.content, which, cores, *given)
    if lost:
        raise RuntimeError(f"{compiled.names.scenario}: {lost} rows of the event log were lost")
    return events, choices


class _Reader:
    """Reads the counts of games of one setup."""

    def __init__(
        self,
        setup: GameSetup,
        compiled: Compiled,
        games: int,
        events: Counts,
        choices: Counts,
    ) -> None:
        self.setup, self.games, self.events, self.choices = setup, games, events, choices
        self.content: Any = compiled.content[0]
        self.names = compiled.names
        self.totals: list[list[int]] = events.sum(axis=1).tolist()
        self.ops: Counter[int] = Counter()

    def added(self) -> Counter[Entry]:
        """Every entry of the games with its count; rows of the same entry are added up."""
        found: Counter[Entry] = Counter()
        for part in (
            self._rules(),
            self._actions(),
            self._attacks(),
            self._strikes(),
            self._enemies(),
            self._items(),
            self._scenario(),
            self._consequences(),
        ):
            for entry, n in part:
                if n:  # what is impossible has no entry
                    found[entry] += int(n)
        for op, n in self.ops.items():
            found["effect", words(terms.Op(op))] += n
        return found

    def by_amount(self, event: Event) -> list[int]:
        """How often each amount occurred, over all figures."""
        return self.totals[event]

    # ---- rules ------------------------------------------------------------------------------
    def _rules(self) -> Counted:
        """Decisions, events, conditions, endings, cards."""
        for event in Event:
            n = self.choices.sum() if event == Event.CHOICE else sum(self.by_amount(event))
            yield ("event of the log", words(event)), n
        for decision in terms.Decision:
            yield ("decision", words(decision)), self.choices[decision].sum()
        first = STARTS[Block.TURN]
        for turn in Turn:
            yield ("choice in a turn", words(turn)), self.choices[:, first + turn].sum()
        gained = self.events[Event.GAIN]
        for condition in terms.Condition:
            sides = gained[:N_ALLIES, condition].sum(), gained[N_ALLIES:, condition].sum()
            for side, n in zip(names.SIDES, sides, strict=True):
                yield ("condition", f"{words(condition)}, gained by {side}"), n
        for rope, n in zip(names.ROPES, self.by_amount(Event.ROPE), strict=False):
            yield ("rope", rope), n
        ends = {"won": self.by_amount(Event.SUCCESS), "lost": self.by_amount(Event.FAILURE)}
        objective = words(terms.Objective(int(self.content["objective"])))
        for outcome, amounts in ends.items():
            yield ("objective", f"{objective}, {outcome}"), sum(amounts)
            for ending in terms.Ending:
                yield ("ending", words(ending)), amounts[ending]
        for family, event, cards in (
            ("injury card", Event.INJURY, self.names.injuries),
            ("trap card", Event.TRAP_CARD, self.names.traps),
        ):
            for name, n in zip(cards, self.by_amount(event), strict=False):
                yield (family, name), n

    # ---- Allies -----------------------------------------------------------------------------
    def _actions(self) -> Counted:
        """Action tokens chosen and performed, skills brought along."""
        performed = self.by_amount(Event.ACT)
        for a, (ally, tokens) in enumerate(zip(self.names.allies, self.names.tokens, strict=True)):
            for k, token in enumerate(tokens):
                yield ("action chosen", f"{ally}: {token}"), self.events[Event.SELECT, a, k]
                row = int(self.content["sheet"][a]["token"][k])
                yield ("action performed", f"{ally}: {token}"), performed[row]
        for key in self.names.texts:
            kind, _, name = key.partition("/")
            if kind == "skill":
                yield ("skill", name.replace("/", ": ")), self.games
        for k, n in enumerate(self.by_amount(Event.EFFECT)[:-1]):
            self._op(k, n)

    def _attacks(self) -> Counted:
        """Shapes of attacks, and what comes with them."""
        for attack, n in zip(self.content["attack"], self.by_amount(Event.ATTACK), strict=False):
            yield ("attack shape", words(terms.Shape(int(attack["shape"])))), n
            for rider in names.ATTACK_RIDERS:
                yield ("attack with", rider), n * bool(attack[rider])

    def _items(self) -> Counted:
        """What was done with each item."""
        for k, item in enumerate(self.names.items):
            for event, family in HANDLED.items():
                yield (family, item), self.by_amount(event)[k]
        for sheet in self.content["sheet"]:
            for place, k in enumerate(sheet["item"].tolist()):
                if k >= 0:
                    item = self.names.items[k]
                    yield ("item taken along", item), self.games
                    in_use = int(sheet["active"]) >> place & 1
                    yield ("item put to use", item), self.games * in_use

    # ---- Enemies ----------------------------------------------------------------------------
    def _strikes(self) -> Counted:
        """What comes with the attacks of Enemies."""
        for strike, n in zip(self.content["strike"], self.by_amount(Event.STRIKE), strict=False):
            for rider in names.STRIKE_RIDERS:
                yield ("attack of an Enemy with", rider), n * bool(strike[rider])

    def _enemies(self) -> Counted:
        """What each type did."""
        provoked = self.by_amount(Event.PROVOKE)
        for t, name in enumerate(self.names.types):
            card, acts = self.content["type"][t], self.events[Event.ENEMY_ACTS, N_ALLIES + t]
            for signs in range(2 * SNAKE):
                n = int(acts[signs])
                eye = signs % HORNS
                if not n or eye >= len(EYES):
                    continue
                yield ("Enemy", f"{name}: {EYES[eye]} eye"), n
                if signs & HORNS and card["horns_n"][eye]:
                    yield ("Enemy", f"{name}: horns of the {EYES[eye]} eye"), n
                    self._ops(card["horns_first"][eye], card["horns_n"][eye], n)
                if signs & SNAKE and card["snake_n"]:
                    yield ("Enemy", f"{name}: snake"), n
                    self._ops(card["snake_first"], card["snake_n"], n)
            for eye, row in enumerate(card["strike"].tolist()):
                if row >= 0:
                    n = int(self.events[Event.STRIKE, N_ALLIES + t, row])
                    yield ("Enemy", f"{name}: attack of the {EYES[eye]} eye"), n
            yield ("Enemy", f"{name}: provoke"), provoked[t]
            yield from self._box(t, name)

    def _box(self, t: int, name: str) -> Counted:
        """The defeat box: what it does, or the item that it leaves."""
        card, defeated = self.content["type"][t], self.events[Event.DEFEAT, N_ALLIES + t].sum()
        done = self.events[Event.CONSEQUENCE, N_ALLIES + t].sum()
        yield ("Enemy", f"{name}: defeat box"), defeated if card["leave"] >= 0 else done

    # ---- the scenario -----------------------------------------------------------------------
    def _scenario(self) -> Counted:
        """The scenario itself, its events and story sections."""
        yield ("scenario", self.setup.scenario), self.games
        begun = self.by_amount(Event.SCENARIO)
        for k in range(int(self.content["n_events"])):
            yield ("scenario event", self._event(k)), begun[k]
        read = self.by_amount(Event.STORY)
        for k in range(int(self.content["n_stories"])):
            yield ("story section", self._section(k)), read[k]

    def _event(self, k: int) -> str:
        if self.setup.scenario == RANDOM:
            return f"{RANDOM}: more Enemies"
        return names.event_name(self.setup.scenario, k)

    def _section(self, k: int) -> str:
        return names.section_name(self.setup.scenario, self.names.stories[k])

    def _consequences(self) -> Counted:
        """Effects of events, sections and defeat boxes."""
        done = self.by_amount(Event.CONSEQUENCE)
        for k, n in enumerate(done[:-1]):
            self._op(k, n)
        causes = []
        if self.setup.scenario != RANDOM:
            for k, event in enumerate(self.content["event"][: self.content["n_events"]]):
                causes.append((self._event(k), event["first"], event["n"]))
        for k, section in enumerate(self.content["section"][: self.content["n_stories"]]):
            causes.append((self._section(k), section["first"], section["n"]))
            failed = f"{self._section(k)}, failed"
            causes.append((failed, section["fail_first"], section["fail_n"]))
        for cause, first, n in causes:
            for row in range(n):
                yield ("consequence", names.consequence_name(cause, row)), done[first + row]

    def _ops(self, first: int, rows: int, n: int) -> None:
        for k in range(first, first + rows):
            self._op(k, n)

    def _op(self, k: int, n: int) -> None:
        """Count effect row k, done n times."""
        if n:
            self.ops[int(self.content["effect"][k]["op"])] += n
