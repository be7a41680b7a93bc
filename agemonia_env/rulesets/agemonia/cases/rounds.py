"""What is told of a round besides turns: selection and Initiative card, Fate card and events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agemonia_env.rulesets.case_files import Plain

from ..core.actions import Block
from ..core.layout import N_ALLIES
from ..core.terms import Colour, Decision, Event, Kind, Proc, Special
from .position import Mapping, specials_of
from .record import Beat
from .trace_writer import Passage, Telling, Verb
from .turns import Teller

Piece = tuple[str, list[str], list[Passage]]


def round_pieces(teller: Teller, part: list[Beat], rest: Sequence[Beat]) -> Iterator[Piece]:
    """The end of a round, or the beginning of one; `rest` of the game tells who acts when."""
    if part[0].proc == Proc.ROUND_FATE:
        yield "end", ["R5.18", "R5.20"], end_of_round(teller, part)
    elif any(beat.proc == Proc.ROUND_REVEAL for beat in part):
        yield "selection", ["R5.2", "R5.7", "R5.14"], selection(teller, part, rest)


# ---- selection and Initiative card --------------------------------------------------------------
def selection(teller: Teller, part: list[Beat], rest: Sequence[Beat]) -> list[Passage]:
    """R5.2 to R5.15 - every choice, the card, and the order of all turns with it."""
    chosen = [beat for beat in part if beat.events(Event.SELECT)]
    passages = [_choice(teller, beat) for beat in chosen]
    later = part[part.index(chosen[-1]) + 1 :] if chosen else part
    turned = next(k for k, beat in enumerate(later) if beat.proc == Proc.ROUND_REVEAL)
    passages += [_colour(teller, beat) for beat in later if beat.events(Event.COLOUR)]
    passages.append(_card(teller, later[: turned + 1]))
    openings = [beat for beat in later[turned + 1 :] if beat.decision == Decision.OPENING]
    passages += [_opening(teller, beat) for beat in openings if beat.block == Block.ITEM]
    settled = [beat for beat in later if beat.proc in BEFORE_TURNS]
    passages.append(_order(teller, settled, rest))
    return passages


BEFORE_TURNS = (Proc.ROUND_REVEAL, Proc.OPENING_NEXT, Proc.SPECIAL_NEXT)


def _chosen(teller: Teller, state: Any, a: int) -> Verb:
    """R5.2 - the action of a Hero with its colour and special initiatives."""
    ally = state["ally"][a]
    given: Mapping = {
        "who": teller.table.allies[a],
        "action": teller.table.action(a, int(ally["token"])),
        "colour": Colour(int(ally["colour"])).name.lower(),
    }
    special = specials_of(int(ally["special"]))
    return Verb("choose", given | ({"special": special} if special else {}))


def _choice(teller: Teller, beat: Beat) -> Passage:
    """A Hero chooses its action."""
    a = beat.events(Event.SELECT)[0][1]
    verb = _chosen(teller, beat.after[0], a)
    return Passage([beat], [lambda: Telling([verb])], f"{teller.table.allies[a]} chooses")


def _colour(teller: Teller, beat: Beat) -> Passage:
    """R5.6 - a Hero takes another colour for stamina."""
    a = beat.events(Event.COLOUR)[0][1]
    verbs = [*teller.bookkeeping([beat]).verbs, _chosen(teller, beat.after[0], a)]
    return Passage([beat], [lambda: Telling(verbs)], f"{teller.table.allies[a]} takes a colour")


def _opening(teller: Teller, beat: Beat) -> Passage:
    """R15.9 - an item gives a special initiative."""
    a = beat.asked
    verbs = [*teller.bookkeeping([beat]).verbs, _chosen(teller, beat.after[0], a)]
    return Passage([beat], [lambda: Telling(verbs)], f"{teller.table.allies[a]} opens the round")


def _card(teller: Teller, beats: list[Beat]) -> Passage:
    """R5.7 - the card is turned, after a shuffle if one is due."""
    state = beats[-1].after[0]
    given: Mapping = {}
    if state["reshuffled"]:
        deck = state["initiative"][: int(state["n_initiative"])]
        cards = [int(state["card"]), *(int(card) for card in deck)]
        given["shuffled"] = [teller.table.cards[card] for card in cards]
    verb = Verb("reveal", given, beats[-1], unsaid=("card",))
    return Passage(beats, [lambda: Telling([verb])], "the Initiative card")


def _order(teller: Teller, beats: list[Beat], rest: Sequence[Beat]) -> Passage:
    """R5.14, R5.15, R15.4 - who acts when, as the players order it in this round."""
    table, state = teller.table, beats[-1].after[0]
    allies: list[str] = []
    types: list[str] = []
    after: Mapping = {}
    for beat in rest:
        if beat.proc == Proc.ROUND_FATE:
            break
        for _, figure, *_ in beat.events(Event.TURN):
            if figure < N_ALLIES:
                allies.append(table.allies[figure])
            else:
                types.append(table.types[int(beat.after[0]["enemy"][figure - N_ALLIES]["type"])])
        if beat.decision == Decision.AFTER_ALLY and beat.block == Block.ALLY:
            after[table.allies[beat.index]] = table.allies[beat.subject]
    uses: Mapping = {}  # After-an-Ally alone is said by whom it follows
    for a, name in enumerate(table.allies):
        ally = state["ally"][a]
        acts = ally["kind"] == Kind.HERO and ally["area"] >= 0 and not ally["exhausted"]
        chosen = ally["uses"] in (Special.FIRST, Special.LAST) or len(_specials(ally)) > 1
        if acts and ally["uses"] and chosen:
            uses[name] = Special(int(ally["uses"])).name.lower()
    given: Mapping = {"card": table.bars(int(state["card"]))}
    for key, part in (("allies", [*allies, *table.allies]), ("types", [*types, *table.types])):
        given[key] = [*dict.fromkeys(part)]
    given |= {"uses": uses} if uses else {}
    given |= {"after": after} if after else {}
    verb = Verb("initiative", given, beats[-1])
    return Passage(beats, [lambda: Telling([verb])], "the order of turns")


def _specials(ally: Any) -> list[Plain]:
    """R15.1 - the special initiatives of an Ally."""
    return specials_of(int(ally["special"]))


# ---- the end of a round -------------------------------------------------------------------------
def end_of_round(teller: Teller, part: list[Beat]) -> list[Passage]:
    """R5.18, R5.20 - the Fate card, the timer, events, and what ends with the round."""
    last = next((k for k, beat in enumerate(part) if beat.proc == Proc.ROUND_END), len(part) - 1)
    part = part[: last + 1]
    passages = [_fate(teller, part[0])]
    events = [beat for beat in part[1:] if beat.proc != Proc.ROUND_END]
    if any(beat.rows for beat in events):
        told = Passage(events, [lambda: teller.bookkeeping(events)], "scenario events")
        passages.append(told)
    if part[-1].proc == Proc.ROUND_END:
        over = [Verb("next_round", {})] if not part[-1].after[0]["ending"] else []
        passages.append(Passage(part[-1:], [lambda: Telling(over)], "the round ends"))
    return passages


def _fate(teller: Teller, beat: Beat) -> Passage:
    """R5.18, R19.1 to R19.5 - the Fate card, and the timer that it feeds."""
    before, after, content = beat.before[0], beat.after[0], teller.content
    verbs: list[Verb] = []
    if content["timer_round"] > 0 and before["round"] == content["timer_round"]:
        verbs.append(Verb("timer", {"start": int(content["timer_target"])}))
    given: Mapping = {}
    if after["reshuffled"]:
        deck = after["fate"][: int(after["n_fate"])]
        given["shuffled"] = [int(after["fate_card"]), *(int(value) for value in deck)]
    strikes = bool(beat.events(Event.TIMER))
    verbs.append(Verb("fate", given, beat, unsaid=("sum",) if strikes else ()))
    if strikes:
        ends: Mapping = {"reset": True} if content["timer_repeats"] else {"stop": True}
        verbs.append(Verb("timer", ends))
    return Passage([beat], [lambda: Telling(verbs)], "the Fate card")
