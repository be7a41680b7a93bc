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

import numpy as np
import yaml

from ..agemonia.layout import N_ALLIES, N_COLUMNS, N_ENEMIES
from ..agemonia.policies import Policy
from ..agemonia.terms import Decision, Ending, Event, Proc
from ..content.compile import Compiled
from . import queries, reports
from .case import Case, load
from .parameters import VERBS
from .position import Mapping, Table
from .reading import Document, Plain
from .record import Beat, Row, play
from .runner import Difference, Run, run_step, same, set_caches, unmet
from .rounds import round_pieces
from .telling import NotTold, Passage, Teller, Telling, Verb, rows_of
from .world import CaseError, World, build

UNTOLD = ("actions", "maneuvers", "evade")  # fields that are only right at the end of a case


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
    left_out: list[str] = field(default_factory=list)  # titles of passages without a case
    verbs: Counter[str] = field(default_factory=Counter)
    text: str = ""


# ---- the pieces of a game -----------------------------------------------------------------------
def pieces_of(teller: Teller, beats: Sequence[Beat]) -> Iterator[Piece]:
    """The pieces of a game, in order."""
    bounds = [k for k, beat in enumerate(beats) if _begins(beats, k)]
    for start, end in zip(bounds, [*bounds[1:], len(beats)], strict=True):
        part = list(beats[start:end])
        turns = part[0].events(Event.TURN)
        round_ = int(part[0].before[0]["round"])
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

    def __init__(self, compiled: Compiled, title: str) -> None:
        self.table = Table(compiled)
        self.teller = Teller(self.table)
        self.title = title
        self.written = Written()

    def trace(self, beats: Sequence[Beat]) -> Written:
        """Cases for all pieces of a game."""
        for piece in pieces_of(self.teller, beats):
            self._tell(piece)
        return self.written

    def _tell(self, piece: Piece) -> None:
        """Cases of one piece: as many passages in each as can be told."""
        first = 0
        while first < len(piece.passages):
            n = self._longest(piece, first)
            if first + n < len(piece.passages):
                self.written.left_out.append(
                    f"{piece.name}: {piece.passages[first + n].title}"
                )
            first += n + 1

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
        tellings: list[Telling] = []
        for k, way in enumerate(draft.ways):
            try:
                tellings.append(draft.piece.passages[draft.first + k].tellings[way]())
            except NotTold:
                return None, k
        composer = Composer(self.table, draft, tellings, len(self.written.cases) + 1)
        return composer.agreed()


class Composer:
    """Puts one case together and plays it against the game."""

    def __init__(
        self, table: Table, draft: Draft, tellings: list[Telling], number: int
    ) -> None:
        self.table, self.draft, self.tellings = table, draft, tellings
        self.passages = draft.piece.passages[draft.first : draft.first + len(tellings)]
        self.beats = [beat for passage in self.passages for beat in passage.beats]
        self.start = self.passages[0].beats[0].before
        self.whole = draft.first == 0
        self.verbs = [verb for telling in tellings for verb in telling.verbs]
        self.figures = table.positions(self.start[0])
        self.cast = self._cast()
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
    def _cast(self) -> dict[int, str]:
        """Names of all figures of the case by their codes, those that appear in it included."""
        state, table = self.start[0], self.table
        cast: dict[int, str] = {}
        for code in range(N_ALLIES + N_ENEMIES + len(table.figures)):
            if code < N_ALLIES or code >= N_ALLIES + N_ENEMIES:
                names = table.allies if code < N_ALLIES else table.figures
                k = code if code < N_ALLIES else code - N_ALLIES - N_ENEMIES
                name = names[k] if k < len(names) else ""
            else:
                record = state["enemy"][code - N_ALLIES]
                name = table.enemy(state, code - N_ALLIES) if record["type"] >= 0 else ""
            if name in self.figures:
                cast[code] = name
        return cast

    def _dice(self) -> Mapping:
        """The scripted faces of each figure."""
        piles: dict[str, dict[str, list[Plain]]] = {}
        for figure, pile, face in (die for verb in self.verbs for die in verb.dice):
            piles.setdefault(pile, {}).setdefault(figure, []).append(face)
        return {pile: {**figures} for pile, figures in piles.items()}

    def _decks(self) -> Mapping:
        """Initiative and Fate cards, and the Trap card that is drawn."""
        decks = self.table.decks(self.start[0])
        drawn = [row[2] for row in rows_of(self.beats, Event.TRAP_CARD)]
        return decks | ({"trap": [self.table.trap_card(drawn[0])]} if drawn else {})

    def _amend(self) -> None:
        """What the format has no verb for is in place, or gone, from the start."""
        areas = self._part("map", "areas")
        for telling in self.tellings:
            for name in telling.traps:
                self._sub(areas, name)["trap"] = True
            for name in telling.untrapped:
                self._sub(areas, name).pop("trap", None)
            for name, portal in telling.portals.items():
                self._sub(areas, name)["teleport"] = portal
            for hero, kind in telling.gems:
                figure = self._sub(self.figures, hero)
                figure[kind] = max(0, int(figure.get(kind, 0)) - 1)  # type: ignore[arg-type]
        self._remove_used_items()
        self._count_turn()
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
        for a, hero in enumerate(self.table.allies):
            if hero not in self.figures:
                continue
            figure = self._sub(self.figures, hero)
            had = Counter(str(item) for item in self.table.items_of(self.start[0]["ally"][a]["item"]))
            has = Counter(str(item) for item in self.table.items_of(end["ally"][a]["item"]))
            had.update(moved.get(hero, Counter()))
            had.subtract(has)
            ropes = sum(row[2] == 1 and row[1] == a for row in rows_of(self.beats, Event.ROPE))
            had["rope"] -= ropes
            items = figure.get("items", [])
            assert isinstance(items, list)
            for item, n in had.items():
                for _ in range(max(0, n)):
                    if item in items:
                        items.remove(item)

    def _count_turn(self) -> None:
        """Maneuvers and Evade points that are gained in a turn are there from its start."""
        jewels = sum(telling.jewels for telling in self.tellings)
        for verb in self.verbs:
            if verb.name == "start_turn":
                state = self.passages[0].last.after[0]
                a = int(self.passages[0].beats[0].events(Event.TURN)[0][1])
                hero = self._sub(self.figures, self.table.allies[a])
                hero["evade"] = int(state["ally"][a]["evade"])
                hero["evade"] += sum(telling.evade for telling in self.tellings)
                if jewels:
                    verb.given["jewels"] = jewels
                ends = self.beats[-1].after[0]["ally"]["ability"][a]
                added = ends.astype(int) - self.start[0]["ally"]["ability"][a]
                board = hero.get("hero", hero.get("ally"))
                assert isinstance(board, dict)
                for k, ability in enumerate(("might", "agility", "will")):
                    board[ability] = int(board[ability]) + int(added[k])  # type: ignore[arg-type]

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
            return None, len(self.tellings)
        case = cases[0]
        try:
            run = Run(case, build(case))
        except CaseError:
            return None, len(self.tellings)
        set_caches(run.world)
        step = 0
        for k, telling in enumerate(self.tellings):
            for verb in telling.verbs:
                result = self._result(case, step, verb)
                try:
                    going = run_step(run, step, case.steps[step], verb.name)
                except CaseError:
                    going = False
                if not going:
                    return None, k
                self._name_new(run.world, verb, k)
                if not self._reports(run, result, step):
                    return None, k
                step += 1
            truth = self._truth(case, k)
            if self._differences(run.world, truth, telling, k):
                return None, k
        return self._finish(run, case)

    def _truth(self, case: Case, k: int) -> World:
        """The game after passage k, as a world of the case."""
        return self._truth_after(case, self.passages[k].last)

    def _truth_after(self, case: Case, beat: Beat) -> World:
        """The game after a beat, as a world of the case."""
        rows = [row for other in self.beats[: self.beats.index(beat) + 1] for row in other.rows]
        log = np.zeros((len(rows) + 1, N_COLUMNS), np.int16)
        log[0, 0] = len(rows) + 1
        if rows:
            log[1:] = rows
        return self.table.world(case, beat.after, dict(self.cast), log)
