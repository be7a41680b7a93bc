"""Calls every entry point that rule cases, traces and coverage use, so that they are compiled."""

from __future__ import annotations

from ..content.compile import compile_scenario
from ..core.policies import Policy
from ..coverage.counting import play_games
from .trace import trace


def call_tools() -> None:
    """Call each with a minimal task; results are discarded."""
    compiled = compile_scenario("core", "ford", 2)
    trace(compiled, 0, Policy.GREEDY)
    play_games(compiled, range(1), Policy.RANDOM)
