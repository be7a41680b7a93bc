"""Runs the rule cases of any ruleset and says where its core differs from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .case_files import Document, FileError, Results, written
from .case_schema import Case, Step, read_cases

MAX_ANSWERS = 1000  # more than any verb asks


class RefusalError(Exception):
    """The rules refuse the verb; the text says what and why."""


class CaseError(Exception):
    """A case does not fit the core, or names something it does not have; the text says what."""


@dataclass(frozen=True)
class Difference:
    """One difference from a case: where, and what in words."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def differ(where: str, expected: object, found: object) -> Difference:
    """A difference; values are shown as a case file writes them."""
    return Difference(where, f"expected {written(expected)}, found {written(found)}")


def compare(
    where: str, found: dict[str, Any], expected: Any, equal: Callable[..., bool]
) -> Iterator[Difference]:
    """Differences field by field; equal(key, expected, found) says whether two values agree."""
    if not isinstance(expected, dict):
        yield differ(where, expected, found)
        return
    for key, wanted in expected.items():
        if key not in found:
            none = f"no such field; there are {', '.join(found) or 'none'}"
            yield differ(f"{where}.{key}", wanted, none)
        elif not equal(key, wanted, found[key]):
            yield differ(f"{where}.{key}", wanted, found[key])


def first_arguments(values: tuple[int, ...], n: int) -> npt.NDArray[np.int32]:
    """Arguments of a verb or query, int32 (n,), 0 where nothing is given."""
    args = np.zeros(n, np.int32)
    args[: len(values)] = values
    return args


class Trial:
    """A case being run. A ruleset says how its verbs are done and what its expectations mean."""

    core: Any  # the compiled rules: `api` of the ruleset
    denials: Any  # its terms.Denial
    n_arguments: int  # of a verb
    at_rest: tuple[int, ...]  # decisions that end a verb

    def __init__(self, case: Case, table: Any) -> None:
        self.case = case
        self.table = table  # has records `states` and `contents`, and an event log `log`
        self.where = ""  # the step being taken
        self.differences: list[Difference] = []

    # ---- for rulesets to fill in ----------------------------------------------------------------
    def do(self, index: int, step: Any) -> None:
        """Perform a verb. Raises RefusalError if the rules forbid any part of it, CaseError."""
        raise NotImplementedError

    def unlike(self, expected: Any) -> Iterator[Difference]:
        """Differences between the state and an expectation. Raises CaseError."""
        raise NotImplementedError

    def finish(self) -> None:
        """Check what must hold after the expectations."""

    # ---- steps ----------------------------------------------------------------------------------
    def run(self) -> list[Difference]:
        """Run the case -> all differences; none = passed."""
        for index, step in enumerate(self.case.do):
            if not self.take(index, step, f"step {index + 1} ({step.verb})"):
                return self.differences
        for alternatives in self.case.expected():
            found = [self.unmet(expected) for expected in alternatives]
            fewest = min(found, key=len)
            self.differences += fewest
        self.finish()
        return self.differences

    def unmet(self, expected: Any) -> list[Difference]:
        """Differences between the state and an expectation."""
        try:
            return list(self.unlike(expected))
        except CaseError as error:
            return [Difference("expect", str(error))]

    def take(self, index: int, step: Step, where: str) -> bool:
        """Take a step -> whether the case can go on. A refused step changes nothing."""
        table, self.where = self.table, where
        before = table.states.copy(), table.contents.copy()
        try:
            self.do(index, step)
        except RefusalError as refusal:
            table.states[...], table.contents[...] = before
            if not step.refused:
                self.differences.append(differ(where, "allowed", f"refused: {refusal}"))
            return step.refused
        except CaseError as error:
            self.differences.append(Difference(where, str(error)))
            return False
        if step.refused:
            self.differences.append(differ(where, "refused", "allowed"))
        return not step.refused

    def perform(self, verb: int, values: tuple[int, ...], player: Any) -> None:
        """Call a verb of the core, and let the player answer all its questions."""
        self.act(self.core.perform, int(verb), first_arguments(values, self.n_arguments))
        for _ in range(MAX_ANSWERS):
            if int(self.table.states["decision"][0]) in self.at_rest:
                return
            self.act(self.core.answer, player.action())
        raise CaseError(f"more than {MAX_ANSWERS} questions")

    def act(self, deed: Callable[..., int], *args: Any) -> None:
        """Do something in the core. Raises RefusalError if it is denied."""
        table = self.table
        denial = self.denials(int(deed(table.states, table.contents, *args, table.log)))
        if denial:
            raise RefusalError(denial.name.lower().replace("_", " "))


# ---- files --------------------------------------------------------------------------------------
def attempt(case: Case, trial: Callable[[Any], Trial]) -> list[Difference]:
    """Run a case; an exception fails it instead of ending the run."""
    try:
        return trial(case).run()
    except CaseError as error:
        return [Difference("set-up", str(error))]
    except Exception as error:
        return [Difference("the program", f"{type(error).__name__}: {error}")]


def run_all(
    document: Document,
    problems: list[FileError | str],
    kind: type[Case],
    trial: Callable[[Any], Trial],
) -> Results:
    """Run the cases of a file -> the title of each, and where the core differs from it.

    Mistakes in the file are appended to `problems`.
    """
    for title, case in read_cases(document, kind):
        if not isinstance(case, list):
            yield title, attempt(case, trial)
        elif kind.mistakes_fail:
            yield title, case
        else:
            problems += case
