"""What cards do, in words: sentences made from the numbers of compiled content.

The words of each effect stand here and nowhere else (EFFECTS), so a changed number changes its
sentence. R numbers are those of docs/agemonia-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from agemonia_env.display.messages import counted
from agemonia_env.display.names import named, word

from ..content.compile import Compiled
from ..core.layout import N_CARRIED
from ..core.terms import (
    Ability,
    AttackType,
    Colour,
    Condition,
    Eye,
    Kind,
    Op,
    Rider,
    RiposteWhen,
    Shape,
    Special,
    Wear,
)

Record = Any  # a numpy record of CONTENT

# {n} is the amount and {s} its plural, {by} the amount in areas, {far} the range in areas, {reach}
# the range as a place, {dice} and {more} the amount in dice, {it} what the row names, {area} the
# area that it names, {harm} what a commanded figure deals.
EFFECTS: dict[Op, str] = {
    Op.NONE: "nothing",
    Op.ATTACK: "{it}",
    Op.HEAL: "an Ally {reach} heals {n}",
    Op.RESTORE: "an Ally {reach} restores {n} stamina",
    Op.MIXED: "an Ally {reach} restores or heals {n} in any mix",
    Op.ROLL_HEAL: "roll {dice}: an Ally {reach} heals that much",
    Op.ROLL_RESTORE: "roll {dice}: an Ally {reach} restores that much stamina",
    Op.GAIN: "an Ally {reach} becomes {it}",
    Op.AFFLICT: "an Enemy you see {reach} becomes {it}",
    Op.MOVE: "move {n}",
    Op.EVADE: "Evade {n} this turn",
    Op.LOCK: "{it}",
    Op.DISCARD_ONE: "an Ally {reach} loses one condition of its choice",
    Op.DISCARD_ALL: "an Ally {reach} loses all conditions",
    Op.GEM: "gain {n} Achievement gem{s}",
    Op.INSPIRE: "gain {n} Inspiration gem{s}",
    Op.SET_TRAP: "set a trap {reach}",
    Op.JUMP: "jump up to {far}",
    Op.TELEPORT: "teleport up to {far}",
    Op.PUSH: "push an Enemy you see {reach} by {by}",
    Op.PULL: "pull an Enemy you see {reach} by {by}",
    Op.DRAIN: "drain {n} from an Enemy you see {reach}",
    Op.DAMAGE: "an Enemy you see {reach} takes {n} damage without an attack",
    Op.DEFEAT: "defeat an Enemy you see {reach} that is not Elite",
    Op.SUMMON: "summon {it} {reach}",
    Op.COMMAND: "{it} moves up to {by}, then may deal {harm} damage to an Enemy in its area",
    Op.SUMMON_ALLY: "summon {it} {reach}",
    Op.PORTAL: "place a teleport token {reach}",
    Op.MANEUVER: "{n} more maneuver{s} this turn",
    Op.DELAY: "an Enemy you see {reach} that has not acted acts last",
    Op.UNWOUND: "an Ally {reach} is no longer wounded",
    Op.REVIVE: "an exhausted Hero {reach} stands up again",
    Op.ATTACK_DICE: "{it} attacks roll {more} this turn",
    Op.ABILITY: "{it} +{n} this round",
    Op.ADD_MOVE: "move +{n}",
    Op.ADD_VALUE: "value +{n}",
    Op.ADD_RANGE: "range +{n}",
    Op.ADD_AREA: "area +{n}",
    Op.ADD_CONDITION: "those damaged become {it}",
    Op.ADD_DRAIN: "Drain",
    Op.ADD_PUSH: "Push {n}",
    Op.ADD_PULL: "Pull {n}",
    Op.ADD_TARGET: "targets +{n}",
    Op.FLY: "Fly",
    Op.ENEMY_HEAL: "heals {n}",
    Op.ENEMY_SELF: "suffers {n} itself",
    Op.STRIKE: "before its action: {it}",
    Op.SPAWN: "spawns {n} {it} in its area",
    Op.ENEMY_TELEPORT: "teleports up to {far}",
    Op.SNAKE: "does its snake ability as well",
    Op.BURST: "every Ally {reach} takes {n} damage",
    Op.STORY_TOKEN: "puts {n} token{s} on the Story card",
    Op.REINFORCE: "{n} x {it} in {area}",
    Op.REINFORCE_PER_HERO: "{n} x {it} for each Hero in {area}",
    Op.FAIL: "the scenario is lost",
    Op.SUCCEED: "the scenario is won",
    Op.TRAP: "a trap lies in {area}",
    Op.ITEM: "{it} lies in {area}",
    Op.ACTIVATE: "the teleport token in {area} turns over",
    Op.START_TIMER: "a timer to {n} starts",
    Op.STOP_TIMER: "the timer stops",
    Op.ADVANCE: "{n} step{s} towards the objective",
    Op.GIVE_GEM: "every Hero gains {n} Achievement gem{s}",
    Op.HARM: "take {n} damage",
    Op.CURE: "heal {n}",
    Op.AFFECT: "become {it}",
    Op.JOIN: "{it} joins in {area}",
    Op.FORTIFY: "every {it} heals {n}",
}
EVERY_ABILITY, PICKED_ABILITY = -1, 3  # of Op.ABILITY
WEARS: dict[Wear, str] = {wear: word(wear).lower() for wear in Wear}
WEARS |= {Wear.NONE: "", Wear.HAND: "held in {hands}"}
SPECIALS: dict[Special, str] = {
    Special.FIRST: "First",
    Special.LAST: "Last",
    Special.AFTER: "After an Ally's turn",
}
RIPOSTES: dict[RiposteWhen, str] = {
    RiposteWhen.ALWAYS: "",
    RiposteWhen.DAMAGED: " if they damage you",
    RiposteWhen.UNDAMAGED: " if they do not damage you",
}


# ---- small words --------------------------------------------------------------------------------
def reach_text(reach: int) -> str:
    """Where an effect may go: the own area, or within so many areas."""
    return f"within range {reach}" if reach > 0 else "in your area"


def dice_text(n: int) -> str:
    """A number of dice."""
    return "1 die" if n == 1 else f"{n} dice"


def more_dice(n: int) -> str:
    """Dice that are added."""
    return "1 more die" if n == 1 else f"{n} more dice"


def both(words: Sequence[str], joint: str = "and") -> str:
    """Words in a sentence: "Might", "Might and Will", "Might, Agility and Will"."""
    *first, last = words or ("",)
    return f"{', '.join(first)} {joint} {last}" if first else last


def sentences(parts: Iterable[str]) -> str:
    """Parts as sentences, each with a capital and a full stop."""
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts if part)


def abilities(bits: int) -> list[str]:
    """Names of the abilities in a bit set."""
    return [word(ability) for ability in Ability if bits >> ability & 1]


def conditions_text(bits: int) -> str:
    """Conditions of a bit set, such as "Held and Bleeding"; "" for none."""
    return both([word(condition) for condition in Condition if bits >> condition & 1])


def _by_ability(values: Record, text: str) -> list[str]:
    """A line for each number of three that is not 0: the abilities that have it."""
    numbers = [int(value) for value in values]
    return [
        text.format(n=n, who=both([word(a) for a in Ability if numbers[a] == n]))
        for n in dict.fromkeys(numbers)
        if n
    ]


# ---- effects ------------------------------------------------------------------------------------
def effect_text(compiled: Compiled, row: Record) -> str:
    """What one effect row does, dtype layout.EFFECT."""
    op, n, reach = Op(int(row["op"])), int(row["amount"]), int(row["range"])
    if op == Op.ENEMY_HEAL and n < 0:
        return "heals fully"
    text = EFFECTS[op]
    if op == Op.BURST and not n:
        text = "every Ally {reach} becomes {it}"
    elif op == Op.BURST and row["a"] >= 0:
        text += " and becomes {it}"
    names = compiled.names.areas
    return text.format(
        n=n,
        s="" if n == 1 else "s",
        by=counted(n, "area"),
        far=counted(reach, "area"),
        dice=dice_text(n),
        more=more_dice(n),
        reach=reach_text(reach) if op != Op.BURST or reach else "in its area",
        it=_named_by(compiled, op, row),
        area=named(names, int(row["b"]), "an area"),
        harm=int(compiled.content[0]["figure"][int(row["a"])]["harm"]) if op == Op.COMMAND else 0,
    )


def _named_by(compiled: Compiled, op: Op, row: Record) -> str:
    """What the number `a` of an effect row names."""
    a, content, names = int(row["a"]), compiled.content[0], compiled.names
    match op:
        case Op.ATTACK:
            return attack_text(content["attack"][a])
        case Op.STRIKE:
            return strike_text(content["strike"][a])
        case Op.LOCK:
            return lock_text(content["passive"][a])
        case Op.GAIN | Op.AFFLICT | Op.ADD_CONDITION | Op.BURST | Op.AFFECT:
            return word(Condition(a)) if a >= 0 else ""
        case Op.ATTACK_DICE:
            return word(AttackType(a)).lower()
        case Op.ABILITY:
            special = {EVERY_ABILITY: "every ability", PICKED_ABILITY: "an ability of your choice"}
            return special.get(a) or word(Ability(a))
        case Op.SUMMON | Op.COMMAND:
            return named(names.figures, a, "a figure")
        case Op.SUMMON_ALLY | Op.JOIN:
            return named(names.allies, a, "an Ally")
        case Op.SPAWN | Op.REINFORCE | Op.REINFORCE_PER_HERO | Op.FORTIFY:
            return named(names.types, a, "an Enemy")
        case Op.ITEM:
            return named(names.items, a, "an item")
        case _:
            return ""


def effects_text(compiled: Compiled, first: int, n: int) -> str:
    """What effect rows [first, first + n) do, one sentence each; "" for none."""
    rows = compiled.content[0]["effect"][first : first + n]
    return sentences(effect_text(compiled, row) for row in rows)


def attack_text(row: Record, companion: bool = False) -> str:
    """An attack of an Ally, dtype layout.ATTACK; a companion deals fixed damage (R9.9)."""
    types = [word(t).lower() for t in AttackType if int(row["types"]) >> t & 1]
    parts = [f"{both(types, 'or')} attack"]
    if row["range_min"] >= 0:
        low, high = int(row["range_min"]), int(row["range_max"])
        parts.append(f"range {low}" if low == high else f"range {low}-{high}")
    parts.append(f"{int(row['value'])} damage" if companion else dice_text(int(row["dice"])))
    parts += [f"{int(row['bonus']):+d} damage"] * bool(row["bonus"])
    parts += _shape_texts(row)
    parts += [f"Pierce {int(row['pierce'])}"] * bool(row["pierce"])
    parts += ["double the successes"] * bool(row["double"])
    parts += ["Drain"] * bool(row["drain"]) + ["aim is never obstructed"] * bool(row["ignore_aim"])
    parts += ["no damage"] * bool(row["effect_only"])
    parts += [f"{k.capitalize()} {int(row[k])}" for k in ("push", "pull") if row[k]]
    text = ", ".join(parts)
    gained = conditions_text(int(row["conditions"]))
    if gained:
        hit = "those hit" if row["effect_only"] else "those damaged"
        text += f"; {hit} become {gained}"
    return text + "; effects spare Elite Enemies" * bool(row["non_elite"])


def _shape_texts(row: Record) -> list[str]:
    """Whom an attack reaches (R9.25 to R9.29)."""
    radius = int(row["radius"])
    match Shape(int(row["shape"])):
        case Shape.MULTI:
            return [f"up to {int(row['targets'])} targets"]
        case Shape.CLEAVE:
            return ["Cleave: share the damage among Enemies within reach"]
        case Shape.AREA:
            where = "a chosen area" if row["has_centre"] else "your area"
            around = f" and every area within {radius} of it" if radius else ""
            return [f"every Enemy in {where}{around}"]
        case Shape.LINE:
            return [f"one Enemy in each of the first {int(row['length'])} areas of a line"]
        case _:
            return []


def strike_text(row: Record) -> str:
    """An attack of an Enemy, dtype layout.STRIKE."""
    value, reach = int(row["value"]), int(row["range"])
    kind = word(AttackType(int(row["type"]))).lower()
    parts = [f"{kind} attack" + (f" {value}" if value >= 0 else "")]
    if value >= 0:
        parts[0] += (
            " stamina loss" * bool(row["loss"]) + f" against {word(Ability(int(row['ability'])))}"
        )
    parts += [f"range {reach}"] * bool(reach >= 0)
    if row["area"] >= 0:
        parts.append(_burst_text(int(row["area"]), chosen=reach >= 0))
    parts += [f"up to {int(row['targets'])} targets"] * bool(row["targets"] > 1)
    parts += ["Drain"] * bool(row["drain"])
    parts += [f"{k.capitalize()} {int(row[k])}" for k in ("push", "pull") if row[k]]
    text = ", ".join(parts)
    gained = conditions_text(int(row["conditions"]))
    if gained:
        text += f"; those {'hit' if value < 0 else 'damaged'} become {gained}"
    return text + _or_else_text(row)


def _burst_text(area: int, chosen: bool) -> str:
    """R10.28 - whom an Enemy's area attack hits: around the target, or around the Enemy."""
    where = "the target's area" if chosen else "its area"
    return f"every Ally in {where}" + (f" and within {area} of it" if area else "")


def _or_else_text(row: Record) -> str:
    """R10.34 - the check that an attack asks for, and what a failure brings."""
    if not row["or_else"]:
        return ""
    check = f"{both(abilities(int(row['or_else_abilities'])), 'or')} {int(row['or_else_number'])}"
    gained, damage = conditions_text(int(row["or_else_conditions"])), int(row["or_else_damage"])
    suffers = [f"become {gained}"] * bool(gained) + [f"take {damage} damage"] * bool(damage)
    return f"; those hit check {check} or {' and '.join(suffers)}"


# ---- what works while stamina is locked on it ---------------------------------------------------
def lock_text(row: Record) -> str:
    """A passive action as an action starts it, dtype layout.PASSIVE (R14.1)."""
    need = int(row["need"])
    return (f"lock {need}; while locked: " if need else "") + passive_text(row)


def passive_text(row: Record) -> str:
    """What a passive row gives while it works."""
    parts = _by_ability(row["reactive"], "+{n} on {who} when hit")
    parts += _by_ability(row["h_worth"], "H counts {n} on {who} when hit")
    again = abilities(int(row["reroll_h"]))
    parts += [f"roll H faces again on {both(again)} when hit"] * bool(again)
    parts += [f"Evade {int(row['evade'])} each turn"] * bool(row["evade"])
    parts += [f"move maneuvers +{int(row['move'])}"] * bool(row["move"])
    parts += [
        f"{word(kind).lower()} attacks roll {more_dice(int(row['dice'][kind]))}"
        for kind in AttackType
        if row["dice"][kind]
    ]
    parts += [keyword.capitalize() for keyword in ("mirror", "revenge", "fly") if row[keyword]]
    parts += [_riposte_text(row)] * bool(row["riposte"])
    return ", ".join(parts or ["nothing"]) + "; ends once it has worked" * bool(row["ends"])


def _riposte_text(row: Record) -> str:
    """R11.10, R11.12."""
    kind, reach = int(row["riposte_type"]), int(row["riposte_range"])
    attacks = f"{word(AttackType(kind)).lower()} attacks" if kind >= 0 else "attacks"
    where = "" if reach < 0 else " from your area" if reach == 0 else f" from within {reach}"
    when = RIPOSTES[RiposteWhen(int(row["riposte_when"]))]
    return f"Riposte {int(row['riposte'])} against {attacks}{where}{when}"


# ---- actions ------------------------------------------------------------------------------------
PRINTED = {  # R3.21, R6.3: the actions on every Hero's board, by their tokens
    0: "every check this round rolls 1 more die, attacks do not",
    1: "1 more maneuver this turn",
}


def cost_text(row: Record) -> str:
    """Stamina and gems that an action takes when it is performed, dtype layout.TOKEN."""
    parts = [f"{int(row['cost'])} stamina"] * bool(row["cost"])
    parts += [counted(int(row["gem"]), "Inspiration gem")] * bool(row["gem"])
    return both(parts)


def token_row(compiled: Compiled, ally: int, slot: int) -> Record | None:
    """The action of an Ally in a slot, dtype layout.TOKEN; None where there is none."""
    tokens = compiled.names.tokens
    if not (0 <= ally < len(tokens) and 0 <= slot < len(tokens[ally])):
        return None
    content = compiled.content[0]
    row = int(content["sheet"][ally]["token"][slot])
    return content["token"][row] if row >= 0 else None


def token_does(compiled: Compiled, ally: int, slot: int) -> str:
    """What an action does when it is performed, in sentences; "" where there is none."""
    row, sheet = token_row(compiled, ally, slot), compiled.content[0]["sheet"][max(0, ally)]
    if row is None:
        return ""
    if slot in PRINTED and sheet["kind"] == Kind.HERO:
        return sentences([PRINTED[slot]])
    first, n = int(row["first"]), int(row["n"])
    companion = sheet["kind"] == Kind.COMPANION
    rows = compiled.content[0]["effect"][first : first + n]
    return sentences(
        attack_text(compiled.content[0]["attack"][int(effect["a"])], companion)
        if effect["op"] == Op.ATTACK
        else effect_text(compiled, effect)
        for effect in rows
    )


def token_text(compiled: Compiled, ally: int, slot: int) -> str:
    """An action in one line: "Red. Cost 1 stamina. Melee attack, 3 dice."; "" if there is none."""
    row = token_row(compiled, ally, slot)
    if row is None:
        return ""
    cost = cost_text(row)
    kind = "" if row["maneuver"] else word(Colour(int(row["colour"]))).lower()
    special = [text for bit, text in SPECIALS.items() if int(row["special"]) & bit]
    head = [kind, "as a maneuver" if row["maneuver"] else "", f"cost {cost}" if cost else ""]
    head += special + ["once in a scenario"] * bool(row["once"])
    return f"{sentences(head)} {token_does(compiled, ally, slot)}".strip()


# ---- items and figures --------------------------------------------------------------------------
def item_text(compiled: Compiled, item: int) -> str:
    """An item in one line of sentences; "" for what has no card."""
    if item < 0:
        return ""
    content = compiled.content[0]
    row = content["item"][item]
    hands = counted(int(row["hands"]), "hand")
    parts = [WEARS[Wear(int(row["wear"]))].format(hands=hands), *_weapon_texts(row)]
    parts += [_rider_text(row)] * bool(row["rider"])
    if row["passive"] >= 0:
        parts.append(lock_text(content["passive"][int(row["passive"])]))
    parts += _by_ability(row["boost"], "discard it when hit: +{n} on {who}")
    parts += _by_ability(row["boost_active"], "discard it for a check: +{n} on {who}")
    if row["special"]:
        special = both([text for bit, text in SPECIALS.items() if int(row["special"]) & bit])
        cost = f" for {int(row['special_cost'])} stamina" if row["special_cost"] else ""
        parts.append(f"as turns begin: {special}{cost}")
    parts += [_use_text(compiled, row)] * bool(row["n"])
    parts += [f"carries {int(row['carry'])} more weight"] * bool(row["carry"])
    number = int(content["rope_number"])  # R7.17
    parts += [f"fixes a rope at a height edge, from below: check Agility {number}"] * bool(
        row["rope"]
    )
    parts += ["only on armour with a rune slot"] * bool(row["armour_rune"])
    parts += ["has a rune slot"] * bool(row["rune_slot"])
    parts += ["never dropped or given"] * bool(row["own"])
    if row["pet"] >= 0:
        parts.append(figure_text(compiled, int(row["pet"])))
    return sentences([*parts, f"weight {int(row['weight'])}"])


def _use_text(compiled: Compiled, row: Record) -> str:
    """What using an item brings, and what becomes of it."""
    rows = compiled.content[0]["effect"][int(row["first"]) : int(row["first"]) + int(row["n"])]
    how = "spend a maneuver" if row["maneuver"] else "use it"
    then = " (once in a scenario)" if row["kept"] else " (then discard it)"
    return f"{how}: {', then '.join(effect_text(compiled, effect) for effect in rows)}{then}"


def _weapon_texts(row: Record) -> list[str]:
    """R17.7 - a weapon: its type, modifier and range band, and what may be used with it."""
    if row["weapon"] < 0:
        return []
    kind, low, high = (int(row[key]) for key in ("weapon", "range_min", "range_max"))
    text = f"{word(AttackType(kind)).lower()} weapon, {int(row['bonus']):+d} damage"
    if low >= 0:
        text += f", range {low}-{high}" if high > low else f", range {low}"
    takes = [word(rider).lower() for rider in Rider if rider and int(row["takes"]) >> rider & 1]
    return [text + (f", takes {both(takes)}" if takes else "")]


def _rider_text(row: Record) -> str:
    """R17.6 - what serves one attack."""
    parts = [more_dice(int(row["rider_dice"]))] * bool(row["rider_dice"])
    parts += [f"{int(row['rider_bonus']):+d} damage"] * bool(row["rider_bonus"])
    parts += [f"Pierce {int(row['rider_pierce'])}"] * bool(row["rider_pierce"])
    gained = conditions_text(int(row["rider_conditions"]))
    parts += [f"those damaged become {gained}"] * bool(gained)
    return f"{word(Rider(int(row['rider']))).lower()} for one attack: {', '.join(parts)}"


def figure_text(compiled: Compiled, figure: int) -> str:
    """A summoned token or pet (R18.7, R18.8)."""
    row = compiled.content[0]["figure"][figure]
    parts = [f"moves up to {counted(int(row['move']), 'area')}"]
    parts += ["Fly"] * bool(row["fly"])
    parts += [f"{int(row['harm'])} damage to an Enemy in its area on command"] * bool(row["harm"])
    leaving = int(row["harm_leaving"])
    parts += [f"{leaving} damage to Enemies that leave its area"] * bool(leaving)
    return ", ".join(parts)


# ---- Enemies ------------------------------------------------------------------------------------
def enemy_turn_text(compiled: Compiled, kind: int, eye: int, horns: bool = False) -> str:
    """What an Enemy does under an eye symbol: "move 2, then melee attack 3 against Might"."""
    content = compiled.content[0]
    card = content["type"][kind]
    move, strike = int(card["move"][eye]), int(card["strike"][eye])
    parts = [f"move {move}"] * bool(move)
    if strike >= 0:
        parts.append(strike_text(content["strike"][strike]))
    text = ", then ".join(parts) or "nothing"
    if horns and card["horns_n"][eye]:
        first, n = int(card["horns_first"][eye]), int(card["horns_n"][eye])
        text += f" (horns: {_additions(compiled, first, n)})"
    return text


def snake_text(compiled: Compiled, kind: int) -> str:
    """The snake ability of an Enemy; "" if it has none (R10.6)."""
    card = compiled.content[0]["type"][kind]
    return _additions(compiled, int(card["snake_first"]), int(card["snake_n"]))


def defeat_text(compiled: Compiled, kind: int) -> str:
    """The defeat box of an Enemy; "" if nothing happens (R10.40)."""
    card = compiled.content[0]["type"][kind]
    text = _additions(compiled, int(card["defeat_first"]), int(card["defeat_n"]))
    left = [f"leaves {named(compiled.names.items, int(card['leave']))}"] * bool(card["leave"] >= 0)
    return ", ".join([*left, *([text] if text else [])])


def _additions(compiled: Compiled, first: int, n: int) -> str:
    """Effect rows in one phrase."""
    rows = compiled.content[0]["effect"][first : first + n]
    return ", ".join(effect_text(compiled, row) for row in rows)


def enemy_card_lines(compiled: Compiled, kind: int) -> list[str]:
    """An Enemy card: health, keywords, its three actions, snake and defeat box."""
    card = compiled.content[0]["type"][kind]
    base, each = int(card["base"]), int(card["per_hero"])
    health = " + ".join([str(base)] * bool(base or not each) + [f"{each} per Hero"] * bool(each))
    parts = [f"{word(Colour(int(card['colour'])))} Enemy, health {health}"]
    parts += [f"Shield {int(card['shield'])}"] * bool(card["shield"])
    parts += [provoke_text(card)] * bool(card["provoke"])
    parts += [k.capitalize() for k in ("elite", "fly", "mirror", "revenge") if card[k]]
    parts += [("large", "huge")[int(card["size"]) - 2]] * bool(card["size"] > 1)
    lines = [", ".join(parts) + "."]
    for eye in Eye:
        lines.append(f"  {word(eye).lower():<9}{enemy_turn_text(compiled, kind, eye, horns=True)}")
    for name, text in (("snake", snake_text(compiled, kind)), ("defeat", "")):
        shown = text or (defeat_text(compiled, kind) if name == "defeat" else "")
        lines += [f"  {name:<9}{shown}"] * bool(shown)
    return lines


def provoke_text(card: Record) -> str:
    """R8.1 to R8.4 - what leaving the Enemy's area costs."""
    reach = f" at range {int(card['provoke_range'])}" if card["provoke_range"] else ""
    return f"Provoke {int(card['provoke'])}{' stamina loss' * bool(card['provoke_loss'])}{reach}"


# ---- injuries, sections -------------------------------------------------------------------------
def injury_text(row: Record) -> str:
    """An Injury card, dtype layout.INJURY (R13.14)."""
    parts = _by_ability(row["dice"], "dice -{n} on {who} checks")
    parts += [f"move maneuvers -{int(row['move'])}"] * bool(row["move"])
    parts += [f"recover -{int(row['recover'])}"] * bool(row["recover"])
    return ", ".join(parts) or "nothing"


def check_text(row: Record) -> str:
    """The check of a story section, dtype layout.STORY; "" for none."""
    if not row["number"]:
        return ""
    return f"check {both(abilities(int(row['abilities'])), 'or')} {int(row['number'])}"


# ---- a Hero's board -----------------------------------------------------------------------------
def locks_text(state: np.void, compiled: Compiled, ally: int) -> list[str]:
    """What works for an Ally now: locked actions, gear in use and skills, a line each."""
    figure, content, names = state["ally"][ally], compiled.content[0], compiled.names
    lines = []
    for row, chips in zip(figure["lock_passive"].tolist(), figure["lock_chips"], strict=True):
        if row >= 0:
            held = f" ({int(chips)} locked)" if chips else ""
            does = passive_text(content["passive"][row])
            lines.append(f"{named(names.passives, row)}{held}: {does}")
    return lines


def carried(state: np.void, ally: int) -> list[tuple[int, bool]]:
    """The items that an Ally carries, and whether each is in use."""
    figure = state["ally"][ally]
    return [
        (int(figure["item"][place]), bool(int(figure["active"]) >> place & 1))
        for place in range(N_CARRIED)
        if figure["item"][place] >= 0
    ]
