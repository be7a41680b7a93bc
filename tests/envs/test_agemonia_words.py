"""Texts of Agemonia's questions and answers."""

import pytest

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.core.actions import Block, action_of
from agemonia_env.rulesets.agemonia.core.layout import STATE
from agemonia_env.rulesets.agemonia.core.terms import Decision
from agemonia_env.rulesets.agemonia.view.labels import action_text, question_text


@pytest.mark.parametrize(
    ("chips", "question", "answer"),
    [
        (1, "from which lock does a chip flip?", "flip a chip of"),  # R14.7
        (0, "end a lock before up to 3 stamina is restored?", "end"),  # R14.4 [P46]
    ],
)
def test_ending_a_lock_and_flipping_its_chips_have_different_texts(chips, question, answer):
    compiled = compile_scenario("core", "ford", heroes=2)
    state = zeros(STATE, 1)[0]
    state["decision"], state["flip_chips"], state["limit"] = Decision.FLIP_LOCK, chips, 3
    state["ally"]["lock_chips"][0, 0] = 2
    assert question_text(state, compiled).endswith(f": {question}")
    assert action_text(state, compiled, action_of(Block.LOCK, 0)).startswith(f"{answer} ")
    assert action_text(state, compiled, action_of(Block.DONE, 0)) == "end no lock"
