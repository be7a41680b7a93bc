"""The league: who is strong, which scenario is hard, and how sure that is, on one scale.

    matches.py  who plays against what: every policy against every scenario
    rating.py   ratings from games, by openskill
    report.py   what came out: tables and JSON
    picture.py  the same as a picture
    run.py      all of it together

Importing this package loads none of it; it needs the extra `league`. docs/league.md explains what
a rating means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from agemonia_env.simulation import required

if TYPE_CHECKING:
    from agemonia_env.simulation import Party

    from .report import Report

GAMES, ORDERS = 400, 20


class Choices(TypedDict, total=False):
    """Arguments of `play` that hardly need to be said, as `agemonia_env.simulate` has them."""

    env: str
    pack: str | Path | None
    level: int | Sequence[int | None] | None
    difficulty: str | Sequence[str] | None
    scenario_seed: int | str | Sequence[int] | None
    ties: str
    max_decisions: int | None


def play(
    policy: str | Sequence[str] = ("random", "greedy"),
    scenario: str | Sequence[str] = "all",
    heroes: Party | Sequence[Party] = 2,
    games: int | Mapping[str, int] = GAMES,
    *,
    enemy_policy: str | Sequence[str] = (),
    seed: int = 0,
    orders: int = ORDERS,
    threads: int = 1,
    out: str | Path | None = None,
    progress: bool = False,
    **choices: Unpack[Choices],
) -> Report:
    """Play every policy against every scenario, and rate both.

    policy: of the Heroes, one or several. scenario, heroes, difficulty, level: one or several;
    every combination is a scenario of its own. enemy_policy: those that also move the Enemies of
    each scenario, with a free will; by their cards they are always moved.

    games: of a match, that is of one pairing; a mapping has numbers for policies that are slow,
    and one for all others under the name "". The same seeds are played in every match. orders: so
    many seeded orders the games are rated in, since ratings depend on it.

    threads: do not change a digit. out: a folder for the games, ratings.json and ratings.png; what
    has been played there is not played again, whoever joins the league. progress: tell on stderr
    how far it is.

    Raises ValueError for what is wrong with the arguments, and MissingExtra, an ImportError, where
    an optional package is missing.
    """
    for package in ("polars", "openskill", "matplotlib"):
        required(package, "league")
    from agemonia_env.rulesets.arguments import check_choices

    from .matches import make_matches
    from .run import report_of

    check_choices(choices, play, Choices.__annotations__)
    matches = make_matches(
        policy, scenario, heroes, games, enemy_policy=enemy_policy, seed=seed, **choices
    )
    return report_of(matches, threads, None if out is None else Path(out), orders, progress)
