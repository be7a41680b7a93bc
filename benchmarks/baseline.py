"""Earlier runs to compare with: stored baselines, one per ruleset, and other files of `--json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import table, yardstick
from .starting import ROOT
from .table import Figures

FOLDER = Path(__file__).resolve().parent / "baselines"


def stored(env: str) -> Path:
    """The stored baseline of an environment."""
    return FOLDER / f"{env}.json"


def shown(path: Path) -> str:
    """A path relative to the repository if it is inside."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


def load(path: Path, env: str) -> tuple[Figures, dict[str, Any]]:
    """Read an earlier run of this environment -> (figures, facts about it).

    Raises OSError or ValueError, naming the file: another format, environment or yardstick.
    """
    figures, about = table.read(path)
    played = about.get("run", {}).get("env", env)
    if played != env:
        raise ValueError(f"{path}: has figures of {played}, not {env}; compare with --env {played}")
    name = yardstick_of(about)
    if name not in (None, yardstick.NAME):
        raise ValueError(
            f"{path}: has multiples of the yardstick {name!r}, but this version measures "
            f"{yardstick.NAME!r}; write the file again with --json"
        )
    return figures, about


def yardstick_of(about: dict[str, Any]) -> str | None:
    """The name of a run's yardstick; None if it measured none."""
    facts = about.get("yardstick")
    return str(facts.get("name")) if isinstance(facts, dict) else None


def worse(new: Figures, old: Figures, floor: float, *, scaled: bool) -> Iterator[str]:
    """A line for each case that is worse than `floor` times as good, beyond the spread.

    Shares and multiples are left out: more of them is neither good nor bad.
    """
    for name, figure in new.items():
        if name in old and (table.is_timed(figure.unit) or figure.unit == "bytes"):
            found = table.compare(figure, old[name], scaled=scaled)
            if found and found.is_below(floor):
                yield f"{name}: {found}"


def differences(path: Path, new: dict[str, Any], old: dict[str, Any]) -> dict[str, str]:
    """What a comparison with an earlier run says above the table: file, manner, other machine."""
    manner = "rates and times as multiples of the yardstick, others as they are"
    if yardstick_of(old) is None:
        manner = "all figures as they are: the file has no yardstick"
    rate = old.get("yardstick", {}).get(yardstick.UNIT)
    before = {"yardstick": f"was {rate} {yardstick.UNIT}"} if rate else {}
    return {"with": shown(path), "compares": manner} | before | table.unlike(new, old)
