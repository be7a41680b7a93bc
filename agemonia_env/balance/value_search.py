"""Search for values that meet targets, by Optuna; confirm them on fresh seeds.

Every trial plays the same seeds, so trials differ by their numbers and not by randomness. The best
trials are played again with more games, because the best of many noisy trials is partly chance.
The winner is then played on fresh seeds, and the report shows those games. With targets of one kind
that is one miss to minimise; with several kinds each has its own, and what is found is a front.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from agemonia_env.packs.folders import ContentError

from .game_cache import GameCache
from .parameters import value_of
from .pareto import finalists, front_of
from .search_result import SearchResult
from .study_config import plans_of
from .targets import aims_of
from .trials import (
    FRESH,
    GAMES,
    LONGER,
    SearchConfig,
    SearchStudy,
    Trial,
    misses,
    n_points,
    play_trial,
    ranges_of,
    rank,
)

ASKED = 20  # Optuna suggestions per trial, as many of them repeat


def make_search_study(config: SearchConfig) -> SearchStudy:
    """Build the search of a config."""
    base = plans_of(config, config.pack, config.games or GAMES)
    return SearchStudy(config, tuple(base), aims_of(config.targets, base))


def play_search_study(search: SearchStudy, cache: GameCache) -> SearchResult:
    """Run trials, replay the best, confirm them. ContentError if no trial is valid."""
    config, games = search.config, search.base[0].games
    tried = tuple(try_values(search, cache))
    sound = [trial for trial in tried if not trial.refused]
    if not sound:
        raise ContentError([f"values: all {len(tried)} trials are invalid: {tried[0].refused}"])
    best = finalists(search, sound)
    again = [play_trial(search, cache, one.values, LONGER * games, config.seed) for one in best]
    again.sort(key=partial(rank, search))
    confirm = partial(play_trial, search, cache, games=config.confirm, seed=config.seed + FRESH)
    before = confirm(values={})
    several = len(search.measures) > 1
    kept = front_of(search, again) if several else again[:1]
    after = [confirm(values=trial.values) for trial in kept]
    return SearchResult(
        search, tried, tuple(again), before, after[0], tuple(after) if several else ()
    )


def try_values(search: SearchStudy, cache: GameCache) -> Iterator[Trial]:
    """Play distinct trials, the pack's own values first: all points, or those Optuna suggests.

    Optuna repeats itself near the optimum, so there may be fewer than `trials`.
    """
    config, games = search.config, search.base[0].games
    now = tuple(value_of(config.tools, config.pack, path) for path in config.values)

    def play(point: tuple[int, ...]) -> Trial:
        values = dict(zip(config.values, point, strict=True))
        return play_trial(search, cache, values, games, config.seed)

    if n_points(config) <= config.trials:
        yield from map(play, sorted(product(*ranges_of(config)), key=lambda point: point != now))
        return
    study, tried = begin_study(search, now), dict[tuple[int, ...], Trial]()
    for _ in range(ASKED * config.trials):
        asked = study.ask()
        point = tuple(asked.suggest_int(path, *ends) for path, ends in config.values.items())
        if point not in tried:
            tried[point] = play(point)
            yield tried[point]
        study.tell(asked, misses(search, tried[point]))
        if len(tried) == config.trials:
            return


def begin_study(search: SearchStudy, now: tuple[int, ...]) -> Any:
    """Create the Optuna study; it suggests the pack's own values first if they are in range.

    With several measures it looks for their front (Ozaki, Tanigaki, Watanabe and Onishi, GECCO
    2020).
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    config = search.config
    begun = max(5, config.trials // 4)
    sampler = optuna.samplers.TPESampler(seed=config.small_seed, n_startup_trials=begun)
    goals = ["minimize"] * len(search.measures)
    study = optuna.create_study(sampler=sampler, directions=goals)
    if all(value in span for value, span in zip(now, ranges_of(config), strict=True)):
        study.enqueue_trial(dict(zip(config.values, now, strict=True)))
    return study
