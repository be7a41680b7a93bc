"""The table as a picture: the board, who acts when, every character's cards, what is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agemonia_env.display.canvas import (
    FAINT,
    GOLD,
    INK,
    PAPER,
    WHITE,
    WOUND,
    Box,
    Canvas,
    Colour,
    Point,
    blend,
)
from agemonia_env.display.names import initials, word

from ..content.compile import Compiled
from ..core.terms import Decision, Effect, Element, Ending, Phase
from .labels import ELEMENTS, PHASES, action_text, question_text
from .legal_targets import ATTACKS, Offer, offer_of
from .map import HEROES, SHIELD, TYPES, draw_legend, draw_map, draw_template
from .table import (
    ActiveCard,
    Hand,
    Turn,
    active_text,
    conditions_of,
    deck_text,
    goal_text,
    guard_text,
    hand_of,
    is_present,
    monster_types,
    round_text,
    strong_elements,
    turns,
)

WIDTH, HEIGHT = 1280, 800
MAP: Box = (12, 12, 860, 640)
BELOW: Box = (12, 650, 860, 788)
PANEL: Box = (872, 12, 1268, 788)
PARTS = {"map": MAP, "question": BELOW, "panel": PANEL}
CARD: Colour = (255, 253, 247)
EDGE: Colour = blend(PAPER, INK, 0.2)
WON: Colour = (46, 130, 74)
LINE = 16.0  # pixels between lines of small text
ANSWER = 13.5
LEGEND = 22  # height of the line that explains the signs
HERO = 106.0  # height of a character's part
COLOURS: dict[Effect, Colour] = {
    Effect.FIRE: (232, 112, 72),
    Effect.ICE: (84, 160, 206),
    Effect.AIR: (146, 166, 170),
    Effect.EARTH: (136, 154, 72),
    Effect.LIGHT: (226, 178, 44),
    Effect.DARK: (160, 140, 196),
}
# Cards by where they lie: face and writing
FACES: dict[str, tuple[Colour, Colour]] = {
    "hand": (WHITE, INK),
    "chosen": (GOLD, INK),
    "active": (SHIELD, WHITE),
    "discards": ((196, 190, 180), INK),
    "lost": ((122, 60, 56), WHITE),
}


def draw_board(state: np.void, compiled: Compiled, events: Sequence[str] = ()) -> Canvas:
    """The picture of one state record, 1280 x 800.

    events: sentences about what happened since the last decision; the last ones are shown.
    """
    canvas = Canvas(WIDTH, HEIGHT, PAPER)
    offer = offer_of(state, compiled)
    draw_map(canvas, MAP, state, compiled, offer)
    _draw_question(canvas, state, compiled, events)
    _draw_answers(canvas, state, compiled, offer)
    draw_legend(canvas, (BELOW[0] + 22, BELOW[3] - 12))
    top = _draw_title(canvas, state, compiled)
    top = _draw_order(canvas, top, state, compiled)
    for hero in range(len(compiled.names.heroes)):
        _draw_hero(canvas, top, state, compiled, hero)
        top += HERO
    _draw_types(canvas, top, state, compiled)
    return canvas


# ---- below the board ------------------------------------------------------------------------
def _draw_question(
    canvas: Canvas, state: np.void, compiled: Compiled, events: Sequence[str]
) -> None:
    """The question, or how the scenario ended, and the last events."""
    left, top, _, bottom = BELOW
    ended = int(state["ending"]) != Ending.NONE
    mark = GOLD if not ended else WON if state["won"] else WOUND
    canvas.box(BELOW, CARD, EDGE, 1, 6)
    canvas.box((left, top, left + 6, bottom), mark, None, 1, 3)
    y = top + 18
    for line in canvas.wrap(question_text(state, compiled), 15, 390)[:2]:
        canvas.text((left + 16, y), line, 15, INK, fit=390)
        y += 20
    rows = int((bottom - LEGEND - y + 4) // LINE)
    lines = [line for event in events for line in canvas.wrap(f"{event}.", 12, 390)]
    for line in lines[-rows:]:
        canvas.text((left + 16, y), line, 12, FAINT, fit=390)
        y += LINE


def _draw_answers(canvas: Canvas, state: np.void, compiled: Compiled, offer: Offer) -> None:
    """What may be answered; ways to lay a template are drawn."""
    left, top, right, bottom = BELOW[0] + 420, BELOW[1] + 8, BELOW[2] - 8, BELOW[3] - LEGEND
    if offer.orientations:
        _draw_orientations(canvas, (left, top, right, bottom), state, compiled, offer)
        return
    template = int(state["strike"]["template"])
    if template >= 0 and Decision(int(state["decision"])) in ATTACKS:
        _draw_laid(canvas, (right - 86, top, right, bottom), state, compiled)
        right -= 94
    texts = [action_text(state, compiled, action) for action in offer.actions]
    canvas.bullets((left, top, right, bottom), texts, ANSWER, 3)


def _draw_orientations(
    canvas: Canvas, box: Box, state: np.void, compiled: Compiled, offer: Offer
) -> None:
    """The orientations of the template that are left, by their numbers."""
    left, top, right, bottom = box
    template = compiled.content[0]["template"][int(state["strike"]["template"])]
    columns = 6 if len(offer.orientations) > 3 else 3
    rows = -(-len(offer.orientations) // columns)
    width, height = (right - left) / columns, (bottom - top) / rows
    for k, orientation in enumerate(offer.orientations):
        x, y = left + width * (k % columns), top + height * (k // columns)
        room = x + 18, y + 3, x + width - 4, y + height - 3
        canvas.mark(f"orientation:{orientation}", (x, y, x + width, y + height))
        draw_template(canvas, room, template, orientation, False)
        canvas.text((x + 2, y + 9), str(orientation + 1), 12, INK, bold=True)


def _draw_laid(canvas: Canvas, box: Box, state: np.void, compiled: Compiled) -> None:
    """The template of the attack as it lies, or as its card shows it, its red hexes counted."""
    strike = state["strike"]
    template = compiled.content[0]["template"][int(strike["template"])]
    choosing = state["decision"] == Decision.CELL
    canvas.mark(f"template:{int(strike['template'])}", box)
    draw_template(canvas, box, template, max(0, int(strike["orientation"])), choosing)


# ---- beside the board -----------------------------------------------------------------------
def _draw_title(canvas: Canvas, state: np.void, compiled: Compiled) -> float:
    """Scenario, goal, round, phase and elements -> where the next part begins."""
    left, top, right, _ = PANEL
    phase = PHASES[Phase(int(state["phase"]))]
    canvas.text((right, top + 11), phase, 13, FAINT, "rm")
    room = right - left - canvas.length(phase, 13) - 12
    canvas.text((left, top + 11), compiled.names.scenario, 20, INK, bold=True, fit=room)
    canvas.text((left, top + 34), goal_text(state, compiled), 12, FAINT, fit=right - left)
    y = top + 56
    canvas.text((left, y), round_text(state, compiled), 14, INK, bold=True)
    held = dict(strong_elements(state))
    for k, element in enumerate(ELEMENTS):
        strength = held.get(element, Element.INERT)
        _draw_element(canvas, (right - 20 - 43 * (len(ELEMENTS) - 1 - k), y), element, strength)
    return y + 18


def _draw_element(canvas: Canvas, at: Point, element: Effect, strength: Element) -> None:
    """A plate with the element's name: full when strong, half full when waning, else empty."""
    x, y = at
    left, top, right, bottom = x - 20, y - 9, x + 20, y + 9
    canvas.box((left, top, right, bottom), PAPER, None, 1, 5)
    if strength:
        from_top = top if strength == Element.STRONG else y
        canvas.box((left, from_top, right, bottom), COLOURS[element], None, 1, 5)
    canvas.box((left, top, right, bottom), None, INK if strength else EDGE, 1, 5)
    canvas.text(at, word(element), 11, INK if strength else FAINT, "mm", fit=38)


def _draw_order(canvas: Canvas, top: float, state: np.void, compiled: Compiled) -> float:
    """Who acts in this round, in two columns -> where the next part begins."""
    left, _, right, _ = PANEL
    order = turns(state, compiled)
    rows = max(1, -(-len(order) // 2))
    bottom = top + 8 + 18 * rows
    canvas.box((left, top, right, bottom), CARD, EDGE, 1, 6)
    width = (right - left - 8) / 2
    for k, entry in enumerate(order):
        x, y = left + 4 + width * (k // rows), top + 4 + 18 * (k % rows)
        _draw_turn(canvas, (x, y, x + width, y + 18), entry)
    return bottom + 8


def _draw_turn(canvas: Canvas, box: Box, entry: Turn) -> None:
    """One place in the order: initiative, round for characters, square for monsters, name."""
    left, top, right, bottom = box
    middle = (top + bottom) / 2
    if entry.current:
        canvas.box((left, top, right, bottom), blend(CARD, GOLD, 0.4), GOLD, 1, 4)
    ink = FAINT if entry.done else INK
    number = str(entry.initiative) if entry.initiative else "-"
    canvas.text((left + 22, middle), number, 12, ink, "rm", bold=not entry.done)
    if entry.hero >= 0:
        canvas.disc((left + 34, middle), 6, HEROES[entry.hero % len(HEROES)], INK, 1)
    else:
        colour = TYPES[entry.kind % len(TYPES)]
        canvas.box((left + 28, middle - 6, left + 40, middle + 6), colour, INK, 1, 2)
    canvas.text((left + 46, middle), entry.name, 12, ink, fit=right - left - 50, smallest=10)


def _draw_hero(canvas: Canvas, top: float, state: np.void, compiled: Compiled, hero: int) -> None:
    """Hit points, conditions and cards of a character."""
    left, _, right, _ = PANEL
    figure = state["figure"][hero]
    here = is_present(state, hero)
    asked = int(state["asked"]) == hero and int(state["ending"]) == Ending.NONE
    box = left, top, right, top + HERO - 6
    canvas.box(box, CARD, GOLD if asked else EDGE, 2 if asked else 1, 6)
    name = compiled.names.heroes[hero]
    canvas.disc((left + 17, top + 17), 11, HEROES[hero % len(HEROES)] if here else FAINT, WHITE, 1)
    canvas.text((left + 17, top + 17), initials(name), 11, WHITE, "mm")
    canvas.text((left + 34, top + 13), name, 14, INK, bold=True, fit=200, smallest=11)
    if not here:
        canvas.text((right - 10, top + 13), "exhausted", 13, WOUND, "rm")
    else:
        half, full = 48.0, int(figure["max_hp"])
        canvas.gauge((right - 10 - half, top + 13), half, int(figure["hp"]), full)
    notes = [word(condition) for condition in conditions_of(figure)]
    notes += [text for text in (guard_text(state, hero),) if text]
    notes += [f"{int(figure['xp'])} xp"] * bool(figure["xp"])
    notes += [f"{int(figure['loot'])} loot"] * bool(figure["loot"])
    deck = f"modifiers {deck_text(state['deck'][hero + 1], brief=True)}"
    canvas.text((right - 10, top + 31), deck, 11, FAINT, "rm")
    room = right - left - 54 - canvas.length(deck, 11)
    canvas.text((left + 34, top + 31), ", ".join(notes), 11, INK, fit=room, smallest=9)
    hand = hand_of(state, compiled, hero)
    _draw_cards(canvas, top + 43, compiled, hero, hand)
    note = ["long rest"] * hand.resting + [active_text(card) for card in hand.active]
    canvas.text((left + 10, top + 90), ", ".join(note), 11, INK, fit=right - left - 20, smallest=9)


def _draw_cards(canvas: Canvas, top: float, compiled: Compiled, hero: int, hand: Hand) -> None:
    """Ability cards by their initiative, in a row: in hand, chosen, active, discarded, lost."""
    sheet = compiled.content[0]["hero"][hero]
    active = {card.card: card for card in hand.active}
    x = PANEL[0] + 10
    for pile in FACES:
        name, cards = pile.removesuffix("s"), hand.piles.get(pile, tuple(active))
        if not cards:
            continue
        canvas.text((x, top + 1), name, 9, FAINT)
        start, wide = x, canvas.length(name, 9)
        for card in cards:
            _draw_card(canvas, x, top + 8, int(sheet["card"][card]["initiative"]), pile)
            if card in active:
                _draw_spaces(canvas, x, top + 8, active[card])
            x += 21
        x = max(x, start + wide) + 7


def _draw_card(canvas: Canvas, x: float, y: float, initiative: int, lying: str) -> None:
    """One card: its initiative, on a face that tells where it lies."""
    face, ink = FACES[lying]
    canvas.box((x, y, x + 19, y + 26), face, blend(face, INK, 0.5), 1, 3)
    canvas.text((x + 9.5, y + 11), str(initiative), 11, ink, "mm")


def _draw_spaces(canvas: Canvas, x: float, y: float, card: ActiveCard) -> None:
    """The spaces of a bonus below its initiative, up to the token filled."""
    for k in range(card.spaces):
        at = x + 9.5 + 4 * (k - (card.spaces - 1) / 2), y + 21
        canvas.disc(at, 1.7, GOLD if k < card.token else WHITE)


def _draw_types(canvas: Canvas, top: float, state: np.void, compiled: Compiled) -> None:
    """The monsters in play with their cards, in as much detail as there is room for."""
    left, _, right, bottom = PANEL
    types = monster_types(state, compiled)
    turned = any(kind.card for kind in types)
    lines = 2 if turned and 24 + 2 * LINE * len(types) <= bottom - top else 1
    types = types[: max(0, int((bottom - top - 24) // (LINE * lines)))]
    canvas.box((left, top, right, top + 24 + LINE * lines * len(types)), CARD, EDGE, 1, 6)
    deck = f"modifiers {deck_text(state['deck'][0], brief=True)}"
    canvas.text((left + 10, top + 11), "Monsters", 12, INK, bold=True)
    canvas.text((right - 10, top + 11), deck, 11, FAINT, "rm")
    y = top + 28
    for kind in types:
        canvas.box((left + 9, y - 6, left + 21, y + 6), TYPES[kind.kind % len(TYPES)], INK, 1, 2)
        width = canvas.text((left + 28, y), kind.name, 12, INK, fit=150)
        room = right - left - width - 48
        card = f"{kind.card}: {kind.lines}" if kind.card else ""
        note = kind.numbers if lines == 2 else kind.lines or kind.numbers
        canvas.text((right - 10, y), note, 11, FAINT, "rm", fit=room, smallest=9)
        if lines == 2:
            y += LINE
            canvas.text((left + 28, y), card, 11, INK, fit=right - left - 38, smallest=9)
        y += LINE
