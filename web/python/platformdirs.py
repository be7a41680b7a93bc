"""Folders of a user, of whom a page has none."""


def user_cache_dir(name):
    """A path that holds nothing."""
    return "/nowhere"
