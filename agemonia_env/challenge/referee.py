"""One game of an entry: the clock, and what happens to wrong answers."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from agemonia_env.envs.copies import copies
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.rulesets.arguments import CORE_SEED
from agemonia_env.rulesets.recorded_game import position_hash

from .decision import WORDS, Clock, decision_of, is_over, is_won, start_of
from .entries import Player, fault
from .messages import ILLEGAL, TIME, Forfeit
from .row import GameRow, pack_moves
from .settings import Setting, game_seed

ANSWERS = 3  # to a question; the last one that is refused loses the game


class Stopped(Exception):  # noqa: N818 - not an error
    """The challenge was stopped while the game was on."""


class Referee:
    """Plays games of a setting in one environment, with one player."""

    def __init__(self, setting: Setting, player: Player, salt: str, budget_ms: int) -> None:
        self.setting, self.player, self.salt, self.budget_ms = setting, player, salt, budget_ms
        self.env = setting.make(log=WORDS in player.wants)

    def play(self, game: int, stop: threading.Event | None = None) -> GameRow:
        """Play a game. Raises Stopped between two decisions once `stop` is set."""
        env, self.moves, self.refused, self.ms, self.most_ms = self.env, list[int](), 0, 0.0, 0.0
        self.observation = begin(env, self.setting, self.salt, game)
        over, lost = is_over(env), None
        try:
            start = start_of(env, game, self.setting.name, dict(self.setting.choices))
            self.player.begin(start, env)
            while not over:
                if stop is not None and stop.is_set():
                    raise Stopped
                over = self._move()
        except Forfeit as forfeit:
            if stop is not None and stop.is_set():
                raise Stopped from None  # its process was killed
            lost = forfeit
        won = lost is None and is_won(env)
        with suppress(Forfeit):  # too late to lose
            self.player.end(won=won)
        return GameRow(
            game=game,
            won=won,
            decisions=len(self.moves),
            moves=pack_moves(self.moves),
            end=end_hash(env),
            ms=round(self.ms),
            most_ms=round(self.most_ms),
            refused=self.refused,
            forfeit=lost.kind if lost else "",
            why=f"decision {len(self.moves)}: {lost.why}" if lost else "",
        )

    def _move(self) -> bool:
        """Ask for a decision and take it; return whether the game is over."""
        env = self.env
        legal = env.legal_actions().tolist()
        action = self._ask(legal)
        self.moves.append(legal.index(action))
        self.observation, _, terminated, truncated, _ = env.step(action)
        return terminated or truncated

    def _ask(self, legal: list[int]) -> int:
        """The legal action that the player takes. Raises Forfeit."""
        used, again = 0.0, ""
        for _ in range(ANSWERS):
            clock = Clock(self.budget_ms, max(1, round(self.budget_ms - used)), round(self.ms))
            number, wants = len(self.moves), self.player.wants
            decision = decision_of(self.env, self.observation, number, clock, wants, again)
            began = time.perf_counter()
            try:
                answer = self.player.answer(decision, self.env)
            finally:
                took = 1000 * (time.perf_counter() - began)
                used += took
                self.ms += took
                self.most_ms = max(self.most_ms, used)
            if used > self.budget_ms:
                raise Forfeit(TIME, f"it took {used:,.0f} of {self.budget_ms:,} ms")
            again = fault(answer, self.env, legal)
            if not again:
                return int(answer)
            self.refused += 1
        raise Forfeit(ILLEGAL, again)


def begin(env: RulesetEnv, setting: Setting, salt: str, game: int) -> NDArray[np.float32]:
    """Begin a game of a setting; return the observation."""
    return env.reset(options={CORE_SEED: game_seed(salt, setting.name, game)})[0]


def end_hash(env: RulesetEnv) -> str:
    """A hash of the position, without random streams, from which policies draw."""
    states = copies(env.states)
    states["chance"], states["logging"] = 0, 0
    return position_hash(states)
