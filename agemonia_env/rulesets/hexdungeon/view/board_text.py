"""The board as text, for terminals: the same facts as the picture; and the goal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agemonia_env.display.lines import WIDTH, asked, folded
from agemonia_env.display.messages import counted
from agemonia_env.display.names import word

from ..content.board import EXIT, FLOOR, LOOT, TERRAIN, TRAP
from ..content.compile import Compiled
from ..core.layout import N_FIGURES
from ..core.terms import Decision, Element, Ending, Goal, Phase, Terrain
from .hexes import DIRECTIONS, hex_name, hex_of, members
from .labels import ENDINGS, PHASES, card_and_initiative, figure_name, hero_name, question_text
from .table import (
    active_text,
    conditions_of,
    deck_text,
    figure_label,
    goal_text,
    guard_text,
    hand_of,
    is_present,
    monster_types,
    monsters,
    round_text,
    standing,
    strong_elements,
    summons,
    turns,
    unseen_hexes,
)

CELL = 4  # characters of a column; even columns lie half a row lower
SYMBOLS = {terrain: symbol for symbol, terrain in TERRAIN.items()} | {Terrain.TRAP: TRAP}
UNSEEN = "?"  # behind a closed door
LEGEND = {
    FLOOR: "floor",
    **{symbol: terrain.name.lower() for terrain, symbol in SYMBOLS.items()},
    LOOT: "loot",
    EXIT: "exit",
    UNSEEN: "not seen yet",
}
# Where the answer is a hex, a direction or a way to lay a template
PLACES = frozenset(
    {
        *(Decision.STEP, Decision.AIM, Decision.ORIENTATION, Decision.CELL, Decision.FORCE),
        *(Decision.SUMMON, Decision.END_HEX, Decision.LANDING, Decision.TARGET),
    }
)


def write_board(
    state: np.void, compiled: Compiled, events: Sequence[str] = (), width: int = WIDTH
) -> str:
    """The board of one state record: lines of text, the last one what is asked.

    events: sentences about what happened since the last decision. width: columns of a line; the
    map is as wide as it is.
    """
    head = [*_title_lines(state, compiled), ""]
    lines = [*_legend_lines(state, compiled), "", "Characters"]
    for hero in range(len(compiled.names.heroes)):
        lines += _hero_lines(state, compiled, hero)
    lines += ["Monsters", *_monster_lines(state, compiled)]
    lines += [f"Modifier cards of monsters: {deck_text(state['deck'][0])}"]
    lines += _round_lines(state, compiled)
    lines += asked(question_text(state, compiled), bool(state["ending"]), events)
    parts = [*folded(head, width), *_map_lines(state, compiled), *folded(lines, width)]
    return "\n".join(parts)


def write_brief(
    state: np.void, compiled: Compiled, events: Sequence[str] = (), width: int = WIDTH
) -> str:
    """What has changed and what is asked; with the map where the answer is a place on it."""
    lines = _title_lines(state, compiled)
    if Decision(int(state["decision"])) in PLACES:
        lines += _map_lines(state, compiled)
    below = _round_lines(state, compiled)
    who = int(state["asked"])
    if who >= 0 and is_present(state, who):
        below.append(f" > {_figure_text(state, compiled, who)}")
    below += asked(question_text(state, compiled), bool(state["ending"]), events)
    return "\n".join([*lines, *folded(below, width)])


def _title_lines(state: np.void, compiled: Compiled) -> list[str]:
    """Scenario, round and phase; what is to be done, and how far it is."""
    phase = PHASES[Phase(int(state["phase"]))]
    return [
        f"{compiled.names.scenario}   {round_text(state, compiled)}   {phase}",
        goal_text(state, compiled),
    ]


# ---- the map --------------------------------------------------------------------------------
def _map_lines(state: np.void, compiled: Compiled) -> list[str]:
    """The hexes, columns counted above and rows on the left."""
    board = state["board"]
    width, height = int(board["width"]), int(board["height"])
    shown = _symbols(state, compiled)
    lines = [("    " + "".join(f"{q:<{CELL}}" for q in range(width))).rstrip()]
    for row in reversed(range(height)):
        for odd in (1, 0):
            cells = [
                shown.get(hex_of(board, (q, row)), "") if q % 2 == odd else "" for q in range(width)
            ]
            head = "   " if odd else f"{row:>2} "
            lines.append((head + " " + "".join(f"{cell:<{CELL}}" for cell in cells)).rstrip())
    return lines


def _legend_lines(state: np.void, compiled: Compiled) -> list[str]:
    """The symbols on the map that are no figures, and wall lines in words."""
    shown = set(_symbols(state, compiled).values())
    legend = [f"{symbol} {name}" for symbol, name in LEGEND.items() if symbol in shown]
    board, unseen = state["board"], unseen_hexes(state, compiled)
    lined = [
        f"{hex_name(board, h)} {DIRECTIONS[direction]}"
        for direction in range(3)
        for h in members(board["lined"][direction])
        if h not in unseen
    ]
    walls = [f"Wall lines: {'; '.join(lined)}"] if lined else []
    return [f"Map: {'  '.join(legend)}; hexes are column,row", *walls]


def _symbols(state: np.void, compiled: Compiled) -> dict[int, str]:
    """What stands in every hex, as maps of packs draw it; figures above all."""
    board, content = state["board"], compiled.content[0]
    shown = dict.fromkeys(members(board["hexes"]), FLOOR)
    for words, symbol in ((content["exit"], EXIT), (state["loot"], LOOT)):
        shown |= dict.fromkeys(members(words), symbol)
    for terrain in reversed(Terrain):
        shown |= dict.fromkeys(members(board["terrain"][terrain]), SYMBOLS[terrain])
    for h in unseen_hexes(state, compiled):
        if shown.get(h) != SYMBOLS[Terrain.DOOR]:
            shown[h] = UNSEEN
    for f in range(N_FIGURES):
        if is_present(state, f):
            shown[int(state["figure"][f]["at"])] = figure_label(state, compiled, f)
    return shown


# ---- figures and cards ----------------------------------------------------------------------
def _figure_text(state: np.void, compiled: Compiled, f: int) -> str:
    """A figure: label, name, place, hit points, and what matters for fighting it."""
    figure = state["figure"][f]
    name = figure_name(state, compiled, f)
    parts = [
        f"{figure_label(state, compiled, f)}  {'elite ' * bool(figure['elite'])}{name}",
        f"on {hex_name(state['board'], int(figure['at']))}",
        f"{int(figure['hp'])}/{int(figure['max_hp'])} hit points",
    ]
    parts += [text for text in (guard_text(state, f),) if text]
    return ", ".join([*parts, *map(word, conditions_of(figure))])


def _hero_lines(state: np.void, compiled: Compiled, hero: int) -> list[str]:
    """A character: what stands on the board, and its cards by where they lie."""
    figure = state["figure"][hero]
    mark = ">" if state["asked"] == hero and not state["ending"] else " "
    if not is_present(state, hero):
        return [f" {mark} {compiled.names.heroes[hero]}, exhausted"]
    cards = hand_of(state, compiled, hero)
    gained = f", {int(figure['xp'])} experience, {int(figure['loot'])} loot"
    lines = [f" {mark} {_figure_text(state, compiled, hero)}{gained}"]
    if cards.resting:
        lines.append("      a long rest")
    for name, pile in cards.piles.items():
        if pile:
            text = ", ".join(card_and_initiative(compiled, hero, card) for card in pile)
            lines.append(f"      {name}: {text}")
    if cards.active:
        lines.append(f"      active: {', '.join(map(active_text, cards.active))}")
    lines.append(f"      modifier cards: {deck_text(state['deck'][hero + 1])}")
    return [*lines, *(f"      {_figure_text(state, compiled, f)}" for f in summons(state, hero))]


def _monster_lines(state: np.void, compiled: Compiled) -> list[str]:
    """Every type on the board, and its figures."""
    lines = []
    for kind in monster_types(state, compiled):
        card = f": {kind.card} ({kind.lines})" if kind.card else ""
        lines.append(f"   {kind.name} ({kind.numbers}){card}")
        there = standing(state, kind.kind)
        lines += [f"      {_figure_text(state, compiled, f)}" for f in there]
    return lines or ["   none"]


def _round_lines(state: np.void, compiled: Compiled) -> list[str]:
    """The order of turns, and elements that are not inert."""
    lines = []
    if Phase(int(state["phase"])) == Phase.TURNS:
        order = [
            f"{'>' * entry.current}{entry.initiative} {entry.name}{' (done)' * entry.done}"
            for entry in turns(state, compiled)
        ]
        lines.append(f"Order: {', '.join(order)}")
    elements = [
        f"{word(element)}{' (waning)' * (strength == Element.WANING)}"
        for element, strength in strong_elements(state)
    ]
    return [*lines, *([f"Elements: {', '.join(elements)}"] if elements else [])]


# ---- the goal: how to win and lose, the progress, and why the scenario ended ---------------------
MAX_NAMED = 12  # figures that are listed


def goal_page(state: np.void, compiled: Compiled) -> str:
    """The scenario's text, how to win and lose, and the progress."""
    content, names = compiled.content[0], compiled.names
    losses = ["all characters are exhausted (no hit points, or too few cards left to play)"]
    if content["goal"] != Goal.SURVIVE:
        losses.append(f"round {int(content['last_round'])} ends without the goal")
    lines = [names.scenario, names.texts.get("scenario", "")]
    lines += [f"To win: {goal_text(state, compiled)} {progress_text(state, compiled)}".rstrip()]
    lines += [f"Lost when: {', or '.join(losses)}."]
    return "\n".join(line for line in lines if line)


def progress_text(state: np.void, compiled: Compiled) -> str:
    """How far the goal is, in a sentence."""
    match Goal(int(compiled.content[0]["goal"])):
        case Goal.DEFEAT:
            left = [figure_name(state, compiled, f) for f in monsters(state)]
            more = " and others" * (len(left) > MAX_NAMED)
            return f"On the board: {', '.join(left[:MAX_NAMED]) or 'none'}{more}."
        case Goal.SURVIVE:
            return f"This is round {int(state['round'])}."
        case _:
            return ""


def ending_text(state: np.void, compiled: Compiled) -> str:
    """How the scenario ended and why: the goal, and how the characters stand."""
    ending = Ending(int(state["ending"]))
    if ending == Ending.NONE:
        return f"The scenario goes on: {goal_page(state, compiled)}"
    outcome = "won" if state["won"] else "lost"
    rounds = counted(int(state["round"]), "round")
    after = f"{rounds} and {counted(int(state['decisions']), 'decision')}"
    lines = [f"The scenario is {outcome} after {after}: {ENDINGS[ending]}."]
    lines.append(f"Goal: {goal_text(state, compiled)} {progress_text(state, compiled)}".rstrip())
    for hero in range(len(compiled.names.heroes)):
        figure = state["figure"][hero]
        stands = f"{int(figure['hp'])}/{int(figure['max_hp'])} hit points"
        if not is_present(state, hero):
            why = "too few cards left to play" if figure["hp"] > 0 else "no hit points left"
            stands = f"exhausted ({why})"
        lines.append(f"  {hero_name(compiled, hero)}: {stands}, {int(figure['xp'])} experience.")
    dealt, taken = int(state["damage_dealt"]), int(state["damage_taken"])
    lines.append(f"  Damage dealt: {dealt}; suffered: {taken}.")
    return "\n".join(lines)
