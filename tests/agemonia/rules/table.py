"""A small world for one test: the fewest areas and figures that show a rule, and scripted dice.

    table = Table("a-b")                        # two areas with a single line between them
    hero = table.hero(disk=2, spent=1)          # a Hero in the first area with these chips
    beast = table.enemy(at="b", shield=1)       # an Enemy with its own card
    table.dice(2, "S")                          # faces of the next Action dice
    table.perform(Verb.DAMAGE, hero, 3)         # any verb of rulesets/agemonia/core/commands.py
    assert (hero.disk, hero.wounds) == (0, 3)   # fields of the record in the state

`begin` plays a whole scenario with the same figures instead of single verbs.
"""

from itertools import pairwise
from typing import ClassVar

import numpy as np

from agemonia_env.core.event_log import clear_rows, empty_rows, read_rows
from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.builder import FACES, Builder
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS, SIZES, STARTS, Block
from agemonia_env.rulesets.agemonia.core.commands import N_ANSWERS, N_ARGUMENTS, Verb
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES, N_TOKENS, STATE
from agemonia_env.rulesets.agemonia.core.terms import Broken, Decision, Denial, Kind, Stream

EYES = ("staring", "open", "closed")
IDLE = {eye: {} for eye in EYES}  # actions of an Enemy that does nothing
BITE = {"type": "melee", "value": 3}


def card(move=2, attack=BITE, horns=None, **more):
    """An Enemy card that does the same under every eye."""
    action = {"move": move, "attack": attack, "horns": horns}
    return {"actions": dict.fromkeys(EYES, action), "health": 5} | more


class Figure:
    """A figure of the table. Its attributes are the fields of its record in the state."""

    def __init__(self, table, group, slot):
        self.table, self.group, self.slot = table, group, slot

    def __index__(self):
        """Its code in verbs: the ally slot, or N_ALLIES + the enemy slot."""
        return self.slot + (N_ALLIES if self.group == "enemy" else 0)

    @property
    def record(self):
        return self.table.states[self.group][0, self.slot]

    def __getattr__(self, name):
        value = self.record[name]
        return value.tolist() if value.ndim else value.item()

    def holds(self, condition):
        return bool(self.conditions >> condition & 1)


class Table:
    """Content and state of one game, built up by keyword arguments."""

    made: ClassVar[list["Table"]] = []  # in this test; see conftest.py

    def __init__(self, path="a", areas=None, borders=(), **rulings):
        """`path`: areas joined by single lines; `areas`: keys of schema.AreaSheet by name."""
        Table.made.append(self)
        names = path.split("-")
        cards = {name: {} for name in names} | (areas or {})
        edges = {tuple(sorted(pair)): list(pair) for pair in pairwise(names)}
        edges |= {tuple(sorted(border[:2])): list(border) for border in borders}
        card = {"areas": cards, "borders": list(edges.values())}
        self.builder = Builder(schema.Rulings.model_validate(rulings))
        self.board = self.builder.add_map(schema.MapCard.model_validate(card))
        self.areas = list(cards)
        self.contents = self.builder.content
        self.content = self.contents[0]
        self.states = zeros(STATE, 1)
        self.which = np.zeros(1, np.int16)
        self.finished = False
        self.kinds = {}
        self.n_enemies = 0
        self.auto_ties = 0
        self.rows = empty_rows(512)
        api.clear(self.states)

    # ---- the event log ---------------------------------------------------------------------
    def clear_log(self):
        """Empty the event log."""
        clear_rows(self.rows)

    def log(self, *events):
        """Rows (event, figure, amount, place) that happened, of these events, in order."""
        return [row[:4] for row in read_rows(self.rows) if row.event in events]

    # ---- figures --------------------------------------------------------------------------
    def area(self, name):
        """Index of an area; an index stays as it is."""
        return self.areas.index(name) if isinstance(name, str) else name

    def hero(self, at=None, disk=None, locks=(), actions=(), conditions=(), **more):
        """A Hero; `more`: keys of schema.HeroSheet, and fields of its record (layout.ALLY).

        Without `blue` it owns as many chips as named; without `disk` the rest lies there. `locks`:
        running passives, keys of schema.Passive; `actions`: keys of schema.ActionCard.
        """
        passives = [schema.Passive.model_validate(lock) for lock in locks]
        named = sum(more.get(k, 0) for k in ("spent", "wounds")) + sum(p.need for p in passives)
        sheet = {k: more.pop(k) for k in list(more) if k in schema.HeroSheet.model_fields}
        if disk is not None:
            sheet.setdefault("blue", disk + named)
        card = schema.HeroSheet.model_validate(sheet)
        hero = self._ally(card, Kind.HERO, at, conditions)
        hero.record["disk"] = card.blue - named if disk is None else disk
        for field, value in more.items():
            hero.record[field] = value
        for slot, passive in enumerate(passives):
            hero.record["lock_passive"][slot] = self.builder.add_passive("lock", passive)
            hero.record["lock_chips"][slot] = passive.need
        for action in actions:
            self.action(hero, **action)
        return hero

    def companion(self, at=None, conditions=(), **sheet):
        """A Non-Hero Ally; `sheet`: keys of schema.CompanionSheet."""
        card = schema.CompanionSheet.model_validate(sheet)
        ally = self._ally(card, Kind.COMPANION, at, conditions)
        ally.record["health"] = card.health
        ally.record["colour"] = self.content["sheet"][ally.slot]["colour"]
        return ally

    def _ally(self, card, kind, at, conditions):
        area = self.area(self.areas[0] if at is None else at)
        ally = Figure(self, "ally", self.builder.add_ally(f"ally {kind}", card, area))
        record = ally.record
        record["kind"], record["order"] = kind, ally.slot
        record["area"] = record["retreat"] = area
        record["armed"][...] = self.content["sheet"][ally.slot]["armed"]
        record["slot"] = (1 << N_TOKENS) - 1
        record["fly"] = card.fly
        record["conditions"] = sum(1 << condition for condition in conditions)
        return ally

    def carry(self, hero, item, used=False, **card):
        """Place of an item that a Hero carries or has in use; `card`: keys of schema.ItemCard.

        An item of this name is made when first carried. Gear in use that needs no stamina works.
        """
        record, sheet = hero.record, self.content["sheet"][hero.slot]
        place = record["item"].tolist().index(-1)
        record["item"][place] = sheet["item"][place] = self._item(item, card)
        if used:
            self._put_to_use(record, sheet, place)
        return place

    def _put_to_use(self, record, sheet, place):
        kind = self.content["item"][record["item"][place]]
        record["active"] |= 1 << place
        sheet["active"] |= 1 << place
        if kind["weapon"] >= 0:
            record["armed"][kind["weapon"]] = 1
        passive = kind["passive"]
        if passive >= 0 and self.content["passive"][passive]["need"] == 0:
            record["lock_passive"][record["lock_passive"].tolist().index(-1)] = passive

    def lay(self, at, item, **card):
        """An item that lies in an area."""
        ground = self.states["item"][0, self.area(at)]
        ground[ground.tolist().index(-1)] = self._item(item, card)

    def _item(self, item, card):
        if item not in self.builder.items():
            sheet = {"name": item, "text": "-", "weight": 0, **card}
            self.builder.add_item_card(item, schema.ItemCard.model_validate(sheet))
        return self.builder.items().index(item)

    def action(self, ally, name="action", **card):
        """Token slot of an action of schema.ActionCard."""
        return self.builder.add_action(
            ally.slot, schema.ActionCard.model_validate({"name": name, **card})
        )

    def kind(self, name="beast", **card):
        """Index of an Enemy type with a card of schema.EnemySheet, made when first named."""
        if name not in self.kinds:
            sheet = schema.EnemySheet.model_validate(card)
            self.kinds[name] = self.builder.add_enemy_type(name, sheet)
        return self.kinds[name]

    def enemy(self, at=None, kind=None, number=None, conditions=(), **card):
        """An Enemy of type `kind`; without one it gets a type of its own with this card."""
        area = self.area(self.areas[0] if at is None else at)
        health = card.pop("left", None)
        row = self.kind(kind or f"beast {self.n_enemies}", **card)
        enemy = Figure(self, "enemy", self.n_enemies)
        same = sum(1 for e in range(self.n_enemies) if self.states["enemy"][0, e]["type"] == row)
        self.n_enemies += 1
        self.builder.add_setup(row, area)
        record = enemy.record
        sheet = self.content["type"][row]
        record["type"], record["number"] = row, number or same + 1
        record["order"] = N_ALLIES + enemy.slot
        record["area"] = record["retreat"] = area
        record["full"] = sheet["base"] + sheet["per_hero"] * self.content["n_heroes"]
        record["health"] = record["full"] if health is None else health
        for flag in ("fly", "mirror", "revenge"):
            record[flag] = sheet[flag]
        record["conditions"] = sum(1 << condition for condition in conditions)
        return enemy

    def card(self, bars):
        """An Initiative card as in a file: 'hR+, hB, hG, eR-O, eB-S-h, eG-C-s', * = Shuffle."""
        return self.builder.add_card(schema.InitiativeCard.model_validate(bars))

    def event(self, when, *rows, number=0, subject=-1):
        """A scenario event with effect rows (op, amount, type or -1, area or -1)."""
        full = [(op, amount, 0, a, b) for op, amount, a, b in rows]
        return self.builder.add_event(when, number, subject, full)

    def section(self, at, *rows, failed=(), **card):
        """Index of a story section at a story point; rows as in `event`, card: schema.Section."""
        full = [[(op, amount, 0, a, b) for op, amount, a, b in part] for part in (rows, failed)]
        sheet = schema.Section.model_validate({"text": "-", "area": "A", **card})
        name = f"section {self.content['n_stories']}"
        return self.builder.add_section(name, sheet, self.area(at), *full)

    # ---- chance ---------------------------------------------------------------------------
    def load(self, stream, values, owner=-1):
        """Scripted faces or cards, used in order before chance."""
        for value in values:
            n = self.states["n_loaded"][0]
            self.states["loaded"][0, n] = (stream, owner, value)
            self.states["n_loaded"][0] = n + 1

    def dice(self, *faces):
        """Faces of the next Action dice: 0, 1, 2, 'X' (1 and one more die) or 'S'."""
        self.load(Stream.ACTION_DICE, [FACES[face] for face in faces])

    def reaction_dice(self, *faces):
        """Faces of the next Reaction dice: 0, 1, 2 or 'H'."""
        self.load(Stream.REACTION_DICE, [FACES[face] for face in faces])

    @property
    def unrolled(self):
        """Scripted faces and cards that are left over."""
        return int(self.states["n_loaded"][0])

    # ---- play -----------------------------------------------------------------------------
    def finish(self):
        """Close the content; the cached counts of figures per area are set."""
        if not self.finished:
            self.builder.finish()
            self.finished = True
            self._perform(Verb.RECOUNT)

    def _perform(self, verb, *values):
        x = np.zeros(N_ARGUMENTS, np.int32)
        x[: len(values)] = [value.__index__() for value in values]
        return Denial(int(api.perform(self.states, self.contents, int(verb), x, self.rows)))

    def perform(self, verb, *values):
        """Begin a verb and run to the next question -> Denial; its events are kept."""
        self.finish()
        self.clear_log()
        return self._perform(verb, *values)

    def query(self, question, *values):
        """Answers, int16 (N_ANSWERS,), to a query of rulesets/agemonia/core/commands.py."""
        self.finish()
        x, out = np.zeros(N_ARGUMENTS, np.int32), np.zeros(N_ANSWERS, np.int16)
        x[: len(values)] = [value.__index__() for value in values]
        api.query(self.states, self.contents, int(question), x, out)
        return out

    def begin(self, seed=1, auto_ties=0):
        """Set the scenario up and play to the first decision that leaves a choice.

        Without Initiative or Fate cards there is one of each: Heroes first, value 0.
        """
        if self.content["n_cards"] == 0:
            self.card("hR, hB, hG, eR-O, eB-O, eG-O")
        if self.content["n_fate"] == 0:
            self.builder.add_fate(0)
        self.builder.finish()
        self.finished = True
        loaded, n = self.states["loaded"][0].copy(), int(self.states["n_loaded"][0])
        self.states = zeros(STATE, 1)
        self.states["loaded"][0], self.states["n_loaded"][0] = loaded, n
        self.auto_ties = auto_ties
        seeds, select = np.array([seed], np.uint64), np.ones(1, np.uint8)
        api.reset(self.states, self.contents, self.which, seeds, select, auto_ties, self.rows)
        return self

    def answer(self, block, index=0):
        """Answer the question now asked -> Denial; nothing is played by itself."""
        action = action_of(block, index)
        return Denial(int(api.answer(self.states, self.contents, action, self.rows)))

    def step(self, block, index=0):
        """Answer as an environment does; forced decisions are then played -> Denial."""
        denials = np.zeros(1, np.int16)
        actions = np.array([action_of(block, index)], np.int64)
        self.clear_log()
        control = self.auto_ties
        api.step(self.states, self.contents, self.which, actions, control, self.rows, denials)
        return Denial(int(denials[0]))

    def legal(self, block=None):
        """Legal actions: (block, index) pairs, or the indices of one block."""
        mask = np.zeros((1, N_ACTIONS), np.uint8)
        api.write_masks(self.states, self.contents, self.which, mask)
        pairs = [(b, k) for b in Block for k in range(SIZES[b]) if mask[0, STARTS[b] + k]]
        return pairs if block is None else [k for b, k in pairs if b == block]

    def denials(self, block):
        """Denial of every index of a block."""
        denials = np.zeros(N_ACTIONS, np.int16)
        api.write_denials(self.states, self.contents, self.which, 0, denials)
        return [Denial(int(d)) for d in denials[STARTS[block] : STARTS[block] + SIZES[block]]]

    def denial(self, block, index=0):
        """Why an action does not answer the question now asked."""
        return self.denials(block)[slot_of(index)]

    # ---- looking --------------------------------------------------------------------------
    def __getattr__(self, name):
        """Plain fields of the state, as Python numbers."""
        if name == "states":
            raise AttributeError(name)
        return self.states[name][0].tolist()

    @property
    def broken(self):
        """Bits of terms.Broken; those of decks and task stack have no meaning on a table."""
        out = np.zeros(1, np.int64)
        api.status(self.states, self.contents, self.which, out)
        return int(out[0]) & ~(Broken.DECKS | Broken.TASKS)

    @property
    def drawn(self):
        """This round's Initiative card."""
        return int(self.states["card"][0])

    @property
    def asks(self):
        """(Decision, the ally whose player decides or -1)."""
        return Decision(int(self.states["decision"][0])), int(self.states["asked"][0])


def slot_of(index):
    """In actions a Figure counts by its slot."""
    return index.slot if isinstance(index, Figure) else int(index)


def action_of(block, index=0):
    """The flat action that names `index` of a block."""
    return STARTS[block] + slot_of(index)
