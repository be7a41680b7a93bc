"""What happened in a game as verbs of the case format with all their choices.

Beats of one go (a maneuver, an action, an Enemy's turn) are a passage. There may be several ways to
tell it: the verb that is meant, and behind it the bookkeeping that comes to the same.
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
from .position import Mapping, Table
from .record import Beat

WHOLE_ROLL = 1  # what Decision.REROLL is about
FACES = {layout.FACE_EXTRA: "X"}
PILES = {Die.ACTION: "action", Die.REACTION: "reaction"}
SIGNS = {Die.ACTION: "S", Die.REACTION: "H"}


# what waits for an active check within another verb
ACTIVE = (Proc.STEP_CLIMB, Proc.STRIKE_OR_ELSE_DONE)


@dataclass
class Verb:
    """One step of a case: the verb, its parameters, and the beat after which it is done."""

    name: str
    given: Mapping
    end: Beat | None = None  # None: what it reports is not asserted
    dice: list[tuple[str, str, Plain]] = field(default_factory=list)  # figure, pile, face
    unsaid: tuple[str, ...] = ()  # what it reports but the game does not say
    brings: int = -1  # code of the figure that it brings onto the map


@dataclass
class Telling:
    """A passage in verbs, what has to be in place from the start, and what is left unsaid."""

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
    plain: bool = False  # bookkeeping: events do not come about as they did
    disturbed: bool = False  # something is told behind its verb: events may be in another order
    absent: list[str] = field(default_factory=list)  # figures that are not there from the start
    silent: set[tuple[str, str]] = field(default_factory=set)  # figure, field; "" = every field

    def join(self, other: Telling) -> None:
        """Tell the other behind this one."""
        for part in fields(self):
            mine, more = getattr(self, part.name), getattr(other, part.name)
            if isinstance(mine, set | dict):
                mine |= more
            elif isinstance(mine, bool):
                setattr(self, part.name, mine or more)
            else:
                setattr(self, part.name, mine + more)


@dataclass
class Passage:
    """Beats in one go, and the ways to tell them, the best first."""

    beats: list[Beat]
    tellings: list[Callable[[], Telling]]
    title: str

    @property
    def last(self) -> Beat:
        """Its last beat."""
        return self.beats[-1]


class NotTold(Exception):  # noqa: N818 (it is no error of the program)
    """The format has no words for something in a passage; the text says for what."""


# ---- what is read from beats --------------------------------------------------------------------
def rows_of(beats: Sequence[Beat], *events: Event) -> list[Row]:
    """Rows of certain events, in order."""
    return [row for beat in beats for row in beat.events(*events)]


def dice_of(table: Table, beats: Sequence[Beat]) -> list[tuple[str, str, Plain]]:
    """Faces that counted in the end: figure, pile, face; of a die rolled again only the last."""
    done: list[tuple[str, str, Plain]] = []
    roll: list[tuple[str, str, Plain]] = []
    spoiled = False
    for beat in beats:
        if beat.decision == Decision.REROLL and beat.block == Block.YES:
            spoiled = beat.subject != WHOLE_ROLL
            roll = [face for face in roll if face[2] != "H"] if spoiled else []
        for event, figure, die, _, face, _ in beat.rows:
            if event == Event.ROLL:
                done, roll, spoiled = done + roll, [], False
            elif event == Event.DIE:
                shown: Plain = FACES.get(face, face)
                if face == layout.FACE_SYMBOL:
                    shown = 0 if spoiled else SIGNS[Die(die)]
                roll.append((table.allies[figure], PILES[Die(die)], shown))
    return done + roll


def reactions_of(table: Table, start: Any, beats: Sequence[Beat]) -> Mapping:
    """What is added to reactive checks besides level, Focus and locks: by figure."""
    found: Mapping = {}
    rolled: dict[int, int] = {}
    for beat in beats:
        if beat.proc == Proc.ROLL_INSPIRATION and beat.action < 0:
            rolled[int(beat.before[0]["roll"]["ally"])] = int(beat.before[0]["roll"]["dice"])
        if beat.proc != Proc.CHECK_REACTIVE:
            continue
        state, check = beat.before[0], beat.after[0]["check"]
        a, ability = int(check["ally"]), int(check["ability"])
        ally, rows = state["ally"][a], table.passive_rows(state, a)
        boards = [table.content["sheet"][a], *rows]
        worth = max(int(board["h_worth"][ability]) for board in boards)
        roll = state["roll"]
        symbols = int(roll["symbols"]) - int(roll["spoiled"])
        bonus = int(check["total"]) - int(roll["successes"]) - worth * symbols
        for row, chips in zip(ally["lock_passive"], ally["lock_chips"], strict=True):
            if row >= 0 and chips > 0:
                bonus -= int(table.content["passive"][int(row)]["reactive"][ability])
        dice = rolled.get(a, 0) - table.levels(start, a)[ability] - int(table.is_focused(ally))
        given: Mapping = {"bonus": bonus, "dice": dice, "h": worth}
        given = {key: n for key, n in given.items() if n}
        if given:
            found.setdefault(table.allies[a], given)
    return found


def choices_of(table: Table, beats: Sequence[Beat]) -> Mapping:
    """Parameters that answer every question asked in the beats."""
    reader = _Choices(table)
    for beat in beats:
        if beat.action >= 0:
            reader.read(beat)
    return reader.given


class _Choices:
    """Gathers the answers of one verb as its parameters."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.given: Mapping = {}

    def into(self, *keys: str) -> Mapping:
        """The mapping under keys, made if it is not there."""
        here = self.given
        for key in keys:
            part = here.setdefault(key, {})
            assert isinstance(part, dict)
            here = part
        return here

    def add(self, key: str, value: Plain) -> None:
        """One more value of a list."""
        part = self.given.setdefault(key, [])
        assert isinstance(part, list)
        part.append(value)

    def read(self, beat: Beat) -> None:
        """Take the answer of a beat."""
        table, state, index = self.table, beat.before[0], beat.index
        match beat.decision:
            case Decision.STEP:
                self._step(beat)
            case Decision.EVADE if index:
                self.into("evade")[table.enemy(state, beat.subject)] = index
            case Decision.DISARM if beat.block == Block.YES:
                options = self.into("disarm", table.areas[beat.subject])
                if table.content["sheet"][beat.asked]["disarm"]:
                    options["keyword"] = True
            case Decision.PAY | Decision.INSPIRATION | Decision.BLESSED | Decision.ACHIEVEMENT:
                self._roll(beat)
            case Decision.FLIP_LOCK if state["flip_chips"]:
                row = int(state["ally"][beat.asked]["lock_passive"][index])
                names = self.into("locks").setdefault(table.allies[beat.asked], [])
                assert isinstance(names, list)
                names.append(table.passives[row])
            case Decision.STAND_IN if beat.block == Block.ALLY:
                self.into("stand_in")[table.allies[beat.subject]] = table.allies[index]
            case Decision.TARGET if beat.block == Block.ENEMY:
                self.add("targets", table.enemy(state, index))
            case Decision.SHARE:
                self.into("split")[table.enemy(state, beat.subject)] = index
            case Decision.CENTRE:
                self.given["center"] = table.areas[index]
            case Decision.LINE if beat.block == Block.AREA:
                self.add("line", table.areas[index])
            case Decision.BOOST if beat.block == Block.ITEM and purpose(state) in ACTIVE:
                raise NotTold("an item discarded for a check within a verb")
            case Decision.STRIKE_ORDER:
                self.add("order", table.allies[index])
            case Decision.ENEMY_DESTINATION | Decision.ENEMY_STOP:
                key = "area" if beat.decision == Decision.ENEMY_DESTINATION else "stop"
                self.into("choose")[key] = table.areas[index]
            case Decision.ENEMY_TARGET:
                names = self.into("choose").setdefault("target", [])
                assert isinstance(names, list)
                names.append(table.allies[index])
            case Decision.DOMINATED_ALLY:
                self.into("choose")["victim"] = table.allies[index]
            case Decision.DOMINATED_ENEMY:
                self.into("choose")["victim"] = table.enemy(state, index)

    def _step(self, beat: Beat) -> None:
        """One step of a movement, or a gem for one more."""
        name = self.table.areas[beat.index] if beat.index < len(self.table.areas) else ""
        match beat.block:
            case Block.AREA:
                self.add("path", name)
            case Block.CLIMB:
                self.add("path", {"climb": name})
            case Block.PORTAL:
                self.add("path", {"token": name})
            case Block.YES:
                self.given["achievement"] = True

    def _roll(self, beat: Beat) -> None:
        """What a player does about a roll, by what the roll is for."""
        state, roller = beat.before[0], self.table.allies[beat.asked]
        where = self.given
        match purpose(state):
            case Proc.CHECK_REACTIVE:
                where = self.into("reaction", roller)
            case Proc.TRAP_DISARMED:
                where = self.into("disarm", self.table.areas[int(state["entry"]["area"])])
            case Proc.STEP_CLIMB:
                path = self.given["path"]
                assert isinstance(path, list)
                assert isinstance(path[-1], dict)
                where = path[-1]
            case Proc.STRIKE_OR_ELSE_DONE:
                where = self.into("checks", roller)
        if beat.decision == Decision.PAY:
            paid = where.setdefault("pay", [])
            assert isinstance(paid, list)
            paid += [0] * (int(state["roll"]["asked"]) - len(paid))
            paid.append(beat.index)
        elif beat.block == Block.YES:
            key = beat.decision.name.lower()
            if key in where:
                raise NotTold(f"{key} on two rolls of one verb")
            where[key] = True


def pushes_of(table: Table, beats: Sequence[Beat]) -> Mapping:
    """Areas that pushed and pulled figures were moved into, by figure."""
    ways: Mapping = {}
    for beat in beats:
        for _, figure, way, area, _, _ in beat.events(Event.STEP):
            if way in (Way.PUSHED, Way.PULLED):
                steps = ways.setdefault(table.figure(beat.before[0], figure), [])
                assert isinstance(steps, list)
                steps.append(table.areas[area])
    return ways


def gems_first(telling: Telling) -> Telling:
    """The same, but the gems that are gained are there before they are used."""
    gained = [verb for verb in telling.verbs if verb.name == "gain_gem"]
    if not gained:
        raise NotTold("")
    telling.verbs = gained + [verb for verb in telling.verbs if verb.name != "gain_gem"]
    return telling


def unspent(telling: Telling, name: str) -> Telling:
    """The same, but nothing is done to use up the action."""
    empty: Mapping = {"who": name, "path": []}
    if not any(verb.name == "rethink" and verb.given == empty for verb in telling.verbs):
        raise NotTold("")
    telling.verbs = [verb for verb in telling.verbs if verb.given != empty]
    telling.silent.add((name, "actions"))
    return telling


def effect_parts(beats: list[Beat]) -> list[list[Beat]]:
    """The beats of each effect row of an action or item, without those not to be had."""
    starts = [k for k, beat in enumerate(beats) if beat.events(Event.EFFECT)]
    ends = [*starts[1:], len(beats)]
    parts = [beats[start:end] for start, end in zip(starts, ends, strict=True)]
    return [part for part in parts if part[0].events(Event.EFFECT)[0][4]]


def recipient_of(table: Table, part: list[Beat]) -> str:
    """Whom an effect helps or meets; empty if nobody."""
    for beat in part:
        if beat.decision == Decision.RECIPIENT:
            return table.allies[beat.index]
        if beat.decision in (Decision.AFFLICTED, Decision.VICTIM):
            return table.enemy(beat.before[0], beat.index)
    return ""
