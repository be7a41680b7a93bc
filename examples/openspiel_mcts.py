"""Monte Carlo tree search of OpenSpiel plays, with no change to either.

    python -m pip install 'agemonia-env[openspiel]'
    python examples/openspiel_mcts.py
    python examples/openspiel_mcts.py --game 'hexdungeon_v0(heroes=1)' --simulations 50
    python examples/openspiel_mcts.py --game 'agemonia_v0(side=both)'     both sides search

Every game is a tree of its own, by the parameter `seed`; the search sees the chance nodes of that
tree but not what chance decides there. Prints what is played, and how each game ends.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import agemonia_env.envs.openspiel  # noqa: F401 - registers both rulesets


def play(game, simulations, seed, decisions):
    """Play one game, at most so many decisions of it -> the returns of its players."""
    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=random)
    bot = mcts.MCTSBot(game, 1.4, simulations, evaluator, solve=False, random_state=random)
    state, decided = game.new_initial_state(), 0
    while not state.is_terminal() and decided < decisions:
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            action = random.choice(outcomes, p=shares)
        else:
            player, decided = state.current_player(), decided + 1
            legal = state.legal_actions()
            action = legal[0] if len(legal) == 1 else bot.step(state)
            print(f"player {player}   {state.action_to_string(player, action)}", flush=True)
        state.apply_action(action)
    return state.returns()


def main():
    """Play some games, and print how they end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="agemonia_v0(heroes=1,ties=auto)")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--simulations", type=int, default=20, help="of each decision")
    parser.add_argument("--decisions", type=int, default=10_000, help="most of a game")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    options = parser.parse_args()
    plain = pyspiel.game_parameters_from_string(options.game)
    name = plain.pop("name")
    for seed in range(options.seed, options.seed + options.games):
        game = pyspiel.load_game(name, plain | {"seed": seed})
        returns = play(game, options.simulations, seed, options.decisions)
        ended = ", ".join(f"player {player} {score:+g}" for player, score in enumerate(returns))
        print(f"game {seed}: {ended}")


if __name__ == "__main__":
    main()
