"""Runs rule cases and says where the core differs from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agemonia_env.core.event_log import Row, clear_rows, read_rows
from agemonia_env.rulesets import case_runner
from agemonia_env.rulesets.case_files import written
from agemonia_env.rulesets.case_runner import CaseError, Difference, differ

from ..core import api
from ..core.commands import N_ARGUMENTS
from ..core.terms import Decision, Denial
from . import queries, reports
from .answers import Player
from .calls import calls, clear_aids
from .case import Asked, Expectation, RuleCase
from .pieces import Supply
from .world import Table


class Trial(case_runner.Trial):
    """A case being run."""

    core, denials, n_arguments = api, Denial, N_ARGUMENTS
    at_rest = (Decision.NONE,)
    case: RuleCase
    table: Table

    def __init__(self, case: RuleCase) -> None:
        super().__init__(case, Table(case))
        self.attacks: list[reports.Report] = []
        self.drawn: reports.Report | None = None

    def do(self, index: int, step: Any, where: str) -> None:
        """Perform a step, and remember what was attacked or drawn."""
        table, verb, given = self.table, step.verb, step.given
        rows: list[Row] = []
        player = Player(table, verb, given)
        for core_verb, values in calls(table, verb, given):
            clear_rows(table.log)
            self.perform(where, core_verb, values, player)
            rows += read_rows(table.log)
        player.finish()
        clear_aids(table)
        if verb == "attack":
            self.attacks = reports.attacks(table, rows)
        elif verb == "draw":
            self.drawn = reports.drawn(table, rows)

    def finish(self) -> None:
        """Take the steps that the rules must refuse."""
        steps: list[Any] = self.case.refused
        for n, step in enumerate(steps, start=1):
            forbidden = step.model_copy(update={"refused": True})
            if not self.take(n, forbidden, f"refused {n} ({step.verb})"):
                return

    # ---- expectations ---------------------------------------------------------------------------
    def unmet(self, expected: Expectation) -> list[Difference]:
        """Differences in the position."""
        found: list[Difference] = []
        try:
            found.extend(self._unmet(expected))
        except CaseError as error:
            found.append(Difference("expect", str(error)))
        return found

    def _unmet(self, expected: Expectation) -> Iterator[Difference]:
        table = self.table
        for name, state in expected.figures.items():
            yield from unlike(name, reports.figure(table, name), state)
        for name, part in (expected.decks or {}).items():
            yield from self._unlike_deck(name, part)
        if expected.attacks is not None:
            yield from self._unlike_attacks(expected.attacks)
        if expected.drawn is not None:
            if self.drawn is None:
                yield Difference("drawn", "no draw was made")
            else:
                yield from unlike("drawn", self.drawn, expected.drawn)
        if expected.elements is not None and expected.elements != reports.elements(table):
            yield differ("elements", expected.elements, reports.elements(table))
        for kind, hexes in (expected.board or {}).items():
            found = reports.board(table, kind)
            if {*hexes} != {*found}:
                yield differ(f"board.{kind}", hexes, found)
        questions: list[Any] = expected.ask or []
        for n, question in enumerate(questions, start=1):
            found = queries.answer(table, question.verb, question.given)
            yield from disagreements(f"ask {n} ({question.verb})", question, found)

    def _unlike_deck(self, name: str, expected: Any) -> Iterator[Difference]:
        """Differences in a modifier deck, or in the supplies."""
        if isinstance(expected, Supply):
            for key in sorted(expected.model_fields_set):
                found, wanted = int(self.table.state[key]), getattr(expected, key)
                if found != wanted:
                    yield differ(f"decks.{name}.{key}", wanted, found)
            return
        for key, wanted, there in reports.unlike_deck(reports.deck(self.table, name), expected):
            yield differ(f"decks.{name}.{key}", wanted, there)

    def _unlike_attacks(self, expected: list[Any]) -> Iterator[Difference]:
        """Differences in the attacks of the last ability."""
        if len(expected) != len(self.attacks):
            made = [attack["target"] for attack in self.attacks]
            yield differ("attacks", f"{len(expected)} attacks", f"{len(made)}, on {written(made)}")
            return
        for n, (state, found) in enumerate(zip(expected, self.attacks, strict=True), start=1):
            yield from unlike(f"attack {n}", found, state)


def unlike(where: str, found: reports.Report, expected: Any) -> Iterator[Difference]:
    """Differences between the fields of an expectation and those found."""
    for key in sorted(expected.model_fields_set):
        wanted = getattr(expected, key)
        if not reports.agree(key, wanted, found[key]):
            yield differ(f"{where}.{key}", wanted, found[key])


def disagreements(where: str, asked: Asked, found: queries.Answer) -> Iterator[Difference]:
    """Differences in an answer."""
    ordered = asked.verb == "turn_order"
    if "answer" in asked.model_fields_set:
        same = found == asked.answer if ordered else as_set(found) == as_set(asked.answer)
        if not same or isinstance(found, bool) != isinstance(asked.answer, bool):
            yield differ(where, asked.answer, found)
    parts = as_set(found) if isinstance(found, list) else frozenset()
    for part in asked.has or []:
        if as_set(part) not in parts:
            yield differ(where, f"to have {written(part)}", found)
    for part in asked.lacks or []:
        if as_set(part) in parts or found is None:
            yield differ(where, f"not to have {written(part)}", found)
    if asked.count is not None:
        n = len(parts) if isinstance(found, list) else found
        if n != asked.count:
            yield differ(where, f"{asked.count} of them", found)


def as_set(value: Any) -> Any:
    """Lists of names, hexes or outcomes as sets; a hex is a pair of numbers."""
    if isinstance(value, dict):
        return frozenset((key, as_set(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        if len(value) == 2 and all(isinstance(part, int) for part in value):
            return tuple(value)
        return frozenset(map(as_set, value))
    return value
