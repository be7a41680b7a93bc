"""Bookkeeping: express the changes of a game by verbs that make exactly these changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agemonia_env.core.event_log import Row

from ..core.layout import N_ALLIES, N_ENEMIES
from ..core.terms import Decision, Event, Kind, Proc
from .position import ABILITIES, GameTable, Mapping, conditions_of, non_default
from .record import EventStep
from .side_effects import (
    BOXES,
    CHECKED,
    STORIES,
    TRAPS,
    are_traps_apart,
    expressible_trap,
    is_of_check,
    waiting,
)
from .trace_writer import (
    NotExpressible,
    Transcript,
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
    """Verbs for any change in a segment; the last resort."""

    def __init__(self, table: GameTable) -> None:
        self.table = table
        self.content = table.content
        self.trap = -1  # the Trap card of the case; other cards are written as side effects
        self.disarms_apart = False  # disarming is written as a check, without the trap
        self.start: Any = None  # the state with which the case begins

    def begin(self, steps: Sequence[EventStep]) -> None:
        """Start a piece."""
        self.disarms_apart = are_traps_apart(steps)
        self.trap = -1 if self.disarms_apart else expressible_trap(self.table, steps)

    # ---- side effects -----------------------------------------------------------------------
    def is_side_effect(self, step: EventStep) -> bool:
        """Whether a step is written after the verb of its segment."""
        apart = (*STORIES, *BOXES) if self.trap >= 0 else (*STORIES, *BOXES, *TRAPS)
        apart = (*apart, Proc.TRAP_DISARMED) if self.disarms_apart else apart
        return any(proc in apart for proc in waiting(step))

    def own(self, steps: Sequence[EventStep]) -> list[EventStep]:
        """The steps that the verb itself covers."""
        tries = Decision.DISARM if self.disarms_apart else Decision.NONE
        return [
            b for b in steps if not self.is_side_effect(b) and (b.decision != tries or b.action < 0)
        ]

    def apart(self, steps: Sequence[EventStep]) -> list[EventStep]:
        """The steps that are written after the verb."""
        return [step for step in steps if self.is_side_effect(step)]

    def write_side_effects(self, transcript: Transcript, steps: Sequence[EventStep]) -> None:
        """R3.14, R19.8, R19.11, R10.41 - checks, and what follows from them."""
        check: list[EventStep] = []
        for step in self.apart(steps):
            if is_of_check(step):
                check.append(step)
                continue
            if step.proc in CHECKED:
                transcript.verbs.append(self._active_check(check))
                transcript.plain |= step.proc == Proc.TRAP_DISARMED  # no trap goes off
                check = []
            transcript.disturbed |= self._write_changes(transcript, step)

    def _active_check(self, steps: list[EventStep]) -> Verb:
        """R3.9 to R3.14 - a check of a section or a Trap card."""
        last = next(step for step in steps if step.proc == Proc.CHECK_ACTIVE)
        check = last.before[0]["check"]
        a, ability = int(check["ally"]), int(check["ability"])
        ally = steps[0].before[0]["ally"][a]
        rolls = next(step.before[0]["roll"] for step in steps if step.proc == Proc.ROLL_INSPIRATION)
        dice = int(rolls["dice"]) - self.table.levels(self.start, a)[ability]
        given: Mapping = {
            "who": self.table.allies[a],
            "ability": ABILITIES[ability],
            "number": int(check["number"]),
        }
        modifier, dice = int(check["modifier"]), dice - int(self.table.is_focused(ally))
        given |= non_default(modifier=modifier, dice=dice)
        verb = Verb("active_check", given, last, dice_of(self.table, steps))
        chosen = choices_of(self.table, steps)
        tries = chosen.get("disarm", {})
        for options in (chosen, *(tries.values() if isinstance(tries, dict) else ())):
            verb.given |= {key: part for key, part in options.items() if key in ROLLED}
        return verb

    def _reactive_check(self, steps: list[EventStep]) -> Verb:
        """R3.15 - a check by itself; the rest is written as its changes."""
        check = steps[-1].before[0]["check"]
        given: Mapping = {
            "who": self.table.allies[int(check["ally"])],
            "ability": ABILITIES[int(check["ability"])],
            "value": int(check["number"]),
        }
        verb = self.verb("reactive_check", given, steps)
        reaction = verb.given.pop("reaction", {})
        for part in reaction.values() if isinstance(reaction, dict) else ():
            verb.given |= part
        return verb

    # ---- verbs ------------------------------------------------------------------------------
    def verb(self, name: str, given: Mapping, steps: Sequence[EventStep], *keys: str) -> Verb:
        """A verb with the choices made in its steps, of which `keys` are its own parameters."""
        common = ("disarm", "locks", "reaction")
        own = self.own(steps)
        chosen = choices_of(self.table, own)
        added = reactions_of(self.table, self.start, own)
        for figure, parts in added.items():
            reaction = chosen.setdefault("reaction", {})
            known = reaction.get(figure, {})
            reaction[figure] = parts | known
        for key in chosen:
            if key not in (*common, *keys):
                raise NotExpressible(f"{name} with {key}")
        given = {**given, **chosen}
        if "push_to" in keys and (pushed := pushes_of(self.table, own)):
            given["push_to"] = pushed
        return Verb(name, given, steps[-1], dice_of(self.table, own))

    def ended_locks(self, steps: Sequence[EventStep]) -> list[Verb]:
        """R14.4 - locks ended within a verb, in answer to another question, are ended before it.

        Those of a turn's own choices and steps are verbs between others.
        """
        verbs = []
        for step in steps:
            if step.ends_lock and step.decision not in (Decision.TURN, Decision.STEP):
                row = int(step.before[0]["ally"][step.asked]["lock_passive"][step.index])
                who, name = self.table.allies[step.asked], self.table.passives[row]
                verbs.append(Verb("unlock", {"who": who, "name": name}))
        return verbs

    def lock(self, a: int, row: int, steps: list[EventStep]) -> Verb:
        """R14.1 - a passive action or item begins."""
        passive = self.content["passive"][row]
        given: Mapping = {"who": self.table.allies[a], "name": self.table.passives[row]}
        given["amount"] = int(passive["need"])
        reactive = {name: int(passive["reactive"][k]) for k, name in enumerate(ABILITIES)}
        return Verb("lock", given | {"reactive": {**reactive}}, steps[-1])

    def spawn(self, step: EventStep, figure: int, area: int) -> Verb:
        """R10.46 - a new Enemy, in the area in which it came to stand."""
        state = step.after[0]
        enemy = state["enemy"][figure - N_ALLIES]
        kind = int(enemy["type"])
        given: Mapping = {"name": self.table.enemy(state, figure - N_ALLIES)}
        given["card"] = self.table.card(kind, int(enemy["full"]))
        given["area"] = self.table.areas[area]
        given["supply"] = int(self.content["type"][kind]["supply"])
        return Verb("spawn", given, adds_figure=figure)

    def _lock_row(self, transcript: Transcript, a: int, row: Row, step: EventStep) -> None:
        """A lock that begins or ends beside an action."""
        if row.event == Event.LOCK:
            transcript.verbs.append(self.lock(a, row.amount, [step]))
        elif step.before[0]["ally"]["lock_passive"][a].tolist().count(row.amount):
            given: Mapping = {"who": self.table.allies[a], "name": self.table.passives[row.amount]}
            if self.content["passive"][row.amount]["need"] > 0:
                transcript.verbs.append(Verb("unlock", given, step))

    def _handled(self, transcript: Transcript, a: int, group: list[EventStep]) -> None:
        """R17.5 - items taken, dropped and given."""
        table, name = self.table, self.table.allies[a]
        for event, figure, item, giver, _, _ in rows_of(group, *HANDLED):
            given: Mapping = {"who": name, "item": table.items[item]}
            if event == Event.GIVE:
                given = {"who": table.allies[giver], "to": table.allies[figure]}
                given["item"] = table.items[item]
            transcript.verbs.append(Verb(HANDLED[Event(event)], given, group[-1]))

    def _spent_maneuver(self, transcript: Transcript, a: int, state: Any) -> list[Verb]:
        """A maneuver without effect, instead of one for which the format has no verb."""
        ally, name = state["ally"][a], self.table.allies[a]
        held, area = conditions_of(int(ally["conditions"])), int(ally["area"])
        crowded = state["used"][area] > self.content["capacity"][area]  # it must leave (Q46)
        if "held" not in held and "slowed" not in held and not crowded:
            return [Verb("move", {"who": name, "path": []})]
        if ally["kind"] == Kind.HERO and not ally["wounds"]:
            return [Verb("recover", {"who": name, "choice": "damage"})]
        transcript.silent.add((name, "maneuvers"))
        return []

    def bookkeeping(self, steps: Sequence[EventStep]) -> Transcript:
        """Every change as a verb of its own, in the order of the event log."""
        transcript = Transcript([], plain=True)
        check: list[EventStep] = []
        for step in steps:
            if Proc.CHECK_REACTIVE in waiting(step)[:-1] and not step.ends_lock:
                check.append(step)
                continue
            if step.proc == Proc.CHECK_REACTIVE:
                transcript.verbs.append(self._reactive_check([*check, step]))
                check = []
            self._write_changes(transcript, step)
        if steps[0].proc == Proc.TURN_CHOOSE and steps[0].action >= 0:
            self._used(transcript, steps)
        self._leave_traps(transcript, steps)
        return transcript

    def _leave_traps(self, transcript: Transcript, steps: Sequence[EventStep]) -> None:
        """R19.7 - remove a trap that does not go off because its figure is out of action."""
        end = steps[-1].after[0]
        for step in steps:
            for _, _, _, area, _, _ in step.events(Event.STEP):
                if step.before[0]["trap"][area] and end["trap"][area]:
                    transcript.untrapped.append(self.table.areas[area])
                    transcript.hidden.append(self.table.areas[area])

    def _write_changes(self, transcript: Transcript, step: EventStep) -> bool:
        """The changes of one step. -> whether there are any"""
        before = len(transcript.verbs)
        hit = False
        for row in step.rows:
            hit |= row.event in (Event.DAMAGE, Event.LOSE)
            if not (hit and row.event == Event.UNLOCK):  # it ends by itself (R14.8)
                self._change(transcript, step, row)
        if step.decision == Decision.FLIP_LOCK and step.before[0]["flip_chips"]:
            self._flip(transcript, step)
        self._unlogged(transcript, step)
        return len(transcript.verbs) > before

    def _flip(self, transcript: Transcript, step: EventStep) -> None:
        """R14.7 - the lock from which the last damage takes a chip."""
        hits = [verb for verb in transcript.verbs if verb.name in ("damage", "lose")]
        if hits:
            row = int(step.before[0]["ally"][step.asked]["lock_passive"][step.index])
            hits[-1].given.setdefault("locks", []).append(self.table.passives[row])

    def _unlogged(self, transcript: Transcript, step: EventStep) -> None:
        """Timers and items placed on the map, which have no rows in the event log."""
        before, after = step.before[0], step.after[0]
        target = int(after["timer_target"])
        if target != before["timer_target"]:
            ends: Mapping = {"start": target} if target > 0 else {"stop": True}
            transcript.verbs.append(Verb("timer", ends))
        if step.proc in (Proc.STORY_NEXT, Proc.EVENT_NEXT):
            for area, name in enumerate(self.table.areas):
                old = self.table.items_of(before["item"][area])
                new = self.table.items_of(after["item"][area])
                transcript.lying += [(name, str(item)) for item in new[len(old) :]]

    def _used(self, transcript: Transcript, steps: Sequence[EventStep]) -> None:
        """The action and the maneuvers that a choice uses up.

        Those missed because of a condition gained meanwhile (Q57) need no verb.
        """
        state, after = steps[0].before[0], steps[-1].after[0]
        a = int(state["active_ally"])
        if after["active_ally"] != a:
            return
        free = [step for step in steps if not step.events(Event.GAIN)]
        actions = sum(int(b.before[0]["actions"]) - int(b.after[0]["actions"]) for b in free)
        if state["ally"][a]["kind"] == Kind.HERO and actions > 0:
            name = self.table.allies[a]
            transcript.verbs.insert(0, Verb("rethink", {"who": name, "path": []}))
        more = sum(int(b.after[0]["maneuvers"]) - int(b.before[0]["maneuvers"]) for b in free)
        transcript.jewels += max(0, more)
        if more < 0:
            transcript.verbs[:0] = self._spent_maneuver(transcript, a, state)

    def _change(self, transcript: Transcript, step: EventStep, row: Row) -> None:
        """One row of the event log as a verb."""
        event, figure, amount, area, die, _ = row
        table, verbs = self.table, transcript.verbs
        if event == Event.SPAWN:
            verbs.append(self.spawn(step, figure, area))
            return
        name = table.figure(step.before[0], figure) if figure >= 0 else ""
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
                transcript.gems.append((name, "achievement" if amount else "inspiration"))
            case Event.STEP:
                self._displaced(transcript, name, figure, area)
            case Event.UNWOUND | Event.REVIVE:
                done = "remove_wounded" if event == Event.UNWOUND else "remove_exhausted"
                verbs.append(Verb(done, to))
            case Event.LOCK | Event.UNLOCK:
                self._lock_row(transcript, figure, row, step)
            case Event.TRAP_SET:
                transcript.traps.append(table.areas[area])
            case Event.TRAP | Event.DISARMED:
                transcript.untrapped.append(table.areas[area])
            case Event.SUMMON if figure >= N_ALLIES + N_ENEMIES:
                summoned: Mapping = {"name": name, "area": table.areas[area]}
                verbs.append(Verb("summon", summoned, adds_figure=figure))
            case Event.SUMMON:
                card = table.positions(step.after[0])[name]
                transcript.present[name] = figure, card
            case Event.TAKE | Event.DROP | Event.GIVE:
                self._handled(transcript, int(step.before[0]["active_ally"]), [step])

    def _displaced(self, transcript: Transcript, name: str, figure: int, area: int) -> None:
        """A step into an area, without its consequences."""
        where = self.table.areas[area]
        if self.content["capacity"][area] == 0:
            return  # it only passes
        if figure >= N_ALLIES + N_ENEMIES:
            transcript.verbs.append(Verb("walk", {"who": name, "points": 1, "path": [where]}))
        else:
            transcript.verbs.append(Verb("teleport", {"who": name, "to": where}))
