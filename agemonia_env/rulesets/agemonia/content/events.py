"""Scenario events that can never happen, and keys of a scenario that change nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import inf

from ..core.layout import N_HEROES_MAX
from . import schema
from .difficulty import PLAIN, changed_ends
from .pack import Pack
from .references import additions, consequences, spawns

Brought = Iterator[tuple[schema.Consequence, float]]  # what happens, and how often at most


@dataclass(frozen=True)
class Course:
    """What can happen in a scenario, for one number of heroes and difficulty; inf = no end."""

    pack: Pack
    card: schema.Scenario
    heroes: int
    change: schema.Difficulty

    @cached_property
    def rounds(self) -> float:
        """The last round that can be played."""
        goal, last = self.card.objective, changed_ends(self.card, self.change)["last_round"] or inf
        return min(goal.number, last) if goal.kind == "hold" else last

    @cached_property
    def placed(self) -> list[schema.Placement]:
        """Enemies at set-up."""
        both = [*self.card.setup, *self.change.setup]
        return [one for one in both if one.min_heroes <= self.heroes <= one.max_heroes]

    @property
    def has_timer(self) -> bool:
        """Whether the timer of the scenario's card starts."""
        return self.card.timer is not None and self.card.timer.round <= self.rounds

    def timer_most(self, timer: schema.Timer) -> int:
        """The highest sum that the timer can reach, with the best Fate cards."""
        first = 1 if self._is_restarted else timer.round
        values = sorted(self.pack.fate.values, reverse=True)
        return sum(value for i, value in enumerate(values, first) if i <= self.rounds)

    @cached_property
    def _is_restarted(self) -> bool:
        """Whether an effect starts the timer, perhaps before its own round."""
        return any(effect.start_timer for _, effect in consequences(self.card))

    @cached_property
    def events(self) -> list[schema.EventCard]:
        """Scenario events that can happen; some bring the Enemies that others wait for."""
        found: list[schema.EventCard] = []
        rest = self.card.events
        while more := [one for one in rest if one not in found and self._happens(one, found)]:
            found += more
        return found

    def _happens(self, event: schema.EventCard, before: Sequence[schema.EventCard]) -> bool:
        """Whether an event can happen after these."""
        match event.when:
            case "round":
                return event.number <= self.rounds
            case "timer":
                started = any(effect.start_timer for effect, _ in self.brought(before))
                return started or self.has_timer
            case "defeat":
                return self.figures(before)[str(event.type)] >= event.number
            case "tokens":
                enemies = [self.pack.enemies[name].card for name in self.figures(before)]
                parts = [(*additions(one).values(), *one.abilities.values()) for one in enemies]
                return any(part.story_token for part in chain.from_iterable(parts))
        return True

    def brought(self, events: Sequence[schema.EventCard]) -> Brought:
        """What events and sections do that helps: after the last round's Fate card nobody acts."""
        timer = self.card.timer
        again = self._is_restarted or (timer is not None and timer.repeats)
        for event in events:
            times = self.rounds if event.when == "timer" and again else 1
            late = event.when == "round" and event.number >= self.rounds
            for effect in event.effects:
                if not (late and (effect.reinforce or effect.trap or effect.item)):
                    yield effect, times
        for section in self.card.sections.values():
            again = section.repeats
            yield from ((effect, inf if again else 1) for effect in section.effects)
            again |= section.trigger == "choice"  # P13: a failure leaves it open
            yield from ((effect, inf if again else 1) for effect in section.failed)

    def figures(self, events: Sequence[schema.EventCard]) -> Counter[str]:
        """Enemies by type: placed, as reinforcements, or spawned by those that come."""
        found: Counter[str] = Counter()
        for placement in self.placed:
            found[placement.type] += placement.amount
        for effect, times in self.brought(events):
            if (new := effect.reinforce) is not None:
                amount = new.amount * (self.heroes if new.per_hero else 1)
                found[new.type] += times * amount  # type: ignore[assignment]
        coming = list(found)
        for name in coming:
            for _, spawned in spawns(self.pack.enemies[name].card):
                coming += [spawned] if spawned not in coming else []
                found[spawned] = inf  # type: ignore[assignment]
        return found


# ---- mistakes ---------------------------------------------------------------------------------
def event_mistakes(pack: Pack) -> Iterator[str]:
    """Mistakes of all scenarios, as `file: key: what is wrong`, if names are right."""
    for name, card in pack.scenarios.items():
        yield from (f"scenarios/{name}.yaml: {text}" for text in _unused(card))
        yield from (f"scenarios/{name}.yaml: {text}" for text in _never(pack, card))


def _never(pack: Pack, card: schema.Scenario) -> Iterator[str]:
    """Events and timers that never come, at any party size and difficulty."""
    courses = [
        Course(pack, card, heroes, change)
        for heroes in range(1, N_HEROES_MAX + 1)
        for change in [*card.difficulty.values()] or [PLAIN]
    ]
    last, timer = max(course.rounds for course in courses), card.timer
    if timer is not None and timer.round > last:
        yield f"timer.round: round {timer.round} never comes; allowed: 1 to {last}"
    happening = [event for course in courses for event in course.events]
    for i, event in enumerate(card.events):
        if event in happening:
            continue
        if event.when == "round":
            yield f"events[{i}].number: round {event.number} never comes; allowed: 1 to {last}"
        elif event.when == "defeat":
            most = max(one.figures(one.events)[str(event.type)] for one in courses)
            what = f"{event.number} of {event.type} can never be defeated; at most: {most}"
            yield f"events[{i}].number: {what}"
        elif event.when == "tokens":
            yield f"events[{i}].when: no Enemy of this scenario has a story_token"
        elif timer is None:
            yield f"events[{i}].when: no timer runs; `timer` or an effect `start_timer` starts one"


def _unused(card: schema.Scenario) -> Iterator[str]:
    """Keys that nothing in this scenario reads."""
    effects, goal = list(consequences(card)), card.objective.kind
    timers = ["timer"] if card.timer else []
    timers += [f"{key}.start_timer" for key, effect in effects if effect.start_timer]
    if not any(event.when == "timer" for event in card.events):
        what = "nothing happens at its sum; an event `when: timer` does"
        yield from (f"{key}: {what}" for key in timers)
    over = ""  # the list of which an earlier effect ends the scenario
    for key, effect in effects:
        listed = key.rpartition("[")[0]
        if listed == over:
            yield f"{key}: never happens; an effect before it ends the scenario"
        over = listed if effect.fail or effect.succeed else over
        if effect.stop_timer and not timers:
            yield f"{key}.stop_timer: no timer runs; `timer` or an effect `start_timer` starts one"
        if effect.advance and goal != "advance":
            yield f"{key}.advance: only an objective of kind advance counts steps; it is {goal}"
    for name, change in card.difficulty.items():
        if change.timer and card.timer is None:
            yield f"difficulty.{name}.timer: this scenario has no `timer` to change"
        if change.rounds and not card.last_round:
            yield f"difficulty.{name}.rounds: this scenario has no `last_round` to change"
