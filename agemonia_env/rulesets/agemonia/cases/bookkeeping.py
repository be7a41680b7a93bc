"""What a game changed, told by the verbs of the format that make just these changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agemonia_env.core.event_log import Row

from ..core.layout import N_ALLIES, N_ENEMIES
from ..core.terms import Decision, Event, Kind, Proc
from .position import ABILITIES, Mapping, Table, conditions_of
from .record import Beat
from .side_effects import (
    BOXES,
    CHECKED,
    STORIES,
    TRAPS,
    are_traps_apart,
    is_of_check,
    trap_told,
    waiting,
)
from .trace_writer import (
    NotTold,
    Telling,
    Verb,
    choices_of,
    dice_of,
    pushes_of,
    reactions_of,
    rows_of,
)
from .world import condition_name

ROLLED = ("pay", "inspiration", "achievement", "blessed")
HANDLED = {Event.TAKE: "take", Event.DROP: "drop", Event.GIVE: "give"}


class Bookkeeper:
    """Verbs for what any passage may bring; the way of last resort."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.content = table.content
        self.trap = -1  # the Trap card that the deck of the case shows; others are told behind
        self.disarms_apart = False  # disarming is told as a check, the trap is not there
        self.start: Any = None  # the state with which the case begins

    def begin(self, beats: Sequence[Beat]) -> None:
        """A piece is to be told."""
        self.disarms_apart = are_traps_apart(beats)
        self.trap = -1 if self.disarms_apart else trap_told(self.table, beats)

    # ---- what no verb has -------------------------------------------------------------------
    def is_aside(self, beat: Beat) -> bool:
        """Whether a beat is told behind the verb of its passage."""
        apart = (*STORIES, *BOXES) if self.trap >= 0 else (*STORIES, *BOXES, *TRAPS)
        apart = (*apart, Proc.TRAP_DISARMED) if self.disarms_apart else apart
        return any(proc in apart for proc in waiting(beat))

    def own(self, beats: Sequence[Beat]) -> list[Beat]:
        """The beats of a verb itself."""
        tries = Decision.DISARM if self.disarms_apart else Decision.NONE
        return [b for b in beats if not self.is_aside(b) and (b.decision != tries or b.action < 0)]

    def apart(self, beats: Sequence[Beat]) -> list[Beat]:
        """The beats that are told behind the verb."""
        return [beat for beat in beats if self.is_aside(beat)]

    def tell_asides(self, telling: Telling, beats: Sequence[Beat]) -> None:
        """R3.14, R19.8, R19.11, R10.41 - checks, and what follows from them."""
        check: list[Beat] = []
        for beat in self.apart(beats):
            if is_of_check(beat):
                check.append(beat)
                continue
            if beat.proc in CHECKED:
                telling.verbs.append(self._active_check(check))
                telling.plain |= beat.proc == Proc.TRAP_DISARMED  # no trap goes off
                check = []
            telling.disturbed |= self._plainly(telling, beat)

    def _active_check(self, beats: list[Beat]) -> Verb:
        """R3.9 to R3.14 - a check of a section or a Trap card."""
        last = next(beat for beat in beats if beat.proc == Proc.CHECK_ACTIVE)
        check = last.before[0]["check"]
        a, ability = int(check["ally"]), int(check["ability"])
        ally = beats[0].before[0]["ally"][a]
        rolls = next(beat.before[0]["roll"] for beat in beats if beat.proc == Proc.ROLL_INSPIRATION)
        dice = int(rolls["dice"]) - self.table.levels(self.start, a)[ability]
        given: Mapping = {
            "who": self.table.allies[a],
            "ability": ABILITIES[ability],
            "number": int(check["number"]),
        }
        modifier, dice = int(check["modifier"]), dice - int(self.table.is_focused(ally))
        given |= {"modifier": modifier} if modifier else {}
        given |= {"dice": dice} if dice else {}
        verb = Verb("active_check", given, last, dice_of(self.table, beats))
        chosen = choices_of(self.table, beats)
        tries = chosen.get("disarm", {})
        for options in (chosen, *(tries.values() if isinstance(tries, dict) else ())):
            assert isinstance(options, dict)
            verb.given |= {key: part for key, part in options.items() if key in ROLLED}
        return verb

    def _reactive_check(self, beats: list[Beat]) -> Verb:
        """R3.15 - a check by itself; what it leaves is told by what it changes."""
        check = beats[-1].before[0]["check"]
        given: Mapping = {
            "who": self.table.allies[int(check["ally"])],
            "ability": ABILITIES[int(check["ability"])],
            "value": int(check["number"]),
        }
        verb = self.verb("reactive_check", given, beats)
        told = verb.given.pop("reaction", {})
        for part in told.values() if isinstance(told, dict) else ():
            assert isinstance(part, dict)
            verb.given |= part
        return verb

    # ---- verbs ------------------------------------------------------------------------------
    def verb(self, name: str, given: Mapping, beats: Sequence[Beat], *keys: str) -> Verb:
        """A verb with the choices made in its beats, of which `keys` are its own parameters."""
        common = ("disarm", "locks", "reaction")
        own = self.own(beats)
        chosen = choices_of(self.table, own)
        added = reactions_of(self.table, self.start, own)
        for figure, parts in added.items():
            reaction = chosen.setdefault("reaction", {})
            assert isinstance(reaction, dict)
            assert isinstance(parts, dict)
            known = reaction.get(figure, {})
            assert isinstance(known, dict)
            reaction[figure] = parts | known
        for key in chosen:
            if key not in (*common, *keys):
                raise NotTold(f"{name} with {key}")
        given = {**given, **chosen}
        if "push_to" in keys and (pushed := pushes_of(self.table, own)):
            given["push_to"] = pushed
        return Verb(name, given, beats[-1], dice_of(self.table, own))

    def ended_locks(self, beats: Sequence[Beat]) -> list[Verb]:
        """R14.4 - locks ended within a verb, in answer to another question, are ended before it.

        Those of a turn's own choices and steps are verbs between others.
        """
        verbs = []
        for beat in beats:
            if beat.ends_lock and beat.decision not in (Decision.TURN, Decision.STEP):
                row = int(beat.before[0]["ally"][beat.asked]["lock_passive"][beat.index])
                who, name = self.table.allies[beat.asked], self.table.passives[row]
                verbs.append(Verb("unlock", {"who": who, "name": name}))
        return verbs

    def lock(self, a: int, row: int, beats: list[Beat]) -> Verb:
        """R14.1 - a passive action or item begins."""
        passive = self.content["passive"][row]
        given: Mapping = {"who": self.table.allies[a], "name": self.table.passives[row]}
        given["amount"] = int(passive["need"])
        reactive = {name: int(passive["reactive"][k]) for k, name in enumerate(ABILITIES)}
        return Verb("lock", given | {"reactive": {**reactive}}, beats[-1])

    def spawn(self, beat: Beat, figure: int, area: int) -> Verb:
        """R10.46 - a new Enemy, in the area in which it came to stand."""
        state = beat.after[0]
        enemy = state["enemy"][figure - N_ALLIES]
        kind = int(enemy["type"])
        given: Mapping = {"name": self.table.enemy(state, figure - N_ALLIES)}
        given["card"] = self.table.card(kind, int(enemy["full"]))
        given["area"] = self.table.areas[area]
        given["supply"] = int(self.content["type"][kind]["supply"])
        return Verb("spawn", given, brings=figure)

    def _lock_row(self, telling: Telling, a: int, row: Row, beat: Beat) -> None:
        """A lock that begins or ends beside an action."""
        if row.event == Event.LOCK:
            telling.verbs.append(self.lock(a, row.amount, [beat]))
        elif beat.before[0]["ally"]["lock_passive"][a].tolist().count(row.amount):
            given: Mapping = {"who": self.table.allies[a], "name": self.table.passives[row.amount]}
            if self.content["passive"][row.amount]["need"] > 0:
                telling.verbs.append(Verb("unlock", given, beat))

    def _handled(self, telling: Telling, a: int, group: list[Beat]) -> None:
        """R17.5 - items taken, dropped and given."""
        table, name = self.table, self.table.allies[a]
        for event, figure, item, giver, _, _ in rows_of(group, *HANDLED):
            given: Mapping = {"who": name, "item": table.items[item]}
            if event == Event.GIVE:
                given = {"who": table.allies[giver], "to": table.allies[figure]}
                given["item"] = table.items[item]
            telling.verbs.append(Verb(HANDLED[Event(event)], given, group[-1]))

    def _spent_maneuver(self, telling: Telling, a: int, state: Any) -> list[Verb]:
        """A maneuver that does nothing, in place of one for which the format has no verb."""
        ally, name = state["ally"][a], self.table.allies[a]
        held, area = conditions_of(int(ally["conditions"])), int(ally["area"])
        crowded = state["used"][area] > self.content["capacity"][area]  # it must leave (Q46)
        if "held" not in held and "slowed" not in held and not crowded:
            return [Verb("move", {"who": name, "path": []})]
        if ally["kind"] == Kind.HERO and not ally["wounds"]:
            return [Verb("recover", {"who": name, "choice": "damage"})]
        telling.silent.add((name, "maneuvers"))
        return []

    def bookkeeping(self, beats: Sequence[Beat]) -> Telling:
        """Every change by a verb that makes just this change, in the order of the event log."""
        telling = Telling([], plain=True)
        check: list[Beat] = []
        for beat in beats:
            if Proc.CHECK_REACTIVE in waiting(beat)[:-1] and not beat.ends_lock:
                check.append(beat)
                continue
            if beat.proc == Proc.CHECK_REACTIVE:
                telling.verbs.append(self._reactive_check([*check, beat]))
                check = []
            self._plainly(telling, beat)
        if beats[0].proc == Proc.TURN_CHOOSE and beats[0].action >= 0:
            self._used(telling, beats)
        self._leave_traps(telling, beats)
        return telling

    def _leave_traps(self, telling: Telling, beats: Sequence[Beat]) -> None:
        """R19.7 - a trap that does not go off, its figure being out of action, is not there."""
        end = beats[-1].after[0]
        for beat in beats:
            for _, _, _, area, _, _ in beat.events(Event.STEP):
                if beat.before[0]["trap"][area] and end["trap"][area]:
                    telling.untrapped.append(self.table.areas[area])
                    telling.hidden.append(self.table.areas[area])

    def _plainly(self, telling: Telling, beat: Beat) -> bool:
        """The changes of one beat. -> whether there are any"""
        told = len(telling.verbs)
        hit = False
        for row in beat.rows:
            hit |= row.event in (Event.DAMAGE, Event.LOSE)
            if not (hit and row.event == Event.UNLOCK):  # it ends by itself (R14.8)
                self._change(telling, beat, row)
        if beat.decision == Decision.FLIP_LOCK and beat.before[0]["flip_chips"]:
            self._flip(telling, beat)
        self._unlogged(telling, beat)
        return len(telling.verbs) > told

    def _flip(self, telling: Telling, beat: Beat) -> None:
        """R14.7 - the lock from which the damage told last takes a chip."""
        hits = [verb for verb in telling.verbs if verb.name in ("damage", "lose")]
        if hits:
            locks = hits[-1].given.setdefault("locks", [])
            assert isinstance(locks, list)
            row = int(beat.before[0]["ally"][beat.asked]["lock_passive"][beat.index])
            locks.append(self.table.passives[row])

    def _unlogged(self, telling: Telling, beat: Beat) -> None:
        """Timers and items that come to lie: there are no rows for them."""
        before, after = beat.before[0], beat.after[0]
        target = int(after["timer_target"])
        if target != before["timer_target"]:
            ends: Mapping = {"start": target} if target > 0 else {"stop": True}
            telling.verbs.append(Verb("timer", ends))
        if beat.proc in (Proc.STORY_NEXT, Proc.EVENT_NEXT):
            for area, name in enumerate(self.table.areas):
                old = self.table.items_of(before["item"][area])
                new = self.table.items_of(after["item"][area])
                telling.lying += [(name, str(item)) for item in new[len(old) :]]

    def _used(self, telling: Telling, beats: Sequence[Beat]) -> None:
        """What a choice takes of the action and the maneuvers of a turn.

        What is missed because of a condition gained meanwhile (Q57) needs no telling.
        """
        state, after = beats[0].before[0], beats[-1].after[0]
        a = int(state["active_ally"])
        if after["active_ally"] != a:
            return
        free = [beat for beat in beats if not beat.events(Event.GAIN)]
        actions = sum(int(b.before[0]["actions"]) - int(b.after[0]["actions"]) for b in free)
        if state["ally"][a]["kind"] == Kind.HERO and actions > 0:
            name = self.table.allies[a]
            telling.verbs.insert(0, Verb("rethink", {"who": name, "path": []}))
        more = sum(int(b.after[0]["maneuvers"]) - int(b.before[0]["maneuvers"]) for b in free)
        telling.jewels += max(0, more)
        if more < 0:
            telling.verbs[:0] = self._spent_maneuver(telling, a, state)

    def _change(self, telling: Telling, beat: Beat, row: Row) -> None:
        """One row of the event log as a verb."""
        event, figure, amount, area, die, _ = row
        table, verbs = self.table, telling.verbs
        if event == Event.SPAWN:
            verbs.append(self.spawn(beat, figure, area))
            return
        name = table.figure(beat.before[0], figure) if figure >= 0 else ""
        to: Mapping = {"to": name}
        match event:
            case Event.SPEND if not die:
                verbs.append(Verb("spend", {"who": name, "amount": amount}))
            case Event.SPEND | Event.DAMAGE:
                verbs.append(Verb("damage", to | {"amount": amount}))
            case Event.LOSE:
                verbs.append(Verb("lose", to | {"amount": amount}))
            case Event.RESTORE | Event.HEAL:
                verbs.append(Verb(Event(event).name.lower(), to | {"amount": amount}))
            case Event.GAIN | Event.DISCARD:
                condition: Mapping = {"condition": condition_name(amount)}
                verbs.append(Verb(Event(event).name.lower(), to | condition))
            case Event.GEM if die:
                kind = "achievement" if amount else "inspiration"
                verbs.append(Verb("gain_gem", to | {"kind": kind}))
            case Event.GEM:
                telling.gems.append((name, "achievement" if amount else "inspiration"))
            case Event.STEP:
                self._displaced(telling, name, figure, area)
            case Event.UNWOUND | Event.REVIVE:
                done = "remove_wounded" if event == Event.UNWOUND else "remove_exhausted"
                verbs.append(Verb(done, to))
            case Event.LOCK | Event.UNLOCK:
                self._lock_row(telling, figure, row, beat)
            case Event.TRAP_SET:
                telling.traps.append(table.areas[area])
            case Event.TRAP | Event.DISARMED:
                telling.untrapped.append(table.areas[area])
            case Event.SUMMON if figure >= N_ALLIES + N_ENEMIES:
                summoned: Mapping = {"name": name, "area": table.areas[area]}
                verbs.append(Verb("summon", summoned, brings=figure))
            case Event.SUMMON:
                card = table.positions(beat.after[0])[name]
                assert isinstance(card, dict)
                telling.present[name] = figure, card
            case Event.TAKE | Event.DROP | Event.GIVE:
                self._handled(telling, int(beat.before[0]["active_ally"]), [beat])

    def _displaced(self, telling: Telling, name: str, figure: int, area: int) -> None:
        """A step without what comes with it."""
        where = self.table.areas[area]
        if self.content["capacity"][area] == 0:
            return  # it only passes
        if figure >= N_ALLIES + N_ENEMIES:
            telling.verbs.append(Verb("walk", {"who": name, "points": 1, "path": [where]}))
        else:
            telling.verbs.append(Verb("teleport", {"who": name, "to": where}))
