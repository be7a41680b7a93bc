"""Environments that are known by name: none."""

registry = {}


def register(*_, **__):
    """Nothing: a page makes no environments."""
