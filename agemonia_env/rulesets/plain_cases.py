"""Rule cases of a ruleset without verbs of its own: a position, answers, and what follows.

A case sets fields of the state (`put`), answers questions by the names of action blocks, with dice
that are given, and compares fields of the state.

    - id: dice-that-show-the-armour-hit
      scenario: yard
      put: {cell: [27, 28, -1, -1, 26]}
      do: [{strike: 4, dice: [3, 2, 6]}, {end: }]
      expect: {damage_dealt: 2}
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from agemonia_env.core.event_log import empty_rows
from agemonia_env.core.jit import zeros

from .case_files import Document, FileError, Results
from .case_runner import CaseError, Difference, Trial, compare, run_all
from .case_schema import Case, Step, choice_of, verb
from .ruleset import Ruleset


class PlainStep(Step):
    """Also dice: what the next ones show, from 1 on; sides: of each."""

    dice: list[int] = []  # noqa: RUF012
    sides: int = 6


class PlainCase(Case):
    """scenario, heroes: what is set up; put: fields of the state that are other."""

    scenario: str | None = None
    heroes: int | None = None
    put: dict[str, Any] = {}  # noqa: RUF012


class PlainTrial(Trial):
    """A case being run."""

    def __init__(self, rules: Ruleset, case: PlainCase) -> None:
        self.rules, self.core, self.which = rules, rules.api, np.zeros(1, np.int16)
        self.denials = rules.api.CORE.terms.Denial
        chosen = rules.chosen_arguments(scenario=case.scenario, heroes=case.heroes)
        content = rules.check_arguments(**chosen).compile().content
        states, one = zeros(rules.STATE), np.ones(1, np.uint8)
        seeds = one.astype(np.uint64)
        rules.api.reset(states, content, self.which, seeds, one, 0, rules.api.NO_ROWS)
        for name, value in case.put.items():
            if name not in (rules.STATE.names or ()):
                raise CaseError(f"put: there is no field {name}")
            states[name][0] = value
        super().__init__(case, SimpleNamespace(states=states, contents=content, log=empty_rows()))

    def do(self, index: int, step: Any) -> None:
        """Answer the question that is asked; dice are forced."""
        script = sum((die - 1) * step.sides**n for n, die in enumerate(step.dice))
        table = self.table.states, self.table.contents
        self.core.force_chance(*table, self.which, np.array([script], np.uint64))
        action = 0
        for name, size, words in self.rules.BLOCKS:
            if name.lower() == step.verb:
                self.act(self.core.answer, action + self.place(getattr(step, step.verb), words))
            action += size

    def place(self, given: Any, words: Any) -> int:
        """The index within a block: a number, a word of the rules, or nothing."""
        known = dict(word.lower().split("=") for word in words)
        if isinstance(given, str) and given not in known:
            raise CaseError(f"{given}: must be one of {', '.join(known) or 'no words'}")
        return int(known[given] if isinstance(given, str) else given or 0)

    def unlike(self, expected: Any) -> Iterator[Difference]:
        """Differences of fields of the state."""
        state = self.table.states[0]
        found = {name: np.asarray(state[name]).tolist() for name in self.rules.STATE.names or ()}
        yield from compare("expect", found, expected, lambda key, wanted, one: wanted == one)


class PlainCases:
    """The case files of a ruleset: those whose names end in `.NAME.yaml`."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        verbs = {name.lower(): verb() if size == 1 else int | str for name, size, _ in rules.BLOCKS}
        step: Any = choice_of(PlainStep, verbs)
        self.kind = type("Case", (PlainCase,), {"__annotations__": {"do": list[step]}, "do": []})

    def reads(self, document: Document) -> bool:
        """Whether a file has cases of this ruleset."""
        return document.file.endswith(f".{self.rules.name}.yaml")

    def run(self, document: Document, problems: list[FileError | str]) -> Results:
        """Run the cases of a file; mistakes in it are appended to `problems`."""
        yield from run_all(document, problems, self.kind, lambda case: PlainTrial(self.rules, case))
