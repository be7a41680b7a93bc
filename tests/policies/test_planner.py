"""The planner: it cannot peek, changes nothing, plays alike in any batch, and plays well."""

import numpy as np
import pytest

from agemonia_env.core.jit import zeros
from agemonia_env.policies import policy_of
from agemonia_env.policies.network import Layer, Network
from agemonia_env.policies.planner import Planner
from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Decision, Objective, Stream, Will
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.simulation.games import play_batches
from tests.agemonia.rules.table import BITE, Table, action_of, card
from tests.games import Games

POLICY = {"Agemonia-v0": int(Stream.POLICY), "HexDungeon-v0": 9}
MOST = 5000


def positions(rules, n, decisions=0):
    """States (n,) of games that greedy play has brought so far, with their content and which."""
    arguments = rules.check_arguments()
    games = Games(rules, arguments.scenario, arguments.heroes, range(n))
    games.play(rules.POLICIES["greedy"], decisions)
    return games.records


def copied(states):
    """The same bytes; `states.copy()` copies fields and leaves the padding undefined."""
    copy = zeros(states.dtype, len(states))
    raw(copy)[:] = raw(states)
    return copy


def raw(states):
    """The bytes of the states, uint8 (n, itemsize)."""
    return states.view(np.uint8).reshape(len(states), -1)


def network_of(rules, feature="greedy_choice", logit=1.0):
    """A network that prefers actions with a feature; it sees no difference in positions."""
    names = [name for name, *_ in rules.ACTION.descr]
    first = np.zeros((rules.N_ACTION_FEATURES, 2), np.float32)
    first[rules.ACTION.fields[names[names.index(feature)]][1] // 4, 0] = 1.0
    none = np.zeros(2, np.float32)
    return Network(
        np.array([0], np.int32),
        [Layer(np.zeros((1, 2), np.float32), none)],
        Layer(np.zeros((2, 2), np.float32), none),
        Layer(np.zeros((4, 1), np.float32), none[:1]),
        {"config": {"reward": "shaped"}},
        [Layer(first, none), Layer(np.array([[logit], [0.0]], np.float32), none[:1])],
    )


@pytest.fixture(params=[*RULESETS, *(f"{env} with a network" for env in RULESETS)])
def searching(request):
    """A ruleset, and planners of it with a number of simulations and threads."""
    env, _, scored = request.param.partition(" ")
    rules = ruleset_of(env)
    network = network_of(rules) if scored else None
    return rules, lambda *budget: Planner(rules, *budget, network=network)


@pytest.mark.parametrize("decisions", [0, 15])
def test_what_is_hidden_does_not_change_the_plan(searching, decisions):
    """Other streams and orders of face-down cards: the same search, the same action."""
    rules, planner = searching
    states, content, which = positions(rules, 4, decisions)
    streams = states["chance"][:, POLICY[rules.env_id]].copy()
    chosen = []
    for seed in (1, 2):
        copy = copied(states)
        for i in range(len(copy)):
            rules.api.set_chance(copy, content, which, i, np.uint64(1000 * seed + i))
        copy["chance"][:, POLICY[rules.env_id]] = streams
        assert (raw(copy) != raw(states)).any()
        chosen.append(planner(30).choose(copy, content, which).tolist())
    assert chosen[0] == chosen[1]


def test_a_plan_changes_nothing_but_the_stream_of_policies(searching):
    rules, planner = searching
    stream = POLICY[rules.env_id]
    states, content, which = positions(rules, 3, 10)
    before = copied(states)
    planner(20).choose(states, content, which)
    assert (states["chance"][:, stream] != before["chance"][:, stream]).all()
    states["chance"][:, stream] = before["chance"][:, stream]
    assert (raw(states) == raw(before)).all()


def test_a_plan_is_legal_and_the_same_alone_and_in_a_batch(searching):
    rules, planner = searching
    states, content, which = positions(rules, 6, 12)
    masks = np.zeros((6, rules.N_ACTIONS), np.uint8)
    rules.api.write_masks(states, content, which, masks)
    together = planner(25).choose(copied(states), content, which)
    assert masks[np.arange(6), together].all()
    for i in range(6):
        alone = planner(25).choose(copied(states[i : i + 1]), content, which[:1])
        assert alone[0] == together[i]


def test_threads_do_not_change_a_plan(searching):
    """Nor how many simulations it takes, with one result too late at a time and with several."""
    rules, planner = searching
    states, content, which = positions(rules, 3, 12)
    for simulations in (256, 800):
        one, *more = (planner(simulations, threads) for threads in (1, 2, 3))
        chosen = one.choose(copied(states), content, which).tolist()
        for other in more:
            assert other.choose(copied(states), content, which).tolist() == chosen
            assert other.done[0] == one.done[0]


@pytest.mark.parametrize("env", RULESETS)
def test_a_search_begins_with_the_networks_choice(env):
    """And tries others, too, however sure the network is."""
    rules = ruleset_of(env)
    states, content, which = positions(rules, 8, 9)
    greedy = policy_of(rules, "greedy").choose(copied(states), content, which)
    masks = np.zeros((8, rules.N_ACTIONS), np.uint8)
    rules.api.write_masks(states, content, which, masks)
    free = masks.sum(axis=1) > 1
    for logit, follows in ((40.0, True), (-40.0, False)):
        network = network_of(rules, logit=logit)
        first = Planner(rules, 1, network=network).search(copied(states), content, which)
        assert ((first.actions == greedy) == follows)[free].all()
        found = Planner(rules, 40, network=network).search(copied(states), content, which)
        assert (np.count_nonzero(found.visits, axis=1)[free] > 1).all()
        assert not found.visits[masks == 0].any()


def test_visits_are_counted_where_there_is_a_choice():
    rules = ruleset_of("Agemonia-v0")
    states, content, which = positions(rules, 6, 12)
    planner = Planner(rules, 30)
    found = planner.search(copied(states), content, which)
    masks = np.zeros((6, rules.N_ACTIONS), np.uint8)
    rules.api.write_masks(states, content, which, masks)
    free = masks.sum(axis=1) > 1
    assert found.visits[free].sum() == planner.done[0]
    assert not found.visits[~free].any()
    assert (found.visits[np.arange(6), found.actions] == found.visits.max(axis=1)).all()
    assert (found.wins >= 0).all()
    assert (found.wins <= found.visits).all()


def test_a_game_that_has_ended_is_left_alone_by_all_threads():
    rules = ruleset_of("Agemonia-v0")
    states, content, which = positions(rules, 2, MOST)
    before = copied(states)
    planner = Planner(rules, 200, threads=2)
    assert planner.choose(states, content, which).tolist() == [0, 0]
    assert planner.done[0] == 0
    assert (raw(states) == raw(before)).all()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        *(("threads", value, "must be") for value in (0, -1, 1.5, 5000)),
        *(("trust", value, "must be from 0 to 1") for value in (-0.1, 1.1)),
    ],
)
def test_wrong_choices_are_refused(name, value, said):
    with pytest.raises(ValueError, match=rf"{name}=.*: {said}"):
        Planner(ruleset_of("Agemonia-v0"), 200, **{name: value})


def test_the_budget_is_kept_and_counted():
    rules = ruleset_of("Agemonia-v0")
    states, content, which = positions(rules, 5)
    planner = Planner(rules, 7)
    planner.choose(states, content, which)
    assert 5 * 4 <= planner.done[0] <= 5 * 7
    assert planner.name == "planner:7"


def test_searching_beats_the_greedy_policy_searched_with():
    """On the same 24 seeds, with 30 simulations for each decision."""
    rules = ruleset_of("Agemonia-v0")
    arguments = rules.check_arguments(ties="auto")
    seeds, which = np.arange(24, dtype=np.uint64), np.zeros(24, np.int16)
    limits = {"control": arguments.control(), "max_decisions": MOST}
    content = arguments.compile().content
    wins = []
    for name in ("greedy", "planner:30"):
        games = play_batches(rules, content, which, seeds, policy_of(rules, name), **limits)
        wins.append(sum(int(states["won"].sum()) for states in games))
    assert wins[1] >= wins[0] + 3


def test_free_willed_enemies_search_for_their_own_side():
    """The same position: a search for the Enemies ends worse for the Heroes than one by chance."""
    rules = ruleset_of("Agemonia-v0")
    arguments = rules.check_arguments(ties="auto", side="both", enemy_will="free")
    content, n = arguments.compile().content, 20
    seeds, which = np.arange(n, dtype=np.uint64), np.zeros(n, np.int16)
    heroes, wins = policy_of(rules, "greedy"), []
    for enemies in (policy_of(rules, "random"), policy_of(rules, "planner:15")):
        limits = {"control": arguments.control(), "max_decisions": MOST, "enemy_policy": enemies}
        games = play_batches(rules, content, which, seeds, heroes, **limits)
        wins.append(sum(int(states["won"].sum()) for states in games))
    assert wins[1] < wins[0]


def test_an_enemy_takes_the_move_with_which_the_heroes_lose():
    table = Table("a-b")
    table.content["enemy_will"] = Will.FREE
    table.hero("a", blue=1, might=0)  # two hits exhaust it; else the round is held
    for _ in range(2):
        table.enemy("b", kind="hound", **card(attack=BITE))
    table.builder.set_objective(Objective.HOLD, number=1)
    table.card("eR-O, eB-O, eG-O, hR, hB, hG")
    table.begin().step(Block.TOKEN, FOCUS)
    planner = Planner(ruleset_of("Agemonia-v0"), 40)
    assert table.asks[0] == Decision.ENEMY_DESTINATION
    (action,) = planner.choose(table.states, table.contents, table.which)
    assert action == action_of(Block.AREA, table.area("a"))


@pytest.mark.parametrize(
    "name", ["planner:0", "planner:", "planner:-3", "planner:many", f"planner:{10**7}"]
)
def test_an_invalid_budget_is_refused(name):
    with pytest.raises(ValueError, match="simulations must be a whole number, 1 to 1,000,000"):
        policy_of(ruleset_of("Agemonia-v0"), name)
