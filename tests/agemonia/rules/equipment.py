"""Items that tests carry, and the turn of a Hero that has them."""

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import N_CARRIED
from agemonia_env.rulesets.agemonia.core.terms import Denial
from tests.agemonia.rules.table import Table

MIGHT, AGILITY, WILL = range(3)

SWORD = {"wear": "hand", "hands": 1, "weapon": {"type": "melee", "bonus": 1}}
DAGGER = {"wear": "hand", "hands": 1, "weapon": {"type": "melee", "takes": ["poison", "rune"]}}
AXE = {"wear": "hand", "hands": 2, "weapon": {"type": "melee", "bonus": 2}}
SPEAR = {"wear": "hand", "hands": 2, "weapon": {"type": "melee", "range": [0, 1]}}
BOW = {"wear": "hand", "hands": 2, "weapon": {"type": "ranged", "takes": "arrow"}}
WAND = {"wear": "hand", "hands": 1, "weapon": {"type": "magic", "bonus": 1}}
COAT = {"wear": "armour", "passive": {"need": 0, "reactive": {"might": 1}}}
PLATE = {"wear": "armour", "passive": {"need": 2, "reactive": {"might": 2}}}
VENOM = {"rider": {"kind": "poison", "bonus": 2, "condition": "weakened"}}
CUT = {"name": "cut", "effects": [{"attack": {"type": "melee", "dice": 1}}]}


def turn(areas="a-b", actions=(CUT,), **hero):
    """A Hero without natural weapons, and a function that begins its turn."""
    table = Table(areas)
    ally = table.hero(**({"weapons": [], "actions": actions, "token": 2, "blue": 8} | hero))

    def begin():
        assert table.perform(Verb.START_TURN, ally, 0, 0) == Denial.NONE

    return table, ally, begin


def choose(table, choice, place):
    """A choice of the own turn, and the item for it."""
    assert table.answer(Block.TURN, choice) == Denial.NONE
    block = Block.GROUND if choice == Turn.TAKE_ITEM else Block.ITEM
    assert table.answer(block, place) == Denial.NONE


def strike(table, begin, enemy):
    """The turn begins, the Hero attacks and names its target."""
    begin()
    table.answer(Block.TURN, Turn.ACT)
    table.answer(Block.ENEMY, enemy)


def struck(table, begin, *faces, at="a", **enemy):
    """The Enemy of 9 health that the Hero attacks with these dice."""
    rat = table.enemy(at, health=9, **enemy)
    table.dice(*faces)
    strike(table, begin, rat)
    return rat


def in_use(hero):
    return [k for k in range(N_CARRIED) if hero.active >> k & 1]


def carried(table, hero):
    names = table.builder.items()
    return [names[item] for item in hero.item if item >= 0]


def lying(table, at="a"):
    names = table.builder.items()
    return [names[i] for i in table.states["item"][0, table.area(at)] if i >= 0]


def shielded(table, hero):
    """Successes of a reactive Might check without dice: what gear and skills give."""
    table.content["sheet"]["ability"][hero.slot] = 0
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 9)
    return 9 - int(table.states["check"]["remaining"][0])
