"""PPO of RLlib with action masks, on its new API stack.

RLlib pins another version of Gymnasium, so it needs its own virtual environment:

    python3 -m venv rllib-venv
    rllib-venv/bin/pip install 'ray[rllib]==2.60.0' 'gymnasium==1.2.2' 'torch==2.13.0' --editable .
    rllib-venv/bin/python examples/rllib_ppo.py --iterations 20

RLlib's masking module reads observation and mask from a dict, the mask as float32.
"""

import argparse

import gymnasium
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from agemonia_env.envs.wrappers import MaskInObservation


def make(keywords):
    """The environment in the form that RLlib's masking module reads."""
    env = gymnasium.make("agemonia_env:Agemonia-v0", disable_env_checker=True, **keywords)
    return MaskInObservation(env, obs_key="observations", mask_dtype=np.float32)


def configured(steps):
    """PPO on the starter scenario; steps: decisions per iteration."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config=DefaultModelConfig(fcnet_hiddens=[64, 64]),
    )
    played = {"scenario": "ford", "heroes": 2, "ties": "auto", "reward": "shaped"}
    played["observation"] = "fitted"  # only the numbers that can change in this scenario
    return (
        PPOConfig()
        .environment("agemonia", env_config=played)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=4)
        .rl_module(rl_module_spec=module)
        .training(train_batch_size_per_learner=steps, minibatch_size=256, num_epochs=4, gamma=0.99)
    )


def main():
    """Train, and print the mean return of each iteration (+1 for a win, -1 for a loss)."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--steps", type=int, default=2048, help="decisions per iteration")
    options = parser.parse_args()
    register_env("agemonia", make)
    ray.init(num_cpus=1, include_dashboard=False)
    algorithm = configured(options.steps).build_algo()
    for iteration in range(options.iterations):
        result = algorithm.train()["env_runners"]
        mean = result["episode_return_mean"]
        print(f"{iteration + 1:>4}  {result['num_env_steps_sampled']:>6,.0f} steps  {mean:+.3f}")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
