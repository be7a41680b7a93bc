"""Links of the play page: crafted ones are refused, or lead to a game of legal moves.

More of it: `python -m tests.hostile.links --links 1000`.
"""

import base64

import pytest

from agemonia_env.core.jit import COMPILED
from tests.hostile.links import SETTINGS, answers, attack, fault, sound

pytestmark = pytest.mark.skipif(not COMPILED, reason="compares with compiled rules")


def test_links_lead_to_the_position_of_their_moves(site):
    links = [
        "#game=" + base64.urlsafe_b64encode(sound(k).encode()).decode()
        for k in range(len(SETTINGS))
    ]
    for address, answer in answers(site, links):
        assert answer["steps"] == 30
        assert not fault(address, answer)
        assert fault(address, answer | {"position": "0" * 16}) == (
            "comes to another position than here"
        )


def test_crafted_links_are_refused_or_play_legal_moves(site):
    counts, faults = attack(site, 5, 80)
    assert not faults
    assert min(counts["refused"], counts["played"]) > 0
