"""The event log as sentences. Names are read from the state after the events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from agemonia_env.core.event_log import LogRow, Rows, sentences
from agemonia_env.display.names import named, word

from ..content.compile import Compiled
from ..core.layout import FACE_EXTRA, FACE_SYMBOL, N_ALLIES
from ..core.terms import Colour, Condition, Die, Ending, Event, Eye, Movement, Roll, Special, Way
from .labels import (
    ENDINGS,
    ally_name,
    area_name,
    enemy_name,
    figure_name,
    item_name,
    story_name,
    token_name,
)

# {who} is the figure, {area} the area, {n} the amount, {item}, {passive}, ... what it names.
SENTENCES: dict[Event, str] = {
    Event.TRAP: "a trap goes off in {area}",
    Event.EXHAUSTED: "{who} is exhausted",
    Event.DEFEAT: "{who} is defeated",
    Event.TIMER: "the timer strikes",
    Event.SPAWN: "{who} appears in {area}",
    Event.ROUND: "round {n} begins",
    Event.FATE: "the Fate card is a {n}",
    Event.FALL: "{who} falls",
    Event.LOSE: "{who} loses {n} stamina",
    Event.DAMAGE: "{who} takes {n} damage",
    Event.RESTORE: "{who} restores {n} stamina",
    Event.HEAL: "{who} heals {n}",
    Event.SUMMON: "{who} is summoned into {area}",
    Event.UNWOUND: "{who} is no longer wounded",
    Event.REVIVE: "{who} stands up again",
    Event.DISARMED: "{who} disarms the trap in {area}",
    Event.TRAP_SET: "a trap is set in {area}",
    Event.PORTAL: "{who} places a teleport token in {area}",
    Event.RECALL: "{who} is taken back",
    Event.STORY_TOKEN: "{who} puts tokens on the Story card: {n}",
    Event.STRIKE: "{who} attacks",
    Event.SCENARIO: "{event}",
    Event.STORY: "{who} sets off {story} in {area}",
    Event.INJURY: "{who} is wounded: {injury}",
    Event.TRAP_CARD: "the trap is {trap}",
    Event.SELECT: "{who} chooses {token}",
    Event.LOCK: "{who} locks stamina on {passive}",
    Event.UNLOCK: "{who} ends {passive}",
    Event.PROVOKE: "{enemy} provokes {who}",
    Event.TAKE: "{who} takes {item}",
    Event.DROP: "{who} drops {item}",
    Event.GIVE: "{ally} gives {item} to {who}",
    Event.USE: "{who} uses {item}",
    Event.BOOST: "{who} discards {item} for the check",
    Event.RIDE: "{who} uses {item} for the attack",
    Event.MANEUVER: "{who} spends a maneuver",
}
STEPS: dict[Way, str] = {
    Way.WALK: "{who} goes to {area}",
    Way.CLIMB: "{who} climbs to {area}",
    Way.JUMP: "{who} jumps to {area}",
    Way.TELEPORT: "{who} teleports to {area}",
    Way.TOKEN: "{who} goes by teleport token to {area}",
    Way.PUSHED: "{who} is pushed into {area}",
    Way.PULLED: "{who} is pulled into {area}",
    Way.PUT_BACK: "{who} is put back into {area}",
}
MOVES: dict[Movement, str] = {
    Movement.MANEUVER: "{who} moves: {n} {points}",
    Movement.RETHINK: "",  # it has a row of its own
    Movement.EFFECT: "{who} may go {n} {areas}",
}
ROLLS: dict[Roll, str] = {
    Roll.ATTACK: "for the attack",
    Roll.ACTIVE: "for the check",
    Roll.REACTIVE: "against it",
    Roll.RECOVERY: "",
}
FACES = {FACE_EXTRA: "1+"}
SYMBOLS = {Die.ACTION: "S", Die.REACTION: "H"}
GEMS = ("Inspiration", "Achievement")
HIDDEN = frozenset(  # said by other rows, or by the player
    {
        *(Event.NONE, Event.CHOICE, Event.EFFECT, Event.ATTACK, Event.TURN_END),
        *(Event.ENEMY_ACTS, Event.CONSEQUENCE),
    }
)


def event_texts(rows: Rows, state: np.void, compiled: Compiled) -> list[str]:
    """Describe the events, one sentence each; the last one counts rows that were lost."""
    return sentences(rows, lambda found: _texts(found, state, compiled))


def _texts(rows: Sequence[LogRow], state: np.void, compiled: Compiled) -> Iterable[str]:
    """One sentence for each row, dice of one roll together."""
    k = 0
    while k < len(rows):
        row = rows[k]
        k += 1
        event = Event(row.event)
        if event == Event.ROLL:
            dice = []
            while k < len(rows) and rows[k].event in (Event.DIE, Event.GEM, Event.DISCARD):
                if rows[k].event == Event.DIE:
                    dice.append(_face(rows[k]))
                else:
                    yield _text(rows[k], state, compiled)
                k += 1
            yield _roll_text(row, dice, state, compiled)
        elif event == Event.DIE:  # of a roll begun before the last decision, or rolled again
            dice = [_face(row)]
            while k < len(rows) and rows[k].event == Event.DIE:
                dice.append(_face(rows[k]))
                k += 1
            yield f"{figure_name(state, compiled, row.figure)} rolls {', '.join(dice)}"
        elif event == Event.STRIKE and _hits_nobody(rows[k:]):
            yield f"{figure_name(state, compiled, row.figure)} finds nobody to attack"
        elif event not in HIDDEN:
            yield _text(row, state, compiled)


def _hits_nobody(later: Sequence[LogRow]) -> bool:
    """Whether the rows after an Enemy's attack began show that it had no target."""
    for row in later:
        if row.event == Event.TARGET:
            return False
        if row.event in (Event.TURN_END, Event.STRIKE):
            return True
    return False  # a question comes first


def _face(row: LogRow) -> str:
    """A face of a die, as people write it."""
    _, _, die, _, face, _ = row
    return SYMBOLS[Die(die)] if face == FACE_SYMBOL else FACES.get(face, str(face))


def _roll_text(row: LogRow, dice: list[str], state: np.void, compiled: Compiled) -> str:
    """A roll: what for, and what it shows if that is known already."""
    _, figure, use, _, count, _ = row
    who = figure_name(state, compiled, figure)
    purpose = ROLLS[Roll(use)]
    if dice:
        return f"{who} rolls {', '.join(dice)} {purpose}".rstrip()
    return f"{who} has {count} {'die' if count == 1 else 'dice'} {purpose}".rstrip()


def _text(row: LogRow, state: np.void, compiled: Compiled) -> str:
    """The sentence of one row; empty for what goes without saying."""
    event, figure, amount, place, _, _ = row
    kind, names = Event(event), compiled.names
    sentence = SENTENCES.get(kind)
    if kind == Event.STEP:
        sentence = STEPS.get(Way(max(0, amount)), "")
    if kind == Event.MOVE:
        sentence = MOVES[Movement(place)]
    if sentence is None:
        return _special_text(row, state, compiled)
    return sentence.format(
        who=figure_name(state, compiled, figure),
        area=area_name(compiled, place),
        n=amount,
        item=item_name(compiled, amount),
        passive=named(names.passives, amount),
        injury=named(names.injuries, amount),
        event=named(names.events, amount),
        trap=named(names.traps, amount),
        story=story_name(compiled, amount),
        token=token_name(compiled, figure, amount),
        enemy=enemy_name(state, compiled, amount),
        ally=ally_name(compiled, place),
        points="point" if amount == 1 else "points",
        areas="area" if amount == 1 else "areas",
    )


def _special_text(row: LogRow, state: np.void, compiled: Compiled) -> str:
    """The sentence of a row whose amount is not a plain number."""
    event, figure, amount, place, other, _ = row
    who = figure_name(state, compiled, figure)
    match event:
        case Event.SUCCESS | Event.FAILURE:
            ended = "won" if event == Event.SUCCESS else "lost"
            return f"the scenario is {ended}: {ENDINGS[Ending(max(0, amount))]}"
        case Event.CARD:
            return f"Initiative card {amount + 1} is turned"
        case Event.TURN:
            return _turn_text(who, figure, amount)
        case Event.RETHINK:
            return f"{who} rethinks: " + ("restore 1 stamina" if amount else "1 movement point")
        case Event.RECOVER:
            return f"{who} recovers " + ("from damage" if amount else "stamina")
        case Event.ACT:
            rows = compiled.content[0]["sheet"][figure]["token"].tolist()
            known = amount in rows
            name = token_name(compiled, figure, rows.index(amount)) if known else "an action"
            return f"{who} performs {name}"
        case Event.TARGET:
            return f"{who} is attacked" + (f" for {amount}" if amount >= 0 else "")
        case Event.SPEND:
            return f"{who} spends {amount} stamina" + (", which turns red" if other == 1 else "")
        case Event.GAIN:
            return f"{who} is {word(Condition(amount))}"
        case Event.DISCARD:
            return f"{who} is no longer {word(Condition(amount))}"
        case Event.CHECK:
            return _check_text(who, amount, place, other)
        case Event.WEAR:
            return f"{who} puts {item_name(compiled, amount)} " + ("to use" if other else "away")
        case Event.ROPE:
            fixes = "fixes a rope to" if amount else "takes back the rope to"
            return f"{who} {fixes} {area_name(compiled, place)}"
        case Event.PUSH:
            moved = "pushed away from" if amount > 0 else "pulled towards"
            return f"{who} is {moved} {area_name(compiled, place)} by {abs(amount)}"
        case Event.GEM:
            return f"{who} {'gains' if other else 'discards'} an {GEMS[amount]} gem"
        case Event.SPECIAL:
            return f"{who} uses the initiative {word(Special(amount))}"
        case Event.COLOUR:
            return f"{who} takes the colour {word(Colour(amount)).lower()}"
        case _:
            return ""


def _turn_text(who: str, figure: int, signs: int) -> str:
    """A turn begins; an Enemy's with what its bar shows."""
    if figure < N_ALLIES:
        return f"{who} takes its turn"
    shown = [Eye(signs & 3).name.lower(), *["horns"] * (signs >> 2 & 1), *["snake"] * (signs >> 3)]
    return f"{who} takes its turn ({' + '.join(shown)})"


def _check_text(who: str, total: int, number: int, success: int) -> str:
    """A check: passed or not, or what it keeps off."""
    if success < 0:
        return f"{who} keeps off {min(number, max(0, total))} of {number}"
    return f"{who} {'passes' if success else 'fails'} the check: {total} of {number}"
