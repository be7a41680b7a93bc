"""What to install where a framework is missing."""

from __future__ import annotations


def missing(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """The error again, with the extra that brings the package."""
    command = f"pip install 'agemonia-env[{extra}]'"
    return ModuleNotFoundError(f"{error.name} is not installed: {command}", name=error.name)
