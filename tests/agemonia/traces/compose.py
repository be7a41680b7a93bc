"""Cases from the chunks of a game: a position, the verbs of some chunks, and what must hold then.

The project's runner plays every case before it is written. After each chunk figures, areas and
decks of the case must be those of the game; where they are not, the case ends before that chunk,
and another one begins with the position of the game. What the format has no verb for, such as that
an item is used up, is neither told nor asserted.
"""

from itertools import accumulate, pairwise

from agemonia_env.rulesets.agemonia.cases import reports
from agemonia_env.rulesets.agemonia.cases.case import Case
from agemonia_env.rulesets.agemonia.cases.runner import Trial
from agemonia_env.rulesets.agemonia.core.terms import Ending
from agemonia_env.rulesets.case_files import Document
from agemonia_env.rulesets.case_runner import CaseError
from agemonia_env.rulesets.case_schema import load

from .position import given
from .verbs import Writer

GONE = {"area": None, "conditions": [], "health": 0, "defeated": True}  # a defeated Enemy
BUDGET = {"actions", "maneuvers"}  # of a turn: `start_turn` reports them
RULES = {"choose": ["R5.2", "R5.7", "R5.14"], "fate": ["R5.18", "R5.20"], "enemy_turn": ["R10.4"]}
NO_VERB = {"items", "inspiration", "achievement", "evade", "acted", "trap"}


def as_plain(value):
    """Names and numbers of NumPy as plain Python values."""
    if isinstance(value, dict):
        return {str(key): as_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(part) for part in value]
    return value if value is None or isinstance(value, bool | str) else int(value)


class DiffersError(Exception):
    """A case differs from the game: at which chunk, and how."""


class Composer:
    """Writes the cases of one game; `left_out`: chunks that none of them tells, and why."""

    def __init__(self, game):
        self.game, self.writer = game, Writer(game)
        self.cases, self.left_out = [], []

    def trace(self, steps):
        """Write the cases of a game, each with as many chunks as it may have."""
        chunks = [*self.writer.chunks([*steps])]
        starts = [k for k, chunk in enumerate(chunks) if chunk.piece]
        for start, end in pairwise([0, *starts, len(chunks)]):
            first, piece = start, chunks[start].piece or "round-1-selection"
            while first < end:
                first += self._longest(f"{len(self.cases) + 1:03d}-{piece}", chunks[first:end])

    def _longest(self, name, chunks):
        """Write the longest case that begins with the first chunk -> its number of chunks."""
        self.writer.start = chunks[0].steps[0].before[0]
        for way in chunks[0].ways:
            size = len(chunks)
            while size:
                told = [way(), *(chunk.ways[0]() for chunk in chunks[1:size])]
                if not told[0]:
                    return 1
                try:
                    self.cases.append(self._played(name, chunks, told))
                except DiffersError as error:
                    size, why = error.args
                else:
                    return size
        self.left_out.append(f"{name}: {why}")
        return 1

    def _position(self, chunks, told):
        """A case without what it leads to."""
        game, start = self.game, chunks[0].steps[0].before[0]
        verbs, dice = [verb for part in told for verb in part], {}
        figures = {name: game.figure_card(start, *code) for name, code in game.cast(start).items()}
        for who in [verb.given["who"] for verb in told[0] if verb.name == "start_turn"]:
            ally = chunks[0].steps[-1].after[0]["ally"][game.allies.index(who)]
            figures[who]["evade"] = ally["evade"]  # R8.9
        for roller, pile, face in (die for verb in verbs for die in verb.dice):
            dice.setdefault(pile, {}).setdefault(roller, []).append(face)
        acting = {v.given["who"].rsplit("-", 1)[0] for v in verbs if v.name == "enemy_turn"}
        cards = [figure["enemy"] for figure in figures.values() if "enemy" in figure]
        for card in cards + [verb.given["card"] for verb in verbs if verb.name == "spawn"]:
            for key in ("actions", "snake") if card["type"] not in acting else ():
                card.pop(key, None)  # of no use in this case
        value = {
            "map": game.map(start),
            "figures": figures,
            "dice": dice,
            "decks": game.decks(start),
        }
        return value | {"do": [{verb.name: verb.given} for verb in verbs]}

    def _played(self, name, chunks, told):
        """The whole case, if it is as the game. Raises DiffersError."""
        ends, k = [*accumulate(map(len, told))], len(told) - 1
        head = {"id": name, "rules": RULES.get(told[0][0].name, ["R6.1"])}
        value = as_plain(head | self._position(chunks, told))
        cases, problems = load(Document("trace", [value]), Case)
        if problems:
            raise DiffersError(k, problems[0].reason)
        try:
            run = Trial(cases[0])
            for k, part in enumerate(told):
                for index in range(ends[k] - len(part), ends[k]):
                    going = run.take(index, run.case.do[index], "")
                    if not going or run.differences:
                        raise DiffersError(k, str(run.differences[0]))
                    said = {key: found for key, found in run.last.items() if key != "path"}
                    value["do"][index] |= given(result=said)  # R10.13: several ways may be as short
                if len(run.table.loaded()) != sum(len(v.dice) for p in told[k + 1 :] for v in p):
                    raise DiffersError(k, "not the dice of the game")
                value["expect"] = self._agreed(run, k, chunks[k].steps[-1], part)
        except CaseError as error:
            raise DiffersError(k, str(error)) from None
        return as_plain(value)

    def _agreed(self, run, k, step, part):
        """What must hold after a chunk, if it does. Raises DiffersError."""
        state, world, game = step.after[0], run.table, self.game
        there = game.cast(state)
        cast = there | {name: ("ally", a) for a, name in enumerate(game.allies)}
        cast |= {name: ("figure", k) for k, name in enumerate(game.tokens)}
        known = [*world.allies, *world.enemies, *world.figures]
        codes = {name: cast[name] for name in known if name in cast}
        truth, decks = game.world(run.case, step.after, codes), game.decks(state)
        decks["fate"].pop("target", None)
        begun = any(verb.name == "start_turn" for verb in part)
        failed = "failure" if state["ending"] == Ending.ALL_EXHAUSTED else None
        expect = {name: {**GONE} for name in known}
        expect |= {name: asserted(reports.figure(truth, name), begun) for name in codes}
        expect |= {"areas": {name: reports.area(truth, name) for name in game.areas}, **decks}
        expect |= {"events": [*world.events], "ended": failed}
        unsaid = NO_VERB | ({"used", "full"} if there.keys() - {*known} else set())
        for difference in run.unmet(expect):
            *names, key = difference.where.split(".")
            if key not in unsaid:
                raise DiffersError(k, str(difference))
            del (expect["areas"] if names[0] == "areas" else expect)[names[-1]][key]
        return expect


def asserted(report, begun):
    """What a case asserts of a figure; begun: it has just begun its turn."""
    silent = set() if begun else {*BUDGET}
    if report.get("defeated"):
        silent = report.keys() - GONE.keys()
    elif report.get("exhausted"):
        silent |= {"acted", "evade", "chosen", "colour", *BUDGET}
    elif "disk" not in report and "health" not in report:  # a token or pet
        silent |= {"acted"} if report["area"] else {*report}
    if report.get("chosen") in (None, "focus"):
        silent |= {"chosen", "colour"}  # R3.21: a position leaves it out after Rethink
    report = {key: part for key, part in report.items() if key not in silent}
    if "locks" in report:
        report["locks"] = {lock: chips for lock, chips in report["locks"].items() if chips}
    return report
