"""Optional packages, and which extra each comes with."""

from __future__ import annotations

from importlib import import_module


class MissingExtra(ImportError):  # noqa: N818 (what it is, not that it is an error)
    """An optional package is not installed; the message says which extra it comes with."""


def required(package: str, extra: str) -> None:
    """Import an optional package. Raises MissingExtra."""
    try:
        import_module(package)
    except ModuleNotFoundError as error:
        told = f"{error.name} is not installed: pip install 'agemonia-env[{extra}]'"
        raise MissingExtra(told) from None
