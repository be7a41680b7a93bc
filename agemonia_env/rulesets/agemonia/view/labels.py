"""Labels: texts for denials, questions and actions.

The core uses integers; this file turns them into text for `explain`, `action_meaning`, the text
board, the pictures and the command line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agemonia_env.display.messages import counted
from agemonia_env.display.names import named, word

from ..content.compile import Compiled
from ..core.actions import STARTS, Block, Turn
from ..core.layout import N_ALLIES, N_AREAS, N_ENEMIES
from ..core.terms import (
    Ability,
    AttackType,
    Border,
    Colour,
    Condition,
    Decision,
    Denial,
    Ending,
    Eye,
    Kind,
    Objective,
    Phase,
    Proc,
)

LEGAL = "legal"

DENIALS: dict[Denial, str] = {
    Denial.NONE: LEGAL,
    Denial.NOT_ASKED: "This does not answer what is asked now.",
    Denial.SCENARIO_ENDED: "The scenario has ended.",
    Denial.OUT_OF_ACTION: "That figure is out of action: exhausted, defeated or off the map.",
    Denial.NOT_A_HERO: "Only a Hero can do this.",
    Denial.NO_ACTION_LEFT: "The action of this turn has been used.",
    Denial.NO_MANEUVER_LEFT: "No maneuver is left in this turn.",
    Denial.TURN_TAKEN: "That figure has had its turn this round.",
    Denial.NOT_ENOUGH_STAMINA: "There are not enough stamina chips on the disk.",
    Denial.NO_GEM: "There is no gem left to discard.",
    Denial.NO_SUCH_ACTION: "There is no such action to choose now.",
    Denial.HELD: "A Held figure cannot make a move maneuver.",
    Denial.NOT_ADJACENT: "That area does not touch the one the figure is in.",
    Denial.BARRIER: "A solid barrier is in the way.",
    Denial.HEIGHT: "The height edge cannot be crossed upwards without Fly or a rope.",
    Denial.AREA_FULL: "The area is at its maximum capacity.",
    Denial.NO_CAPACITY: "Nobody can stand in that area.",
    Denial.NO_POINTS: "No movement points are left.",
    Denial.MUST_LEAVE: "The area is full: the figure has to leave it before its move ends.",
    Denial.MOVE_GOING_ON: "The move that is going on comes first.",
    Denial.FOCUS_USED: "The Focus die has been rolled: Rethink is no longer possible.",
    Denial.NOTHING_TO_DISCARD: "The figure does not have that condition.",
    Denial.NO_WEAPON: "No weapon of that kind is active.",
    Denial.NO_TARGET: "There is nothing to target.",
    Denial.OUT_OF_RANGE: "That is out of range.",
    Denial.NO_SIGHT: "There is no line of sight.",
    Denial.AREA_HAS_ROOM: "An adjacent area that is not full cannot be struck into.",
    Denial.ALREADY_CHOSEN: "That has been chosen already.",
    Denial.NOT_ON_LINE: "That area is not on a line of sight from here.",
    Denial.TOO_MUCH: "That is more than is allowed.",
    Denial.NOT_TIED_BEST: "That is not among the equally best choices.",
    Denial.INVISIBLE: "An Invisible figure cannot be targeted.",
    Denial.NOT_RUNNING: "That passive action is not running.",
    Denial.NOTHING_CHOSEN: "No action has been chosen.",
    Denial.NO_ROPE: "No fixed rope leads there.",
    Denial.NOTHING_TO_RECOVER: "There is nothing to recover.",
    Denial.HINDERED: "A Hindered figure cannot do this.",
    Denial.SAME_AREA: "The figure is there already.",
    Denial.TOO_LARGE: "The area is too small for that figure.",
    Denial.NO_TELEPORT_TOKEN: "No active teleport token leads there.",
    Denial.JUST_ARRIVED: "It has only just arrived.",
    Denial.NOT_IN_SLOT: "That action lies in no slot, and no slot is open.",
    Denial.ELITE: "An Elite Enemy is not affected.",
    Denial.READ_ALREADY: "That section has been read.",
    Denial.NO_SUCH_ITEM: "There is no such item.",
    Denial.HANDS_FULL: "That needs more hands than the Hero has.",
    Denial.TOO_HEAVY: "That is more than the Hero can carry.",
    Denial.NOT_TO_GIVE: "That item always stays with its Hero.",
    Denial.NO_USE: "That serves nothing as things are.",
    Denial.HANDLED: "That item has been handled this turn.",
    Denial.USED_UP: "That has been used up for this scenario.",
}

# {who} is the figure that is asked, {what} what it is about, {limit} the largest amount.
QUESTIONS: dict[Decision, str] = {
    Decision.NONE: "Nothing is asked.",
    Decision.SELECT_ACTION: "{who}: which action this round?",
    Decision.NEXT_ALLY: "Who acts next?",
    Decision.NEXT_TYPE: "Which Enemies act first?",
    Decision.TURN: "{who}: what next?",
    Decision.STEP: "{who} moves: where to? ({points} left)",
    Decision.EVADE: "{who} leaves {what}, which provokes: how much to evade?",
    Decision.DISARM: "{who}: try to disarm the trap in {what}?",
    Decision.SPRING: "{who} flies over the trap in {what}: meddle with it?",
    Decision.ATTACK_TYPE: "{who} attacks: with what?",
    Decision.TARGET: "{who} attacks: whom?",
    Decision.CENTRE: "{who}: where is the centre of the area attack?",
    Decision.LINE: "{who}: where does the line attack go?",
    Decision.SHARE: "{who}: how much of the damage for {what}? (at most {limit})",
    Decision.INSPIRATION: "{who}: an Inspiration gem for 2 more dice?",
    Decision.BLESSED: "{who}: use up Blessed for 1 more die?",
    Decision.PAY: "{who} rolled a stamina symbol: how much to pay?",
    Decision.ACHIEVEMENT: "{who}: an Achievement gem for 1 more?",
    Decision.FLIP_LOCK: "{who}: from which lock does a chip flip?",
    Decision.STAND_IN: "Who takes the hit for {what}?",
    Decision.ENEMY_DESTINATION: "A tie: where does {what} head?",
    Decision.ENEMY_STOP: "A tie: where does {what} stop?",
    Decision.ENEMY_TARGET: "A tie: whom does {what} attack?",
    Decision.STRIKE_ORDER: "Who suffers the attack first?",
    Decision.DOMINATED_ENEMY: "Dominated: which Enemy does {what} strike?",
    Decision.DOMINATED_ALLY: "Dominated: which Ally does {who} strike?",
    Decision.SPAWN_AREA: "A tie: where does the new Enemy appear?",
    Decision.TRAP_AREA: "Where is the trap set?",
    Decision.RECIPIENT: "{who}: whom does this help?",
    Decision.AFFLICTED: "{who}: which Enemy?",
    Decision.AMOUNT: "{who}: how much of it restores stamina? (the rest heals)",
    Decision.ABILITY: "{who}: which ability for the check?",
    Decision.DISCARD: "{who}: which condition goes?",
    Decision.JUMP: "{who} jumps: where to?",
    Decision.TELEPORT: "{who} teleports: where to?",
    Decision.PUSH_TO: "Into which area does {what} go?",
    Decision.VICTIM: "{who}: which Enemy?",
    Decision.AFTER_ALLY: "Who acts right after {what}?",
    Decision.SPECIAL: "{who}: which special initiative this round?",
    Decision.TACTICS: "{who}: whose initiative colour, for 1 stamina?",
    Decision.SLOT: "{who}: which action fills the next slot?",
    Decision.SUMMON_AREA: "{who}: where does it appear?",
    Decision.TOKEN_STEP: "{who} moves a figure: where to?",
    Decision.TOKEN_HARM: "{who}: which Enemy does the token harm?",
    Decision.ABILITY_BONUS: "{who}: which ability is raised?",
    Decision.REROLL: "{who}: roll {what} again?",
    Decision.BOOST: "{who}: discard an item for the check?",
    Decision.RIDER: "{who}: poison, arrow or rune for the attack?",
    Decision.WEAPON: "{who} attacks: with which weapon?",
    Decision.OPENING: "{who}: use an item as turns begin?",
    Decision.USE: "{who}: use what?",
    Decision.DROP: "{who}: drop what?",
    Decision.TAKE: "{who}: pick up what?",
    Decision.GIVE: "{who}: give away what?",
    Decision.GIVE_TO: "{who}: who receives {what}?",
    Decision.WEAR: "{who}: what is put to use or away?",
    Decision.ROPE: "{who}: the rope to which area?",
    Decision.STORY: "{who}: which story section?",
}
# FLIP_LOCK while no chips must flip
END_LOCK_FIRST = "{who}: end a lock before up to {limit} stamina is restored?"
# STAND_IN when all targets are known (P47)
END_LOCK_BEFORE_HIT = "{what} is about to be hit and to strike back: end a lock first?"
KEEP_LOCKS = "keep the locks"
# With free will these are no ties.
FREE_QUESTIONS: dict[Decision, str] = {
    Decision.ENEMY_DESTINATION: "Where does {what} go?",
    Decision.ENEMY_TARGET: "Whom does {what} attack?",
}

# What an answer says, by what it names and what is asked; {it} is the name of that.
ANSWERS: dict[tuple[Block, Decision], str] = {
    (Block.NO, Decision.DISARM): "let the trap go off",
    (Block.NO, Decision.SPRING): "leave the trap alone",
    (Block.NO, Decision.INSPIRATION): "keep the gem",
    (Block.NO, Decision.BLESSED): "keep Blessed",
    (Block.NO, Decision.ACHIEVEMENT): "keep the gem",
    (Block.NO, Decision.STAND_IN): "nobody takes the hit",
    (Block.NO, Decision.AFTER_ALLY): "nobody yet",
    (Block.NO, Decision.NEXT_ALLY): "wait for another Ally",
    (Block.NO, Decision.TACTICS): "keep the own colour",
    (Block.NO, Decision.REROLL): "keep the roll",
    (Block.YES, Decision.STEP): "discard an Achievement gem for 1 movement point",
    (Block.YES, Decision.DISARM): "try to disarm the trap",
    (Block.YES, Decision.SPRING): "meddle with the trap",
    (Block.YES, Decision.INSPIRATION): "discard an Inspiration gem",
    (Block.YES, Decision.BLESSED): "use up Blessed",
    (Block.YES, Decision.ACHIEVEMENT): "discard an Achievement gem",
    (Block.YES, Decision.REROLL): "roll again",
    (Block.DONE, Decision.STEP): "stop moving",
    (Block.DONE, Decision.TARGET): "no further target",
    (Block.DONE, Decision.LINE): "end the line here",
    (Block.DONE, Decision.JUMP): "do not jump",
    (Block.DONE, Decision.TELEPORT): "do not teleport",
    (Block.DONE, Decision.TOKEN_STEP): "let it stay",
    (Block.DONE, Decision.TOKEN_HARM): "harm nobody",
    (Block.DONE, Decision.BOOST): "no further item",
    (Block.DONE, Decision.RIDER): "nothing more",
    (Block.DONE, Decision.WEAPON): "the natural weapon",
    (Block.DONE, Decision.OPENING): "no further item",
    (Block.DONE, Decision.FLIP_LOCK): "end no lock",
    (Block.TOKEN, Decision.SLOT): "take along {it}",
    (Block.TOKEN, Decision.TURN): "perform {it}",
    (Block.AREA, Decision.STEP): "step to {it}",
    (Block.AREA, Decision.CENTRE): "centre the attack on {it}",
    (Block.AREA, Decision.LINE): "lead the line through {it}",
    (Block.AREA, Decision.ENEMY_DESTINATION): "let it head for {it}",
    (Block.AREA, Decision.ENEMY_STOP): "let it stop in {it}",
    (Block.AREA, Decision.SPAWN_AREA): "let it appear in {it}",
    (Block.AREA, Decision.TRAP_AREA): "set the trap in {it}",
    (Block.AREA, Decision.JUMP): "jump to {it}",
    (Block.AREA, Decision.TELEPORT): "teleport to {it}",
    (Block.AREA, Decision.PUSH_TO): "into {it}",
    (Block.AREA, Decision.SUMMON_AREA): "let it appear in {it}",
    (Block.AREA, Decision.TOKEN_STEP): "move it to {it}",
    (Block.AREA, Decision.ROPE): "the rope to {it}",
    (Block.ENEMY, Decision.TARGET): "attack {it}",
    (Block.ENEMY, Decision.AFFLICTED): "afflict {it}",
    (Block.ENEMY, Decision.DOMINATED_ENEMY): "let it strike {it}",
    (Block.ENEMY, Decision.VICTIM): "choose {it}",
    (Block.ENEMY, Decision.TOKEN_HARM): "harm {it}",
    (Block.ALLY, Decision.NEXT_ALLY): "let {it} act",
    (Block.ALLY, Decision.STAND_IN): "let {it} take the hit",
    (Block.ALLY, Decision.ENEMY_TARGET): "let it attack {it}",
    (Block.ALLY, Decision.STRIKE_ORDER): "{it} first",
    (Block.ALLY, Decision.DOMINATED_ALLY): "strike {it}",
    (Block.ALLY, Decision.RECIPIENT): "help {it}",
    (Block.ALLY, Decision.AFTER_ALLY): "let {it} act now",
    (Block.ALLY, Decision.TACTICS): "take the colour of {it}",
    (Block.ALLY, Decision.GIVE_TO): "give it to {it}",
    (Block.AMOUNT, Decision.PAY): "pay {it} stamina",
    (Block.AMOUNT, Decision.EVADE): "evade {it}",
    (Block.AMOUNT, Decision.SHARE): "{it} damage",
    (Block.AMOUNT, Decision.AMOUNT): "restore {it}",
    (Block.LOCK, Decision.FLIP_LOCK): "flip a chip of {it}",
    (Block.ITEM, Decision.BOOST): "discard {it}",
    (Block.ITEM, Decision.RIDER): "use {it}",
    (Block.ITEM, Decision.WEAPON): "with {it}",
    (Block.ITEM, Decision.OPENING): "use {it}",
    (Block.ITEM, Decision.USE): "use {it}",
    (Block.ITEM, Decision.DROP): "drop {it}",
    (Block.ITEM, Decision.GIVE): "give {it}",
    (Block.ITEM, Decision.WEAR): "put {it} to use",
}
# To any other question; the name alone where a block is left out
OTHERWISE: dict[Block, str] = {
    Block.NO: "no",
    Block.YES: "yes",
    Block.DONE: "done",
    Block.TOKEN: "choose {it}",
    Block.AREA: "area: {it}",
    Block.CLIMB: "climb to {it}",
    Block.ENEMY: "Enemy: {it}",
    Block.ALLY: "Ally: {it}",
    Block.LOCK: "end {it}",
    Block.TYPE: "{it} first",
    Block.ATTACK_TYPE: "{it} attack",
    Block.CONDITION: "discard {it}",
    Block.PORTAL: "go by teleport token to {it}",
    Block.ITEM: "item: {it}",
    Block.GROUND: "pick up {it}",
    Block.STORY: "use {it}",
    Block.SPECIAL: "act {it}",
}
SPECIALS = ("first", "last", "after another Ally")
# {token} is the action chosen, the others are numbers of the Ally's board.
TURNS: dict[Turn, str] = {
    Turn.ACT: "perform {token}",
    Turn.RETHINK_MOVE: "rethink: 1 movement point",
    Turn.RETHINK_RESTORE: "rethink: restore 1 stamina",
    Turn.MOVE_FREE: "move: {free}",
    Turn.MOVE_PAID: "move: {paid} for {cost} stamina",
    Turn.RECOVER_STAMINA: "recover: restore {stamina} stamina",
    Turn.RECOVER_DAMAGE: "recover: heal {damage} damage",
    Turn.DISCARD_BLEEDING: "spend a maneuver: discard Bleeding",
    Turn.DISCARD_HELD: "spend a maneuver: discard Held",
    Turn.END_TURN: "end the turn",
    Turn.USE_ITEM: "use an item",
    Turn.DROP_ITEM: "drop an item",
    Turn.TAKE_ITEM: "pick up an item",
    Turn.GIVE_ITEM: "give an item away",
    Turn.WEAR_ITEM: "put an item to use or away",
    Turn.FIX_ROPE: "fix a rope",
    Turn.TAKE_ROPE: "take back a rope",
    Turn.PLACE_PET: "place the pet",
    Turn.MOVE_PET: "move the pet",
    Turn.RECALL_PET: "take back the pet",
    Turn.READ_STORY: "use a story section",
}

WAYS: dict[int, str] = {Border.SINGLE: "", Border.DOUBLE_DOWN: " (down)", Border.DOUBLE_UP: " (up)"}
ENDINGS: dict[Ending, str] = {
    Ending.NONE: "in play",
    Ending.OBJECTIVE: "objective reached",
    Ending.ALL_EXHAUSTED: "all Heroes exhausted",
    Ending.OUT_OF_TIME: "out of time",
    Ending.EVENT: "ended by an event",
    Ending.ESCORT_LOST: "the Ally to be escorted is exhausted",
}
PHASES: dict[Phase, str] = {
    Phase.SELECT: "select actions",
    Phase.REVEAL: "reveal initiative",
    Phase.TURNS: "turns",
    Phase.FATE: "fate",
}
BADGES: dict[Condition, str] = {
    Condition.INVISIBLE: "Inv",
    Condition.BLESSED: "Bls",
    Condition.BLEEDING: "Ble",
    Condition.SLOWED: "Slo",
    Condition.WEAKENED: "Wea",
    Condition.HELD: "Hld",
    Condition.CURSED: "Cur",
    Condition.CONFUSED: "Cnf",
    Condition.STUNNED: "Stn",
    Condition.DOMINATED: "Dom",
}


# ---- names of things in play -------------------------------------------------------------
def area_name(compiled: Compiled, area: int) -> str:
    """The name of an area; "nowhere" for -1."""
    return named(compiled.names.areas, area, "nowhere")


def ally_name(compiled: Compiled, ally: int) -> str:
    """The name of an ally slot."""
    return named(compiled.names.allies, ally, "the players")


def type_name(compiled: Compiled, kind: int) -> str:
    """The name of an Enemy type; file names read as words."""
    names = compiled.names.types
    if not 0 <= kind < len(names):
        return "an Enemy"
    plain = names[kind].replace("-", " ").replace("_", " ")
    return plain[:1].upper() + plain[1:]


def enemy_name(state: np.void, compiled: Compiled, enemy: int) -> str:
    """Type and number, such as "Bog rat 2"; "an Enemy" for an empty slot."""
    if not 0 <= enemy < N_ENEMIES or state["enemy"][enemy]["type"] < 0:
        return "an Enemy"
    figure = state["enemy"][enemy]
    return f"{type_name(compiled, int(figure['type']))} {int(figure['number'])}"


def figure_name(state: np.void, compiled: Compiled, figure: int) -> str:
    """The name of an ally slot, of N_ALLIES + an enemy slot, or of a token or pet above both."""
    if figure < N_ALLIES:
        return ally_name(compiled, figure)
    token = figure - N_ALLIES - N_ENEMIES
    if 0 <= token < len(compiled.names.figures):
        return compiled.names.figures[token]
    return enemy_name(state, compiled, figure - N_ALLIES)


def story_name(compiled: Compiled, section: int) -> str:
    """The name of a story section."""
    return named(compiled.names.stories, section, "a section")


def item_name(compiled: Compiled, item: int) -> str:
    """The name of an item; "nothing" for -1."""
    return named(compiled.names.items, item, "nothing")


def carried_item(state: np.void, ally: int, place: int) -> int:
    """The item that an ally slot carries in a place; -1 = none."""
    return int(state["ally"][ally]["item"][place]) if ally >= 0 else -1


def carried_name(state: np.void, compiled: Compiled, ally: int, place: int) -> str:
    """The name of what an ally slot carries in a place."""
    return item_name(compiled, carried_item(state, ally, place))


def carried_names(state: np.void, compiled: Compiled, ally: int) -> list[str]:
    """The items that an Ally carries."""
    items = state["ally"][ally]["item"]
    return [item_name(compiled, int(item)) for item in items if item >= 0]


def ground_item(state: np.void, ally: int, place: int) -> int:
    """The item that lies in a place of an Ally's area; -1 = none."""
    area = int(state["ally"][ally]["area"]) if ally >= 0 else -1
    return int(state["item"][area][place]) if area >= 0 else -1


def ground_name(state: np.void, compiled: Compiled, ally: int, place: int) -> str:
    """The name of what lies in a place of an Ally's area; empty places show the exhausted's."""
    item = ground_item(state, ally, place)
    return item_name(compiled, item) if item >= 0 else "what an exhausted Hero carries"


def token_name(compiled: Compiled, ally: int, slot: int) -> str:
    """The name of an action token of an ally slot; "no action" where there is none."""
    tokens = compiled.names.tokens
    if not 0 <= ally < len(tokens) or not 0 <= slot < len(tokens[ally]):
        return "no action"
    return tokens[ally][slot]


def lock_name(state: np.void, compiled: Compiled, ally: int, slot: int) -> str:
    """The name of what runs in a lock slot; "an empty lock" where nothing does."""
    passive = int(state["ally"][ally]["lock_passive"][slot]) if ally >= 0 else -1
    return named(compiled.names.passives, passive, "an empty lock")


def condition_names(bits: int) -> list[str]:
    """The names of the conditions in a bit set, by number."""
    return [word(condition) for condition in Condition if bits >> condition & 1]


def ways_out(compiled: Compiled, area: int) -> str:
    """The areas to which an open border leads, and whether it goes up or down; "" for none."""
    names = compiled.names.areas
    borders = compiled.content[0]["border"][area][: len(names)].tolist()
    ways = [name + WAYS[b] for name, b in zip(names, borders, strict=True) if b in WAYS]
    return ", ".join(ways)


# ---- who is on the map ----------------------------------------------------------------------
def ally_slots(state: np.void) -> list[int]:
    """The slots of Allies that hold somebody."""
    return [a for a in range(N_ALLIES) if state["ally"][a]["kind"] != Kind.NOBODY]


def enemy_slots(state: np.void) -> list[int]:
    """The slots of the Enemies on the map."""
    return [e for e, f in enumerate(state["enemy"]) if f["type"] >= 0 and f["area"] >= 0]


def allies_in(state: np.void, area: int) -> list[int]:
    """The slots of the Allies in an area."""
    return [a for a in ally_slots(state) if state["ally"][a]["area"] == area]


def enemies_in(state: np.void, area: int) -> list[int]:
    """The slots of the Enemies in an area."""
    return [e for e in enemy_slots(state) if state["enemy"][e]["area"] == area]


# ---- questions ------------------------------------------------------------------------------
def is_about_locks(state: np.void) -> bool:
    """Whether all that is asked is which locks end before an attack is made (P47)."""
    if int(state["decision"]) != Decision.STAND_IN:
        return False
    return int(state["tasks"][int(state["depth"]) - 1]) == Proc.STRIKE_LINE_UP


def question_text(state: np.void, compiled: Compiled) -> str:
    """The current question, or how the scenario ended, as a sentence."""
    ending = Ending(int(state["ending"]))
    if ending != Ending.NONE:
        return f"{'Won' if state['won'] else 'Lost'}: {ENDINGS[ending]}."
    decision = Decision(int(state["decision"]))
    free = FREE_QUESTIONS if compiled.content[0]["enemy_will"] else {}
    question = free.get(decision, QUESTIONS[decision])
    if decision == Decision.FLIP_LOCK and not state["flip_chips"]:
        question = END_LOCK_FIRST
    if is_about_locks(state):
        question = END_LOCK_BEFORE_HIT
    return question.format(
        who=ally_name(compiled, int(state["asked"])),
        what=_subject_name(state, compiled, decision, int(state["subject"])),
        limit=int(state["limit"]),
        points=counted(int(state["move"]["points"]), "point"),
    )


def _subject_name(state: np.void, compiled: Compiled, decision: Decision, subject: int) -> str:
    """What a question is about."""
    match decision:
        case Decision.EVADE | Decision.SHARE | Decision.DOMINATED_ENEMY:
            return enemy_name(state, compiled, subject)
        case Decision.ENEMY_DESTINATION | Decision.ENEMY_STOP | Decision.ENEMY_TARGET:
            return enemy_name(state, compiled, subject)
        case Decision.DISARM | Decision.SPRING:
            return area_name(compiled, subject)
        case Decision.STAND_IN | Decision.AFTER_ALLY:
            return ally_name(compiled, subject)
        case Decision.GIVE_TO:
            return carried_name(state, compiled, int(state["asked"]), subject)
        case Decision.REROLL:
            return "all dice" if subject else "the H faces"
        case Decision.PUSH_TO:
            return figure_name(state, compiled, subject)
    return "it"


# ---- actions -------------------------------------------------------------------------------
def action_text(state: np.void, compiled: Compiled, action: int) -> str:
    """What `action`, in [0, N_ACTIONS), means as an answer to the current question."""
    block = max(b for b in Block if STARTS[b] <= action)
    index = action - STARTS[block]
    decision, ally = Decision(int(state["decision"])), int(state["asked"])
    otherwise = OTHERWISE.get(block, "{it}")
    text = ANSWERS.get((block, decision), otherwise)
    if block == Block.NO and is_about_locks(state):
        text = KEEP_LOCKS
    elif block == Block.LOCK and not state["flip_chips"]:
        text = otherwise
    elif block == Block.AREA and decision == Decision.STEP and _is_drop(state, compiled, index):
        text = "drop down to {it}"
    elif block == Block.ITEM and decision == Decision.WEAR and ally >= 0:
        used = int(state["ally"][ally]["active"]) >> index & 1
        text = "put {it} away" if used else text
    return text.format(it=_answer_name(state, compiled, block, index))


def _answer_name(state: np.void, compiled: Compiled, block: Block, index: int) -> str:
    """The name of what an answer names."""
    asked = int(state["asked"])
    match block:
        case Block.TURN:
            return _turn_text(state, compiled, Turn(index), asked)
        case Block.TOKEN:
            return token_name(compiled, asked, index)
        case Block.AREA | Block.CLIMB | Block.PORTAL:
            return area_name(compiled, index)
        case Block.STORY:
            return story_name(compiled, index)
        case Block.ITEM:
            return carried_name(state, compiled, asked, index)
        case Block.GROUND:
            return ground_name(state, compiled, asked, index)
        case Block.SPECIAL:
            return SPECIALS[index]
        case Block.ENEMY:
            return enemy_name(state, compiled, index)
        case Block.ALLY:
            return ally_name(compiled, index)
        case Block.LOCK:
            return lock_name(state, compiled, asked, index)
        case Block.TYPE:
            return type_name(compiled, index)
        case Block.ABILITY:
            return word(Ability(index))
        case Block.ATTACK_TYPE:
            return word(AttackType(index)).lower()
        case Block.CONDITION:
            return word(Condition(index)) if index else "nothing"
    return str(index)


def _is_drop(state: np.void, compiled: Compiled, area: int) -> bool:
    """Whether a step goes down a height edge, without Fly."""
    ally = int(state["move"]["ally"])
    if ally < 0 or state["ally"][ally]["fly"] or area >= N_AREAS:
        return False
    border = compiled.content[0]["border"][int(state["ally"][ally]["area"]), area]
    return bool(border == Border.DOUBLE_DOWN)


def _turn_text(state: np.void, compiled: Compiled, turn: Turn, ally: int) -> str:
    """What an Ally may do next in its turn, with the numbers of its board."""
    sheet = compiled.content[0]["sheet"][max(ally, 0)]
    slot = int(state["ally"][ally]["token"]) if ally >= 0 else -1
    return TURNS[turn].format(
        token=token_name(compiled, ally, slot),
        free=counted(int(sheet["move_free"]), "point"),
        paid=counted(int(sheet["move_paid"]), "point"),
        cost=int(sheet["move_cost"]),
        stamina=int(sheet["recover_stamina"]),
        damage=int(sheet["recover_damage"]),
    )


# ---- the board in words ---------------------------------------------------------------------
@dataclass(frozen=True)
class InitiativeBar:
    """A bar of this round's Initiative card (R5.8) and who acts on it."""

    enemy: bool
    colour: int  # terms.Colour
    label: str
    figures: tuple[str, ...]
    current: bool


@dataclass(frozen=True)
class Numbers:
    """What stands on the board of an Ally: chips or health, its printed numbers, its state."""

    chips: str
    board: str
    flags: tuple[str, ...]


@dataclass(frozen=True)
class EnemyType:
    """An Enemy card in play: how many figures stand, and what is printed on it."""

    name: str
    colour: int  # terms.Colour
    numbers: str


def standing_types(state: np.void) -> list[int]:
    """The type of every Enemy on the map."""
    return [int(state["enemy"][e]["type"]) for e in enemy_slots(state)]


def enemy_types(state: np.void, compiled: Compiled) -> list[EnemyType]:
    """The Enemy cards of which a figure stands on the map, by type."""
    standing = standing_types(state)
    found = []
    for kind in sorted(set(standing)):
        card = compiled.content[0]["type"][kind]
        parts = [f"shield {int(card['shield'])}"] if card["shield"] else []
        if card["provoke"]:
            reach = f" at {int(card['provoke_range'])}" if card["provoke_range"] else ""
            parts.append(f"provoke {int(card['provoke'])}{reach}")
        parts += [tag for tag in ("elite", "fly", "mirror", "revenge") if card[tag]]
        parts += [("large", "huge")[int(card["size"]) - 2]] if card["size"] > 1 else []
        name = f"{standing.count(kind)} {type_name(compiled, kind)}"
        found.append(EnemyType(name, int(card["colour"]), ", ".join(parts)))
    return found


def round_text(state: np.void, compiled: Compiled) -> str:
    """The round, how many there are, and how far the timer is."""
    content = compiled.content[0]
    last = int(content["last_round"])
    text = f"Round {int(state['round'])}" + (f" of {last}" if last else "")
    if state["timer_target"] > 0:
        total = int(state["timer"][: int(state["n_timer"])].sum())
        text += f", timer {total}/{int(state['timer_target'])}"
    return text


def objective_text(compiled: Compiled) -> str:
    """How the scenario is won."""
    content = compiled.content[0]
    number, subject = int(content["objective_number"]), int(content["objective_subject"])
    goals = ", ".join(n for i, n in enumerate(compiled.names.areas) if content["goal"] >> i & 1)
    match Objective(int(content["objective"])):
        case Objective.DEFEAT_ALL:
            return "Defeat all Enemies."
        case Objective.DEFEAT_TYPE:
            return f"Defeat {number} x {type_name(compiled, subject)}."
        case Objective.HOLD:
            return f"Hold out to the end of round {number}."
        case Objective.REACH:
            return f"All standing Heroes to: {goals}."
        case Objective.COLLECT:
            carry = f"Carry {number} x {compiled.names.items[subject]}"
            return f"{carry} to: {goals}." if goals else f"{carry}."
        case Objective.ESCORT:
            return f"Bring {ally_name(compiled, subject)} to: {goals}."
        case Objective.DISARM:
            return f"Disarm {number} traps."
        case Objective.ADVANCE:
            return f"Take {number} steps of the story."


def initiative_bars(state: np.void, compiled: Compiled) -> list[InitiativeBar]:
    """The bars of this round's card from top to bottom; none before it is revealed."""
    row = int(state["card"])
    phase = Phase(int(state["phase"]))
    if row < 0 or phase == Phase.SELECT:
        return []
    card = compiled.content[0]["card"][row]
    bars = []
    for bar, (enemy, colour) in enumerate(zip(card["enemy"], card["colour"], strict=True)):
        figures = _bar_figures(state, compiled, bool(enemy), int(colour))
        current = phase == Phase.TURNS and int(state["bar"]) == bar + 1
        label = _bar_label(card, bar)
        bars.append(InitiativeBar(bool(enemy), int(colour), label, figures, current))
    return bars


def _bar_label(card: np.void, bar: int) -> str:
    """The words on a bar, such as "Green Heroes + maneuver" or "Red: open + horns"."""
    colour = Colour(int(card["colour"][bar])).name.capitalize()
    if not card["enemy"][bar]:
        return f"{colour} Heroes" + (" + maneuver" if card["bonus"][bar] else "")
    extras = [name for name in ("horns", "snake") if card[name][bar]]
    return f"{colour}: " + " + ".join([Eye(int(card["eye"][bar])).name.lower(), *extras])


def _bar_figures(state: np.void, compiled: Compiled, enemy: bool, colour: int) -> tuple[str, ...]:
    """Who acts on a bar: the Allies, or the types of Enemies on the map."""
    if not enemy:
        return tuple(
            ally_name(compiled, slot)
            for slot in ally_slots(state)
            if not state["ally"][slot]["exhausted"] and state["ally"][slot]["colour"] == colour
        )
    present, colours = sorted(set(standing_types(state))), compiled.content[0]["type"]["colour"]
    return tuple(type_name(compiled, kind) for kind in present if colours[kind] == colour)


def hero_numbers(state: np.void, compiled: Compiled, slot: int) -> Numbers:
    """The numbers of an Ally's board."""
    figure, sheet = state["ally"][slot], compiled.content[0]["sheet"][slot]
    levels = " ".join(f"{a.name.capitalize()} {int(sheet['ability'][a])}" for a in Ability)
    board = f"{levels}   Taunt {int(sheet['taunt'])}"
    if figure["evade"]:
        board += f"   Evade {int(figure['evade'])}"
    if figure["kind"] != Kind.HERO:
        health = f"health {int(figure['health'])}/{int(sheet['health'])}"
        return Numbers(health, board, ("exhausted",) if figure["exhausted"] else ())
    if figure["inspiration"]:
        board += f"   Insp. {int(figure['inspiration'])}"
    if figure["achievement"]:
        board += f"   Ach. {int(figure['achievement'])}"
    locked = int(figure["lock_chips"].sum())
    chips = f"{int(figure['disk'])} ready, {int(figure['spent'])} spent"
    chips += f", {locked} locked" if locked else ""
    chips += f", {int(figure['wounds'])} red" if figure["wounds"] else ""
    flags = tuple(flag for flag in ("wounded", "exhausted") if figure[flag])
    return Numbers(chips, board, flags)
