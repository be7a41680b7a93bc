"""A position of a game in the words of the case format: map, figures, decks, names.

The opposite of `world`: numbers that content gives a figure by levels, skills, gear and injuries
become those of its sheet, because the format knows none of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

from agemonia_env.rulesets.case_files import Plain

from ..content.compile import Compiled
from ..content.schema import COLOUR_LETTERS, EYE_LETTERS
from ..core import layout, terms
from ..core.terms import Ability, Border, Colour, Condition, Eye, Kind, Op
from .case import Case
from .record import Records
from .world import HOOK_AND_ROPE, PRINTED, World, condition_name

Mapping = dict[str, Any]

ABILITIES = tuple(ability.name.lower() for ability in Ability)
TYPES = tuple(kind.name.lower() for kind in terms.AttackType)
SIZES = ("", "normal", "large", "huge")
WHEN = (None, "damaged", "undamaged")


class GameTable:
    """One game in the format's words: names of everything in it, and its positions."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.content: Any = compiled.content[0]
        names = compiled.names
        fresh = Fresh()
        self.areas = tuple(fresh(letter) for letter in compiled.drawing.letters)
        self.allies = tuple(fresh(slug(name)) for name in names.allies)
        self.types = tuple(fresh(slug(name)) for name in names.types)
        self.figures = tuple(fresh(slug(name)) for name in names.figures)
        self.items = tuple(
            HOOK_AND_ROPE if self.content["item"][k]["rope"] else slug(name)
            for k, name in enumerate(names.items)
        )
        once = Fresh()
        self.passives = tuple(once(slug(name)) for name in names.passives)
        self.stories = tuple(slug(name) for name in names.stories)
        printed = {slot: action for action, slot in PRINTED.items()}
        self.tokens = [
            {printed.get(k) or f"{slug(name)}": k for k, name in enumerate(tokens)}
            for tokens in names.tokens
        ]
        self.names = replace(
            names,
            areas=self.areas,
            allies=self.allies,
            types=self.types,
            figures=self.figures,
            items=self.items,
            passives=self.passives,
            stories=self.stories,
        )
        n = int(self.content["n_cards"])
        shuffles = self.content["card"]["shuffle"]
        self.cards = tuple(f"card-{k + 1}{'*' * int(shuffles[k])}" for k in range(n))
        self.sight = [*sight_lines(self.content)]

    # ---- names ------------------------------------------------------------------------------
    def enemy(self, state: Any, slot: int) -> str:
        """Name of the Enemy in a slot."""
        record = state["enemy"][slot]
        return f"{self.types[int(record['type'])]}-{int(record['number'])}"

    def figure(self, state: Any, code: int) -> str:
        """Name of a figure by its code in the event log."""
        if code < layout.N_ALLIES:
            return self.allies[code]
        if code < layout.N_ALLIES + layout.N_ENEMIES:
            return self.enemy(state, code - layout.N_ALLIES)
        return self.figures[code - layout.N_ALLIES - layout.N_ENEMIES]

    def action(self, ally: int, token: int) -> str | None:
        """Name of an action token; None for -1."""
        return next((name for name, k in self.tokens[ally].items() if k == token), None)

    def area_of(self, index: int) -> str | None:
        """Name of an area; None for -1."""
        return self.areas[index] if index >= 0 else None

    # ---- the map ----------------------------------------------------------------------------
    def map(self, state: Any) -> Mapping:
        """Areas with what lies in them now, borders, ropes and lines of sight."""
        n = len(self.areas)
        borders, ropes = [], []
        for x in range(n):
            for y in range(x + 1, n):
                pair = [self.areas[x], self.areas[y]]
                kind = Border(int(self.content["border"][x, y]))
                if kind in BORDERS:
                    borders.append(pair + BORDERS[kind])
                if int(state["rope"][x]) >> y & 1:
                    ropes.append(pair)
        areas = {name: self._area(state, x) for x, name in enumerate(self.areas)}
        sight = [[self.areas[x] for x in line] for line in self.sight]
        return {"areas": areas, "borders": borders, "sight": sight} | non_default(ropes=ropes)

    def _area(self, state: Any, x: int) -> Mapping:
        """One area."""
        content = self.content
        area: Mapping = {"capacity": int(content["capacity"][x])}
        area |= non_default(level=int(content["level"][x]), trap=bool(state["trap"][x]))
        story = int(content["story"][x])
        if story >= 0 and (content["section"][story]["repeats"] or not state["read"] >> story & 1):
            by = "any" if content["story_by_any"][x] else ""
            area["story"] = {"section": self.stories[story]} | non_default(by=by)
        if state["token_colour"][x] >= 0:
            area["teleport"] = self.portal(state, x)
        return area | non_default(items=self.items_of(state["item"][x]))

    def portal(self, state: Any, x: int) -> Mapping:
        """R7.45."""
        portal: Mapping = {"colour": self.names.portals[int(state["token_colour"][x])]}
        if not state["token_active"][x]:
            portal["active"] = False
        if state["token_range"][x] >= 0:
            portal["range"] = int(state["token_range"][x])
        return portal

    def items_of(self, places: Any) -> list[Plain]:
        """Names of the items in places."""
        return [self.items[int(item)] for item in places if item >= 0]

    # ---- figures ----------------------------------------------------------------------------
    def positions(self, state: Any) -> Mapping:
        """Every figure on the table, in the order of figures (Q45)."""
        found: dict[int, tuple[str, Mapping]] = {}
        for a in range(int(self.content["n_allies"])):
            ally = state["ally"][a]
            if ally["area"] >= 0:
                kind = self._hero if ally["kind"] == Kind.HERO else self._companion
                found[a] = self.allies[a], kind(state, a)
        for e in range(layout.N_ENEMIES):
            if state["enemy"][e]["type"] >= 0 and state["enemy"][e]["area"] >= 0:
                found[layout.N_ALLIES + e] = self.enemy(state, e), self._enemy(state, e)
        for k, name in enumerate(self.figures):
            figure = state["figure"][k]
            if figure["area"] >= 0:
                kind_name = "pet" if self.content["figure"][k]["pet"] else "token"
                card: Mapping = {kind_name: {}, "area": self.areas[int(figure["area"])]}
                card |= flags(self.content["figure"][k], "fly") | flags(figure, "acted")
                found[1000 + k] = name, card | flags(figure, "spawned" * (kind_name == "token"))
        return {name: figure for _, (name, figure) in sorted(found.items())}

    def passive_rows(self, state: Any, a: int) -> list[Any]:
        """Passive rows that work for an Ally now."""
        rows = state["ally"][a]["lock_passive"]
        return [self.content["passive"][int(row)] for row in rows if row >= 0]

    def levels(self, state: Any, a: int) -> list[int]:
        """Levels of the abilities, with what is added this round and what injuries take."""
        sheet, ally = self.content["sheet"][a], state["ally"][a]
        injured = _injury(self.content, ally, "dice")
        added = sheet["ability"] + ally["ability"]
        return [max(0, int(added[k]) - int(injured[k])) for k in range(3)]

    def is_focused(self, ally: Any) -> bool:
        """R3.21 - whether Focus adds a die to the checks of an Ally."""
        focused = ally["token"] == layout.FOCUS and not ally["flipped"]
        return bool(focused and ally["kind"] == Kind.HERO)

    def is_focus_flipped(self, ally: Any) -> bool:
        """R3.21, R6.8 - whether a Hero chose Focus, which adds no die after Rethink."""
        return bool(ally["token"] == layout.FOCUS and ally["flipped"])

    def jump_less(self, state: Any, a: int) -> int:
        """R7.37 - areas by which injuries shorten a jump."""
        return int(_injury(self.content, state["ally"][a], "move"))

    def _levels(self, state: Any, a: int) -> Mapping:
        return dict(zip(ABILITIES, self.levels(state, a), strict=True))

    def _hero(self, state: Any, a: int) -> Mapping:
        """A Hero's sheet with effective numbers, and its state."""
        sheet, ally = self.content["sheet"][a], state["ally"][a]
        move = sum(int(row["move"]) for row in self.passive_rows(state, a))
        move -= int(_injury(self.content, ally, "move"))
        less = int(_injury(self.content, ally, "recover"))
        board: Mapping = {
            "blue": int(sheet["blue"]),
            "red": int(sheet["red"]),
            **self._levels(state, a),
            "taunt": int(sheet["taunt"]),
            "move": {
                "free": max(0, int(sheet["move_free"]) + move),
                "paid": max(0, int(sheet["move_paid"]) + move),
                "cost": int(sheet["move_cost"]),
            },
            "recover": {
                "stamina": max(0, int(sheet["recover_stamina"]) - less),
                "damage": max(0, int(sheet["recover_damage"]) - less),
            },
        }
        card: Mapping = {"hero": board, **self._common(state, ally)}
        card |= self._traits(state, a)
        for key in ("disk", "spent", "wounds"):
            card[key] = int(ally[key])
        card |= flags(ally, "wounded exhausted focus_rolled revived")
        card |= amounts(ally, "inspiration achievement")
        card |= non_default(
            injuries=int(ally["injury"].sum()),
            locks=self._locks(ally),
            items=self.items_of(ally["item"]),
            evade=int(ally["evade"]),
            chosen=None if self.is_focus_flipped(ally) else self.action(a, int(ally["token"])),
        )
        return card | {"colour": Colour(int(ally["colour"])).name.lower()}

    def _companion(self, state: Any, a: int) -> Mapping:
        """A Non-Hero Ally's card and its state."""
        sheet, ally = self.content["sheet"][a], state["ally"][a]
        board: Mapping = {
            "health": int(sheet["health"]),
            **self._levels(state, a),
            "taunt": int(sheet["taunt"]),
            "move": int(sheet["move_free"]),
            "recover": int(sheet["recover_damage"]),
            "colour": Colour(int(sheet["colour"])).name.lower(),
            "size": SIZES[int(sheet["size"])],
        }
        card: Mapping = {"ally": board, **self._common(state, ally), **self._traits(state, a)}
        card["health"] = int(ally["health"])
        return card | amounts(ally, "evade") | flags(ally, "exhausted")

    def _common(self, state: Any, record: Any) -> Mapping:
        """What every Ally and Enemy has."""
        card: Mapping = {"area": self.areas[int(record["area"])]}
        conditions = conditions_of(int(record["conditions"]))
        return card | non_default(conditions=conditions) | flags(record, "acted")

    def _traits(self, state: Any, a: int) -> Mapping:
        """Fly, Mirror, Revenge, Riposte and special initiatives, by whatever they come."""
        ally, card = state["ally"][a], Mapping()
        rows = self.passive_rows(state, a)
        for key in ("fly", "mirror", "revenge"):
            if ally[key] or any(row[key] for row in rows):
                card[key] = True
        for riposte in self.ripostes(state, a)[-1:]:
            card["riposte"] = riposte
        return card | non_default(special=specials_of(int(ally["special"])))

    def has_riposte_of_its_own(self, state: Any, a: int) -> bool:
        """R11.10, R18.5 - whether an Ally has more than the one Riposte of a figure's words."""
        by_faces = bool(self.content["sheet"][a]["h_riposte"])
        return by_faces or len(self.ripostes(state, a)) > 1

    def ripostes(self, state: Any, a: int) -> list[Mapping]:
        """R11.10 - every Riposte of an Ally; a figure of the format has one."""
        found: list[Mapping] = []
        for row in (state["ally"][a], *self.passive_rows(state, a)):
            if row["riposte"] > 0:
                riposte: Mapping = {"amount": int(row["riposte"])}
                if row["riposte_range"] >= 0:
                    riposte["range"] = int(row["riposte_range"])
                if row["riposte_type"] >= 0:
                    riposte["type"] = TYPES[int(row["riposte_type"])]
                if row["riposte_when"] > 0:
                    riposte["when"] = WHEN[int(row["riposte_when"])]
                found.append(riposte)
        return found

    def _locks(self, ally: Any) -> Mapping:
        """Chips on passive actions and gear; what works without chips is in the numbers."""
        locks: Mapping = {}
        for row, chips in zip(ally["lock_passive"], ally["lock_chips"], strict=True):
            if row >= 0 and chips > 0:
                passive = self.content["passive"][int(row)]
                lock: Mapping = {"chips": int(chips), "need": int(passive["need"])}
                reactive = dict(zip(ABILITIES, passive["reactive"].tolist(), strict=True))
                locks[self.passives[int(row)]] = lock | non_default(
                    reactive=non_default(**reactive)
                )
        return locks

    def _enemy(self, state: Any, e: int) -> Mapping:
        """An Enemy's card and its state."""
        enemy = state["enemy"][e]
        card: Mapping = {"enemy": self.card(int(enemy["type"]), int(enemy["full"]))}
        card |= self._common(state, enemy) | flags(enemy, "fly mirror revenge spawned")
        card |= {"special": "last"} if enemy["last"] else {}
        return card | {"health": int(enemy["health"]), "number": int(enemy["number"])}

    def card(self, kind: int, full: int) -> Mapping:
        """The Enemy card of a type, as far as the format has what it says."""
        row = self.content["type"][kind]
        card: Mapping = {
            "type": self.types[kind],
            "colour": Colour(int(row["colour"])).name.lower(),
            "health": full,
        }
        card |= amounts(row, "shield provoke provoke_range") | flags(row, "provoke_loss")
        card |= {"size": SIZES[int(row["size"])]} if row["size"] > 1 else {}
        card |= {"tags": ["elite"]} if row["elite"] else {}
        card["actions"] = {eye.name.lower(): self._enemy_action(row, eye) for eye in Eye}
        card |= non_default(snake=self._additions(int(row["snake_first"]), int(row["snake_n"])))
        if row["leave"] >= 0:
            card["defeat"] = {"leave": self.items[int(row["leave"])]}
        return card

    def _enemy_action(self, row: Any, eye: Eye) -> Mapping:
        """What an Enemy does under one eye."""
        action: Mapping = {"move": int(row["move"][eye])}
        if row["strike"][eye] >= 0:
            action["attack"] = self.strike(int(row["strike"][eye]))
        horns = self._additions(int(row["horns_first"][eye]), int(row["horns_n"][eye]))
        return action | non_default(horns=horns)

    def strike(self, index: int, made: Any = None) -> Mapping:
        """An Enemy's attack as its card shows it, or as horns and snake make it (`s.strike`)."""
        card_row = self.content["strike"][index]
        row = card_row if made is None else made
        card: Mapping = {
            "type": TYPES[int(row["type"])],
            "ability": ABILITIES[int(card_row["ability"])],
        }
        for key in ("value", "range", "area"):
            card |= {key: int(row[key])} if row[key] >= 0 else {}
        targets = int(row["targets" if made is None else "limit"])
        card |= {"target": targets} if targets > 1 else {}
        card |= non_default(condition=conditions_of(int(row["conditions"])))
        card |= amounts(row, "push pull") | flags(row, "loss drain")
        row = card_row
        if row["or_else"]:
            abilities = [a for k, a in enumerate(ABILITIES) if row["or_else_abilities"] >> k & 1]
            card["or_else"] = {
                "ability": abilities,
                "number": int(row["or_else_number"]),
            } | non_default(
                condition=conditions_of(int(row["or_else_conditions"])),
                damage=int(row["or_else_damage"]),
            )
        return card

    def _additions(self, first: int, n: int) -> Mapping:
        """What horns or snake add; the rest is written as verbs of its own."""
        card: Mapping = {}
        for row in self.content["effect"][first : first + n]:
            op, amount = Op(int(row["op"])), int(row["amount"])
            if op in ADDED:
                card[ADDED[op]] = amount
            elif op in (Op.FLY, Op.ADD_DRAIN):
                card["fly" if op == Op.FLY else "drain"] = True
            elif op == Op.ADD_CONDITION:
                card.setdefault("condition", []).append(condition_name(int(row["a"])))
            elif op == Op.ENEMY_HEAL:
                card["heal"] = amount if amount >= 0 else "full"
            elif op == Op.STRIKE:
                card["attack"] = self.strike(int(row["a"]))
        return card

    # ---- decks ------------------------------------------------------------------------------
    def decks(self, state: Any) -> Mapping:
        """Initiative and Fate cards; the Trap card is that of the case."""
        return {"initiative": self.initiative(state), "fate": self.fate(state)}

    def initiative(self, state: Any) -> Mapping:
        """Names of the Initiative cards in their piles."""
        piles: Mapping = {}
        for key, pile in (("deck", "initiative"), ("discard", "initiative_discard")):
            cards = state[pile][: int(state[f"n_{pile}"])]
            piles[key] = [self.cards[int(card)] for card in cards]
        return piles

    def fate(self, state: Any) -> Mapping:
        """Values of the Fate cards in their piles."""
        fate: Mapping = {}
        for key, pile in (("deck", "fate"), ("discard", "fate_discard"), ("timer", "timer")):
            fate[key] = [int(value) for value in state[pile][: int(state[f"n_{pile}"])]]
        target = int(state["timer_target"])
        return fate | ({"target": target} if target > 0 else {})

    def trap_card(self, index: int) -> Mapping:
        """A Trap card; a check that it offers is none of the format's."""
        row = self.content["trap"][index]
        condition = conditions_of(int(row["conditions"]))
        return non_default(damage=int(row["damage"]), condition=condition)

    def bars(self, card: int) -> list[Plain]:
        """The six bars of an Initiative card, such as hR+ and eG-C-sh."""
        letters: dict[str, str] = {name: letter for letter, name in COLOUR_LETTERS.items()}
        eyes: dict[str, str] = {name: letter for letter, name in EYE_LETTERS.items()}
        row, bars = self.content["card"][card], []
        for k in range(6):
            letter = letters[Colour(int(row["colour"][k])).name.lower()]
            if not row["enemy"][k]:
                bars.append(f"h{letter}" + "+" * int(row["bonus"][k]))
                continue
            signs = "s" * int(row["snake"][k]) + "h" * int(row["horns"][k])
            eye = eyes[Eye(int(row["eye"][k])).name.lower()]
            bars.append(f"e{letter}-{eye}" + (f"-{signs}" if signs else ""))
        return [*bars]

    # ---- the truth --------------------------------------------------------------------------
    def world(self, case: Case, states: Records, cast: dict[str, int], gone: set[str]) -> World:
        """The game itself as the world of a case, for reports in the words of the format.

        cast: codes of the figures of the case by their names; gone: those whose slot another took.
        """
        n, m = layout.N_ALLIES, layout.N_ALLIES + layout.N_ENEMIES
        world = World(case, states, self.compiled.content, self.names, gone=gone)
        world.allies = {name: code for name, code in cast.items() if code < n}
        world.enemies = {name: code - n for name, code in cast.items() if n <= code < m}
        world.figures = {name: code - m for name, code in cast.items() if code >= m}
        world.tokens = self.tokens
        world.kinds = {name: name for name in self.types}
        return world


ADDED = {
    Op.ADD_MOVE: "move",
    Op.ADD_VALUE: "value",
    Op.ADD_RANGE: "range",
    Op.ADD_AREA: "area",
    Op.ADD_PUSH: "push",
    Op.ADD_PULL: "pull",
    Op.ADD_TARGET: "target",
    Op.ENEMY_SELF: "self",
}


BORDERS: dict[Border, list[str]] = {
    Border.SINGLE: [],
    Border.DOUBLE_DOWN: ["double"],
    Border.DOUBLE_UP: ["double"],
    Border.BARRIER: ["barrier"],
}


# ---- words --------------------------------------------------------------------------------------
def non_default(**parts: Any) -> Mapping:
    """The parts of a card that are neither 0, empty nor absent: the format's defaults."""
    return {key: part for key, part in parts.items() if part}


def amounts(record: Any, names: str) -> Mapping:
    """Fields of a record, by names separated by spaces, that are not 0."""
    return non_default(**{name: int(record[name]) for name in names.split()})


def flags(record: Any, names: str) -> Mapping:
    """Fields of a record, by names separated by spaces, that are set, as True."""
    return non_default(**{name: bool(record[name]) for name in names.split()})


def slug(text: str) -> str:
    """A name as the format's examples write names: small letters and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


class Fresh:
    """Gives every name once, with a number behind it where it is taken."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def __call__(self, name: str) -> str:
        """The name, or one like it."""
        new = next(
            new for n in count(1) if (new := name if n == 1 else f"{name}-{n}") not in self.taken
        )
        self.taken.add(new)
        return new


def conditions_of(bits: int) -> list[Plain]:
    """Names of the conditions in a bit set, by number."""
    return [condition_name(number) for number in Condition if bits >> number & 1]


def specials_of(bits: int) -> list[Plain]:
    """Names of special initiatives in a bit set."""
    return [special.name.lower() for special in terms.Special if bits & special]


def _injury(content: Any, ally: Any, field: str) -> Any:
    """What the Injury cards of an Ally take, added up."""
    held = ally["injury"].astype(int)
    cards = content["injury"][field].astype(int)
    return (held * cards.T).sum(axis=-1)


# ---- ways ---------------------------------------------------------------------------------------
def ways_of(content: Any, state: Any, e: int) -> int:
    """R10.13, R10.16, R10.17 - how many shortest ways lead an Enemy to where it is walking."""
    turn, size = state["turn"], int(content["type"][int(state["enemy"][e]["type"])]["size"])
    here, n = int(state["enemy"][e]["area"]), int(content["n_areas"])
    ways = {here: 1}
    for _ in range(int(turn["n_path"])):
        further: dict[int, int] = {}
        for x, number in ways.items():
            for y in range(n):
                kind = Border(int(content["border"][x, y]))
                if kind == Border.SINGLE or (turn["fly"] and _open(content, x, y)):
                    used = int(state["used"][y]) - (size if y == here else 0)
                    most = int(content["capacity"][y])
                    room = used + size <= most or not state["allies_in"][y]
                    if (most >= size and room) or (most == 0 and turn["fly"]):
                        further[y] = further.get(y, 0) + number
        ways = further
    path = turn["path"][: int(turn["n_path"])].tolist()
    return ways.get(int(path[-1]), 0) if path else 1


# ---- sight --------------------------------------------------------------------------------------
def sight_lines(content: Any) -> Iterator[tuple[int, ...]]:
    """One line for each set of areas that the lines of sight of a pair cross (R7.24, R7.29).

    Neighbours see each other without a line of their own.
    """
    n = int(content["n_areas"])
    for a in range(n):
        for b in range(a + 1, n):
            if content["sees"][a, b]:
                sets = content["crossing"][a, b][: int(content["n_crossings"][a, b])]
                for bits in sets.tolist():
                    line = next(lines_through(content, (a,), bits, b), None)
                    if line is not None and len(line) > 2:
                        yield line


def lines_through(
    content: Any, begun: tuple[int, ...], bits: int, end: int
) -> Iterator[tuple[int, ...]]:
    """Clear lines that go on from those begun through every area of a bit set to the end."""
    here = begun[-1]
    if bits == 0:
        if _open(content, here, end) and _clear(content, (*begun, end)):
            yield (*begun, end)
        return
    for area in range(int(content["n_areas"])):
        if bits >> area & 1 and _open(content, here, area):
            yield from lines_through(content, (*begun, area), bits & ~(1 << area), end)


def _open(content: Any, x: int, y: int) -> bool:
    """Whether two areas share a border that is no barrier."""
    return int(content["border"][x, y]) not in (Border.NONE, Border.BARRIER)


def _clear(content: Any, line: Iterable[int]) -> bool:
    """R7.24, of double lines: the higher side is an end of the line."""
    areas = [*line]
    for x, y in pairwise(areas):
        kind = int(content["border"][x, y])
        if kind in (Border.DOUBLE_DOWN, Border.DOUBLE_UP):
            higher = x if kind == Border.DOUBLE_DOWN else y
            if higher not in (areas[0], areas[-1]):
                return False
    return True
