"""Help texts: one line for each action, and what each question is about.

G numbers are those of docs/hex-rules.md.
"""

from __future__ import annotations

import numpy as np

from agemonia_env.display.messages import counted
from agemonia_env.display.names import word

from ..content.compile import Compiled
from ..core.actions import STARTS, Block
from ..core.layout import FIRST_MONSTER, N_FIGURES, N_HAND, N_HEROES
from ..core.rules.board import STEP_Q, STEP_R
from ..core.terms import Decision, Effect, Half, Side, Terrain
from .hexes import DIRECTIONS, figures_on, hex_name, members, next_hex, red_hexes
from .labels import figure_name, half_words
from .table import conditions_of, guard_text, hand_of, is_present, unseen_hexes

# The consequences of the answer; `why` and `look` show them below the answer itself.
QUESTION_HELP: dict[Decision, str] = {
    Decision.NONE: "",
    Decision.LEAD: "The leading card sets the initiative; low acts first. A long rest acts at 99, "
    "needs two discards, heals 2 and returns all discards but one to the hand (G14.1, G14.4).",
    Decision.SECOND: "In your turn you play the top of one card and the bottom of the other "
    "(G14.2).",
    Decision.TURN: "One top and one bottom, of different cards, in either order; any top may be "
    "used as Attack 2, any bottom as Move 2 (G14.2).",
    Decision.STEP: "A hex costs 1 movement point, difficult terrain 2; a move may stop early "
    "(G12.1, G12.3).",
    Decision.TARGET: "Each target draws its own modifier card (G1.3); one ability attacks a figure "
    "only once (G6.2).",
    Decision.AIM: "The template must cover this enemy; every enemy in sight on its red hexes is "
    "attacked (G5.6).",
    Decision.ORIENTATION: "Any rotation, mirrored or not (G5.2, G5.3).",
    Decision.CELL: "That red hex of the template goes on the enemy; one red hex must be within "
    "range (G5.4).",
    Decision.EFFECT: "Effects of an attack are optional (G7.9).",
    Decision.FORCE: "Each hex of a push must lead farther away, of a pull nearer; a blocked "
    "direction ends the movement (G9.1, G9.3).",
    Decision.LOSE: "Losing 1 hand card or 2 discards avoids all of the damage (G7.13); resting "
    "does not return lost cards.",
    Decision.LOSE_SECOND: "Losing two discards avoids the damage (G7.13).",
    Decision.RECIPIENT: "Any figure within range and in sight.",
    Decision.SUMMON: "It acts right before its owner from the next round on (G13.2).",
    Decision.REST_LOSE: "This discard is lost; the others return to the hand (G14.4).",
    Decision.REST_KEEP: "A card that stays in play keeps its bonus but is not in hand (G11.14).",
    Decision.SHORT_REST: "A random discard is lost; the others return to the hand (G14.4). A "
    "character with fewer than two hand cards that cannot rest is exhausted (G14.5).",
    Decision.INSTEAD: "Once, you may suffer 1 damage to lose another random discard (G14.4).",
    Decision.RECOVER: "The lost card returns to the hand.",
    Decision.FOCUS: "By the rules these are equally good for the monster (G13.18).",
    Decision.END_HEX: "By the rules these hexes are equally good for the monster (G13.18).",
    Decision.MONSTER_CHOICE: "By the rules these are equally good for the monster (G8.17).",
    Decision.NEXT_TYPE: "They have the same initiative (G13.1).",
    Decision.LANDING: "It suffers the trap's damage and lands on the nearest empty hex (G12.8).",
}
CONDITIONS: dict[Effect, str] = {
    Effect.POISON: "each attack on the figure has +1, until a heal, which then heals nothing else "
    "(G10.2)",
    Effect.WOUND: "1 damage at the start of each of its turns, until a heal (G10.3)",
    Effect.IMMOBILIZE: "no move of its own, until the end of its next turn (G10.4)",
    Effect.DISARM: "no attacks, until the end of its next turn (G10.5)",
    Effect.STUN: "no abilities at all, until the end of its next turn (G10.6)",
    Effect.MUDDLE: "disadvantage on its attacks, until the end of its next turn (G10.7)",
    Effect.INVISIBLE: "enemies cannot target it, until the end of its next turn (G10.8)",
    Effect.STRENGTHEN: "advantage on its attacks, until the end of its next turn (G10.7)",
}
GROUNDS: dict[Terrain, str] = {
    Terrain.WALL: "wall",
    Terrain.DOOR: "closed door: a character's move opens it",
    Terrain.OBSTACLE: "obstacle",
    Terrain.TRAP: "trap",
    Terrain.HAZARD: "hazard: damage each time it is entered",
    Terrain.DIFFICULT: "difficult: 2 points to enter",
}
BASIC = "Instead of the printed half, and never a loss."
# What a yes, a no or an end means, where the answer itself does not say it
ANSWER_HELP: dict[tuple[Block, Decision], str] = {
    (Block.DONE, Decision.TURN): "Halves that are left are forfeited.",
    (Block.DONE, Decision.STEP): "Points left over are lost.",
    (Block.YES, Decision.INSTEAD): "Only once; the card drawn then is lost.",
}
LONG_REST = "Initiative 99: lose one discard, return the others to the hand, heal 2; play no cards."


def action_help(state: np.void, compiled: Compiled, action: int) -> str:
    """What `action`, in [0, N_ACTIONS), does, in a line; "" if its name says everything."""
    block = max(b for b in Block if STARTS[b] <= action)
    index, asked = action - STARTS[block], int(state["asked"])
    match block:
        case Block.REST:
            return LONG_REST
        case Block.CARD:
            return card_help(compiled, asked, index)
        case Block.FIGURE:
            return figure_help(state, compiled, index)
        case Block.DIRECTION:
            return _direction_help(state, compiled, index)
        case Block.HEX:
            return hex_help(state, compiled, index)
        case Block.ORIENTATION:
            return orientation_help(state, compiled, index)
        case Block.CELL:
            return _cell_help(state, compiled, index)
        case Block.ACTIVE if index < int(state["n_active"]):
            card = state["active"][index]
            return card_help(compiled, int(card["owner"]), int(card["card"]))
        case Block.HALF:
            return BASIC if index % 4 in (Half.BASIC_ATTACK, Half.BASIC_MOVE) else ""
        case _:
            return _answer_help(state, compiled, block)


def question_help(state: np.void) -> str:
    """The consequences of the answer to the current question; "" without a question."""
    return "" if state["ending"] else QUESTION_HELP.get(Decision(int(state["decision"])), "")


def _answer_help(state: np.void, compiled: Compiled, block: Block) -> str:
    """What a yes, a no or an end means for the question; "" where it says it itself."""
    decision, asked, subject = Decision(int(state["decision"])), state["asked"], state["subject"]
    match block, decision:
        case Block.NO, Decision.LOSE:
            return _harm_help(state)
        case Block.NO, Decision.SHORT_REST if 0 <= asked < len(compiled.names.heroes):
            cards = len(hand_of(state, compiled, int(asked)).hand)
            return f"{counted(cards, 'card')} in hand; a round takes 2, or a long rest."
        case Block.YES, Decision.EFFECT if subject in CONDITIONS:
            text = CONDITIONS[Effect(int(subject))]
            return f"{text[0].upper()}{text[1:]}."
        case (Block.NO, Decision.INSTEAD) | (Block.YES | Block.NO, Decision.REST_KEEP):
            return card_help(compiled, int(asked), int(subject))
        case Block.DONE, Decision.STEP if not state["move"]["entered"]:
            return ""
    return ANSWER_HELP.get((block, decision), "")


def _harm_help(state: np.void) -> str:
    """The hit points left after damage that is about to be suffered."""
    harm = state["harm"]
    if not 0 <= harm["to"] < N_FIGURES:
        return ""
    before = int(state["figure"][int(harm["to"])]["hp"])
    left = before - int(harm["amount"])
    return f"{before} hit points now, {left} then." if left > 0 else "Exhausted by it."


def card_help(compiled: Compiled, hero: int, card: int) -> str:
    """Both halves of a card in a line; "" where there is no such card."""
    cards = compiled.names.cards
    if not (0 <= hero < min(N_HEROES, len(cards)) and 0 <= card < min(N_HAND, len(cards[hero]))):
        return ""
    top, bottom = (half_words(compiled, hero, card, side) for side in (0, 1))
    return f"Top: {top}. Bottom: {bottom}."


def figure_help(state: np.void, compiled: Compiled, f: int) -> str:
    """Hit points, guard, conditions and place of a figure; "" for an empty slot."""
    if not is_present(state, f):
        return ""
    figure = state["figure"][f]
    parts = ["elite"] * bool(figure["elite"])
    parts.append(f"{int(figure['hp'])}/{int(figure['max_hp'])} hit points")
    parts += [text for text in (guard_text(state, f),) if text]
    parts += [word(condition).lower() for condition in conditions_of(figure)]
    parts.append(f"on {hex_name(state['board'], int(figure['at']))}")
    del compiled
    return ", ".join(parts)


def hex_help(state: np.void, compiled: Compiled, h: int) -> str:
    """What lies and stands on a hex: "trap, Kiln Rat 1"; "" for plain floor."""
    if h in unseen_hexes(state, compiled):
        return "not seen yet"
    board, content = state["board"], compiled.content[0]
    parts = [GROUNDS[kind] for kind in Terrain if h in members(board["terrain"][kind])]
    parts += ["loot"] * (h in members(state["loot"])) + ["exit"] * (h in members(content["exit"]))
    parts += [figure_name(state, compiled, f) for f in figures_on(state, [h])]
    return ", ".join(parts)


def _direction_help(state: np.void, compiled: Compiled, direction: int) -> str:
    """What lies in a direction from the figure that moves, is moved or summons."""
    decision = Decision(int(state["decision"]))
    f = {
        Decision.STEP: int(state["move"]["by"]),
        Decision.FORCE: int(state["force"]["target"]),
        Decision.SUMMON: int(state["actor"]),
    }.get(decision, -1)
    at = int(state["figure"][f]["at"]) if 0 <= f < N_FIGURES else -1
    there = next_hex(state["board"], at, direction) if at >= 0 else -1
    return hex_help(state, compiled, there) if there >= 0 else ""


def orientation_help(state: np.void, compiled: Compiled, orientation: int) -> str:
    """How the red hexes of the template lie to each other: "2 is up of 1, 3 lower right of 2"."""
    template = int(state["strike"]["template"])
    if template < 0:
        return ""
    record = compiled.content[0]["template"][template]
    if orientation >= record["n_orientations"]:
        return ""
    cells = record["orientation"][orientation][: int(record["n_cells"])].tolist()
    names = ["the attacker's hex"] * bool(record["grey"]) + [
        f"hex {k + 1}" for k in range(len(cells))
    ]
    places = [(0, 0)] * bool(record["grey"]) + [(q, r) for q, r in cells]
    steps = list(zip(STEP_Q, STEP_R, strict=True))
    relations = []
    for k, (q, r) in enumerate(places[1:], 1):
        near = ((j, (q - a, r - b)) for j, (a, b) in reversed([*enumerate(places[:k])]))
        j, step = next(((j, step) for j, step in near if step in steps), (0, None))
        way = "apart from" if step is None else f"{DIRECTIONS[steps.index(step)]} of"
        relations.append(f"{names[k]} {way} {names[j]}")
    return ", ".join(relations)


def _cell_help(state: np.void, compiled: Compiled, cell: int) -> str:
    """The hexes on which the template lies with this red hex on the enemy aimed at."""
    strike = state["strike"]
    template, orientation = int(strike["template"]), int(strike["orientation"])
    if template < 0 or orientation < 0 or strike["aimed"] < 0:
        return ""
    if cell >= compiled.content[0]["template"][template]["n_cells"]:
        return ""
    hexes = red_hexes(state, compiled.content[0], orientation, cell)
    return f"hexes {'  '.join(hex_name(state['board'], h) for h in hexes)}"


def standing(state: np.void, kind: int) -> list[int]:
    """Slots of the monsters of a type on the board."""
    return [
        f
        for f in range(FIRST_MONSTER, N_FIGURES)
        if is_present(state, f)
        and state["figure"][f]["side"] == Side.MONSTER
        and state["figure"][f]["kind"] == kind
    ]
