"""The HTML page of a recorded game: one file without links to anything else."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

import numba
import numpy as np

from agemonia_env import __version__
from agemonia_env.files.embedded import embedded
from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.identity import rules_hash
from agemonia_env.rulesets.recorded_game import FORMAT

from .analysis import DIGITS, Effort, Judgement, totals
from .recording import Decision, Recording
from .rollouts import PLAYED_BY

TEMPLATES = Path(__file__).parent / "page"
FILES = ("page.html", "page.css", "page.js")
NOT_ANALYSED = Effort(0, 0)


@dataclass(frozen=True)
class Made:
    """How a file was made. policy, command: "" if unknown."""

    policy: str = ""
    command: str = ""


def command_line() -> str:
    """The command that runs now, with its options."""
    module = getattr(sys.modules["__main__"], "__spec__", None)  # of `python -m MODULE`
    start = ["python", "-m", module.name.removesuffix(".__main__")] if module else ["agemonia"]
    return shlex.join([*start, *sys.argv[1:]])


def write_page(
    path: Path,
    recording: Recording,
    made: Made,
    judged: Sequence[Judgement] = (),
    effort: Effort = NOT_ANALYSED,
) -> None:
    """Write the page of a recording, atomically. judged: its positions from the first on."""
    write_whole(path, page_of(record_of(recording, made, judged, effort)))


def page_of(record: dict[str, Any]) -> str:
    """The page as HTML."""
    parts = {name: (TEMPLATES / name).read_text(encoding="utf-8") for name in FILES}
    page = parts["page.html"].replace("/* page.css */", parts["page.css"])
    page = page.replace("/* page.js */", parts["page.js"])
    page = page.replace("TITLE", escape(record["title"]))
    return page.replace("<!-- record -->", embedded(record))


def record_of(
    recording: Recording, made: Made, judged: Sequence[Judgement], effort: Effort
) -> dict[str, Any]:
    """Everything the page shows, and the game to be played on, as a JSON-able record."""
    env = recording.env
    game = recording.game()
    scenario = recording.compiled.names.scenario
    seed = "" if recording.seed is None else f", seed {recording.seed}"
    return {
        "format": FORMAT,
        "title": f"{scenario}{f', {made.policy}' if made.policy else ''}{seed}",
        "result": recording.ending(),
        "over": recording.over,
        "won": recording.won,
        "goal": env.ruleset.goal_page(recording.states[0][0], recording.compiled),
        "made": {
            **asdict(made),
            "seed": recording.seed,
            "scenario_seed": recording.scenario_seed,
            "agemonia_env": __version__,
            "rules": rules_hash(game.identity),
            "numba": numba.__version__,
            "numpy": np.__version__,
        },
        "effort": {**asdict(effort), "played_by": PLAYED_BY},
        "game": game.model_dump(),
        "cards": recording.cards.listed(),
        "boards": {"lines": recording.boards.lines.listed(), "steps": recording.boards.steps},
        "steps": [_step(decision) for decision in recording.decisions],
        "judged": [_short(judgement) for judgement in judged],
        "totals": totals(recording, list(judged)) if judged else {},
    }


def _step(decision: Decision) -> dict[str, Any]:
    """A decision as the page reads it."""
    step = asdict(decision)
    known = decision.probabilities
    step["probabilities"] = known and [
        round(float(known.get(option, 0.0)), DIGITS) for option in decision.options
    ]
    return step


def _short(judgement: Judgement) -> dict[str, Any]:
    """A judgement without what was not measured."""
    found = asdict(judgement)
    return {name: value for name, value in found.items() if value not in ([], -1)}
