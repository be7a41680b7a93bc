"""Train the attention policy of agents/attention.py with the PPO of agents/train_ppo.py.

    python -m agents.train_attention                              configs/attention.yaml
    python -m agents.train_attention --tokens '{size: 32}'        any key as an option
    python -m agents.train_attention --resume                     continue from the last checkpoint

Writes model.safetensors, model.json, curve.json and checkpoints/ under --out. The algorithm is that
of train_ppo; the network differs and also reads the scenario.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from torch import nn

from agemonia_env.envs.wrappers import ScenarioInObservation
from agemonia_env.files.stopping import uninterrupted
from agemonia_env.files.writing import write_json, write_whole
from agemonia_env.policies.named import check_model
from agemonia_env.policies.network import check_ruleset
from agemonia_env.rulesets.agemonia.core.obs_spec import SCALES
from agemonia_env.rulesets.agemonia.states.obs_arrays import STRUCTURE
from agemonia_env.rulesets.doors import DEFAULT as AGEMONIA

from .attention import AttentionPolicy
from .attention_file import ALGORITHM, READS
from .config import CONFIGS, ConfigError
from .model_file import made_by, read_record
from .run import OVERRIDE_HINT, Job, Trainer, clear_away
from .tensor_file import (
    OPTIMISER,
    POLICY,
    SUFFIX,
    packed,
    part,
    read_tensors,
    take_optimiser,
    take_weights,
)
from .train_ppo import PPO, dtype_of_products, fingerprints_of, make_env, trained

OUT = Path("runs/attention")


class QuantizedAttention(nn.Module):
    """The attention policy for the trainer: quantized observations in, one array out.

    columns: int32 (width,), all columns of a wide row.
    """

    factors: th.Tensor

    def __init__(self, policy: AttentionPolicy, dtype: th.dtype) -> None:
        super().__init__()
        self.policy, self.dtype = policy, dtype
        self.columns = np.arange(STRUCTURE.width, dtype=np.int32)
        scales = np.concatenate([SCALES, STRUCTURE.scenario_scales])
        self.register_buffer("factors", th.as_tensor(1.0 / scales, dtype=th.float32))

    def forward(self, codes: th.Tensor) -> th.Tensor:
        """Wide rows as int8 (n, width) -> logits and value, float32 (n, n_actions + 1)."""
        with th.autocast(codes.device.type, self.dtype, enabled=self.dtype != th.float32):
            logits, values = self.policy(codes * self.factors)
        return th.cat([logits.float(), values.float()[:, None]], dim=1)


class AttentionPPO(PPO):
    """The learner of train_ppo with the attention network."""

    network: Any

    def build_network(self, begin: Any = None) -> Any:
        """The network, untrained."""
        dtype = dtype_of_products(self.config)
        return QuantizedAttention(AttentionPolicy(**self.config.tokens.model_dump()), dtype)

    def save(self, path: Path, record: dict[str, Any]) -> None:
        """Write weights and optimiser to `path`, and the record as JSON beside it."""
        content = packed(self.network.policy, self.optimiser)
        facts = {"steps": self.steps, "minutes": round(self.minutes, 3), **made_by()}
        with uninterrupted():
            write_json(path.with_suffix(".json"), record | facts)
            write_whole(path, content)

    def restore(self, path: Path, record: Mapping[str, Any]) -> None:
        """Restore weights, optimiser and counters saved in `path`."""
        tensors = read_tensors(path)
        take_weights(self.network.policy, part(tensors, POLICY), path)
        take_optimiser(self.optimiser, part(tensors, OPTIMISER), path)
        self.steps, self.minutes = int(record["steps"]), float(record["minutes"])


def run(job: Job) -> Path:
    """Run the job; returns the path of the saved model."""
    if job.config.env != AGEMONIA:
        raise ConfigError(f"env: {job.config.env}: the attention policy only plays {AGEMONIA}")
    th.set_num_threads(job.config.threads)
    plain = make_env(job.config)
    env: Any = ScenarioInObservation(plain)
    seed = job.config.seed
    if job.resume is None:
        clear_away(job.out)
        return trained(job, AttentionPPO(job.config, env, seed), SUFFIX)
    record = read_record(job.resume)
    rules = plain.ruleset
    check_model(
        record, rules, job.resume, force=job.force, reads=READS, override_hint=OVERRIDE_HINT
    )
    check_ruleset(record, fingerprints_of(plain)[0], path=job.resume, force=job.force)
    learner = AttentionPPO(job.config, env, seed + int(record["steps"]))
    learner.restore(job.resume, record)
    return trained(job, learner, SUFFIX)


main = Trainer(ALGORITHM, CONFIGS / "attention.yaml", SUFFIX, OUT, run).main

if __name__ == "__main__":
    sys.exit(main())
