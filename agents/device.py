"""The device of torch that a configuration names."""

from __future__ import annotations

import torch as th

from .config import Config, ConfigError


def device_of(config: Config) -> th.device:
    """Where the network is. Raises ConfigError if torch has no such device here."""
    chosen = config.device
    if chosen == "auto":
        chosen = "cuda" if th.cuda.is_available() else "cpu"
    try:
        return th.zeros(0, device=chosen).device
    except (RuntimeError, AssertionError) as error:  # torch asserts that it was built for cuda
        reason = str(error).partition("\n")[0]
        raise ConfigError(f"device: {chosen} cannot be used here: {reason}") from None
