"""The observation says what boards, Enemy cards and the objective say."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.core.obs_spec import OBS_INT8, SCALES
from agemonia_env.rulesets.agemonia.core.terms import Objective
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games


def played(scenario, steps=60):
    """State, content and observed integers of games in random play."""
    games = Games(AGEMONIA, scenario, 2, range(6))
    for _ in range(steps):
        codes = np.rint(games.observations() * SCALES).astype(np.int8).view(OBS_INT8)[:, 0]
        for state, row in zip(games.states, codes, strict=True):
            yield state, games.contents[0], row
        games.step(games.chosen())


@pytest.mark.parametrize("scenario", ["ford", "tithe", "ferry", "broodholm"])
def test_cards_and_objective_are_observed(scenario):
    enemies = 0
    for state, content, seen in played(scenario):
        objective, subject = content["objective"], content["objective_subject"]
        assert seen["scenario"]["objective"].nonzero()[0].tolist() == [objective]
        assert seen["scenario"]["number"] == content["objective_number"]
        assert seen["scenario"]["last_round"] == content["last_round"]
        for slot in seen["ally"]["present"].nonzero()[0]:
            ally, sheet, items = seen["ally"][slot], content["sheet"][slot], state["ally"][slot]
            assert ally["moves"].tolist() == [sheet["move_free"], sheet["move_paid"]]
            assert ally["recovers"].tolist() == [sheet["recover_stamina"], sheet["recover_damage"]]
            assert ally["blue"] == sheet["blue"]
            assert ally["wanted"] == (objective == Objective.ESCORT and subject == slot)
            is_asked = objective == Objective.COLLECT
            assert ally["collected"] == (is_asked and (items["item"] == subject).sum())
        for slot in seen["enemy"]["present"].nonzero()[0]:
            enemy, kind = seen["enemy"][slot], state["enemy"][slot]["type"]
            card = content["type"][kind]
            strikes = [content["strike"][row] if row >= 0 else None for row in card["strike"]]
            assert enemy["wanted"] == (objective == Objective.DEFEAT_TYPE and subject == kind)
            assert enemy["move"].tolist() == card["move"].tolist()
            for name, field in (("strike", "value"), ("range", "range")):
                known = [0 if one is None else max(0, one[field]) for one in strikes]
                assert enemy[name].tolist() == known
            enemies += 1
    assert enemies > 100


def test_items_to_collect_are_observed_where_they_lie():
    found = 0
    for state, content, seen in played("tithe"):
        for area in range(content["n_areas"]):
            lying = (state["item"][area] == content["objective_subject"]).sum()
            assert seen["area"][area]["wanted"] == lying
            found += lying
    assert found > 0
