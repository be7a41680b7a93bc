"""One game as a tree of positions, for search and for frameworks of games: chance has its own turn.

An action that draws anything is followed by a node where chance decides: each of its outcomes is
equally likely, and redraws everything hidden before the action is played. The dice, and the order
of face-down cards, are therefore never part of a position, and nobody can look ahead.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.rng import N_DRAWS
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.arguments import CORE_SEEDS, check_number, whole_number
from agemonia_env.rulesets.ruleset import Ruleset

from . import env_class
from .copies import redraw

CHANCE, ENDED = "chance", "ended"  # besides "hero" and "enemy": whose turn it is
SET_UP = -1  # in place of an action: chance sets the scenario up
MOST_OUTCOMES = 2**16


class Node(NamedTuple):
    """A position in the tree. It never changes, so copies are the node itself.

    turn: the side that decides, CHANCE or ENDED. legal: what can be chosen, ascending. score: sum
    of the rewards so far, from the side of the environment. position: for `set_state`; before the
    action where chance decides, and empty before the set-up. action: what chance decides about,
    None if it is not its turn. path: stands for all choices so far.
    """

    turn: str
    legal: tuple[int, ...]
    score: float
    position: bytes
    action: int | None
    path: int

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self


class GameTree:
    """The tree of one scenario: the same arguments always give the same tree.

    All nodes share one environment, so a tree belongs to one thread. Its games end as those of the
    environment do: an episode that is truncated ends, too.
    """

    def __init__(self, env_id: str, *, outcomes: int = 32, seed: int = 0, **choices: Any) -> None:
        """Read and compile the scenario. Raises ValueError naming the wrong argument.

        outcomes: of every chance node, the set-up included; a sample of what the rules allow.
        seed: fixes these samples. choices: arguments of the single environment.
        """
        self.env = env_class(env_id)(**choices)
        self.outcomes = tuple(range(check_number("outcomes", outcomes, 1, MOST_OUTCOMES)))
        self.seed = check_number("seed", seed, 0, CORE_SEEDS - 1)
        played = self.env.arguments
        in_core = played.opponent in self.rules.ENEMY_POLICIES
        self._outside_opponent = played.opposed and not in_core
        self._now: Node | None = None  # the node whose position the environment holds

    @property
    def rules(self) -> Ruleset:
        """The game's ruleset; not stored here, because a ruleset cannot be copied."""
        return self.env.ruleset

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that decide, "hero" or "enemy" or both."""
        side = self.env.arguments.side
        return ("hero", "enemy") if side == "both" else (side,)

    # ---- the tree -----------------------------------------------------------------------------
    def root(self) -> Node:
        """The node where chance sets the scenario up."""
        return Node(CHANCE, self.outcomes, 0.0, b"", SET_UP, self.seed)

    def child(self, node: Node, choice: int) -> Node:
        """The node after a legal action, or after an outcome of chance.

        Raises ValueError if the choice is not legal.
        """
        number = whole_number(choice)
        if number is None or number not in node.legal:
            raise ValueError(f"choice={shown(choice)}: {self._allowed(node)}")
        path = _path_after(node.path, number)
        if node.action is None:
            return self._decided(node, number, path)
        return self._drawn(node, node.action, path)

    def _allowed(self, node: Node) -> str:
        """What may be chosen, as part of a message."""
        if node.turn == ENDED:
            return "the game has ended"
        if node.turn == CHANCE:
            return f"must be an outcome, 0 to {len(self.outcomes) - 1}"
        return f"must be a legal action, one of {', '.join(map(str, node.legal))}"

    def _decided(self, node: Node, action: int, path: int) -> Node:
        """After a decision: the next decision if nothing is drawn on the way, else chance."""
        if not self._outside_opponent:  # which draws as it likes
            env = self._at(node)
            self.rules.api.force_chance(
                env.states, env.compiled.content, np.zeros(1, np.int16), np.zeros(1, np.uint64)
            )
            step = env.step(action)
            if env.states["chance"][0, N_DRAWS] == 0:
                self._redraw(path)
                return self._node(node.score, step, path)
            self._now = None
        return Node(CHANCE, self.outcomes, node.score, node.position, action, path)

    def _drawn(self, node: Node, action: int, path: int) -> Node:
        """After an outcome of chance."""
        if action == SET_UP:
            _, info = self.env.reset(options={"core_seed": path})
            return self._node(0.0, (None, 0.0, False, False, info), path)
        env = self._at(node)
        self._redraw(path)
        return self._node(node.score, env.step(action), path)

    def _node(self, score: float, step: tuple[Any, ...], path: int) -> Node:
        """The node of the position that the environment has reached by a step."""
        _, reward, terminated, truncated, info = step
        position, score = self.env.get_state(), score + reward
        if terminated or truncated:
            node = Node(ENDED, (), score, position, None, path)
        else:
            legal = tuple(np.flatnonzero(info["action_mask"]).tolist())
            node = Node(info["side"], legal, score, position, None, path)
        self._now = node
        return node

    def _redraw(self, seed: int) -> None:
        """Draw everything hidden in the environment anew."""
        redraw(self.rules, self.env.states, self.env.compiled.content, [np.uint64(seed)])

    def _at(self, node: Node) -> Any:
        """The environment, at the node's position. A step from here must reach another node."""
        if self._now is None or self._now.position is not node.position:
            self.env.set_state(node.position)
        self._now = None
        return self.env

    def _view(self, node: Node) -> Any:
        """The environment, at the node's position, to look at."""
        env = self._at(node)
        self._now = node
        return env

    # ---- what a node shows --------------------------------------------------------------------
    def observation(self, node: Node) -> NDArray[np.float32]:
        """What is seen of the position, float32 (N_OBSERVATION,), or of the columns that fit.

        Before the set-up all are 0.
        """
        seen = np.zeros(self.rules.N_OBSERVATION, np.float32)
        if node.position:
            env, which = self._view(node), np.zeros(1, np.int16)
            content, row = env.compiled.content, seen.reshape(1, -1)
            self.rules.api.write_observations(env.states, content, which, row)
        fit = self.env.fit
        return seen if fit is None else seen[fit.columns]

    def choice_text(self, node: Node, choice: int) -> str:
        """A choice in words, such as "attack Bog rat 2". ValueError outside the space."""
        if node.turn == CHANCE:
            return f"outcome {check_number('outcome', choice, 0, len(self.outcomes) - 1)}"
        text: str = self._view(node).action_meaning(choice)
        return text

    def board_text(self, node: Node) -> str:
        """The board in words, and what chance decides if it is its turn."""
        if not node.position:
            return "Chance sets the scenario up."
        env = self._view(node)
        board = self.rules.write_board(env.states[0], env.compiled, [])
        if node.action is None:
            return board
        return f"{board}\nChance decides: {env.action_meaning(node.action)}"


def _path_after(path: int, choice: int) -> int:
    """A number for a path that goes on with a choice, 0 to CORE_SEEDS - 1."""
    digest = blake2b(path.to_bytes(8, "little") + choice.to_bytes(8, "little"), digest_size=8)
    return int.from_bytes(digest.digest(), "little") % CORE_SEEDS
