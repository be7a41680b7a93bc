"""Write what happened in a game as verbs of the case format with all their choices.

The steps of a maneuver, an action or an Enemy's turn form a segment. There may be several
transcripts of it: first the intended verb, then bookkeeping with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from agemonia_env.core.event_log import Row
from agemonia_env.rulesets.case_files import Plain

from ..core import layout
from ..core.actions import Block
from ..core.terms import Decision, Die, Event, Proc, Way
from .answers import purpose
from .position import GameTable, Mapping, non_default
from .record import EventStep

WHOLE_ROLL = 1  # what Decision.REROLL is about
FACES = {layout.FACE_EXTRA: "X"}
PILES = {Die.ACTION: "action", Die.REACTION: "reaction"}
SIGNS = {Die.ACTION: "S", Die.REACTION: "H"}


# what waits for an active check within another verb
ACTIVE = (Proc.STEP_CLIMB, Proc.STRIKE_OR_ELSE_DONE)


@dataclass
class Verb:
    """One verb of a case: its parameters, and the step after which it is done."""

    name: str
    given: Mapping
    end: EventStep | None = None  # None: its report is not asserted
    dice: list[tuple[str, str, Plain]] = field(default_factory=list)  # figure, pile, face
    unasserted: tuple[str, ...] = ()  # keys of its report that are not asserted
    adds_figure: int = -1  # code of the figure that it puts on the map


@dataclass
class Transcript:
    """A segment as verbs, what must be in place from the start, and what is not asserted."""

    verbs: list[Verb]
    jewels: int = 0  # maneuvers added in the turn
    traps: list[str] = field(default_factory=list)  # areas that have their trap from the start
    portals: Mapping = field(default_factory=dict)  # teleport tokens there from the start
    gems: list[tuple[str, str]] = field(default_factory=list)  # hero, kind: gone from the start
    untrapped: list[str] = field(default_factory=list)  # areas that have no trap from the start
    hidden: list[str] = field(default_factory=list)  # areas whose trap is not asserted
    without: list[tuple[str, str]] = field(default_factory=list)  # figure, condition: not held
    present: dict[str, tuple[int, Mapping]] = field(default_factory=dict)  # figures from the start
    lying: list[tuple[str, str]] = field(default_factory=list)  # area, item: there from the start
    flying: list[str] = field(default_factory=list)  # figures that fly in the case
    plain: bool = False  # bookkeeping: events differ from the game
    disturbed: bool = False  # side effects follow the verb: events may be in another order
    absent: list[str] = field(default_factory=list)  # figures that are not there from the start
    silent: set[tuple[str, str]] = field(default_factory=set)  # figure, field; "" = every field

    def join(self, other: Transcript) -> None:
        """Append another transcript."""
        for part in fields(self):
            mine, more = getattr(self, part.name), getattr(other, part.name)
            if isinstance(mine, set | dict):
                mine |= more
            elif isinstance(mine, bool):
                setattr(self, part.name, mine or more)
            else:
                setattr(self, part.name, mine + more)


@dataclass
class Segment:
    """Steps that belong together, and their possible transcripts, the best first."""

    steps: list[EventStep]
    transcripts: list[Callable[[], Transcript]]
    title: str

    @property
    def last(self) -> EventStep:
        """Its last step."""
        return self.steps[-1]


class NotExpressible(Exception):  # noqa: N818 (not a program error)
    """The format cannot express something in a segment; the text says what."""


# ---- what is read from steps --------------------------------------------------------------------
def rows_of(steps: Sequence[EventStep], *events: Event) -> list[Row]:
    """Rows of certain events, in order."""
    return [row for step in steps for row in step.events(*events)]


def dice_of(table: GameTable, steps: Sequence[EventStep]) -> list[tuple[str, str, Plain]]:
    """Faces that counted in the end: figure, pile, face; of a die rolled again only the last."""
    done: list[tuple[str, str, Plain]] = []
    roll: list[tuple[str, str, Plain]] = []
    spoiled = False
    for step in steps:
        if step.decision == Decision.REROLL and step.block == Block.YES:
            spoiled = step.subject != WHOLE_ROLL
            roll = [face for face in roll if face[2] != "H"] if spoiled else []
        for event, figure, die, _, face, _ in step.rows:
            if event == Event.ROLL:
                done, roll, spoiled = done + roll, [], False
            elif event == Event.DIE:
                shown: Plain = FACES.get(face, face)
                if face == layout.FACE_SYMBOL:
                    shown = 0 if spoiled else SIGNS[Die(die)]
                roll.append((table.allies[figure], PILES[Die(die)], shown))
    return done + roll


def reactions_of(table: GameTable, start: Any, steps: Sequence[EventStep]) -> Mapping:
    """Additions to reactive checks besides level, Focus and locks, by figure."""
    found: Mapping = {}
    rolled: dict[int, int] = {}
    for step in steps:
        if step.proc == Proc.ROLL_INSPIRATION and step.action < 0:
            rolled[int(step.before[0]["roll"]["ally"])] = int(step.before[0]["roll"]["dice"])
        if step.proc != Proc.CHECK_REACTIVE:
            continue
        state, check = step.before[0], step.after[0]["check"]
        a, ability = int(check["ally"]), int(check["ability"])
        ally, rows = state["ally"][a], table.passive_rows(state, a)
        boards = [table.content["sheet"][a], *rows]
        h_value = max(int(board["h_worth"][ability]) for board in boards)
        roll = state["roll"]
        symbols = int(roll["symbols"]) - int(roll["spoiled"])
        bonus = int(check["total"]) - int(roll["successes"]) - h_value * symbols
        for row, chips in zip(ally["lock_passive"], ally["lock_chips"], strict=True):
            if row >= 0 and chips > 0:
                bonus -= int(table.content["passive"][int(row)]["reactive"][ability])
        dice = rolled.get(a, 0) - table.levels(start, a)[ability] - int(table.is_focused(ally))
        if given := non_default(bonus=bonus, dice=dice, h=h_value):
            found.setdefault(table.allies[a], given)
    return found


def choices_of(table: GameTable, steps: Sequence[EventStep]) -> Mapping:
    """Parameters that answer every question asked in the steps."""
    reader = _Choices(table)
    for step in steps:
        if step.action >= 0:
            reader.read(step)
    return reader.given


class _Choices:
    """Gathers the answers of one verb as its parameters."""

    def __init__(self, table: GameTable) -> None:
        self.table = table
        self.given: Mapping = {}

    def into(self, *keys: str) -> Mapping:
        """The mapping under keys, made if it is not there."""
        here = self.given
        for key in keys:
            here = here.setdefault(key, {})
        return here

    def add(self, key: str, value: Plain) -> None:
        """One more value of a list."""
        self.given.setdefault(key, []).append(value)

    def read(self, step: EventStep) -> None:
        """Take the answer of a step."""
        table, state, index = self.table, step.before[0], step.index
        match step.decision:
            case Decision.STEP:
                self._step(step)
            case Decision.EVADE if index:
                self.into("evade")[table.enemy(state, step.subject)] = index
            case Decision.DISARM if step.block == Block.YES:
                options = self.into("disarm", table.areas[step.subject])
                if table.content["sheet"][step.asked]["disarm"]:
                    options["keyword"] = True
            case Decision.PAY | Decision.INSPIRATION | Decision.BLESSED | Decision.ACHIEVEMENT:
                self._roll(step)
            case Decision.FLIP_LOCK if state["flip_chips"]:
                row = int(state["ally"][step.asked]["lock_passive"][index])
                locks = self.into("locks").setdefault(table.allies[step.asked], [])
                locks.append(table.passives[row])
            case Decision.STAND_IN if step.block == Block.ALLY:
                self.into("stand_in")[table.allies[step.subject]] = table.allies[index]
            case Decision.TARGET if step.block == Block.ENEMY:
                self.add("targets", table.enemy(state, index))
            case Decision.SHARE:
                self.into("split")[table.enemy(state, step.subject)] = index
            case Decision.CENTRE:
                self.given["center"] = table.areas[index]
            case Decision.LINE if step.block == Block.AREA:
                self.add("line", table.areas[index])
            case Decision.BOOST if step.block == Block.ITEM and purpose(state) in ACTIVE:
                raise NotExpressible("an item discarded for a check within a verb")
            case Decision.STRIKE_ORDER:
                self.add("order", table.allies[index])
            case Decision.ENEMY_DESTINATION | Decision.ENEMY_STOP:
                key = "area" if step.decision == Decision.ENEMY_DESTINATION else "stop"
                self.into("choose")[key] = table.areas[index]
            case Decision.ENEMY_TARGET:
                self.into("choose").setdefault("target", []).append(table.allies[index])
            case Decision.DOMINATED_ALLY:
                self.into("choose")["victim"] = table.allies[index]
            case Decision.DOMINATED_ENEMY:
                self.into("choose")["victim"] = table.enemy(state, index)

    def _step(self, step: EventStep) -> None:
        """One step of a movement, or a gem for one more."""
        name = self.table.areas[step.index] if step.index < len(self.table.areas) else ""
        match step.block:
            case Block.AREA:
                self.add("path", name)
            case Block.CLIMB:
                self.add("path", {"climb": name})
            case Block.PORTAL:
                self.add("path", {"token": name})
            case Block.YES:
                self.given["achievement"] = True

    def _roll(self, step: EventStep) -> None:
        """A choice about a roll, stored by what the roll is for."""
        state, roller = step.before[0], self.table.allies[step.asked]
        where = self.given
        match purpose(state):
            case Proc.CHECK_REACTIVE:
                where = self.into("reaction", roller)
            case Proc.TRAP_DISARMED:
                where = self.into("disarm", self.table.areas[int(state["entry"]["area"])])
            case Proc.STEP_CLIMB:
                where = self.given["path"][-1]
            case Proc.STRIKE_OR_ELSE_DONE:
                where = self.into("checks", roller)
        if step.decision == Decision.PAY:
            paid = where.setdefault("pay", [])
            paid += [0] * (int(state["roll"]["asked"]) - len(paid))
            paid.append(step.index)
        elif step.block == Block.YES:
            key = step.decision.name.lower()
            if key in where:
                raise NotExpressible(f"{key} on two rolls of one verb")
            where[key] = True


def pushes_of(table: GameTable, steps: Sequence[EventStep]) -> Mapping:
    """Areas that pushed and pulled figures were moved into, by figure."""
    ways: Mapping = {}
    for step in steps:
        for _, figure, way, area, _, _ in step.events(Event.STEP):
            if way in (Way.PUSHED, Way.PULLED):
                name = table.figure(step.before[0], figure)
                ways.setdefault(name, []).append(table.areas[area])
    return ways


def gems_first(transcript: Transcript) -> Transcript:
    """The same, with gems gained before they are used."""
    gained = [verb for verb in transcript.verbs if verb.name == "gain_gem"]
    if not gained:
        raise NotExpressible("")
    transcript.verbs = gained + [verb for verb in transcript.verbs if verb.name != "gain_gem"]
    return transcript


def unspent(transcript: Transcript, name: str) -> Transcript:
    """The same, without a verb that uses up the action."""
    empty: Mapping = {"who": name, "path": []}
    if not any(verb.name == "rethink" and verb.given == empty for verb in transcript.verbs):
        raise NotExpressible("")
    transcript.verbs = [verb for verb in transcript.verbs if verb.given != empty]
    transcript.silent.add((name, "actions"))
    return transcript


def effect_parts(steps: list[EventStep]) -> list[list[EventStep]]:
    """The steps of each effect row of an action or item, without those not to be had."""
    starts = [k for k, step in enumerate(steps) if step.events(Event.EFFECT)]
    ends = [*starts[1:], len(steps)]
    parts = [steps[start:end] for start, end in zip(starts, ends, strict=True)]
    return [part for part in parts if part[0].events(Event.EFFECT)[0][4]]


def recipient_of(table: GameTable, part: list[EventStep]) -> str:
    """Whom an effect helps or meets; empty if nobody."""
    for step in part:
        if step.decision == Decision.RECIPIENT:
            return table.allies[step.index]
        if step.decision in (Decision.AFFLICTED, Decision.VICTIM):
            return table.enemy(step.before[0], step.index)
    return ""
