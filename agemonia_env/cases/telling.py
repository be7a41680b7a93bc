"""What happened in a game as verbs of the case format with all their choices.

Beats of one go (a maneuver, an action, an Enemy's turn) are a passage. There may be several ways to
tell it: the verb that is meant, and behind it the bookkeeping that comes to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..agemonia import layout
from ..agemonia.actions import Block, Turn
from ..agemonia.layout import N_ALLIES, N_ENEMIES
from ..agemonia.terms import (
    Decision,
    Die,
    Event,
    Eye,
    Kind,
    Op,
    Proc,
    Roll,
    Shape,
    Special,
    Way,
)
from .answers import purpose
from .position import ABILITIES, TYPES, Mapping, Table, conditions_of
from .reading import Plain
from .record import Beat, Row
from .world import condition_name

WHOLE_ROLL = 1  # what Decision.REROLL is about
FACES = {layout.FACE_EXTRA: "X"}
PILES = {Die.ACTION: "action", Die.REACTION: "reaction"}
SIGNS = {Die.ACTION: "S", Die.REACTION: "H"}


@dataclass
class Verb:
    """One step of a case: the verb, its parameters, and the beat after which it is done."""

    name: str
    given: Mapping
    end: Beat | None = None  # None: what it reports is not asserted
    dice: list[tuple[str, str, Plain]] = field(default_factory=list)  # figure, pile, face
    unsaid: tuple[str, ...] = ()  # what it reports but the game does not say
    brings: int = -1  # code of the figure that it brings onto the map


@dataclass
class Telling:
    """A passage in verbs, what has to be in place from the start, and what is left unsaid."""

    verbs: list[Verb]
    jewels: int = 0  # maneuvers added in the turn
    evade: int = 0  # Evade points added in the turn
    traps: list[str] = field(default_factory=list)  # areas that have their trap from the start
    portals: Mapping = field(default_factory=dict)  # teleport tokens there from the start
    gems: list[tuple[str, str]] = field(default_factory=list)  # hero, kind: gone from the start
    untrapped: list[str] = field(default_factory=list)  # areas that have no trap from the start
    hidden: list[str] = field(default_factory=list)  # areas whose trap is not asserted
    present: dict[str, tuple[int, Mapping]] = field(default_factory=dict)  # figures from the start
    lying: list[tuple[str, str]] = field(default_factory=list)  # area, item: there from the start
    plain: bool = False  # bookkeeping: events do not come about as they did
    silent: set[tuple[str, str]] = field(default_factory=set)  # figure, field; "" = every field


@dataclass
class Passage:
    """Beats in one go, and the ways to tell them, the best first."""

    beats: list[Beat]
    tellings: list[Callable[[], Telling]]
    title: str
    closes: bool = False  # it is the end of a turn

    @property
    def last(self) -> Beat:
        """Its last beat."""
        return self.beats[-1]


class NotTold(Exception):  # noqa: N818 (it is no error of the program)
    """The format has no words for something in a passage; the text says for what."""


# ---- what is read from beats --------------------------------------------------------------------
def rows_of(beats: Sequence[Beat], *events: Event) -> list[Row]:
    """Rows of certain events, in order."""
    return [row for beat in beats for row in beat.events(*events)]


def dice_of(table: Table, beats: Sequence[Beat]) -> list[tuple[str, str, Plain]]:
    """Faces that counted in the end: figure, pile, face; of a die rolled again only the last."""
    done: list[tuple[str, str, Plain]] = []
    roll: list[tuple[str, str, Plain]] = []
    spoiled = False
    for beat in (beat for beat in beats if not is_of_trap_card(beat)):
        if beat.decision == Decision.REROLL and beat.block == Block.YES:
            spoiled = beat.subject != WHOLE_ROLL
            roll = [face for face in roll if face[2] != "H"] if spoiled else []
        for event, figure, die, _, face, _ in beat.rows:
            if event == Event.ROLL:
                done, roll, spoiled = done + roll, [], False
            elif event == Event.DIE:
                shown: Plain = FACES.get(face, face)
                if face == layout.FACE_SYMBOL:
                    shown = 0 if spoiled else SIGNS[Die(die)]
                roll.append((table.allies[figure], PILES[Die(die)], shown))
    return done + roll


def is_of_trap_card(beat: Beat) -> bool:
    """Whether a beat belongs to the check that a Trap card offers, which the format has not."""
    after = beat.after[0]
    return Proc.TRAP_CHECK in after["agenda"][: int(after["depth"])].tolist()


def reactions_of(table: Table, start: Any, beats: Sequence[Beat]) -> Mapping:
    """What is added to reactive checks besides level, Focus and locks: by figure."""
    found: Mapping = {}
    rolled: dict[int, int] = {}
    for beat in beats:
        for row in beat.events(Event.ROLL):
            if row[2] == Roll.REACTIVE:
                rolled[row[1]] = row[4]
        if beat.proc != Proc.CHECK_REACTIVE:
            continue
        state, check = beat.before[0], beat.after[0]["check"]
        a, ability = int(check["ally"]), int(check["ability"])
        ally, rows = state["ally"][a], table.passive_rows(state, a)
        worth = int(table.content["sheet"][a]["h_worth"][ability])
        worth += sum(int(row["h_worth"][ability]) for row in rows)
        roll = state["roll"]
        symbols = int(roll["symbols"]) - int(roll["spoiled"])
        bonus = int(check["total"]) - int(roll["successes"]) - worth * symbols
        for row, chips in zip(ally["lock_passive"], ally["lock_chips"], strict=True):
            if row >= 0 and chips > 0:
                bonus -= int(table.content["passive"][int(row)]["reactive"][ability])
        focus = ally["kind"] == Kind.HERO and ally["token"] == layout.FOCUS and not ally["flipped"]
        dice = rolled.get(a, 0) - table.levels(start, a)[ability] - int(focus)
        given: Mapping = {"bonus": bonus, "dice": dice, "h": worth}
        given = {key: n for key, n in given.items() if n}
        if given:
            found.setdefault(table.allies[a], given)
    return found


def choices_of(table: Table, beats: Sequence[Beat]) -> Mapping:
    """Parameters that answer every question asked in the beats."""
    reader = _Choices(table)
    for beat in beats:
        if beat.action >= 0 and is_of_trap_card(beat):
            if beat.decision == Decision.PAY and beat.index or beat.block == Block.YES:
                raise NotTold("what is paid on the check of a Trap card")
        elif beat.action >= 0:
            reader.read(beat)
    return reader.given


class _Choices:
    """Gathers the answers of one verb as its parameters."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.given: Mapping = {}

    def into(self, *keys: str) -> Mapping:
        """The mapping under keys, made if it is not there."""
        here = self.given
        for key in keys:
            part = here.setdefault(key, {})
            assert isinstance(part, dict)
            here = part
        return here

    def add(self, key: str, value: Plain) -> None:
        """One more value of a list."""
        part = self.given.setdefault(key, [])
        assert isinstance(part, list)
        part.append(value)

    def read(self, beat: Beat) -> None:
        """Take the answer of a beat."""
        table, state, index = self.table, beat.before[0], beat.index
        match beat.decision:
            case Decision.STEP:
                self._step(beat)
            case Decision.EVADE if index:
                self.into("evade")[table.enemy(state, beat.subject)] = index
            case Decision.DISARM if beat.block == Block.YES:
                options = self.into("disarm", table.areas[beat.subject])
                if table.content["sheet"][beat.asked]["disarm"]:
                    options["keyword"] = True
            case Decision.PAY | Decision.INSPIRATION | Decision.BLESSED | Decision.ACHIEVEMENT:
                self._roll(beat)
            case Decision.FLIP_LOCK:
                row = int(state["ally"][beat.asked]["lock_passive"][index])
                names = self.into("locks").setdefault(table.allies[beat.asked], [])
                assert isinstance(names, list)
                names.append(table.passives[row])
            case Decision.STAND_IN if beat.block == Block.ALLY:
                self.into("stand_in")[table.allies[beat.subject]] = table.allies[index]
            case Decision.TARGET if beat.block == Block.ENEMY:
                self.add("targets", table.enemy(state, index))
            case Decision.SHARE:
                self.into("split")[table.enemy(state, beat.subject)] = index
            case Decision.CENTRE:
                self.given["center"] = table.areas[index]
            case Decision.LINE if beat.block == Block.AREA:
                self.add("line", table.areas[index])
            case Decision.STRIKE_ORDER:
                self.add("order", table.allies[index])
            case Decision.ENEMY_DESTINATION | Decision.ENEMY_STOP:
                key = "area" if beat.decision == Decision.ENEMY_DESTINATION else "stop"
                self.into("choose")[key] = table.areas[index]
            case Decision.ENEMY_TARGET:
                names = self.into("choose").setdefault("target", [])
                assert isinstance(names, list)
                names.append(table.allies[index])
            case Decision.DOMINATED_ALLY:
                self.into("choose")["victim"] = table.allies[index]
            case Decision.DOMINATED_ENEMY:
                self.into("choose")["victim"] = table.enemy(state, index)

    def _step(self, beat: Beat) -> None:
        """One step of a movement, or a gem for one more."""
        name = self.table.areas[beat.index] if beat.index < len(self.table.areas) else ""
        match beat.block:
            case Block.AREA:
                self.add("path", name)
            case Block.CLIMB:
                self.add("path", {"climb": name})
            case Block.PORTAL:
                self.add("path", {"token": name})
            case Block.YES:
                self.given["achievement"] = True

    def _roll(self, beat: Beat) -> None:
        """What a player does about a roll, by what the roll is for."""
        state, roller = beat.before[0], self.table.allies[beat.asked]
        where = self.given
        match purpose(state):
            case Proc.CHECK_REACTIVE:
                where = self.into("reaction", roller)
            case Proc.TRAP_DISARMED:
                where = self.into("disarm", self.table.areas[int(state["entry"]["area"])])
            case Proc.STEP_CLIMB:
                path = self.given["path"]
                assert isinstance(path, list)
                assert isinstance(path[-1], dict)
                where = path[-1]
            case Proc.STRIKE_OR_ELSE_DONE:
                where = self.into("checks", roller)
        if beat.decision == Decision.PAY:
            paid = where.setdefault("pay", [])
            assert isinstance(paid, list)
            paid += [0] * (int(state["roll"]["asked"]) - len(paid))
            paid.append(beat.index)
        elif beat.block == Block.YES:
            key = beat.decision.name.lower()
            before = where.get(key, 0)
            assert isinstance(before, int)
            where[key] = before + 1 if before else True


def pushes_of(table: Table, beats: Sequence[Beat]) -> Mapping:
    """Areas that pushed and pulled figures were moved into, by figure."""
    ways: Mapping = {}
    for beat in beats:
        for _, figure, way, area, _, _ in beat.events(Event.STEP):
            if way in (Way.PUSHED, Way.PULLED):
                steps = ways.setdefault(table.figure(beat.before[0], figure), [])
                assert isinstance(steps, list)
                steps.append(table.areas[area])
    return ways


# ---- passages -----------------------------------------------------------------------------------
class Teller:
    """Tells passages of one game."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.content = table.content

    # ---- one verb ---------------------------------------------------------------------------
    def verb(self, name: str, given: Mapping, beats: Sequence[Beat], *keys: str) -> Verb:
        """A verb with the choices made in its beats, of which `keys` are its own parameters."""
        common = ("disarm", "locks", "reaction")
        chosen = choices_of(self.table, beats)
        added = reactions_of(self.table, beats[0].before[0], beats)
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
        if "push_to" in keys and (pushed := pushes_of(self.table, beats)):
            given["push_to"] = pushed
        return Verb(name, given, beats[-1], dice_of(self.table, beats))

    # ---- an Ally's turn ---------------------------------------------------------------------
    def ally_turn(self, beats: list[Beat]) -> list[Passage]:
        """The passages of an Ally's turn."""
        a = rows_of(beats[:1], Event.TURN)[0][1]
        groups: list[list[Beat]] = [[]]
        for beat in beats:
            asks = beat.proc == Proc.TURN_CHOOSE and beat.action < 0
            if asks or beat.proc == Proc.TURN_END:
                groups.append([])
            if not asks:
                groups[-1].append(beat)
        groups = [group for group in groups if group]
        passages = [self._start(a, groups[0])]
        ended = False
        for group in groups[1:]:
            first = group[0]
            if first.proc == Proc.TURN_END:
                passages.append(self._end(a, group, ended))
                continue
            if first.block == Block.TURN and first.index == Turn.END_TURN:
                ended = True
                continue
            passages.append(self._choice(a, group))
        return passages

    def _start(self, a: int, group: list[Beat]) -> Passage:
        """R6.12 - the beginning of a turn."""
        name = self.table.allies[a]

        def tell() -> Telling:
            given: Mapping = {"who": name}
            if self._has_bonus(group[0].after[0], a):
                given["bonus"] = True
            return Telling([self.verb("start_turn", given, group, "choose", "stand_in")])

        return Passage(group, [tell], f"{name} begins its turn")

    def _has_bonus(self, state: Any, a: int) -> bool:
        """R5.10, R15.2 - whether the card shows the bonus maneuver for an Ally."""
        ally = state["ally"][a]
        if ally["special"] or state["card"] < 0:
            return False
        card = self.content["card"][int(state["card"])]
        return any(
            not card["enemy"][k] and card["colour"][k] == ally["colour"] and card["bonus"][k]
            for k in range(6)
        )

    def _end(self, a: int, group: list[Beat], ended: bool) -> Passage:
        """The end of a turn: said by the player, or by itself for who is out of action."""
        name = self.table.allies[a]
        verbs = [Verb("end_turn", {"who": name}, group[-1])] if ended else []
        return Passage(group, [lambda: Telling(verbs)], f"{name} ends its turn", closes=True)

    def _choice(self, a: int, group: list[Beat]) -> Passage:
        """What an Ally does by one choice of its turn."""
        first, name = group[0], self.table.allies[a]
        title = f"{name}: {first.block.name.lower()} {first.index}"
        if first.block == Block.TURN:
            title = f"{name}: {Turn(first.index).name.lower().replace('_', ' ')}"
        elif first.block == Block.TOKEN:
            title = f"{name} performs {self.table.action(a, first.index)}"
        return Passage(
            group,
            [
                lambda: self._tell_choice(a, group),
                lambda: trapless(self._tell_choice(a, group)),
                lambda: self.bookkeeping(group),
            ],
            title,
        )

    def _tell_choice(self, a: int, group: list[Beat]) -> Telling:
        """The verbs of one choice of a turn."""
        first, name = group[0], self.table.allies[a]
        who: Mapping = {"who": name}
        if first.block == Block.LOCK:
            row = int(first.before[0]["ally"][a]["lock_passive"][first.index])
            lock: Mapping = who | {"name": self.table.passives[row]}
            return Telling([self.verb("unlock", lock, group)])
        if first.block == Block.TOKEN or first.index == Turn.ACT:
            return self._act(a, group)
        steps = ("path", "evade", "achievement")
        match Turn(first.index):
            case Turn.MOVE_FREE | Turn.MOVE_PAID as move:
                version = "paid" if move == Turn.MOVE_PAID else "free"
                return Telling([self.verb("move", who | {"version": version}, group, *steps)])
            case Turn.RETHINK_MOVE:
                path: Mapping = who | {"path": []}
                return Telling([self.verb("rethink", path, group, *steps)])
            case Turn.RETHINK_RESTORE:
                restores: Mapping = who | {"restore": True}
                return Telling([self.verb("rethink", restores, group, "achievement")])
            case Turn.RECOVER_STAMINA | Turn.RECOVER_DAMAGE as recover:
                choice = "stamina" if recover == Turn.RECOVER_STAMINA else "damage"
                given: Mapping = who | {"choice": choice}
                return Telling([self.verb("recover", given, group, "achievement")])
            case Turn.DISCARD_BLEEDING:
                given = who | {"discard": "bleeding"}
                return Telling([self.verb("spend_maneuver", given, group)])
            case Turn.DISCARD_HELD:
                given = who | {"discard": "held"}
                return Telling([self.verb("spend_maneuver", given, group)])
            case _:
                return self._extra(a, group)

    # ---- actions and items ------------------------------------------------------------------
    def _act(self, a: int, group: list[Beat]) -> Telling:
        """R6.1 - an action: what it costs, and its effect rows one after another."""
        telling = Telling([])
        token = self.content["token"][rows_of(group, Event.ACT)[0][2]]
        parts = effect_parts(group)
        attacks = [k for k, part in enumerate(parts) if rows_of(part, Event.ATTACK)]
        hero = group[0].before[0]["ally"][a]["kind"] == Kind.HERO
        name, first = self.table.allies[a], 0
        if attacks != [] and attacks[0] == 0:
            first = 1  # the attack uses the action and pays for it
        elif hero and not token["maneuver"]:
            telling.verbs.append(Verb("rethink", {"who": name, "path": []}))
        elif token["maneuver"]:
            telling.verbs += self._spent_maneuver(telling, a, group[0].before[0])
        costs = rows_of(group[:1], Event.SPEND)
        if not first:
            for _, _, amount, _, red, _ in costs:
                paid: Mapping = {"to": name, "amount": amount} if red else {}
                paid = paid or {"who": name, "amount": amount}
                telling.verbs.append(Verb("damage" if red else "spend", paid))
            telling.gems += [(name, "inspiration")] * int(token["gem"] if hero else 0)
        for k, part in enumerate(parts):
            pays = token if first and k == 0 else None
            further = k > 0 or not first
            self._effect(telling, a, part, pays, further)
        return telling

    def _spent_maneuver(self, telling: Telling, a: int, state: Any) -> list[Verb]:
        """A maneuver that does nothing, in place of one for which the format has no verb."""
        ally, name = state["ally"][a], self.table.allies[a]
        held = conditions_of(int(ally["conditions"]))
        if "held" not in held and "slowed" not in held:
            return [Verb("move", {"who": name, "path": []})]
        if ally["kind"] == Kind.HERO and not ally["wounds"]:
            return [Verb("recover", {"who": name, "choice": "damage"})]
        telling.silent.add((name, "maneuvers"))
        return []

    def _effect(
        self, telling: Telling, a: int, part: list[Beat], pays: Any, further: bool
    ) -> None:
        """One effect row of an action or item, with the questions asked about it."""
        table, name = self.table, self.table.allies[a]
        row = self.content["effect"][rows_of(part[:1], Event.EFFECT)[0][2]]
        amount, reach, op = int(row["amount"]), int(row["range"]), Op(int(row["op"]))
        verbs, state = telling.verbs, part[0].before[0]
        steps = ("path", "evade")
        whom = recipient_of(table, part)
        match op:
            case Op.ATTACK:
                if rows_of(part, Event.ATTACK):
                    verbs.append(self._attack(a, part, pays, further))
            case Op.HEAL | Op.RESTORE if whom:
                given: Mapping = {"to": whom, "amount": amount}
                verbs.append(self.verb(op.name.lower(), given, part))
            case Op.MIXED if whom:
                restored = sum(row[2] for row in rows_of(part, Event.RESTORE))
                given = {"to": whom, "amount": amount, "restore": restored}
                verbs.append(Verb("mixed", given | {"heal": amount - restored}))
            case Op.ROLL_HEAL | Op.ROLL_RESTORE if whom:
                dice = rows_of(part, Event.ROLL)[0][4]
                use = "heal" if op == Op.ROLL_HEAL else "restore"
                given = {"who": name, "dice": dice, "use": use, "to": whom}
                verbs.append(self.verb("roll", given, part, *ROLLED))
            case Op.GAIN | Op.AFFLICT if whom:
                verbs.append(Verb("gain", {"to": whom, "condition": condition_name(int(row["a"]))}))
            case Op.DISCARD_ONE | Op.DISCARD_ALL if whom:
                gone = [condition_name(row[2]) for row in rows_of(part, Event.DISCARD)]
                if op == Op.DISCARD_ALL:
                    gone = ["all"]
                verbs += [Verb("discard", {"to": whom, "condition": name}) for name in gone]
            case Op.MOVE:
                given = {"who": name, "points": amount}
                verbs.append(self.verb("walk", given, part, *steps))
            case Op.JUMP:
                for way in rows_of(part, Event.STEP)[:1]:
                    less = table.jump_less(state, a)
                    given = {"who": name, "to": table.areas[way[3]], "range": max(0, reach - less)}
                    verbs.append(self.verb("jump", given, part, "evade"))
            case Op.TELEPORT:
                for way in rows_of(part, Event.STEP)[:1]:
                    given = {"who": name, "to": table.areas[way[3]], "range": reach}
                    verbs.append(self.verb("teleport", given, part))
            case Op.LOCK:
                for lock in rows_of(part, Event.LOCK):
                    verbs.append(self.lock(a, lock[2], part))
            case Op.EVADE:
                telling.evade += amount
            case Op.MANEUVER:
                telling.jewels += amount
            case Op.GEM | Op.INSPIRE:
                kind = "achievement" if op == Op.GEM else "inspiration"
                verbs += [Verb("gain_gem", {"to": name, "kind": kind}) for _ in range(amount)]
            case _:
                self._rarer_effect(telling, a, part, row, whom)

    def _rarer_effect(
        self, telling: Telling, a: int, part: list[Beat], row: Any, whom: str
    ) -> None:
        """Effects on one Enemy, tokens, traps, and what only changes numbers."""
        table, name, verbs = self.table, self.table.allies[a], telling.verbs
        amount, reach, op = int(row["amount"]), int(row["range"]), Op(int(row["op"]))
        match op:
            case Op.PUSH | Op.PULL if whom:
                given: Mapping = {"source": name, "targets": [whom], "distance": amount}
                given["range"] = reach
                verb = self.verb(op.name.lower(), given, part)
                if pushed := pushes_of(table, part):
                    verb.given["to"] = pushed
                verbs.append(verb)
            case Op.DRAIN if whom:
                given = {"who": name, "target": whom, "amount": amount}
                verbs.append(self.verb("drain", given, part))
            case Op.DAMAGE if whom:
                verbs.append(self.verb("damage", {"to": whom, "amount": amount}, part))
            case Op.DEFEAT if whom:
                verbs.append(self.verb("defeat", {"target": whom}, part))
            case Op.UNWOUND | Op.REVIVE if whom:
                done = "remove_wounded" if op == Op.UNWOUND else "remove_exhausted"
                verbs.append(self.verb(done, {"to": whom}, part))
            case Op.SUMMON:
                for _, figure, _, area, _, _ in rows_of(part, Event.SUMMON):
                    token = table.figure(part[0].before[0], figure)
                    given = {"name": token, "area": table.areas[area]}
                    verbs.append(Verb("summon", given, brings=figure))
            case Op.COMMAND:
                self._command(telling, part, int(row["a"]), amount)
            case Op.SET_TRAP:
                laid = rows_of(part, Event.TRAP_SET)
                telling.traps += [table.areas[area] for _, _, _, area, _, _ in laid]
            case Op.PORTAL:
                for _, _, _, area, _, _ in rows_of(part, Event.PORTAL):
                    where = table.areas[area]
                    telling.portals[where] = table.portal(part[-1].after[0], area)
            case Op.DELAY | Op.ATTACK_DICE | Op.ABILITY:
                pass  # it is in the numbers of later verbs
            case Op.SUMMON_ALLY:
                if rows_of(part, Event.SUMMON):
                    raise NotTold("an Ally that appears")

    def _command(self, telling: Telling, part: list[Beat], k: int, points: int) -> None:
        """R18.7 - a token walks, then harms an Enemy."""
        telling.verbs += self._token_walk(part, k, points)
        for beat in part:
            if beat.decision == Decision.TOKEN_HARM and beat.block == Block.ENEMY:
                victim = self.table.enemy(beat.before[0], beat.index)
                harm = int(self.content["figure"][k]["harm"])
                telling.verbs.append(Verb("damage", {"to": victim, "amount": harm}))

    def _token_walk(self, part: list[Beat], k: int, points: int) -> list[Verb]:
        """R18.7, R18.8 - the steps of a token or pet."""
        steps = [beat for beat in part if beat.decision == Decision.TOKEN_STEP]
        path: list[Plain] = [self.table.areas[b.index] for b in steps if b.block == Block.AREA]
        who = self.table.figures[k]
        return [Verb("walk", {"who": who, "points": points, "path": path})] if path else []

    def lock(self, a: int, row: int, beats: list[Beat]) -> Verb:
        """R14.1 - a passive action or item begins."""
        passive = self.content["passive"][row]
        given: Mapping = {"who": self.table.allies[a], "name": self.table.passives[row]}
        given["amount"] = int(passive["need"])
        reactive = {name: int(passive["reactive"][k]) for k, name in enumerate(ABILITIES)}
        return Verb("lock", given | {"reactive": {**reactive}}, beats[-1])

    def _attack(self, a: int, part: list[Beat], pays: Any, further: bool) -> Verb:
        """Section 9 - an attack with the numbers that weapon, skills and riders gave it."""
        end = part[-1].after[0]["attack"]
        row = self.content["attack"][int(end["row"])]
        kind, shape = int(end["type"]), Shape(int(row["shape"]))
        given: Mapping = {"who": self.table.allies[a], "type": TYPES[kind]}
        if shape != Shape.SINGLE:
            given["shape"] = shape.name.lower()
        if pays is not None:
            given |= {"cost": int(pays["cost"])} if pays["cost"] else {}
            given |= {"gem": int(pays["gem"])} if pays["gem"] else {}
        given |= {"continues": True} if further else {}
        given |= self._attack_numbers(a, part, row, end)
        verb = self.verb("attack", given, part, *AIMED, *ROLLED, "push_to")
        if shape == Shape.CLEAVE:
            verb.given.pop("targets", None)
        if shape in (Shape.SINGLE, Shape.MULTI, Shape.LINE):
            targets = end["target"][: int(end["n_targets"])].tolist()
            before = part[0].before[0]
            verb.given["targets"] = [self.table.enemy(before, e) for e in targets]
        return verb

    def _attack_numbers(self, a: int, part: list[Beat], row: Any, end: Any) -> Mapping:
        """Dice, bonus, range and riders of an attack, as they were in the end."""
        given: Mapping = {}
        if part[0].before[0]["ally"][a]["kind"] == Kind.HERO and not row["effect_only"]:
            rolled = [r for r in rows_of(part, Event.ROLL) if r[2] == Roll.ATTACK]
            if not rolled:
                raise NotTold("an attack that came to nothing")
            given["dice"] = rolled[0][4]
            successes = next(
                int(beat.before[0]["roll"]["successes"])
                for beat in part
                if beat.proc == Proc.ATTACK_TOTAL
            )
            given["bonus"] = int(end["total"]) - successes * (2 if row["double"] else 1)
        else:
            given["value"] = int(row["value"])
        band = self.band(a, row, end, part[0].before[0])
        given |= {"range": [*band]} if band else {}
        conditions = conditions_of(int(row["conditions"]) | int(end["conditions"]))
        given |= {"condition": conditions} if conditions else {}
        pierce = int(row["pierce"]) + int(end["pierce"])
        given |= {"pierce": pierce} if pierce else {}
        for key in ("push", "pull"):
            given |= {key: int(row[key])} if row[key] else {}
        for key in ("double", "drain", "non_elite", "effect_only"):
            given |= {key: True} if row[key] else {}
        spared = int(self.content["sheet"][a]["ignore_aim"]) >> int(end["type"]) & 1
        given |= {"ignore_aim": True} if row["ignore_aim"] or spared else {}
        if row["shape"] == Shape.AREA:
            given["radius"] = int(row["radius"])
        if row["shape"] == Shape.LINE:
            given["length"] = int(row["length"])
        return given

    def band(self, a: int, row: Any, end: Any, state: Any) -> list[int] | None:
        """The range of an attack: its own, else that of the weapon used; None = melee reach."""
        kind = int(end["type"])
        if row["shape"] == Shape.AREA and not row["has_centre"]:
            return None
        if row["range_max"] >= 0:
            return [int(row["range_min"]), int(row["range_max"])]
        weapon = int(end["weapon"])
        item = int(state["ally"][a]["item"][weapon]) if weapon >= 0 else -1
        source = self.content["item"][item] if item >= 0 else None
        if source is not None:
            low, high = int(source["range_min"]), int(source["range_max"])
        else:
            sheet = self.content["sheet"][a]
            low, high = int(sheet["weapon_min"][kind]), int(sheet["weapon_max"][kind])
        return [low, high] if low >= 0 else None

    def _extra(self, a: int, group: list[Beat]) -> Telling:
        """R6.11, R17, R18.8, R19.11 - items, ropes, pets and story sections."""
        table, name = self.table, self.table.allies[a]
        state, telling = group[0].before[0], Telling([])
        match Turn(group[0].index):
            case Turn.TAKE_ITEM | Turn.DROP_ITEM | Turn.GIVE_ITEM:
                self._handled(telling, a, group)
            case Turn.WEAR_ITEM:
                if state["maneuvers"] > group[-1].after[0]["maneuvers"]:
                    telling.verbs += self._spent_maneuver(telling, a, state)
                for beat in group:
                    for row in beat.events(Event.LOCK, Event.UNLOCK):
                        self._lock_row(telling, a, row, beat)
            case Turn.FIX_ROPE | Turn.TAKE_ROPE as turn:
                to = [b.index for b in group if b.decision == Decision.ROPE]
                areas = to or [row[3] for row in rows_of(group, Event.ROPE)]
                given: Mapping = {"who": name, "to": table.areas[areas[0]]}
                keys = ROLLED if turn == Turn.FIX_ROPE else ()
                telling.verbs.append(self.verb(turn.name.lower(), given, group, *keys))
            case Turn.PLACE_PET:
                _, code, _, area, _, _ = rows_of(group, Event.SUMMON)[0]
                pet = table.figure(state, code)
                telling.present[pet] = code, {"pet": {}, "area": table.areas[area]}
            case Turn.MOVE_PET:
                k = int(group[0].after[0]["walker"])
                points = int(self.content["figure"][k]["move"])
                telling.verbs += self._token_walk(group, k, points)
            case Turn.RECALL_PET:
                pet = table.figure(state, rows_of(group, Event.RECALL)[0][1])
                telling.silent.add((pet, ""))
            case Turn.USE_ITEM:
                if state["maneuvers"] > group[-1].after[0]["maneuvers"]:
                    telling.verbs += self._spent_maneuver(telling, a, state)
                for part in effect_parts(group):
                    self._effect(telling, a, part, None, True)
            case _:
                raise NotTold(Turn(group[0].index).name.lower())
        return telling

    def _handled(self, telling: Telling, a: int, group: list[Beat]) -> None:
        """R17.5 - items taken, dropped and given."""
        table, name = self.table, self.table.allies[a]
        for event, figure, item, giver, _, _ in rows_of(group, *HANDLED):
            given: Mapping = {"who": name, "item": table.items[item]}
            if event == Event.GIVE:
                given = {"who": table.allies[giver], "to": table.allies[figure]}
                given["item"] = table.items[item]
            telling.verbs.append(Verb(HANDLED[Event(event)], given, group[-1]))

    def _lock_row(self, telling: Telling, a: int, row: Row, beat: Beat) -> None:
        """A lock that begins or ends beside an action."""
        if row[0] == Event.LOCK:
            telling.verbs.append(self.lock(a, row[2], [beat]))
        elif beat.before[0]["ally"]["lock_passive"][a].tolist().count(row[2]):
            given: Mapping = {"who": self.table.allies[a], "name": self.table.passives[row[2]]}
            if self.content["passive"][row[2]]["need"] > 0:
                telling.verbs.append(Verb("unlock", given, beat))

    # ---- Enemies ----------------------------------------------------------------------------
    def enemy_turn(self, beats: list[Beat]) -> list[Passage]:
        """An Enemy's turn as one passage."""
        e = rows_of(beats[:1], Event.TURN)[0][1] - N_ALLIES
        name = self.table.enemy(beats[0].after[0], e)
        return [
            Passage(
                beats,
                [
                    lambda: self._tell_enemy(e, name, beats),
                    lambda: trapless(self._tell_enemy(e, name, beats)),
                    lambda: self._bookkept_enemy(name, beats),
                ],
                f"{name} takes its turn",
            )
        ]

    def _tell_enemy(self, e: int, name: str, beats: list[Beat]) -> Telling:
        """R10.4 - the turn; what its card does beyond the format comes before or after it."""
        signs = rows_of(beats[:1], Event.TURN)[0][2]
        given: Mapping = {"who": name, "eye": Eye(signs & 3).name.lower()}
        given |= {"horns": True} if signs & 4 else {}
        given |= {"snake": True} if signs & 8 else {}
        telling = Telling([])
        struck = [k for k, beat in enumerate(beats) if beat.proc == Proc.ENEMY_STRIKE]
        cut = struck[0] if struck else len(beats)
        self._arrivals(telling, beats[:cut])
        own = N_ALLIES + e
        for beat in beats:
            for _, figure, way, area, _, _ in beat.events(Event.STEP):
                if figure == own and way == Way.TELEPORT:
                    to: Mapping = {"who": name, "to": self.table.areas[area]}
                    telling.verbs.append(Verb("teleport", to))
            if beat.proc == Proc.ENEMY_STEP and (hurt := beat.events(Event.DAMAGE)):
                harm: Mapping = {"to": name, "amount": hurt[0][2]}
                telling.verbs.append(Verb("damage", harm))
        keys = ("choose", "stand_in", "order", "checks", "push_to")
        telling.verbs.append(self.verb("enemy_turn", given, beats, *keys))
        self._arrivals(telling, beats[cut:])
        return telling

    def _bookkept_enemy(self, name: str, beats: list[Beat]) -> Telling:
        """What the turn changed; that it was a turn remains unsaid."""
        telling = self.bookkeeping(beats)
        telling.silent.add((name, "acted"))
        return telling

    def _arrivals(self, telling: Telling, beats: list[Beat]) -> None:
        """Figures and traps that an Enemy brings: no part of its card in the format."""
        for beat in beats:
            for _, figure, _, area, _, _ in beat.events(Event.SPAWN):
                telling.verbs.append(self.spawn(beat, figure, area))
            for _, _, _, area, _, _ in beat.events(Event.TRAP_SET):
                telling.traps.append(self.table.areas[area])

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

    # ---- the way of last resort -------------------------------------------------------------
    def bookkeeping(self, beats: list[Beat]) -> Telling:
        """Every change by a verb that makes just this change, in the order of the event log."""
        telling = Telling([], plain=True)
        for beat in beats:
            for row in beat.rows:
                self._change(telling, beat, row)
            self._unlogged(telling, beat)
            if beat.proc == Proc.TURN_CHOOSE and beat.action >= 0:
                self._used(telling, beats, beat)
        return telling

    def _unlogged(self, telling: Telling, beat: Beat) -> None:
        """Timers, Evade points and items that come to lie: there are no rows for them."""
        before, after = beat.before[0], beat.after[0]
        if beat.decision == Decision.EVADE:
            telling.evade -= beat.index
        target = int(after["timer_target"])
        if target != before["timer_target"]:
            ends: Mapping = {"start": target} if target > 0 else {"stop": True}
            telling.verbs.append(Verb("timer", ends))
        if beat.proc in (Proc.STORY_NEXT, Proc.EVENT_NEXT):
            for area, name in enumerate(self.table.areas):
                old = self.table.items_of(before["item"][area])
                new = self.table.items_of(after["item"][area])
                telling.lying += [(name, str(item)) for item in new[len(old) :]]

    def _used(self, telling: Telling, beats: list[Beat], beat: Beat) -> None:
        """What a choice takes of the action and the maneuvers of a turn."""
        state, after = beat.before[0], beats[-1].after[0]
        a = int(state["active_ally"])
        if after["active_ally"] != a:
            return
        hero = state["ally"][a]["kind"] == Kind.HERO
        if hero and after["actions"] < state["actions"]:
            name = self.table.allies[a]
            telling.verbs.insert(0, Verb("rethink", {"who": name, "path": []}))
        more = int(after["maneuvers"]) - int(state["maneuvers"])
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
        if figure >= N_ALLIES + N_ENEMIES:
            telling.verbs.append(Verb("walk", {"who": name, "points": 1, "path": [where]}))
        else:
            telling.verbs.append(Verb("teleport", {"who": name, "to": where}))


def trapless(telling: Telling) -> Telling:
    """The same, but a trap that is set is neither there from the start nor asserted."""
    if not telling.traps:
        raise NotTold("")
    telling.hidden, telling.traps = telling.hidden + telling.traps, []
    return telling


ROLLED = ("pay", "inspiration", "achievement", "blessed")
AIMED = ("targets", "split", "center", "line")
HANDLED = {Event.TAKE: "take", Event.DROP: "drop", Event.GIVE: "give"}


def effect_parts(beats: list[Beat]) -> list[list[Beat]]:
    """The beats of each effect row of an action or item."""
    starts = [k for k, beat in enumerate(beats) if beat.events(Event.EFFECT)]
    ends = [*starts[1:], len(beats)]
    return [beats[start:end] for start, end in zip(starts, ends, strict=True)]


def recipient_of(table: Table, part: list[Beat]) -> str:
    """Whom an effect helps or meets; empty if nobody."""
    for beat in part:
        if beat.decision == Decision.RECIPIENT:
            return table.allies[beat.index]
        if beat.decision in (Decision.AFFLICTED, Decision.VICTIM):
            return table.enemy(beat.before[0], beat.index)
    return ""


def special_of(number: int) -> str:
    """Name of a special initiative."""
    return Special(number).name.lower()
