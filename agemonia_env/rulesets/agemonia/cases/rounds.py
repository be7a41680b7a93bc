"""The parts of a round besides turns: selection and Initiative card, Fate card and events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..core.actions import Block
from ..core.layout import N_ALLIES
from ..core.terms import Colour, Decision, Event, Kind, Proc, Special
from .position import Mapping, non_default, specials_of
from .record import EventStep
from .trace_writer import Segment, Transcript, Verb
from .turns import TurnWriter

Piece = tuple[str, list[str], list[Segment]]


def round_pieces(
    writer: TurnWriter, part: list[EventStep], rest: Sequence[EventStep]
) -> Iterator[Piece]:
    """The end of a round, or the beginning of one; `rest` of the game shows who acts when."""
    if part[0].proc == Proc.ROUND_FATE:
        yield "end", ["R5.18", "R5.20"], end_of_round(writer, part)
    elif any(step.proc == Proc.ROUND_REVEAL for step in part):
        yield "selection", ["R5.2", "R5.7", "R5.14"], selection(writer, part, rest)


# ---- selection and Initiative card --------------------------------------------------------------
def selection(
    writer: TurnWriter, part: list[EventStep], rest: Sequence[EventStep]
) -> list[Segment]:
    """R5.2 to R5.15 - every choice, the card, and the order of all turns with it."""
    chosen = [step for step in part if step.events(Event.SELECT)]
    segments = [_choice(writer, step) for step in chosen]
    later = part[part.index(chosen[-1]) + 1 :] if chosen else part
    turned = next(k for k, step in enumerate(later) if step.proc == Proc.ROUND_REVEAL)
    segments += [
        _changed(writer, step, row.figure, "takes a colour")
        for step in later
        for row in step.events(Event.COLOUR)[:1]
    ]
    segments.append(_card(writer, later[: turned + 1]))
    segments += [
        _changed(writer, step, step.asked, "opens the round")
        for step in later[turned + 1 :]
        if step.decision == Decision.OPENING and step.block == Block.ITEM
    ]
    settled = [step for step in later if step.proc in BEFORE_TURNS]
    segments.append(_order(writer, settled, rest))
    return segments


BEFORE_TURNS = (Proc.ROUND_REVEAL, Proc.OPENING_NEXT, Proc.SPECIAL_NEXT)


def _chosen(writer: TurnWriter, state: Any, a: int) -> Verb:
    """R5.2 - the action of a Hero with its colour and special initiatives."""
    ally = state["ally"][a]
    given: Mapping = {
        "who": writer.table.allies[a],
        "action": writer.table.action(a, int(ally["token"])),
        "colour": Colour(int(ally["colour"])).name.lower(),
    }
    return Verb("choose", given | non_default(special=specials_of(int(ally["special"]))))


def _choice(writer: TurnWriter, step: EventStep) -> Segment:
    """A Hero chooses its action."""
    a = step.events(Event.SELECT)[0][1]
    verb = _chosen(writer, step.after[0], a)
    return Segment([step], [lambda: Transcript([verb])], f"{writer.table.allies[a]} chooses")


def _changed(writer: TurnWriter, step: EventStep, a: int, title: str) -> Segment:
    """R5.6, R15.9 - a Hero takes another colour, or an item gives it a special initiative."""
    verbs = [*writer.bookkeeping([step]).verbs, _chosen(writer, step.after[0], a)]
    return Segment([step], [lambda: Transcript(verbs)], f"{writer.table.allies[a]} {title}")


def _card(writer: TurnWriter, steps: list[EventStep]) -> Segment:
    """R5.7 - the card is turned, after a shuffle if one is due."""
    state = steps[-1].after[0]
    given: Mapping = {}
    if state["reshuffled"]:
        deck = state["initiative"][: int(state["n_initiative"])]
        cards = [int(state["card"]), *(int(card) for card in deck)]
        given["shuffled"] = [writer.table.cards[card] for card in cards]
    verb = Verb("reveal", given, steps[-1], unasserted=("card",))
    return Segment(steps, [lambda: Transcript([verb])], "the Initiative card")


def _order(writer: TurnWriter, steps: list[EventStep], rest: Sequence[EventStep]) -> Segment:
    """R5.14, R5.15, R15.4 - who acts when, as the players order it in this round."""
    table, state = writer.table, steps[-1].after[0]
    allies: list[str] = []
    types: list[str] = []
    after: Mapping = {}
    for step in rest:
        if step.proc == Proc.ROUND_FATE:
            break
        for _, figure, *_ in step.events(Event.TURN):
            if figure < N_ALLIES:
                allies.append(table.allies[figure])
            else:
                types.append(table.types[int(step.after[0]["enemy"][figure - N_ALLIES]["type"])])
        if step.decision == Decision.AFTER_ALLY and step.block == Block.ALLY:
            after[table.allies[step.index]] = table.allies[step.subject]
    uses: Mapping = {}  # After-an-Ally alone is said by whom it follows
    for a, name in enumerate(table.allies):
        ally = state["ally"][a]
        acts = ally["kind"] == Kind.HERO and ally["area"] >= 0 and not ally["exhausted"]
        chosen = (
            ally["uses"] in (Special.FIRST, Special.LAST)
            or len(specials_of(int(ally["special"]))) > 1
        )
        if acts and ally["uses"] and chosen:
            uses[name] = Special(int(ally["uses"])).name.lower()
    given: Mapping = {"card": table.bars(int(state["card"]))}
    for key, part in (("allies", [*allies, *table.allies]), ("types", [*types, *table.types])):
        given[key] = [*dict.fromkeys(part)]
    verb = Verb("initiative", given | non_default(uses=uses, after=after), steps[-1])
    return Segment(steps, [lambda: Transcript([verb])], "the order of turns")


# ---- the end of a round -------------------------------------------------------------------------
def end_of_round(writer: TurnWriter, part: list[EventStep]) -> list[Segment]:
    """R5.18, R5.20 - the Fate card, the timer, events, and what ends with the round."""
    last = next((k for k, step in enumerate(part) if step.proc == Proc.ROUND_END), len(part) - 1)
    part = part[: last + 1]
    segments = [_fate(writer, part[0])]
    events = [step for step in part[1:] if step.proc != Proc.ROUND_END]
    if any(step.rows for step in events):
        segments.append(Segment(events, [lambda: writer.bookkeeping(events)], "scenario events"))
    if part[-1].proc == Proc.ROUND_END:
        over = [Verb("next_round", {})] if not part[-1].after[0]["ending"] else []
        segments.append(Segment(part[-1:], [lambda: Transcript(over)], "the round ends"))
    return segments


def _fate(writer: TurnWriter, step: EventStep) -> Segment:
    """R5.18, R19.1 to R19.5 - the Fate card, and the timer that it feeds."""
    before, after, content = step.before[0], step.after[0], writer.content
    verbs: list[Verb] = []
    if content["timer_round"] > 0 and before["round"] == content["timer_round"]:
        verbs.append(Verb("timer", {"start": int(content["timer_target"])}))
    given: Mapping = {}
    if after["reshuffled"]:
        deck = after["fate"][: int(after["n_fate"])]
        given["shuffled"] = [int(after["fate_card"]), *(int(value) for value in deck)]
    strikes = bool(step.events(Event.TIMER))
    verbs.append(Verb("fate", given, step, unasserted=("sum",) if strikes else ()))
    if strikes:
        ends: Mapping = {"reset": True} if content["timer_repeats"] else {"stop": True}
        verbs.append(Verb("timer", ends))
    return Segment([step], [lambda: Transcript(verbs)], "the Fate card")
