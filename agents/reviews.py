"""Review files of the last games of an evaluation, or of a model that was just trained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from agemonia_env.policies import Policy
from agemonia_env.review.page import Made, command_line
from agemonia_env.review.play import write_review
from agemonia_env.rulesets.arguments import Arguments
from agemonia_env.rulesets.ruleset import Ruleset

from .play import DECISIONS_MAX, FIRST_SEED, SCENARIOS

FOLDER = "reviews"  # below --out
MOST_REVIEWS = 1000


def leave_reviews(
    rules: Ruleset,
    played: Arguments,
    policy: Policy,
    games: Iterable[int],
    out: Path,
    *,
    first_seed: int = FIRST_SEED,
) -> list[Path]:
    """Play games again by their numbers, as `evaluate` does -> their files in out/reviews.

    Game i has core seed first_seed + i; of procedural scenarios it plays the one that it has there.
    """
    seeds, paths = played.test_seeds() or played.scenario_seeds(), []
    for i in games:
        one = replace(played, max_decisions=DECISIONS_MAX)
        if seeds is not None:
            drawn = seeds[:SCENARIOS]
            one = replace(one, scenario_seed=drawn[i % len(drawn)])  # type: ignore[call-arg]
        path = out / FOLDER / f"game-{i}.html"
        write_review(rules, one, policy, first_seed + i, path, Made(policy.name, command_line()))
        paths.append(path)
    return paths
