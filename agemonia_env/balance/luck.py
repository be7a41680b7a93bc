"""Whether luck is taken out of a comparison, and by which value function.

A value function is fitted to positions of greedy games of both variants. In a pilot both variants
are played by the policy that the comparison is about, and luck is measured (simulation/luck.py):
how much smaller does the variance of the differences become, and how much longer does a game take?
Where fewer seconds are needed for the same interval, luck is taken out. Fit, pilot and comparison
use different seeds, so the value function and its weight are fixed before the games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from agemonia_env.files.writing import delete_file
from agemonia_env.packs.folders import ContentError
from agemonia_env.policies.model_record import ModelError
from agemonia_env.policies.network import Network
from agemonia_env.policies.planner import Planner
from agemonia_env.policies.scripted import ScriptedPolicy
from agemonia_env.rulesets.arguments import CORE_SEEDS
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import Meter
from agemonia_env.simulation.jobs import OnPlayed
from agemonia_env.simulation.luck import Luck, Value
from agemonia_env.simulation.plan import Plan, load_policy
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.value_fit import (
    NoValue,
    Sampler,
    Seen,
    Watcher,
    calibrated,
    fit_value,
    weigh,
)
from agemonia_env.simulation.workers import Workers

from .game_cache import plan_hash

Mode = Literal["auto", "always", "never"]  # values of `remove_luck`
FIT, PILOT = 0x10CC_F17, 0x10CC_9107  # added to the seed
FIT_GAMES = 25_000  # of each variant
FIT_CHUNK = 1_250
PILOT_SHARE = 20  # of the games of the comparison, one is played in the pilot
PILOT_GAMES = (50, 400)  # fewest and most, of each variant
PILOT_CHUNK = 10  # games at a time, of policies that may take seconds for one
REDRAWS = (2, 4, 8, 16)  # tried; the pilot plays the last
MOST_SAVED = 4.0  # times the games; never seen to be exceeded, so not tried where it costs more
WORTH_IT = 1.1  # times the seconds saved from which luck is taken out
# Microseconds, on one core of an AMD EPYC server: only their ratios matter, and they are constants
# so that the choice is the same on every machine
DECISION, NETWORK, SIMULATION, PROBE, REDRAW = 2.0, 30.0, 80.0, 4.0, 12.0
DECISIONS = 100  # of a game
LEAST_PLAY = 3e8  # microseconds of play: five times what fitting a value function takes


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
MeterT = TypeVar("MeterT", bound=Meter)


# ---- the choice ---------------------------------------------------------------------------------
def take_luck(
    plans: tuple[Plan, Plan],
    games: float,
    mode: Mode,
    workers: Workers,
    file: Path | None,
    say: Say,
) -> Taken:
    """Choose for a condition, or read an earlier choice from a file.

    plans: of both variants; games: about how many will be played of each; say: is told what takes
    long. Raises ContentError if luck is always to be taken out and cannot be.
    """
    policy = load_policy(plans[0].env, plans[0].policy)
    cost, least = cost_of(policy), DECISION + PROBE + REDRAWS[0] * REDRAW
    if mode == "never":
        return Taken(None, why="asked to be left in")
    if mode == "auto" and (cost + least) / cost > MOST_SAVED:
        times = (cost + least) / cost
        return Taken(None, why=f"to measure it takes {times:.0f} times as long as to play")
    if mode == "auto" and games * 2 * DECISIONS * cost < LEAST_PLAY:
        return Taken(None, why="so few games are played sooner than a value function is fitted")
    pairs = int(min(max(games // PILOT_SHARE, PILOT_GAMES[0]), PILOT_GAMES[1]))
    ordered = sorted(plans, key=plan_hash)  # so that A against B is the negative of B against A
    key = "/".join([*(plan_hash(plan) for plan in ordered), mode, str(pairs)])
    found = None if file is None else read_taken(file, key)
    if found is None:
        try:
            say("Fitting a value function to greedy games ...")
            value = value_of(ordered, workers)
        except NoValue as error:
            if mode == "always":
                wrong = f"remove_luck: always: {error}; use auto, which then leaves it in"
                raise ContentError([wrong]) from None
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
def value_of(plans: Sequence[Plan], workers: Workers) -> Value:
    """Fit a value function to greedy games of these plans, the same number of each."""
    greedy = [
        replace(reseeded(plan, FIT), policy="greedy", games=FIT_GAMES, chunk=FIT_CHUNK)
        for plan in plans
    ]
    found = watch(greedy, Sampler, workers)
    seen, won = (
        np.concatenate([part for one in found for part in getattr(one, name)])
        for name in ("seen", "won")
    )
    return fit_value(seen, won)


# ---- the pilot ----------------------------------------------------------------------------------
def play_pilot(
    plans: Sequence[Plan], value: Value, pairs: int, mode: Mode, workers: Workers
) -> Taken:
    """Play both variants and choose how many redraws are worth it."""
    again = [replace(reseeded(plan, PILOT), games=pairs, chunk=PILOT_CHUNK) for plan in plans]
    watchers = watch(again, partial(Watcher, Luck(value, REDRAWS[-1])), workers)
    half = len(watchers) // 2
    a, b = (Seen.joined([part for one in some for part in one.parts])
            for some in (watchers[:half], watchers[half:]))  # fmt: skip
    value, apart = calibrated(value, Seen.joined([a, b])), b.won.astype(float) - a.won
    cost = cost_of(load_policy(plans[0].env, plans[0].policy))
    drawn = (len(a.terms.game) + len(b.terms.game)) / (a.decisions + b.decisions)
    found = []
    for redraws in REDRAWS:
        weight, saved = weigh(apart, b.luck(value, redraws) - a.luck(value, redraws))
        costs = (cost + DECISION + PROBE + drawn * (1 + redraws) * REDRAW) / cost
        found.append(Taken(Luck(value, redraws), weight, "", pairs, saved, costs))
    best = max(found, key=lambda one: one.saved / one.costs)
    if mode == "always" or best.saved / best.costs >= WORTH_IT:
        return best
    why = f"{best.saved:.1f} times fewer games, each {best.costs:.1f} times as long"
    return replace(best, luck=None, why=f"it does not pay: {why} (pilot of {pairs:,} pairs)")


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
def reseeded(plan: Plan, offset: int) -> Plan:
    """The plan with other seeds."""
    return replace(plan, seed=(plan.seed + offset) % CORE_SEEDS)


def watch(plans: Sequence[Plan], new: Callable[..., MeterT], workers: Workers) -> list[MeterT]:
    """Play all chunks of all plans -> the meters that watched them, in that order."""
    jobs = [(k, chunk) for k, plan in enumerate(plans) for chunk in range(plan.n_chunks())]
    found: dict[Job, list[MeterT]] = {}
    play = partial(watch_chunk, plans, new)
    with closing(workers.run(play, jobs, lambda games, wins: None, plans[0].env)) as played:
        found.update(played)
    return [meter for job in jobs for meter in found[job]]


def watch_chunk(
    plans: Sequence[Plan], new: Callable[..., MeterT], job: Job, on_played: OnPlayed
) -> list[MeterT]:
    """Play a chunk of a plan -> a meter for each batch of scenarios."""
    meters: list[MeterT] = []

    def made(rules: Ruleset, control: int) -> MeterT:
        meters.append(new(rules, control))
        return meters[-1]

    play_chunk(plans[job[0]], job[1], on_played, made)
    return meters
