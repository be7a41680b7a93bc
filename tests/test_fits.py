"""No column that a fit leaves out ever changes, in games of every scenario and several policies."""

import itertools
import random
import shutil
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import vector_env_class
from agemonia_env.rulesets.arguments import RANDOM
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.fits import column_names, fit_of
from agemonia_env.rulesets.generators import written
from agemonia_env.rulesets.ruleset import ruleset_of
from tests.drawn import knob_ends
from tests.test_pack_extremes import Extremes

pytestmark = pytest.mark.skipif(not COMPILED, reason="plays games to their end")
EVERY = pytest.mark.parametrize("env_id", RULESETS)
GAMES = 100_000  # of the long test
PACKS = 60
MIXED, BETWEEN = "mixed", 7  # greedy play, every so often random: further, and less alike
POLICIES = "random", "greedy", MIXED
VARIANTS = {
    "Agemonia-v0": (
        {},
        {"enemy_will": "free", "side": "both"},
        {"enemy_will": "free", "level": 3, "difficulty": "easy"},
        {"level": 5, "difficulty": "brutal", "ties": "auto"},
    ),
    "HexDungeon-v0": ({}, {"level": 0}, {"level": 3, "ties": "auto"}),
}


def fit(env_id, **what):
    """The fit of these arguments."""
    rules = ruleset_of(env_id)
    return fit_of(rules, [rules.check_arguments(observation="fitted", **what)])


@EVERY
def test_constants_are_rounded_as_the_core_rounds_them(env_id):
    rules = ruleset_of(env_id)
    codes = np.arange(-127, 128, dtype=np.int8)
    factors = np.float32(1) / rules.SCALES
    one = fit(env_id)
    for code in codes:
        constants = np.full(rules.N_OBSERVATION, code)
        assert np.array_equal(replace(one, constants=constants).values(np.float32), code * factors)


def test_a_rope_of_the_map_may_become_an_item():
    one = fit("Agemonia-v0", scenario="watchtower", heroes=["orsa"])  # six items, and a rope
    assert "ally[0].item[6]" in one.names


class Watch:
    """Games that restart as soon as they end; every observation is compared with a fit."""

    def __init__(self, env_id, n, fit, options=None, **what):
        """n: games side by side, with full observations; options: of their first `reset`."""
        how = {"autoreset_mode": "SameStep", "dtype": "int8"}
        env = vector_env_class(env_id)(n, **how, **what)
        self.rules, self.batch, self.n, self.games, self.steps = env.ruleset, env.batch, n, 0, 0
        self.left_out = np.ones(self.rules.N_OBSERVATION, np.bool_)
        self.left_out[fit.columns] = False
        constants = np.zeros(self.rules.N_OBS_INT8, np.int8)
        constants[: self.rules.N_OBSERVATION] = fit.constants
        self.constants = constants.view(np.int64)
        self.differs = np.zeros(len(self.constants), np.int64)
        env.reset(seed=1, options=options)
        self.look(slice(n))

    def look(self, which):
        """Compare observations, eight columns at a time."""
        rows = self.batch.arrays.obs_int8[which].view(np.int64)
        self.differs |= np.bitwise_or.reduce(rows ^ self.constants, axis=0)

    def play(self, policy, games=1):
        """Play until every slot has ended so many games."""
        batch, policies = self.batch, self.rules.POLICIES
        actions, ended = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        while ended.min() < games:
            name = policy
            if policy == MIXED:
                name = "greedy" if self.steps % BETWEEN else "random"
            records = batch.states, batch.contents.rows, batch.slots["which"].copy()
            self.rules.api.choose_actions(*records, int(policies[name]), actions)
            over = batch.step(actions).which_ended
            self.look(slice(self.n))
            if len(over):
                self.look(self.n + batch.slots["final"][over])
                ended[over] += 1
            self.steps += 1
        self.games += int(ended.sum())

    def changed(self):
        """The names of the columns that are left out and have changed."""
        found = self.differs.view(np.int8)[: self.rules.N_OBSERVATION] != 0
        names = column_names(self.rules.OBS)
        return [names[k] for k in np.flatnonzero(found & self.left_out)]


def scenarios_of(env_id):
    rules = ruleset_of(env_id)
    return [*rules.load_pack(rules.check_arguments().pack).scenarios]


def parties_of(env_id, scenario):
    """One, two and four heroes, and three that differ from scenario to scenario."""
    rules = ruleset_of(env_id)
    pack = rules.load_pack(rules.check_arguments().pack)
    names = [*(pack.heroes if hasattr(pack, "heroes") else pack.classes)]
    first = scenarios_of(env_id).index(scenario)
    return 1, 2, 4, [names[(first + 2 * k) % len(names)] for k in range(3)]


# ---- games --------------------------------------------------------------------------------------
@EVERY
def test_what_is_left_out_does_not_change(env_id):
    """In a few games of every scenario."""
    n, games, policies = 12, 0, itertools.cycle(POLICIES)
    for scenario, heroes in itertools.product(scenarios_of(env_id), (2, 4)):
        what = {"scenario": scenario, "heroes": heroes}
        watch = Watch(env_id, n, fit(env_id, **what), **what)
        watch.play(next(policies))
        assert watch.changed() == [], what
        games += watch.games
    assert games >= 2 * n * len(scenarios_of(env_id))


EACH = [(env_id, scenario) for env_id in RULESETS for scenario in scenarios_of(env_id)]


@pytest.mark.check
@pytest.mark.parametrize(("env_id", "scenario"), EACH)
def test_what_is_left_out_does_not_change_in_many_games(env_id, scenario):
    """GAMES of all scenarios, of which every observation is compared."""
    kinds = [*itertools.product(parties_of(env_id, scenario), VARIANTS[env_id], POLICIES)]
    wanted, games = -(-GAMES // len(EACH)), 0
    for heroes, variant, policy in kinds:
        what = {"scenario": scenario, "heroes": heroes, **variant}
        watch = Watch(env_id, -(-wanted // len(kinds)), fit(env_id, **what), **what)
        watch.play(policy)
        assert watch.changed() == [], (heroes, variant, policy)
        games += watch.games
    assert games >= wanted


@EVERY
@pytest.mark.parametrize("heroes", [1, 2, 4])
def test_what_is_left_out_does_not_change_in_drawn_scenarios(env_id, heroes):
    """With knobs at their ends, of which the fit knows nothing."""
    what = {"scenario": RANDOM, "heroes": heroes}
    generator = ruleset_of(env_id).check_arguments(RANDOM).make_generator()
    ends = [*knob_ends(generator.TABLE).values()]
    watch = Watch(env_id, len(ends), fit(env_id, **what), {"generator": ends}, **what)
    watch.play(MIXED)
    assert watch.changed() == []


@pytest.fixture
def drawn_pack(env_id, tmp_path):
    """A pack with a scenario drawn at both ends of every knob, as files: (folder, names)."""
    rules = ruleset_of(env_id)
    pack = tmp_path / "drawn"
    shutil.copytree(rules.load_pack(rules.check_arguments().pack).folder, pack)
    generator = rules.check_arguments(RANDOM).make_generator()
    names = []
    for seed, settings in enumerate(knob_ends(generator.TABLE).values()):
        arguments = rules.check_arguments(RANDOM, scenario_seed=seed, generator=settings)
        names.append(f"drawn-{seed}")
        (pack / f"scenarios/{names[-1]}.yaml").write_text(written(arguments, seed))
    if env_id == "HexDungeon-v0":  # whose packs list their scenarios
        with (pack / "pack.yaml").open("a") as card:
            card.writelines(f"  - {name}\n" for name in names)
    return pack, names


@EVERY
def test_what_is_left_out_does_not_change_in_scenarios_of_other_packs(env_id, drawn_pack):
    """With goals, maps and cards that the shipped ones do not have together."""
    pack, names = drawn_pack
    for k, scenario in enumerate(names):
        what = {"scenario": scenario, "heroes": 2, "pack": pack}
        watch = Watch(env_id, 20, fit(env_id, **what), **what)
        watch.play(POLICIES[k % 3])
        assert watch.changed() == [], scenario


@pytest.mark.check
@EVERY
def test_what_is_left_out_does_not_change_at_the_ends_of_ranges(env_id):
    """In packs some of whose numbers are the least or the most that are allowed."""
    extremes, draw, played = Extremes(env_id), random.Random(env_id), 0
    for _ in range(PACKS):
        what = {"scenario": draw.choice(extremes.scenarios), "pack": extremes.variant(draw)}
        what |= {"heroes": draw.choice((2, 3, 4)), "max_decisions": 800}
        with suppress(ValueError):  # the pack is refused
            watch = Watch(env_id, 16, fit(env_id, **what), **what)
            watch.play(draw.choice(POLICIES))
            assert watch.changed() == [], what
            played += 1
    assert played > PACKS // 2


# ---- the test itself ----------------------------------------------------------------------------
@EVERY
def test_a_column_wrongly_left_out_is_found(env_id):
    what = {"scenario": scenarios_of(env_id)[0], "heroes": 2}
    right, names = fit(env_id, **what), column_names(ruleset_of(env_id).OBS)
    nothing = Watch(env_id, 20, replace(right, columns=right.columns[:0]), **what)
    nothing.play("random")
    varying = [names.index(name) for name in nothing.changed()]
    assert len(varying) > 200
    for k in varying[:: len(varying) // 20]:
        wrong = replace(right, columns=right.columns[right.columns != k])
        watch = Watch(env_id, 20, wrong, **what)
        watch.play("random")
        assert watch.changed() == [names[k]]


@EVERY
def test_a_wrong_constant_is_found(env_id):
    right, names = fit(env_id), column_names(ruleset_of(env_id).OBS)
    constants, columns = right.constants.copy(), right.columns[1:]
    k = int(right.columns[0])
    constants[k] += 1
    watch = Watch(env_id, 2, replace(right, columns=columns, constants=constants))
    watch.play("random")
    assert watch.changed() == [names[k]]


# ---- sizes --------------------------------------------------------------------------------------
def test_the_starter_scenario_has_few_columns():
    assert len(fit("Agemonia-v0", heroes=2).columns) <= 900


@EVERY
def test_a_mix_has_the_columns_of_all_and_those_that_tell_them_apart(env_id):
    rules, names = ruleset_of(env_id), scenarios_of(env_id)
    entries = [(names[0], 2), (names[1], 3)]
    arguments = [rules.check_arguments(*one, observation="fitted") for one in entries]
    both, *alone = (fit_of(rules, some) for some in (arguments, arguments[:1], arguments[1:]))
    for one in alone:
        assert set(one.columns) <= set(both.columns)
    differs = alone[0].constants != alone[1].constants
    assert set(np.flatnonzero(differs)) <= set(both.columns)
