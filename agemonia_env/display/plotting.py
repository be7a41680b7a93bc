"""Matplotlib for files: without a display, and with names shown as they are."""

from __future__ import annotations

from typing import Any

NAMES: Any = {"text.parse_math": False}  # a name with $ in it is a name, not a formula


def pyplot() -> Any:
    """The module matplotlib.pyplot, which is imported only here: it takes 0.4 s."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update(NAMES)
    from matplotlib import pyplot as plt

    return plt
