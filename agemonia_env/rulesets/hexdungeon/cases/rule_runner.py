"""Runs rule cases and says where the core differs from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agemonia_env.core.event_log import LogRow, clear_rows, read_rows
from agemonia_env.rulesets import case_runner
from agemonia_env.rulesets.case_files import written
from agemonia_env.rulesets.case_runner import Difference, compare, differ

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

    def do(self, index: int, step: Any) -> None:
        """Perform a step, and remember what was attacked or drawn."""
        table, verb, given = self.table, step.verb, step.given
        rows: list[LogRow] = []
        player = Player(table, verb, given)
        for core_verb, values in calls(table, verb, given):
            clear_rows(table.log)
            self.perform(core_verb, values, player)
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
    def unlike(self, expected: Expectation) -> Iterator[Difference]:
        """Differences in the position."""
        table = self.table
        for name, state in expected.figures.items():
            yield from compare(name, reports.figure(table, name), fields(state), reports.agree)
        for name, part in (expected.decks or {}).items():
            here = f"decks.{name}"
            if isinstance(part, Supply):
                found = {key: int(table.state[key]) for key in Supply.model_fields}
                yield from compare(here, found, fields(part), reports.agree)
                continue
            for key, wanted, there in reports.unlike_deck(reports.deck(table, name), part):
                yield differ(f"{here}.{key}", wanted, there)
        if expected.attacks is not None:
            yield from self._unlike_attacks(expected.attacks)
        if expected.drawn is not None and self.drawn is None:
            yield Difference("drawn", "no draw was made")
        elif expected.drawn is not None:
            yield from compare("drawn", self.drawn or {}, fields(expected.drawn), reports.agree)
        if expected.elements is not None and expected.elements != reports.elements(table):
            yield differ("elements", expected.elements, reports.elements(table))
        for kind, hexes in (expected.board or {}).items():
            there = reports.board(table, kind)
            if {*hexes} != {*there}:
                yield differ(f"board.{kind}", hexes, there)
        questions: list[Any] = expected.ask or []
        for n, question in enumerate(questions, start=1):
            answer = queries.ANSWERS[question.verb](table, question.given)
            yield from disagreements(f"ask {n} ({question.verb})", question, answer)

    def _unlike_attacks(self, expected: list[Any]) -> Iterator[Difference]:
        """Differences in the attacks of the last ability."""
        if len(expected) != len(self.attacks):
            made = [attack["target"] for attack in self.attacks]
            yield differ("attacks", f"{len(expected)} attacks", f"{len(made)}, on {written(made)}")
            return
        for n, (state, found) in enumerate(zip(expected, self.attacks, strict=True), start=1):
            yield from compare(f"attack {n}", found, fields(state), reports.agree)


def fields(expected: Any) -> dict[str, Any]:
    """The fields that an expectation names."""
    return {key: getattr(expected, key) for key in sorted(expected.model_fields_set)}


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
