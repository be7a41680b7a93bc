"""Which games are played, and what is met in them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from random import Random
from typing import Any

import numpy as np

from agemonia_env.core.event_log import LogRow, clear_rows, empty_rows, read_rows
from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.arguments import Compiled
from agemonia_env.rulesets.coverage import Counted, Entry, Met, coverage_tools_of, numbered
from agemonia_env.rulesets.ruleset import ruleset_of

POLICIES = ("random", "greedy")  # half of the games each
TABLES = 50  # setups of each scenario; further games are more games of each
DECISIONS_MAX = 20_000  # decisions; longer games are cut off
ROWS = 8192  # of the event log between two decisions
SEED = "scenario_seed"  # an argument of rulesets with procedural scenarios

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class SetupGame:
    """A game of a setup, by its place in `draw_setups`."""

    setup: int
    seed: int
    policy: str


def draw_setups(env: str, pack: str, seed: int) -> list[Arguments]:
    """Arguments of games of every scenario, party size and level, in random order."""
    rules = ruleset_of(env)
    every = rules.behaviour_games(rules.load_pack(pack), TABLES)
    setups: list[Arguments] = [{**arguments, "pack": pack} for arguments in every]
    Random(seed).shuffle(setups)
    return setups


def spread(setups: int, games: int, seed: int) -> Iterator[list[SetupGame]]:
    """Spread games over the setups: those of each; their seeds count from `seed` on."""
    n = min(setups, games)
    for k in range(n):
        own = range(k, games, n)
        yield [SetupGame(k, seed + g, POLICIES[(k + g // n) % len(POLICIES)]) for g in own]


class Table:
    """A compiled setup, and what can be met in its games."""

    def __init__(self, env: str, arguments: Arguments) -> None:
        """Compile the scenario, for one of its own heroes if the party does not fit it."""
        self.rules, self.tools = ruleset_of(env), coverage_tools_of(env)
        checked, scenario_seed = self.rules.check_arguments(**arguments), arguments.get(SEED) or 0
        try:
            self.compiled: Compiled = checked.compile(scenario_seed)
        except ValueError:
            self.compiled = replace(checked, heroes=1).compile(scenario_seed)
        self.scenario, self.control = checked.scenario, checked.control()
        self.names: dict[int, list[tuple[Any, str, dict[Any, list[str]]]]] = defaultdict(list)
        for family, event, key, names in self._counted():
            several = {k: [n] if isinstance(n, str) else [*n] for k, n in names.items()}
            self.names[int(event)].append((attrgetter(*key.split()), family, several))

    def _counted(self) -> Iterator[Counted]:
        """What events count as, in every ruleset and in this one."""
        rules, events = self.rules, self.rules.api.CORE.terms.Event
        for event in events:
            yield Counted("event of the log", event, "event", numbered([event]))
        decisions = [name.replace("_", " ") for name in rules.DECISIONS]
        answers = [block.lower() for block, size, _ in rules.BLOCKS for _ in range(size)]
        yield Counted("decision", events["CHOICE"], "amount", dict(enumerate(decisions[1:], 1)))
        yield Counted("kind of answer", events["CHOICE"], "choice", dict(enumerate(answers)))
        yield from self.tools.counted(self.scenario, self.compiled)

    def possible(self) -> Iterator[Entry]:
        """All that can be met."""
        yield "scenario", self.scenario
        for _, family, names in (look for looks in self.names.values() for look in looks):
            yield from ((family, name) for several in names.values() for name in several)

    def play(self, game: SetupGame) -> Counter[Entry]:
        """Play a game, one decision at a time, and count what is met in it."""
        figure = self.tools.figure
        rows = Counter(Met(*row, *figure(row, state)) for row, state in self._rows(game))
        found = Counter([("scenario", self.scenario)])
        for met, n in rows.items():
            for key, family, names in self.names[met.event]:
                for name in names.get(key(met), ()):
                    found[family, name] += n
        return found

    def _rows(self, game: SetupGame) -> Iterator[tuple[LogRow, Any]]:
        """The rows of the event log, each with the state behind the decision that caused it.

        Raises RuntimeError if rows are lost for lack of room.
        """
        api, given = self.rules.api, self.compiled.content
        policy = int(self.rules.POLICIES[game.policy])  # numba looks an enum up at every call
        states, which, rows = zeros(self.rules.STATE), np.zeros(1, np.int16), empty_rows(ROWS)
        state = states[0]  # a view
        actions, denials = np.zeros(1, np.int64), np.zeros(1, np.int16)
        seeds, select = np.array([game.seed], np.uint64), np.ones(1, np.uint8)
        api.reset(states, given, which, seeds, select, self.control, rows)
        for _ in range(DECISIONS_MAX):
            if rows[0, 1]:
                raise RuntimeError(f"{self.scenario}: {rows[0, 1]} rows of the event log were lost")
            yield from ((row, state) for row in read_rows(rows))
            if states["ending"][0]:
                return
            clear_rows(rows)
            api.choose_actions(states, given, which, policy, actions)
            api.step(states, given, which, actions, self.control, rows, denials)
