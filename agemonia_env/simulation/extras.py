"""Optional packages and the extras that install them."""

from __future__ import annotations

from importlib import import_module


class MissingExtra(ImportError):  # noqa: N818 (the name says what is wrong)
    """An optional package is not installed; the message names the extra."""


def required(package: str, extra: str) -> None:
    """Import an optional package. Raises MissingExtra."""
    try:
        import_module(package)
    except ModuleNotFoundError as error:
        command = f"pip install 'agemonia-env[{extra}]'"
        raise MissingExtra(f"{error.name} is not installed: {command}") from None
