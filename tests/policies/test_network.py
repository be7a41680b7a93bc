"""A network on disk: saving and loading, and one clear error for each kind of mistake."""

import json
from dataclasses import replace

import numpy as np
import pytest

from agemonia_env.policies import network as network_module
from agemonia_env.policies.model_record import MOST_DEPTH, ModelError
from agemonia_env.policies.network import Group, Layer, Network, check_ruleset

EVERYTHING = np.ones((7, 9), np.bool_)  # is legal
RECORD = {"env_id": "Agemonia-v0", "fingerprint": "abc", "env_kwargs": {"scenario": "ford"}}


def layer(inputs, outputs, seed):
    random = np.random.default_rng(seed)
    weights = random.normal(size=(inputs, outputs)).astype(np.float32)
    return Layer(weights, random.normal(size=outputs).astype(np.float32))


@pytest.fixture
def network():
    columns = np.array([0, 2, 5], np.int32)
    return Network(
        columns, [layer(3, 8, 1), layer(8, 4, 2)], layer(4, 6, 3), layer(4, 1, 4), RECORD
    )


@pytest.fixture
def saved(network, tmp_path):
    path = tmp_path / "model.npz"
    network.save(path)
    return path


def observations(n=7):
    return np.random.default_rng(0).normal(size=(n, 9)).astype(np.float32)


def test_forward_is_affine_maps_and_tanh_on_the_columns(network):
    logits, values = network.evaluate(observations(), EVERYTHING)
    rows = observations()[:, [0, 2, 5]].astype(np.float64)
    for one in network.trunk:
        rows = np.tanh(rows @ one.weights + one.bias)
    assert logits == pytest.approx(rows @ network.policy.weights + network.policy.bias, abs=1e-4)
    assert values == pytest.approx(
        (rows @ network.value.weights)[:, 0] + network.value.bias, abs=1e-4
    )
    assert (logits.dtype, values.dtype) == (np.float32, np.float32)
    assert (logits.shape, values.shape) == ((7, 6), (7,))


@pytest.fixture
def scoring(network):
    """A network with three action features, whose scorer is 6 x 5 units."""
    scorer = [layer(3, 6, 5), layer(6, 5, 6), layer(5, 1, 7)]
    return replace(network, scorer=scorer, value=layer(4 + 5, 1, 8))


def test_a_scorer_scores_the_legal_actions(scoring):
    masks = np.random.default_rng(1).random((7, 9)) < 0.4
    masks[:, 3] = True
    games, actions = masks.nonzero()
    features = np.random.default_rng(2).normal(size=(len(games), 3)).astype(np.float32)
    logits, values = scoring.evaluate(observations(), masks, features)
    assert (logits.dtype, logits.shape) == (np.float32, masks.shape)
    trunk = observations()[:, [0, 2, 5]]
    for one in scoring.trunk:
        trunk = np.tanh(one(trunk))
    position = scoring.policy(trunk)
    first, second, last = scoring.scorer
    hidden = [[] for _ in range(7)]
    for row, game, action in zip(features, games, actions, strict=True):
        units = np.maximum(row @ first.weights + first.bias + position[game], 0)
        units = np.maximum(units @ second.weights + second.bias, 0)
        hidden[game].append(units)
        assert logits[game, action] == pytest.approx((last(units))[0], abs=1e-4)
    pooled = np.array([np.mean(rows, axis=0) for rows in hidden])
    assert values == pytest.approx(scoring.value(np.hstack([trunk, pooled]))[:, 0], abs=1e-4)


def test_a_scorer_needs_features(scoring):
    with pytest.raises(ValueError, match="features: this network scores actions"):
        scoring.logits(observations(), EVERYTHING)


@pytest.fixture
def with_group(network):
    """The network, reading two figures of two numbers each beside its three columns."""
    columns = np.array([0, 2, 5, 1, 3, 6, 7], np.int32)
    trunk = [layer(3 + 4, 8, 1), network.trunk[1]]
    return replace(network, columns=columns, trunk=trunk, groups=[Group(2, layer(2, 4, 9))])


def test_a_group_adds_up_what_one_layer_says_of_each_figure(with_group, network):
    seen, one = observations(), with_group.groups[0].layer
    total = sum(np.maximum(seen[:, pair] @ one.weights + one.bias, 0) for pair in ([1, 3], [6, 7]))
    rows = np.tanh(with_group.trunk[0](np.hstack([seen[:, [0, 2, 5]], total])))
    expected = network.policy(np.tanh(network.trunk[1](rows)))
    assert with_group.logits(seen, EVERYTHING) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("kind", ["network", "scoring", "with_group"])
def test_it_comes_back_as_it_was(kind, request, tmp_path):
    saved = request.getfixturevalue(kind)
    saved.save(tmp_path / "model.npz")
    back = Network.load(tmp_path / "model.npz")
    mine, other = (
        [*one.trunk, one.policy, one.value, *one.scorer, *(group.layer for group in one.groups)]
        for one in (saved, back)
    )
    for one, two in zip(mine, other, strict=True):
        assert np.array_equal(one.weights, two.weights)
        assert np.array_equal(one.bias, two.bias)
    assert np.array_equal(back.columns, saved.columns)
    assert [group.slots for group in back.groups] == [group.slots for group in saved.groups]
    assert back.record == RECORD
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]


def test_groups_that_do_not_fit_are_named(with_group, tmp_path):
    replace(with_group, groups=[Group(2, layer(2, 5, 9))]).save(tmp_path / "model.npz")
    with pytest.raises(ModelError, match=r"trunk\.0: must be float32 \(8, 8\)"):
        Network.load(tmp_path / "model.npz")
    replace(with_group, groups=[Group(9, layer(2, 4, 9))]).save(tmp_path / "model.npz")
    with pytest.raises(ModelError, match="groups: read 18 columns, but there are 7"):
        Network.load(tmp_path / "model.npz")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([layer(3, 4, 5), layer(4, 1, 6)], r"scorer\.0: must be float32 \(3, 6\)"),
        ([layer(3, 6, 5), layer(4, 1, 6)], r"scorer\.1: must be float32 \(6, 1\)"),
        ([layer(3, 6, 5), layer(6, 2, 6)], r"scorer\.1: must be float32 \(6, 1\)"),
    ],
)
def test_wrong_layers_of_a_scorer_are_named(scoring, tmp_path, wrong, said):
    replace(scoring, scorer=wrong).save(tmp_path / "model.npz")
    with pytest.raises(ModelError, match=said):
        Network.load(tmp_path / "model.npz")


def test_no_code_is_run_by_loading(tmp_path):
    path = tmp_path / "model.npz"
    with path.open("wb") as file:
        np.savez(file, columns=np.array([print], object))
    with pytest.raises(ModelError, match=r"model\.npz: damaged, or not an \.npz file"):
        Network.load(path)


@pytest.mark.parametrize("kept", [0, 10, 300, -200, -10])
def test_a_truncated_file_is_one_clear_error(saved, kept):
    saved.write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(ModelError, match=r"model\.npz: damaged[^\n]+$"):
        Network.load(saved)


def changed(path, **arrays):
    with np.load(path) as archive:
        kept = {name: archive[name] for name in archive.files} | arrays
    with path.open("wb") as file:
        np.savez(file, **{name: array for name, array in kept.items() if array is not None})


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"policy.bias": None}, "the array 'policy.bias' is missing"),
        ({"trunk.1.weights": None}, "the array 'trunk.1.weights' is missing"),
        ({"columns": np.zeros(3)}, r"columns: must be int32, not float64 \(3,\)"),
        ({"columns": np.zeros(2, np.int32)}, r"trunk\.0: must be float32 \(2, 8\)"),
        (
            {"value.bias": np.full(1, np.nan, np.float32)},
            "value: has .* not finite",
        ),
        ({"value.bias": np.zeros(2, np.float32)}, r"value: must be float32 \(1,\)"),
        ({"policy.weights": np.zeros((4, 6))}, r"policy\.weights: must be float32, not float64"),
        ({"record": np.array("{")}, "record: line 1: is not JSON"),
        ({"record": np.array("{}")}, "the fingerprint is missing"),
    ],
)
def test_wrong_values_are_named(saved, arrays, said):
    changed(saved, **arrays)
    with pytest.raises(ModelError, match=r"model\.npz: .*" + said):
        Network.load(saved)


WRONG_FORMS = [
    *(np.array(1.0, np.float32), np.zeros(0, np.float32), np.zeros((1, 0), np.float32)),
    *(np.zeros((1, 1, 1), np.float32), np.zeros(5, ">f4"), np.zeros((2, 2), bool)),
    *(np.array("text"), np.array(0), np.array(-1), np.array(1.5), np.array(np.inf)),
    *(np.array([1, 2]), np.array(2**63, np.uint64), np.array(10**8), np.zeros(3, np.complex64)),
]


@pytest.mark.parametrize("wrong", WRONG_FORMS, ids=lambda array: f"{array.dtype} {array.shape}")
def test_an_array_of_any_other_form_is_refused_at_once(with_group, scoring, tmp_path, wrong):
    path = tmp_path / "model.npz"
    for network in (with_group, scoring):
        network.save(path)
        whole = path.read_bytes()
        with np.load(path) as archive:
            names = archive.files
        for name in names:
            changed(path, **{name: wrong})
            with pytest.raises(ModelError, match=r"model\.npz: [^\n]+$"):
                Network.load(path)
            path.write_bytes(whole)


@pytest.mark.parametrize(("slots", "outputs"), [(2, 2**14), (0, 4), (10**8, 4)])
def test_the_memory_that_a_group_takes_is_bounded(with_group, tmp_path, slots, outputs):
    path = tmp_path / "model.npz"
    replace(with_group, groups=[Group(slots, layer(2, outputs, 9))]).save(path)
    with pytest.raises(ModelError, match=r"group\.0\.slots: must be 1 or more"):
        Network.load(path)


@pytest.mark.parametrize("width", [0, 2**14 + 1])
def test_a_layer_is_as_wide_as_a_game_has_memory_for(network, tmp_path, width):
    path = tmp_path / "model.npz"
    replace(network, value=layer(width, 1, 1)).save(path)
    with pytest.raises(ModelError, match=r"value\.weights: must have 2 dimensions, each 1 to"):
        Network.load(path)


def test_a_record_that_is_too_long_is_not_parsed(saved, monkeypatch):
    monkeypatch.setattr(network_module, "parse_record", lambda text: pytest.fail("parsed"))
    changed(saved, record=np.array("[" * (2**22 + 1)))
    with pytest.raises(ModelError, match=r"record: is larger than 4 MiB"):
        Network.load(saved)


def test_a_record_is_nested_so_deep_and_no_deeper(saved):
    deep = []
    for _ in range(MOST_DEPTH - 1):
        deep = [deep]
    changed(saved, record=np.array(json.dumps(RECORD | {"more": deep})))
    Network.load(saved)
    changed(saved, record=np.array(json.dumps(RECORD | {"more": [[deep]]})))
    with pytest.raises(ModelError, match=f"nested more than {MOST_DEPTH} deep"):
        Network.load(saved)


def test_another_ruleset_is_refused_and_with_force_only_warned_about(saved):
    with pytest.raises(ModelError, match=r"another ruleset \(.*abc; here xyz\).*--force"):
        check_ruleset(RECORD, "xyz", path=saved)
    with pytest.warns(UserWarning, match="another ruleset"):
        check_ruleset(RECORD, "xyz", path=saved, force=True)
    check_ruleset(RECORD | {"fingerprints": ["abc", "xyz"]}, "xyz", path=saved)
