"""One game of an entry: the clock, and what happens to wrong answers."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agemonia_env.envs.copies import copies
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.rulesets.arguments import CORE_SEED
from agemonia_env.rulesets.recorded_game import position_hash

from .decision import WORDS, Clock, decision_of, is_over, is_won, start_of
from .entries import Player, fault
from .messages import ILLEGAL, TIME, Forfeit, Kind
from .settings import Setting, game_seed

ANSWERS = 3  # to a question; the last one that is refused loses the game


class Stopped(Exception):  # noqa: N818 - not an error
    """The challenge was stopped while the game was on."""


@dataclass
class Played:
    """A game as it was played.

    moves: by their place among the legal actions, which are ascending; end: hash of the last
    position; refused: answers; forfeit: how it was lost, or "", and why in words; ms, most_ms: time
    of all decisions and of the longest.
    """

    game: int
    won: bool = False
    moves: list[int] = field(default_factory=list)
    end: str = ""
    refused: int = 0
    forfeit: Kind | Literal[""] = ""
    why: str = ""
    ms: float = 0.0
    most_ms: float = 0.0


class Referee:
    """Plays games of a setting in one environment, with one player."""

    def __init__(self, setting: Setting, player: Player, salt: str, budget_ms: int) -> None:
        self.setting, self.player, self.salt, self.budget_ms = setting, player, salt, budget_ms
        self.env = setting.make(log=WORDS in player.wants)

    def play(self, game: int, stop: threading.Event | None = None) -> Played:
        """Play a game. Raises Stopped between two decisions once `stop` is set."""
        env, self.played = self.env, Played(game)
        self.observation = begin(env, self.setting, self.salt, game)
        over = is_over(env)
        try:
            start = start_of(env, game, self.setting.name, dict(self.setting.choices))
            self.player.begin(start, env)
            while not over:
                if stop is not None and stop.is_set():
                    raise Stopped
                over = self._move()
            self.played.won = is_won(env)
        except Forfeit as lost:
            if stop is not None and stop.is_set():
                raise Stopped from None  # its process was killed
            self.played.won, self.played.forfeit = False, lost.kind
            self.played.why = f"decision {len(self.played.moves)}: {lost.why}"
        with suppress(Forfeit):  # too late to lose
            self.player.end(won=self.played.won)
        self.played.end = end_hash(env)
        return self.played

    def _move(self) -> bool:
        """Ask for a decision and take it; return whether the game is over."""
        env = self.env
        legal = env.legal_actions().tolist()
        action = self._ask(legal)
        self.played.moves.append(legal.index(action))
        self.observation, _, terminated, truncated, _ = env.step(action)
        return terminated or truncated

    def _ask(self, legal: list[int]) -> int:
        """The legal action that the player takes. Raises Forfeit."""
        used, again = 0.0, ""
        for _ in range(ANSWERS):
            clock = Clock(
                self.budget_ms, max(1, round(self.budget_ms - used)), round(self.played.ms)
            )
            number, wants = len(self.played.moves), self.player.wants
            decision = decision_of(self.env, self.observation, number, clock, wants, again)
            began = time.perf_counter()
            try:
                answer = self.player.answer(decision, self.env)
            finally:
                took = 1000 * (time.perf_counter() - began)
                used += took
                self.played.ms += took
                self.played.most_ms = max(self.played.most_ms, used)
            if used > self.budget_ms:
                raise Forfeit(TIME, f"it took {used:,.0f} of {self.budget_ms:,} ms")
            again = fault(answer, self.env, legal)
            if not again:
                return int(answer)
            self.played.refused += 1
        raise Forfeit(ILLEGAL, again)


def begin(env: RulesetEnv, setting: Setting, salt: str, game: int) -> NDArray[np.float32]:
    """Begin a game of a setting; return the observation."""
    return env.reset(options={CORE_SEED: game_seed(salt, setting.name, game)})[0]


def end_hash(env: RulesetEnv) -> str:
    """A hash of the position, without random streams, from which policies draw."""
    states = copies(env.states)
    states["chance"], states["logging"] = 0, 0
    return position_hash(states)
