"""The catalogue: every number in an observation has a row, and it says what the thing does."""

import gymnasium
import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.rulesets.agemonia.core import action_spec, actions
from agemonia_env.rulesets.agemonia.core.terms import Decision
from agemonia_env.rulesets.catalogue import catalogue_of
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.hexdungeon.core import action_spec as hex_spec
from agemonia_env.rulesets.hexdungeon.core import actions as hex_actions
from agemonia_env.rulesets.hexdungeon.core.terms import Decision as HexDecision
from agemonia_env.rulesets.ruleset import ruleset_of

BLOCK = np.repeat(np.arange(len(hex_actions.SIZES)), hex_actions.SIZES)  # of each action
DECISIONS = 300 if COMPILED else 40
SCENARIOS = [
    ("Agemonia-v0", "tithe"),
    ("Agemonia-v0", "snares"),
    ("HexDungeon-v0", "bell-loft"),
    ("HexDungeon-v0", "counting-vault"),
]


def played(env_id, scenario, seed=2):
    """(env, observation as integers, legal actions, their features) of random games."""
    env = gymnasium.make(env_id, scenario=scenario, heroes=4).unwrapped
    random = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    for _ in range(DECISIONS):
        codes = np.rint(observation * env.ruleset.SCALES).astype(int)
        legal = np.flatnonzero(info["action_mask"])
        yield env, codes[None], legal, env.action_features()
        observation, _, over, _, info = env.step(random.choice(legal))
        if over:
            observation, info = env.reset()


def catalogue_in(env):
    """The catalogue of the scenario played: name -> array."""
    found = catalogue_of(env.ruleset, env.compiled.content)
    return {name: rows[0] for name, rows in found.items()}


def compiled(env_id, scenario, heroes=4):
    """A scenario, compiled."""
    return ruleset_of(env_id).check_arguments(scenario=scenario, heroes=heroes).compile()


@pytest.mark.parametrize("env_id", RULESETS)
def test_a_catalogue_has_an_array_for_each_field(env_id):
    rules = ruleset_of(env_id)
    contents = zeros(rules.CONTENT, 2)
    for i, (_, scenario) in enumerate([pair for pair in SCENARIOS if pair[0] == env_id]):
        contents[i] = compiled(env_id, scenario).content[0]
    catalogue = catalogue_of(rules, contents)
    assert tuple(catalogue) == rules.CATALOGUE.names
    for name, rows in catalogue.items():
        record = rules.CATALOGUE[name]
        assert rows.shape == (2, *record.shape, record.base.itemsize // 4)
        assert rows.dtype == np.float32
        assert rows.any()
    for i in range(2):  # alone or with others, a scenario has the same
        alone = catalogue_of(rules, contents[i : i + 1])
        assert all(np.array_equal(alone[name][0], rows[i]) for name, rows in catalogue.items())


@pytest.mark.parametrize(("env_id", "scenario"), SCENARIOS)
def test_what_an_observation_numbers_is_in_it(env_id, scenario):
    named = {  # field of the observation -> array of the catalogue
        "Agemonia-v0": {"ally.item": "item", "area.item": "item", "ally.locked": "passive"},
        "HexDungeon-v0": {"active.bonus": "bonus", "body.kind": "kind"},
    }[env_id]
    seen = set()
    for env, codes, _, _ in played(env_id, scenario):
        catalogue, structure = catalogue_in(env), env.ruleset.structure
        for field, array in named.items():
            block = structure.block[field.split(".")[0]]
            numbers = block.view(codes)[0][:, block.columns[field.split(".")[1]]]
            rows = catalogue[array].reshape(len(catalogue[array]), -1)
            assert not rows[0].any()
            assert rows[numbers[numbers > 0]].any(axis=-1).all()
            seen |= {(array, int(number)) for number in numbers[numbers > 0]}
    assert len({array for array, _ in seen}) == len(set(named.values()))


@pytest.mark.parametrize("scenario", ["tithe", "snares"])
def test_tokens_and_items_are_those_of_action_features(scenario):
    does = action_spec.ACTION.fields["does"][1] // 4
    width = action_spec.ACTION_DOES.itemsize // 4
    damage = action_spec.ACTION_DOES.fields["damage"][1] // 4  # depends on the weapons of now
    compared = set()
    for env, _, legal, features in played("Agemonia-v0", scenario):
        if env.states[0]["decision"] not in (Decision.SELECT_ACTION, Decision.SLOT):
            continue
        catalogue, ally = catalogue_in(env), int(env.states[0]["asked"])
        for action, row in zip(legal, features[:, does : does + width], strict=True):
            number = int(action) - actions.STARTS[actions.Block.TOKEN] + 1
            if 1 <= number < len(catalogue["token"][ally]):
                expected = catalogue["token"][ally, number].copy()
                expected[damage] = row[damage]
                assert np.array_equal(row, expected)
                compared.add((ally, number))
    assert len(compared) > 8


def test_ability_cards_are_those_of_action_features():
    card = hex_spec.ABILITY_ROW
    in_reach = hex_spec.USE.fields["in_reach"][1] // 4
    width = hex_spec.USE.itemsize // 4
    compared = set()
    for env, _, legal, features in played("HexDungeon-v0", "bell-loft"):
        if env.states[0]["decision"] != HexDecision.LEAD:
            continue
        hero = int(env.states[0]["asked"])
        rows = features.view(hex_spec.ACTION)[:, 0]
        for action, row in zip(legal, rows, strict=True):
            if BLOCK[action] != hex_actions.Block.CARD:
                continue
            number = int(action) - hex_actions.STARTS[hex_actions.Block.CARD] + 1
            expected = catalogue_in(env)["card"][hero, number].view(card)[0]
            assert expected["initiative"] == row["initiative"]
            for half in ("top", "bottom"):
                shown, told = (
                    np.frombuffer(one[half].tobytes(), np.float32) for one in (row, expected)
                )
                without = np.arange(width) != in_reach
                assert np.array_equal(shown[without], told[without])
            compared.add((hero, number))
    assert len(compared) > 20


def test_no_two_items_of_the_pack_are_described_alike():
    rules, rows = ruleset_of("Agemonia-v0"), {}
    for scenario in rules.load_pack("core").scenarios:
        one = compiled("Agemonia-v0", scenario)
        items = catalogue_of(rules, one.content)["item"][0]
        for number, name in enumerate(one.names.items):
            rows.setdefault(items[number + 1].tobytes(), set()).add(str(name))
    assert len(rows) > 30
    assert not [names for names in rows.values() if len(names) > 1]


def test_no_two_cards_of_a_character_are_described_alike():
    rules = ruleset_of("HexDungeon-v0")
    for scenario in rules.load_pack("hex-core").scenarios:
        content = compiled("HexDungeon-v0", scenario).content
        cards = catalogue_of(rules, content)["card"][0]
        for hero, sheet in enumerate(content[0]["hero"]):
            n = int(sheet["n_cards"])
            assert len({cards[hero, k + 1].tobytes() for k in range(n)}) == n
