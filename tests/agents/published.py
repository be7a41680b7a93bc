"""Published models, played again: docs/results.json says what they win."""

import agemonia_env
from agemonia_env.simulation.interval import wilson

SEED = 20_000  # of games that nobody has published


def wins_as_published(told, games, folder):
    """Whether the interval of these games, with seeds of their own, meets the published one.

    told: the entry of a file under `weights` of results.json; folder: that its paths start from.
    """
    setting = dict(told["setting"])
    players = {"policy": told["policy"]}
    if told["enemies"] is not None:
        players |= {"enemy_will": "free", "enemy_policy": told["enemies"]}
    for name, player in players.items():
        if player.endswith(".npz"):
            likeliest = "likeliest:" * player.startswith("likeliest:")
            players[name] = likeliest + str(folder / player.removeprefix(likeliest))
    rows = agemonia_env.simulate(games=games, seed=SEED, **setting, **players)
    low, high = wilson(int(rows["won"].sum()), len(rows))
    return low <= told["high"] and told["low"] <= high
