"""The attention policy: no area and no Enemy is known by its number; training, files, play."""

import json

import numpy as np
import pytest
import torch as th

from agemonia_env.policies import policy_of
from agemonia_env.policies.model_record import ModelError
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS, SIZES, STARTS, Block
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.agemonia.states.obs_arrays import STRUCTURE
from agemonia_env.simulation.games import start_games
from agents import attention_file, generalisation, train_attention
from agents.attention import AttentionPolicy
from agents.generalisation import greedy_choices, scenarios

AREAS = (Block.AREA, Block.CLIMB, Block.PORTAL)


@pytest.fixture(scope="module")
def contents():
    return scenarios([3, 4])


@pytest.fixture(scope="module")
def rows(contents):
    """Wide rows float32 of decisions of greedy play."""
    codes = next(greedy_choices(contents, 1)).rows[-40:]
    scales = np.concatenate([AGEMONIA.SCALES, STRUCTURE.scenario_scales])
    return (codes / scales).astype(np.float32)


@pytest.fixture(scope="module")
def network():
    """An untrained network whose heads are not near 0."""
    th.manual_seed(0)
    policy = AttentionPolicy(size=16, layers=2, heads=2)
    for one in policy.parameters():
        th.nn.init.normal_(one, std=0.3)
    return policy


def block(outputs, which):
    return outputs[:, STARTS[which] : STARTS[which] + SIZES[which]]


def relabelled(rows, kind, order, fields):
    """The same positions with the rows of a kind in another order; fields: with its numbers."""
    changed = rows.copy()
    new, old = STRUCTURE(changed), STRUCTURE(rows)
    names = [kind, f"{kind}_now"] if f"{kind}_now" in new else [kind]
    for name in names:
        new[name][:] = old[name][:, order]
    for name, field in fields:
        columns = STRUCTURE.block[name].columns[field]
        values = old[name][..., columns]
        if values.shape[-1] == len(order):  # a flag for each
            new[name][..., columns] = values[..., order]
        else:
            places = np.concatenate([[0], np.argsort(order) + 1])
            numbers = np.rint(values * len(order)).astype(int)
            new[name][..., columns] = places[numbers] / len(order)
    if kind == "area":
        for name in ("border", "range", "sees"):
            new[name][:] = old[name][:, order][:, :, order]
    return changed


def test_relabelled_areas_are_the_same_places(rows, network):
    n_areas = int(STRUCTURE(rows)["area_mask"].sum(axis=1).min())
    order = np.arange(SIZES[Block.AREA])
    order[:n_areas] = np.random.default_rng(2).permutation(n_areas)
    fields = [(name, "area") for name in ("ally", "enemy", "figure")]
    other = relabelled(rows, "area", order, fields)
    assert not np.array_equal(other, rows)
    with th.no_grad():
        (logits, values), (new_logits, new_values) = (
            network(th.from_numpy(one)) for one in (rows, other)
        )
    th.testing.assert_close(new_values, values, atol=1e-4, rtol=1e-4)
    for which in Block:
        expected = block(logits, which)
        expected = expected[:, order] if which in AREAS else expected
        th.testing.assert_close(block(new_logits, which), expected, atol=1e-4, rtol=1e-4)


def test_relabelled_enemies_are_the_same_enemies(rows, network):
    order = np.random.default_rng(3).permutation(SIZES[Block.ENEMY])
    other = relabelled(rows, "enemy", order, [("ally", "provoked")])
    with th.no_grad():
        logits, new_logits = (network(th.from_numpy(one))[0] for one in (rows, other))
    there = STRUCTURE(other)["enemy_mask"]
    scores, expected = block(new_logits, Block.ENEMY), block(logits, Block.ENEMY)[:, order]
    th.testing.assert_close(scores[there], expected[there], atol=1e-4, rtol=1e-4)
    areas, expected = block(new_logits, Block.AREA), block(logits, Block.AREA)
    th.testing.assert_close(areas, expected, atol=1e-4, rtol=1e-4)


def test_borders_make_a_difference(rows, network):
    walled = rows.copy()
    STRUCTURE(walled)["border"][:] = 0
    with th.no_grad():
        before, after = (network(th.from_numpy(one))[0] for one in (rows, walled))
    assert not th.allclose(before, after, atol=1e-3)


def test_a_row_does_not_depend_on_the_others(rows, network):
    with th.no_grad():
        logits, values = network(th.from_numpy(rows))
        alone = [network(th.from_numpy(rows[i : i + 1])) for i in range(3)]
    assert logits.shape == (len(rows), N_ACTIONS)
    assert values.shape == (len(rows),)
    for i, (its_logits, its_value) in enumerate(alone):
        width = STRUCTURE(rows[i : i + 1])["area_mask"].sum()
        for which in Block:
            end = int(width) if which in AREAS else 2 if which is Block.ALLY else None
            if which is not Block.ENEMY:
                th.testing.assert_close(
                    block(its_logits, which)[0, :end], block(logits, which)[i, :end],
                    atol=1e-4, rtol=1e-4,
                )  # fmt: skip
        th.testing.assert_close(its_value[0], values[i], atol=1e-4, rtol=1e-4)


def test_every_weight_learns(rows):
    policy = AttentionPolicy(size=8, layers=1, heads=2)
    logits, values = policy(th.from_numpy(rows))
    (logits.square().sum() + values.sum()).backward()
    assert all(one.grad is not None and one.grad.any() for one in policy.parameters())


def test_heads_share_a_token_evenly():
    with pytest.raises(ValueError, match="size=10: must be a multiple of heads=4"):
        AttentionPolicy(size=10)


# ---- training, files, play ----------------------------------------------------------------------
SMALL = (
    *("--scenario-seed", "[0, 3]", "--total-steps", "128", "--n-envs", "4", "--n-steps", "16"),
    *("--batch-size", "32", "--n-epochs", "1", "--tokens", "{size: 8, layers: 1, heads: 2}"),
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    out = tmp_path_factory.mktemp("attention")
    assert train_attention.main(["--out", str(out), *SMALL]) == 0
    return out


def test_training_saves_files_for_play_and_resuming(trained, contents, capsys):
    record = json.loads((trained / "model.json").read_text())
    assert record["steps"] == 128
    assert len(json.loads((trained / "curve.json").read_text())) == 2
    player = attention_file.policy(
        AGEMONIA, trained / "model.safetensors", name="it", fingerprint=record["fingerprint"]
    )
    which = np.array([0, 1, 0], np.int16)
    states = start_games(AGEMONIA, contents, which, np.arange(3, dtype=np.uint64), control=1)
    actions = player.choose(states, contents, which)
    masks = np.empty((3, N_ACTIONS), np.uint8)
    AGEMONIA.api.write_masks(states, contents, which, masks)
    assert masks[np.arange(3), actions].all()
    arguments = ["--out", str(trained), "--resume", "--total-steps", "192"]
    assert train_attention.main(arguments) == 0
    assert json.loads((trained / "model.json").read_text())["steps"] == 192


def test_unusable_files_are_reported(trained, tmp_path, capsys):
    path = tmp_path / "model.safetensors"
    with pytest.raises(ModelError, match="no such model"):
        policy_of(AGEMONIA, str(path))
    record = json.loads((trained / "model.json").read_text())
    path.write_bytes((trained / "model.safetensors").read_bytes()[:1000])
    with pytest.raises(ModelError, match="damaged, or not a file of tensors"):
        attention_file.read_network(path, record)
    path.write_bytes((trained / "model.safetensors").read_bytes())
    for tokens in (None, {"size": 8, "layers": 0}, {"size": 7, "heads": 2}):
        with pytest.raises(ModelError, match=r"config\.tokens: describe no attention policy"):
            attention_file.read_network(path, {"config": {"tokens": tokens}})
    largest = {"config": {"tokens": {"size": 1024, "layers": 32, "heads": 64}}}  # 2 GB
    with pytest.raises(ModelError, match=r"do not fit|must be float32"):
        attention_file.read_network(path, largest)
    with pytest.raises(ModelError, match="another ruleset"):
        attention_file.policy(
            AGEMONIA, trained / "model.safetensors", name="it", fingerprint="0" * 16
        )
    assert train_attention.main(["--env", "HexDungeon-v0", "--out", str(tmp_path)]) == 2
    assert "the attention policy only plays Agemonia-v0" in capsys.readouterr().err


# ---- the comparison -----------------------------------------------------------------------------
def test_the_comparison_plays_and_reports_every_network(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(generalisation, "UNSEEN", 2)
    monkeypatch.setattr(generalisation, "LONGEST", 30)
    options = ["--scenarios", "2", "--samples", "600", "--games", "4"]
    assert generalisation.main([*options, "--out", str(tmp_path / "a")]) == 0
    assert generalisation.main([*options, "--out", str(tmp_path / "b"), "--networks", "wide"]) == 0
    found = [
        {**json.loads(path.read_text())["result"], "seconds": 0}
        for path in (tmp_path / "a" / "cloning-2-wide-1.json", *(tmp_path / "b").glob("*.json"))
    ]
    assert found[0] == found[1]  # the same numbers again
    table = (tmp_path / "a" / "table.md").read_text()
    assert [line.split(" | ")[2] for line in table.splitlines()[2:]] == [*generalisation.NETWORKS]
    assert found[0]["samples"] >= 600


def test_ppo_is_the_other_way_to_learn(tmp_path, monkeypatch):
    monkeypatch.setattr(generalisation, "UNSEEN", 2)
    monkeypatch.setattr(generalisation, "LONGEST", 5)
    small = generalisation.read_config(
        generalisation.CONFIGS / "generalisation.yaml",
        {"n_envs": "4", "n_steps": "8", "scenario_seed": "[0, 1]", "total_steps": "64"},
    )
    monkeypatch.setattr(generalisation, "read_config", lambda path, changes: small)
    options = ["--learn", "ppo", "--scenarios", "2", "--samples", "64", "--games", "2"]
    arguments = [*options, "--networks", "wide", "attention", "--out", str(tmp_path)]
    assert generalisation.main(arguments) == 0
    assert len(list(tmp_path.glob("ppo-2-*.json"))) == 2
    assert generalisation.main([*arguments, "--games", "0"]) == 2
