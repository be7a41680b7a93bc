"""The record of a model: what it was trained on, as JSON, with the schema it is checked against.

It lies beside a .safetensors model as NAME.json, and inside an .npz model. Records are untrusted
input: every key that is read is listed here, with its type and range.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agemonia_env.files.documents import DocumentError, parse_json, read_text
from agemonia_env.packs.folders import describe

MOST_BYTES = 2**22  # of a record; one for a mix of hundreds of scenarios has 50 KB
MOST_DEPTH = 20  # of nested lists and mappings
MOST_UNITS, MOST_LAYERS = 2**14, 16  # of a network
MOST_COUNT = 2**53  # of steps, seeds and sizes: the integers that every JSON reader keeps

Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Fingerprint = Annotated[str, Field(max_length=100)]
Units = Annotated[int, Field(ge=1, le=MOST_UNITS)]
Column = Annotated[int, Field(ge=0, lt=2**20)]


class ModelError(ValueError):
    """A model file that cannot be used; the message is one line for the user."""


class Architecture(BaseModel):
    """The network of a model of MaskablePPO, which is built before its weights are read.

    policy, value: units of the hidden layers; columns: of the observation, None = all.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    policy: list[Units] = Field(max_length=MOST_LAYERS)
    value: list[Units] = Field(max_length=MOST_LAYERS)
    activation: Literal["tanh", "relu"]
    columns: Annotated[list[Column], Field(min_length=1)] | None


class ModelRecord(BaseModel):
    """The keys that are read; other keys are kept as they are.

    fingerprints: of all scenarios of a mix; steps: decisions learned from; minutes: of training;
    network, n_observation, n_actions: of a model of MaskablePPO; pettingzoo: whether observations
    and actions are those of the PettingZoo environment.
    """

    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)

    env_id: Name
    fingerprint: Fingerprint
    fingerprints: list[Fingerprint] = []
    env_kwargs: dict[str, Any] = {}
    config: dict[str, Any] = {}
    algorithm: Name = ""
    steps: Count = 0
    minutes: Annotated[float, Field(ge=0.0, le=1e9)] = 0.0
    seed: Count = 0
    n_observation: Annotated[int, Field(ge=1, lt=2**20)] = 1
    n_actions: Annotated[int, Field(ge=1, lt=2**20)] = 1
    network: Architecture | None = None
    pettingzoo: bool = False

    @model_validator(mode="after")
    def _columns_exist(self) -> Self:
        columns = self.network.columns if self.network else None
        if columns and max(columns) >= self.n_observation:
            raise ValueError("network.columns: must be below n_observation")
        return self


def check_record(record: Any) -> dict[str, Any]:
    """Check a record and return it. Raises ValueError on one line, with the first mistakes."""
    if not isinstance(record, dict):
        raise ValueError("not a model record: must be a mapping")
    if "fingerprint" not in record:
        raise ValueError("not a model record: the fingerprint is missing")
    if _depth_exceeds(record, MOST_DEPTH):
        raise ValueError(f"not a model record: nested more than {MOST_DEPTH} deep")
    try:
        ModelRecord.model_validate(record)
    except ValidationError as error:
        mistakes = "; ".join(describe(ModelRecord, error)[:3])
        raise ValueError(f"not a model record: {mistakes}") from None
    return record


def parse_record(text: str) -> dict[str, Any]:
    """Parse a record from JSON text. Raises ValueError, on one line."""
    try:
        value = parse_json(text)
    except DocumentError as error:
        raise ValueError(f"not a model record: {error}") from None
    return check_record(value)


def record_beside(path: Path) -> dict[str, Any]:
    """Read the record beside a model. Raises ModelError that says what is wrong."""
    beside = path.with_suffix(".json")
    if not beside.exists():
        other = path.with_suffix(".npz")
        hint = f"; {other} is a model" if other.is_file() else ""
        raise ModelError(f"{beside}: missing; a model needs its record beside it{hint}")
    try:
        return parse_record(read_text(beside, MOST_BYTES))
    except ValueError as error:
        raise ModelError(f"{beside}: {error}") from None


def _depth_exceeds(value: Any, most: int) -> bool:
    """Whether lists and mappings are nested deeper than `most`."""
    level = [value]
    for _ in range(most + 1):
        level = [part for parts in level for part in _parts(parts)]
        if not level:
            return False
    return True


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
