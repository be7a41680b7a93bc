"""Runs cases and says where the core differs from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from agemonia_env.core import event_log
from agemonia_env.rulesets import case_runner
from agemonia_env.rulesets.case_files import Document, FileError, Plain, Results
from agemonia_env.rulesets.case_runner import Difference, RefusalError, compare, differ

from ..core import api
from ..core.commands import N_ARGUMENTS, Verb
from ..core.terms import Decision, Denial, Event, Stream
from . import queries, reports
from .answers import Player
from .calls import call, clear_after_verb, set_for_verb
from .case import Case, Expectation
from .world import World, build

AS_SETS = ("conditions", "items")
DICE = (Stream.ACTION_DICE, Stream.REACTION_DICE)


class Trial(case_runner.Trial):
    """A case being run."""

    core, denials, n_arguments = api, Denial, N_ARGUMENTS
    at_rest = (Decision.NONE, Decision.TURN)
    table: World

    def __init__(self, case: Case) -> None:
        super().__init__(case, build(case))
        self.last: dict[str, Plain] = {}  # what the last step reported
        queries.perform(self.table, Verb.RECOUNT)  # capacity used and figures of each area

    def take(self, index: int, step: Any, where: str) -> bool:
        """Take a step, and compare what its verb reports."""
        self.last = {}
        going = super().take(index, step, where)
        if going and not step.refused:
            self.differences += compare(where, self.last, step.result or {}, agrees)
        return going

    def do(self, index: int, step: Any) -> None:
        """Perform the verb and answer the core's questions."""
        world, verb, given = self.table, step.verb, step.given
        event_log.clear_rows(world.log)
        scripted = _scripted_dice(world)
        if verb == "query":
            self.last = queries.answer(world, index, given)
            return
        if verb == "initiative":
            self.last = queries.initiative(world, index, given)
            return
        player = Player(world, verb, given)
        set_for_verb(world, verb, given)
        self.perform(*call(world, index, verb, given), player)
        left = player.leftovers()
        if left:
            raise RefusalError(f"never asked for: {'; '.join(left)}")
        rolled = sum(row.event == Event.DIE for row in event_log.read_rows(world.log))
        by_chance = rolled - (scripted - _scripted_dice(world))
        if by_chance:  # a case has one right answer
            found = f"{by_chance} rolled by chance"
            self.differences.append(differ(self.where, "a scripted face for every die", found))
        clear_after_verb(world)
        self.last = reports.result(world, verb, given)
        world.events += reports.events(world)

    def act(self, deed: Callable[..., int], *args: Any) -> None:
        """Do something in the core; a denial that changes the state is a difference."""
        before = self.table.states.tobytes()
        try:
            super().act(deed, *args)
        except RefusalError as refusal:
            if self.table.states.tobytes() != before:
                found = f"{refusal} changed the state"
                wanted = "a denial that changes nothing"
                self.differences.append(differ(self.where, wanted, found))
            raise

    def unlike(self, expected: Expectation) -> Iterator[Difference]:
        """Differences between the state and one expectation."""
        world = self.table
        found: dict[str, Any] = {
            "result": self.last,
            "events": world.events,
            "areas": {},
            "fate": reports.fate(world),
            "initiative": reports.initiative(world),
            "ended": reports.ended(world),
        }
        for key, value in expected.items():
            report = found[key] if key in found else reports.figure(world, key)
            if key == "areas" and isinstance(value, dict):
                for name, part in value.items():
                    yield from compare(f"areas.{name}", reports.area(world, name), part, same)
            elif isinstance(report, dict):
                yield from compare(key, report, value, agrees if key == "result" else same)
            elif report != value:
                yield differ(key, value, report)

    def finish(self) -> None:
        """No scripted die is left."""
        world = self.table
        left = [
            f"{stream.name.lower()} of {world.ally_name(owner) if owner >= 0 else 'anybody'}"
            for stream, owner, _ in world.loaded()
            if stream in DICE
        ]
        if left:
            found = f"{len(left)} left: {', '.join(left)}"
            self.differences.append(differ("end", "all scripted dice used", found))


def _scripted_dice(world: World) -> int:
    """Number of scripted faces that no roll has taken yet."""
    return sum(stream in DICE for stream, _, _ in world.loaded())


# ---- expectations -------------------------------------------------------------------------------
def agrees(key: str, expected: Plain, found: Plain) -> bool:
    """Whether a reported value is the expected one; of a mapping only the keys given count."""
    if isinstance(found, dict) and isinstance(expected, dict) and expected:
        return all(name in found and found[name] == value for name, value in expected.items())
    return same(key, expected, found)


def same(key: str, expected: Plain, found: Plain) -> bool:
    """Whether two values are equal; conditions and items compare as sets."""
    if key in AS_SETS and isinstance(found, list) and isinstance(expected, list):
        return sorted(map(str, found)) == sorted(map(str, expected))
    return found == expected and isinstance(found, bool) == isinstance(expected, bool)


# ---- files --------------------------------------------------------------------------------------
def run_cases(document: Document, problems: list[FileError | str]) -> Results:
    """Run the cases of a file -> the title of each, and where the core differs from it.

    Mistakes in the file are appended to `problems`.
    """
    return case_runner.run_all(document, problems, Case, Trial)
