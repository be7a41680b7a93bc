"""What each decision of a recorded game was worth, and skill and luck apart.

The win rate of a position or option is measured by playing on from it (rollouts.py). Between two
positions it changes twice: by the choice, then by chance.

    play = win rate of the option chosen - win rate of the position, where greedy play would choose
    luck = win rate of the next position - win rate of the option chosen

Both sum up to the result less the win rate at the start. Luck has the mean 0, whoever plays. The
cost of a decision compares the option chosen with the planner's choice. The planner picks it from
games of its own, so the measured cost is not inflated by picking the best of several noisy numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.envs.copies import copies
from agemonia_env.policies import Policy
from agemonia_env.policies.learned import LearnedPolicy
from agemonia_env.policies.planner import Planner
from agemonia_env.policies.scripted import ScriptedPolicy
from agemonia_env.simulation.interval import Z, wilson

from .recording import Recording
from .rollouts import NOTHING, Rollouts

DIGITS = 4
NO_ACTIONS: list[int] = []


@dataclass(frozen=True)
class Effort:
    """How much is measured: planner's simulations and games played on, each 0 for none."""

    simulations: int
    rollouts: int
    threads: int = 1


@dataclass
class Judgement:
    """What is known about a position and the decision in it; empty lists: not measured.

    win: win rate of the heroes with its 95 % interval. wins: of each option. visits, values: the
    planner's, of each option. best: index of the option that the chosen one is compared with; -1 if
    none. cost: what the side that chose lost by it; play: what the choice changed; each with its
    standard error.
    """

    win: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    visits: list[int] = field(default_factory=list)
    values: list[float | None] = field(default_factory=list)
    best: int = -1
    cost: list[float] = field(default_factory=list)
    play: list[float] = field(default_factory=list)
    after: float = 0.0  # win rate of the option chosen


class Analyst:
    """Judges the positions of a recorded game, one after another."""

    def __init__(self, recording: Recording, effort: Effort) -> None:
        self.recording, self.effort = recording, effort
        env = recording.env
        arguments, content = env.arguments, recording.compiled.content
        self.content, self.which = content, np.zeros(1, np.int16)
        # Where the enemies' cards decide, the planner settles ties for the heroes
        self.will_is_free = getattr(arguments, "enemy_will", "free") == "free"
        self.planner = None
        if effort.simulations:
            self.planner = Planner(env.ruleset, effort.simulations, effort.threads)
        self.rollouts = None
        if effort.rollouts:
            limits = arguments.control(), arguments.max_decisions
            self.rollouts = Rollouts(env.ruleset, content, *limits, effort.rollouts)

    def judgements(self) -> Iterator[Judgement]:
        """Judge every position, the last one included; none without any effort."""
        if self.planner or self.rollouts:
            for k in range(self.recording.steps + 1):
                yield self.judge(k)

    def judge(self, k: int) -> Judgement:
        """Judge position k, and the decision in it."""
        recording, judged = self.recording, Judgement()
        last = k == recording.steps
        state = copies(recording.states[k])  # the planner draws from it
        if state["ending"][0] != GOING_ON:
            judged.win = [float(state["won"][0])] * 3
            return judged
        options = NO_ACTIONS if last else recording.decisions[k].options
        free = self.will_is_free or last or recording.decisions[k].side == "hero"
        if self.planner and len(options) > 1 and free:
            self._search(judged, state, options)
        if self.rollouts:
            self._play_on(judged, recording.states[k], options, k)
        return judged

    def _search(self, judged: Judgement, state: NDArray[Any], options: list[int]) -> None:
        """Note the planner's visits, values and choice."""
        assert self.planner is not None
        found = self.planner.search(state, self.content, self.which)
        visits, sums = found.visits[0, options], found.wins[0, options]
        judged.visits = visits.tolist()
        judged.values = [
            round(float(total / n), DIGITS) if n else None
            for total, n in zip(sums, visits, strict=True)
        ]
        judged.best = options.index(int(found.actions[0]))

    def _play_on(self, judged: Judgement, state: NDArray[Any], options: list[int], k: int) -> None:
        """Note win rates, and the cost of the decision."""
        assert self.rollouts is not None
        asked = options if len(options) > 1 else NO_ACTIONS
        won = self.rollouts.wins(state, [NOTHING, *asked], [self.recording.core_seed, k])
        n, count = won.shape[1], int(won[0].sum())
        judged.win = [round(x, DIGITS) for x in (count / n, *wilson(count, n))]
        judged.after = count / n
        if not asked:
            return
        judged.wins = won[1:].mean(axis=1).round(DIGITS).tolist()
        decision = self.recording.decisions[k]
        if decision.action not in options:
            return
        chosen = options.index(decision.action)
        sign = -1 if decision.side == "enemy" else 1
        judged.after = float(won[1 + chosen].mean())
        judged.play = difference(won[1 + chosen], won[0])
        if judged.best >= 0:
            judged.cost = difference(won[1 + judged.best], won[1 + chosen], sign)
        else:
            judged.best, judged.cost = self._best_of_halves(won[1:], chosen, sign)

    def _best_of_halves(
        self, won: NDArray[np.bool_], chosen: int, sign: int
    ) -> tuple[int, list[float]]:
        """The option that won most in one half of the games -> it, and the cost in the other."""
        half = won.shape[1] // 2
        if not half:
            return -1, []
        rates = sign * won[:, :half].mean(axis=1)
        best = chosen if rates[chosen] >= rates.max() else int(rates.argmax())
        return best, difference(won[best, half:], won[chosen, half:], sign)


def difference(a: NDArray[np.bool_], b: NDArray[np.bool_], sign: int = 1) -> list[float]:
    """The mean of a - b over paired games, with its standard error."""
    pairs = sign * (a.astype(float) - b)
    return [round(float(pairs.mean()), DIGITS), round(float(pairs.std() / sqrt(len(pairs))), 6)]


# ---- the policy's probabilities -------------------------------------------------------------
def probabilities_of(policy: Policy) -> Callable[[Recording], dict[int, float]] | None:
    """A function: the policy's probabilities of the options now; None if it has none."""
    if isinstance(policy, ScriptedPolicy) and policy.name == "random":
        return _alike
    if not isinstance(policy, LearnedPolicy):
        return None

    def ask(recording: Recording) -> dict[int, float]:
        env = recording.env
        shares = policy.probabilities(env.states, env.compiled.content, np.zeros(1, np.int16))[0]
        return {int(action): float(shares[action]) for action in env.legal_actions()}

    return ask


def _alike(recording: Recording) -> dict[int, float]:
    legal = recording.env.legal_actions().tolist()
    return {action: 1 / len(legal) for action in legal}


# ---- the whole game -------------------------------------------------------------------------
def totals(recording: Recording, judged: list[Judgement]) -> dict[str, Any]:
    """Skill and luck of the part of the game that is judged, each with half its 95 % interval.

    Empty if no two positions are. Costs are by side, and with the number of decisions compared.
    """
    rated = [one for one in judged if one.win]
    if len(rated) < 2 or len(rated) < len(judged):
        return {}
    first, last, between = rated[0], rated[-1], rated[:-1]
    sums: dict[str, Any] = {"start": first.win, "end": last.win}
    variance = 0.0
    for side in ("hero", "enemy"):
        pairs = list(zip(recording.decisions, between, strict=False))
        mine = [one for decision, one in pairs if decision.side == side]
        play, error = _sum(one.play for one in mine)
        variance += error**2
        sums[f"{side}_play"] = [play, Z * error]
        cost, error = _sum(one.cost for one in mine)
        sums[f"{side}_cost"] = [cost, Z * error, sum(bool(one.cost) for one in mine)]
    luck = sum(later.win[0] - one.after for one, later in zip(between, rated[1:], strict=True))
    variance += sum((one.win[2] - one.win[1]) ** 2 / (2 * Z) ** 2 for one in (first, last))
    sums["luck"] = [luck, Z * sqrt(variance)]
    return _rounded(sums)


def _sum(pairs: Any) -> tuple[float, float]:
    """The sum of (value, standard error) pairs, with its standard error."""
    measured = [pair for pair in pairs if pair]
    return sum(value for value, _ in measured), sqrt(sum(error**2 for _, error in measured))


def _rounded(sums: dict[str, Any]) -> dict[str, Any]:
    return {name: [round(x, DIGITS) for x in values] for name, values in sums.items()}
