"""Runs cases and prints where the core differs from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from agemonia_env.core import event_log
from agemonia_env.rulesets.case_files import Document, FileError, Plain, Results, written

from ..core import api
from ..core.commands import Verb
from ..core.terms import Decision, Denial, Event, Stream
from . import parameters, queries, reports
from .answers import Player
from .calls import call, clear_after_verb, set_for_verb
from .case import Case, Step, load
from .world import MAX_ROWS, CaseError, RefusalError, World, build

MAX_ANSWERS = 1000  # more than any verb asks

AS_SETS = ("conditions", "items")
DICE = (Stream.ACTION_DICE, Stream.REACTION_DICE)


@dataclass(frozen=True)
class Difference:
    """One difference from the case: where, what it expects, what was found."""

    where: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, found {self.found}"


@dataclass
class Run:
    """A case being run."""

    case: Case
    world: World
    last: dict[str, Plain] = field(default_factory=dict)  # what the last step reported
    differences: list[Difference] = field(default_factory=list)

    def differ(self, where: str, expected: object, found: object) -> None:
        """Record a difference; values are shown as a case file writes them."""
        self.differences.append(Difference(where, written(expected), written(found)))


# ---- one case -----------------------------------------------------------------------------------
def run_case(case: Case) -> list[Difference]:
    """All differences between the core and the case; empty = passed."""
    try:
        run = Run(case, build(case))
        set_caches(run.world)
    except CaseError as error:
        return [Difference("set-up", "a position that the core can hold", str(error))]
    for index, step in enumerate(case.steps):
        where = f"step {index + 1} ({step.verb})"
        try:
            going = run_step(run, index, step, where)
        except CaseError as error:
            run.differ(where, "a verb that the core has", error)
            going = False
        if not going:
            return run.differences
    expect_end(run)
    return run.differences


def set_caches(world: World) -> None:
    """Capacity used and figures per area, from the figures themselves."""
    args = queries.arguments(())
    api.perform(world.states, world.contents, int(Verb.RECOUNT), args, api.NO_ROWS)


def run_step(run: Run, index: int, step: Step, where: str) -> bool:
    """One step. -> whether the case can go on."""
    world = run.world
    before = world.states.copy(), world.contents.copy()
    try:
        run.last = do(run, index, step, where)
        world.events += reports.events(world)
    except RefusalError as refusal:
        world.states[...], world.contents[...] = before
        run.last = {}
        if not step.refused:
            run.differ(where, "allowed", f"refused: {refusal}")
            return False
        return True
    if step.refused:
        run.differ(where, "refused", "allowed")
        return False
    for key, expected in (step.result or {}).items():
        if key not in run.last:
            allowed = ", ".join(run.last) or "nothing"
            run.differ(f"{where} {key}", expected, f"no such result; it reports {allowed}")
        elif not agrees(run.last[key], expected, key):
            run.differ(f"{where} {key}", expected, run.last[key])
    return True


def do(run: Run, index: int, step: Step, where: str) -> dict[str, Plain]:
    """Perform the verb and answer the core's questions -> its report.

    Raises RefusalError if the rules forbid any part of it, CaseError if the core lacks it.
    """
    world, given = run.world, step.given
    world.log = event_log.empty_rows(MAX_ROWS)
    scripted = _scripted_dice(world)
    if isinstance(given, parameters.Query):
        return queries.answer(world, index, given)
    if isinstance(given, parameters.Initiative):
        return queries.initiative(world, index, given)
    player = Player(world, step)
    set_for_verb(world, given)
    verb, values = call(world, index, step)
    args = queries.arguments(values)
    act(run, where, partial(api.perform, world.states, world.contents, int(verb), args, world.log))
    for _ in range(MAX_ANSWERS):
        if int(world.state["decision"]) in (Decision.NONE, Decision.TURN):
            break
        action = player.action()
        act(run, where, partial(api.answer, world.states, world.contents, action, world.log))
    else:
        raise CaseError(f"more than {MAX_ANSWERS} questions")
    left = player.leftovers()
    if left:
        raise RefusalError("never asked for: " + "; ".join(left))
    by_chance = _rolled_dice(world) - (scripted - _scripted_dice(world))
    if by_chance:  # a case has one right answer
        run.differ(where, "a scripted face for every die", f"{by_chance} rolled by chance")
    clear_after_verb(world)
    return reports.result(world, given, step.verb)


def act(run: Run, where: str, deed: Callable[[], int]) -> None:
    """Do something in the core. Raises RefusalError if it is denied.

    A denial that changes the state is a difference.
    """
    before = run.world.states.tobytes()
    denial = Denial(int(deed()))
    if denial != Denial.NONE:
        if run.world.states.tobytes() != before:
            run.differ(where, "a denial that changes nothing", f"{denial.name} changed the state")
        raise RefusalError(denial.name.lower().replace("_", " "))


def _scripted_dice(world: World) -> int:
    """Number of scripted faces that no roll has taken yet."""
    return sum(stream in DICE for stream, _, _ in world.loaded())


def _rolled_dice(world: World) -> int:
    """Number of dice that the verb has rolled so far."""
    return sum(row.event == Event.DIE for row in event_log.read_rows(world.log))


# ---- expectations -------------------------------------------------------------------------------
def agrees(found: Plain, expected: Plain, key: str) -> bool:
    """Whether a reported value is the expected one; of a mapping only the keys given count."""
    if isinstance(found, dict) and isinstance(expected, dict) and expected:
        return all(name in found and found[name] == value for name, value in expected.items())
    return same(found, expected, key)


def same(found: Plain, expected: Plain, key: str) -> bool:
    """Whether two values are equal; conditions and items compare as sets."""
    if key in AS_SETS and isinstance(found, list) and isinstance(expected, list):
        return sorted(map(str, found)) == sorted(map(str, expected))
    return found == expected and isinstance(found, bool) == isinstance(expected, bool)


def expect_end(run: Run) -> None:
    """What must hold after the last step: one of the alternatives, and no scripted die left."""
    best: list[Difference] | None = None
    for expectation in run.case.expect:
        differences = unmet(run, expectation)
        if best is None or len(differences) < len(best):
            best = differences
    run.differences += best or []
    left = [entry for entry in run.world.loaded() if entry[0] in DICE]
    if left:
        owners = [run.world.ally_name(owner) if owner >= 0 else "anybody" for _, owner, _ in left]
        dice = [
            f"{stream.name.lower()} of {owner}"
            for (stream, _, _), owner in zip(left, owners, strict=True)
        ]
        run.differ("end", "all scripted dice used", f"{len(left)} left: {', '.join(dice)}")


def unmet(run: Run, expectation: dict[str, Plain]) -> list[Difference]:
    """Differences between the state and one expectation."""
    trial = Run(run.case, run.world, run.last)
    world = run.world
    for key, expected in expectation.items():
        match key:
            case "result":
                compare(trial, "result", run.last, expected)
            case "events":
                found: Plain = [*world.events]
                if found != expected:
                    trial.differ("events", expected, found)
            case "areas":
                for name, part in expected.items() if isinstance(expected, dict) else ():
                    compare(trial, f"areas.{name}", reports.area(world, name), part)
            case "fate":
                compare(trial, "fate", reports.fate(world), expected)
            case "initiative":
                compare(trial, "initiative", reports.initiative(world), expected)
            case "ended":
                if reports.ended(world) != expected:
                    trial.differ("ended", expected, reports.ended(world))
            case _:
                compare(trial, key, reports.figure(world, key), expected)
    return trial.differences


def compare(run: Run, where: str, found: dict[str, Plain], expected: Plain) -> None:
    """Compare field by field."""
    if not isinstance(expected, dict):
        run.differ(where, expected, found)
        return
    for key, value in expected.items():
        if key not in found:
            run.differ(f"{where}.{key}", value, f"no such field; there are {', '.join(found)}")
        elif where == "result":
            if not agrees(found[key], value, key):
                run.differ(f"{where}.{key}", value, found[key])
        elif not same(found[key], value, key):
            run.differ(f"{where}.{key}", value, found[key])


def attempt(case: Case) -> list[Difference]:
    """`run_case`, but an exception fails the case instead of ending the run."""
    try:
        return run_case(case)
    except Exception as error:
        return [Difference("the program", "no error", f"{type(error).__name__}: {error}")]


# ---- files --------------------------------------------------------------------------------------
def run_cases(document: Document, problems: list[FileError | str]) -> Results:
    """Run the cases of a file -> the title of each, and where the core differs from it.

    Mistakes in the file are appended to `problems`.
    """
    cases, wrong = load(document)
    problems += wrong
    for case in cases:
        yield f"{case.id} [{', '.join(case.rules)}] {case.file}:{case.line}", attempt(case)
