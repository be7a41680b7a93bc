"""The lean PPO: its gradient against torch's, its advantages, and runs on a small budget."""

import json

import numpy as np
import pytest
import torch as th

from agemonia_env.files.embedded import extract
from agemonia_env.policies.network import Network
from agemonia_env.rulesets.agemonia.core.obs_spec import NUMBERED
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agents import evaluate, run, train_ppo
from agents.config import LEAN, ConfigError, read_config
from agents.networks import ActorCritic, Inputs
from agents.train_ppo import PPO, draw_actions, estimate, loss_gradient, main
from tests.agents.short_runs import SMALL, arguments
from tests.agents.silence import Silence

# ---- the parts ----------------------------------------------------------------------------------
N, ACTIONS = 64, 37


@pytest.fixture
def batch():
    """Outputs, masks, actions, log probabilities, advantages and returns of 2 N samples."""
    random = np.random.default_rng(0)
    masks = (random.random((2 * N, ACTIONS)) < 0.3).astype(np.int8)
    masks[np.arange(2 * N), np.arange(2 * N) % ACTIONS] = 1
    actions = masks.argmax(axis=1).astype(np.int64)
    outputs = random.normal(size=(N, ACTIONS + 1)).astype(np.float32)
    log_probs, advantages, returns = random.normal(size=(3, 2 * N)).astype(np.float32)
    return outputs, masks, actions, log_probs - 1.5, advantages, returns


def test_the_gradient_is_that_of_the_loss(batch):
    outputs, masks, actions, log_probs, advantages, returns = batch
    part = np.random.default_rng(1).permutation(2 * N)[:N]
    weights = np.array([0.2, 0.01, 0.5], np.float32)
    gradient, sums = np.empty_like(outputs), np.zeros(4)
    loss_gradient(
        outputs, part, masks, actions, log_probs, advantages, returns, weights, gradient, sums
    )
    leaf = th.tensor(outputs, requires_grad=True)
    allowed, old, drawn, aims = (
        th.as_tensor(one[part]) for one in (masks, log_probs, advantages, returns)
    )
    chances = th.distributions.Categorical(logits=leaf[:, :-1].masked_fill(allowed == 0, -1e9))
    change = chances.log_prob(th.as_tensor(actions[part])) - old
    ratio, scaled = change.exp(), (drawn - drawn.mean()) / drawn.std(correction=0)
    surrogate = th.min(ratio * scaled, ratio.clamp(0.8, 1.2) * scaled)
    error = (leaf[:, -1] - aims) ** 2
    (-surrogate - 0.01 * chances.entropy() + 0.5 * error).mean().backward()
    th.testing.assert_close(th.from_numpy(gradient), leaf.grad, rtol=1e-4, atol=1e-6)
    expected = [chances.entropy(), ratio - 1 - change, error]
    assert sums[1:] == pytest.approx([one.sum().item() for one in expected], rel=1e-4)
    assert 0 < sums[0] < N


def test_drawn_actions_are_legal_and_follow_the_probabilities(batch):
    n = 20_000
    outputs, masks = np.repeat(batch[0][:1], n, axis=0), np.repeat(batch[1][:1], n, axis=0)
    uniforms = np.random.default_rng(0).random(n, np.float32)
    actions, log_probs = np.empty(n, np.int64), np.empty(n, np.float32)
    draw_actions(outputs, masks, uniforms, actions, log_probs)
    expected = np.exp(outputs[0, :-1]) * masks[0] / (np.exp(outputs[0, :-1]) * masks[0]).sum()
    assert np.bincount(actions, minlength=ACTIONS) / n == pytest.approx(expected, abs=0.015)
    assert np.exp(log_probs) == pytest.approx(expected[actions], rel=1e-4)


@pytest.mark.parametrize("uniform", [0.0, 1 - 2**-24])
def test_a_masked_action_is_never_drawn(batch, uniform):
    outputs, masks = batch[0], batch[1][:N]
    actions, log_probs = np.empty(N, np.int64), np.empty(N, np.float32)
    draw_actions(outputs, masks, np.full(N, uniform, np.float32), actions, log_probs)
    assert masks[np.arange(N), actions].all()
    assert np.isfinite(log_probs).all()


def test_advantages_end_with_the_game():
    rewards = np.array([[0, 0], [1, 0], [0, 2]], np.float32)
    ends = np.array([[0, 0], [1, 0], [0, 0]], np.float32)
    values = np.array([[1, 2], [3, 4], [5, 6], [7, 8]], np.float32)
    advantages = np.empty_like(rewards)
    estimate(rewards, values, ends, np.float32(0.5), np.float32(0.5), advantages)
    last = 0 + 0.5 * 7 - 5
    assert advantages[:, 0].tolist() == [0.5 * 3 - 1 + 0.25 * (1 - 3), 1 - 3, last]
    other = [2 + 0.5 * 8 - 6]
    other.insert(0, 0.5 * 6 - 4 + 0.25 * other[0])
    other.insert(0, 0.5 * 4 - 2 + 0.25 * other[0])
    assert advantages[:, 1].tolist() == other


@pytest.mark.parametrize(("dtype", "near"), [(th.float32, 1e-5), (th.bfloat16, 0.05)])
def test_torch_and_numpy_agree(dtype, near):
    th.manual_seed(0)
    columns, scales = np.array([1, 4, 5, 8], np.int32), np.array([1, 2, 4, 1, 1, 10, 1, 1, 20])
    model = ActorCritic(Inputs(columns), scales, [16, 8], ACTIONS, dtype)
    for head in (model.policy, model.value):
        th.nn.init.normal_(head.weight, std=0.3)
    codes = np.random.default_rng(0).integers(-20, 20, (N, 9)).astype(np.int8)
    with th.no_grad():
        outputs = model(th.from_numpy(codes[:, columns])).numpy()
    masks = np.ones((N, ACTIONS), np.bool_)
    logits, values = model.network({}).evaluate((codes / scales).astype(np.float32), masks)
    assert logits == pytest.approx(outputs[:, :-1], abs=near)
    assert values == pytest.approx(outputs[:, -1], abs=near)


def full(one):
    """The whole observations of a learner's games."""
    rows, fit = one.parts[0].observations, one.env.fit
    return rows if fit is None else fit.full(rows)


def test_a_network_of_several_scenarios_reads_figures_in_any_order():
    one = learner(scenario="random", scenario_seed="[0, 9]", action_features="true")
    network, rules = one.network.network({}), one.env.ruleset
    assert [group.slots for group in network.groups] == [6, 16]  # allies, enemies
    assert not rules.NUMBERED[network.columns].any()
    assert len(set(network.columns.tolist())) == len(network.columns)
    part = one.parts[0]
    masks, features = part.infos["action_mask"], part.infos["action_features"]
    with th.no_grad():
        inputs = one.read(part.observations), features, *masks.nonzero()
        outputs = one.network(*map(th.from_numpy, inputs)).numpy()
    scaled = features.astype(np.float32) / rules.ACTION_SCALES
    logits, values = network.evaluate((full(one) / rules.SCALES).astype(np.float32), masks, scaled)
    assert logits == pytest.approx(outputs[:, :-1], abs=0.05)
    assert values == pytest.approx(outputs[:, -1], abs=0.05)
    turned = full(one).copy()
    for name in ("enemy", "enemy_now"):
        block = rules.structure.block[name].view(turned)
        block[:] = block[:, ::-1].copy()
    again = network.evaluate((turned / rules.SCALES).astype(np.float32), masks, scaled)
    assert again[0] == pytest.approx(logits, abs=1e-4)
    assert again[1] == pytest.approx(values, abs=1e-4)


def learner(**changes):
    config = read_config(LEAN, SMALL | changes)
    return PPO(config, train_ppo.make_env(config), 3)


@pytest.mark.parametrize("device", ["cuda:99", "nowhere"])
def test_a_device_that_is_not_there_is_named(device):
    with pytest.raises(ConfigError, match=rf"device: {device} cannot be used here: "):
        learner(device=device)


@pytest.mark.parametrize("scores", ["true", "false"])
def test_the_network_and_all_it_reads_are_on_the_device(monkeypatch, scores):
    """The device of the tests is the CPU, so what is moved to it is counted."""
    moved = []
    tensor = PPO.tensor
    monkeypatch.setattr(PPO, "tensor", lambda self, array: moved.append(1) or tensor(self, array))
    one = learner(action_features=scores, device="cpu", n_steps="4", n_epochs="1")
    one.iterate(Silence())
    inputs = 4 if scores == "true" else 1
    batches = one.rollout.actions.size // one.config.batch_size
    assert len(moved) == inputs * (4 + 1) + (inputs + 1) * max(1, batches)
    assert {one.device} == {part.device for part in one.network.state_dict().values()}


def test_a_truncated_game_is_bootstrapped(monkeypatch):
    made = train_ppo.make_env

    def short(config):
        env = made(config)
        env.batch.arrays.episode["max_decisions"] = 5
        return env

    monkeypatch.setattr(train_ppo, "make_env", short)
    one = learner(reward="sparse", gamma="0.5", bfloat16="false")
    known = one.outputs

    def outputs(part, codes):
        return np.append(
            known(part, codes)[:, :-1], np.full((len(codes), 1), 3, np.float32), axis=1
        )

    monkeypatch.setattr(one, "outputs", outputs)
    one.play(Silence())
    truncated = one.rollout.ends > 0
    assert truncated[4].all()
    assert one.rollout.rewards[truncated] == pytest.approx(1.5)
    assert not one.rollout.rewards[~truncated].any()


def test_it_learns_what_a_rollout_says():
    """If one kind of action is rewarded again and again, it takes it more often."""
    one = learner(learning_rate="0.01", ent_coef="0.0", n_steps="32")
    shares = []
    for _ in range(8):
        one.play(Silence())
        wanted = one.rollout.actions >= 100
        choice = one.rollout.masks[..., :100].any(axis=2) & one.rollout.masks[..., 100:].any(axis=2)
        shares.append(wanted[choice].mean())
        one.rollout.rewards[:] = wanted
        one.rollout.ends[:] = 1
        one.learn()
    assert shares[-1] > shares[0] + 0.15


def test_samples_are_what_was_decided():
    """The network's outputs for a shuffled minibatch give the log probabilities of the rollout."""
    one = learner(action_features="true", bfloat16="false", n_steps="32")
    for _ in range(2):  # the second rollout reuses the memory of the first
        one.play(Silence())
    part = np.random.default_rng(0).permutation(one.rollout.actions.size)
    with th.no_grad():
        outputs = one.network(*map(th.from_numpy, one.samples(part)))[:, :-1].numpy()
    masks = one.rollout.masks.reshape(len(part), -1)[part].astype(bool)
    weights = np.exp(outputs) * masks
    chances = weights / weights.sum(axis=1, keepdims=True)
    chosen = chances[np.arange(len(part)), one.rollout.actions.ravel()[part]]
    assert np.log(chosen) == pytest.approx(one.rollout.log_probs.ravel()[part], abs=1e-5)


@pytest.mark.parametrize("mix", ["null", "[{scenario: ford}, {scenario: beacon}]"])
def test_only_a_scorer_for_one_scenario_reads_what_is_numbered_in_it(mix):
    columns = learner(action_features="true", mix=mix).network.columns
    assert NUMBERED[columns].any() == (mix == "null")
    assert NUMBERED[learner(action_features="false", mix=mix).network.columns].any()


@pytest.mark.parametrize("env", ["Agemonia-v0", "HexDungeon-v0"])
def test_a_scorer_plays_alike_in_torch_and_numpy(env):
    one = learner(action_features="true", bfloat16="false", env=env)
    one.play(Silence())
    (part,), rules = one.parts, one.env.ruleset
    masks, rows = part.infos["action_mask"], part.infos["action_features"]
    network = one.network.network({})
    seen = (full(one) / rules.SCALES).astype(np.float32)
    features = (rows / rules.ACTION_SCALES).astype(np.float32)
    logits, values = network.evaluate(seen, masks, features)
    inputs = one.read(part.observations), rows, *masks.nonzero()
    with th.no_grad():
        outputs = one.network(*map(th.from_numpy, inputs)).numpy()
    assert logits == pytest.approx(outputs[:, :-1], abs=1e-5)
    assert values == pytest.approx(outputs[:, -1], abs=1e-5)


@pytest.mark.parametrize("scores", ["false", "true"])
def test_a_wider_network_begins_as_the_one_that_it_starts_from(scores):
    chosen = {"action_features": scores, "bfloat16": "false", "greedy_prior": "0"}
    small = learner(**chosen)
    with th.no_grad():
        for weight in small.network.parameters():
            weight += 0.1 * th.randn_like(weight)
    begin = small.network.network({})
    config = small.config.model_copy(update={"net_arch": [24]})
    wide = PPO(config, train_ppo.make_env(config), 3, begin)
    assert wide.network.trunk[0].out_features == 24
    small.play(Silence())
    inputs = [*map(th.from_numpy, small.samples(np.arange(64)))]
    with th.no_grad():
        th.testing.assert_close(wide.network(*inputs), small.network(*inputs), rtol=0, atol=1e-5)
    wide.play(Silence())
    before = [layer.weight.clone() for layer in (*wide.network.trunk, *wide.network.scorer)]
    wide.learn()
    after = [layer.weight for layer in (*wide.network.trunk, *wide.network.scorer)]
    assert all((one != other).any() for one, other in zip(before, after, strict=True))


def halves(**changes):
    """A learner that plays two halves of the games in turn."""
    config = read_config(LEAN, SMALL | {"half_batches": "true"} | changes)
    env, second = train_ppo.make_envs(config)
    return PPO(config, env, 3, second=second)


@pytest.mark.parametrize("scores", ["false", "true"])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_half_batches_play_the_games_of_one_batch(threads, scores):
    changes = {"threads": threads, "bfloat16": "false", "n_steps": "40", "action_features": scores}
    whole, both = learner(**changes), halves(**changes)
    for _ in range(2):
        rollouts = []
        for one in (whole, both):
            one.play(Silence())
            rollouts.append(one.rollout)
        first, second = rollouts
        for name in ("codes", "masks", "actions", "rewards", "ends"):
            assert np.array_equal(getattr(first, name), getattr(second, name)), name
        for name in ("values", "log_probs"):  # products of fewer rows round differently
            assert getattr(first, name) == pytest.approx(getattr(second, name), abs=1e-5), name


def test_half_batches_leave_the_threads_of_torch_alone():
    before = th.get_num_threads()
    halves().play(Silence())
    assert th.get_num_threads() == before


# ---- runs ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    assert main(arguments(out)) == 0
    return out


def weights(path):
    network = Network.load(path)
    return [part for one in (*network.trunk, network.policy) for part in (one.weights, one.bias)]


def same(one, two):
    return all(np.array_equal(a, b) for a, b in zip(weights(one), weights(two), strict=True))


def test_it_writes_model_curve_and_checkpoints(trained):
    record = Network.load(trained / "model.npz").record
    assert record["steps"] == 256
    assert record["env_kwargs"]["scenario"] == "ford"
    assert record["config"]["n_envs"] == 8
    assert isinstance(record["minutes"], float)
    assert {"python", "torch", "numpy"} <= set(record["versions"])
    curve = json.loads((trained / "curve.json").read_text())
    assert [point["steps"] for point in curve] == [64, 128, 192, 256]
    assert {"won", "speed", "entropy", "divergence"} <= set(curve[0])
    names = sorted(path.name for path in (trained / "checkpoints").iterdir())
    steps = ["step_0000000128", "step_0000000256"]
    assert names == [
        step + suffix for step in steps for suffix in (".npz", ".optimiser.safetensors")
    ]


def test_the_same_seed_gives_the_same_weights(trained, tmp_path):
    assert main(arguments(tmp_path)) == 0
    assert same(trained / "model.npz", tmp_path / "model.npz")
    assert main(arguments(tmp_path, seed=2)) == 0
    assert not same(trained / "model.npz", tmp_path / "model.npz")


def test_it_leaves_review_files_of_the_trained_model(tmp_path, capsys):
    assert main(arguments(tmp_path, reviews=2)) == 0
    files = sorted((tmp_path / "reviews").iterdir())
    assert [path.name for path in files] == ["game-0.html", "game-1.html"]
    assert str(files[1]) in capsys.readouterr().out.replace("\n", "")
    env = AgemoniaEnv.from_review(files[0], 3)
    assert env.arguments.scenario == "ford"
    record = extract(files[0])
    assert record["made"]["policy"].endswith("model.npz")
    assert record["steps"][0]["probabilities"]


@pytest.mark.parametrize(
    "changes",
    [
        {"env": "HexDungeon-v0"},
        {"side": "enemy", "enemy_will": "free"},
        {"mix": "[{scenario: ford}, {scenario: beacon, heroes: 3}]", "threads": 2},
        {"bfloat16": "false", "reward": "sparse"},
        {"half_batches": "true", "threads": 2},
        {"action_features": "true", "mix": "[{scenario: ford}, {scenario: beacon, heroes: 3}]"},
        {"action_features": "true", "env": "HexDungeon-v0"},
        {"action_features": "true", "side": "enemy", "enemy_will": "free"},
    ],
    ids=[
        *("hexdungeon", "enemy", "mix", "float32", "half_batches"),
        *("features", "features_hexdungeon", "features_enemy"),
    ],
)
def test_training_works_for_these_arguments(tmp_path, changes):
    assert main(arguments(tmp_path, total_steps=64, **changes)) == 0
    record = Network.load(tmp_path / "model.npz").record
    assert record["env_id"] == changes.get("env", "Agemonia-v0")
    assert len(record["fingerprints"]) == (2 if "mix" in changes else 1)


def test_drawn_scenarios(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.play.SCENARIOS", 3)
    drawn = {"scenario": "random", "scenario_seed": "[0, 4]"}
    assert main(arguments(tmp_path, total_steps=64, **drawn)) == 0
    assert Network.load(tmp_path / "model.npz").record["env_kwargs"]["scenario_seed"] == [0, 4]


def test_tensorboard_files_are_written_if_asked_for(tmp_path):
    assert main(arguments(tmp_path, total_steps=64, tensorboard="true")) == 0
    (events,) = (tmp_path / "tensorboard").glob("events*")
    assert b"won" in events.read_bytes()


def test_tensorboard_that_is_missing_is_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(run, "find_spec", lambda name: None)
    assert main(arguments(tmp_path, tensorboard="true")) == 2
    assert "pip install tensorboard" in capsys.readouterr().err


def test_a_run_can_begin_with_another_network(trained, tmp_path):
    begin = ["--from", str(trained / "model.npz")]
    options = arguments(tmp_path, total_steps=64, learning_rate=1e-9, net_arch="[5]")
    assert main([*options, *begin]) == 0
    for mine, other in zip(
        weights(tmp_path / "model.npz"), weights(trained / "model.npz"), strict=True
    ):
        assert mine == pytest.approx(other, abs=1e-6)
    assert Network.load(tmp_path / "model.npz").record["steps"] == 64


def test_a_scorer_plays_scenarios_it_was_not_trained_on(tmp_path):
    model = tmp_path / "model.npz"
    assert main(arguments(tmp_path, total_steps=64, action_features="true")) == 0
    words = ["--model", str(model), "--scenario", "beacon", "--heroes", "3", "--games", "4"]
    assert evaluate.main([*words, "--out", str(tmp_path / "out")]) == 0
    report = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    assert [row["policy"] for row in report["rows"]] == ["random", "greedy", "trained"]
    warm = ["--from", str(model), *arguments(tmp_path / "warm", total_steps=64, scenario="bell")]
    assert main([*warm, "--action-features", "true"]) == 0


def test_a_scorer_cannot_become_another_network(tmp_path, capsys):
    assert main(arguments(tmp_path, total_steps=64, action_features="true")) == 0
    other = arguments(tmp_path / "warm", action_features="false")
    begin = ["--from", str(tmp_path / "model.npz"), *other]
    assert main(begin) == 2
    assert "action_features: must be True for the model" in capsys.readouterr().err


def test_ctrl_c_saves_a_valid_model(tmp_path, monkeypatch):
    iterate = PPO.iterate

    def interrupted(self, report):
        if self.steps >= 64:
            raise KeyboardInterrupt
        return iterate(self, report)

    monkeypatch.setattr(PPO, "iterate", interrupted)
    assert main(arguments(tmp_path)) == 130
    assert Network.load(tmp_path / "model.npz").record["steps"] == 64
    monkeypatch.undo()
    assert main(["--out", str(tmp_path), "--resume", "--total-steps", "128"]) == 0
    record = Network.load(tmp_path / "model.npz").record
    assert record["steps"] == 128
    assert record["resumed_from"].endswith(".npz")
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [point["steps"] for point in curve] == [64, 128]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"net_arch": "[]"}, "net_arch: must not be empty"),
        ({"scenario": "nowhere"}, "nowhere"),
        ({"seed": -1}, "seed"),
        ({"n_envs": 0}, "--n-envs: "),
        ({"learning_rate": ".inf"}, "--learning-rate"),
        ({"mix": "[{scenery: ford}]"}, "scenery"),
        ({"from": "none.npz"}, "none.npz: no such model"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, change, said):
    assert main(arguments(tmp_path, **change)) == 2
    err = capsys.readouterr().err
    assert err.startswith("agemonia train: ")
    assert said in err
    assert err.count("\n") == 1


def test_refused_resumes_say_why(trained, tmp_path, capsys):
    assert main(["--out", str(tmp_path), "--resume"]) == 2
    assert "nothing to resume" in capsys.readouterr().err
    assert main(["--out", str(trained), "--resume", "--gamma", "0.5"]) == 2
    assert "trained with gamma: 0.999, now 0.5;" in capsys.readouterr().err
    (tmp_path / "model.npz").write_bytes((trained / "model.npz").read_bytes())
    assert main(["--out", str(tmp_path), "--resume"]) == 2
    assert "model.optimiser.safetensors: no such model; --from" in capsys.readouterr().err


def test_a_network_of_another_environment_is_refused(trained, tmp_path, capsys):
    options = arguments(tmp_path, env="HexDungeon-v0")
    assert main([*options, "--from", str(trained / "model.npz")]) == 2
    assert "a model for Agemonia-v0, not for HexDungeon-v0" in capsys.readouterr().err
