"""A game in verbs of the case format, cut into chunks that a verb or two can express.

Pieces of several chunks are the selection of a round, a turn, and the end of a round.
"""

from collections import namedtuple
from functools import partial

from agemonia_env.rulesets.agemonia.cases.answers import purpose
from agemonia_env.rulesets.agemonia.core import layout, terms
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.terms import Decision, Event, Kind, Op, Proc, Shape

from .position import CONDITIONS, FIRST_TOKEN, conditions, given, word

# what the format has no word for within a verb; it is written after the verb
ASIDE = {Proc.STORY_NEXT, Proc.STORY_CHECK, Proc.DEFEAT_BOX, Proc.SPAWN}
ASIDE |= {Proc.TRAP_VICTIM, Proc.TRAP_CHECK, Proc.TRAP_CONDITION}


def table(words, *lines):
    """Members of an enum, each with the words that follow its name."""
    rows = (row.split(maxsplit=1) for line in lines for row in line.split(","))
    return {words[name]: rest for name, rest in rows}


ANSWERS = table(  # the parameter that answers a question; * = one of several, {} = about whom
    Decision,
    "STEP path *, TARGET targets *, LINE line *, STRIKE_ORDER order *, CENTRE center, ROPE to",
    "ENEMY_DESTINATION choose area, ENEMY_STOP choose stop, ENEMY_TARGET choose target *",
    "DOMINATED_ALLY choose victim, DOMINATED_ENEMY choose victim",
    "STAND_IN stand_in {}, EVADE evade {}, SHARE split {}, FLIP_LOCK locks {} *",
)
OPTIONS = (Decision.PAY, Decision.INSPIRATION, Decision.BLESSED, Decision.ACHIEVEMENT)
CHANGES = table(  # the verb that makes a change by itself, and its parameters
    Event,
    "SPEND spend who amount, LOSE lose to amount, DAMAGE damage to amount, HEAL heal to amount",
    "RESTORE restore to amount, GAIN gain to condition, DISCARD discard to condition",
    "TAKE take who item, DROP drop who item, GIVE give to who item, STEP teleport who place",
    "LOCK lock who passive, UNLOCK unlock who passive, GEM gain_gem to kind",
    "UNWOUND remove_wounded to, REVIVE remove_exhausted to",
)
RENAMED, GEMS = {"place": "to", "passive": "name"}, ("inspiration", "achievement")
TURNS = table(  # the verb of what is done in a turn, and one parameter
    Turn,
    "MOVE_FREE move version free, MOVE_PAID move version paid, RETHINK_MOVE rethink",
    "RETHINK_RESTORE rethink restore, RECOVER_STAMINA recover choice stamina",
    "RECOVER_DAMAGE recover choice damage, DISCARD_BLEEDING spend_maneuver discard bleeding",
    "DISCARD_HELD spend_maneuver discard held, FIX_ROPE fix_rope, TAKE_ROPE take_rope",
    "END_TURN end_turn",
)
HEADS = {Proc.ROUND_START, Proc.ROUND_REVEAL, Proc.ROUND_FATE, Proc.ROUND_END}  # begin a chunk


# a verb with its parameters and the dice that it rolls: figure, pile, face
Verb = namedtuple("Verb", "name given dice", defaults=[()])
# steps that belong together, how to write them, the best way first, and the piece that they begin
Chunk = namedtuple("Chunk", "steps ways piece", defaults=[""])


def rows_of(steps, *events):
    return [row for step in steps for row in step.events(*events)]


def into(words, *keys):
    for key in keys:
        words = words.setdefault(key, {})
    return words


def begins(step, part):
    """Whether a chunk begins with a step, after the steps of the last one."""
    events = step.events(Event.TURN, Event.EFFECT, Event.SELECT, Event.COLOUR)
    goes_on = step.proc == Proc.MOVE_NEXT and interrupts(part[0])
    answers = step.decision in (Decision.TURN, Decision.OPENING) or interrupts(step)
    scenario = step.proc == Proc.EVENT_NEXT and part[0].proc == Proc.ROUND_FATE
    return bool(events) or goes_on or answers or scenario or step.proc in HEADS


def interrupts(step):
    """R6.11, R14.4, R17.5 - whether something else is done between the steps of a movement."""
    return step.decision == Decision.STEP and step.answer[0] in (Block.TURN, Block.LOCK)


class Writer:
    """Writes the verbs of one game."""

    def __init__(self, game):
        self.game, self.content = game, game.content
        self.start = None  # the state with which the case begins

    def verb(self, name, words, steps):
        """A verb with the choices and dice of its steps, and what follows from it."""
        own = [step for step in steps if not ASIDE & {*step.waiting}]
        words = {**words, **self.choices(own)}
        for figure, parts in self._reactions(own).items():
            into(words, "reaction", figure).update(parts)
        if name == "walk":
            words["points"] += words.pop("achievement", 0)  # R3.24: a gem for a point more
        empty = name == "walk" and "path" not in words
        aside = self.changes([step for step in steps if step not in own])
        return [Verb(name, words, self._dice(own))][empty:] + aside

    def _dice(self, steps):
        """Faces that count; symbols that are rolled again are gone, or the whole roll is."""
        done, roll, signs = [], [], ("S", "H")
        for step in steps:
            if step.decision == Decision.REROLL and step.answer[0] == Block.YES:
                whole = step.before[0]["subject"] == 1  # else the symbols alone (R3.7)
                roll = [face for face in roll if face[2] != "H" and not whole]
                signs = signs if whole else (0, 0)
            for row in step.events(Event.ROLL, Event.DIE):
                if row.event == Event.ROLL:
                    done, roll, signs = done + roll, [], ("S", "H")
                    continue
                named = {layout.FACE_EXTRA: "X", layout.FACE_SYMBOL: signs[row.amount]}
                pile, face = ("action", "reaction")[row.amount], named.get(row.other, row.other)
                roll.append((self.game.allies[row.figure], pile, face))
        return done + roll

    def _reactions(self, steps):
        """What is added to reactive checks, by figure: besides level and Focus all is a bonus."""
        found, dice = {}, 0
        for step in steps:
            state, check = step.before[0], step.after[0]["check"]
            if step.proc == Proc.ROLL_INSPIRATION and step.action < 0:
                dice = state["roll"]["dice"]
            if step.proc == Proc.CHECK_REACTIVE:
                ally = state["ally"][check["ally"]]
                focus = ally["kind"] == Kind.HERO and ally["token"] == layout.FOCUS
                levels = self.game.levels(self.start, check["ally"])
                own = levels[word(terms.Ability(check["ability"]))] + (focus > ally["flipped"])
                bonus = check["total"] - state["roll"]["successes"]
                words = given(bonus=bonus, dice=dice - own)
                found.setdefault(self.game.allies[check["ally"]], words)
        return {name: words for name, words in found.items() if words}

    def choices(self, steps):
        """Parameters that answer every question asked in the steps."""
        words = {}
        for step in steps:
            if step.decision in OPTIONS:
                self._option(words, step)
            elif step.action >= 0:
                self._answer(words, step)
            for _, figure, way, area, *_ in step.events(Event.STEP):
                if way in (terms.Way.PUSHED, terms.Way.PULLED):
                    name = self.game.figure(step.before[0], figure)
                    into(words, "push_to").setdefault(name, []).append(self.game.areas[area])
        return words

    def named(self, step):
        """What an answer names; None where it names nothing."""
        (block, k), game, state = step.answer, self.game, step.before[0]
        if block == Block.ENEMY:
            return game.enemy(state, k)
        if block in (Block.CLIMB, Block.PORTAL):
            return {"climb" if block == Block.CLIMB else "token": game.areas[k]}
        if block == Block.LOCK and step.decision == Decision.FLIP_LOCK and state["flip_chips"]:
            return game.passives[state["ally"][state["asked"]]["lock_passive"][k]]
        names = {Block.AREA: game.areas, Block.ALLY: game.allies, Block.AMOUNT: range(99)}
        return (names[block][k] or None) if block in names else None

    def _answer(self, words, step):
        """The parameter of one answer."""
        game, state, yes = self.game, step.before[0], step.answer[0] == Block.YES
        decision, subject, asked = step.decision, state["subject"], state["asked"]
        if decision == Decision.STEP and yes:
            words["achievement"] = True
        if decision == Decision.DISARM and yes:
            keyword = bool(self.content["sheet"][asked]["disarm"])
            into(words, "disarm", game.areas[subject]).update(given(keyword=keyword))
        if decision not in ANSWERS or (value := self.named(step)) is None:
            return
        if decision in (Decision.EVADE, Decision.SHARE):
            about = game.enemy(state, subject)
        else:
            about = game.allies[subject if decision == Decision.STAND_IN else asked]
        *keys, last = ANSWERS[decision].replace("{}", about).split()
        if last == "*":
            into(words, *keys[:-1]).setdefault(keys[-1], []).append(value)
        else:
            into(words, *keys)[last] = value

    def _option(self, words, step):
        """An option of a roll; where it stands depends on what the roll is for."""
        state, key, cause = step.before[0], word(step.decision), purpose(step.before[0])
        roller, area = self.game.allies[state["asked"]], self.game.areas[state["entry"]["area"]]
        keys = {Proc.CHECK_REACTIVE: ["reaction", roller], Proc.TRAP_DISARMED: ["disarm", area]}
        keys[Proc.STRIKE_OR_ELSE_DONE] = ["checks", roller]
        climbs = cause == Proc.STEP_CLIMB
        words = words["path"][-1] if climbs else into(words, *keys.get(cause, []))
        if step.decision == Decision.PAY:
            paid = words.setdefault(key, [])
            paid += [0] * (int(state["roll"]["asked"]) - len(paid)) + [step.answer[1]]
        elif step.answer[0] == Block.YES:
            words[key] = words.get(key, 0) + 1

    def changes(self, steps):
        """Every change as a verb of its own, in the order of the event log."""
        verbs = []
        for step in steps:
            hit = {Event.DAMAGE, Event.LOSE} & {row.event for row in step.rows}
            for row in step.rows:
                if not (hit and row.event == Event.UNLOCK):  # it ends by itself (R14.8)
                    verbs += self._change(step, row.event, row)
            lock = self.named(step) if step.decision == Decision.FLIP_LOCK else None
            for verb in [verb for verb in verbs if lock and verb.name in ("damage", "lose")][-1:]:
                verb.given.setdefault("locks", []).append(lock)
            target = step.after[0]["timer_target"]
            if target != step.before[0]["timer_target"]:
                verbs.append(Verb("timer", {"start": target} if target > 0 else {"stop": True}))
        return verbs

    def _change(self, step, event, row):
        """One row of the event log."""
        game, n, passive = self.game, row.amount, self.content["passive"]
        silent = (
            (event == Event.GEM and not row.other)  # discarded
            or (event == Event.STEP and not self.content["capacity"][row.place])  # it only passes
            or (event == Event.UNLOCK and not passive[n]["need"])
        )
        if event == Event.SPAWN:
            state, e = step.after[0], row.figure - N_ALLIES  # R10.46
            card = game.enemy_card(n, state["enemy"][e]["full"])
            words = {"name": game.enemy(state, e), "card": card, "area": game.areas[row.place]}
            return [Verb("spawn", words | {"supply": self.content["type"][n]["supply"]})]
        if event not in CHANGES or silent:
            return []
        if event == Event.SPEND and row.other:
            event = Event.DAMAGE  # R12.7: it turns red
        verb, whom, *keys = CHANGES[event].split()
        names = {"item": game.items, "passive": game.passives, "condition": CONDITIONS}
        names |= {"kind": GEMS, "amount": range(n + 1)}
        places = {"who": game.allies, "place": game.areas}
        words = {key: names[key][n] for key in keys if key in names}
        words |= {key: places[key][row.place] for key in keys if key in places}
        words = {RENAMED.get(key, key): part for key, part in words.items()}
        words[whom] = game.figure(step.before[0], row.figure)
        if verb == "teleport" and row.figure >= FIRST_TOKEN:
            verb, words = "walk", {"who": words["who"], "points": 1, "path": [words["to"]]}
        return [Verb(verb, words | ({"amount": passive[n]["need"]} if verb == "lock" else {}))]

    def effect(self, a, steps):
        """One effect row of an action or item."""
        shown = rows_of(steps, Event.EFFECT)[0].amount
        row, act = self.content["effect"][shown], steps[0].before[0]["act"]
        who = {"who": self.game.allies[a]}
        if row["op"] == Op.MOVE:
            return self.verb("walk", who | {"points": row["amount"]}, steps)
        if row["op"] == Op.ATTACK and rows_of(steps, Event.TARGET):
            token = self.content["token"][act["token"]]
            before = self.content["effect"]["op"][token["first"] : shown]
            further = act["item"] >= 0 or token["maneuver"] or Op.ATTACK in before
            return self._attack(a, steps, who | given(continues=bool(further)))
        return self.changes(steps)

    def _attack(self, a, steps, words):
        """Section 9 - an attack with the numbers that weapon, skills and riders gave it."""
        state, made = steps[0].before[0], steps[-1].after[0]["attack"]
        row, kind = self.content["attack"][made["row"]], made["type"]
        shape, spared = Shape(row["shape"]), self.content["sheet"][a]["ignore_aim"] >> kind & 1
        rolled = [r.other for r in rows_of(steps, Event.ROLL) if r.amount == terms.Roll.ATTACK]
        if rolled:
            total = next(s.before[0]["roll"] for s in steps if s.proc == Proc.ATTACK_TOTAL)
            bonus = made["total"] - total["successes"] * (1 + row["double"])
            words |= {"dice": rolled[0], "bonus": bonus}
        else:
            words["value"] = row["value"] if row["effect_only"] else made["total"]
        words |= {"type": word(terms.AttackType(kind))} | given(
            range=self._band(a, row, made, state),
            condition=conditions(row["conditions"] | made["conditions"]),
            pierce=row["pierce"] + made["pierce"],
            ignore_aim=bool(row["ignore_aim"] or spared),
            shape=word(shape) if shape != Shape.SINGLE else "",
            **{key: row[key] for key in ("push", "pull")},
            **{key: bool(row[key]) for key in ("double", "drain", "non_elite", "effect_only")},
        )
        if shape in (Shape.AREA, Shape.LINE):
            words |= {"radius": row["radius"]} if shape == Shape.AREA else {"length": row["length"]}
        verb, *aside = self.verb("attack", words, steps)
        verb.given.pop("targets", None)
        if shape in (Shape.SINGLE, Shape.MULTI, Shape.LINE):
            targets = made["target"][: made["n_targets"]]
            verb.given["targets"] = [self.game.enemy(state, e) for e in targets]
        return [verb, *aside]

    def _band(self, a, row, made, state):
        """The range of an attack: its own, else that of the weapon used; None = melee reach."""
        sheet, kind, place = self.content["sheet"][a], made["type"], made["weapon"]
        low, high = sheet["weapon_min"][kind], sheet["weapon_max"][kind]
        own = row["range_max"] >= 0 or row["shape"] == Shape.AREA
        item = state["ally"][a]["item"][place] if place >= 0 else -1
        if own or item >= 0:
            source = row if own else self.content["item"][item]
            low, high = source["range_min"], source["range_max"]
        return [low, high] if low >= 0 else None

    def enemy_turn(self, e, steps):
        """R10.4, R10.13 - an Enemy's turn, if the case leaves nothing open in it."""
        for step in steps:
            odd = {row.event for row in step.rows} - {Event.STEP, Event.CHOICE}
            if (odd and Proc.ENEMY_STEP in step.waiting) or step.decision == Decision.ABILITY:
                return self.changes(steps)  # another way may be as short; no word for the ability
        signs, turn = rows_of(steps[:1], Event.TURN)[0].amount, steps[-1].after[0]["turn"]
        words = {"who": self.game.enemy(steps[0].after[0], e), "eye": word(terms.Eye(signs & 3))}
        signs |= 8 * int(turn["snake"])  # horns may bring it
        words |= given(horns=bool(signs & 4), snake=bool(signs & 8))
        return self.verb("enemy_turn", words, steps)

    def chunks(self, steps):
        """The chunks of a game, in order."""
        part = []
        for k, step in enumerate(steps):
            if part and begins(step, part):
                yield self._chunk(part)
                if any(other.proc == Proc.ROUND_REVEAL for other in part):
                    yield Chunk(part[-1:], [partial(self._order, part[-1], steps[k:]), list])
                part = []
            part.append(step)
        yield self._chunk(part)

    def _chunk(self, steps):
        """A chunk with its ways; the last one is every change as a verb of its own."""
        first, state, ways, piece = steps[0], steps[0].before[0], [], ""
        turns, selects = first.events(Event.TURN), first.events(Event.SELECT, Event.COLOUR)
        a = state["active_ally"]
        who = {"who": self.game.allies[a]}
        if turns and turns[0].figure < N_ALLIES:
            piece = self.game.allies[turns[0].figure]
            starts = [{"who": piece}, {"who": piece, "bonus": True}]  # by the maneuvers it has
            ways = [partial(self.verb, "start_turn", words, steps) for words in starts]
        elif turns:
            piece = self.game.figure(first.after[0], turns[0].figure)
            ways = [partial(self.enemy_turn, turns[0].figure - N_ALLIES, steps)]
        elif selects:
            ways = [partial(self._choose, first, selects[0].figure)]
        elif first.proc == Proc.ROUND_START:
            piece = "selection"
        elif first.proc == Proc.ROUND_REVEAL:
            end = first.after[0]  # R5.7: after a shuffle if one is due
            deck = [self.game.cards[k] for k in (end["card"], *end["initiative"])]
            deck = deck[: end["n_initiative"] + 1] if end["reshuffled"] else []
            ways = [lambda: [Verb("reveal", given(shuffled=deck))]]
        elif first.proc == Proc.ROUND_FATE:
            piece, ways = "end", [partial(self._fate, first)]
        elif first.proc == Proc.ROUND_END:
            over = [] if first.after[0]["ending"] else [Verb("next_round", {})]
            steps, ways = [first], [lambda: over]
        elif first.events(Event.EFFECT):
            ways = [partial(self.effect, a, steps)]
        elif first.decision == Decision.TURN or interrupts(first):
            block, index = first.answer
            if block == Block.TURN and index in TURNS:
                name, *pair = TURNS[index].split()
                words = who | ({pair[0]: [*pair[1:], True][0]} if pair else {})
                ways = [partial(self.verb, name, words, steps)]
        elif first.proc == Proc.MOVE_NEXT:
            words = who | {"points": state["move"]["points"]}
            ways = [partial(self.verb, "walk", words, steps)]
        ways.append(partial(self.changes, steps))
        return Chunk(steps, ways, f"round-{first.after[0]['round']}-{piece}" if piece else "")

    def _choose(self, step, a):
        """R5.2, R5.6 - the action of a Hero with its colour and special initiatives."""
        ally = step.after[0]["ally"][a]
        words = {"who": self.game.allies[a], "action": self.game.actions[a].get(ally["token"])}
        words["colour"] = word(terms.Colour(ally["colour"]))
        special = [word(one) for one in terms.Special if ally["special"] & one]
        return [*self.changes([step]), Verb("choose", words | given(special=special))]

    def _order(self, step, rest):
        """R5.14, R5.15, R15.4 - who acts when, as the players order it; `rest` shows it."""
        game, state, turns, after, uses = self.game, step.after[0], [], {}, {}
        for later in rest:
            if later.proc == Proc.ROUND_FATE:
                break
            turns += [game.figure(later.after[0], row.figure) for row in later.events(Event.TURN)]
            if later.decision == Decision.AFTER_ALLY and later.answer[0] == Block.ALLY:
                after[game.allies[later.answer[1]]] = game.allies[later.before[0]["subject"]]
        for name, ally in zip(game.allies, state["ally"], strict=False):
            several = ally["special"] & ally["special"] - 1
            if ally["area"] >= 0 and (several or ally["uses"] in (1, 2)):  # not After-an-Ally alone
                uses[name] = word(terms.Special(ally["uses"]))
        allies = [name for name in turns if name in game.allies]
        types = [name.rsplit("-", 1)[0] for name in turns if name not in game.allies]
        words = {"card": game.bars[state["card"]]}
        words["allies"] = [*dict.fromkeys([*allies, *game.allies])]
        words["types"] = [*dict.fromkeys([*types, *game.types])]
        return [Verb("initiative", words | given(uses=uses, after=after))]

    def _fate(self, step):
        """R5.18, R19.1 to R19.5 - the Fate card, and the timer that it feeds."""
        before, after, content = step.before[0], step.after[0], self.content
        deck = [after["fate_card"], *after["fate"][: after["n_fate"]]]
        verbs = [Verb("fate", {"shuffled": deck} if after["reshuffled"] else {})]
        if content["timer_round"] > 0 and before["round"] == content["timer_round"]:
            verbs.insert(0, Verb("timer", {"start": content["timer_target"]}))
        if step.events(Event.TIMER):
            verbs.append(Verb("timer", {"reset" if content["timer_repeats"] else "stop": True}))
        return verbs
