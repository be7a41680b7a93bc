"""Pages about what is on the table: Heroes, actions, items, Enemies, areas, conditions, keywords.

R numbers are those of docs/agemonia-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from agemonia_env.display.names import named, word
from agemonia_env.display.pages import Page, Thing, definitions, printed_text

from ..content.compile import Compiled
from ..core.actions import STARTS, Block, Turn
from ..core.layout import N_ALLIES, N_ENEMIES, N_INJURIES
from ..core.terms import Border, Condition, Kind, Trigger
from .card_text import (
    carried,
    check_text,
    cost_text,
    effects_text,
    enemy_card_lines,
    figure_text,
    injury_text,
    is_ally,
    item_text,
    locks_text,
    sentences,
    token_row,
    token_text,
)
from .goal import goal_page
from .help import (
    CONDITIONS,
    action_help,
    ally_help,
    area_help,
    enemy_help,
    question_help,
    type_help,
)
from .labels import (
    action_text,
    condition_names,
    enemy_name,
    hero_numbers,
    initiative_bars,
    item_name,
    type_name,
)

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
WAYS = {Border.SINGLE: "", Border.DOUBLE_DOWN: " (down)", Border.DOUBLE_UP: " (up)"}


def help_pages(state: np.void, compiled: Compiled) -> list[Page]:
    """All help pages, by name."""
    return [Page(*thing) for thing in _things(state, compiled)]


def _things(state: np.void, compiled: Compiled) -> Iterator[Thing]:
    """Kind, name and text of each page."""
    names, content = compiled.names, compiled.content[0]
    allies = [ally for ally in range(N_ALLIES) if is_ally(state, ally)]
    for ally in allies:
        yield "Allies", names.allies[ally], partial(ally_page, state, compiled, ally)
    for ally in allies:
        for slot, name in enumerate(names.tokens[ally]):
            yield "Actions", name, partial(token_page, state, compiled, ally, slot)
    for item in range(int(content["n_items"])):
        name = item_name(compiled, item)
        yield "Items", name, partial(item_page, compiled, item)
    for figure in range(int(content["n_figures"])):
        yield "Figures", names.figures[figure], partial(figure_page, compiled, figure)
    for kind, name in enumerate(names.types):
        yield "Enemies", name, partial(type_page, state, compiled, kind)
    for slot in range(N_ENEMIES):
        if state["enemy"][slot]["type"] >= 0 and state["enemy"][slot]["area"] >= 0:
            yield (
                "Enemies",
                enemy_name(state, compiled, slot),
                partial(enemy_page, state, compiled, slot),
            )
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
def action_page(state: np.void, compiled: Compiled, action: int) -> str:
    """All about `action` as an answer to the current question: name, card, consequences."""
    page = _page_named(state, compiled, action)
    about = page or action_help(state, compiled, action)
    lines = [action_text(state, compiled, action), about, question_help(state)]
    return "\n".join(line for line in lines if line)


def _page_named(state: np.void, compiled: Compiled, action: int) -> str:
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
    if block == Block.ALLY and is_ally(state, index):
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
        for slot in range(N_ENEMIES)
        if state["enemy"][slot]["type"] == kind and state["enemy"][slot]["area"] >= 0
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
    borders = content["border"][area][: len(names.areas)]
    ways = [names.areas[b] + WAYS[Border(int(k))] for b, k in enumerate(borders) if k in WAYS]
    lines.append(f"Ways out: {', '.join(ways) or 'none'}.")
    ropes = [n for b, n in enumerate(names.areas) if int(state["rope"][area]) >> b & 1]
    lines += [f"Ropes to: {', '.join(ropes)}."] * bool(ropes)
    for reach in range(1, int(content["range"][area].max()) + 1):
        seen = [
            name + " (out of sight)" * (not content["sees"][area][b])
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
    chosen = int(figure["token"])
    for slot, token in enumerate(names.tokens[ally]):
        mark = ">" if slot == chosen else " "
        lines.append(f" {mark} {token}: {token_text(compiled, ally, slot)}")
    for title, found in (
        ("Items", _item_lines(state, compiled, ally)),
        ("In force", locks_text(state, compiled, ally)),
        ("Skills", _told(compiled, f"skill/{name}/")),
        ("Injuries", _injury_lines(state, compiled, ally)),
        ("Conditions", _condition_lines(figure)),
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


def _item_lines(state: np.void, compiled: Compiled, ally: int) -> list[str]:
    """What an Ally carries."""
    return [
        f"{item_name(compiled, item)}{' (in use)' * used}: {item_text(compiled, item)}"
        for item, used in carried(state, ally)
    ]


def _told(compiled: Compiled, start: str) -> list[str]:
    """Texts whose key begins with `start`, with the rest of the key as their name."""
    texts = compiled.names.texts.items()
    return [f"{key.removeprefix(start)}: {text}" for key, text in texts if key.startswith(start)]


def _injury_lines(state: np.void, compiled: Compiled, ally: int) -> list[str]:
    """The Injury cards that an Ally holds."""
    held, names = state["ally"][ally]["injury"], compiled.names.injuries
    return [
        f"{names[k]}: {injury_text(compiled.content[0]['injury'][k])}"
        for k in range(N_INJURIES)
        if held[k]
    ]


def _condition_lines(figure: np.void) -> list[str]:
    """The conditions that a figure has."""
    bits = int(figure["conditions"])
    held = [condition for condition in Condition if bits >> condition & 1]
    texts = [CONDITIONS[condition] for condition in held]
    return [f"{n}: {text}" for n, text in zip(condition_names(bits), texts, strict=True)]
