"""Whether luck is taken out of a comparison, and by which value function.

A value function is fitted to positions of greedy games of both variants. In a pilot both variants
are played by the policy that the comparison is about, and luck is measured (simulation/luck.py):
how much smaller does the variance of the differences become, and how much longer does a game take?
Where fewer seconds are needed for the same interval, luck is taken out. Fit, pilot and comparison
use different seeds, so the value function and its weight are fixed before the games.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from agemonia_env.files.writing import delete_file
from agemonia_env.policies.model_record import ModelError
from agemonia_env.policies.network import Layer, Network
from agemonia_env.policies.planner import Planner
from agemonia_env.policies.scripted import ScriptedPolicy
from agemonia_env.rulesets.arguments import CORE_SEEDS
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import Records
from agemonia_env.simulation.jobs import OnPlayed
from agemonia_env.simulation.luck import Luck, LuckMeter, Terms, Value, luck_of
from agemonia_env.simulation.plan import Plan, load_policy
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.workers import Workers

from .game_cache import plan_hash

Mode = Literal["auto", "always", "never"]  # values of `remove_luck`
FIT, PILOT = 0x10CC_F17, 0x10CC_9107  # added to the seed
FIT_GAMES = 25_000  # of each variant
FIT_CHUNK = 1_250
SHARE = 0.04  # of positions that are fitted to; more of one game say little new
HIDDEN = 64  # with 256 the gain was 1.9 instead of 2.4, as only so many games are played
LEAST_SPREAD = 0.05  # of an input, by which it is divided
PILOT_SHARE = 20  # of the games of the comparison, one is played in the pilot
PILOT_GAMES = (50, 400)  # fewest and most, of each variant
REDRAWS = (2, 4, 8, 16)  # tried; the pilot plays the last
MOST_SAVED = 4.0  # times the games; never seen to be exceeded, so not tried where it costs more
LEAST_SLOPE = 0.05  # of log-odds: a value function that says nothing
WORTH_IT = 1.1  # times the seconds saved from which luck is taken out
# Microseconds, on one core of an AMD EPYC server: only their ratios matter, and they are constants
# so that the choice is the same on every machine
DECISION, NETWORK, SIMULATION, PROBE, REDRAW = 2.0, 30.0, 80.0, 4.0, 12.0


class NoValue(ValueError):  # noqa: N818 (as Stopped)
    """No value function can be fitted."""


@dataclass(frozen=True)
class Taken:
    """What the pilot found. luck: how it is measured, None where it is left in.

    weight: of the luck that is subtracted; why: in words; pairs: of the pilot; saved: how many
    times fewer games it takes, costs: how many times longer one takes.
    """

    luck: Luck | None
    weight: float = 1.0
    why: str = ""
    pairs: int = 0
    saved: float = 1.0
    costs: float = 1.0

    def record(self) -> dict[str, Any]:
        """What reports say of it, JSON-able."""
        if self.luck is None:
            return {"removed": False, "why": self.why}
        numbers = {"saved": self.saved, "costs": self.costs, "weight": self.weight}
        return {
            "removed": True,
            "redraws": self.luck.redraws,
            "value": self.luck.value.fingerprint,
            "pilot_pairs": self.pairs,
            **numbers,
        }


NUMBERS = ("weight", "why", "pairs", "saved", "costs")  # of a Taken
LEFT_IN = Taken(None, why="both variants play alike")
Say = Callable[[str], None]
Job = tuple[int, int]  # which plan, chunk


@dataclass
class PilotMeter(LuckMeter):
    """Keeps what LuckMeter saw of all batches, and who won."""

    seen: list[Terms] = field(default_factory=list)
    won: list[NDArray[np.bool_]] = field(default_factory=list)
    decisions: int = 0

    def finish(self, states: Records) -> dict[str, NDArray[Any]]:
        """As Meter.finish."""
        terms = self.terms()
        self.seen.append(terms._replace(game=terms.game + sum(map(len, self.won))))
        self.won.append(states["won"] != 0)
        self.decisions += int(states["decisions"].sum())
        return {}


@dataclass
class Sampler:
    """Notes observations of some positions, and whether their games were won; see Meter."""

    rules: Ruleset
    control: int
    seen: list[NDArray[np.float32]] = field(default_factory=list)
    won: list[NDArray[np.bool_]] = field(default_factory=list)
    _games: list[NDArray[np.int64]] = field(default_factory=list)

    def begin(self, seeds: NDArray[np.uint64]) -> None:
        """As Meter.begin."""
        self._random = np.random.Generator(np.random.Philox(key=[seeds[0], FIT]))
        self._games = []

    def watch(
        self,
        games: NDArray[np.int64],
        before: Records,
        contents: Records,
        which: NDArray[np.int16],
        actions: NDArray[np.int64],
        after: Records,
    ) -> None:
        """As Meter.watch."""
        noted = np.flatnonzero(self._random.random(len(games)) < SHARE)
        seen = np.empty((len(noted), self.rules.N_OBSERVATION), np.float32)
        self.rules.api.write_observations(before[noted], contents, which[noted], seen)
        self.seen.append(seen)
        self._games.append(games[noted])

    def finish(self, states: Records) -> dict[str, NDArray[Any]]:
        """As Meter.finish."""
        self.won.append((states["won"] != 0)[np.concatenate(self._games)])
        return {}


# ---- the choice ---------------------------------------------------------------------------------
def take_luck(
    plans: tuple[Plan, Plan], mode: Mode, workers: Workers, file: Path | None, say: Say
) -> Taken:
    """Choose for a condition, or read an earlier choice from a file.

    plans: of both variants; say: is told what takes long. Raises NoValue if luck is always to be
    taken out and cannot be.
    """
    policy = load_policy(plans[0].env, plans[0].policy)
    cost, least = cost_of(policy), DECISION + PROBE + REDRAWS[0] * REDRAW
    if mode == "never":
        return Taken(None, why="asked to be left in")
    if mode == "auto" and (cost + least) / cost > MOST_SAVED:
        times = (cost + least) / cost
        return Taken(None, why=f"to measure it takes {times:.0f} times as long as to play")
    pairs = min(max(plans[0].games // PILOT_SHARE, PILOT_GAMES[0]), PILOT_GAMES[1])
    if mode == "auto" and plans[0].games < 4 * pairs:
        return Taken(None, why=f"{plans[0].games:,} games are too few for a pilot")
    ordered = sorted(plans, key=plan_hash)  # so that A against B is the negative of B against A
    key = "/".join([*(plan_hash(plan) for plan in ordered), mode, str(pairs)])
    found = None if file is None else read_taken(file, key)
    if found is None:
        try:
            say("Fitting a value function to greedy games ...")
            value = fit_value(ordered, workers)
        except NoValue as error:
            if mode == "always":
                raise
            return Taken(None, why=str(error))
        say(f"A pilot of {pairs:,} pairs: does it pay to take luck out? ...")
        found = play_pilot(ordered, value, pairs, mode, workers)
        if file is not None:
            write_taken(file, found, plans[0].env, key, value.network)
    return found


def cost_of(policy: Policy) -> float:
    """About how long a decision of a policy takes, in microseconds."""
    if isinstance(policy, ScriptedPolicy):
        return DECISION
    return SIMULATION * policy.simulations if isinstance(policy, Planner) else NETWORK


# ---- the value function -------------------------------------------------------------------------
def fit_value(plans: Sequence[Plan], workers: Workers) -> Value:
    """Fit a value function to greedy games of these plans, the same number of each."""
    chunked = [
        replace(_reseeded(plan, FIT), policy="greedy", games=FIT_GAMES, chunk=FIT_CHUNK)
        for plan in plans
    ]
    found = _run(partial(sample_positions, chunked), chunked, workers)
    seen = np.concatenate([part for part, _ in found])
    won = np.concatenate([part for _, part in found])
    return Value(fit_network(seen, won))


def sample_positions(
    plans: Sequence[Plan], job: Job, on_played: OnPlayed
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Play a chunk -> observations of some positions, (n, N_OBSERVATION), and who won, (n,)."""
    samplers = list[Sampler]()
    play_chunk(plans[job[0]], job[1], on_played, partial(_kept, samplers, Sampler))
    parts = [(np.concatenate(one.seen), np.concatenate(one.won)) for one in samplers]
    seen, won = zip(*parts, strict=True)
    return np.concatenate(seen), np.concatenate(won)


def fit_network(seen: NDArray[np.float32], won: NDArray[np.bool_]) -> Network:
    """A network of one hidden layer whose value head gives the log-odds of winning."""
    from sklearn.neural_network import MLPClassifier

    spread = seen.std(axis=0)
    columns = np.flatnonzero(spread > 0).astype(np.int32)
    if won.all() or not won.any() or not len(columns):
        raise NoValue("greedy play of both variants wins all games or none")
    spread, mean = np.maximum(spread[columns], LEAST_SPREAD), seen[:, columns].mean(axis=0)
    model = MLPClassifier(
        (HIDDEN,), activation="tanh", batch_size=512, early_stopping=True, max_iter=12,
        n_iter_no_change=2, alpha=1e-3, random_state=0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it could be fitted longer, which does not pay
        model.fit((seen[:, columns] - mean) / spread, won)
    (first, last), (bias, last_bias) = model.coefs_, model.intercepts_
    weights = (first / spread[:, None]).astype(np.float32)
    trunk = Layer(weights, (bias - mean @ weights).astype(np.float32))
    value = Layer(last.astype(np.float32), last_bias.astype(np.float32))
    return Network(columns, [trunk], Layer(np.zeros((HIDDEN, 0), np.float32), _NO_BIAS), value)


_NO_BIAS = np.zeros(0, np.float32)


# ---- the pilot ----------------------------------------------------------------------------------
def play_pilot(
    plans: Sequence[Plan], value: Value, pairs: int, mode: Mode, workers: Workers
) -> Taken:
    """Play both variants and choose how many redraws are worth it."""
    again = [replace(plan, games=pairs, chunk=min(plan.chunk, pairs)) for plan in plans]
    again = [_reseeded(plan, PILOT) for plan in again]
    found = _run(partial(watch_games, again, Luck(value, REDRAWS[-1])), again, workers)
    half = len(found) // 2
    arms = [_joined(found[:half]), _joined(found[half:])]
    value = calibrated(value, arms)
    apart = arms[1].won.astype(float) - arms[0].won
    cost = cost_of(load_policy(plans[0].env, plans[0].policy))
    decisions = sum(arm.decisions for arm in arms)
    drawn = sum(len(arm.terms.game) for arm in arms) / decisions
    best = Taken(None, why="no pair of the pilot differed", pairs=pairs)
    for redraws in REDRAWS:
        luck = [luck_of(_fewer(arm.terms, redraws), value, pairs) for arm in arms]
        weight, saved = weighed(apart, luck[1] - luck[0])
        costs = (cost + DECISION + PROBE + drawn * (1 + redraws) * REDRAW) / cost
        one = Taken(Luck(value, redraws), weight, "", pairs, saved, costs)
        if best.luck is None or saved / costs > best.saved / best.costs:
            best = one
    if mode == "auto" and best.luck is not None and best.saved / best.costs < WORTH_IT:
        why = f"{best.saved:.1f} times fewer games, each {best.costs:.1f} times as long"
        return replace(best, luck=None, why=f"it does not pay: {why} (pilot of {pairs:,} pairs)")
    return best


@dataclass(frozen=True)
class Arm:
    """The pilot's games of a variant."""

    won: NDArray[np.bool_]
    terms: Terms
    decisions: int


def watch_games(plans: Sequence[Plan], luck: Luck, job: Job, on_played: OnPlayed) -> Arm:
    """Play a chunk of the pilot."""
    meters = list[PilotMeter]()
    play_chunk(plans[job[0]], job[1], on_played, partial(_kept, meters, partial(PilotMeter, luck)))
    return _joined([Arm(np.concatenate(one.won), _one(one.seen), one.decisions) for one in meters])


def _one(parts: Sequence[Terms]) -> Terms:
    return Terms(*map(np.concatenate, zip(*parts, strict=True)))


def _joined(arms: Sequence[Arm]) -> Arm:
    """Arms one after the other as one."""
    begin = np.cumsum([0, *(len(arm.won) for arm in arms)])
    terms = [
        arm.terms._replace(game=arm.terms.game + first)
        for arm, first in zip(arms, begin, strict=False)
    ]
    won = np.concatenate([arm.won for arm in arms])
    return Arm(won, _one(terms), sum(arm.decisions for arm in arms))


def _fewer(terms: Terms, redraws: int) -> Terms:
    return terms._replace(redrawn=terms.redrawn[:, :redraws])


def calibrated(value: Value, arms: Sequence[Arm]) -> Value:
    """Stretch and shift the log-odds so that they fit what this policy won."""
    from sklearn.linear_model import LogisticRegression

    odds = np.concatenate([arm.terms.after for arm in arms])
    won = np.concatenate([arm.won[arm.terms.game] for arm in arms])
    going = np.isfinite(odds)
    if len(set(won[going].tolist())) < 2:
        return value
    model = LogisticRegression().fit(odds[going, None], won[going])
    slope, shift = float(model.coef_[0, 0]), float(model.intercept_[0])
    return replace(value, slope=max(slope, LEAST_SLOPE), shift=shift)


def weighed(apart: NDArray[Any], luck: NDArray[Any]) -> tuple[float, float]:
    """The weight of luck that leaves the least variance, 0 to 1, and how much smaller it is."""
    spread = luck.var()
    if not spread or not apart.var():
        return 0.0, 1.0
    weight = float(np.clip(((apart - apart.mean()) * luck).mean() / spread, 0, 1))
    return weight, float(apart.var() / (apart - weight * luck).var())


# ---- on disk ------------------------------------------------------------------------------------
def write_taken(file: Path, taken: Taken, env: str, key: str, network: Network) -> None:
    """Keep a choice, with what it was made for."""
    luck = taken.luck or Luck(Value(network), 0)
    config = {name: getattr(taken, name) for name in NUMBERS} | {"redraws": luck.redraws}
    config |= {"slope": luck.value.slope, "shift": luck.value.shift}
    record = {"env_id": env, "fingerprint": key, "config": config}
    replace(network, record=record).save(file)


def read_taken(file: Path, key: str) -> Taken | None:
    """A choice kept for the same games; None if there is none. A damaged file is deleted."""
    if not file.is_file():
        return None
    try:
        network = Network.load(file)
    except ModelError:
        delete_file(file)
        return None
    if network.record["fingerprint"] != key:
        return None
    config = network.record["config"]
    luck = Luck(Value(network, config["slope"], config["shift"]), config["redraws"])
    return Taken(luck if luck.redraws else None, **{name: config[name] for name in NUMBERS})


# ---- playing ------------------------------------------------------------------------------------
def _reseeded(plan: Plan, offset: int) -> Plan:
    return replace(plan, seed=(plan.seed + offset) % CORE_SEEDS)


def _kept(meters: list[Any], new: Callable[..., Any], rules: Ruleset, control: int) -> Any:
    """Make a meter and remember it."""
    meters.append(new(rules, control))
    return meters[-1]


def _run(
    play: Callable[[Job, OnPlayed], Any], plans: Sequence[Plan], workers: Workers
) -> list[Any]:
    """Run all chunks of all plans -> results in that order."""
    jobs = [(k, chunk) for k, plan in enumerate(plans) for chunk in range(plan.n_chunks())]
    found = {}
    with closing(workers.run(play, jobs, lambda games, wins: None, plans[0].env)) as played:
        for job, result in played:
            found[job] = result
    return [found[job] for job in jobs]
