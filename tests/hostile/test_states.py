"""The attack on positions; more of it: `python -m tests.hostile.states --states 5000`."""

import time
from collections import Counter

import pytest

from agemonia_env.rulesets.doors import RULESETS
from tests.hostile.states import PLAYED, REFUSED, answers, warm

STATES = 1000


@pytest.mark.parametrize("env_id", RULESETS)
def test_damaged_positions_are_refused_or_played_on_from(env_id):
    warm(env_id)
    found = {number: (outcome, what) for number, what, outcome in answers(env_id, 5, 0, STATES)}
    assert sorted(found) == list(range(STATES))
    faults = {k: outcome for k, outcome in found.items() if outcome[0] not in (REFUSED, PLAYED)}
    assert not faults
    counts = Counter(outcome for outcome, _ in found.values())
    assert min(counts[REFUSED], counts[PLAYED]) > STATES // 5


def test_a_process_that_dies_or_hangs_is_counted_and_the_others_continue(monkeypatch):
    def work(env_id, seed, first, last, pipe):
        for number in range(first, last):
            pipe.send((number, "what", None))
            if number == 1:
                raise SystemExit(3)
            if number == 2:
                time.sleep(60)
            pipe.send((number, "what", PLAYED))

    monkeypatch.setattr("tests.hostile.states.work", work)
    monkeypatch.setattr("tests.hostile.states.PATIENCE", 0.5)
    outcomes = [outcome for _, _, outcome in answers("Agemonia-v0", 0, 0, 4)]
    assert outcomes[0] == outcomes[3] == PLAYED
    assert "crash" in outcomes[1]
    assert outcomes[2] == "hang"
