"""Help: a line for each action and question, and pages about what is on the table.

R numbers are those of docs/agemonia-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce
from operator import or_

import numpy as np

from agemonia_env.display.messages import counted
from agemonia_env.display.names import named, word
from agemonia_env.display.pages import Page, Thing, definitions, printed_text

from ..content.compile import Compiled
from ..core.actions import STARTS, Block, Turn
from ..core.layout import FOCUS, N_AREAS, N_ENEMIES, N_INJURIES
from ..core.rules.checks import HINDERED_PENALTY
from ..core.terms import (
    Ability,
    AttackType,
    Condition,
    Decision,
    Eye,
    Kind,
    Roll,
    Special,
    Trigger,
)
from .board_text import goal_page
from .card_text import (
    both,
    carried,
    check_text,
    cost_text,
    effects_text,
    enemy_card_lines,
    enemy_turn_text,
    figure_text,
    injury_text,
    item_text,
    locks_text,
    passive_text,
    provoke_text,
    sentences,
    snake_text,
    token_row,
    token_text,
)
from .labels import (
    allies_in,
    ally_name,
    ally_slots,
    carried_item,
    condition_names,
    enemies_in,
    enemy_name,
    enemy_slots,
    ground_item,
    hero_numbers,
    initiative_bars,
    item_name,
    type_name,
    ways_out,
)

# The consequences of the answer; `why` and `look` show them below the answer itself.
QUESTION_HELP: dict[Decision, str] = {
    Decision.NONE: "",
    Decision.SELECT_ACTION: "The action's colour says on which bar of the Initiative card the "
    "Hero acts; stamina is paid when it is performed (R5.2, R5.3).",
    Decision.NEXT_ALLY: "Allies of one bar act in an order of your choice (R5.14).",
    Decision.NEXT_TYPE: "Two Enemy types share this bar: you choose which acts first (R5.15).",
    Decision.TURN: "A turn has one action and one maneuver, in either order; both may be "
    "forfeited (R6.1, R6.2).",
    Decision.STEP: "Each step costs 1 movement point; points left over are lost (R6.6). Leaving "
    "an Enemy with Provoke costs its Provoke value (R8.1).",
    Decision.EVADE: "Each Evade point spent prevents 1 of this Provoke; points come back each "
    "turn (R8.9).",
    Decision.DISARM: "An Agility check; on a failure, or without a try, the trap goes off (R19.7).",
    Decision.SPRING: "A flying figure may leave a trap alone (R7.20).",
    Decision.ATTACK_TYPE: "The type says which weapon, range and sight count (R9.1).",
    Decision.TARGET: "Targets are named before the dice are rolled (R9.2).",
    Decision.CENTRE: "Every Enemy in the centre, and in areas within the radius that it sees, "
    "is hit (R9.26).",
    Decision.LINE: "At most one Enemy in each area of the line is hit (R9.27).",
    Decision.SHARE: "The damage is split freely; each share meets that Enemy's shield (R9.29).",
    Decision.INSPIRATION: "A gem discarded before the roll adds 2 dice, once per roll (R3.23).",
    Decision.BLESSED: "Blessed is used up and rolls 1 more die (R12.2).",
    Decision.PAY: "Each stamina paid on this S face, at most 2, is 1 success (R3.3).",
    Decision.ACHIEVEMENT: "A gem discarded after the roll adds 1 success (R3.24).",
    Decision.FLIP_LOCK: "A lock that ends, or is left with too few chips, puts its chips on the "
    "spent pool; locked chips are not restored (R14.4, R14.6 to R14.8).",
    Decision.STAND_IN: "One other Hero in that area may take the hit instead (R10.26).",
    Decision.ENEMY_DESTINATION: "Its card leaves these areas equally good (R10.13).",
    Decision.ENEMY_STOP: "It cannot get all the way; these areas are equally near (Q49).",
    Decision.ENEMY_TARGET: "Its card leaves these Allies equally good (R10.24).",
    Decision.STRIKE_ORDER: "The attack hits several Allies; each checks and suffers in turn.",
    Decision.DOMINATED_ENEMY: "The Dominated Enemy hurts the closest other Enemy (R12.10).",
    Decision.DOMINATED_ALLY: "The Dominated Ally hurts the closest other Ally (R12.10).",
    Decision.SPAWN_AREA: "The area is full: the nearest areas with room are equally near (R10.46).",
    Decision.TRAP_AREA: "The trap goes off when a figure enters, unless disarmed (R19.7).",
    Decision.RECIPIENT: "Any Ally within range may be helped, the acting one included.",
    Decision.AFFLICTED: "An Enemy within range and in sight.",
    Decision.AMOUNT: "So much restores stamina, the rest heals damage (R2.9).",
    Decision.ABILITY: "The level of the ability is how many dice are rolled (R3.9, R3.10).",
    Decision.DISCARD: "That condition is discarded.",
    Decision.JUMP: "A jump passes over areas; it draws the Provoke of the area left (R8.8).",
    Decision.TELEPORT: "A teleport draws no Provoke (R8.7).",
    Decision.PUSH_TO: "Pushed figures go away from the source, pulled ones nearer (R7.49, R7.51).",
    Decision.VICTIM: "An Enemy within range and in sight.",
    Decision.AFTER_ALLY: "After an Ally's turn the Hero may take its own; it still has one turn "
    "in the round (R15.4).",
    Decision.SPECIAL: "First acts before the bars, Last after them, without the bonus maneuver "
    "of the card (R15.2, R15.3).",
    Decision.TACTICS: "For 1 stamina the Hero acts on that Ally's bar this round (R5.6).",
    Decision.SLOT: "The Hero plays this scenario with the actions in its slots (R4.3).",
    Decision.REROLL: "The new faces replace the old ones (R3.8).",
    Decision.BOOST: "Items are discarded before the roll; several may add (R3.12).",
    Decision.RIDER: "One poison, arrow or rune of a kind, before the roll (R17.6).",
    Decision.WEAPON: "The weapon's modifier is added, and its range counts (R9.4, R17.7).",
    Decision.OPENING: "It gives a special initiative for this round (R15.9).",
    Decision.USE: "Most items are discarded when used (R6.11).",
    Decision.DROP: "It lies in the area; anybody may pick it up (R17.5).",
    Decision.TAKE: "Carried items that are not in use weigh at most 5 together (R17.3).",
    Decision.GIVE: "To a Hero in the same area, not while Hindered (R17.5).",
    Decision.GIVE_TO: "The Hero must be able to carry it (R17.3).",
    Decision.WEAR: "The first change in a turn is free, each further one costs a maneuver (R17.2).",
    Decision.ROPE: "A fixed rope lets figures climb the height edge (R7.17).",
    Decision.SUMMON_AREA: "It neither moves nor attacks before the next round (R18.7).",
    Decision.TOKEN_STEP: "It needs no room and cannot be attacked (R18.7, R18.8).",
    Decision.TOKEN_HARM: "Damage without an attack: no dice, no shield.",
    Decision.STORY: "What it does is told when it is read (R19.11).",
    Decision.ABILITY_BONUS: "Until the end of the round (A.4).",
}
TURN_HELP: dict[Turn, str] = {
    Turn.RETHINK_MOVE: "in place of the action",
    Turn.RETHINK_RESTORE: "in place of the action",
    Turn.MOVE_FREE: "a maneuver",
    Turn.MOVE_PAID: "a maneuver",
    Turn.RECOVER_STAMINA: "a maneuver; 1 less if Hindered",
    Turn.RECOVER_DAMAGE: "a maneuver; 1 less if Hindered",
    Turn.DISCARD_BLEEDING: "it costs 1 damage at the start of each turn",
    Turn.DISCARD_HELD: "it forbids move maneuvers and jumps",
    Turn.END_TURN: "an action or maneuver that is left is forfeited",
    Turn.USE_ITEM: "most items are discarded when used",
    Turn.DROP_ITEM: "it lies in the area, for any Hero to pick up",
    Turn.TAKE_ITEM: "what lies in this area, or an exhausted Hero in it carries",
    Turn.GIVE_ITEM: "to a Hero in this area",
    Turn.WEAR_ITEM: "only items in use count; the first change in a turn is free, each further "
    "one costs a maneuver",
    Turn.FIX_ROPE: "a maneuver; up a height edge only after an Agility check",
    Turn.TAKE_ROPE: "it becomes an item again",
    Turn.PLACE_PET: "in this area; it takes no room and cannot be attacked",
    Turn.MOVE_PET: "once in each turn",
    Turn.RECALL_PET: "from this area",
    Turn.READ_STORY: "a part of the story that is open to the Heroes here",
}
ATTACK_HELP: dict[AttackType, str] = {
    AttackType.MELEE: "an Enemy in your area, or in a full one beside it at the same height",
    AttackType.RANGED: "an Enemy in sight, within the range of your weapon",
    AttackType.MAGIC: "an Enemy in sight, within the range of the action",
}
# What a yes, a no or an end means, where the answer itself does not say it
ANSWER_HELP: dict[tuple[Block, Decision], str] = {
    (Block.DONE, Decision.STEP): "points left over are lost",
    (Block.YES, Decision.DISARM): "an Agility check; on a failure the trap goes off",
    (Block.NO, Decision.NEXT_ALLY): "the turn comes right after another Ally's instead",
    (Block.NO, Decision.AFTER_ALLY): "a later Ally may come first",
    (Block.YES, Decision.INSPIRATION): "2 more dice on this roll",
    (Block.YES, Decision.ACHIEVEMENT): "1 more success",
    (Block.YES, Decision.BLESSED): "1 more die on this roll",
    (Block.YES, Decision.REROLL): "the new faces count, even if they are worse",
}
CONDITIONS: dict[Condition, str] = {
    Condition.INVISIBLE: "cannot be targeted; ends on an attack of its own or with an Enemy within "
    "range 1",
    Condition.BLESSED: "1 more die on one attack or check, once",
    Condition.BLEEDING: "1 damage at the start of each own turn; an Ally spends a maneuver to end "
    "it, an Enemy ends it by not moving",
    Condition.SLOWED: "the next move has 1 point less",
    Condition.WEAKENED: "an Ally's next roll of Action dice has 1 die fewer; an Enemy's next "
    "attack has value -2",
    Condition.HELD: "no move and no jump; an Ally spends a maneuver to end it",
    Condition.CURSED: "stamina spent on the next attack action turns into wounds",
    Condition.CONFUSED: "the next action (of an Enemy: attack) is missed",
    Condition.STUNNED: "the next action and maneuver (of an Enemy: turn) are missed",
    Condition.DOMINATED: "strikes its own side: the closest one within range 2 suffers 2 damage, "
    "the own action is missed",
}
SPECIAL_HELP: dict[Special, str] = {
    Special.FIRST: "before all bars",
    Special.LAST: "after all bars",
    Special.AFTER: "right after an Ally's turn of your choice",
}


def action_help(state: np.void, compiled: Compiled, action: int) -> str:
    """What `action`, in [0, N_ACTIONS), does, in a line; "" where its name says it all."""
    block = max(b for b in Block if STARTS[b] <= action)
    index = action - STARTS[block]
    asked, content = int(state["asked"]), compiled.content[0]
    match block:
        case Block.TURN if index == Turn.ACT:
            return token_text(compiled, asked, int(state["ally"][asked]["token"]))
        case Block.TURN:
            return sentences([TURN_HELP[Turn(index)]])
        case Block.TOKEN:
            return token_text(compiled, asked, index)
        case Block.AREA | Block.CLIMB | Block.PORTAL:
            return area_help(state, compiled, index)
        case Block.STORY:
            section = named(compiled.names.stories, index, "")
            return compiled.names.texts.get(f"section/{section}", "")
        case Block.ITEM:
            return item_text(compiled, carried_item(state, asked, index))
        case Block.GROUND:
            return item_text(compiled, ground_item(state, asked, index))
        case Block.SPECIAL:
            return sentences([SPECIAL_HELP[tuple(Special)[index]]])
        case Block.ENEMY:
            return enemy_help(state, compiled, index)
        case Block.ALLY:
            return ally_help(state, compiled, index)
        case Block.LOCK:
            row = int(state["ally"][asked]["lock_passive"][index]) if asked >= 0 else -1
            return sentences([passive_text(content["passive"][row])]) if row >= 0 else ""
        case Block.TYPE:
            return type_help(state, compiled, index)
        case Block.AMOUNT if int(state["decision"]) == Decision.PAY:
            return _paid_help(state, compiled, index)
        case Block.AMOUNT if int(state["decision"]) == Decision.EVADE:
            return _evade_help(state, compiled, index)
        case Block.ATTACK_TYPE:
            return sentences([ATTACK_HELP[AttackType(index)]])
        case Block.ABILITY:
            return _ability_help(state, asked, compiled, Ability(index))
        case Block.CONDITION:
            return sentences([CONDITIONS[Condition(index)]]) if index else ""
        case _:
            return _answer_help(state, compiled, block)


def question_help(state: np.void) -> str:
    """The consequences of the answer to the current question; "" without a question."""
    decision = Decision(int(state["decision"]))
    if state["ending"]:
        return ""
    text = QUESTION_HELP.get(decision, "")
    if decision == Decision.SLOT:
        slots = int(state["subject"])
        return f"{text} {counted(slots, 'slot')} {'is' if slots == 1 else 'are'} left."
    return text


def _answer_help(state: np.void, compiled: Compiled, block: Block) -> str:
    """What a yes, a no or an end means for the question; "" where it says it itself."""
    decision = Decision(int(state["decision"]))
    if block == Block.NO and decision == Decision.STAND_IN:
        return f"{ally_name(compiled, int(state['subject']))} takes it."
    if block == Block.NO and decision == Decision.DISARM:
        return _trap_help(compiled)
    return sentences([ANSWER_HELP.get((block, decision), "")])


def _trap_help(compiled: Compiled) -> str:
    """What the Trap cards of a scenario do: "A Trap card is drawn: 1 to 3 damage or Slowed."."""
    content = compiled.content[0]
    cards = content["trap"][: int(content["n_traps"])]
    if not len(cards):
        return ""
    least, most = int(cards["damage"].min()), int(cards["damage"].max())
    parts = [f"{least} to {most} damage" if least < most else f"{most} damage"]
    gained = condition_names(reduce(or_, cards["conditions"].tolist()))
    return f"A Trap card is drawn: {both([*parts, *gained], 'or')}."


def _evade_help(state: np.void, compiled: Compiled, evaded: int) -> str:
    """What is left of a Provoke (R8.9)."""
    enemy = int(state["subject"])
    if not 0 <= enemy < N_ENEMIES or state["enemy"][enemy]["type"] < 0:
        return ""
    card = compiled.content[0]["type"][int(state["enemy"][enemy]["type"])]
    left = max(0, int(card["provoke"]) - evaded)
    return f"{left} stamina lost" if card["provoke_loss"] else f"{left} damage suffered"


def _paid_help(state: np.void, compiled: Compiled, paid: int) -> str:
    """What a roll comes to with what is paid, other S faces left aside, and what a check needs."""
    roll, check = state["roll"], state["check"]
    successes = int(roll["successes"]) + paid
    text = "1 success so far" if successes == 1 else f"{successes} successes so far"
    if roll["use"] != Roll.ACTIVE:
        return text
    needed = int(check["number"]) - int(check["modifier"])
    if not roll["outside"] and _is_hindered(state, compiled, int(check["ally"])):
        needed += HINDERED_PENALTY
    return f"{text}, {max(0, needed)} needed"


def _is_hindered(state: np.void, compiled: Compiled, ally: int) -> bool:
    """Whether as many Enemies as Allies stand in the area of an Ally that stands (R13.1)."""
    area = int(state["ally"][ally]["area"])
    crowded = state["enemies_in"][area] >= state["allies_in"][area]
    return bool(crowded) and not compiled.content[0]["sheet"][ally]["never_hindered"]


def area_help(state: np.void, compiled: Compiled, area: int) -> str:
    """Room, trap and figures of an area: "1 of 3 places taken: Reedling 1"."""
    content, names = compiled.content[0], compiled.names
    if not 0 <= area < min(N_AREAS, int(content["n_areas"])):
        return ""
    there = [names.allies[a] for a in allies_in(state, area)]
    there += [enemy_name(state, compiled, e) for e in enemies_in(state, area)]
    used, capacity = int(state["used"][area]), int(content["capacity"][area])
    text = f"{used} of {capacity} places taken" if there else f"empty, {counted(capacity, 'place')}"
    if not capacity:
        text = "nobody can stand there"
    text += ", trap" * bool(state["trap"][area])
    text += ", goal" * bool(int(content["goal"]) >> area & 1)
    return text + (f": {', '.join(there)}" if there else "")


def enemy_help(state: np.void, compiled: Compiled, slot: int) -> str:
    """Health, keywords, place and conditions of an Enemy."""
    figure = state["enemy"][slot]
    if figure["type"] < 0:
        return ""
    card = compiled.content[0]["type"][int(figure["type"])]
    parts = [f"health {int(figure['health'])}/{int(figure['full'])}"]
    parts += [f"Shield {int(card['shield'])}"] * bool(card["shield"])
    parts += [provoke_text(card)] * bool(card["provoke"])
    parts += [k.capitalize() for k in ("elite", "mirror", "revenge") if card[k]]
    parts += condition_names(int(figure["conditions"]))
    if figure["area"] >= 0:
        parts.append(
            f"in {compiled.names.areas[int(figure['area'])]}{_distance(state, compiled, slot)}"
        )
    return ", ".join(parts)


def _distance(state: np.void, compiled: Compiled, slot: int) -> str:
    """How far an Enemy is from the Ally that is asked; "" where nobody is asked, or no path is."""
    asked, there = int(state["asked"]), int(state["enemy"][slot]["area"])
    here = int(state["ally"][asked]["area"]) if asked >= 0 else -1
    if here < 0:
        return ""
    reach = int(compiled.content[0]["range"][here, there])
    seen = "" if int(compiled.content[0]["seen"][here]) >> there & 1 else ", out of sight"
    return f" (range {reach}{seen})" if reach >= 0 else ""


def ally_help(state: np.void, compiled: Compiled, slot: int) -> str:
    """Chips or health, place and conditions of an Ally."""
    figure = state["ally"][slot]
    if figure["kind"] == Kind.NOBODY:
        return ""
    if figure["kind"] == Kind.HERO:
        parts = [f"stamina ready {int(figure['disk'])}, spent {int(figure['spent'])}"]
        parts += [f"damage {int(figure['wounds'])}"] * bool(figure["wounds"])
    else:
        full = int(compiled.content[0]["sheet"][slot]["health"])
        parts = [f"health {int(figure['health'])}/{full}"]
    parts += [flag for flag in ("wounded", "exhausted") if figure[flag]]
    parts += condition_names(int(figure["conditions"]))
    if figure["area"] >= 0:
        parts.append(f"in {compiled.names.areas[int(figure['area'])]}")
    return ", ".join(parts)


def type_help(state: np.void, compiled: Compiled, kind: int) -> str:
    """What the Enemies of a type do on this round's card; "" before it is revealed."""
    row, card = int(state["card"]), compiled.content[0]["type"][kind]
    if row < 0:
        return ""
    bars = compiled.content[0]["card"][row]
    for bar in range(6):
        if bars["enemy"][bar] and bars["colour"][bar] == card["colour"]:
            eye, horns = Eye(int(bars["eye"][bar])), bool(bars["horns"][bar])
            does = enemy_turn_text(compiled, kind, eye, horns)
            snake = snake_text(compiled, kind) if bars["snake"][bar] else ""
            return f"{word(eye).lower()}: {does}" + (f"; snake: {snake}" if snake else "")
    return ""


def _ability_help(state: np.void, ally: int, compiled: Compiled, ability: Ability) -> str:
    """The level of an ability, and how many dice a check with it rolls (R3.9, R3.20, R13.14)."""
    if ally < 0:
        return ""
    content, figure = compiled.content[0], state["ally"][ally]
    level = int(content["sheet"][ally]["ability"][ability]) + int(figure["ability"][ability])
    injuries = zip(figure["injury"], content["injury"], strict=True)
    dice = level - sum(int(held) * int(card["dice"][ability]) for held, card in injuries)
    focused = figure["kind"] == Kind.HERO and figure["token"] == FOCUS and not figure["flipped"]
    dice = max(0, dice + bool(focused))
    return f"level {level}: {dice} {'die' if dice == 1 else 'dice'}"


# ---- pages about what is on the table ---------------------------------------------------------
KEYWORDS: dict[str, str] = {
    "Achievement gem": "Discarded after a roll for 1 more success, or on a move or recover for 1 "
    "more (R3.24).",
    "Agility": "One of the three abilities of a Hero; its checks roll so many dice (R1.2, R3.9).",
    "Aim": "A ranged or magic attack deals 1 damage less if an Enemy is in the attacker's area, "
    "another figure in the target's area, or a figure in an area that the line of sight crosses "
    "(R9.20).",
    "Capacity": "The dots of an area: so many figures fit; a large Enemy uses 2, a huge one 3 "
    "(R7.2, R7.3).",
    "Cleave": "One roll; the damage is shared among Enemies within reach (R9.29).",
    "Closed eye": "See Eye: the Enemy takes the third action of its card (R5.9, R10.4).",
    "Colour": "Red, blue or green: that of the action chosen is the Hero's initiative; it acts at "
    "the bar of that colour on the Initiative card, Enemies at that of their card (R5.2, R5.8).",
    "Drain": "The attacker heals as much as the attack deals (R9.31).",
    "Elite": "Some effects spare an Elite Enemy (R9.37).",
    "Evade": "Each point prevents 1 of an Enemy's Provoke; points come back each turn (R8.9).",
    "Exhausted": "A wounded Hero that takes more damage than it has chips: out of the game unless "
    "revived. All Heroes exhausted: the scenario is lost (R13.8, R19.13).",
    "Eye": "Staring, open or closed, at each Enemy bar of the Initiative card: which of the three "
    "actions on their cards these Enemies take this round (R5.9, R10.4).",
    "Focus": "Chosen as the action: every check of the round rolls 1 more die, attacks do not "
    "(R3.21).",
    "H": "A face of a Reaction die; it counts only where an item, skill or lock says so (R3.6).",
    "Health": "What damage takes from an Enemy or an Ally that is no Hero; at 0 it is defeated.",
    "Hindered": "At least as many Enemies as Allies in the area: checks -1, recover -1, no item "
    "changes hands (R13.1, R13.2).",
    "Horns": "If this round's bar shows horns, the text beside the Enemy's action is added to it "
    "(R10.7).",
    "Inspiration gem": "Discarded before a roll for 2 more dice, or the cost of an action (R3.23, "
    "R16.2).",
    "Lock": "Stamina chips laid on an action or item work there until they are taken away; damage "
    "reaches them last (R14.1 to R14.8).",
    "Might": "One of the three abilities of a Hero; its checks roll so many dice (R1.2, R3.9).",
    "Mirror": "The bearer takes nothing; the attacker suffers the attack's damage itself (R11.1).",
    "Open eye": "See Eye: the Enemy takes the second action of its card (R5.9, R10.4).",
    "Pierce": "Ignores so much of the target's Shield (R9.30).",
    "Provoke": "What leaving the Enemy's area costs, without a check; once a turn for each Enemy "
    "(R8.1 to R8.5).",
    "Pull": "Each step brings the figure nearer to the source (R7.49).",
    "Push": "Each step takes the figure farther from the source (R7.51).",
    "Ready": "Chips on the disk, which may be spent (R2.1).",
    "Rethink": "Instead of the chosen action: 1 movement point, or restore 1 stamina (R6.8).",
    "Revenge": "The attacker suffers as much as the bearer took (R11.5).",
    "Riposte": "Damage to an Enemy that attacks the Ally, without a check or shield (R11.10).",
    "S": "A face of an Action die: spend 1 or 2 stamina for as many successes (R3.3).",
    "Shield": "Reduces the damage of every attack on the Enemy (R10.35).",
    "Snake": "If this round's bar shows the snake, the Enemy's snake ability comes before its "
    "action or changes it (R10.6).",
    "Spent": "Chips that were paid; restoring brings them back to the disk (R2.1, R2.6).",
    "Staring eye": "See Eye: the Enemy takes the first action of its card (R5.9, R10.4).",
    "Stamina": "A Hero's chips are its strength and its life: ready ones are spent, damage turns "
    "them red; all red and more damage: wounded, then exhausted (R1.4, R2.4).",
    "Taunt": "Of Allies that it could attack equally well, an Enemy takes the one with the highest "
    "Taunt (R10.13, R10.20).",
    "Trap": "A Hero that enters may try Agility to disarm it; otherwise a Trap card is drawn "
    "(R19.7, R19.8).",
    "Will": "One of the three abilities of a Hero; its checks roll so many dice (R1.2, R3.9).",
    "Wounded": "The disk turns to its red side and holds fewer chips; an Injury card is drawn "
    "(R13.4).",
}


def help_pages(state: np.void, compiled: Compiled) -> list[Page]:
    """All help pages, by name."""
    return [Page(*thing) for thing in _things(state, compiled)]


def _things(state: np.void, compiled: Compiled) -> Iterator[Thing]:
    """Kind, name and text of each page."""
    names, content = compiled.names, compiled.content[0]
    for ally in ally_slots(state):
        yield "Allies", names.allies[ally], partial(ally_page, state, compiled, ally)
    for ally in ally_slots(state):
        for slot, name in enumerate(names.tokens[ally]):
            yield "Actions", name, partial(token_page, state, compiled, ally, slot)
    for item in range(int(content["n_items"])):
        name = item_name(compiled, item)
        yield "Items", name, partial(item_page, compiled, item)
    for figure in range(int(content["n_figures"])):
        yield "Figures", names.figures[figure], partial(figure_page, compiled, figure)
    for kind, name in enumerate(names.types):
        yield "Enemies", name, partial(type_page, state, compiled, kind)
    for slot in enemy_slots(state):
        name = enemy_name(state, compiled, slot)
        yield "Enemies", name, partial(enemy_page, state, compiled, slot)
    for area, name in enumerate(names.areas):
        yield "Areas", name, partial(area_page, state, compiled, area)
    for k, name in enumerate(names.stories):
        if _is_known(state, compiled, k):
            yield "Story", name, partial(section_page, state, compiled, k)
    yield "Table", "Initiative", partial(initiative_page, state, compiled)
    yield "Table", "Objective", partial(goal_page, state, compiled)
    yield from definitions("Conditions", {word(one): text for one, text in CONDITIONS.items()})
    yield from definitions("Keywords", KEYWORDS)


def _is_known(state: np.void, compiled: Compiled, section: int) -> bool:
    """Whether the players know a story section: read, or offered to be used."""
    row = compiled.content[0]["section"][section]
    return bool(int(state["read"]) >> section & 1) or row["trigger"] == Trigger.CHOICE


# ---- actions ---------------------------------------------------------------------------------
def named_page(state: np.void, compiled: Compiled, action: int) -> str:
    """The page about the thing that an action names; "" where there is none."""
    block = max(b for b in Block if STARTS[b] <= action)
    index, asked = action - STARTS[block], int(state["asked"])
    if block == Block.TURN and index == Turn.ACT and asked >= 0:
        block, index = Block.TOKEN, int(state["ally"][asked]["token"])
    if block == Block.TOKEN and token_row(compiled, asked, index) is not None:
        return token_page(state, compiled, asked, index)
    if block == Block.ITEM and asked >= 0 and state["ally"][asked]["item"][index] >= 0:
        return item_page(compiled, int(state["ally"][asked]["item"][index]))
    if block == Block.ENEMY and state["enemy"][index]["type"] >= 0:
        return enemy_page(state, compiled, index)
    if block == Block.ALLY and index in ally_slots(state):
        return ally_page(state, compiled, index)
    if block == Block.TYPE and index < len(compiled.names.types):
        return type_page(state, compiled, index)
    if block in (Block.AREA, Block.CLIMB, Block.PORTAL) and index < len(compiled.names.areas):
        return area_page(state, compiled, index)
    return ""


def thing_page(state: np.void, compiled: Compiled, thing: str) -> str:
    """The page about a thing that the picture marks: "area:3", "ally:0" or "enemy:2"."""
    kind, _, number = thing.partition(":")
    pages = {"area": area_page, "ally": ally_page, "enemy": enemy_page}
    return pages[kind](state, compiled, int(number))


# ---- cards --------------------------------------------------------------------------------------
def _printed(compiled: Compiled, key: str, derived: str) -> list[str]:
    """The hand-written text of a card, if it has one."""
    return printed_text(compiled.names.texts.get(key, ""), derived, ";" in compiled.names.pack)


def token_page(state: np.void, compiled: Compiled, ally: int, slot: int) -> str:
    """An action: colour, cost, what it does, its printed text, whether it can be paid now."""
    names, row = compiled.names, token_row(compiled, ally, slot)
    who, name = names.allies[ally], names.tokens[ally][slot]
    text = token_text(compiled, ally, slot)
    lines = [f"{name}, an action of {who}", text]
    lines += _printed(compiled, f"action/{who}/{name}", text)
    figure = state["ally"][ally]
    if row is not None and figure["kind"] == Kind.HERO and cost_text(row):
        disk, gems = int(figure["disk"]), int(figure["inspiration"])
        enough = int(row["cost"]) <= disk and int(row["gem"]) <= gems
        has = f"{disk} stamina ready" + f" and {gems} Inspiration gems" * bool(row["gem"])
        lines.append(f"{who} has {has}: {'enough' if enough else 'not enough'} for it now.")
    return "\n".join(lines)


def item_page(compiled: Compiled, item: int) -> str:
    """An item: what it does, and its printed text."""
    name, text = item_name(compiled, item), item_text(compiled, item)
    return "\n".join([f"{name}, an item", text, *_printed(compiled, f"item/{name}", text)])


def figure_page(compiled: Compiled, figure: int) -> str:
    """A summoned token or a pet."""
    name, text = compiled.names.figures[figure], sentences([figure_text(compiled, figure)])
    kind = "a pet" if compiled.content[0]["figure"][figure]["pet"] else "a token"
    return "\n".join([f"{name}, {kind}", text, *_printed(compiled, f"figure/{name}", text)])


def type_page(state: np.void, compiled: Compiled, kind: int) -> str:
    """An Enemy card, what it does this round, and its figures on the map."""
    name = type_name(compiled, kind)
    lines = [name, *enemy_card_lines(compiled, kind)]
    now = type_help(state, compiled, kind)
    lines += [f"This round: {now}"] * bool(now)
    lines += [
        f"{enemy_name(state, compiled, slot)}: {enemy_help(state, compiled, slot)}"
        for slot in enemy_slots(state)
        if state["enemy"][slot]["type"] == kind
    ]
    flavour = compiled.names.texts.get(f"enemy/{name}", "")
    return "\n".join([*lines, *[flavour] * bool(flavour)])


def enemy_page(state: np.void, compiled: Compiled, slot: int) -> str:
    """One Enemy: how it stands, and its card."""
    figure = state["enemy"][slot]
    kind = int(figure["type"])
    lines = [f"{enemy_name(state, compiled, slot)}: {enemy_help(state, compiled, slot)}"]
    lines += enemy_card_lines(compiled, kind)
    now = type_help(state, compiled, kind)
    if now:
        acted = " (it has acted)" if figure["acted"] else ""
        lines.append(f"This round{acted}: {now}")
    return "\n".join(lines)


# ---- places -------------------------------------------------------------------------------------
def area_page(state: np.void, compiled: Compiled, area: int) -> str:
    """An area: who is there, what lies there, the ways out, and what is seen from it."""
    content, names = compiled.content[0], compiled.names
    lines = [f"{names.areas[area]}: {area_help(state, compiled, area)}"]
    level = int(content["level"][area])
    lines += [f"Height {level}."] * bool(level)
    items = [item_name(compiled, int(i)) for i in state["item"][area] if i >= 0]
    lines += [f"Items: {', '.join(items)}."] * bool(items)
    lines.append(f"Ways out: {ways_out(compiled, area) or 'none'}.")
    ropes = [n for b, n in enumerate(names.areas) if int(state["rope"][area]) >> b & 1]
    lines += [f"Ropes to: {', '.join(ropes)}."] * bool(ropes)
    for reach in range(1, int(content["range"][area].max()) + 1):
        seen = [
            name + " (out of sight)" * (not int(content["seen"][area]) >> b & 1)
            for b, name in enumerate(names.areas)
            if content["range"][area][b] == reach
        ]
        lines += [f"Range {reach}: {', '.join(seen)}."] * bool(seen)
    return "\n".join(lines)


def section_page(state: np.void, compiled: Compiled, section: int) -> str:
    """A story section that is known; what it does once it has been read."""
    row, name = compiled.content[0]["section"][section], compiled.names.stories[section]
    where = f" in {named(compiled.names.areas, int(row['area']))}" * bool(row["area"] >= 0)
    check, texts = check_text(row), compiled.names.texts
    lines = [f"{name}{where}", texts.get(f"section/{name}") or texts.get(f"story/{name}", "")]
    lines += [sentences(["costs a maneuver" * bool(row["maneuver"]), check])]
    if int(state["read"]) >> section & 1:
        does = effects_text(compiled, int(row["first"]), int(row["n"]))
        failed = effects_text(compiled, int(row["fail_first"]), int(row["fail_n"]))
        lines += [does, f"Failed: {failed}" if failed else ""]
    return "\n".join(line for line in lines if line)


def initiative_page(state: np.void, compiled: Compiled) -> str:
    """The Initiative card of the round, and what the Enemies on it do."""
    bars = initiative_bars(state, compiled)
    if not bars:
        return "The Initiative card is turned when every Hero has chosen an action (R5.7)."
    lines = ["Initiative card, top to bottom"]
    for bar in bars:
        mark = ">" if bar.current else " "
        lines.append(f" {mark} {bar.label}: {', '.join(bar.figures) or '-'}")
        if bar.enemy:
            kinds = [k for k, name in enumerate(compiled.names.types) if name in bar.figures]
            lines += [
                f"     {type_name(compiled, k)}: {type_help(state, compiled, k)}" for k in kinds
            ]
    return "\n".join(lines)


# ---- Allies -------------------------------------------------------------------------------------
def ally_page(state: np.void, compiled: Compiled, ally: int) -> str:
    """The board of an Ally: numbers, actions, items, what works now, skills, injuries."""
    names, figure = compiled.names, state["ally"][ally]
    name = names.allies[ally]
    lines = [f"{name}: {ally_help(state, compiled, ally)}", *_board_lines(state, compiled, ally)]
    items = [
        f"{item_name(compiled, item)}{' (in use)' * used}: {item_text(compiled, item)}"
        for item, used in carried(state, ally)
    ]
    injuries = [
        f"{names.injuries[k]}: {injury_text(compiled.content[0]['injury'][k])}"
        for k in range(N_INJURIES)
        if figure["injury"][k]
    ]
    held, skill = int(figure["conditions"]), f"skill/{name}/"
    conditions = [f"{word(c)}: {text}" for c, text in CONDITIONS.items() if held >> c & 1]
    texts = names.texts.items()
    skills = [f"{key.removeprefix(skill)}: {text}" for key, text in texts if key.startswith(skill)]
    chosen = int(figure["token"])
    for slot, token in enumerate(names.tokens[ally]):
        mark = ">" if slot == chosen else " "
        lines.append(f" {mark} {token}: {token_text(compiled, ally, slot)}")
    for title, found in (
        ("Items", items),
        ("In force", locks_text(state, compiled, ally)),
        ("Skills", skills),
        ("Injuries", injuries),
        ("Conditions", conditions),
    ):
        lines += [title, *(f"   {line}" for line in found)] if found else []
    about = [names.texts.get(f"{key}/{name}", "") for key in ("hero", "ally", "class")]
    return "\n".join([*lines, *filter(None, about)])


def _board_lines(state: np.void, compiled: Compiled, ally: int) -> list[str]:
    """The printed numbers of an Ally's board."""
    sheet = compiled.content[0]["sheet"][ally]
    lines = [hero_numbers(state, compiled, ally).board.replace("   ", ", ")]
    if sheet["kind"] == Kind.HERO:
        free, paid, cost = (int(sheet[key]) for key in ("move_free", "move_paid", "move_cost"))
        stamina, damage = int(sheet["recover_stamina"]), int(sheet["recover_damage"])
        lines.append(
            f"Maneuvers: move {free}, or {paid} for {cost} stamina; recover {stamina} stamina "
            f"or {damage} damage."
        )
    else:
        move, damage = int(sheet["move_free"]), int(sheet["recover_damage"])
        lines.append(f"Maneuvers: move {move}; recover {damage} damage.")
    return [*lines, "Actions"]
