"""The league: ratings of policies and scenarios on one scale, with intervals.

    matches.py  every policy against every scenario
    rating.py   ratings from games, by openskill
    report.py   the result as tables and JSON
    picture.py  the result as a picture
    run.py      run a league from matches to report

Importing this package imports none of these modules; they need the extra `league`. docs/league.md
explains what a rating means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from agemonia_env.simulation import required
from agemonia_env.simulation.choices import GameChoices

if TYPE_CHECKING:
    from agemonia_env.rulesets.policy import Policy
    from agemonia_env.simulation import Party

    from .report import Report

GAMES, ORDERS = 400, 20


def play(
    policy: str | Policy | Sequence[str | Policy] = ("random", "greedy"),
    scenario: str | Sequence[str] = "all",
    heroes: Party | Sequence[Party] = 2,
    games: int | Mapping[str, int] = GAMES,
    *,
    enemy_policy: str | Policy | Sequence[str | Policy] = (),
    seed: int = 0,
    orders: int = ORDERS,
    threads: int = 1,
    out: str | Path | None = None,
    progress: bool = False,
    **choices: Unpack[GameChoices],
) -> Report:
    """Play every policy against every scenario, and rate both.

    policy: of the heroes, one or several, names or objects of your own. scenario, heroes,
    difficulty, level: one or several; every combination is rated as a scenario of its own.
    enemy_policy: policies that also play the enemies of each scenario, with a free will; every
    scenario is played with its cards, too.

    games: per match, that is per pairing; a mapping has numbers for slow policies, and one for all
    others under the name "". All matches play the same seeds. orders: number of seeded orders in
    which the games are rated, since ratings depend on the order.

    threads: never change a digit. out: folder for games, ratings.json and ratings.png; games there
    are not played again when policies join the league. progress: show progress on stderr.

    Raises ValueError for mistakes in the arguments, and MissingExtra (an ImportError) if an
    optional package is missing.
    """
    required("league")
    from agemonia_env.rulesets.arguments import check_choices

    from .matches import make_matches
    from .run import report_of

    check_choices(choices, play, GameChoices.__annotations__)
    matches = make_matches(
        policy, scenario, heroes, games, enemy_policy=enemy_policy, seed=seed, **choices
    )
    return report_of(matches, threads, None if out is None else Path(out), orders, progress)
