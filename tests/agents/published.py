"""Published models, played again: docs/results.json says what they win."""

from agents.results import is_as_published, played_again

SEED = 20_000  # of games that nobody has published


def wins_as_published(entry, games, path):
    """Whether the interval of these games, with seeds of their own, meets the published one.

    entry: the entry of a file under `weights` of results.json; path: the file.
    """
    return is_as_published(played_again(path, entry, games, SEED, force=False), entry)
