"""Answers the questions of the core from the parameters of one verb.

The core must ask for every choice that a verb names. A choice it never asked for is not offered by
the rules here, and the verb counts as refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from agemonia_env.core.event_log import read_rows
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.case_runner import RefusalError

from ..content.words import attack_type
from ..core import api
from ..core.actions import N_ACTIONS, Block, action_of
from ..core.layout import N_ALLIES
from ..core.terms import Condition, Decision, Ending, Event, Proc, Way
from .parameters import ClimbStep, Disarm, TokenStep
from .schema import listed
from .world import World

OPTIONS = ("inspiration", "achievement", "blessed")


class Purse:
    """The remaining options of a player for one roll."""

    def __init__(self, options: Any = None) -> None:
        wishes = {name: getattr(options, name, False) for name in OPTIONS}
        self.late = wishes["inspiration"] == "after"  # which the rules never ask
        self.pay = dict(enumerate(getattr(options, "pay", ())))
        self.times = {name: 1 if wish == "after" else int(wish) for name, wish in wishes.items()}
        if self.late:
            self.times["inspiration"] = 0

    def use(self, option: str) -> bool:
        """Use up an option, if it is left -> whether it was."""
        left = self.times[option]
        self.times[option] = max(0, left - 1)
        return left > 0

    def left(self) -> list[str]:
        """Options that were not used."""
        names = [name for name, times in self.times.items() if times]
        names += ["inspiration after the roll"] if self.late else []
        paid = [n for n in self.pay.values() if n]
        return names + ([f"pay {paid}"] if paid else [])


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
        def part(name: str, default: Any = None) -> Any:
            return getattr(given, name, default)

        pushes, choose = verb in ("push", "pull"), part("choose")
        self.world, self.verb, self.given = world, verb, given
        self.start = world.state.copy()  # of the verb
        self.who: str = part("who", "")
        self.path = list(part("path", ()))
        self.evade = {name: n for name, n in part("evade", {}).items() if n}
        self.split = {name: n for name, n in part("split", {}).items() if n}
        self.targets = list(self.split) or ([] if pushes else listed(part("targets")))
        self.line = list(part("line", ()))
        self.center: str | None = part("center")
        self.order = list(part("order", ()))
        self.to: str | None = given.to if verb == "spawn" else None
        self.push_to: dict[str, list[str]] = given.to if pushes else part("push_to", {})
        self.choices = {
            key: listed(getattr(choose, key, None)) for key in ("area", "stop", "target", "victim")
        }
        helper = getattr(choose, "stand_in", None)  # of anybody, or of each figure
        self.stand_in: dict[str, str] = {**part("stand_in", {})}
        self.stand_in |= helper if isinstance(helper, dict) else {}
        self.any_stand_in: str | None = helper if isinstance(helper, str) else None
        self.stood_in: list[str] = []
        self.flips: Counter[tuple[str, str]] = Counter()  # chips asked for, by Ally and lock
        own = given.locks if isinstance(given.locks, dict) else {}
        self.locks: dict[str, list[str]] = {name: list(names) for name, names in own.items()}
        self.shared_locks = [] if own else list(given.locks)
        self.own, self.climb = Purse(given), Purse()
        self.reactions = {name: Purse(options) for name, options in given.reaction.items()}
        self.checks = {name: Purse(options) for name, options in part("checks", {}).items()}
        self.disarm: dict[str, Disarm] = dict(given.disarm)
        self.disarming: dict[str, Purse] = {}

    # ---- answers --------------------------------------------------------------------------------
    def action(self) -> int:
        """The action that answers the question now asked; the lowest legal one if it is open."""
        decision = Decision(int(self.world.state["decision"]))
        if decision in ANSWERS:
            return ANSWERS[decision](self)
        if decision in TIES:
            key, block = TIES[decision]
            names = self.choices[key]
            while key == "target" and names and names[0] in self._struck():
                names.pop(0)  # it was the only choice
            if names:
                return self._named(block, names.pop(0))
        return self.lowest()

    def _option(self) -> int:
        """Whether a gem or condition is used for the roll in progress."""
        option = Decision(int(self.world.state["decision"])).name.lower()
        return yes(self._purse().use(option))

    def _pay(self) -> int:
        """Stamina for an S face."""
        asked = int(self.world.state["roll"]["asked"])
        return action_of(Block.AMOUNT, self._purse().pay.pop(asked, 0))

    def _amount(self, amounts: dict[str, int]) -> int:
        """Points against the Enemy that is asked about."""
        name = self.world.enemy_name(int(self.world.state["subject"]))
        return action_of(Block.AMOUNT, amounts.pop(name, 0))

    def _next(self, block: Block, names: list[str]) -> int:
        """The next of several names, if there is one."""
        return self._named(block, names.pop(0)) if names else action_of(Block.DONE, 0)

    def _centre(self) -> int:
        """The centre of an area attack."""
        center, self.center = self.center, None
        return self.lowest() if center is None else self._named(Block.AREA, center)

    def _struck(self) -> list[str]:
        """Allies named so far as targets of the Enemy's attack."""
        strike = self.world.state["strike"]
        targets = strike["target"][: int(strike["n_targets"])].tolist()
        return [self.world.ally_name(a) for a in targets]

    def _named(self, block: Block, name: str) -> int:
        """The action that names something of a block."""
        return action_of(block, self._index(block, name))

    def _push_to(self) -> int:
        """The area that a figure is pushed or pulled into, where there is a choice."""
        state = self.world.state
        name = self.world.figure_name(int(state["subject"]))
        steps, taken = (
            self.push_to.get(name, []),
            int(state["push"]["moved"][int(state["subject"])]),
        )
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
            return yes(True)
        if self.path and isinstance(self.path[0], TokenStep):
            return action_of(Block.PORTAL, self.world.area(self.path.pop(0).token))
        if self.path and isinstance(self.path[0], ClimbStep):
            if self.climb.left():
                raise RefusalError(f"never asked for in a climb: {', '.join(self.climb.left())}")
            step = self.path.pop(0)
            self.climb = Purse(step)
            return action_of(Block.CLIMB, self.world.area(step.climb))
        return self._next(Block.AREA, self.path)

    def _disarm(self) -> int:
        """Whether a Hero tries to disarm the trap of an area."""
        name = self.world.names.areas[int(self.world.state["subject"])]
        options = self.disarm.pop(name, None)
        self.world.states["entry"]["keyword"] = bool(options and options.keyword)
        if options is not None:
            self.disarming[name] = Purse(options)
        return yes(options is not None)

    def _spring(self) -> int:
        """Whether a flyer meddles with the trap of an area (R7.20)."""
        return yes(self.world.names.areas[int(self.world.state["subject"])] in self.disarm)

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
            return yes(False)
        action = self._named(Block.ALLY, helper)
        again = subject in self.stood_in  # in a second attack of the verb, if it still can
        self.stood_in.append(subject)
        return action if not again or self._mask()[action] else yes(False)

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


def yes(wish: bool) -> int:
    """The action that says yes or no."""
    return action_of(Block.YES if wish else Block.NO, 0)


ANSWERS: dict[Decision, Callable[[Player], int]] = {
    Decision.STEP: Player._step,
    Decision.TOKEN_STEP: Player._step,
    Decision.EVADE: lambda player: player._amount(player.evade),
    Decision.SHARE: lambda player: player._amount(player.split),
    Decision.SPRING: Player._spring,
    Decision.DISARM: Player._disarm,
    Decision.PAY: Player._pay,
    Decision.INSPIRATION: Player._option,
    Decision.BLESSED: Player._option,
    Decision.ACHIEVEMENT: Player._option,
    Decision.FLIP_LOCK: Player._lock,
    Decision.STAND_IN: Player._stand_in,
    Decision.TARGET: lambda player: player._next(Block.ENEMY, player.targets),
    Decision.CENTRE: Player._centre,
    Decision.LINE: lambda player: player._next(Block.AREA, player.line),
    Decision.ATTACK_TYPE: lambda player: action_of(
        Block.ATTACK_TYPE, attack_type(player.given.type)
    ),
    Decision.STRIKE_ORDER: Player._strike_order,
    Decision.PUSH_TO: Player._push_to,
    Decision.SPAWN_AREA: lambda player: (
        player.lowest() if player.to is None else player._named(Block.AREA, player.to)
    ),
}
TIES = {
    Decision.ENEMY_DESTINATION: ("area", Block.AREA),
    Decision.ENEMY_STOP: ("stop", Block.AREA),
    Decision.ENEMY_TARGET: ("target", Block.ALLY),
    Decision.DOMINATED_ALLY: ("victim", Block.ALLY),
    Decision.DOMINATED_ENEMY: ("victim", Block.ENEMY),
}


def _vitality(state: Any, slot: int) -> int:
    """Chips that an Ally has on its disk and in the spent pool, or its health."""
    ally = state["ally"][slot]
    return int(ally["disk"]) + int(ally["spent"]) + int(ally["health"])


def _locks(state: Any, slot: int) -> dict[int, int]:
    """Locked chips of an Ally, by passive row."""
    ally = state["ally"][slot]
    rows = zip(ally["lock_passive"].tolist(), ally["lock_chips"].tolist(), strict=True)
    return {row: chips for row, chips in rows if row >= 0}
