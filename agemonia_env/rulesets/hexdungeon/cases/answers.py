"""Answers the questions of the core from the parameters of one step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agemonia_env.core.event_log import read_rows
from agemonia_env.rulesets.case_runner import RefusalError

from ..core.actions import Block, action_of
from ..core.rules.board import STEP_Q, STEP_R
from ..core.terms import Decision, Effect, Event, Mode, Place, Source
from .pieces import ELEMENTS
from .queries import placement
from .schema import Hex
from .steps import Aid, Attack, Lose, Pull, Push
from .world import Table

STEPS = list(zip(STEP_Q, STEP_R, strict=True))
FORCES = ("push", "pull")
FORCED = "forced"  # the only path of a push or pull without an attack
NO, YES, DONE = (action_of(block, 0) for block in (Block.NO, Block.YES, Block.DONE))


def named(entry: Any) -> str:
    """The name of an effect, however it is written."""
    if isinstance(entry, Push | Pull):
        return type(entry).__name__.lower()
    return str(entry).partition(" ")[0]


class Player:
    """Answers every decision of one step from its parameters."""

    def __init__(self, table: Table, verb: str, given: Any) -> None:
        self.table = table
        self.verb = verb
        self.given = given
        self.path: list[Hex] = list(given.path) if self.verb == "move" else []
        self.targets = list(given.targets) if self.verb == "attack" else []
        self.aids: dict[str, Aid] = dict(given.per_target) if self.verb == "attack" else {}
        self.paths = {
            (name, kind): [list(path or []) for path in getattr(aid, kind)]
            for name, aid in self.aids.items()
            for kind in ("push", "pull")
        }
        if self.verb in FORCES:
            self.paths = {(given.target, FORCED): [list(given.path)]}
        self.rest: tuple[str, list[Hex]] = ("", [])  # of a path begun, and whose it is
        self.asked: set[tuple[str, Source, int]] = set()  # losses of cards that were asked for
        self.keep = list(given.keep) if self.verb == "rest" else []
        self.second = ""  # of two discards
        self.placement = (0, 0)  # orientation of a template, and its red hex on the enemy aimed at

    # ---- answers --------------------------------------------------------------------------------
    def action(self) -> int:
        """The action that answers the question now asked."""
        state = self.table.state
        decision = Decision(int(state["decision"]))
        subject = int(state["subject"])
        match decision:
            case Decision.STEP:
                return self._direction(subject, self.path.pop(0)) if self.path else DONE
            case Decision.TARGET:
                return self._figure(self.targets.pop(0)) if self.targets else DONE
            case Decision.AIM:
                return self._aim()
            case Decision.ORIENTATION:
                return action_of(Block.ORIENTATION, self.placement[0])
            case Decision.CELL:
                return action_of(Block.CELL, self.placement[1])
            case Decision.EFFECT:
                return NO if self._skips(Effect(subject)) else YES
            case Decision.FORCE:
                return self._force(subject)
            case Decision.LOSE:
                return self._lose()
            case Decision.LOSE_SECOND:
                return self._card(int(state["harm"]["to"]), self.second)
            case Decision.RECIPIENT | Decision.MONSTER_CHOICE if self.verb == "heal":
                return self._figure(self.given.to)
            case Decision.REST_KEEP if self.verb == "rest":
                return YES if self._keeps(self.given.by, subject) else NO
            case Decision.LANDING if self.verb == "lose_flight" and self.given.to:
                return action_of(Block.HEX, max(0, self.table.hex(self.given.to)))
        raise RefusalError(f"the step does not say: {decision.name.lower().replace('_', ' ')}")

    def _keeps(self, name: str, card: int) -> bool:
        """Whether an active card stays in play over a rest."""
        kept = self.table.cards[name][card] in self.keep
        if kept:
            self.keep.remove(self.table.cards[name][card])
        return kept

    def _figure(self, name: str) -> int:
        """The action that names a figure."""
        return action_of(Block.FIGURE, self.table.slot(name))

    def _card(self, hero: int, card: str) -> int:
        """The action that names a card of a character."""
        return action_of(Block.CARD, self.table.card(self.table.names[hero], card))

    def _direction(self, figure: int, to: Hex) -> int:
        """The action that goes from a figure's hex to another, which may lie outside the board."""
        q, r = self.table.place(int(self.table.state["figure"][figure]["at"])) or (0, 0)
        step = (to[0] - q, to[1] - r)
        if step not in STEPS:
            raise RefusalError(f"{list(to)} is not beside {[q, r]}")
        return action_of(Block.DIRECTION, STEPS.index(step))

    # ---- attacks --------------------------------------------------------------------------------
    def _aim(self) -> int:
        """The first target that stands in the hexes of the placement."""
        given, table = self.given, self.table
        for name in given.targets:
            at = table.place(int(table.state["figure"][table.slot(name)]["at"]))
            if at is not None and at in given.hexes:
                found = placement(table, given.by, [at, *given.hexes])
                if found is None:
                    raise RefusalError("the hexes are no placement of the template")
                self.placement = found
                return self._figure(name)
        raise RefusalError("no target stands in the hexes")

    @property
    def target(self) -> str:
        """The target of the present attack."""
        return self.table.names[int(self.table.state["strike"]["target"])]

    def _skips(self, effect: Effect) -> bool:
        """Whether an effect on the present target is declined."""
        aid = self.aids.get(self.target)
        return aid is not None and effect.name.lower() in map(named, aid.skip)

    def _force(self, target: int) -> int:
        """The next hex of a push or pull; the first question of each begins with a path."""
        force, name = self.table.state["force"], self.table.names[target]
        if not force["begun"]:
            self._end_path()
            kind = "pull" if force["pull"] else "push"
            paths = self.paths.get((name, FORCED if self.verb in FORCES else kind), [])
            self.rest = name, paths.pop(0) if paths else []
        path = self.rest[1]
        return self._direction(target, path.pop(0)) if path else NO

    def _end_path(self) -> None:
        """A path of a push or pull is over. Raises RefusalError if hexes of it are left."""
        name, path = self.rest
        if path and self.is_there(name):
            raise RefusalError(f"{name} cannot be moved on to {list(path[0])}")

    def is_there(self, name: str) -> bool:
        """Whether a figure is on the board."""
        return bool(self.table.state["figure"][self.table.slot(name)]["at"] >= 0)

    # ---- cards in place of damage ---------------------------------------------------------------
    def _lose(self) -> int:
        """Cards lost in place of the damage, if the step says so."""
        harm = self.table.state["harm"]
        hero, source = int(harm["to"]), Source(int(harm["source"]))
        choice = self._choice(self.table.names[hero], source)
        if choice is None:
            return NO
        hand, discard = choice.hand, choice.discard
        if (len(hand), len(discard)) not in ((1, 0), (0, 2)):
            raise RefusalError("one card of the hand is lost, or two discards")
        place = self.table.state["hero"][hero]["place"]
        in_hand = place[self.table.card(self.table.names[hero], choice.cards[0])] == Place.HAND
        if in_hand != bool(hand):
            raise RefusalError(f"{choice.cards[0]} is {'' if in_hand else 'not '}in hand")
        self.second = discard[1] if discard else ""
        return self._card(hero, choice.cards[0])

    def _choice(self, name: str, source: Source) -> Lose | None:
        """The choices of the step for a source of damage to a figure."""
        n = 0
        if self.verb == "move":
            n = self._sources_before()
        elif self.verb == "attack" and source == Source.RETALIATE:
            name = self.target
        self.asked.add((name, source, n))
        return dict(self._losses()).get((name, source, n))

    def _losses(self) -> Iterator[tuple[tuple[str, Source, int], Lose]]:
        """Cards to lose: whose or against whom, against which source, which time."""
        given = self.given
        wished: list[tuple[str, Source, int, Lose | None]] = []
        if self.verb == "damage":
            wished = [(given.to, Source[given.source.upper()], 0, given.lose)]
        elif self.verb == "start_turn":
            wished = [(given.by, Source.WOUND, 0, given.lose)]
        elif self.verb == "move":
            sources = (Source.TRAP, Source.HAZARD)
            wished = [(given.by, x, n, lose) for n, lose in enumerate(given.lose) for x in sources]
        for name, aid in self.aids.items():
            wished.append((name, Source.ATTACK, 0, aid.lose))
            wished.append((name, Source.RETALIATE, 0, aid.retaliate_lose))
        for name, source, n, lose in wished:
            if lose is not None:
                yield (name, source, n), lose

    def _sources_before(self) -> int:
        """How many sources of damage the mover has met on its way, suffered or negated."""
        slot = self.table.slot(self.given.by)
        return sum(
            row.event in (Event.DAMAGE, Event.NEGATED) and row.figure == slot
            for row in read_rows(self.table.log)
        )

    # ---- leftovers ---------------------------------------------------------------------------
    def finish(self) -> None:
        """Raises RefusalError for choices that the rules did not offer."""
        given = self.given
        self._end_path()
        if self.verb == "attack":
            self._finish_attack(given)
        elif self.verb == "move":
            self._finish_move(given.by)
        elif self.verb in ("damage", "start_turn") and dict(self._losses()).keys() - self.asked:
            raise RefusalError("no damage to lose cards against")
        elif self.verb == "lose_flight" and given.to and self.is_there(given.by):
            at = int(self.table.state["figure"][self.table.slot(given.by)]["at"])
            if at != self.table.hex(given.to):
                raise RefusalError(f"{given.by} does not go to {list(given.to)}")
        elif self.verb == "rest":
            self._finish_rest(given.by)
        for (name, _), paths in self.paths.items():
            if any(paths) and self.is_there(name):
                raise RefusalError(f"{name} is not moved so often")

    def _finish_move(self, name: str) -> None:
        """Check that the whole path was taken; only a walk may be stopped on it (G12.6)."""
        goes_on = self._goes_on(name)
        if self.path and (goes_on or int(self.table.state["move"]["mode"]) != Mode.WALK):
            raise RefusalError(f"the move does not come to {list(self.path[0])}")
        never = {n for (_, _, n), _ in self._losses()} - {n for _, _, n in self.asked}
        if never and goes_on:
            raise RefusalError(f"no damage to lose cards against: choice {min(never) + 1}")

    def _finish_rest(self, name: str) -> None:
        """Check that every card to keep is in play; those that count as lost always are."""
        places = self.table.state["hero"][self.table.slot(name)]["place"]
        for card in self.keep:
            if places[self.table.card(name, card)] != Place.ACTIVE:
                raise RefusalError(f"{card} cannot stay in play")

    def _goes_on(self, name: str) -> bool:
        """Whether a figure is on the board, and nothing has stopped it."""
        condition = self.table.state["figure"][self.table.slot(name)]["condition"]
        stopped = condition[Effect.STUN] or condition[Effect.IMMOBILIZE]
        return self.is_there(name) and not stopped

    def _finish_attack(self, given: Attack) -> None:
        """Check that every target was attacked, and that its choices were asked for."""
        if int(self.table.state["strike"]["made"]) == 0:
            raise RefusalError("nobody is attacked")
        stunned = self.table.state["figure"][self.table.slot(given.by)]["condition"][Effect.STUN]
        if self.targets and self.is_there(given.by) and not stunned:
            raise RefusalError(f"{self.targets[0]} cannot be attacked")
        for name, aid in self.aids.items():
            if name not in given.targets:
                raise RefusalError(f"per_target: {name} is no target")
            if any(word in ELEMENTS for word in map(named, aid.skip)):
                raise RefusalError("skip: elements are infused")
        for (name, source, n), _ in self._losses():
            if name not in self.targets and (name, source, n) not in self.asked:
                raise RefusalError(f"{name}: no damage to lose cards against")
