"""A whole game as a file of cases, one for each piece of it that the format can tell.

Pieces are the selection and the Initiative card of a round, every turn, and the end of a round. A
case begins with the position of the game and ends with everything that must hold after the piece.
Each case is played by the runner before it is written, step by step against the game; where a
passage cannot be told so that both agree, the case ends before it and another begins behind it.
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
from .position import ABILITIES, Mapping, Table
from .record import Beat, Chooser, play
from .rounds import round_pieces
from .runner import Run, agrees, run_step, same, set_caches, unmet
from .trace_writer import NotTold, Passage, Telling, Verb, rows_of
from .turns import Teller
from .world import HOOK_AND_ROPE, CaseError, World, build

# fields that are only right at the end of a case, since what adds to them is there from its start
LATE = ("actions", "maneuvers", "evade", "items", "inspiration", "achievement")


@dataclass
class Piece:
    """A part of a game that begins with a case of its own."""

    name: str
    rules: list[str]
    beats: list[Beat]
    passages: list[Passage]


@dataclass
class Written:
    """What came of a game: the cases, and what they leave out."""

    cases: list[Mapping] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    ended: str = "not at all"

    def verbs(self) -> Counter[str]:
        """How often each verb is used."""
        steps = [step for case in self.cases for step in steps_of(case)]
        return Counter(next(iter(step)) for step in steps)


@dataclass(frozen=True)
class LeftOut:
    """A passage without a case, told before case number `place`, and in what words fail it."""

    place: int
    title: str
    why: str


def steps_of(case: Mapping) -> list[Mapping]:
    """The steps of a case."""
    steps = case["do"]
    assert isinstance(steps, list)
    return [step for step in steps if isinstance(step, dict)]


# ---- the pieces of a game -----------------------------------------------------------------------
def pieces_of(teller: Teller, beats: Sequence[Beat]) -> Iterator[Piece]:
    """The pieces of a game, in order."""
    bounds = [k for k, beat in enumerate(beats) if _begins(beats, k)]
    for start, end in zip(bounds, [*bounds[1:], len(beats)], strict=True):
        part = list(beats[start:end])
        turns = part[0].events(Event.TURN)
        round_ = int(part[0].before[0]["round"])
        teller.begin(part)
        if not turns:
            yield from (
                Piece(f"round-{round_}-{name}", rules, part, passages)
                for name, rules, passages in round_pieces(teller, part, beats[start:])
            )
            continue
        name = teller.table.figure(part[0].after[0], turns[0][1])
        part = _until_end(part)
        if turns[0][1] < N_ALLIES:
            yield Piece(f"round-{round_}-{name}", ["R6.1"], part, teller.ally_turn(part))
        else:
            yield Piece(f"round-{round_}-{name}", ["R10.4"], part, teller.enemy_turn(part))


def _begins(beats: Sequence[Beat], k: int) -> bool:
    """Whether a piece begins with beat k: a turn, the Fate card, or a round's selection."""
    beat = beats[k]
    if beat.events(Event.TURN) or beat.proc == Proc.ROUND_FATE:
        return True
    selects = beat.proc == Proc.SELECT_NEXT
    return selects and (k == 0 or beats[k - 1].proc != Proc.SELECT_NEXT)


def _until_end(beats: list[Beat]) -> list[Beat]:
    """The beats of a turn up to its end; what the game does between turns is no part of it."""
    ends = (Proc.TURN_END, Proc.ENEMY_END)
    last = next((k for k, beat in enumerate(beats) if beat.proc in ends), len(beats) - 1)
    return beats[: last + 1]


# ---- one case -----------------------------------------------------------------------------------
@dataclass
class Draft:
    """Passages that are told in one case, and how."""

    piece: Piece
    first: int  # passage
    ways: list[int]  # which telling of each passage


class Tracer:
    """Writes the cases of one game."""

    def __init__(self, compiled: Compiled) -> None:
        self.table = Table(compiled)
        self.teller = Teller(self.table)
        self.written = Written()
        self.why: list[str] = []  # the last attempt failed

    def trace(self, beats: Sequence[Beat]) -> Written:
        """Cases for all pieces of a game."""
        for piece in pieces_of(self.teller, beats):
            self._tell(piece)
        if beats:
            ending = Ending(int(beats[-1].after[0]["ending"]))
            self.written.ended = ending.name.lower().replace("_", " ")
        return self.written

    def _tell(self, piece: Piece) -> None:
        """Cases of one piece: as many passages in each as can be told."""
        first = 0
        while first < len(piece.passages):
            n = self._longest(piece, first)
            if n == 0:  # not even as a case of its own
                title = f"{piece.name}: {piece.passages[first].title}"
                why = "; ".join(self.why[:2])
                self.written.left_out.append(LeftOut(len(self.written.cases), title, why))
            first += max(n, 1)

    def _longest(self, piece: Piece, first: int) -> int:
        """Write the longest case that begins with a passage. -> how many passages it tells"""
        ways = [0] * (len(piece.passages) - first)
        while ways:
            value, failed = self._attempt(Draft(piece, first, ways))
            if value is not None:
                if value["do"]:
                    self.written.cases.append(value)
                return len(ways)
            if failed >= len(ways):
                failed = len(ways) - 1
            ways[failed] += 1
            if ways[failed] >= len(piece.passages[first + failed].tellings):
                ways = ways[:failed]
        return 0

    def _attempt(self, draft: Draft) -> tuple[Mapping | None, int]:
        """The case of a draft if it agrees with the game, else the passage in which it does not."""
        found: tuple[Mapping | None, int] = None, 0
        for hides in (False, True):
            tellings: list[Telling] = []
            self.teller.start = draft.piece.passages[draft.first].beats[0].before[0]
            for k, way in enumerate(draft.ways):
                try:
                    tellings.append(draft.piece.passages[draft.first + k].tellings[way]())
                except NotTold as error:
                    self.why = [str(error)] if str(error) else self.why
                    return None, k
            if hides and not any(telling.traps for telling in tellings):
                return found
            number = len(self.written.cases) + 1
            composer = Composer(self.table, draft, tellings, number, self.teller.trap, hides)
            found = composer.agreed()
            if found[0] is not None:
                return found
            self.why = composer.why
        return found


class Composer:
    """Puts one case together and plays it against the game."""

    def __init__(
        self,
        table: Table,
        draft: Draft,
        tellings: list[Telling],
        number: int,
        trap: int,
        hides: bool,
    ) -> None:
        self.table, self.draft, self.tellings = table, draft, tellings
        self.trap = trap  # the Trap card that the deck shows; -1 = none
        self.hides = hides  # traps that are set are neither there from the start nor asserted
        self.passages = draft.piece.passages[draft.first : draft.first + len(tellings)]
        self.beats = [beat for passage in self.passages for beat in passage.beats]
        self.start = self.passages[0].beats[0].before
        self.whole = draft.first == 0
        self.verbs = [verb for telling in tellings for verb in telling.verbs]
        self.figures = table.positions(self.start[0])
        self.cast = self._cast()
        self._rename()
        self.gone: set[str] = set()
        self.present = {name for telling in tellings for name in telling.present}
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
        """Codes of the figures on the table, by name."""
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
            if verb.brings >= 0 and verb.name == "spawn":
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
        told = self.trap >= 0 and bool(rows_of(self.beats, Event.TRAP_CARD))
        return decks | ({"trap": [self.table.trap_card(self.trap)]} if told else {})

    def _amend(self) -> None:
        """What the format has no verb for is in place, or gone, from the start."""
        areas = self._part("map", "areas")
        for telling in self.tellings:
            if self.hides:
                telling.hidden += telling.traps
                telling.traps = []
            for name in telling.traps:
                if self._sub(areas, name).get("trap"):
                    telling.hidden.append(name)  # another one lies there now
                self._sub(areas, name)["trap"] = True
            for name, item in telling.lying:
                lying = self._sub(areas, name).setdefault("items", [])
                assert isinstance(lying, list)
                lying.append(item)
            for name in telling.untrapped:
                self._sub(areas, name).pop("trap", None)
            for name in telling.absent:
                self.figures.pop(name, None)
                self.cast.pop(name, None)
            for name, (code, figure) in telling.present.items():
                self.figures[name] = figure
                self.cast[name] = code
            for name, portal in telling.portals.items():
                self._sub(areas, name)["teleport"] = portal
            for hero, kind in telling.gems:
                figure = self._sub(self.figures, hero)
                left = int(figure.get(kind, 0)) - 1  # type: ignore[arg-type]
                figure[kind] = max(0, left)
                telling.silent |= {(hero, kind)} if left < 0 else set()  # gained before
            for name in telling.flying:
                self._sub(self.figures, name)["fly"] = True
            for name, condition in telling.without:
                held = self._sub(self.figures, name)["conditions"]
                assert isinstance(held, list)
                held.remove(condition)
        self._remove_used_items()
        self._count_turn()
        self._pick()
        self._add_line()

    def _remove_used_items(self) -> None:
        """Items that are used up in the case: the format has no verb for using them."""
        moved: dict[str, Counter[str]] = {}
        for event, figure, item, other, _, _ in rows_of(
            self.beats, Event.TAKE, Event.DROP, Event.GIVE
        ):
            name = self.table.items[item]
            sign = -1 if event == Event.DROP else 1
            moved.setdefault(self.table.allies[figure], Counter())[name] += sign
            if event == Event.GIVE:
                moved.setdefault(self.table.allies[other], Counter())[name] -= 1
        end = self.beats[-1].after[0]
        used = {row.figure for row in rows_of(self.beats, Event.USE, Event.BOOST, Event.RIDE)}
        for a, hero in enumerate(self.table.allies):
            if hero not in self.figures or a not in used:
                continue
            card = self._sub(self.figures, hero)
            before = self.start[0]["ally"][a]["item"]
            had = Counter(str(part) for part in self.table.items_of(before))
            has = Counter(str(part) for part in self.table.items_of(end["ally"][a]["item"]))
            had.update(moved.get(hero, Counter()))
            had.subtract(has)
            if any(row.figure == a for row in rows_of(self.beats, Event.ROPE)):
                self.tellings[0].silent.add((hero, "items"))  # its rope comes and goes
                had.pop(HOOK_AND_ROPE, None)
            items = card.get("items", [])
            assert isinstance(items, list)
            for gone, n in had.items():
                if n > 0 and (gone in moved.get(hero, Counter()) or items.count(gone) < n):
                    self.tellings[0].silent.add((hero, "items"))  # it changes hands before
                    continue
                for _ in range(n):
                    items.remove(gone)

    def _count_turn(self) -> None:
        """Maneuvers and Evade points that are gained in a turn are there from its start."""
        jewels = sum(telling.jewels for telling in self.tellings)
        active = int(self.start[0]["active_ally"])
        if not self.whole and active >= 0:
            self._count_evade(active)
            self._spare(active)
        for verb in self.verbs:
            if verb.name == "start_turn":
                a = int(self.passages[0].beats[0].events(Event.TURN)[0][1])
                hero = self._sub(self.figures, self.table.allies[a])
                self._count_evade(a)
                if jewels:
                    verb.given["jewels"] = jewels
                ends = self.beats[-1].after[0]["ally"]["ability"][a]
                added = ends.astype(int) - self.start[0]["ally"]["ability"][a]
                board = hero.get("hero", hero.get("ally"))
                assert isinstance(board, dict)
                for k, ability in enumerate(("might", "agility", "will")):
                    board[ability] = int(board[ability]) + int(added[k])  # type: ignore[arg-type]

    def _spare(self, a: int) -> None:
        """R8.3 - Enemies that have provoked in this turn do not do so again."""
        for name, code in self.cast.items():
            e = code - N_ALLIES
            if 0 <= e < N_ENEMIES and self.start[0]["ally"]["provoked"][a] >> e & 1:
                self._sub(self._sub(self.figures, name), "enemy").pop("provoke", None)

    def _count_evade(self, a: int) -> None:
        """R8.9 - Evade points left in the end, and those that the case uses."""
        name = self.table.allies[a]
        if name not in self.figures:
            return
        points = int(self.beats[-1].after[0]["ally"][a]["evade"])
        for verb in self.verbs:
            used = verb.given.get("evade", {})
            if verb.given.get("who") == name and isinstance(used, dict):
                points += sum(n for n in used.values() if isinstance(n, int))
        self._sub(self.figures, name)["evade"] = points

    def _pick(self) -> None:
        """R3.10, R11.10 - of what the format has one, the one that counts in the case."""
        picked = [beat.index for beat in self.beats if beat.decision == Decision.ABILITY]
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
                    for beat in self.beats
                    if beat.proc == Proc.STRIKE_RIPOSTE and beat.before[0]["strike"]["ally"] == a
                    for row in beat.events(Event.DAMAGE)
                ]
                self._sub(self.figures, name).pop("riposte", None)
                if struck:
                    self._sub(self.figures, name)["riposte"] = {"amount": struck[0]}

    def _add_line(self) -> None:
        """The line of a line attack is one of the lines of sight."""
        sight = self._part("map")["sight"]
        assert isinstance(sight, list)
        for verb in self.verbs:
            line = verb.given.get("line")
            if verb.name == "attack" and isinstance(line, list):
                a = self.table.allies.index(str(verb.given["who"]))
                assert verb.end is not None
                own = self.table.area_of(int(verb.end.after[0]["ally"][a]["area"]))
                whole = [own, *line]
                if len(whole) > 2 and whole not in sight and whole[::-1] not in sight:
                    sight.append(whole)

    def _part(self, *keys: str) -> Mapping:
        """A mapping within the case."""
        here = self.value
        for key in keys:
            here = self._sub(here, key)
        return here

    @staticmethod
    def _sub(here: Mapping, key: str) -> Mapping:
        part = here[key]
        assert isinstance(part, dict)
        return part

    # ---- playing it -------------------------------------------------------------------------
    def agreed(self) -> tuple[Mapping | None, int]:
        """The case, with what it must lead to, if it agrees with the game; else where it fails."""
        document = Document("trace", [self.value])
        cases, problems = load(document)
        if problems or not cases:
            self.why += [problem.reason for problem in problems]
            return None, len(self.tellings)
        case = cases[0]
        try:
            run = Run(case, build(case))
        except CaseError as error:
            self.why.append(str(error))
            return None, len(self.tellings)
        set_caches(run.world)
        step = 0
        for k, telling in enumerate(self.tellings):
            for verb in telling.verbs:
                if not self._step(run, step, verb):
                    return None, k
                step += 1
            later = [verb for telling in self.tellings[k + 1 :] for verb in telling.verbs]
            if len(run.world.loaded()) != sum(len(verb.dice) for verb in later):
                self.why.append("not the dice of the game")
                return None, k
            truth = self._truth(case, self.passages[k].last)
            if k + 1 < len(self.tellings) and self._differs(run.world, truth):
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
        if verb.brings >= 0:
            name = str(verb.given["name"])
            if name in self.cast:
                return False
            self.gone |= {old for old, code in self.cast.items() if code == verb.brings}
            self.cast[name] = verb.brings
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
        report = as_plain(report)  # type: ignore[assignment]
        if verb.name == "start_turn":
            report["maneuvers"] = int(report["maneuvers"]) + int(verb.given.get("jewels", 0))  # type: ignore[arg-type]
        for key in verb.unsaid:
            report.pop(key, None)
        if report:
            steps = self.value["do"]
            assert isinstance(steps, list)
            told = steps[index]
            assert isinstance(told, dict)
            told["result"] = report
        for key, part in report.items():
            if not agrees(run.last[key], part, key):
                self.why.append(
                    f"{verb.name} {key}: {run.last[key]} in the case, {part} in the game"
                )
        return not self.why

    def _truth(self, case: Case, beat: Beat) -> World:
        """The game after a beat, as a world of the case."""
        truth = self.table.world(case, beat.after, dict(self.cast), self.gone)
        rows = [row for other in self.beats[: self.beats.index(beat) + 1] for row in other.rows]
        truth.log = empty_rows(len(rows) + 1)
        truth.log[0, 0] += len(rows)
        if rows:
            truth.log[1:] = rows
        return truth

    def _differs(self, world: World, truth: World) -> bool:
        """Whether figures or areas of the case are not as in the game."""
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
        report = said(reports.figure(truth, name))
        if self.cast[name] >= N_ALLIES + N_ENEMIES and report["area"] is None:
            return {}  # it is taken back, for which the format has no verb
        locks = report.get("locks")
        if isinstance(locks, dict):
            report["locks"] = {lock: chips for lock, chips in locks.items() if chips}
        silent = {key for telling in self.tellings for who, key in telling.silent if who == name}
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
        items, lay = report["items"], self._sub(self._part("map", "areas"), name).get("items", [])
        assert isinstance(items, list)
        assert isinstance(lay, list)
        if len(items) > 1 and [item for item in lay if item in items] != items:
            del report["items"]  # in what order they came to lie is nobody's rule
        if any(name in telling.hidden for telling in self.tellings):
            del report["trap"]
        return report

    def _finish(self, run: Run) -> tuple[Mapping | None, int]:
        """Add what must hold after the last step, if it does."""
        last = len(self.tellings) - 1
        truth = self._truth(run.case, self.passages[-1].last)
        state = truth.state
        expect: Mapping = {name: self._figure(truth, name) for name in self.cast}
        expect["areas"] = {name: self._area(truth, name) for name in self.table.areas}
        fate = self.table.fate(state)
        expect["fate"] = {key: fate[key] for key in ("deck", "discard", "timer")}
        expect["initiative"] = self.table.initiative(state)
        stories = rows_of(self.beats, Event.STORY)
        entered = all(row.amount == self.table.content["story"][row.place] for row in stories)
        if entered and not any(telling.plain for telling in self.tellings):
            events, found = reports.events(truth), run.world.events
            moved = any(telling.disturbed for telling in self.tellings) and events != found
            if not (moved and sorted(events) == sorted(found)):
                expect["events"] = [*events]
        ending = Ending(int(state["ending"]))
        if ending not in (Ending.NONE, Ending.ALL_EXHAUSTED):
            expect.pop("events", None)  # it ended by what the scenario says
        if ending in (Ending.NONE, Ending.ALL_EXHAUSTED):
            expect["ended"] = None if ending == Ending.NONE else "failure"
        expect = as_plain(expect)  # type: ignore[assignment]
        self.why += [str(difference) for difference in unmet(run, expect)]
        self.why += [f"scripted and not used: {left}" for left in run.world.loaded()]
        if self.why:
            return None, last
        self.value["expect"] = expect
        return self.value, last


def said(report: Mapping) -> Mapping:
    """What the rules say of a figure, without what is left over of one that is out of action."""
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
def trace(compiled: Compiled, seed: int, policy: Policy | Chooser) -> Written:
    """The cases of the game that `seed` fixes, played by a policy or whoever chooses."""
    return Tracer(compiled).trace([*play(compiled, seed, policy)])


def text_of(written: Written, compiled: Compiled, title: str) -> str:
    """The file of a trace: what it is, then case after case, and what lies between them."""
    letters = zip(compiled.drawing.letters, compiled.names.areas, strict=True)
    lines = [
        f"# {title}",
        f"# {len(written.cases)} cases; the game ended: {written.ended}",
        "# Levels, skills, gear and injuries are in the numbers of the sheets; items that are used",
        "# up in a case, and traps that are set in it, are gone or there from its start; sections,",
        "# defeat boxes and Trap cards with a check are told behind the verb that brings them.",
        "# " + ", ".join(f"{letter} = {name}" for letter, name in letters),
    ]
    left_out: dict[int, list[LeftOut]] = {}
    for passage in written.left_out:
        left_out.setdefault(passage.place, []).append(passage)
    for place, case in enumerate([*written.cases, None]):
        for passage in left_out.get(place, []):
            lines.append(f"\n# without a case: {passage.title} ({passage.why})")
        if case is not None:
            lines.append("\n" + yaml.dump([_compact(case)], Dumper=Plainly, **YAML_STYLE).rstrip())
    return "\n".join(lines) + "\n"


class Inline(list[Plain]):
    """A list of lists that is written on few lines."""


def _compact(case: Mapping) -> Mapping:
    """The case with borders and lines of sight on few lines."""
    drawn = case["map"]
    assert isinstance(drawn, dict)
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
    return f"{out}: {len(written.cases)} cases, {len(written.left_out)} passages without"
