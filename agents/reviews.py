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
    played = replace(played, max_decisions=DECISIONS_MAX)
    seeds = (played.test_seeds() or played.scenario_seeds() or range(0))[:SCENARIOS]
    made, paths = Made(policy.name, command_line()), []
    for i in games:
        path, one = out / FOLDER / f"game-{i}.html", played
        if seeds:
            one = replace(played, scenario_seed=seeds[i % len(seeds)])
        write_review(rules, one, policy, first_seed + i, path, made)
        paths.append(path)
    return paths
