"""Labels: texts for denials, questions and actions.

The core uses integers; this file turns them into text for `explain`, `action_meaning`, the text
board, the pictures and the command line.
"""

from __future__ import annotations

import numpy as np

from agemonia_env.display.messages import counted
from agemonia_env.display.names import named, word

from ..content.compile import Compiled
from ..core.actions import STARTS, Block
from ..core.layout import FIRST_MONSTER, N_ACTIVE, N_FIGURES, N_HAND, N_HEROES
from ..core.terms import Decision, Denial, Effect, Ending, Half, Op, Phase, Place, Side, Worth
from .hexes import DIRECTIONS, Record, figures_on, hex_name, next_hex, red_hexes

LEGAL = "legal"
BASICS = {Half.BASIC_ATTACK: ("Attack 2", "top"), Half.BASIC_MOVE: ("Move 2", "bottom")}  # G14.2
SIDES = ("top", "bottom")

DENIALS: dict[Denial, str] = {
    Denial.NONE: LEGAL,
    Denial.SCENARIO_ENDED: "The scenario has ended.",
    Denial.NOT_ASKED: "This does not answer what is asked now.",
    Denial.NO_SUCH_CARD: "The character has no such card.",
    Denial.NOT_IN_HAND: "That card is not in hand.",
    Denial.NOT_DISCARDED: "That card is not among the discards.",
    Denial.NOT_LOST: "That card is not lost.",
    Denial.NOT_ACTIVE: "There is no such card in the active area.",
    Denial.TOO_FEW_CARDS: "There are too few cards for that.",
    Denial.HALF_USED: "A top or a bottom has been used: the other card gives the other half.",
    Denial.CARD_USED: "That card has been used in this turn, or chosen already.",
    Denial.NO_SUCH_FIGURE: "There is no such figure on the board.",
    Denial.NOT_AN_ENEMY: "That is no enemy.",
    Denial.NOT_AN_ALLY: "That is no ally.",
    Denial.INVISIBLE: "An invisible figure cannot be targeted.",
    Denial.OUT_OF_RANGE: "That is out of range.",
    Denial.NOT_IN_SIGHT: "There is no line of sight.",
    Denial.ALREADY_TARGETED: "One ability attacks a figure only once.",
    Denial.NO_TARGETS_LEFT: "No targets are left.",
    Denial.COVERED: "An added target lies outside the template.",
    Denial.NO_SUCH_PLACEMENT: "The template cannot be placed like that.",
    Denial.STUNNED: "A stunned figure cannot do this.",
    Denial.DISARMED: "A disarmed figure cannot attack.",
    Denial.IMMOBILIZED: "An immobilized figure cannot move.",
    Denial.NO_POINTS: "There are not enough movement points.",
    Denial.WALL: "A wall is in the way.",
    Denial.BLOCKED: "That hex cannot be entered.",
    Denial.OCCUPIED: "That hex is occupied, or no figure can stop there.",
    Denial.NO_WAY_ON: "The move could not end on a free hex from there.",
    Denial.NOT_FARTHER: "A push leads away from the figure that pushes.",
    Denial.NOT_NEARER: "A pull leads towards the figure that pulls.",
    Denial.NOT_OPTIONAL: "This cannot be declined.",
    Denial.NOT_AMONG_THEM: "That is not among the equally good choices.",
    Denial.NO_DAMAGE: "There is no damage to avoid.",
    Denial.NOT_A_CHARACTER: "Only a character can do this.",
    Denial.DEAD: "That figure is dead.",
    Denial.NOT_NEAREST: "A nearer hex is empty.",
    Denial.CUTS_OFF: "That would cut off a part of the board.",
    Denial.NO_ROOM: "There is no room for that.",
    Denial.NOT_OVER_YET: "What is going on comes first.",
}

# {who} is the character that is asked, {what} what it is about, {n} a number.
QUESTIONS: dict[Decision, str] = {
    Decision.NONE: "Nothing is asked.",
    Decision.LEAD: "{who}: which card leads this round, or a long rest?",
    Decision.SECOND: "{who}: which card with {card}?",
    Decision.TURN: "{who}: what next?",
    Decision.STEP: "{what} moves: where to? ({n} left)",
    Decision.TARGET: "{what} attacks{value}: whom?",
    Decision.AIM: "{what} attacks{value}: whom should the template cover?",
    Decision.ORIENTATION: "{who}: how does the template lie over {what}?",
    Decision.CELL: "{who}: which of its hexes lies on {what}?",
    Decision.EFFECT: "{who}: apply {effect} to {target}?",
    Decision.FORCE: "{push} {what}: where to? ({left} left)",
    Decision.LOSE: "{who} is about to suffer {damage} damage: lose cards instead?",
    Decision.LOSE_SECOND: "{who}: which second discard to lose?",
    Decision.RECIPIENT: "{what}: whom is {line} for?",
    Decision.SUMMON: "{who}: where does the summon appear?",
    Decision.REST_LOSE: "{who} rests: which discard to lose?",
    Decision.REST_KEEP: "{who} rests: does {card} stay in play?",
    Decision.SHORT_REST: "{who}: take a short rest?",
    Decision.INSTEAD: "{who} would lose {card}: suffer 1 damage to lose another one?",
    Decision.RECOVER: "{who}: which lost card to take back?",
    Decision.FOCUS: "A tie: whom does {what} choose?",
    Decision.END_HEX: "A tie: where does {what} end its move?",
    Decision.MONSTER_CHOICE: "A tie: whom does {what} help?",
    Decision.NEXT_TYPE: "A tie: which monsters act first?",
    Decision.LANDING: "{what} no longer flies: where does it land?",
}

# What an answer says, by what it names and what is asked; {it} is the name of that.
ANSWERS: dict[tuple[Block, Decision], str] = {
    (Block.NO, Decision.EFFECT): "without {effect}",
    (Block.NO, Decision.FORCE): "leave {what} where it is",
    (Block.NO, Decision.LOSE): "suffer {damage} damage",
    (Block.NO, Decision.RECIPIENT): "nobody",
    (Block.NO, Decision.SUMMON): "do not summon",
    (Block.NO, Decision.REST_KEEP): "take {card} back into the hand",
    (Block.NO, Decision.SHORT_REST): "do not rest",
    (Block.NO, Decision.INSTEAD): "lose {card}",
    (Block.NO, Decision.RECOVER): "take back nothing",
    (Block.YES, Decision.EFFECT): "apply {effect}",
    (Block.YES, Decision.REST_KEEP): "leave {card} in play",
    (Block.YES, Decision.SHORT_REST): "rest: lose a random discard, return the others to the hand",
    (Block.YES, Decision.INSTEAD): "lose another random card, and suffer 1 damage",
    (Block.DONE, Decision.TURN): "end the turn",
    (Block.DONE, Decision.STEP): "stop moving",
    (Block.DONE, Decision.TARGET): "no further target",
    (Block.DONE, Decision.AIM): "do not attack",
    (Block.CARD, Decision.LEAD): "lead with {it}",
    (Block.CARD, Decision.SECOND): "add {it}",
    (Block.CARD, Decision.LOSE): "lose {it}",
    (Block.CARD, Decision.LOSE_SECOND): "lose {it}, too",
    (Block.CARD, Decision.REST_LOSE): "lose {it}",
    (Block.CARD, Decision.RECOVER): "take back {it}",
    (Block.FIGURE, Decision.TARGET): "attack {it}",
    (Block.FIGURE, Decision.AIM): "cover {it}",
    (Block.FIGURE, Decision.FOCUS): "let it choose {it}",
    (Block.FIGURE, Decision.MONSTER_CHOICE): "let it help {it}",
    (Block.FIGURE, Decision.NEXT_TYPE): "{it} first",
    (Block.HEX, Decision.END_HEX): "let it end on {it}",
    (Block.HEX, Decision.LANDING): "land on {it}",
}
# To any other question; the name alone where a block is left out
OTHERWISE: dict[Block, str] = {
    Block.NO: "no",
    Block.YES: "yes",
    Block.DONE: "done",
    Block.REST: "take a long rest",
    Block.CARD: "card: {it}",
    Block.FIGURE: "figure: {it}",
    Block.HEX: "hex {it}",
    Block.ACTIVE: "put {it} away: its bonus ends",
}
# What a row of an ability does to a recipient, and what it is called
LINES: dict[Op, tuple[str, str]] = {
    Op.HEAL: ("heal {it}", "the heal"),
    Op.SUFFER: ("harm {it}", "the damage"),
    Op.PUSH: ("push {it}", "the push"),
    Op.PULL: ("pull {it}", "the pull"),
}
ENDINGS: dict[Ending, str] = {
    Ending.NONE: "in play",
    Ending.GOAL: "goal reached",
    Ending.EXHAUSTED: "all characters exhausted",
    Ending.ROUNDS: "out of time",
}
PHASES: dict[Phase, str] = {
    Phase.SELECT: "select cards",
    Phase.TURNS: "turns",
    Phase.REST: "short rests",
}
CONDITIONS = tuple(Effect(k) for k in range(Effect.POISON, Effect.STRENGTHEN + 1))
ELEMENTS = tuple(Effect(k) for k in range(Effect.FIRE, Effect.DARK + 1))


# ---- names of things in play -------------------------------------------------------------
def kind_name(compiled: Compiled, kind: int) -> str:
    """The name of a type of monsters or summons."""
    return named(compiled.names.kinds, kind, "a monster")


def hero_name(compiled: Compiled, hero: int) -> str:
    """The name of a character; "the players" for -1."""
    return named(compiled.names.heroes, hero, "the players")


def figure_name(state: np.void, compiled: Compiled, f: int) -> str:
    """A character's name, or type and number, such as "Kiln Rat 2"; "nobody" for an empty slot."""
    if not 0 <= f < N_FIGURES or state["figure"][f]["side"] == Side.NONE:
        return "nobody"
    if f < N_HEROES:
        return hero_name(compiled, f)
    figure = state["figure"][f]
    name = kind_name(compiled, int(figure["kind"]))
    return f"{name} {int(figure['standee'])}" if f >= FIRST_MONSTER else name


def card_name(compiled: Compiled, hero: int, card: int) -> str:
    """The name of an ability card of a character."""
    cards = compiled.names.cards
    return named(cards[hero], card, "no card") if 0 <= hero < len(cards) else "no card"


def card_and_initiative(compiled: Compiled, hero: int, card: int) -> str:
    """A card such as "Flare (62)"."""
    name = card_name(compiled, hero, card)
    if name == "no card":
        return name
    return f"{name} ({int(compiled.content[0]['hero'][hero]['card'][card]['initiative'])})"


def half_words(compiled: Compiled, hero: int, card: int, side: int) -> str:
    """What is printed on the top (0) or bottom (1) of a card."""
    halves = compiled.names.halves
    if not (0 <= hero < len(halves) and 0 <= card < len(halves[hero])):
        return "nothing"
    return halves[hero][card][side]


def active_name(state: np.void, compiled: Compiled, slot: int) -> str:
    """The name of a card in an active area."""
    if not 0 <= slot < min(N_ACTIVE, int(state["n_active"])):
        return "no card"
    active = state["active"][slot]
    return card_name(compiled, int(active["owner"]), int(active["card"]))


def modifier_text(card: Record) -> str:
    """A modifier card, layout.CARD, as it is written: "+1", "x2", "rolling +0 fire", "bless"."""
    if card["supplied"]:
        return "bless" if card["worth"] == Worth.DOUBLE else "curse"
    value = {Worth.DOUBLE: "x2", Worth.NULL: "null"}.get(Worth(int(card["worth"])))
    parts = ["rolling"] * bool(card["rolling"]) + [value or f"{int(card['number']):+d}"]
    effects = zip(card["effect"].tolist(), card["amount"].tolist(), strict=True)
    return " ".join([*parts, *(effect_text(e, n).lower() for e, n in effects if e)])


def effect_text(effect: int, amount: int = 0) -> str:
    """An effect with its amount, if it has one: "Poison", "Push 2"."""
    return f"{word(Effect(effect))} {amount}" if amount else word(Effect(effect))


# ---- questions ------------------------------------------------------------------------------
def _facts(state: np.void, compiled: Compiled) -> dict[str, str]:
    """What questions and answers may speak of, by the names in their braces."""
    subject, asked = int(state["subject"]), int(state["asked"])
    decision = Decision(int(state["decision"]))
    strike, left = state["strike"], int(state["force"]["left"])
    row = compiled.content[0]["row"][max(0, int(state["row"]))]
    effect = subject if decision == Decision.EFFECT and 0 <= subject < len(Effect) else 0
    given = " and ".join(word(Effect(e)) for e in row["effect"].tolist() if e)
    return {
        "who": hero_name(compiled, asked),
        "what": figure_name(state, compiled, subject),
        "card": card_name(compiled, asked, subject),
        "n": counted(int(state["move"]["points"]), "point"),
        "value": f" ({int(strike['value'])})",
        "effect": word(Effect(effect)),
        "target": figure_name(state, compiled, int(strike["target"])),
        "push": "Pull" if state["force"]["pull"] else "Push",
        "left": f"{left} hex{'es' * (left != 1)}",
        "damage": str(int(state["harm"]["amount"])),
        "line": LINES.get(Op(int(row["op"])), ("", given or "this"))[1],
    }


def question_text(state: np.void, compiled: Compiled) -> str:
    """The current question, or how the scenario ended, as a sentence."""
    ending = Ending(int(state["ending"]))
    if ending != Ending.NONE:
        return f"{'Won' if state['won'] else 'Lost'}: {ENDINGS[ending]}."
    return QUESTIONS[Decision(int(state["decision"]))].format_map(_facts(state, compiled))


# ---- actions -------------------------------------------------------------------------------
def action_text(state: np.void, compiled: Compiled, action: int) -> str:
    """What `action`, in [0, N_ACTIONS), means as an answer to the current question."""
    block = max(b for b in Block if STARTS[b] <= action)
    index = action - STARTS[block]
    decision = Decision(int(state["decision"]))
    text = ANSWERS.get((block, decision), OTHERWISE.get(block, "{it}"))
    if block in (Block.NO, Block.YES):
        return text.format_map(_facts(state, compiled))
    if block == Block.DONE and decision == Decision.STEP and not state["move"]["entered"]:
        return "do not move"
    if block == Block.DONE and decision == Decision.TARGET and not state["strike"]["made"]:
        return "do not attack"
    if block == Block.FIGURE and decision == Decision.RECIPIENT:
        op = Op(int(compiled.content[0]["row"][max(0, int(state["row"]))]["op"]))
        text = LINES.get(op, ("choose {it}", ""))[0]
    return text.format(it=_answer_name(state, compiled, decision, block, index))


def _answer_name(
    state: np.void, compiled: Compiled, decision: Decision, block: Block, index: int
) -> str:
    """The name of what an answer names, or what it does."""
    asked = int(state["asked"])
    match block:
        case Block.CARD:
            return _card_text(state, compiled, decision, asked, index)
        case Block.HALF:
            return half_text(state, compiled, asked, index)
        case Block.FIGURE:
            if decision == Decision.NEXT_TYPE and FIRST_MONSTER <= index < N_FIGURES:
                return kind_name(compiled, int(state["figure"][index]["kind"]))
            return figure_name(state, compiled, index)
        case Block.DIRECTION:
            return _direction_text(state, decision, index)
        case Block.ORIENTATION:
            return _orientation_text(state, compiled, index)
        case Block.CELL:
            return _cell_text(state, compiled, index)
        case Block.HEX:
            return hex_name(state["board"], index)
        case Block.ACTIVE:
            return active_name(state, compiled, index)
    return ""


def _card_text(state: np.void, compiled: Compiled, decision: Decision, hero: int, card: int) -> str:
    """A card of the character that is asked."""
    name = card_and_initiative(compiled, hero, card)
    if decision != Decision.LOSE or not 0 <= hero < N_HEROES or card >= N_HAND:
        return name
    in_hand = state["hero"][hero]["place"][card] == Place.HAND
    return f"{name} from the hand" if in_hand else f"{name} and another discard"


def half_text(state: np.void, compiled: Compiled, hero: int, index: int) -> str:
    """A half of one of the two cards of a turn: 4 * card + terms.Half."""
    if not 0 <= hero < N_HEROES:
        return "half of a card"
    second, half = divmod(index, len(Half))
    card = int(state["hero"][hero]["second" if second else "lead"])
    name = card_name(compiled, hero, card)
    if Half(half) in BASICS:
        text, side = BASICS[Half(half)]
        return f"{text}, with the {side} of {name}"
    return f"{SIDES[half]} of {name}: {half_words(compiled, hero, card, half)}"


def _direction_text(state: np.void, decision: Decision, direction: int) -> str:
    """A direction as an answer, and the hex there; what is forced may be stopped before it."""
    verb, to, f = {
        Decision.STEP: ("go", "to", int(state["move"]["by"])),
        Decision.FORCE: (
            "pull it" if state["force"]["pull"] else "push it",
            "towards",
            int(state["force"]["target"]),
        ),
        Decision.SUMMON: ("let it appear", "on", int(state["actor"])),
    }.get(decision, ("direction:", "", -1))
    way = f"{verb} {DIRECTIONS[direction]}"
    at = int(state["figure"][f]["at"]) if f >= 0 else -1
    if at < 0:
        return way
    there = next_hex(state["board"], at, direction)
    where = f"{to} {hex_name(state['board'], there)}" if there >= 0 else "where the board ends"
    return f"{way}, {where}"


def _orientation_text(state: np.void, compiled: Compiled, orientation: int) -> str:
    """An orientation of the template, and whom it covers if it can lie only one way."""
    text, template = f"orientation {orientation + 1}", int(state["strike"]["template"])
    record = compiled.content[0]["template"][template]
    if template < 0 or not record["grey"]:
        return text
    if orientation >= record["n_orientations"]:
        return f"{text}, which does not exist"
    return f"{text}: over {_covered(state, compiled, orientation, 0)}"


def _cell_text(state: np.void, compiled: Compiled, cell: int) -> str:
    """A red hex of the template on the enemy aimed at, and whom the template then covers."""
    strike, text = state["strike"], f"red hex {cell + 1}"
    template, orientation = int(strike["template"]), int(strike["orientation"])
    if template < 0 or orientation < 0 or strike["aimed"] < 0:
        return text
    if cell >= compiled.content[0]["template"][template]["n_cells"]:
        return f"{text}, which does not exist"
    return f"{text}: over {_covered(state, compiled, orientation, cell)}"


def _covered(state: np.void, compiled: Compiled, orientation: int, cell: int) -> str:
    """Enemies of the attacker on the red hexes of a placement."""
    content = compiled.content[0]
    by = int(state["strike"]["by"])
    own = state["figure"][by]["side"] == Side.MONSTER
    hexes = red_hexes(state, content, orientation, cell)
    found = [
        figure_name(state, compiled, f)
        for f in figures_on(state, hexes)
        if (state["figure"][f]["side"] == Side.MONSTER) != own
    ]
    return ", ".join(found) or "nobody"
