"""The picture of docs/learning.md joins runs that continue one another."""

import json

import pytest


def test_curves_of_runs_are_joined_and_weighted_by_games(load_script, tmp_path):
    learning = load_script("docs/learning.py")
    for name, won in (("first", 0.5), ("second", 1.0)):
        (tmp_path / name).mkdir()
        rollouts = [{"steps": 1000 * k, "won": won, "games": k} for k in range(1, 4)]
        (tmp_path / name / "curve.json").write_text(json.dumps(rollouts))
    steps, won = learning.curve([tmp_path / "first", tmp_path / "second"])
    assert steps == pytest.approx([0.001, 0.002, 0.003, 0.004, 0.005, 0.006])
    assert won == pytest.approx([50, 50, 50, 100, 100, 100])
    learning.POINTS = 2
    (_, last), (_, share) = learning.curve([tmp_path / "second"])
    assert (last, share) == (pytest.approx(0.003), pytest.approx(100))
