"""The cards of environments say what the code does: arguments, defaults and contents of info."""

import ast
import inspect
import re

import gymnasium
import pytest

from docs.env_cards import card, card_pages, env_of

ENVS = tuple(card_pages().values())
SHARED = "Those of `AgemoniaEnv`"  # a card that lists only what differs


def section(page, name):
    """The text of a section of a card."""
    return re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)[1]


def defaults(env):
    """The default of each argument of an environment's class."""
    taken = inspect.signature(env).parameters | dict(
        inspect.signature(env.ruleset.check_arguments).parameters
    )
    taken |= inspect.signature(env).parameters
    return {
        name: parameter.default
        for name, parameter in taken.items()
        if parameter.kind is not parameter.VAR_KEYWORD
    }


@pytest.mark.parametrize("env_id", ENVS)
def test_a_card_has_the_sections_of_gymnasium(env_id):
    page = card(env_id)
    sections = "Description", "Rewards", "Starting State", "Episode End", "Arguments"
    for name in sections:
        assert section(page, name).strip()
    assert "N_ACTIONS" not in page
    assert "N_OBSERVATION" not in page
    assert "| | |" not in page.partition("## ")[2]  # rows that go on are joined


@pytest.mark.parametrize("env_id", ENVS)
def test_arguments_and_defaults_are_those_of_the_class(env_id):
    text = section(card(env_id), "Arguments")
    rows = dict(re.findall(r"^\| `(\w+)` \| `(.*?)` \|", text, re.MULTILINE))
    real = defaults(env_of(env_id))
    assert {name: ast.literal_eval(value) for name, value in rows.items()} == {
        name: real[name] for name in rows
    }
    if SHARED not in text:
        assert rows.keys() == real.keys()


@pytest.mark.parametrize("env_id", ENVS)
def test_every_entry_of_info_is_on_the_card(env_id):
    page = card(env_id)
    if "As `AgemoniaEnv`" in page:
        page += card("Agemonia-v0")
    env = gymnasium.make(env_id, log=True, action_features=True, max_decisions=1)
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    *_, last = env.step(int(info["action_mask"].argmax()))
    for name in {**info, **last, **last["episode_statistics"]}:
        assert re.search(rf"\b{name}\b", page), name
