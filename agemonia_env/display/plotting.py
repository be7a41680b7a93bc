"""Matplotlib without a display, with names shown verbatim."""

from __future__ import annotations

from typing import Any

NAMES: Any = {"text.parse_math": False}  # a name with $ in it is a name, not a formula


def pyplot() -> Any:
    """Import matplotlib.pyplot, which takes 0.4 s."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update(NAMES)
    from matplotlib import pyplot as plt

    return plt
