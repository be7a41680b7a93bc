"""Objectives that a party can never meet, or that are met before anybody has moved (R19.12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from ..core.terms import Op
from . import schema
from .builder import Builder
from .events import Brought, Course
from .party import Grown


def having(heroes: int) -> str:
    """A party in words: `with 2 Heroes`."""
    return f"with {heroes} {'Hero' if heroes == 1 else 'Heroes'}"


@dataclass(frozen=True)
class Goals:
    """The objective of a scenario, for one party and difficulty.

    builder: with everything that takes part. letters: of the areas, by index.
    """

    course: Course
    party: Sequence[Grown]
    builder: Builder
    letters: Sequence[str]

    @property
    def card(self) -> schema.Scenario:
        """The scenario's card."""
        return self.course.card

    def problems(self) -> Iterator[str]:
        """What is wrong, as `key: what`; counts are the most that there can be, inf = no end."""
        goal, most, party = self.card.objective, self._most(), having(len(self.party))
        if goal.kind == "escort" and not most:
            yield f"objective.ally: {goal.ally} never joins; an effect `join` would bring it"
        elif goal.kind == "defeat_type" and not most:
            yield f"objective.type: no {goal.type} ever comes {party}"
        elif most < goal.number:
            yield f"objective.number: {goal.number} can never be reached {party}; at most: {most}"
        elif self._is_met():
            yield f"objective: {goal.kind} is met {party} before anybody has moved"
        elif goal.kind == "defeat_all" and (late := self._too_late()):
            yield f"objective: defeat_all can never be met {party}; the scenario ends before {late}"

    # ---- never ------------------------------------------------------------------------------
    def _most(self) -> float:
        """The most that there can be of what the objective counts."""
        goal = self.card.objective
        match goal.kind:
            case "defeat_type":
                return self._figures()[str(goal.type)]
            case "collect":
                return self._items(str(goal.item))
            case "disarm":
                return self._traps()
            case "advance":
                return sum(times * (effect.advance or 0) for effect, times in self._brought())
            case "hold":
                return self.course.rounds
            case "escort":
                slot = self.builder.ally_slot(str(goal.ally))
                joined = [effect.join.ally for effect, _ in self._brought() if effect.join]
                comes = goal.ally in joined or self._has_effect(Op.SUMMON_ALLY, slot)
                return int(comes or self.builder.record["start"][slot] >= 0)
        return inf

    def _brought(self) -> Brought:
        """What events and sections do, and how often."""
        return self.course.brought(self.course.events)

    def _figures(self) -> Counter[str]:
        """Enemies that can come, by type."""
        return self.course.figures(self.course.events)

    def _items(self, item: str) -> float:
        """Items of a kind: on the map, brought, carried, or left by Enemies."""
        found: float = sum(area.items.count(item) for area in self.card.map.areas.values())
        found += sum(hero.items.count(item) for hero in self.party)
        for effect, times in self._brought():
            found += times if effect.item is not None and effect.item.item == item else 0
        for name, number in self._figures().items():
            defeat = self.course.pack.enemies[name].card.defeat
            found += number if defeat is not None and defeat.leave == item else 0
        return found

    def _traps(self) -> float:
        """Traps on the map, brought, or set by anybody."""
        if self._has_effect(Op.SET_TRAP):
            return inf
        there = sum(area.trap for area in self.card.map.areas.values())
        return there + sum(times for effect, times in self._brought() if effect.trap)

    def _has_effect(self, op: Op, subject: int | None = None) -> bool:
        """Whether anything that takes part does this, with this subject."""
        rows = self.builder.record["effect"]
        done = zip(rows["op"].tolist(), rows["a"].tolist(), strict=True)  # as records: 1 ms
        return any(one == op and subject in (None, whom) for one, whom in done)

    # ---- at once ----------------------------------------------------------------------------
    def _is_met(self) -> bool:
        """Whether the objective is met as the scenario begins."""
        goal, start = self.card.objective, self.builder.record["start"]
        there = [start[k] >= 0 and self.letters[start[k]] in goal.areas for k in range(len(start))]
        match goal.kind:
            case "defeat_all":
                return not self.course.placed and not self._awaited()
            case "reach":
                return all(there[: len(self.party)])
            case "escort":
                return there[self.builder.ally_slot(str(goal.ally))]
            case "collect":
                bearers = zip(self.party, there, strict=False)
                counted = [hero for hero, here in bearers if here or not goal.areas]
                return sum(hero.hero.items.count(str(goal.item)) for hero in counted) >= goal.number
        return False

    def _awaited(self) -> dict[str, schema.EventCard]:
        """Events that are sure to bring Enemies, by key: see `ending.is_event_due`."""
        timer = self.card.timer
        return {
            f"events[{i}]": event
            for i, event in enumerate(self.card.events)
            if event.when == "round" or (event.when == "timer" and timer and not timer.repeats)
            if any(effect.reinforce is not None for effect in event.effects)
        }

    def _too_late(self) -> str:
        """The key of an awaited event after which no Enemy can be defeated; "" if there is none."""
        stopped = any(effect.stop_timer for effect, _ in self._brought())
        for key, event in self._awaited().items():
            if event.when == "round" and event.number >= self.course.rounds:
                return key
            if event.when == "timer" and event not in self.course.events and not stopped:
                return key
        return ""
