"""Rank variants: all play the same seeds until they are surely not the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .game_cache import GameCache
from .racing import Floats, Race
from .rank_result import RankResult
from .variants import RankStudy


def play_rank_study(study: RankStudy, cache: GameCache) -> RankResult:
    """Play the race to its end; see racing.py."""
    race = Race(study.rule, study.games, study.config.within / 100)
    while not race.over:
        race.look(won_by(study, cache, race.alive, race.wanted()))
    return RankResult(study, race)


def won_by(study: RankStudy, cache: GameCache, alive: Sequence[int], games: int) -> Floats:
    """What each variant made of each seed, (variants, games): its mean over the conditions."""
    plans = [replace(plan, games=games) for v in alive for plan in study.variants[v].plans]
    frames = cache.play(plans)
    won = np.array([frame["won"].to_numpy() for frame in frames], np.float64)
    return np.asarray(won.reshape(len(alive), len(study.base), games).mean(axis=1), np.float64)
