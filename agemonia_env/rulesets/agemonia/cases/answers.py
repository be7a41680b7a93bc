"""Answers the questions of the core from the parameters of one verb.

The core must ask for every choice that a verb names. A choice it never asked for is not offered by
the rules here, and the verb counts as refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from agemonia_env.core.event_log import read_rows
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.case_runner import RefusalError

from ..core import api
from ..core.actions import N_ACTIONS, Block, action_of
from ..core.layout import N_ALLIES
from ..core.terms import AttackType, Condition, Decision, Ending, Event, Proc, Way
from .parameters import ClimbStep, Disarm, Gem, RollOptions, TokenStep
from .schema import listed
from .world import World


@dataclass
class Purse:
    """The remaining options of a player for one roll."""

    pay: dict[int, int] = field(default_factory=dict)
    inspiration: int = 0
    achievement: int = 0
    blessed: int = 0
    late: bool = False  # Inspiration wished for after the roll

    @classmethod
    def of(cls, options: Any) -> Purse:
        """The options of a verb."""
        pay = dict(enumerate(getattr(options, "pay", [])))
        inspiration: Gem = getattr(options, "inspiration", False)
        late = inspiration == "after"
        return cls(
            pay,
            0 if inspiration == "after" else int(inspiration),
            _times(getattr(options, "achievement", False)),
            _times(getattr(options, "blessed", False)),
            late,
        )

    def use(self, option: str) -> bool:
        """Use up an option, if it is left -> whether it was."""
        left = getattr(self, option)
        setattr(self, option, max(0, left - 1))
        return bool(left > 0)

    def left(self) -> list[str]:
        """Options that were not used."""
        names = [name for name in ("inspiration", "achievement", "blessed") if getattr(self, name)]
        names += ["inspiration after the roll"] if self.late else []
        paid = [n for n in self.pay.values() if n]
        return names + ([f"pay {paid}"] if paid else [])


def _times(wish: Gem) -> int:
    """How often an option is to be used."""
    return 1 if wish == "after" else int(wish)


PURPOSES = (Proc.CHECK_REACTIVE, Proc.TRAP_DISARMED, Proc.STEP_CLIMB, Proc.STRIKE_OR_ELSE_DONE)


def purpose(state: Any) -> Proc:
    """The task on the stack that waits for the roll in progress; NONE = its verb."""
    for proc in reversed(state["tasks"][: int(state["depth"])].tolist()):
        if proc in PURPOSES:
            return Proc(proc)
    return Proc.NONE


class Player:
    """Answers every decision of one verb from its parameters."""

    def __init__(self, world: World, verb: str, given: Any) -> None:
        self.world = world
        self.verb = verb
        self.given = given
        self.who: str = getattr(given, "who", "")
        self.path = list(getattr(given, "path", []))
        self.evade = {name: n for name, n in getattr(given, "evade", {}).items() if n}
        self.split = {name: n for name, n in getattr(given, "split", {}).items() if n}
        pushes = verb in ("push", "pull")
        named = [] if pushes else listed(getattr(given, "targets", []))
        self.targets = list(self.split) if self.split else named
        self.line = list(getattr(given, "line", []))
        self.center: str | None = getattr(given, "center", None)
        self.order = list(getattr(given, "order", []))
        self.to: str | None = given.to if verb == "spawn" else None
        pushed = given.to if pushes else getattr(given, "push_to", {})
        self.push_to: dict[str, list[str]] = dict(pushed)
        self._read_choices(given)
        self.flips: Counter[tuple[str, str]] = Counter()  # chips asked for, by Ally and lock
        self.locks: dict[str, list[str]] = {}
        self.shared_locks: list[str] = []
        if isinstance(given.locks, dict):
            self.locks = {name: list(names) for name, names in given.locks.items()}
        else:
            self.shared_locks = list(given.locks)
        self.own = Purse.of(given)
        self.climb = Purse()
        self.reactions = {name: Purse.of(options) for name, options in given.reaction.items()}
        self.disarm: dict[str, Disarm] = dict(given.disarm)
        self.disarming: dict[str, Purse] = {}
        checks: dict[str, RollOptions] = getattr(given, "checks", {})
        self.checks = {name: Purse.of(options) for name, options in checks.items()}
        self.start = world.state.copy()  # of the verb

    def _read_choices(self, given: Any) -> None:
        """`choose` and `stand_in` of Enemies and of Dominated figures."""
        choose = getattr(given, "choose", None)
        self.choices: dict[str, list[str]] = {}
        for key in ("area", "stop", "target", "victim"):
            names = listed(getattr(choose, key, None))
            if names:
                self.choices[key] = names
        self.stand_in: dict[str, str] = dict(getattr(given, "stand_in", {}))
        helper = getattr(choose, "stand_in", None)
        self.any_stand_in: str | None = helper if isinstance(helper, str) else None
        if isinstance(helper, dict):
            self.stand_in |= helper
        self.stood_in: list[str] = []

    # ---- answers --------------------------------------------------------------------------------
    def action(self) -> int:
        """The action that answers the question now asked."""
        state = self.world.state
        decision = Decision(int(state["decision"]))
        match decision:
            case Decision.STEP:
                return self._step()
            case Decision.EVADE:
                name = self.world.enemy_name(int(state["subject"]))
                return action_of(Block.AMOUNT, self.evade.pop(name, 0))
            case Decision.SPRING:
                wanted = self.world.names.areas[int(state["subject"])] in self.disarm
                return action_of(Block.YES if wanted else Block.NO, 0)
            case Decision.DISARM:
                return self._disarm(int(state["subject"]))
            case Decision.PAY:
                return action_of(
                    Block.AMOUNT, self._purse().pay.pop(int(state["roll"]["asked"]), 0)
                )
            case Decision.INSPIRATION | Decision.BLESSED | Decision.ACHIEVEMENT:
                wish = self._purse().use(decision.name.lower())
                return action_of(Block.YES if wish else Block.NO, 0)
            case Decision.FLIP_LOCK:
                return self._lock()
            case Decision.STAND_IN:
                return self._stand_in()
            case _:
                return self._attack_answer(decision)

    def _attack_answer(self, decision: Decision) -> int:
        """Questions about attacks, Enemies and ties."""
        world = self.world
        match decision:
            case Decision.TARGET:
                if not self.targets:
                    return action_of(Block.DONE, 0)
                return self._named(Block.ENEMY, self.targets.pop(0))
            case Decision.SHARE:
                name = world.enemy_name(int(world.state["subject"]))
                return action_of(Block.AMOUNT, self.split.pop(name, 0))
            case Decision.CENTRE if self.center is not None:
                center, self.center = self.center, None
                return self._named(Block.AREA, center)
            case Decision.LINE:
                if not self.line:
                    return action_of(Block.DONE, 0)
                return self._named(Block.AREA, self.line.pop(0))
            case Decision.ATTACK_TYPE:
                return action_of(Block.ATTACK_TYPE, AttackType[self.given.type.upper()].value)
            case Decision.STRIKE_ORDER:
                return self._strike_order()
            case Decision.PUSH_TO:
                return self._push_to(world.figure_name(int(world.state["subject"])))
            case Decision.TOKEN_STEP:
                return self._step()
            case _:
                return self._tie(decision)

    def _tie(self, decision: Decision) -> int:
        """Ties that players settle; one left open takes the lowest legal action."""
        if decision == Decision.SPAWN_AREA and self.to is not None:
            return self._named(Block.AREA, self.to)
        keys = {
            Decision.ENEMY_DESTINATION: ("area", Block.AREA),
            Decision.ENEMY_STOP: ("stop", Block.AREA),
            Decision.ENEMY_TARGET: ("target", Block.ALLY),
            Decision.DOMINATED_ALLY: ("victim", Block.ALLY),
            Decision.DOMINATED_ENEMY: ("victim", Block.ENEMY),
        }
        if decision in keys:
            key, block = keys[decision]
            names = self.choices.get(key, [])
            while key == "target" and names and names[0] in self._struck():
                names.pop(0)  # it was the only choice
            if names:
                return self._named(block, names.pop(0))
        return self.lowest()

    def _struck(self) -> list[str]:
        """Allies named so far as targets of the Enemy's attack."""
        strike = self.world.state["strike"]
        targets = strike["target"][: int(strike["n_targets"])].tolist()
        return [self.world.ally_name(a) for a in targets]

    def _named(self, block: Block, name: str) -> int:
        """The action that names something of a block."""
        return action_of(block, self._index(block, name))

    def _push_to(self, name: str) -> int:
        """The area that a figure is pushed or pulled into, where there is a choice."""
        steps = self.push_to.get(name, [])
        taken = int(self.world.state["push"]["moved"][self.world.figure(name)])
        return self._named(Block.AREA, steps[taken]) if taken < len(steps) else self.lowest()

    def _index(self, block: Block, name: str) -> int:
        """Index of a name within a block."""
        world = self.world
        if block == Block.AREA:
            return world.area(name)
        side = world.allies if block == Block.ALLY else world.enemies
        if name not in side:
            raise RefusalError(f"{name} cannot be the {block.name.lower()} asked for")
        return side[name]

    def lowest(self) -> int:
        """The lowest legal action."""
        return int(np.argmax(self._mask()))

    def _mask(self) -> npt.NDArray[np.uint8]:
        """Legal actions of the question now asked."""
        mask = np.zeros(N_ACTIONS, np.uint8)
        masks = mask.reshape(1, N_ACTIONS)
        api.write_masks(self.world.states, self.world.contents, np.zeros(1, np.int16), masks)
        return mask

    def _step(self) -> int:
        """The next step of the path; the Achievement gem first."""
        if self.own.use("achievement"):
            return action_of(Block.YES, 0)
        if not self.path:
            return action_of(Block.DONE, 0)
        step = self.path.pop(0)
        if isinstance(step, TokenStep):
            return action_of(Block.PORTAL, self.world.area(step.token))
        if isinstance(step, ClimbStep):
            if self.climb.left():
                raise RefusalError(f"never asked for in a climb: {', '.join(self.climb.left())}")
            self.climb = Purse.of(step)
            return action_of(Block.CLIMB, self.world.area(step.climb))
        return self._named(Block.AREA, step)

    def _disarm(self, area: int) -> int:
        """Whether a Hero tries to disarm the trap of an area."""
        name = self.world.names.areas[area]
        options = self.disarm.pop(name, None)
        self.world.states["entry"]["keyword"] = bool(options and options.keyword)
        if options is None:
            return action_of(Block.NO, 0)
        self.disarming[name] = Purse.of(options)
        return action_of(Block.YES, 0)

    def _purse(self) -> Purse:
        """The options of the roll in progress, found by the task that waits for it."""
        state = self.world.state
        roller = self.world.ally_name(int(state["asked"]))
        match purpose(state):
            case Proc.CHECK_REACTIVE:
                own = self.own if self.verb == "reactive_check" else Purse()
                return self.reactions.get(roller, own)
            case Proc.TRAP_DISARMED:
                area = self.world.names.areas[int(state["entry"]["area"])]
                return self.disarming.get(area, Purse())
            case Proc.STEP_CLIMB:
                return self.climb
            case Proc.STRIKE_OR_ELSE_DONE:
                return self.checks.get(roller, Purse())
        return self.own

    def _lock(self) -> int:
        """The lock from which the next chip is flipped."""
        state = self.world.state
        slot = int(state["asked"])
        name = self.world.ally_name(slot)
        names = self.locks.get(name) or self.shared_locks
        if not names:
            return self.lowest()
        lock = names.pop(0)
        self.flips[name, lock] += 1
        row = self.world.passives.get((name, lock))
        passives = state["ally"]["lock_passive"][slot].tolist()
        if row is None or row not in passives:
            raise RefusalError(f"{name} has no lock {shown(lock)}")
        return action_of(Block.LOCK, passives.index(row))

    def _stand_in(self) -> int:
        """Whether another Hero takes the hit."""
        subject = self.world.ally_name(int(self.world.state["subject"]))
        helper = self.stand_in.get(subject)
        if helper is None and self.any_stand_in is not None:
            helper, self.any_stand_in = self.any_stand_in, None
        if helper is None:
            return action_of(Block.NO, 0)
        action = self._named(Block.ALLY, helper)
        again = subject in self.stood_in  # in a second attack of the verb, if it still can
        self.stood_in.append(subject)
        return action if not again or self._mask()[action] else action_of(Block.NO, 0)

    def _strike_order(self) -> int:
        """Who is dealt with next: as the verb says, else in the order in which they are listed."""
        if self.order:
            return self._named(Block.ALLY, self.order.pop(0))
        strike = self.world.state["strike"]
        for ally in strike["target"][: int(strike["n_targets"])].tolist():
            if not (int(strike["done"]) >> ally) & 1:
                return action_of(Block.ALLY, ally)
        return self.lowest()

    # ---- leftovers -----------------------------------------------------------------------------
    def leftovers(self) -> list[str]:
        """Choices of the verb that were never asked for, as texts.

        Only a path may end early: with its figure, or with the scenario.
        """
        left = []
        if self.path and not self._is_over():
            left.append(f"path {self.path}")
        left += [f"evade against {name}" for name in self.evade]
        left += [f"target {name}" for name in self.targets]
        left += [f"line {self.line}"] if self.line else []
        left += [f"center {self.center}"] if self.center is not None else []
        left += [f"stand_in for {name}" for name in self.stand_in if name not in self.stood_in]
        left += [f"stand_in {self.any_stand_in}"] if self.any_stand_in is not None else []
        left += [f"push of {name} into {steps}" for name, steps in self._pushes_left()]
        left += [f"disarm in {name}" for name in self.disarm]
        left += self._purses_left()
        left += self._choices_left()
        left += self._locks_left()
        return left

    def _pushes_left(self) -> list[tuple[str, list[str]]]:
        """Pushed figures that went another way than named."""
        ways: dict[str, list[str]] = {}
        for row in read_rows(self.world.log):
            if row.event == Event.STEP and row.amount in (Way.PUSHED, Way.PULLED):
                name = self.world.figure_name(row.figure)
                ways.setdefault(name, []).append(self.world.names.areas[row.place])
        return [(name, way) for name, way in self.push_to.items() if ways.get(name, []) != way]

    def _is_over(self) -> bool:
        """Whether the scenario has ended or the figure of the verb is out of action."""
        state = self.world.state
        if self.who in self.world.allies:
            ally = state["ally"][self.world.allies[self.who]]
            if ally["exhausted"] or int(ally["area"]) < 0:
                return True
        return int(state["ending"]) != Ending.NONE

    def _purses_left(self) -> list[str]:
        """Options of rolls that were not asked for."""
        left = self.own.left() + self.climb.left()
        for purses in (self.reactions, self.disarming, self.checks):
            left += [f"{name}: {what}" for name, purse in purses.items() for what in purse.left()]
        return left

    def _choices_left(self) -> list[str]:
        """Choices that were not asked for and name something that did not happen."""
        world, state = self.world, self.world.state
        left = [
            f"choose {key} {name}"
            for key, names in self.choices.items()
            for name in names
            if not self._came_about(key, name)
        ]
        if any(name not in self._struck() for name in self.order):
            left.append(f"order {self.order}")
        if self.to is not None:
            spawned = int(state["spawn"]["slot"])
            if spawned >= 0 and int(state["enemy"][spawned]["area"]) != world.area(self.to):
                left.append(f"to {self.to}")
        return left

    def _came_about(self, key: str, name: str) -> bool:
        """Whether a choice that was not asked for names what happened."""
        match key:
            case "target":
                return name in self._best_targets()
            case "victim":
                return name in self.stood_in or self._is_hurt(name)
            case "area":
                goal = int(self.world.state["turn"]["destination"])
                return self.world.area(name) == (goal if goal >= 0 else self._end_of_turn())
        return self.world.area(name) == self._end_of_way()

    def _is_hurt(self, name: str) -> bool:
        """Whether the verb took chips or health of a figure."""
        world = self.world
        if name in world.enemies:
            e = world.enemies[name]
            return int(world.state["enemy"]["health"][e]) != int(self.start["enemy"]["health"][e])
        slot = world.allies.get(name)
        return slot is not None and _vitality(world.state, slot) != _vitality(self.start, slot)

    def _end_of_turn(self) -> int:
        """Index of the area in which the Enemy of the verb stands."""
        return int(self.world.state["enemy"]["area"][self.world.enemy(self.who)])

    def _end_of_way(self) -> int:
        """Index of the area in which the walk of the Enemy was to end."""
        turn = self.world.state["turn"]
        steps = int(turn["n_path"])
        return int(turn["path"][steps - 1]) if steps else self._end_of_turn()

    def _best_targets(self) -> list[str]:
        """R10.20 to R10.28 - whom the Enemy chose; of an area attack, everybody it might have."""
        world, strike = self.world, self.world.state["strike"]
        if int(strike["area"]) < 0:  # a stand-in is hit, but was not chosen
            helpers = [self.stand_in.get(name) for name in self.stood_in]
            return self.stood_in + [name for name in self._struck() if name not in helpers]
        hidden = 1 << Condition.INVISIBLE
        around = int(strike["range"]) >= 0  # the area of the one that was chosen
        areas = self._areas_at_strike()
        taunts = {
            name: int(world.contents["sheet"]["taunt"][0, slot])
            for name, slot in world.allies.items()
            if name in self._struck()
            and not int(self.start["ally"]["conditions"][slot]) & hidden
            and (not around or areas[slot] == int(strike["centre"]))
        }
        return [name for name, taunt in taunts.items() if taunt == max(taunts.values())]

    def _areas_at_strike(self) -> list[int]:
        """Area of each Ally when the Enemy began its last attack, before any push."""
        areas: list[int] = self.start["ally"]["area"].tolist()
        found = areas
        for row in read_rows(self.world.log):
            if row.event == Event.STRIKE:
                found = list(areas)
            elif row.event == Event.STEP and row.figure < N_ALLIES:
                areas[row.figure] = row.place
        return found

    def _locks_left(self) -> list[str]:
        """R14.7 - locks that were not asked for: one name for each chip that a hit took."""
        named = dict(self.locks)
        if self.shared_locks:
            heroes = [name for name, slot in self.world.allies.items() if _locks(self.start, slot)]
            if not heroes:
                return [f"locks {self.shared_locks}"]
            named[heroes[0]] = self.shared_locks
        left: list[str] = []
        for name, locks in named.items():
            if name not in self.world.allies:
                left += [f"lock {lock} of {name}" for lock in locks]
                continue
            slot = self.world.allies[name]
            before, after = _locks(self.start, slot), _locks(self.world.state, slot)
            asked = {lock: n for (owner, lock), n in self.flips.items() if owner == name}
            for lock, times in Counter(locks).items():
                row = self.world.passives.get((name, lock), -1)
                chips = before.get(row, 0)
                if times + asked.get(lock, 0) > chips or after.get(row, 0) >= chips:
                    left.append(f"lock {lock} of {name}")
            if len(locks) + sum(asked.values()) > self._flipped(slot):
                left.append(f"{len(locks)} more locks of {name}")
        return left

    def _flipped(self, slot: int) -> int:
        """Most chips that hits may have taken from the locks of an Ally.

        Damage takes the disk and the spent pool first (R2.4). What moves chips between these two
        does not matter; a curse turns those red that it makes a Hero spend (R12.7).
        """
        ally = self.start["ally"][slot]
        free = int(ally["disk"]) + int(ally["spent"])
        damage = 0
        for row in read_rows(self.world.log):
            if row.figure == slot and row.event == Event.DAMAGE:
                damage += row.amount
            elif row.figure == slot and row.event == Event.SPEND and row.other:
                free -= row.amount
        return max(0, min(damage - free, sum(_locks(self.start, slot).values())))


def _vitality(state: Any, slot: int) -> int:
    """Chips that an Ally has on its disk and in the spent pool, or its health."""
    ally = state["ally"][slot]
    return int(ally["disk"]) + int(ally["spent"]) + int(ally["health"])


def _locks(state: Any, slot: int) -> dict[int, int]:
    """Locked chips of an Ally, by passive row."""
    ally = state["ally"][slot]
    rows = zip(ally["lock_passive"].tolist(), ally["lock_chips"].tolist(), strict=True)
    return {row: chips for row, chips in rows if row >= 0}
