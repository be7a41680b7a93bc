"""Trace a whole game into a file of cases, one for each piece that the format can express.

Pieces are the selection and the Initiative card of a round, every turn, and the end of a round. A
case begins with the position of the game and ends with everything that must hold after the piece.
The runner plays each case before it is written and compares it with the game, step by step. Where
a segment cannot be expressed so that both agree, the case ends before it and a new one follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from agemonia_env.core.event_log import empty_rows
from agemonia_env.display.messages import not_allowed
from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.case_files import Document, Plain

from ..content.compile import Compiled, compile_scenario
from ..content.party import HeroChoice
from ..core.layout import N_ALLIES, N_ENEMIES
from ..core.policies import Policy
from ..core.terms import Decision, Ending, Event, Proc
from . import queries, reports
from .case import Case, as_plain, load
from .parameters import Initiative
from .position import ABILITIES, GameTable, Mapping
from .record import Chooser, EventStep, play
from .rounds import round_pieces
from .runner import Run, agrees, run_step, same, set_caches, unmet
from .trace_writer import NotExpressible, Segment, Transcript, Verb, rows_of
from .turns import TurnWriter
from .world import HOOK_AND_ROPE, CaseError, World, build

# fields that are right only at the end of a case: additions are in place from its start
LATE = ("actions", "maneuvers", "evade", "items", "inspiration", "achievement")


@dataclass
class Piece:
    """A part of a game that begins with a case of its own."""

    name: str
    rules: list[str]
    steps: list[EventStep]
    segments: list[Segment]


@dataclass
class TraceResult:
    """The cases of a game, and the segments they leave out."""

    cases: list[Mapping] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    ended: str = "not at all"

    def verbs(self) -> Counter[str]:
        """How often each verb is used."""
        return Counter(next(iter(step)) for case in self.cases for step in case["do"])


@dataclass(frozen=True)
class LeftOut:
    """A segment without a case, before case number `place`, and why there is none."""

    place: int
    title: str
    why: str


# ---- the pieces of a game -----------------------------------------------------------------------
def pieces_of(writer: TurnWriter, steps: Sequence[EventStep]) -> Iterator[Piece]:
    """The pieces of a game, in order."""
    bounds = [k for k, step in enumerate(steps) if _begins(steps, k)]
    for start, end in zip(bounds, [*bounds[1:], len(steps)], strict=True):
        part = list(steps[start:end])
        turns = part[0].events(Event.TURN)
        round_ = int(part[0].before[0]["round"])
        writer.begin(part)
        if not turns:
            yield from (
                Piece(f"round-{round_}-{name}", rules, part, segments)
                for name, rules, segments in round_pieces(writer, part, steps[start:])
            )
            continue
        name = writer.table.figure(part[0].after[0], turns[0][1])
        part = _until_end(part)
        if turns[0][1] < N_ALLIES:
            yield Piece(f"round-{round_}-{name}", ["R6.1"], part, writer.ally_turn(part))
        else:
            yield Piece(f"round-{round_}-{name}", ["R10.4"], part, writer.enemy_turn(part))


def _begins(steps: Sequence[EventStep], k: int) -> bool:
    """Whether a piece begins with step k: a turn, the Fate card, or a round's selection."""
    step = steps[k]
    if step.events(Event.TURN) or step.proc == Proc.ROUND_FATE:
        return True
    selects = step.proc == Proc.SELECT_NEXT
    return selects and (k == 0 or steps[k - 1].proc != Proc.SELECT_NEXT)


def _until_end(steps: list[EventStep]) -> list[EventStep]:
    """The steps of a turn up to its end; what the game does between turns is no part of it."""
    ends = (Proc.TURN_END, Proc.ENEMY_END)
    last = next((k for k, step in enumerate(steps) if step.proc in ends), len(steps) - 1)
    return steps[: last + 1]


# ---- one case -----------------------------------------------------------------------------------
@dataclass
class Draft:
    """The segments of one case, and the transcript chosen for each."""

    piece: Piece
    first: int  # segment
    ways: list[int]  # the transcript of each segment


class Tracer:
    """Writes the cases of one game."""

    def __init__(self, compiled: Compiled) -> None:
        self.table = GameTable(compiled)
        self.writer = TurnWriter(self.table)
        self.written = TraceResult()
        self.why: list[str] = []  # the last attempt failed

    def trace(self, steps: Sequence[EventStep]) -> TraceResult:
        """Cases for all pieces of a game."""
        for piece in pieces_of(self.writer, steps):
            self._write(piece)
        if steps:
            ending = Ending(int(steps[-1].after[0]["ending"]))
            self.written.ended = ending.name.lower().replace("_", " ")
        return self.written

    def _write(self, piece: Piece) -> None:
        """Write the cases of one piece, with as many segments in each as agree with the game."""
        first = 0
        while first < len(piece.segments):
            n = self._longest(piece, first)
            if n == 0:  # not even as a case of its own
                title = f"{piece.name}: {piece.segments[first].title}"
                why = "; ".join(self.why[:2])
                self.written.left_out.append(LeftOut(len(self.written.cases), title, why))
            first += max(n, 1)

    def _longest(self, piece: Piece, first: int) -> int:
        """Write the longest case that begins with a segment -> its number of segments."""
        ways = [0] * (len(piece.segments) - first)
        while ways:
            value, failed = self._attempt(Draft(piece, first, ways))
            if value is not None:
                if value["do"]:
                    self.written.cases.append(value)
                return len(ways)
            if failed >= len(ways):
                failed = len(ways) - 1
            ways[failed] += 1
            if ways[failed] >= len(piece.segments[first + failed].transcripts):
                ways = ways[:failed]
        return 0

    def _attempt(self, draft: Draft) -> tuple[Mapping | None, int]:
        """The case of a draft if it agrees with the game, else the segment in which it does not."""
        found: tuple[Mapping | None, int] = None, 0
        for hides in (False, True):
            transcripts: list[Transcript] = []
            self.writer.start = draft.piece.segments[draft.first].steps[0].before[0]
            for k, way in enumerate(draft.ways):
                try:
                    transcripts.append(draft.piece.segments[draft.first + k].transcripts[way]())
                except NotExpressible as error:
                    self.why = [str(error)] if str(error) else self.why
                    return None, k
            if hides and not any(transcript.traps for transcript in transcripts):
                return found
            number = len(self.written.cases) + 1
            composer = Composer(self.table, draft, transcripts, number, self.writer.trap, hides)
            found = composer.agreed()
            if found[0] is not None:
                return found
            self.why = composer.why
        return found


class Composer:
    """Puts one case together and plays it against the game."""

    def __init__(
        self,
        table: GameTable,
        draft: Draft,
        transcripts: list[Transcript],
        number: int,
        trap: int,
        hides: bool,
    ) -> None:
        self.table, self.draft, self.transcripts = table, draft, transcripts
        self.trap = trap  # the Trap card that the deck shows; -1 = none
        self.hides = hides  # traps that are set are neither there from the start nor asserted
        self.segments = draft.piece.segments[draft.first : draft.first + len(transcripts)]
        self.steps = [step for segment in self.segments for step in segment.steps]
        self.start = self.segments[0].steps[0].before
        self.whole = draft.first == 0
        self.verbs = [verb for transcript in transcripts for verb in transcript.verbs]
        self.figures = table.positions(self.start[0])
        self.cast = self._cast()
        self._rename()
        self.gone: set[str] = set()
        self.present = {name for transcript in transcripts for name in transcript.present}
        self.why: list[str] = []  # in what the case differs from the game
        self.value: Mapping = {
            "id": f"{number:03d}-{draft.piece.name}" + ("" if self.whole else f"-{draft.first}"),
            "rules": [*draft.piece.rules],
            "map": table.map(self.start[0]),
            "figures": self.figures,
            "dice": self._dice(),
            "decks": self._decks(),
            "do": [{verb.name: verb.given} for verb in self.verbs],
        }
        self._amend()

    # ---- the position -----------------------------------------------------------------------
    def _cast(self) -> dict[str, int]:
        """Codes of the figures in play, by name."""
        state, n, m = self.start[0], N_ALLIES, N_ALLIES + N_ENEMIES
        cast = {name: k for k, name in enumerate(self.table.allies)}
        for e in range(N_ENEMIES):
            if state["enemy"][e]["area"] >= 0:
                cast[self.table.enemy(state, e)] = n + e
        cast |= {name: m + k for k, name in enumerate(self.table.figures)}
        return {name: code for name, code in cast.items() if name in self.figures}

    def _rename(self) -> None:
        """An Enemy that appears with the number of one that the case knows has another name."""
        known = set(self.cast)
        for verb in self.verbs:
            if verb.adds_figure >= 0 and verb.name == "spawn":
                name = str(verb.given["name"])
                while name in known:
                    name += "-again"
                verb.given["name"] = name
                known.add(name)

    def _dice(self) -> Mapping:
        """The scripted faces of each figure."""
        piles: dict[str, dict[str, list[Plain]]] = {}
        for figure, pile, face in (die for verb in self.verbs for die in verb.dice):
            piles.setdefault(pile, {}).setdefault(figure, []).append(face)
        return {pile: {**figures} for pile, figures in piles.items()}

    def _decks(self) -> Mapping:
        """Initiative and Fate cards, and the Trap card that is drawn."""
        decks = self.table.decks(self.start[0])
        drawn = self.trap >= 0 and bool(rows_of(self.steps, Event.TRAP_CARD))
        return decks | ({"trap": [self.table.trap_card(self.trap)]} if drawn else {})

    def _amend(self) -> None:
        """Put what the format has no verb for in place, or remove it, from the start."""
        areas = self.value["map"]["areas"]
        for transcript in self.transcripts:
            if self.hides:
                transcript.hidden += transcript.traps
                transcript.traps = []
            for name in transcript.traps:
                if areas[name].get("trap"):
                    transcript.hidden.append(name)  # another one lies there now
                areas[name]["trap"] = True
            for name, item in transcript.lying:
                areas[name].setdefault("items", []).append(item)
            for name in transcript.untrapped:
                areas[name].pop("trap", None)
            for name in transcript.absent:
                self.figures.pop(name, None)
                self.cast.pop(name, None)
            for name, (code, figure) in transcript.present.items():
                self.figures[name] = figure
                self.cast[name] = code
            for name, portal in transcript.portals.items():
                areas[name]["teleport"] = portal
            for hero, kind in transcript.gems:
                figure = self.figures[hero]
                left = figure.get(kind, 0) - 1
                figure[kind] = max(0, left)
                transcript.silent |= {(hero, kind)} if left < 0 else set()  # gained before
            for name in transcript.flying:
                self.figures[name]["fly"] = True
            for name, condition in transcript.without:
                self.figures[name]["conditions"].remove(condition)
        self._remove_used_items()
        self._count_turn()
        self._pick()
        self._add_line()

    def _remove_used_items(self) -> None:
        """Items that are used up in the case: the format has no verb for using them."""
        moved: dict[str, Counter[str]] = {}
        for event, figure, item, other, _, _ in rows_of(
            self.steps, Event.TAKE, Event.DROP, Event.GIVE
        ):
            name = self.table.items[item]
            sign = -1 if event == Event.DROP else 1
            moved.setdefault(self.table.allies[figure], Counter())[name] += sign
            if event == Event.GIVE:
                moved.setdefault(self.table.allies[other], Counter())[name] -= 1
        end = self.steps[-1].after[0]
        used = {row.figure for row in rows_of(self.steps, Event.USE, Event.BOOST, Event.RIDE)}
        for a, hero in enumerate(self.table.allies):
            if hero not in self.figures or a not in used:
                continue
            card = self.figures[hero]
            before = self.start[0]["ally"][a]["item"]
            had = Counter(str(part) for part in self.table.items_of(before))
            has = Counter(str(part) for part in self.table.items_of(end["ally"][a]["item"]))
            had.update(moved.get(hero, Counter()))
            had.subtract(has)
            if any(row.figure == a for row in rows_of(self.steps, Event.ROPE)):
                self.transcripts[0].silent.add((hero, "items"))  # its rope comes and goes
                had.pop(HOOK_AND_ROPE, None)
            items = card.get("items", [])
            for gone, n in had.items():
                if n > 0 and (gone in moved.get(hero, Counter()) or items.count(gone) < n):
                    self.transcripts[0].silent.add((hero, "items"))  # it changes hands before
                    continue
                for _ in range(n):
                    items.remove(gone)

    def _count_turn(self) -> None:
        """Maneuvers and Evade points that are gained in a turn are there from its start."""
        jewels = sum(transcript.jewels for transcript in self.transcripts)
        active = int(self.start[0]["active_ally"])
        if not self.whole and active >= 0:
            self._count_evade(active)
            self._spare(active)
        for verb in self.verbs:
            if verb.name == "start_turn":
                a = int(self.segments[0].steps[0].events(Event.TURN)[0][1])
                hero = self.figures[self.table.allies[a]]
                self._count_evade(a)
                if jewels:
                    verb.given["jewels"] = jewels
                ends = self.steps[-1].after[0]["ally"]["ability"][a]
                added = ends.astype(int) - self.start[0]["ally"]["ability"][a]
                board = hero.get("hero", hero.get("ally"))
                for k, ability in enumerate(ABILITIES):
                    board[ability] += int(added[k])

    def _spare(self, a: int) -> None:
        """R8.3 - Enemies that have provoked in this turn do not do so again."""
        for name, code in self.cast.items():
            e = code - N_ALLIES
            if 0 <= e < N_ENEMIES and self.start[0]["ally"]["provoked"][a] >> e & 1:
                self.figures[name]["enemy"].pop("provoke", None)

    def _count_evade(self, a: int) -> None:
        """R8.9 - Evade points left in the end, and those that the case uses."""
        name = self.table.allies[a]
        if name not in self.figures:
            return
        points = int(self.steps[-1].after[0]["ally"][a]["evade"])
        for verb in self.verbs:
            used = verb.given.get("evade", {})
            if verb.given.get("who") == name and isinstance(used, dict):
                points += sum(n for n in used.values() if isinstance(n, int))
        self.figures[name]["evade"] = points

    def _pick(self) -> None:
        """R3.10, R11.10 - of what the format has one, the one that counts in the case."""
        picked = [step.index for step in self.steps if step.decision == Decision.ABILITY]
        for part in (*self.figures.values(), *(verb.given for verb in self.verbs)):
            for check in checks_of(part):
                offered = check["ability"]
                if isinstance(offered, list):
                    named = [ABILITIES[k] for k in picked if ABILITIES[k] in offered]
                    check["ability"] = [*named, *offered][0]
        for a, name in enumerate(self.table.allies):
            if name in self.figures and self.table.has_riposte_of_its_own(self.start[0], a):
                struck = [
                    row.amount
                    for step in self.steps
                    if step.proc == Proc.STRIKE_RIPOSTE and step.before[0]["strike"]["ally"] == a
                    for row in step.events(Event.DAMAGE)
                ]
                self.figures[name].pop("riposte", None)
                if struck:
                    self.figures[name]["riposte"] = {"amount": struck[0]}

    def _add_line(self) -> None:
        """The line of a line attack is one of the lines of sight."""
        sight = self.value["map"]["sight"]
        for verb in self.verbs:
            line = verb.given.get("line")
            if verb.name == "attack" and isinstance(line, list):
                a = self.table.allies.index(str(verb.given["who"]))
                assert verb.end is not None
                own = self.table.area_of(int(verb.end.after[0]["ally"][a]["area"]))
                whole = [own, *line]
                if len(whole) > 2 and whole not in sight and whole[::-1] not in sight:
                    sight.append(whole)

    # ---- playing it -------------------------------------------------------------------------
    def agreed(self) -> tuple[Mapping | None, int]:
        """The case, with what it must lead to, if it agrees with the game; else where it fails."""
        document = Document("trace", [self.value])
        cases, problems = load(document)
        if problems or not cases:
            self.why += [problem.reason for problem in problems]
            return None, len(self.transcripts)
        case = cases[0]
        try:
            run = Run(case, build(case))
        except CaseError as error:
            self.why.append(str(error))
            return None, len(self.transcripts)
        set_caches(run.world)
        step = 0
        for k, transcript in enumerate(self.transcripts):
            for verb in transcript.verbs:
                if not self._step(run, step, verb):
                    return None, k
                step += 1
            later = [verb for transcript in self.transcripts[k + 1 :] for verb in transcript.verbs]
            if len(run.world.loaded()) != sum(len(verb.dice) for verb in later):
                self.why.append("not the dice of the game")
                return None, k
            truth = self._truth(case, self.segments[k].last)
            if k + 1 < len(self.transcripts) and self._differs(run.world, truth):
                return None, k
        return self._finish(run)

    def _step(self, run: Run, index: int, verb: Verb) -> bool:
        """Play one verb. -> whether it is allowed and reports what came about in the game"""
        try:
            if not run_step(run, index, run.case.steps[index], verb.name):
                self.why += [str(difference) for difference in run.differences]
                return False
        except CaseError as error:
            self.why.append(str(error))
            return False
        if verb.adds_figure >= 0:
            name = str(verb.given["name"])
            if name in self.cast:
                return False
            self.gone |= {old for old, code in self.cast.items() if code == verb.adds_figure}
            self.cast[name] = verb.adds_figure
        if verb.end is None:
            return True
        truth = self._truth(run.case, verb.end)
        truth.rows = {index: int(truth.state["card"])}
        step = run.case.steps[index]
        if isinstance(step.given, Initiative):
            truth.states = truth.states.copy()
            truth.states["depth"] = 0  # asked only, not played on
            report = queries.initiative(truth, index, step.given)
        else:
            report = reports.result(truth, step.given, verb.name)
        report = as_plain(report)
        if verb.name == "start_turn":
            report["maneuvers"] += verb.given.get("jewels", 0)
        for key in verb.unasserted:
            report.pop(key, None)
        if report:
            self.value["do"][index]["result"] = report
        for key, part in report.items():
            if not agrees(run.last[key], part, key):
                self.why.append(
                    f"{verb.name} {key}: {run.last[key]} in the case, {part} in the game"
                )
        return not self.why

    def _truth(self, case: Case, step: EventStep) -> World:
        """The game after a step, as a world of the case."""
        truth = self.table.world(case, step.after, dict(self.cast), self.gone)
        rows = [row for other in self.steps[: self.steps.index(step) + 1] for row in other.rows]
        truth.log = empty_rows(len(rows) + 1)
        truth.log[0, 0] += len(rows)
        if rows:
            truth.log[1:] = rows
        return truth

    def _differs(self, world: World, truth: World) -> bool:
        """Whether figures or areas of the case differ from the game."""
        for name in self.cast:
            if self.cast[name] >= N_ALLIES + N_ENEMIES or name in self.present:
                continue  # where it appears in the end it is from the start
            found, real = reports.figure(world, name), self._figure(truth, name)
            self.why += [
                f"{name}.{key}: {found[key]} in the case, {part} in the game"
                for key, part in real.items()
                if key not in LATE and not same(found[key], part, key)
            ]
        for name in self.table.areas:
            there, real = reports.area(world, name), reports.area(truth, name)
            for key in () if self.present else ("used", "full"):
                if there[key] != real[key]:
                    self.why.append(
                        f"{name}.{key}: {there[key]} in the case, {real[key]} in the game"
                    )
        return bool(self.why)

    def _figure(self, truth: World, name: str) -> Mapping:
        """What the case asserts of a figure."""
        report = meaningful(reports.figure(truth, name))
        if self.cast[name] >= N_ALLIES + N_ENEMIES and report["area"] is None:
            return {}  # it is taken back, for which the format has no verb
        locks = report.get("locks")
        if isinstance(locks, dict):
            report["locks"] = {lock: chips for lock, chips in locks.items() if chips}
        silent = {
            key for transcript in self.transcripts for who, key in transcript.silent if who == name
        }
        if not self.whole:
            silent |= {"actions", "maneuvers"}
        code = self.cast[name]
        if code < N_ALLIES and self.table.is_focus_flipped(self.start[0]["ally"][code]):
            silent.add("chosen")  # the position leaves it out
        if code >= N_ALLIES + N_ENEMIES:
            silent.add("acted")  # a walk is not yet the one of its owner's turn
        return {} if "" in silent else {k: part for k, part in report.items() if k not in silent}

    def _area(self, truth: World, name: str) -> Mapping:
        """What the case asserts of an area."""
        report = reports.area(truth, name)
        items, lay = report["items"], self.value["map"]["areas"][name].get("items", [])
        if len(items) > 1 and [item for item in lay if item in items] != items:
            del report["items"]  # in what order they came to lie is nobody's rule
        if any(name in transcript.hidden for transcript in self.transcripts):
            del report["trap"]
        return report

    def _finish(self, run: Run) -> tuple[Mapping | None, int]:
        """Add what must hold after the last step, if it does."""
        last = len(self.transcripts) - 1
        truth = self._truth(run.case, self.segments[-1].last)
        state = truth.state
        expect: Mapping = {name: self._figure(truth, name) for name in self.cast}
        expect["areas"] = {name: self._area(truth, name) for name in self.table.areas}
        fate = self.table.fate(state)
        expect["fate"] = {key: fate[key] for key in ("deck", "discard", "timer")}
        expect["initiative"] = self.table.initiative(state)
        stories = rows_of(self.steps, Event.STORY)
        entered = all(row.amount == self.table.content["story"][row.place] for row in stories)
        if entered and not any(transcript.plain for transcript in self.transcripts):
            events, found = reports.events(truth), run.world.events
            moved = any(transcript.disturbed for transcript in self.transcripts) and events != found
            if not (moved and sorted(events) == sorted(found)):
                expect["events"] = [*events]
        ending = Ending(int(state["ending"]))
        if ending not in (Ending.NONE, Ending.ALL_EXHAUSTED):
            expect.pop("events", None)  # it ended by what the scenario says
        if ending in (Ending.NONE, Ending.ALL_EXHAUSTED):
            expect["ended"] = None if ending == Ending.NONE else "failure"
        expect = as_plain(expect)
        self.why += [str(difference) for difference in unmet(run, expect)]
        self.why += [f"scripted and not used: {left}" for left in run.world.loaded()]
        if self.why:
            return None, last
        self.value["expect"] = expect
        return self.value, last


def meaningful(report: Mapping) -> Mapping:
    """A report on a figure, without meaningless fields of one that is out of action."""
    if report.get("defeated"):
        return {key: report[key] for key in ("area", "conditions", "health", "defeated")}
    gone = {"acted", "evade", "chosen", "colour"} if report.get("exhausted") else set()
    if "chosen" in report and report["chosen"] is None:
        gone.add("colour")  # it is that of the chosen action
    return {key: part for key, part in report.items() if key not in gone}


def checks_of(card: Plain) -> Iterator[Mapping]:
    """Every `or_else` of a figure's card or a verb."""
    if isinstance(card, dict):
        for key, part in card.items():
            if key == "or_else" and isinstance(part, dict):
                yield part
            else:
                yield from checks_of(part)


# ---- the file -----------------------------------------------------------------------------------
def trace(compiled: Compiled, seed: int, policy: Policy | Chooser) -> TraceResult:
    """The cases of the game that `seed` fixes, played by a policy or a function."""
    return Tracer(compiled).trace([*play(compiled, seed, policy)])


def text_of(written: TraceResult, compiled: Compiled, title: str) -> str:
    """The text of a trace file: a header, the cases, and comments on what is left out."""
    letters = zip(compiled.drawing.letters, compiled.names.areas, strict=True)
    lines = [
        f"# {title}",
        f"# {len(written.cases)} cases; the game ended: {written.ended}",
        "# Levels, skills, gear and injuries are in the numbers of the sheets; items that are used",
        "# up in a case, and traps that are set in it, are gone or there from its start; sections,",
        "# defeat boxes and Trap cards with a check follow the verb that causes them.",
        "# " + ", ".join(f"{letter} = {name}" for letter, name in letters),
    ]
    left_out: dict[int, list[LeftOut]] = {}
    for segment in written.left_out:
        left_out.setdefault(segment.place, []).append(segment)
    for place, case in enumerate([*written.cases, None]):
        for segment in left_out.get(place, []):
            lines.append(f"\n# without a case: {segment.title} ({segment.why})")
        if case is not None:
            lines.append("\n" + yaml.dump([_compact(case)], Dumper=Plainly, **YAML_STYLE).rstrip())
    return "\n".join(lines) + "\n"


class Inline(list[Plain]):
    """A list of lists that is written on few lines."""


def _compact(case: Mapping) -> Mapping:
    """The case with borders and lines of sight on few lines."""
    drawn = case["map"]
    return case | {"map": {k: Inline(v) if isinstance(v, list) else v for k, v in drawn.items()}}


class Plainly(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes every value where it stands, however often it occurs."""

    def ignore_aliases(self, data: Any) -> bool:
        """The format has no anchors."""
        return True


Plainly.add_representer(
    Inline,
    lambda dumper, values: dumper.represent_sequence("tag:yaml.org,2002:seq", values, True),
)
YAML_STYLE: dict[str, Any] = {
    "sort_keys": False,
    "default_flow_style": None,  # the innermost lists and mappings on one line
    "width": 100,
    "allow_unicode": True,
}


def trace_game(
    out: Path,
    scenario: str,
    seed: int,
    policy: str,
    *,
    pack: str,
    heroes: int | Sequence[HeroChoice],
    level: int | None,
    difficulty: str,
) -> str:
    """Play a game, write its cases to a file in one go -> what was written, in a line.

    policy: "random" or "greedy". Raises ValueError naming the wrong argument.
    """
    if policy.upper() not in Policy.__members__:
        known = [name.lower() for name in Policy.__members__]
        raise ValueError(f"--policy: {not_allowed(policy, known)}")
    compiled = compile_scenario(pack, scenario, heroes, level=level, difficulty=difficulty)
    written = trace(compiled, seed, Policy[policy.upper()])
    party = heroes if isinstance(heroes, int) else ",".join(map(str, heroes))
    title = (
        f"{compiled.names.scenario} ({difficulty}), Heroes: {party}, seed {seed}, "
        f"played by the {policy} policy"
    )
    write_whole(out, text_of(written, compiled, title))
    return f"{out}: {len(written.cases)} cases, {len(written.left_out)} segments without a case"
