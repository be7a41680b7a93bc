"""How long games stay open: win rates at the start of every round, found by playing on.

A win rate out of ROLLOUTS games is noisy, and a round near the end of the range falls on either
side of it by chance. The bias of a count of open rounds falls with 1 / ROLLOUTS. So the rollouts
are kept in two halves, and the count is extrapolated from half of them and all of them to
infinitely many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.review.rollouts import NOTHING, Rollouts
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import Records, joined, start_games
from agemonia_env.simulation.jobs import OnPlayed
from agemonia_env.simulation.plan import Kind, Plan, compile_planned, load_policy
from agemonia_env.simulation.play import batches

ROLLOUTS = 60  # games played on from the start of a round
HALF = ROLLOUTS // 2
WINS = pl.List(pl.Int16())
SCHEMA = pl.Schema({"won": pl.Boolean(), "first": WINS, "second": WINS})

Wins = NDArray[np.int16]
Between = tuple[float, float]  # win rates between which a game is open


def play_odds(plan: Plan, chunk: int, on_played: OnPlayed) -> pl.DataFrame:
    """Play a chunk; one row per game: `won`, and the rollouts won from the start of each round.

    `first` and `second` have those of each half of the rollouts, out of HALF. Greedy play goes on
    from there, whichever policy plays the game.
    """
    numbers = plan.numbers(chunk)
    games, seeds = np.arange(numbers.start, numbers.stop), plan.seeds(numbers)
    won = np.zeros(len(games), np.bool_)
    wins: list[list[Wins]] = [[] for _ in games]
    for kind, drawn, which, places in batches(plan, games, seeds):
        contents = joined([compile_planned(kind, seed).content for seed in drawn])
        own = seeds[places]
        control = kind.arguments().control()
        states = start_games(kind.rules(), contents, which, own, control=control)
        policy = load_policy(plan.env, plan.policy)
        for asked, starts in round_starts(kind, states, contents, which, policy):
            for game, start in zip(asked.tolist(), starts, strict=True):
                content = contents[which[game] : which[game] + 1]
                wins[places[game]].append(wins_from(kind, content, start, int(own[game])))
        won[places] = states["won"].astype(np.bool_)
        on_played(len(own), int(won[places].sum()))
    rows = [
        {
            "won": bool(one),
            "first": [int(a) for a, _ in these],
            "second": [int(b) for _, b in these],
        }
        for one, these in zip(won, wins, strict=True)
    ]
    return pl.DataFrame(rows, schema=SCHEMA)


def round_starts(
    kind: Kind, states: Records, contents: Records, which: NDArray[np.int16], policy: Policy
) -> Iterator[tuple[NDArray[np.int64], list[Records]]]:
    """Play games to their end; yield those that begin a round, and copies of their states.

    A round begins with its first decision. states: STATE (n,), of which game i plays
    contents[which[i]]; they hold the ends afterwards.
    """
    rules, control = kind.rules(), kind.arguments().control()
    raw, begun = states.view(np.uint8).reshape(len(states), -1), np.zeros(len(states), np.int64)
    for _ in range(kind.max_decisions):
        going = np.flatnonzero(states["ending"] == GOING_ON)
        if not len(going):
            return
        new = going[states["round"][going] > begun[going]]
        begun[new] = states["round"][new]
        if len(new):
            yield new, [raw[i].copy().view(states.dtype) for i in new]
        part = raw[going].view(states.dtype).reshape(-1)
        actions = policy.choose(part, contents, which[going])
        denials = np.zeros(len(part), np.int16)
        rules.api.step(part, contents, which[going], actions, control, rules.api.NO_ROWS, denials)
        raw[going] = part.view(np.uint8).reshape(len(part), -1)


def wins_from(kind: Kind, content: Records, state: Records, seed: int) -> Wins:
    """Games won of each half of the rollouts from a position, int16 (2,)."""
    rules: Ruleset = kind.rules()
    rollouts = Rollouts(rules, content, kind.arguments().control(), kind.max_decisions, ROLLOUTS)
    won = rollouts.wins(state, [NOTHING], [seed, int(state["round"][0])])
    return np.asarray(won.reshape(2, HALF).sum(axis=1), np.int16)


# ---- counting ---------------------------------------------------------------------------------
def open_rounds(games: pl.DataFrame, between: Between) -> NDArray[np.float64]:
    """The number of open rounds of each game of `play_odds`, float64 (n,), hardly biased.

    A game by itself may have a part of a round, or less than none: means are what count.
    """
    return _extrapolated(games, between, lambda weights: float(weights.sum()))


def open_games(games: pl.DataFrame, between: Between, rounds: int) -> NDArray[np.float64]:
    """Whether each game has at least so many open rounds, float64 (n,); see open_rounds."""
    return _extrapolated(games, between, lambda weights: at_least(weights, rounds))


def _extrapolated(
    games: pl.DataFrame, between: Between, count: Callable[[NDArray[np.float64]], float]
) -> NDArray[np.float64]:
    found = []
    for first, second in zip(games["first"].to_list(), games["second"].to_list(), strict=True):
        both = [a + b for a, b in zip(first, second, strict=True)]
        whole = count(weights_of(both, ROLLOUTS, between))
        half = [count(weights_of(wins, HALF, between)) for wins in (first, second)]
        found.append(2 * whole - sum(half) / 2)
    return np.array(found, np.float64)


def weights_of(wins: Sequence[int], rollouts: int, between: Between) -> NDArray[np.float64]:
    """How much each round counts as open, float64: 1 inside, 0 outside, a half at an end.

    Ends between two possible numbers of wins are shared out between them.
    """
    own, (low, high) = np.asarray(wins, np.float64), between
    above = np.clip(own - low * rollouts + 0.5, 0, 1)
    below = np.clip(high * rollouts - own + 0.5, 0, 1)
    return np.asarray(above * below, np.float64)


def at_least(weights: NDArray[np.float64], rounds: int) -> float:
    """The probability of at least so many of independent events with these probabilities."""
    counts = np.ones(1)
    for weight in weights:
        counts = np.convolve(counts, [1 - weight, weight])
    return float(counts[rounds:].sum())
