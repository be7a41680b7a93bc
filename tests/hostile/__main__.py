"""Attack the command line with hostile input: `python -m tests.hostile -n 5000 --seed 1`.

Exit status 1 if an answer was a crash, a traceback, a hang, a memory bomb or a careless refusal;
each is printed with the command that repeats it.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from dataclasses import dataclass, field

from . import kinds, runner

SHOWN = 1500  # characters of what a faulty answer printed


@dataclass
class Tally:
    """The answers to one kind of attack."""

    statuses: Counter[int] = field(default_factory=Counter)
    faulty: int = 0
    cpu: float = 0.0  # the most, in seconds
    memory: int = 0  # the most, in bytes

    def add(self, answer: runner.Answer, wrong: list[str]) -> None:
        """Count one answer."""
        self.statuses[answer.status] += 1
        self.faulty += bool(wrong)
        self.cpu, self.memory = max(self.cpu, answer.cpu), max(self.memory, answer.memory)


def numbers_of(chosen: list[str], total: int) -> list[tuple[str, int]]:
    """Kind and position of every attack: `total` of them by the shares of the kinds, mixed."""
    shares = [kinds.KINDS[kind][1] for kind in chosen]
    each = [max(1, round(total * share / sum(shares))) for share in shares]
    pairs = [
        ((i + 0.5) / n, kind, i) for kind, n in zip(chosen, each, strict=True) for i in range(n)
    ]
    return [(kind, i) for _, kind, i in sorted(pairs)]


def main() -> int:
    """See the head of this file."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("-n", type=int, default=5000, help="how many attacks, of all kinds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", action="append", choices=kinds.KINDS, help="several times, too")
    parser.add_argument("--only", type=int, help="this one attack of the kind, with its output")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = options.kind or list(kinds.KINDS)
    numbers = numbers_of(chosen, options.n)
    if options.only is not None:
        numbers = [(kind, options.only) for kind in chosen]
    runner.warm()
    for kind in chosen:
        kinds.generator(kind)  # its module is imported once, here
    attacks = (kinds.attack(kind, options.seed, i) for kind, i in numbers)
    tallies = {kind: Tally() for kind in chosen}
    for number, attack, answer in runner.answers(attacks, options.jobs):
        kind, i = numbers[number]
        wrong = list(runner.faults(attack, answer))
        tallies[kind].add(answer, wrong)
        if wrong or options.only is not None:
            show(kind, options.seed, i, attack, answer, wrong)
    return report(tallies)


def show(
    kind: str, seed: int, i: int, attack: runner.Attack, answer: runner.Answer, wrong: list[str]
) -> None:
    """Print an attack and its answer."""
    print(f"---- {kind} {i}: {'; '.join(wrong) or 'no fault'}")
    print(f"repeat: python -m tests.hostile --seed {seed} --kind {kind} --only {i}")
    print(f"{attack.entry} {shlex.join(attack.arguments)}"[:SHOWN])
    for name, content in attack.files.items():
        if isinstance(content, bytes) and len(content) < SHOWN:
            print(f"file {name}: {content!r}")
    print(f"status {answer.status}, {answer.cpu:.1f} s, {answer.memory >> 20} MiB")
    for name, text in (("out", answer.out), ("err", answer.err)):
        if text.strip():
            print(f"{name}: {text[:200]} ... {text[-SHOWN:]}" if len(text) > SHOWN else text)
    sys.stdout.flush()


def report(tallies: dict[str, Tally]) -> int:
    """Print the counts -> exit status."""
    print(f"{'kind':24} {'inputs':>7} {'refused':>8} {'faults':>7} {'most s':>7} {'most MiB':>9}")
    for kind, tally in tallies.items():
        print(
            f"{kind:24} {tally.statuses.total():7} {tally.statuses[2]:8} {tally.faulty:7} "
            f"{tally.cpu:7.1f} {tally.memory >> 20:9}"
        )
    inputs = sum(tally.statuses.total() for tally in tallies.values())
    faulty = sum(tally.faulty for tally in tallies.values())
    print(f"{inputs} inputs, {faulty} faults")
    return int(faulty > 0)


if __name__ == "__main__":
    sys.exit(main())
