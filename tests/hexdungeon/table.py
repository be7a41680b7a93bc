"""A small scenario of HexDungeon made by hand, and a game of it played by its rules alone."""

import numpy as np

from agemonia_env.core.jit import entry, zeros
from agemonia_env.rulesets.hexdungeon.cases.position import boards_of
from agemonia_env.rulesets.hexdungeon.cases.schema import Board
from agemonia_env.rulesets.hexdungeon.content.board import fill
from agemonia_env.rulesets.hexdungeon.content.modifier_cards import STANDARD, write_card
from agemonia_env.rulesets.hexdungeon.core import api, flow
from agemonia_env.rulesets.hexdungeon.core.actions import N_ACTIONS, SIZES, Block
from agemonia_env.rulesets.hexdungeon.core.layout import (
    CONTENT,
    FIRST_MONSTER,
    FIRST_SUMMON,
    STATE,
)
from agemonia_env.rulesets.hexdungeon.core.rules import (
    hand_management,
    monster_actions,
    order,
    rounds,
    setup,
)
from agemonia_env.rulesets.hexdungeon.core.terms import Decision, Denial, Op, Side, Terrain

RAT, GUARD, WOLF = 0, 1, 2  # kinds; the last is of summons
N_CARDS = 5
NO_ROWS = np.zeros((0, 6), np.int16)


@entry
def run(states, contents, scratch, rows):
    flow.run_until_decision(states[0], contents[0], scratch[0], rows)


@entry
def set_up(states, contents):
    setup.set_up(states[0], contents[0])


@entry
def clear(states):
    setup.clear(states[0])


@entry
def next_figure(states):
    return order.next_figure(states[0])


@entry
def write_denial(states, decision, h, index, out):
    """Why the answer `index` to a decision of character h is refused, into out[0]."""
    s = states[0]
    if decision == Decision.NEXT_TYPE:
        out[0] = order.next_type_denial(s, index)
    elif decision == Decision.LEAD:
        out[0] = hand_management.lead_denial(s, h, index)
    elif decision == Decision.SECOND:
        out[0] = hand_management.second_denial(s, h, index)
    elif decision == Decision.REST_LOSE:
        out[0] = hand_management.lose_denial(s, h, index)
    elif decision == Decision.TURN:
        out[0] = rounds.turn_denial(s, index)
    elif decision == Decision.END_HEX:
        out[0] = monster_actions.end_hex_denial(s, index)
    elif decision == Decision.FOCUS:
        out[0] = monster_actions.focus_denial(s, index)
    else:
        out[0] = hand_management.rest_denial(s, h)


class Content:
    """A scenario record in the making: an open board, two kinds of monsters, wolves to summon."""

    def __init__(self, heroes=1, width=10, height=7, doors=(), **terrain):
        self.case = Board(id="table", width=width, height=height, terrain=terrain)
        self.records = zeros(CONTENT)
        self.c = self.records[0]
        boards = boards_of([self.case])
        fill(boards[0]["terrain"][Terrain.DOOR], map(self.case.number, doors))
        api.settle(boards)
        self.c["board"] = boards[0]
        self.c["level"], self.c["n_heroes"], self.c["n_types"] = 1, heroes, 2
        self.c["goal_amount"] = 1
        self.n_rows = 0
        for place, text in enumerate(STANDARD):
            write_card(self.c["deck"][place], text)
        self.c["n_deck"] = len(STANDARD)
        self.c["basic_attack"] = self.row(Op.ATTACK, amount=2)
        self.c["basic_move"] = self.row(Op.MOVE, amount=2)
        for h in range(heroes):
            self.hero(h)
        for kind, initiative in ((RAT, 50), (GUARD, 50), (WOLF, 0)):
            self.stats(kind, hp=4, move=2, attack=2, targets=1)
            self.monster_card(kind, initiative, (Op.MOVE, {}), (Op.ATTACK, {}))

    def row(self, op, **fields):
        """A line of a card -> its number."""
        row = self.c["row"][self.n_rows]
        row["op"] = op
        for name in ("template", "bonus", "kind"):
            row[name] = -1
        for name, value in fields.items():
            row[name] = value
        self.n_rows += 1
        return self.n_rows - 1

    def hero(self, h):
        """Cards of initiative 10 + h, 20 + h ... with Attack 3 above and Move 3 below."""
        sheet = self.c["hero"][h]
        sheet["hp"], sheet["n_cards"], sheet["start"] = 10, N_CARDS, self.case.number((0, h))
        for card in range(N_CARDS):
            sheet["card"][card]["initiative"] = 10 * (card + 1) + h
            self.half(h, card, 0, (Op.ATTACK, {"amount": 3}))
            self.half(h, card, 1, (Op.MOVE, {"amount": 3}))

    def half(self, h, card, k, *lines, loss=0, xp=0):
        """The top (k = 0) or bottom of a card."""
        half = self.c["hero"][h]["card"][card]["half"][k]
        half["first"], half["n_rows"] = self.n_rows, len(lines)
        half["loss"], half["xp"] = loss, xp
        for op, fields in lines:
            self.row(op, **fields)

    def stats(self, kind, elite=(0, 1), **fields):
        for k in elite:
            for name, value in fields.items():
                self.c["kind"][kind]["stats"][k][name] = value

    def monster_card(self, kind, initiative, *lines, shuffle=0):
        """The only card of a kind."""
        self.c["kind"][kind]["n_cards"] = 1
        card = self.c["kind"][kind]["card"][0]
        card["initiative"], card["shuffle"] = initiative, shuffle
        card["first"], card["n_rows"] = self.n_rows, len(lines)
        for op, fields in lines:
            self.row(op, **fields)

    def spawn(self, kind, at, elite=0, room=0):
        spawn = self.c["spawn"][self.c["n_spawns"]]
        spawn["kind"], spawn["elite"], spawn["room"] = kind, elite, room
        spawn["at"] = self.case.number(at)
        self.c["n_spawns"] += 1
        self.c["n_rooms"] = max(self.c["n_rooms"], room + 1)

    def door(self, at, room):
        k = self.c["n_doors"]
        self.c["door"][k], self.c["door_room"][k] = self.case.number(at), room
        self.c["n_doors"] += 1


class Table:
    """A game of a scenario, or with begin=False an empty table for a position."""

    def __init__(self, content, begin=True, seed=1):
        self.content, self.case = content, content.case
        self.states, self.scratch = zeros(STATE), zeros(api.CORE.SCRATCH)
        self.rows = NO_ROWS
        self.s = self.states[0]
        self.s["chance"] = np.arange(seed, seed + len(self.s["chance"]))
        if begin:
            set_up(self.states, content.records)
            self.run()
        else:
            clear(self.states)
            self.s["board"] = content.c["board"]
            self.s["plain"] = 1

    def run(self):
        run(self.states, self.content.records, self.scratch, self.rows)

    def log(self):
        """Keep a log from now on."""
        self.s["logging"] = 1
        self.rows = np.zeros((400, 6), np.int16)
        self.rows[0, 0] = 1

    def events(self, event):
        """Rows of the log of one kind, without their kind."""
        rows = self.rows[1 : self.rows[0, 0]]
        return [tuple(row[1:5].tolist()) for row in rows if row[0] == event]

    def push(self, *procs):
        """Push tasks, the last one on top, and run them."""
        for proc in procs:
            self.s["tasks"][self.s["depth"]] = proc
            self.s["depth"] += 1
        self.run()

    @property
    def decision(self):
        return Decision(int(self.s["decision"]))

    def answer(self, block, index=0):
        """Answer the question asked, and play on to the next."""
        self.s["block"], self.s["decision"] = block, Decision.NONE
        self.s["answer"] = 1 if block == Block.YES else index
        self.run()

    def legal(self):
        """(block, index) of every legal action."""
        mask = np.zeros((1, N_ACTIONS), np.uint8)
        api.write_masks(self.states, self.content.records, np.zeros(1, np.int16), mask)
        pairs = [(block, k) for block in Block for k in range(SIZES[block])]
        return [pair for pair, legal in zip(pairs, mask[0], strict=True) if legal]

    def select(self, lead, second):
        """The character asked chooses two cards."""
        self.answer(Block.CARD, lead)
        self.answer(Block.CARD, second)

    def denial(self, decision, index, h=0):
        out = np.zeros(1, np.int16)
        write_denial(self.states, int(decision), h, index, out)
        return Denial(int(out[0]))

    def figure(self, f):
        return self.s["figure"][f]

    def monster(self, k):
        return self.figure(FIRST_MONSTER + k)

    def place(self, f, side, at, **fields):
        """Put a figure on the board."""
        figure = self.figure(f)
        figure["side"], figure["at"] = side, self.case.number(at)
        figure["hp"] = figure["max_hp"] = 10
        for name, value in fields.items():
            figure[name] = value
        api.find_figures(self.states)

    def hero(self, h, at, **fields):
        self.place(h, Side.HERO, at, **fields)

    def summon(self, k, at, **fields):
        self.place(FIRST_SUMMON + k, Side.SUMMON, at, kind=WOLF, **fields)

    def rat(self, k, at, **fields):
        self.place(FIRST_MONSTER + k, Side.MONSTER, at, **{"kind": RAT, **fields})

    def afflict(self, f, effect, turns=1):
        self.figure(f)["condition"][effect] = turns

    def cards(self, h, place):
        """Cards of character h in a place."""
        return np.flatnonzero(self.s["hero"][h]["place"] == place).tolist()

    def at(self, f):
        """The axial hex of a figure."""
        return self.hex(self.figure(f)["at"])

    def hex(self, number):
        return next((h for h in self.case.hexes() if self.case.number(h) == number), None)

    def tokens(self, *hexes):
        """Lay loot tokens."""
        fill(self.s["loot"], map(self.case.number, hexes))

    def in_decks(self, *cards):
        """Every modifier deck has only these cards, top card first."""
        for deck in self.s["deck"]:
            for k, text in enumerate(cards):
                write_card(deck["card"][k], text)
            deck["n_pile"] = deck["n_own"] = len(cards)
            deck["n_discards"] = 0
            deck["pile"][: len(cards)] = np.arange(len(cards))[::-1]
