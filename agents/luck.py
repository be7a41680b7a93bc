"""Win rates with the luck taken out (`agemonia evaluate --luck`); see simulation/luck.py."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agemonia_env.policies import Policy, policy_of
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import Meter, Records
from agemonia_env.simulation.interval import Z
from agemonia_env.simulation.luck import Luck, LuckMeter, Value
from agemonia_env.simulation.value_fit import Sampler, Seen, Watcher, calibrated, fit_value, weigh

from .play import Outcomes, play_games

FIT_GAMES, PILOT_GAMES = 25_000, 100  # greedy games of the value function; games of each policy
FIT_SEED, PILOT_SEED = 3_000_000_000, 4_000_000_000  # the first ones; evaluations begin elsewhere
REDRAWS = 8  # at each decision


@dataclass(frozen=True)
class Played:
    """What is played: scenarios, CONTENT (k,), and who is asked, bits of Control."""

    rules: Ruleset
    content: Records
    control: int

    def play(
        self,
        first_seed: int,
        games: int,
        heroes: Policy,
        enemies: Policy | None,
        meter: Meter | None = None,
    ) -> Outcomes:
        """Play games with successive seeds; enemies: None if the core plays them."""
        seeds = np.arange(first_seed, first_seed + games, dtype=np.uint64)
        how = {"control": self.control, "enemy_policy": enemies, "meter": meter}
        return play_games(self.rules, self.content, seeds, heroes, **how)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Fair:
    """The Heroes' win rate without luck: its 95 % interval, and how many times fewer games."""

    won: float
    low: float
    high: float
    saved: float


def value_of(played: Played, *, opposed: bool) -> Value:
    """A value function of greedy games. Raises NoValue, and MissingExtra.

    opposed: a policy outside the core plays the enemies.
    """
    sampler, greedy = Sampler(played.rules, played.control), policy_of(played.rules, "greedy")
    played.play(FIT_SEED, FIT_GAMES, greedy, greedy if opposed else None, sampler)
    return fit_value(np.concatenate(sampler.seen), np.concatenate(sampler.won))


def tuned(
    played: Played, value: Value, heroes: Policy, enemies: Policy | None
) -> tuple[LuckMeter, float]:
    """What measures luck in games of these policies, and how much of it to take out, by a pilot."""
    watcher = Watcher(Luck(value, REDRAWS), played.rules, played.control)
    played.play(PILOT_SEED, PILOT_GAMES, heroes, enemies, watcher)
    seen = Seen.joined(watcher.parts)
    value = calibrated(value, seen)
    weight, _ = weigh(seen.won.astype(float), seen.luck(value, REDRAWS))
    return LuckMeter(Luck(value, REDRAWS), played.rules, played.control), weight


def fair(won: NDArray[np.bool_], luck: NDArray[np.float64], weight: float) -> Fair:
    """The win rate without luck of n games, by their results and luck, (n,).

    The interval is widened as if one more game had been won and one more lost.
    """
    results, n = won - weight * luck, len(won)
    mean, half = float(results.mean()), Z * float(np.sqrt((results.var() + 1 / n) / n))
    saved = float(won.var() / results.var()) if results.var() else 1.0
    return Fair(mean, max(mean - half, 0.0), min(mean + half, 1.0), saved)
