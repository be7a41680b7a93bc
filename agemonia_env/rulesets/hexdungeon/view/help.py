"""Help: a line for each action and question, and pages about what is on the table.

G numbers are those of docs/hex-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from agemonia_env.display.messages import counted
from agemonia_env.display.names import word
from agemonia_env.display.pages import Page, Thing, definitions

from ..content.compile import Compiled
from ..core.actions import STARTS, Block
from ..core.layout import ALL_TARGETS, FIRST_MONSTER, N_FIGURES, N_HAND, N_HEROES
from ..core.rules.board import STEP_Q, STEP_R
from ..core.terms import Decision, Effect, Half, Phase, Place, Terrain
from .board_text import goal_page
from .hexes import DIRECTIONS, Record, figures_on, hex_name, members, next_hex, red_hexes
from .labels import (
    card_name,
    figure_name,
    half_words,
    hero_name,
    kind_name,
    modifier_text,
)
from .table import (
    active_text,
    conditions_of,
    guard_text,
    hand_of,
    is_present,
    standing,
    turns,
    unseen_hexes,
)

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
            return figure_help(state, index)
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
            cards = len(hand_of(state, compiled, int(asked)).piles["hand"])
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


def figure_help(state: np.void, f: int) -> str:
    """Hit points, guard, conditions and place of a figure; "" for an empty slot."""
    if not is_present(state, f):
        return ""
    figure = state["figure"][f]
    parts = ["elite"] * bool(figure["elite"])
    parts.append(f"{int(figure['hp'])}/{int(figure['max_hp'])} hit points")
    parts += [text for text in (guard_text(state, f),) if text]
    parts += [word(condition).lower() for condition in conditions_of(figure)]
    parts.append(f"on {hex_name(state['board'], int(figure['at']))}")
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


# ---- pages about what is on the table ---------------------------------------------------------
KEYWORDS: dict[str, str] = {
    "Active": "A card in play whose bonus lasts; it counts as discarded or lost meanwhile (G11).",
    "Advantage": "Two modifier cards are drawn, the better one counts; disadvantage: the worse one "
    "(G2).",
    "Bless": "A x2 card shuffled into a modifier deck; a curse is a null card (G1.9).",
    "Door": "Closed, it is a wall for monsters, range and sight; a character that enters opens it "
    "(G12.9).",
    "Elements": "Infused by an ability they are strong, at the end of a round they wane (G14.6).",
    "Elite": "A stronger figure of its type with its own stat card; elites act first (G13.1).",
    "Exhausted": "No hit points left, or fewer than two cards in hand and no rest possible: the "
    "character is out of the scenario (G14.5).",
    "Focus": "A monster attacks the enemy that it can reach best: fewest traps on the way, then "
    "fewest steps, then nearest, then lowest initiative (G13.7).",
    "Heal": "Hit points come back; a poisoned figure loses the poison instead (G8.14, G8.15).",
    "Hit points": "What damage takes from a figure and healing brings back, up to its maximum.",
    "Initiative": "Low numbers act first: that of the leading card, for monsters that of their "
    "ability card (G14.1).",
    "Jump": "Over figures and terrain; the last hex counts as entered (G12.6).",
    "Loot": "A character that ends its turn on a loot token takes it (G12.13).",
    "Long rest": "A round without cards at initiative 99: one discard is lost, the others come "
    "back, heal 2 (G14.4).",
    "Loss": "A half with the loss symbol: its card is lost when that half is used (G14.3).",
    "Modifier cards": "One is drawn for each attack and changes its value: +1, -1, x2, null, ... "
    "(G1).",
    "Obstacle": "Nobody enters it on foot or is pushed into it; it blocks neither range nor sight "
    "(G4.4, G9.6, G12.2).",
    "Pierce": "Ignores so much of the target's Shield (G7.5).",
    "Push": "Each hex leads farther away; of a pull nearer (G9.1).",
    "Range": "Steps around walls, figures left aside; without a range an attack is melee (G3.1).",
    "Retaliate": "Damage to a figure within its range that attacks the bearer (G8.8).",
    "Shield": "Reduces the damage of every attack on the figure (G8.1).",
    "Short rest": "At the end of a round: a random discard is lost, the others come back (G14.4).",
    "Template": "An attack on all enemies on its red hexes; with a grey hex it lies around the "
    "attacker (G5).",
}
LYING = {
    Place.HAND: "in hand",
    Place.DISCARD: "discarded",
    Place.LOST: "lost",
    Place.ACTIVE: "active",
}


def help_pages(state: np.void, compiled: Compiled) -> list[Page]:
    """All help pages, by name."""
    return [Page(*thing) for thing in _things(state, compiled)]


def _things(state: np.void, compiled: Compiled) -> Iterator[Thing]:
    """Kind, name and text of each page."""
    names, n_types = compiled.names, int(compiled.content[0]["n_types"])
    for hero, name in enumerate(names.heroes):
        yield "Characters", name, partial(hero_page, state, compiled, hero)
    for hero, cards in enumerate(names.cards):
        for card, name in enumerate(cards):
            yield "Cards", name, partial(card_page, state, compiled, hero, card)
    for kind, name in enumerate(names.kinds):
        group = "Monsters" if kind < n_types else "Summons"
        yield group, name, partial(kind_page, state, compiled, kind)
    for f in range(N_HEROES, N_FIGURES):
        if is_present(state, f):
            group = "Monsters" if f >= FIRST_MONSTER else "Summons"
            yield group, figure_name(state, compiled, f), partial(figure_page, state, compiled, f)
    for kind, cards in enumerate(names.monster_cards):
        for card, name in enumerate(cards):
            yield "Ability cards", name, partial(monster_card_page, state, compiled, kind, card)
    for template, name in enumerate(names.templates):
        yield "Templates", name, partial(template_page, compiled, template)
    yield "Table", "Order", partial(order_page, state, compiled)
    yield "Table", "Goal", partial(goal_page, state, compiled)
    yield "Table", "Monsters' modifier cards", partial(_modifiers, state, 0)
    unseen = unseen_hexes(state, compiled)
    for h in members(state["board"]["hexes"]):
        if h not in unseen:
            yield "Hexes", hex_name(state["board"], h), partial(hex_page, state, compiled, h)
    yield from definitions("Conditions", {word(one): text for one, text in CONDITIONS.items()})
    yield from definitions("Keywords", KEYWORDS)


# ---- actions ---------------------------------------------------------------------------------
def named_page(state: np.void, compiled: Compiled, action: int) -> str:
    """The page about the thing that an action names; "" where there is none."""
    block = max(b for b in Block if STARTS[b] <= action)
    index, asked = action - STARTS[block], int(state["asked"])
    cards = compiled.names.cards
    if block == Block.HALF and 0 <= asked < len(cards):
        index = int(state["hero"][asked]["second" if index >= 4 else "lead"])
        block = Block.CARD
    if block == Block.ACTIVE and index < int(state["n_active"]):
        asked, index = (int(state["active"][index][key]) for key in ("owner", "card"))
        block = Block.CARD
    if block == Block.CARD and 0 <= asked < len(cards) and 0 <= index < len(cards[asked]):
        return card_page(state, compiled, asked, index)
    if block == Block.FIGURE and is_present(state, index):
        return figure_page(state, compiled, index)
    return ""


def thing_page(state: np.void, compiled: Compiled, thing: str) -> str:
    """The page about a thing that the picture marks: "hex:3", "figure:12", "template:2" ..."""
    kind, _, number = thing.partition(":")
    if kind == "template":
        return template_page(compiled, int(number))
    pages = {"figure": figure_page, "hex": hex_page, "orientation": orientation_help}
    return pages[kind](state, compiled, int(number))


# ---- characters and their cards -----------------------------------------------------------------
def card_page(state: np.void, compiled: Compiled, hero: int, card: int) -> str:
    """An ability card: initiative, both halves, where it lies."""
    sheet = compiled.content[0]["hero"][hero]["card"][card]
    lying = LYING.get(Place(int(state["hero"][hero]["place"][card])), "")
    head = f"{card_name(compiled, hero, card)}, a card of {hero_name(compiled, hero)}"
    top, bottom = (half_words(compiled, hero, card, side) for side in (0, 1))
    lines = [
        f"{head}, initiative {int(sheet['initiative'])}" + (f", {lying}" if lying else ""),
        f"  top     {top}",
        f"  bottom  {bottom}",
    ]
    for half in sheet["half"]:
        first, n = int(half["first"]), int(half["n_rows"])
        templates = compiled.content[0]["row"]["template"][first : first + n].tolist()
        lines += [template_page(compiled, template) for template in templates if template >= 0]
    return "\n".join(lines)


def hero_page(state: np.void, compiled: Compiled, hero: int) -> str:
    """A character: how it stands, its cards with both halves, its modifier cards."""
    name, hand = hero_name(compiled, hero), hand_of(state, compiled, hero)
    lines = [f"{name}: {figure_help(state, hero) or 'exhausted'}"]
    for title, cards in hand.piles.items():
        lines += [title.capitalize()] * bool(cards)
        for card in cards:
            sheet = compiled.content[0]["hero"][hero]["card"][card]
            top, bottom = (half_words(compiled, hero, card, side) for side in (0, 1))
            head = f"{card_name(compiled, hero, card)} ({int(sheet['initiative'])})"
            lines.append(f"   {head}: top {top}; bottom {bottom}")
    lines += [f"Active: {', '.join(map(active_text, hand.active))}"] * bool(hand.active)
    lines.append(_modifiers(state, hero + 1))
    text = compiled.names.texts.get(f"hero/{name}", "")
    return "\n".join([*lines, *[text] * bool(text)])


def _modifiers(state: np.void, deck: int) -> str:
    """A modifier deck: its cards by how often each is in the draw pile, and how many lie beside."""
    record = state["deck"][deck]
    pile = [modifier_text(record["card"][k]) for k in record["pile"][: int(record["n_pile"])]]
    counted = [f"{pile.count(text)} x {text}" for text in sorted(set(pile))]
    return f"Modifier cards to draw: {', '.join(counted)}; discarded: {int(record['n_discards'])}"


# ---- monsters and summons -----------------------------------------------------------------------
def kind_page(state: np.void, compiled: Compiled, kind: int) -> str:
    """A type of monsters or summons: stat cards, ability cards, figures on the board."""
    record, name = compiled.content[0]["kind"][kind], kind_name(compiled, kind)
    if kind >= int(compiled.content[0]["n_types"]):
        return f"{name}, a summon: {stats_text(record['stats'][0])}"
    lines = [name]
    lines += [
        f"  {rank:<7} {stats_text(stats)}"
        for rank, stats in zip(("normal", "elite"), record["stats"], strict=True)
    ]
    turned = int(state["type"][kind]["card"])
    for card in range(len(compiled.names.monster_cards[kind])):
        mark = ">" if card == turned else " "
        lines.append(f"{mark} {_monster_card(compiled, kind, card)}")
    lines += [
        f"{figure_name(state, compiled, f)}: {figure_help(state, f)}" for f in standing(state, kind)
    ]
    text = compiled.names.texts.get(f"monster/{name}", "")
    return "\n".join([*lines, *[text] * bool(text)])


def stats_text(stats: Record) -> str:
    """A stat card, dtype layout.STATS."""
    parts = [f"{int(stats['hp'])} hit points", f"move {int(stats['move'])}"]
    attack = f"attack {int(stats['attack'])}"
    attack += f" at range {int(stats['range'])}" if stats["range"] else ""
    targets = int(stats["targets"])
    attack += " on all targets" if targets == ALL_TARGETS else ""
    attack += f" on {targets} targets" if 1 < targets < ALL_TARGETS else ""
    parts.append(attack)
    parts += [f"{key} {int(stats[key])}" for key in ("pierce", "shield") if stats[key]]
    if stats["retaliate"]:
        reach = int(stats["retaliate_range"])
        parts.append(f"retaliate {int(stats['retaliate'])}" + f" at range {reach}" * (reach > 1))
    parts += ["advantage"] * bool(stats["advantages"]) + ["flying"] * bool(stats["flying"])
    for label, key in (("attacks bring", "conditions"), ("immune to", "immune")):
        held = [word(effect).lower() for effect in Effect if int(stats[key]) >> effect & 1]
        parts += [f"{label} {', '.join(held)}"] * bool(held)
    return ", ".join(parts)


def _monster_card(compiled: Compiled, kind: int, card: int) -> str:
    """An ability card of a monster type in a line."""
    row, names = compiled.content[0]["kind"][kind]["card"][card], compiled.names
    shuffle = ", then the deck is shuffled" * bool(row["shuffle"])
    head = f"{names.monster_cards[kind][card]} ({int(row['initiative'])})"
    return f"{head}: {names.monster_lines[kind][card]}{shuffle}"


def monster_card_page(state: np.void, compiled: Compiled, kind: int, card: int) -> str:
    """An ability card of a monster type, and whether it is the one of this round."""
    now = " It is this round's card." * (int(state["type"][kind]["card"]) == card)
    return f"{kind_name(compiled, kind)}, {_monster_card(compiled, kind, card)}.{now}"


def figure_page(state: np.void, compiled: Compiled, f: int) -> str:
    """One figure: how it stands, and its card."""
    if f < N_HEROES:
        return hero_page(state, compiled, f)
    figure = state["figure"][f]
    kind = int(figure["kind"])
    stats = compiled.content[0]["kind"][kind]["stats"][int(figure["elite"])]
    lines = [f"{figure_name(state, compiled, f)}: {figure_help(state, f)}"]
    lines.append(f"  {stats_text(stats)}")
    if f >= FIRST_MONSTER and state["type"][kind]["card"] >= 0:
        card = _monster_card(compiled, kind, int(state["type"][kind]["card"]))
        lines.append(f"  this round {card}")
    return "\n".join(lines)


def template_page(compiled: Compiled, template: int) -> str:
    """A template drawn as text: x its red hexes, o the attacker's own."""
    record = compiled.content[0]["template"][template]
    marks = dict.fromkeys(map(tuple, record["cell"][: int(record["n_cells"])].tolist()), "x")
    marks |= {(0, 0): "o"} if record["grey"] else {}
    # Hexes of one column are two half rows apart, those beside them one higher or lower
    drawn = {(q, 2 * r + q): mark for (q, r), mark in marks.items()}
    columns, rows = {q for q, _ in drawn}, {row for _, row in drawn}
    lines = [
        "   "
        + "".join(drawn.get((q, row), " ") + " " for q in range(min(columns), max(columns) + 1))
        for row in range(max(rows), min(rows) - 1, -1)
    ]
    how = "o is the attacker's hex, melee" if record["grey"] else "laid within the range"
    name = compiled.names.templates[template]
    head = f"Template {name}: x are its red hexes, {how}; it may be turned and mirrored"
    return "\n".join([head, *(line.rstrip() for line in lines)])


# ---- the table ----------------------------------------------------------------------------------
def hex_page(state: np.void, compiled: Compiled, h: int) -> str:
    """What lies and stands on a hex."""
    return f"{hex_name(state['board'], h)}: {hex_help(state, compiled, h) or 'floor, empty'}"


def order_page(state: np.void, compiled: Compiled) -> str:
    """Who acts in this round, and with which card."""
    if Phase(int(state["phase"])) != Phase.TURNS:
        return "The order of turns is known when every character has chosen its cards (G13.1)."
    lines = []
    for entry in turns(state, compiled):
        mark = ">" if entry.current else " "
        done = " (done)" * entry.done
        lines.append(f"{mark} {entry.initiative:>2} {entry.name}{done}")
        if entry.kind >= 0 and state["type"][entry.kind]["card"] >= 0:
            card = int(state["type"][entry.kind]["card"])
            lines.append(f"     {_monster_card(compiled, entry.kind, card)}")
    return "\n".join(lines)
