"""Fitted observations are columns of the full ones, bit for bit, in every env."""

import copy
import itertools
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import registry
from gymnasium.vector import AutoresetMode

from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import env_class, vec_env_class, vector_env_class
from agemonia_env.envs.agents import N_AGENT_COLUMNS
from agemonia_env.envs.game_tree import GameTree
from agemonia_env.envs.wrappers import (
    ScenarioInObservation,
    StructuredObservation,
    StructuredVectorObservation,
)
from agemonia_env.policies import ScriptedPolicy
from agemonia_env.rulesets.agemonia.arguments import OPPONENTS
from agemonia_env.rulesets.agemonia.envs.gauntlet import AgemoniaGauntletEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.doors import RULESETS, add_ruleset
from agemonia_env.rulesets.fits import Reader, column_names
from agemonia_env.rulesets.ruleset import ruleset_of
from examples.skirmish.ruleset import RULESET as SKIRMISH
from tests.drawn import knob_ends
from tests.games import mostly_legal, random_steps, same

N = 5
STEPS = 250 if COMPILED else 40
EVERY = pytest.mark.parametrize("env_id", RULESETS)
MODES = pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
DTYPES = pytest.mark.parametrize("dtype", ["float32", "int8"])
DRAWN = {"scenario": "random", "ties": "auto", "scenario_seed": [0, 9]}


def check(fit, whole, fitted):
    """Fitted rows (n, k) have the columns of full ones, and stand for all of them."""
    assert fitted.dtype == whole.dtype
    assert fitted.tobytes() == whole[:, fit.columns].tobytes()
    assert fit.full(fitted).tobytes() == whole.tobytes()


def pair(make, *what, **choices):
    """The same env with full and with fitted observations."""
    return make(*what, **choices), make(*what, observation="fitted", **choices)


def mix_of(env_id):
    """Two scenarios and parties, one of them more often."""
    rules = ruleset_of(env_id)
    names = list(rules.load_pack(rules.check_arguments().pack).scenarios)
    return [
        {"scenario": names[0], "heroes": 2, "weight": 2},
        {"scenario": names[1], "heroes": 3},
    ]


# ---- many games ---------------------------------------------------------------------------------
def play_vector(whole, fitted, steps=STEPS, options=None):
    """Two vector envs play the same games -> how many ended; every result is compared."""
    (seen, infos), (fewer, also) = (env.reset(seed=3, options=options) for env in (whole, fitted))
    fit, random, ends = fitted.fit, np.random.default_rng(0), 0
    assert fit.columns.shape == fitted.single_observation_space.shape
    for step in range(steps):
        assert seen in whole.observation_space
        assert fewer in fitted.observation_space
        check(fit, seen, fewer)
        last, also_last = infos.pop("final_obs", None), also.pop("final_obs", None)
        for i in np.flatnonzero(infos.get("_final_obs", ())):
            check(fit, last[i][None], also_last[i][None])
        assert same(infos, also)
        assert whole.batch.arrays.raw.tobytes() == fitted.batch.arrays.raw.tobytes()
        actions = mostly_legal(random, infos["action_mask"], step)
        (seen, *results, infos), (fewer, *others, also) = whole.step(actions), fitted.step(actions)
        assert all(map(np.array_equal, results, others))
        over = results[1] | results[2]
        ends += over.sum()
        if over.any() and whole.autoreset_mode == AutoresetMode.DISABLED:
            chosen = {"options": {"reset_mask": over}}
            (seen, infos), (fewer, also) = whole.reset(**chosen), fitted.reset(**chosen)
    whole.close()
    fitted.close()
    return ends


@pytest.mark.parametrize("threads", [1, 2])
@MODES
@DTYPES
@EVERY
def test_a_vector_env_plays_a_mix(env_id, dtype, mode, threads):
    how = {"dtype": dtype, "autoreset_mode": mode, "threads": threads, "mix": mix_of(env_id)}
    envs = pair(vector_env_class(env_id), N, max_decisions=60, reward="shaped", **how)
    assert play_vector(*envs) or not COMPILED


@pytest.mark.skipif(not COMPILED, reason="plays games to their end")
@DTYPES
@EVERY
def test_a_vector_env_plays_games_to_their_end(env_id, dtype):
    """More of them than a thread plays at a time."""
    how = {"dtype": dtype, "autoreset_mode": "SameStep", "threads": 2, "heroes": 4}
    assert play_vector(*pair(vector_env_class(env_id), 70, max_decisions=120, **how)) > 70


@DTYPES
@EVERY
def test_a_vector_env_draws_scenarios(env_id, dtype):
    """With every knob at both ends, which only the games are told."""
    what = DRAWN | {"autoreset_mode": "SameStep", "max_decisions": 40, "dtype": dtype}
    generator = ruleset_of(env_id).check_arguments("random").make_generator()
    ends = [*knob_ends(generator.TABLE).values()][: None if COMPILED else 3]
    envs = pair(vector_env_class(env_id), len(ends), **what)
    assert play_vector(*envs, 100 if COMPILED else 4, {"generator": ends}) or not COMPILED


@EVERY
def test_a_mix_may_draw_some_of_its_scenarios(env_id):
    mix = [*mix_of(env_id), DRAWN | {"heroes": 3}]
    for entry in mix:
        entry.pop("ties", None)
    play_vector(*pair(vector_env_class(env_id), N, mix=mix, max_decisions=30, dtype="int8"))


@EVERY
def test_a_step_may_be_waited_for(env_id):
    whole, fitted = pair(vector_env_class(env_id), N, threads=2, max_decisions=20)
    masks = whole.reset(seed=1)[1]["action_mask"]
    fitted.reset(seed=1)
    for _ in range(30):
        actions = masks.argmax(axis=1)
        for env in (whole, fitted):
            env.step_async(actions)
        (seen, *_, infos), (fewer, *_) = whole.step_wait(), fitted.step_wait()
        check(fitted.fit, seen, fewer)
        masks = infos["action_mask"]


@EVERY
def test_stable_baselines3_plays_a_mix(env_id):
    pytest.importorskip("stable_baselines3", reason="needs the extra train")
    what = {"mix": mix_of(env_id), "max_decisions": 40, "threads": 2, "seed": 3}
    whole, fitted = pair(vec_env_class(env_id), N, **what)
    seen, fewer, random, ends = whole.reset(), fitted.reset(), np.random.default_rng(0), 0
    for step in range(STEPS):
        assert fitted.observation_space.contains(fewer[0])
        check(fitted.fit, seen, fewer)
        actions = mostly_legal(random, whole.action_masks(), step)
        (seen, *results, infos), (fewer, *others, also) = whole.step(actions), fitted.step(actions)
        assert all(map(np.array_equal, results, others))
        assert np.array_equal(whole.action_masks(), fitted.action_masks())
        for info, other in zip(infos, also, strict=True):
            if "terminal_observation" in info:
                ends += 1
                check(
                    *(fitted.fit, *(one.pop("terminal_observation")[None] for one in (info, other)))
                )
                info["episode"].pop("t")  # when it ended
                other["episode"].pop("t")
            assert same(info, other)
    assert ends >= N or not COMPILED


# ---- one game -----------------------------------------------------------------------------------
PLAYED = [
    {},
    {"heroes": 4, "ties": "auto", "reward": "shaped", "action_features": True},
    {"illegal": "terminate", "max_decisions": 40, "log": True},
    DRAWN | {"heroes": 3},
    DRAWN | {"scenario_seed": 7},
]


def begun(env_id, seed=5, steps=0, **choices):
    """A full and a fitted env at the same position, some steps after the start."""
    whole, fitted = pair(env_class(env_id), **choices)
    whole.reset(seed=seed)
    fitted.reset(seed=seed)
    for _ in itertools.islice(random_steps(whole), steps):
        pass
    fitted.set_state(whole.get_state())
    return whole, fitted


def check_alike(whole, fitted, steps=40):
    """Two envs at the same position play on alike, into the next game if this one ends."""
    random = np.random.default_rng(2)
    for step in range(steps):
        assert whole.get_state() == fitted.get_state()
        check(fitted.fit, whole._observe()[None], fitted._observe()[None])
        action = mostly_legal(random, whole.action_masks()[None], step)[0]
        (seen, *results, info), (fewer, *others, also) = whole.step(action), fitted.step(action)
        assert results == others
        assert same(info, also)
        assert fitted.observation_space.contains(fewer)
        check(fitted.fit, seen[None], fewer[None])
        if results[1] or results[2]:
            (seen, _), (fewer, _) = whole.reset(seed=step), fitted.reset(seed=step)
            check(fitted.fit, seen[None], fewer[None])


@pytest.mark.parametrize("choices", PLAYED)
@EVERY
def test_a_single_env_plays_alike(env_id, choices):
    check_alike(*begun(env_id, **choices), steps=STEPS)


COPIES = {
    "set": None,
    "clone": lambda env: env.clone(reseed=3),
    "twin": lambda env: env.clone(reseed=False),
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "copy": copy.deepcopy,
}


@pytest.mark.parametrize("choices", PLAYED)
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@EVERY
def test_copies_and_positions_play_alike(env_id, copied, choices):
    whole, fitted = begun(env_id, steps=12, **choices)
    if copied is None:
        fitted.reset(seed=9)
        fitted.set_state(whole.get_state())
    else:
        whole, fitted = copied(whole), copied(fitted)
    check_alike(whole, fitted)


def test_drawn_games_may_have_any_knobs():
    whole, fitted = begun("Agemonia-v0", **DRAWN)
    for seed, settings in enumerate(knob_ends(fitted._scenarios.generator.TABLE).values()):
        options = {"scenario_seed": seed, "generator": settings}
        whole.reset(options=options)
        position = whole.get_state()
        fitted.set_state(position)
        check_alike(whole, fitted, 10)


ENEMY = {"side": "enemy", "enemy_will": "free"}
OPPOSED = [{"enemy_will": "free"}, ENEMY, ENEMY | {"side": "both"}, ENEMY | DRAWN]


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("arguments", OPPOSED)
def test_opponents_play_alike(arguments, outside):
    name = "greedy"
    opponent = ScriptedPolicy(AGEMONIA, name, int(OPPONENTS[name])) if outside else name
    what = {"opponent": opponent, "max_decisions": 30, **arguments}
    steps = 100 if COMPILED else 8
    play_vector(*pair(AgemoniaVectorEnv, N, autoreset_mode="SameStep", **what), steps)
    check_alike(*begun("Agemonia-v0", **what), steps=steps)


@pytest.mark.skipif(not COMPILED, reason="plays games to their end")
def test_a_gauntlet_shows_all_of_its_stages():
    whole, fitted = pair(AgemoniaGauntletEnv, heroes=2, ties="auto")
    policy, stages = ScriptedPolicy(AGEMONIA, "greedy", AGEMONIA.POLICIES["greedy"]), set()
    for seed in range(40):
        (seen, info), (fewer, _) = whole.reset(seed=seed), fitted.reset(seed=seed)
        over = False
        while not over:
            stages.add(info["stage"])
            check(fitted.fit, seen[None], fewer[None])
            action = whole.choose(policy)
            fitted.choose(policy)  # draws as the other one does
            seen, _, *ends, info = whole.step(action)
            fewer, *_ = fitted.step(action)
            over = any(ends)
    assert stages == {1, 2, 3}
    whole.reset(seed=1)
    fitted.set_state(whole.get_state())
    check_alike(whole, pickle.loads(pickle.dumps(fitted)))


# ---- agents, trees and named arrays -------------------------------------------------------------
@EVERY
@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_agents_see_alike(env_id, kind):
    pettingzoo = pytest.importorskip("pettingzoo", reason="needs the extra marl")
    import agemonia_env.envs.pettingzoo  # noqa: F401 - registers the environments

    whole, fitted = (pettingzoo.make(kind, env_id, heroes=3, observation=how) for how in HOW)
    fit, random = fitted.game.fit, np.random.default_rng(0)
    width = len(fit.columns)
    for seed in range(2):
        whole.reset(seed=seed)
        fitted.reset(seed=seed)
        for _ in range(40):
            check(fit, whole.state()[None], fitted.state()[None])
            assert fitted.state_space.contains(fitted.state())
            for agent in whole.possible_agents:
                seen, fewer = whole.observe(agent), fitted.observe(agent)
                assert fitted.observation_space(agent).contains(fewer)
                assert np.array_equal(seen["action_mask"], fewer["action_mask"])
                seen, fewer = seen["observation"], fewer["observation"]
                assert len(fewer) == width + N_AGENT_COLUMNS
                assert seen[-N_AGENT_COLUMNS:].tobytes() == fewer[width:].tobytes()
                check(fit, seen[None, :-N_AGENT_COLUMNS], fewer[None, :width])
            mask = whole.observe(whole.asked)["action_mask"]
            action = int(random.choice(np.flatnonzero(mask)))
            for env in (whole, fitted):
                env.step(action if kind == "aec" else {env.asked: action})
            if whole.asked is None:
                break


HOW = "full", "fitted"


@EVERY
def test_trees_show_alike(env_id):
    whole, fitted = (GameTree(env_id, heroes=1, outcomes=3, observation=how) for how in HOW)
    fit, random = fitted.env.fit, np.random.default_rng(1)
    node, other = whole.root(), fitted.root()
    assert whole.observation(node)[fit.columns].tobytes() == fitted.observation(other).tobytes()
    for _ in range(60):
        choice = int(random.choice(node.legal))
        node, other = whole.child(node, choice), fitted.child(other, choice)
        assert node == other
        check(fit, whole.observation(node)[None], fitted.observation(other)[None])
        if not node.legal:
            break


@EVERY
def test_openspiel_observes_alike(env_id):
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel")
    from open_spiel.python.observation import make_observation

    from agemonia_env.envs.openspiel import short_name

    games = [
        pyspiel.load_game(short_name(env_id), {"observation": how, "heroes": 1}) for how in HOW
    ]
    fit, observers = games[1].tree.env.fit, [make_observation(game) for game in games]
    states, random = [game.new_initial_state() for game in games], np.random.default_rng(1)
    shape = games[1].observation_tensor_shape()
    assert shape == [len(fit.columns)]
    for _ in range(40):
        choice = int(random.choice(states[0].legal_actions()))
        for state, observer in zip(states, observers, strict=True):
            state.apply_action(choice)
            observer.set_from(state, 0)
        check(fit, *(observer.tensor[None].copy() for observer in observers))
        check(fit, *(np.float32([state.observation_tensor(0)]) for state in states))
        if states[0].is_terminal():
            break


@EVERY
@pytest.mark.parametrize("choices", [{}, DRAWN])
def test_named_arrays_are_alike(env_id, choices):
    whole, fitted = map(StructuredObservation, pair(env_class(env_id), **choices))
    (seen, info), (also, _) = whole.reset(seed=1), fitted.reset(seed=1)
    assert fitted.observation_space == whole.observation_space
    for _ in range(30):
        assert same(seen, also)
        assert fitted.observation_space.contains(also)
        action = int(info["action_mask"].argmax())
        (seen, *_, info), (also, *_) = whole.step(action), fitted.step(action)
    shown = fitted.unwrapped.fit.structure(fitted.unwrapped._observe()[None])
    assert all(np.array_equal(shown[name][0], seen[name]) for name in shown)


@EVERY
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("choices", [{}, DRAWN])
def test_named_arrays_of_a_vector_env_are_alike(env_id, mode, choices):
    what = {"autoreset_mode": mode, "max_decisions": 15, **choices}
    envs = pair(vector_env_class(env_id), 3, **what)
    whole, fitted = map(StructuredVectorObservation, envs)
    (seen, infos), (also, others) = whole.reset(seed=1), fitted.reset(seed=1)
    for _ in range(40):
        assert same(seen, also)
        assert same(infos, others)  # the last ones, too
        actions = infos["action_mask"].argmax(axis=1)
        (seen, *_, infos), (also, *_, others) = whole.step(actions), fitted.step(actions)


@EVERY
@DTYPES
def test_the_scenario_follows_a_fitted_row(env_id, dtype):
    what = {"dtype": dtype, "max_decisions": 15, "autoreset_mode": "SameStep", **DRAWN}
    whole, fitted = map(ScenarioInObservation, pair(vector_env_class(env_id), 3, **what))
    fit = fitted.unwrapped.fit
    n, k = whole.structure.n_observation, len(fit.columns)

    def check_rows(rows, fewer):
        check(fit, rows[:, :n], fewer[:, :k])
        assert rows[:, n:].tobytes() == fewer[:, k:].tobytes()

    (rows, infos), (fewer, _) = whole.reset(seed=1), fitted.reset(seed=1)
    for _ in range(40):
        assert fitted.observation_space.contains(fewer)
        check_rows(rows, fewer)
        actions = infos["action_mask"].argmax(axis=1)
        (rows, *_, infos), (fewer, *_, others) = whole.step(actions), fitted.step(actions)
        for i in np.flatnonzero(infos.get("_final_obs", ())):
            check_rows(infos["final_obs"][i][None], others["final_obs"][i][None])


# ---- the fit itself -----------------------------------------------------------------------------
@EVERY
@pytest.mark.parametrize("choices", [{}, {"heroes": 4}, DRAWN])
def test_every_column_has_a_name_of_its_own(env_id, choices):
    env = env_class(env_id)(observation="fitted", **choices)
    every, names = column_names(env.ruleset.OBS), env.fit.names
    assert len(every) == len({*every}) == env.ruleset.N_OBSERVATION
    assert names == [every[k] for k in env.fit.columns]
    assert (np.diff(env.fit.columns) > 0).all()
    seen, _ = env.reset(seed=1)
    record = env.fit.full(seen[None]).view(env.ruleset.OBS)[0, 0]
    for k in range(0, len(names), 37):
        at = record
        for part in names[k].replace("]", "").replace("[", ".").split("."):
            at = at[int(part)] if part.isdigit() else at[part]
        assert at == seen[k], names[k]


@EVERY
@DTYPES
def test_a_reader_takes_columns_that_are_left_out(env_id, dtype):
    whole, fitted = pair(vector_env_class(env_id), 3, dtype=dtype)
    rules, fit = whole.ruleset, fitted.fit
    seen, infos = whole.reset(seed=2)
    fewer, _ = fitted.reset(seed=2)
    columns = np.random.default_rng(0).permutation(rules.N_OBSERVATION)[:300]
    left_out = np.isin(columns, fit.columns, invert=True)
    assert left_out.any() or len(fit.columns) == rules.N_OBSERVATION
    read, other = (Reader(rules, one, columns, np.dtype(dtype)) for one in (fit, None))
    into = np.full((3, 300), 99, dtype)
    for _ in range(30):
        expected = seen[:, columns]
        assert read(fewer).tobytes() == expected.tobytes()
        assert other(seen).tobytes() == expected.tobytes()
        assert read(fewer, into) is into
        assert into.tobytes() == expected.tobytes()
        actions = infos["action_mask"].argmax(axis=1)
        (seen, *_, infos), (fewer, *_) = whole.step(actions), fitted.step(actions)


@pytest.fixture
def skirmish_id(monkeypatch):
    """The id of a ruleset without a fitting, known to Gymnasium and to the package."""
    for known in (RULESETS, registry):
        monkeypatch.setitem(known, SKIRMISH.env_id, None)  # so that it is forgotten after the test
        del known[SKIRMISH.env_id]
    add_ruleset("examples.skirmish")
    return SKIRMISH.env_id


@DTYPES
def test_a_ruleset_that_does_not_say_has_all_columns(skirmish_id, dtype):
    whole, fitted = begun(skirmish_id)
    assert whole.fit is None
    assert fitted.fit.columns.tolist() == [*range(SKIRMISH.N_OBSERVATION)]
    check_alike(whole, fitted)
    what = {"dtype": dtype, "autoreset_mode": "SameStep", "max_decisions": 20}
    assert play_vector(*pair(vector_env_class(skirmish_id), 3, **what), 45)


# ---- arguments ----------------------------------------------------------------------------------
@EVERY
def test_observations_are_full_unless_asked_for(env_id):
    n = ruleset_of(env_id).N_OBSERVATION
    assert ruleset_of(env_id).check_arguments().observation == "full"
    single, vector = env_class(env_id)(), vector_env_class(env_id)(2)
    assert single.fit is vector.fit is None
    assert single.observation_space.shape == vector.single_observation_space.shape == (n,)
    made = gymnasium.make(env_id, observation="fitted")
    assert made.observation_space.shape == made.unwrapped.fit.columns.shape


@EVERY
def test_a_wrong_value_is_an_error_of_one_line(env_id):
    for make in (env_class(env_id), vector_env_class(env_id), lambda **o: vec_env(env_id, **o)):
        for value in ("compact", None, 3):
            words = r"^observation=.*: must be one of 'full', 'fitted'$"
            with pytest.raises(ValueError, match=words):
                make(observation=value)


def vec_env(env_id, **choices):
    pytest.importorskip("stable_baselines3", reason="needs the extra train")
    return vec_env_class(env_id)(2, **choices)


def test_a_mix_has_one_kind_of_observation():
    with pytest.raises(ValueError, match="mix: 'observation': must be one of scenario, "):
        AgemoniaVectorEnv(2, mix=[{"observation": "fitted"}])


def test_a_wrong_value_says_what_was_meant():
    with pytest.raises(ValueError, match="observation='fited'"):
        AgemoniaEnv(observation="fited")


@pytest.mark.parametrize("env_id", RULESETS)
def test_single_envs_of_a_mix_have_its_fit(env_id):
    env = vector_env_class(env_id)(3, mix=mix_of(env_id), observation="fitted")
    env.reset(seed=1)
    spaces = env.get_attr("observation_space")
    assert all(one == env.single_observation_space for one in spaces)
    assert all(one is env.fit for one in env.get_attr("fit"))
