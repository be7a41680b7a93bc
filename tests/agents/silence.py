"""A counter of games that nobody reads."""


class Silence:
    """In place of a Report."""

    def count(self, won, ended):
        pass
