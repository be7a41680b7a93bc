"""PettingZoo: its own checks, who answers which question, and the same game as a single env."""

import copy
import warnings

import numpy as np
import pytest

pytest.importorskip(
    "pettingzoo", reason="PettingZoo envs need the extra marl, which make test installs"
)

import pettingzoo
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from agemonia_env.envs import env_class
from agemonia_env.envs.agents import ENEMY_AGENT, N_AGENT_COLUMNS, N_AGENTS, acting_agents
from agemonia_env.rulesets.agemonia import AgemoniaAECEnv, AgemoniaParallelEnv
from agemonia_env.rulesets.ruleset import ruleset_of

IDS = ["Agemonia-v0", "HexDungeon-v0"]
FREE = {"side": "both", "enemy_will": "free"}
PARTIES = [("Agemonia-v0", {"heroes": n} | seated) for n in (1, 2, 3, 4) for seated in ({}, FREE)]
PARTIES += [("HexDungeon-v0", {"heroes": n}) for n in (1, 2, 3, 4)]
GAMES = [PARTIES[2], PARTIES[7], PARTIES[-1]]


@pytest.fixture
def strict():
    """Warnings are errors, except two of PettingZoo about dict observations."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # plain Python
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        yield


def aec(env_id, **keys):
    return pettingzoo.make("aec", env_id, **keys)


def parallel(env_id, **keys):
    return pettingzoo.make("parallel", env_id, **keys)


def legal(random, seen):
    return int(random.choice(np.flatnonzero(seen["action_mask"])))


def acted(env, seed=5, limit=1000):
    """Play an AEC env by chance; yields the agent that is about to act, and its action."""
    random = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(limit):
        agent = env.agent_selection
        if env.terminations[agent]:
            return
        action = legal(random, env.observe(agent))
        yield agent, action
        env.step(action)


# ---- PettingZoo's own checks ------------------------------------------------------------------
@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("env_id", "keys"), PARTIES)
def test_pettingzoos_own_tests_pass_with_warnings_as_errors(env_id, keys, capsys):
    api_test(aec(env_id, **keys), num_cycles=100)
    parallel_api_test(parallel(env_id, **keys), num_cycles=200)
    assert capsys.readouterr().out.count("Passed") == 2


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("env_id", "keys"), GAMES)
def test_pettingzoos_tests_of_seeds_states_and_pictures_pass(env_id, keys):
    seed_test(lambda: aec(env_id, **keys), num_cycles=50)
    parallel_seed_test(lambda: parallel(env_id, **keys), num_cycles=50)
    state_test(aec(env_id, **keys), parallel(env_id, **keys))
    render_test(lambda render_mode: aec(env_id, render_mode=render_mode, **keys))


def test_human_rendering_prints_the_board(capsys):
    env = parallel("Agemonia-v0", render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert "Round 1" in capsys.readouterr().out


def test_wrappers_of_pettingzoo_work():
    env = OrderEnforcingWrapper(TerminateIllegalWrapper(AgemoniaAECEnv(), illegal_reward=-1))
    env.reset(seed=0)
    agent = env.agent_selection
    env.step(int(env.observe(agent)["action_mask"].argmin()))
    assert env.terminations == {"hero_0": True, "hero_1": True}
    assert env.rewards[agent] == -1


def test_both_kinds_are_registered_under_the_ids_of_gymnasium():
    env = pettingzoo.make("aec", "Agemonia_v0", scenario="beacon", heroes=3)
    assert type(env) is AgemoniaAECEnv
    assert env.game.arguments.scenario == "beacon"
    assert type(pettingzoo.make("parallel", "Agemonia-v0")) is AgemoniaParallelEnv
    assert str(aec("HexDungeon-v0")) == "hexdungeon_v0"


# ---- the same game ----------------------------------------------------------------------------
@pytest.mark.parametrize(("env_id", "keys"), GAMES)
def test_a_trajectory_is_that_of_the_single_environment(env_id, keys):
    single = env_class(env_id)(reward="shaped", **keys)
    one, all_ = aec(env_id, reward="shaped", **keys), parallel(env_id, reward="shaped", **keys)
    observation, info = single.reset(seed=5)
    seen, _ = all_.reset(seed=5)
    n = len(info["action_mask"])
    sides = set()
    for agent, action in acted(one):
        assert one.game.get_state() == all_.game.get_state() == single.get_state()
        for view in (one.observe(agent), seen[agent]):
            assert np.array_equal(view["observation"][:-N_AGENT_COLUMNS], observation)
            assert np.array_equal(view["action_mask"], [*info["action_mask"], 0])
        assert np.array_equal(one.state(), observation)
        sides.add(agent.split("_")[0])
        assert (agent == "enemy_0") == (info["side"] == "enemy" and "side" in keys)
        observation, reward, over, truncated, info = single.step(action)
        actions = {name: action if name == agent else n for name in all_.agents}
        seen, rewards, ends, cuts, infos = all_.step(actions)
        heroes = {name: -reward if name == "enemy_0" else reward for name in one.possible_agents}
        assert rewards == heroes
        assert set(ends.values()) == {over}
        assert set(cuts.values()) == {truncated}
        assert not any(info["illegal_action"] for info in infos.values())
    assert one.game.get_state() == single.get_state()
    assert over
    assert not all_.agents
    assert sides == ({"hero", "enemy"} if "side" in keys else {"hero"})


def test_heroes_share_the_reward_and_the_enemy_side_has_the_opposite():
    env = AgemoniaAECEnv(reward="shaped", ties="auto", **FREE)
    env.reset(seed=3)
    random, sums = np.random.default_rng(3), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, info = env.last()
        sums[agent] += reward
        if over:
            assert info["is_success"] is (agent == "enemy_0")
            assert env.game_info()["episode_statistics"]["ending"] == "all_exhausted"
        env.step(None if over else legal(random, seen))
    assert env.agents == []
    assert sums["hero_0"] == pytest.approx(sums["hero_1"])
    assert sums["enemy_0"] == pytest.approx(-sums["hero_0"])
    assert sums["hero_0"] < -0.5


def test_a_game_starts_from_a_core_seed():
    envs = AgemoniaAECEnv(), AgemoniaAECEnv()
    envs[0].reset(options={"core_seed": 11})
    envs[1].reset(seed=2, options={"core_seed": 11})
    assert envs[0].state().tobytes() == envs[1].state().tobytes()


def test_a_copy_is_independent():
    env = AgemoniaAECEnv()
    for moment, (agent, action) in enumerate(acted(env)):
        if moment == 20:
            other = copy.deepcopy(env)
            before = env.game.get_state()
            other.step(action)
            assert env.game.get_state() == before != other.game.get_state()
            assert env.agent_selection == agent


# ---- the agent asked ----------------------------------------------------------------------------
@pytest.mark.parametrize(("env_id", "keys"), GAMES)
def test_the_agent_asked_acts_and_all_others_can_only_pass(env_id, keys):
    env = aec(env_id, **keys)
    n = ruleset_of(env_id).N_ACTIONS
    selected = set()
    for agent, _ in acted(env):
        selected.add(agent)
        for name in env.agents:
            seen, info = env.observe(name), env.infos[name]
            tail = np.zeros(N_AGENT_COLUMNS)
            tail[ENEMY_AGENT if name == "enemy_0" else int(name[-1])] = 1
            tail[N_AGENTS] = name == agent
            assert np.array_equal(seen["observation"][-N_AGENT_COLUMNS:], tail)
            assert info["asked"] is (name == agent)
            if name != agent:
                assert np.flatnonzero(seen["action_mask"]).tolist() == [n]
    assert selected == set(env.possible_agents)


@pytest.mark.parametrize("env_id", IDS)
def test_an_exhausted_hero_stays_and_passes(env_id):
    rules, env = ruleset_of(env_id), aec(env_id, heroes=3)
    down = set()
    for seed in range(4):
        for agent, _ in acted(env, seed):
            flags = rules.exhausted_heroes(env.game.states)[0]
            assert not flags[int(agent[-1])]
            assert env.agents == env.possible_agents
            down |= {f"hero_{h}" for h in np.flatnonzero(flags)}
    assert len(down) > 1


def test_the_first_standing_hero_answers_joint_decisions():
    rules = ruleset_of("Agemonia-v0")
    states = np.zeros(5, rules.STATE)
    names = list(rules.DECISIONS)
    states["decision"] = [names.index("turn")] * 4 + [names.index("enemy_target")]
    states["asked"] = 1, -1, 3, -1, -1  # slot 3 of three Heroes' games is a Non-Hero Ally's
    states["ally"]["exhausted"][2:4, 0] = 1
    states["ally"]["exhausted"][3, 1] = 1
    assert acting_agents(rules, states, 3, enemy=False).tolist() == [1, 0, 1, 2, 0]
    assert acting_agents(rules, states, 3, enemy=True).tolist() == [1, 0, 1, 2, ENEMY_AGENT]
    assert acting_agents(rules, states, 4, enemy=False)[2] == 3


def test_the_opponent_decides_for_enemies_without_an_agent():
    env = AgemoniaAECEnv(enemy_will="free", ties="auto")
    assert {env.game_info()["side"] for _ in acted(env)} == {"hero"}
    assert env.possible_agents == ["hero_0", "hero_1"]


# ---- what is refused --------------------------------------------------------------------------
def test_passing_is_illegal_for_the_agent_asked_and_takes_a_step():
    env = AgemoniaAECEnv(max_decisions=2)
    env.reset(seed=0)
    agent, before = env.agent_selection, env.state()
    env.step(env.pass_action)
    assert env.infos[agent]["illegal_action"]
    assert env.denial(agent) == "not_asked"
    assert np.array_equal(env.state(), before)
    assert env.agent_selection == agent
    env.step(np.int64(env.pass_action))
    assert env.truncations == {"hero_0": True, "hero_1": True}
    assert env.terminations == {"hero_0": False, "hero_1": False}


def test_out_of_turn_actions_are_reported_and_change_nothing():
    env, twin = AgemoniaParallelEnv(), AgemoniaParallelEnv()
    seen, _ = env.reset(seed=0)
    twin.reset(seed=0)
    asked = env.asked
    (other,) = set(env.agents) - {asked}
    action = legal(np.random.default_rng(0), seen[asked])
    *_, infos = env.step({asked: action, other: 3})
    assert infos[other]["illegal_action"]
    assert env.denial(other) == "not_asked"
    assert not infos[asked]["illegal_action"]
    assert env.denial(asked) == "none"
    *_, infos = twin.step({asked: action})
    assert not infos[other]["illegal_action"]
    assert env.game.get_state() == twin.game.get_state()


def test_an_illegal_answer_is_reported_to_its_agent():
    env = AgemoniaParallelEnv()
    seen, _ = env.reset(seed=0)
    asked = env.asked
    action = int(seen[asked]["action_mask"].argmin())
    *_, infos = env.step(dict.fromkeys(env.agents, env.pass_action) | {asked: action})
    assert [name for name, info in infos.items() if info["illegal_action"]] == [asked]


def test_illegal_actions_raise_on_request():
    env = AgemoniaParallelEnv(illegal="raise")
    seen, _ = env.reset(seed=0)
    before, asked, n = env.game.get_state(), env.asked, env.pass_action
    (other,) = set(env.agents) - {asked}
    with pytest.raises(ValueError, match=f"of {asked} is illegal: it is asked and cannot pass"):
        env.step({asked: n})
    with pytest.raises(ValueError, match=f"of {other} is illegal: it is not asked and can only"):
        env.step({asked: 0, other: 0})
    with pytest.raises(ValueError, match="is illegal"):
        env.step({asked: int(seen[asked]["action_mask"].argmin())})
    assert env.game.get_state() == before


@pytest.mark.parametrize("action", [-1, 219, "left", 1.5, None])
def test_actions_outside_the_space_are_refused(action):
    env = AgemoniaParallelEnv()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="must be a whole number, 0 to 218"):
        env.step({env.asked: action})


def test_stepping_a_finished_game_is_refused():
    env, all_ = AgemoniaAECEnv(max_decisions=1), AgemoniaParallelEnv(max_decisions=1)
    for unready in (env.step, lambda action: all_.step({"hero_0": action})):
        with pytest.raises(ValueError, match="call reset"):
            unready(0)
    env.reset(seed=0)
    all_.reset(seed=0)
    with pytest.raises(ValueError, match="the action of hero_0 is missing"):
        all_.step({"hero_1": 218})
    env.step(0)
    all_.step({"hero_0": 0})
    for _ in env.possible_agents:
        env.step(None)
    for unready in (env.step, lambda action: all_.step({"hero_0": action})):
        with pytest.raises(ValueError, match="call reset"):
            unready(0)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"side": "enemy"}, "side='enemy': must be 'hero' or 'both'"),
        ({"illegal": "terminate"}, "TerminateIllegalWrapper"),
        ({"heroes": 5}, "1 to 4 Heroes"),
        ({"render_mode": "film"}, "render_mode='film'"),
    ],
)
def test_wrong_arguments_are_refused(keys, said):
    for kind in (AgemoniaAECEnv, AgemoniaParallelEnv):
        with pytest.raises(ValueError, match=said):
            kind(**keys)


def test_hexdungeon_has_no_enemy_agent():
    with pytest.raises(ValueError, match="side='both': must be one of 'hero'"):
        aec("HexDungeon-v0", side="both")
