"""End to end: the package itself is edited, then uses models and results made before.

A copy of the package with one scenario and few games plays as plain Python, so that nothing has to
be compiled.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = Path("agemonia_env/rulesets/agemonia/core")
MAKE = """
import numpy as np
import agemonia_env
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA as rules
from agemonia_env.rulesets.identity import identity_of
from agemonia_env.policies.network import Layer, Network
from pathlib import Path

def layer(n):
    return Layer(np.zeros((1, n), np.float32), np.zeros(n, np.float32))

record = {
    "env_id": rules.env_id,
    "fingerprint": rules.check_arguments().reference().fingerprint,
    "identity": identity_of(rules.env_id),
}
Network(np.zeros(1, np.int32), [], layer(rules.N_ACTIONS), layer(1), record).save(Path("model.npz"))
agemonia_env.simulate("ford", games=2, policy="random", out="games.parquet")
"""
MEET = """
import json, warnings
import agemonia_env
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA as rules
from agemonia_env.policies import policy_of
warnings.simplefilter("error", UserWarning)

def outcome(use):
    try:
        use()
    except (ValueError, UserWarning) as error:
        return str(error)

known = rules.check_arguments().reference().fingerprint
print(json.dumps({
    "model": outcome(lambda: policy_of(rules, "model.npz", fingerprint=known)),
    "forced": outcome(lambda: policy_of(rules, "force:model.npz")),
    "simulate": outcome(lambda: agemonia_env.simulate(
        "ford", games=2, policy="random", out="games.parquet"
    )),
}))
"""


def run(folder, code):
    """The output of a process that imports the copied package."""
    paths = {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=os.environ | paths | {"NUMBA_DISABLE_JIT": "1", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a small copy of the package, and with a model and a simulation made by it."""
    folder = tmp_path_factory.mktemp("made")
    shutil.copytree(
        ROOT / "agemonia_env",
        folder / "agemonia_env",
        ignore=shutil.ignore_patterns("__pycache__", "gauntlets"),
    )
    scenarios = folder / "agemonia_env/rulesets/agemonia/content/packs/core/scenarios"
    for path in scenarios.iterdir():
        if path.stem != "ford":
            path.unlink()
    edit(
        folder,
        "agemonia_env/rulesets/agemonia/states/behaviour_games.py",
        "TABLES = 12",
        "TABLES = 1",
    )
    run(folder, MAKE)
    return folder


def edit(folder, path, old, new):
    """Change the text of a file, once."""
    file = folder / path
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path, old)
    file.write_text(text.replace(old, new), encoding="utf-8")


def met(made, tmp_path, path, old, new):
    """The messages about the model and the simulation after an edit."""
    shutil.copytree(made, tmp_path / "edited")
    edit(tmp_path / "edited", path, old, new)
    return json.loads(run(tmp_path / "edited", MEET))


def test_a_comment(made, tmp_path):
    outcomes = met(made, tmp_path, CORE / "rules/wound.py", '"""Section 13:', '"""Part 13:')
    assert outcomes["model"] is None
    assert outcomes["forced"] is None
    assert "sources: " in outcomes["simulate"]
    assert "though the rules play alike" in outcomes["simulate"]


def test_a_rule(made, tmp_path):
    """For example: a figure that becomes wounded keeps no chips."""
    chips = "chips = min(int(c.sheet[a].red), int(ally.wounds))"
    outcomes = met(made, tmp_path, CORE / "rules/wound.py", chips, "chips = 0")
    for what in ("model", "forced", "simulate"):
        assert "the rules play differently in 2 of 2 scenarios: ford, random" in outcomes[what]
    assert "Train it again" in outcomes["model"]
    assert "Train it again" not in outcomes["forced"]  # a warning
    assert "--force (force=True) to overwrite" in outcomes["simulate"]


def test_two_fields_of_the_observation(made, tmp_path):
    fields = ('("mirror", F32),  # 0/1\n        ("revenge", F32),  # 0/1\n        ("elite"',)
    old, new = fields[0], fields[0].replace("mirror", "x").replace("revenge", "mirror")
    outcomes = met(made, tmp_path, CORE / "obs_spec.py", old, new.replace('"x"', '"revenge"'))
    assert "cannot be played here: observations have another layout" in outcomes["model"]
    assert "cannot be played here: observations have another layout" in outcomes["forced"]
    assert "observations have another layout" in outcomes["simulate"]


@pytest.mark.parametrize(
    ("old", "new"), [("The Ford at Lowmere", "The Old Ford"), ("last_round: 15", "last_round: 16")]
)
def test_a_name_or_a_number_of_the_scenario(made, tmp_path, old, new):
    path = "agemonia_env/rulesets/agemonia/content/packs/core/scenarios/ford.yaml"
    outcomes = met(made, tmp_path, path, old, new)
    assert "trained on another ruleset" in outcomes["model"]
    assert outcomes["forced"] is None
    assert "kinds[0].ruleset" in outcomes["simulate"]
