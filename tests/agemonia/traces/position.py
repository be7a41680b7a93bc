"""A position of a game in the words of the case format.

What levels, skills, gear and injuries change is in the numbers of the sheets.
"""

import re
from dataclasses import replace

from agemonia_env.rulesets.agemonia.cases.world import HOOK_AND_ROPE, PRINTED, World
from agemonia_env.rulesets.agemonia.content import board as boards
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.content.difficulty import changed_enemy, difficulty_of
from agemonia_env.rulesets.agemonia.content.drawing import read_map
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.core import layout
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES, N_ENEMIES
from agemonia_env.rulesets.agemonia.core.terms import Ability, Colour, Condition, Kind, Special

CONDITIONS = ["", *(one.name.lower() for one in Condition)]  # by number
FIRST_TOKEN = N_ALLIES + N_ENEMIES  # code of the first summoned token or pet
# names that a case shares with the fields of states and Enemy cards
NUMBERS = ("disk", "spent", "wounds", "inspiration", "achievement", "evade", "health", "number")
TRAITS = ("fly", "mirror", "revenge")
FLAGS = ("acted", "spawned", "wounded", "exhausted", "revived", "focus_rolled", *TRAITS)
ON_CARD = ("colour", "shield", "provoke", "provoke_range", "provoke_loss", "size", "tags")
ADDED = ("move", "value", "range", "area", "condition", "drain", "push", "pull", "target")
ADDED += ("fly", "heal", "self", "attack")
RIPOSTE = {"type": ("melee", "ranged", "magic"), "when": ("damaged", "undamaged")}


def given(**parts):
    """The parts that are neither 0, empty nor absent: the format's defaults."""
    return {key: part for key, part in parts.items() if part}


def word(member):
    return member.name.lower()


def conditions(bits):
    return [CONDITIONS[number] for number in Condition if bits >> number & 1]


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def dumped(card):
    return card.model_dump(by_alias=True, exclude_defaults=True)


def bar_word(bar):
    """A bar of an Initiative card, such as hR+ and eG-C-sh."""
    if not bar.enemy:
        return f"h{bar.colour[0].upper()}" + "+" * bar.bonus
    signs = ["s" * bar.snake + "h" * bar.horns] * (bar.snake or bar.horns)
    return "-".join([f"e{bar.colour[0].upper()}", bar.eye[0].upper(), *signs])


class Game:
    """A scenario with a party: names of everything in it, and its positions."""

    def __init__(self, scenario, heroes, level=None, difficulty="normal"):
        pack = load_pack("core")
        self.card, faces = pack.scenarios[scenario], pack.initiative.cards
        self.compiled = compile_scenario(pack, scenario, heroes, level=level, difficulty=difficulty)
        self.content, names = self.compiled.content[0], self.compiled.names
        self.board, drawing = read_map(self.card.map)
        self.areas = drawing.letters
        self.allies, self.types = [*map(slug, names.allies)], [*map(slug, names.types)]
        self.tokens, self.passives = [*map(slug, names.figures)], [*map(slug, names.passives)]
        ropes = self.content["item"]["rope"]
        self.items = [HOOK_AND_ROPE if ropes[k] else slug(n) for k, n in enumerate(names.items)]
        words = {"areas": self.areas, "items": self.items, "passives": self.passives}
        self.names = replace(names, **words)
        printed = {slot: action for action, slot in PRINTED.items()}
        self.actions = [
            {k: printed.get(k) or slug(name) for k, name in enumerate(own)} for own in names.tokens
        ]
        self.cards = [f"card-{k}{'*' * face.shuffle}" for k, face in enumerate(faces, 1)]
        self.bars = [[*map(bar_word, face.bars)] for face in faces]
        sheets = {enemy.name: enemy.card for enemy in pack.enemies.values()}
        change = difficulty_of(self.card, difficulty)
        self.sheets = [changed_enemy(sheets[name], change) for name in names.types]
        self.sight = self._sight()

    def enemy(self, state, e):
        return f"{self.types[state['enemy'][e]['type']]}-{state['enemy'][e]['number']}"

    def figure(self, state, code):
        """Name of a figure by its code in the event log."""
        if N_ALLIES <= code < FIRST_TOKEN:
            return self.enemy(state, code - N_ALLIES)
        return self.allies[code] if code < N_ALLIES else self.tokens[code - FIRST_TOKEN]

    def cast(self, state):
        """Side and slot of the figures on the map by their names, in the order of figures (Q45)."""
        firsts = {"ally": 0, "enemy": N_ALLIES, "figure": FIRST_TOKEN}
        found = [(side, k) for side in firsts for k in (state[side]["area"] >= 0).nonzero()[0]]
        return {self.figure(state, firsts[side] + k): (side, k) for side, k in found}

    def map(self, state):
        """Areas with what lies in them now, borders, ropes and lines of sight."""
        areas = {name: self._area(state, x) for x, name in enumerate(self.areas)}
        borders = [
            [self.areas[x], self.areas[y], *[edge.kind] * (edge.kind != "single")]
            for (x, y), edge in self.board.edges.items()
        ]
        pairs = [(x, y) for x in range(len(self.areas)) for y in range(x)]
        ropes = [[self.areas[x], self.areas[y]] for x, y in pairs if state["rope"][x] >> y & 1]
        return {"areas": areas, "borders": borders, "sight": [*self.sight]} | given(ropes=ropes)

    def _area(self, state, x):
        area = dumped(self.card.map.areas[self.areas[x]])
        for key in ("name", "trap", "items", "teleport"):
            area.pop(key, None)
        if state["token_colour"][x] >= 0:
            area["teleport"] = {"colour": self.names.portals[state["token_colour"][x]]}
            area["teleport"] |= {} if state["token_active"][x] else {"active": False}
            reach = {"range": state["token_range"][x]}
            area["teleport"] |= reach if reach["range"] >= 0 else {}
        items = [self.items[item] for item in state["item"][x] if item >= 0]
        return area | given(trap=bool(state["trap"][x]), items=items)

    def _sight(self):
        """One line for each set of areas that counts between two areas (R7.24, R7.29)."""
        found = {}
        for line in sorted(boards.clear_lines(self.board), key=lambda line: (len(line), line)):
            x, y = line[0], line[-1]
            crossed = sum(1 << area for area in {*line} - {x, y})
            first = self.content["crossing_first"][boards.pair_of(x, y) :]
            sets = self.content["crossing"][first[0] : first[1]]
            if x < y and crossed and crossed in sets:
                found.setdefault((x, y, crossed), line)
        return [[self.areas[area] for area in line] for _, line in sorted(found.items())]

    def figure_card(self, state, side, k):
        record, a = state[side][k], state["active_ally"]
        if side == "ally":
            return self._ally(state, k)
        if side == "figure":
            card = self.content["figure"][k]
            kind = {"pet" if card["pet"] else "token": {}} | given(fly=bool(card["fly"]))
            return kind | self._state(record)
        card = self.enemy_card(record["type"], record["full"])
        if a >= 0 and state["ally"][a]["provoked"] >> k & 1:
            card.pop("provoke", None)  # R8.3: not again in this turn
        return {"enemy": card, **self._state(record)} | given(special="last" * int(record["last"]))

    def _state(self, record):
        known = record.dtype.names
        held = conditions(record["conditions"]) if "conditions" in known else []
        state = {"area": self.areas[record["area"]]} | given(conditions=held)
        state |= given(**{key: bool(record[key]) for key in FLAGS if key in known})
        return state | given(**{key: record[key] for key in NUMBERS if key in known})

    def _injured(self, ally, field):
        return (ally["injury"].astype(int) * self.content["injury"][field].astype(int).T).sum(-1)

    def levels(self, state, a):
        """Levels of the abilities, with what is added this round and what injuries take."""
        ally = state["ally"][a]
        whole = self.content["sheet"][a]["ability"] + ally["ability"] - self._injured(ally, "dice")
        return {word(ability): max(0, whole[ability]) for ability in Ability}

    def _ally(self, state, a):
        ally, sheet = state["ally"][a], self.content["sheet"][a]
        passive = self.content["passive"]
        working = [passive[row] for row in ally["lock_passive"] if row >= 0]
        found, board = self._state(ally), {**self.levels(state, a), "taunt": sheet["taunt"]}
        found |= given(**{key: any(row[key] for row in (ally, *working)) for key in TRAITS})
        found |= given(special=[word(one) for one in Special if ally["special"] & one])
        for row in (row for row in (ally, *working) if row["riposte"]):  # R11.10: the last counts
            numbers = {key: row[f"riposte_{key}"] for key in ("range", "type")}
            numbers = {"amount": row["riposte"], **numbers, "when": row["riposte_when"] - 1}
            words = {key: RIPOSTE.get(key, {n: n})[n] for key, n in numbers.items() if n >= 0}
            found["riposte"] = words
        if ally["kind"] != Kind.HERO:
            board |= {"health": sheet["health"], "move": sheet["move_free"]}
            board |= {"recover": sheet["recover_damage"], "colour": word(Colour(sheet["colour"]))}
            return {
                "ally": board | {"size": (0, "normal", "large", "huge")[sheet["size"]]},
                **found,
            }
        more = sum(row["move"] for row in working) - self._injured(ally, "move")
        less = self._injured(ally, "recover")
        board |= {"blue": sheet["blue"], "red": sheet["red"], "move": {"cost": sheet["move_cost"]}}
        board["move"] |= {key: max(0, sheet[f"move_{key}"] + more) for key in ("free", "paid")}
        kinds = ("stamina", "damage")
        board["recover"] = {key: max(0, sheet[f"recover_{key}"] - less) for key in kinds}
        locks = [(k, n) for k, n in zip(ally["lock_passive"], ally["lock_chips"], strict=True) if n]
        used = ally["token"] == layout.FOCUS and ally["flipped"]  # R3.21: no die after Rethink
        found |= given(
            injuries=ally["injury"].sum(),
            locks={self.passives[k]: {"chips": n, "need": passive[k]["need"]} for k, n in locks},
            items=[self.items[item] for item in ally["item"] if item >= 0],
            chosen=None if used else self.actions[a].get(ally["token"]),
        )
        chips = {"disk": ally["disk"], "wounds": ally["wounds"]}
        return {"hero": board, **found, **chips, "colour": word(Colour(ally["colour"]))}

    def enemy_card(self, kind, full):
        """The card of an Enemy type, as far as the format has what it says."""
        sheet, leave = self.sheets[kind], self.content["type"][kind]["leave"]
        card = {"type": self.types[kind], "health": full, "actions": {}}
        card |= {key: part for key, part in dumped(sheet).items() if key in ON_CARD}
        for eye, action in sheet.actions:
            attack = {} if action.attack is None else {"attack": dumped(action.attack)}
            horns = given(horns=self._additions(sheet, action.horns))
            card["actions"][eye] = {"move": action.move, **attack, **horns}
        card |= given(snake=self._additions(sheet, sheet.snake))
        return card | ({"defeat": {"leave": self.items[leave]}} if leave >= 0 else {})

    @staticmethod
    def _additions(sheet, part):
        """What horns or snake add, and the ability that they name."""
        cards = [dumped(card) for card in sheet.additions(part)]
        found = {key: value for card in cards for key, value in card.items() if key in ADDED}
        return found | ({"heal": found["heal"].get("amount", 1)} if "heal" in found else {})

    def decks(self, state):
        """Initiative and Fate cards; Trap cards are written as what they cause."""
        names = ("initiative", "initiative_discard", "fate", "fate_discard", "timer")
        deck, discard, *fate = (state[name][: state[f"n_{name}"]].tolist() for name in names)
        fate = dict(zip(("deck", "discard", "timer"), fate, strict=True))
        fate |= given(target=max(0, state["timer_target"]))
        piles = {"deck": [self.cards[k] for k in deck], "discard": [self.cards[k] for k in discard]}
        return {"initiative": piles, "fate": fate}

    def world(self, case, states, codes):
        """The game itself as the world of a case, for reports in the words of the format."""
        world = World(case, states, self.compiled.content, self.names)
        world.tokens = [{name: k for k, name in own.items()} for own in self.actions]
        sides = {"ally": world.allies, "enemy": world.enemies, "figure": world.figures}
        for name, (side, k) in codes.items():
            sides[side][name] = k
        return world
