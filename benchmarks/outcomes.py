"""Do counted chances agree with what really happens? `chance_outcomes` against samples.

    python -m benchmarks.outcomes                       200 positions of each ruleset, 5,000 samples
    python -m benchmarks.outcomes --positions 20 --samples 1000

Positions are those of greedy games at which the action taken has more than one outcome. For each,
Pearson's chi-square test compares counted probabilities with the outcomes of samples; those
expected fewer than FEWEST times are put together. If all is well, p-values are spread evenly over
0 to 1, which a Kolmogorov-Smirnov test checks.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

import gymnasium
from rich.console import Console
from scipy import stats

from agemonia_env.envs.chance_outcomes import TOLERANCE, Attempt, Shares, count_ways, sample
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.doors import RULESETS

FEWEST = 10  # expected samples of an outcome that is tested by itself
LIMIT = 20_000  # ways that are played
EVERY = 3  # decisions from one position tested to the next, at least


def positions(env_id: str) -> Iterator[tuple[str, Attempt]]:
    """Greedy play in all scenarios in turn: a decision, and the action taken there."""
    env: RulesetEnv = gymnasium.make(f"agemonia_env:{env_id}").unwrapped  # type: ignore[assignment]
    scenarios = sorted(env.ruleset.load_pack(env.arguments.pack).scenarios)
    seed = 0
    while True:
        for name in scenarios:
            env = type(env)(scenario=name)
            env.reset(seed=seed)
            policy, over = policy_of(env.ruleset, "greedy"), False
            while not over:
                action = env.choose(policy)
                yield f"{name}: {env.action_meaning(action)}", env._game_after(action)
                *_, terminated, truncated, _ = env.step(action)
                over = terminated or truncated
        seed += 1


def p_value(counted: Shares, sampled: Shares, samples: int) -> float:
    """Of Pearson's test that samples have the counted probabilities; 1 if there is no choice."""
    expected = {look: samples * float(share) for look, (_, share) in counted.items()}
    kept = [look for look, n in expected.items() if n >= FEWEST]
    seen = [samples * float(sampled.get(look, (0, 0))[1]) for look in kept]
    wanted = [expected[look] for look in kept]
    rest = samples - sum(wanted)
    if rest >= FEWEST or not kept:
        seen.append(samples - sum(seen))
        wanted.append(rest)
    else:  # too rare to be tested by themselves
        k = wanted.index(min(wanted))
        seen[k] += samples - sum(seen)
        wanted[k] += rest
    return float(stats.chisquare(seen, wanted).pvalue) if len(seen) > 1 else 1.0


def p_values(env_id: str, n: int, samples: int) -> Iterator[tuple[str, float]]:
    """What is decided at n positions, and the p-value of each."""
    since = EVERY
    for where, game in positions(env_id):
        since += 1
        if since < EVERY:
            continue
        _, counted = count_ways(game, LIMIT)
        if len(counted) == 1 or 1 - sum(share for _, share in counted.values()) > TOLERANCE:
            continue
        since = 0
        yield where, p_value(counted, sample(game, samples, n), samples)
        n -= 1
        if n == 0:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see the module docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--positions", type=int, default=200, help="of each ruleset (%(default)s)")
    add("--samples", type=int, default=5_000, help="of each position (%(default)s)")
    options = parser.parse_args(arguments)
    console = Console(highlight=False)
    for env_id in RULESETS:
        found = list(p_values(env_id, options.positions, options.samples))
        values = [p for _, p in found]
        where, least = min(found, key=lambda one: one[1])
        even = stats.kstest(values, "uniform").pvalue
        console.print(
            f"{env_id}: {len(values)} positions, {options.samples:,} samples each; p below 0.01 at "
            f"{sum(p < 0.01 for p in values)}, the least {least:.2g} ({where}); evenly spread: "
            f"p = {even:.2f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
