"""Turns of Allies and Enemies in the verbs of the case format.

A turn is a segment for its beginning, one for each choice that its player makes, and one for its
end; an Enemy's turn is one segment.
"""

from __future__ import annotations

from typing import Any

from agemonia_env.rulesets.case_files import Plain

from ..core.actions import Block, Turn
from ..core.layout import N_ALLIES
from ..core.terms import Decision, Event, Eye, Kind, Op, Proc, Roll, Shape, Way
from .bookkeeping import ROLLED, Bookkeeper
from .position import TYPES, Mapping, amounts, conditions_of, flags, non_default, ways_of
from .record import EventStep
from .side_effects import interrupts, stretches
from .trace_writer import (
    NotExpressible,
    Segment,
    Transcript,
    Verb,
    effect_parts,
    gems_first,
    pushes_of,
    recipient_of,
    rows_of,
    unspent,
)
from .world import condition_name

AFTER_STRIKE = (Proc.ENEMY_SNAKE, Proc.ENEMY_PLAN, Proc.ENEMY_HORNS, Proc.ENEMY_END)
DEALING = ("choose", "stand_in", "order", "checks", "push_to")
BUDGET = ("actions", "maneuvers")  # of a turn
AIMED = ("targets", "split", "center", "line")


def _attacks(part: list[EventStep]) -> bool:
    """Whether an attack is made, and has targets."""
    rolled = any(row.amount == Roll.ATTACK for row in rows_of(part, Event.ROLL))
    return bool(rows_of(part, Event.ATTACK)) and (rolled or bool(rows_of(part, Event.TARGET)))


def _ends(step: EventStep) -> bool:
    """Whether a player ends a turn."""
    return step.block == Block.TURN and step.index == Turn.END_TURN


class TurnWriter(Bookkeeper):
    """Writes the turns of one game."""

    def ally_turn(self, steps: list[EventStep]) -> list[Segment]:
        """The segments of an Ally's turn."""
        a = rows_of(steps[:1], Event.TURN)[0][1]
        groups: list[list[EventStep]] = [[]]
        for step in steps:
            asks = step.proc == Proc.TURN_CHOOSE and step.action < 0
            if asks or step.proc == Proc.TURN_END:
                groups.append([])
            if not asks:
                groups[-1].append(step)
        groups = [group for group in groups if group]
        if len(groups) > 1 and groups[-1][0].proc == Proc.TURN_END and not _ends(groups[-2][0]):
            last = groups.pop()  # by itself: the Ally is out of action
            groups[-1] += last
        segments = [self._start(a, groups[0])]
        for group in groups[1:]:
            if group[0].proc == Proc.TURN_END:
                segments.append(self._end(a, group))
            elif not _ends(group[0]):
                segments.append(self._choice(a, group))
        return segments

    def _start(self, a: int, group: list[EventStep]) -> Segment:
        """R6.12 - the beginning of a turn."""
        name = self.table.allies[a]

        def write() -> Transcript:
            given: Mapping = {"who": name}
            if self._has_bonus(group[0].after[0], a):
                given["bonus"] = True
            verb = self.verb("start_turn", given, group, "choose", "stand_in")
            later = [k for k, step in enumerate(group) if self.is_side_effect(step) and k > 0]
            verb.end = group[later[0] - 1] if later else group[-1]
            transcript = Transcript([*self.ended_locks(group), verb])
            self.write_side_effects(transcript, group)
            if self._falls(transcript, a, group) or self._half_missed(transcript, a, group[0]):
                verb.unasserted = BUDGET
            return transcript

        return Segment(group, [write], f"{name} begins its turn")

    def _half_missed(self, transcript: Transcript, a: int, step: EventStep) -> bool:
        """R12.9 [Q57] - Stunned, partly missed: the format cannot express half of it."""
        ally, name = step.before[0]["ally"][a], self.table.allies[a]
        missed = [bool(int(ally["missed"]) >> k & 1) for k in range(2)]
        if not any(missed):
            return False
        transcript.without.append((name, "stunned"))
        transcript.silent.add((name, "conditions"))
        if missed[1]:
            transcript.verbs.append(Verb("rethink", {"who": name, "path": []}))
        else:
            transcript.verbs += self._spent_maneuver(transcript, a, step.before[0])
        return True

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

    def _falls(self, transcript: Transcript, a: int, group: list[EventStep]) -> bool:
        """Whether an Ally is out of action; what is left of its turn is then not asserted."""
        if not group[-1].after[0]["ally"]["exhausted"][a]:
            return False
        transcript.silent |= {(self.table.allies[a], key) for key in ("acted", *BUDGET)}
        return True

    def _end(self, a: int, group: list[EventStep]) -> Segment:
        """The end of a turn, chosen by the player."""
        name = self.table.allies[a]
        verbs = [Verb("end_turn", {"who": name}, group[-1])]
        transcripts = [lambda: Transcript(verbs), lambda: self._plain_end(name, group)]
        return Segment(group, transcripts, f"{name} ends its turn")

    def _plain_end(self, name: str, group: list[EventStep]) -> Transcript:
        """The end of a turn that the case does not begin."""
        transcript = self.bookkeeping(group)
        transcript.silent |= {(name, key) for key in ("acted", *BUDGET)}
        return transcript

    def _choice(self, a: int, group: list[EventStep]) -> Segment:
        """What an Ally does by one choice of its turn."""
        first, name = group[0], self.table.allies[a]
        title = f"{name}: {first.block.name.lower()} {first.index}"
        if first.block == Block.TURN:
            title = f"{name}: {Turn(first.index).name.lower().replace('_', ' ')}"
        elif first.block == Block.TOKEN:
            title = f"{name} performs {self.table.action(a, first.index)}"
        return Segment(
            group,
            [
                lambda: self._choose_way(a, group),
                lambda: self._in_stretches(a, group),
                lambda: gems_first(self._in_stretches(a, group)),
                lambda: gems_first(self._choose_way(a, group)),
                lambda: unspent(self._choose_way(a, group), name),
                lambda: self._plain_choice(a, group),
            ],
            title,
        )

    def _choose_way(self, a: int, group: list[EventStep]) -> Transcript:
        """One choice of a turn, followed by its side effects."""
        acts = bool(group[0].events(Event.ACT)) or group[0].index == Turn.USE_ITEM
        if not acts and any(interrupts(step) for step in group[1:]):
            raise NotExpressible("something between the steps of a move")
        transcript = self._write_choice(a, group)
        transcript.verbs[:0] = self.ended_locks(group)
        if not acts:
            self.write_side_effects(transcript, group)
        self._falls(transcript, a, group)
        return transcript

    def _plain_choice(self, a: int, group: list[EventStep]) -> Transcript:
        """One choice of a turn, written as its changes."""
        transcript = self.bookkeeping(group)
        self._falls(transcript, a, group)
        return transcript

    def _in_stretches(self, a: int, group: list[EventStep]) -> Transcript:
        """R6.14 - a movement in parts, with the side effects between them."""
        parts = [*stretches(group, self.apart(group))]
        if len(parts) < 2:
            raise NotExpressible("")
        transcript = self._write_choice(a, parts[0])
        self.write_side_effects(transcript, parts[0])
        for part in parts[1:]:
            self._walk(transcript, a, part, int(part[0].before[0]["move"]["points"]))
        self._falls(transcript, a, group)
        return transcript

    def _walk(self, transcript: Transcript, a: int, part: list[EventStep], points: int) -> None:
        """A later part of a movement, or a choice between two parts."""
        if interrupts(part[0]):
            transcript.join(self._choose_way(a, part))
            return
        given: Mapping = {"who": self.table.allies[a], "points": points}
        verb = self.verb("walk", given, part, "path", "evade", "achievement")
        if verb.given.pop("achievement", False):  # R3.24: a gem for one point more
            verb.given["points"] = points + 1
            transcript.gems.append((self.table.allies[a], "achievement"))
        transcript.verbs += [verb] if "path" in verb.given else []
        self.write_side_effects(transcript, part)

    def _write_choice(self, a: int, group: list[EventStep]) -> Transcript:
        """The verbs of one choice of a turn."""
        first, name = group[0], self.table.allies[a]
        who: Mapping = {"who": name}
        if first.block == Block.LOCK:
            row = int(first.before[0]["ally"][a]["lock_passive"][first.index])
            lock: Mapping = who | {"name": self.table.passives[row]}
            return Transcript([self.verb("unlock", lock, group)])
        if first.block == Block.TOKEN or first.index == Turn.ACT:
            return self._act(a, group)
        keys = ("path", "evade", "achievement")
        match Turn(first.index):
            case Turn.MOVE_FREE | Turn.MOVE_PAID as move:
                version = "paid" if move == Turn.MOVE_PAID else "free"
                return Transcript([self.verb("move", who | {"version": version}, group, *keys)])
            case Turn.RETHINK_MOVE:
                return Transcript([self.verb("rethink", who | {"path": []}, group, *keys)])
            case Turn.RETHINK_RESTORE:
                return Transcript([self.verb("rethink", who | {"restore": True}, group, keys[2])])
            case Turn.RECOVER_STAMINA | Turn.RECOVER_DAMAGE as recover:
                choice = "stamina" if recover == Turn.RECOVER_STAMINA else "damage"
                return Transcript([self.verb("recover", who | {"choice": choice}, group, keys[2])])
            case Turn.DISCARD_BLEEDING | Turn.DISCARD_HELD as discard:
                gone = "bleeding" if discard == Turn.DISCARD_BLEEDING else "held"
                return Transcript([self.verb("spend_maneuver", who | {"discard": gone}, group)])
            case _:
                return self._extra(a, group)

    def _act(self, a: int, group: list[EventStep]) -> Transcript:
        """R6.1 - an action: what it costs, and its effect rows one after another."""
        transcript = Transcript([])
        token = self.content["token"][rows_of(group, Event.ACT)[0][2]]
        parts = effect_parts(group)
        attacks = [k for k, part in enumerate(parts) if _attacks(part)]
        hero = group[0].before[0]["ally"][a]["kind"] == Kind.HERO
        name = self.table.allies[a]
        own = attacks[0] if attacks and not token["maneuver"] else -1  # it uses the action
        if token["maneuver"]:
            transcript.verbs += self._spent_maneuver(transcript, a, group[0].before[0])
        elif own < 0 and hero:
            transcript.verbs.append(Verb("rethink", {"who": name, "path": []}))
        elif own < 0:
            transcript.silent.add((name, "actions"))
        if own != 0:  # the attack does not pay for it all
            for _, _, amount, _, red, _ in rows_of(group[:1], Event.SPEND):
                verb, key = ("damage", "to") if red else ("spend", "who")
                transcript.verbs.append(Verb(verb, {key: name, "amount": amount}))
            transcript.gems += [(name, "inspiration")] * int(token["gem"] if hero else 0)
        for k, part in enumerate(parts):
            self._effect(transcript, a, part, token if k == own == 0 else None, k != own)
        if not attacks:  # an attack action that came to nothing (R12.7)
            for row in rows_of([b for b in group if b.proc == Proc.ACTION_END], Event.DISCARD):
                lost = {"to": name, "condition": condition_name(row.amount)}
                transcript.verbs.append(Verb("discard", lost))
        return transcript

    def _effect(
        self, transcript: Transcript, a: int, part: list[EventStep], pays: Any, further: bool
    ) -> None:
        """One effect row of an action or item, with the questions asked about it."""
        table, name = self.table, self.table.allies[a]
        row = self.content["effect"][rows_of(part[:1], Event.EFFECT)[0][2]]
        amount, reach, op = int(row["amount"]), int(row["range"]), Op(int(row["op"]))
        verbs, state = transcript.verbs, part[0].before[0]
        whom = recipient_of(table, part)
        if op == Op.MOVE:
            for stretch in stretches(part, self.apart(part)):
                left = (
                    int(stretch[0].before[0]["move"]["points"]) if stretch[0] != part[0] else amount
                )
                self._walk(transcript, a, stretch, left)
            return
        match op:
            case Op.ATTACK:
                if _attacks(part):
                    verbs.append(self._attack(a, part, pays, further))
            case Op.HEAL | Op.RESTORE if whom:
                given: Mapping = {"to": whom, "amount": amount}
                verbs.append(self.verb(op.name.lower(), given, part))
            case Op.MIXED if whom:
                restored = sum(row.amount for row in rows_of(part, Event.RESTORE))
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
                gone = [condition_name(row.amount) for row in rows_of(part, Event.DISCARD)]
                if op == Op.DISCARD_ALL:
                    gone = ["all"]
                verbs += [Verb("discard", {"to": whom, "condition": name}) for name in gone]
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
            case Op.MANEUVER:
                transcript.jewels += amount
            case Op.GEM | Op.INSPIRE:
                kind = "achievement" if op == Op.GEM else "inspiration"
                verbs += [Verb("gain_gem", {"to": name, "kind": kind}) for _ in range(amount)]
            case _:
                self._rarer_effect(transcript, a, part, row, whom)
        self.write_side_effects(transcript, part)

    def _rarer_effect(
        self, transcript: Transcript, a: int, part: list[EventStep], row: Any, whom: str
    ) -> None:
        """Effects on one Enemy, tokens, traps, and what only changes numbers."""
        table, name, verbs = self.table, self.table.allies[a], transcript.verbs
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
                    transcript.absent.append(token)  # it stands nowhere else from then on
                    given = {"name": token, "area": table.areas[area]}
                    verbs.append(Verb("summon", given, adds_figure=figure))
            case Op.COMMAND:
                self._command(transcript, part, int(row["a"]), amount)
            case Op.SET_TRAP:
                laid = rows_of(part, Event.TRAP_SET)
                transcript.traps += [table.areas[area] for _, _, _, area, _, _ in laid]
            case Op.PORTAL:
                for _, _, _, area, _, _ in rows_of(part, Event.PORTAL):
                    where = table.areas[area]
                    transcript.portals[where] = table.portal(part[-1].after[0], area)
            case Op.DELAY | Op.ATTACK_DICE | Op.ABILITY | Op.EVADE:
                pass  # it is in the numbers of later verbs
            case Op.SUMMON_ALLY:
                if rows_of(part, Event.SUMMON):
                    raise NotExpressible("an Ally that appears")

    def _command(self, transcript: Transcript, part: list[EventStep], k: int, points: int) -> None:
        """R18.7 - a token walks, then harms an Enemy."""
        transcript.verbs += self._token_walk(part, k, points)
        for step in part:
            if step.decision == Decision.TOKEN_HARM and step.block == Block.ENEMY:
                victim = self.table.enemy(step.before[0], step.index)
                harm = int(self.content["figure"][k]["harm"])
                transcript.verbs.append(Verb("damage", {"to": victim, "amount": harm}))

    def _token_walk(self, part: list[EventStep], k: int, points: int) -> list[Verb]:
        """R18.7, R18.8 - the steps of a token or pet."""
        moves = [step for step in part if step.decision == Decision.TOKEN_STEP]
        path: list[Plain] = [self.table.areas[b.index] for b in moves if b.block == Block.AREA]
        who = self.table.figures[k]
        return [Verb("walk", {"who": who, "points": points, "path": path})] if path else []

    def _attack(self, a: int, part: list[EventStep], pays: Any, further: bool) -> Verb:
        """Section 9 - an attack with the numbers that weapon, skills and riders gave it."""
        end = part[-1].after[0]["attack"]
        row = self.content["attack"][int(end["row"])]
        kind, shape = int(end["type"]), Shape(int(row["shape"]))
        given: Mapping = {"who": self.table.allies[a], "type": TYPES[kind]}
        if shape != Shape.SINGLE:
            given["shape"] = shape.name.lower()
        if pays is not None:
            given |= amounts(pays, "cost gem")
        given |= non_default(continues=further)
        given |= self._attack_numbers(a, part, row, end)
        verb = self.verb("attack", given, part, *AIMED, *ROLLED, "push_to")
        if shape == Shape.CLEAVE:
            verb.given.pop("targets", None)
        if shape in (Shape.SINGLE, Shape.MULTI, Shape.LINE):
            targets = end["target"][: int(end["n_targets"])].tolist()
            before = part[0].before[0]
            verb.given["targets"] = [self.table.enemy(before, e) for e in targets]
        return verb

    def _attack_numbers(self, a: int, part: list[EventStep], row: Any, end: Any) -> Mapping:
        """Dice, bonus, range and riders of an attack, as they were in the end."""
        given: Mapping = {}
        if part[0].before[0]["ally"][a]["kind"] == Kind.HERO and not row["effect_only"]:
            rolled = [r for r in rows_of(part, Event.ROLL) if r[2] == Roll.ATTACK]
            if not rolled:
                raise NotExpressible("an attack that came to nothing")
            given["dice"] = rolled[0][4]
            successes = next(
                int(step.before[0]["roll"]["successes"])
                for step in part
                if step.proc == Proc.ATTACK_TOTAL
            )
            given["bonus"] = int(end["total"]) - successes * (2 if row["double"] else 1)
        else:
            given["value"] = int(row["value"] if row["effect_only"] else end["total"])
        spared = int(self.content["sheet"][a]["ignore_aim"]) >> int(end["type"]) & 1
        given |= non_default(
            range=self.band(a, row, end, part[0].before[0]),
            condition=conditions_of(int(row["conditions"]) | int(end["conditions"])),
            pierce=int(row["pierce"]) + int(end["pierce"]),
        )
        given |= amounts(row, "push pull") | flags(row, "double drain non_elite effect_only")
        given |= non_default(ignore_aim=bool(row["ignore_aim"] or spared))
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

    def _extra(self, a: int, group: list[EventStep]) -> Transcript:
        """R6.11, R17, R18.8, R19.11 - items, ropes, pets and story sections."""
        table, name = self.table, self.table.allies[a]
        state, transcript = group[0].before[0], Transcript([])
        match Turn(group[0].index):
            case Turn.TAKE_ITEM | Turn.DROP_ITEM | Turn.GIVE_ITEM:
                self._handled(transcript, a, group)
            case Turn.WEAR_ITEM:
                if state["maneuvers"] > group[-1].after[0]["maneuvers"]:
                    transcript.verbs += self._spent_maneuver(transcript, a, state)
                for step in group:
                    for row in step.events(Event.LOCK, Event.UNLOCK):
                        self._lock_row(transcript, a, row, step)
            case Turn.FIX_ROPE | Turn.TAKE_ROPE as turn:
                to = [b.index for b in group if b.decision == Decision.ROPE]
                areas = to or [row.place for row in rows_of(group, Event.ROPE)]
                given: Mapping = {"who": name, "to": table.areas[areas[0]]}
                keys = ROLLED if turn == Turn.FIX_ROPE else ()
                transcript.verbs.append(self.verb(turn.name.lower(), given, group, *keys))
            case Turn.PLACE_PET:
                code = rows_of(group, Event.SUMMON)[0][1]
                pet = table.figure(state, code)
                transcript.present[pet] = code, table.positions(group[-1].after[0])[pet]
            case Turn.MOVE_PET:
                k = int(group[0].after[0]["walker"])
                points = int(self.content["figure"][k]["move"])
                transcript.verbs += self._token_walk(group, k, points)
            case Turn.RECALL_PET:
                pet = table.figure(state, rows_of(group, Event.RECALL)[0][1])
                transcript.silent.add((pet, ""))
            case Turn.USE_ITEM:
                if state["maneuvers"] > group[-1].after[0]["maneuvers"]:
                    transcript.verbs += self._spent_maneuver(transcript, a, state)
                for part in effect_parts(group):
                    self._effect(transcript, a, part, None, True)
            case Turn.READ_STORY:
                if group[1].after[0]["maneuvers"] < state["maneuvers"]:
                    transcript.verbs += self._spent_maneuver(transcript, a, state)
            case _:
                raise NotExpressible(Turn(group[0].index).name.lower())
        return transcript

    def enemy_turn(self, steps: list[EventStep]) -> list[Segment]:
        """An Enemy's turn as one segment."""
        e = rows_of(steps[:1], Event.TURN)[0][1] - N_ALLIES
        name = self.table.enemy(steps[0].after[0], e)
        return [
            Segment(
                steps,
                [
                    lambda: self._write_enemy(e, name, steps),
                    lambda: self._bookkept_enemy(e, steps),
                    lambda: self._plain_enemy(e, steps),
                ],
                f"{name} takes its turn",
            )
        ]

    def _write_enemy(self, e: int, name: str, steps: list[EventStep]) -> Transcript:
        """R10.4 - the turn; what the format cannot express on its card comes before or after it."""
        signs = rows_of(steps[:1], Event.TURN)[0][2]
        given: Mapping = {"who": name, "eye": Eye(signs & 3).name.lower()}
        snake = signs & 8 or steps[-1].after[0]["turn"]["snake"]  # horns may bring it
        given |= non_default(horns=bool(signs & 4), snake=bool(snake))
        transcript = Transcript(self.ended_locks(steps))
        struck = [k for k, step in enumerate(steps) if step.proc == Proc.ENEMY_STRIKE]
        cut = struck[0] if struck else len(steps)
        self._arrivals(transcript, steps[:cut])
        own = N_ALLIES + e
        for step in steps:
            for _, figure, way, area, _, _ in step.events(Event.STEP):
                if figure == own and way == Way.TELEPORT:
                    to: Mapping = {"who": name, "to": self.table.areas[area]}
                    transcript.verbs.append(Verb("teleport", to))
            if step.proc == Proc.ENEMY_STEP and (hurt := step.events(Event.DAMAGE)):
                harm: Mapping = {"to": name, "amount": hurt[0][2]}
                transcript.verbs.append(Verb("damage", harm))
        verb = self.verb("enemy_turn", given, steps, *DEALING)
        if len(rows_of(steps, Event.STRIKE)) == 1:
            self._order(verb, self._targets(steps))
        verb.unasserted = self._unsaid(e, steps)
        transcript.verbs.append(verb)
        self._arrivals(transcript, steps[cut:])
        self.write_side_effects(transcript, steps)
        return transcript

    def _bookkept_enemy(self, e: int, steps: list[EventStep]) -> Transcript:
        """What the turn changed, and its attacks; that it was a turn is not asserted."""
        transcript = Transcript([], plain=True)
        struck: list[EventStep] = []
        name = self.table.enemy(steps[0].after[0], e)
        for step in steps:
            if step.events(Event.STRIKE) or (struck and step.proc not in AFTER_STRIKE):
                struck.append(step)
                continue
            self._struck(transcript, name, struck)
            struck = []
            self._write_changes(transcript, step)
        self._struck(transcript, name, struck)
        transcript.silent.add((name, "acted"))
        transcript.flying += [name] if any(step.after[0]["turn"]["fly"] for step in steps) else []
        return transcript

    def _plain_enemy(self, e: int, steps: list[EventStep]) -> Transcript:
        """What the turn changed, attacks and the checks against them included."""
        transcript, name = self.bookkeeping(steps), self.table.enemy(steps[0].after[0], e)
        transcript.silent.add((name, "acted"))
        transcript.flying += [name] if any(step.after[0]["turn"]["fly"] for step in steps) else []
        return transcript

    def _struck(self, transcript: Transcript, name: str, steps: list[EventStep]) -> None:
        """R10.20 to R10.39 - an attack on given targets, or its changes if it has none."""
        targets = self._targets(steps)
        if not targets:
            for step in steps:
                self._write_changes(transcript, step)
            return
        made = steps[0].after[0]["strike"]
        given: Mapping = {"who": name, **self.table.strike(int(made["row"]), made)}
        verb = self.verb("enemy_attack", given | {"to": targets}, steps, *DEALING)
        for key in ("choose", "stand_in"):
            verb.given.pop(key, None)
        self._order(verb, targets)
        transcript.verbs += [*self.ended_locks(steps), verb]
        self.write_side_effects(transcript, steps)

    def _targets(self, steps: list[EventStep]) -> list[Plain]:
        """The final targets of the attack."""
        if not steps:
            return []
        strike = steps[-1].after[0]["strike"]
        return [self.table.allies[a] for a in strike["target"][: int(strike["n_targets"])]]

    @staticmethod
    def _order(verb: Verb, targets: list[Plain]) -> None:
        """Q47 - complete the order in which several targets are dealt with."""
        order = verb.given.get("order")
        if isinstance(order, list):
            order += [name for name in targets if name not in order]

    def _unsaid(self, e: int, steps: list[EventStep]) -> tuple[str, ...]:
        """R10.13 - the way among equally short ones, is not asserted: no rule settles it."""
        walks = [step.proc == Proc.ENEMY_STEP and bool(step.rows) for step in steps]
        walked = [k for k, walk in enumerate(walks) if walk]
        if not walked or ways_of(self.content, steps[walked[0]].before[0], e) < 2:
            return ()
        walk = steps[walked[0] : walked[-1] + 1]
        if any(row.event not in (Event.STEP, Event.CHOICE) for step in walk for row in step.rows):
            raise NotExpressible("something on one of several ways of an Enemy")
        return ("path",)

    def _arrivals(self, transcript: Transcript, steps: list[EventStep]) -> None:
        """Figures and traps that an Enemy places: its card in the format has none."""
        for step in self.own(steps):
            for _, figure, _, area, _, _ in step.events(Event.SPAWN):
                transcript.verbs.append(self.spawn(step, figure, area))
            for _, _, _, area, _, _ in step.events(Event.TRAP_SET):
                transcript.traps.append(self.table.areas[area])
