"""Stamina verbs against a naive twin with lists of chips; range and sight are symmetric."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.builder import Builder
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.commands import N_ANSWERS, N_ARGUMENTS, Query, Verb
from agemonia_env.rulesets.agemonia.core.layout import STATE
from agemonia_env.rulesets.agemonia.core.terms import Decision, Denial, Kind, Objective

RED = 3
EXAMPLES = settings(
    derandomize=True, database=None, deadline=None, max_examples=300 if COMPILED else 40
)
VERBS = (Verb.SPEND, Verb.LOSE, Verb.DAMAGE, Verb.RESTORE, Verb.HEAL, Verb.LOCK, Verb.UNLOCK)


class Twin:
    """A Hero whose chips are a list of places: sections 2 and 14, word by word."""

    def __init__(self, disk, spent, wounds, wounded):
        self.chips = ["disk"] * disk + ["spent"] * spent + ["wounds"] * wounds
        self.need = 0  # of the one running lock
        self.wounded, self.exhausted = wounded, False

    def count(self, place):
        return self.chips.count(place)

    def move(self, n, start, end):
        """Up to n chips from one place to another -> how many."""
        moved = 0
        for k, place in enumerate(self.chips):
            if place == start and moved < n:
                self.chips[k] = end
                moved += 1
        return moved

    def room(self):
        """R2.10."""
        return RED - self.count("disk") if self.wounded else len(self.chips)

    def perform(self, verb, n):
        """-> whether it is allowed."""
        match verb:
            case Verb.SPEND:
                if self.exhausted or self.count("disk") < n:
                    return False
                self.move(n, "disk", "spent")
            case Verb.LOSE if not self.exhausted:
                self.hit(n - self.move(n, "disk", "spent"))
            case Verb.DAMAGE if not self.exhausted:
                self.hit(n)
            case Verb.RESTORE if not self.exhausted:
                self.move(min(n, self.room()), "spent", "disk")
            case Verb.HEAL if not self.exhausted:
                self.move(min(n, self.room()), "wounds", "disk")
            case Verb.LOCK:
                return self.lock()
            case Verb.UNLOCK:
                if self.need == 0:
                    return False
                self.release()
        return True

    def lock(self):
        """R14.1, R14.5: the chips must lie on the disk before the old lock ends (Q59)."""
        if self.exhausted or self.count("disk") < 2:
            return False
        self.release()
        self.move(2, "disk", "locked")
        self.need = 2
        return True

    def release(self):
        self.move(99, "locked", "spent")
        self.need = 0

    def hit(self, n):
        """R2.4, R14.7 to R14.9, R13.4, R13.8."""
        for place in ("disk", "spent", "locked"):
            n -= self.move(n, place, "wounds")
        if self.count("locked") < self.need:
            self.release()
        if n > 0 and self.wounded:
            self.exhausted = True
            self.need = 0
        elif n > 0:
            self.wounded = True
            self.move(RED, "wounds", "disk")


def hero_alone(disk, spent, wounds, wounded):
    """(states, contents) of one Hero with the chips given and one passive action that needs 2."""
    builder = Builder()
    builder.add_map(schema.MapCard.model_validate({"areas": {"a": {"capacity": 3}}}))
    sheet = {"blue": disk + spent + wounds, "red": RED}
    slot = builder.add_ally("hero", schema.HeroSheet.model_validate(sheet), 0)
    builder.add_ally("friend", schema.HeroSheet.model_validate({"blue": 5}), 0)
    passive = {"lock": {"name": "guard", "need": 2}}
    card = schema.ActionCard.model_validate({"name": "guard", "effects": [passive]})
    builder.add_action(slot, card)
    builder.set_objective(Objective.HOLD, number=99)
    contents, states = builder.finish(), zeros(STATE)
    api.clear(states)
    states["ally"]["kind"][0, :2] = Kind.HERO
    states["ally"]["area"][0, :2] = states["ally"]["retreat"][0, :2] = 0
    states["ally"]["disk"][0, :2] = disk, 5
    states["ally"]["spent"][0, 0] = spent
    states["ally"]["wounds"][0, 0] = wounds
    states["ally"]["wounded"][0, 0] = wounded
    perform(states, contents, Verb.RECOUNT)
    return states, contents


def perform(states, contents, verb, *arguments):
    values = np.zeros(N_ARGUMENTS, np.int32)
    values[: len(arguments)] = arguments
    return api.perform(states, contents, int(verb), values, api.NO_ROWS)


@EXAMPLES
@given(
    disk=st.integers(0, 6),
    spent=st.integers(0, 6),
    wounds=st.integers(1, 6),
    wounded=st.booleans(),
    steps=st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 9)), max_size=8),
)
def test_stamina_verbs_are_the_twins_and_conserve_chips(disk, spent, wounds, wounded, steps):
    disk = min(disk, RED) if wounded else disk
    states, contents = hero_alone(disk, spent, wounds, wounded)
    twin = Twin(disk, spent, wounds, wounded)
    for verb, n in steps:
        argument = 0 if verb in (Verb.LOCK, Verb.UNLOCK) else n
        allowed = perform(states, contents, verb, 0, argument) == Denial.NONE
        assert allowed == twin.perform(verb, n), (verb, n)
        hero = states["ally"][0, 0]
        found = [int(hero[place]) for place in ("disk", "spent", "wounds")]
        found += [int(hero["lock_chips"].sum()), bool(hero["wounded"]), bool(hero["exhausted"])]
        expected = [twin.count(place) for place in ("disk", "spent", "wounds", "locked")]
        assert found == [*expected, twin.wounded, twin.exhausted], (verb, n)
        assert sum(found[:4]) == disk + spent + wounds  # R1.3
        assert states["decision"][0] == Decision.NONE


# ---- maps ---------------------------------------------------------------------------------------
@st.composite
def maps(draw):
    """A map of up to six areas on three levels with any borders that the schema allows."""
    names = "abcdef"[: draw(st.integers(1, 6))]
    areas = {name: {"level": draw(st.integers(0, 2))} for name in names}
    borders = []
    for x, y in product(names, names):
        if x < y and draw(st.booleans()):
            uneven = areas[x]["level"] != areas[y]["level"]
            kinds = [["single"], ["barrier"], *([["double"], ["single", "height"]] * uneven)]
            borders.append([x, y, *draw(st.sampled_from(kinds))])
    return {"areas": areas, "borders": borders}


def query(states, contents, question, *arguments):
    values, out = np.zeros(N_ARGUMENTS, np.int32), np.zeros(N_ANSWERS, np.int16)
    values[: len(arguments)] = arguments
    api.query(states, contents, int(question), values, out)
    return int(out[0])


@EXAMPLES
@given(card=maps())
def test_range_and_sight_are_symmetric(card):
    """R7.22, R7.28; visible areas are in range, and every area sees itself (R7.26)."""
    builder = Builder()
    builder.add_map(schema.MapCard.model_validate(card))
    contents, states = builder.finish(), zeros(STATE)
    n = len(card["areas"])
    table = {
        (question, x, y): query(states, contents, question, x, y)
        for question in (Query.RANGE, Query.SEES)
        for x, y in product(range(n), repeat=2)
    }
    for (question, x, y), value in table.items():
        assert value == table[question, y, x]
        if x == y:
            assert value == (question == Query.SEES)
        if question == Query.SEES and value:
            assert table[Query.RANGE, x, y] >= 0
    for x, y, z in product(range(n), repeat=3):
        legs = table[Query.RANGE, x, y], table[Query.RANGE, y, z]
        assert min(legs) < 0 or 0 <= table[Query.RANGE, x, z] <= sum(legs)
