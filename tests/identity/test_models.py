"""Models of every format, loaded after changes since they were made."""

import re
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from sb3_contrib import MaskablePPO

import agemonia_env
from agemonia_env.policies import policy_of
from agemonia_env.policies.model_record import ModelError
from agemonia_env.policies.network import Layer, Network
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.identity import identity_of
from agents.model_file import save_model
from agents.train_maskable_ppo import main as train_maskable_ppo
from agents.train_ppo import main as train_ppo
from tests.identity import changes
from tests.identity.changes import ENV, RENAMED, TOUGHER

N, ACTIONS = AGEMONIA.N_OBSERVATION, AGEMONIA.N_ACTIONS


@pytest.fixture(autouse=True)
def identity_afresh():
    yield
    identity_of.cache_clear()


class Sized(gymnasium.Env):
    """Something of the size of Agemonia, for a model of Stable-Baselines3 to be made for."""

    observation_space = spaces.Box(-1, 1, (N,), np.float32)
    action_space = spaces.Discrete(ACTIONS)


def npz(path, record):
    def layer(n):
        return Layer(np.zeros((1, n), np.float32), np.zeros(n, np.float32))

    Network(np.zeros(1, np.int32), [], layer(ACTIONS), layer(1), record).save(path)


def maskable(path, record):
    settings = {"policy_kwargs": {"net_arch": [4]}, "n_steps": 8, "batch_size": 8, "device": "cpu"}
    save_model(MaskablePPO("MlpPolicy", Sized(), **settings), path, record)


FORMATS = {"npz": npz, "safetensors": maskable}


def fingerprint(pack="core"):
    return AGEMONIA.check_arguments(scenario="ford", pack=pack).reference().fingerprint


@pytest.fixture(params=FORMATS)
def model(request, tmp_path):
    path = tmp_path / f"model.{request.param}"
    record = {"env_id": ENV, "fingerprint": fingerprint(), "identity": identity_of(ENV), "steps": 1}
    FORMATS[request.param](path, record)
    return path


def loaded(path, **options):
    """The policy of a file; a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        return policy_of(AGEMONIA, str(path), **options)


ALIKE = [changes.nothing, changes.comment, changes.another_scenario, changes.comment_and_scenario]


@pytest.mark.parametrize("change", ALIKE)
def test_models_of_rules_that_play_alike_are_accepted(model, change, monkeypatch):
    changes.make(change, monkeypatch)
    assert loaded(model, fingerprint=fingerprint()).record["env_id"] == ENV


def test_another_rule_is_refused_without_force(model, monkeypatch):
    changes.make(changes.rule, monkeypatch)
    text = r"play differently in 2 of 13 scenarios: ford, toll. Train it again, or name it force:"
    with pytest.raises(ModelError, match=text):
        loaded(model)
    for insisting in ({"name": f"force:{model}"}, {"name": str(model), "force": True}):
        with pytest.warns(UserWarning, match="play differently in 2 of 13"):
            policy_of(AGEMONIA, **insisting)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (changes.fields, "observations have another layout"),
        (changes.answers, "actions have another layout"),
    ],
)
def test_another_layout_is_refused_even_with_force(model, change, reason, monkeypatch):
    changes.make(change, monkeypatch)
    for force in (False, True):
        with pytest.raises(
            ModelError, match=re.escape(f"{model}: cannot be played here: {reason};")
        ):
            loaded(model, force=force)


@pytest.mark.parametrize("pack", [TOUGHER, RENAMED])
def test_another_scenario_or_name_is_refused_where_the_scenario_is_known(model, pack):
    with pytest.raises(ModelError, match="trained on another ruleset"):
        loaded(model, fingerprint=fingerprint(pack))
    with pytest.warns(UserWarning, match="trained on another ruleset"):
        policy_of(AGEMONIA, str(model), fingerprint=fingerprint(pack), force=True)


@pytest.mark.parametrize("identity", [None, 5, {}, {"behaviour": {"ford": 5}}])
@pytest.mark.parametrize("kind", FORMATS)
def test_a_model_without_identity_is_refused(tmp_path, kind, identity):
    path = tmp_path / f"model.{kind}"
    record = {"env_id": ENV, "fingerprint": fingerprint()}
    record |= {} if identity is None else {"identity": identity}
    FORMATS[kind](path, record)
    with pytest.raises(ModelError, match=r"does not say which rules|have another layout"):
        loaded(path)


# ---- wherever a model is named --------------------------------------------------------------
def simulated(path):
    agemonia_env.simulate(games=2, policy=str(path))


def simulated_as_enemies(path):
    agemonia_env.simulate(games=2, enemy_will="free", enemy_policy=str(path))


def opposed(path):
    AgemoniaEnv(side="enemy", enemy_will="free", opponent=str(path)).reset(seed=0)


def league(path):
    from agemonia_env import league

    league.play([str(path), "random"], "ford", games=2)


def compared(path):
    from agemonia_env.balance import compare

    compare(b=TOUGHER.partition("; ")[2], policy=str(path), games=100)


@pytest.mark.parametrize("use", [simulated, simulated_as_enemies, opposed, league, compared])
def test_every_consumer_checks_the_identity(tmp_path, use, monkeypatch):
    path = tmp_path / "model.npz"
    npz(path, {"env_id": ENV, "fingerprint": "of another game", "identity": identity_of(ENV)})
    changes.make(changes.rule, monkeypatch)
    with pytest.raises(ValueError, match="the rules play differently in 2 of 13 scenarios"):
        use(path)


SMALL = (
    *("--total-steps", "32", "--n-envs", "4", "--n-steps", "8", "--batch-size", "32"),
    *("--n-epochs", "1", "--net-arch", "[4]", "--threads", "1"),
)


@pytest.mark.parametrize("train", [train_ppo, train_maskable_ppo])
def test_training_resumes_only_with_the_same_rules(tmp_path, train, monkeypatch, capsys):
    assert train(["--out", str(tmp_path), *SMALL]) == 0
    changes.make(changes.comment, monkeypatch)
    resume = ["--out", str(tmp_path), "--resume", "--total-steps"]
    assert train([*resume, "64"]) == 0
    identity_of.cache_clear()
    monkeypatch.undo()
    changes.make(changes.rule, monkeypatch)
    assert train([*resume, "96"]) == 2
    assert "play differently in 2 of 13 scenarios: ford, toll. Train it again, or use --force" in (
        capsys.readouterr().err
    )
    with pytest.warns(UserWarning, match="play differently"):
        assert train([*resume, "96", "--force"]) == 0
    changes.make(changes.fields, monkeypatch)
    assert train([*resume, "128", "--force"]) == 2
