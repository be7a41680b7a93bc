"""Runs rule cases and reports where the core differs from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from agemonia_env.core.event_log import Row
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.case_files import written

from ..core import api
from ..core.terms import Decision, Denial
from . import queries, reports
from .answers import Player
from .calls import calls, clear_aids
from .case import Expectation, Place, Question, RuleCase, read_case
from .pieces import Supply
from .steps import Attack, Draw, Step
from .world import CaseError, RefusalError, Table

MAX_ANSWERS = 1000  # more than any step asks

Done = tuple[str, int, list[str]]  # name of a case, its place in the file, differences


def run_cases(value: Any, mistake: Callable[[Place, str], str]) -> Iterator[Done]:
    """Run the cases of a file, even if some have mistakes; no differences = passed.

    `mistake` formats a mistake at a place of the file.
    """
    seen: set[str] = set()
    for k, part in enumerate(value):
        name = str(part.get("id", "without id")) if isinstance(part, dict) else "no mapping"
        rules = part.get("rules") if isinstance(part, dict) else None
        title = f"{name} [{', '.join(map(str, rules))}]" if isinstance(rules, list) else name
        case = read_case(part, (k,), mistake)
        if isinstance(case, list):
            yield title, k, case
        elif case.id in seen:
            yield title, k, [mistake((k, "id"), f"case {shown(case.id)} is given twice")]
        else:
            yield title, k, attempt(case)
        seen.add(name)


def attempt(case: RuleCase) -> list[str]:
    """`differences`, but an exception fails the case instead of ending the run."""
    try:
        return list(differences(case))
    except Exception as error:
        return [f"the program: {type(error).__name__}: {error}"]


def differences(case: RuleCase) -> Iterator[str]:
    """All differences between the core and a case."""
    try:
        trial = Trial(Table(case))
    except CaseError as error:
        yield f"set-up: {error}"
        return
    for n, step in enumerate(case.do, start=1):
        wrong = trial.take(step)
        if wrong is not None:
            yield f"step {n} ({step.verb}): {wrong}"
            return
    for expectation in [case.expect] if case.expect else []:
        yield from trial.unmet(expectation)
    if case.expect_any:
        found = [list(trial.unmet(expectation)) for expectation in case.expect_any]
        if all(found):
            yield from (f"expect_any: {line}" for line in min(found, key=len))
    for n, step in enumerate(case.refused, start=1):
        wrong = trial.take(step.model_copy(update={"refused": True}))
        if wrong is not None:
            yield f"refused {n} ({step.verb}): {wrong}"
            return


class Trial:
    """A case being run."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.attacks: list[reports.Report] = []
        self.drawn: reports.Report | None = None

    # ---- steps ----------------------------------------------------------------------------------
    def take(self, step: Step) -> str | None:
        """Take a step -> its differences. A refused step changes nothing."""
        table = self.table
        before = table.states.copy(), table.contents.copy()
        try:
            self._do(step)
        except RefusalError as refusal:
            table.states[...], table.contents[...] = before
            return None if step.refused else f"expected to be allowed, refused: {refusal}"
        except CaseError as error:
            return str(error)
        return "expected to be refused, allowed" if step.refused else None

    def _do(self, step: Step) -> None:
        """Raises RefusalError if the rules forbid any part of it, CaseError for unknown names."""
        table, given = self.table, step.given
        rows: list[Row] = []
        player = Player(table, given)
        for verb, values in calls(table, step.verb, given):
            table.begin_log()
            args = queries.arguments(values)
            self._act(partial(api.perform, *table.records, int(verb), args, table.rows))
            self._answer(player)
            rows += table.events()
        player.finish()
        clear_aids(table)
        if isinstance(given, Attack):
            self.attacks = reports.attacks(table, rows)
        elif isinstance(given, Draw):
            self.drawn = reports.drawn(table, rows)

    def _answer(self, player: Player) -> None:
        """Answer questions until none is asked."""
        table = self.table
        for _ in range(MAX_ANSWERS):
            if int(table.state["decision"]) == Decision.NONE:
                return
            action = player.action()
            self._act(partial(api.answer, *table.records, action, table.rows))
        raise CaseError(f"more than {MAX_ANSWERS} questions")

    def _act(self, deed: Callable[[], int]) -> None:
        """Do something in the core. Raises RefusalError if it is denied."""
        denial = Denial(int(deed()))
        if denial != Denial.NONE:
            raise RefusalError(denial.name.lower().replace("_", " "))

    # ---- expectations ---------------------------------------------------------------------------
    def unmet(self, expected: Expectation) -> Iterator[str]:
        """Differences in the position."""
        try:
            yield from self._unmet(expected)
        except CaseError as error:
            yield str(error)

    def _unmet(self, expected: Expectation) -> Iterator[str]:
        table = self.table
        for name, state in expected.figures.items():
            yield from unlike(name, reports.figure(table, name), state)
        for name, part in (expected.decks or {}).items():
            yield from self._unlike_deck(name, part)
        if expected.attacks is not None:
            yield from self._unlike_attacks(expected.attacks)
        if expected.drawn is not None:
            if self.drawn is None:
                yield "drawn: no draw was made"
            else:
                yield from unlike("drawn", self.drawn, expected.drawn)
        if expected.elements is not None and expected.elements != reports.elements(table):
            yield differ("elements", expected.elements, reports.elements(table))
        for kind, hexes in (expected.board or {}).items():
            found = reports.board(table, kind)
            if {*hexes} != {*found}:
                yield differ(f"board.{kind}", hexes, found)
        for n, question in enumerate(expected.ask or [], start=1):
            found = queries.answer(table, question)
            yield from disagreements(f"ask {n} ({question.name})", question, found)

    def _unlike_deck(self, name: str, expected: Any) -> Iterator[str]:
        """Differences in a modifier deck, or in the supplies."""
        if isinstance(expected, Supply):
            for key in sorted(expected.model_fields_set):
                found, wanted = int(self.table.state[key]), getattr(expected, key)
                if found != wanted:
                    yield differ(f"decks.{name}.{key}", wanted, found)
            return
        for key, wanted, there in reports.unlike_deck(reports.deck(self.table, name), expected):
            yield differ(f"decks.{name}.{key}", wanted, there)

    def _unlike_attacks(self, expected: list[Any]) -> Iterator[str]:
        """Differences in the attacks of the last ability."""
        if len(expected) != len(self.attacks):
            made = [attack["target"] for attack in self.attacks]
            yield differ("attacks", f"{len(expected)} attacks", f"{len(made)}, on {written(made)}")
            return
        for n, (state, found) in enumerate(zip(expected, self.attacks, strict=True), start=1):
            yield from unlike(f"attack {n}", found, state)


def unlike(where: str, found: reports.Report, expected: Any) -> Iterator[str]:
    """Differences between the fields of an expectation and those found."""
    for key in sorted(expected.model_fields_set):
        wanted = getattr(expected, key)
        if not reports.agree(key, wanted, found[key]):
            yield differ(f"{where}.{key}", wanted, found[key])


def differ(where: str, expected: Any, found: Any) -> str:
    """A difference in words, values as a case file writes them."""
    return f"{where}: expected {written(expected)}, found {written(found)}"


def disagreements(where: str, asked: Question, found: queries.Answer) -> Iterator[str]:
    """Differences in an answer."""
    ordered = asked.name == "turn_order"
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
