"""Hostile models, records and configurations of training: sound ones after some damage."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random

import numpy as np
import yaml

from .mutating import hostile_file, hostile_json, hostile_yaml, scramble, typo
from .runner import Attack
from .texts import word

AGENTS = Path(__file__).resolve().parents[2] / "agents"
HERE = f"{__name__}:configured"
PLAYED = (
    ("watch", "--scenario", "ford", "--heroes", "2", "--seed", "1", "--policy", "model.npz"),
    ("simulate", "--scenario", "ford", "-n", "2", "--quiet", "--policy", "model.npz"),
    ("evaluate", "--model", "model.npz", "--games", "2"),
)
TRAINERS = ("train_ppo", "train_maskable_ppo")


@cache
def sound() -> tuple[bytes, dict[str, np.ndarray]]:
    """A network of the repository: its bytes and its arrays."""
    data = (AGENTS / "weights" / "ppo-ford.npz").read_bytes()
    with np.load(io.BytesIO(data)) as archive:
        return data, {name: archive[name] for name in archive.files}


def packed(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as the bytes of an .npz file."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def network(random: Random) -> Attack:
    """A network with damaged bytes, arrays or record."""
    data, arrays = sound()
    name = random.choice(list(arrays))
    kind = random.randrange(6)
    if kind == 0:
        data = scramble(random, data)
    elif kind == 1:
        data = packed({key: part for key, part in arrays.items() if key != name})
    elif kind == 2:
        wrong = (
            *(np.zeros((3, 3)), np.array("x"), np.zeros(0, "f4"), np.full(3, np.nan, "f4")),
            *(np.array(1.0, "f4"), np.zeros((0, 4), "f4"), np.zeros((1, 2**16), "f4")),
            *(np.array(random.choice((0, -1, 1.5, np.inf, 10**8))), np.array([1, 2])),
        )
        data = packed(arrays | {name: random.choice(wrong)})
    elif kind == 3:
        file = io.BytesIO(data)
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(
                random.choice(("more.npy", "../up.npy", "trunk.9.bias.npy")), b"x" * 99
            )
        data = file.getvalue()
    elif kind == 4:
        return Attack(random.choice(PLAYED), {"model.npz": hostile_file(random)})
    else:
        record = hostile_json(random, str(arrays["record"])).decode(errors="replace")
        data = packed(arrays | {"record": np.array(record)})
    return Attack(random.choice(PLAYED), {"model.npz": data})


def beside(random: Random) -> Attack:
    """A model of another format, damaged as a whole, with a damaged record beside it."""
    _, arrays = sound()
    tensor = {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}
    header = hostile_json(random, json.dumps({"policy.value_net.bias": tensor}))
    data = len(header).to_bytes(8, "little") + header + bytes(16)
    if random.random() < 0.5:
        data = scramble(random, data)
    command = tuple(part.replace(".npz", ".safetensors") for part in random.choice(PLAYED))
    record = hostile_json(random, str(arrays["record"]))
    return Attack(command, {"model.safetensors": data, "model.json": record})


def configured(arguments: list[str]) -> int:
    """Read a configuration as a training does, and check it without training."""
    module, *rest = arguments
    trainer = import_module(f"agents.{module}").main.__self__
    object.__setattr__(trainer, "run", lambda job: job.out)  # it is frozen
    return int(trainer.main(rest))


def configuration(random: Random) -> Attack:
    """A damaged configuration, or damaged options of a training."""
    module = random.choice(TRAINERS)
    text = (AGENTS / "configs" / f"{random.choice(('ppo', 'maskable_ppo'))}.yaml").read_text()
    if random.random() < 0.6:
        file = {"config.yaml": hostile_yaml(random, text)}
        return Attack((module, "--out", "out", "--config", "config.yaml"), file, entry=HERE)
    key, value = random.choice(list(yaml.safe_load(text).items()))
    option = f"--{key.replace('_', '-')}"
    if random.random() < 0.3:
        option = typo(random, option)
    given = word(random) if random.random() < 0.7 else json.dumps(value)
    return Attack((module, "--out", "out", option, given), entry=HERE)
