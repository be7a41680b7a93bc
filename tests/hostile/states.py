"""Put damaged positions into environments, and play on from those that are accepted.

    python -m tests.hostile.states --states 1000 --seed 1 --env HexDungeon-v0

Genuine positions of random games, in which some fields were changed: one or several, to extremes,
to values in range, or bytes at random. Each is either refused with a ValueError, or goes on for 200
random decisions. Worker processes do it, so that a crash or a hang is counted and not the end. Exit
status 1 if there was any.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from agemonia_env.envs import env_class
from agemonia_env.envs.positions import checker
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of
from agemonia_env.rulesets.state_ranges import fields

DECISIONS = 200  # played on from a position that was taken
PATIENCE = 20.0  # seconds for one position; one takes milliseconds
EACH = 40  # positions from the games of one environment
TOLD = 120  # characters of a fault that are counted together
WHOLE = ("scenario", "heroes", "level", "difficulty", "enemy_will", "side")


@dataclass(frozen=True)
class Mutant:
    """A position in which something was changed."""

    number: int
    env: RulesetEnv
    position: bytes
    what: str  # was changed


# ---- positions -----------------------------------------------------------------------------------
def environment(rules: Ruleset, random: np.random.Generator) -> RulesetEnv:
    """An environment of any scenario, with any number of Heroes."""
    names = sorted(rules.load_pack(rules.check_arguments().pack).scenarios)
    choices: dict[str, Any] = {"heroes": int(random.integers(1, 5))}
    choices["scenario"] = str(random.choice(names))
    choices["level"] = int(random.integers(1, 4))
    if "enemy_will" in rules.parameters:
        choices["level"] = int(random.integers(1, 6))
        choices["enemy_will"] = str(random.choice(["card", "free"]))
        choices["side"] = str(random.choice(["hero", "enemy", "both"]))
        if random.random() < 0.2:
            choices |= {"scenario": "random", "scenario_seed": int(random.integers(1000))}
    env: RulesetEnv = env_class(rules.env_id)(**choices)
    return env


def go_on(env: RulesetEnv, random: np.random.Generator, decisions: int) -> None:
    """Play so many random decisions, if the game does not end before."""
    for _ in range(decisions):
        _, _, terminated, truncated, _ = env.step(random.choice(env.legal_actions()))
        if terminated or truncated:
            env.reset(seed=int(random.integers(2**31)))


def genuine(rules: Ruleset, random: np.random.Generator) -> Iterator[tuple[RulesetEnv, bytes]]:
    """Positions of random games without end, and an environment that may be put into each."""
    while True:
        env = environment(rules, random)
        env.reset(seed=int(random.integers(2**31)))
        for _ in range(EACH):
            go_on(env, random, int(random.integers(1, 25)))
            yield env, bytes(env.get_state())


# ---- changes -------------------------------------------------------------------------------------
Change = Callable[[np.ndarray, RulesetEnv, np.random.Generator], str]
FIRST = ("decision", "asked", "subject", "options", "depth", "tasks", "answer", "ending", "phase")


def change_field(raw: np.ndarray, env: RulesetEnv, random: np.random.Generator) -> str:
    """One field: to an extreme, to a neighbour, or to anything in its range."""
    rules = env.ruleset
    listed = FIELDS[rules.env_id]
    if random.random() < 0.25:
        listed = [field for field in listed if field[0].partition("[")[0] in FIRST]
    name, kind, offset = listed[random.integers(len(listed))]
    field = raw[offset : offset + kind.itemsize].view(kind)
    before, held = int(field[0]), np.iinfo(kind)
    ranges = checker(rules, env.compiled).ranges
    least, most = (
        int(bound.view(np.uint8)[offset : offset + kind.itemsize].view(kind)[0])
        for bound in (ranges.least, ranges.most)
    )
    draws = random.random()
    if draws < 0.15 or kind == np.uint64:
        value = int(random.choice([held.min, held.max, held.max // 2, held.max // 3], 1)[0])
    elif draws < 0.3:
        value = before + int(random.integers(-3, 4))
    elif draws < 0.35:
        value = before ^ (1 << int(random.integers(8 * kind.itemsize - 1)))
    else:
        value = int(random.integers(least, most, endpoint=True))
    field[0] = min(max(value, held.min), held.max)
    return f"{name}: {before} -> {int(field[0])}"


def change_several(raw: np.ndarray, env: RulesetEnv, random: np.random.Generator) -> str:
    """Two to eight fields."""
    return ", ".join(change_field(raw, env, random) for _ in range(random.integers(2, 9)))


def change_bytes(raw: np.ndarray, env: RulesetEnv, random: np.random.Generator) -> str:
    """Bytes anywhere in the record."""
    places = random.integers(len(raw), size=random.integers(1, 33))
    raw[places] = random.integers(256, size=len(places))
    return f"{len(places)} bytes at random"


def change_work(raw: np.ndarray, env: RulesetEnv, random: np.random.Generator) -> str:
    """Pending work, anywhere on its stack, or the depth of the stack."""
    state = raw.view(env.ruleset.STATE)
    depth = int(state["depth"][0])
    if random.random() < 0.3:
        state["depth"] = random.integers(len(state["tasks"][0]) + 1)
        return f"depth: {depth} -> {state['depth'][0]}"
    place, most = (
        int(random.integers(max(1, depth))),
        checker(env.ruleset, env.compiled).ranges.most,
    )
    state["tasks"][0, place] = random.integers(int(most["tasks"][0, 0]) + 1)
    return f"tasks[{place}] -> {state['tasks'][0, place]}"


def change_all(raw: np.ndarray, env: RulesetEnv, random: np.random.Generator) -> str:
    """Every byte."""
    raw[:] = random.integers(256, size=len(raw)) if random.random() < 0.7 else 0
    return "all bytes"


CHANGES: dict[Change, float] = {
    change_field: 0.45,
    change_several: 0.25,
    change_bytes: 0.1,
    change_work: 0.17,
    change_all: 0.03,
}
FIELDS = {env_id: list(fields(ruleset_of(env_id).STATE)) for env_id in RULESETS}


def mutants(rules: Ruleset, seed: int, first: int, last: int) -> Iterator[Mutant]:
    """Mutants first to last - 1 of a seed: the same ones, wherever one begins."""
    changes, shares = list(CHANGES), list(CHANGES.values())
    for block in range(first // EACH, -(-last // EACH)):
        random = np.random.default_rng([seed, block])
        for k, (env, position) in enumerate(itertools.islice(genuine(rules, random), EACH)):
            raw = np.frombuffer(position, np.uint8, rules.STATE.itemsize).copy()
            change = changes[random.choice(len(changes), p=shares)]
            what = change(raw, env, np.random.default_rng([seed, block, k]))
            number = block * EACH + k
            if first <= number < last:
                yield Mutant(number, env, raw.tobytes() + position[len(raw) :], what)


# ---- one attack ----------------------------------------------------------------------------------
REFUSED, PLAYED = "refused", "played"


def attack(mutant: Mutant) -> str:
    """REFUSED, PLAYED, or a description of the fault."""
    env, before = mutant.env, mutant.env.get_state()
    random = np.random.default_rng(mutant.number)
    try:
        env.set_state(mutant.position)
    except ValueError as error:
        if env.get_state() != before:
            return "a refused position changed the environment"
        return REFUSED if "must" in str(error) or ":" in str(error) else f"unclear: {error}"
    try:
        look(env)
        for _ in range(DECISIONS):
            if not env.action_masks().any():
                return "empty mask"
            observation, _, over, _, _ = env.step(random.choice(env.legal_actions()))
            if not np.isfinite(observation).all():
                return "an observation is not finite"
            if over:
                break
        look(env)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        env.set_state(before)
    return PLAYED


def look(env: RulesetEnv) -> None:
    """Call every method that players and planners use on a position."""
    rules, state = env.ruleset, env.states[0]
    env.question()
    for action in env.legal_actions()[:20]:
        env.action_meaning(int(action))
    for action in range(0, rules.N_ACTIONS, 37):
        env.explain(action)
    rules.write_board(state, env.compiled, [])
    if not env._states["ending"][0]:
        env.choose(policy_of(rules, "greedy"))
        env.clone(7).step(env.legal_actions()[0])


# ---- many, in processes of their own -------------------------------------------------------------
def work(env_id: str, seed: int, first: int, last: int, pipe: Connection) -> None:
    """Attack with some mutants, telling of each before and after."""
    for mutant in mutants(ruleset_of(env_id), seed, first, last):
        pipe.send((mutant.number, mutant.what, None))
        pipe.send((mutant.number, mutant.what, attack(mutant)))


def answers(env_id: str, seed: int, first: int, last: int) -> Iterator[tuple[int, str, str]]:
    """Number, change and outcome of each mutant; a process that dies or hangs is replaced."""
    context = multiprocessing.get_context("fork")
    while first < last:
        here, there = context.Pipe(duplex=False)
        worker = context.Process(target=work, args=(env_id, seed, first, last, there), daemon=True)
        worker.start()
        there.close()
        number, what, outcome = first, "", None
        try:
            while here.poll(PATIENCE):
                number, what, outcome = here.recv()
                if outcome is not None:
                    yield number, what, outcome
                    if number == last - 1:
                        break
            else:
                yield number, what, "hang"
        except EOFError:
            worker.join()
            if outcome is None:
                yield number, what, f"crash: exit status {worker.exitcode}"
        worker.kill()
        worker.join()
        first = number + 1


def warm(env_id: str) -> None:
    """Compile in this process what the others will call."""
    rules = ruleset_of(env_id)
    for env, position in itertools.islice(genuine(rules, np.random.default_rng(0)), 2):
        outcome = attack(Mutant(0, env, position, "nothing"))
        if outcome != PLAYED:
            raise SystemExit(f"{env_id}: a genuine position: {outcome}")


def main() -> int:
    """See the head of this file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--env", choices=RULESETS, action="append")
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    faults = 0
    for env_id in given.env or RULESETS:
        warm(env_id)
        started, outcomes = time.perf_counter(), Counter[str]()
        for number, what, outcome in answers(env_id, given.seed, given.first, given.states):
            outcomes[outcome[:TOLD]] += 1
            if outcome not in (REFUSED, PLAYED):
                faults += 1
                print(f"{env_id} --seed {given.seed} --first {number}: {outcome} ({what})")
        seconds = time.perf_counter() - started
        counts = ", ".join(f"{n} {outcome}" for outcome, n in outcomes.most_common())
        checked = " with NUMBA_BOUNDSCHECK" if os.environ.get("NUMBA_BOUNDSCHECK") else ""
        print(f"{env_id}{checked}: {counts} ({seconds:.0f} s)", flush=True)
    return int(faults > 0)


if __name__ == "__main__":
    raise SystemExit(main())
