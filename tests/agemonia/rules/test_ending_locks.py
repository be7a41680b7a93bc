"""R14.4: where a lock can be ended, and why nobody is asked elsewhere [P3, P46, P47]."""

from itertools import chain, combinations

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS, STARTS, Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial
from tests.agemonia.rules.table import Table

MIGHT, AGILITY = 0, 1
GUARD = {"name": "guard", "need": 2, "reactive": {"might": 1}}
LOCKS = [(), (1,), (2,), (1, 2), (2, 2), (1, 1, 3)]  # chips that the locks of a position need
if not COMPILED:
    LOCKS = [(2,), (1, 2)]


def subsets(slots):
    """All sets of lock slots that may be ended."""
    return chain.from_iterable(combinations(slots, n) for n in range(len(slots) + 1))


# ---- a restore by something outside of the own menu ---------------------------------------------
def helped(effect, disk=1, spent=0, wounds=0, locks=(GUARD,), helper=None, **more):
    """A Hero with an action that helps, and another one with locks, about to be helped."""
    table = Table("a-b")
    own = {"name": "help", "effects": [effect]}
    healer = table.hero("a", actions=[own], token=2, **(helper or {}))
    hero = table.hero("a", disk=disk, spent=spent, wounds=wounds, locks=locks, **more)
    table.perform(Verb.START_TURN, healer, 0, 0)
    table.answer(Block.TURN, Turn.ACT)
    assert table.asks == (Decision.RECIPIENT, healer.slot)
    return table, healer, hero


def test_r14_4_the_owner_ends_a_lock_before_another_restores_its_stamina():
    table, _, hero = helped({"restore": {"amount": 3}}, spent=1)
    table.answer(Block.ALLY, hero)
    assert table.asks == (Decision.FLIP_LOCK, hero.slot)
    assert (table.limit, table.flip_chips) == (3, 0)
    assert table.legal() == [(Block.DONE, 0), (Block.LOCK, 0)]
    table.answer(Block.LOCK, 0)
    assert (hero.disk, hero.spent, hero.lock_chips[0]) == (4, 0, 0)
    assert table.asks[0] == Decision.TURN


def test_r14_6_a_lock_that_runs_on_keeps_its_chips():
    table, _, hero = helped({"restore": {"amount": 3}}, spent=1)
    table.answer(Block.ALLY, hero)
    assert table.answer(Block.DONE) == Denial.NONE
    assert (hero.disk, hero.spent, hero.lock_chips[0]) == (2, 0, 2)
    assert table.asks[0] == Decision.TURN


def test_p46_another_lock_is_offered_while_more_would_be_restored():
    locks = [{"name": "one", "need": 1}, {"name": "two", "need": 2}]
    table, _, hero = helped({"restore": {"amount": 3}}, locks=locks)
    table.answer(Block.ALLY, hero)
    table.answer(Block.LOCK, 0)
    assert table.asks == (Decision.FLIP_LOCK, hero.slot)  # one chip is spent, three may come
    table.answer(Block.LOCK, 1)
    assert (hero.disk, table.asks[0]) == (4, Decision.TURN)


@pytest.mark.parametrize(
    ("amount", "position"),
    [
        (1, {"spent": 1}),  # enough is spent
        (3, {"spent": 2, "disk": 1, "wounded": 1, "red": 3}),  # no more than two fit
        (3, {"locks": ()}),
    ],
)
def test_p46_nothing_is_asked_where_no_more_would_be_restored(amount, position):
    table, _, hero = helped({"restore": {"amount": amount}}, **position)
    table.answer(Block.ALLY, hero)
    assert table.asks[0] == Decision.TURN


def test_p46_after_a_roll_the_owner_knows_how_much_there_is():
    table, _, hero = helped({"roll_restore": {"amount": 2}}, spent=1)
    table.dice(2, 1)
    table.answer(Block.ALLY, hero)
    assert (table.asks, table.limit) == ((Decision.FLIP_LOCK, hero.slot), 3)
    table.answer(Block.LOCK, 0)
    assert (hero.disk, hero.spent) == (4, 0)


def test_p46_a_mixed_effect_heals_before_a_lock_is_worth_ending():
    table, healer, hero = helped({"mixed": {"amount": 3}}, wounds=3)
    table.answer(Block.ALLY, hero)
    assert table.asks == (Decision.AMOUNT, healer.slot)
    table, healer, hero = helped({"mixed": {"amount": 3}}, wounds=1)
    table.answer(Block.ALLY, hero)
    assert table.asks == (Decision.FLIP_LOCK, hero.slot)
    table.answer(Block.LOCK, 0)
    assert (table.asks, table.limit) == ((Decision.AMOUNT, healer.slot), 2)
    table.answer(Block.AMOUNT, 2)
    assert (hero.disk, hero.spent, hero.wounds) == (4, 0, 0)


def test_p46_a_mixed_effect_goes_on_where_no_lock_is_ended():
    table, healer, hero = helped({"mixed": {"amount": 3}}, wounds=1)
    table.answer(Block.ALLY, hero)
    table.answer(Block.DONE)
    assert (table.asks, table.limit) == ((Decision.AMOUNT, healer.slot), 0)


def test_p46_a_recover_maneuver_is_chosen_where_locks_are_offered():
    table = Table()
    hero = table.hero(disk=1, locks=[GUARD], recover={"stamina": 3, "damage": 2})
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.denial(Block.LOCK, 0) == Denial.NONE
    table.answer(Block.TURN, Turn.RECOVER_STAMINA)
    assert (table.asks[0], hero.lock_chips[0]) == (Decision.TURN, 2)


def test_the_greedy_policy_ends_a_lock_only_for_more_than_it_is_worth():
    chosen = []
    for need in (5, 6):
        locks = [{"name": "wall", "need": need}]
        table, _, hero = helped({"restore": {"amount": 6}}, locks=locks)
        table.answer(Block.ALLY, hero)
        actions = np.zeros(1, np.int64)
        api.choose_actions(table.states, table.contents, table.which, Policy.GREEDY, actions)
        chosen.append(int(actions[0]))
    assert chosen == [STARTS[Block.DONE], STARTS[Block.LOCK]]


def positions(needs, wounded=(0, 1)):
    """Chips of small positions with these locks: disk, spent, wounds, wounded."""
    for disk in range(3):
        for spent in range(3):
            for wounds in range(3):
                for is_wounded in wounded:
                    if not is_wounded or disk <= RED:
                        yield disk, spent, wounds, is_wounded


RED = 2  # of the disks in these positions
FIELDS = ("disk", "spent", "wounds", "wounded", "exhausted")


def place(table, hero, needs, chips, base):
    """Put a Hero's chips where a position has them; all else is as in `base`."""
    table.states[:] = base
    disk, spent, wounds, wounded = chips
    record = hero.record
    record["disk"], record["spent"], record["wounds"] = disk, spent, wounds
    record["wounded"] = wounded
    table.content["sheet"][hero.slot]["blue"] = disk + spent + wounds + sum(needs)
    table.content["sheet"][hero.slot]["red"] = RED


def seen(hero):
    """The outcome of a position."""
    locks = tuple(sorted(p for p in hero.lock_passive if p >= 0))
    evade = (hero.evade, hero.evaded)
    return tuple(getattr(hero, field) for field in FIELDS), locks, sum(hero.injury), evade


def branches(table, hero):
    """Every way in which the owner may answer from which locks chips flip: states in the end."""
    if table.asks[0] != Decision.FLIP_LOCK:
        yield table.states.copy()
        return
    for slot in table.legal(Block.LOCK):
        before = table.states.copy()
        table.answer(Block.LOCK, slot)
        yield from branches(table, hero)
        table.states[:] = before


def end(table, hero, slots):
    """End those of these locks that still run."""
    for slot in slots:
        if hero.lock_passive[slot] >= 0:
            table.perform(Verb.UNLOCK, hero, hero.lock_passive[slot])


@pytest.mark.parametrize("verb", [Verb.DAMAGE, Verb.LOSE, Verb.HEAL])
@pytest.mark.parametrize("needs", LOCKS)
def test_p47_before_damage_loss_and_healing_nothing_is_gained_by_ending_a_lock(verb, needs):
    """Every outcome of ending locks before a hit is also one of ending them after it."""
    table = Table()
    locks = [{"name": f"lock {k}", "need": n, "evade": int(k == 0)} for k, n in enumerate(needs)]
    hero = table.hero(disk=2, spent=2, wounds=4, locks=locks)
    table.hero()  # the scenario does not end with the first
    table.finish()
    table.states["active_ally"] = hero.slot
    hero.record["evade"], hero.record["evaded"] = 1, 1
    base = table.states.copy()
    for chips in positions(needs):
        for n in range(1, sum(chips[:2]) + sum(needs) + 3):
            first, behind = set(), set()
            for slots in subsets(range(len(needs))):
                place(table, hero, needs, chips, base)
                end(table, hero, slots)
                table.perform(verb, hero, n)
                for state in branches(table, hero):
                    table.states[:] = state
                    first.add(seen(hero))
            place(table, hero, needs, chips, base)
            table.perform(verb, hero, n)
            for state in branches(table, hero):
                for slots in subsets(range(len(needs))):
                    table.states[:] = state
                    end(table, hero, slots)
                    behind.add(seen(hero))
            assert first <= behind, (chips, needs, n)
    place(table, hero, needs, (2, 2, 4, 0), base)


def restored(table, hero, needs, chips, slots, base, n, wounded_too):
    """Outcomes of a restore (or mixed effect) with these locks ended before: seen(hero)."""
    outcomes = set()
    for amount in range(n + 1) if wounded_too else [n]:
        place(table, hero, needs, chips, base)
        end(table, hero, slots)
        if wounded_too:
            table.perform(Verb.MIXED, hero, n, amount, n - amount)
        else:
            table.perform(Verb.RESTORE, hero, n)
        outcomes.add(seen(hero))
    return outcomes


def is_no_worse(a, b):
    """Whether outcome a has all that b has: chips on the disk, blue chips, locks."""
    (disk, _, wounds, *_), locks, *_ = a
    (other_disk, _, other_wounds, *_), others, *_ = b
    return disk >= other_disk and wounds <= other_wounds and set(others) <= set(locks)


@pytest.mark.parametrize("op", ["restore", "mixed"])
@pytest.mark.parametrize("needs", LOCKS)
def test_p46_the_owner_is_asked_if_and_only_if_ending_a_lock_brings_more(op, needs):
    locks = [{"name": f"lock {k}", "need": n} for k, n in enumerate(needs)]
    for n in (1, 2, 3):
        table, _, hero = helped({op: {"amount": n}}, disk=2, spent=2, wounds=4, locks=locks)
        base = table.states.copy()
        for chips in positions(needs):
            place(table, hero, needs, chips, base)
            table.answer(Block.ALLY, hero)
            asked = table.asks == (Decision.FLIP_LOCK, hero.slot)
            mixed = op == "mixed"
            plain = restored(table, hero, needs, chips, (), base, n, mixed)
            ended = set().union(
                *(
                    restored(table, hero, needs, chips, slots, base, n, mixed)
                    for slots in subsets(range(len(needs)))
                )
            )
            gained = any(not any(is_no_worse(p, e) for p in plain) for e in ended)
            assert asked == gained, (chips, needs, n)
        place(table, hero, needs, (2, 2, 4, 0), base)


# ---- questions that come right before a hit -----------------------------------------------------
def attacked(**more):
    """A Hero with a guard running and a gem, attacked with 3 against Might."""
    table = Table()
    hero = table.hero(might=1, locks=[GUARD], disk=4, inspiration=1, **more)
    beast = table.enemy(actions={"open": {"attack": {"type": "melee", "value": 3}}})
    table.perform(Verb.ENEMY_ATTACK, beast.slot, 0, 0)
    return table, hero


def test_r14_4_a_lock_is_ended_in_answer_to_a_question_of_a_reactive_check():
    table, hero = attacked()
    assert table.asks == (Decision.INSPIRATION, hero.slot)
    assert table.legal() == [(Block.NO, 0), (Block.YES, 0), (Block.LOCK, 0)]
    table.answer(Block.LOCK, 0)
    assert table.asks == (Decision.INSPIRATION, hero.slot)  # it is asked again
    assert (table.legal(Block.LOCK), hero.spent) == ([], 2)
    table.reaction_dice(0)
    table.answer(Block.NO)
    assert (hero.wounds, hero.inspiration) == (3, 1)  # the guard has not helped


def test_r14_4_a_lock_is_ended_where_another_may_take_the_hit():
    table = Table()
    hero = table.hero(locks=[GUARD], disk=4, taunt=5, might=0)
    table.hero(disk=4)
    beast = table.enemy(actions={"open": {"attack": {"type": "melee", "value": 3}}})
    table.perform(Verb.ENEMY_ATTACK, beast.slot, 0, 0)
    assert table.asks == (Decision.STAND_IN, hero.slot)
    table.answer(Block.LOCK, 0)
    assert (table.asks, hero.spent) == ((Decision.STAND_IN, hero.slot), 2)
    table.answer(Block.NO)
    assert hero.wounds == 3


BACK = [{"riposte": {"amount": 9}}, {"revenge": True}, {"mirror": True}]


def bombed(lock, defeat=True, area=None):
    """A Hero with a lock that strikes back, attacked by what bursts on both Heroes if it falls."""
    table = Table()
    hero = table.hero(disk=4, might=0, taunt=5, locks=[{"name": "thorns", "need": 1, **lock}])
    other = table.hero(disk=4, might=0)
    attack = {"type": "melee", "value": 1} | ({} if area is None else {"area": area})
    box = {"defeat": {"burst": {"damage": 2, "range": 1}}} if defeat else {}
    beast = table.enemy(health=1, actions={"open": {"attack": attack}}, **box)
    table.perform(Verb.ENEMY_ATTACK, beast.slot, 0, 0)
    while table.asks[0] == Decision.STAND_IN and table.legal(Block.ALLY):
        table.answer(Block.NO)  # nobody else takes the hit
    return table, hero, other, beast


@pytest.mark.parametrize("lock", BACK)
def test_p47_a_lock_may_end_before_it_defeats_an_attacker_that_bursts(lock):
    table, hero, other, beast = bombed(lock)
    assert table.asks == (Decision.STAND_IN, hero.slot)
    assert table.legal() == [(Block.NO, 0), (Block.LOCK, 0)]
    before = table.states.copy()
    table.answer(Block.NO)
    assert (beast.health, other.wounds, table.asks[0]) == (0, 2, Decision.NONE)
    table.states[:] = before
    table.answer(Block.LOCK, 0)
    assert (beast.health, other.wounds, hero.lock_chips[0]) == (1, 0, 0)


def test_p47_everyone_hit_by_an_area_attack_is_asked():
    table, hero, *_ = bombed(BACK[0], area=0)
    assert table.asks == (Decision.STAND_IN, hero.slot)
    table.answer(Block.NO)
    assert table.asks[0] != Decision.STAND_IN


@pytest.mark.parametrize(("lock", "defeat"), [(BACK[0], False), ({"evade": 1}, True)])
def test_p47_nothing_is_asked_where_nothing_can_be_gained(lock, defeat):
    table, *_ = bombed(lock, defeat)
    assert table.asks[0] != Decision.STAND_IN


def test_r7_20_ending_flight_over_a_trap_sets_it_off():
    table = Table("a-b")
    table.states["trap"][0, 1] = 1
    hero = table.hero("a", locks=[{"name": "wings", "need": 2, "fly": True}], disk=3)
    table.perform(Verb.WALK, hero, 1)
    table.answer(Block.AREA, 1)
    assert table.asks == (Decision.SPRING, hero.slot)
    table.answer(Block.LOCK, 0)
    assert table.asks == (Decision.DISARM, hero.slot)


def test_r3_8_ending_the_lock_that_rolls_again_prevents_the_roll():
    table = Table()
    lock = {"name": "bell", "need": 1, "reroll_h": ["might"]}
    hero = table.hero(might=1, locks=[lock], disk=4)
    table.reaction_dice("H")
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 2)
    assert table.asks == (Decision.REROLL, hero.slot)
    table.answer(Block.LOCK, 0)
    assert (table.asks[0], int(table.states["check"]["remaining"][0])) == (Decision.NONE, 2)


def test_r3_24_a_gem_restores_a_chip_that_a_lock_has_let_go():
    table = Table()
    hero = table.hero(
        disk=1, spent=3, locks=[GUARD], achievement=1, recover={"stamina": 3, "damage": 2}
    )
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.answer(Block.TURN, Turn.RECOVER_STAMINA)
    assert table.asks == (Decision.ACHIEVEMENT, hero.slot)
    table.answer(Block.LOCK, 0)
    table.answer(Block.YES)
    assert (hero.disk, hero.spent) == (5, 1)


def test_no_lock_is_offered_in_rolls_that_no_lock_touches():
    table = Table()
    hero = table.hero(might=1, locks=[GUARD], disk=4, inspiration=1)
    table.dice(2)
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 2)
    assert table.denial(Block.LOCK, 0) == Denial.NO_USE
    table.answer(Block.NO)
    assert table.asks[0] == Decision.NONE


def test_r14_7_while_chips_flip_none_is_spared():
    table = Table()
    hero = table.hero(disk=0, locks=[{"need": 2}, {"need": 1}])
    table.perform(Verb.DAMAGE, hero, 1)
    assert table.asks == (Decision.FLIP_LOCK, hero.slot)
    assert table.denial(Block.DONE) == Denial.NO_USE


def test_without_locks_the_questions_are_as_ever():
    table = Table()
    hero = table.hero(might=1, disk=4, inspiration=1, conditions=[Condition.BLESSED])
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 2)
    legal = np.zeros((1, N_ACTIONS), np.uint8)
    while table.asks[0] != Decision.NONE:
        api.write_masks(table.states, table.contents, table.which, legal)
        assert legal[0].sum() == 2
        table.answer(Block.NO)
