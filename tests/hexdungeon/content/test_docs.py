"""docs/hexdungeon-packs.md: its examples are valid, and nothing is left out."""

import re
from pathlib import Path

import pytest
import yaml

from agemonia_env.rulesets.hexdungeon.content import board, schema

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "hexdungeon-packs.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"```yaml\n# (.*?)\n(.*?)```", PAGE, re.DOTALL))
MODELS = {
    "pack.yaml": schema.PackCard,
    "templates.yaml": schema.Templates,
    "a card of classes/*.yaml": schema.AbilityCard,
    "a card of monsters/*.yaml": schema.MonsterCard,
    "scenarios/hut.yaml": schema.Scenario,
}


def test_all_examples_are_known():
    assert set(EXAMPLES) == set(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_examples(name):
    MODELS[name].model_validate(yaml.safe_load(EXAMPLES[name]))


def test_the_map_of_the_example():
    card = schema.Scenario.model_validate(yaml.safe_load(EXAMPLES["scenarios/hut.yaml"]))
    plan = board.read_map(card)
    assert plan.doors == {(4, 2): 1}
    assert plan.places("b")[0] in plan.rooms[1]
    assert set(board.SYMBOLS) - {board.EXIT} <= {*plan.drawn.values()}


def test_every_symbol_is_explained():
    for symbol in board.SYMBOLS:
        assert f"| `{symbol}`" in PAGE
