"""Every ruleset as a game of OpenSpiel: `pyspiel.load_game("agemonia_v0(side=both)")`.

Importing this module registers them. It needs the extra `openspiel`. Games are trees of
`game_tree.py`: all is seen by both players, and what is drawn belongs to chance nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any, ClassVar

import numpy as np

from agemonia_env.display.messages import shown
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

from .extras import missing
from .game_tree import CHANCE, ENDED, GameTree

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as error:
    raise missing(error, "openspiel") from None

# Arguments of the environments that a game of OpenSpiel does not have: its rewards come at the end
LEFT_OUT = ("illegal", "reward", "gamma", "action_features")
NO_NUMBER, NO_TEXT = -1, ""  # for None, which OpenSpiel does not have
TREE = {"party": NO_TEXT, "outcomes": 32, "seed": 0}  # parameters besides those arguments
Parameters = Mapping[str, Any]


class RulesetGame(pyspiel.Game):
    """A scenario as a game of OpenSpiel.

    Players are the sides that decide: one with side "hero" or "enemy", with "both" the heroes are
    player 0 and the enemy side is player 1. A win is 1, a loss -1, and 0 a game that takes more
    than `max_decisions`. A subclass sets the ruleset.
    """

    ruleset: ClassVar[Ruleset]

    def __init__(self, parameters: Parameters) -> None:
        """Read and compile the scenario. Raises ValueError naming the wrong parameter.

        parameters: as `defaults_of` lists them.
        """
        rules, defaults = self.ruleset, defaults_of(self.ruleset)
        given = {name: value for name, value in parameters.items() if value != defaults[name]}
        tree = GameTree(rules.env_id, illegal="raise", **_arguments(given))
        longest = tree.env.arguments.max_decisions
        n = len(tree.sides)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.N_ACTIONS,
            max_chance_outcomes=len(tree.outcomes),
            num_players=n,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if n == 2 else None,
            max_game_length=longest,
        )
        super().__init__(game_type(rules, n), info, given)
        self.tree = tree
        self.root = tree.root()
        self.longest = longest

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a game by its name and parameters: its class is made when it is registered."""
        return load_registered, (short_name(self.ruleset.env_id), self.get_parameters())

    def new_initial_state(self) -> RulesetState:
        """The chance node that sets the scenario up."""
        return RulesetState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The set-up, and one node for each decision."""
        return self.longest + 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """An observer of the position, or of the history for an information state."""
        if isinstance(iig_obs_type, dict):  # OpenSpiel leaves the type out if it is the default
            iig_obs_type, params = None, iig_obs_type
        seen = iig_obs_type is None or (
            iig_obs_type.public_info and not iig_obs_type.perfect_recall
        )
        if seen:
            return PositionObserver(len(self.tree.observation(self.tree.root())), params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class RulesetState(pyspiel.State):
    """A node of the tree; `node` is all it stores, so cloning it is cheap."""

    def __init__(self, game: RulesetGame) -> None:
        """For `new_initial_state`."""
        super().__init__(game)
        self.node = game.root

    @property
    def tree(self) -> GameTree:
        """The tree of the game."""
        tree: GameTree = self.get_game().tree
        return tree

    def current_player(self) -> int:
        """The player that decides, CHANCE or TERMINAL."""
        turn = self.node.turn
        if turn == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        if turn == ENDED:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(turn == "enemy" and self.num_players() == 2)

    def is_terminal(self) -> bool:
        """Whether the scenario has ended."""
        return self.node.turn == ENDED

    def _legal_actions(self, player: int) -> list[int]:
        """The legal actions, ascending."""
        return list(self.node.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node, all equally likely."""
        share = 1.0 / len(self.node.legal)
        return [(outcome, share) for outcome in self.node.legal]

    def _apply_action(self, action: int) -> None:
        """Go on to the next node."""
        self.node = self.tree.child(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        """The action in words, after its number: words alone may be those of several actions."""
        if self.node.position or player < 0:
            return f"{action}: {self.tree.choice_text(self.node, action)}"
        return str(action)

    def returns(self) -> list[float]:
        """The score of each player so far."""
        score = self.node.score
        return [score, -score] if self.num_players() == 2 else [score]

    def __str__(self) -> str:
        return self.tree.board_text(self.node)


class PositionObserver:
    """The observation of the environments, the same for both players."""

    def __init__(self, length: int, params: Any) -> None:
        """length: of the observation."""
        if params:
            raise ValueError(f"observation parameters={shown(params)}: there are none")
        self.tensor = np.zeros(length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RulesetState, player: int) -> None:
        """Write the observation of a state into `tensor`."""
        self.tensor[:] = state.tree.observation(state.node)

    def string_from(self, state: RulesetState, player: int) -> str:
        """The board in words."""
        return str(state)


# ---- registration -----------------------------------------------------------------------------
def load_registered(name: str, parameters: Parameters) -> Any:
    """`pyspiel.load_game` for pickles: another process that finds it here has registered games."""
    return pyspiel.load_game(name, parameters)


def game_type(rules: Ruleset, players: int) -> Any:
    """What OpenSpiel has to know of a ruleset's games; players: 1 or 2."""
    kind = pyspiel.GameType
    utility = kind.Utility.ZERO_SUM if players == 2 else kind.Utility.GENERAL_SUM
    return kind(
        short_name=short_name(rules.env_id),
        long_name=rules.env_id,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults_of(rules),
    )


def short_name(env_id: str) -> str:
    """OpenSpiel's name for a game: agemonia_v0 for Agemonia-v0."""
    return env_id.lower().replace("-", "_")


def defaults_of(rules: Ruleset) -> dict[str, Any]:
    """The parameters of a ruleset's games, with their defaults.

    Those of the environment, and: party, names of heroes with a plus sign between them, instead of
    their number; outcomes and seed, as `GameTree` has them.
    """
    taken = signature(rules.check_arguments).parameters.values()
    return {one.name: _default(one) for one in taken if one.name not in LEFT_OUT} | TREE


def _default(argument: Parameter) -> Any:
    """The default of an argument; parameters of OpenSpiel are always there, and of one type."""
    if argument.default is not None:
        return argument.default
    return NO_NUMBER if argument.annotation == "int | None" else NO_TEXT


def _arguments(given: Parameters) -> dict[str, Any]:
    """The arguments of `GameTree` for parameters of a game.

    Raises ValueError for heroes that are both named and counted, and for seeds in no range.
    """
    arguments = dict(given)
    if "party" in arguments:
        if "heroes" in arguments:
            raise ValueError(f"party={shown(given['party'])}: leave `heroes` out if they are named")
        arguments["heroes"] = arguments.pop("party").split("+")
    seeds = arguments.get("scenario_seed")
    if seeds is not None and seeds[:1].isdigit():
        ends = seeds.split("to")  # with a minus sign it would be a number to OpenSpiel
        if len(ends) != 2 or not all(end.isascii() and end.isdigit() for end in ends):
            raise ValueError(f"scenario_seed={shown(seeds)}: must be FIRSTtoLAST, such as 7to7")
        arguments["scenario_seed"] = [int(end) for end in ends]
    return arguments


def register(env_id: str) -> None:
    """Make the games of a ruleset known to OpenSpiel."""
    if short_name(env_id) not in pyspiel.registered_names():
        rules = ruleset_of(env_id)
        # A class, not a function: OpenSpiel drops it after Python has ended, which aborts if
        # nothing else refers to it
        game = type(f"{rules.name}Game", (RulesetGame,), {"ruleset": rules})
        pyspiel.register_game(game_type(rules, 2), game)


for _env_id in RULESETS:
    register(_env_id)
